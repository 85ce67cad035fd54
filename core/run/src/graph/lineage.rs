//! Who wrote a record, and what its launch wrote: from the allocations that records came in, the launches that made them,
//! and their batches.
//!
//! A batch is what ran together. Where a node did not note its launches (see [`Origin::record`]), which of a batch's records
//! wrote an allocation is known only where it had one.

use std::ops::Range;

use super::{Batch, GraphRun, NodeRun, Origin, Records};

/// Who wrote a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Writer {
    /// Index of the run's generation.
    pub generation: usize,
    /// Index of the node's run in it.
    pub run: usize,
    /// The allocation, among all that it made.
    pub entry: u64,
    /// The records that its launch ran with; where that is not known, those of its batch, one of which wrote it.
    pub records: Vec<Range<u64>>,
    /// They are those of the very launch.
    pub exact: bool,
}

/// Records that a launch wrote for one node; where launches are not known, its batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caused {
    /// Index of the run's generation.
    pub generation: usize,
    /// Index of the node's run in it.
    pub run: usize,
    /// The records: ranges of those of the run.
    pub records: Vec<Range<u64>>,
    /// They are those of the very launch.
    pub exact: bool,
}

/// How many records ranges hold.
pub fn records_in(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().map(|range| range.end.saturating_sub(range.start)).fold(0, u64::saturating_add)
}

impl NodeRun {
    /// The records of a batch.
    pub fn records_of_batch(&self, batch: usize) -> Vec<Range<u64>> {
        let Some(is) = self.batches.get(batch) else { return Vec::new() };
        if !is.which.is_empty() {
            return is
                .which
                .iter()
                .map(|[first, count]| u64::from(*first)..u64::from(*first) + u64::from(*count))
                .collect();
        }
        let before = self.batches.iter().take(batch).map(|batch| batch.records).fold(0, u64::saturating_add);
        std::iter::once(before..before.saturating_add(is.records)).collect()
    }

    /// The batch that made an allocation.
    fn batch_of_entry(&self, entry: u64) -> Option<usize> {
        let range = |first: u64, count: u64| first..first.saturating_add(count);
        self.batches.iter().position(|batch| range(batch.first_entry, batch.entries).contains(&entry))
    }

    /// The allocations of every batch that a record ran in: of several where its grid was cut up.
    fn entries_of_record(&self, record: u64) -> Vec<Range<u64>> {
        let mut before = 0u64;
        let holds = |batch: &&Batch| {
            let first = before;
            before = before.saturating_add(batch.records);
            match batch.which.as_slice() {
                [] => (first..before).contains(&record),
                which => which.iter().any(|[first, count]| {
                    record.checked_sub(u64::from(*first)).is_some_and(|at| at < u64::from(*count))
                }),
            }
        };
        let batches = self.batches.iter().filter(holds);
        batches.map(|batch| batch.first_entry..batch.first_entry.saturating_add(batch.entries)).collect()
    }
}

impl NodeRun {
    /// The records that the launch of an origin ran with, of a node whose launches take at most so many.
    fn launch(&self, origin: &Origin, most: u64) -> Option<Range<u64>> {
        let first = u64::from(origin.record?);
        let end = first.saturating_add(most).min(self.count);
        let batch = self.records_of_batch(self.batch_of_entry(origin.entry)?);
        // A coalescing group ends with its batch.
        let end = batch.iter().find(|range| range.contains(&first)).map_or(end, |range| end.min(range.end));
        Some(first..end)
    }
}

impl Records {
    /// Where the records of each origin end: what [`Records::origin_by`] looks up.
    pub fn ends(&self) -> Vec<u64> {
        let mut end = 0u64;
        let next = |origin: &Origin| {
            end = end.saturating_add(u64::from(origin.count));
            end
        };
        self.origins.iter().map(next).collect()
    }

    /// The writer of a record, and its allocation, by [`Records::ends`].
    pub fn origin_by(&self, ends: &[u64], record: u64) -> Option<Origin> {
        self.origins.get(ends.partition_point(|end| *end <= record)).copied()
    }
}

impl Records {
    /// The writers of all records in their order, and their allocations. Ends with the last record whose writer is known.
    pub fn writers(&self) -> impl Iterator<Item = Origin> {
        for_each_record(self.origins.iter().copied())
    }

    /// A number of a record's writer, by [`Records::ends`]: equal for records of one launch, in the order of nodes and
    /// launches; 0 where the writer is unknown.
    pub fn writer_key(&self, ends: &[u64], record: u64) -> u64 {
        let key = |origin: Origin| {
            let launch = origin.record.map_or(0, |record| record.saturating_add(1));
            u64::from(origin.run) << 32 | u64::from(launch)
        };
        self.origin_by(ends, record).map_or(0, key)
    }
}

/// An origin for each of its records.
fn for_each_record(origins: impl Iterator<Item = Origin>) -> impl Iterator<Item = Origin> {
    origins.flat_map(|origin| std::iter::repeat_n(origin, origin.count as usize))
}

impl GraphRun {
    /// The generation before one of the same start.
    pub fn before(&self, generation: usize) -> Option<usize> {
        let before = generation.checked_sub(1)?;
        let same = self.generations.get(before)?.dispatch == self.generations.get(generation)?.dispatch;
        same.then_some(before)
    }

