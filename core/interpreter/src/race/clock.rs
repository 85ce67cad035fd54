//! Vector clocks: what is known of the releases of each invocation.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::runs::Runs;
use super::{DEVICE, Level, SUBGROUP, WORKGROUP};

/// What is known of an invocation: counts of its releases.
///
/// The first is happens-before. The others are availability: up to which count writes that are available at one level by
/// themselves (0 none) are available at a greater one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Entry([u32; 7]);

/// Pairs of levels whose availability is counted, from the second count on.
const STEPS: [(Level, Level); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

impl Entry {
    /// The count of releases.
    pub fn released(&self) -> u32 {
        self.0[0]
    }

    /// Counts another release.
    pub fn release(&mut self) {
        self.0[0] += 1;
    }

    /// Up to which count writes that are available at a level by themselves are available at another one.
    #[inline]
    pub fn available(&self, own: Level, at: Level) -> u32 {
        if own >= at {
            return self.0[0];
        }
        let step = STEPS.iter().position(|step| *step == (own, at));
        step.map_or(0, |step| self.0[step + 1])
    }

    /// All writes of the invocation itself become available at a level and those below: those before its next release.
    pub fn make_available(&mut self, level: Level) {
        for (count, (_, at)) in (1..).zip(STEPS) {
            if at <= level {
                self.0[count] = self.0[0] + 1;
            }
        }
    }

    /// An invocation that shares a domain of a level with this one makes what is available there available at `to`.
    fn pass_on(&mut self, from: Level, to: Level) {
        for own in 0..=from {
            let count = self.available(own, from);
            for (at, step) in (1..).zip(STEPS) {
                if step.0 == own && step.1 > from && step.1 <= to {
                    self.0[at] = self.0[at].max(count);
                }
            }
        }
    }

    pub fn join(&mut self, other: &Entry) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own = (*own).max(other);
        }
    }

    pub fn covers(&self, other: &Entry) -> bool {
        self.0.iter().zip(other.0).all(|(own, other)| *own >= other)
    }
}

/// Entries of the invocations of a workgroup: most have the same as their neighbours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Group {
    entries: Runs<Entry>,
    /// All counts of releases are at least this: a bound.
    least: u32,
}

impl Group {
    fn covers(&self, other: &Group) -> bool {
        let covers = |own: Option<&Entry>, other: &Entry| own.is_some_and(|own| own.covers(other));
        self.entries.beside(&other.entries).all(|(_, _, own, other)| other.is_none_or(|other| covers(own, other)))
    }

    fn join(&self, other: &Group) -> Group {
        let join = |own: &Entry, other: &Entry| {
            let mut own = *own;
            own.join(other);
            own
        };
        Group { entries: self.entries.joined(&other.entries, join), least: self.least.max(other.least) }
    }

    /// The least count of releases of a range of invocations.
    fn least_of(&self, first: u32, last: u32) -> u32 {
        let mut next = u64::from(first);
        let mut least = u32::MAX;
        for run in self.entries.iter().filter(|run| run.last >= first && run.first <= last) {
            if u64::from(run.first) > next {
                return 0;
            }
            least = least.min(run.value.released());
            next = u64::from(run.last) + 1;
        }
        if next > u64::from(last) { least } else { 0 }
    }
}

type Entries = Arc<Group>;

/// What is known of all invocations. Shared by all that know the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Knowledge {
    /// By workgroup: those that run the same code often have the same.
    groups: Runs<Entries>,
}

impl Knowledge {
    /// What is known of an invocation.
    #[inline]
    pub fn of(&self, group: u32, agent: u32) -> Entry {
        let entries = self.groups.get(group);
        entries.and_then(|entries| entries.entries.get(agent)).copied().unwrap_or_default()
    }

    /// A count that all invocations of a workgroup are known to have reached.
    #[inline]
    pub fn least(&self, group: u32) -> u32 {
        self.groups.get(group).map_or(0, |entries| entries.least)
    }

