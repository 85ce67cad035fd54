//! Synchronization: what each invocation has released and acquired, and which accesses that orders.

use std::ops::Range;
use std::sync::Arc;

use super::atomics::Heads;
use super::clock::{Entry, Joins, Knowledge, Shared, join, join_one, pass_on};
use super::{Access, CLASSES, Class, Classes, DEVICE, Level, SUBGROUP, Semantics, WORKGROUP, Way, each};

/// What is known of each class of memory.
pub(super) type ByClass = [Shared; CLASSES];

/// A release barrier that an invocation has passed: later atomic writes and control barriers hand it on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fence {
    pub level: Level,
    pub classes: Classes,
    /// What was known then, without what the invocation itself has released.
    known: ByClass,
    own: [Entry; CLASSES],
}

/// Knowledge that was joined last, which is looked for by address.
const MOST_JOINED: usize = 8;

impl Fence {
    /// Whether invocations that have a domain of a level in common acquire a class from it.
    fn is_at(&self, level: Level, class: usize) -> bool {
        self.level >= level && self.classes >> class & 1 == 1
    }

    /// All that the barrier releases of a class.
    pub fn released(&mut self, class: usize, group: u32, agent: u32) -> &Shared {
        let known = &mut self.known[class];
        join_one(known, group, agent, &self.own[class]);
        known
    }
}

/// What an invocation could acquire: its next acquire barriers take it over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Pending {
    /// Through control barriers, by the level that a barrier needs less 1.
    barriers: [ByClass; 3],
    /// Through atomic reads, by their class.
    atomics: [[ByClass; 3]; CLASSES],
}

