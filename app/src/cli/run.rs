//! `lanescope run`: a program on a device or in the interpreter, and what it wrote.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::amber::Script;
use lanescope_core::findings::Severity;
use lanescope_core::load::LoadOptions;
use lanescope_core::options::{DerivativesBy, Options};
use lanescope_core::report::Report;
use lanescope_core::run::graph::GraphRun;
use lanescope_core::run::{self, Blob, Ran};
use lanescope_inspector::command::{Output, OutputFile};
use lanescope_inspector::settings::Passes;
use lanescope_pictures::picture::{PNG, PngError};
use schemars::JsonSchema;
use serde::Serialize;

use super::args::{self, Analysis};
use super::explicit_flags::Given;
use super::graph_start::{self, Library};
use super::input_args::InputArgs;
use super::on_device::{Device, Format, OnDevice};
use super::run_graph::{GraphArguments, Where};
use super::run_script::{self, CommandHost};
use super::{CliError, Verdict, json, serious, tell_findings};
use crate::cli::streams;
use lanescope_host::flags::choices::one_of;
use lanescope_host::inputs::Contents;
use lanescope_host::outputs;
use lanescope_host::rewriting::NamedFile;
use lanescope_host::safe_write::write_files;
use lanescope_host::saved_runs::only_run;
use lanescope_host::scripts::{ScriptReport, Scripted};
use lanescope_host::worker::{Client, Reply, Request, RunRequest, SET_UP};
use lanescope_text as text;

pub const EXAMPLES: &str = "\
Examples:
  lanescope run tile_16x16.comp --groups 4,4,1
  lanescope run dxil/prefix_sum.cs.dxil --buffer t0=inputs/numbers.bin --zeros
                                        one buffer from a file, all others zero
  lanescope run particles_1024.comp --buffer 0:0=4096
                                        a buffer of 4096 bytes with default contents
  lanescope run lit_surface.vert lit_surface.frag --push 'world[0]=1,0,0,0; vec4 world[3]=0,0,0,1'
                                        push constants by name
  lanescope run tile_16x16.comp --seed 7 --validate -o results
  lanescope run lit_surface.vert lit_surface.frag
                                        original and packed, compared sample by sample
  lanescope run half_precision.vert half_precision.frag --widen
                                        16-bit varyings carried as 32-bit ones
  lanescope run tile_16x16.comp --original-only
                                        the original shader only
  lanescope run quad_derivatives.comp --derivatives-by quad
                                        the device's derivatives compared with computed ones
  lanescope run tile_16x16.comp --device interpreter
                                        without a device, on the predicted lane map; data races and other
                                        errors are findings
  lanescope run tile_16x16.comp --against tile_16x16.comp
                                        any two programs
  lanescope run work_graphs/01_tile_classify.dxil
                                        a work graph, generation by generation
  lanescope run work_graphs/07_wide_dag.dxil --until 2
                                        up to generation 2
  lanescope run work_graphs/scenarios/01_counter_box.dxil --input inputs/boxes.json
                                        records from a file; inputs/boxes.csv has the same
  lanescope run work_graphs/01_tile_classify.dxil --break 'Material[2]: f0 >= 100'
                                        up to the generation whose records meet a condition
  lanescope run work_graphs/07_wide_dag.dxil --save wide.lanescope-run
                                        the run with all its records, saved to a file
  lanescope run work_graphs/07_wide_dag.dxil --resume wide.lanescope-run --from 2
                                        resumed from generation 2; --edit changes its records

The files are in the folder samples.

