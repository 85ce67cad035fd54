//! `lanescope reduce`: a program made smaller while a condition holds.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::gpu::{DeviceOptions, interpret};
use lanescope_core::load::LoadOptions;
use lanescope_core::options::{Options, WaveChoice};
use lanescope_core::program::Program;
use lanescope_core::reduce::condition::Condition;
use lanescope_core::reduce::search::Progress;
use lanescope_core::script::Limits;
use lanescope_core::text_format::counted;
use lanescope_host::drivers::{self, Stop};
use lanescope_host::exports::{self, Asked};
use lanescope_host::inputs::Contents;
use lanescope_host::reducing::{
    Given, GivenSources, Outcome, README, ReduceError, files, reduced, reduced_sources, write, write_sources,
};
use lanescope_host::safe_write::may_write;
use lanescope_host::worker::{Loader, SET_UP};
use lanescope_text::plain;
use schemars::JsonSchema;
use serde::Serialize;
use signal_hook::consts::SIGINT;
use signal_hook::iterator::Signals;

use super::args::{Analysis, some_stage};
use super::driver_args::ChosenDrivers;
use super::input_args::InputArgs;
use super::on_device::{Device, TIME};
use super::run_script::{self, CommandHost};
use super::{CliError, Verdict};
use crate::cli::streams;

pub const EXAMPLES: &str = "\
Examples:
  lanescope reduce race.comp --while 'finding E001' -o race
                                        the least that has the data race
  lanescope reduce lit_surface.frag --while 'text matches /v_rsq/' --chip gfx1100 -o rsq
                                        the least of which the compiler makes that instruction
  lanescope reduce flat_and_smooth.vert flat_and_smooth.frag --while slots-differ -o slots
                                        the compiler and the model disagree about attribute slots
  lanescope reduce lit_surface.frag --text --while 'text matches /v_rsq/' -o text
                                        the source text instead of the module

The files are in the folder samples.

The condition is made of tests with `and`, `or`, `not` and parentheses. A test that compiles may end with `on CHIP`:
  slots-differ                  of two compilers, or one and the model, the same one reads more slots
  places-differ                 a scalar has another slot or channel
  results-differ [on A] [from B]
                                two devices; without `from`, the original and the rewritten program
  crashes                       a compiler dies, as it did at the start: signal and last line, without numbers
  fails                         a compiler refuses the program, with the same message
  time > 500ms, time > 2x       compiling takes longer than that, or than with the second compiler or variant
  statistic NAME > NUMBER       a driver's statistic, or a common one (also >=, <, <=, =, !=)
  finding CODE [/REGEX/]        the report, a driver or (E…) a run in the interpreter has the finding
  validator-rejects [/REGEX/]   the validator refuses a module
  text matches /REGEX/          assembly, or a compiler's message
  exec PROGRAM                  the program, given the modules' files, ends with status 0

A smaller program is accepted if every module validates, if its report has no more warnings and errors of any code, if the text of \
its modules shows no more undefined behaviour, and if the interpreter, where it runs the program, reports none that the program \
did not have. All stages become smaller together, and the result is the same for any number of jobs.

With --text the sources are reduced, for what the compiler that reads them shows: then `crashes`, `fails`, `validator-rejects` and \
`text matches` are of loading them, if that fails. What they include stays as it is.

The folder has each module as SPIR-V and as assembly, an Amber script if the program is one that runs, and a README. Ctrl-C keeps \
the best so far; to go on, reduce the files in the folder.

Exit status: 0 reduced, 2 unusable input or a condition that does not hold, or not each time, 3 the driver, chip or device is not \
available.";

/// Arguments of `reduce`.
#[derive(Debug, Args)]
pub struct Reduce {
    #[command(flatten)]
    analysis: Analysis,

    #[command(flatten)]
    chosen: ChosenDrivers,

    #[command(flatten)]
    input: InputArgs,

    /// What has to stay true
    #[arg(long = "while", value_name = "CONDITION", help_heading = "Reduction")]
    condition: Condition,

    /// Folder to write the reduced program to
    #[arg(short, long, value_name = "DIR", help_heading = "Reduction")]
    output: PathBuf,

