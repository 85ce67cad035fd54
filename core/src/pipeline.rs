//! Pipeline descriptions (lanescope-pipeline), and databases made of programs.

pub use lanescope_pipeline::*;

/// Fossilize databases.
pub mod foz {
    pub use lanescope_pipeline::foz::*;

    pub use crate::fossilize::{FossilizeError, Fossilized, make};
}
