//! Pipelines: shaders, what is bound, state.

use lanescope_base::named_enum;

use super::state::{Blend, Depth, Face, PolygonMode, Stencil, Viewport};
use super::{Line, ShaderStage};
use crate::number::Number;
use crate::types::{DataType, Numbers};

named_enum!(
    serde if feature = "serde";
    /// The kind of pipeline.
    PipelineKind {
        /// One compute shader.
        Compute = "compute",
        /// Shaders that draw.
        Graphics = "graphics",
        /// Shaders that rays start.
        RayTracing = "raytracing",
    }
);

/// A pipeline, as it is written. What is absent is not given.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pipeline {
    /// Its line.
    pub line: Line,
    /// Its kind: that of the pipeline it derives from, where it does.
    pub kind: PipelineKind,
    /// Its name.
    pub name: String,
    /// The pipeline that it derives from: this one has what that has, except for what it states itself.
    pub parent: Option<String>,
    /// Its shaders.
    pub shaders: Vec<Attachment>,
    /// Passes of SPIRV-Tools that a shader goes through.
    pub optimizations: Vec<ShaderOptions>,
    /// Options of the compiler of OpenCL C.
    pub compile_options: Vec<ShaderOptions>,
    /// Demands on the subgroups of a shader.
    pub subgroups: Vec<Subgroup>,
    /// Width and height of the framebuffer: else 250.
    pub framebuffer: Option<[u32; 2]>,
    /// The viewport: else the whole framebuffer.
    pub viewport: Option<Viewport>,
    /// How polygons are drawn: else filled.
    pub polygon_mode: Option<PolygonMode>,
    /// Control points of a patch: else 3.
    pub patch_control_points: Option<u32>,
    /// The depth test.
    pub depth: Option<Depth>,
    /// The stencil test; a later one is for the faces that both state.
    pub stencil: Vec<Stencil>,
    /// Blending.
    pub blend: Option<Blend>,
    /// Buffers and images that are bound; a later one replaces one of the same place.
    pub buffers: Vec<BoundBuffer>,
    /// Samplers that are bound.
    pub samplers: Vec<BoundSampler>,
    /// Top levels that are bound.
    pub structures: Vec<BoundStructure>,
    /// Buffers of vertices.
    pub vertex_data: Vec<VertexData>,
    /// The buffer of indices.
    pub index_data: Option<String>,
    /// Arguments of a kernel of OpenCL C.
    pub arguments: Vec<KernelValue>,
    /// Ray tracing.
    pub rays: RayTracing,
}

/// A shader of a pipeline.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Attachment {
    /// Its line.
    pub line: Line,
    /// The name of the shader.
    pub shader: String,
    /// The stage, where it is given: else that of the shader.
    pub stage: Option<ShaderStage>,
    /// The entry point, where it is given: else `main`.
    pub entry: Option<String>,
    /// Values of specialization constants.
    pub constants: Vec<SpecConstant>,
}

/// The value of a specialization constant: of `int32`, `uint32` or `float`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpecConstant {
    /// Its SpecId.
    pub id: u32,
    /// Its type.
    pub ty: Numbers,
    /// Its value.
    pub value: Number,
}

impl SpecConstant {
    /// The bits of the value.
    pub fn bits(&self) -> u32 {
        if self.ty.scalar.is_float() {
            (self.value.value() as f32).to_bits()
        } else {
            self.value.integer().unwrap_or_default() as u32
        }
    }
}

/// Options for a shader.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShaderOptions {
    /// Their line.
    pub line: Line,
    /// The name of the shader.
    pub shader: String,
    /// The options, as written.
    pub options: Vec<String>,
}

/// Demands on the subgroups of a shader.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Subgroup {
    /// Its line.
    pub line: Line,
    /// The name of the shader.
    pub shader: String,
    /// All lanes of a subgroup are active at first.
    pub fully_populated: Option<bool>,
    /// The size may vary.
    pub varying_size: Option<bool>,
    /// The size that is required.
    pub required_size: Option<SubgroupSize>,
}

