//! Where LLPC's code and its design note lay a workgroup out differently: for one size, and for all sizes up to 32×32.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::decide::outcome;
use super::{Facts, LaneMap, Macro, Micro, tiles};
use crate::table::{Cell, Column, Key, Table};
use lanescope_base::ids::Thread;
use lanescope_base::{grid, named_enum};
use lanescope_model::options::{Derivatives, LayoutRules};

named_enum!(
    /// What two rule sets make of one size.
    RuleVerdict {
        /// The same tiles; of hardware that walks tiles the same interleave.
        Same = "same",
        /// Other tiles, which give the same invocation ids.
        SameIds = "same ids",
        /// Other invocation ids, or another tile that the hardware walks.
        Differ = "differ",
        /// Derivative groups do not allow the size, or it has too many invocations.
        NotAllowed = "not allowed",
    }
);

/// What a rule set makes of a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The small tile.
    pub micro: Micro,
    /// The large tile.
    pub macro_tile: Macro,
    /// log2 of the tile that the hardware is programmed to walk, if any.
    pub interleave: Option<[u32; 2]>,
}

/// A size under both rule sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleSets {
    /// LLPC's code.
    pub llpc: Outcome,
    /// The design note.
    pub note: Outcome,
    /// The comparison.
    pub verdict: RuleVerdict,
}

impl Outcome {
    fn of(facts: &Facts, rules: LayoutRules) -> Outcome {
        let decision = outcome(&Facts { rules, ..*facts });
        Outcome { micro: decision.micro, macro_tile: decision.macro_tile, interleave: decision.interleave }
    }

    /// In words: `8×N strips`, of hardware that walks tiles `8×N strips, interleave 3, 3`.
    pub fn words(&self) -> String {
        let tiles = tiles(self.micro, self.macro_tile);
        match self.interleave {
            Some([x, y]) => format!("{tiles}, interleave {x}, {y}"),
            None => tiles.to_owned(),
        }
    }
}

impl RuleSets {
    /// Compares both on these facts, whose own rule set has no effect.
    pub fn of(facts: &Facts) -> RuleSets {
        let [llpc, note] = [LayoutRules::Llpc, LayoutRules::DesignNote].map(|rules| Outcome::of(facts, rules));
        RuleSets { llpc, note, verdict: verdict(facts, llpc, note) }
    }
}

fn verdict(facts: &Facts, llpc: Outcome, note: Outcome) -> RuleVerdict {
    let [x, y, _] = facts.size;
    let is_allowed = match facts.derivatives {
        Derivatives::None => true,
        Derivatives::Linear => grid::volume(facts.size).is_multiple_of(4),
        Derivatives::Quads => x % 2 == 0 && y % 2 == 0,
    };
    let map = |of: Outcome| LaneMap::new(of.micro, of.macro_tile, facts.size);
    match (map(llpc), map(note)) {
        _ if !is_allowed => RuleVerdict::NotAllowed,
        (Some(_), Some(_)) if facts.hardware_walks() => {
            // Ids are what the hardware makes of the interleave.
            if llpc.interleave == note.interleave { RuleVerdict::Same } else { RuleVerdict::Differ }
        }
        (Some(one), Some(other)) if one.form() == other.form() => RuleVerdict::Same,
        (Some(one), Some(other)) => {
            // Each slice along z is laid out alike.
            let slice = x.saturating_mul(y);
            let same = (0..slice).all(|thread| one.invocation(Thread(thread)) == other.invocation(Thread(thread)));
            if same { RuleVerdict::SameIds } else { RuleVerdict::Differ }
        }
        _ => RuleVerdict::NotAllowed,
    }
}

/// The other rule set, where it lays the workgroup out differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OtherRules {
    /// Its name.
    pub layout_rules: LayoutRules,
    /// Its small tile.
    pub micro: Micro,
    /// Its large tile.
    #[serde(rename = "macro")]
    pub macro_tile: Macro,
    /// log2 of the tile that the hardware is programmed to walk under it, if any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub interleave: Option<[u32; 2]>,
    /// Whether the hardware walks the workgroup in tiles: then the interleave differs.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub hardware_walks: bool,
    /// Whether the invocation ids are the same all the same.
    pub same_ids: bool,
}

