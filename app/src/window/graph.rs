//! Work graphs in the window: runs, saving them, and opening saved runs without a device.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::SystemTime;

use lanescope_core::graph::{GraphSource, NO_EXTENSION, why_not_run};
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::report::Report;
use lanescope_core::run::graph::{Generation, GraphCommand, GraphPart, GraphRequest, GraphRun, Reached, file};
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::tasks::{RecordsFile, StepState, Work};
use lanescope_inspector::view::Ask;

use super::app::{App, Overlay, Page};
use super::dialog::{PathLine, Picked, Purpose, pick_records};
use super::engine::{Analysis, analyse};
use super::jobs::{NO_DIALOG, Outcome, Tag};
use super::program::{OpenProgram, ProgramId};
use super::save::Pending;
use crate::files::read_at_most;
use crate::session::Remembered;
use crate::worker::{Failure, Loaded};

/// The largest file of records that is read.
const MAX_RECORDS: u64 = 256 << 20;

/// A saved run, read.
pub struct OpenedRun {
    /// What was requested.
    pub request: Remembered,
    /// When reading began.
    pub since: SystemTime,
    /// The run, or why there is none.
    pub run: Result<GraphRun, Failure>,
}

/// The channel to a child whose run is stepped. Dropping it ends a paused run.
pub struct Stepper {
    /// Revision of the work graph that it runs.
    revision: u64,
    commands: Sender<GraphCommand>,
    /// The run that it continues from, until it begins.
    before: Option<Box<GraphRun>>,
    /// That run with all that came of it, until the new one has come as far.
    old: Option<Box<GraphRun>>,
    /// Its first piece came.
    begun: bool,
    reached: Option<Reached>,
}

impl Stepper {
    pub fn new(revision: u64, commands: Sender<GraphCommand>) -> Stepper {
        Stepper { revision, commands, before: None, old: None, begun: false, reached: None }
    }

    /// Whether anything was read of it that its end adds to.
    fn has_read(&self, run: &GraphRun, ended_well: bool) -> bool {
        self.begun && (ended_well || self.reached.is_some() || !run.generations.is_empty())
    }

    /// It continues from another run.
    fn going_on_from(&mut self, before: GraphRun) {
        self.before = Some(Box::new(before));
    }
}

/// A piece of a run that is stepped, and what it was made from.
pub struct Piece {
    revision: u64,
    settings: RunSettings,
    part: GraphPart,
}

impl Piece {
    pub fn new(revision: u64, settings: &RunSettings, part: GraphPart) -> Piece {
        Piece { revision, settings: settings.clone(), part }
    }
}

impl OpenProgram {
    /// Its run is stepped from now on.
    pub(super) fn led_by(&mut self, lead: Stepper) {
        (self.graph_lead, self.made.led) = (Some(lead), Some(StepState::Working));
    }

    /// Stops stepping: a paused child ends its run.
    pub(super) fn not_led(&mut self) {
        (self.graph_lead, self.made.led) = (None, None);
    }

    /// Changes the run that is shown.
    pub(super) fn shown_run(&mut self, change: impl FnOnce(&mut GraphRun)) {
        if let Some(Ok(run)) = self.made.graph.answer.as_mut().map(|answer| &mut answer.result) {
            change(run);
        }
    }

    /// Takes the end of a stepped run, or the error; generations read until then are kept. Returns the error of a run
    /// that could not be resumed.
    pub(super) fn take_end(
        &mut self,
        revision: u64,
        settings: RunSettings,
        end: Result<Box<GraphRun>, String>,
    ) -> Option<String> {
        if self.graph_lead.as_ref().is_some_and(|lead| lead.revision != revision) {
            // The end of a run that another one has taken the place of.
            return None;
        }
        let mut lead = self.graph_lead.take();
        self.not_led();
        self.made.graph.underway = false;
        if let Some((why, old)) = end.as_ref().err().zip(lead.as_mut().and_then(|lead| lead.old.take())) {
            // It did not reach the generation to resume from, so the earlier run is shown again.
            self.made.graph.take(revision, settings, Ok(*old));
            self.shown_run(GraphRun::show_waiting);
            return Some(why.clone());
        }
        let shown = self.made.graph.answer.as_mut().map(|answer| &mut answer.result);
        match (lead, shown) {
            (Some(lead), Some(Ok(run))) if lead.has_read(run, end.is_ok()) => {
                run.settle();
                match end {
                    Ok(end) => run.end(*end),
                    Err(why) => run.break_off(lead.reached, &why),
                }
                run.show_waiting();
            }
            // The resume failed; the earlier run is kept.
            (Some(Stepper { before: Some(_), .. }), Some(Ok(_))) if end.is_err() => return end.err(),
            _ => {
                self.made.graph.take(revision, settings, end.map(|run| *run));
                self.shown_run(GraphRun::show_waiting);
            }
        }
        None
    }
}

