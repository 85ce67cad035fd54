//! Capabilities by the features and extensions that enable them: all that the Vulkan registry lists, that SPIR-V's grammar
//! here has, and that no row of [`super::need`] has. Source: `vk.xml` of Vulkan 1.4.359, `spirvcapabilities`, and the
//! structures' members.
//!
//! Each feature is a word in a structure of an extension: all of these have the form of `VkPhysicalDeviceFeatures2`'s
//! chain, a type and a pointer, then nothing but words.

use std::ffi::{CStr, c_void};

use ash::vk;
use ash::vk::Bool32;

use super::{Chosen, Offer};
use crate::gpu::{GpuError, NeededBy};
use lanescope_spirv::enums::Capability;

/// What enables a capability: an extension, and a feature of it where it has one for that.
#[derive(Debug)]
pub(super) struct Enabling {
    pub extension: &'static CStr,
    pub feature: Option<Feature>,
}

/// A word of a structure.
#[derive(Debug, Clone, Copy)]
pub(super) struct Feature {
    pub name: &'static str,
    /// The structure's type.
    structure: i32,
    /// The word's index.
    at: usize,
}

const fn feature(extension: &'static CStr, structure: i32, at: usize, name: &'static str) -> Enabling {
    Enabling { extension, feature: Some(Feature { name, structure, at }) }
}

const fn bare(extension: &'static CStr) -> Enabling {
    Enabling { extension, feature: None }
}

const fn float2(at: usize, name: &'static str) -> Enabling {
    feature(c"VK_EXT_shader_atomic_float2", 1_000_273_000, at, name)
}

/// Of buffers, then of workgroup memory.
pub(super) const FLOAT16_ATOMICS: &[Enabling] =
    &[float2(0, "shaderBufferFloat16Atomics"), float2(5, "shaderSharedFloat16Atomics")];
pub(super) const FLOAT16_ADDS: &[Enabling] =
    &[float2(1, "shaderBufferFloat16AtomicAdd"), float2(6, "shaderSharedFloat16AtomicAdd")];
pub(super) const FLOAT16_EXTREMES: &[Enabling] =
    &[float2(2, "shaderBufferFloat16AtomicMinMax"), float2(7, "shaderSharedFloat16AtomicMinMax")];
/// Of buffers, of workgroup memory, then of images.
pub(super) const FLOAT32_EXTREMES: &[Enabling] = &[
    float2(3, "shaderBufferFloat32AtomicMinMax"),
    float2(8, "shaderSharedFloat32AtomicMinMax"),
    float2(10, "shaderImageFloat32AtomicMinMax"),
];
pub(super) const FLOAT64_EXTREMES: &[Enabling] =
    &[float2(4, "shaderBufferFloat64AtomicMinMax"), float2(9, "shaderSharedFloat64AtomicMinMax")];
/// Of 16, 32 and 64 bits.
pub(super) const FMA: &[Enabling] = &[
    feature(c"VK_KHR_shader_fma", 1_000_579_000, 0, "shaderFmaFloat16"),
    feature(c"VK_KHR_shader_fma", 1_000_579_000, 1, "shaderFmaFloat32"),
    feature(c"VK_KHR_shader_fma", 1_000_579_000, 2, "shaderFmaFloat64"),
];
/// Rotation within clusters.
pub(super) const ROTATE_CLUSTERED: &[Enabling] =
    &[feature(c"VK_KHR_shader_subgroup_rotate", 1_000_416_000, 1, "shaderSubgroupRotateClustered")];

/// What else keeps compiled code, in the order in which it is taken.
pub(super) const ALTERNATIVES: &[Enabling] = &[
    feature(c"VK_EXT_shader_object", 1_000_482_000, 0, "shaderObject"),
    feature(c"VK_KHR_pipeline_binary", 1_000_483_000, 0, "pipelineBinaries"),
];

