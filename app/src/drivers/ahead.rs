//! Stages compiled ahead, in a child process a pipeline.

use std::path::PathBuf;

use lanescope_core::driver::ahead::{Ahead, AheadOptions};
use lanescope_core::driver::pipelines;
use lanescope_core::findings::Finding;
use lanescope_core::options::Options;
use lanescope_core::partial::{PartialStage, Side, stages};
use lanescope_core::program::Program;

use super::{Stop, launch};
use crate::worker::{AheadRequest, Client, Limits, Reply, Request, WorkerError};

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
}

impl AheadAsk {
    /// The user's own folder for compiled pipelines.
    pub fn folder_of_user() -> Option<PathBuf> {
        super::folder_of_user("ahead")
    }
}

/// The program's stages that can be compiled ahead, against the application's side.
pub fn partial(program: &Program, options: &Options, findings: &mut Vec<Finding>) -> Vec<PartialStage> {
    let side = match &program.pipeline {
        Some(pipeline) => {
            let file = program.inputs.get(pipeline.origin.input);
            Side::Described(pipeline, file.map_or("the description", |file| file.path.as_str()))
        }
        None => Side::Reflected,
    };
    stages(program, options, side, findings)
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
    let mut child = Client::start(&launch(&ask.with.with, ask.limits))?;
    ask.stop.add(child.stopper());
    let mut failed = None;
    for pipeline in pipelines(program) {
        for stage in &pipeline.stages {
            let same = |known: &&mut PartialStage| known.stage == stage.stage && known.entry == stage.entry;
            let Some(known) = stages.iter_mut().find(same) else { continue };
            match one(&mut child, &pipeline, known, options, ask) {
                Ok(ahead) => known.ahead = Some(Box::new(ahead)),
                Err(error) => {
                    if !matches!(error, WorkerError::Failed(_)) {
                        child = Client::start(&launch(&ask.with.with, ask.limits))?;
                        ask.stop.add(child.stopper());
                    }
                    failed.get_or_insert(error);
                }
            }
        }
    }
    failed.map_or(Ok(()), Err)
}

fn one(
    child: &mut Client,
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
        cache: ask.cache.clone(),
    }));
    match child.ask(&request)? {
        Reply::Ahead(ahead) => Ok(*ahead),
        _ => Err(WorkerError::Protocol { doing: request.doing(), what: "another answer".to_owned() }),
    }
}
