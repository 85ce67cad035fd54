//! A work graph as tables: nodes, outputs with their targets, members of records.

use std::collections::BTreeMap;

use super::{Access, EdgeKind, Node, NodeOutput, RecordType, UNBOUNDED, WorkGraph};
use crate::table::{Cell, Column, Meaning, Table};
use lanescope_spirv::shape::Shape;

/// The nodes of a graph, by depth.
pub fn node_table(graph: &WorkGraph) -> Table {
    let mut order: Vec<&Node> = graph.nodes.iter().collect();
    order.sort_by_key(|node| (node.layer, &node.id));
    nodes(order)
}

/// The row of a node, and those of its outputs. Both are empty where there is no such node.
pub fn tables_of(graph: &WorkGraph, node: usize) -> [Table; 2] {
    [nodes(graph.nodes.get(node)), outputs(graph, &|at| at == node)]
}

fn nodes<'n>(order: impl IntoIterator<Item = &'n Node>) -> Table {
    let mut table = Table::new([
        Column::right("depth").help("Nodes on the longest chain that ends here, recursion at its limit"),
        Column::left("node"),
        Column::left("launch"),
        Column::left("group"),
        Column::left("grid"),
        Column::left("runs in"),
        Column::left("input"),
        Column::left(""),
    ]);
    for node in order {
        let grid = match (node.grid, node.max_grid) {
            (Some(grid), _) => size(grid),
            (None, Some(most)) => format!("≤{}", size(most)),
            (None, None) => String::new(),
        };
        let input = match node.node_input() {
            None => "nothing".to_owned(),
            Some(input) => {
                let most = input.max_records.map(|most| format!(" ≤{most}")).unwrap_or_default();
                let access = if input.access == Access::ReadWrite { "RW " } else { "" };
                format!("{access}{}{most}", record(input.record.as_ref()))
            }
        };
        let mut marks = Vec::new();
        marks.extend(node.entry.then(|| "entry".to_owned()));
        marks.extend(node.promoted.then(|| "promoted to entry".to_owned()));
        marks.extend((node.recursion > 0).then(|| format!("recursion {}", node.recursion)));
        marks.extend(node.shares_input_of.as_ref().map(|owner| format!("shares input of {owner}")));
        marks.extend(node.local_root_table.map(|entry| format!("local root {entry}")));
        marks.extend((node.groupshared_bytes > 0).then(|| format!("groupshared {} bytes", node.groupshared_bytes)));
        table.row([
            node.depth.to_string().into(),
            Cell::of(if node.starts() { Meaning::Strong } else { Meaning::Plain }, node.label()),
            node.launch.name().into(),
            size(node.threads).into(),
            grid.into(),
            ranges(&node.generations).into(),
            input.into(),
            Cell::of(Meaning::Dimmed, marks.join(", ")),
        ]);
    }
    table
}

/// The outputs of all nodes with their targets.
pub fn output_table(graph: &WorkGraph) -> Table {
    outputs(graph, &|_| true)
}

fn outputs(graph: &WorkGraph, of: &dyn Fn(usize) -> bool) -> Table {
    let mut reached: BTreeMap<(usize, usize), (usize, bool)> = BTreeMap::new();
    for edge in &graph.edges {
        if let Some(slot) = edge.slot {
            let found = reached.entry((edge.from, slot.output)).or_default();
            found.0 += 1;
            found.1 |= edge.kind == EdgeKind::Recursion;
        }
    }
    let mut table = Table::new([
        Column::left("output"),
        Column::left("to"),
        Column::right("nodes"),
        Column::left("record"),
        Column::right("records"),
        Column::left(""),
    ]);
    let all =
        graph.nodes.iter().enumerate().flat_map(|(at, node)| {
            node.outputs.iter().enumerate().map(move |(index, output)| (at, node, index, output))
        });
    for (at, node, index, output) in all.filter(|(at, ..)| of(*at)) {
        let (nodes, recursive) = reached.get(&(at, index)).copied().unwrap_or_default();
        let shared = output.shares_budget_of.map(|other| other as usize);
        let shared_name =
            shared.map(|other| node.outputs.get(other).map_or_else(|| format!("#{other}"), |o| o.label(other)));
        let most = match shared {
            Some(_) => "shared".to_owned(),
            None => format!("≤{}", output.max_records),
        };
        let missing: u64 = output.missing.iter().map(|[first, last]| u64::from(last - first) + 1).sum();
        let mut marks = Vec::new();
        marks.extend(recursive.then(|| "recursion".to_owned()));
        marks.extend(shared_name.map(|name| format!("budget of {name}")));
        marks.extend(output.sparse.then(|| "sparse".to_owned()));
        marks.extend((missing > 0).then(|| format!("{missing} of {} missing", output.elements)));
        table.row([
            format!("{}.{}", node.label(), output.label(index)).into(),
            Cell::of(if nodes == 0 { Meaning::Changed } else { Meaning::Plain }, target(output)),
            nodes.to_string().into(),
            record(output.record.as_ref()).into(),
            most.into(),
            Cell::of(Meaning::Dimmed, marks.join(", ")),
        ]);
    }
    table
}

/// The first members of a record, each with its offset and type.
pub fn member_table(record: &RecordType, most: usize) -> Table {
    let mut table = Table::new([Column::right(""), Column::left(""), Column::left(""), Column::left("")]);
    let Shape::Struct { members } = &record.shape else { return table };
    for member in members.iter().take(most) {
        let grid = record.grid.is_some_and(|grid| grid.offset == member.offset);
        let note = if grid && member.name != "SV_DispatchGrid" { "SV_DispatchGrid" } else { "" };
        table.row([
            member.offset.to_string().into(),
            member.name.as_str().into(),
            member.shape.name().into(),
            Cell::of(Meaning::Dimmed, note),
        ]);
    }
    if record.tracked {
        let at = record.stride().saturating_sub(4).to_string();
        table.row([at.into(), "(groups left)".into(), "uint32".into(), Cell::of(Meaning::Dimmed, "hidden counter")]);
    }
    table
}

fn record(record: Option<&RecordType>) -> String {
    match record {
        None => "empty".to_owned(),
        Some(record) => {
            let name = record.name.as_deref().unwrap_or("record");
            let tracked = if record.tracked { " tracked" } else { "" };
            format!("{name} {}b{tracked}", record.bytes)
        }
    }
}

/// An output's whole array, and where it goes.
fn target(output: &NodeOutput) -> String {
    match output.array {
        None => output.target.to_string(),
        Some(UNBOUNDED) => format!("{}[{}…]", output.target.name, output.target.index),
        Some(length) => {
            let last = output.target.index.saturating_add(length.saturating_sub(1));
            format!("{}[{}…{last}]", output.target.name, output.target.index)
        }
    }
}

fn size(size: [u32; 3]) -> String {
    let [x, y, z] = size;
    format!("{x}×{y}×{z}")
}

/// Numbers as ranges: `1-4, 7`.
fn ranges(numbers: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => runs.push((*number, *number)),
        }
    }
    let text = |(first, last): &(u32, u32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    runs.iter().map(text).collect::<Vec<_>>().join(", ")
}
