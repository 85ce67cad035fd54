//! Inputs of all views.

use std::collections::BTreeMap;

use lanescope_core::codeobject::CodeObject;
use lanescope_core::program::{LoadedDxil, Program};
use lanescope_core::report::Report;
use lanescope_inspector::command::Command;
use lanescope_inspector::comparing::Comparing;
use lanescope_inspector::debugging::Debugging;
use lanescope_inspector::found::FoundCx;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::settings::Settings;
use lanescope_inspector::source::SourceText;
use lanescope_inspector::stepping::{GraphCx, Stepping};
use lanescope_inspector::tasks::{RunInput, TaskResults, TypedInputs};
use lanescope_inspector::view::{Ask, ViewInfo};

/// Inputs of a view. All of it belongs to one analysed program.
#[derive(Clone, Copy)]
pub struct ViewCx<'a> {
    /// The report.
    pub report: &'a Report,
    /// The same program under the second setting, where two are shown side by side.
    pub other: Option<&'a Report>,
    /// The texts, in the order of the inputs.
    pub texts: &'a [SourceText],
    /// The loaded program; none for a report that was read from a file.
    pub loaded: Option<&'a Program>,
    /// The containers, for their bytes; empty for a report that was read from a file.
    pub containers: &'a [LoadedDxil],
    /// The AMD code object that was opened instead of shaders.
    pub object: Option<&'a CodeObject>,
    /// The selection.
    pub selection: &'a Selection,
    /// Counts up whenever `report`, `other` or `texts` changes: caches compare it.
    pub revision: u64,
    /// The program's number: state of one view is kept for each program.
    pub program: u64,
    /// The revision since which the work graph is as it is: a run of it is of that one.
    pub graph_revision: u64,
    /// Results of work on request.
    pub results: &'a TaskResults,
    /// How the work graph and its run are looked at.
    pub stepping: &'a Stepping,
    /// The debugger.
    pub debugging: &'a Debugging,
    /// Devices, and settings of runs and compiles.
    pub settings: &'a Settings,
    /// The buffers and images that a run fills, with their files.
    pub inputs: &'a [RunInput],
    /// The texts that give what else a run takes.
    pub typed: &'a TypedInputs,
    /// What the program is compared with.
    pub comparing: Comparing<'a>,
    /// The report was read from a file: there is no program to compile or run.
    pub frozen: bool,
    /// The panel of options is shown: views leave out controls of theirs that it has too.
    pub options_shown: bool,
    /// The request to the view that has the keys, for one drawing.
    pub ask: Option<Ask>,
}

impl<'a> ViewCx<'a> {
    /// A report on its own, at revision 1.
    pub fn of(report: &'a Report, selection: &'a Selection) -> Self {
        static NOTHING: TaskResults = TaskResults::NOTHING;
        static NONE: Stepping = Stepping::NONE;
        static NO_SESSION: Debugging = Debugging::NONE;
        static DEFAULT: Settings = Settings::DEFAULT;
        static NO_TEXTS: TypedInputs = TypedInputs::NONE;
        ViewCx {
            report,
            other: None,
            texts: &[],
            loaded: None,
            containers: &[],
            object: None,
            selection,
            revision: 1,
            program: 0,
            graph_revision: 1,
            results: &NOTHING,
            stepping: &NONE,
            debugging: &NO_SESSION,
            settings: &DEFAULT,
            inputs: &[],
            typed: &NO_TEXTS,
            comparing: Comparing::NOTHING,
            frozen: false,
            options_shown: false,
            ask: None,
        }
    }

    /// The work graph with what is known of its runs.
    pub fn graph(&self) -> Option<GraphCx<'a>> {
        let (revision, results, frozen) = (self.graph_revision, self.results, self.frozen);
        self.report.graph.as_ref().map(|graph| GraphCx { graph, revision, results, frozen })
    }

    /// What was found in the program.
    pub fn found(&self) -> FoundCx<'a> {
        FoundCx {
            report: self.report,
            results: self.results,
            debugging: self.debugging,
            revision: self.revision,
            graph_revision: self.graph_revision,
            compile: &self.settings.compile,
        }
    }

    /// Whether this is requested now.
    pub fn asked(&self, ask: Ask) -> bool {
        self.ask == Some(ask)
    }
}

/// A view with a state of its own for each program: what is searched for, opened and scrolled to.
#[derive(Debug, Default)]
pub struct PerProgram<V> {
    views: BTreeMap<u64, V>,
    info: V,
}

impl<V: View + Default> View for PerProgram<V> {
    fn info(&self) -> &'static ViewInfo {
        self.info.info()
    }

    fn ui(&mut self, ui: &mut egui::Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let view = self.views.entry(cx.program).or_default();
        ui.push_id(("program", cx.program), |ui| view.ui(ui, cx)).inner
    }

    fn forget(&mut self, program: u64) {
        self.views.remove(&program);
    }
}

/// A tab.
pub trait View {
    /// Its name and what it is for.
    fn info(&self) -> &'static ViewInfo;

    /// Draws it and returns what the user requested.
    fn ui(&mut self, ui: &mut egui::Ui, cx: &ViewCx<'_>) -> Vec<Command>;

    /// Forgets what it keeps of a program that was closed, where it keeps anything of one.
    fn forget(&mut self, _program: u64) {}
}
