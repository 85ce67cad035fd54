//! Pipelines of a program's own shaders: their stages, and the state that they need.

use ash::vk;

use super::compute::{c_name, own_pipeline};
use super::fixed_function::FixedFunction;
use super::heaps::Heaps;
use super::memory::Owned;
use super::pipeline_binaries::{BinaryInfo, CAPTURE_DATA, Saved};
use super::resources::stage_flags;
use super::scene::{self, Slot};
use super::subpass::{InputAttachment, RenderPass};
use super::{Device, GpuError};
use lanescope_model::program::{Program, StageKind};
use lanescope_pipeline::VertexInput;
use lanescope_run::inputs::Viewport;
use lanescope_spirv::enums::{ExecutionMode, StorageClass};
use lanescope_spirv::shape::ScalarKind;
use lanescope_spirv::{EntryPoint, Module};

/// The stages of a graphics pipeline, in its order.
pub(crate) const GRAPHICS: [StageKind; 7] = [
    StageKind::Vertex,
    StageKind::TessControl,
    StageKind::TessEval,
    StageKind::Geometry,
    StageKind::Task,
    StageKind::Mesh,
    StageKind::Fragment,
];

/// A graphics program's stages.
#[derive(Clone)]
pub(crate) struct Stages<'p> {
    pub all: Vec<(StageKind, &'p Module, &'p EntryPoint)>,
}

impl<'p> Stages<'p> {
    /// The stages of a program; each has to be one of `known`.
    pub fn of(program: &'p Program, known: &[StageKind]) -> Result<Stages<'p>, GpuError> {
        let mut all = Vec::new();
        for stage in &program.stages {
            if !known.contains(&stage.stage) {
                let hint = match stage.stage {
                    StageKind::Task | StageKind::Mesh => " on devices; the device `interpreter` runs them",
                    _ => "",
                };
                return Err(GpuError::NotRun(format!("{} shaders are not supported{hint}", stage.stage)));
            }
            all.push(entry_of(program, stage)?);
        }
        Ok(Stages { all })
    }

    pub fn get(&self, kind: StageKind) -> Option<(&'p Module, &'p EntryPoint)> {
        self.all.iter().find(|(stage, ..)| *stage == kind).map(|(_, module, entry)| (*module, *entry))
    }

    pub fn entries(&self) -> Vec<(&'p Module, &'p EntryPoint)> {
        self.all.iter().map(|(_, module, entry)| (*module, *entry)).collect()
    }

    /// The vertex stage's attributes or the fragment stage's outputs, with components of one of these widths.
    pub fn slots(&self, kind: StageKind, class: StorageClass, bits: &[u32]) -> Result<Vec<Slot>, GpuError> {
        self.get(kind).map_or_else(|| Ok(Vec::new()), |(module, entry)| scene::slots(module, entry, class, bits))
    }

    /// What primitives the vertices make.
    pub fn topology(&self) -> vk::PrimitiveTopology {
        if self.get(StageKind::TessControl).is_some() {
            return vk::PrimitiveTopology::PATCH_LIST;
        }
        let Some((_, geometry)) = self.get(StageKind::Geometry) else {
            return vk::PrimitiveTopology::TRIANGLE_LIST;
        };
        let modes = [
            (ExecutionMode::InputPoints, vk::PrimitiveTopology::POINT_LIST),
            (ExecutionMode::InputLines, vk::PrimitiveTopology::LINE_LIST),
            (ExecutionMode::InputLinesAdjacency, vk::PrimitiveTopology::LINE_LIST_WITH_ADJACENCY),
            (ExecutionMode::InputTrianglesAdjacency, vk::PrimitiveTopology::TRIANGLE_LIST_WITH_ADJACENCY),
        ];
        let found = modes.into_iter().find(|(mode, _)| geometry.mode(*mode).is_some());
        found.map_or(vk::PrimitiveTopology::TRIANGLE_LIST, |(_, topology)| topology)
    }
}

/// A stage with its module and its entry point.
pub(crate) fn entry_of<'p>(
    program: &'p Program,
    stage: &lanescope_model::program::Stage,
) -> Result<(StageKind, &'p Module, &'p EntryPoint), GpuError> {
    let module = program.module_of(stage);
    let entry = module
        .entry_points()
        .get(stage.entry_index)
        .ok_or_else(|| GpuError::NotRun(format!("`{}` is not an entry point", stage.entry)))?;
    Ok((stage.stage, module, entry))
}

