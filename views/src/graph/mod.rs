//! Work graphs: the drawing, its colours, its costs, its tab.

mod buffers;
mod costs;
mod details;
mod edit;
mod facts;
mod form;
mod input;
mod lineage;
mod run;
mod strip;
mod view;

pub use lanescope_pictures::graph::{Activity, Arrow, Drawing, NodeActivity, Shown, picture};
pub use view::GraphView;
pub(crate) use view::INFO;
