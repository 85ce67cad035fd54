//! Whether the numbers of a saved run fit each other: a reader follows its indices and adds up its counts.

use std::collections::BTreeMap;
use std::fmt::Display;

use super::{Generation, GraphMode, GraphRun, MAX_DISPATCHES, NodeRun};
use crate::{Blob, Shape};
use lanescope_passes::graph::LAST_GENERATION;
use lanescope_passes::graph::{Node, RecordType, WorkGraph};
use lanescope_spirv::shape::Field;

/// The greatest count and the greatest size in bytes: no device comes near it.
const MOST: u64 = 1 << 48;
/// The largest record, in bytes: D3D12 lets none have more than 32 KiB.
const MAX_RECORD: u32 = 1 << 20;
/// The most numbers of a vector, of a matrix's column or row.
const MAX_COMPONENTS: u32 = 1 << 10;
/// The greatest limit of recursion: D3D12 lets no node have more than 32.
const MAX_RECURSION: u32 = 1 << 16;

/// Says of the first number that does not fit where it is and what was expected.
pub(super) fn check(run: &GraphRun) -> Result<(), String> {
    graph(&run.graph)?;
    let nodes = run.graph.nodes.len();
    for (at, refused) in run.refused.iter().enumerate() {
        index(format_args!("refused[{at}].node"), refused.node, nodes, "nodes")?;
    }
    for (at, is) in run.generations.iter().enumerate() {
        let writers = run.before(at).and_then(|before| run.generations.get(before));
        let writers = writers.map_or(Vec::new(), |before| before.nodes.iter().map(Writer::of).collect());
        generation(&format!("generations[{at}]"), run, is, &writers)?;
    }
    node_runs("pending", run, &run.pending, &any_writers(run))?;
    if let Some(stopped) = &run.stopped {
        most("stopped.dispatch", stopped.dispatch.into(), (MAX_DISPATCHES - 1).into())?;
        most("stopped.generation", stopped.generation.into(), u64::from(LAST_GENERATION) + 1)?;
    }
    contents(run)
}

/// An index into a list of so many.
fn index(place: impl Display, found: usize, there: usize, what: &str) -> Result<(), String> {
    if found < there { Ok(()) } else { Err(format!("{place} is {found}; there are {there} {what}")) }
}

/// A number that is at most another one.
fn most(place: impl Display, found: u64, most: u64) -> Result<(), String> {
    if found <= most { Ok(()) } else { Err(format!("{place} is {found}; expected at most {most}")) }
}

fn graph(graph: &WorkGraph) -> Result<(), String> {
    let nodes = graph.nodes.len();
    for (at, is) in graph.nodes.iter().enumerate() {
        node(&format!("graph.nodes[{at}]"), is)?;
    }
    for (at, edge) in graph.edges.iter().enumerate() {
        index(format_args!("graph.edges[{at}].from"), edge.from, nodes, "nodes")?;
        index(format_args!("graph.edges[{at}].to"), edge.to, nodes, "nodes")?;
        let outputs = graph.nodes.get(edge.from).map_or(0, |node| node.outputs.len());
        if let Some(slot) = edge.slot {
            index(format_args!("graph.edges[{at}].output"), slot.output, outputs, "outputs")?;
        }
    }
    let arrays = graph.arrays.iter().map(|array| &array.nodes).enumerate();
    let arrays = arrays.map(|(at, list)| (format!("graph.arrays[{at}].nodes"), list));
    let cycles = graph.cycles.iter().enumerate().map(|(at, list)| (format!("graph.cycles[{at}]"), list));
    let longest = std::iter::once(("graph.longest".to_owned(), &graph.longest));
    for (place, list) in arrays.chain(cycles).chain(longest) {
        for (at, node) in list.iter().enumerate() {
            index(format_args!("{place}[{at}]"), *node, nodes, "nodes")?;
        }
    }
    Ok(())
}

