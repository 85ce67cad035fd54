//! The one way in which front ends load files, and send what else a child answers.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lanescope_core::load::{LoadError, LoadOptions, MAX_FILE, is_stream, read_file};
use lanescope_core::pipeline::Pipeline;
use lanescope_core::pipeline::foz::Listing;
use lanescope_core::program::{Input, Validity};
use lanescope_core::run::Blob;
use lanescope_core::run::graph::{GraphCommand, GraphPart};
use lanescope_core::sodb;
use lanescope_core::spirv::Module;

use super::host::failure;
use super::{
    Client, CorpusListing, DisassembleRequest, Failure, HearWaiting, LOADING_MEMORY, Launch, LoadRequest, Loaded,
    OTHER_ANSWER, Reply, Request, WorkerError, answer,
};
use crate::jobs::Canceller;

/// A call stack for compilers that recurse over their input: address space, not memory.
const STACK: usize = 512 << 20;

/// How files are loaded.
#[derive(Clone)]
pub struct LoaderOptions {
    /// How a child is started. The time of its limits is that of a request, and of reading a stream.
    pub launch: Launch,
    /// This process loads, without limits, after it has done this.
    pub here: Option<fn()>,
    /// The memory that loading may take, in bytes of address space on top of what the child has.
    pub memory: u64,
    /// Whether the texts that show a program are wanted too.
    pub texts: bool,
    /// This process reads standard input and FIFOs, which a child cannot.
    pub streams: bool,
    /// What stops a child from another thread.
    pub canceller: Option<Canceller>,
    /// What hears why a request takes longer than its limit.
    pub hear_waiting: Option<HearWaiting>,
    /// The folders of files that sources include and descriptions name; any where absent.
    pub within: Option<Vec<PathBuf>>,
}

impl Default for LoaderOptions {
    /// In a child with the default limits, with texts.
    fn default() -> LoaderOptions {
        let (launch, memory) = (Launch::default(), LOADING_MEMORY);
        LoaderOptions {
            launch,
            here: None,
            memory,
            texts: true,
            streams: false,
            canceller: None,
            hear_waiting: None,
            within: None,
        }
    }
}

/// Loads programs one after the other in one child: compilers start only once. A child that dies is replaced.
pub struct Loader {
    how: LoaderOptions,
    child: Option<Client>,
    /// Contents of standard input and FIFOs, which can be read only once.
    given: BTreeMap<PathBuf, Blob>,
}

/// Why files were not loaded, which more time or memory can change.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct LoadFailure(#[from] pub WorkerError);

impl Loader {
    /// Nothing is started yet.
    pub fn new(how: LoaderOptions) -> Loader {
        Loader { how, child: None, given: BTreeMap::new() }
    }

    /// This loader with more time for each request.
    pub fn and_time(mut self, more: Duration) -> Loader {
        let time = &mut self.how.launch.limits.time;
        *time = time.saturating_add(more);
        self
    }

    /// The child that hosts compilers and devices, also where this process loads; started if it does not run.
    ///
    /// # Errors
    /// The system does not start it.
    pub fn child(&mut self) -> Result<&mut Client, WorkerError> {
        let child = match self.child.take() {
            Some(child) => child,
            None => {
                let mut child = Client::start(&self.how.launch)?;
                if let Some(hear) = &self.how.hear_waiting {
                    child.hear_waiting(hear.clone());
                }
                if let Some(canceller) = &self.how.canceller {
                    let stopper = child.stopper();
                    canceller.on_cancel(move || stopper.stop());
                }
                child
            }
        };
        Ok(self.child.insert(child))
    }

    /// Loads what is wanted of files as one program.
    ///
    /// # Errors
    /// The error in the files, or the failure of the child.
    pub fn load(&mut self, files: &[PathBuf], wanted: &LoadOptions) -> Result<Loaded, LoadFailure> {
        let request = self.request(files, wanted)?;
        if let Some(prepare) = self.how.here {
            prepare();
        }
        let mut reply = self.ask(&Request::Load(request.clone()));
        let mut less = reply.as_ref().err().and_then(|error| request.with_less_conversion(error));
        while let Some(request) = less.take() {
            match self.ask(&Request::Load(request.clone())) {
                Ok(loaded @ Reply::Loaded(_)) => reply = Ok(loaded),
                Ok(_) => {}
                Err(error) => less = request.with_less_conversion(&error),
            }
        }
        match reply? {
            Reply::Loaded(loaded) => Ok(*loaded),
            _ => Err(unexpected().into()),
        }
    }

    /// Reads the pipeline description in a file, if it has one.
    ///
    /// # Errors
    /// As for [`Loader::load`].
    pub fn describe(
        &mut self,
        file: &Path,
        wanted: &LoadOptions,
    ) -> Result<Option<Box<(Pipeline, Input)>>, LoadFailure> {
        let request = self.request(&[file.to_owned()], wanted)?;
        match self.ask(&Request::Describe(request))? {
            Reply::Described(described) => Ok(described),
            _ => Err(unexpected().into()),
        }
    }

    /// The pipelines of a database by key, and what is wrong with it.
    ///
    /// # Errors
    /// A file that is not a database, or the failure of the child.
    pub fn open_corpus(&mut self, file: &Path, wanted: &LoadOptions) -> Result<CorpusListing, LoadFailure> {
        let request = self.how.request(&[file.to_owned()], wanted);
        match self.ask(&Request::OpenCorpus(request))? {
            Reply::Corpus(listing) => Ok(*listing),
            _ => Err(unexpected().into()),
        }
    }

