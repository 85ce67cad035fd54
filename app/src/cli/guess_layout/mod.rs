//! `lanescope guess-layout`: the layout guessed from shaders alone, and the time that a speculative compile saves.

mod corpus;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use lanescope_core::chip::Chip;
use lanescope_core::driver::CompileOptions;
use lanescope_core::driver::speculative::SpeculativeOptions;
use lanescope_core::driver::speculative::corpus::{Searched, Summary, Timeline, Variants};
use lanescope_core::gpu::{Described, DeviceOptions, Inputs};
use lanescope_core::load::LoadOptions;
use lanescope_core::options::Options;
use lanescope_core::pipeline::Pipeline;
use lanescope_core::program::{Input, Program};
use lanescope_core::report::Report;
use lanescope_core::run::Ran;
use lanescope_core::text_format::counted;

use schemars::JsonSchema;
use serde::Serialize;

use super::args::{Analysis, of_database};
use super::on_device::Format;
use super::{CliError, Verdict, json};
use crate::cli::streams;
use lanescope_host::corpus::{Settings, Survey};
use lanescope_host::drivers::{KeptChild, SpeculativeRequest, Stop, compile_speculatively, partial};
use lanescope_host::flags::choices;
use lanescope_host::folders::Prefer;
use lanescope_host::worker::{
    Compiling, Limits, LoadRequest, Reply, Request, RunGuessRequest, SET_UP, Searching, Speculating,
};
use lanescope_text as text;

/// Why there is nothing to compile speculatively.
const NOTHING: &str = "no fragment, compute or ray tracing shader: other stages depend on too much pipeline state for \
                       a speculative compile";

/// Why no application is known.
const NOT_DESCRIBED: &str = "no fragment or compute shader of a pipeline that is described (.pipe, .foz, .amber): what an \
                             application binds and draws to is not in its shaders";

pub const EXAMPLES: &str = "\
Examples:
  lanescope guess-layout lit_surface.vert lit_surface.frag
                                        guessed layout, key, time saved with AMD's compiler
  lanescope guess-layout lit_surface.vert lit_surface.frag --guessed-color unorm8 --chip navi21
                                        guessing color attachments of 8 bits per component
  lanescope guess-layout tile_16x16.comp --no-compile --format json
                                        layout and keys only, as JSON
  lanescope guess-layout tiled_blur.pipe --no-compile
                                        compared with the layout in the pipeline file
  lanescope guess-layout lit_surface.vert lit_surface.frag --no-compile --layout effects.foz@58dd
                                        compared with that of a pipeline in a database
  lanescope guess-layout textured_quad.pipe --no-compile --dump-keys
                                        all words of each key, guess beside application
  lanescope guess-layout tile_16x16.comp --no-compile --run llvmpipe
                                        both layouts on a device, all outputs compared
  lanescope guess-layout --corpus effects.foz
                                        all pipelines of a database
  lanescope guess-layout --corpus effects.foz --search
                                        which guesses fit an application best
  lanescope guess-layout --corpus effects.foz --vary
                                        how many location maps each vertex shader has
  lanescope guess-layout --corpus effects.foz --timeline
                                        which cache serves which shader, pipeline after pipeline
  lanescope guess-layout --corpus dxil       a folder of shaders: hits, time saved, wasted compiles,
                                        the cache's size

The files are in the folder samples.

Without a pipeline file, the application's layout has all bindings that its shaders declare, and its color \
attachments have the formats of --color, else R8G8B8A8_UNORM, R32G32B32A32_UINT or R32G32B32A32_SINT. A driver would \
patch its cached code object. Vulkan gives no access to that object: here, a pipeline with the guessed layout is cached (a \
fragment library if the device has pipeline libraries), and its sets are filled from the application's sets.

With --corpus, a pipeline that needs something the driver lacks is left out, with the reason.

Exit status: 0 no errors, 1 findings of severity error, outputs that differ, or a compiler crash, 2 unusable \
input, 3 the driver, chip or device is not available, or lacks what the program needs (with --corpus: what each of the programs needs).";

/// Arguments of `guess-layout`.
#[derive(Debug, Args)]
pub struct GuessLayout {
    #[command(flatten)]
    analysis: Analysis,

    /// Sum up all pipelines in these files and folders: hit rate, time saved, wasted compiles, cache size
    #[arg(long, conflicts_with_all = ["layout", "run", "pipeline", "entry"])]
    corpus: bool,

    /// Try all combinations of --dynamic-uniform, --dynamic-storage and --guessed-color on all pipelines that are described,
    /// without compiling, and list the best ones of each database
    #[arg(long, requires = "corpus", conflicts_with_all = ["chip", "device", "repeats", "pipeline_delay", "cache", "no_cache", "validate", "dynamic_uniform", "dynamic_storage", "guessed_color"])]
    search: bool,

