//! Runs the waves of a draw and assembles what was counted.

use std::collections::BTreeMap;

use lanescope_interpreter::{LoggedAccess, Machine};
use lanescope_model::options::Options;
use lanescope_spirv::{EntryPoint, Module};

use super::footprint::Footprints;
use super::report::{FragmentCost, FragmentCounts, FragmentVariant};
use super::sources::sources;
use crate::count::{Counted, Counter, LayoutCounts, Placement};
use crate::depends::depends;
use crate::measure::{Settings, access_site, dependences, last_place, line_of, sample};
use crate::report::{AccessSite, Counts, MemoryKind};
use crate::tiling::Tiling;

/// Lanes of a wave in which a draw runs, unless its results depend on waves. Smaller waves are parts of it.
pub const LANES: u32 = 64;

/// Steps between two looks at what stops a run.
const SLICE: u32 = 1 << 16;

/// What is counted.
#[derive(Debug, Clone, Copy)]
pub struct FragmentSubject<'a> {
    /// The fragment shader's module, as it runs.
    pub module: &'a Module,
    /// Its entry point.
    pub entry: &'a EntryPoint,
    /// The options of the fragment shader.
    pub options: &'a Options,
    /// Lanes of a wave that they select.
    pub wave: u32,
    /// Width and height of the attachments in pixels.
    pub size: [u32; 2],
    /// Invocations that cover a sample, and helper invocations.
    pub invocations: [u64; 2],
    /// What inputs hold that are not given.
    pub contents: &'a str,
    /// Set and binding of each descriptor whose contents are given; `None` for push constants that are.
    pub given: &'a [Option<[u32; 2]>],
}

/// A machine of the draw's fragments at its start.
#[derive(Debug)]
pub struct FragmentMachine {
    /// The machine.
    pub machine: Machine,
    /// Lanes of the waves that it runs.
    pub lanes: u32,
    /// Lanes of the waves that are counted: at most as many.
    pub waves: Vec<u32>,
}

/// Why nothing was counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FragmentCostError {
    /// The limit of steps.
    #[error("`{entry}` does not end within {steps} steps: wave {wave} of the draw still runs, {place}")]
    Steps {
        /// The entry point.
        entry: String,
        /// Instructions that ran.
        steps: u64,
        /// The wave.
        wave: u64,
        /// The instruction that accessed memory last.
        place: String,
    },
    /// The caller stopped it.
    #[error("`{entry}`: stopped after {waves} waves of the draw")]
    Stopped {
        /// The entry point.
        entry: String,
        /// Waves that were counted.
        waves: u64,
    },
    /// More accesses than are kept.
    #[error("`{entry}`: wave {wave} of the draw makes more than {limit} accesses to memory")]
    TooMany {
        /// The entry point.
        entry: String,
        /// The wave.
        wave: u64,
        /// The limit.
        limit: usize,
    },
}

/// Runs the waves of a draw and counts their accesses. Of [`Settings`], windows and the wave have no effect; the sample is
/// one of waves of [`LANES`]. `stop` is asked now and then.
///
/// # Errors
/// A shader that does not end within the machine's steps, or that accesses too much; `stop`.
pub fn fragment_cost(
    subject: &FragmentSubject<'_>,
    machines: Vec<FragmentMachine>,
    settings: &Settings,
    stop: &mut dyn FnMut() -> bool,
) -> Result<FragmentCost, FragmentCostError> {
    let total = subject.invocations.iter().sum::<u64>().div_ceil(LANES.into());
    let counted = total.min(settings.sample.max(1));
    let chosen: Vec<u64> = (0..counted).map(|at| sample(at, counted, total)).collect();
    let runs = machines.into_iter().map(|machine| Run::new(machine, subject, settings).carry_out(&chosen, stop));
    let runs = runs.collect::<Result<Vec<Run<'_>>, _>>()?;
    Ok(assemble(subject, settings, runs, &chosen))
}

/// How texels lie, and what is counted under that.
struct OfTiling {
    tiling: Tiling,
    objects: BTreeMap<u32, Counted>,
    all: Counter,
    without_helpers: Counter,
}

/// A machine that is counted.
struct Run<'a> {
    subject: &'a FragmentSubject<'a>,
    settings: &'a Settings,
    machine: Machine,
    lanes: u32,
    /// Wave sizes, in the order of each counter's layouts.
    waves: Vec<u32>,
    tilings: Vec<OfTiling>,
    footprints: Footprints,
}

