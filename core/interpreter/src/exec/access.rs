//! Access chains, loads and stores.

use super::wave::Wave;
use super::{copy_all, move_slots, range};
use crate::access_log::{AccessLog, LoggedAccess, LoggedFilter, LoggedKind};
use crate::code::{Access, Chain, Check, Code, Pc, Slot, Space};
use crate::event::{Address, EventKind, OtherAccess};
use crate::kernels::Mask;
use crate::kernels::int::{ones, sign_extend};
use crate::memory::{OFFSET_BITS, OFFSET_MASK, Object, Origin};
use crate::program::Program;
use crate::race::{self, AtomicUse, Class, Order, Present, Semantics, Shadows, Span, Way};
use crate::types::ScalarAt;

/// The slot that a pointer beyond a variable leads to.
const NO_SLOT: u64 = u64::MAX;

/// Memory outside of registers.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    pub objects: Vec<Object>,
    pub shadows: Shadows,
    pub order: Order,
    /// Buffers with an address: first address, object. Sorted.
    pub addresses: Vec<(u64, u32)>,
    /// By resource: number of descriptors.
    pub descriptors: Vec<u64>,
    /// What was accessed, where that is asked for.
    pub log: Option<AccessLog>,
}

/// Something that was found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub kind: EventKind,
    pub lane: u32,
    pub address: Option<Address>,
    /// The other access of a race, with its instruction.
    pub other: Option<(u32, OtherAccess)>,
}

impl Found {
    pub fn new(kind: EventKind, lane: usize, address: Option<Address>) -> Found {
        Found { kind, lane: lane as u32, address, other: None }
    }
}

/// An access to an object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touch {
    pub object: usize,
    pub offset: u64,
    pub bytes: u32,
    pub reads: bool,
    pub writes: bool,
    /// A write leaves the bytes as they are.
    pub same: bool,
    pub way: Way,
}

/// Who runs an instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context {
    pub pc: u32,
    /// Linear index of the workgroup.
    pub group: u64,
    pub wave: u32,
    /// Linear index of the first workgroup of the run.
    pub first: u64,
    pub races: bool,
    pub uninitialized: bool,
}

impl Memory {
    /// The object and offset that a pointer leads to.
    #[inline(always)]
    pub fn resolve(&self, space: Space, pointer: u64) -> Result<(usize, u64), (EventKind, Address)> {
        if pointer == 0 {
            return Err((EventKind::NullPointer, Address::Null));
        }
        if space == Space::Physical {
            let at = self.addresses.partition_point(|&(base, _)| base <= pointer);
            let found = at.checked_sub(1).and_then(|at| self.addresses.get(at));
            let found = found.map(|&(base, object)| (object as usize, pointer - base));
            let inside =
                found.filter(|&(object, at)| self.objects.get(object).is_some_and(|o| at < o.bytes().len() as u64));
            return inside.ok_or((EventKind::OutOfBounds, Address::Physical(pointer)));
        }
        let object = (pointer >> OFFSET_BITS) as usize;
        if object == 0 || object >= self.objects.len() {
            return Err((EventKind::NullPointer, Address::Null));
        }
        Ok((object, pointer & OFFSET_MASK))
    }

    /// Records an atomic operation for races, with what it orders.
    pub fn synchronize(
        &mut self,
        program: &Program,
        context: &Context,
        lane: usize,
        (touch, semantics): (Touch, Semantics),
        found: &mut Vec<Found>,
    ) {
        let Touch { object, offset, bytes, reads, writes, .. } = touch;
        let Some(class) = self.class(context, object) else { return };
        let agent = self.order.agent(context.wave, lane);
        let atomic = AtomicUse { class, object, offset, bytes, reads, writes, semantics };
        let shadows = &mut self.shadows;
        let race = self.order.atomic(agent, &atomic, |order| access(shadows, order, class, touch, (context.pc, agent)));
        self.settle();
        found.extend(race.map(|race| self.race(program, context, (lane, touch), race)));
    }

