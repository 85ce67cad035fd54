//! One text in a pane: its area, its search, its bookmarks, and the texts that the pane showed before.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use egui::{Id, Label, RichText, Ui, UiBuilder, vec2};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::view::Ask;

use super::area::{Column, Contents, Reply, Viewport};
use super::caret::{Caret, Position};
use super::document::Document;
use super::find::Find;
use super::search::{SearchBar, Status, Wish};
use super::state::{Kept, TextState};
use super::strip::{Mark, StripMarks, TakeMark};
use crate::context::ViewCx;
use crate::table::quiet_cell;

/// Below this width the controls have two rows.
const NARROW: f32 = 340.0;

/// How a text is read. Kept between frames.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    /// The caret and the bookmarks.
    pub state: TextState,
    pub view: Viewport,
    bar: SearchBar,
    kept: Kept,
    /// Where a search that was typed began: the first match after it is gone to once it is found.
    from: Option<Position>,
    id: Option<Id>,
}

impl Reader {
    /// Begins a frame with a text of a program, by the text's name. Returns whether it is another one than before.
    pub fn begin(&mut self, ui: &Ui, program: u64, name: &str) -> bool {
        self.id = Some(ui.scope_id().with("text"));
        let another = self.kept.switch(&mut self.state, program, name);
        if another {
            (self.view.wanted, self.from) = (Some(self.state.caret.head.line), None);
        }
        another
    }

    /// Forgets the texts of a program that was closed.
    pub fn forget(&mut self, program: u64) {
        self.kept.forget(&mut self.state, program);
    }

    /// Whether the text has the keyboard.
    pub fn has_keys(&self, ui: &Ui) -> bool {
        self.id.is_some_and(|id| ui.memory(|memory| memory.has_focus(id)))
    }

    /// The search for what is in the field: the one that is under way, or a new one.
    pub fn search(&self, find: &mut Find) {
        if find.query != self.bar.query {
            *find = Find::new(&self.bar.query);
        }
    }

    /// Draws the controls and what `more` adds: in one row, in two in a narrow pane. Their height never changes.
    pub fn toolbar(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        document: &Document<'_>,
        (find, done): (&mut Find, bool),
        step: impl Fn(&mut Find) -> bool,
        more: impl FnOnce(&mut Ui),
    ) {
        self.bookmarks(cx, document);
        let has_keys = self.has_keys(ui);
        let status = Status { count: find.found.len(), at: find.at, done, has_keys };
        let wishes = if ui.available_width() < NARROW {
            let wishes = row(ui, |ui| self.bar.ui(ui, cx, "Search text", status));
            row(ui, more);
            wishes
        } else {
            row(ui, |ui| {
                let wishes = self.bar.ui(ui, cx, "Search text", status);
                more(ui);
                wishes
            })
        };
        let mut done = done;
        for wish in wishes {
            match wish {
                Wish::Search => {
                    *find = Find::new(&self.bar.query);
                    self.from = Some(self.state.caret.range().start);
                    done = step(find);
                    self.settle(document, find, done);
                    // The rest of a long text is searched in the next frames.
                    ui.ctx().request_repaint();
                }
                Wish::Match { back } => {
                    if let Some(at) = find.go(back, self.state.caret.range().start) {
                        self.go_to_match(document, find, at);
                    }
                }
                Wish::Line(line) => {
                    self.state.go_to_line(document, line);
                    self.view.wanted = Some(document.row_of(self.state.caret.head.line));
                    self.view.follow = Some(0);
                    self.take_keys(ui);
                }
                Wish::Leave => self.take_keys(ui),
                Wish::Close => {}
            }
        }
        self.settle(document, find, done);
    }

    /// Goes to the first match of a search that was typed, once it is found.
    fn settle(&mut self, document: &Document<'_>, find: &mut Find, done: bool) {
        let Some(from) = self.from else { return };
        let next = find.found.partition_point(|found| Position::new(found.line, found.range.start) < from);
        let at = Some(next).filter(|at| *at < find.found.len()).or(Some(0).filter(|_| done && !find.found.is_empty()));
        if let Some(at) = at {
            find.at = Some(at);
            self.go_to_match(document, find, at);
        }
        if at.is_some() || done {
            self.from = None;
        }
    }

    fn go_to_match(&mut self, document: &Document<'_>, find: &Find, at: usize) {
        let Some(found) = find.found.get(at) else { return };
        let place = |byte| Position::new(found.line, byte);
        self.state.place(Caret::over(place(found.range.start)..place(found.range.end)));
        self.view.reveal(document.row_of(found.line));
        self.view.follow = Some(0);
    }

