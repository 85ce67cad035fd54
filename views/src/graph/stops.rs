//! Breakpoints: where going on through a run ends.

use lanescope_core::graph::{Condition, WorkGraph};
use lanescope_core::run::graph::{Generation, GraphRun, NodeRun};

/// Stops where a node runs, or where one of its records meets a condition.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Breakpoint {
    /// Index of the node.
    pub node: usize,
    /// The condition as it was written; empty for any record.
    pub text: String,
    /// Whether it counts.
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

impl Breakpoint {
    /// Its condition, or why there is none.
    pub fn condition(&self, graph: &WorkGraph) -> Result<Option<Condition>, String> {
        let text = self.text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let node = graph.nodes.get(self.node).ok_or("there is no such node")?;
        let record = node.record().ok_or("its records are empty")?;
        Condition::parse(text, record).map(Some).map_err(|error| error.to_string())
    }

    /// The first place behind `after` where it stops.
    fn hit(&self, run: &GraphRun, from: usize) -> Option<Hit> {
        let condition = self.condition(&run.graph).ok()?;
        run.generations.iter().enumerate().skip(from).find_map(|(generation, is)| {
            is.nodes.iter().enumerate().filter(|(_, node)| node.node == self.node && node.count > 0).find_map(
                |(at, node)| match &condition {
                    None => Some(Hit { generation, run: at, record: None }),
                    Some(condition) => {
                        let record = meets(run, is, node, condition)?;
                        Some(Hit { generation, run: at, record: Some(record) })
                    }
                },
            )
        })
    }
}

fn meets(run: &GraphRun, generation: &Generation, node: &NodeRun, condition: &Condition) -> Option<u64> {
    let records = run.records_of(generation, node);
    records.iter().position(|record| condition.holds(record)).map(|at| at as u64)
}

/// The first place, from a generation on, where any breakpoint stops.
pub(super) fn next_stop(run: &GraphRun, breakpoints: &[Breakpoint], from: usize) -> Option<Hit> {
    let hits = breakpoints.iter().filter(|breakpoint| breakpoint.on).filter_map(|breakpoint| breakpoint.hit(run, from));
    hits.min_by_key(|hit| (hit.generation, hit.run))
}

/// The first generation, from one on, in which a node runs.
pub(super) fn next_run_of(run: &GraphRun, node: usize, from: usize) -> Option<Hit> {
    Breakpoint { node, text: String::new(), on: true }.hit(run, from)
}
