//! Numbers as a person types them: `uint 1,2,3`, `vec4 0.5, 1, inf, 0`.

use lanescope_spirv::shape::{Scalar, ScalarKind};

/// The most bytes that one text of values makes.
const MAX_BYTES: usize = 1 << 20;

/// A type by its name: of GLSL (`uvec2`, `mat4x3`, `int64_t`, `f16vec3`), HLSL (`uint2`, `float4x3`, `half`) or WGSL (`u32`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedType {
    /// Type of a component.
    pub scalar: Scalar,
    /// Components of a vector, or of a column.
    pub rows: u32,
    /// Columns of a matrix; 1 for others.
    pub columns: u32,
}

/// Names of scalars. Those before a digit or an `x` are HLSL's too.
const SCALARS: [(&str, ScalarKind, u32); 25] = [
    ("float", ScalarKind::Float, 32),
    ("int", ScalarKind::Int, 32),
    ("uint", ScalarKind::Uint, 32),
    ("bool", ScalarKind::Uint, 32),
    ("double", ScalarKind::Float, 64),
    ("half", ScalarKind::Float, 16),
    ("float16_t", ScalarKind::Float, 16),
    ("float32_t", ScalarKind::Float, 32),
    ("float64_t", ScalarKind::Float, 64),
    ("int8_t", ScalarKind::Int, 8),
    ("int16_t", ScalarKind::Int, 16),
    ("int32_t", ScalarKind::Int, 32),
    ("int64_t", ScalarKind::Int, 64),
    ("uint8_t", ScalarKind::Uint, 8),
    ("uint16_t", ScalarKind::Uint, 16),
    ("uint32_t", ScalarKind::Uint, 32),
    ("uint64_t", ScalarKind::Uint, 64),
    ("float16", ScalarKind::Float, 16),
    ("float32", ScalarKind::Float, 32),
    ("float64", ScalarKind::Float, 64),
    ("f16", ScalarKind::Float, 16),
    ("f32", ScalarKind::Float, 32),
    ("f64", ScalarKind::Float, 64),
    ("i32", ScalarKind::Int, 32),
    ("u32", ScalarKind::Uint, 32),
];

/// What stands before `vec` and `mat` in GLSL.
const VECTORS: [(&str, ScalarKind, u32); 13] = [
    ("", ScalarKind::Float, 32),
    ("i", ScalarKind::Int, 32),
    ("u", ScalarKind::Uint, 32),
    ("b", ScalarKind::Uint, 32),
    ("d", ScalarKind::Float, 64),
    ("f16", ScalarKind::Float, 16),
    ("i8", ScalarKind::Int, 8),
    ("u8", ScalarKind::Uint, 8),
    ("i16", ScalarKind::Int, 16),
    ("u16", ScalarKind::Uint, 16),
    ("i64", ScalarKind::Int, 64),
    ("u64", ScalarKind::Uint, 64),
    ("f64", ScalarKind::Float, 64),
];

impl NamedType {
    /// The type of a name.
    pub fn named(text: &str) -> Option<NamedType> {
        let scalar = |(_, kind, bits): &(&str, ScalarKind, u32)| Scalar { kind: *kind, bits: *bits };
        if let Some(found) = SCALARS.iter().find(|known| known.0 == text) {
            return Some(NamedType { scalar: scalar(found), rows: 1, columns: 1 });
        }
        for (word, matrix) in [("vec", false), ("mat", true)] {
            let Some((before, after)) = text.split_once(word) else { continue };
            let found = VECTORS.iter().find(|known| known.0 == before)?;
            let (columns, rows) = match (matrix, after.split_once('x')) {
                (false, _) => (1, side(after)?),
                (true, None) => (side(after)?, side(after)?),
                (true, Some((columns, rows))) => (side(columns)?, side(rows)?),
            };
            return Some(NamedType { scalar: scalar(found), rows, columns });
        }
        // HLSL: `float3`, `float4x3` has 4 rows and 3 columns.
        let (head, last) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let last = side(last)?;
        let found = |name: &str| SCALARS.iter().find(|known| known.0 == name).map(scalar);
        match head.strip_suffix('x').and_then(|head| head.split_at_checked(head.len().checked_sub(1)?)) {
            Some((name, rows)) => Some(NamedType { scalar: found(name)?, rows: side(rows)?, columns: last }),
            None => Some(NamedType { scalar: found(head)?, rows: last, columns: 1 }),
        }
    }

