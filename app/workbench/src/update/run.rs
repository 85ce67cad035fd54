//! Work on request: listing devices, rewriting, running, measuring. All of it in child processes.

use std::time::Duration;

use lanescope_core::gpu::DeviceOptions;
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::run::graph::GraphRun;
use lanescope_inspector::ProgramId;
use lanescope_inspector::costs::CostsOf;
use lanescope_inspector::settings::{Passes, RunSettings};
use lanescope_inspector::stepping::StepCommand;
use lanescope_inspector::tasks::{Work, is_script};

use super::effects::Effects;
use super::open::show_gallery;
use super::options::is_frozen;
use super::{compile, costs, debug, script, step, tabs, variants};
use crate::engine::Engine;
use crate::outcome::{Outcome, WorkOutcome, WorkResult};
use crate::state::program::OpenProgram;
use crate::state::tasks::Tag;
use crate::state::{Page, State};
use lanescope_host::jobs::Control;
use lanescope_host::worker::{OTHER_ANSWER, ProbeRequest, Reply, Request, RewriteRequest, RunRequest, SET_UP};
use lanescope_inspector::view::ViewId;

/// The tag of work: one measurement at a time, for all layouts.
pub(super) fn tag(work: Work, id: Option<ProgramId>) -> Tag {
    Tag::Task(if matches!(work, Work::Measure(_)) { Work::Measure(0) } else { work }, id)
}

/// What work on the shown program begins with.
pub(super) struct Input {
    /// The program's number.
    pub id: ProgramId,
    /// Its title.
    pub title: String,
    /// The program.
    pub program: Program,
    /// The options of the shown report, not those that are being typed: the result belongs to this report.
    pub options: Options,
    /// The device.
    pub device: DeviceOptions,
    /// The settings of runs.
    pub settings: RunSettings,
    /// Revision of the program.
    pub revision: u64,
}

impl Input {
    pub fn new(state: &State, program: &OpenProgram) -> Input {
        let settings = state.settings.run.clone();
        Input {
            id: program.id,
            title: program.title(),
            program: Program::clone(&program.program),
            options: program.analysis.report.options.clone(),
            device: device_options(&settings),
            settings,
            revision: program.revision,
        }
    }

    /// The same on a device where the interpreter is chosen: the first one.
    pub fn on_device(mut self) -> Input {
        self.device.device = self.settings.real_device().map(str::to_owned);
        self
    }

    /// Time limit of the child.
    pub fn limit(&self) -> Duration {
        self.device.timeout.saturating_add(SET_UP)
    }
}

/// Begins work on the shown program.
pub(super) fn begin(state: &mut State, effects: &mut Effects, work: Work) {
    if matches!(work, Work::Compile | Work::CompileSecond) {
        compile::begin_compile(state, effects, state.active, work == Work::CompileSecond);
        return;
    }
    if work == Work::Devices {
        list_devices(state, effects);
        return;
    }
    let Some(program) = state.program().filter(|program| !program.frozen) else { return };
    let (input, id) = (Input::new(state, program), program.id);
    let begun = match work {
        Work::Devices | Work::Compile | Work::CompileSecond | Work::Debug => false,
        Work::Rewrite => begin_rewrite(state, effects, input),
        Work::Run if is_script(&program.analysis.report) => script::begin(state, effects, input),
        Work::Run => begin_run(state, effects, input),
        Work::Measure(layout) => begin_measure(state, effects, input.on_device(), layout),
        Work::Costs => costs::begin_costs(state, effects, input),
        Work::Times => costs::begin_times(state, effects, input.on_device()),
        Work::SpeculativeCompile => compile::begin_speculative(state, effects, input),
        Work::Corpus => compile::begin_corpus(state, effects, input),
        Work::Survey => compile::begin_survey(state, effects, input),
        Work::Graph => step::begin_graph(state, effects, input.on_device()),
        Work::Variants => variants::begin_variants(state, effects, input),
    };
    if begun {
        mark(state, work, Some(id), true);
    }
}

