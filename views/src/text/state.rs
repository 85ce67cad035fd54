//! The caret of one text, its bookmarks, and what the pointer is selecting: what is kept of a text that is not shown.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use egui::Pos2;

use super::caret::{Caret, Position};
use super::document::Document;
use super::movement::{Motion, column, moved, whole_line, word_at};

/// What is kept of a text.
#[derive(Debug, Default, Clone)]
pub(crate) struct TextState {
    pub caret: Caret,
    /// Lines with a bookmark.
    pub bookmarks: BTreeSet<usize>,
    pub menu_line: usize,
    /// The column that vertical movements keep.
    goal: Option<usize>,
    drag: Option<Drag>,
    press: Option<Press>,
    /// The selection that the system knows as the primary one.
    settled: Caret,
}

/// A selection that the pointer makes.
#[derive(Debug, Clone)]
struct Drag {
    unit: Unit,
    /// What the press selected: always part of the selection.
    origin: Range<Position>,
}

/// The unit of a selection by pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Character,
    Word,
    Line,
}

/// The last press of the pointer.
#[derive(Debug, Clone, Copy)]
struct Press {
    time: f64,
    at: Pos2,
    count: usize,
}

/// Seconds within which presses count as one double click.
const DOUBLE_CLICK: f64 = 0.35;
/// How far from each other presses of one double click are, in points.
const DOUBLE_CLICK_DISTANCE: f32 = 6.0;

impl TextState {
    /// Moves the caret.
    pub fn carry_out(&mut self, document: &Document<'_>, motion: Motion, extend: bool) {
        let range = self.caret.range();
        let head = document.clamp(self.caret.head);
        // Left and right leave a selection at its ends.
        if !extend && !self.caret.is_empty() && matches!(motion, Motion::Left | Motion::Right) {
            let end = if motion == Motion::Left { range.start } else { range.end };
            self.place(Caret::at(document.clamp(end)));
            return;
        }
        let goal = self.goal.unwrap_or_else(|| column(document.line(head.line), head.byte));
        let to = moved(document, head, motion, goal);
        self.caret = self.caret.moved(to, extend);
        self.goal = motion.is_vertical().then_some(goal);
    }

    /// Puts the caret somewhere.
    pub fn place(&mut self, caret: Caret) {
        (self.caret, self.goal) = (caret, None);
    }

    /// Goes to the beginning of a line; of the nearest one if it does not exist.
    pub fn go_to_line(&mut self, document: &Document<'_>, line: usize) {
        let line = line.min(document.lines().saturating_sub(1));
        self.place(Caret::at(Position::new(line, 0)));
    }

    /// Selects the whole text.
    pub fn select_all(&mut self, document: &Document<'_>) {
        self.place(Caret::over(Position::default()..document.end()));
    }

    /// Keeps the caret where the text is, after the text has changed.
    pub fn clamp(&mut self, document: &Document<'_>) {
        self.caret = Caret { anchor: document.clamp(self.caret.anchor), head: document.clamp(self.caret.head) };
    }

    /// Begins a selection by pointer: of a character, a word or a line by the number of clicks; `extend` continues the
    /// one that exists.
    pub fn press(&mut self, document: &Document<'_>, to: Position, (time, at): (f64, Pos2), extend: bool) {
        let again = self.press.filter(|last| {
            time - last.time <= DOUBLE_CLICK && last.at.distance(at) <= DOUBLE_CLICK_DISTANCE && !extend
        });
        let count = again.map_or(0, |last| last.count) % 3 + 1;
        self.press = Some(Press { time, at, count });
        let unit = [Unit::Character, Unit::Word, Unit::Line][count - 1];
        if extend {
            self.place(self.caret.moved(to, true));
            self.drag = Some(Drag { unit, origin: self.caret.anchor..self.caret.anchor });
        } else {
            let origin = unit.around(document, to);
            self.place(Caret::over(origin.clone()));
            self.drag = Some(Drag { unit, origin });
        }
    }

    /// Continues a selection by pointer.
    pub fn drag(&mut self, document: &Document<'_>, to: Position) {
        let Some(drag) = &self.drag else { return };
        let reached = drag.unit.around(document, to);
        let caret = match reached.start < drag.origin.start {
            true => Caret { anchor: drag.origin.end, head: reached.start },
            false => Caret { anchor: drag.origin.start, head: reached.end.max(drag.origin.end) },
        };
        self.place(caret);
    }

    /// Whether the pointer is selecting.
    pub fn is_dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// Ends a selection by pointer.
    pub fn release(&mut self) {
        self.drag = None;
    }

