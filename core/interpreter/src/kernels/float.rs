//! Floating-point arithmetic: 16-bit values are computed in 32 bits and rounded once, which is exact for `+ - * /` and
//! square roots. Rounding is to nearest even, subnormals are kept.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Kernel1, Kernel2, LaneKernel, apply1, apply2, half};
use lanescope_spirv::enums::Op;

/// A floating-point type: 16, 32 or 64 bits.
pub(crate) trait Real:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The least normal number.
    const LEAST_NORMAL: f64;

    /// From the bits of a register.
    fn load(bits: u64) -> Self;
    /// The bits of a register.
    fn store(self) -> u64;
    /// The nearest value.
    fn of(value: f64) -> Self;
    /// The exact value.
    fn wide(self) -> f64;
    /// `a * b + c` rounded once.
    fn fused(self, b: Self, c: Self) -> Self;
    /// The square root, correctly rounded.
    fn root(self) -> Self;

    /// Whether it is a NaN.
    #[inline(always)]
    fn is_nan(self) -> bool {
        self.partial_cmp(&self).is_none()
    }
}

impl Real for f32 {
    const LEAST_NORMAL: f64 = f32::MIN_POSITIVE as f64;

    #[inline(always)]
    fn load(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
    #[inline(always)]
    fn store(self) -> u64 {
        u64::from(self.to_bits())
    }
    #[inline(always)]
    fn of(value: f64) -> f32 {
        value as f32
    }
    #[inline(always)]
    fn wide(self) -> f64 {
        f64::from(self)
    }
    fn fused(self, b: f32, c: f32) -> f32 {
        self.mul_add(b, c)
    }
    #[inline(always)]
    fn root(self) -> f32 {
        self.sqrt()
    }
}

impl Real for f64 {
    const LEAST_NORMAL: f64 = f64::MIN_POSITIVE;

    #[inline(always)]
    fn load(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
    #[inline(always)]
    fn store(self) -> u64 {
        self.to_bits()
    }
    #[inline(always)]
    fn of(value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }
    fn fused(self, b: f64, c: f64) -> f64 {
        self.mul_add(b, c)
    }
    #[inline(always)]
    fn root(self) -> f64 {
        self.sqrt()
    }
}

/// A 16-bit float, held as the 32-bit float of the same value.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct Half(f32);

impl Half {
    #[inline(always)]
    fn rounded(value: f32) -> Half {
        Half(half::to_f32(half::from_f32(value)))
    }
}

macro_rules! half_op {
    ($($trait:ident $name:ident $op:tt),*) => {
        $(impl $trait for Half {
            type Output = Half;
            #[inline(always)]
            fn $name(self, other: Half) -> Half {
                Half::rounded(self.0 $op other.0)
            }
        })*
    };
}

half_op!(Add add +, Sub sub -, Mul mul *, Div div /);

impl Neg for Half {
    type Output = Half;
    fn neg(self) -> Half {
        Half(-self.0)
    }
}

impl Real for Half {
    const LEAST_NORMAL: f64 = 1.0 / 16_384.0;

