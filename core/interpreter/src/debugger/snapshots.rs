//! Earlier states of a machine: dense near the present, sparse far from it.

use std::sync::Arc;

use crate::exec::wave::Wave;
use crate::machine::State;
use crate::memory::{Object, PAGE};
use crate::registers::{KeptRegisters, Registers};

/// The contents of an object, whose pages are shared with earlier ones where they are the same.
#[derive(Debug)]
struct Contents {
    pages: Vec<Arc<[u8]>>,
    size: usize,
    written: Option<Vec<u64>>,
    version: u64,
}

impl Contents {
    /// Keeps an object. Pages that were not written since `base` are shared with it. Returns also the bytes copied.
    fn of(object: &Object, base: Option<&Contents>) -> (Contents, usize) {
        let mut copied = 0;
        let mut keep = |(at, bytes): (usize, &[u8])| {
            let same = base.and_then(|base| base.pages.get(at)).filter(|_| !object.is_dirty(at));
            same.filter(|same| same.len() == bytes.len()).cloned().unwrap_or_else(|| {
                copied += bytes.len();
                Arc::from(bytes)
            })
        };
        let pages = object.bytes().chunks(PAGE).enumerate().map(&mut keep).collect();
        let (size, written) = (object.bytes().len(), object.written.clone());
        (Contents { pages, size, written, version: object.version() }, copied)
    }

    /// Gives them back to an object that has changed since `base`. Returns the bytes copied.
    fn restore(&self, object: &mut Object, base: Option<&Contents>) -> usize {
        let base = base.filter(|base| base.size == self.size);
        let is_there = |at: usize, page: &Arc<[u8]>| {
            !object.is_dirty(at) && base.and_then(|base| base.pages.get(at)).is_some_and(|base| Arc::ptr_eq(base, page))
        };
        let changed = self.pages.iter().enumerate().filter(|(at, page)| !is_there(*at, page));
        let changed: Vec<(usize, &[u8])> = changed.map(|(at, page)| (at, &**page)).collect();
        let copied = changed.iter().map(|(_, page)| page.len()).sum();
        object.restore(self.size, self.version, changed.into_iter());
        object.written.clone_from(&self.written);
        copied
    }
}

/// A state, whose objects are shared with other snapshots where they are the same.
#[derive(Debug, Clone)]
struct Snapshot {
    /// Without objects, and without registers.
    state: State,
    objects: Vec<Arc<Contents>>,
    /// By wave, those of [`State::kept`] after the others.
    registers: Vec<KeptRegisters>,
    /// Bytes that it has beside what it shares with the one before it.
    bytes: usize,
}

impl Snapshot {
    /// Counts the bytes that it has beside what it shares with the one before it.
    fn count(&mut self, before: Option<&Snapshot>) {
        let kept = self.state.kept.iter().flat_map(|(waves, _)| waves);
        let waves = self.state.waves.iter().chain(kept).map(|wave| wave.written.len() * 8);
        let registers = self.registers.iter().enumerate();
        let registers = registers.map(|(at, of)| of.bytes_beside(before.and_then(|before| before.registers.get(at))));
        let own = |(at, object): (usize, &Arc<Contents>)| {
            let other = before.and_then(|before| before.objects.get(at));
            if other.is_some_and(|other| Arc::ptr_eq(other, object)) {
                return 0;
            }
            let is_shared = |page: usize, bytes: &Arc<[u8]>| {
                other.and_then(|other| other.pages.get(page)).is_some_and(|other| Arc::ptr_eq(other, bytes))
            };
            let own = object.pages.iter().enumerate().filter(|(page, bytes)| !is_shared(*page, bytes));
            size_of_val(&*object.pages) + own.map(|(_, bytes)| bytes.len()).sum::<usize>()
        };
        let objects = self.objects.iter().enumerate().map(own).sum::<usize>();
        let shadows = self.state.memory.shadows.bytes_beside(before.map(|before| &before.state.memory.shadows));
        self.bytes =
            waves.sum::<usize>() + registers.sum::<usize>() + objects + shadows + self.state.memory.order.bytes();
    }
}

/// All waves of a state: those that run, then those that are kept.
fn waves_of(state: &mut State) -> impl Iterator<Item = &mut Wave> {
    state.waves.iter_mut().chain(state.kept.iter_mut().flat_map(|(waves, _)| waves))
}

/// Takes the registers of all waves.
fn take_registers(state: &mut State) -> Vec<Registers> {
    waves_of(state).map(|wave| std::mem::take(&mut wave.regs)).collect()
}

/// Gives the waves their registers.
fn give_registers(state: &mut State, registers: Vec<Registers>) {
    waves_of(state).zip(registers).for_each(|(wave, registers)| wave.regs = registers);
}

/// Snapshots by step.
#[derive(Debug, Clone)]
pub(crate) struct Snapshots {
    /// Sorted by step.
    all: Vec<Snapshot>,
    /// Steps between snapshots near the present.
    interval: u64,
    /// The most memory that they take, in bytes.
    limit: usize,
    /// By object of the machine: the contents that it had when its changes were last tracked anew.
    base: Vec<Arc<Contents>>,
    /// Bytes of memory copied so far.
    copied: u64,
}

/// The distance between snapshots far from the present, as a part of the distance from it.
const SPREAD: u64 = 8;

impl Snapshots {
    pub fn new(interval: u64, limit: usize) -> Snapshots {
        Snapshots { all: Vec::new(), interval: interval.max(1), limit, base: Vec::new(), copied: 0 }
    }

