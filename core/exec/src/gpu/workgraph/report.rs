//! Errors as text: findings, and why a run stops.

use super::batching::Grid;
use super::block::word;
use super::expand::{Lost, Written};
use crate::gpu::GpuError;
use lanescope_base::text_format::counted;
use lanescope_passes::findings::{self, Finding};
use lanescope_passes::graph::{Launched, Node, WorkGraph};
use lanescope_run::graph::{Batch, Generation, GraphRun, MAX_RING, Stopped};

/// The most findings of one node's run in one generation.
const MOST: usize = 16;

/// Why nothing more may run.
pub(super) fn stopped(generation: &Generation, node: Option<&Node>, why: String) -> Stopped {
    Stopped {
        dispatch: generation.dispatch,
        generation: generation.number,
        node: node.map(|node| node.id.clone()),
        why,
        needed: None,
        available: None,
    }
}

/// An error of the device, with the node and the generation that it came in.
pub(super) fn at(error: &GpuError, graph: &WorkGraph, node: usize, generation: &Generation) -> (GpuError, Stopped) {
    let stop = stopped(generation, graph.nodes.get(node), error.to_string());
    (error.clone(), stop)
}

/// Whether there are too many generations: a finding, and the end of the run.
pub(super) fn too_many_generations(run: &mut GraphRun, dispatch: u32, number: u32) -> bool {
    let Some(finding) = (Launched { graph: &run.graph }).generation(number) else { return false };
    let generation = Generation { dispatch, number, ..Generation::default() };
    run.stopped = Some(stopped(&generation, None, finding.message.clone()));
    run.findings.push(finding);
    true
}

/// Grids larger than their node says.
pub(super) fn grids(run: &mut GraphRun, node: usize, generation: &Generation, grids: &[Grid]) -> Option<Stopped> {
    let launched = Launched { graph: &run.graph };
    let beyond = (0..).zip(grids).filter_map(|(record, grid)| launched.grid(node, record, grid.groups));
    let beyond: Vec<Finding> = beyond.take(MOST).collect();
    let first = beyond.first()?;
    let stop = stopped(generation, run.graph.nodes.get(node), first.message.clone());
    run.findings.extend(beyond);
    Some(stop)
}

/// What there is too little of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Short {
    /// The part of the ring.
    pub part: &'static str,
    /// Bytes that one record may need of it.
    pub needed: u64,
    /// Bytes that it has.
    pub available: u64,
    /// The smallest ring that has enough, of all its parts; absent where none has.
    pub ring: Option<u64>,
}

/// A record that may need more than a ring has.
pub(super) fn too_large(node: &Node, generation: &Generation, short: Short, ring: u64) -> Stopped {
    let Short { part, needed, available, .. } = short;
    let remedy = match short.ring {
        Some(enough) if enough > ring => format!("--ring {}K is sufficient", enough.div_ceil(1 << 10)),
        Some(_) => "use a larger --ring".to_owned(),
        None => "no ring is large enough".to_owned(),
    };
    let why = format!("{}: one record may need {needed} bytes, {part} has {available}; {remedy}", node.id);
    Stopped { needed: Some(needed), available: Some(available), ..stopped(generation, Some(node), why) }
}

/// The smallest ring that is large enough, in whole KiB.
pub(super) fn smallest_ring(enough: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut low, mut high) = (1, MAX_RING >> 10);
    if !enough(high << 10) {
        return None;
    }
    while low < high {
        let middle = low.midpoint(high);
        if enough(middle << 10) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low << 10)
}

/// What a batch violated: its declared limits, or memory.
pub(super) fn broken(
    run: &mut GraphRun,
    node: usize,
    generation: &Generation,
    written: &Written,
    launches: u64,
    batch: &Batch,
) -> Option<Stopped> {
    let mut why = Vec::new();
    let is = run.graph.nodes.get(node)?;
    let mut found = Vec::new();
    let mut totals = written.totals.iter();
    let mut by_output: Vec<u64> = Vec::new();
    for output in &is.outputs {
        by_output.push(totals.by_ref().take(output.elements as usize).sum());
    }
    let launched = Launched { graph: &run.graph };
    for budget in is.budgets() {
        let sum: u64 = budget.outputs.iter().filter_map(|output| by_output.get(*output)).sum();
        let first = budget.outputs.first().copied().unwrap_or(0);
        found.extend(launched.written(node, first, launches, sum));
    }
    if written.sunk > 0 {
        why.push(format!(
            "{}: {} dropped: {} bytes of payload requested, {} declared by MaxRecords for {launches} launches",
            is.id,
            counted(written.sunk, "record"),
            written.used,
            batch.bound
        ));
    }
    why.extend(written.broken.clone());
    if found.is_empty() && written.sunk > 0 {
        // More than a list entry can count, or a slot that the node does not have.
        let name = is.label();
        let message = format!("{name}: {} beyond the declared allocations", counted(written.sunk, "record"));
        found.push(findings::GRAPH_BUDGET_BROKEN.at(None, Some(is.id.place()), message));
    }
    why.extend(found.iter().map(|finding| finding.message.clone()));
    let stop = (!why.is_empty()).then(|| {
        let poisoned =
            format!("the shader exceeded its declared limits; later results are unreliable: {}", why.join("; "));
        let short = written.sunk > 0;
        Stopped {
            needed: short.then_some(written.used),
            available: short.then_some(batch.bound),
            ..stopped(generation, Some(is), poisoned)
        }
    });
    run.findings.extend(found);
    stop
}

/// Tracked records that some groups did not finish with.
pub(super) fn unfinished(run: &mut GraphRun, node: usize, grids: &[Grid], after: &[u8], stride: u64) {
    let launched = Launched { graph: &run.graph };
    let records = (after.len() as u64).checked_div(stride).unwrap_or(0);
    let mut found = Vec::new();
    for record in 0..records {
        let grid = grids.get(if grids.len() == 1 { 0 } else { record as usize });
        let groups = grid.map_or(1, |grid| grid.volume);
        let left = if groups == 0 { 0 } else { u64::from(word(after, (record + 1) * stride - 4)) };
        found.extend(launched.unfinished(node, record, left, groups));
        if found.len() >= MOST {
            break;
        }
    }
    run.findings.extend(found);
}

/// Records that no node received.
pub(super) fn lost(run: &mut GraphRun, lost: &Lost) {
    let launched = Launched { graph: &run.graph };
    let finding = match lost.beyond {
        true => launched.too_deep(lost.node, lost.records),
        false => launched.dropped(lost.node, lost.records, &lost.id),
    };
    run.findings.push(finding);
}

/// Records that no node received, where their sender is unknown.
pub(super) fn dropped(run: &mut GraphRun, records: u64) {
    if records > 0 {
        let message = format!("{} sent to absent nodes; a stepped run shows the senders", counted(records, "record"));
        run.findings.push(findings::GRAPH_DROPPED.at(None, None, message));
    }
}