impl App {
    /// Sends a step command to the run of the shown program.
    pub(super) fn lead_graph(&mut self, command: GraphCommand) {
        let Some(program) = self.program_mut() else { return };
        let stands = matches!(program.made.led, Some(StepState::Standing(_)));
        if let Some(lead) = program.graph_lead.as_ref().filter(|_| stands)
            && lead.commands.send(command).is_ok()
        {
            program.made.led = Some(StepState::Working);
        }
    }

    /// Takes a piece of a run that is stepped.
    pub(super) fn take_graph_piece(&mut self, id: ProgramId, piece: Piece) {
        let Piece { revision, settings, part } = piece;
        let Some(program) = self.programs.iter_mut().find(|program| program.id == id) else { return };
        if program.graph_revision != revision {
            return;
        }
        if let Some(lead) = &mut program.graph_lead {
            lead.begun |= matches!(part, GraphPart::Begin(_));
            lead.reached = Reached::by(&part).or(lead.reached);
            if lead.reached.is_some() {
                lead.old = None;
            }
        }
        match part {
            GraphPart::Begin(run) => {
                let file = program.title();
                let run = match program.graph_lead.as_mut().and_then(|lead| Some((lead.before.take()?, lead))) {
                    Some((before, lead)) => {
                        lead.old = program.made.graph.done().cloned().map(Box::new);
                        run.going_on_from(*before)
                    }
                    None => *run,
                };
                let run = GraphRun { file, ..run };
                program.made.graph.take(revision, settings, Ok(run));
                program.made.graph.underway = true;
            }
            GraphPart::Standing { hit, .. } => program.made.led = Some(StepState::Standing(hit)),
            GraphPart::Refused(why) => self.toasts.error(format!("The record was not changed: {why}")),
            part => program.shown_run(|run| {
                run.settle();
                run.take(part);
                run.show_waiting();
            }),
        }
        self.ctx.request_repaint();
    }

    /// Ends stepped runs of a graph that has changed.
    pub(super) fn end_old_runs(&mut self) {
        for program in &mut self.programs {
            if program.graph_lead.as_ref().is_some_and(|lead| lead.revision != program.graph_revision) {
                program.not_led();
            }
        }
    }

    /// Runs the work graph of the program that is shown.
    pub(super) fn run_graph(&mut self, request: GraphRequest) {
        let Some(program) = self.program_mut() else { return };
        if program.analysis.report.graph.as_ref().is_some_and(|graph| graph.source == GraphSource::Spirv) {
            self.toasts.info(NO_EXTENSION);
            return;
        }
        if program.program.dxil.is_empty() && request.resume.is_some() {
            self.go_on_in_library(request);
            return;
        }
        if program.program.dxil.is_empty() {
            self.toasts.info("A saved run contains no shaders: open its library to run it again.");
            return;
        }
        let (why, id) = (why_not_run(&program.analysis.report.findings), program.id);
        let led = program.made.led.is_some();
        let before = request.resume.as_ref().and_then(|resume| {
            let run = program.made.graph.done()?;
            let here = |is: &Generation| (is.dispatch, is.number) == (resume.dispatch, resume.number);
            Some(run.before_generation(run.generations.iter().position(here)?))
        });
        program.graph_request = Some(request);
        match why {
            Some(why) => self.toasts.error(why),
            None => {
                if led {
                    self.stop(Work::Graph, Some(id));
                }
                self.begin_work(Work::Graph);
                let lead = self.program_mut().and_then(|program| program.graph_lead.as_mut());
                if let Some((lead, before)) = lead.zip(before) {
                    lead.going_on_from(before);
                }
            }
        }
    }

