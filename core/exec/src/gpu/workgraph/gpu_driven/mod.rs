//! GPU-driven run: the device schedules itself. One submission contains all generations; between two of them small
//! shaders of our own turn counters into lists of records and indirect dispatches.
//!
//! ```text
//! nodes of a generation ──▶ counters, list, payload ──(count)──▶ totals ──lead──▶ dispatches, offsets of records
//!        ▲                                                                                  │
//!        └──────────────────────────────────── (finish: grids) ◀────────────────────────────┘
//! ```
//!
//! On request a generation is dispatched as vkd3d-proton does, and its groups are counted (`counted.comp`).
//!
//! Few rows and slots are scheduled in one step (see `schedule.comp`), since a step between two barriers costs more
//! than its work.
//!
//! Records are not cleared before they are written: what a node leaves unwritten in one is anything, as D3D12 has it.
//!
//! Nothing is lost silently: what finds no room goes to a sink, and the next generation is not run. Records from the
//! host that might not fit are run in several passes.

mod memory;
mod read;
mod rows;

use std::borrow::Cow;
use std::time::Duration;

use ash::vk;

use self::memory::Memory;
use self::rows::Rows;
use super::Notifier;
use super::batching::{self, Grid, Piece, PieceShape, Room};
use super::job::Job;
use super::plan::Variant;
use super::report;
use super::stage::{Push, Stage};
use crate::gpu::bind::pipeline_layout;
use crate::gpu::devices::SOFTWARE;
use crate::gpu::memory::Owned;
use crate::gpu::pipeline::{ComputeState, compute};
use crate::gpu::{Device, GpuError};
use lanescope_load::compile_own;
use lanescope_model::program::StageKind;
use lanescope_passes::graph::{LAST_GENERATION, Launch, Node, WorkGraph};
use lanescope_run::graph::{Cut, Generation, GraphPart, GraphRequest, GraphRun, InputMode, Stopped};
use lanescope_spirv::Module;

const COMMON: &str = include_str!("common.glsl");
const SOURCES: [&str; 4] = [
    include_str!("count.comp"),
    include_str!("schedule.comp"),
    include_str!("finish.comp"),
    include_str!("counted.comp"),
];
const COUNT: usize = 0;
const LEAD: usize = 1;
const FINISH: usize = 2;
const COUNTED: usize = 3;
/// Bytes of the helper shaders' push constants.
const PUSH_BYTES: u32 = 92;
/// What a dispatch of the leading shader does (`common.glsl`).
const PLACE: u32 = 1;
const EXPAND: u32 = 2;
const WHOLE: u32 = 4;
/// Workgroups that go through a list: enough for a large device, and few where workgroups are threads of a processor.
const EXPANDERS: u32 = 1024;
const EXPANDERS_OF_CPU: u32 = 4;
/// The most workgroups that count.
const MAX_COUNTERS: usize = 1 << 15;

/// The helper shaders.
pub(super) struct Helpers {
    modules: Vec<Module>,
}

impl Helpers {
    /// Compiles them.
    pub fn new() -> Result<Helpers, GpuError> {
        let one = |text: &&str| {
            compile_own(&format!("{COMMON}\n{text}"), StageKind::Compute).map_err(|why| {
                GpuError::NotRun(format!(
                    "internal error: a helper shader of the GPU-driven run: {why}; please report it"
                ))
            })
        };
        Ok(Helpers { modules: SOURCES.iter().map(one).collect::<Result<_, _>>()? })
    }

    /// Their modules.
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }
}

/// The helper shaders' pipelines.
struct Leaders<'d> {
    device: &'d Device,
    layout: Owned<'d, vk::PipelineLayout>,
    pipelines: Vec<Owned<'d, vk::Pipeline>>,
}

