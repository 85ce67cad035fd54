//! Where NVK puts each varying, by what its assembly says: its form (Mesa's NIR) names addresses as the assembly does, and
//! no location.
//!
//! NVK keeps locations: a varying's address follows from its location and component. The formula holds where each address
//! that the fragment shader reads is one of the program's scalars, read flat where the scalar is. It is not assumed
//! otherwise. A scalar that is not read, and not where the stages are compiled apart either, is unneeded. All others are
//! [`LayoutRule::Unattributed`].

use std::collections::{BTreeMap, BTreeSet};

use super::{DriverPlace, LayoutColumn, LayoutRow, LayoutRule, LayoutTable, Reason};
use crate::isa::IsaFacts;
use crate::texts::{Dialect, Input, InputKind, SlotKind, Topic, not_understood};
use crate::{DriverStage, Link, Version};
use lanescope_base::ids::{Component, Location};
use lanescope_model::program::StageKind;
use lanescope_passes::packing::rewrite::Map;
use lanescope_passes::packing::{Interpolation, Mapping, Packing, Place};

/// How a channel is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Flat,
    Interpolated,
}

/// The channels that a fragment shader's facts list as inputs.
pub(super) struct Channels {
    /// The channels, with how each is read.
    pub channels: BTreeMap<(u32, u8), BTreeSet<Kind>>,
    /// The place of each input is known.
    pub complete: bool,
}

/// What one fragment shader's assembly reads.
struct Read {
    of: Version,
    link: Link,
    /// The channels, with how each is read.
    channels: BTreeMap<(u32, u8), BTreeSet<Kind>>,
    /// Each line is understood, and the place of each input known.
    complete: bool,
    /// Locations that the last stage before the rasterizer writes, where its text says them all.
    written: Option<u32>,
}

/// The tables of rows that are of other vendors: one a compiler.
pub(super) fn tables(packing: &Packing, rewritten: Option<&Map>, rows: &[DriverStage]) -> Vec<LayoutTable> {
    let mut out: Vec<LayoutTable> = Vec::new();
    for row in rows.iter().filter(|row| row.stage == StageKind::Fragment) {
        if out.iter().any(|table| table.is_of(row)) {
            continue;
        }
        let own: Vec<&DriverStage> = rows.iter().filter(|other| other.is_of_same_compiler(row)).collect();
        let fragments = own.iter().filter(|row| row.stage == StageKind::Fragment && row.merged.is_empty());
        let known = |read: &Read| read.of == Version::Original || rewritten.is_some();
        let mut all: Vec<Read> = fragments.filter_map(|row| Read::of(row, &own)).filter(known).collect();
        all.sort_by_key(|read| (read.of, read.link == Link::Whole));
        if all.is_empty() || packing.map.is_empty() {
            continue;
        }
        let (device, driver, icd) = (row.device.clone(), row.driver.clone(), row.icd.clone());
        let columns = all.iter().map(Read::column).collect();
        let rows = table_rows(packing, rewritten, &all);
        out.push(LayoutTable { device, driver, target: row.target, icd, columns, rows });
    }
    out
}

fn table_rows(packing: &Packing, rewritten: Option<&Map>, all: &[Read]) -> Vec<LayoutRow> {
    let moved: BTreeMap<Place, Place> = rewritten
        .into_iter()
        .flat_map(|map| {
            let carried = map.carried.iter().map(|row| (row.from, row.to));
            carried.chain(map.not_carried.iter().map(|row| (row.from, row.rewritten)))
        })
        .collect();
    let row = |mapping: &Mapping| LayoutRow {
        variable: (*mapping.variable).to_owned(),
        part: mapping.part,
        from: mapping.from,
        packed: mapping.to,
        rewritten: moved.get(&mapping.from).copied(),
        driver: all.iter().map(|read| read.place(packing, &moved, mapping, all)).collect(),
    };
    packing.map.iter().map(row).collect()
}

/// The channels that facts list as inputs.
pub(super) fn channels(facts: &IsaFacts) -> Channels {
    let mut channels: BTreeMap<(u32, u8), BTreeSet<Kind>> = BTreeMap::new();
    let mut complete = true;
    // What is delivered in registers is no channel.
    let read = |input: &&Input| input.instruction.is_some() || input.kind != InputKind::Loaded;
    for input in facts.inputs.iter().filter(read) {
        match (input.slot.what, input.slot.location, input.slot.component) {
            (SlotKind::Varying, Some(location), Some(component)) => {
                let kind = match input.kind {
                    InputKind::Flat | InputKind::Vertices => Kind::Flat,
                    _ => Kind::Interpolated,
                };
                channels.entry((location, component)).or_default().insert(kind);
            }
            (SlotKind::BuiltIn, ..) => {}
            _ => complete = false,
        }
    }
    Channels { channels, complete }
}