    /// Resumes the shown saved run in its library, which shows it from then on.
    fn go_on_in_library(&mut self, request: GraphRequest) {
        let Some(run) = self.program().and_then(|program| program.made.graph.done()).cloned() else { return };
        let is_its = |program: &OpenProgram| {
            let graph = program.analysis.report.graph.as_ref();
            !program.program.dxil.is_empty() && graph.is_some_and(|graph| graph.is_as_saved(&run.graph))
        };
        let Some(index) = self.programs.iter().position(is_its) else {
            self.toasts.info("A saved run contains no shaders: open its library too, then resume here.");
            return;
        };
        let id = self.programs.get(index).map(|program| program.id);
        self.stop(Work::Graph, id);
        self.show_program(index);
        self.show_tab("graph");
        if let Some(program) = self.program_mut() {
            program.made.graph.take(program.graph_revision, RunSettings::DEFAULT, Ok(run));
            self.run_graph(request);
        }
    }

    /// Shows the tab of graphs and asks it to take a step, or to run.
    pub(super) fn ask_graph(&mut self, ask: Ask) {
        if self.program().is_none_or(|program| program.analysis.report.graph.is_none()) {
            self.toasts.info("This program has no work graph.");
            return;
        }
        self.show_tab("graph");
        self.ask = Some(ask);
        self.ctx.request_repaint();
    }

    /// Asks where to save the run of the program that is shown.
    pub(super) fn save_graph_run(&mut self) {
        let Some(program) = self.program() else { return };
        let Some(mut run) = program.made.graph.done().cloned() else { return };
        run.settle();
        let stem = program.paths.last().and_then(|path| path.file_stem()).unwrap_or_default().to_string_lossy();
        let name = format!("{stem}.{}", file::EXTENSION);
        self.ask_where(Pending::Run(Box::new(run), name));
    }

    /// Asks for a file of records.
    pub(super) fn load_records(&mut self) {
        if self.jobs.is_busy(&Tag::Dialog) {
            self.toasts.info("Another file dialog is already open.");
            return;
        }
        let Some(id) = self.program().map(|program| program.id) else { return };
        self.jobs
            .start(Tag::Dialog, "waiting for the file dialog", move |_| Outcome::PickedRecords(id, pick_records()));
    }

    /// Handles the result of the dialog for records.
    pub(super) fn take_picked_records(&mut self, id: ProgramId, picked: Picked<PathBuf>) {
        match picked {
            Picked::Chosen(path) => self.read_records(id, path),
            Picked::Nothing => {}
            Picked::Unavailable => {
                self.overlay = Overlay::Path(PathLine::new(Purpose::Records(id), String::new(), Some(NO_DIALOG)));
            }
        }
    }

    /// Reads a file of records for a program.
    pub(super) fn read_records(&mut self, id: ProgramId, path: PathBuf) {
        self.jobs.start(Tag::Records, format!("reading {}", path.display()), move |_| {
            let read = read_at_most(&path, MAX_RECORDS);
            Outcome::Records(id, read.map(|bytes| (path.display().to_string(), bytes)))
        });
    }

    /// Takes a file of records.
    pub(super) fn take_records(&mut self, id: ProgramId, read: Result<(String, Vec<u8>), String>) {
        match read {
            Ok((name, bytes)) => {
                let number = self.next_revision();
                if let Some(program) = self.programs.iter_mut().find(|program| program.id == id) {
                    program.made.records = Some(RecordsFile { number, name, bytes });
                }
            }
            Err(why) => self.toasts.error(why),
        }
    }

    /// Takes a saved run: a program without shaders, whose graph is the run's.
    pub(super) fn take_run(&mut self, id: ProgramId, opened: OpenedRun) {
        let OpenedRun { request, since, run } = opened;
        let first = !self.programs.iter().any(|program| program.id == id);
        let run = match run {
            Ok(run) => run,
            Err(why) => return self.take_frozen(id, request, since, Err(why)),
        };
        let empty = Arc::new(Program::default());
        // Without a shader every option fits.
        let Ok(analysis) = analyse(&empty, &Options::default(), None) else { return };
        let findings = run.findings.clone();
        let report = Report { graph: Some(run.graph.clone()), findings, ..analysis.report };
        let loaded = Loaded { program: Program::default(), texts: Vec::new() };
        self.take_frozen(id, request, since, Ok((loaded, Analysis { report, ..analysis })));
        if let Some(program) = self.programs.iter_mut().find(|program| program.id == id) {
            program.made.graph.take(program.graph_revision, RunSettings::DEFAULT, Ok(run));
            program.shown_run(GraphRun::show_waiting);
        }
        // One that is read again stays where it is.
        if first && self.program().is_some_and(|program| program.id == id) {
            self.page = Page::Program;
            self.show_tab("graph");
        }
    }
}
