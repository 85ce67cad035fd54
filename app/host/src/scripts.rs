//! Amber scripts at work, for the command line and the window: their pipelines are loaded when they first run, in
//! the process that hosts compilers and devices.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use lanescope_core::amber::script::Requirement;
use lanescope_core::amber::{self, Command, Script};
use lanescope_core::gpu::{self, Declared, DeviceOptions, GpuError};
use lanescope_core::load::{self, LoadOptions, MAX_FILE};
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::run::Execution;
use lanescope_core::run::inputs::{Inputs, PushBlock};
use lanescope_core::script::{self, Ended, Execute, Limits, Reached, ScriptRun, Stop};
use lanescope_core::specialised;
use lanescope_core::spirv::Module;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::image_files;
use crate::worker::RunRequest;

/// How long a whole script may take where nothing says it.
pub const WHOLE_TIME: Duration = Duration::from_secs(60);

/// Why a script does not do what it states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is missing is this program's or the device's, not the script's.
    pub missing: bool,
    /// The time of the whole script was up.
    pub out_of_time: bool,
    /// The reason.
    pub why: String,
}

impl Fault {
    /// The script or its shaders are at fault.
    pub fn unusable(why: impl Into<String>) -> Fault {
        Fault { missing: false, out_of_time: false, why: why.into() }
    }

    /// Something is missing here.
    pub fn missing(why: impl Into<String>) -> Fault {
        Fault { missing: true, out_of_time: false, why: why.into() }
    }
}

/// A script's run as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScriptReport {
    /// Version of this form.
    pub schema: u32,
    /// The file.
    pub script: String,
    /// What the script requires of a device, which a run does not check.
    #[serde(rename = "requirements_not_checked", skip_serializing_if = "Vec::is_empty", default)]
    pub unchecked: Vec<String>,
    /// What came of it.
    #[serde(flatten)]
    pub run: ScriptRun,
}

/// What loads and runs in the process that hosts compilers and devices.
pub trait Host {
    /// Loads files.
    ///
    /// # Errors
    /// Why they cannot be loaded.
    fn load(&mut self, files: &[PathBuf], wanted: &LoadOptions) -> Result<Program, Fault>;

    /// Runs what a request names, within this time.
    ///
    /// # Errors
    /// Why it does not run.
    fn run(&mut self, request: RunRequest, within: Duration) -> Result<Execution, Fault>;

    /// The assembly of a module; the name is for messages.
    ///
    /// # Errors
    /// Why there is none.
    fn disassemble(&mut self, module: &Module, name: &str) -> Result<String, String>;

    /// The device.
    fn device(&self) -> DeviceOptions;
}

/// A script, and how its pipelines are loaded and run.
#[derive(Debug, Clone, Copy)]
pub struct Scripted<'s> {
    /// Its file, which names it and whose folder holds the files that it reads.
    pub file: &'s Path,
    /// The script.
    pub script: &'s Script,
    /// How each pipeline is loaded, but for its name.
    pub wanted: &'s LoadOptions,
    /// The options of runs that were given; for the others, those of the pipeline.
    pub options: &'s Options,
}

/// A script that was read, if a file is one.
///
/// # Errors
/// What does not read, with its line.
pub fn of_file(file: &Path) -> Result<Option<Script>, String> {
    // A stream is read once, by the loader.
    if load::is_stream(file) {
        return Ok(None);
    }
    let Ok(bytes) = load::read_file(file, MAX_FILE, Duration::ZERO) else { return Ok(None) };
    if !amber::looks_like(&bytes) {
        return Ok(None);
    }
    amber::read(&bytes).map(Some).map_err(|error| format!("{}: {error}", file.display()))
}

/// The pipeline of several that is shown where none is chosen: the first one that runs, else the first one.
pub fn shown_pipeline(script: &Script) -> Option<String> {
    let [first, _, ..] = script.pipelines.as_slice() else { return None };
    fn runs(command: &Command) -> Option<&str> {
        match command {
            Command::Run(run) => Some(&run.pipeline),
            Command::Repeat { commands, .. } => commands.iter().find_map(runs),
            _ => None,
        }
    }
    Some(script.commands.iter().find_map(runs).unwrap_or(&first.name).to_owned())
}

/// Runs a script.
///
/// # Errors
/// The first command that cannot be run, with its line.
pub fn run(of: Scripted<'_>, host: &mut impl Host, limits: Limits) -> Result<Ended, Fault> {
    script::run(of.script, &mut Pipelines::new(of, host), limits).map_err(|stop| explained(of.file, stop))
}

/// The pipeline of a run, and what the commands before it give to it. Runs are counted from 1.
///
/// # Errors
/// The first command before it that cannot be run, with its line; a run that there is not.
pub fn reach(of: Scripted<'_>, host: &mut impl Host, limits: Limits, wanted: u64) -> Result<(Program, Reached), Fault> {
    let mut pipelines = Pipelines::new(of, host);
    let reached = script::reach(of.script, &mut pipelines, limits, wanted).map_err(|stop| explained(of.file, stop))?;
    let program = pipelines.program(&reached.pipeline)?.clone();
    Ok((program, reached))
}

