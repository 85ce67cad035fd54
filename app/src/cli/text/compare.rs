//! Two reports, section by section: a line for each section, then what differs in it.

use std::io::{self, Write};

use lanescope_core::compare::{Comparison, Kind, Row, Section};
use lanescope_core::table::{Cell, Column, Meaning, Table, Width};
use lanescope_core::text_format::counted;

use super::Style;
use super::page::{Line, Page, elide};

/// Names and values in a table are cut at this many columns; the JSON report has the full text.
const CELL_AT_MOST: usize = 44;

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
    summary(&mut Page::new(out, style), comparison, names)?;
    for section in comparison.sections.iter().filter(|_| rows) {
        if !section.rows.is_empty() {
            let page = &mut Page::new(out, style);
            page.heading(section.name.name(), "")?;
            page.table(&table(section), 1)?;
        }
        for text in &section.texts {
            Page::new(out, style).heading(section.name.name(), &text.name)?;
            let lines = if text.equal { "the same" } else { text.diff.as_str() };
            for line in lines.lines() {
                // What a terminal would obey is replaced; tabs are the compilers' own.
                let plain = |c: char| if c.is_control() && c != '\t' { '\u{fffd}' } else { c };
                writeln!(out, "{}", line.chars().map(plain).collect::<String>())?;
            }
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
        let option = |row: &Row| format!("{} {} → {}", row.name, value(&row.left), value(&row.right));
        let text: Vec<_> = comparison.options.iter().map(option).collect();
        page.prose(Line::of(style.dim, "options     "), &text.join(", "))?;
    }
    page.blank()?;
    for section in &comparison.sections {
        let look = if section.equal { style.dim } else { style.warning };
        let name = Line::from(format!("{:10}  ", section.name.name()));
        page.line(name.styled(look, verdict(section)))?;
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

fn table(section: &Section) -> Table {
    let value = |title: &str| Column::left(title).width(Width::AtMost(CELL_AT_MOST));
    let mut table = Table::new([Column::left(""), Column::left(""), value("A"), value("B"), Column::left("")]);
    let mut of = "";
    for row in &section.rows {
        if row.of != of {
            of = &row.of;
            table.row([Cell::default(), Cell::of(Meaning::Strong, of)]);
        }
        push(&mut table, row, "");
        for part in &row.rows {
            push(&mut table, part, "  ");
        }
    }
    table
}

fn push(table: &mut Table, row: &Row, indent: &str) {
    let cell = |value: &Option<String>| match value {
        Some(value) => value.into(),
        None => Cell::of(Meaning::Dimmed, "–"),
    };
    let look = if row.kind == Kind::Same { Meaning::Dimmed } else { Meaning::Changed };
    let change = row.change.map(|change| change.to_string()).unwrap_or_default();
    let why = if indent.is_empty() && change.is_empty() { row.why.as_str() } else { "" };
    let last = if change.is_empty() { Cell::of(Meaning::Dimmed, why) } else { Cell::of(Meaning::Changed, change) };
    let name = elide(&format!("{indent}{}", row.name), CELL_AT_MOST);
    table.row([Cell::of(look, row.kind.sign()), name.into(), cell(&row.left), cell(&row.right), last]);
}
