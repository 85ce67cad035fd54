//! Pipelines of nodes: each variant made once; those that are sure to be needed on several threads.

use std::collections::BTreeMap;

use ash::vk;

use super::plan::{NodePlan, Variant};
use crate::gpu::compute::own_pipeline;
use crate::gpu::memory::Owned;
use crate::gpu::pipeline::{ComputeState, compute};
use crate::gpu::{Device, GpuError};
use crate::graph::WorkGraph;
use crate::spirv::Module;

/// What a pipeline is for: a node, how it is specialised, and where its outputs' slots begin.
pub(super) type Key = (usize, Variant, Vec<u32>);

/// The pipelines that were made.
pub(super) struct Pipelines<'d> {
    device: &'d Device,
    layout: vk::PipelineLayout,
    /// Nodes take payload and list together, within these limits: payload, list, sink, slots.
    pub limits: Option<[u32; 4]>,
    made: BTreeMap<Key, Owned<'d, vk::Pipeline>>,
}

impl<'d> Pipelines<'d> {
    pub fn new(device: &'d Device, layout: vk::PipelineLayout) -> Pipelines<'d> {
        Pipelines { device, layout, limits: None, made: BTreeMap::new() }
    }

    /// A pipeline, made where it is not there yet.
    pub fn get(&mut self, graph: &WorkGraph, plan: &NodePlan, key: &Key) -> Result<vk::Pipeline, GpuError> {
        if let Some(made) = self.made.get(key) {
            return Ok(made.handle);
        }
        let module = specialised(graph, plan, key, self.limits)?;
        let entry = module.entry_points().first().ok_or_else(|| unusable("no entry point"))?;
        // One record's grid may be dispatched in parts.
        let flags = if key.1.grid { vk::PipelineCreateFlags::DISPATCH_BASE } else { vk::PipelineCreateFlags::empty() };
        let pipeline =
            compute(self.device, &module, entry, ComputeState { flags, ..ComputeState::default() }, self.layout)?;
        let handle = pipeline.handle;
        self.made.insert(key.clone(), pipeline);
        Ok(handle)
    }

    /// Makes several at once.
    pub fn make(&mut self, graph: &WorkGraph, wanted: &[(&NodePlan, Key)]) -> Result<(), GpuError> {
        let mut modules: Vec<(Module, Key)> = Vec::new();
        for (plan, key) in wanted.iter().filter(|(_, key)| !self.made.contains_key(key)) {
            modules.push((specialised(graph, plan, key, self.limits)?, key.clone()));
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
        let (handle, layout) = (&self.device.handle, self.layout);
        let results: Vec<Vec<Result<vk::Pipeline, GpuError>>> = std::thread::scope(|scope| {
            let size = modules.len().div_ceil(threads).max(1);
            let work = modules.chunks(size).map(|part| {
                scope.spawn(move || part.iter().map(|(module, _)| bare(handle, module, layout)).collect::<Vec<_>>())
            });
            // All are started before the first one is waited for.
            let work: Vec<_> = work.collect();
            work.into_iter()
                .map(|work| work.join().unwrap_or_else(|_| vec![Err(unusable("a thread ended early"))]))
                .collect()
        });
        let mut first = Ok(());
        for (result, (_, key)) in results.into_iter().flatten().zip(modules) {
            match result {
                Ok(pipeline) => drop(self.made.insert(key, own_pipeline(self.device, pipeline))),
                Err(error) => first = first.and(Err(error)),
            }
        }
        first
    }
}

fn unusable(why: &str) -> GpuError {
    GpuError::Unusable(why.to_owned())
}

fn specialised(
    graph: &WorkGraph,
    plan: &NodePlan,
    (node, variant, bases): &Key,
    limits: Option<[u32; 4]>,
) -> Result<Module, GpuError> {
    let node = graph.nodes.get(*node).ok_or_else(|| unusable("no such node"))?;
    plan.specialised(node, *variant, bases, limits).map_err(|why| GpuError::Unusable(format!("{}: {why}", node.id)))
}

/// A compute pipeline, made on any thread.
fn bare(device: &ash::Device, module: &Module, layout: vk::PipelineLayout) -> Result<vk::Pipeline, GpuError> {
    let create = vk::ShaderModuleCreateInfo::default().code(module.words());
    // SAFETY: the device is alive; the words live through the call and were validated.
    let shader =
        unsafe { device.create_shader_module(&create, None) }.map_err(GpuError::call("vkCreateShaderModule"))?;
    // The converter calls every entry point so.
    let stage =
        vk::PipelineShaderStageCreateInfo::default().stage(vk::ShaderStageFlags::COMPUTE).module(shader).name(c"main");
    let create = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
    // SAFETY: module and layout live through the call; neither is destroyed on another thread.
    let made = unsafe { device.create_compute_pipelines(vk::PipelineCache::null(), &create, None) };
    // SAFETY: the pipeline does not need the module any more; nobody else has it.
    unsafe { device.destroy_shader_module(shader, None) };
    let pipelines = made.map_err(|(_, result)| GpuError::call("vkCreateComputePipelines")(result))?;
    Ok(pipelines.first().copied().unwrap_or_default())
}