    #[inline(always)]
    fn load(bits: u64) -> Half {
        Half(half::to_f32(bits as u16))
    }
    #[inline(always)]
    fn store(self) -> u64 {
        u64::from(half::from_f32(self.0))
    }
    fn of(value: f64) -> Half {
        Half(half::to_f32(half::from_f64(value)))
    }
    #[inline(always)]
    fn wide(self) -> f64 {
        f64::from(self.0)
    }
    fn fused(self, b: Half, c: Half) -> Half {
        Half::of(self.wide().mul_add(b.wide(), c.wide()))
    }
    #[inline(always)]
    fn root(self) -> Half {
        Half::rounded(self.0.sqrt())
    }
}

/// The instance of a generic kernel for a width in bits.
macro_rules! pick {
    ($kernel:ident, $bits:expr, $as:ty) => {
        match $bits {
            16 => Some($kernel::<$crate::kernels::float::Half> as $as),
            32 => Some($kernel::<f32> as $as),
            64 => Some($kernel::<f64> as $as),
            _ => None,
        }
    };
}

/// A kernel of one operand for a width.
macro_rules! real1 {
    ($bits:expr, |$a:ident| $e:expr) => {{
        fn kernel<T: Real>(d: &mut [u64], a: &[u64], mask: $crate::kernels::Mask) {
            apply1(
                d,
                a,
                mask,
                #[inline(always)]
                |a: u64| {
                    let $a = T::load(a);
                    T::store($e)
                },
            );
        }
        pick!(kernel, $bits, Kernel1)
    }};
}

/// A kernel of two operands for a width.
macro_rules! real2 {
    ($bits:expr, |$a:ident, $b:ident| $e:expr) => {{
        fn kernel<T: Real>(d: &mut [u64], a: &[u64], b: &[u64], mask: $crate::kernels::Mask) {
            apply2(
                d,
                a,
                b,
                mask,
                #[inline(always)]
                |a: u64, b: u64| {
                    let ($a, $b) = (T::load(a), T::load(b));
                    T::store($e)
                },
            );
        }
        pick!(kernel, $bits, Kernel2)
    }};
}

/// A kernel of three operands for a width.
macro_rules! real3 {
    ($bits:expr, |$a:ident, $b:ident, $c:ident| $e:expr) => {{
        fn kernel<T: Real>(d: &mut [u64], a: &[u64], b: &[u64], c: &[u64], mask: $crate::kernels::Mask) {
            apply3(
                d,
                a,
                b,
                c,
                mask,
                #[inline(always)]
                |a: u64, b: u64, c: u64| {
                    let ($a, $b, $c) = (T::load(a), T::load(b), T::load(c));
                    T::store($e)
                },
            );
        }
        pick!(kernel, $bits, Kernel3)
    }};
}

/// A comparison for a width.
macro_rules! real_test {
    ($bits:expr, |$a:ident, $b:ident| $e:expr) => {{
        fn kernel<T: Real>(d: &mut [u64], a: &[u64], b: &[u64], mask: $crate::kernels::Mask) {
            apply2(
                d,
                a,
                b,
                mask,
                #[inline(always)]
                |a: u64, b: u64| {
                    let ($a, $b) = (T::load(a), T::load(b));
                    u64::from($e)
                },
            );
        }
        pick!(kernel, $bits, Kernel2)
    }};
}

pub(crate) use {pick, real1, real2, real3};

/// The kernel of an opcode on one float of a width in bits.
pub(crate) fn unary(op: Op, bits: u32) -> Option<Kernel1> {
    macro_rules! test {
        (|$a:ident| $e:expr) => {{
            fn kernel<T: Real>(d: &mut [u64], a: &[u64], mask: $crate::kernels::Mask) {
                apply1(d, a, mask, |a| {
                    let $a = T::load(a).wide();
                    u64::from($e)
                });
            }
            pick!(kernel, bits, Kernel1)
        }};
    }
    match op {
        Op::FNegate => match bits {
            16 => Some(super::kernel1!(|a| a ^ 0x8000)),
            32 => Some(super::kernel1!(|a| a ^ 0x8000_0000)),
            64 => Some(super::kernel1!(|a| a ^ (1 << 63))),
            _ => None,
        },
        Op::IsNan => test!(|a| a.is_nan()),
        Op::IsInf => test!(|a| a.is_infinite()),
        Op::IsFinite => test!(|a| a.is_finite()),
        Op::IsNormal => {
            fn kernel<T: Real>(d: &mut [u64], a: &[u64], mask: super::Mask) {
                apply1(d, a, mask, |a| {
                    let value = T::load(a).wide();
                    u64::from(value.is_finite() && value.abs() >= T::LEAST_NORMAL)
                });
            }
            pick!(kernel, bits, Kernel1)
        }
        Op::SignBitSet => match bits {
            16 => Some(super::kernel1!(|a| a >> 15 & 1)),
            32 => Some(super::kernel1!(|a| a >> 31 & 1)),
            64 => Some(super::kernel1!(|a| a >> 63)),
            _ => None,
        },
        _ => None,
    }
}

/// The kernel of an opcode on two floats of a width in bits.
pub(crate) fn binary(op: Op, bits: u32) -> Option<Kernel2> {
    match op {
        Op::FAdd => real2!(bits, |a, b| a + b),
        Op::FSub => real2!(bits, |a, b| a - b),
        Op::FMul | Op::VectorTimesScalar | Op::MatrixTimesScalar => real2!(bits, |a, b| a * b),
        Op::FDiv => real2!(bits, |a, b| a / b),
        // As their precision is defined: x - y * trunc(x / y), x - y * floor(x / y).
        Op::FRem => real2!(bits, |a, b| a - b * T::of((a / b).wide().trunc())),
        Op::FMod => real2!(bits, |a, b| a - b * T::of((a / b).wide().floor())),
        Op::FOrdEqual => real_test!(bits, |a, b| a == b),
        Op::FOrdNotEqual | Op::LessOrGreater => real_test!(bits, |a, b| a != b && !a.is_nan() && !b.is_nan()),
        Op::FOrdLessThan => real_test!(bits, |a, b| a < b),
        Op::FOrdLessThanEqual => real_test!(bits, |a, b| a <= b),
        Op::FOrdGreaterThan => real_test!(bits, |a, b| a > b),
        Op::FOrdGreaterThanEqual => real_test!(bits, |a, b| a >= b),
        Op::Ordered => real_test!(bits, |a, b| !a.is_nan() && !b.is_nan()),
        Op::Unordered => real_test!(bits, |a, b| a.is_nan() || b.is_nan()),
        Op::FUnordEqual => real_test!(bits, |a, b| a == b || a.is_nan() || b.is_nan()),
        Op::FUnordNotEqual => real_test!(bits, |a, b| a != b),
        Op::FUnordLessThan => real_test!(bits, |a, b| a < b || a.is_nan() || b.is_nan()),
        Op::FUnordLessThanEqual => real_test!(bits, |a, b| a <= b || a.is_nan() || b.is_nan()),
        Op::FUnordGreaterThan => real_test!(bits, |a, b| a > b || a.is_nan() || b.is_nan()),
        Op::FUnordGreaterThanEqual => real_test!(bits, |a, b| a >= b || a.is_nan() || b.is_nan()),
        _ => None,
    }
}

/// The per-lane kernel of a dot product of a width: both vectors, one after the other.
pub(crate) fn dot(bits: u32) -> Option<LaneKernel> {
    fn kernel<T: Real>(input: &[u64], out: &mut [u64]) {
        let (a, b) = input.split_at(input.len() / 2);
        out[0] = dot_of::<T>(a, b).store();
    }
    pick!(kernel, bits, LaneKernel)
}

/// A dot product, added from the first component on, as llvmpipe does.
pub(crate) fn dot_of<T: Real>(a: &[u64], b: &[u64]) -> T {
    let mut products = a.iter().zip(b).map(|(&a, &b)| T::load(a) * T::load(b));
    let first = products.next().unwrap_or(T::of(0.0));
    products.fold(first, |sum, product| sum + product)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Mask;

    fn run(op: Op, bits: u32, a: u64, b: u64) -> u64 {
        let mut out = [0];
        binary(op, bits).expect("an operation")(&mut out, &[a], &[b], Mask::all(1));
        out[0]
    }

    #[test]
    fn half_arithmetic_rounds_once() {
        // 2048 + 1 is a tie and rounds to even.
        assert_eq!(run(Op::FAdd, 16, 0x6800, 0x3c00), 0x6800);
        assert_eq!(run(Op::FAdd, 16, 0x6801, 0x3c00), 0x6802);
        assert_eq!(run(Op::FMul, 16, 0x7bff, 0x4000), 0x7c00);
        assert_eq!(run(Op::FDiv, 16, 0x3c00, 0x4200), 0x3555);
    }

    #[test]
    fn comparisons_order_nan_as_named() {
        let (nan, one) = (u64::from(f32::NAN.to_bits()), u64::from(1f32.to_bits()));
        for (op, expected) in [
            (Op::FOrdEqual, 0),
            (Op::FOrdNotEqual, 0),
            (Op::FUnordEqual, 1),
            (Op::FUnordNotEqual, 1),
            (Op::FUnordLessThan, 1),
            (Op::FOrdLessThan, 0),
            (Op::Ordered, 0),
            (Op::Unordered, 1),
        ] {
            assert_eq!(run(op, 32, nan, one), expected, "{op:?}");
            assert_eq!(run(op, 32, one, nan), expected, "{op:?}");
        }
        assert_eq!(run(Op::FUnordEqual, 32, one, one), 1);
        assert_eq!(run(Op::FOrdNotEqual, 32, one, one), 0);
    }

    #[test]
    fn remainders_take_the_sign_of_their_operand() {
        let f = |value: f32| u64::from(value.to_bits());
        assert_eq!(run(Op::FRem, 32, f(-5.5), f(2.0)), f(-1.5));
        assert_eq!(run(Op::FMod, 32, f(-5.5), f(2.0)), f(0.5));
    }

    #[test]
    fn masked_lanes_keep_their_values() {
        let kernel = binary(Op::FAdd, 32).expect("an operation");
        let one = u64::from(1f32.to_bits());
        let mut out = [7; 8];
        kernel(&mut out, &[one; 8], &[one; 8], Mask { bits: 0b0101, lanes: 4 });
        let two = u64::from(2f32.to_bits());
        assert_eq!(out, [two, 7, two, 7, two, 7, two, 7]);
    }
}
