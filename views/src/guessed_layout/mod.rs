//! The tab of layouts that are guessed from shaders alone.

mod corpus;
mod speculative;
mod view;

pub use lanescope_pictures::guessed_layout::{picture, timeline};
pub use view::GuessedLayoutView;
