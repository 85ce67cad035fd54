//! Work graphs: the drawing, its colours, its tab.

mod activity;
mod details;
mod drawing;
mod layered;
mod picture;
mod view;

pub use activity::{Activity, NodeActivity};
pub use drawing::{Arrow, Drawing, Shown};
pub use picture::picture;
pub use view::GraphView;
