//! `lanescope debug`: steps a compute shader, or a stage of a graphics pipeline on the fixed scene, in the interpreter,
//! forwards and backwards.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::amber::Script;
use lanescope_core::gpu::interpret::{DrawCall, Launch, Waves, findings};
use lanescope_core::gpu::{GpuError, Inputs};
use lanescope_core::interpreter::debugger::session::{Chosen, Command, Output, Session, parse_all};
use lanescope_core::interpreter::{Machine, Options as Limits};
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::run::InterpreterRun;
use lanescope_core::run::graph::LocalRoots;
use lanescope_core::specialised;
use lanescope_inspector::debugging::OtherGroups;
use lanescope_inspector::settings::Passes;

use super::args::{self, Analysis};
use super::debug_place::Place;
use super::debug_record;
use super::explicit_flags::Given;
use super::input_args::InputArgs;
use super::on_device::{Device, TIME};
use super::run_script::{self, CommandHost};
use super::sarif::{self, Format, Located};
use super::watchdog::Watchdog;
use super::{CliError, Verdict, json, run_graph};
use crate::cli::streams;
use lanescope_host::debugging::report::{Before, Debugged, Done, Trace};
use lanescope_host::debugging::{self, LaunchPlace, with_position};
use lanescope_host::scripts::{self, Scripted};
use lanescope_host::worker::Loader;
use lanescope_text as text;

pub const EXAMPLES: &str = "\
Examples:
  lanescope debug race.comp             run to the end, with the findings
  lanescope debug race.comp --trace     each instruction of wave 0, with its exec mask
  lanescope debug tile_16x16.comp --lane 1.5 --commands 'stepi 4; info locals; back 2'
                                        forwards and backwards in lane 5 of wave 1
  lanescope debug race.comp --break %42 --watch i --commands 'continue; info waves'
                                        up to the instruction that defines %42
  lanescope debug wave_size.comp --invocation 40,0,0 --break 'sum >= 100'
                                        up to a condition in one invocation
  lanescope debug lit_surface.vert lit_surface.frag --pixel 30,20 --watch 'texcoord[0]'
                                        the last fragment of the scene that covers a pixel, with its quad and wave
  lanescope debug lit_surface.vert lit_surface.frag --vertex 4 --trace
                                        a vertex of the scene
  lanescope debug rotated_halves.vert rotated_halves.geom rotated_halves.frag --primitive 2.1
                                        invocation 1 of a geometry shader for primitive 2
  lanescope debug bent_patch.vert bent_patch.tesc bent_patch.tese bent_patch.frag --patch 1.2
                                        invocation 2 of a tessellation control shader for patch 1
  lanescope debug tile_rows.task tile_rows.mesh tile_rows.frag --group 1,0,0 --invocation 3,0,0
                                        an invocation of a mesh workgroup
  lanescope debug work_graphs/02_quadtree_recursion.dxil --record Split:2
                                        the launch of a node's record, and what it writes
  lanescope debug packing_sensitive.vert packing_sensitive.frag --beside
                                        the variables of the original and the packed program, at the end
  lanescope debug inputs/two_passes.txt --run 2 --group 1,0,0 --commands 'stepi 8; info locals'
                                        the second run of an Amber script, with the buffers that the first one left

The files are in the folder samples.

Commands: step [N], next [N], stepi [N], finish, continue, reverse-step [N] (or back), reverse-stepi [N], reverse-continue, \
restart, break WHERE [if CONDITION], break CONDITION, watch NAME, delete N, ignore N COUNT, print NAME, lanes NAME, info locals, \
info waves, info breakpoints. step and next move to another source line, or by one instruction if the module has no \
line information. Breakpoints and watchpoints stop the chosen wave only; a condition is tested in the chosen lane.

Exit status: 0 success, 1 findings of severity error, 2 unusable input, 3 the shader needs what the interpreter lacks.";

