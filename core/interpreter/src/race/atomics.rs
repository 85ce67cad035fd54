//! Atomic operations: release sequences, and who reads from them.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::agents::{ByClass, Fence, Unit};
use super::clock::{Counted, covers, join, merge};
use super::sync::Order;
use super::{Class, Classes, DEVICE, INVOCATION, Level, Semantics, each};

/// The release sequences in an object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Heads {
    /// By offset: which of the lists.
    places: HashMap<u64, usize, FxBuildHasher>,
    lists: Vec<Vec<Head>>,
}

/// The release sequences of one location while they are used, and which list they are.
#[derive(Debug)]
pub(super) struct Taken {
    at: Option<usize>,
    heads: Vec<Head>,
}

impl Heads {
    pub fn clear(&mut self) {
        self.places.clear();
        self.lists.clear();
    }

    fn get_mut(&mut self, offset: u64) -> Option<&mut Vec<Head>> {
        if self.places.is_empty() {
            return None;
        }
        self.lists.get_mut(*self.places.get(&offset)?)
    }

    /// Bytes taken, without what is counted already.
    pub fn bytes(&self, counted: &mut Counted) -> usize {
        let list = |list: &Vec<Head>| {
            let heads = list.iter().flat_map(|head| &head.released);
            let known =
                heads.map(|one| size_of::<Released>() + one.known.iter().map(|k| counted.bytes(k)).sum::<usize>());
            known.sum::<usize>() + list.capacity() * size_of::<Head>()
        };
        let places = self.places.capacity() * PLACE + self.lists.capacity() * size_of::<Vec<Head>>();
        places + self.lists.iter().map(list).sum::<usize>()
    }
}

/// Bytes of a place in the table.
const PLACE: usize = 2 * size_of::<u64>() + 1;

/// An atomic write that heads a release sequence. Those that nothing tells apart are one: of a wave, of a workgroup where
/// scopes do not tell waves apart, and of all workgroups that have ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    /// 0 for workgroups that have ended.
    group: u32,
    /// The wave, where scopes tell waves apart.
    domain: u32,
    level: Level,
    bytes: u32,
    /// Whether the last atomic write belongs to the sequence.
    current: bool,
    released: Vec<Released>,
}

/// What a reader of the sequence may acquire.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Released {
    /// The scope of a release barrier before the write; absent where the write itself releases.
    barrier: Option<Level>,
    classes: Classes,
    known: ByClass,
}

/// An atomic operation of an invocation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AtomicUse {
    pub class: Class,
    pub object: usize,
    pub offset: u64,
    pub bytes: u32,
    pub reads: bool,
    pub writes: bool,
    /// The level is the scope, even of relaxed ones.
    pub semantics: Semantics,
}

impl Order {
    /// An atomic operation with its access: what it acquires is there before, and what it releases comes after.
    pub fn atomic<T>(&mut self, agent: u32, atomic: &AtomicUse, access: impl FnOnce(&Order) -> T) -> T {
        if self.is_stopped() {
            return access(self);
        }
        let mut taken = self.take_heads(atomic);
        let before = taken.heads.len();
        // Readers take over what is one already.
        self.fold(&mut taken.heads);
        self.atomic_reads(agent, atomic, &taken.heads);
        let out = access(self);
        self.atomic_writes(agent, atomic, &mut taken.heads);
        if before > 0 || !taken.heads.is_empty() {
            self.spent += taken.heads.last().map_or(0, Head::bytes_of_change);
            self.put_heads(atomic, taken);
        }
        out
    }

