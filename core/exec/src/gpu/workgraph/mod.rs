//! Work graphs on any Vulkan device: nodes are compute shaders, and something has to schedule them.
//!
//! In the order in which a run goes:
//! * `plan`: every node converted and rewritten (`rewrite`): its allocations are checked, its IsValid() calls replaced.
//! * `stage`: descriptors, pipelines (`pipelines`), local root arguments.
//! * `step`: the host schedules. A node's records (`job`) are cut into batches that fit the ring by the worst case
//!   (`cut`, `block`); what a batch wrote, and which launch wrote it (`parents`), is read back (`expand`) before the
//!   next generation runs.
//! * `free` (GPU-driven): the device schedules itself, by small shaders of our own between two generations.
//! * `report`: errors as text.
//!
//! Nodes reach records by address, and nothing bounds an address: a caller with something to lose runs this in a child
//! process, like every run.

mod batching;
mod block;
mod coherence;
mod expand;
mod gpu_driven;
mod interpreted;
mod job;
mod parents;
mod pipelines;
mod plan;
mod report;
mod rewrite;
mod roots;
mod stage;
mod step;
#[cfg(test)]
mod testing;
mod written;

use std::time::{Duration, Instant};

use batching::Grid;
use gpu_driven::Helpers;
use job::Job;
use plan::{NodePlan, Plans};
use stage::Stage;

pub use interpreted::{NodePlans, RecordLaunch, RecordPlace, record_of};
pub use written::{PairState, WrittenPair, WrittenRecord, pairs, record_text, same_records};

use super::memory::Near;
use super::{Content, Device, DeviceOptions, Given, GpuError, Inputs, Needs, with_device};
use lanescope_dxil::Dxil;
use lanescope_passes::findings::{self, Finding};
use lanescope_passes::graph::{Launch, Node, NodeId, WorkGraph, scheduler};
use lanescope_run::graph::{
    CountedAs, GraphCommand, GraphMode, GraphPart, GraphRequest, GraphRun, LOCAL_BUFFER, Refused,
};

/// Opens the device, runs a graph, closes the device.
///
/// `inputs` fill what is not given: buffers that a node may write begin as zeros.
///
/// # Errors
/// What keeps a run from beginning. What happens later ends the run: [`GraphRun::stopped`] says why, and everything that
/// was read back by then is there.
pub fn run_graph(
    options: &DeviceOptions,
    dxil: &Dxil,
    graph: &WorkGraph,
    request: &GraphRequest,
    inputs: &Inputs,
) -> Result<GraphRun, GpuError> {
    run_graph_telling(options, dxil, graph, request, inputs, None)
}

/// Receives a run while it grows and, where it is paused, decides how it continues. Without an answer a paused run
/// ends.
pub type Listener<'l> = &'l mut dyn FnMut(GraphPart) -> Option<GraphCommand>;

/// Like [`run_graph`], and every piece is passed on as soon as it was read; the result contains all of them again.
///
/// # Errors
/// See [`run_graph`].
pub fn run_graph_telling(
    options: &DeviceOptions,
    dxil: &Dxil,
    graph: &WorkGraph,
    request: &GraphRequest,
    inputs: &Inputs,
    listener: Option<Listener<'_>>,
) -> Result<GraphRun, GpuError> {
    let mut notifier = Notifier { listener, waited: Duration::ZERO };
    let plans = plan::plans(graph, dxil, request.mode == GraphMode::Free);
    let starts = starts(graph, request)?;
    for job in &starts {
        if let (Some(node), Some(Err(why))) = (graph.nodes.get(job.node), plans.nodes.get(job.node)) {
            return Err(GpuError::NotRun(format!("{}: {why}", node.id)));
        }
    }
    if starts.is_empty() && request.resume.is_none() {
        return Err(GpuError::Unusable("no entry point has records".to_owned()));
    }
    if request.resume.is_some() && request.mode == GraphMode::Free {
        return Err(GpuError::Unusable("only stepped runs can be resumed from a generation".to_owned()));
    }
    let resumed = request.resume.as_deref().map(|resume| job::resumed(graph, resume)).transpose()?;
    let inputs = &sized(inputs, request);
    let helpers = match request.mode {
        GraphMode::Step => None,
        GraphMode::Free => Some(Helpers::new()?),
    };
    let modules = plans.nodes.iter().filter_map(|plan| plan.as_ref().ok()).map(|plan| &plan.module);
    let modules = modules.chain(helpers.iter().flat_map(Helpers::modules));
    let used = with_device(&Needs::of(modules), options, |device| {
        device.prove()?;
        let mut run = empty(device, graph, &plans, request);
        let start = Start { helpers: helpers.as_ref(), jobs: &starts, resumed: resumed.as_deref(), inputs };
        run_on(device, &plans, &start, request, &mut notifier, &mut run)?;
        Ok(run)
    })?;
    let mut run = used.value;
    run.warnings = used.warnings;
    Ok(run)
}

