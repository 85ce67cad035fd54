//! Places where each side was compiled alone: the driver renumbers locations, and moves nothing.

use std::collections::BTreeSet;

use super::declared::Declared;
use super::{Compiled, DriverPlace, LayoutRule};
use crate::driver::Version;
use crate::packing::{Packing, Place};

/// The places of the packing's scalars; `version` says where the module has each.
pub(super) fn places(packing: &Packing, version: &[Option<Place>], compiled: &Compiled) -> Vec<DriverPlace> {
    let read = compiled.read();
    let used: BTreeSet<u32> = version.iter().flatten().map(|place| place.location.0).collect();
    // Locations of variables that are used in part: they stay while the variable does.
    let variables: BTreeSet<_> = packing.map.iter().map(|mapping| mapping.variable_id).collect();
    let declared = packing.interface.iter().filter(|scalar| scalar.input_id.is_some_and(|id| variables.contains(&id)));
    let declared: BTreeSet<u32> = declared.map(|scalar| scalar.location.0).collect();
    let place = |place: &Option<Place>| {
        let place = (*place)?;
        let (location, channel) = (place.location.0, place.component.0);
        let Some(input) = compiled.inputs.iter().find(|input| input.holds(location, channel)) else {
            // Nothing of the variable is left, where no other takes its location, or may take it.
            let takes = |input: &Declared| input.locations == 0 || input.all_locations().contains(&location);
            let other = compiled.inputs.iter().any(takes);
            return (!other).then_some(DriverPlace::gone(LayoutRule::ValueUnneeded));
        };
        let attribute = input.number.saturating_add(location - input.location);
        if !read.contains(&(attribute, channel)) {
            return Some(DriverPlace::gone(LayoutRule::ValueUnneeded));
        }
        let before = |all: &BTreeSet<u32>| all.range(..location).count();
        let rule = match attribute as usize {
            attribute if attribute == before(&used) => None,
            attribute if compiled.of == Version::Original && attribute == before(&declared) => {
                Some(LayoutRule::ArrayWhole)
            }
            _ => Some(LayoutRule::Unattributed),
        };
        Some(DriverPlace { attribute: Some(attribute), channel: Some(channel), rule })
    };
    version.iter().map(|at| place(at).unwrap_or(DriverPlace::unattributed())).collect()
}
