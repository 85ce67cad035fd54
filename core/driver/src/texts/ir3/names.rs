//! Names of ir3's instructions, in tables.

use std::collections::BTreeSet;

use super::super::super::isa::{
    Access, Does, File, Instruction, LaneMoveKind, Operand, OperandKind, Registers, Space, exist,
};
use super::super::{Axis, Slot, SlotKind};

/// Instructions that do not write their first operand alone: whether they name a label or go elsewhere, and how many
/// operands they write. All others write the first.
const OTHERS: [(&str, bool, usize); 38] = [
    ("br", true, 0),
    ("brao", true, 0),
    ("braa", true, 0),
    ("brac", true, 0),
    ("brax", true, 0),
    ("ball", true, 0),
    ("bany", true, 0),
    ("bkt", true, 0),
    ("jump", true, 0),
    ("call", true, 0),
    ("getone", true, 0),
    ("getlast", true, 0),
    ("shps", true, 0),
    ("shpe", false, 0),
    ("kill", false, 0),
    ("predt", false, 0),
    ("predf", false, 0),
    ("prede", false, 0),
    ("if", false, 0),
    ("endif", false, 0),
    ("ret", false, 0),
    ("end", false, 0),
    ("chsh", false, 0),
    ("chmask", false, 0),
    ("stg", false, 0),
    ("stl", false, 0),
    ("stlw", false, 0),
    ("stp", false, 0),
    ("stc", false, 0),
    ("stsc", false, 0),
    ("stib", false, 0),
    ("stomp", false, 0),
    ("tcinv", false, 0),
    ("ccinv", false, 0),
    ("dcinv", false, 0),
    ("setrm", false, 0),
    ("swz", false, 2),
    ("sct", false, 4),
];

/// Built-in outputs of one component.
const SCALARS: [&str; 12] = [
    "depth",
    "gs header",
    "gs vertex flags",
    "layer",
    "point size",
    "primitive id",
    "primitive shading rate",
    "sample mask",
    "stencil",
    "tcs header",
    "view index",
    "viewport",
];

/// Accesses to memory.
const MEMORY: [(&str, Space, Does); 34] = [
    ("ldg", Space::Global, Does::Load),
    ("stg", Space::Global, Does::Store),
    ("ldl", Space::Local, Does::Load),
    ("stl", Space::Local, Does::Store),
    ("ldlw", Space::Local, Does::Load),
    ("stlw", Space::Local, Does::Store),
    ("ldp", Space::Scratch, Does::Load),
    ("stp", Space::Scratch, Does::Store),
    ("ldc", Space::Constant, Does::Load),
    ("stc", Space::Constant, Does::Store),
    ("stsc", Space::Constant, Does::Store),
    ("ldib", Space::Buffer, Does::Load),
    ("stib", Space::Buffer, Does::Store),
    ("resinfo", Space::Image, Does::Other),
    ("sam", Space::Image, Does::Sample),
    ("samb", Space::Image, Does::Sample),
    ("saml", Space::Image, Does::Sample),
    ("samgq", Space::Image, Does::Sample),
    ("samgp0", Space::Image, Does::Sample),
    ("samgp1", Space::Image, Does::Sample),
    ("samgp2", Space::Image, Does::Sample),
    ("samgp3", Space::Image, Does::Sample),
    ("isam", Space::ImageOrBuffer, Does::Load),
    ("isaml", Space::Image, Does::Load),
    ("isamm", Space::Image, Does::Load),
    ("gather4r", Space::Image, Does::Sample),
    ("gather4g", Space::Image, Does::Sample),
    ("gather4b", Space::Image, Does::Sample),
    ("gather4a", Space::Image, Does::Sample),
    ("getsize", Space::Image, Does::Other),
    ("getinfo", Space::Image, Does::Other),
    ("getlod", Space::Image, Does::Other),
    ("getbuf", Space::ImageOrBuffer, Does::Other),
    ("ray_intersection", Space::Buffer, Does::Other),
];

/// The name up to its first dot.
pub(super) fn base(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

fn other(name: &str) -> Option<&'static (&'static str, bool, usize)> {
    OTHERS.iter().find(|(known, ..)| *known == base(name))
}

/// Whether a built-in output has one component.
pub(super) fn is_scalar(slot: &Slot) -> bool {
    slot.what == SlotKind::BuiltIn && slot.name.as_deref().is_some_and(|name| SCALARS.contains(&name))
}

/// Whether an instruction continues elsewhere.
pub(super) fn is_branch(name: &str) -> bool {
    other(name).is_some_and(|(_, leaves, _)| *leaves)
}

/// Whether an instruction leaves at least one lane of a wave where it is: it picks one that goes on, the others branch.
pub(super) fn leaves_one(name: &str) -> bool {
    matches!(base(name), "getone" | "getlast")
}

