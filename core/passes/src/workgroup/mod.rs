//! Which lane of which wave runs which invocation of a workgroup.
//!
//! The layout is a decision (two tiles, small and large) and a closed form that follows from it. The forms are
//! independent of waves: lane l of wave w runs thread w·wave + l, regardless of the tiles. [`rewrite`] applies the form
//! to the module.

mod decide;
mod derivative;
mod explain;
mod group_tile;
mod lanes;
mod mesh;
mod quad;
pub mod rewrite;
mod rule_sets;
mod size;
mod waves;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::findings::{self, Finding};
use lanescope_base::named_enum;
use lanescope_model::options::{Derivatives, LayoutRules, Options};
use lanescope_model::program::StageKind;
use lanescope_spirv::{EntryPoint, Module};

pub use decide::{Decision, Facts, decide};
pub use derivative::DerivativeUse;
pub use explain::{Explanation, Step, explain};
pub use group_tile::{MAX_LISTED, TILE_SIDES, group_id, group_map};
pub use lanes::{Form, LaneMap, MAX_INVOCATIONS, row_major_index};
pub use mesh::fixed_ids;
pub use quad::{Axis, Precision, difference, quad_of};
pub use rule_sets::{OtherRules, Outcome, RuleMap, RuleSets, RuleVerdict, rule_sets_table};
pub use size::declared_size;
pub use waves::{WaveExtent, wave_size};

/// The number of invocations that common devices offer (`maxComputeWorkGroupInvocations`).
const COMMON_LIMIT: u128 = 1024;

/// The layout of an entry point; none for a stage without workgroups, or where the size cannot be read (a finding
/// says so).
///
/// A size that breaks a rule still gives a layout with its decision; `lanes` is absent where the rule forbids it.
pub fn layout(module: &Module, entry: &EntryPoint, options: &Options, findings: &mut Vec<Finding>) -> Option<Layout> {
    let stage = entry.stage.filter(|stage| stage.has_workgroup())?;
    let mut report = |rule: &findings::Rule, message: String| {
        findings.push(rule.at(Some(stage), Some(findings::Place::entry_point(&entry.name)), message))
    };
    let read = match size::size(module, entry, options) {
        Ok(read) => read,
        Err(why) => {
            report(findings::SIZE_UNKNOWN, why);
            return None;
        }
    };
    if read.used.contains(&0) {
        report(findings::SIZE_ZERO, format!("the size is {}; 0 is treated as 1", size::list(read.used)));
    }
    // From here on no dimension is 0.
    let size = read.used.map(|d| d.max(1));
    let (derivatives, why) = size::derivatives(entry, stage, options);
    let invocations = lanescope_base::grid::volume(size);
    let mut allowed = true;
    let mut forbid = |rule: &findings::Rule, message: String| {
        report(rule, message);
        allowed = false;
    };
    let product = format!("{}·{}·{} = {invocations} invocations", size[0], size[1], size[2]);
    if invocations > u128::from(MAX_INVOCATIONS) {
        forbid(findings::SIZE_TOO_LARGE, format!("{product}; expected at most {MAX_INVOCATIONS}"));
    }
    if derivatives == Derivatives::Quads && (size[0] % 2 != 0 || size[1] % 2 != 0) {
        forbid(findings::QUADS_ODD, format!("derivatives are quads; X = {} and Y = {} must be even", size[0], size[1]));
    }
    if derivatives == Derivatives::Linear && !invocations.is_multiple_of(4) {
        forbid(
            findings::LINEAR_NOT_FOUR,
            format!("derivatives are linear; {product}, {} more than a multiple of 4", invocations % 4),
        );
    }
    if (COMMON_LIMIT + 1..=u128::from(MAX_INVOCATIONS)).contains(&invocations) {
        report(findings::SIZE_LIMIT, format!("{product}; the limit of common devices is {COMMON_LIMIT}"));
    }

    let facts = Facts::new(stage, size, derivatives, options);
    let decision = decide(&facts);
    let map = LaneMap::new(decision.micro, decision.macro_tile, size).filter(|_| allowed && !facts.hardware_walks());
    if stage == StageKind::Mesh && map.is_some_and(|map| map.moves()) {
        let stay = mesh::ids_that_stay(module, entry);
        if !stay.is_empty() {
            let (tiles, ids) = (tiles(decision.micro, decision.macro_tile), stay.join(" and "));
            let (verb, follow) =
                if stay.len() == 1 { ("is", "it no longer follows") } else { ("are", "they no longer follow") };
            let message = format!(
                "LocalInvocationId is remapped to {tiles}, {ids} {verb} not: {follow} from LocalInvocationId, so the \
                 swizzled shader can compute something else"
            );
            report(findings::MESH_IDS_APART, message);
        }
    }
    let mut rules = read.rules;
    rules.push(Rule::new("derivatives-mode", derivatives != Derivatives::None, why));
    rules.extend(decision.rules);
    Some(Layout {
        entry: entry.name.clone(),
        stage,
        size,
        declared_size: read.declared,
        derivatives,
        micro: decision.micro,
        macro_tile: decision.macro_tile,
        layout_rules: options.layout_rules,
        force_swizzle: Some(facts.force),
        other_rules: OtherRules::of(&facts),
        folded: false,
        rules,
        lanes: map.map(|map| map.invocations()),
        interleave: decision.interleave,
        wave: wave_size(options, stage, u64::try_from(invocations).unwrap_or(u64::MAX)),
        derivative_uses: derivative::uses(module, entry, derivatives),
    })
}

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

