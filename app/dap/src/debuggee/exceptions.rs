//! Findings as exceptions: what the interpreter finds undefined can stop the run.

use lanescope_core::findings::{Finding, Severity};
use lanescope_core::gpu::interpret::{findings, rule_of};
use lanescope_core::interpreter::EventKind;
use lanescope_core::interpreter::debugger::session::Stopped;
use serde_json::{Value, json};

use super::Debuggee;
use crate::protocol::Outgoing;

/// Findings that stop, by severity: id, label, whether they do so at first.
pub const FILTERS: [(&str, &str, bool); 3] =
    [("error", "Findings: errors", true), ("warning", "Findings: warnings", false), ("note", "Findings: notes", false)];

/// Kinds of findings.
const KINDS: [EventKind; 13] = [
    EventKind::DataRace,
    EventKind::EqualWrites,
    EventKind::BarrierNotReached,
    EventKind::Uninitialized,
    EventKind::DivergentDerivative,
    EventKind::OutOfBounds,
    EventKind::NullPointer,
    EventKind::Misaligned,
    EventKind::DivisionByZero,
    EventKind::Nan,
    EventKind::WaveSizeDependence,
    EventKind::InactiveLane,
    EventKind::Unreachable,
];

/// The filter of a severity.
fn filter_of(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

impl Debuggee {
    /// Chooses which findings stop. Returns for each filter whether it is known.
    pub fn set_exception_filters(&mut self, filters: &[String]) -> Vec<bool> {
        let is_on = |kind: &EventKind| filters.iter().any(|filter| filter == filter_of(rule_of(*kind).severity));
        self.stop_at(KINDS.into_iter().filter(is_on));
        filters.iter().map(|filter| FILTERS.iter().any(|(id, ..)| id == filter)).collect()
    }

    fn findings(&self) -> Vec<Finding> {
        findings(self.session.debugger().machine(), &self.names)
    }

    /// The finding at which the run stopped.
    ///
    /// # Errors
    /// It stopped for another reason.
    pub fn exception_info(&self) -> Result<Value, String> {
        let Stopped::Finding(at) = self.session.stopped() else {
            return Err("exceptionInfo: the run did not stop at a finding".to_owned());
        };
        let finding = self.findings().into_iter().nth(at).ok_or("exceptionInfo: the finding is gone")?;
        let severity = filter_of(finding.severity);
        Ok(json!({
            "exceptionId": finding.code, "description": line_of(&finding), "breakMode": "always",
            "details": { "message": finding.message, "typeName": severity },
        }))
    }

    /// The finding at which the run stopped, as text.
    pub(super) fn finding_text(&self, at: usize) -> Option<String> {
        self.findings().get(at).map(line_of)
    }

    /// Its code: `finding E001`.
    pub(super) fn finding_code(&self, at: usize) -> String {
        self.findings().get(at).map_or_else(String::new, |finding| format!("finding {}", finding.code))
    }

    /// Findings that are not in the console yet.
    pub fn new_findings(&mut self) -> Vec<Outgoing> {
        let all = self.findings();
        let events = self.session.debugger().machine().events().len();
        // What is left out is said once, after the others.
        let is_truncated = all.len() > events && !std::mem::replace(&mut self.said_truncated, all.len() > events);
        let rest = all.get(events..).unwrap_or_default().iter().filter(|_| is_truncated);
        let new = all.iter().take(events).skip(self.reported).chain(rest).map(|finding| {
            let category = if finding.severity == Severity::Error { "stderr" } else { "console" };
            Outgoing::output(category, &line_of(finding))
        });
        let new = new.collect();
        self.reported = self.reported.max(events);
        new
    }

    /// The exit status that `lanescope debug` would have: 1 for findings of severity error.
    pub fn exit_code(&self) -> i32 {
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        i32::from(self.has_errors || self.findings().iter().any(is_error))
    }
}

/// `error E001: … (%12 OpStore, race.comp:13)`.
fn line_of(finding: &Finding) -> String {
    let place = finding.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
    format!("{} {}: {}{place}", finding.severity, finding.code, finding.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_filter() {
        for kind in KINDS {
            assert!(FILTERS.iter().any(|(id, ..)| *id == filter_of(rule_of(kind).severity)));
        }
    }
}
