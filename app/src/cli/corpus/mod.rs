//! `lanescope corpus`: measures many pipelines, streams a row of each, sums up and compares.

mod against;
mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod sources;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use lanescope_core::corpus::{Comparison, Measure, Row, Threshold};
use lanescope_core::driver::{CompileOptions, Version};
use lanescope_core::load::LoadOptions;
use lanescope_core::options::Options;
use lanescope_core::program::StageKind;
use lanescope_core::text_format::counted;

use self::against::Against;
use super::args::OptionArgs;
use super::driver_args::ChosenDrivers;
use super::loading::Loading;
use super::{CliError, Verdict, json, schema};
use crate::cli::csv::CsvArgs;
use crate::cli::streams;
use lanescope_host::corpus::{
    Footer, Group, Header, Line, Merge, MergeError, Progress, ReadError, Settings, Shard, Sources, Start, Writer,
    compared, measure_all, start,
};
use lanescope_host::drivers;
use lanescope_host::flags::choices::one_of;
use lanescope_host::flags::conversion;
use lanescope_host::folders::{Prefer, is_database};
use lanescope_host::safe_write::Unfinished;
use lanescope_host::variants::Variants;
use lanescope_host::worker::{Compiling, Filter, LoadRequest};

pub const EXAMPLES: &str = "\
Examples:
  lanescope corpus .                    sums over every pipeline of a folder
  lanescope corpus effects.foz --format csv
                                        a line for each stage, with the columns of fossilize-replay
  lanescope corpus effects.foz --format jsonl -o before.jsonl
                                        a row for each pipeline, as JSON Lines
  lanescope corpus effects.foz --target gfx1100 --against before.jsonl --fail-if 'Slots>+1%'
                                        compared with that result; exit status 1 if the condition is met
  lanescope corpus effects.foz --chip gfx1100 --against chip=gfx1030
                                        a chip compared with another one: totals, helped, hurt
  lanescope corpus row_sums.comp.wgsl --variants inputs/row_sums.variants
                                        each variant of a program as a pipeline
  lanescope corpus . --format html -o report.html
                                        tables and histograms in one page
  lanescope corpus . --format jsonl -o part1.jsonl --shard 1/2
  lanescope corpus . --format jsonl -o part2.jsonl --shard 2/2
                                        a half of the pipelines on each of two machines
  lanescope corpus merge part1.jsonl part2.jsonl -o all.jsonl
                                        the shards as one result

An input is a file, a folder, a Fossilize database (.foz), `@FILE` (a list of paths, one in each line; -D, -U, -I, \
--include, --std, --target-env, --profile, --entry and --stage may follow a path), `@-` (a list on standard input) or `-` (a shader on standard input). `lanescope help corpus` explains rows, statistics and sharding.
The files are in the folder samples.

Exit status: 0 measured, 1 a condition of --fail-if is met, 2 pipelines failed or unusable input, 3 a driver, chip \
or device is not available.";

/// Arguments of `corpus`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, disable_help_subcommand = true)]
pub struct Corpus {
    #[command(subcommand)]
    command: Option<Sub>,

    #[command(flatten)]
    run: Run,
}

#[derive(Debug, Subcommand)]
enum Sub {
    /// Merges the shards of a run into one result
    Merge(MergeShards),
    /// Sums up a result, and compares it with another one
    Show(Show),
    /// Prints the JSON Schema of a result's lines
    Schema,
}

/// What is measured, and how.
#[derive(Debug, Args)]
struct Run {
    /// Files, folders, databases, `@LIST`, `@-` or `-`
    #[arg(value_name = "INPUT", required_unless_present = "build_log", conflicts_with = "pipeline")]
    inputs: Vec<PathBuf>,

    /// Measure the files that commands of glslc, glslangValidator, glslang, dxc and slangc in a build's log compile, each with
    /// its flags: text, compile_commands.json or `ninja -t compdb` (may be repeated)
    #[arg(long, value_name = "FILE", conflicts_with = "pipeline")]
    build_log: Vec<PathBuf>,

    /// Folder of relative paths in a --build-log of text [default: the working directory]
    #[arg(long, value_name = "DIR", requires = "build_log")]
    build_dir: Option<PathBuf>,

