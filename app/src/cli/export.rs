//! `lanescope export`: a program, what it runs with and what it leaves, as a file for other programs.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::amber::script::ShaderFormat;
use lanescope_core::amber::{self, Script};
use lanescope_core::findings::Severity;
use lanescope_core::gpu::{GpuError, default_dispatch, interpret, position_of, starting};
use lanescope_core::graph::graph;
use lanescope_core::load::LoadOptions;
use lanescope_core::options::{Options, TargetEnv, WaveChoice};
use lanescope_core::program::{Format, Program, Stage, StageKind};
use lanescope_core::run::inputs::Inputs;
use lanescope_core::run::{Blob, order_dependence};
use lanescope_core::script::export::{
    ExportError, Exported, ShaderText, Tolerated, constants, export, has_end, has_glsl_target,
    is_same_of_another_version, without_names,
};
use lanescope_core::script::{Ended, Limits, ScriptRun};
use lanescope_core::specialised;
use lanescope_core::text_format::counted;

use super::args::{self, Analysis};
use super::input_args::InputArgs;
use super::loading::Loader;
use super::on_device::{Device, OnDevice, TIME};
use super::run_script::{self, ScriptHost};
use super::{CliError, Verdict, tell_findings, text};
use lanescope_host::safe_write::write_file;
use lanescope_host::scripts;
use lanescope_host::worker::SET_UP;

pub const EXAMPLES: &str = "\
Examples:
  lanescope export --amber tile_16x16.comp -o tile.amber
                                        the shader, its inputs, a dispatch, and checks of what the interpreter computes
  lanescope export --amber particles_1024.comp --seed 7 --groups 1,1,1 -o particles.amber
                                        with the inputs of `run`
  lanescope export --amber flat_and_smooth.vert flat_and_smooth.frag --size 16x16 -o flat.amber
                                        a draw, and checks of its attachments
  lanescope export --amber lit_surface.vert lit_surface.frag --first-level -o lit.amber
                                        a script has images of one level: this one has the first level of them
  lanescope export --amber odd_size.comp --device 0 -o odd_size.amber
                                        checks of what a device computes

The files are in the folder samples.

An Amber script is what Vulkan's conformance tests and drivers' test suites run: the form in which a driver's error is reported. \
`lanescope run FILE.amber` runs it too. Shaders are SPIR-V assembly, and GLSL where the file is GLSL that includes nothing. \
Integers and packed formats are compared exactly. Floating point numbers may differ by 1/10000 of the greatest one of their \
check (1/250 for 16 bits, 1/100 where images are filtered); numbers above 10 are in one check only with numbers that this is a \
small part of. Normalized ones may differ by one step. --tolerance sets another value. A draw is run again with its picture \
moved by 1/256 of a pixel: numbers may differ by four times what that changes, and what it changes much, such as pixels at \
edges, is not checked. Numbers in a buffer of words are compared exactly. What a script cannot state is an error that names it. \
The written script is run once more before it is kept.

Exit status: 0 written, 1 written with findings of severity error, without any check, or with results that are not the same in a \
second run, 2 unusable input or an existing file, 3 what an Amber script or its run does not have, or the device lacks.";

/// Arguments of `export`.
#[derive(Debug, Args)]
pub struct Export {
    #[command(flatten)]
    analysis: Analysis,

    #[command(flatten)]
    on: OnDevice,

    #[command(flatten)]
    input: InputArgs,

    /// Write an Amber script
    #[arg(long, required = true)]
    amber: bool,

    /// How far floating point results may differ [default: 1/10000 of the greatest one in their check]
    #[arg(long, value_name = "NUMBER", value_parser = tolerance, help_heading = "Run")]
    tolerance: Option<f64>,

    /// Write the first level of images that have several, which a script has no contents for
    #[arg(long, help_heading = "Run")]
    first_level: bool,

    /// File to write
    #[arg(short, long, value_name = "FILE.amber")]
    output: PathBuf,

    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

/// Parses a tolerance.
fn tolerance(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|error| format!("expected a number: {error}"))?;
    match value.is_finite() && value >= 0.0 {
        true => Ok(value),
        false => Err("expected a number of 0 or more".to_owned()),
    }
}

/// A script with the runs that made it.
struct Checked {
    text: String,
    first: ScriptRun,
    second: ScriptRun,
}