impl OtherRules {
    /// The other rule set than that of the facts; none where both make the same of the size, or where it is not allowed.
    pub fn of(facts: &Facts) -> Option<OtherRules> {
        let sets = RuleSets::of(facts);
        let same_ids = match sets.verdict {
            RuleVerdict::SameIds => true,
            RuleVerdict::Differ => false,
            RuleVerdict::Same | RuleVerdict::NotAllowed => return None,
        };
        let (layout_rules, other) = match facts.rules {
            LayoutRules::Llpc => (LayoutRules::DesignNote, sets.note),
            LayoutRules::DesignNote => (LayoutRules::Llpc, sets.llpc),
        };
        let Outcome { micro, macro_tile, interleave } = other;
        let hardware_walks = facts.hardware_walks();
        Some(OtherRules { layout_rules, micro, macro_tile, interleave, hardware_walks, same_ids })
    }

    /// `the design note: 8×N strips, other invocation ids`.
    pub fn sentence(&self) -> String {
        let who = match self.layout_rules {
            LayoutRules::Llpc => "LLPC's code",
            LayoutRules::DesignNote => "the design note",
        };
        let other = Outcome { micro: self.micro, macro_tile: self.macro_tile, interleave: self.interleave };
        let ids = match (self.same_ids, self.hardware_walks, self.interleave) {
            (true, ..) => ", the same invocation ids",
            (false, false, _) => ", other invocation ids",
            (false, true, None) => ", no interleave",
            (false, true, Some(_)) => "",
        };
        format!("{who}: {}{ids}", other.words())
    }
}

/// Both rule sets on all sizes up to [`RuleMap::SIDE`] in X and Y, under one set of options.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleMap {
    /// The facts that all sizes share; of the size only Z is.
    pub facts: Facts,
    /// Row by row: X from 1 on, then Y.
    cells: Vec<RuleSets>,
}

impl RuleMap {
    /// The largest X and Y.
    pub const SIDE: u32 = 32;

    /// Compares all sizes.
    pub fn of(facts: &Facts) -> RuleMap {
        let sizes = (1..=RuleMap::SIDE).flat_map(|y| (1..=RuleMap::SIDE).map(move |x| [x, y]));
        let cells = sizes.map(|[x, y]| RuleSets::of(&Facts { size: [x, y, facts.size[2]], ..*facts }));
        RuleMap { facts: *facts, cells: cells.collect() }
    }

    /// One size; none beyond the map.
    pub fn at(&self, [x, y]: [u32; 2]) -> Option<&RuleSets> {
        let inside = |side: u32| (1..=RuleMap::SIDE).contains(&side);
        let index = inside(x).then(|| inside(y).then_some((y - 1) * RuleMap::SIDE + x - 1))??;
        self.cells.get(index as usize)
    }

    /// The number of sizes with this verdict.
    pub fn count(&self, verdict: RuleVerdict) -> usize {
        self.cells.iter().filter(|cell| cell.verdict == verdict).count()
    }

    /// `derivatives linear, force off, reconfig on, Z = 1`.
    pub fn options(&self) -> String {
        let Facts { derivatives, force, reconfig, interleave: [x, y], size: [_, _, z], .. } = self.facts;
        let on = |on: bool| if on { "on" } else { "off" };
        let interleave = if [x, y] == [0, 0] { String::new() } else { format!(", interleave {x}, {y}") };
        format!("derivatives {derivatives}, force {}, reconfig {}{interleave}, Z = {z}", on(force), on(reconfig))
    }

    /// The maps of all combinations of derivative groups and of the two options that move ids; the rest as given.
    pub fn all(facts: &Facts) -> Vec<RuleMap> {
        let mut out = Vec::new();
        for derivatives in Derivatives::ALL {
            for [force, reconfig] in [[false, false], [true, false], [false, true], [true, true]] {
                out.push(RuleMap::of(&Facts { derivatives: *derivatives, force, reconfig, ..*facts }));
            }
        }
        out
    }
}

