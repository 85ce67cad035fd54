//! What a work graph starts with, for the commands that run it or say what it costs: the program, the entry node and its
//! records.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::findings::Finding;
use lanescope_core::graph::{WorkGraph, graph};
use lanescope_core::load::LoadOptions;
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::run::graph::gpu_input::DeviceMemory;
use lanescope_core::run::graph::input::{self, InputOptions};
use lanescope_core::run::graph::{GraphInput, InputMode, LocalRoots, MAX_DISPATCHES};
use lanescope_host::files::{read_at_most, text_at_most};
use lanescope_host::flags::choices::one_of;
use lanescope_host::worker::Loader;

use super::CliError;
use super::args::Analysis;

/// The first records of a work graph, and how it is started.
#[derive(Debug, Clone, Args)]
pub struct FirstRecordArgs {
    /// File with the entry node's records: JSON, CSV or bytes [default: one record of zeros]
    #[arg(long, value_name = "FILE", help_heading = "Work graphs")]
    input: Option<PathBuf>,

    /// Source of the first records
    #[arg(
        long,
        value_name = "cpu|gpu|multi-cpu|multi-gpu",
        default_value = "cpu",
        help_heading = "Work graphs",
        value_parser = one_of(InputMode::ALL, InputMode::name),
        hide_possible_values = true,
    )]
    pub(super) input_mode: InputMode,

    /// Buffer in device memory with a D3D12_NODE_GPU_INPUT, or with several node inputs a D3D12_MULTI_NODE_GPU_INPUT, that says
    /// entry point, number and place of the records: what an earlier dispatch wrote
    #[arg(long, value_name = "FILE", conflicts_with_all = ["input", "stride", "records"], help_heading = "Work graphs")]
    gpu_input: Option<PathBuf>,

    /// Offset of the structure in that buffer, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 0, requires = "gpu_input", help_heading = "Work graphs")]
    gpu_offset: u64,

    /// Address of that buffer's first byte: addresses in the structure count from there
    #[arg(long, value_name = "ADDRESS", default_value = "0", requires = "gpu_input", value_parser = address, help_heading = "Work graphs")]
    gpu_address: u64,

    /// Bytes from one record to the next; 0 repeats the first record
    #[arg(long, value_name = "BYTES", help_heading = "Work graphs")]
    stride: Option<u32>,

    /// Number of records [default: all records of the file]
    #[arg(long, value_name = "N", help_heading = "Work graphs")]
    records: Option<u64>,

    /// Number of DispatchGraph calls on the same buffers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DISPATCHES)), help_heading = "Work graphs")]
    pub(super) dispatches: u32,

    /// JSON file with local root arguments
    #[arg(long, value_name = "FILE", help_heading = "Work graphs")]
    pub(super) local_root: Option<PathBuf>,
}

/// A program with a work graph.
#[derive(Clone)]
pub struct Library<'p> {
    pub program: Cow<'p, Program>,
    pub graph: WorkGraph,
    /// The rules that the graph violates.
    pub findings: Vec<Finding>,
}

impl FirstRecordArgs {
    /// Whether a flag says how many records there are.
    pub(super) fn says_records(&self) -> bool {
        self.input.is_some() || self.gpu_input.is_some() || self.records.is_some() || self.stride.is_some()
    }

    /// The first records.
    pub(super) fn inputs(&self, graph: &WorkGraph, entry: Option<&str>) -> Result<Vec<GraphInput>, CliError> {
        if let Some(path) = &self.gpu_input {
            return self.described(path, graph, entry);
        }
        let options = InputOptions { entry: entry.or(only_entry(graph)), stride: self.stride, count: self.records };
        let inputs = match &self.input {
            Some(path) => {
                let bytes = read_at_most(path, MAX_TEXT).map_err(CliError::Unusable)?;
                if let Some(mode) = input::mode_of(&bytes) {
                    self.check_structure(path, mode, entry)?;
                }
                input::read(&bytes, graph, options)
                    .map_err(|error| CliError::Unusable(format!("{}: {error}", path.display())))?
            }
            None => input::counted(self.records.unwrap_or(1), graph, options)
                .map_err(|error| CliError::Unusable(error.to_string()))?,
        };
        let several = matches!(self.input_mode, InputMode::MultiCpu | InputMode::MultiGpu);
        if inputs.len() != 1 && !several {
            let message = format!("{} inputs: more than one needs --input-mode multi-cpu or multi-gpu", inputs.len());
            return Err(CliError::Unusable(message));
        }
        Ok(inputs)
    }
}