    /// Whether a state at this step is to be kept.
    #[inline]
    pub fn wants(&self, step: u64) -> bool {
        step.is_multiple_of(self.interval)
    }

    /// Steps until the next one that is wanted, at least 1.
    #[inline]
    pub fn until_next(&self, step: u64) -> u64 {
        self.interval - step % self.interval
    }

    /// Keeps a state of the machine, if there is none of its step.
    pub fn keep(&mut self, state: &mut State) {
        let at = self.all.partition_point(|snapshot| snapshot.state.steps < state.steps);
        if self.all.get(at).is_some_and(|snapshot| snapshot.state.steps == state.steps) {
            return;
        }
        let neighbour = at.checked_sub(1).and_then(|at| self.all.get(at)).or(self.all.get(at));
        let (base, copied) = (&self.base, &mut self.copied);
        let keep = |(index, object): (usize, &mut Object)| {
            let base = base.get(index);
            let known = base.into_iter().chain(neighbour.and_then(|snapshot| snapshot.objects.get(index)));
            let same = known.into_iter().find(|same| same.version == object.version()).cloned();
            let contents = same.unwrap_or_else(|| {
                let (contents, bytes) = Contents::of(object, base.map(|base| &**base));
                *copied += bytes as u64;
                Arc::new(contents)
            });
            object.track();
            contents
        };
        let registers = take_registers(state);
        let before = |at: usize| neighbour.and_then(|snapshot| snapshot.registers.get(at));
        let of_waves = registers.iter().enumerate().map(|(at, of)| KeptRegisters::of(of, before(at))).collect();
        let mut objects = std::mem::take(&mut state.memory.objects);
        let kept: Vec<Arc<Contents>> = objects.iter_mut().enumerate().map(keep).collect();
        self.base.clone_from(&kept);
        let snapshot = Snapshot { objects: kept, registers: of_waves, state: state.clone(), bytes: 0 };
        state.memory.objects = objects;
        give_registers(state, registers);
        self.all.insert(at, snapshot);
        self.count(at);
        self.count(at + 1);
        self.thin(state.steps);
        while self.all.len() > 2 && self.bytes() > self.limit {
            self.interval *= 2;
            let count = self.all.len();
            self.thin(state.steps);
            if self.all.len() == count && self.interval > 1 << 40 {
                break;
            }
        }
        if self.all.len() > 1 && self.bytes() > self.limit {
            // Not even two: the run is repeated from its start, and the next one is far away.
            self.all.truncate(1);
            self.interval = self.interval.saturating_mul(2);
        }
    }

    fn bytes(&self) -> usize {
        self.all.iter().map(|snapshot| snapshot.bytes).sum()
    }

    /// Counts what one has beside the one before it.
    fn count(&mut self, at: usize) {
        let at = at.min(self.all.len());
        let (before, rest) = self.all.split_at_mut(at);
        if let Some(snapshot) = rest.first_mut() {
            snapshot.count(before.last());
        }
    }

    /// Drops snapshots that are closer together than their distance from the present asks for. The first one stays.
    fn thin(&mut self, now: u64) {
        let mut at = 1;
        while at + 1 < self.all.len() {
            let (before, after) = (self.all[at - 1].state.steps, self.all[at + 1].state.steps);
            let distance = self.all[at].state.steps.abs_diff(now);
            let gap = (after - before) / 2;
            if gap < self.interval || (gap < distance / SPREAD && distance > 2 * self.interval) {
                self.all.remove(at);
                self.count(at);
            } else {
                at += 1;
            }
        }
    }

    /// The last one at or before a step.
    fn before(&self, step: u64) -> Option<&Snapshot> {
        let at = self.all.partition_point(|snapshot| snapshot.state.steps <= step).checked_sub(1)?;
        self.all.get(at)
    }

    /// The step of the last state at or before a step.
    pub fn step_before(&self, step: u64) -> Option<u64> {
        self.before(step).map(|snapshot| snapshot.state.steps)
    }

    /// Takes a copy of the machine's state back to the last one at or before a step. Returns the bytes copied.
    pub fn rewind(&self, step: u64, state: &mut State) -> usize {
        let Some(snapshot) = self.before(step) else { return 0 };
        let mut objects = std::mem::take(&mut state.memory.objects);
        let all = objects.iter_mut().zip(&snapshot.objects).enumerate();
        let restore = |(at, (object, kept)): (usize, (&mut Object, &Arc<Contents>))| {
            kept.restore(object, self.base.get(at).map(|base| &**base))
        };
        let copied = all.map(restore).sum();
        let mut registers = take_registers(state);
        state.clone_from(&snapshot.state);
        state.memory.objects = objects;
        registers.resize_with(snapshot.registers.len(), Registers::default);
        registers.iter_mut().zip(&snapshot.registers).for_each(|(to, kept)| kept.restore(to));
        give_registers(state, registers);
        copied
    }

    /// Takes the machine's own state back to the last one at or before a step.
    pub fn restore(&mut self, step: u64, state: &mut State) {
        self.copied += self.rewind(step, state) as u64;
        self.base = self.before(step).map_or_else(Vec::new, |snapshot| snapshot.objects.clone());
    }

    /// Bytes of memory that snapshots and restores have copied so far.
    pub fn copied(&self) -> u64 {
        self.copied
    }

    /// The number of snapshots.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.all.len()
    }
}
