//! Branches, and where registers are live: backward over the blocks to a fixpoint.

use std::collections::{BTreeMap, BTreeSet};

use super::live::{Live, Register};
use super::names::{is_direct_load, is_export, is_parameter_load};
use super::text::{is_branch, is_end, labels};
use super::vendor_facts::Dialect;
use super::{Block, Branch, File, Instruction, IsaFacts, LiveRange, OperandKind, Peak, Pressure, Registers};

/// The register that the compiler names in an export for a channel whose value does not matter: its number is that of
/// the constant 0.
pub(super) const UNDEFINED: u16 = 128;
/// Steps that a fixpoint may take, and register uses that are followed: a text that needs more has no pressure. A long
/// shader takes some ten thousand.
const MAX_WORK: usize = 1 << 24;
/// Ranges that are kept; a text with more has none.
const MAX_RANGES: usize = 1 << 20;

/// Fills `branches`, the blocks' successors, `pressure`, `peak` and `ranges`.
pub(super) fn follow(facts: &mut IsaFacts) {
    branches(facts);
    live_registers(facts, None);
}

/// What a text says of the values of registers, beside what its instructions name.
#[derive(Default)]
pub(in super::super) struct Values {
    /// Registers that hold one at the beginning: all others hold none before they are written.
    pub at_start: Live,
    /// Instructions that may write any register.
    pub anywhere: BTreeSet<u32>,
    /// Blocks that end with a branch by which at least one lane of a wave does not leave: what a block further on reads of
    /// registers with one value a wave may have been written since, and is not live by that branch.
    pub some_stay: BTreeSet<u32>,
}

/// Fills `pressure`, `peak` and `ranges` from what the instructions read and write, and from the blocks' successors. With
/// `values` a register is live only where it may hold one: code that may leave out a write does not make a register live
/// back to the beginning.
pub(in super::super) fn live_registers(facts: &mut IsaFacts, values: Option<&Values>) {
    let Some(mut effects) = effects(&facts.instructions) else { return };
    let none = Values::default();
    let held_out = match values {
        Some(values) => {
            let Some(held) = held(facts, &mut effects, values) else { return };
            Some(held)
        }
        None => None,
    };
    let Some(mut live_out) = fixpoint(facts, &effects, values.unwrap_or(&none)) else { return };
    for (live, held) in live_out.iter_mut().zip(held_out.iter().flatten()) {
        live.keep(held);
    }
    count(facts, &effects, &live_out);
}

/// The registers that may hold a value after each block. Reads of those that hold none are taken out: what is read then
/// is no value.
fn held(facts: &IsaFacts, effects: &mut [Effect], values: &Values) -> Option<Vec<Live>> {
    let write = |held: &mut Live, index: u32, effect: &Effect| {
        effect.writes.iter().for_each(|register| _ = held.insert(*register));
        if values.anywhere.contains(&index) {
            *held = Live::ALL;
        }
    };
    let mut held_in = vec![Live::default(); facts.blocks.len()];
    if let Some(first) = held_in.first_mut() {
        *first = values.at_start;
    }
    let mut held_out = vec![Live::default(); facts.blocks.len()];
    let mut waiting: BTreeSet<u32> = (0u32..).zip(&facts.blocks).map(|(index, _)| index).collect();
    let mut room = MAX_WORK;
    while let Some(index) = waiting.pop_first() {
        let block = facts.blocks.get(index as usize)?;
        let mut held = *held_in.get(index as usize)?;
        let instructions = instructions(block, effects);
        for (index, effect) in (block.first..).zip(instructions) {
            write(&mut held, index, effect);
        }
        room = room.checked_sub(instructions.len() + 1)?;
        *held_out.get_mut(index as usize)? = held;
        for &next in &block.successors {
            let known = held_in.get_mut(next as usize)?;
            let before = *known;
            known.extend(&held);
            if *known != before {
                waiting.insert(next);
            }
        }
    }
    for (block, mut held) in facts.blocks.iter().zip(held_in) {
        for index in block.first..block.first.saturating_add(block.count) {
            let effect = effects.get_mut(index as usize)?;
            effect.reads.retain(|register| held.contains(*register));
            effect.before = values.anywhere.contains(&index).then(|| Box::new(held));
            write(&mut held, index, effect);
        }
    }
    Some(held_out)
}

