//! The child process that hosts foreign compilers and devices.
//!
//! The child is the same executable, started as `lanescope worker`. It answers [`Request`]s with [`Reply`]s, one JSON
//! text a frame (see [`frame`]), until its standard input ends. If a foreign compiler crashes it, hangs or takes too
//! much memory, the result is a [`WorkerError`].
//!
//! A run of a work graph is reported piece by piece before its answer ([`run_graph`]), so that what was read outlives a
//! crash.
//!
//! A new kind of work is a variant of [`Request`], one of [`Reply`], and an arm of `host::answer`.

mod accesses;
mod client;
mod corpus;
mod crash;
mod fault;
mod file_flags;
pub mod frame;
mod graph_run;
mod host;
mod loader;
mod lost;
mod measure;
mod objects;
mod run;
mod serve;
mod speculation;
mod store;
mod texts;

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lanescope_core::driver::speculative::{SpeculativeCompile, SpeculativeOptions};
use lanescope_core::driver::{Compilation, CompileOptions, Version};
use lanescope_core::dxil::Dxil;
use lanescope_core::findings::Finding;
use lanescope_core::gpu::{Described, DeviceInfo, DeviceOptions, Inputs, NodePlans, OfferedCapabilities};
use lanescope_core::graph::Overrides;
use lanescope_core::guessed_layout::GuessedStage;
use lanescope_core::load::{self, HlslCompilers, LoadOptions, Validators};
use lanescope_core::options::{Derivatives, Options};
use lanescope_core::pipeline::Pipeline;
use lanescope_core::pipeline::foz::Listing;
use lanescope_core::program::{Input, Program, Validity};
use lanescope_core::run::graph::{GraphCommand, GraphPart, GraphRequest, GraphRun};
use lanescope_core::run::{Probe, Ran};
use lanescope_core::sodb;
use lanescope_core::spirv::Module;
use lanescope_inspector::settings::Passes;
use lanescope_inspector::source::SourceText;
use serde::{Deserialize, Serialize};

#[cfg(any(test, feature = "testing"))]
pub use client::EXECUTABLE;
pub use client::{Client, HearWaiting, Launch, Limits, Stopper, this_executable};
pub use crash::{Failure, WorkerError};
#[cfg(any(test, feature = "testing"))]
pub use fault::FAULT_VARIABLE;
pub use file_flags::FileFlags;
pub use graph_run::run_graph;
pub use host::answer;
pub use loader::{LoadFailure, Loader, LoaderOptions};
pub use measure::{Compiling, Filter, MEASURE_TIME, MeasureItem, MeasureRequest, Measured, Searching, Speculating};
pub use serve::serve;
pub use speculation::speculate_stages;
pub use texts::{instruction_lines, module_texts, texts as program_texts};

use crate::layout_times::{TimeRequest, TimedLayouts};
use crate::rewriting::Rewrote;

/// The message for a [`Reply`] that does not belong to the [`Request`].
pub const OTHER_ANSWER: &str = "internal error: the worker process sent an unexpected reply; please report it";

/// What the child takes beside a device's own time: opening the device, compiling the shader.
pub const SET_UP: Duration = Duration::from_secs(5);

/// A request to the child.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Read files into one program.
    Load(LoadRequest),
    /// Read what a file says of a pipeline, whether or not its shaders can be used.
    Describe(LoadRequest),
    /// Open databases, whose pipelines are measured by number ([`Request::Measure`]).
    OpenCorpus(LoadRequest),
    /// Write a module as text, and validate it first where that is wanted.
    Disassemble(Box<DisassembleRequest>),
    /// List the pipelines of databases.
    List(Vec<OsString>),
    /// The groups of a state object database that match a text.
    ListGroups(OsString, String),
    /// List the Vulkan devices that the child's environment offers.
    Devices,
    /// Close the device that stays open between compilations: its driver writes then what it keeps.
    CloseDevice,
    /// Say whether a device executes shaders.
    Executes(DeviceOptions),
    /// Say what a chip or a device offers of each capability of SPIR-V.
    Capabilities(Box<CompileOptions>),
    /// Say which compilers for HLSL there are.
    HlslCompilers,
    /// Say which compiler for Slang there is.
    SlangCompiler,
    /// Which validators there are.
    Validators,
    /// Run a program on a device.
    Run(Box<RunRequest>),
    /// Run a work graph on a device.
    RunGraph(Box<GraphRunRequest>),
    /// Convert and rewrite the nodes of a work graph, to step launches in the interpreter.
    PlanNodes(Box<PlanRequest>),
    /// Continues a paused run of a work graph. It has no reply of its own.
    Step(GraphCommand),
    /// Compile a program with a driver's compiler.
    Compile(Box<CompileRequest>),
    /// Compile a stage before its pipeline is known, and measure what that saves.
    Speculate(Box<SpeculativeJob>),
    /// Run a program with an application's layout, and with the layout that is guessed from its shaders.
    RunGuess(Box<RunGuessRequest>),
    /// Measure where a device runs each invocation of a workgroup.
    Probe(ProbeRequest),
    /// Time the layouts of a compute shader's workgroup on a device.
    TimeLayouts(Box<TimeRequest>),
    /// Rewrite a program and disassemble its modules.
    Rewrite(Box<RewriteRequest>),
    /// Load pipelines, measure them, compile them, and return a row of each.
    Measure(Box<MeasureRequest>),
}

