//! What a graph's nodes declare.

use super::bounds::bounds;
use super::levels::levels;
use super::memory::memory;
use super::report::{Declared, DeclaredNode, DeclaredOutput};
use lanescope_passes::graph::{Launch, Node, WorkGraph};
use lanescope_run::graph::InputMode;

/// The declarations of a graph, and what follows from them for these first records.
pub(super) fn declared(
    graph: &WorkGraph,
    first: &[(usize, u64)],
    mode: InputMode,
    rows: bool,
    compacts: bool,
) -> Declared {
    let generations = bounds(graph, first);
    Declared {
        nodes: graph.nodes.iter().map(node).collect(),
        levels: levels(graph, first, mode, rows, compacts),
        memory: memory(graph.nodes.len() as u64, &generations),
        generations,
    }
}

fn node(node: &Node) -> DeclaredNode {
    let has_groups = node.launch != Launch::Broadcasting || node.grid.or(node.max_grid).is_some();
    let outputs = node.outputs.iter().enumerate().map(|(at, output)| DeclaredOutput {
        output: output.label(at),
        target: output.target.to_string(),
        elements: output.elements,
        max_records: Some(output.max_records).filter(|most| *most > 0),
        record_bytes: output.record.as_ref().map_or(0, |record| record.stride()),
        shares_budget_of: output.shares_budget_of.map(|other| {
            let other = other as usize;
            node.outputs.get(other).map_or_else(|| format!("#{other}"), |output| output.label(other))
        }),
    });
    DeclaredNode {
        node: node.id.to_string(),
        launch: node.launch,
        record_bytes: node.record().map_or(0, |record| record.stride()),
        records_per_launch: node.records_per_launch(),
        grid: node.grid,
        max_grid: node.max_grid.filter(|_| node.grid.is_none()),
        groups: has_groups.then_some(node.bound.groups),
        threads: node.threads,
        recursion: node.recursion,
        tracked: node.record().is_some_and(|record| record.tracked),
        shares_input_of: node.shares_input_of.as_ref().map(ToString::to_string),
        levels: node.generations.clone(),
        outputs: outputs.collect(),
    }
}
