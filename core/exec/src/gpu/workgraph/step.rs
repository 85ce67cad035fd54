//! Stepping: one generation after the other, the host between them.
//!
//! A generation's records are kept on the host. Each node's are cut into batches that fit the ring by the worst case
//! (`cut`); a batch's records are put into the input half, the node runs, and what it wrote is read from the output half
//! (`expand`) into the jobs of the next generation. So no record can be lost, and none can be written over.

use super::Notifier;
use super::batching::{self, Piece, PieceShape, Room, TooLarge};
use super::block::{self, GUARD, InputBlock, MAX_OUTPUT, OutputBlock, SINK, Zeros};
use super::expand::{Batched, Outputs, Writer, Written};
use super::job::Job;
use super::parents::Parents;
use super::plan::{NodePlan, Variant};
use super::report::{self, Short, smallest_ring};
use super::stage::{Push, Stage};
use crate::gpu::GpuError;
use crate::gpu::memory::{Buffer, Near};
use lanescope_passes::graph::{Access, Node};
use lanescope_run::Blob;
use lanescope_run::graph::{
    Advance, Batch, Generation, GraphCommand, GraphPart, GraphRequest, GraphRun, InputMode, NodeRun, Records, Stopped,
};

/// The smallest ring.
const MIN_RING: u64 = 4096;

/// What a generation came to.
enum Ended {
    /// It ran; these records wait for the next one.
    Well(Vec<Job>),
    /// Nothing more may run.
    Badly(Stopped),
}

/// Runs a graph to its end, or to where it cannot continue: from its first records on, or from those that it resumes
/// with. What was read back by then is in `run`.
pub(super) fn step(
    stage: &mut Stage<'_, '_>,
    request: &GraphRequest,
    (starts, mut resumed): (&[Job], Option<&[Job]>),
    notifier: &mut Notifier<'_>,
    run: &mut GraphRun,
) -> Result<(), GpuError> {
    let mut ring = Ring::new(stage, request.ring)?;
    let mut led = request.led.clone().map(|going| StepSession { going });
    warm(stage, request, starts)?;
    let (first, number) = request.resume.as_ref().map_or((0, 0), |resume| (resume.dispatch, resume.number));
    for dispatch in first..request.dispatches.max(first.saturating_add(1)) {
        let (mut jobs, next) = match resumed.take() {
            Some(jobs) => (jobs.to_vec(), number),
            None => (starts.to_vec(), 0),
        };
        for number in next.. {
            jobs.retain(|job| job.count > 0);
            let too_many = !jobs.is_empty() && report::too_many_generations(run, dispatch, number);
            if request.until.is_some_and(|until| number > until) || too_many {
                run.pending = jobs.into_iter().map(NodeRun::from).collect();
                break;
            }
            if jobs.is_empty() {
                break;
            }
            let mut generation = Generation { dispatch, number, ..Generation::default() };
            jobs.sort_by_key(|job| (job.node, job.remaining));
            let kept: Vec<bool> = jobs.iter().map(|job| stage.may_keep(records_bytes(&job.records))).collect();
            notifier.notify(|| {
                let shown = |(job, kept): (&Job, &bool)| {
                    let records = if *kept { job.records.clone() } else { nothing_of(&job.records) };
                    let (node, remaining, entry, count) = (job.node, job.remaining, job.entry, job.count);
                    NodeRun { node, remaining, entry, count, records, ..NodeRun::default() }
                };
                GraphPart::Waiting { dispatch, number, nodes: jobs.iter().zip(&kept).map(shown).collect() }
            });
            if let Some(led) = &mut led
                && !led.goes_on(stage, notifier, (dispatch, number), &mut jobs)
            {
                run.pending = jobs.into_iter().map(NodeRun::from).collect();
                return Ok(());
            }
            let found = run.findings.len();
            let mut stepping = Stepping { stage, request, ring: &mut ring, notifier, run };
            let ended = stepping.generation(jobs, &mut generation);
            generation.findings = run.findings.get(found..).unwrap_or_default().to_vec();
            let ended = match ended {
                Ok(ended) => ended,
                Err(error) => {
                    limit(stage, &mut generation, &kept);
                    notifier.notify(|| GraphPart::Ran(Box::new(without_records(&generation))));
                    run.generations.push(generation);
                    return Err(error);
                }
            };
            stage.changed(&mut generation)?;
            limit(stage, &mut generation, &kept);
            notifier.notify(|| GraphPart::Ran(Box::new(without_records(&generation))));
            run.nanoseconds += generation.nanoseconds;
            run.generations.push(generation);
            match ended {
                Ended::Well(next) => jobs = next,
                Ended::Badly(stopped) => {
                    run.stopped = Some(stopped);
                    return Ok(());
                }
            }
        }
        if run.stopped.is_some() {
            return Ok(());
        }
    }
    Ok(())
}