/// The size of a subgroup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum SubgroupSize {
    /// The device's least.
    Min,
    /// The device's greatest.
    Max,
    /// A count of lanes.
    Lanes(u32),
}

named_enum!(
    serde if feature = "serde";
    /// What a buffer is bound as, besides attachments and push constants.
    DescriptorKind {
        /// Uniform buffer.
        Uniform = "uniform",
        /// Storage buffer.
        Storage = "storage",
        /// Uniform buffer with a dynamic offset.
        UniformDynamic = "uniform_dynamic",
        /// Storage buffer with a dynamic offset.
        StorageDynamic = "storage_dynamic",
        /// Storage image.
        StorageImage = "storage_image",
        /// Sampled image.
        SampledImage = "sampled_image",
        /// Sampled image with a sampler.
        CombinedImageSampler = "combined_image_sampler",
        /// Uniform texel buffer.
        UniformTexelBuffer = "uniform_texel_buffer",
        /// Storage texel buffer.
        StorageTexelBuffer = "storage_texel_buffer",
    }
);

impl DescriptorKind {
    /// Whether it has a dynamic offset.
    pub fn is_dynamic(self) -> bool {
        matches!(self, DescriptorKind::UniformDynamic | DescriptorKind::StorageDynamic)
    }

    /// Whether it is a buffer of bytes: one with an offset and a range.
    pub fn is_plain(self) -> bool {
        matches!(self, DescriptorKind::Uniform | DescriptorKind::Storage) || self.is_dynamic()
    }

    /// Whether it is an image with mip levels.
    pub fn is_image(self) -> bool {
        matches!(
            self,
            DescriptorKind::StorageImage | DescriptorKind::SampledImage | DescriptorKind::CombinedImageSampler
        )
    }
}

/// A buffer or image that is bound.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoundBuffer {
    /// Its line.
    pub line: Line,
    /// Names of the buffers: several are an array of descriptors.
    pub buffers: Vec<String>,
    /// What it is bound as.
    pub role: BufferRole,
}

/// What a buffer is bound as.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum BufferRole {
    /// A color attachment.
    Color {
        /// Its location.
        location: u32,
        /// The mip level, where it is given: else 0.
        mip_level: Option<u32>,
    },
    /// The depth and stencil attachment.
    DepthStencil,
    /// What a multisampled color attachment is resolved to.
    Resolve,
    /// Push constants.
    PushConstant,
    /// A descriptor.
    Descriptor {
        /// Its kind.
        kind: DescriptorKind,
        /// The sampler of an image with one.
        sampler: Option<String>,
        /// Descriptor set.
        set: u32,
        /// Binding.
        binding: u32,
        /// The mip level, where it is given: else 0.
        mip_level: Option<u32>,
        /// Dynamic offsets in bytes, one for each buffer.
        dynamic_offsets: Vec<u32>,
        /// Offsets in bytes, where they are given: one for each buffer.
        offsets: Vec<u64>,
        /// Ranges in bytes, where they are given: one for each buffer.
        ranges: Vec<u64>,
    },
    /// An argument of a kernel of OpenCL C.
    Argument {
        /// Its kind, where it is given.
        kind: Option<DescriptorKind>,
        /// The argument.
        argument: Argument,
    },
}

/// An argument of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Argument {
    /// By its name.
    Name(String),
    /// By its number, from 0.
    Number(u32),
}

/// A sampler that is bound.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoundSampler {
    /// Its line.
    pub line: Line,
    /// Names of the samplers: several are an array of descriptors.
    pub samplers: Vec<String>,
    /// Where it is bound.
    pub place: SamplerPlace,
}

