//! Breakpoints of a run.

use lanescope_core::graph::{NodeId, WorkGraph};
use lanescope_core::run::graph::{Breakpoint, GraphRun};

/// A breakpoint at a node. Its node is named: another state of the file may number nodes otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeBreakpoint {
    /// The node.
    pub id: NodeId,
    /// The condition as it was written; empty for any record.
    pub condition: String,
    /// Whether it is enabled.
    pub on: bool,
}

/// Where a breakpoint stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// Index of the run's generation.
    pub generation: usize,
    /// The node's run in it.
    pub run: usize,
    /// The record, where one was requested.
    pub record: Option<u64>,
}

impl NodeBreakpoint {
    /// Its place in a graph, if the node exists.
    pub fn at(&self, graph: &WorkGraph) -> Option<Breakpoint> {
        graph.find(&self.id).map(|node| Breakpoint { node, condition: self.condition.clone() })
    }

    /// Why it stops nowhere.
    pub fn wrong(&self, graph: &WorkGraph) -> Option<String> {
        match self.at(graph) {
            Some(at) => at.parse(graph).err(),
            None => Some("no such node in this graph".to_owned()),
        }
    }
}

/// The first place, from a generation on, where a breakpoint stops.
fn hit(run: &GraphRun, breakpoint: &Breakpoint, from: usize) -> Option<Stop> {
    run.generations.iter().enumerate().skip(from).find_map(|(generation, is)| {
        let nodes = is.nodes.iter().map(|node| (node.node, run.records_of(is, node), node.count));
        let hit = breakpoint.hit(&run.graph, nodes)?;
        // Who reads the records once more has a run of its own, once it ran.
        let own = is.nodes.iter().position(|node| node.node == breakpoint.node && node.shares == Some(hit.run));
        Some(Stop { generation, run: own.unwrap_or(hit.run), record: hit.record })
    })
}

/// The first place, from a generation on, where any breakpoint stops.
pub(super) fn next_stop(run: &GraphRun, breakpoints: &[Breakpoint], from: usize) -> Option<Stop> {
    let stops = breakpoints.iter().filter_map(|breakpoint| hit(run, breakpoint, from));
    stops.min_by_key(|hit| (hit.generation, hit.run))
}
