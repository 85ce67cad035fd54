//! Describes a program as a pipeline: what it needs of one.

use std::collections::{BTreeMap, BTreeSet};

use super::GpuError;
use super::pipeline::{Stages, attribute_format, entry_of};
use super::resources::OPEN_DESCRIPTORS;
use lanescope_base::ids::Id;
use lanescope_model::program::{Program, StageKind};
use lanescope_passes::guessed_layout::{RUNTIME_LENGTH, Resource, declared};
use lanescope_pipeline::layout::{Binding, DescriptorSet, Layout, PushConstantRange, StageMask};
use lanescope_pipeline::state::{VertexAttribute, VertexBinding, VertexInput};
use lanescope_pipeline::vulkan::{DescriptorType, InputRate, Topology, VkFormat};
use lanescope_spirv::Module;
use lanescope_spirv::enums::{Op, StorageClass};
use lanescope_spirv::shape::Shape;

/// The descriptors and push constants that its stages use, those among them that are not run here.
///
/// # Errors
/// A descriptor of a kind that is not known here; a place that is used for different things.
pub fn layout(program: &Program) -> Result<Layout, GpuError> {
    let mut found: BTreeMap<(u32, u32), Binding> = BTreeMap::new();
    let mut push = PushConstantRange { stages: StageMask::default(), offset: 0, size: 0 };
    for stage in &program.stages {
        let (kind, module, entry) = entry_of(program, stage)?;
        let stages = StageMask::from_iter([kind]);
        let used = module.ids_used_by(entry);
        for (_, resource) in declared(module).into_iter().filter(|(id, _)| used.contains(id)) {
            add(&mut found, &resource, stages)?;
        }
        for bytes in push_blocks(module, &used) {
            push = PushConstantRange { stages: push.stages.union(stages), offset: 0, size: push.size.max(bytes) };
        }
    }
    let mut out = Layout::default();
    for ((set, _), binding) in found {
        match out.sets.last_mut().filter(|last| last.set == set) {
            Some(known) => known.bindings.push(binding),
            None => out.sets.push(DescriptorSet { set, hash: None, flags: 0, bindings: vec![binding] }),
        }
    }
    out.push_constants.extend(Some(push).filter(|push| push.size > 0));
    Ok(out)
}

/// Takes what a stage declares at a place; an earlier declaration has to be of the same type, or the other half of a
/// combined image.
fn add(found: &mut BTreeMap<(u32, u32), Binding>, resource: &Resource, stages: StageMask) -> Result<(), GpuError> {
    let place = (resource.set, resource.binding);
    let unusable = |what: String| GpuError::NotRun(format!("set {}, binding {}: {what}", place.0, place.1));
    let ty = resource.kind.descriptor_type().ok_or_else(|| unusable("unknown descriptor type".to_owned()))?;
    let count = match resource.runtime {
        true => resource.array_size / RUNTIME_LENGTH * u64::from(OPEN_DESCRIPTORS),
        false => resource.array_size,
    };
    let count = u32::try_from(count).map_err(|_| unusable(format!("{count} descriptors")))?;
    let Some(known) = found.get_mut(&place) else {
        let (flags, immutable_samplers, mutable_types) = (0, Vec::new(), Vec::new());
        let binding = Binding { binding: place.1, ty, count, stages, flags, immutable_samplers, mutable_types };
        found.insert(place, binding);
        return Ok(());
    };
    if known.ty != ty {
        // Sampler, combined, sampled image: 0, 1, 2.
        if known.ty.0 > 2 || ty.0 > 2 {
            return Err(unusable(format!("is used both as {} and as {ty}", known.ty)));
        }
        known.ty = DescriptorType(1);
    }
    known.count = known.count.max(count);
    known.stages = known.stages.union(stages);
    Ok(())
}

/// The bytes of the push constants that are used.
fn push_blocks(module: &Module, used: &BTreeSet<Id>) -> Vec<u32> {
    let variables = module.globals().filter(|inst| inst.op() == Some(Op::Variable));
    let push = variables.filter(|inst| StorageClass::from_u32(inst.word_at(3)) == Some(StorageClass::PushConstant));
    let bytes = push.filter_map(|inst| {
        let pointee = inst.result().filter(|id| used.contains(id)).and_then(|id| module.pointee(id))?;
        Some(Shape::of(module, pointee).bytes().checked_next_multiple_of(4).unwrap_or(u64::MAX))
    });
    bytes.map(|bytes| u32::try_from(bytes).unwrap_or(u32::MAX)).collect()
}

/// What primitives its vertices make.
///
/// # Errors
/// A stage whose entry point is none.
pub fn topology(program: &Program) -> Result<Topology, GpuError> {
    let all = program.stages.iter().map(|stage| entry_of(program, stage)).collect::<Result<Vec<_>, _>>()?;
    Ok(Topology(Stages { all }.topology().as_raw()))
}

/// One buffer with every attribute that the vertex stage reads.
///
/// # Errors
/// An attribute whose components have a width that no format has.
pub fn vertex_input(program: &Program) -> Result<VertexInput, GpuError> {
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
