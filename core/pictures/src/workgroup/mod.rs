//! Lane maps of workgroups, the map of groups, the map of rule sets.

mod facts;
pub(crate) mod grid;
mod group_map;
mod legend;
mod picture;
mod rule_map;

pub use facts::Facts;
pub use group_map::picture as group_map_picture;
pub use picture::{Caption, ColorBy, Legend, MapSettings, Numbers, captioned, picture, roomier_legend, untitled};
pub use rule_map::picture as rule_map_picture;
