//! Moves between lanes, and what those of a quad are for.
//!
//! The purpose follows from the flow of values: each vector register holds a value as lanes of the quad read it, or the
//! difference of two such readings of one value. Mesa 22 permutes twice and subtracts; later versions subtract a permuted
//! value from itself and broadcast the difference afterwards. Both mean the same: which two lanes are subtracted.

use std::collections::{BTreeMap, BTreeSet};

use super::encoding::quad_perm;
use super::names::{is_parameter_load, lane_move};
use super::{
    Axis, File, Instruction, IsaFacts, LaneMove, Operand, OperandKind, QuadDifference, QuadPermute, QuadPurpose,
    Registers,
};

/// For each lane of the quad, a lane.
type Lanes = [u8; 4];

/// Each lane reads itself.
const OWN: Lanes = [0, 1, 2, 3];
/// Permutes that one value is followed through.
const MAX_CHAIN: usize = 8;

/// Fills `quad_permutes`, `quad_differences` and `lane_moves`.
pub(super) fn find(facts: &mut IsaFacts) {
    (facts.quad_permutes, facts.quad_differences) = permutes(facts);
    let of = |(instruction, i): (u32, &Instruction)| Some(LaneMove { instruction, how: lane_move(i)? });
    facts.lane_moves = (0u32..).zip(&facts.instructions).filter_map(of).collect();
}

/// What a vector register holds.
#[derive(Clone)]
struct Holds {
    what: What,
    /// The permutes that it went through.
    permutes: Vec<u32>,
}

#[derive(Clone, Copy)]
enum What {
    /// A value, of other lanes: values are numbered as they are made.
    Value(u32, Lanes),
    /// The difference of one value in two lanes, and the instruction that subtracts them.
    Difference(Lanes, Lanes, u32),
    /// The first step of the interpolation of an attribute, whose load made the value.
    FirstStep(u32),
}

/// The registers at one place of a text; what another block left is not followed.
#[derive(Default)]
struct State {
    holds: BTreeMap<u16, Holds>,
    /// Values that are attributes, as loaded.
    attributes: BTreeSet<u32>,
    next: u32,
}

impl State {
    fn fresh(&mut self) -> u32 {
        self.next = self.next.saturating_add(1);
        self.next
    }

    /// What a register holds: where that is not known, a new value.
    fn of(&mut self, register: u16) -> Holds {
        if let Some(known) = self.holds.get(&register) {
            return known.clone();
        }
        let new = Holds { what: What::Value(self.fresh(), OWN), permutes: Vec::new() };
        self.holds.insert(register, new.clone());
        new
    }
}

impl Holds {
    fn permuted(mut self, lanes: Lanes, by: u32) -> Holds {
        let through = |of: Lanes| lanes.map(|lane| of.get(usize::from(lane)).copied().unwrap_or_default());
        self.what = match self.what {
            What::Value(value, of) => What::Value(value, through(of)),
            What::Difference(a, b, by) => What::Difference(through(a), through(b), by),
            What::FirstStep(value) => What::FirstStep(value),
        };
        if self.permutes.len() < MAX_CHAIN {
            self.permutes.push(by);
        }
        self
    }

    /// The direction of a difference.
    fn axis(&self) -> Option<Axis> {
        match self.what {
            What::Difference(a, b, _) => direction(a, b),
            _ => None,
        }
    }

    /// What the permutes are for that make a difference.
    fn purpose(&self) -> Option<QuadPurpose> {
        Some(if self.axis()? == Axis::X { QuadPurpose::DerivativeX } else { QuadPurpose::DerivativeY })
    }
}

/// The differences that values are, as they are found: by the subtraction and the moves, whether something uses it as it is.
#[derive(Default)]
struct Differences(BTreeMap<(u32, Vec<u32>), (QuadDifference, bool)>);

