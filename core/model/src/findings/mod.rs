//! The codes that loading and running raise, and the types of findings.

mod execution;
mod load;
mod workgroup;

pub use lanescope_base::findings::*;

pub use self::execution::*;
pub use self::load::*;
pub use self::workgroup::*;
