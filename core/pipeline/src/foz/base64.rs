//! Binary data inside JSON: base64 of the standard alphabet, with padding.

use base64::alphabet::STANDARD;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use base64::{DecodeError, Engine};

/// Bits of the last symbol that belong to no byte are ignored: the bytes do not depend on them.
const ENGINE: GeneralPurpose =
    GeneralPurpose::new(&STANDARD, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));

/// The bytes of a text.
///
/// # Errors
/// The character that is none of the alphabet, or a length that no bytes have.
pub fn decode(text: &str) -> Result<Vec<u8>, String> {
    ENGINE.decode(text).map_err(|error| match error {
        DecodeError::InvalidByte(at, _) | DecodeError::InvalidLastSymbol { offset: at, .. } => {
            format!("character {at} is not base64")
        }
        DecodeError::InvalidLength(_) | DecodeError::InvalidPadding => {
            format!("expected a multiple of 4 characters, found {}", text.len())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_examples_of_the_standard() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")] {
            assert_eq!(decode(text), Ok(bytes.as_bytes().to_vec()));
        }
        assert_eq!(decode("Zh=="), Ok(b"f".to_vec()), "bits after the last byte");
    }

    #[test]
    fn names_the_wrong_character_or_the_length() {
        assert_eq!(decode("Zm 8"), Err("character 2 is not base64".to_owned()));
        assert_eq!(decode("Zm8"), Err("expected a multiple of 4 characters, found 3".to_owned()));
        for bad in ["Zg=", "Z", "Zg=!", "Z===", "====", "Zg", "Zg==Zg=="] {
            assert!(decode(bad).is_err(), "{bad}");
        }
    }
}
