//! Computed register values beside those that drivers reveal: fields that differ, or that only a back end knows.

use std::io;

use lanescope_core::driver::registers::{Choice, RegisterRow, choices, differing};

use super::page::{Align, Line, Page, Table};

/// Writes the rows that differ, one for all chips and versions with the same values, then the choices that they refer
/// to.
pub fn write(page: &mut Page<'_>, rows: &[RegisterRow]) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let agree = rows.iter().filter(|row| row.choice.is_none()).count();
    let note = format!("{agree} of {} fields as computed", rows.len());
    page.heading("Driver: registers", &note)?;
    let style = page.style;
    let titles = ["register", "field", "ours", "driver", "from the driver", "choice"];
    let right = |title: &str| if matches!(title, "ours" | "driver") { Align::Right } else { Align::Left };
    let mut table = Table::new(&titles.map(|title| (title, right(title))));
    let mut places: Vec<String> = Vec::new();
    for (row, of) in differing(rows) {
        let cells: [Line; 5] = [
            row.register.as_str().into(),
            row.field.as_str().into(),
            row.ours.map_or("?".to_owned(), |value| value.to_string()).into(),
            row.driver.to_string().into(),
            row.told.as_str().into(),
        ];
        table.row(cells.into_iter().chain([Line::of(style.dim, row.choice.map_or("", Choice::name))]));
        places.push(format!("{}: {}", row.stage.with_entry(row.entry.as_deref()), of.join(", ")));
    }
    // The conditions of rows are on a line above them, because there is no space beside them.
    let mut before: Option<&String> = None;
    page.table_with(table, 1, |page, row| match places.get(row).filter(|of| before != Some(*of)) {
        Some(of) => {
            before = Some(of);
            page.prose(Line::default().to(1), of)
        }
        None => Ok(()),
    })?;
    for choice in choices(rows) {
        page.prose(Line::of(style.dim, format!(" {choice}: ")), choice.why())?;
    }
    Ok(())
}
