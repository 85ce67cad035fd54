//! Registers to descriptors: one table for all containers of a pipeline.

use dxil_spirv::Converter;
use dxil_spirv::binding::{
    Bindless, CbvVulkanBinding, D3dBinding, ResourceKind, SrvVulkanBinding, UavVulkanBinding, VulkanBinding,
    VulkanDescriptorType,
};

use super::Conversion;
use crate::dxil::Dxil;
use crate::program::DescriptorBinding;

/// Where every register of a pipeline goes.
///
/// Spaces become sets and registers bindings, both numbered without gaps in the order of spaces, then of constant
/// buffers, textures and buffers, writable ones, samplers: so no two registers share a descriptor, as `t0` and `u0`
/// would by their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bindings {
    rows: Vec<DescriptorBinding>,
    physical: bool,
}

/// Classes in the order in which a space numbers them.
const ORDER: [&str; 4] = ["cbv", "srv", "uav", "sampler"];

impl Bindings {
    /// The table of these containers.
    pub fn of<'d>(containers: impl Iterator<Item = &'d Dxil>, conversion: &Conversion) -> Bindings {
        let mut keys: Vec<(u32, usize, u32, bool, String)> = Vec::new();
        for resource in containers.flat_map(Dxil::resources) {
            let class = ORDER.iter().position(|class| *class == resource.class).unwrap_or(0);
            keys.push((resource.space, class, resource.lower, false, resource.register.clone()));
            if resource.flags.iter().any(|flag| flag == "counter") {
                keys.push((resource.space, class, resource.lower, true, resource.register));
            }
        }
        keys.sort();
        keys.dedup();
        let mut rows: Vec<DescriptorBinding> = Vec::new();
        let (mut set, mut binding, mut last) = (0u32, 0u32, None);
        for (space, class, lower, counter, register) in keys {
            match last {
                Some(before) if before != space => (set, binding) = (set + 1, 0),
                Some(_) => binding += 1,
                None => {}
            }
            last = Some(space);
            let (set, binding) = match conversion.register_bindings {
                // A counter has no register: it lies behind all of them.
                true => (space, if counter { lower.saturating_add(0x1_0000) } else { lower }),
                false => (set, binding),
            };
            let class = ORDER.get(class).copied().unwrap_or_default().to_owned();
            rows.push(DescriptorBinding { register, class, space, lower, counter, set, binding });
        }
        Bindings { rows, physical: conversion.physical_buffers }
    }

    /// The rows of one container's resources.
    pub fn rows_of(&self, dxil: &Dxil) -> Vec<DescriptorBinding> {
        let resources = dxil.resources();
        let mine = |row: &&DescriptorBinding| {
            resources.iter().any(|r| (r.space, r.lower, &*r.class) == (row.space, row.lower, row.class.as_str()))
        };
        self.rows.iter().filter(mine).cloned().collect()
    }

    fn find(&self, class: &str, binding: &D3dBinding, counter: bool) -> VulkanBinding {
        let found = self.rows.iter().find(|row| {
            row.class == class
                && (row.space, row.lower, row.counter) == (binding.register_space, binding.register_index, counter)
        });
        // What has no register is indexed in the heap itself: a set behind all others.
        let heap = found.is_none();
        let sets = self.rows.iter().map(|row| row.set + 1).max().unwrap_or(0);
        let buffer = matches!(binding.kind, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer);
        let descriptor_type = match (buffer || counter, self.physical) {
            (true, false) => VulkanDescriptorType::Ssbo,
            (true, true) => VulkanDescriptorType::BufferDeviceAddress,
            (false, _) => VulkanDescriptorType::Identity,
        };
        VulkanBinding {
            set: found.map_or(sets, |row| row.set),
            binding: found.map_or(u32::from(class == "sampler"), |row| row.binding),
            root_constant_index: 0,
            bindless: Bindless { heap_root_offset: 0, use_heap: heap },
            descriptor_type,
        }
    }

    /// Tells a converter where everything goes.
    pub fn apply(&self, converter: &mut Converter) {
        let table = self.clone();
        converter.set_srv_remapper(move |binding| {
            let buffer_binding = table.find("srv", binding, false);
            Some(SrvVulkanBinding { buffer_binding, offset_binding: buffer_binding })
        });
        let table = self.clone();
        converter.set_uav_remapper(move |uav| {
            let buffer_binding = table.find("uav", &uav.binding, false);
            let counter_binding = table.find("uav", &uav.binding, uav.has_counter);
            Some(UavVulkanBinding { buffer_binding, counter_binding, offset_binding: buffer_binding })
        });
        let table = self.clone();
        converter.set_cbv_remapper(move |binding| Some(CbvVulkanBinding::Uniform(table.find("cbv", binding, false))));
        let table = self.clone();
        converter.set_sampler_remapper(move |binding| Some(table.find("sampler", binding, false)));
    }
}
