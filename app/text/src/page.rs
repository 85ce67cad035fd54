//! Lines of at most [`WIDTH`] columns, tables, and wrapped prose: all building blocks of the text report.

use std::io::{self, Write};

use lanescope_core::foreign::plain_name;
use lanescope_core::table::{Key, Table, TextLine, shorten};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub use lanescope_core::foreign::plain;
pub use lanescope_core::table::elide;

use super::Style;

/// No line is wider than this many terminal columns.
pub const WIDTH: usize = 100;
/// A page has at least this many.
const WIDTH_AT_LEAST: usize = 40;
/// Wrapped prose has at least this many columns.
const PROSE_AT_LEAST: usize = 24;

/// One line under construction: styled parts, with the width so far.
#[derive(Debug, Clone, Default)]
pub struct Line {
    parts: Vec<Part>,
    width: usize,
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub style: anstyle::Style,
    /// Its text, without control characters.
    pub text: String,
    /// What it selects where lines are read interactively.
    pub target: Option<Target>,
}

/// What a part of a line selects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A scalar of the interface, as written: location and component.
    Varying(u32, u8),
    /// A register, by name.
    Register(String),
    /// An invocation of the workgroup.
    Invocation([u32; 3]),
}

/// A line that was written, as data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    /// Its parts.
    pub parts: Vec<Part>,
    /// Whether it begins a section.
    pub heading: bool,
}

/// Destination of the lines.
pub struct Page<'a> {
    out: Out<'a>,
    width: usize,
    /// The report's styles.
    pub style: Style,
}

enum Out<'a> {
    Text(&'a mut dyn Write),
    Lines(&'a mut Vec<Printed>),
}

impl<'a> Page<'a> {
    /// A page on `out`.
    pub fn new(out: &'a mut dyn Write, style: Style) -> Self {
        Page { out: Out::Text(out), width: WIDTH, style }
    }

    /// A page of `width` columns on `out`.
    pub fn in_columns(width: usize, out: &'a mut dyn Write, style: Style) -> Self {
        Page { width: width.max(WIDTH_AT_LEAST), ..Page::new(out, style) }
    }

    /// A page of `width` columns whose lines are kept as data.
    pub fn lines(out: &'a mut Vec<Printed>, style: Style, width: usize) -> Self {
        Page { out: Out::Lines(out), width: width.max(WIDTH_AT_LEAST), style }
    }

    /// Columns of a line.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Columns of a line, or `usize::MAX` where nothing is cut.
    pub fn room(&self) -> usize {
        if self.style.whole { usize::MAX } else { self.width }
    }

    /// The text, cut to at most `width` columns on a terminal.
    pub fn elide(&self, text: &str, width: usize) -> String {
        if self.style.whole { text.to_owned() } else { elide(text, width) }
    }

    /// Writes one line, cut at the width of the page.
    pub fn line(&mut self, line: Line) -> io::Result<()> {
        self.put(line, false)
    }

    fn put(&mut self, line: Line, heading: bool) -> io::Result<()> {
        let mut line = line.cut(self.room());
        while let Some(last) = line.parts.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                break;
            }
            line.parts.pop();
        }
        line.parts.retain(|part| !part.text.is_empty());
        match &mut self.out {
            Out::Text(out) => {
                for Part { style, text, .. } in &line.parts {
                    write!(out, "{style}{text}{style:#}")?;
                }
                writeln!(out)
            }
            Out::Lines(lines) => {
                lines.push(Printed { parts: line.parts, heading });
                Ok(())
            }
        }
    }

    /// Writes a line of another program's text, as wide as it is. What a terminal would obey is replaced; tabs are kept
    /// in text.
    pub fn whole_line(&mut self, text: &str) -> io::Result<()> {
        let text = plain(text);
        match &mut self.out {
            Out::Text(out) => writeln!(out, "{text}"),
            Out::Lines(lines) => {
                let text = text.replace('\t', "    ");
                let part = Part { style: anstyle::Style::new(), text, target: None };
                lines.push(Printed { parts: vec![part], heading: false });
                Ok(())
            }
        }
    }

    /// Writes an empty line.
    pub fn blank(&mut self) -> io::Result<()> {
        self.line(Line::default())
    }

    /// Writes a section's heading with a rule to the page's edge.
    pub fn heading(&mut self, title: &str, note: &str) -> io::Result<()> {
        self.blank()?;
        let mut line = Line::default().styled(self.style.heading, title);
        if !note.is_empty() {
            line = line.text("  ").styled(self.style.strong, note);
        }
        let line = line.cut(self.room() - 4).text(" ");
        let rule = "─".repeat(self.width.saturating_sub(line.width));
        self.put(line.styled(self.style.dim, rule), true)
    }

    /// Writes `first`, then `text` wrapped after it, every later line starting where the text began.
    pub fn prose(&mut self, first: Line, text: &str) -> io::Result<()> {
        let first = first.cut(self.room() - PROSE_AT_LEAST);
        let indent = first.width.min(self.width - PROSE_AT_LEAST);
        let mut line = first;
        for (index, piece) in wrap(text, self.width - indent).into_iter().enumerate() {
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
        let room = if self.style.whole { usize::MAX } else { self.width.saturating_sub(indent) };
        for TextLine { above, row, parts } in table.lines(room) {
            if let Some(above) = above {
                self.prose(Line::default().to(indent), &above)?;
            }
            let style = self.style;
            let parts = parts.into_iter();
            let target = row.and_then(|row| table.rows.get(row)).and_then(|row| Target::of(&row.key));
            let line = parts.fold(Line::default().to(indent), |line, (of, text)| line.styled(style.meaning(of), text));
            let line = line.selecting(target);
            self.line(line)?;
        }
        Ok(())
    }
}

impl Target {
    /// What a row of a table selects, where it is the same in all tables.
    fn of(key: &Key) -> Option<Target> {
        match key {
            Key::Register(name) => Some(Target::Register(name.clone())),
            Key::Varying { location, component } => Some(Target::Varying(*location, *component)),
            Key::None | Key::Item(_) => None,
        }
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
    pub fn styled(self, style: anstyle::Style, text: impl AsRef<str>) -> Line {
        self.targeted(style, text, None)
    }

    /// Adds styled text that selects something.
    pub fn targeted(mut self, style: anstyle::Style, text: impl AsRef<str>, target: Option<Target>) -> Line {
        let text = plain_name(text.as_ref());
        self.width += text.width();
        self.parts.push(Part { style, text, target });
        self
    }

    /// The line, whose first text selects something.
    fn selecting(mut self, target: Option<Target>) -> Line {
        if let Some(part) = self.parts.iter_mut().find(|part| !part.text.trim().is_empty()) {
            part.target = target;
        }
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
        for Part { style, text, target } in self.parts.drain(..) {
            if text.width() < room || (text.width() == room && kept.width + room == self.width) {
                room -= text.width();
                kept = kept.targeted(style, text, target);
            } else {
                return kept.targeted(style, shorten(&text, room), target);
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
            let text: String = cut.parts.iter().map(|part| part.text.as_str()).collect();
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
        let line = Line::from("a\u{1b}[31mb\nc\u{9b}2J\u{202e}d");
        assert!(line.parts.iter().all(|part| part.text == "a�[31mb�c�2J�d"), "{line:?}");
    }
}
