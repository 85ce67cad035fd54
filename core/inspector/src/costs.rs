//! The cost sheets of a program that take no run of it: of its interface, and of its work graph.

use lanescope_core::cost::graph::{GraphSettings, graph_cost};
use lanescope_core::cost::interface::interface_cost;
use lanescope_core::cost::sheet::Sheet;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::report::Report;
use lanescope_core::run::graph::InputMode;

use crate::settings::{CostSettings, Settings};
use crate::stepping::{GraphCx, Stepping};
use crate::tasks::{CostQuestion, TaskResults};

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
}

impl InterfaceQuestion {
    /// The question that a program asks now.
    pub fn of(revision: u64, settings: &Settings, results: &TaskResults) -> InterfaceQuestion {
        let compiled = &results.compiled;
        let number = compiled.answer.as_ref().map(|answer| answer.number);
        let is_fresh = compiled.is_fresh(revision, &settings.compile);
        let CostSettings { vertices, triangles, .. } = settings.costs;
        InterfaceQuestion { revision, draw: [vertices, triangles], compiled: number.map(|number| (number, is_fresh)) }
    }

    /// The costs of the interface to the fragment shader, with the figures of compilers that compiled the program as it is.
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
            Some(done) if compiled.is_fresh(self.revision, &settings.compile) => cost.measure(&done.sections.stages),
            Some(_) => {
                cost.notes.push("compilers' figures are left out: the program or the settings have changed".into())
            }
            None => cost.notes.push("no compiler's figures are beside these: the program was not compiled".into()),
        }
        Ok(cost.sheet())
    }
}

/// What a work graph's sheet is made from.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphQuestion {
    /// Revision of the graph, and how far which run of it is.
    graph: (u64, ((u64, u64), (usize, bool))),
    /// What is assumed: the records of the form are counted where there is no run.
    settings: GraphSettings,
}

impl GraphQuestion {
    /// The question that a graph asks now.
    pub fn of(cx: &GraphCx<'_>, stepping: &Stepping, settings: &CostSettings) -> GraphQuestion {
        let (first, input_mode): (Vec<(usize, u64)>, Option<InputMode>) = match cx.frozen {
            true => (Vec::new(), None),
            false => (stepping.form.counts(cx.graph), Some(stepping.form.input_mode(cx.graph))),
        };
        GraphQuestion {
            graph: (cx.revision, stepping.run_key()),
            settings: GraphSettings { rows: settings.rows, input_mode, first },
        }
    }

    /// The costs of the graph, with those of its run where there is one.
    pub fn sheet(&self, cx: &GraphCx<'_>) -> Sheet {
        let run = cx.run().map(|(_, run)| run);
        // A run says which graph it is of: constants may be given for it alone.
        graph_cost(run.map_or(cx.graph, |run| &run.graph), run, &self.settings).sheet()
    }
}
