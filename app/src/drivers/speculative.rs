//! Stages compiled speculatively, in a child process that stays from one pipeline to the next.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use lanescope_core::driver::pipelines;
use lanescope_core::driver::speculative::corpus::Rows;
use lanescope_core::driver::speculative::{SpeculativeCompile, SpeculativeOptions};
use lanescope_core::findings::Finding;
use lanescope_core::guessed_layout::{GuessedStage, Side, stages};
use lanescope_core::options::Options;
use lanescope_core::program::Program;

use super::Stop;
use super::start::start;
use crate::worker::{Client, Launch, Limits, Reply, Request, SpeculativeJob, WorkerError};

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
            let base = Launch { limits: ask.limits, ..Launch::default() };
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
    mut answer: impl FnMut(&Request) -> Result<Reply, WorkerError>,
) -> Result<(), WorkerError> {
    let mut failed = None;
    for pipeline in pipelines(program) {
        for stage in &pipeline.stages {
            let same = |known: &&mut GuessedStage| known.stage == stage.stage && known.entry == stage.entry;
            // A driver has no ray tracing stage before it has the pipeline with all of them.
            let known = stages.iter_mut().find(same).filter(|known| !known.stage.is_ray_tracing());
            let Some(known) = known else { continue };
            match one(&mut answer, &pipeline, known, options, ask) {
                Ok(ahead) => known.ahead = Some(Box::new(ahead)),
                // The others are not needed any more either.
                Err(error @ WorkerError::Cancelled { .. }) => return Err(error),
                Err(error) => {
                    failed.get_or_insert(error);
                }
            }
        }
    }
    failed.map_or(Ok(()), Err)
}

fn one(
    answer: &mut impl FnMut(&Request) -> Result<Reply, WorkerError>,
    program: &Program,
    partial: &GuessedStage,
    options: &Options,
    ask: &SpeculativeRequest,
) -> Result<SpeculativeCompile, WorkerError> {
    let request = Request::Speculate(Box::new(SpeculativeJob {
        program: program.clone(),
        partial: GuessedStage { ahead: None, ..partial.clone() },
        options: options.clone(),
        with: ask.with.clone(),
        cache: ask.cache.clone().map(Into::into),
    }));
    match answer(&request)? {
        Reply::SpeculativeCompile(ahead) => Ok(*ahead),
        Reply::Failed(failure) => Err(WorkerError::Failed(failure)),
        _ => Err(WorkerError::Protocol { doing: request.doing(), what: "unexpected reply".to_owned() }),
    }
}
