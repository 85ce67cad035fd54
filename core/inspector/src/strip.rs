//! The answers of a report in one line: what packing saves, what a driver does, registers and waves, findings.
//!
//! Each fact leads to the view that shows it. The window and the terminal form draw the same facts.

use lanescope_core::driver::layout::{LayoutColumn, LayoutRule, LayoutTable};
use lanescope_core::driver::{DriverSections, DriverStage, Version};
use lanescope_core::graph::WorkGraph;
use lanescope_core::packing::Packing;
use lanescope_core::report::Report;
use lanescope_core::run::graph::GraphRun;
use lanescope_core::text_format::counted;
use lanescope_core::workgroup::{Layout, Rule, tiles};

use crate::command::Command;
use crate::found::FoundCounts;
use crate::settings::CompileSettings;
use crate::tasks::{Compiled, Task, TaskResults};
use crate::view::ViewId;

/// Characters of a reason in one fact; the whole one is its sentence.
const REASON_AT_MOST: usize = 60;
/// Names of varyings in one fact; the others are counted.
const NAMES_AT_MOST: usize = 2;

/// A part of the strip.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// In a few words: `5 → 4 slots`.
    pub text: String,
    /// In a sentence.
    pub about: String,
    /// How far it is known.
    pub state: FactState,
    /// What leads to its place.
    pub command: Command,
}

/// How far a fact is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactState {
    /// It is.
    Known,
    /// It is being worked out, or has not been requested.
    Open,
    /// A rule is violated that leaves results as they are.
    Warning,
    /// Something is wrong.
    Error,
}

/// What the strip is made from.
#[derive(Debug, Clone, Copy)]
pub struct StripCx<'a> {
    /// The report.
    pub report: &'a Report,
    /// Results of work on request.
    pub results: &'a TaskResults,
    /// Revision of the program.
    pub revision: u64,
    /// Which compilers are used.
    pub compile: &'a CompileSettings,
    /// What was found, by compilers, runs and the debugger too.
    pub findings: FoundCounts,
    /// The report was read from a file.
    pub frozen: bool,
}

/// The facts of a program, the most important first.
pub fn facts(cx: &StripCx<'_>) -> Vec<Fact> {
    let report = cx.report;
    let mut facts = Vec::new();
    facts.extend(report.packing.as_ref().map(packing));
    match &report.graph {
        // Each node has a workgroup of its own: the graph is the answer.
        Some(graph) => facts.extend(graph_facts(graph, cx)),
        None => {
            facts.extend(report.workgroup.first().into_iter().flat_map(workgroup));
            facts.extend(more_workgroups(&report.workgroup));
            facts.extend(driver(cx));
        }
    }
    facts.extend(findings(cx.findings));
    facts
}

fn show(view: ViewId) -> Command {
    Command::ShowTab(view)
}

fn known(text: String, about: impl Into<String>, view: ViewId) -> Fact {
    Fact { text, about: about.into(), state: FactState::Known, command: show(view) }
}

/// `5 → 4 slots, −16 B per vertex`.
pub fn packing(packing: &Packing) -> Fact {
    let (slots, [before, after]) = (packing.slots, packing.saving.parameter_cache_per_vertex);
    let between = match packing.producer {
        Some(producer) => format!("Attribute slots from {producer} to {}", packing.consumer),
        None => format!("Attribute slots of {} inputs", packing.consumer),
    };
    let text = match (slots.before == slots.after, after.0.cmp(&before.0)) {
        (true, _) => format!("{}, packing saves none", counted(slots.after, "slot")),
        (false, std::cmp::Ordering::Less) => {
            format!("{} → {}, −{} B per vertex", slots.before, counted(slots.after, "slot"), before.0 - after.0)
        }
        (false, _) => format!("{} → {}", slots.before, counted(slots.after, "slot")),
    };
    let about = match &packing.fallback {
        Some(fallback) => format!("{between}. Not packed: {fallback}."),
        None => format!("{between}: {} originally, {} packed.", slots.before, slots.after),
    };
    known(text, about, ViewId::Packing)
}

/// How many other entry points have a workgroup.
fn more_workgroups(all: &[Layout]) -> Option<Fact> {
    let (_, more) = all.split_first().filter(|(_, more)| !more.is_empty())?;
    let names: Vec<_> = more.iter().take(NAMES_AT_MOST).map(|layout| layout.entry.as_str()).collect();
    let rest = if more.len() > NAMES_AT_MOST { ", …" } else { "" };
    let about = format!("Other entry points with a workgroup: {}{rest}", names.join(", "));
    Some(known(format!("{} more", counted(more.len() as u64, "workgroup")), about, ViewId::Workgroup))
}

