//! Moves between the lanes of a quad, and invocation ids made out of lane and thread numbers.

use std::collections::BTreeMap;

use super::{
    File, IdPart, IdRebuild, Instruction, IsaFacts, Operand, OperandKind, QuadPermute, QuadPurpose, Registers,
};
use crate::program::StageKind;

/// Fills `quad_permutes`, and `ids` for stages that have workgroups.
pub(super) fn find(facts: &mut IsaFacts, stage: StageKind) {
    facts.quad_permutes = permutes(facts);
    if stage.has_workgroup() {
        facts.ids = ids(&facts.instructions);
    }
}

/// What a permute before this place left in a register, and out of which one.
#[derive(Clone, Copy)]
enum Left {
    Permuted { lanes: [u8; 4], from: Registers, instruction: u32 },
    Parameter,
}

fn permutes(facts: &IsaFacts) -> Vec<QuadPermute> {
    let mut found: BTreeMap<u32, QuadPermute> = BTreeMap::new();
    let starts: std::collections::BTreeSet<u32> = facts.blocks.iter().map(|block| block.first).collect();
    // By vector register; what another block left is not followed.
    let mut left: BTreeMap<u16, Left> = BTreeMap::new();
    for (index, instruction) in (0u32..).zip(&facts.instructions) {
        if starts.contains(&index) {
            left.clear();
        }
        let own = quad_perm(instruction);
        let first = sources(&instruction.operands).first().copied().flatten();
        if let Some(lanes) = own {
            let parameter = first.is_some_and(|r| matches!(left.get(&r.first), Some(Left::Parameter)));
            let same = lanes.iter().all(|lane| Some(lane) == lanes.first());
            let purpose = if parameter && same { QuadPurpose::FlatInput } else { QuadPurpose::Other };
            found.insert(index, QuadPermute { instruction: index, lanes, purpose });
        }
        for (_, operands) in instruction.each().filter(|(name, _)| is_difference(name)) {
            // The permute of an instruction is of its first source.
            let of = |position: usize, register: Registers| match (position, own) {
                (0, Some(lanes)) => Some((lanes, register, index)),
                _ => match left.get(&register.first) {
                    Some(Left::Permuted { lanes, from, instruction }) => Some((*lanes, *from, *instruction)),
                    _ => None,
                },
            };
            let sources = sources(operands);
            let mut both = sources.iter().enumerate().filter_map(|(position, register)| of(position, (*register)?));
            if let (Some((a, one, at_a)), Some((b, other, at_b))) = (both.next(), both.next())
                && one == other
                && let Some(purpose) = difference(a, b)
            {
                for at in [at_a, at_b] {
                    if let Some(permute) = found.get_mut(&at) {
                        permute.purpose = purpose;
                    }
                }
            }
        }
        let written: Vec<Registers> = vectors_written(instruction).collect();
        let Some(target) = written.first() else { continue };
        written.iter().flat_map(each).for_each(|register| _ = left.remove(&register));
        if instruction.mnemonic.starts_with("lds_param_load") {
            left.insert(target.first, Left::Parameter);
        } else if let (true, Some(lanes), Some(from)) = (instruction.mnemonic.starts_with("v_mov_b32"), own, first) {
            left.insert(target.first, Left::Permuted { lanes, from, instruction: index });
        }
        // A permuted value of a register that has changed since is a value of the old one.
        left.retain(|_, left| match left {
            Left::Permuted { from, instruction, .. } => {
                *instruction == index || !written.iter().any(|registers| from.overlaps(registers))
            }
            Left::Parameter => true,
        });
    }
    found.into_values().collect()
}

/// The vector registers that an instruction writes.
fn vectors_written(instruction: &Instruction) -> impl Iterator<Item = Registers> {
    instruction.registers().filter(|(r, a)| r.file == File::Vector && a.writes()).map(|(registers, _)| registers)
}

fn each(registers: &Registers) -> impl Iterator<Item = u16> + use<> {
    registers.first..registers.first.saturating_add(registers.count)
}

fn quad_perm(instruction: &Instruction) -> Option<[u8; 4]> {
    let text = instruction.modifier("quad_perm")?.strip_prefix('[')?.strip_suffix(']')?;
    let lanes: Vec<u8> =
        text.split(',').map(|lane| lane.trim().parse().ok().filter(|l| *l < 4)).collect::<Option<_>>()?;
    lanes.try_into().ok()
}

/// The operands behind the first one, each as a vector register where it is one.
fn sources(operands: &[Operand]) -> Vec<Option<Registers>> {
    let of = |kind: &OperandKind| match kind {
        OperandKind::Registers(registers) if registers.file == File::Vector => Some(*registers),
        _ => None,
    };
    operands.iter().skip(1).map(|operand| of(&operand.kind)).collect()
}

