//! Views by name, and requests to the one in front.

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
