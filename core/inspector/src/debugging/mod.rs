//! The debugger of a program: commands, and what it shows as plain data.

mod grid;
mod launch;
mod others;
mod tables;
mod target;

pub use grid::{LaneCell, LaneGrid, LaneState};
pub use launch::{LaunchStop, LaunchVerdict, WrittenRow, written_table};
pub use others::OtherGroups;
pub use tables::{beside_table, breakpoint_table, variable_name, variable_table};
pub use target::{DrawTarget, numbers_of};

use std::sync::Arc;

use lanescope_core::findings::Finding;
use lanescope_core::gpu::{RecordPlace, scene};
use lanescope_core::interpreter::debugger::session::{
    Beside, BreakpointKind, Chosen, Lanes, State, Strip, VariableValue,
};
use lanescope_core::interpreter::draw::FragmentAt;

use lanescope_core::program::StageKind;
use lanescope_core::report::Report;

use crate::selection::Code;
use crate::source::{SourceText, TextRole};

/// A command of the debugger. Without a session, a command that moves begins one.
#[derive(Debug, Clone, PartialEq)]
pub enum DebugCommand {
    /// Begin a session, or go back to the start of the run.
    Restart,
    /// Debug the launch of the selected record of a work graph's run, from its start.
    Launch,
    /// Step the rewritten program instead of the original, or the other way round, at the same point.
    SwitchProgram,
    /// Show the values of the other program beside those of this one, or no longer.
    ToggleBeside,
    /// End the session.
    Stop,
    /// Run one line, or one instruction where the module has no lines; into calls.
    StepInto,
    /// The same, over calls.
    StepOver,
    /// Run to the end of the function.
    StepOut,
    /// Go back by one line or instruction.
    StepBack,
    /// Run to a breakpoint or the end.
    Continue,
    /// Go back to the last breakpoint or the start.
    ContinueBack,
    /// Run to an instruction: the first of these that the entry point runs.
    RunTo(Code),
    /// Go to a position in time.
    Seek(u64),
    /// Set or remove the breakpoint at these instructions of a line of a text.
    ToggleBreakpoint(Code, TextRole),
    /// Set a breakpoint as text: `lit.comp:12`, `%42 if i > 3`, `sum >= 100`.
    AddBreakpoint(String),
    /// Stop where a variable changes in the chosen lane.
    Watch(String),
    /// Remove a breakpoint, by its number.
    RemoveBreakpoint(usize),
    /// Pass over the next hits of a breakpoint: its number, and how many.
    Ignore(usize, u64),
    /// Choose another lane.
    Choose(Chosen),
    /// Debug another workgroup, from its start.
    Group([u32; 3]),
    /// Debug a fragment of the scene, or an invocation of a stage before it, from the start of its wave.
    Target(DrawTarget),
    /// Show a variable in all lanes: a name with indices, `color[0]`. Empty for none.
    Map(String),
}

impl DebugCommand {
    /// Whether the command has a key: it works from every tab.
    pub fn has_key(&self) -> bool {
        matches!(
            self,
            DebugCommand::Restart
                | DebugCommand::Launch
                | DebugCommand::SwitchProgram
                | DebugCommand::ToggleBeside
                | DebugCommand::Stop
                | DebugCommand::StepInto
                | DebugCommand::StepOver
                | DebugCommand::StepOut
                | DebugCommand::StepBack
                | DebugCommand::Continue
                | DebugCommand::ContinueBack
        )
    }
}

/// Whether the debugger runs a report's program: a compute shader, or a pipeline that begins with a vertex or mesh shader.
pub fn can_debug(report: &Report) -> bool {
    let has = |kind| report.stages.iter().any(|stage| stage.stage == kind);
    [StageKind::Compute, StageKind::Vertex, StageKind::Mesh].into_iter().any(has)
}

/// Whether a report's program draws the scene: it has a vertex or a fragment shader.
pub fn draws(report: &Report) -> bool {
    report.stages.iter().any(|stage| stage.stage.is_graphics())
}

/// Width and height of the scene's picture.
pub const PICTURE: u32 = scene::SIDE;
/// Vertices of the scene.
pub const VERTICES: u32 = scene::VERTICES.len() as u32;

