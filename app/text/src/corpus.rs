//! Sums over many pipelines, and the difference of two results.

use std::io::{self, Write};

use lanescope_core::corpus::{Comparison, Summary};

use super::Style;
use super::page::Page;

/// Writes the comparison, if any, then the sums.
pub fn write(summary: &Summary, comparison: Option<&Comparison>, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let mut page = Page::new(out, style);
    if let Some(comparison) = comparison {
        for line in comparison.lines() {
            page.whole_line(&line)?;
        }
        for table in comparison.extremes() {
            page.heading(&table.title, "")?;
            page.table(&table, 0)?;
        }
    }
    for table in summary.tables() {
        page.heading(&table.title, "")?;
        page.table(&table, 0)?;
    }
    Ok(())
}
