//! Where the driver puts each varying, compared with our packing, and the rule by which they differ.
//!
//! What the driver did is read from its own texts: the channels that the assembly reads, the slots that it exports, and
//! what its intermediate form (Mesa's NIR) loads, stores and declares. What the form says is used only where it agrees with
//! the assembly.
//!
//! | driver | a place | evidence |
//! |---|---|---|
//! | RADV (AMD) | an attribute's channel | the form, which agrees with the assembly |
//! | Turnip (Qualcomm) | a location's component after linking | the same, of the final form |
//! | ANV, HASVK (Intel) | a location's component | the form alone: the assembly has inputs in registers, and names none |
//! | NVK (NVIDIA) | a location's component | the assembly's addresses (`other`): the form has no locations |
//!
//! Where a scalar is stated to be, there is evidence for it:
//! * Compiled apart, the form's locations are the shader's own: a load says where its scalar is.
//! * Compiled together by RADV of Mesa 22.3, the driver's linker is replayed (`linked`) on the code that it made of each
//!   side alone. Where the replay gives the very variables of the linked shader, it gives the places too.
//! * Compiled together by any other version or driver, the linker is not replayed. A scalar is in the channel that the
//!   linked fragment shader uses as the form alone uses the scalar (`uses`), or where the only load of its name is
//!   (`evidence`).
//! * Intel's drivers list the inputs beside their loads: a scalar is where its own variable is declared and loaded
//!   (`by_declaration`). Equal values that are passed once are found by use, as above. That nothing is passed for a
//!   constant, the SPIR-V of the stage before shows too (`constant_outputs`): HASVK, and ANV of Mesa 22.3, compile no
//!   stages apart.
//!
//! A scalar without such evidence is [`LayoutRule::Unattributed`], with a [`Reason`]. What is not known is never stated
//! to be unneeded: [`LayoutRule::ValueUnneeded`] takes that the form's loads are recognised, that they are the channels
//! that the assembly reads, no more and no less, and that the scalar, whose location the form keeps, is not among them;
//! compiled together also that no channel is left that might carry it. Of an assembly that is not interpreted there is no
//! table. Removal confirms what is stated: without a scalar, what is stated to carry it is gone too
//! (`core/tests/ablated.rs`).
//!
//! [`varying_accesses`] says which instructions of an assembly read or write which varying.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod apart;
mod by_declaration;
mod compiled;
mod constant_outputs;
mod control;
mod declared;
mod deltas;
mod evidence;
mod linked;
mod nir;
mod other;
mod reads;
mod replay;
mod same;
mod table;
#[cfg(test)]
pub(crate) mod tests;
mod urb;
mod uses;
mod values;
mod varying_access;

use super::texts::Dialect;
use super::{DriverStage, Link, Version};
use compiled::Compiled;
use lanescope_base::ids::Component;
use lanescope_base::named_enum;
use lanescope_base::text_format::counted;
use lanescope_model::chip::Chip;
use lanescope_model::options::Options;
use lanescope_model::program::{Program, StageKind};
use lanescope_passes::packing::rewrite::Map;
use lanescope_passes::packing::{Packing, Part, Place};

pub(super) use varying_access::slots_written;
pub use varying_access::{AccessedBy, Unknown, VaryingAccess, varying_accesses};

/// One device's places of every varying that the fragment shader uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LayoutTable {
    /// The device.
    pub device: String,
    /// The driver's name and version; empty in reports that do not say.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub driver: String,
    /// The manifest of the driver, where it was chosen by one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub icd: Option<PathBuf>,
    /// The chip that stood in for it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub target: Option<Chip>,
    /// The compilations: originals first, those of both stages together after those apart.
    pub columns: Vec<LayoutColumn>,
    /// The scalars, by original place.
    pub rows: Vec<LayoutRow>,
}

/// One compilation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LayoutColumn {
    /// The version of the program.
    pub of: Version,
    /// What was compiled at once.
    pub link: Link,
    /// Attributes that the fragment shader reads: locations, of other vendors than AMD.
    pub attributes: u32,
    /// A line of the assembly is not understood: there may be more than are counted.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub at_least: bool,
    /// Parameter slots that the last stage before the rasterizer exports; absent where it exports none, or its assembly is
    /// not understood or does not say: it was not compiled, or it passes varyings through memory (GFX11). Of other vendors
    /// the locations that it writes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub slots: Option<u32>,
}

