//! Rows of a corpus: the child loads pipelines, measures them, has a driver compile them, and returns plain rows.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use lanescope_core::corpus::{Drive, Driven, DriverRow, Measure, Row, Times, measure};
use lanescope_core::driver::speculative::SpeculativeOptions;
use lanescope_core::driver::speculative::corpus::{Rows, lookups, tallies, variant};
use lanescope_core::driver::{self, CompileOptions, Version};
use lanescope_core::driver_hashes::DriverHashes;
use lanescope_core::guessed_layout::{self, Side};
use lanescope_core::load::{Validation, load_with_options};
use lanescope_core::options::Options;
use lanescope_core::program::{Program, StageKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::accesses;
use super::host::{self, failure, not_compiled};
use super::{FileFlags, LoadRequest, Reply, WorkerError, corpus, fault, objects, speculate_stages};

/// A reply ends after this long: the parent hands out work anew.
pub const MEASURE_TIME: Duration = Duration::from_millis(200);

/// Pipelines to measure, one after the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeasureRequest {
    /// The pipelines. The reply has fewer where they take long.
    pub items: Vec<MeasureItem>,
    /// How they are loaded. Its paths are set for each.
    pub load: LoadRequest,
    /// What is measured.
    pub measures: BTreeSet<Measure>,
    /// The options.
    pub options: Options,
    /// Options in pipeline files do not count.
    pub own_options: bool,
    /// Which pipelines have a row.
    pub filter: Filter,
    /// The driver that compiles them; `None` for none.
    pub compiling: Option<Compiling>,
    /// Compile their stages speculatively too.
    pub speculating: Option<Speculating>,
    /// Folder with AMD code objects that are compared with the predictions.
    pub objects: Option<OsString>,
    /// What else is found out, without a driver.
    pub searching: BTreeSet<Searching>,
    /// Why the pipelines are not measured: a child died of them. Their rows have this reason.
    pub given_up: Option<String>,
}

/// One pipeline to measure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasureItem {
    /// Its position in the corpus, from 0.
    pub number: u64,
    /// The name of its files.
    pub name: String,
    /// Its files; of a database one.
    pub files: Vec<OsString>,
    /// Its position in the database, from 0; `None` where the files make one pipeline.
    pub place: Option<u64>,
    /// How its files are loaded, where that is said of them alone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub flags: Option<FileFlags>,
}

/// A driver that compiles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compiling {
    /// Which driver. A chip is chosen by the child's environment as well.
    pub with: CompileOptions,
    /// What rows call it; `None` for the name of the device.
    pub place: Option<String>,
    /// The versions of the program.
    pub versions: Vec<Version>,
}

/// What is found out about the cache of an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Searching {
    /// What each combination of guesses achieves.
    Guesses,
    /// The map that a fragment shader gives the stages before it.
    Variants,
    /// The keys that a driver looks its shaders up by.
    Lookups,
}

/// How stages are compiled speculatively.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Speculating {
    /// Which driver, how often, and when.
    pub with: SpeculativeOptions,
    /// Folder of compiled pipelines; `None` to store nothing.
    pub cache: Option<OsString>,
}

/// Which pipelines have a row. Each list that is not empty has to contain something that matches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Filter {
    /// Parts of names.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub names: Vec<String>,
    /// First digits of hashes.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub hashes: Vec<String>,
    /// Stages of which a pipeline has one.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub stages: Vec<StageKind>,
}

/// What was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Number of pipelines that were looked at: the first ones of the request.
    pub done: usize,
    /// The rows of those that the filter admits.
    pub rows: Vec<Row>,
}

impl Filter {
    fn admits_name(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|part| name.contains(part.as_str()))
    }

    fn admits_hash(&self, hash: &str) -> bool {
        // The files of a pipeline have a hash each; a row has all of them.
        let own = || hash.split('+').map(|own| own.trim_start_matches("0x"));
        let digits = |part: &str| {
            let whole = || part.split('+').map(|part| part.trim_start_matches("0x")).eq(own());
            own().any(|own| own.starts_with(part)) || whole()
        };
        self.hashes.is_empty() || self.hashes.iter().any(|part| digits(part.trim_start_matches("0x")))
    }

    /// Whether a shader of the program is meant, by a hash that AMD's drivers print.
    fn admits_shader(&self, program: &Program) -> bool {
        if !self.names_shaders() {
            return false;
        }
        let mut all = program.stages.iter().filter_map(|stage| program.driver_hashes(stage.module, &stage.entry));
        all.any(|hashes| self.hashes.iter().any(|part| hashes.is_meant(part)))
    }

    /// Whether shaders have to be looked at to tell whether a pipeline is meant.
    fn names_shaders(&self) -> bool {
        self.hashes.iter().any(|part| DriverHashes::may_mean(part))
    }

    fn admits_stages(&self, row: &Row) -> bool {
        let is_wanted = || row.stages.iter().any(|stage| self.stages.contains(&stage.stage));
        // Stages of what cannot be read are not known.
        self.stages.is_empty() || row.failure.is_some() || is_wanted()
    }
}

