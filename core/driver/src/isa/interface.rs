//! Attribute reads and exports; memory, waits and barriers.

use std::collections::BTreeMap;

use super::names::{self, WaitText};
use super::{
    AttributeRead, Barrier, BarrierPart, Does, Export, ExportTarget, File, Half, Instruction, Interpolation, IsaFacts,
    Memory, OperandKind, Space, Wait,
};

/// Fills `interpolations`, `exports`, `memory`, `waits` and `barriers`.
pub(super) fn find(facts: &mut IsaFacts) {
    let all = || (0u32..).zip(&facts.instructions);
    let mut interpolations: Vec<_> = all().filter_map(|(index, i)| interpolation(index, i)).collect();
    halves_of_loads(&facts.instructions, &mut interpolations);
    facts.exports = all().filter_map(|(index, i)| export(index, i)).collect();
    facts.memory = all().filter_map(|(index, i)| memory(index, i)).collect();
    facts.waits = all().filter_map(|(index, i)| wait(index, i)).collect();
    facts.barriers = all()
        .filter_map(|(instruction, i)| Some(Barrier { instruction, part: names::barrier(&i.mnemonic)? }))
        .collect();
    facts.interpolations = interpolations;
}

fn interpolation(index: u32, instruction: &Instruction) -> Option<Interpolation> {
    let (attribute, channel) = instruction.attribute()?;
    let name = instruction.mnemonic.as_str();
    let read = match () {
        () if names::is_parameter_load(name) => AttributeRead::Quad,
        () if name.starts_with("v_interp_mov") => AttributeRead::Vertex,
        () if name.starts_with("v_interp_p2") => AttributeRead::Second,
        () if name.starts_with("v_interp_p1") => AttributeRead::First,
        () => return None,
    };
    // `v_interp_p1ll_f16`, `v_interp_p1lv_f16` and `v_interp_p2_f16` read one half, and name the high one.
    let high = instruction.modifier("high").is_some();
    let low = !high && name.split('_').any(|part| part == "f16");
    Some(Interpolation { instruction: index, attribute, channel, read, high, low })
}

/// Which halves of a loaded attribute are used as 16-bit values: what reads the register says it, up to the next write.
fn halves_of_loads(instructions: &[Instruction], interpolations: &mut [Interpolation]) {
    // By register, the interpolation that loaded it.
    let mut loaded: BTreeMap<u16, usize> = BTreeMap::new();
    let mut loads = interpolations.iter().enumerate().filter(|(_, i)| i.read == AttributeRead::Quad).peekable();
    let mut halves: Vec<(usize, Half)> = Vec::new();
    for (index, instruction) in (0u32..).zip(instructions) {
        for (at, half) in halves_read(instruction) {
            halves.extend(loaded.get(&at).map(|load| (*load, half)));
        }
        for (registers, _) in instruction.registers().filter(|(r, a)| r.file == File::Vector && a.writes()) {
            let end = registers.first.saturating_add(registers.count);
            (registers.first..end).for_each(|register| _ = loaded.remove(&register));
        }
        if let Some((load, _)) = loads.next_if(|(_, load)| load.instruction == index)
            && let Some((registers, _)) = instruction.registers().next()
        {
            loaded.insert(registers.first, load);
        }
    }
    for (load, half) in halves {
        if let Some(load) = interpolations.get_mut(load) {
            load.low |= half == Half::Low;
            load.high |= half == Half::High;
        }
    }
}

/// The vector registers of which an instruction reads a half of an attribute, and which half.
fn halves_read(instruction: &Instruction) -> Vec<(u16, Half)> {
    let name = instruction.mnemonic.as_str();
    let interpolates = name.starts_with("v_interp_p") && name.contains("_f16");
    let mixes = name.starts_with("v_fma_mix");
    if !(interpolates || mixes) {
        return Vec::new();
    }
    let bit = |modifier: &str, at: usize| {
        let bits = instruction.modifier(modifier)?.trim_matches(['[', ']']).split(',').nth(at)?;
        Some(bits == "1")
    };
    // The attribute is the first source; what is added to it comes from it as well in the first step, and is of the same
    // half. A mixed multiply-add says of each source whether it is one of 16 bits.
    let first = instruction.operands.get(1);
    let is_half = interpolates || bit("op_sel_hi", 0) == Some(true);
    let half = |operand: &super::Operand| {
        operand.half.unwrap_or(if bit("op_sel", 0) == Some(true) { Half::High } else { Half::Low })
    };
    let found = first.filter(|_| is_half).and_then(|operand| match operand.kind {
        OperandKind::Registers(registers) if registers.file == File::Vector => Some((registers.first, half(operand))),
        _ => None,
    });
    found.into_iter().collect()
}

