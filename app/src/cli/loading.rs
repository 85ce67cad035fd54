//! Loading files for commands: in a child with limits, or in this process; and files that only this process can read.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use lanescope_core::load::heap;
use lanescope_core::program::Validity;
use lanescope_core::spirv::Module;

use super::on_device::seconds;
use super::{CliError, size, streams};
use lanescope_host::watchdog::{self, Watchdog};
use lanescope_host::worker::{
    HearWaiting, LOADING_MEMORY, Launch, Limits, LoadFailure, Loader, LoaderOptions, WorkerError,
};

/// Limits of loading, on every command that loads files.
#[derive(Debug, Clone, Default, Args)]
pub struct Loading {
    /// Time limit in seconds for loading (default 60), a driver's compiler per pipeline (30), a device (10), an Amber script or a session of `debug` (60)
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    timeout: Option<Duration>,

    /// Memory limit for loading and for a run (default 1G, at least 256M), a session of `debug` (1G) or a driver's compiler (4G), in bytes or with K, M or G
    #[arg(long, value_name = "SIZE", value_parser = memory, help_heading = "Limits")]
    memory: Option<u64>,

    /// Load in this process, without limits: a compiler crash terminates lanescope
    #[arg(long, help_heading = "Limits")]
    in_process: bool,

    /// Folder below which sources may include files and descriptions may name them (may be repeated)
    #[arg(long, hide = true, value_name = "DIR")]
    read_within: Vec<PathBuf>,

    /// Load in a child process (default)
    #[arg(long, hide = true, conflicts_with = "in_process")]
    isolate: bool,
}

/// Smallest and largest memory limit that can be set, in bytes.
const MEMORY: [(u64, &str); 2] = [(64 << 20, "64M"), (1 << 40, "1024G")];

/// Smallest memory limit for loading, in bytes: compilers need some to start. A driver's limit may be less.
const LEAST_TO_LOAD: u64 = 256 << 20;

/// Reads a memory limit.
pub(super) fn memory(text: &str) -> Result<u64, String> {
    size::bytes_within(text, MEMORY)
}

impl Loading {
    /// The time limit set by flags, or this default.
    pub fn time_or(&self, time: Duration) -> Duration {
        self.timeout.unwrap_or(time)
    }

    /// The limits set by flags; by default those of a driver's compiler with this time.
    pub fn limits_or(&self, time: Duration) -> Limits {
        Limits { time: self.time_or(time), memory: self.memory.unwrap_or(Limits::default().memory) }
    }

    /// Watches over work in this process within the limits set by flags, by default a minute and 1 GiB; none where there
    /// are to be no limits.
    pub fn watchdog(&self, doing: &str) -> Option<Watchdog> {
        let limits = self.own_limits();
        (!self.in_process).then(|| Watchdog::start(limits, doing, streams::error))
    }

    /// Watches over what this process holds of work that another one does: its memory alone.
    pub fn memory_watchdog(&self, doing: &str) -> Option<Watchdog> {
        let limits = watchdog::Limits { time: Duration::MAX, memory: self.own_memory().max(LEAST_TO_LOAD) };
        (!self.in_process).then(|| Watchdog::start(limits, doing, streams::error))
    }

    /// The limits of work in this process, by default a minute and 1 GiB.
    pub fn own_limits(&self) -> watchdog::Limits {
        watchdog::Limits { time: self.time_or(Limits::default().time), memory: self.own_memory() }
    }

    /// The memory that work in this process may take, in bytes.
    pub fn own_memory(&self) -> u64 {
        self.memory.unwrap_or(LOADING_MEMORY)
    }

    /// Whether files are loaded in this process.
    pub fn is_in_process(&self) -> bool {
        self.in_process
    }

    /// The memory that loading may take, in bytes.
    pub fn load_memory(&self) -> u64 {
        self.memory.unwrap_or(LOADING_MEMORY).max(LEAST_TO_LOAD)
    }

    /// The folders below which files may be read; any where there are none.
    pub fn folders(&self) -> &[PathBuf] {
        &self.read_within
    }

    /// The limits of a child that loads.
    pub fn child_limits(&self) -> Limits {
        // What is loaded has a limit of its own below that of the child.
        let memory = Limits::default().memory.max(self.load_memory().saturating_mul(2));
        Limits { time: self.time_or(Limits::default().time), memory }
    }

    /// How files are loaded with these limits.
    pub fn how(&self) -> LoaderOptions {
        LoaderOptions {
            launch: Launch { limits: self.child_limits(), ..Launch::default() },
            here: self.in_process.then_some(tune_heap),
            memory: self.load_memory(),
            texts: false,
            streams: true,
            canceller: None,
            hear_waiting: Some(told_on_stderr()),
            within: (!self.read_within.is_empty()).then(|| self.read_within.clone()),
        }
    }

    /// A loader with these limits.
    pub fn loader(&self) -> Loader {
        Loader::new(self.how())
    }
}

/// Says on standard error why a request waits; each reason once, not as often as the child says it.
fn told_on_stderr() -> HearWaiting {
    let last = Mutex::new(String::new());
    HearWaiting(Arc::new(move |why: &str| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if *last != why {
            why.clone_into(&mut last);
            streams::tell(&format!("lanescope: {why}"));
        }
    }))
}

/// What the loader leaves free serves the passes.
fn tune_heap() {
    heap::share();
    heap::reserve(heap::MODULE);
}

/// Hint for a module that the validator rejects.
const INVALID_HINT: &str = "\n--no-validate opens it without validation";

/// Hint for loading that takes too long.
const TIME_HINT: &str = "\n--timeout SECONDS allows more time";

/// Hint for loading that takes too much memory.
const MEMORY_HINT: &str = "\n--memory SIZE allows more memory";

impl From<LoadFailure> for CliError {
    /// The error of a child that loads, with a hint.
    fn from(LoadFailure(error): LoadFailure) -> Self {
        let hint = match &error {
            WorkerError::TimedOut { .. } => TIME_HINT,
            WorkerError::Crashed { out_of_memory: true, .. } => MEMORY_HINT,
            _ => return error.into(),
        };
        CliError::Unusable(format!("{error}{hint}"))
    }
}

/// A module as text, validated first where `held_to` says how.
///
/// # Errors
/// The violated validation rule, or the failure of the child.
pub fn text_of(loader: &mut Loader, module: &Module, name: &str, held_to: Option<&Validity>) -> Result<String, String> {
    loader.disassemble(module, name, held_to).map_err(|failure| match failure {
        LoadFailure(WorkerError::Failed(failure)) => failure.to_string(),
        failure => CliError::from(failure).to_string(),
    })
}

impl From<WorkerError> for CliError {
    fn from(error: WorkerError) -> Self {
        match error {
            WorkerError::Failed(failure) if failure.missing => CliError::Missing(failure.to_string()),
            WorkerError::Failed(failure) if failure.invalid => CliError::Unusable(format!("{failure}{INVALID_HINT}")),
            error @ WorkerError::TimedOut { .. } => CliError::Unusable(format!("{error}{TIME_HINT}")),
            error => CliError::Unusable(error.to_string()),
        }
    }
}
