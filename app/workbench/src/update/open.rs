//! Opening, showing, reloading and closing programs; the samples.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::report::Report;
use lanescope_core::run::graph::GraphRun;
use lanescope_inspector::ProgramId;
use lanescope_inspector::command::{OpenChange, Purpose};
use lanescope_inspector::selection::Selection;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::tasks::TaskResults;

use super::compare::{forget_pairs, forget_partner, pair_up};
use super::corpus::open_result;
use super::effects::{Dialog, Effect, Effects};
use super::pipeline_lists::{list_pipelines, list_workspace, search_folders};
use super::{corpus, options, run, tabs};
use crate::engine::analyse;
use crate::engine::loading::{broke_down, loaded, read_samples};
use crate::outcome::{LoadOutcome, OpenedRun, Outcome, Read, Refusal};
use crate::state::comparing::PairRequest;
use crate::state::failure::FailurePage;
use crate::state::opening::{Opening, Previous};
use crate::state::overlay::{Overlay, PathQuestion};
use crate::state::program::{Analysis, OpenProgram, Opened, PROGRAM_WORK, title};
use crate::state::tasks::Tag;
use crate::state::{Page, State};
use lanescope_host::code_objects::is_object;
use lanescope_host::jobs::caught;
use lanescope_host::session::{Earlier, Remembered};
use lanescope_host::worker::{Failure, Loaded};
use lanescope_host::workspace;
use lanescope_inspector::view::ViewId;

/// Opens the files that the program was started with, or the gallery.
pub(super) fn start(state: &mut State, effects: &mut Effects, files: Vec<PathBuf>, against: Vec<PathBuf>) {
    if files.is_empty() {
        if state.session.preferences.reopen && !state.previous.programs.is_empty() {
            state.page = Page::Program;
            reopen(state, effects);
        } else {
            show_gallery(state, effects);
        }
        return;
    }
    state.page = Page::Program;
    if !against.is_empty() {
        let (shown, with) = (absolute(&files), absolute(&against));
        if let [before] = with.as_slice()
            && open_result(state, effects, &shown, Some(before.clone()))
        {
            return;
        }
        if shown == with {
            state.messages.info("A program cannot be compared with itself.");
        } else {
            state.pairs.push(PairRequest { shown, with, show: true });
            open(state, effects, against, None);
        }
    }
    open(state, effects, files, None);
}

/// The shaders and the AMD code object that these files are, where they are both.
fn shaders_and_object(paths: &[PathBuf]) -> Option<(Vec<PathBuf>, PathBuf)> {
    let (objects, shaders): (Vec<_>, Vec<_>) = paths.iter().cloned().partition(|path| is_object(path));
    let [object] = objects.as_slice() else { return None };
    (!shaders.is_empty()).then(|| (shaders, object.clone()))
}

/// Absolute, so that the recent list means the same from every folder.
pub(super) fn absolute(files: &[PathBuf]) -> Vec<PathBuf> {
    files.iter().map(|path| std::path::absolute(path).unwrap_or(path.clone())).collect()
}

pub(super) fn choose_files(state: &mut State, effects: &mut Effects) {
    let folder = dialog_folder(state);
    open_dialog(state, effects, Dialog::Files(Purpose::Open, folder));
}

/// The folder that a dialog for files begins in.
pub(super) fn dialog_folder(state: &State) -> Option<PathBuf> {
    let first = state
        .program()
        .and_then(|program| program.paths.first())
        .or_else(|| state.session.recent.front().and_then(|recent| recent.paths.first()));
    first.and_then(|path| path.parent()).map(Path::to_owned)
}

/// Opens a dialog; a second one waits for the first.
pub(super) fn open_dialog(state: &mut State, effects: &mut Effects, dialog: Dialog) {
    state.running.begin(Tag::Dialog, "waiting for the file dialog");
    effects.push(Effect::Dialog(dialog));
}

pub(super) fn type_paths(state: &mut State) {
    state.show_overlay(Overlay::Path(PathQuestion::new(Purpose::Open, None)));
}

