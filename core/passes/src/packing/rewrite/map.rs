//! What a rewrite did, as plain data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::part_pipeline::StoredHalf;
use super::plan::{Item, Mode, PackedVariable, Plan};
use crate::packing::{At, Dropped, Interpolation, Missing, Packing, Place};
use lanescope_base::ids::{Component, Id, Location};
use lanescope_base::named_enum;
use lanescope_model::options::PackingOrder;
use lanescope_model::program::StageKind;

/// The result of a rewrite: plain data, without modules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Map {
    /// The stage before the consumer, if it was loaded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub producer: Option<StageKind>,
    /// The stage whose inputs are packed.
    pub consumer: StageKind,
    /// The order that was used.
    pub order: PackingOrder,
    /// 8- and 16-bit varyings are passed as 32-bit ones.
    pub widened: bool,
    /// Stages whose module differs from the given one.
    pub changed: Vec<StageKind>,
    /// Attribute slots of generic inputs.
    pub slots: RewrittenSlots,
    /// The interface as rewritten.
    pub variables: Vec<RewrittenVariable>,
    /// Scalars that are where the hardware packing puts them, by original place.
    pub carried: Vec<Carried>,
    /// Scalars that do not, by original place.
    pub not_carried: Vec<NotCarried>,
    /// Outputs that keep their own variable, because transform feedback captures them or another stream has them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub kept: Vec<KeptOutput>,
    /// Outputs that are gone.
    pub dropped: Vec<Dropped>,
    /// Inputs that no stage writes: undefined before and after.
    pub missing: Vec<Missing>,
}

/// Counts of attribute slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RewrittenSlots {
    /// As written.
    pub before: u32,
    /// Under the hardware's packing.
    pub hardware: u32,
    /// In the rewritten modules.
    pub after: u32,
}

/// A variable of the rewritten interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RewrittenVariable {
    /// Its location.
    pub location: Location,
    /// Its first component.
    pub component: Component,
    /// Number of components.
    pub components: u32,
    /// The type of a component: `float32`.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Its interpolation mode; absent before other stages than the fragment shader.
    #[serde(skip_serializing_if = "Interpolation::is_none", default = "Interpolation::none")]
    pub interpolation: Interpolation,
    /// Where it is interpolated, apart from interpolation functions; absent likewise.
    #[serde(skip_serializing_if = "At::is_none", default = "At::none")]
    pub at: At,
}

/// A scalar that is where the hardware packing puts it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Carried {
    /// Its variable's name in the consumer, with member, element or column if any.
    pub variable: String,
    /// The variable's id in the consumer.
    pub variable_id: Id,
    /// As written.
    pub from: Place,
    /// After packing.
    pub to: Place,
}

/// A scalar that is not where the hardware packing puts it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotCarried {
    /// Its variable's name in the consumer, with member, element or column if any.
    pub variable: String,
    /// The variable's id in the consumer.
    pub variable_id: Id,
    /// As written.
    pub from: Place,
    /// The location by hardware packing.
    pub hardware: Place,
    /// The location in the rewritten modules.
    pub rewritten: Place,
    /// The reason for the difference.
    pub why: Why,
}

named_enum!(
    /// Why a scalar is not where the hardware packing puts it.
    Why {
        /// A 16-bit value takes a half in hardware, and a whole component in Vulkan.
        Half = "half-component",
        /// An 8- or 16-bit value is passed as 32 bits.
        Widened = "widened",
        /// Its location mixes interpolation qualifiers, which Vulkan keeps apart.
        Interpolation = "mixed-interpolation",
        /// Its location holds values of other widths, which Vulkan keeps apart.
        Width = "mixed-width",
        /// Nothing of its own: it follows others that stand elsewhere.
        Follows = "follows-others",
        /// Only outputs that are dropped needed what comes before it: it closes up.
        ClosedUp = "closed-up",
        /// After a mesh shader variables are renumbered whole.
        WholeVariable = "whole-variable",
    }
);

/// An output that keeps its own variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeptOutput {
    /// Its name.
    pub variable: String,
    /// Its id.
    pub variable_id: Id,
    /// Its first location as written.
    pub from: Location,
    /// Its first location now: after the packed ones where those need its own.
    pub to: Location,
}

pub(super) fn report(plan: &Plan, hardware: &Packing, kept: Vec<KeptOutput>) -> Map {
    let (mut carried, mut not_carried) = (Vec::new(), Vec::new());
    for item in &plan.items {
        let Item { variable, variable_id, from, hardware, to, .. } = item.clone();
        match plan.why(item) {
            None => carried.push(Carried { variable, variable_id, from, to }),
            Some(why) => not_carried.push(NotCarried { variable, variable_id, from, hardware, rewritten: to, why }),
        }
    }
    carried.sort_by_key(|row| row.from);
    not_carried.sort_by_key(|row| row.from);
    Map {
        producer: hardware.producer,
        consumer: hardware.consumer,
        order: hardware.order,
        widened: false,
        changed: Vec::new(),
        slots: RewrittenSlots {
            before: hardware.slots.before,
            hardware: hardware.slots.after,
            after: plan.locations(),
        },
        variables: plan.variables.iter().map(described).collect(),
        carried,
        not_carried,
        kept,
        dropped: hardware.dropped.clone(),
        missing: hardware.missing.clone(),
    }
}

/// The map of the part before the fragment shader, without that shader: of its variables only the places are known.
pub(super) fn of_half(
    stored: &StoredHalf,
    producer: StageKind,
    hardware: u32,
    kept: Vec<KeptOutput>,
    dropped: Vec<Dropped>,
    missing: Vec<Missing>,
) -> Map {
    let originals = stored.hardware.locations.iter().step_by(2).map(|word| word >> 3);
    let places = stored.variables.iter().map(|variable| variable.location);
    let count = |all: std::collections::BTreeSet<u32>| all.len() as u32;
    Map {
        producer: Some(producer),
        consumer: StageKind::Fragment,
        order: stored.order,
        widened: false,
        changed: Vec::new(),
        slots: RewrittenSlots {
            before: count(originals.collect()),
            hardware,
            after: count(places.map(|location| location.0).collect()),
        },
        variables: stored.variables.clone(),
        carried: Vec::new(),
        not_carried: Vec::new(),
        kept,
        dropped,
        missing,
    }
}

pub(super) fn described(variable: &PackedVariable) -> RewrittenVariable {
    let PackedVariable { location, component, count, base, mode } = *variable;
    RewrittenVariable {
        location: Location(location),
        component: Component(component as u8),
        components: count,
        type_name: base.name(),
        interpolation: mode.interpolation,
        at: match mode {
            Mode { interpolation: Interpolation::Uninterpolated, .. } => At::Nowhere,
            Mode { sample: true, .. } => At::Sample,
            Mode { centroid: true, .. } => At::Centroid,
            _ => At::Center,
        },
    }
}
