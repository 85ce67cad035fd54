//! Names that differ between generations and versions of the disassembler, in tables.
//!
//! GFX8 to GFX10, GFX11 and GFX12 name the same thing differently: a parameter load is `lds_param_load` on GFX11 and
//! `ds_param_load` on GFX12, an export `exp` and `export`; GFX12 waits for one counter an instruction. LLVM 15 to 22
//! differ in modifiers alone. All code that reads a name uses this table, so a new name is one more row.

use super::{BarrierPart, Instruction, LaneMoveKind};

/// Exports to the rasteriser and to attachments.
const EXPORTS: [&str; 2] = ["exp", "export"];
/// Loads of an attribute's three vertices.
const PARAMETER_LOADS: [&str; 2] = ["lds_param_load", "ds_param_load"];
/// Loads of one value of the workgroup's memory by the address in M0.
const DIRECT_LOADS: [&str; 2] = ["lds_direct_load", "ds_direct_load"];

/// How a wait says what it waits for.
pub(super) enum WaitText {
    /// Its operands, as printed.
    Printed,
    /// Operands after the counter's name: `vscnt null 0x0`.
    Named(&'static str),
    /// One number, with a counter in each byte: the last counter in the lowest.
    Counters(&'static [&'static str]),
}

/// Instructions that wait. GFX8 to GFX11 have `s_waitcnt`, from GFX10 on with a form for each counter; GFX12 has a name
/// for each counter, and for two pairs.
const WAITS: [(&str, WaitText); 18] = [
    ("s_waitcnt", WaitText::Printed),
    ("s_waitcnt_vscnt", WaitText::Named("vscnt")),
    ("s_waitcnt_vmcnt", WaitText::Named("vmcnt")),
    ("s_waitcnt_expcnt", WaitText::Named("expcnt")),
    ("s_waitcnt_lgkmcnt", WaitText::Named("lgkmcnt")),
    ("s_waitcnt_depctr", WaitText::Named("depctr")),
    ("s_wait_alu", WaitText::Named("alu")),
    ("s_wait_event", WaitText::Named("event")),
    ("s_wait_idle", WaitText::Named("idle")),
    ("s_wait_loadcnt", WaitText::Counters(&["loadcnt"])),
    ("s_wait_samplecnt", WaitText::Counters(&["samplecnt"])),
    ("s_wait_bvhcnt", WaitText::Counters(&["bvhcnt"])),
    ("s_wait_storecnt", WaitText::Counters(&["storecnt"])),
    ("s_wait_dscnt", WaitText::Counters(&["dscnt"])),
    ("s_wait_kmcnt", WaitText::Counters(&["kmcnt"])),
    ("s_wait_expcnt", WaitText::Counters(&["expcnt"])),
    ("s_wait_loadcnt_dscnt", WaitText::Counters(&["loadcnt", "dscnt"])),
    ("s_wait_storecnt_dscnt", WaitText::Counters(&["storecnt", "dscnt"])),
];

/// Barriers. GFX12 splits them.
const BARRIERS: [(&str, BarrierPart); 11] = [
    ("s_barrier", BarrierPart::Whole),
    ("s_barrier_signal", BarrierPart::Signal),
    ("s_barrier_signal_isfirst", BarrierPart::Signal),
    ("s_barrier_signal_var", BarrierPart::Signal),
    ("s_barrier_signal_isfirst_var", BarrierPart::Signal),
    ("s_barrier_wait", BarrierPart::Wait),
    ("s_barrier_init", BarrierPart::Other),
    ("s_barrier_join", BarrierPart::Other),
    ("s_barrier_leave", BarrierPart::Other),
    ("s_wakeup_barrier", BarrierPart::Other),
    ("s_get_barrier_state", BarrierPart::Other),
];

