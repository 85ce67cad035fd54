//! What each view shows, as rows. Tables and maps are those of the text report; nothing is computed here that it does
//! not compute.

mod canvas;
pub mod corpus;
mod cost_sheet;
mod costs;
mod dag;
mod debug;
mod findings;
mod gallery;
mod graph;
mod guessed_layout;
mod images;
mod isa;
mod records;
mod registers;
mod rule_sets;
mod run;
mod source;
mod thumbnail;
mod variants;
mod workgroup;

use lanescope_core::codeobject;
use lanescope_core::compare::compare;
use lanescope_core::object_assembly::AssemblyComparison;
use lanescope_core::report::Report;
use lanescope_core::table::{self, Meaning, Table};
use lanescope_inspector::command::Command;
use lanescope_inspector::comparing::Partner;
use lanescope_inspector::devices::{NO_GRAPHS, NO_LANE_MAPS};
use lanescope_inspector::tasks::Task;
use lanescope_pictures::align::{PATIENCE, unified};

pub use findings::explanation;
pub use gallery::{failure, gallery};
pub use records::LISTED;

use super::look::Look;
use super::pane::{Change, Contents, Image, Link, Listed, Row, Spot};
use super::printable::line;
use super::views::Views;
use lanescope_inspector::view::ViewId;
use lanescope_text::{Section, Style, markdown, wrap};
use lanescope_workbench::manual;
use lanescope_workbench::state::State;
use lanescope_workbench::state::comparing::ComparisonNames;
use lanescope_workbench::state::overlay::HelpAt;
use lanescope_workbench::state::program::OpenProgram;

/// Rows of a page, one section after the other.
struct Rows {
    rows: Vec<Row>,
    /// A list that is longer than what is drawn of it.
    list: Option<Listed>,
    /// Images over them, where the terminal has graphics.
    images: Vec<Image>,
    /// Rows that commands lead to.
    spots: Vec<(Spot, usize)>,
    graphics: bool,
    style: Style,
    look: Look,
    width: usize,
}

/// From this width on two assemblies are beside each other.
const TWO: usize = 120;
/// From this width on two settings are: a pane of a terminal of 160 columns in the built-in arrangement.
const SETTINGS: usize = 100;

impl Rows {
    fn new(look: Look, width: usize) -> Rows {
        let (rows, images, spots) = (Vec::new(), Vec::new(), Vec::new());
        Rows { rows, list: None, images, spots, graphics: false, style: look.report(), look, width }
    }

    /// Empty rows of another width.
    fn narrower(&self, width: usize) -> Rows {
        Rows { style: self.style, ..Rows::new(self.look, width) }
    }

    fn section(&mut self, section: Section<'_>) {
        self.rows.extend(section.lines(self.style, self.width).into_iter().map(Row::from));
    }

