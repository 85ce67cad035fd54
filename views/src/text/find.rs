//! Incremental text search.

use std::ops::Range;

use egui::Color32;

use super::caret::Position;
use super::index::Index;
use crate::table::Tokens;

/// Bytes that one step looks at.
const STEP: usize = 1 << 20;
/// Places that are kept.
pub const FOUND_AT_MOST: usize = 100_000;

/// One place: its line, its bytes in the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The line, from 0.
    pub line: usize,
    /// Bytes of the line.
    pub range: Range<usize>,
}

/// A search under way.
#[derive(Debug, Default)]
pub struct Find {
    /// Search text; letters of ASCII match in either case.
    pub query: String,
    /// Places found so far, in order.
    pub found: Vec<Found>,
    /// Where the search is, as index of `found`.
    pub at: Option<usize>,
    next: usize,
}

impl Find {
    /// A search for another text.
    pub fn new(query: &str) -> Find {
        Find { query: query.to_owned(), ..Find::default() }
    }

    /// Looks at the next lines. Returns whether every line of the index has been seen.
    pub fn step(&mut self, text: &str, index: &Index) -> bool {
        if self.query.is_empty() {
            return true;
        }
        let mut left = STEP;
        while self.next < index.lines() && self.found.len() < FOUND_AT_MOST && left > 0 {
            let line = index.line(text, self.next);
            left = left.saturating_sub(line.len() + 1);
            self.line(line);
            self.next += 1;
        }
        self.next >= index.lines() || self.found.len() >= FOUND_AT_MOST
    }

    fn line(&mut self, line: &str) {
        let (line, query) = (line.as_bytes(), self.query.as_bytes());
        // One line may be the whole file: no more of it than a step looks at.
        let line = line.get(..STEP).unwrap_or(line);
        let Some(first) = query.first().map(u8::to_ascii_lowercase) else { return };
        let mut at = 0;
        while let Some(piece) = line.get(at..at + query.len()) {
            // The first byte decides nearly always. A match of UTF-8 bytes begins and ends at characters.
            if piece.first().map(u8::to_ascii_lowercase) == Some(first) && piece.eq_ignore_ascii_case(query) {
                if self.found.len() == FOUND_AT_MOST {
                    return;
                }
                self.found.push(Found { line: self.next, range: at..at + query.len() });
                at += query.len();
            } else {
                at += 1;
            }
        }
    }

    /// The places in a line, as indices of `found`.
    pub fn in_line(&self, line: usize) -> Range<usize> {
        let start = self.found.partition_point(|found| found.line < line);
        let end = self.found.partition_point(|found| found.line <= line);
        start..end
    }

    /// The places in a line with their grounds; the one where the search is has its own.
    pub fn marks(&self, line: usize, tokens: &Tokens) -> Vec<(Range<usize>, Color32)> {
        let ground = |at| if self.at == Some(at) { tokens.found_here } else { tokens.found };
        self.in_line(line).filter_map(|at| Some((self.found.get(at)?.range.clone(), ground(at)))).collect()
    }

    /// Goes to the next place, or the one before; from nowhere to the first at or after `from`. Returns its index.
    pub fn go(&mut self, back: bool, from: Position) -> Option<usize> {
        let count = self.found.len();
        let here = self.found.partition_point(|found| Position::new(found.line, found.range.start) < from);
        let at = match (self.at, back) {
            _ if count == 0 => return None,
            (Some(at), false) => (at + 1) % count,
            (Some(at), true) => at.checked_sub(1).unwrap_or(count - 1),
            (None, false) => here % count,
            (None, true) => here.checked_sub(1).unwrap_or(count - 1),
        };
        self.at = Some(at);
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_inspector::source::Language;

    fn find(text: &str, query: &str) -> Find {
        let mut index = Index::new(Language::Glsl);
        while !index.step(text) {}
        let mut find = Find::new(query);
        while !find.step(text, &index) {}
        find
    }

    #[test]
    fn finds_places_in_any_case_without_overlap() {
        let found = find("aAa\nb\nxAA", "aa").found;
        assert_eq!(found, [Found { line: 0, range: 0..2 }, Found { line: 2, range: 1..3 }]);
        assert!(find("abc", "").found.is_empty());
        assert_eq!(find("é漢é", "漢").found, [Found { line: 0, range: 2..5 }]);
    }

    #[test]
    fn search_starts_at_the_caret_and_wraps_around() {
        let mut find = find("a\n\na a\na", "a");
        let steps = [(false, 1), (false, 2), (false, 3), (false, 0), (true, 3), (true, 2)];
        for (back, expected) in steps {
            assert_eq!(find.go(back, Position::new(1, 0)), Some(expected));
        }
        find.at = None;
        assert_eq!(find.go(false, Position::new(2, 1)), Some(2), "the match before it in the line is behind");
    }

    #[test]
    fn bounds_the_number_of_matches() {
        let find = find(&"a".repeat(FOUND_AT_MOST + 5), "a");
        assert_eq!(find.found.len(), FOUND_AT_MOST);
    }
}
