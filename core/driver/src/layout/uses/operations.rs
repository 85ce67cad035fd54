//! What the operations of the driver's intermediate form (Mesa's NIR) compute, of those that optimizations rewrite: so
//! that a value is known again in another form. Any other operation is a function of its operands that is not known.

use half::f16;

/// An operand: its bits, and how many there are.
pub(super) type Bits = (u64, u8);

/// The bits that an operation makes, `width` of them; none of one that is not known.
pub(super) fn apply(op: &str, width: u8, operands: &[Bits]) -> Option<u64> {
    let op = op.trim_end_matches('!');
    let made = match operands {
        [a] => unary(op, width, *a)?,
        [a, b] => float_binary(op, width, *a, *b).or_else(|| binary(op, *a, *b))?,
        [a, b, c] => ternary(op, width, *a, *b, *c)?,
        _ => return None,
    };
    Some(made & mask(width))
}

/// Whether it is known what an operation of so many operands computes.
pub(super) fn is_known(op: &str, operands: usize) -> bool {
    apply(op, 32, &[(0, 32); 3][..operands.min(3)]).is_some() && operands <= 3
}

fn mask(width: u8) -> u64 {
    u64::MAX.checked_shr(64u32.saturating_sub(width.into())).unwrap_or(0)
}

/// A number by its bits.
pub(super) fn float((bits, width): Bits) -> f64 {
    match width {
        16 => f16::from_bits(bits as u16).to_f64(),
        64 => f64::from_bits(bits),
        _ => f32::from_bits(bits as u32).into(),
    }
}

/// The bits of a number.
pub(super) fn bits(number: f64, width: u8) -> u64 {
    match width {
        16 => f16::from_f64(number).to_bits().into(),
        64 => number.to_bits(),
        _ => (number as f32).to_bits().into(),
    }
}

fn signed((bits, width): Bits) -> i64 {
    let unused = 64u32.saturating_sub(width.into());
    (bits.checked_shl(unused).unwrap_or(0) as i64).checked_shr(unused).unwrap_or(0)
}

fn unary(op: &str, width: u8, a: Bits) -> Option<u64> {
    let x = float(a);
    let number = match op {
        "fneg" => -x,
        "fabs" => x.abs(),
        "fsat" => x.clamp(0.0, 1.0),
        "frcp" => x.recip(),
        "frsq" => x.sqrt().recip(),
        "fsqrt" => x.sqrt(),
        "fexp2" => x.exp2(),
        "flog2" => x.log2(),
        "fsin" => x.sin(),
        "fcos" => x.cos(),
        "ffloor" => x.floor(),
        "fceil" => x.ceil(),
        "ffract" => x - x.floor(),
        "ftrunc" => x.trunc(),
        "fround_even" => x.round_ties_even(),
        "fsign" if x == 0.0 => 0.0,
        "fsign" => x.signum(),
        _ if op.starts_with("f2f") => x,
        _ if op.starts_with("i2f") => signed(a) as f64,
        _ if op.starts_with("u2f") => a.0 as f64,
        _ if op.starts_with("b2f") => f64::from(u8::from(a.0 != 0)),
        _ => return integer_unary(op, width, a),
    };
    Some(bits(number, width))
}

fn integer_unary(op: &str, width: u8, a: Bits) -> Option<u64> {
    Some(match op {
        "mov" => a.0,
        "ineg" => a.0.wrapping_neg(),
        "inot" => !a.0,
        "iabs" => signed(a).unsigned_abs(),
        "unpack_64_2x32_split_x" | "unpack_32_2x16_split_x" => a.0,
        "unpack_64_2x32_split_y" => a.0 >> 32,
        "unpack_32_2x16_split_y" => a.0 >> 16,
        "unpack_half_2x16_split_x" => bits(float((a.0 & 0xffff, 16)), 32),
        "unpack_half_2x16_split_y" => bits(float((a.0 >> 16 & 0xffff, 16)), 32),
        _ if op.starts_with("f2i") => float(a).trunc() as i64 as u64,
        _ if op.starts_with("f2u") => clamped(float(a), width),
        _ if op.starts_with("i2i") => signed(a) as u64,
        _ if op.starts_with("u2u") || op.starts_with("b2i") || op.starts_with("b2b") => a.0,
        _ => return None,
    })
}

fn clamped(number: f64, width: u8) -> u64 {
    (number.max(0.0) as u64).min(mask(width))
}

fn float_binary(op: &str, width: u8, a: Bits, b: Bits) -> Option<u64> {
    let (x, y) = (float(a), float(b));
    let number = match op {
        "fadd" => x + y,
        "fsub" => x - y,
        "fmul" => x * y,
        "fmulz" if x == 0.0 || y == 0.0 => 0.0,
        "fmulz" => x * y,
        "fdiv" => x / y,
        "fmin" => x.min(y),
        "fmax" => x.max(y),
        "fpow" => x.powf(y),
        "feq" => return Some((x == y).into()),
        "fneu" => return Some((x != y).into()),
        "flt" => return Some((x < y).into()),
        "fge" => return Some((x >= y).into()),
        _ => return None,
    };
    Some(bits(number, width))
}

