//! One entry point's records, as a table of fields.

use std::ops::ControlFlow;

use egui::{ComboBox, DragValue, RichText, ScrollArea, Ui};
use lanescope_core::graph::{Node, NodeId, RecordType, WorkGraph};
use lanescope_core::run::Blob;
use lanescope_core::run::graph::{GraphInput, input};
use lanescope_core::run::types::{Leaf, Scalar, ScalarKind, path};
use lanescope_core::text_format::counted;

use super::input::{RecordButton, record_buttons};
use crate::picture::clean;
use crate::table::call;

/// Members of a record that have a field, and records that have a row.
const FIELDS: usize = 48;
const ROWS: usize = 200;
/// Bytes of all records of a form.
const MAX_BYTES: usize = 256 << 20;

/// The records for one entry point.
#[derive(Debug)]
pub(super) struct Form {
    /// The entry point, by its name: another state of the file may number nodes otherwise.
    entry: Option<NodeId>,
    /// The records' bytes, one after the other.
    records: Vec<u8>,
    /// How many empty ones.
    pub count: u64,
}

impl Form {
    /// One record of zeros, with a grid of one group.
    pub fn new(graph: &WorkGraph, entry: usize) -> Form {
        let node = graph.nodes.get(entry);
        let records = node.and_then(Node::record).map(new_record).unwrap_or_default();
        Form { entry: node.map(|node| node.id.clone()), records, count: 1 }
    }

    /// Index of the entry point.
    pub fn entry(&self, graph: &WorkGraph) -> Option<usize> {
        graph.find(self.entry.as_ref()?)
    }

    /// The entry point.
    pub fn node<'g>(&self, graph: &'g WorkGraph) -> Option<&'g Node> {
        graph.nodes.get(self.entry(graph)?)
    }

    /// Takes other records.
    pub fn set(&mut self, records: Vec<u8>) {
        self.records = records;
    }

    /// Whether its entry point is there, with records of that size.
    pub fn fits(&self, graph: &WorkGraph) -> bool {
        let node = self.node(graph).filter(|node| node.starts());
        node.is_some_and(|node| match node.record() {
            Some(record) => self.records.len().is_multiple_of(record.bytes.max(1) as usize),
            None => self.records.is_empty(),
        })
    }

    /// Inputs of the graph.
    pub fn input(&self, graph: &WorkGraph) -> Option<GraphInput> {
        let node = self.node(graph)?;
        let stride = node.record().map_or(0, |record| record.bytes);
        let count = match node.record() {
            Some(record) => self.records.len() as u64 / u64::from(record.bytes.max(1)),
            None => self.count,
        };
        Some(GraphInput { entry: node.id.clone(), count, stride, bytes: Blob(self.records.clone()) })
    }

    /// The entry point, how many records, and buttons.
    pub fn head(&mut self, ui: &mut Ui, graph: &WorkGraph) {
        let before = self.entry(graph).unwrap_or(0);
        let mut chosen = before;
        let label = ui.label("Entry point").id;
        let name = |at: usize| graph.nodes.get(at).map(|node| clean(&node.id.to_string())).unwrap_or_default();
        let combo = ComboBox::from_id_salt("entry").selected_text(name(chosen)).show_ui(ui, |ui| {
            for (at, _) in graph.nodes.iter().enumerate().filter(|(_, node)| node.starts()) {
                ui.selectable_value(&mut chosen, at, name(at));
            }
        });
        combo.response.labelled_by(label);
        if chosen != before {
            *self = Form::new(graph, chosen);
        }
        let Some(record) = self.node(graph).and_then(Node::record) else {
            let label = ui.label("Empty records").id;
            ui.add(DragValue::new(&mut self.count).range(0..=input::MAX_RECORDS).speed(1.0)).labelled_by(label);
            return;
        };
        let size = record.bytes.max(1) as usize;
        match record_buttons(ui, self.records.len() / size, record) {
            Some(RecordButton::Add) if self.records.len() + size <= MAX_BYTES => {
                let last = self.records.len().checked_sub(size).and_then(|at| self.records.get(at..));
                let last = last.map_or_else(|| new_record(record), <[u8]>::to_vec);
                self.records.extend(last);
            }
            Some(RecordButton::RemoveLast) => self.records.truncate(self.records.len().saturating_sub(size)),
            Some(RecordButton::Reset) => self.records = new_record(record),
            _ => {}
        }
    }

    /// A row of fields for each record.
    pub fn rows(&mut self, ui: &mut Ui, graph: &WorkGraph, height: f32) {
        let Some(record) = self.node(graph).and_then(Node::record) else { return };
        let size = record.bytes.max(1) as usize;
        let fields = fields(record);
        let count = self.records.len() / size;
        let mut remove = None;
        ScrollArea::both().id_salt("input records").max_height(height).auto_shrink([false, true]).show(ui, |ui| {
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
            ui.weak(format!("and {} more, unchanged", counted((count - ROWS) as u64, "record")));
        }
        if let Some(row) = remove {
            self.records.drain(row * size..(row + 1) * size);
        }
    }
}

/// The members of a record that have a field: their names, and where their numbers are.
pub(super) fn fields(record: &RecordType) -> Vec<(String, Leaf)> {
    let mut fields = Vec::new();
    record.shape.visit(u64::from(record.bytes), |steps, leaf| {
        fields.push((path(steps), *leaf));
        if fields.len() < FIELDS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    fields
}

/// An input's records without what lies between them.
pub(super) fn packed(input: &GraphInput, record: &RecordType) -> Vec<u8> {
    let (size, stride) = (record.bytes as usize, input.stride as usize);
    let count = usize::try_from(input.count).unwrap_or(0).min(MAX_BYTES / size.max(1));
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
pub(super) fn edit(ui: &mut Ui, record: &mut [u8], offset: usize, scalar: Scalar) -> egui::Response {
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
