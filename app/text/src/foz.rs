//! The list of a Fossilize database.

use std::io::{self, Write};

use lanescope_core::pipeline::foz::Listing;
use lanescope_core::pipeline_tables::listing_table;

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
    page.table(&listing_table(listing), 0)?;
    super::listed_findings(page, &listing.findings)
}
