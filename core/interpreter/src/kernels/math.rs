//! Functions of GLSL.std.450 on single components. Transcendental functions are computed in 64 bits and rounded
//! once, which is within Vulkan's bounds for all of them.

use super::float::{Real, pick, real1, real2, real3};
use super::int::{widths1, widths2};
use super::{Kernel1, Kernel2, Kernel3, apply1, apply2, apply3, kernel1, kernel2, kernel3};
use lanescope_spirv::enums::GlslStd450Op as Gl;

/// The kernel of a function of one operand.
pub(crate) fn unary(op: Gl, bits: u32) -> Option<Kernel1> {
    /// A function computed in 64 bits.
    macro_rules! wide {
        (|$a:ident| $e:expr) => {
            real1!(bits, |a| T::of({
                let $a = a.wide();
                $e
            }))
        };
    }
    match op {
        // The nearest even number is one of the two results that `Round` may have.
        Gl::Round | Gl::RoundEven => wide!(|a| a.round_ties_even()),
        Gl::Trunc => wide!(|a| a.trunc()),
        Gl::Floor => wide!(|a| a.floor()),
        Gl::Ceil => wide!(|a| a.ceil()),
        Gl::Fract => real1!(bits, |a| a - T::of(a.wide().floor())),
        Gl::FAbs => match bits {
            16 => Some(kernel1!(|a| a & 0x7fff)),
            32 => Some(kernel1!(|a| a & 0x7fff_ffff)),
            64 => Some(kernel1!(|a| a & !(1 << 63))),
            _ => None,
        },
        Gl::FSign => wide!(|a| if a > 0.0 {
            1.0
        } else if a < 0.0 {
            -1.0
        } else {
            a
        }),
        Gl::SAbs => widths1!(bits, |a: S| a.wrapping_abs()),
        Gl::SSign => widths1!(bits, |a: S| a.signum()),
        Gl::Radians => real1!(bits, |a| a * T::of(std::f64::consts::PI / 180.0)),
        Gl::Degrees => real1!(bits, |a| a * T::of(180.0 / std::f64::consts::PI)),
        Gl::Sin => wide!(|a| a.sin()),
        Gl::Cos => wide!(|a| a.cos()),
        Gl::Tan => wide!(|a| a.tan()),
        Gl::Asin => wide!(|a| a.asin()),
        Gl::Acos => wide!(|a| a.acos()),
        Gl::Atan => wide!(|a| a.atan()),
        Gl::Sinh => wide!(|a| a.sinh()),
        Gl::Cosh => wide!(|a| a.cosh()),
        Gl::Tanh => wide!(|a| a.tanh()),
        Gl::Asinh => wide!(|a| a.asinh()),
        Gl::Acosh => wide!(|a| a.acosh()),
        Gl::Atanh => wide!(|a| a.atanh()),
        Gl::Exp => wide!(|a| a.exp()),
        Gl::Log => wide!(|a| a.ln()),
        Gl::Exp2 => wide!(|a| a.exp2()),
        Gl::Log2 => wide!(|a| a.log2()),
        Gl::Sqrt => real1!(bits, |a| a.root()),
        Gl::InverseSqrt => wide!(|a| 1.0 / a.sqrt()),
        Gl::FindILsb => Some(kernel1!(|a| if a == 0 { 0xffff_ffff } else { u64::from(a.trailing_zeros()) })),
        Gl::FindUMsb => Some(kernel1!(|a| find_msb(a))),
        Gl::FindSMsb => match bits {
            8 => Some(kernel1!(|a| find_msb(if a >> 7 & 1 != 0 { !a & 0xff } else { a }))),
            16 => Some(kernel1!(|a| find_msb(if a >> 15 & 1 != 0 { !a & 0xffff } else { a }))),
            32 => Some(kernel1!(|a| find_msb(if a >> 31 & 1 != 0 { !a & 0xffff_ffff } else { a }))),
            64 => Some(kernel1!(|a| find_msb(if a >> 63 != 0 { !a } else { a }))),
            _ => None,
        },
        _ => None,
    }
}

/// The index of the highest set bit as a 32-bit number, -1 if there is none.
#[inline(always)]
fn find_msb(value: u64) -> u64 {
    if value == 0 { 0xffff_ffff } else { u64::from(63 - value.leading_zeros()) }
}

/// The kernel of a function of two operands.
pub(crate) fn binary(op: Gl, bits: u32) -> Option<Kernel2> {
    match op {
        // Of two operands one of which is NaN, the other one.
        Gl::FMin | Gl::NMin => real2!(bits, |a, b| if b < a || a.is_nan() { b } else { a }),
        Gl::FMax | Gl::NMax => real2!(bits, |a, b| if b > a || a.is_nan() { b } else { a }),
        Gl::UMin => Some(kernel2!(|a, b| a.min(b))),
        Gl::UMax => Some(kernel2!(|a, b| a.max(b))),
        Gl::SMin => widths2!(bits, |a, b: S| a.min(b)),
        Gl::SMax => widths2!(bits, |a, b: S| a.max(b)),
        Gl::Atan2 => real2!(bits, |a, b| T::of(a.wide().atan2(b.wide()))),
        Gl::Pow => real2!(bits, |a, b| T::of(pow(a.wide(), b.wide()))),
        Gl::Step => real2!(bits, |edge, x| T::of(if x < edge { 0.0 } else { 1.0 })),
        _ => None,
    }
}