/// Asks a child of the job. `limit` overrides the child's time limit.
///
/// # Errors
/// The failure, as text.
pub(super) fn reply_of(
    engine: &Engine,
    job: &Control<Outcome>,
    request: &Request,
    limit: Option<Duration>,
) -> Result<Reply, String> {
    let mut loader = engine.loader(job);
    let reply = match limit {
        Some(limit) => loader.ask_within(request, limit),
        None => loader.ask(request),
    };
    reply.map_err(|error| error.to_string())
}

fn list_devices(state: &mut State, effects: &mut Effects) {
    mark(state, Work::Devices, None, true);
    let settings = state.settings.run.clone();
    effects.start(state, tag(Work::Devices, None), Request::Devices.doing(), move |engine, job| {
        let reply = reply_of(engine, job, &Request::Devices, None);
        let devices = reply.and_then(|reply| match reply {
            Reply::Devices(devices) => Ok(devices),
            _ => Err(unexpected()),
        });
        let result = WorkResult::Devices(devices, engine.installed());
        Outcome::Done(Box::new(WorkOutcome { revision: 0, settings, result }))
    });
}

fn begin_rewrite(state: &mut State, effects: &mut Effects, input: Input) -> bool {
    let Input { id, title, program, options, settings, revision, .. } = input;
    let request = RewriteRequest { program, options, passes: settings.passes };
    effects.start(state, tag(Work::Rewrite, Some(id)), format!("rewriting {title}"), move |engine, job| {
        let reply = reply_of(engine, job, &Request::Rewrite(Box::new(request)), None);
        let result = WorkResult::Rewrote(reply.and_then(|reply| match reply {
            Reply::Rewrote(rewrote) => Ok(rewrote),
            _ => Err(unexpected()),
        }));
        Outcome::Done(Box::new(WorkOutcome { revision, settings, result }))
    });
    true
}

fn begin_run(state: &mut State, effects: &mut Effects, input: Input) -> bool {
    let filled = state.program().map(OpenProgram::filled).unwrap_or_default();
    // The original and the rewritten program, each in its own time.
    let limit = Some(input.limit().saturating_add(input.device.timeout));
    let Input { id, title, program, options, device, settings, revision } = input;
    effects.start(state, tag(Work::Run, Some(id)), format!("running {title}"), move |engine, job| {
        let groups = options.groups;
        let contents = filled.read();
        let inputs = contents.and_then(|read| read.inputs(&program, settings.fill, settings.zeros));
        let ran = inputs.and_then(|inputs| {
            let rewritten = (settings.passes != Passes::NONE).then_some(settings.passes);
            let request = RunRequest { program, against: None, rewritten, options, device, groups, inputs };
            match reply_of(engine, job, &Request::Run(Box::new(request)), limit)? {
                Reply::Ran(ran) => Ok(ran),
                _ => Err(unexpected()),
            }
        });
        Outcome::Done(Box::new(WorkOutcome { revision, settings, result: WorkResult::Ran(ran) }))
    });
    true
}

fn begin_measure(state: &mut State, effects: &mut Effects, input: Input, layout: usize) -> bool {
    let limit = Some(input.limit());
    let Some(layout) = state.program().and_then(|program| program.analysis.report.workgroup.get(layout)) else {
        return false;
    };
    let Input { id, title, device, settings, revision, .. } = input;
    let request = ProbeRequest { device, size: layout.size, derivatives: layout.derivatives };
    effects.start(state, tag(Work::Measure(0), Some(id)), format!("measuring {title}"), move |engine, job| {
        let reply = reply_of(engine, job, &Request::Probe(request), limit);
        let result = WorkResult::Probed(reply.and_then(|reply| match reply {
            Reply::Probed(probe) => Ok(probe),
            _ => Err(unexpected()),
        }));
        Outcome::Done(Box::new(WorkOutcome { revision, settings, result }))
    });
    true
}

