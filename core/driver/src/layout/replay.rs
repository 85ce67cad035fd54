//! The two packings replayed on what the driver left: its own, and ours step by step towards it.
//!
//! The driver's linker (Mesa's `nir_compact_varyings`) sorts 32-bit scalars by kind of interpolation, then by place,
//! and fills locations from 0 on; what is not a 32-bit scalar keeps its place, and its location takes scalars of its
//! own kind only. Ours sorts by class, then by place, and a new class begins a new slot.

use super::declared::{Declared, Kind};

/// Locations of any interface.
const LOCATIONS: usize = 32;

/// Where a scalar is: location and component.
pub(super) type At = (u32, u8);

/// What a location holds already.
#[derive(Clone, Copy)]
struct Taken {
    channels: u8,
    kind: Kind,
    is_32bit: bool,
}

/// The driver's places of scalars that it moves, in the order given; `fixed` are the variables that it does not move.
/// None where they do not fit.
pub(super) fn compact(scalars: &[(Kind, At)], fixed: &[Declared]) -> Option<Vec<At>> {
    let mut taken: [Option<Taken>; LOCATIONS] = [None; LOCATIONS];
    for variable in fixed.iter().filter(|variable| !variable.movable) {
        for location in variable.all_locations() {
            let slot = taken.get_mut(location as usize)?;
            let channels = slot.map_or(0, |slot| slot.channels) | variable.channels;
            *slot = Some(Taken { channels, kind: variable.kind, is_32bit: variable.is_32bit });
        }
    }
    let mut order: Vec<usize> = (0..scalars.len()).collect();
    order.sort_by_key(|index| scalars.get(*index));
    let mut out = vec![(0, 0); scalars.len()];
    let mut cursor = (0, 0);
    for index in order {
        let (kind, _) = *scalars.get(index)?;
        // What did not fit after the last one is tried from the first location on, once.
        let found = next(&taken, cursor, kind).or_else(|| next(&taken, (0, 0), kind))?;
        let slot = taken.get_mut(found.0)?;
        let channels = slot.map_or(0, |slot| slot.channels) | 1 << found.1;
        *slot = Some(Taken { channels, kind, is_32bit: true });
        *out.get_mut(index)? = (u32::try_from(found.0).ok()?, found.1);
        cursor = (found.0, found.1 + 1);
    }
    Some(out)
}

/// The first free component from a place on that a kind may take.
fn next(taken: &[Option<Taken>; LOCATIONS], from: (usize, u8), kind: Kind) -> Option<(usize, u8)> {
    let mut component = from.1;
    for (location, slot) in taken.iter().enumerate().skip(from.0) {
        let fits = slot.is_none_or(|slot| slot.is_32bit && slot.kind == kind);
        let free = |c: &u8| slot.is_none_or(|slot| slot.channels & 1 << *c == 0);
        if let Some(component) = (component..4).find(free).filter(|_| fits) {
            return Some((location, component));
        }
        component = 0;
    }
    None
}

/// What our packing sorts by, and begins a new slot at; then the place.
pub(super) type Key = (u32, Kind);

/// Our places, as attribute, component and half: scalars by key, then by place. `narrow` ones share a component in twos.
pub(super) fn ours(scalars: &[(Key, At, bool)]) -> Vec<(u32, u8, bool)> {
    let mut order: Vec<usize> = (0..scalars.len()).collect();
    order.sort_by_key(|index| scalars.get(*index).map(|(key, at, _)| (*key, *at)));
    let mut out = vec![(0, 0, false); scalars.len()];
    let mut before: Option<Key> = None;
    let (mut slot, mut component, mut high) = (0, 0, false);
    for index in order {
        let Some((key, _, narrow)) = scalars.get(index) else { continue };
        if let Some(before) = before {
            // A slot ends where it is full, or where another class begins.
            if before != *key || component == 4 {
                (slot, component, high) = (slot + 1, 0, false);
            } else {
                high = *narrow && !high;
            }
        }
        if let Some(place) = out.get_mut(index) {
            *place = (slot, component, high);
        }
        if high || !narrow {
            component += 1;
        }
        before = Some(*key);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::declared;
    use super::*;

    const SMOOTH: Kind = Kind { reduced: false, mode: 1, at: 2 };
    const CENTROID: Kind = Kind { reduced: false, mode: 1, at: 1 };
    const FLAT: Kind = Kind { reduced: false, mode: 2, at: 2 };

    #[test]
    fn driver_sorts_by_kind_and_keeps_other_widths_in_place() {
        let scalars = [(FLAT, (1, 0)), (SMOOTH, (0, 0)), (SMOOTH, (3, 1)), (CENTROID, (4, 0)), (FLAT, (0, 3))];
        assert_eq!(compact(&scalars, &[]), Some(vec![(2, 1), (1, 0), (1, 1), (0, 0), (2, 0)]));
        let half = "decl_var shader_in INTERP_MODE_NONE float16_t half (VARYING_SLOT_VAR1.x, 1, 0)\n\
                    decl_var shader_in INTERP_MODE_NONE vec2[2] uv (VARYING_SLOT_VAR2.xy, 2, 0)";
        let fixed = declared::inputs(half);
        let smooth: Vec<_> = (0u8..4).map(|c| (SMOOTH, (9, c))).chain([(SMOOTH, (10, 0))]).collect();
        assert_eq!(compact(&smooth, &fixed), Some(vec![(0, 0), (0, 1), (0, 2), (0, 3), (2, 2)]));
        // What is after the last one is full of another kind: once more from the start.
        assert_eq!(compact(&[(FLAT, (0, 0)), (SMOOTH, (1, 0))], &fixed), Some(vec![(3 + 1, 0), (0, 0)]));
    }

    #[test]
    fn too_many_scalars_have_no_place() {
        let many: Vec<_> = (0..129).map(|i| (SMOOTH, (i / 4, (i % 4) as u8))).collect();
        assert_eq!(compact(&many[..128], &[]).map(|all| all[127]), Some((31, 3)));
        assert_eq!(compact(&many, &[]), None);
    }

    #[test]
    fn our_places_are_those_of_the_packing() {
        let scalars = [
            ((1, SMOOTH), (4, 0), true),
            ((0, SMOOTH), (0, 0), false),
            ((1, SMOOTH), (5, 0), true),
            ((1, SMOOTH), (6, 0), true),
            ((2, FLAT), (2, 0), false),
        ];
        let expected = [(1, 0, false), (0, 0, false), (1, 0, true), (1, 1, false), (2, 0, false)];
        assert_eq!(ours(&scalars), expected);
    }
}
