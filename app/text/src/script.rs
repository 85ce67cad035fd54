//! The run of an Amber script: its checks as a table.

use std::io;
use std::path::Path;

use lanescope_core::findings::{Finding, Severity};
use lanescope_core::script::{CheckFailure, RunFinding, ScriptRun, expectation_table};
use lanescope_core::table::Meaning;
use lanescope_core::text_format::counted;

use super::page::{Line, Page};

/// The outcome in one line, then every check in its order.
pub fn contents(page: &mut Page<'_>, run: &ScriptRun, unchecked: &[String]) -> io::Result<()> {
    let style = page.style;
    let checks = counted(run.checks, "check");
    let (text, meaning) = match (run.checks, run.failures.len()) {
        (0, _) => ("The script checks nothing".to_owned(), Meaning::Plain),
        (_, 0) => (format!("All passed: {checks}"), Meaning::Strong),
        (_, failed) => (format!("\u{d7} {failed} of {checks} failed"), Meaning::Severity(Severity::Error)),
    };
    page.heading("Checks", &format!("{}, {}", counted(run.commands, "command"), counted(run.runs, "run")))?;
    page.line(Line::of(style.meaning(meaning), format!(" {text}")))?;
    if !unchecked.is_empty() {
        page.prose(Line::from(" "), &format!("requirements that were not checked: {}", unchecked.join(", ")))?;
    }
    for RunFinding { line, finding } in &run.findings {
        let text = format!("line {line}: {} {}: {}", finding.severity, finding.code, finding.message);
        page.prose(Line::from(" "), &text)?;
    }
    page.table(&expectation_table(run), 1)
}

/// The checks that failed and what runs found, each with its line.
pub fn problems(file: &Path, failures: &[CheckFailure], findings: &[RunFinding]) -> Vec<String> {
    let file = file.display();
    let failed = failures.iter().map(|failure| {
        let CheckFailure { line, buffer, place, expected, found, count, repetition } = failure;
        let repetition = repetition.map(|at| format!(", repetition {at}")).unwrap_or_default();
        let more = if *count > 1 { format!(" ({count} differ)") } else { String::new() };
        format!("{file}:{line}: EXPECT {buffer}{repetition}: {place}: expected {expected}, found {found}{more}")
    });
    let found = findings.iter().map(|RunFinding { line, finding }| {
        let Finding { severity, code, message, .. } = finding;
        format!("{file}:{line}: RUN: {severity} {code}: {message}")
    });
    failed.chain(found).collect()
}
