//! The mode and the arrangement of its tabs, and requests to the tab in front.

use lanescope_inspector::layout::Layout;
use lanescope_inspector::mode::Mode;
use lanescope_inspector::view::{Ask, ViewId};

use super::effects::{Effect, Effects};
use crate::state::tabs::Tabs;
use crate::state::{Page, State};

/// Shows a tab.
pub(super) fn show(state: &mut State, view: ViewId) {
    if state.programs.is_empty() {
        return;
    }
    state.page = Page::Program;
    let shown = state.tabs.show_view(view);
    if shown {
        state.keep_tabs();
    } else if let Some(info) = state.tabs.views().iter().find(|info| info.id == view) {
        let title = info.title;
        state.messages.info(format!("{title} has nothing to show for this program."));
    }
}

/// Shows a tab and puts the keyboard into it.
pub(super) fn show_and_enter(state: &mut State, effects: &mut Effects, view: ViewId) {
    show(state, view);
    effects.push(Effect::EnterTab);
}

/// Shows a mode and puts the keyboard into its main view.
pub(super) fn set_mode(state: &mut State, effects: &mut Effects, mode: Mode) {
    if state.programs.is_empty() {
        return;
    }
    state.page = Page::Program;
    if state.tabs.set_mode(mode) {
        state.keep_tabs();
        effects.push(Effect::EnterTab);
    } else {
        state.messages.info(format!("The mode {} has nothing to show for this program.", mode.title()));
    }
}

/// Opens or closes the drawer.
pub(super) fn toggle_drawer(state: &mut State, effects: &mut Effects) {
    if state.programs.is_empty() {
        return;
    }
    state.page = Page::Program;
    state.tabs.toggle_drawer();
    effects.push(Effect::EnterTab);
    state.keep_tabs();
}

/// Opens the panel of findings, or closes it where the keyboard is in it.
pub(super) fn toggle_findings(state: &mut State, effects: &mut Effects) {
    if state.programs.is_empty() {
        return;
    }
    state.page = Page::Program;
    state.tabs.toggle_findings();
    effects.push(Effect::EnterTab);
    state.keep_tabs();
}

pub(super) fn step(state: &mut State, effects: &mut Effects, step: isize) {
    state.tabs.step(step);
    effects.push(Effect::EnterTab);
    state.keep_tabs();
}

/// Arranges the tabs anew, or says that there is nothing to arrange.
pub(super) fn arrange(state: &mut State, change: impl FnOnce(&mut Tabs) -> bool) {
    if state.tabs.folded() {
        state.messages.info("The window is too narrow for a second pane.");
    } else if change(&mut state.tabs) {
        state.keep_tabs();
    } else {
        state.messages.info("This pane has only one tab, and there is no other pane.");
    }
}

/// Restores the built-in arrangement of the mode.
pub(super) fn reset(state: &mut State) {
    state.tabs.reset();
    state.keep_tabs();
}

/// Takes the arrangement that is drawn.
pub(super) fn take_arrangement(state: &mut State, layout: Layout, edited: bool, dragged: &[ViewId]) {
    state.tabs.take(layout, edited, dragged);
    state.keep_tabs();
}

/// Shows the views of the program in front.
pub(super) fn follow_program(state: &mut State) {
    let of_before = state.tabs.shown_of().map(|(of, _)| of);
    if state.program().is_some_and(|program| Some(program.id) != of_before) {
        state.keep_shown();
    }
    if let Some(program) = state.programs.get(state.active) {
        let is_first = program.tabs.is_none();
        state.tabs.show_program(program.id, program.applicable(), program.tabs.as_ref());
        // A container that was not converted has no layout to show, but all of what its parts say.
        if is_first && !state.tabs.modes().contains(&Mode::Layout) {
            state.tabs.show_view(ViewId::Dxil);
        }
        if is_first {
            state.keep_shown();
        }
    }
}

/// Requests something of the tab that keys go to. False if it does not answer to that.
fn ask(state: &State, effects: &mut Effects, ask: Ask) -> bool {
    let answers = state.tabs.focus().is_some_and(|focus| state.tabs.answers(focus, ask));
    if answers {
        effects.push(Effect::Ask(ask));
    }
    answers
}

pub(super) fn search(state: &State, effects: &mut Effects) {
    ask(state, effects, Ask::Search);
}

/// Requests something of the text in the tab that keys go to.
pub(super) fn ask_text(state: &mut State, effects: &mut Effects, of_text: Ask) {
    if !ask(state, effects, of_text) {
        state.messages.info("This tab shows no text.");
    }
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
        state.tabs.focus(),
        report.packing.is_some().then_some(ViewId::Packing),
        (!report.workgroup.is_empty()).then_some(ViewId::Workgroup),
    ];
    for view in tabs.into_iter().flatten() {
        if state.tabs.answers(view, Ask::ExportPicture) {
            show(state, view);
            ask(state, effects, Ask::ExportPicture);
            return;
        }
    }
    state.messages.info("This tab has no picture to export.");
}
