//! Which varyings, by their places as written, each line of an assembly reads or writes.

use std::collections::BTreeMap;

use lanescope_core::driver::DriverStage;
use lanescope_core::driver::isa::IsaFacts;
use lanescope_core::driver::layout::{Unknown, varying_accesses};
use lanescope_inspector::selection::Varying;
use lanescope_inspector::tasks::Compiled;

/// What the lines of a text read and write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Varyings {
    /// The varyings of a line, by its number from 0.
    pub of_line: BTreeMap<usize, Vec<Varying>>,
    /// Why there are none, or not all.
    pub unknown: Option<Unknown>,
}

/// The varyings of a row's lines, where its stage passes any.
pub fn varyings(compiled: &Compiled, row: &DriverStage, facts: &IsaFacts) -> Varyings {
    if !row.stage.is_graphics() || facts.instructions.is_empty() {
        return Varyings::default();
    }
    let carried = varying_accesses(&compiled.sections.layouts, &compiled.sections.stages, row, facts);
    let line = |instruction: u32| facts.instructions.get(instruction as usize).map(|found| found.line as usize);
    let of_line = carried.instructions.into_iter().filter_map(|by| {
        let places = by.scalars.iter();
        let varyings = places.map(|place| Varying { location: place.location.0, component: Some(place.component.0) });
        Some((line(by.instruction)?, varyings.collect()))
    });
    Varyings { of_line: of_line.collect(), unknown: carried.unknown }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use lanescope_core::driver::{Version, isa};
    use lanescope_core::program::StageKind;
    use lanescope_core::target::Target;

    use super::*;
    use crate::gallery;

    fn found(target: Target, of: Version, stage: StageKind) -> (Varyings, String) {
        let compiled = gallery::compiled();
        let row = compiled
            .sections
            .stages
            .iter()
            .find(|row| (row.target, row.of, row.stage) == (Some(target.into()), of, stage))
            .expect("it was compiled");
        let text = row.isa.clone().expect("a text");
        (varyings(&compiled, row, &isa::read(&text, stage)), text)
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
    fn each_interpolation_step_belongs_to_its_varying() {
        // GFX10: two steps a component; a flat input is one move. GFX11: one load a component.
        let gfx10 = vec![(0, 6), (1, 6), (3, 4), (4, 6), (5, 1)];
        let gfx11 = vec![(0, 3), (1, 3), (3, 2), (4, 3), (5, 1)];
        for of in [Version::Original, Version::Packed] {
            for (target, expected) in [(Target::Gfx1030, &gfx10), (Target::Gfx1100, &gfx11)] {
                let (found, text) = found(target, of, StageKind::Fragment);
                assert_eq!((found.unknown, &lines(&found)), (None, expected), "{target} {of}");
                for line in found.of_line.keys() {
                    let line = text.lines().nth(*line).expect("a line");
                    assert!(line.contains("v_interp_") || line.contains("lds_param_load"), "{line}");
                }
            }
        }
    }

    #[test]
    fn an_export_belongs_to_all_varyings_in_its_slot() {
        let (apart, text) = found(Target::Gfx1030, Version::Original, StageKind::Vertex);
        assert_eq!(lines(&apart), [(0, 1), (1, 1), (3, 1), (4, 1), (5, 1)]);
        let of = |location: u32| {
            let (line, _) = apart.of_line.iter().find(|(_, marks)| marks.iter().any(|m| m.location == location))?;
            text.lines().nth(*line)
        };
        // Location 2 is written but not read: it has a slot too.
        assert!(of(3).is_some_and(|line| line.contains("exp param3")), "{:?}", of(3));
        let (packed, _) = found(Target::Gfx1030, Version::Packed, StageKind::Vertex);
        // Slot 0 holds a position and the first component of a normal.
        assert_eq!(lines(&packed), [(0, 1), (1, 2), (3, 1), (4, 1), (5, 1)]);
        let (stored, text) = found(Target::Gfx1100, Version::Original, StageKind::Vertex);
        assert_eq!(lines(&stored), [(0, 1), (1, 1), (3, 1), (4, 1), (5, 1)]);
        for line in stored.of_line.keys() {
            assert!(text.lines().nth(*line).is_some_and(|line| line.contains("buffer_store")));
        }
    }

    #[test]
    fn attributes_nothing_without_the_driver_layout() {
        let mut compiled = gallery::compiled();
        compiled.sections.layouts.clear();
        let row =
            compiled.sections.stages.iter().find(|row| row.stage == StageKind::Fragment).expect("it was compiled");
        let facts = isa::read(row.isa.as_deref().expect("a text"), row.stage);
        let unknown = Some(Unknown::NoLayout);
        assert_eq!(varyings(&compiled, row, &facts), Varyings { unknown, ..Varyings::default() });
    }
}
