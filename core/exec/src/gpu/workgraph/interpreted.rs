//! The launch of one record of a run in the interpreter, and what it writes beside what the device wrote.

use lanescope_base::grid;
use lanescope_dxil::Dxil;
use lanescope_interpreter::{self as interpreter, LaneMap, Machine};
use lanescope_passes::graph::{Node, WorkGraph};
use lanescope_run::graph::{GraphMode, GraphRun, LOCAL_BUFFER, LocalRoots, Resume};
use lanescope_run::{Blob, Dispatch, ResourceNames};
use serde::{Deserialize, Serialize};

use super::batching::{self, Piece, PieceShape, Room, Which};
use super::block::{self, GUARD, InputBlock, MAX_OUTPUT, OutputBlock, SINK};
use super::expand::Batched;
use super::job::Job;
use super::plan::{self, NodePlan, Variant};
use super::roots::{self, RootLayout};
use super::stage::Push;
use super::written::WrittenRecord;
use crate::gpu::interpret::{AllFilled, Launch, RECORDS, decode, fill, not_launched};
use crate::gpu::resources::Resources;
use crate::gpu::{GpuError, Inputs};

/// Where the input and the output are.
const INPUT: u64 = 1 << 44;
const OUTPUT: u64 = 1 << 45;
/// Where local root arguments are, and the distance to their first buffer and from one to the next.
const ROOTS: u64 = 1 << 46;
const ROOT_STEP: u64 = 1 << 32;
/// Binding of local root arguments; their buffers follow.
const ARGUMENTS: u32 = 2;
/// The most bytes that a launch may write.
const MAX_HALF: u64 = 64 << 20;

/// A record of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordPlace {
    /// Index of the run's generation.
    pub generation: usize,
    /// Index of the node's run in it.
    pub run: usize,
    /// The record, among those of the node's run.
    pub record: u64,
}

/// The nodes of a graph, converted and rewritten to run, or why not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodePlans(Vec<Result<NodePlan, String>>);

impl NodePlans {
    /// Converts and rewrites the nodes of a graph. The converter is foreign code.
    pub fn new(graph: &WorkGraph, dxil: &Dxil) -> NodePlans {
        // Without the notes of launches: all lanes would write the same word.
        let plans = plan::plans(graph, dxil, true).nodes;
        let alone = |plan: NodePlan| NodePlan { together: None, ..plan };
        NodePlans(plans.into_iter().map(|plan| plan.map(alone)).collect())
    }
}

/// A launch of a record, at its start in the interpreter.
#[derive(Debug, Clone)]
pub struct RecordLaunch {
    /// The launch.
    pub launch: Launch,
    /// The records that it runs with: the first one, and how many.
    pub records: (u64, u64),
    /// The record that was asked for.
    pub place: RecordPlace,
    node: usize,
    plan: NodePlan,
    output: OutputBlock,
}

/// The record of a node by its number among all that the node got in a run.
///
/// # Errors
/// No such record.
pub fn record_of(run: &GraphRun, node: usize, number: u64) -> Result<RecordPlace, GpuError> {
    let mut before = 0u64;
    for (generation, is) in run.generations.iter().enumerate() {
        for (at, of) in is.nodes.iter().enumerate().filter(|(_, of)| of.node == node) {
            if let Some(record) = number.checked_sub(before).filter(|record| *record < of.count) {
                return Ok(RecordPlace { generation, run: at, record });
            }
            before = before.saturating_add(of.count);
        }
    }
    let id = run.graph.nodes.get(node).map_or_else(String::new, |node| node.id.to_string());
    Err(GpuError::Unusable(format!("record {number} of {id}: the node got {before} records in this run")))
}

