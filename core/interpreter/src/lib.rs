//! A deterministic interpreter of SPIR-V compute shaders.
#![forbid(unsafe_code)]

mod code;
pub mod debugger;
mod decode;
mod error;
mod event;
mod exec;
mod image;
mod input;
mod kernels;
mod launch;
mod machine;
mod memory;
mod objects;
mod program;
mod race;
mod types;
mod value;

pub use error::{DecodeError, LaunchError};
pub use event::{Address, Event, EventKind, OtherAccess};
pub use image::{AddressMode, Compare, Image, Sampler};
pub use input::{Buffer, Checks, Dispatch, Inputs, LaneMap, Options};
pub use machine::{Machine, Outcome};
pub use value::Value;
pub use program::{DerivativeGroup, Place, Program};
