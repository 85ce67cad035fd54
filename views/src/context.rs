//! Inputs of all views, and the commands that they return.

use lanescope_core::options::Options;
use lanescope_core::program::LoadedDxil;
use lanescope_core::report::Report;
use lanescope_core::run::Place;
use lanescope_core::run::graph::{GraphCommand, GraphRequest};
use lanescope_inspector::command::Output;
use lanescope_inspector::comparing::{Comparing, Partner};
use lanescope_inspector::selection::Selection;
use lanescope_inspector::settings::{CompileSettings, Devices, RunSettings, SpeculativeSettings, StatisticsSettings};
use lanescope_inspector::source::SourceText;
use lanescope_inspector::tasks::{RunInput, TaskResults, Work};
use lanescope_inspector::view::{Ask, ViewInfo};

use crate::picture::Picture;

/// Inputs of a view. All of it belongs to one analysed program.
#[derive(Clone, Copy)]
pub struct ViewCx<'a> {
    /// The report.
    pub report: &'a Report,
    /// The same program under the second setting, where two are shown side by side.
    pub other: Option<&'a Report>,
    /// The texts, in the order of the inputs.
    pub texts: &'a [SourceText],
    /// The containers, for their bytes; empty for a report that was read from a file.
    pub containers: &'a [LoadedDxil],
    /// The selection.
    pub selection: &'a Selection,
    /// Counts up whenever `report`, `other` or `texts` changes: caches compare it.
    pub revision: u64,
    /// The program's number: how one is looked at says nothing of another.
    pub program: u64,
    /// The revision since which the work graph is as it is: a run of it is of that one.
    pub graph_revision: u64,
    /// What was made of the program on request.
    pub made: &'a TaskResults,
    /// The devices, and how they are used.
    pub devices: &'a Devices,
    /// The buffers and images that a run fills, with their files.
    pub inputs: &'a [RunInput],
    /// What the program is compared with.
    pub comparing: Comparing<'a>,
    /// The report was read from a file: there is no program to compile or run.
    pub frozen: bool,
    /// What the window asks of the view that has the keys, for one drawing.
    pub ask: Option<Ask>,
}

impl<'a> ViewCx<'a> {
    /// A report on its own, at revision 1.
    pub fn of(report: &'a Report, selection: &'a Selection) -> Self {
        static NOTHING: TaskResults = TaskResults::NOTHING;
        static UNKNOWN: Devices = Devices::UNKNOWN;
        ViewCx {
            report,
            other: None,
            texts: &[],
            containers: &[],
            selection,
            revision: 1,
            program: 0,
            graph_revision: 1,
            made: &NOTHING,
            devices: &UNKNOWN,
            inputs: &[],
            comparing: Comparing::NOTHING,
            frozen: false,
            ask: None,
        }
    }

    /// Whether this is requested now.
    pub fn asked(&self, ask: Ask) -> bool {
        self.ask == Some(ask)
    }
}

/// A command of a view to the window.
#[derive(Debug, Clone, PartialEq)]
pub enum ViewCommand {
    /// Change the selection.
    Select(Selection),
    /// Analyse again under these options.
    SetOptions(Box<Options>),
    /// Set, or drop, the second setting that is shown side by side.
    SetOther(Option<Box<Options>>),
    /// Put text on the clipboard.
    Copy(String),
    /// Save a picture; the window asks where.
    Export {
        /// The very picture that the view shows.
        picture: Box<Picture>,
        /// What to call it in a file's name: `packing`.
        name: &'static str,
    },
    /// Show a tab.
    Show(&'static str),
    /// Show the samples.
    ShowSamples,
    /// Show another pipeline of the database, by its key.
    ShowPipeline(String),
    /// Begin work; what it brings is in [`ViewCx::made`] or [`ViewCx::devices`] later.
    Begin(Work),
    /// Stop work that is under way.
    Stop(Work),
    /// Change how programs are rewritten, run and measured.
    SetRunSettings(RunSettings),
    /// Fill a buffer or an image of a run from a file; the window asks which.
    ChooseContents(Place),
    /// Revert to default contents.
    DropContents(Place),
    /// Change how drivers' compilers are run.
    SetCompileSettings(CompileSettings),
    /// Change how stages are compiled speculatively.
    SetSpeculativeSettings(SpeculativeSettings),
    /// Change how statistics are looked at.
    SetStatisticsSettings(StatisticsSettings),
    /// Compare with another, or with nothing any more.
    CompareWith(Option<Partner>),
    /// Open files to compare with; the window asks for them.
    OpenToCompare,
    /// Show the other side of what is compared in this one's place.
    SwapCompared,
    /// Have compilers make both sides of what is compared.
    CompileCompared,
    /// Run the work graph.
    RunGraph(Box<GraphRequest>),
    /// Continue the paused run of the work graph.
    LeadGraph(GraphCommand),
    /// Save the work graph's run; the window asks where.
    SaveGraphRun,
    /// Read records for the work graph from a file; the window asks which.
    LoadRecords,
    /// Save the rewritten modules; the window asks where.
    SaveRewritten,
    /// Save a text; the window asks where.
    SaveText {
        /// The text.
        text: String,
        /// File name after the program's name: `statistics.csv`.
        name: String,
    },
    /// Save what a run wrote; the window asks where.
    SaveOutput(Output),
}

/// A tab.
pub trait View {
    /// Its name and what it is for.
    fn info(&self) -> &'static ViewInfo;

    /// Draws it and returns what the user requested.
    fn ui(&mut self, ui: &mut egui::Ui, cx: &ViewCx<'_>) -> Vec<ViewCommand>;

    /// Forgets what it keeps of a program that was closed, where it keeps anything of one.
    fn forget(&mut self, _program: u64) {}
}
