//! Where the driver puts each varying, beside where our packing does: and by which rule they differ.
//!
//! What the driver did is read from its own texts: the attributes that the assembly reads, the slots that it exports, and
//! the names and numbers that its intermediate form gives to inputs. Nothing is modelled that can be read. Compiled
//! apart, a place is that of the shader's own location. Compiled together, the scalars that are left of a variable are
//! those that the driver did not remove, in order; why one is gone is read from the code that it made of each side
//! alone: what the fragment shader does not load there is not needed; what the stage before writes there as a constant, or
//! twice, can be moved over.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

mod linked;
mod names;
mod values;

use super::isa::{ExportTarget, IsaFacts, read};
use super::{DriverStage, Link, Version};
use crate::options::named_enum;
use crate::packing::rewrite::Map;
use crate::packing::{Interpolation, Packing, Place};
use crate::program::StageKind;
use crate::target::Target;
use names::Input;
use values::Written;

/// One device's places of every varying that the fragment shader uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayoutTable {
    /// The device.
    pub device: String,
    /// The chip that stood in for it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub target: Option<Target>,
    /// The compilations: originals first, those of both stages together behind those apart.
    pub columns: Vec<LayoutColumn>,
    /// The scalars, by original place.
    pub rows: Vec<LayoutRow>,
}

/// One compilation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayoutColumn {
    /// The version of the program.
    pub of: Version,
    /// What was compiled at once.
    pub link: Link,
    /// Attributes that the fragment shader reads.
    pub attributes: u32,
    /// Parameter slots that the stage before exports; absent where it exports none: it was not compiled, or it passes
    /// varyings through memory (GFX11).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub slots: Option<u32>,
}

/// One scalar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayoutRow {
    /// Its name in the fragment shader.
    pub variable: String,
    /// As authored.
    pub from: Place,
    /// As our packing places it.
    pub packed: Place,
    /// As the driver places it, one a column.
    pub driver: Vec<DriverPlace>,
}

/// Where a driver put a scalar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DriverPlace {
    /// The attribute that the fragment shader reads; absent where it reads none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub attribute: Option<u32>,
    /// Its channel, 0 to 3.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub channel: Option<u8>,
    /// Why it is not where we would have it; absent where it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule: Option<LayoutRule>,
}

named_enum!(
    /// Why a driver's place differs from ours: as renumbered (originals apart), as our packing has it (originals
    /// together), or as the rewritten module says (packed ones).
    LayoutRule {
        /// An array or a matrix keeps the slots of its unread elements, so what follows comes later.
        ArrayWhole = "array-whole",
        /// The driver found that the value does not change what the shader does; our liveness does not look at values.
        ValueUnneeded = "value-unneeded",
        /// The stage before writes a constant: it moved over.
        Constant = "constant",
        /// The stage before writes the same value elsewhere too: one of them is left.
        Duplicate = "duplicate",
        /// The stage before does not write it: the driver makes it undefined; we keep its place.
        NotWritten = "not-written",
        /// The driver gives kinds of interpolation slots of their own; our packing tells flat from interpolated only.
        ClassSplit = "class-split",
        /// Values that are not 32 bits wide keep their component, and no halves are shared.
        NarrowUnmoved = "narrow-unmoved",
        /// The driver's own packing of what is left, in its own order of slots.
        Relinked = "relinked",
        /// None of these: the texts do not say.
        Unattributed = "unattributed",
    }
);

/// The texts of one compilation.
struct Compiled {
    of: Version,
    link: Link,
    fragment: IsaFacts,
    inputs: Vec<Input>,
    before: Option<IsaFacts>,
    /// What the stage before writes; of originals that were compiled apart.
    written: Option<Written>,
}

