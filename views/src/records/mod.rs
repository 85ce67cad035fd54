//! Records of a work graph as a typed table: rows as they are looked at, a filter, an order, a way to where each came
//! from and to what it caused.

mod order;
mod shown;
mod table;

pub use shown::Kept;
pub use table::{RecordsReply, RecordsShown, RecordsTable};
