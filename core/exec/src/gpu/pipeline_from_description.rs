//! The part of a pipeline description that a device supports.

use std::collections::BTreeSet;

use ash::vk;

use super::Device;
use super::scene::Slot;
use lanescope_pipeline::{Pipeline, VertexInput};
use lanescope_spirv::shape::ScalarKind;

/// The vertex input of a description, if a pipeline with these attributes can have it; a note says so, or why not.
pub(crate) fn vertex_input<'p>(
    pipeline: Option<&'p Pipeline>,
    attributes: &[Slot],
    device: &Device,
    notes: &mut Vec<String>,
) -> Option<&'p VertexInput> {
    let input = pipeline?.state.vertex_input.as_ref()?;
    if attributes.is_empty() {
        return None;
    }
    match misfit(input, attributes, device) {
        None => {
            notes.push(format!("vertex formats and strides from the description ({})", input.from));
            Some(input)
        }
        Some(why) => {
            notes.push(format!("vertex input of the description ({}) not used: {why}", input.from));
            None
        }
    }
}

/// Why a vertex input is none for some attributes.
pub(super) fn misfit(input: &VertexInput, attributes: &[Slot], device: &Device) -> Option<String> {
    let limits = &device.limits;
    for slot in attributes {
        let Some(given) = input.attributes.iter().find(|attribute| attribute.location == slot.location) else {
            return Some(format!("no attribute at location {}", slot.location));
        };
        let name = given.format.name().unwrap_or_default();
        let of_format = if name.contains("UINT") {
            ScalarKind::Uint
        } else if name.contains("SINT") {
            ScalarKind::Int
        } else {
            ScalarKind::Float
        };
        if of_format != slot.kind || name.contains("64") != (slot.bits == 64) {
            return Some(format!("format {} does not fit the attribute at location {}", given.format, slot.location));
        }
    }
    let mut locations = BTreeSet::new();
    for attribute in &input.attributes {
        let format = vk::Format::from_raw(attribute.format.0);
        if !device.buffer_features(format).contains(vk::FormatFeatureFlags::VERTEX_BUFFER) {
            return Some(format!("the device does not support vertex format {}", attribute.format));
        }
        if !input.bindings.iter().any(|binding| binding.binding == attribute.binding) {
            return Some(format!("binding {} is not declared", attribute.binding));
        }
        if !locations.insert(attribute.location)
            || attribute.location >= limits.max_vertex_input_attributes
            || attribute.offset > limits.max_vertex_input_attribute_offset
        {
            return Some(format!("location {} is declared twice or exceeds the device's limits", attribute.location));
        }
    }
    let mut bindings = BTreeSet::new();
    for binding in &input.bindings {
        if !bindings.insert(binding.binding)
            || binding.binding >= limits.max_vertex_input_bindings
            || binding.stride > limits.max_vertex_input_binding_stride
            || !matches!(binding.rate.0, 0 | 1)
        {
            return Some(format!("binding {} is declared twice or exceeds the device's limits", binding.binding));
        }
    }
    None
}

/// The topology of a description where only the vertices decide it.
pub(crate) fn topology(pipeline: Option<&Pipeline>) -> Option<vk::PrimitiveTopology> {
    let topology = pipeline?.state.topology?;
    // Those with neighbours belong to geometry shaders, patches to tessellation.
    (0..=5).contains(&topology.0).then(|| vk::PrimitiveTopology::from_raw(topology.0))
}

/// The samples of a description, as far as every device has them.
pub(crate) fn samples(pipeline: Option<&Pipeline>) -> Option<vk::SampleCountFlags> {
    match pipeline?.state.multisample.as_ref()?.samples? {
        1 => Some(vk::SampleCountFlags::TYPE_1),
        4 => Some(vk::SampleCountFlags::TYPE_4),
        _ => None,
    }
}
