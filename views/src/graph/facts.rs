//! A generation's own facts: what ran, what went where, the ring.

use crate::tokens;
use crate::tokens::space;
use egui::Ui;
use lanescope_core::findings::Severity;
use lanescope_core::run::graph::{Generation, GraphRun};
use lanescope_core::table::{Cell, Column, Meaning, Table};
use lanescope_core::text_format::{duration, size};
use lanescope_inspector::command::Command;

use crate::context::ViewCx;
use crate::picture::clean;
use crate::table::{GridLook, grid};

/// Rows of a table that are shown.
const MOST: usize = 500;

/// Draws them.
pub(super) fn facts(
    ui: &mut Ui,
    cx: &ViewCx<'_>,
    run: &GraphRun,
    generation: &Generation,
    commands: &mut Vec<Command>,
) {
    let ring = &generation.ring;
    if generation.waiting {
        ui.label("Not run yet: these are the records that it gets.");
    }
    ui.horizontal_wrapped(|ui| {
        if generation.waiting {
            return;
        }
        ui.label(format!("{} on the device.", duration(generation.nanoseconds)));
        if generation.leading_nanoseconds > 0 {
            ui.label(format!("{} scheduling the next generation.", duration(generation.leading_nanoseconds)));
        }
        ui.label(format!(
            "Ring: {} of records read, {} written, {} worst case, {} per half.",
            size(ring.input),
            size(ring.used),
            size(ring.bound),
            size(ring.half)
        ));
    });
    let look = GridLook { spacing: tokens::table::USUAL, ..GridLook::default() };
    grid(ui, cx, "ran here", &nodes(run, generation), look, |_| false, commands);
    more(ui, generation.nodes.len());
    if generation.edges.is_empty() {
        return;
    }
    ui.add_space(space::ROW);
    grid(ui, cx, "edges here", &edges(run, generation), look, |_| false, commands);
    more(ui, generation.edges.len());
}

/// The nodes that ran.
fn nodes(run: &GraphRun, generation: &Generation) -> Table {
    let titles = ["Node", "Records", "Launches", "Batches", "Time", "Dispatches"];
    let mut table = Table::new(titles.map(Column::left)).with_words();
    for is in generation.nodes.iter().take(MOST) {
        // Of nodes that ran side by side only the generation's time is known.
        let time = if is.nanoseconds == 0 { "–".to_owned() } else { duration(is.nanoseconds) };
        let dispatches = is.batches.iter().flat_map(|batch| &batch.dispatches).take(3);
        let dispatches: Vec<_> = dispatches.map(|[x, y, z]| format!("{x}×{y}×{z}")).collect();
        let counts = [is.count, is.launches, is.batches.len() as u64].map(|count| count.to_string());
        let [records, launches, batches] = counts;
        table.row([name(run, is.node), records, launches, batches, time, dispatches.join(", ")].map(Cell::code));
    }
    table
}

/// The records that went from node to node.
fn edges(run: &GraphRun, generation: &Generation) -> Table {
    let mut table = Table::new(["From", "Output", "To", "Records"].map(Column::left)).with_words();
    for edge in generation.edges.iter().take(MOST) {
        let from = generation.nodes.get(edge.from).map(|from| from.node).unwrap_or(usize::MAX);
        let output = run.graph.nodes.get(from).and_then(|node| node.outputs.get(edge.output));
        let element = output.and_then(|output| output.array).map(|_| format!("[{}]", edge.element)).unwrap_or_default();
        let label = clean(&output.map(|output| output.label(edge.output)).unwrap_or_default()) + &element;
        let to = edge.to.map_or_else(
            || Cell::of(Meaning::Severity(Severity::Warning), "missing node"),
            |to| Cell::code(name(run, to)),
        );
        table.row([Cell::code(name(run, from)), Cell::code(label), to, Cell::code(edge.records)]);
    }
    table
}

fn name(run: &GraphRun, node: usize) -> String {
    run.graph.nodes.get(node).map(|node| clean(&node.id.to_string())).unwrap_or_default()
}

/// Says how many rows of a table are not shown.
fn more(ui: &mut Ui, rows: usize) {
    if let Some(rows) = rows.checked_sub(MOST).filter(|rows| *rows > 0) {
        ui.weak(format!("and {rows} more"));
    }
}
