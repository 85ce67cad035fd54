//! What a stage reads and writes, by the addresses of attributes.

use super::super::super::isa::{Instruction, IsaFacts, OperandKind};
use super::super::{Input, InputKind, Output, Sampled, Slot, SlotKind};
use super::names::base;
use lanescope_model::program::StageKind;

/// Addresses of varyings and attributes, 16 bytes each.
const GENERIC: std::ops::Range<u32> = 0x80..0x280;
/// Addresses of a patch's own varyings.
const PATCH: std::ops::Range<u32> = 0x20..0x60;

/// Built-in values: the first address, the number of components, the name.
const BUILT_IN: [(u32, u32, &str); 14] = [
    (0x000, 4, "outer tessellation levels"),
    (0x010, 2, "inner tessellation levels"),
    (0x060, 1, "primitive id"),
    (0x064, 1, "layer"),
    (0x068, 1, "viewport index"),
    (0x06c, 1, "point size"),
    (0x070, 4, "position"),
    (0x2c0, 8, "clip or cull distance"),
    (0x2e0, 2, "point coordinate"),
    (0x2f0, 2, "tessellation coordinate"),
    (0x2f8, 1, "instance id"),
    (0x2fc, 1, "vertex id"),
    (0x3b4, 3, "barycentric coordinates"),
    (0x3fc, 1, "front face"),
];

/// System values that `s2r` reads.
const SYSTEM: [(u32, &str); 17] = [
    (0x00, "lane index"),
    (0x10, "vertex count"),
    (0x11, "invocation id"),
    (0x13, "helper invocation"),
    (0x1d, "invocation info"),
    (0x20, "thread indices"),
    (0x21, "thread index x"),
    (0x22, "thread index y"),
    (0x23, "thread index z"),
    (0x25, "workgroup index x"),
    (0x26, "workgroup index y"),
    (0x27, "workgroup index z"),
    (0x38, "mask of the own lane"),
    (0x39, "mask of the lanes below"),
    (0x3a, "mask of the lanes up to the own"),
    (0x3b, "mask of the lanes above"),
    (0x50, "clock"),
];

/// Fills in the inputs and outputs.
pub(super) fn find(facts: &mut IsaFacts, stage: StageKind) {
    for (index, instruction) in (0u32..).zip(&facts.instructions) {
        match base(&instruction.mnemonic) {
            "ipa" => facts.inputs.push(interpolated(index, instruction)),
            "ldtram" => {
                let slot = slot(instruction, SlotKind::Varying);
                let (kind, at, register) = (InputKind::Vertices, None, None);
                facts.inputs.push(Input { instruction: Some(index), slot, components: 1, kind, at, register });
            }
            "ald" => facts.inputs.push(loaded(index, instruction, stage)),
            "ast" => {
                let slot = slot(instruction, SlotKind::Varying);
                let components = run(instruction, false);
                facts.outputs.push(Output { instruction: Some(index), slot, components, register: None });
            }
            "s2r" | "s2ur" | "cs2r" => facts.inputs.push(built_in(index, &system(instruction))),
            "pixld" => facts.inputs.push(built_in(index, &pixel(instruction))),
            _ => {}
        }
    }
}

fn built_in(instruction: u32, name: &str) -> Input {
    let slot = Slot::built_in(name, None);
    let kind = InputKind::Loaded;
    Input { instruction: Some(instruction), slot, components: 1, kind, at: None, register: None }
}

fn interpolated(index: u32, instruction: &Instruction) -> Input {
    let has = |part: &str| instruction.mnemonic.split('.').any(|other| other == part);
    let kind = match () {
        () if has("constant") => InputKind::Flat,
        () if has("pass_mul_w") => InputKind::Perspective,
        () => InputKind::Interpolated,
    };
    let at = match () {
        () if has("centroid") => Some(Sampled::Centroid),
        () if has("offset") => Some(Sampled::Offset),
        () => None,
    };
    let slot = slot(instruction, SlotKind::Varying);
    Input { instruction: Some(index), slot, components: 1, kind, at, register: None }
}

fn loaded(index: u32, instruction: &Instruction, stage: StageKind) -> Input {
    let what = if stage == StageKind::Vertex { SlotKind::Attribute } else { SlotKind::Varying };
    let components = run(instruction, true).unwrap_or(1);
    let (slot, kind) = (slot(instruction, what), InputKind::Loaded);
    Input { instruction: Some(index), slot, components, kind, at: None, register: None }
}

/// The place of the address that an instruction names: `a[0x90]`, `a[r4][0x90]` with a vertex, `a[r2+0x90]` computed.
fn slot(instruction: &Instruction, what: SlotKind) -> Slot {
    let physical = instruction.mnemonic.contains(".phys");
    let address = instruction.operands.iter().find_map(|operand| match &operand.kind {
        OperandKind::Word(word) => word.strip_prefix('a').filter(|rest| rest.starts_with('[')),
        _ => None,
    });
    let address = address.filter(|_| !physical).and_then(|rest| {
        let last = rest.strip_suffix(']')?.rsplit('[').next()?;
        u32::from_str_radix(last.strip_prefix("0x").filter(|hex| !hex.is_empty())?, 16).ok()
    });
    let Some(address) = address.filter(|address| address % 4 == 0) else { return Slot::unknown(what) };
    let part = |from: u32| u8::try_from((address - from) / 4 % 4).unwrap_or(0);
    if GENERIC.contains(&address) {
        return Slot::at(what, (address - GENERIC.start) / 16, part(GENERIC.start));
    }
    if PATCH.contains(&address) {
        return Slot::at(SlotKind::Patch, (address - PATCH.start) / 16, part(PATCH.start));
    }
    let of = |(first, count, _): &&(u32, u32, &str)| (*first..first + count * 4).contains(&address);
    match BUILT_IN.iter().find(of) {
        Some((_, 1, name)) => Slot::built_in(name, None),
        Some((first, 8, name)) => Slot::built_in(&format!("{name} {}", (address - first) / 4), None),
        Some((first, _, name)) => Slot::built_in(name, Some(part(*first))),
        None => Slot::unknown(SlotKind::Unknown),
    }
}

/// How many registers an access of attributes takes: of its result, or of its last source.
fn run(instruction: &Instruction, result: bool) -> Option<u8> {
    let mut registers = instruction.registers().filter(|(_, access)| access.writes() == result);
    let found = if result { registers.next() } else { registers.last() };
    u8::try_from(found?.0.count).ok()
}

/// The name of a system value: `sr[0x21]`.
fn system(instruction: &Instruction) -> String {
    let number = instruction.operands.iter().find_map(|operand| match &operand.kind {
        OperandKind::Word(word) => u32::from_str_radix(word.strip_prefix("sr[0x")?.strip_suffix(']')?, 16).ok(),
        _ => None,
    });
    let known = number.and_then(|number| SYSTEM.iter().find(|(known, _)| *known == number));
    match (known, number) {
        (Some((_, name)), _) => (*name).to_owned(),
        (None, Some(number)) => format!("system value 0x{number:x}"),
        (None, None) => "a system value".to_owned(),
    }
}

fn pixel(instruction: &Instruction) -> String {
    match instruction.mnemonic.split('.').nth(1) {
        Some("my_index") => "sample index".to_owned(),
        Some("covmask") => "coverage mask".to_owned(),
        Some(other) => format!("pixel value {other}"),
        None => "a pixel value".to_owned(),
    }
}