impl Differences {
    /// Adds what a register holds, if it is a difference. `used` says that it is not only moved on.
    fn add(&mut self, holds: &Holds, used: bool) {
        let What::Difference(a, b, instruction) = holds.what else { return };
        let Some(axis) = holds.axis() else { return };
        let pair = |lane: usize| {
            let [a, b] = [a, b].map(|lanes| lanes.get(lane).copied().unwrap_or_default());
            [a.max(b), a.min(b)]
        };
        let difference =
            || QuadDifference { instruction, permutes: holds.permutes.clone(), axis, lanes: [0, 1, 2, 3].map(pair) };
        let known = self.0.entry((instruction, holds.permutes.clone()));
        known.or_insert_with(|| (difference(), false)).1 |= used;
    }

    /// Those that are used, or that no further move is made of: the next in order is made of it, or none is.
    fn finished(self) -> Vec<QuadDifference> {
        let mut all = self.0.into_iter().peekable();
        let mut out = Vec::new();
        while let Some(((instruction, permutes), (difference, used))) = all.next() {
            let moved = all.peek().is_some_and(|((of, more), _)| *of == instruction && more.starts_with(&permutes));
            out.extend((used || !moved).then_some(difference));
        }
        out
    }
}

fn permutes(facts: &IsaFacts) -> (Vec<QuadPermute>, Vec<QuadDifference>) {
    let mut found: BTreeMap<u32, QuadPermute> = BTreeMap::new();
    let mut differences = Differences::default();
    let starts: BTreeSet<u32> = facts.blocks.iter().map(|block| block.first).collect();
    let mut state = State::default();
    for (index, instruction) in (0u32..).zip(&facts.instructions) {
        if starts.contains(&index) {
            state.holds.clear();
            state.attributes.clear();
        }
        let own = quad_perm(instruction);
        if let Some(lanes) = own {
            found.insert(index, QuadPermute { instruction: index, lanes, purpose: QuadPurpose::Other });
        }
        let mut made: Vec<(u16, Holds)> = Vec::new();
        for (name, operands) in instruction.each() {
            // A permute is of the first source.
            let sources: Vec<Option<Holds>> = sources(operands)
                .enumerate()
                .map(|(position, register)| {
                    let holds = state.of(register?);
                    Some(match own.filter(|_| position == 0) {
                        Some(lanes) => holds.permuted(lanes, index),
                        None => holds,
                    })
                })
                .collect();
            if let (Some(permute), Some(Some(first))) = (found.get_mut(&index), sources.first()) {
                permute.purpose = with_attribute(&state, &name, first, &sources).unwrap_or(permute.purpose);
            }
            let result = result(&name, &sources, index);
            let moves = is_move(&name);
            sources.iter().flatten().for_each(|holds| differences.add(holds, !moves));
            result.iter().for_each(|holds| differences.add(holds, false));
            for holds in sources.iter().flatten().filter(|_| own.is_some()).chain(&result) {
                if let Some(purpose) = holds.purpose() {
                    holds.permutes.iter().for_each(|at| mark(&mut found, *at, purpose));
                }
            }
            made.extend(operands.first().and_then(one_vector).zip(result));
        }
        // Operands of several registers are not followed; what they hold is used.
        for (registers, _) in
            instruction.registers().filter(|(r, a)| r.file == File::Vector && r.count > 1 && a.reads())
        {
            each(registers)
                .filter_map(|register| state.holds.get(&register))
                .for_each(|holds| differences.add(holds, true));
        }
        for registers in vectors_written(instruction) {
            each(registers).for_each(|register| _ = state.holds.remove(&register));
        }
        if is_parameter_load(&instruction.mnemonic)
            && let Some(register) = instruction.operands.first().and_then(one_vector)
        {
            let value = state.fresh();
            state.attributes.insert(value);
            made.push((register, Holds { what: What::Value(value, OWN), permutes: Vec::new() }));
        }
        state.holds.extend(made);
    }
    (found.into_values().collect(), differences.finished())
}

/// A permute can be part of two differences.
fn mark(found: &mut BTreeMap<u32, QuadPermute>, at: u32, purpose: QuadPurpose) {
    use QuadPurpose::{DerivativeX, DerivativeXY, DerivativeY};
    if let Some(permute) = found.get_mut(&at) {
        permute.purpose = match (permute.purpose, purpose) {
            (DerivativeX, DerivativeY) | (DerivativeY, DerivativeX) | (DerivativeXY, _) => DerivativeXY,
            _ => purpose,
        };
    }
}

