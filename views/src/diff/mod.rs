//! Two texts side by side, line beside line: what changed is marked, what did not is folded away.
//!
//! [`DiffPane`] is what a tab keeps; [`Texts`] is what it shows in a frame. In a narrow tab both texts share a column.

mod known;
mod lines;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use egui::{Button, Id, RichText, Ui};
use lanescope_inspector::command::Command;
use lanescope_inspector::source::Language;
use lanescope_inspector::view::Ask;

use known::{Known, Match, Row};
pub use lanescope_pictures::align::{Alignment, Kind, PATIENCE, Pair, parts, unified};
use lines::Lines;

use lanescope_core::text_format::counted;

use crate::context::ViewCx;
use crate::table::{call, cell, quiet_cell};
use crate::text::area::{Column, Reply, Viewport};
use crate::text::caret::{Caret, Position};
use crate::text::document::Document;
use crate::text::measure::{Measure, digits};
use crate::text::reader::{place, row, with_row_below};
use crate::text::search::{SearchBar, Status, Wish};
use crate::text::state::{Kept, TextState};
use crate::text::strip::{Mark, StripMarks, TakeMark};

/// Below this width both texts share a column.
const NARROW: f32 = 640.0;
/// Below these widths the controls have two and three rows.
const TWO_ROWS: f32 = 860.0;
const THREE_ROWS: f32 = 500.0;
/// Widths of the number of changes and of the numbers of lines, in points.
const CHANGES_WIDTH: f32 = 110.0;
const LINES_WIDTH: f32 = 120.0;

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
    bar: SearchBar,
    known: Option<Known>,
    /// The change, as index of the alignment's, that was gone to last.
    change: Option<usize>,
    /// The place, as index of [`Known::places`], where the search is.
    place: Option<usize>,
    /// The pair that the next frame scrolls to.
    wanted: Option<usize>,
    view: Viewport,
    /// The first text, the second one, and both in one column.
    states: [TextState; 3],
    kept: [Kept; 3],
    /// Which of them had the keyboard last.
    active: usize,
}

/// The state of both texts in one column.
const MERGED: usize = 2;

impl Default for DiffPane {
    fn default() -> Self {
        DiffPane {
            folded: true,
            bar: SearchBar::default(),
            known: None,
            change: None,
            place: None,
            wanted: None,
            view: Viewport::default(),
            states: Default::default(),
            kept: Default::default(),
            active: 1,
        }
    }
}

