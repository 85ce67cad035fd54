//! Places of a driver that lists its interface beside its loads (Intel): a scalar is where its own variable is declared and
//! loaded.
//!
//! The text of Intel's assembly names no input: the hardware delivers them in registers. What is stated follows from the
//! form alone, and only where all that it loads are the program's own scalars, each read as it is declared, flat or
//! interpolated. A driver that moves a varying declares it, with its name, elsewhere.

use std::collections::BTreeMap;

use super::Compiled;
use super::declared::Declared;
use super::reads::{How, variable};
use crate::Version;
use crate::texts::Dialect;
use lanescope_passes::packing::{Interpolation, Mapping, Packing, Place};

/// How a scalar is read: flat, or interpolated; none of one that we find unread.
type IsFlat = Option<bool>;

/// The channels that carry the scalar of the same number in the packing, each with the scalar.
pub(super) fn places(packing: &Packing, version: &[Option<Place>], compiled: &Compiled<'_>) -> Vec<((u32, u8), usize)> {
    if compiled.dialect != Dialect::Gen || !compiled.agrees || !are_known(packing, version, compiled) {
        return Vec::new();
    }
    let one = |(index, (mapping, at)): (usize, (&Mapping, &Option<Place>))| {
        let at = at.map(channel)?;
        // What a rewritten module moves has a name of its own.
        let is_named = |input: &Declared| {
            let is_moved =
                compiled.of == Version::Packed && is_named_by_place(&input.name, input.location, input.channel());
            is_moved || variable(&input.name) == variable(&mapping.variable)
        };
        let is_own = compiled.inputs.iter().any(|input| input.holds(at.0, at.1) && is_named(input));
        (is_own && compiled.read.contains(&at)).then_some((at, index))
    };
    packing.map.iter().zip(version).enumerate().filter_map(one).collect()
}

/// Whether each load is of one of the program's scalars, read as that is.
fn are_known(packing: &Packing, version: &[Option<Place>], compiled: &Compiled<'_>) -> bool {
    let mut known: BTreeMap<(u32, u8), IsFlat> = BTreeMap::new();
    if compiled.of != Version::Packed {
        let read = packing.interface.iter().filter(|scalar| scalar.input_id.is_some());
        known.extend(read.map(|s| ((s.location.0, s.component.0), is_flat(s.interpolation))));
    }
    let moved = packing.map.iter().zip(version);
    known.extend(moved.filter_map(|(mapping, at)| Some((channel((*at)?), is_flat(mapping.interpolation)))));
    let mut varyings = compiled.reads.loads.iter().filter(|load| load.location.is_some());
    varyings.all(|load| {
        let flat = known.get(&(load.attribute, load.channel));
        flat.is_some_and(|flat| flat.is_none_or(|flat| flat == (load.how != How::Interpolated)))
    })
}

fn is_flat(interpolation: Interpolation) -> IsFlat {
    let flat = !matches!(interpolation, Interpolation::Smooth | Interpolation::NoPerspective);
    (!interpolation.is_none()).then_some(flat)
}

/// Whether a rewritten module's variable, or a later part of it, is where its name says: `packed3`, `packed3_2`.
fn is_named_by_place(name: &str, location: u32, component: u8) -> bool {
    let place = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let (own, first) = place.split_once('_').unwrap_or((place, "0"));
    own.parse() == Ok(location) && first.parse().is_ok_and(|first: u8| first <= component)
}

fn channel(place: Place) -> (u32, u8) {
    (place.location.0, place.component.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_rewritten_modules_say_their_places() {
        for (name, location, component, is) in [
            ("packed3", 3, 0, true),
            ("packed3", 3, 2, true),
            ("packed3_2", 3, 2, true),
            ("packed3_2", 3, 1, false),
            ("packed3", 13, 0, false),
            ("packed13", 3, 0, false),
            ("packed", 0, 0, false),
            ("uv", 0, 0, false),
        ] {
            assert_eq!(is_named_by_place(name, location, component), is, "{name} {location}.{component}");
        }
    }
}
