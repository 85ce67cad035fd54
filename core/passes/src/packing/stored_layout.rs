//! The data that the fragment half of a part-pipeline stores for the earlier part.
//!
//! A place as an integer: bit 0 the high half, bits 2:1 the component, bits 12:3 the location, bit 13 set for
//! built-ins, bits 15:14 the vertex stream.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::assign::{Assigned, Key};
use super::{AttributeBuiltIn, BuiltInSlot, Place};
use lanescope_base::ids::{Component, Location};
use lanescope_spirv::enums::BuiltIn;

/// Three arrays of integers, in the order in which a driver hashes them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stored {
    /// Original word and packed word in turn, ascending by original word.
    pub locations: Vec<u32>,
    /// SPIR-V's number of a built-in and its attribute slot in turn, ascending by number.
    pub builtins: Vec<u32>,
    /// Number of clip and cull distances that are read.
    pub distances: [u32; 2],
}

/// Arrays that no fragment half stores.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoredError {
    /// An array whose entries are pairs, and that ends within one.
    #[error("{array}: {count} integers are not pairs")]
    Odd {
        /// Name of the array.
        array: &'static str,
        /// Its length.
        count: usize,
    },
    /// An integer that is not a place, at its index.
    #[error("{array}[{index}]: {word:#x} is not the location of a scalar")]
    Place {
        /// Name of the array.
        array: &'static str,
        /// The index.
        index: usize,
        /// The integer.
        word: u32,
    },
    /// A variable that no interface has.
    #[error("variables[{index}]: no interface can have a variable of this type and location")]
    Variable {
        /// The index.
        index: usize,
    },
    /// An output of another width than the fragment shader's input.
    #[error("{variable} has {bits} bits, but the fragment shader reads {stored}")]
    Type {
        /// The output's name.
        variable: String,
        /// Its bits.
        bits: u32,
        /// Bits of the input.
        stored: u32,
    },
    /// A place in the rewritten interface that none of its variables holds.
    #[error("rewritten[{index}]: no variable of the interface covers this location")]
    Unheld {
        /// The index.
        index: usize,
    },
}

/// The location word holds 10 bits.
const LOCATIONS: u32 = 1 << 10;

/// A place as a word; absent where the location does not fit.
pub(super) fn word(stream: u32, place: Place) -> Option<u32> {
    let fits = place.location.0 < LOCATIONS && place.component.0 < 4 && stream < 4;
    fits.then(|| u32::from(place.half) | u32::from(place.component.0) << 1 | place.location.0 << 3 | stream << 14)
}

/// The stream and the place of a word; absent for built-ins and what has more than 16 bits.
pub(super) fn place(word: u32) -> Option<(u32, Place)> {
    let is_place = word >> 16 == 0 && word & 1 << 13 == 0;
    let (location, component) = (Location(word >> 3 & (LOCATIONS - 1)), Component((word >> 1 & 3) as u8));
    is_place.then_some((word >> 14, Place { location, component, half: word & 1 != 0 }))
}

/// Pairs of words as places: as written, and where it goes.
pub(super) fn pairs(array: &'static str, words: &[u32]) -> Result<Vec<(Key, Place)>, StoredError> {
    let (pairs, rest) = words.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(StoredError::Odd { array, count: words.len() });
    }
    let bad = |index: usize, word: u32| StoredError::Place { array, index, word };
    let pair = |(index, &[from, to]): (usize, &[u32; 2])| {
        let original = place(from).filter(|(_, place)| !place.half).ok_or(bad(2 * index, from))?;
        let (_, packed) = place(to).ok_or(bad(2 * index + 1, to))?;
        Ok(((original.0, original.1.location, original.1.component), packed))
    };
    pairs.iter().enumerate().map(pair).collect()
}

