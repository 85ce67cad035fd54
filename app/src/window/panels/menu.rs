//! The menu bar.

use egui::{Button, MenuBar, Ui};
use lanescope_inspector::command::Command;

use crate::state::program::title;
use crate::state::{Page, State};
use crate::window::commands::{Menu, TABLE};

/// Draws the menus.
pub fn menu_bar(state: &State, ui: &mut Ui) -> Option<Command> {
    let mut chosen = None;
    MenuBar::new().ui(ui, |ui| {
        for (menu, name) in Menu::ALL {
            ui.menu_button(name, |ui| rows(state, ui, menu, &mut chosen));
        }
    });
    chosen
}

fn rows(state: &State, ui: &mut Ui, menu: Menu, chosen: &mut Option<Command>) {
    ui.set_min_width(210.0);
    for row in TABLE.iter().filter(|row| row.menu == menu) {
        if row.new_group {
            ui.separator();
        }
        let key = row.keys.first().map(|key| ui.ctx().format_shortcut(key)).unwrap_or_default();
        let button = Button::new(row.label).shortcut_text(key).selected(is_on(state, &row.command));
        if ui.add_enabled(is_available(state, &row.command, row.needs_program), button).clicked() {
            *chosen = Some(row.command.clone());
            ui.close();
        }
        if row.command == Command::Samples {
            recent(state, ui, chosen);
        }
        if row.command == Command::PreviousTab {
            tabs(state, ui, chosen);
        }
    }
}

fn tabs(state: &State, ui: &mut Ui, chosen: &mut Option<Command>) {
    ui.menu_button("Tabs", |ui| {
        for info in state.tabs.applicable() {
            let button = Button::new(info.title);
            if ui.add_enabled(state.program().is_some(), button).on_hover_text(info.about).clicked() {
                *chosen = Some(Command::ShowTab(info.name.to_owned()));
                ui.close();
            }
        }
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
        Command::SetTheme(theme) => *theme == state.session.theme,
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
        Command::Reopen => !state.previous.programs.is_empty(),
        Command::CancelWork => !state.running.is_empty(),
        Command::SetMode(mode) => state.program().is_some() && state.tabs.modes().contains(mode),
        _ => !needs_program || (state.page == Page::Program && state.program().is_some()),
    }
}
