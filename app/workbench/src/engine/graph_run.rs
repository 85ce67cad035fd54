//! Runs of work graphs on job threads.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use lanescope_core::run::graph::{GraphCommand, GraphPart, GraphRun, Growing};

use lanescope_host::jobs::Control;
use lanescope_host::worker::{self, Loader, OTHER_ANSWER, Reply, Request};

/// Runs a work graph. Blocks: for job threads only. `limit` is for each piece of the device's work.
///
/// # Errors
/// Why it could not start, as text.
pub fn run_graph<T>(
    loader: &mut Loader,
    request: &Request,
    limit: Duration,
    job: &Control<T>,
) -> Result<GraphRun, String> {
    let ask = |request: &Request, limit, tell: &mut dyn FnMut(GraphPart) -> Option<GraphCommand>| {
        loader.ask_telling(request, limit, tell)
    };
    let news = |growing: &Growing, _| {
        job.progress(growing.doing().unwrap_or_default());
        None
    };
    worker::run_graph(Growing::default(), request, limit, ask, news).map_err(|error| error.to_string())
}

/// Runs a work graph that is stepped: forwards each piece of it, and waits for a command when it is paused. If no
/// one can send one, the run ends there. Blocks: for job threads only. Returns the end of the run, without the
/// forwarded pieces.
///
/// # Errors
/// Why it could not start or was interrupted, as text.
pub fn step_graph<T>(
    loader: &mut Loader,
    request: &Request,
    limit: Duration,
    job: &Control<T>,
    commands: &Receiver<GraphCommand>,
    piece: impl Fn(GraphPart) -> T,
) -> Result<GraphRun, String> {
    let reply = loader.ask_telling(request, limit, &mut |part| {
        let stands = match &part {
            GraphPart::Standing { number, .. } => {
                job.progress(format!("paused before generation {number}"));
                true
            }
            GraphPart::Running { number, .. } => {
                job.progress(format!("generation {number}"));
                false
            }
            _ => false,
        };
        job.part(piece(part));
        stands.then(|| commands.recv().ok()).flatten()
    });
    match reply {
        Ok(Reply::RanGraph(end)) => Ok(*end),
        Ok(_) => Err(OTHER_ANSWER.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
