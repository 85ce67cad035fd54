//! The same interface on chips of other vendors, if a module has it as it is numbered here.

use std::collections::BTreeMap;

use super::report::{CostFigure, Value};
use lanescope_passes::packing::Place;

/// Bytes of a slot of Intel's vertex URB entry, and in what multiples an entry is allocated. S.
const VUE_SLOT: u64 = 16;
const URB_UNIT: u64 = 64;
/// Slots of the entry before the attributes: point size with layer and viewport, and the position. S.
const HEADER_SLOTS: u64 = 2;
/// Bytes of a component of Adreno's outputs. S.
const DWORD: u64 = 4;

/// Components that Adreno passes: those of each location up to the last that is used.
pub(crate) fn adreno_components(places: impl Iterator<Item = Place>) -> u64 {
    let mut ends: BTreeMap<u32, u64> = BTreeMap::new();
    for place in places {
        let end = ends.entry(place.location.0).or_default();
        *end = (*end).max(u64::from(place.component.0) + 1);
    }
    ends.values().sum()
}

/// The figures: slots of generic inputs, and components that Adreno passes, as written and selected.
pub(crate) fn figures(slots: [u32; 3], components: [u64; 2]) -> Vec<CostFigure> {
    let by_slots = |figure: &'static str, rule: &'static str, of: fn(u64) -> u64| {
        let [original, selected, optimum] = slots.map(|slots| Value::Number(of(slots.into())));
        CostFigure {
            figure: figure.into(),
            original,
            selected,
            optimum: Some(optimum),
            mark: "S, C".into(),
            rule: rule.into(),
        }
    };
    let unknown = || Value::unknown("NVIDIA does not publish it");
    let [before, after] = components.map(|count| Value::Number(DWORD * count));
    vec![
        by_slots(
            "Intel: bytes of a URB entry",
            "16 bytes a slot with 2 header slots, in units of 64; clip distances add slots",
            |slots| (VUE_SLOT * (slots + HEADER_SLOTS)).next_multiple_of(URB_UNIT),
        ),
        by_slots("Intel: read length", "units of 32 bytes: two slots each", |slots| slots.div_ceil(2)),
        CostFigure {
            figure: "NVIDIA: bytes per vertex".into(),
            original: unknown(),
            selected: unknown(),
            optimum: None,
            mark: "–".into(),
            rule: "NVIDIA does not publish it".into(),
        },
        CostFigure {
            figure: "Adreno: bytes per vertex".into(),
            original: before,
            selected: after,
            optimum: None,
            mark: "S, C".into(),
            rule: "4 bytes a component, of each location up to the last that is used".into(),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_base::ids::{Component, Location};

    /// The worked row: 5 and 4 slots, 12 scalars.
    #[test]
    fn figures_are_those_of_the_worked_row() {
        let figures = figures([5, 4, 4], [12, 12]);
        let row = |at: usize| [figures[at].original.text(), figures[at].selected.text()];
        assert_eq!(row(0), ["128", "128"], "112 and 96 bytes: no gain");
        assert_eq!(row(1), ["3", "2"]);
        assert_eq!(row(2), ["unknown", "unknown"]);
        assert_eq!(row(3), ["48", "48"]);
        let place =
            |location, component| Place { location: Location(location), component: Component(component), half: false };
        assert_eq!(adreno_components([place(0, 0), place(0, 2), place(3, 1)].into_iter()), 5, "holes count");
    }
}
