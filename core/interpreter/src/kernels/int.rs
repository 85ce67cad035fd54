//! Integer arithmetic. What SPIR-V leaves undefined has a fixed result here:
//!
//! | operation | result |
//! |---|---|
//! | division by zero | all bits set; the remainder is the dividend |
//! | the least number divided by -1 | itself; the remainder is 0 |
//! | shift by the width or more | the amount modulo the width |
//! | bit field beyond the width | cut at the width |

use super::{Kernel1, Kernel2, kernel1, kernel2};
use lanescope_spirv::enums::Op;

/// One kernel of each width: `U` is the unsigned type, `S` the signed one, of that width.
macro_rules! widths1 {
    ($bits:expr, |$a:ident: U| $e:expr) => { widths1!(@ $bits, $a, $e, u8 u8, u16 u16, u32 u32, u64 u64) };
    ($bits:expr, |$a:ident: S| $e:expr) => { widths1!(@ $bits, $a, $e, i8 u8, i16 u16, i32 u32, i64 u64) };
    (@ $bits:expr, $a:ident, $e:expr, $($t:ident $u:ident),*) => {
        match $bits {
            $(bits if bits == $u::BITS => Some(kernel1!(|a| {
                let $a = a as $u as $t;
                ($e) as $u as u64
            })),)*
            _ => None,
        }
    };
}

macro_rules! widths2 {
    ($bits:expr, |$a:ident, $b:ident: U| $e:expr) => { widths2!(@ $bits, $a, $b, $e, u8 u8, u16 u16, u32 u32, u64 u64) };
    ($bits:expr, |$a:ident, $b:ident: S| $e:expr) => { widths2!(@ $bits, $a, $b, $e, i8 u8, i16 u16, i32 u32, i64 u64) };
    (@ $bits:expr, $a:ident, $b:ident, $e:expr, $($t:ident $u:ident),*) => {
        match $bits {
            $(bits if bits == $u::BITS => Some(kernel2!(|a, b| {
                let ($a, $b) = (a as $u as $t, b as $u as $t);
                ($e) as $u as u64
            })),)*
            _ => None,
        }
    };
}

/// A comparison: 0 or 1.
macro_rules! compares {
    ($bits:expr, |$a:ident, $b:ident: $s:ident| $e:expr) => {
        widths2!($bits, |$a, $b: $s| u8::from($e))
    };
}

pub(super) use {widths1, widths2};

/// The kernel of an opcode on one operand of a width in bits.
pub(crate) fn unary(op: Op, bits: u32) -> Option<Kernel1> {
    match op {
        Op::SNegate => widths1!(bits, |a: S| a.wrapping_neg()),
        Op::Not => widths1!(bits, |a: U| !a),
        Op::BitReverse => widths1!(bits, |a: U| a.reverse_bits()),
        Op::BitCount => Some(kernel1!(|a| u64::from(a.count_ones()))),
        _ => None,
    }
}

/// The kernel of an opcode on two operands of a width in bits.
pub(crate) fn binary(op: Op, bits: u32) -> Option<Kernel2> {
    match op {
        Op::IAdd => widths2!(bits, |a, b: U| a.wrapping_add(b)),
        Op::ISub => widths2!(bits, |a, b: U| a.wrapping_sub(b)),
        Op::IMul => widths2!(bits, |a, b: U| a.wrapping_mul(b)),
        Op::UDiv => widths2!(bits, |a, b: U| a.checked_div(b).unwrap_or(b.wrapping_sub(1))),
        Op::UMod => widths2!(bits, |a, b: U| a.checked_rem(b).unwrap_or(a)),
        Op::SDiv => widths2!(bits, |a, b: S| if b == 0 { -1 } else { a.wrapping_div(b) }),
        Op::SRem => widths2!(bits, |a, b: S| if b == 0 { a } else { a.wrapping_rem(b) }),
        Op::SMod => widths2!(bits, |a, b: S| if b == 0 {
            a
        } else {
            let rest = a.wrapping_rem(b);
            if rest != 0 && (rest < 0) != (b < 0) { rest.wrapping_add(b) } else { rest }
        }),
        Op::BitwiseAnd => widths2!(bits, |a, b: U| a & b),
        Op::BitwiseOr => widths2!(bits, |a, b: U| a | b),
        Op::BitwiseXor => widths2!(bits, |a, b: U| a ^ b),
        Op::IEqual | Op::PtrEqual => Some(kernel2!(|a, b| u64::from(a == b))),
        Op::INotEqual | Op::PtrNotEqual => Some(kernel2!(|a, b| u64::from(a != b))),
        Op::UGreaterThan => Some(kernel2!(|a, b| u64::from(a > b))),
        Op::UGreaterThanEqual => Some(kernel2!(|a, b| u64::from(a >= b))),
        Op::ULessThan => Some(kernel2!(|a, b| u64::from(a < b))),
        Op::ULessThanEqual => Some(kernel2!(|a, b| u64::from(a <= b))),
        Op::SGreaterThan => compares!(bits, |a, b: S| a > b),
        Op::SGreaterThanEqual => compares!(bits, |a, b: S| a >= b),
        Op::SLessThan => compares!(bits, |a, b: S| a < b),
        Op::SLessThanEqual => compares!(bits, |a, b: S| a <= b),
        Op::UAddSatINTEL => widths2!(bits, |a, b: U| a.saturating_add(b)),
        Op::IAddSatINTEL => widths2!(bits, |a, b: S| a.saturating_add(b)),
        Op::USubSatINTEL => widths2!(bits, |a, b: U| a.saturating_sub(b)),
        Op::ISubSatINTEL => widths2!(bits, |a, b: S| a.saturating_sub(b)),
        Op::AbsISubINTEL => widths2!(bits, |a, b: S| a.abs_diff(b)),
        Op::AbsUSubINTEL => widths2!(bits, |a, b: U| a.abs_diff(b)),
        _ => None,
    }
}

