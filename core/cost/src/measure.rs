//! Runs workgroups and assembles what was counted.

use std::collections::BTreeMap;

use lanescope_base::grid;
use lanescope_interpreter::{EventKind, LoggedAccess, LoggedKind, Machine, Program};
use lanescope_model::options::Options;
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;
use lanescope_spirv::{EntryPoint, Module};

use crate::advise::advise;
use crate::count::{Counted, Counter, LayoutCounts, Placement, Site};
use crate::depends::{Depends, depends};
use crate::layouts::Layout;
use crate::names;
use crate::orders::orders;
use crate::report::{AccessKind, AccessSite, Cost, Counts, Dependence, LayoutCost, MemoryKind};
use crate::sources::sources;
use crate::tiling::Tiling;

/// Steps between two looks at what stops a run.
const SLICE: u32 = 1 << 16;

/// How accesses are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How texels lie in memory.
    pub tiling: Tiling,
    /// Bytes from a row of a linear image to the next, at least.
    pub pitch: Option<u64>,
    /// The most workgroups that run.
    pub sample: u64,
    /// Consecutive workgroups whose lines are taken together, to compare orders of workgroups.
    pub window: u32,
    /// The most accesses of a workgroup.
    pub accesses: usize,
    /// Lanes of a wave: those of a device beside whose times the counts stand. The options' where absent.
    pub wave: Option<u32>,
}

impl Settings {
    /// Tiled images, 256 workgroups, windows of 32, 16 million accesses.
    pub const DEFAULT: Settings =
        Settings { tiling: Tiling::Tiled, pitch: None, sample: 256, window: 32, accesses: 1 << 24, wave: None };
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::DEFAULT
    }
}

/// What is counted.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The module, as it runs.
    pub module: &'a Module,
    /// Its entry point.
    pub entry: &'a EntryPoint,
    /// The layouts of its workgroup.
    pub layouts: &'a [Layout],
    /// The options.
    pub options: &'a Options,
    /// Lanes of a wave.
    pub wave: u32,
    /// Workgroups of the dispatch.
    pub groups: [u32; 3],
    /// Who decided them.
    pub groups_reason: &'a str,
    /// What inputs hold that are not given: `zeros`.
    pub contents: &'a str,
    /// Set and binding of each descriptor whose contents are given; `None` for push constants that are.
    pub given: &'a [Option<[u32; 2]>],
}

/// Machines at their start, with the dispatch of the subject.
#[derive(Debug)]
pub enum Machines {
    /// One for all layouts: addresses do not depend on them.
    One(Box<Machine>),
    /// One for each layout; none for a layout that the workgroup cannot have.
    Each(Vec<Option<Machine>>),
}

/// Why nothing was counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CostError {
    /// The limit of steps.
    #[error("`{entry}` does not end within {steps} steps: workgroup {x},{y},{z} still runs, {place}")]
    Steps {
        /// The entry point.
        entry: String,
        /// Instructions that ran.
        steps: u64,
        /// X of the workgroup.
        x: u32,
        /// Y.
        y: u32,
        /// Z.
        z: u32,
        /// The instruction that accessed memory last.
        place: String,
    },
    /// The caller stopped it.
    #[error("`{entry}`: stopped after {groups} workgroups")]
    Stopped {
        /// The entry point.
        entry: String,
        /// Workgroups that were counted.
        groups: u64,
    },
    /// More accesses than are kept.
    #[error("`{entry}`: workgroup {group} makes more than {limit} accesses to memory")]
    TooMany {
        /// The entry point.
        entry: String,
        /// The linear index of the workgroup.
        group: u64,
        /// The limit.
        limit: usize,
    },
}

/// Bytes of a line of a chip's vector cache: 64 before graphics IP 10, else 128.
pub fn line_of(target: Target) -> u32 {
    if target.ip().has_wave32 { 128 } else { 64 }
}

