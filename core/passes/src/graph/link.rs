//! Outputs to nodes.

use std::collections::BTreeMap;

use super::layers;
use super::model::{
    Edge, EdgeKind, Element, GraphSource, Node, NodeArray, NodeId, NodeOutput, RecordType, TypeSource, UNBOUNDED,
    WorkGraph,
};
use lanescope_model::overrides::Overrides;

/// The most edges that a graph is given: arrays of outputs into arrays of nodes multiply.
pub const MAX_EDGES: usize = 1 << 18;
/// The most runs of missing elements that are listed.
const MAX_MISSING: usize = 64;

/// Links nodes into a graph: who feeds whom, layers, generations, bounds.
pub fn link(mut nodes: Vec<Node>, source: GraphSource, overrides: &Overrides) -> WorkGraph {
    let by_name = by_name(&nodes);
    share_types(&mut nodes, &by_name);
    let mut left = MAX_EDGES;
    let mut edges = Vec::new();
    let mut edges_left_out = false;
    for (from, node) in nodes.iter_mut().enumerate() {
        let own = node.id.clone();
        for (index, output) in node.outputs.iter_mut().enumerate() {
            edges_left_out |= !resolve(from, &own, index, output, &by_name, &mut left, &mut edges);
        }
    }
    for (to, node) in nodes.iter().enumerate() {
        let owner = node.shares_input_of.as_ref().and_then(|id| by_name.get(&id.name)?.get(&id.index)?.first());
        let Some(owner) = owner.copied().filter(|_| left > 0) else { continue };
        left -= 1;
        edges.push(Edge { from: owner, slot: None, to, kind: EdgeKind::SharedInput, optional: false });
    }
    let arrays = by_name
        .into_iter()
        .map(|(name, members)| NodeArray {
            name,
            size: members.keys().next_back().map_or(0, |last| u64::from(*last) + 1),
            nodes: members.into_values().flatten().collect(),
        })
        .collect::<Vec<_>>();
    let mut graph = WorkGraph {
        source,
        nodes,
        edges,
        arrays,
        edges_left_out,
        include_all: overrides.include_all,
        allow_missing: overrides.allow_missing,
        depth: 0,
        slots: 0,
        cycles: Vec::new(),
        longest: Vec::new(),
    };
    promote(&mut graph);
    let slots = graph.arrays.iter().fold(0u64, |all, array| all.saturating_add(array.size));
    graph.slots = graph.nodes.iter().fold(slots, |all, node| all.saturating_add(u64::from(node.recursion)));
    layers::place(&mut graph);
    for node in &mut graph.nodes {
        node.bound = node.bounded();
    }
    graph
}

/// Nodes by name and index; two of one id are both there.
type ByName = BTreeMap<String, BTreeMap<u32, Vec<usize>>>;

fn by_name(nodes: &[Node]) -> ByName {
    let mut out = ByName::new();
    for (index, node) in nodes.iter().enumerate() {
        out.entry(node.id.name.clone()).or_default().entry(node.id.index).or_default().push(index);
    }
    out
}

/// Adds the edges of one output, and notes the elements that have no node. Returns whether all edges fit.
fn resolve(
    from: usize,
    own: &NodeId,
    index: usize,
    output: &mut NodeOutput,
    by_name: &ByName,
    left: &mut usize,
    edges: &mut Vec<Edge>,
) -> bool {
    let base = output.target.index;
    let members = by_name.get(&output.target.name);
    let last = members.and_then(|members| members.keys().next_back()).copied();
    output.elements = match output.array {
        None => 1,
        Some(UNBOUNDED) => last.and_then(|last| last.checked_sub(base)).map_or(0, |size| size.saturating_add(1)),
        Some(length) => length,
    };
    output.missing.clear();
    // The last index that can be reached: ids do not wrap.
    let Some(end) = output.elements.checked_sub(1).map(|last| base.saturating_add(last)) else { return true };
    let mut room = true;
    // The first element of which nothing is known yet.
    let mut expected = 0u64;
    let miss = |missing: &mut Vec<[u32; 2]>, expected: u64, next: u64| {
        let run = [expected, next.saturating_sub(1)].map(|element| u32::try_from(element).ok());
        if let ([Some(first), Some(last)], true) = (run, missing.len() < MAX_MISSING && next > expected) {
            missing.push([first, last]);
        }
    };
    for (at, nodes) in members.into_iter().flat_map(|members| members.range(base..=end)) {
        miss(&mut output.missing, expected, u64::from(at - base));
        expected = u64::from(at - base) + 1;
        let Some(to) = nodes.first().copied() else { continue };
        if *left == 0 {
            room = false;
            continue;
        }
        *left -= 1;
        let recursion = own.name == output.target.name && own.index == *at;
        edges.push(Edge {
            from,
            slot: Some(Element { output: index, element: at - base }),
            to,
            kind: if recursion { EdgeKind::Recursion } else { EdgeKind::Records },
            optional: output.sparse,
        });
    }
    miss(&mut output.missing, expected, u64::from(output.elements));
    room
}

/// With everything included, nodes without producers start by themselves.
fn promote(graph: &mut WorkGraph) {
    if !graph.include_all {
        return;
    }
    let mut fed = vec![false; graph.nodes.len()];
    for edge in graph.edges.iter().filter(|edge| edge.kind != EdgeKind::Recursion) {
        fed[edge.to] = true;
    }
    // The second node of an id is not a target; a finding reports that there are two.
    for array in &graph.arrays {
        for pair in array.nodes.windows(2).filter(|pair| graph.nodes[pair[0]].id == graph.nodes[pair[1]].id) {
            fed[pair[1]] = true;
        }
    }
    for (node, fed) in graph.nodes.iter_mut().zip(fed) {
        node.promoted = !node.entry && !fed && node.shares_input_of.is_none();
    }
}

/// A type known to one side of an edge is known to the other: the better one replaces the worse.
fn share_types(nodes: &mut [Node], by_name: &ByName) {
    let better = |a: &RecordType, b: &RecordType| (a.bytes, a.tracked) == (b.bytes, b.tracked) && a.source < b.source;
    let mut of_output: Vec<(usize, usize, usize)> = Vec::new();
    for (from, node) in nodes.iter().enumerate() {
        for (index, output) in node.outputs.iter().enumerate().filter(|(_, output)| output.record.is_some()) {
            // Elements of one array have one type: the first member represents all.
            let members = by_name.get(&output.target.name).map(|members| members.range(output.target.index..));
            if let Some((_, nodes)) = members.and_then(|mut members| members.next())
                && let Some(to) = nodes.first()
            {
                of_output.push((from, index, *to));
            }
        }
    }
    for (from, output, to) in of_output {
        let Some(written) = nodes[from].outputs[output].record.clone() else { continue };
        let Some(read) = nodes[to].inputs.first().and_then(|input| input.record.clone()) else { continue };
        if better(&read, &written) {
            nodes[from].outputs[output].record = Some(RecordType { grid: written.grid.or(read.grid), ..read });
        } else if better(&written, &read) {
            let name = written.name.clone().or(read.name.clone());
            nodes[to].inputs[0].record = Some(RecordType { grid: read.grid, name, ..written });
        }
    }
    debug_assert!(TypeSource::Debug < TypeSource::Code && TypeSource::Code < TypeSource::Size);
}
