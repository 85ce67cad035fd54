//! Breakpoints of a run.

use lanescope_core::graph::{NodeId, WorkGraph};
use lanescope_core::run::graph::{Breakpoint, GraphRun};

/// A breakpoint, and whether it counts. Its node is named: another state of the file may number nodes otherwise.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stop {
    pub id: NodeId,
    /// The condition as it was written; empty for any record.
    pub condition: String,
    pub on: bool,
}

/// What a breakpoint found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    /// Index of the run's generation.
    pub generation: usize,
    /// The node's run in it.
    pub run: usize,
    /// The record, where one was requested.
    pub record: Option<u64>,
}

impl Stop {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery;
    use crate::graph::form::Form;

    #[test]
    fn breakpoints_follow_a_node_when_its_index_changes() {
        let graph = gallery::work_graph(1).graph.expect("a graph");
        let mut turned = graph.clone();
        turned.nodes.reverse();
        let last = turned.nodes.len() - 1;
        for node in turned.arrays.iter_mut().flat_map(|array| &mut array.nodes) {
            *node = last - *node;
        }
        let entry = graph.nodes.iter().position(|node| node.starts()).expect("an entry point");
        let id = graph.nodes[entry].id.clone();
        let stop = Stop { id: id.clone(), condition: String::new(), on: true };
        let form = Form::new(&graph, entry);
        for (graph, node) in [(&graph, entry), (&turned, last - entry)] {
            assert_eq!(stop.at(graph).map(|at| at.node), Some(node));
            assert_eq!((form.entry(graph), form.fits(graph)), (Some(node), true));
            assert_eq!(form.input(graph).map(|input| input.entry), Some(id.clone()));
        }
        turned.arrays.clear();
        assert_eq!((stop.at(&turned), form.fits(&turned)), (None, false));
        assert_eq!(stop.wrong(&turned).as_deref(), Some("no such node in this graph"));
    }
}