/// How a stepped run continues.
struct StepSession {
    /// What is left of the way to where it pauses.
    going: Advance,
}

impl StepSession {
    /// Whether pending records may run, once the controller has said so at a pause. False where the run ends.
    fn goes_on(
        &mut self,
        stage: &Stage<'_, '_>,
        notifier: &mut Notifier<'_>,
        (dispatch, number): (u32, u32),
        jobs: &mut [Job],
    ) -> bool {
        let graph = stage.graph;
        let waiting = || jobs.iter().map(|job| (job.node, &job.records, job.count));
        let hits = self.going.breakpoints.iter().filter_map(|breakpoint| breakpoint.hit(graph, waiting()));
        let hit = hits.min_by_key(|hit| hit.run);
        if self.going.generations != Some(0) && hit.is_none() {
            self.going.generations = self.going.generations.map(|left| left - 1);
            return true;
        }
        loop {
            match notifier.ask(GraphPart::Standing { dispatch, number, hit }) {
                GraphCommand::Go(Advance { generations: Some(0), .. }) => {}
                GraphCommand::Go(Advance { generations, breakpoints }) => {
                    self.going = Advance { generations: generations.map(|left| left - 1), breakpoints };
                    return true;
                }
                GraphCommand::Replace(replace) => {
                    let done = match jobs.get_mut(replace.run) {
                        Some(job) => {
                            let size = graph.nodes.get(job.node).and_then(Node::record).map_or(0, |is| is.bytes);
                            job.records.replace(replace.record, &replace.bytes.0, size, &mut job.edited)
                        }
                        None => Err(format!("no pending records with index {}", replace.run)),
                    };
                    notifier.notify(|| match done {
                        Ok(()) => GraphPart::Replaced(replace),
                        Err(why) => GraphPart::Refused(why),
                    });
                }
                GraphCommand::End => return false,
            }
        }
    }
}

/// Bytes that keeping records takes.
fn records_bytes(records: &Records) -> u64 {
    (records.bytes.0.len() + size_of_val(records.origins.as_slice())) as u64
}

/// What stands for records that are not kept.
fn nothing_of(records: &Records) -> Records {
    Records { stride: records.stride, ..Records::default() }
}

/// A generation without the records that were reported before it ran.
fn without_records(generation: &Generation) -> Generation {
    let nodes = generation.nodes.iter().map(|node| NodeRun {
        records: nothing_of(&node.records),
        batches: node.batches.clone(),
        edited: node.edited.clone(),
        after: node.after.clone(),
        ..*node
    });
    Generation {
        nodes: nodes.collect(),
        edges: generation.edges.clone(),
        changed: generation.changed.clone(),
        left_out: generation.left_out.clone(),
        findings: generation.findings.clone(),
        ..*generation
    }
}

