//! Going back: an earlier state is a snapshot and the instructions from there, so what is looked for is found section by
//! section between two snapshots, from the back, each section repeated once.

use std::collections::VecDeque;

use super::{Debugger, Stop};

/// Runs of one line that are kept of a section: the rest of it is repeated again.
const MAX_RUNS: usize = 1 << 16;

/// The source line of an instruction, 0 for none, and the depth of its call: where a line repeats in a deeper call, it is
/// another one.
type Line = (u32, usize);

impl Debugger {
    /// Goes back to the last breakpoint, or to the start. Hit counts are not used.
    pub fn resume_back(&mut self) -> Stop {
        let mut end = self.position();
        while let Some(start) = self.section_before(end) {
            if self.is_interrupted() {
                return Stop::Interrupted;
            }
            let mut last = None;
            self.repeat(start, end, |now| {
                last = now.peek().map(|number| (now.position(), number)).or(last);
                true
            });
            if let Some((step, number)) = last {
                self.seek(step);
                return Stop::Breakpoint(number);
            }
            end = start;
        }
        self.seek(0);
        Stop::Start
    }

    /// Goes back to the last breakpoint, or to the last state that differs from the one after it, or to the start. `look`
    /// gives what is compared, `changed` says what differs, if anything: it is returned.
    pub(super) fn resume_back_watching<Seen: Clone>(
        &mut self,
        look: impl Fn(&Debugger) -> Seen,
        changed: impl Fn(&Seen, &Seen) -> Option<usize>,
    ) -> (Stop, Option<usize>) {
        let mut end = self.position();
        let mut after = look(self);
        while let Some(start) = self.section_before(end) {
            if self.is_interrupted() {
                return (Stop::Interrupted, None);
            }
            let mut found: Option<(u64, Stop, Option<usize>)> = None;
            let mut first: Option<Seen> = None;
            let mut before: Option<(u64, Seen)> = None;
            self.repeat(start, end, |now| {
                let seen = look(now);
                let differs = before.as_ref().and_then(|(step, old)| Some((*step, changed(old, &seen)?)));
                found = differs.map(|(step, what)| (step, Stop::Step, Some(what))).or(found);
                found = now.peek().map(|number| (now.position(), Stop::Breakpoint(number), None)).or(found);
                first = first.take().or_else(|| Some(seen.clone()));
                before = Some((now.position(), seen));
                true
            });
            let differs = before.as_ref().and_then(|(step, old)| Some((*step, changed(old, &after)?)));
            found = differs.map(|(step, what)| (step, Stop::Step, Some(what))).or(found);
            if let Some((step, stop, what)) = found {
                self.seek(step);
                return (stop, what);
            }
            after = first.unwrap_or(after);
            end = start;
        }
        self.seek(0);
        (Stop::Start, None)
    }

    /// Goes back by a number of instructions of the wave in focus, at least 1.
    pub fn step_back(&mut self, count: u64) -> Stop {
        let Some(focus) = self.focus else { return self.back(count.max(1)) };
        let focus = focus as usize;
        let mut left = count.max(1);
        let mut end = self.position();
        while let Some(start) = self.section_before(end) {
            if self.is_interrupted() {
                return Stop::Interrupted;
            }
            let mut places = 0u64;
            self.repeat(start, end, |now| {
                places += u64::from(now.is_at(focus));
                true
            });
            if places >= left {
                // The instructions of the section before the one that is looked for.
                let mut before = places - left;
                self.repeat(start, end, |now| {
                    let is_at = now.is_at(focus);
                    let goes_on = !is_at || before > 0;
                    before -= u64::from(is_at && goes_on);
                    goes_on
                });
                return Stop::Step;
            }
            left -= places;
            end = start;
        }
        self.seek(0);
        Stop::Start
    }

    /// Goes back by a number of source lines of the wave in focus, at least 1: to the first instruction of the line before.
    pub fn line_back(&mut self, count: u64) -> Stop {
        let Some(focus) = self.focus else { return self.back(count.max(1)) };
        let focus = focus as usize;
        let mut search = LineSearch::new(self.line_at(focus), count.max(1));
        let mut end = self.position();
        while let Some(start) = self.section_before(end) {
            if self.is_interrupted() {
                return Stop::Interrupted;
            }
            let mut runs: VecDeque<(Line, u64)> = VecDeque::new();
            let mut is_full = false;
            self.repeat(start, end, |now| {
                let line = now.line_at(focus);
                if now.is_at(focus) && runs.back().is_none_or(|(last, _)| *last != line) {
                    is_full |= runs.len() == MAX_RUNS && runs.pop_front().is_some();
                    runs.push_back((line, now.position()));
                }
                true
            });
            if let Some(found) = runs.iter().rev().find_map(|&(line, first)| search.find(line, first)) {
                self.seek(found);
                return Stop::Step;
            }
            end = runs.front().filter(|_| is_full).map_or(start, |(_, first)| *first);
        }
        self.seek(0);
        Stop::Start
    }

    /// Goes back by a number of instructions of all waves.
    pub fn back(&mut self, steps: u64) -> Stop {
        let target = self.position().saturating_sub(steps);
        self.seek(target);
        if target == 0 { Stop::Start } else { Stop::Step }
    }

    /// The first step of the section that ends at a step; absent at the start of the run.
    fn section_before(&self, end: u64) -> Option<u64> {
        self.snapshots.step_before(end.checked_sub(1)?)
    }

    /// Repeats the instructions from one step to before another, and looks at the state before each, until `see` is false.
    fn repeat(&mut self, start: u64, end: u64, mut see: impl FnMut(&Debugger) -> bool) {
        self.seek(start);
        while self.position() < end && see(self) && self.advance_before(end) {}
    }

    /// Whether the next instruction is one of the module, of a wave.
    fn is_at(&self, wave: usize) -> bool {
        self.machine.state.current == wave && !self.is_within(Some(wave as u32))
    }

    fn line_at(&self, wave: usize) -> Line {
        // A wave that has ended is in no function; its place is still one of the entry point.
        (self.line_number(wave), self.calls(wave).max(1))
    }
}

/// Looks for the lines before one. It is given the runs of instructions of one line, the last one first.
struct LineSearch {
    /// The line that is left.
    from: Line,
    /// Lines that are still to be passed.
    left: u64,
    /// The line of the run before.
    last: Option<Line>,
    /// The line before, and its first instruction so far: more of it may come.
    found: Option<(Line, u64)>,
}

impl LineSearch {
    fn new(from: Line, left: u64) -> LineSearch {
        LineSearch { from, left, last: None, found: None }
    }

    /// Takes a run with its first instruction. Returns where the search ends, once it does.
    fn find(&mut self, line: Line, first: u64) -> Option<u64> {
        if self.last == Some(line) {
            // The same run, cut by the end of a section.
            self.found = self.found.map(|(line, _)| (line, first));
            return None;
        }
        self.last = Some(line);
        if let Some((passed, at)) = self.found.take() {
            self.left -= 1;
            if self.left == 0 {
                return Some(at);
            }
            self.from = passed;
        }
        if line != self.from && line.0 != 0 {
            self.found = Some((line, first));
        }
        None
    }
}
