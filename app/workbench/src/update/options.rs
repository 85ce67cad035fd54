//! Options of programs, settings of work, the selection.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use lanescope_core::load;
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::run::Place;
use lanescope_core::run::graph::{GraphCommand, Replace};
use lanescope_inspector::ProgramId;
use lanescope_inspector::command::Purpose;
use lanescope_inspector::comparing::Partner;
use lanescope_inspector::mode::Mode;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::settings::{
    CompileSettings, CostSettings, RunSettings, SpeculativeSettings, StatisticsSettings, TextSettings,
};
use lanescope_inspector::tasks::RunText;
use lanescope_inspector::view::ViewId;

use super::effects::{Dialog, Effects};
use super::open::reload;
use super::save::NO_DIALOG;
use super::{compare, tabs};
use crate::engine::analyse;
use crate::outcome::{Outcome, Picked};
use crate::state::State;
use crate::state::comparing::Against;
use crate::state::history::{Change, Choice, RecordEdit};
use crate::state::overlay::{Overlay, PathQuestion};
use crate::state::program::Analysis;
use crate::state::tasks::Tag;

/// Analyzes a program under the options that are requested.
pub(super) fn analyze(state: &mut State, effects: &mut Effects, index: usize) {
    let Some(program) = state.programs.get(index).filter(|program| !program.frozen) else { return };
    let (id, loaded) = (program.id, Arc::clone(&program.program));
    let (options, other) = (program.options.clone(), program.other.clone());
    let name = format!("analyzing {}", program.title());
    effects.start(state, Tag::Analyse(id), name, move |_, _| {
        let result = analyse(&loaded, &options, other.as_ref()).map(Box::new);
        Outcome::Analysed { program: loaded, options: Box::new(options), other: other.map(Box::new), result }
    });
    state.touch_session();
}

pub(super) fn take_analyzed(
    state: &mut State,
    id: ProgramId,
    of: &Arc<Program>,
    options: Options,
    other: Option<Options>,
    result: Result<Box<Analysis>, String>,
) {
    let revision = state.next_revision();
    let Some(program) = state.find(id) else { return };
    if !Arc::ptr_eq(&program.program, of) {
        // The files were reloaded meanwhile, with a new report.
        return;
    }
    match result {
        Ok(analysis) => {
            // Nothing else of the options makes another graph: a run of it continues.
            if program.analysis.report.options.overrides != analysis.report.options.overrides {
                program.graph_revision = revision;
            }
            program.analysis = *analysis;
            program.list_inputs();
            program.revision = revision;
            program.misfit = None;
        }
        // Options that have been changed again since have their own answer coming.
        Err(misfit) if program.options == options && program.other == other => program.misfit = Some(misfit),
        Err(_) => {}
    }
}

pub(super) fn set_options(state: &mut State, effects: &mut Effects, mut options: Options) {
    let Some(program) = state.program_mut() else { return };
    // No option leaves a pipeline: another one is chosen from the list.
    options.pipeline = options.pipeline.or_else(|| program.options.pipeline.clone());
    if program.options == options || is_frozen(state, "its options cannot be changed") {
        return;
    }
    let Some(program) = state.program_mut() else { return };
    let mut choice = Choice { options, other: program.other.clone() };
    if let Some(other) = &mut choice.other {
        let load::LoadOptions { entries, pipeline, conversion, .. } = load::LoadOptions::of(&choice.options);
        (other.entry, other.pipeline, other.dxil) = (entries, pipeline, conversion);
        other.no_validate = choice.options.no_validate;
        other.validator = choice.options.validator.clone();
    }
    program.history.note(program.choice(), Instant::now());
    choose(state, effects, choice);
}

/// Sets both settings of the shown program.
fn choose(state: &mut State, effects: &mut Effects, choice: Choice) {
    let Some(program) = state.program_mut() else { return };
    // Other entry points, another pipeline, or another conversion, make another program of the same files.
    let loaded_by = load::LoadOptions::of;
    let other_program = loaded_by(&program.options) != loaded_by(&choice.options);
    (program.options, program.other) = (choice.options, choice.other);
    if other_program {
        reload(state, effects, state.active);
    } else {
        analyze(state, effects, state.active);
    }
}

