//! One graphics program drawing the scene into 32-bit targets, every sample read back.
//!
//! Each output location gets a target of four 32-bit components of its kind (floating point, signed, unsigned), with
//! four samples where the device has them for all targets, else one. A small compute shader then fetches every sample
//! of every pixel into a buffer: no filter, no resolve, no conversion. Where a shader writes the depth there is a 32-bit
//! depth attachment too, in which every fragment passes the test: the last one's depth stays.
//!
//! Where the program has a description, the run has its state as far as [`AppliedState`] goes: then targets have the described
//! formats, and the fetch converts to 32 bits.

use std::collections::BTreeMap;

use ash::vk;

use super::applied_state::{AppliedState, StateSupport};
use super::attachments::{Output, Target};
use super::bind::Bound;
use super::guessed_layout::{Automatic, Descriptors};
use super::linked::{self, Linked};
use super::memory::{Buffer, Near, Owned};
use super::pipeline::{Color, GraphicsState, Stages, graphics};
use super::resources::Resources;
use super::scene::{self, SIDE, Slot};
use super::{Device, GpuError, Needs, contents, given_vertices, position, vertices};
use lanescope_base::ids::Id;
use lanescope_model::program::{Program, StageKind};
use lanescope_run::inputs::{DrawInputs, IndexBits, Indices, Inputs};
use lanescope_run::{AttachmentRun, Blob, Execution, Run, RunMode, hash, order_dependence};
use lanescope_spirv::enums::{BuiltIn, Decoration, StorageClass};

/// The stages that are drawn with, in pipeline order.
const STAGES: [StageKind; 5] =
    [StageKind::Vertex, StageKind::TessControl, StageKind::TessEval, StageKind::Geometry, StageKind::Fragment];

/// What is drawn with.
enum Made<'d> {
    /// A pipeline of all stages.
    Whole(Owned<'d, vk::Pipeline>),
    /// One that was linked.
    Linked(Linked<'d>),
}

impl Made<'_> {
    fn handle(&self) -> vk::Pipeline {
        match self {
            Made::Whole(pipeline) => pipeline.handle,
            Made::Linked(linked) => linked.pipeline.handle,
        }
    }
}

/// A graphics program's stages, ready to run.
pub(super) fn drawn(program: &Program) -> Result<Stages<'_>, GpuError> {
    let stages = Stages::of(program, &STAGES)?;
    for needed in [StageKind::Vertex, StageKind::Fragment] {
        if stages.get(needed).is_none() {
            let why = format!("drawing needs a {needed} shader: load one together with the other stages");
            return Err(GpuError::Unusable(why));
        }
    }
    Ok(stages)
}

/// What a graphics program requires of a device.
///
/// # Errors
/// A program that is not drawn here, descriptors of a kind that is not run here.
pub fn needs_of(program: &Program) -> Result<Needs, GpuError> {
    let pipeline = drawn(program)?;
    let resources = Resources::of(&pipeline.entries())?;
    let before = STAGES.iter().filter(|stage| **stage != StageKind::Fragment);
    let mut needs = Needs::of(pipeline.all.iter().map(|(_, module, _)| *module));
    needs.described = program.pipeline.is_some();
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
    run_graphics_with(device, program, inputs, Descriptors::Own)
}