impl<'d> Leaders<'d> {
    fn new(device: &'d Device, helpers: &Helpers) -> Result<Leaders<'d>, GpuError> {
        let push = vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(PUSH_BYTES);
        let layout = pipeline_layout(device, &[], Some(push), vk::PipelineLayoutCreateFlags::empty())?;
        let mut pipelines = Vec::new();
        for module in &helpers.modules {
            let entry = module.entry_points().first().ok_or_else(|| GpuError::NotRun("no entry point".to_owned()))?;
            pipelines.push(compute(device, module, entry, ComputeState::default(), layout.handle)?);
        }
        Ok(Leaders { device, layout, pipelines })
    }

    /// Binds one of them with its push constants.
    fn bind(&self, commands: vk::CommandBuffer, which: usize, push: &[u8]) {
        let Some(pipeline) = self.pipelines.get(which) else { return };
        let vk = &self.device.handle;
        // SAFETY: the command buffer is being recorded; pipeline and layout outlive the commands.
        unsafe {
            vk.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, pipeline.handle);
            vk.cmd_push_constants(commands, self.layout.handle, vk::ShaderStageFlags::COMPUTE, 0, push);
        }
    }
}

/// How long a pass took: all of it, and to each of its marks. A generation has two, after its nodes and after what led
/// on from it; without a clock there are none.
struct Times {
    all: u64,
    marks: Vec<Duration>,
}

impl Times {
    /// Nanoseconds of a generation's nodes, and of leading on from it.
    fn of(&self, generation: usize) -> Option<[u64; 2]> {
        let at = |mark: usize| self.marks.get(mark).map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        let before = (2 * generation).checked_sub(1).map_or(Some(0), at)?;
        let (ran, led) = (at(2 * generation)?, at(2 * generation + 1)?);
        Some([ran.saturating_sub(before), led.saturating_sub(ran)])
    }
}

/// Everything that one pass needs.
struct Free<'d> {
    rows: Rows,
    memory: Memory<'d>,
    leaders: Leaders<'d>,
    /// Whether the grids of any row are its records'.
    dynamic: bool,
    /// Whether groups are dispatched as another scheduler does, and counted.
    counts: bool,
    /// Pipelines of the rows, by row: fed by nodes.
    fed: Vec<Option<vk::Pipeline>>,
}

/// Runs a graph to its end, or to where it cannot continue.
pub(super) fn free(
    stage: &mut Stage<'_, '_>,
    helpers: &Helpers,
    request: &GraphRequest,
    starts: &[Job],
    notifier: &mut Notifier<'_>,
    run: &mut GraphRun,
) -> Result<(), GpuError> {
    let graph = stage.graph;
    let entries: Vec<usize> = starts.iter().map(|job| job.node).collect();
    let rows = Rows::of(graph, stage.plans, &entries)
        .map_err(|why| GpuError::NotRun(format!("the graph cannot run GPU-driven: {why}")))?;
    let described = matches!(request.input_mode, InputMode::Gpu | InputMode::MultiGpu);
    let plain = Variant { entry: false, described: false, grid: false };
    let memory = Memory::new(stage, &rows, request.ring, run.counted)?;
    // Before the first pipeline is made.
    stage.pipelines.limits = stage.device.long_atomics.then(|| memory.limits());
    let mut active: Vec<usize> = rows.active.iter().skip(1).flatten().copied().collect();
    active.sort_unstable();
    active.dedup();
    let wanted = active.iter().filter_map(|row| rows.rows.get(*row)).map(|row| (row.node, plain, row.bases.clone()));
    stage.make(wanted)?;
    let mut fed = vec![None; rows.rows.len()];
    for at in active {
        if let Some(row) = rows.rows.get(at) {
            fed[at] = Some(stage.pipeline(row.node, plain, &row.bases)?);
        }
    }
    let leaders = Leaders::new(stage.device, helpers)?;
    let dynamic = rows.rows.iter().any(|row| graph.nodes.get(row.node).is_some_and(Node::has_dynamic_grid));
    let mut free = Free { rows, memory, leaders, dynamic, counts: run.counted.is_some(), fed };
    for dispatch in 0..request.dispatches {
        for job in starts.iter().filter(|job| job.count > 0) {
            let start = Start { request, dispatch, job, described };
            if let Some(stopped) = free.job(stage, start, notifier, run)? {
                run.stopped = Some(stopped);
                return Ok(());
            }
        }
    }
    match run.generations.last_mut() {
        Some(last) => stage.changed(last),
        None => Ok(()),
    }
}

