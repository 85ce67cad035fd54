//! Many pipelines at once: a [`Row`] for each, its measures, sums over all rows, and the difference of two results.
//!
//! ```text
//! program, options ── measure ──▶ Row ──▶ Summary (totals, histograms)
//!                                  ├───▶ csv (the columns of fossilize-replay)
//!                                  └───▶ Comparison (totals, helped, hurt; worst and best)
//! ```
//!
//! Sums and comparisons take one row after the other, so that a caller does not need to keep them.

mod compare;
mod csv;
mod histogram;
mod html;
mod measure;
mod row;
mod summary;
#[cfg(test)]
mod tests;
mod threshold;

pub use compare::{Comparison, Difference, Total};
pub use csv::{Columns, FIXED_COLUMNS};
pub use histogram::Histogram;
pub use html::Page;
pub use measure::{Drive, Measure, measure};
pub use row::{DriverRow, ExecutableRow, GroupRow, GuessRow, Kind, Named, PackingRow, Row, StageRow, Times, Valued};
pub use summary::Summary;
pub use threshold::{Threshold, ThresholdError};
