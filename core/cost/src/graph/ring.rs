//! Where the allocations of a generation's records lie in a payload ring of the scheduler.
//!
//! The allocations of each level begin at the start of a ring. Which is first is decided by atomics of the waves that run, and
//! no run has kept that: a map takes them by writer, and by the number of the writer's allocation.

use std::collections::BTreeMap;

use super::report::{RingMap, RingNode, RingPiece, RingSpan};
use super::walk::percent;
use super::{label, scheduler};
use crate::strip::{Strip, StripPart};
use lanescope_passes::graph::WorkGraph;
use lanescope_run::graph::{Generation, GraphRun, NodeRun};

/// Allocations that a map lists.
pub const LISTED: usize = 4096;
/// Parts that a map is drawn with.
const SPANS: usize = 512;

/// A map for each generation whose records have contents from nodes, waiting ones included.
pub(super) fn rings(graph: &WorkGraph, run: &GraphRun) -> Vec<RingMap> {
    let mut out = Vec::new();
    let mut before: Option<&Generation> = None;
    for generation in &run.generations {
        let writers = before.filter(|before| {
            (before.dispatch, before.number.checked_add(1)) == (generation.dispatch, Some(generation.number))
        });
        let (dispatch, number) = (generation.dispatch, generation.number);
        out.extend(Level { graph, dispatch, number, nodes: &generation.nodes, writers }.map());
        before = Some(generation);
    }
    if let Some(last) = run.generations.last().filter(|last| !last.waiting) {
        let (dispatch, number) = (last.dispatch, last.number.saturating_add(1));
        out.extend(Level { graph, dispatch, number, nodes: &run.pending, writers: Some(last) }.map());
    }
    out
}

/// The records that go into a generation.
struct Level<'r> {
    graph: &'r WorkGraph,
    dispatch: u32,
    number: u32,
    nodes: &'r [NodeRun],
    /// The generation before; absent where the run has not kept it.
    writers: Option<&'r Generation>,
}

/// An allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Allocation {
    /// The writer, by index into the nodes of the generation before, and the number of its allocation.
    run: u32,
    entry: u64,
    node: usize,
    records: u64,
    stride: u64,
}

impl Allocation {
    /// Bytes of its records, and with those up to the next allocation.
    fn bytes(self) -> (u64, u64) {
        let used = self.records.saturating_mul(self.stride);
        (used, used.checked_next_multiple_of(scheduler::PAYLOAD_UNIT).unwrap_or(u64::MAX))
    }
}

