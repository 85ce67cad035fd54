//! The work graph: its nodes in layers, the generation that is shown, and the run.

use lanescope_core::foreign::plain_name;
use lanescope_core::graph::{EdgeKind, Node, WorkGraph};
use lanescope_core::run::graph::{Generation, GraphRun};
use lanescope_core::table::{Meaning, elide};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::stepping::StepCommand;
use unicode_width::UnicodeWidthStr as _;

use super::super::pane::{Link, Row, Spot};
use super::super::prompt::Prompt;
use super::super::views::Views;
use super::dag::{Marks, dag};
use super::records::records;
use super::{Rows, Section};
use lanescope_workbench::state::program::OpenProgram;

/// Columns of a node's text, at most.
const NAME_AT_MOST: usize = 28;
/// Edges of a layer that are listed.
const EDGES_AT_MOST: usize = 200;
/// Nodes that are drawn; the tables below list all.
const DRAWN_AT_MOST: usize = 400;
/// Records of each node that a run lists.
const RECORDS: u64 = 4;

/// The graph, and what is known of its run.
pub fn graph(out: &mut Rows, program: &OpenProgram, views: &Views) {
    let Some(graph) = &program.analysis.report.graph else { return };
    let run = program.results.graph.done();
    let shown = run.and_then(|run| program.stepping.generation(run));
    state(out, program, run);
    let breakpoints = program.stepping.nodes_with_breakpoint(graph);
    let marks = Marks { selected: program.stepping.node, breakpoints: &breakpoints, shown };
    if !dag(out, graph, &marks) {
        list(out, graph, program, shown);
    }
    if let (Some(run), Some(generation)) = (run, shown) {
        runs(out, program, run, generation);
        records(out, program, run, views);
    }
    out.section(Section::Graph(&program.analysis.report));
    if let Some(run) = run {
        out.section(Section::Heading("Run", &run.device));
        out.section(Section::GraphRun(run, RECORDS));
    }
}

/// How far the run is, and what stops it.
fn state(out: &mut Rows, program: &OpenProgram, run: Option<&GraphRun>) {
    let how = "r runs the graph on a device; s begins a run that is paused before its first generation.";
    let paused = program.results.is_graph_paused();
    if !paused && !out.task(&program.results.graph, "Running", how) && run.is_none() {
        return breakpoints(out, program);
    }
    let at = run.and_then(|run| program.stepping.position(run));
    let at = at.map(|at| format!("Shown: generation {} {}", at.at, at.rest()));
    let text = [program.results.paused_text(), at].into_iter().flatten().collect::<Vec<_>>().join(". ");
    if !text.is_empty() {
        let row = Row::default().with(out.style.meaning(Meaning::Strong), format!(" {text}"), None);
        let row = row.with(anstyle::Style::new(), "   ", None);
        out.rows.push(row.with(anstyle::Style::new(), "Go to generation…", Some(Link::Ask(Prompt::Generation))));
    }
    if let Some(why) = &program.stepping.refused {
        out.rows.push(Row::default().with(out.style.meaning(Meaning::Changed), format!(" {why}"), None));
    }
    breakpoints(out, program);
}

fn breakpoints(out: &mut Rows, program: &OpenProgram) {
    for breakpoint in &program.stepping.breakpoints {
        let condition = if breakpoint.condition.is_empty() { "any record" } else { &breakpoint.condition };
        let off = if breakpoint.on { "" } else { " (disabled)" };
        out.prose(&format!("● {}: {}{off}", plain_name(&breakpoint.id.to_string()), plain_name(condition)));
    }
}

