//! Details of a node, an array's member or an edge, beside the drawing.

use crate::tokens;
use crate::tokens::space;
use egui::{Grid, RichText, Ui};
use lanescope_core::findings::Finding;
use lanescope_core::graph::{Access, EdgeKind, Node, NodeOutput, RecordType, TypeSource, UNBOUNDED, WorkGraph};
use lanescope_core::run::Shape;
use lanescope_core::text_format::counted;

use crate::picture::{Mark, clean};
use crate::table::Tokens;
use crate::theme::TokensOfVisuals as _;
use crate::widgets::fact;
use lanescope_pictures::graph::{Drawing, Shown};

/// Members of a record, or edges, that are listed at most.
const MOST: usize = 200;

/// What the details ask for: another node to look at.
pub(super) fn details(
    ui: &mut Ui,
    graph: &WorkGraph,
    drawing: &Drawing,
    findings: &[Finding],
    selected: Option<Mark>,
) -> Option<Mark> {
    // What is wider than the panel ends in an ellipsis; the whole text is in its hint.
    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
    match selected {
        Some(Mark::Node(node)) => match graph.nodes.get(node as usize) {
            Some(is) => node_details(ui, graph, node as usize, is, findings),
            None => None,
        },
        Some(Mark::Link(link)) => link_details(ui, graph, drawing, link as usize),
        _ => {
            whole(ui, graph, findings);
            None
        }
    }
}

fn size([x, y, z]: [u32; 3]) -> String {
    format!("{x}×{y}×{z}")
}

/// The graph as a whole.
fn whole(ui: &mut Ui, graph: &WorkGraph, findings: &[Finding]) {
    ui.strong("Work graph");
    Grid::new("whole").num_columns(2).show(ui, |ui| {
        fact(ui, "read from", graph.source.name());
        fact(ui, "nodes", graph.nodes.len().to_string());
        fact(ui, "edges", graph.edges.len().to_string());
        fact(ui, "depth", format!("{} of at most 32", graph.depth));
        fact(ui, "node IDs", graph.slots.to_string());
        let entries = graph.nodes.iter().filter(|node| node.starts()).count();
        fact(ui, "entry points", entries.to_string());
    });
    ui.add_space(space::SNUG);
    let hint = RichText::new("Click a node or an edge; arrow keys move between nodes.").weak();
    ui.add(egui::Label::new(hint).wrap());
    list_findings(ui, findings.iter().filter(|finding| finding.code.starts_with('G')));
}

pub(super) fn list_findings<'f>(ui: &mut Ui, findings: impl Iterator<Item = &'f Finding>) {
    let tokens = Tokens::of(ui.visuals());
    let mut first = true;
    for finding in findings.take(MOST) {
        if first {
            ui.add_space(space::ROW);
            ui.strong("Findings");
            first = false;
        }
        let (sign, colour) = match finding.severity {
            lanescope_core::findings::Severity::Error => ("×", tokens.error),
            lanescope_core::findings::Severity::Warning => ("!", tokens.warning),
            lanescope_core::findings::Severity::Note => ("·", tokens.note),
        };
        let text = RichText::new(format!("{sign} {} {}", finding.code, clean(&finding.message))).color(colour);
        ui.add(egui::Label::new(text).wrap());
    }
}

