//! Nodes of a work graph in a few words: what leads to them, and where their outputs lead.

use std::collections::BTreeSet;

use lanescope_core::foreign::plain_name;
use lanescope_core::graph::WorkGraph;
use lanescope_core::table::{Row, Table};
use lanescope_core::text_format::counted;

use crate::markdown::Page;

/// Nodes that a hint lists; more are counted.
const LISTED: usize = 2;
/// Nodes that an explanation lists.
const EXPLAINED: usize = 16;

/// `entry`, `← Plan`, `not reached`; and the generations in which the node can run.
pub fn of_node(graph: &WorkGraph, node: usize) -> Option<(String, String)> {
    let of = graph.nodes.get(node)?;
    let writers: BTreeSet<usize> = graph.edges.iter().filter(|edge| edge.to == node).map(|edge| edge.from).collect();
    let from = (!writers.is_empty()).then(|| format!("← {}", listed(graph, &writers, LISTED)));
    let entry = of.starts().then(|| "entry".to_owned());
    let label: Vec<String> = entry.into_iter().chain(from).collect();
    let label = if label.is_empty() { "not reached".to_owned() } else { label.join(", ") };
    let generations = match of.generations.as_slice() {
        [] => "It can run in no generation.".to_owned(),
        [one] => format!("It can run in generation {one}."),
        [first, .., last] => {
            format!("It can run in {}, {first} to {last}.", counted(of.generations.len(), "generation"))
        }
    };
    let tooltip = match writers.is_empty() {
        true => generations,
        false => format!("{generations} Written by {}.", listed(graph, &writers, EXPLAINED)),
    };
    Some((label, tooltip))
}

/// `→ Resolve`, `→ 5 of 8 nodes`, `→ no node`; and which.
pub fn of_output(graph: &WorkGraph, node: usize, output: usize, targets: &BTreeSet<usize>) -> Option<(String, String)> {
    let of = graph.nodes.get(node)?.outputs.get(output)?;
    let label = match targets.len() {
        0 => "→ no node".to_owned(),
        found if of.elements > 1 => format!("→ {found} of {} nodes", of.elements),
        _ => format!("→ {}", listed(graph, targets, LISTED)),
    };
    let tooltip = match targets.is_empty() {
        true => format!("No node has the id {}.", of.id(0).map_or_else(String::new, |id| id.to_string())),
        false => format!("Its records go to {}.", listed(graph, targets, EXPLAINED)),
    };
    Some((label, tooltip))
}

fn listed(graph: &WorkGraph, nodes: &BTreeSet<usize>, most: usize) -> String {
    let names = nodes.iter().take(most).filter_map(|node| graph.nodes.get(*node));
    let names: Vec<String> = names.map(|node| plain_name(&node.id.to_string()).to_string()).collect();
    let more = nodes.len().saturating_sub(most);
    if more > 0 { format!("{} and {more} more", names.join(", ")) } else { names.join(", ") }
}

/// A table of the graph, without columns that are empty.
pub fn table(page: &mut Page, table: &Table) {
    let cell =
        |row: &Row, column: &usize| row.cells.get(*column).map_or(String::new(), |cell| cell.text().into_owned());
    let has = |column: &usize| table.rows.iter().any(|row| !cell(row, column).is_empty());
    let columns: Vec<usize> = (0..table.columns.len()).filter(has).collect();
    let titles: Vec<&str> = columns.iter().map(|column| table.columns[*column].title.as_str()).collect();
    let cells = |row: &Row| columns.iter().map(|column| cell(row, column)).collect();
    let rows: Vec<Vec<String>> = table.rows.iter().map(cells).collect();
    page.table(&titles, &rows);
}
