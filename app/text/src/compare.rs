//! Two reports, section by section: a line for each section, then what differs in it.

use std::io::{self, Write};

use lanescope_core::compare::{Comparison, Kind, Row, RowFilter, Section};
use lanescope_core::options::flag;
use lanescope_core::text_format::counted;

use super::Style;
use super::page::{Line, Page};

/// Writes a comparison; `rows` says whether its rows and texts are written too. Tables have at most 100 columns; lines
/// of assembly are as wide as they are.
///
/// # Errors
///
/// Those of `out`.
pub fn write(
    comparison: &Comparison,
    names: [&str; 2],
    rows: bool,
    out: &mut dyn Write,
    style: Style,
) -> io::Result<()> {
    contents(&mut Page::new(out, style), comparison, names, rows)
}

/// The same on a page.
pub fn contents(page: &mut Page<'_>, comparison: &Comparison, names: [&str; 2], rows: bool) -> io::Result<()> {
    summary(page, comparison, names)?;
    for section in comparison.sections.iter().filter(|_| rows) {
        if !section.rows.is_empty() {
            page.heading(section.name.name(), "")?;
            page.table(&section.table(["A", "B"], RowFilter::default()), 1)?;
        }
        for text in &section.texts {
            page.heading(section.name.name(), &text.name)?;
            let lines = if text.equal { "the same" } else { text.diff.as_str() };
            lines.lines().try_for_each(|line| page.whole_line(line))?;
        }
    }
    Ok(())
}

/// The two sides, and a line for each section.
fn summary(page: &mut Page<'_>, comparison: &Comparison, names: [&str; 2]) -> io::Result<()> {
    let style = page.style;
    for (side, name) in ["A", "B"].iter().zip(names) {
        page.line(Line::of(style.strong, side).text(format!("  {name}")))?;
    }
    if !comparison.options.is_empty() {
        let value = |value: &Option<String>| value.clone().unwrap_or_default();
        let option = |row: &Row| format!("{} {} → {}", flag(&row.name), value(&row.left), value(&row.right));
        let text: Vec<_> = comparison.options.iter().map(option).collect();
        page.prose(Line::of(style.dim, "options     "), &text.join(", "))?;
    }
    page.blank()?;
    for section in &comparison.sections {
        let look = if section.equal { style.dim } else { style.warning };
        let name = Line::from(format!("{:10}  ", section.name.name()));
        page.line(name.styled(look, verdict(section)))?;
    }
    if comparison.sections.iter().any(|section| !section.rows.is_empty()) {
        page.blank()?;
        page.prose(Line::of(style.dim, "signs       "), &Kind::legend())?;
    }
    Ok(())
}

/// The result for a section, as text.
fn verdict(section: &Section) -> String {
    let what = counted(section.differences(), if section.texts.is_empty() { "row" } else { "text" });
    match section.present {
        [false, false] => "in neither".to_owned(),
        [true, false] => format!("differs: only in A ({what})"),
        [false, true] => format!("differs: only in B ({what})"),
        [true, true] if section.equal => "the same".to_owned(),
        [true, true] => format!("differs: {what}"),
    }
}