/// A negative base has no power, as `exp2(y * log2(x))` has none.
fn pow(x: f64, y: f64) -> f64 {
    if x < 0.0 { f64::NAN } else { x.powf(y) }
}

/// The kernel of `Ldexp`: the exponent has a width of its own.
pub(crate) fn ldexp(bits: u32, exponent: u32) -> Option<Kernel2> {
    macro_rules! exponent {
        ($t:ident) => {{
            fn kernel<T: Real>(d: &mut [u64], a: &[u64], b: &[u64], mask: super::Mask) {
                apply2(d, a, b, mask, |a, b| T::of(scale(T::load(a).wide(), b as $t as i64)).store());
            }
            pick!(kernel, bits, Kernel2)
        }};
    }
    match exponent {
        8 => exponent!(i8),
        16 => exponent!(i16),
        32 => exponent!(i32),
        64 => exponent!(i64),
        _ => None,
    }
}

/// `value * 2^exponent`, in three steps so that no factor leaves the range.
fn scale(value: f64, exponent: i64) -> f64 {
    let exponent = exponent.clamp(-2_200, 2_200) as i32;
    let third = exponent / 3;
    value * 2f64.powi(third) * 2f64.powi(third) * 2f64.powi(exponent - 2 * third)
}

/// The kernel of a function of three operands.
pub(crate) fn ternary(op: Gl, bits: u32) -> Option<Kernel3> {
    match op {
        Gl::Fma => real3!(bits, |a, b, c| a.fused(b, c)),
        Gl::FMix => real3!(bits, |x, y, a| x * (T::of(1.0) - a) + y * a),
        Gl::FClamp | Gl::NClamp => real3!(bits, |x, low, high| {
            let raised = if low > x || x.is_nan() { low } else { x };
            if high < raised || raised.is_nan() { high } else { raised }
        }),
        Gl::UClamp => Some(kernel3!(|x, low, high| x.max(low).min(high))),
        Gl::SClamp => {
            macro_rules! clamp {
                ($t:ident $u:ident) => {
                    Some(kernel3!(|x, low, high| (x as $t).max(low as $t).min(high as $t) as $u as u64))
                };
            }
            match bits {
                8 => clamp!(i8 u8),
                16 => clamp!(i16 u16),
                32 => clamp!(i32 u32),
                64 => clamp!(i64 u64),
                _ => None,
            }
        }
        Gl::SmoothStep => real3!(bits, |low, high, x| {
            let (zero, one) = (T::of(0.0), T::of(1.0));
            let t = (x - low) / (high - low);
            let t = if t < zero {
                zero
            } else if t > one {
                one
            } else {
                t
            };
            // In Mesa's order.
            t * (t * (T::of(3.0) - T::of(2.0) * t))
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Mask;

    fn one(op: Gl, a: f32) -> f32 {
        let mut out = [0];
        unary(op, 32).expect("a function")(&mut out, &[a.store()], Mask::all(1));
        f32::load(out[0])
    }

    #[test]
    fn rounds_as_named() {
        assert_eq!([one(Gl::RoundEven, 2.5), one(Gl::RoundEven, 3.5), one(Gl::Trunc, -1.5)], [2.0, 4.0, -1.0]);
        assert_eq!([one(Gl::Floor, -1.5), one(Gl::Ceil, -1.5), one(Gl::Fract, -1.25)], [-2.0, -1.0, 0.75]);
        assert_eq!(one(Gl::Sqrt, 2.0), 2f32.sqrt());
        assert_eq!(one(Gl::InverseSqrt, 4.0), 0.5);
        assert!(one(Gl::Sqrt, -1.0).is_nan());
    }

    #[test]
    fn finds_bits_of_every_width() {
        let find = |op, bits, a| {
            let mut out = [0];
            unary(op, bits).expect("a function")(&mut out, &[a], Mask::all(1));
            out[0]
        };
        assert_eq!(find(Gl::FindUMsb, 32, 0), 0xffff_ffff);
        assert_eq!(find(Gl::FindUMsb, 64, 1 << 40), 40);
        assert_eq!(find(Gl::FindSMsb, 32, 0xffff_ffff), 0xffff_ffff);
        assert_eq!(find(Gl::FindSMsb, 16, 0xff00), 7);
        assert_eq!(find(Gl::FindILsb, 32, 8), 3);
    }

    #[test]
    fn scales_over_the_whole_range() {
        assert_eq!(scale(1.0, 1_000_000), f64::INFINITY);
        assert_eq!(scale(1.0, -1_074), f64::from_bits(1));
        assert_eq!(scale(3.0, 4), 48.0);
        assert!(pow(-2.0, 2.0).is_nan());
    }

    #[test]
    fn minimum_ignores_one_nan() {
        for (a, b) in [(f32::NAN, 2.0), (2.0, f32::NAN)] {
            let mut out = [0];
            binary(Gl::NMin, 32).expect("a function")(&mut out, &[a.store()], &[b.store()], Mask::all(1));
            assert_eq!(f32::load(out[0]), 2.0);
        }
    }
}
