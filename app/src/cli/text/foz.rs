//! The list of a Fossilize database.

use std::io::{self, Write};

use lanescope_core::pipeline::foz::{Key, Listing};
use lanescope_core::table::{Cell, Column, Meaning, Table};

use super::Style;
use super::page::{Line, Page};

/// Writes what is in a database: one row a pipeline.
pub fn write(listing: &Listing, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    let objects: Vec<String> = listing.objects.iter().map(|(name, count)| format!("{name} {count}")).collect();
    let title = format!("Fossilize database version {}", listing.version);
    page.prose(Line::of(style.strong, title).text("  "), &objects.join(", "))?;
    if listing.pipelines.len() < listing.total {
        page.line(Line::of(style.dim, format!("{} of {} pipelines", listing.pipelines.len(), listing.total)))?;
    }
    page.blank()?;
    let columns = [Column::left("hash"), Column::left("kind"), Column::right("bytes"), Column::left("stages")];
    let mut table = Table::new(columns);
    for row in &listing.pipelines {
        let stages = match (&row.why, row.libraries) {
            (Some(why), _) => why.clone(),
            (None, 0) => row.summary(),
            (None, count) if row.stages.is_empty() => format!("linked from {count} libraries"),
            (None, count) => format!("{}, with {count} libraries", row.summary()),
        };
        table.row([
            Cell::of(Meaning::Strong, Key(row.hash.0).to_string()),
            row.kind.as_str().into(),
            row.bytes.to_string().into(),
            stages.into(),
        ]);
    }
    page.table(&table, 0)?;
    super::listed_findings(page, &listing.findings)
}
