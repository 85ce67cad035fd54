//! `lanescope inspect`: the report, as text or JSON; its findings as SARIF.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::program::Program;
use lanescope_core::report::Report;

use super::args::Analysis;
use super::driver_args::AskDrivers;
use super::explicit_flags::Given;
use super::on_device;
use super::sarif::{self, Format, Located};
use super::{CliError, Verdict, code_object, json, predicted, run_graph, tell_findings};
use crate::cli::streams;
use lanescope_host::code_objects::only_object;
use lanescope_host::saved_runs::{self, only_run};
use lanescope_text as text;

pub const EXAMPLES: &str = "\
Examples:
  lanescope inspect lit_surface.vert lit_surface.frag
                                        how the inputs of lit_surface.frag pack
  lanescope inspect tile_16x16.comp --wave 64 --reconfig
                                        which lane runs which invocation
  lanescope inspect spec_size.comp --spec 0=16
                                        with specialization constant 0 set to 16
  lanescope inspect lit_surface.vert lit_surface.frag --chip navi21,gfx1100
                                        with the AMD compiler's output (no GPU required)
  lanescope inspect lit_surface.frag --format json
                                        the report of one stage, as JSON
  lanescope inspect lit_surface.frag --format sarif
                                        its findings for code hosts and editors
  lanescope inspect dxil/preview_debugging.cs.dxil --verbose
                                        with the full output of the converter
  lanescope inspect dxil/lit_surface.ps.dxil --listing
                                        its program, disassembled
  lanescope inspect code_objects/fill.elf
                                        an AMD code object: metadata, user data, registers
  lanescope inspect code_objects/textured.pipe --object code_objects/textured.elf
                                        predicted registers beside those of an AMD code object

The files are in the folder samples. A saved run of a work graph (.lanescope-run, written by `lanescope run --save`) \
is shown generation by generation, without a device. An AMD code object is shown as it is, without an analysis.

Exit status: 0 no errors, 1 findings of severity error, or values that differ from those of --object, 2 unusable input, \
3 something requested is missing.";

/// Arguments of `inspect`.
#[derive(Debug, Args)]
pub struct Inspect {
    #[command(flatten)]
    explicit: Given,

    #[command(flatten)]
    analysis: Analysis,

    #[command(flatten)]
    ask: AskDrivers,

    /// Compare the predicted registers and slots with those of an AMD code object, for the object's chip; of a folder, with
    /// the object of these SPIR-V shaders (.api_shader_hash)
    #[arg(
        long,
        value_name = "FILE|DIR",
        conflicts_with_all = ["chip", "all_chips", "device", "variant", "pipeline_libraries", "save_repro", "show", "verbose", "listing"]
    )]
    object: Option<PathBuf>,

    /// Records to print for each node of a saved run
    #[arg(long, value_name = "N", default_value_t = 8)]
    show: u64,

    /// Output format; `sarif` writes the findings only
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Print the full output of tools that findings quote, such as the DXIL converter's
    #[arg(long, conflicts_with = "format")]
    verbose: bool,

    /// Print programs instead of the report: those of DXIL containers, with the lines that findings name, or of a code
    /// object, by llvm-objdump
    #[arg(
        long,
        conflicts_with_all = ["format", "chip", "all_chips", "device", "variant", "pipeline_libraries", "save_repro", "show"],
        help_heading = "DXIL"
    )]
    listing: bool,
}

/// What `inspect` finds.
pub(super) struct Reported {
    pub program: Program,
    pub report: Report,
    /// Whether the compilers could be asked: the rest of the report is there all the same.
    pub asked: Result<(), CliError>,
}

impl Inspect {
    pub fn run(&self) -> Result<Verdict, CliError> {
        if let Some(object) = &self.object {
            let has_target = self.explicit.flags::<Analysis>().iter().any(|flag| flag == "--target");
            return predicted::print(&self.analysis, has_target, object, self.format);
        }
        if let Some(path) = only_run(self.analysis.files()) {
            if self.listing {
                return Err(CliError::Unusable(format!(
                    "{}: is a saved run; --listing needs a DXIL container",
                    path.display()
                )));
            }
            let run = saved_runs::read(path).map_err(CliError::Unusable)?;
            let format = match self.format {
                Format::Text => on_device::Format::Text,
                Format::Json => on_device::Format::Json,
                Format::Sarif => {
                    let message = format!("{}: is a saved run; --format sarif needs a program", path.display());
                    return Err(CliError::Unusable(message));
                }
            };
            return run_graph::print(&run, self.show, format);
        }
        if let Some(path) = only_object(self.analysis.files()) {
            return self.code_object(path);
        }
        let Reported { program, report, asked } = self.reported()?;
        match self.format {
            Format::Text if self.listing => {
                let (mut out, style) = streams::styled();
                if !text::write_listings(&program, &mut out, style)? {
                    return Err(CliError::Unusable("none of the files is a DXIL container".to_owned()));
                }
                out.flush()?;
                tell_findings(&report.findings);
            }
            Format::Text => {
                let (mut out, style) = streams::styled();
                text::write(&report, &mut out, style)?;
                text::write_details(&report.findings, self.verbose, &mut out, style)?;
                out.flush()?;
            }
            Format::Json => json::print(&report)?,
            Format::Sarif => sarif::print(report.findings.iter().map(|finding| Located::of(&report, finding)))?,
        }
        // Where no driver compiled it, the rest of the report is there all the same.
        asked?;
        Ok(if report.has_errors() { Verdict::Findings } else { Verdict::Clean })
    }

    /// The report, with what the compilers that are named make of the program.
    pub(super) fn reported(&self) -> Result<Reported, CliError> {
        let (program, mut report) = self.analysis.load()?;
        let asked = match self.ask.names_one() {
            true => self.ask.ask(&program, &self.analysis.options_for(&program), self.analysis.loading(), &mut report),
            false => Ok(()),
        };
        Ok(Reported { program, report, asked })
    }

    /// The files.
    pub(super) fn files(&self) -> &[PathBuf] {
        self.analysis.files()
    }

    /// Records that are shown of each node of a saved run.
    pub(super) fn shown(&self) -> u64 {
        self.show
    }

    fn code_object(&self, path: &Path) -> Result<Verdict, CliError> {
        let flags = [self.explicit.flags::<Analysis>(), self.explicit.flags::<AskDrivers>()].concat();
        code_object::no_flags(path, &flags)?;
        match self.format {
            Format::Text if self.listing => code_object::print(path, code_object::Form::Listing),
            Format::Text => code_object::print(path, code_object::Form::Text),
            Format::Json => code_object::print(path, code_object::Form::Json),
            Format::Sarif => {
                let message = format!("{}: is an AMD code object; --format sarif needs a program", path.display());
                Err(CliError::Unusable(message))
            }
        }
    }
}
