//! Two texts side by side, line beside line: what changed is marked, what did not is folded away.
//!
//! [`DiffPane`] is what a tab keeps; [`Texts`] is what it shows in a frame. In a narrow tab both texts share a column.

mod align;
mod lines;

use std::collections::BTreeSet;
use std::ops::Range;

use egui::{Button, Key, RichText, ScrollArea, TextStyle, Ui};
use lanescope_inspector::command::Command;
use lanescope_inspector::source::Language;
use lanescope_inspector::view::Ask;

pub use align::{Alignment, Kind, PATIENCE, Pair, parts, unified};
use lines::Look;

use lanescope_core::text_format::counted;

use crate::context::ViewCx;
use crate::source::find::{FOUND_AT_MOST, Find};
use crate::source::highlight::{Highlighter, LINE_AT_MOST};
use crate::source::index::Index;
use crate::table::{Search, call, quiet_cell};

/// Below this width both texts share a column.
const NARROW: f32 = 640.0;
/// Unchanged lines that stay around a change.
const CONTEXT: usize = 3;
/// Fewer unchanged lines than this are not worth a fold.
const FOLD_AT_LEAST: usize = 4;

/// What two texts are shown from, in one frame.
#[derive(Debug, Clone, Copy)]
pub struct Texts<'a> {
    /// Names both texts; the pane keeps what it knows of them while this stays the same.
    pub key: (u64, usize),
    /// Names: `original`, `rewritten`.
    pub titles: [&'a str; 2],
    /// The texts.
    pub texts: [&'a str; 2],
    /// Their language.
    pub language: Language,
}

/// How two texts are looked at. Kept by a view between frames.
#[derive(Debug)]
pub struct DiffPane {
    /// Unchanged stretches are folded away.
    folded: bool,
    search: Search,
    known: Option<Known>,
    /// The change, as index of the alignment's, that was gone to last.
    change: Option<usize>,
    /// The place, as index of [`Known::places`], where the search is.
    place: Option<usize>,
    /// The pair that the next frame scrolls to.
    wanted: Option<usize>,
    visible: Range<usize>,
    height: f32,
}

/// Known facts about the texts that are shown.
#[derive(Debug)]
struct Known {
    key: (u64, usize),
    sides: [Lines; 2],
    alignment: Alignment,
    /// Folds, by the first pair in them, that were opened.
    opened: BTreeSet<usize>,
    /// Where the search found something: the pair, the side, the index of that side's places.
    places: Vec<(usize, usize, usize)>,
    rows: Vec<Row>,
    /// What `rows` was made for: folded, in one column.
    shape: (bool, bool),
}

/// Known facts about one text.
#[derive(Debug)]
struct Lines {
    index: Index,
    highlighter: Highlighter,
    find: Find,
    /// The pair of each line.
    pairs: Vec<usize>,
}

/// One row of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Row {
    /// A pair, side by side, or the same in both.
    Pair(usize),
    /// One side of a pair, in one column.
    One(usize, usize),
    /// Pairs that are folded away.
    Fold(Range<usize>),
}

impl Default for DiffPane {
    fn default() -> Self {
        DiffPane {
            folded: true,
            search: Search::default(),
            known: None,
            change: None,
            place: None,
            wanted: None,
            visible: 0..0,
            height: 0.0,
        }
    }
}