impl MeasureRequest {
    /// The work in progress: `loading lit.vert + lit.frag`.
    pub(super) fn doing(&self) -> String {
        let verb = if self.compiling.is_some() { "loading and compiling" } else { "loading" };
        let name = |item: &MeasureItem| match item.place {
            Some(place) => format!("{} (pipeline {})", item.name, place + 1),
            None => item.name.clone(),
        };
        match self.items.as_slice() {
            [] => verb.to_owned(),
            [only] => format!("{verb} {}", name(only)),
            [first, .., last] => format!("{verb} {} to {}", name(first), name(last)),
        }
    }
}

/// Measures the first pipelines of a request, until the time of a reply has passed.
pub(super) fn answer(request: &MeasureRequest) -> Reply {
    let (start, mut out) = (Instant::now(), Measured { done: 0, rows: Vec::new() });
    for item in &request.items {
        out.rows.extend(row(request, item));
        out.done += 1;
        if start.elapsed() > MEASURE_TIME {
            break;
        }
    }
    Reply::Measured(Box::new(out))
}

/// The row of a pipeline; `None` if the filter does not admit it.
fn row(request: &MeasureRequest, item: &MeasureItem) -> Option<Row> {
    let mut load = LoadRequest { paths: item.files.clone(), ..request.load.clone() };
    if let Some(flags) = &item.flags {
        flags.apply(&mut load.wanted);
    }
    // What the validator says is part of the findings alone.
    if load.wanted.validation == Validation::Reported && !request.measures.contains(&Measure::Findings) {
        load.wanted.validation = Validation::Off;
    }
    let file = item.files.first().map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
    let Some(place) = item.place else {
        let mut row = Row::new(item.number, item.name.clone(), file);
        row.more_files = item.files.iter().skip(1).map(|file| file.to_string_lossy().into_owned()).collect();
        if !request.filter.admits_name(&row.pipeline) {
            return None;
        }
        return filled(request, row, || {
            fault::happen_loading(&load);
            let paths: Vec<PathBuf> = load.paths.iter().map(PathBuf::from).collect();
            load_with_options(&paths, &load.wanted).map(Some).map_err(|error| failure(&error).to_string())
        });
    };
    let number = usize::try_from(place).unwrap_or(usize::MAX);
    let done = corpus::with(&load, |open| {
        let (Some(key), Some(place)) = (open.names.get(number), open.places.get(number)) else {
            let why = format!("the database has {} pipelines: it has changed since it was listed", open.names.len());
            return Some(Row::failed(item.number, format!("{}@#{number}", item.name), file.clone(), why));
        };
        let mut row = Row::new(item.number, format!("{}@{key}", item.name), file.clone());
        row.hash = key.rsplit(':').next().unwrap_or(key).to_owned();
        let is_meant = request.filter.admits_hash(&row.hash) || request.filter.names_shaders();
        if !request.filter.admits_name(&row.pipeline) || !is_meant {
            return None;
        }
        let name = row.pipeline.clone();
        filled(request, row, || {
            fault::happen_reading(number);
            open.corpus.program(place).map_err(|error| format!("{name}: {}", failure(&error)))
        })
    });
    done.unwrap_or_else(|failure| {
        Some(Row::failed(item.number, format!("{}@#{number}", item.name), file, failure.to_string()))
    })
}