    /// Measure each input with each variant: FILE has in each line flags of sources, or a macro with its values
    /// (NAME=VALUE|VALUE), of which all combinations are made
    #[arg(long, value_name = "FILE", conflicts_with = "pipeline")]
    variants: Option<PathBuf>,

    /// Compare predicted register fields with AMD code objects: those in this folder whose .api_shader_hash means a shader
    /// of a pipeline, which has to be SPIR-V
    #[arg(long, value_name = "DIR")]
    objects: Option<PathBuf>,

    #[command(flatten)]
    what: What,

    /// Measure pipelines with this text in their name only (may be repeated)
    #[arg(long, value_name = "TEXT", help_heading = "Filters")]
    only_name: Vec<String>,

    /// Measure pipelines whose hash starts with these digits only, or one with a shader that AMD's drivers name so:
    /// Shader_0x….spv of LLPC's dumps, the 32 digits of AMDVLK's hash (may be repeated)
    #[arg(long, value_name = "HASH", help_heading = "Filters")]
    only_hash: Vec<String>,

    /// Measure pipelines with this stage only (may be repeated)
    #[arg(long, value_name = "STAGE", value_parser = conversion::stage, help_heading = "Filters")]
    only_stage: Vec<StageKind>,

    #[command(flatten)]
    options: OptionArgs,

    #[command(flatten)]
    drivers: ChosenDrivers,

    /// Pipelines that are measured at the same time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Run")]
    jobs: Option<u16>,

    /// Measure one of N parts of the corpus only
    #[arg(long, value_name = "K/N", help_heading = "Run")]
    shard: Option<Shard>,

    /// File that rows are written to as JSON Lines while the run lasts [default: the output with --format jsonl]
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    rows: Option<PathBuf>,

    /// Continue the run whose rows are in that file
    #[arg(long, help_heading = "Run", conflicts_with = "force")]
    resume: bool,

    #[command(flatten)]
    compare: Compare,

    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
struct What {
    /// What is measured: packing, orders, workgroup, registers, layout, findings, accesses, disagreements, varyings, time
    /// [default: packing, workgroup, registers, layout, findings]
    #[arg(
        long,
        value_name = "MEASURE[,MEASURE…]",
        value_delimiter = ',',
        value_parser = one_of(Measure::ALL, Measure::name),
        hide_possible_values = true,
    )]
    measure: Vec<Measure>,

    /// Form to use if a folder has both source and binary of a shader
    #[arg(long, value_enum, value_name = "source|binary", default_value = "binary", hide_possible_values = true)]
    prefer: Prefer,
}

/// What a result is compared with.
#[derive(Debug, Args)]
struct Compare {
    /// Compare with a result, a folder or a database (FILE), or with the same pipelines measured with chip=CHIP,
    /// icd=FILE, variant=VARIANT, order=ORDER or options='OPTIONS'
    #[arg(long, value_name = "FILE|KEY=VALUE", help_heading = "Comparison")]
    against: Option<Against>,

    /// Exit with status 1 if the total of a statistic changes by more than this: 'VGPRs>+1%' (may be repeated)
    #[arg(long, value_name = "CONDITION", requires = "against", help_heading = "Comparison")]
    fail_if: Vec<Threshold>,
}

/// Where the output goes.
#[derive(Debug, Args)]
struct Output {
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    #[command(flatten)]
    csv: CsvArgs,

    /// File to write to instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Overwrite files
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Jsonl,
    Csv,
    Markdown,
    Html,
    Sarif,
    Parquet,
}

#[derive(Debug, Args)]
struct MergeShards {
    /// Results of all shards
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// File to write to instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Overwrite the file
    #[arg(long, requires = "output")]
    force: bool,
}

#[derive(Debug, Args)]
struct Show {
    /// A result
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    compare: Compare,

    #[command(flatten)]
    output: Output,
}

impl From<ReadError> for CliError {
    fn from(error: ReadError) -> Self {
        CliError::Unusable(error.to_string())
    }
}

