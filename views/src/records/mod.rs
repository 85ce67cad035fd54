//! Records of a work graph as a typed table: rows in view only, filter, order, links to the origin of each record and
//! to what it caused.

mod table;

pub use lanescope_pictures::records::Kept;
pub use table::{RecordsReply, RecordsShown, RecordsTable};
