//! The packing artifact: its picture and its tab.

mod picture;
//mod table;
//mod view;

pub use picture::picture;
//pub use view::PackingView;
