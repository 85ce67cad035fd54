//! Conversions between widths and kinds of numbers. A float beyond an integer's range gives the nearest end of the
//! range, NaN gives 0: SPIR-V leaves both undefined.

use super::float::Real;
use super::float::pick;
use super::int::sign_extend;
use super::{Kernel1, apply1, kernel1};

/// `OpConvertFToU`.
pub(crate) fn float_to_unsigned(from: u32, to: u32) -> Option<Kernel1> {
    macro_rules! to {
        ($t:ident) => {{
            fn kernel<T: Real>(d: &mut [u64], a: &[u64], mask: super::Mask) {
                apply1(d, a, mask, |a| T::load(a).wide() as $t as u64);
            }
            pick!(kernel, from, Kernel1)
        }};
    }
    match to {
        8 => to!(u8),
        16 => to!(u16),
        32 => to!(u32),
        64 => to!(u64),
        _ => None,
    }
}

/// `OpConvertFToS`.
pub(crate) fn float_to_signed(from: u32, to: u32) -> Option<Kernel1> {
    macro_rules! to {
        ($t:ident $u:ident) => {{
            fn kernel<T: Real>(d: &mut [u64], a: &[u64], mask: super::Mask) {
                apply1(d, a, mask, |a| T::load(a).wide() as $t as $u as u64);
            }
            pick!(kernel, from, Kernel1)
        }};
    }
    match to {
        8 => to!(i8 u8),
        16 => to!(i16 u16),
        32 => to!(i32 u32),
        64 => to!(i64 u64),
        _ => None,
    }
}

/// `OpConvertUToF`. An integer above 2^24 is beyond a 16-bit float, so that the way over 32 bits rounds once.
pub(crate) fn unsigned_to_float(to: u32) -> Option<Kernel1> {
    match to {
        16 => Some(kernel1!(|a| u64::from(super::half::from_f32(a as f32)))),
        32 => Some(kernel1!(|a| u64::from((a as f32).to_bits()))),
        64 => Some(kernel1!(|a| (a as f64).to_bits())),
        _ => None,
    }
}

/// `OpConvertSToF`.
pub(crate) fn signed_to_float(from: u32, to: u32) -> Option<Kernel1> {
    macro_rules! from {
        ($t:ident) => {
            match to {
                16 => Some(kernel1!(|a| u64::from(super::half::from_f32(a as $t as f32)))),
                32 => Some(kernel1!(|a| u64::from((a as $t as f32).to_bits()))),
                64 => Some(kernel1!(|a| (a as $t as f64).to_bits())),
                _ => None,
            }
        };
    }
    match from {
        8 => from!(i8),
        16 => from!(i16),
        32 => from!(i32),
        64 => from!(i64),
        _ => None,
    }
}

/// `OpUConvert`.
pub(crate) fn unsigned(to: u32) -> Option<Kernel1> {
    match to {
        8 => Some(kernel1!(|a| a & 0xff)),
        16 => Some(kernel1!(|a| a & 0xffff)),
        32 => Some(kernel1!(|a| a & 0xffff_ffff)),
        64 => Some(kernel1!(|a| a)),
        _ => None,
    }
}

/// `OpSConvert`.
pub(crate) fn signed(from: u32, to: u32) -> Option<Kernel1> {
    macro_rules! from {
        ($bits:literal) => {
            match to {
                8 => Some(kernel1!(|a| sign_extend(a, $bits) as u64 & 0xff)),
                16 => Some(kernel1!(|a| sign_extend(a, $bits) as u64 & 0xffff)),
                32 => Some(kernel1!(|a| sign_extend(a, $bits) as u64 & 0xffff_ffff)),
                64 => Some(kernel1!(|a| sign_extend(a, $bits) as u64)),
                _ => None,
            }
        };
    }
    match from {
        8 => from!(8),
        16 => from!(16),
        32 => from!(32),
        64 => from!(64),
        _ => None,
    }
}

