//! Breakpoints: where going on through a run ends.

use lanescope_core::graph::WorkGraph;
use lanescope_core::run::graph::{Breakpoint, GraphRun};

/// A breakpoint, and whether it counts.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Stop {
    pub at: Breakpoint,
    pub on: bool,
}

/// What a breakpoint found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    /// Index of the run's generation.
    pub generation: usize,
    /// The node's run in it.
    pub run: usize,
    /// The record, where one was asked for.
    pub record: Option<u64>,
}

impl Stop {
    /// Stops where a node has any record.
    pub fn at_node(node: usize) -> Stop {
        Stop { at: Breakpoint { node, condition: String::new() }, on: true }
    }

    /// Why its condition is none.
    pub fn wrong(&self, graph: &WorkGraph) -> Option<String> {
        self.at.parse(graph).err()
    }
}

/// The first place, from a generation on, where a breakpoint stops.
fn hit(run: &GraphRun, breakpoint: &Breakpoint, from: usize) -> Option<Hit> {
    run.generations.iter().enumerate().skip(from).find_map(|(generation, is)| {
        let nodes = is.nodes.iter().map(|node| (node.node, run.records_of(is, node), node.count));
        let hit = breakpoint.hit(&run.graph, nodes)?;
        // Who reads the records once more has a run of its own, once it ran.
        let own = is.nodes.iter().position(|node| node.node == breakpoint.node && node.shares == Some(hit.run));
        Some(Hit { generation, run: own.unwrap_or(hit.run), record: hit.record })
    })
}

/// The first place, from a generation on, where any breakpoint stops.
pub(super) fn next_stop(run: &GraphRun, breakpoints: &[Breakpoint], from: usize) -> Option<Hit> {
    let hits = breakpoints.iter().filter_map(|breakpoint| hit(run, breakpoint, from));
    hits.min_by_key(|hit| (hit.generation, hit.run))
}
