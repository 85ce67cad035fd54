//! Results over many pipelines: histograms, and a page of all rows.

mod histogram;
mod page;

pub use histogram::{BARS, about_bar, bar_at, histogram, range_text};
pub use page::Page;
