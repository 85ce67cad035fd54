//! Waves of a SIMD, by the statistics of RADV.

use std::borrow::Cow;

use super::executable::{Statistic, Value};
use super::report::DriverStage;
use lanescope_model::chip::Chip;

/// RADV's statistic, from Mesa 22.3 on.
pub(super) const SUBGROUPS: &str = "Subgroups per SIMD";
/// The row that is added to RADV's statistics.
pub const WAVES: &str = "Waves per SIMD";
/// What it counts.
const ABOUT: &str = "Hardware waves of this shader alone that fit into a SIMD, by Lanescope: the driver's Subgroups per SIMD \
    counts 32 lanes as one and, in wave32, may exceed the wave slots of the chip";

impl DriverStage {
    /// The hardware waves of a SIMD that run this shader, if nothing else runs there. Absent where it does not follow:
    /// for other drivers, and for chips that this build does not know.
    pub fn waves_per_simd(&self) -> Option<u64> {
        let found = self.statistics.iter().find(|statistic| statistic.name == SUBGROUPS)?;
        let number = found.value.number();
        let count = (0.0..1e9).contains(&number).then_some(number as u64)?;
        let target = self.target?.target()?;
        let slots = u64::from(target.ip().wave_slots?);
        // RADV multiplies by the wave size over 32 from GFX10 on. Mesa 22.3 starts from twice the slots in wave32; its
        // limits by registers and LDS are those of the hardware.
        let waves = match self.subgroup_size? {
            64 if target.ip().has_wave32 => count / 2,
            _ => count,
        };
        Some(waves.min(slots))
    }

    /// The driver's statistics, with [`WAVES`] after the one that it follows from, where the two can differ.
    pub(super) fn with_waves(&self) -> Cow<'_, [Statistic]> {
        let is_counted_by_lanes = self.target.and_then(Chip::target).is_some_and(|target| target.ip().has_wave32);
        let at = self.statistics.iter().position(|statistic| statistic.name == SUBGROUPS);
        let (Some(at), Some(waves), true) = (at, self.waves_per_simd(), is_counted_by_lanes) else {
            return Cow::Borrowed(&self.statistics);
        };
        let mut all = self.statistics.clone();
        let row = Statistic { name: WAVES.to_owned(), description: ABOUT.to_owned(), value: Value::Uint(waves) };
        all.insert(at + 1, row);
        Cow::Owned(all)
    }
}