/// Whether nothing of the text runs after an instruction.
pub(super) fn is_end(name: &str) -> bool {
    matches!(name, "end" | "chsh" | "ret")
}

/// Whether an instruction ends a block.
pub(super) fn leaves(name: &str) -> bool {
    is_branch(name) || is_end(name)
}

/// The memory that an instruction accesses, and how. A storage buffer, a texel buffer and an image of one dimension are
/// accessed alike where the name has a type or a query one dimension. `isam` loads of any of them; the compiler makes
/// `isam.v` of loads of storage buffers alone.
pub(super) fn memory(instruction: &Instruction) -> Option<(Space, Does)> {
    let name = instruction.mnemonic.as_str();
    let first = base(name);
    if first == "ccinv" {
        return Some((Space::Global, Does::Other));
    }
    let has = |part: &str| name.split('.').any(|other| other == part);
    let of_descriptor = || match () {
        () if !has("typed") => Space::Buffer,
        () if has("1d") => Space::ImageOrBuffer,
        () => Space::Image,
    };
    if first == "atomic" {
        let space = match name.split('.').nth(1) {
            Some("b") => of_descriptor(),
            Some("g") => Space::Global,
            _ => Space::Local,
        };
        return Some((space, Does::Atomic));
    }
    let (_, space, does) = MEMORY.iter().find(|(known, ..)| *known == first)?;
    let ahead = has_no_result(instruction);
    let space = match first {
        "ldib" | "stib" => of_descriptor(),
        "isam" if has("v") => Space::Buffer,
        "resinfo" if ahead || has("1d") => Space::ImageOrBuffer,
        _ => *space,
    };
    // It fetches a descriptor ahead, and nothing of what that describes.
    let does = if ahead && matches!(does, Does::Load | Does::Sample) { Does::Other } else { *does };
    Some((space, does))
}

/// Between which lanes an instruction moves.
pub(super) fn lane_move(name: &str) -> Option<LaneMoveKind> {
    match base(name) {
        "quad_shuffle" | "brcst" => Some(LaneMoveKind::Permute),
        "shfl" => match name.split('.').nth(1)? {
            "xor" => Some(LaneMoveKind::LaneXor),
            "up" | "rup" => Some(LaneMoveKind::LaneUp),
            "down" | "rdown" => Some(LaneMoveKind::LaneDown),
            _ => Some(LaneMoveKind::Permute),
        },
        _ => None,
    }
}

/// The axis of a derivative.
pub(super) fn axis(name: &str) -> Option<Axis> {
    match base(name) {
        "dsx" | "dsxpp" => Some(Axis::X),
        "dsy" | "dsypp" => Some(Axis::Y),
        _ => None,
    }
}

/// How many operands an instruction writes, from the first on.
pub(super) fn results(name: &str) -> usize {
    other(name).map_or(1, |(_, _, writes)| *writes)
}

/// What an instruction does with the registers of an operand; those of an address are read.
pub(super) fn access(name: &str, position: usize, within: bool) -> Access {
    match () {
        () if within || position >= results(name) => Access::Read,
        () if base(name) == "atomic" => Access::Both,
        () => Access::Write,
    }
}

/// The registers that an operand stands for beside its own, where the instruction says it: how many to skip, and how many
/// there are. `(xyzw)r4.w` has one for each letter, at its place; a load and a store have a number.
pub(super) fn run(name: &str, position: usize, operand: &str) -> Option<(u16, u16)> {
    if position == 0
        && let Some(mask) = mask(operand)
    {
        let first = ["x", "y", "z", "w"].iter().position(|letter| mask.starts_with(letter))?;
        return Some((u16::try_from(first).ok()?, u16::try_from(mask.len()).ok()?));
    }
    // A mask of the lanes: a register for each 32.
    if let (0, Some(lanes)) = (position, name.strip_prefix("movmsk.w")) {
        return lanes.parse::<u16>().ok().map(|lanes| (0, lanes / 32)).filter(|(_, count)| (1..=4).contains(count));
    }
    let counted = matches!(base(name), "ldib" | "stib" | "ldc") && position == 0;
    let number = |part: &str| part.parse::<u16>().ok().filter(|count| (1..=4).contains(count));
    let count = name.split('.').find_map(number).filter(|_| counted)?;
    Some((0, count))
}

/// Loads and stores that name how many registers they take as their last operand.
const COUNTED: [(&str, usize); 9] =
    [("ldg", 0), ("ldl", 0), ("ldlw", 0), ("ldlv", 0), ("ldp", 0), ("stg", 1), ("stl", 1), ("stlw", 1), ("stc", 1)];

