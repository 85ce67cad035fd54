//! The menu bar.

use egui::{Button, FocusDirection, Id, Key, MenuBar, Modifiers, Ui};
use lanescope_inspector::chord;
use lanescope_inspector::command::Command;

use crate::keys::{key, key_text};
use lanescope_views::names::elided;
use lanescope_workbench::commands::{Menu, TABLE, TABS};
use lanescope_workbench::state::overlay::Overlay;
use lanescope_workbench::state::program::{session_title, title};
use lanescope_workbench::state::{Page, State};

/// An entry's name is not wider, in points.
const NAME_WIDTH: f32 = 420.0;

/// The menus as they were drawn last.
#[derive(Debug, Clone, Default)]
struct Drawn {
    /// The titles in the bar.
    titles: Vec<Id>,
    /// The entries that open a submenu.
    submenus: Vec<Id>,
    /// The place of the open one.
    open: Option<usize>,
}

/// Draws the menus. Alt and the first letter of its name opens one. The toolkit walks an open one with the arrow keys;
/// Left and Right go to the menus beside it.
pub fn menu_bar(state: &State, ui: &mut Ui) -> Option<Command> {
    let mut chosen = None;
    let free = matches!(state.overlay, Overlay::None) && !state.failure_covers();
    let id = Id::unique("menus");
    let wanted = ui.data(|data| data.get_temp(id)).and_then(|drawn| beside(ui, &drawn));
    if wanted.is_some() {
        // Before the toolkit looks at the key.
        ui.memory_mut(|memory| memory.move_focus(FocusDirection::None));
    }
    MenuBar::new().ui(ui, |ui| {
        let mut drawn = Drawn::default();
        for (at, (menu, name, letter)) in Menu::ALL.into_iter().enumerate() {
            let button = ui.menu_button(name, |ui| rows(state, ui, menu, None, &mut drawn.submenus, &mut chosen));
            let by_letter = || ui.input_mut(|it| it.consume_key(Modifiers::ALT, key(chord::Key::Char(letter))));
            if wanted == Some(at) || (free && by_letter()) {
                // As a click does: the menu opens with the next frame, and the keyboard is on its title.
                egui::Popup::open_id(ui.ctx(), egui::Popup::menu(&button.response).get_id());
                button.response.request_focus();
            }
            drawn.open = button.inner.map_or(drawn.open, |()| Some(at));
            drawn.titles.push(button.response.id);
        }
        ui.data_mut(|data| data.insert_temp(id, drawn));
    });
    chosen
}

/// The place of the menu that Left or Right goes to from the open one. On an entry with a submenu Right opens that, and
/// in a submenu Left goes back.
fn beside(ui: &Ui, drawn: &Drawn) -> Option<usize> {
    let open = drawn.open?;
    let pressed = |key| ui.input(|input| input.modifiers.is_none() && input.key_pressed(key));
    let focused = ui.memory(|memory| memory.focused());
    let layer = focused.and_then(|id| ui.ctx().read_response(id)).map(|response| response.layer_id);
    let count = drawn.titles.len();
    let title = drawn.titles.get(open).and_then(|id| ui.ctx().read_response(*id))?;
    let menu = egui::Popup::menu(&title).get_id();
    let in_submenu = layer.is_some_and(|layer| layer != title.layer_id && layer.id != menu);
    if pressed(Key::ArrowRight) && !focused.is_some_and(|id| drawn.submenus.contains(&id)) {
        return Some((open + 1) % count);
    }
    (pressed(Key::ArrowLeft) && !in_submenu).then(|| (open + count - 1) % count)
}

/// The rows of a menu, or of one of its submenus.
fn rows(
    state: &State,
    ui: &mut Ui,
    menu: Menu,
    submenu: Option<&str>,
    submenus: &mut Vec<Id>,
    chosen: &mut Option<Command>,
) {
    ui.set_min_width(210.0);
    let mut opened = Vec::new();
    for (index, row) in TABLE.iter().filter(|row| row.menu == menu).enumerate() {
        if row.submenu != submenu {
            if let Some(name) = row.submenu.filter(|name| submenu.is_none() && !opened.contains(name)) {
                if opened.is_empty() {
                    ui.separator();
                }
                opened.push(name);
                let button = ui.menu_button(name, |ui| {
                    rows(state, ui, menu, Some(name), submenus, chosen);
                    if name == TABS {
                        ui.separator();
                        tabs(state, ui, chosen);
                    }
                });
                submenus.push(button.response.id);
            }
            continue;
        }
        if row.new_group && index > 0 {
            ui.separator();
        }
        let button = Button::new(row.label).selected(is_on(state, &row.command));
        let button = match row.keys.first() {
            Some(key) => button.shortcut_text(key_text(ui.ctx(), key)),
            None => button,
        };
        if ui.add_enabled(is_available(state, &row.command, row.needs_program), button).clicked() {
            *chosen = Some(row.command.clone());
            ui.close();
        }
        if row.command == Command::Samples {
            submenus.push(recent(state, ui, chosen));
        }
        if row.command == Command::Reopen {
            submenus.push(sessions(state, ui, chosen));
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
fn sessions(state: &State, ui: &mut Ui, chosen: &mut Option<Command>) -> Id {
    let drawn = ui.add_enabled_ui(!state.earlier.is_empty(), |ui| {
        ui.menu_button("Recent sessions", |ui| {
            for (index, earlier) in state.earlier.iter().enumerate() {
                let names: Vec<_> = earlier.programs.iter().map(|program| title(&program.paths)).collect();
                let name = elided(ui, &session_title(&earlier.programs), NAME_WIDTH);
                if ui.button(name).on_hover_text(names.join("\n")).clicked() {
                    *chosen = Some(Command::ReopenEarlier(index));
                    ui.close();
                }
            }
        })
    });
    drawn.inner.response.id
}

fn recent(state: &State, ui: &mut Ui, chosen: &mut Option<Command>) -> Id {
    let drawn = ui.add_enabled_ui(!state.session.recent.is_empty(), |ui| {
        ui.menu_button("Open recent", |ui| {
            for recent in &state.session.recent {
                let paths: Vec<_> = recent.paths.iter().map(|path| path.to_string_lossy()).collect();
                let name = elided(ui, &title(&recent.paths), NAME_WIDTH);
                if ui.button(name).on_hover_text(paths.join("\n")).clicked() {
                    *chosen = Some(Command::OpenFiles(recent.paths.clone()));
                    ui.close();
                }
            }
        })
    });
    drawn.inner.response.id
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
