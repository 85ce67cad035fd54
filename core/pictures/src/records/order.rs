//! Which records of a table are shown, and in which order: computed piece by piece per frame, so that a million records
//! do not block the window.

use lanescope_core::graph::Condition;
use lanescope_core::spirv::shape::{Scalar, ScalarKind};

use super::shown::Kept;

/// Records that are looked at in one frame.
const A_FRAME: u64 = 60_000;
/// Bits of a key that one pass sorts by.
const DIGIT: u32 = 16;
const PASSES: u32 = 64 / DIGIT;

/// What the order is made by.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordQuery {
    /// Only records that it holds for.
    pub filter: Option<Condition>,
    /// Only these records.
    pub kept: Option<Kept>,
    /// What they are sorted by; as they came where absent.
    pub sort: Option<SortBy>,
}

/// What records are sorted by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SortBy {
    /// The number that decides.
    pub by: SortKey,
    /// The largest first.
    pub descending: bool,
}

/// A number of each record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SortKey {
    /// The number of this type at this byte of the record.
    Number(usize, Scalar),
    /// The record's index.
    Index,
    /// The launch that wrote it.
    Writer,
}

/// The order, as far as it is known.
#[derive(Debug, Default)]
pub struct Order {
    wanted: RecordQuery,
    /// Records that were looked at.
    seen: u64,
    /// Keys and indices; while it is not sorted, in the order of the records.
    kept: Vec<(u64, u32)>,
    /// Passes of the sort that are done.
    sorted: u32,
    other: Vec<(u64, u32)>,
}

impl Order {
    /// Begins anew where something else is wanted.
    pub fn want(&mut self, wanted: &RecordQuery) {
        if self.wanted != *wanted {
            *self = Order { wanted: wanted.clone(), ..Order::default() };
        }
    }

    /// Whether records are shown as they came.
    pub fn is_plain(&self) -> bool {
        self.wanted == RecordQuery::default()
    }

    /// Continues for one frame over `count` records of `bytes` at `stride`; `writer` is a number of each record's writer
    /// (`Records::writer_key`). Whether everything is known now.
    pub fn work(&mut self, bytes: &[u8], stride: usize, count: u64, writer: impl Fn(u64) -> u64) -> bool {
        if self.is_plain() {
            return true;
        }
        let count = count.min(u64::from(u32::MAX));
        if self.seen < count {
            let end = self.seen.saturating_add(A_FRAME).min(count);
            for index in self.seen..end {
                let at = usize::try_from(index).unwrap_or(usize::MAX).saturating_mul(stride);
                let record = bytes.get(at..at.saturating_add(stride)).unwrap_or_default();
                let kept = self.wanted.kept.as_ref().is_none_or(|kept| kept.holds(index));
                if kept && self.wanted.filter.as_ref().is_none_or(|filter| filter.holds(record)) {
                    let key = self.wanted.sort.map_or(0, |sort| key((index, record), sort, &writer));
                    self.kept.push((key, index as u32));
                }
            }
            self.seen = end;
            return self.seen == count && self.wanted.sort.is_none();
        }
        if self.wanted.sort.is_none() || self.sorted >= PASSES {
            return true;
        }
        // Short lists in one go.
        if self.kept.len() <= A_FRAME as usize {
            self.kept.sort();
            self.sorted = PASSES;
            return true;
        }
        self.pass(self.sorted * DIGIT);
        self.sorted += 1;
        self.sorted >= PASSES
    }

    /// How much of it is known, from 0 to 1.
    pub fn progress(&self, count: u64) -> f32 {
        let seen = if count == 0 { 1.0 } else { self.seen as f32 / count as f32 };
        if self.wanted.sort.is_none() { seen } else { 0.6 * seen + 0.4 * self.sorted as f32 / PASSES as f32 }
    }

    /// How many records are shown, of all.
    pub fn len(&self, count: u64) -> u64 {
        if self.is_plain() { count } else { self.kept.len() as u64 }
    }

    /// The record in a row.
    pub fn record(&self, row: u64) -> Option<u64> {
        if self.is_plain() {
            return Some(row);
        }
        self.kept.get(usize::try_from(row).ok()?).map(|(_, index)| u64::from(*index))
    }

    /// The row of a record, where it is known.
    pub fn row_of(&self, record: u64) -> Option<u64> {
        if self.is_plain() {
            return Some(record);
        }
        self.kept.iter().position(|(_, index)| u64::from(*index) == record).map(|row| row as u64)
    }

