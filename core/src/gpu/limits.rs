//! What a device's limits allow of descriptors.

use std::collections::BTreeMap;

use ash::vk;

use super::resources::Resources;
use super::{Device, GpuError};

/// The most descriptors of one binding.
const MAX_DESCRIPTORS: u32 = 256;

/// Refuses what the device's limits do not allow, before anything is made.
pub(super) fn check(device: &Device, resources: &Resources) -> Result<(), GpuError> {
    let limits = &device.limits;
    let within = |what: String, needed: u64, limit: u32| match needed <= u64::from(limit) {
        true => Ok(()),
        false => Err(GpuError::TooLarge { what, needed, limit: u64::from(limit) }),
    };
    if let Some(push) = &resources.push_constants {
        within("the push constants (bytes)".to_owned(), push.bytes, limits.max_push_constants_size)?;
    }
    let mut per_stage = BTreeMap::<(u32, i32), u64>::new();
    for binding in &resources.bindings {
        let place = format!("set {}, binding {}", binding.set, binding.binding);
        within(format!("{place} (sets)"), u64::from(binding.set) + 1, limits.max_bound_descriptor_sets)?;
        within(format!("{place} (descriptors)"), u64::from(binding.count), MAX_DESCRIPTORS)?;
        let ty = binding.descriptor_type();
        let limit = match ty {
            vk::DescriptorType::UNIFORM_BUFFER | vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC => {
                limits.max_per_stage_descriptor_uniform_buffers
            }
            vk::DescriptorType::STORAGE_BUFFER | vk::DescriptorType::STORAGE_BUFFER_DYNAMIC => {
                limits.max_per_stage_descriptor_storage_buffers
            }
            vk::DescriptorType::STORAGE_IMAGE | vk::DescriptorType::STORAGE_TEXEL_BUFFER => {
                limits.max_per_stage_descriptor_storage_images
            }
            vk::DescriptorType::SAMPLER => limits.max_per_stage_descriptor_samplers,
            _ => limits.max_per_stage_descriptor_sampled_images,
        };
        for stage in (0..32).map(|bit| 1 << bit).filter(|bit| binding.stages.as_raw() & bit != 0) {
            let sum = per_stage.entry((stage, ty.as_raw())).or_default();
            *sum = sum.saturating_add(u64::from(binding.count));
            within(format!("{place} ({ty:?} descriptors of one stage)"), *sum, limit)?;
        }
    }
    Ok(())
}
