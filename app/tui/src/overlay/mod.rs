//! Dialogs: the palette, a line for a path, lists and pages. What is typed is here; the rest is state.
//!
//! [`draw`]: how they look, and where the mouse finds their parts; [`texts`]: what pages say.

mod draw;
mod texts;

pub use texts::footer;

use std::path::PathBuf;

use lanescope_inspector::command::Command;
use lanescope_inspector::settings::{Preferences, Theme};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::compilers;
use super::field::{Edited, Field};
use super::keys::{self, Action};
use super::pane::{Link, Pane, Spot};
use super::prompt::{NAMED, NamedPrompt, Prompt};
use lanescope_host::folders::Prefer;
use lanescope_workbench::commands::row_of;
use lanescope_workbench::completion::{Partial, typed};
use lanescope_workbench::palette::{CURRENT, Item, items, matching};
use lanescope_workbench::state::State;
use lanescope_workbench::state::overlay::{Overlay, PathQuestion, PipelineRows};

/// Names that complete a path, at most so many are shown.
const NAMES: usize = 12;
/// Entries of a list that the wheel passes.
const WHEEL: isize = 3;
/// The key that measures all pipelines of a list.
const MEASURES: KeyCode = KeyCode::F(9);

/// A part of a dialog that the mouse finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The line that is typed.
    Field,
    /// An entry of the list, by its index.
    Entry(usize),
    /// What a key does.
    Key(KeyCode),
    /// The lines of a page.
    Page,
    /// The rest of the dialog.
    Frame,
}

/// The open dialog, as far as it is typed.
#[derive(Debug, Default)]
pub struct Dialog {
    /// The overlay that this belongs to.
    number: u64,
    field: Field,
    /// The chosen entry of the list, the first one that is in view, and how many are.
    chosen: usize,
    first: usize,
    room: usize,
    /// How many there are.
    count: usize,
    /// The palette lists options only.
    pub only_options: bool,
    /// What is to be typed after the dialog.
    pub prompt: Option<Prompt>,
    pane: Pane,
    requested: Option<PathBuf>,
    /// Where its parts were drawn; later ones lie over earlier ones.
    parts: Vec<(Rect, Part)>,
}

impl Dialog {
    /// Begins anew with another overlay.
    fn follow(&mut self, state: &State) {
        if self.number != state.overlay_number {
            let only_options = self.only_options;
            *self = Dialog { number: state.overlay_number, only_options, ..Dialog::default() };
            if let Overlay::Path(question) = &state.overlay {
                self.field = Field::new(&question.text);
            }
            if let Overlay::Help(_) = &state.overlay {
                self.pane.want(Spot::Section);
            }
        }
    }

    /// Begins a dialog that was opened. Returns what it requests: the names that can follow in a line for a path.
    pub fn begin(&mut self, state: &State) -> Vec<Command> {
        self.follow(state);
        match &state.overlay {
            Overlay::Path(question) if self.requested.is_none() => self.lookup(question),
            _ => Vec::new(),
        }
    }

    /// Takes pasted text.
    pub fn paste(&mut self, state: &State, text: &str) {
        self.follow(state);
        self.field.paste(text);
        (self.chosen, self.first) = (0, 0);
    }

