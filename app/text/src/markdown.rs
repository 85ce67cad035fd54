//! Markdown as text for a terminal.

use std::io::{self, Write};

use anstyle::{AnsiColor, Effects, Style};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use unicode_width::UnicodeWidthStr as _;

use crate::{WIDTH, write_prose_in};

/// How wide the last column of a table is at least.
const LAST_COLUMN: usize = 30;

/// Style of titles.
pub const HEADING: Style = AnsiColor::Cyan.on_default().effects(Effects::BOLD);

/// Writes a page in 100 columns.
///
/// # Errors
/// Those of `out`.
pub fn write(text: &str, out: &mut dyn Write) -> io::Result<()> {
    write_in(WIDTH, text, out)
}

/// Writes a page in so many columns: paragraphs wrapped, tables aligned, code indented by two columns
/// if it then fits the width. Of links only the text is kept; pictures are
/// dropped.
///
/// # Errors
/// Those of `out`.
pub fn write_in(width: usize, text: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut state = State { width, first: true, ..State::default() };
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        state.take(event, out)?;
    }
    Ok(())
}

/// The lines of a page in so many columns, each with whether it is a title.
pub fn lines(text: &str, width: usize) -> Vec<(String, bool)> {
    let mut out = Vec::new();
    // Memory takes every write.
    let _ = write_in(width, text, &mut out);
    let title = HEADING.render().to_string();
    let text = String::from_utf8_lossy(&out).into_owned();
    text.lines().map(|line| (anstream::adapter::strip_str(line).to_string(), line.starts_with(&title))).collect()
}

/// What is being read.
#[derive(Default)]
struct State {
    /// Columns of a line.
    width: usize,
    /// Nothing is written yet.
    first: bool,
    /// The text of the block so far.
    text: String,
    /// The number of the next item of each open list; `None` for a bullet list.
    lists: Vec<Option<u64>>,
    /// The marker of the current item: a dash or its number.
    mark: String,
    /// Rows of the table so far.
    rows: Vec<Vec<String>>,
    is_picture: bool,
}

impl State {
    fn take(&mut self, event: Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        match event {
            Event::Start(Tag::Image { .. }) => self.is_picture = true,
            Event::Start(Tag::List(first)) => {
                self.prose(out)?;
                if self.lists.is_empty() {
                    self.gap(out)?;
                }
                self.lists.push(first);
            }
            Event::Start(Tag::Item) => self.begin_item(),
            Event::End(TagEnd::Heading(_)) => {
                let title = std::mem::take(&mut self.text);
                self.gap(out)?;
                writeln!(out, "{}{title}{}", HEADING.render(), HEADING.render_reset())?;
            }
            Event::End(TagEnd::Paragraph | TagEnd::Item) => self.prose(out)?,
            Event::End(TagEnd::List(_)) => {
                self.lists.pop();
            }
            Event::End(TagEnd::CodeBlock) => self.code(out)?,
            Event::End(TagEnd::Image) => self.is_picture = false,
            Event::End(TagEnd::TableCell) => {
                let cell = std::mem::take(&mut self.text);
                if let Some(row) = self.rows.last_mut() {
                    row.push(cell);
                }
            }
            Event::Start(Tag::TableHead | Tag::TableRow) => self.rows.push(Vec::new()),
            Event::End(TagEnd::Table) => self.table(out)?,
            Event::Code(text) if !self.is_picture => {
                // What is typed as one stays on one line. Columns of a table are apart without quotes.
                let quote = if self.rows.is_empty() { "`" } else { "" };
                self.text.push_str(&format!("{quote}{}{quote}", text.replace(' ', "\u{a0}")));
            }
            Event::Text(text) if !self.is_picture => self.text.push_str(&text),
            Event::SoftBreak | Event::HardBreak => self.text.push(' '),
            _ => {}
        }
        Ok(())
    }

    /// An empty line between blocks.
    fn gap(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if std::mem::take(&mut self.first) { Ok(()) } else { writeln!(out) }
    }

