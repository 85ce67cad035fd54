//! The run of an Amber script in the window: the whole script, whichever pipeline of it is shown.

use std::path::PathBuf;
use std::time::Duration;

use lanescope_core::gpu::DeviceOptions;
use lanescope_core::load::LoadOptions;
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::run::Execution;
use lanescope_core::script::Limits;
use lanescope_core::spirv::Module;
use lanescope_inspector::tasks::{ScriptRan, Work};

use super::effects::Effects;
use super::run::{Input, tag, unexpected};
use crate::outcome::{Outcome, Refusal, WorkOutcome, WorkResult};
use crate::state::State;
use lanescope_host::scripts::{self, Fault, Host, Scripted, WHOLE_TIME};
use lanescope_host::worker::{Loader, Reply, Request, RunRequest, SET_UP};

/// Loads and runs in the child of a job.
pub(super) struct JobHost {
    pub device: DeviceOptions,
    pub loader: Loader,
}

/// Begins the run of the shown script.
pub(super) fn begin(state: &mut State, effects: &mut Effects, input: Input) -> bool {
    let Some(file) = state.program().and_then(|program| program.paths.first().cloned()) else { return false };
    let Input { id, title, device, settings, revision, options, .. } = input;
    // The other pipelines are loaded as the shown one was.
    let wanted = LoadOptions { entries: Vec::new(), ..LoadOptions::of(&options) };
    effects.start(state, tag(Work::Run, Some(id)), format!("running {title}"), move |engine, job| {
        let limits = Limits { whole: device.timeout.max(WHOLE_TIME), run: device.timeout };
        let mut host = JobHost { device, loader: engine.loader(job) };
        let script = scripts::of_file(&file);
        let script = script.and_then(|read| read.ok_or_else(|| format!("{}: not an Amber script", file.display())));
        let ran = script.and_then(|script| {
            let of = Scripted { file: &file, script: &script, wanted: &wanted, options: &Options::default() };
            let ended = scripts::run(of, &mut host, limits).map_err(|fault| fault.why)?;
            let report = scripts::report(&file, &script, ended.run);
            Ok(Box::new(ScriptRan { run: report.run, unchecked: report.unchecked }))
        });
        Outcome::Done(Box::new(WorkOutcome { revision, settings, result: WorkResult::RanScript(ran) }))
    });
    true
}

impl Host for JobHost {
    fn load(&mut self, files: &[PathBuf], wanted: &LoadOptions) -> Result<Program, Fault> {
        match self.loader.load(files, wanted).map_err(Refusal::from) {
            Ok(loaded) => Ok(loaded.program),
            Err(Refusal::Failed(failure)) if failure.missing => Err(Fault::missing(failure.to_string())),
            Err(Refusal::Failed(failure)) => Err(Fault::unusable(failure.to_string())),
            Err(Refusal::Cancelled) => Err(Fault::unusable("it was stopped")),
        }
    }

    fn run(&mut self, request: RunRequest, within: Duration) -> Result<Execution, Fault> {
        let request = Request::Run(Box::new(request));
        let reply = self.loader.ask_within(&request, within.saturating_add(SET_UP));
        match reply.map_err(|error| Fault::unusable(error.to_string()))? {
            Reply::Ran(ran) => Ok(ran.execution),
            _ => Err(Fault::unusable(unexpected())),
        }
    }

    fn disassemble(&mut self, module: &Module, name: &str) -> Result<String, String> {
        self.loader.disassemble(module, name, None).map_err(|error| error.to_string())
    }

    fn device(&self) -> DeviceOptions {
        self.device.clone()
    }
}
