//! A debugger: steps waves forwards and backwards, stops at breakpoints, shows values.
//!
//! A machine is deterministic, so an earlier state is a snapshot before it and the steps from there. Snapshots are
//! dense near the present and sparse far from it: going back a million steps repeats at most some hundred thousand.

mod back;
mod breakpoints;
pub mod describe;
mod memory;
pub mod session;
mod shape;
mod snapshots;
mod step;

pub use breakpoints::{Breakpoint, Comparison, Condition, Location};
pub use shape::{Children, Shape};

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::code::Pc;
use crate::event::EventKind;
use crate::exec::wave::Status;
use crate::machine::Machine;
use crate::program::{Place, Program};
use crate::value::{MAX_ELEMENTS, Value, value};
use breakpoints::{Armed, places};
use lanescope_base::ids::Id;
use lanescope_spirv::{InstId, SourceLine};
use snapshots::Snapshots;

/// Steps between snapshots near the present.
const INTERVAL: u64 = 1 << 16;

/// Why a run stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The step that was asked for is done.
    Step,
    /// A breakpoint, by its number.
    Breakpoint(usize),
    /// The end of the run, or its limit of steps.
    End,
    /// The start of the run.
    Start,
    /// An interrupt ([`Debugger::set_interrupt`]): the run can go on.
    Interrupted,
    /// A finding of a kind that stops, by its place among the machine's events.
    Event(usize),
}

/// What a wave is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaveStatus {
    /// It can run.
    Running,
    /// It waits at a control barrier.
    AtBarrier,
    /// All its invocations have ended.
    Done,
}

/// A wave's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaveState {
    /// Its index in the workgroup.
    pub wave: u32,
    /// What it is doing.
    pub status: WaveStatus,
    /// Lanes that run the next instruction, as bits.
    pub exec: u64,
    /// Lanes that have not ended.
    pub alive: u64,
    /// Lanes that are helper invocations.
    pub helpers: u64,
    /// The next instruction.
    pub place: Place,
    /// Its source line.
    pub line: Option<SourceLine>,
    /// The calls that led to it, the outermost first.
    pub calls: Vec<Place>,
    /// By lane: local invocation index.
    pub invocations: Vec<Option<u32>>,
}

/// A machine under control.
#[derive(Debug, Clone)]
pub struct Debugger {
    machine: Machine,
    snapshots: Snapshots,
    breakpoints: Vec<Option<Armed>>,
    /// By decoded instruction: whether a breakpoint is there.
    stops: Vec<bool>,
    /// By decoded instruction: a number for its source line, 0 for none.
    lines: Vec<u32>,
    /// By decoded instruction: whether it goes on with the instruction of the module that the one before is of.
    parts: Vec<bool>,
    /// The wave that steps and breakpoints are of; any one where it is absent.
    focus: Option<u32>,
    /// Stops what runs once it is set.
    interrupt: Option<Arc<AtomicBool>>,
    /// Kinds of findings that stop a run.
    stop_at: BTreeSet<EventKind>,
    /// Where an interrupted step began.
    interrupted: Option<step::Origin>,
    /// Instructions run so far, those that were repeated included.
    ran: u64,
}

/// What stepping has cost so far, in either direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Instructions run, those that were repeated to get to an earlier state included.
    pub instructions: u64,
    /// Bytes of buffers, images and workgroup memory that snapshots and their restores have copied.
    pub copied: u64,
}

impl Debugger {
    /// Takes control of a machine. Its snapshots take half as much memory as the machine may at most.
    pub fn new(machine: Machine) -> Debugger {
        let memory = usize::try_from(machine.setup.options.max_memory / 2).unwrap_or(usize::MAX);
        Debugger::with_snapshots(machine, INTERVAL, memory)
    }

