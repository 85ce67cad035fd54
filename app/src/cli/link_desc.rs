//! `lanescope link-desc`: the output linkage of partial graphics programs.

use std::io::Write as _;

use clap::{Args, ValueEnum};
use lanescope_core::dxil::Summary;
use lanescope_core::dxil::linkage::OutputLinkage;
use lanescope_core::findings::Severity;
use lanescope_host::json;
use lanescope_text::write_linkage;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Analysis;
use super::{CliError, Verdict, serious, streams, tell_findings};

pub const EXAMPLES: &str = "\
Examples:
  lanescope link-desc dxil/lit_surface.vs.dxil dxil/lit_surface.ps.dxil
                                        the elements, and which state is inside the parts or linked late
  lanescope link-desc dxil/lit_surface.vs.dxil dxil/lit_surface.ps.dxil --format cpp
                                        as initialisers in C++
  lanescope link-desc dxil/brick_wall.ms.dxil dxil/signed_map.ps.dxil --format json
                                        as JSON; the exit status is 1 where no description can exist

The files are in the folder samples.

Direct3D 12's partial graphics programs are compiled before they are linked. The part before the rasterizer is then given what \
the pixel shader declares: each input except system values, also those that are never read. Without it a driver exports every \
output. All stages of the pipeline may be given; the last one before the rasterizer counts.

Exit status: 0 there is a description, 1 findings of severity error, 2 unusable input, or a side is missing.";

/// Arguments of `link-desc`.
#[derive(Debug, Args)]
pub struct LinkDesc {
    #[command(flatten)]
    analysis: Analysis,

    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Cpp,
}

/// What `--format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Page<'a> {
    /// The version of this form.
    schema: u32,
    /// The linkage.
    #[serde(flatten)]
    linkage: &'a OutputLinkage,
}

impl LinkDesc {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let mut loader = self.analysis.loading().loader();
        let (_, report) = self.analysis.load_with(&mut loader)?;
        let shaders: Vec<&Summary> = report.dxil.iter().flat_map(Summary::all).collect();
        let path = |input: usize| report.inputs.get(input).map_or("", |input| input.path.as_str());
        let (linkage, findings) =
            OutputLinkage::of(&shaders, path).map_err(|why| CliError::Unusable(why.to_string()))?;
        match self.format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                write_linkage(&linkage, report.packing.as_ref(), &mut out, style)?;
                out.flush()?;
            }
            Format::Json => json::print(&Page { schema: 1, linkage: &linkage })?,
            Format::Cpp => {
                let mut out = streams::plain();
                out.write_all(linkage.cpp().as_bytes())?;
                out.flush()?;
            }
        }
        tell_findings(serious(&findings));
        let has_errors = findings.iter().any(|finding| finding.severity == Severity::Error);
        Ok(if has_errors { Verdict::Findings } else { Verdict::Clean })
    }
}
