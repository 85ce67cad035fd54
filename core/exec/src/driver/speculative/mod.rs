//! Speculative compiles with a device's driver.
//!
//! * [`speculate`]: compiles one pipeline with its guessed layout, several times, and for comparison without it and with
//!   what pipeline libraries, shader objects and pipeline binaries make of it.
//! * [`above`]: a module with its descriptor sets moved above the application's.

mod alternatives;
mod make;
mod run;

pub use lanescope_passes::speculative::*;
pub use lanescope_passes::speculative_corpus as corpus;

pub use crate::gpu::moved_sets::above;
pub use run::{SpeculativeOptions, speculate};
