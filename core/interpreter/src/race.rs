//! Data races: who accessed each byte last, and whether anything orders two accesses.
//!
//! Two accesses are ordered if one invocation makes both, if a control barrier of their workgroup that orders this kind
//! of memory is between them, or if a subgroup barrier of their wave is. That lanes run in lockstep orders nothing.
//! Accesses of different workgroups are never ordered.

use std::sync::Arc;

use crate::code::Pc;

/// Memory that barriers order apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Workgroup,
    Buffer,
    Image,
}

/// One access.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Access {
    /// Linear index of the workgroup, and 1; 0 for no access.
    pub group: u32,
    /// Local invocation index.
    pub invocation: u32,
    pub wave: u32,
    /// Control barriers of the workgroup before it.
    pub epoch: u32,
    /// Subgroup barriers of the wave before it.
    pub barriers: u32,
    pub pc: Pc,
    /// 0: not atomic; otherwise the scope.
    pub atomic: u32,
}

impl Access {
    /// Whether two accesses of which at least one writes are a race.
    fn races(&self, other: &Access) -> bool {
        if self.group == 0 {
            return false;
        }
        let same_group = self.group == other.group;
        if same_group && self.invocation == other.invocation {
            return false;
        }
        let same_wave = same_group && self.wave == other.wave;
        if (same_group && self.epoch != other.epoch) || (same_wave && self.barriers != other.barriers) {
            return false;
        }
        // Scopes: 1 device, 2 workgroup, 3 subgroup, 5 queue family.
        let enough = |scope: u32| matches!(scope, 1 | 5) || (scope == 2 && same_group) || (scope == 3 && same_wave);
        !(enough(self.atomic) && enough(other.atomic))
    }
}

/// The last accesses of a unit of memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Cell {
    write: Access,
    reads: [Access; 2],
}

const PAGE: usize = 64;

/// The last accesses of an object's memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Shadow {
    /// Shared with snapshots until they are written.
    pages: Vec<Option<Arc<[Cell; PAGE]>>>,
}

/// The shadows of all objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shadows {
    objects: Vec<Shadow>,
    /// Bytes of a unit: 4, or 1 where memory is accessed in smaller pieces.
    unit: u64,
    /// Pages that may still be made.
    left: usize,
    /// Whether accesses were not recorded for want of pages.
    pub full: bool,
}

impl Shadows {
    /// Nothing accessed. `bytes` bounds the memory that is taken.
    pub fn new(objects: usize, unit: u64, bytes: u64) -> Shadows {
        let left = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<[Cell; PAGE]>();
        Shadows { objects: vec![Shadow::default(); objects], unit, left, full: false }
    }

    /// Forgets the accesses to an object.
    pub fn forget(&mut self, object: usize) {
        if let Some(shadow) = self.objects.get_mut(object) {
            self.left += shadow.pages.iter().flatten().count();
            shadow.pages.clear();
        }
    }

    /// The memory taken, in bytes.
    pub fn bytes(&self) -> usize {
        self.objects.iter().map(|o| o.pages.iter().flatten().count() * size_of::<[Cell; PAGE]>()).sum()
    }

    /// Records an access, and returns an earlier one with which it is a race, and whether that one wrote.
    #[inline]
    pub fn record(
        &mut self,
        object: usize,
        offset: u64,
        bytes: u32,
        now: Access,
        writes: bool,
    ) -> Option<(Access, bool)> {
        let first = offset / self.unit;
        let last = (offset + u64::from(bytes).max(1) - 1) / self.unit;
        let mut found = None;
        for unit in first..=last {
            let race = self.unit(object, unit as usize, now, writes);
            found = found.or(race);
        }
        found
    }

    #[inline]
    fn unit(&mut self, object: usize, unit: usize, now: Access, writes: bool) -> Option<(Access, bool)> {
        let shadow = self.objects.get_mut(object)?;
        let (page, at) = (unit / PAGE, unit % PAGE);
        if shadow.pages.len() <= page {
            shadow.pages.resize(page + 1, None);
        }
        let page = &mut shadow.pages[page];
        if page.is_none() {
            if self.left == 0 {
                self.full = true;
                return None;
            }
            self.left -= 1;
        }
        let page = page.get_or_insert_with(|| Arc::new([Cell::default(); PAGE]));
        let cell = &mut Arc::make_mut(page)[at];
        let mut found = cell.write.races(&now).then_some((cell.write, true));
        if writes {
            if found.is_none() {
                found = cell.reads.iter().find(|read| read.races(&now)).map(|read| (*read, false));
            }
            *cell = Cell { write: now, reads: Default::default() };
        } else {
            // Two readers are kept, of different waves if possible: whoever writes next races with one of them.
            let same = |read: &Access| read.group == now.group && read.invocation == now.invocation;
            let stale =
                |read: &Access| read.group == 0 || same(read) || (read.group == now.group && read.epoch != now.epoch);
            if let Some(read) = cell.reads.iter_mut().find(|read| stale(read)) {
                *read = now;
            } else if cell.reads[0].wave == cell.reads[1].wave && cell.reads[1].wave != now.wave {
                cell.reads[1] = now;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(group: u32, invocation: u32, epoch: u32) -> Access {
        Access { group, invocation, wave: invocation / 8, epoch, barriers: 0, pc: 0, atomic: 0 }
    }

    fn shadows() -> Shadows {
        Shadows::new(1, 4, 1 << 20)
    }

    #[test]
    fn reads_do_not_race_with_reads() {
        let mut shadows = shadows();
        for invocation in 0..4 {
            assert_eq!(shadows.record(0, 8, 4, access(1, invocation, 0), false), None);
        }
        assert!(shadows.record(0, 8, 4, access(1, 0, 0), true).is_some(), "another one has read");
    }

    #[test]
    fn barriers_order_accesses_of_a_group_only() {
        let mut shadows = shadows();
        assert_eq!(shadows.record(0, 0, 4, access(1, 0, 0), true), None);
        assert_eq!(shadows.record(0, 0, 4, access(1, 1, 1), true), None);
        assert!(shadows.record(0, 0, 4, access(2, 1, 5), false).is_some());
    }

    #[test]
    fn atomics_of_sufficient_scope_do_not_race() {
        let mut shadows = shadows();
        let atomic = |group, invocation, scope| Access { atomic: scope, ..access(group, invocation, 0) };
        assert_eq!(shadows.record(0, 0, 4, atomic(1, 0, 1), true), None);
        assert_eq!(shadows.record(0, 0, 4, atomic(1, 1, 2), true), None);
        assert!(shadows.record(0, 0, 4, atomic(2, 1, 1), true).is_some(), "workgroup scope is not enough");
        assert!(shadows.record(0, 0, 4, access(2, 2, 0), true).is_some(), "one is not atomic");
    }

    #[test]
    fn memory_is_bounded() {
        let mut shadows = Shadows::new(1, 4, 0);
        assert_eq!(shadows.record(0, 0, 4, access(1, 0, 0), true), None);
        assert!(shadows.full);
    }
}
