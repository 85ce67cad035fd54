//! Units and indices as types, so that a lane cannot be passed for a byte.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! number {
    ($(#[$doc:meta])* $name:ident($repr:ty)) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(pub $repr);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

number!(
    /// A SPIR-V result id.
    Id(u32)
);
number!(
    /// An interface location, or an attribute slot: four 32-bit components.
    Location(u32)
);
number!(
    /// One 32-bit component of a location, 0 to 3.
    Component(u8)
);
number!(
    /// A lane of a wave, 0 to 31 or 63.
    Lane(u32)
);
number!(
    /// A wave of a workgroup, in hardware order.
    Wave(u32)
);
number!(
    /// A hardware thread's index in its workgroup: `wave * wave size + lane`.
    Thread(u32)
);
number!(
    /// A size or an offset in bytes.
    Bytes(u64)
);
number!(
    /// A size or an offset in 32-bit words.
    Words(u32)
);

impl Component {
    /// Its letter: `x`, `y`, `z` or `w`; `?` beyond.
    pub fn letter(self) -> char {
        ['x', 'y', 'z', 'w'].get(usize::from(self.0)).copied().unwrap_or('?')
    }
}

impl From<Words> for Bytes {
    fn from(words: Words) -> Self {
        Bytes(u64::from(words.0) * 4)
    }
}

/// A value that reports write as lower-case hexadecimal with `0x` (register values, addresses, hashes).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex<const DIGITS: usize>(pub u64);

/// A 16-bit register address: `0xa191`.
pub type Address = Hex<4>;
/// A 32-bit register value: `0x00000402`.
pub type RegisterValue = Hex<8>;
/// A 64-bit content hash.
pub type Hash64 = Hex<16>;

/// XXH3 of some bytes.
pub fn hash(bytes: &[u8]) -> Hash64 {
    Hex(xxhash_rust::xxh3::xxh3_64(bytes))
}

impl<const DIGITS: usize> fmt::Display for Hex<DIGITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:0DIGITS$x}", self.0)
    }
}

impl<const DIGITS: usize> Serialize for Hex<DIGITS> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<const DIGITS: usize> JsonSchema for Hex<DIGITS> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Hex{DIGITS}").into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": format!("^0x[0-9a-f]{{{DIGITS},}}$") })
    }
}

impl<'de, const DIGITS: usize> Deserialize<'de> for Hex<DIGITS> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.strip_prefix("0x")
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .map(Hex)
            .ok_or_else(|| serde::de::Error::custom(format!("`{text}` is not a hexadecimal number with 0x")))
    }
}
