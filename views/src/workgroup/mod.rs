//! The tab of the workgroup: the lane map, the map of groups, what was measured, costs, and where rule sets differ.

mod controls;
mod costs;
mod measured;
mod rules;
mod view;

pub use lanescope_pictures::workgroup::{ColorBy, Legend, MapSettings, Numbers, group_map_picture, picture};
pub use measured::map as measured_picture;
pub use view::WorkgroupView;
