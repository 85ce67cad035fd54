//! The stages of a program, compiled speculatively one after the other.

use lanescope_core::driver::pipelines;
use lanescope_core::driver::speculative::SpeculativeCompile;
use lanescope_core::guessed_layout::GuessedStage;
use lanescope_core::options::Options;
use lanescope_core::program::Program;

use super::{Reply, Request, Speculating, SpeculativeJob, WorkerError};

/// Compiles each of these stages speculatively, whoever answers, and puts its results beside it.
///
/// # Errors
/// That of the first stage with which it did not work, once all have been tried.
pub fn speculate_stages(
    program: &Program,
    options: &Options,
    stages: &mut [GuessedStage],
    how: &Speculating,
    mut answer: impl FnMut(&Request) -> Result<Reply, WorkerError>,
) -> Result<(), WorkerError> {
    let mut failed = None;
    for pipeline in pipelines(program) {
        for stage in &pipeline.stages {
            let same = |known: &&mut GuessedStage| known.stage == stage.stage && known.entry == stage.entry;
            // A driver has no ray tracing stage before it has the pipeline with all of them.
            let known = stages.iter_mut().find(same).filter(|known| !known.stage.is_ray_tracing());
            let Some(known) = known else { continue };
            let request = Request::Speculate(Box::new(SpeculativeJob {
                program: pipeline.clone(),
                partial: GuessedStage { ahead: None, ..known.clone() },
                options: options.clone(),
                with: how.with.clone(),
                cache: how.cache.clone(),
            }));
            match answer(&request).and_then(|reply| compiled(reply, &request)) {
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

fn compiled(reply: Reply, request: &Request) -> Result<SpeculativeCompile, WorkerError> {
    match reply {
        Reply::SpeculativeCompile(ahead) => Ok(*ahead),
        Reply::Failed(failure) => Err(WorkerError::Failed(failure)),
        _ => Err(WorkerError::Protocol { doing: request.doing(), what: "unexpected reply".to_owned() }),
    }
}