    /// Logs what a lane's instruction accesses: ranges of an object, of which the first one begins the access.
    #[inline]
    pub fn log(
        &mut self,
        at: (&Wave, usize, Pc),
        kind: LoggedKind,
        object: usize,
        ranges: impl IntoIterator<Item = (u64, u32)>,
    ) {
        self.log_filtered(at, (kind, None), object, ranges);
    }

    /// The same with how texels are sampled.
    #[inline]
    pub fn log_filtered(
        &mut self,
        (wave, lane, instruction): (&Wave, usize, Pc),
        (kind, filter): (LoggedKind, Option<LoggedFilter>),
        object: usize,
        ranges: impl IntoIterator<Item = (u64, u32)>,
    ) {
        let Some(log) = &mut self.log else { return };
        let invocation = wave.lanes.invocations.get(lane).copied().flatten().unwrap_or(0);
        let (object, helper) = (object as u32, wave.is_helper(lane));
        let mut begins = true;
        for (offset, bytes) in ranges {
            log.push(LoggedAccess { offset, instruction, invocation, object, bytes, kind, begins, helper, filter });
            begins = false;
        }
    }

    /// The class of an object whose accesses are followed.
    #[inline]
    fn class(&self, context: &Context, object: usize) -> Option<Class> {
        self.objects[object].class.filter(|_| context.races && !self.order.is_stopped())
    }

    /// Counts the memory that the order of accesses takes, where that may have grown by much. Where there is not enough,
    /// no more races are found.
    pub fn settle(&mut self) {
        if self.order.spent() < self.shadows.uncounted() {
            return;
        }
        if !self.shadows.set_aside(self.order.count()) {
            self.order.stop();
            self.shadows.stop();
        }
    }

    /// Records an access for races.
    #[inline]
    pub fn record(&mut self, program: &Program, context: &Context, lane: usize, touch: Touch, found: &mut Vec<Found>) {
        let Some(class) = self.class(context, touch.object) else { return };
        let agent = self.order.agent(context.wave, lane);
        let race = access(&mut self.shadows, &self.order, class, touch, (context.pc, agent));
        if touch.writes && !touch.way.atomic {
            self.order.plain_write(touch.object, touch.offset);
        }
        if let Some(race) = race {
            found.push(self.race(program, context, (lane, touch), race));
        }
    }

    /// A race of a lane's access with an earlier one, which wrote or not.
    fn race(
        &self,
        program: &Program,
        context: &Context,
        (lane, touch): (usize, Touch),
        (before, wrote): (race::Access, bool),
    ) -> Found {
        let other = OtherAccess {
            place: program.place(before.pc),
            group: context.first.saturating_add(u64::from(before.group - 1)),
            invocation: self.order.invocation(before.agent),
            wrote,
        };
        let address = Some(self.objects[touch.object].address(touch.offset));
        let is_plain_write = touch.writes && !touch.reads && !touch.way.atomic;
        let kind = match wrote && touch.same && is_plain_write && !before.way.atomic {
            true => EventKind::EqualWrites,
            false => EventKind::DataRace,
        };
        Found { kind, lane: lane as u32, address, other: Some((before.pc, other)) }
    }
}

/// Records an access of an invocation. Returns an earlier one with which it is a race, and whether that one wrote.
#[inline]
fn access(
    shadows: &mut Shadows,
    order: &Order,
    class: Class,
    touch: Touch,
    (pc, agent): (Pc, u32),
) -> Option<(race::Access, bool)> {
    let Touch { object, offset, bytes, reads, writes, way, .. } = touch;
    let now = Present { agent, reads, writes, way };
    shadows.record(order, Span { class, object, offset, bytes }, pc, &now)
}

