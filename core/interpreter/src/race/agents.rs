//! Invocations: what each has released and acquired. Those of a wave that nothing tells apart are one.

use std::sync::Arc;

use super::clock::{Counted, Entry, Joins, Shared, join_one};
use super::{CLASSES, Class, Classes, Level, Semantics};

/// What is known of each class of memory.
pub(super) type ByClass = [Shared; CLASSES];

/// A release barrier that an invocation has passed: later atomic writes and control barriers hand it on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fence {
    pub level: Level,
    pub classes: Classes,
    /// What was known then, without what the invocation itself has released.
    pub known: ByClass,
    pub own: [Entry; CLASSES],
}

impl Fence {
    /// Whether invocations that have a domain of a level in common acquire a class from it.
    pub fn is_at(&self, level: Level, class: usize) -> bool {
        self.level >= level && self.classes >> class & 1 == 1
    }

    /// All that the barrier of an invocation releases of a class.
    pub fn released(&self, class: usize, group: u32, agent: u32) -> Shared {
        let mut known = self.known[class].clone();
        join_one(&mut known, group, agent, &self.own[class]);
        known
    }
}

/// What an invocation could acquire: its next acquire barriers take it over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pending {
    /// The class of the atomic read that offers it; absent for a control barrier.
    pub through: Option<Class>,
    /// The level that a barrier needs.
    pub level: Level,
    pub class: usize,
    pub known: Shared,
}

impl Pending {
    /// Whether an acquire barrier takes it over.
    fn is_for(&self, semantics: &Semantics) -> bool {
        let names = |class: usize| semantics.classes >> class & 1 == 1;
        self.level <= semantics.level && names(self.class) && self.through.is_none_or(|class| names(class as usize))
    }
}

/// An invocation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Agent {
    /// Its own releases, and what they make available.
    pub own: [Entry; CLASSES],
    /// What it has acquired.
    pub known: ByClass,
    /// By level of visibility operations less 1: what it knew then.
    pub visible: [ByClass; 3],
    pub fences: Vec<Fence>,
    pub pending: Vec<Pending>,
    /// By level: classes of memory barriers since its last control barrier that acquire, and that release.
    pub recent: [[Classes; 2]; 4],
}

impl Agent {
    /// Takes over what an acquire barrier finds.
    pub fn acquire(&mut self, semantics: &Semantics, joins: &mut Joins) {
        let known = &mut self.known;
        self.pending.retain(|one| {
            let is_for = one.is_for(semantics);
            if is_for {
                joins.join(&mut known[one.class], &one.known);
            }
            !is_for
        });
    }

    /// What it could acquire of a class, to be changed.
    pub fn pending(&mut self, through: Option<Class>, level: Level, class: usize) -> &mut Shared {
        let is = |one: &Pending| (one.through, one.level, one.class) == (through, level, class);
        let at = self.pending.iter().position(is).unwrap_or_else(|| {
            self.pending.push(Pending { through, level, class, known: None });
            self.pending.len() - 1
        });
        &mut self.pending[at].known
    }

    /// A bound of the bytes that a change of it takes.
    pub fn bytes_of_change(&self) -> usize {
        let known = self.known.iter().flatten().map(|known| known.bytes_of_change());
        size_of::<Agent>() + known.sum::<usize>()
    }

    fn bytes(&self, counted: &mut Counted) -> usize {
        let fences = self.fences.iter().flat_map(|fence| &fence.known);
        let pending = self.pending.iter().map(|pending| &pending.known);
        let all = self.known.iter().chain(self.visible.iter().flatten()).chain(fences).chain(pending);
        let known: usize = all.map(|known| counted.bytes(known)).sum();
        let lists = self.fences.capacity() * size_of::<Fence>() + self.pending.capacity() * size_of::<Pending>();
        size_of::<Agent>() + lists + known
    }
}

/// The invocations of a wave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Wave {
    /// Each of them, while they are alike.
    alike: Agent,
    /// By lane; none while they are alike.
    apart: Vec<Agent>,
}

/// Invocations that do the same: one, or all of a wave that are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    pub first: u32,
    pub last: u32,
}

impl Unit {
    pub fn one(agent: u32) -> Unit {
        Unit { first: agent, last: agent }
    }
}

/// The invocations of a workgroup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Agents {
    waves: Vec<Wave>,
    /// By wave: lanes that have an invocation. All have one in waves that are not listed.
    lanes: Arc<[u64]>,
    /// Lanes of a wave are so many bits of an invocation's number.
    shift: u32,
    /// Each invocation is kept apart: what tests compare with.
    #[cfg(test)]
    pub always_apart: bool,
}

