//! Variants of a program: a table with a row for each, what each macro changes, and the differences of each program.

use std::io::{self, Write};

use lanescope_core::compare::{Kind, RowFilter};

use super::Style;
use super::page::{Line, Page};
use lanescope_host::variants::{MacroEffect, OfVariants, VariantRow, step, table, what_changes};

/// Writes variants.
///
/// # Errors
/// Those of `out`.
pub fn write(page: &OfVariants, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let to = &mut Page::new(out, style);
    let files: Vec<_> = page.files.iter().map(|file| file.display().to_string()).collect();
    to.prose(Line::of(style.strong, "program     "), &files.join(", "))?;
    let text = format!("{}: {}", page.variants_file.display(), page.summary());
    to.prose(Line::of(style.strong, "variants    "), &text)?;
    to.heading("variants", "")?;
    to.table(&table(&page.variants), 1)?;
    for (numbers, text) in page.failures() {
        to.blank()?;
        to.prose(Line::of(to.style.warning, format!("{numbers}  ")), &text)?;
    }
    if !page.macros.is_empty() {
        to.heading("macros", "where one alone differs")?;
        page.macros.iter().try_for_each(|one| of_macro(to, one))?;
    }
    details(to, &page.variants)
}

/// A line for each value but the first.
fn of_macro(to: &mut Page<'_>, one: &MacroEffect) -> io::Result<()> {
    if one.values.is_empty() {
        return to.prose(Line::of(to.style.strong, format!("{}  ", one.name)), "has one value");
    }
    for effect in &one.values {
        let line = Line::of(to.style.strong, &one.name).text(format!("  {}  ", step(effect)));
        to.prose(line, &what_changes(effect, one.unread))?;
    }
    Ok(())
}

/// The rows of each program that differ from the base.
fn details(to: &mut Page<'_>, rows: &[VariantRow]) -> io::Result<()> {
    let mut is_first = true;
    for (number, row) in (1..).zip(rows) {
        let Some(comparison) = &row.comparison else { continue };
        for section in
            comparison.sections.iter().filter(|section| !section.rows.is_empty() || !section.texts.is_empty())
        {
            to.heading(section.name.name(), &format!("1 → {number}  {}", row.name))?;
            if !section.rows.is_empty() {
                to.table(&section.table(["A, the base", "B"], RowFilter::default()), 1)?;
            }
            for text in &section.texts {
                to.whole_line(&text.name)?;
                let lines = if text.equal { "the same" } else { text.diff.as_str() };
                lines.lines().try_for_each(|line| to.whole_line(line))?;
            }
            if std::mem::take(&mut is_first) {
                to.prose(Line::of(to.style.dim, " signs  "), &Kind::legend())?;
            }
        }
    }
    Ok(())
}
