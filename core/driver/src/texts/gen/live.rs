//! Which general registers hold a value that is still needed, byte by byte: a register can be written in parts.
//!
//! What the hardware delivers is not said. A byte holds a value at the beginning where the first block reads it before it
//! writes it, or where nothing ever writes it. Registers that are named by what another one holds are not followed, and a
//! write counts as one of all lanes that run: more may be live.

use std::collections::{BTreeMap, BTreeSet};

use super::super::super::isa::{Access, File, IsaFacts, LiveRange, OperandKind, Peak, Pressure, Registers};
use super::line::Parsed;
use super::names::{self, Layout};
use super::operand::Extent;

/// As many registers as any chip has.
const REGISTERS: usize = 256;
/// Blocks of a text that is followed: a set for each has 2 KiB.
const MAX_BLOCKS: usize = 1 << 12;
/// Steps that a fixpoint may take, and elements of operands that are followed.
const MAX_WORK: usize = 1 << 22;
/// Ranges that are kept; a text with more has none.
const MAX_RANGES: usize = 1 << 18;

/// Bytes of registers.
#[derive(Clone, PartialEq, Eq)]
struct Bytes(Vec<u64>);

/// What an instruction does to bytes of registers.
#[derive(Default)]
struct Effect {
    reads: Vec<(u16, u64)>,
    writes: Vec<(u16, u64)>,
    /// A flag may leave lanes out.
    predicated: bool,
}

impl Bytes {
    fn none() -> Bytes {
        Bytes(vec![0; REGISTERS])
    }

    fn of(&self, register: u16) -> u64 {
        self.0.get(usize::from(register)).copied().unwrap_or(0)
    }

    fn set(&mut self, register: u16, bytes: u64) {
        if let Some(known) = self.0.get_mut(usize::from(register)) {
            *known = bytes;
        }
    }

    fn add(&mut self, all: &[(u16, u64)]) {
        all.iter().for_each(|(register, bytes)| self.set(*register, self.of(*register) | bytes));
    }

    fn remove(&mut self, all: &[(u16, u64)]) {
        all.iter().for_each(|(register, bytes)| self.set(*register, self.of(*register) & !bytes));
    }

    fn extend(&mut self, other: &Bytes) {
        self.0.iter_mut().zip(&other.0).for_each(|(known, other)| *known |= other);
    }

    fn keep(&mut self, other: &Bytes) {
        self.0.iter_mut().zip(&other.0).for_each(|(known, other)| *known &= other);
    }

    /// How many registers have any of them.
    fn registers(&self) -> u16 {
        self.0.iter().fold(0, |sum, bytes| sum + u16::from(*bytes != 0))
    }
}

/// Fills `pressure`, `peak` and `ranges`. `size` is that of a register in bytes.
pub(super) fn find(facts: &mut IsaFacts, all: &[Parsed], size: Option<u32>) {
    let Some(size) = size.filter(|_| facts.blocks.len() <= MAX_BLOCKS) else { return };
    let Some(mut effects) = effects(all, size) else { return };
    let Some(held) = held(facts, &mut effects) else { return };
    let Some(live) = fixpoint(facts, &effects, &held) else { return };
    let file = all.iter().flat_map(|parsed| parsed.instruction.registers()).map(|(registers, _)| registers.file);
    let file = { file }.find(|file| is_general(*file)).unwrap_or(File::General);
    count(facts, &effects, &live, file);
}

fn is_general(file: File) -> bool {
    matches!(file, File::Grf | File::General)
}

/// None where it is not known which registers an instruction writes.
fn effects(all: &[Parsed], size: u32) -> Option<Vec<Effect>> {
    let mut room = MAX_WORK;
    let mut out = Vec::with_capacity(all.len());
    for parsed in all {
        if is_result_unknown(parsed) {
            return None;
        }
        let mut effect = Effect { predicated: parsed.predicated, ..Effect::default() };
        for (operand, extent) in parsed.instruction.operands.iter().zip(&parsed.extents) {
            let OperandKind::Registers(registers) = operand.kind else { continue };
            if !is_general(registers.file) {
                continue;
            }
            let written = matches!(operand.access, Access::Write | Access::Both);
            room = room.checked_sub(extent.steps())?;
            let Some(bytes) = bytes(registers, *extent, size) else { if written { return None } else { continue } };
            if written { effect.writes.extend(bytes) } else { effect.reads.extend(bytes) }
        }
        out.push(effect);
    }
    Some(out)
}

