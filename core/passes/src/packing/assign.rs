//! From used scalars to packed places.

use std::collections::{BTreeMap, BTreeSet};

use super::Place;
use super::class::Class;
use lanescope_base::ids::{Component, Location};
use lanescope_model::options::PackingOrder;

/// The stream of inputs: those of a fragment shader come from the rasterised stream.
pub(super) const READ_STREAM: u32 = 0;

/// A scalar as the packer sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    /// Vertex stream; 0 but for a geometry shader's outputs.
    pub stream: u32,
    /// Its place as written.
    pub from: Place,
    /// Its class.
    pub class: Class,
}

/// Stream, location and component as written.
pub(super) type Key = (u32, Location, Component);

/// The answer: where each original place goes, and the spans in the order in which they were placed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Assigned {
    pub map: BTreeMap<Key, Place>,
    pub spans: Vec<Entry>,
    /// Keys of the map that nothing reads: their locations are kept.
    pub reserved: BTreeSet<Key>,
    /// Keys of the map that there is one of for each primitive.
    pub per_primitive: BTreeSet<Key>,
    /// Locations between those of vertices and those of primitives, which built-ins of vertices take.
    pub between: u32,
}

impl Assigned {
    /// Number of locations that a stream uses, those of built-ins aside.
    pub fn used(&self, stream: u32) -> u32 {
        self.locations(stream) - self.between
    }

    /// The location after the last one of a stream.
    pub fn locations(&self, stream: u32) -> u32 {
        self.map.iter().filter(|((s, ..), _)| *s == stream).map(|(_, to)| to.location.0 + 1).max().unwrap_or(0)
    }

    /// Number of locations that there is one of for each primitive.
    pub fn of_primitives(&self) -> u32 {
        let to = self.per_primitive.iter().filter_map(|key| self.map.get(key));
        to.map(|to| to.location).collect::<BTreeSet<_>>().len() as u32
    }

    /// Whether there is one of an input for each primitive.
    pub fn is_of_primitive(&self, entry: &Entry) -> bool {
        self.per_primitive.contains(&key(entry))
    }

    /// Numbers of locations that there is one of for each vertex, as written and after packing.
    pub fn of_vertices(&self) -> [u32; 2] {
        let of_vertices = || self.map.iter().filter(|(key, _)| !self.per_primitive.contains(key));
        let before: BTreeSet<Location> = of_vertices().map(|((_, location, _), _)| *location).collect();
        let after = of_vertices().filter(|((stream, ..), _)| *stream == READ_STREAM).map(|(_, to)| to.location.0 + 1);
        [before.len() as u32, after.max().unwrap_or(0)]
    }

    /// Number of locations as written, of the stream that is read.
    pub fn originals(&self) -> u32 {
        let locations: BTreeSet<Location> = self.map.keys().map(|(_, location, _)| *location).collect();
        locations.len() as u32
    }
}

fn key(entry: &Entry) -> Key {
    (entry.stream, entry.from.location, entry.from.component)
}

/// Packs: classes in the order of their keys, in each the original places ascending, component by component.
///
/// If one original scalar appears in two classes, both get a place; the map keeps the one that sorts first.
pub(super) fn pack(entries: &[Entry], order: PackingOrder) -> Assigned {
    let mut spans = entries.to_vec();
    spans.sort_by_key(|span| (span.class.key(order), key(span)));
    spans.dedup();
    let mut map = BTreeMap::new();
    let (mut location, mut component, mut half) = (0, 0, false);
    let mut before: Option<&Entry> = None;
    for span in &spans {
        if let Some(before) = before {
            if before.stream == span.stream && before.class.shares_with(span.class, order) {
                if component == 4 {
                    (location, component, half) = (location + 1, 0, false);
                } else {
                    // On a width switch (flat, design-note order) the component is a whole new one already.
                    half = span.class.is_16 && before.class.is_16 && !half;
                }
            } else {
                location = if before.stream == span.stream { location + 1 } else { 0 };
                (component, half) = (0, false);
            }
        }
        map.entry(key(span)).or_insert(Place { location: Location(location), component: Component(component), half });
        if half || !span.class.is_16 {
            component += 1;
        }
        before = Some(span);
    }
    Assigned { map, spans, ..Assigned::default() }
}

/// Only renumbers: locations ascending become 0, 1, 2, …; components stay, and a 16-bit value keeps a whole one.
pub(super) fn renumber(entries: &[Entry], first: u32) -> Assigned {
    let mut spans = entries.to_vec();
    spans.sort_by_key(|span| (key(span), span.class));
    spans.dedup();
    let mut number = first;
    let mut before: Option<&Entry> = None;
    let place = |span| {
        number = match before.replace(span) {
            Some(before) if before.stream != span.stream => first,
            Some(before) if before.from.location != span.from.location => number + 1,
            _ => number,
        };
        (key(span), Place { location: Location(number), ..span.from })
    };
    let map = spans.iter().map(place).collect();
    Assigned { map, spans, ..Assigned::default() }
}

