//! The search in a pane: it goes to the link that a match is in, or else to the match.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use super::{Pane, Row};

impl Pane {
    /// Searches for a text, without regard to case; goes to the first match from the cursor on, and to the link that it
    /// is in. False without one.
    pub fn search(&mut self, text: &str) -> bool {
        self.search = text.to_lowercase();
        if self.search.is_empty() {
            return true;
        }
        let here = self.stops(self.cursor).into_iter().find(|at| *at >= self.column);
        match here {
            Some(at) => (self.column, self.shows_column) = (at, true),
            None => return self.next_match(1),
        }
        true
    }

    /// The columns of a line's matches.
    pub(super) fn matches(&self, line: usize) -> Vec<Range<usize>> {
        let Some(row) = self.row(line).filter(|_| !self.search.is_empty()) else { return Vec::new() };
        let text = row.text().to_lowercase();
        let columns = |bytes: usize| text.get(..bytes).map_or(0, UnicodeWidthStr::width);
        let all = text.match_indices(self.search.as_str());
        all.map(|(at, found)| columns(at)..columns(at + found.len())).collect()
    }

    /// Where the search stops in a line, by first columns: at a link with a match, or else at the match.
    fn stops(&self, line: usize) -> Vec<usize> {
        let links = self.row(line).map(Row::linked).unwrap_or_default();
        let at = |found: Range<usize>| {
            links.iter().find(|link| link.contains(&found.start)).map_or(found.start, |link| link.start)
        };
        let mut stops: Vec<usize> = self.matches(line).into_iter().map(at).collect();
        stops.dedup();
        if links.is_empty() {
            // All of the line is one item.
            stops.truncate(1);
        }
        stops
    }

    /// Goes to the next match, or the previous one, around the end: in the line of the cursor first.
    pub(super) fn next_match(&mut self, by: isize) -> bool {
        let mut here = self.stops(self.cursor).into_iter();
        let here = if by < 0 { here.rfind(|at| *at < self.column) } else { here.find(|at| *at > self.column) };
        let found = here.is_some() || self.next(by, |pane, line| !pane.stops(line).is_empty());
        let stops = self.stops(self.cursor);
        let at = here.or(if by < 0 { stops.last().copied() } else { stops.first().copied() });
        if let Some(at) = at.filter(|_| found) {
            (self.column, self.shows_column) = (at, true);
        }
        found
    }
}