    /// Notes the least count of the invocations of a workgroup, which are these ranges.
    pub fn note_least(&mut self, group: u32, agents: impl Iterator<Item = (u32, u32)>) {
        let Some(entries) = self.groups.get(group) else { return };
        let least = agents.map(|(first, last)| entries.least_of(first, last)).min().unwrap_or(0);
        if least > entries.least {
            Arc::make_mut(self.groups.alone(group, Arc::default)).least = least;
        }
    }

    fn covers(&self, other: &Knowledge) -> bool {
        let covers = |own: &Entries, other: &Entries| Arc::ptr_eq(own, other) || own.covers(other);
        self.groups
            .beside(&other.groups)
            .all(|(_, _, own, other)| other.is_none_or(|other| own.is_some_and(|own| covers(own, other))))
    }

    fn join(&mut self, other: &Knowledge) {
        self.groups = self.groups.joined(&other.groups, |own, other| {
            if Arc::ptr_eq(own, other) || own.covers(other) {
                own.clone()
            } else if other.covers(own) {
                other.clone()
            } else {
                Arc::new(own.join(other))
            }
        });
    }

    /// What is known of a workgroup's invocations once one of them, whose wave has a range, makes available what it knows
    /// to be available to itself; absent where that changes nothing.
    fn passed_on(&self, group: u32, wave: &Range<u32>, to: Level) -> Option<Runs<Entry>> {
        let entries = self.groups.get(group)?;
        let mut passed = Runs::default();
        for run in entries.entries.iter() {
            let (start, end) = (wave.start.clamp(run.first, run.last + 1), wave.end.clamp(run.first, run.last + 1));
            for (part, is_own) in [(run.first..start, false), (start..end, true), (end..run.last + 1, false)] {
                let mut entry = run.value;
                if is_own {
                    entry.pass_on(SUBGROUP, to);
                }
                if to == DEVICE {
                    entry.pass_on(WORKGROUP, to);
                }
                if !part.is_empty() {
                    passed.push(part.start, part.end - 1, entry);
                }
            }
        }
        (passed != entries.entries).then_some(passed)
    }

    /// Bytes that it takes, without what is counted already.
    pub fn bytes(&self, counted: &mut Counted) -> usize {
        let own = size_of::<Knowledge>() + self.groups.bytes();
        self.groups.iter().fold(own, |sum, run| match counted.is_new(&run.value) {
            true => sum + size_of::<Group>() + run.value.entries.bytes(),
            false => sum,
        })
    }

    /// A bound of the bytes that a change of it takes.
    pub fn bytes_of_change(&self) -> usize {
        let last = self.groups.iter().next_back().map_or(0, |run| run.value.entries.bytes());
        size_of::<Knowledge>() + size_of::<Group>() + self.groups.bytes() + last
    }
}

/// Shared memory that is counted already.
#[derive(Debug, Default)]
pub(crate) struct Counted(HashSet<usize>);

impl Counted {
    /// Counts shared memory. Whether it was not before.
    fn is_new<T>(&mut self, shared: &Arc<T>) -> bool {
        self.0.insert(Arc::as_ptr(shared).addr())
    }

    /// Bytes of knowledge, without what is counted already.
    pub fn bytes(&mut self, known: &Shared) -> usize {
        known.as_ref().filter(|known| self.is_new(known)).map_or(0, |known| known.bytes(self))
    }
}

/// Knowledge that is shared until it changes; absent for none.
pub(crate) type Shared = Option<Arc<Knowledge>>;

/// Adds knowledge.
pub(crate) fn join(own: &mut Shared, other: &Shared) {
    let Some(other) = other else { return };
    match own {
        None => *own = Some(other.clone()),
        Some(own) if Arc::ptr_eq(own, other) || own.covers(other) => {}
        Some(own) if other.covers(own) => *own = other.clone(),
        Some(own) => Arc::make_mut(own).join(other),
    }
}

/// Joins that were made last: invocations that come to a barrier together know the same before and after it.
#[derive(Debug, Default)]
pub(crate) struct Joins(Vec<[Arc<Knowledge>; 3]>);

impl Joins {
    /// Joins that are remembered.
    const MOST: usize = 8;

