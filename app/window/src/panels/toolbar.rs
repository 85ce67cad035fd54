//! The toolbar: the switcher of programs, and the most frequent commands.

use egui::{ComboBox, Ui};
use lanescope_inspector::command::Command;
use lanescope_inspector::corpus::CorpusCommand;

use crate::keys::key_text;
use lanescope_views::combo::entry_of;
use lanescope_views::names::elided;
use lanescope_views::rows::controls;
use lanescope_workbench::commands::row_of;
use lanescope_workbench::state::corpus::CorpusPage;
use lanescope_workbench::state::{Page, State};

/// Room for the buttons of the program, the modes and the drawer, in points.
const MODES_WIDTH: f32 = 480.0;

/// Width of the button before it, in points.
const OPTIONS_WIDTH: f32 = 84.0;

/// An entry's name is not wider, in points.
const NAME_WIDTH: f32 = 420.0;

/// Draws the toolbar.
pub fn toolbar(state: &State, ui: &mut Ui) -> Option<Command> {
    let mut chosen = None;
    let program = state.program()?;
    let room = ui.available_width();
    controls(ui, "toolbar", |ui| {
        ui.set_min_height(26.0);
        if ui.selectable_label(state.shows_options(), "Options").on_hover_text("Show or hide the options").clicked() {
            chosen = Some(Command::Options);
        }
        ui.separator();
        let width = (room - OPTIONS_WIDTH - MODES_WIDTH).clamp(80.0, 360.0);
        let files: Vec<_> = program.paths.iter().map(|path| path.display().to_string()).collect();
        let switcher = ui.scope(|ui| {
            // The text is cut at the end of the space, not at the width.
            ui.set_max_width(width);
            let switcher = ComboBox::from_id_salt("programs").width(width).truncate();
            let shown = state.corpus_in_front().map_or_else(|| program.title(), CorpusPage::title);
            let shown = elided(ui, &shown, width - 40.0);
            switcher.selected_text(shown).show_ui(ui, |ui| {
                if let Some(page) = &state.corpus {
                    let entry = entry_of(ui, state.page == Page::Corpus, page.title());
                    if entry.clicked() {
                        chosen = Some(Command::Corpus(CorpusCommand::Show));
                    } else if entry.middle_clicked() {
                        chosen = Some(Command::Corpus(CorpusCommand::Close));
                    }
                }
                for (index, program) in state.programs.iter().enumerate() {
                    let is_shown = index == state.active && state.page != Page::Corpus;
                    let name = elided(ui, &program.title(), NAME_WIDTH);
                    let entry = entry_of(ui, is_shown, name);
                    if entry.clicked() {
                        chosen = Some(Command::ShowProgram(index));
                    } else if entry.middle_clicked() {
                        chosen = Some(Command::CloseProgramAt(index));
                    }
                }
            })
        });
        let switcher = switcher.inner.response.on_hover_text(files.join("\n")).accessible_name("Program");
        if switcher.middle_clicked() {
            chosen = Some(Command::CloseProgram);
        }
        for (command, sign, name) in
            [(Command::CloseProgram, "×", "Close this program"), (Command::Reload, "⟳", "Reload the files")]
        {
            let key = row_of(&command).and_then(|row| row.keys.first());
            let key = key.map(|key| format!(" ({})", key_text(ui.ctx(), key))).unwrap_or_default();
            let button = ui.button(sign).on_hover_text(format!("{name}{key}"));
            if button.accessible_name(name).clicked() {
                chosen = Some(command);
            }
        }
        ui.separator();
        chosen = chosen.take().or(modes(state, ui));
    });
    chosen
}

/// Draws the switch of modes, and that of the drawer.
fn modes(state: &State, ui: &mut Ui) -> Option<Command> {
    let mut chosen = None;
    let hint = |ui: &Ui, about: &str, command: &Command| {
        let key = row_of(command).and_then(|row| row.keys.first());
        key.map_or_else(|| about.to_owned(), |key| format!("{about} ({})", key_text(ui.ctx(), key)))
    };
    for mode in state.tabs.modes() {
        let command = Command::SetMode(mode);
        let about = hint(ui, mode.about(), &command);
        if ui.selectable_label(state.tabs.mode() == mode, mode.title()).on_hover_text(about).clicked() {
            chosen = Some(command);
        }
    }
    if !state.tabs.folded() {
        ui.separator();
        let about = hint(ui, "Guessed layout, overview, DXIL", &Command::Inspect);
        if ui.selectable_label(state.tabs.drawer().is_some(), "Details").on_hover_text(about).clicked() {
            chosen = Some(Command::Inspect);
        }
    }
    chosen
}
