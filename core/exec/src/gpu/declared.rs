//! The descriptors of a program as plain data, and everything that a run of it starts with.

use ash::vk;

use super::formats;
use super::given_image::plan;
use super::images::{storage_format, texels};
use super::interpret::fill;
use super::pipeline::{GRAPHICS, Stages};
use super::resources::{Binding, ImageType, Kind, Resources};
use super::{Addressed, GpuError, position, raster, scene, vertices};
use lanescope_base::named_enum;
use lanescope_model::program::{Program, StageKind};
use lanescope_pipeline::vulkan::{InputRate, VkFormat};
use lanescope_pipeline::{VertexAttribute, VertexBinding, VertexInput};
use lanescope_run::Shape;
use lanescope_run::fill::Source;
use lanescope_run::inputs::{Content, Inputs, SamplerState, Topology, VertexBuffer, Vertices};
use lanescope_spirv::enums::{Dim, StorageClass};
use lanescope_spirv::shape::ScalarKind;

named_enum!(
    /// What a descriptor is of.
    DescriptorOf {
        /// A uniform block.
        UniformBuffer = "uniform buffer",
        /// A storage block.
        StorageBuffer = "storage buffer",
        /// An image that is sampled or fetched.
        SampledImage = "sampled image",
        /// The same with its sampler.
        CombinedImageSampler = "combined image sampler",
        /// An image that is loaded and stored.
        StorageImage = "storage image",
        /// Texels of a buffer.
        UniformTexelBuffer = "uniform texel buffer",
        /// The same, stored too.
        StorageTexelBuffer = "storage texel buffer",
        /// A sampler.
        Sampler = "sampler",
    }
);

/// A descriptor that the shaders of a program declare.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// What it is of.
    pub of: DescriptorOf,
    /// The variable's name.
    pub variable: Option<String>,
    /// Descriptors.
    pub count: u32,
    /// Whether a shader may write it.
    pub writable: bool,
    /// The format that a run gives texels where nothing else is said.
    pub format: Option<VkFormat>,
    /// How a run samples where nothing else is said, if it has a sampler.
    pub sampler: Option<SamplerState>,
}

/// The descriptors that the shaders of a program declare, by set and binding.
///
/// # Errors
/// A descriptor of a kind that is not run here.
pub fn declared(program: &Program) -> Result<Vec<Declared>, GpuError> {
    resources_of(program)?.bindings.iter().map(Declared::of).collect()
}

fn resources_of(program: &Program) -> Result<Resources, GpuError> {
    let entries = program.stages.iter().filter_map(|stage| {
        let module = program.module_of(stage);
        Some((module, module.entry_points().get(stage.entry_index)?))
    });
    Resources::of(&entries.collect::<Vec<_>>())
}

impl Declared {
    fn of(binding: &Binding) -> Result<Declared, GpuError> {
        let format = |format: vk::Format| Some(VkFormat(format.as_raw()));
        let sampled = |ty: &ImageType| format(formats::sampled(ty.kind, ty.depth).format);
        let (of, format, sampler) = match &binding.kind {
            Kind::Uniform(_) => (DescriptorOf::UniformBuffer, None, None),
            Kind::Storage(_) => (DescriptorOf::StorageBuffer, None, None),
            Kind::Sampled(ty) => (DescriptorOf::SampledImage, sampled(ty), None),
            Kind::Combined(ty) => {
                let nearest = ty.depth || ty.kind != ScalarKind::Float;
                (DescriptorOf::CombinedImageSampler, sampled(ty), Some(SamplerState::usual(ty.depth, nearest)))
            }
            Kind::StorageImage(ty) => (DescriptorOf::StorageImage, format(storage_format(*ty)?.format), None),
            Kind::UniformTexel(ty) => {
                (DescriptorOf::UniformTexelBuffer, format(formats::sampled(ty.kind, false).format), None)
            }
            Kind::StorageTexel(ty) => (DescriptorOf::StorageTexelBuffer, format(storage_format(*ty)?.format), None),
            Kind::Sampler { compare, nearest, .. } => {
                (DescriptorOf::Sampler, None, Some(SamplerState::usual(*compare, *nearest)))
            }
            Kind::LayoutOnly(..) => return Err(binding.not_run()),
        };
        Ok(Declared {
            set: binding.set,
            binding: binding.binding,
            of,
            variable: binding.variable.clone(),
            count: binding.count,
            writable: binding.writable,
            format,
            sampler,
        })
    }
}

/// Everything that a run starts with: nothing of it is left to a default.
#[derive(Debug, Clone, PartialEq)]
pub struct Starting {
    /// The push constants; empty without a block.
    pub push_constants: Vec<u8>,
    /// How they read.
    pub push_shape: Option<Shape>,
    /// The descriptors.
    pub descriptors: Vec<StartingDescriptor>,
    /// What is drawn, of a graphics program.
    pub draw: Option<StartingDraw>,
}

