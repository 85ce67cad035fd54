//! The codes that this crate raises, and the types of findings.

mod bitcode;
mod container;
mod dxil;
mod opcodes;

pub use lanescope_base::findings::*;

pub use self::bitcode::*;
pub use self::container::*;
pub use self::dxil::*;
pub use self::opcodes::*;
