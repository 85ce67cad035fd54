//! `lanescope bisect`: which step changed it: of options, drivers, two programs or commits.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Parser};
use lanescope_core::driver::CompileOptions;
use lanescope_core::gpu::{DeviceOptions, interpret};
use lanescope_core::load::LoadOptions;
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::reduce::condition::Condition;
use lanescope_core::run::inputs::Inputs;
use lanescope_core::text_format::counted;
use lanescope_host::bisecting::{BisectError, Commits, Found, Hunks, Place, Seen, Steps, bisected};
use lanescope_host::drivers::{self, Stop};
use lanescope_host::flags::words::words;
use lanescope_host::inputs::Contents;
use lanescope_host::reducing::{Given, README, files, reduced, write};
use lanescope_host::safe_write::may_write;
use lanescope_host::worker::SET_UP;
use lanescope_host::workspace::Described;
use lanescope_text::plain;

use super::args::OptionArgs;
use super::driver_args::ChosenDrivers;
use super::explicit_flags;
use super::input_args::InputArgs;
use super::loading::Loading;
use super::on_device::TIME;
use super::reduce::{ProgressLine, script, stop_on_interrupt, tell, unusable};
use super::workspace::WorkspaceArgs;
use super::{CliError, Verdict, run_script};

pub const EXAMPLES: &str = "\
Examples:
  lanescope bisect lit_surface.frag --while 'text matches /lds_p/' --from= --to=--target=gfx1100
                                        which of the flags brings the instruction (here is one)
  lanescope bisect race.comp --against tile_16x16.comp --while 'finding E001'
                                        which group of changed lines does

The files are in the folder samples. With --commits v1.0..HEAD the steps are those of the files' git repository, with \
--icd mesa22.json,mesa23.json,mesa24.json they are drivers in that order: from which on does a compiler die?

--while is a condition as in `lanescope reduce`. It is asked at both ends, where it has to have two answers, and then at the \
middle of what is left. A place without an answer (sources that do not compile, a driver without the chip) is passed over, and \
is named if it is beside the step. Where the answer changes more than once, the step is one of its changes.

With -o the program after the step is reduced to that folder, as long as the condition holds that holds there.

Exit status: 0 a step was found, 2 unusable input or no step, 3 the driver, chip or device is not available.";

/// Arguments of `bisect`.
#[derive(Debug, Clone, Args)]
pub struct Bisect {
    #[command(flatten)]
    explicit: explicit_flags::Given,

    /// The program's files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// What is asked at each place
    #[arg(long = "while", value_name = "CONDITION", help_heading = "Steps")]
    condition: Condition,

    /// Options of the first place, as one text: each flag that differs from --to is a step, in the order of --to
    #[arg(long, value_name = "FLAGS", requires = "to", allow_hyphen_values = true, help_heading = "Steps")]
    from: Option<String>,

    /// Options of the last place
    #[arg(long, value_name = "FLAGS", requires = "from", allow_hyphen_values = true, help_heading = "Steps")]
    to: Option<String>,

    /// Files of the last place, in the order of the program's: each group of lines that differ is a step
    #[arg(
        long, value_name = "FILE[,FILE…]", value_delimiter = ',', conflicts_with_all = ["from", "commits"],
        help_heading = "Steps",
    )]
    against: Vec<PathBuf>,

    /// Commits of the git repository that the files are in: each is a step
    #[arg(long, value_name = "OLD..NEW", conflicts_with = "from", help_heading = "Steps")]
    commits: Option<String>,

    /// Folder to write the reduced program after the step to
    #[arg(short, long, value_name = "DIR", help_heading = "Steps")]
    output: Option<PathBuf>,

    /// Overwrite files in that folder
    #[arg(long, requires = "output", help_heading = "Steps")]
    force: bool,

    #[command(flatten)]
    options: OptionArgs,

    #[command(flatten)]
    workspace: WorkspaceArgs,

    /// What the workspace file says of the files, at every place.
    #[arg(skip)]
    described: Option<Described>,

    #[command(flatten)]
    chosen: ChosenDrivers,

    #[command(flatten)]
    input: InputArgs,
}