/// A row for each map: its options, and how many sizes have which verdict.
pub fn rule_sets_table(maps: &[RuleMap]) -> Table {
    let verdicts = [RuleVerdict::Differ, RuleVerdict::SameIds, RuleVerdict::Same, RuleVerdict::NotAllowed];
    let mut columns = vec![Column::left("derivatives"), Column::left("force"), Column::left("reconfig")];
    columns.extend(verdicts.map(|verdict| Column::right(verdict.name())));
    let mut table = Table::new(columns);
    for (at, map) in maps.iter().enumerate() {
        let on = |on: bool| Cell::from(if on { "on" } else { "off" });
        let mut cells = vec![map.facts.derivatives.name().into(), on(map.facts.force), on(map.facts.reconfig)];
        cells.extend(verdicts.map(|verdict| Cell::code(map.count(verdict))));
        table.push(Key::Item(at), cells);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_model::program::StageKind;
    use lanescope_model::target::Target;

    fn facts(size: [u32; 3], derivatives: Derivatives, [force, reconfig]: [bool; 2]) -> Facts {
        let (stage, rules, interleave, target) = (StageKind::Compute, LayoutRules::Llpc, [0, 0], Target::Gfx1030);
        Facts { stage, size, derivatives, rules, force, reconfig, interleave, target }
    }

    #[test]
    fn differences_are_those_between_the_note_and_the_code() {
        use Derivatives::{Linear, None, Quads};
        use RuleVerdict::{Differ, NotAllowed, Same, SameIds};
        let (force, reconfig, neither) = ([true, false], [false, true], [false, false]);
        for (size, derivatives, options, expected) in [
            // The code needs X to be 16 or more, and Y a multiple of 4; the note X to be a multiple of 8.
            ([16, 6, 1], None, force, Differ),
            ([24, 2, 1], None, force, Differ),
            ([16, 4, 1], None, force, Same),
            // One strip is row-major.
            ([8, 16, 1], None, force, SameIds),
            // The code tests evenness first.
            ([24, 3, 1], None, reconfig, Differ),
            ([8, 3, 1], None, reconfig, SameIds),
            ([6, 4, 1], None, reconfig, Same),
            // Linear derivatives forbid any remapping under the note.
            ([16, 4, 1], Linear, force, Differ),
            ([8, 2, 1], Linear, reconfig, SameIds),
            ([3, 3, 1], Linear, reconfig, NotAllowed),
            ([8, 8, 1], Quads, force, SameIds),
            ([24, 6, 1], Quads, force, Differ),
            ([16, 8, 1], Quads, force, Same),
            ([16, 7, 1], Quads, force, NotAllowed),
            ([16, 6, 1], Quads, neither, Same),
            ([1024, 1024, 1], None, neither, NotAllowed),
        ] {
            let sets = RuleSets::of(&facts(size, derivatives, options));
            assert_eq!(sets.verdict, expected, "{size:?} {derivatives} {options:?}: {sets:?}");
        }
        let walked = Facts { target: Target::Gfx1200, ..facts([8, 8, 1], None, force) };
        assert_eq!(RuleSets::of(&walked).verdict, Differ, "an interleave is programmed for strips");
        let other = OtherRules::of(&walked).map(|other| other.sentence());
        assert_eq!(other.as_deref(), Some("the design note: 8×N strips, interleave 3, 3"));
        let other = OtherRules::of(&Facts { rules: LayoutRules::DesignNote, ..walked }).map(|other| other.sentence());
        assert_eq!(other.as_deref(), Some("LLPC's code: row-major, no interleave"));
        let given = Facts { interleave: [2, 2], ..walked };
        assert_eq!(RuleSets::of(&given).verdict, Same, "it is the given one");
    }

    #[test]
    fn a_map_has_each_size_once() {
        let map = RuleMap::of(&facts([5, 7, 1], Derivatives::None, [true, false]));
        assert_eq!(map.at([16, 6]).map(|sets| sets.verdict), Some(RuleVerdict::Differ));
        assert_eq!([map.at([0, 1]), map.at([33, 1]), map.at([1, 33])], [None; 3]);
        let counts = RuleVerdict::ALL.iter().map(|verdict| map.count(*verdict));
        assert_eq!(counts.sum::<usize>(), 1024);
        // X of 8: 32 sizes of one strip; X of 16, 24, 32: 24 of 32 sizes with Y no multiple of 4.
        assert_eq!((map.count(RuleVerdict::SameIds), map.count(RuleVerdict::Differ)), (32 + 3, 3 * 24 - 3));
        // Without an option that moves ids both agree everywhere.
        for map in RuleMap::all(&map.facts).iter().filter(|map| !map.facts.force && !map.facts.reconfig) {
            assert_eq!(map.count(RuleVerdict::Differ) + map.count(RuleVerdict::SameIds), 0, "{}", map.options());
        }
    }

    #[test]
    fn the_other_rule_set_is_named_where_it_differs() {
        let facts = facts([24, 2, 1], Derivatives::None, [true, false]);
        let other = OtherRules::of(&facts).expect("they differ");
        assert_eq!(other.sentence(), "the design note: 8×N strips, other invocation ids");
        let other = OtherRules::of(&Facts { rules: LayoutRules::DesignNote, ..facts }).expect("they differ");
        assert_eq!(other.sentence(), "LLPC's code: row-major, other invocation ids");
        assert_eq!(OtherRules::of(&Facts { size: [16, 4, 1], ..facts }), None);
    }
}
