//! The run of a work graph that is stepped: the channel to the child that runs it.

use std::sync::mpsc::Sender;

use lanescope_core::run::Blob;
use lanescope_core::run::graph::{GraphCommand, GraphPart, GraphRun, Reached, Replace};
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::tasks::StepState;

use super::history::RecordEdit;
use super::program::OpenProgram;

/// The channel to a child whose run is stepped. Dropping it ends a paused run.
pub struct Stepper {
    /// Revision of the work graph that it runs.
    pub revision: u64,
    commands: Sender<GraphCommand>,
    /// The run that it continues from, until it begins.
    before: Option<Box<GraphRun>>,
    /// That run with all that came of it, until the new one has come as far.
    old: Option<Box<GraphRun>>,
    /// Its first part came.
    begun: bool,
    reached: Option<Reached>,
}

/// A part of a run that is stepped, and what it was made from.
pub struct RunPart {
    revision: u64,
    settings: RunSettings,
    part: GraphPart,
}

impl RunPart {
    /// A part of the run of this revision, under these settings.
    pub fn new(revision: u64, settings: &RunSettings, part: GraphPart) -> RunPart {
        RunPart { revision, settings: settings.clone(), part }
    }
}

impl Stepper {
    /// A run that has not begun.
    pub fn new(revision: u64, commands: Sender<GraphCommand>) -> Stepper {
        Stepper { revision, commands, before: None, old: None, begun: false, reached: None }
    }

    /// It resumes another run.
    pub fn resume_from(&mut self, before: GraphRun) {
        self.before = Some(Box::new(before));
    }

    /// Whether anything was read of it that its end adds to.
    fn has_read(&self, run: &GraphRun, ended_well: bool) -> bool {
        self.begun && (ended_well || self.reached.is_some() || !run.generations.is_empty())
    }
}

impl OpenProgram {
    /// Begins to step its run.
    pub(crate) fn begin_stepping(&mut self, stepper: Stepper) {
        (self.stepper, self.results.stepping) = (Some(stepper), Some(StepState::Working));
    }

    /// Stops stepping: a paused child ends its run.
    pub(crate) fn end_stepping(&mut self) {
        (self.stepper, self.results.stepping) = (None, None);
    }

    /// Sends a command to its run, if that is paused.
    pub(crate) fn control_run(&mut self, command: GraphCommand) {
        let is_paused = matches!(self.results.stepping, Some(StepState::Standing(_)));
        if let Some(stepper) = self.stepper.as_ref().filter(|_| is_paused)
            && stepper.commands.send(command).is_ok()
        {
            self.results.stepping = Some(StepState::Working);
        }
    }

    /// Number of records that were edited in its paused run.
    pub(crate) fn edited_records(&self) -> usize {
        let run = self.results.graph.done().filter(|_| self.results.is_graph_paused());
        let nodes = run.into_iter().flat_map(|run| &run.generations).flat_map(|generation| &generation.nodes);
        nodes.map(|node| node.edited.len()).sum()
    }

    /// Notes the record that a command edits as it is now, so that this can be undone.
    pub(crate) fn note_edit(&mut self, command: &GraphCommand) {
        let GraphCommand::Replace(Replace { run, record, bytes }) = command else { return };
        let shown = self.results.graph.done().filter(|_| self.results.is_graph_paused());
        let node = shown.and_then(|shown| shown.generations.last()?.nodes.get(*run));
        let was = node.and_then(|node| node.records.get(*record)?.get(..bytes.0.len()));
        let Some(was) = was.map(|was| Blob(was.to_vec())).filter(|was| was != bytes) else { return };
        let (at, run, record, is) = (self.stepping.run_key(), *run, *record, bytes.clone());
        self.history.note_edit(RecordEdit { at, run, record, was, is });
    }

    /// Changes the run that is shown.
    pub(crate) fn change_run(&mut self, change: impl FnOnce(&mut GraphRun)) {
        if let Some(Ok(run)) = self.results.graph.answer.as_mut().map(|answer| &mut answer.result) {
            change(run);
        }
    }

    /// Takes a part of its run. Returns the reason of a record that could not be changed.
    pub(crate) fn take_part(&mut self, part: RunPart) -> Option<String> {
        let RunPart { revision, settings, part } = part;
        if self.graph_revision != revision {
            return None;
        }
        if let Some(stepper) = &mut self.stepper {
            stepper.begun |= matches!(part, GraphPart::Begin(_));
            stepper.reached = Reached::by(&part).or(stepper.reached);
            if stepper.reached.is_some() {
                stepper.old = None;
            }
        }
        match part {
            GraphPart::Begin(run) => {
                let file = self.title();
                let run = match self.stepper.as_mut().and_then(|stepper| Some((stepper.before.take()?, stepper))) {
                    Some((before, stepper)) => {
                        stepper.old = self.results.graph.done().cloned().map(Box::new);
                        run.going_on_from(*before)
                    }
                    None => *run,
                };
                let run = GraphRun { file, ..run };
                self.results.graph.take(revision, settings, Ok(run));
                self.results.graph.underway = true;
            }
            GraphPart::Standing { hit, .. } => self.results.stepping = Some(StepState::Standing(hit)),
            GraphPart::Refused(why) => return Some(why),
            part => self.change_run(|run| {
                run.settle();
                run.take(part);
                run.show_waiting();
            }),
        }
        None
    }

    /// Takes the end of a stepped run, or the error; generations read until then are kept. Returns the error of a run
    /// that could not be resumed.
    pub(crate) fn take_end(
        &mut self,
        revision: u64,
        settings: RunSettings,
        end: Result<Box<GraphRun>, String>,
    ) -> Option<String> {
        if self.stepper.as_ref().is_some_and(|stepper| stepper.revision != revision) {
            // The end of a run that another one has replaced.
            return None;
        }
        let mut stepper = self.stepper.take();
        self.end_stepping();
        self.results.graph.underway = false;
        let old = stepper.as_mut().and_then(|stepper| stepper.old.take());
        if let Some((why, old)) = end.as_ref().err().zip(old) {
            // It did not reach the generation to resume from, so the earlier run is shown again.
            self.results.graph.take(revision, settings, Ok(*old));
            self.change_run(GraphRun::show_waiting);
            return Some(why.clone());
        }
        let shown = self.results.graph.answer.as_mut().map(|answer| &mut answer.result);
        match (stepper, shown) {
            (Some(stepper), Some(Ok(run))) if stepper.has_read(run, end.is_ok()) => {
                run.settle();
                match end {
                    Ok(end) => run.end(*end),
                    Err(why) => run.break_off(stepper.reached, &why),
                }
                run.show_waiting();
            }
            // The resume failed; the earlier run is kept.
            (Some(Stepper { before: Some(_), .. }), Some(Ok(_))) if end.is_err() => return end.err(),
            _ => {
                self.results.graph.take(revision, settings, end.map(|run| *run));
                self.change_run(GraphRun::show_waiting);
            }
        }
        None
    }
}
