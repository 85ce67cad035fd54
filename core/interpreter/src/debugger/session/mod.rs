//! A debugging session on one lane: commands with gdb's names, and the state after each as plain data.

mod beside;
mod command;
mod lane_mask;
mod resume;
mod state;
mod strip;
mod values;
mod writers;

pub use beside::{Beside, BesidePoint, BesideRow};
pub use command::{BreakpointKind, Command, CommandError, NamedCondition, parse_all};
pub use lane_mask::LaneMask;
pub use resume::Stopped;
pub use state::{Lanes, SourceText, State, TraceRow, VariableValue, WaveRow};
pub use strip::{Strip, StripRow};
pub use values::{Group, Listed, Target};
pub use writers::{Writers, WrittenBy, WrittenPart};

use super::breakpoints::{Breakpoint, Condition, Location};
use super::{Debugger, Stop};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::event::EventKind;
use crate::machine::Machine;
use crate::program::Place;
use lanescope_spirv::{InstId, SourceFile};
use serde::Serialize;

/// A lane of the workgroup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chosen {
    /// The wave.
    pub wave: u32,
    /// The lane of the wave.
    pub lane: u32,
}

/// A breakpoint as it was given.
#[derive(Debug, Clone)]
struct Set {
    text: String,
    given: BreakpointKind,
    kind: Kind,
    /// Hits of a condition or a watchpoint; those of a place are counted by the debugger.
    hits: u64,
    /// Hits that are passed over, counted from the start of the run.
    skip: u64,
}

/// A breakpoint or watchpoint as it is now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BreakpointState {
    /// Its number, from 1.
    pub number: usize,
    /// Its text.
    pub at: String,
    /// What it stops at.
    #[serde(skip)]
    pub kind: BreakpointKind,
    /// How often it was hit while the run went forwards, since its start.
    pub hits: u64,
    /// Hits that are passed over, counted from the start of the run.
    pub ignored: u64,
}

#[derive(Debug, Clone)]
enum Kind {
    /// By its number in the debugger.
    Place(usize),
    /// A condition of the chosen lane, at any instruction.
    Condition(Condition),
    /// A value in memory, or of a lane (the chosen one where none is given), that changes.
    Watch(Target, Option<Chosen>),
}

/// A debugger with a chosen lane.
#[derive(Debug, Clone)]
pub struct Session {
    debugger: Debugger,
    chosen: Chosen,
    set: Vec<Option<Set>>,
    /// Texts of files that lines name, and that the module does not carry.
    sources: Vec<SourceFile>,
    /// Whether breakpoints of any wave stop, not of the chosen one only.
    any_wave: bool,
    /// Why the last command that moved stopped.
    stopped: Stopped,
}

/// What a command printed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    /// The run moved: why it stopped.
    Stopped(String),
    /// A breakpoint is set.
    Breakpoint {
        /// Its number.
        number: usize,
        /// Where it is.
        at: String,
    },
    /// A value of the chosen lane.
    Value {
        /// What was asked for.
        name: String,
        /// The value.
        value: String,
    },
    /// A value of all lanes.
    Lanes(Lanes),
    /// Who wrote memory last.
    Writers(Writers),
    /// The waves.
    Waves(Vec<WaveRow>),
    /// Variables of the chosen lane.
    Locals(Vec<VariableValue>),
    /// The breakpoints.
    Breakpoints(Vec<BreakpointState>),
}

impl Session {
    /// Takes control of a machine at its start. Steps are of the chosen lane's wave.
    pub fn new(machine: Machine, chosen: Chosen) -> Session {
        let mut debugger = Debugger::new(machine);
        debugger.set_focus(Some(chosen.wave));
        Session { debugger, chosen, set: Vec::new(), sources: Vec::new(), any_wave: false, stopped: Stopped::Start }
    }

    /// With the text of a file that lines name, for a module that does not carry it.
    #[must_use]
    pub fn with_source(mut self, source: SourceFile) -> Session {
        self.sources.push(source);
        self
    }

