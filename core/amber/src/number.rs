//! Numbers as a script writes them.

use std::fmt;

/// A number of a script. What it means depends on the type that it is for.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Number {
    /// Digits.
    Unsigned(u64),
    /// Digits after a minus sign.
    Negative(i64),
    /// Hexadecimal digits after `0x`.
    Hex(u64),
    /// Digits with a point, or `nan`.
    Float(f64),
}

impl Number {
    /// The value, rounded to 64 bits of floating point.
    pub fn value(self) -> f64 {
        match self {
            Number::Unsigned(value) | Number::Hex(value) => value as f64,
            Number::Negative(value) => value as f64,
            Number::Float(value) => value,
        }
    }

    /// The value modulo 2^64, as integers of any size take it; what has a point is not an integer.
    pub fn integer(self) -> Option<u64> {
        match self {
            Number::Unsigned(value) | Number::Hex(value) => Some(value),
            Number::Negative(value) => Some(value as u64),
            Number::Float(_) => None,
        }
    }

    fn key(self) -> (u8, u64) {
        match self {
            Number::Unsigned(value) => (0, value),
            // An integer has no negative zero: `-0` is written, and read again, as `0`.
            Number::Negative(0) => (0, 0),
            Number::Negative(value) => (1, value as u64),
            Number::Hex(value) => (2, value),
            // All NaNs are written alike.
            Number::Float(value) if value.is_nan() => (4, 0),
            Number::Float(value) => (3, value.to_bits()),
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Number {}

/// As the language reads it: what is floating point has a point, and no exponent.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Number::Unsigned(value) => write!(f, "{value}"),
            Number::Negative(value) => write!(f, "{value}"),
            Number::Hex(value) => write!(f, "{value:#x}"),
            Number::Float(value) => f.write_str(&float(value)),
        }
    }
}

/// A floating point number as the language reads it.
pub(crate) fn float(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        // Rounds to infinity; the language has no word for it.
        return format!("{sign}1.0e999");
    }
    let text = format!("{value}");
    if text.contains('.') { text } else { format!("{text}.0") }
}