/// Notifies the listener.
struct Notifier<'l> {
    listener: Option<Listener<'l>>,
    /// How long the listener took to say how to continue.
    waited: Duration,
}

impl Notifier<'_> {
    fn notify(&mut self, part: impl FnOnce() -> GraphPart) {
        if let Some(listener) = &mut self.listener {
            listener(part());
        }
    }

    /// Asks how a paused run continues.
    fn ask(&mut self, standing: GraphPart) -> GraphCommand {
        let begin = Instant::now();
        let command = self.listener.as_mut().and_then(|listener| listener(standing));
        self.waited += begin.elapsed();
        command.unwrap_or(GraphCommand::End)
    }
}

/// What a run starts with.
struct Start<'s> {
    helpers: Option<&'s Helpers>,
    jobs: &'s [Job],
    /// The records that it resumes with, if it does.
    resumed: Option<&'s [Job]>,
    inputs: &'s Inputs,
}

fn run_on(
    device: &Device,
    plans: &Plans,
    start: &Start<'_>,
    request: &GraphRequest,
    notifier: &mut Notifier<'_>,
    run: &mut GraphRun,
) -> Result<(), GpuError> {
    let Start { helpers, jobs: starts, resumed, inputs } = *start;
    let graph = run.graph.clone();
    let near = if helpers.is_some() { Near::Device } else { Near::Host };
    let mut stage = Stage::new(device, &graph, &plans.nodes, inputs, &request.local_roots, near)?;
    if let Some(resume) = &request.resume {
        stage.restore(resume, inputs)?;
    }
    stage.begin(run)?;
    notifier.notify(|| GraphPart::Begin(Box::new(run.clone())));
    let begin = Instant::now();
    let done = match helpers {
        Some(helpers) => gpu_driven::free(&mut stage, helpers, request, starts, notifier, run),
        None => step::step(&mut stage, request, (starts, resumed), notifier, run),
    };
    let took = begin.elapsed().saturating_sub(notifier.waited);
    run.wall_nanoseconds = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
    match done {
        // Its place is known: what was read back is kept.
        Err(_) if run.stopped.is_some() => {
            run.hold_last();
            return Ok(());
        }
        done => done?,
    }
    stage.finish(run)
}

/// The host's records as jobs.
fn starts(graph: &WorkGraph, request: &GraphRequest) -> Result<Vec<Job>, GpuError> {
    let mut out = Vec::new();
    for input in &request.inputs {
        let unknown = || GpuError::Unusable(format!("{} is not an entry point of this graph", input.entry));
        let index = graph.find(&input.entry).ok_or_else(unknown)?;
        let node = graph.nodes.get(index).filter(|node| node.starts()).ok_or_else(unknown)?;
        let bytes = input.count.saturating_mul(node.record().map_or(0, |record| u64::from(record.stride())));
        if bytes > MAX_INPUT {
            let what = format!("the records of {} (bytes)", node.id);
            return Err(GpuError::TooLarge { what, needed: bytes, limit: MAX_INPUT });
        }
        out.push(Job::of_input(index, node, input));
    }
    Ok(out)
}

/// The contents of descriptors of a resumed run: without a new size they keep the one that they had.
fn sized(inputs: &Inputs, request: &GraphRequest) -> Inputs {
    let mut out = inputs.clone();
    for buffer in request.resume.iter().flat_map(|resume| &resume.buffers) {
        // Those of local root arguments are not descriptors.
        let local = buffer.name.starts_with(LOCAL_BUFFER);
        if !local && inputs.given(buffer.set, buffer.binding, buffer.element).is_none() {
            let (set, binding, element) = (buffer.set, buffer.binding, Some(buffer.element));
            out.buffers.push(Given { set, binding, element, content: Content::Size(buffer.bytes) });
        }
    }
    out
}

/// The most bytes of one input.
const MAX_INPUT: u64 = 1 << 30;