impl DiffPane {
    /// Draws the texts below a row of controls, in the space that is left.
    pub fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, texts: &Texts<'_>, commands: &mut Vec<Command>) {
        let name = format!("{}\n{}\n{}", texts.titles[0], texts.titles[1], texts.key.1);
        for (kept, state) in self.kept.iter_mut().zip(&mut self.states) {
            kept.switch(state, cx.program, &name);
        }
        let mut known = self.known.take().filter(|known| known.key == texts.key).unwrap_or_else(|| {
            (self.change, self.place, self.wanted) = (None, None, Some(0));
            Known::of(texts)
        });
        if known.sides[0].find.query != self.bar.query {
            self.place = None;
            known.search(texts, &self.bar.query);
        }
        let one_column = ui.available_width() < NARROW;
        known.arrange(texts, self.folded, one_column);
        self.active = match (one_column, self.active) {
            (true, _) => MERGED,
            (false, MERGED) => 1,
            (false, active) => active,
        };
        let ids = [0, 1, MERGED].map(|number: usize| ui.scope_id().with(("text", number)));
        let focused = ids.iter().position(|id| ui.memory(|memory| memory.has_focus(*id)));
        self.active = focused.unwrap_or(self.active);
        self.toolbar(ui, cx, texts, &mut known, ids, commands);
        known.arrange(texts, self.folded, one_column);
        self.bookmarks(cx, texts, &known);
        if let Some(pair) = self.wanted.take() {
            self.view.wanted = Some(known.reveal(texts, pair));
        }
        let draw =
            |(pane, known): &mut (&mut DiffPane, Known), ui: &mut Ui| pane.texts(ui, texts, known, ids, commands);
        let mut both = (self, known);
        let unfinished = with_row_below(ui, &mut both, draw, |(pane, known), ui| {
            pane.with_document(texts, known, |document, state| place(ui, state, &document));
        });
        let (pane, known) = both;
        if unfinished {
            ui.ctx().request_repaint();
        }
        pane.known = Some(known);
    }

    /// Forgets the texts of a program that was closed.
    pub fn forget(&mut self, program: u64) {
        for (kept, state) in self.kept.iter_mut().zip(&mut self.states) {
            kept.forget(state, program);
        }
    }

    fn toolbar(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        texts: &Texts<'_>,
        known: &mut Known,
        ids: [Id; 3],
        commands: &mut Vec<Command>,
    ) {
        let width = ui.available_width();
        let wishes = if width < THREE_ROWS {
            row(ui, |ui| self.changes(ui, cx, known));
            row(ui, |ui| self.folds_and_copies(ui, cx, texts, known, commands));
            row(ui, |ui| self.search(ui, cx, known, ids))
        } else if width < TWO_ROWS {
            row(ui, |ui| {
                self.changes(ui, cx, known);
                ui.separator();
                self.folds_and_copies(ui, cx, texts, known, commands);
            });
            row(ui, |ui| self.search(ui, cx, known, ids))
        } else {
            row(ui, |ui| {
                self.changes(ui, cx, known);
                ui.separator();
                let wishes = self.search(ui, cx, known, ids);
                ui.separator();
                self.folds_and_copies(ui, cx, texts, known, commands);
                wishes
            })
        };
        for wish in wishes {
            self.carry_out(ui, texts, known, ids, &wish);
        }
    }

    fn folds_and_copies(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        texts: &Texts<'_>,
        known: &mut Known,
        commands: &mut Vec<Command>,
    ) {
        let hint = "Show only changes, with a few lines of context";
        if ui.toggle_value(&mut self.folded, "Fold unchanged").on_hover_text(hint).changed() {
            known.opened.clear();
            self.wanted = known.rows.get(self.view.visible.start).map(Row::pair);
        }
        let patch = || unified(texts.titles, texts.texts[0], texts.texts[1], PATIENCE);
        let mut copy = cx.asked(Ask::CopyTable).then(patch);
        ui.menu_button("Copy", |ui| {
            if ui.button("Difference").on_hover_text("Copy as a unified diff").clicked() {
                copy = Some(patch());
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
    }

    /// From change to change.
    fn changes(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, known: &Known) {
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
        in_room(ui, CHANGES_WIDTH, |ui| {
            cell(
                ui,
                match self.change {
                    Some(at) => format!("change {} of {count}", at + 1),
                    None if count == 0 => "no line differs".to_owned(),
                    None => counted(count, "change"),
                },
            );
        });
        in_room(ui, LINES_WIDTH, |ui| {
            if count > 0 {
                let [changed, removed, added] = known.counts;
                let text = format!("~{changed}  −{removed}  +{added}");
                quiet_cell(ui, RichText::new(text).monospace()).on_hover_text("Lines changed, removed, added");
            }
        });
    }

    fn search(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, known: &Known, ids: [Id; 3]) -> Vec<Wish> {
        let has_keys = ui.memory(|memory| ids.iter().any(|id| memory.has_focus(*id)));
        let status = Status { count: known.places.len(), at: self.place, done: true, has_keys };
        self.bar.ui(ui, cx, "Search both", status)
    }

    fn carry_out(&mut self, ui: &Ui, texts: &Texts<'_>, known: &mut Known, ids: [Id; 3], wish: &Wish) {
        match wish {
            Wish::Search => {
                known.search(texts, &self.bar.query);
                self.place = None;
                let start = self.states[self.active].caret.range().start;
                self.go_to_match(known, false, start);
            }
            Wish::Match { back } => {
                let start = self.states[self.active].caret.range().start;
                self.go_to_match(known, *back, start);
            }
            Wish::Line(line) => {
                let line = self.line_of(known, *line);
                self.with_document(texts, known, |document, state| state.go_to_line(&document, line));
                self.wanted = pair_of(known, self.active, self.states[self.active].caret.head.line);
                ui.memory_mut(|memory| memory.request_focus(ids[self.active]));
            }
            Wish::Leave => ui.memory_mut(|memory| memory.request_focus(ids[self.active])),
            Wish::Close => {}
        }
    }

    /// The line of the active text for a line's number. In one column numbers are those of the second text.
    fn line_of(&self, known: &Known, line: usize) -> usize {
        let merged = known.merged.as_ref().filter(|_| self.active == MERGED);
        let of = merged.and_then(|merged| merged.of_side.iter().rev().find(|lines| !lines.is_empty()));
        of.and_then(|lines| lines.get(line).or(lines.last())).copied().unwrap_or(line)
    }

    /// Goes to the next match, or to the one before; from nowhere to the first one after a place of the active text.
    fn go_to_match(&mut self, known: &mut Known, back: bool, from: Position) {
        let count = known.places.len();
        if count == 0 {
            return;
        }
        let pair = pair_of(known, self.active, from.line).unwrap_or(0);
        let here = known.places.partition_point(|place| {
            let found = known.sides[place.side].find.found.get(place.found);
            (place.pair, found.map_or(0, |found| found.range.start)) < (pair, from.byte)
        });
        let at = match self.place {
            Some(at) if back => at.checked_sub(1).unwrap_or(count - 1),
            Some(at) => (at + 1) % count,
            None if back => here.checked_sub(1).unwrap_or(count - 1),
            None => here % count,
        };
        self.place = Some(at);
        known.stand_at(at);
        let Some(&Match { pair, side, found }) = known.places.get(at) else { return };
        let Some(found) = known.sides[side].find.found.get(found) else { return };
        let merged = known.merged.as_ref().filter(|_| self.active == MERGED);
        let line = merged.map_or(Some(found.line), |merged| merged.of_side[side].get(found.line).copied());
        if self.active != MERGED {
            self.active = side;
        }
        if let Some(line) = line {
            let place = |byte| Position::new(line, byte);
            self.states[self.active].place(Caret::over(place(found.range.start)..place(found.range.end)));
        }
        let seen = self.view.visible.contains(&(known.row_of(pair) + 1));
        let is_folded = matches!(known.rows.get(known.row_of(pair)), Some(Row::Fold(_)));
        if is_folded || !seen {
            self.wanted = Some(pair);
        }
        self.view.follow = Some(self.column());
    }

    /// The column of the active text.
    fn column(&self) -> usize {
        if self.active == MERGED { 0 } else { self.active }
    }

    fn bookmarks(&mut self, cx: &ViewCx<'_>, texts: &Texts<'_>, known: &Known) {
        if cx.asked(Ask::ToggleBookmark) {
            let line = self.states[self.active].caret.head.line;
            self.states[self.active].toggle_bookmark(line);
        }
        let back = cx.asked(Ask::PreviousBookmark);
        if let Some(line) =
            (back || cx.asked(Ask::NextBookmark)).then(|| self.states[self.active].bookmark(back)).flatten()
        {
            self.with_document(texts, known, |document, state| state.go_to_line(&document, line));
            self.wanted = pair_of(known, self.active, line);
        }
    }

    /// Calls with the active text and its state.
    fn with_document<R>(
        &mut self,
        texts: &Texts<'_>,
        known: &Known,
        run: impl FnOnce(Document<'_>, &mut TextState) -> R,
    ) -> Option<R> {
        let state = self.states.get_mut(self.active)?;
        if self.active == MERGED {
            let merged = known.merged.as_ref()?;
            return Some(run(merged.document(&merged.rows(&known.rows)), state));
        }
        let rows = known.side_rows(self.active);
        Some(run(known.document(texts, self.active, &rows), state))
    }

    /// Draws the rows in view. Returns whether some are not highlighted yet.
    fn texts(
        &mut self,
        ui: &mut Ui,
        texts: &Texts<'_>,
        known: &mut Known,
        ids: [Id; 3],
        commands: &mut Vec<Command>,
    ) -> bool {
        let measure = Measure::of(ui);
        let most = known.sides.iter().map(|side| side.index.lines()).max().unwrap_or(0);
        let digits = digits(most);
        let one_column = known.shape.1;
        let numbers = if one_column { 2 * digits + 1 } else { digits };
        let gutter = (numbers as f32 + 3.5) * measure.glyph;
        let mut highlighters = [0, 1].map(|side: usize| std::mem::take(&mut known.sides[side].highlighter));
        for highlighter in &mut highlighters {
            highlighter.begin_frame();
        }
        let current = self.change.and_then(|at| known.alignment.changes.get(at)).cloned();
        let reply = {
            let known: &Known = known;
            let mut lines = Lines {
                texts,
                known,
                highlighters: &mut highlighters,
                measure: &measure,
                gutter,
                digits,
                current,
                open: None,
            };
            let [first, second, merged_state] = &mut self.states;
            let name = |side: usize| format!("Text of {}", texts.titles[side]);
            let focused = |id: Id| ui.memory(|memory| memory.has_focus(id));
            let caret_row = |document: &Document<'_>, state: &TextState, id: Id| {
                focused(id).then(|| document.row_of(state.caret.head.line))
            };
            let key = strip_key(known, self.place, [first, second, merged_state]);
            let reply = match known.merged.as_ref().filter(|_| one_column) {
                Some(merged) => {
                    let rows = merged.rows(&known.rows);
                    let document = merged.document(&rows);
                    let caret = caret_row(&document, merged_state, ids[MERGED]);
                    let bookmarks: Vec<usize> =
                        merged_state.bookmarks.iter().map(|line| document.row_of(*line)).collect();
                    let each = strip_marks(known, self.place, &bookmarks);
                    let marks = StripMarks { key, each: &each, caret };
                    let name = format!("{} and {}", name(0), texts.titles[1]);
                    let column = Column { state: merged_state, document, id: ids[MERGED], name };
                    self.view.show(ui, &mut [column], gutter, &marks, &mut lines)
                }
                None => {
                    let rows = [known.side_rows(0), known.side_rows(1)];
                    let documents = [known.document(texts, 0, &rows[0]), known.document(texts, 1, &rows[1])];
                    let caret = caret_row(&documents[0], first, ids[0]).or(caret_row(&documents[1], second, ids[1]));
                    let of = |document: &Document<'_>, state: &TextState| -> Vec<usize> {
                        state.bookmarks.iter().map(|line| document.row_of(*line)).collect()
                    };
                    let mut bookmarks = of(&documents[0], first);
                    bookmarks.extend(of(&documents[1], second));
                    let each = strip_marks(known, self.place, &bookmarks);
                    let marks = StripMarks { key, each: &each, caret };
                    let [left, right] = documents;
                    let mut columns = [
                        Column { state: first, document: left, id: ids[0], name: name(0) },
                        Column { state: second, document: right, id: ids[1], name: name(1) },
                    ];
                    self.view.show(ui, &mut columns, gutter, &marks, &mut lines)
                }
            };
            (reply, lines.open)
        };
        for (side, highlighter) in known.sides.iter_mut().zip(highlighters) {
            side.highlighter = highlighter;
        }
        let (reply, open) = reply;
        if reply.moved {
            self.place = None;
            known.sides.iter_mut().for_each(|side| side.find.at = None);
        }
        self.folds(ui, known, &reply, open);
        commands.extend(reply.copy.map(Command::Copy));
        if let Some(action) = reply.menu {
            self.bar.request(action);
            ui.ctx().request_repaint();
        }
        reply.unfinished
    }

    /// Opens the fold that was clicked, the one that the caret went into, or with Enter the one beside the caret.
    fn folds(&mut self, ui: &Ui, known: &mut Known, reply: &Reply, clicked: Option<usize>) {
        let head = pair_of(known, self.active, self.states[self.active].caret.head.line);
        let beside = reply.entered.and(head).and_then(|pair| {
            let row = known.row_of(pair);
            let fold = |row: usize| match known.rows.get(row) {
                Some(Row::Fold(pairs)) => Some(pairs.start),
                _ => None,
            };
            fold(row + 1).or_else(|| fold(row.checked_sub(1)?))
        });
        for pair in [clicked, beside, head.filter(|_| reply.moved)].into_iter().flatten() {
            if known.open_fold(pair) {
                if clicked.is_none() {
                    self.view.follow = Some(self.column());
                }
                ui.ctx().request_repaint();
                return;
            }
        }
    }
}

/// The pair of a line of a text.
fn pair_of(known: &Known, text: usize, line: usize) -> Option<usize> {
    if text == MERGED {
        return known.merged.as_ref()?.lines.get(line).map(|(pair, _)| *pair);
    }
    known.sides.get(text)?.pairs.get(line).copied()
}

/// Names the marks of the strip.
fn strip_key(known: &Known, place: Option<usize>, states: [&TextState; 3]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (known.key, known.rows.len(), known.places.len(), &known.sides[0].find.query, place).hash(&mut hasher);
    states.map(|state| &state.bookmarks).hash(&mut hasher);
    hasher.finish()
}

/// The marks of the strip: changes, matches, bookmarks by their rows.
fn strip_marks<'a>(known: &'a Known, place: Option<usize>, bookmarks: &'a [usize]) -> impl Fn(&mut TakeMark<'_>) + 'a {
    move |mark| {
        for change in &known.alignment.changes {
            (known.row_of(change.start)..known.row_of(change.end.max(1) - 1) + 1)
                .for_each(|row| mark(row, Mark::Change));
        }
        for (at, found) in known.places.iter().enumerate() {
            mark(known.row_of(found.pair), if place == Some(at) { Mark::Here } else { Mark::Match });
        }
        bookmarks.iter().for_each(|row| mark(*row, Mark::Bookmark));
    }
}

/// Draws something in room of a width that does not depend on it.
fn in_room(ui: &mut Ui, width: f32, contents: impl FnOnce(&mut Ui)) {
    let size = egui::vec2(width.min(ui.available_width()).max(0.0), ui.spacing().interact_size.y);
    ui.allocate_ui(size, |ui| {
        ui.set_width(size.x);
        contents(ui);
    });
}
