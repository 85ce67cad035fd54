//! The last accesses of each unit of memory.

use std::ops::Range;
use std::sync::Arc;

use super::sync::{Order, Present};
use super::{Class, Way};
use crate::index::Pc;

/// One access.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Access {
    /// Its workgroup, counted from 1; 0 for no access.
    pub group: u32,
    /// The invocation: wave and lane.
    pub agent: u32,
    /// Releases of the invocation before it.
    pub epoch: u32,
    pub pc: Pc,
    pub way: Way,
}

/// Reads of one wave.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Reads {
    /// By its first lane.
    access: Access,
    lanes: u64,
}

/// The last accesses of a unit of memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Cell {
    write: Access,
    /// Reads since.
    reads: [Reads; 2],
    #[expect(clippy::box_collection, reason = "most cells have none, and are small then")]
    more: Option<Box<Vec<Reads>>>,
}

/// Bytes, and the last write of them; none where they were not written.
pub(crate) type LastWrite = (Range<u64>, Option<Access>);

const PAGE: usize = 64;

/// Reads of other workgroups that are remembered for a unit beside the first two.
const MOST_ELSEWHERE: usize = 2;

/// What orders accesses may grow by this part before it is counted again.
const GROWTH: usize = 8;
/// Bytes that it may grow by in any case.
const LEAST_UNCOUNTED: usize = 1 << 12;

/// Reads that a unit has room for beside the first two, once it has more.
const FIRST_READS: usize = 2;

/// The last accesses of an object's memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shadow {
    /// Bytes of a unit: 4, or fewer where memory is accessed in smaller pieces.
    unit: u64,
    /// Shared with snapshots until they are written.
    pages: Vec<Option<Arc<[Cell; PAGE]>>>,
    /// Bytes taken.
    bytes: usize,
}

/// The shadows of all objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shadows {
    objects: Vec<Shadow>,
    /// Bytes that may still be taken.
    left: usize,
    /// Bytes that are set aside for what orders accesses.
    aside: usize,
    /// Whether accesses were not recorded for want of memory.
    pub full: bool,
}

/// A range of an object's memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub class: Class,
    pub object: usize,
    pub offset: u64,
    pub bytes: u32,
}

impl Shadows {
    /// Nothing accessed. `units` has the bytes of a unit for each object; `bytes` bounds the memory that is taken.
    pub fn new(units: impl IntoIterator<Item = u64>, bytes: u64) -> Shadows {
        let left = usize::try_from(bytes).unwrap_or(usize::MAX);
        let object = |unit: u64| Shadow { unit: unit.max(1), pages: Vec::new(), bytes: 0 };
        Shadows { objects: units.into_iter().map(object).collect(), left, aside: 0, full: false }
    }

    /// Bytes that what orders accesses may take until it is counted again.
    pub fn uncounted(&self) -> usize {
        (self.left / 4).max(self.aside / (GROWTH + 1)).max(LEAST_UNCOUNTED)
    }

    /// Sets aside what orders accesses has taken, with room to grow: counting is not to take more time than growing. False
    /// where that is more than there is.
    pub fn set_aside(&mut self, bytes: usize) -> bool {
        let all = self.left + std::mem::replace(&mut self.aside, 0);
        let wanted = bytes + bytes / GROWTH;
        match all.checked_sub(wanted) {
            Some(left) => (self.left, self.aside) = (left, wanted),
            None => self.left = all,
        }
        all >= wanted
    }

    /// Forgets all accesses, for want of memory.
    pub fn stop(&mut self) {
        (0..self.objects.len()).for_each(|object| self.forget(object));
        self.objects.iter_mut().for_each(|object| object.pages = Vec::new());
        self.full = true;
    }

    /// Forgets the accesses to an object.
    pub fn forget(&mut self, object: usize) {
        if let Some(shadow) = self.objects.get_mut(object) {
            self.left += std::mem::take(&mut shadow.bytes);
            shadow.pages.clear();
        }
    }

