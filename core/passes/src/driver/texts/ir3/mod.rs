//! The reader of Turnip's assembly: what Mesa's compiler ir3 made, as its disassembler prints it.
//!
//! One instruction stands in a line, after bits in parentheses: `(ss)` waits for results of long arithmetic and of local
//! memory, `(sy)` for those of textures and of global memory, `(rptN)` repeats it N more times for the registers behind
//! (operands with `(r)` advance too), `(nopN)` waits N cycles. `l16:` is a label, `#l16` its name. `r1.z` is the third
//! component of the full register 1, `hr1.z` a half register: two of them share a full one, in the order of their numbers.
//! `r48.x` to `r55.w` hold one value a wave. `c510.w` is a constant.
//!
//! * `bary.f r, N` and `flat.b r, N, N` read the input with the number N; the remark `FRAG: inputs:` says which varying has
//!   it (`VARYING_SLOT_VAR1 … il=4`). The place is the compiler's, after linking: it may be another than the shader's.
//! * The remark `outputs:` names the first register of each output at the end; how many components it has is not said.
//!   How many registers a texture's coordinates take is not said either, so the pressure is a lower bound.
//! * A vertex shader before a tessellation or a geometry shader stores its outputs to local memory (`stlw`): which is which
//!   is not known.

mod coverage;
mod footer;
mod line;
mod names;

pub(super) use coverage::unread;

use std::collections::{BTreeMap, BTreeSet};

use super::super::isa::{
    Barrier, BarrierPart, Block, Branch, Instruction, IsaFacts, LaneMove, MAX_LINES, Memory, OperandKind, Registers,
    Wait, live_registers,
};
use super::{Derivative, Dialect, Input, InputKind, Output, Sampled, Slot, SlotKind, Topic};
use footer::Footer;
use lanescope_model::program::StageKind;

/// Reads the assembly of one stage.
pub(super) fn read(text: &str, stage: StageKind) -> IsaFacts {
    let mut facts = IsaFacts { dialect: Dialect::Ir3, ..IsaFacts::default() };
    let mut footer = Footer::default();
    let mut lines = text.split('\n');
    for (number, text) in (0u32..).zip(lines.by_ref().take(MAX_LINES)) {
        match line::read(text, number) {
            line::Line::Empty => {}
            line::Line::Remark => footer.read(text),
            line::Line::Label(label) => open(&mut facts, Some(label), number),
            line::Line::Instruction(instruction) => {
                if facts.blocks.is_empty() {
                    open(&mut facts, None, number);
                }
                if let Some(block) = facts.blocks.last_mut() {
                    block.count += 1;
                }
                let leaves = names::leaves(&instruction.mnemonic);
                facts.instructions.push(*instruction);
                if leaves {
                    open(&mut facts, None, number.saturating_add(1));
                }
            }
            line::Line::Unknown => facts.unknown.push(number),
        }
    }
    facts.cut = lines.next().is_some();
    facts.blocks.retain(|block| block.label.is_some() || block.count > 0);
    branches(&mut facts);
    find(&mut facts);
    interface(&mut facts, &footer);
    live_registers(&mut facts);
    if let Some(peak) = &mut facts.peak {
        peak.at_least = true;
    }
    facts.not_known = vec![Topic::Ids];
    if stage.is_graphics() && facts.outputs.is_empty() {
        facts.not_known.push(Topic::Outputs);
    }
    facts
}

/// Starts a block at the next instruction. One that was opened and is still empty gives way.
fn open(facts: &mut IsaFacts, label: Option<String>, line: u32) {
    let first = u32::try_from(facts.instructions.len()).unwrap_or(u32::MAX);
    if facts.blocks.last().is_some_and(|block| block.count == 0 && block.label.is_none()) {
        facts.blocks.pop();
    }
    facts.blocks.push(Block { label, line, first, count: 0, successors: Vec::new() });
}

/// Branches, and the blocks that may run after each other.
fn branches(facts: &mut IsaFacts) {
    let mut labels: BTreeMap<&str, u32> = BTreeMap::new();
    for (index, block) in (0u32..).zip(&facts.blocks) {
        if let Some(label) = &block.label {
            labels.entry(label).or_insert(index);
        }
    }
    let mut all = Vec::new();
    for (index, instruction) in (0u32..).zip(&facts.instructions) {
        let target = instruction.operands.iter().find_map(|operand| match &operand.kind {
            OperandKind::Label(label) => Some(label.clone()),
            _ => None,
        });
        if let Some(target) = target.or_else(|| names::is_branch(&instruction.mnemonic).then(String::new)) {
            let block = labels.get(target.as_str()).copied();
            let conditional = !matches!(instruction.mnemonic.as_str(), "jump" | "call");
            all.push(Branch { instruction: index, target, block, conditional });
        }
    }
    facts.branches = all;
    let count = u32::try_from(facts.blocks.len()).unwrap_or(u32::MAX);
    for (index, block) in (0u32..).zip(&mut facts.blocks) {
        let last = block.count.checked_sub(1).map(|last| block.first.saturating_add(last));
        let instruction = last.and_then(|last| facts.instructions.get(last as usize));
        let branch = last.and_then(|last| {
            let found = facts.branches.binary_search_by_key(&last, |branch| branch.instruction).ok()?;
            facts.branches.get(found)
        });
        let ends = instruction.is_some_and(|i| names::is_end(&i.mnemonic))
            || branch.is_some_and(|b| !b.conditional && instruction.is_some_and(|i| i.mnemonic == "jump"));
        let next = index.saturating_add(1);
        block.successors.extend((!ends && next < count).then_some(next));
        if let Some(target) = branch.and_then(|branch| branch.block)
            && !block.successors.contains(&target)
        {
            block.successors.push(target);
        }
    }
}

