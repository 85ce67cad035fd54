//! Places where both sides were compiled together, and the driver moved, merged and removed what passes between them.

use std::collections::{BTreeMap, BTreeSet};

use super::values::{Carries, Written};
use super::{Compiled, DriverPlace, Kind, LayoutRule};
use crate::driver::Version;
use crate::packing::{Mapping, Packing, Place};

/// A variable as the driver names it.
type Name = String;

/// The places of the packing's scalars; `version` says where the module has each.
pub(super) fn places(
    packing: &Packing,
    version: &[Option<Place>],
    compiled: &Compiled,
    unneeded: &BTreeSet<Place>,
    written: Option<&Written>,
) -> Vec<DriverPlace> {
    let mut room = channels(compiled);
    let scalars: Vec<Scalar<'_>> =
        packing.map.iter().zip(version).map(|(m, at)| scalar(m, *at, compiled, written)).collect();
    let mut out: Vec<Option<DriverPlace>> = vec![None; scalars.len()];
    let mut left: BTreeMap<Name, Vec<usize>> = BTreeMap::new();
    let take = |index: usize, left: &mut BTreeMap<Name, Vec<usize>>, room: &BTreeMap<Name, Vec<(u32, u8)>>| {
        let Some(name) = scalars.get(index).map(|scalar| scalar.name.clone()) else { return false };
        let taken = left.entry(name.clone()).or_default();
        let free = room.get(&name).is_some_and(|all| taken.len() < all.len());
        if free {
            taken.push(index);
        }
        free
    };
    // Those that must be left come first: what only could be, gets what room there is.
    let mut twins: BTreeMap<(&Carries, Kind, u32), Vec<usize>> = BTreeMap::new();
    let mut constants = Vec::new();
    for (index, scalar) in scalars.iter().enumerate() {
        let gone = match () {
            () if unneeded.contains(&scalar.mapping.from) => Some(LayoutRule::ValueUnneeded),
            () if !scalar.mapping.written => Some(LayoutRule::NotWritten),
            () => None,
        };
        match (gone, scalar.carries) {
            (Some(rule), _) => set(&mut out, index, DriverPlace::gone(rule)),
            (None, Some(Carries::Constant(_))) => constants.push(index),
            (None, Some(carries)) => {
                twins.entry((carries, scalar.kind(), scalar.mapping.bits)).or_default().push(index)
            }
            (None, None) => _ = take(index, &mut left, &room),
        }
    }
    let (single, several): (Vec<_>, Vec<_>) = twins.into_values().partition(|group| group.len() == 1);
    for index in single.into_iter().flatten() {
        take(index, &mut left, &room);
    }
    // Those that only one variable can hold choose first.
    let mut several = several;
    several.sort_by_key(|group| {
        let names = group.iter().filter_map(|index| scalars.get(*index)).map(|scalar| &scalar.name);
        names.collect::<BTreeSet<_>>().len()
    });
    let mut follows: Vec<(usize, usize)> = Vec::new();
    for group in &several {
        let free = |index: &usize| {
            let name = scalars.get(*index).map(|scalar| &scalar.name);
            let all = name.and_then(|name| room.get(name)).map_or(0, Vec::len);
            all.saturating_sub(name.and_then(|name| left.get(name)).map_or(0, Vec::len))
        };
        match group.iter().max_by_key(|index| (free(index), std::cmp::Reverse(**index))).copied() {
            Some(first) if free(&first) > 0 => {
                take(first, &mut left, &room);
                follows.extend(group.iter().filter(|index| **index != first).map(|index| (*index, first)));
            }
            // Nothing is left of them: they stay without a place, and without a rule.
            _ => {}
        }
    }
    // What the driver could have merged or replaced, and did not.
    follows.retain(|(index, _)| !take(*index, &mut left, &room));
    for index in constants {
        if !take(index, &mut left, &room) {
            set(&mut out, index, DriverPlace::gone(LayoutRule::Constant));
        }
    }
    for (name, mut indices) in left {
        indices.sort_by_key(|index| scalars.get(*index).and_then(|scalar| scalar.at));
        let all = room.remove(&name).unwrap_or_default();
        let fits = all.len() == indices.len();
        for (index, (attribute, channel)) in indices.into_iter().zip(all) {
            let place = DriverPlace { attribute: Some(attribute), channel: Some(channel), rule: None };
            set(&mut out, index, if fits { place } else { DriverPlace::unattributed() });
        }
    }
    name_rules(&scalars, &mut out);
    for (index, first) in follows {
        if let Some(Some(place)) = out.get(first).cloned() {
            set(&mut out, index, DriverPlace { rule: Some(LayoutRule::Duplicate), ..place });
        }
    }
    out.into_iter().map(|place| place.unwrap_or(DriverPlace::unattributed())).collect()
}

