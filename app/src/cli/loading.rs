//! Loading files for commands: in a child with limits, or in this process; and files that only this process can read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use lanescope_core::findings::Finding;
use lanescope_core::load::{
    Corpus, LoadError, LoadOptions, MAX_FILE, heap, is_stream, load_description, load_with_options, read_file,
};
use lanescope_core::pipeline::Pipeline;
use lanescope_core::program::{Input, Program, Validity};
use lanescope_core::run::Blob;
use lanescope_core::spirv::Module;

use super::on_device::seconds;
use super::{CliError, size};
use lanescope_host::rewriting;
use lanescope_host::worker::{
    Client, DisassembleRequest, LOADING_MEMORY, Launch, Limits, LoadRequest, Reply, Request, WorkerError,
};

/// Limits of loading, on every command that loads files.
#[derive(Debug, Clone, Default, Args)]
pub struct Loading {
    /// Time limit in seconds for loading (default 60), a driver's compiler per pipeline (30), a device (10), or an Amber script (60)
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    timeout: Option<Duration>,

    /// Memory limit for loading (default 1G, at least 256M) or a driver's compiler (4G), in bytes or with K, M or G
    #[arg(long, value_name = "SIZE", value_parser = memory, help_heading = "Limits")]
    memory: Option<u64>,

    /// Load in this process, without limits: a compiler crash terminates lanescope
    #[arg(long, help_heading = "Limits")]
    in_process: bool,

    /// Load in a child process (default)
    #[arg(long, hide = true, conflicts_with = "in_process")]
    isolate: bool,
}

/// Smallest and largest memory limit that can be set, in bytes.
const MEMORY: [(u64, &str); 2] = [(64 << 20, "64M"), (1 << 40, "1024G")];

/// Smallest memory limit for loading, in bytes: compilers need some to start. A driver's limit may be less.
const LEAST_TO_LOAD: u64 = 256 << 20;

/// Reads a memory limit.
fn memory(text: &str) -> Result<u64, String> {
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

    /// Whether files are loaded in this process.
    pub fn is_in_process(&self) -> bool {
        self.in_process
    }

    /// The memory that loading may take, in bytes.
    pub fn load_memory(&self) -> u64 {
        self.memory.unwrap_or(LOADING_MEMORY).max(LEAST_TO_LOAD)
    }

    /// The limits of a child that loads.
    pub fn child_limits(&self) -> Limits {
        // What is loaded has a limit of its own below that of the child.
        let memory = Limits::default().memory.max(self.load_memory().saturating_mul(2));
        Limits { time: self.time_or(Limits::default().time), memory }
    }

    /// A loader with these limits.
    pub fn loader(&self) -> Loader {
        Loader {
            time: self.time_or(Limits::default().time),
            memory: self.load_memory(),
            in_process: self.in_process,
            child: None,
            given: BTreeMap::new(),
        }
    }
}

/// A call stack for compilers that recurse over their input: address space, not memory.
const LOADER_STACK: usize = 512 << 20;

/// Hint for a module that the validator rejects.
const INVALID_HINT: &str = "\n--no-validate opens it without validation";

/// Hint for loading that takes too long.
const TIME_HINT: &str = "\n--timeout SECONDS allows more time";

/// Hint for loading that takes too much memory.
const MEMORY_HINT: &str = "\n--memory SIZE allows more memory";

/// Loads the files of a command, one program after the other, in one child. A child that dies is replaced.
#[derive(Debug)]
pub struct Loader {
    time: Duration,
    memory: u64,
    in_process: bool,
    child: Option<Client>,
    /// Contents of standard input and FIFOs, which can be read only once.
    given: BTreeMap<PathBuf, Blob>,
}

impl Loader {
    /// This loader with more time for each program, because the limit set by flags is the device's.
    pub fn and_time(self, more: Duration) -> Loader {
        Loader { time: self.time.saturating_add(more), ..self }
    }

    /// The child that hosts compilers and devices; started if it does not run.
    pub fn child(&mut self) -> Result<&mut Client, CliError> {
        let child = match self.child.take() {
            Some(child) => child,
            None => {
                // What is loaded has a limit of its own below that of the child.
                let memory = Limits::default().memory.max(self.memory.saturating_mul(2));
                let limits = Limits { time: self.time, memory };
                Client::start(&Launch { limits, ..Launch::default() })?
            }
        };
        Ok(self.child.insert(child))
    }

    /// Loads files as one program.
    pub fn load(&mut self, files: &[PathBuf], wanted: &LoadOptions) -> Result<Program, CliError> {
        let wanted = self.with_streams(files, wanted)?;
        if self.in_process {
            // What the loader leaves free serves the passes. Descriptions are read before many threads load: not there.
            heap::share();
            heap::reserve(heap::MODULE);
            return here(|| load_with_options(files, &wanted));
        }
        let request = self.request(files, &wanted);
        let mut reply = self.ask(&Request::Load(request.clone()));
        if let Err(error) = &reply
            && let Some(request) = request.without_converter(error)
            && let Ok(loaded) = self.ask(&Request::Load(request))
        {
            reply = Ok(loaded);
        }
        match reply.map_err(explained)? {
            Reply::Loaded(loaded) => Ok(loaded.program),
            _ => Err(CliError::unexpected()),
        }
    }