impl Bisect {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let folders = self.options.loading().folders();
        let described = self.workspace.described(&self.files, self.options.pipeline_name(), folders);
        let (files, described) = described.map_err(CliError::Unusable)?;
        let options = self.options.described(described.clone());
        Bisect { files, options, described, ..self.clone() }.find()
    }

    fn find(&self) -> Result<Verdict, CliError> {
        if let Some(output) = &self.output {
            may_write(&output.join(README), self.force)?;
        }
        let with = With { input: Arc::new(self.input.clone()), contents: Arc::new(self.input.read()?) };
        let steps = self.steps(&with)?;
        let stop = Stop::default();
        stop_on_interrupt(&stop)?;
        let given = self.given(stop)?;
        let shows = io::stderr().is_terminal();
        let found = bisected(&given, steps.as_ref(), &mut |seen| {
            if shows {
                // What cannot be written is only not seen.
                let _ = writeln!(io::stderr(), "{}", plain(&line(seen)));
            }
        });
        let found = found.map_err(|error| match error {
            BisectError::Condition(error) => unusable(error),
            error => CliError::Unusable(format!("--while: {error}")),
        })?;
        self.print(&found, &mut io::stdout().lock())?;
        if let Some(output) = &self.output {
            self.reduce(&found.after, output)?;
        }
        Ok(Verdict::Clean)
    }

    fn print(&self, found: &Found, out: &mut impl Write) -> io::Result<()> {
        let [asked, all] = found.asked;
        found.step.lines().try_for_each(|line| writeln!(out, "{}", plain(line)))?;
        found.skipped.iter().try_for_each(|seen| writeln!(out, "  no answer: {}", plain(&line(seen))))?;
        for (title, seen) in ["before", "after"].iter().zip(&found.seen) {
            writeln!(out, "  {title}: {}", plain(&line(seen)))?;
        }
        writeln!(out, "{asked} of {} asked", counted(all as u64, "place"))
    }

    fn reduce(&self, given: &Given, output: &std::path::Path) -> Result<(), CliError> {
        let outcome = {
            let mut line = ProgressLine::new();
            let result = reduced(given, &mut |progress, size| {
                line.show(progress, &counted(size.code as u64, "instruction"));
            });
            line.clear();
            result.map_err(unusable)?
        };
        let mut loader = self.options.loading().loader().and_time(SET_UP);
        let script = script(given, &outcome, &mut loader, run_script::limits(self.options.loading()));
        let written = write(files(given, &outcome, &drivers::this_command(), script), output, self.force)?;
        let [before, after] = outcome.size;
        let sizes = format!("{} to {}", before.code, counted(after.code as u64, "instruction"));
        let mut out = io::stdout().lock();
        let reached = (outcome.progress.accepted, outcome.progress.tries, outcome.is_complete);
        tell(&sizes, reached, &outcome.after, &mut out)?;
        let line = format!("{}: {}", output.display(), written.files.join(", "));
        Ok(writeln!(out, "{}", plain(&line))?)
    }

    fn steps(&self, with: &With) -> Result<Box<dyn Steps>, CliError> {
        let unusable = |why: String| CliError::Unusable(why);
        if let (Some(from), Some(to)) = (&self.from, &self.to) {
            let limits = self.explicit.flags::<Loading>();
            let beside = self.explicit.flags::<OptionArgs>().into_iter().find(|flag| !limits.contains(flag));
            if let Some(flag) = beside {
                let why = format!("{flag}: options stand in --from and in --to, not beside them");
                return Err(CliError::Unusable(why));
            }
            return Ok(Box::new(Flags::of(self, with, from, to)?));
        }
        if !self.against.is_empty() {
            let hunks = Hunks::of(&self.files, &self.against, self.base(with)?);
            return Ok(Box::new(hunks.map_err(|why| unusable(format!("--against: {why}")))?));
        }
        if let Some(range) = &self.commits {
            let commits = Commits::of(range, &self.files, self.base(with)?);
            return Ok(Box::new(commits.map_err(|why| unusable(format!("--commits: {why}")))?));
        }
        if self.chosen.icds().len() < 2 {
            let why = "expected what differs: --from and --to, --against, --commits, or several drivers (--icd)";
            return Err(CliError::Unusable(why.to_owned()));
        }
        Ok(Box::new(Drivers::of(self, with)?))
    }

    /// What is the same at each place but for the files.
    fn base(&self, with: &With) -> Result<Box<dyn Fn() -> Place>, CliError> {
        let place = self.place(&self.options, with)?;
        Ok(Box::new(move || Part::place(&place)))
    }

    fn place(&self, options: &OptionArgs, with: &With) -> Result<Part, CliError> {
        options.check_target()?;
        Ok(Part {
            files: self.files.clone(),
            wanted: options.wanted(),
            compilers: self.compilers(&self.chosen, options)?,
            options: options.clone(),
            with: with.clone(),
        })
    }

    fn compilers(&self, chosen: &ChosenDrivers, options: &OptionArgs) -> Result<Vec<CompileOptions>, CliError> {
        let compiles = self.condition.tests().iter().any(|test| test.compiles());
        if compiles || chosen.names_one() { chosen.drivers(&options.options()) } else { Ok(Vec::new()) }
    }

    fn given(&self, stop: Stop) -> Result<Given, CliError> {
        let runs_on = self.chosen.devices().first().cloned().unwrap_or_else(|| interpret::NAME.to_owned());
        let timeout = self.options.loading().time_or(TIME);
        Ok(Given {
            program: Program::default(),
            options: Options::default(),
            condition: self.condition.clone(),
            compilers: Vec::new(),
            versions: self.chosen.versions().to_vec(),
            loader: self.options.loading().how(),
            limits: self.options.loading().limits_or(drivers::TIME),
            device: DeviceOptions { device: Some(runs_on), timeout, ..DeviceOptions::default() },
            inputs: Inputs::default(),
            groups: None,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            allow_undefined: false,
            stop,
        })
    }
}

