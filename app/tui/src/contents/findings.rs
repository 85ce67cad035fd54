//! Findings, each leading to its place and to what its code means; the explanation of a code.

use lanescope_core::findings::{Finding, Severity, distinct, rule};
use lanescope_core::table::Meaning;
use lanescope_inspector::command::Command;
use lanescope_inspector::destination::Destination;

use super::super::look::Look;
use super::super::pane::{Link, Row};
use super::super::printable::line;
use super::{Rows, Section};
use lanescope_workbench::state::State;
use lanescope_workbench::state::program::OpenProgram;

/// Lines of a tool's output that an explanation has at most.
const DETAILS: usize = 2000;

/// The findings of a program, its compilers, its runs and its debugger, the worst first.
fn all(state: &State, program: &OpenProgram) -> Vec<Finding> {
    let beside = program.found(&state.settings.compile).beside();
    let all = distinct(program.analysis.report.findings.iter().chain(&beside));
    let mut sorted: Vec<Finding> = all.into_iter().cloned().collect();
    sorted.sort_by_key(|finding| Severity::ALL.iter().position(|severity| *severity == finding.severity));
    sorted
}

/// The list.
pub fn findings(out: &mut Rows, state: &State, program: &OpenProgram) {
    let sorted = all(state, program);
    if sorted.is_empty() {
        return out.prose("No findings.");
    }
    listed(out, &sorted, program);
    out.rows.push(Row::default());
    out.prose("Enter on a message goes to its place. Enter on a code, or !, explains it.");
}

/// Where a finding of a program leads.
pub fn place(finding: &Finding, program: &OpenProgram) -> Option<Link> {
    let lead = Destination::of(finding, &program.analysis.report, &program.texts);
    lead.map(|lead| Link::Do(lead.commands(&program.selection)))
}

/// Findings, each leading to its place, its code to its explanation.
pub fn listed(out: &mut Rows, findings: &[Finding], program: &OpenProgram) {
    for finding in findings {
        let lines = Section::Findings(std::slice::from_ref(finding)).lines(out.style, out.width);
        let mut lines: Vec<Row> = lines.into_iter().map(Row::from).collect();
        // Each is listed without the heading of a list.
        let body = lines.iter().position(|row| row.heading).map_or(0, |at| at + 1);
        lines.drain(..body);
        let go = place(finding, program);
        // The first line has the severity, the code, and the beginning of the message.
        if let Some(first) = lines.first_mut() {
            let explain = Link::Do(vec![Command::Explain(finding.code.clone())]);
            for span in &mut first.spans {
                let text = span.text.trim();
                if text == finding.code {
                    span.link = Some(explain.clone());
                } else if !text.is_empty() && go.is_some() {
                    span.link = go.clone();
                }
            }
        }
        out.rows.extend(lines);
    }
}

/// What a code means, an example that raises it, what to do about it, and the full output of tools in its findings.
pub fn explanation(code: &str, state: &State, look: Look, width: usize) -> Vec<Row> {
    let mut out = Rows::new(look, width);
    let Some(rule) = rule(code) else { return Vec::new() };
    let severity = out.style.meaning(Meaning::Severity(rule.severity));
    let row = Row::default().with(out.style.meaning(Meaning::Strong), format!(" {}", rule.code), None);
    out.rows.push(row.with(severity, format!("  {}", rule.severity), None));
    out.prose(rule.about);
    out.section(Section::Heading("Meaning", ""));
    out.prose(rule.meaning);
    out.section(Section::Heading("Example", ""));
    for text in rule.example.text().lines() {
        // Lines of files stay as they are.
        if text.starts_with(' ') {
            out.rows.push(Row::default().with(anstyle::Style::new(), format!(" {}", line(text)), None));
        } else {
            out.prose(text);
        }
    }
    out.section(Section::Heading("What to do", ""));
    out.prose(rule.remedy);
    let Some(program) = state.program() else { return out.rows };
    for finding in all(state, program).iter().filter(|finding| finding.code == rule.code) {
        let Some(details) = &finding.details else { continue };
        out.section(Section::Heading("Output", &finding.place_text()));
        let lines = details.lines().take(DETAILS);
        out.rows.extend(lines.map(|text| Row::default().with(anstyle::Style::new(), format!(" {}", line(text)), None)));
    }
    out.rows
}
