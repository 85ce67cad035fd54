//! The cost sheets of a program that are made where they are drawn: of its interface, and of its work graph.

use std::collections::BTreeSet;
use std::path::Path;

use lanescope_core::cost::graph::{GraphSettings, graph_addition, graph_cost};
use lanescope_core::cost::interface::interface_cost;
use lanescope_core::cost::sheet::Sheet;
use lanescope_core::graph::WorkGraph;
use lanescope_core::program::{Input, Program, StageKind};
use lanescope_core::report::Report;
use lanescope_core::run::graph::InputMode;

use crate::settings::{CostSettings, Settings};
use crate::stepping::{GraphCx, Stepping};
use crate::tasks::{Answer, CostQuestion, CountedDraw, RunInput, TaskResults, TypedInputs};

/// What is counted of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CostsOf {
    /// The memory accesses of a compute shader.
    Accesses,
    /// The interface to the fragment shader.
    Interface,
    /// The work graph.
    Graph,
}

impl CostsOf {
    /// What is counted of this one, if anything.
    pub fn program(report: &Report) -> Option<CostsOf> {
        let has_pixels = report.packing.as_ref().is_some_and(|packing| packing.consumer == StageKind::Fragment);
        match () {
            () if report.graph.is_some() => Some(CostsOf::Graph),
            () if CostQuestion::applies(report) => Some(CostsOf::Accesses),
            () if has_pixels => Some(CostsOf::Interface),
            () => None,
        }
    }
}

/// What an interface's sheet is made from.
#[derive(Debug, Clone, PartialEq)]
pub struct InterfaceQuestion {
    /// The revision of the program.
    pub revision: u64,
    /// The vertices and triangles of the draw.
    draw: [u32; 2],
    /// The number of the compilers' answer, and whether it is of the program and the settings as they are.
    compiled: Option<(u64, bool)>,
    /// They are at work.
    underway: bool,
    /// What is asked of the accesses of the draw.
    pub accesses: CostQuestion,
    /// The number of the answer to that, and whether it is the answer to this question.
    counted: Option<(u64, bool)>,
    /// They are being counted.
    counting: bool,
}

impl InterfaceQuestion {
    /// The question that a program with these inputs asks now.
    pub fn of(
        revision: u64,
        settings: &Settings,
        results: &TaskResults,
        inputs: &[RunInput],
        typed: &TypedInputs,
    ) -> InterfaceQuestion {
        let compiled = &results.compiled;
        let number = compiled.answer.as_ref().map(|answer| answer.number);
        let underway = compiled.underway;
        let is_fresh = compiled.is_fresh(revision, &settings.compile);
        let CostSettings { vertices, triangles, .. } = settings.costs;
        let compiled = number.map(|number| (number, is_fresh));
        let accesses = CostQuestion::of_draw(revision, settings, inputs, typed);
        let of_answer = |answer: &Answer<CountedDraw>| {
            // A failure is the answer to the question of its revision.
            let asked = answer.result.as_ref().map(|counted| counted.question == accesses);
            (answer.number, asked.unwrap_or(answer.revision == revision))
        };
        let counted = results.draw.answer.as_ref().map(of_answer);
        let counting = results.draw.underway;
        let draw = [vertices, triangles];
        InterfaceQuestion { revision, draw, compiled, underway, accesses, counted, counting }
    }

    /// Whether the accesses of the draw are counted as they are asked for now.
    pub fn has_accesses(&self) -> bool {
        self.counted.is_some_and(|(_, is_fresh)| is_fresh)
    }

