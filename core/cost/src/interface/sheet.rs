//! An interface's costs as a sheet.

use super::measured::MeasuredStage;
use super::report::InterfaceCost;
use super::table::{
    draw_table, interpolation_table, lds_table, measured_table, previous_table, slots_table, vendors_table,
};
use crate::sheet::{Part, Sheet};
use crate::table::marked_sources_table;

impl InterfaceCost {
    /// The sheet that it is read as.
    pub fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::default();
        let before = self.producer.map_or("fragment shader".to_owned(), |stage| format!("{stage} to fragment"));
        let mark = if self.wave_mark.is_empty() { String::new() } else { format!(" ({})", self.wave_mark) };
        sheet.section(
            "Interface costs",
            format!("{before}, waves of {}{mark}, {}", self.wave, self.chip),
            [Part::table(slots_table(self)), Part::Prose(format!("{}.", self.slots.sentence))],
        );
        sheet.section("Previous stage", "", [Part::table(previous_table(self))]);
        let of_waves = if self.lds.rows.is_empty() {
            Part::Prose("Unknown: the chip's granule of LDS and its wave slots are not known.".to_owned())
        } else {
            Part::table(lds_table(self))
        };
        let [original, selected, optimum] = self.lds.bytes_per_primitive;
        let filled = format!(
            "A primitive fills {original} bytes as written, {selected} as selected, {optimum} at least (S, C). {}.",
            self.lds.sentences.join(". ")
        );
        let note = format!("{} KiB for the waves of a SIMD", self.lds.bytes_of_simd >> 10);
        sheet.section("LDS of a fragment wave", note, [of_waves, Part::Prose(filled)]);
        let note = "the same before and after packing";
        sheet.section("Interpolation", note, [Part::table(interpolation_table(self))]);
        let draw = &self.draw;
        let size = format!("{} vertices, {} triangles; no reuse, no culling", draw.vertices, draw.triangles);
        sheet.section("Draw", size, [Part::table(draw_table(draw))]);
        sheet.section("Other vendors", "if a module has this interface", [Part::table(vendors_table(self))]);
        for stage in &self.measured {
            sheet.section("Driver", title(stage), [Part::table(measured_table(stage))]);
        }
        sheet.notes(&self.notes);
        sheet.section(
            "Sources",
            "D documented, S read in source, M measured by others, C computed, H seen, G a guess",
            [Part::table(marked_sources_table(&self.sources))],
        );
        if let Some(accesses) = &self.accesses {
            accesses.add_to(&mut sheet);
        }
        sheet
    }
}

/// Which compilation a table is of.
fn title(stage: &MeasuredStage) -> String {
    format!("{} {}, {}, waves of {}, {}", stage.of, stage.stage, stage.chip, stage.wave, stage.driver)
}