/// A program to run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRequest {
    /// The program, as it was loaded.
    pub program: Program,
    /// A second program to run with the same inputs and to compare with.
    pub against: Option<Program>,
    /// Where there is no such program: the passes whose rewritten program is run too, and compared with. What cannot be
    /// rewritten still runs.
    #[serde(default)]
    pub rewritten: Option<Passes>,
    /// All options; the values of specialization constants among them.
    pub options: Options,
    /// Which device, and how it is used.
    pub device: DeviceOptions,
    /// The dispatch in workgroups; chosen by the rule of [`lanescope_core::run::Dispatch`] if absent.
    pub groups: Option<[u32; 3]>,
    /// Contents of the descriptors.
    pub inputs: Inputs,
}

/// A work graph to run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GraphRunRequest {
    /// The library.
    pub dxil: Dxil,
    /// Changes to its nodes.
    pub overrides: Overrides,
    /// The program to run.
    pub request: GraphRequest,
    /// Which device, and how it is used.
    pub device: DeviceOptions,
    /// Contents of the descriptors.
    pub inputs: Inputs,
}

/// The nodes of a work graph to convert.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanRequest {
    /// The library.
    pub dxil: Dxil,
    /// Changes to its nodes.
    pub overrides: Overrides,
}

/// A program to compile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompileRequest {
    /// One version of a program.
    pub program: Program,
    /// Which version it is.
    pub of: Version,
    /// All options; wave size, attachments and the values of specialization constants among them.
    pub options: Options,
    /// Which driver. A chip is chosen by the child's environment as well ([`lanescope_core::driver::environment`]).
    pub with: CompileOptions,
}

/// A stage to compile speculatively.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpeculativeJob {
    /// One pipeline.
    pub program: Program,
    /// The stage that is compiled speculatively, against the application's side.
    pub partial: GuessedStage,
    /// All options.
    pub options: Options,
    /// Which driver, how often, and when.
    pub with: SpeculativeOptions,
    /// Folder of compiled pipelines; `None` to store nothing.
    pub cache: Option<OsString>,
}

/// A program to run with two layouts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunGuessRequest {
    /// The program, as it was loaded.
    pub program: Program,
    /// All options.
    pub options: Options,
    /// The bindings of the application's layout.
    pub application: Vec<Described>,
    /// Which device, and how it is used.
    pub device: DeviceOptions,
    /// The dispatch in workgroups; chosen by the rule of [`lanescope_core::run::Dispatch`] if absent.
    pub groups: Option<[u32; 3]>,
    /// Contents of the descriptors.
    pub inputs: Inputs,
}

/// A workgroup to measure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeRequest {
    /// Which device, and how it is used.
    pub device: DeviceOptions,
    /// X, Y, Z in invocations.
    pub size: [u32; 3],
    /// The derivative group.
    pub derivatives: Derivatives,
}

/// A program to rewrite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RewriteRequest {
    /// The program, as it was loaded.
    pub program: Program,
    /// All options.
    pub options: Options,
    /// The passes that are wanted.
    pub passes: Passes,
}

/// The memory that loading may take by default, in bytes.
pub const LOADING_MEMORY: u64 = 1 << 30;

/// Files that make one program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadRequest {
    /// The files, relative to the child's working directory (the parent's) or absolute.
    pub paths: Vec<OsString>,
    /// What of them is wanted; contents of files that only the parent can read (standard input, FIFOs) among it.
    pub wanted: LoadOptions,
    /// Whether the texts that show the program are wanted too.
    pub texts: bool,
    /// The memory that loading may take, in bytes of address space on top of what the child has.
    pub memory: u64,
}

impl Default for LoadRequest {
    fn default() -> LoadRequest {
        LoadRequest::new(&[], &LoadOptions::default())
    }
}

/// A module to write as text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DisassembleRequest {
    /// The module.
    pub module: Module,
    /// Its name in messages.
    pub name: String,
    /// How the module was validated that it was made of, where it is validated first.
    pub held_to: Option<Validity>,
}