impl Read {
    fn of(row: &DriverStage, own: &[&DriverStage]) -> Option<Read> {
        row.dialect().filter(|dialect| *dialect == Dialect::Nak)?;
        let facts = row.read_text()?;
        let understood = not_understood(row.isa.as_deref()?, &facts).is_none();
        let Channels { channels, complete } = channels(&facts);
        let complete = complete && understood && !facts.not_known.contains(&Topic::Inputs);
        Some(Read { of: row.of, link: row.link, channels, complete, written: written_before(row, own) })
    }

    fn column(&self) -> LayoutColumn {
        let locations: BTreeSet<u32> = self.channels.keys().map(|(location, _)| *location).collect();
        let attributes = u32::try_from(locations.len()).unwrap_or(u32::MAX);
        let slots = self.written.filter(|slots| *slots > 0);
        LayoutColumn { of: self.of, link: self.link, attributes, at_least: !self.complete, slots }
    }

    /// Where a scalar's location is read, where the text shows that locations are kept; none where it is not read.
    fn own(
        &self,
        packing: &Packing,
        moved: &BTreeMap<Place, Place>,
        mapping: &Mapping,
    ) -> Result<Option<Place>, Reason> {
        if !self.complete {
            return Err(Reason::NotUnderstood);
        }
        let place = |mapping: &Mapping| match self.of {
            Version::Packed => moved.get(&mapping.from).copied(),
            _ => Some(mapping.from),
        };
        let mut known: BTreeMap<(u32, u8), bool> = BTreeMap::new();
        for mapping in &packing.map {
            let channel = place(mapping).filter(|_| mapping.bits == 32).map(at);
            let smooth = matches!(mapping.interpolation, Interpolation::Smooth | Interpolation::NoPerspective);
            known.extend(channel.map(|channel| (channel, !smooth)));
        }
        let agrees = |(channel, kinds): (&(u32, u8), &BTreeSet<Kind>)| {
            known.get(channel).is_some_and(|flat| kinds.iter().all(|kind| (*kind == Kind::Flat) == *flat))
        };
        if !self.channels.iter().all(agrees) {
            return Err(Reason::TextsDiffer);
        }
        let own = place(mapping).ok_or(Reason::NoMatch)?;
        Ok(Some(own).filter(|own| self.channels.contains_key(&at(*own))))
    }

    /// The place of a scalar, as one of `all` has it: unneeded where it is not read, and not read alone either.
    fn place(&self, packing: &Packing, moved: &BTreeMap<Place, Place>, mapping: &Mapping, all: &[Read]) -> DriverPlace {
        match self.own(packing, moved, mapping) {
            Err(reason) => DriverPlace::unattributed(reason),
            Ok(None) => {
                let mut alone = all.iter().filter(|other| (other.of, other.link) == (self.of, Link::Apart));
                match alone.any(|other| other.own(packing, moved, mapping) == Ok(None)) {
                    true => DriverPlace::gone(LayoutRule::ValueUnneeded),
                    false => DriverPlace::unattributed(Reason::NoMatch),
                }
            }
            Ok(Some(own)) => {
                let whole = self.of == Version::Original && self.link == Link::Whole;
                let expected = if whole { mapping.to } else { own };
                let rule = (at(expected) != at(own)).then_some(LayoutRule::Kept);
                let (location, component) = at(own);
                DriverPlace::at(location, component, false, rule)
            }
        }
    }
}

/// How many locations the last stage before the rasterizer writes; none where one of its executables does not say.
pub(super) fn written_before(fragment: &DriverStage, own: &[&DriverStage]) -> Option<u32> {
    let before = |other: &&&DriverStage| {
        let graphics = other.stage.is_graphics() && other.stage != StageKind::Fragment;
        graphics && (other.of, other.link) == (fragment.of, fragment.link)
    };
    // Kinds of stages are in the order in which they run.
    let last = own.iter().filter(before).map(|other| other.stage).max()?;
    let executables = own.iter().filter(before).filter(|other| other.stage == last);
    let all: Option<Vec<u32>> = executables.map(|other| written(other.isa.as_deref()?, &other.read_text()?)).collect();
    // Of several, another one passes positions only.
    all?.into_iter().max()
}

/// How many locations a stage writes; none where its text does not say.
fn written(text: &str, facts: &IsaFacts) -> Option<u32> {
    if facts.not_known.contains(&Topic::Outputs) || not_understood(text, facts).is_some() {
        return None;
    }
    let varyings = facts.outputs.iter().filter(|output| output.slot.what == SlotKind::Varying);
    let locations: Option<BTreeSet<u32>> = varyings.map(|output| output.slot.location).collect();
    u32::try_from(locations?.len()).ok()
}

fn at(place: Place) -> (u32, u8) {
    let Place { location: Location(location), component: Component(component), .. } = place;
    (location, component)
}