/// What was seen at a place, as a line.
fn line(seen: &Seen) -> String {
    let holds = match seen.holds {
        Some(true) => "holds",
        Some(false) => "does not hold",
        None => "no answer",
    };
    let why = seen.lines.iter().flat_map(|line| line.lines().next()).collect::<Vec<_>>().join("; ");
    format!("{}: {holds}: {why}", seen.name)
}

/// What the programs run with: contents that were read once.
#[derive(Clone)]
struct With {
    input: Arc<InputArgs>,
    contents: Arc<Contents>,
}

/// A place that can be asked often.
struct Part {
    files: Vec<PathBuf>,
    wanted: LoadOptions,
    compilers: Vec<CompileOptions>,
    options: OptionArgs,
    with: With,
}

impl Part {
    fn place(&self) -> Place {
        let (options, with) = (self.options.clone(), self.with.clone());
        let settings = move |program: &Program| {
            let inputs = with.input.inputs(&with.contents, program).map_err(|error| error.to_string())?;
            Ok((options.options_for(program), inputs))
        };
        Place {
            files: self.files.clone(),
            wanted: self.wanted.clone(),
            settings: Box::new(settings),
            compilers: self.compilers.clone(),
            kept: None,
        }
    }
}

/// Drivers in the order in which they were named.
struct Drivers {
    all: Vec<(String, Part)>,
}

impl Drivers {
    fn of(of: &Bisect, with: &With) -> Result<Drivers, CliError> {
        let one = |icd: &PathBuf| -> Result<(String, Part), CliError> {
            let place = of.place(&of.options, with)?;
            let compilers = of.compilers(&of.chosen.of_icd(icd), &of.options)?;
            Ok((icd.display().to_string(), Part { compilers, ..place }))
        };
        Ok(Drivers { all: of.chosen.icds().iter().map(one).collect::<Result<_, _>>()? })
    }
}

impl Steps for Drivers {
    fn last(&self) -> usize {
        self.all.len() - 1
    }

    fn name(&self, at: usize) -> String {
        self.all[at].0.clone()
    }

    fn step(&self, before: usize, after: usize) -> String {
        format!("from {} to {}", self.all[before].0, self.all[after].0)
    }

    fn place(&self, at: usize) -> Result<Place, String> {
        Ok(self.all[at].1.place())
    }
}

/// Flags that differ, one after the other.
struct Flags {
    /// Those that are the same.
    same: Vec<Flag>,
    /// Before and after.
    steps: Vec<[Option<Flag>; 2]>,
    places: Vec<Part>,
}

/// A flag with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Flag(Vec<String>);