fn branches(facts: &mut IsaFacts) {
    let labels = labels(&facts.blocks);
    let mut all = Vec::new();
    for (index, instruction) in (0u32..).zip(&facts.instructions) {
        if !is_branch(&instruction.mnemonic) {
            continue;
        }
        let target = instruction.operands.iter().rev().find_map(|operand| match &operand.kind {
            OperandKind::Label(name) | OperandKind::Word(name) | OperandKind::Literal(name) => Some(name.clone()),
            _ => None,
        });
        let target = target.unwrap_or_default();
        let block = labels.get(target.as_str()).copied();
        all.push(Branch { instruction: index, target, block, conditional: instruction.mnemonic != "s_branch" });
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
        let ends = instruction.is_some_and(|i| is_end(&i.mnemonic)) || branch.is_some_and(|b| !b.conditional);
        let next = index.saturating_add(1);
        block.successors.extend((!ends && next < count).then_some(next));
        if let Some(target) = branch.and_then(|branch| branch.block)
            && !block.successors.contains(&target)
        {
            block.successors.push(target);
        }
    }
}

/// What an instruction does to registers.
#[derive(Default)]
pub(super) struct Effect {
    pub reads: Vec<Register>,
    pub writes: Vec<Register>,
    /// The registers that may hold a value before it, where it may write any.
    before: Option<Box<Live>>,
}

/// What each instruction does; none for a text with too many uses of registers.
pub(super) fn effects(instructions: &[Instruction]) -> Option<Vec<Effect>> {
    let mut room = MAX_WORK;
    let mut out = Vec::with_capacity(instructions.len());
    for instruction in instructions {
        let mut effect = Effect::default();
        for (registers, access) in instruction.registers() {
            let vector = registers.file == File::Vector;
            let undefined = is_export(&instruction.mnemonic) && vector && registers.first == UNDEFINED;
            if access.reads() && !undefined {
                effect.reads.extend(Register::each(registers));
            }
            if access.writes() {
                effect.writes.extend(Register::each(registers));
            }
        }
        hidden(instruction, &mut effect);
        room = room.checked_sub(effect.reads.len() + effect.writes.len())?;
        out.push(effect);
    }
    Some(out)
}

/// What an instruction uses without naming it. SCC is what most scalar instructions leave, so its writes are not
/// followed: nothing is counted by it.
fn hidden(instruction: &Instruction, effect: &mut Effect) {
    let name = instruction.mnemonic.as_str();
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let whole = |file, count| Register::each(Registers { file, first: 0, count });
    if name.contains("saveexec") {
        effect.reads.extend(whole(File::Exec, 2));
        effect.writes.extend(whole(File::Exec, 2));
    }
    // Pairs are of waves of 32.
    if name.starts_with("v_dual_") && instruction.each().any(|(name, _)| name.starts_with("v_cndmask_b32")) {
        effect.reads.extend(whole(File::Vcc, 1));
    }
    if name.starts_with("v_cmpx") {
        effect.writes.extend(whole(File::Exec, 2));
    }
    if name.starts_with("s_cbranch_vcc") {
        effect.reads.extend(whole(File::Vcc, 2));
    }
    if name.starts_with("s_cbranch_exec") {
        effect.reads.extend(whole(File::Exec, 2));
    }
    // A row of an export (from GFX11 on) is named by M0.
    let row = is_export(name) && instruction.modifier("row_en").is_some();
    if row || is_parameter_load(name) || is_direct_load(name) || starts(&["v_interp_", "s_sendmsg"]) {
        effect.reads.extend(whole(File::M0, 1));
    }
}

/// The registers that are live after each block.
fn fixpoint(facts: &IsaFacts, effects: &[Effect], values: &Values) -> Option<Vec<Live>> {
    let mut live_in = vec![Live::default(); facts.blocks.len()];
    let mut live_out = live_in.clone();
    let mut before: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (index, block) in (0u32..).zip(&facts.blocks) {
        for &next in &block.successors {
            before.entry(next).or_default().push(index);
        }
    }
    // The last block first: what comes before it learns all it can at its first visit.
    let mut waiting: BTreeSet<u32> = (0u32..).zip(&facts.blocks).map(|(index, _)| index).collect();
    let mut room = MAX_WORK;
    while let Some(index) = waiting.pop_last() {
        let block = facts.blocks.get(index as usize)?;
        let mut live = Live::default();
        for &next in &block.successors {
            let mut there = *live_in.get(next as usize)?;
            if values.some_stay.contains(&index) && next > index.saturating_add(1) {
                there.remove_shared();
            }
            live.extend(&there);
        }
        *live_out.get_mut(index as usize)? = live;
        let instructions = instructions(block, effects);
        for effect in instructions.iter().rev() {
            step(&mut live, effect);
        }
        room = room.checked_sub(instructions.len() + 1)?;
        let known = live_in.get_mut(index as usize)?;
        if *known != live {
            *known = live;
            waiting.extend(before.get(&index).into_iter().flatten());
        }
    }
    Some(live_out)
}