    /// With breakpoints that stop any wave: it is chosen then.
    #[must_use]
    pub fn stopping_any_wave(mut self) -> Session {
        self.any_wave = true;
        self
    }

    /// The debugger.
    pub fn debugger(&self) -> &Debugger {
        &self.debugger
    }

    /// The chosen lane.
    pub fn chosen(&self) -> Chosen {
        self.chosen
    }

    /// Carries out a command.
    ///
    /// # Errors
    /// A name that the program does not have here; a location without an instruction; a number of no breakpoint.
    pub fn run(&mut self, command: &Command) -> Result<Output, CommandError> {
        self.debugger.begin_anew();
        self.go_on(command)
    }

    /// Goes on with a command that moves forwards and was interrupted.
    ///
    /// # Errors
    /// Those of [`Session::run`].
    pub fn go_on(&mut self, command: &Command) -> Result<Output, CommandError> {
        Ok(match command {
            Command::Step(n) => self.repeat(*n, |session| session.step_line(false)),
            Command::Next(n) => self.repeat(*n, |session| session.step_line(true)),
            Command::StepInstruction(n) => self.repeat(*n, |session| session.debugger.step()),
            Command::NextInstruction(n) => self.repeat(*n, |session| session.debugger.step_over()),
            Command::Finish => self.repeat(1, |session| session.debugger.step_out()),
            Command::Continue => Output::Stopped(self.resume()),
            Command::ReverseStep(n) => self.repeat(1, |session| session.back_line(u64::from(*n))),
            Command::ReverseStepInstruction(n) => self.repeat(1, |session| session.debugger.step_back(u64::from(*n))),
            Command::ReverseContinue => Output::Stopped(self.resume_back()),
            Command::Restart => {
                self.debugger.seek(0);
                self.reset_hits();
                Output::Stopped(self.stopped_at(Stop::Start))
            }
            Command::Break(text) => {
                let kind = BreakpointKind::parse(text).ok_or_else(|| CommandError::Location(text.clone()))?;
                self.set_breakpoint(&kind, text)?
            }
            Command::Watch(name) => {
                self.set_breakpoint(&BreakpointKind::Watch(name.clone()), &format!("watch {name}"))?
            }
            Command::Delete(number) => {
                let slot = self.set.get_mut(number.wrapping_sub(1)).and_then(Option::take);
                let Some(removed) = slot else { return Err(CommandError::NoBreakpoint(*number)) };
                if let Kind::Place(at) = removed.kind {
                    self.debugger.remove_breakpoint(at);
                }
                Output::Breakpoints(self.breakpoints())
            }
            Command::Ignore(number, count) => {
                let state = self.breakpoints().into_iter().find(|state| state.number == *number);
                let hits = state.ok_or(CommandError::NoBreakpoint(*number))?.hits;
                self.set_ignored(*number, hits.saturating_add(*count));
                Output::Breakpoints(self.breakpoints())
            }
            Command::Print(text) => {
                let target = self.target(text)?;
                Output::Value { name: text.clone(), value: self.text_of(&target, self.chosen) }
            }
            Command::Lanes(text) => Output::Lanes(self.lanes(text)?),
            Command::InfoWriter(text) => Output::Writers(self.writers(text)?),
            Command::InfoLocals => Output::Locals(self.locals()),
            Command::InfoWaves => Output::Waves(self.waves()),
            Command::InfoBreakpoints => Output::Breakpoints(self.breakpoints()),
        })
    }

    /// The breakpoints that are set.
    pub fn breakpoints(&self) -> Vec<BreakpointState> {
        let state = |(at, set): (usize, &Option<Set>)| {
            let set = set.as_ref()?;
            let hits = match set.kind {
                Kind::Place(place) => self.debugger.hits(place),
                _ => set.hits,
            };
            let (text, kind) = (set.text.clone(), set.given.clone());
            Some(BreakpointState { number: at + 1, at: text, kind, hits, ignored: set.skip })
        };
        self.set.iter().enumerate().filter_map(state).collect()
    }