/// One scalar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LayoutRow {
    /// Its name in the fragment shader.
    pub variable: String,
    /// Which part of its variable it is, where that is not the component of its place.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub part: Option<Part>,
    /// As authored.
    pub from: Place,
    /// As our packing places it.
    pub packed: Place,
    /// As the rewritten module has it; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rewritten: Option<Place>,
    /// As the driver places it, one a column.
    pub driver: Vec<DriverPlace>,
}

/// Where a driver put a scalar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DriverPlace {
    /// The attribute that the fragment shader reads, or the location, of other vendors than AMD; absent where it reads none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub attribute: Option<u32>,
    /// Its channel, 0 to 3.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub channel: Option<u8>,
    /// It is the high half of the channel.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub high: bool,
    /// The other channels that carry it, or whose values are computed from it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub more: Vec<Channel>,
    /// Why it is not where we would have it; absent where it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule: Option<LayoutRule>,
    /// Why no rule is named, where the rule is [`LayoutRule::Unattributed`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<Reason>,
}

/// A channel of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Channel {
    /// The attribute that the fragment shader reads; the location, of other vendors than AMD.
    pub attribute: u32,
    /// The channel, 0 to 3.
    pub channel: u8,
}

named_enum!(
    /// Why a driver's place differs from ours: as renumbered (originals apart), as our packing has it (originals
    /// together), or as the rewritten module says (packed ones).
    LayoutRule {
        /// An array, a matrix or a structure keeps its own slots, read or not, so what follows comes later.
        ArrayWhole = "array-whole",
        /// The driver found that the value does not change what the shader does; our liveness does not look at values.
        ValueUnneeded = "value-unneeded",
        /// The stage before writes a constant: nothing is passed for it.
        Constant = "constant",
        /// The stage before writes what the driver finds to be the same for all invocations of a wave, and the fragment
        /// shader computes it itself.
        Uniform = "uniform",
        /// The stage before writes the same value elsewhere too: one of them is left.
        Duplicate = "duplicate",
        /// The stage before does not write it: the driver makes it undefined; we keep its place.
        NotWritten = "not-written",
        /// Our packing of what the driver left: it closes up where scalars are gone.
        ClosedUp = "closed-up",
        /// As above, with separate classes that the chosen order joins.
        ClassSplit = "class-split",
        /// As above, with separate values that are declared with reduced precision: our packing looks at the type only.
        PrecisionSplit = "precision-split",
        /// As above, with separate kinds of interpolation: our packing distinguishes flat from interpolated only.
        InterpolationSplit = "interpolation-split",
        /// The driver moves 32-bit values only: narrower and wider ones keep location and component, and share none.
        WidthUnmoved = "width-unmoved",
        /// The driver's own packing of what is left: kinds and places in its own order, around what it does not move.
        Relinked = "relinked",
        /// The driver moved arithmetic before the rasteriser: the channel carries a value that is computed from it.
        Computed = "computed-before",
        /// The compiler keeps the shader's own locations.
        Kept = "kept",
        /// None of these: the texts do not say.
        Unattributed = "unattributed",
    }
);

named_enum!(
    /// Why a place is not known, or not explained.
    Reason {
        /// The driver's form and the assembly do not read the same channels, or the form is not understood.
        TextsDiffer = "texts-differ",
        /// A line of the assembly is not understood: it may read any channel.
        NotUnderstood = "not-understood",
        /// Each side was not compiled alone too: nothing to compare with.
        NotApart = "not-compiled-apart",
        /// No channel is shown to carry the scalar's value. Reports that were saved before Turnip's places were known
        /// have another name for it.
        #[serde(alias = "may-move")]
        NoMatch = "no-match",
        /// The shaders are too large to be followed from what they write to what they load.
        TooLarge = "too-large",
        /// More than one channel carries it.
        SeveralChannels = "several-channels",
        /// The replay of the driver's linker does not give the variables that it declares.
        Replay = "replay-differs",
        /// The place is known, and no rule gives the attribute's number.
        Number = "attribute-number",
        /// A load of the driver's form is not understood: it may be of any channel.
        FormNotUnderstood = "form-not-understood",
        /// The driver's executables of the fragment shader have several forms.
        FormsDiffer = "forms-differ",
    }
);