    /// Lists the pipelines of databases.
    ///
    /// # Errors
    /// The error in the files, or the failure of the child.
    pub fn list(&mut self, files: &[PathBuf]) -> Result<Listing, LoadFailure> {
        let files = files.iter().map(|path| OsString::from(path.as_path())).collect();
        match self.ask(&Request::List(files))? {
            Reply::Listed(listing) => Ok(*listing),
            _ => Err(unexpected().into()),
        }
    }

    /// Lists the groups of a state object database that match a text; all where it is empty.
    ///
    /// # Errors
    /// The error in the file, or the failure of the child.
    pub fn list_groups(&mut self, file: &Path, text: &str) -> Result<sodb::Listing, LoadFailure> {
        match self.ask(&Request::ListGroups(file.into(), text.to_owned()))? {
            Reply::Groups(listing) => Ok(*listing),
            _ => Err(unexpected().into()),
        }
    }

    /// Disassembles a module, which is validated first where `held_to` says how.
    ///
    /// # Errors
    /// The violated validation rule, or the failure of the child.
    pub fn disassemble(
        &mut self,
        module: &Module,
        name: &str,
        held_to: Option<&Validity>,
    ) -> Result<String, LoadFailure> {
        let held_to = held_to.cloned();
        let request = DisassembleRequest { module: module.clone(), name: name.to_owned(), held_to };
        match self.ask(&Request::Disassemble(Box::new(request)))? {
            Reply::Disassembled(text) => Ok(text),
            _ => Err(unexpected().into()),
        }
    }

    /// Sends any other request.
    ///
    /// # Errors
    /// See [`WorkerError`].
    pub fn ask(&mut self, request: &Request) -> Result<Reply, WorkerError> {
        self.ask_within(request, self.how.launch.limits.time)
    }

    /// Sends a request with a time limit of its own.
    ///
    /// # Errors
    /// See [`WorkerError`].
    pub fn ask_within(&mut self, request: &Request, limit: Duration) -> Result<Reply, WorkerError> {
        if self.how.here.is_some() {
            return on_large_stack(|| answered(answer(request, &mut |_| None)));
        }
        self.ask_telling(request, limit, &mut |_| None)
    }

    /// Sends a request; pieces of a work graph's run are forwarded as [`Client::ask_telling`] does.
    ///
    /// # Errors
    /// See [`WorkerError`].
    pub fn ask_telling(
        &mut self,
        request: &Request,
        limit: Duration,
        tell: &mut dyn FnMut(GraphPart) -> Option<GraphCommand>,
    ) -> Result<Reply, WorkerError> {
        if self.how.here.is_some() {
            return answered(answer(request, tell));
        }
        let reply = self.child()?.ask_telling(request, limit, tell);
        if !matches!(reply, Ok(_) | Err(WorkerError::Failed(_))) {
            self.child = None;
        }
        reply
    }

    /// The load options, with the contents of files that only this process can read.
    ///
    /// # Errors
    /// A stream that cannot be read.
    pub fn with_streams(&mut self, files: &[PathBuf], wanted: &LoadOptions) -> Result<LoadOptions, LoadFailure> {
        let mut wanted = wanted.clone();
        for path in files.iter().filter(|path| self.how.streams && is_stream(path)) {
            let contents = match self.given.get(path) {
                Some(contents) => contents.clone(),
                None => {
                    let read = read_file(path, MAX_FILE, self.how.launch.limits.time);
                    let read = read.map_err(|problem| {
                        let error = LoadError { path: path.clone(), problem };
                        WorkerError::Failed(failure(&error))
                    })?;
                    self.given.entry(path.clone()).or_insert(Blob(read)).clone()
                }
            };
            wanted.given.insert(path.clone(), contents);
        }
        Ok(wanted)
    }

    fn request(&mut self, files: &[PathBuf], wanted: &LoadOptions) -> Result<LoadRequest, LoadFailure> {
        let wanted = self.with_streams(files, wanted)?;
        Ok(self.how.request(files, &wanted))
    }
}

impl LoaderOptions {
    /// The request for files.
    pub fn request(&self, files: &[PathBuf], wanted: &LoadOptions) -> LoadRequest {
        let within = self.within.clone().or_else(|| wanted.within.clone());
        let wanted = LoadOptions { within, ..wanted.clone() };
        LoadRequest { texts: self.texts, memory: self.memory, ..LoadRequest::new(files, &wanted) }
    }
}

fn answered(reply: Reply) -> Result<Reply, WorkerError> {
    match reply {
        Reply::Failed(failure) => Err(WorkerError::Failed(failure)),
        reply => Ok(reply),
    }
}

fn unexpected() -> WorkerError {
    WorkerError::Failed(Failure::from(OTHER_ANSWER.to_owned()))
}

fn on_large_stack(work: impl FnOnce() -> Result<Reply, WorkerError> + Send) -> Result<Reply, WorkerError> {
    let failed = |why: String| Err(WorkerError::Failed(Failure::from(why)));
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(reply)) => reply,
            Ok(Err(_)) => failed("the loader crashed; run without --in-process for details".to_owned()),
            Err(error) => failed(format!("cannot start a thread for the loader: {error}")),
        }
    })
}
