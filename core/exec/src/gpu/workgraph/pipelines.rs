//! Pipelines of nodes: each variant made once; those that are sure to be needed on several threads.

use std::collections::BTreeMap;

use ash::vk;

use super::plan::{NodePlan, Variant};
use crate::gpu::compute::own_pipeline;
use crate::gpu::memory::Owned;
use crate::gpu::pipeline::{ComputeState, compute_with};
use crate::gpu::{Device, GpuError, group};
use lanescope_passes::graph::WorkGraph;
use lanescope_spirv::Module;

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

    /// Returns a pipeline, created on first use.
    pub fn get(&mut self, graph: &WorkGraph, plan: &NodePlan, key: &Key) -> Result<vk::Pipeline, GpuError> {
        if let Some(made) = self.made.get(key) {
            return Ok(made.handle);
        }
        let module = self.specialised(graph, plan, key)?;
        let pipeline = bare(&self.device.handle, &module, key.1, self.layout)?;
        self.made.insert(key.clone(), own_pipeline(self.device, pipeline));
        Ok(pipeline)
    }

    /// Makes several at once.
    pub fn make(&mut self, graph: &WorkGraph, wanted: &[(&NodePlan, Key)]) -> Result<(), GpuError> {
        let mut modules: Vec<(Module, Key)> = Vec::new();
        for (plan, key) in wanted.iter().filter(|(_, key)| !self.made.contains_key(key)) {
            modules.push((self.specialised(graph, plan, key)?, key.clone()));
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
        let (handle, layout) = (&self.device.handle, self.layout);
        let results: Vec<Vec<Result<vk::Pipeline, GpuError>>> = std::thread::scope(|scope| {
            let size = modules.len().div_ceil(threads).max(1);
            let work = modules.chunks(size).map(|part| {
                scope.spawn(move || {
                    part.iter().map(|(module, key)| bare(handle, module, key.1, layout)).collect::<Vec<_>>()
                })
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

    /// The module that a pipeline is made from, of a workgroup that the device takes.
    fn specialised(&self, graph: &WorkGraph, plan: &NodePlan, key: &Key) -> Result<Module, GpuError> {
        let (node, variant, bases) = key;
        let node = graph.nodes.get(*node).ok_or_else(|| unusable("no such node"))?;
        let module = plan.specialised(node, *variant, bases, self.limits);
        let module = module.map_err(|why| GpuError::Unusable(format!("{}: {why}", node.id)))?;
        let entry = module.entry_points().first().ok_or_else(|| unusable("no entry point"))?;
        group::check(self.device, &module, entry).map_err(|error| match error {
            GpuError::TooLarge { what, needed, limit } => {
                GpuError::TooLarge { what: format!("{}: {what}", node.id), needed, limit }
            }
            error => error,
        })?;
        Ok(module)
    }
}

fn unusable(why: &str) -> GpuError {
    GpuError::Unusable(why.to_owned())
}

/// A pipeline, made on any thread. The caller destroys it.
fn bare(
    vk: &ash::Device,
    module: &Module,
    variant: Variant,
    layout: vk::PipelineLayout,
) -> Result<vk::Pipeline, GpuError> {
    let entry = module.entry_points().first().ok_or_else(|| unusable("no entry point"))?;
    // One record's grid may be dispatched in parts.
    let flags = if variant.grid { vk::PipelineCreateFlags::DISPATCH_BASE } else { vk::PipelineCreateFlags::empty() };
    let state = ComputeState { flags, ..ComputeState::default() };
    compute_with(vk, module, entry, state, layout, vk::PipelineCache::null())
}
