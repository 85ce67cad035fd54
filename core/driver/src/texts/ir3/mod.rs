//! The reader of Turnip's assembly: what Mesa's compiler ir3 made, as its disassembler prints it.
//!
//! One instruction stands in a line, after bits in parentheses: `(ss)` waits for results of long arithmetic and of local
//! memory, `(sy)` for those of textures and of global memory, `(rptN)` repeats it N more times for the registers behind
//! (operands with `(r)` advance too), `(nopN)` waits N cycles. `l16:` is a label, `#l16` its name. `r1.z` is the third
//! component of the full register 1, `hr1.z` a half register: two of them share a full one, in the order of their numbers.
//! `r48.x` to `r55.w` hold one value a wave; `hr48.x` and those after it are halves of them, from `r48.x` on. `c510.w` is
//! a constant.
//!
//! * `bary.f r, N` and `flat.b r, N, N` read the input with the number N; the remark `FRAG: inputs:` says which varying has
//!   it (`VARYING_SLOT_VAR1 … il=4`). The place is the compiler's, after linking: it may be another than the shader's.
//! * `@tex(r0.z) src=6, …` samples a texture before the code, at the inputs with the numbers 6 and 7: no instruction is the
//!   access, so the accesses to memory are not all known.
//! * `@in(hr4.z)` declares a register that holds an input at the beginning. The remark `inputs:` prints it as `r4.z`. It has
//!   an entry too for an input that nothing reads, without a declaration.
//! * The remark `outputs:` names the first register of each output at the end, or `r63.x` if there is none. How many
//!   components it has is not said. `alias.rt` gives components of a colour from immediates and constants; which of the
//!   others is the first is not said.
//! * `alias.tex r40.x, r8.z` lets the next texture instruction read `r8.z` under another name: `r40.x` is no register there.
//!   How many registers a texture's coordinates take is not said, so the pressure is a lower bound.
//! * A `sam`, `resinfo` or `ldc` into `r63.x` fetches a descriptor ahead, and nothing of what that describes.
//! * `isam`, a name with `typed.1d`, a `resinfo` of one dimension or into `r63.x`, and `getbuf` are of an image or of a
//!   buffer: which one is not said.
//! * `mov.u32u32 r48.w, r0.w` moves from one lane to the wave, behind `getlast` or alone, as `movs` and `movmsk` do. Only
//!   what is a move between lanes by its name is found, so those are not all known.
//! * A stage before a tessellation or a geometry shader stores its outputs to memory (`stlw`), and that one loads them by
//!   addresses: which is which is not known. There the compiler uses the numbers of patches' slots for values of its own.

mod coverage;
mod footer;
mod line;
mod names;

pub(super) use coverage::unread;

use std::collections::{BTreeMap, BTreeSet};

use super::super::isa::{
    Barrier, BarrierPart, Block, Branch, File, Instruction, IsaFacts, LaneMove, Live, MAX_LINES, Memory, OperandKind,
    Register, Registers, Values, Wait, live_registers,
};
use super::{Derivative, Dialect, Input, InputKind, Output, Sampled, Slot, SlotKind, Topic};
use footer::Footer;
use lanescope_model::program::StageKind;

