//! A sheet of costs as text.

use std::io::{self, Write};

use lanescope_core::cost::sheet::{Part, Section, Sheet};

use super::page::{Line, Page};
use super::{Style, strip};

/// Writes what `cost` prints of a graphics pipeline or of a work graph.
///
/// # Errors
/// Those of `out`.
pub fn write(sheet: &Sheet, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    sheet.sections.iter().try_for_each(|one| section(page, one))
}

/// Writes a section: an empty line is between two parts but items of a list.
fn section(page: &mut Page<'_>, section: &Section) -> io::Result<()> {
    page.heading(&section.title, &section.note)?;
    let mut last: Option<&Part> = None;
    for part in &section.parts {
        if last.is_some_and(|last| last.is_apart(part)) {
            page.blank()?;
        }
        match part {
            Part::Prose(text) => page.prose(Line::from(" "), text)?,
            Part::Item(text) => page.prose(Line::from(" · "), text)?,
            Part::Table(table) | Part::Nodes(table) => page.table(table, 1)?,
            Part::Strip(strip) => strip::write(page, strip)?,
        }
        last = Some(part);
    }
    Ok(())
}
