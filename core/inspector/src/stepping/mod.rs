//! Stepping through the run of a work graph: the shown generation, breakpoints, what the next run gets.
//!
//! Recorded generations are stepped through here. At the last one of a paused run, and where a run begins, the result is
//! a [`StepRequest`] for the device.

mod breakpoints;
mod command;
mod input;
mod position;

pub use breakpoints::{NodeBreakpoint, Stop};
pub use command::{RunPage, StepCommand};
pub use input::{EntryRecords, InputEdit, RunForm};
pub use position::Position;

use lanescope_core::gpu::RecordPlace;
use lanescope_core::graph::{GraphSource, NodeId, WorkGraph};
use lanescope_core::run::graph::{
    Advance, Breakpoint, Generation, GraphCommand, GraphMode, GraphRequest, GraphRun, NodeRun,
};

use crate::tasks::{StepState, TaskResults};
use breakpoints::next_stop;

/// A request to the device.
#[derive(Debug, Clone, PartialEq)]
pub enum StepRequest {
    /// Begin a run.
    Run(Box<GraphRequest>),
    /// Send a command to the paused run.
    Control(GraphCommand),
}

/// The graph, and what is known of its runs.
#[derive(Clone, Copy)]
pub struct GraphCx<'a> {
    /// The graph.
    pub graph: &'a WorkGraph,
    /// Its revision.
    pub revision: u64,
    /// Results of the program's tasks.
    pub results: &'a TaskResults,
    /// A saved run without shaders.
    pub frozen: bool,
}

impl<'a> GraphCx<'a> {
    /// The run of this graph with its key: revision and number.
    pub fn run(&self) -> Option<((u64, u64), &'a GraphRun)> {
        // A run of an older program is of another graph.
        let answer = self.results.graph.answer.as_ref().filter(|answer| answer.revision == self.revision)?;
        let run = answer.result.as_ref().ok().filter(|run| run.graph.nodes.len() == self.graph.nodes.len())?;
        Some(((answer.revision, answer.number), run))
    }

    /// Whether the device computes.
    pub fn is_working(&self) -> bool {
        self.results.graph.underway && !self.is_paused()
    }

    /// Whether a run is paused.
    pub fn is_paused(&self) -> bool {
        self.results.is_graph_paused()
    }
}

/// How a work graph and its run are looked at, and what its next run gets.
#[derive(Debug, Default)]
pub struct Stepping {
    /// Revision of the graph that the nodes are of.
    graph: Option<u64>,
    /// The nodes' names, to find the selected one again in another state of the file.
    ids: Vec<NodeId>,
    /// The selected node.
    pub node: Option<usize>,
    /// What the next run gets.
    pub form: RunForm,
    /// Whether the form is shown.
    pub form_shown: bool,
    /// Why what was requested last cannot be run.
    pub refused: Option<String>,
    /// The breakpoints.
    pub breakpoints: Vec<NodeBreakpoint>,
    /// The run: revision and number.
    run: (u64, u64),
    /// Generations of it, and whether the last of them waits.
    grown: (usize, bool),
    /// Whether the last generation is shown until the run is paused.
    following: bool,
    /// Index of the shown generation; `None` without a run.
    pub at: Option<usize>,
    /// The page below the drawing.
    pub page: RunPage,
    /// Index of the node's run whose records are shown.
    pub shown: usize,
    /// The selected record of that run.
    pub record: Option<u64>,
    /// Counts selections of records that were not made in the table: it shows them.
    pub record_moves: u64,
    /// Where a breakpoint stopped the run.
    pub stop: Option<Stop>,
    /// Number of the file of records that was read last.
    records: Option<u64>,
}

impl Stepping {
    /// No graph.
    pub const NONE: Stepping = Stepping {
        graph: None,
        ids: Vec::new(),
        node: None,
        form: RunForm::NEW,
        form_shown: false,
        refused: None,
        breakpoints: Vec::new(),
        run: (0, 0),
        grown: (0, false),
        following: false,
        at: None,
        page: RunPage::Records,
        shown: 0,
        record: None,
        record_moves: 0,
        stop: None,
        records: None,
    };

    /// Names the run and how far it has come: what is known of its records depends on both.
    pub fn run_key(&self) -> ((u64, u64), (usize, bool)) {
        (self.run, self.grown)
    }

