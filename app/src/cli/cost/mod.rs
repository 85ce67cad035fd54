//! `lanescope cost`: what the layouts of a workgroup do to the memory accesses of a compute shader, what the interface of a
//! graphics pipeline costs and its shaders access ([`interface`]), and what a scheduler makes of a work graph ([`graph`]).

mod graph;
mod interface;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::cost::fragments::DrawAccesses;
use lanescope_core::cost::{Cost, CostError, Settings, Tiling};
use lanescope_core::gpu::Inputs;
use lanescope_core::interpreter::Options as Limits;
use lanescope_core::options::Options;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::run::Repeat;
use lanescope_host::costs::{CostFailure, costs, limits};
use lanescope_host::draw_accesses::{DrawSettings, draw_accesses};
use lanescope_host::flags::choices::one_of;
use lanescope_host::layout_times::{TimeRequest, TimedLayouts};
use lanescope_host::safe_write::{may_write, write_file};
use lanescope_host::worker::{Loader, Reply, Request};
use lanescope_pictures::cost::picture;
use lanescope_pictures::draw::FileFormat;
use lanescope_text as text;

use interface::InterfaceArgs;

use super::args::{self, Analysis};
use super::draw::{Theme, format_of, is_built};
use super::driver_args::AskDrivers;
use super::explicit_flags::Given;
use super::input_args::InputArgs;
use super::on_device::{Format, TIME};
use super::{CliError, Verdict, json, streams};

pub const EXAMPLES: &str = "\
Examples:
  lanescope cost tile_16x16.comp        cache lines, sectors and LDS passes of each layout
  lanescope cost tile_16x16.comp --wave 32 --tiling linear --pitch 4096
                                        in waves of 32, with linear images
  lanescope cost particles_1024.comp --groups 8,8,1 --buffer 0:0=1048576
                                        another dispatch and a buffer of that size
  lanescope cost tile_16x16.comp --wave 32 -o lines.svg
                                        and a picture: the lines that the lanes of each layout touch
  lanescope cost tile_16x16.comp --measure --rounds 5
                                        and times of each layout on the first device, beside the predicted order
  lanescope cost dxil/prefix_sum.cs.dxil --format json
                                        as JSON
  lanescope cost work_graphs/04_broadcast_grids.dxil
                                        a work graph's groups, lists and memory by its declarations
  lanescope cost work_graphs/04_broadcast_grids.dxil --run
                                        and by the records of a run
  lanescope cost work_graphs/additions/more_bins.dxil --add-to work_graphs/05_sparse_array.dxil
                                        what AddToStateObject changes if it adds these nodes
  lanescope cost lit_surface.vert lit_surface.frag
                                        attribute slots, exports and LDS of a graphics pipeline, before and after packing
  lanescope cost divergent_sample.vert divergent_sample.frag --size 32x32 --wave 32
                                        and the memory accesses of a fragment shader, in a draw of the interpreter
  lanescope cost lit_surface.vert lit_surface.frag --target gfx1100 --driver
                                        and what RADV makes of it (no GPU required)

The files are in the folder samples.

The interpreter runs the shader once and logs each access; a layout decides which invocations are a wave. Of a compute shader, \
buffers, images and push constants that are not given are zero; --seed fills them with pseudorandom contents, as those of a draw \
are. Addresses that depend on them are listed. `lanescope help costs` explains the figures and where they are from, `lanescope help interface-costs` those of graphics \
pipelines, `lanescope help graph-costs` those of work graphs.

Exit status: 0 success, 2 unusable input or a shader that does not end, 3 the shader needs what the interpreter or the device lacks.";

/// Arguments of `cost`.
#[derive(Debug, Args)]
pub struct CostOf {
    #[command(flatten)]
    given: Given,

    #[command(flatten)]
    analysis: Analysis,

    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    graph: graph::GraphCostArgs,

