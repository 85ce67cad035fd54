//! The records that a run starts with, edited as a form that their type makes, or read from text.

use std::ops::ControlFlow;

use egui::{Button, ComboBox, DragValue, RichText, ScrollArea, TextEdit, Ui};
use lanescope_core::graph::{NodeId, RecordType, WorkGraph};
use lanescope_core::run::Blob;
use lanescope_core::run::graph::GraphInput;
use lanescope_core::run::graph::input::{self, InputOptions};
use lanescope_core::run::shape::{Leaf, Scalar, ScalarKind, path};

use crate::picture::clean;
use crate::table::{Tokens, call, quiet_cell};

/// Members of a record that have a field, and records that have a row.
const FIELDS: usize = 48;
const ROWS: usize = 200;

/// The first records of a run.
#[derive(Debug, Default)]
pub(super) struct InputPane {
    /// Index of the entry point.
    entry: Option<usize>,
    /// The records' bytes, one after the other.
    records: Vec<u8>,
    /// How many empty ones.
    count: u64,
    text: String,
    error: Option<String>,
}

/// What a file of records was found to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Json,
    Csv,
    Binary,
}

impl InputPane {
    /// What the run starts with: the records of the form, or one of zeros.
    pub fn inputs(&mut self, graph: &WorkGraph) -> Vec<GraphInput> {
        let Some((entry, node)) = self.node(graph) else { return Vec::new() };
        let record = node.record();
        self.fit(entry, record);
        let stride = record.map_or(0, |record| record.bytes);
        let count = match record {
            Some(record) => self.records.len() as u64 / u64::from(record.bytes.max(1)),
            None => self.count,
        };
        vec![GraphInput { entry: node.id.clone(), count, stride, bytes: Blob(self.records.clone()) }]
    }

