//! Sections of the report as lines with what they select: for a front end that draws them itself.

use std::io;

use lanescope_core::codeobject::{self, CodeObject};
use lanescope_core::compare::Comparison;
use lanescope_core::cost::strip::Strip;
use lanescope_core::cost::{Cost, Measured};
use lanescope_core::driver::DriverStage;
use lanescope_core::driver::layout::LayoutTable;
use lanescope_core::driver::speculative::SpeculativeCompile;
use lanescope_core::driver::speculative::corpus::{Rows, Searched, Timeline, Variants};
use lanescope_core::findings::Finding;
use lanescope_core::object_assembly::AssemblyComparison;
use lanescope_core::packing::Packing;
use lanescope_core::report::Report;
use lanescope_core::run::graph::GraphRun;
use lanescope_core::run::{Execution, Probe};
use lanescope_core::script::ScriptRun;
use lanescope_core::workgroup::Layout;

use super::page::{Line, Page, Printed};
use super::{
    Style, assignments, code_object, compare, cost, driver, dxil, graph, graph_run, guessed_layout, header,
    listed_findings, opcodes, packing, pipeline, probe, run, script, spec_constants, strip, workgroup,
};

/// A section.
#[derive(Clone, Copy)]
pub enum Section<'a> {
    /// Files, stages, options, pipeline state, specialization constants.
    Overview(&'a Report),
    /// Attribute slots.
    Packing(&'a Report),
    /// The slots of a fragment shader's interface as each compiler assigns them.
    Assignments(&'a Packing, &'a [LayoutTable]),
    /// Size and tiles of a workgroup.
    Workgroup(&'a Layout),
    /// What decided them.
    Decisions(&'a Layout),
    /// What its waves cover.
    Waves(&'a Layout, &'a dyn Fn(usize) -> String),
    /// The map of workgroups.
    Groups(&'a Report),
    /// A measurement, without its map.
    Probe(&'a Probe),
    /// The costs of layouts, before the accesses.
    Costs(&'a Cost),
    /// The times of a workgroup's layouts on a device.
    LayoutTimes(&'a Measured),
    /// The same after them.
    CostNotes(&'a Cost),
    /// Guessed layouts.
    GuessedLayout(&'a Report),
    /// A speculative compile of one stage.
    SpeculativeCompile(&'a SpeculativeCompile),
    /// Those of every pipeline of a database.
    SpeculativeCompiles(&'a Rows),
    /// What each combination of guesses achieves.
    Guesses(&'a [Searched]),
    /// What the caches serve.
    Caches(&'a [Timeline]),
    /// The location maps of stages before the rasterizer.
    LocationMaps(&'a [Variants]),
    /// Statistics of drivers' compilers.
    Driver(&'a Report),
    /// What each source line costs in compilers' assembly.
    LineCosts(&'a [DriverStage]),
    /// The work graph.
    Graph(&'a Report),
    /// A run of it, with at most so many records of each node.
    GraphRun(&'a GraphRun, u64),
    /// DXIL containers.
    Dxil(&'a Report),
    /// An AMD code object, without its notes.
    CodeObject(&'a CodeObject),
    /// Facts of a run, and what it was compared with.
    Run(&'a Execution),
    /// What it wrote.
    RunOutputs(&'a Execution),
    /// What became of a script's checks, and what it requires of a device without a check.
    ScriptRun(&'a ScriptRun, &'a [String]),
    /// A comparison, with the names of both sides.
    Comparison(&'a Comparison, [&'a str; 2]),
    /// Two AMD code objects, with the names of both.
    ObjectComparison(&'a codeobject::Comparison, &'a AssemblyComparison, [&'a str; 2]),
    /// Findings.
    Findings(&'a [Finding]),
    /// A paragraph.
    Prose(&'a str),
    /// An item of a list.
    Item(&'a str),
    /// A title, with a note.
    Heading(&'a str, &'a str),
    /// What lies where in memory.
    Strip(&'a Strip),
}

impl Section<'_> {
    /// The section as lines of at most `width` columns; lines of compilers are as wide as they are.
    pub fn lines(self, style: Style, width: usize) -> Vec<Printed> {
        let mut lines = Vec::new();
        // Lines in memory take every write.
        let _ = self.write(&mut Page::lines(&mut lines, style, width));
        lines
    }

    fn write(self, page: &mut Page<'_>) -> io::Result<()> {
        match self {
            Section::Overview(report) => {
                header(page, report)?;
                pipeline::write(page, report)?;
                spec_constants(page, report)
            }
            Section::Packing(report) => {
                let all = report.packing.iter().chain(&report.inner_packing);
                all.into_iter().try_for_each(|one| packing::write(page, one))
            }
            Section::Assignments(packing, tables) => assignments::write(page, packing, tables),
            Section::Workgroup(layout) => workgroup::facts(page, layout),
            Section::Decisions(layout) => workgroup::decisions(page, layout),
            Section::Waves(layout, letters) => workgroup::waves(page, layout, letters),
            Section::Groups(report) => report.group_map.iter().try_for_each(|map| workgroup::groups(page, map)),
            Section::Probe(measured) => probe::outcome(page, measured),
            Section::Costs(counted) => cost::layouts(page, counted),
            Section::LayoutTimes(measured) => cost::times(page, measured),
            Section::CostNotes(counted) => cost::rest(page, counted),
            Section::GuessedLayout(report) => guessed_layout::section(page, report),
            Section::SpeculativeCompile(done) => guessed_layout::compiled(page, done),
            Section::SpeculativeCompiles(rows) => guessed_layout::corpus(page, rows),
            Section::Guesses(all) => guessed_layout::searched(page, all),
            Section::Caches(all) => guessed_layout::timelines(page, all),
            Section::LocationMaps(all) => guessed_layout::variants(page, all),
            Section::Driver(report) => driver::section(page, report),
            Section::LineCosts(rows) => driver::lines(page, rows),
            Section::Graph(report) => graph::write(page, report),
            Section::GraphRun(run, show) => graph_run::contents(page, run, show),
            Section::CodeObject(object) => code_object::parts(page, object),
            Section::Dxil(report) => {
                dxil::write(page, report)?;
                let all = report.dxil.iter().flat_map(lanescope_core::dxil::Summary::all);
                all.into_iter().try_for_each(|summary| opcodes::uses(page, report, summary))
            }
            Section::Run(done) => run::summary(page, done),
            Section::RunOutputs(done) => run::outputs(page, done),
            Section::ScriptRun(run, unchecked) => script::contents(page, run, unchecked),
            Section::Comparison(comparison, names) => compare::contents(page, comparison, names, true),
            Section::ObjectComparison(found, assembly, names) => code_object::compared(page, found, assembly, names),
            Section::Findings(findings) => listed_findings(page, findings),
            Section::Prose(text) => page.prose(Line::from(" "), text),
            Section::Item(text) => page.prose(Line::from(" · "), text),
            Section::Heading(title, note) => page.heading(title, note),
            Section::Strip(one) => strip::write(page, one),
        }
    }
}