impl Agents {
    /// Invocations that know nothing. `invocations` has `u32::MAX` for lanes without one.
    pub fn new(lanes: u32, invocations: &[u32]) -> Agents {
        // A power of two.
        let lanes = 1usize << lanes.max(1).ilog2();
        let bits =
            |wave: &[u32]| (0..).zip(wave).filter(|(_, one)| **one != u32::MAX).fold(0, |all, (at, _)| all | 1 << at);
        Agents {
            waves: Vec::new(),
            lanes: invocations.chunks(lanes).map(bits).collect(),
            shift: lanes.ilog2(),
            #[cfg(test)]
            always_apart: false,
        }
    }

    /// Forgets all that they have done.
    pub fn clear(&mut self) {
        self.waves.clear();
    }

    /// The number of an invocation.
    pub fn number(&self, wave: u32, lane: usize) -> u32 {
        (wave << self.shift) + lane as u32
    }

    pub fn wave_of(&self, agent: u32) -> u32 {
        agent >> self.shift
    }

    fn lane_of(&self, agent: u32) -> u32 {
        agent & ((1 << self.shift) - 1)
    }

    /// Numbers of a wave's lanes.
    pub fn of_wave(&self, agent: u32) -> std::ops::Range<u32> {
        let first = self.wave_of(agent) << self.shift;
        first..first + (1 << self.shift)
    }

    /// Lanes of a wave that have an invocation.
    fn lanes(&self, wave: u32) -> u64 {
        self.lanes.get(wave as usize).copied().unwrap_or(u64::MAX >> (64 - (1u32 << self.shift)))
    }

    /// How many invocations there are, where that is known.
    pub fn count(&self) -> Option<u32> {
        (!self.lanes.is_empty()).then(|| self.lanes.iter().map(|lanes| lanes.count_ones()).sum())
    }

    /// An invocation, if it has done anything.
    #[inline]
    pub fn get(&self, agent: u32) -> Option<&Agent> {
        let wave = self.waves.get(self.wave_of(agent) as usize)?;
        if wave.apart.is_empty() { Some(&wave.alike) } else { wave.apart.get(self.lane_of(agent) as usize) }
    }

    fn wave_mut(&mut self, wave: u32) -> &mut Wave {
        let at = wave as usize;
        if self.waves.len() <= at {
            self.waves.resize_with(at + 1, Wave::default);
        }
        &mut self.waves[at]
    }

    /// An invocation, to be changed alone.
    pub fn get_mut(&mut self, agent: u32) -> &mut Agent {
        let (wave, lane, count) = (self.wave_of(agent), self.lane_of(agent), 1usize << self.shift);
        let is_single = self.lanes(wave).count_ones() <= 1;
        let wave = self.wave_mut(wave);
        if is_single {
            return &mut wave.alike;
        }
        if wave.apart.is_empty() {
            wave.apart = vec![wave.alike.clone(); count];
        }
        &mut wave.apart[lane as usize]
    }

    /// Lanes of a wave that do the same: together if they are all of it, and alike.
    pub fn units(&self, wave: u32, mask: u64) -> Vec<Unit> {
        let lanes = self.lanes(wave);
        let number = |lane: u32| self.number(wave, lane as usize);
        let alike = self.waves.get(wave as usize).is_none_or(|wave| wave.apart.is_empty());
        #[cfg(test)]
        let alike = alike && !self.always_apart;
        if alike && mask & lanes == lanes && lanes != 0 {
            let (first, last) = (lanes.trailing_zeros(), u64::BITS - 1 - lanes.leading_zeros());
            return vec![Unit { first: number(first), last: number(last) }];
        }
        let single = |lane: u32| Unit::one(number(lane));
        (0..1 << self.shift).filter(|lane| mask >> lane & 1 == 1).map(single).collect()
    }

    /// Invocations that do the same, to be changed together.
    pub fn unit_mut(&mut self, unit: Unit) -> &mut Agent {
        match unit.first == unit.last {
            true => self.get_mut(unit.first),
            false => &mut self.wave_mut(unit.first >> self.shift).alike,
        }
    }

    /// Makes the invocations of a wave one again where nothing tells them apart any more.
    pub fn settle(&mut self, wave: u32) {
        let lanes = self.lanes(wave);
        let Some(wave) = self.waves.get_mut(wave as usize).filter(|wave| !wave.apart.is_empty()) else { return };
        let mut all = (0..).zip(&wave.apart).filter(|(lane, _)| lanes >> lane & 1 == 1).map(|(_, agent)| agent);
        let Some(first) = all.next() else { return };
        if all.all(|other| other == first) {
            wave.alike = first.clone();
            wave.apart = Vec::new();
        }
    }

    /// Bytes taken, without what is counted already.
    pub fn bytes(&self, counted: &mut Counted) -> usize {
        let agents = self.waves.iter().flat_map(|wave| wave.apart.iter().chain([&wave.alike]));
        agents.map(|agent| agent.bytes(counted)).sum()
    }
}
