//! Going forwards: steps of instructions, lines and functions, and runs to a breakpoint.

use super::{Debugger, Stop};

/// Where a step of lines or functions began: it goes on from there after an interrupt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    /// The wave.
    wave: usize,
    /// Linear index of its workgroup.
    group: u64,
    /// Calls that it was in.
    depth: usize,
    /// A number for its source line, 0 for none.
    line: u32,
}

impl Debugger {
    /// Runs until a test holds after an instruction of a wave (of any one where it is absent), a breakpoint, a finding that
    /// stops, or the end.
    fn run_until(&mut self, wave: Option<usize>, mut done: impl FnMut(&Debugger) -> bool) -> Stop {
        let mut events = self.machine.events().len();
        let mut found = None;
        loop {
            if self.is_interrupted() {
                return Stop::Interrupted;
            }
            let own = wave.is_none_or(|wave| wave == self.machine.state.current);
            if !self.advance() {
                return Stop::End;
            }
            if self.machine.is_past_focus() && !self.machine.is_finished() {
                // Interrupted in the workgroups after the one that is stepped, or there is too much to run.
                match self.machine.state.is_cut {
                    true => return Stop::End,
                    false => continue,
                }
            }
            if let Some(number) = self.hit() {
                return Stop::Breakpoint(number);
            }
            if self.machine.is_finished() {
                return Stop::End;
            }
            if self.machine.events().len() > events {
                found = found.or_else(|| self.stopping_event(events));
                events = self.machine.events().len();
            }
            if let Some((event, wave)) = found
                && !self.is_within(Some(wave))
            {
                return Stop::Event(event);
            }
            if own && done(self) {
                return Stop::Step;
            }
        }
    }

    /// The first of the events from a place on that stops a run, and its wave.
    fn stopping_event(&self, from: usize) -> Option<(usize, u32)> {
        let mut new = self.machine.events().iter().enumerate().skip(from);
        new.find(|(_, event)| self.stop_at.contains(&event.kind)).map(|(at, event)| (at, event.wave))
    }

    /// Forgets where an interrupted step began: the next one is another one.
    pub(super) fn begin_anew(&mut self) {
        self.interrupted = None;
    }

    /// Where a step begins, or began before it was interrupted.
    fn origin(&mut self) -> Origin {
        self.interrupted.take().unwrap_or_else(|| {
            let wave = self.focus.map_or(self.machine.state.current, |wave| wave as usize);
            Origin { wave, group: self.machine.group_index(), depth: self.calls(wave), line: self.line_number(wave) }
        })
    }

    fn step_from(&mut self, mut done: impl FnMut(&Debugger, Origin) -> bool) -> Stop {
        let origin = self.origin();
        let stop = self.run_until(Some(origin.wave), |now| now.left(origin.wave, origin.group) || done(now, origin));
        self.interrupted = (stop == Stop::Interrupted).then_some(origin);
        stop
    }

    /// Runs one instruction of the wave in focus. Other waves may run before it has its turn.
    pub fn step(&mut self) -> Stop {
        self.run_until(self.focus.map(|wave| wave as usize), |now| !now.is_within(now.focus))
    }

    /// Runs one instruction, or all of a function that it calls.
    pub fn step_over(&mut self) -> Stop {
        self.step_from(|now, origin| now.calls(origin.wave) <= origin.depth && !now.is_within(Some(origin.wave as u32)))
    }

    /// Runs to the end of the current function.
    pub fn step_out(&mut self) -> Stop {
        self.step_from(|now, origin| now.calls(origin.wave) < origin.depth)
    }

    /// Runs to the start of another source line; `over` passes over calls.
    pub fn step_line(&mut self, over: bool) -> Stop {
        self.step_from(|now, origin| {
            let (deep, next) = (now.calls(origin.wave), now.line_number(origin.wave));
            (!over || deep <= origin.depth) && next != 0 && (next != origin.line || deep != origin.depth)
        })
    }

    /// Runs to a breakpoint or the end.
    pub fn resume(&mut self) -> Stop {
        self.run_until(None, |_| false)
    }
}
