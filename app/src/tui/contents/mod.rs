//! What each view shows, as rows. Tables and maps are those of the text report; nothing is computed here that it does
//! not compute.

mod gallery;
mod graph;
mod isa;
mod source;

use lanescope_core::compare::compare;
use lanescope_core::findings::distinct;
use lanescope_core::report::Report;
use lanescope_core::table::Meaning;
use lanescope_inspector::destination::Destination;
use lanescope_inspector::tasks::Task;

pub use gallery::{failure, gallery};
pub use source::line;

use super::look::Look;
use super::pane::{Link, Row};
use crate::cli::text::{Section, Style, wrap};
use crate::state::State;
use crate::state::comparing::ComparisonNames;
use crate::state::program::OpenProgram;

/// Rows of a page, one section after the other.
struct Rows {
    rows: Vec<Row>,
    style: Style,
    width: usize,
}

impl Rows {
    fn new(look: Look, width: usize) -> Rows {
        Rows { rows: Vec::new(), style: look.report(), width }
    }

    fn section(&mut self, section: Section<'_>) {
        self.rows.extend(section.lines(self.style, self.width).into_iter().map(Row::from));
    }

    fn prose(&mut self, text: &str) {
        self.section(Section::Prose(text));
    }

    /// A line for work that is under way, has failed or was never requested. True where there is a result.
    fn task<T>(&mut self, task: &Task<T>, what: &str, how: &str) -> bool {
        if task.underway {
            self.prose(&format!("{what} …"));
        }
        if let Some(why) = task.failed() {
            let style = self.style.meaning(Meaning::Changed);
            for line in why.lines().flat_map(|line| wrap(line, self.width.saturating_sub(1))) {
                self.rows.push(Row::default().with(style, format!(" {line}"), None));
            }
        } else if task.answer.is_none() && !task.underway {
            self.prose(how);
        }
        task.done().is_some()
    }
}

/// A page of the manual.
pub fn page_rows(name: &str) -> Vec<Row> {
    let text = crate::cli::manual_text(name);
    text.lines().map(|text| Row::default().with(anstyle::Style::new(), line(text), None)).collect()
}

/// The rows of a view for the shown program.
pub fn rows(view: &str, state: &State, program: &OpenProgram, look: Look, width: usize) -> Vec<Row> {
    let mut out = Rows::new(look, width);
    let report = &program.analysis.report;
    match view {
        "packing" => both(&mut out, program, Section::Packing),
        "workgroup" => {
            both(&mut out, program, Section::Workgroup);
            if let Some(probe) = program.results.probe.done() {
                out.section(Section::Heading("Measured", ""));
                out.section(Section::Probe(probe));
            } else if !program.frozen {
                out.task(&program.results.probe, "Measuring", "m measures the map on a device.");
            }
        }
        "registers" => both(&mut out, program, Section::Registers),
        "layout" => out.section(Section::GuessedLayout(report)),
        "overview" => out.section(Section::Overview(report)),
        "dxil" => {
            out.section(Section::Dxil(report));
            source::listings(&mut out, program);
        }
        "source" => source::texts(&mut out, program),
        "rewritten" => source::rewritten(&mut out, program),
        "isa" => isa::assembly(&mut out, program),
        "statistics" => isa::statistics(&mut out, program),
        "graph" => graph::graph(&mut out, program),
        "run" => run(&mut out, program),
        "compare" => comparison(&mut out, state),
        "findings" => findings(&mut out, state, program),
        _ => {}
    }
    out.rows
}

/// The section of the first setting, and of the second one where two are shown.
fn both<'p>(out: &mut Rows, program: &'p OpenProgram, section: fn(&'p Report) -> Section<'p>) {
    out.section(section(&program.analysis.report));
    if let Some(other) = &program.analysis.other {
        out.section(Section::Heading("Second setting", ""));
        out.section(section(other));
    }
}

fn run(out: &mut Rows, program: &OpenProgram) {
    let how = "r runs the program on a device, and the rewritten one beside it.";
    if out.task(&program.results.run, "Running", how)
        && let Some(ran) = program.results.run.done()
    {
        out.section(Section::Run(&ran.execution));
    }
}

fn comparison(out: &mut Rows, state: &State) {
    let names = ComparisonNames::new(state);
    let comparing = names.comparing(state);
    let Some([a, b]) = comparing.sides else {
        out.prose("= chooses files to compare with, D compares two settings of this program.");
        for (partner, name) in comparing.partners {
            let go = Link::Do(vec![lanescope_inspector::command::Command::CompareWith(Some(*partner))]);
            let row = Row::default().with(anstyle::Style::new(), " Compare with ", None);
            out.rows.push(row.with(out.style.meaning(Meaning::Strong), name.clone(), Some(go)));
        }
        return;
    };
    let found = compare(a, b);
    out.section(Section::Comparison(&found, comparing.names));
}

fn findings(out: &mut Rows, state: &State, program: &OpenProgram) {
    let report = &program.analysis.report;
    let compiled = program.results.compiled.findings(program.revision, &state.settings.compile);
    let all = distinct(report.findings.iter().chain(&compiled));
    let mut sorted = all.clone();
    sorted.sort_by_key(|finding| {
        lanescope_core::findings::Severity::ALL.iter().position(|severity| *severity == finding.severity)
    });
    if sorted.is_empty() {
        out.prose("No findings.");
    }
    for finding in sorted {
        let lines = Section::Findings(std::slice::from_ref(finding)).lines(out.style, out.width);
        let mut lines: Vec<Row> = lines.into_iter().map(Row::from).collect();
        // Each is listed without the heading of a list.
        let body = lines.iter().position(|row| row.heading).map_or(0, |at| at + 1);
        lines.drain(..body);
        let lead = Destination::of(finding, report, &program.texts);
        let go = lead.map(|lead| Link::Do(lead.commands(&program.selection)));
        if let Some(span) = lines.first_mut().and_then(|row| row.spans.get_mut(1)) {
            span.link = go;
        }
        out.rows.extend(lines);
    }
}