/// Records of the host, and how they run.
#[derive(Clone, Copy)]
struct Start<'s> {
    request: &'s GraphRequest,
    dispatch: u32,
    job: &'s Job,
    /// Where they are is said in device memory.
    described: bool,
}

/// A row that runs on records of the host, and what they start of it: one grid where all have the same.
struct Reader {
    row: usize,
    grids: Vec<Grid>,
}

/// A row in a pass's first generation.
struct First<'p> {
    row: usize,
    pipeline: vk::Pipeline,
    push: Push,
    /// How it goes over the pass's records.
    piece: Cow<'p, Piece>,
}

impl Free<'_> {
    /// Runs the host's records, in as many passes as they need.
    fn job(
        &mut self,
        stage: &mut Stage<'_, '_>,
        start: Start<'_>,
        notifier: &mut Notifier<'_>,
        run: &mut GraphRun,
    ) -> Result<Option<Stopped>, GpuError> {
        let Start { request, dispatch, job, .. } = start;
        let graph = stage.graph;
        let Some(node) = graph.nodes.get(job.node) else { return Ok(None) };
        let generation = Generation { dispatch, ..Generation::default() };
        let readers = self.readers(graph, job);
        for reader in &readers {
            let of = self.rows.rows.get(reader.row).map_or(job.node, |row| row.node);
            if let Some(stopped) = report::grids(run, of, &generation, &reader.grids) {
                return Ok(Some(stopped));
            }
        }
        let grids = readers.first().map_or(&[][..], |owner| &owner.grids);
        // What runs in the first generation shares the room: the entry and its sharers, which read its records once
        // more.
        let mut bound = node.clone();
        for sharer in graph.sharers(job.node).filter_map(|sharer| graph.nodes.get(sharer)) {
            bound.bound.payload += sharer.bound.payload * sharer.bound.groups;
            bound.bound.listed += sharer.bound.listed * sharer.bound.groups;
        }
        let half = self.memory.room_for(&bound);
        let stride = node.record().map_or(0, |record| u64::from(record.stride()));
        let align = node.record().map_or(4, |record| u64::from(record.align.max(4)));
        let record = 4 + if stride == 0 { 0 } else { stride.next_multiple_of(align) };
        let most = (self.memory.input / record).max(1);
        let by = Cut { batch: Some(request.cut.batch.unwrap_or(most).min(most)), ..request.cut };
        let full_width = stage.plan(job.node)?.divergent;
        let room = Room { half, fixed: 0, record: 0, full_width };
        let pieces = match batching::cut(&bound, job.count, grids, room, &by) {
            Ok(pieces) => pieces,
            Err(too_large) => {
                let short = self.memory.short(&bound, too_large.needed);
                return Ok(Some(report::too_large(node, &generation, short, request.ring)));
            }
        };
        for piece in &pieces {
            notifier.notify(|| GraphPart::Running { dispatch, number: 0, node: job.node });
            if let Some(stopped) = self.pass(stage, start, piece, &readers, run)? {
                return Ok(Some(stopped));
            }
        }
        Ok(None)
    }

    /// Who reads the host's records: the entry, then its sharers. Others start with the next generation.
    fn readers(&self, graph: &WorkGraph, job: &Job) -> Vec<Reader> {
        let owner = self.rows.rows.iter().position(|row| row.node == job.node);
        let sharers = self.rows.active.first().into_iter().flatten().copied();
        let shares = |at: &usize| owner.is_some() && self.rows.rows.get(*at).is_some_and(|row| row.shares == owner);
        let all = owner.into_iter().chain(sharers.filter(shares));
        let grids =
            |row: usize| self.rows.rows.get(row).and_then(|row| graph.nodes.get(row.node)).map(|of| job.grids(of));
        all.map(|row| Reader { row, grids: grids(row).unwrap_or_default() }).collect()
    }

    /// How a pass's first generation runs. A node that shares its records goes over all of a record at once, with the first
    /// part of its owner's grid.
    fn first<'p>(
        &mut self,
        stage: &mut Stage<'_, '_>,
        start: Start<'_>,
        piece: &'p Piece,
        readers: &[Reader],
    ) -> Result<Vec<First<'p>>, GpuError> {
        let (graph, described) = (stage.graph, start.described);
        let Some(node) = graph.nodes.get(start.job.node) else { return Ok(Vec::new()) };
        let grids = readers.first().map_or(&[][..], |owner| &owner.grids);
        let input = self.memory.begin(node, start.job, piece, grids)?;
        let mut out = Vec::new();
        for reader in readers {
            let Some(row) = self.rows.rows.get(reader.row) else { continue };
            let own = match graph.nodes.get(row.node).filter(|_| row.shares.is_some()) {
                Some(_) if piece.goes_on() => continue,
                Some(sharer) => Cow::Owned(shared(sharer, piece, &reader.grids)),
                None => Cow::Borrowed(piece),
            };
            let variant = Variant { entry: true, described, grid: matches!(own.shape, PieceShape::Grid(..)) };
            let words = self.memory.words(reader.row, &own)?;
            let push = Push {
                payload: if described { input.described } else { input.records },
                first: words,
                end: words + 8,
                stride: if described { input.described + 8 } else { input.stride },
                remaining: row.remaining,
                root: stage.root(row.node),
                ..self.memory.output(0)
            };
            let pipeline = stage.pipeline(row.node, variant, &row.bases)?;
            out.push(First { row: reader.row, pipeline, push, piece: own });
        }
        Ok(out)
    }

    /// One submission: every generation of some records of the host.
    fn pass(
        &mut self,
        stage: &mut Stage<'_, '_>,
        start: Start<'_>,
        piece: &Piece,
        readers: &[Reader],
        run: &mut GraphRun,
    ) -> Result<Option<Stopped>, GpuError> {
        let request = start.request;
        let last = request.until.unwrap_or(LAST_GENERATION).min(LAST_GENERATION) as usize;
        let ran = self.rows.active.len().min(last + 1);
        let first = self.first(stage, start, piece, readers)?;
        let stage_ref = &*stage;
        let last_rows = self.rows.active.get(ran.saturating_sub(1)).into_iter().flatten();
        let writes = last_rows.filter_map(|at| self.rows.rows.get(*at)).any(|row| !row.bases.is_empty());
        let id = stage.graph.nodes.get(start.job.node).map_or_else(String::new, |node| node.id.to_string());
        let doing = format!("{id} and later nodes, up to generation {}", ran.saturating_sub(1));
        let device = stage.device;
        let marks = if request.timed { 2 * ran as u32 } else { 0 };
        let (time, marks) = device.run_marked(&doing, marks, |commands, marks| {
            let vk = &device.handle;
            stage_ref.bound.record(commands, vk::PipelineBindPoint::COMPUTE);
            for First { pipeline, push, piece, .. } in &first {
                stage_ref.bind(commands, *pipeline);
                for (at, (groups, _)) in (0u64..).zip(piece.dispatches()) {
                    stage_ref.push(commands, &Push { first: push.first + 4 * at, ..*push });
                    let [x, y, z] = groups;
                    // SAFETY: the command buffer is being recorded; all that the dispatch uses outlives the commands.
                    unsafe {
                        match piece.shape {
                            PieceShape::Grid(base, _) => {
                                vk.cmd_dispatch_base(commands, base[0], base[1], base[2], x, y, z);
                            }
                            PieceShape::Records { .. } => vk.cmd_dispatch(commands, x, y, z),
                        }
                    }
                }
            }
            for number in 1..=ran {
                marks.set();
                // After nodes without outputs there is nothing to schedule.
                if number < ran || writes {
                    self.lead(commands, number as u32, number < ran);
                }
                marks.set();
                if number == ran {
                    break;
                }
                stage_ref.bound.record(commands, vk::PipelineBindPoint::COMPUTE);
                for at in self.rows.active.get(number).into_iter().flatten() {
                    let (Some(row), Some(Some(pipeline))) = (self.rows.rows.get(*at), self.fed.get(*at)) else {
                        continue;
                    };
                    stage_ref.bind(commands, *pipeline);
                    let push = Push {
                        remaining: row.remaining,
                        root: stage_ref.root(row.node),
                        ..self.memory.fed(number, *at)
                    };
                    for part in 0..2 {
                        stage_ref.push(commands, &Push { first: push.first + 16 * part, ..push });
                        let (buffer, offset) = self.memory.dispatch(*at, part);
                        // SAFETY: as above; the buffer holds the dispatch, written before the barrier.
                        unsafe { vk.cmd_dispatch_indirect(commands, buffer, offset) };
                    }
                }
            }
        })?;
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        run.nanoseconds += nanoseconds;
        let times = Times { all: nanoseconds, marks };
        self.read(stage, start, &first, ran, &times, run)
    }

    /// Counters to dispatches, by the helper shaders. `runs`: the dispatches are used.
    fn lead(&self, commands: vk::CommandBuffer, generation: u32, runs: bool) {
        let device = self.leaders.device;
        let vk = &device.handle;
        let dispatch = |which: usize, steps: u32, groups: u32| {
            self.leaders.bind(commands, which, &self.memory.push(&self.rows, generation, steps));
            // SAFETY: the command buffer is being recorded; pipelines and memory outlive the commands.
            unsafe { vk.cmd_dispatch(commands, groups, 1, 1) };
            barrier(device, commands);
        };
        barrier(device, commands);
        let expanders = if device.info.kind == SOFTWARE { EXPANDERS_OF_CPU } else { EXPANDERS };
        if self.memory.is_whole() {
            dispatch(LEAD, PLACE | EXPAND | WHOLE, expanders);
        } else {
            dispatch(COUNT, 0, (self.rows.slots.len() as u32).div_ceil(256).max(1));
            dispatch(LEAD, PLACE, 1);
            dispatch(LEAD, EXPAND, expanders);
        }
        if self.dynamic {
            dispatch(FINISH, 0, 1);
        }
        if self.counts && runs {
            dispatch(COUNTED, 0, self.rows.rows.len().min(MAX_COUNTERS) as u32);
        }
    }
}