/// The debugger of a program as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Debugging {
    /// The chosen workgroup.
    pub group: [u32; 3],
    /// What of a draw was chosen.
    pub target: DrawTarget,
    /// The record of a work graph's run whose launch was chosen.
    pub launch: Option<RecordPlace>,
    /// The rewritten program is stepped instead of the original.
    pub is_rewritten: bool,
    /// The values of the other program are shown beside.
    pub beside: bool,
    /// The chosen lane.
    pub chosen: Chosen,
    /// The variable that is shown in all lanes, with indices; empty for none.
    pub map: String,
    /// A command is being carried out.
    pub underway: bool,
    /// Where the session is.
    pub stop: Option<Arc<DebugStop>>,
    /// Why the session did not begin, or why the last command was refused.
    pub refused: Option<String>,
}

impl Debugging {
    /// No session.
    pub const NONE: Debugging = Debugging {
        group: [0; 3],
        target: DrawTarget::Pixel(None),
        launch: None,
        is_rewritten: false,
        beside: false,
        chosen: Chosen { wave: 0, lane: 0 },
        map: String::new(),
        underway: false,
        stop: None,
        refused: None,
    };
}

/// Where a session stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct DebugStop {
    /// Who wrote the variable that is shown in all lanes last, where that is in memory: sentences.
    pub writers: Vec<String>,
    /// Revision of the program.
    pub revision: u64,
    /// Counts stops: another number is another place.
    pub number: u64,
    /// Why it stopped.
    pub why: String,
    /// Counts sessions: another number is another session.
    pub session: u64,
    /// Index of the module.
    pub module: usize,
    /// The texts of the module, where it is not one of the program's; empty where the program's texts show it.
    pub texts: Arc<[SourceText]>,
    /// The stage.
    pub stage: StageKind,
    /// The entry point.
    pub entry: String,
    /// Workgroups of the dispatch; of a draw its waves.
    pub groups: [u32; 3],
    /// Workgroups that run beside the one that is stepped; absent where it is the only one.
    pub others: Option<OtherGroups>,
    /// Size of a workgroup; of a wave of fragments that of its quads beside each other.
    pub size: [u32; 3],
    /// How lanes are mapped: `8×N strips of 2×2 quads, predicted`.
    pub lane_map: String,
    /// The chosen lane and the waves.
    pub state: State,
    /// The next instruction, by its index in the module.
    pub instruction: u32,
    /// Breakpoints and watchpoints.
    pub breakpoints: Vec<BreakpointRow>,
    /// Variables of the chosen lane, then buffers and workgroup variables.
    pub variables: Vec<VariableValue>,
    /// The shown variable in all lanes; without one its names are empty, lanes and exec masks are there.
    pub lanes: Lanes,
    /// By lane: the fragments of the wave. Empty in other stages.
    pub fragments: Vec<FragmentAt>,
    /// Active lanes of the chosen wave over the run.
    pub strip: Arc<Strip>,
    /// What the run found so far.
    pub findings: Vec<Finding>,
    /// The launch of a work graph's record, where the session is of one.
    pub launch: Option<LaunchStop>,
    /// Whether the rewritten program is stepped.
    pub is_rewritten: bool,
    /// The values of the other program beside those of this one, where these are shown.
    pub beside: Option<Beside>,
}

impl DebugStop {
    /// The texts that show the module: its own ones, else those of the program.
    pub fn texts<'a>(&'a self, program: &'a [SourceText]) -> &'a [SourceText] {
        if self.texts.is_empty() { program } else { &self.texts }
    }
}

/// A breakpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct BreakpointRow {
    /// Its number.
    pub number: usize,
    /// Its text.
    pub text: String,
    /// What it stops at.
    pub kind: BreakpointKind,
    /// Its instruction, by its index in the module; absent for conditions and watchpoints.
    pub instruction: Option<u32>,
    /// How often it was hit while the run went forwards, since its start.
    pub hits: u64,
    /// Hits that are passed over, counted from the start of the run.
    pub ignored: u64,
}
