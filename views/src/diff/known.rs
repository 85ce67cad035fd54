//! What is known of two texts: their alignment, the rows that show it, and the places that a search found.

use std::collections::BTreeSet;
use std::ops::Range;

use lanescope_inspector::source::Language;

use super::Texts;
use crate::text::document::{Document, Rows};
use crate::text::find::Find;
use crate::text::highlight::Highlighter;
use crate::text::index::Index;
use lanescope_pictures::align::{Alignment, Kind, Pair};

/// Unchanged lines that stay around a change.
const CONTEXT: usize = 3;
/// Fewer unchanged lines than this are not worth a fold.
const FOLD_AT_LEAST: usize = 4;

/// Known facts about the texts that are shown.
#[derive(Debug)]
pub(super) struct Known {
    pub key: (u64, usize),
    pub sides: [Lines; 2],
    pub alignment: Alignment,
    /// Lines changed, removed and added.
    pub counts: [usize; 3],
    /// Folds, by the first pair in them, that were opened.
    pub opened: BTreeSet<usize>,
    /// Where the search found something, in order.
    pub places: Vec<Match>,
    pub rows: Vec<Row>,
    /// Both texts in one column, where that was shown.
    pub merged: Option<Merged>,
    /// What `rows` was made for: folded, in one column.
    pub shape: (bool, bool),
}

/// Where a search found something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Match {
    pub pair: usize,
    pub side: usize,
    /// The index among what was found of that side.
    pub found: usize,
}

/// Known facts about one text.
#[derive(Debug)]
pub(super) struct Lines {
    pub index: Index,
    pub highlighter: Highlighter,
    pub find: Find,
    /// The pair of each line.
    pub pairs: Vec<usize>,
}

/// Both texts in one column: of each change the lines of the first text, then those of the second.
#[derive(Debug)]
pub(super) struct Merged {
    pub text: String,
    pub index: Index,
    /// The pair and the side of each line.
    pub lines: Vec<(usize, usize)>,
    /// The line of each line of a side.
    pub of_side: [Vec<usize>; 2],
    /// The first line of each row, as the rows are arranged.
    starts: Vec<usize>,
}

/// One row of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Row {
    /// A pair, side by side, or the same in both.
    Pair(usize),
    /// One side of a pair, in one column.
    One(usize, usize),
    /// Pairs that are folded away.
    Fold(Range<usize>),
}

/// The rows of one side, beside the other.
#[derive(Debug)]
pub(super) struct SideRows<'a> {
    known: &'a Known,
    side: usize,
}

/// The rows of both texts in one column.
#[derive(Debug)]
pub(super) struct MergedRows<'a> {
    rows: &'a [Row],
    merged: &'a Merged,
}

impl Rows for SideRows<'_> {
    fn count(&self) -> usize {
        self.known.rows.len()
    }

    fn of_line(&self, line: usize) -> usize {
        let pair = self.known.sides.get(self.side).and_then(|side| side.pairs.get(line)).copied().unwrap_or(0);
        self.known.row_of(pair)
    }

    fn line_at(&self, row: usize) -> Option<usize> {
        let Row::Pair(pair) = self.known.rows.get(row)? else { return None };
        self.known.line(*pair, self.side)
    }
}

impl Rows for MergedRows<'_> {
    fn count(&self) -> usize {
        self.rows.len()
    }

    fn of_line(&self, line: usize) -> usize {
        self.merged.starts.partition_point(|start| *start <= line).saturating_sub(1)
    }

    fn line_at(&self, row: usize) -> Option<usize> {
        match self.rows.get(row)? {
            Row::Fold(_) => None,
            _ => self.merged.starts.get(row).copied(),
        }
    }
}

impl Row {
    /// Its first pair.
    pub fn pair(&self) -> usize {
        match self {
            Row::Pair(pair) | Row::One(pair, _) => *pair,
            Row::Fold(pairs) => pairs.start,
        }
    }
}

