//! Layouts that are guessed from shaders alone: set tables as strips, the root, targets, keys, and a timeline.

mod ahead;
mod corpus;
mod picture;
mod timeline;
mod view;

pub use picture::picture;
pub use timeline::timeline;
pub use view::PartialView;
