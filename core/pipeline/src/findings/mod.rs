//! The codes that this crate raises, and the types of findings.

mod amber;
mod fossilize;
mod pipe;
mod shader_test;
mod state_objects;

pub use lanescope_base::findings::*;

pub use self::amber::*;
pub use self::fossilize::*;
pub use self::pipe::*;
pub use self::shader_test::*;
pub use self::state_objects::*;
