//! Synchronization: what each invocation has released and acquired, and which accesses that orders.

use std::sync::Arc;

use super::agents::{Agent, Agents, ByClass, Fence, Unit};
use super::atomics::Heads;
use super::clock::{Counted, Entry, Joins, Knowledge, Ranges, Shared, covers, join, join_one, pass_on};
use super::{Access, Class, Classes, DEVICE, Level, SUBGROUP, Semantics, WORKGROUP, Way, each};

/// Knowledge that was joined last, which is looked for by address.
const MOST_JOINED: usize = 8;

/// The access that is made now.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Present {
    pub agent: u32,
    pub reads: bool,
    pub writes: bool,
    pub way: Way,
}

impl Present {
    /// Whether it is a read that is neither atomic nor private.
    pub fn is_plain_read(&self) -> bool {
        !self.writes && !self.way.atomic && !self.way.is_private
    }
}

/// Classes whose memory one workgroup has.
const OF_WORKGROUP: Classes = 1 << Class::Workgroup as u8 | 1 << Class::Output as u8;

/// What orders the accesses of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order {
    /// The current workgroup, counted from 1.
    pub(super) group: u32,
    pub(super) agents: Agents,
    /// By object: release sequences.
    pub(super) heads: Vec<Heads>,
    model: Model,
    /// By wave and lane: local invocation indices; empty where these are lanes.
    invocations: Arc<Vec<u32>>,
    /// A bound of the bytes taken since they were counted.
    pub(super) spent: usize,
    /// Whether nothing is followed any more, for want of memory.
    is_stopped: bool,
}

/// Invocations that reach a control barrier together: lanes of a wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reached {
    pub wave: u32,
    pub mask: u64,
    pub semantics: Semantics,
}

/// What a program says about the memory model: levels are bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Model {
    /// Whether it uses the Vulkan memory model. In others a control barrier acquires what memory barriers before it do:
    /// `memoryBarrierBuffer(); barrier();`.
    pub is_vulkan: bool,
    pub barriers: u8,
    pub atomics: u8,
    /// Of availability and visibility of single accesses.
    pub accesses: u8,
}

impl Order {
    /// Nothing synchronized, with waves of so many lanes.
    pub fn new(objects: usize, lanes: u32, model: &Model, invocations: Vec<u32>) -> Order {
        let heads = vec![Heads::default(); objects];
        let agents = Agents::new(lanes, &invocations);
        let invocations = Arc::new(invocations);
        Order { group: 0, agents, heads, model: *model, invocations, spent: 0, is_stopped: false }
    }

    /// The local invocation index of an invocation.
    pub fn invocation(&self, agent: u32) -> u32 {
        let lane = || agent - self.agents.of_wave(agent).start;
        self.invocations.get(agent as usize).copied().unwrap_or_else(lane)
    }

    /// Whether scopes tell the waves of a workgroup apart.
    pub(super) fn has_waves(&self) -> bool {
        (self.model.barriers | self.model.atomics | self.model.accesses) >> SUBGROUP & 1 == 1
    }

    /// Whether all atomic operations of the program are of device scope.
    pub(super) fn has_device_atomics_only(&self) -> bool {
        self.model.atomics & !(1 << DEVICE) == 0
    }

    /// Begins a workgroup, counted from 0.
    pub fn begin(&mut self, group: u64) {
        self.group = u32::try_from(group).unwrap_or(u32::MAX).saturating_add(1);
        self.agents.clear();
    }

    /// Forgets the release sequences in an object.
    pub fn forget(&mut self, object: usize) {
        if let Some(heads) = self.heads.get_mut(object) {
            heads.clear();
        }
    }

    /// Forgets all, and follows nothing any more: no two accesses can be said to be a race from then on.
    pub fn stop(&mut self) {
        self.is_stopped = true;
        self.agents.clear();
        self.heads.iter_mut().for_each(|heads| *heads = Heads::default());
        self.spent = 0;
    }

    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// The number of an invocation.
    pub fn agent(&self, wave: u32, lane: usize) -> u32 {
        self.agents.number(wave, lane)
    }

    /// The first invocation of the wave that an invocation is of.
    pub fn first_of_wave(&self, agent: u32) -> u32 {
        self.agents.of_wave(agent).start
    }

