//! A graph in a state object, and the graph with the nodes that `AddToStateObject` adds to it.
//!
//! Rules: D3D12 work graphs specification, section *AddToStateObject*, "Work graph specific rules".

use std::collections::BTreeMap;

use super::check::check;
use super::link::{Population, linked};
use super::model::{EdgeKind, Node, WorkGraph};
use crate::findings::{self, Finding};

/// A graph before and after nodes were added to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Addition {
    /// The graph of the state object that grows.
    pub base: WorkGraph,
    /// The graph with the added nodes: those of `base` first, by the same indices. Entry points of `base` still are.
    pub whole: WorkGraph,
    /// By index into the nodes of `whole`, the index in the graph that it was made from.
    pub origins: Vec<usize>,
}

/// An output and the nodes that it newly reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// The node that writes, by index into the nodes of [`Addition::whole`].
    pub node: usize,
    /// The output, by index.
    pub output: usize,
    /// The nodes that it newly reaches, in the order of the elements.
    pub nodes: Vec<usize>,
}

impl Addition {
    /// A linked graph, some nodes of which are added to the others; `None` where that is none or all of them.
    pub fn of(graph: &WorkGraph, is_added: impl Fn(&Node) -> bool) -> Option<Addition> {
        let all = 0..graph.nodes.len();
        let (added, own): (Vec<usize>, Vec<usize>) = all.partition(|at| is_added(&graph.nodes[*at]));
        if added.is_empty() || own.is_empty() {
            return None;
        }
        let rules = Population { include_all: graph.include_all, allow_missing: graph.allow_missing };
        let nodes = |of: &[usize]| of.iter().filter_map(|at| graph.nodes.get(*at).cloned()).collect::<Vec<Node>>();
        let base = linked(nodes(&own), graph.source, rules, &[]);
        let started: Vec<bool> = base.nodes.iter().map(|node| node.promoted).collect();
        let origins = [own, added].concat();
        let whole = linked(nodes(&origins), graph.source, rules, &started);
        Some(Addition { base, whole, origins })
    }

    /// Whether a node of [`Addition::whole`] is added.
    pub fn is_added(&self, node: usize) -> bool {
        node >= self.base.nodes.len()
    }

    /// The entry points by their index: those of the base keep theirs, new ones come after them.
    pub fn entries(&self) -> impl Iterator<Item = usize> + '_ {
        self.whole.nodes.iter().enumerate().filter(|(_, node)| node.starts()).map(|(at, _)| at)
    }

    /// The outputs that reach nodes which they did not reach before, or which are new themselves.
    pub fn reached(&self) -> Vec<Reached> {
        let mut out: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for edge in self.whole.edges.iter().filter(|edge| self.is_added(edge.from) || self.is_added(edge.to)) {
            if let Some(slot) = edge.slot {
                out.entry((edge.from, slot.output)).or_default().push(edge.to);
            }
        }
        out.into_iter().map(|((node, output), nodes)| Reached { node, output, nodes }).collect()
    }

    /// What is wrong with the addition: rules of additions, and those of a graph that only the whole one breaks.
    pub fn check(&self) -> Vec<Finding> {
        let before = check(&self.base);
        let mut out: Vec<Finding> =
            check(&self.whole).into_iter().filter(|finding| !before.contains(finding)).collect();
        self.depths(&mut out);
        self.sharers(&mut out);
        self.targets(&mut out);
        out
    }

    /// The longest chain to each existing node may not grow.
    fn depths(&self, out: &mut Vec<Finding>) {
        let (Some(before), Some(after)) = (starts(&self.base), starts(&self.whole)) else { return };
        for (at, (before, after)) in before.iter().zip(&after).enumerate() {
            let Some(node) = self.whole.nodes.get(at).filter(|_| after > before) else { continue };
            let message = format!(
                "{}: {after} nodes are before it on the longest chain from an entry point, {before} without the addition",
                node.label()
            );
            out.push(findings::GRAPH_ADDED_DEPTH.at(None, Some(node.place()), message));
        }
    }

    /// No added node may share the input of an existing one.
    fn sharers(&self, out: &mut Vec<Finding>) {
        for edge in self.whole.edges.iter().filter(|edge| edge.kind == EdgeKind::SharedInput) {
            if !self.is_added(edge.to) || self.is_added(edge.from) {
                continue;
            }
            let (Some(owner), Some(node)) = (self.whole.nodes.get(edge.from), self.whole.nodes.get(edge.to)) else {
                continue;
            };
            let message = format!("{}: shares the input of {}, which is in the base", node.label(), owner.label());
            out.push(findings::GRAPH_ADDED_SHARER.at(None, Some(node.place()), message));
        }
    }

    /// Nodes fill gaps of sparse outputs alone.
    fn targets(&self, out: &mut Vec<Finding>) {
        for Reached { node, output, nodes } in self.reached() {
            let Some(writer) = self.whole.nodes.get(node).filter(|_| !self.is_added(node)) else { continue };
            let Some(is) = writer.outputs.get(output).filter(|output| !output.sparse) else { continue };
            for target in nodes.iter().filter_map(|to| self.whole.nodes.get(*to)) {
                let message = format!(
                    "{}: target of {}.{}, an output of the base that is not sparse",
                    target.label(),
                    writer.label(),
                    is.label(output)
                );
                out.push(findings::GRAPH_ADDED_TARGET.at(None, Some(target.place()), message));
            }
        }
    }
}

/// Nodes before each node on the longest chain from an entry point, recursion counted at its limit; a sharer has its owner's.
/// Other nodes of its array do not count. `None` where nodes form a cycle.
fn starts(graph: &WorkGraph) -> Option<Vec<u32>> {
    if !graph.cycles.is_empty() {
        return None;
    }
    let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
    // Each edge leads to a later layer; a sharer is in its owner's.
    order.sort_by_key(|at| (graph.nodes[*at].layer, graph.nodes[*at].shares_input_of.is_some()));
    let mut own = vec![1u32; graph.nodes.len()];
    let mut into: Vec<Vec<(usize, EdgeKind)>> = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        match edge.kind {
            EdgeKind::Recursion => own[edge.to] = graph.nodes[edge.to].recursion.saturating_add(1),
            EdgeKind::Records | EdgeKind::SharedInput => into[edge.to].push((edge.from, edge.kind)),
        }
    }
    let mut out = vec![0u32; graph.nodes.len()];
    for at in order {
        let start = into[at].iter().map(|(from, kind)| match kind {
            EdgeKind::SharedInput => out[*from],
            EdgeKind::Records | EdgeKind::Recursion => out[*from].saturating_add(own[*from]),
        });
        out[at] = start.max().unwrap_or(0);
    }
    Some(out)
}
