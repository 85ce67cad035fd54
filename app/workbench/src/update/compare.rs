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
pub(super) fn compare_with(state: &mut State, with: Option<Partner>) {
    let paths = match with {
        Some(Partner::Program(id)) => {
            let Some(other) = state.programs.iter().find(|program| program.id == id) else { return };
            Some(other.paths.clone())
        }
        _ => None,
    };
    let Some(program) = state.program_mut() else { return };
    program.against = with.map(|with| Against { with, paths });
    state.touch_session();
    if with.is_some() {
        tabs::show(state, ViewId::Compare);
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
        let Some(id) = state.programs.get(with).map(|program| program.id).filter(|_| shown != with) else {
            continue;
        };
        if let Some(program) = state.programs.get_mut(shown) {
            program.against = Some(Against { with: Partner::Program(id), paths: Some(pair.with) });
        }
        if pair.show {
            show_program(state, effects, shown);
            tabs::show(state, ViewId::Compare);
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
    let Some(shown) = state.program() else { return };
    let (id, paths) = (shown.id, shown.paths.clone());
    let Some(index) = state.partner() else { return };
    if let Some(program) = state.programs.get_mut(index) {
        program.against = Some(Against { with: Partner::Program(id), paths: Some(paths) });
    }
    show_program(state, effects, index);
    state.touch_session();
}
