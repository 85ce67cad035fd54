//! Results of jobs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use lanescope_core::corpus::Histogram;
use lanescope_core::driver::Installed;
use lanescope_core::gpu::DeviceInfo;
use lanescope_core::options::Options;
use lanescope_core::pipeline::foz::Listing;
use lanescope_core::program::Program;
use lanescope_core::run::graph::GraphRun;
use lanescope_core::run::{Place, Probe, Ran};
use lanescope_core::sodb;
use lanescope_core::table::Table;
use lanescope_inspector::ProgramId;
use lanescope_inspector::command::Purpose;
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::survey::GuessSurvey;
use lanescope_inspector::tasks::{
    ComparedVariants, Compiled, CompiledCorpus, CountedCosts, CountedDraw, ScriptRan, SpeculativelyCompiled, TimedCosts,
};

use crate::state::corpus::{Ordered, ShownComparison};
use crate::state::debugger::Debugged;
use crate::state::program::Analysis;
use crate::state::samples::CardResult;
use crate::state::saving::{Saved, SignedFiles};
use crate::state::stepper::RunPart;
use lanescope_host::corpus::{Opened, RowFiles};
use lanescope_host::exports::ScriptFile;
use lanescope_host::folders::{Found, PipelineFiles};
use lanescope_host::rewriting::{NamedFile, Rewrote};
use lanescope_host::samples::Group;
use lanescope_host::session::Remembered;
use lanescope_host::worker::{Failure, LoadFailure, Loaded, WorkerError};
use lanescope_host::workspace::Described;

/// The result of a job.
pub enum Outcome {
    /// A program, loaded and analyzed.
    Loaded(Box<LoadOutcome>),
    /// A program under other options.
    Analysed {
        /// The program.
        program: Arc<Program>,
        /// The options.
        options: Box<Options>,
        /// The second setting.
        other: Option<Box<Options>>,
        /// The reports, or the option that does not fit.
        result: Result<Box<Analysis>, String>,
    },
    /// The list of samples.
    Samples(Result<Vec<Group>, String>),
    /// A sample, by its index.
    Card(usize, CardResult),
    /// The pipelines of databases, to choose one.
    Listed(Vec<PathBuf>, Result<Box<Listing>, String>),
    /// The groups of a state object database, or why there is no list of them.
    Groups(Vec<PathBuf>, Result<Box<sodb::Listing>, String>),
    /// The pipelines of folders, to choose one.
    Found(Vec<PathBuf>, Result<Found, String>),
    /// The pipelines of a workspace file.
    Workspace(Vec<PathBuf>, Result<Vec<(PipelineFiles, Described)>, String>),
    /// Nothing more.
    Nothing,
    /// Files to open.
    PickedFiles(Purpose, Picked<Vec<PathBuf>>),
    /// A file that fills a buffer or an image of a program.
    PickedContents(ProgramId, Place, Picked<PathBuf>),
    /// The place of the pending save.
    PickedSave(Picked<PathBuf>),
    /// The names in a folder.
    Names(PathBuf, Vec<String>),
    /// A file was written, or not.
    Saved(Saved),
    /// A program as a script, and its file's name.
    Script(Result<Box<(ScriptFile, String)>, String>),
    /// Containers with another digest.
    Signed(Result<Box<SignedFiles>, String>),
    /// A program that became smaller: what was reached, and its files.
    Reduced(ProgramId, Result<Box<Reduced>, String>),
    /// Work on request.
    Done(Box<WorkOutcome>),
    /// A file of records to read for a program.
    PickedRecords(ProgramId, Picked<PathBuf>),
    /// The records that were read for a program: the file's path, its bytes.
    Records(ProgramId, Result<(String, Vec<u8>), String>),
    /// A part of a work graph's run that is stepped.
    RunPart(Box<RunPart>),
    /// A saved run.
    OpenedRun(Box<OpenedRun>),
    /// A result over many pipelines, or why it cannot be read.
    CorpusRead {
        /// Its file.
        path: PathBuf,
        /// The result that it is to be compared with.
        with: Option<PathBuf>,
        /// The result.
        result: Box<Result<Opened, String>>,
    },
    /// Rows of it that were found.
    CorpusRows(Box<FoundRows>),
    /// The files of a row.
    CorpusRow(Result<RowFiles, String>),
    /// The comparison of the result in this file.
    CorpusCompared(PathBuf, Result<Box<ShownComparison>, String>),
    /// The session was written, or why it was not.
    SavedSession(Result<(), String>),
}

