//! Inputs of a run: records as a form built from their type, or as text; and the run's settings.

use egui::{Button, CollapsingHeader, DragValue, TextEdit, Ui};
use lanescope_core::graph::{RecordType, WorkGraph};
use lanescope_core::run::graph::{GraphMode, MAX_DISPATCHES, input};
use lanescope_core::text_format::counted;
use lanescope_inspector::stepping::{InputEdit, RunForm};

use super::form::{head, rows};
use crate::picture::clean;
use crate::table::{Tokens, call, quiet_cell};
use crate::theme::TokensOfVisuals as _;
use crate::widgets::choice;

/// Stepped or GPU-driven mode.
const MODES: [(GraphMode, &str); 2] = [(GraphMode::Step, "stepped"), (GraphMode::Free, "GPU-driven")];
const SOURCES: [(bool, &str); 2] = [(false, "the host"), (true, "device memory")];
/// The largest ring, in MiB.
const MAX_RING: u64 = 64 << 10;

/// The form of the next run.
#[derive(Debug, Default)]
pub(super) struct InputPane {
    /// Records as text, until they are read.
    text: String,
}

/// What the form requests.
#[derive(Debug, Default)]
pub(super) struct InputReply {
    /// Changes.
    pub edits: Vec<InputEdit>,
    /// A file of records is to be read.
    pub load: bool,
}

impl InputPane {
    /// Draws the form.
    pub fn ui(&mut self, ui: &mut Ui, graph: &WorkGraph, form: &RunForm) -> InputReply {
        let mut reply = InputReply::default();
        if form.entries.is_empty() {
            ui.weak("This graph has no entry point.");
            return reply;
        }
        let several = form.entries.len() > 1;
        let height = if several { 120.0 } else { 200.0 };
        for (at, entry) in form.entries.iter().enumerate() {
            ui.push_id(("form", at), |ui| {
                ui.horizontal_wrapped(|ui| {
                    reply.edits.extend(head(ui, graph, at, entry));
                    if several && ui.button("Remove").clicked() {
                        reply.edits.push(InputEdit::RemoveEntry(at));
                    }
                    if at == 0 {
                        let load = ui.button("Load…").on_hover_text("Records from a file: JSON, CSV, or their bytes");
                        reply.load = load.clicked();
                    }
                });
                reply.edits.extend(rows(ui, graph, at, entry, height));
            });
        }
        if let Some(entry) = form.unused_entry(graph) {
            let more = ui.button("Add entry node");
            if more.on_hover_text("Start the graph at several entry nodes").clicked() {
                reply.edits.push(InputEdit::AddEntry(entry));
            }
        }
        if let Some(error) = &form.error {
            ui.colored_label(Tokens::of(ui.visuals()).error, clean(error));
        }
        ui.separator();
        settings(ui, form, &mut reply.edits);
        self.texts(ui, graph, form, &mut reply.edits);
        reply
    }

    /// Records as text, and local root arguments.
    fn texts(&mut self, ui: &mut Ui, graph: &WorkGraph, form: &RunForm, edits: &mut Vec<InputEdit>) {
        CollapsingHeader::new("Records from text: JSON or CSV").show(ui, |ui| {
            let hint = "{ \"records\": [ { \"tile\": 1 } ] } or tile,place.x,place.y⏎1,0.5,2";
            area(ui, &mut self.text, hint, "Records as text");
            if ui.button("Read").clicked() {
                edits.push(InputEdit::Read(self.text.clone().into_bytes()));
            }
        });
        if graph.nodes.iter().any(|node| node.local_root_table.is_some()) {
            CollapsingHeader::new("Local root arguments").show(ui, |ui| {
                let hint = "{ \"buffers\": { \"buf\": 4096 }, \"table\": [ [\"buf\", 30, 20] ] }";
                let mut roots = form.roots.clone();
                area(ui, &mut roots, hint, "Local root arguments");
                if roots != form.roots {
                    edits.push(InputEdit::Roots(roots));
                }
            });
        }
    }
}

fn settings(ui: &mut Ui, form: &RunForm, edits: &mut Vec<InputEdit>) {
    ui.horizontal_wrapped(|ui| {
        let mut mode = form.mode;
        if choice(ui, "Mode", &mut mode, &MODES) {
            edits.push(InputEdit::Mode(mode));
        }
        if form.mode == GraphMode::Free {
            let mut counts = form.counts_groups;
            let hint = "Dispatch as vkd3d-proton does, and count its groups: see Costs after the run";
            if ui.checkbox(&mut counts, "Count groups").on_hover_text(hint).changed() {
                edits.push(InputEdit::CountGroups(counts));
            }
        }
        let mut described = form.described;
        if choice(ui, "Records described by", &mut described, &SOURCES) {
            edits.push(InputEdit::Described(described));
        }
        let label = ui.label("Starts").id;
        let mut number = form.starts;
        let starts = ui.add(DragValue::new(&mut number).range(1..=MAX_DISPATCHES).speed(1.0)).labelled_by(label);
        starts.on_hover_text("Number of DispatchGraph calls on the same buffers");
        if number != form.starts {
            edits.push(InputEdit::Starts(number));
        }
        let label = ui.label("Ring").id;
        let mut number = form.ring;
        let ring = DragValue::new(&mut number).range(1..=MAX_RING).speed(1.0).suffix(" MiB");
        ui.add(ring).labelled_by(label).on_hover_text("Memory for records in flight");
        if number != form.ring {
            edits.push(InputEdit::Ring(number));
        }
        let label = ui.label("Batch").id;
        let mut number = form.batch;
        let shown = |value: f64, _| if value == 0.0 { "any size".to_owned() } else { value.to_string() };
        let batch = DragValue::new(&mut number).range(0..=input::MAX_RECORDS).speed(1.0).custom_formatter(shown);
        let hint = "Largest number of records in a batch; results do not depend on it";
        ui.add(batch).labelled_by(label).on_hover_text(hint);
        if number != form.batch {
            edits.push(InputEdit::Batch(number));
        }
    });
}

fn area(ui: &mut Ui, text: &mut String, hint: &str, name: &str) {
    let field = TextEdit::multiline(text).hint_text(hint).desired_rows(4).desired_width(f32::INFINITY);
    call(&ui.add(field.font(egui::TextStyle::Monospace)), name);
}

/// The buttons after a form's title. Returns the change that was requested.
pub(super) fn record_buttons(ui: &mut Ui, at: usize, count: usize, record: &RecordType) -> Option<InputEdit> {
    quiet_cell(ui, format!("{} of {}", counted(count, "record"), counted(record.bytes, "byte")));
    let mut pressed = None;
    if ui.button("Add").on_hover_text("Add a copy of the last record").clicked() {
        pressed = Some(InputEdit::AddRecord(at));
    }
    if ui.add_enabled(count > 0, Button::new("Remove last")).clicked() {
        pressed = Some(InputEdit::RemoveLast(at));
    }
    if ui.button("Reset").on_hover_text("One record of zeros, with a grid of one group").clicked() {
        pressed = Some(InputEdit::Reset(at));
    }
    pressed
}