    /// The acquiring part.
    fn atomic_reads(&mut self, agent: u32, atomic: &AtomicUse, heads: &[Head]) {
        let semantics = &atomic.semantics;
        let unit = Unit::one(agent);
        if semantics.level == INVOCATION {
            return;
        }
        // The availability operation comes before the atomic operation itself.
        if atomic.writes && semantics.release {
            self.make_available(unit, semantics);
        }
        if !atomic.reads {
            return;
        }
        for head in heads.iter().filter(|head| head.current && head.bytes == atomic.bytes) {
            let common = self.relation(head.group, head.domain, agent);
            if common > head.level.min(semantics.level) {
                continue;
            }
            for released in head.released.iter().filter(|one| one.barrier.is_none_or(|level| common <= level)) {
                for class in each(released.classes) {
                    let known = &released.known[class];
                    // It could acquire nothing new, now or later.
                    if self.knows(agent, class, known) {
                        continue;
                    }
                    if semantics.acquire && semantics.classes >> class & 1 == 1 {
                        join(&mut self.agents.get_mut(agent).known[class], known);
                    } else {
                        self.offer(agent, atomic.class, common, class, known);
                    }
                    self.spent += self.agents.get_mut(agent).bytes_of_change();
                }
            }
        }
        if semantics.acquire && semantics.visible {
            self.make_visible(unit, semantics);
        }
    }

    /// The releasing part.
    fn atomic_writes(&mut self, agent: u32, atomic: &AtomicUse, heads: &mut Vec<Head>) {
        let semantics = &atomic.semantics;
        if !atomic.writes {
            return;
        }
        let orders = semantics.level > INVOCATION;
        if semantics.release && orders {
            self.release(Unit::one(agent), semantics.classes);
        }
        heads.retain_mut(|head| {
            let common = self.relation(head.group, head.domain, agent);
            let is_ordered = head.bytes == atomic.bytes && common <= head.level.min(semantics.level);
            head.current = is_ordered && atomic.reads;
            // A write that does not read ends the sequence.
            !is_ordered || atomic.reads
        });
        // A write that has acquired all that an earlier one releases, and releases it again, stands for it.
        let both = atomic.reads && semantics.acquire && semantics.release;
        if both && self.has_device_atomics_only() {
            heads.retain(|head| !head.is_subsumed(atomic.bytes, semantics.classes));
        }
        if orders {
            self.add_head(agent, atomic, heads);
        }
    }

    /// Makes the sequences of workgroups that have ended one: a reader has only the device in common with them, and
    /// acquires from all or none.
    fn fold(&self, heads: &mut Vec<Head>) {
        let mut ended = heads.iter().filter(|head| head.group != self.group);
        let Some(first) = ended.next() else { return };
        if first.group == 0 && ended.next().is_none() {
            return;
        }
        let (mut ended, mut kept): (Vec<Head>, Vec<Head>) =
            std::mem::take(heads).into_iter().partition(|head| head.group != self.group);
        // The longest first: what it knows is changed in place.
        ended.sort_by_key(|head| head.group != 0);
        for head in ended.into_iter().filter(|head| head.level == DEVICE) {
            let Head { bytes, current, released, .. } = head;
            let of_device = released.into_iter().filter(|one| one.barrier.is_none_or(|level| level == DEVICE));
            let is = |head: &&mut Head| head.group == 0 && (head.bytes, head.current) == (bytes, current);
            let mut all = match kept.iter_mut().find(is) {
                Some(own) => std::mem::take(&mut own.released),
                None => {
                    kept.push(Head { group: 0, domain: 0, level: DEVICE, bytes, current, released: Vec::new() });
                    Vec::new()
                }
            };
            for one in of_device {
                let Some(own) = all.first_mut() else {
                    all.push(Released { barrier: None, ..one });
                    continue;
                };
                own.classes |= one.classes;
                own.known.iter_mut().zip(&one.known).for_each(|(own, other)| join(own, other));
            }
            all.iter_mut().flat_map(|one| &mut one.known).for_each(merge);
            if let Some(own) = kept.iter_mut().find(is) {
                own.released = all;
            }
        }
        kept.retain(|head| !head.released.is_empty());
        *heads = kept;
    }

    /// A write that is not atomic: who reads it reads from no release sequence.
    #[inline]
    pub fn plain_write(&mut self, object: usize, offset: u64) {
        if let Some(heads) = self.heads.get_mut(object).and_then(|heads| heads.get_mut(offset)) {
            heads.iter_mut().for_each(|head| head.current = false);
        }
    }