impl From<MergeError> for CliError {
    fn from(error: MergeError) -> Self {
        match error {
            MergeError::Write(error) => CliError::Output(error),
            error => CliError::Unusable(error.to_string()),
        }
    }
}

impl Corpus {
    pub fn run(&self) -> Result<Verdict, CliError> {
        match &self.command {
            None => self.run.run(),
            Some(Sub::Merge(merge)) => merge.run(),
            Some(Sub::Show(show)) => show.run(),
            Some(Sub::Schema) => {
                json::print(&schema::of::<Line>())?;
                Ok(Verdict::Clean)
            }
        }
    }
}

impl MergeShards {
    fn run(&self) -> Result<Verdict, CliError> {
        let merge = Merge::new(&self.files)?;
        match &self.output {
            None => merge.write(io::BufWriter::new(io::stdout().lock()))?,
            Some(path) => {
                let mut file = Unfinished::beside(path, self.force).map_err(|error| output::refused(path, &error))?;
                let footer = merge.write(io::BufWriter::new(&mut file.file))?;
                file.finish().map_err(|error| output::refused(path, &error))?;
                footer
            }
        };
        Ok(Verdict::Clean)
    }
}

impl Show {
    fn run(&self) -> Result<Verdict, CliError> {
        output::check(self.output.format)?;
        let before = match &self.compare.against {
            None => None,
            Some(Against::Result(before)) => Some(before.clone()),
            Some(_) => {
                let why = "--against: expected a result (pipelines are measured by `lanescope corpus INPUT`)";
                return Err(CliError::Unusable(why.to_owned()));
            }
        };
        let comparison = before.map(|before| compared(&before, &self.file)).transpose()?;
        let footer = output::write(&self.file, comparison.as_ref(), &self.output)?;
        verdict(footer, comparison.as_ref(), &self.compare.fail_if)
    }
}

impl Run {
    fn run(&self) -> Result<Verdict, CliError> {
        self.options.check_target()?;
        output::check(self.output.format)?;
        let is_streamed = self.output.format == Format::Jsonl && self.rows.is_none();
        let rows = self.rows.as_ref().or(self.output.output.as_ref().filter(|_| is_streamed));
        if self.resume && rows.is_none() {
            let why = "--resume: no file to continue (expected --rows FILE, or --format jsonl -o FILE)";
            return Err(CliError::Unusable(why.to_owned()));
        }
        let mut loader = self.options.loading().loader();
        let wanted = self.options.wanted();
        let mut groups = if self.inputs.is_empty() { Vec::new() } else { sources::groups(&self.inputs)? };
        groups.extend(sources::of_build_logs(&self.build_log, self.build_dir.as_deref().unwrap_or(Path::new("")))?);
        let variants = self.variants.as_ref().map(|file| Variants::read(file)).transpose();
        let variants = variants.map_err(CliError::Unusable)?;
        let with_variants = |groups: Vec<Group>| match &variants {
            Some(variants) => variants.times(groups),
            None => groups,
        };
        let groups = with_variants(groups);
        let (sources, wanted) = sources::find_groups(groups, self.what.prefer, &wanted, &mut loader)?;
        // A folder or a database that is measured the same way.
        let other_sources = match &self.compare.against {
            Some(Against::Result(path)) if path.is_dir() || (is_database(path) && path.is_file()) => {
                let groups = with_variants(sources::groups(std::slice::from_ref(path))?);
                Some(sources::find_groups(groups, self.what.prefer, &wanted, &mut loader)?.0)
            }
            _ => None,
        };
        drop(loader);
        let settings = self.settings(self.options.loading().how().request(&[], &wanted))?;
        let before = match &self.compare.against {
            None => None,
            Some(against) => Some(against.side(&settings)?),
        };
        settings.start_drivers()?;
        before.iter().flatten().try_for_each(Settings::start_drivers)?;

        if let (None, None, true) = (rows, &self.compare.against, is_streamed) {
            let footer = self.to_stdout(&settings, &sources)?;
            return verdict(footer, None, &[]);
        }
        let temporary;
        let file: &Path = match rows {
            Some(file) => file,
            None => {
                temporary = scratch()?;
                temporary.path()
            }
        };
        self.to_file(file, &settings, &sources, rows.is_none())?;
        let measured = |side: &Settings, sources: &Sources| -> Result<(Comparison, Option<Footer>), CliError> {
            let other = scratch()?;
            let footer = self.to_file(other.path(), side, sources, true)?;
            Ok((compared(other.path(), file)?, footer))
        };
        let (comparison, footer_before) = match (&self.compare.against, before, other_sources) {
            (Some(Against::Result(_)), _, Some(sources)) => Some(measured(&settings, &sources)?),
            (Some(Against::Result(before)), ..) => Some((compared(before, file)?, None)),
            (_, Some(Some(side)), _) => Some(measured(&side, &sources)?),
            _ => None,
        }
        .unzip();
        let footer = match (is_streamed, &self.output.output) {
            // The file of rows is the output.
            (true, Some(_)) => output::tell(file, comparison.as_ref())?,
            _ => output::write(file, comparison.as_ref(), &self.output)?,
        };
        match (verdict(footer, comparison.as_ref(), &self.compare.fail_if)?, footer_before.flatten()) {
            // The result does not count the failures of the other side.
            (Verdict::Clean, Some(before)) => failures(before, "--against: "),
            (verdict, _) => Ok(verdict),
        }
    }