Records of a work graph are JSON: members by name (f0, f1, … without debug information), or 32-bit words:
  { \"records\": [ { \"f0\": 1, \"SV_DispatchGrid\": [2, 1, 1] }, [1, 2, 1, 1] ] }
Several entry points, and empty records, which are only counted:
  { \"inputs\": [ { \"entry\": \"A\", \"records\": […] }, { \"entry\": \"B[1]\", \"count\": 4 } ] }
A file that starts with neither { nor [ is CSV (a line of member names, then one line per record) or the records' bytes.
Local root arguments are a table of the nodes' parameters, and the buffers that it names:
  { \"buffers\": { \"buf\": 4096 }, \"table\": [ [\"buf\", 30, 20], [\"buf\", 40, 50] ] }

Contents without a file depend on --seed, set, binding and offset only, so a run can be repeated; --zeros makes them \
zero. --push sets members of the push constant block by name (light.color=1,0,0; rows[1]=2,3; a type before \
the name is checked) and keeps the others. A DXIL register (u0, or t3,space1) names its descriptor, u0[2] one element of a descriptor array. A file for \
an image contains the texels of the first level, or of all levels.

A difference in a shader whose results depend on execution order is shown, and does not change the exit status. Work graph flags are rejected for \
other shaders, and other flags for work graphs.

Exit status: 0 success, 1 findings of severity error, or outputs that differ, 2 unusable input or a run that failed, \
3 the device is not available, or lacks what the shader needs.";

/// Arguments of `run`.
#[derive(Debug, Args)]
pub struct Run {
    #[command(flatten)]
    given: Given,

    #[command(flatten)]
    analysis: Analysis,

    #[command(flatten)]
    on: OnDevice,

    #[command(flatten)]
    input: InputArgs,

    /// Run these shaders too, with the same inputs, and compare every byte (may be repeated)
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    against: Vec<PathBuf>,

    /// Skip the rewritten shaders (packed inputs, swizzled ids) and the comparison
    #[arg(long, conflicts_with = "against", help_heading = "Run")]
    original_only: bool,

    /// Carry 8- and 16-bit varyings as 32-bit ones, in both programs
    #[arg(long, conflicts_with_all = ["against", "original_only"], help_heading = "Run")]
    widen: bool,

    /// How the rewritten compute shader computes derivatives; also the original if the device has none
    #[arg(
        long,
        value_name = "auto|native|quad|shuffle",
        default_value = "auto",
        help_heading = "Run",
        value_parser = one_of(DerivativesBy::ALL, DerivativesBy::name),
        hide_possible_values = true,
    )]
    derivatives_by: DerivativesBy,

    /// Folder to write all buffers and images and run.json to
    #[arg(short, long, alias = "out", value_name = "DIR", help_heading = "Run")]
    output: Option<PathBuf>,

    /// Overwrite existing files (--output, --save)
    #[arg(long, help_heading = "Run")]
    force: bool,

    #[command(flatten)]
    graph: GraphArguments,

    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Flags that a work graph's run accepts besides its own.
pub(super) const OF_ANY_RUN: [&str; 23] = [
    "--read-within",
    "--pipeline",
    "--entry",
    "--overrides",
    "--isolate",
    "--in-process",
    "--memory",
    "--device",
    "--validate",
    "--timeout",
    "--seed",
    "--zeros",
    "--buffer",
    "--output",
    "--force",
    "--format",
    "--profile",
    "--hlsl-compiler",
    "--define",
    "--undefine",
    "--include-dir",
    "--dxc-arg",
    "--slang-arg",
];

/// The report, including the run.
#[derive(Serialize, JsonSchema)]
pub struct RunReport<'r> {
    #[serde(flatten)]
    report: &'r Report,
    run: &'r run::Run,
}

impl<'r> RunReport<'r> {
    /// The report of a program that was run.
    pub(super) fn of(report: &'r Report, ran: &'r Ran) -> RunReport<'r> {
        RunReport { report, run: &ran.execution.run }
    }
}

/// What files make of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    /// A program, or a script.
    Program,
    /// A work graph.
    Graph,
}

/// What a run led to.
pub(super) enum Outcome {
    /// Of an Amber script.
    Script(Box<ScriptReport>),
    /// Of a work graph.
    Graph(Box<GraphRun>),
    /// Of a program: its report, and what it wrote.
    Program(Box<(Report, Ran)>),
}

impl Outcome {
    /// Whether a check failed, a finding is an error, or outputs differ.
    pub(super) fn has_findings(&self) -> bool {
        match self {
            Outcome::Script(report) => !report.run.is_clean(),
            Outcome::Graph(run) => run.has_errors(),
            Outcome::Program(program) => {
                let (report, Ran { execution: done, .. }) = &**program;
                let broken = done.run.findings.iter().any(|finding| finding.severity == Severity::Error);
                broken || done.run.differs() || report.has_errors()
            }
        }
    }
}

impl Run {
    pub fn run(&self) -> Result<Verdict, CliError> {
        // A child runs it; what it wrote is held here.
        let _watchdog = self.analysis.loading().memory_watchdog("run");
        let outcome = self.outcome(|_| Ok(()))?;
        match &outcome {
            Outcome::Script(report) => run_script::print(self.analysis.files(), report, self.format)?,
            Outcome::Graph(run) => self.graph.print(run, self.format)?,
            Outcome::Program(program) => self.print(&program.0, &program.1)?,
        }
        Ok(if outcome.has_findings() { Verdict::Findings } else { Verdict::Clean })
    }

    fn print(&self, report: &Report, ran: &Ran) -> Result<(), CliError> {
        match self.format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                text::write_run(&ran.execution, &mut out, style)?;
                out.flush()?;
                tell_findings(serious(&report.findings));
            }
            Format::Json => json::print(&RunReport::of(report, ran))?,
        }
        Ok(())
    }

    /// Records of a work graph that are shown of each node.
    pub(super) fn shown(&self) -> u64 {
        self.graph.shown()
    }

    /// The files.
    pub(super) fn files(&self) -> &[PathBuf] {
        self.analysis.files()
    }

    /// Runs the program, and writes the files that are asked for. `admit` is asked once it is known what would run.
    pub(super) fn outcome(&self, admit: impl Fn(Runs) -> Result<(), CliError>) -> Result<Outcome, CliError> {
        if self.force && self.output.is_none() && !self.graph.saves() {
            return Err(CliError::Unusable("--force: nothing is written without --output or --save".to_owned()));
        }
        // Before anything is started: a file that cannot be read is reported at once.
        let contents = self.input.read()?;
        let on = self.on.limited(self.analysis.loading());
        let mut loader = self.analysis.loading().loader().and_time(SET_UP);
        self.check_files()?;
        if let [file] = self.analysis.files()
            && let Some(script) = run_script::of_file(file)?
        {
            admit(Runs::Program)?;
            let report = self.run_script(file, &script, CommandHost { loader: &mut loader, on: &on })?;
            return Ok(Outcome::Script(Box::new(report)));
        }
        let loaded = self.analysis.program(&mut loader);
        if let [_] = self.analysis.files()
            && let Some(library) = graph_start::library(&self.analysis, &mut loader, &loaded)
        {
            admit(Runs::Graph)?;
            let run = self.run_graph(library, &contents, loader.child()?, &on)?;
            return Ok(Outcome::Graph(Box::new(run)));
        }
        let program = loaded?;
        admit(Runs::Program)?;
        if let [file] = self.analysis.files() {
            self.no_graph(&file.display().to_string())?;
        }
        let report = self.analysis.report_of(&program)?;
        args::some_stage(&program, &report)?;
        let (widen, derivatives_by) = (self.widen, self.derivatives_by);
        let options = Options { widen, derivatives_by, ..self.analysis.options_for(&program) };
        let groups = options.groups;
        let inputs = self.input.inputs(&contents, &program)?;
        let wanted = LoadOptions { pipeline: None, ..LoadOptions::of(&options) };
        let against = match self.against.as_slice() {
            [] => None,
            files => Some(loader.load(files, &wanted)?.program),
        };
        let rewritten = (!self.original_only).then_some(Passes::ALL);
        let request = RunRequest { program, against, rewritten, options, device: on.options(), groups, inputs };
        // The program, and what it is compared with.
        let runs = if self.original_only { 1 } else { 2 };
        let Reply::Ran(ran) = on.ask(loader.child()?, &Request::Run(Box::new(request)), runs)? else {
            return Err(CliError::unexpected());
        };
        if let Some(folder) = &self.output {
            export(folder, self.force, &ran, &RunReport::of(&report, &ran))?;
        }
        Ok(Outcome::Program(Box::new((report, *ran))))
    }

    /// Runs an Amber script, which states everything but the device.
    fn run_script(&self, file: &Path, script: &Script, host: CommandHost<'_>) -> Result<ScriptReport, CliError> {
        let mut others = self.given.flags::<Run>();
        others.retain(|flag| !run_script::FLAGS.contains(&flag.as_str()));
        if !others.is_empty() {
            let others = others.join(", ");
            return Err(CliError::Unusable(format!(
                "{}: {others} cannot be used with an Amber script",
                file.display()
            )));
        }
        let (wanted, options) = (self.analysis.wanted(), self.analysis.options());
        let of = Scripted { file, script, wanted: &wanted, options: &options };
        run_script::run(of, host, run_script::limits(self.analysis.loading()))
    }

    /// Rejects files that cannot be run.
    fn check_files(&self) -> Result<(), CliError> {
        let [file] = self.analysis.files() else { return self.no_graph("several files") };
        if let Some(saved) = only_run(std::slice::from_ref(file)) {
            let message = format!(
                "{}: is a saved run; `lanescope inspect` shows it, and `lanescope run LIBRARY --resume` continues it",
                saved.display()
            );
            return Err(CliError::Unusable(message));
        }
        Ok(())
    }

    /// Runs a library's work graph.
    fn run_graph(
        &self,
        library: Library<'_>,
        contents: &Contents,
        child: &mut Client,
        on: &Device,
    ) -> Result<GraphRun, CliError> {
        let options = self.analysis.options();
        let of_graphs = self.given.flags::<GraphArguments>();
        let mut others = self.given.flags::<Run>();
        others.retain(|flag| !of_graphs.contains(flag) && !OF_ANY_RUN.contains(&flag.as_str()));
        if !others.is_empty() {
            let others = others.join(", ");
            let name = self.analysis.files().first().map(|file| file.display().to_string()).unwrap_or_default();
            return Err(CliError::Unusable(format!("{name}: {others} cannot be used with a work graph")));
        }
        let entry = graph_start::entry_of(&options)?;
        let inputs = self.input.inputs(contents, &library.program)?;
        let to = Where { child, on, out: self.output.as_deref(), force: self.force };
        let overrides = options.overrides.over(&library.program.overrides);
        self.graph.run(library, &overrides, entry, inputs, to)
    }

    /// Rejects flags that only work graphs accept.
    fn no_graph(&self, what: &str) -> Result<(), CliError> {
        let mut flags = self.given.flags::<GraphArguments>();
        flags.extend(self.given.flags::<Analysis>().into_iter().filter(|flag| flag == "--overrides"));
        if flags.is_empty() {
            return Ok(());
        }
        let message = format!("{what}: not a work graph, so {} cannot be used", flags.join(", "));
        Err(CliError::Unusable(message))
    }
}

