//! Many pipelines at once: a [`Row`] for each, its measures, sums over all rows, and the difference of two results.
//!
//! ```text
//! program, options ── measure ──▶ Row ──▶ Summary (totals, histograms)
//!                                  ├───▶ csv (the columns of fossilize-replay)
//!                                  ├───▶ ResultTable (a row for each shader: sorted, filtered)
//!                                  └───▶ Comparison (totals, helped, hurt; worst and best)
//! ```
//!
//! Sums and comparisons take one row after the other, so that a caller does not need to keep them.

mod across;
mod compare;
mod csv;
mod histogram;
mod measure;
mod result_table;
mod row;
mod shader;
mod summary;
#[cfg(test)]
mod tests;
mod threshold;

pub use compare::{Comparison, Difference, Statistic, Total};
pub use csv::{Columns, FIXED_COLUMNS, Field};
pub use histogram::Histogram;
pub use measure::{Drive, Driven, Measure, measure};
pub use result_table::{FilterError, ResultColumn, ResultTable, RowFilter};
pub use row::{
    AccessCounts, AccessRow, DriverRow, ExecutableRow, GroupRow, GuessRow, Kind, Named, ObjectRow, PackingRow, Row,
    SlotsRow, StageRow, Times, Valued,
};
pub use shader::Shader;
pub use summary::Summary;
pub use threshold::{Threshold, ThresholdError};