/// How a sharing node runs over the records of its owner's piece; `grids` are its own.
fn shared(node: &Node, piece: &Piece, grids: &[Grid]) -> Piece {
    let records = piece.records.len();
    let (launches, shape) = match node.launch {
        Launch::Thread => (records, PieceShape::Records { per_group: batching::THREADS, width: 1 }),
        Launch::Coalescing => {
            let per_group = u64::from(node.records_per_launch());
            (records.div_ceil(per_group), PieceShape::Records { per_group, width: 1 })
        }
        _ => {
            let of = |index: u64| grids.get(if grids.len() == 1 { 0 } else { index as usize }).copied();
            let own: Vec<Grid> = piece.records.iter().filter_map(of).collect();
            let passes = own.iter().map(|grid| grid.passes).max().unwrap_or(0);
            let shape = match own.as_slice() {
                // A loop that does not end in its first pass loses groups on some devices.
                [grid] if grid.passes > batching::MAX_AXIS => PieceShape::Grid([0; 3], grid.groups),
                _ => PieceShape::Records { per_group: 1, width: passes.clamp(1, batching::MAX_AXIS) as u32 },
            };
            (own.iter().map(|grid| grid.volume).sum(), shape)
        }
    };
    Piece { records: piece.records.clone(), launches, shape }
}

