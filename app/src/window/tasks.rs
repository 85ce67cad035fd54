//! Work on request: listing devices, rewriting, running, measuring, compiling. All of it in child processes.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use lanescope_core::driver::Installed;
use lanescope_core::gpu::{DeviceInfo, DeviceOptions};
use lanescope_core::program::{Format, Program};
use lanescope_core::run::graph::GraphRun;
use lanescope_core::run::{Probe, Ran};
use lanescope_inspector::settings::{Passes, RunSettings};
use lanescope_inspector::tasks::{Compiled, CompiledCorpus, CorpusQuestion, SpeculativelyCompiled, Work};
use lanescope_inspector::view::Ask;

use super::app::App;
use super::graph::{Piece, Stepper};
use super::jobs::{Outcome, Tag};
use super::program::{OpenProgram, ProgramId};
use crate::inputs::{Contents, Filling, Source};
use crate::rewriting::Rewrote;
use crate::worker::{GraphRunRequest, OTHER_ANSWER, ProbeRequest, Reply, Request, RewriteRequest, RunRequest, SET_UP};

/// Work that belongs to a program; a workgroup is measured one at a time.
pub const OF_A_PROGRAM: [Work; 8] = [
    Work::Rewrite,
    Work::Run,
    Work::Measure(0),
    Work::Compile,
    Work::CompileSecond,
    Work::SpeculativeCompile,
    Work::Corpus,
    Work::Graph,
];

/// The result of work, with its input.
pub struct MadeOutcome {
    revision: u64,
    settings: RunSettings,
    brought: Brought,
}

/// The result of work.
enum Brought {
    Devices(Result<Vec<DeviceInfo>, String>, Installed),
    Rewrote(Result<Box<Rewrote>, String>),
    Ran(Result<Box<Ran>, String>),
    Probed(Result<Box<Probe>, String>),
    /// And when that was there: the frame that shows it comes later.
    Compiled(Box<Compiled>, Instant),
    SpeculativeCompile(Result<Box<SpeculativelyCompiled>, String>),
    Corpus(Result<Box<CompiledCorpus>, String>),
    RanGraph(Result<Box<GraphRun>, String>),
    /// The end of a run that was led; its pieces came before.
    LedGraph(Result<Box<GraphRun>, String>),
}

/// The files that fill buffers and images of a program's runs.
fn filled(program: &OpenProgram) -> Vec<Filling> {
    let filled = program.inputs.iter().filter_map(|input| {
        let source = Source::File(input.file.clone()?);
        Some(Filling { place: input.place, element: None, source })
    });
    filled.collect()
}

