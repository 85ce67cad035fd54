//! What is measured of a program, and its row.

use std::collections::{BTreeMap, BTreeSet};

use super::row::{DriverRow, ExecutableRow, GroupRow, GuessRow, Kind, Named, PackingRow, Row, SlotsRow, StageRow};
use crate::report::Report;
use crate::{Compilations, DriverSections, Parts, analyse_parts, layouts_of};
use lanescope_base::named_enum;
use lanescope_driver::layout::{LayoutRow, LayoutRule, LayoutTable};
use lanescope_driver::{Compilation, DriverStage, Link};
use lanescope_model::options::{Options, PackingOrder};
use lanescope_model::program::{Format, Input, Program, Stage, StageKind};
use lanescope_model::specialised::{AnalyseError, specialised};
use lanescope_passes::guessed_layout::GuessedStage;
use lanescope_passes::liveness::Stages;
use lanescope_passes::packing::rewrite::rewrite;
use lanescope_passes::packing::{Linkage, Packing};
use lanescope_passes::registers::Register;
use lanescope_passes::workgroup::Layout;

named_enum!(
    /// A part of a row.
    Measure {
        /// Attribute slots before and after packing, classes, and why inputs are not packed.
        Packing = "packing",
        /// Attribute slots in each order, and of the rewritten modules.
        Orders = "orders",
        /// Size, tiles, waves and quads of workgroups.
        Workgroup = "workgroup",
        /// Register values of the target.
        Registers = "registers",
        /// Guessed layouts.
        Layout = "layout",
        /// Findings by code.
        Findings = "findings",
        /// Predicted register fields and slots that drivers have otherwise.
        Disagreements = "disagreements",
        /// Attribute slots that drivers' compilers give the fragment shader's inputs.
        Varyings = "varyings",
        /// Cache lines and passes of LDS of a compute shader in each workgroup layout: it is run in the interpreter.
        Accesses = "accesses",
        /// Load time, time of the passes, and compile time of drivers.
        Time = "time",
    }
);

impl Measure {
    /// What is measured where nothing is said: all that costs little and is the same in each run.
    pub const USUAL: [Measure; 5] =
        [Measure::Packing, Measure::Workgroup, Measure::Registers, Measure::Layout, Measure::Findings];

    /// Whether it is read of the texts that drivers' compilers return.
    pub fn is_of_texts(self) -> bool {
        matches!(self, Measure::Disagreements | Measure::Varyings)
    }

    /// Whether it is measured of drivers' results.
    pub fn is_of_drivers(self) -> bool {
        matches!(self, Measure::Disagreements | Measure::Varyings | Measure::Time)
    }
}

/// A driver's compiler, whoever runs it.
pub trait Drive {
    /// The results for a program with its options: one for each version, or the reason of a failure.
    fn drive(&self, program: &Program, options: &Options) -> Vec<Driven>;
}

/// What a driver's compiler made of one pipeline.
#[derive(Debug, Clone)]
pub struct Driven {
    /// The row, without what is read of the compilation.
    pub row: DriverRow,
    /// The compilation; absent where it failed.
    pub compilation: Option<Compilation>,
    /// The same pipeline linked the other way, which shows where varyings are, and why. Absent where nothing asks for
    /// that, and where it failed.
    pub beside: Option<Compilation>,
}

impl Drive for () {
    fn drive(&self, _: &Program, _: &Options) -> Vec<Driven> {
        Vec::new()
    }
}

/// Fills a row with the measures of a program.
///
/// # Errors
/// As [`crate::analyse`]. The row keeps its name then.
pub fn measure(
    row: &mut Row,
    program: &Program,
    options: &Options,
    wanted: &BTreeSet<Measure>,
    drivers: &dyn Drive,
) -> Result<(), AnalyseError> {
    let wants = |measure| wanted.contains(&measure);
    row.kind = kind(program);
    if row.hash.is_empty() {
        row.hash = hash(program);
    }
    let report = analyse_parts(program, options, parts(wanted))?;
    row.stages = stages(program, &report, &wants);
    if wants(Measure::Packing) || wants(Measure::Orders) {
        row.packing = report.packing.as_ref().filter(|packing| packing.slots.before > 0).map(packing);
    }
    if let Some(packing) = row.packing.as_mut().filter(|_| wants(Measure::Orders)) {
        let specialised = specialised(program, options)?;
        if let Some(linkage) = Linkage::of(&Stages::of(&specialised), options.producer) {
            let slots = |order: &PackingOrder| {
                (*order, linkage.pack(&Options { order: *order, ..options.clone() }).slots.after)
            };
            packing.orders = PackingOrder::ALL.iter().map(slots).collect();
        }
        packing.rewritten = rewrite(program, options).ok().map(|rewritten| rewritten.map.slots.after);
    }
    if wants(Measure::Findings) {
        for finding in &report.findings {
            *row.findings.entry(finding.code.to_string()).or_default() += 1;
        }
    }
    for Driven { row: mut driver, compilation, beside } in drivers.drive(program, options) {
        if let Some(compilation) = &compilation {
            if wants(Measure::Disagreements) {
                let compilations = Compilations {
                    compiled: vec![(compilation, false)],
                    beside: beside.iter().collect(),
                    ..Compilations::default()
                };
                let sections = DriverSections::of(program, &report, &compilations);
                driver.disagreements = disagreements(&sections, compilation.link);
                driver.slots = slots(&sections.layouts, compilation.link).filter(|_| wants(Measure::Varyings));
            } else if wants(Measure::Varyings) {
                let layouts =
                    layouts_of(program, &report, &DriverStage::rows([compilation].into_iter().chain(beside.as_ref())));
                driver.slots = slots(&layouts, compilation.link);
            }
            driver.driver.clone_from(&compilation.driver);
            driver.executables = compilation
                .executables()
                .map(|executable| ExecutableRow {
                    name: executable.name.clone(),
                    subgroup_size: executable.subgroup_size,
                    statistics: Named(executable.statistics.iter().map(|one| (one.name.clone(), one.value)).collect()),
                })
                .collect();
            if wants(Measure::Time) {
                driver.nanoseconds = Some(compilation.pipelines.iter().map(|pipeline| pipeline.nanoseconds).sum());
            }
        }
        row.drivers.push(driver);
    }
    Ok(())
}

