//! Conversion between 16-bit floats as bits and values. Hand-written, since the crate `half` drops the low 32 bits of an
//! f64 before it rounds, and cannot round toward zero.

/// The bits of positive infinity.
pub const INFINITY: u16 = 0x7c00;
/// The bits of the NaN that `NaN` reads as.
pub const NAN: u16 = 0x7e00;

/// The exact value of bits.
pub fn value(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    let magnitude = match exponent {
        0 => fraction * 2f64.powi(-24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    };
    if bits >> 15 == 0 { magnitude } else { -magnitude }
}

/// The nearest one, ties to even; from half way beyond the greatest on infinity.
pub fn nearest(value: f64) -> u16 {
    let magnitude = value.abs();
    let out = if magnitude.is_nan() {
        NAN
    } else if magnitude >= 65_520.0 {
        INFINITY
    } else if magnitude < 2f64.powi(-14) {
        // Subnormal: units of 2^-24.
        (magnitude * 2f64.powi(24)).round_ties_even() as u16
    } else {
        let exponent = exponent(magnitude);
        let units = (magnitude * 2f64.powi(10 - exponent)).round_ties_even() as i32;
        // A fraction that rounds up to 2 is the next exponent's 1: the sum carries.
        (((exponent + 15) << 10) + (units - 1024)) as u16
    };
    sign(value) | out
}

/// The nearest one that is no greater in magnitude: of what is finite a finite one.
pub fn toward_zero(value: f64) -> u16 {
    let magnitude = value.abs();
    let out = if magnitude.is_nan() {
        NAN
    } else if magnitude.is_infinite() {
        INFINITY
    } else if magnitude >= 65_504.0 {
        INFINITY - 1
    } else if magnitude < 2f64.powi(-14) {
        (magnitude * 2f64.powi(24)) as u16
    } else {
        let exponent = exponent(magnitude);
        let units = (magnitude * 2f64.powi(10 - exponent)) as i32;
        (((exponent + 15) << 10) + (units - 1024)) as u16
    };
    sign(value) | out
}

fn sign(value: f64) -> u16 {
    u16::from(value.is_sign_negative()) << 15
}

/// Of a normal number.
fn exponent(value: f64) -> i32 {
    (value.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_round_trip_and_others_round_to_neighbours() {
        for bits in 0..INFINITY {
            let (here, above) = (value(bits), value(bits + 1));
            for sign in [0, 0x8000] {
                let signed = |value: f64| if sign == 0 { value } else { -value };
                assert_eq!((nearest(signed(here)), toward_zero(signed(here))), (sign | bits, sign | bits));
                if bits + 1 < INFINITY {
                    let (low, middle) = (here + (above - here) * 0.25, here + (above - here) * 0.5);
                    let even = bits + bits % 2;
                    assert_eq!((nearest(signed(low)), nearest(signed(middle))), (sign | bits, sign | even));
                    assert_eq!((toward_zero(signed(low)), toward_zero(signed(middle))), (sign | bits, sign | bits));
                }
            }
        }
    }

    #[test]
    fn converts_overflow_and_nan() {
        for (value, near, zero) in [
            (65_519.0, 0x7bff, 0x7bff),
            (65_520.0, 0x7c00, 0x7bff),
            (-1e300, 0xfc00, 0xfbff),
            (f64::INFINITY, 0x7c00, 0x7c00),
            (f64::NAN, 0x7e00, 0x7e00),
            (1e-300, 0, 0),
            (0.1, 0x2e66, 0x2e66),
            (-0.0, 0x8000, 0x8000),
        ] {
            assert_eq!((nearest(value), toward_zero(value)), (near, zero), "{value}");
        }
        assert_eq!((value(0x7c00), value(0xfc00)), (f64::INFINITY, f64::NEG_INFINITY));
        assert!(value(0x7c01).is_nan());
    }
}