    /// Adds knowledge.
    pub fn join(&mut self, own: &mut Shared, other: &Shared) {
        let (Some(before), Some(added)) = (own.as_ref(), other) else { return join(own, other) };
        if Arc::ptr_eq(before, added) {
            return;
        }
        let known = self.0.iter().find(|[one, two, _]| Arc::ptr_eq(one, before) && Arc::ptr_eq(two, added));
        if let Some([_, _, after]) = known {
            *own = Some(after.clone());
            return;
        }
        let before = before.clone();
        join(own, other);
        if let Some(after) = own {
            self.0.truncate(Self::MOST - 1);
            self.0.insert(0, [before, added.clone(), after.clone()]);
        }
    }
}

/// Whether all of some knowledge is known.
pub(crate) fn covers(own: &Shared, other: &Shared) -> bool {
    match (own, other) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(own), Some(other)) => Arc::ptr_eq(own, other) || own.covers(other),
    }
}

/// Adds what is known of one invocation.
pub(crate) fn join_one(own: &mut Shared, group: u32, agent: u32, entry: &Entry) {
    let known = own.as_ref().map_or_else(Entry::default, |own| own.of(group, agent));
    if known.covers(entry) {
        return;
    }
    let groups = &mut Arc::make_mut(own.get_or_insert_default()).groups;
    let entries = Arc::make_mut(groups.alone(group, Arc::default));
    entries.entries.alone(agent, Entry::default).join(entry);
}

/// What is known of invocations of a workgroup, range by range.
#[derive(Debug, Default)]
pub(crate) struct Ranges(Runs<Entry>);

impl Ranges {
    /// Adds a range after all others.
    pub fn push(&mut self, first: u32, last: u32, entry: Entry) {
        self.0.push(first, last, entry);
    }

    /// Adds all of it to knowledge.
    pub fn join_to(self, own: &mut Shared, group: u32) {
        if self.0.is_empty() {
            return;
        }
        let mut groups = Runs::default();
        groups.push(group, group, Arc::new(Group { entries: self.0, least: 0 }));
        join(own, &Some(Arc::new(Knowledge { groups })));
    }
}

/// Makes what is known of workgroups that follow each other one where it is the same.
pub(crate) fn merge(own: &mut Shared) {
    if let Some(own) = own
        && own.groups.is_split()
    {
        Arc::make_mut(own).groups.merge();
    }
}

/// An invocation of a workgroup, whose wave has these agents, makes available at a level what is available to it.
pub(crate) fn pass_on(own: &mut Shared, group: u32, wave: Range<u32>, to: Level) {
    let passed = own.as_ref().and_then(|own| own.passed_on(group, &wave, to));
    if let Some((own, passed)) = own.as_mut().zip(passed) {
        Arc::make_mut(Arc::make_mut(own).groups.alone(group, Arc::default)).entries = passed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knowledge_is_shared_while_it_is_the_same() {
        let (mut one, mut other) = (None, None);
        let mut entry = Entry::default();
        entry.release();
        join_one(&mut one, 1, 3, &entry);
        join(&mut other, &one);
        assert!(matches!((&one, &other), (Some(a), Some(b)) if Arc::ptr_eq(a, b)));
        entry.release();
        join_one(&mut other, 1, 3, &entry);
        let count = |of: &Shared| of.as_ref().map(|of| of.of(1, 3).released());
        assert_eq!((count(&one), count(&other)), (Some(1), Some(2)));
        // What covers the other is taken as it is.
        join(&mut one, &other);
        assert!(matches!((&one, &other), (Some(a), Some(b)) if Arc::ptr_eq(a, b)));
    }

    #[test]
    fn availability_is_passed_on_from_a_common_domain() {
        let mut entry = Entry::default();
        entry.make_available(SUBGROUP);
        entry.release();
        assert_eq!((entry.available(0, 1), entry.available(0, 2), entry.available(2, 2)), (1, 0, 1));
        entry.pass_on(SUBGROUP, WORKGROUP);
        assert_eq!((entry.available(0, 2), entry.available(1, 2), entry.available(0, 3)), (1, 1, 0));
        entry.pass_on(WORKGROUP, DEVICE);
        assert_eq!((entry.available(0, 3), entry.available(2, 3)), (1, 1));
    }
}