    fn settings(&self, load: LoadRequest) -> Result<Settings, CliError> {
        self.options.no_spec_names("corpus")?;
        if let Some(folder) = self.objects.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(CliError::Unusable(format!("{}: not a folder with code objects", folder.display())));
        }
        let (limits, options) = (self.options.loading(), self.options.options());
        let measures = match self.what.measure.as_slice() {
            [] => Measure::USUAL.into_iter().collect(),
            some => some.iter().copied().collect(),
        };
        let mut settings = Settings {
            load,
            measures,
            own_options: self.options.own_options(),
            filter: Filter {
                names: self.only_name.clone(),
                hashes: self.only_hash.iter().map(|hash| hash.to_lowercase()).collect(),
                stages: self.only_stage.clone(),
            },
            drivers: Vec::new(),
            speculating: None,
            objects: self.objects.as_ref().map(|folder| folder.clone().into_os_string()),
            searching: BTreeSet::new(),
            started: Arc::default(),
            limits: limits.child_limits(),
            in_process: limits.is_in_process(),
            jobs: self.jobs.map_or_else(jobs, usize::from),
            options,
        };
        if self.drivers.names_one() {
            let all = self.drivers.drivers(&settings.options)?;
            let statistics_only = !settings.measures.iter().any(|measure| measure.is_of_texts());
            let mut drivers = compiling(&all, self.drivers.versions());
            for driver in &mut drivers {
                (driver.with.keep_device, driver.with.statistics_only) = (true, statistics_only);
            }
            settings.drivers = drivers;
            settings.limits = limits.limits_or(drivers::TIME);
            settings.load.memory = settings.limits.memory;
        }
        Ok(settings)
    }

    /// Measures the pipelines into a file of rows, or those that are left. No footer where none were left.
    fn to_file(
        &self,
        file: &Path,
        settings: &Settings,
        sources: &Sources,
        is_scratch: bool,
    ) -> Result<Option<Footer>, CliError> {
        let header = Header::of(settings, sources, self.shard);
        match start(file, &header, self.resume && !is_scratch, self.output.force || is_scratch)? {
            Start::Done => Ok(None),
            Start::From(writer, from) => self.measure(writer, settings, sources, from).map(Some),
        }
    }

    fn to_stdout(&self, settings: &Settings, sources: &Sources) -> Result<Footer, CliError> {
        let writer = Writer::new(io::stdout(), &Header::of(settings, sources, self.shard))?;
        self.measure(writer, settings, sources, 0)
    }

    fn measure<W: Write>(
        &self,
        mut writer: Writer<W>,
        settings: &Settings,
        sources: &Sources,
        from: u64,
    ) -> Result<Footer, CliError> {
        run(settings, sources, self.shard, from, |rows| writer.rows(&rows))?;
        Ok(writer.end()?)
    }
}

