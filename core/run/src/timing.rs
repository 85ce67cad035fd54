//! How long a device takes for variants of one dispatch, as plain data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Clock;

/// How often variants are timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeat {
    /// Samples of each variant. Each round takes one of every variant, in an order of its own.
    pub rounds: u32,
    /// What the orders of the rounds follow from.
    pub seed: u64,
    /// The least time of a sample in nanoseconds: it dispatches so often, up to [`Repeat::MOST_DISPATCHES`].
    pub sample: u64,
}

impl Repeat {
    /// 31 rounds of samples of a millisecond.
    pub const DEFAULT: Repeat = Repeat { rounds: 31, seed: 0, sample: 1_000_000 };
    /// The most rounds.
    pub const MOST_ROUNDS: u32 = 1000;
    /// The most dispatches of a sample.
    pub const MOST_DISPATCHES: u32 = 1000;
    /// All samples together take at most so many time limits of a submission, as far as the first ones tell.
    pub const TIME_LIMITS: u32 = 8;

    /// The order of so many variants in a round: each once.
    pub fn order(&self, round: u32, variants: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..variants).collect();
        for last in (1..variants).rev() {
            let source = super::fill::Source { seed: self.seed, set: round, binding: last as u32, element: 0 };
            order.swap(last, (source.hash(0) % (last as u64 + 1)) as usize);
        }
        order
    }
}

impl Default for Repeat {
    fn default() -> Repeat {
        Repeat::DEFAULT
    }
}

/// Times of variants of one dispatch on a device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Timing {
    /// The device's name.
    pub device: String,
    /// Lanes of its subgroups, as the device says.
    pub subgroup: u32,
    /// The fewest and the most lanes that its subgroups may have, where no size was required.
    pub subgroup_range: [u32; 2],
    /// Whose clock took the times.
    pub clock: Clock,
    /// The dispatch in workgroups.
    pub groups: [u32; 3],
    /// Dispatches of a sample, each after the one before.
    pub dispatches: u32,
    /// Rounds that were asked for: there are fewer samples where they would take too long.
    pub wanted_rounds: u32,
    /// Whether all buffers are in memory of the device; one that is not is reached over the bus.
    pub device_memory: bool,
    /// The variants, in the order in which they were given.
    pub variants: Vec<Samples>,
    /// A shader that only computes, once a round: how steady the device's clock was. Absent where it cannot run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reference: Option<Samples>,
    /// The validation layer's warnings; empty without it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<String>,
}

/// The times of one variant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Samples {
    /// Nanoseconds of all dispatches of a sample, by round.
    pub nanoseconds: Vec<u64>,
}

/// The middle of some times, and how far they spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spread {
    /// Half of the times are not longer.
    pub median: u64,
    /// A quarter is not longer.
    pub lower: u64,
    /// Three quarters are not longer.
    pub upper: u64,
}

impl Samples {
    /// The middle of the times, and how far they spread; none without times.
    pub fn spread(&self) -> Option<Spread> {
        let mut sorted = self.nanoseconds.clone();
        sorted.sort_unstable();
        // The nearest rank: a time that was measured.
        let at = |share: usize| sorted.get((sorted.len() * share).div_ceil(4).saturating_sub(1)).copied();
        Some(Spread { median: at(2)?, lower: at(1)?, upper: at(3)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_are_times_that_were_measured() {
        let of = |times: &[u64]| Samples { nanoseconds: times.to_vec() }.spread();
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[7]), Some(Spread { median: 7, lower: 7, upper: 7 }));
        assert_eq!(of(&[9, 1, 5, 3]), Some(Spread { median: 3, lower: 1, upper: 5 }));
        assert_eq!(of(&[5, 4, 3, 2, 1]), Some(Spread { median: 3, lower: 2, upper: 4 }));
    }

    #[test]
    fn rounds_have_each_variant_once_in_orders_of_their_own() {
        let repeat = Repeat::DEFAULT;
        let rounds: Vec<Vec<usize>> = (0..64).map(|round| repeat.order(round, 4)).collect();
        for order in &rounds {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3]);
        }
        // Each variant is first about as often.
        for variant in 0..4 {
            let first = rounds.iter().filter(|order| order[0] == variant).count();
            assert!((8..=24).contains(&first), "{variant} is first {first} times of 64");
        }
        assert_eq!(rounds[0], repeat.order(0, 4));
        assert_ne!(rounds, (0..64).map(|round| Repeat { seed: 1, ..repeat }.order(round, 4)).collect::<Vec<_>>());
        assert!(repeat.order(0, 0).is_empty());
    }
}