    fn begin_item(&mut self) {
        let indent = "  ".repeat(self.lists.len());
        self.mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{indent}{}. ", *number - 1)
            }
            _ => format!("{indent}- "),
        };
    }

    fn prose(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let text = std::mem::take(&mut self.text);
        if text.trim().is_empty() {
            return Ok(());
        }
        let mark = std::mem::take(&mut self.mark);
        if mark.is_empty() {
            self.gap(out)?;
        }
        write_prose_in(self.width, &mark, text.trim(), out)
    }

    fn code(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let text = std::mem::take(&mut self.text);
        self.gap(out)?;
        // What is as wide as the page stays as wide as it is.
        let is_wide = text.lines().any(|line| line.width() + 2 > self.width);
        for line in text.lines() {
            let indent = if is_wide || line.is_empty() { "" } else { "  " };
            writeln!(out, "{indent}{line}")?;
        }
        Ok(())
    }

    fn table(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        self.gap(out)?;
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        let width =
            |column: usize| rows.iter().filter_map(|row| Some(row.get(column)?.width())).max().unwrap_or_default();
        let first_columns: usize = (0..columns.saturating_sub(1)).map(|column| width(column) + 2).sum();
        if first_columns + LAST_COLUMN > self.width {
            return list(self.width, &rows, out);
        }
        for row in &rows {
            // The last column is prose, which continues below itself.
            let mut line = String::from("  ");
            for (column, cell) in row.iter().enumerate().take(columns.saturating_sub(1)) {
                let rest = width(column).saturating_sub(cell.width()) + 2;
                line.push_str(cell);
                line.push_str(&" ".repeat(rest));
            }
            let last = row.last().map(String::as_str).unwrap_or_default();
            write_prose_in(self.width, &line.replace('\u{a0}', " "), last, out)?;
        }
        Ok(())
    }
}

/// Writes a table that is too wide as a list, one row per item: the first cell, then each other one below it with the
/// title of its column.
fn list(width: usize, rows: &[Vec<String>], out: &mut dyn Write) -> io::Result<()> {
    let Some((titles, rows)) = rows.split_first() else { return Ok(()) };
    for row in rows {
        for (number, (title, cell)) in titles.iter().zip(row).enumerate().filter(|(_, (_, cell))| !cell.is_empty()) {
            match number {
                0 => write_prose_in(width, "  - ", cell, out)?,
                _ => write_prose_in(width, &format!("      {title}: ").replace('\u{a0}', " "), cell, out)?,
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str) -> String {
        let mut out = Vec::new();
        write(text, &mut out).expect("memory takes every write");
        let text = String::from_utf8(out).expect("is UTF-8");
        text.replace(&HEADING.render().to_string(), "").replace(&HEADING.render_reset().to_string(), "")
    }

    #[test]
    fn writes_blocks_apart_and_keeps_the_text_of_links() {
        let text = "# Title\n\nSee [packing](packing.md)\nand `a b`.\n\n![A picture](a.png)\n\n- one\n- two\n\n1. \
                    a\n2. b\n\n\
                    ```console\n$ lanescope\n\n  out\n```\n\nEnd.\n";
        let expected = "Title\n\nSee packing and `a b`.\n\n  - one\n  - two\n\n  1. a\n  2. b\n\n  $ lanescope\n\n    \
                        out\n\nEnd.\n";
        assert_eq!(rendered(text), expected);
    }

    #[test]
    fn pages_are_as_wide_as_asked() {
        let page = include_str!("../../../assets/manual/tui.md");
        let mut out = Vec::new();
        write_in(60, page, &mut out).expect("memory takes every write");
        let text = anstream::adapter::strip_str(&String::from_utf8_lossy(&out)).to_string();
        // Code is as wide as it is.
        let prose = text.lines().filter(|line| line.starts_with(char::is_alphabetic) && !line.contains('`'));
        let prose: Vec<&str> = prose.collect();
        assert!(prose.len() > 20 && prose.iter().all(|line| line.width() <= 60), "{prose:#?}");
    }

    #[test]
    fn aligns_tables_and_wraps_their_last_column() {
        let text = format!("| key | what it does |\n|---|---|\n| `Ctrl+O` | opens |\n| x | {}|\n", "word ".repeat(30));
        let page = rendered(&text);
        let lines: Vec<&str> = page.lines().collect();
        assert_eq!(lines[..2], ["  key     what it does", "  Ctrl+O  opens"]);
        assert!(lines[2].starts_with("  x       word word") && lines[3].starts_with("          word"), "{page}");
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{page}");
        let wide = format!("| a | b |\n|---|---|\n| {} | 2 |\n", "x".repeat(80));
        assert_eq!(rendered(&wide), format!("  - {}\n      b: 2\n", "x".repeat(80)));
        let empty = format!("| a | b | c |\n|---|---|---|\n| {} | | 3 |\n", "x".repeat(80));
        assert_eq!(rendered(&empty), format!("  - {}\n      c: 3\n", "x".repeat(80)));
    }
}
