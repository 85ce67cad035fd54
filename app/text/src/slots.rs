//! Attribute slots of many pipelines.

use lanescope_core::table::{Cell, Column, Table};
use std::io::{self, Write};

use super::Style;
use super::page::Page;
use lanescope_host::corpus::slots::Row;

/// Writes one row per pipeline.
pub fn write(rows: &[Row], out: &mut dyn Write, style: Style) -> io::Result<()> {
    let counts = Row::titles().map(Column::right);
    let mut table = Table::new([Column::left("pipeline")].into_iter().chain(counts));
    for row in rows {
        let counts = row.counts().map(Cell::from);
        table.row([Cell::from(row.pipeline.as_str())].into_iter().chain(counts));
    }
    Page::new(out, style).table(&table, 0)
}
