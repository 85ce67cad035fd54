//! Inputs of work graph runs: records as JSON and CSV, overrides, local root arguments, conditions.

use std::sync::OnceLock;

use lanescope_core::dxil::Dxil;
use lanescope_core::graph::{
    Condition, GraphSource, Overrides, RecordType, WorkGraph, apply_overrides, check, link, nodes,
};
use lanescope_core::run::graph::LocalRoots;
use lanescope_core::run::graph::input::{self, InputOptions};

const SAMPLES: [&str; 4] = [
    "work_graphs/01_tile_classify.dxil",
    "work_graphs/02_quadtree_recursion.dxil",
    "work_graphs/04_broadcast_grids.dxil",
    "work_graphs/05_sparse_array.dxil",
];

/// The samples' graphs.
fn graphs() -> &'static [(Dxil, WorkGraph)] {
    static GRAPHS: OnceLock<Vec<(Dxil, WorkGraph)>> = OnceLock::new();
    GRAPHS.get_or_init(|| {
        let read = |name: &str| {
            let dxil = Dxil::read(crate::embedded(name).to_vec()).expect("a sample is a container");
            let graph = link(nodes(&dxil, 0), GraphSource::Dxil, &Overrides::default());
            (dxil, graph)
        };
        SAMPLES.map(read).into()
    })
}

/// The graph that the first byte selects, and the text after it.
fn text_for(data: &[u8]) -> Option<(&'static (Dxil, WorkGraph), &str)> {
    let (first, text) = data.split_first()?;
    let graphs = graphs();
    Some((graphs.get(usize::from(*first) % graphs.len())?, std::str::from_utf8(text).ok()?))
}

fn record(graph: &WorkGraph) -> Option<&RecordType> {
    graph.nodes.iter().find_map(|node| node.record())
}

/// Records as JSON.
pub fn records(data: &[u8]) {
    let Some(((_, graph), text)) = text_for(data) else { return };
    let entry = graph.nodes.iter().find(|node| node.starts()).map(|node| node.id.to_string());
    let options = InputOptions { entry: entry.as_deref(), ..InputOptions::default() };
    let _ = input::parse(text, graph, options);
    let _ = input::parse(text, graph, InputOptions::default());
}

/// Records as comma-separated values.
pub fn csv(data: &[u8]) {
    let Some(((_, graph), text)) = text_for(data) else { return };
    if let Some(record) = record(graph)
        && let Ok(bytes) = record.parse_csv(text)
    {
        assert!(bytes.len().is_multiple_of(record.bytes.max(1) as usize), "whole records");
    }
}

/// Overrides of a library's nodes, and the graph that follows.
pub fn overrides(data: &[u8]) {
    let Some(((dxil, _), text)) = text_for(data) else { return };
    let Ok(overrides) = Overrides::parse(text) else { return };
    let mut all = nodes(dxil, 0);
    let _ = apply_overrides(&overrides, &mut all);
    let graph = link(all, GraphSource::Dxil, &overrides);
    let _ = check(&graph);
    // Written records equal those that were read.
    assert_eq!(Overrides::parse(&overrides.text()), Ok(overrides));
}

/// Local root arguments.
pub fn roots(data: &[u8]) {
    let _ = serde_json::from_slice::<LocalRoots>(data);
}

/// A condition over a record of zeros, and over one of ones.
pub fn condition(data: &[u8]) {
    let Some(((_, graph), text)) = text_for(data) else { return };
    if let Some(record) = record(graph)
        && let Ok(condition) = Condition::parse(text, record)
    {
        for fill in [0, 0xff] {
            condition.holds(&vec![fill; record.bytes as usize]);
        }
    }
}
