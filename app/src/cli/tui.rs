//! `lanescope tui`: the inspector in a terminal.

use std::path::PathBuf;

use clap::Args;
use lanescope_core::chip::Chip;
use lanescope_core::target::Target;

use super::driver_args::not_a_manifest;
use super::{CliError, Verdict};
use lanescope_host::flags::choices;
use lanescope_tui::{self as tui, Begin};

pub const EXAMPLES: &str = "\
Examples:
  lanescope tui                         the last session, or the samples
  lanescope tui lit_surface.vert lit_surface.frag
                                        a pipeline
  lanescope tui tile_16x16.comp --compare odd_size.comp
                                        two programs compared
  lanescope tui lit_surface.vert lit_surface.frag --chip gfx1030,gfx1100
                                        compiled for two chips

Press ? for the keys, : for all commands. It needs no display. Without a terminal, `lanescope inspect` prints the \
same as text.

Exit status: 0 closed, 2 no terminal.";

/// Arguments of `tui`.
#[derive(Debug, Args)]
pub struct Tui {
    /// Files to open; several make one pipeline
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Compare with this program (its files separated by commas), JSON report or AMD code object
    #[arg(long, visible_alias = "object", value_name = "FILE[,FILE…]", value_delimiter = ',', requires = "files")]
    compare: Vec<PathBuf>,

    /// Chips to compile for (none needs to be installed): names in `lanescope help targets`, or any RADV family name;
    /// for this session only
    #[arg(
        long,
        value_name = "CHIP[,CHIP…]",
        value_delimiter = ',',
        value_parser = choices::chip(),
        hide_possible_values = true,
    )]
    chip: Vec<Chip>,

    /// Vulkan drivers to compile with, by their manifests; for this session only
    #[arg(long, value_name = "FILE[,FILE…]", value_delimiter = ',')]
    icd: Vec<PathBuf>,

    /// Target of the files; for this session only
    #[arg(long, value_name = "TARGET", requires = "files", value_parser = choices::target(), hide_possible_values = true)]
    target: Option<Target>,

    /// Log the median time of a drawing to stderr at the end
    #[arg(long)]
    timings: bool,
}

impl Tui {
    pub fn run(&self) -> Result<Verdict, CliError> {
        if let Some(missing) = self.icd.iter().find(|icd| !icd.is_file()) {
            return Err(CliError::Unusable(not_a_manifest(missing)));
        }
        let icds = self.icd.iter().map(|icd| std::path::absolute(icd).unwrap_or_else(|_| icd.clone()));
        let begin = Begin {
            files: self.files.clone(),
            against: self.compare.clone(),
            chips: self.chip.clone(),
            icds: icds.collect(),
            target: self.target,
        };
        open(begin, self.timings)
    }
}

/// Opens files in the terminal.
pub fn open(begin: Begin, timings: bool) -> Result<Verdict, CliError> {
    tui::run(begin, timings).map(|()| Verdict::Clean).map_err(|error| CliError::Unusable(error.to_string()))
}
