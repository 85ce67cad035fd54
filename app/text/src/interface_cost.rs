//! The costs of an interface as text.

use std::io::{self, Write};

use lanescope_core::cost::interface::{
    InterfaceCost, MeasuredStage, draw_table, interpolation_table, lds_table, measured_table, previous_table,
    slots_table, vendors_table,
};
use lanescope_core::cost::marked_sources_table;
use lanescope_core::table::Table;

use super::Style;
use super::page::{Line, Page};

/// Writes what `cost` prints of a graphics pipeline.
///
/// # Errors
/// Those of `out`.
pub fn write(cost: &InterfaceCost, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    let before = cost.producer.map_or("fragment shader".to_owned(), |stage| format!("{stage} to fragment"));
    let mark = if cost.wave_mark.is_empty() { String::new() } else { format!(" ({})", cost.wave_mark) };
    page.heading("Interface costs", &format!("{before}, waves of {}{mark}, {}", cost.wave, cost.chip))?;
    page.table(&slots_table(cost), 1)?;
    page.blank()?;
    page.prose(Line::from(" "), &format!("{}.", cost.slots.sentence))?;
    section(page, "Previous stage", "", &previous_table(cost))?;
    page.heading("LDS of a fragment wave", &format!("{} KiB for the waves of a SIMD", cost.lds.bytes_of_simd >> 10))?;
    if cost.lds.rows.is_empty() {
        page.prose(Line::from(" "), "Unknown: the chip's granule of LDS and its wave slots are not known.")?;
    } else {
        page.table(&lds_table(cost), 1)?;
    }
    let [original, selected, optimum] = cost.lds.bytes_per_primitive;
    page.blank()?;
    let filled = format!(
        "A primitive fills {original} bytes as written, {selected} as selected, {optimum} at least (S, C). {}.",
        cost.lds.sentences.join(". ")
    );
    page.prose(Line::from(" "), &filled)?;
    section(page, "Interpolation", "the same before and after packing", &interpolation_table(cost))?;
    let draw = &cost.draw;
    let size = format!("{} vertices, {} triangles; no reuse, no culling", draw.vertices, draw.triangles);
    section(page, "Draw", &size, &draw_table(draw))?;
    section(page, "Other vendors", "if a module has this interface", &vendors_table(cost))?;
    for stage in &cost.measured {
        section(page, "Driver", &title(stage), &measured_table(stage))?;
    }
    page.heading("Notes", "")?;
    for note in &cost.notes {
        page.prose(Line::from(" · "), note)?;
    }
    page.heading("Sources", "D documented, S read in source, M measured by others, C computed, H seen, G a guess")?;
    page.table(&marked_sources_table(&cost.sources), 1)
}

fn section(page: &mut Page<'_>, title: &str, note: &str, table: &Table) -> io::Result<()> {
    page.heading(title, note)?;
    page.table(table, 1)
}

/// Which compilation a table is of.
fn title(stage: &MeasuredStage) -> String {
    format!("{} {}, {}, waves of {}, {}", stage.of, stage.stage, stage.chip, stage.wave, stage.driver)
}
