//! Failed compilations, as findings.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::executable::Version;
use super::report::DriverFailure;
use lanescope_model::program::StageKind;
use lanescope_passes::findings::{COMPILER_DIED, COMPILER_HUNG, COMPILER_MEMORY, Finding, NOT_COMPILED};

/// How a compiler failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Outcome {
    /// Its process crashed: the signal, as text.
    Died(String),
    /// Its process ended by itself and said nothing of the shader: the exit status, as text.
    Ended(String),
    /// It did not finish within that many milliseconds.
    Hung(u64),
    /// Its process ended at the memory limit, in MiB; with the signal.
    OutOfMemory(u64, String),
    /// It returned an error, or the device lacks what the program needs.
    Refused(String),
}

/// A failed compilation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// The compiler: `RADV for gfx1030 (radv Mesa 22.3.6)`.
    pub compiler: String,
    /// The version of the program.
    pub of: Version,
    /// The stages that it was compiling: the one that it cannot take where that is known.
    pub stages: Vec<StageKind>,
    /// How it failed.
    pub fate: Outcome,
    /// The requested chip or device name, else the name of the manifest; empty for the first device.
    #[serde(default)]
    pub place: String,
    /// The manifest of the driver, where it was chosen by one.
    #[serde(default)]
    pub icd: Option<PathBuf>,
    /// Something requested is not available on this machine, rather than wrong.
    pub missing: bool,
    /// The folder with the files for a bug report, where one was written.
    pub repro: Option<String>,
}

impl Failure {
    /// The failure as a column of the tables that compare drivers.
    pub fn column(&self) -> DriverFailure {
        let (place, icd) = (self.place.clone(), self.icd.clone());
        DriverFailure { place, icd, of: self.of, message: self.finding().message }
    }

    /// The finding: it names the compiler, the stage and the signal.
    pub fn finding(&self) -> Finding {
        let names: Vec<_> = self.stages.iter().map(|stage| stage.name()).collect();
        let what = format!("the {} {} shader", self.of, names.join(" + "));
        let (rule, text) = match &self.fate {
            Outcome::Died(how) => (COMPILER_DIED, format!("{} crashed on {what}: {how}", self.compiler)),
            Outcome::Ended(how) => {
                (COMPILER_DIED, format!("{} ended without an answer on {what}: {how}", self.compiler))
            }
            Outcome::Hung(limit) => {
                let limit = *limit as f64 / 1000.0;
                (COMPILER_HUNG, format!("{} did not finish {what} within {limit} s and was stopped", self.compiler))
            }
            Outcome::OutOfMemory(limit, how) => {
                (COMPILER_MEMORY, format!("{} used more than {limit} MiB for {what}: {how}", self.compiler))
            }
            Outcome::Refused(why) => (NOT_COMPILED, format!("{}: {what} was not compiled: {why}", self.compiler)),
        };
        let kept = self.repro.as_ref().map(|folder| format!("; saved to {folder}")).unwrap_or_default();
        rule.at(self.stages.last().copied(), None, format!("{text}{kept}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_name_the_compiler_the_stage_and_the_signal() {
        let failure = |fate: Outcome| {
            let (compiler, stages) = ("RADV for gfx1030".to_owned(), vec![StageKind::Vertex, StageKind::Fragment]);
            Failure {
                compiler,
                of: Version::Packed,
                stages,
                fate,
                place: "gfx1030".to_owned(),
                icd: None,
                missing: false,
                repro: Some("r".to_owned()),
            }
            .finding()
        };
        let what = "the packed vertex + fragment shader";
        for (fate, code, text) in [
            (
                Outcome::Died("SIGSEGV".to_owned()),
                "I001",
                format!("RADV for gfx1030 crashed on {what}: SIGSEGV; saved to r"),
            ),
            (
                Outcome::Ended("exit status 0".to_owned()),
                "I001",
                format!("RADV for gfx1030 ended without an answer on {what}: exit status 0; saved to r"),
            ),
            (
                Outcome::Hung(1500),
                "I002",
                format!("RADV for gfx1030 did not finish {what} within 1.5 s and was stopped; saved to r"),
            ),
            (
                Outcome::OutOfMemory(64, "SIGABRT".to_owned()),
                "I003",
                format!("RADV for gfx1030 used more than 64 MiB for {what}: SIGABRT; saved to r"),
            ),
            (
                Outcome::Refused("no".to_owned()),
                "I004",
                format!("RADV for gfx1030: {what} was not compiled: no; saved to r"),
            ),
        ] {
            let finding = failure(fate);
            assert_eq!((finding.code.as_str(), &finding.message), (code, &text));
            assert_eq!(finding.stage, Some(StageKind::Fragment));
        }
    }
}