/// Runs an access chain.
pub(crate) fn chain(wave: &mut Wave, memory: &Memory, chain: &Chain) {
    let mask = wave.exec();
    let lanes = mask.lanes;
    for lane in mask.iter() {
        let base = wave.regs[chain.base as usize * lanes + lane];
        let terms = chain.terms.iter().map(|term| {
            let index = sign_extend(wave.regs[term.index as usize * lanes + lane], term.bits);
            (term, index)
        });
        let value = match chain.space {
            Space::Physical => terms.fold(base.wrapping_add(chain.offset), |sum, (term, index)| {
                sum.wrapping_add((index as u64).wrapping_mul(term.stride))
            }),
            Space::Slots => {
                let mut at = Some(base).filter(|&base| base != NO_SLOT).and_then(|base| base.checked_add(chain.offset));
                for (term, index) in terms {
                    let index = u64::try_from(index).ok().filter(|&i| term.count.is_none_or(|count| i < count));
                    let step = index.and_then(|index| index.checked_mul(term.stride));
                    at = at.zip(step).and_then(|(at, step)| at.checked_add(step));
                }
                at.unwrap_or(NO_SLOT)
            }
            Space::Object => {
                let mut object = base & !OFFSET_MASK;
                let mut offset = ((base & OFFSET_MASK) as i64).saturating_add(chain.offset as i64);
                let mut beyond = base & OFFSET_MASK == OFFSET_MASK;
                for (term, index) in terms {
                    let inside = |count: u64| u64::try_from(index).is_ok_and(|index| index < count);
                    if let Some(resource) = term.descriptors {
                        let count = memory.descriptors.get(resource as usize).copied().unwrap_or(0);
                        object = if inside(count) { object.wrapping_add((index as u64) << OFFSET_BITS) } else { 0 };
                    } else {
                        beyond |= term.count.is_some_and(|count| !inside(count));
                        offset = offset.saturating_add(index.saturating_mul(term.stride as i64));
                    }
                }
                let offset = u64::try_from(offset).ok().filter(|&offset| offset < OFFSET_MASK && !beyond);
                object | offset.unwrap_or(OFFSET_MASK)
            }
        };
        wave.regs[chain.dst as usize * lanes + lane] = value;
    }
}

/// Runs a load or store of variables of the invocation; false if it is another instruction.
pub(crate) fn variables(
    wave: &mut Wave,
    program: &Program,
    code: &Code,
    context: &Context,
    found: &mut Vec<Found>,
) -> bool {
    let mask = wave.exec();
    let start = program.variables.start;
    match *code {
        Code::LoadVariable { dst, src, n, check } => {
            if check != Check::No && context.uninitialized {
                report_unwritten(wave, start, src, n, check, mask, found);
            }
            // The slots of variables are below those of values.
            let (below, above) = wave.regs.split_at_mut(dst as usize * mask.lanes);
            copy_all(&mut above[..n as usize * mask.lanes], &below[range(src, n, mask.lanes)], mask);
        }
        Code::StoreVariable { dst, src, n } => {
            move_slots(&mut wave.regs, dst, src, n, mask);
            mark_written(wave, start, dst, n, mask.bits);
        }
        Code::LoadSlots { dst, pointer, n, check } => {
            for (src, lanes) in same_pointers(wave, pointer, mask) {
                let lanes = Mask { bits: lanes, ..mask };
                match slot_of(program, src, n) {
                    Some(src) => {
                        if check != Check::No && context.uninitialized {
                            report_unwritten(wave, start, src, n, check, lanes, found);
                        }
                        move_slots(&mut wave.regs, dst, src, n, lanes);
                    }
                    None => {
                        for lane in lanes.iter() {
                            found.push(Found::new(EventKind::OutOfBounds, lane, None));
                            for at in 0..n as usize {
                                wave.regs[(dst as usize + at) * mask.lanes + lane] = 0;
                            }
                        }
                    }
                }
            }
        }
        Code::StoreSlots { pointer, src, n } => {
            for (dst, lanes) in same_pointers(wave, pointer, mask) {
                let lanes = Mask { bits: lanes, ..mask };
                match slot_of(program, dst, n) {
                    Some(dst) => {
                        move_slots(&mut wave.regs, dst, src, n, lanes);
                        mark_written(wave, start, dst, n, lanes.bits);
                    }
                    None => {
                        let beyond = lanes.iter().map(|lane| Found::new(EventKind::OutOfBounds, lane, None));
                        found.extend(beyond);
                    }
                }
            }
        }
        Code::Enter { first, n } => {
            for slot in first..first + n {
                let at = slot as usize * mask.lanes;
                for lane in mask.iter() {
                    wave.regs[at + lane] = 0;
                }
                if let Some(written) = wave.written.get_mut((slot - start) as usize) {
                    *written &= !mask.bits;
                }
            }
        }
        _ => return false,
    }
    true
}

