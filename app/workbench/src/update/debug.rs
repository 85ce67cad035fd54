//! The debugger: sessions, and commands that jobs carry out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use lanescope_core::gpu::Inputs;
use lanescope_core::gpu::interpret::{DrawCall, Launch, Waves};
use lanescope_core::interpreter::Options as Limits;
use lanescope_core::interpreter::debugger::session::Chosen;
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::specialised;
use lanescope_inspector::ProgramId;
use lanescope_inspector::debugging::{BreakpointRow, DebugCommand, Debugging, can_debug};
use lanescope_inspector::settings::RunSettings;
use lanescope_inspector::tasks::Work;

use super::effects::Effects;
use super::options::is_frozen;
use super::run::{Input, mark, stop, tag};
use super::{debug_launch, debug_rewritten, tabs};
use crate::outcome::{Outcome, WorkOutcome, WorkResult};
use crate::state::State;
use crate::state::debugger::{Begun, DebugSession, Debugged, Stepped};
use crate::state::program::OpenProgram;
use lanescope_host::debugging::{LaunchPlace, VERTEX_TIME, with_position};
use lanescope_inspector::view::ViewId;

/// The most time of a command, unless runs may take longer.
const COMMAND_TIME: Duration = Duration::from_secs(60);

/// The limits of a session. Beside the machine there are its earlier states.
pub(super) fn limits(settings: &RunSettings) -> Limits {
    Limits { max_steps: settings.most_steps(), max_memory: settings.memory_bytes() / 2, ..Limits::default() }
}

/// Interrupts a command that takes too long.
struct Timer {
    is_over: Arc<AtomicBool>,
    /// Closed where the command ends.
    _done: Sender<()>,
}

impl Timer {
    fn start(time: Duration, interrupt: &Arc<AtomicBool>) -> Timer {
        let (done, ended) = mpsc::channel::<()>();
        let (is_over, interrupt) = (Arc::new(AtomicBool::new(false)), Arc::clone(interrupt));
        let shared = Arc::clone(&is_over);
        std::thread::spawn(move || {
            if ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                shared.store(true, Ordering::Relaxed);
                interrupt.store(true, Ordering::Relaxed);
            }
        });
        Timer { is_over, _done: done }
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

/// Carries out a command; one that moves begins a session if there is none.
pub(super) fn debug(state: &mut State, effects: &mut Effects, command: DebugCommand) {
    let Some(program) = state.program() else { return };
    if program.analysis.report.graph.is_some() {
        return debug_launch::debug(state, effects, command);
    }
    let is_run = can_debug(&program.analysis.report);
    if command == DebugCommand::Launch {
        state.messages.info("This program has no work graph.");
        return;
    }
    if is_frozen(state, "it cannot be debugged") {
        return;
    }
    if !is_run {
        state.messages.info("Unavailable: the debugger runs a compute shader, or a graphics pipeline.");
        return;
    }
    if command.has_key() {
        tabs::show(state, ViewId::Debug);
    }
    carry_out(state, effects, command);
}

/// Carries out a command on the session of the shown program, which begins if there is none.
pub(super) fn carry_out(state: &mut State, effects: &mut Effects, command: DebugCommand) {
    let Some(program) = state.program_mut() else { return };
    let id = program.id;
    program.debugging.refused = None;
    match &command {
        DebugCommand::Stop => {
            program.end_debugging();
            program.debugging.launch = None;
            stop(state, effects, Work::Debug, Some(id));
            return;
        }
        DebugCommand::Map(name) => program.debugging.map.clone_from(name),
        DebugCommand::SwitchProgram => program.debugging.is_rewritten = !program.debugging.is_rewritten,
        DebugCommand::ToggleBeside => program.debugging.beside = !program.debugging.beside,
        DebugCommand::Choose(chosen) => program.debugging.chosen = *chosen,
        DebugCommand::Group(group) => {
            program.debugging.group = *group;
            program.debugger = None;
        }
        DebugCommand::Target(target) => {
            program.debugging.target = *target;
            program.debugger = None;
        }
        _ => {}
    }
    begin(state, effects, command);
}

/// Shows where the session is, after a command of it was cancelled.
pub(super) fn refresh(state: &mut State, effects: &mut Effects, id: Option<ProgramId>) {
    let shown = state.program().filter(|program| Some(program.id) == id && program.debugger.is_some());
    if let Some(program) = shown {
        let map = program.debugging.map.clone();
        begin(state, effects, DebugCommand::Map(map));
    }
}

fn begin(state: &mut State, effects: &mut Effects, command: DebugCommand) {
    let next = state.next_revision();
    let Some(program) = state.program() else { return };
    let (debugging, revision) = (program.debugging.clone(), program.revision);
    let session = program.debugger.clone().filter(|session| session.revision == revision);
    let filled = program.filled();
    let breakpoints = kept(program);
    let of_record = match (&session, debugging.launch) {
        (None, Some(place)) => debug_launch::Source::of(program, place),
        _ => None,
    };
    let input = Input::new(state, program);
    let rewritten = debug_rewritten::Source::new(&input, &filled);
    let Input { id, title, program, options, settings, .. } = input;
    mark(state, Work::Debug, Some(id), true);
    effects.start(state, tag(Work::Debug, Some(id)), format!("debugging {title}"), move |engine, job| {
        let interrupt = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupt);
        job.on_cancel(move || flag.store(true, Ordering::Relaxed));
        let begun = session.is_none();
        let session = session.map_or_else(
            || {
                let contents = filled.read()?;
                let inputs = contents.inputs(&program, settings.fill, settings.zeros)?;
                let inputs = with_position(&inputs, &program);
                let begun = match of_record {
                    Some(source) => {
                        source.begin(engine, &options, &inputs, debugging.chosen, limits(&settings), job)?
                    }
                    None => {
                        let program = specialised(&program, &options).map_err(|error| error.to_string())?;
                        let (launch, chosen) = launch(&program, &options, &inputs, &debugging, limits(&settings))?;
                        let stage = launch.machine.program().stage();
                        let module = program.stages.iter().find(|row| row.stage == stage);
                        let module = module.map_or(0, |row| row.module);
                        Begun { launch, chosen, module, texts: Vec::new(), record: None }
                    }
                };
                Ok(DebugSession::new(revision, next, begun, &breakpoints))
            },
            Ok,
        );
        // A new session is at its start: a step would pass over the first line.
        let moves = matches!(
            command,
            DebugCommand::StepInto | DebugCommand::StepOver | DebugCommand::StepOut | DebugCommand::StepBack
        );
        let command = if begun && moves { DebugCommand::Restart } else { command };
        let stepped = Stepped { is_rewritten: debugging.is_rewritten, beside: debugging.beside };
        let result = session.map(|session| {
            let wanted = (stepped.is_rewritten || stepped.beside) && !session.has_rewritten();
            let added = wanted.then(|| rewritten.add(engine, &session, &debugging, job)).transpose();
            let stepped = if session.has_rewritten() { stepped } else { Stepped::default() };
            let time = Duration::from_secs(settings.seconds.into()).max(COMMAND_TIME);
            let timer = Timer::start(time, &interrupt);
            let mut debugged = session.carry_out(&command, &debugging.map, stepped, &interrupt);
            if timer.is_over() {
                let limit = time.as_secs();
                debugged.stop.why =
                    format!("stopped after {limit} s, the limit (a Time limit above that sets another)");
            } else if debugged.stop.why.starts_with("limit of steps") {
                debugged.stop.why.push_str(" (Step limit sets another, for a new session)");
            }
            debugged.refused = debugged.refused.or(added.err());
            Box::new(debugged)
        });
        Outcome::Done(Box::new(WorkOutcome { revision, settings, result: WorkResult::Debugged(result) }))
    });
}

