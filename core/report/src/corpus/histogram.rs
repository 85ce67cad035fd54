//! How often values occur, in a bounded number of ranges.

use std::collections::BTreeMap;

/// A histogram. Whole numbers below 16 have a range each; above, each power of two has eight.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Histogram {
    counts: BTreeMap<i64, u64>,
}

impl Histogram {
    /// Counts a value.
    pub fn add(&mut self, value: f64) {
        *self.counts.entry(lower_bound(value)).or_default() += 1;
    }

    /// The lower bound of each range that has values, with their number; from the lowest.
    pub fn ranges(&self) -> impl ExactSizeIterator<Item = (i64, u64)> {
        self.counts.iter().map(|(bound, count)| (*bound, *count))
    }

    /// The same values in at most `most` ranges: neighbours are joined, and have the lower bound of the first.
    pub fn joined(&self, most: usize) -> Vec<(i64, u64)> {
        let each = self.counts.len().div_ceil(most.max(1)).max(1);
        let all: Vec<(i64, u64)> = self.ranges().collect();
        let join = |some: &[(i64, u64)]| Some((some.first()?.0, some.iter().map(|(_, count)| count).sum()));
        all.chunks(each).filter_map(join).collect()
    }
}

/// The lower bound of a value's range: four significant bits of its magnitude, never above the value.
fn lower_bound(value: f64) -> i64 {
    // Saturates, as the conversion of numbers does; what is not a number counts as 0.
    let whole = value.floor() as i64;
    let magnitude = whole.unsigned_abs();
    let shift = (u64::BITS - magnitude.leading_zeros()).saturating_sub(4);
    let kept = (magnitude >> shift) << shift;
    // A lower bound of a negative number is farther from 0.
    let farther = if kept == magnitude { kept } else { kept.saturating_add(1 << shift) };
    let bound = |magnitude: u64| i64::try_from(magnitude).unwrap_or(i64::MAX);
    if whole < 0 { -bound(farther) } else { bound(kept) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_exact_below_16_and_bounded_above() {
        let values = [0.0, 0.5, -0.5, 3.9, 15.0, 16.0, 17.0, 18.0, 1000.0, -5.0, -5.5, -33.0, f64::NAN, 1e300];
        let bounds = values.map(lower_bound);
        assert_eq!(bounds, [0, 0, -1, 3, 15, 16, 16, 18, 960, -5, -6, -36, 0, 8_646_911_284_551_352_320]);
        assert!(lower_bound(f64::MIN) < -8_646_911_284_551_352_320);
        let mut histogram = Histogram::default();
        (0..100_000).for_each(|value| histogram.add(f64::from(value)));
        assert!(histogram.ranges().len() < 130, "{}", histogram.ranges().len());
        assert_eq!(histogram.ranges().map(|(_, count)| count).sum::<u64>(), 100_000);
        let joined = histogram.joined(10);
        assert!(joined.len() <= 10, "{joined:?}");
        assert_eq!(joined.iter().map(|(_, count)| count).sum::<u64>(), 100_000);
    }
}
