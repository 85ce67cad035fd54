//! Ids, targets, cycles, and what producers and consumers must agree on.

use std::collections::BTreeMap;

use super::{Out, arrows};
use crate::findings;
use crate::graph::model::{Access, EdgeKind, Node, RecordType, UNBOUNDED, WorkGraph};

/// Slots that a graph may have.
const MAX_SLOTS: u64 = 0xff_ffff;
/// Nodes of a chain.
const MAX_DEPTH: u32 = 32;

pub(super) fn check(out: &mut Out<'_>) {
    slots_and_depth(out);
    cycles(out);
    twice(out);
    targets(out);
    arrays(out);
    edges(out);
    unreached(out);
}

fn slots_and_depth(out: &mut Out<'_>) {
    let graph = out.graph;
    if graph.slots > MAX_SLOTS {
        let message = format!(
            "graph uses {} node IDs, limit {MAX_SLOTS} (gaps in arrays and recursion levels count)",
            graph.slots
        );
        out.add(findings::GRAPH_SLOTS, None, message);
    }
    let recursive = recursive(graph);
    let recursive = |at: usize| recursive.get(at).copied().unwrap_or(false);
    let names = graph.longest.iter().filter_map(|at| {
        let node = graph.nodes.get(*at)?;
        let name = node.label();
        Some(match node.recursion > 0 && recursive(*at) {
            true => format!("{name} ({} times)", u64::from(node.recursion) + 1),
            false => name,
        })
    });
    let names: Vec<String> = names.collect();
    let chain = arrows(names.iter());
    if graph.depth > MAX_DEPTH {
        let message = format!("chain of {} nodes, limit {MAX_DEPTH}: {chain}", graph.depth);
        out.add(findings::GRAPH_DEPTH, None, message);
    } else if graph.depth == MAX_DEPTH && graph.longest.iter().any(|at| recursive(*at)) {
        let message = format!(
            "chain of exactly {MAX_DEPTH} nodes with recursion in it; the specification does not say whether \
             the first run of a recursive node counts: {chain}"
        );
        out.add(findings::GRAPH_DEPTH_REACHED, None, message);
    }
    if graph.edges_left_out {
        let message = format!("only the first {} edges are shown and checked", graph.edges.len());
        out.add(findings::GRAPH_EDGES, None, message);
    }
}

/// By node: whether an output of its own targets it.
fn recursive(graph: &WorkGraph) -> Vec<bool> {
    let mut out = vec![false; graph.nodes.len()];
    for edge in graph.edges.iter().filter(|edge| edge.kind == EdgeKind::Recursion) {
        if let Some(recursive) = out.get_mut(edge.to) {
            *recursive = true;
        }
    }
    out
}

fn cycles(out: &mut Out<'_>) {
    let graph = out.graph;
    for cycle in &graph.cycles {
        let first = cycle.first().copied();
        let nodes = cycle.iter().copied().chain(first).filter_map(|at| graph.nodes.get(at));
        let message = format!("cycle: {}; only self recursion is allowed", arrows(nodes.map(Node::label)));
        out.add(findings::GRAPH_CYCLE, first.and_then(|at| graph.nodes.get(at)), message);
    }
    let recursive = recursive(graph);
    for edge in graph.edges.iter().filter(|edge| edge.kind == EdgeKind::Recursion) {
        let Some(node) = graph.nodes.get(edge.to) else { continue };
        if let Some(slot) = edge.slot
            && node.recursion == 0
        {
            let output = node.outputs.get(slot.output).map(|output| output.label(slot.output)).unwrap_or_default();
            let message =
                format!("{}: output {output} targets its own node ID but NodeMaxRecursionDepth is 0", node.label());
            out.add(findings::GRAPH_SELF_TARGET, Some(node), message);
        }
    }
    for (at, node) in out.nodes() {
        if node.recursion > MAX_DEPTH {
            let message = format!("{}: recursion depth {}, limit {MAX_DEPTH}", node.label(), node.recursion);
            out.add(findings::GRAPH_RECURSION, Some(node), message);
        }
        if node.recursion > 0 && !recursive[at] {
            let message = format!(
                "{}: NodeMaxRecursionDepth {} has no effect, no output targets {}",
                node.label(),
                node.recursion,
                node.id
            );
            out.add(findings::GRAPH_RECURSION_UNUSED, Some(node), message);
        }
    }
}

fn twice(out: &mut Out<'_>) {
    let graph = out.graph;
    for array in &graph.arrays {
        for pair in array.nodes.windows(2) {
            let [Some(a), Some(b)] = [pair[0], pair[1]].map(|at| graph.nodes.get(at)) else { continue };
            if a.id == b.id {
                let message = format!("{} is defined by {} and {}", a.id, a.name, b.name);
                out.add(findings::GRAPH_ID_TWICE, Some(a), message);
            }
        }
    }
}

