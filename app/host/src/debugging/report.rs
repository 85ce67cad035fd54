//! What a session of the debugger did and found, as data.

use std::path::Path;

use lanescope_core::findings::{Finding, Severity};
use lanescope_core::interpreter::debugger::session::{Beside, Lanes, Output, State, TraceRow};
use lanescope_core::program::StageKind;
use lanescope_core::run::InterpreterRun;
use lanescope_core::script::{CheckFailure, RunFinding, ScriptRun};
use lanescope_inspector::debugging::OtherGroups;
use serde::Serialize;

/// What commands of a script before the stepped run led to.
#[derive(Debug, Serialize)]
pub struct Before {
    /// The script.
    pub script: String,
    /// Checks that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<CheckFailure>,
    /// What runs found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<RunFinding>,
}

impl Before {
    /// None where nothing failed and nothing was found.
    pub fn of(file: &Path, run: ScriptRun) -> Option<Before> {
        let ScriptRun { failures, findings, .. } = run;
        let is_empty = failures.is_empty() && findings.is_empty();
        (!is_empty).then(|| Before { script: file.display().to_string(), failures, findings })
    }

    /// Whether a check failed, or results may be wrong.
    pub fn is_broken(&self) -> bool {
        !self.failures.is_empty() || !self.findings.iter().all(RunFinding::leaves_results)
    }
}

/// What is printed as JSON.
#[derive(Debug, Serialize)]
pub struct Debugged {
    /// Of an Amber script, what came before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Before>,
    /// The stage.
    pub stage: StageKind,
    /// The entry point.
    pub entry: String,
    /// The dispatch in workgroups; of a draw its waves.
    pub groups: [u32; 3],
    /// The workgroups that ran beside the one that is stepped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<OtherGroups>,
    /// Whether this is the rewritten program.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rewritten: bool,
    /// The waves of each workgroup.
    pub interpreter: InterpreterRun,
    /// The commands, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<Done>,
    /// The instructions of the chosen wave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
    /// Where the session ended.
    pub state: State,
    /// The variables of the other program there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<Beside>,
    /// What was found up to there.
    pub findings: Vec<Finding>,
    /// The record of a work graph whose launch this is, and what it wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<RecordReport>,
}

impl Debugged {
    /// Whether something was found that is an error, or a check before it failed.
    pub fn is_broken(&self) -> bool {
        self.before.as_ref().is_some_and(Before::is_broken)
            || self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }
}

/// A trace.
#[derive(Debug, Serialize)]
pub struct Trace {
    /// The names of the watched values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub watched: Vec<String>,
    /// The instructions.
    pub rows: Vec<TraceRow>,
    /// Whether there are more.
    pub more: bool,
}

/// A command that was carried out.
#[derive(Debug, Serialize)]
pub struct Done {
    /// The command.
    pub command: String,
    /// What it printed.
    #[serde(flatten)]
    pub printed: Output,
    /// Where it led, for commands that move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// The watched values in all lanes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub watched: Vec<Lanes>,
    /// The variables of the other program there, for commands that move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<Beside>,
}

/// The record whose launch was debugged.
#[derive(Debug, Serialize)]
pub struct RecordReport {
    /// The node.
    pub node: String,
    /// The generation.
    pub generation: u32,
    /// The records that the launch ran with: the first one, and how many.
    pub records: [u64; 2],
    /// The fields of the first one.
    pub input: String,
    /// What the whole launch writes.
    pub written: Vec<WrittenRow>,
    /// Whether the device's launch wrote the same; absent where the run does not say what it wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same: Option<bool>,
    /// What the device's launch wrote, where that is something else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub device_wrote: Vec<WrittenRow>,
    /// The device.
    pub device: String,
}

/// A record that was written.
#[derive(Debug, Serialize)]
pub struct WrittenRow {
    /// The id that it was sent to.
    pub target: String,
    /// Its fields.
    pub fields: String,
}
