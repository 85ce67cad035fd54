//! `lanescope cost` of a graphics pipeline: what the interface to its fragment shader costs.

use std::io::Write as _;

use clap::Args;
use lanescope_core::cost::fragments::DrawAccesses;
use lanescope_core::cost::interface::{Draw, interface_cost};
use lanescope_core::options::Options;
use lanescope_core::program::{Program, StageKind};
use lanescope_text as text;

use super::super::args::{Analysis, numbers};
use super::super::driver_args::AskDrivers;
use super::super::on_device::Format;
use super::super::{CliError, Verdict, json, streams};

/// Arguments of graphics pipelines alone.
#[derive(Debug, Args)]
pub struct InterfaceArgs {
    #[command(flatten)]
    pub ask: AskDrivers,

    /// Compile with RADV for the chip of --target, without a GPU, and show its figures beside those that are predicted
    /// (graphics pipelines; --chip names other chips)
    #[arg(long, help_heading = "Drivers")]
    driver: bool,

    /// The draw that is summed up (graphics pipelines)
    #[arg(
        long,
        value_name = "VERTICES,TRIANGLES",
        default_value = "1000000,500000",
        value_parser = draw,
        help_heading = "Costs"
    )]
    draw_size: Draw,
}

/// Parses a draw.
fn draw(text: &str) -> Result<Draw, String> {
    let [vertices, triangles] = numbers(text)?.map(u64::from);
    Ok(Draw { vertices, triangles })
}

/// Whether a program's costs are those of its interface.
pub fn is_pipeline(program: &Program) -> bool {
    let has = |kind: StageKind| program.stages.iter().any(|stage| stage.stage == kind);
    has(StageKind::Fragment) && !has(StageKind::Compute)
}

impl InterfaceArgs {
    /// Rejects flags of drivers where none is asked.
    ///
    /// # Errors
    /// The first such flag.
    pub fn needs_driver(&self, given: &[String]) -> Result<(), CliError> {
        match given.first().filter(|_| !self.driver && !self.ask.names_one()) {
            Some(flag) => Err(CliError::Unusable(format!("{flag} needs --driver, --chip, --device or --icd"))),
            None => Ok(()),
        }
    }

    /// Prints the costs of a program's interface, and what the shaders of its draw access.
    pub fn print(
        &self,
        program: &Program,
        analysis: &Analysis,
        accesses: impl FnOnce(&Options) -> DrawAccesses,
        format: Format,
    ) -> Result<Verdict, CliError> {
        let options = analysis.options_for(program);
        let cost = interface_cost(program, &options, self.draw_size);
        let cost = cost.map_err(|why| CliError::Unusable(why.to_string()))?;
        let Some(mut cost) = cost else {
            return Err(CliError::Unusable("the program has no fragment shader".to_owned()));
        };
        if self.driver || self.ask.names_one() {
            let mut report = analysis.analyse(program)?;
            self.ask.ask(program, &options, analysis.loading(), &mut report)?;
            cost.measure(&report.driver);
            let failures = report.driver_failures.iter();
            cost.notes.extend(failures.map(|failure| format!("not measured: {}: {}", failure.place, failure.message)));
        }
        cost.accesses = Some(accesses(&options));
        match format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                text::write_cost_sheet(&cost.sheet(), &mut out, style)?;
                out.flush()?;
            }
            Format::Json => json::print_versioned(1, &cost)?,
        }
        Ok(Verdict::Clean)
    }
}
