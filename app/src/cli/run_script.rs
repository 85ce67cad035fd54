//! `lanescope run` of an Amber script: its commands in order, and which of its checks fail.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use lanescope_core::amber::script::Requirement;
use lanescope_core::amber::{self, Script};
use lanescope_core::findings::{Finding, Severity};
use lanescope_core::load::{self, LoadOptions, MAX_FILE};
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::run::Execution;
use lanescope_core::run::inputs::{Inputs, PushBlock};
use lanescope_core::script::{self, CheckFailure, Execute, RunFinding, ScriptRun, Stop};
use lanescope_core::text_format::counted;
use serde::Serialize;

use super::loading::Loader;
use super::on_device::{Device, Format};
use super::{CliError, Verdict, json};
use crate::image_files;
use crate::worker::{Reply, Request, RunRequest};

/// Flags that a script's run accepts: it states all else.
pub const FLAGS: [&str; 7] =
    ["--isolate", "--in-process", "--memory", "--device", "--validate", "--timeout", "--format"];

/// A script that was read, if a file is one.
pub fn of_file(file: &Path) -> Result<Option<Script>, CliError> {
    // A stream is read once, by the loader.
    if load::is_stream(file) {
        return Ok(None);
    }
    let Ok(bytes) = load::read_file(file, MAX_FILE, Duration::ZERO) else { return Ok(None) };
    if !amber::looks_like(&bytes) {
        return Ok(None);
    }
    match amber::read(&bytes) {
        Ok(script) => Ok(Some(script)),
        Err(error) => Err(CliError::Unusable(format!("{}: {error}", file.display()))),
    }
}

/// Runs a script.
pub fn run(
    file: &Path,
    script: &Script,
    (loader, on): (&mut Loader, &Device),
    wanted: &LoadOptions,
    options_for: &dyn Fn(&Program) -> Options,
    format: Format,
) -> Result<Verdict, CliError> {
    let files = vec![file.to_owned()];
    let pipelines = Pipelines { files, wanted, loader, on, options_for, programs: BTreeMap::new() };
    let place = |line: u32| format!("{}:{line}", file.display());
    let done = script::run(script, pipelines).map_err(|stop| match stop {
        Stop::NotPossible { line, construct } => {
            CliError::Missing(format!("{}: cannot be run here: {construct}", place(line)))
        }
        Stop::Run { line, error: CliError::Missing(why) } => CliError::Missing(format!("{}: {why}", place(line))),
        Stop::Run { line, error: CliError::Unusable(why) } => CliError::Unusable(format!("{}: {why}", place(line))),
        Stop::Run { error, .. } => error,
    })?;
    let unchecked = requirements(script);
    match format {
        Format::Text => write(file, (&done, &unchecked), &mut io::stdout().lock())?,
        Format::Json => json::print(&ScriptReport { script: file.display().to_string(), unchecked, run: &done })?,
    }
    let is_wrong = |found: &RunFinding| found.finding.severity == Severity::Error;
    let is_clean = done.failures.is_empty() && !done.findings.iter().any(is_wrong);
    Ok(if is_clean { Verdict::Clean } else { Verdict::Findings })
}

/// The run of a script as JSON.
#[derive(Serialize)]
struct ScriptReport<'r> {
    script: String,
    /// What the script requires of a device, which a run does not check.
    #[serde(rename = "requirements_not_checked", skip_serializing_if = "Vec::is_empty")]
    unchecked: Vec<String>,
    #[serde(flatten)]
    run: &'r ScriptRun,
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

