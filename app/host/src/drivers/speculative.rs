//! Stages compiled speculatively, in a child process that stays from one pipeline to the next.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use lanescope_core::driver::speculative::SpeculativeOptions;
use lanescope_core::driver::speculative::corpus::Rows;
use lanescope_core::driver::{self, pipelines};
use lanescope_core::findings::Finding;
use lanescope_core::guessed_layout::{GuessedStage, Side, stages};
use lanescope_core::options::Options;
use lanescope_core::program::Program;

use super::Stop;
use super::start::start;
use crate::worker::{Client, Launch, Limits, Reply, Request, Speculating, WorkerError, speculate_stages};

/// How stages are compiled speculatively.
#[derive(Debug, Clone)]
pub struct SpeculativeRequest {
    /// Which driver, how often, and when.
    pub with: SpeculativeOptions,
    /// Resource limits of a child.
    pub limits: Limits,
    /// Folder of compiled pipelines; `None` to store nothing.
    pub cache: Option<PathBuf>,
    /// Stops all of it.
    pub stop: Stop,
    /// The child that compiles, once there is one: it opens its device once.
    pub child: KeptChild,
}

/// A child that stays from one pipeline to the next; clones share it.
#[derive(Debug, Clone, Default)]
pub struct KeptChild(Arc<Mutex<Option<(Client, u32)>>>);

/// The requests that one child answers: what drivers leak ends with it.
const REQUESTS: u32 = 256;

impl KeptChild {
    /// Asks the child, or one that is started for it. A child that did not answer is gone.
    fn ask(
        &self,
        request: &Request,
        start: impl FnOnce() -> Result<Client, WorkerError>,
    ) -> Result<Reply, WorkerError> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (mut child, asked) = match taken.filter(|(_, asked)| *asked < REQUESTS) {
            Some(kept) => kept,
            None => (start()?, 0),
        };
        let reply = child.ask(request);
        if matches!(reply, Ok(_) | Err(WorkerError::Failed(_))) {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((child, asked + 1));
        }
        reply
    }
}

impl SpeculativeRequest {
    /// The user's own folder for compiled pipelines.
    pub fn folder_of_user() -> Option<PathBuf> {
        super::folder_of_user("ahead")
    }
}

/// The program's stages that can be compiled speculatively, against the application's side.
pub fn partial(program: &Program, options: &Options, findings: &mut Vec<Finding>) -> Vec<GuessedStage> {
    stages(program, options, Side::of(program), findings)
}

/// The stages with what came of them.
#[derive(Debug)]
pub struct SpeculativeAnswer {
    /// Every stage that could be compiled speculatively.
    pub stages: Vec<GuessedStage>,
    /// What did not work, the first of it.
    pub failed: Option<WorkerError>,
}

/// Compiles every stage of a program ahead that can be.
pub fn speculate(program: &Program, options: &Options, ask: &SpeculativeRequest) -> SpeculativeAnswer {
    let mut stages = partial(program, options, &mut Vec::new());
    let failed = compile_speculatively(program, options, &mut stages, ask).err();
    SpeculativeAnswer { stages, failed }
}

/// Compiles every pipeline of a program ahead, and takes what came of each.
pub fn speculate_all(
    name: &str,
    program: &Program,
    options: &Options,
    ask: &SpeculativeRequest,
    ahead: fn(&Program, &Options, &SpeculativeRequest) -> SpeculativeAnswer,
    out: &mut Rows,
) {
    for pipeline in pipelines(program) {
        let SpeculativeAnswer { stages, failed } = ahead(&pipeline, options, ask);
        let failed = failed.map(|error| (error.to_string(), matches!(&error, WorkerError::Failed(_))));
        out.take(name, &stages, failed);
    }
}

/// Compiles each of these stages ahead, and puts what came of it beside it.
///
/// # Errors
/// That of the first stage with which it did not work, once all have been tried.
pub fn compile_speculatively(
    program: &Program,
    options: &Options,
    stages: &mut [GuessedStage],
    ask: &SpeculativeRequest,
) -> Result<(), WorkerError> {
    compile_speculatively_with(program, options, stages, ask, |request| {
        ask.child.ask(request, || {
            let environment = driver::with_pipeline_caches();
            let base = Launch { limits: ask.limits, environment, ..Launch::default() };
            Ok(start(&ask.with.with, &base, &|child| ask.stop.add(child.stopper()))?.client)
        })
    })
}

/// The same, whoever answers.
///
/// # Errors
/// As above.
pub fn compile_speculatively_with(
    program: &Program,
    options: &Options,
    stages: &mut [GuessedStage],
    ask: &SpeculativeRequest,
    answer: impl FnMut(&Request) -> Result<Reply, WorkerError>,
) -> Result<(), WorkerError> {
    let how = Speculating { with: ask.with.clone(), cache: ask.cache.clone().map(Into::into) };
    speculate_stages(program, options, stages, &how, answer)
}