/// What of a program is debugged.
pub(super) fn place(program: &Program, debugging: &Debugging) -> LaunchPlace {
    if !program.stages.iter().any(|stage| stage.stage.is_graphics()) {
        return LaunchPlace::Group(debugging.group);
    }
    LaunchPlace::Draw(debugging.target.place())
}

/// The program at its start, and the lane that is chosen there.
pub(super) fn launch(
    program: &Program,
    options: &Options,
    inputs: &Inputs,
    debugging: &Debugging,
    limits: Limits,
) -> Result<(Launch, Chosen), String> {
    let waves = Waves::predicted(program, options);
    if let LaunchPlace::Draw(place) = place(program, debugging) {
        let call = DrawCall { wave: waves.lanes.subgroup_size, place, groups: options.groups };
        let launch = Launch::draw(program, call, inputs, limits, VERTEX_TIME);
        let launch = launch.map_err(|error| error.to_string())?;
        let (wave, lane) = launch.chosen;
        return Ok((launch, Chosen { wave, lane }));
    }
    let only = (options.groups, Some(debugging.group));
    let launch = Launch::new(program, &waves, only, inputs, limits).map_err(|error| error.to_string())?;
    Ok((launch, debugging.chosen))
}

/// The breakpoints that a new session of a program sets again: those at instructions only where these are the same.
fn kept(program: &OpenProgram) -> Vec<BreakpointRow> {
    let Some(stop) = &program.debugging.stop else { return Vec::new() };
    // A rewritten module has other instructions.
    let is_same = stop.revision == program.revision && !stop.is_rewritten;
    stop.breakpoints.iter().filter(|row| is_same || row.instruction.is_none()).cloned().collect()
}

impl OpenProgram {
    /// Ends the session of its debugger.
    pub(crate) fn end_debugging(&mut self) {
        self.debugger = None;
        self.debugging.stop = None;
    }

    /// Takes what a command of the debugger led to.
    pub(crate) fn take_debugged(&mut self, revision: u64, debugged: Result<Box<Debugged>, String>) {
        self.debugging.underway = false;
        if revision != self.revision {
            // Of an older state of the files or options.
            return;
        }
        match debugged {
            Ok(debugged) => {
                let Debugged { session, stop, refused } = *debugged;
                self.debugging.chosen.wave = stop.state.wave;
                self.debugging.chosen.lane = stop.state.lane;
                self.debugging.is_rewritten = stop.is_rewritten;
                self.debugging.beside = stop.beside.is_some();
                // The launch of a work graph's record is a compute shader that no stage of the program is.
                if stop.launch.is_none() {
                    self.selection.stage = Some(stop.stage);
                }
                self.debugging.stop = Some(Arc::new(stop));
                self.debugging.refused = refused;
                self.debugger = Some(session);
            }
            Err(why) => {
                self.end_debugging();
                self.debugging.refused = Some(why);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timer_interrupts_what_takes_too_long() {
        let interrupt = Arc::new(AtomicBool::new(false));
        let timer = Timer::start(Duration::from_secs(60), &interrupt);
        assert!(!timer.is_over() && !interrupt.load(Ordering::Relaxed));
        drop(timer);
        let timer = Timer::start(Duration::from_millis(1), &interrupt);
        let begin = std::time::Instant::now();
        while !timer.is_over() && begin.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(timer.is_over());
    }
}
