//! The cost sheets of an interface and of a work graph, below what they are of.

use lanescope_core::cost::sheet::{Part, Sheet};
use lanescope_core::table::Key;
use lanescope_inspector::command::Command;
use lanescope_inspector::costs::{CostsOf, GraphQuestion, InterfaceQuestion, file_name, files_to_add};
use lanescope_inspector::settings::CostSettings;

use super::super::pane::{Link, Row};
use super::super::prompt::Prompt;
use super::super::views::Views;
use super::costs::tiling;
use super::{Rows, Section, linked_to};
use lanescope_workbench::state::State;
use lanescope_workbench::state::program::OpenProgram;

/// Rows of a table: one has a row for each node in each generation.
const ROWS: usize = 2000;

/// What the interface to the fragment shader costs, once it was asked for.
pub fn interface(out: &mut Rows, state: &State, program: &OpenProgram) {
    let report = &program.analysis.report;
    if program.frozen || CostsOf::program(report) != Some(CostsOf::Interface) {
        return;
    }
    if program.results.costs_shown == 0 {
        out.prose("% shows what the interface costs.");
        return;
    }
    if program.analysis.other.is_some() {
        out.prose("Costs of the first setting:");
    }
    let OpenProgram { inputs, typed, results, .. } = program;
    let question = InterfaceQuestion::of(program.revision, &state.settings, results, inputs, typed);
    draw(out, &state.settings.costs);
    tiling(out, &state.settings.costs);
    match question.sheet(&program.program, report, &state.settings, &program.results) {
        Ok(made) => sheet(out, &made),
        Err(why) => out.prose(&why),
    }
}

/// The draw that is summed up; Enter asks for another one.
fn draw(out: &mut Rows, settings: &CostSettings) {
    let CostSettings { vertices, triangles, .. } = settings;
    let plain = anstyle::Style::new();
    let text = format!("{vertices} vertices, {triangles} triangles");
    let link = Link::Ask(Prompt::DrawSize);
    out.rows.push(Row::default().with(plain, " Draw: ", None).with(plain, text, Some(link)));
}

/// What a scheduler makes of the work graph, once it was asked for.
pub fn graph(out: &mut Rows, state: &State, program: &OpenProgram, views: &Views) {
    let Some(cx) = program.graph() else { return };
    if program.results.costs_shown == 0 {
        out.prose("% shows what a scheduler makes of the graph.");
        return;
    }
    rows(out, &state.settings.costs);
    addition(out, &state.settings.costs, program, &files_to_add(cx.graph));
    let question = GraphQuestion::of(&cx, &program.stepping, &state.settings.costs);
    let mut made = views.graph_costs.borrow_mut();
    sheet(out, made.get(question, |asked| asked.sheet(&cx).at_most(ROWS)));
}

/// Whether nodes are dispatched in rows; Enter changes it.
fn rows(out: &mut Rows, settings: &CostSettings) {
    let changed = CostSettings { rows: !settings.rows, ..settings.clone() };
    let link = Link::Do(vec![Command::SetCostSettings(changed)]);
    let plain = anstyle::Style::new();
    let row = Row::default().with(plain, " Rows of workgroups: ", None);
    out.rows.push(row.with(plain, if settings.rows { "yes" } else { "no" }, Some(link)));
}

/// Which file's nodes are added to those of the others; Enter takes the next one.
fn addition(out: &mut Rows, settings: &CostSettings, program: &OpenProgram, files: &[usize]) {
    let Some(first) = files.first() else { return };
    let at = settings.added.and_then(|file| files.iter().position(|is| *is == file));
    let next = at.map_or(Some(first), |at| files.get(at + 1)).copied();
    let link = Link::Do(vec![Command::SetCostSettings(CostSettings { added: next, ..settings.clone() })]);
    let name = |file: usize| file_name(&program.analysis.report.inputs, file);
    let shown = at.and_then(|at| files.get(at)).map_or("none".to_owned(), |file| name(*file));
    let plain = anstyle::Style::new();
    out.rows.push(Row::default().with(plain, " Addition: ", None).with(plain, shown, Some(link)));
}

fn sheet(out: &mut Rows, sheet: &Sheet) {
    for section in &sheet.sections {
        out.section(Section::Heading(&section.title, &section.note));
        let mut last: Option<&Part> = None;
        for part in &section.parts {
            if last.is_some_and(|last| last.is_apart(part)) {
                out.section(Section::Prose(""));
            }
            match part {
                Part::Prose(text) => out.prose(text),
                Part::Item(text) => out.section(Section::Item(text)),
                Part::Table(table) => linked_to(out, table, |_| None),
                Part::Strip(strip) => out.section(Section::Strip(strip)),
                Part::Nodes(table) => linked_to(out, table, |row| match row.key {
                    Key::Item(node) => Some(Link::Node(node)),
                    _ => None,
                }),
            }
            last = Some(part);
        }
    }
}