/// The rows of the stages.
fn stages(program: &Program, report: &Report, wants: &dyn Fn(Measure) -> bool) -> Vec<StageRow> {
    let groups = by_entry(&report.workgroup, |layout| (layout.stage, layout.entry.as_str()));
    let guesses = by_entry(&report.partial, |guessed| (guessed.stage, guessed.entry.as_str()));
    let registers = Registers::of(&report.registers);
    let row = |stage: &Stage| {
        let name = (stage.stage, stage.entry.as_str());
        let group_of = || groups.get(&name).map(|layout| group(layout));
        let guess_of = || guesses.get(&name).map(|guessed| guess(guessed));
        StageRow {
            stage: stage.stage,
            entry: stage.entry.clone(),
            workgroup: wants(Measure::Workgroup).then(group_of).flatten(),
            layout: wants(Measure::Layout).then(guess_of).flatten(),
            registers: if wants(Measure::Registers) { registers.values(name) } else { BTreeMap::new() },
        }
    };
    program.stages.iter().map(row).collect()
}

/// Parts of a report by stage and entry point. Of several with one name the first counts.
fn by_entry<'r, T>(
    all: &'r [T],
    mut name: impl FnMut(&'r T) -> (StageKind, &'r str),
) -> BTreeMap<(StageKind, &'r str), &'r T> {
    all.iter().rev().map(|one| (name(one), one)).collect()
}

/// The registers of a report by stage and entry point; without one, those that all entry points of the stage have.
struct Registers<'r> {
    all: &'r [Register],
    by_entry: BTreeMap<(StageKind, Option<&'r str>), Vec<usize>>,
}

impl<'r> Registers<'r> {
    fn of(all: &'r [Register]) -> Registers<'r> {
        let mut by_entry: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (at, register) in all.iter().enumerate() {
            by_entry.entry((register.stage, register.entry.as_deref())).or_default().push(at);
        }
        Registers { all, by_entry }
    }

    /// The values of an entry point's registers. Of several with one name the last counts.
    fn values(&self, (stage, entry): (StageKind, &str)) -> BTreeMap<String, String> {
        let mut own: Vec<usize> = [None, Some(entry)]
            .iter()
            .filter_map(|entry| self.by_entry.get(&(stage, *entry)))
            .flatten()
            .copied()
            .collect();
        own.sort_unstable();
        let own = own.into_iter().filter_map(|at| self.all.get(at));
        own.filter_map(|register| Some((register.name.to_string(), register.value?.to_string()))).collect()
    }
}

/// The parts of a report from which measures are read.
fn parts(wanted: &BTreeSet<Measure>) -> Parts {
    let wants = |measure| wanted.contains(&measure);
    // A driver's disagreements are read beside all predictions.
    if wants(Measure::Findings) || wants(Measure::Disagreements) {
        return Parts::ALL;
    }
    Parts {
        packing: wants(Measure::Packing) || wants(Measure::Orders) || wants(Measure::Varyings),
        workgroups: wants(Measure::Workgroup),
        registers: wants(Measure::Registers),
        guessed_layouts: wants(Measure::Layout),
        rest: false,
    }
}

fn kind(program: &Program) -> Kind {
    let has = |is: fn(StageKind) -> bool| program.stages.iter().any(|stage| is(stage.stage));
    if has(StageKind::is_graphics) {
        Kind::Graphics
    } else if has(|stage| stage == StageKind::Compute) {
        Kind::Compute
    } else if has(StageKind::is_ray_tracing) {
        Kind::RayTracing
    } else {
        Kind::Other
    }
}

/// The hash of the files; empty for pipelines of a database, which have their own.
fn hash(program: &Program) -> String {
    let is_database = |input: &&Input| matches!(input.format, Format::Fossilize | Format::StateObjects);
    // The containers of a group are inputs of their own.
    let own = program.inputs.iter().filter(|input| !is_database(input));
    own.map(|input| input.hash.to_string()).collect::<Vec<_>>().join("+")
}

fn packing(packing: &Packing) -> PackingRow {
    let [before, after] = packing.saving.parameter_cache_per_vertex.map(|bytes| i64::try_from(bytes.0));
    let mut classes = BTreeMap::new();
    for span in &packing.spans {
        *classes.entry(span.class.to_string()).or_default() += 1;
    }
    PackingRow {
        before: packing.slots.before,
        after: packing.slots.after,
        saved: before.unwrap_or_default() - after.unwrap_or_default(),
        classes,
        fallback: packing.fallback,
        orders: BTreeMap::new(),
        rewritten: None,
    }
}

fn group(layout: &Layout) -> GroupRow {
    let lanes = layout.lanes.as_deref();
    let wave = layout.wave.max(1) as usize;
    let count = |lanes: usize| lanes as u64;
    GroupRow {
        size: layout.size,
        tiles: lanescope_passes::workgroup::tiles(layout.micro, layout.macro_tile).to_owned(),
        rules: layout.rules.iter().filter(|rule| rule.held).map(|rule| rule.rule.clone()).collect(),
        wave: layout.wave,
        waves: lanes.map(|lanes| count(lanes.len().div_ceil(wave))),
        partial_waves: lanes.map(|lanes| u64::from(lanes.len() % wave != 0)),
        quads: lanes.map(|lanes| {
            let is_quad = |four: &&[[u32; 3]]| {
                let first = four.first().map(|[x, y, z]| [x / 2, y / 2, *z]);
                let different: BTreeSet<_> = four.iter().collect();
                different.len() == 4 && four.iter().all(|[x, y, z]| first == Some([x / 2, y / 2, *z]))
            };
            count(lanes.chunks_exact(4).filter(is_quad).count())
        }),
    }
}

fn guess(guessed: &GuessedStage) -> GuessRow {
    let against = guessed.against.as_ref();
    GuessRow {
        guessed: guessed.ineligible.is_empty(),
        hit: against.map(|against| against.hit && guessed.ineligible.is_empty()),
        usable: against.map(|against| against.usable && guessed.ineligible.is_empty()),
        broken: against.and_then(|against| against.breaks.first()).map(|broken| broken.kind),
    }
}

/// Register fields and slots that differ from the prediction where the pipeline was linked like this. `slots` is another
/// number of attributes than predicted, `slots.RULE` the reason why inputs are in other places.
fn disagreements(sections: &DriverSections, link: Link) -> Vec<String> {
    let mut out = BTreeSet::new();
    for row in sections.registers.iter().filter(|row| row.choice.is_some()) {
        out.insert(format!("{}.{}", row.register, row.field));
    }
    for table in &sections.layouts {
        for (at, column) in table.columns.iter().enumerate().filter(|(_, column)| column.link == link) {
            if !column.at_least && column.attributes as usize != table.predicted_slots(column) {
                out.insert("slots".to_owned());
            }
            let rules = table.rows.iter().filter_map(|row| row.driver.get(at)?.rule);
            out.extend(rules.map(|rule| format!("slots.{}", rule.name())));
        }
    }
    out.into_iter().collect()
}

/// The slots of the compilation that was linked like this.
fn slots(layouts: &[LayoutTable], link: Link) -> Option<SlotsRow> {
    let table = layouts.first()?;
    let at = table.columns.iter().position(|column| column.link == link)?;
    let column = table.columns.get(at)?;
    let unattributed = |row: &&LayoutRow| {
        row.driver.get(at).is_none_or(|place| place.rule == Some(LayoutRule::Unattributed) && place.attribute.is_none())
    };
    let count = |rows: usize| u32::try_from(rows).unwrap_or(u32::MAX);
    Some(SlotsRow {
        read: Some(column.attributes).filter(|_| !column.at_least),
        exported: column.slots,
        scalars: count(table.rows.len()),
        unattributed: count(table.rows.iter().filter(unattributed).count()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_named_once_however_many_are_looked_up() {
        let parts: Vec<(StageKind, String)> =
            (0..1000).map(|at| (StageKind::Compute, format!("entry{}", at / 2))).collect();
        let mut named = 0;
        let found = by_entry(&parts, |(stage, entry)| {
            named += 1;
            (*stage, entry.as_str())
        });
        for (at, (stage, entry)) in parts.iter().enumerate() {
            let first = found.get(&(*stage, entry.as_str())).expect("a part");
            assert!(std::ptr::eq(*first, &parts[at / 2 * 2]), "the first of a name counts");
        }
        assert_eq!(named, 1000);
    }
}