fn export(at: u32, instruction: &Instruction) -> Option<Export> {
    if !names::is_export(&instruction.mnemonic) {
        return None;
    }
    let mut operands = instruction.operands.iter();
    let OperandKind::Word(target) = &operands.next()?.kind else { return None };
    let digits = target.len() - target.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (name, number) = target.split_at_checked(target.len() - digits)?;
    let target = ExportTarget::ALL.iter().copied().find(|t| t.name() == name).unwrap_or(ExportTarget::Other);
    let on = |kind: &OperandKind| matches!(kind, OperandKind::Registers(_));
    let compressed = instruction.modifier("compr").is_some();
    let mask = operands.zip(0u8..4).filter(|(o, _)| on(&o.kind)).fold(0u8, |mask, (_, bit)| mask | 1 << bit);
    let done = instruction.modifier("done").is_some();
    let index = number.parse().unwrap_or(0);
    Some(Export { instruction: at, target, index, mask, compressed, form: None, done })
}

fn memory(index: u32, instruction: &Instruction) -> Option<Memory> {
    let name = instruction.mnemonic.as_str();
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let space = match () {
        // Attributes lie in the data share, and are facts of their own.
        () if names::is_parameter_load(name) => return None,
        () if names::is_direct_load(name) => Space::Local,
        () if starts(&["s_load_", "s_buffer_", "s_store_", "s_atomic_", "s_scratch_", "s_prefetch_data"]) => {
            Space::Scalar
        }
        () if starts(&["buffer_", "tbuffer_"]) => Space::Buffer,
        () if starts(&["image_"]) => Space::Image,
        () if starts(&["global_", "flat_"]) => Space::Global,
        () if starts(&["scratch_"]) => Space::Scratch,
        // Moves between lanes use the wires of the data share, and not its memory.
        () if starts(&["ds_swizzle", "ds_permute", "ds_bpermute", "ds_nop"]) => return None,
        () if starts(&["ds_"]) => Space::Local,
        () => return None,
    };
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let does = match () {
        () if has(&["_atomic"]) => Does::Atomic,
        () if has(&["_sample", "_gather"]) => Does::Sample,
        () if has(&["_load", "_read"]) => Does::Load,
        () if has(&["_store", "_write"]) => Does::Store,
        () if space == Space::Local => Does::Atomic,
        () => Does::Other,
    };
    Some(Memory { instruction: index, space, does })
}

fn wait(index: u32, instruction: &Instruction) -> Option<Wait> {
    let name = instruction.mnemonic.as_str();
    let text = |kind: &OperandKind| match kind {
        OperandKind::Word(text) | OperandKind::Literal(text) | OperandKind::Label(text) => Some(text.clone()),
        _ => None,
    };
    let printed = || {
        let operands: Vec<String> = instruction.operands.iter().filter_map(|o| text(&o.kind)).collect();
        let modifiers = instruction.modifiers.iter().map(|m| m.name.clone());
        operands.into_iter().chain(modifiers).collect::<Vec<_>>().join(" ")
    };
    if let Some(BarrierPart::Whole | BarrierPart::Wait) = names::barrier(name) {
        return Some(Wait { instruction: index, until: name.to_owned() });
    }
    let until = match names::wait(name)? {
        WaitText::Printed => printed(),
        WaitText::Named(counter) => format!("{counter} {}", printed()).trim_end().to_owned(),
        WaitText::Counters(counters) => counted(counters, &printed())?,
    };
    Some(Wait { instruction: index, until })
}

/// Counters with what they may still count: `loadcnt(0) dscnt(1)` of `0x1`.
fn counted(counters: &[&str], number: &str) -> Option<String> {
    let number = match number.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    let last = u32::try_from(counters.len()).ok()?.checked_sub(1)?;
    let of =
        |(at, counter): (u32, &&str)| format!("{counter}({})", number >> (last.saturating_sub(at) * 8).min(24) & 0x3f);
    Some((0u32..).zip(counters).map(of).collect::<Vec<_>>().join(" "))
}