impl RecordLaunch {
    /// Places the launch of a record of a stepped run. Buffers and images are as they were before its generation.
    /// `wave` is the size of waves; what is not given is filled by `inputs`. `roots` are the local root arguments of the
    /// run.
    ///
    /// # Errors
    /// A node that is not converted, or whose local root arguments are not in the table; an instruction that the
    /// interpreter does not implement; records or contents that the run has not kept; a launch that may write too much.
    pub fn new(
        plans: &NodePlans,
        run: &GraphRun,
        place: RecordPlace,
        wave: u32,
        (inputs, roots): (&Inputs, &LocalRoots),
        options: &interpreter::Options,
    ) -> Result<RecordLaunch, GpuError> {
        let graph = &run.graph;
        if run.mode == GraphMode::Free {
            let why = "a GPU-driven run does not record the state between generations";
            return Err(GpuError::Unusable(why.to_owned()));
        }
        let generation = run.generations.get(place.generation);
        let done = generation.and_then(|is| is.nodes.get(place.run));
        let (Some(generation), Some(done)) = (generation, done) else {
            return Err(GpuError::Unusable("the run has no such generation or node".to_owned()));
        };
        let Some(node) = graph.nodes.get(done.node) else {
            return Err(GpuError::Unusable(format!("node {} does not exist", done.node)));
        };
        let NodePlans(plans) = plans;
        let plan = match plans.get(done.node) {
            Some(Ok(plan)) => plan.clone(),
            Some(Err(why)) => return Err(GpuError::NotRun(format!("{}: {why}", node.id))),
            None => return Err(GpuError::NotRun(format!("{}: not converted", node.id))),
        };
        // A coalescing group takes several records.
        let most = u64::from(node.records_per_launch());
        let first = place.record / most * most;
        let count = most.min(done.count.saturating_sub(first));
        let mut job = Job { node: done.node, remaining: done.remaining, entry: done.entry, count, ..Job::default() };
        if let Some(record) = node.record() {
            let all = run.records_of(generation, done);
            job.records.stride = record.stride();
            for index in first..first + count {
                let missing = || {
                    let number = generation.number;
                    GpuError::NotRun(format!(
                        "the records of {} in generation {number} were too large to keep",
                        node.id
                    ))
                };
                job.records.bytes.0.extend_from_slice(all.get(index).ok_or_else(missing)?);
            }
        }
        let resume = run.resume(place.generation).map_err(GpuError::NotRun)?;
        let mut filled = contents(plans, inputs, &resume)?;
        let (buffers, names) = local_roots((graph, plans, roots), done.node, &resume, &inputs.names)?;
        filled.inputs.buffers.extend(buffers);
        let launching = Launching { node, plan: &plan, job: &job, filled };
        let (machine, output, groups, filled) = launching.machine(wave, options)?;
        let entry = format!("{}, record {}", node.id, place.record);
        let reason = format!("generation {}", generation.number);
        let launch = Launch::of_node(machine, entry, Dispatch { groups, reason }, filled, names);
        Ok(RecordLaunch { launch, records: (first, count), place, node: done.node, plan, output })
    }

    /// The records that a machine which started here has written so far, in the order of their allocation.
    ///
    /// # Errors
    /// Output that cannot be read: an entry outside of it, a changed guard.
    pub fn written(&self, graph: &WorkGraph, machine: &Machine) -> Result<Vec<WrittenRecord>, String> {
        let half = machine.contents(RECORDS, 1, 0).unwrap_or_default();
        let Some(node) = graph.nodes.get(self.node) else { return Ok(Vec::new()) };
        let written = Batched { output: &self.output, plan: &self.plan, node, first_entry: 0 }.read(half);
        if let Some(why) = written.broken {
            return Err(why);
        }
        let mut out = Vec::new();
        let mut add = |slot: u32, bytes: &[u8]| {
            let Some(element) = self.plan.element(slot) else { return };
            let output = node.outputs.get(element.output);
            let id = output.and_then(|output| output.id(element.element));
            let target = id.map_or_else(|| format!("output {slot}"), |id| id.to_string());
            let to = graph.target(self.node, element.output, element.element);
            out.push(WrittenRecord { target, node: to, bytes: Blob(bytes.to_vec()) });
        };
        for (slot, count, offset) in &written.entries {
            let record = self.plan.element(*slot).and_then(|at| node.outputs.get(at.output)?.record.as_ref());
            let Some(record) = record else { continue };
            for at in 0..*count {
                let start = (offset + at * record.stride()) as usize;
                let bytes = written.payload.get(start..).and_then(|rest| rest.get(..record.bytes as usize));
                add(*slot, bytes.unwrap_or_default());
            }
        }
        // Records without contents are only counted.
        for (slot, total) in (0u32..).zip(&written.totals) {
            let record = self.plan.element(slot).and_then(|at| node.outputs.get(at.output)?.record.as_ref());
            if record.is_none() {
                (0..(*total).min(1 << 16)).for_each(|_| add(slot, &[]));
            }
        }
        Ok(out)
    }

