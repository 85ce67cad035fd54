//! A workgroup that is stepped while the others of the dispatch run, too: those before it first, those after it once it
//! has ended. Memory and findings are then those of a whole run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Machine;

/// Instructions between two looks at the interrupt.
const SLICE: u32 = 1 << 14;
/// Instructions that take as long as a workgroup needs to start.
const START: u64 = 64;

/// The workgroup that is stepped.
#[derive(Debug, Clone)]
pub(crate) struct Focus {
    /// Its linear index.
    group: u64,
    /// The most instructions of the workgroups before it, and of those after it.
    most: u64,
    /// Stops the workgroups after it once it is set.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Whether the run ends with it.
    is_alone: bool,
}

/// Why a workgroup cannot be stepped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotReached {
    /// The dispatch does not have it.
    NoSuchGroup,
    /// Those before it have too much to run.
    TooMuch,
    /// Those before it were interrupted.
    Interrupted,
}

/// Workgroups that run beside the one that is stepped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Others {
    /// Those that have run before its first instruction.
    pub before: u64,
    /// Those that run after its last one.
    pub after: u64,
    /// Those of them that have run so far.
    pub ran: u64,
}

impl Machine {
    /// Runs the workgroups before one. Positions and the limit of steps then count its instructions only; those after it
    /// run with its last instruction, each side for at most so many instructions; a workgroup counts as 64 more.
    ///
    /// # Errors
    /// Those before it need more, `is_interrupted` says so, or there is no such workgroup.
    pub fn focus_on(
        &mut self,
        group: u64,
        most: u64,
        mut is_interrupted: impl FnMut() -> bool,
    ) -> Result<(), NotReached> {
        let first = self.group_index();
        let mut ran = 0u64;
        while self.group_index() < group {
            let spent = self.state.steps.saturating_add((self.group_index() - first).saturating_mul(START));
            ran += 1;
            if spent >= most {
                return Err(NotReached::TooMuch);
            } else if ran.is_multiple_of(u64::from(SLICE)) && is_interrupted() {
                return Err(NotReached::Interrupted);
            } else if !self.advance() {
                return Err(NotReached::NoSuchGroup);
            }
        }
        if self.is_finished() {
            return Err(NotReached::NoSuchGroup);
        }
        self.state.earlier += std::mem::take(&mut self.state.steps);
        self.focus = Some(Focus { group, most, interrupt: None, is_alone: false });
        Ok(())
    }

    /// The workgroups that run beside the one that is stepped; absent where it is the only one, or none is chosen.
    pub fn others(&self) -> Option<Others> {
        let focus = self.focus.as_ref()?;
        let before = focus.group - self.setup.first;
        let after = self.setup.groups.saturating_sub(before + 1);
        let ran = self.state.done.saturating_sub(before + 1);
        (before > 0 || after > 0).then_some(Others { before, after, ran })
    }

    /// The most instructions of the workgroups on one side of the one that is stepped: the limit of steps is of that one.
    pub(crate) fn most_of_others(&self) -> u64 {
        self.focus.as_ref().map_or(0, |focus| focus.most)
    }

    /// Whether the workgroup that is stepped has ended.
    pub fn is_past_focus(&self) -> bool {
        self.focus.as_ref().is_some_and(|focus| self.group_index() > focus.group)
    }

    /// The workgroup that is stepped, once it has ended.
    pub(crate) fn focused_group(&self) -> Option<u64> {
        self.focus.as_ref().filter(|_| self.is_past_focus()).map(|focus| focus.group)
    }

    /// Whether the run ends with the workgroup that is stepped, and that has ended.
    pub(crate) fn has_ended_alone(&self) -> bool {
        self.focus.as_ref().is_some_and(|focus| focus.is_alone) && self.is_past_focus()
    }

    /// Ends the run with the workgroup that is stepped.
    pub(crate) fn end_with_focus(&mut self) {
        if let Some(focus) = &mut self.focus {
            focus.is_alone = true;
        }
    }

    /// Sets the flag that stops the workgroups after the one that is stepped.
    pub(crate) fn set_interrupt(&mut self, interrupt: Option<Arc<AtomicBool>>) {
        if let Some(focus) = &mut self.focus {
            focus.interrupt = interrupt;
        }
    }

    /// Keeps the waves of the workgroup that is stepped, which ends: they are shown from then on.
    pub(crate) fn keep_waves(&mut self) {
        let is_focus = self.focus.as_ref().is_some_and(|focus| focus.group == self.group_index() && !focus.is_alone);
        if is_focus && self.state.done + 1 < self.setup.groups {
            self.state.kept = Some((self.state.waves.clone(), self.state.current));
        }
    }

    /// Runs the workgroups after the one that is stepped, unless it is interrupted or there is too much to run.
    pub(crate) fn run_rest(&mut self) {
        let Some(focus) = self.focus.clone() else { return };
        let position = self.state.steps;
        self.swap_kept();
        while !self.is_finished() {
            for _ in 0..SLICE {
                if !self.advance() {
                    break;
                }
            }
            if focus.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                break;
            }
            let groups = self.group_index() - focus.group;
            let spent = self.state.later + (self.state.steps - position);
            if spent.saturating_add(groups.saturating_mul(START)) >= focus.most {
                self.state.is_cut = !self.is_finished();
                break;
            }
        }
        self.state.later += self.state.steps - position;
        self.state.steps = position;
        self.swap_kept();
        if self.is_finished() {
            self.state.kept = None;
        }
    }

    /// The waves of the workgroup that is stepped, which has ended, and those of one after it change places.
    pub(crate) fn swap_kept(&mut self) {
        let state = &mut self.state;
        if let Some((waves, current)) = &mut state.kept {
            std::mem::swap(waves, &mut state.waves);
            std::mem::swap(current, &mut state.current);
        }
    }
}
