//! The menu bar.

use egui::{Button, FocusDirection, Key, MenuBar, Modifiers, Ui};
use lanescope_inspector::chord;
use lanescope_inspector::command::Command;

use crate::keys::{key, key_text};
use lanescope_workbench::commands::{Menu, TABLE, TABS};
use lanescope_workbench::state::overlay::Overlay;
use lanescope_workbench::state::program::{session_title, title};
use lanescope_workbench::state::{Page, State};

/// Draws the menus. Alt and the first letter of its name opens one; an open one is walked with the arrow keys.
pub fn menu_bar(state: &State, ui: &mut Ui) -> Option<Command> {
    let mut chosen = None;
    let free = matches!(state.overlay, Overlay::None) && !state.failure_covers();
    MenuBar::new().ui(ui, |ui| {
        for (menu, name, letter) in Menu::ALL {
            let button = ui.menu_button(name, |ui| {
                arrows(ui);
                rows(state, ui, menu, None, &mut chosen);
            });
            if free && ui.input_mut(|input| input.consume_key(Modifiers::ALT, key(chord::Key::Char(letter)))) {
                // As a click does: the menu opens with the next frame, and the keyboard is on its button.
                let popup = egui::Popup::menu(&button.response);
                let id = popup.get_id();
                egui::Popup::open_id(ui.ctx(), id);
                button.response.request_focus();
            }
        }
    });
    chosen
}

/// Moves the keyboard through an open menu with the arrow keys.
fn arrows(ui: &mut Ui) {
    for (key, direction) in [(Key::ArrowDown, FocusDirection::Next), (Key::ArrowUp, FocusDirection::Previous)] {
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)) {
            ui.memory_mut(|memory| memory.move_focus(direction));
        }
    }
}

/// The rows of a menu, or of one of its submenus.
fn rows(state: &State, ui: &mut Ui, menu: Menu, submenu: Option<&str>, chosen: &mut Option<Command>) {
    ui.set_min_width(210.0);
    let mut opened = Vec::new();
    for (index, row) in TABLE.iter().filter(|row| row.menu == menu).enumerate() {
        if row.submenu != submenu {
            if let Some(name) = row.submenu.filter(|name| submenu.is_none() && !opened.contains(name)) {
                if opened.is_empty() {
                    ui.separator();
                }
                opened.push(name);
                ui.menu_button(name, |ui| {
                    rows(state, ui, menu, Some(name), chosen);
                    if name == TABS {
                        ui.separator();
                        tabs(state, ui, chosen);
                    }
                });
            }
            continue;
        }
        if row.new_group && index > 0 {
            ui.separator();
        }
        let key = row.keys.first().map(|key| key_text(ui.ctx(), key)).unwrap_or_default();
        let button = Button::new(row.label).shortcut_text(key).selected(is_on(state, &row.command));
        if ui.add_enabled(is_available(state, &row.command, row.needs_program), button).clicked() {
            *chosen = Some(row.command.clone());
            ui.close();
        }
        if row.command == Command::Samples {
            recent(state, ui, chosen);
        }
        if row.command == Command::Reopen {
            sessions(state, ui, chosen);
        }
    }
}

/// The tabs of the program.
fn tabs(state: &State, ui: &mut Ui, chosen: &mut Option<Command>) {
    for info in state.tabs.applicable() {
        let button = Button::new(info.title).selected(state.in_front().is_some() && state.tabs.shows(info.id));
        if ui.add_enabled(state.program().is_some(), button).on_hover_text(info.about).clicked() {
            *chosen = Some(Command::ShowTab(info.id));
            ui.close();
        }
    }
}

/// Sessions that other windows closed.
fn sessions(state: &State, ui: &mut Ui, chosen: &mut Option<Command>) {
    ui.add_enabled_ui(!state.earlier.is_empty(), |ui| {
        ui.menu_button("Recent sessions", |ui| {
            for (index, earlier) in state.earlier.iter().enumerate() {
                let names: Vec<_> = earlier.programs.iter().map(|program| title(&program.paths)).collect();
                if ui.button(session_title(&earlier.programs)).on_hover_text(names.join("\n")).clicked() {
                    *chosen = Some(Command::ReopenEarlier(index));
                    ui.close();
                }
            }
        });
    });
}

fn recent(state: &State, ui: &mut Ui, chosen: &mut Option<Command>) {
    ui.add_enabled_ui(!state.session.recent.is_empty(), |ui| {
        ui.menu_button("Open recent", |ui| {
            for recent in &state.session.recent {
                let folder = recent.paths.first().and_then(|path| path.parent());
                let line = ui.button(title(&recent.paths));
                let line = match folder {
                    Some(folder) => line.on_hover_text(folder.to_string_lossy()),
                    None => line,
                };
                if line.clicked() {
                    *chosen = Some(Command::OpenFiles(recent.paths.clone()));
                    ui.close();
                }
            }
        });
    });
}

/// Whether what a command switches is on.
pub fn is_on(state: &State, command: &Command) -> bool {
    match command {
        Command::SetTheme(theme) => *theme == state.theme(),
        Command::Options => state.shows_options(),
        Command::SetMode(mode) => state.in_front().is_some() && state.tabs.mode() == *mode,
        Command::Inspect => state.in_front().is_some() && state.tabs.drawer().is_some(),
        Command::Findings => state.in_front().is_some() && state.tabs.shows_findings(),
        Command::SideBySide => state.program().is_some_and(|program| program.other.is_some()),
        _ => false,
    }
}

/// Whether a command can do anything now.
fn is_available(state: &State, command: &Command, needs_program: bool) -> bool {
    match command {
        Command::CloseProgram | Command::Reload if state.failure.is_some() => true,
        Command::CloseProgram | Command::Reload | Command::Compare | Command::CopyTable | Command::Search
            if state.page == Page::Corpus =>
        {
            true
        }
        Command::Corpus(_) => state.corpus.is_some(),
        Command::Undo => state.in_front().is_some_and(|program| program.history.can_undo()),
        Command::Redo => state.in_front().is_some_and(|program| program.history.can_redo()),
        Command::Reopen => !state.previous.programs.is_empty(),
        Command::CancelWork => !state.running.is_empty(),
        Command::SetMode(mode) => state.program().is_some() && state.tabs.modes().contains(mode),
        _ => !needs_program || (state.page == Page::Program && state.program().is_some()),
    }
}