/// Both tiles in words: `8×N strips of 2×2 quads`.
pub fn tiles(micro: Micro, macro_tile: Macro) -> &'static str {
    match (macro_tile, micro) {
        (Macro::None, Micro::None) => "row-major",
        (Macro::None, Micro::Linear) => "row-major, linear derivative groups",
        (Macro::None, Micro::Quads) => "2×2 quads",
        (Macro::Block8, Micro::None) => "8×N strips",
        (Macro::Block8, Micro::Linear) => "8×N strips, linear derivative groups",
        (Macro::Block8, Micro::Quads) => "8×N strips of 2×2 quads",
    }
}

/// The layout of one compute, task or mesh entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Layout {
    /// The entry point.
    pub entry: String,
    /// Its stage.
    pub stage: StageKind,
    /// X, Y, Z in invocations, after every override; a 0 counts as 1.
    pub size: [u32; 3],
    /// The size in the module (specialization constants at their set values).
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
    /// Whether the options swizzle the thread ids of this stage where the size allows it; absent in older reports.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub force_swizzle: Option<bool>,
    /// What the other rule set makes of the size, where that is something else.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub other_rules: Option<OtherRules>,
    /// Whether X and Y were folded into one dimension (no current rule set does).
    pub folded: bool,
    /// The decision, in the order in which it was taken.
    pub rules: Vec<Rule>,
    /// Thread `h` of the group runs invocation `lanes[h]`. Absent where a finding forbids it and on gfx12 (but for
    /// mesh).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lanes: Option<Vec<[u32; 3]>>,
    /// log2 of the hardware's tile in x and y, on gfx12: written instead of arithmetic. Absent where the compiler
    /// writes none (no tile was decided, and the options give none).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub interleave: Option<[u32; 2]>,
    /// The wave size that the map is shown for.
    pub wave: u32,
    /// The instructions that take derivatives, in module order, each with what it subtracts.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub derivative_uses: Vec<DerivativeUse>,
}

impl Layout {
    /// What decides the layout, of a report with these options.
    pub fn facts(&self, options: &Options) -> Facts {
        let facts = Facts::new(self.stage, self.size, self.derivatives, options);
        // A pipeline's description says it of each stage.
        Facts { force: self.force_swizzle.unwrap_or(facts.force), ..facts }
    }
}

/// One rule of the decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rule {
    /// A stable id: `force-8xN`.
    pub rule: String,
    /// Whether it held.
    pub held: bool,
    /// The numbers that the rule used.
    pub why: String,
}

impl Rule {
    /// The reason in words; for a rule that does not apply, after that statement.
    pub fn reason(&self) -> String {
        if self.held { self.why.clone() } else { format!("does not apply: {}", self.why) }
    }

    fn new(rule: &str, held: bool, why: String) -> Rule {
        Rule { rule: rule.to_owned(), held, why }
    }
}

/// The workgroup-id swizzle of one dispatch: a permutation of groups, not of invocations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GroupMap {
    /// Side of a tile in groups.
    pub tile: u32,
    /// Size of the dispatch in groups.
    pub groups: [u32; 3],
    /// Whether the dispatch is large enough for the swizzle.
    pub applies: bool,
    /// Group `f` of one z slice (in launch order, `gy * Gx + gx`) gets the id `ids[f]`.
    ///
    /// Empty where the slice has too many groups to list (a finding says so).
    pub ids: Vec<[u32; 2]>,
}

#[cfg(test)]
mod tests;
