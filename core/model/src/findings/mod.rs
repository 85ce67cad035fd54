//! The codes that loading raises, and the types of findings.

mod load;
mod workgroup;

pub use lanescope_base::findings::*;

pub use self::load::*;
pub use self::workgroup::*;
