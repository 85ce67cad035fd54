//! Attribute slots: both grids, with flags at scalars that findings name.

mod assigned;
mod beside;
mod caption;
mod described;
mod flags;
mod names;
mod picture;
mod stacked;

pub use assigned::assigned;
pub use beside::{Beside, MOVED, beside, facts as packing_facts, legend as flag_legend};
pub use described::{Described, describe, describe_built_in};
pub use flags::{Flag, flags};
pub use names::{glsl_name, place_name};
pub use picture::{flagged_picture, picture};
pub use stacked::stacked_picture;

use lanescope_core::packing::Mapping;
use lanescope_inspector::selection::Varying;

/// The varying that a scalar of the map belongs to.
pub fn varying_of(mapping: &Mapping) -> Varying {
    Varying { location: mapping.from.location.0, component: Some(mapping.from.component.0) }
}
