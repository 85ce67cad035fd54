//! How much a node may take and write.

use super::Out;
use crate::findings;
use crate::graph::model::{EdgeKind, Launch, Node};

const MAX_INPUTS: usize = 1;
const MAX_OUTPUTS: usize = 1024;
/// Of a group.
const GROUP_RECORDS: u64 = 256;
const GROUP_BYTES: u64 = 32768;
const GROUP_ALL: u64 = 49152;
const GROUPSHARED: u32 = 32768;
/// Of a thread.
const THREAD_RECORDS: u64 = 8;
const THREAD_BYTES: u64 = 128;
/// Of a record that a node writes.
const RECORD_BYTES: u32 = 32768;

pub(super) fn check(out: &mut Out<'_>) {
    let sharers = sharers(out);
    for (at, node) in out.nodes() {
        counts(out, node);
        match node.launch {
            Launch::Broadcasting | Launch::Coalescing => group(out, at, node, &sharers),
            Launch::Thread => thread(out, node),
            Launch::Mesh => {}
        }
    }
    records(out);
}

fn counts(out: &mut Out<'_>, node: &Node) {
    let name = node.labelled();
    if node.inputs.len() > MAX_INPUTS {
        let message = format!("{name}: {} node inputs, limit {MAX_INPUTS}", node.inputs.len());
        out.add(findings::GRAPH_INPUTS, Some(node), message);
    }
    if node.outputs.len() > MAX_OUTPUTS {
        let message = format!("{name}: {} outputs, limit {MAX_OUTPUTS}", node.outputs.len());
        out.add(findings::GRAPH_OUTPUTS, Some(node), message);
    }
}

/// For each output, by node, how many nodes read what it writes: the most of any of its targets.
fn sharers(out: &Out<'_>) -> Vec<Vec<u64>> {
    let graph = out.graph;
    let mut readers = vec![1u64; graph.nodes.len()];
    for edge in graph.edges.iter().filter(|edge| edge.kind == EdgeKind::SharedInput) {
        readers[edge.from] += 1;
    }
    let mut by_output: Vec<Vec<u64>> = graph.nodes.iter().map(|node| vec![1; node.outputs.len()]).collect();
    for edge in &graph.edges {
        if let Some(slot) = edge.slot {
            let most = &mut by_output[edge.from][slot.output];
            *most = (*most).max(readers[edge.to]);
        }
    }
    by_output
}

fn group(out: &mut Out<'_>, at: usize, node: &Node, sharers: &[Vec<u64>]) {
    let name = node.labelled();
    let shared = node.budgets().iter().filter(|budget| budget.stride > 0).fold(0u64, |all, budget| {
        let times =
            budget.outputs.iter().filter_map(|output| sharers.get(at)?.get(*output)).max().copied().unwrap_or(1);
        all.saturating_add(u64::from(budget.max_records).saturating_mul(times))
    });
    if shared > GROUP_RECORDS {
        let message = format!("{name}: up to {shared} output records per group, limit {GROUP_RECORDS}");
        out.add(findings::GRAPH_GROUP_RECORDS, Some(node), message);
    }
    let bound = &node.bound;
    let limit = GROUP_BYTES.saturating_sub(bound.tracked.saturating_mul(4));
    if bound.record_bytes > limit {
        let message = format!("{name}: up to {} output bytes per group, limit {limit}", bound.record_bytes);
        out.add(findings::GRAPH_GROUP_BYTES, Some(node), message);
    }
    let all = bound
        .record_bytes
        .saturating_add(u64::from(node.groupshared_bytes))
        .saturating_add(bound.records.saturating_mul(8));
    if all > GROUP_ALL {
        let message = format!(
            "{name}: output {} + groupshared {} + 8 x {} records = {all}, limit {GROUP_ALL}",
            bound.record_bytes, node.groupshared_bytes, bound.records
        );
        out.add(findings::GRAPH_GROUP_ALL, Some(node), message);
    }
    if node.groupshared_bytes > GROUPSHARED {
        let message = format!("{name}: groupshared {} bytes, limit {GROUPSHARED}", node.groupshared_bytes);
        out.add(findings::GRAPH_GROUPSHARED, Some(node), message);
    }
}

fn thread(out: &mut Out<'_>, node: &Node) {
    let (name, bound) = (node.labelled(), &node.bound);
    if bound.records > THREAD_RECORDS {
        let message = format!("{name}: thread node may output {} records, limit {THREAD_RECORDS}", bound.records);
        out.add(findings::GRAPH_THREAD_RECORDS, Some(node), message);
    }
    if bound.record_bytes > THREAD_BYTES {
        let message = format!("{name}: thread node may output {} bytes, limit {THREAD_BYTES}", bound.record_bytes);
        out.add(findings::GRAPH_THREAD_BYTES, Some(node), message);
    }
}

/// Records of nodes that nodes feed, and records whose counter leaves the next one misaligned.
fn records(out: &mut Out<'_>) {
    let graph = out.graph;
    let mut feeder: Vec<Option<usize>> = vec![None; graph.nodes.len()];
    for edge in graph.edges.iter().filter(|edge| edge.kind != EdgeKind::SharedInput) {
        feeder[edge.to].get_or_insert(edge.from);
    }
    for (at, node) in out.nodes() {
        let Some(record) = node.record() else { continue };
        let from = feeder[at].and_then(|from| graph.nodes.get(from));
        if let Some(from) = from
            && record.bytes > RECORD_BYTES
        {
            let message =
                format!("{}: record of {} bytes fed by {}, limit {RECORD_BYTES}", node.id, record.bytes, from.label());
            out.add(findings::GRAPH_RECORD_BYTES, Some(node), message);
        }
        if record.tracked && record.align >= 8 {
            let message = format!(
                "{}: tracked record with 64-bit members, allocations of more than one record are misaligned",
                node.id
            );
            out.add(findings::GRAPH_TRACKED_ALIGN, Some(node), message);
        }
    }
}