/// The result of a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Picked<T> {
    /// This.
    Chosen(T),
    /// Nothing: the user cancelled.
    Nothing,
    /// The system has no dialogs.
    Unavailable,
}

/// A program that was read, and its reports.
pub struct Read {
    /// The program, and the texts that show it.
    pub loaded: Loaded,
    /// Its reports under the requested options.
    pub analysis: Analysis,
}

/// The result of loading.
pub struct LoadOutcome {
    /// What was requested.
    pub request: Remembered,
    /// The files are a report.
    pub frozen: bool,
    /// The options are those of the description: no one has changed them yet.
    pub fresh: bool,
    /// When reading began.
    pub since: SystemTime,
    /// The program, or why there is none.
    pub result: Result<Read, Refusal>,
}

/// Why files did not open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The files are at fault, or the compilers are.
    Failed(Failure),
    /// It was cancelled.
    Cancelled,
}

impl From<LoadFailure> for Refusal {
    fn from(LoadFailure(error): LoadFailure) -> Refusal {
        match error {
            WorkerError::Failed(failure) => Refusal::Failed(failure),
            WorkerError::Cancelled { .. } => Refusal::Cancelled,
            error => Refusal::Failed(error.to_string().into()),
        }
    }
}

/// A saved run that was read.
pub struct OpenedRun {
    /// What was requested.
    pub request: Remembered,
    /// When reading began.
    pub since: SystemTime,
    /// The run, or why there is none.
    pub run: Result<GraphRun, Failure>,
}

/// The result of work, with its input.
pub struct WorkOutcome {
    /// Revision of the program.
    pub revision: u64,
    /// The settings of runs.
    pub settings: RunSettings,
    /// The result.
    pub result: WorkResult,
}

/// The result of work.
pub enum WorkResult {
    /// The devices; the chips and drivers of this machine.
    Devices(Result<Vec<DeviceInfo>, String>, Installed),
    /// The rewritten modules.
    Rewrote(Result<Box<Rewrote>, String>),
    /// A run.
    Ran(Result<Box<Ran>, String>),
    /// A run of a script.
    RanScript(Result<Box<ScriptRan>, String>),
    /// A measurement.
    Probed(Result<Box<Probe>, String>),
    /// The memory accesses of each layout.
    Counted(Result<Box<CountedCosts>, String>),
    /// The memory accesses of a draw.
    CountedDraw(Result<Box<CountedDraw>, String>),
    /// The times of each layout.
    Timed(Result<Box<TimedCosts>, String>),
    /// A compile, and when it was done: the frame that shows it comes later.
    Compiled(Box<Compiled>, Instant),
    /// A speculative compile.
    SpeculativeCompile(Result<Box<SpeculativelyCompiled>, String>),
    /// Those of a database.
    Corpus(Result<Box<CompiledCorpus>, String>),
    /// What guesses achieve over all pipelines of a database.
    Survey(Result<Box<GuessSurvey>, String>),
    /// The variants of a program.
    Variants(Result<Box<ComparedVariants>, String>),
    /// A run of a work graph.
    RanGraph(Result<Box<GraphRun>, String>),
    /// Where a command of the debugger led.
    Debugged(Result<Box<Debugged>, String>),
    /// The end of a run that was stepped; its parts came before.
    SteppedGraph(Result<Box<GraphRun>, String>),
}

/// Rows that are found for a request.
pub struct FoundRows {
    /// The request.
    pub request: u64,
    /// More rows, in order.
    pub rows: Vec<u32>,
    /// The order of the request, once it is known.
    pub ordered: Option<Ordered>,
    /// Histograms over all of its rows, at the end.
    pub histograms: Option<Vec<(String, Histogram)>>,
    /// Sums over the pipelines of all of its rows, with their number, at the end.
    pub sums: Option<(u64, Vec<Table>)>,
}

/// A program that became smaller.
#[derive(Debug, Clone)]
pub struct Reduced {
    /// How large it was and is, and what it shows.
    pub summary: String,
    /// Its files.
    pub files: Vec<NamedFile>,
}