fn binary(op: &str, a: Bits, b: Bits) -> Option<u64> {
    let (x, y) = (a.0, b.0);
    let (i, j) = (signed(a), signed(b));
    let by = u32::try_from(y & u64::from(a.1.saturating_sub(1))).ok()?;
    Some(match op {
        "iadd" => x.wrapping_add(y),
        "isub" => x.wrapping_sub(y),
        "imul" => x.wrapping_mul(y),
        "iand" => x & y,
        "ior" => x | y,
        "ixor" => x ^ y,
        "ishl" => x << by,
        "ushr" => x >> by,
        "ishr" => (i >> by) as u64,
        "imin" => i.min(j) as u64,
        "imax" => i.max(j) as u64,
        "umin" => x.min(y),
        "umax" => x.max(y),
        "ieq" => (x == y).into(),
        "ine" => (x != y).into(),
        "ilt" => (i < j).into(),
        "ige" => (i >= j).into(),
        "ult" => (x < y).into(),
        "uge" => (x >= y).into(),
        "pack_64_2x32_split" => x | y << 32,
        "pack_32_2x16_split" => x | y << 16,
        "pack_half_2x16_rtz_split" | "pack_half_2x16_split" => bits(float(a), 16) | bits(float(b), 16) << 16,
        "extract_u8" => x >> (8 * (y & 7)) & 0xff,
        "extract_i8" => signed((x >> (8 * (y & 7)) & 0xff, 8)) as u64,
        "extract_u16" => x >> (16 * (y & 3)) & 0xffff,
        "extract_i16" => signed((x >> (16 * (y & 3)) & 0xffff, 16)) as u64,
        _ => return None,
    })
}

fn ternary(op: &str, width: u8, a: Bits, b: Bits, c: Bits) -> Option<u64> {
    Some(match op {
        "ffma" | "ffmaz" => bits(float(a) * float(b) + float(c), width),
        "flrp" => bits(float(a) + (float(b) - float(a)) * float(c), width),
        "bcsel" if a.0 != 0 => b.0,
        "bcsel" => c.0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(number: f64) -> Bits {
        (bits(number, 32), 32)
    }

    #[test]
    fn arithmetic_is_that_of_the_width() {
        let made = |op, operands: &[Bits]| apply(op, 32, operands).map(|made| float((made, 32)));
        assert_eq!(made("ffma", &[one(2.0), one(3.0), one(0.5)]), Some(6.5));
        assert_eq!(made("fadd!", &[one(2.0), one(0.25)]), Some(2.25));
        assert_eq!(made("i2f32", &[(0xffff_fffe, 32)]), Some(-2.0));
        assert_eq!(made("fsat", &[one(-3.0)]), Some(0.0));
        assert_eq!(apply("f2i32", 32, &[one(-2.75)]), Some(0xffff_fffe));
        assert_eq!(apply("ishr", 32, &[(0x8000_0000, 32), (4, 32)]), Some(0xf800_0000));
        assert_eq!(apply("iadd", 16, &[(0xffff, 16), (2, 16)]), Some(1));
        assert_eq!(apply("pack_half_2x16_split", 32, &[one(1.0), one(2.0)]), Some(0x4000_3c00));
        assert_eq!(apply("f2f16", 16, &[one(1.0)]), Some(0x3c00));
        assert_eq!(apply("bcsel", 32, &[(0, 1), (7, 32), (9, 32)]), Some(9));
        assert_eq!(apply("ftrunc", 32, &[one(-2.75)]).map(|made| float((made, 32))), Some(-2.0));
    }

    #[test]
    fn unknown_operations_make_nothing() {
        assert_eq!(apply("fddx", 32, &[one(1.0)]), None);
        assert_eq!(apply("bitfield_insert", 32, &[one(1.0), one(1.0), one(1.0)]), None);
        assert_eq!(apply("vec4", 32, &[]), None);
        assert_eq!([is_known("fddx", 1), is_known("fadd", 2), is_known("fadd", 3)], [false, true, false]);
        assert!(!is_known("fadd", 9));
    }

    proptest::proptest! {
        #[test]
        fn any_operands_are_taken(
            op in "[a-z0-9_]{2,12}|ishl|ishr|ushr|f2i64|f2u16|extract_i16|i2i8|imul|iabs|ineg",
            width in 0u8..=64,
            operands in proptest::collection::vec((proptest::num::u64::ANY, 0u8..=64), 0..4),
        ) {
            _ = apply(&op, width, &operands);
        }
    }
}