/// Everything that a graphics pipeline is made from, but for its layout.
#[derive(Clone, Copy)]
pub(crate) struct GraphicsState<'a> {
    pub stages: &'a Stages<'a>,
    pub attributes: &'a [Slot],
    /// Where a description says how vertices lie: with every attribute of the shader.
    pub input: Option<&'a VertexInput>,
    /// What primitives the vertices make, where neither a geometry nor a tessellation shader says it.
    pub topology: Option<vk::PrimitiveTopology>,
    pub patch_vertices: u32,
    pub samples: vk::SampleCountFlags,
    /// The colour attachments by location; undefined where a location has none.
    pub colors: &'a [Color],
    /// The attachments that the fragment shader reads, by index.
    pub inputs: &'a [InputAttachment],
    pub depth: vk::Format,
    pub stencil: vk::Format,
    pub fixed: FixedFunction,
    /// Width and height of the attachments.
    pub size: [u32; 2],
    /// The viewport, where it is not all of them.
    pub view: Option<Viewport>,
    /// Whether the highest index restarts strips and fans.
    pub restarts: bool,
    pub flags: vk::PipelineCreateFlags,
    /// The parts of a pipeline that are made; empty for all of it.
    pub parts: vk::GraphicsPipelineLibraryFlagsEXT,
}

/// A colour attachment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Color {
    pub format: vk::Format,
    pub blend: Blend,
    /// The channels that are written.
    pub mask: vk::ColorComponentFlags,
}

impl Color {
    /// A target whose channels are all written.
    pub fn plain(format: vk::Format, blend: Blend) -> Color {
        Color { format, blend, mask: vk::ColorComponentFlags::RGBA }
    }
}

/// How an output and the target's contents are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blend {
    /// The output replaces it.
    Off,
    /// By the output's alpha.
    Alpha,
    /// The output is added to it.
    Added,
    /// By the second output of the same location.
    Dual,
    /// As a description says.
    Given(lanescope_pipeline::Blend),
}

impl Blend {
    fn state(self, mask: vk::ColorComponentFlags) -> vk::PipelineColorBlendAttachmentState {
        let state = vk::PipelineColorBlendAttachmentState::default().color_write_mask(mask);
        let (source, target) = match self {
            Blend::Off => return state,
            Blend::Given(given) => {
                let factor = |factor: lanescope_pipeline::vulkan::BlendFactor| vk::BlendFactor::from_raw(factor.0);
                return state
                    .blend_enable(true)
                    .src_color_blend_factor(factor(given.color[0]))
                    .dst_color_blend_factor(factor(given.color[1]))
                    .color_blend_op(vk::BlendOp::from_raw(given.color_op.0))
                    .src_alpha_blend_factor(factor(given.alpha[0]))
                    .dst_alpha_blend_factor(factor(given.alpha[1]))
                    .alpha_blend_op(vk::BlendOp::from_raw(given.alpha_op.0));
            }
            Blend::Alpha => (vk::BlendFactor::SRC_ALPHA, vk::BlendFactor::ONE_MINUS_SRC_ALPHA),
            Blend::Added => (vk::BlendFactor::ONE, vk::BlendFactor::ONE),
            Blend::Dual => (vk::BlendFactor::ONE, vk::BlendFactor::SRC1_COLOR),
        };
        state
            .blend_enable(true)
            .src_color_blend_factor(source)
            .dst_color_blend_factor(target)
            .src_alpha_blend_factor(vk::BlendFactor::ONE)
            .dst_alpha_blend_factor(vk::BlendFactor::ZERO)
    }
}

/// The format of an attribute: as many components as are used, 64-bit ones as wide, others with 32 bits.
pub(crate) fn attribute_format(slot: &Slot) -> vk::Format {
    use vk::Format as F;
    let formats = match (slot.kind, slot.bits) {
        (ScalarKind::Float, 64) => [F::R64_SFLOAT, F::R64G64_SFLOAT, F::R64G64B64_SFLOAT, F::R64G64B64A64_SFLOAT],
        (ScalarKind::Int, 64) => [F::R64_SINT, F::R64G64_SINT, F::R64G64B64_SINT, F::R64G64B64A64_SINT],
        (ScalarKind::Uint, 64) => [F::R64_UINT, F::R64G64_UINT, F::R64G64B64_UINT, F::R64G64B64A64_UINT],
        (ScalarKind::Float, _) => [F::R32_SFLOAT, F::R32G32_SFLOAT, F::R32G32B32_SFLOAT, F::R32G32B32A32_SFLOAT],
        (ScalarKind::Int, _) => [F::R32_SINT, F::R32G32_SINT, F::R32G32B32_SINT, F::R32G32B32A32_SINT],
        (ScalarKind::Uint, _) => [F::R32_UINT, F::R32G32_UINT, F::R32G32B32_UINT, F::R32G32B32A32_UINT],
    };
    formats[(slot.components.clamp(1, 4) - 1) as usize]
}

