//! `lanescope export`: a program, what it runs with and what it leaves, as a file for other programs.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use lanescope_core::options::WaveChoice;
use lanescope_host::exports::{self, Asked, ScriptFile};
use lanescope_host::safe_write::write_file;
use lanescope_host::worker::SET_UP;

use super::args::{self, Analysis};
use super::input_args::InputArgs;
use super::on_device::OnDevice;
use super::run_script::{self, CommandHost};
use super::{CliError, Verdict, tell_findings};
use crate::cli::streams;
use lanescope_text::plain;

pub const EXAMPLES: &str = "\
Examples:
  lanescope export --amber tile_16x16.comp -o tile.amber
                                        the shader, its inputs, a dispatch, and checks of what the interpreter computes
  lanescope export --amber particles_1024.comp --seed 7 --groups 1,1,1 -o particles.amber
                                        with the inputs of `run`
  lanescope export --amber flat_and_smooth.vert flat_and_smooth.frag --size 16x16 -o flat.amber
                                        a draw, and checks of its attachments
  lanescope export --amber lit_surface.vert lit_surface.frag --first-level -o lit.amber
                                        a script has images of one level: this one has the first level of them
  lanescope export --amber odd_size.comp --device 0 -o odd_size.amber
                                        checks of what a device computes

The files are in the folder samples.

An Amber script is what Vulkan's conformance tests and drivers' test suites run: the form in which a driver's error is reported. \
`lanescope run FILE.amber` runs it too. Shaders are SPIR-V assembly, and GLSL where the file is GLSL that includes nothing. \
Integers and packed formats are compared exactly. Floating point numbers may differ by 1/10000 of the greatest one of their \
check (1/250 for 16 bits, 1/100 where images are filtered); numbers above 10 are in one check only with numbers that this is a \
small part of. Normalized ones may differ by one step. --tolerance sets another value. A draw is run again with its picture \
moved by 1/256 of a pixel: numbers may differ by four times what that changes, and what it changes much, such as pixels at \
edges, is not checked. Numbers in a buffer of words are compared exactly. What a script cannot state is an error that names it. \
The written script is run once more before it is kept.

Exit status: 0 written, 1 written with findings of severity error, without any check, or with results that are not the same in a \
second run, 2 unusable input or an existing file, 3 what an Amber script or its run does not have, or the device lacks.";

/// Arguments of `export`.
#[derive(Debug, Args)]
pub struct Export {
    #[command(flatten)]
    analysis: Analysis,

    #[command(flatten)]
    on: OnDevice,

    #[command(flatten)]
    input: InputArgs,

    /// Write an Amber script
    #[arg(long, required = true)]
    amber: bool,

    /// How far floating point results may differ [default: 1/10000 of the greatest one in their check]
    #[arg(long, value_name = "NUMBER", value_parser = tolerance, help_heading = "Run")]
    tolerance: Option<f64>,

    /// Write the first level of images that have several, which a script has no contents for
    #[arg(long, help_heading = "Run")]
    first_level: bool,

    /// File to write
    #[arg(short, long, value_name = "FILE.amber")]
    output: PathBuf,

    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

/// Parses a tolerance.
fn tolerance(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|error| format!("expected a number: {error}"))?;
    match value.is_finite() && value >= 0.0 {
        true => Ok(value),
        false => Err("expected a number of 0 or more".to_owned()),
    }
}

impl Export {
    pub fn run(&self) -> Result<Verdict, CliError> {
        debug_assert!(self.amber);
        let contents = self.input.read()?;
        if self.output.exists() && !self.force {
            return Err(CliError::Unusable(format!("{}: exists (use --force to overwrite)", self.output.display())));
        }
        let on = self.on.or_interpreter().limited(self.analysis.loading());
        let mut loader = self.analysis.loading().loader().and_time(SET_UP);
        let program = self.analysis.program(&mut loader)?;
        let report = self.analysis.report_of(&program)?;
        args::some_stage(&program, &report)?;
        let options = self.analysis.options_for(&program);
        let asked = Asked {
            program: &program,
            name: &self.output,
            files: self.analysis.files(),
            wanted: &self.analysis.wanted(),
            options: &options,
            inputs: &self.input.inputs(&contents, &program)?,
            wave: (self.analysis.options().wave != WaveChoice::Auto).then_some("--wave"),
            tolerance: self.tolerance,
            first_level: self.first_level,
        };
        let limits = run_script::limits(self.analysis.loading());
        let script = exports::script_of(asked, &mut CommandHost { loader: &mut loader, on: &on }, limits)?;
        write_file(&self.output, script.text.as_bytes(), self.force)?;
        self.tell(&script, &mut streams::plain())?;
        tell_findings(script.first.findings.iter().map(|found| &found.finding));
        Ok(if script.is_clean() && !report.has_errors() { Verdict::Clean } else { Verdict::Findings })
    }

    fn tell(&self, script: &ScriptFile, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}: {}", self.output.display(), script.summary)?;
        script.remarks.iter().try_for_each(|remark| writeln!(out, "  {}", plain(remark)))
    }
}
