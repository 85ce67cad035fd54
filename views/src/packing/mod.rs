//! The tab of attribute slots, and what they cost.

mod costs;
mod table;
mod view;

pub use lanescope_pictures::packing::{Flag, flagged_picture, flags, picture};
pub use view::PackingView;
