//! Sizes on the command line.

/// Reads a size: a number of bytes, or one with K, M or G in powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (number, shift) = match text.as_bytes().last().map(u8::to_ascii_uppercase) {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let size = number.parse::<u64>().ok().filter(|_| is_number).and_then(|number| number.checked_mul(1 << shift));
    size.ok_or_else(|| format!("invalid size `{text}`: expected a number of bytes, or a number with K, M or G"))
}

/// The same within limits, which are given with their names: `64M`.
pub fn bytes_within(text: &str, [least, most]: [(u64, &str); 2]) -> Result<u64, String> {
    let bytes = bytes(text)?;
    if (least.0..=most.0).contains(&bytes) {
        return Ok(bytes);
    }
    let unit =
        if text.ends_with(|last: char| last.is_ascii_digit()) { " (without K, M or G it is in bytes)" } else { "" };
    Err(format!("invalid size `{text}`{unit}: expected {} to {}", least.1, most.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_alone_is_bytes() {
        for (text, expected) in [("256", 256), ("4k", 4096), ("512M", 512 << 20), ("2G", 2 << 30), ("0", 0)] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for wrong in ["", "K", "12q", "1.5G", "-1", "+1", "1KB", "99999999999G", "é"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        let limits = [(64 << 20, "64M"), (1 << 40, "1024G")];
        assert_eq!(bytes_within("64M", limits), Ok(64 << 20));
        let why = "invalid size `256` (without K, M or G it is in bytes): expected 64M to 1024G";
        assert_eq!(bytes_within("256", limits), Err(why.to_owned()));
        assert_eq!(bytes_within("1K", limits), Err("invalid size `1K`: expected 64M to 1024G".to_owned()));
    }
}