impl App {
    /// Begins work on the program that is shown.
    pub(super) fn begin_work(&mut self, work: Work) {
        if matches!(work, Work::Compile | Work::CompileSecond) {
            self.begin_compile_of(self.active, work == Work::CompileSecond);
            return;
        }
        if work != Work::Devices && self.program().is_some_and(|program| program.frozen) {
            return;
        }
        let settings = self.devices.settings.clone();
        if work == Work::Devices {
            self.devices.list.underway = true;
            let engine = self.engine.clone();
            self.jobs.start(Tag::Task(work, None), Request::Devices.doing(), move |job| {
                let reply = engine.loader().request(&Request::Devices, None, job);
                let devices = reply.and_then(|reply| match reply {
                    Reply::Devices(devices) => Ok(devices),
                    _ => Err(unexpected()),
                });
                Outcome::Made(Box::new(MadeOutcome {
                    revision: 0,
                    settings,
                    brought: Brought::Devices(devices, engine.installed()),
                }))
            });
            return;
        }
        let Some(program) = self.program() else { return };
        let (id, title) = (program.id, program.title());
        let revision = if work == Work::Graph { program.graph_revision } else { program.revision };
        // What is shown, not what is being typed: the answer belongs to this report.
        let (loaded, report) = (Program::clone(&program.program), &program.analysis.report);
        let options = report.options.clone();
        let (engine, compile, ahead) = (self.engine.clone(), self.devices.compile.clone(), self.devices.ahead.clone());
        let run_settings = settings.clone();
        let made = move |brought| Outcome::Made(Box::new(MadeOutcome { revision, settings, brought }));
        let settings = self.devices.settings.clone();
        let device = device_options(&settings);
        let limit = Some(device.timeout.saturating_add(SET_UP));
        let tag = Tag::Task(as_tag(work), Some(id));
        match work {
            Work::Devices | Work::Compile | Work::CompileSecond => {}
            Work::Rewrite => {
                let request = RewriteRequest { program: loaded, options, passes: settings.passes };
                self.jobs.start(tag, format!("rewriting {title}"), move |job| {
                    let reply = engine.loader().request(&Request::Rewrite(Box::new(request)), None, job);
                    made(Brought::Rewrote(reply.and_then(|reply| match reply {
                        Reply::Rewrote(rewrote) => Ok(rewrote),
                        _ => Err(unexpected()),
                    })))
                });
            }
            Work::Run => {
                let filled = filled(program);
                self.jobs.start(tag, format!("running {title}"), move |job| {
                    let groups = options.groups.unwrap_or([1, 1, 1]);
                    let contents = Contents::read(&filled);
                    let inputs = contents.and_then(|read| read.inputs(&loaded, settings.fill, settings.zeros));
                    let inputs = match inputs {
                        Ok(inputs) => inputs,
                        Err(why) => return made(Brought::Ran(Err(why))),
                    };
                    let rewritten = (settings.passes != Passes::NONE).then_some(settings.passes);
                    let (program, against) = (loaded, None);
                    // The original and the rewritten program, each in its own time.
                    let limit = limit.map(|limit| limit.saturating_add(device.timeout));
                    let request = RunRequest { program, against, rewritten, options, device, groups, inputs };
                    let reply = engine.loader().request(&Request::Run(Box::new(request)), limit, job);
                    made(Brought::Ran(reply.and_then(|reply| match reply {
                        Reply::Ran(ran) => Ok(ran),
                        _ => Err(unexpected()),
                    })))
                });
            }
            Work::SpeculativeCompile => {
                self.jobs.start(tag, format!("compiling {title} speculatively"), move |job| {
                    made(Brought::SpeculativeCompile(
                        engine.compile_speculatively(&loaded, &options, (&compile, &ahead), job).map(Box::new),
                    ))
                });
            }
            Work::Corpus => {
                let (question, paths) = (CorpusQuestion::of(report, &compile, &ahead), program.paths.clone());
                let name = format!("compiling the pipelines of {} speculatively", super::program::title(&paths));
                self.jobs.start(tag, name, move |job| {
                    made(Brought::Corpus(engine.compile_corpus(&paths, question, job).map(Box::new)))
                });
            }
            Work::Graph => {
                let (request, path) = (program.graph_request.clone().unwrap_or_default(), title.clone());
                let Some(dxil) = loaded.dxil.first().map(|library| library.dxil.clone()) else { return };
                let (overrides, limit) = (options.overrides.clone(), device.timeout.saturating_add(SET_UP));
                let filled = filled(program);
                let led = request.led.is_some();
                let (commands, heard) = mpsc::channel();
                self.jobs.start(tag, format!("running {title}"), move |job| {
                    let contents = Contents::read(&filled);
                    let inputs = contents.and_then(|read| read.inputs(&loaded, settings.fill, settings.zeros));
                    let inputs = match inputs {
                        Ok(inputs) => inputs,
                        Err(why) if led => return made(Brought::LedGraph(Err(why))),
                        Err(why) => return made(Brought::RanGraph(Err(why))),
                    };
                    let named = |run: GraphRun| Box::new(GraphRun { file: path, ..run });
                    let request = GraphRunRequest { dxil, overrides, request, device, inputs };
                    if led {
                        let request = Request::RunGraph(Box::new(request));
                        let piece = |part| Outcome::GraphPiece(Box::new(Piece::new(revision, &run_settings, part)));
                        let end = engine.loader().lead_graph(&request, limit, job, &heard, piece);
                        return made(Brought::LedGraph(end.map(named)));
                    }
                    let run = engine.loader().run_graph(&Request::RunGraph(Box::new(request)), limit, job);
                    made(Brought::RanGraph(run.map(named)))
                });
                if led && let Some(program) = self.program_mut() {
                    program.led_by(Stepper::new(revision, commands));
                }
            }
            Work::Measure(layout) => {
                let Some(layout) = report.workgroup.get(layout) else { return };
                let request = ProbeRequest { device, size: layout.size, derivatives: layout.derivatives };
                self.jobs.start(tag, format!("measuring {title}"), move |job| {
                    let reply = engine.loader().request(&Request::Probe(request), limit, job);
                    made(Brought::Probed(reply.and_then(|reply| match reply {
                        Reply::Probed(probe) => Ok(probe),
                        _ => Err(unexpected()),
                    })))
                });
            }
        }
        self.mark(work, Some(id), true);
    }

