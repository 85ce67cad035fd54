//! What a run finds: plain data.

use std::collections::BTreeMap;

use crate::code::Pc;
use crate::program::{Place, Program};
use lanescope_base::ids::Id;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// Two invocations access the same bytes, at least one of them writes, not both accesses are atomic, and nothing
    /// orders them.
    DataRace,
    /// The same, where both write, and what the later one writes is there already.
    EqualWrites,
    /// A control barrier that some invocations of the workgroup do not reach, or reach at another place.
    BarrierNotReached,
    /// A read of workgroup or function memory that nothing has written.
    Uninitialized,
    /// A derivative or quad operation while a lane of the quad is inactive.
    DivergentDerivative,
    /// An access beyond an object, or an index beyond a vector: reads give 0, writes are dropped.
    OutOfBounds,
    /// An access through a null pointer, or a descriptor that is not described: reads give 0, writes are dropped.
    NullPointer,
    /// An access to an address that is not a multiple of its `Aligned` operand: reads give 0, writes are dropped.
    Misaligned,
    /// An integer division or remainder by 0.
    DivisionByZero,
    /// A NaN that no operand of the instruction has.
    Nan,
    /// A value that depends on the wave size is read.
    WaveSizeDependence,
    /// A lane reads from a lane that is inactive, or beyond the subgroup: the result is 0.
    InactiveLane,
    /// `OpUnreachable` was reached: the invocations end.
    Unreachable,
}

/// A place in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Address {
    /// A byte of a buffer or image.
    Descriptor {
        /// The descriptor set.
        set: u32,
        /// The binding.
        binding: u32,
        /// The array element.
        element: u32,
        /// Offset in bytes.
        offset: u64,
    },
    /// A byte of a workgroup variable, or of an output that invocations share.
    Workgroup {
        /// The variable.
        variable: Id,
        /// Offset in bytes.
        offset: u64,
    },
    /// A byte of the push constants.
    PushConstants {
        /// Offset in bytes.
        offset: u64,
    },
    /// A variable of an invocation.
    Variable {
        /// Index of the scalar among the registers of a lane.
        register: u32,
    },
    /// An address that no buffer has.
    Physical(u64),
    /// A null pointer.
    Null,
}

/// The other access of a data race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherAccess {
    /// Its instruction.
    pub place: Place,
    /// Linear index of its workgroup.
    pub group: u64,
    /// Its local invocation index.
    pub invocation: u32,
    /// Whether it wrote.
    pub wrote: bool,
}

/// What was found at an instruction. Equal findings of one instruction are one event with a count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What was found.
    pub kind: EventKind,
    /// The instruction.
    pub place: Place,
    /// Linear index of the workgroup where it was found first.
    pub group: u64,
    /// The wave where it was found first.
    pub wave: u32,
    /// Its lanes, as bits: all that were found there at once.
    pub lanes: u64,
    /// The place in memory of the first lane, for kinds that have one.
    pub address: Option<Address>,
    /// The other access of a data race.
    pub other: Option<OtherAccess>,
    /// The step at which it was found first.
    pub step: u64,
    /// How many times waves found it: once for each time that the instruction ran.
    pub count: u64,
}

/// The most events of a kind that are kept apart. Many of one leave room for the others: equal writes for a race.
const MAX_EVENTS: usize = 1024;

/// The events of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct EventLog {
    index: BTreeMap<(EventKind, Pc, Pc), usize>,
    pub events: Vec<Event>,
    /// By event: the step at which it was found last.
    last: Vec<u64>,
    /// How many there are of each kind.
    counts: BTreeMap<EventKind, usize>,
    /// Whether there were more than are kept.
    pub full: bool,
}

/// Where and when something was found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site {
    pub pc: Pc,
    pub group: u64,
    pub wave: u32,
    pub step: u64,
}

impl EventLog {
    /// Adds what was found. `other` is a race's other access, with its instruction.
    pub fn add(
        &mut self,
        program: &Program,
        site: Site,
        kind: EventKind,
        lanes: u64,
        address: Option<Address>,
        other: Option<(Pc, OtherAccess)>,
    ) {
        let key = (kind, site.pc, other.map_or(Pc::MAX, |(pc, _)| pc));
        if let Some(&at) = self.index.get(&key) {
            let event = &mut self.events[at];
            if event.step == site.step {
                event.lanes |= lanes;
            }
            // Lanes of one instruction are found one after the other.
            if std::mem::replace(&mut self.last[at], site.step) != site.step {
                event.count += 1;
            }
            return;
        }
        let count = self.counts.entry(kind).or_default();
        if *count >= MAX_EVENTS {
            self.full = true;
            return;
        }
        *count += 1;
        self.index.insert(key, self.events.len());
        self.last.push(site.step);
        let Site { pc, group, wave, step } = site;
        let place = program.place(pc);
        let other = other.map(|(_, other)| other);
        self.events.push(Event { kind, place, group, wave, lanes, address, other, step, count: 1 });
    }
}