    /// The records with contents that the device's launch wrote, as far as the run says which these are: absent where it
    /// knows only a batch.
    pub fn written_in_run(&self, run: &GraphRun) -> Option<Vec<WrittenRecord>> {
        let RecordPlace { generation, run: at, record } = self.place;
        let mut out = Vec::new();
        for caused in run.caused(generation, at, record) {
            if !caused.exact {
                return None;
            }
            let is = run.generations.get(caused.generation)?;
            let of = is.nodes.get(caused.run)?;
            let node = run.graph.nodes.get(of.node)?;
            let bytes = node.record().map_or(0, |record| record.bytes as usize);
            for index in caused.records.into_iter().flatten() {
                let record = of.records.get(index)?.get(..bytes)?;
                let (target, bytes) = (node.id.to_string(), Blob(record.to_vec()));
                out.push(WrittenRecord { target, node: Some(of.node), bytes });
            }
        }
        Some(out)
    }
}

/// Buffers and images as they were before a generation.
fn contents(plans: &[Result<NodePlan, String>], inputs: &Inputs, resume: &Resume) -> Result<AllFilled, GpuError> {
    let modules = plans.iter().filter_map(|plan| plan.as_ref().ok()).map(|plan| &plan.module);
    let entries: Vec<_> = modules.filter_map(|module| Some((module, module.entry_points().first()?))).collect();
    let resources = Resources::of(&entries)?;
    let mut filled = fill(&resources, inputs)?;
    filled.restore(
        |name| resume.contents.get(name).map(|blob| blob.0.as_slice()),
        |name| resume.buffers.iter().find(|buffer| buffer.name == name).map(|buffer| buffer.bytes),
    );
    Ok(filled)
}

/// The local root arguments of a node and their buffers, as they were before a generation, and the names of descriptors
/// with those of the buffers.
fn local_roots(
    (graph, plans, roots): (&WorkGraph, &[Result<NodePlan, String>], &LocalRoots),
    node: usize,
    resume: &Resume,
    names: &ResourceNames,
) -> Result<(Vec<interpreter::Buffer>, ResourceNames), GpuError> {
    // Checks the sizes: each buffer fits between two addresses.
    let layout = RootLayout::new(graph, plans, roots)?;
    let address = |name: &str| {
        let at = layout.buffers.keys().position(|other| other == name)?;
        Some(ROOTS + ROOT_STEP * (at as u64 + 1))
    };
    let mut names = names.clone();
    let mut out = Vec::new();
    let Some(bytes) = roots::arguments(graph, plans, roots, node, address)? else { return Ok((out, names)) };
    let of = |binding: u32, address: u64, bytes: Vec<u8>| interpreter::Buffer {
        set: RECORDS,
        binding,
        element: 0,
        bytes,
        address: Some(address),
    };
    out.push(of(ARGUMENTS, ROOTS, bytes));
    for (binding, (name, (_, bytes))) in (ARGUMENTS + 1..).zip(&layout.buffers) {
        let local = format!("{LOCAL_BUFFER}{name}");
        let mut contents = resume.contents.get(&local).map_or_else(Vec::new, |blob| blob.0.clone());
        contents.resize((*bytes).max(4) as usize, 0);
        out.push(of(binding, address(name).unwrap_or(ROOTS), contents));
        names = names.with(RECORDS, binding, local);
    }
    Ok((out, names))
}

