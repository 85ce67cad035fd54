//! Commands: what a key, a menu, a view or a dialog requests.

use std::any::Any;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use lanescope_core::dxil::Signature;
use lanescope_core::options::{Conversion, Options};
use lanescope_core::run::Place;
use lanescope_core::run::graph::{GraphCommand, GraphRequest};

use crate::ProgramId;
use crate::comparing::Partner;
use crate::corpus::CorpusCommand;
use crate::debugging::DebugCommand;
use crate::layout::{Layout, Move};
use crate::mode::Mode;
use crate::selection::Selection;
use crate::settings::{
    CompileSettings, CostSettings, Preferences, RunSettings, SpeculativeSettings, StatisticsSettings, TextSettings,
    Theme,
};
use crate::stepping::StepCommand;
use crate::tasks::{RunText, Work};
use crate::view::ViewId;

/// A command.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Open a file dialog and open the chosen files as one pipeline.
    Open,
    /// Open a line to type paths into.
    OpenPath,
    /// Open these files as one pipeline.
    OpenFiles(Vec<PathBuf>),
    /// Open these files with a change of the options that they were opened with before.
    OpenChanged(Vec<PathBuf>, OpenChange),
    /// Choose another pipeline of the database.
    ChoosePipeline,
    /// Open a pipeline of databases, by its key.
    OpenPipeline(Vec<PathBuf>, String),
    /// Show another pipeline of the shown program's database, by its key.
    ShowPipeline(String),
    /// Open a pipeline of the list, by its index.
    ChooseListed(usize),
    /// List sources instead of compiled modules in the list of pipelines of folders, or the other way round.
    PreferSource(bool),
    /// Measure all pipelines of the list that is open: of its folders or databases.
    MeasureListed,
    /// Show the samples.
    Samples,
    /// Open the programs of the last session.
    Reopen,
    /// Open the programs of another session that was closed, by its index.
    ReopenEarlier(usize),
    /// Read the files of the shown program again.
    Reload,
    /// Close the shown program.
    CloseProgram,
    /// Close a program, by its index in the switcher.
    CloseProgramAt(usize),
    /// Show why the changed files of the shown program do not load.
    ShowFailure,
    /// Go back from the failure page to what was shown before.
    LeaveFailure,
    /// Quit.
    Quit,
    /// Show the next program.
    NextProgram,
    /// Show the program before.
    PreviousProgram,
    /// Show a program, by its index in the switcher.
    ShowProgram(usize),

    /// Change the selection.
    Select(Selection),
    /// Select nothing.
    ClearSelection,
    /// Show or hide the options.
    Options,
    /// Analyze the shown program under these options.
    SetOptions(Box<Options>),
    /// Set or drop the second setting, which is shown side by side.
    SetOther(Option<Box<Options>>),
    /// Take back the last change of the options.
    Undo,
    /// Make the change again that was taken back.
    Redo,
    /// Change the preferences.
    SetPreferences(Preferences),
    /// Reset every option to its default.
    ResetOptions,
    /// Show two settings side by side, or one again.
    SideBySide,
    /// Change how programs are rewritten, run and measured.
    SetRunSettings(RunSettings),
    /// Change how drivers' compilers are run.
    SetCompileSettings(CompileSettings),
    /// Change how stages are compiled speculatively.
    SetSpeculativeSettings(SpeculativeSettings),
    /// Change how memory accesses are counted.
    SetCostSettings(CostSettings),
    /// Change how statistics are shown.
    SetStatisticsSettings(StatisticsSettings),
    /// Change which form of their text programs are shown in.
    SetTextSettings(TextSettings),
    /// Choose a file that fills a buffer or an image of a run.
    ChooseContents(Place),
    /// Revert to default contents.
    DropContents(Place),
    /// Give a part of what a run takes by a text.
    SetRunText(RunText, String),

    /// Begin work; its result is in the program's results or in the settings later.
    Begin(Work),
    /// Stop work that is under way.
    Stop(Work),
    /// Cancel all work that is under way.
    CancelWork,
    /// Run the program on the device.
    Run,
    /// Measure the workgroup on the device.
    Measure,
    /// Show what the layout costs: accesses of a workgroup, the interface to the fragment shader, or a work graph.
    ShowCosts,
    /// Time the layouts of the workgroup on the device, beside their costs.
    TimeLayouts,
    /// Compile the program with drivers' compilers.
    Compile,
    /// Compile stages before their pipelines are known.
    CompileSpeculatively,
    /// Do so for every pipeline of the database.
    CompileCorpus,
    /// Find out what guesses achieve over all pipelines of the database, without compiling.
    SurveyGuesses,
    /// Compile both sides of the comparison.
    CompileCompared,

    /// Step through the shown program in the debugger.
    Debug(DebugCommand),

    /// Look at a result over many pipelines.
    Corpus(CorpusCommand),

    /// Step through the run of the shown work graph.
    Step(StepCommand),
    /// Run the shown work graph.
    RunGraph(Box<GraphRequest>),
    /// Send a command to the paused run of the shown work graph.
    ControlRun(GraphCommand),
    /// Choose a file of records for the shown work graph.
    LoadRecords,

    /// Choose files to compare with.
    Compare,
    /// Compare with these files.
    CompareFiles(Vec<PathBuf>),
    /// Compare with what is open, or with nothing.
    CompareWith(Option<Partner>),
    /// Show the other side of the comparison.
    SwapCompared,
    /// Choose a file of variants, and compile them.
    Variants,

    /// Put text on the clipboard.
    Copy(String),
    /// Put the table of the tab on the clipboard.
    CopyTable,
    /// Save the picture of the tab.
    ExportPicture,
    /// Save a picture; asks for the place.
    SavePicture {
        /// The picture that the view shows.
        picture: PictureFile,
        /// What to call it in a file's name: `packing`.
        name: &'static str,
    },
    /// Write the program with its inputs and results as a script; asks for the place.
    ExportScript,
    /// Write another digest into the containers of the program, by default the one that DXC's validator would write; asks
    /// for the place.
    Sign(Option<Signature>),
    /// Make the program smaller while a condition holds; asks for the condition, which begins with this text.
    Reduce(String),
    /// Save the rewritten modules; asks for the place.
    SaveRewritten,
    /// Save a text; asks for the place.
    SaveText {
        /// The text.
        text: String,
        /// File name after the program's name: `statistics.csv`.
        name: String,
    },
    /// Save what a run wrote; asks for the place.
    SaveOutput(Output),
    /// Save the work graph's run; asks for the place.
    SaveGraphRun,
    /// Answer whether files may be replaced.
    Replace(bool),
    /// Answer whether a paused run with edited records restarts; where it does not, it continues.
    RestartEdited(bool),
    /// Take the paths that were typed; none where that was cancelled.
    TakePaths(Purpose, Vec<PathBuf>),

    /// Show a tab.
    Show(ViewId),
    /// Show a tab and put the keyboard into it.
    ShowTab(ViewId),
    /// Show a mode.
    SetMode(Mode),
    /// Open or close the drawer of what only some programs need.
    Inspect,
    /// Open the panel of findings, or close it where the keyboard is in it.
    Findings,
    /// Show the next tab.
    NextTab,
    /// Show the tab before.
    PreviousTab,
    /// Move the tab to another place.
    MoveTab(Move),
    /// Give the group of the tab more space.
    LargerGroup,
    /// Give it less.
    SmallerGroup,
    /// Restore the built-in arrangement of the tabs.
    ResetLayout,
    /// Take the arrangement that is drawn.
    Arrange {
        /// The arrangement.
        layout: Layout,
        /// Whether it was made by pointer.
        edited: bool,
        /// The views that were dragged.
        dragged: Vec<ViewId>,
    },
    /// Send keys to a tab that is in front.
    Focus(ViewId),
    /// Put the keyboard into the search field of the tab.
    Search,
    /// Ask for a line of the tab's text to go to.
    GoToLine,
    /// Set or remove a bookmark at the line of the caret.
    ToggleBookmark,
    /// Go to the next bookmark of the tab's text.
    NextBookmark,
    /// Go to the bookmark before.
    PreviousBookmark,
    /// Go to the next change of two texts.
    NextChange,
    /// Go to the change before.
    PreviousChange,

    /// Tint source lines and the instructions from them, or no longer.
    ToggleTints,
    /// Switch between light and dark.
    ToggleTheme,
    /// Use light or dark, or follow the system.
    SetTheme(Theme),
    /// Enlarge everything.
    ZoomIn,
    /// Reduce everything.
    ZoomOut,
    /// Restore the normal size.
    ZoomReset,
    /// Note the window's new size or colors.
    SetScreen(Screen),
    /// Write the session.
    SaveSession,
    /// Find a command by typing.
    Palette,
    /// Show the preferences.
    Preferences,
    /// Show the manual, at the page of the tab in front.
    Help,
    /// Show a section of the manual: the name of its page, and its number there.
    Read(&'static str, usize),
    /// List the keys.
    Keys,
    /// Show the version.
    About,
    /// Explain a finding, by its code.
    Explain(String),
    /// List the names in a folder, to complete the path that is typed.
    ListNames(PathBuf),
    /// Close the open overlay.
    CloseOverlay,
    /// Dismiss a message, by its number.
    Dismiss(u64),
}

