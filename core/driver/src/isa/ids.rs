//! Invocation ids made out of what the hardware delivers, or out of the lane's number.
//!
//! Up to GFX10 the three coordinates come in v0 to v2. From GFX11 on they are packed into v0: x in bits 9:0, y in 19:10, z
//! in 29:20. What is cut out of v0 is named by the field that its bits come from: a mask can be narrower than the field
//! where the workgroup is smaller, and can be left out where the fields above are zero.

use std::collections::BTreeMap;

use super::lanes::{each, sources, vectors_written};
use super::names::is_gfx11;
use super::{File, IdPart, IdRebuild, Instruction, IsaFacts, Operand, OperandKind, Registers};
use lanescope_model::program::StageKind;

/// Fills `ids`, for stages that have workgroups.
pub(super) fn find(facts: &mut IsaFacts, stage: StageKind) {
    if stage.has_workgroup() {
        facts.ids = ids(&facts.instructions);
    }
}

/// Bits of one coordinate in the packed id.
const FIELD: u32 = 10;

/// What a vector register holds of an id.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// One coordinate, as the hardware delivered it.
    Delivered,
    /// Bits of the packed id, at the register's low end.
    Bits(Bits),
    /// A coordinate, shifted up to be combined with another one.
    Scaled,
    /// The lane's number.
    Lane,
    /// The thread's number, or a field of it.
    Thread,
}

/// A run of bits of the packed id.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Bits {
    from: u32,
    count: u32,
}

/// The packed id as delivered.
const PACKED: Bits = Bits { from: 0, count: 32 };

impl Bits {
    /// What is left after the lowest bits are shifted out.
    fn above(self, shift: u32) -> Bits {
        let shift = shift.min(self.count);
        Bits { from: self.from + shift, count: self.count - shift }
    }

    /// The lowest bits.
    fn below(self, count: u32) -> Bits {
        Bits { count: self.count.min(count), ..self }
    }

    /// The coordinate that the bits start with, where they are of it alone or run to the end of the id: what lies above
    /// a coordinate then is zero, else it would be cut off.
    fn part(self) -> Option<IdPart> {
        let part = [IdPart::UnpackX, IdPart::UnpackY, IdPart::UnpackZ].get((self.from / FIELD) as usize).copied()?;
        let end = (self.from / FIELD + 1) * FIELD;
        let to = self.from + self.count;
        (self.count > 0 && (to <= end || to == PACKED.count)).then_some(part)
    }
}

fn ids(instructions: &[Instruction]) -> Vec<IdRebuild> {
    let packed = is_gfx11(instructions);
    let delivered = (0..3).map(|register| (register, Holds::Delivered));
    let mut holds: BTreeMap<u16, Holds> = match packed {
        Some(true) => BTreeMap::from([(0, Holds::Bits(PACKED))]),
        _ => delivered.collect(),
    };
    let mut out = Vec::new();
    for (index, instruction) in (0u32..).zip(instructions) {
        let made: Vec<_> = instruction
            .each()
            .filter_map(|(name, operands)| Some((id(&name, operands, &holds)?, &operands.first()?.kind)))
            .collect();
        vectors_written(instruction).flat_map(each).for_each(|register| _ = holds.remove(&register));
        for ((what, now), target) in made {
            out.extend(what.map(|what| IdRebuild { instruction: index, what }));
            if let OperandKind::Registers(Registers { file: File::Vector, first, .. }) = target {
                holds.insert(*first, now);
            }
        }
    }
    out
}

/// The part that an instruction makes, and what its destination holds then.
fn id(name: &str, operands: &[Operand], holds: &BTreeMap<u16, Holds>) -> Option<(Option<IdPart>, Holds)> {
    let some = |part, holds| Some((Some(part), holds));
    if name.starts_with("v_mbcnt") {
        return some(IdPart::Lane, Holds::Lane);
    }
    let literal = |kind: &OperandKind| match kind {
        OperandKind::Literal(text) => match text.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => text.parse().ok(),
        },
        _ => None,
    };
    let numbers: Vec<u32> = operands.iter().skip(1).filter_map(|o| literal(&o.kind)).collect();
    let held: Vec<Holds> = sources(operands).flatten().filter_map(|register| holds.get(&register).copied()).collect();
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let cuts = starts(&CUTS);
    let sums = starts(&SUMS);
    if let ([Holds::Bits(bits)], true) = (held.as_slice(), cuts) {
        let cut = cut(name, *bits, &numbers)?;
        return Some((cut.part(), Holds::Bits(cut)));
    }
    let coordinate = |holds: &Holds| match holds {
        Holds::Delivered => true,
        Holds::Bits(bits) => *bits == PACKED || bits.part().is_some(),
        _ => false,
    };
    match held.as_slice() {
        [one] if coordinate(one) && name.starts_with("v_lshlrev_b32") && !numbers.is_empty() => {
            Some((None, Holds::Scaled))
        }
        // One coordinate is masked, or used whole, and the other one put above it.
        [a, b] if starts(&["v_or_b32", "v_and_or_b32"]) && [a, b].contains(&&Holds::Scaled) => {
            (coordinate(a) || coordinate(b)).then_some((Some(IdPart::Linear), Holds::Thread))
        }
        [Holds::Thread] if cuts && !numbers.is_empty() => some(IdPart::Remap, Holds::Thread),
        [Holds::Thread, Holds::Thread] if sums => some(IdPart::Remap, Holds::Thread),
        [a, b] if sums && !numbers.is_empty() => {
            let thread = |holds: &Holds| *holds == Holds::Thread;
            let both = coordinate(a) && coordinate(b) || coordinate(a) && thread(b) || thread(a) && coordinate(b);
            both.then_some((Some(IdPart::Linear), Holds::Thread))
        }
        // Wave and lane.
        [Holds::Lane] if !numbers.is_empty() && starts(&["v_and_or_b32", "v_lshl_or_b32", "v_lshl_add_u32"]) => {
            let scalar = |o: &Operand| matches!(&o.kind, OperandKind::Registers(r) if r.file == File::Scalar);
            let of_wave = operands.iter().skip(1).any(scalar);
            of_wave.then_some((Some(IdPart::Linear), Holds::Thread))
        }
        _ => None,
    }
}

/// Instructions that cut bits out of a register.
const CUTS: [&str; 3] = ["v_and_b32", "v_bfe_u32", "v_lshrrev_b32"];
/// Instructions that put two numbers together.
const SUMS: [&str; 10] = [
    "v_lshl_add_u32",
    "v_lshl_or_b32",
    "v_mad_u32_u24",
    "v_mad_i32_i24",
    "v_mad_u32_u16",
    "v_and_or_b32",
    "v_or_b32",
    "v_or3_b32",
    "v_add_u32",
    "v_add_nc_u32",
];

/// The bits that are left of some.
fn cut(name: &str, bits: Bits, numbers: &[u32]) -> Option<Bits> {
    match *numbers {
        [mask] if name.starts_with("v_and_b32") => {
            let count = mask.trailing_ones();
            (count > 0 && mask.checked_shr(count).unwrap_or(0) == 0).then(|| bits.below(count))
        }
        [shift] if name.starts_with("v_lshrrev_b32") => Some(bits.above(shift)),
        [offset, count] if name.starts_with("v_bfe_u32") => Some(bits.above(offset).below(count)),
        _ => None,
    }
}