fn write(file: &Path, (done, unchecked): (&ScriptRun, &[String]), out: &mut impl Write) -> io::Result<()> {
    for CheckFailure { line, buffer, place, expected, found, count, repetition } in &done.failures {
        let repetition = repetition.map(|at| format!(", repetition {at}")).unwrap_or_default();
        let more = if *count > 1 { format!(" ({count} differ)") } else { String::new() };
        writeln!(
            out,
            "{}:{line}: EXPECT {buffer}{repetition}: {place}: expected {expected}, found {found}{more}",
            file.display()
        )?;
    }
    for RunFinding { line, finding } in &done.findings {
        let Finding { severity, code, message, .. } = finding;
        writeln!(out, "{}:{line}: RUN: {severity} {code}: {message}", file.display())?;
    }
    let (commands, runs) = (counted(done.commands, "command"), counted(done.runs, "run"));
    let checks = counted(done.checks, "check");
    let failed = match done.failures.len() {
        0 => "all passed".to_owned(),
        failed => format!("{failed} failed"),
    };
    writeln!(out, "{}: {commands}, {runs}, {checks}: {failed}", file.display())?;
    if !unchecked.is_empty() {
        writeln!(out, "requirements that were not checked: {}", unchecked.join(", "))?;
    }
    Ok(())
}

/// The pipelines of a script, each loaded when it first runs.
struct Pipelines<'l> {
    files: Vec<PathBuf>,
    wanted: &'l LoadOptions,
    loader: &'l mut Loader,
    on: &'l Device,
    options_for: &'l dyn Fn(&Program) -> Options,
    programs: BTreeMap<String, Program>,
}

impl Pipelines<'_> {
    fn program(&mut self, pipeline: &str) -> Result<&Program, CliError> {
        if !self.programs.contains_key(pipeline) {
            let wanted = LoadOptions { pipeline: Some(pipeline.to_owned()), ..self.wanted.clone() };
            let program = self.loader.load(&self.files, &wanted)?;
            let described = program.pipeline.as_ref();
            // A pipeline with a stage less is another pipeline.
            if let Some(stage) = described.and_then(|one| one.stages.iter().find(|stage| stage.module.is_none())) {
                let findings = described.map(|one| one.findings.as_slice()).unwrap_or_default();
                let why = findings.iter().find(|finding| finding.stage == Some(stage.stage));
                let why = why.map_or("the shader cannot be used", |finding| finding.message.as_str());
                let shader = format!("{} shader ({}, {})", stage.stage, stage.from, stage.shader);
                return Err(match stage.shader.as_str() {
                    "HLSL" | "OpenCL C" | "SPIR-V" => CliError::Missing(format!("{shader}: {why}")),
                    _ => CliError::Unusable(format!("{shader}: {why}")),
                });
            }
            self.programs.insert(pipeline.to_owned(), program);
        }
        self.programs.get(pipeline).ok_or_else(CliError::unexpected)
    }
}

impl Execute for Pipelines<'_> {
    type Error = CliError;

    fn push_constants(&mut self, pipeline: &str) -> Result<u64, CliError> {
        let blocks = PushBlock::of(self.program(pipeline)?);
        Ok(blocks.iter().map(|block| block.shape.bytes()).max().unwrap_or(0))
    }

    fn file(&mut self, name: &str, most: u64) -> Result<Vec<u8>, String> {
        let folder = self.files.first().and_then(|script| script.parent());
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let path = load::in_folder(folder, name)
            .map_err(|why| format!("it {why}; files are read from the script's folder only"))?;
        load::read_file(&path, most, Duration::ZERO).map_err(|problem| problem.to_string())
    }

    fn picture(&mut self, file: &[u8]) -> Result<([u32; 2], Vec<u8>), String> {
        image_files::pixels(file)
    }

    fn run(&mut self, pipeline: &str, groups: Option<[u32; 3]>, inputs: Inputs) -> Result<Execution, CliError> {
        let program = self.program(pipeline)?.clone();
        let options = (self.options_for)(&program);
        let device = self.on.options();
        let request = RunRequest { program, against: None, rewritten: None, options, device, groups, inputs };
        let Reply::Ran(ran) = self.on.ask(self.loader.child()?, &Request::Run(Box::new(request)), 1)? else {
            return Err(CliError::unexpected());
        };
        Ok(ran.execution)
    }
}