/// The pipelines of databases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CorpusListing {
    /// The key of each: `58dd…`.
    pub names: Vec<String>,
    /// The error in the files.
    pub findings: Vec<Finding>,
}

/// What files begin with that the converter from DXIL reads: containers, PDBs, bitcode.
const MAGICS: [[u8; 4]; 3] = [*b"DXBC", *b"Micr", *b"BC\xc0\xde"];

impl LoadRequest {
    /// Asks for what is wanted of files.
    pub fn new(paths: &[PathBuf], wanted: &LoadOptions) -> LoadRequest {
        LoadRequest {
            paths: paths.iter().map(|path| path.clone().into_os_string()).collect(),
            wanted: wanted.clone(),
            texts: true,
            memory: LOADING_MEMORY,
        }
    }

    /// The same request with less of the converter from DXIL, for a fresh child, where a container was among the files and
    /// the converter may have taken the last child along: after a crash without a second conversion for source lines, then
    /// without the converter. The containers are shown all the same, and a finding says why nothing more is.
    pub fn with_less_conversion(&self, error: &WorkerError) -> Option<LoadRequest> {
        let how = match error {
            WorkerError::Crashed { how, by_itself: true, .. } => {
                format!("the converter ended without an answer: {how}")
            }
            WorkerError::Crashed { how, .. } => format!("the converter crashed: {how}"),
            WorkerError::TimedOut { limit, .. } => format!("the converter took longer than {} s", limit.as_secs()),
            _ => return None,
        };
        let is_container = |path: &OsString| {
            if let Some(contents) = self.wanted.given.get(Path::new(path)) {
                return MAGICS.iter().any(|magic| contents.0.starts_with(magic));
            }
            let mut magic = [0; 4];
            let file = Path::new(path);
            // Their containers are converted too.
            if load::of_database(file).is_some() || load::is_state_objects(file) {
                return true;
            }
            if !file.is_file() {
                return false;
            }
            let read = std::fs::File::open(file).and_then(|mut file| file.read_exact(&mut magic));
            read.is_ok() && MAGICS.contains(&magic)
        };
        (self.wanted.unconverted.is_none() && self.paths.iter().any(is_container)).then(|| {
            let only_lines = !self.wanted.without_lines && matches!(error, WorkerError::Crashed { .. });
            let unconverted = (!only_lines).then_some(how);
            let wanted = LoadOptions { unconverted, without_lines: true, ..self.wanted.clone() };
            LoadRequest { wanted, ..self.clone() }
        })
    }
}

/// A reply of the child.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// The program, with the texts that show it.
    Loaded(Box<Loaded>),
    /// What the file says of a pipeline, and the file; `None` if it describes none.
    Described(Option<Box<(Pipeline, Input)>>),
    /// The programs of the databases.
    Corpus(Box<CorpusListing>),
    /// The module as text.
    Disassembled(String),
    /// The pipelines.
    Listed(Box<Listing>),
    /// The groups.
    Groups(Box<sodb::Listing>),
    /// The devices.
    Devices(Vec<DeviceInfo>),
    /// The work waits, for this reason; the answer follows.
    Waiting(String),
    /// Whether a hardware device works for the child, which is not killed then.
    OnDevice(bool),
    /// No device is open any more.
    Closed,
    /// The device executes shaders.
    Executes,
    /// What the device offers of each capability.
    Capabilities(Box<OfferedCapabilities>),
    /// The compilers for HLSL.
    HlslCompilers(HlslCompilers),
    /// The compiler for Slang, or why there is none.
    SlangCompiler(Result<String, String>),
    /// The validators.
    Validators(Validators),
    /// The results of a run.
    Ran(Box<Ran>),
    /// A piece of a work graph's run, before its end.
    GraphPart(GraphPart),
    /// The results of a work graph's run, without the generations that were sent before.
    RanGraph(Box<GraphRun>),
    /// The nodes of a work graph.
    NodePlans(Box<NodePlans>),
    /// Result of a driver's compiler.
    Compiled(Box<Compilation>),
    /// Result of a speculative compile.
    SpeculativeCompile(Box<SpeculativeCompile>),
    /// The measurement.
    Probed(Box<Probe>),
    /// The times of the layouts.
    TimedLayouts(Box<TimedLayouts>),
    /// The rewritten program.
    Rewrote(Box<Rewrote>),
    /// The rows of the first pipelines, at least one.
    Measured(Box<Measured>),
    /// The request failed because of the input.
    Failed(Failure),
    /// The frame was not a request.
    NotUnderstood(String),
}

/// A program and the texts that show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// Its sources where they were text, and the disassembly of every module.
    pub texts: Vec<SourceText>,
}

