//! What came of a script.

use lanescope_base::findings::{Finding, Severity};
use lanescope_model::findings::EQUAL_WRITES;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What came of a script.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScriptRun {
    /// Commands that ran, repeated ones each time.
    pub commands: u64,
    /// Of these, runs of pipelines.
    pub runs: u64,
    /// Of these, checks.
    pub checks: u64,
    /// Checks that failed.
    pub failures: Vec<CheckFailure>,
    /// The checks in their order, with what each expects and finds; the first ones, of very many.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub expectations: Vec<Expectation>,
    /// What runs found, such as accesses without an order: what their results are then is not determined.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub findings: Vec<RunFinding>,
}

impl ScriptRun {
    /// Whether all that was checked holds, and had to.
    pub fn is_clean(&self) -> bool {
        self.failures.is_empty() && self.findings.iter().all(RunFinding::leaves_results)
    }
}

/// A finding of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunFinding {
    /// The line of the command.
    pub line: u32,
    /// What it found.
    pub finding: Finding,
}

impl RunFinding {
    /// Whether what the run left is what it had to leave.
    pub fn leaves_results(&self) -> bool {
        // Whichever of two equal writes is last, memory has the same value at the end of a run.
        self.finding.severity != Severity::Error || self.finding.code == EQUAL_WRITES.code
    }
}

/// A check that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Expectation {
    /// The line of the command.
    pub line: u32,
    /// The command, without its numbers: `EXPECT a IDX 0 EQ`.
    pub command: String,
    /// The place that `expected` and `found` are of: the first one that differs, else the first one of the check.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<String>,
    /// What is expected there; of many numbers the first ones.
    pub expected: String,
    /// What was found there; absent where it is as expected and no single value.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub found: Option<String>,
    /// How many places differ.
    pub differ: usize,
    /// The repetition, from 1, where the command is repeated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub repetition: Option<u32>,
}

impl Expectation {
    /// Whether it passed.
    pub fn passed(&self) -> bool {
        self.differ == 0
    }
}

/// A check that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckFailure {
    /// The line of the command.
    pub line: u32,
    /// The buffer.
    pub buffer: String,
    /// Where in it: `byte 12, number 3`, `pixel 4, 5`.
    pub place: String,
    /// What is expected there.
    pub expected: String,
    /// What was found there.
    pub found: String,
    /// How many places of the check differ.
    pub count: usize,
    /// The repetition, from 1, where the command is repeated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub repetition: Option<u32>,
}
