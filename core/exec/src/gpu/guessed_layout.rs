//! A program run with the layout that is guessed from its shaders, its sets filled from the application's.
//!
//! The application's sets are made and filled as usual. The guess has sets of its own, with the bindings that shaders
//! use and no others; each is copied from the application's set and binding of the same number. That is what a driver
//! does by moving user data, as far as Vulkan lets it be done. A fragment shader's sets lie above those of the stages
//! before it, since its guess was made without them.

use ash::vk;

use super::bind::{Bound, allocate, set_layouts};
use super::memory::Owned;
use super::resources::{Described, Resources};
use super::{Device, GpuError};

/// Layouts of pipelines whose parts know their own sets only.
const INDEPENDENT: vk::PipelineLayoutCreateFlags = vk::PipelineLayoutCreateFlags::INDEPENDENT_SETS_EXT;

/// How a program's descriptors are bound.
#[derive(Debug, Clone, Copy)]
pub enum Descriptors<'a> {
    /// With a layout of what its shaders use.
    Own,
    /// With an application's layout.
    Application(&'a [Described]),
    /// With the guessed layout, filled from sets of the application's layout.
    Automatic {
        /// The application's layout.
        application: &'a [Described],
        /// Whether all uniform and all storage buffers are dynamic.
        dynamic: [bool; 2],
    },
}

impl Descriptors<'_> {
    /// What the application's layout has in addition to what shaders use.
    pub(super) fn application(&self) -> &[Described] {
        match self {
            Descriptors::Own => &[],
            Descriptors::Application(all) | Descriptors::Automatic { application: all, .. } => all,
        }
    }

    /// The options of the guess, if any.
    pub(super) fn automatic(&self) -> Option<[bool; 2]> {
        match self {
            Descriptors::Automatic { dynamic, .. } => Some(*dynamic),
            _ => None,
        }
    }
}

/// The guess's sets.
pub(super) struct Automatic<'d> {
    pub layout: Owned<'d, vk::PipelineLayout>,
    sets: Vec<vk::DescriptorSet>,
    dynamic: Vec<u32>,
    layouts: Vec<Owned<'d, vk::DescriptorSetLayout>>,
    /// The first set of the fragment stage.
    first: u32,
    push: Option<vk::PushConstantRange>,
    _pool: Option<Owned<'d, vk::DescriptorPool>>,
}

impl<'d> Automatic<'d> {
    /// Sets for these resources, copied from the application's. A set from `first` on is copied from the one that lies
    /// `first` below. `apart` says that parts of a pipeline are linked that know their own sets only.
    ///
    /// # Errors
    /// A binding that the application does not have, or has as something else: such a pipeline is not a hit.
    pub fn new(
        device: &'d Device,
        bound: &Bound<'d>,
        application: &Resources,
        resources: &Resources,
        first: u32,
        apart: bool,
    ) -> Result<Automatic<'d>, GpuError> {
        let layouts = set_layouts(device, resources)?;
        let handles: Vec<_> = layouts.iter().map(|layout| layout.handle).collect();
        let flags = if apart { INDEPENDENT } else { vk::PipelineLayoutCreateFlags::empty() };
        let push = resources.push_range();
        let layout = super::bind::pipeline_layout(device, &handles, push, flags)?;
        let (pool, sets) = allocate(device, resources, &handles)?;
        let mut copies = Vec::new();
        for binding in &resources.bindings {
            let from = if binding.set >= first { binding.set - first } else { binding.set };
            let place = format!("set {from}, binding {}", binding.binding);
            let theirs = application.bindings.iter().find(|b| (b.set, b.binding) == (from, binding.binding));
            let theirs = theirs.filter(|theirs| theirs.descriptor_type() == binding.descriptor_type());
            let source = theirs.and_then(|_| bound.sets.get(from as usize).copied());
            let (Some(source), Some(&target)) = (source, sets.get(binding.set as usize)) else {
                return Err(GpuError::Unusable(format!("{place}: not in the application's layout")));
            };
            copies.push(
                vk::CopyDescriptorSet::default()
                    .src_set(source)
                    .src_binding(binding.binding)
                    .dst_set(target)
                    .dst_binding(binding.binding)
                    .descriptor_count(binding.count),
            );
        }
        // SAFETY: all sets are alive, the bindings have the same types and are long enough, and no submission uses them.
        unsafe { device.handle.update_descriptor_sets(&[], &copies) };
        let dynamic = vec![0; resources.dynamic_descriptors()];
        Ok(Automatic { layout, sets, dynamic, layouts, first, push, _pool: pool })
    }

    /// The layouts of the stages before the fragment stage, and of that alone: each without the other's sets.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn layouts_apart(&self, device: &'d Device) -> Result<[Owned<'d, vk::PipelineLayout>; 2], GpuError> {
        let first = self.layouts.len().min(self.first as usize);
        let before: Vec<_> = self.layouts[..first].iter().map(|layout| layout.handle).collect();
        let own = self.layouts[first..].iter().map(|layout| layout.handle);
        let after: Vec<_> = vec![vk::DescriptorSetLayout::null(); first].into_iter().chain(own).collect();
        let layout = |sets: &[_]| super::bind::pipeline_layout(device, sets, self.push, INDEPENDENT);
        Ok([layout(&before)?, layout(if self.layouts.len() > first { &after } else { &[] })?])
    }

    /// Binds the guess's sets and sets the application's push constants.
    pub fn record(
        &self,
        bound: &Bound<'_>,
        device: &Device,
        commands: vk::CommandBuffer,
        point: vk::PipelineBindPoint,
    ) {
        bound.record_with(device, commands, point, self.layout.handle, &self.sets, &self.dynamic);
    }
}