    /// The wave that an invocation is of, where scopes tell waves apart.
    pub(super) fn domain_of(&self, agent: u32) -> u32 {
        if self.has_waves() { self.agents.wave_of(agent) } else { 0 }
    }

    /// The current workgroup.
    pub fn group(&self) -> u32 {
        self.group
    }

    /// The releases of an invocation so far: the time of an access.
    #[inline]
    pub fn epoch(&self, class: Class, agent: u32) -> u32 {
        self.agents.get(agent).map_or(0, |agent| agent.own[class as usize].released())
    }

    /// The level of the smallest domain that an invocation has in common with one of the current workgroup. Where no scope
    /// tells waves apart, all are one.
    #[inline]
    pub(super) fn relation(&self, group: u32, domain: u32, agent: u32) -> Level {
        if group != self.group {
            DEVICE
        } else if domain != self.domain_of(agent) {
            WORKGROUP
        } else {
            SUBGROUP
        }
    }

    /// Whether reads of any invocation of the workgroup at a time, non-private ones, happen before the access that is
    /// made now.
    #[inline]
    pub fn all_before(&self, class: Class, group: u32, epoch: u32, now: &Present) -> bool {
        let known = self.agents.get(now.agent).and_then(|agent| agent.known[class as usize].as_ref());
        !now.way.is_private && known.is_some_and(|known| known.least(group) > epoch)
    }

    /// Whether an earlier access is ordered before the one that is made now, or both are atomic with each other.
    #[inline]
    pub fn ordered(&self, class: Class, before: &Access, before_writes: bool, now: &Present) -> bool {
        let same_group = before.group == self.group;
        if same_group && before.agent == now.agent {
            return true;
        }
        let common = self.relation(before.group, self.domain_of(before.agent), now.agent);
        let (way, other) = (&now.way, &before.way);
        if way.atomic && other.atomic && common <= way.level.min(other.level) {
            return true;
        }
        if way.is_private || other.is_private {
            return false;
        }
        let Some(agent) = self.agents.get(now.agent) else { return false };
        let Some(known) = &agent.known[class as usize] else { return false };
        // All have passed a barrier since, and the access needs no availability or visibility of other operations.
        let sees = !before_writes || (common <= other.level && (!now.reads || common <= way.level));
        if sees && known.least(before.group) > before.epoch {
            return true;
        }
        let known = known.of(before.group, before.agent);
        if known.released() <= before.epoch {
            return false;
        }
        if !before_writes {
            return true;
        }
        let is_available =
            |entry: &Entry, most: Level| (common..=most).any(|at| entry.available(other.level, at) > before.epoch);
        if !now.reads {
            return is_available(&known, DEVICE);
        }
        if is_available(&known, way.level) {
            return true;
        }
        (common..=DEVICE).any(|from| {
            let seen = agent.visible[usize::from(from) - 1][class as usize].as_ref();
            seen.is_some_and(|seen| is_available(&seen.of(before.group, before.agent), from))
        })
    }

    /// A memory barrier of lanes of a wave.
    pub fn memory_barrier(&mut self, wave: u32, mask: u64, semantics: &Semantics) {
        if semantics.is_empty() || self.is_stopped {
            return;
        }
        for unit in self.agents.units(wave, mask) {
            self.make_available(unit, semantics);
            if semantics.acquire {
                self.acquire(unit, semantics, &mut Joins::default());
            }
            if semantics.release {
                self.fence(unit, semantics);
            }
            let agent = self.agents.unit_mut(unit);
            let recent = &mut agent.recent[usize::from(semantics.level)];
            for (classes, is_such) in recent.iter_mut().zip([semantics.acquire, semantics.release]) {
                *classes |= if is_such { semantics.classes } else { 0 };
            }
            self.spent += agent.bytes_of_change();
        }
    }