impl DiffPane {
    /// Draws the texts below a row of controls, in the space that is left.
    pub fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, texts: &Texts<'_>, commands: &mut Vec<Command>) {
        let mut known = self.known.take().filter(|known| known.key == texts.key).unwrap_or_else(|| {
            (self.change, self.place, self.wanted) = (None, None, Some(0));
            Known::of(texts)
        });
        if known.sides[0].find.query != self.search.text {
            self.place = None;
            known.search(texts, &self.search.text);
        }
        self.toolbar(ui, cx, texts, &mut known, commands);
        known.arrange(self.folded, ui.available_width() < NARROW);
        if !self.rows(ui, texts, &mut known) {
            ui.ctx().request_repaint();
        }
        self.known = Some(known);
    }

    fn toolbar(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        texts: &Texts<'_>,
        known: &mut Known,
        commands: &mut Vec<Command>,
    ) {
        ui.horizontal_wrapped(|ui| {
            self.changes(ui, cx, known);
            ui.separator();
            self.searching(ui, cx, known);
            ui.separator();
            let hint = "Show only changes, with a few lines of context";
            if ui.toggle_value(&mut self.folded, "Fold unchanged").on_hover_text(hint).changed() {
                known.opened.clear();
                self.wanted = self.first_visible(known);
            }
            let mut copy =
                cx.asked(Ask::CopyTable).then(|| unified(texts.titles, texts.texts[0], texts.texts[1], PATIENCE));
            ui.menu_button("Copy", |ui| {
                if ui.button("Difference").on_hover_text("Copy as a unified diff").clicked() {
                    copy = Some(unified(texts.titles, texts.texts[0], texts.texts[1], PATIENCE));
                    ui.close();
                }
                for (title, text) in texts.titles.iter().zip(texts.texts) {
                    if ui.button(format!("Whole text: {title}")).clicked() {
                        copy = Some(text.to_owned());
                        ui.close();
                    }
                }
            });
            commands.extend(copy.map(Command::Copy));
        });
    }

    /// From change to change.
    fn changes(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, known: &mut Known) {
        let count = known.alignment.changes.len();
        let button = |ui: &mut Ui, sign: &str, name: &'static str, keys: &str| {
            let response = ui.add_enabled(count > 0, Button::new(RichText::new(sign).monospace()));
            call(&response, name);
            response.on_hover_text(format!("{name} ({keys})")).clicked()
        };
        let back = button(ui, "▲", "Previous change", "Shift+F8") || cx.asked(Ask::PreviousChange);
        let on = button(ui, "▼", "Next change", "F8") || cx.asked(Ask::NextChange);
        if count > 0 && (back || on) {
            let at = match self.change {
                Some(at) if on => (at + 1) % count,
                Some(at) => at.checked_sub(1).unwrap_or(count - 1),
                None if on => 0,
                None => count - 1,
            };
            self.change = Some(at);
            self.wanted = known.alignment.changes.get(at).map(|change| change.start);
        }
        ui.label(match self.change {
            Some(at) => format!("change {} of {count}", at + 1),
            None if count == 0 => "no line differs".to_owned(),
            None => counted(count, "change"),
        });
        if count > 0 {
            let of = |kind| known.alignment.count(kind);
            let text = format!("~{}  −{}  +{}", of(Kind::Changed), of(Kind::Removed), of(Kind::Added));
            quiet_cell(ui, RichText::new(text).monospace()).on_hover_text("Lines changed, removed, added");
        }
    }

    fn searching(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, known: &mut Known) {
        let field = self.search.ui(ui, cx, "Search both", 160.0);
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let count = known.places.len();
        if entered {
            field.request_focus();
        }
        if entered && count > 0 {
            let back = ui.input(|input| input.modifiers.shift);
            let at = match self.place {
                Some(at) if back => at.checked_sub(1).unwrap_or(count - 1),
                Some(at) => (at + 1) % count,
                None if back => count - 1,
                None => {
                    let here = self.first_visible(known).unwrap_or(0);
                    known.places.partition_point(|(pair, ..)| *pair < here) % count
                }
            };
            self.place = Some(at);
            known.stand_at(at);
            self.wanted = known.places.get(at).map(|(pair, ..)| *pair);
        }
        if !self.search.text.is_empty() {
            let more = if count >= FOUND_AT_MOST { "+" } else { "" };
            ui.label(match self.place {
                Some(at) => format!("{} of {count}{more}", at + 1),
                None if count == 0 => "no match".to_owned(),
                None => format!("{count}{more} found"),
            })
            .on_hover_text("Enter: next match, Shift+Enter: previous match");
        }
    }

    /// The first pair in view.
    fn first_visible(&self, known: &Known) -> Option<usize> {
        known.rows.get(self.visible.start).map(Row::pair)
    }

    /// Draws the rows in view. Returns whether all of them are highlighted.
    fn rows(&mut self, ui: &mut Ui, texts: &Texts<'_>, known: &mut Known) -> bool {
        let font = TextStyle::Monospace.resolve(ui.style());
        let (height, glyph) = ui.fonts_mut(|fonts| (fonts.row_height(&font), fonts.glyph_width(&font, '0')));
        let most = known.sides.iter().map(|side| side.index.lines()).max().unwrap_or(0);
        let digits = most.to_string().len().max(3);
        let one_column = known.shape.1;
        let numbers = if one_column { 2 * digits + 1 } else { digits };
        let gutter = (numbers as f32 + 3.5) * glyph;
        let longest = known.sides.iter().map(|side| side.index.longest().min(LINE_AT_MOST)).max().unwrap_or(0);
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = ScrollArea::both().id_salt("diff").auto_shrink(false);
        if let Some(row) = self.wanted.take().map(|pair| known.reveal(pair)) {
            let above = (self.height / height / 3.0).floor().max(0.0);
            area = area.vertical_scroll_offset((row as f32 - above).max(0.0) * height);
        }
        let current = self.change.and_then(|at| known.alignment.changes.get(at)).cloned();
        let look = Look { font, gutter, height, digits, one_column, current };
        let mut whole = true;
        for side in &mut known.sides {
            side.highlighter.begin_frame();
        }
        let mut open = None;
        let width = ui.available_width();
        let output = area.show_rows(ui, height, known.rows.len(), |ui, range| {
            // Both halves stay where they are; what they show of their lines is scrolled, in step.
            let half = if one_column { width } else { width / 2.0 };
            let beyond = (gutter + (longest as f32 + 4.0) * glyph - half).max(0.0);
            ui.set_min_width(ui.clip_rect().width().min(width) + beyond);
            for at in range.clone() {
                let top = ui.max_rect().top() + (at - range.start) as f32 * height;
                let Some(row) = known.rows.get(at).cloned() else { continue };
                match row {
                    Row::Fold(pairs) => {
                        if look.fold(ui, pairs.len(), (at, top)) {
                            open = Some(pairs.start);
                        }
                    }
                    row => whole &= look.row(ui, texts, known, &row, top),
                }
            }
            range
        });
        self.visible = output.inner;
        self.height = output.inner_rect.height();
        if let Some(fold) = open {
            known.opened.insert(fold);
            known.rows.clear();
            ui.ctx().request_repaint();
        }
        whole
    }
}

