//! Dialogs: the palette, a line for a path, lists and pages. What is typed is here; the rest is state.

use std::path::PathBuf;

use lanescope_inspector::command::{Command, Purpose};
use lanescope_inspector::settings::{Preferences, Theme};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Position, Rect};
use ratatui::widgets::{Block, Clear, Widget as _};
use unicode_width::UnicodeWidthStr as _;

use super::contents::page_rows;
use super::keys::{self, Action, MOVEMENTS};
use super::look::Look;
use super::pane::{Pane, Row};
use super::prompt::{NAMED, Prompt};
use crate::commands::{Menu, TABLE, row_of};
use crate::completion::{Partial, split};
use crate::folders::Prefer;
use crate::palette::{Item, items, matching};
use crate::state::State;
use crate::state::overlay::{Overlay, PathQuestion, PipelineRows, ReplaceQuestion};
use crate::state::program::title;

/// Names that complete a path, at most so many are shown.
const NAMES: usize = 12;

/// What a key did to a typed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edited {
    /// It is still being typed.
    Going,
    /// It is complete.
    Entered,
    /// It is not wanted.
    Cancelled,
}

/// Edits a text at its end.
pub fn edit(text: &mut String, key: KeyEvent) -> Edited {
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Enter => return Edited::Entered,
        KeyCode::Esc => return Edited::Cancelled,
        KeyCode::Char('c') if ctrl => return Edited::Cancelled,
        KeyCode::Char('u') if ctrl => text.clear(),
        KeyCode::Char('w') if ctrl => {
            let kept = text.trim_end().rfind(' ').map_or(0, |at| at + 1);
            text.truncate(kept);
        }
        KeyCode::Backspace => drop(text.pop()),
        KeyCode::Char(c) if !ctrl => text.push(c),
        _ => {}
    }
    Edited::Going
}

/// The open dialog, as far as it is typed.
#[derive(Debug, Default)]
pub struct Dialog {
    /// The overlay that this belongs to.
    number: u64,
    typed: String,
    chosen: usize,
    /// The palette lists options only.
    pub only_options: bool,
    /// What is to be typed after the dialog.
    pub prompt: Option<Prompt>,
    pane: Pane,
    requested: Option<PathBuf>,
}

impl Dialog {
    /// Begins anew with another overlay.
    fn follow(&mut self, state: &State) {
        if self.number != state.overlay_number {
            let only_options = self.only_options;
            *self = Dialog { number: state.overlay_number, only_options, ..Dialog::default() };
            if let Overlay::Path(question) = &state.overlay {
                self.typed.clone_from(&question.text);
            }
        }
    }

    /// Takes pasted text.
    pub fn paste(&mut self, state: &State, text: &str) {
        self.follow(state);
        self.typed.push_str(text);
        self.chosen = 0;
    }

    /// Takes a key. Returns what it requests.
    pub fn key(&mut self, state: &State, key: KeyEvent) -> Vec<Command> {
        self.follow(state);
        let close = vec![Command::CloseOverlay];
        match &state.overlay {
            Overlay::None => Vec::new(),
            Overlay::Palette => {
                let items = self.items(state);
                match self.choose(items.len(), key) {
                    Edited::Going => Vec::new(),
                    Edited::Cancelled => close,
                    Edited::Entered => {
                        self.prompt = items.get(self.chosen).and_then(prompt_of);
                        let chosen = items.get(self.chosen).map(|item| item.commands.clone());
                        close.into_iter().chain(chosen.into_iter().flatten()).collect()
                    }
                }
            }
            Overlay::Pipelines(list) => {
                if key.code == KeyCode::Tab && matches!(list.rows, PipelineRows::Folders { .. }) {
                    let source = matches!(&list.rows, PipelineRows::Folders { prefer: Prefer::Source, .. });
                    return vec![Command::PreferSource(!source)];
                }
                let found = list.rows.matching(&self.typed);
                match self.choose(found.len(), key) {
                    Edited::Going => Vec::new(),
                    Edited::Cancelled => close,
                    Edited::Entered => {
                        found.get(self.chosen).map(|row| Command::ChooseListed(*row)).into_iter().collect()
                    }
                }
            }
            Overlay::Path(question) => self.path(question, key),
            Overlay::Replace(_) => match key.code {
                KeyCode::Char('y' | 'Y') => vec![Command::Replace(true)],
                KeyCode::Char('n' | 'N') | KeyCode::Esc => vec![Command::Replace(false)],
                _ => Vec::new(),
            },
            Overlay::Preferences => match key.code {
                KeyCode::Char('t') => vec![Command::SetTheme(match state.session.theme {
                    Theme::System => Theme::Light,
                    Theme::Light => Theme::Dark,
                    Theme::Dark => Theme::System,
                })],
                KeyCode::Char('r') => {
                    let now = state.session.preferences;
                    vec![Command::SetPreferences(Preferences { reopen: !now.reopen, ..now })]
                }
                _ => self.read(key),
            },
            Overlay::Help(_) | Overlay::Keys | Overlay::About => self.read(key),
        }
    }