/// Whether an instruction writes a register that the text does not name, or names wrong.
fn is_result_unknown(parsed: &Parsed) -> bool {
    let result = parsed.instruction.operands.iter().find(|operand| operand.access != Access::Read);
    let by_address =
        result.is_some_and(|operand| matches!(&operand.kind, OperandKind::Word(word) if word.contains('[')));
    match names::layout(&parsed.instruction.mnemonic) {
        Layout::NoResult => false,
        Layout::Three => result.is_none_or(|operand| !operand.access.writes()),
        _ => by_address,
    }
}

/// The bytes that an operand takes, of each register; none where that is not known.
fn bytes(registers: Registers, extent: Extent, size: u32) -> Option<Vec<(u16, u64)>> {
    let whole = if size >= 64 { u64::MAX } else { (1u64 << size) - 1 };
    match extent {
        Extent::Registers(count) => {
            let end = registers.first.checked_add(count)?;
            Some((registers.first..end).map(|register| (register, whole)).collect())
        }
        Extent::Bytes(region) => {
            // The first register was moved to where the region begins.
            let base = registers.first.checked_sub(u16::try_from(region.from / size).ok()?)?;
            let mut all: Vec<(u16, u64)> = Vec::new();
            // Elements lie at multiples of their size.
            let element = (1u64 << region.size.min(8)) - 1;
            for start in region.starts() {
                let register = base.checked_add(u16::try_from(start / size).ok()?)?;
                let bytes = element << (start % size);
                match all.iter_mut().rev().find(|(known, _)| *known == register) {
                    Some((_, known)) => *known |= bytes,
                    None => all.push((register, bytes)),
                }
            }
            Some(all)
        }
        _ => None,
    }
}

/// The bytes that may hold a value after each block. Reads of those that hold none are taken out.
fn held(facts: &IsaFacts, effects: &mut [Effect]) -> Option<Vec<Bytes>> {
    let mut held_in = vec![Bytes::none(); facts.blocks.len()];
    let mut held_out = held_in.clone();
    *held_in.first_mut()? = at_start(facts, effects);
    let mut waiting: BTreeSet<u32> = (0u32..).zip(&facts.blocks).map(|(index, _)| index).collect();
    let mut room = MAX_WORK;
    while let Some(index) = waiting.pop_first() {
        let block = facts.blocks.get(index as usize)?;
        let mut held = held_in.get(index as usize)?.clone();
        let own = of_block(effects, block.first, block.count);
        own.iter().for_each(|effect| held.add(&effect.writes));
        room = room.checked_sub(own.len() + REGISTERS)?;
        for &next in &block.successors {
            let known = held_in.get_mut(next as usize)?;
            let before = known.clone();
            known.extend(&held);
            if *known != before {
                waiting.insert(next);
            }
        }
        *held_out.get_mut(index as usize)? = held;
    }
    for (block, mut held) in facts.blocks.iter().zip(held_in) {
        for index in block.first..block.first.saturating_add(block.count) {
            let effect = effects.get_mut(index as usize)?;
            effect.reads.iter_mut().for_each(|(register, bytes)| *bytes &= held.of(*register));
            effect.reads.retain(|(_, bytes)| *bytes != 0);
            held.add(&effect.writes);
        }
    }
    Some(held_out)
}

/// The bytes that hold a value at the beginning.
fn at_start(facts: &IsaFacts, effects: &[Effect]) -> Bytes {
    let mut written = Bytes::none();
    effects.iter().for_each(|effect| written.add(&effect.writes));
    let mut out = Bytes::none();
    for (register, bytes) in effects.iter().flat_map(|effect| &effect.reads) {
        out.set(*register, out.of(*register) | bytes & !written.of(*register));
    }
    let first = facts.blocks.first().map_or((0, 0), |block| (block.first, block.count));
    let mut written = Bytes::none();
    for effect in of_block(effects, first.0, first.1) {
        for (register, bytes) in &effect.reads {
            out.set(*register, out.of(*register) | bytes & !written.of(*register));
        }
        written.add(&effect.writes);
    }
    out
}

fn of_block(effects: &[Effect], first: u32, count: u32) -> &[Effect] {
    let from = first as usize;
    effects.get(from..from.saturating_add(count as usize)).unwrap_or_default()
}

