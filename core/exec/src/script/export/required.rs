//! What a script requires of a device, by Amber's names of features. A run of Amber enables the features that its script
//! names, and no others.

use lanescope_amber::script::pipeline::Pipeline;
use lanescope_amber::script::{Requirement, RequirementKind};
use lanescope_model::program::{Program, StageKind};
use lanescope_spirv::enums::{Capability as C, Op, StorageClass};
use lanescope_spirv::{Inst, Module};

use super::LINE;
use crate::gpu::{Needs, needs_of};

/// By capability. Source: Amber's documentation of scripts, *Requesting features*, and Vulkan's appendix of SPIR-V.
const FEATURES: &[(C, &str)] = &[
    (C::Geometry, "geometryShader"),
    (C::Tessellation, "tessellationShader"),
    (C::TessellationPointSize, "shaderTessellationAndGeometryPointSize"),
    (C::GeometryPointSize, "shaderTessellationAndGeometryPointSize"),
    (C::Float64, "shaderFloat64"),
    (C::Int64, "shaderInt64"),
    (C::Int16, "shaderInt16"),
    (C::Float16, "Float16Int8Features.shaderFloat16"),
    (C::Int8, "Float16Int8Features.shaderInt8"),
    (C::StorageBuffer16BitAccess, "Storage16BitFeatures.storageBuffer16BitAccess"),
    (C::UniformAndStorageBuffer16BitAccess, "Storage16BitFeatures.uniformAndStorageBuffer16BitAccess"),
    (C::StoragePushConstant16, "Storage16BitFeatures.storagePushConstant16"),
    (C::StorageInputOutput16, "Storage16BitFeatures.storageInputOutput16"),
    (C::StorageBuffer8BitAccess, "Storage8BitFeatures.storageBuffer8BitAccess"),
    (C::UniformAndStorageBuffer8BitAccess, "Storage8BitFeatures.uniformAndStorageBuffer8BitAccess"),
    (C::StoragePushConstant8, "Storage8BitFeatures.storagePushConstant8"),
    (C::VariablePointers, "VariablePointerFeatures.variablePointers"),
    // Vulkan has none of the first without the second.
    (C::VariablePointers, "VariablePointerFeatures.variablePointersStorageBuffer"),
    (C::VariablePointersStorageBuffer, "VariablePointerFeatures.variablePointersStorageBuffer"),
    (C::VulkanMemoryModel, "VulkanMemoryModelFeatures.vulkanMemoryModel"),
    (C::VulkanMemoryModelDeviceScope, "VulkanMemoryModelFeatures.vulkanMemoryModelDeviceScope"),
    (C::ImageCubeArray, "imageCubeArray"),
    (C::SampledCubeArray, "imageCubeArray"),
    (C::SampleRateShading, "sampleRateShading"),
    (C::InterpolationFunction, "sampleRateShading"),
    (C::ImageGatherExtended, "shaderImageGatherExtended"),
    (C::StorageImageMultisample, "shaderStorageImageMultisample"),
    (C::ImageMSArray, "shaderStorageImageMultisample"),
    (C::StorageImageReadWithoutFormat, "shaderStorageImageReadWithoutFormat"),
    (C::StorageImageWriteWithoutFormat, "shaderStorageImageWriteWithoutFormat"),
    (C::UniformBufferArrayDynamicIndexing, "shaderUniformBufferArrayDynamicIndexing"),
    (C::SampledImageArrayDynamicIndexing, "shaderSampledImageArrayDynamicIndexing"),
    (C::StorageBufferArrayDynamicIndexing, "shaderStorageBufferArrayDynamicIndexing"),
    (C::StorageImageArrayDynamicIndexing, "shaderStorageImageArrayDynamicIndexing"),
    (C::ClipDistance, "shaderClipDistance"),
    (C::CullDistance, "shaderCullDistance"),
    (C::SparseResidency, "shaderResourceResidency"),
    (C::MinLod, "shaderResourceMinLod"),
    (C::MultiViewport, "multiViewport"),
    (C::GroupNonUniform, "SubgroupSupportedOperations.basic"),
    (C::GroupNonUniformVote, "SubgroupSupportedOperations.vote"),
    (C::GroupNonUniformArithmetic, "SubgroupSupportedOperations.arithmetic"),
    (C::GroupNonUniformBallot, "SubgroupSupportedOperations.ballot"),
    (C::GroupNonUniformShuffle, "SubgroupSupportedOperations.shuffle"),
    (C::GroupNonUniformShuffleRelative, "SubgroupSupportedOperations.shuffleRelative"),
    (C::GroupNonUniformClustered, "SubgroupSupportedOperations.clustered"),
    (C::GroupNonUniformQuad, "SubgroupSupportedOperations.quad"),
];