/// Opens files as one program under the options of the last time, with a change if any; reloads them where
/// they are open.
pub(super) fn open(state: &mut State, effects: &mut Effects, files: Vec<PathBuf>, change: Option<OpenChange>) {
    let paths = absolute(&files);
    // Whoever opens files has read why others did not open. What was chosen for these stays.
    let failed = state.failure.take().filter(|page| page.paths == paths);
    if let Some(index) = state.index_of(&paths) {
        show_program(state, effects, index);
        match (change, state.programs.get(index)) {
            (Some(OpenChange::Sources(conversion)), Some(program)) => {
                let options = Options { dxil: *conversion, ..program.options.clone() };
                options::set_options(state, effects, options);
            }
            _ => reload(state, effects, index),
        }
        return;
    }
    if open_result(state, effects, &paths, None) {
        return;
    }
    if paths.iter().any(|path| path.is_dir()) {
        search_folders(state, effects, paths);
        return;
    }
    if let [only] = paths.as_slice()
        && workspace::is_manifest(only)
    {
        list_workspace(state, effects, only.clone());
        return;
    }
    if let Some((shaders, object)) = shaders_and_object(&paths) {
        state.pairs.push(PairRequest { shown: shaders.clone(), with: vec![object.clone()], show: true });
        open(state, effects, vec![object], None);
        open(state, effects, shaders, change);
        return;
    }
    let underway = state.opening_of(&paths);
    if let Some(id) = underway {
        state.bring_to_front(id);
        if change.is_none() {
            return;
        }
    }
    let known = state.session.recall(&paths).cloned();
    // A description says its options where the user has not looked at it before.
    let fresh = known.is_none();
    let mut request = known.unwrap_or_default();
    if let Some(target) = state.session.preferences.target.filter(|_| fresh) {
        request.options.target = target;
    }
    request.paths = paths;
    if let Some(page) = failed.filter(|page| !page.conversion.is_default()) {
        request.options.dxil = page.conversion;
    }
    match change {
        Some(OpenChange::Sources(conversion)) => request.options.dxil = *conversion,
        Some(OpenChange::Entry(entry)) => request.options.entry = vec![entry],
        Some(OpenChange::NoValidation) => request.options.no_validate = true,
        Some(OpenChange::Validator(validator)) => request.options.validator = validator,
        None => {}
    }
    let id = underway.unwrap_or_else(|| state.new_id());
    load(state, effects, id, request, fresh);
}

pub(super) fn show_pipeline(state: &mut State, effects: &mut Effects, name: String) {
    if let Some(paths) = state.program().map(|program| program.paths.clone()) {
        open_pipeline(state, effects, paths, name);
    }
}

/// Opens a pipeline, instead of the open one of the same files.
pub(super) fn open_pipeline(state: &mut State, effects: &mut Effects, paths: Vec<PathBuf>, name: String) {
    let options = of_pipeline(state, name);
    open_with(state, effects, paths, options, true);
}

/// The options of a pipeline that is opened for the first time.
pub(super) fn of_pipeline(state: &State, name: String) -> Options {
    let target = state.session.preferences.target.unwrap_or(Options::default().target);
    Options { pipeline: Some(name), target, ..Options::default() }
}

/// Opens files under these options, instead of the open program of the same files. `fresh`: a description's own options
/// count.
pub(super) fn open_with(state: &mut State, effects: &mut Effects, paths: Vec<PathBuf>, options: Options, fresh: bool) {
    if let Some(index) = state.index_of(&paths) {
        show_program(state, effects, index);
        if let Some(program) = state.programs.get(index) {
            // Options from the other pipeline's description do not apply to this one, nor does a second setting.
            let (id, request) = (program.id, Remembered { options, other: None, ..program.remembered() });
            load(state, effects, id, request, fresh);
        }
        return;
    }
    let request = Remembered { paths, options, ..Remembered::default() };
    let id = state.opening_of(&request.paths).unwrap_or_else(|| state.new_id());
    load(state, effects, id, request, fresh);
}

/// Opens what was open the last time, each program as it was looked at then, and shows the one that was shown.
pub(super) fn reopen(state: &mut State, effects: &mut Effects) {
    let previous = std::mem::take(&mut state.previous);
    reopen_all(state, effects, previous);
}

/// Opens the programs of another session, by its index.
pub(super) fn reopen_earlier(state: &mut State, effects: &mut Effects, index: usize) {
    if index < state.earlier.len() {
        let Earlier { programs, active, .. } = state.earlier.remove(index);
        reopen_all(state, effects, Previous { programs, active });
    }
}

fn reopen_all(state: &mut State, effects: &mut Effects, Previous { programs, active }: Previous) {
    for (at, request) in programs.into_iter().enumerate() {
        if let Some(with) = request.against.clone() {
            state.pairs.push(PairRequest { shown: request.paths.clone(), with, show: false });
        }
        let in_background = at != active;
        if let Some(open) = state.index_of(&request.paths) {
            if !in_background {
                show_program(state, effects, open);
            }
        } else if state.opening_of(&request.paths).is_none() {
            let id = state.new_id();
            state.opening.insert(id, Opening { paths: request.paths.clone(), in_background });
            load(state, effects, id, request, false);
        }
    }
    pair_up(state, effects);
}

/// Reads the files of the failure page, or of the shown program, again.
pub(super) fn reload_shown(state: &mut State, effects: &mut Effects) {
    match state.failure.as_ref().map(|failure| failure.paths.clone()) {
        Some(paths) => open(state, effects, paths, None),
        None => reload(state, effects, state.active),
    }
}

