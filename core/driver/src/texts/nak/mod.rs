//! The reader of NVK's assembly, as its compiler NAK prints it.
//!
//! Blocks are `block 3 L7 [1] -> {` … `} -> [4, 5]`: number, label, the blocks before and after; `block.u` where all lanes
//! of a wave take the same way. Between them stands one instruction a line: a predicate (`@!p0`), what is written, `=`, the
//! name, what is read, and after `//` how it is scheduled. `delay` counts cycles until the next instruction, `wt` is a mask
//! of the scoreboards that it waits for, `rd` and `wr` set one when the sources are read and when the result is there.
//! `r4..8` are the registers r4 to r7.
//!
//! * `a[0x80 + 16 * location + 4 * component]` is a varying, in the vertex shader's loads an attribute; other addresses are
//!   built-in values. A fragment shader's colours are what its registers hold at the end: the text does not name them, so
//!   its outputs are not known, and its pressure is a lower bound.
//! * Before Volta `ipa.pass_mul_w` divides by the perspective, and `ipa.pass` does not. From Volta on there is `ipa.pass`
//!   alone: whether a multiplication with 1 / w follows is not said by the instruction.

mod coverage;
mod interface;
mod line;
mod names;

pub(super) use coverage::unread;

use std::collections::BTreeMap;

use super::super::isa::{
    Access, Barrier, BarrierPart, Block, Branch, Instruction, IsaFacts, LaneMove, MAX_LINES, Memory, OperandKind,
    Values, Wait, live_registers,
};
use super::{Derivative, Dialect, Topic};
use lanescope_model::program::StageKind;

/// Reads the assembly of one stage.
pub(super) fn read(text: &str, stage: StageKind) -> IsaFacts {
    let mut facts = IsaFacts { dialect: Dialect::Nak, ..IsaFacts::default() };
    let mut labels: BTreeMap<String, u32> = BTreeMap::new();
    let mut successors: Vec<Vec<u32>> = Vec::new();
    let mut lines = text.split('\n');
    for (number, text) in (0u32..).zip(lines.by_ref().take(MAX_LINES)) {
        match line::read(text, number) {
            line::Line::Empty => {}
            line::Line::Block(label) => {
                let first = u32::try_from(facts.instructions.len()).unwrap_or(u32::MAX);
                let index = u32::try_from(facts.blocks.len()).unwrap_or(u32::MAX);
                labels.entry(label.clone()).or_insert(index);
                let block = Block { label: Some(label), line: number, first, count: 0, successors: Vec::new() };
                facts.blocks.push(block);
            }
            line::Line::End(next) if successors.len() < facts.blocks.len() => {
                successors.resize(facts.blocks.len() - 1, Vec::new());
                successors.push(next);
            }
            line::Line::Instruction(instruction) if !facts.blocks.is_empty() => {
                if let Some(block) = facts.blocks.last_mut() {
                    block.count += 1;
                }
                // Where a branch out of divergence meets: a label inside of a block.
                if names::base(&instruction.mnemonic) == "nop"
                    && let Some(OperandKind::Label(label)) = instruction.operands.first().map(|o| &o.kind)
                {
                    let block = u32::try_from(facts.blocks.len().saturating_sub(1)).unwrap_or(u32::MAX);
                    labels.entry(label.clone()).or_insert(block);
                }
                facts.instructions.push(*instruction);
            }
            _ => facts.unknown.push(number),
        }
    }
    facts.cut = lines.next().is_some();
    let count = u32::try_from(facts.blocks.len()).unwrap_or(u32::MAX);
    for (block, next) in facts.blocks.iter_mut().zip(successors) {
        block.successors = next.into_iter().filter(|next| *next < count).collect();
    }
    find(&mut facts, &labels);
    interface::find(&mut facts, stage);
    // Nothing is delivered in registers.
    live_registers(&mut facts, Some(&Values::default()));
    facts.not_known = vec![Topic::Ids];
    if stage == StageKind::Fragment {
        facts.not_known.push(Topic::Outputs);
        if let Some(peak) = &mut facts.peak {
            peak.at_least = true;
        }
    }
    facts
}

/// Branches, memory accesses, barriers, waits, moves between lanes and derivatives.
fn find(facts: &mut IsaFacts, labels: &BTreeMap<String, u32>) {
    let all = std::mem::take(&mut facts.instructions);
    for (index, instruction) in (0u32..).zip(&all) {
        let name = instruction.mnemonic.as_str();
        let base = names::base(name);
        if names::BRANCHES.contains(&base) {
            let target = instruction.operands.iter().find_map(|operand| match &operand.kind {
                OperandKind::Label(label) => Some(label.clone()),
                _ => None,
            });
            let target = target.unwrap_or_default();
            let block = labels.get(&target).copied();
            facts.branches.push(Branch { instruction: index, target, block, conditional: is_conditional(instruction) });
        }
        if let Some((space, does)) = names::memory(name) {
            facts.memory.push(Memory { instruction: index, space, does });
        }
        if base == "bar" {
            facts.barriers.push(Barrier { instruction: index, part: BarrierPart::Whole });
        }
        if let Some(until) = wait(instruction) {
            facts.waits.push(Wait { instruction: index, until });
        }
        if let Some(how) = names::lane_move(name) {
            facts.lane_moves.push(LaneMove { instruction: index, how });
        }
        if let Some(axis) = names::axis(base, instruction) {
            facts.derivatives.push(Derivative { instruction: index, axis });
        }
    }
    facts.instructions = all;
}

/// Whether execution may continue after a branch: it has a predicate, in front or as its first operand.
fn is_conditional(instruction: &Instruction) -> bool {
    let is_always = |word: &str| matches!(word, "pT" | "upT");
    instruction.operands.iter().any(|operand| match &operand.kind {
        OperandKind::Registers(registers) => {
            names::PREDICATES.contains(&registers.file) && operand.access != Access::Write
        }
        OperandKind::Word(word) => !is_always(word) && (word.starts_with('p') || word.starts_with("up")),
        _ => false,
    })
}

/// What an instruction waits for: scoreboards by number, or memory.
fn wait(instruction: &Instruction) -> Option<String> {
    let mask = instruction.modifier("wt").filter(|mask| mask.bytes().any(|bit| bit == b'1'));
    let boards = mask.map(|mask| {
        let set = (0usize..).zip(mask.bytes().rev()).filter(|(_, bit)| *bit == b'1');
        let numbers: Vec<String> = set.map(|(number, _)| number.to_string()).collect();
        format!("scoreboard {}", numbers.join(", "))
    });
    let base = names::base(&instruction.mnemonic);
    let own = names::WAITS.contains(&base).then(|| instruction.mnemonic.clone());
    match (boards, own) {
        (Some(boards), Some(own)) => Some(format!("{own}, {boards}")),
        (boards, own) => boards.or(own),
    }
}
