//! The packing artifact: its picture and its tab.

mod caption;
mod picture;
mod table;
mod view;

pub use picture::picture;
pub(crate) use view::INFO;
pub use view::PackingView;