    /// Takes another state of the graph or another run of it, and follows one that grows. A run is shown at its last
    /// generation: its result, or where it is paused.
    pub fn follow(&mut self, cx: &GraphCx<'_>) {
        if self.graph != Some(cx.revision) {
            self.graph = Some(cx.revision);
            self.node = self.node.and_then(|node| cx.graph.find(self.ids.get(node)?));
            self.ids = cx.graph.nodes.iter().map(|node| node.id.clone()).collect();
            self.refused = None;
            self.form.fit(cx.graph);
        }
        if let Some(file) = cx.results.records.as_ref().filter(|file| self.records != Some(file.number)) {
            self.records = Some(file.number);
            self.form_shown = true;
            self.form.read(cx.graph, &file.bytes);
        }
        let Some((key, run)) = cx.run() else { return };
        self.follow_run(key, run, cx.results.stepping);
        self.show_selected(run);
    }

    fn follow_run(&mut self, key: (u64, u64), run: &GraphRun, state: Option<StepState>) {
        let grown = (run.generations.len(), run.generations.last().is_some_and(|last| last.waiting));
        if self.run != key {
            (self.run, self.stop, self.at, self.shown) = (key, None, None, 0);
            self.select(None);
            self.following = state.is_some();
        }
        self.grown = grown;
        let Some(last) = grown.0.checked_sub(1) else { return };
        self.at = Some(self.at.unwrap_or(last).min(last));
        if !self.following {
            return;
        }
        self.go_to(last);
        if state == Some(StepState::Working) {
            return;
        }
        self.following = false;
        let Some(StepState::Standing(Some(hit))) = state else { return };
        self.stop = Some(Stop { generation: last, run: hit.run, record: hit.record });
        self.show_run(hit.run, hit.record);
        let node = run.generations.get(last).and_then(|is| is.nodes.get(hit.run));
        self.node = node.map(|node| node.node).or(self.node);
    }

    /// Shows the selected node's own run; one of several stays.
    fn show_selected(&mut self, run: &GraphRun) {
        let Some(generation) = self.generation(run) else { return };
        let is_selected = |is: &NodeRun| self.node == Some(is.node);
        let shows = generation.nodes.get(self.shown).is_some_and(is_selected);
        let first = generation.nodes.iter().position(is_selected).filter(|_| !shows);
        let last = generation.nodes.len().saturating_sub(1);
        if let Some(first) = first {
            self.shown = first;
            self.select(None);
        }
        self.shown = self.shown.min(last);
    }