    /// Compiles a program under its first setting, or under its second. What is under way for an older one is given up;
    /// the same is not asked twice.
    pub(super) fn begin_compile_of(&mut self, index: usize, second: bool) {
        let settings = self.devices.compile.clone();
        let Some(program) = self.programs.get_mut(index).filter(|program| !program.frozen) else { return };
        let report = if second { program.analysis.other.as_ref() } else { Some(&program.analysis.report) };
        let Some(report) = report.cloned() else { return };
        let question = (program.revision, settings.clone());
        let [first_asked, second_asked] = &mut program.compiling;
        let (asked, underway, work) = if second {
            (second_asked, program.made.second.underway, Work::CompileSecond)
        } else {
            (first_asked, program.made.compiled.underway, Work::Compile)
        };
        if underway && asked.as_ref() == Some(&question) {
            return;
        }
        // A change of the files triggers a new compile, and the time that it took is shown.
        let compiled_before = asked.as_ref().map(|(revision, _)| *revision);
        let saved = compiled_before.is_some_and(|revision| revision < program.loaded_at);
        *asked = Some(question);
        let files = if saved { program.watched().collect() } else { Vec::new() };
        let (id, revision, title) = (program.id, program.revision, program.title());
        let loaded = Program::clone(&program.program);
        let (engine, run) = (self.engine.clone(), self.devices.settings.clone());
        let tag = Tag::Task(work, Some(id));
        self.jobs.cancel(&tag);
        self.jobs.start(tag, format!("compiling {title}"), move |job| {
            let compiled = engine.compile(&loaded, &report, &settings, &files, job);
            let brought = Brought::Compiled(Box::new(compiled), Instant::now());
            Outcome::Made(Box::new(MadeOutcome { revision, settings: run, brought }))
        });
        self.mark(work, Some(id), true);
    }

    /// Stops work on the program that is shown.
    pub(super) fn stop_work(&mut self, work: Work) {
        let id = if work == Work::Devices { None } else { self.program().map(|program| program.id) };
        self.stop(work, id);
    }

    /// Stops work.
    pub(super) fn stop(&mut self, work: Work, id: Option<ProgramId>) {
        self.jobs.cancel(&Tag::Task(as_tag(work), id));
        self.mark(work, id, false);
    }

    /// Forgets that work is under way: it broke down.
    pub(super) fn forget(&mut self, work: Work, id: Option<ProgramId>) {
        self.mark(work, id, false);
    }

    fn mark(&mut self, work: Work, id: Option<ProgramId>, underway: bool) {
        if work == Work::Devices {
            self.devices.list.underway = underway;
            return;
        }
        let Some(program) = self.programs.iter_mut().find(|program| Some(program.id) == id) else { return };
        match work {
            Work::Devices => {}
            Work::Rewrite => program.made.rewriting.underway = underway,
            Work::Run => program.made.run.underway = underway,
            Work::Measure(_) => program.made.probe.underway = underway,
            Work::Compile => program.made.compiled.underway = underway,
            Work::SpeculativeCompile => program.made.ahead.underway = underway,
            Work::Corpus => program.made.corpus.underway = underway,
            Work::Graph => {
                program.made.graph.underway = underway;
                if !underway {
                    program.not_led();
                }
            }
            Work::CompileSecond => program.made.second.underway = underway,
        }
        self.ctx.request_repaint();
    }

