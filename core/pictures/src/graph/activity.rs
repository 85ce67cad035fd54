//! Activity in a generation, for coloring.

use std::collections::BTreeMap;

use lanescope_core::run::graph::Generation;

/// Results of a node in a generation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NodeActivity {
    /// Records that it got.
    pub records: u64,
    /// Groups or threads that ran.
    pub launches: u64,
}

/// Results of a generation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Activity {
    /// The nodes that ran.
    pub nodes: BTreeMap<usize, NodeActivity>,
    /// Records from node to node.
    pub edges: BTreeMap<(usize, usize), u64>,
    /// Records that a node sent where no node is.
    pub dropped: BTreeMap<usize, u64>,
}

impl Activity {
    /// Results of one generation of a run.
    pub fn of(generation: &Generation) -> Activity {
        let mut out = Activity::default();
        for node in &generation.nodes {
            let is = out.nodes.entry(node.node).or_default();
            is.records = is.records.saturating_add(node.count);
            is.launches = is.launches.saturating_add(node.launches);
        }
        for edge in &generation.edges {
            let Some(from) = generation.nodes.get(edge.from).map(|node| node.node) else { continue };
            let count = match edge.to {
                Some(to) => out.edges.entry((from, to)).or_default(),
                None => out.dropped.entry(from).or_default(),
            };
            *count = count.saturating_add(edge.records);
        }
        out
    }

    /// How active a node was, from 0 to 1 among all that ran: by the number of digits of its records.
    pub fn level(&self, node: usize) -> Option<f32> {
        let records = self.nodes.get(&node)?.records;
        let most = self.nodes.values().map(|node| node.records).max().unwrap_or(0);
        let scale = |records: u64| (records as f32 + 1.0).ln();
        Some(if most == 0 { 0.0 } else { 0.15 + 0.85 * scale(records) / scale(most) })
    }
}
