//! Programs as Amber scripts, for the command line and the window: shaders, inputs, and checks of what they leave.
//!
//! ```text
//! program, inputs ──▶ script ── run, run moved ──▶ checks ──▶ script ── read back, run again ──▶ text, remarks
//! ```

use std::path::{Path, PathBuf};

use lanescope_core::amber::script::ShaderFormat;
use lanescope_core::amber::{self, Script};
use lanescope_core::findings::Severity;
use lanescope_core::gpu::{DeviceOptions, GpuError, default_dispatch, interpret, position_of, starting};
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

use crate::scripts::{self, Fault, Host, Scripted};

/// What is before each reason.
const CANNOT: &str = "an Amber script cannot be written";

/// A program that is to be written, and how it runs.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'p> {
    /// The program as it was loaded.
    pub program: &'p Program,
    /// The name of the script's file, for messages.
    pub name: &'p Path,
    /// Its files, to load it for another version of Vulkan.
    pub files: &'p [PathBuf],
    /// How it was loaded.
    pub wanted: &'p LoadOptions,
    /// The options of its report.
    pub options: &'p Options,
    /// What it runs with.
    pub inputs: &'p Inputs,
    /// Who chose a wave size for all stages, as the user knows it.
    pub wave: Option<&'p str>,
    /// How far numbers may differ, where that is given.
    pub tolerance: Option<f64>,
    /// Images are written with their first level.
    pub first_level: bool,
}

/// A script with what is to be said of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptFile {
    /// The script.
    pub text: String,
    /// How many checks of whose results it has.
    pub summary: String,
    /// What is not checked, and what the results depend on.
    pub remarks: Vec<String>,
    /// The run without checks: what it found.
    pub first: ScriptRun,
    /// The run with them: which failed.
    pub second: ScriptRun,
}

impl ScriptFile {
    /// Whether it has checks, which a second run confirmed, and no run found an error.
    pub fn is_clean(&self) -> bool {
        let mut errors = self.first.findings.iter().filter(|found| found.finding.severity == Severity::Error);
        self.second.failures.is_empty() && self.second.checks > 0 && errors.next().is_none()
    }
}

/// Writes a program as a script, runs it, and runs it again with its checks.
///
/// # Errors
/// What a script cannot state, a run that does not end, a device that lacks something.
pub fn script_of(asked: Asked<'_>, host: &mut impl Host, limits: Limits) -> Result<ScriptFile, Fault> {
    written(asked, host, limits).map_err(|fault| Fault { why: format!("{CANNOT}: {}", fault.why), ..fault })
}

fn written(asked: Asked<'_>, host: &mut impl Host, limits: Limits) -> Result<ScriptFile, Fault> {
    if graph(asked.program, &Default::default()).is_some() {
        return Err(Fault::missing("a work graph"));
    }
    check_waves(asked)?;
    let mut exported = plain_script(asked, host)?;
    // Each run is of the text that is written, as far as that is known: lines in messages are lines of the file.
    let by = computed_by(&host.device());
    let text_of = |script: &Script| text_of(script).map(|text| with_origin(&text, &by));
    let Ended { run: first, buffers } = ran(asked, &text_of(&exported.script)?, host, limits)?;
    let mut moved = Vec::new();
    for script in exported.moved() {
        moved.push(ran(asked, &text_of(&script)?, host, limits)?.buffers);
    }
    let script = exported.expecting(&buffers, &moved, Tolerated { given: asked.tolerance, filtered: false });
    let text = text_of(&script.map_err(|error| Fault::missing(error.to_string()))?)?;
    let second = ran(asked, &text, host, limits)?.run;
    let summary = format!("{} of what {by} computes; read back and run", counted(second.checks, "check"));
    let remarks = remarks(asked.program, &exported, &second);
    Ok(ScriptFile { text, summary, remarks, first, second })
}

fn remarks(program: &Program, exported: &Exported, second: &ScriptRun) -> Vec<String> {
    let mut out = exported.notes.clone();
    if program.inputs.iter().any(|input| input.format == Format::Amber) {
        out.push(
            "the requirements of the given script, and its SUBGROUP and SHADER_OPTIMIZATION lines, are not taken over"
                .to_owned(),
        );
    }
    let depends = depends_on(program).into_iter();
    out.extend(depends.map(|why| format!("the results may not be the same everywhere: {why}")));
    if second.checks == 0 {
        let why = if exported.written.is_empty() { ": the program writes nothing" } else { "" };
        out.push(format!("nothing is checked{why}"));
    }
    let failed = second.failures.len();
    if failed > 0 {
        let failed = counted(failed, "check");
        out.push(format!("{failed} failed in a second run: the results are not always the same"));
    }
    out
}

/// Refuses a wave size, whoever chose it.
fn check_waves(asked: Asked<'_>) -> Result<(), Fault> {
    let Asked { program, options, wave, .. } = asked;
    let is_chosen = |stage: &&Stage| program.options_of_stage(options, stage.stage).wave != WaveChoice::Auto;
    let what = match (wave, program.stages.iter().find(is_chosen)) {
        (Some(by), _) => by.to_owned(),
        (None, Some(stage)) => format!("the wave size of the {} shader in the pipeline file", stage.stage),
        (None, None) => return Ok(()),
    };
    Err(Fault::missing(format!("{what}: the device chooses the wave size of a script's run")))
}

