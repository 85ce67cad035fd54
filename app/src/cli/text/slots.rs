//! Attribute slots of many pipelines.

use std::io::{self, Write};

use super::Style;
use super::page::{Align, Line, Page, Table};
use crate::cli::slots::Row;

/// Writes one row per pipeline.
pub fn write(rows: &[Row], out: &mut dyn Write, style: Style) -> io::Result<()> {
    let counts = Row::titles().map(|title| (title, Align::Right));
    let mut table = Table::new(&[("pipeline", Align::Left)].into_iter().chain(counts).collect::<Vec<_>>());
    for row in rows {
        let counts = row.counts().map(Line::from);
        table.row([Line::from(row.pipeline.as_str())].into_iter().chain(counts));
    }
    Page::new(out, style).table(table, 0)
}
