//! What a device's limits allow of descriptors.

use ash::vk;
use ash::vk::DescriptorType as Ty;

use super::resources::{Binding, Resources};
use super::{Device, GpuError};

/// The most descriptors of one binding.
const MAX_DESCRIPTORS: u32 = 256;

/// What one limit counts: in words, the types of its descriptors, and the limit.
type Counted = (&'static str, &'static [Ty], fn(&vk::PhysicalDeviceLimits) -> u32);

const SAMPLERS: &[Ty] = &[Ty::SAMPLER, Ty::COMBINED_IMAGE_SAMPLER];
const UNIFORM_BUFFERS: &[Ty] = &[Ty::UNIFORM_BUFFER, Ty::UNIFORM_BUFFER_DYNAMIC];
const STORAGE_BUFFERS: &[Ty] = &[Ty::STORAGE_BUFFER, Ty::STORAGE_BUFFER_DYNAMIC];
const SAMPLED_IMAGES: &[Ty] = &[Ty::COMBINED_IMAGE_SAMPLER, Ty::SAMPLED_IMAGE, Ty::UNIFORM_TEXEL_BUFFER];
const STORAGE_IMAGES: &[Ty] = &[Ty::STORAGE_IMAGE, Ty::STORAGE_TEXEL_BUFFER];
/// All but samplers alone.
const RESOURCES: &[Ty] = &[
    Ty::INPUT_ATTACHMENT,
    Ty::COMBINED_IMAGE_SAMPLER,
    Ty::SAMPLED_IMAGE,
    Ty::STORAGE_IMAGE,
    Ty::UNIFORM_TEXEL_BUFFER,
    Ty::STORAGE_TEXEL_BUFFER,
    Ty::UNIFORM_BUFFER,
    Ty::STORAGE_BUFFER,
    Ty::UNIFORM_BUFFER_DYNAMIC,
    Ty::STORAGE_BUFFER_DYNAMIC,
];

/// Limits of what one stage reaches. Source: Vulkan specification, section 'Limits'.
const OF_ONE_STAGE: [Counted; 7] = [
    ("samplers", SAMPLERS, |limits| limits.max_per_stage_descriptor_samplers),
    ("uniform buffers", UNIFORM_BUFFERS, |limits| limits.max_per_stage_descriptor_uniform_buffers),
    ("storage buffers", STORAGE_BUFFERS, |limits| limits.max_per_stage_descriptor_storage_buffers),
    ("sampled images", SAMPLED_IMAGES, |limits| limits.max_per_stage_descriptor_sampled_images),
    ("storage images", STORAGE_IMAGES, |limits| limits.max_per_stage_descriptor_storage_images),
    ("input attachments", &[Ty::INPUT_ATTACHMENT], |limits| limits.max_per_stage_descriptor_input_attachments),
    ("resources", RESOURCES, |limits| limits.max_per_stage_resources),
];

/// Limits of what all stages of a pipeline have.
const OF_ALL_STAGES: [Counted; 8] = [
    ("samplers", SAMPLERS, |limits| limits.max_descriptor_set_samplers),
    ("uniform buffers", UNIFORM_BUFFERS, |limits| limits.max_descriptor_set_uniform_buffers),
    ("dynamic uniform buffers", &[Ty::UNIFORM_BUFFER_DYNAMIC], |limits| {
        limits.max_descriptor_set_uniform_buffers_dynamic
    }),
    ("storage buffers", STORAGE_BUFFERS, |limits| limits.max_descriptor_set_storage_buffers),
    ("dynamic storage buffers", &[Ty::STORAGE_BUFFER_DYNAMIC], |limits| {
        limits.max_descriptor_set_storage_buffers_dynamic
    }),
    ("sampled images", SAMPLED_IMAGES, |limits| limits.max_descriptor_set_sampled_images),
    ("storage images", STORAGE_IMAGES, |limits| limits.max_descriptor_set_storage_images),
    ("input attachments", &[Ty::INPUT_ATTACHMENT], |limits| limits.max_descriptor_set_input_attachments),
];

/// Refuses what a run does not bind, before anything is made. What its layout may have, [`of_layout`] says.
pub(super) fn check(device: &Device, resources: &Resources) -> Result<(), GpuError> {
    if let Some(push) = &resources.push_constants {
        let limit = device.limits.max_push_constants_size;
        within("the push constants (bytes)".to_owned(), push.block.bytes(), limit)?;
    }
    for binding in &resources.bindings {
        let what = format!("set {}, binding {} (descriptors)", binding.set, binding.binding);
        within(what, u64::from(binding.count), MAX_DESCRIPTORS)?;
    }
    Ok(())
}