/// Where a sampler is bound.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum SamplerPlace {
    /// A descriptor.
    Descriptor {
        /// Descriptor set.
        set: u32,
        /// Binding.
        binding: u32,
    },
    /// An argument of a kernel.
    Argument(Argument),
}

/// A top level that is bound.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoundStructure {
    /// Its line.
    pub line: Line,
    /// Its name.
    pub structure: String,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
}

named_enum!(
    serde if feature = "serde";
    /// When a vertex buffer moves on.
    Rate {
        /// At each vertex.
        Vertex = "vertex",
        /// At each instance.
        Instance = "instance",
    }
);

/// A buffer of vertices.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VertexData {
    /// Its line.
    pub line: Line,
    /// The name of the buffer.
    pub buffer: String,
    /// The location of the attribute.
    pub location: u32,
    /// When it moves on, where it is given: else at each vertex.
    pub rate: Option<Rate>,
    /// The format, where it is given: else the type of the buffer.
    pub format: Option<DataType>,
    /// Offset in bytes, where it is given: else 0.
    pub offset: Option<u32>,
    /// Bytes between vertices, where they are given: else the size of the format.
    pub stride: Option<u32>,
}

/// The value of an argument of a kernel.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KernelValue {
    /// Its line.
    pub line: Line,
    /// The argument.
    pub argument: Argument,
    /// Its type, a scalar.
    pub ty: Numbers,
    /// Its value.
    pub value: Number,
}

/// What a ray tracing pipeline has besides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RayTracing {
    /// It is a library.
    pub is_library: bool,
    /// The libraries that it uses.
    pub libraries: Vec<String>,
    /// Groups of shaders.
    pub groups: Vec<ShaderGroup>,
    /// Shader binding tables.
    pub tables: Vec<BindingTable>,
    /// The greatest payload in bytes, where it is given.
    pub max_payload: Option<u32>,
    /// The greatest hit attribute in bytes, where it is given.
    pub max_attribute: Option<u32>,
    /// The deepest recursion, where it is given: else 1.
    pub max_recursion: Option<u32>,
}

/// A group of shaders.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShaderGroup {
    /// Its line.
    pub line: Line,
    /// Its name.
    pub name: String,
    /// Names of its shaders.
    pub shaders: Vec<String>,
}

/// A shader binding table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BindingTable {
    /// Its line.
    pub line: Line,
    /// Its name.
    pub name: String,
    /// Names of its groups.
    pub groups: Vec<String>,
}

impl Pipeline {
    /// An empty one.
    pub fn new(line: Line, kind: PipelineKind, name: String) -> Pipeline {
        Pipeline {
            line,
            kind,
            name,
            parent: None,
            shaders: Vec::new(),
            optimizations: Vec::new(),
            compile_options: Vec::new(),
            subgroups: Vec::new(),
            framebuffer: None,
            viewport: None,
            polygon_mode: None,
            patch_control_points: None,
            depth: None,
            stencil: Vec::new(),
            blend: None,
            buffers: Vec::new(),
            samplers: Vec::new(),
            structures: Vec::new(),
            vertex_data: Vec::new(),
            index_data: None,
            arguments: Vec::new(),
            rays: RayTracing::default(),
        }
    }

    /// Width and height of the framebuffer.
    pub fn framebuffer_size(&self) -> [u32; 2] {
        self.framebuffer.unwrap_or([250, 250])
    }