fn instructions<'e>(block: &Block, effects: &'e [Effect]) -> &'e [Effect] {
    let from = block.first as usize;
    effects.get(from..from.saturating_add(block.count as usize)).unwrap_or_default()
}

fn step(live: &mut Live, effect: &Effect) {
    for register in &effect.writes {
        live.remove(*register);
    }
    for register in &effect.reads {
        live.insert(*register);
    }
    if let Some(before) = &effect.before {
        live.keep(before);
    }
}

/// A range inside one block.
struct Piece {
    register: Register,
    from: u32,
    to: u32,
    /// It is live where the block is entered.
    entered: bool,
}

fn count(facts: &mut IsaFacts, effects: &[Effect], live_out: &[Live]) {
    let mut pressure = vec![Pressure::default(); effects.len()];
    let mut pieces = Vec::new();
    for (block, live_out) in facts.blocks.iter().zip(live_out) {
        let Some(last) = block.first.saturating_add(block.count).checked_sub(1) else { continue };
        if block.count == 0 {
            continue;
        }
        let mut live = *live_out;
        let keep = pieces.len() <= MAX_RANGES;
        // Where each live register is last needed in this block.
        let mut needed: BTreeMap<Register, u32> = live.iter().map(|register| (register, last)).collect();
        for (index, effect) in
            (block.first..block.first.saturating_add(block.count)).zip(instructions(block, effects)).rev()
        {
            // A result that is not needed still takes a register.
            let mut after = live;
            effect.writes.iter().for_each(|register| _ = after.insert(*register));
            for &register in &effect.writes {
                if live.remove(register) {
                    let to = needed.remove(&register).unwrap_or(index);
                    pieces.extend(keep.then_some(Piece { register, from: index, to, entered: false }));
                }
            }
            for &register in &effect.reads {
                if live.insert(register) {
                    needed.insert(register, index);
                }
            }
            if let Some(held) = &effect.before {
                let gone: Vec<Register> = live.iter().filter(|register| !held.contains(*register)).collect();
                for register in gone {
                    live.remove(register);
                    let to = needed.remove(&register).unwrap_or(index);
                    pieces.extend(keep.then_some(Piece { register, from: index, to, entered: false }));
                }
            }
            let (after, before) = (after.pressure(facts.dialect), live.pressure(facts.dialect));
            if let Some(row) = pressure.get_mut(index as usize) {
                *row = Pressure { vgprs: after.vgprs.max(before.vgprs), sgprs: after.sgprs.max(before.sgprs) };
            }
        }
        let from = block.first;
        let entered = needed.into_iter().filter(|_| keep);
        pieces.extend(entered.map(|(register, to)| Piece { register, from, to, entered: true }));
    }
    facts.peak = peak(&pressure);
    facts.pressure = pressure;
    if pieces.len() <= MAX_RANGES {
        facts.ranges = joined(pieces, facts.dialect);
    }
}

/// Pieces that meet at a block's edge are one range.
fn joined(mut pieces: Vec<Piece>, dialect: Dialect) -> Vec<LiveRange> {
    pieces.sort_by_key(|piece| (piece.register, piece.from, piece.to));
    let mut out: Vec<LiveRange> = Vec::new();
    for piece in pieces {
        let register = piece.register.named(dialect);
        match out.last_mut() {
            Some(last) if piece.entered && last.register == register && last.to.saturating_add(1) == piece.from => {
                last.to = piece.to;
            }
            _ => out.push(LiveRange { register, from: piece.from, to: piece.to }),
        }
    }
    out
}

fn peak(pressure: &[Pressure]) -> Option<Peak> {
    let most = pressure.iter().fold(Pressure::default(), |most, row| Pressure {
        vgprs: most.vgprs.max(row.vgprs),
        sgprs: most.sgprs.max(row.sgprs),
    });
    let first = |is: &dyn Fn(&Pressure) -> bool| u32::try_from(pressure.iter().position(is)?).ok();
    Some(Peak {
        most,
        vgprs_at: first(&|row| row.vgprs == most.vgprs)?,
        sgprs_at: first(&|row| row.sgprs == most.sgprs)?,
        at_least: false,
    })
}