/// By capability: what enables it. Any of these is enough.
const ENABLING: &[(Capability, &[Enabling])] = &[
    (Capability::AtomicFloat16AddEXT, FLOAT16_ADDS),
    (Capability::AtomicFloat16MinMaxEXT, FLOAT16_EXTREMES),
    (Capability::AtomicFloat32MinMaxEXT, FLOAT32_EXTREMES),
    (Capability::AtomicFloat64MinMaxEXT, FLOAT64_EXTREMES),
    (
        Capability::AtomicFloat16VectorNV,
        &[feature(c"VK_NV_shader_atomic_float16_vector", 1_000_563_000, 0, "shaderFloat16VectorAtomics")],
    ),
    (
        Capability::Int64ImageEXT,
        &[feature(c"VK_EXT_shader_image_atomic_int64", 1_000_234_000, 0, "shaderImageInt64Atomics")],
    ),
    (Capability::ImageReadWriteLodAMD, &[bare(c"VK_AMD_shader_image_load_store_lod")]),
    (Capability::ImageGatherBiasLodAMD, &[bare(c"VK_AMD_texture_gather_bias_lod")]),
    (Capability::FragmentMaskAMD, &[bare(c"VK_AMD_shader_fragment_mask")]),
    (Capability::SampleMaskOverrideCoverageNV, &[bare(c"VK_NV_sample_mask_override_coverage")]),
    (Capability::GeometryShaderPassthroughNV, &[bare(c"VK_NV_geometry_shader_passthrough")]),
    (Capability::ShaderViewportMaskNV, &[bare(c"VK_NV_viewport_array2")]),
    (Capability::PerViewAttributesNV, &[bare(c"VK_NVX_multiview_per_view_attributes")]),
    (
        Capability::GroupNonUniformPartitionedEXT,
        &[
            feature(c"VK_EXT_shader_subgroup_partitioned", 1_000_662_000, 0, "shaderSubgroupPartitioned"),
            bare(c"VK_NV_shader_subgroup_partitioned"),
        ],
    ),
    (Capability::FragmentFullyCoveredEXT, &[bare(c"VK_EXT_conservative_rasterization")]),
    (Capability::ImageFootprintNV, &[feature(c"VK_NV_shader_image_footprint", 1_000_204_000, 0, "imageFootprint")]),
    (Capability::RayQueryKHR, &[feature(c"VK_KHR_ray_query", 1_000_348_013, 0, "rayQuery")]),
    (Capability::RayTraversalPrimitiveCullingKHR, &[feature(c"VK_KHR_ray_query", 1_000_348_013, 0, "rayQuery")]),
    (
        Capability::RayCullMaskKHR,
        &[feature(c"VK_KHR_ray_tracing_maintenance1", 1_000_386_000, 0, "rayTracingMaintenance1")],
    ),
    (Capability::RayTracingNV, &[bare(c"VK_NV_ray_tracing")]),
    (
        Capability::RayTracingOpacityMicromapEXT,
        &[bare(c"VK_EXT_opacity_micromap"), feature(c"VK_KHR_opacity_micromap", 1_000_623_000, 0, "micromap")],
    ),
    (
        Capability::RayTracingMotionBlurNV,
        &[feature(c"VK_NV_ray_tracing_motion_blur", 1_000_327_001, 0, "rayTracingMotionBlur")],
    ),
    (
        Capability::FragmentDensityEXT,
        &[
            feature(c"VK_EXT_fragment_density_map", 1_000_218_000, 0, "fragmentDensityMap"),
            feature(c"VK_NV_shading_rate_image", 1_000_164_001, 0, "shadingRateImage"),
        ],
    ),
    (Capability::CooperativeMatrixNV, &[feature(c"VK_NV_cooperative_matrix", 1_000_249_000, 0, "cooperativeMatrix")]),
    (
        Capability::IntegerFunctions2INTEL,
        &[feature(c"VK_INTEL_shader_integer_functions2", 1_000_209_000, 0, "shaderIntegerFunctions2")],
    ),
    (Capability::ShaderSMBuiltinsNV, &[feature(c"VK_NV_shader_sm_builtins", 1_000_154_000, 0, "shaderSMBuiltins")]),
    (
        Capability::FragmentShadingRateKHR,
        &[
            feature(c"VK_KHR_fragment_shading_rate", 1_000_226_003, 0, "pipelineFragmentShadingRate"),
            feature(c"VK_KHR_fragment_shading_rate", 1_000_226_003, 1, "primitiveFragmentShadingRate"),
            feature(c"VK_KHR_fragment_shading_rate", 1_000_226_003, 2, "attachmentFragmentShadingRate"),
        ],
    ),
    (
        Capability::TextureSampleWeightedQCOM,
        &[feature(c"VK_QCOM_image_processing", 1_000_440_000, 0, "textureSampleWeighted")],
    ),
    (Capability::TextureBoxFilterQCOM, &[feature(c"VK_QCOM_image_processing", 1_000_440_000, 1, "textureBoxFilter")]),
    (Capability::TextureBlockMatchQCOM, &[feature(c"VK_QCOM_image_processing", 1_000_440_000, 2, "textureBlockMatch")]),
    (
        Capability::TextureBlockMatch2QCOM,
        &[feature(c"VK_QCOM_image_processing2", 1_000_518_000, 0, "textureBlockMatch2")],
    ),
    (Capability::CoreBuiltinsARM, &[feature(c"VK_ARM_shader_core_builtins", 1_000_497_000, 0, "shaderCoreBuiltins")]),
    (Capability::ShaderInvocationReorderNV, &[bare(c"VK_NV_ray_tracing_invocation_reorder")]),
    (
        Capability::RayTracingPositionFetchKHR,
        &[feature(c"VK_KHR_ray_tracing_position_fetch", 1_000_481_000, 0, "rayTracingPositionFetch")],
    ),
    (
        Capability::RayQueryPositionFetchKHR,
        &[feature(c"VK_KHR_ray_tracing_position_fetch", 1_000_481_000, 0, "rayTracingPositionFetch")],
    ),
    (
        Capability::TileImageColorReadAccessEXT,
        &[feature(c"VK_EXT_shader_tile_image", 1_000_395_000, 0, "shaderTileImageColorReadAccess")],
    ),
    (
        Capability::TileImageDepthReadAccessEXT,
        &[feature(c"VK_EXT_shader_tile_image", 1_000_395_000, 1, "shaderTileImageDepthReadAccess")],
    ),
    (
        Capability::TileImageStencilReadAccessEXT,
        &[feature(c"VK_EXT_shader_tile_image", 1_000_395_000, 2, "shaderTileImageStencilReadAccess")],
    ),
    (Capability::CooperativeMatrixKHR, &[feature(c"VK_KHR_cooperative_matrix", 1_000_506_000, 0, "cooperativeMatrix")]),
    (
        Capability::CooperativeMatrixConversionQCOM,
        &[feature(c"VK_QCOM_cooperative_matrix_conversion", 1_000_172_000, 0, "cooperativeMatrixConversion")],
    ),
    (Capability::ShaderEnqueueAMDX, &[feature(c"VK_AMDX_shader_enqueue", 1_000_134_000, 0, "shaderEnqueue")]),
    (
        Capability::GroupNonUniformRotateKHR,
        &[feature(c"VK_KHR_shader_subgroup_rotate", 1_000_416_000, 0, "shaderSubgroupRotate")],
    ),
    (Capability::ExpectAssumeKHR, &[feature(c"VK_KHR_shader_expect_assume", 1_000_544_000, 0, "shaderExpectAssume")]),
    (
        Capability::FloatControls2,
        &[feature(c"VK_KHR_shader_float_controls2", 1_000_528_000, 0, "shaderFloatControls2")],
    ),
    (Capability::QuadControlKHR, &[feature(c"VK_KHR_shader_quad_control", 1_000_235_000, 0, "shaderQuadControl")]),
    (Capability::BFloat16TypeKHR, &[feature(c"VK_KHR_shader_bfloat16", 1_000_141_000, 0, "shaderBFloat16Type")]),
    (
        Capability::BFloat16DotProductKHR,
        &[feature(c"VK_KHR_shader_bfloat16", 1_000_141_000, 1, "shaderBFloat16DotProduct")],
    ),
    (
        Capability::BFloat16CooperativeMatrixKHR,
        &[feature(c"VK_KHR_shader_bfloat16", 1_000_141_000, 2, "shaderBFloat16CooperativeMatrix")],
    ),
    (Capability::RawAccessChainsNV, &[feature(c"VK_NV_raw_access_chains", 1_000_555_000, 0, "shaderRawAccessChains")]),
    (
        Capability::ReplicatedCompositesEXT,
        &[feature(c"VK_EXT_shader_replicated_composites", 1_000_564_000, 0, "shaderReplicatedComposites")],
    ),
    (
        Capability::TensorAddressingNV,
        &[feature(c"VK_NV_cooperative_matrix2", 1_000_593_000, 5, "cooperativeMatrixTensorAddressing")],
    ),
    (
        Capability::CooperativeMatrixReductionsNV,
        &[feature(c"VK_NV_cooperative_matrix2", 1_000_593_000, 2, "cooperativeMatrixReductions")],
    ),
    (
        Capability::CooperativeMatrixConversionsNV,
        &[feature(c"VK_NV_cooperative_matrix2", 1_000_593_000, 3, "cooperativeMatrixConversions")],
    ),
    (
        Capability::CooperativeMatrixPerElementOperationsNV,
        &[feature(c"VK_NV_cooperative_matrix2", 1_000_593_000, 4, "cooperativeMatrixPerElementOperations")],
    ),
    (
        Capability::CooperativeMatrixTensorAddressingNV,
        &[feature(c"VK_NV_cooperative_matrix2", 1_000_593_000, 5, "cooperativeMatrixTensorAddressing")],
    ),
    (
        Capability::CooperativeMatrixBlockLoadsNV,
        &[feature(c"VK_NV_cooperative_matrix2", 1_000_593_000, 6, "cooperativeMatrixBlockLoads")],
    ),
    (
        Capability::RayTracingSpheresGeometryNV,
        &[feature(c"VK_NV_ray_tracing_linear_swept_spheres", 1_000_429_008, 0, "spheres")],
    ),
    (
        Capability::RayTracingLinearSweptSpheresGeometryNV,
        &[feature(c"VK_NV_ray_tracing_linear_swept_spheres", 1_000_429_008, 1, "linearSweptSpheres")],
    ),
    (
        Capability::RayTracingClusterAccelerationStructureNV,
        &[feature(c"VK_NV_cluster_acceleration_structure", 1_000_569_000, 0, "clusterAccelerationStructure")],
    ),
    (Capability::CooperativeVectorNV, &[feature(c"VK_NV_cooperative_vector", 1_000_491_000, 0, "cooperativeVector")]),
    (
        Capability::CooperativeVectorTrainingNV,
        &[feature(c"VK_NV_cooperative_vector", 1_000_491_000, 1, "cooperativeVectorTraining")],
    ),
    (Capability::PushConstantBanksNV, &[feature(c"VK_NV_push_constant_bank", 1_000_580_001, 0, "pushConstantBank")]),
    (Capability::ShaderInvocationReorderEXT, &[bare(c"VK_EXT_ray_tracing_invocation_reorder")]),
    // Also called SplitBarrierEXT.
    (Capability::SplitBarrierINTEL, &[feature(c"VK_EXT_shader_split_barrier", 1_000_305_000, 0, "shaderSplitBarrier")]),
    (Capability::TileShadingQCOM, &[feature(c"VK_QCOM_tile_shading", 1_000_309_000, 0, "tileShading")]),
    (Capability::TensorsARM, &[feature(c"VK_ARM_tensors", 1_000_460_009, 1, "shaderTensorAccess")]),
    (
        Capability::StorageTensorArrayDynamicIndexingARM,
        &[feature(c"VK_ARM_tensors", 1_000_460_009, 2, "shaderStorageTensorArrayDynamicIndexing")],
    ),
    (
        Capability::StorageTensorArrayNonUniformIndexingARM,
        &[feature(c"VK_ARM_tensors", 1_000_460_009, 3, "shaderStorageTensorArrayNonUniformIndexing")],
    ),
    (Capability::Float8EXT, &[feature(c"VK_EXT_shader_float8", 1_000_567_000, 0, "shaderFloat8")]),
    (
        Capability::Float8CooperativeMatrixEXT,
        &[feature(c"VK_EXT_shader_float8", 1_000_567_000, 1, "shaderFloat8CooperativeMatrix")],
    ),
    (Capability::GraphARM, &[feature(c"VK_ARM_data_graph", 1_000_507_006, 0, "dataGraph")]),
    (
        Capability::UntypedPointersKHR,
        &[feature(c"VK_KHR_shader_untyped_pointers", 1_000_387_000, 0, "shaderUntypedPointers")],
    ),
    (Capability::FMAKHR, FMA),
    (
        Capability::Shader64BitIndexingEXT,
        &[feature(c"VK_EXT_shader_64bit_indexing", 1_000_627_000, 0, "shader64BitIndexing")],
    ),
    (Capability::LongVectorEXT, &[feature(c"VK_EXT_shader_long_vector", 1_000_635_000, 0, "longVector")]),
    (Capability::DescriptorHeapEXT, &[feature(c"VK_EXT_descriptor_heap", 1_000_135_009, 0, "descriptorHeap")]),
];

