//! Blocks after a change of the branches between them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use lanescope_base::ids::Id;
use lanescope_spirv::edit::push;
use lanescope_spirv::enums::Op;

use super::Instead;
use super::lines::{Line, Lines};

/// One block: its lines, from `OpLabel` to its end.
struct Block {
    label: Id,
    lines: Range<usize>,
}

/// Removes blocks that nothing branches to, leaves the merge blocks and continue targets that a construct needs empty
/// (specification, section 2.16.1), takes phis to the predecessors that are left, with zero for new ones, and removes the
/// merge instruction of a selection that selects no more.
///
/// `None` where an end of the function cannot be reached any more from a block: a loop without an end.
pub(super) fn tidy(lines: &mut Lines) -> Option<()> {
    let constants = |op: Op| lines.all.iter().filter(move |line| line.op == op).filter_map(Line::result).collect();
    let taken: [BTreeSet<Id>; 2] = [constants(Op::ConstantTrue), constants(Op::ConstantFalse)];
    // From the last function to the first, so that the ranges before stay.
    for function in lines.functions().into_iter().rev() {
        let body = lines.all.get(function.clone())?.to_vec();
        let tidied = tidied(body, &taken)?;
        lines.all.splice(function, tidied);
    }
    phis(lines)
}

/// A function without unreachable blocks.
///
/// `taken` are the constants `true` and `false`: a loop that ends only where they are something else does not end.
fn tidied(body: Vec<Line>, taken: &[BTreeSet<Id>; 2]) -> Option<Vec<Line>> {
    let body = without_idle_merges(body);
    let blocks = blocks(&body);
    let by_label: BTreeMap<Id, usize> = blocks.iter().enumerate().map(|(at, block)| (block.label, at)).collect();
    let next = |at: usize| successors(&body, &blocks[at]);
    let reachable = reached(&by_label, next, blocks.first().map(|_| 0));
    let goes = |at: usize| match body.get(blocks[at].lines.clone()).and_then(<[Line]>::last) {
        Some(end) if end.op == Op::BranchConditional && taken[0].contains(&end.id(1)) => vec![end.id(2)],
        Some(end) if end.op == Op::BranchConditional && taken[1].contains(&end.id(1)) => vec![end.id(3)],
        _ => next(at),
    };
    let runs = reached(&by_label, goes, blocks.first().map(|_| 0));
    if endless(&blocks, &runs, &by_label, goes) {
        return None;
    }
    // What the constructs of blocks that stay need, and what they need for: the header of a loop.
    let mut needed: BTreeMap<Id, Option<Id>> = BTreeMap::new();
    for &at in &reachable {
        for line in body.get(blocks[at].lines.clone())? {
            match line.op {
                Op::SelectionMerge => drop(needed.entry(line.id(1)).or_insert(None)),
                Op::LoopMerge => {
                    needed.entry(line.id(1)).or_insert(None);
                    needed.insert(line.id(2), Some(blocks[at].label));
                }
                _ => {}
            }
        }
    }
    let start = blocks.first().map_or(body.len(), |block| block.lines.start);
    let mut out = body.get(..start)?.to_vec();
    for (at, block) in blocks.iter().enumerate() {
        let of_block = body.get(block.lines.clone())?;
        match needed.get(&block.label) {
            _ if reachable.contains(&at) => out.extend_from_slice(of_block),
            Some(back_to) => {
                out.push(of_block.first()?.clone());
                let mut words = Vec::new();
                match back_to {
                    Some(header) => push(&mut words, Op::Branch, &[header.0]),
                    None => push(&mut words, Op::Unreachable, &[]),
                }
                out.push(Line::added(words)?);
            }
            None => {}
        }
    }
    out.push(body.last()?.clone());
    Some(out)
}

/// The lines without merge instructions of selections before a plain branch or an end.
fn without_idle_merges(body: Vec<Line>) -> Vec<Line> {
    let is_idle = |at: usize| {
        let next = body.get(at + 1).map(|line| line.op);
        body[at].op == Op::SelectionMerge && !matches!(next, Some(Op::BranchConditional | Op::Switch))
            || body[at].op == Op::LoopMerge && !matches!(next, Some(Op::BranchConditional | Op::Branch))
    };
    let idle: BTreeSet<usize> = (0..body.len()).filter(|&at| is_idle(at)).collect();
    body.into_iter().enumerate().filter(|(at, _)| !idle.contains(at)).map(|(_, line)| line).collect()
}

