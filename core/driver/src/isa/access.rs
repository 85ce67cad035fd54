//! Which operands an instruction reads and which it writes.
//!
//! AMD's assembly names the destination first; what differs is a short list of families below.

use super::encoding::interpolates_to_high_half;
use super::names::is_export;
use super::{Access, Instruction, Operand, OperandKind};

/// Sets [`super::Operand::access`] of every register.
pub(super) fn mark(instructions: &mut [Instruction]) {
    for instruction in instructions {
        let written = written(instruction);
        let keeps = keeps(instruction);
        let of_half = |operand: &Operand| operand.half.is_some();
        let swaps = instruction.mnemonic.starts_with("v_swap");
        let second = second_of_pair(instruction);
        let registers = instruction.operands.iter_mut().enumerate().filter(|(_, o)| o.is_register());
        for (index, operand) in registers {
            operand.access = match second.filter(|(at, _)| *at == index) {
                Some((_, true)) => Access::Both,
                Some((_, false)) if of_half(operand) => Access::Both,
                Some((_, false)) => Access::Write,
                None if index >= written => Access::Read,
                None if keeps || swaps || of_half(operand) => Access::Both,
                None => Access::Write,
            };
        }
    }
}

/// Of a pair of instructions, which operand is the second one's destination, and whether its old value shows in the new
/// one.
fn second_of_pair(instruction: &Instruction) -> Option<(usize, bool)> {
    let (name, operands) = instruction.each().nth(1)?;
    Some((instruction.operands.len().checked_sub(operands.len())?, accumulates(&name)))
}

/// Scalar instructions whose operands are all sources. What starts with `s_set` sets modes, M0 or the program's
/// counter.
const NOTHING_WRITTEN: [&str; 19] = [
    "s_cmp",
    "s_bitcmp",
    "s_branch",
    "s_cbranch",
    "s_set",
    "s_sendmsg",
    "s_wait",
    "s_nop",
    "s_barrier",
    "s_endpgm",
    "s_inst_",
    "s_dcache",
    "s_clause",
    "s_sleep",
    "s_wakeup",
    "s_prefetch_",
    "s_buffer_prefetch_",
    "s_ttracedata",
    "s_alloc_vgpr",
];

/// How many of the first operands are destinations.
fn written(instruction: &Instruction) -> usize {
    let name = instruction.mnemonic.as_str();
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let memory =
        starts(&["buffer_", "tbuffer_", "image_", "global_", "flat_", "scratch_", "ds_", "s_buffer_", "s_scratch_"]);
    if is_export(name) || starts(&NOTHING_WRITTEN) && !name.starts_with("s_sendmsg_rtn") {
        return 0;
    }
    if memory || starts(&["s_atomic", "s_store"]) {
        let store = has(&["_store", "_write", "ds_gws", "_wb", "_inv", "_prefetch"]);
        // With `glc`, from GFX12 on `th:TH_ATOMIC_RETURN` (or as `_rtn`), the old value comes back; the bare form returns
        // nothing. DS atomics are bare.
        let returns = instruction.modifier("glc").is_some()
            || instruction.modifier("th").is_some_and(|hint| hint.contains("RETURN") || hint.ends_with("_RT"));
        let atomic = has(&["_atomic"]) && !returns;
        let local = name.starts_with("ds_")
            && !has(&["_read", "_load", "_rtn", "ds_swizzle", "permute", "ds_append", "ds_consume", "ds_ordered"]);
        return usize::from(!(store || atomic || local));
    }
    // The comparison's result is EXEC itself from GFX10 on, and is then not named.
    if name.starts_with("v_cmpx") && !instruction.writes_mask_first() {
        return 0;
    }
    let carries = starts(&["v_add_co", "v_sub_co", "v_subrev_co", "v_addc", "v_subb", "v_add_co_ci", "v_sub_co_ci"]);
    if carries || starts(&["v_div_scale", "v_mad_u64_u32", "v_mad_i64_i32", "v_swap"]) {
        return 2;
    }
    1
}

/// Whether an instruction of that name adds to its destination, or writes a part of it.
fn accumulates(name: &str) -> bool {
    const ALL: [&str; 19] = [
        "v_mac_",
        "v_fmac_",
        "v_pk_fmac",
        "v_dot2c",
        "v_dot2acc",
        "v_dot4c",
        "v_dot8c",
        "v_writelane",
        "s_fmac_",
        "s_addk",
        "s_mulk",
        "s_cmovk",
        "s_cmov_",
        "s_bitset",
        "v_fma_mixlo",
        "v_fma_mixhi",
        "v_mad_mixlo",
        "v_mad_mixhi",
        "v_movreld",
    ];
    ALL.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether the destination's old value shows in the new one.
fn keeps(instruction: &Instruction) -> bool {
    let name = instruction.mnemonic.as_str();
    // From GFX11 on the sum is an operand of its own.
    let second =
        name.starts_with("v_interp_p2_f32_e32") || name == "v_interp_p2_f32" && instruction.attribute().is_some();
    let half = name.contains("_d16") && !name.contains("_store");
    let sdwa = instruction.modifier("dst_unused") == Some("UNUSED_PRESERVE");
    let first = instruction.each().next();
    let accumulates = first.is_some_and(|(name, _)| accumulates(&name));
    let dpp = name.ends_with("_dpp") && !reaches_every_lane(instruction);
    accumulates || second || half || sdwa || dpp || high_half(instruction) || swaps_with_memory(name)
}

/// Whether what goes to memory and what comes back share one operand; others have a destination of their own.
fn swaps_with_memory(name: &str) -> bool {
    ["buffer_atomic_", "image_atomic_", "s_buffer_atomic_", "s_atomic_"].iter().any(|prefix| name.starts_with(prefix))
}

/// Whether a move between lanes writes each lane that runs.
fn reaches_every_lane(instruction: &Instruction) -> bool {
    let has = |name| instruction.modifier(name).is_some();
    // Inside of a quad or of eight lanes each has a partner, which may not run.
    let asleep = instruction.modifier("fi") == Some("1") && (has("quad_perm") || has("dpp8"));
    let all = |name| instruction.modifier(name).is_none_or(|mask| mask == "0xf");
    // A lane without a partner keeps its value, unless bounds are given up.
    (has("bound_ctrl") || asleep) && all("row_mask") && all("bank_mask")
}

/// Whether `op_sel` names the high half of the destination: its last bit, after those of the sources.
fn high_half(instruction: &Instruction) -> bool {
    if interpolates_to_high_half(instruction) {
        return true;
    }
    let Some(bits) = instruction.modifier("op_sel") else { return false };
    let bits: Vec<&str> = bits.trim_matches(['[', ']']).split(',').collect();
    // Packed instructions have a bit for each source only.
    bits.len() == instruction.operands.len() && bits.last() == Some(&"1")
}

impl Operand {
    fn is_register(&self) -> bool {
        matches!(self.kind, OperandKind::Registers(_))
    }
}

impl Instruction {
    /// The attribute's channel that it names.
    pub(super) fn attribute(&self) -> Option<(u32, u8)> {
        self.operands.iter().find_map(|operand| match operand.kind {
            OperandKind::Attribute { attribute, channel } => Some((attribute, channel)),
            _ => None,
        })
    }

    /// Whether a comparison names where its mask goes.
    fn writes_mask_first(&self) -> bool {
        use super::File::{Exec, Scalar, Vcc};
        let first = self.operands.first().map(|operand| &operand.kind);
        // Three operands: the mask and two values.
        self.operands.len() > 2
            && matches!(first, Some(OperandKind::Registers(r)) if matches!(r.file, Exec | Scalar | Vcc))
    }
}
