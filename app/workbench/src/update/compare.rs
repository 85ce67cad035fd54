//! Comparing the shown program with another one: the choice, and opening files for it.

use std::path::PathBuf;

use lanescope_inspector::ProgramId;
use lanescope_inspector::command::Purpose;
use lanescope_inspector::comparing::Partner;
use lanescope_inspector::view::ViewId;

use super::effects::{Dialog, Effects};
use super::open::{absolute, dialog_folder, open, open_dialog, show_program};
use super::tabs;
use crate::state::State;
use crate::state::comparing::{Against, PairRequest};

/// Compares the shown program with another, or with nothing.
pub(super) fn compare_with(state: &mut State, effects: &mut Effects, with: Option<Partner>) {
    if let Some(Partner::Program(id)) = with {
        let other = state.programs.iter().position(|program| program.id == id);
        if let Some(other) = other.filter(|other| *other != state.active) {
            pair(state, effects, [state.active, other], true);
        }
        return;
    }
    let Some(program) = state.program_mut() else { return };
    program.against = with.map(|with| Against { with, paths: None });
    state.touch_session();
    if with.is_some() {
        tabs::show(state, ViewId::Compare);
    }
}

/// Compares a program with another one. An AMD code object has registers and no shaders, so shaders are compared with it by
/// these; never the object with the shaders. Two objects are compared part by part.
fn pair(state: &mut State, effects: &mut Effects, [shown, with]: [usize; 2], show: bool) {
    let is_object = |index: usize| state.programs.get(index).is_some_and(|program| program.analysis.object.is_some());
    let (shown, with, view) = match [shown, with].map(is_object) {
        [false, false] | [true, true] => (shown, with, ViewId::Compare),
        [false, true] => (shown, with, ViewId::Registers),
        [true, false] => (with, shown, ViewId::Registers),
    };
    let Some(against) = state.programs.get(with).map(|program| (program.id, program.paths.clone())) else { return };
    let (id, paths) = against;
    if let Some(program) = state.programs.get_mut(shown) {
        program.against = Some(Against { with: Partner::Program(id), paths: Some(paths) });
    }
    if show {
        state.touch_session();
        show_program(state, effects, shown);
        tabs::show(state, view);
    }
}

/// Compares the shown program with files; where none is shown, opens them.
pub(super) fn compare_files(state: &mut State, effects: &mut Effects, files: Vec<PathBuf>) {
    match state.program().map(|program| program.id) {
        Some(id) => compare_program(state, effects, id, files),
        None => open(state, effects, files, None),
    }
}

/// Opens files, or takes those that are open, and compares a program with them. Opens nothing where that program was
/// closed meanwhile.
pub(super) fn compare_program(state: &mut State, effects: &mut Effects, id: ProgramId, files: Vec<PathBuf>) {
    let with = absolute(&files);
    let Some(shown) = state.programs.iter().find(|program| program.id == id).map(|program| program.paths.clone())
    else {
        state.messages.info("The program to compare with is closed.");
        return;
    };
    if shown == with {
        state.messages.info("A program cannot be compared with itself.");
        return;
    }
    state.pairs.push(PairRequest { shown, with: with.clone(), show: true });
    if state.is_open(&with) {
        pair_up(state, effects);
    } else {
        open(state, effects, with, None);
    }
}

/// Asks for files to compare with.
pub(super) fn choose_files(state: &mut State, effects: &mut Effects) {
    if let Some(id) = state.program().map(|program| program.id) {
        let folder = dialog_folder(state);
        open_dialog(state, effects, Dialog::Files(Purpose::Compare(id), folder));
    }
}

/// Compares what was waiting for both of its programs to be open.
pub(super) fn pair_up(state: &mut State, effects: &mut Effects) {
    for pair in std::mem::take(&mut state.pairs) {
        let (Some(shown), Some(with)) = (state.index_of(&pair.shown), state.index_of(&pair.with)) else {
            state.pairs.push(pair);
            continue;
        };
        if shown != with {
            self::pair(state, effects, [shown, with], pair.show);
        }
    }
}

/// Forgets that these files were to be compared: they do not open.
pub(super) fn forget_pairs(state: &mut State, paths: &[PathBuf]) {
    state.pairs.retain(|pair| pair.shown != paths && pair.with != paths);
}

/// Forgets a program that is closed.
pub(super) fn forget_partner(state: &mut State, id: ProgramId) {
    for program in &mut state.programs {
        if program.against.as_ref().is_some_and(|against| against.with == Partner::Program(id)) {
            program.against = None;
        }
    }
}

/// Shows the partner, compared with what is shown now.
pub(super) fn swap(state: &mut State, effects: &mut Effects) {
    if let Some(partner) = state.partner() {
        pair(state, effects, [partner, state.active], true);
    }
}
