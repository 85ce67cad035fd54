//! Bytes in JSON.

use serde::{Deserialize, Serialize};

/// Bytes that travel as hexadecimal text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blob(pub Vec<u8>);

impl Serialize for Blob {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digits = |byte: &u8| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]].map(char::from);
        serializer.serialize_str(&self.0.iter().flat_map(digits).collect::<String>())
    }
}

crate::text_schema!(Blob: "bytes, two hexadecimal digits each");

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        let byte = |pair: &[u8]| match pair {
            [high, low] => Some((digit(high)? << 4 | digit(low)?) as u8),
            _ => None,
        };
        let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(byte).collect();
        bytes.map(Blob).ok_or_else(|| serde::de::Error::custom("expected pairs of hexadecimal digits"))
    }
}