/// Jobs where nothing is said: one for each processor.
fn jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The drivers with the names that rows give them.
fn compiling(all: &[CompileOptions], versions: &[Version]) -> Vec<Compiling> {
    let icds = all.iter().filter_map(|with| with.icd.as_ref()).collect::<BTreeSet<_>>();
    let place = |with: &CompileOptions| {
        let place = with.chip.map(|chip| chip.to_string()).or_else(|| with.device.clone());
        let icd = with.icd.as_ref().filter(|_| icds.len() > 1);
        match icd.and_then(|icd| icd.file_stem()) {
            Some(icd) => Some(format!("{} {}", place.unwrap_or_default(), icd.to_string_lossy()).trim().to_owned()),
            None => place,
        }
    };
    all.iter().map(|with| Compiling { with: with.clone(), place: place(with), versions: versions.to_vec() }).collect()
}

/// A file of rows for this run alone.
fn scratch() -> Result<tempfile::NamedTempFile, CliError> {
    let made = tempfile::Builder::new().prefix("lanescope-corpus-").suffix(".jsonl").tempfile();
    made.map_err(|error| {
        CliError::Unusable(format!("{}: no file for rows can be made: {error}", std::env::temp_dir().display()))
    })
}

/// The exit status of a result.
fn verdict(footer: Footer, comparison: Option<&Comparison>, conditions: &[Threshold]) -> Result<Verdict, CliError> {
    let mut is_met = false;
    for (condition, comparison) in conditions.iter().filter_map(|condition| Some((condition, comparison?))) {
        let mut totals = comparison.totals_of(&condition.name).peekable();
        if totals.peek().is_none() {
            let known: Vec<String> = comparison.totals().map(|(title, _)| title).collect();
            let why =
                format!("--fail-if: no statistic `{}` was compared (known: {})", condition.name, known.join(", "));
            return Err(CliError::Unusable(why));
        }
        for (title, total) in totals.filter(|(_, total)| condition.is_met(total)) {
            is_met = true;
            let of = if title == condition.name { String::new() } else { format!(" ({title})") };
            streams::tell(&format!("{condition}{of}: {}", total.line()));
        }
    }
    if is_met {
        return Ok(Verdict::Findings);
    }
    failures(footer, "")
}

/// An error where pipelines failed, after `of`: the side that they are of.
fn failures(footer: Footer, of: &str) -> Result<Verdict, CliError> {
    match footer.failed {
        0 => Ok(Verdict::Clean),
        failed => {
            let all = counted(footer.rows, "pipeline");
            Err(CliError::Unusable(format!("{of}{failed} of {all} failed")))
        }
    }
}

/// Settings of a command that is a view of a corpus: without a driver, with the usual options.
pub fn view(limits: &Loading, wanted: &LoadOptions) -> Settings {
    Settings {
        load: limits.how().request(&[], wanted),
        measures: BTreeSet::new(),
        options: Options::default(),
        own_options: true,
        filter: Filter::default(),
        drivers: Vec::new(),
        speculating: None,
        objects: None,
        searching: BTreeSet::new(),
        started: Arc::default(),
        limits: limits.child_limits(),
        in_process: limits.is_in_process(),
        jobs: jobs(),
    }
}

/// Gets the rows of pipelines, in order, with the progress on standard error where that is a terminal.
pub fn each_row(settings: &Settings, sources: &Sources, mut take: impl FnMut(Row)) -> Result<(), CliError> {
    run(settings, sources, None, 0, |rows| {
        rows.into_iter().for_each(&mut take);
        Ok(())
    })
}

fn run(
    settings: &Settings,
    sources: &Sources,
    shard: Option<Shard>,
    from: u64,
    mut take: impl FnMut(Vec<Row>) -> io::Result<()>,
) -> Result<(), CliError> {
    let to = io::stderr();
    let to = to.is_terminal().then_some(to);
    let mut progress = Progress::new(to, sources.count(shard, from));
    let done = measure_all(settings, sources.items(shard, from), |count, rows| {
        progress.add(count as u64, rows.iter().filter(|row| row.has_failed()).count() as u64);
        take(rows)
    });
    progress.end();
    Ok(done?)
}

pub use sources::find as find_sources;
