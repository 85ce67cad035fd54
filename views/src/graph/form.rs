//! One entry point's records, as a table of fields.

use std::ops::ControlFlow;

use egui::{ComboBox, DragValue, RichText, ScrollArea, Ui};
use lanescope_core::graph::{Node, RecordType, WorkGraph};
use lanescope_core::run::graph::input;
use lanescope_core::spirv::shape::{Leaf, Scalar, ScalarKind, path};
use lanescope_core::text_format::counted;
use lanescope_inspector::stepping::{EntryRecords, InputEdit};

use super::input::record_buttons;
use crate::combo::pick;
use crate::picture::clean;
use crate::table::call;

/// Members of a record that have a field, and records that have a row.
const FIELDS: usize = 48;
const ROWS: usize = 200;

/// Draws the entry point, how many records it gets, and buttons.
pub(super) fn head(ui: &mut Ui, graph: &WorkGraph, at: usize, entry: &EntryRecords) -> Option<InputEdit> {
    let mut edit = None;
    let before = entry.entry(graph).unwrap_or(0);
    let mut chosen = before;
    let label = ui.label("Entry point").id;
    let name = |at: usize| graph.nodes.get(at).map(|node| clean(&node.id.to_string())).unwrap_or_default();
    let combo = ComboBox::from_id_salt("entry").selected_text(name(chosen)).show_ui(ui, |ui| {
        for (at, _) in graph.nodes.iter().enumerate().filter(|(_, node)| node.starts()) {
            pick(ui, &mut chosen, at, name(at));
        }
    });
    combo.response.labelled_by(label);
    if chosen != before {
        edit = Some(InputEdit::Entry(at, chosen));
    }
    let Some(record) = entry.node(graph).and_then(Node::record) else {
        let label = ui.label("Empty records").id;
        let mut count = entry.count();
        let field = ui.add(DragValue::new(&mut count).range(0..=input::MAX_RECORDS).speed(1.0)).labelled_by(label);
        return if field.changed() { Some(InputEdit::Count(at, count)) } else { edit };
    };
    let size = record.bytes.max(1) as usize;
    record_buttons(ui, at, entry.bytes().len() / size, record).or(edit)
}

/// Draws a row of fields for each record.
pub(super) fn rows(ui: &mut Ui, graph: &WorkGraph, at: usize, entry: &EntryRecords, height: f32) -> Option<InputEdit> {
    let record = entry.node(graph).and_then(Node::record)?;
    let size = record.bytes.max(1) as usize;
    let fields = fields(record);
    let count = entry.bytes().len() / size;
    let mut edited = None;
    ScrollArea::both().id_salt("input records").max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        egui::Grid::new("input form").striped(true).show(ui, |ui| {
            ui.weak("#");
            for (name, _) in &fields {
                ui.label(RichText::new(clean(name)).strong());
            }
            ui.end_row();
            for (row, bytes) in entry.bytes().chunks_exact(size).enumerate().take(ROWS) {
                ui.weak(row.to_string());
                for (name, leaf) in &fields {
                    ui.horizontal(|ui| {
                        for offset in leaf.offsets() {
                            let Ok(offset) = usize::try_from(offset) else { continue };
                            let mut number = bytes.get(offset..).unwrap_or_default().to_vec();
                            number.truncate(leaf.scalar.bytes() as usize);
                            let field = edit(ui, &mut number, 0, leaf.scalar);
                            call(&field, format!("{} of record {row}", clean(name)));
                            if field.changed() {
                                let offset = row * size + offset;
                                edited = Some(InputEdit::Bytes { entry: at, offset, bytes: number });
                            }
                        }
                    });
                }
                let button = ui.small_button("×");
                call(&button, format!("Remove record {row}"));
                if button.clicked() {
                    edited = Some(InputEdit::RemoveRecord(at, row));
                }
                ui.end_row();
            }
        });
    });
    if count > ROWS {
        ui.weak(format!("and {} more, unchanged", counted((count - ROWS) as u64, "record")));
    }
    edited
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