impl FirstRecordArgs {
    /// The records that a buffer in device memory describes.
    fn described(&self, path: &Path, graph: &WorkGraph, entry: Option<&str>) -> Result<Vec<GraphInput>, CliError> {
        let mode = self.input_mode;
        if !matches!(mode, InputMode::Gpu | InputMode::MultiGpu) {
            let message = format!("--gpu-input needs --input-mode gpu or multi-gpu; it is {mode}");
            return Err(CliError::Unusable(message));
        }
        self.check_structure(path, mode, entry)?;
        let bytes = read_at_most(path, MAX_TEXT).map_err(CliError::Unusable)?;
        let memory = DeviceMemory { bytes: &bytes, address: self.gpu_address };
        let at = self.gpu_address.checked_add(self.gpu_offset);
        let at = at.ok_or_else(|| CliError::Unusable("--gpu-offset is beyond the last address".to_owned()))?;
        let wrong = |error| CliError::Unusable(format!("{}: {error}", path.display()));
        memory.inputs(mode, at, graph).map_err(wrong)
    }

    /// Rejects flags that a structure in device memory has no use for.
    fn check_structure(&self, path: &Path, mode: InputMode, entry: Option<&str>) -> Result<(), CliError> {
        let path = path.display();
        if entry.is_some() {
            return Err(CliError::Unusable(format!("{path}: the structure names the entry point; remove --entry")));
        }
        match self.input_mode == mode {
            true => Ok(()),
            false => Err(CliError::Unusable(format!(
                "{path}: a structure for --input-mode {mode}; it is {}",
                self.input_mode
            ))),
        }
    }
}

/// Reads an address: a decimal number, or a hexadecimal one after `0x`.
fn address(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| format!("invalid address `{text}`: expected a number, or 0x and hexadecimal digits"))
}

/// The library whose work graph is to run, and the graph; `None` if the files are something else. A node is not an entry
/// point that is loaded alone, and a graph's nodes are converted when it runs: such flags are for other shaders.
pub(super) fn library<'p>(
    analysis: &Analysis,
    loader: &mut Loader,
    loaded: &'p Result<Program, CliError>,
) -> Option<Library<'p>> {
    let options = analysis.options();
    let pipeline = options.pipeline.clone();
    let as_graph = LoadOptions { conversion: options.dxil.of_sources(), pipeline, ..LoadOptions::default() };
    match loaded {
        Ok(program) => {
            let (graph, findings) = graph(program, &options.overrides.over(&program.overrides))?;
            if LoadOptions::of(&options) == as_graph {
                return Some(Library { program: Cow::Borrowed(program), graph, findings });
            }
        }
        Err(_) if options.entry.is_empty() => return None,
        Err(_) => {}
    }
    let program = loader.load(analysis.files(), &as_graph).ok()?.program;
    let (graph, findings) = graph(&program, &options.overrides.over(&program.overrides))?;
    Some(Library { program: Cow::Owned(program), graph, findings })
}

/// The entry node that was named: a graph has one, or its input names several.
pub(super) fn entry_of(options: &Options) -> Result<Option<&str>, CliError> {
    match options.entry.as_slice() {
        [] => Ok(None),
        [entry] => Ok(Some(entry.as_str())),
        _ => Err(CliError::Unusable("a work graph has one --entry; use --input for several entry nodes".to_owned())),
    }
}

/// Reads a file of local root arguments.
pub(super) fn local_roots(path: Option<&Path>) -> Result<LocalRoots, CliError> {
    let Some(path) = path else { return Ok(LocalRoots::default()) };
    serde_json::from_str(&read(path)?).map_err(|error| CliError::Unusable(format!("{}: {error}", path.display())))
}

/// The entry point of a graph that has no other.
pub(super) fn only_entry(graph: &WorkGraph) -> Option<&str> {
    let mut entries = graph.nodes.iter().filter(|node| node.starts());
    entries.next().filter(|_| entries.next().is_none()).map(|node| node.name.as_str())
}

/// Largest size of a file with records or arguments, in bytes.
const MAX_TEXT: u64 = 256 << 20;

/// Reads a file of records or arguments.
pub(super) fn read(path: &Path) -> Result<String, CliError> {
    let text = text_at_most(path, MAX_TEXT).map_err(CliError::Unusable)?;
    // Some editors put a mark in front.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
