//! The reader of Intel's assembly, as Mesa's disassembler prints it for ANV and HASVK: one text for each width (SIMD8,
//! SIMD16, SIMD32) that a shader is compiled for.
//!
//! There are two forms: [`mesa22`] and [`mesa26`]. In both an instruction names how many lanes it runs for (`add(16)`), its
//! result and its sources. A register is named with a part and a region: `g3.4<8,4,1>F` begins at the fifth float of `g3`,
//! and takes four floats in a row, then four others eight further on. What a `send` reads and writes are whole registers.
//!
//! * A general register has 32 bytes, from Xe2 on 64. The text does not say which: sizes that it names do ([`size`]). Where
//!   none does, an operand is its first register.
//! * `g[a0 32]` and `r[s0.0]` name registers by what another one holds: which they are is not known.
//! * A branch names where lanes go on that leave (`UIP`), and where the next ones wait (`JIP`). Where no lane is left it
//!   jumps to the latter, also where the lanes that left go on further away.
//! * `@3` and `F@3` wait for an earlier instruction of the same pipe, `$2.dst` and `$2.src` for a send. Up to Gen11 the
//!   hardware waits by itself, and no instruction says it.
//! * Vertex attributes, flat and interpolated inputs, constants and ids are delivered in registers: no instruction names
//!   which is which. Outputs go to the URB, at rows of 16 bytes of the vertex, patch or primitive, or to entries of the
//!   binding table. A row is not a location. Depth, stencil and coverage are part of a message that does not name them.
//!   What is loaded from the URB is an input, or an output of the own stage.
//! * What is live is known at least: which registers are delivered is not said ([`live`]), and no pressure is computed where
//!   the text does not show how large a register is.
//! * A region can move values between lanes, and subtract those of a quad: only subtractions whose regions show it are
//!   derivatives.
//! * `ld` and `resinfo` are of images and of buffers, and so are typed accesses. `ss` names a surface that is scratch or a
//!   buffer. Memory by plain offsets (253, 255) is scratch.

mod coverage;
mod interface;
mod line;
mod live;
mod mesa22;
mod mesa26;
mod message;
mod names;
mod operand;
mod size;

pub(super) use coverage::unread;

use std::collections::BTreeMap;

use super::super::isa::{
    Access, Barrier, BarrierPart, Block, Branch, File, IsaFacts, MAX_LINES, Memory, Modifier, OperandKind, Space, Wait,
};
use super::{Derivative, Dialect, Topic};
use lanescope_model::program::StageKind;
use line::{Line, Parsed};
use message::Action;

/// Reads the assembly of one stage.
pub(super) fn read(text: &str, stage: StageKind) -> IsaFacts {
    let mut facts = IsaFacts { dialect: Dialect::Gen, ..IsaFacts::default() };
    let mut all: Vec<Parsed> = Vec::new();
    let mut lines = text.split('\n');
    for (number, text) in (0u32..).zip(lines.by_ref().take(MAX_LINES)) {
        match line::read(text, number, all.last_mut()) {
            Line::Empty | Line::Heading | Line::Message => {}
            Line::Label(label) => open(&mut facts, all.len(), Some(label), number),
            Line::Instruction(parsed) => {
                if facts.blocks.is_empty() {
                    open(&mut facts, all.len(), None, number);
                }
                if let Some(block) = facts.blocks.last_mut() {
                    block.count += 1;
                }
                let leaves = names::is_branch(&parsed.instruction.mnemonic);
                all.push(*parsed);
                if leaves {
                    open(&mut facts, all.len(), None, number.saturating_add(1));
                }
            }
            Line::Unknown => {
                // What follows a send is not its message.
                if let Some(send) = all.last_mut() {
                    send.open = false;
                }
                facts.unknown.push(number);
            }
        }
        let ended = all.last().is_some_and(|last| !last.open && ends(last));
        if ended && facts.blocks.last().is_some_and(|block| block.count > 0) {
            open(&mut facts, all.len(), None, number.saturating_add(1));
        }
    }
    facts.cut = lines.next().is_some();
    facts.blocks.retain(|block| block.label.is_some() || block.count > 0);
    let size = size::of(&all);
    size::set(&mut all, size);
    let lines: Vec<&str> = text.split('\n').take(MAX_LINES).collect();
    find(&mut facts, &all, &lines);
    interface::find(&mut facts, &all);
    let scoreboards = facts.waits.iter().any(|wait| wait.until.contains(['@', '$']));
    if !scoreboards {
        all.iter_mut().for_each(drop_accumulator);
    }
    facts.not_known = not_known(stage, scoreboards);
    branches(&mut facts, &all);
    live::find(&mut facts, &all, size);
    facts.instructions = all.into_iter().map(|parsed| parsed.instruction).collect();
    facts
}

/// Takes out an accumulator as the result of three sources: what Mesa 25.0 prints for Gen11 is another register.
fn drop_accumulator(parsed: &mut Parsed) {
    if names::layout(&parsed.instruction.mnemonic) != names::Layout::Three {
        return;
    }
    let result = parsed.instruction.operands.iter_mut().find(|operand| operand.access.writes());
    if let Some(operand) = result
        && let OperandKind::Registers(registers) = operand.kind
        && registers.file == File::Accumulator
    {
        (operand.kind, operand.access) = (OperandKind::Word(registers.to_string()), Access::None);
    }
}

