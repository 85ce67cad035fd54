//! How dialogs look, and where the mouse finds their parts.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::widgets::{Block, Clear, Widget as _};
use unicode_width::UnicodeWidthStr as _;

use super::super::contents::{explanation, page_rows};
use super::super::look::Look;
use super::super::pane::{Contents, MadeFor};
use super::super::printable::line;
use super::texts::{edited_run_rows, key_rows, path_title, preference_rows, replace_rows, texts};
use super::{Dialog, MEASURES, NAMES, Part, names};
use lanescope_workbench::about;
use lanescope_workbench::completion::Partial;
use lanescope_workbench::state::State;
use lanescope_workbench::state::overlay::{EditedRun, Overlay, PipelineRows};
use lanescope_workbench::state::program::title;

/// Columns of a list and of a page, at most.
const LIST: u16 = 90;
const PAGE: u16 = 104;
/// Lines of a list, at most.
const LINES: u16 = 26;

/// Keys that the frame names, each with what it does.
type Keys = [(KeyCode, &'static str, &'static str)];

const CLOSES: &Keys = &[(KeyCode::Esc, "Esc", "closes")];
const CHOOSES: &Keys = &[(KeyCode::Enter, "Enter", "chooses"), (KeyCode::Esc, "Esc", "closes")];

/// A list: its title, its keys, what it says without entries, and each entry with what is at its right.
struct List<'a> {
    name: &'a str,
    keys: &'a Keys,
    none: &'a str,
    lines: Vec<(String, String)>,
}

impl Dialog {
    /// Draws the dialog over everything. Returns where the terminal's cursor is.
    pub fn draw(&mut self, state: &State, look: Look, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        self.follow(state);
        self.parts.clear();
        match &state.overlay {
            Overlay::None => {}
            Overlay::Palette => {
                let items = self.items(state);
                let lines = items.iter().map(|item| (item.label.clone(), item.note.clone())).collect();
                let name = if self.only_options { "Options" } else { "Commands" };
                let list = List { name, keys: CHOOSES, none: "No match.", lines };
                return Some(self.list(&list, look, area, buffer));
            }
            Overlay::Pipelines(list) => {
                let found = list.rows.matching(self.field.text());
                let lines = found.iter().filter_map(|row| list.rows.row(*row)).collect();
                let name =
                    format!("Choose a pipeline of {}: {} of {}", title(&list.paths), found.len(), list.rows.count());
                let tab = (KeyCode::Tab, "Tab", "source or compiled");
                let tab = matches!(list.rows, PipelineRows::Folders { .. }).then_some(tab);
                let measures = list.measures().map(|_| (MEASURES, "F9", "measures all"));
                let keys: Vec<_> = tab.into_iter().chain(measures).chain(CHOOSES.iter().copied()).collect();
                let list = List { name: &line(&name), keys: &keys, none: "No match.", lines };
                return Some(self.list(&list, look, area, buffer));
            }
            Overlay::Path(question) => {
                let names = names(question, &Partial::of(self.field.text()));
                let lines = names.iter().take(NAMES).map(|name| (line(name), String::new())).collect();
                let (name, what) = path_title(question);
                let tab = question.purpose.is_of_paths().then_some((KeyCode::Tab, "Tab", "completes"));
                let others = [(KeyCode::Enter, "Enter", what), (KeyCode::Esc, "Esc", "closes")];
                let keys: Vec<_> = tab.into_iter().chain(others).collect();
                // No name is chosen: Enter takes what is typed.
                (self.chosen, self.first) = (usize::MAX, 0);
                let list = List { name: &name, keys: &keys, none: "", lines };
                return Some(self.list(&list, look, area, buffer));
            }
            Overlay::Replace(_) => self.page("Replace files?", state, look, area, buffer),
            Overlay::EditedRun(_) => self.page(EditedRun::TITLE, state, look, area, buffer),
            Overlay::Help(_) => self.page("Manual", state, look, area, buffer),
            Overlay::Keys => self.page("Keys", state, look, area, buffer),
            Overlay::About => self.page("About", state, look, area, buffer),
            Overlay::Preferences => self.page("Preferences", state, look, area, buffer),
            Overlay::Explanation(code) => self.page(&line(code), state, look, area, buffer),
        }
        None
    }

