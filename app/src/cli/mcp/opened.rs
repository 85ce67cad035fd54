//! What `open` says of a program in a few lines.

use lanescope_core::findings::{Severity, distinct};
use lanescope_core::program::StageKind;
use lanescope_core::report::Report;
use lanescope_core::text_format::counted;
use lanescope_inspector::strip;
use lanescope_text::plain;
use schemars::JsonSchema;
use serde::Serialize;

/// Findings that are listed.
const FINDINGS_AT_MOST: usize = 20;
/// Names of nodes that are listed.
const NODES_AT_MOST: usize = 24;

/// A program, and where to look further.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Opened {
    /// The version of this form: 1.
    schema: u32,
    /// The files, with their formats.
    files: Vec<String>,
    /// The entry points.
    stages: Vec<Stage>,
    /// The chip whose rules apply.
    target: String,
    /// What packing does to the interface before the fragment shader.
    #[serde(skip_serializing_if = "Option::is_none")]
    packing: Option<String>,
    /// The workgroups: size, waves, the rule that decided.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    workgroups: Vec<String>,
    /// Nodes of the work graph.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<String>,
    /// Registers that are predicted.
    registers: usize,
    /// Findings by severity: errors, warnings, notes.
    counts: [usize; 3],
    /// The first of them, the worst first.
    findings: Vec<Found>,
}

/// An entry point.
#[derive(Debug, Serialize, JsonSchema)]
struct Stage {
    stage: StageKind,
    entry: String,
}

/// A finding; `lanescope://findings/CODE` explains it.
#[derive(Debug, Serialize, JsonSchema)]
struct Found {
    severity: Severity,
    code: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
}

impl Opened {
    /// What a report says in a few lines.
    pub fn of(report: &Report) -> Opened {
        let all = distinct(&report.findings);
        let count = |severity: Severity| all.iter().filter(|finding| finding.severity == severity).count();
        let mut findings: Vec<Found> = Vec::new();
        for severity in [Severity::Error, Severity::Warning, Severity::Note] {
            findings.extend(all.iter().filter(|finding| finding.severity == severity).map(|finding| Found {
                severity,
                code: finding.code.to_string(),
                message: finding.message.clone(),
                place: finding.place.as_ref().map(ToString::to_string),
            }));
        }
        findings.truncate(FINDINGS_AT_MOST);
        let workgroup = |layout| {
            let facts: Vec<String> = strip::workgroup(layout).into_iter().map(|fact| fact.text).collect();
            format!("{} {}: {}", layout.stage, layout.entry, facts.join(", "))
        };
        // Each node has a workgroup of its own: the graph is the answer.
        let (workgroups, nodes) = match &report.graph {
            Some(graph) => (Vec::new(), graph.nodes.iter().map(|node| node.id.to_string()).collect()),
            None => (report.workgroup.iter().map(workgroup).collect(), Vec::new()),
        };
        Opened {
            schema: 1,
            files: report.inputs.iter().map(|input| format!("{} ({})", input.path, input.format)).collect(),
            stages: report.stages.iter().map(|one| Stage { stage: one.stage, entry: one.entry.clone() }).collect(),
            target: report.options.target.to_string(),
            packing: report.packing.as_ref().map(|packing| {
                let fact = strip::packing(packing);
                format!("{} ({})", fact.text, fact.about)
            }),
            workgroups,
            nodes,
            registers: report.registers.len(),
            counts: [Severity::Error, Severity::Warning, Severity::Note].map(count),
            findings,
        }
    }

    /// The same as text.
    pub fn text(&self) -> String {
        let mut lines = self.files.clone();
        let stages: Vec<String> = self.stages.iter().map(|one| format!("{} {}", one.stage, one.entry)).collect();
        lines.push(format!("stages: {}", if stages.is_empty() { "none".to_owned() } else { stages.join(" → ") }));
        lines.push(format!("target: {}", self.target));
        lines.extend(self.packing.iter().map(|packing| format!("attribute slots: {packing}")));
        lines.extend(self.workgroups.iter().map(|workgroup| format!("workgroup: {workgroup}")));
        if !self.nodes.is_empty() {
            let named: Vec<&str> = self.nodes.iter().take(NODES_AT_MOST).map(String::as_str).collect();
            let more = self.nodes.len() - named.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            lines.push(format!("work graph: {}: {}{more}", counted(self.nodes.len(), "node"), named.join(", ")));
        }
        lines.push(format!("registers: {}", self.registers));
        let [errors, warnings, notes] = self.counts;
        let counts = [counted(errors, "error"), counted(warnings, "warning"), counted(notes, "note")];
        lines.push(format!("findings: {}", counts.join(", ")));
        for Found { severity, code, message, place } in &self.findings {
            let place = place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
            lines.push(format!("  {severity} {code}: {message}{place}"));
        }
        lines.iter().map(|line| plain(line) + "\n").collect()
    }
}
