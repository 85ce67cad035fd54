//! What a script requires of a device, by Amber's names of features. A run of Amber enables the features that its script
//! names, and no others.

use lanescope_amber::script::pipeline::Pipeline;
use lanescope_amber::script::{Requirement, RequirementKind};
use lanescope_model::program::{Program, StageKind};
use lanescope_spirv::enums::Capability as C;

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
    (C::VariablePointersStorageBuffer, "VariablePointerFeatures.variablePointersStorageBuffer"),
    (C::VulkanMemoryModel, "VulkanMemoryModelFeatures.vulkanMemoryModel"),
    (C::VulkanMemoryModelDeviceScope, "VulkanMemoryModelFeatures.vulkanMemoryModelDeviceScope"),
    (C::ImageCubeArray, "imageCubeArray"),
    (C::SampledCubeArray, "imageCubeArray"),
    (C::SampleRateShading, "sampleRateShading"),
    (C::InterpolationFunction, "sampleRateShading"),
    (C::ImageGatherExtended, "shaderImageGatherExtended"),
    (C::StorageImageMultisample, "shaderStorageImageMultisample"),
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

/// The features that a program and the state of its pipeline need, and notes of needs for which scripts have no name.
pub(super) fn requirements(program: &Program, pipeline: &Pipeline) -> (Vec<Requirement>, Vec<String>) {
    let is_drawn = program.stage(StageKind::Compute).is_none();
    let needs = if is_drawn { needs_of(program).ok() } else { None };
    let needs = needs.unwrap_or_else(|| Needs::of(program.stages.iter().map(|stage| program.module_of(stage))));
    let (mut names, mut notes) = (Vec::new(), Vec::new());
    for capability in needs.capabilities() {
        match FEATURES.iter().find(|(own, _)| own == capability) {
            Some((_, name)) if names.contains(name) => {}
            Some((_, name)) => names.push(*name),
            None => {
                notes.push(format!("no line of a script requires what the capability {capability:?} needs of a device"))
            }
        }
    }
    let [before_pixels, of_pixels] = needs.stores();
    let depth = pipeline.depth.as_ref();
    let state = [
        (before_pixels, "vertexPipelineStoresAndAtomics"),
        (of_pixels, "fragmentStoresAndAtomics"),
        (pipeline.polygon_mode.is_some(), "fillModeNonSolid"),
        (depth.is_some_and(|depth| depth.clamp == Some(true)), "depthClamp"),
    ];
    names.extend(state.into_iter().filter(|(needed, _)| *needed).map(|(_, name)| name));
    let one =
        |name: &str| Requirement::Device { line: LINE, kind: RequirementKind::DeviceFeature, name: name.to_owned() };
    (names.into_iter().map(one).collect(), notes)
}
