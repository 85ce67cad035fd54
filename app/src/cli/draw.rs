//! `lanescope draw`: a picture of the report, without display or GPU.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::args::Analysis;
use super::{CliError, Verdict};

pub const EXAMPLES: &str = "\
Examples:
  lanescope draw lit.vert lit.frag --view packing -o packing.svg
  lanescope draw blur.comp --view workgroup --theme dark -o lanes.png
  lanescope draw blur.comp --view groups --group-tile 8 --groups 20,12,1 -o groups.svg";

/// What `draw` takes.
#[derive(Debug, Args)]
pub struct Draw {
    #[command(flatten)]
    analysis: Analysis,

    /// Which picture
    #[arg(long, value_enum)]
    view: Picture,

    /// File to write; its extension says SVG or PNG
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Colours
    #[arg(long, value_enum, default_value = "light")]
    theme: Theme,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Picture {
    /// Attribute slots before and after packing
    Packing,
    /// The lane map of a workgroup
    Workgroup,
    /// The map of workgroups under the workgroup-id swizzle
    Groups,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Theme {
    Light,
    Dark,
}