impl Known {
    pub fn of(texts: &Texts<'_>) -> Known {
        let [left, right] = texts.texts.map(|text| Index::whole(texts.language, text));
        let lines = |index: &Index, text| -> Vec<_> {
            let count = index.lines();
            // A text with a final line break has an empty line after it.
            let last_is_empty = count > 0 && index.line(text, count - 1).is_empty();
            (0..count - usize::from(last_is_empty)).map(|line| index.line(text, line)).collect()
        };
        let alignment = Alignment::of(&lines(&left, texts.texts[0]), &lines(&right, texts.texts[1]));
        let side = |index, of: fn(&Pair) -> Option<usize>| Lines {
            index,
            highlighter: Highlighter::default(),
            find: Find::default(),
            pairs: (0..).zip(&alignment.pairs).filter_map(|(at, pair)| of(pair).map(|_| at)).collect(),
        };
        let sides = [side(left, |pair| pair.left), side(right, |pair| pair.right)];
        let counts = [Kind::Changed, Kind::Removed, Kind::Added].map(|kind| alignment.count(kind));
        Known {
            key: texts.key,
            sides,
            alignment,
            counts,
            merged: None,
            opened: BTreeSet::new(),
            places: Vec::new(),
            rows: Vec::new(),
            shape: (true, false),
        }
    }

    /// Searches both texts. A place in a line that both have counts once.
    pub fn search(&mut self, texts: &Texts<'_>, query: &str) {
        self.places.clear();
        for (number, (side, text)) in self.sides.iter_mut().zip(texts.texts).enumerate() {
            side.find = Find::new(query);
            while !side.find.step(text, &side.index) {}
            for (at, found) in side.find.found.iter().enumerate() {
                let Some(&pair) = side.pairs.get(found.line) else { continue };
                let same = self.alignment.pairs.get(pair).is_some_and(|pair| pair.kind == Kind::Same);
                if number == 0 || !same {
                    self.places.push(Match { pair, side: number, found: at });
                }
            }
        }
        self.places.sort_unstable();
    }

    /// Marks where the search is.
    pub fn stand_at(&mut self, place: usize) {
        let Some(&Match { side: number, found, .. }) = self.places.get(place) else { return };
        for (side, lines) in self.sides.iter_mut().enumerate() {
            lines.find.at = (side == number).then_some(found);
        }
    }

    /// Makes the rows anew where folds or columns have changed.
    pub fn arrange(&mut self, texts: &Texts<'_>, folded: bool, one_column: bool) {
        if !self.rows.is_empty() && self.shape == (folded, one_column) {
            return;
        }
        self.shape = (folded, one_column);
        self.rows.clear();
        let (mut at, all) = (0, self.alignment.pairs.len());
        // After the last change comes a stretch that is the same up to the end.
        for change in self.alignment.changes.iter().cloned().chain(std::iter::once(all..all)) {
            let head = if at == 0 { 0 } else { CONTEXT };
            let tail = if change.start == all { 0 } else { CONTEXT };
            let fold = (at + head).min(change.start)..change.start.saturating_sub(tail);
            if folded && fold.len() >= FOLD_AT_LEAST && !self.opened.contains(&fold.start) {
                self.rows.extend((at..fold.start).map(Row::Pair));
                self.rows.push(Row::Fold(fold.clone()));
                self.rows.extend((fold.end..change.start).map(Row::Pair));
            } else {
                self.rows.extend((at..change.start).map(Row::Pair));
            }
            if one_column {
                for side in 0..2 {
                    let has = |pair: &Pair| [pair.left, pair.right].get(side).is_some_and(Option::is_some);
                    let pairs = change.clone().filter(|pair| self.alignment.pairs.get(*pair).is_some_and(has));
                    self.rows.extend(pairs.map(|pair| Row::One(pair, side)));
                }
            } else {
                self.rows.extend(change.clone().map(Row::Pair));
            }
            at = change.end;
        }
        if one_column {
            let mut merged = self.merged.take().unwrap_or_else(|| Merged::of(texts, self));
            merged.arrange(&self.rows, self);
            self.merged = Some(merged);
        }
    }