/// Capabilities that an extension of the device has, without a feature.
const EXTENSIONS: &[(C, &str)] = &[
    (C::SubgroupBallotKHR, "VK_EXT_shader_subgroup_ballot"),
    (C::SubgroupVoteKHR, "VK_EXT_shader_subgroup_vote"),
    (C::StencilExportEXT, "VK_EXT_shader_stencil_export"),
    (C::SampleMaskPostDepthCoverage, "VK_EXT_post_depth_coverage"),
];

/// By the stage of subgroup operations. Compute shaders have them in each device.
const SUBGROUP_STAGES: &[(StageKind, &str)] = &[
    (StageKind::Vertex, "SubgroupSupportedStages.vertex"),
    (StageKind::TessControl, "SubgroupSupportedStages.tessellationControl"),
    (StageKind::TessEval, "SubgroupSupportedStages.tessellationEvaluation"),
    (StageKind::Geometry, "SubgroupSupportedStages.geometry"),
    (StageKind::Fragment, "SubgroupSupportedStages.fragment"),
];

/// What a program and the state of its pipeline need, and notes of capabilities whose needs no feature of a script is.
pub(super) fn requirements(program: &Program, pipeline: &Pipeline) -> (Vec<Requirement>, Vec<String>) {
    let is_drawn = program.stage(StageKind::Compute).is_none();
    let modules = || program.stages.iter().map(|stage| program.module_of(stage));
    let needs = if is_drawn { needs_of(program).ok() } else { None };
    let needs = needs.unwrap_or_else(|| Needs::of(modules()));
    let (mut names, mut extensions, mut notes): (Vec<&str>, Vec<&str>, _) = (Vec::new(), Vec::new(), Vec::new());
    for capability in needs.capabilities() {
        let of =
            |table: &'static [(C, &'static str)]| table.iter().filter(|(own, _)| own == capability).map(|row| row.1);
        let known = names.len() + extensions.len();
        names.extend(of(FEATURES));
        extensions.extend(of(EXTENSIONS));
        if names.len() + extensions.len() == known {
            notes.push(format!("no DEVICE_FEATURE names what the capability {capability:?} needs of a device"));
        }
    }
    let stages = SUBGROUP_STAGES.iter().filter(|(stage, _)| needs.has_subgroups_in(*stage));
    names.extend(stages.map(|(_, name)| *name));
    let [before_pixels, of_pixels] = needs.stores();
    let depth = pipeline.depth.as_ref();
    let state = [
        (
            modules().any(fills_workgroup_memory),
            "ZeroInitializeWorkgroupMemoryFeatures.shaderZeroInitializeWorkgroupMemory",
        ),
        (before_pixels, "vertexPipelineStoresAndAtomics"),
        (of_pixels, "fragmentStoresAndAtomics"),
        (pipeline.polygon_mode.is_some(), "fillModeNonSolid"),
        (depth.is_some_and(|depth| depth.clamp == Some(true)), "depthClamp"),
        (depth.and_then(|depth| depth.bias).is_some_and(|[_, clamp, _]| clamp != 0.0), "depthBiasClamp"),
    ];
    names.extend(state.into_iter().filter(|(needed, _)| *needed).map(|(_, name)| name));
    let named = [(RequirementKind::DeviceFeature, names), (RequirementKind::DeviceExtension, extensions)];
    let mut out: Vec<Requirement> = Vec::new();
    for (kind, name) in named.into_iter().flat_map(|(kind, names)| names.into_iter().map(move |name| (kind, name))) {
        let one = Requirement::Device { line: LINE, kind, name: name.to_owned() };
        if !out.contains(&one) {
            out.push(one);
        }
    }
    (out, notes)
}

/// Whether a module declares workgroup memory with a value.
fn fills_workgroup_memory(module: &Module) -> bool {
    let is_filled = |inst: Inst<'_>| {
        inst.op() == Some(Op::Variable) && inst.word_at(3) == StorageClass::Workgroup as u32 && inst.words.len() > 4
    };
    module.insts().any(is_filled)
}
