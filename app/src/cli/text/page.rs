//! Lines of at most [`WIDTH`] columns, tables, and wrapped prose: all building blocks of the text report.

use std::io::{self, Write};

use lanescope_core::table::{Table, TextLine, shorten};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub use lanescope_core::table::elide;

use super::Style;

/// No line is wider than this many terminal columns.
pub const WIDTH: usize = 100;
/// Wrapped prose has at least this many columns.
const PROSE_AT_LEAST: usize = 24;

/// One line under construction: styled parts, with the width so far.
#[derive(Debug, Clone, Default)]
pub struct Line {
    parts: Vec<(anstyle::Style, String)>,
    width: usize,
}

/// Destination of the lines.
pub struct Page<'a> {
    out: &'a mut dyn Write,
    /// The report's styles.
    pub style: Style,
}

impl<'a> Page<'a> {
    /// A page on `out`.
    pub fn new(out: &'a mut dyn Write, style: Style) -> Self {
        Page { out, style }
    }

    /// Columns of a line: [`WIDTH`], or `usize::MAX` where nothing is cut.
    pub fn room(&self) -> usize {
        if self.style.whole { usize::MAX } else { WIDTH }
    }

    /// The text, cut to at most `width` columns on a terminal.
    pub fn elide(&self, text: &str, width: usize) -> String {
        if self.style.whole { text.to_owned() } else { elide(text, width) }
    }

    /// Writes one line, cut at the width of the page.
    pub fn line(&mut self, line: Line) -> io::Result<()> {
        let mut line = line.cut(self.room());
        while let Some((_, last)) = line.parts.last_mut() {
            last.truncate(last.trim_end().len());
            if !last.is_empty() {
                break;
            }
            line.parts.pop();
        }
        for (style, text) in line.parts.iter().filter(|(_, text)| !text.is_empty()) {
            write!(self.out, "{style}{text}{style:#}")?;
        }
        writeln!(self.out)
    }

    /// Writes an empty line.
    pub fn blank(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    /// Writes a section's heading with a rule to the page's edge.
    pub fn heading(&mut self, title: &str, note: &str) -> io::Result<()> {
        self.blank()?;
        let mut line = Line::default().styled(self.style.heading, title);
        if !note.is_empty() {
            line = line.text("  ").styled(self.style.strong, note);
        }
        let line = line.cut(self.room() - 4).text(" ");
        let rule = "─".repeat(WIDTH.saturating_sub(line.width));
        self.line(line.styled(self.style.dim, rule))
    }

    /// Writes `first`, then `text` wrapped after it, every later line starting where the text began.
    pub fn prose(&mut self, first: Line, text: &str) -> io::Result<()> {
        let first = first.cut(self.room() - PROSE_AT_LEAST);
        let indent = first.width.min(WIDTH - PROSE_AT_LEAST);
        let mut line = first;
        for (index, piece) in wrap(text, WIDTH - indent).into_iter().enumerate() {
            if index > 0 {
                self.line(line)?;
                line = Line::default().to(indent);
            }
            line = line.text(piece);
        }
        self.line(line)
    }

    /// Writes a table, `indent` columns in.
    pub fn table(&mut self, table: &Table, indent: usize) -> io::Result<()> {
        for TextLine { above, parts } in
            table.lines(if self.style.whole { usize::MAX } else { WIDTH.saturating_sub(indent) })
        {
            if let Some(above) = above {
                self.prose(Line::default().to(indent), &above)?;
            }
            let style = self.style;
            let parts = parts.into_iter();
            let line = parts.fold(Line::default().to(indent), |line, (of, text)| line.styled(style.meaning(of), text));
            self.line(line)?;
        }
        Ok(())
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Self {
        Line::default().text(text)
    }
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Line::default().text(text)
    }
}

impl Line {
    /// A line of one styled text.
    pub fn of(style: anstyle::Style, text: impl AsRef<str>) -> Line {
        Line::default().styled(style, text)
    }