/// What the permute of a loaded attribute is for: the quad's lanes hold the first vertex's value and two differences (or the
/// three vertices' values, where nothing is interpolated).
fn with_attribute(state: &State, name: &str, first: &Holds, sources: &[Option<Holds>]) -> Option<QuadPurpose> {
    let What::Value(value, lanes) = first.what else { return None };
    let same = lanes.iter().all(|lane| Some(lane) == lanes.first());
    if !same || !state.attributes.contains(&value) {
        return None;
    }
    let step = |holds: &Holds| matches!(holds.what, What::FirstStep(of) if of == value);
    let adds = name.starts_with("v_fma") && sources.iter().skip(1).flatten().any(step);
    Some(if adds { QuadPurpose::Interpolation } else { QuadPurpose::FlatInput })
}

/// Whether an instruction moves a register whole.
fn is_move(name: &str) -> bool {
    name.starts_with("v_mov_b32") && !name.ends_with("_sdwa")
}

/// What the instruction `at` leaves in its destination, where it is followed.
fn result(name: &str, sources: &[Option<Holds>], at: u32) -> Option<Holds> {
    let first = sources.first()?.as_ref();
    if is_move(name) {
        return first.cloned();
    }
    if name.starts_with("v_interp_p10") {
        let What::Value(value, _) = first?.what else { return None };
        return Some(Holds { what: What::FirstStep(value), permutes: Vec::new() });
    }
    if !is_difference(name) {
        return None;
    }
    let second = sources.get(1)?.as_ref()?;
    match (first?.what, second.what) {
        (What::Value(one, a), What::Value(other, b)) if one == other => {
            let mut permutes = first?.permutes.clone();
            permutes.extend(second.permutes.iter().filter(|at| !permutes.contains(at)).copied().collect::<Vec<_>>());
            Some(Holds { what: What::Difference(a, b, at), permutes })
        }
        _ => None,
    }
}

/// The vector registers that an instruction writes.
pub(super) fn vectors_written(instruction: &Instruction) -> impl Iterator<Item = Registers> {
    instruction.registers().filter(|(r, a)| r.file == File::Vector && a.writes()).map(|(registers, _)| registers)
}

pub(super) fn each(registers: Registers) -> impl Iterator<Item = u16> + use<> {
    registers.first..registers.first.saturating_add(registers.count)
}

/// The operands after the destinations, each as a vector register where it is one.
pub(super) fn sources(operands: &[Operand]) -> impl Iterator<Item = Option<u16>> {
    // A carry is written beside the sum.
    let carry = |(at, operand): &(usize, &Operand)| *at > 0 && !operand.access.writes();
    operands.iter().enumerate().filter(carry).map(|(_, operand)| one_vector(operand))
}

fn one_vector(operand: &Operand) -> Option<u16> {
    match operand.kind {
        OperandKind::Registers(Registers { file: File::Vector, first, count: 1 }) => Some(first),
        _ => None,
    }
}

fn is_difference(mnemonic: &str) -> bool {
    ["v_sub_f", "v_subrev_f", "v_sub_u", "v_subrev_u", "v_sub_nc", "v_subrev_nc"]
        .iter()
        .any(|prefix| mnemonic.starts_with(prefix))
}

/// What a difference of two readings is, where all lanes subtract the lane one column or one row further.
fn direction(a: Lanes, b: Lanes) -> Option<Axis> {
    let all = |bit: u8| a.iter().zip(b).all(|(a, b)| a ^ b == bit);
    // Both orders are found, but not a mix of them.
    let one_way = a.iter().zip(b).all(|(a, b)| *a < b) || a.iter().zip(b).all(|(a, b)| *a > b);
    match () {
        () if one_way && all(1) => Some(Axis::X),
        () if one_way && all(2) => Some(Axis::Y),
        () => None,
    }
}