    /// Sets how many hits of a breakpoint are passed over, counted from the start of the run.
    pub fn set_ignored(&mut self, number: usize, skip: u64) {
        let Some(Some(set)) = self.set.get_mut(number.wrapping_sub(1)) else { return };
        set.skip = skip;
        if let Kind::Place(place) = set.kind {
            self.debugger.set_skip(place, skip);
        }
    }

    fn reset_hits(&mut self) {
        self.debugger.reset_hits();
        self.set.iter_mut().flatten().for_each(|set| set.hits = 0);
    }

    /// Chooses another lane. Steps are of its wave from now on.
    pub fn choose(&mut self, chosen: Chosen) {
        self.chosen = chosen;
        self.debugger.set_focus(Some(chosen.wave));
    }

    /// Chooses the kinds of findings that stop a run where they are found.
    pub fn stop_at(&mut self, kinds: BTreeSet<EventKind>) {
        self.debugger.set_stop_at(kinds);
    }

    /// Sets the flag that stops a command, from another thread.
    pub fn set_interrupt(&mut self, interrupt: Option<Arc<AtomicBool>>) {
        self.debugger.set_interrupt(interrupt);
    }

    /// The next instruction of the chosen wave.
    pub fn place(&self) -> Option<Place> {
        self.wave_state().map(|wave| wave.place)
    }

    /// The instruction of a breakpoint at a place, by its number.
    pub fn instruction_of(&self, number: usize) -> Option<InstId> {
        let set = self.set.get(number.wrapping_sub(1))?.as_ref()?;
        let Kind::Place(at) = set.kind else { return None };
        self.debugger.first_place(at)
    }

    /// Sets a breakpoint at an instruction, or at the next one of its block that is run. `given` is what it was set on: the
    /// instruction itself, or its line.
    ///
    /// # Errors
    /// No instruction is there.
    pub fn break_at(&mut self, inst: InstId, given: BreakpointKind, text: &str) -> Result<usize, CommandError> {
        let location = Location::Inst(inst);
        let (number, places) = self.debugger.add_breakpoint(Breakpoint { location, condition: None, skip: 0 });
        if places == 0 {
            self.debugger.remove_breakpoint(number);
            return Err(CommandError::NoInstruction(text.to_owned()));
        }
        self.push(text.to_owned(), given, Kind::Place(number));
        Ok(self.set.len())
    }

    /// Runs to an instruction, a breakpoint or the end.
    ///
    /// # Errors
    /// No instruction is there.
    pub fn run_to(&mut self, inst: InstId, text: &str) -> Result<String, CommandError> {
        let number = self.break_at(inst, BreakpointKind::instruction(inst), text)?;
        let why = self.resume();
        if let Some(Set { kind: Kind::Place(at), .. }) = self.set.pop().flatten() {
            self.debugger.remove_breakpoint(at);
        }
        let own = format!("breakpoint {number}: ");
        Ok(if why.starts_with(&own) { text.to_owned() } else { why })
    }

    /// Goes to a position in time. Breakpoints are passed over.
    pub fn seek(&mut self, step: u64) -> String {
        self.debugger.seek(step);
        let stop = if self.debugger.machine().is_finished() { Stop::End } else { Stop::Step };
        self.stopped_at(if step == 0 { Stop::Start } else { stop })
    }

    fn repeat(&mut self, n: u32, mut step: impl FnMut(&mut Session) -> Stop) -> Output {
        let mut stop = Stop::Step;
        for _ in 0..n.max(1) {
            stop = step(self);
            if stop != Stop::Step {
                break;
            }
        }
        Output::Stopped(self.stopped_at(stop))
    }

