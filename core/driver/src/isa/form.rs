//! What a register of a colour or depth export holds: one value, or two of 16 bits.
//!
//! Up to GFX10 the export itself says it. From GFX11 on only what wrote the registers shows it: an instruction that packs
//! two values, one whose result is a 16-bit float in a half, or one whose result is a 32-bit float. Constants, 32-bit
//! integers (a field of bits can be a pair with an upper half of zero), flat inputs, and what comes from two sides of a
//! branch, do not.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::UNDEFINED;
use super::{Export, ExportTarget, File, Form, Instruction, IsaFacts, Operand, OperandKind, Registers};

/// What vector registers hold, where that is known.
type Forms = BTreeMap<u16, Form>;

/// Fills in the form of each export of a colour or of depth, and what of its channels follows from it.
pub(super) fn set_forms(facts: &mut IsaFacts) {
    let output =
        |export: &Export| matches!(export.target, ExportTarget::Color | ExportTarget::DualSource | ExportTarget::Depth);
    if !facts.exports.iter().any(output) {
        return;
    }
    // Before GFX11 the last export of a pixel has `vm`.
    let says = facts.instructions.iter().any(|i| i.modifier("vm").or(i.modifier("compr")).is_some());
    let joined = joined(facts);
    let mut exports = facts.exports.iter_mut().peekable();
    let mut forms = Forms::new();
    for (index, instruction) in (0u32..).zip(&facts.instructions) {
        if joined.contains(&index) {
            forms.clear();
        }
        match exports.next_if(|export| export.instruction == index) {
            Some(export) if output(export) => of_export(export, says, instruction, &forms),
            _ => follow(instruction, &mut forms),
        }
    }
}

/// The first instructions of the blocks that are entered from elsewhere than the block above them alone.
fn joined(facts: &IsaFacts) -> BTreeSet<u32> {
    let mut entries: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (index, block) in (1u32..).zip(&facts.blocks) {
        block.successors.iter().for_each(|next| entries.entry(*next).or_default().push(index));
    }
    let alone = |index: u32| entries.get(&index).is_some_and(|from| *from == [index]);
    (0u32..).zip(&facts.blocks).filter(|(index, _)| !alone(*index)).map(|(_, block)| block.first).collect()
}

fn of_export(export: &mut Export, says: bool, instruction: &Instruction, forms: &Forms) {
    let operands = instruction.operands.iter().skip(1).map(vector);
    let defined: Vec<(u8, u16)> = (0u8..4)
        .zip(operands)
        .filter_map(|(at, register)| Some((at, register?.first)))
        .filter(|(_, register)| *register != UNDEFINED)
        .collect();
    let held = || defined.iter().filter_map(|(_, register)| forms.get(register).copied());
    // Where one register is whole, they all are.
    let whole = !export.compressed && (says || export.mask > 0b0011 || held().any(|form| form == Form::Whole));
    let pair = held().filter(|form| *form != Form::Whole).max();
    export.form = if whole { Some(Form::Whole) } else { pair.or(export.compressed.then_some(Form::Pair)) };
    let pairs = !whole && pair.is_some();
    if pairs && !export.compressed {
        export.compressed = true;
        export.mask =
            defined.iter().fold(0, |mask, (at, _)| mask | 0b0011u8.checked_shl(u32::from(*at) * 2).unwrap_or(0));
    }
}

/// What registers hold after an instruction.
fn follow(instruction: &Instruction, forms: &mut Forms) {
    let made: Vec<(u16, Form)> = instruction
        .each()
        .filter_map(|(name, operands)| Some((vector(operands.first()?)?.first, form(&name, operands, forms)?)))
        .collect();
    for (registers, _) in instruction.registers().filter(|(r, a)| r.file == File::Vector && a.writes()) {
        let end = registers.first.saturating_add(registers.count);
        (registers.first..end).for_each(|register| _ = forms.remove(&register));
    }
    forms.extend(made);
}

/// Instructions that pack two values, or leave one 16-bit float in a half, by what their names start with.
const PACKS: [(&str, Form); 12] = [
    ("v_fma_mixlo_f16", Form::Half),
    ("v_fma_mixhi_f16", Form::Half),
    ("v_mad_mixlo_f16", Form::Half),
    ("v_mad_mixhi_f16", Form::Half),
    ("v_cvt_pkrtz_f16", Form::Half),
    ("v_cvt_pk_rtz_f16", Form::Half),
    ("v_cvt_pknorm_u16", Form::Unorm),
    ("v_cvt_pk_norm_u16", Form::Unorm),
    ("v_cvt_pknorm_i16", Form::Snorm),
    ("v_cvt_pk_norm_i16", Form::Snorm),
    ("v_cvt_pk_u16", Form::Uint),
    ("v_cvt_pk_i16", Form::Sint),
];

/// The form of what an instruction leaves in its first register.
fn form(name: &str, operands: &[Operand], forms: &Forms) -> Option<Form> {
    let of = |at: usize| forms.get(&vector(operands.get(at)?)?.first).copied();
    if let Some((_, form)) = PACKS.iter().find(|(prefix, _)| name.starts_with(prefix)) {
        return Some(*form);
    }
    // The result's type is the first of those in a name.
    let mut types = name.split('_').filter(|part| part.len() == 3 && part.starts_with(['f', 'u', 'i', 'b']));
    match types.find(|part| part.bytes().skip(1).all(|b| b.is_ascii_digit())) {
        // Whole registers are moved, regardless of their contents.
        Some("b32") if name.starts_with("v_mov_b32") && !name.ends_with("_sdwa") => of(1),
        Some("b32") if name.starts_with("v_cndmask_b32") && of(1) == of(2) => of(1),
        // It packs any two values.
        Some("b32") if name.starts_with("v_pack_b32_f16") => Some(Form::Pair),
        Some("b32") if name.starts_with("v_perm_b32") => joins_halves(operands.get(3)?).then_some(Form::Pair),
        Some("f16" | "u16" | "i16") if name.starts_with("v_pk_") => Some(Form::Pair),
        Some("f32") => Some(Form::Whole),
        _ => None,
    }
}

/// Whether a selection of bytes takes a half of each of two registers.
fn joins_halves(selection: &Operand) -> bool {
    let OperandKind::Literal(text) = &selection.kind else { return false };
    let Some(bytes) = text.strip_prefix("0x").and_then(|hex| u32::from_str_radix(hex, 16).ok()) else { return false };
    let [low, high] = [bytes & 0xffff, bytes >> 16];
    // Bytes 3 to 0 are those of the second register, 7 to 4 those of the first.
    let half = |half: u32| [0x0100, 0x0302, 0x0504, 0x0706].contains(&half);
    half(low) && half(high) && low >> 2 & 1 != high >> 2 & 1
}

fn vector(operand: &Operand) -> Option<Registers> {
    match operand.kind {
        OperandKind::Registers(registers) if registers.file == File::Vector => Some(registers),
        _ => None,
    }
}
