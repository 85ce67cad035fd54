//! The menu of a text.

use egui::{Button, Response, Ui};

use super::document::Document;
use super::state::TextState;

/// What was chosen in the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MenuAction {
    /// Copy what is selected.
    Copy,
    /// Select the whole text.
    SelectAll,
    /// Ask for a line to go to.
    GoToLine,
    /// Put the keyboard into the search field.
    Find,
    /// Set or remove the bookmark of the line.
    ToggleBookmark,
}

/// Shows the menu where the text was clicked with the secondary button. `more` adds the entries of the line that was clicked.
pub(crate) fn menu(
    text: &Response,
    state: &TextState,
    document: &Document<'_>,
    more: impl FnOnce(&mut Ui, usize),
) -> Option<MenuAction> {
    let mut chosen = None;
    text.context_menu(|ui| {
        let line = state.menu_line;
        let mut entry = |ui: &mut Ui, enabled: bool, label: &str, keys: &str, action: MenuAction| {
            if ui.add_enabled(enabled, Button::new(label).shortcut_text(keys)).clicked() {
                chosen = Some(action);
                ui.close();
            }
        };
        entry(ui, !state.caret.is_empty(), "Copy selection", "Ctrl+C", MenuAction::Copy);
        entry(ui, document.lines() > 0, "Select all", "Ctrl+A", MenuAction::SelectAll);
        ui.separator();
        entry(ui, true, "Find", "Ctrl+F", MenuAction::Find);
        entry(ui, true, "Go to line…", "Ctrl+L", MenuAction::GoToLine);
        let label = if state.bookmarks.contains(&line) { "Remove bookmark" } else { "Set bookmark" };
        entry(ui, true, label, "Ctrl+F2", MenuAction::ToggleBookmark);
        more(ui, line);
    });
    chosen
}