/// The different values of a pointer, with the lanes that have each.
fn same_pointers(wave: &Wave, pointer: Slot, mask: Mask) -> Vec<(u64, u64)> {
    let mut out: Vec<(u64, u64)> = Vec::new();
    for lane in mask.iter() {
        let value = wave.regs[pointer as usize * mask.lanes + lane];
        match out.iter_mut().find(|(other, _)| *other == value) {
            Some((_, lanes)) => *lanes |= 1 << lane,
            None => out.push((value, 1 << lane)),
        }
    }
    out
}

/// The first of `n` slots of variables.
fn slot_of(program: &Program, pointer: u64, n: u32) -> Option<Slot> {
    let slot = Slot::try_from(pointer).ok()?;
    let inside = slot >= program.variables.start && slot.checked_add(n)? <= program.variables.end;
    inside.then_some(slot)
}

fn mark_written(wave: &mut Wave, start: Slot, slot: Slot, n: u32, lanes: u64) {
    let at = (slot - start) as usize;
    for written in wave.written.iter_mut().skip(at).take(n as usize) {
        *written |= lanes;
    }
}

fn report_unwritten(wave: &Wave, start: Slot, slot: Slot, n: u32, check: Check, mask: Mask, found: &mut Vec<Found>) {
    let at = (slot - start) as usize;
    let written = wave.written.get(at..at + n as usize).unwrap_or(&[]);
    let unwritten = match check {
        Check::Any => !written.iter().fold(u64::MAX, |all, lanes| all & lanes),
        _ if n == 0 => 0,
        _ => !written.iter().fold(0, |any, lanes| any | lanes),
    };
    for lane in (Mask { bits: unwritten & mask.bits, ..mask }).iter() {
        let address = Some(Address::Variable { register: slot });
        found.push(Found::new(EventKind::Uninitialized, lane, address));
    }
}

/// Runs a load from memory.
pub(crate) fn load(
    wave: &mut Wave,
    memory: &mut Memory,
    program: &Program,
    context: &Context,
    (dst, pointer, access): (Slot, Slot, &Access),
    found: &mut Vec<Found>,
) {
    let mask = wave.exec();
    let lanes = mask.lanes;
    for lane in mask.iter() {
        let address = wave.regs[pointer as usize * lanes + lane];
        let target = aligned(memory, access, address);
        let (object, offset) = match target {
            Ok(target) => target,
            Err((kind, address)) => {
                found.push(Found::new(kind, lane, Some(address)));
                for at in 0..access.scalars.len() {
                    wave.regs[(dst as usize + at) * lanes + lane] = 0;
                }
                continue;
            }
        };
        let mut beyond = None;
        let checked = memory.objects[object].written.is_some() && context.uninitialized;
        for (at, scalar) in access.scalars.iter().enumerate() {
            let from = offset.saturating_add(scalar.offset);
            let value = memory.objects[object].read(from, scalar.bytes);
            match value {
                None => beyond = beyond.or(Some(from)),
                Some(_) => {
                    if checked && memory.objects[object].is_unwritten(from, scalar.bytes) {
                        let address = Some(memory.objects[object].address(from));
                        found.push(Found::new(EventKind::Uninitialized, lane, address));
                    }
                    let (bytes, way) = (scalar.bytes, access.way);
                    let touch = Touch { object, offset: from, bytes, reads: true, writes: false, same: false, way };
                    memory.record(program, context, lane, touch, found);
                }
            }
            let value = value.unwrap_or(0);
            let value = if scalar.is_bool { u64::from(value != 0) } else { value };
            wave.regs[(dst as usize + at) * lanes + lane] = value;
        }
        if let Some(from) = beyond {
            found.push(beyond_object(&memory.objects[object], lane, from));
        }
        if memory.log.is_some() {
            let ranges = ranges(&memory.objects[object], offset, &access.scalars);
            memory.log((wave, lane, context.pc), LoggedKind::Load, object, ranges);
        }
    }
}