/// `8×8×1 row-major: 2 waves of 32`, the partial wave, and the rule that decided.
pub fn workgroup(layout: &Layout) -> Vec<Fact> {
    let [x, y, z] = layout.size;
    let count = layout.size.iter().fold(1u64, |product, n| product.saturating_mul(u64::from((*n).max(1))));
    let wave = u64::from(layout.wave.max(1));
    let (waves, last) = (count.div_ceil(wave), count % wave);
    let about = format!("{} {}: {}.", layout.stage, layout.entry, counted(count, "invocation"));
    let tiles = tiles(layout.micro, layout.macro_tile);
    let text = format!("{x}×{y}×{z} {tiles}: {} of {wave}", counted(waves, "wave"));
    let mut facts = vec![known(text, about, ViewId::Workgroup)];
    let partial = if last == 0 { "no partial wave".to_owned() } else { format!("last wave {last} of {wave} lanes") };
    let about = "Lanes of a partial wave without an invocation stay idle.";
    facts.push(known(partial, about, ViewId::Workgroup));
    // That the shader computes its ids follows from the rule that chose the tiles.
    let deciding = |rule: &&Rule| rule.held && rule.rule != "remap";
    facts.push(match layout.rules.iter().rev().find(deciding) {
        Some(rule) => known(format!("by {}", rule.rule), rule.why.clone(), ViewId::Workgroup),
        None => known(
            "no rule applies".to_owned(),
            "Without a rule, invocations stay in row-major order.",
            ViewId::Workgroup,
        ),
    });
    facts
}

/// Nodes, depth, records of the last run.
fn graph_facts(graph: &WorkGraph, cx: &StripCx<'_>) -> Vec<Fact> {
    let nodes = counted(graph.nodes.len() as u64, "node");
    let mut facts = vec![
        known(nodes, "Nodes of all libraries; elements of arrays are nodes of their own.", ViewId::Graph),
        known(format!("depth {}", graph.depth), "Nodes on the longest chain, recursion at its limit.", ViewId::Graph),
    ];
    let run = &cx.results.graph;
    facts.push(match (cx.results.paused_text(), run.done()) {
        (Some(text), _) => Fact {
            text,
            about: "The records of this generation wait, and can be changed.".to_owned(),
            state: FactState::Open,
            command: show(ViewId::Graph),
        },
        (None, Some(run)) => known(records(run), format!("Last run, on {}.", run.device), ViewId::Graph),
        (None, None) => Fact {
            text: if run.underway { "running…" } else { "not run" }.to_owned(),
            about: "Run the work graph to count its records.".to_owned(),
            state: FactState::Open,
            command: show(ViewId::Graph),
        },
    });
    facts
}

fn records(run: &GraphRun) -> String {
    let ran = run.generations.iter().flat_map(|generation| &generation.nodes);
    let count = ran.filter(|node| node.shares.is_none()).fold(0u64, |sum, node| sum.saturating_add(node.count));
    format!("{} in {}", counted(count, "record"), counted(run.generations.len() as u64, "generation"))
}

/// The driver's slots, registers and waves.
fn driver(cx: &StripCx<'_>) -> Vec<Fact> {
    let task = &cx.results.compiled;
    let Some(place) = cx.compile.first_place(cx.report.options.target) else { return Vec::new() };
    let open = |text: &str, about: &str, command| {
        let (text, about) = (format!("{place}: {text}"), about.to_owned());
        vec![Fact { text, about, state: FactState::Open, command }]
    };
    if cx.frozen && cx.report.driver.is_empty() && cx.report.driver_failures.is_empty() {
        return Vec::new();
    }
    if cx.report.stages.is_empty() {
        return not_compiled(cx.report, &place);
    }
    let fresh = cx.frozen || task.is_fresh(cx.revision, cx.compile);
    if !fresh && task.underway {
        return open("compiling…", "The driver's compiler runs in its own process.", show(ViewId::Isa));
    }
    if !fresh {
        return open("not compiled", "Compile with the driver's compiler.", Command::Compile);
    }
    match (task.done(), task.failed()) {
        (Some(compiled), _) => compiled_facts(compiled),
        (None, Some(why)) => vec![problem(format!("{place}: failed"), why.to_owned())],
        (None, None) => Vec::new(),
    }
}

/// Of a program without a stage nothing is compiled: its first entry point says why.
fn not_compiled(report: &Report, place: &str) -> Vec<Fact> {
    let Some(finding) = report.not_converted() else {
        let about = "The program has no stage.".to_owned();
        let text = format!("{place}: not compiled");
        return vec![Fact { text, about, state: FactState::Open, command: show(ViewId::Isa) }];
    };
    let why = finding.message.lines().next().unwrap_or_default();
    let short: String = why.chars().take(REASON_AT_MOST).collect();
    let cut = if short.len() < why.len() { "…" } else { "" };
    vec![problem(format!("{place}: not compiled: {short}{cut}"), finding.message.clone())]
}

fn problem(text: String, about: String) -> Fact {
    Fact { text, about, state: FactState::Error, command: show(ViewId::Isa) }
}