/// Like [`run_graphics`], with an application's layout or with the guessed one.
///
/// # Errors
/// Those of [`run_graphics`]; an application without a descriptor that a shader uses; sets whose numbers are too high.
pub fn run_graphics_with(
    device: &Device,
    program: &Program,
    inputs: &Inputs,
    descriptors: Descriptors<'_>,
) -> Result<Execution, GpuError> {
    // The fragment shader of a guess has sets of its own, above those of the stages before it.
    let first = device.limits.max_bound_descriptor_sets / 2;
    let mut guessed = None;
    if descriptors.automatic().is_some() {
        let mut program = program.clone();
        for stage in program.stages.clone().iter().filter(|stage| stage.stage == StageKind::Fragment) {
            // Entry points of one module would share its sets.
            let mut loaded = program.modules[stage.module].clone();
            loaded.module = super::moved_sets::above(&loaded.module, first)?;
            program.modules.push(loaded);
            let module = program.modules.len() - 1;
            program.stages.iter_mut().filter(|one| *one == stage).for_each(|one| one.module = module);
        }
        guessed = Some(program);
    }
    let authored = drawn(program)?;
    let pipeline = drawn(guessed.as_ref().unwrap_or(program))?;
    let attributes = pipeline.slots(StageKind::Vertex, StorageClass::Input, &[32])?;
    let outputs = pipeline.slots(StageKind::Fragment, StorageClass::Output, &[32])?;
    check_limits(device, &attributes, &outputs)?;
    let resources = Resources::of(&authored.entries())?.with_application(descriptors.application());
    let bound = Bound::new(device, &resources, inputs)?;
    let automatic = match descriptors.automatic() {
        Some([uniform, storage]) => {
            let used = Resources::of(&pipeline.entries())?.with_dynamic(uniform, storage);
            Some(Automatic::new(device, &bound, &resources, &used, first, linked::links(device))?)
        }
        None => None,
    };
    let draw = &inputs.draw;
    let mut described =
        AppliedState::of(program.pipeline.as_deref(), device, &pipeline, (&attributes, &outputs), draw)?;
    if let Some(test) = draw.depth_test {
        described.fixed.depth = Some((vk::CompareOp::from_raw(test.0.clamp(0, 7)), true));
    } else if !described.tests_depth() && !writes_depth(&pipeline) {
        // Without a test no depth is written, where stencils are tested too.
        described.fixed.depth = None;
    }
    let restarts = given_vertices::restarts(draw, program.pipeline.as_deref(), described.is_strip());
    given_vertices::check(draw, &attributes, restarts)?;
    let formats: BTreeMap<u32, vk::Format> =
        described.colors.iter().filter_map(|(location, taking)| Some((*location, taking.format?))).collect();
    let output = |slot: &Slot| match formats.get(&slot.location).copied() {
        Some(format) => Output::Color(slot.kind, format),
        None => Output::widest(slot.kind),
    };
    let has_depth = writes_depth(&pipeline) || described.needs_depth() || gives_depth(draw);
    let depth_format = described.stencil_format.unwrap_or(vk::Format::D32_SFLOAT);
    let kinds: Vec<Output> =
        outputs.iter().map(output).chain(has_depth.then_some(Output::Depth(depth_format))).collect();
    let samples = super::attachments::samples(device, &kinds, described.samples);
    described.has_samples(samples);
    let [width, height] = draw.size(SIDE).map(u64::from);
    contents::check_read_back(width * height * u64::from(samples.as_raw()) * 16 * kinds.len() as u64)?;
    let color = |slot: &Slot| Target::color(device, slot, output(slot), samples, draw);
    let mut targets = outputs.iter().map(color).collect::<Result<Vec<_>, _>>()?;
    if has_depth {
        targets.push(Target::depth(device, depth_format, samples, draw)?);
    }
    let is_there = |location: &u32| attributes.iter().any(|slot| slot.location == *location && position::can_be(slot));
    let position = inputs.position.filter(is_there).or_else(|| position::position_of(program));
    let contents = match (&draw.vertices, described.input) {
        (Some(vertices), _) => vertices.buffers.iter().map(|buffer| (buffer.binding, buffer.bytes.0.clone())).collect(),
        (None, Some(input)) => vertices::buffers(input, &attributes, position, inputs.fill),
        (None, None) => [(0, scene::vertices(&attributes, position, inputs.fill))].into(),
    };
    let mut buffers = Vec::new();
    for (binding, contents) in contents {
        let usage = vk::BufferUsageFlags::VERTEX_BUFFER;
        buffers.push((binding, Buffer::with(device, &contents, usage, Near::Host, "the vertices")?));
    }
    let indices = index_buffer(device, draw)?;
    let state = GraphicsState {
        stages: &pipeline,
        attributes: &attributes,
        input: described.input,
        topology: described.topology,
        patch_vertices: described.patch_vertices.unwrap_or(3),
        samples,
        colors: &colors(&targets, &described),
        inputs: &[],
        depth: depth(&targets).map_or(vk::Format::UNDEFINED, |target| target.format),
        stencil: described.stencil_format.unwrap_or_default(),
        fixed: described.fixed,
        size: draw.size(SIDE),
        view: draw.viewport,
        restarts,
        flags: vk::PipelineCreateFlags::empty(),
        parts: vk::GraphicsPipelineLibraryFlagsEXT::empty(),
    };
    let layout = automatic.as_ref().map_or(bound.layout.handle, |automatic| automatic.layout.handle);
    let (made, adapted) = match &automatic {
        Some(automatic) if linked::links(device) => {
            (Made::Linked(Linked::new(device, &state, automatic)?), vec![linked::LINKED_NOTE.to_owned()])
        }
        Some(_) => (Made::Whole(graphics(device, &state, layout)?), vec![linked::UNLINKED_NOTE.to_owned()]),
        None => (Made::Whole(graphics(device, &state, layout)?), Vec::new()),
    };
    let time = device.run("drawing", |commands| {
        targets.iter().for_each(|target| target.record_begin(device, commands));
        let drawn =
            Drawn { pipeline: made.handle(), vertices: &buffers, indices: indices.as_ref(), targets: &targets, draw };
        record(device, commands, &drawn, || match &automatic {
            Some(automatic) => automatic.record(&bound, device, commands, vk::PipelineBindPoint::GRAPHICS),
            None => bound.record(commands, vk::PipelineBindPoint::GRAPHICS),
        });
        targets.iter().for_each(|target| target.record_read_back(device, commands));
        bound.record_read_back(commands);
    })?;
    let read = bound.contents()?;
    let mut data = read.data;
    let mut attachments = Vec::new();
    for target in &targets {
        let bytes = target.contents()?;
        attachments.push(AttachmentRun {
            name: target.name.clone(),
            location: target.location,
            size: draw.size(SIDE),
            samples: samples.as_raw(),
            kind: target.kind,
            bytes: bytes.len() as u64,
            hash: hash(bytes),
        });
        data.insert(target.name.clone(), Blob(bytes.to_vec()));
    }
    let mut order_dependent = Vec::new();
    for why in pipeline.all.iter().flat_map(|(_, module, entry)| order_dependence(module, entry)) {
        if !order_dependent.contains(&why) {
            order_dependent.push(why);
        }
    }
    let run = Run {
        entries: pipeline.all.iter().map(|(_, _, entry)| entry.name.clone()).collect(),
        fill: inputs.fill,
        zeros: inputs.zeros,
        inputs: bound.inputs.iter().cloned().chain(draw.rows(Some(given_vertices::SCENE), SIDE)).collect(),
        buffers: read.buffers,
        images: read.images,
        attachments,
        order_dependent,
        adapted,
        described: program.pipeline.is_some().then_some(described.described),
        nanoseconds: u64::try_from(time.as_nanos()).unwrap_or(u64::MAX),
        ..Run::new(device.info.name.clone(), RunMode::Graphics)
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
        ("the color outputs (locations)", past(outputs), limits.max_color_attachments),
        ("the color outputs (locations)", past(outputs), limits.max_fragment_output_attachments),
    ] {
        if needed > u64::from(limit) {
            return Err(GpuError::TooLarge { what: what.to_owned(), needed, limit: u64::from(limit) });
        }
    }
    Ok(())
}