/// Reads the assembly of one stage.
pub(super) fn read(text: &str, stage: StageKind) -> IsaFacts {
    let mut facts = IsaFacts { dialect: Dialect::Ir3, ..IsaFacts::default() };
    let mut footer = Footer::default();
    let mut aliases = BTreeSet::new();
    let mut lines = text.split('\n');
    for (number, text) in (0u32..).zip(lines.by_ref().take(MAX_LINES)) {
        match line::read(text, number) {
            line::Line::Empty => {}
            line::Line::Remark => {
                if !footer.read(text) {
                    facts.unknown.push(number);
                }
            }
            line::Line::Label(label) => open(&mut facts, Some(label), number),
            line::Line::Instruction(mut instruction) => {
                names::rename(&mut instruction, &mut aliases);
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
    footer.close();
    facts.cut = lines.next().is_some();
    facts.blocks.retain(|block| block.label.is_some() || block.count > 0);
    branches(&mut facts);
    find(&mut facts);
    interface(&mut facts, &footer);
    let values = values(&facts, &footer);
    live_registers(&mut facts, Some(&values));
    if let Some(peak) = &mut facts.peak {
        peak.at_least = true;
    }
    facts.not_known = not_known(&facts, &footer, stage);
    facts
}

/// What the text says nothing of, or not all.
fn not_known(facts: &IsaFacts, footer: &Footer, stage: StageKind) -> Vec<Topic> {
    // Stages before the rasterizer pass what they write to each other through memory, by addresses.
    let from_memory =
        matches!(stage, StageKind::TessControl | StageKind::TessEval | StageKind::Geometry | StageKind::Mesh);
    let goes_on = facts.instructions.iter().any(|i| matches!(names::base(&i.mnemonic), "chmask" | "chsh"));
    let to_memory = match stage {
        StageKind::TessControl | StageKind::Task | StageKind::Mesh => true,
        StageKind::Vertex | StageKind::TessEval => goes_on || footer.has_header,
        _ => false,
    };
    let lacks = |list: &str, cut: bool| cut || !footer.lists.contains(list);
    let unknown = [
        (Topic::Ids, true),
        (Topic::Inputs, from_memory || lacks(footer::INPUTS, footer.inputs_cut)),
        (Topic::Outputs, stage.is_graphics() && (to_memory || lacks(footer::OUTPUTS, footer.outputs_cut))),
        (Topic::Memory, footer.has_fetches),
        // What writes a register with one value a wave may read that of one lane.
        (Topic::LaneMoves, true),
    ];
    unknown.into_iter().filter(|(_, unknown)| *unknown).map(|(topic, _)| topic).collect()
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

/// What the text says of the values of registers.
fn values(facts: &IsaFacts, footer: &Footer) -> Values {
    let mut out = Values { at_start: footer.held, ..Values::default() };
    for (index, instruction) in (0u32..).zip(&facts.instructions) {
        out.anywhere.extend(names::writes_by_address(instruction).then_some(index));
    }
    // By `getlast #l; mov r48.x, r1.z; l:` at least one lane goes on to the move, and the others wait for it.
    for (index, block) in (0u32..).zip(&facts.blocks) {
        let last = block.first.saturating_add(block.count).checked_sub(1);
        let last = last.filter(|_| block.count > 0).and_then(|last| facts.instructions.get(last as usize));
        out.some_stay.extend(last.filter(|last| names::leaves_one(&last.mnemonic)).map(|_| index));
    }
    out
}

/// Memory accesses, barriers, waits, moves between lanes and derivatives.
fn find(facts: &mut IsaFacts) {
    for (index, instruction) in (0u32..).zip(&facts.instructions) {
        let name = instruction.mnemonic.as_str();
        if let Some((space, does)) = names::memory(instruction) {
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
    let mut written = Live::default();
    let write = |instruction: &Instruction, written: &mut Live| {
        let all = instruction.registers().filter(|(_, access)| access.writes());
        let any = names::writes_by_address(instruction).then_some(Registers { file: File::Full, first: 0, count: 256 });
        let all = all.map(|(registers, _)| registers).chain(any);
        all.flat_map(Register::each).for_each(|register| _ = written.insert(register));
    };
    if loops {
        facts.instructions.iter().for_each(|instruction| write(instruction, &mut written));
    }
    let mut inputs: Vec<Input> = fetched(footer).collect();
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
            write(instruction, &mut written);
        }
    }
    inputs.extend(footer.delivered.iter().map(|input| Input {
        instruction: None,
        slot: input.slot.clone(),
        components: input.components,
        kind: InputKind::Loaded,
        at: None,
        register: input.register.map(|register| register.to_string()),
    }));
    // Of a colour that has other components elsewhere it is not said which one the register has.
    let elsewhere: BTreeSet<Option<u32>> = outputs.iter().map(|output| output.slot.location).collect();
    outputs.extend(footer.outputs.iter().map(|(register, slot)| {
        let in_part = slot.what == SlotKind::Color && elsewhere.contains(&slot.location);
        let component = slot.component.filter(|_| !in_part);
        let components = names::is_scalar(slot).then_some(1);
        let slot = Slot { component, ..slot.clone() };
        Output { instruction: None, slot, components, register: Some(register.clone()) }
    }));
    (facts.inputs, facts.outputs) = (inputs, outputs);
}

/// The coordinates of the textures that are fetched before the code: two inputs each.
fn fetched(footer: &Footer) -> impl Iterator<Item = Input> {
    let numbers = footer.fetches.iter().flat_map(|first| [*first, first.saturating_add(1)]);
    numbers.map(|number| Input {
        instruction: None,
        slot: footer.varying(number),
        components: 1,
        kind: InputKind::Interpolated,
        at: None,
        register: None,
    })
}

/// How an input is interpolated: by which of the delivered weights, where nothing wrote their register.
fn weights(instruction: &Instruction, footer: &Footer, written: &Live) -> (InputKind, Option<Sampled>) {
    let last = instruction.registers().filter(|(_, access)| access.reads()).last().map(|(registers, _)| registers);
    let Some(register) = last.map(|last| Registers { count: 1, ..last }) else {
        return (InputKind::Interpolated, None);
    };
    // There are two weights.
    if Register::each(Registers { count: 2, ..register }).any(|one| written.contains(one)) {
        return (InputKind::Interpolated, None);
    }
    let name = footer.delivered.iter().find(|input| input.register == Some(register));
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
