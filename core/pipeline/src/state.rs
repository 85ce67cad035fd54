//! The state of a pipeline. What is absent was not described: recorders drop what cannot matter.

use super::vulkan::{
    BlendFactor, BlendOp, CompareOp, DynamicState, FrontFace, GroupType, InputRate, LogicOp, PolygonMode,
    ProvokingVertex, StencilOp, Topology, VkFormat,
};
use crate::ColorTarget;

/// The state of a pipeline.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct State {
    /// Vertex input.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub vertex_input: Option<VertexInput>,
    /// Primitive topology.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub topology: Option<Topology>,
    /// Primitives restart at the highest index.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub primitive_restart: Option<bool>,
    /// Vertices of a patch.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub patch_control_points: Option<u32>,
    /// Number of viewports and scissors.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub viewports: Option<[u32; 2]>,
    /// Rasterisation.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub raster: Option<Raster>,
    /// Samples.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub multisample: Option<Multisample>,
    /// Depth and stencil tests.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub depth_stencil: Option<DepthStencil>,
    /// Attachments.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub attachments: Option<Attachments>,
    /// State that is set when commands are recorded: what is described of it here does not count.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub dynamic: Vec<DynamicState>,
    /// Ray tracing.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub ray_tracing: Option<RayTracing>,
    /// Creation flags of the pipeline.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub flags: Option<u64>,
}

impl State {
    /// Whether a state is set when commands are recorded.
    pub fn is_dynamic(&self, state: DynamicState) -> bool {
        self.dynamic.contains(&state)
    }
}

/// Vertex input state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VertexInput {
    /// Location in the file: `line 40`, `graphics pipeline 0x…`.
    pub from: String,
    /// Buffers.
    pub bindings: Vec<VertexBinding>,
    /// Attributes.
    pub attributes: Vec<VertexAttribute>,
}

/// A buffer of vertices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VertexBinding {
    /// Its number.
    pub binding: u32,
    /// Bytes between vertices.
    pub stride: u32,
    /// Input rate.
    pub rate: InputRate,
    /// Instances between two values.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub divisor: Option<u32>,
}

/// An attribute of a vertex.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VertexAttribute {
    /// Its location in the vertex shader.
    pub location: u32,
    /// The buffer that it is read from.
    pub binding: u32,
    /// Its format.
    pub format: VkFormat,
    /// Its place in a vertex, in bytes.
    pub offset: u32,
}

/// Rasterisation.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Raster {
    /// Location in the file.
    pub from: String,
    /// Depths are clamped.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub depth_clamp: Option<bool>,
    /// Depths are clipped.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub depth_clip: Option<bool>,
    /// Nothing is rasterised.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub discard: Option<bool>,
    /// Polygon mode.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub polygon_mode: Option<PolygonMode>,
    /// Culled faces: bit 0 front, bit 1 back.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub cull_mode: Option<u32>,
    /// Winding of front faces.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub front_face: Option<FrontFace>,
    /// Constant, clamp and slope, where depths are biased.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub depth_bias: Option<[f64; 3]>,
    /// Width of lines.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub line_width: Option<f64>,
    /// Provoking vertex of flat values.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub provoking_vertex: Option<ProvokingVertex>,
    /// The vertex stream that is rasterised.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub stream: Option<u32>,
}

impl Raster {
    /// Merges another part of the pipeline; what is already set stays.
    pub fn add(&mut self, other: Raster) {
        self.depth_clamp = self.depth_clamp.or(other.depth_clamp);
        self.depth_clip = self.depth_clip.or(other.depth_clip);
        self.discard = self.discard.or(other.discard);
        self.polygon_mode = self.polygon_mode.or(other.polygon_mode);
        self.cull_mode = self.cull_mode.or(other.cull_mode);
        self.front_face = self.front_face.or(other.front_face);
        self.depth_bias = self.depth_bias.or(other.depth_bias);
        self.line_width = self.line_width.or(other.line_width);
        self.provoking_vertex = self.provoking_vertex.or(other.provoking_vertex);
        self.stream = self.stream.or(other.stream);
    }
}

/// Samples.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Multisample {
    /// Location in the file.
    pub from: String,
    /// Samples of a pixel.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub samples: Option<u32>,
    /// The shader runs for samples.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub sample_shading: Option<bool>,
    /// Minimum fraction of samples that are shaded.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub min_sample_shading: Option<f64>,
    /// Coverage follows alpha.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub alpha_to_coverage: Option<bool>,
    /// Alpha is replaced by one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub alpha_to_one: Option<bool>,
    /// Sample mask.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub mask: Vec<u32>,
}

impl Multisample {
    /// Merges another part of the pipeline; what is already set stays.
    pub fn add(&mut self, other: Multisample) {
        self.samples = self.samples.or(other.samples);
        self.sample_shading = self.sample_shading.or(other.sample_shading);
        self.min_sample_shading = self.min_sample_shading.or(other.min_sample_shading);
        self.alpha_to_coverage = self.alpha_to_coverage.or(other.alpha_to_coverage);
        self.alpha_to_one = self.alpha_to_one.or(other.alpha_to_one);
        if self.mask.is_empty() {
            self.mask = other.mask;
        }
    }
}