fn node(place: &str, node: &Node) -> Result<(), String> {
    most(format_args!("{place}.recursion"), node.recursion.into(), MAX_RECURSION.into())?;
    for (at, input) in node.inputs.iter().enumerate() {
        record(&format!("{place}.inputs[{at}].record"), input.record.as_ref())?;
    }
    for (at, output) in node.outputs.iter().enumerate() {
        let place = format!("{place}.outputs[{at}]");
        record(&format!("{place}.record"), output.record.as_ref())?;
        for (at, [first, last]) in output.missing.iter().enumerate() {
            most(format_args!("{place}.missing[{at}][0]"), (*first).into(), (*last).into())?;
        }
        if let Some(other) = output.shares_budget_of {
            index(format_args!("{place}.shares_budget_of"), other as usize, node.outputs.len(), "outputs")?;
        }
    }
    Ok(())
}

fn record(place: &str, record: Option<&RecordType>) -> Result<(), String> {
    let Some(record) = record else { return Ok(()) };
    most(format_args!("{place}.bytes"), record.bytes.into(), MAX_RECORD.into())?;
    if let Some(grid) = record.grid {
        most(format_args!("{place}.grid.components"), grid.components.into(), 3)?;
        shape(&format!("{place}.grid"), &Shape::Scalar(grid.scalar), record.bytes.into())?;
        let end = u64::from(grid.offset) + grid.scalar.bytes() * u64::from(grid.components);
        most(format_args!("the end of {place}.grid"), end, record.bytes.into())?;
    }
    shape(&format!("{place}.type"), &record.shape, record.bytes.into())
}

/// A type of what has so many bytes: it lies within them and has no more numbers.
fn shape(place: &str, shape: &Shape, bytes: u64) -> Result<(), String> {
    scalars(place, shape, false)?;
    most(format_args!("the size of {place}"), shape.bytes(), bytes)?;
    most(format_args!("the count of numbers of {place}"), shape.numbers(bytes), bytes)
}

/// The numbers of a type, its matrices and arrays: no column or row and no element lies over the next one.
fn scalars(place: &str, shape: &Shape, in_array: bool) -> Result<(), String> {
    let number = |bits: u32| match bits {
        8 | 16 | 32 | 64 => Ok(()),
        _ => Err(format!("{place} has numbers of {bits} bits; expected 8, 16, 32 or 64")),
    };
    match shape {
        Shape::Scalar(scalar) => number(scalar.bits),
        Shape::Vector { scalar, count } => {
            number(scalar.bits)?;
            most(format_args!("{place}.count"), (*count).into(), MAX_COMPONENTS.into())
        }
        Shape::Matrix { scalar, columns, rows, stride, row_major } => {
            number(scalar.bits)?;
            most(format_args!("{place}.columns"), (*columns).into(), MAX_COMPONENTS.into())?;
            most(format_args!("{place}.rows"), (*rows).into(), MAX_COMPONENTS.into())?;
            let (together, count) = if *row_major { ("row", *columns) } else { ("column", *rows) };
            let bytes = scalar.bytes() * u64::from(count);
            most(format_args!("the size of a {together} of {place}"), bytes, (*stride).into())
        }
        Shape::Array { element, stride, count } => {
            if count.is_none() && in_array {
                return Err(format!("{place} is an array of unknown length in another array; expected a count"));
            }
            let place = format!("{place}.element");
            most(format_args!("the size of {place}"), element.bytes(), (*stride).into())?;
            scalars(&place, element, true)
        }
        Shape::Struct { members } => {
            let member = |(at, member): (usize, &Field)| {
                scalars(&format!("{place}.members[{at}].type"), &member.shape, in_array)
            };
            members.iter().enumerate().try_for_each(member)
        }
        Shape::Words { .. } => Ok(()),
    }
}