impl Starting {
    /// Leaves images that are sampled their first level alone.
    pub fn keep_first_levels(&mut self) {
        for contents in self.descriptors.iter_mut().flat_map(|descriptor| &mut descriptor.contents) {
            let Some(image) = &mut contents.image else { continue };
            let volume = |level: u32| image.size.map(|side| u64::from((side >> level).max(1))).iter().product::<u64>();
            let all: u64 = (0..image.levels).map(volume).sum();
            let first = contents.bytes.len() as u64 / all.max(1) * volume(0);
            contents.bytes.truncate(usize::try_from(first).unwrap_or(usize::MAX));
            image.levels = 1;
        }
    }
}

/// A descriptor, and what it is bound to.
#[derive(Debug, Clone, PartialEq)]
pub struct StartingDescriptor {
    /// The descriptor.
    pub declared: Declared,
    /// How the bytes of a block read.
    pub shape: Option<Shape>,
    /// Contents, for each element; none of a sampler.
    pub contents: Vec<StartingContents>,
}

/// The contents of an element of a descriptor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartingContents {
    /// Its bytes: of an image the texels of all levels.
    pub bytes: Vec<u8>,
    /// What else an image has.
    pub image: Option<StartingImage>,
}

/// An image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartingImage {
    /// Its dimensions: 1, 2 or 3; a cube has layers of two.
    pub dimensions: u32,
    /// Width, height and depth.
    pub size: [u32; 3],
    /// Layers.
    pub layers: u32,
    /// Levels of detail.
    pub levels: u32,
    /// Vulkan's name of its format.
    pub format: String,
}

/// What a graphics program draws.
#[derive(Debug, Clone, PartialEq)]
pub struct StartingDraw {
    /// The vertex buffers; without attributes nothing is read.
    pub vertices: Vertices,
    /// Vertices or indices that are drawn.
    pub count: u32,
    /// Width and height of the attachments.
    pub size: [u32; 2],
    /// What the vertices form.
    pub topology: Topology,
    /// The format of each color output that keeps all of it, by location.
    pub outputs: Vec<(u32, VkFormat)>,
    /// The fragment shader replaces the depth.
    pub writes_depth: bool,
}

/// Everything that a run of a program with these inputs starts with. The program has its specialization constants set.
///
/// # Errors
/// What no run takes; buffers that are reached by addresses; multisampled images.
pub fn starting(program: &Program, inputs: &Inputs) -> Result<Starting, GpuError> {
    if let Some(addressed) = Addressed::of(program).first() {
        let why = format!("buffer {} is reached by its address, which each run has anew", addressed.number);
        return Err(GpuError::NotRun(why));
    }
    let resources = resources_of(program)?;
    let filled = fill(&resources, inputs)?;
    let mut descriptors = Vec::new();
    for binding in &resources.bindings {
        let mut declared = Declared::of(binding)?;
        declared.sampler = declared.sampler.map(|usual| sampler(binding, usual, inputs)).transpose()?;
        other_texels(&declared, inputs)?;
        let shape = match &binding.kind {
            Kind::Uniform(shape) | Kind::Storage(shape) => {
                Some(inputs.names.declared(binding.set, binding.binding).unwrap_or(shape).clone())
            }
            _ => None,
        };
        let mut contents = Vec::new();
        for element in 0..binding.count {
            let place = (binding.set, binding.binding, element);
            contents.extend(match &binding.kind {
                Kind::Sampler { .. } | Kind::LayoutOnly(..) => None,
                Kind::Uniform(_) | Kind::Storage(_) => {
                    let buffer = filled.inputs.buffers.iter().find(|one| (one.set, one.binding, one.element) == place);
                    buffer.map(|buffer| StartingContents { bytes: buffer.bytes.clone(), image: None })
                }
                Kind::UniformTexel(_) | Kind::StorageTexel(_) => {
                    let buffer = filled.inputs.images.iter().find(|one| (one.set, one.binding, one.element) == place);
                    buffer.map(|buffer| StartingContents { bytes: buffer.texels.clone(), image: None })
                }
                Kind::Sampled(ty) | Kind::Combined(ty) | Kind::StorageImage(ty) => {
                    Some(image(binding, element, *ty, inputs)?)
                }
            });
        }
        descriptors.push(StartingDescriptor { declared, shape, contents });
    }
    let is_graphics = program.stages.iter().any(|stage| stage.stage.is_graphics());
    Ok(Starting {
        push_constants: filled.inputs.push_constants,
        push_shape: resources.push_constants.map(|push| push.block.shape),
        descriptors,
        draw: if is_graphics { Some(draw(program, inputs)?) } else { None },
    })
}

/// The sampler of a binding, which is one for all of its elements.
fn sampler(binding: &Binding, usual: SamplerState, inputs: &Inputs) -> Result<SamplerState, GpuError> {
    let of = |element: u32| inputs.sampler(binding.set, binding.binding, element).unwrap_or(usual);
    let first = of(0);
    match (1..binding.count).all(|element| of(element) == first) {
        true => Ok(first),
        false => {
            let (set, at) = (binding.set, binding.binding);
            Err(GpuError::NotRun(format!("the elements of set {set} binding {at} have different samplers")))
        }
    }
}