/// The kernel of a shift: the amount may have another width than the base.
pub(crate) fn shift(op: Op, bits: u32) -> Option<Kernel2> {
    macro_rules! shifts {
        (|$a:ident: $($t:ident $u:ident),*; $b:ident| $e:expr) => {
            match bits {
                $(n if n == $u::BITS => Some(kernel2!(|a, b| {
                    let ($a, $b) = (a as $u as $t, (b % u64::from($u::BITS)) as u32);
                    ($e) as $u as u64
                })),)*
                _ => None,
            }
        };
    }
    match op {
        Op::ShiftLeftLogical => shifts!(|a: u8 u8, u16 u16, u32 u32, u64 u64; b| a.wrapping_shl(b)),
        Op::ShiftRightLogical => shifts!(|a: u8 u8, u16 u16, u32 u32, u64 u64; b| a.wrapping_shr(b)),
        Op::ShiftRightArithmetic => shifts!(|a: i8 u8, i16 u16, i32 u32, i64 u64; b| a.wrapping_shr(b)),
        _ => None,
    }
}

/// `bits` ones from bit 0 on.
pub(crate) fn ones(bits: u64) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// A value sign-extended from a width.
#[inline(always)]
pub(crate) fn sign_extend(value: u64, bits: u32) -> i64 {
    let shift = 64 - bits.clamp(1, 64);
    ((value << shift) as i64) >> shift
}

/// One lane of `OpBitFieldInsert`: base, insert, offset, count, width.
pub(crate) fn bit_field_insert(input: &[u64], out: &mut [u64]) {
    let &[base, insert, offset, count, width] = input else { return };
    let offset = offset.min(width);
    let mask = ones(count.min(width - offset));
    let mask = if offset >= 64 { 0 } else { mask << offset };
    let moved = if offset >= 64 { 0 } else { insert << offset };
    out[0] = ((base & !mask) | (moved & mask)) & ones(width);
}

fn extract(input: &[u64]) -> Option<(u64, u32, u64)> {
    let &[base, offset, count, width] = input else { return None };
    let offset = offset.min(width);
    let count = count.min(width - offset);
    let value = if offset >= 64 { 0 } else { base >> offset };
    Some((value & ones(count), count as u32, width))
}

/// One lane of `OpBitFieldUExtract`: base, offset, count, width.
pub(crate) fn bit_field_u_extract(input: &[u64], out: &mut [u64]) {
    out[0] = extract(input).map_or(0, |(value, ..)| value);
}

/// One lane of `OpBitFieldSExtract`: base, offset, count, width.
pub(crate) fn bit_field_s_extract(input: &[u64], out: &mut [u64]) {
    out[0] = extract(input).map_or(
        0,
        |(value, count, width)| {
            if count == 0 { 0 } else { sign_extend(value, count) as u64 & ones(width) }
        },
    );
}

/// One lane of `OpIAddCarry`: a, b, width.
pub(crate) fn add_carry(input: &[u64], out: &mut [u64]) {
    let &[a, b, width] = input else { return };
    let sum = u128::from(a) + u128::from(b);
    out[0] = sum as u64 & ones(width);
    out[1] = (sum >> width) as u64 & 1;
}