impl Export {
    pub fn run(&self) -> Result<Verdict, CliError> {
        debug_assert!(self.amber);
        let contents = self.input.read()?;
        if self.output.exists() && !self.force {
            return Err(CliError::Unusable(format!("{}: exists (use --force to overwrite)", self.output.display())));
        }
        let on = self.on.or_interpreter().within(self.analysis.loading().time_or(TIME));
        let mut loader = self.analysis.loading().loader().and_time(SET_UP);
        let program = self.analysis.program(&mut loader)?;
        let report = self.analysis.report_of(&program)?;
        if graph(&program, &Default::default()).is_some() {
            return Err(CliError::Missing("an Amber script cannot be written: a work graph".to_owned()));
        }
        args::some_stage(&program, &report)?;
        let options = self.analysis.options_for(&program);
        self.check_waves(&program, &options)?;
        let inputs = self.input.inputs(&contents, &program)?;
        let mut exported = self.export(&program, &options, &inputs, &mut loader)?;
        let Checked { text, first, second } = self.checked(&mut exported, &mut loader, &on)?;
        write_file(&self.output, text.as_bytes(), self.force)?;
        let mut out = io::stdout().lock();
        let checks = counted(second.checks, "check");
        let by = computed_by(&on);
        writeln!(out, "{}: {checks} of what {by} computes; read back and run", self.output.display())?;
        for note in &exported.notes {
            writeln!(out, "  {}", text::plain(note))?;
        }
        for why in depends_on(&program) {
            writeln!(out, "  the results may not be the same everywhere: {}", text::plain(&why))?;
        }
        if second.checks == 0 {
            let why = if exported.written.is_empty() { ": the program writes nothing" } else { "" };
            writeln!(out, "  nothing is checked{why}")?;
        }
        let failed = second.failures.len();
        if failed > 0 {
            writeln!(
                out,
                "  {} failed in a second run: the results are not always the same",
                counted(failed, "check")
            )?;
        }
        let found = first.findings.iter().map(|found| &found.finding);
        tell_findings(found.clone());
        let is_wrong =
            failed > 0 || second.checks == 0 || found.clone().any(|finding| finding.severity == Severity::Error);
        Ok(if is_wrong || report.has_errors() { Verdict::Findings } else { Verdict::Clean })
    }

    /// Refuses a wave size, whoever chose it.
    fn check_waves(&self, program: &Program, options: &Options) -> Result<(), CliError> {
        let is_chosen = |stage: &&Stage| program.options_of_stage(options, stage.stage).wave != WaveChoice::Auto;
        let what = match program.stages.iter().find(is_chosen) {
            _ if self.analysis.options().wave != WaveChoice::Auto => "--wave".to_owned(),
            Some(stage) => format!("the wave size of the {} shader in the pipeline file", stage.stage),
            None => return Ok(()),
        };
        let why = "the device chooses the wave size of a script's run";
        Err(CliError::Missing(format!("an Amber script cannot be written: {what}: {why}")))
    }

    /// The script without its checks.
    fn export(
        &self,
        given: &Program,
        options: &Options,
        inputs: &Inputs,
        loader: &mut Loader,
    ) -> Result<Exported, CliError> {
        let program = specialised(given, options).map_err(|error| CliError::Unusable(error.to_string()))?;
        let inputs = Inputs { position: position_of(given), ..inputs.clone() };
        let earlier = self.of_earlier_version(given, loader);
        let mut texts = Vec::new();
        for stage in &given.stages {
            texts.push(self.shader((given, earlier.as_ref()), &program, stage, loader)?);
        }
        let groups = match options.groups {
            Some(groups) => groups,
            None => default_dispatch(&program, &inputs).map_err(gpu)?.map_or([1; 3], |dispatch| dispatch.groups),
        };
        let mut start = starting(&program, &inputs).map_err(gpu)?;
        if self.first_level {
            start.keep_first_levels();
        }
        export(&program, texts, &start, groups, &inputs).map_err(|error| match error {
            ExportError::Gpu(error) => gpu(error),
            error => CliError::Missing(error.to_string()),
        })
    }

    /// The text of a stage's shader: its source where that is all of it, else assembly.
    fn shader(
        &self,
        (given, earlier): (&Program, Option<&Program>),
        program: &Program,
        stage: &Stage,
        loader: &mut Loader,
    ) -> Result<ShaderText, CliError> {
        let loaded = &given.modules[stage.module];
        let set = constants(&loaded.module, program.module_of(stage));
        let is_glsl = given.inputs.get(loaded.input).is_some_and(|input| input.format == Format::Glsl);
        let is_whole = loaded.includes.is_empty() && stage.entry == "main" && self.has_no_source_options();
        let source = loaded.source.as_ref().filter(|text| is_glsl && is_whole && !has_end(text));
        let compiled = [Some(given), earlier].into_iter().flatten().filter_map(|one| one.modules.get(stage.module));
        let mut compiled = compiled.map(|one| &one.module).filter(|module| has_glsl_target(module));
        let compiled = compiled.find(|module| is_same_of_another_version(module, &loaded.module));
        if let (Some(source), Some(constants), Some(compiled)) = (source, &set, compiled) {
            let (format, text, version) = (ShaderFormat::Glsl, source.clone(), compiled.version());
            return Ok(ShaderText { format, text, version, constants: constants.clone() });
        }
        // Values that a script cannot set are those of the text.
        let module = if set.is_some() { &loaded.module } else { program.module_of(stage) };
        let mut text = loader.disassemble(module, &stage.entry, None).map_err(CliError::Unusable)?;
        if has_end(&text) {
            let plain = without_names(module).map_err(|error| CliError::Unusable(error.to_string()))?;
            text = loader.disassemble(&plain, &stage.entry, None).map_err(CliError::Unusable)?;
        }
        let (format, version) = (ShaderFormat::SpirvAsm, module.version());
        Ok(ShaderText { format, text, version, constants: set.unwrap_or_default() })
    }