/// Leaves out what is more than can be kept; of the first nodes, the generation's own, it is known already.
fn limit(stage: &mut Stage<'_, '_>, generation: &mut Generation, kept: &[bool]) {
    for (index, node) in generation.nodes.iter_mut().enumerate() {
        if kept.get(index) == Some(&false) {
            node.records = nothing_of(&node.records);
        }
        let after = node.after.as_ref().map_or(0, |after| after.0.len() as u64);
        if after > 0 && !stage.may_keep(after) {
            node.after = None;
        }
    }
}

/// Makes the pipelines of every node that can get records.
fn warm(stage: &mut Stage<'_, '_>, request: &GraphRequest, starts: &[Job]) -> Result<(), GpuError> {
    let described = matches!(request.input_mode, InputMode::Gpu | InputMode::MultiGpu);
    let mut wanted = Vec::new();
    for (index, plan) in stage.plans.iter().enumerate() {
        let Ok(plan) = plan else { continue };
        let entry = starts.iter().any(|job| job.node == index);
        let fed = stage.graph.edges_to(index).next().is_some();
        let variants = [
            (entry, Variant { entry: true, described, grid: false }),
            (fed, Variant { entry: false, described: false, grid: false }),
        ];
        wanted.extend(
            variants.into_iter().filter(|(is, _)| *is).map(|(_, variant)| (index, variant, plan.bases.clone())),
        );
    }
    stage.make(wanted.into_iter())
}

/// Device memory for one batch.
struct Ring<'d> {
    memory: Buffer<'d>,
    address: u64,
    half: u64,
    zeros: Zeros,
    /// Where launches are noted; nowhere where no node does.
    parents: Option<Parents<'d>>,
}

impl<'d> Ring<'d> {
    fn new(stage: &Stage<'d, '_>, bytes: u64) -> Result<Ring<'d>, GpuError> {
        if bytes < MIN_RING {
            return Err(GpuError::Unusable(format!(
                "a ring of {bytes} bytes is too small: at least {MIN_RING} are needed"
            )));
        }
        let half = Ring::half_of(bytes);
        let memory = Buffer::arena(stage.device, 2 * half + SINK + GUARD, Near::Host, "the ring")?;
        let address = memory.address();
        let shifts = stage.plans.iter().filter_map(|plan| plan.as_ref().ok()?.noted);
        let parents = shifts.min().and_then(|shift| Parents::new(stage.device, half, shift));
        Ok(Ring { memory, address, half, zeros: Zeros::default(), parents })
    }

    fn half_of(bytes: u64) -> u64 {
        (bytes / 2).next_multiple_of(256)
    }

    /// Bytes that a batch may take of either half.
    fn room(&self) -> u64 {
        self.half.min(MAX_OUTPUT)
    }

    /// The smallest that has so much room.
    fn smallest(room: u64) -> Option<u64> {
        smallest_ring(|bytes| bytes >= MIN_RING && Ring::half_of(bytes).min(MAX_OUTPUT) >= room)
    }

    /// The output half, and what of it is 0.
    fn output(&mut self) -> Result<(&mut [u8], &mut Zeros), GpuError> {
        let half = self.half as usize;
        Ok((self.memory.bytes_mut()?.get_mut(half..).unwrap_or_default(), &mut self.zeros))
    }
}

/// A run, from one generation to the next.
struct Stepping<'s, 'd, 'g, 't> {
    stage: &'s mut Stage<'d, 'g>,
    request: &'s GraphRequest,
    ring: &'s mut Ring<'d>,
    notifier: &'s mut Notifier<'t>,
    run: &'s mut GraphRun,
}