/// The tables of a report's driver rows: one a device whose driver returned an assembly that is interpreted, and its own
/// form of the fragment shader, except NVK, whose form names no locations. `rewritten` says where the packed version puts
/// each scalar; without it that version has no column. `constants` are the places, as authored, of scalars to which the
/// stage before is known to write constants.
pub fn layouts(
    packing: &Packing,
    rewritten: Option<&Map>,
    constants: &BTreeSet<(u32, u8)>,
    rows: &[DriverStage],
) -> Vec<LayoutTable> {
    let mut out: Vec<LayoutTable> = Vec::new();
    for row in rows {
        if out.iter().any(|table| table.is_of(row)) {
            continue;
        }
        let own = |other: &&DriverStage| other.is_of_same_compiler(row);
        let own: Vec<&DriverStage> = rows.iter().filter(own).collect();
        let mut all: Vec<Compiled<'_>> = Vec::new();
        for fragment in own.iter().filter(|row| row.stage == StageKind::Fragment && row.merged.is_empty()) {
            let known = fragment.of == Version::Original || rewritten.is_some();
            all.extend(Compiled::new(fragment, &own, packing).filter(|_| known));
        }
        all.sort_by_key(|compiled| (compiled.of, compiled.link == Link::Whole));
        if all.is_empty() {
            continue;
        }
        let table = table(packing, rewritten, constants, &all);
        let (device, driver, icd) = (row.device.clone(), row.driver.clone(), row.icd.clone());
        out.push(LayoutTable { device, driver, target: row.target, icd, ..table });
    }
    out.extend(other::tables(packing, rewritten, rows));
    out
}

/// The tables of a program's rows beside its packing. The program is rewritten only for rows of the packed version.
pub fn layouts_of(program: &Program, options: &Options, packing: &Packing, rows: &[DriverStage]) -> Vec<LayoutTable> {
    let has_packed = rows.iter().any(|row| row.of == Version::Packed);
    let rewritten = has_packed.then(|| lanescope_passes::packing::rewrite::rewrite(program, options).ok()).flatten();
    let is_needed = rows.iter().any(|row| row.dialect() == Some(Dialect::Gen));
    let constants = if is_needed { constant_outputs::constant_outputs(program, packing) } else { BTreeSet::new() };
    layouts(packing, rewritten.as_ref().map(|rewritten| &rewritten.map), &constants, rows)
}

impl LayoutTable {
    /// Whether it is of the compiler that made a row; older tables do not name their driver.
    pub fn is_of(&self, row: &DriverStage) -> bool {
        let same_driver = self.driver.is_empty() || (&self.driver, &self.icd) == (&row.driver, &row.icd);
        (&self.device, self.target) == (&row.device, row.target) && same_driver
    }

    /// The place, with the driver where another one of these tables is of the same place.
    fn title(&self, all: &[LayoutTable]) -> String {
        let several = all.iter().any(|other| other.place() == self.place() && other.driver != self.driver);
        if several { format!("{} ({})", self.place(), self.driver) } else { self.place().to_owned() }
    }

    /// Why scalars of it are unattributed: each reason once, in their order.
    pub fn reasons(&self) -> Vec<Reason> {
        let named = |reason: &Reason| self.rows.iter().flat_map(|row| &row.driver).any(|p| p.reason == Some(*reason));
        Reason::ALL.iter().copied().filter(named).collect()
    }

    /// Where it was compiled for, in one word where there is one: the chip, else the device.
    pub fn place(&self) -> &str {
        self.target.map_or(self.device.as_str(), |target| target.name())
    }