/// One lane of `OpISubBorrow`: a, b, width.
pub(crate) fn sub_borrow(input: &[u64], out: &mut [u64]) {
    let &[a, b, width] = input else { return };
    out[0] = a.wrapping_sub(b) & ones(width);
    out[1] = u64::from(a < b);
}

/// One lane of `OpUMulExtended`: a, b, width.
pub(crate) fn u_mul_extended(input: &[u64], out: &mut [u64]) {
    let &[a, b, width] = input else { return };
    let product = u128::from(a) * u128::from(b);
    out[0] = product as u64 & ones(width);
    out[1] = (product >> width) as u64 & ones(width);
}

/// One lane of `OpSMulExtended`: a, b, width.
pub(crate) fn s_mul_extended(input: &[u64], out: &mut [u64]) {
    let &[a, b, width] = input else { return };
    let product = i128::from(sign_extend(a, width as u32)) * i128::from(sign_extend(b, width as u32));
    out[0] = product as u64 & ones(width);
    out[1] = (product >> width) as u64 & ones(width);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Mask;

    fn run(op: Op, bits: u32, a: u64, b: u64) -> u64 {
        let kernel = binary(op, bits).or_else(|| shift(op, bits)).expect("an operation");
        let mut out = [0];
        kernel(&mut out, &[a], &[b], Mask::all(1));
        out[0]
    }

    #[test]
    fn wraps_at_every_width() {
        assert_eq!(run(Op::IAdd, 8, 0xff, 2), 1);
        assert_eq!(run(Op::ISub, 16, 0, 1), 0xffff);
        assert_eq!(run(Op::IMul, 32, 0xffff_ffff, 0xffff_ffff), 1);
        assert_eq!(run(Op::IMul, 64, u64::MAX, 2), u64::MAX - 1);
        assert_eq!(run(Op::SDiv, 32, 0x8000_0000, 0xffff_ffff), 0x8000_0000);
        assert_eq!(run(Op::SRem, 32, 0x8000_0000, 0xffff_ffff), 0);
    }

    #[test]
    fn defines_division_by_zero_and_wide_shifts() {
        for bits in [8, 16, 32, 64] {
            assert_eq!(run(Op::UDiv, bits, 7, 0), ones(u64::from(bits)), "{bits}");
            assert_eq!(run(Op::SDiv, bits, 7, 0), ones(u64::from(bits)));
            assert_eq!((run(Op::UMod, bits, 7, 0), run(Op::SMod, bits, 7, 0)), (7, 7));
            assert_eq!(run(Op::ShiftLeftLogical, bits, 1, u64::from(bits) + 1), 2);
        }
        assert_eq!(run(Op::ShiftRightArithmetic, 8, 0x80, 3), 0xf0);
    }

    #[test]
    fn takes_signs_of_remainders_from_the_right_operand() {
        let minus = |value: u64| value.wrapping_neg() & 0xffff_ffff;
        assert_eq!(run(Op::SRem, 32, minus(7), 3), minus(1));
        assert_eq!(run(Op::SMod, 32, minus(7), 3), 2);
        assert_eq!(run(Op::SMod, 32, 7, minus(3)), minus(2));
    }

    #[test]
    fn bit_fields_are_cut_at_the_width() {
        let mut out = [0; 2];
        bit_field_insert(&[0xffff_ffff, 0, 28, 20, 32], &mut out);
        assert_eq!(out[0], 0x0fff_ffff);
        bit_field_insert(&[5, 9, u64::MAX, u64::MAX, 64], &mut out);
        assert_eq!(out[0], 5);
        bit_field_u_extract(&[0xabcd, 4, 8, 32], &mut out);
        assert_eq!(out[0], 0xbc);
        bit_field_s_extract(&[0xabcd, 4, 8, 32], &mut out);
        assert_eq!(out[0], 0xffff_ffbc);
        bit_field_s_extract(&[0xabcd, 4, 0, 32], &mut out);
        assert_eq!(out[0], 0);
        s_mul_extended(&[0xffff_ffff, 2, 32], &mut out);
        assert_eq!(out, [0xffff_fffe, 0xffff_ffff]);
        u_mul_extended(&[u64::MAX, u64::MAX, 64], &mut out);
        assert_eq!(out, [1, u64::MAX - 1]);
        add_carry(&[u64::MAX, 1, 64], &mut out);
        assert_eq!(out, [0, 1]);
    }
}
