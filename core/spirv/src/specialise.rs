//! Specialization constants: what a module declares, and the module with values set.

use std::collections::BTreeMap;

use super::enums::{Decoration, Op};
use super::module::{Module, ParseError};
use super::types::Type;
use crate::SpecValue;
use lanescope_base::half;
use lanescope_base::ids::Id;

/// A specialization constant that a module declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecDeclaration {
    /// Its SpecId.
    pub spec_id: u32,
    /// Its result id.
    pub id: Id,
    /// Its type's name.
    pub type_name: String,
    /// Its value in this module, as text.
    pub value: String,
}

/// A value that does not fit its constant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("specialization constant {spec_id}: expected {type_name}, found `{value}`")]
pub struct SpecError {
    /// Its SpecId.
    pub spec_id: u32,
    /// Its type.
    pub type_name: String,
    /// The value that was set.
    pub value: String,
}

impl Module {
    /// The specialization constants, by SpecId.
    pub fn spec_constants(&self) -> Vec<SpecDeclaration> {
        let mut out: Vec<SpecDeclaration> = self
            .globals()
            .filter(|inst| inst.facts().takes_spec_id())
            .filter_map(|inst| {
                let id = inst.result()?;
                let ty = inst.result_type()?;
                let spec_id = self.decoration(id, None, Decoration::SpecId)?;
                Some(SpecDeclaration { spec_id, id, type_name: self.type_name(ty), value: self.value_text(id, ty) })
            })
            .collect();
        out.sort_by_key(|declaration| (declaration.spec_id, declaration.id));
        out
    }

    /// A constant's value: different for different bits.
    fn value_text(&self, id: Id, ty: Id) -> String {
        let Some(constant) = self.constant(id) else { return "?".to_owned() };
        match self.ty(ty) {
            // One NaN of each width is written by its name.
            Some(Type::Float { bits }) if is_odd_nan(bits, constant.bits) => format!("{:#x}", constant.bits),
            Some(Type::Bool) => (constant.bits != 0).to_string(),
            Some(Type::Int { signed: true, .. }) => constant.as_i64().to_string(),
            Some(Type::Float { bits: 16 }) => format!("{:?}", half::value(constant.bits as u16) as f32),
            Some(Type::Float { bits: 32 }) => format!("{:?}", f32::from_bits(constant.bits as u32)),
            Some(Type::Float { bits: 64 }) => format!("{:?}", f64::from_bits(constant.bits)),
            Some(Type::Float { .. } | Type::OtherFloat { .. }) => format!("{:#x}", constant.bits),
            _ => constant.bits.to_string(),
        }
    }

    /// The module with values set. Ids that it does not declare are left to the caller to report.
    pub fn specialised(&self, values: &BTreeMap<u32, SpecValue>) -> Result<Module, SpecError> {
        let mut words = self.words().to_vec();
        for declaration in self.spec_constants() {
            let Some(value) = values.get(&declaration.spec_id) else { continue };
            let Some(inst) = self.def(declaration.id) else { continue };
            let ty = inst.result_type().and_then(|ty| self.ty(ty));
            let bits = ty.and_then(|ty| bits_of(ty, &value.0)).ok_or_else(|| SpecError {
                spec_id: declaration.spec_id,
                type_name: declaration.type_name.clone(),
                value: value.0.clone(),
            })?;
            let at = inst.word as usize;
            if ty == Some(Type::Bool) {
                let op = if bits != 0 { Op::SpecConstantTrue } else { Op::SpecConstantFalse };
                words[at] = (words[at] & 0xffff_0000) | op as u32;
            } else {
                for (i, word) in words[at + 3..at + inst.words.len()].iter_mut().enumerate() {
                    *word = (bits >> (32 * i.min(1))) as u32;
                }
            }
        }
        // Only literals changed, so what was a module still is one, and instructions come from the same lines.
        let module = Module::parse(words).map_err(|error: ParseError| SpecError {
            spec_id: 0,
            type_name: "unreadable".to_owned(),
            value: error.to_string(),
        })?;
        Ok(match self.given_lines() {
            Some(lines) => module.with_lines(lines.clone()),
            None => module,
        })
    }
}

/// Whether a text is a value of a type that a report names: `bool`, `int32`, `uint16`, `float64`.
pub fn is_value_of(type_name: &str, text: &str) -> bool {
    let bits = |kind: &str| type_name.strip_prefix(kind).and_then(|bits| bits.parse().ok());
    let ty = match type_name {
        "bool" => Some(Type::Bool),
        _ => (bits("int").map(|bits| Type::Int { bits, signed: true }))
            .or_else(|| bits("uint").map(|bits| Type::Int { bits, signed: false }))
            .or_else(|| bits("float").map(|bits| Type::Float { bits })),
    };
    ty.is_some_and(|ty| bits_of(ty, text).is_some())
}