/// The nodes as boxes, a layer after the other, with the edges that leave each layer: where the drawing does not fit.
fn list(out: &mut Rows, graph: &WorkGraph, program: &OpenProgram, shown: Option<&Generation>) {
    let drawn = graph.nodes.len().min(DRAWN_AT_MOST);
    let mut layers: Vec<u32> = graph.nodes.iter().take(drawn).map(|node| node.layer).collect();
    layers.sort_unstable();
    layers.dedup();
    let breakpoints = program.stepping.nodes_with_breakpoint(graph);
    let (plain, dim) = (anstyle::Style::new(), out.style.meaning(Meaning::Dimmed));
    for (number, layer) in layers.iter().enumerate() {
        if number > 0 {
            out.rows.push(Row::default().with(dim, "        ▼", None));
        }
        let nodes: Vec<usize> = (0..drawn).filter(|at| graph.nodes[*at].layer == *layer).collect();
        let boxes: Vec<[String; 2]> = nodes
            .iter()
            .map(|at| {
                let breakpoint = if breakpoints.contains(at) { "● " } else { "" };
                let mark = if program.stepping.node == Some(*at) { "› " } else { "" };
                texts(&graph.nodes[*at], *at, &format!("{mark}{breakpoint}"), shown)
            })
            .collect();
        for (group, names) in wrapped(&nodes, &boxes, out.width) {
            let mut lines = [Row::default(), Row::default(), Row::default(), Row::default()];
            for (at, text) in group.iter().zip(names) {
                let wide = text.iter().map(|line| line.width()).max().unwrap_or(0);
                let is_selected = program.stepping.node == Some(*at);
                let edge = if is_selected { out.style.meaning(Meaning::Changed) } else { dim };
                let style = out.style.meaning(Meaning::Item(*at));
                let pad = |line: &String| format!("{line}{}", " ".repeat(wide - line.width()));
                let rule = "─".repeat(wide + 2);
                let [top, name, note, bottom] = lines;
                let name = name.with(edge, " │ ", None).with(style, pad(&text[0]), Some(Link::Node(*at)));
                lines = [
                    top.with(edge, format!(" ┌{rule}┐"), None),
                    name.with(edge, " │", None),
                    note.with(edge, " │ ", None).with(dim, pad(&text[1]), None).with(edge, " │", None),
                    bottom.with(edge, format!(" └{rule}┘"), None),
                ];
            }
            out.rows.extend(lines);
        }
        let edges = graph.edges.iter().filter(|edge| nodes.contains(&edge.from));
        for edge in edges.take(EDGES_AT_MOST) {
            let (Some(from), Some(to)) = (graph.nodes.get(edge.from), graph.nodes.get(edge.to)) else { continue };
            let (arrow, note) = match edge.kind {
                EdgeKind::Records if edge.optional => ("╌╌→", " optional"),
                EdgeKind::Records => ("──→", ""),
                EdgeKind::Recursion => ("─↺→", " recursion"),
                EdgeKind::SharedInput => ("══→", " shares its input"),
            };
            let row = Row::default().with(plain, format!("   {} ", from.id), None).with(dim, arrow, None);
            let row = row.with(plain, " ", None).with(plain, to.id.to_string(), Some(Link::Node(edge.to)));
            out.rows.push(row.with(dim, note, None));
        }
    }
    if drawn < graph.nodes.len() {
        out.prose(&format!("and {} more nodes, in the table below", graph.nodes.len() - drawn));
    }
}

/// The two lines of a node's box.
fn texts(node: &Node, at: usize, marks: &str, shown: Option<&Generation>) -> [String; 2] {
    let entry = if node.entry { " (entry)" } else { "" };
    let name = format!("{marks}{}{entry}", elide(&node.id.to_string(), NAME_AT_MOST));
    let count: u64 =
        shown.iter().flat_map(|shown| &shown.nodes).filter(|run| run.node == at).map(|run| run.count).sum();
    let [x, y, z] = node.threads;
    let records = if count > 0 { format!(", {}", counted(count, "record")) } else { String::new() };
    [plain_name(&name), format!("{} {x}×{y}×{z}{records}", node.launch)]
}

/// Boxes in groups that fit the width, each with at least one.
fn wrapped<'b>(nodes: &'b [usize], boxes: &'b [[String; 2]], width: usize) -> Vec<(&'b [usize], &'b [[String; 2]])> {
    let mut out = Vec::new();
    let (mut from, mut used) = (0, 0);
    for (at, text) in boxes.iter().enumerate() {
        let wide = text.iter().map(|line| line.width()).max().unwrap_or(0) + 5;
        if at > from && used + wide > width {
            out.push((&nodes[from..at], &boxes[from..at]));
            (from, used) = (at, 0);
        }
        used += wide;
    }
    out.push((&nodes[from..], &boxes[from..]));
    out
}

/// What ran in the shown generation; Enter shows the records of a node.
fn runs(out: &mut Rows, program: &OpenProgram, run: &GraphRun, generation: &Generation) {
    let note = if generation.waiting { "waits to run" } else { "ran" };
    out.section(Section::Heading(&format!("Generation {}", generation.number), note));
    let heading = out.rows.iter().rposition(|row| row.heading);
    out.spots.extend(heading.map(|row| (Spot::Generation, row)));
    for (at, ran) in generation.nodes.iter().enumerate() {
        let name = run.graph.nodes.get(ran.node).map(|node| node.id.to_string()).unwrap_or_default();
        let is_shown = program.stepping.shown == at;
        let style = if is_shown { out.style.meaning(Meaning::Strong) } else { anstyle::Style::new() };
        let go = Link::Do(vec![
            Command::Step(StepCommand::SelectNode(Some(ran.node))),
            Command::Step(StepCommand::ShowRun(at)),
        ]);
        let row =
            Row::default().with(style, if is_shown { "›" } else { " " }, None).with(style, plain_name(&name), Some(go));
        let launches = if ran.launches == 1 { "1 launch".to_owned() } else { format!("{} launches", ran.launches) };
        let text = format!("  {}, {launches}", counted(ran.count, "record"));
        out.rows.push(row.with(out.style.meaning(Meaning::Dimmed), text, None));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_wrap_at_the_width() {
        let boxes: Vec<[String; 2]> = ["aaaa", "bbbb", "cc"].map(|name| [name.to_owned(), String::new()]).into();
        let groups =
            |width| wrapped(&[0, 1, 2], &boxes, width).iter().map(|(nodes, _)| nodes.len()).collect::<Vec<_>>();
        assert_eq!((groups(18), groups(17), groups(1)), (vec![2, 1], vec![1, 2], vec![1, 1, 1]));
    }
}
