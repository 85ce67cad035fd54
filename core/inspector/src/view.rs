//! Views by name, and requests to the one in front. The window draws them, and so does the terminal form.

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

/// A request of the window to a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// Put the keyboard into its search field.
    Search,
    /// Answer with a copy of its table.
    CopyTable,
    /// Answer with its picture, to be saved.
    ExportPicture,
    /// Go to the next change.
    NextChange,
    /// Go to the change before.
    PreviousChange,
    /// Put the keyboard into the field of the generation.
    Generation,
    /// Ask for a line of its text to go to.
    GoToLine,
    /// Set or remove a bookmark at the line of the caret.
    ToggleBookmark,
    /// Go to the next bookmark.
    NextBookmark,
    /// Go to the bookmark before.
    PreviousBookmark,
}

/// The tab of that name.
pub static PACKING: ViewInfo = ViewInfo {
    name: "packing",
    title: "Packing",
    about: "Attribute slots of fragment inputs, and the effect on the previous stage",
    answers: &[Ask::CopyTable, Ask::ExportPicture],
};

/// The tab of that name.
pub static WORKGROUP: ViewInfo = ViewInfo {
    name: "workgroup",
    title: "Workgroup",
    about: "Lane and wave of each invocation, and the rules that decide the layout",
    answers: &[Ask::CopyTable, Ask::ExportPicture],
};

/// The tab of that name.
pub static REGISTERS: ViewInfo = ViewInfo {
    name: "registers",
    title: "Registers",
    about: "Register values that follow from the shader, original and packed, each field with its reason",
    answers: &[Ask::Search, Ask::CopyTable],
};

/// The tab of that name.
pub static GUESSED_LAYOUT: ViewInfo = ViewInfo {
    name: "layout",
    title: "Guessed layout",
    about: "The descriptor layout guessed from the shader alone, compared with the application's",
    answers: &[Ask::CopyTable, Ask::ExportPicture],
};

/// The tab of that name.
pub static REWRITTEN: ViewInfo = ViewInfo {
    name: "rewritten",
    title: "Rewritten",
    about: "Shaders rewritten with their layout, beside the originals",
    answers: &[
        Ask::Search,
        Ask::CopyTable,
        Ask::NextChange,
        Ask::PreviousChange,
        Ask::GoToLine,
        Ask::ToggleBookmark,
        Ask::NextBookmark,
        Ask::PreviousBookmark,
    ],
};

/// The tab of that name.
pub static RUN: ViewInfo = ViewInfo {
    name: "run",
    title: "Run",
    about: "Runs the original and the rewritten program on a Vulkan device and compares all bytes",
    answers: &[Ask::CopyTable],
};

/// The tab of that name.
pub static DEBUG: ViewInfo = ViewInfo {
    name: "debug",
    title: "Debug",
    about: "Steps a compute shader or a stage of a graphics pipeline in the interpreter, forwards and backwards, lane by lane",
    answers: &[
        Ask::Search,
        Ask::CopyTable,
        Ask::ExportPicture,
        Ask::GoToLine,
        Ask::ToggleBookmark,
        Ask::NextBookmark,
        Ask::PreviousBookmark,
    ],
};

/// The tab of that name.
pub static ISA: ViewInfo = ViewInfo {
    name: "isa",
    title: "ISA",
    about: "Assembly from drivers' compilers, with register pressure, branches and varyings",
    answers: &[
        Ask::Search,
        Ask::CopyTable,
        Ask::ExportPicture,
        Ask::NextChange,
        Ask::PreviousChange,
        Ask::GoToLine,
        Ask::ToggleBookmark,
        Ask::NextBookmark,
        Ask::PreviousBookmark,
    ],
};

/// The tab of that name.
pub static STATISTICS: ViewInfo = ViewInfo {
    name: "statistics",
    title: "Statistics",
    about: "Statistics from drivers' compilers: registers, code size and others, chips and versions side by side",
    answers: &[Ask::CopyTable],
};

/// The tab of that name.
pub static COMPARE: ViewInfo = ViewInfo {
    name: "compare",
    title: "Compare",
    about: "Two programs, reports or settings side by side: packing, lanes, registers, statistics, assembly",
    answers: &[
        Ask::Search,
        Ask::CopyTable,
        Ask::ExportPicture,
        Ask::NextChange,
        Ask::PreviousChange,
        Ask::GoToLine,
        Ask::ToggleBookmark,
        Ask::NextBookmark,
        Ask::PreviousBookmark,
    ],
};

/// The tab of that name.
pub static GRAPH: ViewInfo = ViewInfo {
    name: "graph",
    title: "Graph",
    about: "A work graph: nodes, the records between them, and a run generation by generation",
    answers: &[Ask::ExportPicture, Ask::CopyTable, Ask::Generation],
};

/// The tab of that name.
pub static DXIL: ViewInfo = ViewInfo {
    name: "dxil",
    title: "DXIL",
    about: "Parts of a DXIL container, its signatures, ops by table and resources",
    answers: &[
        Ask::Search,
        Ask::CopyTable,
        Ask::ExportPicture,
        Ask::GoToLine,
        Ask::ToggleBookmark,
        Ask::NextBookmark,
        Ask::PreviousBookmark,
    ],
};

/// The tab of that name.
pub static SOURCE: ViewInfo = ViewInfo {
    name: "source",
    title: "Source",
    about: "Source text and SPIR-V, with the lines of the selected varying marked",
    answers: &[
        Ask::Search,
        Ask::CopyTable,
        Ask::GoToLine,
        Ask::ToggleBookmark,
        Ask::NextBookmark,
        Ask::PreviousBookmark,
    ],
};

/// The tab of that name.
pub static OVERVIEW: ViewInfo = ViewInfo {
    name: "overview",
    title: "Overview",
    about: "Files, stages, specialization constants and the options of this report",
    answers: &[],
};

/// The tab of that name.
pub static FINDINGS: ViewInfo = ViewInfo {
    name: "findings",
    title: "Findings",
    about: "Violated rules and facts worth knowing; Enter on a row goes to its place, on its code explains it",
    answers: &[Ask::Search, Ask::CopyTable],
};

/// All tabs, in the order of a new window.
pub static BUILTIN: [&ViewInfo; 15] = [
    &PACKING,
    &WORKGROUP,
    &REGISTERS,
    &GUESSED_LAYOUT,
    &REWRITTEN,
    &RUN,
    &DEBUG,
    &ISA,
    &STATISTICS,
    &COMPARE,
    &GRAPH,
    &DXIL,
    &SOURCE,
    &OVERVIEW,
    &FINDINGS,
];