impl Compiled {
    fn new(fragment: &DriverStage, before: Option<&DriverStage>, packing: &Packing) -> Option<Compiled> {
        let locations =
            packing.interface.iter().filter(|scalar| scalar.written).map(|scalar| scalar.location.0).collect();
        let stores = |text: &&super::Representation| text.text.contains("intrinsic store_");
        Some(Compiled {
            of: fragment.of,
            link: fragment.link,
            fragment: read(fragment.isa.as_deref()?, StageKind::Fragment),
            inputs: fragment.texts.iter().map(|text| names::inputs(&text.text)).find(|all| !all.is_empty())?,
            before: before.and_then(|row| Some(read(row.isa.as_deref()?, row.stage))),
            written: before
                .and_then(|row| row.texts.iter().find(stores))
                .map(|text| Written::of(&text.text, &locations)),
        })
    }

    /// The attributes and channels that the fragment shader reads.
    fn read(&self) -> BTreeSet<(u32, u8)> {
        self.fragment.interpolations.iter().map(|read| (read.attribute, read.channel)).collect()
    }

    fn column(&self) -> LayoutColumn {
        let attributes = self.read().into_iter().map(|(attribute, _)| attribute).collect::<BTreeSet<_>>().len();
        let slots = |facts: &IsaFacts| {
            let parameters = facts.exports.iter().filter(|export| export.target == ExportTarget::Parameter);
            parameters.map(|export| export.index).collect::<BTreeSet<_>>().len() as u32
        };
        let slots = self.before.as_ref().map(slots).filter(|slots| *slots > 0);
        LayoutColumn { of: self.of, link: self.link, attributes: attributes as u32, slots }
    }
}

/// The tables of a report's driver rows: one a device whose driver handed back assembly and its own form of the
/// fragment shader. `rewritten` says where the packed version puts each scalar; without it that version has no column.
pub fn layouts(packing: &Packing, rewritten: Option<&Map>, rows: &[DriverStage]) -> Vec<LayoutTable> {
    let mut out: Vec<LayoutTable> = Vec::new();
    for row in rows {
        if out.iter().any(|table| (table.device.as_str(), table.target) == (row.device.as_str(), row.target)) {
            continue;
        }
        let own = |other: &&DriverStage| (&other.device, other.target) == (&row.device, row.target);
        let own: Vec<&DriverStage> = rows.iter().filter(own).collect();
        let mut all: Vec<Compiled> = Vec::new();
        for fragment in own.iter().filter(|row| row.stage == StageKind::Fragment && row.merged.is_empty()) {
            let beside = |row: &&&DriverStage| {
                row.stage.is_graphics()
                    && row.stage != StageKind::Fragment
                    && (row.of, row.link) == (fragment.of, fragment.link)
            };
            let known = fragment.of == Version::Original || rewritten.is_some();
            all.extend(Compiled::new(fragment, own.iter().rfind(beside).copied(), packing).filter(|_| known));
        }
        all.sort_by_key(|compiled| (compiled.of, compiled.link == Link::Whole));
        if all.is_empty() {
            continue;
        }
        let table = table(packing, rewritten, &all);
        out.push(LayoutTable { device: row.device.clone(), target: row.target, ..table });
    }
    out
}

fn table(packing: &Packing, rewritten: Option<&Map>, all: &[Compiled]) -> LayoutTable {
    let mut rows: Vec<LayoutRow> = packing
        .map
        .iter()
        .map(|m| LayoutRow { variable: m.variable.clone(), from: m.from, packed: m.to, driver: Vec::new() })
        .collect();
    let moved: BTreeMap<Place, Place> = rewritten
        .into_iter()
        .flat_map(|map| {
            let carried = map.carried.iter().map(|row| (row.from, row.to));
            carried.chain(map.not_carried.iter().map(|row| (row.from, row.rewritten)))
        })
        .collect();
    let apart = |of| all.iter().find(|compiled| compiled.of == of && compiled.link == Link::Apart);
    let written = apart(Version::Original).and_then(|compiled| compiled.written.as_ref());
    let unneeded: BTreeSet<Place> = match apart(Version::Original) {
        Some(compiled) => {
            let places = places_apart(packing, &authored(packing), compiled);
            places.iter().zip(&rows).filter(|(place, _)| place.attribute.is_none()).map(|(_, row)| row.from).collect()
        }
        None => BTreeSet::new(),
    };
    for compiled in all {
        let version: Vec<Option<Place>> = match compiled.of {
            Version::Packed => rows.iter().map(|row| moved.get(&row.from).copied()).collect(),
            _ => authored(packing),
        };
        let places = match compiled.link {
            Link::Apart => places_apart(packing, &version, compiled),
            Link::Whole => linked::places(packing, &version, compiled, &unneeded, written),
        };
        rows.iter_mut().zip(places).for_each(|(row, place)| row.driver.push(place));
    }
    LayoutTable { device: String::new(), target: None, columns: all.iter().map(Compiled::column).collect(), rows }
}

