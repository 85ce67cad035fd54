//! Commands of stepping.

use super::input::InputEdit;

/// The page below the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RunPage {
    /// Records of a node.
    #[default]
    Records,
    /// Buffers and images.
    Buffers,
    /// What ran, and where records went.
    Counts,
}

/// A command of stepping.
#[derive(Debug, Clone, PartialEq)]
pub enum StepCommand {
    /// Run to the end or to a breakpoint.
    Run,
    /// Go on by one generation; without a run, begin one that is paused before its first generation.
    Step,
    /// Go back by one.
    StepBack,
    /// Go on to a breakpoint.
    Continue,
    /// Go on until the selected node runs.
    RunToNode,
    /// Put the keyboard into the field of the generation.
    RunToGeneration,
    /// Go to the last generation.
    RunToEnd,
    /// Begin again, paused before the first generation.
    Restart,
    /// Resume the run from the shown generation.
    Resume,
    /// Add or remove the breakpoint of the selected node.
    ToggleBreakpoint,
    /// Show a generation, by its index.
    ShowGeneration(usize),
    /// Show a page below the drawing.
    ShowPage(RunPage),
    /// Show the records of a node's run in the shown generation.
    ShowRun(usize),
    /// Show records that a link leads to.
    FollowRecords {
        /// Index of the generation.
        generation: usize,
        /// Index of the node's run in it.
        run: usize,
        /// The record, where it is one.
        record: Option<u64>,
    },
    /// Select a record of the shown run.
    SelectRecord(Option<u64>),
    /// Select a node, by its index.
    SelectNode(Option<usize>),
    /// Add a breakpoint at the selected node, with a condition; empty for any record.
    AddBreakpoint(String),
    /// Remove a breakpoint, by its index.
    RemoveBreakpoint(usize),
    /// Enable or disable a breakpoint, by its index.
    EnableBreakpoint(usize, bool),
    /// Show or hide the form of the next run.
    ShowForm(bool),
    /// Change the form of the next run.
    Edit(InputEdit),
}

impl StepCommand {
    /// Whether the command has a key: it works from every tab. The others are of the controls of the graph's tab.
    pub fn has_key(&self) -> bool {
        matches!(
            self,
            StepCommand::Run
                | StepCommand::Step
                | StepCommand::StepBack
                | StepCommand::Continue
                | StepCommand::RunToNode
                | StepCommand::RunToGeneration
                | StepCommand::RunToEnd
                | StepCommand::Restart
                | StepCommand::Resume
                | StepCommand::ToggleBreakpoint
        )
    }
}
