//! Lists that say where records are, in three formats.

use super::report::ListFormat;
use super::scheduler::{LIST_ENTRY, OFFSET, PAYLOAD_UNIT};
use super::walk::{allocations_of, percent};
use lanescope_passes::graph::{Node, WorkGraph};
use lanescope_run::graph::GraphRun;

/// What the lists of a run hold, and what they need room for.
#[derive(Debug, Default)]
struct Sums {
    /// Records with contents that nodes wrote for nodes.
    records: u64,
    /// Their allocations; `None` where they are unknown.
    allocations: Option<u64>,
    /// Room of offsets: each element of an output has its own.
    each_target: u64,
    /// Records that the launches may write.
    may_write: u64,
    /// Words that note which launch wrote what, used and reserved.
    notes: [u64; 2],
    /// Batches of the run.
    batches: u64,
}

/// The lists of all records of a run.
pub(super) fn formats(graph: &WorkGraph, run: &GraphRun) -> Vec<ListFormat> {
    let sums = sums(graph, run);
    let list = sums.allocations.map(|count| count.saturating_mul(LIST_ENTRY));
    let offsets = sums.records.saturating_mul(OFFSET);
    let [notes, noted_room] = sums.notes.map(|words| words.saturating_mul(OFFSET));
    let own_entries = sums.allocations.map(|count| count.saturating_add(sums.records).saturating_add(sums.notes[0]));
    let own_room = sums.may_write.saturating_add(sums.batches).saturating_mul(LIST_ENTRY);
    let own_room = own_room.saturating_add(offsets).saturating_add(noted_room);
    vec![
        format(
            "linear offsets, 4 bytes for each record",
            Some(sums.records),
            Some(offsets),
            sums.each_target.saturating_mul(OFFSET),
        ),
        format(
            "packed 24/8 list, 8 bytes for each allocation",
            sums.allocations,
            list,
            sums.may_write.saturating_mul(LIST_ENTRY),
        ),
        format(
            "Lanescope's stepped run: packed list, offsets, notes of launches",
            own_entries,
            list.map(|list| list.saturating_add(offsets).saturating_add(notes)),
            own_room,
        ),
    ]
}

fn format(name: &str, entries: Option<u64>, bytes: Option<u64>, reserved: u64) -> ListFormat {
    let waste = bytes.and_then(|bytes| percent(reserved.saturating_sub(bytes), reserved));
    ListFormat { format: name.to_owned(), entries, bytes, reserved: Some(reserved), waste }
}

fn sums(graph: &WorkGraph, run: &GraphRun) -> Sums {
    let mut out = Sums { allocations: Some(0), ..Sums::default() };
    let ran = run.generations.iter().filter(|generation| !generation.waiting).flat_map(|generation| &generation.nodes);
    for done in ran.clone().chain(super::waiting(run)) {
        let Some(node) = graph.nodes.get(done.node) else { continue };
        if done.entry || done.shares.is_some() || node.record().is_none() {
            continue;
        }
        out.records = out.records.saturating_add(done.count);
        let own = allocations_of(node, done).map(|all| all.len() as u64);
        out.allocations = out.allocations.and_then(|sum| sum.checked_add(own?));
    }
    for done in ran {
        let Some(node) = graph.nodes.get(done.node) else { continue };
        let outputs = node.outputs.iter().filter(|output| output.record.is_some());
        let each = outputs.map(|output| u64::from(output.max_records).saturating_mul(u64::from(output.elements)));
        let each = each.fold(0u64, u64::saturating_add);
        out.each_target = out.each_target.saturating_add(done.launches.saturating_mul(each));
        out.may_write = out.may_write.saturating_add(done.launches.saturating_mul(node.bound.records));
        if let Some(shift) = note_shift(node) {
            let words = |bytes: u64| (bytes >> shift).saturating_add(1);
            let used = done.batches.iter().fold(0u64, |sum, batch| sum.saturating_add(words(batch.used)));
            let room = done.batches.iter().fold(0u64, |sum, batch| sum.saturating_add(words(batch.bound)));
            out.notes = [out.notes[0].saturating_add(used), out.notes[1].saturating_add(room)];
        }
        out.batches = out.batches.saturating_add(done.batches.len() as u64);
    }
    out
}

/// Bytes of payload that a word of Lanescope's notes stands for, as a power of two: what all records of a node are multiples
/// of, at most the unit of allocations.
fn note_shift(node: &Node) -> Option<u32> {
    let strides = node.outputs.iter().filter_map(|output| output.record.as_ref()).map(|record| record.stride());
    let units = strides.filter(|stride| *stride > 0).map(|stride| stride.trailing_zeros());
    units.min().map(|unit| unit.min(PAYLOAD_UNIT.trailing_zeros()))
}