/// Runs a store to memory.
pub(crate) fn store(
    wave: &mut Wave,
    memory: &mut Memory,
    program: &Program,
    context: &Context,
    (pointer, src, access): (Slot, Slot, &Access),
    found: &mut Vec<Found>,
) {
    let mask = wave.exec();
    let lanes = mask.lanes;
    for lane in mask.iter() {
        if wave.is_helper(lane) {
            continue;
        }
        let address = wave.regs[pointer as usize * lanes + lane];
        let (object, offset) = match aligned(memory, access, address) {
            Ok(target) if access.writable => target,
            Ok(_) => continue,
            Err((kind, address)) => {
                found.push(Found::new(kind, lane, Some(address)));
                continue;
            }
        };
        let mut beyond = None;
        for (at, scalar) in access.scalars.iter().enumerate() {
            let to = offset.saturating_add(scalar.offset);
            let value = wave.regs[(src as usize + at) * lanes + lane];
            // Invocations may write the same value to an output that they share.
            let target = &memory.objects[object];
            let same = target.read(to, scalar.bytes) == Some(value & ones(u64::from(scalar.bytes) * 8));
            if same && matches!(target.origin, Origin::Output(_)) && !target.is_unwritten(to, scalar.bytes) {
                continue;
            }
            if memory.objects[object].write(to, scalar.bytes, value) {
                let (bytes, way) = (scalar.bytes, access.way);
                let touch = Touch { object, offset: to, bytes, reads: false, writes: true, same, way };
                memory.record(program, context, lane, touch, found);
            } else {
                beyond = beyond.or(Some(to));
            }
        }
        if let Some(to) = beyond {
            found.push(beyond_object(&memory.objects[object], lane, to));
        }
        if memory.log.is_some() {
            let ranges = ranges(&memory.objects[object], offset, &access.scalars);
            memory.log((wave, lane, context.pc), LoggedKind::Store, object, ranges);
        }
    }
}

/// The ranges of an object that scalars at an offset take, neighbours as one; without those that are not inside.
fn ranges(object: &Object, offset: u64, scalars: &[ScalarAt]) -> Vec<(u64, u32)> {
    let size = object.bytes().len() as u64;
    let mut out: Vec<(u64, u32)> = Vec::with_capacity(1);
    for scalar in scalars {
        let at = offset.saturating_add(scalar.offset);
        if at.saturating_add(u64::from(scalar.bytes)) > size {
            continue;
        }
        match out.last_mut() {
            Some((first, bytes)) if *first + u64::from(*bytes) == at => *bytes += scalar.bytes,
            _ => out.push((at, scalar.bytes)),
        }
    }
    out
}

/// The target of an access, if its address is aligned as it says.
#[inline(always)]
fn aligned(memory: &Memory, access: &Access, address: u64) -> Result<(usize, u64), (EventKind, Address)> {
    if access.space == Space::Physical && address != 0 && !address.is_multiple_of(u64::from(access.align)) {
        return Err((EventKind::Misaligned, Address::Physical(address)));
    }
    memory.resolve(access.space, address)
}

/// An access beyond an object; a descriptor that is not described has no bytes.
pub(crate) fn beyond_object(object: &Object, lane: usize, offset: u64) -> Found {
    let kind = if object.bytes().is_empty() { EventKind::NullPointer } else { EventKind::OutOfBounds };
    Found::new(kind, lane, Some(object.address(offset)))
}

/// Runs `OpArrayLength`.
pub(crate) fn array_length(
    wave: &mut Wave,
    memory: &Memory,
    (dst, pointer, start, stride): (Slot, Slot, u32, u32),
    found: &mut Vec<Found>,
) {
    let mask = wave.exec();
    for lane in mask.iter() {
        let address = wave.regs[pointer as usize * mask.lanes + lane];
        let length = match memory.resolve(Space::Object, address) {
            Ok((object, offset)) => {
                let bytes = memory.objects[object].bytes().len() as u64;
                bytes.saturating_sub(offset).saturating_sub(u64::from(start)) / u64::from(stride.max(1))
            }
            Err((kind, address)) => {
                found.push(Found::new(kind, lane, Some(address)));
                0
            }
        };
        wave.regs[dst as usize * mask.lanes + lane] = length & 0xffff_ffff;
    }
}