/// The row with all that is measured of its program.
fn filled(
    request: &MeasureRequest,
    mut row: Row,
    load: impl FnOnce() -> Result<Option<Program>, String>,
) -> Option<Row> {
    if let Some(why) = &request.given_up {
        row.failure = Some(why.clone());
        return Some(row);
    }
    let begin = Instant::now();
    let program = match load() {
        Ok(Some(program)) => program,
        // A part of other pipelines, without shaders of its own.
        Ok(None) => return request.filter.stages.is_empty().then_some(row),
        Err(why) => {
            row.failure = Some(why);
            return request.filter.admits_hash(&row.hash).then_some(row);
        }
    };
    let loaded = begin.elapsed();
    let is_shader = request.filter.admits_shader(&program);
    // Files have a hash once they are measured.
    if !row.hash.is_empty() && !is_shader && !request.filter.admits_hash(&row.hash) {
        return None;
    }
    let options = if request.own_options { request.options.clone() } else { program.options(&request.options) };
    let driver = request.compiling.as_ref().map(|compiling| Driver { compiling, spent: Cell::default() });
    let begin = Instant::now();
    let drive: &dyn Drive = driver.as_ref().map_or(&(), |driver| driver as &dyn Drive);
    if let Err(error) = measure(&mut row, &program, &options, &request.measures, drive) {
        row.failure = Some(error.to_string());
    }
    if let Some(speculating) = &request.speculating {
        row.speculation = Some(Box::new(speculated(&row.pipeline, &program, &options, speculating)));
    }
    if request.measures.contains(&Measure::Time) {
        let spent = driver.map_or(Duration::ZERO, |driver| driver.spent.get());
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let passes = begin.elapsed().saturating_sub(spent);
        row.times = Some(Times { load: nanoseconds(loaded), passes: nanoseconds(passes) });
    }
    if request.measures.contains(&Measure::Accesses) {
        row.accesses = accesses::row(&program, &options);
    }
    if let Some(folder) = &request.objects {
        row.object = objects::row(folder, &program, &options).map(Box::new);
    }
    for searching in &request.searching {
        match searching {
            Searching::Guesses => row.guesses = tallies(&program, &options).unwrap_or_default(),
            Searching::Lookups => row.lookups = lookups(&program, &options).unwrap_or_default(),
            Searching::Variants => match variant(&program, &options) {
                Ok(variant) => row.variant = variant.map(Box::new),
                Err(error) => row.failure = Some(error.to_string()),
            },
        }
    }
    let is_meant = is_shader || request.filter.admits_hash(&row.hash);
    (is_meant && request.filter.admits_stages(&row)).then_some(row)
}

/// The rows of a program's stages that this process compiles speculatively.
fn speculated(name: &str, program: &Program, options: &Options, with: &Speculating) -> Rows {
    let mut out = Rows::default();
    for pipeline in driver::pipelines(program) {
        let mut found = guessed_layout::stages(&pipeline, options, Side::of(&pipeline), &mut Vec::new());
        let done =
            speculate_stages(&pipeline, options, &mut found, with, |request| Ok(host::answer(request, &mut |_| None)));
        let failed = done.err().map(|error| (error.to_string(), matches!(&error, WorkerError::Failed(_))));
        out.take(name, &found, failed);
    }
    out
}

/// This process's driver.
struct Driver<'r> {
    compiling: &'r Compiling,
    /// Time that it took.
    spent: Cell<Duration>,
}

impl Drive for Driver<'_> {
    fn drive(&self, program: &Program, options: &Options) -> Vec<Driven> {
        let begin = Instant::now();
        let Compiling { with, place, versions } = self.compiling;
        let mut out = Vec::new();
        for version in driver::versions(program, options, versions) {
            let row = |failure: Option<String>| DriverRow {
                failure,
                ..DriverRow::new(place.clone().unwrap_or_default(), version.of)
            };
            let made = match &version.program {
                Ok(made) => made,
                Err(why) => {
                    out.push(Driven { row: row(Some(why.clone())), compilation: None, beside: None });
                    continue;
                }
            };
            for pipeline in driver::pipelines(made) {
                fault::happen(&pipeline, with);
                out.push(match driver::compile(&pipeline, options, version.of, with) {
                    Ok(compilation) => {
                        let place = place.clone().unwrap_or_else(|| compilation.device.clone());
                        // Without texts there is nothing to compare the other link with.
                        let other = CompileOptions { apart: !with.apart, ..with.clone() };
                        let beside = (!with.statistics_only && compilation.passes_varyings())
                            .then(|| driver::compile(&pipeline, options, version.of, &other).ok())
                            .flatten();
                        Driven { row: DriverRow { place, ..row(None) }, compilation: Some(compilation), beside }
                    }
                    Err(error) => {
                        Driven { row: row(Some(not_compiled(&error).to_string())), compilation: None, beside: None }
                    }
                });
            }
        }
        self.spent.set(begin.elapsed());
        out
    }
}
