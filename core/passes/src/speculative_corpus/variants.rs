//! Variants of the stages before the rasterizer: a part pipeline compiles them for the location map of the fragment shader, which
//! is part of their cache key. So one vertex shader has at least as many entries as its fragment shaders have different maps.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::guessed_layout::module_hash;
use crate::liveness::Stages;
use crate::packing::{BuiltInSlot, Linkage, Mapping, Place};
use crate::table::{Cell, Column, Meaning, Table};
use lanescope_base::ids::{Hash64, Hex, hash};
use lanescope_model::options::Options;
use lanescope_model::program::{Program, StageKind};
use lanescope_model::specialised::{AnalyseError, specialised};

/// Places of a map that are listed where two maps differ.
const MAX_LISTED: usize = 3;

/// A pipeline's stages before the rasterizer, and the maps that a fragment shader gives them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Variant {
    /// The modules and entry points of the stages before the rasterizer.
    pub before: Hash64,
    /// Their names: `vertex main`.
    pub name: String,
    /// The fragment shader's module and entry point.
    pub fragment: Hash64,
    /// Where each scalar that the fragment shader reads goes when inputs are packed: `2.x→1.z`.
    pub packed: Vec<String>,
    /// Where it goes when locations are only renumbered.
    pub renumbered: Vec<String>,
}

/// The variant of a program. Absent without a fragment shader and a stage before it.
///
/// # Errors
/// As [`specialised`].
pub fn variant(program: &Program, options: &Options) -> Result<Option<Variant>, AnalyseError> {
    let specialised = specialised(program, options)?;
    Ok(variant_of(&Stages::of(&specialised), options))
}

fn variant_of(live: &Stages<'_>, options: &Options) -> Option<Variant> {
    let linkage = Linkage::of(live, options.producer)?;
    let packing = linkage.pack(options);
    packing.producer.filter(|_| packing.consumer == StageKind::Fragment)?;
    let unpacked = linkage.unpacked(&packing);
    let key = |stages: &dyn Fn(StageKind) -> bool| {
        let mut bytes = Vec::new();
        let mut names = Vec::new();
        for (stage, live) in live.iter().filter(|(stage, _)| stage.stage.is_graphics() && stages(stage.stage)) {
            let Hex(module) = module_hash(live.module());
            bytes.extend(module.to_le_bytes());
            bytes.extend(stage.entry.as_bytes());
            bytes.push(0);
            names.push(format!("{} {}", stage.stage, stage.entry));
        }
        (hash(&bytes), names.join(" → "))
    };
    let ((before, name), (fragment, _)) =
        (key(&|stage| stage != StageKind::Fragment), key(&|stage| stage == StageKind::Fragment));
    let places = |to: &mut dyn Iterator<Item = (&Mapping, Place)>, slots: &[BuiltInSlot]| {
        let mut out: Vec<String> = to.map(|(mapping, to)| format!("{}→{to}", mapping.from)).collect();
        out.extend(built_ins(slots));
        out.sort_unstable();
        out.dedup();
        out
    };
    Some(Variant {
        packed: places(&mut packing.map.iter().map(|mapping| (mapping, mapping.to)), &packing.builtins),
        renumbered: places(&mut packing.map.iter().zip(unpacked.places.iter().copied()), &unpacked.builtins),
        before,
        name,
        fragment,
    })
}

/// Built-ins that are read, which take slots too.
fn built_ins(slots: &[BuiltInSlot]) -> impl Iterator<Item = String> {
    slots.iter().map(|slot| format!("{}→{}", slot.built_in, slot.location))
}

/// The stages before the rasterizer of one key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Variants {
    /// The modules and entry points.
    pub before: Hash64,
    /// Their names.
    pub name: String,
    /// The first pipeline that has them.
    pub pipeline: String,
    /// Pipelines that have them.
    pub pipelines: u64,
    /// Different fragment shaders in these pipelines.
    pub fragments: usize,
    /// Different maps when inputs are packed: at least so many cache entries.
    pub packed: usize,
    /// The same when locations are only renumbered.
    pub renumbered: usize,
    /// What tells the first two packed maps apart: places of one map that another one lacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<String>,
}

/// Sums over pipelines.
#[derive(Debug, Clone, Default)]
pub struct AllVariants {
    by_key: BTreeMap<Hash64, OfKey>,
}

#[derive(Debug, Clone, Default)]
struct OfKey {
    name: String,
    pipeline: String,
    pipelines: u64,
    fragments: BTreeSet<Hash64>,
    packed: Maps,
    renumbered: Maps,
}

/// Different maps, the first two in full.
#[derive(Debug, Clone, Default)]
struct Maps {
    hashes: BTreeSet<Hash64>,
    first: Vec<Vec<String>>,
}

impl Maps {
    fn add(&mut self, map: Vec<String>) {
        if self.hashes.insert(hash(map.join("\n").as_bytes())) && self.first.len() < 2 {
            self.first.push(map);
        }
    }