fn targets(out: &mut Out<'_>) {
    let graph = out.graph;
    let mut fed: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for edge in &graph.edges {
        if let Some(slot) = edge.slot {
            *fed.entry((edge.from, slot.output)).or_default() += 1;
        }
    }
    for (at, node) in out.nodes() {
        for (index, output) in node.outputs.iter().enumerate() {
            let label = output.labelled(index);
            if output.array == Some(UNBOUNDED) && !output.sparse {
                let message = format!("{}.{label}: unbounded array must be sparse", node.label());
                out.add(findings::GRAPH_UNBOUNDED, Some(node), message);
            }
            if output.sparse {
                if !fed.contains_key(&(at, index)) {
                    let name = &output.target.name;
                    let message = format!(
                        "{}: output {label}: no node named {name} in range; IsValid() is always false",
                        node.label()
                    );
                    out.add(findings::GRAPH_NEVER_VALID, Some(node), message);
                }
                continue;
            }
            let missing: u64 = output.missing.iter().map(|[first, last]| u64::from(last - first) + 1).sum();
            let first = output.missing.first().and_then(|[first, _]| output.id(*first));
            let Some(first) = first.filter(|_| output.array.is_none() || !graph.allow_missing) else { continue };
            let (more, verb) = match missing {
                1 => (String::new(), "does"),
                more => (format!(" and {} more, up to {}[{}]", more - 1, first.name, last_of(output)), "do"),
            };
            let message = format!(
                "{}: output {label} targets {first}{more}, which {verb} not exist; add AllowSparseNodes or the node",
                node.label()
            );
            out.add(findings::GRAPH_NO_TARGET, Some(node), message);
        }
    }
}

/// The index of the last element that is missing.
fn last_of(output: &crate::graph::NodeOutput) -> u32 {
    output.missing.last().map_or(0, |[_, last]| output.target.index.saturating_add(*last))
}

/// Members of an array are alike.
fn arrays(out: &mut Out<'_>) {
    let graph = out.graph;
    for array in &graph.arrays {
        let mut nodes = array.nodes.iter().filter_map(|at| graph.nodes.get(*at));
        let Some(first) = nodes.next() else { continue };
        for node in nodes {
            let what = if first.launch != node.launch {
                "launch type"
            } else if size(first.record()) != size(node.record()) {
                "record size"
            } else if access(first) != access(node) {
                "access"
            } else if first.has_dynamic_grid() != node.has_dynamic_grid() {
                let message = format!("{} and {} differ in grid kind", first.id, node.id);
                out.add(findings::GRAPH_ARRAY_GRIDS, Some(node), message);
                continue;
            } else {
                continue;
            };
            let message = format!("{} and {} differ in {what}", first.id, node.id);
            out.add(findings::GRAPH_ARRAY_DIFFERS, Some(node), message);
        }
    }
}

fn size(record: Option<&RecordType>) -> u32 {
    record.map_or(0, RecordType::stride)
}

fn access(node: &Node) -> Access {
    node.inputs.first().map_or(Access::Empty, |input| input.access)
}

/// What a producer writes is what its consumer reads. Elements of one output with the same fault are reported once a
/// target array.
fn edges(out: &mut Out<'_>) {
    let graph = out.graph;
    for edge in &graph.edges {
        let Some(slot) = edge.slot else { continue };
        let (Some(from), Some(to)) = (graph.nodes.get(edge.from), graph.nodes.get(edge.to)) else { continue };
        let Some(output) = from.outputs.get(slot.output) else { continue };
        let (name, label) = (from.labelled(), output.labelled(slot.output));
        if from.id.name == to.id.name && from.id.index != to.id.index {
            let message = format!("{name}: output {label} reaches {}, another node of its own array", to.id);
            out.add(findings::GRAPH_SIBLING, Some(from), message);
        }
        match (&output.record, to.record()) {
            (None, Some(read)) => {
                let message = format!("{name}.{label} is empty, {} expects {}-byte records", to.id, read.bytes);
                out.add(findings::GRAPH_EMPTY_DIFFERS, Some(from), message);
            }
            (Some(written), None) => {
                let message =
                    format!("{name}.{label} writes {}-byte records, {} takes empty records", written.bytes, to.id);
                out.add(findings::GRAPH_EMPTY_DIFFERS, Some(from), message);
            }
            (Some(written), Some(read)) => {
                if written.stride() != read.stride() {
                    let (wrote, reads) = (written.stride(), read.stride());
                    let message = format!("{name}.{label} writes {wrote}-byte records, {} reads {reads} bytes", to.id);
                    out.add(findings::GRAPH_SIZE_DIFFERS, Some(from), message);
                }
                let message = match (written.tracked, read.tracked) {
                    (false, true) => format!(
                        "{} tracks cross-group sharing but producer {name}.{label} does not reserve the counter",
                        to.id
                    ),
                    (true, false) => format!(
                        "{} does not track cross-group sharing but producer {name}.{label} reserves the counter",
                        to.id
                    ),
                    _ => continue,
                };
                out.add(findings::GRAPH_TRACKING_DIFFERS, Some(from), message);
            }
            (None, None) => {}
        }
    }
}

fn unreached(out: &mut Out<'_>) {
    let graph = out.graph;
    let mut fed = vec![false; graph.nodes.len()];
    for edge in graph.edges.iter().filter(|edge| edge.kind != EdgeKind::Recursion) {
        fed[edge.to] = true;
    }
    for (at, node) in out.nodes() {
        let unreached = !node.entry && !fed[at] && node.shares_input_of.is_none();
        if !(node.promoted || unreached) || graph.find(&node.id) != Some(at) {
            continue;
        }
        let what = if node.promoted { "promoted to entry point" } else { "nothing reaches this node" };
        out.add(findings::GRAPH_UNREACHED, Some(node), format!("{}: {what}", node.label()));
    }
}