    /// Count the location maps that fragment shaders give the stages before the rasterizer in all pipelines, without
    /// compiling: each takes a cache entry
    #[arg(long, requires = "corpus", conflicts_with_all = ["search", "chip", "device", "repeats", "pipeline_delay", "cache", "no_cache", "validate"])]
    vary: bool,

    /// Count what a driver's caches serve while the pipelines are created in their order, without compiling: the cache per
    /// stage, then the guesses, then a full compile
    #[arg(long, requires = "corpus", conflicts_with_all = ["search", "vary", "chip", "device", "repeats", "pipeline_delay", "cache", "no_cache", "validate"])]
    timeline: bool,

    /// Form to use if a folder has both source and binary of a shader
    #[arg(
        long,
        value_enum,
        value_name = "source|binary",
        default_value = "binary",
        requires = "corpus",
        hide_possible_values = true
    )]
    prefer: Prefer,

    /// Pipeline file with the application's layout and state: a .pipe file, or FILE.foz@HASH
    #[arg(long, value_name = "FILE")]
    layout: Option<PathBuf>,

    /// Chip to compile for (no GPU required) [default: the chip of --target]
    #[arg(
        long,
        value_name = "CHIP",
        help_heading = "Speculative compile",
        value_parser = choices::chip(),
        hide_possible_values = true,
    )]
    chip: Option<Chip>,

    /// Installed device: part of its name, or its index in the list of `lanescope doctor`
    #[arg(long, value_name = "NAME|INDEX", conflicts_with = "chip", help_heading = "Speculative compile")]
    device: Option<String>,

    /// Skip the speculative compile
    #[arg(long, conflicts_with = "corpus", help_heading = "Speculative compile")]
    no_compile: bool,

    /// Dump the hashed data of all cache keys with byte offsets, not only the words that differ
    #[arg(long, alias = "words", conflicts_with = "corpus")]
    dump_keys: bool,

    /// Number of times that each measurement is repeated
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3,
        value_parser = clap::value_parser!(u32).range(1..=100),
        help_heading = "Speculative compile"
    )]
    repeats: u32,

    /// Milliseconds between module and pipeline creation [default: until the compile of the module is done]
    #[arg(
        long,
        alias = "gap",
        value_name = "MS",
        value_parser = clap::value_parser!(u64).range(0..=10_000),
        help_heading = "Speculative compile"
    )]
    pipeline_delay: Option<u64>,

    /// Folder of compiled pipelines [default: the user's cache folder]
    #[arg(long, value_name = "DIR", help_heading = "Speculative compile")]
    cache: Option<PathBuf>,

    /// Do not use the disk cache
    #[arg(long, conflicts_with = "cache", help_heading = "Speculative compile")]
    no_cache: bool,

    /// Enable the validation layer; its errors fail the command
    #[arg(long, help_heading = "Speculative compile")]
    validate: bool,

    /// Run the program with both layouts on this device, and compare all outputs
    #[arg(long, value_name = "NAME|INDEX", help_heading = "Running")]
    run: Option<String>,

    /// Seed of the contents of buffers, images and push constants
    #[arg(long, alias = "fill", value_name = "N", default_value_t = 0, help_heading = "Running")]
    seed: u64,

    /// Output format; JSON is the whole report
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// What `--search --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SearchPage<'a> {
    /// Each database, and all other files together.
    applications: &'a [Searched],
}

/// What `--timeline --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TimelinePage<'a> {
    /// Each database, and all other files together.
    applications: &'a [Timeline],
}

/// What `--vary --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct VariantsPage<'a> {
    /// The stages before the rasterizer, those with the most entries first.
    variants: &'a [Variants],
}