    /// The shown generation.
    pub fn generation<'r>(&self, run: &'r GraphRun) -> Option<&'r Generation> {
        run.generations.get(self.at?)
    }

    /// Which generation of a run is shown.
    pub fn position(&self, run: &GraphRun) -> Option<Position> {
        let (at, last) = (self.at?, run.generations.len().checked_sub(1)?);
        let shown = run.generations.get(at)?;
        let starts = run.generations.last().is_some_and(|last| last.dispatch > 0);
        Some(Position { at, last, start: starts.then_some([shown.dispatch, shown.number]) })
    }

    /// Whether a step forward leads anywhere.
    pub fn has_more(&self, cx: &GraphCx<'_>, run: &GraphRun) -> bool {
        self.at != run.generations.len().checked_sub(1) || cx.is_paused()
    }

    /// Whether a run that is stepped can begin now.
    pub fn can_restart(&self, cx: &GraphCx<'_>) -> bool {
        !cx.frozen && self.form.is_stepped() && !cx.is_working()
    }

    /// Whether a run can begin now.
    pub fn can_run(&self, cx: &GraphCx<'_>) -> bool {
        cx.graph.source != GraphSource::Spirv && !cx.frozen && !cx.is_working()
    }

    /// Why the run cannot be resumed from the shown generation.
    pub fn why_not_resume(&self, cx: &GraphCx<'_>, run: &GraphRun) -> Option<&'static str> {
        let paused_here = self.generation(run).is_some_and(|is| is.waiting) && cx.results.stepping.is_some();
        match () {
            () if run.mode == GraphMode::Free => Some("Unavailable: a GPU-driven run cannot be resumed"),
            () if paused_here => Some("Unavailable: the run is already paused here"),
            () if !self.can_restart(cx) && !cx.frozen => Some("Unavailable during a run and in GPU-driven mode"),
            () => None,
        }
    }

    /// The record whose launch can be debugged: the selected one of the shown run, or the only one.
    ///
    /// # Errors
    /// Why none can.
    pub fn launch(&self, run: &GraphRun) -> Result<RecordPlace, &'static str> {
        if run.mode == GraphMode::Free {
            return Err("Unavailable: a GPU-driven run does not record the state between generations");
        }
        let shown = self.at.and_then(|at| Some((at, run.generations.get(at)?.nodes.get(self.shown)?)));
        let Some((generation, of)) = shown else { return Err("Unavailable: no generation is shown") };
        let has_record = run.graph.nodes.get(of.node).is_some_and(|node| node.record().is_some());
        // Records without contents are all the same.
        let only = (of.count == 1 || (of.count > 0 && !has_record)).then_some(0);
        match self.record.filter(|record| *record < of.count).or(only) {
            Some(record) => Ok(RecordPlace { generation, run: self.shown, record }),
            None => Err("Unavailable: select a record in the table of records first"),
        }
    }

    /// Shows and selects a record.
    pub fn show_record(&mut self, place: RecordPlace) {
        self.go_to(place.generation);
        self.show_run(place.run, Some(place.record));
    }

    /// Enabled breakpoints.
    pub fn active(&self, graph: &WorkGraph) -> Vec<Breakpoint> {
        self.breakpoints.iter().filter(|is| is.on).filter_map(|is| is.at(graph)).collect()
    }

    /// Nodes with an enabled breakpoint, in order.
    pub fn nodes_with_breakpoint(&self, graph: &WorkGraph) -> Vec<usize> {
        let mut nodes: Vec<usize> =
            self.breakpoints.iter().filter(|is| is.on).filter_map(|is| graph.find(&is.id)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Carries out a command. Returns the request to the device that it leads to. Commands that do not apply now have no
    /// effect.
    pub fn update(&mut self, cx: &GraphCx<'_>, command: StepCommand) -> Option<StepRequest> {
        let run = cx.run().map(|(_, run)| run);
        match command {
            StepCommand::Run if self.can_run(cx) => return self.begin(cx, false),
            StepCommand::Step | StepCommand::Restart if run.is_none() => {
                return if self.can_run(cx) && self.form.is_stepped() { self.begin(cx, true) } else { None };
            }
            StepCommand::Restart if self.can_restart(cx) => return self.begin(cx, true),
            StepCommand::Step
            | StepCommand::StepBack
            | StepCommand::Continue
            | StepCommand::RunToNode
            | StepCommand::RunToEnd
            | StepCommand::Restart => {
                let run = run?;
                let control = self.walk(cx, run, &command);
                self.show_selected(run);
                return control.map(StepRequest::Control);
            }
            StepCommand::Resume => {
                let (run, at) = (run?, self.at?);
                return if self.why_not_resume(cx, run).is_none() { self.resume(cx, run, at) } else { None };
            }
            StepCommand::Run | StepCommand::RunToGeneration => {}
            StepCommand::ToggleBreakpoint => {
                if let Some(id) = self.node.and_then(|node| self.ids.get(node)).cloned() {
                    self.toggle_breakpoint(id);
                }
            }
            StepCommand::ShowGeneration(at) => {
                if run.is_some_and(|run| at < run.generations.len()) {
                    self.go_to(at);
                }
            }
            StepCommand::ShowPage(page) => self.page = page,
            StepCommand::ShowRun(at) => self.show_run(at, None),
            StepCommand::FollowRecords { generation, run: at, record } => {
                let node = run?.generations.get(generation)?.nodes.get(at)?.node;
                (self.at, self.stop, self.shown, self.record) = (Some(generation), None, at, record);
                self.node = Some(node);
            }
            StepCommand::SelectRecord(record) => self.record = record,
            StepCommand::SelectNode(node) => self.node = node.filter(|node| *node < cx.graph.nodes.len()),
            StepCommand::AddBreakpoint(condition) => {
                if let Some(id) = self.node.and_then(|node| self.ids.get(node)).cloned() {
                    self.breakpoints.push(NodeBreakpoint { id, condition, on: true });
                }
            }
            StepCommand::RemoveBreakpoint(at) => {
                if at < self.breakpoints.len() {
                    self.breakpoints.remove(at);
                }
            }
            StepCommand::EnableBreakpoint(at, on) => {
                if let Some(breakpoint) = self.breakpoints.get_mut(at) {
                    breakpoint.on = on;
                }
            }
            StepCommand::ShowForm(shown) => self.form_shown = shown,
            StepCommand::Edit(edit) => self.form.edit(cx.graph, edit),
        }
        if let Some(run) = run {
            self.show_selected(run);
        }
        None
    }

    /// Requests a run: paused before its first generation, to the first breakpoint, or to the end.
    fn begin(&mut self, cx: &GraphCx<'_>, step: bool) -> Option<StepRequest> {
        self.refused = None;
        match self.form.request(cx.graph) {
            Ok(mut request) => {
                let breakpoints = self.active(cx.graph);
                if self.form.is_stepped() && (step || !breakpoints.is_empty()) {
                    request.led = Some(Advance { generations: step.then_some(0), breakpoints });
                }
                Some(StepRequest::Run(Box::new(request)))
            }
            Err(why) => {
                self.refused = Some(why);
                None
            }
        }
    }

    /// Requests a run that resumes before a generation of the shown run, and pauses there.
    fn resume(&mut self, cx: &GraphCx<'_>, run: &GraphRun, at: usize) -> Option<StepRequest> {
        self.refused = None;
        let request = self.form.request(cx.graph).and_then(|request| {
            let resume = run.resume(at)?;
            let more = request.dispatches > resume.dispatch.saturating_add(1);
            let inputs = if more { run.first_inputs()? } else { Vec::new() };
            let led = Some(Advance { generations: Some(0), breakpoints: self.active(cx.graph) });
            let (input_mode, ring) = (run.input_mode, run.ring);
            let mode = GraphMode::Step;
            Ok(GraphRequest { mode, input_mode, ring, inputs, led, resume: Some(Box::new(resume)), ..request })
        });
        match request {
            Ok(request) => Some(StepRequest::Run(Box::new(request))),
            Err(why) => {
                self.refused = Some(why);
                None
            }
        }
    }

    /// Steps through recorded generations; at the last one, continues a paused run.
    fn walk(&mut self, cx: &GraphCx<'_>, run: &GraphRun, command: &StepCommand) -> Option<GraphCommand> {
        let last = run.generations.len().checked_sub(1)?;
        let (is_paused, at) = (cx.is_paused(), self.at.unwrap_or(0));
        let possible = match command {
            StepCommand::StepBack | StepCommand::Restart => at > 0,
            StepCommand::RunToNode => self.node.is_some() && self.has_more(cx, run),
            _ => self.has_more(cx, run),
        };
        if !possible {
            return None;
        }
        let next = self.at.map_or(0, |at| at + 1);
        let breakpoints = match command {
            StepCommand::Continue => self.active(&run.graph),
            StepCommand::RunToNode => {
                self.node.map(|node| Breakpoint { node, condition: String::new() }).into_iter().collect()
            }
            _ => Vec::new(),
        };
        let stop = next_stop(run, &breakpoints, next);
        let continues = match command {
            StepCommand::Step => is_paused && next > last,
            StepCommand::Continue | StepCommand::RunToNode => is_paused && stop.is_none(),
            StepCommand::RunToEnd => is_paused,
            _ => false,
        };
        if continues {
            self.go_to(last);
            self.following = true;
            let generations = (*command == StepCommand::Step).then_some(1);
            return Some(GraphCommand::Go(Advance { generations, breakpoints }));
        }
        let to = match command {
            StepCommand::Step => next.min(last),
            StepCommand::StepBack => at.saturating_sub(1),
            StepCommand::RunToEnd => last,
            StepCommand::Continue => stop.map_or(last, |stop| stop.generation),
            // Where the node does not run any more, nothing moves.
            StepCommand::RunToNode => stop.map_or(at, |stop| stop.generation),
            _ => 0,
        };
        self.go_to(to);
        self.stop = stop.filter(|_| *command == StepCommand::Continue);
        if let Some(stop) = stop {
            self.show_run(stop.run, stop.record);
            let node = run.generations.get(stop.generation).and_then(|is| is.nodes.get(stop.run));
            self.node = node.map(|node| node.node).or(self.node);
        }
        None
    }

    fn go_to(&mut self, at: usize) {
        if self.at != Some(at) {
            (self.at, self.stop, self.shown) = (Some(at), None, 0);
            self.select(None);
        }
    }

    fn show_run(&mut self, run: usize, record: Option<u64>) {
        (self.page, self.shown) = (RunPage::Records, run);
        self.select(record);
    }

    fn select(&mut self, record: Option<u64>) {
        self.record = record;
        self.record_moves += 1;
    }

    /// Removes the node's breakpoint without a condition, or adds one.
    fn toggle_breakpoint(&mut self, id: NodeId) {
        let before = self.breakpoints.len();
        self.breakpoints.retain(|is| is.id != id || !is.condition.is_empty());
        if self.breakpoints.len() == before {
            self.breakpoints.push(NodeBreakpoint { id, condition: String::new(), on: true });
        }
    }
}