    /// A line where the module has lines, else an instruction.
    fn step_line(&mut self, over: bool) -> Stop {
        match (self.debugger.machine().program().has_lines(), over) {
            (true, _) => self.debugger.step_line(over),
            (false, true) => self.debugger.step_over(),
            (false, false) => self.debugger.step(),
        }
    }

    /// Lines where the module has lines, else instructions.
    fn back_line(&mut self, count: u64) -> Stop {
        match self.debugger.machine().program().has_lines() {
            true => self.debugger.line_back(count),
            false => self.debugger.step_back(count),
        }
    }

    fn wave_state(&self) -> Option<super::WaveState> {
        self.debugger.waves().into_iter().nth(self.chosen.wave as usize)
    }

    /// Sets a breakpoint or watchpoint. `text` names it.
    ///
    /// # Errors
    /// A name that the program does not have here; a location without an instruction.
    pub fn set_breakpoint(&mut self, kind: &BreakpointKind, text: &str) -> Result<Output, CommandError> {
        let (location, condition) = match kind {
            BreakpointKind::Watch(name) => {
                let target = self.target(name)?;
                return Ok(self.push(text.to_owned(), kind.clone(), Kind::Watch(target, None)));
            }
            BreakpointKind::Condition(condition) => {
                let condition = self.condition(condition)?;
                return Ok(self.push(text.to_owned(), kind.clone(), Kind::Condition(condition)));
            }
            BreakpointKind::Place { location, condition } => (location, condition),
        };
        let resolved = condition.as_ref().map(|condition| self.condition(condition)).transpose()?;
        let nowhere = || CommandError::NoInstruction(text.to_owned());
        if let Location::Id(id) = location
            && self.debugger.machine().program().module().def(*id).is_none()
        {
            return Err(nowhere());
        }
        let breakpoint = Breakpoint { location: location.clone(), condition: resolved, skip: 0 };
        let (number, places) = self.debugger.add_breakpoint(breakpoint);
        if places == 0 {
            self.debugger.remove_breakpoint(number);
            return Err(nowhere());
        }
        let (given, text) = match location {
            Location::Line { file, line } if file.is_empty() => {
                let file = self.file_of(number);
                let text = with_file(&file, text);
                let location = Location::Line { file, line: *line };
                (BreakpointKind::Place { location, condition: condition.clone() }, text)
            }
            _ => (kind.clone(), text.to_owned()),
        };
        Ok(self.push(text, given, Kind::Place(number)))
    }

    /// Sets a watchpoint on a value of a lane, whichever is chosen, or in memory.
    pub fn watch(&mut self, target: Target, lane: Chosen, text: &str) -> usize {
        let kind = BreakpointKind::Watch(text.to_owned());
        self.push(text.to_owned(), kind, Kind::Watch(target, Some(lane)));
        self.set.len()
    }

    /// The name of the file of a place; empty where its module has no lines.
    fn file_of(&self, number: usize) -> String {
        let inst = self.debugger.first_place(number);
        let line = inst.and_then(|inst| self.debugger.machine().program().line(inst));
        line.as_ref().and_then(|line| line.file.rsplit(['/', '\\']).next()).unwrap_or_default().to_owned()
    }

    fn push(&mut self, text: String, given: BreakpointKind, kind: Kind) -> Output {
        self.set.push(Some(Set { text: text.clone(), given, kind, hits: 0, skip: 0 }));
        Output::Breakpoint { number: self.set.len(), at: text }
    }

    fn condition(&self, given: &NamedCondition) -> Result<Condition, CommandError> {
        let Target { id, path, .. } = self.target(&given.name)?;
        Ok(Condition { id, path, comparison: given.comparison, number: given.number })
    }
}

/// The text of a breakpoint at a line, `13 if i > 2`, with the name of its file.
fn with_file(name: &str, text: &str) -> String {
    let text = text.trim();
    if name.is_empty() { text.to_owned() } else { format!("{name}:{}", text.trim_start_matches(':').trim_start()) }
}
