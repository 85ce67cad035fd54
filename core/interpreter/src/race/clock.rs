//! Vector clocks: what is known of the releases of each invocation.

use std::sync::Arc;

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

    /// Counts another release. Returns the count.
    pub fn release(&mut self) -> u32 {
        self.0[0] += 1;
        self.0[0]
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

    fn join(&mut self, other: &Entry) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own = (*own).max(other);
        }
    }

    fn covers(&self, other: &Entry) -> bool {
        self.0.iter().zip(other.0).all(|(own, other)| *own >= other)
    }
}

/// Entries of the invocations of a workgroup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Group {
    all: Vec<Entry>,
    /// All counts of releases are at least this: a bound.
    least: u32,
}

type Entries = Arc<Group>;

/// What is known of all invocations. Shared by all that know the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Knowledge {
    /// Sorted by workgroup.
    groups: Vec<(u32, Entries)>,
}

impl Knowledge {
    /// What is known of an invocation.
    #[inline]
    pub fn of(&self, group: u32, agent: u32) -> Entry {
        let entries = match self.groups.last() {
            Some((last, entries)) if *last == group => entries,
            _ => match self.groups.binary_search_by_key(&group, |(group, _)| *group) {
                Ok(at) => &self.groups[at].1,
                Err(_) => return Entry::default(),
            },
        };
        entries.all.get(agent as usize).copied().unwrap_or_default()
    }

    /// A count that all invocations of a workgroup are known to have reached.
    #[inline]
    pub fn least(&self, group: u32) -> u32 {
        match self.groups.last() {
            Some((last, entries)) if *last == group => entries.least,
            _ => 0,
        }
    }

    /// Notes the least count of the invocations of a workgroup, which are these.
    pub fn note_least(&mut self, group: u32, agents: impl Iterator<Item = u32>) {
        let least = agents.map(|agent| self.of(group, agent).released()).min().unwrap_or(0);
        let entries = self.entries_mut(group);
        entries.least = entries.least.max(least);
    }

    /// Entries of a workgroup, to be changed.
    fn entries_mut(&mut self, group: u32) -> &mut Group {
        let at = match self.groups.binary_search_by_key(&group, |(group, _)| *group) {
            Ok(at) => at,
            Err(at) => {
                self.groups.insert(at, (group, Arc::default()));
                at
            }
        };
        Arc::make_mut(&mut self.groups[at].1)
    }

    fn covers(&self, other: &Knowledge) -> bool {
        other.groups.iter().all(|(group, theirs)| {
            let Ok(at) = self.groups.binary_search_by_key(group, |(group, _)| *group) else { return false };
            let ours = &self.groups[at].1;
            Arc::ptr_eq(ours, theirs)
                || theirs.all.len() <= ours.all.len()
                    && ours.all.iter().zip(&theirs.all).all(|(own, other)| own.covers(other))
        })
    }

    fn join(&mut self, other: &Knowledge) {
        for (group, theirs) in &other.groups {
            match self.groups.binary_search_by_key(group, |(group, _)| *group) {
                Err(at) => self.groups.insert(at, (*group, theirs.clone())),
                Ok(at) if Arc::ptr_eq(&self.groups[at].1, theirs) => {}
                Ok(at) => {
                    let ours = Arc::make_mut(&mut self.groups[at].1);
                    if ours.all.len() < theirs.all.len() {
                        ours.all.resize(theirs.all.len(), Entry::default());
                    }
                    ours.all.iter_mut().zip(&theirs.all).for_each(|(own, other)| own.join(other));
                    ours.least = ours.least.max(theirs.least);
                }
            }
        }
    }

    /// An invocation makes available what it knows to be available to itself.
    fn pass_on(&mut self, group: u32, wave: std::ops::Range<usize>, to: Level) {
        for (at, entry) in self.entries_mut(group).all.iter_mut().enumerate() {
            if wave.contains(&at) {
                entry.pass_on(SUBGROUP, to);
            }
            if to == DEVICE {
                entry.pass_on(WORKGROUP, to);
            }
        }
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

/// Adds what is known of one invocation.
pub(crate) fn join_one(own: &mut Shared, group: u32, agent: u32, entry: &Entry) {
    let known = own.as_ref().map_or_else(Entry::default, |own| own.of(group, agent));
    if known.covers(entry) {
        return;
    }
    let entries = Arc::make_mut(own.get_or_insert_default()).entries_mut(group);
    let at = agent as usize;
    if entries.all.len() <= at {
        entries.all.resize(at + 1, Entry::default());
    }
    entries.all[at].join(entry);
}

/// An invocation of a workgroup, whose wave has these agents, makes available at a level what is available to it.
pub(crate) fn pass_on(own: &mut Shared, group: u32, wave: std::ops::Range<usize>, to: Level) {
    if let Some(own) = own {
        Arc::make_mut(own).pass_on(group, wave, to);
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
