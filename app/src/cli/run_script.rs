//! `lanescope run` of an Amber script: its commands in order, and which of its checks fail.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use lanescope_core::amber::Script;
use lanescope_core::gpu::DeviceOptions;
use lanescope_core::load::LoadOptions;
use lanescope_core::program::Program;
use lanescope_core::run::Execution;
use lanescope_core::script::{Ended, Limits};
use lanescope_core::spirv::Module;
use lanescope_core::text_format::counted;

use super::loading::{Loading, text_of};
use super::on_device::{Device, Format, TIME};
use super::{CliError, json};
use crate::cli::streams;
use lanescope_host::scripts::{self, Fault, Host, ScriptReport, Scripted, WHOLE_TIME};
use lanescope_host::worker::{Loader, Reply, Request, RunRequest};
use lanescope_text::{plain, problems};

/// Flags that a script's run accepts: it states all else.
pub const FLAGS: [&str; 8] =
    ["--isolate", "--in-process", "--read-within", "--memory", "--device", "--validate", "--timeout", "--format"];

/// A script that was read, if a file is one.
pub fn of_file(file: &Path) -> Result<Option<Script>, CliError> {
    scripts::of_file(file).map_err(CliError::Unusable)
}

/// How long a script and its runs may take.
pub fn limits(loading: &Loading) -> Limits {
    Limits { whole: loading.time_or(WHOLE_TIME), run: loading.time_or(TIME) }
}

/// Runs a script.
pub fn run(of: Scripted<'_>, mut host: CommandHost<'_>, limits: Limits) -> Result<ScriptReport, CliError> {
    let Ended { run, .. } = scripts::run(of, &mut host, limits)?;
    Ok(scripts::report(of.file, of.script, run))
}

/// Prints the run of a script.
pub fn print(files: &[PathBuf], report: &ScriptReport, format: Format) -> io::Result<()> {
    match format {
        Format::Text => write(files.first().map_or(Path::new(""), PathBuf::as_path), report, &mut streams::plain()),
        Format::Json => json::print(report),
    }
}

/// Writes the run of a script.
pub fn write(file: &Path, report: &ScriptReport, out: &mut impl Write) -> io::Result<()> {
    let ScriptReport { unchecked, run: done, .. } = report;
    for problem in problems(file, &done.failures, &done.findings) {
        writeln!(out, "{}", plain(&problem))?;
    }
    let (commands, runs) = (counted(done.commands, "command"), counted(done.runs, "run"));
    let checks = counted(done.checks, "check");
    let outcome = match (done.checks, done.failures.len()) {
        (0, _) => "nothing is checked".to_owned(),
        (_, 0) => "all passed".to_owned(),
        (_, failed) => format!("{failed} failed"),
    };
    writeln!(out, "{}", plain(&format!("{}: {commands}, {runs}, {checks}: {outcome}", file.display())))?;
    if !unchecked.is_empty() {
        writeln!(out, "requirements that were not checked: {}", plain(&unchecked.join(", ")))?;
    }
    Ok(())
}

/// Loads and runs in the child of a command.
pub struct CommandHost<'l> {
    pub loader: &'l mut Loader,
    pub on: &'l Device,
}

impl Host for CommandHost<'_> {
    fn load(&mut self, files: &[PathBuf], wanted: &LoadOptions) -> Result<Program, Fault> {
        Ok(self.loader.load(files, wanted).map_err(CliError::from)?.program)
    }

    fn run(&mut self, request: RunRequest, within: Duration) -> Result<Execution, Fault> {
        let on = self.on.within(within);
        match on.ask(self.loader.child().map_err(CliError::from)?, &Request::Run(Box::new(request)), 1)? {
            Reply::Ran(ran) => Ok(ran.execution),
            _ => Err(CliError::unexpected().into()),
        }
    }

    fn disassemble(&mut self, module: &Module, name: &str) -> Result<String, String> {
        text_of(self.loader, module, name, None)
    }

    fn device(&self) -> DeviceOptions {
        self.on.options()
    }
}

impl From<CliError> for Fault {
    fn from(error: CliError) -> Fault {
        match error {
            CliError::Missing(why) => Fault::missing(why),
            error => Fault::unusable(error.to_string()),
        }
    }
}

impl From<Fault> for CliError {
    fn from(fault: Fault) -> CliError {
        match fault {
            Fault { missing: true, why, .. } => CliError::Missing(why),
            Fault { out_of_time: true, why, .. } => {
                CliError::Unusable(format!("{why}\n--timeout SECONDS allows more time"))
            }
            Fault { why, .. } => CliError::Unusable(why),
        }
    }
}