fn set(out: &mut [Option<DriverPlace>], index: usize, place: DriverPlace) {
    if let Some(slot) = out.get_mut(index) {
        *slot = Some(place);
    }
}

struct Scalar<'p> {
    mapping: &'p Mapping,
    name: Name,
    at: Option<Place>,
    /// Where we would have it.
    wanted: Option<Place>,
    carries: Option<&'p Carries>,
}

impl Scalar<'_> {
    fn kind(&self) -> Kind {
        (self.mapping.interpolation, self.mapping.at)
    }
}

fn scalar<'p>(
    mapping: &'p Mapping,
    at: Option<Place>,
    compiled: &Compiled,
    written: Option<&'p Written>,
) -> Scalar<'p> {
    let name = match (compiled.of, at) {
        (Version::Packed, Some(place)) => format!("packed{}", place.location),
        _ => mapping.variable.split(['.', '[']).next().unwrap_or_default().to_owned(),
    };
    let wanted = if compiled.of == Version::Packed { at } else { Some(mapping.to) };
    let from = mapping.from;
    let carries = written.and_then(|written| written.get(from.location.0, from.component.0));
    Scalar { mapping, name, at, wanted, carries }
}

/// The channels that are read of each variable, in the order of its scalars.
fn channels(compiled: &Compiled) -> BTreeMap<Name, Vec<(u32, u8)>> {
    let read = compiled.read();
    let mut out: BTreeMap<Name, Vec<(u32, u8)>> = BTreeMap::new();
    for input in &compiled.inputs {
        let next = compiled.inputs.iter().map(|other| other.attribute).filter(|other| *other > input.attribute).min();
        let end = next.unwrap_or(u32::MAX);
        let of = |(attribute, channel): &&(u32, u8)| {
            (input.attribute..end).contains(attribute)
                && input.channels & 1u8.checked_shl(u32::from(*channel)).unwrap_or(0) != 0
        };
        out.entry(input.name.clone()).or_default().extend(read.iter().filter(of));
    }
    out.values_mut().for_each(|all| {
        all.sort_unstable();
        all.dedup();
    });
    out
}

/// Names the rule of every place that is not the wanted one.
fn name_rules(scalars: &[Scalar<'_>], out: &mut [Option<DriverPlace>]) {
    let class = |scalar: &Scalar<'_>| (scalar.kind(), scalar.mapping.bits);
    // By attribute: the kinds of what it holds.
    let mut held: BTreeMap<u32, BTreeSet<_>> = BTreeMap::new();
    // By wanted location: the same.
    let mut shared: BTreeMap<u32, BTreeSet<_>> = BTreeMap::new();
    for (scalar, place) in scalars.iter().zip(out.iter()) {
        if let Some(attribute) = place.as_ref().and_then(|place| place.attribute) {
            held.entry(attribute).or_default().insert(class(scalar));
        }
        if let Some(wanted) = scalar.wanted {
            shared.entry(wanted.location.0).or_default().insert(class(scalar));
        }
    }
    let alone = |attribute: u32| held.get(&attribute).is_some_and(|kinds| kinds.len() == 1);
    for (scalar, place) in scalars.iter().zip(out) {
        let Some(place) = place else { continue };
        let (Some(attribute), Some(channel), None, Some(wanted)) =
            (place.attribute, place.channel, place.rule, scalar.wanted)
        else {
            continue;
        };
        if (attribute, channel, false) == (wanted.location.0, wanted.component.0, wanted.half) {
            continue;
        }
        let mixed = shared.get(&wanted.location.0).is_some_and(|kinds| kinds.len() > 1);
        let narrow = scalar.mapping.bits < 32;
        let kept = scalar.at.is_some_and(|at| at.component.0 == channel);
        place.rule = Some(match () {
            () if narrow && kept => LayoutRule::NarrowUnmoved,
            // Slots hold one kind each: so what shared one with another kind is apart now.
            () if mixed && alone(attribute) => LayoutRule::ClassSplit,
            () if alone(attribute) => LayoutRule::Relinked,
            () => LayoutRule::Unattributed,
        });
    }
}
