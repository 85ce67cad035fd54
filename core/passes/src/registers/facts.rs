//! The inputs of the register rules, as plain data. Reads and writes count after dead code is removed.

use crate::guessed_layout::UserData;
use lanescope_model::options::Options;
use lanescope_model::program::StageKind;

/// Facts of a fragment shader. Its interpolants, generic and built-in, come from the packing artifact.
///
/// `Default` is an empty shader.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PixelFacts {
    /// Components of FragCoord that are read, as bits 0 to 3.
    pub frag_coord: u8,
    /// FragCoord is decorated `Sample`.
    pub frag_coord_is_sample: bool,
    /// FrontFacing is read.
    pub front_facing: bool,
    /// SampleId or SamplePosition is read.
    pub sample_id: bool,
    /// SampleId or SamplePosition occurs in reachable code, even if nothing depends on it any more.
    pub sample_id_met: bool,
    /// The SampleMask input is read.
    pub sample_mask_in: bool,
    /// ShadingRate is read.
    pub shading_rate: bool,
    /// Explicit barycentric built-ins that are read, as bits of SPI_PS_INPUT_ADDR.
    pub barycentrics: u32,
    /// A per-vertex input or a barycentric built-in is read whose order of vertices follows the provoking vertex.
    pub provoking_vertex: bool,
    /// Kill, terminate or demote anywhere reachable.
    pub discard: bool,
    /// Memory that others can see is written: storage buffers, images, physical addresses.
    pub resource_write: bool,
    /// FragDepth is written.
    pub depth: bool,
    /// FragStencilRef is written.
    pub stencil_ref: bool,
    /// The SampleMask output is written.
    pub sample_mask: bool,
    /// EarlyFragmentTests.
    pub early_tests: bool,
    /// PostDepthCoverage.
    pub post_depth_coverage: bool,
    /// Ordered fragment shader interlock.
    pub ordered: bool,
    /// PixelCenterInteger.
    pub integer_pixel_center: bool,
    /// DepthLess or DepthGreater.
    pub conservative_depth: Option<ConservativeDepth>,
    /// FLOAT_MODE.
    pub float_mode: FloatMode,
    /// Colour outputs that are written, by location and index.
    pub colors: Vec<ColorOutput>,
}

/// Relation of a written depth to the interpolated one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConservativeDepth {
    /// Never greater.
    Less,
    /// Never less.
    Greater,
}

/// One colour output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColorOutput {
    /// Its location: the attachment.
    pub location: u32,
    /// 1 for the second source of dual-source blending.
    pub index: u32,
    /// Components that the output has, as bits 0 to 3.
    pub mask: u8,
    /// Type of its components.
    pub numeric: Numeric,
}

/// The numeric type of a colour output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numeric {
    /// Floating point.
    Float,
    /// Unsigned integers.
    Uint,
    /// Signed integers.
    Sint,
}

/// Rounding and denormals, as FLOAT_MODE encodes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatMode {
    /// The field's eight bits.
    pub bits: u32,
    /// An execution mode changed it.
    pub changed: bool,
}

impl Default for FloatMode {
    /// Round to nearest even, 32-bit denormals flushed, 16- and 64-bit ones kept.
    fn default() -> Self {
        FloatMode { bits: 0xc0, changed: false }
    }
}

/// Facts of the last stage before the rasteriser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProducerFacts {
    /// The last stage before the rasteriser.
    pub stage: StageKind,
    /// PointSize is written.
    pub point_size: bool,
    /// Every value that is written to PointSize is the constant 1.0, the size of a point without it.
    pub point_size_is_one: bool,
    /// Layer is written.
    pub layer: bool,
    /// ViewportIndex is written.
    pub viewport_index: bool,
    /// PrimitiveShadingRate is written.
    pub shading_rate: bool,
    /// Number of clip distances that are written.
    pub clip: u32,
    /// Number of cull distances that are written.
    pub cull: u32,
    /// Each view of a multiview pipeline draws to its own layer, which the driver's compiler exports.
    pub multiview: bool,
}

impl ProducerFacts {
    /// A stage that writes no built-in but the position.
    pub fn of(stage: StageKind) -> ProducerFacts {
        ProducerFacts {
            stage,
            point_size: false,
            point_size_is_one: false,
            layer: false,
            viewport_index: false,
            shading_rate: false,
            clip: 0,
            cull: 0,
            multiview: false,
        }
    }

    /// The facts of the stage in a pipeline of these options: multiview adds the layer, and a point size of 1.0 goes
    /// where the options ask for that.
    pub fn in_pipeline(self, options: &Options) -> ProducerFacts {
        let drops_size = options.optimize_point_size && self.point_size_is_one;
        ProducerFacts {
            point_size: self.point_size && !drops_size,
            layer: self.layer || options.multiview,
            multiview: options.multiview,
            ..self
        }
    }

    /// Clip and cull distances together, at most the eight that the hardware has.
    pub fn distances(&self) -> u32 {
        self.clip.saturating_add(self.cull).min(8)
    }
}

/// Facts of a compute or task shader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComputeFacts {
    /// Compute or task.
    pub stage: StageKind,
    /// Invocations in X, Y, Z.
    pub size: [u32; 3],
    /// Lanes of a wave.
    pub wave: u32,
    /// Components of WorkgroupId that are read, as bits 0 to 2.
    pub workgroup_id: u8,
    /// Some of them through GlobalInvocationId.
    pub through_global_id: bool,
    /// Bytes of workgroup variables; absent where a type's size is unknown.
    pub lds_bytes: Option<u64>,
    /// Image instructions are used.
    pub images: bool,
    /// FLOAT_MODE.
    pub float_mode: FloatMode,
}

impl ComputeFacts {
    /// A compute shader that reads and writes nothing.
    pub fn of(size: [u32; 3], wave: u32) -> ComputeFacts {
        ComputeFacts {
            stage: StageKind::Compute,
            size,
            wave,
            workgroup_id: 0,
            through_global_id: false,
            lds_bytes: Some(0),
            images: false,
            float_mode: FloatMode::default(),
        }
    }
}

/// Facts that only a back end or a pipeline layout has. `Default` has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// Vector registers that the code uses.
    pub vgprs: Option<u32>,
    /// Scalar registers that the code uses.
    pub sgprs: Option<u32>,
    /// Whether scratch memory is used.
    pub scratch: Option<bool>,
    /// Bytes of code.
    pub code_bytes: Option<u32>,
    /// How the layout's user data is passed.
    pub user_data: Option<UserData>,
    /// Why that is not known, though there is a layout.
    pub not_passed: Option<&'static str>,
}