    /// Takes a key. Returns what it requests.
    pub fn key(&mut self, state: &State, key: KeyEvent) -> Vec<Command> {
        self.follow(state);
        match &state.overlay {
            Overlay::None => Vec::new(),
            Overlay::Palette => {
                let count = self.items(state).len();
                match self.choose(count, key) {
                    Edited::Going => Vec::new(),
                    Edited::Cancelled => vec![Command::CloseOverlay],
                    Edited::Entered => self.enter(state),
                }
            }
            Overlay::Pipelines(list) => {
                if key.code == KeyCode::Tab && matches!(list.rows, PipelineRows::Folders { .. }) {
                    let source = matches!(&list.rows, PipelineRows::Folders { prefer: Prefer::Source, .. });
                    return vec![Command::PreferSource(!source)];
                }
                // Letters are the search text: a function key is free.
                if key.code == MEASURES && list.measures().is_some() {
                    return vec![Command::MeasureListed];
                }
                let count = list.rows.matching(self.field.text()).len();
                match self.choose(count, key) {
                    Edited::Going => Vec::new(),
                    Edited::Cancelled => vec![Command::CloseOverlay],
                    Edited::Entered => self.enter(state),
                }
            }
            Overlay::Path(question) => self.path(question, key),
            Overlay::Replace(_) => match key.code {
                KeyCode::Char('y' | 'Y') => vec![Command::Replace(true)],
                KeyCode::Char('n' | 'N') => vec![Command::Replace(false)],
                _ => self.read(state, key),
            },
            Overlay::EditedRun(_) => match key.code {
                KeyCode::Char('c' | 'C') => vec![Command::RestartEdited(false)],
                KeyCode::Char('r' | 'R') => vec![Command::RestartEdited(true)],
                _ => self.read(state, key),
            },
            Overlay::Preferences => match key.code {
                KeyCode::Char('t') => vec![next_theme(state)],
                KeyCode::Char('r') => vec![other_start(state)],
                _ => self.read(state, key),
            },
            Overlay::Help(_) | Overlay::Keys | Overlay::About | Overlay::Explanation(_) => self.read(state, key),
        }
    }

