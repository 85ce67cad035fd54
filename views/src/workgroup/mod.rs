//! The workgroup artifact: the lane map, the map of groups, and their tab.

mod controls;
mod facts;
mod grid;
mod group_map;
mod legend;
mod measured;
mod picture;
mod view;

pub use group_map::picture as group_map_picture;
pub use measured::map as measured_picture;
pub(crate) use picture::{Caption, captioned};
pub use picture::{ColorBy, Legend, MapSettings, Numbers, picture};
pub(crate) use view::INFO;
pub use view::WorkgroupView;
