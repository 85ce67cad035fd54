//! Places where each side was compiled alone: AMD's driver renumbers locations, others keep them, and none moves anything.
//!
//! The locations that the driver's form of the fragment shader loads are the shader's own, so a load says where a scalar
//! is. A scalar that is not loaded is unneeded only where the form and the assembly read the same channels.

use std::collections::BTreeSet;

use super::{Compiled, DriverPlace, LayoutRule, Reason};
use crate::Version;
use lanescope_passes::packing::{Packing, Place};

/// The places of the packing's scalars; `version` says where the module has each.
pub(super) fn places(packing: &Packing, version: &[Option<Place>], compiled: &Compiled<'_>) -> Vec<DriverPlace> {
    let read = &compiled.read;
    let used: BTreeSet<u32> = version.iter().flatten().map(|place| place.location.0).collect();
    // Locations of variables that are used in part: they stay while the variable does.
    let variables: BTreeSet<_> = packing.map.iter().map(|mapping| mapping.variable_id).collect();
    let declared = packing.interface.iter().filter(|scalar| scalar.input_id.is_some_and(|id| variables.contains(&id)));
    let declared: BTreeSet<u32> = declared.map(|scalar| scalar.location.0).collect();
    let place = |place: &Option<Place>| {
        let Some(place) = place else { return DriverPlace::unattributed(Reason::NoMatch) };
        let (location, channel) = (place.location.0, place.component.0);
        let places: BTreeSet<_> =
            compiled.reads.at(location, channel).map(|load| (load.attribute, load.high)).collect();
        let mut places = places.into_iter();
        let (attribute, high) = match (places.next(), places.next()) {
            (Some((attribute, high)), None) if read.contains(&(attribute, channel)) => (attribute, high),
            (None, _) if compiled.agrees => return DriverPlace::gone(LayoutRule::ValueUnneeded),
            (_, None) => return DriverPlace::unattributed(compiled.doubt),
            (_, Some(_)) => return DriverPlace::unattributed(Reason::SeveralChannels),
        };
        let before = |all: &BTreeSet<u32>| all.range(..location).count();
        let is_array = compiled.of == Version::Original && attribute as usize == before(&declared);
        let rule = match () {
            () if compiled.keeps_numbers() => (high || attribute != location).then_some(LayoutRule::Unattributed),
            () if !high && attribute as usize == before(&used) => None,
            () if !high && is_array => Some(LayoutRule::ArrayWhole),
            () => Some(LayoutRule::Unattributed),
        };
        let reason = rule.filter(|rule| *rule == LayoutRule::Unattributed).map(|_| Reason::Number);
        DriverPlace { reason, ..DriverPlace::at(attribute, channel, high, rule) }
    };
    version.iter().map(place).collect()
}