    /// A control barrier that these invocations reach together: a subgroup, or a workgroup.
    pub fn control_barrier(&mut self, all: &[Reached], is_workgroup: bool) {
        if self.is_stopped {
            return;
        }
        let of_wave = |one: &Reached| {
            let semantics = one.semantics;
            self.agents.units(one.wave, one.mask).into_iter().map(move |unit| (unit, semantics))
        };
        let reached: Vec<(Unit, Semantics)> = all.iter().flat_map(of_wave).collect();
        let joins = &mut Joins::default();
        for &(unit, semantics) in &reached {
            if semantics.release && !semantics.is_empty() {
                self.make_available(unit, &semantics);
                // What the barrier acquires from earlier reads it releases, too.
                if semantics.acquire {
                    self.acquire(unit, &semantics, joins);
                }
                self.fence(unit, &semantics);
            }
        }
        let count: u32 = all.iter().map(|one| one.mask.count_ones()).sum();
        self.exchange(&reached, is_workgroup, self.agents.count() == Some(count));
        for &(unit, semantics) in &reached {
            if semantics.acquire && !semantics.is_empty() {
                self.acquire(unit, &semantics, joins);
                if semantics.release {
                    self.fence_knows(unit, semantics.classes);
                }
            }
            let mut recent = std::mem::take(&mut self.agents.unit_mut(unit).recent);
            if semantics.acquire && semantics.release {
                // Memory of a workgroup needs no broader scope.
                let own = !(semantics.classes & OF_WORKGROUP);
                recent.iter_mut().flatten().for_each(|classes| *classes &= own);
            }
            if !self.model.is_vulkan {
                self.repeat_barriers(unit, recent, joins);
            }
            self.spent += self.agents.unit_mut(unit).bytes_of_change();
        }
        all.iter().for_each(|one| self.agents.settle(one.wave));
    }

    /// Memory barriers before a control barrier hold after it, too.
    fn repeat_barriers(&mut self, unit: Unit, recent: [[Classes; 2]; 4], joins: &mut Joins) {
        for (level, [acquire, release]) in (0..).zip(recent) {
            if acquire != 0 {
                let semantics = Semantics { level, acquire: true, classes: acquire, ..Semantics::default() };
                self.acquire(unit, &semantics, joins);
            }
            // Only what is acquired makes another release differ.
            if acquire & release != 0 {
                let classes = acquire & release;
                self.fence(unit, &Semantics { level, release: true, classes, ..Semantics::default() });
            }
        }
    }

    /// Hands on the release barriers of invocations to each other. `is_whole`: all of the workgroup are there.
    fn exchange(&mut self, reached: &[(Unit, Semantics)], is_workgroup: bool, is_whole: bool) {
        let of_wave = !is_workgroup || (self.model.barriers | self.model.atomics) >> SUBGROUP & 1 == 1;
        if of_wave {
            let wave_of = |unit: &Unit| self.agents.wave_of(unit.first);
            let waves: Vec<&[_]> = reached.chunk_by(|(one, _), (other, _)| wave_of(one) == wave_of(other)).collect();
            waves.into_iter().for_each(|own| self.exchange_at(own, SUBGROUP, false));
        }
        if is_workgroup {
            self.exchange_at(reached, WORKGROUP, is_whole);
        }
    }

    fn exchange_at(&mut self, reached: &[(Unit, Semantics)], level: Level, is_whole: bool) {
        let group = self.group;
        let mut all: ByClass = Default::default();
        for (class, known_to_all) in all.iter_mut().enumerate() {
            // Most know the same: it is joined once.
            let mut joined: Vec<*const Knowledge> = Vec::new();
            let mut released = Ranges::default();
            for (unit, _) in reached {
                let Some(agent) = self.agents.get(unit.first) else { continue };
                let mut own: Option<Entry> = None;
                for fence in agent.fences.iter().filter(|fence| fence.is_at(level, class)) {
                    own.get_or_insert_default().join(&fence.own[class]);
                    let Some(known) = &fence.known[class] else { continue };
                    let address = Arc::as_ptr(known);
                    if !joined.iter().rev().take(MOST_JOINED).any(|other| *other == address) {
                        join(known_to_all, &fence.known[class]);
                        joined.push(address);
                    }
                }
                if let Some(own) = own {
                    released.push(unit.first, unit.last, own);
                }
            }
            released.join_to(known_to_all, group);
        }
        if all.iter().all(Option::is_none) {
            return;
        }
        // Where all invocations have come here, one count answers for each of them.
        if is_whole {
            for known in all.iter_mut().flatten() {
                Arc::make_mut(known).note_least(group, reached.iter().map(|(unit, _)| (unit.first, unit.last)));
            }
        }
        let joins = &mut Joins::default();
        for (unit, _) in reached {
            let agent = self.agents.unit_mut(*unit);
            for (class, known) in all.iter().enumerate().filter(|(_, known)| known.is_some()) {
                joins.join(agent.pending(None, level, class), known);
            }
        }
    }