impl GuessLayout {
    pub fn run(&self) -> Result<Verdict, CliError> {
        if self.search {
            return self.search();
        }
        if self.vary {
            return self.vary();
        }
        if self.timeline {
            return self.timeline();
        }
        if self.corpus {
            return self.many();
        }
        let mut loader = self.analysis.loading().loader();
        let mut program = self.analysis.program(&mut loader)?;
        if let Some(file) = &self.layout {
            let (files, pipeline) = of_database(vec![file.clone()]);
            let wanted = LoadOptions { pipeline, ..LoadOptions::default() };
            let described = loader.describe(files.first().unwrap_or(file), &wanted)?;
            let Some(described) = described else {
                let message = format!("{} does not describe a pipeline layout", file.display());
                return Err(CliError::Unusable(message));
            };
            let (pipeline, input) = *described;
            adopt(&mut program, Box::new(pipeline), input);
        }
        let options = self.options(&program);
        let mut report = self.analysis.analyse(&program)?;
        report.findings.retain(|finding| !finding.code.starts_with('A'));
        report.partial = partial(&program, &options, &mut report.findings);
        report.findings.sort_by_key(|finding| finding.severity);
        if report.partial.is_empty() {
            return Err(CliError::Unusable(NOTHING.to_owned()));
        }
        if !self.no_compile {
            compile_speculatively(&program, &options, &mut report.partial, &self.ask()?)?;
        }
        let ran = self.run.as_ref().map(|device| self.both(&program, &report, device)).transpose()?;
        self.print(&report, ran.as_ref())?;
        let differs = ran.is_some_and(|ran| ran.execution.run.differs());
        Ok(if report.has_errors() || differs { Verdict::Findings } else { Verdict::Clean })
    }

    /// The options set by flags; for the others, those of the program's pipeline file.
    fn options(&self, program: &Program) -> Options {
        let options = self.analysis.options_for(program);
        Options { target: self.chip.and_then(Chip::target).unwrap_or(options.target), ..options }
    }