    /// How texels lie in memory: row by row; in blocks of 256 bytes; in addrlib's standard swizzle
    #[arg(
        long,
        value_name = "linear|tiled|standard",
        default_value = "tiled",
        help_heading = "Costs",
        value_parser = one_of(Tiling::ALL, Tiling::name),
        hide_possible_values = true,
    )]
    tiling: Tiling,

    /// Least number of bytes from a row of a linear image to the next [default: the row, rounded up to 256]
    #[arg(long, value_name = "BYTES", help_heading = "Costs", value_parser = clap::value_parser!(u64).range(1..=1 << 32))]
    pitch: Option<u64>,

    /// The most workgroups, or waves of 64 fragments, that run; of larger dispatches and draws so many, spread evenly
    #[arg(
        long,
        value_name = "N",
        default_value_t = Settings::default().sample,
        help_heading = "Costs",
        value_parser = clap::value_parser!(u64).range(1..),
    )]
    sample: u64,

    /// Consecutive workgroups whose lines are taken together, to compare orders of workgroups
    #[arg(
        long,
        value_name = "N",
        default_value_t = Settings::default().window,
        help_heading = "Costs",
        value_parser = clap::value_parser!(u32).range(1..),
    )]
    window: u32,

    /// Time the layouts on a device too, and compare their order with the predicted one: the accesses are counted in waves
    /// of the device (compute shaders)
    #[arg(long, help_heading = "Costs")]
    measure: bool,

    /// Samples of each layout, one a round; each round has an order of its own
    #[arg(
        long,
        value_name = "N",
        default_value_t = Repeat::DEFAULT.rounds,
        requires = "measure",
        help_heading = "Costs",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(Repeat::MOST_ROUNDS)),
    )]
    rounds: u32,

    /// The most instructions that all waves run together
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000, help_heading = "Limits")]
    max_steps: u64,

    /// Picture to write, as SVG or PNG: the lane map of each layout, colored by the lines that an access touches
    #[arg(short, long, value_name = "FILE", help_heading = "Costs")]
    output: Option<PathBuf>,

    /// Access of the picture: the number of its instruction [default: the one whose figure differs most between layouts]
    #[arg(long, value_name = "N", requires = "output", help_heading = "Costs")]
    access: Option<u32>,

    /// Overwrite the picture
    #[arg(long, requires = "output", help_heading = "Costs")]
    force: bool,

    /// Color theme of the picture
    #[arg(long, value_enum, default_value = "light", requires = "output", help_heading = "Costs")]
    theme: Theme,

    #[command(flatten)]
    interface: InterfaceArgs,

    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Flags of compute shaders that are not in a part of their own.
const OF_COMPUTE: [&str; 15] = [
    "--window",
    "--measure",
    "--rounds",
    "--output",
    "--access",
    "--force",
    "--theme",
    "--groups",
    "--group-size",
    "--group-tile",
    "--reconfig",
    "--force-swizzle",
    "--interleave",
    "--derivatives",
    "--layout-rules",
];

impl CostOf {
    pub fn run(&self) -> Result<Verdict, CliError> {
        if self.pitch.is_some() && self.tiling != Tiling::Linear {
            return Err(CliError::Unusable("--pitch is of linear images: add --tiling linear".to_owned()));
        }
        if self.measure && self.given.flags::<CostOf>().iter().any(|flag| flag == "--wave") {
            let why = "--wave cannot be used with --measure: accesses are counted in waves of the device";
            return Err(CliError::Unusable(why.to_owned()));
        }
        if let Some(output) = &self.output {
            is_built(format_of(output)?)?;
            may_write(output, self.force)?;
        }
        let contents = self.input.read()?;
        let mut loader = self.analysis.loading().loader();
        if let Some(verdict) = self.saved_run()? {
            return Ok(verdict);
        }
        if let Some(verdict) = self.addition(&mut loader)? {
            return Ok(verdict);
        }
        let loaded = self.analysis.program(&mut loader);
        if let Some(verdict) = self.work_graph(&mut loader, &loaded, &contents)? {
            return Ok(verdict);
        }
        let program = loaded?;
        if self.is_of_interface(&program)? {
            self.interface.needs_driver(&self.given.flags::<AskDrivers>())?;
            let inputs = self.input.inputs(&contents, &program)?;
            let accesses = |options: &Options| self.accesses_of_draw(&program, options, &inputs);
            return self.interface.print(&program, &self.analysis, accesses, self.format);
        }
        let report = self.analysis.report_of(&program)?;
        args::some_stage(&program, &report)?;
        let mut inputs = self.input.inputs(&contents, &program)?;
        // What is not given is zero, unless a seed is.
        inputs.zeros = inputs.zeros || !self.given.flags::<InputArgs>().iter().any(|flag| flag == "--seed");
        let options = self.analysis.options_for(&program);
        let (limits, settings) = self.counting();
        let timed = self.measure.then(|| self.timed(&mut loader, &program, &options, &inputs)).transpose()?;
        let _watchdog = self.analysis.loading().watchdog("cost");
        let cost = match &timed {
            Some(timed) => timed.beside_costs(&program, &options, &inputs, &settings, limits, &mut || false),
            None => costs(&program, &options, &inputs, &settings, limits, &mut || false),
        };
        let cost = cost.map_err(failed)?;
        if let Some(output) = &self.output {
            self.draw(&cost, output, format_of(output)?)?;
        }
        match self.format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                text::write_cost(&cost, &mut out, style)?;
                out.flush()?;
            }
            Format::Json => json::print_versioned(1, &cost)?,
        }
        Ok(Verdict::Clean)
    }
}

