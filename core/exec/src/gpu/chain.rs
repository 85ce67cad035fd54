//! Compute shaders one after the other on the same buffers, some dispatched by numbers that an earlier one wrote: what a
//! work graph does, hand-written, as a reference for measurements.

use std::time::Duration;

use ash::vk;

use super::bind::{Bound, ReadBack, Start};
use super::memory::Near;
use super::pipeline::{ComputeState, compute};
use super::resources::Resources;
use super::{DeviceOptions, GpuError, Needs, group, with_device};
use lanescope_load::compile_own;
use lanescope_model::program::StageKind;
use lanescope_run::inputs::{Content, Given, Inputs};
use lanescope_spirv::Module;

/// One shader of a chain. Everything that one wrote is seen by the next, but for those that run beside each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Its GLSL source; buffers are in set 0.
    pub source: String,
    /// How it is dispatched.
    pub by: By,
    /// It runs beside the one before, not after it.
    pub beside: bool,
}

/// How a shader is dispatched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// In so many workgroups.
    Groups([u32; 3]),
    /// In as many as three words of a buffer say: its binding, and an offset in bytes.
    Buffer(u32, u64),
}

/// A chain of shaders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chain {
    /// The shaders, in order.
    pub links: Vec<Link>,
    /// The buffers' sizes in bytes, by binding. They begin as zeros.
    pub buffers: Vec<u64>,
}

/// What a chain came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Chained {
    /// The device's name.
    pub device: String,
    /// How long each run took.
    pub times: Vec<Duration>,
    /// The first buffer after the last run.
    pub result: Vec<u8>,
}

/// Runs a chain so many times, one run after the other on the same buffers.
///
/// # Errors
/// A source that does not compile; see [`GpuError`].
pub fn run_chain(options: &DeviceOptions, chain: &Chain, times: u32) -> Result<Chained, GpuError> {
    let compile = |link: &Link| compile_own(&link.source, StageKind::Compute).map_err(GpuError::Unusable);
    let modules: Vec<Module> = chain.links.iter().map(compile).collect::<Result<_, _>>()?;
    let used = with_device(&Needs::of(&modules), options, |device| {
        let entries: Vec<_> =
            modules.iter().filter_map(|module| Some((module, module.entry_points().first()?))).collect();
        let resources = Resources::of(&entries)?;
        let sizes = (0..).zip(&chain.buffers);
        let given = |(binding, bytes): (u32, &u64)| {
            let content = Content::Size(*bytes);
            Given { set: 0, binding, element: None, content }
        };
        let buffers = sizes.map(given).collect();
        let start = Start { zero: true, near: Near::Device };
        let bound = Bound::starting(device, &resources, &Inputs { zeros: true, buffers, ..Inputs::default() }, start)?;
        let mut pipelines = Vec::new();
        for (module, entry) in &entries {
            group::check(device, module, entry)?;
            pipelines.push(compute(device, module, entry, ComputeState::default(), bound.layout.handle)?);
        }
        let mut taken = Vec::new();
        for _ in 0..times {
            taken.push(device.run("running a chain of shaders", |commands| {
                let vk = &device.handle;
                bound.record(commands, vk::PipelineBindPoint::COMPUTE);
                for (link, pipeline) in chain.links.iter().zip(&pipelines) {
                    let seen =
                        [vk::MemoryBarrier::default().src_access_mask(vk::AccessFlags::SHADER_WRITE).dst_access_mask(
                            vk::AccessFlags::SHADER_READ
                                | vk::AccessFlags::SHADER_WRITE
                                | vk::AccessFlags::INDIRECT_COMMAND_READ,
                        )];
                    let before = vk::PipelineStageFlags::COMPUTE_SHADER;
                    let after = before | vk::PipelineStageFlags::DRAW_INDIRECT;
                    // SAFETY: the command buffer is being recorded; pipelines, descriptors and buffers outlive the
                    // commands, and the buffer of an indirect dispatch has that use.
                    unsafe {
                        if !link.beside {
                            let none = vk::DependencyFlags::empty();
                            vk.cmd_pipeline_barrier(commands, before, after, none, &seen, &[], &[]);
                        }
                        vk.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, pipeline.handle);
                        match link.by {
                            By::Groups([x, y, z]) => vk.cmd_dispatch(commands, x, y, z),
                            By::Buffer(binding, offset) => {
                                if let Some(buffer) = bound.buffer(0, binding) {
                                    vk.cmd_dispatch_indirect(commands, buffer, offset);
                                }
                            }
                        }
                    }
                }
            })?);
        }
        let read: ReadBack = bound.contents()?;
        let result = read.buffers.first().and_then(|buffer| read.data.get(&buffer.name)).cloned().unwrap_or_default();
        Ok(Chained { device: device.info.name.clone(), times: taken, result: result.0 })
    })?;
    Ok(used.value)
}