/// Reads the files of an open program again.
pub(super) fn reload(state: &mut State, effects: &mut Effects, index: usize) {
    if let Some(program) = state.programs.get(index) {
        let (id, request) = (program.id, program.remembered());
        load(state, effects, id, request, false);
    }
}

fn load(state: &mut State, effects: &mut Effects, id: ProgramId, request: Remembered, fresh: bool) {
    state.note_opening(id, &request.paths);
    let tag = Tag::Load(id);
    // A load under way reads files that are about to be read again.
    effects.cancel(state, tag.clone());
    effects.start(state, tag, format!("loading {}", title(&request.paths)), move |engine, job| {
        let since = SystemTime::now();
        // The result is always delivered, because a user waits for these files.
        caught(|| loaded(engine, request.clone(), fresh, since, job)).unwrap_or_else(|panic| {
            let result = Err(Refusal::Failed(broke_down(&panic).into()));
            Outcome::Loaded(Box::new(LoadOutcome { request, frozen: false, fresh, since, result }))
        })
    });
}

pub(super) fn take_loaded(state: &mut State, effects: &mut Effects, id: ProgramId, outcome: LoadOutcome) {
    let LoadOutcome { request, frozen, fresh, since, result } = outcome;
    let index = state.programs.iter().position(|program| program.id == id);
    if let Some(program) = index.and_then(|index| state.programs.get_mut(index)) {
        program.read_since = since;
    }
    match (result, index) {
        (Err(Refusal::Cancelled), _) => {}
        (Err(Refusal::Failed(failure)), None) if failure.pipelines => list_pipelines(state, effects, request.paths),
        (Err(Refusal::Failed(failure)), Some(index)) => {
            state.programs[index].stale = Some(failure);
            watch_files(state, effects);
        }
        (Err(Refusal::Failed(failure)), None) => {
            forget_pairs(state, &request.paths);
            let conversion = request.options.dxil;
            state.failure = Some(FailurePage { paths: request.paths, failure, conversion });
        }
        (Ok(read), Some(index)) => renew(state, effects, index, Opened { request, frozen, fresh, since, read }),
        (Ok(read), None) => add_program(state, effects, id, Opened { request, frozen, fresh, since, read }),
    }
}

/// Takes another state of an open program's files.
fn renew(state: &mut State, effects: &mut Effects, index: usize, opened: Opened) {
    let Opened { request, frozen, fresh, read: Read { loaded, analysis }, .. } = opened;
    let revision = state.next_revision();
    let program = &mut state.programs[index];
    if fresh {
        // Another pipeline was never shown.
        (program.selection, program.tabs) = (Selection::default(), None);
    }
    let changed = !fresh && (&program.options, &program.other) != (&request.options, &request.other);
    if !changed {
        (program.options, program.other) = analysis.options();
        if let Some(left_out) = &analysis.left_out {
            state.messages.info(left_out);
        }
    }
    program.renew(loaded, analysis, revision);
    program.frozen = frozen;
    if frozen {
        program.results = TaskResults::of_report(&program.analysis.report, revision);
    } else if changed {
        options::analyze(state, effects, index);
    }
    if fresh {
        // Another pipeline may have nothing for the tab in front.
        show_program(state, effects, index);
    }
    watch_files(state, effects);
}

fn add_program(state: &mut State, effects: &mut Effects, id: ProgramId, opened: Opened) {
    let revision = state.next_revision();
    // In the order of the requests, not of loading.
    let index = state.programs.partition_point(|program| program.id < id);
    let program = OpenProgram::new(id, opened, revision);
    if let Some(left_out) = &program.misfit {
        state.messages.info(left_out);
    }
    state.session.remember(program.remembered());
    let in_background = state.opens_in_background(id);
    state.programs.insert(index, program);
    if in_background {
        state.active += usize::from(index <= state.active);
    } else {
        show_program(state, effects, index);
    }
    pair_up(state, effects);
    watch_files(state, effects);
    state.touch_session();
}

