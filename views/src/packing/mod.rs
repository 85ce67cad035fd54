//! The packing artifact: its picture and its tab.

mod beside;
mod caption;
mod flags;
mod picture;
mod table;
mod view;

pub(crate) use beside::{Beside, beside, legend as flag_legend};
pub use flags::{Flag, flags};
pub use picture::{flagged_picture, picture};
pub(crate) use view::INFO;
pub use view::PackingView;
