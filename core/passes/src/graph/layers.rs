//! Layers, depth and generations.

use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};

use super::model::{EdgeKind, WorkGraph};

/// The last generation that may have records.
pub const LAST_GENERATION: u32 = 32;

/// Finds cycles, then layers, depth and generations; back edges of a cycle do not count.
pub(super) fn place(graph: &mut WorkGraph) {
    let count = graph.nodes.len();
    let mut links: DiGraph<(), ()> = DiGraph::with_capacity(count, graph.edges.len());
    for _ in 0..count {
        links.add_node(());
    }
    // Pairs with whether records go from one to the other; else an input is shared.
    let mut pairs: Vec<(usize, usize, bool)> = graph
        .edges
        .iter()
        .filter(|edge| edge.from != edge.to)
        .map(|edge| (edge.from, edge.to, edge.kind != EdgeKind::SharedInput))
        .collect();
    pairs.sort_unstable_by_key(|(from, to, records)| (*from, *to, !records));
    pairs.dedup_by_key(|(from, to, _)| (*from, *to));
    for (from, to, _) in &pairs {
        links.add_edge(NodeIndex::new(*from), NodeIndex::new(*to), ());
    }
    let components = kosaraju_scc(&links);
    let mut component = vec![0usize; count];
    for (number, members) in components.iter().enumerate() {
        members.iter().for_each(|member| component[member.index()] = number);
    }
    let mut is_entered = vec![false; count];
    for (from, to, _) in &pairs {
        is_entered[*to] |= component[*from] != component[*to];
    }
    for members in components.iter().filter(|members| members.len() > 1) {
        let mut members: Vec<usize> = members.iter().map(|member| member.index()).collect();
        members.sort_unstable();
        // Where it is entered from outside, if it is.
        let start = members.iter().copied().find(|member| is_entered[*member]).or(members.first().copied());
        graph.cycles.push(circle(start, &members, &links));
    }
    graph.cycles.sort();
    // Inside a cycle only the edges to later nodes count: so there is an order.
    let counts = |from: usize, to: usize| component[from] != component[to] || from < to;
    pairs.retain(|(from, to, _)| counts(*from, *to));
    let mut forward: DiGraph<(), ()> = DiGraph::with_capacity(count, pairs.len());
    for _ in 0..count {
        forward.add_node(());
    }
    for (from, to, _) in &pairs {
        forward.add_edge(NodeIndex::new(*from), NodeIndex::new(*to), ());
    }
    // There is no cycle left, so there is an order; without one, the order of the file is used.
    let order: Vec<usize> = match toposort(&forward, None) {
        Ok(order) => order.into_iter().map(|node| node.index()).collect(),
        Err(_) => (0..count).collect(),
    };
    let mut own = vec![1u32; count];
    for edge in &graph.edges {
        match edge.kind {
            EdgeKind::Recursion => own[edge.to] = graph.nodes[edge.to].recursion.saturating_add(1),
            EdgeKind::SharedInput | EdgeKind::Records => {}
        }
    }
    let mut before: Vec<Vec<(usize, bool)>> = vec![Vec::new(); count];
    for (from, to, records) in &pairs {
        before[*to].push((*from, *records));
    }
    let chain = chains(graph, &order, &before, &own);
    layer(graph, &order, &before);
    generations(graph, &order, &before, &own);
    graph.depth = chain.iter().map(|chain| chain.end).max().unwrap_or(0);
    let mut at = (0..count).find(|node| chain[*node].end == graph.depth);
    let mut longest = Vec::new();
    // A chain has no node twice, since it goes back in the order.
    while let Some(node) = at.filter(|_| longest.len() <= count) {
        longest.push(node);
        at = chain[node].previous;
    }
    longest.reverse();
    graph.longest = longest;
    for (node, chain) in graph.nodes.iter_mut().zip(chain) {
        node.depth = chain.end;
    }
}

