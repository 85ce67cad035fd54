//! One graphics program drawing the scene into 32-bit targets, every sample read back.
//!
//! Each output location gets a target of four 32-bit components of its kind (floating point, signed, unsigned), with
//! four samples where the device has them for all targets, else one. A small compute shader then fetches every sample
//! of every pixel into a buffer: no filter, no resolve, no conversion. There is no depth attachment; what a shader
//! writes to the depth is not compared.

use ash::vk;

use super::attachments::Target;
use super::bind::Bound;
use super::compute::{c_name, own_pipeline, shader};
use super::memory::{Buffer, Owned};
use super::resources::{Inputs, Resources, stage_flags};
use super::scene::{self, SIDE, Slot, VERTICES};
use super::{Device, GpuError, Needs};
use crate::program::{Program, StageKind};
use crate::run::shape::ScalarKind;
use crate::run::{AttachmentRun, Blob, Execution, Run, RunMode, hash, order_dependence};
use crate::spirv::enums::{ExecutionMode, StorageClass};
use crate::spirv::{EntryPoint, Module};

/// The stages that are drawn with, in pipeline order.
const STAGES: [StageKind; 5] =
    [StageKind::Vertex, StageKind::TessControl, StageKind::TessEval, StageKind::Geometry, StageKind::Fragment];

/// A graphics program's stages, ready to run.
struct Pipeline<'p> {
    stages: Vec<(StageKind, &'p Module, &'p EntryPoint)>,
}