fn blocks(body: &[Line]) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    for (at, line) in body.iter().enumerate() {
        if let (Op::Label, Some(label)) = (line.op, line.result()) {
            out.push(Block { label, lines: at..at });
        }
        if let Some(block) = out.last_mut().filter(|_| line.op != Op::FunctionEnd) {
            block.lines.end = at + 1;
        }
    }
    out
}

fn successors(body: &[Line], block: &Block) -> Vec<Id> {
    let end = body.get(block.lines.clone()).and_then(<[Line]>::last);
    end.and_then(Line::successors).unwrap_or_default()
}

fn reached(by_label: &BTreeMap<Id, usize>, next: impl Fn(usize) -> Vec<Id>, from: Option<usize>) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    let mut left: Vec<usize> = from.into_iter().collect();
    while let Some(at) = left.pop() {
        if out.insert(at) {
            left.extend(next(at).iter().filter_map(|label| by_label.get(label)));
        }
    }
    out
}

/// Whether there is a reachable block from which no end of the function can be reached.
fn endless(
    blocks: &[Block],
    reachable: &BTreeSet<usize>,
    by_label: &BTreeMap<Id, usize>,
    next: impl Fn(usize) -> Vec<Id>,
) -> bool {
    let mut before: Vec<Vec<usize>> = blocks.iter().map(|_| Vec::new()).collect();
    let mut left = Vec::new();
    for &at in reachable {
        let followers = next(at);
        if followers.is_empty() {
            left.push(at);
        }
        for to in followers.iter().filter_map(|label| by_label.get(label)) {
            before[*to].push(at);
        }
    }
    let mut ends = BTreeSet::new();
    while let Some(at) = left.pop() {
        if ends.insert(at) {
            left.extend(&before[at]);
        }
    }
    reachable.iter().any(|at| !ends.contains(at))
}

/// Gives each phi a value of each predecessor of its block: of a new one, zero.
fn phis(lines: &mut Lines) -> Option<()> {
    let mut before: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
    let mut label = Id(0);
    for line in &lines.all {
        if line.op == Op::Label {
            label = line.result()?;
        }
        for to in line.successors().unwrap_or_default() {
            let from = before.entry(to).or_default();
            if !from.contains(&label) {
                from.push(label);
            }
        }
    }
    let mut changed = Vec::new();
    let mut block = Id(0);
    for line in &lines.all {
        if line.op == Op::Label {
            block = line.result()?;
        }
        if line.op != Op::Phi {
            continue;
        }
        let known: Vec<(Id, Id)> =
            line.words.get(3..)?.chunks_exact(2).map(|pair| (Id(pair[0]), Id(pair[1]))).collect();
        let from = before.get(&block).cloned().unwrap_or_default();
        let pairs: Vec<(Option<Id>, Id)> = from
            .iter()
            .map(|label| (known.iter().find(|(_, from)| from == label).map(|(value, _)| *value), *label))
            .collect();
        let same = pairs.len() == known.len() && pairs.iter().all(|(value, _)| value.is_some());
        if !same {
            changed.push((line.clone(), pairs));
        }
    }
    let mut by_result: BTreeMap<Id, Vec<u32>> = BTreeMap::new();
    for (line, pairs) in changed {
        let mut operands = vec![line.word(1), line.word(2)];
        for (value, from) in pairs {
            let value = match value {
                Some(value) => value,
                None => lines.constant(line.ty()?, Instead::Zero)?,
            };
            operands.extend([value.0, from.0]);
        }
        let mut words = Vec::new();
        push(&mut words, Op::Phi, &operands);
        by_result.insert(line.result()?, words);
    }
    for line in lines.all.iter_mut().filter(|line| line.op == Op::Phi) {
        if let Some(words) = line.result().and_then(|result| by_result.remove(&result)) {
            line.words = words;
        }
    }
    Some(())
}