    /// The availability operation of a barrier or atomic.
    pub(super) fn make_available(&mut self, unit: Unit, semantics: &Semantics) {
        if !semantics.available {
            return;
        }
        // Where no scope tells waves apart, nothing is available in a wave alone.
        let wave = if self.has_waves() { self.agents.of_wave(unit.first) } else { 0..0 };
        // What others made available in a smaller domain goes on from there, if there are several domains at all.
        let Model { barriers, atomics, accesses, .. } = self.model;
        let chains = (barriers | atomics | accesses).count_ones() > 1;
        let (group, own) = (self.group, self.agents.unit_mut(unit));
        for class in each(semantics.classes) {
            own.own[class].make_available(semantics.level);
            if chains {
                pass_on(&mut own.known[class], group, wave.clone(), semantics.level);
            }
        }
    }

    /// An acquire barrier.
    fn acquire(&mut self, unit: Unit, semantics: &Semantics, joins: &mut Joins) {
        self.agents.unit_mut(unit).acquire(semantics, joins);
        if semantics.visible {
            self.make_visible(unit, semantics);
        }
    }

    /// The visibility operation of a barrier or atomic.
    pub(super) fn make_visible(&mut self, unit: Unit, semantics: &Semantics) {
        let own = self.agents.unit_mut(unit);
        for class in each(semantics.classes) {
            own.visible[usize::from(semantics.level) - 1][class].clone_from(&own.known[class]);
        }
    }

    /// Whether an invocation has acquired some knowledge.
    pub(super) fn knows(&self, agent: u32, class: usize, known: &Shared) -> bool {
        self.agents.get(agent).map_or(known.is_none(), |agent| covers(&agent.known[class], known))
    }

    /// What an invocation could acquire through an atomic read of a class, from one that has a domain of a level in common.
    pub(super) fn offer(&mut self, agent: u32, through: Class, common: Level, class: usize, released: &Shared) {
        join(self.agents.get_mut(agent).pending(Some(through), common, class), released);
    }

    /// Counts a release.
    pub(super) fn release(&mut self, unit: Unit, classes: Classes) {
        let own = self.agents.unit_mut(unit);
        each(classes).for_each(|class| own.own[class].release());
    }

    /// All that an invocation releases of a class now.
    pub(super) fn released(&self, agent: u32, class: usize) -> Shared {
        let own = self.agents.get(agent)?;
        let mut known = own.known[class].clone();
        join_one(&mut known, self.group, agent, &own.own[class]);
        known
    }

    /// A release barrier.
    fn fence(&mut self, unit: Unit, semantics: &Semantics) {
        self.release(unit, semantics.classes);
        let own = self.agents.unit_mut(unit);
        let Semantics { level, classes, .. } = *semantics;
        own.fences.retain(|fence| fence.level > level || fence.classes & !classes != 0);
        own.fences.push(Fence { level, classes, known: own.known.clone(), own: own.own });
    }

    /// The last release barrier acquires, too, and hands that on.
    fn fence_knows(&mut self, unit: Unit, classes: Classes) {
        let own: &mut Agent = self.agents.unit_mut(unit);
        if let Some(fence) = own.fences.last_mut() {
            each(classes).for_each(|class| fence.known[class].clone_from(&own.known[class]));
        }
    }

    /// A bound of the bytes taken since they were counted.
    pub fn spent(&self) -> usize {
        self.spent
    }

    /// Counts the memory taken, in bytes.
    pub fn count(&mut self) -> usize {
        self.spent = 0;
        self.bytes()
    }

    /// The memory taken, in bytes.
    pub fn bytes(&self) -> usize {
        let mut counted = Counted::default();
        let heads: usize = self.heads.iter().map(|heads| heads.bytes(&mut counted)).sum();
        heads + self.agents.bytes(&mut counted)
    }
}