impl Stored {
    /// What the half of a map and its built-ins stores. Places beyond location 1,023 have no word and are left out.
    pub(super) fn of(assigned: &Assigned, builtins: &[BuiltInSlot], distances: [u32; 2]) -> Stored {
        let words = |(&(stream, location, component), to): (&Key, &Place)| {
            let from = word(stream, Place { location, component, half: false })?;
            Some((from, word(stream, *to)?))
        };
        let mut locations: Vec<(u32, u32)> = assigned.map.iter().filter_map(words).collect();
        locations.sort_unstable();
        let mut rows: Vec<(u32, u32)> = Vec::new();
        for slot in builtins {
            let id = match slot.built_in {
                AttributeBuiltIn::PointCoord => BuiltIn::PointCoord,
                AttributeBuiltIn::PrimitiveId => BuiltIn::PrimitiveId,
                AttributeBuiltIn::Layer => BuiltIn::Layer,
                AttributeBuiltIn::ViewportIndex => BuiltIn::ViewportIndex,
                AttributeBuiltIn::ClipCullDistance => continue,
            };
            rows.push((id as u32, slot.location.0));
        }
        let of_distances = builtins.iter().find(|slot| slot.built_in == AttributeBuiltIn::ClipCullDistance);
        if let Some(first) = of_distances.map(|slot| slot.location.0) {
            let [clip, cull] = distances;
            rows.extend((clip > 0).then_some((BuiltIn::ClipDistance as u32, first)));
            // Cull distances follow in the same location, unless clip distances fill it.
            rows.extend((cull > 0).then_some((BuiltIn::CullDistance as u32, first + u32::from(clip >= 4))));
        }
        rows.sort_unstable();
        let flat = |rows: Vec<(u32, u32)>| rows.into_iter().flat_map(|(key, value)| [key, value]).collect();
        Stored { locations: flat(locations), builtins: flat(rows), distances }
    }

    /// The three arrays one after the other as little-endian bytes: what goes into the cache key of the earlier part.
    pub fn bytes(&self) -> Vec<u8> {
        let words = self.locations.iter().chain(&self.builtins).chain(&self.distances);
        words.flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Original and packed place of each scalar.
    ///
    /// # Errors
    ///
    /// Integers that are not places, or no pairs of them.
    pub fn places(&self) -> Result<Vec<(Place, Place)>, StoredError> {
        let found = pairs("locations", &self.locations)?;
        let original = |(_, location, component)| Place { location, component, half: false };
        Ok(found.into_iter().map(|(from, to)| (original(from), to)).collect())
    }

    /// The map as the earlier part sees it: without spans.
    pub(super) fn assigned(&self) -> Result<Assigned, StoredError> {
        if !self.builtins.len().is_multiple_of(2) {
            return Err(StoredError::Odd { array: "builtins", count: self.builtins.len() });
        }
        Ok(Assigned { map: pairs("locations", &self.locations)?.into_iter().collect(), ..Assigned::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place_at(location: u32, component: u8, half: bool) -> Place {
        Place { location: Location(location), component: Component(component), half }
    }

    #[test]
    fn words_round_trip() {
        for (at, stream, expected) in [
            (place_at(5, 1, false), 0, 0x2A),
            (place_at(1, 0, true), 0, 0x09),
            (place_at(3, 2, false), 0, 0x1C),
            (place_at(2, 2, false), 0, 0x14),
            (place_at(1023, 3, true), 3, 0xDFFF),
        ] {
            assert_eq!(word(stream, at), Some(expected), "{at:?}");
            assert_eq!(place(expected), Some((stream, at)), "{expected:#x}");
        }
        assert_eq!(word(0, place_at(1024, 0, false)), None);
        assert_eq!([place(0x2000), place(0x1_0000)], [None, None]);
    }

    #[test]
    fn rejects_invalid_arrays() {
        let with = |locations: &[u32]| Stored { locations: locations.to_vec(), ..Stored::default() }.places();
        assert_eq!(with(&[8]), Err(StoredError::Odd { array: "locations", count: 1 }));
        assert_eq!(with(&[9, 0]), Err(StoredError::Place { array: "locations", index: 0, word: 9 }));
        assert_eq!(with(&[8, 0x2000]), Err(StoredError::Place { array: "locations", index: 1, word: 0x2000 }));
        assert_eq!(with(&[8, 1]), Ok(vec![(place_at(1, 0, false), place_at(0, 0, true))]));
        let odd = Stored { builtins: vec![7], ..Stored::default() };
        assert_eq!(odd.assigned(), Err(StoredError::Odd { array: "builtins", count: 1 }));
    }

    #[test]
    fn bytes_are_the_arrays_in_order() {
        let stored = Stored { locations: vec![0x2A, 9], builtins: vec![7, 2], distances: [5, 0] };
        assert_eq!(stored.bytes().as_chunks::<4>().0.iter().map(|b| b[0]).collect::<Vec<_>>(), [0x2A, 9, 7, 2, 5, 0]);
    }
}
