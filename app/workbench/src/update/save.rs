//! Saving pictures, rewritten modules and results of runs; paths that were chosen or typed.

use std::path::{Path, PathBuf};

use lanescope_core::run::graph::file;
use lanescope_inspector::command::{Output, PictureFile, Purpose};
use lanescope_inspector::tasks::Work;

use super::effects::{Dialog, Effect, Effects};
use super::{compare, corpus, open, options, reduce, run, step, tabs, variants};
use crate::outcome::{Outcome, Picked};
use crate::state::State;
use crate::state::overlay::{Overlay, PathQuestion, ReplaceQuestion};
use crate::state::program::OpenProgram;
use crate::state::saving::{Pending, Saved};
use crate::state::tasks::Tag;
use lanescope_host::outputs;
use lanescope_inspector::view::ViewId;

/// Why a path is typed.
pub(super) const NO_DIALOG: &str = "No file dialog is available: install xdg-desktop-portal or zenity.";

pub(super) fn copy(state: &mut State, effects: &mut Effects, text: String) {
    let lines = text.lines().count();
    effects.push(Effect::Copy(text));
    state.messages.info(if lines == 1 { "Copied.".to_owned() } else { format!("Copied {lines} lines.") });
}

/// Asks where to save a picture of the shown program.
pub(super) fn save_picture(state: &mut State, effects: &mut Effects, picture: PictureFile, what: &str) {
    let Some(stem) = stem(state) else { return };
    ask_where(state, effects, Pending::Picture(picture, format!("{stem}-{what}.svg")));
}

/// Asks where to save the rewritten modules; rewrites them first where that has not been done.
pub(super) fn save_rewritten(state: &mut State, effects: &mut Effects) {
    let Some(program) = state.program() else { return };
    let (revision, settings) = (program.revision, &state.settings.run);
    let answer = program.results.rewriting.answer.as_ref();
    let fresh = answer.filter(|answer| answer.revision == revision && answer.settings.passes == settings.passes);
    match fresh.map(|answer| &answer.result) {
        Some(Ok(_)) => {
            let files = program.rewritten_files.clone();
            ask_where(state, effects, Pending::Files(files));
        }
        Some(Err(why)) => {
            let message = format!("Cannot be rewritten: {why}");
            state.messages.error(message);
        }
        None => {
            tabs::show(state, ViewId::Rewritten);
            run::begin(state, effects, Work::Rewrite);
            state.messages.info("The modules are being rewritten. Save them when that is done.");
        }
    }
}

/// Asks where to save what a run wrote.
pub(super) fn save_output(state: &mut State, effects: &mut Effects, output: &Output) {
    let Some((stem, ran)) = stem(state).zip(state.program().and_then(|program| program.results.run.done())) else {
        return;
    };
    match outputs::file(ran, output) {
        Ok((name, bytes)) => ask_where(state, effects, Pending::File(bytes, format!("{stem}-{name}"))),
        Err(why) => state.messages.error(why),
    }
}

/// Asks where to save a text of the shown program.
pub(super) fn save_text(state: &mut State, effects: &mut Effects, text: String, name: &str) {
    let Some(stem) = stem(state) else { return };
    ask_where(state, effects, Pending::File(text.into_bytes(), format!("{stem}-{name}")));
}

/// Asks where to save the run of the shown program.
pub(super) fn save_graph_run(state: &mut State, effects: &mut Effects) {
    let Some((mut run, stem)) =
        state.program().and_then(|program| program.results.graph.done().cloned()).zip(stem(state))
    else {
        return;
    };
    run.settle();
    let name = format!("{stem}.{}", file::EXTENSION);
    ask_where(state, effects, Pending::Run(Box::new(run), name));
}

pub(super) fn stem(state: &State) -> Option<String> {
    state.program().and_then(OpenProgram::stem)
}

pub(super) fn ask_where(state: &mut State, effects: &mut Effects, pending: Pending) {
    let dialog = pending.proposed().map_or(Dialog::Folder, Dialog::Save);
    if effects.dialog(state, dialog) {
        state.pending = Some(pending);
    }
}

/// Takes files to open or to compare with, from the system's dialog.
pub(super) fn take_files(state: &mut State, effects: &mut Effects, purpose: Purpose, picked: Picked<Vec<PathBuf>>) {
    match picked {
        Picked::Chosen(files) => take_paths(state, effects, purpose, files),
        Picked::Nothing => {}
        Picked::Unavailable => state.show_overlay(Overlay::Path(PathQuestion::new(purpose, Some(NO_DIALOG)))),
    }
}

