//! The arrangement of the tabs, and requests to the tab in front.

use lanescope_inspector::layout::Layout;
use lanescope_inspector::view::Ask;

use super::effects::{Effect, Effects};
use crate::state::tabs::Tabs;
use crate::state::{Page, State};

/// Shows a tab.
pub(super) fn show(state: &mut State, view: &str) {
    if state.programs.is_empty() {
        return;
    }
    state.page = Page::Program;
    state.tabs.show_view(view);
    keep_layout(state);
}

/// Shows a tab and puts the keyboard into it.
pub(super) fn show_and_enter(state: &mut State, effects: &mut Effects, view: &str) {
    show(state, view);
    effects.push(Effect::EnterTab);
}

pub(super) fn step(state: &mut State, effects: &mut Effects, step: isize) {
    state.tabs.step(step);
    effects.push(Effect::EnterTab);
    keep_layout(state);
}

/// Arranges the tabs anew, or says that there is nothing to arrange.
pub(super) fn arrange(state: &mut State, change: impl FnOnce(&mut Tabs) -> bool) {
    if state.tabs.folded() {
        state.messages.info("The window is too narrow for a second pane.");
    } else if change(&mut state.tabs) {
        keep_layout(state);
    } else {
        state.messages.info("This pane has only one tab, and there is no other pane.");
    }
}

/// Restores the built-in arrangement.
pub(super) fn reset(state: &mut State) {
    state.session.layout = None;
    state.touch_session();
    state.tabs.set(None);
    if state.screen.narrow {
        state.tabs.fold(true, None);
    }
}

/// Takes the arrangement that is drawn; `edited`, whether it was made by pointer.
pub(super) fn take_arrangement(state: &mut State, layout: Layout, edited: bool) {
    state.tabs.take(layout);
    if edited {
        keep_layout(state);
    } else if !state.tabs.folded() && state.session.layout.is_some() {
        // What is drawn joins nested groups.
        state.session.layout = Some(state.tabs.layout().clone());
    }
}

/// Notes the arrangement of the tabs.
fn keep_layout(state: &mut State) {
    // Folded tabs are for now; what is kept is how they were before.
    if !state.tabs.folded() {
        state.session.layout = Some(state.tabs.layout().clone());
        state.touch_session();
    }
}

/// Requests something of the tab that keys go to. False if it does not answer to that.
fn ask(state: &State, effects: &mut Effects, ask: Ask) -> bool {
    let answers = state.tabs.answers(state.tabs.focus(), ask);
    if answers {
        effects.push(Effect::Ask(ask));
    }
    answers
}

pub(super) fn search(state: &State, effects: &mut Effects) {
    ask(state, effects, Ask::Search);
}

pub(super) fn go_to_change(state: &mut State, effects: &mut Effects, change: Ask) {
    if !ask(state, effects, change) {
        state.messages.info("This tab shows no changes; the tabs Rewritten, ISA and Compare do.");
    }
}

pub(super) fn copy_table(state: &mut State, effects: &mut Effects) {
    if !ask(state, effects, Ask::CopyTable) {
        state.messages.info("This tab has no table to copy.");
    }
}

/// Saves the picture of the tab in front; where that has none, shows the tab that has one first.
pub(super) fn export_picture(state: &mut State, effects: &mut Effects) {
    let Some(program) = state.program() else { return };
    let report = &program.analysis.report;
    let tabs = [
        (state.tabs.focus().to_owned(), true),
        ("packing".to_owned(), report.packing.is_some()),
        ("workgroup".to_owned(), !report.workgroup.is_empty()),
    ];
    for (name, _) in tabs.into_iter().filter(|(_, has)| *has) {
        if state.tabs.answers(&name, Ask::ExportPicture) {
            show(state, &name);
            ask(state, effects, Ask::ExportPicture);
            return;
        }
    }
    state.messages.info("This tab has no picture to export.");
}
