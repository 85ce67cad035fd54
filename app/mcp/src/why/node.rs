//! Which nodes of a work graph feed a node, and which it feeds.

use lanescope_core::graph::{Edge, Node, WorkGraph};
use lanescope_core::report::Report;
use lanescope_core::text_format::counted;

use super::{Part, nearest};

/// A node by its id: `Material[2]`; of an array without an index each element.
pub(super) fn node(report: &Report, name: &str) -> Result<Vec<Part>, String> {
    let graph = report.graph.as_ref().ok_or("the program has no work graph")?;
    let is_it = |node: &Node| node.id.to_string() == name || node.id.name == name || node.name == name;
    let found: Vec<usize> = (0..).zip(&graph.nodes).filter(|(_, node)| is_it(node)).map(|(at, _)| at).collect();
    if found.is_empty() {
        let known = nearest(name, graph.nodes.iter().map(|node| node.id.to_string()));
        return Err(format!("no node `{name}`: the nodes are {known}"));
    }
    let parts = found.into_iter().filter_map(|at| Some(explained(report, graph, at, graph.nodes.get(at)?)));
    Ok(parts.collect())
}

fn explained(report: &Report, graph: &WorkGraph, at: usize, node: &Node) -> Part {
    let mut part = Part::new(node.id.to_string());
    if node.name != node.id.name {
        part.fact("function", node.name.clone());
    }
    part.fact("launch", node.launch.name());
    let [x, y, z] = node.threads;
    part.fact("group", format!("{x}×{y}×{z} threads"));
    if node.starts() {
        part.fact("entry point", if node.promoted { "not fed by any node" } else { "declared in the shader" });
    }
    if node.recursion > 0 {
        part.fact("recursion", format!("at most {} deep", node.recursion));
    }
    for edge in graph.edges.iter().filter(|edge| edge.to == at) {
        if let Some(from) = graph.nodes.get(edge.from) {
            part.fact("fed by", format!("{}{}", from.id, output_of(from, edge)));
        }
    }
    for edge in graph.edges.iter().filter(|edge| edge.from == at) {
        if let Some(to) = graph.nodes.get(edge.to) {
            part.fact("feeds", format!("{}{}", to.id, output_of(node, edge)));
        }
    }
    if graph.edges_left_out {
        part.notes.push("The graph has more edges than are kept: others may lead here.".to_owned());
    }
    let place = node.place();
    let here = report.findings.iter().filter(|finding| finding.place.as_ref() == Some(&place));
    part.notes.extend(here.map(|finding| format!("{} {}", finding.code, finding.message)));
    part
}

/// ` by output x, at most 4 records`.
fn output_of(node: &Node, edge: &Edge) -> String {
    let kind = edge.kind.name();
    let Some(slot) = edge.slot else { return format!(" ({kind})") };
    let Some(output) = node.outputs.get(slot.output) else { return format!(" ({kind})") };
    let element = output.array.map(|_| format!("[{}]", slot.element)).unwrap_or_default();
    let most = counted(output.max_records, "record");
    format!(" ({kind}, output {}{element}, at most {most} of a launch)", output.label(slot.output))
}