/// Shader modules, destroyed once a pipeline is created from them.
pub(crate) struct Shaders<'v> {
    vk: &'v ash::Device,
    all: Vec<vk::ShaderModule>,
}

impl<'v> Shaders<'v> {
    /// No shader modules yet.
    pub(crate) fn new(vk: &'v ash::Device) -> Shaders<'v> {
        Shaders { vk, all: Vec::new() }
    }

    /// Makes a shader module. The words were put before SPIRV-Tools' validator.
    pub(crate) fn add(&mut self, module: &Module) -> Result<vk::ShaderModule, GpuError> {
        let create = vk::ShaderModuleCreateInfo::default().code(module.words());
        // SAFETY: the device is alive; the words live through the call and were validated.
        let shader = unsafe { self.vk.create_shader_module(&create, None) };
        let shader = shader.map_err(GpuError::call("vkCreateShaderModule"))?;
        self.all.push(shader);
        Ok(shader)
    }
}

impl Drop for Shaders<'_> {
    fn drop(&mut self) {
        for shader in &self.all {
            // SAFETY: destroyed once; pipelines do not need it any more.
            unsafe { self.vk.destroy_shader_module(*shader, None) }
        }
    }
}

/// The vertex input of a description.
fn described(
    input: &VertexInput,
) -> (Vec<vk::VertexInputBindingDescription>, Vec<vk::VertexInputAttributeDescription>) {
    let bindings = input.bindings.iter().map(|binding| {
        let rate = vk::VertexInputRate::from_raw(binding.rate.0);
        vk::VertexInputBindingDescription::default().binding(binding.binding).stride(binding.stride).input_rate(rate)
    });
    let attributes = input.attributes.iter().map(|attribute| {
        vk::VertexInputAttributeDescription::default()
            .location(attribute.location)
            .binding(attribute.binding)
            .format(vk::Format::from_raw(attribute.format.0))
            .offset(attribute.offset)
    });
    (bindings.collect(), attributes.collect())
}

/// Makes a graphics pipeline, or parts of one.
pub(crate) fn graphics<'d>(
    device: &'d Device,
    state: &GraphicsState<'_>,
    layout: vk::PipelineLayout,
) -> Result<Owned<'d, vk::Pipeline>, GpuError> {
    let pipeline = graphics_with(&device.handle, state, layout, vk::PipelineCache::null())?;
    Ok(own_pipeline(device, pipeline))
}

/// Creates the pipeline on any thread, through a pipeline cache. The caller destroys it.
pub(crate) fn graphics_with(
    vk: &ash::Device,
    state: &GraphicsState<'_>,
    layout: vk::PipelineLayout,
    cache: vk::PipelineCache,
) -> Result<vk::Pipeline, GpuError> {
    graphics_saved(vk, state, layout, cache, Saved::Not)
}

