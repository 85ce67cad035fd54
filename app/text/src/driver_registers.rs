//! Computed register values beside those that drivers reveal: fields that differ, or that only a back end knows.

use std::io;

use lanescope_core::driver::registers::{RegisterRow, choices, table};

use super::page::{Line, Page};

/// Writes the rows that differ, one for all chips and versions with the same values, then the choices that they refer
/// to.
pub fn write(page: &mut Page<'_>, rows: &[RegisterRow]) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let agree = rows.iter().filter(|row| row.choice.is_none()).count();
    let note = format!("{agree} of {} fields as computed", rows.len());
    page.heading("Driver: registers", &note)?;
    page.table(&table(rows), 1)?;
    for choice in choices(rows) {
        page.prose(Line::of(page.style.dim, format!(" {choice}: ")), choice.why())?;
    }
    Ok(())
}