impl<'a> Run<'a> {
    fn new(machine: FragmentMachine, subject: &'a FragmentSubject<'a>, settings: &'a Settings) -> Run<'a> {
        let FragmentMachine { machine, lanes, waves } = machine;
        let line = line_of(subject.options.target);
        let counter = || {
            let identity: Vec<u32> = (0..lanes).collect();
            let placement =
                |wave: &u32| Placement { threads: identity.clone(), invocations: identity.clone(), wave: *wave };
            Counter::new(waves.iter().map(placement).collect(), lanes, line, false)
        };
        let of = |tiling: &Tiling| OfTiling {
            tiling: *tiling,
            objects: BTreeMap::new(),
            all: counter(),
            without_helpers: counter(),
        };
        let tilings = Tiling::ALL.iter().map(of).collect();
        Run { subject, settings, machine, lanes, waves, tilings, footprints: Footprints::default() }
    }

    /// Runs the chosen waves of [`LANES`] and counts them.
    fn carry_out(mut self, chosen: &[u64], stop: &mut dyn FnMut() -> bool) -> Result<Run<'a>, FragmentCostError> {
        let entry = || self.subject.entry.name.clone();
        let limit = self.settings.accesses;
        let parts = u64::from(LANES / self.lanes.max(1)).max(1);
        let waves = chosen.iter().flat_map(|wave| (0..parts).map(move |part| wave * parts + part));
        let mut rows: Vec<LoggedAccess> = Vec::new();
        self.machine.log_accesses(limit);
        for (wave, counted) in waves.zip(0..) {
            if self.machine.group_index() != wave && !self.machine.skip_to_group(wave) {
                continue;
            }
            let mut slice = 0;
            while self.machine.group_index() == wave && !self.machine.is_finished() {
                if !self.machine.step() {
                    self.machine.take_accesses(&mut rows);
                    let place = last_place(&self.machine, &rows);
                    return Err(FragmentCostError::Steps { entry: entry(), steps: self.machine.steps(), wave, place });
                }
                slice = (slice + 1) % SLICE;
                if slice == 0 && stop() {
                    return Err(FragmentCostError::Stopped { entry: entry(), waves: counted });
                }
            }
            if !self.machine.take_accesses(&mut rows) {
                return Err(FragmentCostError::TooMany { entry: entry(), wave, limit });
            }
            self.count(wave, &mut rows);
            if stop() {
                return Err(FragmentCostError::Stopped { entry: entry(), waves: counted });
            }
        }
        Ok(self)
    }

    /// Counts the accesses of a wave. Those of helper invocations are gone from the rows afterwards.
    fn count(&mut self, wave: u64, rows: &mut Vec<LoggedAccess>) {
        let pitch = self.settings.pitch;
        let mut last = None;
        for row in rows.iter().filter(|row| last.replace(row.object) != Some(row.object)) {
            if self.tilings.iter().all(|of| of.objects.contains_key(&row.object)) {
                continue;
            }
            let Some(found) = self.machine.logged_object(row.object) else { continue };
            for of in &mut self.tilings {
                of.objects.insert(row.object, Counted::new(&found, of.tiling, pitch));
            }
        }
        let any = self.tilings.first().map(|of| &of.objects);
        self.footprints.add(rows, |object| any.and_then(|objects| objects.get(&object)));
        for of in &mut self.tilings {
            of.all.group(wave, rows, |object| of.objects.get(&object));
        }
        rows.retain(|row| !row.helper);
        for of in &mut self.tilings {
            of.without_helpers.group(wave, rows, |object| of.objects.get(&object));
        }
    }

    /// By instruction, what waves of that many lanes do.
    fn by_instruction(&self, counter: &Counter, counts: &LayoutCounts) -> BTreeMap<u32, Counts> {
        let program = self.machine.program();
        let numbers = counter.sites.iter().map(|site| program.instruction(site.instruction).inst.0);
        numbers.zip(counts.sites.iter().copied()).collect()
    }

    /// What waves of that many lanes do under a tiling.
    fn variant(&self, wave: u32, tiling: Tiling, accesses: &BTreeMap<u32, AccessSite>) -> Option<FragmentVariant> {
        let at = self.waves.iter().position(|lanes| *lanes == wave)?;
        let of = self.tilings.iter().find(|of| of.tiling == tiling)?;
        let (all, rest) = (of.all.counts.get(at)?, of.without_helpers.counts.get(at)?);
        let [by_all, by_rest] =
            [(&of.all, all), (&of.without_helpers, rest)].map(|(counter, counts)| self.by_instruction(counter, counts));
        let line = line_of(self.subject.options.target);
        let each = accesses.keys().map(|number| {
            let [all, rest] = [&by_all, &by_rest].map(|rows| rows.get(number).copied().unwrap_or_default());
            FragmentCounts::of(&all, &rest, line)
        });
        let selected = (wave, tiling) == (self.subject.wave, self.settings.tiling);
        let total = FragmentCounts::of(&all.total, &rest.total, line);
        Some(FragmentVariant { wave, tiling, selected, total, accesses: each.collect() })
    }