impl CostOf {
    /// Limits of a run, and how its accesses are counted.
    fn counting(&self) -> (Limits, Settings) {
        let (limits, accesses) = limits(self.max_steps, self.analysis.loading().own_memory() / 2);
        let Self { tiling, pitch, sample, window, .. } = *self;
        (limits, Settings { tiling, pitch, sample, window, accesses, wave: None })
    }

    /// What the shaders of a pipeline access in a draw.
    fn accesses_of_draw(&self, program: &Program, options: &Options, inputs: &Inputs) -> DrawAccesses {
        let (limits, counting) = self.counting();
        // The rest of the report is printed if the draw takes too long: the watchdog would end the program.
        let time = self.analysis.loading().time_or(TIME) * 3 / 4;
        let _watchdog = self.analysis.loading().watchdog("cost");
        draw_accesses(program, options, inputs, &DrawSettings { counting, limits, time }, &mut || false)
    }

    /// Whether the costs are those of an interface. Flags without an effect are rejected.
    fn is_of_interface(&self, program: &Program) -> Result<bool, CliError> {
        let is_pipeline = interface::is_pipeline(program);
        let (flags, of) = match is_pipeline {
            true => {
                let is_mesh = program.stages.iter().any(|stage| stage.stage == StageKind::Mesh);
                let of_compute =
                    |flag: &String| OF_COMPUTE.contains(&flag.as_str()) && !(is_mesh && flag == "--groups");
                let own = self.given.flags::<CostOf>().into_iter().find(of_compute);
                (own, "compute shaders; the files are a graphics pipeline")
            }
            false => {
                let of_device = |flag: &String| self.measure && graph::OF_DEVICE.contains(&flag.as_str());
                let others = self.given.flags::<InterfaceArgs>().into_iter().find(|flag| !of_device(flag));
                (others, "graphics pipelines with a fragment shader")
            }
        };
        match flags {
            Some(flag) if !is_pipeline && graph::OF_DEVICE.contains(&flag.as_str()) => {
                Err(CliError::Unusable(format!("{flag} needs --measure: layouts are counted without a device")))
            }
            Some(flag) => Err(CliError::Unusable(format!("{flag} is of {of}"))),
            None => Ok(is_pipeline),
        }
    }

    /// The times of the layouts, from a child process.
    fn timed(
        &self,
        loader: &mut Loader,
        program: &Program,
        options: &Options,
        inputs: &Inputs,
    ) -> Result<TimedLayouts, CliError> {
        let on = self.interface.ask.on_device()?.limited(self.analysis.loading());
        let repeat = Repeat { rounds: self.rounds, seed: inputs.fill, ..Repeat::DEFAULT };
        let (program, options, inputs) = (program.clone(), options.clone(), inputs.clone());
        let request = TimeRequest { program, options, device: on.options(), inputs, repeat };
        let limit = request.limit();
        match loader.child()?.ask_within(&Request::TimeLayouts(Box::new(request)), limit)? {
            Reply::TimedLayouts(timed) => Ok(*timed),
            _ => Err(CliError::unexpected()),
        }
    }

    /// Writes the picture of an access.
    fn draw(&self, cost: &Cost, output: &Path, format: FileFormat) -> Result<(), CliError> {
        let access = match self.access {
            Some(number) => cost.accesses.iter().position(|site| site.instruction == number),
            None => cost.telling_access(),
        };
        let picture = access.and_then(|access| picture(cost, access, &self.theme.theme())).ok_or_else(|| {
            let known: Vec<String> = cost.accesses.iter().map(|site| site.instruction.to_string()).collect();
            let wanted = self.access.map_or(String::new(), |number| format!("#{number} is not an access; "));
            CliError::Unusable(format!("nothing to draw: {wanted}the accesses are {}", known.join(", ")))
        })?;
        let bytes = format.bytes(&picture).map_err(|error| CliError::Unusable(error.to_string()))?;
        Ok(write_file(output, &bytes, self.force)?)
    }
}

/// Why there are no costs, with a hint.
fn failed(why: CostFailure) -> CliError {
    match &why {
        CostFailure::Launch(error) if error.is_missing() => CliError::Missing(why.to_string()),
        CostFailure::Run(CostError::Steps { .. }) => {
            CliError::Unusable(format!("{why}\n--max-steps N allows more; the shader may be endless with these inputs"))
        }
        CostFailure::Run(CostError::TooMany { .. }) => {
            CliError::Unusable(format!("{why}\n--memory SIZE may allow more"))
        }
        _ => CliError::Unusable(why.to_string()),
    }
}