impl Stepping<'_, '_, '_, '_> {
    /// Runs one generation.
    fn generation(&mut self, jobs: Vec<Job>, generation: &mut Generation) -> Result<Ended, GpuError> {
        let graph = self.stage.graph;
        generation.ring.half = self.ring.half;
        let mut outputs = Outputs::default();
        // Owners, then their sharers.
        let mut order: Vec<(usize, usize, Option<usize>)> = Vec::new();
        for (index, job) in jobs.iter().enumerate() {
            order.push((index, job.node, None));
        }
        for index in 0..jobs.len() {
            let sharers: Vec<usize> = jobs.get(index).map_or(Vec::new(), |job| graph.sharers(job.node).collect());
            order.extend(sharers.into_iter().map(|sharer| (index, sharer, Some(index))));
        }
        let mut stopped = None;
        let mut failed = None;
        for (at, node, shares) in order {
            let Some(job) = jobs.get(at) else { continue };
            let mut done = NodeRun {
                node,
                remaining: job.remaining,
                entry: job.entry,
                shares,
                count: job.count,
                ..NodeRun::default()
            };
            let result = self.node(job, &mut done, generation, &mut outputs);
            generation.nodes.push(done);
            match result {
                Ok(None) => {}
                Ok(Some(why)) => {
                    stopped = Some(why);
                    break;
                }
                Err(error) => {
                    failed = Some(report::at(&error, graph, node, generation));
                    break;
                }
            }
        }
        // What ran, and what was to run: the records are shown in any case.
        for (index, job) in jobs.into_iter().enumerate() {
            match generation.nodes.get_mut(index) {
                Some(done) => (done.records, done.edited) = (job.records, job.edited),
                None => generation.nodes.push(job.into()),
            }
        }
        generation.edges = outputs.edges();
        if let Some((error, stop)) = failed {
            self.run.stopped = Some(stop);
            return Err(error);
        }
        outputs.findings(self.run);
        match stopped.or_else(|| outputs.stop(graph, generation)) {
            Some(stopped) => Ok(Ended::Badly(stopped)),
            None => Ok(Ended::Well(outputs.into_jobs())),
        }
    }

    /// Runs a node's records; answers with why nothing more may run, if so.
    fn node(
        &mut self,
        job: &Job,
        done: &mut NodeRun,
        generation: &mut Generation,
        outputs: &mut Outputs,
    ) -> Result<Option<Stopped>, GpuError> {
        let graph = self.stage.graph;
        let Some(node) = graph.nodes.get(done.node) else { return Ok(None) };
        let plan = self.stage.plan(done.node)?;
        let grids = job.grids(node);
        if let Some(stopped) = report::grids(self.run, done.node, generation, &grids) {
            return Ok(Some(stopped));
        }
        let record = node.record();
        let stride = record.map_or(0, |record| u64::from(record.stride()));
        let align = record.map_or(4, |record| u64::from(record.align));
        let fixed = OutputBlock::fixed(plan.slots) + 512;
        let per_record = 4 + if stride == 0 { 0 } else { stride.next_multiple_of(align.max(4)) };
        let room = Room { half: self.ring.room(), fixed, record: per_record, full_width: plan.divergent };
        let pieces = match batching::cut(node, job.count, &grids, room, &self.request.cut) {
            Ok(pieces) => pieces,
            Err(TooLarge { needed, available }) => {
                let short = Short { part: "half of the ring", needed, available, ring: Ring::smallest(needed) };
                return Ok(Some(report::too_large(node, generation, short, self.request.ring)));
            }
        };
        // Who shares the input of another reads records that came in for that one.
        if done.shares.is_none() {
            generation.ring.input += job.count * stride;
        }
        let writes = node.node_input().is_some_and(|input| input.access == Access::ReadWrite);
        let mut after = writes.then(|| job.records.bytes.0.clone());
        let described = matches!(self.request.input_mode, InputMode::Gpu | InputMode::MultiGpu) && job.entry;
        for piece in &pieces {
            let (dispatch, number, node_index) = (generation.dispatch, generation.number, done.node);
            self.notifier.notify(|| GraphPart::Running { dispatch, number, node: node_index });
            let (stage, ring) = (&mut *self.stage, &mut *self.ring);
            let batch = Launching { stage, ring, job, node, plan, piece, grids: &grids, described };
            let (batch, written) = batch.launch(done, after.as_mut(), generation)?;
            let poisoned = report::broken(self.run, done.node, generation, &written, piece.launches, &batch);
            done.launches += piece.launches;
            done.nanoseconds += batch.nanoseconds;
            generation.nanoseconds += batch.nanoseconds;
            generation.ring.bound = generation.ring.bound.max(batch.bound);
            generation.ring.used += batch.used;
            done.batches.push(batch);
            if let Some(stopped) = poisoned {
                done.after = after.map(Blob);
                return Ok(Some(stopped));
            }
            let writer = Writer { graph, plan, node, done, from: generation.nodes.len() };
            outputs.add(writer, piece, &written);
        }
        if let (Some(after), Some(record)) = (&after, record)
            && record.tracked
        {
            report::unfinished(self.run, done.node, &grids, after, u64::from(record.stride()));
        }
        done.after = after.map(Blob);
        Ok(None)
    }
}