    /// The same, with a number of steps between snapshots and the most memory of them in bytes.
    pub fn with_snapshots(mut machine: Machine, interval: u64, memory: usize) -> Debugger {
        let program = machine.setup.program.clone();
        let mut known: Vec<SourceLine> = Vec::new();
        let lines = program
            .origin
            .iter()
            .map(|&inst| {
                let Some(line) = program.line(inst) else { return 0 };
                // Neighbours have the same line most of the time.
                match known.iter().rposition(|other| *other == line) {
                    Some(at) => at as u32 + 1,
                    None => {
                        known.push(line);
                        known.len() as u32
                    }
                }
            })
            .collect();
        let mut snapshots = Snapshots::new(interval, memory);
        snapshots.keep(&mut machine.state);
        let stops = vec![false; program.code.len()];
        let parts = parts(&program);
        Debugger {
            machine,
            snapshots,
            breakpoints: Vec::new(),
            stops,
            lines,
            parts,
            focus: None,
            interrupt: None,
            stop_at: BTreeSet::new(),
            interrupted: None,
            ran: 0,
        }
    }

    /// The machine at its current state.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// A copy of the machine before its first instruction.
    pub(crate) fn machine_at_start(&self) -> Machine {
        let mut machine = self.machine.clone();
        self.snapshots.rewind(0, &mut machine.state);
        machine
    }

    /// Instructions run so far: the position in time.
    pub fn position(&self) -> u64 {
        self.machine.state.steps
    }

    /// What stepping has cost so far.
    pub fn cost(&self) -> Cost {
        Cost { instructions: self.ran, copied: self.snapshots.copied() }
    }

    /// The wave that steps and breakpoints are of; any one where it is absent.
    pub fn focus(&self) -> Option<u32> {
        self.focus
    }

    /// Chooses the wave that steps and breakpoints are of.
    pub fn set_focus(&mut self, wave: Option<u32>) {
        self.focus = wave.filter(|&wave| (wave as usize) < self.machine.setup.work.waves());
    }

    /// The wave that runs next.
    pub fn current_wave(&self) -> u32 {
        self.machine.state.current as u32
    }

    /// The waves of the current workgroup.
    pub fn waves(&self) -> Vec<WaveState> {
        let program = &self.machine.setup.program;
        let state = |(at, wave): (u32, &crate::exec::wave::Wave)| WaveState {
            wave: at,
            status: match wave.status {
                Status::Running => WaveStatus::Running,
                Status::Barrier { .. } => WaveStatus::AtBarrier,
                Status::Done => WaveStatus::Done,
            },
            exec: wave.mask,
            alive: wave.alive,
            helpers: wave.helpers,
            place: program.place(wave.pc),
            line: program.origin.get(wave.pc as usize).and_then(|&inst| program.line(inst)),
            calls: wave.frames.iter().skip(1).map(|frame| program.place(frame.return_pc.saturating_sub(1))).collect(),
            invocations: wave.lanes.invocations.clone(),
        };
        (0..).zip(&self.machine.state.waves).map(state).collect()
    }

    /// The value of an id in a lane of a wave, or of the variable that it points to. Absent where the id has no
    /// registers. A value that its lane has not computed yet is 0.
    pub fn value(&self, wave: u32, lane: u32, id: Id) -> Option<Value> {
        self.value_at(wave, lane, (id, &[]), MAX_ELEMENTS)
    }

    /// The same at a path of indices, with at most so many levels and elements: [`Value::More`] counts the others.
    pub fn value_at(&self, wave: u32, lane: u32, of: (Id, &[u32]), most: u32) -> Option<Value> {
        let state = self.machine.state.waves.get(wave as usize)?;
        value(&self.machine.setup.program, state, lane as usize, of, most)
    }

    /// The value at a path of indices in a variable that leads to memory: a buffer, a workgroup variable, push
    /// constants. Absent where the id is not one, or the path leads out of it. The first index selects the descriptor of
    /// an array of descriptors. Of each array the first 256 elements are there.
    pub fn memory(&self, id: Id, path: &[u32]) -> Option<Value> {
        memory::value(&self.machine, id, path)
    }