    /// Takes the mouse. Returns what it requests.
    pub fn mouse(&mut self, state: &State, mouse: MouseEvent) -> Vec<Command> {
        self.follow(state);
        let at = Position::new(mouse.column, mouse.row);
        let part = self.parts.iter().rev().find(|(area, _)| area.contains(at)).copied();
        let (area, part) = part.map_or((None, None), |(area, part)| (Some(area), Some(part)));
        let press = |code| KeyEvent::new(code, KeyModifiers::NONE);
        match mouse.kind {
            MouseEventKind::ScrollDown | MouseEventKind::ScrollUp => {
                let by = if mouse.kind == MouseEventKind::ScrollDown { WHEEL } else { -WHEEL };
                self.scroll(by);
                Vec::new()
            }
            MouseEventKind::Down(MouseButton::Left) => match part {
                // Beside the dialog.
                None => self.key(state, press(KeyCode::Esc)),
                Some(Part::Key(code)) => self.key(state, press(code)),
                Some(Part::Entry(entry)) => {
                    self.chosen = entry;
                    self.enter(state)
                }
                Some(Part::Page) => {
                    let is_link = area.is_some_and(|area| self.pane.press(area, at));
                    if is_link { self.linked() } else { Vec::new() }
                }
                Some(Part::Field) => {
                    self.field.press(at);
                    Vec::new()
                }
                Some(Part::Frame) => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Scrolls the list, or the page; the chosen entry stays in view.
    fn scroll(&mut self, by: isize) {
        self.pane.scroll(by);
        self.first = self.first.saturating_add_signed(by).min(self.count.saturating_sub(self.room));
        let last = (self.first + self.room).min(self.count).saturating_sub(1);
        self.chosen = self.chosen.clamp(self.first.min(last), last);
    }

    /// What the chosen entry does.
    fn enter(&mut self, state: &State) -> Vec<Command> {
        match &state.overlay {
            Overlay::Palette => {
                let items = self.items(state);
                self.prompt = items.get(self.chosen).and_then(prompt_of);
                let chosen = items.get(self.chosen).map(|item| item.commands.clone());
                std::iter::once(Command::CloseOverlay).chain(chosen.into_iter().flatten()).collect()
            }
            Overlay::Pipelines(list) => {
                let found = list.rows.matching(self.field.text());
                found.get(self.chosen).map(|row| Command::ChooseListed(*row)).into_iter().collect()
            }
            Overlay::Path(question) => {
                let partial = Partial::of(self.field.text());
                let text = names(question, &partial).get(self.chosen).map(|name| partial.with(name));
                if let Some(text) = text {
                    self.field.set(&text);
                }
                self.lookup(question)
            }
            _ => Vec::new(),
        }
    }

    /// What the link at the cursor of a page does.
    fn linked(&self) -> Vec<Command> {
        match self.pane.link() {
            Some(Link::Do(commands)) => commands.clone(),
            _ => Vec::new(),
        }
    }

    /// Moves in a page, follows its links, or closes it.
    fn read(&mut self, state: &State, key: KeyEvent) -> Vec<Command> {
        match keys::action(key) {
            Some(Action::Follow) if self.pane.link().is_some() => self.linked(),
            Some(Action::Escape | Action::Follow | Action::Do(Command::Quit | Command::Keys)) => match &state.overlay {
                Overlay::Replace(_) => vec![Command::Replace(false)],
                _ => vec![Command::CloseOverlay],
            },
            Some(Action::Go(motion)) => {
                self.pane.go(motion);
                Vec::new()
            }
            Some(Action::Do(Command::Search)) => {
                self.prompt = Some(Prompt::Search);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Searches in a page. False without a match.
    pub fn search(&mut self, text: &str) -> bool {
        self.pane.search(text)
    }

    /// Moves in a list, or edits what is searched in it.
    fn choose(&mut self, count: usize, key: KeyEvent) -> Edited {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let page = isize::try_from(self.room.saturating_sub(1).max(1)).unwrap_or(1);
        let step = match key.code {
            KeyCode::Down => 1,
            KeyCode::Up => -1,
            KeyCode::Char('n') if ctrl => 1,
            KeyCode::Char('p') if ctrl => -1,
            KeyCode::PageDown => page,
            KeyCode::PageUp => -page,
            _ => {
                let before = self.field.text().to_owned();
                let edited = self.field.key(key);
                if self.field.text() != before {
                    (self.chosen, self.first) = (0, 0);
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
        all.extend(compilers::items(state));
        let applying = NAMED.iter().filter(|row| row.prompt.applies(state));
        let asking = applying.map(|NamedPrompt { prompt, name, label }| {
            let label = match prompt.now(state) {
                Some(now) => format!("{}: {now}…", label.trim_end_matches('…')),
                None => (*label).to_owned(),
            };
            Item::asking(label, &format!(":{name}"))
        });
        if self.only_options {
            all.retain(|item| item.note == "option" || item.note == CURRENT);
            all.splice(..0, asking.filter(|item| prompt_of(item).is_some_and(Prompt::is_option)));
        } else {
            all.extend(asking);
        }
        let typed = self.field.text().trim().trim_start_matches(':');
        let named = |item: &Item| prompt_row(item).map(|row| row.name);
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
        if key.code == KeyCode::Tab && question.purpose.is_of_paths() {
            let partial = Partial::of(self.field.text());
            if let Some(text) = partial.common(&names(question, &partial)) {
                self.field.set(&text);
            }
        } else {
            match self.field.key(key) {
                Edited::Going => {}
                Edited::Cancelled => return vec![Command::TakePaths(question.purpose, Vec::new())],
                Edited::Entered => {
                    let paths = typed(question, self.field.text());
                    let entered = (!paths.is_empty()).then_some(Command::TakePaths(question.purpose, paths));
                    return entered.into_iter().collect();
                }
            }
        }
        self.lookup(question)
    }

    /// Requests the names that can follow, unless they were.
    fn lookup(&mut self, question: &PathQuestion) -> Vec<Command> {
        if !question.purpose.is_of_paths() {
            return Vec::new();
        }
        let folder = Partial::of(self.field.text()).lookup();
        if self.requested.as_ref() == Some(&folder) {
            return Vec::new();
        }
        self.requested = Some(folder.clone());
        vec![Command::ListNames(folder)]
    }
}

/// The names that can follow, as far as they are known.
fn names<'q>(question: &'q PathQuestion, partial: &Partial<'_>) -> Vec<&'q str> {
    let names = question.names.as_ref().filter(|(folder, _)| *folder == partial.lookup());
    names.map(|(_, names)| partial.matching(names)).unwrap_or_default()
}

/// What an item of the palette has typed.
fn prompt_of(item: &Item) -> Option<Prompt> {
    prompt_row(item).map(|row| row.prompt)
}

fn prompt_row(item: &Item) -> Option<&'static NamedPrompt> {
    let name = item.note.strip_prefix(':').filter(|_| item.commands.is_empty())?;
    NAMED.iter().find(|row| row.name == name)
}

fn next_theme(state: &State) -> Command {
    Command::SetTheme(match state.theme() {
        Theme::System => Theme::Light,
        Theme::Light => Theme::Dark,
        Theme::Dark => Theme::System,
    })
}

fn other_start(state: &State) -> Command {
    let now = state.session.preferences;
    Command::SetPreferences(Preferences { reopen: !now.reopen, ..now })
}