    /// The selected text, once after it has changed.
    pub fn settle<'a>(&mut self, document: &Document<'a>) -> Option<&'a str> {
        if self.settled == self.caret {
            return None;
        }
        self.settled = self.caret;
        (!self.caret.is_empty()).then(|| document.slice(self.caret.range()))
    }

    /// Sets or removes the bookmark of a line.
    pub fn toggle_bookmark(&mut self, line: usize) {
        if !self.bookmarks.remove(&line) {
            self.bookmarks.insert(line);
        }
    }

    /// The next bookmark after the caret, or the one before; from the last to the first.
    pub fn bookmark(&self, back: bool) -> Option<usize> {
        let (line, all) = (self.caret.head.line, &self.bookmarks);
        let found = if back {
            all.range(..line).next_back().or(all.last())
        } else {
            all.range(line + 1..).next().or(all.first())
        };
        found.copied()
    }
}

impl Unit {
    fn around(self, document: &Document<'_>, at: Position) -> Range<Position> {
        match self {
            Unit::Character => at..at,
            Unit::Word => word_at(document, at),
            Unit::Line => whole_line(document, at.line),
        }
    }
}

/// What is kept of all texts: of each program by the text's name.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    texts: BTreeMap<(u64, String), TextState>,
    shown: (u64, String),
}

impl Kept {
    /// Goes to another text: keeps the state of the one that was shown. Returns whether it is another one.
    pub fn switch(&mut self, state: &mut TextState, program: u64, name: &str) -> bool {
        if self.shown.0 == program && self.shown.1 == name {
            return false;
        }
        let next = (program, name.to_owned());
        let state_of_next = self.texts.remove(&next).unwrap_or_default();
        let before = std::mem::replace(&mut self.shown, next);
        self.texts.insert(before, std::mem::replace(state, state_of_next));
        true
    }

