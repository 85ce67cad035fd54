//! Pipeline files as tables: a description, the list of a Fossilize database.

use lanescope_pipeline::Pipeline;
use lanescope_pipeline::foz::{Key as PipelineKey, Listing, Row};

use lanescope_passes::table::{Cell, Column, Key, Meaning, Table};

/// A table of a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescriptionTable {
    /// The table, with its title.
    pub table: Table,
    /// Where it is in the file; empty where each row has its own place.
    pub from: String,
    /// Rows that are left out.
    pub more: usize,
}

/// The description as tables of at most so many rows.
pub fn description_tables(pipeline: &Pipeline, most: usize) -> Vec<DescriptionTable> {
    let tables = pipeline.tables().into_iter().map(|of| {
        let mut table = Table::new(of.columns.iter().map(|title| Column::left(*title))).titled(of.title);
        for row in of.rows.iter().take(most) {
            table.row(row.iter().map(Cell::code));
        }
        DescriptionTable { table, from: of.from, more: of.rows.len().saturating_sub(most) }
    });
    tables.collect()
}

/// The pipelines of a database; a row selects one by its index.
pub fn listing_table(listing: &Listing) -> Table {
    let columns = [Column::left("hash"), Column::left("kind"), Column::right("bytes"), Column::left("stages")];
    let mut table = Table::new(columns);
    for (index, row) in listing.pipelines.iter().enumerate() {
        let cells = [
            Cell::of(Meaning::Strong, PipelineKey(row.hash.0).to_string()),
            kind(row).into(),
            row.bytes.to_string().into(),
            contents(row).into(),
        ];
        table.push(Key::Item(index), cells);
    }
    table
}

/// The kind of a pipeline in words: `ray tracing`.
pub fn kind(row: &Row) -> String {
    row.kind.replace('_', " ")
}

/// The stages of a pipeline in words, or why it cannot be read.
pub fn contents(row: &Row) -> String {
    match (&row.why, row.libraries) {
        (Some(why), _) => format!("cannot be read: {why}"),
        (None, 0) => row.summary(),
        (None, count) if row.stages.is_empty() => format!("linked from {count} libraries"),
        (None, count) => format!("{}, with {count} libraries", row.summary()),
    }
}