/// Depth and stencil tests.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DepthStencil {
    /// Location in the file.
    pub from: String,
    /// Depths are tested.
    pub depth_test: bool,
    /// Depths are written.
    pub depth_write: bool,
    /// Compare operation of the depth test.
    pub depth_compare: CompareOp,
    /// Lowest and highest depth, where bounds are tested.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub depth_bounds: Option<[f64; 2]>,
    /// Front and back face, where stencils are tested.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub stencil: Option<[StencilFace; 2]>,
}

/// The stencil test of one face.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StencilFace {
    /// Operation where the stencil test fails.
    pub fail: StencilOp,
    /// Operation where both tests pass.
    pub pass: StencilOp,
    /// Operation where the depth test fails.
    pub depth_fail: StencilOp,
    /// Compare operation.
    pub compare: CompareOp,
    /// Bits that are compared.
    pub compare_mask: u32,
    /// Bits that are written.
    pub write_mask: u32,
    /// Reference value.
    pub reference: u32,
}

/// Attachments of a pipeline.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Attachments {
    /// Location in the file: `line 30`, `render pass 0x…, subpass 0`.
    pub from: String,
    /// Colour attachments, by location.
    pub colors: Vec<ColorAttachment>,
    /// The depth attachment's format.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub depth: Option<VkFormat>,
    /// The stencil attachment's format.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub stencil: Option<VkFormat>,
    /// Views that are drawn to.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub view_mask: Option<u32>,
    /// Logic operation, if enabled.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub logic_op: Option<LogicOp>,
    /// Constants of the blend.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub blend_constants: Option<[f64; 4]>,
    /// The first attachment blends two outputs.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not", default))]
    pub dual_source: bool,
}

impl Attachments {
    /// Merges another part of the pipeline; what is already set stays. Of a target that is known only a format
    /// that it lacks is taken: formats and how targets blend may come from different parts.
    pub fn add(&mut self, other: Attachments) {
        let Attachments { from, colors, depth, stencil, view_mask, logic_op, blend_constants, dual_source } = other;
        if self.colors.is_empty() && !colors.is_empty() {
            self.from = from;
        }
        for color in colors {
            match self.colors.iter_mut().find(|known| known.location == color.location) {
                Some(known) => known.format = known.format.or(color.format),
                None => self.colors.push(color),
            }
        }
        self.colors.sort_by_key(|color| color.location);
        self.depth = self.depth.or(depth);
        self.stencil = self.stencil.or(stencil);
        self.view_mask = self.view_mask.or(view_mask);
        self.logic_op = self.logic_op.or(logic_op);
        self.blend_constants = self.blend_constants.or(blend_constants);
        self.dual_source |= dual_source;
    }
}

/// A colour attachment.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ColorAttachment {
    /// Its location.
    pub location: u32,
    /// Its format; absent where the description leaves it out, UNDEFINED where the location has no attachment.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub format: Option<VkFormat>,
    /// Channels that are written: bits 0 to 3 for red, green, blue, alpha.
    pub write_mask: u32,
    /// Whether it blends.
    pub blend: bool,
    /// Whether it multiplies colours by the output's alpha, where the description says that apart from how it blends.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not", default))]
    pub blends_by_alpha: bool,
    /// Blend factors and operations, where they are described.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub equation: Option<Blend>,
}

impl ColorAttachment {
    /// The same attachment with another format.
    pub fn target(&self, format: String) -> ColorTarget {
        let by_alpha = self.blends_by_alpha || self.equation.is_some_and(|equation| equation.takes_alpha());
        ColorTarget {
            format,
            blend: self.blend,
            blends_by_alpha: self.blend && by_alpha,
            unwritten: self.write_mask == 0,
        }
    }
}

/// A blend: what each side is multiplied with, and how they are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Blend {
    /// Colour factors: source, destination.
    pub color: [BlendFactor; 2],
    /// Joins colours.
    pub color_op: BlendOp,
    /// Alpha factors: source, destination.
    pub alpha: [BlendFactor; 2],
    /// Joins alphas.
    pub alpha_op: BlendOp,
}

impl Blend {
    /// Whether a colour is multiplied by the output's alpha.
    pub fn takes_alpha(&self) -> bool {
        // SRC_ALPHA, ONE_MINUS_SRC_ALPHA, SRC_ALPHA_SATURATE.
        self.color.iter().any(|factor| matches!(factor.0, 6 | 7 | 14))
    }
}

/// Ray tracing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RayTracing {
    /// Location in the file.
    pub from: String,
    /// Maximum ray recursion depth.
    pub max_depth: u32,
    /// Groups of shaders.
    pub groups: Vec<ShaderGroup>,
    /// Highest payload size, then attribute size, of libraries.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub interface: Option<[u32; 2]>,
}

/// A group of ray tracing shaders, by index among the description's stages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShaderGroup {
    /// Type of the group.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub ty: GroupType,
    /// Ray generation, miss or callable.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub general: Option<u32>,
    /// Closest hit.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub closest_hit: Option<u32>,
    /// Any hit.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub any_hit: Option<u32>,
    /// Intersection.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub intersection: Option<u32>,
}