    /// This one, with what another states in addition or instead.
    #[must_use]
    pub fn overridden_by(mut self, own: Pipeline) -> Pipeline {
        (self.line, self.name) = (own.line, own.name);
        self.shaders.extend(own.shaders);
        self.optimizations.extend(own.optimizations);
        self.compile_options.extend(own.compile_options);
        self.subgroups.extend(own.subgroups);
        self.framebuffer = own.framebuffer.or(self.framebuffer);
        self.viewport = own.viewport.or(self.viewport);
        self.polygon_mode = own.polygon_mode.or(self.polygon_mode);
        self.patch_control_points = own.patch_control_points.or(self.patch_control_points);
        self.depth = merged(self.depth, own.depth, Depth::overridden_by);
        self.stencil.extend(own.stencil);
        self.blend = merged(self.blend, own.blend, Blend::overridden_by);
        for bound in own.buffers {
            self.bind(bound);
        }
        self.samplers.extend(own.samplers);
        self.structures.extend(own.structures);
        self.vertex_data.extend(own.vertex_data);
        self.index_data = own.index_data.or(self.index_data);
        self.arguments.extend(own.arguments);
        self.rays.is_library |= own.rays.is_library;
        self.rays.libraries.extend(own.rays.libraries);
        self.rays.groups.extend(own.rays.groups);
        self.rays.tables.extend(own.rays.tables);
        self.rays.max_payload = own.rays.max_payload.or(self.rays.max_payload);
        self.rays.max_attribute = own.rays.max_attribute.or(self.rays.max_attribute);
        self.rays.max_recursion = own.rays.max_recursion.or(self.rays.max_recursion);
        self
    }

    /// Binds a buffer; of one place the last one stays.
    pub fn bind(&mut self, bound: BoundBuffer) {
        if let Some(place) = place(&bound.role) {
            self.buffers.retain(|other| self::place(&other.role) != Some(place));
        }
        self.buffers.push(bound);
    }

    /// The stencil tests of front and of back faces.
    pub fn stencil_faces(&self) -> [Option<Stencil>; 2] {
        let of = |face: Face| {
            let own = self.stencil.iter().filter(|one| one.face == face || one.face == Face::FrontAndBack);
            own.cloned().reduce(Stencil::overridden_by)
        };
        [of(Face::Front), of(Face::Back)]
    }
}

/// Set and binding of a descriptor.
fn place(role: &BufferRole) -> Option<(u32, u32)> {
    match role {
        BufferRole::Descriptor { set, binding, .. } => Some((*set, *binding)),
        _ => None,
    }
}

fn merged<T>(first: Option<T>, second: Option<T>, with: fn(T, T) -> T) -> Option<T> {
    match (first, second) {
        (Some(first), Some(second)) => Some(with(first, second)),
        (first, second) => second.or(first),
    }
}

impl Depth {
    /// This one, with what another states.
    #[must_use]
    pub fn overridden_by(self, own: Depth) -> Depth {
        Depth {
            line: own.line,
            test: own.test.or(self.test),
            write: own.write.or(self.write),
            compare_op: own.compare_op.or(self.compare_op),
            clamp: own.clamp.or(self.clamp),
            bounds: own.bounds.or(self.bounds),
            bias: own.bias.or(self.bias),
        }
    }
}

impl Stencil {
    /// This one, with what another states.
    #[must_use]
    pub fn overridden_by(self, own: Stencil) -> Stencil {
        Stencil {
            line: own.line,
            face: own.face,
            test: own.test.or(self.test),
            fail_op: own.fail_op.or(self.fail_op),
            pass_op: own.pass_op.or(self.pass_op),
            depth_fail_op: own.depth_fail_op.or(self.depth_fail_op),
            compare_op: own.compare_op.or(self.compare_op),
            compare_mask: own.compare_mask.or(self.compare_mask),
            write_mask: own.write_mask.or(self.write_mask),
            reference: own.reference.or(self.reference),
        }
    }
}

impl Blend {
    /// This one, with what another states.
    #[must_use]
    pub fn overridden_by(self, own: Blend) -> Blend {
        Blend {
            line: own.line,
            src_color: own.src_color.or(self.src_color),
            dst_color: own.dst_color.or(self.dst_color),
            color_op: own.color_op.or(self.color_op),
            src_alpha: own.src_alpha.or(self.src_alpha),
            dst_alpha: own.dst_alpha.or(self.dst_alpha),
            alpha_op: own.alpha_op.or(self.alpha_op),
        }
    }
}