    /// How many numbers it has.
    pub fn numbers(self) -> u32 {
        self.rows * self.columns
    }
}

/// The size of a vector.
fn side(text: &str) -> Option<u32> {
    match text {
        "1" => Some(1),
        "2" => Some(2),
        "3" => Some(3),
        "4" => Some(4),
        _ => None,
    }
}

/// The bits of a number of a type. Integers are decimal or `0x` hexadecimal, `true` and `false` are 1 and 0; of a
/// floating-point number hexadecimal digits are its bits.
///
/// # Errors
/// A text that is no such number, or one that the type does not hold.
pub fn number(scalar: Scalar, text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a number of type {scalar}");
    let past = || format!("{text} does not fit type {scalar}");
    let fits = |value: Option<u64>| value.ok_or_else(past);
    let bits = scalar.bits.clamp(8, 64);
    let all = u64::MAX >> (64 - bits);
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let digits = digits.strip_suffix(['u', 'U']).unwrap_or(digits);
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        return fits(u64::from_str_radix(digits, 16).ok().filter(|value| *value <= all));
    }
    match (scalar.kind, text) {
        (ScalarKind::Float, _) => float(scalar, text).map_err(|wide| if wide { past() } else { wrong() }),
        (_, "true") => Ok(1),
        (_, "false") => Ok(0),
        (kind, _) => {
            let digits = text.strip_suffix(['u', 'U']).unwrap_or(text);
            let unsigned = digits.trim_start_matches(['-', '+']);
            if unsigned.is_empty() || unsigned.len() + 1 < digits.len() || !unsigned.bytes().all(|c| c.is_ascii_digit())
            {
                return Err(wrong());
            }
            let value: Option<i128> = digits.parse().ok();
            let range = match kind {
                ScalarKind::Int => -(1i128 << (bits - 1))..1i128 << (bits - 1),
                _ => 0..1i128 << bits,
            };
            fits(value.filter(|value| range.contains(value)).map(|value| value as u64 & all))
        }
    }
}

/// The bits of a float; the error says whether it is a number that is too large.
fn float(scalar: Scalar, text: &str) -> Result<u64, bool> {
    let digits = match text.strip_suffix(['f', 'F']) {
        Some(rest) if rest.ends_with(|c: char| c.is_ascii_digit() || c == '.') => rest,
        _ => text,
    };
    let exact: f64 = digits.parse().map_err(|_| false)?;
    let (bits, value) = match scalar.bits {
        16 => {
            let value = half::f16::from_f64(exact);
            (u64::from(value.to_bits()), value.to_f64())
        }
        32 => {
            let value: f32 = digits.parse().map_err(|_| false)?;
            (u64::from(value.to_bits()), f64::from(value))
        }
        _ => (exact.to_bits(), exact),
    };
    let named = digits.trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_alphabetic());
    if value.is_infinite() && !named { Err(true) } else { Ok(bits) }
}

/// The bytes of numbers that lie one after the other, each piece with its type: `uint 1,2,3; float 0.5`.
///
/// # Errors
/// An unknown type, a number that is none of it, a vector that is not whole, too many numbers.
pub fn packed(text: &str) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    for piece in text.split([';', '\n']).map(str::trim).filter(|piece| !piece.is_empty()) {
        let (name, values) = piece.split_once(char::is_whitespace).unwrap_or((piece, ""));
        let Some(ty) = NamedType::named(name) else {
            return Err(format!("`{name}` is not a type: expected for example uint, float, ivec2 or float4"));
        };
        let values: Vec<&str> = listed(values);
        if values.is_empty() {
            return Err(format!("`{piece}`: expected numbers after {name}"));
        }
        if !values.len().is_multiple_of(ty.numbers() as usize) {
            let (count, each) = (values.len(), ty.numbers());
            return Err(format!("`{piece}`: {count} numbers are not a multiple of {each}"));
        }
        for value in values {
            let bits = number(ty.scalar, value)?;
            out.extend(bits.to_le_bytes().iter().take(ty.scalar.bytes() as usize));
        }
        if out.len() > MAX_BYTES {
            return Err(format!("more than {MAX_BYTES} bytes of values: use a file"));
        }
    }
    Ok(out)
}