    /// Places that one of the first two maps has alone.
    fn difference(&self) -> Vec<String> {
        let [first, second] = self.first.as_slice() else { return Vec::new() };
        let alone = |one: &[String], other: &[String], sign: &str| {
            let own = one.iter().filter(|place| !other.contains(place));
            own.map(|place| format!("{sign}{place}")).take(MAX_LISTED).collect::<Vec<_>>()
        };
        [alone(first, second, "−"), alone(second, first, "+")].concat()
    }
}

impl AllVariants {
    /// Adds a pipeline.
    pub fn add(&mut self, pipeline: &str, variant: Variant) {
        let Variant { before, name, fragment, packed, renumbered } = variant;
        let of_key = self.by_key.entry(before).or_default();
        if of_key.pipelines == 0 {
            (of_key.name, of_key.pipeline) = (name, pipeline.to_owned());
        }
        of_key.pipelines += 1;
        of_key.fragments.insert(fragment);
        of_key.packed.add(packed);
        of_key.renumbered.add(renumbered);
    }

    /// The keys, those with the most packed maps first.
    pub fn done(self) -> Vec<Variants> {
        let row = |(before, of_key): (Hash64, OfKey)| Variants {
            before,
            differs: of_key.packed.difference(),
            name: of_key.name,
            pipeline: of_key.pipeline,
            pipelines: of_key.pipelines,
            fragments: of_key.fragments.len(),
            packed: of_key.packed.hashes.len(),
            renumbered: of_key.renumbered.hashes.len(),
        };
        let mut out: Vec<Variants> = self.by_key.into_iter().map(row).collect();
        out.sort_by_key(|row| std::cmp::Reverse((row.packed, row.renumbered, row.pipelines)));
        out
    }
}

/// The stages with several maps, at most so many.
pub fn variants_table(all: &[Variants], most: usize) -> Table {
    let mut out = Table::new([
        Column::left("stages"),
        Column::left("first pipeline"),
        Column::right("pipelines"),
        Column::right("fragment shaders"),
        Column::right("maps packed"),
        Column::right("renumbered"),
        Column::left("first difference"),
    ]);
    for row in all.iter().filter(|row| row.packed > 1 || row.renumbered > 1).take(most) {
        let grown = if row.packed > row.renumbered { Meaning::Changed } else { Meaning::Plain };
        out.row([
            row.name.as_str().into(),
            Cell::code(&row.pipeline),
            row.pipelines.to_string().into(),
            row.fragments.to_string().into(),
            Cell::from(row.packed.to_string()).meaning(grown),
            row.renumbered.to_string().into(),
            Cell::code(row.differs.join(" ")),
        ]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_testing::program as loaded;

    const VERTEX: &str =
        "layout(location = 0) out vec2 a; layout(location = 1) out vec2 b; layout(location = 2) out float c;
        void main() { a = vec2(1); b = vec2(2); c = 3; gl_Position = vec4(0); }";

    fn of_fragment(source: &str) -> Variant {
        let text = format!("layout(location = 0) out vec4 o; {source}");
        let program = loaded(&[("vert", VERTEX), ("frag", &text)]);
        variant(&program, &Options::default()).expect("no constants").expect("both stages")
    }

    #[test]
    fn fragment_shaders_with_one_map_share_an_entry() {
        let both = "layout(location = 0) in vec2 a; layout(location = 1) in vec2 b;";
        let fragments = [
            format!("{both} void main() {{ o = vec4(a, b); }}"),
            format!("{both} void main() {{ o = vec4(b, a); }}"),
            // The second one alone is renumbered too; of one component, only packing tells.
            "layout(location = 1) in vec2 b; void main() { o = vec4(b, b); }".to_owned(),
            format!("{both} void main() {{ o = vec4(a, b.x, 1); }}"),
        ];
        let mut all = AllVariants::default();
        for (at, fragment) in fragments.iter().enumerate() {
            all.add(&format!("{at}"), of_fragment(fragment));
        }
        let [row] = &all.done()[..] else { panic!("one vertex shader") };
        assert_eq!((row.name.as_str(), row.pipeline.as_str()), ("vertex main", "0"));
        assert_eq!((row.pipelines, row.fragments), (4, 4));
        assert_eq!((row.packed, row.renumbered), (3, 3));
        assert_eq!(row.differs, ["−0.x→0.x", "−0.y→0.y", "−1.x→0.z", "+1.x→0.x", "+1.y→0.y"]);
        assert_eq!(variants_table(std::slice::from_ref(row), 9).rows.len(), 1);
    }

    #[test]
    fn a_shader_alone_has_no_variants() {
        let program = loaded(&[("vert", VERTEX)]);
        assert_eq!(variant(&program, &Options::default()).expect("no constants"), None);
    }
}