/// Takes back the last change of the options or of a waiting record, or does it again.
pub(super) fn undo(state: &mut State, effects: &mut Effects, again: bool) {
    let Some(program) = state.program_mut() else { return };
    program.follow_run();
    let at = program.results.is_graph_paused().then(|| program.stepping.run_key());
    let now = program.choice();
    match if again { program.history.redo(now, at) } else { program.history.undo(now, at) } {
        Some(Change::Options(choice)) => choose(state, effects, *choice),
        Some(Change::Record(RecordEdit { run, record, was, is, .. })) => {
            let bytes = if again { is } else { was };
            program.control_run(GraphCommand::Replace(Replace { run, record, bytes }));
            tabs::show(state, ViewId::Graph);
        }
        None if again => state.messages.info("No change was undone."),
        None => state.messages.info("No options or records were changed."),
    }
}

pub(super) fn set_other(state: &mut State, effects: &mut Effects, other: Option<Options>) {
    if state.program().is_none_or(|program| program.other == other)
        || is_frozen(state, "it cannot have a second setting")
    {
        return;
    }
    if let Some(program) = state.program_mut() {
        program.history.note(program.choice(), Instant::now());
        program.other = other;
        analyze(state, effects, state.active);
    }
}

pub(super) fn reset(state: &mut State, effects: &mut Effects) {
    let untouched = state.program().map(|program| program.analysis.report.untouched_options());
    set_options(state, effects, untouched.unwrap_or_default());
}

/// Adds a second setting, or removes it. Comparisons without another program compare with it.
pub(super) fn side_by_side(state: &mut State, effects: &mut Effects) {
    let [open, with] = if state.is_terminal { ["o", "="] } else { ["Ctrl+O", "Ctrl+Shift+D"] };
    let Some(program) = state.program() else {
        state.messages.info(format!("Unavailable: no program is open ({open} opens one)."));
        return;
    };
    let (is_first, is_compared) = (program.other.is_none(), program.against.is_some());
    let other = is_first.then(|| program.options.clone());
    set_other(state, effects, other);
    let has_other = state.program().is_some_and(|program| program.other.is_some());
    if state.tabs.mode() == Mode::Compare && has_other && !is_compared {
        compare::compare_with(state, effects, Some(Partner::SecondSetting));
        state.messages.info(format!(
            "Compared with a second setting of this program; change its options. To compare with a second program: {with}."
        ));
    } else if has_other {
        // It is what Compare shows, once that is shown.
        if let Some(program) = state.program_mut().filter(|_| !is_compared) {
            program.against = Some(Against { with: Partner::SecondSetting, paths: None });
        }
        let mode = if state.is_terminal { "4" } else { "Ctrl+4" };
        let beside = match state.program().is_some_and(|program| !program.analysis.report.workgroup.is_empty()) {
            true => ", and beside the first one in Workgroup",
            false => "",
        };
        state
            .messages
            .info(format!("The second setting is in Compare ({mode}){beside}. Its options are Options > Second."));
    }
}

pub(super) fn toggle_panel(state: &mut State) {
    state.session.options_shown = Some(!state.shows_options());
    state.touch_session();
}

/// Whether the shown program is a report that was read from a file; says so, with what follows.
pub(super) fn is_frozen(state: &mut State, so: &str) -> bool {
    if !state.program().is_some_and(|program| program.frozen) {
        return false;
    }
    let revision = state.next_revision();
    if let Some(program) = state.program_mut() {
        // Controls that showed what was requested show the report again.
        program.revision = revision;
    }
    let is_object = state.program().is_some_and(|program| program.analysis.object.is_some());
    let what = if is_object { "A code object" } else { "A report" };
    state.messages.info(format!("{what} contains no shaders: {so}."));
    true
}

