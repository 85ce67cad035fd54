//! The encodings of sources: UTF-8, and UTF-16 where a mark says so.

/// A text without its mark; UTF-16 becomes UTF-8.
///
/// Errors: the first byte that is not UTF-16.
pub(super) fn utf8(bytes: Vec<u8>) -> Result<Vec<u8>, usize> {
    let unit: fn([u8; 2]) -> u16 = match bytes.as_slice() {
        [0xef, 0xbb, 0xbf, text @ ..] => return Ok(text.to_vec()),
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Ok(bytes),
    };
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(bytes.len() - 1);
    }
    let mut text = String::with_capacity(bytes.len() / 2);
    let mut at = 2;
    for char in char::decode_utf16(pairs.iter().skip(1).map(|pair| unit(*pair))) {
        let char = char.map_err(|_| at)?;
        at += 2 * char.len_utf16();
        text.push(char);
    }
    Ok(text.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_say_the_encoding() {
        let text = "void main() {} // ö🦀";
        let wide = |mark: [u8; 2], bytes: fn(u16) -> [u8; 2]| {
            mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect::<Vec<u8>>()
        };
        let marked = [&b"\xef\xbb\xbf"[..], text.as_bytes()].concat();
        let little = wide([0xff, 0xfe], u16::to_le_bytes);
        let big = wide([0xfe, 0xff], u16::to_be_bytes);
        for bytes in [text.as_bytes().to_vec(), marked, little.clone(), big] {
            assert_eq!(utf8(bytes), Ok(text.as_bytes().to_vec()));
        }
        assert_eq!(utf8(little[..little.len() - 1].to_vec()), Err(little.len() - 2));
        assert_eq!(utf8(little[..little.len() - 2].to_vec()), Err(little.len() - 4), "half of a pair");
        assert_eq!(utf8(vec![0xf6]), Ok(vec![0xf6]));
    }
}
