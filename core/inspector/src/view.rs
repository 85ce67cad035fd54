//! Views by name, and requests to the one in front. The window draws them, and so does the terminal form.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A view. Sessions have its name, which stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ViewId {
    /// Attribute slots.
    Packing,
    /// Lane maps.
    Workgroup,
    /// Register values.
    Registers,
    /// The guessed layout.
    #[serde(rename = "layout")]
    GuessedLayout,
    /// Rewritten modules.
    Rewritten,
    /// Runs on a device.
    Run,
    /// The debugger.
    Debug,
    /// Assembly.
    Isa,
    /// Statistics of drivers' compilers.
    Statistics,
    /// The comparison.
    Compare,
    /// The work graph.
    Graph,
    /// DXIL containers.
    Dxil,
    /// An AMD code object.
    CodeObject,
    /// Source texts.
    Source,
    /// Files, stages and options.
    Overview,
    /// The findings.
    Findings,
}

impl ViewId {
    /// The name in sessions.
    pub const fn name(self) -> &'static str {
        match self {
            ViewId::Packing => "packing",
            ViewId::Workgroup => "workgroup",
            ViewId::Registers => "registers",
            ViewId::GuessedLayout => "layout",
            ViewId::Rewritten => "rewritten",
            ViewId::Run => "run",
            ViewId::Debug => "debug",
            ViewId::Isa => "isa",
            ViewId::Statistics => "statistics",
            ViewId::Compare => "compare",
            ViewId::Graph => "graph",
            ViewId::Dxil => "dxil",
            ViewId::CodeObject => "code_object",
            ViewId::Source => "source",
            ViewId::Overview => "overview",
            ViewId::Findings => "findings",
        }
    }

    /// The view of a name; none for a name of another version.
    pub fn of_name(name: &str) -> Option<ViewId> {
        BUILTIN.iter().map(|info| info.id).find(|id| id.name() == name)
    }
}

impl fmt::Display for ViewId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a view is for.
#[derive(Debug)]
pub struct ViewInfo {
    /// The view.
    pub id: ViewId,
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

/// The tab.
pub static PACKING: ViewInfo = ViewInfo {
    id: ViewId::Packing,
    title: "Packing",
    about: "Attribute slots of fragment inputs, and the effect on the previous stage",
    answers: &[Ask::CopyTable, Ask::ExportPicture],
};

/// The tab.
pub static WORKGROUP: ViewInfo = ViewInfo {
    id: ViewId::Workgroup,
    title: "Workgroup",
    about: "Lane and wave of each invocation, and the rules that decide the layout",
    answers: &[Ask::CopyTable, Ask::ExportPicture],
};

/// The tab.
pub static REGISTERS: ViewInfo = ViewInfo {
    id: ViewId::Registers,
    title: "Registers",
    about: "Register values that follow from the shader, original and packed, each field with its reason",
    answers: &[Ask::Search, Ask::CopyTable],
};

/// The tab.
pub static GUESSED_LAYOUT: ViewInfo = ViewInfo {
    id: ViewId::GuessedLayout,
    title: "Guessed layout",
    about: "The descriptor layout guessed from the shader alone, compared with the application's",
    answers: &[Ask::CopyTable, Ask::ExportPicture],
};

/// The tab.
pub static REWRITTEN: ViewInfo = ViewInfo {
    id: ViewId::Rewritten,
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

/// The tab.
pub static RUN: ViewInfo = ViewInfo {
    id: ViewId::Run,
    title: "Run",
    about: "Runs the original and the rewritten program on a Vulkan device and compares all bytes",
    answers: &[Ask::CopyTable],
};

/// The tab.
pub static DEBUG: ViewInfo = ViewInfo {
    id: ViewId::Debug,
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

/// The tab.
pub static ISA: ViewInfo = ViewInfo {
    id: ViewId::Isa,
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

/// The tab.
pub static STATISTICS: ViewInfo = ViewInfo {
    id: ViewId::Statistics,
    title: "Statistics",
    about: "Statistics from drivers' compilers: registers, code size and others, chips and versions side by side",
    answers: &[Ask::CopyTable],
};

/// The tab.
pub static COMPARE: ViewInfo = ViewInfo {
    id: ViewId::Compare,
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

/// The tab.
pub static GRAPH: ViewInfo = ViewInfo {
    id: ViewId::Graph,
    title: "Graph",
    about: "A work graph: nodes, the records between them, and a run generation by generation",
    answers: &[Ask::ExportPicture, Ask::CopyTable, Ask::Generation],
};

/// The tab.
pub static DXIL: ViewInfo = ViewInfo {
    id: ViewId::Dxil,
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

/// The tab.
pub static CODE_OBJECT: ViewInfo = ViewInfo {
    id: ViewId::CodeObject,
    title: "Code object",
    about: "An AMD code object: metadata of its pipeline, user data, registers by field, sections and symbols",
    answers: &[Ask::Search, Ask::CopyTable],
};

/// The tab.
pub static SOURCE: ViewInfo = ViewInfo {
    id: ViewId::Source,
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

/// The tab.
pub static OVERVIEW: ViewInfo = ViewInfo {
    id: ViewId::Overview,
    title: "Overview",
    about: "Files, stages, specialization constants and the options of this report",
    answers: &[],
};

/// The tab.
pub static FINDINGS: ViewInfo = ViewInfo {
    id: ViewId::Findings,
    title: "Findings",
    about: "Violated rules and facts worth knowing; Enter on a row goes to its place, on its code explains it",
    answers: &[Ask::Search, Ask::CopyTable],
};

/// All tabs, in the order of a new window.
pub static BUILTIN: [&ViewInfo; 16] = [
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
    &CODE_OBJECT,
    &SOURCE,
    &OVERVIEW,
    &FINDINGS,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_sessions() {
        for info in BUILTIN {
            let json = serde_json::to_string(&info.id).expect("serializes");
            assert_eq!(json, format!("\"{}\"", info.id.name()));
            assert_eq!(ViewId::of_name(info.id.name()), Some(info.id));
        }
        assert_eq!(ViewId::of_name("gone"), None);
    }
}