/// Refuses what the device's limits do not allow of a pipeline's layout: some drivers crash where they are exceeded.
pub(super) fn of_layout(limits: &vk::PhysicalDeviceLimits, resources: &Resources) -> Result<(), GpuError> {
    let sets = resources.bindings.iter().map(|binding| u64::from(binding.set) + 1).max().unwrap_or(0);
    within("the pipeline layout (descriptor sets)".to_owned(), sets, limits.max_bound_descriptor_sets)?;
    for stage in (0..32).map(|bit| vk::ShaderStageFlags::from_raw(1 << bit)) {
        for (what, types, limit) in &OF_ONE_STAGE {
            let sum = count(resources, types, |binding| binding.stages.contains(stage));
            within(format!("one stage ({what})"), sum, limit(limits))?;
        }
    }
    for (what, types, limit) in &OF_ALL_STAGES {
        within(format!("the pipeline ({what})"), count(resources, types, |_| true), limit(limits))?;
    }
    Ok(())
}

/// Descriptors of some types, in the bindings that `of` takes.
fn count(resources: &Resources, types: &[Ty], of: impl Fn(&Binding) -> bool) -> u64 {
    let bindings = resources.bindings.iter().filter(|binding| types.contains(&binding.descriptor_type()));
    bindings.filter(|binding| of(binding)).map(|binding| u64::from(binding.count)).fold(0, u64::saturating_add)
}

fn within(what: String, needed: u64, limit: u32) -> Result<(), GpuError> {
    match needed <= u64::from(limit) {
        true => Ok(()),
        false => Err(GpuError::TooLarge { what, needed, limit: u64::from(limit) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::resources::Kind;
    use lanescope_run::Shape;

    fn binding(kind: Kind, count: u32, stages: vk::ShaderStageFlags, dynamic: bool) -> Binding {
        let is_array = count > 1;
        Binding {
            set: 0,
            binding: 0,
            variable: None,
            kind,
            count,
            is_array,
            stages,
            writable: false,
            dynamic,
            compares: None,
        }
    }

    fn limits() -> vk::PhysicalDeviceLimits {
        vk::PhysicalDeviceLimits {
            max_bound_descriptor_sets: 4,
            max_per_stage_descriptor_uniform_buffers: 8,
            max_per_stage_descriptor_storage_buffers: 8,
            max_per_stage_resources: 12,
            max_descriptor_set_uniform_buffers: 10,
            max_descriptor_set_uniform_buffers_dynamic: 2,
            max_descriptor_set_storage_buffers: 10,
            ..vk::PhysicalDeviceLimits::default()
        }
    }

    #[test]
    fn sums_resources_per_limit() {
        let (vertex, fragment) = (vk::ShaderStageFlags::VERTEX, vk::ShaderStageFlags::FRAGMENT);
        let uniform =
            |count, stages, dynamic| binding(Kind::Uniform(Shape::Words { count: 4 }), count, stages, dynamic);
        let storage = |count, stages| binding(Kind::Storage(Shape::Words { count: 4 }), count, stages, false);
        for (bindings, found) in [
            (vec![uniform(8, vertex, false), uniform(2, fragment, true)], None),
            (vec![uniform(7, vertex, false), uniform(2, vertex, true)], Some("one stage (uniform buffers) needs 9")),
            (vec![uniform(6, vertex, false), uniform(5, fragment, false)], Some("pipeline (uniform buffers) needs 11")),
            (vec![uniform(3, vertex, true)], Some("pipeline (dynamic uniform buffers) needs 3")),
            (vec![uniform(7, vertex, false), storage(6, vertex)], Some("one stage (resources) needs 13")),
            (vec![uniform(8, vertex | fragment, false), storage(4, fragment)], None),
        ] {
            let resources = Resources { bindings, push_constants: None };
            let error = of_layout(&limits(), &resources).err().map(|error| error.to_string());
            assert!(
                error.as_deref().map_or(found.is_none(), |error| found.is_some_and(|is| error.contains(is))),
                "{error:?}, {found:?}"
            );
        }
    }
}