/// Everything before is seen by everything after.
fn barrier(device: &Device, commands: vk::CommandBuffer) {
    let all = [vk::MemoryBarrier::default()
        .src_access_mask(vk::AccessFlags::SHADER_READ | vk::AccessFlags::SHADER_WRITE | vk::AccessFlags::TRANSFER_WRITE)
        .dst_access_mask(
            vk::AccessFlags::SHADER_READ
                | vk::AccessFlags::SHADER_WRITE
                | vk::AccessFlags::INDIRECT_COMMAND_READ
                | vk::AccessFlags::TRANSFER_WRITE,
        )];
    let before = vk::PipelineStageFlags::COMPUTE_SHADER | vk::PipelineStageFlags::TRANSFER;
    let after = before | vk::PipelineStageFlags::DRAW_INDIRECT;
    // SAFETY: the command buffer is being recorded outside of rendering.
    unsafe {
        device.handle.cmd_pipeline_barrier(commands, before, after, vk::DependencyFlags::empty(), &all, &[], &[])
    };
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::path::Path;

    use crate::gpu::{DeviceOptions, Inputs, run_graph};
    use lanescope_dxil::Dxil;
    use lanescope_passes::graph::{GraphSource, Overrides, link, nodes};
    use lanescope_run::graph::input::{self, InputOptions};
    use lanescope_run::graph::{GraphMode, GraphRequest, GraphRun};

    thread_local! {
        /// Tables are scheduled as if they were too large for a workgroup.
        pub(super) static IN_STEPS: Cell<bool> = const { Cell::new(false) };
        /// Slots have no history, as if there were too many.
        pub(super) static WITHOUT_SLOTS: Cell<bool> = const { Cell::new(false) };
    }

    fn run(file: &str) -> GraphRun {
        run_with(file, &Overrides::default())
    }

    fn run_with(file: &str, overrides: &Overrides) -> GraphRun {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/work_graphs").join(file);
        let dxil = Dxil::read(std::fs::read(path).expect("the sample is there")).expect("is a container");
        let mut all = nodes(&dxil, 0);
        lanescope_passes::graph::apply_overrides(overrides, &mut all);
        let graph = link(all, GraphSource::Dxil, overrides);
        let entry = graph.nodes.iter().find(|node| node.starts()).map(|node| node.id.to_string());
        let named = InputOptions { entry: entry.as_deref(), ..InputOptions::default() };
        let inputs = input::counted(1, &graph, named).expect("an entry point");
        let request = GraphRequest { inputs, mode: GraphMode::Free, ring: 16 << 20, ..GraphRequest::default() };
        let options = DeviceOptions { validate: true, ..DeviceOptions::default() };
        let run = run_graph(&options, &dxil, &graph, &request, &Inputs::default()).expect("it runs");
        assert_eq!(run.stopped, None, "{file}");
        run
    }

    #[test]
    fn large_tables_give_the_same_results() {
        for file in ["01_tile_classify.dxil", "02_quadtree_recursion.dxil", "04_broadcast_grids.dxil"] {
            let at_once = run(file);
            IN_STEPS.set(true);
            let in_steps = run(file);
            IN_STEPS.set(false);
            assert_eq!(at_once.contents, in_steps.contents, "{file}");
            assert_eq!(at_once.generations.len(), in_steps.generations.len(), "{file}");
            for (one, other) in at_once.generations.iter().zip(&in_steps.generations) {
                let counts = |of: &lanescope_run::graph::Generation| {
                    of.nodes.iter().map(|node| (node.node, node.count, node.launches)).collect::<Vec<_>>()
                };
                assert_eq!(counts(one), counts(other), "{file}");
            }
        }
    }
    #[test]
    fn finds_dropped_records_without_slot_history() {
        let text = r#"{"nodes": {"Material[2]": {"rename": "Other"}}, "allow_missing": true, "include_all": false}"#;
        let overrides = serde_json::from_str(text).expect("overrides");
        for (without, message) in [
            (false, "ClassifyTiles: 26 records sent to absent node Material[2]"),
            (true, "26 records sent to absent nodes; a stepped run shows the senders"),
        ] {
            WITHOUT_SLOTS.set(without);
            let run = run_with("01_tile_classify.dxil", &overrides);
            let found: Vec<_> = run.findings.iter().map(|is| (is.code.as_str(), is.message.as_str())).collect();
            assert_eq!(found, [("G42", message)]);
        }
        WITHOUT_SLOTS.set(false);
    }
}