/// Stops work on the shown program.
pub(super) fn stop_shown(state: &mut State, effects: &mut Effects, work: Work) {
    let id = if work == Work::Devices { None } else { state.program().map(|program| program.id) };
    stop(state, effects, work, id);
}

/// Stops work.
pub(super) fn stop(state: &mut State, effects: &mut Effects, work: Work, id: Option<ProgramId>) {
    effects.cancel(state, tag(work, id));
    mark(state, work, id, false);
    if work == Work::Debug {
        debug::refresh(state, effects, id);
    }
}

/// Cancels what the user waits for. Dialogs belong to the system and are closed there.
pub(super) fn cancel_work(state: &mut State, effects: &mut Effects) {
    let tags: Vec<_> = state.running.iter().map(|(tag, _)| tag.clone()).collect();
    for tag in tags {
        match tag {
            Tag::Load(_)
            | Tag::Analyse(_)
            | Tag::Samples
            | Tag::List(_)
            | Tag::Names
            | Tag::ExportScript
            | Tag::Sign
            | Tag::Records
            | Tag::CorpusRead
            | Tag::CorpusRows
            | Tag::CorpusRow
            | Tag::CorpusCompare => {
                effects.cancel(state, tag.clone());
                state.forget_opening(&tag);
            }
            Tag::Task(work, id) => stop(state, effects, work, id),
            // The best program so far is its result.
            Tag::Reduce => {
                if let Some(stop) = &state.reducing {
                    stop.stop();
                }
            }
            Tag::Dialog | Tag::Export(_) | Tag::Session => {}
        }
    }
    if state.page == Page::Program && state.programs.is_empty() && state.failure.is_none() {
        show_gallery(state, effects);
    }
}

/// Notes whether work is under way.
pub(super) fn mark(state: &mut State, work: Work, id: Option<ProgramId>, underway: bool) {
    if work == Work::Devices {
        state.settings.devices.underway = underway;
        return;
    }
    let Some(program) = state.programs.iter_mut().find(|program| Some(program.id) == id) else { return };
    let results = &mut program.results;
    match work {
        Work::Devices => {}
        Work::Rewrite => results.rewriting.underway = underway,
        Work::Run => results.run.underway = underway,
        Work::Measure(_) => results.probe.underway = underway,
        Work::Costs => {
            let of_draw = CostsOf::program(&program.analysis.report) == Some(CostsOf::Interface);
            results.costs.underway = underway && !of_draw;
            results.draw.underway = underway && of_draw;
        }
        Work::Times => results.times.underway = underway,
        Work::Compile => results.compiled.underway = underway,
        Work::CompileSecond => results.second.underway = underway,
        Work::SpeculativeCompile => results.speculative.underway = underway,
        Work::Corpus => results.corpus.underway = underway,
        Work::Survey => results.survey.underway = underway,
        Work::Variants => results.variants.underway = underway,
        Work::Debug => program.debugging.underway = underway,
        Work::Graph => {
            results.graph.underway = underway;
            if !underway {
                program.end_stepping();
            }
        }
    }
}

/// Takes the result of work.
pub(super) fn take_done(state: &mut State, work: Work, id: Option<ProgramId>, outcome: WorkOutcome) {
    let WorkOutcome { revision, settings, result } = outcome;
    if let WorkResult::Devices(devices, installed) = result {
        state.settings.installed = installed;
        state.settings.devices.take(revision, settings, devices);
    } else if let Some(program) = state.programs.iter_mut().find(|program| Some(program.id) == id)
        && let Some(why) = take_result(program, work, revision, settings, result)
    {
        state.messages.error(format!("The run cannot continue: {why}"));
    }
    // A newer request may have waited for this one.
    if state.running.is_busy(&tag(work, id)) {
        mark(state, work, id, true);
    }
}

