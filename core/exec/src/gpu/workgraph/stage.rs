//! What every way of running a graph needs: descriptors, pipelines, local root arguments, push constants.

use std::collections::BTreeMap;

use ash::vk;

use super::pipelines::{Key, Pipelines};
use super::plan::{NodePlan, Variant};
use super::roots::RootLayout;
use crate::gpu::bind::{self, Bound, ReadBack, Start};
use crate::gpu::memory::{Buffer, Near};
use crate::gpu::resources::{PushConstants, Resources};
use crate::gpu::{Content, Device, GpuError, Inputs};
use lanescope_model::program::StageKind;
use lanescope_passes::graph::WorkGraph;
use lanescope_run::graph::{Generation, GraphRun, LOCAL_BUFFER, LocalRoots, Resume};
use lanescope_run::inputs::PushBlock;
use lanescope_run::{Blob, BufferRun, Shape, hash};

/// Bytes of the converter's push constants.
const PUSH_BYTES: u64 = 64;

/// A graph on a device.
pub(super) struct Stage<'d, 'g> {
    pub device: &'d Device,
    pub graph: &'g WorkGraph,
    pub plans: &'g [Result<NodePlan, String>],
    pub bound: Bound<'d>,
    pub pipelines: Pipelines<'d>,
    roots: Roots<'d>,
    /// Contents as they were last seen, by name.
    seen: BTreeMap<String, u64>,
    /// Bytes that may still be kept for readers of the run.
    pub keep: u64,
}

impl<'d, 'g> Stage<'d, 'g> {
    pub fn new(
        device: &'d Device,
        graph: &'g WorkGraph,
        plans: &'g [Result<NodePlan, String>],
        inputs: &Inputs,
        roots: &LocalRoots,
        near: Near,
    ) -> Result<Stage<'d, 'g>, GpuError> {
        let modules = plans.iter().filter_map(|plan| plan.as_ref().ok()).map(|plan| &plan.module);
        let entries: Vec<_> = modules.filter_map(|module| Some((module, module.entry_points().first()?))).collect();
        let mut resources = Resources::of(&entries)?;
        resources.push_constants = Some(PushConstants {
            block: PushBlock {
                stage: Some(StageKind::Compute),
                variable: None,
                shape: Shape::Words { count: PUSH_BYTES as u32 / 4 },
            },
            stages: vk::ShaderStageFlags::COMPUTE,
        });
        let bound = Bound::starting(device, &resources, inputs, Start { zero: true, near })?;
        let pipelines = Pipelines::new(device, bound.layout.handle);
        let roots = Roots::new(device, graph, plans, roots)?;
        Ok(Stage { device, graph, plans, bound, pipelines, roots, seen: BTreeMap::new(), keep: KEEP })
    }

