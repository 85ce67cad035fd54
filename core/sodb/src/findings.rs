//! The codes that this crate raises, and the types of findings.

pub use lanescope_pipeline::findings::*;