/// Outputs with gaps of functions whose questions whether an output is valid are always answered with `true`.
fn always_valid(graph: &WorkGraph, functions: &[String]) -> Vec<Finding> {
    let mut found = Vec::new();
    for node in graph.nodes.iter().filter(|node| functions.contains(&node.function)) {
        for output in node.outputs.iter().filter(|output| !output.missing.is_empty()) {
            let message = format!(
                "{}: IsValid() is true for all elements of {}, some of which have no node; records for them are dropped",
                node.label(),
                NodeId::new(output.target.name.clone(), output.target.index)
            );
            found.push(findings::GRAPH_ALWAYS_VALID.at(None, Some(node.id.place()), message));
        }
    }
    found
}

/// Nodes whose grids have more workgroups than `--width` allows: with fewer, some devices lose groups.
fn widened(graph: &WorkGraph, plans: &Plans, request: &GraphRequest) -> Vec<Finding> {
    let Some(asked) = request.cut.width else { return Vec::new() };
    let is_wider = |node: &Node| {
        let components = node.record().and_then(|record| record.grid).map_or(3, |grid| grid.components);
        let fixed = node.grid.map(Grid::fixed);
        let most = fixed.or(node.max_grid.map(|grid| Grid::dynamic(grid, components)));
        node.launch == Launch::Broadcasting && most.is_none_or(|grid| grid.passes > u64::from(asked))
    };
    let divergent = |plan: &Result<NodePlan, String>| plan.as_ref().is_ok_and(|plan| plan.divergent);
    let nodes = graph.nodes.iter().zip(&plans.nodes).filter(|(node, plan)| is_wider(node) && divergent(plan));
    let found = nodes.map(|(node, _)| {
        let message = format!("{}: width {asked} is ignored; each group has its own workgroup", node.label());
        findings::GRAPH_WIDTH.at(None, Some(node.id.place()), message)
    });
    found.collect()
}

/// A run before anything ran.
/// The device that groups are dispatched for, where a run counts them.
fn counted_as(device: &Device, request: &GraphRequest) -> Option<CountedAs> {
    let [most, ..] = device.limits.max_compute_work_group_count;
    let counted = request.counted.filter(|_| request.mode == GraphMode::Free)?;
    Some(CountedAs { rows: counted.rows || u64::from(most) < scheduler::MAX_ROW })
}

fn empty(device: &Device, graph: &WorkGraph, plans: &Plans, request: &GraphRequest) -> GraphRun {
    let mut found = Vec::new();
    let mut refused = Vec::new();
    for (index, (node, plan)) in graph.nodes.iter().zip(&plans.nodes).enumerate() {
        if let Err(why) = plan {
            refused.push(Refused { node: index, why: why.clone() });
            let message = format!("{}: not converted to SPIR-V: {why}", node.label());
            let refused = findings::GRAPH_NODE_REFUSED.at(None, Some(node.id.place()), message);
            found.push(Finding { details: plans.details.get(index).cloned().flatten(), ..refused });
        }
    }
    found.extend(always_valid(graph, &plans.always_valid));
    found.extend(widened(graph, plans, request));
    found.extend(request.resume.iter().flat_map(|resume| resume.findings.iter().cloned()));
    GraphRun {
        device: device.info.name.clone(),
        file: String::new(),
        mode: request.mode,
        input_mode: request.input_mode,
        entries: request.inputs.iter().map(|input| input.entry.clone()).collect(),
        ring: request.ring,
        counted: counted_as(device, request),
        graph: graph.clone(),
        refused,
        generations: Vec::new(),
        pending: Vec::new(),
        stopped: None,
        findings: found,
        buffers: Vec::new(),
        images: Vec::new(),
        start: Default::default(),
        left_out: Vec::new(),
        contents: Default::default(),
        nanoseconds: 0,
        wall_nanoseconds: 0,
        warnings: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_passes::graph::{GraphSource, Overrides, link, nodes};

    #[test]
    fn reports_is_valid_that_ignores_missing_nodes() {
        let sample = include_bytes!("../../../../../samples/work_graphs/05_sparse_array.dxil");
        let dxil = Dxil::read(sample.to_vec()).expect("a container");
        let graph = link(nodes(&dxil, 0), GraphSource::Dxil, &Overrides::default());
        assert_eq!(plan::plans(&graph, &dxil, false).always_valid, Vec::<String>::new(), "its calls can be replaced");
        let gaps = |node: &&Node| node.outputs.iter().any(|output| !output.missing.is_empty());
        let writer = graph.nodes.iter().find(gaps).expect("a node with gaps");
        let found = always_valid(&graph, std::slice::from_ref(&writer.function));
        assert_eq!(found.first().map(|finding| finding.code.as_str()), Some("G51"));
        assert!(found[0].message.contains("IsValid() is true for all elements"), "{}", found[0].message);
        assert!(always_valid(&graph, &["nobody".to_owned()]).is_empty());
    }
}