/// The bytes that are live after each block.
fn fixpoint(facts: &IsaFacts, effects: &[Effect], held: &[Bytes]) -> Option<Vec<Bytes>> {
    let mut live_in = vec![Bytes::none(); facts.blocks.len()];
    let mut live_out = live_in.clone();
    let mut before: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (index, block) in (0u32..).zip(&facts.blocks) {
        block.successors.iter().for_each(|next| before.entry(*next).or_default().push(index));
    }
    let mut waiting: BTreeSet<u32> = (0u32..).zip(&facts.blocks).map(|(index, _)| index).collect();
    let mut room = MAX_WORK;
    while let Some(index) = waiting.pop_last() {
        let block = facts.blocks.get(index as usize)?;
        let mut live = Bytes::none();
        for next in &block.successors {
            live.extend(live_in.get(*next as usize)?);
        }
        live.keep(held.get(index as usize)?);
        *live_out.get_mut(index as usize)? = live.clone();
        let own = of_block(effects, block.first, block.count);
        own.iter().rev().for_each(|effect| step(&mut live, effect));
        room = room.checked_sub(own.len() + REGISTERS)?;
        let known = live_in.get_mut(index as usize)?;
        if *known != live {
            *known = live;
            waiting.extend(before.get(&index).into_iter().flatten());
        }
    }
    Some(live_out)
}

fn step(live: &mut Bytes, effect: &Effect) {
    if !effect.predicated {
        live.remove(&effect.writes);
    }
    live.add(&effect.reads);
}

/// A range inside one block.
struct Piece {
    register: u16,
    from: u32,
    to: u32,
    /// It is live where the block is entered.
    entered: bool,
}

fn count(facts: &mut IsaFacts, effects: &[Effect], live_out: &[Bytes], file: File) {
    let mut pressure = vec![Pressure::default(); effects.len()];
    let mut pieces: Vec<Piece> = Vec::new();
    for (block, live_out) in facts.blocks.iter().zip(live_out).filter(|(block, _)| block.count > 0) {
        let last = block.first.saturating_add(block.count) - 1;
        let mut live = live_out.clone();
        let registers = (0u16..).zip(&live.0).filter(|(_, bytes)| **bytes != 0);
        let mut needed: BTreeMap<u16, u32> = registers.map(|(register, _)| (register, last)).collect();
        let own = of_block(effects, block.first, block.count);
        for (index, effect) in (block.first..last.saturating_add(1)).zip(own).rev() {
            // A result that is not needed still takes a register.
            let mut after = live.clone();
            after.add(&effect.writes);
            if !effect.predicated {
                live.remove(&effect.writes);
            }
            for (register, _) in effect.writes.iter().filter(|(register, _)| live.of(*register) == 0) {
                let ended =
                    needed.remove(register).map(|to| Piece { register: *register, from: index, to, entered: false });
                pieces.extend(ended);
            }
            live.add(&effect.reads);
            for (register, _) in &effect.reads {
                needed.entry(*register).or_insert(index);
            }
            if let Some(row) = pressure.get_mut(index as usize) {
                *row = Pressure { vgprs: after.registers().max(live.registers()), sgprs: 0 };
            }
        }
        let entered = needed.into_iter().map(|(register, to)| Piece { register, from: block.first, to, entered: true });
        pieces.extend(entered);
        if pieces.len() > MAX_RANGES {
            return;
        }
    }
    let most = pressure.iter().map(|row| row.vgprs).max().unwrap_or(0);
    let at = pressure.iter().position(|row| row.vgprs == most).and_then(|at| u32::try_from(at).ok());
    let most = Pressure { vgprs: most, sgprs: 0 };
    facts.peak = at.map(|vgprs_at| Peak { most, vgprs_at, sgprs_at: 0, at_least: true });
    facts.pressure = pressure;
    facts.ranges = joined(pieces, file);
}

/// Pieces that meet at a block's edge are one range.
fn joined(mut pieces: Vec<Piece>, file: File) -> Vec<LiveRange> {
    pieces.sort_by_key(|piece| (piece.register, piece.from, piece.to));
    let mut out: Vec<LiveRange> = Vec::new();
    for piece in pieces {
        let register = Registers { file, first: piece.register, count: 1 };
        match out.last_mut() {
            Some(last) if piece.entered && last.register == register && last.to.saturating_add(1) == piece.from => {
                last.to = piece.to;
            }
            _ => out.push(LiveRange { register, from: piece.from, to: piece.to }),
        }
    }
    out
}
