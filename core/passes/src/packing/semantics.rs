//! The interface by DXIL semantics, where a stage was converted from DXIL.

use super::Packing;
use lanescope_base::ids::{Component, Location};
pub use lanescope_model::dxil_interface::SemanticPlace;

impl Packing {
    /// The element of a signature that is at a place as written.
    pub fn semantic(&self, location: Location, component: Component) -> Option<&SemanticPlace> {
        self.semantics.iter().find(|place| {
            let columns = place.component.0..place.component.0.saturating_add(place.columns);
            place.location == location && columns.contains(&component.0)
        })
    }

    /// Adds one side's signature. Both sides of one element at one place are one row.
    pub fn add_semantics(&mut self, places: Vec<SemanticPlace>) {
        for place in places {
            let same = |other: &&mut SemanticPlace| {
                (other.location, other.component) == (place.location, place.component)
                    && other.semantic.eq_ignore_ascii_case(&place.semantic)
            };
            match self.semantics.iter_mut().find(same) {
                Some(known) => {
                    known.columns = known.columns.max(place.columns);
                    known.output = known.output.take().or(place.output);
                    known.input = known.input.take().or(place.input);
                }
                None => self.semantics.push(place),
            }
        }
        self.semantics.sort_by_key(|place| (place.location, place.component));
    }
}