    /// Most locations have no sequences.
    fn take_heads(&mut self, atomic: &AtomicUse) -> Taken {
        let none = Taken { at: None, heads: Vec::new() };
        let Some(own) = self.heads.get_mut(atomic.object).filter(|heads| !heads.places.is_empty()) else { return none };
        let Some(&place) = own.places.get(&atomic.offset) else { return none };
        let heads = own.lists.get_mut(place).map(std::mem::take).unwrap_or_default();
        Taken { at: Some(place), heads }
    }

    fn put_heads(&mut self, atomic: &AtomicUse, taken: Taken) {
        let Some(all) = self.heads.get_mut(atomic.object) else { return };
        match taken.at.and_then(|place| all.lists.get_mut(place)) {
            Some(own) => *own = taken.heads,
            None => {
                all.places.insert(atomic.offset, all.lists.len());
                all.lists.push(taken.heads);
                self.spent += PLACE + size_of::<Vec<Head>>();
            }
        }
    }

    /// Adds what a reader of a write may acquire: what the write releases itself, and what barriers before it do.
    fn add_head(&self, agent: u32, atomic: &AtomicUse, heads: &mut Vec<Head>) {
        let Semantics { level, release, classes, .. } = atomic.semantics;
        let (group, domain) = (self.group, self.domain_of(agent));
        let through = atomic.class;
        let counts = |fence: &&Fence| fence.classes >> through as u8 & 1 == 1;
        let itself = release && classes != 0;
        let is_like = |head: &&mut Head| {
            head.current && (head.group, head.domain, head.level, head.bytes) == (group, domain, level, atomic.bytes)
        };
        let mut released: Vec<Released> = Vec::new();
        if let Some(own) = self.agents.get(agent).filter(|own| !own.fences.is_empty()) {
            // Waves know the same after a barrier: nothing is to be added then.
            if !itself && let Some(head) = heads.iter_mut().find(is_like) {
                let mut kinds = head.released.iter();
                let mut fences = own.fences.iter().filter(counts);
                let same = fences.all(|fence| kinds.next().is_some_and(|one| one.has(fence, group, agent)));
                if same && kinds.next().is_none() {
                    return;
                }
            }
            for fence in own.fences.iter().filter(counts) {
                let (level, classes) = (fence.level, fence.classes);
                let mut known = ByClass::default();
                each(classes).for_each(|class| known[class] = fence.released(class, group, agent));
                released.push(Released { barrier: Some(level), classes, known });
            }
        }
        if itself {
            let mut known = ByClass::default();
            each(classes).for_each(|class| known[class] = self.released(agent, class));
            released.push(Released { barrier: None, classes, known });
        }
        if released.is_empty() {
            return;
        }
        let head = Head { group, domain, level, bytes: atomic.bytes, current: true, released };
        match heads.iter_mut().filter(is_like).find(|other| other.has_kinds_of(&head)) {
            Some(other) => other.merge(&head),
            None => heads.push(head),
        }
    }
}

impl Released {
    /// Whether it has all that a barrier of an invocation releases.
    fn has(&self, fence: &Fence, group: u32, agent: u32) -> bool {
        let knows = |class: usize| {
            let own = &self.known[class];
            own.as_ref().is_some_and(|own| own.of(group, agent).covers(&fence.own[class]))
                && covers(own, &fence.known[class])
        };
        (self.barrier, self.classes) == (Some(fence.level), fence.classes) && each(self.classes).all(knows)
    }
}

impl Head {
    /// Whether the same readers acquire from both.
    fn has_kinds_of(&self, other: &Head) -> bool {
        fn kinds(head: &Head) -> impl Iterator<Item = (Option<Level>, Classes)> {
            head.released.iter().map(|one| (one.barrier, one.classes))
        }
        kinds(self).eq(kinds(other))
    }

