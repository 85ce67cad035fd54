//! Records of a work graph that a table shows: which, and in which order.

mod order;
mod shown;

pub use order::{Order, RecordQuery, SortBy, SortKey};
pub use shown::Kept;
