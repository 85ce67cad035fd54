//! Bytes in JSON.

use serde::{Deserialize, Serialize};

/// Bytes that travel as hexadecimal text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blob(pub Vec<u8>);

impl Serialize for Blob {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&to_hex(&self.0))
    }
}

crate::text_schema!(Blob: "bytes, two hexadecimal digits each");

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = from_hex(text.as_bytes());
        bytes.map(Blob).ok_or_else(|| serde::de::Error::custom("expected pairs of hexadecimal digits"))
    }
}

// Programs travel between processes this way. What is not generic is compiled here, with optimization, whichever crate
// sends them.

fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        out.push(char::from(DIGITS[usize::from(byte >> 4)]));
        out.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    out
}

fn from_hex(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let (pairs, rest) = digits.as_chunks::<2>();
    let byte = |[high, low]: &[u8; 2]| Some((digit(*high)? << 4 | digit(*low)?) as u8);
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_pairs_of_digits() {
        let all: Vec<u8> = (0..=255).collect();
        let text = to_hex(&all);
        assert!(text.starts_with("000102") && text.ends_with("fdfeff"));
        assert_eq!(from_hex(text.as_bytes()), Some(all));
        assert_eq!(from_hex(b"aBfF"), Some(vec![0xab, 0xff]));
        assert_eq!(from_hex(b""), Some(Vec::new()));
        for wrong in [&b"a"[..], b"abc", b"0g", b" 1", "é".as_bytes()] {
            assert_eq!(from_hex(wrong), None, "{wrong:?}");
        }
    }
}
