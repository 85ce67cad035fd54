//! The pipeline description in a file: layout and state.

use std::io;

use lanescope_core::pipeline_tables::{DescriptionTable, description_tables};
use lanescope_core::report::Report;

use super::IN_JSON;
use super::page::{Line, Page};

/// Rows of one table that are written.
const ROWS: usize = 200;

/// Writes the description, if the program has one.
pub fn write(page: &mut Page<'_>, report: &Report) -> io::Result<()> {
    let Some(pipeline) = &report.pipeline else { return Ok(()) };
    page.heading("Pipeline", &pipeline.title())?;
    let style = page.style;
    for DescriptionTable { table, from, more } in description_tables(pipeline, ROWS) {
        page.blank()?;
        let title = Line::of(style.strong, &table.title);
        let from = if from.is_empty() { String::new() } else { format!("  {from}") };
        page.line(title.styled(style.dim, from))?;
        page.table(&table, 2)?;
        if more > 0 {
            page.line(Line::of(style.dim, format!("  … and {more} more{}", style.hint(IN_JSON, ""))))?;
        }
    }
    Ok(())
}