/// The same, with binaries of the pipeline: the cache is null then.
pub(crate) fn graphics_saved(
    vk: &ash::Device,
    state: &GraphicsState<'_>,
    layout: vk::PipelineLayout,
    cache: vk::PipelineCache,
    saved: Saved<'_>,
) -> Result<vk::Pipeline, GpuError> {
    let mut shaders = Shaders { vk, all: Vec::new() };
    let mut named = Vec::new();
    for (stage, module, entry) in &state.stages.all {
        named.push((stage_flags(Some(*stage)), shaders.add(module)?, c_name(entry)?));
    }
    let stages: Vec<_> = named
        .iter()
        .map(|(stage, module, name)| {
            vk::PipelineShaderStageCreateInfo::default().stage(*stage).module(*module).name(name)
        })
        .collect();
    // A device has some dozens of locations at most, which the caller checked.
    let mut stride = 0u32;
    let mut descriptions = Vec::new();
    for slot in state.attributes {
        let description = vk::VertexInputAttributeDescription::default().location(slot.location);
        descriptions.push(description.format(attribute_format(slot)).offset(stride));
        stride += slot.bytes().next_multiple_of(16);
    }
    let mut bindings = vec![vk::VertexInputBindingDescription::default().stride(stride)];
    if let Some(input) = state.input {
        (bindings, descriptions) = described(input);
    }
    let mut vertex_input = vk::PipelineVertexInputStateCreateInfo::default();
    if !state.attributes.is_empty() {
        vertex_input = vertex_input.vertex_binding_descriptions(&bindings).vertex_attribute_descriptions(&descriptions);
    }
    let by_shader = [StageKind::TessControl, StageKind::Geometry].into_iter().any(|s| state.stages.get(s).is_some());
    let topology = state.topology.filter(|_| !by_shader).unwrap_or_else(|| state.stages.topology());
    let assembly =
        vk::PipelineInputAssemblyStateCreateInfo::default().topology(topology).primitive_restart_enable(state.restarts);
    let tessellation = vk::PipelineTessellationStateCreateInfo::default().patch_control_points(state.patch_vertices);
    let [width, height] = state.size;
    let scissors = [vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width, height } }];
    let all = Viewport { at: [0.0; 2], size: [width as f32, height as f32], depth: [0.0, 1.0] };
    let Viewport { at: [x, y], size: [width, height], depth: [min_depth, max_depth] } = state.view.unwrap_or(all);
    let viewports = [vk::Viewport { x, y, width, height, min_depth, max_depth }];
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
    let fixed = &state.fixed;
    let mut mask = [0];
    let (rasterization, multisample) = (fixed.rasterization(), fixed.multisample(state.samples, &mut mask));
    // A part without outputs has no colours: the validation layer misses how they would be blended.
    let output = vk::GraphicsPipelineLibraryFlagsEXT::FRAGMENT_OUTPUT_INTERFACE;
    let colors = if state.parts.is_empty() || state.parts.contains(output) { state.colors } else { &[] };
    let formats: Vec<_> = colors.iter().map(|color| color.format).collect();
    let blends: Vec<_> = colors.iter().map(|color| color.blend.state(color.mask)).collect();
    let blend = fixed.blend(&blends);
    let depth_stencil = fixed.depth_stencil(state.stencil != vk::Format::UNDEFINED);
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .color_attachment_formats(&formats)
        .depth_attachment_format(state.depth)
        .stencil_attachment_format(state.stencil);
    let mut parts = vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(state.parts);
    let mut create = vk::GraphicsPipelineCreateInfo::default()
        .flags(state.flags)
        .stages(&stages)
        .viewport_state(&viewport)
        .rasterization_state(&rasterization)
        .multisample_state(&multisample)
        .color_blend_state(&blend)
        .layout(layout);
    let mut chain = Chain::of(state.stages.all.iter().map(|(_, module, _)| *module), state.flags, saved);
    create = create.layout(chain.layout.unwrap_or(layout));
    if let Some(flags) = &mut chain.flags {
        create = create.push_next(flags);
    }
    if let Some(binaries) = &mut chain.binaries {
        create = create.push_next(binaries);
    }
    let pass = RenderPass::of(vk, state)?;
    create = match &pass {
        Some(pass) => create.render_pass(pass.handle),
        None => create.push_next(&mut rendering),
    };
    if state.stages.get(StageKind::Vertex).is_some() {
        create = create.vertex_input_state(&vertex_input).input_assembly_state(&assembly);
    }
    if topology == vk::PrimitiveTopology::PATCH_LIST {
        create = create.tessellation_state(&tessellation);
    }
    // A part does not know whether there will be a depth attachment.
    if !state.parts.is_empty() || state.depth != vk::Format::UNDEFINED || state.stencil != vk::Format::UNDEFINED {
        create = create.depth_stencil_state(&depth_stencil);
    }
    if !state.parts.is_empty() {
        create = create.push_next(&mut parts);
    }
    // SAFETY: everything that `create` points to lives through the call; the features it needs are enabled.
    let made = unsafe { vk.create_graphics_pipelines(cache, &[create], None) };
    let pipelines = made.map_err(|(_, result)| GpuError::call("vkCreateGraphicsPipelines")(result))?;
    Ok(pipelines.first().copied().unwrap_or_default())
}

/// What the creation of a pipeline has beside its state: for descriptor heaps, and for binaries.
struct Chain {
    /// Replaces the layout.
    layout: Option<vk::PipelineLayout>,
    /// Flags of 64 bits, which replace the others, where some of them are not among the first 32.
    flags: Option<vk::PipelineCreateFlags2CreateInfoKHR<'static>>,
    binaries: Option<BinaryInfo>,
}