    /// The memory taken, in bytes.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        self.objects.iter().map(|object| object.bytes).sum()
    }

    /// The memory taken beside what is shared with others, in bytes.
    pub fn bytes_beside(&self, others: Option<&Shadows>) -> usize {
        let other = |object: usize, page: usize| others?.objects.get(object)?.pages.get(page)?.as_ref();
        let object = |(at, object): (usize, &Shadow)| {
            let pages = (0..).zip(&object.pages).filter_map(|(number, page)| Some((number, page.as_ref()?)));
            let own = pages.filter(|(number, page)| !other(at, *number).is_some_and(|other| Arc::ptr_eq(other, page)));
            own.map(|(_, page)| size_of_val(&**page) + page.iter().map(Cell::bytes_of_more).sum::<usize>())
                .sum::<usize>()
        };
        self.objects.iter().enumerate().map(object).sum()
    }

    /// Who wrote each part of a range of an object's bytes last, in order; nothing where it was not written. Neighbours
    /// with the same answer are one. At most so many parts, and how many follow.
    pub fn writers(&self, object: usize, range: Range<u64>, most: usize) -> (Vec<LastWrite>, usize) {
        let Some(shadow) = self.objects.get(object) else { return (Vec::new(), 0) };
        let mut out: Vec<LastWrite> = Vec::new();
        let (mut last, mut more) = (None, 0);
        let mut at = range.start;
        while at < range.end {
            let unit = at / shadow.unit;
            let page = usize::try_from(unit / PAGE as u64).ok().and_then(|page| shadow.pages.get(page)?.as_ref());
            // A page that was never accessed is passed over as a whole.
            let (end, write) = match page {
                Some(page) => ((unit + 1) * shadow.unit, page[(unit % PAGE as u64) as usize].write),
                None => ((unit / PAGE as u64 + 1) * PAGE as u64 * shadow.unit, Access::default()),
            };
            let (end, write) = (end.min(range.end), Some(write).filter(|write| write.group != 0));
            let who = |access: &Access| (access.group, access.agent, access.pc);
            let own = Some(write.as_ref().map(who));
            if own != last {
                match out.len() < most {
                    true => out.push((at..end, write)),
                    false => more += 1,
                }
            } else if let Some((before, _)) = out.last_mut().filter(|_| more == 0) {
                before.end = end;
            }
            (last, at) = (own, end);
        }
        (out, more)
    }

    /// Records an access, and returns an earlier one with which it is a race, and whether that one wrote.
    #[inline]
    pub fn record(&mut self, order: &Order, span: Span, pc: Pc, now: &Present) -> Option<(Access, bool)> {
        let size = self.objects.get(span.object)?.unit;
        let first = span.offset / size;
        let last = (span.offset + u64::from(span.bytes).max(1) - 1) / size;
        let (agent, way) = (now.agent, now.way);
        let access = Access { group: order.group(), agent, epoch: order.epoch(span.class, agent), pc, way };
        let mut found = None;
        for unit in first..=last {
            let race = self.unit(order, (span.class, span.object, unit as usize), &access, now);
            found = found.or(race);
        }
        found
    }

    #[inline]
    fn unit(
        &mut self,
        order: &Order,
        (class, object, unit): (Class, usize, usize),
        access: &Access,
        now: &Present,
    ) -> Option<(Access, bool)> {
        let shadow = self.objects.get_mut(object)?;
        let (page, at) = (unit / PAGE, unit % PAGE);
        if shadow.pages.len() <= page {
            shadow.pages.resize(page + 1, None);
        }
        let page = &mut shadow.pages[page];
        if page.is_none() {
            let bytes = size_of::<[Cell; PAGE]>();
            if self.left < bytes {
                self.full = true;
                return None;
            }
            self.left -= bytes;
            shadow.bytes += bytes;
        }
        let page = page.get_or_insert_with(|| Arc::new(std::array::from_fn(|_| Cell::default())));
        let cell = &mut Arc::make_mut(page)[at];
        let is_race = cell.write.group != 0
            && !order.ordered(class, &cell.write, true, now)
            && !(now.is_plain_read() && cell.has_read(access));
        let mut found = is_race.then_some((cell.write, true));
        if now.writes {
            found = found.or_else(|| Some((cell.unordered_read(order, class, now)?, false)));
            cell.write = *access;
            cell.reads = Default::default();
            if let Some(more) = &mut cell.more {
                more.clear();
            }
        } else {
            let taken = cell.add_read(order, access, self.left);
            self.full |= taken.is_none();
            self.left -= taken.unwrap_or(0);
            shadow.bytes += taken.unwrap_or(0);
        }
        found
    }
}

impl Cell {
    fn bytes_of_more(&self) -> usize {
        self.more.as_ref().map_or(0, |more| size_of::<Vec<Reads>>() + more.capacity() * size_of::<Reads>())
    }

    /// Whether the same invocation has read since the last write, in a way that others take part in: what it saw then
    /// stays visible to it, and a race was found then.
    fn has_read(&self, now: &Access) -> bool {
        let more = self.more.as_ref().map_or(&[][..], |more| more);
        self.reads.iter().chain(more).any(|reads| {
            let (first, way) = (reads.access.agent, reads.access.way);
            let lane = now.agent.checked_sub(first).filter(|lane| *lane < u64::BITS);
            let same = reads.access.group == now.group && lane.is_some_and(|lane| reads.lanes >> lane & 1 == 1);
            same && !way.is_private && !way.atomic
        })
    }

    /// A read that is not ordered before a write.
    fn unordered_read(&self, order: &Order, class: Class, now: &Present) -> Option<Access> {
        let more = self.more.as_ref().map_or(&[][..], |more| more);
        for reads in self.reads.iter().chain(more) {
            let Access { group, epoch, way, .. } = reads.access;
            if reads.lanes == 0 || (!way.is_private && order.all_before(class, group, epoch, now)) {
                continue;
            }
            let mut lanes = reads.lanes;
            while lanes != 0 {
                let access = Access { agent: reads.access.agent + lanes.trailing_zeros(), ..reads.access };
                if !order.ordered(class, &access, false, now) {
                    return Some(access);
                }
                lanes &= lanes - 1;
            }
        }
        None
    }

