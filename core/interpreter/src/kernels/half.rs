//! 16-bit floats: conversion by bits, since it is done for each lane.

/// The exact value of bits. A NaN stays a NaN.
#[inline]
pub(crate) fn to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    let magnitude = match exponent {
        // Subnormal: units of 2^-24.
        0 => (fraction as f32 * (1.0 / 16_777_216.0)).to_bits(),
        0x1f => 0x7f80_0000 | fraction << 13,
        _ => (exponent + 112) << 23 | fraction << 13,
    };
    f32::from_bits(sign | magnitude)
}

/// The nearest one, ties to even; from half way beyond the greatest on infinity.
#[inline]
pub(crate) fn from_f32(value: f32) -> u16 {
    let bits = value.to_bits();
    let (sign, magnitude) = ((bits >> 16 & 0x8000) as u16, bits & 0x7fff_ffff);
    let out = if magnitude > 0x7f80_0000 {
        0x7e00
    } else if magnitude >= 0x477f_f000 {
        // 65520 and beyond.
        0x7c00
    } else if magnitude < 0x3880_0000 {
        // Subnormal: adding 0.5 leaves units of 2^-24 in the low bits, rounded by the addition.
        let sum = f32::from_bits(magnitude) + 0.5;
        (sum.to_bits() - 0x3f00_0000) as u16
    } else {
        let odd = magnitude >> 13 & 1;
        // Rebias the exponent, round the 13 bits that go.
        ((magnitude - (112 << 23) + 0xfff + odd) >> 13) as u16
    };
    sign | out
}

/// The nearest one to a 64-bit float.
pub(crate) fn from_f64(value: f64) -> u16 {
    lanescope_base::half::nearest(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_base::half;

    #[test]
    fn converts_every_half_exactly() {
        for bits in 0..=u16::MAX {
            let (value, expected) = (to_f32(bits), half::value(bits));
            assert!(f64::from(value) == expected || (value.is_nan() && expected.is_nan()), "{bits:#x}");
            if !value.is_nan() {
                assert_eq!(from_f32(value), bits);
            }
        }
    }

    #[test]
    fn rounds_as_the_reference() {
        for step in 0..2_000_000u32 {
            let value = f32::from_bits(step.wrapping_mul(2_654_435_761));
            if !value.is_nan() {
                assert_eq!(from_f32(value), half::nearest(f64::from(value)), "{value:e}");
            }
        }
        for base in 0..0x7c00u16 {
            let middle = (half::value(base) + half::value(base + 1).min(65_536.0)) / 2.0;
            assert_eq!(from_f32(middle as f32), half::nearest(middle));
        }
        assert_eq!(from_f32(f32::NAN), 0x7e00);
    }
}