/// Flags of `debug` that an Amber script accepts beside those of its run: what is stepped, and how.
const FLAGS_OF_SCRIPTS: [&str; 18] = [
    "--run",
    "--wave",
    "--group",
    "--invocation",
    "--lane",
    "--pixel",
    "--vertex",
    "--patch",
    "--point",
    "--primitive",
    "--task",
    "--rewritten",
    "--beside",
    "--break",
    "--watch",
    "--trace",
    "--commands",
    "--max-steps",
];
/// Rows of a trace as text.
const ROWS_AT_MOST: usize = 2000;
/// Rows of a trace as JSON.
const ROWS_IN_JSON: usize = 100_000;

/// Arguments of `debug`.
#[derive(Debug, Args)]
pub struct Debug {
    #[command(flatten)]
    given: Given,

    #[command(flatten)]
    analysis: Analysis,

    /// The workgroup that is stepped, of a compute or mesh shader; the others run before and after it [default: 0,0,0]
    #[arg(long, value_name = "X,Y,Z", value_parser = triple, help_heading = "Debugger")]
    group: Option<[u32; 3]>,

    /// The invocation of the workgroup (its local id)
    #[arg(long, value_name = "X,Y,Z", value_parser = triple, conflicts_with = "lane", help_heading = "Debugger")]
    invocation: Option<[u32; 3]>,

    /// The lane, as WAVE.LANE
    #[arg(long, value_name = "W.L", value_parser = wave_and_lane, help_heading = "Debugger")]
    lane: Option<Chosen>,

    #[command(flatten)]
    place: Place,

    /// A record of a work graph's node, counted from 0 over all generations: steps the launch that runs with it
    #[arg(
        long,
        value_name = "NODE:N",
        conflicts_with_all = ["group", "pixel", "vertex", "patch", "point", "primitive", "task"],
        help_heading = "Debugger"
    )]
    record: Option<String>,

    /// Saved run that has the record of --record [default: a run with one record of zeros]; of an Amber script the number of the
    /// run that is stepped, from 1 [default: 1]
    #[arg(long = "run", value_name = "FILE.lanescope-run|N", help_heading = "Debugger")]
    saved: Option<PathBuf>,

    /// Local root arguments of the run as JSON: see `lanescope help run`
    #[arg(long, value_name = "FILE", requires = "record", help_heading = "Debugger")]
    local_root: Option<PathBuf>,

    /// Step the rewritten program (packed inputs, swizzled ids) instead of the original
    #[arg(long, conflicts_with = "record", help_heading = "Debugger")]
    rewritten: bool,

    /// Compare the variables with those of the other program, original or rewritten, at the same point
    #[arg(long, conflicts_with_all = ["record", "trace"], help_heading = "Debugger")]
    beside: bool,

    /// Breakpoint at a line, an id or a condition (may be repeated)
    #[arg(long = "break", value_name = "FILE:LINE|%ID|COND", help_heading = "Debugger")]
    breakpoints: Vec<String>,

    /// Show this variable in all lanes after each command, and in the trace (may be repeated)
    #[arg(long, value_name = "NAME", help_heading = "Debugger")]
    watch: Vec<String>,

    /// List each instruction of the chosen wave up to the end
    #[arg(long, conflicts_with = "commands", help_heading = "Debugger")]
    trace: bool,

    /// Commands, separated by semicolons
    #[arg(long, value_name = "COMMANDS", default_value = "continue", help_heading = "Debugger")]
    commands: String,

    /// The most instructions that all waves of the workgroup run together
    #[arg(long, value_name = "N", default_value_t = 10_000_000, help_heading = "Debugger")]
    max_steps: u64,

    #[command(flatten)]
    input: InputArgs,

    /// Output format; `sarif` writes the findings only
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

