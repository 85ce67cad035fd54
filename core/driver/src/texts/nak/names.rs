//! Names of NAK's instructions, in tables.

use super::super::super::isa::{Does, File, Instruction, LaneMoveKind, OperandKind, Space};
use super::super::Axis;

/// Registers that hold one bit.
pub(super) const PREDICATES: [File; 2] = [File::Predicate, File::UniformPredicate];

/// Instructions that continue elsewhere. `sync`, `brk` and `cont` (before Volta) go where `ssy`, `pbk` and `pcnt` said.
pub(super) const BRANCHES: [&str; 4] = ["bra", "brk", "cont", "sync"];

/// Instructions that wait for memory beside the scoreboards.
pub(super) const WAITS: [&str; 3] = ["membar", "depbar", "texdepbar"];

/// Accesses to memory, by the name up to the first dot. A plain load or store has its space in the name.
const MEMORY: [(&str, Option<Space>, Does); 21] = [
    ("ld", None, Does::Load),
    ("st", None, Does::Store),
    ("atom", None, Does::Atomic),
    ("atoms", Some(Space::Local), Does::Atomic),
    ("red", None, Does::Atomic),
    ("ldc", Some(Space::Constant), Does::Load),
    ("ldcu", Some(Space::Constant), Does::Load),
    ("ldsm", Some(Space::Local), Does::Load),
    ("cctl", None, Does::Other),
    ("ccctl", None, Does::Other),
    ("tex", Some(Space::Image), Does::Sample),
    ("tld", Some(Space::Image), Does::Load),
    ("tld4", Some(Space::Image), Does::Sample),
    ("txd", Some(Space::Image), Does::Sample),
    ("tmml", Some(Space::Image), Does::Other),
    ("txq", Some(Space::Image), Does::Other),
    ("suld", Some(Space::Image), Does::Load),
    ("sust", Some(Space::Image), Does::Store),
    ("suatom", Some(Space::Image), Does::Atomic),
    ("suldga", Some(Space::Image), Does::Load),
    ("sustga", Some(Space::Image), Does::Store),
];

/// The name up to its first dot.
pub(super) fn base(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// The memory that an instruction accesses, and how.
pub(super) fn memory(name: &str) -> Option<(Space, Does)> {
    let (_, space, does) = MEMORY.iter().find(|(known, ..)| *known == base(name))?;
    let named = || {
        name.split('.').find_map(|part| match part {
            "global" => Some(Space::Global),
            "shared" => Some(Space::Local),
            "local" => Some(Space::Scratch),
            _ => None,
        })
    };
    // Caches of plain addresses are what remains.
    Some((space.or_else(named).unwrap_or(Space::Global), *does))
}

/// Between which lanes an instruction moves.
pub(super) fn lane_move(name: &str) -> Option<LaneMoveKind> {
    match name.strip_prefix("shfl.")? {
        how if how.starts_with("bfly") => Some(LaneMoveKind::LaneXor),
        how if how.starts_with("up") => Some(LaneMoveKind::LaneUp),
        how if how.starts_with("down") => Some(LaneMoveKind::LaneDown),
        how if how.starts_with("idx") => Some(LaneMoveKind::Permute),
        _ => None,
    }
}

/// Along which axis an instruction subtracts the lanes of a quad: `fswzadd … [sub, subr, sub, subr]`, `fswz.1032`.
pub(super) fn axis(base: &str, instruction: &Instruction) -> Option<Axis> {
    match base {
        "fswzadd" | "fswz" => {}
        _ => return None,
    }
    let words = instruction.operands.iter().filter_map(|operand| match &operand.kind {
        OperandKind::Word(word) | OperandKind::Literal(word) => Some(word.trim_matches(['[', ']', ','])),
        _ => None,
    });
    let signs: Vec<&str> = words.filter(|word| word.starts_with("sub") || *word == "add").collect();
    Some(match signs.as_slice() {
        ["sub", "subr", "sub", "subr"] => Axis::X,
        ["sub", "sub", "subr", "subr"] => Axis::Y,
        _ => Axis::Other,
    })
}