    /// Forgets the texts of a program.
    pub fn forget(&mut self, state: &mut TextState, program: u64) {
        self.texts.retain(|(of, _), _| *of != program);
        if self.shown.0 == program {
            (self.shown, *state) = ((u64::MAX, String::new()), TextState::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use lanescope_inspector::source::Language;
    use proptest::prelude::*;

    use super::super::index::Index;
    use super::*;

    fn with<R>(text: &str, run: impl FnOnce(&Document<'_>, &mut TextState) -> R) -> R {
        let index = Index::whole(Language::Glsl, text);
        run(&Document::new(text, &index), &mut TextState::default())
    }

    fn selected<'a>(document: &Document<'a>, state: &TextState) -> &'a str {
        document.slice(state.caret.range())
    }

    #[test]
    fn double_and_triple_clicks_select_words_and_lines_and_drag_by_them() {
        with("one two three\nfour five\n", |document, state| {
            let press = |state: &mut TextState, byte, time| {
                state.press(document, Position::new(0, byte), (time, Pos2::ZERO), false);
            };
            press(state, 5, 1.0);
            assert!(state.caret.is_empty());
            press(state, 5, 1.2);
            assert_eq!(selected(document, state), "two");
            state.drag(document, Position::new(0, 10));
            assert_eq!(selected(document, state), "two three");
            state.drag(document, Position::new(0, 1));
            assert_eq!(selected(document, state), "one two");
            press(state, 5, 1.4);
            assert_eq!(selected(document, state), "one two three\n");
            state.drag(document, Position::new(1, 2));
            assert_eq!(selected(document, state), "one two three\nfour five\n");
            press(state, 5, 9.0);
            assert!(state.caret.is_empty(), "too late for a fourth click");
        });
    }

    #[test]
    fn shift_click_extends_the_selection() {
        with("one two three", |document, state| {
            state.press(document, Position::new(0, 4), (1.0, Pos2::ZERO), false);
            state.release();
            state.press(document, Position::new(0, 7), (5.0, Pos2::ZERO), true);
            assert_eq!(selected(document, state), "two");
            state.drag(document, Position::new(0, 0));
            assert_eq!(selected(document, state), "one ");
        });
    }

    #[test]
    fn arrows_leave_a_selection_at_its_ends() {
        for (motion, expected) in [(Motion::Left, 4), (Motion::Right, 7)] {
            with("one two three", |document, state| {
                state.place(Caret::over(Position::new(0, 4)..Position::new(0, 7)));
                state.carry_out(document, motion, false);
                assert_eq!(state.caret, Caret::at(Position::new(0, expected)));
            });
        }
    }

    #[test]
    fn bookmarks_are_visited_in_order_and_around() {
        let mut state = TextState::default();
        assert_eq!(state.bookmark(false), None);
        for line in [7, 3] {
            state.place(Caret::at(Position::new(line, 0)));
            state.toggle_bookmark(line);
        }
        assert_eq!((state.bookmark(false), state.bookmark(true)), (Some(7), Some(7)));
        state.place(Caret::at(Position::new(7, 0)));
        assert_eq!((state.bookmark(false), state.bookmark(true)), (Some(3), Some(3)));
        state.toggle_bookmark(7);
        assert_eq!(state.bookmark(false), Some(3));
    }

    #[test]
    fn the_state_of_a_text_is_kept_until_its_program_is_closed() {
        let (mut kept, mut state) = (Kept::default(), TextState::default());
        assert!(kept.switch(&mut state, 1, "a"));
        state.toggle_bookmark(0);
        assert!(kept.switch(&mut state, 2, "a") && state.bookmarks.is_empty());
        assert!(kept.switch(&mut state, 1, "a") && state.bookmarks.contains(&0));
        assert!(!kept.switch(&mut state, 1, "a"));
        kept.forget(&mut state, 1);
        assert!(state.bookmarks.is_empty());
        kept.switch(&mut state, 1, "a");
        assert!(state.bookmarks.is_empty());
    }

    #[test]
    fn a_selection_settles_once() {
        with("one two", |document, state| {
            assert_eq!(state.settle(document), None);
            state.select_all(document);
            assert_eq!(state.settle(document), Some("one two"));
            assert_eq!(state.settle(document), None);
        });
    }

    fn motions() -> impl Strategy<Value = (Motion, bool)> {
        let one = prop_oneof![
            Just(Motion::Left),
            Just(Motion::Right),
            Just(Motion::WordLeft),
            Just(Motion::WordRight),
            (0_usize..9).prop_map(Motion::Up),
            (0_usize..9).prop_map(Motion::Down),
            Just(Motion::LineStart),
            Just(Motion::LineEnd),
            Just(Motion::TextStart),
            Just(Motion::TextEnd),
        ];
        (one, any::<bool>())
    }

    proptest! {
        #[test]
        fn movements_stay_on_characters_and_a_selection_is_a_slice(
            text in "[a-z_ \t%漢é\r\n]{0,60}",
            from in (0_usize..12, 0_usize..40),
            steps in prop::collection::vec(motions(), 0..40),
        ) {
            let index = Index::whole(Language::Glsl, &text);
            let document = Document::new(&text, &index);
            let mut state = TextState::default();
            state.place(Caret::at(document.clamp(Position::new(from.0, from.1))));
            for (motion, extend) in steps {
                state.carry_out(&document, motion, extend);
                let mut bytes = Vec::new();
                for place in [state.caret.anchor, state.caret.head] {
                    prop_assert!(place.line < document.lines().max(1));
                    prop_assert!(document.line(place.line).is_char_boundary(place.byte));
                    let before: usize = text.split('\n').take(place.line).map(|line| line.len() + 1).sum();
                    bytes.push(before + place.byte);
                }
                bytes.sort_unstable();
                prop_assert_eq!(document.slice(state.caret.range()), &text[bytes[0]..bytes[1]]);
                // What is drawn as selected is what is copied; the returns before line breaks are not drawn.
                if !text.contains('\r') {
                    let lines = (0..document.lines())
                        .filter_map(|line| state.caret.in_line(line, document.line(line).len()));
                    let drawn: usize = lines.map(|(range, breaks)| range.len() + usize::from(breaks)).sum();
                    prop_assert_eq!(drawn, bytes[1] - bytes[0]);
                }
            }
        }

        #[test]
        fn any_place_of_the_pointer_selects_whole_characters(
            text in "[a-z ,漢\n]{0,40}",
            places in prop::collection::vec((0_usize..9, 0_usize..20, 0_u8..4), 1..12),
        ) {
            let index = Index::whole(Language::Glsl, &text);
            let document = Document::new(&text, &index);
            let mut state = TextState::default();
            for (line, byte, what) in places {
                let to = document.clamp(Position::new(line, byte));
                match what {
                    0 => state.press(&document, to, (1.0, Pos2::ZERO), false),
                    1 => state.press(&document, to, (1.0, Pos2::ZERO), true),
                    2 => state.drag(&document, to),
                    _ => state.release(),
                }
                for place in [state.caret.anchor, state.caret.head] {
                    prop_assert_eq!(document.clamp(place), place);
                }
            }
        }
    }
}