    /// The row of a pair, or of the fold over it.
    pub fn row_of(&self, pair: usize) -> usize {
        self.rows.partition_point(|row| row.pair() <= pair).saturating_sub(1)
    }

    /// The line of a side that a pair has.
    pub fn line(&self, pair: usize, side: usize) -> Option<usize> {
        let pair = self.alignment.pairs.get(pair)?;
        if side == 0 { pair.left } else { pair.right }
    }

    pub fn side_rows(&self, side: usize) -> SideRows<'_> {
        SideRows { known: self, side }
    }

    /// The text of a side in its rows.
    pub fn document<'a>(&'a self, texts: &Texts<'a>, side: usize, rows: &'a SideRows<'a>) -> Document<'a> {
        let lines = &self.sides[side];
        Document::in_rows(texts.texts[side], &lines.index, lines.pairs.len(), rows)
    }

    /// Opens the fold that hides a pair. Returns whether there was one.
    pub fn open_fold(&mut self, pair: usize) -> bool {
        let row = self.row_of(pair);
        let Some(Row::Fold(pairs)) = self.rows.get(row).filter(|row| matches!(row, Row::Fold(p) if p.contains(&pair)))
        else {
            return false;
        };
        self.opened.insert(pairs.start);
        self.rows.clear();
        true
    }

    /// The row of a pair; a fold over it is opened.
    pub fn reveal(&mut self, texts: &Texts<'_>, pair: usize) -> usize {
        let over = |row: &Row| matches!(row, Row::Fold(pairs) if pairs.contains(&pair) && pair != 0);
        if let Some(Row::Fold(pairs)) = self.rows.iter().find(|row| over(row)) {
            self.opened.insert(pairs.start);
            self.rows.clear();
            self.arrange(texts, self.shape.0, self.shape.1);
        }
        self.rows.iter().position(|row| row.pair() >= pair).unwrap_or(0)
    }
}

impl Merged {
    fn of(texts: &Texts<'_>, known: &Known) -> Merged {
        let (mut text, mut lines) = (String::new(), Vec::new());
        let mut of_side = [Vec::new(), Vec::new()];
        let mut push = |pair: usize, side: usize| {
            let Some(line) = known.line(pair, side) else { return };
            let is_same = known.alignment.pairs.get(pair).is_some_and(|pair| pair.kind == Kind::Same);
            for (number, of_side) in of_side.iter_mut().enumerate() {
                if is_same || number == side {
                    of_side.push(lines.len());
                }
            }
            if !lines.is_empty() {
                text.push('\n');
            }
            text.push_str(known.sides[side].index.line(texts.texts[side], line));
            lines.push((pair, side));
        };
        let (mut at, all) = (0, known.alignment.pairs.len());
        for change in known.alignment.changes.iter().cloned().chain(std::iter::once(all..all)) {
            (at..change.start).for_each(|pair| push(pair, 0));
            for side in 0..2 {
                change.clone().for_each(|pair| push(pair, side));
            }
            at = change.end;
        }
        let index = Index::whole(Language::Isa, &text);
        Merged { text, index, lines, of_side, starts: Vec::new() }
    }

    /// Finds the first line of each row.
    fn arrange(&mut self, rows: &[Row], known: &Known) {
        let start = |row: &Row| {
            let (pair, side) = match row {
                Row::Pair(pair) => (*pair, 0),
                Row::One(pair, side) => (*pair, *side),
                Row::Fold(pairs) => (pairs.start, 0),
            };
            let line = known.line(pair, side);
            line.and_then(|line| self.of_side[side].get(line)).copied().unwrap_or(0)
        };
        self.starts = rows.iter().map(start).collect();
    }

