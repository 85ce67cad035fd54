//! Atomic operations: lanes take turns in order.

use super::access::{Context, Found, Memory, Touch, beyond_object};
use super::wave::Wave;
use crate::access_log::LoggedKind;
use crate::code::Atomic;
use crate::kernels::float::Real;
use crate::kernels::int::{ones, sign_extend};
use crate::program::Program;
use crate::race::Way;
use lanescope_spirv::enums::Op;

/// The value that an atomic operation leaves, from the value that was there.
fn combine(atomic: &Atomic, old: u64, value: u64, comparator: u64) -> u64 {
    let bits = atomic.bits;
    let signed = |value: u64| sign_extend(value, bits);
    let new = match atomic.op {
        Op::AtomicStore | Op::AtomicExchange => value,
        Op::AtomicCompareExchange => {
            if old == comparator {
                value
            } else {
                old
            }
        }
        Op::AtomicIIncrement => old.wrapping_add(1),
        Op::AtomicIDecrement => old.wrapping_sub(1),
        Op::AtomicIAdd => old.wrapping_add(value),
        Op::AtomicISub => old.wrapping_sub(value),
        Op::AtomicSMin => signed(old).min(signed(value)) as u64,
        Op::AtomicSMax => signed(old).max(signed(value)) as u64,
        Op::AtomicUMin => old.min(value),
        Op::AtomicUMax => old.max(value),
        Op::AtomicAnd => old & value,
        Op::AtomicOr => old | value,
        Op::AtomicXor => old ^ value,
        Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT => match bits {
            16 => real::<crate::kernels::float::Half>(atomic.op, old, value),
            32 => real::<f32>(atomic.op, old, value),
            _ => real::<f64>(atomic.op, old, value),
        },
        _ => old,
    };
    new & ones(u64::from(bits))
}

fn real<T: Real>(op: Op, old: u64, value: u64) -> u64 {
    let (a, b) = (T::load(old), T::load(value));
    match op {
        Op::AtomicFAddEXT => a + b,
        Op::AtomicFMinEXT => {
            if b < a || a.is_nan() {
                b
            } else {
                a
            }
        }
        _ => {
            if b > a || a.is_nan() {
                b
            } else {
                a
            }
        }
    }
    .store()
}

/// Runs an atomic operation.
pub(crate) fn atomic(
    wave: &mut Wave,
    memory: &mut Memory,
    program: &Program,
    context: &Context,
    atomic: &Atomic,
    found: &mut Vec<Found>,
) {
    let mask = wave.exec();
    let lanes = mask.lanes;
    let bytes = atomic.bits / 8;
    for lane in mask.iter() {
        let get = |slot: u32| wave.regs[slot as usize * lanes + lane];
        let (value, comparator) = (get(atomic.value), get(atomic.comparator));
        let mut old = 0;
        if wave.is_helper(lane) {
            // Without effect; the result is undefined.
            if let Some(dst) = atomic.dst {
                wave.regs[dst as usize * lanes + lane] = 0;
            }
            continue;
        }
        match memory.resolve(atomic.space, get(atomic.pointer)) {
            Err((kind, address)) => found.push(Found::new(kind, lane, Some(address))),
            Ok((object, offset)) => match memory.objects[object].read(offset, bytes) {
                None => found.push(beyond_object(&memory.objects[object], lane, offset)),
                Some(before) => {
                    old = before;
                    let fails = atomic.op == Op::AtomicCompareExchange && old != comparator;
                    let writes = atomic.op != Op::AtomicLoad && !fails;
                    let is_initial = atomic.op != Op::AtomicStore && context.uninitialized;
                    if is_initial && memory.objects[object].is_unwritten(offset, bytes) {
                        let address = Some(memory.objects[object].address(offset));
                        found.push(Found::new(crate::event::EventKind::Uninitialized, lane, address));
                    }
                    if writes && memory.objects[object].class.is_some() {
                        memory.objects[object].write(offset, bytes, combine(atomic, old, value, comparator));
                    }
                    let semantics = if fails { atomic.unequal } else { atomic.semantics };
                    let (reads, way) = (atomic.op != Op::AtomicStore, Way::atomic(semantics.level));
                    let touch = Touch { object, offset, bytes, reads, writes, same: false, way };
                    memory.synchronize(program, context, lane, (touch, semantics), found);
                    memory.log((wave, lane, context.pc), LoggedKind::Atomic, object, [(offset, bytes)]);
                }
            },
        }
        if let Some(dst) = atomic.dst {
            wave.regs[dst as usize * lanes + lane] = old;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Space;
    use crate::race::Semantics;

    #[test]
    fn combines_at_the_width() {
        let row = |op, bits| Atomic {
            op,
            space: Space::Object,
            dst: None,
            pointer: 0,
            value: 0,
            comparator: 0,
            bits,
            semantics: Semantics::default(),
            unequal: Semantics::default(),
        };
        assert_eq!(combine(&row(Op::AtomicIAdd, 32), 0xffff_ffff, 2, 0), 1);
        assert_eq!(combine(&row(Op::AtomicSMin, 32), 5, 0xffff_fffe, 0), 0xffff_fffe);
        assert_eq!(combine(&row(Op::AtomicUMin, 32), 5, 0xffff_fffe, 0), 5);
        assert_eq!(combine(&row(Op::AtomicCompareExchange, 64), 5, 7, 5), 7);
        assert_eq!(combine(&row(Op::AtomicCompareExchange, 64), 5, 7, 6), 5);
        assert_eq!(combine(&row(Op::AtomicIDecrement, 32), 0, 0, 0), 0xffff_ffff);
        let (one, two) = (1f32.store(), 2f32.store());
        assert_eq!(combine(&row(Op::AtomicFAddEXT, 32), one, one, 0), two);
        assert_eq!(combine(&row(Op::AtomicFMaxEXT, 32), one, two, 0), two);
    }
}
