//! Outputs to nodes.

use std::collections::HashMap;
use std::ops::Range;

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
pub fn link(nodes: Vec<Node>, source: GraphSource, overrides: &Overrides) -> WorkGraph {
    let rules = Population { include_all: overrides.include_all, allow_missing: overrides.allow_missing };
    linked(nodes, source, rules, &[])
}

/// How a graph is populated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Population {
    /// [`WorkGraph::include_all`].
    pub include_all: bool,
    /// [`WorkGraph::allow_missing`].
    pub allow_missing: bool,
}

/// Links nodes, which may have been linked before. `started` says by index which nodes stay entry points because nothing
/// reached them before; nodes after its end are new.
pub(super) fn linked(mut nodes: Vec<Node>, source: GraphSource, rules: Population, started: &[bool]) -> WorkGraph {
    let members = Members::of(&nodes);
    share_types(&mut nodes, &members);
    let mut left = MAX_EDGES;
    let mut edges = Vec::new();
    let mut edges_left_out = false;
    for (from, node) in nodes.iter_mut().enumerate() {
        let own = node.id.clone();
        for (index, output) in node.outputs.iter_mut().enumerate() {
            edges_left_out |= !resolve(from, &own, index, output, &members, &mut left, &mut edges);
        }
    }
    for (to, node) in nodes.iter().enumerate() {
        let owner = node.shares_input_of.as_ref().and_then(|id| members.find(id));
        let Some(owner) = owner.filter(|_| left > 0) else { continue };
        left -= 1;
        edges.push(Edge { from: owner, slot: None, to, kind: EdgeKind::SharedInput, optional: false });
    }
    let arrays = members.into_arrays(&nodes);
    let mut graph = WorkGraph {
        source,
        nodes,
        edges,
        arrays,
        edges_left_out,
        include_all: rules.include_all,
        allow_missing: rules.allow_missing,
        depth: 0,
        slots: 0,
        cycles: Vec::new(),
        longest: Vec::new(),
    };
    promote(&mut graph, started);
    let slots = graph.arrays.iter().fold(0u64, |all, array| all.saturating_add(array.size));
    graph.slots = graph.nodes.iter().fold(slots, |all, node| all.saturating_add(u64::from(node.recursion)));
    layers::place(&mut graph);
    for node in &mut graph.nodes {
        node.bound = node.bounded();
    }
    graph
}

/// Nodes by name and index; two of one id are both there.
struct Members {
    /// Index and node, by name, then index, then the order of the files.
    all: Vec<(u32, usize)>,
    /// By name: the part of them.
    names: HashMap<String, Range<usize>>,
}

impl Members {
    fn of(nodes: &[Node]) -> Members {
        let mut all: Vec<(u32, usize)> = nodes.iter().enumerate().map(|(at, node)| (node.id.index, at)).collect();
        let name = |at: usize| nodes[at].id.name.as_str();
        all.sort_by(|a, b| name(a.1).cmp(name(b.1)).then(a.0.cmp(&b.0)));
        let mut names = HashMap::new();
        let mut start = 0;
        for members in all.chunk_by(|a, b| name(a.1) == name(b.1)) {
            let end = start + members.len();
            names.insert(name(members[0].1).to_owned(), start..end);
            start = end;
        }
        Members { all, names }
    }

    /// The nodes of a name with their indices, in the order of these.
    fn named(&self, name: &str) -> &[(u32, usize)] {
        self.names.get(name).and_then(|range| self.all.get(range.clone())).unwrap_or_default()
    }

    /// The first node of an id.
    fn find(&self, id: &NodeId) -> Option<usize> {
        let members = self.named(&id.name);
        let at = members.partition_point(|(index, _)| *index < id.index);
        members.get(at).filter(|(index, _)| *index == id.index).map(|(_, node)| *node)
    }

    /// Arrays in the order of their names.
    fn into_arrays(mut self, nodes: &[Node]) -> Vec<NodeArray> {
        let mut arrays = Vec::with_capacity(self.names.len());
        let mut rest = self.all.as_slice();
        while let Some((_, first)) = rest.first()
            && let Some((name, range)) = self.names.remove_entry(&nodes[*first].id.name)
        {
            let (members, after) = rest.split_at(range.len());
            arrays.push(NodeArray {
                name,
                size: members.last().map_or(0, |(last, _)| u64::from(*last) + 1),
                nodes: members.iter().map(|(_, node)| *node).collect(),
            });
            rest = after;
        }
        arrays
    }
}

/// Adds the edges of one output, and notes the elements that have no node. Returns whether all edges fit.
fn resolve(
    from: usize,
    own: &NodeId,
    index: usize,
    output: &mut NodeOutput,
    members: &Members,
    left: &mut usize,
    edges: &mut Vec<Edge>,
) -> bool {
    let base = output.target.index;
    let members = members.named(&output.target.name);
    let last = members.last().map(|(last, _)| *last);
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
    let reached = &members[members.partition_point(|(at, _)| *at < base)..];
    let reached = &reached[..reached.partition_point(|(at, _)| *at <= end)];
    // Of several nodes of one id the first is the target.
    for (at, to) in reached.chunk_by(|a, b| a.0 == b.0).map(|same| same[0]) {
        miss(&mut output.missing, expected, u64::from(at - base));
        expected = u64::from(at - base) + 1;
        if *left == 0 {
            room = false;
            continue;
        }
        *left -= 1;
        let recursion = own.name == output.target.name && own.index == at;
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

/// With everything included, nodes without producers start by themselves, and those that did go on doing so.
fn promote(graph: &mut WorkGraph, started: &[bool]) {
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
    for (at, (node, fed)) in graph.nodes.iter_mut().zip(fed).enumerate() {
        let started = started.get(at).copied().unwrap_or(false);
        node.promoted = !node.entry && (!fed || started) && node.shares_input_of.is_none();
    }
}

/// A type known to one side of an edge is known to the other: the better one replaces the worse.
fn share_types(nodes: &mut [Node], members: &Members) {
    let better = |a: &RecordType, b: &RecordType| (a.bytes, a.tracked) == (b.bytes, b.tracked) && a.source < b.source;
    let mut of_output: Vec<(usize, usize, usize)> = Vec::new();
    for (from, node) in nodes.iter().enumerate() {
        for (index, output) in node.outputs.iter().enumerate().filter(|(_, output)| output.record.is_some()) {
            // Elements of one array have one type: the first member represents all.
            let members = members.named(&output.target.name);
            let first = members.partition_point(|(at, _)| *at < output.target.index);
            of_output.extend(members.get(first).map(|(_, to)| (from, index, *to)));
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
