//! `lanescope probe`: a device's own map from invocations to lanes, beside the predicted one.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use lanescope_core::options::Derivatives;

use super::args::{self, OptionArgs};
use super::on_device::{Format, OnDevice};
use super::workspace::WorkspaceArgs;
use super::{CliError, Verdict, json};
use crate::cli::streams;
use lanescope_host::worker::{ProbeRequest, Reply, Request, SET_UP};
use lanescope_text as text;

pub const EXAMPLES: &str = "\
Examples:
  lanescope probe tile_16x16.comp             a workgroup of that shader's size
  lanescope probe --size 16,8,1               a workgroup of that size
  lanescope probe --size 8,8,1 --derivatives quads --device 0

A shader of the program's own is measured, with the workgroup size and the derivative groups of FILE. FILE itself does not run, so probe takes no contents of buffers and no push constants.
Disagreements between the device and the prediction are listed; they are not errors.
The files are in the folder samples.

Exit status: 0 measured, 2 unusable input, 3 the device is not available.";

/// Arguments of `probe`.
#[derive(Debug, Args)]
pub struct Probe {
    /// Workgroup size to measure, without a shader
    #[arg(long, value_name = "X,Y,Z", value_parser = args::numbers::<3>, conflicts_with = "files")]
    size: Option<[u32; 3]>,

    /// Shader whose workgroup is measured
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    workspace: WorkspaceArgs,

    #[command(flatten)]
    option_args: OptionArgs,

    #[command(flatten)]
    on: OnDevice,

    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

impl Probe {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let on = self.on.limited(self.option_args.loading());
        let mut loader = self.option_args.loading().loader().and_time(SET_UP);
        let (size, derivatives) = match self.size {
            Some(size) => (size, self.option_args.options().derivatives),
            None if self.files.is_empty() => {
                return Err(CliError::Unusable("expected a shader or --size".to_owned()));
            }
            None => {
                let described = self.option_args.in_workspace(&self.files, self.workspace);
                let (files, options) = described.map_err(CliError::Unusable)?;
                let (program, report) = options.load(&files, &mut loader)?;
                args::some_stage(&program, &report)?;
                let layout = report.workgroup.first().ok_or_else(|| {
                    let found: Vec<_> = report.stages.iter().map(|stage| stage.stage.name()).collect();
                    let message = "no workgroup: expected a compute, task or mesh shader, found";
                    CliError::Unusable(format!("{message} {}", found.join(", ")))
                })?;
                (layout.size, Some(layout.derivatives))
            }
        };
        let derivatives = derivatives.unwrap_or(Derivatives::None);
        let request = Request::Probe(ProbeRequest { device: on.options(), size, derivatives });
        let Reply::Probed(probe) = on.ask(loader.child()?, &request, 1)? else { return Err(CliError::unexpected()) };
        match self.format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                text::write_probe(&probe, &mut out, style)?;
                out.flush()?;
            }
            Format::Json => json::print_versioned(1, &probe)?,
        }
        Ok(Verdict::Clean)
    }
}
