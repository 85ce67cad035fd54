//! CSV for spreadsheets.

use clap::Args;
use lanescope_core::table::Formulas;

/// What becomes of fields that a spreadsheet would compute.
#[derive(Debug, Clone, Copy, Args)]
pub struct CsvArgs {
    /// With --format csv: put an apostrophe before fields that a spreadsheet would take for formulas
    #[arg(long)]
    guard_formulas: bool,
}

impl CsvArgs {
    pub fn formulas(self) -> Formulas {
        if self.guard_formulas { Formulas::Guarded } else { Formulas::Kept }
    }
}
