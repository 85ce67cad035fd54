//! What is found, as plain data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::measured::Measured;
use crate::tiling::Tiling;
use lanescope_base::named_enum;
use lanescope_model::target::Target;
use lanescope_passes::workgroup::{Macro, Micro};

/// What the layouts of a workgroup do to the memory accesses of a compute shader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// The entry point.
    pub entry: String,
    /// X, Y, Z of a workgroup.
    pub size: [u32; 3],
    /// Workgroups of the dispatch.
    pub groups: [u32; 3],
    /// Who decided them.
    pub groups_reason: String,
    /// Workgroups whose accesses are counted: all, or a sample that is spread evenly.
    pub counted: u64,
    /// The chip.
    pub chip: Target,
    /// Lanes of a wave.
    pub wave: u32,
    /// Bytes of a line of the chip's vector cache, in which reuse is counted and layouts are compared.
    pub line: u32,
    /// How texels lie in memory.
    pub tiling: Tiling,
    /// The layouts, side by side.
    pub layouts: Vec<LayoutCost>,
    /// Which layout has the least.
    pub advice: Advice,
    /// The instructions that access memory, in module order. Each layout counts them in this order.
    pub accesses: Vec<AccessSite>,
    /// Orders of workgroups, by the lines that neighbours in time share; absent where not all workgroups are counted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub orders: Option<Orders>,
    /// The times of the layouts on a device; absent where none was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub measured: Option<Measured>,
    /// What buffers, images and push constants hold that are not given: `zeros`.
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

impl Cost {
    /// The index of the access whose figure differs most between layouts: lines, or passes of shared memory. None
    /// without accesses.
    pub fn telling_access(&self) -> Option<usize> {
        let spread = |at: &usize| {
            let shared = self.accesses.get(*at).is_some_and(|site| site.memory == MemoryKind::Shared);
            let figure = if shared { Figure::LdsPasses } else { Figure::Lines };
            let of = |layout: &LayoutCost| Some(layout.accesses.get(*at)?.figure(figure, self.line));
            let all: Vec<u64> = self.layouts.iter().filter_map(of).collect();
            all.iter().max().copied().unwrap_or(0) - all.iter().min().copied().unwrap_or(0)
        };
        // The first of several that are equal.
        (0..self.accesses.len()).rev().max_by_key(spread)
    }
}

/// A layout and its counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LayoutCost {
    /// Its tiles: `8×N strips of 2×2 quads`.
    pub layout: String,
    /// The small tile.
    pub micro: Micro,
    /// The large tile.
    #[serde(rename = "macro")]
    pub macro_tile: Macro,
    /// The flags that give it, with the shader's derivative groups: `default`, `--reconfig`. Empty where none do.
    pub options: Vec<String>,
    /// Whether the given options give it.
    pub selected: bool,
    /// Why the workgroup cannot have it; absent where it can.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unavailable: Option<String>,
    /// All accesses; absent for a layout that the workgroup cannot have.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub total: Option<Counts>,
    /// By access.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub accesses: Vec<Counts>,
}

/// What waves do. Everything is summed over the workgroups that are counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// Accesses of waves: each time that an instruction runs with a lane that accesses memory. Lanes that run it for the
    /// same time count as one access of their wave.
    pub runs: u64,
    /// Accesses of lanes.
    pub lanes: u64,
    /// Bytes that lanes ask for, of buffers and images.
    pub bytes: u64,
    /// Different sectors of 32 bytes, for each access of a wave.
    pub sectors: u64,
    /// Different lines of 64 bytes, for each access of a wave.
    pub lines_64: u64,
    /// Different lines of 128 bytes, for each access of a wave.
    pub lines_128: u64,
    /// Bytes that are moved: 32 for each sector.
    pub bytes_moved: u64,
    /// Different lines of the chip's size in all accesses of a wave, summed over waves.
    pub wave_lines: u64,
    /// Different lines of the chip's size in all accesses of a workgroup, summed over workgroups.
    pub group_lines: u64,
    /// Different 2×2 blocks of texels that four consecutive lanes access, for each access of a wave to an image.
    pub texel_quads: u64,
    /// Bytes that lanes ask for, of shared memory.
    pub lds_bytes: u64,
    /// Passes of LDS.
    pub lds_passes: u64,
    /// Passes of LDS if no banks conflicted.
    pub lds_least: u64,
}

impl Counts {
    /// Lines of a size, for each access of a wave.
    pub fn lines(&self, line: u32) -> u64 {
        if line == 64 { self.lines_64 } else { self.lines_128 }
    }

    /// A figure by which layouts are compared.
    pub fn figure(&self, figure: Figure, line: u32) -> u64 {
        match figure {
            Figure::Lines => self.lines(line),
            Figure::LdsPasses => self.lds_passes,
            Figure::Sectors => self.sectors,
            Figure::TexelQuads => self.texel_quads,
        }
    }

