//! Pictures of what workgroup layouts cost.

mod picture;

pub use picture::picture;