/// A circle through nodes of one strongly connected component: from a node along edges inside, back to it.
fn circle(start: Option<usize>, members: &[usize], links: &DiGraph<(), ()>) -> Vec<usize> {
    let Some(start) = start else { return Vec::new() };
    let mut from: std::collections::BTreeMap<usize, usize> = std::collections::BTreeMap::new();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        let mut next: Vec<usize> = links.neighbors(NodeIndex::new(at)).map(|node| node.index()).collect();
        next.sort_unstable();
        for to in next {
            if to == start {
                let mut out = vec![at];
                while let Some(before) = from.get(out.last().unwrap_or(&start)).filter(|_| out.last() != Some(&start)) {
                    out.push(*before);
                }
                out.reverse();
                return out;
            }
            if members.binary_search(&to).is_ok() && !from.contains_key(&to) {
                from.insert(to, at);
                queue.push_back(to);
            }
        }
    }
    members.to_vec()
}

/// The longest chain that ends at a node, and the node before it in that chain.
#[derive(Clone, Copy, Default)]
struct Chain {
    end: u32,
    previous: Option<usize>,
}

/// Depth with recursion at its limit. All nodes of one name start where the last of them can; a sharer starts with the
/// node whose input it reads.
fn chains(graph: &WorkGraph, order: &[usize], before: &[Vec<(usize, bool)>], own: &[u32]) -> Vec<Chain> {
    let count = graph.nodes.len();
    let mut array_of = vec![0usize; count];
    for (number, array) in graph.arrays.iter().enumerate() {
        for node in &array.nodes {
            array_of[*node] = number;
        }
    }
    // What the node before adds; of each array, the farthest start.
    let mut start = vec![Chain::default(); graph.arrays.len()];
    let mut out = vec![Chain::default(); count];
    // A later member can push an earlier one on, whose followers then move: as often as arrays are deep. Above the limit
    // of 32 nothing is distinguished, so few rounds are enough; the bound keeps hostile graphs short.
    for _ in 0..40 {
        let mut moved = false;
        for node in order {
            let mut from = Chain::default();
            for (parent, records) in &before[*node] {
                let end = match records {
                    // Members of one array start together: that one feeds another is a fault of its own.
                    true if array_of[*parent] == array_of[*node] => continue,
                    true => Chain { end: out[*parent].end, previous: Some(*parent) },
                    // A sharer begins where its owner begins.
                    false => start[array_of[*parent]],
                };
                if end.end > from.end {
                    from = end;
                }
            }
            let array = &mut start[array_of[*node]];
            if from.end > array.end {
                *array = from;
                moved = true;
            }
            let end = array.end.saturating_add(own[*node]);
            if end != out[*node].end {
                out[*node] = Chain { end, previous: array.previous };
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
    out
}

/// The layer of each node: edges on the longest path to it; a sharer is beside its owner.
fn layer(graph: &mut WorkGraph, order: &[usize], before: &[Vec<(usize, bool)>]) {
    let mut layer = vec![0u32; graph.nodes.len()];
    for node in order {
        for (parent, records) in &before[*node] {
            layer[*node] = layer[*node].max(layer[*parent].saturating_add(u32::from(*records)));
        }
    }
    for (node, layer) in graph.nodes.iter_mut().zip(layer) {
        node.layer = layer;
    }
}

/// The generations in which each node can run, as bits.
fn generations(graph: &mut WorkGraph, order: &[usize], before: &[Vec<(usize, bool)>], own: &[u32]) {
    let all = (1u64 << (LAST_GENERATION + 1)) - 1;
    let mut bits = vec![0u64; graph.nodes.len()];
    for node in order {
        let mut fresh = u64::from(graph.nodes[*node].starts());
        for (parent, records) in &before[*node] {
            fresh |= if *records { bits[*parent] << 1 } else { bits[*parent] };
        }
        let again = own[*node].saturating_sub(1).min(LAST_GENERATION);
        bits[*node] = (0..=again).fold(0, |bits, step| bits | fresh << step) & all;
    }
    for (node, bits) in graph.nodes.iter_mut().zip(bits) {
        node.generations = (0..=LAST_GENERATION).filter(|generation| bits >> generation & 1 == 1).collect();
    }
}
