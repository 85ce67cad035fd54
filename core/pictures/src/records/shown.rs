//! Records that a table is restricted to: those of one launch, by index ranges.

use std::ops::Range;

/// Ranges of records, in order, with what they are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kept {
    /// The ranges, in order, without overlaps.
    ranges: Vec<Range<u64>>,
    /// A short description.
    pub what: String,
}

impl Kept {
    /// Records by ranges of their indices.
    pub fn new(mut ranges: Vec<Range<u64>>, what: String) -> Kept {
        ranges.retain(|range| range.start < range.end);
        ranges.sort_by_key(|range| range.start);
        Kept { ranges, what }
    }

    /// Whether a record is one of them.
    pub fn holds(&self, record: u64) -> bool {
        let after = self.ranges.partition_point(|range| range.start <= record);
        after.checked_sub(1).and_then(|at| self.ranges.get(at)).is_some_and(|range| record < range.end)
    }

    /// The only record, where there is only one.
    pub fn only(&self) -> Option<u64> {
        match self.ranges.as_slice() {
            [one] if one.end == one.start + 1 => Some(one.start),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_up_records_in_ranges() {
        let kept = Kept::new(vec![7..9, 0..2, 3..3], String::new());
        let held: Vec<u64> = (0..12).filter(|record| kept.holds(*record)).collect();
        assert_eq!((held, kept.only()), (vec![0, 1, 7, 8], None));
        assert_eq!(Kept::new(std::iter::once(4..5).collect(), String::new()).only(), Some(4));
        assert!(!Kept::default().holds(0));
    }
}
