//! Analysis off the main loop: one thread, with one child process that compiles.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, unbounded};
use lanescope_core::amber::{self, Script};
use lanescope_core::load::LoadOptions;
use lanescope_core::program::Program;
use lanescope_core::report::Report;
use lanescope_core::run::Blob;
use lanescope_host::jobs::caught;
use lanescope_host::scripts;
use lanescope_host::worker::{Failure, LoadFailure, Loader, LoaderOptions, Stopper, WorkerError};
use lanescope_workbench::engine::{Engine, analyse_fitting};

use crate::project::Pipeline;

/// The versions of open documents that a result is about, by path.
pub type Versions = BTreeMap<PathBuf, i32>;

/// A pipeline to analyse.
#[derive(Debug)]
pub struct Job {
    /// The pipeline.
    pub pipeline: Pipeline,
    /// The text of open documents.
    pub given: BTreeMap<PathBuf, Blob>,
    /// The versions of that text.
    pub versions: Versions,
}

/// The result of a job.
#[derive(Debug)]
pub struct Analyzed {
    /// The pipeline.
    pub pipeline: Pipeline,
    /// The versions of open documents at the start.
    pub versions: Versions,
    /// The program, or why there is none.
    pub result: Result<Analysis, Refusal>,
}

/// A program that was loaded and analysed.
#[derive(Debug)]
pub struct Analysis {
    /// The program.
    pub program: Arc<Program>,
    /// Its report.
    pub report: Report,
}

/// Why there is no analysis.
#[derive(Debug)]
pub enum Refusal {
    /// The files are at fault, or the compiler failed.
    Failed(Box<Failure>),
    /// It was stopped.
    Stopped,
}

/// The thread. Dropping it ends the thread and its child process.
pub struct Analyst {
    jobs: Option<Sender<Job>>,
    results: Receiver<Analyzed>,
    stopper: Arc<Mutex<Option<Stopper>>>,
}

impl Analyst {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system does not start it.
    pub fn start() -> std::io::Result<Analyst> {
        let (jobs, to_do) = unbounded::<Job>();
        let (done, results) = unbounded();
        let stopper = Arc::<Mutex<Option<Stopper>>>::default();
        let running = Arc::clone(&stopper);
        std::thread::Builder::new().name("analysis".to_owned()).spawn(move || {
            let mut loader = Loader::new(LoaderOptions { texts: false, ..Engine::isolated().loader_options() });
            for job in to_do {
                let (pipeline, versions) = (job.pipeline.clone(), job.versions.clone());
                let analyzed = caught(|| analyzed(job, &mut loader, &running)).unwrap_or_else(|panic| {
                    let result = Err(Refusal::Failed(Box::new(internal_error(&panic))));
                    Analyzed { pipeline, versions, result }
                });
                if done.send(analyzed).is_err() {
                    return;
                }
            }
        })?;
        Ok(Analyst { jobs: Some(jobs), results, stopper })
    }

    /// Begins a job, after those that were begun before.
    pub fn begin(&self, job: Job) {
        // Without the thread nothing is analysed; a panic is a result, so it does not end by itself.
        if let Some(jobs) = &self.jobs {
            let _ = jobs.send(job);
        }
    }

    /// What has been analysed, in the order of the jobs.
    pub fn results(&self) -> &Receiver<Analyzed> {
        &self.results
    }

    /// Stops the running job: its child process ends.
    pub fn stop(&self) {
        if let Some(stopper) = self.stopper.lock().unwrap_or_else(PoisonError::into_inner).take() {
            stopper.stop();
        }
    }
}

impl Drop for Analyst {
    fn drop(&mut self) {
        self.jobs = None;
        self.stop();
    }
}

/// The failure of this program itself.
pub fn internal_error(panic: &str) -> Failure {
    Failure::from(format!("internal error: {panic}; please report it"))
}

/// The Amber script in a file, if it is one that reads. What is wrong with one that does not, the loader says.
fn script(file: &Path, wanted: &LoadOptions) -> Option<Script> {
    match wanted.given.get(file) {
        Some(text) if amber::looks_like(&text.0) => amber::read(&text.0).ok(),
        Some(_) => None,
        None => scripts::of_file(file).ok().flatten(),
    }
}

fn analyzed(job: Job, loader: &mut Loader, running: &Mutex<Option<Stopper>>) -> Analyzed {
    let Job { pipeline, given, versions } = job;
    let mut wanted = pipeline.wanted.clone();
    wanted.given = given;
    if let ([file], None) = (pipeline.files.as_slice(), &wanted.pipeline) {
        wanted.pipeline = script(file, &wanted).as_ref().and_then(scripts::shown_pipeline);
    }
    let set = |stopper| *running.lock().unwrap_or_else(PoisonError::into_inner) = stopper;
    let loaded = match loader.child() {
        Ok(child) => {
            set(Some(child.stopper()));
            loader.load(&pipeline.files, &wanted)
        }
        Err(error) => Err(LoadFailure(error)),
    };
    set(None);
    let result = loaded.map_err(|LoadFailure(error)| match error {
        WorkerError::Failed(failure) => Refusal::Failed(Box::new(failure)),
        WorkerError::Cancelled { .. } => Refusal::Stopped,
        error => Refusal::Failed(Box::new(Failure::from(error.to_string()))),
    });
    let result = result.and_then(|loaded| {
        let program = Arc::new(loaded.program);
        let options = program.options(&pipeline.options);
        let analysis = analyse_fitting(&program, &options, None);
        let report = analysis.map_err(|why| Refusal::Failed(Box::new(Failure::from(why))))?.report;
        Ok(Analysis { program, report })
    });
    Analyzed { pipeline, versions, result }
}