pub(super) fn select(state: &mut State, selection: Selection) {
    let Some(program) = state.program_mut() else { return };
    if program.selection != selection {
        program.selection = selection;
        state.touch_session();
    }
}

/// Selects nothing.
pub(super) fn clear_selection(state: &mut State) {
    if let Some(cleared) = state.program().map(|program| program.selection.cleared()) {
        select(state, cleared);
    }
}

pub(super) fn set_run(state: &mut State, settings: RunSettings) {
    state.settings.run = settings.clone();
    state.session.run = settings;
    state.touch_session();
}

pub(super) fn set_compile(state: &mut State, settings: CompileSettings) {
    let before = std::mem::replace(&mut state.settings.compile, settings.clone());
    state.session.compile = state.session.compile.with_changes(&before, settings);
    state.touch_session();
}

pub(super) fn set_speculative(state: &mut State, settings: SpeculativeSettings) {
    state.settings.speculative = settings.clone();
    state.session.ahead = settings;
    state.touch_session();
}

pub(super) fn set_statistics(state: &mut State, settings: StatisticsSettings) {
    state.settings.statistics = settings.clone();
    state.session.statistics = settings;
    state.touch_session();
}

pub(super) fn set_costs(state: &mut State, settings: CostSettings) {
    state.settings.costs = settings.clone();
    state.session.costs = settings;
    state.touch_session();
}

/// Tints lines or no longer, and says which.
pub(super) fn toggle_tints(state: &mut State) {
    let texts = &state.settings.texts;
    let texts = TextSettings { tints: !texts.tints, ..texts.clone() };
    let is = if texts.tints { "have one tint" } else { "have no tint" };
    state.messages.info(format!("A source line and the instructions from it {is}."));
    set_texts(state, texts);
}

pub(super) fn set_texts(state: &mut State, settings: TextSettings) {
    state.settings.texts = settings.clone();
    state.session.texts = settings;
    state.touch_session();
}

/// Asks for a file that fills a buffer or an image.
pub(super) fn choose_contents(state: &mut State, effects: &mut Effects, place: Place) {
    let program = state.program();
    let folder = program.and_then(|program| program.paths.first()?.parent()).map(|folder| folder.to_owned());
    let id = program.map(|program| program.id);
    if let Some(id) = id {
        effects.dialog(state, Dialog::Contents(id, place, folder));
    }
}

pub(super) fn take_contents(state: &mut State, id: ProgramId, place: Place, picked: Picked<PathBuf>) {
    match picked {
        Picked::Chosen(file) => set_contents(state, id, place, Some(file)),
        Picked::Nothing => {}
        Picked::Unavailable => {
            let question = PathQuestion::new(Purpose::Contents(id, place), Some(NO_DIALOG));
            state.show_overlay(Overlay::Path(question));
        }
    }
}

pub(super) fn drop_contents(state: &mut State, place: Place) {
    if let Some(id) = state.program().map(|program| program.id) {
        set_contents(state, id, place, None);
    }
}

/// Gives what runs of the program in front take; what does not fit is shown beside the text.
pub(super) fn set_run_text(state: &mut State, of: RunText, text: String) {
    let revision = state.next_revision();
    let Some(program) = state.program_mut().filter(|program| program.typed.get(of).text != text) else { return };
    program.typed.get_mut(of).text = text;
    program.revision = revision;
    program.list_inputs();
    state.touch_session();
}

/// Fills a buffer or an image of a program from a file, or with its default contents.
pub(super) fn set_contents(state: &mut State, id: ProgramId, place: Place, file: Option<PathBuf>) {
    let revision = state.next_revision();
    let Some(program) = state.find(id) else { return };
    match file {
        Some(file) => program.contents.insert(place, std::path::absolute(&file).unwrap_or(file)),
        None => program.contents.remove(&place),
    };
    // What ran before ran with other contents.
    program.revision = revision;
    program.list_inputs();
    state.touch_session();
}