    /// The plan of a node.
    pub fn plan(&self, node: usize) -> Result<&'g NodePlan, GpuError> {
        match self.plans.get(node) {
            Some(Ok(plan)) => Ok(plan),
            Some(Err(why)) => {
                let id = self.graph.nodes.get(node).map_or_else(String::new, |node| node.id.to_string());
                Err(GpuError::NotRun(format!("{id}: {why}")))
            }
            None => Err(GpuError::NotRun(format!("node {node} does not exist"))),
        }
    }

    /// The pipeline of a node.
    pub fn pipeline(&mut self, node: usize, variant: Variant, bases: &[u32]) -> Result<vk::Pipeline, GpuError> {
        let plan = self.plan(node)?;
        self.pipelines.get(self.graph, plan, &(node, variant, bases.to_vec()))
    }

    /// Makes pipelines that are sure to be needed.
    pub fn make(&mut self, wanted: impl Iterator<Item = Key>) -> Result<(), GpuError> {
        let plans = self.plans;
        let wanted: Vec<_> = wanted.filter_map(|key| plans.get(key.0)?.as_ref().ok().map(|plan| (plan, key))).collect();
        self.pipelines.make(self.graph, &wanted)
    }

    /// The address of a node's local root arguments.
    pub fn root(&self, node: usize) -> u64 {
        self.roots.arguments.get(&node).copied().unwrap_or(self.roots.none)
    }

    /// What buffers and images hold now.
    pub fn contents(&self) -> Result<ReadBack, GpuError> {
        if self.bound.has_images() {
            self.device.run("reading images", |commands| self.bound.record_read_back(commands))?;
        }
        let mut read = self.bound.contents()?;
        self.roots.contents(&mut read)?;
        Ok(read)
    }

    /// Restores the contents of buffers and images from an earlier state.
    ///
    /// # Errors
    /// Resources that no longer exist; other sizes; contents that are also set by the caller.
    pub fn restore(&mut self, resume: &Resume, inputs: &Inputs) -> Result<(), GpuError> {
        let mut here: Vec<String> = self.bound.written().map(|(name, ..)| name.to_owned()).collect();
        here.extend(self.roots.buffers.keys().map(|name| format!("{LOCAL_BUFFER}{name}")));
        let then = resume.buffers.iter().map(|buffer| &buffer.name).chain(resume.contents.keys());
        if let Some(name) = then.into_iter().find(|name| !here.contains(name)) {
            let there = if here.is_empty() {
                "no node writes buffers or images".to_owned()
            } else {
                format!("written are: {}", here.join(", "))
            };
            let message = format!("the resumed run wrote {name}, which no node of this graph writes; {there}");
            return Err(GpuError::Unusable(message));
        }
        let given = |(_, place): &(&str, [u32; 3])| {
            let [set, binding, element] = *place;
            matches!(inputs.given(set, binding, element), Some(Content::Bytes(_) | Content::Image(_)))
        };
        if let Some((name, _)) = self.bound.written().find(given) {
            let message = format!("the contents of {name} cannot be set: a resumed run restores them");
            return Err(GpuError::Unusable(message));
        }
        let sizes: BTreeMap<&str, u64> = resume.buffers.iter().map(|is| (is.name.as_str(), is.bytes)).collect();
        self.bound.restore(&resume.contents, &sizes)?;
        self.roots.restore(&resume.contents, &sizes)
    }

    /// Records the initial contents: contents that are all zero are known by their size.
    pub fn begin(&mut self, run: &mut GraphRun) -> Result<(), GpuError> {
        let read = self.contents()?;
        run.buffers = read.buffers;
        run.images = read.images;
        for (name, blob) in read.data {
            self.seen.insert(name.clone(), hash(&blob.0).0);
            if blob.0.iter().all(|byte| *byte == 0) {
                continue;
            }
            match self.may_keep(blob.0.len() as u64) {
                true => drop(run.start.insert(name, blob)),
                false => run.left_out.push(name),
            }
        }
        Ok(())
    }

    /// Notes the contents that changed since the last time.
    pub fn changed(&mut self, generation: &mut Generation) -> Result<(), GpuError> {
        let read = self.contents()?;
        for (name, blob) in read.data {
            let now = hash(&blob.0).0;
            if self.seen.insert(name.clone(), now) == Some(now) {
                continue;
            }
            match self.may_keep(blob.0.len() as u64) {
                true => drop(generation.changed.insert(name, blob)),
                false => generation.left_out.push(name),
            }
        }
        Ok(())
    }

    /// Whether so many bytes more may be kept; takes them.
    pub fn may_keep(&mut self, bytes: u64) -> bool {
        match self.keep.checked_sub(bytes) {
            Some(left) => {
                self.keep = left;
                true
            }
            None => false,
        }
    }

    /// Records the final contents.
    pub fn finish(&self, run: &mut GraphRun) -> Result<(), GpuError> {
        let read = self.contents()?;
        run.buffers = read.buffers;
        run.images = read.images;
        run.contents = read.data;
        Ok(())
    }

    /// Binds a node's pipeline and everything that it reads, and sets its push constants.
    pub fn bind(&self, commands: vk::CommandBuffer, pipeline: vk::Pipeline) {
        // SAFETY: the command buffer is being recorded; the pipeline lives as long as `self`, beyond the commands.
        unsafe { self.device.handle.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, pipeline) };
    }

    /// Sets push constants.
    pub fn push(&self, commands: vk::CommandBuffer, push: &Push) {
        let bytes = push.bytes();
        // SAFETY: the command buffer is being recorded; the layout has a range of so many bytes for this stage.
        unsafe {
            let stages = vk::ShaderStageFlags::COMPUTE;
            self.device.handle.cmd_push_constants(commands, self.bound.layout.handle, stages, 0, &bytes);
        }
    }
}

