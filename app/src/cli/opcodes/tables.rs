//! The op tables that a command is about.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::dxil::ops::Tables;
use lanescope_core::dxil::ops::read::Reading;
use lanescope_core::findings::Severity;
use lanescope_core::load::{read_opcode_table, with_feature_names};

use super::super::CliError;
use crate::cli::streams;

/// Notes on a table that are printed at most.
const SHOWN: usize = 20;

#[derive(Debug, Clone, Default, Args)]
pub struct TableArg {
    /// Op tables to use instead of those of this build: a JSON file, hctdb.py, or a folder of DXC's sources or build
    #[arg(long, value_name = "FILE|DIR")]
    opcode_table: Option<PathBuf>,

    /// Names of ops in private partitions (FeatureIDs that DXC does not use): a JSON file
    #[arg(long, value_name = "FILE")]
    feature_names: Option<PathBuf>,
}

impl TableArg {
    /// The tables; what is to be said about those of a file goes to standard error.
    pub fn read(&self) -> Result<Tables, CliError> {
        let tables = match &self.opcode_table {
            Some(path) => read(path)?.tables,
            None => Tables::bundled(),
        };
        match &self.feature_names {
            Some(path) => with_feature_names(tables, path).map_err(|problem| CliError::Unusable(problem.to_string())),
            None => Ok(tables),
        }
    }
}

/// Reads tables and prints the notes on them to standard error.
pub fn read(path: &Path) -> Result<Reading, CliError> {
    let reading = read_opcode_table(path).map_err(|problem| CliError::Unusable(problem.to_string()))?;
    let mut err = streams::errors();
    for note in reading.notes.iter().take(SHOWN) {
        writeln!(err, "{note}")?;
    }
    if let Some(more) = reading.notes.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        writeln!(err, "{more} more notes")?;
    }
    Ok(reading)
}

/// Whether a reading has a note of severity error.
pub fn has_errors(reading: &Reading) -> bool {
    reading.notes.iter().any(|note| note.severity == Severity::Error)
}