    fn print(&self, report: &Report, ran: Option<&Ran>) -> Result<(), CliError> {
        match self.format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                text::write_guessed_layout(report, ran, self.dump_keys, &mut out, style)?;
                out.flush()?;
            }
            Format::Json => json::print(report)?,
        }
        Ok(())
    }

    /// The driver and its options.
    fn ask(&self) -> Result<SpeculativeRequest, CliError> {
        let options = self.analysis.options();
        let with = CompileOptions { validate: self.validate, device: self.device.clone(), ..CompileOptions::default() };
        let chip = self.device.is_none().then_some(self.chip.unwrap_or(options.target.into()));
        let with = SpeculativeOptions {
            with: CompileOptions { chip, ..with },
            repeats: self.repeats,
            gap: self.pipeline_delay,
        };
        let cache = match (&self.cache, self.no_cache) {
            (_, true) => None,
            (Some(folder), _) => Some(folder.clone()),
            (None, _) => SpeculativeRequest::folder_of_user(),
        };
        Ok(SpeculativeRequest {
            with,
            limits: self.analysis.loading().limits_or(Limits::default().time),
            cache,
            stop: Stop::default(),
            child: KeptChild::default(),
        })
    }

    /// Runs the program with both layouts.
    fn both(&self, program: &Program, report: &Report, device: &str) -> Result<Ran, CliError> {
        let against = report.partial.iter().filter_map(|partial| partial.against.as_ref());
        if let Some(broken) = against.clone().flat_map(|against| &against.breaks).next() {
            let message = format!(
                "the guess does not match this pipeline, so the program cannot run with it: {}",
                broken.message()
            );
            return Err(CliError::Unusable(message));
        }
        let mut application: Vec<Described> = Vec::new();
        for one in against.flat_map(|against| Described::of(&against.application)) {
            if !application.contains(&one) {
                application.push(one);
            }
        }
        let options = self.options(program);
        let request = RunGuessRequest {
            program: program.clone(),
            groups: options.groups,
            options,
            application,
            device: DeviceOptions { device: Some(device.to_owned()), validate: self.validate, ..Default::default() },
            inputs: Inputs { fill: self.seed, ..Inputs::default() },
        };
        let mut loader = self.analysis.loading().loader();
        let limit = DeviceOptions::default().timeout.saturating_mul(2).saturating_add(SET_UP);
        match loader.child()?.ask_within(&Request::RunGuess(Box::new(request)), limit)? {
            Reply::Ran(ran) => Ok(*ran),
            _ => Err(CliError::unexpected()),
        }
    }

    /// Which guesses fit best.
    fn search(&self) -> Result<Verdict, CliError> {
        let (survey, unreadable) = self.survey(Searching::Guesses)?;
        let applications = survey.search.done();
        match self.format {
            Format::Text => self.text(|out, style| text::write_searched_guesses(&applications, out, style))?,
            Format::Json => json::print_versioned(1, &SearchPage { applications: &applications })?,
        }
        done(unreadable, applications.is_empty().then_some(NOT_DESCRIBED))
    }

    /// Which cache serves which shader.
    fn timeline(&self) -> Result<Verdict, CliError> {
        let (survey, unreadable) = self.survey(Searching::Lookups)?;
        let applications = survey.timelines.done();
        match self.format {
            Format::Text => self.text(|out, style| text::write_cache_timelines(&applications, out, style))?,
            Format::Json => json::print_versioned(1, &TimelinePage { applications: &applications })?,
        }
        done(unreadable, applications.is_empty().then_some(NOT_DESCRIBED))
    }

    /// How many location maps the stages before the rasterizer have.
    fn vary(&self) -> Result<Verdict, CliError> {
        let (survey, unreadable) = self.survey(Searching::Variants)?;
        let variants = survey.variants.done();
        match self.format {
            Format::Text => self.text(|out, style| text::write_cache_variants(&variants, out, style))?,
            Format::Json => json::print_versioned(1, &VariantsPage { variants: &variants })?,
        }
        done(unreadable, variants.is_empty().then_some("no pipeline with a fragment shader and a stage before it"))
    }

    /// Sums up what is searched over all pipelines, without a driver. Returns how many could not be read too.
    fn survey(&self, searching: Searching) -> Result<(Survey, usize), CliError> {
        self.analysis.no_spec_names("guess-layout of several pipelines")?;
        let (analysis, loading) = (&self.analysis, self.analysis.loading());
        let settings = |wanted: &LoadOptions| Settings {
            options: analysis.options(),
            own_options: analysis.own_options(),
            searching: BTreeSet::from([searching]),
            ..super::corpus::view(loading, wanted)
        };
        corpus::survey(analysis.files(), self.prefer, &analysis.wanted(), &mut loading.loader(), settings)
    }

    fn text(
        &self,
        write: impl FnOnce(&mut dyn std::io::Write, text::Style) -> std::io::Result<()>,
    ) -> Result<(), CliError> {
        let (mut out, style) = streams::styled();
        write(&mut out, style)?;
        Ok(out.flush()?)
    }

    fn many(&self) -> Result<Verdict, CliError> {
        self.analysis.no_spec_names("guess-layout of several pipelines")?;
        let SpeculativeRequest { with, limits, cache, .. } = self.ask()?;
        let (analysis, loading) = (&self.analysis, self.analysis.loading());
        let (options, own_options) = (analysis.options(), analysis.own_options());
        let settings = |wanted: &LoadOptions| {
            let view = super::corpus::view(loading, wanted);
            let load = LoadRequest { memory: limits.memory, ..view.load.clone() };
            Settings {
                options: Options { target: self.chip.and_then(Chip::target).unwrap_or(options.target), ..options },
                own_options,
                drivers: vec![Compiling { with: with.with.clone(), place: None, versions: Vec::new() }],
                speculating: Some(Speculating { with, cache: cache.map(Into::into) }),
                limits,
                load,
                // Compiles beside each other would take each other's time.
                jobs: 1,
                ..view
            }
        };
        let (files, mut loader) = (analysis.files(), loading.loader());
        let all = corpus::rows(files, self.prefer, &analysis.wanted(), &mut loader, settings)?;
        match self.format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                text::write_corpus(&all, &mut out, style)?;
                out.flush()?;
            }
            Format::Json => json::print_versioned(1, &Summary::of(&all))?,
        }
        if all.unreadable > 0 {
            return Err(CliError::Unusable(format!("{} could not be read", counted(all.unreadable, "pipeline"))));
        }
        match (all.rows.is_empty(), all.left_out.as_slice()) {
            // A compiler that died or hung is a finding.
            (_, left_out) if left_out.iter().any(|one| !one.lacking) => Ok(Verdict::Findings),
            // Nothing is measured of a driver that can do nothing here.
            (true, [first, ..]) => {
                Err(CliError::Missing(format!("no pipeline was compiled; {}: {}", first.pipeline, first.why)))
            }
            (true, []) => Err(CliError::Unusable(NOTHING.to_owned())),
            _ => Ok(Verdict::Clean),
        }
    }
}

/// The exit status of what was searched: `none` says why nothing was found.
fn done(unreadable: usize, none: Option<&str>) -> Result<Verdict, CliError> {
    match (unreadable, none) {
        (0, None) => Ok(Verdict::Clean),
        (0, Some(none)) => Err(CliError::Unusable(none.to_owned())),
        (count, _) => Err(CliError::Unusable(format!("{} could not be read", counted(count, "pipeline")))),
    }
}

/// Applies another file's layout and state to these shaders, without its constants.
fn adopt(program: &mut Program, mut pipeline: Box<Pipeline>, input: Input) {
    // Its modules are others than these, and so is what is wrong with them.
    pipeline.stages.iter_mut().for_each(|stage| stage.module = None);
    pipeline.findings.retain(|finding| finding.stage.is_none());
    pipeline.origin.input = program.inputs.len();
    program.inputs.push(input);
    program.pipeline = Some(pipeline);
}