/// The script without its checks.
fn plain_script(asked: Asked<'_>, host: &mut impl Host) -> Result<Exported, Fault> {
    let given = asked.program;
    let program = specialised(given, asked.options).map_err(|error| Fault::unusable(error.to_string()))?;
    let inputs = Inputs { position: position_of(given), ..asked.inputs.clone() };
    let earlier = of_earlier_version(asked, host);
    let mut texts = Vec::new();
    for stage in &given.stages {
        texts.push(shader(asked, earlier.as_ref(), &program, stage, host)?);
    }
    let groups = match asked.options.groups {
        Some(groups) => groups,
        None => default_dispatch(&program, &inputs).map_err(gpu)?.map_or([1; 3], |dispatch| dispatch.groups),
    };
    let mut start = starting(&program, &inputs).map_err(gpu)?;
    if asked.first_level {
        start.keep_first_levels();
    }
    export(&program, texts, &start, groups, &inputs).map_err(|error| match error {
        ExportError::Gpu(error) => gpu(error),
        error => Fault::missing(error.to_string()),
    })
}

/// The text of a stage's shader: its source where that is all of it, else assembly.
fn shader(
    asked: Asked<'_>,
    earlier: Option<&Program>,
    program: &Program,
    stage: &Stage,
    host: &mut impl Host,
) -> Result<ShaderText, Fault> {
    let given = asked.program;
    let loaded = &given.modules[stage.module];
    let set = constants(&loaded.module, program.module_of(stage));
    let is_glsl = given.inputs.get(loaded.input).is_some_and(|input| input.format == Format::Glsl);
    let is_whole = loaded.includes.is_empty() && stage.entry == "main" && has_no_source_options(asked.wanted);
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
    let mut text = host.disassemble(module, &stage.entry).map_err(Fault::unusable)?;
    if has_end(&text) {
        let plain = without_names(module).map_err(|error| Fault::unusable(error.to_string()))?;
        text = host.disassemble(&plain, &stage.entry).map_err(Fault::unusable)?;
    }
    let (format, version) = (ShaderFormat::SpirvAsm, module.version());
    Ok(ShaderText { format, text, version, constants: set.unwrap_or_default() })
}

/// The program as it compiles for a version of Vulkan that GLSL of a script has a target for, where it has none for
/// that of the program.
fn of_earlier_version(asked: Asked<'_>, host: &mut impl Host) -> Option<Program> {
    let mut modules = asked.program.modules.iter();
    let is_later = modules.any(|loaded| loaded.source.is_some() && !has_glsl_target(&loaded.module));
    if !is_later || !has_no_source_options(asked.wanted) {
        return None;
    }
    let mut wanted = asked.wanted.clone();
    wanted.conversion.target_env = Some(TargetEnv::Vulkan12);
    host.load(asked.files, &wanted).ok()
}

/// Whether no option changes what a source says: macros, folders of includes.
fn has_no_source_options(wanted: &LoadOptions) -> bool {
    wanted.conversion.of_sources() == LoadOptions::default().conversion.of_sources()
}

/// Runs a text of a script that is in no file yet.
fn ran(asked: Asked<'_>, text: &str, host: &mut impl Host, limits: Limits) -> Result<Ended, Fault> {
    let script = amber::read(text.as_bytes()).map_err(|error| Fault::unusable(error.to_string()))?;
    // An extension says how a file is read.
    let file =
        if asked.name.extension().is_some_and(|end| end == "amber") { asked.name } else { Path::new("script.amber") };
    let given = [(file.to_owned(), Blob(text.as_bytes().to_vec()))].into();
    let wanted = LoadOptions { given, validation: asked.wanted.validation, ..LoadOptions::default() };
    let of = Scripted { file, script: &script, wanted: &wanted, options: &Options::default() };
    scripts::run(of, host, limits)
}

/// Why results of a program may differ from one device to the other.
fn depends_on(program: &Program) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    if program.stage(StageKind::TessEval).is_some() {
        out.push("the tessellator of a device chooses the points of a patch".to_owned());
    }
    for stage in &program.stages {
        let module = program.module_of(stage);
        let entry = module.entry_points().get(stage.entry_index);
        for why in entry.map(|entry| order_dependence(module, entry)).into_iter().flatten() {
            if !out.contains(&why) {
                out.push(why);
            }
        }
    }
    out
}

fn text_of(script: &Script) -> Result<String, Fault> {
    amber::write(script).map_err(|error| Fault::missing(error.to_string()))
}

/// What computed the results.
fn computed_by(device: &DeviceOptions) -> String {
    match device.device.as_deref() {
        Some(interpret::NAME) => "the interpreter".to_owned(),
        Some(device) => format!("device {device}"),
        None => "the first device".to_owned(),
    }
}

/// The text, with where its checks are from.
fn with_origin(text: &str, by: &str) -> String {
    let origin =
        format!("# Written by lanescope {}. What is expected was computed by: {by}\n", env!("CARGO_PKG_VERSION"));
    match text.split_once('\n') {
        Some((first, rest)) => format!("{first}\n{origin}{rest}"),
        None => text.to_owned(),
    }
}

fn gpu(error: GpuError) -> Fault {
    if error.is_missing() { Fault::missing(error.to_string()) } else { Fault::unusable(error.to_string()) }
}