impl Row {
    /// Its first pair.
    fn pair(&self) -> usize {
        match self {
            Row::Pair(pair) | Row::One(pair, _) => *pair,
            Row::Fold(pairs) => pairs.start,
        }
    }
}

impl Known {
    fn of(texts: &Texts<'_>) -> Known {
        let [left, right] = texts.texts.map(|text| {
            let mut index = Index::new(texts.language);
            while !index.step(text) {}
            index
        });
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
        Known {
            key: texts.key,
            sides,
            alignment,
            opened: BTreeSet::new(),
            places: Vec::new(),
            rows: Vec::new(),
            shape: (true, false),
        }
    }

    /// Searches both texts. A place in a line that both have counts once.
    fn search(&mut self, texts: &Texts<'_>, query: &str) {
        self.places.clear();
        for (number, (side, text)) in self.sides.iter_mut().zip(texts.texts).enumerate() {
            side.find = Find::new(query);
            while !side.find.step(text, &side.index) {}
            for (at, found) in side.find.found.iter().enumerate() {
                let Some(&pair) = side.pairs.get(found.line) else { continue };
                let same = self.alignment.pairs.get(pair).is_some_and(|pair| pair.kind == Kind::Same);
                if number == 0 || !same {
                    self.places.push((pair, number, at));
                }
            }
        }
        self.places.sort_unstable();
    }

    /// Marks where the search is.
    fn stand_at(&mut self, place: usize) {
        let Some(&(_, number, found)) = self.places.get(place) else { return };
        for (side, lines) in self.sides.iter_mut().enumerate() {
            lines.find.at = (side == number).then_some(found);
        }
    }

    /// Makes the rows anew where folds or columns have changed.
    fn arrange(&mut self, folded: bool, one_column: bool) {
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
    }

    /// The row of a pair; a fold over it is opened.
    fn reveal(&mut self, pair: usize) -> usize {
        let over = |row: &Row| matches!(row, Row::Fold(pairs) if pairs.contains(&pair) && pair != 0);
        if let Some(Row::Fold(pairs)) = self.rows.iter().find(|row| over(row)) {
            self.opened.insert(pairs.start);
            self.rows.clear();
            self.arrange(self.shape.0, self.shape.1);
        }
        self.rows.iter().position(|row| row.pair() >= pair).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(left: &str, right: &str) -> Known {
        Known::of(&Texts { key: (1, 0), titles: ["a", "b"], texts: [left, right], language: Language::Spvasm })
    }

    fn numbered(changed: &[usize]) -> String {
        (0..30).map(|line| if changed.contains(&line) { format!("x{line}\n") } else { format!("{line}\n") }).collect()
    }

    #[test]
    fn folds_unchanged_stretches_and_shows_every_line_once() {
        let mut known = known(&numbered(&[]), &numbered(&[10, 20]));
        known.arrange(true, false);
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
        let row = known.reveal(28);
        assert_eq!(known.rows[row], Row::Pair(28));
        assert_eq!(folds(&known), std::slice::from_ref(&(0..7)));
        known.arrange(false, false);
        assert_eq!(known.rows, (0..32).map(Row::Pair).collect::<Vec<_>>());
        known.arrange(false, true);
        let one: Vec<_> = known.rows.iter().filter(|row| matches!(row, Row::One(..))).cloned().collect();
        assert_eq!(one, [Row::One(10, 0), Row::One(11, 1), Row::One(21, 0), Row::One(22, 1)]);
    }

    #[test]
    fn texts_without_a_change_are_one_fold() {
        let mut known = known(&numbered(&[]), &numbered(&[]));
        known.arrange(true, false);
        assert_eq!(known.rows, [Row::Fold(0..30)]);
    }

    #[test]
    fn counts_a_match_in_both_texts_once() {
        let (left, right) = ("OpName %a\nOpLoad %a\n", "OpName %a\nOpStore %a\n");
        let mut known = known(left, right);
        let texts = Texts { key: (1, 0), titles: ["a", "b"], texts: [left, right], language: Language::Spvasm };
        known.search(&texts, "%A");
        assert_eq!(known.places, [(0, 0, 0), (1, 0, 1), (1, 1, 1)]);
    }
}