/// The bits of a written value for a type; narrow signed integers are sign-extended to a word, as SPIR-V stores them.
fn bits_of(ty: Type<'_>, text: &str) -> Option<u64> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let integer = || match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => digits.parse::<u64>().ok(),
    };
    // Hexadecimal writes bits: of a signed integer the sign bit too, and of a float all of them.
    let hex = digits.starts_with("0x") || digits.starts_with("0X");
    match ty {
        Type::Bool => match text {
            "true" | "1" => Some(1),
            "false" | "0" => Some(0),
            _ => None,
        },
        Type::Int { bits, signed } if (1..=64).contains(&bits) => {
            let magnitude = i128::from(integer()?);
            let value = if negative { -magnitude } else { magnitude };
            let top = if signed && !hex { 1i128 << (bits - 1) } else { 1i128 << bits };
            let bottom = if signed { -(1i128 << (bits - 1)) } else { 0 };
            if value < bottom || value >= top {
                return None;
            }
            let extended = if signed && value >> (bits - 1) & 1 == 1 { value | (-1i128 << bits) } else { value };
            Some(extended as u64)
        }
        Type::Float { bits } if hex && (16..=64).contains(&bits) => {
            integer().filter(|&v| !negative && u128::from(v) >> bits == 0)
        }
        Type::Float { bits } => {
            let value: f64 = text.parse().ok()?;
            let (stored, is_finite) = match bits {
                // Rounded once, from the text.
                32 => text.parse::<f32>().ok().map(|v| (u64::from(v.to_bits()), v.is_finite()))?,
                64 => (value.to_bits(), value.is_finite()),
                16 => {
                    let bits = half::nearest(value);
                    (u64::from(bits), half::value(bits).is_finite())
                }
                _ => return None,
            };
            // A number that is too large is not a value; infinity and NaN are requested by name.
            let by_name = !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '+');
            (is_finite || by_name).then_some(stored)
        }
        _ => None,
    }
}

/// Whether the bits of a float of that width are those of a NaN that is not the one that `NaN` reads as.
fn is_odd_nan(width: u32, bits: u64) -> bool {
    let (infinity, plain) = match width {
        16 => (u64::from(half::INFINITY), u64::from(half::NAN)),
        32 => (u64::from(f32::INFINITY.to_bits()), u64::from(f32::NAN.to_bits())),
        64 => (f64::INFINITY.to_bits(), f64::NAN.to_bits()),
        _ => return false,
    };
    let fraction = (1 << infinity.trailing_zeros()) - 1;
    bits & infinity == infinity && bits & fraction != 0 && bits != plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_values_by_type() {
        let int = |bits, signed| Type::Int { bits, signed };
        assert_eq!(bits_of(int(32, false), "0x10"), Some(16));
        assert_eq!(bits_of(int(32, false), "-1"), None);
        assert_eq!(bits_of(int(32, true), "-1"), Some(u64::MAX));
        assert_eq!(bits_of(int(16, true), "0xffff"), Some(u64::MAX));
        assert_eq!(bits_of(int(8, false), "256"), None);
        assert_eq!(bits_of(int(64, false), "18446744073709551615"), Some(u64::MAX));
        assert_eq!(bits_of(Type::Float { bits: 32 }, "1.5"), Some(u64::from(1.5f32.to_bits())));
        let float = |bits, text| bits_of(Type::Float { bits }, text);
        assert_eq!(float(32, "0x3fc00000"), Some(u64::from(1.5f32.to_bits())));
        assert_eq!(float(64, "-0.1"), Some((-0.1f64).to_bits()));
        for (text, bits) in [("1.5", 0x3e00), ("-2", 0xc000), ("0.1", 0x2e66), ("65504", 0x7bff), ("-0x1", 0)] {
            let expected = (text != "-0x1").then_some(bits);
            assert_eq!(float(16, text), expected, "{text}");
        }
        assert_eq!(float(16, "0x7c00"), float(16, "inf"));
        assert_eq!((float(16, "65520"), float(32, "1e39"), float(64, "-1e400")), (None, None, None));
        assert_eq!((float(16, "0x10000"), float(32, "half"), float(16, "")), (None, None, None));
        assert_eq!(bits_of(Type::Bool, "true"), Some(1));
        assert_eq!(bits_of(Type::Bool, "yes"), None);
    }

    #[test]
    fn checks_values_against_type_names() {
        let table = [
            ("int32", "-2147483648", true),
            ("int32", "-2147483649", false),
            ("int32", "0xffffffff", true),
            ("int32", "-0x80000001", false),
            ("uint32", "-1", false),
            ("uint16", "65536", false),
            ("uint64", "18446744073709551615", true),
            ("int32", "1.5", false),
            ("int32", "", false),
            ("float32", "1.5e3", true),
            ("float32", "1e39", false),
            ("float64", "1e39", true),
            ("bool", "true", true),
            ("bool", "yes", false),
            ("struct %3", "1", false),
        ];
        for (type_name, text, taken) in table {
            assert_eq!(is_value_of(type_name, text), taken, "{type_name} {text:?}");
        }
    }

    #[test]
    fn distinguishes_nans() {
        for (width, infinity, plain) in
            [(16, 0x7c00, 0x7e00), (32, 0x7f80_0000, 0x7fc0_0000), (64, 0x7ff0 << 48, 0x7ff8 << 48)]
        {
            assert_eq!(bits_of(Type::Float { bits: width }, "NaN"), Some(plain));
            let odd = [infinity + 1, plain + 1, plain | 1 << (width - 1)];
            assert!(odd.into_iter().all(|bits| is_odd_nan(width, bits)), "{width}");
            let even = [0, 1, infinity, infinity - 1, plain, infinity | 1 << (width - 1)];
            assert!(!even.into_iter().any(|bits| is_odd_nan(width, bits)), "{width}");
        }
    }
}
