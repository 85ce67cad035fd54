//! A place in a text, and the caret with what it selects.

use std::ops::Range;

/// A place between two characters of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position {
    /// The line, from 0.
    pub line: usize,
    /// The byte of the line: always where a character begins, or the line's end.
    pub byte: usize,
}

impl Position {
    /// A place in a line.
    pub fn new(line: usize, byte: usize) -> Position {
        Position { line, byte }
    }
}

/// The caret, and what it selects: the text from the anchor to the head, in either order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Caret {
    /// Where the selection began.
    pub anchor: Position,
    /// Where the caret is.
    pub head: Position,
}

impl Caret {
    /// A caret that selects nothing.
    pub fn at(position: Position) -> Caret {
        Caret { anchor: position, head: position }
    }

    /// A caret at the end of what it selects.
    pub fn over(range: Range<Position>) -> Caret {
        Caret { anchor: range.start, head: range.end }
    }

    /// The caret at another place: it selects up to there, or nothing.
    pub fn moved(self, head: Position, extend: bool) -> Caret {
        if extend { Caret { head, ..self } } else { Caret::at(head) }
    }

    /// What is selected, its beginning first.
    pub fn range(self) -> Range<Position> {
        self.anchor.min(self.head)..self.anchor.max(self.head)
    }

    /// Whether nothing is selected.
    pub fn is_empty(self) -> bool {
        self.anchor == self.head
    }

    /// The selected bytes of a line of `length` bytes, and whether its line break is selected; `None` where nothing of
    /// the line is.
    pub fn in_line(self, line: usize, length: usize) -> Option<(Range<usize>, bool)> {
        let Range { start, end } = self.range();
        if self.is_empty() || line < start.line || line > end.line {
            return None;
        }
        let from = if line == start.line { start.byte.min(length) } else { 0 };
        let (to, breaks) = if line == end.line { (end.byte.min(length), false) } else { (length, true) };
        (from < to || breaks).then_some((from..to.max(from), breaks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selects_the_same_range_in_both_directions() {
        let [first, second] = [Position::new(1, 4), Position::new(3, 2)];
        let forward = Caret::over(first..second);
        let backward = Caret::at(second).moved(first, true);
        assert_eq!(forward.range(), backward.range());
        assert_eq!(backward.head, first);
        assert!(backward.moved(second, false).is_empty());
    }

    #[test]
    fn selects_parts_of_the_first_and_last_line_and_all_between() {
        let caret = Caret::over(Position::new(1, 4)..Position::new(3, 2));
        let selected: Vec<_> = (0..5).map(|line| caret.in_line(line, 6)).collect();
        assert_eq!(selected, [None, Some((4..6, true)), Some((0..6, true)), Some((0..2, false)), None]);
        assert_eq!(Caret::over(Position::new(0, 0)..Position::new(1, 0)).in_line(1, 6), None);
        assert_eq!(Caret::at(Position::new(1, 2)).in_line(1, 6), None);
    }
}