fn generation(place: &str, run: &GraphRun, is: &Generation, writers: &[Writer]) -> Result<(), String> {
    let graph = &run.graph;
    most(format_args!("{place}.dispatch"), is.dispatch.into(), (MAX_DISPATCHES - 1).into())?;
    most(format_args!("{place}.number"), is.number.into(), LAST_GENERATION.into())?;
    node_runs(&format!("{place}.nodes"), run, &is.nodes, writers)?;
    for (at, edge) in is.edges.iter().enumerate() {
        let place = format!("{place}.edges[{at}]");
        index(format_args!("{place}.from"), edge.from, is.nodes.len(), "nodes that ran")?;
        let from = is.nodes.get(edge.from).and_then(|from| graph.nodes.get(from.node));
        index(format_args!("{place}.output"), edge.output, from.map_or(0, |from| from.outputs.len()), "outputs")?;
        if let Some(to) = edge.to {
            index(format_args!("{place}.to"), to, graph.nodes.len(), "nodes")?;
        }
        most(format_args!("{place}.records"), edge.records, MOST)?;
    }
    let ring = &is.ring;
    for (name, bytes) in [("input", ring.input), ("bound", ring.bound), ("used", ring.used), ("half", ring.half)] {
        most(format_args!("{place}.ring.{name}"), bytes, MOST)?;
    }
    Ok(())
}

/// What a node's run had that records may come from.
#[derive(Clone, Copy, Default)]
struct Writer {
    /// Its records.
    records: u64,
    /// Its allocations.
    entries: u64,
}

impl Writer {
    fn of(run: &NodeRun) -> Writer {
        let ends = run.batches.iter().map(|batch| batch.first_entry.saturating_add(batch.entries));
        Writer { records: run.count, entries: ends.max().unwrap_or(0) }
    }
}

/// The most that a run had at each place of its generation: which one the records come from that wait is not said.
fn any_writers(run: &GraphRun) -> Vec<Writer> {
    let mut out: Vec<Writer> = Vec::new();
    for is in &run.generations {
        out.resize(out.len().max(is.nodes.len()), Writer::default());
        for (most, is) in out.iter_mut().zip(is.nodes.iter().map(Writer::of)) {
            *most = Writer { records: most.records.max(is.records), entries: most.entries.max(is.entries) };
        }
    }
    out
}

fn node_runs(place: &str, of: &GraphRun, runs: &[NodeRun], writers: &[Writer]) -> Result<(), String> {
    let nodes = &of.graph.nodes;
    for (at, run) in runs.iter().enumerate() {
        let place = format!("{place}[{at}]");
        index(format_args!("{place}.node"), run.node, nodes.len(), "nodes")?;
        // Who reads another one's records once more has the levels and the records of that one.
        let owner = match run.shares {
            Some(owner) => {
                index(format_args!("{place}.shares"), owner, runs.len(), "nodes that ran")?;
                runs.get(owner).unwrap_or(run)
            }
            None => {
                let recursion = nodes.get(run.node).map_or(0, |node| node.recursion);
                most(format_args!("{place}.remaining"), run.remaining.into(), recursion.into())?;
                run
            }
        };
        for (name, count) in [("count", run.count), ("launches", run.launches)] {
            most(format_args!("{place}.{name}"), count, MOST)?;
        }
        records(&place, run, nodes.get(owner.node).and_then(Node::record), writers)?;
        batches(&place, run, of.mode)?;
    }
    Ok(())
}

/// A run's records of a type, and what it says of them.
fn records(place: &str, run: &NodeRun, record: Option<&RecordType>, writers: &[Writer]) -> Result<(), String> {
    let stride = record.map_or(0, RecordType::stride);
    let (found, kept) = (run.records.stride, &run.records.bytes.0);
    if found != stride && (found != 0 || !kept.is_empty()) {
        return Err(format!("{place}.records.stride is {found}; expected {stride}"));
    }
    whole(&format!("{place}.records.bytes"), kept, stride, run.count)?;
    if let Some(Blob(after)) = &run.after {
        let place = format!("{place}.after");
        whole(&place, after, stride, run.count)?;
        if !kept.is_empty() {
            exactly(place, after, kept.len())?;
        }
    }
    for (at, edit) in run.edited.iter().enumerate() {
        most(format_args!("{place}.edited[{at}].record"), edit.record, run.count.saturating_sub(1))?;
        exactly(format_args!("{place}.edited[{at}].was"), &edit.was.0, record.map_or(0, |is| is.bytes as usize))?;
    }
    let mut left = run.count;
    for (at, origin) in run.records.origins.iter().enumerate() {
        let writer = origin.run as usize;
        index(format_args!("{place}.records.origins[{at}].run"), writer, writers.len(), "nodes that ran before")?;
        let writer = writers.get(writer).copied().unwrap_or_default();
        let below = |most: u64| most.saturating_sub(1);
        most(format_args!("{place}.records.origins[{at}].entry"), origin.entry, below(writer.entries))?;
        if let Some(record) = origin.record {
            most(format_args!("{place}.records.origins[{at}].record"), record.into(), below(writer.records))?;
        }
        most(format_args!("{place}.records.origins[{at}].count"), origin.count.into(), left)?;
        left -= u64::from(origin.count);
    }
    Ok(())
}

