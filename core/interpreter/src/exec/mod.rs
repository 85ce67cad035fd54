//! Execution of decoded instructions on one wave.

pub(crate) mod access;
pub(crate) mod atomic;
pub(crate) mod control;
pub(crate) mod derivative;
pub(crate) mod image;
pub(crate) mod subgroup;
pub(crate) mod wave;

use crate::code::{Code, Slot, Tables, Watch};
use crate::event::EventKind;
use crate::kernels::{Mask, lanes_of};

/// What an instruction did.
pub(crate) enum Done {
    /// It needs more than registers.
    NotHere,
    /// It ran.
    Ran,
    /// It ran, and something is to be reported of these lanes.
    Fault(EventKind, u64),
}

/// Runs an instruction on one lane whose registers are these, if it needs nothing else.
pub(crate) fn pure(code: &Code, tables: &Tables, regs: &mut [u64]) {
    registers(code, tables, regs, Mask::all(1), false);
}

/// Where the values of `n` scalars are.
#[inline(always)]
fn range(slot: Slot, n: u32, lanes: usize) -> std::ops::Range<usize> {
    slot as usize * lanes..(slot as usize + n as usize) * lanes
}

/// Runs an instruction that reads and writes registers only.
#[inline]
pub(crate) fn registers(code: &Code, tables: &Tables, regs: &mut [u64], mask: Mask, nan: bool) -> Done {
    let lanes = mask.lanes;
    /// Operands are below the result.
    macro_rules! split {
        ($dst:expr, $n:expr) => {{
            let (below, above) = regs.split_at_mut($dst as usize * lanes);
            (below, &mut above[..$n as usize * lanes])
        }};
    }
    match *code {
        Code::Unary { f, dst, a, n, watch } => {
            let (below, out) = split!(dst, n);
            let a = &below[range(a, n, lanes)];
            f(out, a, mask);
            match watch {
                Watch::Nan(bits) if nan => first_nan(out, &[a], bits, mask),
                _ => Done::Ran,
            }
        }
        Code::Binary { f, dst, a, b, n, watch } => {
            let (below, out) = split!(dst, n);
            let (a, b) = (&below[range(a, n, lanes)], &below[range(b, n, lanes)]);
            f(out, a, b, mask);
            match watch {
                Watch::Nan(bits) if nan => first_nan(out, &[a, b], bits, mask),
                Watch::Zero => zeros(b, mask),
                _ => Done::Ran,
            }
        }
        Code::Scale { f, dst, a, b, n, watch } => {
            let (below, out) = split!(dst, n);
            let (a, b) = (&below[range(a, n, lanes)], &below[range(b, 1, lanes)]);
            for (out, a) in out.chunks_exact_mut(lanes).zip(a.chunks_exact(lanes)) {
                f(out, a, b, mask);
            }
            match watch {
                Watch::Nan(bits) if nan => first_nan(out, &[a, b], bits, mask),
                _ => Done::Ran,
            }
        }
        Code::Ternary { f, dst, a, b, c, n, watch } => {
            let (below, out) = split!(dst, n);
            let (a, b, c) = (&below[range(a, n, lanes)], &below[range(b, n, lanes)], &below[range(c, n, lanes)]);
            f(out, a, b, c, mask);
            match watch {
                Watch::Nan(bits) if nan => first_nan(out, &[a, b, c], bits, mask),
                _ => Done::Ran,
            }
        }
        Code::Select { dst, condition, a, b, n } => {
            let (below, out) = split!(dst, n);
            let (a, b) = (&below[range(a, n, lanes)], &below[range(b, n, lanes)]);
            let condition = &below[range(condition, 1, lanes)];
            let parts = a.chunks_exact(lanes).zip(b.chunks_exact(lanes));
            for (out, (a, b)) in out.chunks_exact_mut(lanes).zip(parts) {
                for lane in mask.iter() {
                    out[lane] = if condition[lane] != 0 { a[lane] } else { b[lane] };
                }
            }
            Done::Ran
        }
        Code::Gather { dst, list, n } => {
            let (below, out) = split!(dst, n);
            let list = &tables.lists[list as usize..list as usize + n as usize];
            for (out, &src) in out.chunks_exact_mut(lanes).zip(list) {
                copy(out, &below[range(src, 1, lanes)], mask);
            }
            Done::Ran
        }
        Code::Broadcast { dst, value } => {
            for lane in mask.iter() {
                regs[dst as usize * lanes + lane] = value;
            }
            Done::Ran
        }
        Code::Extract { dst, vector, index, n } => {
            let (below, out) = split!(dst, 1);
            let (vector, index) = (&below[range(vector, n, lanes)], &below[range(index, 1, lanes)]);
            let mut beyond = 0;
            for lane in mask.iter() {
                // An index beyond the vector gives an undefined value: 0.
                let at = usize::try_from(index[lane]).ok().filter(|&at| at < n as usize);
                beyond |= u64::from(at.is_none()) << lane;
                out[lane] = at.map_or(0, |at| vector[at * lanes + lane]);
            }
            bounds(beyond)
        }
        Code::Insert { dst, vector, value, index, n } => {
            let (below, out) = split!(dst, n);
            copy_all(out, &below[range(vector, n, lanes)], mask);
            let (value, index) = (&below[range(value, 1, lanes)], &below[range(index, 1, lanes)]);
            let mut beyond = 0;
            for lane in mask.iter() {
                match usize::try_from(index[lane]).ok().filter(|&at| at < n as usize) {
                    Some(at) => out[at * lanes + lane] = value[lane],
                    None => beyond |= 1 << lane,
                }
            }
            bounds(beyond)
        }
        Code::Lane { op } => {
            let op = &tables.lane_ops[op as usize];
            let (below, out) = split!(op.dst, op.n);
            let mut input = [0; 64];
            let mut result = [0; 64];
            let count: usize = op.operands.iter().map(|&(_, n)| n as usize).sum::<usize>() + op.literals.len();
            let (Some(input), Some(result)) = (input.get_mut(..count), result.get_mut(..op.n as usize)) else {
                return Done::Ran;
            };
            let start = count - op.literals.len();
            input[start..].copy_from_slice(&op.literals);
            let mut born = 0;
            for lane in mask.iter() {
                let mut at = 0;
                for &(slot, n) in &op.operands {
                    for scalar in slot..slot + n {
                        input[at] = below[scalar as usize * lanes + lane];
                        at += 1;
                    }
                }
                (op.f)(input, result);
                for (at, &value) in result.iter().enumerate() {
                    out[at * lanes + lane] = value;
                }
                if let (Watch::Nan(bits), true) = (op.watch, nan) {
                    let any = |values: &[u64]| values.iter().any(|&value| is_nan(value, bits));
                    born |= u64::from(any(result) && !any(&input[..start])) << lane;
                }
            }
            if born == 0 { Done::Ran } else { Done::Fault(EventKind::Nan, born) }
        }
        _ => Done::NotHere,
    }
}

