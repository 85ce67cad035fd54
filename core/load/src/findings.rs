//! The codes that loading raises.

pub use lanescope_dxil::findings::*;
pub use lanescope_model::findings::*;
pub use lanescope_pipeline::findings::*;
