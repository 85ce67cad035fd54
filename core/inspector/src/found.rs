//! All that is found in a program: by its report, compilers, runs and the debugger.

use lanescope_core::findings::{Finding, NEEDS_BACK_END, Severity, distinct};
use lanescope_core::report::Report;

use crate::debugging::Debugging;
use crate::settings::CompileSettings;
use crate::tasks::{Task, TaskResults};

/// A program with what was made of it.
#[derive(Debug, Clone, Copy)]
pub struct FoundCx<'a> {
    /// The report.
    pub report: &'a Report,
    /// Results of work on request.
    pub results: &'a TaskResults,
    /// The debugger.
    pub debugging: &'a Debugging,
    /// Revision of the program.
    pub revision: u64,
    /// The revision since which its work graph is as it is.
    pub graph_revision: u64,
    /// Which compilers are used.
    pub compile: &'a CompileSettings,
}

/// Number of findings of each severity. Notes that nearly every program has are left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FoundCounts {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Notes.
    pub notes: usize,
}

impl FoundCounts {
    fn of<'f>(all: impl IntoIterator<Item = &'f Finding>) -> FoundCounts {
        let mut counts = FoundCounts::default();
        for finding in all {
            match finding.severity {
                Severity::Error => counts.errors += 1,
                Severity::Warning => counts.warnings += 1,
                Severity::Note if finding.code == NEEDS_BACK_END.code => {}
                Severity::Note => counts.notes += 1,
            }
        }
        counts
    }
}

impl FoundCx<'_> {
    /// What compilers, runs and the debugger found in the program as it is now. The findings of its report are not
    /// among them, unless they were found again.
    pub fn beside(&self) -> Vec<Finding> {
        let TaskResults { compiled, run, script, graph, .. } = self.results;
        let mut all = compiled.findings(self.revision, self.compile);
        if let Some(ran) = fresh(run, self.revision) {
            let runs = std::iter::once(&ran.execution).chain(&ran.against);
            all.extend(runs.flat_map(|execution| &execution.run.findings).cloned());
        }
        if let Some(ran) = fresh(script, self.revision) {
            all.extend(ran.run.findings.iter().map(|found| found.finding.clone()));
        }
        if let Some(run) = fresh(graph, self.graph_revision) {
            all.extend(run.findings.iter().cloned());
        }
        if let Some(stop) = self.debugging.stop.as_ref().filter(|stop| stop.revision == self.revision) {
            all.extend(stop.findings.iter().cloned());
        }
        all
    }

    /// How much was found of each severity.
    pub fn counts(&self) -> FoundCounts {
        let beside = self.beside();
        FoundCounts::of(distinct(self.report.findings.iter().chain(&beside)))
    }

    /// Changes with each answer that [`FoundCx::beside`] is made from.
    pub fn answers(&self) -> [u64; 6] {
        fn number<T>(task: &Task<T>) -> u64 {
            task.answer.as_ref().map_or(0, |answer| answer.number.wrapping_add(1))
        }
        let TaskResults { compiled, run, script, graph, .. } = self.results;
        let stop = self.debugging.stop.as_ref().map_or(0, |stop| stop.number.wrapping_add(1));
        [self.revision, number(compiled), number(run), number(script), number(graph), stop]
    }
}

/// A result, while it is of this revision.
fn fresh<T>(task: &Task<T>, revision: u64) -> Option<&T> {
    task.answer.as_ref().filter(|answer| answer.revision == revision)?.result.as_ref().ok()
}
