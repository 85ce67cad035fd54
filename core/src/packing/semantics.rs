//! The interface in the words of DXIL, where a stage of it was converted from there.

use serde::{Deserialize, Serialize};

use super::Packing;
use crate::ids::{Component, Location};

/// One row of a signature's element: where it stands in the interface, and in which registers on either side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SemanticPlace {
    /// The location as written.
    pub location: Location,
    /// The first component.
    pub component: Component,
    /// How many components.
    pub columns: u8,
    /// Semantic and index: `NORMAL0`.
    pub semantic: String,
    /// The register that the producer writes: `o2.xyz`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub output: Option<String>,
    /// The register that the consumer reads: `v1.xyz`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<String>,
}

impl SemanticPlace {
    /// The registers of both sides: `o2.xyz → v1.xyz`.
    pub fn registers(&self) -> String {
        [&self.output, &self.input].into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" → ")
    }
}

impl Packing {
    /// The element of a signature that stands at a place as written.
    pub fn semantic(&self, location: Location, component: Component) -> Option<&SemanticPlace> {
        self.semantics.iter().find(|place| {
            let columns = place.component.0..place.component.0.saturating_add(place.columns);
            place.location == location && columns.contains(&component.0)
        })
    }

    /// Adds what one side's signature says. Both sides of one element at one place are one row.
    pub(crate) fn add_semantics(&mut self, places: Vec<SemanticPlace>) {
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
