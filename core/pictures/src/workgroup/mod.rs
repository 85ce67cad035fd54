//! Lane maps of workgroups, and the map of groups.

mod facts;
pub(crate) mod grid;
mod group_map;
mod legend;
mod picture;

pub use facts::Facts;
pub use group_map::picture as group_map_picture;
pub use picture::{Caption, ColorBy, Legend, MapSettings, Numbers, captioned, picture, roomier_legend};