    /// Removes the empty line that a heading has above it from the top.
    fn trim(&mut self) {
        if self.rows.first().is_some_and(|row| row.spans.iter().all(|span| span.text.trim().is_empty())) {
            self.rows.remove(0);
            self.list = self.list.map(|list| Listed { from: list.from.saturating_sub(1), ..list });
            self.images.iter_mut().for_each(|image| image.row = image.row.saturating_sub(1));
            self.spots.iter_mut().for_each(|(_, row)| *row = row.saturating_sub(1));
        }
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

/// The page of the manual about a tab, else about the terminal form, in so many columns; its titles begin sections.
pub fn page_rows(at: HelpAt, look: Look, width: usize) -> Contents {
    let heading = look.report().meaning(Meaning::Strong);
    let row = |(text, is_heading): (String, bool)| {
        let style = if is_heading { heading } else { anstyle::Style::new() };
        Row { heading: is_heading, ..Row::default().with(style, line(&text), None) }
    };
    let (page, section) = match at {
        HelpAt::Tab(tab) => (tab.and_then(manual::of_view), 0),
        HelpAt::Section(name, section) => (manual::find(name), section),
    };
    let page = page.or_else(|| manual::find("tui"));
    let rows: Vec<Row> = page.into_iter().flat_map(|page| markdown::lines(page.text, width)).map(row).collect();
    let title = page.and_then(|page| manual::sections(page.text).get(section).copied()).map(manual::section_title);
    let begins = rows.iter().position(|row| row.heading && Some(row.text().trim()) == title);
    let spots = begins.filter(|_| section > 0).map(|line| (Spot::Section, line)).into_iter().collect();
    Contents { rows, spots, ..Contents::default() }
}

/// What a view shows of a program.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub view: ViewId,
    pub program: &'a OpenProgram,
    /// How it is looked at.
    pub views: &'a Views,
    /// The terminal draws images.
    pub graphics: bool,
}

/// The contents of a view.
pub fn contents(shown: Shown<'_>, state: &State, look: Look, width: usize) -> Contents {
    let Shown { view, program, views, graphics } = shown;
    let mut out = Rows { graphics, ..Rows::new(look, width) };
    let report = &program.analysis.report;
    match view {
        ViewId::Packing => {
            both(&mut out, program, |out, report| out.section(Section::Packing(report)));
            isa::assignments(&mut out, program);
            cost_sheet::interface(&mut out, state, program);
        }
        ViewId::Workgroup => {
            let selected = program.selection.invocation;
            both(&mut out, program, |out, report| workgroup::workgroup(out, report, views, selected));
            if state.settings.run.is_interpreter() && !report.workgroup.is_empty() {
                out.prose(NO_LANE_MAPS);
            }
            workgroup::measured(&mut out, program, views);
            costs::costs(&mut out, state, program, views);
            rule_sets::rule_sets(&mut out, program, views);
        }
        ViewId::Registers => {
            let names = ComparisonNames::new(state);
            let comparing = names.comparing(state);
            both(&mut out, program, |out, report| registers::registers(out, report, &program.selection, &comparing));
        }
        ViewId::GuessedLayout => guessed_layout::guessed_layout(&mut out, program),
        ViewId::Overview => out.section(Section::Overview(report)),
        ViewId::Dxil => {
            out.section(Section::Dxil(report));
            source::listings(&mut out, program);
        }
        ViewId::CodeObject => match &program.analysis.object {
            Some(open) => out.section(Section::CodeObject(&open.object)),
            None => out.prose("Not an AMD code object."),
        },
        ViewId::Source => source::texts(&mut out, program, state.settings.texts.tints),
        ViewId::Rewritten => source::rewritten(&mut out, program),
        ViewId::Isa => isa::assembly(&mut out, program, state.settings.texts.tints),
        ViewId::Statistics => isa::statistics(&mut out, program),
        ViewId::Graph => {
            if state.settings.run.is_interpreter() {
                out.prose(NO_GRAPHS);
            }
            graph::graph(&mut out, program, views);
            cost_sheet::graph(&mut out, state, program, views);
        }
        ViewId::Run => run::run(&mut out, state, program, views),
        ViewId::Debug => debug::debug(&mut out, program),
        ViewId::Compare => comparison(&mut out, state, views),
        ViewId::Findings => findings::findings(&mut out, state, program),
    }
    out.trim();
    let Rows { rows, list, images, spots, .. } = out;
    Contents { rows, list, images, spots }
}

/// What a setting makes; where two settings are shown, the second one beside the first, or below it.
fn both(out: &mut Rows, program: &OpenProgram, fill: impl Fn(&mut Rows, &Report)) {
    let Some(other) = &program.analysis.other else { return fill(out, &program.analysis.report) };
    let is_wide = out.width >= SETTINGS;
    let width = if is_wide { (out.width - GAP) / 2 } else { out.width };
    let names = [("First setting", &program.analysis.report), ("Second setting", other)];
    let [left, right] = names.map(|(name, report)| {
        let mut half = out.narrower(width);
        half.section(Section::Heading(name, &report.options.target.to_string()));
        fill(&mut half, report);
        half.trim();
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

/// A table in which Enter on a row does something.
fn linked(out: &mut Rows, shown: &Table, does: impl Fn(&table::Row) -> Option<Command>) {
    linked_to(out, shown, |row| does(row).map(|command| Link::Do(vec![command])));
}

/// A table in which each row leads somewhere.
fn linked_to(out: &mut Rows, shown: &Table, leads: impl Fn(&table::Row) -> Option<Link>) {
    for text in shown.lines(out.width.saturating_sub(1)) {
        let mut link = text.row.and_then(|at| leads(shown.rows.get(at)?));
        let mut row = Row::default().with(anstyle::Style::new(), " ", None);
        for (meaning, text) in text.parts {
            row = row.with(out.style.meaning(meaning), text, link.take());
        }
        out.rows.push(row);
    }
}

fn comparison(out: &mut Rows, state: &State, views: &Views) {
    let names = ComparisonNames::new(state);
    let comparing = names.comparing(state);
    if comparing.with == Some(Partner::Variants) {
        return variants::variants(out, state);
    }
    if let Some([a, b]) = comparing.objects {
        let mut found = codeobject::compare(a.object, b.object);
        if !views.all_rows {
            found.keep_changes();
        }
        all_rows(out, views);
        let names = comparing.names;
        let assembly =
            AssemblyComparison::of([a.listing, b.listing], |left, right| unified(names, left, right, PATIENCE));
        out.section(Section::ObjectComparison(&found, &assembly, names));
        return;
    }
    let Some([a, b]) = comparing.sides else {
        if comparing.object.is_some() {
            out.prose(&format!("Compared with the code object {} by its registers:", comparing.names[0]));
            let go = Link::Do(vec![Command::ShowTab(ViewId::Registers)]);
            out.rows.push(Row::default().with(anstyle::Style::new(), " Show registers", Some(go)));
        }
        let of_object = state.program().is_some_and(|program| program.analysis.object.is_some());
        out.prose(match of_object {
            true => "= chooses shaders or another AMD code object to compare with.",
            false => {
                "= chooses files to compare with, D compares two settings of this program, :variants compares the \
                 variants of a file."
            }
        });
        for (partner, name) in comparing.partners {
            let go = Link::Do(vec![Command::CompareWith(Some(*partner))]);
            let row = Row::default().with(anstyle::Style::new(), " Compare with ", None);
            out.rows.push(row.with(out.style.meaning(Meaning::Strong), name.clone(), Some(go)));
        }
        return;
    };
    if let (Some(Partner::Variant(_)), Some(program)) = (comparing.with, state.program()) {
        variants::say_old(out, program);
    }
    let mut found = compare(a, b);
    if !views.all_rows {
        found.keep_changes();
    }
    let names = comparing.names;
    found.fill_diffs([a, b], |_, texts| unified(names, texts[0], texts[1], PATIENCE));
    all_rows(out, views);
    out.section(Section::Comparison(&found, names));
}

/// Whether equal rows are shown; Enter changes it.
fn all_rows(out: &mut Rows, views: &Views) {
    let text = if views.all_rows { "Show only rows that differ" } else { "Show rows that are the same too" };
    let link = Link::Change(Change::AllRows(!views.all_rows));
    let plain = anstyle::Style::new();
    out.rows.push(Row::default().with(plain, " ", None).with(plain, text, Some(link)));
}
