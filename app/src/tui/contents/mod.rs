//! What each view shows, as rows. Tables and maps are those of the text report; nothing is computed here that it does
//! not compute.

mod canvas;
pub mod corpus;
mod dag;
mod debug;
mod gallery;
mod graph;
mod images;
mod isa;
mod records;
mod registers;
mod run;
mod source;
mod workgroup;

use lanescope_core::compare::compare;
use lanescope_core::findings::distinct;
use lanescope_core::report::Report;
use lanescope_core::table::Meaning;
use lanescope_inspector::destination::Destination;
use lanescope_inspector::tasks::Task;
use lanescope_pictures::align::{PATIENCE, unified};

pub use gallery::{failure, gallery};
pub use source::line;

use super::look::Look;
use super::pane::{Change, Link, Row};
use super::views::Views;
use crate::cli::text::{Section, Style, wrap};
use crate::state::State;
use crate::state::comparing::ComparisonNames;
use crate::state::program::OpenProgram;

/// Rows of a page, one section after the other.
struct Rows {
    rows: Vec<Row>,
    style: Style,
    look: Look,
    width: usize,
}

/// From this width on two settings are beside each other.
const TWO: usize = 120;

impl Rows {
    fn new(look: Look, width: usize) -> Rows {
        Rows { rows: Vec::new(), style: look.report(), look, width }
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
pub fn rows(view: &str, state: &State, program: &OpenProgram, views: &Views, look: Look, width: usize) -> Vec<Row> {
    let mut out = Rows::new(look, width);
    let report = &program.analysis.report;
    match view {
        "packing" => both(&mut out, program, |out, report| out.section(Section::Packing(report))),
        "workgroup" => {
            both(&mut out, program, |out, report| workgroup::workgroup(out, report, views));
            workgroup::measured(&mut out, program, views);
        }
        "registers" => both(&mut out, program, |out, report| registers::registers(out, report, &program.selection)),
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
        "graph" => graph::graph(&mut out, program, views),
        "run" => run::run(&mut out, state, program, views),
        "debug" => debug::debug(&mut out, program),
        "compare" => comparison(&mut out, state, views),
        "findings" => findings(&mut out, state, program),
        _ => {}
    }
    // A heading has an empty line above it: not at the top.
    if out.rows.first().is_some_and(|row| row.spans.iter().all(|span| span.text.trim().is_empty())) {
        out.rows.remove(0);
    }
    out.rows
}

/// What a setting makes; where two settings are shown, the second one beside the first, or below it.
fn both(out: &mut Rows, program: &OpenProgram, fill: impl Fn(&mut Rows, &Report)) {
    let Some(other) = &program.analysis.other else { return fill(out, &program.analysis.report) };
    let is_wide = out.width >= TWO;
    let width = if is_wide { (out.width - GAP) / 2 } else { out.width };
    let names = [("First setting", &program.analysis.report), ("Second setting", other)];
    let [left, right] = names.map(|(name, report)| {
        let mut half = Rows { rows: Vec::new(), style: out.style, look: out.look, width };
        half.section(Section::Heading(name, &report.options.target.to_string()));
        fill(&mut half, report);
        half.rows
    });
    if is_wide {
        out.rows.extend(beside(left, right, width, out.style.meaning(Meaning::Dimmed)));
    } else {
        out.rows.extend(left.into_iter().chain(right));
    }
}

/// Columns between two blocks.
const GAP: usize = 3;

/// Two blocks beside each other; the first one is `width` columns wide.
fn beside(left: Vec<Row>, right: Vec<Row>, width: usize, line: anstyle::Style) -> Vec<Row> {
    let count = left.len().max(right.len());
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let mut out = Vec::with_capacity(count);
    for _ in 0..count {
        let (a, b) = (left.next().unwrap_or_default(), right.next().unwrap_or_default());
        let heading = a.heading || b.heading;
        let mut row = a.cut(width);
        let pad = width.saturating_sub(row.width());
        row = row.with(anstyle::Style::new(), " ".repeat(pad), None).with(line, " │ ", None);
        row.spans.extend(b.spans);
        row.also.extend(b.also);
        // Highlighting is of whole lines.
        out.push(Row { heading, code: None, ..row });
    }
    out
}

fn comparison(out: &mut Rows, state: &State, views: &Views) {
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
    let mut found = compare(a, b);
    if !views.all_rows {
        found.keep_changes();
    }
    let names = comparing.names;
    found.fill_diffs([a, b], |_, texts| unified(names, texts[0], texts[1], PATIENCE));
    let text = if views.all_rows { "Show only rows that differ" } else { "Show rows that are the same too" };
    let link = Link::Change(Change::AllRows(!views.all_rows));
    out.rows.push(Row::default().with(anstyle::Style::new(), " ", None).with(anstyle::Style::new(), text, Some(link)));
    out.section(Section::Comparison(&found, names));
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