/// An invocation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Agent {
    /// Its own releases, and what they make available.
    own: [Entry; CLASSES],
    /// What it has acquired.
    pub known: ByClass,
    /// By level of visibility operations less 1: what it knew then.
    visible: [ByClass; 3],
    pub fences: Vec<Fence>,
    pending: Option<Box<Pending>>,
    /// By level: classes of memory barriers since its last control barrier that acquire, and that release.
    recent: [[Classes; 2]; 4],
}

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
    /// By wave and lane; empty until something synchronizes.
    pub(super) agents: Vec<Agent>,
    /// By object: release sequences.
    pub(super) heads: Vec<Heads>,
    model: Model,
    /// By wave and lane: local invocation indices; empty where these are lanes.
    invocations: Arc<Vec<u32>>,
    /// Invocations of a workgroup; 0 where that is not the same for all.
    invocation_count: usize,
    /// Bits of an invocation's number that are its lane.
    shift: u32,
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
        let invocation_count = invocations.iter().filter(|invocation| **invocation != u32::MAX).count();
        // A power of two.
        let shift = lanes.max(1).ilog2();
        let (agents, invocations) = (Vec::new(), Arc::new(invocations));
        Order { group: 0, agents, heads, model: *model, invocations, invocation_count, shift }
    }

    /// The local invocation index of an invocation.
    pub fn invocation(&self, agent: u32) -> u32 {
        self.invocations.get(agent as usize).copied().unwrap_or(agent & ((1 << self.shift) - 1))
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

    /// The number of an invocation.
    pub fn agent(&self, wave: u32, lane: usize) -> u32 {
        (wave << self.shift) + lane as u32
    }

    pub(super) fn wave_of(&self, agent: u32) -> u32 {
        agent >> self.shift
    }

    fn agents_of_wave(&self, agent: u32) -> Range<usize> {
        let first = (self.wave_of(agent) << self.shift) as usize;
        first..first + (1 << self.shift)
    }

    /// The current workgroup.
    pub fn group(&self) -> u32 {
        self.group
    }

    /// The releases of an invocation so far: the time of an access.
    #[inline]
    pub fn epoch(&self, class: Class, agent: u32) -> u32 {
        self.agents.get(agent as usize).map_or(0, |agent| agent.own[class as usize].released())
    }

    /// The level of the smallest domain that an invocation has in common with one of the current workgroup.
    #[inline]
    pub(super) fn relation(&self, group: u32, wave: u32, agent: u32) -> Level {
        if group != self.group {
            DEVICE
        } else if wave != self.wave_of(agent) {
            WORKGROUP
        } else {
            SUBGROUP
        }
    }

    /// Whether reads of any invocation of the workgroup at a time, non-private ones, happen before the access that is
    /// made now.
    #[inline]
    pub fn all_before(&self, class: Class, group: u32, epoch: u32, now: &Present) -> bool {
        let known = self.agents.get(now.agent as usize).and_then(|agent| agent.known[class as usize].as_ref());
        !now.way.is_private && known.is_some_and(|known| known.least(group) > epoch)
    }

    /// Whether an earlier access is ordered before the one that is made now, or both are atomic with each other.
    #[inline]
    pub fn ordered(&self, class: Class, before: &Access, before_writes: bool, now: &Present) -> bool {
        let same_group = before.group == self.group;
        if same_group && before.agent == now.agent {
            return true;
        }
        let common = self.relation(before.group, self.wave_of(before.agent), now.agent);
        let (way, other) = (&now.way, &before.way);
        if way.atomic && other.atomic && common <= way.level.min(other.level) {
            return true;
        }
        if way.is_private || other.is_private {
            return false;
        }
        let Some(agent) = self.agents.get(now.agent as usize) else { return false };
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

    pub(super) fn at(&mut self, agent: u32) -> &mut Agent {
        let at = agent as usize;
        if self.agents.len() <= at {
            let waves = (at >> self.shift) + 1;
            self.agents.resize_with(waves << self.shift, Agent::default);
        }
        &mut self.agents[at]
    }

    /// A memory barrier of an invocation.
    pub fn memory_barrier(&mut self, agent: u32, semantics: &Semantics) {
        if semantics.is_empty() {
            return;
        }
        self.make_available(agent, semantics);
        if semantics.acquire {
            self.acquire(agent, semantics, &mut Joins::default());
        }
        if semantics.release {
            self.fence(agent, semantics);
        }
        let recent = &mut self.at(agent).recent[usize::from(semantics.level)];
        for (classes, is_such) in recent.iter_mut().zip([semantics.acquire, semantics.release]) {
            *classes |= if is_such { semantics.classes } else { 0 };
        }
    }

    /// A control barrier that these invocations reach together: a subgroup, or a workgroup.
    pub fn control_barrier(&mut self, reached: &[(u32, Semantics)], is_workgroup: bool) {
        let joins = &mut Joins::default();
        for (agent, semantics) in reached {
            if semantics.release && !semantics.is_empty() {
                self.make_available(*agent, semantics);
                // What the barrier acquires from earlier reads it releases, too.
                if semantics.acquire {
                    self.acquire(*agent, semantics, joins);
                }
                self.fence(*agent, semantics);
            }
        }
        self.exchange(reached, is_workgroup);
        for (agent, semantics) in reached {
            if semantics.acquire && !semantics.is_empty() {
                self.acquire(*agent, semantics, joins);
                if semantics.release {
                    self.fence_knows(*agent, semantics.classes);
                }
            }
            let mut recent = std::mem::take(&mut self.at(*agent).recent);
            if semantics.acquire && semantics.release {
                // Memory of a workgroup needs no broader scope.
                let own = !(semantics.classes & OF_WORKGROUP);
                recent.iter_mut().flatten().for_each(|classes| *classes &= own);
            }
            if !self.model.is_vulkan {
                self.repeat_barriers(*agent, recent, joins);
            }
        }
    }

    /// Memory barriers before a control barrier hold after it, too.
    fn repeat_barriers(&mut self, agent: u32, recent: [[Classes; 2]; 4], joins: &mut Joins) {
        for (level, [acquire, release]) in (0..).zip(recent) {
            if acquire != 0 {
                let semantics = Semantics { level, acquire: true, classes: acquire, ..Semantics::default() };
                self.acquire(agent, &semantics, joins);
            }
            // Only what is acquired makes another release differ.
            if acquire & release != 0 {
                let classes = acquire & release;
                self.fence(agent, &Semantics { level, release: true, classes, ..Semantics::default() });
            }
        }
    }

    /// Hands on the release barriers of invocations to each other.
    fn exchange(&mut self, reached: &[(u32, Semantics)], is_workgroup: bool) {
        let of_wave = !is_workgroup || (self.model.barriers | self.model.atomics) >> SUBGROUP & 1 == 1;
        if of_wave {
            let mut rest = reached;
            while let Some((first, _)) = rest.first() {
                let wave = self.wave_of(*first);
                let end = rest.iter().position(|(agent, _)| self.wave_of(*agent) != wave).unwrap_or(rest.len());
                let (own, others) = rest.split_at(end);
                self.exchange_at(own, SUBGROUP);
                rest = others;
            }
        }
        if is_workgroup {
            self.exchange_at(reached, WORKGROUP);
        }
    }

    fn exchange_at(&mut self, reached: &[(u32, Semantics)], level: Level) {
        let group = self.group;
        let mut all: ByClass = Default::default();
        for (class, known_to_all) in all.iter_mut().enumerate() {
            // Most know the same: it is joined once.
            let mut joined: Vec<*const Knowledge> = Vec::new();
            for (agent, _) in reached {
                let Some(agent) = self.agents.get(*agent as usize) else { continue };
                for fence in agent.fences.iter().filter(|fence| fence.is_at(level, class)) {
                    let Some(known) = &fence.known[class] else { continue };
                    let address = Arc::as_ptr(known);
                    if !joined.iter().rev().take(MOST_JOINED).any(|other| *other == address) {
                        join(known_to_all, &fence.known[class]);
                        joined.push(address);
                    }
                }
            }
            for (at, _) in reached {
                let Some(agent) = self.agents.get(*at as usize) else { continue };
                for fence in agent.fences.iter().filter(|fence| fence.level >= level && fence.classes >> class & 1 == 1)
                {
                    join_one(known_to_all, group, *at, &fence.own[class]);
                }
            }
        }
        if all.iter().all(Option::is_none) {
            return;
        }
        // Where all invocations have come here, one count answers for each of them.
        if level == WORKGROUP && reached.len() == self.invocation_count {
            for known in all.iter_mut().flatten() {
                Arc::make_mut(known).note_least(group, reached.iter().map(|(agent, _)| *agent));
            }
        }
        let joins = &mut Joins::default();
        for (agent, _) in reached {
            let pending = self.at(*agent).pending.get_or_insert_default();
            for (own, all) in pending.barriers[usize::from(level) - 1].iter_mut().zip(&all) {
                joins.join(own, all);
            }
        }
    }

    /// The availability operation of a barrier or atomic.
    pub(super) fn make_available(&mut self, agent: u32, semantics: &Semantics) {
        if !semantics.available {
            return;
        }
        let (group, wave) = (self.group, self.agents_of_wave(agent));
        // What others made available in a smaller domain goes on from there, if there are several domains at all.
        let Model { barriers, atomics, accesses, .. } = self.model;
        let chains = (barriers | atomics | accesses).count_ones() > 1;
        let own = self.at(agent);
        for class in each(semantics.classes) {
            own.own[class].make_available(semantics.level);
            if chains {
                pass_on(&mut own.known[class], group, wave.clone(), semantics.level);
            }
        }
    }

    /// An acquire barrier.
    fn acquire(&mut self, agent: u32, semantics: &Semantics, joins: &mut Joins) {
        let own = self.at(agent);
        for class in each(semantics.classes) {
            if let Some(pending) = &mut own.pending {
                for level in 0..usize::from(semantics.level) {
                    joins.join(&mut own.known[class], &pending.barriers[level][class].take());
                    for through in each(semantics.classes) {
                        joins.join(&mut own.known[class], &pending.atomics[through][level][class].take());
                    }
                }
            }
        }
        if semantics.visible {
            self.make_visible(agent, semantics);
        }
    }

    /// The visibility operation of a barrier or atomic.
    pub(super) fn make_visible(&mut self, agent: u32, semantics: &Semantics) {
        let own = self.at(agent);
        for class in each(semantics.classes) {
            own.visible[usize::from(semantics.level) - 1][class].clone_from(&own.known[class]);
        }
    }

    /// What an invocation could acquire through an atomic read of a class, from one that has a domain of a level in common.
    pub(super) fn offer(&mut self, agent: u32, through: Class, common: Level, class: usize, released: &Shared) {
        let pending = self.at(agent).pending.get_or_insert_default();
        join(&mut pending.atomics[through as usize][usize::from(common) - 1][class], released);
    }

    /// Counts a release of an invocation.
    pub(super) fn release(&mut self, agent: u32, classes: Classes) {
        let own = self.at(agent);
        each(classes).for_each(|class| _ = own.own[class].release());
    }

    /// All that an invocation releases of a class now.
    pub(super) fn released(&mut self, agent: u32, class: usize) -> Shared {
        let group = self.group;
        let own = self.at(agent);
        let mut known = own.known[class].clone();
        join_one(&mut known, group, agent, &own.own[class]);
        known
    }

    /// A release barrier.
    fn fence(&mut self, agent: u32, semantics: &Semantics) {
        self.release(agent, semantics.classes);
        let own = self.at(agent);
        let Semantics { level, classes, .. } = *semantics;
        own.fences.retain(|fence| fence.level > level || fence.classes & !classes != 0);
        own.fences.push(Fence { level, classes, known: own.known.clone(), own: own.own });
    }

    /// The last release barrier acquires, too, and hands that on.
    fn fence_knows(&mut self, agent: u32, classes: Classes) {
        let own = self.at(agent);
        if let Some(fence) = own.fences.last_mut() {
            each(classes).for_each(|class| fence.known[class].clone_from(&own.known[class]));
        }
    }

    /// The memory taken, in bytes: about.
    pub fn bytes(&self) -> usize {
        self.agents.len() * size_of::<Agent>()
    }
}
