//! The run of a work graph: running, stepping, files of records.

use std::path::PathBuf;
use std::sync::mpsc;

use lanescope_core::graph::{GraphSource, NO_EXTENSION, why_not_run};
use lanescope_core::run::graph::{Advance, Generation, GraphCommand, GraphRequest, GraphRun};
use lanescope_inspector::ProgramId;
use lanescope_inspector::command::Purpose;
use lanescope_inspector::mode::Mode;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::stepping::{StepCommand, StepRequest};
use lanescope_inspector::tasks::{RecordsFile, Work};
use lanescope_inspector::view::{Ask, ViewId};

use super::effects::{Dialog, Effect, Effects};
use super::open::show_program;
use super::run::{Input, begin, stop, tag};
use super::save::NO_DIALOG;
use super::tabs;
use crate::engine::graph_run;
use crate::outcome::{Outcome, Picked, WorkOutcome, WorkResult};
use crate::state::State;
use crate::state::overlay::{EditedRun, Overlay, PathQuestion};
use crate::state::program::OpenProgram;
use crate::state::stepper::{RunPart, Stepper};
use crate::state::tasks::Tag;
use lanescope_host::files::read_at_most;
use lanescope_host::worker::{GraphRunRequest, Request};

/// The largest file of records that is read.
const MAX_RECORDS: u64 = 256 << 20;

/// Shows the tab of graphs and takes a step, or runs.
pub(super) fn step(state: &mut State, effects: &mut Effects, command: StepCommand) {
    let Some(program) = state.program_mut().filter(|program| program.analysis.report.graph.is_some()) else {
        state.messages.info("This program has no work graph.");
        return;
    };
    let shows = command.has_key();
    if command == StepCommand::RunToGeneration {
        effects.push(Effect::Ask(Ask::Generation));
    }
    let restarts = matches!(command, StepCommand::Run | StepCommand::Restart);
    let request = program.step(command);
    let edited = program.edited_records();
    if shows {
        tabs::show(state, ViewId::Graph);
    }
    match request {
        Some(StepRequest::Run(request)) if restarts && edited > 0 => {
            state.show_overlay(Overlay::EditedRun(EditedRun { request, edited }));
        }
        Some(StepRequest::Run(request)) => run_graph(state, effects, *request),
        Some(StepRequest::Control(command)) => control_run(state, command),
        None => {}
    }
}

/// Sends a command to the paused run of the shown program. An edit of a record can be undone.
pub(super) fn control_run(state: &mut State, command: GraphCommand) {
    if let Some(program) = state.program_mut() {
        program.note_edit(&command);
        program.control_run(command);
    }
}

/// Restarts the paused run whose records were edited, or continues it to its end or to a breakpoint.
pub(super) fn restart_edited(state: &mut State, effects: &mut Effects, restart: bool) {
    let Overlay::EditedRun(EditedRun { request, .. }) = std::mem::take(&mut state.overlay) else { return };
    if restart {
        run_graph(state, effects, *request);
    } else if let Some(program) = state.program_mut() {
        let graph = program.analysis.report.graph.as_ref();
        let breakpoints = graph.map(|graph| program.stepping.active(graph)).unwrap_or_default();
        program.control_run(GraphCommand::Go(Advance { generations: None, breakpoints }));
    }
}

/// Takes a part of a run that is stepped.
pub(super) fn take_part(state: &mut State, id: ProgramId, part: RunPart) {
    let refused = state.find(id).and_then(|program| program.take_part(part));
    if let Some(why) = refused {
        state.messages.error(format!("The record was not changed: {why}"));
    }
}

/// Runs the work graph of the shown program.
pub(super) fn run_graph(state: &mut State, effects: &mut Effects, request: GraphRequest) {
    let Some(program) = state.program_mut() else { return };
    if program.analysis.report.graph.as_ref().is_some_and(|graph| graph.source == GraphSource::Spirv) {
        state.messages.info(NO_EXTENSION);
        return;
    }
    if program.program.dxil.is_empty() && request.resume.is_some() {
        resume_in_library(state, effects, request);
        return;
    }
    if program.program.dxil.is_empty() {
        state.messages.info("A saved run contains no shaders: open its library to run it again.");
        return;
    }
    let (why, id) = (why_not_run(&program.analysis.report.findings), program.id);
    let is_stepped = program.results.stepping.is_some();
    let before = request.resume.as_ref().and_then(|resume| {
        let run = program.results.graph.done()?;
        let here = |is: &Generation| (is.dispatch, is.number) == (resume.dispatch, resume.number);
        Some(run.before_generation(run.generations.iter().position(here)?))
    });
    program.graph_request = Some(request);
    if let Some(why) = why {
        state.messages.error(why);
        return;
    }
    if is_stepped {
        stop(state, effects, Work::Graph, Some(id));
    }
    // Beside the registers there is no room for its records.
    if state.tabs.mode() == Mode::Layout {
        tabs::set_mode(state, effects, Mode::Run);
    }
    begin(state, effects, Work::Graph);
    let stepper = state.program_mut().and_then(|program| program.stepper.as_mut());
    if let Some((stepper, before)) = stepper.zip(before) {
        stepper.resume_from(before);
    }
}

