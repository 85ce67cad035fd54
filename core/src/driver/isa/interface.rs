//! Attributes that are read and exports that are made; memory and waits.

use super::{
    AttributeRead, Does, Export, ExportTarget, Instruction, Interpolation, IsaFacts, Memory, OperandKind, Space, Wait,
};

/// Fills `interpolations`, `exports`, `memory` and `waits`.
pub(super) fn find(facts: &mut IsaFacts) {
    let all = || (0u32..).zip(&facts.instructions);
    facts.interpolations = all().filter_map(|(index, i)| interpolation(index, i)).collect();
    facts.exports = all().filter_map(|(index, i)| export(index, i)).collect();
    facts.memory = all().filter_map(|(index, i)| memory(index, i)).collect();
    facts.waits = all().filter_map(|(index, i)| wait(index, i)).collect();
}

fn interpolation(index: u32, instruction: &Instruction) -> Option<Interpolation> {
    let (attribute, channel) = instruction.attribute()?;
    let name = instruction.mnemonic.as_str();
    let read = match () {
        () if name.starts_with("lds_param_load") => AttributeRead::Quad,
        () if name.starts_with("v_interp_mov") => AttributeRead::Vertex,
        () if name.starts_with("v_interp_p2") => AttributeRead::Second,
        () if name.starts_with("v_interp_p1") => AttributeRead::First,
        () => return None,
    };
    Some(Interpolation { instruction: index, attribute, channel, read, high: instruction.modifier("high").is_some() })
}

fn export(at: u32, instruction: &Instruction) -> Option<Export> {
    if instruction.mnemonic != "exp" {
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
        () if starts(&["s_load_", "s_buffer_", "s_store_", "s_atomic_", "s_scratch_"]) => Space::Scalar,
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
    let until = match name {
        "s_barrier" => name.to_owned(),
        _ => {
            let counter = name.strip_prefix("s_wait")?;
            let operands: Vec<String> = instruction.operands.iter().filter_map(|o| text(&o.kind)).collect();
            let modifiers = instruction.modifiers.iter().map(|m| m.name.clone());
            let said = operands.into_iter().chain(modifiers).collect::<Vec<_>>().join(" ");
            // The plain wait says its counters itself.
            if counter == "cnt" { said } else { format!("{} {said}", counter.trim_start_matches("cnt_")) }
        }
    };
    Some(Wait { instruction: index, until })
}