/// Takes the paths that were typed into the open line; none where that was cancelled.
pub(super) fn take_typed(state: &mut State, effects: &mut Effects, purpose: Purpose, paths: Vec<PathBuf>) {
    if matches!(state.overlay, Overlay::Path(_)) {
        state.overlay = Overlay::None;
    }
    take_paths(state, effects, purpose, paths);
}

/// Takes paths; none where that was cancelled.
pub(super) fn take_paths(state: &mut State, effects: &mut Effects, purpose: Purpose, mut paths: Vec<PathBuf>) {
    match purpose {
        Purpose::Open | Purpose::Compare(_) | Purpose::CompareResult | Purpose::Variants(_) if paths.is_empty() => {}
        Purpose::Variants(id) => variants::take_file(state, effects, id, paths.swap_remove(0)),
        Purpose::Open => open::open(state, effects, paths, None),
        Purpose::Contents(..) if paths.is_empty() => {}
        Purpose::Contents(id, place) => options::set_contents(state, id, place, Some(paths.swap_remove(0))),
        Purpose::Compare(id) => compare::compare_program(state, effects, id, paths),
        Purpose::CompareResult => corpus::compare_files(state, effects, &paths),
        Purpose::Records(id) => {
            paths.into_iter().take(1).for_each(|path| step::read_records(state, effects, id, path));
        }
        Purpose::Reduce(id) => reduce::begin(state, effects, id, paths),
        _ if paths.is_empty() => state.pending = None,
        // One path: a folder's or a file's.
        _ => save_to(state, effects, paths.swap_remove(0), false),
    }
}

/// Takes the place of the pending save, from the system's dialog.
pub(super) fn take_place(state: &mut State, effects: &mut Effects, picked: Picked<PathBuf>) {
    let folder = state.pending.as_ref().is_some_and(|pending| pending.proposed().is_none());
    match picked {
        // The dialog has asked before a file is replaced; a folder's files it does not know.
        Picked::Chosen(path) => save_to(state, effects, path, !folder),
        Picked::Nothing => state.pending = None,
        Picked::Unavailable => {
            let name = state.pending.as_ref().and_then(Pending::proposed).unwrap_or_else(|| folder_name(state));
            let text = std::path::absolute(&name).map_or(name, |path| quoted(&path));
            let purpose = if folder { Purpose::SaveFolder } else { Purpose::Save };
            // What waits may have come while another overlay is open.
            let question = PathQuestion { text, ..PathQuestion::new(purpose, Some(NO_DIALOG)) };
            state.questions.push_back(Overlay::Path(question));
        }
    }
}

/// Writes what waits, unless files may not be replaced.
fn save_to(state: &mut State, effects: &mut Effects, path: PathBuf, may_replace: bool) {
    if let Some(pending) = state.pending.take() {
        write(state, effects, pending, path, may_replace);
    }
}

fn write(state: &mut State, effects: &mut Effects, pending: Pending, path: PathBuf, may_replace: bool) {
    // Of one tag a newer job replaces one that waits, and none of these may vanish.
    let tag = Tag::Export(state.next_export());
    effects.start(state, tag, format!("writing {}", path.display()), move |_, _| {
        Outcome::Saved(pending.write(path, may_replace))
    });
}

pub(super) fn take_saved(state: &mut State, effects: &mut Effects, saved: Saved) {
    match saved {
        Saved::Reduced(id, what, modules) => {
            state.messages.info(format!("Saved: {what}"));
            compare::compare_program(state, effects, id, modules);
        }
        Saved::Done(what) => state.messages.info(format!("Saved: {what}")),
        Saved::Failed(error) => state.messages.error(error),
        Saved::WouldReplace(place, paths, pending) => {
            let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let folder = paths.first().and_then(|path| path.parent()).unwrap_or(&place).to_owned();
            let names = paths.iter().map(name).collect();
            // The overlay that is open by now is answered first.
            state.questions.push_back(Overlay::Replace(ReplaceQuestion { place, pending, folder, names }));
        }
    }
}

/// Takes the answer whether files may be replaced.
pub(super) fn replace(state: &mut State, effects: &mut Effects, yes: bool) {
    match std::mem::take(&mut state.overlay) {
        Overlay::Replace(ReplaceQuestion { place, pending, .. }) => {
            if yes {
                write(state, effects, *pending, place, true);
            }
        }
        other => state.overlay = other,
    }
}

/// The folder that is proposed for what waits.
fn folder_name(state: &State) -> String {
    let is_reduced = matches!(state.pending, Some(Pending::Reduced(..)));
    if is_reduced { "reduced" } else { "rewritten" }.to_owned()
}

/// A path as the line for paths reads it.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.contains(char::is_whitespace) { format!("\"{text}\"") } else { text.into_owned() }
}
