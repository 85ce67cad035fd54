//! The controls above a text: the search field, from match to match, how many there are, and the field that asks for a
//! line.

use egui::text::{CCursor, CCursorRange};
use egui::{Button, Id, Key, Modifiers, Response, RichText, TextEdit, Ui, vec2};
use lanescope_inspector::view::Ask;

use super::find::FOUND_AT_MOST;
use super::menu::MenuAction;
use crate::context::ViewCx;
use crate::table::{call, cell};

/// Width of the number of matches, in points: what is after it stays where it is.
const COUNT_WIDTH: f32 = 96.0;
/// The narrowest and the widest that the field gets.
const FIELD_WIDTH: [f32; 2] = [90.0, 220.0];

/// The controls. Kept between frames.
#[derive(Debug, Default)]
pub(crate) struct SearchBar {
    /// Search text.
    pub query: String,
    /// What was typed as a line's number, while that is asked for.
    line: Option<String>,
    /// Asked for by the text's menu.
    requested: Option<MenuAction>,
}

/// How far the search is, in one frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Status {
    /// Matches found so far.
    pub count: usize,
    /// The match that was gone to.
    pub at: Option<usize>,
    /// The whole text was searched.
    pub done: bool,
    /// A text of this pane has the keyboard.
    pub has_keys: bool,
}

/// What the controls request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Search for another text.
    Search,
    /// Go to the next match, or to the one before.
    Match {
        /// The one before.
        back: bool,
    },
    /// Go to a line, from 0.
    Line(usize),
    /// Give the keyboard to the text.
    Leave,
    /// Nothing: a field was closed.
    Close,
}

impl SearchBar {
    /// Carries out what was chosen in the menu of a text.
    pub fn request(&mut self, action: MenuAction) {
        self.requested = Some(action);
    }

    /// Draws the controls.
    pub fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, name: &'static str, status: Status) -> Vec<Wish> {
        let mut wishes = Vec::new();
        let requested = self.requested.take();
        let [search, line] = [ui.scope_id().with("search"), ui.scope_id().with("line")];
        // The keyboard goes into a field before it is drawn, so that it takes the keys of this frame.
        if cx.asked(Ask::Search) || requested == Some(MenuAction::Find) {
            self.line = None;
            focus(ui, search, &self.query);
        } else if cx.asked(Ask::GoToLine) || requested == Some(MenuAction::GoToLine) {
            self.line = Some(String::new());
            focus(ui, line, "");
        }
        let width = (ui.available_width() * 0.28).clamp(FIELD_WIDTH[0], FIELD_WIDTH[1]);
        let mut searches = false;
        match &mut self.line {
            Some(number) => {
                if let Some(wish) = line_field(ui, line, number, width) {
                    self.line = None;
                    wishes.push(wish);
                }
            }
            None => searches = self.search_field(ui, search, name, width, &mut wishes),
        }
        self.steps(ui, status, searches, &mut wishes);
        let size = vec2(COUNT_WIDTH.min(ui.available_width()).max(0.0), ui.spacing().interact_size.y);
        ui.allocate_ui(size, |ui| {
            ui.set_width(size.x);
            if !self.query.is_empty() {
                cell(ui, count(status)).on_hover_text("Enter, F3: next match; Shift+Enter, Shift+F3: previous match");
            }
        });
        wishes
    }

    /// Draws the search field. Returns whether it has the keyboard.
    fn search_field(&mut self, ui: &mut Ui, id: Id, name: &'static str, width: f32, wishes: &mut Vec<Wish>) -> bool {
        // Enter goes on to the next match: it does not leave the field.
        let field = TextEdit::singleline(&mut self.query).id(id).hint_text(name).desired_width(width);
        let response = ui.add(field.return_key(None).char_limit(200));
        call(&response, name);
        if response.changed() {
            wishes.push(Wish::Search);
        }
        if escaped(ui, &response) {
            self.query.clear();
            wishes.extend([Wish::Search, Wish::Leave]);
        }
        if response.has_focus() {
            let (entered, shift) = ui.input(|input| (input.num_presses(Key::Enter), input.modifiers.shift));
            wishes.extend((0..entered).map(|_| Wish::Match { back: shift }));
        }
        response.has_focus()
    }

    /// From match to match: buttons and keys.
    fn steps(&self, ui: &mut Ui, status: Status, searches: bool, wishes: &mut Vec<Wish>) {
        let button = |ui: &mut Ui, sign: &str, name: &'static str, keys: &str| {
            let response = ui.add_enabled(status.count > 0, Button::new(RichText::new(sign).monospace()));
            call(&response, name);
            response.on_hover_text(format!("{name} ({keys})")).clicked()
        };
        // Of several texts in view, the keys are for the one that has the keyboard.
        let takes_keys = searches || status.has_keys || ui.memory(|memory| memory.focused().is_none());
        let key = |ui: &mut Ui, modifiers| takes_keys && ui.input_mut(|input| input.consume_key(modifiers, Key::F3));
        if button(ui, "▲", "Previous match", "Shift+Enter, Shift+F3") || key(ui, Modifiers::SHIFT) {
            wishes.push(Wish::Match { back: true });
        }
        if button(ui, "▼", "Next match", "Enter, F3") || key(ui, Modifiers::NONE) {
            wishes.push(Wish::Match { back: false });
        }
    }
}

/// Puts the keyboard into a field, with all of its text selected: what is typed next replaces it.
fn focus(ui: &Ui, id: Id, text: &str) {
    ui.memory_mut(|memory| memory.request_focus(id));
    let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    let all = CCursorRange::two(CCursor::new(0), CCursor::new(text.chars().count()));
    state.cursor.set_char_range(Some(all));
    TextEdit::store_state(ui.ctx(), id, state);
}

/// Whether Escape took the keyboard from a field. The text that gets it does not see the key.
fn escaped(ui: &Ui, response: &Response) -> bool {
    response.lost_focus() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
}

/// The field that asks for a line, in the place of the search field.
fn line_field(ui: &mut Ui, id: Id, number: &mut String, width: f32) -> Option<Wish> {
    const NAME: &str = "Line number";
    let field = TextEdit::singleline(number).id(id).hint_text(NAME).desired_width(width);
    let response = ui.add(field.return_key(None).char_limit(20));
    call(&response, NAME);
    if response.has_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        // A number that is too large for a number is after the last line too.
        let digits = number.trim();
        let line = digits.parse().ok().or(digits.bytes().all(|c| c.is_ascii_digit()).then_some(usize::MAX));
        return line.filter(|_| !digits.is_empty()).map(|line: usize| Wish::Line(line.saturating_sub(1)));
    }
    if escaped(ui, &response) {
        return Some(Wish::Leave);
    }
    // A click elsewhere gives it up: the keyboard is there.
    response.lost_focus().then_some(Wish::Close)
}

/// How many matches there are, as text.
fn count(status: Status) -> String {
    let Status { count, at, done, .. } = status;
    let more = match (count >= FOUND_AT_MOST, done) {
        (true, _) => "+",
        (false, true) => "",
        (false, false) => "…",
    };
    match at {
        Some(at) => format!("{} of {count}{more}", at + 1),
        None if count == 0 && done => "no match".to_owned(),
        None if count == 1 => format!("1 match{more}"),
        None => format!("{count}{more} matches"),
    }
}
