//! The list of a state object database.

use std::io::{self, Write};

use lanescope_core::sodb::Listing;
use lanescope_core::table::{Cell, Column, Key, Meaning, Table};
use lanescope_core::text_format::counted;

use super::Style;
use super::page::{Line, Page};

/// Writes what is in a database: one row a group.
pub fn write(listing: &Listing, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    let objects: Vec<String> = [
        ("groups", "group"),
        ("pipeline_states", "pipeline state"),
        ("state_objects", "state object"),
        ("shader_bytecode", "container"),
        ("root_signatures", "root signature"),
    ]
    .iter()
    .filter_map(|(table, noun)| Some(counted(*listing.tables.get(*table)?, noun)))
    .collect();
    let title = format!("State object database version {}", listing.user_version);
    page.prose(Line::of(style.strong, title).text("  "), &objects.join(", "))?;
    if let Some(application) = &listing.application {
        let engine = application.engine.as_ref().map(|engine| format!(", {engine} {}", application.engine_version));
        let text = format!("{} {}{}", application.name, application.version, engine.unwrap_or_default());
        page.line(Line::of(style.dim, text))?;
    }
    if listing.groups.len() < listing.total {
        page.line(Line::of(style.dim, format!("{} of {} groups", listing.groups.len(), listing.total)))?;
    }
    page.blank()?;
    page.table(&table(listing), 0)?;
    super::listed_findings(page, &listing.findings)
}

/// The groups; a row selects one by its index.
fn table(listing: &Listing) -> Table {
    let columns = [
        Column::left("key"),
        Column::right("version"),
        Column::left("kind"),
        Column::left("hash"),
        Column::right("bytes"),
        Column::left("stages"),
    ];
    let mut table = Table::new(columns);
    for (index, row) in listing.groups.iter().enumerate() {
        let cells = [
            Cell::of(Meaning::Strong, row.key.clone()),
            row.version.map_or_else(|| "?".to_owned(), |version| version.to_string()).into(),
            row.kind.name().replace('_', " ").into(),
            format!("{:016x}", row.hash.0).into(),
            row.bytes.to_string().into(),
            row.contents_text().into(),
        ];
        table.push(Key::Item(index), cells);
    }
    table
}
