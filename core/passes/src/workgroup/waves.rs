//! Waves: how many lanes they have, and what part of the workgroup each covers.

use super::Layout;
use lanescope_base::ids::Wave;
use lanescope_model::options::{Options, WaveChoice};
use lanescope_model::program::StageKind;

/// The wave size of a compute, task or mesh entry with that many invocations.
///
/// Source: LLPC without tuning options and without a required subgroup size, which SPIR-V does not carry. Chips before
/// graphics IP 10 have waves of 64 only, regardless of the request.
pub fn wave_size(options: &Options, stage: StageKind, invocations: u64) -> u32 {
    let target = options.target;
    match options.wave {
        _ if !target.ip().has_wave32 => 64,
        WaveChoice::Wave32 => 32,
        WaveChoice::Wave64 => 64,
        WaveChoice::Auto if stage == StageKind::Compute => {
            if invocations <= 32 {
                32
            } else {
                target.ip().compute_wave
            }
        }
        WaveChoice::Auto => target.ip().mesh_wave,
    }
}

/// Invocations of one wave. Ranges include both ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaveExtent {
    /// The wave.
    pub wave: Wave,
    /// Smallest and largest x.
    pub x: [u32; 2],
    /// Smallest and largest y.
    pub y: [u32; 2],
    /// Smallest and largest z.
    pub z: [u32; 2],
    /// Number of its lanes that run an invocation.
    pub lanes: u32,
}

impl WaveExtent {
    /// Whether the wave fills its ranges: it covers one box.
    pub fn is_box(&self) -> bool {
        let span = |[low, high]: [u32; 2]| u64::from(high - low) + 1;
        span(self.x) * span(self.y) * span(self.z) == u64::from(self.lanes)
    }
}

impl Layout {
    /// The coverage of each wave, in wave order; empty where the layout has no lanes. `NumSubgroups` is their number.
    pub fn waves(&self) -> Vec<WaveExtent> {
        let lanes = self.lanes.as_deref().unwrap_or(&[]);
        let waves = lanes.chunks(self.wave.max(1) as usize).zip(0..);
        waves
            .map(|(ids, wave)| {
                let range = |axis: usize| {
                    let values = ids.iter().map(|id| id[axis]);
                    values.fold([u32::MAX, 0], |[low, high], v| [low.min(v), high.max(v)])
                };
                WaveExtent { wave: Wave(wave), x: range(0), y: range(1), z: range(2), lanes: ids.len() as u32 }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use lanescope_model::target::Target;

    use super::*;

    fn size(target: Target, wave: WaveChoice, stage: StageKind, invocations: u64) -> u32 {
        wave_size(&Options { target, wave, ..Options::default() }, stage, invocations)
    }

    #[test]
    fn chooses_default_wave_size() {
        use StageKind::{Compute, Mesh, Task};
        use Target::*;
        for (target, small, large, mesh) in [
            (Gfx803, 64, 64, 64),
            (Gfx900, 64, 64, 64),
            (Gfx1010, 32, 32, 32),
            (Gfx1030, 32, 64, 32),
            (Gfx1100, 32, 64, 64),
            (Gfx1200, 32, 64, 64),
        ] {
            let auto = |stage, n| size(target, WaveChoice::Auto, stage, n);
            assert_eq!([auto(Compute, 1), auto(Compute, 32)], [small; 2], "{target}");
            assert_eq!([auto(Compute, 33), auto(Compute, u64::MAX)], [large; 2], "{target}");
            assert_eq!([auto(Mesh, 32), auto(Task, 128)], [mesh; 2], "{target}");
        }
    }

    #[test]
    fn honours_requested_size_where_supported() {
        for target in [Target::Gfx1010, Target::Gfx1030, Target::Gfx1100, Target::Gfx1200] {
            assert_eq!(size(target, WaveChoice::Wave32, StageKind::Compute, 256), 32);
            assert_eq!(size(target, WaveChoice::Wave64, StageKind::Compute, 16), 64);
        }
        assert_eq!(size(Target::Gfx900, WaveChoice::Wave32, StageKind::Compute, 256), 64);
    }
}