/// Writes contents as `NAME.bin`, buffers as typed `NAME.json` too, attachments and images as `NAME.png` (each layer as
/// `NAME.layer2.png` where there are several), their differences as `NAME.difference.png`, and the report as
/// `run.json`. Writes nothing if one of the files exists, unless `force` is set.
fn export(folder: &Path, force: bool, ran: &Ran, whole: &RunReport<'_>) -> Result<(), CliError> {
    let run = &ran.execution.run;
    let mut wanted: Vec<(&str, u32, OutputFile)> = Vec::new();
    let is_picture =
        |(_, _, what): &(&str, u32, OutputFile)| matches!(what, OutputFile::Png | OutputFile::DifferencePng);
    let attachments = run.attachments.iter().map(|attachment| attachment.surface());
    let images = run.images.iter().flat_map(|image| (0..image.planes()).filter_map(|plane| image.surface(plane)));
    for surface in attachments.chain(images) {
        wanted.push((surface.name, surface.plane, OutputFile::Png));
        // Runs whose attachments or images are of other sizes or kinds have no picture of their difference.
        let difference = |against| run::difference(&ran.execution, against, &surface, None);
        if ran.against.as_ref().and_then(difference).is_some() {
            wanted.push((surface.name, surface.plane, OutputFile::DifferencePng));
        }
    }
    wanted.extend(ran.execution.data.keys().map(|name| (name.as_str(), 0, OutputFile::Binary)));
    wanted.extend(run.buffers.iter().map(|buffer| (buffer.name.as_str(), 0, OutputFile::Json)));
    if !PNG && wanted.iter().any(is_picture) {
        streams::tell(&format!("note: no pictures: {}", PngError::NotBuilt));
        wanted.retain(|output| !is_picture(output));
    }
    let mut files: Vec<NamedFile> = Vec::new();
    for (name, plane, what) in wanted {
        let output = Output { name: name.to_owned(), what, rewritten: false, plane };
        let (name, bytes) = outputs::file(ran, &output).map_err(CliError::Unusable)?;
        files.push((name, Blob(bytes)));
    }
    let mut text = Vec::new();
    json::write(whole, &mut text)?;
    files.push(("run.json".to_owned(), Blob(text)));
    Ok(write_files(folder, &files, force)?)
}
