//! Atomic operations: release sequences, and who reads from them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use super::clock::{Shared, join};
use super::sync::{ByClass, Fence, Order};
use super::{Class, Classes, DEVICE, INVOCATION, Level, Semantics, each};

/// The release sequences in an object, by offset.
pub(crate) type Heads = HashMap<u64, Vec<Head>, BuildHasherDefault<OffsetHasher>>;

/// A hash of an offset: cheap, as most programs make it for each atomic operation.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OffsetHasher(u64);

impl Hasher for OffsetHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// An atomic write that heads a release sequence. Those of a wave that nothing tells apart are one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    group: u32,
    wave: u32,
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
    /// The acquiring part of an atomic operation, before its access.
    pub fn atomic_reads(&mut self, agent: u32, atomic: &AtomicUse) {
        let semantics = &atomic.semantics;
        if semantics.level == INVOCATION {
            return;
        }
        // The availability operation comes before the atomic operation itself.
        if atomic.writes && semantics.release {
            self.make_available(agent, semantics);
        }
        if !atomic.reads {
            return;
        }
        let heads = self.take_heads(atomic);
        for head in heads.iter().filter(|head| head.current && head.bytes == atomic.bytes) {
            let common = self.relation(head.group, head.wave, agent);
            if common > head.level.min(semantics.level) {
                continue;
            }
            for released in head.released.iter().filter(|one| one.barrier.is_none_or(|level| common <= level)) {
                for class in each(released.classes) {
                    let known = &released.known[class];
                    if semantics.acquire && semantics.classes >> class & 1 == 1 {
                        join(&mut self.at(agent).known[class], known);
                    }
                    self.offer(agent, atomic.class, common, class, known);
                }
            }
        }
        self.put_heads(atomic, heads);
        if semantics.acquire && semantics.visible {
            self.make_visible(agent, semantics);
        }
    }

    /// The releasing part of an atomic operation, after its access.
    pub fn atomic_writes(&mut self, agent: u32, atomic: &AtomicUse) {
        let semantics = &atomic.semantics;
        if !atomic.writes {
            return;
        }
        let orders = semantics.level > INVOCATION;
        if semantics.release && orders {
            self.release(agent, semantics.classes);
        }
        let mut heads = self.take_heads(atomic);
        heads.retain_mut(|head| {
            let common = self.relation(head.group, head.wave, agent);
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
            self.add_head(agent, atomic, &mut heads);
        }
        self.put_heads(atomic, heads);
    }

    /// A write that is not atomic: who reads it reads from no release sequence.
    #[inline]
    pub fn plain_write(&mut self, object: usize, offset: u64) {
        let heads = self.heads.get_mut(object).filter(|heads| !heads.is_empty());
        if let Some(heads) = heads.and_then(|heads| heads.get_mut(&offset)) {
            heads.iter_mut().for_each(|head| head.current = false);
        }
    }

    /// Most locations have no sequences.
    fn take_heads(&mut self, atomic: &AtomicUse) -> Vec<Head> {
        let heads = self.heads.get_mut(atomic.object).filter(|heads| !heads.is_empty());
        heads.and_then(|heads| heads.get_mut(&atomic.offset)).map(std::mem::take).unwrap_or_default()
    }

    fn put_heads(&mut self, atomic: &AtomicUse, heads: Vec<Head>) {
        let Some(all) = self.heads.get_mut(atomic.object) else { return };
        match all.get_mut(&atomic.offset) {
            Some(own) => *own = heads,
            None if heads.is_empty() => {}
            None => _ = all.insert(atomic.offset, heads),
        }
    }

    /// Adds what a reader of a write may acquire: what the write releases itself, and what barriers before it do.
    fn add_head(&mut self, agent: u32, atomic: &AtomicUse, heads: &mut Vec<Head>) {
        let Semantics { level, release, classes, .. } = atomic.semantics;
        let (group, wave) = (self.group, self.wave_of(agent));
        let through = atomic.class;
        let own = self.agents.get_mut(agent as usize);
        let counts = |fence: &&mut Fence| fence.classes >> through as u8 & 1 == 1;
        let itself = release && classes != 0;
        let is_like = |head: &&mut Head| {
            head.current && (head.group, head.wave, head.level, head.bytes) == (group, wave, level, atomic.bytes)
        };
        let mut released: Vec<Released> = Vec::new();
        if let Some(own) = own.filter(|own| !own.fences.is_empty()) {
            // Waves know the same after a barrier: nothing is to be added then.
            if !itself && let Some(head) = heads.iter_mut().find(is_like) {
                let mut kinds = head.released.iter();
                let mut fences = own.fences.iter_mut().filter(counts);
                let same = fences.all(|fence| kinds.next().is_some_and(|one| one.is_of(fence, group, agent)));
                if same && kinds.next().is_none() {
                    return;
                }
            }
            for fence in own.fences.iter_mut().filter(counts) {
                let (level, classes) = (fence.level, fence.classes);
                let mut known = ByClass::default();
                each(classes).for_each(|class| known[class].clone_from(fence.released(class, group, agent)));
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
        let head = Head { group, wave, level, bytes: atomic.bytes, current: true, released };
        match heads.iter_mut().filter(is_like).find(|other| other.has_kinds_of(&head)) {
            Some(other) => other.merge(&head),
            None => heads.push(head),
        }
    }
}

impl Released {
    /// Whether it is what a barrier releases.
    fn is_of(&self, fence: &mut Fence, group: u32, agent: u32) -> bool {
        let same = |own: &Shared, other: &Shared| match (own, other) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        };
        (self.barrier, self.classes) == (Some(fence.level), fence.classes)
            && each(self.classes).all(|class| same(&self.known[class], fence.released(class, group, agent)))
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

    fn merge(&mut self, other: &Head) {
        for (own, other) in self.released.iter_mut().zip(&other.released) {
            for (own, other) in own.known.iter_mut().zip(&other.known) {
                join(own, other);
            }
        }
    }
}