/// Extensions that an extension depends on, beyond Vulkan 1.3.
const DEPENDENCIES: &[(&CStr, &[&CStr])] = &[
    (c"VK_EXT_shader_atomic_float2", &[c"VK_EXT_shader_atomic_float"]),
    (c"VK_KHR_ray_query", &[c"VK_KHR_acceleration_structure", c"VK_KHR_deferred_host_operations"]),
    (c"VK_KHR_ray_tracing_maintenance1", &[c"VK_KHR_acceleration_structure", c"VK_KHR_deferred_host_operations"]),
    (
        c"VK_NV_ray_tracing_motion_blur",
        &[c"VK_KHR_ray_tracing_pipeline", c"VK_KHR_acceleration_structure", c"VK_KHR_deferred_host_operations"],
    ),
    (c"VK_EXT_opacity_micromap", &[c"VK_KHR_acceleration_structure", c"VK_KHR_deferred_host_operations"]),
    (
        c"VK_KHR_opacity_micromap",
        &[
            c"VK_KHR_acceleration_structure",
            c"VK_KHR_deferred_host_operations",
            c"VK_KHR_device_address_commands",
            c"VK_KHR_extended_flags",
            c"VK_KHR_maintenance5",
        ],
    ),
    (c"VK_QCOM_image_processing2", &[c"VK_QCOM_image_processing"]),
    (
        c"VK_NV_ray_tracing_invocation_reorder",
        &[c"VK_KHR_ray_tracing_pipeline", c"VK_KHR_acceleration_structure", c"VK_KHR_deferred_host_operations"],
    ),
    (c"VK_KHR_ray_tracing_position_fetch", &[c"VK_KHR_acceleration_structure", c"VK_KHR_deferred_host_operations"]),
    (c"VK_QCOM_cooperative_matrix_conversion", &[c"VK_KHR_cooperative_matrix"]),
    (c"VK_AMDX_shader_enqueue", &[c"VK_KHR_maintenance5", c"VK_KHR_pipeline_library"]),
    (c"VK_KHR_shader_quad_control", &[c"VK_KHR_shader_maximal_reconvergence"]),
    (c"VK_NV_cooperative_matrix2", &[c"VK_KHR_cooperative_matrix"]),
    (
        c"VK_NV_ray_tracing_linear_swept_spheres",
        &[c"VK_KHR_ray_tracing_pipeline", c"VK_KHR_acceleration_structure", c"VK_KHR_deferred_host_operations"],
    ),
    (c"VK_NV_cluster_acceleration_structure", &[c"VK_KHR_acceleration_structure", c"VK_KHR_deferred_host_operations"]),
    (
        c"VK_EXT_ray_tracing_invocation_reorder",
        &[c"VK_KHR_ray_tracing_pipeline", c"VK_KHR_acceleration_structure", c"VK_KHR_deferred_host_operations"],
    ),
    (c"VK_QCOM_tile_shading", &[c"VK_QCOM_tile_properties"]),
    (c"VK_ARM_data_graph", &[c"VK_KHR_extended_flags", c"VK_KHR_maintenance5", c"VK_KHR_deferred_host_operations"]),
    (c"VK_EXT_descriptor_heap", &[c"VK_KHR_extended_flags", c"VK_KHR_maintenance5"]),
    (c"VK_KHR_pipeline_binary", &[c"VK_KHR_maintenance5"]),
];