    /// Sets the flag that stops what runs, from another thread; absent for none.
    pub fn set_interrupt(&mut self, interrupt: Option<Arc<AtomicBool>>) {
        self.machine.set_interrupt(interrupt.clone());
        self.interrupt = interrupt;
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|interrupt| interrupt.load(Ordering::Relaxed))
    }

    /// Chooses the kinds of findings that stop a run where they are found.
    pub fn set_stop_at(&mut self, kinds: BTreeSet<EventKind>) {
        self.stop_at = kinds;
    }

    /// Sets a breakpoint. Returns its number, and at how many instructions it is: 0 where the location has none.
    pub fn add_breakpoint(&mut self, breakpoint: Breakpoint) -> (usize, usize) {
        let places = places(&self.machine.setup.program, &breakpoint.location);
        let count = places.len();
        self.breakpoints.push(Some(Armed { breakpoint, places, hits: 0 }));
        self.arm();
        (self.breakpoints.len() - 1, count)
    }

    /// Removes a breakpoint.
    pub fn remove_breakpoint(&mut self, number: usize) {
        if let Some(slot) = self.breakpoints.get_mut(number) {
            *slot = None;
        }
        self.arm();
    }

    /// The first instruction of a breakpoint, in the order of the program.
    pub fn first_place(&self, number: usize) -> Option<InstId> {
        let pc = *self.breakpoints.get(number)?.as_ref()?.places.first()?;
        self.machine.setup.program.origin.get(pc as usize).copied()
    }

    /// The active lanes of the current wave that fulfil the condition of a breakpoint, as bits; all of them where it has none.
    pub fn fulfilling(&self, number: usize) -> u64 {
        let state = &self.machine.state;
        let Some(wave) = state.waves.get(state.current) else { return 0 };
        let armed = self.breakpoints.get(number).and_then(Option::as_ref);
        let condition = armed.and_then(|armed| armed.breakpoint.condition.as_ref());
        condition.map_or(wave.mask, |condition| condition.lanes(&self.machine, wave))
    }

    /// How often a breakpoint was hit while the run went forwards.
    pub fn hits(&self, number: usize) -> u64 {
        self.breakpoints.get(number).and_then(Option::as_ref).map_or(0, |armed| armed.hits)
    }

    /// Sets how many hits of a breakpoint are passed over, counted from the start of the run.
    pub fn set_skip(&mut self, number: usize, skip: u64) {
        if let Some(Some(armed)) = self.breakpoints.get_mut(number) {
            armed.breakpoint.skip = skip;
        }
    }

    /// Counts hits from 0 again.
    pub fn reset_hits(&mut self) {
        self.breakpoints.iter_mut().flatten().for_each(|armed| armed.hits = 0);
    }

    fn arm(&mut self) {
        self.stops.fill(false);
        for pc in self.breakpoints.iter().flatten().flat_map(|armed| &armed.places) {
            if let Some(stop) = self.stops.get_mut(*pc as usize) {
                *stop = true;
            }
        }
    }

    /// Runs one instruction of any wave; false at the end.
    #[inline]
    fn advance(&mut self) -> bool {
        self.ran += 1;
        let ran = self.machine.step();
        if ran {
            self.keep();
        }
        ran
    }

    /// Runs one instruction of any wave if another one is before a position: with the last one of all, the workgroups
    /// after the one that is stepped would run again.
    fn advance_before(&mut self, end: u64) -> bool {
        self.position() + 1 < end && self.advance()
    }

    /// Keeps a snapshot where one is wanted: not of workgroups that are in the midst of running after the one that is
    /// stepped, as those go on at the same position.
    #[inline]
    fn keep(&mut self) {
        if self.snapshots.wants(self.position()) && (!self.machine.is_past_focus() || self.machine.is_finished()) {
            self.snapshots.keep(&mut self.machine.state);
        }
    }

    /// The breakpoint at the next instruction, if its condition holds and its hits are used up.
    fn hit(&mut self) -> Option<usize> {
        let state = &self.machine.state;
        let wave = state.waves.get(state.current)?;
        let elsewhere = self.focus.is_some_and(|focus| focus as usize != state.current) || self.machine.is_past_focus();
        if elsewhere || !self.stops.get(wave.pc as usize).copied().unwrap_or(false) || self.machine.is_finished() {
            return None;
        }
        let mut found = None;
        for (number, armed) in self.breakpoints.iter_mut().enumerate() {
            let Some(armed) = armed else { continue };
            let here = armed.places.binary_search(&wave.pc).is_ok();
            if here && armed.breakpoint.condition.as_ref().is_none_or(|c| c.holds(&self.machine, wave)) {
                armed.hits += 1;
                if armed.hits > armed.breakpoint.skip {
                    found = found.or(Some(number));
                }
            }
        }
        found
    }

    /// The breakpoint at the next instruction, if its condition holds.
    fn peek(&self) -> Option<usize> {
        let state = &self.machine.state;
        let wave = state.waves.get(state.current)?;
        let elsewhere = self.focus.is_some_and(|focus| focus as usize != state.current);
        if elsewhere || !self.stops.get(wave.pc as usize).copied().unwrap_or(false) {
            return None;
        }
        self.breakpoints.iter().position(|armed| {
            armed.as_ref().is_some_and(|armed| {
                armed.places.binary_search(&wave.pc).is_ok()
                    && armed.breakpoint.condition.as_ref().is_none_or(|c| c.holds(&self.machine, wave))
            })
        })
    }

    /// Goes to a position in time, or to the end where that is before it. Breakpoints are passed over.
    pub fn seek(&mut self, step: u64) {
        let near = self.snapshots.step_before(step).unwrap_or(0);
        if step < self.position() || near > self.position() {
            self.snapshots.restore(step, &mut self.machine.state);
        }
        while self.position() < step {
            let here = self.position();
            let count = self.snapshots.until_next(here).min(step - here);
            for _ in 0..count {
                self.ran += 1;
                if !self.machine.step() {
                    return;
                }
            }
            self.keep();
        }
    }

    fn calls(&self, wave: usize) -> usize {
        self.machine.state.waves.get(wave).map_or(0, |wave| wave.frames.len())
    }

    /// Whether a wave has ended, or its workgroup has.
    fn left(&self, wave: usize, group: u64) -> bool {
        self.machine.group_index() != group
            || self.machine.state.waves.get(wave).is_none_or(|wave| wave.status == Status::Done)
    }

    /// Whether a wave, or the current one, is in the middle of an instruction of the module.
    fn is_within(&self, wave: Option<u32>) -> bool {
        let state = &self.machine.state;
        let wave = state.waves.get(wave.map_or(state.current, |wave| wave as usize));
        let running = wave.filter(|wave| wave.status != Status::Done);
        running.is_some_and(|wave| self.parts.get(wave.pc as usize).copied().unwrap_or(false))
    }

    /// A number for the source line of a wave's next instruction, 0 for none.
    fn line_number(&self, wave: usize) -> u32 {
        let pc = self.machine.state.waves.get(wave).map_or(0, |wave| wave.pc);
        self.lines.get(pc as usize).copied().unwrap_or(0)
    }
}

/// By decoded instruction: whether it goes on with the instruction of the module that the one before is of.
fn parts(program: &Program) -> Vec<bool> {
    let starts = |pc: Pc| program.blocks.binary_search_by_key(&pc, |block| block.start).is_ok();
    let goes_on = |pc: usize| pc > 0 && program.origin[pc - 1] == program.origin[pc] && !starts(pc as Pc);
    (0..program.origin.len()).map(goes_on).collect()
}

#[cfg(test)]
mod tests;
