//! A work graph's run, assembled from the pieces that the child sends.

use std::time::Duration;

use lanescope_core::run::graph::{GraphCommand, GraphPart, GraphRun, Growing};

use super::{Failure, OTHER_ANSWER, Reply, Request, WorkerError};

/// How often the child may take the time limit between two pieces of news: pipelines are made before the first one.
const BETWEEN_NEWS: u32 = 2;

/// Runs a work graph. `growing` is empty, or the run that it continues from. `ask` sends the request with a time limit
/// for each message; `news` receives the progress and, when the run is paused, decides how it continues.
///
/// A child that dies or does not answer in mid-run is not an error: the run that comes back has what was read until
/// then, and says why it ended.
///
/// # Errors
/// Errors of starting the run, and of cancelling it.
pub fn run_graph(
    mut growing: Growing,
    request: &Request,
    limit: Duration,
    ask: impl FnOnce(&Request, Duration, &mut dyn FnMut(GraphPart) -> Option<GraphCommand>) -> Result<Reply, WorkerError>,
    mut news: impl FnMut(&Growing, bool) -> Option<GraphCommand>,
) -> Result<GraphRun, WorkerError> {
    let reply = ask(request, limit.saturating_mul(BETWEEN_NEWS), &mut |part| {
        let stands = matches!(part, GraphPart::Standing { .. });
        growing.take(part);
        news(&growing, stands)
    });
    match reply {
        Ok(Reply::RanGraph(end)) => Ok(growing.finish(*end)),
        Ok(Reply::Failed(failure)) => Err(WorkerError::Failed(failure)),
        Ok(_) => Err(WorkerError::Failed(Failure::from(OTHER_ANSWER.to_owned()))),
        Err(error @ WorkerError::Cancelled { .. }) => Err(error),
        Err(error) => growing.broken_off(&error.to_string()).ok_or(error),
    }
}