    fn node<'g>(&self, graph: &'g WorkGraph) -> Option<(usize, &'g lanescope_core::graph::Node)> {
        let chosen = self.entry.filter(|entry| graph.nodes.get(*entry).is_some_and(|node| node.starts()));
        let first = || graph.nodes.iter().position(|node| node.entry);
        let entry = chosen.or_else(first).or_else(|| graph.nodes.iter().position(|node| node.starts()))?;
        Some((entry, graph.nodes.get(entry)?))
    }

    /// Another entry point, another type: one record of zeros, with a grid of one group.
    fn fit(&mut self, entry: usize, record: Option<&RecordType>) {
        let whole = record.is_none_or(|record| self.records.len().is_multiple_of(record.bytes.max(1) as usize));
        if self.entry == Some(entry) && whole {
            return;
        }
        self.entry = Some(entry);
        self.count = 1;
        self.error = None;
        self.records = record.map(new_record).unwrap_or_default();
    }

    /// Draws the form.
    pub fn ui(&mut self, ui: &mut Ui, graph: &WorkGraph) {
        let Some((entry, node)) = self.node(graph) else {
            ui.weak("This graph has no entry point.");
            return;
        };
        self.fit(entry, node.record());
        let mut chosen = entry;
        ui.horizontal_wrapped(|ui| {
            let label = ui.label("Entry point").id;
            let name = |at: usize| graph.nodes.get(at).map(|node| clean(&node.id.to_string())).unwrap_or_default();
            let combo = ComboBox::from_id_salt("entry").selected_text(name(chosen)).show_ui(ui, |ui| {
                for (at, _) in graph.nodes.iter().enumerate().filter(|(_, node)| node.starts()) {
                    ui.selectable_value(&mut chosen, at, name(at));
                }
            });
            combo.response.labelled_by(label);
            match node.record() {
                None => {
                    let label = ui.label("Empty records").id;
                    ui.add(DragValue::new(&mut self.count).range(0..=input::MAX_RECORDS).speed(1.0)).labelled_by(label);
                }
                Some(record) => self.controls(ui, record),
            }
        });
        if let Some(error) = &self.error {
            ui.colored_label(Tokens::of(ui.visuals()).error, clean(error));
        }
        if let Some(record) = node.record() {
            self.rows(ui, record);
            self.text(ui, graph, &node.id, record);
        }
        if chosen != entry {
            self.fit(chosen, graph.nodes.get(chosen).and_then(|node| node.record()));
        }
    }

    fn controls(&mut self, ui: &mut Ui, record: &RecordType) {
        let size = record.bytes.max(1) as usize;
        let count = self.records.len() / size;
        quiet_cell(ui, format!("{count} records of {} bytes", record.bytes));
        if ui.button("Add").on_hover_text("Another record, like the last one").clicked() {
            let last = self.records.len().checked_sub(size).and_then(|at| self.records.get(at..)).map(<[u8]>::to_vec);
            self.records.extend(last.unwrap_or_else(|| new_record(record)));
        }
        if ui.add_enabled(count > 0, Button::new("Remove last")).clicked() {
            self.records.truncate(self.records.len().saturating_sub(size));
        }
        if ui.button("Reset").on_hover_text("One record of zeros, with a grid of one group").clicked() {
            self.records = new_record(record);
        }
    }

    fn rows(&mut self, ui: &mut Ui, record: &RecordType) {
        let size = record.bytes.max(1) as usize;
        let mut fields: Vec<(String, Leaf)> = Vec::new();
        record.shape.visit(u64::from(record.bytes), |steps, leaf| {
            fields.push((path(steps), *leaf));
            if fields.len() < FIELDS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let count = self.records.len() / size;
        let mut remove = None;
        ScrollArea::both().id_salt("input records").max_height(220.0).auto_shrink([false, true]).show(ui, |ui| {
            egui::Grid::new("input form").striped(true).show(ui, |ui| {
                ui.weak("#");
                for (name, _) in &fields {
                    ui.label(RichText::new(clean(name)).strong());
                }
                ui.end_row();
                for (row, bytes) in self.records.chunks_exact_mut(size).enumerate().take(ROWS) {
                    ui.weak(row.to_string());
                    for (name, leaf) in &fields {
                        ui.horizontal(|ui| {
                            for offset in leaf.offsets() {
                                let Ok(offset) = usize::try_from(offset) else { continue };
                                let edit = edit(ui, bytes, offset, leaf.scalar);
                                call(&edit, format!("{} of record {row}", clean(name)));
                            }
                        });
                    }
                    let button = ui.small_button("×");
                    call(&button, format!("Remove record {row}"));
                    if button.clicked() {
                        remove = Some(row);
                    }
                    ui.end_row();
                }
            });
        });
        if count > ROWS {
            ui.weak(format!("and {} more", count - ROWS));
        }
        if let Some(row) = remove {
            self.records.drain(row * size..(row + 1) * size);
        }
    }

    /// Records as text: what is pasted here takes the form's place.
    fn text(&mut self, ui: &mut Ui, graph: &WorkGraph, entry: &NodeId, record: &RecordType) {
        egui::CollapsingHeader::new("From text: JSON or CSV").show(ui, |ui| {
            let hint = "{ \"records\": [ { \"tile\": 1 } ] }   or   tile,place.x⏎1,0.5";
            let field =
                TextEdit::multiline(&mut self.text).hint_text(hint).desired_rows(4).desired_width(f32::INFINITY);
            call(&ui.add(field.font(egui::TextStyle::Monospace)), "Records as text");
            if ui.button("Read").clicked() {
                let text = std::mem::take(&mut self.text);
                self.read(graph, entry, record, text.as_bytes());
                self.text = text;
            }
        });
    }

    /// Takes a file's or a text's records: JSON, CSV, or the records' own bytes.
    pub fn take(&mut self, graph: &WorkGraph, bytes: &[u8]) {
        let Some((entry, node)) = self.node(graph) else { return };
        self.fit(entry, node.record());
        match node.record() {
            Some(record) => self.read(graph, &node.id, record, bytes),
            None => self.error = Some("the entry point takes empty records".to_owned()),
        }
    }

    fn read(&mut self, graph: &WorkGraph, entry: &NodeId, record: &RecordType, bytes: &[u8]) {
        let text = std::str::from_utf8(bytes).ok();
        let kind = match text.map(str::trim_start) {
            Some(text) if text.starts_with(['{', '[']) => Kind::Json,
            Some(text) if text.lines().next().is_some_and(|line| !line.contains(char::is_control)) => Kind::Csv,
            _ => Kind::Binary,
        };
        let name = entry.to_string();
        let read = match (kind, text) {
            (Kind::Json, Some(text)) => {
                let options = InputOptions { entry: Some(&name), ..InputOptions::default() };
                input::parse(text, graph, options).map_err(|error| error.to_string()).and_then(|inputs| {
                    let input = inputs.into_iter().find(|input| input.entry == *entry);
                    let input = input.ok_or_else(|| format!("no records for {name}"))?;
                    Ok(packed(&input, record))
                })
            }
            (Kind::Csv, Some(text)) => record.parse_csv(text).map_err(|error| error.to_string()),
            _ if bytes.is_empty() || !bytes.len().is_multiple_of(record.bytes.max(1) as usize) => {
                Err(format!("{} bytes are no records of {} bytes", bytes.len(), record.bytes))
            }
            _ => Ok(bytes.to_vec()),
        };
        match read {
            Ok(records) => (self.records, self.error) = (records, None),
            Err(error) => self.error = Some(error),
        }
    }
}

/// An input's records without what lies between them.
fn packed(input: &GraphInput, record: &RecordType) -> Vec<u8> {
    let (size, stride) = (record.bytes as usize, input.stride as usize);
    let count = usize::try_from(input.count).unwrap_or(0);
    let mut out = Vec::new();
    for at in 0..count {
        let start = at.saturating_mul(stride);
        out.extend(input.bytes.0.get(start..start.saturating_add(size)).unwrap_or_default());
    }
    out
}

/// A record of zeros, with a grid of one group.
fn new_record(record: &RecordType) -> Vec<u8> {
    let mut out = vec![0; record.bytes as usize];
    if let Some(grid) = record.grid {
        for component in 0..grid.components {
            let at = grid.offset as usize + component as usize * grid.scalar.bytes() as usize;
            // A grid that lies outside of its record is left alone.
            let _ = grid.scalar.put(&mut out, at, "1");
        }
    }
    out
}

/// A field for one number of a record.
fn edit(ui: &mut Ui, record: &mut [u8], offset: usize, scalar: Scalar) -> egui::Response {
    let value = scalar.value(record.get(offset..).unwrap_or_default());
    let mut write = |text: String| {
        // What the field gives fits its range.
        let _ = scalar.put(record, offset, &text);
    };
    match scalar.kind {
        ScalarKind::Float => {
            let mut number = value.as_f64().unwrap_or(0.0);
            let response = ui.add(DragValue::new(&mut number).speed(0.1).max_decimals(9));
            if response.changed() {
                write(number.to_string());
            }
            response
        }
        ScalarKind::Int => {
            let most = i64::MAX >> (64 - scalar.bits.clamp(1, 64));
            let mut number = value.as_i64().unwrap_or(0);
            let response = ui.add(DragValue::new(&mut number).range(-most - 1..=most).speed(1.0));
            if response.changed() {
                write(number.to_string());
            }
            response
        }
        ScalarKind::Uint => {
            let most = u64::MAX >> (64 - scalar.bits.clamp(1, 64));
            let mut number = value.as_u64().unwrap_or(0);
            let response = ui.add(DragValue::new(&mut number).range(0..=most).speed(1.0));
            if response.changed() {
                write(number.to_string());
            }
            response
        }
    }
}