impl Debug {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let contents = self.input.read()?;
        let mut loader = self.analysis.loading().loader();
        if let [file] = self.analysis.files()
            && let Some(script) = run_script::of_file(file)?
        {
            return self.debug_script(file, &script, &mut loader);
        }
        let program = self.analysis.program(&mut loader)?;
        if self.saved.is_some() && self.record.is_none() {
            let why = "--run is the saved run of --record, or the run of an Amber script; the program is not one";
            return Err(CliError::Unusable(why.to_owned()));
        }
        if let Some(record) = &self.record {
            if let Some(flag) = self.input.of_programs_only() {
                return Err(CliError::Unusable(format!("{flag} cannot be used with --record")));
            }
            let inputs = self.input.inputs(&contents, &program)?;
            return debug_record::run(self, record, &program, &inputs, &mut loader);
        }
        let inputs = self.input.inputs(&contents, &program)?;
        self.debug(&program, &self.analysis.options_for(&program), &inputs, None)
    }

    /// Steps a run of an Amber script, with what the commands before it give to it.
    fn debug_script(&self, file: &Path, script: &Script, loader: &mut Loader) -> Result<Verdict, CliError> {
        let mut others = self.given.flags::<Debug>();
        others.retain(|flag| !run_script::FLAGS.iter().chain(&FLAGS_OF_SCRIPTS).any(|known| known == flag));
        if !others.is_empty() {
            let others = others.join(", ");
            let file = file.display();
            return Err(CliError::Unusable(format!("{file}: {others} cannot be used with an Amber script")));
        }
        let wanted = match &self.saved {
            Some(number) => number.to_str().and_then(|text| text.parse().ok()).filter(|number| *number > 0),
            None => Some(1),
        };
        let wanted: u64 = wanted.ok_or_else(|| {
            let found = self.saved.as_deref().unwrap_or(Path::new("")).display().to_string();
            CliError::Unusable(format!("--run: expected the number of a run, from 1, found `{found}`"))
        })?;
        let limits = run_script::limits(self.analysis.loading());
        let (load, options) = (self.analysis.wanted(), self.analysis.options());
        let of = Scripted { file, script, wanted: &load, options: &options };
        // The commands before it run where it is stepped.
        let on = Device::interpreter(limits.run);
        let (program, reached) = scripts::reach(of, &mut CommandHost { loader, on: &on }, limits, wanted)?;
        let options = Options { groups: reached.groups, ..self.analysis.options_for(&program) };
        let before = Before::of(file, reached.before);
        self.debug(&program, &options, &reached.inputs, before)
    }

    /// Steps a program with these inputs.
    fn debug(
        &self,
        program: &Program,
        options: &Options,
        inputs: &Inputs,
        before: Option<Before>,
    ) -> Result<Verdict, CliError> {
        let unusable = |why: &dyn std::fmt::Display| CliError::Unusable(why.to_string());
        let report = self.analysis.report_of(program)?;
        args::some_stage(program, &report)?;
        let inputs = with_position(inputs, program);
        let given = program;
        let program = specialised(given, options).map_err(|why| unusable(&why))?;
        let watchdog = self.watchdog();
        let (launch, place) = self.launch(&program, options, &inputs)?;
        let chosen = self.chosen(&launch)?;
        let session = |launch: &Launch, program: &Program| {
            let session = Session::new(launch.machine.clone(), chosen);
            program.source_files().into_iter().fold(session, Session::with_source)
        };
        let own = session(&launch, &program);
        let (launch, mut debugged) = if self.rewritten || self.beside {
            let made = debugging::rewritten(given, options, Passes::ALL, &launch, place, &inputs, self.limits());
            let flag = if self.rewritten { "--rewritten" } else { "--beside" };
            let (second, program) = made.map_err(|why| CliError::Unusable(format!("{flag}: {why}")))?;
            let other = session(&second, &program);
            match self.rewritten {
                true => (second.clone(), self.carry_out(&second, other, Some(own), watchdog.as_ref())?.0),
                false => (launch.clone(), self.carry_out(&launch, own, Some(other), watchdog.as_ref())?.0),
            }
        } else {
            let (debugged, _) = self.carry_out(&launch, own, None, watchdog.as_ref())?;
            (launch, debugged)
        };
        debugged.before = before;
        self.print(&debugged, launch.machine.size())?;
        let broken = debugged.is_broken();
        Ok(if broken || report.has_errors() { Verdict::Findings } else { Verdict::Clean })
    }

    /// Carries out the commands of a session on a launch. Returns the machine where it ended as well. `other` is the
    /// program that it is compared with.
    pub(super) fn carry_out(
        &self,
        launch: &Launch,
        mut session: Session,
        mut other: Option<Session>,
        watchdog: Option<&Watchdog>,
    ) -> Result<(Debugged, Machine), CliError> {
        let commands = parse_all(&self.commands).map_err(|why| CliError::Unusable(why.to_string()))?;
        for text in &self.breakpoints {
            session.run(&Command::Break(text.clone())).map_err(|why| CliError::Unusable(format!("--break {why}")))?;
        }
        let mut done = Vec::new();
        let mut trace = None;
        if self.trace {
            let most = if matches!(self.format, Format::Text) { ROWS_AT_MOST } else { ROWS_IN_JSON };
            let (rows, more) =
                session.trace(&self.watch, most).map_err(|why| CliError::Unusable(format!("--watch: {why}")))?;
            trace = Some(Trace { watched: self.watch.clone(), rows, more });
        } else {
            let texts = self.commands.split(';').map(str::trim).filter(|text| !text.is_empty());
            for (command, text) in commands.iter().zip(texts) {
                if let Some(watchdog) = watchdog {
                    watchdog.doing(&format!("debug, `{text}`"));
                }
                let output = session.run(command).map_err(|why| CliError::Unusable(format!("`{text}`: {why}")))?;
                let state = matches!(output, Output::Stopped(_)).then(|| session.state());
                let watched = match state {
                    Some(_) => self.watch.iter().map(|name| session.lanes(name)).collect::<Result<_, _>>(),
                    None => Ok(Vec::new()),
                };
                let watched = watched.map_err(|why| CliError::Unusable(format!("--watch: {why}")))?;
                let moved = state.is_some() && self.beside;
                let beside = other.as_mut().filter(|_| moved).map(|other| session.beside(other));
                done.push(Done { command: text.to_owned(), printed: output, state, watched, beside });
            }
        }
        let beside = other.as_mut().filter(|_| self.beside).map(|other| session.beside(other));
        let machine = session.debugger().machine();
        let all = findings(machine, &launch.names);
        let debugged = Debugged {
            before: None,
            stage: machine.program().stage(),
            entry: launch.entry.clone(),
            groups: launch.dispatch.groups,
            others: OtherGroups::of(machine),
            rewritten: self.rewritten,
            interpreter: InterpreterRun {
                wave: launch.waves.lanes.subgroup_size,
                map: launch.waves.how.clone(),
                lanes: launch.waves.lanes.waves.clone(),
                steps: machine.steps(),
                lane_steps: machine.lane_steps(),
            },
            commands: done,
            trace,
            state: session.state(),
            beside,
            findings: all,
            record: None,
        };
        Ok((debugged, machine.clone()))
    }

    /// Prints a session. `size` is that of a workgroup.
    pub(super) fn print(&self, debugged: &Debugged, size: [u32; 3]) -> Result<(), CliError> {
        match self.format {
            Format::Text => {
                let (mut out, style) = streams::styled();
                text::write_debug(debugged, size, &mut out, style)?;
                out.flush()?;
            }
            Format::Json => json::print_versioned(1, debugged)?,
            Format::Sarif => {
                let files = self.analysis.files().iter().map(|file| file.display().to_string());
                let files: Vec<String> = files.collect();
                let before = debugged.before.iter().flat_map(|before| {
                    let file = before.script.as_str();
                    before.findings.iter().map(move |found| Located {
                        finding: &found.finding,
                        file,
                        line: Some(found.line),
                    })
                });
                let own = debugged.findings.iter().map(|finding| Located::among(&files, finding));
                sarif::print(before.chain(own))?;
            }
        }
        Ok(())
    }

    /// The options of the analysis.
    pub(super) fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// The saved run that `--record` is of.
    pub(super) fn saved_run(&self) -> Option<&Path> {
        self.saved.as_deref()
    }

    /// The local root arguments of the run that `--record` is of.
    pub(super) fn local_roots(&self) -> Result<LocalRoots, CliError> {
        run_graph::local_roots(self.local_root.as_deref())
    }

    /// The limits of a run in the interpreter. Beside the machine there are its earlier states.
    pub(super) fn limits(&self) -> Limits {
        let max_memory = Limits::default().max_memory.min(self.analysis.loading().own_memory() / 2);
        Limits { max_steps: self.max_steps, max_memory, ..Limits::default() }
    }

    /// Watches over the session, from the launch to the last line.
    pub(super) fn watchdog(&self) -> Option<Watchdog> {
        self.analysis.loading().watchdog("debug")
    }

    /// The program at its start, at the place that was asked for.
    fn launch(&self, program: &Program, options: &Options, inputs: &Inputs) -> Result<(Launch, LaunchPlace), CliError> {
        let waves = Waves::predicted(program, options);
        let limits = self.limits();
        if let Some(place) =
            self.place.of_program(program, self.group, self.invocation.is_some() || self.lane.is_some())?
        {
            let call = DrawCall { wave: waves.lanes.subgroup_size, place, groups: options.groups };
            let launch = Launch::draw(program, call, inputs, limits, TIME).map_err(failed)?;
            return Ok((launch, LaunchPlace::Draw(place)));
        }
        let group = self.group.unwrap_or_default();
        let launch = Launch::new(program, &waves, (options.groups, Some(group)), inputs, limits).map_err(failed)?;
        Ok((launch, LaunchPlace::Group(group)))
    }

    /// The lane that was asked for.
    pub(super) fn chosen(&self, launch: &Launch) -> Result<Chosen, CliError> {
        let map = &launch.waves.lanes;
        if !launch.machine.program().stage().has_workgroup() {
            let (wave, lane) = launch.chosen;
            return Ok(Chosen { wave, lane });
        }
        let local = launch.machine.program().local_size();
        if let Some([x, y, z]) = self.invocation {
            let inside = x < local[0] && y < local[1] && z < local[2];
            let index = inside.then(|| (z * local[1] + y) * local[0] + x);
            for (wave, lanes) in (0..).zip(&map.waves) {
                if let Some(lane) = lanes.iter().position(|lane| index.is_some() && *lane == index) {
                    return Ok(Chosen { wave, lane: lane as u32 });
                }
            }
            let [sx, sy, sz] = local;
            return Err(CliError::Unusable(format!("--invocation {x},{y},{z}: the workgroup has {sx}×{sy}×{sz}")));
        }
        let chosen = self.lane.unwrap_or(Chosen { wave: 0, lane: 0 });
        let lanes = map.waves.get(chosen.wave as usize);
        match lanes.is_some_and(|lanes| (chosen.lane as usize) < lanes.len()) {
            true => Ok(chosen),
            false => Err(CliError::Unusable(format!(
                "--lane {}.{}: the workgroup has {} waves of {}",
                chosen.wave,
                chosen.lane,
                map.waves.len(),
                map.subgroup_size
            ))),
        }
    }
}

/// What keeps a launch from starting.
pub(super) fn failed(why: GpuError) -> CliError {
    match why.is_missing() {
        true => CliError::Missing(why.to_string()),
        false => CliError::Unusable(why.to_string()),
    }
}

/// Parses `X,Y,Z`.
pub(super) fn triple(text: &str) -> Result<[u32; 3], String> {
    let numbers: Result<Vec<u32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let error = || format!("invalid id `{text}`: expected X,Y,Z");
    numbers.map_err(|_| error())?.try_into().map_err(|_| error())
}

/// Parses `W.L`.
fn wave_and_lane(text: &str) -> Result<Chosen, String> {
    let parts = text.split_once('.').and_then(|(wave, lane)| Some((wave.parse().ok()?, lane.parse().ok()?)));
    let (wave, lane) = parts.ok_or_else(|| format!("invalid lane `{text}`: expected WAVE.LANE"))?;
    Ok(Chosen { wave, lane })
}