    /// The program as it compiles for a version of Vulkan that GLSL of a script has a target for, where it has none for
    /// that of the program.
    fn of_earlier_version(&self, given: &Program, loader: &mut Loader) -> Option<Program> {
        let is_later = given.modules.iter().any(|loaded| loaded.source.is_some() && !has_glsl_target(&loaded.module));
        if !is_later || !self.has_no_source_options() {
            return None;
        }
        let mut wanted = self.analysis.wanted();
        wanted.conversion.target_env = Some(TargetEnv::Vulkan12);
        loader.load(self.analysis.files(), &wanted).ok()
    }

    /// Whether no flag changes what a source says: macros, folders of includes.
    fn has_no_source_options(&self) -> bool {
        self.analysis.wanted().conversion.of_sources() == LoadOptions::default().conversion.of_sources()
    }

    /// The script with checks of what it leaves, which a second run has confirmed or not.
    fn checked(&self, exported: &mut Exported, loader: &mut Loader, on: &Device) -> Result<Checked, CliError> {
        let limits = run_script::limits(self.analysis.loading());
        let plain = text_of(&exported.script)?;
        let Ended { run: first, buffers } = self.ran(&plain, loader, on, limits)?;
        let mut moved = Vec::new();
        for script in exported.moved() {
            moved.push(self.ran(&text_of(&script)?, loader, on, limits)?.buffers);
        }
        let script = exported.expecting(&buffers, &moved, Tolerated { given: self.tolerance, filtered: false });
        let text = text_of(&script.map_err(|error| CliError::Missing(error.to_string()))?)?;
        let second = self.ran(&text, loader, on, limits)?.run;
        Ok(Checked { text: with_origin(&text, on), first, second })
    }

    /// Runs a text of a script that is in no file yet.
    fn ran(&self, text: &str, loader: &mut Loader, on: &Device, limits: Limits) -> Result<Ended, CliError> {
        let script = amber::read(text.as_bytes()).map_err(|error| CliError::Unusable(error.to_string()))?;
        let file = Path::new("script.amber");
        let given = [(file.to_owned(), Blob(text.as_bytes().to_vec()))].into();
        let wanted = LoadOptions { given, validation: self.analysis.wanted().validation, ..LoadOptions::default() };
        let options_for = |program: &Program| program.options(&Options::default());
        let host = ScriptHost { files: vec![file.to_owned()], wanted, loader, on, options_for: &options_for };
        scripts::run(file, &script, host, limits).map_err(|mut fault| {
            fault.why = format!("an Amber script cannot be written: {}", fault.why);
            fault.into()
        })
    }
}

/// Why results of a program may differ from one device to the other.
fn depends_on(program: &Program) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    if program.stage(StageKind::TessEval).is_some() {
        out.push("the tessellator of a device chooses the points of a patch".to_owned());
    }
    for stage in &program.stages {
        let module = program.module_of(stage);
        for why in module
            .entry_points()
            .get(stage.entry_index)
            .map(|entry| order_dependence(module, entry))
            .into_iter()
            .flatten()
        {
            if !out.contains(&why) {
                out.push(why);
            }
        }
    }
    out
}

fn text_of(script: &Script) -> Result<String, CliError> {
    amber::write(script).map_err(|error| CliError::Missing(format!("an Amber script cannot be written: {error}")))
}

/// What computed the results.
fn computed_by(on: &Device) -> String {
    match on.options().device.as_deref() {
        Some(interpret::NAME) => "the interpreter".to_owned(),
        Some(device) => format!("device {device}"),
        None => "the first device".to_owned(),
    }
}

/// The text, with where its checks are from.
fn with_origin(text: &str, on: &Device) -> String {
    let by = computed_by(on);
    let origin =
        format!("# Written by lanescope {}. What is expected was computed by: {by}\n", env!("CARGO_PKG_VERSION"));
    match text.split_once('\n') {
        Some((first, rest)) => format!("{first}\n{origin}{rest}"),
        None => text.to_owned(),
    }
}

fn gpu(error: GpuError) -> CliError {
    let text = format!("an Amber script cannot be written: {error}");
    if error.is_missing() { CliError::Missing(text) } else { CliError::Unusable(text) }
}