    /// Sorts by one digit of the keys; those that are equal stay in their order.
    fn pass(&mut self, shift: u32) {
        let digit = |key: u64| (key >> shift & ((1 << DIGIT) - 1)) as usize;
        let mut starts = vec![0usize; (1 << DIGIT) + 1];
        for (key, _) in &self.kept {
            starts[digit(*key) + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        self.other.resize(self.kept.len(), (0, 0));
        for (key, index) in &self.kept {
            let start = &mut starts[digit(*key)];
            self.other[*start] = (*key, *index);
            *start += 1;
        }
        std::mem::swap(&mut self.kept, &mut self.other);
    }
}

/// A number as one that sorts as it does; what is not there comes last.
fn key((index, record): (u64, &[u8]), sort: SortBy, writer: &impl Fn(u64) -> u64) -> u64 {
    let (offset, scalar) = match sort.by {
        SortKey::Number(offset, scalar) => (offset, scalar),
        SortKey::Index | SortKey::Writer => {
            let key = if sort.by == SortKey::Index { index } else { writer(index) };
            return if sort.descending { u64::MAX - key } else { key };
        }
    };
    let bytes = scalar.bytes() as usize;
    let Some(bytes) = record.get(offset..offset.saturating_add(bytes)) else { return u64::MAX };
    let bits = bytes.iter().rev().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
    let width = scalar.bits.clamp(1, 64);
    let top = 1u64 << (width - 1);
    let mask = u64::MAX >> (64 - width);
    let key = match scalar.kind {
        ScalarKind::Uint => bits,
        ScalarKind::Int => bits ^ top,
        // Negative ones the other way round.
        ScalarKind::Float if bits & top != 0 => !bits & mask,
        ScalarKind::Float => bits | top,
    };
    if sort.descending { mask - key } else { key }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order_of(values: &[f32], descending: bool) -> Vec<u64> {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let scalar = Scalar { kind: ScalarKind::Float, bits: 32 };
        let mut order = Order::default();
        let sort = Some(SortBy { by: SortKey::Number(0, scalar), descending });
        order.want(&RecordQuery { sort, ..RecordQuery::default() });
        while !order.work(&bytes, 4, values.len() as u64, |_| 0) {}
        (0..values.len() as u64).filter_map(|row| order.record(row)).collect()
    }

    #[test]
    fn floats_sort_by_value_and_equal_ones_stay() {
        let values = [1.5, -2.0, 0.0, -0.5, 1.5, f32::INFINITY, -2.0];
        assert_eq!(order_of(&values, false), [1, 6, 3, 2, 0, 4, 5]);
        assert_eq!(order_of(&values, true), [5, 0, 4, 2, 3, 1, 6]);
    }

    #[test]
    fn sorts_by_index_and_by_writer() {
        let order_by = |by, descending| {
            let mut order = Order::default();
            order.want(&RecordQuery { sort: Some(SortBy { by, descending }), ..RecordQuery::default() });
            while !order.work(&[0; 20], 4, 5, |record| [7, 3, 7, 1, 3][record as usize]) {}
            (0..5).filter_map(|row| order.record(row)).collect::<Vec<_>>()
        };
        assert_eq!(order_by(SortKey::Index, true), [4, 3, 2, 1, 0]);
        assert_eq!(order_by(SortKey::Writer, false), [3, 1, 4, 0, 2]);
        assert_eq!(order_by(SortKey::Writer, true), [0, 2, 1, 4, 3]);
    }

    #[test]
    fn sorts_many_records_over_several_frames() {
        let count = 200_000u32;
        let value = |index: u32| index.wrapping_mul(2_654_435_761) >> 7;
        let bytes: Vec<u8> = (0..count).flat_map(|index| value(index).to_le_bytes()).collect();
        let mut order = Order::default();
        order.want(&RecordQuery {
            sort: Some(SortBy { by: SortKey::Number(0, Scalar::WORD), descending: false }),
            ..RecordQuery::default()
        });
        let mut frames = 1;
        while !order.work(&bytes, 4, u64::from(count), |_| 0) {
            frames += 1;
            assert!(order.progress(u64::from(count)) <= 1.0);
        }
        assert!(frames > 4, "{frames}");
        let sorted: Vec<u32> = (0..u64::from(count)).filter_map(|row| Some(value(order.record(row)? as u32))).collect();
        assert!(sorted.len() == count as usize && sorted.windows(2).all(|pair| pair[0] <= pair[1]));
    }
}