    /// The number of attributes that a compilation is predicted to read: as renumbered (originals apart), as our packing
    /// has it (originals together), or as the rewritten module says (packed ones).
    pub fn predicted_slots(&self, column: &LayoutColumn) -> usize {
        let place = |row: &LayoutRow| match (column.of, column.link) {
            (Version::Packed, _) => row.rewritten,
            (_, Link::Whole) => Some(row.packed),
            (_, Link::Apart) => Some(row.from),
        };
        self.rows.iter().filter_map(|row| Some(place(row)?.location)).collect::<BTreeSet<_>>().len()
    }

    /// The rules that it names, each once, in their order.
    pub fn rules(&self) -> Vec<LayoutRule> {
        let named = |rule: &LayoutRule| self.rows.iter().flat_map(|row| &row.driver).any(|p| p.rule == Some(*rule));
        LayoutRule::ALL.iter().copied().filter(named).collect()
    }
}

impl LayoutColumn {
    /// How many attributes the fragment shader reads, as so many of `what`.
    pub fn read_count(&self, what: &str) -> String {
        format!("{}{}", if self.at_least { "at least " } else { "" }, counted(self.attributes, what))
    }
}

/// Tables that say the same, with the devices that agree. GFX11 exports no slots: that alone makes no other table.
pub fn agreeing(tables: &[LayoutTable]) -> Vec<(Vec<String>, &LayoutTable)> {
    let mut out: Vec<(Vec<String>, &LayoutTable)> = Vec::new();
    let columns = |table: &LayoutTable| -> Vec<_> {
        table.columns.iter().map(|column| (column.of, column.link, column.attributes, column.at_least)).collect()
    };
    for table in tables {
        let alike = |other: &LayoutTable| other.rows == table.rows && columns(other) == columns(table);
        match out.iter_mut().find(|(_, other)| alike(other)) {
            Some((places, _)) => places.push(table.title(tables)),
            None => out.push((vec![table.title(tables)], table)),
        }
    }
    out
}

fn table(
    packing: &Packing,
    rewritten: Option<&Map>,
    constants: &BTreeSet<(u32, u8)>,
    all: &[Compiled<'_>],
) -> LayoutTable {
    let mut rows: Vec<LayoutRow> = packing
        .map
        .iter()
        .map(|m| LayoutRow {
            variable: (*m.variable).to_owned(),
            part: m.part,
            from: m.from,
            packed: m.to,
            rewritten: None,
            driver: Vec::new(),
        })
        .collect();
    let moved: BTreeMap<Place, Place> = rewritten
        .into_iter()
        .flat_map(|map| {
            let carried = map.carried.iter().map(|row| (row.from, row.to));
            carried.chain(map.not_carried.iter().map(|row| (row.from, row.rewritten)))
        })
        .collect();
    let places_of = |compiled: &Compiled<'_>| -> Vec<Option<Place>> {
        match compiled.of {
            Version::Packed => packing.map.iter().map(|mapping| moved.get(&mapping.from).copied()).collect(),
            _ => packing.map.iter().map(|mapping| Some(mapping.from)).collect(),
        }
    };
    for compiled in all {
        let version = places_of(compiled);
        let alone = all.iter().find(|other| other.of == compiled.of && other.link == Link::Apart);
        let known = alone.map(|alone| apart::places(packing, &version, alone));
        let places = match compiled.link {
            Link::Apart => apart::places(packing, &version, compiled),
            Link::Whole if compiled.is_replayed => {
                let unneeded = |place: &DriverPlace| place.rule == Some(LayoutRule::ValueUnneeded);
                let unneeded: Vec<bool> = known.iter().flatten().map(unneeded).collect();
                let known = alone.map_or(linked::Unlinked::default(), |alone| linked::Unlinked {
                    inputs: &alone.inputs,
                    written: alone.written.as_ref(),
                    unneeded: &unneeded,
                });
                linked::places(packing, &version, compiled, known)
            }
            Link::Whole => evidence::places(packing, &version, compiled, alone.zip(known.as_deref()), constants),
        };
        rows.iter_mut().zip(places).for_each(|(row, place)| row.driver.push(place));
    }
    rows.iter_mut().for_each(|row| row.rewritten = moved.get(&row.from).copied());
    let columns = all.iter().map(Compiled::column).collect();
    LayoutTable { device: String::new(), driver: String::new(), target: None, icd: None, columns, rows }
}

