//! The session, colors, overlays.

use lanescope_inspector::command::Screen;
use lanescope_inspector::settings::{Preferences, Theme};

use super::effects::{Effect, Effects};
use super::{compare, open, save};
use crate::state::State;
use crate::state::overlay::Overlay;

pub(super) fn toggle_theme(state: &mut State, effects: &mut Effects) {
    set_theme(state, effects, if state.screen.dark { Theme::Light } else { Theme::Dark });
}

pub(super) fn set_theme(state: &mut State, effects: &mut Effects, theme: Theme) {
    state.session.theme = theme;
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
    let tab = state.in_front().map(|_| state.tabs.focus().to_owned());
    state.show_overlay(Overlay::Help(tab));
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
