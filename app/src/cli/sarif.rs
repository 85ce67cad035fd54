//! Findings as SARIF 2.1.0, the form that code hosts and editors read.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use clap::ValueEnum;
use lanescope_core::findings::{Finding, Place, Severity, rule};
use lanescope_core::foreign::escape_json;
use lanescope_core::report::Report;
use serde_json::{Value, json};

/// Schema of the form.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// Bytes of a URI that are written as they are, besides letters and digits (RFC 3986, unreserved, and `/`).
const PLAIN: &[u8] = b"-._~/";

/// Output format of a command whose findings are for code hosts too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
    /// The findings only.
    Sarif,
}

/// A finding and the file that it is about.
#[derive(Debug, Clone, Copy)]
pub struct Located<'a> {
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

    /// A finding of a run: at the source line of its instruction, else in the first file.
    pub fn among(files: &'a [String], finding: &'a Finding) -> Located<'a> {
        let source = match &finding.place {
            Some(Place::Operation { source, .. }) => source.as_ref(),
            _ => None,
        };
        let at = source.and_then(|source| {
            // Relative, as the module names its source.
            let file = files.iter().find(|file| Path::new(file).ends_with(&source.file))?;
            Some((file, source.line))
        });
        let (file, line) = at.map_or((files.first(), None), |(file, line)| (Some(file), Some(line)));
        Located { finding, file: file.map_or("", String::as_str), line }
    }
}

/// Prints findings on standard output.
///
/// # Errors
/// What of them could not be written.
pub fn print<'a>(findings: impl IntoIterator<Item = Located<'a>>) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    write(findings, &mut out)?;
    out.flush()
}

/// Writes findings as a SARIF log.
///
/// # Errors
/// Those of `out`.
pub fn write<'a>(findings: impl IntoIterator<Item = Located<'a>>, out: &mut impl Write) -> io::Result<()> {
    let mut log = Log::begin(out)?;
    for finding in findings {
        log.add(&finding)?;
    }
    log.end()
}

/// A log while it is written: results first, one per line, so that only the rules are kept.
pub struct Log<'o, W: Write> {
    out: &'o mut W,
    /// The index of each rule.
    rules: BTreeMap<String, usize>,
    descriptors: Vec<Value>,
    results: usize,
}

impl<'o, W: Write> Log<'o, W> {
    /// Begins a log.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn begin(out: &'o mut W) -> io::Result<Self> {
        write!(out, "{{\n  \"$schema\": \"{SCHEMA}\",\n  \"version\": \"2.1.0\",\n  \"runs\": [\n    {{\n")?;
        write!(out, "      \"columnKind\": \"utf16CodeUnits\",\n      \"results\": [")?;
        Ok(Log { out, rules: BTreeMap::new(), descriptors: Vec::new(), results: 0 })
    }

    /// Writes a finding.
    ///
    /// # Errors
    /// Those of the output.
    pub fn add(&mut self, located: &Located<'_>) -> io::Result<()> {
        let code = &located.finding.code;
        let index = match self.rules.get(code) {
            Some(index) => *index,
            None => {
                self.descriptors.push(descriptor(code, located.finding.severity));
                self.rules.insert(code.clone(), self.descriptors.len() - 1);
                self.descriptors.len() - 1
            }
        };
        let comma = if self.results == 0 { "" } else { "," };
        self.results += 1;
        write!(self.out, "{comma}\n        {}", escape_json(&result(located, index).to_string()))
    }

    /// Ends the log with its rules.
    ///
    /// # Errors
    /// Those of the output.
    pub fn end(self) -> io::Result<()> {
        let driver = json!({
            "name": "Lanescope",
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": self.descriptors,
        });
        let driver = driver.to_string();
        let driver = escape_json(&driver);
        let close = if self.results == 0 { "" } else { "\n      " };
        writeln!(self.out, "{close}],\n      \"tool\": {{ \"driver\": {driver} }}\n    }}\n  ]\n}}")
    }
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
    let place = finding.place.as_ref().map(|place| json!({ "name": place.to_string(), "kind": "member" }));
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
    use lanescope_core::findings::{ListingLine, SourceLine};
    use lanescope_core::ids::Id;
    use lanescope_core::program::StageKind;

    use super::*;

    fn finding(code: &str, severity: Severity) -> Finding {
        Finding {
            code: code.to_owned(),
            severity,
            stage: Some(StageKind::Fragment),
            message: "\"a\" differs".to_owned(),
            place: Some(Place::variable("uv")),
            line: None,
            details: None,
        }
    }

    #[test]
    fn findings_name_their_rule_file_and_line() {
        let (known, unknown) = (finding("P001", Severity::Warning), finding("Z9", Severity::Error));
        let listed = Finding { line: Some(ListingLine { input: 0, line: 7 }), ..known.clone() };
        let at = |finding, line| Located { finding, file: "a b/c:d.frag", line };
        let mut text = Vec::new();
        write([at(&known, Some(3)), at(&unknown, None), at(&listed, None)], &mut text).expect("in memory");
        let log: Value = serde_json::from_slice(&text).expect("is JSON");
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
    fn a_log_without_findings_is_whole() {
        let mut text = Vec::new();
        write([], &mut text).expect("in memory");
        let log: Value = serde_json::from_slice(&text).expect("is JSON");
        assert_eq!(log["runs"][0]["results"], json!([]));
    }

    #[test]
    fn a_source_line_of_a_place_is_found_in_its_file() {
        let files = ["a/lit.vert".to_owned(), "a/lit.frag".to_owned()];
        let at = |file: Option<&str>| {
            let source = file.map(|file| SourceLine { file: file.to_owned(), line: 13 });
            let place = Place::Operation { result: Some(Id(42)), opcode: "OpLoad".to_owned(), source };
            let finding = Finding { place: Some(place), ..finding("E001", Severity::Error) };
            let located = Located::among(&files, &finding);
            (located.file.to_owned(), located.line)
        };
        assert_eq!(at(Some("lit.frag")), ("a/lit.frag".to_owned(), Some(13)));
        assert_eq!(at(Some("a/lit.frag")), ("a/lit.frag".to_owned(), Some(13)));
        assert_eq!(at(Some("other.glsl")), ("a/lit.vert".to_owned(), None));
        assert_eq!(at(None), ("a/lit.vert".to_owned(), None));
    }

    #[test]
    fn an_absolute_path_has_a_scheme() {
        assert_eq!(uri("/tmp/é.spv"), "file:///tmp/%C3%A9.spv");
    }
}
