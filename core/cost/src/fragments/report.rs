//! What is found of a draw, as plain data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::{AccessSite, Cost, Counts, Dependence, Source};
use crate::tiling::Tiling;
use lanescope_base::named_enum;
use lanescope_interpreter::LoggedFilter;
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;

/// Memory accesses of a graphics pipeline in a draw of the interpreter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DrawAccesses {
    /// Those of the task and the mesh shader, by workgroup layout.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub workgroups: Vec<StageAccesses>,
    /// Those of the fragment shader; absent where they are not counted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fragment: Option<FragmentCost>,
    /// What is not counted, and why.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub not_counted: Vec<String>,
}

/// Memory accesses of a task or a mesh shader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StageAccesses {
    /// The stage.
    pub stage: StageKind,
    /// What its workgroups do.
    pub cost: Cost,
}

/// Memory accesses of the fragment shader of a draw, by wave size and by how texels lie in memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FragmentCost {
    /// The entry point.
    pub entry: String,
    /// Width and height of the attachments in pixels.
    pub size: [u32; 2],
    /// Invocations that cover a sample.
    pub fragments: u64,
    /// Helper invocations of the quads that a primitive covers in part.
    pub helpers: u64,
    /// Invocations whose accesses are counted, helper invocations included: all, or a sample of waves of 64 that is spread
    /// evenly.
    pub counted: u64,
    /// The chip.
    pub chip: Target,
    /// Lanes of a wave that the options select.
    pub wave: u32,
    /// Bytes of a line of the chip's vector cache.
    pub line: u32,
    /// How texels lie, as selected.
    pub tiling: Tiling,
    /// Wave sizes and tilings, side by side. Where no image is accessed, of the selected tiling alone.
    pub variants: Vec<FragmentVariant>,
    /// Which tiling has the fewest lines, and what helper invocations touch, as text.
    pub sentence: String,
    /// The instructions that access memory, in module order. Each variant counts them in this order.
    pub accesses: Vec<AccessSite>,
    /// Which texels of each image are read.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub footprints: Vec<Footprint>,
    /// What buffers, images and push constants hold that are not given.
    pub contents: String,
    /// Inputs that addresses depend on.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub depends: Vec<Dependence>,
    /// Whether these are not known: the shader is too large to follow its values.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub not_followed: bool,
    /// What limits the result.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// What the figures are based on.
    pub sources: Vec<Source>,
}

impl FragmentCost {
    /// The variant that is selected.
    pub fn selected(&self) -> Option<&FragmentVariant> {
        self.variants.iter().find(|variant| variant.selected)
    }
}

/// A wave size with a tiling, and its counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FragmentVariant {
    /// Lanes of a wave.
    pub wave: u32,
    /// How texels lie in memory.
    pub tiling: Tiling,
    /// Whether the options select both.
    pub selected: bool,
    /// All accesses.
    pub total: FragmentCounts,
    /// By access.
    pub accesses: Vec<FragmentCounts>,
}

/// What waves of fragments do. Everything is summed over the waves that are counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FragmentCounts {
    /// Accesses of waves: each time that an instruction runs with a lane that accesses memory.
    pub runs: u64,
    /// Accesses of lanes, helper invocations included.
    pub lanes: u64,
    /// Those of helper invocations.
    pub helper_lanes: u64,
    /// Bytes that lanes ask for: of each texel that a filter reads.
    pub bytes: u64,
    /// Different sectors of 32 bytes, for each access of a wave.
    pub sectors: u64,
    /// Different lines of 64 bytes, for each access of a wave.
    pub lines_64: u64,
    /// Different lines of 128 bytes, for each access of a wave.
    pub lines_128: u64,
    /// Lines of the chip's size that are left if helper invocations access nothing, for each access of a wave.
    pub lines_without_helpers: u64,
    /// Bytes that are moved: 32 for each sector.
    pub bytes_moved: u64,
    /// Different lines of the chip's size in all accesses of a wave, summed over waves.
    pub wave_lines: u64,
    /// Different 2×2 blocks of texels that four consecutive lanes access, for each access of a wave to an image.
    pub texel_quads: u64,
}

impl FragmentCounts {
    /// The counts of all lanes, beside those without helper invocations.
    pub(super) fn of(all: &Counts, without_helpers: &Counts, line: u32) -> FragmentCounts {
        FragmentCounts {
            runs: all.runs,
            lanes: all.lanes,
            helper_lanes: all.lanes.saturating_sub(without_helpers.lanes),
            bytes: all.bytes,
            sectors: all.sectors,
            lines_64: all.lines_64,
            lines_128: all.lines_128,
            lines_without_helpers: without_helpers.lines(line),
            bytes_moved: all.bytes_moved,
            wave_lines: all.wave_lines,
            texel_quads: all.texel_quads,
        }
    }

    /// Lines of a size, for each access of a wave.
    pub fn lines(&self, line: u32) -> u64 {
        if line == 64 { self.lines_64 } else { self.lines_128 }
    }

    /// The share of helper invocations among the accesses of lanes, in percent, rounded.
    pub fn helper_share(&self) -> u64 {
        (self.helper_lanes * 100 + self.lanes / 2).checked_div(self.lanes).unwrap_or(0)
    }
}

named_enum!(
    /// How texels are read.
    TexelFilter {
        /// A texel that the instruction names.
        Unfiltered = "unfiltered",
        /// The nearest texel of one level.
        Nearest = "nearest",
        /// The texels around the coordinate in one level.
        Linear = "linear",
        /// The nearest texel of each of two levels.
        NearestOfTwo = "nearest-of-two-levels",
        /// The texels around the coordinate in each of two levels.
        LinearOfTwo = "linear-of-two-levels",
        /// The four texels of a gather.
        Gather = "gather",
    }
);

impl From<Option<LoggedFilter>> for TexelFilter {
    fn from(filter: Option<LoggedFilter>) -> TexelFilter {
        match filter {
            None => TexelFilter::Unfiltered,
            Some(LoggedFilter::Nearest) => TexelFilter::Nearest,
            Some(LoggedFilter::Linear) => TexelFilter::Linear,
            Some(LoggedFilter::NearestOfTwo) => TexelFilter::NearestOfTwo,
            Some(LoggedFilter::LinearOfTwo) => TexelFilter::LinearOfTwo,
            Some(LoggedFilter::Gather) => TexelFilter::Gather,
        }
    }
}

/// The texels of a level of an image that are read by all invocations that are counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Footprint {
    /// The image.
    pub image: String,
    /// Its element in an array of descriptors.
    pub element: u32,
    /// The level.
    pub level: u32,
    /// Width, height and depth of the level.
    pub size: [u32; 3],
    /// Its layers.
    pub layers: u32,
    /// Reads of lanes, by how they read.
    pub reads: Vec<FilteredReads>,
    /// Texels that these read, each as often as it is read.
    pub texels: u64,
    /// Different texels among them; absent where they are too many to be told apart.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub different: Option<u64>,
}

impl Footprint {
    /// Texels of the level, in all layers.
    pub fn all(&self) -> u64 {
        self.size.iter().map(|side| u64::from(*side)).product::<u64>() * u64::from(self.layers)
    }
}

/// Reads of lanes with one filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FilteredReads {
    /// How they read.
    pub filter: TexelFilter,
    /// How many.
    pub reads: u64,
}
