//! The costs of workgroup layouts as text.

use std::io::{self, Write};

use lanescope_core::cost::{
    Cost, Measured, accesses_table, layouts_table, measured_on, measured_orders_table, measured_table, orders_table,
    sources_table,
};
use lanescope_core::text_format::counted;

use super::Style;
use super::page::{Line, Page};

/// What the marks of figures mean.
const MARKS: &str = "D documented, S read in source, C computed, G a guess";

/// Writes what `cost` prints.
///
/// # Errors
/// Those of `out`.
pub fn write(cost: &Cost, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    layouts(page, cost)?;
    if let Some(measured) = &cost.measured {
        page.blank()?;
        times(page, measured)?;
    }
    page.blank()?;
    page.heading("Accesses", &counted(cost.accesses.len(), "instruction"))?;
    page.table(&accesses_table(cost), 1)?;
    rest(page, cost)
}

/// The layouts, and which one is recommended.
pub(crate) fn layouts(page: &mut Page<'_>, cost: &Cost) -> io::Result<()> {
    let [x, y, z] = cost.size;
    page.heading("Costs", &format!("{} {x}×{y}×{z}, waves of {}, {}", cost.entry, cost.wave, cost.chip))?;
    page.prose(Line::from(" "), &cost.dispatch())?;
    page.blank()?;
    page.table(&layouts_table(cost), 1)?;
    page.blank()?;
    page.prose(Line::from(" "), &cost.advice.sentence())
}

/// The times of the layouts, and whether their order is the predicted one.
pub(crate) fn times(page: &mut Page<'_>, measured: &Measured) -> io::Result<()> {
    page.heading("Measured", &measured_on(measured))?;
    page.table(&measured_table(measured), 1)?;
    page.blank()?;
    page.prose(Line::from(" "), &measured.sentence())?;
    if let Some((table, orders)) = measured_orders_table(measured).zip(measured.orders.as_ref()) {
        page.blank()?;
        page.table(&table, 1)?;
        page.blank()?;
        page.prose(Line::from(" "), &orders.sentence())?;
    }
    for note in &measured.notes {
        page.prose(Line::from(" · "), note)?;
    }
    Ok(())
}

/// What comes after the accesses: orders of workgroups, notes, sources.
pub(crate) fn rest(page: &mut Page<'_>, cost: &Cost) -> io::Result<()> {
    if let Some((table, orders)) = orders_table(cost).zip(cost.told_orders()) {
        page.blank()?;
        page.heading("Orders of workgroups", &format!("windows of {}", orders.window))?;
        page.table(&table, 1)?;
        page.blank()?;
        page.prose(Line::from(" "), &orders.advice.sentence())?;
    }
    if !cost.depends.is_empty() || !cost.notes.is_empty() {
        page.blank()?;
        page.heading("Notes", "")?;
    }
    for one in &cost.depends {
        page.prose(Line::from(" · "), &one.sentence(&cost.contents))?;
    }
    for note in &cost.notes {
        page.prose(Line::from(" · "), note)?;
    }
    page.blank()?;
    page.heading("Sources", MARKS)?;
    page.table(&sources_table(cost), 1)
}
