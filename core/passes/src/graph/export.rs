//! A graph in the languages of drawing tools.

use std::fmt::Write;

use lanescope_base::foreign::{REPLACEMENT, is_obeyed};

use super::model::{EdgeKind, Node, WorkGraph};

/// A text between quotes of Graphviz: quotes, backslashes and line ends escaped.
fn quoted(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if is_obeyed(c) => out.push(REPLACEMENT),
            c => out.push(c),
        }
        out
    })
}

/// A text between quotes of Mermaid, which escapes by entities.
fn entities(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        match c {
            c if is_obeyed(c) => out.push(REPLACEMENT),
            '"' | '<' | '>' | '#' | '&' | '`' | ';' => _ = write!(out, "#{};", c as u32),
            c => out.push(c),
        }
        out
    })
}

fn about(node: &Node) -> String {
    let size = |[x, y, z]: [u32; 3]| format!("{x}x{y}x{z}");
    let grid = node.grid.map(|grid| format!(", grid {}", size(grid)));
    let grid = grid.or_else(|| node.max_grid.map(|grid| format!(", grid up to {}", size(grid)))).unwrap_or_default();
    format!("{} {}{grid}", node.launch, size(node.threads))
}

/// The label of an edge.
fn label(graph: &WorkGraph, edge: &super::model::Edge) -> String {
    let output = |slot: super::model::Element| {
        let output = graph.nodes.get(edge.from)?.outputs.get(slot.output)?;
        let element = output.array.map_or_else(String::new, |_| format!("[{}]", slot.element));
        Some(format!("{}{element} ≤{}", output.label(slot.output), output.max_records))
    };
    match edge.kind {
        EdgeKind::SharedInput => "shares input".to_owned(),
        EdgeKind::Records => edge.slot.and_then(output).unwrap_or_default(),
        EdgeKind::Recursion => {
            let levels = graph.nodes.get(edge.to).map_or(0, |node| node.recursion);
            format!("{}, {levels} levels", edge.slot.and_then(output).unwrap_or_default())
        }
    }
}

impl WorkGraph {
    /// The graph as Graphviz reads it.
    pub fn dot(&self) -> String {
        let mut out = "digraph work_graph {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n".to_owned();
        for (array, is) in self.arrays.iter().enumerate() {
            let many = is.nodes.len() > 1;
            if many {
                _ = writeln!(out, "  subgraph cluster_{array} {{\n    label=\"{}\";", quoted(&is.name));
            }
            for (at, node) in is.nodes.iter().filter_map(|at| Some((at, self.nodes.get(*at)?))) {
                let bold = if node.starts() { ", penwidth=2" } else { "" };
                let (id, what) = (quoted(&node.label()), quoted(&about(node)));
                _ = writeln!(out, "  {}n{at} [label=\"{id}\\n{what}\"{bold}];", if many { "  " } else { "" });
            }
            if many {
                out.push_str("  }\n");
            }
        }
        for edge in &self.edges {
            let style = match edge.kind {
                EdgeKind::SharedInput => ", style=dotted, constraint=false",
                _ if edge.optional => ", style=dashed",
                _ => "",
            };
            let label = quoted(&label(self, edge));
            _ = writeln!(out, "  n{} -> n{} [label=\"{label}\"{style}];", edge.from, edge.to);
        }
        out.push_str("}\n");
        out
    }

    /// The graph as Mermaid reads it.
    pub fn mermaid(&self) -> String {
        let mut out = "flowchart LR\n".to_owned();
        for (array, is) in self.arrays.iter().enumerate() {
            let many = is.nodes.len() > 1;
            if many {
                _ = writeln!(out, "  subgraph a{array}[\"{}\"]", entities(&is.name));
            }
            for (at, node) in is.nodes.iter().filter_map(|at| Some((at, self.nodes.get(*at)?))) {
                let (open, close) = if node.starts() { ("([", "])") } else { ("[", "]") };
                let (id, what) = (entities(&node.label()), entities(&about(node)));
                _ = writeln!(out, "  {}n{at}{open}\"{id}<br/>{what}\"{close}", if many { "  " } else { "" });
            }
            if many {
                out.push_str("  end\n");
            }
        }
        for edge in &self.edges {
            let arrow = if edge.optional || edge.kind == EdgeKind::SharedInput { "-.->" } else { "-->" };
            let label = entities(&label(self, edge));
            _ = writeln!(out, "  n{} {arrow}|\"{label}\"| n{}", edge.from, edge.to);
        }
        out
    }
}