/// What enables a capability; none for one that the registry does not list.
pub(super) fn enabling(capability: Capability) -> Option<&'static [Enabling]> {
    ENABLING.iter().find(|row| row.0 == capability).map(|row| row.1)
}

/// The extensions that an extension depends on.
pub(super) fn dependencies(extension: &CStr) -> &'static [&'static CStr] {
    DEPENDENCIES.iter().find(|row| row.0 == extension).map_or(&[], |row| row.1)
}

/// The most words of one of the structures.
const MOST_WORDS: usize = 16;

/// One of the structures, with room for the longest of them: a driver reads and writes its own words only.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Block {
    structure: vk::StructureType,
    next: *mut c_void,
    words: [Bool32; MOST_WORDS],
}

/// The structures, as a part of a chain.
#[derive(Debug, Clone, Default)]
pub(super) struct Blocks(Vec<Block>);

impl Blocks {
    /// Those that a device with these extensions knows, with all features off.
    pub fn known(has: impl Fn(&CStr) -> bool) -> Blocks {
        let mut blocks = Blocks::default();
        let all = ENABLING.iter().flat_map(|row| row.1).chain(ALTERNATIVES);
        for enabling in all.filter(|enabling| has(enabling.extension)) {
            if let Some(feature) = &enabling.feature {
                blocks.word(feature);
            }
        }
        blocks
    }

