//! Findings as SARIF 2.1.0, the form that code hosts and editors read.

use std::collections::BTreeMap;
use std::io;

use lanescope_core::findings::{Finding, Severity, rule};
use lanescope_core::report::Report;
use serde_json::{Value, json};

use super::json;

/// Schema of the form.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// Bytes of a URI that are written as they are, besides letters and digits (RFC 3986, unreserved, and `/`).
const PLAIN: &[u8] = b"-._~/";

/// A finding and the file that it is about.
#[derive(Debug, Clone, Copy)]
pub struct Located<'a> {
    /// The finding.
    pub finding: &'a Finding,
    /// The file, as it was given.
    pub file: &'a str,
    /// The line of the file, from 1, where one is known.
    pub line: Option<u32>,
}

impl<'a> Located<'a> {
    /// A finding of a report: in the file of its stage, else in the first one.
    pub fn of(report: &'a Report, finding: &'a Finding) -> Located<'a> {
        let stage = report.stages.iter().find(|stage| Some(stage.stage) == finding.stage);
        let input = finding.line.map(|line| line.input).or(stage.map(|stage| stage.input)).unwrap_or(0);
        let file = report.inputs.get(input).map_or("", |input| input.path.as_str());
        Located { finding, file, line: None }
    }
}

/// Prints findings on standard output.
///
/// # Errors
/// What of them could not be written.
pub fn print<'a>(findings: impl IntoIterator<Item = Located<'a>>) -> io::Result<()> {
    json::print(&log(findings))
}

/// Findings as a SARIF log.
pub fn log<'a>(findings: impl IntoIterator<Item = Located<'a>>) -> Value {
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    let mut descriptors = Vec::new();
    let mut results = Vec::new();
    for located in findings {
        let code = located.finding.code.as_str();
        let index = *rules.entry(code).or_insert_with(|| {
            descriptors.push(descriptor(code, located.finding.severity));
            descriptors.len() - 1
        });
        results.push(result(&located, index));
    }
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Lanescope",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": descriptors,
            } },
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    })
}

/// The rule of a code. A code that the table lacks comes from a report of another version of this program.
fn descriptor(code: &str, severity: Severity) -> Value {
    let configuration = json!({ "level": level(severity) });
    match rule(code) {
        Some(rule) => json!({
            "id": code,
            "shortDescription": { "text": rule.about },
            "fullDescription": { "text": rule.meaning },
            "help": { "text": rule.remedy },
            "defaultConfiguration": configuration,
        }),
        None => json!({ "id": code, "defaultConfiguration": configuration }),
    }
}

fn result(located: &Located<'_>, rule: usize) -> Value {
    let Located { finding, file, line } = located;
    let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
    if let Some(line) = line.filter(|line| *line > 0) {
        physical["region"] = json!({ "startLine": line });
    }
    let mut location = json!({ "physicalLocation": physical });
    let names = logical(finding);
    if !names.is_empty() {
        location["logicalLocations"] = json!(names);
    }
    json!({
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": level(finding.severity),
        "message": { "text": finding.message },
        "locations": [location],
    })
}

/// What of the program a finding is about: its stage, what it names, and a line of a disassembly: the file does
/// not have that line.
fn logical(finding: &Finding) -> Vec<Value> {
    let stage = finding.stage.map(|stage| json!({ "name": stage.name(), "kind": "module" }));
    let place = finding.place.as_ref().map(|place| json!({ "name": place, "kind": "member" }));
    let line = finding.line.map(|line| json!({ "name": format!("line {} of the disassembly", line.line) }));
    stage.into_iter().chain(place).chain(line).collect()
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// A path as a reference: relative paths stay relative to the folder that the program ran in.
fn uri(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    // A colon in the first part of a relative path would end a scheme.
    for byte in path.bytes() {
        match byte.is_ascii_alphanumeric() || PLAIN.contains(&byte) {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use lanescope_core::findings::ListingLine;
    use lanescope_core::program::StageKind;

    use super::*;

    fn finding(code: &str, severity: Severity) -> Finding {
        Finding {
            code: code.to_owned(),
            severity,
            stage: Some(StageKind::Fragment),
            message: "\"a\" differs".to_owned(),
            place: Some("uv".to_owned()),
            line: None,
            details: None,
        }
    }

    #[test]
    fn findings_name_their_rule_file_and_line() {
        let (known, unknown) = (finding("P001", Severity::Warning), finding("Z9", Severity::Error));
        let listed = Finding { line: Some(ListingLine { input: 0, line: 7 }), ..known.clone() };
        let at = |finding, line| Located { finding, file: "a b/c:d.frag", line };
        let log = log([at(&known, Some(3)), at(&unknown, None), at(&listed, None)]);
        let run = &log["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        assert_eq!(rules.iter().map(|rule| rule["id"].as_str()).collect::<Vec<_>>(), [Some("P001"), Some("Z9")]);
        let results = run["results"].as_array().expect("results");
        assert_eq!(
            results.iter().map(|row| row["ruleIndex"].as_u64()).collect::<Vec<_>>(),
            [Some(0), Some(1), Some(0)]
        );
        let place = &results[0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b/c%3Ad.frag");
        assert_eq!(place["region"]["startLine"], 3);
        assert!(results[1]["locations"][0]["physicalLocation"].get("region").is_none());
        assert_eq!(results[2]["locations"][0]["logicalLocations"][2]["name"], "line 7 of the disassembly");
        assert_eq!(results[1]["level"], "error");
    }

    #[test]
    fn an_absolute_path_has_a_scheme() {
        assert_eq!(uri("/tmp/é.spv"), "file:///tmp/%C3%A9.spv");
    }
}