/// Takes a saved run: a program without shaders, whose graph is the run's.
pub(super) fn take_run(state: &mut State, effects: &mut Effects, id: ProgramId, opened: OpenedRun) {
    let OpenedRun { request, since, run } = opened;
    let first = !state.programs.iter().any(|program| program.id == id);
    let run = match run {
        Ok(run) => run,
        Err(why) => return take_frozen(state, effects, id, request, since, Err(why)),
    };
    let empty = std::sync::Arc::new(Program::default());
    // Without a shader every option fits.
    let Ok(analysis) = analyse(&empty, &Options::default(), None) else { return };
    let findings = run.findings.clone();
    let report = Report { graph: Some(run.graph.clone()), findings, ..analysis.report };
    let loaded = Loaded { program: Program::default(), texts: Vec::new() };
    take_frozen(state, effects, id, request, since, Ok(Read { loaded, analysis: Analysis { report, ..analysis } }));
    if let Some(program) = state.find(id) {
        program.results.graph.take(program.graph_revision, RunSettings::DEFAULT, Ok(run));
        program.change_run(GraphRun::show_waiting);
    }
    // One that is read again stays where it is.
    if first && state.program().is_some_and(|program| program.id == id) {
        state.page = Page::Program;
        tabs::show(state, ViewId::Graph);
    }
}

/// Takes what was read of a file without shaders, or why nothing was.
fn take_frozen(
    state: &mut State,
    effects: &mut Effects,
    id: ProgramId,
    request: Remembered,
    since: SystemTime,
    read: Result<Read, Failure>,
) {
    let result = read.map_err(Refusal::Failed);
    take_loaded(state, effects, id, LoadOutcome { request, frozen: true, fresh: false, since, result });
}

/// Watches the files of all open programs.
fn watch_files(state: &State, effects: &mut Effects) {
    let mut files = BTreeMap::new();
    for program in &state.programs {
        for file in program.watched() {
            let since = files.entry(file).or_insert(program.read_since);
            *since = program.read_since.max(*since);
        }
    }
    effects.push(Effect::Watch(files));
}

/// Shows the gallery, and reads the samples that have not been read.
pub(super) fn show_gallery(state: &mut State, effects: &mut Effects) {
    state.page = Page::Gallery;
    effects.push(Effect::Title("Lanescope".to_owned()));
    let waiting = state.samples.waiting();
    let is_full = !state.samples.cards.is_empty() && waiting.is_empty();
    if is_full || state.running.is_busy(&Tag::Samples) {
        return;
    }
    effects.start(state, Tag::Samples, "reading the samples", move |engine, job| {
        read_samples(engine, waiting, job);
        Outcome::Nothing
    });
}

/// Shows a program, with the views that have something to show for it.
pub(super) fn show_program(state: &mut State, effects: &mut Effects, index: usize) {
    let Some(program) = state.programs.get(index) else { return };
    effects.push(Effect::Title(format!("{} - Lanescope", program.title())));
    state.active = index;
    state.page = Page::Program;
    tabs::follow_program(state);
}

pub(super) fn step_program(state: &mut State, effects: &mut Effects, step: isize) {
    let count = state.programs.len() as isize;
    if count > 0 {
        show_program(state, effects, (state.active as isize + step).rem_euclid(count) as usize);
    }
}

/// Shows why the changed files of the shown program do not load.
pub(super) fn show_failure(state: &mut State) {
    let page = state.program().and_then(|program| {
        let (failure, conversion) = (program.stale.clone()?, program.options.dxil.clone());
        Some(FailurePage { paths: program.paths.clone(), failure, conversion })
    });
    state.failure = page.or(state.failure.take());
}

/// Closes the failure: what was shown before it is below it.
pub(super) fn leave_failure(state: &mut State, effects: &mut Effects) {
    state.failure = None;
    if state.programs.is_empty() {
        show_gallery(state, effects);
    }
}

pub(super) fn close_program(state: &mut State, effects: &mut Effects) {
    if state.failure.is_some() {
        leave_failure(state, effects);
        return;
    }
    if state.page == Page::Corpus {
        corpus::close(state, effects);
        return;
    }
    if state.page == Page::Gallery {
        // The samples are closed, not a program that cannot be seen.
        show_program(state, effects, state.active);
        return;
    }
    close_program_at(state, effects, state.active);
}

/// Closes a program. What is shown stays, unless it is this one.
pub(super) fn close_program_at(state: &mut State, effects: &mut Effects, index: usize) {
    if index >= state.programs.len() {
        return;
    }
    state.keep_shown();
    let is_shown = index == state.active;
    let program = state.programs.remove(index);
    effects.cancel(state, Tag::Load(program.id));
    effects.cancel(state, Tag::Analyse(program.id));
    for work in PROGRAM_WORK {
        effects.cancel(state, run::tag(work, Some(program.id)));
    }
    state.session.remember(program.remembered());
    forget_partner(state, program.id);
    effects.push(Effect::Forget(program.id));
    state.active = state.active - usize::from(index < state.active);
    state.active = state.active.min(state.programs.len().saturating_sub(1));
    watch_files(state, effects);
    state.touch_session();
    if state.programs.is_empty() && state.page != Page::Corpus {
        show_gallery(state, effects);
    } else if is_shown && state.page == Page::Program {
        show_program(state, effects, state.active);
    }
}