/// Moves between lanes by a modifier.
const MOVES: [(&str, LaneMoveKind); 14] = [
    ("row_shl", LaneMoveKind::RowShift),
    ("row_shr", LaneMoveKind::RowShift),
    ("row_ror", LaneMoveKind::RowRotate),
    ("row_mirror", LaneMoveKind::RowMirror),
    ("row_half_mirror", LaneMoveKind::RowHalfMirror),
    ("row_bcast", LaneMoveKind::RowBroadcast),
    ("row_newbcast", LaneMoveKind::RowBroadcast),
    ("row_share", LaneMoveKind::RowShare),
    ("row_xmask", LaneMoveKind::RowXor),
    ("wave_shl", LaneMoveKind::WaveShift),
    ("wave_shr", LaneMoveKind::WaveShift),
    ("wave_rol", LaneMoveKind::WaveRotate),
    ("wave_ror", LaneMoveKind::WaveRotate),
    ("dpp8", LaneMoveKind::Eight),
];

/// Moves between lanes by the beginning of a name.
const MOVERS: [(&str, LaneMoveKind); 4] = [
    ("v_permlane", LaneMoveKind::Permlane),
    ("ds_swizzle", LaneMoveKind::Swizzle),
    ("ds_permute", LaneMoveKind::Permute),
    ("ds_bpermute", LaneMoveKind::Permute),
];

/// Parts of names that GFX11 and later have, and none before.
const SINCE_GFX11: [&str; 9] = [
    "s_delay_alu",
    "ds_param_load",
    "v_dual_",
    "s_wait_",
    "_load_b32",
    "_load_b64",
    "_load_b128",
    "_store_b32",
    "_store_b128",
];
/// Parts of names that only chips before GFX11 have.
const BEFORE_GFX11: [&str; 7] = ["_dword", "ds_read", "ds_write", "v_interp_p1_", "_sdwa", "s_ff1_", "s_andn2_"];
/// The end of a program, as encoded from GFX11 on and before.
const ENDS: [(&str, bool); 2] = [("bfb00000", true), ("bf810000", false)];

pub(super) fn is_export(name: &str) -> bool {
    EXPORTS.contains(&name)
}

/// Whether it loads an attribute's three vertices into the lanes of a quad.
pub(super) fn is_parameter_load(name: &str) -> bool {
    PARAMETER_LOADS.contains(&name)
}

pub(super) fn is_direct_load(name: &str) -> bool {
    DIRECT_LOADS.contains(&name)
}

pub(super) fn wait(name: &str) -> Option<&'static WaitText> {
    WAITS.iter().find(|(known, _)| *known == name).map(|(_, text)| text)
}

pub(super) fn barrier(name: &str) -> Option<BarrierPart> {
    BARRIERS.iter().find(|(known, _)| *known == name).map(|(_, part)| *part)
}

/// Between which lanes an instruction moves, where not within a quad.
pub(super) fn lane_move(instruction: &Instruction) -> Option<LaneMoveKind> {
    let by_name = MOVERS.iter().find(|(name, _)| instruction.mnemonic.starts_with(name));
    let found = by_name.or_else(|| MOVES.iter().find(|(name, _)| instruction.modifier(name).is_some()));
    found.map(|(_, how)| *how)
}

/// Whether a chip from GFX11 on runs these; none where nothing shows it. From GFX11 on the coordinates of an invocation are
/// packed into one register.
pub(super) fn is_gfx11(instructions: &[Instruction]) -> Option<bool> {
    let by_end = |i: &Instruction| {
        let end = i.mnemonic == "s_endpgm";
        ENDS.iter().find(|(words, _)| end && i.words == *words).map(|(_, since)| *since)
    };
    let by_name = |i: &Instruction| {
        let has = |parts: &[&str]| parts.iter().any(|part| i.mnemonic.contains(part));
        match () {
            () if has(&SINCE_GFX11) => Some(true),
            () if has(&BEFORE_GFX11) => Some(false),
            () => None,
        }
    };
    instructions.iter().find_map(by_end).or_else(|| instructions.iter().find_map(by_name))
}
