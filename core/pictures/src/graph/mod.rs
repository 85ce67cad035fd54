//! Work graphs, drawn by layers.

mod activity;
mod drawing;
pub mod layered;
mod picture;

pub use activity::{Activity, NodeActivity};
pub use drawing::{Arrow, Drawing, Shown};
pub use picture::{Look, picture, short};
