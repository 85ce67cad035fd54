//! A text by its lines, and the rows of the screen that show them.

use std::fmt;
use std::ops::Range;

use super::caret::Position;
use super::index::Index;

/// Which rows of the screen show the lines of a text, where that is not one row for each line.
pub(crate) trait Rows: fmt::Debug {
    /// Number of rows.
    fn count(&self) -> usize;
    /// The row of a line; for a line that is folded away, the row of its fold.
    fn of_line(&self, line: usize) -> usize;
    /// The line that a row shows.
    fn line_at(&self, row: usize) -> Option<usize>;
}

/// A text in one frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Document<'a> {
    text: &'a str,
    index: &'a Index,
    lines: usize,
    rows: Option<&'a dyn Rows>,
}

impl<'a> Document<'a> {
    /// A text with one row for each line found so far.
    pub fn new(text: &'a str, index: &'a Index) -> Document<'a> {
        Document { text, index, lines: index.lines(), rows: None }
    }

    /// The first `lines` lines of a text, in these rows.
    pub fn in_rows(text: &'a str, index: &'a Index, lines: usize, rows: &'a dyn Rows) -> Document<'a> {
        Document { text, index, lines: lines.min(index.lines()), rows: Some(rows) }
    }

    /// Whether all lines have been found.
    pub fn is_whole(&self) -> bool {
        self.index.is_done()
    }

    /// Number of lines.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// A line, without its end. Empty if there is no such line.
    pub fn line(&self, line: usize) -> &'a str {
        self.index.line(self.text, line)
    }

    /// Whether the line begins inside something that an earlier line opened.
    pub fn begins_open(&self, line: usize) -> bool {
        self.index.begins_open(line)
    }

    /// Bytes of the longest line.
    pub fn longest(&self) -> usize {
        self.index.longest()
    }

    /// The text between two places, with its line breaks as they are.
    pub fn slice(&self, range: Range<Position>) -> &'a str {
        let byte = |position: Position| {
            let line = self.index.range(self.text, position.line);
            line.start.saturating_add(position.byte).min(line.end)
        };
        self.text.get(byte(range.start)..byte(range.end)).unwrap_or("")
    }

    /// The nearest place that exists.
    pub fn clamp(&self, position: Position) -> Position {
        let line = position.line.min(self.lines.saturating_sub(1));
        if line < position.line {
            return Position::new(line, self.line(line).len());
        }
        let text = self.line(line);
        let mut byte = position.byte.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        Position::new(line, byte)
    }

    /// The end of the text.
    pub fn end(&self) -> Position {
        self.clamp(Position::new(usize::MAX, 0))
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows.map_or(self.lines, Rows::count)
    }

    /// The row of a line.
    pub fn row_of(&self, line: usize) -> usize {
        self.rows.map_or(line, |rows| rows.of_line(line))
    }

    /// The line that a row shows.
    pub fn line_at(&self, row: usize) -> Option<usize> {
        match self.rows {
            Some(rows) => rows.line_at(row).filter(|line| *line < self.lines),
            None => (row < self.lines).then_some(row),
        }
    }
}

#[cfg(test)]
mod tests {
    use lanescope_inspector::source::Language;

    use super::*;

    #[test]
    fn slices_keep_line_breaks_as_they_are() {
        let text = "one\r\ntwo\n\nfour";
        let index = Index::whole(Language::Glsl, text);
        let document = Document::new(text, &index);
        assert_eq!(document.slice(Position::new(0, 1)..Position::new(1, 2)), "ne\r\ntw");
        assert_eq!(document.slice(Position::default()..document.end()), text);
        assert_eq!(document.slice(Position::new(9, 0)..Position::new(9, 4)), "");
    }

    #[test]
    fn a_place_outside_becomes_the_nearest() {
        let text = "a漢\nb";
        let index = Index::whole(Language::Glsl, text);
        let document = Document::new(text, &index);
        assert_eq!(document.clamp(Position::new(0, 2)), Position::new(0, 1));
        assert_eq!(document.clamp(Position::new(0, 99)), Position::new(0, 4));
        assert_eq!(document.clamp(Position::new(7, 0)), Position::new(1, 1));
    }
}