    /// Overwrite files in that folder
    #[arg(long, help_heading = "Reduction")]
    force: bool,

    /// Reduce the files as texts (GLSL, HLSL, WGSL, Slang, SPIR-V assembly), by lines, brackets and tokens
    #[arg(long, help_heading = "Reduction")]
    text: bool,

    /// Do not look for undefined behaviour in the interpreter
    #[arg(long, help_heading = "Reduction")]
    allow_undefined: bool,

    /// Tries that are judged at once [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Reduction")]
    jobs: Option<u16>,
}

/// What a reduction reached.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Reduction {
    /// The version of this form: 1.
    schema: u32,
    /// The size before and after, in words.
    sizes: String,
    /// Tries that were judged.
    tries: u64,
    /// Tries that were accepted.
    accepted: u64,
    /// Whether the search came to its end.
    complete: bool,
    /// What the result shows of the condition.
    shows: Vec<String>,
    /// The folder.
    folder: String,
    /// The files that were written there.
    files: Vec<String>,
}

impl Reduction {
    /// Writes it as text.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        tell(&self.sizes, (self.accepted, self.tries, self.complete), &self.shows, out)?;
        writeln!(out, "{}", plain(&format!("{}: {}", self.folder, self.files.join(", "))))
    }
}

impl Reduce {
    pub fn run(&self) -> Result<Verdict, CliError> {
        self.reduction()?.write(&mut streams::plain())?;
        Ok(Verdict::Clean)
    }

    /// What has to stay true.
    pub(super) fn condition(&self) -> &Condition {
        &self.condition
    }

    fn reached(
        &self,
        sizes: String,
        (progress, complete): (&Progress, bool),
        shows: Vec<String>,
        files: Vec<String>,
    ) -> Reduction {
        let Progress { tries, accepted, .. } = *progress;
        let folder = self.output.display().to_string();
        Reduction { schema: 1, sizes, tries, accepted, complete, shows, folder, files }
    }

    /// Reduces, and writes the result.
    pub(super) fn reduction(&self) -> Result<Reduction, CliError> {
        // Before anything is reduced: what is found after an hour is to be written.
        may_write(&self.output.join(README), self.force)?;
        let contents = self.input.read()?;
        if self.text {
            return self.run_text(&contents);
        }
        let mut loader = self.analysis.loading().loader().and_time(SET_UP);
        let (program, report) = self.analysis.load_with(&mut loader)?;
        some_stage(&program, &report)?;
        let given = self.given(program, &contents)?;
        let outcome = {
            let mut line = ProgressLine::new();
            let result = reduced(&given, &mut |progress, size| {
                line.show(progress, &counted(size.code as u64, "instruction"));
            });
            line.clear();
            result.map_err(unusable)?
        };
        let script = script(&given, &outcome, &mut loader, run_script::limits(self.analysis.loading()));
        let command = drivers::this_command();
        let written = write(files(&given, &outcome, &command, script), &self.output, self.force)?;
        let [before, after] = outcome.size;
        let sizes = format!(
            "{} to {} in functions ({} to {} in all)",
            before.code,
            counted(after.code as u64, "instruction"),
            before.instructions,
            after.instructions
        );
        Ok(self.reached(sizes, (&outcome.progress, outcome.is_complete), outcome.after, written.files))
    }

    /// Reduces the files as texts.
    fn run_text(&self, contents: &Contents) -> Result<Reduction, CliError> {
        let given = self.given(Program::default(), contents)?;
        let files = self.analysis.files();
        let wanted = self.analysis.wanted();
        let of = GivenSources { given: &given, files, wanted: &wanted };
        let mut line = ProgressLine::new();
        let result = reduced_sources(&of, &mut |progress, sources| {
            let bytes = sources.0.iter().map(String::len).sum::<usize>();
            line.show(progress, &counted(bytes as u64, "byte"));
        });
        line.clear();
        let outcome = result.map_err(unusable)?;
        let (command, place) = (drivers::this_command(), (self.output.as_path(), self.force));
        let written = write_sources(&given, (&outcome, files), &command, place)?;
        let [before, after] = outcome.bytes;
        let sizes = format!("{before} to {}", counted(after as u64, "byte"));
        Ok(self.reached(sizes, (&outcome.progress, outcome.is_complete), outcome.after, written.files))
    }

