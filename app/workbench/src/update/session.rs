//! The session, colors, overlays.

use std::path::PathBuf;

use lanescope_core::findings::rule;
use lanescope_core::table::one_line;
use lanescope_inspector::command::Screen;
use lanescope_inspector::settings::{Preferences, Theme};

use super::effects::{Effect, Effects};
use super::{compare, open, save};
use crate::completion::names_in;
use crate::outcome::Outcome;
use crate::state::State;
use crate::state::overlay::{HelpAt, Overlay};
use crate::state::tasks::Tag;

/// The most names of a folder that complete a path.
const NAMES_AT_MOST: usize = 5000;

pub(super) fn toggle_theme(state: &mut State, effects: &mut Effects) {
    set_theme(state, effects, if state.screen.dark { Theme::Light } else { Theme::Dark });
}

pub(super) fn set_theme(state: &mut State, effects: &mut Effects, theme: Theme) {
    match state.is_terminal {
        true => state.session.terminal_theme = theme,
        false => state.session.theme = theme,
    }
    effects.push(Effect::Theme(theme));
    state.touch_session();
}

/// Changes the preferences; the size of everything follows at once.
pub(super) fn set_preferences(state: &mut State, effects: &mut Effects, preferences: Preferences) {
    let preferences = preferences.clamped();
    if preferences.zoom != state.session.preferences.zoom {
        effects.push(Effect::Zoom(preferences.zoom));
    }
    state.session.preferences = preferences;
    state.touch_session();
}

/// Changes the size of everything.
pub(super) fn zoom(state: &mut State, effects: &mut Effects, change: impl FnOnce(Preferences) -> Preferences) {
    let preferences = change(state.session.preferences);
    set_preferences(state, effects, preferences);
}

/// Takes the window's size and colors. All tabs are in one group while the window is too narrow for several.
pub(super) fn set_screen(state: &mut State, screen: Screen) {
    state.screen = screen;
    if screen.narrow != state.tabs.folded() {
        state.tabs.fold(screen.narrow);
    }
    if let Some([_, height]) = screen.size {
        state.tabs.set_height(height);
    }
    if screen.size.is_some() && screen.size != state.session.size {
        state.session.size = screen.size;
        state.touch_session();
    }
}

/// Writes the session in the background.
pub(super) fn save_session(state: &mut State, effects: &mut Effects) {
    state.unsaved_since = None;
    effects.push(Effect::SaveSession(Box::new(state.session_now().clone())));
}

pub(super) fn take_saved(state: &mut State, saved: Result<(), String>) {
    // One message is enough while it stays so.
    if let (Err(error), None) = (&saved, &state.save_error) {
        state.messages.error(error.clone());
    }
    state.save_error = saved.err();
}

/// Shows the manual, at the page of the tab that is in front.
pub(super) fn show_help(state: &mut State) {
    let tab = state.in_front().and_then(|_| state.tabs.focus());
    state.show_overlay(Overlay::Help(HelpAt::Tab(tab)));
}

/// Explains a code of findings, in upper or lower case.
pub(super) fn explain(state: &mut State, code: &str) {
    match rule(code.trim()) {
        Some(rule) => state.show_overlay(Overlay::Explanation(rule.code.to_owned())),
        None => {
            let code = one_line(code.trim());
            state.messages.error(format!("Not a finding code: `{code}` (`lanescope help findings` lists them)"));
        }
    }
}

/// Lists the names in a folder.
pub(super) fn list_names(state: &mut State, effects: &mut Effects, folder: PathBuf) {
    effects.cancel(state, Tag::Names);
    effects.start(state, Tag::Names, format!("listing {}", folder.display()), move |_, _| {
        let names = names_in(&folder, NAMES_AT_MOST);
        Outcome::Names(folder, names)
    });
}

/// Takes the names in a folder, while a path is typed.
pub(super) fn take_names(state: &mut State, folder: PathBuf, names: Vec<String>) {
    if let Overlay::Path(question) = &mut state.overlay {
        question.names = Some((folder, names));
    }
}

/// Closes the open overlay: its question is cancelled.
pub(super) fn close_overlay(state: &mut State, effects: &mut Effects) {
    match std::mem::take(&mut state.overlay) {
        Overlay::Pipelines(list) => {
            if !state.is_open(&list.paths) {
                compare::forget_pairs(state, &list.paths);
            }
            open::leave_failure(state, effects);
        }
        Overlay::Path(question) => save::take_paths(state, effects, question.purpose, Vec::new()),
        _ => {}
    }
}
