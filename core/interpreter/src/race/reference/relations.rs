//! The relations of the memory model on the operations of a trace, each from its sentence in the specification.

use super::super::{Class, Classes, DEVICE, INVOCATION, Level, SUBGROUP, Semantics, WORKGROUP, Way};
use super::{Event, LOCATIONS, Place, Program, Step};

/// An operation of a trace: an event, or an availability or visibility operation that belongs to it.
#[derive(Debug, Clone, Copy)]
struct Operation {
    place: Place,
    agent: usize,
    /// In program order.
    number: usize,
    /// In the trace.
    step: usize,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Event(Event),
    /// Of a location, or of classes.
    Available(Covered, Level),
    Visible(Covered, Level),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Covered {
    Location(usize),
    Classes(Classes),
}

impl Covered {
    fn has(self, at: usize) -> bool {
        match self {
            Covered::Location(own) => own == at,
            Covered::Classes(classes) => classes >> LOCATIONS[at] as u8 & 1 == 1,
        }
    }

    fn has_class(self, class: Class) -> bool {
        match self {
            Covered::Location(at) => LOCATIONS[at] == class,
            Covered::Classes(classes) => classes >> class as u8 & 1 == 1,
        }
    }
}

impl Operation {
    fn event(&self) -> Option<Event> {
        if let Kind::Event(event) = self.kind { Some(event) } else { None }
    }

    /// The location, whether it reads, whether it writes.
    fn access(&self) -> Option<(usize, bool, bool)> {
        match self.event()? {
            Event::Load(at, _) => Some((at, true, false)),
            Event::Store(at, _) => Some((at, false, true)),
            Event::Atomic { at, reads, writes, .. } => Some((at, reads, writes)),
            _ => None,
        }
    }

    fn way(&self) -> Way {
        match self.event() {
            Some(Event::Load(_, way) | Event::Store(_, way)) => way,
            Some(Event::Atomic { semantics, .. }) => Way::atomic(semantics.level),
            _ => Way::default(),
        }
    }

    fn atomic(&self) -> Option<(usize, bool, bool, Semantics)> {
        match self.event()? {
            Event::Atomic { at, reads, writes, semantics } => Some((at, reads, writes, semantics)),
            _ => None,
        }
    }

    fn barrier(&self) -> Option<Semantics> {
        match self.event()? {
            Event::MemoryBarrier(semantics) | Event::ControlBarrier(semantics) => Some(semantics),
            _ => None,
        }
    }

    fn semantics(&self) -> Option<Semantics> {
        self.barrier().or(self.atomic().map(|(_, _, _, semantics)| semantics))
    }

    fn releases(&self) -> bool {
        self.barrier().is_some_and(|semantics| semantics.release)
            || self.atomic().is_some_and(|(_, _, writes, semantics)| writes && semantics.release)
    }

    fn acquires(&self) -> bool {
        self.barrier().is_some_and(|semantics| semantics.acquire)
            || self.atomic().is_some_and(|(_, reads, _, semantics)| reads && semantics.acquire)
    }

    /// Whether its semantics name a class.
    fn names(&self, class: Class) -> bool {
        self.semantics().is_some_and(|semantics| semantics.classes >> class as u8 & 1 == 1)
    }

    /// Whether it is an operation on memory of a class.
    fn is_on(&self, class: Class) -> bool {
        match self.kind {
            Kind::Event(_) => self.access().is_some_and(|(at, _, _)| LOCATIONS[at] == class),
            Kind::Available(covered, _) | Kind::Visible(covered, _) => covered.has_class(class),
        }
    }

    fn before(&self, other: &Operation) -> bool {
        self.agent == other.agent && self.number < other.number
    }

    /// The availability that it gives to writes of its own invocation, or passes on: level and what it covers.
    fn available(&self) -> Option<(Covered, Level)> {
        match self.kind {
            Kind::Available(covered, level) => Some((covered, level)),
            Kind::Event(Event::Atomic { at, writes: true, semantics, .. }) => {
                Some((Covered::Location(at), semantics.level))
            }
            _ => None,
        }
    }