    /// Remembers a read. Returns the bytes that it takes; nothing where more than `left` would be needed.
    #[inline]
    fn add_read(&mut self, order: &Order, access: &Access, left: usize) -> Option<usize> {
        let first = order.first_of_wave(access.agent);
        let lane = 1u64 << (access.agent - first);
        let own = Access { agent: first, ..*access };
        let mut free = None;
        let mut done = false;
        for (at, reads) in self.reads.iter_mut().enumerate() {
            done |= reads.replace(&own, lane);
            if reads.lanes == 0 {
                free = free.or(Some(at));
            }
        }
        if let Some(more) = &mut self.more {
            more.iter_mut().for_each(|reads| done |= reads.replace(&own, lane));
        }
        if done {
            return Some(0);
        }
        let reads = Reads { access: own, lanes: lane };
        if let Some(at) = free {
            self.reads[at] = reads;
            return Some(0);
        }
        if let Some(more) = &mut self.more {
            // All of this workgroup, the last ones of others.
            if more.last().is_some_and(|last| last.access.group != own.group) {
                more.drain(..more.len().saturating_sub(MOST_ELSEWHERE));
            }
            more.retain(|reads| reads.lanes != 0);
            if more.len() < more.capacity() {
                more.push(reads);
                return Some(0);
            }
        }
        // It doubles: what that takes is known before.
        let held = self.more.as_ref().map_or(0, |more| more.len());
        let list = if self.more.is_none() { size_of::<Vec<Reads>>() } else { 0 };
        let grows = held.max(FIRST_READS);
        let taken = list + grows * size_of::<Reads>();
        if taken > left {
            return None;
        }
        let more = self.more.get_or_insert_default();
        more.reserve_exact(grows);
        more.push(reads);
        Some(taken)
    }
}

impl Reads {
    /// Takes a lane's later read in. True where nothing else has to remember it.
    #[inline]
    fn replace(&mut self, later: &Access, lane: u64) -> bool {
        let same_wave = self.access.group == later.group && self.access.agent == later.agent;
        // A later read stands for an earlier one of the same lane, as it is ordered before less.
        if !same_wave || self.access.way != later.way {
            return false;
        }
        if self.access.epoch == later.epoch {
            self.lanes |= lane;
            return true;
        }
        self.lanes &= !lane;
        if self.lanes == 0 {
            *self = Reads { access: *later, lanes: lane };
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Model, WORKGROUP};
    use super::*;

    /// Reads of one word by many waves need more room than is left: that is said, and nothing else happens.
    #[test]
    fn reads_beyond_the_memory_that_is_left_are_not_remembered() {
        let page = size_of::<[Cell; PAGE]>();
        for spare in (0..4096).step_by(8) {
            let mut order = Order::new(1, 1, &Model::default(), Vec::new());
            order.begin(0);
            let mut shadows = Shadows::new([4], (page + spare) as u64);
            let span = Span { class: Class::Buffer, object: 0, offset: 0, bytes: 4 };
            for agent in 0..64 {
                let now = Present { agent, reads: true, writes: false, way: Way::shared(WORKGROUP) };
                assert_eq!(shadows.record(&order, span, 0, &now), None);
                assert!(shadows.bytes() <= page + spare, "{} of {}", shadows.bytes(), page + spare);
            }
            let needed = size_of::<Vec<Reads>>() + 64 * size_of::<Reads>();
            assert_eq!(shadows.full, spare < needed, "{spare}");
            let now = Present { agent: 64, reads: false, writes: true, way: Way::shared(WORKGROUP) };
            assert!(shadows.record(&order, span, 0, &now).is_some(), "a race with a read that is remembered");
        }
    }

    /// A copy shares what it has until one of both changes it.
    #[test]
    fn pages_that_are_shared_are_counted_once() {
        let mut order = Order::new(1, 1, &Model::default(), Vec::new());
        order.begin(0);
        let mut shadows = Shadows::new([4], 1 << 20);
        let now = Present { agent: 0, reads: false, writes: true, way: Way::shared(WORKGROUP) };
        let store = |shadows: &mut Shadows, page: u64| {
            let span = Span { class: Class::Buffer, object: 0, offset: page * PAGE as u64 * 4, bytes: 4 };
            shadows.record(&order, span, 0, &now)
        };
        (0..10).for_each(|page| _ = store(&mut shadows, page));
        let copy = shadows.clone();
        let page = size_of::<[Cell; PAGE]>();
        assert_eq!((shadows.bytes_beside(None), shadows.bytes_beside(Some(&copy))), (10 * page, 0));
        store(&mut shadows, 3);
        store(&mut shadows, 12);
        assert_eq!(shadows.bytes_beside(Some(&copy)), 2 * page);
    }
}