/// A batch that is about to run.
struct Launching<'a, 'd, 'g, 'r> {
    stage: &'a mut Stage<'d, 'g>,
    ring: &'a mut Ring<'r>,
    job: &'a Job,
    node: &'a Node,
    plan: &'a NodePlan,
    piece: &'a Piece,
    grids: &'a [batching::Grid],
    described: bool,
}

impl Launching<'_, '_, '_, '_> {
    fn launch(
        mut self,
        done: &NodeRun,
        after: Option<&mut Vec<u8>>,
        generation: &mut Generation,
    ) -> Result<(Batch, Written), GpuError> {
        let (node, plan, piece) = (self.node, self.plan, self.piece);
        let count = piece.records.len();
        let variant = Variant {
            entry: self.job.entry,
            described: self.described,
            grid: matches!(piece.shape, PieceShape::Grid(..)),
        };
        let pipeline = self.stage.pipeline(done.node, variant, &plan.bases)?;
        let record = node.record();
        let input = match record {
            Some(record) => InputBlock::of(count, u64::from(record.stride()), u64::from(record.align)),
            None => InputBlock::of(0, 0, 4),
        };
        let (records, payload) = (node.bound.records * piece.launches, node.bound.payload * piece.launches);
        let too_large = || GpuError::TooLarge {
            what: format!("the output of {} (bytes)", node.id),
            needed: payload,
            limit: self.ring.room(),
        };
        let output = OutputBlock::of(plan.slots, records, payload, self.ring.room()).ok_or_else(too_large)?;
        let dispatches = piece.dispatches();
        self.write_input(&input, &dispatches, after.as_deref().filter(|_| piece.goes_on()).map(Vec::as_slice))?;
        let mut noting = self.ring.parents.as_mut().zip(plan.noted);
        if let Some((parents, shift)) = &mut noting {
            parents.clear(payload, *shift)?;
        }
        // Without words, all that a node notes goes to the first one of the sink.
        let nowhere = (self.ring.address + self.ring.half + output.sink, 0);
        let header = noting.map_or(nowhere, |(parents, _)| parents.header());
        let (half, zeros) = self.ring.output()?;
        output.write(half, header);
        zeros.make(half, output.payload..output.payload + u64::from(output.limit));
        let base = self.ring.address;
        let out = base + self.ring.half;
        let push = Push {
            payload: base + if self.described { input.described } else { input.records },
            first: base + input.words,
            end: base + input.words + 8,
            stride: match (self.job.entry, self.described) {
                (true, false) => input.stride,
                (true, true) => base + input.described + 8,
                (false, _) => base + input.offsets,
            },
            output: out + output.payload,
            counters: out + output.counters,
            root: self.stage.root(done.node),
            list_word: output.list_word,
            remaining: done.remaining,
        };
        let doing = format!("generation {}: {} with {count} records", generation.number, node.id);
        let stage = &*self.stage;
        let time = stage.device.run(&doing, |commands| {
            stage.bind(commands, pipeline);
            stage.bound.record(commands, ash::vk::PipelineBindPoint::COMPUTE);
            for (at, (groups, _)) in (0u64..).zip(&dispatches) {
                stage.push(commands, &Push { first: push.first + 4 * at, ..push });
                // SAFETY: the command buffer is being recorded; pipeline, descriptors and the ring outlive the commands,
                // and what the node writes through addresses is checked against the ring.
                unsafe {
                    let [x, y, z] = *groups;
                    match piece.shape {
                        PieceShape::Grid(base, _) => {
                            stage.device.handle.cmd_dispatch_base(commands, base[0], base[1], base[2], x, y, z);
                        }
                        PieceShape::Records { .. } => stage.device.handle.cmd_dispatch(commands, x, y, z),
                    }
                }
            }
        })?;
        if let (Some(after), Some(record)) = (after, record) {
            let all = self.ring.memory.contents()?;
            let size = record.stride() as usize;
            for (at, index) in (0u64..).zip(piece.records.iter()) {
                let from = (input.records + at * input.stride) as usize;
                let bytes = all.get(from..).and_then(|rest| rest.get(..size)).unwrap_or_default();
                block::write(after, index * size as u64, bytes);
            }
        }
        let (half, zeros) = self.ring.output()?;
        let mut written = Batched { output: &output, plan, node, first_entry: first_entry(done) }.read(half);
        zeros.written(output.payload + written.used.min(u64::from(output.limit)));
        if let Some((parents, shift)) = self.ring.parents.as_mut().zip(plan.noted) {
            written.noted = parents.noted(written.used.min(u64::from(output.limit)), shift)?;
        }
        let batch = Batch {
            records: count,
            which: piece.records.runs(),
            dispatches: dispatches.iter().map(|(groups, _)| *groups).collect(),
            first_entry: first_entry(done),
            entries: written.entries.len() as u64,
            bound: payload,
            used: written.used,
            nanoseconds: u64::try_from(time.as_nanos()).unwrap_or(u64::MAX),
        };
        Ok((batch, written))
    }

