//! What is in a database: its pipelines, one row each.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};

use super::database::Database;
use super::index::Place;
use super::member::Members;
use super::open::base_of;
use super::{Key, PIPELINES, Tag};
use crate::StageMask;
use crate::findings::{self, Finding};
use crate::notes::Notes;
use lanescope_base::StageKind;
use lanescope_base::ids::{Bytes, Hash64, Hex};

/// Bytes that the listed pipelines may have together, inflated, however few they are in the file.
const ALWAYS: u64 = 256 << 20;
/// How many times their bytes in the file they may have beyond that: text of pipelines deflates to a tenth.
const INFLATION: u64 = 64;

/// A database's contents.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Listing {
    /// The format's version.
    pub version: u32,
    /// The number of objects of each kind that occurs.
    pub objects: BTreeMap<Tag, usize>,
    /// The pipelines: graphics, compute, ray tracing; of each kind by key.
    pub pipelines: Vec<Row>,
    /// Number of pipelines, listed or not.
    pub total: usize,
    /// Findings about the file and the listed pipelines.
    pub findings: Vec<Finding>,
}

/// A pipeline.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Row {
    /// Its key.
    pub hash: Hash64,
    /// `graphics`, `compute` or `ray_tracing`.
    pub kind: String,
    /// Its stages.
    pub stages: Vec<RowStage>,
    /// Number of libraries that it is linked from.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero", default))]
    pub libraries: usize,
    /// Bytes of its entry in the file.
    pub bytes: Bytes,
    /// The reason why it cannot be read.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub why: Option<String>,
}

#[cfg(feature = "serde")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A stage of a pipeline.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RowStage {
    /// Its stage.
    pub stage: StageKind,
    /// Its entry point.
    pub entry: String,
    /// Its module's key.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub module: Option<Hash64>,
}

impl Row {
    /// Whether a text is found in its key, its kind, its stages, entry points or modules.
    pub fn matches(&self, text: &str) -> bool {
        let wanted = text.trim().trim_start_matches("0x").to_ascii_lowercase();
        let has = |text: &str| text.to_ascii_lowercase().contains(&wanted);
        has(&Key(self.hash.0).to_string())
            || has(&self.kind)
            || self.stages.iter().any(|stage| {
                has(stage.stage.name())
                    || has(&stage.entry)
                    || stage.module.is_some_and(|module| has(&Key(module.0).to_string()))
            })
    }

    /// Whether it can be read and has no shader, neither its own nor a library's: it is a part of graphics pipelines.
    pub fn has_no_shader(&self) -> bool {
        self.kind == "graphics" && self.stages.is_empty() && self.libraries == 0 && self.why.is_none()
    }

    /// Its stages in a few words, modules by their first digits: `vertex main 1c14a873 + fragment shade 52ab90ff`.
    pub fn summary(&self) -> String {
        let stage = |stage: &RowStage| {
            let module = stage.module.map(|module| format!(" {:08x}", module.0 >> 32)).unwrap_or_default();
            format!("{} {}{module}", stage.stage, stage.entry)
        };
        self.stages.iter().map(stage).collect::<Vec<_>>().join(" + ")
    }
}

/// What each derivative is derived from, and its name, by kind and key.
#[derive(Default)]
struct Bases(BTreeMap<(Tag, u64), (Key, String)>);

impl Bases {
    /// Notes the pipelines that are their own base, directly or over others.
    fn note_rings(&self, notes: &mut Notes<'_>) {
        for start in self.in_rings() {
            if let Some((base, name)) = self.0.get(start) {
                let (tag, hash) = start;
                let message = format!("{tag} {} is its own base, over {base}", Key(*hash));
                notes.add_at(findings::FOZ_CYCLE, name, message);
            }
        }
    }

    /// The pipelines that are their own base. Each is passed twice at most.
    fn in_rings(&self) -> BTreeSet<&(Tag, u64)> {
        let base_of = |(tag, _): &(Tag, u64), base: &Key| self.0.get_key_value(&(*tag, base.0));
        // By the first walk over bases that met it: a walk that meets itself has come round.
        let mut met: BTreeMap<&(Tag, u64), usize> = BTreeMap::new();
        let mut rings = BTreeSet::new();
        for (walk, row) in self.0.iter().enumerate() {
            let mut next = Some(row);
            while let Some((key, (base, _))) = next {
                match met.get(key) {
                    None => _ = met.insert(key, walk),
                    // Once more around.
                    Some(first) if *first == walk && rings.insert(key) => {}
                    Some(_) => break,
                }
                next = base_of(key, base);
            }
        }
        rings
    }
}

impl<R: Read + Seek> Database<R> {
    /// Lists the pipelines that match a text; all where it is empty. `go_on` is called regularly, and stops the
    /// listing.
    pub fn list(&self, text: &str, mut go_on: impl FnMut(usize) -> bool) -> Listing {
        let objects = Tag::ALL.iter().map(|tag| (*tag, self.count(*tag)));
        let mut notes = Notes::of(self.of(Tag::Application).first().map_or("", |place| self.file_name(place)));
        let mut out = Listing {
            version: u32::from(self.version),
            objects: objects.filter(|(_, count)| *count > 0).collect(),
            pipelines: Vec::new(),
            total: PIPELINES.iter().map(|tag| self.count(*tag)).sum(),
            findings: self.findings.clone(),
        };
        // Read as stored in their files, listed by kind and key.
        let mut places: Vec<_> = PIPELINES.iter().flat_map(|tag| self.of(*tag)).enumerate().collect();
        places.sort_by_key(|(_, place)| (place.file, place.at));
        let mut rows = Vec::new();
        let mut read = [0u64; 2];
        let mut bases = Bases::default();
        for (done, (order, place)) in places.into_iter().enumerate() {
            if done % 256 == 0 && !go_on(done) {
                break;
            }
            let row = self.row(place, &mut read, &mut bases, &mut notes);
            if text.is_empty() || row.matches(text) {
                rows.push((order, row));
            }
        }
        rows.sort_by_key(|(order, _)| *order);
        out.pipelines = rows.into_iter().map(|(_, row)| row).collect();
        bases.note_rings(&mut notes);
        out.findings.extend(notes.done().0);
        out
    }