/// Memory accesses, barriers, waits, moves between lanes and derivatives.
fn find(facts: &mut IsaFacts) {
    for (index, instruction) in (0u32..).zip(&facts.instructions) {
        let name = instruction.mnemonic.as_str();
        if let Some((space, does)) = names::memory(name) {
            facts.memory.push(Memory { instruction: index, space, does });
        }
        if names::base(name) == "bar" {
            facts.barriers.push(Barrier { instruction: index, part: BarrierPart::Whole });
        }
        let bits = ["ss", "sy"].into_iter().filter(|bit| instruction.modifier(bit).is_some());
        let fence = (names::base(name) == "fence").then_some(name);
        let until: Vec<&str> = fence.into_iter().chain(bits).collect();
        if !until.is_empty() {
            facts.waits.push(Wait { instruction: index, until: until.join(" ") });
        }
        if let Some(how) = names::lane_move(name) {
            facts.lane_moves.push(LaneMove { instruction: index, how });
        }
        if let Some(axis) = names::axis(name) {
            facts.derivatives.push(Derivative { instruction: index, axis });
        }
    }
}

/// Inputs and outputs, by the remarks at the end.
fn interface(facts: &mut IsaFacts, footer: &Footer) {
    let loops = facts.branches.iter().any(|branch| {
        let first = branch.block.and_then(|block| facts.blocks.get(block as usize)).map(|block| block.first);
        first.is_some_and(|first| first <= branch.instruction)
    });
    let every = |instruction: &Instruction| -> Vec<Registers> {
        instruction.registers().filter(|(_, access)| access.writes()).map(|(registers, _)| registers).collect()
    };
    let mut written: BTreeSet<Registers> = BTreeSet::new();
    if loops {
        written.extend(facts.instructions.iter().flat_map(every));
    }
    let mut inputs = Vec::new();
    let mut outputs = Vec::new();
    for (index, instruction) in (0u32..).zip(&facts.instructions) {
        if let Some((first, count)) = names::input(instruction) {
            let (kind, at) = if names::base(&instruction.mnemonic) == "bary" {
                weights(instruction, footer, &written)
            } else {
                (InputKind::Flat, None)
            };
            inputs.extend((first..first.saturating_add(count)).map(|number| Input {
                instruction: Some(index),
                slot: footer.varying(number),
                components: 1,
                kind,
                at,
                register: None,
            }));
        }
        if let Some(slot) = names::target(instruction) {
            outputs.push(Output { instruction: Some(index), slot, components: Some(1), register: None });
        }
        if !loops {
            written.extend(every(instruction));
        }
    }
    let delivered = footer.inputs.iter().filter(|input| !input.interpolated && input.mask != 0);
    inputs.extend(delivered.map(|input| Input {
        instruction: None,
        slot: input.slot.clone(),
        components: u8::try_from(input.mask.count_ones()).unwrap_or(4),
        kind: InputKind::Loaded,
        at: None,
        register: Some(input.register.clone()),
    }));
    outputs.extend(footer.outputs.iter().map(|(register, slot)| {
        let slot = slot.clone();
        let components = (slot.what == SlotKind::BuiltIn && slot.component.is_none()).then_some(1);
        Output { instruction: None, slot, components, register: Some(register.clone()) }
    }));
    (facts.inputs, facts.outputs) = (inputs, outputs);
}

/// How an input is interpolated: by which of the delivered weights, where nothing wrote their register.
fn weights(instruction: &Instruction, footer: &Footer, written: &BTreeSet<Registers>) -> (InputKind, Option<Sampled>) {
    let last = instruction.registers().filter(|(_, access)| access.reads()).last().map(|(registers, _)| registers);
    let Some(last) = last.filter(|last| !written.iter().any(|other| other.overlaps(last))) else {
        return (InputKind::Interpolated, None);
    };
    let register = Registers { count: 1, ..last }.to_string();
    let name = footer.inputs.iter().find(|input| !input.interpolated && input.register == register);
    let name = name.and_then(|input| input.slot.name.as_deref()).unwrap_or_default();
    let kind = match name {
        name if name.starts_with("barycentric persp") => InputKind::Perspective,
        name if name.starts_with("barycentric linear") => InputKind::Linear,
        _ => return (InputKind::Interpolated, None),
    };
    let at = match name.rsplit(' ').next() {
        Some("centroid") => Some(Sampled::Centroid),
        Some("sample") => Some(Sampled::Sample),
        _ => None,
    };
    (kind, at)
}

impl Footer {
    /// The varying whose components begin at or before a number.
    fn varying(&self, number: u32) -> Slot {
        let of = |input: &&footer::Delivered| {
            input.interpolated
                && number.checked_sub(input.number).is_some_and(|part| part < 4 && input.mask >> part & 1 == 1)
        };
        let Some(input) = self.inputs.iter().find(of) else { return Slot::unknown(SlotKind::Unknown) };
        let component = number.checked_sub(input.number).and_then(|part| u8::try_from(part).ok());
        Slot { component, ..input.slot.clone() }
    }
}
