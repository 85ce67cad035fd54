//! What a module's capabilities require of a device, one row per capability, and what its instructions require in
//! addition.

mod chain;
mod modes;
mod needs;
mod offers;
mod rays;
mod registry;
mod uses;

use std::ffi::CStr;

use ash::vk;
use ash::vk::Bool32;

pub use self::needs::Needs;
pub use self::offers::{
    IsOffered, Named, OfferedCapabilities, OfferedCapability, Requirement, all_capabilities, is_known, not_run,
};
use super::resources::stage_flags;
use super::{GpuError, NeededBy};
use lanescope_model::program::StageKind;
use lanescope_spirv::enums::Capability;

/// The features that a run may turn on; the same structures ask a device and create it.
#[derive(Default)]
pub(super) struct Features {
    pub(super) core: vk::PhysicalDeviceFeatures,
    v11: vk::PhysicalDeviceVulkan11Features<'static>,
    v12: vk::PhysicalDeviceVulkan12Features<'static>,
    v13: vk::PhysicalDeviceVulkan13Features<'static>,
    /// The NV and the KHR extension share one structure.
    derivatives: vk::PhysicalDeviceComputeShaderDerivativesFeaturesNV<'static>,
    barycentric: vk::PhysicalDeviceFragmentShaderBarycentricFeaturesKHR<'static>,
    atomic_float: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT<'static>,
    clock: vk::PhysicalDeviceShaderClockFeaturesKHR<'static>,
    interlock: vk::PhysicalDeviceFragmentShaderInterlockFeaturesEXT<'static>,
    explicit_layout: vk::PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR<'static>,
    mesh: vk::PhysicalDeviceMeshShaderFeaturesEXT<'static>,
    mesh_nv: vk::PhysicalDeviceMeshShaderFeaturesNV<'static>,
    feedback: vk::PhysicalDeviceTransformFeedbackFeaturesEXT<'static>,
    executable: vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR<'static>,
    library: vk::PhysicalDeviceGraphicsPipelineLibraryFeaturesEXT<'static>,
    uniform_flow: vk::PhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR<'static>,
    reconvergence: vk::PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR<'static>,
    ray_tracing: vk::PhysicalDeviceRayTracingPipelineFeaturesKHR<'static>,
    acceleration: vk::PhysicalDeviceAccelerationStructureFeaturesKHR<'static>,
    /// Those of [`registry`].
    registered: registry::Blocks,
}

type Field = fn(&mut Features) -> &mut Bool32;

