//! Free run: the device leads itself. One submission holds every generation; between two of them small shaders of our own
//! turn counters into lists of records and indirect dispatches.
//!
//! ```text
//! nodes of a generation ──▶ counters, list, payload ──(count)──▶ totals ──lead──▶ dispatches, offsets of records
//!        ▲                                                                                  │
//!        └──────────────────────────────────── (finish: grids) ◀────────────────────────────┘
//! ```
//!
//! Few rows and slots are led in one step (see `lead.comp`), since a step between two barriers costs more than its work.
//!
//! Nothing is lost silently: what finds no room goes to a sink, and the generation behind is not run. Records from the host
//! that might not fit are run in several passes.

mod memory;
mod read;
mod rows;

use std::time::Duration;

use ash::vk;

use self::memory::Memory;
use self::rows::{LAST_GENERATION, Rows};
use super::Teller;
use super::cut::{self, Piece, PieceShape, Room};
use super::job::Job;
use super::plan::Variant;
use super::report;
use super::stage::{Push, Stage};
use crate::gpu::memory::Owned;
use crate::gpu::pipeline::{ComputeState, compute};
use crate::gpu::{Device, GpuError};
use crate::graph::{Launch, Node};
use crate::load::compile_own;
use crate::program::StageKind;
use crate::run::graph::{Cut, Generation, GraphPart, GraphRequest, GraphRun, InputMode, Stopped};
use crate::spirv::Module;

const COMMON: &str = include_str!("common.glsl");
const SOURCES: [&str; 3] = [include_str!("count.comp"), include_str!("lead.comp"), include_str!("finish.comp")];
const COUNT: usize = 0;
const LEAD: usize = 1;
const FINISH: usize = 2;
/// Bytes of the helper shaders' push constants.
const PUSH_BYTES: u32 = 88;
/// What a dispatch of the leading shader does (`common.glsl`).
const PLACE: u32 = 1;
const EXPAND: u32 = 2;
const WHOLE: u32 = 4;
/// Workgroups that go through a list: enough for a large device, and few where workgroups are threads of a processor.
const EXPANDERS: u32 = 1024;
const EXPANDERS_OF_CPU: u32 = 4;

/// The helper shaders.
pub(super) struct Helpers {
    modules: Vec<Module>,
}