    fn given(&self, program: Program, contents: &Contents) -> Result<Given, CliError> {
        let options = self.analysis.options_for(&program);
        // Findings of a driver are of the compilers that are named.
        let compiles = self.condition.tests().iter().any(|test| test.compiles());
        let compilers = if compiles || self.chosen.names_one() { self.chosen.drivers(&options)? } else { Vec::new() };
        let runs_on = self.chosen.devices().first().cloned().unwrap_or_else(|| interpret::NAME.to_owned());
        let device = DeviceOptions {
            device: Some(runs_on),
            timeout: self.analysis.loading().time_or(TIME),
            ..DeviceOptions::default()
        };
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let stop = Stop::default();
        stop_on_interrupt(&stop)?;
        Ok(Given {
            inputs: self.input.inputs(contents, &program)?,
            groups: self.analysis.options().groups,
            condition: self.condition.clone(),
            compilers,
            versions: self.chosen.versions().to_vec(),
            loader: self.analysis.loading().how(),
            limits: self.analysis.loading().limits_or(drivers::TIME),
            device,
            jobs: self.jobs.map_or(processors, usize::from),
            allow_undefined: self.allow_undefined,
            stop,
            options,
            program,
        })
    }
}

/// A reduced program as an Amber script, or why there is none.
pub fn script(given: &Given, outcome: &Outcome, loader: &mut Loader, limits: Limits) -> Result<String, String> {
    let on = Device::interpreter(TIME);
    let options = Options { groups: outcome.subject.groups, ..given.options.clone() };
    let asked = Asked {
        program: &outcome.program,
        name: Path::new("reduced.amber"),
        files: &[],
        wanted: &LoadOptions::of(&options),
        options: &options,
        inputs: &outcome.inputs,
        wave: (options.wave != WaveChoice::Auto).then_some("--wave"),
        tolerance: None,
        first_level: true,
    };
    let script = exports::script_of(asked, &mut CommandHost { loader, on: &on }, limits);
    script.map(|script| script.text).map_err(|fault| fault.why)
}

/// Why nothing was reduced.
pub fn unusable(error: ReduceError) -> CliError {
    CliError::Unusable(match error {
        ReduceError::DoesNotHold { .. } | ReduceError::NotSteady { .. } => format!("--while: {error}"),
        _ => error.to_string(),
    })
}

/// Prints what was reached, and what the result shows.
pub fn tell(
    sizes: &str,
    (accepted, tries, is_complete): (u64, u64, bool),
    after: &[String],
    out: &mut impl Write,
) -> io::Result<()> {
    let stopped = if is_complete { "" } else { "; stopped before the end" };
    writeln!(out, "{sizes}, {accepted} of {tries} tries accepted{stopped}")?;
    after.iter().try_for_each(|line| writeln!(out, "  {}", plain(line)))
}

/// Ctrl-C stops the search, and what was found is kept; a second one ends the program.
pub fn stop_on_interrupt(stop: &Stop) -> Result<(), CliError> {
    let mut signals = Signals::new([SIGINT])?;
    let stop = stop.clone();
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if stop.is_stopped() {
                // The default is to end.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
            stop.stop();
        }
    });
    Ok(())
}

/// The line that says how far the search is, on a terminal.
pub struct ProgressLine {
    is_terminal: bool,
    shown: bool,
}

impl ProgressLine {
    pub fn new() -> ProgressLine {
        ProgressLine { is_terminal: io::stderr().is_terminal(), shown: false }
    }

    pub fn show(&mut self, progress: &Progress, size: &str) {
        if self.is_terminal {
            let line = format!(
                "round {}, {}, {} at a time: {} of {} tries accepted, {size}",
                progress.round, progress.step, progress.chunk, progress.accepted, progress.tries
            );
            // What cannot be written is only not seen.
            let _ = write!(io::stderr(), "\r\x1b[K{line}");
            self.shown = true;
        }
    }

    pub fn clear(&mut self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