/// Whether a thread ends with an instruction.
fn ends(parsed: &Parsed) -> bool {
    parsed.instruction.modifier("EOT").is_some()
}

/// What the text says nothing of, or not all.
fn not_known(stage: StageKind, scoreboards: bool) -> Vec<Topic> {
    let unknown = [
        (Topic::Inputs, true),
        (Topic::Outputs, stage.is_graphics()),
        (Topic::Ids, true),
        // Constants may be delivered in registers.
        (Topic::Memory, true),
        (Topic::LaneMoves, true),
        (Topic::Derivatives, true),
        (Topic::Waits, !scoreboards),
    ];
    unknown.into_iter().filter(|(_, unknown)| *unknown).map(|(topic, _)| topic).collect()
}

/// Starts a block at the next instruction. One that was opened and is still empty gives way.
fn open(facts: &mut IsaFacts, next: usize, label: Option<String>, line: u32) {
    let first = u32::try_from(next).unwrap_or(u32::MAX);
    if facts.blocks.last().is_some_and(|block| block.count == 0 && block.label.is_none()) {
        facts.blocks.pop();
    }
    facts.blocks.push(Block { label, line, first, count: 0, successors: Vec::new() });
}

/// Branches, and the blocks that may run after each other.
fn branches(facts: &mut IsaFacts, parsed: &[Parsed]) {
    let mut labels: BTreeMap<&str, u32> = BTreeMap::new();
    for (index, block) in (0u32..).zip(&facts.blocks) {
        if let Some(label) = &block.label {
            labels.entry(label).or_insert(index);
        }
    }
    let mut all: Vec<Branch> = Vec::new();
    for (index, Parsed { instruction, .. }) in (0u32..).zip(parsed) {
        if !names::is_branch(&instruction.mnemonic) {
            continue;
        }
        let mut targets: Vec<&str> = Vec::new();
        // Where lanes that leave go on is the last one.
        for operand in instruction.operands.iter().rev() {
            if let OperandKind::Label(label) = &operand.kind
                && !targets.contains(&label.as_str())
            {
                targets.push(label);
            }
        }
        if targets.is_empty() {
            targets.push("");
        }
        all.extend(targets.into_iter().map(|target| {
            let block = labels.get(target).copied();
            Branch { instruction: index, target: target.to_owned(), block, conditional: true }
        }));
    }
    facts.branches = all;
    let count = u32::try_from(facts.blocks.len()).unwrap_or(u32::MAX);
    for (index, block) in (0u32..).zip(&mut facts.blocks) {
        let last = block.count.checked_sub(1).map(|last| block.first.saturating_add(last));
        let instruction = last.and_then(|last| parsed.get(last as usize));
        let leaves = instruction.is_some_and(|last| ends(last) || names::leaves(last));
        let next = index.saturating_add(1);
        block.successors.extend((!leaves && next < count).then_some(next));
        let end = facts.branches.partition_point(|branch| Some(branch.instruction) <= last);
        let own = end.checked_sub(1).and_then(|own| facts.branches.get(own));
        let own = own.filter(|branch| Some(branch.instruction) == last).and_then(|branch| branch.block);
        block.successors.extend(own.filter(|own| !block.successors.contains(own)));
    }
}

/// Memory accesses, barriers, waits and derivatives.
fn find(facts: &mut IsaFacts, all: &[Parsed], lines: &[&str]) {
    let raw_images = interface::may_be_gen8(all);
    for (index, parsed) in (0u32..).zip(all) {
        let instruction = &parsed.instruction;
        let name = instruction.mnemonic.as_str();
        let action = parsed.message.as_ref().map_or(Action::Nothing, |message| message.action(raw_images));
        match action {
            Action::Memory(space, does) => facts.memory.push(Memory { instruction: index, space, does }),
            Action::Urb(entry) => facts.memory.push(Memory { instruction: index, space: Space::Urb, does: entry.does }),
            Action::Barrier => facts.barriers.push(Barrier { instruction: index, part: BarrierPart::Signal }),
            _ => {}
        }
        // Up to Gen11 a notification from the gateway.
        let ends_barrier = names::base(name) == "wait" || names::base(name) == "sync" && name.ends_with("bar");
        if ends_barrier {
            facts.barriers.push(Barrier { instruction: index, part: BarrierPart::Wait });
        }
        let own = match action {
            Action::Fence => Some("memory fence"),
            _ => names::waits(name).then_some(name),
        };
        let control = instruction.modifiers.iter().map(|word| word.name.as_str()).filter(|word| names::is_wait(word));
        let until: Vec<&str> = own.into_iter().chain(control).collect();
        if !until.is_empty() {
            facts.waits.push(Wait { instruction: index, until: until.join(" ") });
        }
        let line = lines.get(instruction.line as usize).copied().unwrap_or_default();
        if let Some(axis) = names::axis(instruction, line) {
            facts.derivatives.push(Derivative { instruction: index, axis });
        }
    }
}

fn modifier(name: &str, value: &str) -> Modifier {
    Modifier { name: name.to_owned(), value: value.to_owned() }
}
