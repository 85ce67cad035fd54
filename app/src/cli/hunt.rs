//! `lanescope hunt`: programs asked of every compiler, every device and the interpreter, until something differs.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use lanescope_core::hunt::generate::Kind;
use lanescope_core::load::LoadOptions;
use lanescope_core::options::Options;
use lanescope_core::script::Limits;
use lanescope_core::text_format::counted;
use lanescope_host::drivers;
use lanescope_host::drivers::Stop;
use lanescope_host::flags::choices::one_of;
use lanescope_host::folders::{Prefer, find};
use lanescope_host::hunting::{Finding, Hunt as Asking, HuntError, State, hunt};
use lanescope_host::reducing::{Given, Outcome};
use lanescope_host::scripts::WHOLE_TIME;
use lanescope_host::worker::{Loader, LoaderOptions, SET_UP};
use lanescope_text::plain;

use super::driver_args::ChosenDrivers;
use super::loading::Loading;
use super::on_device::TIME;
use super::reduce::{script, stop_on_interrupt};
use super::{CliError, Verdict, json};

pub const EXAMPLES: &str = "\
Examples:
  lanescope hunt --chip gfx1030,tgl -o hunt --programs 6
                                        generated programs, compiled for two chips
  lanescope hunt --chip gfx1030,tgl -o hunt --programs 9 --resume
                                        goes on where that ended
  lanescope hunt --device llvmpipe --kind kernel -o kernels --programs 8
                                        kernels, whose results on a device are those of the interpreter
  lanescope hunt --corpus lit_surface.frag --chip gfx1100 -o altered --programs 4
                                        pipelines of files and folders, altered so that they mean the same

The files are in the folder samples. A night is `--budget 8h`.

Each program is compiled by all compilers that --chip, --device and --icd name. A compute shader whose results are the same bit by \
bit on all of them is run on each --device and in the interpreter too. Kept is
  crash              a compiler dies, or does not end in time
  refusal            a compiler refuses a program although its chip lacks nothing for it
  results            a device leaves other results than the interpreter, which found nothing undefined
  run failed         a run on a device ends without results
  rewritten differs  the rewritten program leaves other results in the interpreter
  front end          a generated source does not compile

Failures of one signature (kind, compiler, message without numbers; of results the instructions that are left) are one. The first of \
each is reduced, and is in a folder with the program as it was found, the reduced one, its Amber script and the command that reduces it. \
Ctrl-C ends the hunt after the programs at hand.

Exit status: 0 nothing was found, 1 something was, 2 unusable input, 3 a driver, chip or device is not available.";

/// Arguments of `hunt`.
#[derive(Debug, Args)]
pub struct Hunt {
    /// Kinds of programs to generate: compute shaders with exact results, with everything, graphics pipelines [default: all]
    #[arg(
        long,
        value_name = "kernel,wide,pipeline",
        value_delimiter = ',',
        value_parser = one_of(Kind::ALL, Kind::name),
        hide_possible_values = true,
        help_heading = "Programs",
    )]
    kind: Vec<Kind>,

    /// Alter the pipelines of these files and folders instead of generated programs
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with = "kind", help_heading = "Programs")]
    corpus: Vec<PathBuf>,

    /// Number of the first program
    #[arg(
        long, value_name = "N", default_value_t = 0, help_heading = "Programs",
        value_parser = clap::value_parser!(u64).range(..1 << 62),
    )]
    seed: u64,

    /// Most changes of a program that keep its meaning
    #[arg(
        long, value_name = "N", default_value_t = 12, help_heading = "Programs",
        value_parser = clap::value_parser!(u32).range(0..=200),
    )]
    changes: u32,

    #[command(flatten)]
    chosen: ChosenDrivers,

    #[command(flatten)]
    loading: Loading,

    /// Folder to write to
    #[arg(short, long, value_name = "DIR", help_heading = "Hunt")]
    output: PathBuf,

    /// Go on with the hunt in that folder
    #[arg(long, help_heading = "Hunt")]
    resume: bool,

    /// End after this time, as in 90s, 30m or 8h [default: never]
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, help_heading = "Hunt")]
    budget: Option<Duration>,

    /// End after this many programs, those of an earlier hunt that goes on too [default: never]
    #[arg(long, value_name = "N", help_heading = "Hunt")]
    programs: Option<u64>,

    /// Programs at once [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Hunt")]
    jobs: Option<u16>,

    /// Longest time of one reduction; 0s reduces nothing
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "60s", help_heading = "Hunt")]
    reduction: Duration,

    /// Output format
    #[arg(long, value_enum, default_value = "text", help_heading = "Hunt")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl Hunt {
    pub fn run(&self) -> Result<Verdict, CliError> {
        if self.budget.is_none() && self.programs.is_none() && !io::stderr().is_terminal() {
            let why = "expected --budget TIME or --programs N, as no terminal is there to stop it by Ctrl-C";
            return Err(CliError::Unusable(why.to_owned()));
        }
        let asking = self.asking()?;
        let state = if self.resume {
            State::resumed(&self.output, asking.setup()).map_err(|error| CliError::Unusable(error.to_string()))?
        } else {
            let has_files = self.output.is_file()
                || std::fs::read_dir(&self.output).is_ok_and(|mut entries| entries.next().is_some());
            if has_files {
                let why = "exists: --resume goes on with the hunt in a folder, an empty or a new one begins another";
                return Err(CliError::Unusable(format!("{}: {why}", self.output.display())));
            }
            State::new(asking.setup(), self.seed)
        };
        let live = Live::new();
        let how = asking.loader.clone();
        let script = |given: &Given, outcome: &Outcome| {
            let mut loader = Loader::new(how.clone()).and_time(SET_UP);
            script(given, outcome, &mut loader, Limits { whole: WHOLE_TIME, run: TIME })
        };
        let state = hunt(&asking, state, &script, &|state| live.show(state));
        live.clear();
        let state = state.map_err(|error| match error {
            HuntError::Missing(why) => CliError::Missing(why),
            error => CliError::Unusable(error.to_string()),
        })?;
        match self.format {
            Format::Text => write(&state, &self.output, &mut io::stdout().lock())?,
            Format::Json => json::print(&state)?,
        }
        Ok(if state.found.is_empty() { Verdict::Clean } else { Verdict::Findings })
    }

    fn asking(&self) -> Result<Asking, CliError> {
        let corpus = if self.corpus.is_empty() {
            Vec::new()
        } else {
            let found = find(&self.corpus).map_err(CliError::Unusable)?;
            found.pipelines(Prefer::Source)
        };
        let compilers = self.chosen.drivers(&Options::default())?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let stop = Stop::default();
        stop_on_interrupt(&stop)?;
        Ok(Asking {
            kinds: if self.kind.is_empty() { Kind::ALL.to_vec() } else { self.kind.clone() },
            corpus,
            wanted: LoadOptions::default(),
            seed: self.seed,
            changes: self.changes,
            compilers,
            versions: self.chosen.versions().to_vec(),
            devices: self.chosen.devices().to_vec(),
            loader: LoaderOptions { texts: false, ..self.loading.how() },
            limits: self.loading.limits_or(drivers::TIME),
            jobs: self.jobs.map_or(processors, usize::from),
            programs: self.programs,
            budget: self.budget,
            reduction: (!self.reduction.is_zero()).then_some(self.reduction),
            folder: self.output.clone(),
            stop,
        })
    }
}