fn node_details(ui: &mut Ui, graph: &WorkGraph, at: usize, node: &Node, findings: &[Finding]) -> Option<Mark> {
    let mut go = None;
    ui.label(RichText::new(clean(&node.id.to_string())).strong().size(tokens::text::HEADING));
    Grid::new("node").num_columns(2).show(ui, |ui| {
        if node.name != node.id.name {
            fact(ui, "function", clean(&node.name));
        }
        fact(ui, "launch", node.launch.name());
        fact(ui, "group", format!("{} threads", size(node.threads)));
        if let Some(grid) = node.grid {
            fact(ui, "grid", format!("{} groups", size(grid)));
        }
        if let Some(most) = node.max_grid {
            fact(ui, "largest grid", format!("{} groups", size(most)));
        }
        if let Some(most) = node.node_input().and_then(|input| input.max_records) {
            fact(ui, "coalesces", format!("up to {}", counted(most, "record")));
        }
        if let Some([least, most, preferred]) = node.wave_size {
            fact(ui, "wave", format!("{least} to {most} lanes, {preferred} preferred"));
        }
        if node.starts() {
            fact(ui, "entry point", if node.promoted { "not fed by any node" } else { "declared in the shader" });
        }
        if node.recursion > 0 {
            fact(ui, "recursion", format!("at most {} deep", node.recursion));
        }
        if let Some(owner) = &node.shares_input_of {
            fact(ui, "shares input of", clean(&owner.to_string()));
        }
        if node.groupshared_bytes > 0 {
            fact(ui, "groupshared", counted(node.groupshared_bytes, "byte"));
        }
        if let Some(entry) = node.local_root_table {
            fact(ui, "local root", format!("table entry {entry}"));
        }
        fact(ui, "depth", node.depth.to_string());
        let generations: Vec<String> = node.generations.iter().map(u32::to_string).collect();
        fact(ui, "runs in", if generations.is_empty() { "none".to_owned() } else { generations.join(", ") });
        let bound = &node.bound;
        if bound.records > 0 {
            let launch = if node.launch == lanescope_core::graph::Launch::Thread { "per thread" } else { "per group" };
            fact(
                ui,
                "writes at most",
                format!("{}, {} {launch}", counted(bound.records, "record"), counted(bound.record_bytes, "byte")),
            );
        }
    });
    let place = node.place();
    list_findings(ui, findings.iter().filter(|f| f.code.starts_with('G') && f.place.as_ref() == Some(&place)));
    input(ui, node);
    for (index, output) in node.outputs.iter().enumerate().take(MOST) {
        go = self::output(ui, graph, at, index, output).or(go);
    }
    let from: Vec<usize> = {
        let mut from: Vec<usize> =
            graph.edges_to(at).filter(|edge| edge.kind != EdgeKind::Recursion).map(|edge| edge.from).collect();
        from.dedup();
        from
    };
    if !from.is_empty() {
        ui.add_space(space::ROW);
        ui.strong("Fed by");
        go = links(ui, graph, &from).or(go);
    }
    go
}

/// Nodes as links.
fn links(ui: &mut Ui, graph: &WorkGraph, nodes: &[usize]) -> Option<Mark> {
    let mut go = None;
    ui.horizontal_wrapped(|ui| {
        for node in nodes.iter().take(MOST) {
            let Some(is) = graph.nodes.get(*node) else { continue };
            if ui.link(clean(&is.id.to_string())).clicked() {
                go = u32::try_from(*node).ok().map(Mark::Node);
            }
        }
        if nodes.len() > MOST {
            ui.weak(format!("and {} more", nodes.len() - MOST));
        }
    });
    go
}

fn input(ui: &mut Ui, node: &Node) {
    ui.add_space(space::ROW);
    let Some(input) = node.node_input() else {
        ui.strong("Input");
        ui.weak("empty: records are only counted");
        return;
    };
    let name = input.name.as_deref().map(|name| format!(" {}", clean(name))).unwrap_or_default();
    ui.strong(format!("Input{name}"));
    let access = match input.access {
        Access::Read => "read",
        Access::ReadWrite => "read and written",
        Access::Empty => "empty",
    };
    ui.weak(format!("{}, {access}", input.kind));
    if let Some(is) = &input.record {
        record(ui, is, "input");
    }
}

fn output(ui: &mut Ui, graph: &WorkGraph, node: usize, index: usize, output: &NodeOutput) -> Option<Mark> {
    ui.add_space(space::ROW);
    ui.strong(format!("Output {}", clean(&output.label(index))));
    let target = match output.array {
        None => output.target.to_string(),
        Some(UNBOUNDED) => format!("{} onwards", output.target),
        Some(length) => format!("{length} from {}", output.target),
    };
    let most = match output.shares_budget_of {
        Some(other) => format!("shares the limit of output #{other}"),
        None => format!("at most {}", counted(output.max_records, "record")),
    };
    let sparse = if output.sparse { ", may be missing" } else { "" };
    ui.weak(format!("{}, {most}{sparse}", clean(&target)));
    let mut reached: Vec<usize> = graph
        .edges_from(node)
        .filter(|edge| edge.slot.is_some_and(|slot| slot.output == index))
        .map(|e| e.to)
        .collect();
    reached.dedup();
    let go = links(ui, graph, &reached);
    if !output.missing.is_empty() {
        let runs = output
            .missing
            .iter()
            .take(8)
            .map(|[first, last]| if first == last { first.to_string() } else { format!("{first} to {last}") });
        let text = format!("missing nodes: {}", runs.collect::<Vec<_>>().join(", "));
        ui.colored_label(ui.visuals().warn_fg_color, text);
    }
    if let Some(is) = &output.record {
        ui.push_id(index, |ui| record(ui, is, "output"));
    }
    go
}

