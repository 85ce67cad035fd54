//! Ray tracing stages, made by a device's driver: all stages of a program in one pipeline.

use std::collections::BTreeMap;

use ash::vk;

use super::compile::{CompileOptions, capture, finish};
use super::executable::Compilation;
use crate::gpu::bind::pipeline_layout;
use crate::gpu::compute::{c_name, own_pipeline};
use crate::gpu::heaps::Heaps;
use crate::gpu::memory::Owned;
use crate::gpu::pipeline::{Shaders, entry_of};
use crate::gpu::{Device, GpuError};
use lanescope_model::program::{Program, Stage, StageKind};
use lanescope_passes::guessed_layout::declared;
use lanescope_pipeline::ShaderGroup;
use lanescope_pipeline::vulkan::GroupType;
use lanescope_spirv::Module;
use lanescope_spirv::enums::{Op, StorageClass};

/// The stages of ray tracing pipelines with their flags.
pub(super) const STAGES: [(StageKind, vk::ShaderStageFlags); 6] = [
    (StageKind::RayGeneration, vk::ShaderStageFlags::RAYGEN_KHR),
    (StageKind::Intersection, vk::ShaderStageFlags::INTERSECTION_KHR),
    (StageKind::AnyHit, vk::ShaderStageFlags::ANY_HIT_KHR),
    (StageKind::ClosestHit, vk::ShaderStageFlags::CLOSEST_HIT_KHR),
    (StageKind::Miss, vk::ShaderStageFlags::MISS_KHR),
    (StageKind::Callable, vk::ShaderStageFlags::CALLABLE_KHR),
];

/// The most descriptors of one binding; a longer array is not made a layout of.
const MOST_DESCRIPTORS: u64 = 1 << 20;

/// Makes the pipeline of a program's ray tracing stages, if it has any. Its layout has every binding that a stage
/// declares, for all of these stages.
///
/// # Errors
/// What Vulkan calls answer; descriptors of a kind that no layout has.
pub(super) fn compile(
    device: &Device,
    program: &Program,
    with: &CompileOptions,
    done: &mut Compilation,
) -> Result<(), GpuError> {
    let stages: Vec<&Stage> = program.stages.iter().filter(|stage| stage.stage.is_ray_tracing()).collect();
    if stages.is_empty() {
        return Ok(());
    }
    let all = STAGES.iter().fold(vk::ShaderStageFlags::empty(), |all, (_, flag)| all | *flag);
    let modules: Vec<&Module> = stages.iter().map(|stage| program.module_of(stage)).collect();
    let sets = set_layouts(device, &modules, all)?;
    let handles: Vec<_> = sets.iter().map(|set| set.handle).collect();
    let pushes = modules
        .iter()
        .flat_map(|module| module.globals())
        .any(|inst| inst.op() == Some(Op::Variable) && inst.word_at(3) == StorageClass::PushConstant as u32);
    let push = vk::PushConstantRange { stage_flags: all, offset: 0, size: device.limits.max_push_constants_size };
    let flags = vk::PipelineLayoutCreateFlags::empty();
    let layout = pipeline_layout(device, &handles, pushes.then_some(push), flags)?;
    let make = || pipeline(device, program, &stages, layout.handle, capture(device, with));
    let kinds = stages.iter().map(|stage| stage.stage).collect();
    let entries = stages.iter().map(|stage| stage.entry.clone()).collect();
    finish(device, with, make, (kinds, entries), done)
}

fn pipeline<'d>(
    device: &'d Device,
    program: &Program,
    stages: &[&Stage],
    layout: vk::PipelineLayout,
    flags: vk::PipelineCreateFlags,
) -> Result<Owned<'d, vk::Pipeline>, GpuError> {
    let functions = device.ray_tracing_pipelines();
    let mut shaders = Shaders::new(&device.handle);
    let names: Vec<_> = stages.iter().map(|stage| c_name(entry_of(program, stage)?.2)).collect::<Result<_, _>>()?;
    let mut infos = Vec::new();
    for (stage, name) in stages.iter().zip(&names) {
        let flag =
            STAGES.iter().find(|(kind, _)| *kind == stage.stage).map_or(vk::ShaderStageFlags::empty(), |row| row.1);
        let shader = shaders.add(program.module_of(stage))?;
        infos.push(vk::PipelineShaderStageCreateInfo::default().stage(flag).module(shader).name(name));
    }
    let described = program.pipeline.as_ref().and_then(|pipeline| pipeline.state.ray_tracing.as_ref());
    let whole = program.pipeline.as_ref().is_some_and(|pipeline| pipeline.stages.len() == stages.len());
    let own = described.map(|described| described.groups.as_slice()).filter(|groups| whole && !groups.is_empty());
    let groups: Vec<_> = own.map_or_else(|| groups(stages), <[_]>::to_vec).iter().map(group).collect();
    let mut create = vk::RayTracingPipelineCreateInfoKHR::default()
        .flags(flags)
        .stages(&infos)
        .groups(&groups)
        .max_pipeline_ray_recursion_depth(described.map_or(1, |described| described.max_depth.max(1)))
        .layout(layout);
    let mut heaps = Heaps::of(stages.iter().map(|stage| program.module_of(stage)), flags);
    if let Some(heaps) = &mut heaps {
        create = create.layout(heaps.layout).push_next(&mut heaps.flags);
    }
    let create = [create];
    // SAFETY: modules, names and layout live through the call; the extension and its features are enabled.
    let made = unsafe {
        functions.create_ray_tracing_pipelines(
            vk::DeferredOperationKHR::null(),
            vk::PipelineCache::null(),
            &create,
            None,
        )
    };
    let made = made.map_err(|(_, result)| GpuError::call("vkCreateRayTracingPipelinesKHR")(result))?;
    Ok(own_pipeline(device, made.first().copied().unwrap_or_default()))
}

