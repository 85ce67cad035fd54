//! Which varyings, instructions and source lines the lines of an assembly belong to.

mod origins;
mod tints;
mod varyings;

pub use origins::{Origins, origins, place};
pub use tints::{TINTS, Tinted, Tints};
pub use varyings::{Varyings, varyings};
