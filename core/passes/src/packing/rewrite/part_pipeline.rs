//! What the rewritten fragment half of a part-pipeline leaves for the earlier part, to be rewritten without it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::map::{RewrittenVariable, described};
use super::plan::{Base, Carrier, Mode, PackedVariable, Plan};
use crate::packing::assign::Key;
use crate::packing::stored_layout::{self, Stored, StoredError};
use crate::packing::{Packing, Place};
use lanescope_base::ids::{Component, Location};
use lanescope_model::options::PackingOrder;

/// The arrays that the hardware's compile stores, and their counterparts for Vulkan: where Vulkan keeps
/// scalars apart that share a location in hardware, the rewritten modules meet at other places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoredHalf {
    /// 1.
    pub schema: u32,
    /// The order that was used.
    pub order: PackingOrder,
    /// 8- and 16-bit varyings are passed as 32-bit ones.
    pub widened: bool,
    /// The hardware's arrays.
    pub hardware: Stored,
    /// Original word and word in the rewritten modules in turn, ascending; a scalar that is read in two ways has two
    /// entries.
    pub rewritten: Vec<u32>,
    /// The interface as rewritten.
    pub variables: Vec<RewrittenVariable>,
}

impl StoredHalf {
    /// Of a plan, where the hardware's map was stored.
    pub(super) fn of(plan: &Plan, hardware: &Packing, widened: bool) -> Option<StoredHalf> {
        let Carrier { variables, places } = plan.carrier();
        let word = |location, component| stored_layout::word(0, Place { location, component, half: false });
        let pair = |((location, component), (index, offset)): ((Location, Component), (usize, u32))| {
            let variable: &PackedVariable = variables.get(index)?;
            let component_there = Component((variable.component + offset) as u8);
            Some((word(location, component)?, word(Location(variable.location), component_there)?))
        };
        let mut pairs: Vec<(u32, u32)> = places.into_iter().filter_map(pair).collect();
        pairs.sort_unstable();
        Some(StoredHalf {
            schema: 1,
            order: hardware.order,
            widened,
            hardware: hardware.stored.clone()?,
            rewritten: pairs.into_iter().flat_map(|(from, to)| [from, to]).collect(),
            variables: variables.iter().map(described).collect(),
        })
    }

    /// Data for rewriting the earlier part.
    pub(super) fn carrier(&self) -> Result<Carrier, StoredError> {
        let variable = |(index, v): (usize, &RewrittenVariable)| {
            let component = u32::from(v.component.0);
            let fits = v.components > 0 && component.saturating_add(v.components) <= 4 && v.location.0 < 1 << 10;
            let base = Base::named(&v.type_name).filter(|_| fits).ok_or(StoredError::Variable { index })?;
            Ok(PackedVariable { location: v.location.0, component, count: v.components, base, mode: Mode::ANY })
        };
        let variables: Vec<PackedVariable> =
            self.variables.iter().enumerate().map(variable).collect::<Result<_, StoredError>>()?;
        let mut held = BTreeMap::new();
        for (index, v) in variables.iter().enumerate() {
            for offset in 0..v.count {
                if held.insert((v.location, v.component + offset), (index, offset)).is_some() {
                    return Err(StoredError::Variable { index });
                }
            }
        }
        let place = |(at, ((_, location, component), to)): (usize, (Key, Place))| {
            let slot = held.get(&(to.location.0, u32::from(to.component.0)));
            let slot = *slot.ok_or(StoredError::Unheld { index: 2 * at + 1 })?;
            Ok(((location, component), slot))
        };
        let pairs = stored_layout::pairs("rewritten", &self.rewritten)?;
        let places = pairs.into_iter().enumerate().map(place).collect::<Result<_, StoredError>>()?;
        Ok(Carrier { variables, places })
    }
}
