//! Inputs of all views, and the commands that they return.

use lanescope_core::compare::Side;
use lanescope_core::options::Options;
use lanescope_core::program::{LoadedDxil, StageKind};
use lanescope_core::report::Report;
use lanescope_core::run::Place;
use lanescope_core::run::graph::{GraphCommand, GraphRequest};
use serde::{Deserialize, Serialize};

use crate::picture::Picture;
pub use crate::selection::{Code, Listed, Selection, Varying};
use crate::tasks::{
    CompileSettings, Devices, RunInput, RunSettings, SpeculativeSettings, StatisticsSettings, TaskResults, Work,
};

/// Where the instructions of a SPIR-V module are in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instructions {
    /// Index of the module.
    pub module: usize,
    /// Its stages.
    pub stages: Vec<StageKind>,
    /// Lines (from 0), each with an instruction that is in it or comes from it; in order.
    pub lines: Vec<(usize, u32)>,
}

impl Instructions {
    /// The instructions of a line, in order.
    pub fn of_line(&self, line: usize) -> impl Iterator<Item = u32> {
        let from = self.lines.partition_point(|(other, _)| *other < line);
        let rest = self.lines.get(from..).unwrap_or_default();
        rest.iter().take_while(move |(other, _)| *other == line).map(|(_, instruction)| *instruction)
    }

    /// A line as a selection; `None` if it has no instruction.
    pub fn code(&self, line: usize) -> Option<Code> {
        let instructions: Vec<u32> = self.of_line(line).collect();
        (!instructions.is_empty()).then_some(Code { module: self.module, instructions })
    }

    /// The first line of what is selected.
    pub fn first_line(&self, code: &Code) -> Option<usize> {
        let found = self.lines.iter().find(|(_, instruction)| code.holds(self.module, [*instruction].into_iter()));
        found.map(|(line, _)| *line)
    }
}

/// One text that the source view can show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceText {
    /// Name: `lit.frag`, `lit.frag (SPIR-V)`.
    pub title: String,
    /// Its language.
    pub language: Language,
    /// Index of the file that it shows.
    pub input: usize,
    /// What it is to that file.
    pub role: TextRole,
    /// The text.
    pub text: String,
    /// Lines (from 0) that declare or use a varying, by its place as written.
    pub marks: Vec<(Varying, usize)>,
    /// The lines of a module's instructions, where they are known.
    pub instructions: Option<Instructions>,
}

/// What a text is to the file that it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextRole {
    /// The file's own text, or one that the file carries.
    Source,
    /// A container's program, disassembled.
    Listing,
    /// The file's bytes.
    Bytes,
    /// A module that the file became, by its index.
    Module(usize),
}

/// The language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// GLSL.
    Glsl,
    /// SPIR-V assembly.
    Spvasm,
    /// DXIL as it is disassembled here, and bytes in hexadecimal.
    Dxil,
    /// Assembly and the intermediate forms of a driver's compiler.
    Isa,
}

/// What the program that is shown can be compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Partner {
    /// Itself under the second setting.
    SecondSetting,
    /// Another program that is open, by its number.
    Program(u64),
}

/// The two that are compared. The first one is what the other is held against.
#[derive(Debug, Clone, Copy)]
pub struct Comparing<'a> {
    /// Every partner that there is, with its name.
    pub partners: &'a [(Partner, String)],
    /// The one that was chosen.
    pub with: Option<Partner>,
    /// Names of both sides.
    pub names: [&'a str; 2],
    /// Both sides, once a partner was chosen.
    pub sides: Option<[Side<'a>; 2]>,
    /// Which side is the program that is shown.
    pub shown: usize,
    /// Differs whenever a side does: revisions and numbers of what compilers answered.
    pub key: [u64; 4],
    /// Compilers are being asked about one of them.
    pub compiling: bool,
    /// Whether the compile results of one of them are outdated.
    pub stale: bool,
}

impl Comparing<'_> {
    /// There is nothing to compare with.
    pub const NOTHING: Comparing<'static> = Comparing {
        partners: &[],
        with: None,
        names: ["", ""],
        sides: None,
        shown: 1,
        key: [0; 4],
        compiling: false,
        stale: false,
    };
}

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

/// A request of the window to a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// Put the keyboard into its search field.
    Search,
    /// Answer with [`ViewCommand::Copy`] of its table.
    CopyTable,
    /// Answer with [`ViewCommand::Export`] of its picture.
    ExportPicture,
    /// Go to the next change.
    NextChange,
    /// Go to the change before.
    PreviousChange,
    /// Run it.
    Run,
    /// Go on by one generation of a work graph.
    Step,
    /// Go back by one.
    StepBack,
    /// Go on to a breakpoint.
    Continue,
    /// Go on until the selected node runs.
    RunToNode,
    /// Go to a generation, by its number.
    RunToGeneration,
    /// Stop where the selected node runs, or no more.
    ToggleBreakpoint,
    /// Go on with a run from the generation that is shown.
    GoOnFrom,
    /// Go to the last generation.
    RunToEnd,
    /// Go back to the first one.
    Restart,
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

/// One output of a run, as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Its name in the run: `color0`, `set0.binding1`.
    pub name: String,
    /// The requested part.
    pub what: OutputFile,
    /// Of the rewritten program's run, instead of the original's.
    pub rewritten: bool,
    /// Which slice or layer of an image a picture shows; 0 of everything else.
    pub plane: u32,
}

/// The form in which an output is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFile {
    /// Its bytes.
    Binary,
    /// A buffer, typed as the shader says it.
    Json,
    /// An attachment, or an image's slice or layer, as a picture.
    Png,
    /// Where both runs' pictures differ.
    DifferencePng,
}

/// A view's name and what it is for.
#[derive(Debug)]
pub struct ViewInfo {
    /// Stable name, for sessions and `--view`.
    pub name: &'static str,
    /// The tab's title.
    pub title: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// What it answers to.
    pub answers: &'static [Ask],
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