/// The parts of a list with commas or spaces.
pub(super) fn listed(values: &str) -> Vec<&str> {
    values.split(|c: char| c == ',' || c.is_whitespace()).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_the_names_of_shading_languages() {
        let of = |text: &str| NamedType::named(text).map(|ty| (ty.scalar.to_string(), ty.rows, ty.columns));
        let is = |scalar: &str, rows, columns| Some((scalar.to_owned(), rows, columns));
        assert_eq!(of("uint"), is("uint32", 1, 1));
        assert_eq!(of("uvec3"), is("uint32", 3, 1));
        assert_eq!(of("mat4x3"), is("float32", 3, 4));
        assert_eq!(of("float4x3"), is("float32", 4, 3));
        assert_eq!(of("float16_t4"), is("float16", 4, 1));
        assert_eq!(of("f16vec2"), is("float16", 2, 1));
        assert_eq!(of("dmat2"), is("float64", 2, 2));
        assert_eq!(of("int64_t"), is("int64", 1, 1));
        for wrong in ["", "x", "vec", "vec5", "mat", "float5", "float4x", "x4", "é4", "floatx4", "vecvec2", "sampler2D"]
        {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn numbers_have_to_fit() {
        let of = |kind, bits, text: &str| number(Scalar { kind, bits }, text);
        use ScalarKind::{Float, Int, Uint};
        assert_eq!(of(Uint, 32, "4294967295"), Ok(0xffff_ffff));
        assert_eq!(of(Int, 32, "-2"), Ok(0xffff_fffe));
        assert_eq!(of(Int, 16, "0xffff"), Ok(0xffff));
        assert_eq!(of(Uint, 64, "18446744073709551615"), Ok(u64::MAX));
        assert_eq!(of(Uint, 32, "7u"), Ok(7));
        assert_eq!(of(Uint, 32, "true"), Ok(1));
        assert_eq!(of(Float, 32, "0.1"), Ok(u64::from(0.1f32.to_bits())));
        assert_eq!(of(Float, 32, "-inf"), Ok(u64::from(f32::NEG_INFINITY.to_bits())));
        assert_eq!(of(Float, 32, "2.f"), Ok(u64::from(2f32.to_bits())));
        assert_eq!(of(Float, 32, "0x7fc00001"), Ok(0x7fc0_0001));
        assert_eq!(of(Float, 16, "1.5"), Ok(0x3e00));
        for (kind, bits, text) in
            [(Uint, 8, "256"), (Int, 8, "128"), (Uint, 32, "-1"), (Float, 16, "70000"), (Float, 32, "1e39")]
        {
            assert!(of(kind, bits, text).is_err_and(|why| why.contains("does not fit")), "{text}");
        }
        for (kind, text) in
            [(Uint, "1.5"), (Uint, ""), (Int, "--1"), (Float, "x"), (Float, "0x"), (Uint, "0xg"), (Int, "+")]
        {
            assert!(of(kind, 32, text).is_err_and(|why| why.contains("is not a number")), "{text}");
        }
    }

    #[test]
    fn values_lie_one_after_the_other() {
        assert_eq!(packed("uint 1,2").as_deref(), Ok(&[1, 0, 0, 0, 2, 0, 0, 0][..]));
        assert_eq!(packed("uint8_t 1 2; float16_t 1").as_deref(), Ok(&[1, 2, 0, 0x3c][..]));
        for (wrong, why) in [
            ("uint", "expected numbers"),
            ("thing 1", "not a type"),
            ("vec2 1,2,3", "multiple of 2"),
            ("uint -1", "fit"),
        ] {
            assert!(packed(wrong).is_err_and(|error| error.contains(why)), "{wrong}");
        }
    }
}
