//! The pipeline description in a file: layout and state.

use std::io;

use lanescope_core::report::Report;
use lanescope_core::table::{Cell, Column, Table};

use super::page::{Line, Page};

/// Rows of one table that are written.
const ROWS: usize = 200;

/// Writes the description, if the program has one.
pub fn write(page: &mut Page<'_>, report: &Report) -> io::Result<()> {
    let Some(pipeline) = &report.pipeline else { return Ok(()) };
    page.heading("Pipeline", &pipeline.title())?;
    let style = page.style;
    for table in pipeline.tables() {
        page.blank()?;
        let title = Line::of(style.strong, table.title);
        let from = if table.from.is_empty() { String::new() } else { format!("  {}", table.from) };
        page.line(title.styled(style.dim, from))?;
        let mut out = Table::new(table.columns.iter().map(|title| Column::left(*title)));
        for row in table.rows.iter().take(ROWS) {
            out.row(row.iter().map(|cell| Cell::from(cell.as_str())));
        }
        page.table(&out, 2)?;
        if table.rows.len() > ROWS {
            page.line(Line::of(
                style.dim,
                format!("  … and {} more; --format json has them all", table.rows.len() - ROWS),
            ))?;
        }
    }
    Ok(())
}