/// The report of a run.
pub fn report(file: &Path, script: &Script, run: ScriptRun) -> ScriptReport {
    ScriptReport { schema: 1, script: file.display().to_string(), unchecked: requirements(script), run }
}

fn explained(file: &Path, stop: Stop<Fault>) -> Fault {
    let place = |line: u32| format!("{}:{line}", file.display());
    match stop {
        Stop::NotPossible { line, construct } => {
            Fault::missing(format!("{}: cannot be run here: {construct}", place(line)))
        }
        Stop::Wrong { line, what } => Fault::unusable(format!("{}: {what}", place(line))),
        Stop::OutOfTime { line, limit } => {
            let why = format!("{}: the script has not ended within {} s", place(line), limit.as_secs_f64());
            Fault { out_of_time: true, ..Fault::unusable(why) }
        }
        Stop::Run { line, error } => Fault { why: format!("{}: {}", place(line), error.why), ..error },
        Stop::NoSuchRun { wanted, runs } => {
            Fault::unusable(format!("{}: run {wanted} does not exist: the script has {runs}", file.display()))
        }
    }
}

/// What a script requires of a device, as it writes it.
fn requirements(script: &Script) -> Vec<String> {
    let resolved = script.pipelines.iter().filter_map(|pipeline| script.resolved(&pipeline.name));
    let full = resolved.flat_map(|pipeline| pipeline.subgroups).filter(|one| one.fully_populated == Some(true));
    let full: BTreeSet<String> = full.map(|one| format!("SUBGROUP {} FULLY_POPULATED", one.shader)).collect();
    let of_device = script.requirements.iter().filter_map(|requirement| match requirement {
        Requirement::Device { kind, name, .. } => Some(format!("{kind} {name}")),
        Requirement::FenceTimeout { .. } => None,
    });
    of_device.chain(full).collect()
}

/// The pipelines of a script, each loaded when it first runs.
struct Pipelines<'s, H> {
    of: Scripted<'s>,
    host: &'s mut H,
    programs: BTreeMap<String, Program>,
}

impl<'s, H: Host> Pipelines<'s, H> {
    fn new(of: Scripted<'s>, host: &'s mut H) -> Pipelines<'s, H> {
        Pipelines { of, host, programs: BTreeMap::new() }
    }

    fn program(&mut self, pipeline: &str) -> Result<&Program, Fault> {
        if !self.programs.contains_key(pipeline) {
            let wanted = LoadOptions { pipeline: Some(pipeline.to_owned()), ..self.of.wanted.clone() };
            let program = self.host.load(&[self.of.file.to_owned()], &wanted)?;
            let described = program.pipeline.as_ref();
            // A pipeline with a stage less is another pipeline.
            if let Some(stage) = described.and_then(|one| one.stages.iter().find(|stage| stage.module.is_none())) {
                let findings = described.map(|one| one.findings.as_slice()).unwrap_or_default();
                let why = findings.iter().find(|finding| finding.stage == Some(stage.stage));
                let why = why.map_or("the shader cannot be used", |finding| finding.message.as_str());
                let why = format!("{} shader ({}, {}): {why}", stage.stage, stage.from, stage.shader);
                return Err(match stage.shader.as_str() {
                    "HLSL" | "OpenCL C" | "SPIR-V" => Fault::missing(why),
                    _ => Fault::unusable(why),
                });
            }
            self.programs.insert(pipeline.to_owned(), program);
        }
        self.programs.get(pipeline).ok_or_else(|| Fault::unusable(crate::worker::OTHER_ANSWER))
    }
}

impl<H: Host> Execute for &mut Pipelines<'_, H> {
    type Error = Fault;

    fn push_constants(&mut self, pipeline: &str) -> Result<u64, Fault> {
        let blocks = PushBlock::of(self.program(pipeline)?);
        Ok(blocks.iter().map(|block| block.shape.bytes()).max().unwrap_or(0))
    }

    fn declared(&mut self, pipeline: &str) -> Result<Vec<Declared>, Fault> {
        let options = self.of.options;
        let program = self.program(pipeline)?;
        let program =
            specialised(program, &program.options(options)).map_err(|error| Fault::unusable(error.to_string()))?;
        gpu::declared(&program).map_err(|error: GpuError| match error.is_missing() {
            true => Fault::missing(error.to_string()),
            false => Fault::unusable(error.to_string()),
        })
    }

    fn file(&mut self, name: &str, most: u64) -> Result<Vec<u8>, String> {
        let folder = self.of.file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let path = load::in_folder(folder, name)
            .map_err(|why| format!("it {why}; files are read from the script's folder only"))?;
        load::read_file(&path, most, Duration::ZERO).map_err(|problem| problem.to_string())
    }

    fn picture(&mut self, file: &[u8]) -> Result<([u32; 2], Vec<u8>), String> {
        image_files::pixels(file)
    }

    fn run(
        &mut self,
        pipeline: &str,
        groups: Option<[u32; 3]>,
        inputs: Inputs,
        within: Duration,
    ) -> Result<Execution, Fault> {
        let program = self.program(pipeline)?.clone();
        let options = program.options(self.of.options);
        let device = DeviceOptions { timeout: within, ..self.host.device() };
        let request = RunRequest { program, against: None, rewritten: None, options, device, groups, inputs };
        self.host.run(request, within)
    }
}