/// Packs transform-feedback outputs that are not read: one class for all, a whole dword each, each stream for itself
/// after the `taken` locations.
pub(super) fn pack_captured(places: &[(u32, Place)], taken: impl Fn(u32) -> u32) -> BTreeMap<Key, Place> {
    let mut sorted: Vec<Key> = places.iter().map(|(stream, p)| (*stream, p.location, p.component)).collect();
    sorted.sort();
    sorted.dedup();
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    sorted
        .into_iter()
        .map(|key| {
            let count = counts.entry(key.0).or_default();
            let (location, component) = (taken(key.0) + *count / 4, (*count % 4) as u8);
            *count += 1;
            (key, Place { location: Location(location), component: Component(component), half: false })
        })
        .collect()
}

/// Renumbers transform-feedback outputs that are not read, where nothing is packed: components stay. One in a location
/// that is read goes with it; the other locations follow, ascending, each stream for itself.
pub(super) fn renumber_captured(
    places: &[(u32, Place)],
    taken: impl Fn(u32) -> u32,
    read: impl Fn(u32, Location) -> Option<Location>,
) -> BTreeMap<Key, Place> {
    let mut sorted: Vec<(u32, Place)> = places.to_vec();
    sorted.sort_unstable();
    let mut homes: BTreeMap<(u32, Location), Location> = BTreeMap::new();
    let mut next: BTreeMap<u32, u32> = BTreeMap::new();
    let mut out = BTreeMap::new();
    for (stream, place) in sorted {
        let home = *homes.entry((stream, place.location)).or_insert_with(|| {
            read(stream, place.location).unwrap_or_else(|| {
                let next = next.entry(stream).or_insert_with(|| taken(stream));
                *next += 1;
                Location(*next - 1)
            })
        });
        out.insert((stream, place.location, place.component), Place { location: home, ..place });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Interpolation;
    use super::super::tests::kept_cases;
    use super::*;
    use proptest::prelude::*;

    fn entry(location: u32, component: u8, bits: u32, interpolation: Interpolation) -> Entry {
        let from = Place { location: Location(location), component: Component(component), half: false };
        Entry { stream: 0, from, class: Class::of(bits, interpolation, false) }
    }

    fn any_entry() -> impl Strategy<Value = Entry> {
        let mode = prop_oneof![
            Just(Interpolation::Smooth),
            Just(Interpolation::NoPerspective),
            Just(Interpolation::Flat),
            Just(Interpolation::Custom)
        ];
        (0..32u32, 0..4u8, prop_oneof![Just(16), Just(32)], mode).prop_map(|(l, c, b, m)| entry(l, c, b, m))
    }

    proptest! {
        #![proptest_config(kept_cases(256))]

        #[test]
        fn packing_is_injective_and_keeps_classes_apart(mut entries in proptest::collection::vec(any_entry(), 0..128)) {
            entries.sort_by_key(|e| (e.from, e.class));
            entries.dedup_by_key(|e| e.from);
            for &order in PackingOrder::ALL {
                let packed = pack(&entries, order);
                prop_assert_eq!(packed.map.len(), entries.len());
                let mut halves = BTreeSet::new();
                for span in &packed.spans {
                    let to = packed.map[&key(span)];
                    prop_assert!(to.component.0 < 4);
                    prop_assert!(halves.insert((to.location, to.component, to.half)), "{:?} twice", to);
                    if !span.class.is_16 {
                        prop_assert!(!to.half && halves.insert((to.location, to.component, true)), "{:?} overlaps", to);
                    }
                    for other in &packed.spans {
                        if packed.map[&key(other)].location == to.location {
                            let joined = span.class.shares_with(other.class, order)
                                || other.class.shares_with(span.class, order);
                            prop_assert!(joined, "{:?} and {:?} in one slot", span, other);
                        }
                    }
                }
                let unpacked = renumber(&entries, 0);
                prop_assert!(packed.locations(0) <= unpacked.locations(0) + 5);
                let places: BTreeSet<_> = unpacked.map.values().collect();
                prop_assert_eq!(places.len(), entries.len());
            }
        }

        #[test]
        fn is_independent_of_variable_order(entries in proptest::collection::vec(any_entry(), 0..64)) {
            let mut reversed = entries.clone();
            reversed.reverse();
            for &order in PackingOrder::ALL {
                prop_assert_eq!(pack(&entries, order), pack(&reversed, order));
            }
        }
    }

    #[test]
    fn scalar_with_two_classes_gets_two_places() {
        let twice = [entry(0, 0, 32, Interpolation::Smooth), entry(0, 0, 16, Interpolation::Smooth)];
        let packed = pack(&twice, PackingOrder::Llpc);
        assert_eq!(packed.spans.len(), 2);
        assert_eq!(packed.map.values().map(|p| p.location.0).collect::<Vec<_>>(), [0]);
    }
}