fn authored(packing: &Packing) -> Vec<Option<Place>> {
    packing.map.iter().map(|mapping| Some(mapping.from)).collect()
}

/// Places where each side was compiled alone: `version` says where the module has each scalar.
fn places_apart(packing: &Packing, version: &[Option<Place>], compiled: &Compiled) -> Vec<DriverPlace> {
    let read = compiled.read();
    let locations: BTreeSet<u32> = version.iter().flatten().map(|place| place.location.0).collect();
    // Locations of variables that are used in part: they stay while the variable does.
    let used: BTreeSet<_> = packing.map.iter().map(|mapping| mapping.variable_id).collect();
    let declared = packing.interface.iter().filter(|scalar| scalar.input_id.is_some_and(|id| used.contains(&id)));
    let declared: BTreeSet<u32> = declared.map(|scalar| scalar.location.0).collect();
    let place = |place: &Option<Place>| {
        let place = (*place)?;
        let input = compiled.inputs.iter().filter(|input| input.location <= place.location.0);
        let input = input.max_by_key(|input| input.location)?;
        let attribute = input.attribute.saturating_add(place.location.0.saturating_sub(input.location));
        let channel = place.component.0;
        if !read.contains(&(attribute, channel)) {
            return Some(DriverPlace { attribute: None, channel: None, rule: Some(LayoutRule::ValueUnneeded) });
        }
        let before = |all: &BTreeSet<u32>| all.range(..place.location.0).count();
        let rule = match attribute as usize {
            attribute if attribute == before(&locations) => None,
            attribute if compiled.of == Version::Original && attribute == before(&declared) => {
                Some(LayoutRule::ArrayWhole)
            }
            _ => Some(LayoutRule::Unattributed),
        };
        Some(DriverPlace { attribute: Some(attribute), channel: Some(channel), rule })
    };
    version.iter().map(|at| place(at).unwrap_or(DriverPlace::unattributed())).collect()
}

impl DriverPlace {
    fn unattributed() -> DriverPlace {
        DriverPlace::gone(LayoutRule::Unattributed)
    }

    fn gone(rule: LayoutRule) -> DriverPlace {
        DriverPlace { attribute: None, channel: None, rule: Some(rule) }
    }
}

impl LayoutRule {
    /// The rule in a sentence.
    pub fn why(self) -> &'static str {
        match self {
            LayoutRule::ArrayWhole => "an array or a matrix keeps the slots of elements that nobody reads",
            LayoutRule::ValueUnneeded => "the driver sees from values that it is not needed; liveness alone does not",
            LayoutRule::Constant => "the stage before writes a constant, which moved into the fragment shader",
            LayoutRule::Duplicate => "the stage before writes the same value twice, and one is passed",
            LayoutRule::NotWritten => "the stage before does not write it, so the driver passes nothing",
            LayoutRule::ClassSplit => "kinds of interpolation have slots of their own",
            LayoutRule::NarrowUnmoved => "values that are not 32 bits wide stay in their component, one to a component",
            LayoutRule::Relinked => "the driver packs what is left in an order of its own",
            LayoutRule::Unattributed => "no rule says why",
        }
    }
}

/// What the driver's packing keeps together: kind of interpolation, and where it is evaluated.
type Kind = (Interpolation, crate::packing::At);