impl<'p> Pipeline<'p> {
    fn of(program: &'p Program) -> Result<Pipeline<'p>, GpuError> {
        let mut stages = Vec::new();
        for stage in &program.stages {
            if !STAGES.contains(&stage.stage) {
                return Err(GpuError::NotRun(format!("{} shaders are not run here", stage.stage)));
            }
            let module = program.module_of(stage);
            let entry = module
                .entry_points()
                .get(stage.entry_index)
                .ok_or_else(|| GpuError::NotRun(format!("`{}` is no entry point", stage.entry)))?;
            stages.push((stage.stage, module, entry));
        }
        let pipeline = Pipeline { stages };
        for needed in [StageKind::Vertex, StageKind::Fragment] {
            if pipeline.stage(needed).is_none() {
                return Err(GpuError::Unusable(format!("drawing needs a {needed} shader; there is none")));
            }
        }
        Ok(pipeline)
    }

    fn stage(&self, kind: StageKind) -> Option<(&'p Module, &'p EntryPoint)> {
        self.stages.iter().find(|(stage, ..)| *stage == kind).map(|(_, module, entry)| (*module, *entry))
    }

    fn entries(&self) -> Vec<(&'p Module, &'p EntryPoint)> {
        self.stages.iter().map(|(_, module, entry)| (*module, *entry)).collect()
    }

    /// The vertex or fragment stage's slots.
    fn slots(&self, kind: StageKind, class: StorageClass) -> Result<Vec<Slot>, GpuError> {
        self.stage(kind).map_or_else(|| Ok(Vec::new()), |(module, entry)| scene::slots(module, entry, class))
    }

    /// What primitives the scene is cut into, and the vertices of a patch.
    fn topology(&self) -> vk::PrimitiveTopology {
        if self.stage(StageKind::TessControl).is_some() {
            return vk::PrimitiveTopology::PATCH_LIST;
        }
        let Some((_, geometry)) = self.stage(StageKind::Geometry) else {
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

/// What a graphics program asks of a device.
///
/// # Errors
/// A program that is not drawn here, descriptors of a kind that is not run here.
pub fn needs_of(program: &Program) -> Result<Needs, GpuError> {
    let pipeline = Pipeline::of(program)?;
    let resources = Resources::of(&pipeline.entries())?;
    let before = STAGES.iter().filter(|stage| **stage != StageKind::Fragment);
    let needs = Needs::of(pipeline.stages.iter().map(|(_, module, _)| *module));
    Ok(needs.drawing(before.clone().any(|stage| resources.writes(*stage)), resources.writes(StageKind::Fragment)))
}

/// Draws the scene (see [`scene`]) with a graphics program and reads back every sample of every output, and every
/// buffer and image that the program may write.
///
/// The program has its specialization constants set. The device was opened with [`needs_of`] the program.
///
/// # Errors
/// A program that is not drawn here (mesh shaders, outputs or attributes without a 32-bit format); what
/// [`super::run_compute`] fails with.
pub fn run_graphics(device: &Device, program: &Program, inputs: &Inputs) -> Result<Execution, GpuError> {
    let pipeline = Pipeline::of(program)?;
    let attributes = pipeline.slots(StageKind::Vertex, StorageClass::Input)?;
    let outputs = pipeline.slots(StageKind::Fragment, StorageClass::Output)?;
    check_limits(device, &attributes, &outputs)?;
    let resources = Resources::of(&pipeline.entries())?;
    let bound = Bound::new(device, &resources, inputs)?;
    let samples = super::attachments::samples(device, &outputs);
    let targets: Result<Vec<_>, _> = outputs.iter().map(|slot| Target::new(device, slot, samples)).collect();
    let targets = targets?;
    let contents = scene::vertices(&attributes, inputs.fill);
    let vertices = Buffer::with(device, &contents, vk::BufferUsageFlags::VERTEX_BUFFER, "the vertices")?;
    let made = make(device, &pipeline, &attributes, &targets, samples, bound.layout.handle)?;
    let time = device.run("drawing", |commands| {
        targets.iter().for_each(|target| target.record_begin(device, commands));
        draw(device, commands, &made, &bound, &vertices, &targets);
        targets.iter().for_each(|target| target.record_read_back(device, commands));
        bound.record_read_back(commands);
    })?;
    let read = bound.contents()?;
    let mut data = read.data;
    let mut attachments = Vec::new();
    for target in &targets {
        let bytes = target.contents()?;
        let name = format!("color{}", target.location);
        attachments.push(AttachmentRun {
            name: name.clone(),
            location: target.location,
            size: [SIDE, SIDE],
            samples: samples.as_raw(),
            kind: target.kind,
            bytes: bytes.len() as u64,
            hash: hash(bytes),
        });
        data.insert(name, Blob(bytes.to_vec()));
    }
    let mut order_dependent = Vec::new();
    for why in pipeline.stages.iter().flat_map(|(_, module, entry)| order_dependence(module, entry)) {
        if !order_dependent.contains(&why) {
            order_dependent.push(why);
        }
    }
    let run = Run {
        device: device.info.name.clone(),
        mode: RunMode::Graphics,
        entries: pipeline.stages.iter().map(|(_, _, entry)| entry.name.clone()).collect(),
        groups: None,
        fill: inputs.fill,
        compare: None,
        derivatives: None,
        not_rewritten: None,
        buffers: read.buffers,
        images: read.images,
        attachments,
        order_dependent,
        nanoseconds: u64::try_from(time.as_nanos()).unwrap_or(u64::MAX),
        warnings: Vec::new(),
    };
    Ok(Execution { run, data })
}

fn check_limits(device: &Device, attributes: &[Slot], outputs: &[Slot]) -> Result<(), GpuError> {
    let limits = &device.limits;
    let past = |slots: &[Slot]| slots.last().map_or(0, |slot| u64::from(slot.location) + 1);
    let stride = attributes.len() as u64 * 16;
    for (what, needed, limit) in [
        ("the vertex attributes (locations)", past(attributes), limits.max_vertex_input_attributes),
        ("a vertex (bytes)", stride, limits.max_vertex_input_binding_stride),
        ("a vertex (bytes to the last attribute)", stride.saturating_sub(16), limits.max_vertex_input_attribute_offset),
        ("the colour outputs (locations)", past(outputs), limits.max_color_attachments),
        ("the colour outputs (locations)", past(outputs), limits.max_fragment_output_attachments),
    ] {
        if needed > u64::from(limit) {
            return Err(GpuError::TooLarge { what: what.to_owned(), needed, limit: u64::from(limit) });
        }
    }
    Ok(())
}

/// The format of an attribute: as many 32-bit components as are used.
fn attribute_format(slot: &Slot) -> vk::Format {
    use vk::Format as F;
    let formats = match slot.kind {
        ScalarKind::Float => [F::R32_SFLOAT, F::R32G32_SFLOAT, F::R32G32B32_SFLOAT, F::R32G32B32A32_SFLOAT],
        ScalarKind::Int => [F::R32_SINT, F::R32G32_SINT, F::R32G32B32_SINT, F::R32G32B32A32_SINT],
        ScalarKind::Uint => [F::R32_UINT, F::R32G32_UINT, F::R32G32B32_UINT, F::R32G32B32A32_UINT],
    };
    formats[(slot.components.clamp(1, 4) - 1) as usize]
}

fn make<'d>(
    device: &'d Device,
    pipeline: &Pipeline<'_>,
    attributes: &[Slot],
    targets: &[Target<'_>],
    samples: vk::SampleCountFlags,
    layout: vk::PipelineLayout,
) -> Result<Owned<'d, vk::Pipeline>, GpuError> {
    let mut shaders = Vec::new();
    for (stage, module, entry) in &pipeline.stages {
        shaders.push((stage_flags(Some(*stage)), shader(device, module)?, c_name(&entry.name)?));
    }
    let stages: Vec<_> = shaders
        .iter()
        .map(|(stage, module, name)| {
            vk::PipelineShaderStageCreateInfo::default().stage(*stage).module(module.handle).name(name)
        })
        .collect();
    // At most a device's attributes, checked before.
    let stride = attributes.len() as u32 * 16;
    let bindings = [vk::VertexInputBindingDescription::default().stride(stride)];
    let descriptions: Vec<_> = (0u32..)
        .zip(attributes)
        .map(|(index, slot)| {
            vk::VertexInputAttributeDescription::default()
                .location(slot.location)
                .format(attribute_format(slot))
                .offset(index * 16)
        })
        .collect();
    let mut vertex_input = vk::PipelineVertexInputStateCreateInfo::default();
    if !attributes.is_empty() {
        vertex_input = vertex_input.vertex_binding_descriptions(&bindings).vertex_attribute_descriptions(&descriptions);
    }
    let topology = pipeline.topology();
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(topology);
    let tessellation = vk::PipelineTessellationStateCreateInfo::default().patch_control_points(3);
    let area = vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width: SIDE, height: SIDE } };
    let viewports =
        [vk::Viewport { x: 0.0, y: 0.0, width: SIDE as f32, height: SIDE as f32, min_depth: 0.0, max_depth: 1.0 }];
    let scissors = [area];
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
    let rasterization = vk::PipelineRasterizationStateCreateInfo::default()
        .polygon_mode(vk::PolygonMode::FILL)
        .cull_mode(vk::CullModeFlags::NONE)
        .front_face(vk::FrontFace::COUNTER_CLOCKWISE)
        .line_width(1.0);
    let multisample = vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(samples);
    let formats = formats_by_location(targets);
    let blends = vec![
        vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA);
        formats.len()
    ];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
    let mut create = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stages)
        .vertex_input_state(&vertex_input)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&rasterization)
        .multisample_state(&multisample)
        .color_blend_state(&blend)
        .layout(layout)
        .push_next(&mut rendering);
    if topology == vk::PrimitiveTopology::PATCH_LIST {
        create = create.tessellation_state(&tessellation);
    }
    // SAFETY: everything that `create` points to lives through the call; the features it needs are enabled.
    let made = unsafe { device.handle.create_graphics_pipelines(vk::PipelineCache::null(), &[create], None) };
    let pipelines = made.map_err(|(_, result)| GpuError::call("vkCreateGraphicsPipelines")(result))?;
    Ok(own_pipeline(device, pipelines.first().copied().unwrap_or_default()))
}