    /// The costs of the interface to the fragment shader, with the figures of compilers that compiled the program as it is, and
    /// the memory accesses of its draw.
    ///
    /// # Errors
    /// Why there are none.
    pub fn sheet(
        &self,
        program: &Program,
        report: &Report,
        settings: &Settings,
        results: &TaskResults,
    ) -> Result<Sheet, String> {
        let draw = settings.costs.draw();
        let cost = interface_cost(program, &report.options, draw).map_err(|why| why.to_string())?;
        let mut cost = cost.ok_or("The program has no fragment shader.")?;
        let compiled = &results.compiled;
        match compiled.done() {
            Some(done) if compiled.is_fresh(self.revision, &settings.compile) => {
                cost.measure(&done.sections.stages);
                let failures = done.sections.failures.iter();
                cost.notes.extend(failures.map(|one| format!("not measured: {}: {}", one.place, one.message)));
            }
            Some(_) => {
                cost.notes.push("compilers' figures are left out: the program or the settings have changed".into())
            }
            None if compiled.underway => cost.notes.push("compilers' figures are not here yet".into()),
            None if compiled.failed().is_some() => cost.notes.push("not measured: compiling failed".into()),
            None => cost.notes.push("no compiler's figures are beside these: the program was not compiled".into()),
        }
        let draw = &results.draw;
        match (draw.done().filter(|_| self.has_accesses()), draw.failed()) {
            (Some(counted), _) => cost.accesses = Some(counted.accesses.clone()),
            (None, _) if draw.underway => cost.notes.push("memory accesses of the draw are being counted".into()),
            (None, Some(why)) => cost.notes.push(format!("memory accesses of the draw are not counted: {why}")),
            (None, None) if draw.answer.is_some() => cost.notes.push(
                "memory accesses of the draw are left out: the program, the settings or the inputs have changed".into(),
            ),
            (None, None) => cost.notes.push("memory accesses of the draw were not counted".into()),
        }
        Ok(cost.sheet())
    }
}

/// How far which run is: its figures follow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RunState {
    /// Revision and number of the answer.
    answer: (u64, u64),
    generations: usize,
    waits: bool,
    stopped: bool,
    findings: usize,
}

/// A file of a program, by index, without its folder.
pub fn file_name(inputs: &[Input], file: usize) -> String {
    let path = inputs.get(file).map(|input| Path::new(&input.path));
    let name = path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| format!("file {file}"))
}

/// What a work graph's sheet is made from.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphQuestion {
    /// Revision of the graph.
    revision: u64,
    /// The run, where there is one.
    run: Option<RunState>,
    /// What is assumed: the records of the form are counted where there is no run.
    settings: GraphSettings,
    /// The file whose nodes are added to those of the others.
    added: Option<usize>,
}

/// The files that may be added to the others, by index; none where all nodes are of one file.
pub fn files_to_add(graph: &WorkGraph) -> Vec<usize> {
    let files: BTreeSet<usize> = graph.nodes.iter().map(|node| node.input).collect();
    if files.len() > 1 { files.into_iter().collect() } else { Vec::new() }
}

impl GraphQuestion {
    /// The question that a graph asks now.
    pub fn of(cx: &GraphCx<'_>, stepping: &Stepping, settings: &CostSettings) -> GraphQuestion {
        let run = cx.run().map(|(answer, run)| RunState {
            answer,
            generations: run.generations.len(),
            waits: !run.pending.is_empty() || run.generations.last().is_some_and(|last| last.waiting),
            stopped: run.stopped.is_some(),
            findings: run.findings.len(),
        });
        // A run has its own.
        let (first, input_mode): (Vec<(usize, u64)>, Option<InputMode>) = match cx.frozen || run.is_some() {
            true => (Vec::new(), None),
            false => (stepping.form.counts(cx.graph), Some(stepping.form.input_mode(cx.graph))),
        };
        let added = settings.added.filter(|file| files_to_add(cx.graph).contains(file));
        let settings = GraphSettings { rows: settings.rows, input_mode, first };
        GraphQuestion { revision: cx.revision, run, settings, added }
    }

    /// The costs of the graph, with those of its run where there is one; or what an addition changes.
    pub fn sheet(&self, cx: &GraphCx<'_>) -> Sheet {
        let run = cx.run().map(|(_, run)| run);
        // A run says which graph it is of: constants may be given for it alone.
        let graph = run.map_or(cx.graph, |run| &run.graph);
        let addition =
            self.added.and_then(|file| graph_addition(graph, |node| node.input == file, run, &self.settings));
        match addition {
            Some(addition) => addition.sheet(),
            None => graph_cost(graph, run, &self.settings).sheet(),
        }
    }
}

/// What was made last, with the question that it answers.
#[derive(Debug)]
pub struct Made<Q, A> {
    last: Option<(Q, A)>,
}

impl<Q, A> Default for Made<Q, A> {
    fn default() -> Self {
        Made { last: None }
    }
}

impl<Q: PartialEq, A> Made<Q, A> {
    /// The answer to a question; made where another one was asked last.
    pub fn get(&mut self, question: Q, make: impl FnOnce(&Q) -> A) -> &A {
        let last = match self.last.take().filter(|(asked, _)| *asked == question) {
            Some(last) => last,
            None => {
                let answer = make(&question);
                (question, answer)
            }
        };
        &self.last.insert(last).1
    }
}
