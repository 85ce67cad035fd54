//! Guessed descriptor layouts against the application's.

mod picture;
mod sgprs;
mod timeline;

pub use picture::{describe, picture};
pub use timeline::{cache, timeline};