/// Refuses texels of a buffer that are given in another format than a run has by itself.
fn other_texels(declared: &Declared, inputs: &Inputs) -> Result<(), GpuError> {
    let (set, binding) = (declared.set, declared.binding);
    let is_texels = matches!(declared.of, DescriptorOf::UniformTexelBuffer | DescriptorOf::StorageTexelBuffer);
    let format = |element| match inputs.given(set, binding, element) {
        Some(Content::Image(image)) => image.format,
        _ => None,
    };
    let other = (0..declared.count)
        .filter(|_| is_texels)
        .find_map(|element| format(element).filter(|format| Some(*format) != declared.format));
    match other {
        None => Ok(()),
        Some(format) => Err(GpuError::NotRun(format!("set {set} binding {binding} has texels of {format}"))),
    }
}

fn image(binding: &Binding, element: u32, ty: ImageType, inputs: &Inputs) -> Result<StartingContents, GpuError> {
    let source = Source { seed: inputs.fill, set: binding.set, binding: binding.binding, element };
    let name = inputs.names.name(binding.set, binding.binding, element, binding.is_array);
    let planned = plan(binding, element, ty, inputs)?;
    let bytes = texels(&planned.extent, source, (planned.given, inputs.zeros), &name)?;
    let report = planned.extent.report(binding, source, inputs);
    let dimensions = match ty.dim {
        Dim::Dim1D => 1,
        Dim::Dim3D => 3,
        _ => 2,
    };
    let (size, layers, levels, format) = (report.size, report.layers, planned.extent.levels, report.format);
    Ok(StartingContents { bytes, image: Some(StartingImage { dimensions, size, layers, levels, format }) })
}

fn draw(program: &Program, inputs: &Inputs) -> Result<StartingDraw, GpuError> {
    let stages = Stages::of(program, &GRAPHICS)?;
    let slots = stages.slots(StageKind::Vertex, StorageClass::Input, &[16, 32])?;
    let outputs = stages.slots(StageKind::Fragment, StorageClass::Output, &[16, 32])?;
    let is_there = |location: &u32| slots.iter().any(|slot| slot.location == *location && position::can_be(slot));
    let position = inputs.position.filter(is_there).or_else(|| position::position_of(program));
    let described = program.pipeline.as_deref().and_then(|pipeline| pipeline.state.vertex_input.as_ref());
    let buffer = |binding, bytes| VertexBuffer { binding, bytes: lanescope_run::Blob(bytes) };
    let vertices = match (&inputs.draw.vertices, described.filter(|input| vertices::fits(input).is_ok())) {
        (Some(given), _) => given.clone(),
        (None, Some(input)) => {
            let buffers = vertices::buffers(input, &slots, position, inputs.fill);
            let buffers = buffers.into_iter().map(|(binding, bytes)| buffer(binding, bytes)).collect();
            Vertices { input: input.clone(), buffers }
        }
        (None, None) if slots.is_empty() => Vertices::default(),
        (None, None) => {
            let stride = 16 * slots.len() as u32;
            let binding = VertexBinding { binding: 0, stride, rate: InputRate(0), divisor: None };
            let attribute = |(index, slot): (u32, &scene::Slot)| VertexAttribute {
                location: slot.location,
                binding: 0,
                format: vertex_format(slot),
                offset: 16 * index,
            };
            let attributes = (0..).zip(&slots).map(attribute).collect();
            let input = VertexInput { from: "the scene".to_owned(), bindings: vec![binding], attributes };
            Vertices { input, buffers: vec![buffer(0, scene::vertices(&slots, position, inputs.fill))] }
        }
    };
    let is_by_shader =
        [StageKind::TessControl, StageKind::Geometry].into_iter().any(|stage| stages.get(stage).is_some());
    let stated = program.pipeline.as_deref().and_then(|pipeline| pipeline.state.topology);
    let topology = match inputs.draw.topology.or(stated) {
        Some(topology) if !is_by_shader => topology,
        _ => Topology(stages.topology().as_raw()),
    };
    Ok(StartingDraw {
        count: inputs.draw.count(scene::VERTICES.len() as u32),
        size: inputs.draw.size(scene::SIDE),
        topology,
        outputs: outputs.iter().map(|slot| (slot.location, output_format(slot))).collect(),
        writes_depth: raster::writes_depth(&stages),
        vertices,
    })
}

/// The format of an attribute of the scene: as many components of 32 bits as the shader reads.
fn vertex_format(slot: &scene::Slot) -> VkFormat {
    format_of(slot, slot.components)
}

/// The format of an output: what a shader does not write has no place in it. No device has to draw to three components of
/// 32 bits.
fn output_format(slot: &scene::Slot) -> VkFormat {
    format_of(slot, if slot.components == 3 { 4 } else { slot.components })
}

fn format_of(slot: &scene::Slot, components: u32) -> VkFormat {
    let channels: String = ["R32", "G32", "B32", "A32"].into_iter().take(components.clamp(1, 4) as usize).collect();
    let numbers = match slot.kind {
        ScalarKind::Float => "SFLOAT",
        ScalarKind::Int => "SINT",
        ScalarKind::Uint => "UINT",
    };
    VkFormat::named(&format!("{channels}_{numbers}")).unwrap_or_default()
}