    /// Adds unstyled text.
    pub fn text(self, text: impl AsRef<str>) -> Line {
        self.styled(anstyle::Style::new(), text)
    }

    /// Adds styled text. Control characters (in a shader's names) are replaced.
    pub fn styled(mut self, style: anstyle::Style, text: impl AsRef<str>) -> Line {
        let text: String = text.as_ref().chars().map(|c| if c.width().is_none() { '\u{fffd}' } else { c }).collect();
        self.width += text.width();
        self.parts.push((style, text));
        self
    }

    /// Adds another line's parts.
    pub fn join(mut self, other: Line) -> Line {
        self.width += other.width;
        self.parts.extend(other.parts);
        self
    }

    /// Pads with spaces up to a column.
    pub fn to(self, column: usize) -> Line {
        let missing = column.saturating_sub(self.width);
        if missing == 0 { self } else { self.text(" ".repeat(missing)) }
    }

    /// Its width in terminal columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The line cut to at most `width` columns; a cut line ends in `…`.
    pub fn cut(mut self, width: usize) -> Line {
        if self.width <= width {
            return self;
        }
        let mut room = width;
        let mut kept = Line::default();
        for (style, text) in self.parts.drain(..) {
            if text.width() < room || (text.width() == room && kept.width + room == self.width) {
                room -= text.width();
                kept = kept.styled(style, text);
            } else {
                return kept.styled(style, shorten(&text, room));
            }
        }
        kept
    }
}

/// Breaks prose at spaces into pieces of at most `width` columns; longer words are broken.
/// A no-break space keeps words together and is written as a space.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in text.split([' ', '\n', '\t', '\r']).filter(|word| !word.is_empty()) {
        let wide = word.width();
        if used > 0 && used + 1 + wide > width {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        for c in word.chars() {
            let wide = c.width().unwrap_or(1);
            if used > 0 && used + wide > width {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(if c == '\u{a0}' { ' ' } else { c });
            used += wide;
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use lanescope_core::table::{Cell, Column, Width};

    use super::*;

    #[test]
    fn cutting_keeps_the_width_and_marks_the_cut() {
        let line = || Line::from("abc").text("漢字").text("def");
        for (width, expected) in [(10, "abc漢字def"), (9, "abc漢字d…"), (7, "abc漢…"), (4, "abc…"), (0, "")]
        {
            let cut = line().cut(width);
            let text: String = cut.parts.iter().map(|(_, text)| text.as_str()).collect();
            assert_eq!(text, expected, "{width}");
            assert!(cut.width() <= width, "{width}");
        }
    }

    #[test]
    fn breaks_prose_at_spaces_and_inside_long_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("a b\u{a0}c", 4), ["a", "b c"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn cuts_nothing_in_a_pipe() {
        let long = "name".repeat(40);
        let mut table = Table::new([Column::left("a").width(Width::AtMost(8))]);
        table.row([Cell::from(&long)]);
        let written = |whole: bool| {
            let mut out = Vec::new();
            let page = &mut Page::new(&mut out, Style { whole, ..Style::plain() });
            page.line(Line::from(long.as_str()))
                .and_then(|()| page.table(&table, 1))
                .expect("memory takes every write");
            page.heading(&long, "").and_then(|()| page.prose(Line::from(long.as_str()), "text")).expect("writes");
            String::from_utf8(out).expect("text")
        };
        assert_eq!(written(true).matches(&long).count(), 4);
        assert!(!written(true).contains('…') && !written(false).contains(&long));
        assert!(written(false).lines().all(|line| line.width() <= WIDTH));
    }

    #[test]
    fn names_cannot_control_the_terminal() {
        let line = Line::from("a\u{1b}[31mb\nc");
        assert!(line.parts.iter().all(|(_, text)| !text.contains(char::is_control)));
    }
}