/// What the first compiler that made anything of the original made of it.
fn compiled_facts(compiled: &Compiled) -> Vec<Fact> {
    let sections = &compiled.sections;
    let originals = || sections.stages.iter().filter(|stage| stage.of == Version::Original);
    let Some(first) = originals().next() else {
        let why = sections.failures.first();
        let place = why.map_or("driver", |failure| failure.place.as_str());
        let about = why.map_or_else(|| "No pipeline was made.".to_owned(), |failure| failure.message.clone());
        return vec![problem(format!("{place}: not compiled"), about)];
    };
    let place = match first.target {
        Some(chip) => format!("{} {chip}", chip.driver()),
        None => first.device.clone(),
    };
    let mut facts = Vec::new();
    facts.extend(slots(sections, first).map(|(text, about)| known(format!("{place}: {text}"), about, ViewId::Isa)));
    // The last stage is the one that is compiled with all others known: the fragment shader, or the only stage.
    let last = originals().rfind(|stage| stage.is_of_same_compiler(first)).unwrap_or(first);
    let counts: Vec<String> = [registers(last), waves(last)].into_iter().flatten().collect();
    if !counts.is_empty() {
        let text = counts.join(", ");
        let text = if facts.is_empty() { format!("{place}: {text}") } else { text };
        let about = format!("Vector registers and waves per SIMD of the {} shader, {}.", last.stage, last.driver);
        facts.push(known(text, about, ViewId::Statistics));
    }
    if facts.is_empty() {
        facts.push(known(format!("{place}: compiled"), first.driver.clone(), ViewId::Isa));
    }
    facts
}

fn statistic(stage: &DriverStage, names: &[&str]) -> Option<u64> {
    let found = stage.statistics.iter().find(|statistic| names.contains(&statistic.name.as_str()))?;
    let number = found.value.number();
    (0.0..1e9).contains(&number).then_some(number as u64)
}

fn registers(stage: &DriverStage) -> Option<String> {
    statistic(stage, &["VGPRs"]).map(|count| counted(count, "VGPR"))
}

/// The hardware's waves where they follow from the driver's statistic, else the statistic by its own name.
fn waves(stage: &DriverStage) -> Option<String> {
    if let Some(waves) = stage.waves_per_simd() {
        return Some(counted(waves, "wave"));
    }
    let named = ["Subgroups per SIMD", "Max Waves"];
    named.into_iter().find_map(|name| Some(format!("{name} {}", statistic(stage, &[name])?)))
}

/// `3 slots (vertex_color is constant)`, and in a sentence.
fn slots(sections: &DriverSections, of: &DriverStage) -> Option<(String, String)> {
    let table = sections.layouts.iter().find(|table| table.is_of(of))?;
    let is_original = |column: &&LayoutColumn| column.of == Version::Original && column.link == of.link;
    let at = table.columns.iter().position(|column| is_original(&column))?;
    let column = table.columns.get(at)?;
    let count = match column.slots {
        Some(slots) => counted(slots, "slot"),
        None => column.read_count("attribute"),
    };
    let why = removed(table, at);
    let text = if why.is_empty() { count.clone() } else { format!("{count} ({why})") };
    Some((text, format!("{} passes {count} to the fragment shader of the original program.", of.driver)))
}

/// Which varyings the driver does not pass, and why.
fn removed(table: &LayoutTable, column: usize) -> String {
    let reasons = [
        (LayoutRule::Constant, "constant"),
        (LayoutRule::Uniform, "uniform"),
        (LayoutRule::Duplicate, "a duplicate"),
        (LayoutRule::ValueUnneeded, "not needed"),
        (LayoutRule::NotWritten, "not written"),
    ];
    let mut parts: Vec<String> = Vec::new();
    for (rule, what) in reasons {
        let mut names: Vec<&str> = Vec::new();
        for row in &table.rows {
            let is = row.driver.get(column).is_some_and(|place| place.rule == Some(rule));
            if is && !names.contains(&row.variable.as_str()) {
                names.push(&row.variable);
            }
        }
        parts.extend(names.into_iter().map(|name| format!("{name} is {what}")));
    }
    let more = parts.len().saturating_sub(NAMES_AT_MOST);
    parts.truncate(NAMES_AT_MOST);
    if more > 0 {
        parts.push(format!("{more} more"));
    }
    parts.join(", ")
}

/// `1 error`, `2 warnings`; without these the notes.
fn findings(found: FoundCounts) -> Vec<Fact> {
    let FoundCounts { errors, warnings, notes } = found;
    let count = |count: usize, what: &str| (count > 0).then(|| counted(count as u64, what));
    let all: Vec<String> =
        [count(errors, "error"), count(warnings, "warning"), count(notes, "note")].into_iter().flatten().collect();
    let fact = |text: String, about: String, state| Fact { text, about, state, command: Command::Findings };
    let mut facts = Vec::new();
    facts.extend(count(errors, "error").map(|text| fact(text, all.join(", "), FactState::Error)));
    facts.extend(count(warnings, "warning").map(|text| fact(text, all.join(", "), FactState::Warning)));
    if facts.is_empty() {
        let text = count(notes, "note").unwrap_or_else(|| "no findings".to_owned());
        facts.push(fact(text, "No error or warning was found.".to_owned(), FactState::Known));
    }
    facts
}

/// Whether results of compilers are missing that a program of this kind has.
pub fn wants_compile(report: &Report, task: &Task<Compiled>, revision: u64, settings: &CompileSettings) -> bool {
    settings.automatic && report.graph.is_none() && !report.stages.is_empty() && !task.is_fresh(revision, settings)
}
