//! A generation's own facts: what ran, what went where, the ring.

use egui::{Grid, Ui};
use lanescope_core::run::graph::{Generation, GraphRun};
use lanescope_core::text_format::{duration, size};

use crate::picture::clean;

/// Rows of a table that are shown.
const MOST: usize = 500;

/// Draws them.
pub(super) fn facts(ui: &mut Ui, run: &GraphRun, generation: &Generation) {
    let id = |node: usize| run.graph.nodes.get(node).map(|node| clean(&node.id.to_string())).unwrap_or_default();
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
    Grid::new("ran here").num_columns(6).striped(true).show(ui, |ui| {
        for title in ["Node", "Records", "Launches", "Batches", "ms", "Dispatches"] {
            ui.weak(title);
        }
        ui.end_row();
        for is in generation.nodes.iter().take(MOST) {
            ui.monospace(id(is.node));
            ui.monospace(is.count.to_string());
            ui.monospace(is.launches.to_string());
            ui.monospace(is.batches.len().to_string());
            // Of nodes that ran side by side only the generation's time is known.
            let time = if is.nanoseconds == 0 { "-".to_owned() } else { format!("{:.3}", is.nanoseconds as f64 / 1e6) };
            ui.monospace(time);
            let dispatches = is.batches.iter().flat_map(|batch| &batch.dispatches).take(3);
            let text: Vec<_> = dispatches.map(|[x, y, z]| format!("{x}×{y}×{z}")).collect();
            ui.monospace(text.join(", "));
            ui.end_row();
        }
    });
    more(ui, generation.nodes.len());
    if generation.edges.is_empty() {
        return;
    }
    ui.add_space(6.0);
    Grid::new("edges here").num_columns(4).striped(true).show(ui, |ui| {
        for title in ["From", "Output", "To", "Records"] {
            ui.weak(title);
        }
        ui.end_row();
        for edge in generation.edges.iter().take(MOST) {
            let from = generation.nodes.get(edge.from).map(|from| from.node).unwrap_or(usize::MAX);
            ui.monospace(id(from));
            let output = run.graph.nodes.get(from).and_then(|node| node.outputs.get(edge.output));
            let element =
                output.and_then(|output| output.array).map(|_| format!("[{}]", edge.element)).unwrap_or_default();
            ui.monospace(clean(&output.map(|output| output.label(edge.output)).unwrap_or_default()) + &element);
            match edge.to {
                Some(to) => ui.monospace(id(to)),
                None => ui.colored_label(ui.visuals().warn_fg_color, "nowhere"),
            };
            ui.monospace(edge.records.to_string());
            ui.end_row();
        }
    });
    more(ui, generation.edges.len());
}

/// Says how many rows of a table are not shown.
fn more(ui: &mut Ui, rows: usize) {
    if let Some(rows) = rows.checked_sub(MOST).filter(|rows| *rows > 0) {
        ui.weak(format!("and {rows} more"));
    }
}
