//! The effect of packing on the stage before: outputs kept, moved or dropped, and what is exported.

use std::collections::{BTreeMap, BTreeSet};

use super::assign::{self, Assigned, Key, READ_STREAM};
use super::interface::Scalar;
use super::link::Producer;
use super::{Dropped, Export, OutputMapping, Place};
use lanescope_base::ids::{Component, Location};

/// The producer's outputs under a map of the consumer's inputs: kept, moved or dropped.
#[derive(Debug, Clone, Default)]
pub(super) struct Outputs {
    pub kept: Vec<OutputMapping>,
    pub dropped: Vec<Dropped>,
    pub exports: Vec<Export>,
}

fn key(scalar: &Scalar) -> Key {
    (scalar.stream, scalar.place.location, scalar.place.component)
}

/// `packs`: captured outputs that nothing reads are packed; otherwise their locations are renumbered.
pub(super) fn outputs(producer: &Producer, inputs: &Assigned, packs: bool) -> Outputs {
    let mut out = Outputs { kept: Vec::with_capacity(producer.interface.scalars.len()), ..Outputs::default() };
    let undefined = undefined_locations(producer);
    let mut captured = Vec::new();
    let kept_back = read_back(producer, inputs);
    for scalar in producer.stored() {
        let is_undefined = undefined.binary_search(&(scalar.stream, scalar.place.location)).is_ok();
        let of_input = (READ_STREAM, scalar.place.location, scalar.place.component);
        let read = inputs.map.get(&of_input).copied();
        let read = read.filter(|_| {
            scalar.stream == producer.raster_stream && inputs.per_primitive.contains(&of_input) == scalar.per_primitive
        });
        match read {
            Some(to) if !is_undefined => {
                let reserved = inputs.reserved.contains(&of_input) && !producer.reads_back(scalar);
                out.kept.push(OutputMapping { reserved, ..mapping(producer, scalar, to) });
            }
            _ if producer.reads_back(scalar) => {
                let location = kept_back.get(&scalar.place.location).copied().unwrap_or(scalar.place.location);
                out.kept.push(mapping(producer, scalar, Place { location, ..scalar.place }));
            }
            _ if is_undefined => out.dropped.push(dropped(producer, scalar, "undefined")),
            _ if scalar.captured => captured.push((scalar.stream, scalar.place)),
            _ => out.dropped.push(dropped(producer, scalar, "unread")),
        }
    }
    if !captured.is_empty() {
        let taken = |stream| if stream == producer.raster_stream { inputs.locations(READ_STREAM) } else { 0 };
        let read = |stream, location| {
            let of_location = (READ_STREAM, location, Component(0))..=(READ_STREAM, location, Component(3));
            let found = inputs.map.range(of_location).next().filter(|_| stream == producer.raster_stream);
            found.map(|(_, to)| to.location)
        };
        let places = match packs {
            true => assign::pack_captured(&captured, taken),
            false => assign::renumber_captured(&captured, taken, read),
        };
        for scalar in producer.stored() {
            if let Some(&to) = places.get(&key(scalar)) {
                out.kept.push(mapping(producer, scalar, to));
            }
        }
    }
    out.kept.sort_by_key(|kept| (kept.stream, kept.from));
    out.kept.dedup_by_key(|kept| (kept.stream, kept.from));
    out.dropped.sort_by_key(|dropped| (dropped.location, dropped.component));
    out.exports = exports(producer.raster_stream, &out.kept, inputs);
    out
}

/// Where the locations go of outputs that the producer reads itself: with what is read of the same location, else after
/// all of it.
fn read_back(producer: &Producer, inputs: &Assigned) -> BTreeMap<Location, Location> {
    let mut out = BTreeMap::new();
    let own: BTreeSet<_> =
        producer.stored().filter(|scalar| producer.reads_back(scalar)).map(|scalar| scalar.place.location).collect();
    let mut next = inputs.locations(READ_STREAM);
    for location in own {
        let at = (READ_STREAM, location, Component(0))..=(READ_STREAM, location, Component(3));
        let known = inputs.map.range(at).next().map(|(_, to)| to.location);
        out.insert(
            location,
            known.unwrap_or_else(|| {
                next += 1;
                Location(next - 1)
            }),
        );
    }
    out
}

/// Locations in which every stored value is undefined, ascending.
pub(super) fn undefined_locations(producer: &Producer) -> Vec<(u32, Location)> {
    let location = |scalar: &Scalar| (scalar.stream, scalar.place.location);
    let mut out: Vec<_> = producer.stored().filter(|s| !producer.is_defined(s)).map(location).collect();
    // Most shaders store nothing undefined.
    if !out.is_empty() {
        let defined: BTreeSet<_> = producer.stored().filter(|s| producer.is_defined(s)).map(location).collect();
        out.retain(|location| !defined.contains(location));
        out.sort_unstable();
    }
    out
}

fn mapping(producer: &Producer, scalar: &Scalar, to: Place) -> OutputMapping {
    OutputMapping {
        variable: scalar.name.clone(),
        variable_id: producer.interface.variables[scalar.variable].id,
        part: scalar.part,
        stream: scalar.stream,
        from: scalar.place,
        to,
        per_primitive: scalar.per_primitive,
        captured: scalar.captured,
        reserved: false,
    }
}

fn dropped(producer: &Producer, scalar: &Scalar, reason: &'static str) -> Dropped {
    Dropped {
        variable: scalar.name.clone(),
        variable_id: producer.interface.variables[scalar.variable].id,
        location: scalar.place.location,
        component: scalar.place.component,
        part: scalar.part,
        reason: reason.into(),
    }
}

/// The slots of the rasterised stream up to the last one that contains some of these outputs.
pub(super) fn slots<'o>(raster_stream: u32, outputs: impl Iterator<Item = &'o OutputMapping>) -> u32 {
    let slots = outputs.filter(|output| output.stream == raster_stream).map(|output| output.to.location.0 + 1);
    slots.max().unwrap_or(0)
}

/// One export a packed location of the rasterised stream: its written components, and those read but never written.
fn exports(raster_stream: u32, kept: &[OutputMapping], inputs: &Assigned) -> Vec<Export> {
    let mut written: BTreeMap<Location, u8> = BTreeMap::new();
    for kept in kept.iter().filter(|kept| kept.stream == raster_stream) {
        *written.entry(kept.to.location).or_default() |= 1 << kept.to.component.0;
    }
    let mut read: BTreeMap<Location, u8> = BTreeMap::new();
    let is_read = |key: &Key| key.0 == READ_STREAM && !inputs.reserved.contains(key);
    for (_, to) in inputs.map.iter().filter(|(key, _)| is_read(key)) {
        *read.entry(to.location).or_default() |= 1 << to.component.0;
    }
    written
        .into_iter()
        .map(|(slot, mask)| Export {
            slot,
            mask,
            first: Component(mask.trailing_zeros() as u8),
            undefined: read.get(&slot).copied().unwrap_or(0) & !mask,
        })
        .collect()
}