/// Prints what was found.
fn write(state: &State, folder: &Path, out: &mut impl Write) -> io::Result<()> {
    let counts = &state.counts;
    let some = [
        (counts.compiled, "compilation", "ended well"),
        (counts.unsteady, "process", "failed, and worked when started anew"),
        (counts.compared, "run", "compared with the interpreter"),
        (counts.rewritten, "rewritten kernel", "compared with the original"),
        (counts.undefined, "program", "undefined, by the interpreter"),
        (counts.inexact, "program", "only compiled: graphics, or results that may differ by device"),
        (counts.not_altered, "program", "whose altered form was not valid, asked as it was"),
    ];
    writeln!(out, "{}", counted(counts.programs, "program"))?;
    for (count, what, how) in some.into_iter().filter(|(count, ..)| *count > 0) {
        writeln!(out, "  {} {how}", counted(count, what))?;
    }
    let refused = counts.lacking.iter().map(|one| (one, "refusal", "for what is lacking"));
    let not_loaded = counts.not_loaded.iter().map(|one| (one, "program", "not loaded"));
    let unsteady = counts.unsteady_messages.iter().map(|one| (one, "process", "had said"));
    let not_run = counts.not_interpreted.iter().map(|one| (one, "program", "not run by the interpreter"));
    for ((why, count), what, how) in unsteady.chain(not_loaded).chain(refused).chain(not_run) {
        writeln!(out, "  {}", plain(&format!("{} {how}: {}", counted(*count, what), first_line(why))))?;
    }
    if state.found.is_empty() {
        return writeln!(out, "nothing was found");
    }
    writeln!(out, "\n{} in {}:", counted(state.found.len() as u64, "failure"), plain(&folder.display().to_string()))?;
    for Finding { signature, message, programs, size, folder, .. } in &state.found {
        let size = size.map(|[before, after]| format!(", {before} to {after} instructions")).unwrap_or_default();
        let line = format!(
            "{} on {}: {} ({}{size})",
            signature.what,
            signature.on,
            first_line(message),
            counted(*programs, "program")
        );
        writeln!(out, "  {}\n      {}", plain(&line), plain(folder))?;
    }
    Ok(())
}

/// The first line of a message, not longer than fits.
fn first_line(message: &str) -> String {
    const MOST: usize = 160;
    let line = message.lines().next().unwrap_or_default();
    match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

/// The line that says how far the hunt is, and each new failure, on a terminal.
struct Live {
    is_terminal: bool,
    begun: Instant,
    shown: Mutex<Shown>,
}

#[derive(Default)]
struct Shown {
    at: Option<Instant>,
    found: usize,
    programs: Option<u64>,
}

impl Live {
    fn new() -> Live {
        Live { is_terminal: io::stderr().is_terminal(), begun: Instant::now(), shown: Mutex::default() }
    }

    fn show(&self, state: &State) {
        const OFTEN: Duration = Duration::from_millis(200);
        let Ok(mut shown) = self.shown.lock() else { return };
        let first = *shown.programs.get_or_insert(state.counts.programs.saturating_sub(1));
        let mut out = io::stderr().lock();
        for finding in state.found.get(shown.found..).unwrap_or_default() {
            let Finding { signature, message, folder, .. } = finding;
            let line = format!("{} on {}: {} ({folder})", signature.what, signature.on, first_line(message));
            // What cannot be written is only not seen.
            let _ = writeln!(out, "{}{}", if self.is_terminal { "\r\x1b[K" } else { "" }, plain(&line));
        }
        shown.found = state.found.len();
        if self.is_terminal && shown.at.is_none_or(|at| at.elapsed() >= OFTEN) {
            shown.at = Some(Instant::now());
            let done = state.counts.programs.saturating_sub(first);
            let rate = done as f64 / self.begun.elapsed().as_secs_f64();
            let line = format!(
                "{}, {rate:.1} a second, {}",
                counted(state.counts.programs, "program"),
                counted(state.found.len() as u64, "failure")
            );
            let _ = write!(out, "\r\x1b[K{line}");
        }
    }

    fn clear(&self) {
        if self.is_terminal {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