/// Bytes of whole records, of no more than there are: what is too large to keep is left out.
fn whole(place: &str, bytes: &[u8], stride: u32, count: u64) -> Result<(), String> {
    let (found, stride) = (bytes.len() as u64, u64::from(stride));
    most(format_args!("the size of {place}"), found, count.saturating_mul(stride))?;
    match found.checked_rem(stride) {
        None | Some(0) => Ok(()),
        Some(_) => Err(format!("{place} has {found} bytes; expected a multiple of {stride}")),
    }
}

/// So many bytes.
fn exactly(place: impl Display, bytes: &[u8], expected: usize) -> Result<(), String> {
    match bytes.len() {
        found if found == expected => Ok(()),
        found => Err(format!("{place} has {found} bytes; expected {expected}")),
    }
}

fn batches(place: &str, run: &NodeRun, mode: GraphMode) -> Result<(), String> {
    let mut before = 0u64;
    for (at, batch) in run.batches.iter().enumerate() {
        let place = format!("{place}.batches[{at}]");
        let counts = [("records", batch.records), ("first_entry", batch.first_entry), ("entries", batch.entries)];
        for (name, count) in counts.into_iter().chain([("bound", batch.bound), ("used", batch.used)]) {
            most(format_args!("{place}.{name}"), count, MOST)?;
        }
        let mut listed = 0u64;
        for (at, [first, count]) in batch.which.iter().enumerate() {
            // A GPU-driven run may have stopped before it reached all records.
            if mode == GraphMode::Step {
                let end = u64::from(*first) + u64::from(*count);
                most(format_args!("the end of {place}.which[{at}]"), end, run.count)?;
            }
            listed = listed.saturating_add((*count).into());
        }
        before = before.saturating_add(batch.records);
        if batch.which.is_empty() {
            most(format_args!("the end of the records of {place}"), before, run.count)?;
        } else if batch.records != listed {
            return Err(format!("{place}.records is {}; expected {listed}", batch.records));
        }
    }
    Ok(())
}

/// What buffers and images held is as large as they are, and reads as their types say.
fn contents(run: &GraphRun) -> Result<(), String> {
    let mut sizes = BTreeMap::new();
    for (at, buffer) in run.buffers.iter().enumerate() {
        most(format_args!("buffers[{at}].bytes"), buffer.bytes, MOST)?;
        shape(&format!("buffers[{at}].type"), &buffer.shape, buffer.bytes)?;
        sizes.insert(buffer.name.as_str(), buffer.bytes);
    }
    for (at, image) in run.images.iter().enumerate() {
        most(format_args!("images[{at}].bytes"), image.bytes, MOST)?;
        most(format_args!("images[{at}].texel_bytes"), image.texel_bytes.into(), MAX_COMPONENTS.into())?;
        shape(&format!("images[{at}]"), &image.shape(), image.bytes)?;
        sizes.insert(image.name.as_str(), image.bytes);
    }
    let check = |place: String, held: &BTreeMap<String, Blob>| {
        held.iter().try_for_each(|(name, Blob(bytes))| match sizes.get(name.as_str()) {
            Some(size) if *size == bytes.len() as u64 => Ok(()),
            Some(size) => Err(format!("{place}.{name} has {} bytes; expected {size}", bytes.len())),
            None => Err(format!("{place}.{name} is neither a buffer nor an image of the run")),
        })
    };
    check("start".to_owned(), &run.start)?;
    check("contents".to_owned(), &run.contents)?;
    let mut changed = run.generations.iter().enumerate();
    changed.try_for_each(|(at, is)| check(format!("generations[{at}].changed"), &is.changed))
}
