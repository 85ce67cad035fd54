//! Stages compiled ahead, in a child process that stays from one pipeline to the next.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use lanescope_core::driver::ahead::corpus::Rows;
use lanescope_core::driver::ahead::{Ahead, AheadOptions};
use lanescope_core::driver::pipelines;
use lanescope_core::findings::Finding;
use lanescope_core::options::Options;
use lanescope_core::partial::{PartialStage, Side, stages};
use lanescope_core::program::Program;

use super::Stop;
use super::start::start;
use crate::worker::{AheadRequest, Client, Launch, Limits, Reply, Request, WorkerError};

/// How stages are compiled ahead.
#[derive(Debug, Clone)]
pub struct AheadAsk {
    /// Which driver, how often, and when.
    pub with: AheadOptions,
    /// What a child may use.
    pub limits: Limits,
    /// Where compiled pipelines are kept; nowhere where absent.
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

impl AheadAsk {
    /// The user's own folder for compiled pipelines.
    pub fn folder_of_user() -> Option<PathBuf> {
        super::folder_of_user("ahead")
    }
}

/// The program's stages that can be compiled ahead, against the application's side.
pub fn partial(program: &Program, options: &Options, findings: &mut Vec<Finding>) -> Vec<PartialStage> {
    stages(program, options, Side::of(program), findings)
}

/// The stages with what came of them.
#[derive(Debug)]
pub struct AheadAnswer {
    /// Every stage that could be compiled ahead.
    pub stages: Vec<PartialStage>,
    /// What did not work, the first of it.
    pub failed: Option<WorkerError>,
}

/// Compiles every stage of a program ahead that can be.
pub fn ahead_of(program: &Program, options: &Options, ask: &AheadAsk) -> AheadAnswer {
    let mut stages = partial(program, options, &mut Vec::new());
    let failed = compile_ahead(program, options, &mut stages, ask).err();
    AheadAnswer { stages, failed }
}

/// Compiles every pipeline of a program ahead, and takes what came of each.
pub fn ahead_of_all(
    name: &str,
    program: &Program,
    options: &Options,
    ask: &AheadAsk,
    ahead: fn(&Program, &Options, &AheadAsk) -> AheadAnswer,
    out: &mut Rows,
) {
    for pipeline in pipelines(program) {
        let AheadAnswer { stages, failed } = ahead(&pipeline, options, ask);
        let failed = failed.map(|error| (error.to_string(), matches!(&error, WorkerError::Failed(_))));
        out.take(name, &stages, failed);
    }
}

/// Compiles each of these stages ahead, and puts what came of it beside it.
///
/// # Errors
/// That of the first stage with which it did not work, once all have been tried.
pub fn compile_ahead(
    program: &Program,
    options: &Options,
    stages: &mut [PartialStage],
    ask: &AheadAsk,
) -> Result<(), WorkerError> {
    compile_ahead_with(program, options, stages, ask, |request| {
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
pub fn compile_ahead_with(
    program: &Program,
    options: &Options,
    stages: &mut [PartialStage],
    ask: &AheadAsk,
    mut answer: impl FnMut(&Request) -> Result<Reply, WorkerError>,
) -> Result<(), WorkerError> {
    let mut failed = None;
    for pipeline in pipelines(program) {
        for stage in &pipeline.stages {
            let same = |known: &&mut PartialStage| known.stage == stage.stage && known.entry == stage.entry;
            // A driver has no ray tracing stage before it has the pipeline with all of them.
            let known = stages.iter_mut().find(same).filter(|known| !known.stage.is_ray_tracing());
            let Some(known) = known else { continue };
            match one(&mut answer, &pipeline, known, options, ask) {
                Ok(ahead) => known.ahead = Some(Box::new(ahead)),
                // Nobody wants the others either.
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
    partial: &PartialStage,
    options: &Options,
    ask: &AheadAsk,
) -> Result<Ahead, WorkerError> {
    let request = Request::Ahead(Box::new(AheadRequest {
        program: program.clone(),
        partial: PartialStage { ahead: None, ..partial.clone() },
        options: options.clone(),
        with: ask.with.clone(),
        cache: ask.cache.clone().map(Into::into),
    }));
    match answer(&request)? {
        Reply::Ahead(ahead) => Ok(*ahead),
        Reply::Failed(failure) => Err(WorkerError::Failed(failure)),
        _ => Err(WorkerError::Protocol { doing: request.doing(), what: "another answer".to_owned() }),
    }
}