/// Sets how many registers a load or a store takes: `stl.u32 l[r0.w], r1.y, 2`.
pub(super) fn set_count(instruction: &mut Instruction) {
    let Some((_, position)) = COUNTED.iter().find(|(name, _)| *name == base(&instruction.mnemonic)) else { return };
    let count = instruction.operands.last().and_then(|operand| match &operand.kind {
        OperandKind::Literal(text) => text.parse::<u16>().ok().filter(|count| (1..=4).contains(count)),
        _ => None,
    });
    // The value is the first register, or the last one: the address is between them.
    let value = |operand: &&mut Operand| matches!(operand.kind, OperandKind::Registers(_));
    let mut registers = instruction.operands.iter_mut().filter(value);
    let found = if *position == 0 { registers.next() } else { registers.last() };
    if let (Some(operand), Some(count)) = (found, count)
        && let OperandKind::Registers(registers) = &mut operand.kind
        && exist(registers.file, registers.first.saturating_add(count).saturating_sub(1))
    {
        registers.count = count;
    }
}

/// The components in front of a register: `(f32)(xyz)r4.w`.
fn mask(operand: &str) -> Option<&str> {
    let is_mask = |part: &str| !part.is_empty() && part.bytes().all(|b| matches!(b, b'x' | b'y' | b'z' | b'w'));
    operand.split(['(', ')']).find(|part| is_mask(part))
}

/// The number of the first input that an instruction reads, and how many it reads.
pub(super) fn input(instruction: &Instruction) -> Option<(u32, u32)> {
    let at = match base(&instruction.mnemonic) {
        "bary" | "flat" | "ldlv" => 1,
        _ => return None,
    };
    let text = match &instruction.operands.get(at)?.kind {
        OperandKind::Literal(text) | OperandKind::Word(text) => text.as_str(),
        _ => return None,
    };
    let number = text.trim_start_matches("(r)").trim_start_matches("l[").trim_end_matches(']').parse().ok()?;
    let repeat = instruction.modifier("rpt").and_then(|count| count.parse().ok()).unwrap_or(0u32);
    let advances = text.contains("(r)");
    let loaded = instruction.operands.last().and_then(|operand| match &operand.kind {
        OperandKind::Literal(text) if base(&instruction.mnemonic) == "ldlv" => text.parse().ok(),
        _ => None,
    });
    Some((number, loaded.unwrap_or(if advances { repeat.saturating_add(1) } else { 1 }).min(16)))
}

/// Whether an instruction says that its result goes nowhere: `sam.base0 (f32)(xyzw)r63.x, …`.
pub(super) fn has_no_result(instruction: &Instruction) -> bool {
    let Some(OperandKind::Word(text)) = instruction.operands.first().map(|operand| &operand.kind) else { return false };
    matches!(text.rsplit(')').next(), Some("r63.x" | "hr63.x"))
}

/// Whether an instruction may write any register: `mov.u32u32 r<a0.x + 39>, r1.x`. Loads write constants so, too.
pub(super) fn writes_by_address(instruction: &Instruction) -> bool {
    let Some(first) = instruction.operands.first().filter(|operand| operand.access == Access::Read) else {
        return false;
    };
    let by_address = matches!(first.kind, OperandKind::Registers(Registers { file: File::Address, .. }));
    by_address && results(&instruction.mnemonic) > 0 && memory(instruction).is_none()
}

/// Takes out what is a register by its name alone: where `alias.tex r40.x, r8.z` stands before, a texture instruction reads
/// `r8.z` as `r40.x`.
pub(super) fn rename(instruction: &mut Instruction, aliases: &mut BTreeSet<Registers>) {
    let is_alias = base(&instruction.mnemonic) == "alias";
    for (position, operand) in instruction.operands.iter_mut().enumerate() {
        let OperandKind::Registers(registers) = operand.kind else { continue };
        let is_name =
            if is_alias { position == 0 } else { operand.access == Access::Read && aliases.contains(&registers) };
        if is_name {
            aliases.extend(is_alias.then_some(registers));
            (operand.kind, operand.access) = (OperandKind::Word(registers.to_string()), Access::None);
        }
    }
    if !is_alias && base(&instruction.mnemonic) != "nop" {
        aliases.clear();
    }
}

/// The component of a colour that an immediate or a constant gives: `alias.rt.b32.0 rt0.w, (0x3f800000)`.
pub(super) fn target(instruction: &Instruction) -> Option<Slot> {
    if !instruction.mnemonic.starts_with("alias.rt") {
        return None;
    }
    let text = match &instruction.operands.first()?.kind {
        OperandKind::Word(text) => text.strip_prefix("rt")?,
        _ => return None,
    };
    let (number, component) = text.split_once('.')?;
    let component = ["x", "y", "z", "w"].iter().position(|letter| *letter == component)?;
    Some(Slot::at(SlotKind::Color, number.parse().ok()?, u8::try_from(component).ok()?))
}