    /// Scrolls a page, or closes it.
    fn read(&mut self, key: KeyEvent) -> Vec<Command> {
        match keys::action(key) {
            Some(Action::Escape | Action::Follow | Action::Do(Command::Quit | Command::Keys)) => {
                vec![Command::CloseOverlay]
            }
            Some(Action::Go(motion)) => {
                self.pane.go(motion);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Moves in a list, or edits what is searched in it.
    fn choose(&mut self, count: usize, key: KeyEvent) -> Edited {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let step = match key.code {
            KeyCode::Down => 1,
            KeyCode::Up => -1,
            KeyCode::Char('n') if ctrl => 1,
            KeyCode::Char('p') if ctrl => -1,
            KeyCode::PageDown => 10,
            KeyCode::PageUp => -10,
            _ => {
                let edited = edit(&mut self.typed, key);
                if edited == Edited::Going {
                    self.chosen = 0;
                }
                return edited;
            }
        };
        self.chosen = self.chosen.saturating_add_signed(step).min(count.saturating_sub(1));
        Edited::Going
    }

    /// The items of the palette that match; commands of that name come first.
    fn items(&self, state: &State) -> Vec<Item> {
        let mut all = items(state, keys::text);
        let applying = NAMED.iter().filter(|(prompt, _, _)| prompt.applies(state));
        all.extend(applying.map(|(_, name, label)| Item::asking((*label).to_owned(), &format!(":{name}"))));
        if self.only_options {
            all.retain(|item| item.note == "option");
        }
        let typed = self.typed.trim().trim_start_matches(':');
        let named = |item: &Item| NAMED.iter().find(|(_, _, label)| *label == item.label).map(|(_, name, _)| *name);
        let name = |item: &Item| {
            item.commands.first().and_then(row_of).map(|row| row.name).or_else(|| named(item)).unwrap_or_default()
        };
        let mut found: Vec<Item> = matching(&all, typed).into_iter().cloned().collect();
        if !typed.is_empty() {
            let named = all.iter().filter(|item| name(item).starts_with(typed) && !found.contains(item));
            let named: Vec<Item> = named.cloned().collect();
            found.extend(named);
            // A name is meant first, and the whole of it before its beginning.
            found.sort_by_key(|item| (name(item) != typed, !name(item).starts_with(typed)));
        }
        found
    }

    fn path(&mut self, question: &PathQuestion, key: KeyEvent) -> Vec<Command> {
        if key.code == KeyCode::Tab {
            let partial = Partial::of(&self.typed);
            let names = question.names.as_ref().filter(|(folder, _)| *folder == partial.lookup());
            let names = names.map(|(_, names)| partial.matching(names)).unwrap_or_default();
            if let Some(text) = partial.common(&names) {
                self.typed = text;
            }
        } else {
            match edit(&mut self.typed, key) {
                Edited::Going => {}
                Edited::Cancelled => return vec![Command::TakePaths(question.purpose, Vec::new())],
                Edited::Entered => {
                    let paths = split(&self.typed);
                    let entered = (!paths.is_empty()).then_some(Command::TakePaths(question.purpose, paths));
                    return entered.into_iter().collect();
                }
            }
        }
        let folder = Partial::of(&self.typed).lookup();
        if self.requested.as_ref() == Some(&folder) {
            return Vec::new();
        }
        self.requested = Some(folder.clone());
        vec![Command::ListNames(folder)]
    }

    /// Draws the dialog over everything. Returns where the terminal's cursor is.
    pub fn draw(&mut self, state: &State, look: Look, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        self.follow(state);
        match &state.overlay {
            Overlay::None => None,
            Overlay::Palette => {
                let items = self.items(state);
                let lines = items.iter().map(|item| (item.label.clone(), item.note.clone())).collect();
                let name = if self.only_options { "Options" } else { "Commands" };
                Some(self.list(name, "No match.", lines, look, area, buffer))
            }
            Overlay::Pipelines(list) => {
                let found = list.rows.matching(&self.typed);
                let lines = found.iter().filter_map(|row| list.rows.row(*row)).collect();
                let name =
                    format!("Choose a pipeline of {}: {} of {}", title(&list.paths), found.len(), list.rows.len());
                Some(self.list(&name, "No match.", lines, look, area, buffer))
            }
            Overlay::Path(question) => {
                let partial = Partial::of(&self.typed);
                let names = question.names.as_ref().filter(|(folder, _)| *folder == partial.lookup());
                let names = names.map(|(_, names)| partial.matching(names)).unwrap_or_default();
                let lines = names.iter().take(NAMES).map(|name| ((*name).to_owned(), String::new())).collect();
                self.chosen = usize::MAX;
                Some(self.list(&about(question), "", lines, look, area, buffer))
            }
            Overlay::Replace(question) => {
                self.page("Replace files?", replace_rows(question), look, area, buffer);
                None
            }
            Overlay::Help(tab) => {
                let name = tab.as_deref().unwrap_or("tui");
                self.page("Manual", page_rows(name), look, area, buffer);
                None
            }
            Overlay::Keys => {
                self.page("Keys", key_rows(look), look, area, buffer);
                None
            }
            Overlay::About => {
                let version = format!("Lanescope {}", env!("CARGO_PKG_VERSION"));
                self.page("About", texts([version.as_str(), env!("LANESCOPE_COMPILERS")]), look, area, buffer);
                None
            }
            Overlay::Preferences => {
                let reopen = if state.session.preferences.reopen { "yes" } else { "no" };
                let theme = format!("t  Theme: {}", theme_name(state.session.theme));
                let reopen = format!("r  Start with the programs of the last session: {reopen}");
                self.page("Preferences", texts([theme.as_str(), reopen.as_str()]), look, area, buffer);
                None
            }
        }
    }

    /// Draws a list with a line to type into above it.
    fn list(
        &mut self,
        name: &str,
        none: &str,
        lines: Vec<(String, String)>,
        look: Look,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Position {
        let inner = framed(name, look, centered(area, 90, area.height.saturating_sub(4).min(26)), buffer);
        let width = usize::from(inner.width);
        buffer.set_stringn(inner.x, inner.y, format!("> {}", self.typed), width, look.title());
        let room = usize::from(inner.height.saturating_sub(1));
        let first = if self.chosen == usize::MAX { 0 } else { (self.chosen + 1).saturating_sub(room) };
        if lines.is_empty() && room > 0 {
            buffer.set_stringn(inner.x, inner.y + 1, none, width, look.dim());
        }
        for (y, (at, (label, note))) in (inner.y + 1..inner.bottom()).zip(lines.iter().enumerate().skip(first)) {
            buffer.set_stringn(inner.x, y, label, width, ratatui::style::Style::new());
            let wide = note.width();
            if label.width() + 2 + wide <= width {
                let x = inner.right() - u16::try_from(wide).unwrap_or(0);
                buffer.set_stringn(x, y, note, wide, look.dim());
            }
            if at == self.chosen {
                buffer.set_style(Rect { y, height: 1, ..inner }, look.cursor());
            }
        }
        let x = inner.x + 2 + u16::try_from(self.typed.width()).unwrap_or(u16::MAX).min(inner.width.saturating_sub(3));
        Position::new(x, inner.y)
    }

    /// Draws a page that scrolls.
    fn page(&mut self, name: &str, rows: Vec<Row>, look: Look, area: Rect, buffer: &mut Buffer) {
        let height = u16::try_from(rows.len()).unwrap_or(u16::MAX).saturating_add(2).min(area.height.saturating_sub(2));
        let inner = framed(name, look, centered(area, 104, height.max(4)), buffer);
        self.pane.fill((1 + u64::try_from(rows.len()).unwrap_or(0), usize::from(inner.width), None), || rows);
        self.pane.draw(inner, buffer, look, &Default::default(), true);
    }
}

/// What an item of the palette has typed.
fn prompt_of(item: &Item) -> Option<Prompt> {
    let found = NAMED.iter().find(|(_, _, label)| *label == item.label && item.commands.is_empty());
    found.map(|(prompt, _, _)| *prompt)
}

/// A frame with a title over what is below it. Returns its inside.
fn framed(name: &str, look: Look, area: Rect, buffer: &mut Buffer) -> Rect {
    Clear.render(area, buffer);
    let block = Block::bordered().title(format!(" {name} ")).border_style(look.title());
    let inner = block.inner(area);
    block.render(area, buffer);
    inner
}

fn centered(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}

fn theme_name(theme: Theme) -> &'static str {
    match theme {
        Theme::System => "of the terminal",
        Theme::Light => "light",
        Theme::Dark => "dark",
    }
}

fn about(question: &PathQuestion) -> String {
    match question.purpose {
        Purpose::Open => "Open: files of one pipeline; Tab completes".to_owned(),
        Purpose::Compare(_) => "Compare with: files of one pipeline, or a JSON report".to_owned(),
        Purpose::CompareResult => "Compare with: another corpus result, the side before".to_owned(),
        Purpose::Save => "Save as".to_owned(),
        Purpose::SaveFolder => "Save to folder".to_owned(),
        Purpose::Contents(_, place) => format!("Contents of {place}"),
        Purpose::Records(_) => "Load records: JSON, CSV or bytes".to_owned(),
    }
}

fn texts<'t>(lines: impl IntoIterator<Item = &'t str>) -> Vec<Row> {
    lines.into_iter().map(|line| Row::default().with(anstyle::Style::new(), line, None)).collect()
}

fn replace_rows(question: &ReplaceQuestion) -> Vec<Row> {
    let folder = question.folder.display().to_string();
    let first = format!("{} already contains:", super::contents::line(&folder));
    let names = question.names.iter().map(|name| format!("  {}", super::contents::line(name)));
    let lines: Vec<String> = [first].into_iter().chain(names).chain(["y replaces, n keeps".to_owned()]).collect();
    texts(lines.iter().map(String::as_str))
}

/// Every key of the terminal.
fn key_rows(look: Look) -> Vec<Row> {
    let (heading, plain) = (look.report().meaning(lanescope_core::table::Meaning::Strong), anstyle::Style::new());
    let line = |keys: &str, what: &str| Row::default().with(plain, format!("  {keys:<30}  {what}"), None);
    let title = |text: &str| Row { heading: true, ..Row::default().with(heading, text, None) };
    let mut rows = vec![title("Movement")];
    rows.extend(MOVEMENTS.iter().map(|(keys, what)| line(keys, what)));
    for (menu, name, _) in Menu::ALL {
        rows.push(title(name));
        let of = TABLE.iter().filter(|row| row.menu == menu);
        rows.extend(of.map(|row| line(&keys::text(row), row.label.trim_end_matches('…'))));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_at_the_end() {
        let mut text = String::new();
        let mut press = |code, modifiers| edit(&mut text, KeyEvent::new(code, modifiers));
        for c in "one two".chars() {
            assert_eq!(press(KeyCode::Char(c), KeyModifiers::NONE), Edited::Going);
        }
        press(KeyCode::Char('w'), KeyModifiers::CONTROL);
        press(KeyCode::Backspace, KeyModifiers::NONE);
        assert_eq!(press(KeyCode::Enter, KeyModifiers::NONE), Edited::Entered);
        assert_eq!(press(KeyCode::Esc, KeyModifiers::NONE), Edited::Cancelled);
        assert_eq!(text, "one");
    }
}
