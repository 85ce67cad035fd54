//! Which lane of which wave runs which invocation of a workgroup.

use serde::{Deserialize, Serialize};

use crate::options::{Derivatives, LayoutRules, named_enum};
use crate::program::StageKind;

named_enum!(
    /// The small tile: how consecutive threads group.
    Micro {
        /// Row-major.
        None = "none",
        /// Row-major, with linear derivative groups.
        Linear = "linear",
        /// 2x2 quads.
        Quads = "quads",
    }
);

named_enum!(
    /// The large tile.
    Macro {
        /// None.
        None = "none",
        /// Strips 8 wide and as tall as the group, one after the other.
        Block8 = "block8",
    }
);

/// The layout of one compute, task or mesh entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    /// The entry point.
    pub entry: String,
    /// Its stage.
    pub stage: StageKind,
    /// X, Y, Z in invocations, after every override.
    pub size: [u32; 3],
    /// The size as the module says it (specialization constants at their set values).
    pub declared_size: [u32; 3],
    /// The derivative group.
    pub derivatives: Derivatives,
    /// The small tile.
    pub micro: Micro,
    /// The large tile.
    #[serde(rename = "macro")]
    pub macro_tile: Macro,
    /// The rule set.
    pub layout_rules: LayoutRules,
    /// Whether X and Y were folded into one dimension (no current rule set does).
    pub folded: bool,
    /// The decision, in the order in which it was taken.
    pub rules: Vec<Rule>,
    /// Thread `h` of the group runs invocation `lanes[h]`. Absent where a finding forbids it and on gfx12 (but for mesh).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lanes: Option<Vec<[u32; 3]>>,
    /// log2 of the hardware's tile, on gfx12: written in place of arithmetic.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub interleave: Option<[u32; 2]>,
    /// The wave size that the map is shown for.
    pub wave: u32,
}

/// One rule of the decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// A stable id: `force-8xN`.
    pub rule: String,
    /// Whether it held.
    pub held: bool,
    /// The numbers that made it so.
    pub why: String,
}

/// The workgroup-id swizzle of one dispatch: a permutation of groups, not of invocations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupMap {
    /// Side of a tile in groups.
    pub tile: u32,
    /// Size of the dispatch in groups.
    pub groups: [u32; 3],
    /// Whether the dispatch is large enough for the swizzle.
    pub applies: bool,
    /// Group `f` of one z slice (in launch order, `gy * Gx + gx`) gets the id `ids[f]`.
    pub ids: Vec<[u32; 2]>,
}