/// `OpFConvert`; `toward_zero` is the rounding mode for 16-bit results, otherwise to nearest even.
pub(crate) fn float(from: u32, to: u32, toward_zero: bool) -> Option<Kernel1> {
    match to {
        16 if toward_zero => {
            fn kernel<T: Real>(d: &mut [u64], a: &[u64], mask: super::Mask) {
                apply1(d, a, mask, |a| u64::from(lanescope_base::half::toward_zero(T::load(a).wide())));
            }
            pick!(kernel, from, Kernel1)
        }
        16 if from == 32 => Some(kernel1!(|a| u64::from(super::half::from_f32(f32::from_bits(a as u32))))),
        16 => {
            fn kernel<T: Real>(d: &mut [u64], a: &[u64], mask: super::Mask) {
                apply1(d, a, mask, |a| u64::from(super::half::from_f64(T::load(a).wide())));
            }
            pick!(kernel, from, Kernel1)
        }
        32 => {
            fn kernel<T: Real>(d: &mut [u64], a: &[u64], mask: super::Mask) {
                apply1(d, a, mask, |a| f32::of(T::load(a).wide()).store());
            }
            pick!(kernel, from, Kernel1)
        }
        64 => {
            fn kernel<T: Real>(d: &mut [u64], a: &[u64], mask: super::Mask) {
                apply1(d, a, mask, |a| T::load(a).wide().store());
            }
            pick!(kernel, from, Kernel1)
        }
        _ => None,
    }
}

/// `OpQuantizeToF16`: a subnormal result is a zero of the same sign.
pub(crate) fn quantize() -> Kernel1 {
    kernel1!(|a| {
        let half = super::half::from_f32(f32::from_bits(a as u32));
        let flushed = if half & 0x7c00 == 0 { half & 0x8000 } else { half };
        u64::from(super::half::to_f32(flushed).to_bits())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Mask;

    fn run(kernel: Option<Kernel1>, a: u64) -> u64 {
        let mut out = [0];
        kernel.expect("a conversion")(&mut out, &[a], Mask::all(1));
        out[0]
    }

    #[test]
    fn saturates_floats_beyond_integers() {
        let f = |value: f32| u64::from(value.to_bits());
        assert_eq!(run(float_to_signed(32, 8), f(-1e9)), 0x80);
        assert_eq!(run(float_to_signed(32, 32), f(-1.9)), 0xffff_ffff);
        assert_eq!(run(float_to_unsigned(32, 16), f(-1.0)), 0);
        assert_eq!(run(float_to_unsigned(32, 64), f(1e30)), u64::MAX);
        assert_eq!(run(float_to_signed(32, 32), f(f32::NAN)), 0);
    }

    #[test]
    fn extends_by_sign_or_zero() {
        assert_eq!(run(signed(8, 64), 0x80), 0xffff_ffff_ffff_ff80);
        assert_eq!(run(signed(8, 16), 0x80), 0xff80);
        assert_eq!(run(signed(32, 16), 0x1_8000), 0x8000);
        assert_eq!(run(unsigned(16), 0x1_8000), 0x8000);
        assert_eq!(run(signed_to_float(16, 32), 0xffff), u64::from((-1f32).to_bits()));
        assert_eq!(run(unsigned_to_float(32), u64::MAX), u64::from(18_446_744_073_709_551_615f32.to_bits()));
    }

    #[test]
    fn converts_between_floats() {
        let f = |value: f32| u64::from(value.to_bits());
        assert_eq!(run(float(32, 16, false), f(0.1)), 0x2e66);
        assert_eq!(run(float(32, 16, true), f(65_520.0)), 0x7bff);
        assert_eq!(run(float(16, 64, false), 0x3c01), (1.0f64 + 2f64.powi(-10)).to_bits());
        assert_eq!(run(float(64, 32, false), 0.1f64.to_bits()), f(0.1));
        assert_eq!(run(Some(quantize()), f(1e-6)), 0);
        assert_eq!(run(Some(quantize()), f(1.0 + 1.0 / 4096.0)), f(1.0));
    }
}
