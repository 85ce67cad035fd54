//! Layouts that are guessed from shaders alone: set tables as strips, the root, targets, keys, and a timeline.

mod corpus;
mod picture;
mod speculative;
mod timeline;
mod view;

pub use picture::picture;
pub use timeline::timeline;
pub use view::GuessedLayoutView;