impl Helpers {
    /// Compiles them.
    pub fn new() -> Result<Helpers, GpuError> {
        let one = |text: &&str| {
            compile_own(&format!("{COMMON}\n{text}"), StageKind::Compute)
                .map_err(|why| GpuError::NotRun(format!("a helper shader of the free run: {why}")))
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
        let ranges = [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(PUSH_BYTES)];
        let create = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&ranges);
        // SAFETY: the device is alive; `create` lives through the call.
        let layout = unsafe { device.handle.create_pipeline_layout(&create, None) }
            .map_err(GpuError::call("vkCreatePipelineLayout"))?;
        let layout = Owned::new(device, layout, |vk, layout| {
            // SAFETY: destroyed once, after every submission that used it.
            unsafe { vk.destroy_pipeline_layout(layout, None) }
        });
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

/// How long a pass took: all of it, and to each of its marks. A generation has two, behind its nodes and behind what led
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
    /// Pipelines of the rows, by row: fed by nodes.
    fed: Vec<Option<vk::Pipeline>>,
}

/// Runs a graph to its end, or to where it may not go on.
pub(super) fn free(
    stage: &mut Stage<'_, '_>,
    helpers: &Helpers,
    request: &GraphRequest,
    starts: &[Job],
    teller: &mut Teller<'_>,
    run: &mut GraphRun,
) -> Result<(), GpuError> {
    let graph = stage.graph;
    let entries: Vec<usize> = starts.iter().map(|job| job.node).collect();
    let rows = Rows::of(graph, stage.plans, &entries)
        .map_err(|why| GpuError::NotRun(format!("the graph is not run free: {why}")))?;
    let described = matches!(request.input_mode, InputMode::Gpu | InputMode::MultiGpu);
    let plain = Variant { entry: false, described: false, grid: false };
    let memory = Memory::new(stage, &rows, request.ring)?;
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
    let mut free = Free { rows, memory, leaders, dynamic, fed };
    for dispatch in 0..request.dispatches {
        for job in starts.iter().filter(|job| job.count > 0) {
            if let Some(stopped) = free.job(stage, request, dispatch, job, described, teller, run)? {
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

impl Free<'_> {
    /// Runs the host's records, in as many passes as they need.
    #[allow(clippy::too_many_arguments, reason = "the host's records and all that says how they run")]
    fn job(
        &mut self,
        stage: &mut Stage<'_, '_>,
        request: &GraphRequest,
        dispatch: u32,
        job: &Job,
        described: bool,
        teller: &mut Teller<'_>,
        run: &mut GraphRun,
    ) -> Result<Option<Stopped>, GpuError> {
        let graph = stage.graph;
        let Some(node) = graph.nodes.get(job.node) else { return Ok(None) };
        let generation = Generation { dispatch, ..Generation::default() };
        let grids = job.grids(node);
        if let Some(stopped) = report::grids(run, job.node, &generation, &grids) {
            return Ok(Some(stopped));
        }
        // What runs in the first generation shares the room: the entry and whoever reads its records once more.
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
        let pieces = match cut::cut(&bound, job.count, &grids, Room { half, fixed: 0, record: 0 }, &by) {
            Ok(pieces) => pieces,
            Err(too_large) => {
                let stop = report::too_large(node, &generation, too_large.needed, too_large.available);
                return Ok(Some(stop));
            }
        };
        for piece in &pieces {
            teller.tell(|| GraphPart::Running { dispatch, number: 0, node: job.node });
            if let Some(stopped) = self.pass(stage, request, dispatch, job, piece, &grids, described, run)? {
                return Ok(Some(stopped));
            }
        }
        Ok(None)
    }

    /// One submission: every generation of some records of the host.
    #[allow(clippy::too_many_arguments, reason = "the host's records and all that says how they run")]
    fn pass(
        &mut self,
        stage: &mut Stage<'_, '_>,
        request: &GraphRequest,
        dispatch: u32,
        job: &Job,
        piece: &Piece,
        grids: &[cut::Grid],
        described: bool,
        run: &mut GraphRun,
    ) -> Result<Option<Stopped>, GpuError> {
        let graph = stage.graph;
        let Some(node) = graph.nodes.get(job.node) else { return Ok(None) };
        let input = self.memory.begin(node, job, piece, grids)?;
        let is_grid = matches!(piece.shape, PieceShape::Grid(..));
        let last = request.until.unwrap_or(LAST_GENERATION).min(LAST_GENERATION) as usize;
        let ran = self.rows.active.len().min(last + 1);
        // The host's records go to the entry and to whoever reads them once more; others begin with the generation behind.
        let owner = self.rows.rows.iter().position(|row| row.node == job.node);
        let first: Vec<usize> = self
            .rows
            .active
            .first()
            .into_iter()
            .flatten()
            .copied()
            .filter(|row| {
                Some(*row) == owner
                    || self.rows.rows.get(*row).is_some_and(|row| row.shares == owner && owner.is_some())
            })
            .collect();
        let mut begin = Vec::new();
        for at in &first {
            let Some(row) = self.rows.rows.get(*at) else { continue };
            let variant = Variant { entry: true, described, grid: is_grid };
            let pipeline = stage.pipeline(row.node, variant, &row.bases)?;
            let push = Push {
                payload: if described { input.described } else { input.records },
                first: input.words,
                end: input.words + 8,
                stride: if described { input.described + 8 } else { input.stride },
                remaining: row.remaining,
                root: stage.root(row.node),
                ..self.memory.output(0)
            };
            let sharer = graph.nodes.get(row.node).filter(|_| row.shares.is_some());
            let own = sharer.map(|sharer| Piece { shape: shape_of(sharer, piece, grids), ..piece.clone() });
            begin.push((pipeline, push, own.as_ref().unwrap_or(piece).dispatches()));
        }
        let stage_ref = &*stage;
        let last_rows = self.rows.active.get(ran.saturating_sub(1)).into_iter().flatten();
        let writes = last_rows.filter_map(|at| self.rows.rows.get(*at)).any(|row| !row.bases.is_empty());
        let doing = format!("{} and what follows, up to generation {}", node.id, ran.saturating_sub(1));
        let device = stage.device;
        let marks = if request.timed { 2 * ran as u32 } else { 0 };
        let (time, marks) = device.run_marked(&doing, marks, |commands, marks| {
            let vk = &device.handle;
            stage_ref.bound.record(commands, vk::PipelineBindPoint::COMPUTE);
            for (pipeline, push, dispatches) in &begin {
                stage_ref.bind(commands, *pipeline);
                for (at, (groups, _)) in (0u64..).zip(dispatches) {
                    stage_ref.push(commands, &Push { first: push.first + 4 * at, ..*push });
                    let [x, y, z] = *groups;
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
                // Behind nodes without outputs there is nothing to lead.
                if number < ran || writes {
                    self.lead(commands, number as u32);
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
        self.read(stage, dispatch, job, piece, &first, ran, &times, run)
    }

    /// Counters to dispatches, by the helper shaders.
    fn lead(&self, commands: vk::CommandBuffer, generation: u32) {
        let device = self.leaders.device;
        let vk = &device.handle;
        let dispatch = |which: usize, steps: u32, groups: u32| {
            self.leaders.bind(commands, which, &self.memory.push(&self.rows, generation, steps));
            // SAFETY: the command buffer is being recorded; pipelines and memory outlive the commands.
            unsafe { vk.cmd_dispatch(commands, groups, 1, 1) };
            barrier(device, commands);
        };
        barrier(device, commands);
        let expanders = if device.info.kind == "software" { EXPANDERS_OF_CPU } else { EXPANDERS };
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
    }
}

/// How a sharing node is dispatched over the records of its owner's piece.
fn shape_of(node: &Node, piece: &Piece, grids: &[cut::Grid]) -> PieceShape {
    match node.launch {
        Launch::Thread => PieceShape::Records { per_group: cut::THREADS, width: 1 },
        Launch::Coalescing => PieceShape::Records { per_group: u64::from(node.records_per_launch()), width: 1 },
        _ => {
            let own = match node.has_dynamic_grid() {
                true => {
                    piece.records.iter().filter_map(|index| grids.get(index as usize)).map(|grid| grid.passes).max()
                }
                false => node.grid.map(|grid| cut::Grid::fixed(grid).passes),
            };
            PieceShape::Records { per_group: 1, width: own.unwrap_or(1).clamp(1, cut::MAX_AXIS) as u32 }
        }
    }
}

/// Everything before is seen by everything behind.
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
    let behind = before | vk::PipelineStageFlags::DRAW_INDIRECT;
    // SAFETY: the command buffer is being recorded outside of rendering.
    unsafe {
        device.handle.cmd_pipeline_barrier(commands, before, behind, vk::DependencyFlags::empty(), &all, &[], &[])
    };
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::path::Path;

    use crate::dxil::Dxil;
    use crate::gpu::{DeviceOptions, Inputs, run_graph};
    use crate::graph::{GraphSource, Overrides, link, nodes};
    use crate::run::graph::input::{self, InputOptions};
    use crate::run::graph::{GraphMode, GraphRequest, GraphRun};

    thread_local! {
        /// Tables are led as if they were too large for a workgroup.
        pub(super) static IN_STEPS: Cell<bool> = const { Cell::new(false) };
    }

    fn run(file: &str) -> GraphRun {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/work_graphs").join(file);
        let dxil = Dxil::read(std::fs::read(path).expect("the sample is there")).expect("is a container");
        let graph = link(nodes(&dxil, 0), GraphSource::Dxil, &Overrides::default());
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
    fn large_tables_are_led_in_steps_to_the_same_end() {
        for file in ["01_tile_classify.dxil", "02_quadtree_recursion.dxil", "04_broadcast_grids.dxil"] {
            let at_once = run(file);
            IN_STEPS.set(true);
            let in_steps = run(file);
            IN_STEPS.set(false);
            assert_eq!(at_once.contents, in_steps.contents, "{file}");
            assert_eq!(at_once.generations.len(), in_steps.generations.len(), "{file}");
            for (one, other) in at_once.generations.iter().zip(&in_steps.generations) {
                let counts = |of: &crate::run::graph::Generation| {
                    of.nodes.iter().map(|node| (node.node, node.count, node.launches)).collect::<Vec<_>>()
                };
                assert_eq!(counts(one), counts(other), "{file}");
            }
        }
    }
}