/// Bytes of records and contents that a run keeps in all: they travel to the parent process in one message.
const KEEP: u64 = 80 << 20;

/// The converter's push constants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Push {
    /// The first record's address, or where that address is stored.
    pub payload: u64,
    /// Where the first record's number is stored.
    pub first: u64,
    /// Where the number after the last record's is stored.
    pub end: u64,
    /// Bytes between records, where they are, or where offsets of records are.
    pub stride: u64,
    /// Where the payload begins that is written.
    pub output: u64,
    /// Where the counters are.
    pub counters: u64,
    /// Local root arguments.
    pub root: u64,
    /// Where the list begins, in words after the counters' first eight bytes.
    pub list_word: u32,
    /// Levels of recursion that are left.
    pub remaining: u32,
}

impl Push {
    pub fn bytes(&self) -> [u8; PUSH_BYTES as usize] {
        let mut out = [0; PUSH_BYTES as usize];
        let longs = [self.payload, self.first, self.end, self.stride, self.output, self.counters, self.root]
            .map(u64::to_le_bytes);
        let words = [self.list_word, self.remaining].map(u32::to_le_bytes);
        let all = longs.iter().flatten().chain(words.iter().flatten());
        out.iter_mut().zip(all).for_each(|(to, from)| *to = *from);
        out
    }
}

/// Local root arguments in device memory.
struct Roots<'d> {
    /// Address of a node's arguments.
    arguments: BTreeMap<usize, u64>,
    /// Address of nothing in particular.
    none: u64,
    /// Everything: arguments, then the buffers.
    memory: Buffer<'d>,
    /// Buffers by name: offset and size.
    buffers: BTreeMap<String, (u64, u64)>,
}

impl<'d> Roots<'d> {
    fn new(
        device: &'d Device,
        graph: &WorkGraph,
        plans: &[Result<NodePlan, String>],
        roots: &LocalRoots,
    ) -> Result<Roots<'d>, GpuError> {
        let layout = RootLayout::new(graph, plans, roots)?;
        let mut memory = Buffer::arena(device, layout.bytes, Near::Host, "local root arguments")?;
        let base = memory.address();
        memory.bytes_mut()?.fill(0);
        for (name, words) in roots.words() {
            if let Some((at, _)) = layout.buffers.get(name) {
                super::block::write(memory.bytes_mut()?, *at, &words);
            }
        }
        let mut arguments = BTreeMap::new();
        for (node, at) in &layout.arguments {
            let address = |name: &str| layout.buffers.get(name).map(|(at, _)| base + at);
            if let Some(bytes) = super::roots::arguments(graph, plans, roots, *node, address)? {
                super::block::write(memory.bytes_mut()?, *at, &bytes);
            }
            arguments.insert(*node, base + at);
        }
        let buffers = layout.buffers;
        Ok(Roots { arguments, none: base, memory, buffers })
    }

    fn restore(&mut self, contents: &BTreeMap<String, Blob>, sizes: &BTreeMap<&str, u64>) -> Result<(), GpuError> {
        let all = self.memory.bytes_mut()?;
        for (name, (at, bytes)) in &self.buffers {
            let name = format!("{LOCAL_BUFFER}{name}");
            let place = all.get_mut(*at as usize..).and_then(|rest| rest.get_mut(..*bytes as usize));
            let held = contents.get(&name).map(|blob| blob.0.as_slice());
            bind::restore(place.unwrap_or_default(), *bytes, (held, sizes.get(name.as_str()).copied()), &name)?;
        }
        Ok(())
    }

    fn contents(&self, read: &mut ReadBack) -> Result<(), GpuError> {
        let all = self.memory.contents()?;
        for (name, (at, bytes)) in &self.buffers {
            let contents = all.get(*at as usize..).and_then(|rest| rest.get(..*bytes as usize)).unwrap_or_default();
            let name = format!("{LOCAL_BUFFER}{name}");
            read.buffers.push(BufferRun {
                name: name.clone(),
                register: None,
                variable: None,
                set: 0,
                binding: 0,
                element: 0,
                bytes: *bytes,
                hash: hash(contents),
                shape: Shape::Words { count: (*bytes / 4) as u32 },
            });
            read.data.insert(name, Blob(contents.to_vec()));
        }
        Ok(())
    }
}