/// A launch that is about to be placed.
struct Launching<'a> {
    node: &'a Node,
    plan: &'a NodePlan,
    job: &'a Job,
    filled: AllFilled,
}

type Placed = (Machine, OutputBlock, [u32; 3], AllFilled);

impl Launching<'_> {
    fn machine(self, wave: u32, options: &interpreter::Options) -> Result<Placed, GpuError> {
        let Launching { node, plan, job, mut filled } = self;
        let record = node.record();
        let (stride, align) = record.map_or((0, 4), |record| (u64::from(record.stride()), u64::from(record.align)));
        let grids = job.grids(node);
        let fixed = OutputBlock::fixed(plan.slots) + 512;
        let per_record = 4 + if stride == 0 { 0 } else { stride.next_multiple_of(align.max(4)) };
        let room = Room { half: MAX_HALF.min(MAX_OUTPUT), fixed, record: per_record, full_width: plan.divergent };
        let too_large = |needed: u64| GpuError::TooLarge {
            what: format!("the output of {} (bytes)", node.id),
            needed,
            limit: MAX_HALF,
        };
        let pieces = batching::cut(node, job.count, &grids, room, &Default::default());
        let pieces = pieces.map_err(|error| too_large(error.needed))?;
        let nothing = || Piece {
            records: Which::Range(0, 0),
            launches: 0,
            shape: PieceShape::Records { per_group: 1, width: 1 },
        };
        let piece = match pieces.as_slice() {
            [piece] => piece.clone(),
            // A grid without groups.
            [] => nothing(),
            _ => return Err(too_large(MAX_HALF + 1)),
        };
        let grid = matches!(piece.shape, PieceShape::Grid(..));
        let variant = Variant { entry: job.entry, described: false, grid };
        let unusable = |why: String| GpuError::Unusable(format!("{}: {why}", node.id));
        let module = plan.specialised(node, variant, &plan.bases, None).map_err(unusable)?;
        let entry = module.entry_points().first().ok_or_else(|| unusable("no entry point".to_owned()))?;
        let program = decode(&module, entry)?;
        let count = piece.records.len();
        let input = match record {
            Some(_) => InputBlock::of(count, stride, align),
            None => InputBlock::of(0, 0, 4),
        };
        let (records, payload) = (node.bound.records * piece.launches, node.bound.payload * piece.launches);
        let least = OutputBlock::of(plan.slots, records, payload, MAX_HALF).ok_or_else(|| too_large(payload))?;
        let half = least.payload + u64::from(least.limit);
        let output = OutputBlock::of(plan.slots, records, payload, half).ok_or_else(|| too_large(payload))?;
        let mut bytes = vec![0; (output.guard + GUARD) as usize];
        output.write(&mut bytes, (OUTPUT + output.sink, 0));
        debug_assert!(output.guard - output.sink == SINK);
        let dispatches = piece.dispatches();
        let (groups, first) = dispatches.first().copied().unwrap_or(([0; 3], 0));
        let push = Push {
            payload: INPUT + input.records,
            first: INPUT + input.words,
            end: INPUT + input.words + 8,
            stride: if job.entry { input.stride } else { INPUT + input.offsets },
            output: OUTPUT + output.payload,
            counters: OUTPUT + output.counters,
            root: if plan.local.is_empty() { INPUT } else { ROOTS },
            list_word: output.list_word,
            remaining: job.remaining,
        };
        filled.inputs.push_constants = push.bytes().to_vec();
        let read = input_bytes(&input, node, job, &piece, &grids, first);
        for (binding, address, bytes) in [(0, INPUT, read), (1, OUTPUT, bytes)] {
            let address = Some(address);
            filled.inputs.buffers.push(interpreter::Buffer { set: RECORDS, binding, element: 0, bytes, address });
        }
        let size = program.local_size();
        let invocations = grid::saturating_volume(size).min(interpreter::MAX_INVOCATIONS);
        let lanes = LaneMap::linear(wave, invocations as u32);
        let dispatch = interpreter::Dispatch { groups, only: None, lanes };
        let machine = Machine::new(program, &filled.inputs, &dispatch, options).map_err(not_launched)?;
        Ok((machine, output, groups, filled))
    }
}

