//! Which varying, by its place as written, an interpolation reads and an export writes.
//!
//! Mesa's AMD driver numbers attributes in the order of the locations in use. These are known for each version of a
//! program. Where a text names other places, the driver has moved or dropped varyings on its own while it linked, and
//! nothing is said.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_core::driver::isa::{ExportTarget, IsaFacts};
use lanescope_core::driver::{DriverStage, Link, Version};
use lanescope_core::packing::Packing;

use crate::context::Varying;
use crate::table::varying_of;

/// What the lines of a text read and write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Varyings {
    /// The varyings of a line, by its number from 0.
    pub of_line: BTreeMap<usize, Vec<Varying>>,
    /// The text names attributes or parameters that do not follow from the locations in use: the driver moved them.
    pub moved: bool,
}

/// A place in the shader's interface: location and component.
type Place = (u32, u8);

/// Finds the varyings of a row's lines.
pub(super) fn varyings(row: &DriverStage, facts: &IsaFacts, packing: Option<&Packing>) -> Varyings {
    let Some(packing) = packing else { return Varyings::default() };
    let reads = row.stage == packing.consumer;
    if !reads && packing.producer != Some(row.stage) {
        return Varyings::default();
    }
    let places = places(packing, row.of);
    let mut slots: BTreeSet<u32> = places.keys().map(|(location, _)| *location).collect();
    if !reads && row.link == Link::Apart && row.of != Version::Packed {
        // Alone, the stage before does not know what is read: whatever it writes has a slot.
        let written = packing.interface.iter().filter(|scalar| scalar.output_id.is_some());
        slots.extend(written.map(|scalar| scalar.location.0));
    }
    let slots: Vec<u32> = slots.into_iter().collect();
    // Slots of built-ins follow those of varyings.
    let named: Vec<_> = if reads { read(facts) } else { written(facts) };
    let named = named.into_iter().filter_map(|(at, (slot, channel))| Some((at, (*slots.get(slot as usize)?, channel))));
    let named: Vec<(u32, Place)> = named.collect();
    let seen: BTreeSet<Place> = named.iter().map(|(_, place)| *place).collect();
    let known: BTreeSet<Place> = places.keys().copied().collect();
    let moved = match (row.link, reads) {
        (Link::Whole, _) => seen != known,
        (Link::Apart, true) => !seen.is_subset(&known),
        // What is written and not read has a slot too.
        (Link::Apart, false) => !known.is_subset(&seen),
    };
    let mut out = Varyings { moved: moved && !known.is_empty(), ..Varyings::default() };
    for (instruction, place) in named.into_iter().filter(|_| !moved) {
        let line = facts.instructions.get(instruction as usize).map(|instruction| instruction.line as usize);
        let Some((line, varyings)) = line.zip(places.get(&place)) else { continue };
        let all = out.of_line.entry(line).or_default();
        all.extend(varyings.iter().filter(|varying| !all.contains(varying)).copied().collect::<Vec<_>>());
    }
    out
}

/// The interface of a version: each place with the varyings, as written, that sit there.
fn places(packing: &Packing, of: Version) -> BTreeMap<Place, Vec<Varying>> {
    let mut out: BTreeMap<Place, Vec<Varying>> = BTreeMap::new();
    for mapping in &packing.map {
        let place = match of {
            Version::Packed => mapping.to,
            Version::Original | Version::Swizzled => mapping.from,
        };
        out.entry((place.location.0, place.component.0)).or_default().push(varying_of(mapping));
    }
    out
}

/// Attributes and channels that are read, by instruction.
fn read(facts: &IsaFacts) -> Vec<(u32, (u32, u8))> {
    facts.interpolations.iter().map(|read| (read.instruction, (read.attribute, read.channel))).collect()
}

/// Parameter slots and channels that are written, by instruction.
fn written(facts: &IsaFacts) -> Vec<(u32, (u32, u8))> {
    let parameters = facts.exports.iter().filter(|export| export.target == ExportTarget::Parameter);
    let channels = |mask: u8| (0..4_u8).filter(move |channel| mask & (1 << channel) != 0);
    parameters
        .flat_map(|export| channels(export.mask).map(|channel| (export.instruction, (export.index, channel))))
        .collect()
}

#[cfg(test)]
mod tests {
    use lanescope_core::driver::isa;
    use lanescope_core::program::StageKind;

    use super::*;
    use crate::gallery;

    fn found(of: Version, stage: StageKind) -> Varyings {
        let (report, compiled) = (gallery::lit_report(), gallery::compiled());
        let row = compiled.stages.iter().find(|row| (row.of, row.stage) == (of, stage)).expect("it was compiled");
        let facts = isa::read(row.isa.as_deref().expect("a text"), stage);
        varyings(row, &facts, report.packing.as_ref())
    }

    /// How many lines name each location as written.
    fn lines(varyings: &Varyings) -> Vec<(u32, usize)> {
        let mut out: BTreeMap<u32, usize> = BTreeMap::new();
        for marks in varyings.of_line.values() {
            let locations: BTreeSet<u32> = marks.iter().map(|mark| mark.location).collect();
            locations.into_iter().for_each(|location| *out.entry(location).or_default() += 1);
        }
        out.into_iter().collect()
    }

    #[test]
    fn each_step_of_an_interpolation_is_its_varyings() {
        // Two steps a component; a flat input is one move.
        let expected = [(0, 6), (1, 6), (3, 4), (4, 6), (5, 1)];
        for of in [Version::Original, Version::Packed] {
            let found = found(of, StageKind::Fragment);
            assert!(!found.moved, "{of}");
            assert_eq!(lines(&found), expected, "{of}");
        }
    }

    #[test]
    fn an_export_is_every_varying_in_its_slot() {
        let apart = found(Version::Original, StageKind::Vertex);
        assert_eq!(lines(&apart), [(0, 1), (1, 1), (3, 1), (4, 1), (5, 1)]);
    }

    #[test]
    fn where_the_driver_moved_varyings_nothing_is_said() {
        let (report, mut compiled) = (gallery::lit_report(), gallery::compiled());
        let row = compiled.stages.iter_mut().find(|row| row.stage == StageKind::Fragment).expect("it was compiled");
        row.link = Link::Whole;
        let text = "\tv_interp_p1_f32_e32 v2, v0, attr0.w\n";
        let found = varyings(row, &isa::read(text, StageKind::Fragment), report.packing.as_ref());
        assert_eq!(found, Varyings { moved: true, ..Varyings::default() });
    }
}