impl Flag {
    /// The flags of a text.
    fn all(text: &str) -> Result<Vec<Flag>, String> {
        let mut out: Vec<Flag> = Vec::new();
        let unclosed = |line| format!("a quote in line {line} has no end");
        for word in words(text.as_bytes()).map_err(unclosed)? {
            let word = word.into_string().map_err(|word| format!("`{}`: not UTF-8", word.to_string_lossy()))?;
            match out.last_mut() {
                Some(Flag(own)) if !word.starts_with('-') => own.push(word),
                None if !word.starts_with('-') => return Err(format!("`{word}`: expected a flag")),
                _ => out.push(Flag(vec![word])),
            }
        }
        Ok(out)
    }

    /// What two flags have in common that set the same thing: of a macro with its name.
    fn key(&self) -> String {
        let whole = self.0.join(" ");
        let is_macro = whole.starts_with("-D") || whole.starts_with("-U");
        match is_macro {
            true => whole.get(2..).unwrap_or_default().trim_start().split('=').next().map(|name| format!("-D{name}")),
            false => whole.split([' ', '=']).next().map(str::to_owned),
        }
        .unwrap_or_default()
    }

    fn text(flag: &Option<Flag>) -> String {
        flag.as_ref().map_or_else(|| "nothing".to_owned(), |Flag(words)| words.join(" "))
    }
}

/// The options of a place.
#[derive(Debug, Parser)]
#[command(name = "--from/--to", disable_help_flag = true, disable_version_flag = true, no_binary_name = true)]
struct Side {
    #[command(flatten)]
    options: OptionArgs,
}

impl Flags {
    fn of(of: &Bisect, with: &With, from: &str, to: &str) -> Result<Flags, CliError> {
        let all = |name: &str, text: &str| Flag::all(text).map_err(|why| CliError::Unusable(format!("{name}: {why}")));
        let (from, to) = (all("--from", from)?, all("--to", to)?);
        let (same, before): (Vec<Flag>, Vec<Flag>) = from.into_iter().partition(|flag| to.contains(flag));
        let mut steps: Vec<[Option<Flag>; 2]> = Vec::new();
        let mut left = before;
        for flag in to.into_iter().filter(|flag| !same.contains(flag)) {
            let at = left.iter().position(|other| other.key() == flag.key());
            steps.push([at.map(|at| left.remove(at)), Some(flag)]);
        }
        steps.extend(left.into_iter().map(|flag| [Some(flag), None]));
        if steps.is_empty() {
            return Err(CliError::Unusable("--from and --to have the same flags".to_owned()));
        }
        let mut flags = Flags { same, steps, places: Vec::new() };
        for at in 0..=flags.steps.len() {
            let parsed = Side::try_parse_from(flags.words(at)).map_err(|error| {
                let text = error.render().to_string();
                let why = text.trim_start_matches("error: ").trim_end();
                CliError::Unusable(format!("{}: {why}", flags.words(at).join(" ")))
            })?;
            parsed.options.no_spec_names("bisect")?;
            flags.places.push(of.place(&parsed.options.described(of.described.clone()), with)?);
        }
        Ok(flags)
    }

    /// The words of a place.
    fn words(&self, at: usize) -> Vec<String> {
        let changed = self
            .steps
            .iter()
            .enumerate()
            .filter_map(|(step, [before, after])| if step < at { after.as_ref() } else { before.as_ref() });
        self.same.iter().chain(changed).flat_map(|Flag(words)| words.clone()).collect()
    }
}

impl Steps for Flags {
    fn last(&self) -> usize {
        self.steps.len()
    }

    fn name(&self, at: usize) -> String {
        let words = self.words(at).join(" ");
        if words.is_empty() { "no flags".to_owned() } else { words }
    }

    fn step(&self, before: usize, after: usize) -> String {
        let one = |[before, after]: &[Option<Flag>; 2]| format!("{} to {}", Flag::text(before), Flag::text(after));
        self.steps[before..after].iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn place(&self, at: usize) -> Result<Place, String> {
        Ok(self.places[at].place())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_one_name_are_one_step() {
        let keys = |text: &str| Flag::all(text).expect("flags").iter().map(Flag::key).collect::<Vec<_>>();
        assert_eq!(keys("-D A=1 -DB --target gfx900 --wave=32 -U C"), ["-DA", "-DB", "--target", "--wave", "-DC"]);
        assert!(Flag::all("x -D A").is_err());
    }
}