/// A group for each shader; what tests one primitive together is in one: the first any-hit shader with the first
/// closest-hit shader, and both with the first intersection shader.
fn groups(stages: &[&Stage]) -> Vec<ShaderGroup> {
    let of = |kind: StageKind| {
        (0u32..).zip(stages).filter(move |(_, stage)| stage.stage == kind).map(|(index, _)| index).collect::<Vec<_>>()
    };
    let mut out: Vec<ShaderGroup> = Vec::new();
    for kind in [StageKind::RayGeneration, StageKind::Miss, StageKind::Callable] {
        out.extend(of(kind).into_iter().map(|index| ShaderGroup { general: Some(index), ..ShaderGroup::default() }));
    }
    let (boxes, any, closest) = (of(StageKind::Intersection), of(StageKind::AnyHit), of(StageKind::ClosestHit));
    for index in 0..boxes.len().max(any.len()).max(closest.len()) {
        let intersection = boxes.get(index).copied();
        out.push(ShaderGroup {
            ty: GroupType(if intersection.is_some() { PROCEDURAL } else { TRIANGLES }),
            general: None,
            closest_hit: closest.get(index).copied(),
            any_hit: any.get(index).copied(),
            intersection,
        });
    }
    out
}

/// `VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR`.
const TRIANGLES: i32 = 1;
/// `VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR`.
const PROCEDURAL: i32 = 2;

fn group(group: &ShaderGroup) -> vk::RayTracingShaderGroupCreateInfoKHR<'static> {
    let index = |shader: Option<u32>| shader.unwrap_or(vk::SHADER_UNUSED_KHR);
    vk::RayTracingShaderGroupCreateInfoKHR::default()
        .ty(vk::RayTracingShaderGroupTypeKHR::from_raw(group.ty.0))
        .general_shader(index(group.general))
        .closest_hit_shader(index(group.closest_hit))
        .any_hit_shader(index(group.any_hit))
        .intersection_shader(index(group.intersection))
}

/// The set layouts, gaps filled with empty ones.
fn set_layouts<'d>(
    device: &'d Device,
    modules: &[&Module],
    stages: vk::ShaderStageFlags,
) -> Result<Vec<Owned<'d, vk::DescriptorSetLayout>>, GpuError> {
    let mut bindings: BTreeMap<(u32, u32), (vk::DescriptorType, u32)> = BTreeMap::new();
    for (_, resource) in modules.iter().flat_map(|module| declared(module)) {
        let place = format!("set {}, binding {}", resource.set, resource.binding);
        let ty = resource.kind.descriptor_type().map(|ty| ty.0);
        let ty = ty.ok_or_else(|| GpuError::NotRun(format!("{place}: not in a descriptor set layout")))?;
        if resource.array_size > MOST_DESCRIPTORS {
            return Err(GpuError::NotRun(format!("{place}: an array of {} descriptors", resource.array_size)));
        }
        let ty = vk::DescriptorType::from_raw(ty);
        let known = bindings.entry((resource.set, resource.binding)).or_insert((ty, 0));
        if known.0 != ty {
            return Err(GpuError::NotRun(format!("{place} is used with two descriptor types")));
        }
        known.1 = known.1.max(u32::try_from(resource.array_size).unwrap_or(1));
    }
    let sets = bindings.keys().map(|(set, _)| set.saturating_add(1)).max().unwrap_or(0);
    let limit = device.limits.max_bound_descriptor_sets;
    if sets > limit {
        let (needed, limit) = (u64::from(sets), u64::from(limit));
        return Err(GpuError::TooLarge { what: "the pipeline layout (descriptor sets)".to_owned(), needed, limit });
    }
    let one = |set: u32| {
        let of_set: Vec<_> = bindings
            .iter()
            .filter(|((of, _), _)| *of == set)
            .map(|((_, binding), (ty, count))| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(*binding)
                    .descriptor_type(*ty)
                    .descriptor_count(*count)
                    .stage_flags(stages)
            })
            .collect();
        let create = vk::DescriptorSetLayoutCreateInfo::default().bindings(&of_set);
        // SAFETY: the device is alive; `create` lives through the call.
        let layout = unsafe { device.handle.create_descriptor_set_layout(&create, None) }
            .map_err(GpuError::call("vkCreateDescriptorSetLayout"))?;
        Ok(Owned::new(device, layout, |vk, layout| {
            // SAFETY: destroyed once, after everything that was made with it.
            unsafe { vk.destroy_descriptor_set_layout(layout, None) }
        }))
    };
    (0..sets).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_shaders_of_one_primitive_are_one_group() {
        let kinds = [
            StageKind::RayGeneration,
            StageKind::Intersection,
            StageKind::AnyHit,
            StageKind::ClosestHit,
            StageKind::ClosestHit,
            StageKind::Miss,
        ];
        let stages = kinds.map(|stage| Stage { stage, entry: "main".to_owned(), module: 0, entry_index: 0 });
        let all = groups(&stages.iter().collect::<Vec<_>>());
        let of =
            |group: &ShaderGroup| (group.ty.0, group.general, group.intersection, group.any_hit, group.closest_hit);
        let rows: Vec<_> = all.iter().map(of).collect();
        let expected = [
            (0, Some(0), None, None, None),
            (0, Some(5), None, None, None),
            (2, None, Some(1), Some(2), Some(3)),
            (1, None, None, None, Some(4)),
        ];
        assert_eq!(rows, expected);
    }
}
