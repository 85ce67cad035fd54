//! `lanescope tui`: the inspector in a terminal.

use std::path::PathBuf;

use clap::Args;

use super::{CliError, Verdict};
use crate::tui;

pub const EXAMPLES: &str = "\
Examples:
  lanescope tui                         the last session, or the samples
  lanescope tui lit_surface.vert lit_surface.frag
                                        a pipeline
  lanescope tui tile_16x16.comp --compare odd_size.comp
                                        two programs compared

Press ? for the keys, : for all commands. It needs no display. Without a terminal, \
`lanescope inspect` prints the same as text.

Exit status: 0 closed, 2 no terminal.";

/// Arguments of `tui`.
#[derive(Debug, Args)]
pub struct Tui {
    /// Files to open; several make one pipeline
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Compare with this program (its files separated by commas) or JSON report
    #[arg(long, value_name = "FILE[,FILE…]", value_delimiter = ',', requires = "files")]
    compare: Vec<PathBuf>,

    /// Log the median time of a drawing to stderr at the end
    #[arg(long)]
    timings: bool,
}

impl Tui {
    pub fn run(&self) -> Result<Verdict, CliError> {
        open(self.files.clone(), self.compare.clone(), self.timings)
    }
}

/// Opens files in the terminal.
pub fn open(files: Vec<PathBuf>, against: Vec<PathBuf>, timings: bool) -> Result<Verdict, CliError> {
    tui::run(files, against, timings).map(|()| Verdict::Clean).map_err(|error| CliError::Unusable(error.to_string()))
}
