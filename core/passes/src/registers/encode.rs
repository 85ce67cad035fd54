//! Numbers of a program as fields of its registers count them: in blocks, in units. What is too large for a field is its
//! largest value.

use super::Field;
use lanescope_model::target::Target;

/// Scalar registers of a block.
pub(super) const SGPR_BLOCK: u32 = 8;
/// Bytes of one unit of LDS_SIZE, on every IP.
pub(super) const LDS_UNIT: u64 = 512;
/// Bytes of code of one unit of INST_PREF_SIZE.
pub(super) const PREFETCH_UNIT: u32 = 128;

/// Vector registers of a block, by the lanes of a wave.
pub(super) fn vgpr_block(wave: u32) -> u32 {
    if wave == 32 { 8 } else { 4 }
}

/// VGPRS, by the vector registers that each lane of a wave has.
pub fn vgprs(count: u32, wave: u32) -> u32 {
    count.saturating_sub(1) / vgpr_block(wave)
}

/// SGPRS, by the scalar registers that a wave has; none where the field is not used.
pub fn sgprs(count: u32, target: Target) -> Option<u32> {
    target.ip().has_sgpr_count.then_some(count.saturating_sub(1) / SGPR_BLOCK)
}

/// LDS_SIZE, by bytes of the workgroup's memory.
pub fn lds_size(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(LDS_UNIT)).unwrap_or(u32::MAX)
}

/// INST_PREF_SIZE, by bytes of code.
pub fn prefetch_size(code: u32) -> u32 {
    code.div_ceil(PREFETCH_UNIT)
}

impl Field {
    /// The value as the field holds it: at most its largest one.
    pub fn hold(&self, value: u32) -> u32 {
        value.min(u32::MAX.checked_shr(32u32.saturating_sub(self.width)).unwrap_or(0))
    }
}