    fn visible(&self) -> Option<(Covered, Level)> {
        match self.kind {
            Kind::Visible(covered, level) => Some((covered, level)),
            // For itself only: see where it is asked.
            Kind::Event(Event::Atomic { at, reads: true, semantics, .. }) => {
                Some((Covered::Location(at), semantics.level))
            }
            _ => None,
        }
    }
}

/// The smallest level whose instance has both.
fn common(one: &Operation, other: &Operation) -> Level {
    let (a, b) = (one.place, other.place);
    if a.0 != b.0 {
        DEVICE
    } else if a.1 != b.1 {
        WORKGROUP
    } else {
        SUBGROUP
    }
}

/// The relations of a trace.
pub(super) struct Relations {
    all: Vec<Operation>,
    /// By class: inter-thread-happens-before.
    between: Vec<Vec<Vec<bool>>>,
}

impl Relations {
    pub(super) fn of(program: &Program, trace: &[Step]) -> Relations {
        let mut all = Vec::new();
        for (step, events) in trace.iter().enumerate() {
            for &(agent, at) in events {
                let place = program.agents[agent].0;
                let event = program.event((agent, at));
                let mut push = |part: usize, kind| {
                    all.push(Operation { place, agent, number: 3 * at + part, step, kind });
                };
                push(1, Kind::Event(event));
                match event {
                    Event::Store(at, way) if !way.is_private && way.level > INVOCATION => {
                        push(2, Kind::Available(Covered::Location(at), way.level));
                    }
                    Event::Load(at, way) if !way.is_private && way.level > INVOCATION => {
                        push(0, Kind::Visible(Covered::Location(at), way.level));
                    }
                    Event::Atomic { semantics, .. }
                    | Event::MemoryBarrier(semantics)
                    | Event::ControlBarrier(semantics) => {
                        let covered = Covered::Classes(semantics.classes);
                        if semantics.available && semantics.level > INVOCATION {
                            push(0, Kind::Available(covered, semantics.level));
                        }
                        if semantics.visible && semantics.level > INVOCATION {
                            push(2, Kind::Visible(covered, semantics.level));
                        }
                    }
                    _ => {}
                }
            }
        }
        let mut relations = Relations { all, between: Vec::new() };
        for class in [Class::Workgroup, Class::Buffer, Class::Image] {
            let between = relations.inter_thread(class);
            relations.between.push(between);
        }
        relations
    }

    /// "Mutually-ordered".
    fn mutual(&self, a: &Operation, b: &Operation) -> bool {
        let (Some((at, _, _, one)), Some((other_at, _, _, other))) = (a.atomic(), b.atomic()) else { return false };
        let level = common(a, b);
        at == other_at && a.agent != b.agent && level <= one.level && level <= other.level
            || at == other_at && a.agent == b.agent && a.number != b.number && one.level.min(other.level) > INVOCATION
    }

    /// The write whose value a read gets: the last one before it.
    fn read_from(&self, read: &Operation) -> Option<&Operation> {
        let (at, _, _) = read.access()?;
        let writes = self.all.iter().filter(|one| one.access().is_some_and(|(own, _, writes)| own == at && writes));
        writes.filter(|write| write.step < read.step).max_by_key(|write| write.step)
    }

    /// Whether a read gets the value of the release sequence that an atomic write heads.
    fn reads_sequence(&self, read: &Operation, head: &Operation) -> bool {
        let Some(from) = self.read_from(read) else { return false };
        if from.step == head.step {
            return true;
        }
        let mut writes: Vec<&Operation> = self.all.iter().filter(|one| one.step > head.step).collect();
        writes.retain(|one| one.atomic().is_some_and(|(_, _, writes, _)| writes) && self.mutual(one, head));
        writes.sort_by_key(|one| one.step);
        for write in writes {
            if !write.atomic().is_some_and(|(_, reads, _, _)| reads) {
                return false;
            }
            if write.step == from.step {
                return true;
            }
        }
        false
    }

    /// "Synchronizes-with".
    fn synchronizes(&self, a: &Operation, b: &Operation) -> bool {
        if !a.releases() || !b.acquires() {
            return false;
        }
        let (Some(release), Some(acquire)) = (a.semantics(), b.semantics()) else { return false };
        let level = common(a, b);
        let in_scope = level <= release.level && level <= acquire.level;
        let names =
            |one: &Operation, atomic: &Operation| atomic.access().is_some_and(|(at, _, _)| one.names(LOCATIONS[at]));
        let writes = |x: &&Operation| x.atomic().is_some_and(|(_, _, writes, s)| writes && s.level > INVOCATION);
        let reads = |y: &&Operation| y.atomic().is_some_and(|(_, reads, _, s)| reads && s.level > INVOCATION);
        match (a.atomic().is_some(), b.atomic().is_some()) {
            (true, true) => self.mutual(a, b) && self.reads_sequence(b, a),
            (false, true) => {
                in_scope
                    && self
                        .all
                        .iter()
                        .filter(writes)
                        .any(|x| a.before(x) && self.mutual(x, b) && self.reads_sequence(b, x) && names(a, x))
            }
            (true, false) => {
                in_scope
                    && self
                        .all
                        .iter()
                        .filter(reads)
                        .any(|x| x.before(b) && self.mutual(x, a) && self.reads_sequence(x, a) && names(b, x))
            }
            (false, false) => {
                let through_atomics = self.all.iter().filter(writes).filter(|x| a.before(x) && names(a, x)).any(|x| {
                    let mut all = self.all.iter().filter(reads).filter(|y| y.before(b) && names(b, y));
                    all.any(|y| self.mutual(x, y) && self.reads_sequence(y, x))
                });
                let same = |one: &Operation, other: &Operation| one.agent == other.agent && one.number == other.number;
                let is_control = |one: &&Operation| matches!(one.event(), Some(Event::ControlBarrier(_)));
                let through_control = self.all.iter().filter(is_control).any(|c| {
                    (same(a, c) || a.before(c))
                        && self.all.iter().filter(is_control).any(|other| {
                            other.step == c.step && other.agent != c.agent && (same(b, other) || other.before(b))
                        })
                });
                in_scope && (through_atomics || through_control)
            }
        }
    }