    /// One row; `read` are the bytes of those before it, in the file and inflated. `bases` takes what it derives from.
    fn row(&self, place: &Place, read: &mut [u64; 2], bases: &mut Bases, notes: &mut Notes<'_>) -> Row {
        let [bytes, inflated] = self.sizes(place).map_or([0; 2], |sizes| sizes.map(u64::from));
        *read = [read[0] + bytes, read[1] + inflated];
        let mut row = Row {
            hash: Hex(place.hash),
            kind: place.tag.kind().unwrap_or_default().to_owned(),
            stages: Vec::new(),
            libraries: 0,
            bytes: Bytes(bytes),
            why: None,
        };
        if read[1] > ALWAYS.max(read[0].saturating_mul(INFLATION)) {
            let message = format!(
                "pipelines up to here inflate from {} to {} bytes; expected at most {ALWAYS}, or {INFLATION} times as many",
                read[0], read[1]
            );
            notes.add_at_byte(findings::FOZ_SIZE_LIMIT, place.at, message.clone());
            row.why = Some(format!("{message} ({})", findings::FOZ_SIZE_LIMIT.code));
            return row;
        }
        let object = match self.object(place, notes) {
            Ok(object) => object,
            Err(fault) => {
                notes.add_at(fault.rule, &fault.place, fault.message.clone());
                row.why = Some(format!("{} ({})", fault.message, fault.rule.code));
                return row;
            }
        };
        let pipeline = Members::of(&object.json, &object.name);
        // Oddities inside are reported when the pipeline is opened.
        let quiet = &mut Notes::of("");
        let mut stages = pipeline.objects("stages", 256, quiet);
        stages.extend(pipeline.object("stage", quiet));
        for stage in stages {
            let bits = StageMask::of_vulkan(stage.word("stage", quiet).unwrap_or(0));
            let Some(kind) = bits.iter().next() else { continue };
            let entry = stage.text("name", quiet).unwrap_or("main").to_owned();
            row.stages.push(RowStage { stage: kind, entry, module: stage.key("module", quiet).map(|key| Hex(key.0)) });
        }
        let chain = super::pnext::Chain::of(&pipeline, quiet);
        let of_chain = chain.get(super::pnext::LIBRARIES).map(|next| next.list("libraries", 65_536, quiet).len());
        let of_info = || pipeline.object("libraryInfo", quiet).map(|info| info.list("libraries", 65_536, quiet).len());
        row.libraries = of_chain.or_else(of_info).unwrap_or(0);
        if let Some(base) = base_of(&object.json, &object.name, quiet) {
            if self.find(place.tag, base.0).is_none() {
                let message = format!("{} {base} is not in the database", place.tag);
                notes.add_at(findings::FOZ_MISSING_REF, &object.name, message);
            }
            bases.0.insert((place.tag, place.hash), (base, object.name));
        }
        row
    }

    /// The pipelines whose key starts with some digits; `compute:58dd` are those of a kind.
    pub fn pipelines(&self, wanted: &str) -> Vec<Place> {
        let (kind, digits) = wanted.split_once(':').map_or((None, wanted), |(kind, digits)| (Some(kind), digits));
        let digits = digits.trim_start_matches("0x").to_ascii_lowercase();
        let tags = PIPELINES.iter().filter(|tag| kind.is_none() || tag.kind() == kind);
        let places = tags.flat_map(|tag| self.of(*tag));
        places.filter(|place| Key(place.hash).to_string().starts_with(&digits)).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pipelines `0..chain`, each derived from the next one, then a ring of so many.
    fn bases(chain: u64, ring: u64) -> Bases {
        let row = |at: u64| {
            let base = if at + 1 == chain + ring { chain } else { at + 1 };
            ((Tag::Compute, at), (Key(base), String::new()))
        };
        Bases((0..chain + ring).map(row).collect())
    }

    #[test]
    fn finds_rings_of_any_length_behind_chains_of_any_length() {
        for (chain, ring) in [(0, 1), (3, 1), (0, 2), (5, 3), (2, 1000), (200_000, 300)] {
            let bases = bases(chain, ring);
            let found: Vec<u64> = bases.in_rings().iter().map(|(_, hash)| *hash).collect();
            assert_eq!(found, (chain..chain + ring).collect::<Vec<_>>(), "{chain} {ring}");
        }
        // Keys that fall, so that each walk meets one that was walked before.
        let falling = Bases((1..200_000u64).map(|at| ((Tag::Compute, at), (Key(at - 1), String::new()))).collect());
        assert!(falling.in_rings().is_empty());
        // The same key is another pipeline in another kind.
        let rows = [(Tag::Compute, Tag::Graphics, 1), (Tag::Graphics, Tag::Compute, 2)];
        let two = Bases(rows.iter().map(|(tag, _, at)| ((*tag, *at), (Key(3 - *at), String::new()))).collect());
        assert!(two.in_rings().is_empty());
    }
}