/// The records of a piece, as a node reads them.
fn input_bytes(
    input: &InputBlock,
    node: &Node,
    job: &Job,
    piece: &Piece,
    grids: &[batching::Grid],
    first: u32,
) -> Vec<u8> {
    let mut half = vec![0; input.end.max(64) as usize];
    block::put(&mut half, input.words, first);
    block::put(&mut half, input.words + 8, piece.records.len() as u32);
    let Some(record) = node.record() else { return half };
    let stride = u64::from(record.stride());
    for (at, index) in (0u64..).zip(piece.records.iter()) {
        let place = input.records + at * input.stride;
        block::put(&mut half, input.offsets + 4 * at, (at * input.stride) as u32);
        block::write(&mut half, place, job.records.get(index).unwrap_or_default());
        if record.tracked {
            let grid = grids.get(if grids.len() == 1 { 0 } else { index as usize });
            let groups = grid.map_or(1, |grid| grid.volume);
            block::put(&mut half, place + stride - 4, u32::try_from(groups).unwrap_or(u32::MAX));
        }
    }
    half
}

#[cfg(test)]
mod tests {
    use super::super::written::same_records;
    use super::*;
    use crate::gpu::{run_graph, testing};
    use lanescope_passes::graph::{GraphSource, Overrides, link, nodes};
    use lanescope_run::graph::{GraphInput, GraphRequest};

    fn sample(name: &str) -> (Dxil, WorkGraph) {
        let path = format!("{}/../../samples/work_graphs/{name}", env!("CARGO_MANIFEST_DIR"));
        let dxil = Dxil::read(std::fs::read(path).expect("a sample")).expect("a container");
        let graph = link(nodes(&dxil, 0), GraphSource::Dxil, &Overrides::default());
        (dxil, graph)
    }

    /// A few records of small numbers for the first entry point.
    fn request(graph: &WorkGraph) -> GraphRequest {
        let entry = graph.nodes.iter().find(|node| node.starts()).expect("an entry point");
        let stride = entry.record().map_or(0, |record| record.bytes);
        let words = (0..3 * stride / 4).map(|at| (at * 7 + 1) % 5);
        let bytes = Blob(words.flat_map(u32::to_le_bytes).collect());
        GraphRequest {
            inputs: vec![GraphInput { entry: entry.id.clone(), count: 3, stride, bytes }],
            ..GraphRequest::default()
        }
    }

    #[test]
    fn launches_write_what_the_software_device_wrote() {
        let device = testing::device();
        let (inputs, options) = (Inputs::default(), interpreter::Options::default());
        let (mut compared, mut with_records) = (0, 0);
        for name in [
            "03_coalescing_reduce.dxil",
            "06_cross_group_sharing.dxil",
            "07_wide_dag.dxil",
            "01_tile_classify.dxil",
            "02_quadtree_recursion.dxil",
            "04_broadcast_grids.dxil",
            "05_sparse_array.dxil",
        ] {
            let (dxil, graph) = sample(name);
            let plans = NodePlans::new(&graph, &dxil);
            let run = run_graph(&device, &dxil, &graph, &request(&graph), &inputs).expect("it runs");
            assert!(run.generations.len() > 1, "{name}: {:?}", run.stopped);
            for (generation, is) in run.generations.iter().enumerate() {
                for (at, of) in is.nodes.iter().enumerate() {
                    for record in 0..of.count.min(4) {
                        let place = RecordPlace { generation, run: at, record };
                        let launch =
                            RecordLaunch::new(&plans, &run, place, 32, (&inputs, &LocalRoots::default()), &options);
                        let launch = launch.unwrap_or_else(|why| panic!("{name} {place:?}: {why}"));
                        let mut machine = launch.launch.machine.clone();
                        assert_eq!(machine.run(), interpreter::Outcome::Finished);
                        let found = crate::gpu::interpret::findings(&machine, &launch.launch.names);
                        let race = found.iter().find(|found| ["E001", "E015"].contains(&found.code.as_str()));
                        assert!(race.is_none(), "{name} {place:?}: {race:?}");
                        let ours = launch.written(&graph, &machine).expect("readable output");
                        let Some(theirs) = launch.written_in_run(&run) else { continue };
                        let id = &graph.nodes[of.node].id;
                        assert!(same_records(&ours, &theirs), "{name} {id} {place:?}: {ours:?}, expected {theirs:?}");
                        compared += 1;
                        with_records += usize::from(!theirs.is_empty());
                    }
                }
            }
        }
        assert!(compared > 20 && with_records > 8, "{compared} launches, {with_records} with records");
    }