/// A change of the options that files are opened with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenChange {
    /// Only this entry point.
    Entry(String),
    /// Without validation.
    NoValidation,
    /// Validated by this one, or by the one that is built in.
    Validator(Option<String>),
    /// With other options of their sources.
    Sources(Box<Conversion>),
}

/// What a typed path or a file dialog is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Open these files.
    Open,
    /// Compare this program with these files.
    Compare(ProgramId),
    /// Compare the result over many pipelines with this one.
    CompareResult,
    /// Save a file here.
    Save,
    /// Save files into this folder.
    SaveFolder,
    /// Fill this buffer or image of this program.
    Contents(ProgramId, Place),
    /// Load records for this program from this file.
    Records(ProgramId),
    /// Compile the variants of this program that this file lists.
    Variants(ProgramId),
    /// No path: the condition under which this program becomes smaller.
    Reduce(ProgramId),
}

impl Purpose {
    /// Whether paths are typed, which are completed and of which there may be several.
    pub fn is_of_paths(self) -> bool {
        !matches!(self, Purpose::Reduce(_))
    }
}

/// Properties of the window that commands depend on.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Screen {
    /// Size of the window in points, without zoom.
    pub size: Option<[f32; 2]>,
    /// Too narrow for more than one group of tabs.
    pub narrow: bool,
    /// Shows dark colors.
    pub dark: bool,
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
    /// A buffer, typed as in the shader.
    Json,
    /// An attachment, or an image's slice or layer, as a picture.
    Png,
    /// Where both runs' pictures differ.
    DifferencePng,
}

/// A drawn picture that can be saved.
pub trait Drawing: Any + Send + Sync {
    /// The picture in the format of a file extension; `None` for an unknown one.
    ///
    /// # Errors
    /// Why the picture cannot be encoded.
    fn encode(&self, extension: &str) -> Option<Result<Vec<u8>, String>>;
}

/// A picture to be saved, as it was drawn when that was requested.
#[derive(Clone)]
pub struct PictureFile(Arc<dyn Drawing>);

impl PictureFile {
    /// Wraps a picture.
    pub fn new(picture: impl Drawing) -> PictureFile {
        PictureFile(Arc::new(picture))
    }

    /// The picture in the format of a file extension; `None` for an unknown one.
    ///
    /// # Errors
    /// Why the picture cannot be encoded.
    pub fn encode(&self, extension: &str) -> Option<Result<Vec<u8>, String>> {
        self.0.encode(extension)
    }

    /// The picture as the type that drew it.
    pub fn drawn<T: Drawing>(&self) -> Option<&T> {
        (&*self.0 as &dyn Any).downcast_ref()
    }
}

impl PartialEq for PictureFile {
    fn eq(&self, other: &PictureFile) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for PictureFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PictureFile")
    }
}
