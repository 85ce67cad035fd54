//! Work graphs: the drawing, its colours, its tab.

mod activity;
mod buffers;
mod details;
mod drawing;
mod edit;
mod facts;
mod form;
mod input;
mod layered;
mod lineage;
mod picture;
mod run;
mod strip;
mod view;

pub use activity::{Activity, NodeActivity};
pub use drawing::{Arrow, Drawing, Shown};
pub use picture::picture;
pub use view::GraphView;
pub(crate) use view::INFO;