impl Level<'_> {
    /// The map; none where no record has contents that a node wrote.
    fn map(&self) -> Option<RingMap> {
        let (all, unknown) = self.allocations();
        if all.is_empty() && unknown.is_empty() {
            return None;
        }
        let whole = all.iter().fold(0u64, |end, one| end.saturating_add(one.bytes().1));
        let mut map = RingMap {
            dispatch: self.dispatch,
            generation: self.number,
            ring: scheduler::RING,
            nodes: self.totals(&all, whole),
            unknown,
            ..RingMap::default()
        };
        if map.unknown.is_empty() {
            map.bytes = Some(whole);
            map.allocations = Some(all.len() as u64);
            self.place(&all, &mut map);
        }
        Some(map)
    }

    /// The allocations in the order of the map, and what hides some of them.
    fn allocations(&self) -> (Vec<Allocation>, Vec<String>) {
        let (mut all, mut unknown) = (Vec::new(), Vec::new());
        for done in self.nodes.iter().filter(|done| !done.entry && done.shares.is_none() && done.count > 0) {
            if self.graph.nodes.get(done.node).is_none_or(|node| node.record().is_none()) {
                continue;
            }
            let mut own: BTreeMap<(u32, u64), u64> = BTreeMap::new();
            for origin in &done.records.origins {
                let records = own.entry((origin.run, origin.entry)).or_default();
                *records = records.saturating_add(u64::from(origin.count));
            }
            if own.values().fold(0u64, |sum, count| sum.saturating_add(*count)) != done.count {
                unknown.push(format!("records of {}, which the run has not kept", label(self.graph, done.node)));
            }
            let stride = u64::from(done.records.stride);
            all.extend(own.into_iter().map(|((run, entry), records)| Allocation {
                run,
                entry,
                node: done.node,
                records,
                stride,
            }));
        }
        unknown.extend(self.absent());
        all.sort_unstable();
        (all, unknown)
    }

    /// Records with contents that went to no node: they have taken payload too.
    fn absent(&self) -> Option<String> {
        let writers = self.writers?;
        let has_contents = |edge: &&lanescope_run::graph::EdgeRun| {
            let node = writers.nodes.get(edge.from).and_then(|done| self.graph.nodes.get(done.node));
            node.and_then(|node| node.outputs.get(edge.output)).is_some_and(|output| output.record.is_some())
        };
        let absent = writers.edges.iter().filter(|edge| edge.to.is_none()).filter(has_contents);
        let count = absent.fold(0u64, |sum, edge| sum.saturating_add(edge.records));
        (count > 0).then(|| format!("{count} records for absent nodes"))
    }

    /// What each node's records take.
    fn totals(&self, all: &[Allocation], whole: u64) -> Vec<RingNode> {
        let mut out: BTreeMap<usize, RingNode> = BTreeMap::new();
        for one in all {
            let (used, bytes) = one.bytes();
            let total = out.entry(one.node).or_insert_with(|| RingNode {
                node: label(self.graph, one.node),
                index: one.node,
                ..RingNode::default()
            });
            total.allocations += 1;
            total.records = total.records.saturating_add(one.records);
            total.used = total.used.saturating_add(used);
            total.padding = total.padding.saturating_add(bytes - used);
        }
        for total in out.values_mut() {
            let bytes = total.used.saturating_add(total.padding);
            total.share = percent(bytes, whole).unwrap_or(0.0);
            total.ring_share = share_of_ring(bytes);
        }
        out.into_values().collect()
    }

    /// Allocations one after the other.
    fn place(&self, all: &[Allocation], map: &mut RingMap) {
        let mut end = 0u64;
        let mut spans: Vec<RingSpan> = Vec::new();
        for (at, one) in all.iter().enumerate() {
            let (used, bytes) = one.bytes();
            if at < LISTED {
                let writer = self.writers.and_then(|before| before.nodes.get(one.run as usize));
                map.pieces.push(RingPiece {
                    offset: end,
                    node: label(self.graph, one.node),
                    index: one.node,
                    writer: writer.map(|done| label(self.graph, done.node)),
                    records: one.records,
                    used,
                    padding: bytes - used,
                });
            }
            match spans.last_mut().filter(|last| last.node == one.node) {
                Some(last) => last.bytes = last.bytes.saturating_add(bytes),
                None => spans.push(RingSpan { node: one.node, offset: end, bytes }),
            }
            end = end.saturating_add(bytes);
        }
        map.left_out = all.len().saturating_sub(LISTED) as u64;
        map.spans = coarser(spans, end);
    }
}

/// A share of a ring in percent, to four digits.
fn share_of_ring(bytes: u64) -> f64 {
    (bytes as f64 * 1e6 / scheduler::RING as f64).round() / 1e4
}

/// Parts that are few enough to be drawn: of more, equal cells with the node that has most of each.
fn coarser(spans: Vec<RingSpan>, end: u64) -> Vec<RingSpan> {
    if spans.len() <= SPANS {
        return spans;
    }
    let part =
        |span: &RingSpan| StripPart { item: span.node, label: String::new(), offset: span.offset, bytes: span.bytes };
    let strip = Strip { title: String::new(), bytes: end, parts: spans.iter().map(part).collect() };
    // Where a cell begins; the last one ends where the strip does.
    let begin = |cell: usize| u64::try_from(cell as u128 * u128::from(end) / SPANS as u128).unwrap_or(end);
    let mut out: Vec<RingSpan> = Vec::new();
    for (at, node) in strip.cells(SPANS).into_iter().enumerate() {
        let Some(node) = node else { continue };
        let (offset, bytes) = (begin(at), begin(at + 1) - begin(at));
        match out.last_mut().filter(|last| last.node == node) {
            Some(last) => last.bytes += bytes,
            None => out.push(RingSpan { node, offset, bytes }),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_parts_become_cells_that_cover_the_same_bytes() {
        let span = |at: u64| RingSpan { node: (at % 3) as usize, offset: at * 32, bytes: 32 };
        let few: Vec<RingSpan> = (0..SPANS as u64).map(span).collect();
        assert_eq!(coarser(few.clone(), SPANS as u64 * 32), few);
        let count = SPANS as u64 * 7 + 5;
        let many = coarser((0..count).map(span).collect(), count * 32);
        assert!(many.len() <= SPANS);
        let end = many.iter().fold(0, |end, span| {
            assert_eq!(span.offset, end);
            end + span.bytes
        });
        assert_eq!(end, count * 32);
    }
}
