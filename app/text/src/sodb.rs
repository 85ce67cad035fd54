//! The list of a state object database.

use std::io::{self, Write};

use lanescope_core::pipeline_tables::group_table;
use lanescope_core::sodb::Listing;
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
    page.table(&group_table(listing), 0)?;
    super::listed_findings(page, &listing.findings)
}
