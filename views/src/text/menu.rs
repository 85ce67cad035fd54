//! The menu of a text.

use egui::{Response, Ui};

use super::document::Document;
use super::state::TextState;
use crate::menu::{Menu, context_menu};

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

/// Shows the menu where the text was clicked with the secondary button, or a key asks for it. `more` adds the entries of the line that was clicked.
pub(crate) fn menu(
    text: &Response,
    state: &TextState,
    document: &Document<'_>,
    more: impl FnOnce(&mut Ui, usize),
) -> Option<MenuAction> {
    let mut chosen = None;
    context_menu(text, |menu| {
        let line = state.menu_line;
        let mut entry = |menu: &mut Menu<'_>, enabled: bool, label: &str, keys: &str, action: MenuAction| {
            if menu.item_with_key(enabled, label, keys) {
                chosen = Some(action);
            }
        };
        entry(menu, !state.caret.is_empty(), "Copy selection", "Ctrl+C", MenuAction::Copy);
        entry(menu, document.lines() > 0, "Select all", "Ctrl+A", MenuAction::SelectAll);
        menu.separator();
        entry(menu, true, "Find", "Ctrl+F", MenuAction::Find);
        entry(menu, true, "Go to line…", "Ctrl+L", MenuAction::GoToLine);
        let label = if state.bookmarks.contains(&line) { "Remove bookmark" } else { "Set bookmark" };
        entry(menu, true, label, "Ctrl+F2", MenuAction::ToggleBookmark);
        more(menu.ui(), line);
    });
    chosen
}