    /// Puts the records into the input half: as they came, or as the parts before left them.
    fn write_input(
        &mut self,
        input: &InputBlock,
        dispatches: &[batching::Dispatch],
        left: Option<&[u8]>,
    ) -> Result<(), GpuError> {
        let base = self.ring.address;
        let half = self.ring.memory.bytes_mut()?;
        let count = self.piece.records.len();
        block::fill(half, input.words, 64, 0);
        for (at, (_, first)) in (0u64..).zip(dispatches) {
            block::put(half, input.words + 4 * at, *first);
        }
        block::put(half, input.words + 8, count as u32);
        for (at, word) in (0u64..).zip([base + input.records, input.stride, count]) {
            block::write(half, input.described + 8 * at, &word.to_le_bytes());
        }
        let Some(record) = self.node.record() else { return Ok(()) };
        let stride = u64::from(record.stride());
        for (at, index) in (0u64..).zip(self.piece.records.iter()) {
            let place = input.records + at * input.stride;
            block::put(half, input.offsets + 4 * at, (at * input.stride) as u32);
            if let Some(left) = left {
                let record = left.get((index * stride) as usize..).and_then(|rest| rest.get(..stride as usize));
                block::write(half, place, record.unwrap_or_default());
                continue;
            }
            block::write(half, place, self.job.records.get(index).unwrap_or_default());
            if record.tracked {
                // The groups that share the record count down to 0.
                let grid = self.grids.get(if self.grids.len() == 1 { 0 } else { index as usize });
                let groups = grid.map_or(1, |grid| grid.volume);
                block::put(half, place + stride - 4, u32::try_from(groups).unwrap_or(u32::MAX));
            }
        }
        Ok(())
    }
}

/// The number of the next entry of a node's run.
fn first_entry(done: &NodeRun) -> u64 {
    done.batches.last().map_or(0, |batch| batch.first_entry + batch.entries)
}