/// Counts the accesses of a compute shader in each layout. `stop` is asked now and then.
///
/// # Errors
/// A shader that does not end, or that accesses memory too often; a run that is stopped.
pub fn cost(
    subject: &Subject<'_>,
    machines: Machines,
    settings: &Settings,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Cost, CostError> {
    let line = line_of(subject.options.target);
    let placements: Vec<Placement> = subject.layouts.iter().map(|layout| layout.placement(subject.wave)).collect();
    let there: Vec<usize> = (0..).zip(subject.layouts).filter(|(_, one)| one.map.is_ok()).map(|(at, _)| at).collect();
    let total = grid::saturating_volume(subject.groups);
    let counted = total.min(settings.sample.max(1));
    let chosen: Vec<u64> = (0..counted).map(|at| sample(at, counted, total)).collect();
    let mut run = |machine: Machine, layouts: Vec<usize>, keep: bool| -> Result<Run, CostError> {
        let own = layouts.iter().filter_map(|at| placements.get(*at).cloned()).collect();
        let counter = Counter::new(own, invocations(subject), line, keep && counted == total);
        Run::new(machine, counter, layouts, settings).carry_out(subject, &chosen, stop)
    };
    let runs: Vec<Run> = match machines {
        Machines::One(machine) => vec![run(*machine, there, true)?],
        Machines::Each(machines) => {
            let mut runs = Vec::new();
            for (at, machine) in machines.into_iter().enumerate().filter(|(at, _)| there.contains(at)) {
                let Some(machine) = machine else { continue };
                // Orders of workgroups are compared in the first layout.
                runs.push(run(machine, vec![at], runs.is_empty())?);
            }
            runs
        }
    };
    Ok(assemble(subject, settings, &runs, counted))
}

fn invocations(subject: &Subject<'_>) -> u32 {
    subject.layouts.iter().filter_map(|one| one.map.as_ref().ok()).map(|map| map.len()).max().unwrap_or(0)
}

/// The workgroups of a sample, spread evenly.
pub(crate) fn sample(at: u64, counted: u64, total: u64) -> u64 {
    u64::try_from(u128::from(at) * u128::from(total) / u128::from(counted.max(1))).unwrap_or(u64::MAX)
}

/// A machine that is counted in some layouts.
struct Run {
    machine: Machine,
    counter: Counter,
    /// Indices of the layouts, in the counter's order.
    layouts: Vec<usize>,
    objects: BTreeMap<u32, Counted>,
    settings: Settings,
}

impl Run {
    fn new(machine: Machine, counter: Counter, layouts: Vec<usize>, settings: &Settings) -> Run {
        Run { machine, counter, layouts, objects: BTreeMap::new(), settings: *settings }
    }

    /// Runs workgroups and counts them.
    fn carry_out(
        mut self,
        subject: &Subject<'_>,
        chosen: &[u64],
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Run, CostError> {
        let entry = || subject.entry.name.clone();
        let mut rows: Vec<LoggedAccess> = Vec::new();
        self.machine.log_accesses(self.settings.accesses);
        for (&group, counted) in chosen.iter().zip(0..) {
            if self.machine.group_index() != group && !self.machine.skip_to_group(group) {
                continue;
            }
            let mut slice = 0;
            while self.machine.group_index() == group && !self.machine.is_finished() {
                if !self.machine.step() {
                    self.machine.take_accesses(&mut rows);
                    let [x, y, z] = grid::place(subject.groups, group);
                    let place = last_place(&self.machine, &rows);
                    return Err(CostError::Steps { entry: entry(), steps: self.machine.steps(), x, y, z, place });
                }
                slice += 1;
                if slice == SLICE {
                    slice = 0;
                    if stop() {
                        return Err(CostError::Stopped { entry: entry(), groups: counted });
                    }
                }
            }
            if !self.machine.take_accesses(&mut rows) {
                return Err(CostError::TooMany { entry: entry(), group, limit: self.settings.accesses });
            }
            self.meet(&rows);
            let objects = &self.objects;
            self.counter.group(group, &rows, |object| objects.get(&object));
            if stop() {
                return Err(CostError::Stopped { entry: entry(), groups: counted });
            }
        }
        Ok(self)
    }

    /// Looks up the objects of accesses.
    fn meet(&mut self, rows: &[LoggedAccess]) {
        let mut last = None;
        for row in rows.iter().filter(|row| last.replace(row.object) != Some(row.object)) {
            if !self.objects.contains_key(&row.object)
                && let Some(found) = self.machine.logged_object(row.object)
            {
                let counted = Counted::new(&found, self.settings.tiling, self.settings.pitch);
                self.objects.insert(row.object, counted.in_module(self.machine.program().module()));
            }
        }
    }
}

/// Where the last access was, as text.
pub(crate) fn last_place(machine: &Machine, rows: &[LoggedAccess]) -> String {
    let Some(row) = rows.last() else { return "without an access to memory so far".to_owned() };
    let program = machine.program();
    let inst = program.instruction(row.instruction).inst;
    let name = program.module().inst(inst).name();
    let line = program.line(inst).map(|line| format!(" ({}:{})", line.file, line.line)).unwrap_or_default();
    format!("its last access to memory is #{} {name}{line}", inst.0)
}

/// Puts counts of all runs together.
fn assemble(subject: &Subject<'_>, settings: &Settings, runs: &[Run], counted: u64) -> Cost {
    let line = line_of(subject.options.target);
    let depends = depends(subject.module, subject.entry);
    let accesses = sites(subject, runs);
    let layouts: Vec<LayoutCost> =
        subject.layouts.iter().enumerate().map(|(at, one)| layout(at, one, runs, &accesses)).collect();
    let kept = runs.first().and_then(|run| run.counter.group_lines.as_ref());
    let orders = kept
        .filter(|lines| lines.iter().any(|(_, lines)| !lines.is_empty()))
        .map(|lines| orders(subject.groups, lines, settings.window, subject.options.group_tile, line));
    Cost {
        entry: subject.entry.name.clone(),
        size: size(subject, runs),
        groups: subject.groups,
        groups_reason: subject.groups_reason.to_owned(),
        counted,
        chip: subject.options.target,
        wave: subject.wave,
        line,
        tiling: settings.tiling,
        advice: advise(&layouts, line),
        layouts,
        accesses: accesses.into_iter().map(|(_, site)| site).collect(),
        orders,
        measured: None,
        contents: subject.contents.to_owned(),
        depends: depends.as_ref().map(|found| dependences(subject.module, subject.given, found)).unwrap_or_default(),
        not_followed: depends.is_none(),
        notes: notes(subject, runs, counted, depends.is_some()),
        sources: sources(settings.tiling, subject.options.target, line),
    }
}

fn size(subject: &Subject<'_>, runs: &[Run]) -> [u32; 3] {
    let of_layout = || subject.layouts.iter().find_map(|one| one.map.as_ref().ok()).map(|map| map.size());
    runs.first().map(|run| run.machine.program().local_size()).or_else(of_layout).unwrap_or([1; 3])
}

/// The accesses of all runs, by instruction.
fn sites(subject: &Subject<'_>, runs: &[Run]) -> Vec<(u32, AccessSite)> {
    let mut all: BTreeMap<u32, AccessSite> = BTreeMap::new();
    for run in runs {
        let program = run.machine.program();
        for site in &run.counter.sites {
            let Some(object) = run.objects.get(&site.object) else { continue };
            let place = program.instruction(site.instruction);
            let mut lines: Vec<u64> = site.touched.iter().flatten().copied().collect();
            lines.sort_unstable();
            lines.dedup();
            let number = |line: &u64| match object.memory {
                // A bank has its own number.
                MemoryKind::Shared => u32::try_from(*line).ok(),
                _ => lines.binary_search(line).ok().and_then(|at| u32::try_from(at).ok()),
            };
            all.entry(place.inst.0).or_insert_with(|| AccessSite {
                touched: site.touched.iter().map(|line| line.as_ref().and_then(number)).collect(),
                ..access_site(subject.module, &run.machine, site, object)
            });
        }
    }
    all.into_iter().collect()
}

/// An access of a machine to an object, without what it touches.
pub(crate) fn access_site(module: &Module, machine: &Machine, site: &Site, object: &Counted) -> AccessSite {
    let program = machine.program();
    let place = program.instruction(site.instruction);
    let line = program.line(place.inst);
    AccessSite {
        instruction: place.inst.0,
        name: module.inst(place.inst).name(),
        kind: match site.kind {
            LoggedKind::Load => AccessKind::Load,
            LoggedKind::Store => AccessKind::Store,
            LoggedKind::Atomic => AccessKind::Atomic,
        },
        memory: object.memory,
        resource: names::of_address(module, object.address),
        bytes: site.bytes,
        line: line.as_ref().map(|line| format!("{}:{}", line.file, line.line)),
        line_number: line.as_ref().map(|line| line.line),
        beyond: beyond(machine, program, site.instruction),
        touched: Vec::new(),
    }
}

/// How often an instruction accessed beyond its memory.
fn beyond(machine: &Machine, program: &Program, instruction: u32) -> u64 {
    let place = program.instruction(instruction);
    let events = machine.events().iter().filter(|event| event.place == place);
    let kinds = [EventKind::OutOfBounds, EventKind::NullPointer, EventKind::Misaligned];
    events.filter(|event| kinds.contains(&event.kind)).map(|event| event.count).sum()
}

/// The counts of a layout, in the order of the accesses.
fn layout(at: usize, one: &Layout, runs: &[Run], accesses: &[(u32, AccessSite)]) -> LayoutCost {
    let found = runs.iter().find_map(|run| {
        let own = run.layouts.iter().position(|layout| *layout == at)?;
        Some((run, run.counter.counts.get(own)?))
    });
    let by_instruction = |(run, counts): (&Run, &LayoutCounts)| -> BTreeMap<u32, Counts> {
        let program = run.machine.program();
        let sites = run.counter.sites.iter().map(|site| program.instruction(site.instruction).inst.0);
        sites.zip(counts.sites.iter().copied()).collect()
    };
    let rows = found.map(by_instruction).unwrap_or_default();
    let of = |(instruction, _): &(u32, AccessSite)| rows.get(instruction).copied().unwrap_or_default();
    LayoutCost {
        layout: one.name.to_owned(),
        micro: one.micro,
        macro_tile: one.macro_tile,
        options: one.options.clone(),
        selected: one.selected,
        unavailable: one.map.as_ref().err().cloned(),
        total: found.map(|(_, counts)| counts.total),
        accesses: if found.is_some() { accesses.iter().map(of).collect() } else { Vec::new() },
    }
}

/// Inputs that addresses or branches may depend on.
pub(crate) fn dependences(module: &Module, given: &[Option<[u32; 2]>], found: &Depends) -> Vec<Dependence> {
    let variables: std::collections::BTreeSet<_> = found.addresses.keys().chain(&found.branches).copied().collect();
    let of = variables.into_iter().map(|variable| {
        let descriptor = names::descriptor(module, variable);
        Dependence {
            resource: match descriptor {
                Some(_) => names::of_variable(module, variable),
                None => "push constants".to_owned(),
            },
            descriptor,
            addresses: found.addresses.get(&variable).into_iter().flatten().copied().collect(),
            branches: found.branches.contains(&variable),
            given: given.contains(&descriptor),
        }
    });
    of.collect()
}

/// What limits the result. `is_followed`: it is known which inputs addresses depend on.
fn notes(subject: &Subject<'_>, runs: &[Run], counted: u64, is_followed: bool) -> Vec<String> {
    let mut out = Vec::new();
    let total = grid::saturating_volume(subject.groups);
    if counted < total {
        out.push(format!("{counted} of {total} workgroups are counted, spread evenly"));
    }
    if runs.len() > 1 {
        let first = subject.layouts.iter().find(|one| one.map.is_ok()).map_or("the first layout", |one| one.name);
        out.push(format!(
            "results depend on waves or on the order of invocations: the shader ran once for each layout; maps of an access \
             show what it touches in {first}"
        ));
    }
    // Mesh shaders compute their ids on these chips too.
    if subject.options.target.ip().walks_tiles && subject.entry.stage != Some(StageKind::Mesh) {
        out.push(format!(
            "{} hands out ids in tiles by hardware, in an order that is not documented: the layouts are those of earlier \
             chips",
            subject.options.target
        ));
    }
    if !is_followed {
        out.push("which inputs addresses depend on is not known: the shader is too large".to_owned());
    }
    let objects = || runs.iter().flat_map(|run| run.objects.values());
    if objects().any(|object| object.memory == MemoryKind::PushConstants) {
        out.push(
            "push constants are not counted: drivers keep them in registers or read them by scalar loads".to_owned(),
        );
    }
    if objects().any(|object| object.memory == MemoryKind::Shared && !object.is_counted) {
        out.push(
            "payloads, and outputs that invocations share, are not counted: they are not in LDS by rule".to_owned(),
        );
    }
    let pitches: std::collections::BTreeSet<u64> = objects().filter_map(Counted::pitch).collect();
    if !pitches.is_empty() {
        let list: Vec<String> = pitches.iter().map(u64::to_string).collect();
        out.push(format!("rows of linear images take {} bytes", list.join(", ")));
    }
    out
}