    /// The instructions that access memory, by number.
    fn sites(&self) -> impl Iterator<Item = (u32, AccessSite)> {
        let of = self.tilings.first();
        of.into_iter().flat_map(|of| {
            of.all.sites.iter().filter_map(|site| {
                let object = of.objects.get(&site.object)?;
                let site = access_site(self.subject.module, &self.machine, site, object);
                Some((site.instruction, site))
            })
        })
    }

    fn objects(&self, tiling: Tiling) -> impl Iterator<Item = &Counted> {
        self.tilings.iter().filter(move |of| of.tiling == tiling).flat_map(|of| of.objects.values())
    }
}

/// Puts the counts of all machines together.
fn assemble(
    subject: &FragmentSubject<'_>,
    settings: &Settings,
    mut runs: Vec<Run<'_>>,
    chosen: &[u64],
) -> FragmentCost {
    let line = line_of(subject.options.target);
    let mut accesses: BTreeMap<u32, AccessSite> = BTreeMap::new();
    for (number, site) in runs.iter().flat_map(Run::sites) {
        accesses.entry(number).or_insert(site);
    }
    // Where texels lie matters to images alone.
    let has_images = accesses.values().any(|site| site.memory == MemoryKind::Image);
    let tilings = Tiling::ALL.iter().filter(|tiling| has_images || **tiling == settings.tiling);
    let mut waves: Vec<u32> = runs.iter().flat_map(|run| run.waves.iter().copied()).collect();
    waves.sort_unstable();
    let variant = |wave: u32, tiling: Tiling| runs.iter().find_map(|run| run.variant(wave, tiling, &accesses));
    let variants = waves.iter().flat_map(|wave| tilings.clone().filter_map(|tiling| variant(*wave, *tiling)));
    let variants: Vec<FragmentVariant> = variants.collect();
    let followed = depends(subject.module, subject.entry);
    let all: u64 = subject.invocations.iter().sum();
    // The last wave may be in part.
    let counted = chosen.iter().map(|wave| all.saturating_sub(wave * u64::from(LANES)).min(LANES.into())).sum();
    let notes = notes(&runs, settings, [counted, all], followed.is_some());
    let footprints = match runs.first_mut() {
        Some(run) => {
            let footprints = std::mem::take(&mut run.footprints);
            footprints.finish(subject.module, |object| {
                let found = run.machine.logged_object(object)?;
                Some((found.address, found.image?))
            })
        }
        None => Vec::new(),
    };
    let mut cost = FragmentCost {
        entry: subject.entry.name.clone(),
        size: subject.size,
        fragments: subject.invocations[0],
        helpers: subject.invocations[1],
        counted,
        chip: subject.options.target,
        wave: subject.wave,
        line,
        tiling: settings.tiling,
        variants,
        sentence: String::new(),
        accesses: accesses.into_values().collect(),
        footprints,
        contents: subject.contents.to_owned(),
        not_followed: followed.is_none(),
        depends: followed.map(|found| dependences(subject.module, subject.given, &found)).unwrap_or_default(),
        notes,
        sources: sources(subject.options.target, line),
    };
    cost.sentence = cost.comparison();
    cost
}

/// What limits the result.
fn notes(runs: &[Run<'_>], settings: &Settings, [counted, all]: [u64; 2], is_followed: bool) -> Vec<String> {
    let mut out = Vec::new();
    if counted < all {
        out.push(format!("{counted} of {all} invocations are counted, in waves of {LANES} that are spread evenly"));
    }
    if runs.len() > 1 {
        out.push(
            "results depend on waves or on the order of invocations: the draw ran once for each wave size; footprints are \
             those of the smallest"
                .to_owned(),
        );
    }
    if !is_followed {
        out.push("which inputs addresses depend on is not known: the shader is too large".to_owned());
    }
    let objects = || runs.iter().flat_map(|run| run.objects(settings.tiling));
    if objects().any(|object| object.memory == MemoryKind::PushConstants) {
        out.push(
            "push constants are not counted: drivers keep them in registers or read them by scalar loads".to_owned(),
        );
    }
    let linear = runs.iter().flat_map(|run| run.objects(Tiling::Linear));
    let pitches: std::collections::BTreeSet<u64> = linear.filter_map(Counted::pitch).collect();
    if !pitches.is_empty() {
        let list: Vec<String> = pitches.iter().map(u64::to_string).collect();
        out.push(format!("rows of linear images take {} bytes", list.join(", ")));
    }
    out.push("color and depth attachments are not counted: the shader does not access them by instructions".to_owned());
    out
}
