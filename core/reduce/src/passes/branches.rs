//! Branches and blocks.

use std::collections::BTreeMap;

use lanescope_base::ids::Id;
use lanescope_spirv::enums::Op;
use lanescope_spirv::{Inst, InstId, Module};

use super::loops::is_true;
use super::{bodies, body, words};
use crate::change::{Change, Instead};

/// Selections and loops, each left out: the block before it goes on with the block after it.
pub(super) fn constructs(module: &Module) -> Vec<Change> {
    bodies(module)
        .filter(|inst| matches!(inst.op(), Some(Op::SelectionMerge | Op::LoopMerge)))
        .map(|merge| {
            let end = InstId(merge.index.0 + 1);
            let branch = words(Op::Branch, &[merge.word_at(1)]);
            Change { removed: vec![merge.index], replaced: vec![(end, branch)], ..Change::default() }
        })
        .collect()
}

/// Conditional branches and switches, each to one of its targets.
pub(super) fn sides(module: &Module) -> Vec<Change> {
    let mut out = Vec::new();
    for inst in bodies(module) {
        // A loop that is left in any case keeps its way back, as the construct demands one.
        let taken = is_true(module, &inst).then(|| inst.id_at(2));
        for target in targets(module, &inst).into_iter().filter(|to| taken.is_none_or(|taken| taken == *to)) {
            out.push(Change::replace(inst.index, words(Op::Branch, &[target.0])));
        }
    }
    out
}

/// Where a branch with a choice may go, each once.
fn targets(module: &Module, inst: &Inst<'_>) -> Vec<Id> {
    let mut out: Vec<Id> = match inst.op() {
        Some(Op::BranchConditional) => vec![inst.id_at(3), inst.id_at(2)],
        Some(Op::Switch) => {
            let cases = inst.words_from(3).chunks_exact(module.case_words(inst) + 1);
            std::iter::once(inst.id_at(2)).chain(cases.filter_map(|case| case.last()).map(|&label| Id(label))).collect()
        }
        _ => Vec::new(),
    };
    let mut seen = Vec::new();
    out.retain(|label| {
        !seen.contains(label) && {
            seen.push(*label);
            true
        }
    });
    out
}

/// Blocks with one predecessor, which has one successor: both become one block.
pub(super) fn joined(module: &Module) -> Vec<Change> {
    let mut out = Vec::new();
    for function in module.functions() {
        let insts: Vec<Inst<'_>> = body(module, function).collect();
        let mut before: BTreeMap<Id, Vec<usize>> = BTreeMap::new();
        let mut named: Vec<Id> = Vec::new();
        for (at, inst) in insts.iter().enumerate() {
            match inst.op() {
                Some(Op::Branch) => before.entry(inst.id_at(1)).or_default().push(at),
                Some(Op::BranchConditional | Op::Switch) => {
                    targets(module, inst).into_iter().for_each(|to| before.entry(to).or_default().push(at));
                }
                Some(Op::SelectionMerge) => named.push(inst.id_at(1)),
                Some(Op::LoopMerge) => named.extend([inst.id_at(1), inst.id_at(2)]),
                _ => {}
            }
        }
        for (at, label) in insts.iter().enumerate().filter(|(_, inst)| inst.op() == Some(Op::Label)) {
            let Some(id) = label.result().filter(|id| !named.contains(id)) else { continue };
            let Some(&[branch]) = before.get(&id).map(Vec::as_slice) else { continue };
            let merge =
                branch.checked_sub(1).and_then(|at| insts.get(at)).filter(|inst| inst.op() == Some(Op::LoopMerge));
            // Only of neighbours: a block that stands elsewhere would have to move.
            if insts[branch].op() != Some(Op::Branch) || at != branch + 1 {
                continue;
            }
            let Some(end) = insts[at..].iter().position(Inst::is_terminator).map(|count| at + count) else { continue };
            out.extend(join(&insts, (branch, at, end), merge, (id, owner(&insts, branch))));
        }
    }
    out
}

/// The block that an instruction stands in.
fn owner(insts: &[Inst<'_>], at: usize) -> Id {
    let label = insts[..at].iter().rev().find(|inst| inst.op() == Some(Op::Label));
    label.and_then(Inst::result).unwrap_or(Id(0))
}

/// The block from `at` to `end` joined with the one that ends at `branch`.
fn join(
    insts: &[Inst<'_>],
    (branch, at, end): (usize, usize, usize),
    merge: Option<&Inst<'_>>,
    (label, into): (Id, Id),
) -> Option<Change> {
    let mut change = Change {
        removed: vec![insts[branch].index, insts[at].index],
        // Phis name the block as a predecessor.
        instead: vec![(label, Instead::Id(into))],
        ..Change::default()
    };
    for inst in &insts[at..=end] {
        if inst.op() == Some(Op::Phi) {
            change.removed.push(inst.index);
            change.instead.push((inst.result()?, Instead::Id(inst.id_at(3))));
        }
    }
    if let Some(merge) = merge {
        // The merge instruction of a loop stands before the end of its header.
        let own = insts[at..end].iter().any(|inst| matches!(inst.op(), Some(Op::SelectionMerge | Op::LoopMerge)));
        let ends_header = matches!(insts[end].op(), Some(Op::Branch | Op::BranchConditional));
        if own || !ends_header {
            return None;
        }
        change.removed.push(merge.index);
        change.inserted.push((insts[end].index, merge.words.to_vec()));
    }
    Some(change)
}