impl LayoutRow {
    /// Which part of its variable it is.
    pub fn part(&self) -> Part {
        self.part.unwrap_or(Part { component: self.from.component, dword: None })
    }
}

impl DriverPlace {
    fn at(attribute: u32, channel: u8, high: bool, rule: Option<LayoutRule>) -> DriverPlace {
        DriverPlace { attribute: Some(attribute), channel: Some(channel), high, more: Vec::new(), rule, reason: None }
    }

    fn unattributed(reason: Reason) -> DriverPlace {
        DriverPlace { reason: Some(reason), ..DriverPlace::gone(LayoutRule::Unattributed) }
    }

    fn gone(rule: LayoutRule) -> DriverPlace {
        DriverPlace { attribute: None, channel: None, high: false, more: Vec::new(), rule: Some(rule), reason: None }
    }

    /// All channels that carry it, or what is computed from it.
    pub fn channels(&self) -> impl Iterator<Item = Channel> {
        let first = self.attribute.zip(self.channel).map(|(attribute, channel)| Channel { attribute, channel });
        first.into_iter().chain(self.more.iter().copied())
    }
}

impl fmt::Display for DriverPlace {
    /// Attribute and channel: `2.w`, `0.x high`, `0.x 0.y`; a dash if there is none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.attribute.is_none() {
            return f.write_str("–");
        }
        for (index, Channel { attribute, channel }) in self.channels().enumerate() {
            let blank = if index > 0 { " " } else { "" };
            write!(f, "{blank}{attribute}.{}", Component(channel).letter())?;
        }
        f.write_str(if self.high { " high" } else { "" })
    }
}

impl LayoutRule {
    /// The rule in a sentence.
    pub fn why(self) -> &'static str {
        match self {
            LayoutRule::ArrayWhole => "an array, matrix or structure keeps its own slots, even if only a part is read",
            LayoutRule::ValueUnneeded => "the driver finds from values that it is unused; liveness does not show it",
            LayoutRule::Constant => "the previous stage writes a constant, so the driver passes nothing for it",
            LayoutRule::Uniform => {
                "the same for all invocations of a wave, as the driver finds: the fragment shader computes it"
            }
            LayoutRule::Duplicate => "the previous stage writes the same value twice; one is passed",
            LayoutRule::NotWritten => "the previous stage does not write it, so the driver passes nothing",
            LayoutRule::ClosedUp => "compacted: earlier slots were removed",
            LayoutRule::ClassSplit => "flat values of different widths use separate slots",
            LayoutRule::PrecisionSplit => "values declared with reduced precision use separate slots",
            LayoutRule::InterpolationSplit => "smooth, noperspective, centroid and sample use separate slots",
            LayoutRule::WidthUnmoved => "values that are not 32 bits wide keep their location and component",
            LayoutRule::Relinked => "the driver packs the remaining values in its own order",
            LayoutRule::Computed => "the previous stage computes with it and passes the result",
            LayoutRule::Kept => "the compiler keeps the shader's own locations",
            LayoutRule::Unattributed => "the driver's output does not show where each scalar is",
        }
    }
}

impl Reason {
    /// The reason in a sentence.
    pub fn why(self) -> &'static str {
        match self {
            Reason::TextsDiffer => "the driver's NIR and its assembly read different channels",
            Reason::NotUnderstood => "a line of the assembly is not understood",
            Reason::NotApart => "the stages were not also compiled separately, so there is nothing to compare with",
            Reason::NoMatch => "no channel can be shown to carry its value",
            Reason::TooLarge => "the shaders are too large to compare how both forms use their inputs",
            Reason::SeveralChannels => "more than one channel carries it",
            Reason::Replay => "the replay of Mesa 22.3's linker gives other declarations than this driver",
            Reason::Number => "its location is known, but no rule gives the attribute number",
            Reason::FormNotUnderstood => "a load of the driver's NIR is not understood",
            Reason::FormsDiffer => "the driver's executables of the fragment shader have different NIR",
        }
    }
}