    /// Whether an atomic operation of device scope acquires all that it releases, and releases it to the same readers.
    fn is_subsumed(&self, bytes: u32, classes: Classes) -> bool {
        let all = |one: &Released| one.classes & !classes == 0 && one.barrier.is_none_or(|level| level == DEVICE);
        self.bytes == bytes && self.released.iter().all(all)
    }

    /// A bound of the bytes that a change of it takes.
    fn bytes_of_change(&self) -> usize {
        let known = self.released.iter().flat_map(|one| one.known.iter().flatten());
        let own = size_of::<Head>() + self.released.len() * size_of::<Released>();
        own + known.map(|known| known.bytes_of_change()).sum::<usize>()
    }

    fn merge(&mut self, other: &Head) {
        for (own, other) in self.released.iter_mut().zip(&other.released) {
            for (own, other) in own.known.iter_mut().zip(&other.known) {
                join(own, other);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Model, WORKGROUP};
    use super::*;

    const BUFFER: u8 = 1 << Class::Buffer as u8;

    fn both(level: Level) -> Semantics {
        Semantics { level, acquire: true, release: true, classes: BUFFER, ..Semantics::default() }
    }

    fn add(order: &mut Order, agent: u32, offset: u64, semantics: Semantics) {
        let atomic =
            AtomicUse { class: Class::Buffer, object: 0, offset, bytes: 4, reads: true, writes: true, semantics };
        order.atomic(agent, &atomic, |_| ());
    }

    fn order(lanes: u32, invocations: u32) -> Order {
        let model = Model { barriers: 1 << DEVICE, atomics: 1 << DEVICE, ..Model::default() };
        let mut order = Order::new(1, lanes, &model, (0..invocations).collect());
        order.begin(0);
        order
    }

    #[test]
    fn a_release_of_one_invocation_takes_little_memory() {
        let mut order = order(64, 1024);
        for wave in 0..16 {
            order.memory_barrier(wave, u64::MAX, &both(DEVICE));
        }
        for agent in 0..1024 {
            add(&mut order, agent, u64::from(agent) * 4, Semantics { level: DEVICE, ..Semantics::default() });
        }
        let each = order.count() / 1024;
        assert!(each < 800, "{each}");
    }

    #[test]
    fn workgroups_that_have_ended_take_as_much_memory_as_one() {
        for semantics in [both(DEVICE), Semantics { level: DEVICE, ..Semantics::default() }] {
            let mut order = order(1, 1);
            let mut bytes = Vec::new();
            for group in 0..20_000 {
                order.begin(group);
                order.memory_barrier(0, 1, &both(DEVICE));
                add(&mut order, 0, 0, semantics);
                bytes.push(order.count());
            }
            assert!(bytes[19_999] <= bytes[3] + 256, "{} after {}", bytes[19_999], bytes[3]);
            // A reader knows all of them.
            order.begin(20_000);
            add(&mut order, 0, 0, both(DEVICE));
            let known = order.released(0, Class::Buffer as usize).expect("something");
            assert!((1..=20_000).all(|group| known.of(group, 0).released() > 0));
            assert_eq!(known.of(20_002, 0).released(), 0);
        }
    }

    #[test]
    fn readers_acquire_from_ended_workgroups_by_scope_and_width() {
        let mut order = order(1, 1);
        let releases = |level| Semantics { level, release: true, classes: BUFFER, ..Semantics::default() };
        for (group, level) in [(0, DEVICE), (1, WORKGROUP), (2, DEVICE)] {
            order.begin(group);
            add(&mut order, 0, 0, releases(level));
        }
        order.begin(3);
        add(&mut order, 0, 0, both(DEVICE));
        let known = order.released(0, Class::Buffer as usize).expect("something");
        // The atomic of workgroup scope in between is no part of the sequence, and heads none for others.
        assert_eq!([1, 2, 3].map(|group| known.of(group, 0).released()), [1, 0, 1]);
    }
}
