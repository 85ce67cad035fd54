//! Waves of a SIMD that one shader's resources allow.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::chip::{ChipFacts, LDS_OF_SIMD};
use lanescope_base::named_enum;

named_enum!(
    /// What limits the waves of a SIMD.
    Limiter {
        /// The slots for waves.
        WaveSlots = "wave slots",
        /// Vector registers.
        Vgprs = "VGPRs",
        /// Scalar registers: on GCN.
        Sgprs = "SGPRs",
        /// Local data share.
        Lds = "LDS",
    }
);

/// Waves, and what limits them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Occupancy {
    /// Hardware waves of a SIMD.
    pub waves: u32,
    /// The first of the limits that allow no more.
    pub limiter: Limiter,
}

/// What a wave of a shader takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resources {
    /// Lanes of the wave.
    pub wave: u32,
    /// Vector registers of a lane.
    pub vgprs: u32,
    /// Scalar registers.
    pub sgprs: u32,
    /// Bytes of LDS, as allocated.
    pub lds: u64,
}

impl Resources {
    /// The waves that fit; none where the chip's registers or slots are not known.
    ///
    /// Vector registers: those of a SIMD over those of the wave, rounded up to the granule; a wave64 takes two registers of a
    /// wave32. LDS: what a SIMD's share holds, at least one wave.
    pub fn occupancy(&self, chip: &ChipFacts) -> Option<Occupancy> {
        let mut out = Occupancy { waves: chip.wave_slots?, limiter: Limiter::WaveSlots };
        let mut limit = |waves: u64, limiter| {
            if waves < u64::from(out.waves) {
                out = Occupancy { waves: waves as u32, limiter };
            }
        };
        let vgprs = chip.vgprs?;
        let of_wave = (self.wave / vgprs.lanes).max(1);
        let granule = (vgprs.granule / of_wave).max(1);
        if self.vgprs > 0 {
            let taken = u64::from(self.vgprs).next_multiple_of(granule.into()) * u64::from(of_wave);
            limit(u64::from(vgprs.count) / taken, Limiter::Vgprs);
        }
        if let Some(sgprs) = chip.sgprs.filter(|_| self.sgprs > 0) {
            limit(
                u64::from(sgprs.count) / u64::from(self.sgprs).next_multiple_of(sgprs.granule.into()),
                Limiter::Sgprs,
            );
        }
        if let Some(fit) = LDS_OF_SIMD.checked_div(self.lds) {
            limit(fit.max(1), Limiter::Lds);
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_model::target::Target;

    fn of(target: Target, wave: u32, vgprs: u32, sgprs: u32, lds: u64) -> (u32, Limiter) {
        let found = Resources { wave, vgprs, sgprs, lds }.occupancy(&ChipFacts::of(target)).expect("a known chip");
        (found.waves, found.limiter)
    }

    /// Compute shaders in waves of 32, as Mesa 22.3.6 counted them.
    #[test]
    fn waves_of_32_are_those_of_the_driver() {
        let seen = [
            (Target::Gfx1010, [(80, 12), (112, 9), (144, 7)]),
            (Target::Gfx1030, [(80, 12), (112, 9), (144, 7)]),
            (Target::Gfx1100, [(96, 16), (120, 12), (144, 10)]),
        ];
        for (target, rows) in seen {
            for (vgprs, waves) in rows {
                assert_eq!(of(target, 32, vgprs, 128, 0).0, waves, "{target}, {vgprs} VGPRs");
            }
        }
    }

    #[test]
    fn names_what_limits_the_waves() {
        assert_eq!(of(Target::Gfx1030, 64, 8, 16, 0), (16, Limiter::WaveSlots));
        // 65 of 512 wave64 registers, rounded up to 72.
        assert_eq!(of(Target::Gfx1030, 64, 65, 16, 0), (7, Limiter::Vgprs));
        // 65 of 1024 wave32 registers, rounded up to 80.
        assert_eq!(of(Target::Gfx1030, 32, 65, 16, 0), (12, Limiter::Vgprs));
        assert_eq!(of(Target::Gfx1010, 64, 65, 16, 0), (7, Limiter::Vgprs), "rounded up to 68");
        assert_eq!(of(Target::Gfx1100, 64, 65, 16, 0), (10, Limiter::Vgprs), "768 over 72");
        assert_eq!(of(Target::Gfx906, 64, 29, 16, 0), (8, Limiter::Vgprs));
        assert_eq!(of(Target::Gfx906, 64, 8, 97, 0), (7, Limiter::Sgprs));
        assert_eq!(of(Target::Gfx1030, 64, 8, 97, 2048), (8, Limiter::Lds));
        assert_eq!(of(Target::Gfx1030, 64, 8, 97, 65536), (1, Limiter::Lds));
        let unknown = Target::of_driver("gfx9999").expect("a name");
        assert_eq!(Resources { wave: 64, ..Resources::default() }.occupancy(&ChipFacts::of(unknown)), None);
    }
}