fn is_difference(mnemonic: &str) -> bool {
    ["v_sub_f", "v_subrev_f", "v_sub_u", "v_subrev_u", "v_sub_nc"].iter().any(|prefix| mnemonic.starts_with(prefix))
}

/// What a difference of two permutes is, where all lanes look one column or one row further.
fn difference(a: [u8; 4], b: [u8; 4]) -> Option<QuadPurpose> {
    let all = |bit: u8| a.iter().zip(b).all(|(a, b)| a ^ b == bit);
    // Both orders are found, but not a mix of them.
    let one_way = a.iter().zip(b).all(|(a, b)| *a < b) || a.iter().zip(b).all(|(a, b)| *a > b);
    match () {
        () if one_way && all(1) => Some(QuadPurpose::DerivativeX),
        () if one_way && all(2) => Some(QuadPurpose::DerivativeY),
        () => None,
    }
}

/// What a vector register holds of an id.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// What the hardware delivered: one coordinate, or all of them packed.
    Delivered,
    /// One coordinate.
    Coordinate,
    /// The lane's number.
    Lane,
    /// The thread's number, or a field of it.
    Thread,
}

fn ids(instructions: &[Instruction]) -> Vec<IdRebuild> {
    let delivered = (0..3).map(|register| (register, Holds::Delivered));
    let mut holds: BTreeMap<u16, Holds> = delivered.collect();
    let mut out = Vec::new();
    for (index, instruction) in (0u32..).zip(instructions) {
        let made: Vec<_> = instruction
            .each()
            .filter_map(|(name, operands)| Some((id(&name, operands, &holds)?, &operands.first()?.kind)))
            .collect();
        vectors_written(instruction).flat_map(|registers| each(&registers)).for_each(|r| _ = holds.remove(&r));
        for (what, target) in made {
            out.push(IdRebuild { instruction: index, what });
            let now = match what {
                IdPart::Linear | IdPart::Remap => Holds::Thread,
                IdPart::Lane => Holds::Lane,
                _ => Holds::Coordinate,
            };
            if let OperandKind::Registers(Registers { file: File::Vector, first, .. }) = target {
                holds.insert(*first, now);
            }
        }
    }
    out
}

fn id(name: &str, operands: &[Operand], holds: &BTreeMap<u16, Holds>) -> Option<IdPart> {
    if name.starts_with("v_mbcnt") {
        return Some(IdPart::Lane);
    }
    let literal = |kind: &OperandKind| match kind {
        OperandKind::Literal(text) => match text.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => text.parse().ok(),
        },
        _ => None,
    };
    let numbers: Vec<u32> = operands.iter().skip(1).filter_map(|o| literal(&o.kind)).collect();
    let vectors: Vec<u16> = sources(operands).into_iter().flatten().map(|r| r.first).collect();
    let held: Vec<Holds> = vectors.iter().filter_map(|register| holds.get(register).copied()).collect();
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let cuts = starts(&["v_and_b32", "v_bfe_u32", "v_lshrrev_b32"]);
    let sums = starts(&[
        "v_lshl_add_u32",
        "v_lshl_or_b32",
        "v_mad_u32_u24",
        "v_and_or_b32",
        "v_or_b32",
        "v_or3_b32",
        "v_add_u32",
        "v_add_nc_u32",
    ]);
    match (held.as_slice(), numbers.as_slice()) {
        // The packed id is in v0.
        ([Holds::Delivered], [0x3ff] | [0, 10]) if cuts && vectors == [0] => Some(IdPart::UnpackX),
        ([Holds::Delivered], [10, 10]) if cuts && vectors == [0] => Some(IdPart::UnpackY),
        ([Holds::Delivered], [20, 10] | [20]) if cuts && vectors == [0] => Some(IdPart::UnpackZ),
        ([Holds::Thread], [_, ..]) if cuts => Some(IdPart::Remap),
        ([Holds::Thread, Holds::Thread], _) if sums => Some(IdPart::Remap),
        (
            [Holds::Delivered | Holds::Coordinate, Holds::Delivered | Holds::Coordinate]
            | [Holds::Thread, Holds::Delivered | Holds::Coordinate]
            | [Holds::Delivered | Holds::Coordinate, Holds::Thread],
            [_, ..],
        ) if sums => Some(IdPart::Linear),
        // Wave and lane.
        ([Holds::Lane], [_, ..]) if starts(&["v_and_or_b32", "v_lshl_or_b32", "v_lshl_add_u32"]) => {
            let scalar = |o: &Operand| matches!(&o.kind, OperandKind::Registers(r) if r.file == File::Scalar);
            operands.iter().skip(1).any(scalar).then_some(IdPart::Linear)
        }
        _ => None,
    }
}
