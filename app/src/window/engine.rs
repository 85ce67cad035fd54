//! What the window asks of the rest of the house: load in a child, analyse here, the views and their pictures.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::report::Report;

use crate::jobs::Control;
use crate::worker::{Client, Failure, Launch, LoadRequest, Loaded, Reply, Request, WorkerError, answer};

/// How files become reports.
#[derive(Debug, Clone)]
pub struct Engine {
    /// How the child is started; absent where this very process does its work.
    launch: Option<Launch>,
}

/// Both settings of one program, analysed.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The first setting's report.
    pub report: Report,
    /// The second setting's, where two are shown side by side.
    pub other: Option<Report>,
}

/// Why files did not open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The files are at fault, or the compilers are.
    Failed(Failure),
    /// Nobody wants them any more.
    Cancelled,
}

impl Engine {
    /// Foreign compilers run in a child process.
    pub fn isolated() -> Engine {
        Engine { launch: Some(Launch::default()) }
    }

    /// Everything runs in this process.
    #[cfg(test)]
    pub fn in_process() -> Engine {
        Engine { launch: None }
    }

    /// Something that loads programs one after the other.
    pub fn loader(&self) -> Loader {
        Loader { launch: self.launch.clone(), client: None }
    }
}

/// Loads programs one after the other in one child: compilers start only once. A child that dies is replaced.
#[derive(Debug)]
pub struct Loader {
    launch: Option<Launch>,
    client: Option<Client>,
}

impl Loader {
    /// Loads files as one program. Blocks: for job threads only.
    ///
    /// # Errors
    /// What is wrong with the files, or what became of the child.
    pub fn load<T>(&mut self, paths: &[PathBuf], entries: &[String], job: &Control<T>) -> Result<Loaded, Refusal> {
        let paths = paths.iter().map(|path| OsString::from(path.as_path())).collect();
        let request = Request::Load(LoadRequest { paths, entries: entries.to_vec() });
        match self.ask(&request, None, job) {
            Ok(Reply::Loaded(loaded)) => Ok(*loaded),
            Ok(Reply::Failed(failure)) | Err(WorkerError::Failed(failure)) => Err(Refusal::Failed(failure)),
            Ok(other) => {
                let message = format!("the worker process answered something else: {other:?}");
                Err(Refusal::Failed(message.into()))
            }
            Err(WorkerError::Cancelled { .. }) => Err(Refusal::Cancelled),
            Err(error) => Err(Refusal::Failed(error.to_string().into())),
        }
    }

    /// Asks for something else. Blocks: for job threads only. `limit` is the child's time, where it is not the usual one.
    ///
    /// # Errors
    /// What became of it, in words.
    pub fn request<T>(
        &mut self,
        request: &Request,
        limit: Option<Duration>,
        job: &Control<T>,
    ) -> Result<Reply, String> {
        match self.ask(request, limit, job) {
            Ok(Reply::Failed(failure)) => Err(failure.to_string()),
            reply => reply.map_err(|error| error.to_string()),
        }
    }

    fn ask<T>(&mut self, request: &Request, limit: Option<Duration>, job: &Control<T>) -> Result<Reply, WorkerError> {
        let Some(launch) = &self.launch else { return Ok(answer(request)) };
        let mut client = match self.client.take() {
            Some(client) => client,
            None => {
                let client = Client::start(launch)?;
                let stopper = client.stopper();
                job.on_cancel(move || stopper.stop());
                client
            }
        };
        let reply = match limit {
            Some(limit) => client.ask_within(request, limit),
            None => client.ask(request),
        };
        if matches!(reply, Ok(_) | Err(WorkerError::Failed(_))) {
            self.client = Some(client);
        }
        reply
    }
}

/// Analyses a program under one or two settings. Pure Rust, but for large programs no work for the frame thread.
///
/// # Errors
/// The text of the option that does not fit the program.
pub fn analyse(program: &Arc<Program>, options: &Options, other: Option<&Options>) -> Result<Analysis, String> {
    let one = |options| lanescope_core::analyse(program, options).map_err(|error| error.to_string());
    Ok(Analysis { report: one(options)?, other: other.map(one).transpose()? })
}
