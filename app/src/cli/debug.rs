//! `lanescope debug`: steps a compute shader, or a stage of a graphics pipeline on the fixed scene, in the interpreter,
//! forwards and backwards.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::gpu::interpret::{Launch, findings};
use lanescope_core::interpreter::debugger::session::{Chosen, Command, Output, Session, parse_all};
use lanescope_core::interpreter::{Machine, Options as Limits};
use lanescope_core::run::InterpreterRun;
use lanescope_core::run::graph::LocalRoots;
use lanescope_inspector::debugging::OtherGroups;

use super::args::Analysis;
use super::debug_place::Place;
use super::debug_record;
use super::debug_start::Started;
use super::explicit_flags::Given;
use super::input_args::InputArgs;
use super::sarif::{self, Format, Located};
use super::{CliError, Verdict, graph_start, json};
use crate::cli::streams;
use lanescope_host::debugging::report::{Debugged, Done, Trace};
use lanescope_host::watchdog::Watchdog;
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

Commands: step [N], next [N], stepi [N], nexti [N], finish, continue, reverse-step [N] (or back), reverse-stepi [N], reverse-continue, \
restart, break WHERE [if CONDITION], break CONDITION, watch NAME, delete N, ignore N COUNT, print NAME, lanes NAME, info locals, \
info writer NAME, info waves, info breakpoints. step and next move to another source line, or by one instruction if the module has no \
line information. Breakpoints and watchpoints stop the chosen wave only; a condition is tested in the chosen lane.

Exit status: 0 success, 1 findings of severity error, 2 unusable input, 3 the shader needs what the interpreter lacks.";

/// Flags of `debug` that an Amber script accepts beside those of its run: what is stepped, and how.
pub(super) const FLAGS_OF_SCRIPTS: [&str; 18] = [
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
    pub(super) given: Given,

    #[command(flatten)]
    pub(super) analysis: Analysis,

    /// The workgroup that is stepped, of a compute or mesh shader; the others run before and after it [default: 0,0,0]
    #[arg(long, value_name = "X,Y,Z", value_parser = triple, help_heading = "Debugger")]
    pub(super) group: Option<[u32; 3]>,

    /// The invocation of the workgroup (its local id)
    #[arg(long, value_name = "X,Y,Z", value_parser = triple, conflicts_with = "lane", help_heading = "Debugger")]
    pub(super) invocation: Option<[u32; 3]>,

    /// The lane, as WAVE.LANE
    #[arg(long, value_name = "W.L", value_parser = wave_and_lane, help_heading = "Debugger")]
    pub(super) lane: Option<Chosen>,

    #[command(flatten)]
    pub(super) place: Place,

    /// A record of a work graph's node, counted from 0 over all generations: steps the launch that runs with it
    #[arg(
        long,
        value_name = "NODE:N",
        conflicts_with_all = ["group", "pixel", "vertex", "patch", "point", "primitive", "task"],
        help_heading = "Debugger"
    )]
    pub(super) record: Option<String>,

    /// Saved run that has the record of --record [default: a run with one record of zeros]; of an Amber script the number of the
    /// run that is stepped, from 1 [default: 1]
    #[arg(long = "run", value_name = "FILE.lanescope-run|N", help_heading = "Debugger")]
    pub(super) saved: Option<PathBuf>,

    /// Local root arguments of the run as JSON: see `lanescope help run`
    #[arg(long, value_name = "FILE", requires = "record", help_heading = "Debugger")]
    local_root: Option<PathBuf>,

    /// Step the rewritten program (packed inputs, swizzled ids) instead of the original
    #[arg(long, conflicts_with = "record", help_heading = "Debugger")]
    pub(super) rewritten: bool,

    /// Compare the variables with those of the other program, original or rewritten, at the same point
    #[arg(long, conflicts_with_all = ["record", "trace"], help_heading = "Debugger")]
    pub(super) beside: bool,

    /// Breakpoint at a line, an id or a condition (may be repeated)
    #[arg(long = "break", value_name = "FILE:LINE|%ID|COND", help_heading = "Debugger")]
    pub(super) breakpoints: Vec<String>,

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
    pub(super) input: InputArgs,

    /// Output format; `sarif` writes the findings only
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

impl Debug {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let (debugged, size, has_findings) = self.debugged()?;
        self.print(&debugged, size)?;
        Ok(if has_findings { Verdict::Findings } else { Verdict::Clean })
    }

    /// What the session does and finds, the size of a workgroup, and whether anything of it is an error.
    pub(super) fn debugged(&self) -> Result<(Debugged, [u32; 3], bool), CliError> {
        let mut loader = self.analysis.loading().loader();
        let Started { launch, session, other, before, has_errors, record, watchdog } =
            self.start(&mut loader, &|| self.watchdog())?;
        let (mut debugged, machine) = self.carry_out(&launch, session, other, watchdog.as_ref())?;
        debugged.before = before;
        debugged.record = record.map(|reached| debug_record::report(&reached, machine)).transpose()?;
        let is_other = debugged.record.as_ref().is_some_and(|record| record.same == Some(false));
        let has_findings = debugged.is_broken() || is_other || has_errors;
        Ok((debugged, launch.machine.size(), has_findings))
    }

    /// Sets the breakpoints of `--break`.
    pub(super) fn set_breakpoints(&self, session: &mut Session) -> Result<(), CliError> {
        for text in &self.breakpoints {
            session.run(&Command::Break(text.clone())).map_err(|why| CliError::Unusable(format!("--break {why}")))?;
        }
        Ok(())
    }

    /// Carries out the commands of a session on a launch. Returns the machine where it ended as well. `other` is the
    /// program that it is compared with.
    fn carry_out(
        &self,
        launch: &Launch,
        mut session: Session,
        mut other: Option<Session>,
        watchdog: Option<&Watchdog>,
    ) -> Result<(Debugged, Machine), CliError> {
        let commands = parse_all(&self.commands).map_err(|why| CliError::Unusable(why.to_string()))?;
        self.set_breakpoints(&mut session)?;
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
    fn print(&self, debugged: &Debugged, size: [u32; 3]) -> Result<(), CliError> {
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

    /// The saved run that `--record` is of.
    pub(super) fn saved_run(&self) -> Option<&Path> {
        self.saved.as_deref()
    }

    /// The local root arguments of the run that `--record` is of.
    pub(super) fn local_roots(&self) -> Result<LocalRoots, CliError> {
        graph_start::local_roots(self.local_root.as_deref())
    }

    /// The limits of a run in the interpreter. Beside the machine there are its earlier states.
    pub(super) fn limits(&self) -> Limits {
        let max_memory = self.analysis.loading().own_memory() / 2;
        Limits { max_steps: self.max_steps, max_memory, ..Limits::default() }
    }

    /// Watches over the session, from the launch to the last line.
    fn watchdog(&self) -> Option<Watchdog> {
        self.analysis.loading().watchdog("debug")
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