    /// Draws a list with a line to type into above it.
    fn list(&mut self, list: &List<'_>, look: Look, area: Rect, buffer: &mut Buffer) -> Position {
        let List { name, keys, none, lines } = list;
        let frame = centered(area, LIST, area.height.saturating_sub(4).min(LINES));
        let inner = self.framed(name, keys, look, frame, buffer);
        let width = usize::from(inner.width);
        let line = Rect { height: inner.height.min(1), ..inner };
        self.parts.push((line, Part::Field));
        let caret = self.field.draw("> ", line, buffer, look.title());
        (self.room, self.count) = (usize::from(inner.height.saturating_sub(1)), lines.len());
        if self.chosen != usize::MAX {
            self.chosen = self.chosen.min(lines.len().saturating_sub(1));
            self.first = self.first.min(self.chosen).max((self.chosen + 1).saturating_sub(self.room));
        }
        if lines.is_empty() && self.room > 0 {
            buffer.set_stringn(inner.x, inner.y + 1, none, width, look.dim());
        }
        let shown = lines.iter().enumerate().skip(self.first);
        for (y, (at, (label, note))) in (inner.y + 1..inner.bottom()).zip(shown) {
            buffer.set_stringn(inner.x, y, label, width, Style::new());
            let wide = note.width();
            if label.width() + 2 + wide <= width {
                let x = inner.right() - u16::try_from(wide).unwrap_or(0);
                buffer.set_stringn(x, y, note, wide, look.dim());
            }
            let row = Rect { y, height: 1, ..inner };
            self.parts.push((row, Part::Entry(at)));
            if at == self.chosen {
                buffer.set_style(row, look.cursor());
            }
        }
        caret
    }

    /// Draws a page that scrolls.
    fn page(&mut self, name: &str, state: &State, look: Look, area: Rect, buffer: &mut Buffer) {
        // The frame, and the margin of the cursor.
        let width = usize::from(PAGE.min(area.width)).saturating_sub(3);
        let settings = format!("{} {}", state.theme() as u8, state.session.preferences.reopen);
        let key = MadeFor { state: self.number, width, part: Some(settings) };
        self.pane.fill(key, || page_of(state, look, width));
        let count = u16::try_from(self.pane.count()).unwrap_or(u16::MAX);
        let height = count.saturating_add(2).min(area.height.saturating_sub(2)).max(4);
        let inner = self.framed(name, CLOSES, look, centered(area, PAGE, height), buffer);
        self.parts.push((inner, Part::Page));
        self.pane.draw(inner, buffer, look, &Default::default(), true);
    }

    /// Draws a frame with a title and its keys over what is below it. Returns its inside.
    fn framed(&mut self, name: &str, keys: &Keys, look: Look, area: Rect, buffer: &mut Buffer) -> Rect {
        Clear.render(area, buffer);
        let block = Block::bordered().title(format!(" {name} ")).border_style(look.title());
        let inner = block.inner(area);
        block.render(area, buffer);
        self.parts.push((area, Part::Frame));
        let texts = keys.iter().map(|(_, key, what)| format!(" {key} {what} "));
        let texts: Vec<String> = texts.collect();
        let wide: usize = texts.iter().map(|text| text.width()).sum();
        let Some(room) = usize::from(area.width).checked_sub(wide + 2) else { return inner };
        let mut x = area.x + 1 + u16::try_from(room).unwrap_or(0);
        for ((code, _, _), text) in keys.iter().zip(&texts) {
            let y = area.bottom().saturating_sub(1);
            buffer.set_string(x, y, text, look.title());
            let wide = u16::try_from(text.width()).unwrap_or(0);
            self.parts.push((Rect::new(x, y, wide, 1), Part::Key(*code)));
            x += wide;
        }
        inner
    }
}

/// The lines of a page.
fn page_of(state: &State, look: Look, width: usize) -> Contents {
    let rows = match &state.overlay {
        Overlay::Replace(question) => replace_rows(question),
        Overlay::EditedRun(question) => edited_run_rows(question),
        Overlay::Help(at) => return page_rows(*at, look, width),
        Overlay::Keys => key_rows(state, look, width),
        Overlay::About => {
            let version = format!("Lanescope {}", about::VERSION);
            texts([version.as_str(), about::COMPILERS])
        }
        Overlay::Preferences => preference_rows(state),
        Overlay::Explanation(code) => explanation(code, state, look, width),
        Overlay::None | Overlay::Palette | Overlay::Pipelines(_) | Overlay::Path(_) => Vec::new(),
    };
    rows.into()
}

fn centered(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}
