//! Facts of AMD's chips that the costs of an interface depend on, each with its mark. One place for all of them.
//!
//! S: read in the sources of Mesa (`ac_gpu_info.c`, `radv_shader.c`) and PAL. What is not known of a chip is absent.

use lanescope_model::target::{GraphicsIp, Target};

/// Bytes of LDS that a SIMD's waves may take: 64 KiB of four SIMDs on GCN, 128 KiB of the four of two compute units
/// later. S.
pub const LDS_OF_SIMD: u64 = 16 << 10;
/// Most slots that a wave can have on any chip of the table; the numbers that chips have. S.
pub const WAVE_SLOTS: [u32; 4] = [8, 10, 16, 20];
/// The granules of LDS that chips of the table have, in bytes. S.
pub const LDS_GRANULES: [u64; 2] = [512, 1024];

/// What is known of a chip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChipFacts {
    /// The chip.
    pub target: Target,
    /// Waves that a SIMD holds at most. S.
    pub wave_slots: Option<u32>,
    /// Vector registers of a SIMD.
    pub vgprs: Option<Vgprs>,
    /// Scalar registers of a SIMD, where they limit waves: on GCN. S.
    pub sgprs: Option<Sgprs>,
    /// In what multiples LDS is allocated to a wave, with who does so: two where sources differ.
    pub lds_granules: Vec<LdsGranule>,
    /// Lines of the parameter cache. S. How many bytes a line has is not known.
    pub parameter_cache_lines: Option<u32>,
    /// Bytes of the attribute ring of a shader engine. S.
    pub attribute_ring: Option<u64>,
    /// Bytes of an L2 line. S.
    pub l2_line: Option<u32>,
}

/// Vector registers of a SIMD, in registers of a wave32; of a wave64 on GCN. S.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vgprs {
    /// How many there are.
    pub count: u32,
    /// They are allocated in multiples of this.
    pub granule: u32,
    /// Lanes that a register is counted for.
    pub lanes: u32,
}

/// Scalar registers of a SIMD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sgprs {
    /// How many there are.
    pub count: u32,
    /// They are allocated in multiples of this.
    pub granule: u32,
}

/// A granule of LDS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LdsGranule {
    /// Bytes.
    pub bytes: u64,
    /// Whose source has it, where sources differ; else empty.
    pub by: &'static str,
}

impl ChipFacts {
    /// The facts of a chip.
    pub fn of(target: Target) -> ChipFacts {
        let ip = target.ip();
        ChipFacts {
            target,
            wave_slots: ip.wave_slots,
            vgprs: vgprs(target),
            sgprs: (is_known(ip) && !ip.has_wave32).then_some(Sgprs { count: 800, granule: 16 }),
            lds_granules: lds_granules(ip),
            parameter_cache_lines: parameter_cache_lines(target),
            attribute_ring: attribute_ring(target),
            l2_line: l2_line(ip),
        }
    }

    /// Whether it is one of GCN's chips, which export in order.
    pub fn is_gcn(&self) -> bool {
        let ip = self.target.ip();
        is_known(ip) && !ip.has_wave32
    }
}

fn is_known(ip: &GraphicsIp) -> bool {
    ip.wave_slots.is_some()
}

fn lds_granules(ip: &GraphicsIp) -> Vec<LdsGranule> {
    match ip.lds_granule {
        Some(bytes) => vec![LdsGranule { bytes: bytes.into(), by: "" }],
        // Graphics IP 12.
        None if is_known(ip) => vec![LdsGranule { bytes: 512, by: "PAL" }, LdsGranule { bytes: 1024, by: "Mesa" }],
        None => Vec::new(),
    }
}

fn vgprs(target: Target) -> Option<Vgprs> {
    let [count, granule, lanes] = match target {
        Target::Gfx803 | Target::Gfx900 | Target::Gfx902 | Target::Gfx904 => [256, 4, 64],
        Target::Gfx906 | Target::Gfx909 | Target::Gfx90c => [256, 4, 64],
        Target::Gfx1010 | Target::Gfx1011 | Target::Gfx1012 => [1024, 8, 32],
        Target::Gfx1030 | Target::Gfx1031 | Target::Gfx1032 | Target::Gfx1033 => [1024, 16, 32],
        Target::Gfx1034 | Target::Gfx1035 | Target::Gfx1036 => [1024, 16, 32],
        // 1.5 times the registers; gfx1151 by LLVM's AMDGPUUsage.rst.
        Target::Gfx1100 | Target::Gfx1101 | Target::Gfx1151 => [1536, 24, 32],
        Target::Gfx1102 | Target::Gfx1103 | Target::Gfx1150 => [1024, 16, 32],
        Target::Gfx1200 | Target::Gfx1201 => [1536, 24, 32],
        _ => return None,
    };
    Some(Vgprs { count, granule, lanes })
}

fn parameter_cache_lines(target: Target) -> Option<u32> {
    Some(match target {
        Target::Gfx900 | Target::Gfx904 | Target::Gfx906 => 2048,
        Target::Gfx902 | Target::Gfx90c => 1024,
        Target::Gfx1010 | Target::Gfx1011 => 1024,
        Target::Gfx1012 => 512,
        Target::Gfx1030 | Target::Gfx1031 | Target::Gfx1032 => 1024,
        Target::Gfx1034 => 512,
        Target::Gfx1033 | Target::Gfx1035 | Target::Gfx1036 => 256,
        _ => return None,
    })
}

/// Chips with an infinity cache: 1400 KiB, rounded up to 64 KiB. Of others it depends on L2, and on graphics IP 12 on the
/// driver's version.
fn attribute_ring(target: Target) -> Option<u64> {
    matches!(target, Target::Gfx1100 | Target::Gfx1101 | Target::Gfx1102).then_some(1408 << 10)
}

fn l2_line(ip: &GraphicsIp) -> Option<u32> {
    let line = match (ip.has_wave32, ip.walks_tiles) {
        (false, _) => 64,
        (true, false) => 128,
        (true, true) => 256,
    };
    is_known(ip).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_model::target::TARGETS;

    /// The constants that sentences about any chip quantify over are those of the table.
    #[test]
    fn constants_are_those_of_all_chips() {
        let (mut slots, mut granules) = (Vec::new(), Vec::new());
        for row in TARGETS {
            let facts = ChipFacts::of(row.target);
            slots.extend(facts.wave_slots);
            granules.extend(facts.lds_granules.iter().map(|granule| granule.bytes));
            assert_eq!(facts.is_gcn(), facts.sgprs.is_some());
            let known = facts.parameter_cache_lines.is_some() && row.ip.has_attribute_ring == Some(true);
            assert!(!known, "{} has no parameter cache", row.name);
        }
        slots.sort_unstable();
        slots.dedup();
        granules.sort_unstable();
        granules.dedup();
        assert_eq!((slots.as_slice(), granules.as_slice()), (&WAVE_SLOTS[..], &LDS_GRANULES[..]));
    }
}