/// What one capability needs.
enum Need {
    /// Nothing beyond Vulkan 1.3.
    Nothing,
    /// A feature, by its name in Vulkan's structures.
    Feature(&'static str, Field),
    /// A feature, or Vulkan 1.3 with formats that have it: a compilation chooses no format.
    Formats(&'static str, Field),
    /// A feature of an extension; each of the named extensions brings it.
    Extension(&'static str, Field, &'static [&'static CStr]),
    /// One of some features, of an extension where any is named. Which one an instruction needs, it says itself: see
    /// [`uses`].
    AnyOf(&'static [(&'static str, Field)], &'static [&'static CStr]),
    /// A row of [`registry`].
    Registered(&'static registry::Enabling),
    /// An extension without a feature.
    Bare(&'static [&'static CStr]),
    /// A group of subgroup operations.
    Subgroup(vk::SubgroupFeatureFlags),
    /// Subgroup operations in a stage.
    SubgroupStage(StageKind),
    /// Subgroup operations of quads in a stage.
    QuadStage(StageKind),
    /// A float control, which some width must have.
    FloatControl(fn(&vk::PhysicalDeviceFloatControlsProperties<'_>) -> [Bool32; 3]),
}

macro_rules! feature {
    ($part:ident . $field:ident, $name:literal) => {
        Need::Feature($name, |f| &mut f.$part.$field)
    };
}

macro_rules! extension {
    ($part:ident . $field:ident, $name:literal, $($extension:literal),+) => {
        Need::Extension($name, |f| &mut f.$part.$field, &[$($extension),+])
    };
}

const DERIVATIVES: [&CStr; 2] = [c"VK_KHR_compute_shader_derivatives", c"VK_NV_compute_shader_derivatives"];

/// What enables RayTraversalPrimitiveCullingKHR in ray tracing pipelines.
fn culling_in_pipelines() -> Need {
    extension!(
        ray_tracing.ray_traversal_primitive_culling,
        "rayTraversalPrimitiveCulling",
        c"VK_KHR_ray_tracing_pipeline"
    )
}

/// The Vulkan version that has a capability which needs nothing else.
fn core_version(capability: Capability) -> &'static str {
    match capability {
        Capability::DeviceGroup => "1.1",
        Capability::ShaderNonUniform => "1.2",
        _ => "1.0",
    }
}

/// The row of a capability; none for one that is only compiled, or that needs nothing but what [`registry`] lists.
///
/// Source: Vulkan specification, appendix 'Vulkan Environment for SPIR-V', table of capabilities.
fn need(capability: Capability) -> Option<Need> {
    use Capability as C;
    Some(match capability {
        C::Matrix | C::Shader | C::Sampled1D | C::Image1D | C::SampledBuffer | C::ImageBuffer | C::ImageQuery => {
            Need::Nothing
        }
        C::DerivativeControl | C::InputAttachment => Need::Nothing,
        // Part of Vulkan 1.2: what is indexed has a feature each.
        C::ShaderNonUniform => Need::Nothing,
        // Part of Vulkan 1.1.
        C::DeviceGroup => Need::Nothing,
        // Each format says whether images may have it.
        C::StorageImageExtendedFormats => Need::Nothing,
        C::Geometry => feature!(core.geometry_shader, "geometryShader"),
        C::Tessellation => feature!(core.tessellation_shader, "tessellationShader"),
        C::TessellationPointSize | C::GeometryPointSize => {
            feature!(core.shader_tessellation_and_geometry_point_size, "shaderTessellationAndGeometryPointSize")
        }
        C::Float16 => feature!(v12.shader_float16, "shaderFloat16"),
        C::Float64 => feature!(core.shader_float64, "shaderFloat64"),
        C::Int64 => feature!(core.shader_int64, "shaderInt64"),
        C::Int16 => feature!(core.shader_int16, "shaderInt16"),
        C::Int8 => feature!(v12.shader_int8, "shaderInt8"),
        C::Int64Atomics => Need::AnyOf(uses::INT64_ATOMICS, &[]),
        C::ImageGatherExtended => feature!(core.shader_image_gather_extended, "shaderImageGatherExtended"),
        C::StorageImageMultisample | C::ImageMSArray => {
            feature!(core.shader_storage_image_multisample, "shaderStorageImageMultisample")
        }
        C::UniformBufferArrayDynamicIndexing => {
            feature!(core.shader_uniform_buffer_array_dynamic_indexing, "shaderUniformBufferArrayDynamicIndexing")
        }
        C::SampledImageArrayDynamicIndexing => {
            feature!(core.shader_sampled_image_array_dynamic_indexing, "shaderSampledImageArrayDynamicIndexing")
        }
        C::StorageBufferArrayDynamicIndexing => {
            feature!(core.shader_storage_buffer_array_dynamic_indexing, "shaderStorageBufferArrayDynamicIndexing")
        }
        C::StorageImageArrayDynamicIndexing => {
            feature!(core.shader_storage_image_array_dynamic_indexing, "shaderStorageImageArrayDynamicIndexing")
        }
        C::ClipDistance => feature!(core.shader_clip_distance, "shaderClipDistance"),
        C::CullDistance => feature!(core.shader_cull_distance, "shaderCullDistance"),
        C::ImageCubeArray | C::SampledCubeArray => feature!(core.image_cube_array, "imageCubeArray"),
        C::SampleRateShading | C::InterpolationFunction => feature!(core.sample_rate_shading, "sampleRateShading"),
        C::SparseResidency => feature!(core.shader_resource_residency, "shaderResourceResidency"),
        C::MinLod => feature!(core.shader_resource_min_lod, "shaderResourceMinLod"),
        // Vulkan 1.3 takes these two where a format's own features have them; a run uses formats for which only the
        // device's feature says so.
        C::StorageImageReadWithoutFormat => Need::Formats("shaderStorageImageReadWithoutFormat", |f| {
            &mut f.core.shader_storage_image_read_without_format
        }),
        C::StorageImageWriteWithoutFormat => Need::Formats("shaderStorageImageWriteWithoutFormat", |f| {
            &mut f.core.shader_storage_image_write_without_format
        }),
        C::MultiViewport => feature!(core.multi_viewport, "multiViewport"),
        C::ShaderLayer => feature!(v12.shader_output_layer, "shaderOutputLayer"),
        C::ShaderViewportIndex => feature!(v12.shader_output_viewport_index, "shaderOutputViewportIndex"),
        C::ShaderViewportIndexLayerEXT => {
            Need::Bare(&[c"VK_EXT_shader_viewport_index_layer", c"VK_NV_viewport_array2"])
        }
        C::DrawParameters => feature!(v11.shader_draw_parameters, "shaderDrawParameters"),
        C::MultiView => feature!(v11.multiview, "multiview"),
        C::VariablePointersStorageBuffer => {
            feature!(v11.variable_pointers_storage_buffer, "variablePointersStorageBuffer")
        }
        C::VariablePointers => feature!(v11.variable_pointers, "variablePointers"),
        C::StorageBuffer16BitAccess => feature!(v11.storage_buffer16_bit_access, "storageBuffer16BitAccess"),
        C::UniformAndStorageBuffer16BitAccess => {
            feature!(v11.uniform_and_storage_buffer16_bit_access, "uniformAndStorageBuffer16BitAccess")
        }
        C::StoragePushConstant16 => feature!(v11.storage_push_constant16, "storagePushConstant16"),
        C::StorageInputOutput16 => feature!(v11.storage_input_output16, "storageInputOutput16"),
        C::StorageBuffer8BitAccess => feature!(v12.storage_buffer8_bit_access, "storageBuffer8BitAccess"),
        C::UniformAndStorageBuffer8BitAccess => {
            feature!(v12.uniform_and_storage_buffer8_bit_access, "uniformAndStorageBuffer8BitAccess")
        }
        C::StoragePushConstant8 => feature!(v12.storage_push_constant8, "storagePushConstant8"),
        C::RuntimeDescriptorArray => feature!(v12.runtime_descriptor_array, "runtimeDescriptorArray"),
        C::UniformTexelBufferArrayDynamicIndexing => feature!(
            v12.shader_uniform_texel_buffer_array_dynamic_indexing,
            "shaderUniformTexelBufferArrayDynamicIndexing"
        ),
        C::StorageTexelBufferArrayDynamicIndexing => feature!(
            v12.shader_storage_texel_buffer_array_dynamic_indexing,
            "shaderStorageTexelBufferArrayDynamicIndexing"
        ),
        C::UniformBufferArrayNonUniformIndexing => {
            feature!(v12.shader_uniform_buffer_array_non_uniform_indexing, "shaderUniformBufferArrayNonUniformIndexing")
        }
        C::SampledImageArrayNonUniformIndexing => {
            feature!(v12.shader_sampled_image_array_non_uniform_indexing, "shaderSampledImageArrayNonUniformIndexing")
        }
        C::StorageBufferArrayNonUniformIndexing => {
            feature!(v12.shader_storage_buffer_array_non_uniform_indexing, "shaderStorageBufferArrayNonUniformIndexing")
        }
        C::StorageImageArrayNonUniformIndexing => {
            feature!(v12.shader_storage_image_array_non_uniform_indexing, "shaderStorageImageArrayNonUniformIndexing")
        }
        C::UniformTexelBufferArrayNonUniformIndexing => feature!(
            v12.shader_uniform_texel_buffer_array_non_uniform_indexing,
            "shaderUniformTexelBufferArrayNonUniformIndexing"
        ),
        C::StorageTexelBufferArrayNonUniformIndexing => feature!(
            v12.shader_storage_texel_buffer_array_non_uniform_indexing,
            "shaderStorageTexelBufferArrayNonUniformIndexing"
        ),
        C::InputAttachmentArrayDynamicIndexing => {
            feature!(v12.shader_input_attachment_array_dynamic_indexing, "shaderInputAttachmentArrayDynamicIndexing")
        }
        C::InputAttachmentArrayNonUniformIndexing => feature!(
            v12.shader_input_attachment_array_non_uniform_indexing,
            "shaderInputAttachmentArrayNonUniformIndexing"
        ),
        C::PhysicalStorageBufferAddresses => feature!(v12.buffer_device_address, "bufferDeviceAddress"),
        C::VulkanMemoryModel => feature!(v12.vulkan_memory_model, "vulkanMemoryModel"),
        C::VulkanMemoryModelDeviceScope => {
            feature!(v12.vulkan_memory_model_device_scope, "vulkanMemoryModelDeviceScope")
        }
        C::DemoteToHelperInvocation => {
            feature!(v13.shader_demote_to_helper_invocation, "shaderDemoteToHelperInvocation")
        }
        C::DotProduct | C::DotProductInputAll | C::DotProductInput4x8Bit | C::DotProductInput4x8BitPacked => {
            feature!(v13.shader_integer_dot_product, "shaderIntegerDotProduct")
        }
        C::GroupNonUniform => Need::Subgroup(vk::SubgroupFeatureFlags::BASIC),
        C::GroupNonUniformVote => Need::Subgroup(vk::SubgroupFeatureFlags::VOTE),
        C::GroupNonUniformArithmetic => Need::Subgroup(vk::SubgroupFeatureFlags::ARITHMETIC),
        C::GroupNonUniformBallot => Need::Subgroup(vk::SubgroupFeatureFlags::BALLOT),
        C::GroupNonUniformShuffle => Need::Subgroup(vk::SubgroupFeatureFlags::SHUFFLE),
        C::GroupNonUniformShuffleRelative => Need::Subgroup(vk::SubgroupFeatureFlags::SHUFFLE_RELATIVE),
        C::GroupNonUniformClustered => Need::Subgroup(vk::SubgroupFeatureFlags::CLUSTERED),
        C::GroupNonUniformQuad => Need::Subgroup(vk::SubgroupFeatureFlags::QUAD),
        C::SubgroupBallotKHR => Need::Bare(&[c"VK_EXT_shader_subgroup_ballot"]),
        C::SubgroupVoteKHR => Need::Bare(&[c"VK_EXT_shader_subgroup_vote"]),
        C::StencilExportEXT => Need::Bare(&[c"VK_EXT_shader_stencil_export"]),
        C::SampleMaskPostDepthCoverage => Need::Bare(&[c"VK_EXT_post_depth_coverage"]),
        C::ComputeDerivativeGroupQuadsKHR => Need::Extension(
            "computeDerivativeGroupQuads",
            |f| &mut f.derivatives.compute_derivative_group_quads,
            &DERIVATIVES,
        ),
        C::ComputeDerivativeGroupLinearKHR => Need::Extension(
            "computeDerivativeGroupLinear",
            |f| &mut f.derivatives.compute_derivative_group_linear,
            &DERIVATIVES,
        ),
        C::FragmentBarycentricKHR => extension!(
            barycentric.fragment_shader_barycentric,
            "fragmentShaderBarycentric",
            c"VK_KHR_fragment_shader_barycentric"
        ),
        C::AtomicFloat32AddEXT => Need::AnyOf(uses::FLOAT32_ADDS, uses::ATOMIC_FLOAT),
        C::AtomicFloat64AddEXT => Need::AnyOf(uses::FLOAT64_ADDS, uses::ATOMIC_FLOAT),
        C::ShaderClockKHR => Need::AnyOf(uses::CLOCKS, uses::CLOCK),
        C::FragmentShaderPixelInterlockEXT => extension!(
            interlock.fragment_shader_pixel_interlock,
            "fragmentShaderPixelInterlock",
            c"VK_EXT_fragment_shader_interlock"
        ),
        C::FragmentShaderSampleInterlockEXT => extension!(
            interlock.fragment_shader_sample_interlock,
            "fragmentShaderSampleInterlock",
            c"VK_EXT_fragment_shader_interlock"
        ),
        C::MeshShadingEXT => extension!(mesh.mesh_shader, "meshShader", c"VK_EXT_mesh_shader"),
        C::MeshShadingNV => extension!(mesh_nv.mesh_shader, "meshShader", c"VK_NV_mesh_shader"),
        C::RayTracingKHR => {
            extension!(ray_tracing.ray_tracing_pipeline, "rayTracingPipeline", c"VK_KHR_ray_tracing_pipeline")
        }
        C::TransformFeedback => {
            extension!(feedback.transform_feedback, "transformFeedback", c"VK_EXT_transform_feedback")
        }
        C::GeometryStreams => extension!(feedback.geometry_streams, "geometryStreams", c"VK_EXT_transform_feedback"),
        C::WorkgroupMemoryExplicitLayoutKHR => extension!(
            explicit_layout.workgroup_memory_explicit_layout,
            "workgroupMemoryExplicitLayout",
            c"VK_KHR_workgroup_memory_explicit_layout"
        ),
        C::WorkgroupMemoryExplicitLayout8BitAccessKHR => extension!(
            explicit_layout.workgroup_memory_explicit_layout8_bit_access,
            "workgroupMemoryExplicitLayout8BitAccess",
            c"VK_KHR_workgroup_memory_explicit_layout"
        ),
        C::WorkgroupMemoryExplicitLayout16BitAccessKHR => extension!(
            explicit_layout.workgroup_memory_explicit_layout16_bit_access,
            "workgroupMemoryExplicitLayout16BitAccess",
            c"VK_KHR_workgroup_memory_explicit_layout"
        ),
        C::FragmentShaderShadingRateInterlockEXT => extension!(
            interlock.fragment_shader_shading_rate_interlock,
            "fragmentShaderShadingRateInterlock",
            c"VK_EXT_fragment_shader_interlock"
        ),
        C::DenormPreserve => Need::FloatControl(|p| {
            [p.shader_denorm_preserve_float16, p.shader_denorm_preserve_float32, p.shader_denorm_preserve_float64]
        }),
        C::DenormFlushToZero => Need::FloatControl(|p| {
            [
                p.shader_denorm_flush_to_zero_float16,
                p.shader_denorm_flush_to_zero_float32,
                p.shader_denorm_flush_to_zero_float64,
            ]
        }),
        C::SignedZeroInfNanPreserve => Need::FloatControl(|p| {
            [
                p.shader_signed_zero_inf_nan_preserve_float16,
                p.shader_signed_zero_inf_nan_preserve_float32,
                p.shader_signed_zero_inf_nan_preserve_float64,
            ]
        }),
        C::RoundingModeRTE => Need::FloatControl(|p| {
            [p.shader_rounding_mode_rte_float16, p.shader_rounding_mode_rte_float32, p.shader_rounding_mode_rte_float64]
        }),
        C::RoundingModeRTZ => Need::FloatControl(|p| {
            [p.shader_rounding_mode_rtz_float16, p.shader_rounding_mode_rtz_float32, p.shader_rounding_mode_rtz_float64]
        }),
        _ => return None,
    })
}

/// Capabilities of [`registry`] that a run takes, since they need nothing but a feature: no state of a pipeline, no
/// resource of another kind.
const RUN: &[Capability] = &[
    Capability::AtomicFloat16AddEXT,
    Capability::AtomicFloat16MinMaxEXT,
    Capability::AtomicFloat32MinMaxEXT,
    Capability::AtomicFloat64MinMaxEXT,
    Capability::BFloat16DotProductKHR,
    Capability::BFloat16TypeKHR,
    Capability::ExpectAssumeKHR,
    Capability::FMAKHR,
    Capability::Float8EXT,
    Capability::FloatControls2,
    Capability::GroupNonUniformPartitionedEXT,
    Capability::GroupNonUniformRotateKHR,
    Capability::Int64ImageEXT,
    Capability::QuadControlKHR,
    Capability::ReplicatedCompositesEXT,
];

/// What a run turns on where the device has it: bounds on stray indices, and what modules may use without a capability.
const OPTIONAL: &[Field] = &[
    |f| &mut f.core.robust_buffer_access,
    |f| &mut f.core.shader_storage_image_extended_formats,
    |f| &mut f.v12.sampler_mirror_clamp_to_edge,
    |f| &mut f.v12.scalar_block_layout,
    |f| &mut f.v12.uniform_buffer_standard_layout,
    |f| &mut f.v12.shader_subgroup_extended_types,
    |f| &mut f.v12.shader_buffer_int64_atomics,
    |f| &mut f.v13.maintenance4,
    |f| &mut f.v13.shader_terminate_invocation,
    |f| &mut f.v13.shader_zero_initialize_workgroup_memory,
    |f| &mut f.v13.subgroup_size_control,
    |f| &mut f.v13.compute_full_subgroups,
];

/// What a compilation or a run of linked libraries turns on where it is there: the compiler's words, and stages apart.
const OPTIONAL_FOR_COMPILING: &[(Field, &[&CStr])] = &[
    (|f| &mut f.executable.pipeline_executable_info, &[c"VK_KHR_pipeline_executable_properties"]),
    (|f| &mut f.library.graphics_pipeline_library, &[c"VK_KHR_pipeline_library", c"VK_EXT_graphics_pipeline_library"]),
];

/// What a device has, as far as [`Needs`] may ask.
pub(super) struct Offer {
    pub name: String,
    pub extensions: Vec<vk::ExtensionProperties>,
    pub features: Features,
    pub subgroup: vk::SubgroupFeatureFlags,
    /// The stages that have subgroup operations, and whether all of them have those of quads.
    pub subgroup_stages: vk::ShaderStageFlags,
    pub quads_in_all_stages: bool,
    pub float_controls: vk::PhysicalDeviceFloatControlsProperties<'static>,
}

/// The features and extensions to turn on.
pub(super) struct Chosen {
    pub features: Features,
    pub extensions: Vec<&'static CStr>,
}

impl Chosen {
    fn extend(&mut self, extension: &'static CStr) {
        if !self.extensions.contains(&extension) {
            self.extensions.push(extension);
        }
    }
}

impl Offer {
    fn has(&self, name: &CStr) -> bool {
        self.extensions.iter().any(|e| e.extension_name_as_c_str() == Ok(name))
    }

    /// Chooses what a run needs, and no more; names the first missing one.
    pub fn choose(&mut self, needs: &Needs) -> Result<Chosen, GpuError> {
        let mut chosen = Chosen { features: Features::default(), extensions: Vec::new() };
        if let Some(number) = needs.unknown.first().filter(|_| !needs.compiling) {
            let what = format!("the module declares the unknown capability {number}");
            return Err(GpuError::Unsupported(what));
        }
        for &capability in &needs.capabilities {
            self.take_capability(capability, needs, &mut chosen)?;
        }
        for capability in [Capability::RayTracingKHR, Capability::RayQueryKHR] {
            if needs.capabilities.contains(&capability) {
                self.take_rays(capability, &mut chosen)?;
            }
        }
        for &mode in &needs.modes {
            match modes::need(mode) {
                Ok((need, needed_by)) => self.take(&need, needed_by, &mut chosen)?,
                // The driver decides: see [`Needs::handed_on`].
                Err(_) if needs.compiling => {}
                Err(error) => return Err(error),
            }
        }
        for used in &needs.uses {
            let (need, needed_by) = used.need();
            self.take(&need, needed_by.into(), &mut chosen)?;
        }
        if needs.graphics {
            for (field, what) in [
                (feature!(v13.dynamic_rendering, "dynamicRendering"), "drawing"),
                (feature!(v13.synchronization2, "synchronization2"), "drawing"),
            ] {
                self.take(&field, what.into(), &mut chosen)?;
            }
        }
        if needs.vertex_stores {
            let need = feature!(core.vertex_pipeline_stores_and_atomics, "vertexPipelineStoresAndAtomics");
            self.take(&need, "a vertex shader that writes to a descriptor".into(), &mut chosen)?;
        }
        if needs.fragment_stores {
            let need = feature!(core.fragment_stores_and_atomics, "fragmentStoresAndAtomics");
            self.take(&need, "a fragment shader that writes to a descriptor".into(), &mut chosen)?;
        }
        if needs.dual_source {
            let need = feature!(core.dual_src_blend, "dualSrcBlend");
            self.take(&need, "a fragment shader with two outputs for one attachment".into(), &mut chosen)?;
        }
        for (name, extensions) in &needs.extensions {
            self.take(&Need::Bare(extensions), (*name).into(), &mut chosen)?;
        }
        if needs.tasks && needs.capabilities.contains(&Capability::MeshShadingEXT) {
            let need = extension!(mesh.task_shader, "taskShader", c"VK_EXT_mesh_shader");
            self.take(&need, "a task shader".into(), &mut chosen)?;
        }
        if needs.tasks && needs.capabilities.contains(&Capability::MeshShadingNV) {
            let need = extension!(mesh_nv.task_shader, "taskShader", c"VK_NV_mesh_shader");
            self.take(&need, "a task shader".into(), &mut chosen)?;
        }
        for field in OPTIONAL {
            *field(&mut chosen.features) = *field(&mut self.features);
        }
        if needs.described {
            super::fixed_function::turn_on(self.features.core, &mut chosen.features.core);
        }
        if needs.compiling {
            chosen.features.core.robust_buffer_access = vk::FALSE;
        }
        if needs.compiling || needs.libraries {
            for (field, extensions) in OPTIONAL_FOR_COMPILING {
                if *field(&mut self.features) == vk::TRUE && extensions.iter().all(|name| self.has(name)) {
                    *field(&mut chosen.features) = vk::TRUE;
                    extensions.iter().for_each(|extension| chosen.extend(extension));
                }
            }
        }
        if needs.alternatives {
            self.take_alternatives(&mut chosen);
        }
        Ok(chosen)
    }

    /// Takes what a capability needs. Compiling takes all that the registry lists, a run what needs nothing more.
    fn take_capability(&mut self, capability: Capability, needs: &Needs, chosen: &mut Chosen) -> Result<(), GpuError> {
        let needed_by = || NeededBy::Capability(format!("{capability:?}"));
        let of_pipelines = capability == Capability::RayTraversalPrimitiveCullingKHR
            && needs.capabilities.contains(&Capability::RayTracingKHR);
        let own = match need(capability) {
            None if of_pipelines => Some(culling_in_pipelines()),
            own => own,
        };
        match own {
            Some(Need::Formats(_, field)) if needs.compiling => {
                *field(&mut chosen.features) = *field(&mut self.features);
                return Ok(());
            }
            Some(need) => return self.take(&need, needed_by(), chosen),
            None => {}
        }
        if !needs.compiling && !RUN.contains(&capability) {
            return Err(GpuError::Unsupported(format!("modules with capability {capability:?} cannot be run")));
        }
        match registry::enabling(capability) {
            Some(enabling) => self.take_registered(enabling, needed_by(), chosen),
            // The driver decides: see [`Needs::handed_on`].
            None => Ok(()),
        }
    }

    fn take(&mut self, need: &Need, needed_by: NeededBy, chosen: &mut Chosen) -> Result<(), GpuError> {
        let lack = |device: &str, what: String, feature: Option<String>| {
            Err(GpuError::Lacks { device: device.to_owned(), what, feature, needed_by: needed_by.clone() })
        };
        let lacks = |device: &str, what: String| lack(device, what, None);
        let lacks_feature =
            |device: &str, name: &str| lack(device, format!("the feature {name}"), Some(name.to_owned()));
        let names = |extensions: &[&CStr]| {
            let names: Vec<_> = extensions.iter().map(|name| name.to_string_lossy()).collect();
            names.join(" or ")
        };
        match need {
            Need::Nothing => {}
            Need::Feature(name, field) | Need::Formats(name, field) => {
                if *field(&mut self.features) == vk::FALSE {
                    return lacks_feature(&self.name, name);
                }
                *field(&mut chosen.features) = vk::TRUE;
            }
            Need::AnyOf(features, extensions) => {
                let there = features.iter().find(|(_, field)| *field(&mut self.features) == vk::TRUE);
                let Some((name, field)) = there.or(features.first()) else { return Ok(()) };
                let need = match extensions {
                    [] => Need::Feature(name, *field),
                    extensions => Need::Extension(name, *field, extensions),
                };
                return self.take(&need, needed_by, chosen);
            }
            Need::Extension(name, field, extensions) => {
                // All that are available: which of them a module is bound to depends on the SPIR-V extension that it
                // names.
                let there: Vec<_> = extensions.iter().copied().filter(|name| self.has(name)).collect();
                if there.is_empty() {
                    return lacks(&self.name, format!("the extension {}", names(extensions)));
                }
                if *field(&mut self.features) == vk::FALSE {
                    return lacks_feature(&self.name, name);
                }
                *field(&mut chosen.features) = vk::TRUE;
                there.into_iter().for_each(|extension| chosen.extend(extension));
            }
            Need::Registered(row) => {
                return self.take_registered(std::slice::from_ref(*row), needed_by, chosen);
            }
            Need::Bare(extensions) => {
                let Some(extension) = extensions.iter().copied().find(|name| self.has(name)) else {
                    return lacks(&self.name, format!("the extension {}", names(extensions)));
                };
                chosen.extend(extension);
            }
            Need::Subgroup(flags) => {
                if !self.subgroup.contains(*flags) {
                    return lacks(&self.name, format!("subgroup operations {flags:?}"));
                }
            }
            Need::SubgroupStage(stage) => {
                if !self.subgroup_stages.contains(stage_flags(Some(*stage))) {
                    return lacks(&self.name, format!("subgroup operations in {} shaders", stage.name()));
                }
            }
            Need::QuadStage(stage) => {
                let always = matches!(stage, StageKind::Fragment | StageKind::Compute);
                if !always && !self.quads_in_all_stages {
                    return lacks(&self.name, format!("quad subgroup operations in {} shaders", stage.name()));
                }
            }
            Need::FloatControl(widths) => {
                if !widths(&self.float_controls).contains(&vk::TRUE) {
                    return lacks(&self.name, "this float control at any width".to_owned());
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
