//! A description made from a program: what it needs of its pipeline.

use ash::vk;

use super::GpuError;
use super::pipeline::{Stages, attribute_format, entry_of};
use super::resources::Resources;
use crate::pipeline::layout::{Binding, DescriptorSet, Layout, PushConstantRange, StageMask};
use crate::pipeline::state::{VertexAttribute, VertexBinding, VertexInput};
use crate::pipeline::vulkan::{DescriptorType, InputRate, VkFormat};
use crate::program::{Program, StageKind};
use crate::spirv::enums::StorageClass;

/// The descriptors and push constants that its stages use.
///
/// # Errors
/// A descriptor of a kind that is not known here.
pub(crate) fn layout(program: &Program) -> Result<Layout, GpuError> {
    let all = program.stages.iter().map(|stage| entry_of(program, stage)).collect::<Result<Vec<_>, _>>()?;
    let resources = Resources::of(&(Stages { all }).entries())?;
    let stages = |flags: vk::ShaderStageFlags| StageMask::of_vulkan(flags.as_raw());
    let mut out = Layout::default();
    for binding in &resources.bindings {
        let row = Binding {
            binding: binding.binding,
            ty: DescriptorType(binding.descriptor_type().as_raw()),
            count: binding.count,
            stages: stages(binding.stages),
            flags: 0,
            immutable_samplers: Vec::new(),
            mutable_types: Vec::new(),
        };
        match out.sets.last_mut().filter(|set| set.set == binding.set) {
            Some(set) => set.bindings.push(row),
            None => {
                out.sets.push(DescriptorSet { set: binding.set, hash: None, flags: 0, bindings: vec![row] });
            }
        }
    }
    if let Some(push) = &resources.push_constants {
        let size = u32::try_from(push.bytes).unwrap_or(u32::MAX);
        out.push_constants.push(PushConstantRange { stages: stages(push.stages), offset: 0, size });
    }
    Ok(out)
}

/// One buffer with every attribute that the vertex stage reads.
///
/// # Errors
/// An attribute whose components have a width that no format has.
pub(crate) fn vertex_input(program: &Program) -> Result<VertexInput, GpuError> {
    let stages = program.stages.iter().filter(|stage| stage.stage == StageKind::Vertex);
    let all = stages.map(|stage| entry_of(program, stage)).collect::<Result<Vec<_>, _>>()?;
    let slots = Stages { all }.slots(StageKind::Vertex, StorageClass::Input, &[16, 32, 64])?;
    let mut out = VertexInput { from: "the vertex shader".to_owned(), ..VertexInput::default() };
    let mut stride = 0u32;
    for slot in &slots {
        let format = VkFormat(attribute_format(slot).as_raw());
        out.attributes.push(VertexAttribute { location: slot.location, binding: 0, format, offset: stride });
        stride = stride.saturating_add(slot.bytes().next_multiple_of(16));
    }
    if !slots.is_empty() {
        out.bindings.push(VertexBinding { binding: 0, stride, rate: InputRate(0), divisor: None });
    }
    Ok(out)
}