    /// "Inter-thread-happens-before" for one storage class.
    fn inter_thread(&self, class: Class) -> Vec<Vec<bool>> {
        let count = self.all.len();
        let mut out = vec![vec![false; count]; count];
        for (i, a) in self.all.iter().enumerate() {
            for (j, b) in self.all.iter().enumerate() {
                let takes_part = |one: &Operation| one.is_on(class) || one.names(class);
                out[i][j] = (self.synchronizes(a, b) && a.names(class) && b.names(class))
                    || (a.before(b) && takes_part(a) && b.releases() && b.names(class))
                    || (a.before(b) && a.acquires() && a.names(class) && takes_part(b));
            }
        }
        for through in 0..count {
            for i in 0..count {
                for j in 0..count {
                    out[i][j] |= out[i][through] && out[through][j];
                }
            }
        }
        out
    }

    fn happens_before(&self, class: Class, a: usize, b: usize) -> bool {
        self.all[a].before(&self.all[b]) || self.between[class as usize][a][b]
    }

    /// Availability operations at the end of a chain for a write, with their levels.
    fn chain_ends(&self, write: usize) -> Vec<(usize, Level)> {
        let x = &self.all[write];
        let Some((at, _, _)) = x.access() else { return Vec::new() };
        let class = LOCATIONS[at];
        let mut ends: Vec<(usize, Level)> = Vec::new();
        for (av, one) in self.all.iter().enumerate() {
            let Some((covered, level)) = one.available() else { continue };
            let is_own = av == write || x.before(one);
            if one.agent == x.agent && is_own && covered.has(at) && level > INVOCATION {
                ends.push((av, level));
            }
        }
        // Elements that go on, to broader domains.
        let mut next = 0;
        while next < ends.len() {
            let (last, level) = ends[next];
            next += 1;
            for (av, one) in self.all.iter().enumerate() {
                let Kind::Available(Covered::Classes(_), broader) = one.kind else { continue };
                let Some((covered, _)) = one.available() else { continue };
                let goes_on = broader > level
                    && covered.has(at)
                    && common(&self.all[last], one) <= level
                    && self.happens_before(class, last, av);
                if goes_on && !ends.contains(&(av, broader)) {
                    ends.push((av, broader));
                }
            }
        }
        ends
    }

    /// "Location-ordered", for two accesses to a location by different invocations.
    fn location_ordered(&self, x: usize, y: usize) -> bool {
        let (one, other) = (&self.all[x], &self.all[y]);
        let (Some((at, _, x_writes)), Some((_, y_reads, _))) = (one.access(), other.access()) else { return false };
        let class = LOCATIONS[at];
        if one.way().is_private || other.way().is_private {
            return false;
        }
        if !x_writes {
            return self.happens_before(class, x, y);
        }
        self.chain_ends(x).into_iter().any(|(av, level)| {
            (SUBGROUP..=level).any(|domain| {
                let end = &self.all[av];
                let has = |one: &Operation| common(end, one) <= domain;
                if !has(one) || !has(other) {
                    return false;
                }
                if !y_reads {
                    return self.happens_before(class, av, y);
                }
                self.all.iter().enumerate().any(|(vis, seen)| {
                    let Some((covered, from)) = seen.visible() else { return false };
                    seen.agent == other.agent
                        && (vis == y || (seen.before(other) && seen.event().is_none()))
                        && covered.has(at)
                        && from >= domain
                        && self.happens_before(class, av, vis)
                })
            })
        })
    }

    /// "Data race": of accesses with no write to the location between them.
    pub(super) fn race(&self) -> bool {
        let accesses: Vec<(usize, usize, bool)> = self
            .all
            .iter()
            .enumerate()
            .filter_map(|(number, one)| one.access().map(|(at, _, writes)| (number, at, writes)))
            .collect();
        accesses.iter().any(|&(x, at, x_writes)| {
            accesses.iter().any(|&(y, other_at, y_writes)| {
                let (one, other) = (&self.all[x], &self.all[y]);
                let conflict = at == other_at && one.step < other.step && (x_writes || y_writes);
                let between = accesses.iter().any(|&(z, z_at, writes)| {
                    z_at == at && writes && one.step < self.all[z].step && self.all[z].step < other.step
                });
                conflict
                    && !between
                    && one.agent != other.agent
                    && !self.mutual(one, other)
                    && !self.location_ordered(x, y)
            })
        })
    }
}