impl Request {
    /// The memory that it may take on top of what the child has, in bytes; `None` if the child's own limit alone
    /// counts.
    pub fn memory(&self) -> Option<u64> {
        match self {
            Request::Load(load) | Request::Describe(load) | Request::OpenCorpus(load) => Some(load.memory),
            Request::List(_) | Request::ListGroups(..) => Some(LOADING_MEMORY),
            // A driver has the child's own limit.
            Request::Measure(measure) if measure.compiling.is_none() => Some(measure.load.memory),
            _ => None,
        }
    }

    /// The memory that the child may have while it runs a program, in bytes; `None` if it runs none.
    pub(super) fn run_memory(&self) -> Option<u64> {
        let device = match self {
            Request::Run(run) => &run.device,
            Request::RunGraph(run) => &run.device,
            Request::RunGuess(run) => &run.device,
            Request::Probe(probe) => &probe.device,
            Request::TimeLayouts(times) => &times.device,
            _ => return None,
        };
        Some(device.memory)
    }

    /// Whether it is one of many that compile with the same device, which stays open.
    pub fn keeps_device(&self) -> bool {
        matches!(self, Request::Measure(measure) if measure.compiling.is_some())
    }

    /// The work in progress, for progress and for error messages: `loading lit.vert, lit.frag`.
    pub fn doing(&self) -> String {
        match self {
            Request::Load(load) | Request::Describe(load) | Request::OpenCorpus(load) => {
                let names: Vec<_> = load.paths.iter().map(|path| path.to_string_lossy()).collect();
                format!("loading {}", names.join(", "))
            }
            Request::Disassemble(module) => format!("disassembling {}", module.name),
            Request::List(paths) => {
                let names: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
                format!("listing the pipelines of {}", names.join(", "))
            }
            Request::ListGroups(path, _) => format!("listing the groups of {}", path.to_string_lossy()),
            Request::Devices => "listing Vulkan devices".to_owned(),
            Request::CloseDevice => "closing the device".to_owned(),
            Request::Executes(_) => "running a shader".to_owned(),
            Request::Capabilities(_) => "listing what the device offers".to_owned(),
            Request::HlslCompilers => "looking for HLSL compilers".to_owned(),
            Request::SlangCompiler => "looking for the Slang compiler".to_owned(),
            Request::Validators => "looking for validators".to_owned(),
            Request::Run(run) => {
                let names: Vec<_> = run.program.inputs.iter().map(|input| input.path.as_str()).collect();
                format!("running {}", names.join(", "))
            }
            Request::RunGraph(run) => {
                if let Some(resume) = &run.request.resume {
                    return format!("running the work graph from generation {}", resume.number);
                }
                let entries: Vec<_> = run.request.inputs.iter().map(|input| input.entry.to_string()).collect();
                format!("running the work graph from {}", entries.join(", "))
            }
            Request::PlanNodes(_) => "converting the nodes of the work graph".to_owned(),
            Request::Step(_) => "stepping a work graph".to_owned(),
            Request::Compile(compile) => {
                let stages: Vec<_> = compile.program.stages.iter().map(|stage| stage.stage.name()).collect();
                let names: Vec<_> = compile.program.inputs.iter().map(|input| input.path.as_str()).collect();
                let on = match (compile.with.chip, &compile.with.device) {
                    (Some(chip), _) => format!("{} for {chip}", chip.driver()),
                    (None, Some(device)) => format!("the driver of `{device}`"),
                    (None, None) => "the driver of the first device".to_owned(),
                };
                format!("compiling {} of {} ({}) with {on}", stages.join(" + "), names.join(", "), compile.of)
            }
            Request::Speculate(ahead) => {
                let names: Vec<_> = ahead.program.inputs.iter().map(|input| input.path.as_str()).collect();
                format!("compiling the {} stage of {} speculatively", ahead.partial.stage, names.join(", "))
            }
            Request::RunGuess(run) => {
                let names: Vec<_> = run.program.inputs.iter().map(|input| input.path.as_str()).collect();
                format!("running {} with two layouts", names.join(", "))
            }
            Request::Probe(probe) => {
                let [x, y, z] = probe.size;
                format!("measuring a workgroup of {x}x{y}x{z}")
            }
            Request::Rewrite(rewrite) => {
                let names: Vec<_> = rewrite.program.inputs.iter().map(|input| input.path.as_str()).collect();
                format!("rewriting {}", names.join(", "))
            }
            Request::TimeLayouts(time) => {
                let names: Vec<_> = time.program.inputs.iter().map(|input| input.path.as_str()).collect();
                format!("timing the layouts of {}", names.join(", "))
            }
            Request::Measure(measure) => measure.doing(),
        }
    }
}