/// Whether a depth attachment is asked for.
pub(super) fn gives_depth(draw: &DrawInputs) -> bool {
    draw.contents(None).is_some() || draw.clear(None).is_some() || draw.depth_test.is_some()
}

/// Whether the fragment stage replaces the depth.
pub(super) fn writes_depth(stages: &Stages<'_>) -> bool {
    stages.get(StageKind::Fragment).is_some_and(|(module, entry)| {
        let is_depth = |&id: &Id| module.decoration(id, None, Decoration::BuiltIn) == Some(BuiltIn::FragDepth as u32);
        entry.interface.iter().any(is_depth)
    })
}

fn depth<'t, 'd>(targets: &'t [Target<'d>]) -> Option<&'t Target<'d>> {
    targets.iter().find(|target| target.location.is_none())
}

/// One more than the last location.
fn locations(targets: &[Target<'_>]) -> u32 {
    targets.iter().filter_map(|target| target.location).max().map_or(0, |location| location + 1)
}

/// The targets as attachments; undefined where a location has no output.
fn colors(targets: &[Target<'_>], described: &AppliedState<'_>) -> Vec<Color> {
    let count = locations(targets);
    let at = |location| targets.iter().find(|target| target.location == Some(location));
    let format = |location| at(location).map_or(vk::Format::UNDEFINED, |target: &Target<'_>| target.format);
    let taking = |location| described.colors.get(&location).copied().unwrap_or_default();
    let color = |location| {
        let StateSupport { blend, mask, .. } = taking(location);
        Color { format: format(location), blend, mask }
    };
    (0..count).map(color).collect()
}

/// The index buffer of a draw, where it has one.
fn index_buffer<'d>(device: &'d Device, draw: &DrawInputs) -> Result<Option<(Buffer<'d>, vk::IndexType)>, GpuError> {
    let Some(Indices { bits, values }) = &draw.indices else { return Ok(None) };
    let (ty, bytes) = match bits {
        IndexBits::Short => (vk::IndexType::UINT16, 2),
        IndexBits::Word => (vk::IndexType::UINT32, 4),
    };
    let contents: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(bytes)).collect();
    let usage = vk::BufferUsageFlags::INDEX_BUFFER;
    Ok(Some((Buffer::with(device, &contents, usage, Near::Host, "the indices")?, ty)))
}

/// What a draw is recorded from.
struct Drawn<'a, 'd> {
    pipeline: vk::Pipeline,
    vertices: &'a [(u32, Buffer<'d>)],
    indices: Option<&'a (Buffer<'d>, vk::IndexType)>,
    targets: &'a [Target<'d>],
    draw: &'a DrawInputs,
}