    /// Who wrote a record; none where it came from the host.
    pub fn writer(&self, generation: usize, run: usize, record: u64) -> Option<Writer> {
        let is = self.generations.get(generation)?;
        let origin = self.records_of(is, is.nodes.get(run)?).origin(record)?;
        let before = self.before(generation)?;
        let writer = self.generations.get(before)?.nodes.get(origin.run as usize)?;
        let launch = writer.launch(&origin, self.records_per_launch(writer));
        let exact = launch.is_some();
        let records = match (launch, writer.batch_of_entry(origin.entry)) {
            (Some(launch), _) => vec![launch],
            (None, Some(batch)) => writer.records_of_batch(batch),
            (None, None) => std::iter::once(0..writer.count).collect(),
        };
        Some(Writer { generation: before, run: origin.run as usize, entry: origin.entry, records, exact })
    }

    /// The most records that a launch of a run's node takes.
    fn records_per_launch(&self, run: &NodeRun) -> u64 {
        self.graph.nodes.get(run.node).map_or(1, |node| u64::from(node.records_per_launch()))
    }

    /// What the launch of a record wrote.
    pub fn caused(&self, generation: usize, run: usize, record: u64) -> Vec<Caused> {
        let next = generation + 1;
        let (Some(is), Some(following)) = (self.generations.get(generation), self.generations.get(next)) else {
            return Vec::new();
        };
        let Some(node) = is.nodes.get(run).filter(|_| is.dispatch == following.dispatch) else { return Vec::new() };
        let (entries, most) = (node.entries_of_record(record), self.records_per_launch(node));
        let is_of = |origin: &Origin| match origin.record {
            // The batch is looked at only where it may decide.
            Some(first) => {
                (u64::from(first)..u64::from(first).saturating_add(most)).contains(&record)
                    && node.launch(origin, most).is_some_and(|launch| launch.contains(&record))
            }
            None => entries.iter().any(|range| range.contains(&origin.entry)),
        };
        let mut out = Vec::new();
        for (index, to) in following.nodes.iter().enumerate() {
            let mut records: Vec<Range<u64>> = Vec::new();
            let (mut at, mut exact) = (0u64, true);
            for origin in &to.records.origins {
                let end = at.saturating_add(u64::from(origin.count));
                if origin.run as usize == run && is_of(origin) {
                    exact &= origin.record.is_some();
                    match records.last_mut() {
                        Some(last) if last.end == at => last.end = end,
                        _ => records.push(at..end),
                    }
                }
                at = end;
            }
            if !records.is_empty() {
                out.push(Caused { generation: next, run: index, records, exact });
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(which: &[[u32; 2]], records: u64, first_entry: u64, entries: u64) -> Batch {
        Batch { records, which: which.to_vec(), first_entry, entries, ..Batch::default() }
    }

    #[test]
    fn finds_the_records_of_batches() {
        let node = NodeRun { count: 5, batches: vec![batch(&[], 3, 0, 2), batch(&[], 2, 2, 1)], ..NodeRun::default() };
        let first = |batch: usize| node.records_of_batch(batch).first().cloned();
        assert_eq!((first(0), first(1), first(2)), (Some(0..3), Some(3..5), None));
        assert_eq!((node.batch_of_entry(1), node.batch_of_entry(2), node.batch_of_entry(3)), (Some(0), Some(1), None));
        assert_eq!(node.entries_of_record(4).first(), Some(&(2..3)));
        // The largest grids ran first, and record 4's grid in two parts.
        let batches = vec![batch(&[[4, 1]], 1, 0, 2), batch(&[[4, 1]], 1, 2, 2), batch(&[[0, 2], [3, 1]], 3, 4, 1)];
        let node = NodeRun { count: 5, batches, ..NodeRun::default() };
        assert_eq!(node.records_of_batch(2), [0..2, 3..4]);
        assert_eq!((records_in(&node.records_of_batch(2)), node.entries_of_record(4)), (3, vec![0..2, 2..4]));
        assert!(node.entries_of_record(2).is_empty(), "its grid was empty");
    }

    #[test]
    fn launches_end_with_their_batch() {
        let node = NodeRun { count: 10, batches: vec![batch(&[], 6, 0, 2), batch(&[], 4, 2, 1)], ..NodeRun::default() };
        let origin = |entry, record| Origin { count: 1, run: 0, entry, record };
        assert_eq!(node.launch(&origin(0, Some(0)), 4), Some(0..4));
        assert_eq!(node.launch(&origin(1, Some(4)), 4), Some(4..6), "a group of two");
        assert_eq!(node.launch(&origin(2, Some(6)), 4), Some(6..10));
        assert_eq!(node.launch(&origin(2, None), 4), None);
    }

    #[test]
    fn origins_are_found_by_where_they_end() {
        let origin = |count, entry| Origin { count, run: 0, entry, record: None };
        let records = Records { origins: vec![origin(2, 0), origin(1, 1), origin(3, 2)], ..Records::default() };
        let ends = records.ends();
        assert_eq!(ends, [2, 3, 6]);
        for record in 0..7 {
            assert_eq!(records.origin_by(&ends, record), records.origin(record), "{record}");
        }
        let all: Vec<Option<Origin>> = records.writers().map(Some).collect();
        assert_eq!(all, (0..6).map(|record| records.origin(record)).collect::<Vec<_>>());
    }

    #[test]
    fn each_origin_is_looked_at_once_for_all_records() {
        let mut looked_at = 0;
        let origins = (0..1000).map(|entry| Origin { count: 3, run: 0, entry, record: None });
        let all = for_each_record(origins.inspect(|_| looked_at += 1));
        assert_eq!(all.count(), 3000);
        assert_eq!(looked_at, 1000);
    }
}