    /// Adds other counts.
    pub(crate) fn add(&mut self, other: &Counts) {
        self.runs += other.runs;
        self.lanes += other.lanes;
        self.bytes += other.bytes;
        self.sectors += other.sectors;
        self.lines_64 += other.lines_64;
        self.lines_128 += other.lines_128;
        self.bytes_moved += other.bytes_moved;
        self.wave_lines += other.wave_lines;
        self.group_lines += other.group_lines;
        self.texel_quads += other.texel_quads;
        self.lds_bytes += other.lds_bytes;
        self.lds_passes += other.lds_passes;
        self.lds_least += other.lds_least;
    }
}

named_enum!(
    /// What an access does.
    AccessKind {
        /// It reads.
        Load = "load",
        /// It writes.
        Store = "store",
        /// It is an atomic operation.
        Atomic = "atomic",
    }
);

named_enum!(
    /// The memory that an access is to.
    MemoryKind {
        /// A buffer.
        Buffer = "buffer",
        /// An image or a texel buffer.
        Image = "image",
        /// Workgroup memory: LDS.
        Shared = "shared",
        /// Push constants, which are not counted: drivers keep them in registers or read them by scalar loads.
        PushConstants = "push-constants",
    }
);

/// An instruction that accesses memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AccessSite {
    /// Index of the instruction in its module.
    pub instruction: u32,
    /// Its name: `OpImageRead`.
    pub name: String,
    /// What it does.
    pub kind: AccessKind,
    /// The memory.
    pub memory: MemoryKind,
    /// The variable, or the first of several.
    pub resource: String,
    /// Most bytes that a lane accesses at once.
    pub bytes: u32,
    /// Its source line, `FILE:LINE`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<String>,
    /// Its number in the file.
    #[serde(skip)]
    pub line_number: Option<u32>,
    /// Times that it accessed beyond its memory, or through a null descriptor: those are not counted.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub beyond: u64,
    /// By local invocation index: the line that it touches first, in the first workgroup, numbered by address; of shared
    /// memory the bank, 0 to 31. `None` for an invocation that does not run it.
    #[serde(skip)]
    pub touched: Vec<Option<u32>>,
}

pub(crate) fn is_zero(count: &u64) -> bool {
    *count == 0
}

named_enum!(
    /// A figure by which layouts are compared.
    Figure {
        /// Lines of the chip's vector cache.
        Lines = "lines",
        /// Passes of LDS.
        LdsPasses = "lds-passes",
        /// Sectors of 32 bytes.
        Sectors = "sectors",
        /// 2×2 blocks of texels of four lanes.
        TexelQuads = "texel-quads",
    }
);

impl Figure {
    /// The figure as text.
    pub fn words(self, line: u32) -> String {
        match self {
            Figure::Lines => format!("lines of {line} bytes"),
            Figure::LdsPasses => "LDS passes".to_owned(),
            Figure::Sectors => "sectors of 32 bytes".to_owned(),
            Figure::TexelQuads => "texel quads of four lanes".to_owned(),
        }
    }
}

named_enum!(
    /// What comparing layouts leads to.
    Verdict {
        /// All layouts have the same figures.
        NoDifference = "no-difference",
        /// The selected layout has the least.
        Keep = "keep",
        /// Another layout has the least.
        Change = "change",
        /// The layout with the fewest lines does not have the fewest passes of LDS.
        TradeOff = "trade-off",
        /// No memory is accessed, or there is one layout only.
        Nothing = "nothing",
    }
);

/// Which layout has the least.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Advice {
    /// The verdict.
    pub verdict: Verdict,
    /// The layout that is recommended: with `change` and `keep`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub layout: Option<String>,
    /// The figure that decides.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub figure: Option<Figure>,
    /// The verdict with its figures, as text.
    pub text: String,
}

/// Orders of workgroups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Orders {
    /// Consecutive workgroups whose lines are taken together.
    pub window: u32,
    /// The orders.
    pub orders: Vec<OrderCost>,
    /// Which order has the least.
    pub advice: Advice,
}

/// An order of workgroups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OrderCost {
    /// Side of a tile of workgroup ids; absent for row-major.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tile: Option<u32>,
    /// Whether the given options give it.
    pub selected: bool,
    /// Different lines of the chip's size in each window, summed over windows; absent where the dispatch has too few
    /// workgroups for the tile.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lines: Option<u64>,
}

/// An input that accesses depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dependence {
    /// The buffer, image or push constants.
    pub resource: String,
    /// Descriptor set and binding; absent for push constants.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub descriptor: Option<[u32; 2]>,
    /// Indices of the instructions whose addresses may depend on its contents.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub addresses: Vec<u32>,
    /// Whether branches may depend on it: which instructions run, and how often.
    pub branches: bool,
    /// Whether its contents are given.
    pub given: bool,
}

/// What a figure is based on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// The figure.
    pub figure: String,
    /// D documented by the vendor, S read in driver source, M measured by others, C computed here from the formula, H seen
    /// here, G a guess.
    pub mark: String,
    /// The rule, and where it is from.
    pub rule: String,
}
