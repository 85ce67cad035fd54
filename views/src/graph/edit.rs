//! Editing a waiting record before its node runs.

use egui::{Button, Key, Ui};
use lanescope_core::gpu::RecordPlace;
use lanescope_core::graph::RecordType;
use lanescope_core::run::Blob;
use lanescope_core::run::graph::{GraphCommand, Replace};

use super::form::{edit, fields};
use crate::picture::clean;
use crate::table::call;

/// The text being typed.
#[derive(Debug, Default)]
pub(super) struct EditPane {
    /// The record.
    place: Option<RecordPlace>,
    /// Its bytes as the run has them, and as they are to be.
    now: Vec<u8>,
    then: Vec<u8>,
}

impl EditPane {
    /// Draws a record's fields. Returns the change that was requested.
    pub fn ui(&mut self, ui: &mut Ui, place: RecordPlace, record: &RecordType, bytes: &[u8]) -> Option<GraphCommand> {
        let bytes = bytes.get(..record.bytes as usize)?;
        if self.place != Some(place) || self.now != bytes {
            (self.place, self.now, self.then) = (Some(place), bytes.to_vec(), bytes.to_vec());
        }
        let RecordPlace { run, record: record_number, .. } = place;
        let mut command = None;
        ui.horizontal_wrapped(|ui| {
            let mut entered = false;
            for (name, leaf) in fields(record) {
                ui.label(clean(&name));
                for offset in leaf.offsets() {
                    let Ok(offset) = usize::try_from(offset) else { continue };
                    let field = edit(ui, &mut self.then, offset, leaf.scalar);
                    entered |= field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
                    call(&field, format!("{} of waiting record {record_number}", clean(&name)));
                }
            }
            let differs = self.then != self.now;
            let change = ui.add_enabled(differs, Button::new("Change"));
            let change = change.on_hover_text("The node runs with these fields (Enter); the original record is kept");
            if change.clicked() || (entered && differs) {
                let bytes = Blob(self.then.clone());
                command = Some(GraphCommand::Replace(Replace { run, record: record_number, bytes }));
            }
            if ui.add_enabled(differs, Button::new("Undo")).clicked() {
                self.then.clone_from(&self.now);
            }
        });
        command
    }
}