    /// Whether a feature is on.
    pub fn has(&self, feature: &Feature) -> bool {
        let block = self.0.iter().find(|block| block.structure.as_raw() == feature.structure);
        block.and_then(|block| block.words.get(feature.at)) == Some(&vk::TRUE)
    }

    /// Turns a feature on.
    pub fn turn_on(&mut self, feature: &Feature) {
        if let Some(word) = self.word(feature) {
            *word = vk::TRUE;
        }
    }

    /// The word of a feature, in a structure that is added where it is not there yet.
    fn word(&mut self, feature: &Feature) -> Option<&mut Bool32> {
        let structure = vk::StructureType::from_raw(feature.structure);
        let at = self.0.iter().position(|block| block.structure == structure).unwrap_or_else(|| {
            self.0.push(Block { structure, next: std::ptr::null_mut(), words: [vk::FALSE; MOST_WORDS] });
            self.0.len() - 1
        });
        self.0.get_mut(at)?.words.get_mut(feature.at)
    }

    /// Puts the structures in front of a chain. Returns its new first one.
    pub fn link(&mut self, first: *mut c_void) -> *mut c_void {
        self.0.iter_mut().fold(first, |next, block| {
            block.next = next;
            std::ptr::from_mut(block).cast()
        })
    }

    /// Forgets the chain.
    pub fn unlink(&mut self) {
        self.0.iter_mut().for_each(|block| block.next = std::ptr::null_mut());
    }
}

