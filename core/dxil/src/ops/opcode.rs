//! Numbers of ops, and versions.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

use lanescope_base::named_enum;

/// The number in a call's first operand: the FeatureID in the upper half, the index in the lower.
///
/// Displays as the signed number that LLVM text shows; `{:#}` as eight hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Opcode(#[serde(deserialize_with = "signed_or_unsigned")] pub u32);

/// Reports of schema 1 have the signed number.
fn signed_or_unsigned<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let number = i64::deserialize(deserializer)?;
    let signed = i32::try_from(number).map(i32::cast_unsigned);
    signed
        .or_else(|_| u32::try_from(number))
        .map_err(|_| D::Error::invalid_value(Unexpected::Signed(number), &"a number of 32 bits"))
}

impl Opcode {
    /// The fixed value that stands for no opcode.
    pub const INVALID: Opcode = Opcode(u32::MAX);

    /// The number of a signed constant.
    pub fn from_signed(value: i32) -> Opcode {
        Opcode(value.cast_unsigned())
    }

    /// The number as LLVM text shows it.
    pub fn signed(self) -> i32 {
        self.0.cast_signed()
    }

    /// The upper half.
    pub fn feature(self) -> FeatureId {
        FeatureId((self.0 >> 16) as u16)
    }

    /// The lower half.
    pub fn index(self) -> u16 {
        (self.0 & 0xffff) as u16
    }

    /// The table that the FeatureID chooses.
    pub fn table(self) -> Option<TableKind> {
        TableKind::of(self.feature())
    }

    /// The number in its usual form: decimal where it is a small number, else hexadecimal with the signed number that LLVM
    /// text has.
    pub fn shown(self) -> String {
        if self.feature() == FeatureId(0) { self.to_string() } else { format!("{self:#} ({self})") }
    }

    /// Reads a number as a person writes it: decimal (signed or unsigned) or hexadecimal with `0x`.
    pub fn parse(text: &str) -> Option<Opcode> {
        if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            let all_hex = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
            return u32::from_str_radix(digits, 16).ok().filter(|_| all_hex).map(Opcode);
        }
        let unsigned = text.parse().map(Opcode);
        unsigned.or_else(|_| text.parse().map(Opcode::from_signed)).ok()
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { write!(f, "0x{:08X}", self.0) } else { f.pad(&self.signed().to_string()) }
    }
}

/// The upper half of an opcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureId(pub u16);

impl fmt::Display for FeatureId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("0x{:04X}", self.0))
    }
}

impl FromStr for FeatureId {
    type Err = String;

    /// Reads `0x8000`, or a table's name.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = Opcode::parse(text).and_then(|number| u16::try_from(number.0).ok()).map(FeatureId);
        number.or_else(|| text.parse().ok().map(TableKind::feature)).ok_or_else(|| {
            format!(
                "`{text}` is not a FeatureID: expected 0x0000 (stable), 0x8000 (experimental) or another 16-bit number"
            )
        })
    }
}

named_enum!(
    /// One of the two tables.
    TableKind {
        /// Ops that every later compiler keeps: FeatureID 0x0000.
        Stable = "stable",
        /// Ops of a preview: FeatureID 0x8000.
        Experimental = "experimental",
    }
);

impl TableKind {
    /// The FeatureID that chooses the table.
    pub fn feature(self) -> FeatureId {
        match self {
            TableKind::Stable => FeatureId(0),
            TableKind::Experimental => FeatureId(0x8000),
        }
    }

    /// The table of a FeatureID. The top bit alone does not decide: 0x8001 is not a table.
    pub fn of(feature: FeatureId) -> Option<TableKind> {
        TableKind::ALL.iter().copied().find(|kind| kind.feature() == feature)
    }
}

/// `major.minor`: a shader model or a version of DXIL. 6.10 comes after 6.9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct Version {
    /// Before the dot.
    pub major: u32,
    /// Behind it.
    pub minor: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{}", self.major, self.minor))
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse().ok()).flatten();
        let parts = text.split_once('.').and_then(|(major, minor)| Some((digits(major)?, digits(minor)?)));
        let (major, minor) = parts.ok_or_else(|| format!("`{text}` is not a version such as 6.8"))?;
        Ok(Version { major, minor })
    }
}

impl TryFrom<String> for Version {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Version> for String {
    fn from(version: Version) -> String {
        version.to_string()
    }
}

/// A FeatureID as `0x8000`.
pub(super) mod feature_text {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use super::FeatureId;

    pub fn serialize<S: Serializer>(feature: &FeatureId, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&feature.to_string())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<FeatureId, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_prints_opcodes_in_every_form() {
        for (text, number) in [
            ("4", 4),
            ("0x4", 4),
            ("-2147483648", 0x8000_0000),
            ("2147483648", 0x8000_0000),
            ("0X80000000", 0x8000_0000),
            ("-1", u32::MAX),
        ] {
            assert_eq!(Opcode::parse(text), Some(Opcode(number)), "{text}");
        }
        for text in ["", "0x", "0x+4", "4294967296", "-2147483649", "LoadInput", "0x100000000", "1 "] {
            assert_eq!(Opcode::parse(text), None, "{text}");
        }
        let op = Opcode(0x8000_000B);
        assert_eq!((op.to_string(), format!("{op:#}")), ("-2147483637".to_owned(), "0x8000000B".to_owned()));
        assert_eq!((op.feature(), op.index(), op.table()), (FeatureId(0x8000), 11, Some(TableKind::Experimental)));
        assert_eq!((op.shown(), Opcode(4).shown()), ("0x8000000B (-2147483637)".to_owned(), "4".to_owned()));
    }

    #[test]
    fn parses_feature_as_number_or_table_name() {
        for (text, number) in [("0x8000", 0x8000), ("32768", 0x8000), ("experimental", 0x8000), ("stable", 0)] {
            assert_eq!(text.parse(), Ok(FeatureId(number)), "{text}");
        }
        assert!("0x10000".parse::<FeatureId>().is_err() && "new".parse::<FeatureId>().is_err());
    }

    #[test]
    fn versions_compare_by_number_not_by_text() {
        let read = |text: &str| text.parse::<Version>().expect("a version");
        assert!(read("6.10") > read("6.9") && read("6.0") > read("1.10"));
        for text in ["6", "6.", ".1", "+6.1", "6.1.2", "six.one", ""] {
            assert!(text.parse::<Version>().is_err(), "{text}");
        }
    }
}