    fn take_keys(&self, ui: &Ui) {
        if let Some(id) = self.id {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
    }

    fn bookmarks(&mut self, cx: &ViewCx<'_>, document: &Document<'_>) {
        if cx.asked(Ask::ToggleBookmark) {
            self.state.toggle_bookmark(self.state.caret.head.line);
        }
        let back = cx.asked(Ask::PreviousBookmark);
        if (back || cx.asked(Ask::NextBookmark))
            && let Some(line) = self.state.bookmark(back)
        {
            self.state.go_to_line(document, line);
            self.view.reveal(document.row_of(self.state.caret.head.line));
            self.view.follow = Some(0);
        }
    }

    /// Draws the text in the space that is left.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        document: Document<'_>,
        (find, gutter): (&Find, f32),
        name: String,
        contents: &mut dyn Contents,
        commands: &mut Vec<Command>,
    ) -> Reply {
        let id = *self.id.get_or_insert_with(|| ui.scope_id().with("text"));
        let key = {
            let mut hasher = DefaultHasher::new();
            (&find.query, find.found.len(), find.at, &self.state.bookmarks).hash(&mut hasher);
            hasher.finish()
        };
        let bookmarks: Vec<usize> = self.state.bookmarks.iter().copied().collect();
        let reply = {
            let each = |mark: &mut TakeMark<'_>| {
                find.found.iter().for_each(|found| mark(found.line, Mark::Match));
                if let Some(found) = find.at.and_then(|at| find.found.get(at)) {
                    mark(found.line, Mark::Here);
                }
                bookmarks.iter().for_each(|line| mark(*line, Mark::Bookmark));
            };
            let caret = ui.memory(|memory| memory.has_focus(id)).then_some(self.state.caret.head.line);
            let marks = StripMarks { key, each: &each, caret };
            let column = Column { state: &mut self.state, document, id, name };
            self.view.show(ui, &mut [column], gutter, &marks, contents)
        };
        commands.extend(reply.copy.clone().map(Command::Copy));
        if let Some(action) = reply.menu {
            self.bar.request(action);
            ui.ctx().request_repaint();
        }
        reply
    }

    /// Ends a frame: once the caret has moved, the next match is the one after it.
    pub fn moved(&mut self, reply: &Reply, find: &mut Find) {
        if reply.moved {
            (find.at, self.from) = (None, None);
        }
    }

    /// Draws the place of the caret, in the row below the text.
    pub fn place(&self, ui: &mut Ui, document: &Document<'_>) {
        place(ui, &self.state, document);
    }
}

/// Draws the place of a caret and how much is selected, in room that does not depend on the numbers.
pub(crate) fn place(ui: &mut Ui, state: &TextState, document: &Document<'_>) {
    const WIDTH: f32 = 270.0;
    let Caret { head, .. } = state.caret;
    let line = document.line(head.line);
    let column = line.get(..head.byte).map_or(0, |before| before.chars().count());
    let mut text = format!("Line {} of {}, column {}", head.line + 1, document.lines(), column + 1);
    let range = state.caret.range();
    if range.start.line != range.end.line {
        text.push_str(&format!(" · {} selected", counted(range.end.line - range.start.line + 1, "line")));
    } else if !state.caret.is_empty() {
        let characters = document.slice(range).chars().count();
        text.push_str(&format!(" · {} selected", counted(characters, "character")));
    }
    let height = ui.spacing().interact_size.y;
    let width = WIDTH.min(ui.available_width()).max(0.0);
    ui.allocate_ui(vec2(width, height), |ui| {
        ui.set_width(width);
        quiet_cell(ui, RichText::new(text));
    });
}

/// One row of controls: it never wraps, and its height never changes.
pub(crate) fn row<R>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let height = ui.spacing().interact_size.y;
    ui.horizontal(|ui| {
        ui.set_height(height);
        contents(ui)
    })
    .inner
}

/// A text with a row of facts below it, which has its room whether there are any or not.
pub(crate) fn with_row_below<S, R>(
    ui: &mut Ui,
    state: &mut S,
    text: impl FnOnce(&mut S, &mut Ui) -> R,
    below: impl FnOnce(&mut S, &mut Ui),
) -> R {
    let outer = ui.available_rect_before_wrap();
    let height = ui.spacing().interact_size.y + 2.0;
    let split = (outer.bottom() - height).max(outer.top());
    let result = ui.scope_builder(UiBuilder::new().max_rect(outer.with_max_y(split)), |ui| text(state, ui)).inner;
    ui.scope_builder(UiBuilder::new().max_rect(outer.with_min_y(split)), |ui| row(ui, |ui| below(state, ui)));
    result
}

/// A link of the row below a text, cut where it does not fit. Returns whether it was clicked.
pub(crate) fn link(ui: &mut Ui, text: RichText, about: &str) -> bool {
    let link = ui.add(Label::new(text).truncate().sense(egui::Sense::click()));
    link.on_hover_cursor(egui::CursorIcon::PointingHand).on_hover_text(about).clicked()
}