impl Offer {
    /// Takes what else keeps compiled code, as far as the device has it.
    pub(super) fn take_alternatives(&self, chosen: &mut Chosen) {
        for row in ALTERNATIVES {
            // One that is missing is no column.
            let _ = self.take_registered(std::slice::from_ref(row), NeededBy::from("a comparison"), chosen);
        }
    }

    /// Takes all of what enables a capability that the device has; names what is missing where that is none.
    pub(super) fn take_registered(
        &self,
        enabling: &[Enabling],
        needed_by: NeededBy,
        chosen: &mut Chosen,
    ) -> Result<(), GpuError> {
        let (there, missing): (Vec<&Enabling>, Vec<&Enabling>) = enabling
            .iter()
            .partition(|row| self.has(row.extension) && row.feature.is_none_or(|f| self.features.registered.has(&f)));
        if there.is_empty() {
            let feature = missing.iter().find(|row| self.has(row.extension)).and_then(|row| row.feature);
            let what = match feature {
                Some(feature) => format!("the feature {}", feature.name),
                None => {
                    let mut names: Vec<_> = missing.iter().map(|row| row.extension.to_string_lossy()).collect();
                    names.dedup();
                    format!("the extension {}", names.join(" or "))
                }
            };
            let feature = feature.map(|feature| feature.name.to_owned());
            return Err(GpuError::Lacks { device: self.name.clone(), what, feature, needed_by });
        }
        for row in there {
            let offered = dependencies(row.extension).iter().copied().filter(|name| self.has(name));
            offered.chain([row.extension]).for_each(|extension| chosen.extend(extension));
            if let Some(feature) = &row.feature {
                chosen.features.registered.turn_on(feature);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_inside_their_structures_and_each_capability_has_one_row() {
        let features = ENABLING.iter().flat_map(|row| row.1).filter_map(|enabling| enabling.feature);
        for feature in features {
            assert!(feature.at < MOST_WORDS && feature.structure > 1_000_000_000, "{feature:?}");
        }
        for (at, (capability, rows)) in ENABLING.iter().enumerate() {
            assert!(!rows.is_empty() && ENABLING[..at].iter().all(|row| row.0 != *capability), "{capability:?}");
            assert!(super::super::need(*capability).is_none(), "{capability:?} has two rows");
        }
    }

    /// The numbers of structures that this version of `ash` knows, and the places of their words.
    #[test]
    fn structures_are_those_of_the_bindings() {
        let words = |capability| enabling(capability).expect("a row").iter().filter_map(|row| row.feature);
        for (capability, structure) in [
            (Capability::RayQueryKHR, vk::StructureType::PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR),
            (Capability::FragmentShadingRateKHR, vk::StructureType::PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR),
            (Capability::CooperativeMatrixKHR, vk::StructureType::PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR),
            (
                Capability::GroupNonUniformRotateKHR,
                vk::StructureType::PHYSICAL_DEVICE_SHADER_SUBGROUP_ROTATE_FEATURES_KHR,
            ),
            (Capability::FloatControls2, vk::StructureType::PHYSICAL_DEVICE_SHADER_FLOAT_CONTROLS_2_FEATURES_KHR),
            (Capability::ExpectAssumeKHR, vk::StructureType::PHYSICAL_DEVICE_SHADER_EXPECT_ASSUME_FEATURES_KHR),
            (Capability::QuadControlKHR, vk::StructureType::PHYSICAL_DEVICE_SHADER_QUAD_CONTROL_FEATURES_KHR),
            (Capability::AtomicFloat32MinMaxEXT, vk::StructureType::PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT),
            (Capability::Int64ImageEXT, vk::StructureType::PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT),
            (Capability::AtomicFloat16AddEXT, vk::StructureType::PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT),
        ] {
            assert!(words(capability).all(|feature| feature.structure == structure.as_raw()), "{capability:?}");
        }
        let mut blocks = Blocks::default();
        words(Capability::AtomicFloat32MinMaxEXT).for_each(|feature| blocks.turn_on(&feature));
        let block = &blocks.0[0];
        let structure = vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT::default()
            .shader_buffer_float32_atomic_min_max(true)
            .shader_shared_float32_atomic_min_max(true)
            .shader_image_float32_atomic_min_max(true);
        let own = [
            structure.shader_buffer_float16_atomics,
            structure.shader_buffer_float16_atomic_add,
            structure.shader_buffer_float16_atomic_min_max,
            structure.shader_buffer_float32_atomic_min_max,
            structure.shader_buffer_float64_atomic_min_max,
            structure.shader_shared_float16_atomics,
            structure.shader_shared_float16_atomic_add,
            structure.shader_shared_float16_atomic_min_max,
            structure.shader_shared_float32_atomic_min_max,
            structure.shader_shared_float64_atomic_min_max,
            structure.shader_image_float32_atomic_min_max,
            structure.sparse_image_float32_atomic_min_max,
        ];
        assert_eq!((block.structure, &block.words[..12]), (structure.s_type, &own[..]));
    }

    #[test]
    fn chains_link_all_blocks_in_front() {
        let mut blocks = Blocks::known(|name| name == c"VK_KHR_ray_query" || name == c"VK_KHR_cooperative_matrix");
        assert_eq!(blocks.0.len(), 2);
        let mut end = vk::PhysicalDeviceVulkan11Features::default();
        let end: *mut c_void = std::ptr::from_mut(&mut end).cast();
        let first = blocks.link(end);
        let second: *mut c_void = std::ptr::from_mut(&mut blocks.0[0]).cast();
        assert_eq!(
            (first, blocks.0[1].next, blocks.0[0].next),
            (std::ptr::from_mut(&mut blocks.0[1]).cast(), second, end)
        );
        blocks.unlink();
        assert!(blocks.0.iter().all(|block| block.next.is_null()));
    }

    /// Capabilities of the grammar that `spirvcapabilities` does not list: OpenCL's, those of withdrawn extensions, and of
    /// extensions that are not Vulkan's.
    const ELSEWHERE: &str = "
        Addresses Linkage Kernel Vector16 Float16Buffer ImageBasic ImageReadWrite ImageMipmap Pipes Groups
        DeviceEnqueue LiteralSampler AtomicStorage ImageRect SampledRect GenericPointer SubgroupDispatch UniformDecoration
        NamedBarrier PipeStorage CooperativeMatrixLayoutsARM AtomicStorageOps RayQueryProvisionalKHR Float16ImageAMD
        Int4TypeINTEL Int4CooperativeMatrixINTEL ShaderStereoViewNV RayTracingProvisionalKHR DisplacementMicromapNV
        BindlessTextureNV RayTracingDisplacementMicromapNV SubgroupShuffleINTEL SubgroupBufferBlockIOINTEL
        SubgroupImageBlockIOINTEL SubgroupImageMediaBlockIOINTEL RoundToInfinityINTEL FloatingPointModeINTEL
        FunctionPointersINTEL IndirectReferencesINTEL AsmINTEL VectorComputeINTEL VectorAnyINTEL
        SubgroupAvcMotionEstimationINTEL SubgroupAvcMotionEstimationIntraINTEL
        SubgroupAvcMotionEstimationChromaINTEL VariableLengthArrayINTEL FunctionFloatControlINTEL
        FPGAMemoryAttributesALTERA FPFastMathModeINTEL ArbitraryPrecisionIntegersALTERA
        ArbitraryPrecisionFloatingPointALTERA UnstructuredLoopControlsINTEL FPGALoopControlsALTERA
        KernelAttributesINTEL FPGAKernelAttributesINTEL FPGAMemoryAccessesALTERA FPGAClusterAttributesALTERA
        LoopFuseALTERA FPGADSPControlALTERA MemoryAccessAliasingINTEL FPGAInvocationPipeliningAttributesALTERA
        FPGABufferLocationALTERA ArbitraryPrecisionFixedPointALTERA USMStorageClassesALTERA
        RuntimeAlignedAttributeALTERA IOPipesALTERA BlockingPipesALTERA FPGARegALTERA BitInstructions
        LongCompositesINTEL OptNoneEXT DebugInfoModuleINTEL BFloat16ConversionINTEL ArithmeticFenceEXT
        FPGAClusterAttributesV2ALTERA FPGAKernelAttributesv2INTEL TaskSequenceALTERA FPMaxErrorINTEL
        FPGALatencyControlALTERA FPGAArgumentInterfacesALTERA GlobalVariableHostAccessINTEL
        GlobalVariableFPGADecorationsALTERA SubgroupBufferPrefetchINTEL Subgroup2DBlockIOINTEL
        Subgroup2DBlockTransformINTEL Subgroup2DBlockTransposeINTEL SubgroupMatrixMultiplyAccumulateINTEL
        TernaryBitwiseFunctionINTEL UntypedVariableLengthArrayINTEL SpecConditionalINTEL FunctionVariantsINTEL
        GroupUniformArithmeticKHR TensorFloat32RoundingINTEL MaskedGatherScatterINTEL CacheControlsINTEL
        RegisterLimitsINTEL BindlessImagesINTEL";

    #[test]
    fn every_capability_of_the_grammar_has_a_row_or_is_not_listed() {
        let elsewhere: Vec<&str> = ELSEWHERE.split_whitespace().collect();
        let mut met = 0;
        for capability in (0..=u32::from(u16::MAX)).filter_map(Capability::from_u32) {
            let name = format!("{capability:?}");
            let is_elsewhere = elsewhere.contains(&name.as_str());
            let is_known = super::super::need(capability).is_some() || enabling(capability).is_some();
            assert!(is_known != is_elsewhere, "{name}");
            met += usize::from(is_elsewhere);
        }
        assert_eq!(met, elsewhere.len(), "each of them is in the grammar");
    }
}
