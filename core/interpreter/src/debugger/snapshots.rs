//! Earlier states of a machine: dense near the present, sparse far from it.

use std::sync::Arc;

use crate::machine::State;
use crate::memory::Object;

/// A state, whose objects are shared with other snapshots where they are the same.
#[derive(Debug, Clone)]
struct Snapshot {
    state: State,
    objects: Vec<Arc<Object>>,
    /// Bytes that it has beside what it shares with the one before it.
    bytes: usize,
}

impl Snapshot {
    /// Counts the bytes that it has beside what it shares with the one before it.
    fn count(&mut self, before: Option<&Snapshot>) {
        let kept = self.state.kept.iter().flat_map(|(waves, _)| waves);
        let waves = self.state.waves.iter().chain(kept).map(|wave| (wave.regs.len() + wave.written.len()) * 8);
        let is_shared = |at: usize, object: &Arc<Object>| {
            before.and_then(|before| before.objects.get(at)).is_some_and(|other| Arc::ptr_eq(other, object))
        };
        let own = (0..).zip(&self.objects).filter(|(at, object)| !is_shared(*at, object));
        let objects = own.map(|(_, object)| object.bytes.len()).sum::<usize>();
        let shadows = self.state.memory.shadows.bytes_beside(before.map(|before| &before.state.memory.shadows));
        self.bytes = waves.sum::<usize>() + objects + shadows + self.state.memory.order.bytes();
    }
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
}

/// The distance between snapshots far from the present, as a part of the distance from it.
const SPREAD: u64 = 8;

impl Snapshots {
    pub fn new(interval: u64, limit: usize) -> Snapshots {
        Snapshots { all: Vec::new(), interval: interval.max(1), limit }
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

    /// Keeps a state, if there is none of its step.
    pub fn keep(&mut self, state: &mut State) {
        let at = self.all.partition_point(|snapshot| snapshot.state.steps < state.steps);
        if self.all.get(at).is_some_and(|snapshot| snapshot.state.steps == state.steps) {
            return;
        }
        let neighbour = at.checked_sub(1).and_then(|at| self.all.get(at)).or(self.all.get(at));
        let shared = |index: usize, object: &Object| {
            let same = neighbour.and_then(|snapshot| snapshot.objects.get(index));
            same.filter(|same| same.version == object.version).cloned()
        };
        let objects = std::mem::take(&mut state.memory.objects);
        let kept =
            (0..).zip(&objects).map(|(at, object)| shared(at, object).unwrap_or_else(|| Arc::new(object.clone())));
        let snapshot = Snapshot { objects: kept.collect(), state: state.clone(), bytes: 0 };
        state.memory.objects = objects;
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

    /// The last state at or before a step.
    pub fn before(&self, step: u64) -> Option<State> {
        let at = self.all.partition_point(|snapshot| snapshot.state.steps <= step).checked_sub(1)?;
        let snapshot = &self.all[at];
        let mut state = snapshot.state.clone();
        state.memory.objects = snapshot.objects.iter().map(|object| Object::clone(object)).collect();
        Some(state)
    }

    /// The step of that state.
    pub fn step_before(&self, step: u64) -> Option<u64> {
        let at = self.all.partition_point(|snapshot| snapshot.state.steps <= step).checked_sub(1)?;
        Some(self.all[at].state.steps)
    }

    /// The number of snapshots.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.all.len()
    }
}