    /// Handles the result of work.
    pub(super) fn take_made(&mut self, work: Work, id: Option<ProgramId>, outcome: MadeOutcome) {
        let MadeOutcome { revision, settings, brought } = outcome;
        let busy = self.jobs.is_busy(&Tag::Task(work, id));
        let program = self.programs.iter_mut().find(|program| Some(program.id) == id);
        match (brought, program) {
            (Brought::Devices(devices, installed), _) => {
                self.devices.installed = installed;
                self.devices.list.take(revision, settings, devices);
            }
            (Brought::Rewrote(rewrote), Some(program)) => {
                let result = rewrote.map(|rewrote| {
                    program.rewritten_files = rewrote.files;
                    rewrote.shown
                });
                program.made.rewriting.take(revision, settings, result);
            }
            (Brought::Ran(ran), Some(program)) => program.made.run.take(revision, settings, ran.map(|ran| *ran)),
            (Brought::Probed(probe), Some(program)) => {
                program.made.probe.take(revision, settings, probe.map(|probe| *probe));
            }
            (Brought::Compiled(mut compiled, there), Some(program)) => {
                let waited = u64::try_from(there.elapsed().as_millis()).unwrap_or(u64::MAX);
                compiled.since_saved = compiled.since_saved.map(|since| since.saturating_add(waited));
                let made = &mut program.made;
                let asked = if work == Work::CompileSecond { &mut made.second } else { &mut made.compiled };
                asked.take(revision, settings, Ok(*compiled));
            }
            (Brought::SpeculativeCompile(ahead), Some(program)) => {
                program.made.ahead.take(revision, settings, ahead.map(|ahead| *ahead));
            }
            (Brought::Corpus(corpus), Some(program)) => {
                program.made.corpus.take(revision, settings, corpus.map(|corpus| *corpus));
            }
            (Brought::RanGraph(run), Some(program)) => {
                program.made.graph.take(revision, settings, run.map(|run| *run));
                program.shown_run(GraphRun::show_waiting);
            }
            (Brought::LedGraph(end), Some(program)) => {
                if let Some(why) = program.take_end(revision, settings, end) {
                    self.toasts.error(format!("The run cannot continue: {why}"));
                }
            }
            (_, None) => {}
        }
        // A newer request may have waited for this one.
        if busy {
            self.mark(work, id, true);
        }
    }

    /// Shows the tab of runs, and runs the program.
    pub(super) fn run_program(&mut self) {
        if self.program().is_some_and(|program| program.analysis.report.graph.is_some()) {
            self.ask_graph(Ask::Run);
        } else if self.program().is_some() && !self.is_frozen("it cannot run") {
            self.show_tab("run");
            self.begin_work(Work::Run);
        }
    }

    /// Shows what compilers make of the program, unless a tab with that is in front, and compiles it.
    pub(super) fn compile(&mut self) {
        if self.program().is_none() {
            return;
        }
        if self.dock.shows("compare") && self.compared_with().is_some() {
            self.compile_compared();
            return;
        }
        if self.is_frozen("it cannot be compiled") {
            return;
        }
        if !self.dock.shows("isa") && !self.dock.shows("statistics") {
            self.show_tab("isa");
        }
        self.begin_work(Work::Compile);
    }

    /// Shows the tab of layouts, and compiles what can be compiled speculatively.
    pub(super) fn compile_speculatively(&mut self) {
        let Some(program) = self.program() else { return };
        if program.analysis.report.partial.is_empty() {
            self.toasts.info("Unavailable: a speculative compile needs a fragment or compute shader.");
            return;
        }
        if self.is_frozen("it cannot be compiled") {
            return;
        }
        self.show_tab("layout");
        self.begin_work(Work::SpeculativeCompile);
    }

    /// Shows the tab of layouts, and compiles every pipeline of the program's database ahead.
    pub(super) fn compile_corpus(&mut self) {
        let Some(program) = self.program() else { return };
        let pipeline = program.analysis.report.pipeline.as_ref();
        if pipeline.is_none_or(|pipeline| pipeline.origin.format != Format::Fossilize) {
            self.toasts.info("Not loaded from a Fossilize database.");
            return;
        }
        if self.is_frozen("it cannot be compiled") {
            return;
        }
        self.show_tab("layout");
        self.begin_work(Work::Corpus);
    }

    /// Shows the tab of workgroups, and measures the first one.
    pub(super) fn measure(&mut self) {
        let Some(program) = self.program() else { return };
        if program.analysis.report.workgroup.is_empty() {
            self.toasts.info("Unavailable: this program has no workgroup to measure.");
            return;
        }
        if self.is_frozen("it cannot be measured") {
            return;
        }
        self.show_tab("workgroup");
        self.begin_work(Work::Measure(0));
    }
}

/// The work by which its job is tagged: one measurement at a time, for all layouts.
fn as_tag(work: Work) -> Work {
    if matches!(work, Work::Measure(_)) { Work::Measure(0) } else { work }
}

fn device_options(settings: &RunSettings) -> DeviceOptions {
    DeviceOptions {
        device: settings.device.clone(),
        validate: settings.validate,
        timeout: Duration::from_secs(u64::from(settings.seconds.clamp(1, 86_400))),
    }
}

fn unexpected() -> String {
    OTHER_ANSWER.to_owned()
}