    /// Reads the pipeline description in a file, if it has one.
    pub fn describe(&mut self, file: &Path, wanted: &LoadOptions) -> Result<Option<(Box<Pipeline>, Input)>, CliError> {
        let files = [file.to_owned()];
        let wanted = self.with_streams(&files, wanted)?;
        if self.in_process {
            return here(|| load_description(file, &wanted));
        }
        let request = Request::Describe(self.request(&files, &wanted));
        match self.ask(&request).map_err(explained)? {
            Reply::Described(described) => Ok(described.map(|described| (Box::new(described.0), described.1))),
            _ => Err(CliError::unexpected()),
        }
    }

    /// Number of pipelines of a database, and what is wrong with it.
    ///
    /// # Errors
    /// A file that is not a database.
    pub fn count_of(&mut self, file: &Path, wanted: &LoadOptions) -> Result<(u64, Vec<Finding>), String> {
        let files = [file.to_owned()];
        if self.in_process {
            let corpus = Corpus::open(&files, wanted).map_err(|error| error.to_string())?;
            return Ok((corpus.pipelines().count() as u64, corpus.findings().to_vec()));
        }
        match self.ask(&Request::OpenCorpus(self.request(&files, wanted))) {
            Ok(Reply::Corpus(listing)) => Ok((listing.names.len() as u64, listing.findings)),
            Ok(_) => Err(CliError::unexpected().to_string()),
            Err(error) => Err(explained(error).to_string()),
        }
    }

    /// Disassembles a module: see [`rewriting::text_of`].
    ///
    /// # Errors
    /// The violated validation rule, or the failure of the child.
    pub fn disassemble(&mut self, module: &Module, name: &str, held_to: Option<&Validity>) -> Result<String, String> {
        if self.in_process {
            return rewriting::text_of(module, name, held_to);
        }
        let held_to = held_to.cloned();
        let request = DisassembleRequest { module: module.clone(), name: name.to_owned(), held_to };
        match self.ask(&Request::Disassemble(Box::new(request))) {
            Ok(Reply::Disassembled(text)) => Ok(text),
            Ok(_) => Err(CliError::unexpected().to_string()),
            Err(WorkerError::Failed(failure)) => Err(failure.to_string()),
            Err(error) => Err(explained(error).to_string()),
        }
    }

    fn request(&self, files: &[PathBuf], wanted: &LoadOptions) -> LoadRequest {
        LoadRequest { texts: false, memory: self.memory, ..LoadRequest::new(files, wanted) }
    }

    fn ask(&mut self, request: &Request) -> Result<Reply, WorkerError> {
        let started = self.child.is_some();
        if !started {
            self.child().map_err(|error| WorkerError::Failed(error.to_string().into()))?;
        }
        let Some(mut child) = self.child.take() else { return Err(WorkerError::Failed(String::new().into())) };
        let reply = child.ask_within(request, self.time);
        if matches!(reply, Ok(_) | Err(WorkerError::Failed(_))) {
            self.child = Some(child);
        }
        reply
    }

    /// The load options, with the contents of files that only this process can read.
    pub fn with_streams(&mut self, files: &[PathBuf], wanted: &LoadOptions) -> Result<LoadOptions, CliError> {
        let mut wanted = wanted.clone();
        for path in files.iter().filter(|path| is_stream(path)) {
            let contents = match self.given.get(path) {
                Some(contents) => contents.clone(),
                None => {
                    let read = read_file(path, MAX_FILE, self.time);
                    let read = read.map_err(|problem| refused(LoadError { path: path.clone(), problem }))?;
                    self.given.entry(path.clone()).or_insert(Blob(read)).clone()
                }
            };
            wanted.given.insert(path.clone(), contents);
        }
        Ok(wanted)
    }
}

/// Loads in this process, on a thread with a large stack.
fn here<T: Send>(load: impl FnOnce() -> Result<T, LoadError> + Send) -> Result<T, CliError> {
    std::thread::scope(|scope| {
        let work = || load().map_err(refused);
        let thread = std::thread::Builder::new().stack_size(LOADER_STACK).spawn_scoped(scope, work);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(loaded)) => loaded,
            Ok(Err(_)) => {
                Err(CliError::Unusable("the loader crashed; run without --in-process for details".to_owned()))
            }
            Err(error) => Err(CliError::Unusable(format!("cannot start a thread for the loader: {error}"))),
        }
    })
}

fn refused(error: LoadError) -> CliError {
    let hint = if error.problem.is_invalid() { INVALID_HINT } else { "" };
    let text = format!("{error}{hint}");
    if error.problem.is_missing() { CliError::Missing(text) } else { CliError::Unusable(text) }
}

/// The error of a child that loads, with a hint.
fn explained(error: WorkerError) -> CliError {
    let hint = match &error {
        WorkerError::TimedOut { .. } => TIME_HINT,
        WorkerError::Crashed { out_of_memory: true, .. } => MEMORY_HINT,
        _ => return error.into(),
    };
    CliError::Unusable(format!("{error}{hint}"))
}

impl From<WorkerError> for CliError {
    fn from(error: WorkerError) -> Self {
        match error {
            WorkerError::Failed(failure) if failure.missing => CliError::Missing(failure.to_string()),
            WorkerError::Failed(failure) if failure.invalid => CliError::Unusable(format!("{failure}{INVALID_HINT}")),
            error => CliError::Unusable(error.to_string()),
        }
    }
}