/// A record's members with offsets and types.
fn record(ui: &mut Ui, record: &RecordType, salt: &str) {
    let name = record.name.as_deref().map_or("record".to_owned(), clean);
    let from = match record.source {
        TypeSource::Debug => "names from debug information",
        TypeSource::Code => "as accessed by the code",
        TypeSource::Size => "only the size is known",
    };
    let title = format!("{name}, {} bytes", record.bytes);
    egui::CollapsingHeader::new(title).id_salt(salt).default_open(true).show(ui, |ui| {
        ui.weak(format!("aligned to {}; {from}", record.align));
        let Shape::Struct { members } = &record.shape else { return };
        Grid::new("members").num_columns(3).striped(true).show(ui, |ui| {
            for member in members.iter().take(MOST) {
                ui.weak(member.offset.to_string());
                ui.monospace(clean(&member.name));
                let grid = record.grid.is_some_and(|grid| grid.offset == member.offset);
                let mark = if grid && member.name != "SV_DispatchGrid" { "  SV_DispatchGrid" } else { "" };
                ui.monospace(format!("{}{mark}", member.shape.name()));
                ui.end_row();
            }
            if record.tracked {
                ui.weak(record.stride().saturating_sub(4).to_string());
                ui.weak("groups left");
                ui.weak("uint32, hidden");
                ui.end_row();
            }
        });
        if members.len() > MOST {
            ui.weak(format!("and {} more", members.len() - MOST));
        }
    });
}

fn link_details(ui: &mut Ui, graph: &WorkGraph, drawing: &Drawing, link: usize) -> Option<Mark> {
    let arrow = drawing.arrows.get(link)?;
    let name = |shown: usize| match drawing.shown.get(shown) {
        Some(Shown::Node(node)) => graph.nodes.get(*node).map(|node| node.id.to_string()).unwrap_or_default(),
        Some(Shown::Array(members)) => {
            let first = members.first().and_then(|node| graph.nodes.get(*node));
            first.map(|node| node.id.name.clone()).unwrap_or_default()
        }
        Some(Shown::Missing(name, _)) => name.clone(),
        None => String::new(),
    };
    ui.label(
        RichText::new(clean(&format!("{} → {}", name(arrow.from), name(arrow.to))))
            .strong()
            .size(tokens::text::HEADING),
    );
    if arrow.edges.is_empty() {
        ui.colored_label(ui.visuals().warn_fg_color, "Missing node.");
    }
    let mut go = None;
    for edge in arrow.edges.iter().take(MOST).filter_map(|edge| graph.edges.get(*edge)) {
        let (Some(from), Some(to)) = (graph.nodes.get(edge.from), graph.nodes.get(edge.to)) else { continue };
        ui.horizontal_wrapped(|ui| {
            let output = edge.slot.and_then(|slot| Some((slot, from.outputs.get(slot.output)?)));
            let what = match output {
                Some((slot, output)) => {
                    let element = output.array.map_or_else(String::new, |_| format!("[{}]", slot.element));
                    format!("{}.{}{element}", from.id, output.label(slot.output))
                }
                None => format!("input of {}", from.id),
            };
            ui.monospace(clean(&what));
            ui.label("→");
            if ui.link(clean(&to.id.to_string())).clicked() {
                go = u32::try_from(edge.to).ok().map(Mark::Node);
            }
            if edge.optional {
                ui.weak("optional");
            }
        });
    }
    if arrow.edges.len() > MOST {
        ui.weak(format!("and {} more", arrow.edges.len() - MOST));
    }
    go
}