/// The targets' formats; undefined where a location has no output.
fn formats_by_location(targets: &[Target<'_>]) -> Vec<vk::Format> {
    let count = targets.last().map_or(0, |target| target.location + 1);
    let at = |location| targets.iter().find(|target| target.location == location);
    (0..count).map(|location| at(location).map_or(vk::Format::UNDEFINED, |target| target.format)).collect()
}

fn draw(
    device: &Device,
    commands: vk::CommandBuffer,
    pipeline: &Owned<'_, vk::Pipeline>,
    bound: &Bound<'_>,
    vertices: &Buffer<'_>,
    targets: &[Target<'_>],
) {
    let count = targets.last().map_or(0, |target| target.location + 1);
    let at = |location| targets.iter().find(|target| target.location == location);
    let attachments: Vec<_> =
        (0..count).map(|location| at(location).map_or_else(Default::default, Target::attachment)).collect();
    let area = vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width: SIDE, height: SIDE } };
    let rendering = vk::RenderingInfo::default().render_area(area).layer_count(1).color_attachments(&attachments);
    let vk = &device.handle;
    // SAFETY: the command buffer is being recorded; pipeline, buffers, targets and descriptors outlive the commands.
    unsafe {
        vk.cmd_begin_rendering(commands, &rendering);
        vk.cmd_bind_pipeline(commands, vk::PipelineBindPoint::GRAPHICS, pipeline.handle);
        vk.cmd_bind_vertex_buffers(commands, 0, &[vertices.handle], &[0]);
    }
    bound.record(commands, vk::PipelineBindPoint::GRAPHICS);
    // SAFETY: as above; the vertex buffer holds that many vertices.
    unsafe {
        vk.cmd_draw(commands, VERTICES.len() as u32, 1, 0, 0);
        vk.cmd_end_rendering(commands);
    }
}