    #[test]
    fn records_are_counted_over_generations() {
        let (_, graph) = sample("02_quadtree_recursion.dxil");
        let node = lanescope_run::graph::NodeRun { node: 0, count: 3, ..Default::default() };
        let generation = lanescope_run::graph::Generation { nodes: vec![node], ..Default::default() };
        let device = testing::device();
        let (dxil, _) = sample("02_quadtree_recursion.dxil");
        let mut run = run_graph(&device, &dxil, &graph, &request(&graph), &Inputs::default()).expect("it runs");
        run.generations = vec![generation.clone(), generation];
        assert_eq!(record_of(&run, 0, 4).ok(), Some(RecordPlace { generation: 1, run: 0, record: 1 }));
        let why = record_of(&run, 0, 6).expect_err("no such record").to_string();
        assert!(why.contains("the node got 6 records in this run"), "{why}");
    }

    #[test]
    fn local_root_arguments_are_those_of_the_run() {
        let (dxil, graph) = sample("scenarios/25_local_roots.dxil");
        let text = r#"{ "buffers": { "buf": 1024, "other": [1, 2] }, "table": [["buf", 30, 20], ["buf", 40, 50]] }"#;
        let roots: LocalRoots = serde_json::from_str(text).expect("arguments");
        let device = testing::device();
        let request = GraphRequest { local_roots: roots.clone(), ..request(&graph) };
        let (inputs, options) = (Inputs::default(), interpreter::Options::default());
        let run = run_graph(&device, &dxil, &graph, &request, &inputs).expect("it runs");
        let plans = NodePlans::new(&graph, &dxil);
        let mut words = std::collections::BTreeMap::new();
        for (generation, is) in run.generations.iter().enumerate() {
            for at in 0..is.nodes.len() {
                let place = RecordPlace { generation, run: at, record: 0 };
                let launch =
                    RecordLaunch::new(&plans, &run, place, 32, (&inputs, &roots), &options).expect("it starts");
                let mut machine = launch.launch.machine.clone();
                assert_eq!(machine.run(), interpreter::Outcome::Finished);
                let found = crate::gpu::interpret::findings(&machine, &launch.launch.names);
                assert!(found.is_empty(), "{found:?}");
                let Some(buffer) = machine.contents(RECORDS, ARGUMENTS + 1, 0) else { continue };
                let all = buffer.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("a word")));
                let other = machine.contents(RECORDS, ARGUMENTS + 2, 0);
                assert_eq!(other, Some([1, 0, 0, 0, 2, 0, 0, 0].as_slice()), "it starts with its words");
                words.extend((0..).zip(all).filter(|(_, word)| *word != 0));
                let none = RecordLaunch::new(&plans, &run, place, 32, (&inputs, &LocalRoots::default()), &options);
                let why = none.expect_err("no table").to_string();
                assert!(why.contains("the table, which has 0 entries; set them with --local-root"), "{why}");
            }
        }
        // One launch of each node: the device runs as many as there are records.
        assert_eq!(words.into_iter().collect::<Vec<_>>(), [(30, 20), (50, 40)]);
    }
}
