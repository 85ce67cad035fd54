//! The work of the child. The same functions can run in the caller's process.

use std::path::{Path, PathBuf};

use lanescope_core::driver::speculative::{Store, speculate};
use lanescope_core::driver::{Compilation, capabilities, compile};
use lanescope_core::gpu::{GpuError, NeededBy, NodePlans, close_kept_device, executes, list_devices, probe};
use lanescope_core::load::{
    LoadError, Problem, disassemble, hlsl_compilers, list_state_objects, listing, load_description, load_with_options,
    slang_compiler, validators,
};
use lanescope_core::pipeline::Pipeline;
use lanescope_core::program::Input;
use lanescope_core::run::graph::{GraphCommand, GraphPart};

use super::run::{graph_of, run, run_graph, run_guess};
use super::store::Folder;
use super::{Failure, LoadRequest, Loaded, Reply, Request, corpus, fault, measure, texts};
use crate::layout_times::NotTimed;
use crate::rewriting;

/// Handles a request in this process. Pieces of a work graph's run are forwarded while it grows; when it is paused, the
/// reply decides how it continues.
pub fn answer(request: &Request, tell: &mut dyn FnMut(GraphPart) -> Option<GraphCommand>) -> Reply {
    match request {
        Request::Load(request) => match load_with_texts(request) {
            Ok(loaded) => Reply::Loaded(Box::new(loaded)),
            Err(error) => Reply::Failed(failure(&error)),
        },
        Request::Describe(request) => match describe(request) {
            Ok(described) => Reply::Described(described),
            Err(error) => Reply::Failed(failure(&error)),
        },
        Request::OpenCorpus(request) => corpus::open(request),
        Request::Disassemble(request) => {
            let text = rewriting::text_of(&request.module, &request.name, request.held_to.as_ref());
            text.map_or_else(|why| Reply::Failed(why.into()), Reply::Disassembled)
        }
        Request::List(paths) => {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            match listing(&paths, "") {
                Ok(listing) => Reply::Listed(Box::new(listing)),
                Err(error) => Reply::Failed(failure(&error)),
            }
        }
        Request::ListGroups(path, text) => match list_state_objects(Path::new(path), text) {
            Ok(listing) => Reply::Groups(Box::new(listing)),
            Err(error) => Reply::Failed(failure(&error)),
        },
        Request::Devices => match list_devices() {
            Ok(devices) => Reply::Devices(devices),
            Err(error) => Reply::Failed(not_run(&error)),
        },
        Request::CloseDevice => {
            close_kept_device();
            Reply::Closed
        }
        Request::Executes(options) => match executes(options) {
            Ok(()) => Reply::Executes,
            Err(error) => Reply::Failed(not_run(&error)),
        },
        Request::Capabilities(with) => match capabilities(with) {
            Ok(offered) => Reply::Capabilities(Box::new(offered)),
            Err(error) => Reply::Failed(not_run(&error)),
        },
        Request::HlslCompilers => Reply::HlslCompilers(hlsl_compilers()),
        Request::SlangCompiler => Reply::SlangCompiler(slang_compiler()),
        Request::Validators => Reply::Validators(validators()),
        Request::Run(request) => match run(request) {
            Ok(ran) => Reply::Ran(Box::new(ran)),
            Err(failure) => Reply::Failed(failure),
        },
        Request::RunGraph(request) => match run_graph(request, tell) {
            Ok(run) => Reply::RanGraph(Box::new(run)),
            Err(failure) => Reply::Failed(failure),
        },
        Request::PlanNodes(request) => {
            let graph = graph_of(&request.dxil, &request.overrides);
            Reply::NodePlans(Box::new(NodePlans::new(&graph, &request.dxil)))
        }
        Request::Step(_) => Reply::Failed(Failure::from("no run is paused".to_owned())),
        Request::Compile(request) => {
            fault::happen(&request.program, &request.with);
            match compile(&request.program, &request.options, request.of, &request.with) {
                Ok(compilation) => Reply::Compiled(Box::new(Compilation { peak_memory: peak_memory(), ..compilation })),
                Err(error) => Reply::Failed(not_compiled(&error)),
            }
        }
        Request::Speculate(request) => {
            let folder = request.cache.as_deref().map(|path| Folder::new(path.as_ref()));
            let store: &dyn Store = folder.as_ref().map_or(&(), |folder| folder as &dyn Store);
            match speculate(&request.program, &request.partial, &request.options, &request.with, store) {
                Ok(ahead) => Reply::SpeculativeCompile(Box::new(ahead)),
                Err(error) => Reply::Failed(not_run(&error)),
            }
        }
        Request::RunGuess(request) => match run_guess(request) {
            Ok(ran) => Reply::Ran(Box::new(ran)),
            Err(failure) => Reply::Failed(failure),
        },
        Request::Probe(request) => match probe(&request.device, request.size, request.derivatives) {
            Ok(probe) => Reply::Probed(Box::new(probe)),
            Err(error) => Reply::Failed(not_run(&error)),
        },
        Request::TimeLayouts(request) => match request.timed() {
            Ok(timed) => Reply::TimedLayouts(Box::new(timed)),
            Err(NotTimed::Device(error)) => Reply::Failed(not_run(&error)),
            Err(NotTimed::Unusable(why)) => Reply::Failed(why.into()),
        },
        Request::Measure(request) => measure::answer(request),
        Request::Rewrite(request) => match rewriting::rewrite(&request.program, &request.options, request.passes) {
            Ok(rewrote) => Reply::Rewrote(Box::new(rewrote)),
            Err(why) => Reply::Failed(why.into()),
        },
    }
}