fn bounds(beyond: u64) -> Done {
    if beyond == 0 { Done::Ran } else { Done::Fault(EventKind::OutOfBounds, beyond) }
}

/// Copies the values of one scalar.
#[inline(always)]
pub(crate) fn copy(out: &mut [u64], src: &[u64], mask: Mask) {
    if mask.is_full() {
        out.copy_from_slice(src);
    } else {
        for lane in mask.iter() {
            out[lane] = src[lane];
        }
    }
}

/// Copies the values of several scalars.
#[inline(always)]
pub(crate) fn copy_all(out: &mut [u64], src: &[u64], mask: Mask) {
    if mask.is_full() {
        out.copy_from_slice(src);
    } else {
        for (out, src) in out.chunks_exact_mut(mask.lanes).zip(src.chunks_exact(mask.lanes)) {
            copy(out, src, mask);
        }
    }
}

/// Copies scalars between slots in any order.
#[inline]
pub(crate) fn move_slots(regs: &mut [u64], dst: Slot, src: Slot, n: u32, mask: Mask) {
    let lanes = mask.lanes;
    if mask.is_full() {
        regs.copy_within(range(src, n, lanes), dst as usize * lanes);
    } else {
        for at in 0..n as usize {
            for lane in mask.iter() {
                regs[(dst as usize + at) * lanes + lane] = regs[(src as usize + at) * lanes + lane];
            }
        }
    }
}

/// Infinity of a width, below which all finite magnitudes are, and NaNs above.
const fn infinity(bits: u8) -> u64 {
    match bits {
        16 => 0x7c00,
        32 => 0x7f80_0000,
        _ => 0x7ff << 52,
    }
}

/// Whether bits are those of a NaN.
#[inline(always)]
pub(crate) fn is_nan(value: u64, bits: u8) -> bool {
    let magnitude = value & (u64::MAX >> (65 - u32::from(bits)));
    magnitude > infinity(bits)
}

/// Lanes whose result is the first NaN: no operand is one.
#[inline]
fn first_nan(out: &[u64], operands: &[&[u64]], bits: u8, mask: Mask) -> Done {
    // A magnitude above infinity makes the difference negative.
    let (infinity, magnitude) = (infinity(bits), u64::MAX >> (65 - u32::from(bits)));
    let found = out.iter().fold(0, |all, &value| all | infinity.wrapping_sub(value & magnitude));
    if found >> 63 == 0 {
        return Done::Ran;
    }
    let lanes_with = |values: &[u64]| {
        let lanes = (0..).zip(values).filter(|(_, value)| is_nan(**value, bits));
        lanes.fold(0u64, |all, (at, _): (usize, _)| all | 1 << (at % mask.lanes))
    };
    let before = operands.iter().fold(0, |all, operand| all | lanes_with(operand));
    let born = lanes_with(out) & mask.bits & !before;
    if born == 0 { Done::Ran } else { Done::Fault(EventKind::Nan, born) }
}

/// Lanes that divide by 0.
#[inline]
fn zeros(divisors: &[u64], mask: Mask) -> Done {
    if divisors.iter().all(|&value| value != 0) {
        return Done::Ran;
    }
    let mut lanes = 0;
    for part in divisors.chunks_exact(mask.lanes) {
        for lane in lanes_of(mask.bits) {
            lanes |= u64::from(part[lane] == 0) << lane;
        }
    }
    if lanes == 0 { Done::Ran } else { Done::Fault(EventKind::DivisionByZero, lanes) }
}