    /// The text in its rows.
    pub fn document<'a>(&'a self, rows: &'a MergedRows<'a>) -> Document<'a> {
        Document::in_rows(&self.text, &self.index, self.lines.len(), rows)
    }

    pub fn rows<'a>(&'a self, rows: &'a [Row]) -> MergedRows<'a> {
        MergedRows { rows, merged: self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts_of<'a>(left: &'a str, right: &'a str) -> Texts<'a> {
        Texts { key: (1, 0), titles: ["a", "b"], texts: [left, right], language: Language::Spvasm }
    }

    fn known(left: &str, right: &str) -> Known {
        Known::of(&texts_of(left, right))
    }

    fn numbered(changed: &[usize]) -> String {
        (0..30).map(|line| if changed.contains(&line) { format!("x{line}\n") } else { format!("{line}\n") }).collect()
    }

    #[test]
    fn folds_unchanged_stretches_and_shows_every_line_once() {
        let (left, right) = (numbered(&[]), numbered(&[10, 20]));
        let mut known = known(&left, &right);
        let texts = texts_of(&left, &right);
        known.arrange(&texts, true, false);
        let folds = |known: &Known| -> Vec<_> {
            known
                .rows
                .iter()
                .filter_map(|row| if let Row::Fold(pairs) = row { Some(pairs.clone()) } else { None })
                .collect()
        };
        // Each change is a line that is gone and one that is new.
        assert_eq!(
            folds(&known),
            [0..7, 15..18, 26..32].into_iter().filter(|fold| fold.len() >= FOLD_AT_LEAST).collect::<Vec<_>>()
        );
        let row = known.reveal(&texts, 28);
        assert_eq!(known.rows[row], Row::Pair(28));
        assert_eq!(folds(&known), std::slice::from_ref(&(0..7)));
        known.arrange(&texts, false, false);
        assert_eq!(known.rows, (0..32).map(Row::Pair).collect::<Vec<_>>());
        known.arrange(&texts, false, true);
        let one: Vec<_> = known.rows.iter().filter(|row| matches!(row, Row::One(..))).cloned().collect();
        assert_eq!(one, [Row::One(10, 0), Row::One(11, 1), Row::One(21, 0), Row::One(22, 1)]);
    }

    #[test]
    fn texts_without_a_change_are_one_fold() {
        let text = numbered(&[]);
        let mut known = known(&text, &text);
        known.arrange(&texts_of(&text, &text), true, false);
        assert_eq!(known.rows, [Row::Fold(0..30)]);
    }

    #[test]
    fn counts_a_match_in_both_texts_once() {
        let (left, right) = ("OpName %a\nOpLoad %a\n", "OpName %a\nOpStore %a\n");
        let mut known = known(left, right);
        let texts = Texts { key: (1, 0), titles: ["a", "b"], texts: [left, right], language: Language::Spvasm };
        known.search(&texts, "%A");
        let places: Vec<_> = known.places.iter().map(|is| (is.pair, is.side, is.found)).collect();
        assert_eq!(places, [(0, 0, 0), (1, 0, 1), (1, 1, 1)]);
    }

    #[test]
    fn rows_and_lines_lead_to_each_other() {
        let (left, right) = (numbered(&[]), numbered(&[10, 20]));
        let texts = texts_of(&left, &right);
        let mut known = known(&left, &right);
        for (folded, one_column) in [(false, false), (true, false), (false, true), (true, true)] {
            known.arrange(&texts, folded, one_column);
            let check = |document: Document<'_>| {
                assert!(document.lines() >= 30);
                for line in 0..document.lines() {
                    let row = document.row_of(line);
                    match document.line_at(row) {
                        Some(shown) => assert_eq!(shown, line, "{folded} {one_column}"),
                        None => assert!(folded && matches!(known.rows[row], Row::Fold(_)), "line {line}"),
                    }
                }
            };
            if one_column {
                let merged = known.merged.as_ref().expect("it is arranged");
                assert_eq!(merged.text.lines().count(), 32, "both versions of the lines that differ");
                check(merged.document(&merged.rows(&known.rows)));
            } else {
                (0..2).for_each(|side| check(known.document(&texts, side, &known.side_rows(side))));
            }
        }
    }
}
