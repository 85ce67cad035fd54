//! The codes that this crate raises, and the types of findings.

mod fossilize;
mod pipe;

pub use lanescope_base::findings::*;

pub use self::fossilize::*;
pub use self::pipe::*;