impl Chain {
    fn of<'m>(
        modules: impl IntoIterator<Item = &'m Module>,
        flags: vk::PipelineCreateFlags,
        saved: Saved<'_>,
    ) -> Chain {
        let heaps = Heaps::of(modules, flags);
        let own = heaps.as_ref().map(|heaps| heaps.flags.flags.as_raw());
        let captured = matches!(saved, Saved::Capture).then_some(CAPTURE_DATA | u64::from(flags.as_raw()));
        let all = own.into_iter().chain(captured).reduce(|a, b| a | b).map(vk::PipelineCreateFlags2KHR::from_raw);
        Chain {
            layout: heaps.map(|heaps| heaps.layout),
            flags: all.map(|flags| vk::PipelineCreateFlags2CreateInfoKHR::default().flags(flags)),
            binaries: saved.info(),
        }
    }
}

/// Links parts of a pipeline to one, as quickly as the driver can or with its optimiser. The caller destroys it.
pub(crate) fn link(
    vk: &ash::Device,
    parts: &[vk::Pipeline],
    layout: vk::PipelineLayout,
    optimise: bool,
    cache: vk::PipelineCache,
) -> Result<vk::Pipeline, GpuError> {
    let mut libraries = vk::PipelineLibraryCreateInfoKHR::default().libraries(parts);
    let flags = match optimise {
        true => vk::PipelineCreateFlags::LINK_TIME_OPTIMIZATION_EXT,
        false => vk::PipelineCreateFlags::empty(),
    };
    let create = vk::GraphicsPipelineCreateInfo::default().flags(flags).layout(layout).push_next(&mut libraries);
    // SAFETY: the parts are alive and were made with compatible layouts; the extension is enabled.
    let made = unsafe { vk.create_graphics_pipelines(cache, &[create], None) };
    let pipelines = made.map_err(|(_, result)| GpuError::call("vkCreateGraphicsPipelines")(result))?;
    Ok(pipelines.first().copied().unwrap_or_default())
}

/// The inputs of a compute pipeline apart from its shader and its layout.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ComputeState {
    pub flags: vk::PipelineCreateFlags,
    /// The subgroup size that is required; the driver's choice where absent.
    pub subgroup_size: Option<u32>,
}

/// Makes a compute pipeline.
pub(crate) fn compute<'d>(
    device: &'d Device,
    module: &Module,
    entry: &EntryPoint,
    state: ComputeState,
    layout: vk::PipelineLayout,
) -> Result<Owned<'d, vk::Pipeline>, GpuError> {
    let module = super::derivative_extension::for_device(device, module)?;
    let pipeline = compute_with(&device.handle, &module, entry, state, layout, vk::PipelineCache::null())?;
    Ok(own_pipeline(device, pipeline))
}

/// Creates the pipeline on any thread, through a pipeline cache. The caller destroys it.
pub(crate) fn compute_with(
    vk: &ash::Device,
    module: &Module,
    entry: &EntryPoint,
    state: ComputeState,
    layout: vk::PipelineLayout,
    cache: vk::PipelineCache,
) -> Result<vk::Pipeline, GpuError> {
    compute_saved(vk, (module, entry), state, layout, cache, Saved::Not)
}

/// The same, with binaries of the pipeline: the cache is null then.
pub(crate) fn compute_saved(
    vk: &ash::Device,
    (module, entry): (&Module, &EntryPoint),
    state: ComputeState,
    layout: vk::PipelineLayout,
    cache: vk::PipelineCache,
    saved: Saved<'_>,
) -> Result<vk::Pipeline, GpuError> {
    let mut shaders = Shaders { vk, all: Vec::new() };
    let shader = shaders.add(module)?;
    let name = c_name(entry)?;
    let mut size = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default();
    let mut stage =
        vk::PipelineShaderStageCreateInfo::default().stage(vk::ShaderStageFlags::COMPUTE).module(shader).name(&name);
    if let Some(required) = state.subgroup_size {
        size = size.required_subgroup_size(required);
        stage = stage.push_next(&mut size);
    }
    let mut create = vk::ComputePipelineCreateInfo::default().flags(state.flags).stage(stage).layout(layout);
    let mut chain = Chain::of([module], state.flags, saved);
    create = create.layout(chain.layout.unwrap_or(layout));
    if let Some(flags) = &mut chain.flags {
        create = create.push_next(flags);
    }
    if let Some(binaries) = &mut chain.binaries {
        create = create.push_next(binaries);
    }
    let create = [create];
    // SAFETY: module, name and layout live through the call; the features it needs are enabled.
    let made = unsafe { vk.create_compute_pipelines(cache, &create, None) };
    let pipelines = made.map_err(|(_, result)| GpuError::call("vkCreateComputePipelines")(result))?;
    Ok(pipelines.first().copied().unwrap_or_default())
}