/// The most memory that this process had resident at once, in bytes, if the system reports it (Linux).
fn peak_memory() -> Option<u64> {
    of_this_process("VmHWM:")
}

/// Bytes of that kind that this process has, where the system says so (Linux).
pub(super) fn of_this_process(kind: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(kind))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Why nothing ran, and what runs in its place.
pub(super) fn not_run(error: &GpuError) -> Failure {
    const SMALL: [&str; 1] = ["StorageInputOutput16"];
    let remedy = "; `--widen` makes the varyings 32 bits wide, which does not need this feature";
    advised(error, needs(error, &SMALL).then_some(remedy))
}

/// Why nothing was compiled, and what is in its place.
pub(super) fn not_compiled(error: &GpuError) -> Failure {
    let remedy = "; `--variant swizzled` computes derivatives with subgroup operations instead";
    advised(
        error,
        needs(error, &["ComputeDerivativeGroupQuadsKHR", "ComputeDerivativeGroupLinearKHR"]).then_some(remedy),
    )
}

/// Whether the device lacks something for one of these capabilities.
fn needs(error: &GpuError, capabilities: &[&str]) -> bool {
    matches!(error, GpuError::Lacks { needed_by: NeededBy::Capability(name), .. } if capabilities.contains(&name.as_str()))
}

fn advised(error: &GpuError, remedy: Option<&str>) -> Failure {
    let message = format!("{error}{}", remedy.unwrap_or_default());
    Failure { missing: error.is_missing(), ..Failure::from(message) }
}

fn load_with_texts(request: &LoadRequest) -> Result<Loaded, LoadError> {
    fault::happen_loading(request);
    let paths: Vec<PathBuf> = request.paths.iter().map(PathBuf::from).collect();
    let program = load_with_options(&paths, &request.wanted)?;
    if !request.texts {
        return Ok(Loaded { program, texts: Vec::new() });
    }
    let texts = texts::texts(&program, |module| {
        disassemble(module).unwrap_or_else(|why| format!("; SPIRV-Tools cannot disassemble this module: ; {why}"))
    });
    Ok(Loaded { program, texts })
}

fn describe(request: &LoadRequest) -> Result<Option<Box<(Pipeline, Input)>>, LoadError> {
    fault::happen_loading(request);
    let path = request.paths.first().map(PathBuf::from).unwrap_or_default();
    let described = load_description(&path, &request.wanted)?;
    Ok(described.map(|(pipeline, input)| Box::new((*pipeline, input))))
}

pub(super) fn failure(error: &LoadError) -> Failure {
    let file = (!error.path.as_os_str().is_empty()).then(|| error.path.to_string_lossy().into_owned());
    let entries = match &error.problem {
        Problem::Ambiguous { names, .. } | Problem::MissingEntry { known: names, .. } => names.clone(),
        _ => Vec::new(),
    };
    let pipelines = matches!(
        error.problem,
        Problem::ManyPipelines { .. }
            | Problem::PipelineMissing { .. }
            | Problem::ManyGroups { .. }
            | Problem::GroupMissing { .. }
    );
    Failure {
        file,
        message: error.problem.to_string(),
        entries,
        missing: error.problem.is_missing(),
        pipelines,
        invalid: error.problem.is_invalid() || error.problem.is_effort(),
        unjudged: error.problem.is_effort(),
        validator: error.problem.is_of_validator(),
        excerpts: Vec::new(),
    }
}