/// Takes the result of a program's work. Returns the error of a stepped run that could not be resumed.
fn take_result(
    program: &mut OpenProgram,
    work: Work,
    revision: u64,
    settings: RunSettings,
    result: WorkResult,
) -> Option<String> {
    let results = &mut program.results;
    match result {
        WorkResult::Devices(..) => {}
        WorkResult::Rewrote(rewrote) => {
            let rewriting = rewrote.map(|rewrote| {
                program.rewritten_files = rewrote.files;
                rewrote.shown
            });
            results.rewriting.take(revision, settings, rewriting);
        }
        WorkResult::Ran(ran) => results.run.take(revision, settings, ran.map(|ran| *ran)),
        WorkResult::RanScript(ran) => {
            results.script.take(revision, settings, ran.map(|ran| *ran));
            results.run.underway = false;
        }
        WorkResult::Counted(costs) => results.costs.take(revision, settings, costs.map(|costs| *costs)),
        WorkResult::CountedDraw(draw) => results.draw.take(revision, settings, draw.map(|draw| *draw)),
        WorkResult::Timed(times) => results.times.take(revision, settings, times.map(|times| *times)),
        WorkResult::Probed(probe) => results.probe.take(revision, settings, probe.map(|probe| *probe)),
        WorkResult::Compiled(mut compiled, done) => {
            let waited = u64::try_from(done.elapsed().as_millis()).unwrap_or(u64::MAX);
            compiled.since_saved = compiled.since_saved.map(|since| since.saturating_add(waited));
            let task = if work == Work::CompileSecond { &mut results.second } else { &mut results.compiled };
            task.take(revision, settings, Ok(*compiled));
        }
        WorkResult::SpeculativeCompile(compiled) => {
            results.speculative.take(revision, settings, compiled.map(|compiled| *compiled));
        }
        WorkResult::Corpus(corpus) => results.corpus.take(revision, settings, corpus.map(|corpus| *corpus)),
        WorkResult::Survey(survey) => results.survey.take(revision, settings, survey.map(|survey| *survey)),
        WorkResult::Variants(done) => variants::take_variants(program, revision, settings, done.map(|done| *done)),
        WorkResult::RanGraph(run) => {
            results.graph.take(revision, settings, run.map(|run| *run));
            program.change_run(GraphRun::show_waiting);
        }
        WorkResult::Debugged(debugged) => program.take_debugged(revision, debugged),
        WorkResult::SteppedGraph(end) => return program.take_end(revision, settings, end),
    }
    None
}

/// Shows the tab of runs, and runs the program.
pub(super) fn run_program(state: &mut State, effects: &mut Effects) {
    if state.program().is_some_and(|program| program.analysis.report.graph.is_some()) {
        step::step(state, effects, StepCommand::Run);
    } else if state.program().is_some() && !is_frozen(state, "it cannot run") {
        tabs::show(state, ViewId::Run);
        begin(state, effects, Work::Run);
    }
}

/// Shows the tab of workgroups, and measures the first one.
pub(super) fn measure(state: &mut State, effects: &mut Effects) {
    let Some(program) = state.program() else { return };
    if program.analysis.report.workgroup.is_empty() {
        state.messages.info("Unavailable: this program has no workgroup to measure.");
        return;
    }
    if is_frozen(state, "it cannot be measured") {
        return;
    }
    tabs::show(state, ViewId::Workgroup);
    begin(state, effects, Work::Measure(0));
}

fn device_options(settings: &RunSettings) -> DeviceOptions {
    DeviceOptions {
        device: settings.device.clone(),
        validate: settings.validate,
        timeout: Duration::from_secs(u64::from(settings.seconds.clamp(1, 86_400))),
        memory: settings.memory_bytes(),
        ..DeviceOptions::default()
    }
}

pub(super) fn unexpected() -> String {
    OTHER_ANSWER.to_owned()
}