/// The open program that is the library of a run, by its index.
pub(super) fn library_of(state: &State, run: &GraphRun) -> Option<usize> {
    let is_its = |program: &OpenProgram| {
        let graph = program.analysis.report.graph.as_ref();
        !program.program.dxil.is_empty() && graph.is_some_and(|graph| graph.is_as_saved(&run.graph))
    };
    state.programs.iter().position(is_its)
}

/// Resumes the shown saved run in its library, which shows it from then on.
fn resume_in_library(state: &mut State, effects: &mut Effects, request: GraphRequest) {
    let Some(run) = state.program().and_then(|program| program.results.graph.done()).cloned() else { return };
    let Some(index) = library_of(state, &run) else {
        state.messages.info("A saved run contains no shaders: open its library too, then resume here.");
        return;
    };
    let id = state.programs.get(index).map(|program| program.id);
    stop(state, effects, Work::Graph, id);
    show_program(state, effects, index);
    tabs::show(state, ViewId::Graph);
    if let Some(program) = state.program_mut() {
        program.results.graph.take(program.graph_revision, RunSettings::DEFAULT, Ok(run));
        run_graph(state, effects, request);
    }
}

/// Begins the run that was requested last.
pub(super) fn begin_graph(state: &mut State, effects: &mut Effects, input: Input) -> bool {
    let limit = input.limit();
    let Input { id, title, program, options, device, settings, .. } = input;
    let Some(shown) = state.program_mut() else { return false };
    let (request, revision) = (shown.graph_request.clone().unwrap_or_default(), shown.graph_revision);
    let filled = shown.filled();
    let Some(dxil) = program.dxil.first().map(|library| library.dxil.clone()) else { return false };
    let is_stepped = request.led.is_some();
    let (commands, heard) = mpsc::channel();
    if is_stepped {
        shown.begin_stepping(Stepper::new(revision, commands));
    }
    effects.start(state, tag(Work::Graph, Some(id)), format!("running {title}"), move |engine, job| {
        let contents = filled.read();
        let inputs = contents.and_then(|read| read.inputs(&program, settings.fill, settings.zeros));
        let overrides = options.overrides;
        let run_settings = settings.clone();
        let run = inputs.and_then(|inputs| {
            let request = GraphRunRequest { dxil, overrides, request, device, inputs };
            let request = Request::RunGraph(Box::new(request));
            let mut loader = engine.loader(job);
            if is_stepped {
                let part = |part| Outcome::RunPart(Box::new(RunPart::new(revision, &run_settings, part)));
                graph_run::step_graph(&mut loader, &request, limit, job, &heard, part)
            } else {
                graph_run::run_graph(&mut loader, &request, limit, job)
            }
        });
        let run = run.map(|run| Box::new(GraphRun { file: title, ..run }));
        let result = if is_stepped { WorkResult::SteppedGraph(run) } else { WorkResult::RanGraph(run) };
        Outcome::Done(Box::new(WorkOutcome { revision, settings, result }))
    });
    true
}

/// Asks for a file of records.
pub(super) fn choose_records(state: &mut State, effects: &mut Effects) {
    if let Some(id) = state.program().map(|program| program.id) {
        effects.dialog(state, Dialog::Records(id));
    }
}

pub(super) fn take_picked_records(state: &mut State, effects: &mut Effects, id: ProgramId, picked: Picked<PathBuf>) {
    match picked {
        Picked::Chosen(path) => read_records(state, effects, id, path),
        Picked::Nothing => {}
        Picked::Unavailable => {
            state.show_overlay(Overlay::Path(PathQuestion::new(Purpose::Records(id), Some(NO_DIALOG))));
        }
    }
}

/// Reads a file of records for a program.
pub(super) fn read_records(state: &mut State, effects: &mut Effects, id: ProgramId, path: PathBuf) {
    effects.start(state, Tag::Records, format!("reading {}", path.display()), move |_, _| {
        let read = read_at_most(&path, MAX_RECORDS);
        Outcome::Records(id, read.map(|bytes| (path.display().to_string(), bytes)))
    });
}

pub(super) fn take_records(state: &mut State, id: ProgramId, read: Result<(String, Vec<u8>), String>) {
    match read {
        Ok((name, bytes)) => {
            let number = state.next_revision();
            if let Some(program) = state.find(id) {
                program.results.records = Some(RecordsFile { number, name, bytes });
            }
        }
        Err(why) => state.messages.error(why),
    }
}