fn record(device: &Device, commands: vk::CommandBuffer, drawn: &Drawn<'_, '_>, bind: impl FnOnce()) {
    let Drawn { pipeline, vertices, indices, targets, draw } = *drawn;
    let count = locations(targets);
    let at = |location| targets.iter().find(|target| target.location == Some(location));
    let attachments: Vec<_> =
        (0..count).map(|location| at(location).map_or_else(Default::default, Target::attachment)).collect();
    let [width, height] = draw.size(SIDE);
    let area = vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width, height } };
    let depth_target = depth(targets);
    let depth = depth_target.map(Target::attachment);
    let mut rendering = vk::RenderingInfo::default().render_area(area).layer_count(1).color_attachments(&attachments);
    if let Some(depth) = &depth {
        rendering = rendering.depth_attachment(depth);
        if depth_target.is_some_and(Target::has_stencil) {
            rendering = rendering.stencil_attachment(depth);
        }
    }
    let vk = &device.handle;
    // SAFETY: the command buffer is being recorded; pipeline, buffers, targets and descriptors outlive the commands.
    unsafe {
        vk.cmd_begin_rendering(commands, &rendering);
        vk.cmd_bind_pipeline(commands, vk::PipelineBindPoint::GRAPHICS, pipeline);
        for (binding, buffer) in vertices {
            vk.cmd_bind_vertex_buffers(commands, *binding, &[buffer.handle], &[0]);
        }
    }
    bind();
    let (count, instances, first) = (draw.count(given_vertices::SCENE), draw.instances(), draw.first);
    // SAFETY: as above; vertex and index buffers hold what is drawn, which was checked.
    unsafe {
        match indices {
            Some((buffer, ty)) => {
                vk.cmd_bind_index_buffer(commands, buffer.handle, 0, *ty);
                let offset = draw.vertex_offset.cast_signed();
                vk.cmd_draw_indexed(commands, count, instances, first, offset, draw.first_instance);
            }
            None => vk.cmd_draw(commands, count, instances, first, draw.first_instance),
        }
        vk.cmd_end_rendering(commands);
    }
}
