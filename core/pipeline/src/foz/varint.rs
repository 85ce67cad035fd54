//! Words as groups of seven bits, the low group first: the encoding of SPIR-V in databases.

/// Appends a word.
pub fn put(word: u32, out: &mut Vec<u8>) {
    let mut rest = word;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// Reads `count` words that are all of the bytes.
///
/// # Errors
/// The byte at which they are not.
pub fn words(bytes: &[u8], count: usize) -> Result<Vec<u32>, String> {
    // Each word has a byte at least: checked before anything is allocated.
    if count > bytes.len() {
        return Err(format!("{count} words need at least {count} bytes, found {}", bytes.len()));
    }
    let mut out = Vec::with_capacity(count);
    let mut at = 0;
    while out.len() < count {
        let (start, mut word) = (at, 0u32);
        loop {
            let Some(&byte) = bytes.get(at) else {
                return Err(format!("byte {start}: word {} of {count} is not terminated", out.len()));
            };
            let group = at - start;
            if group == 4 && byte > 0x0f {
                return Err(format!("byte {at}: word {} has more than 32 bits", out.len()));
            }
            word |= u32::from(byte & 0x7f) << (7 * group);
            at += 1;
            if byte < 0x80 {
                break;
            }
        }
        out.push(word);
    }
    if at < bytes.len() {
        return Err(format!("byte {at}: {} bytes remain after the last word", bytes.len() - at));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rejects_broken_groups() {
        for (bytes, count, error) in [
            (&[0x83][..], 1, "not terminated"),
            (&[0x80, 0x80, 0x80, 0x80, 0x10], 1, "32 bits"),
            (&[0x80, 0x80, 0x80, 0x80, 0x80, 0], 1, "32 bits"),
            (&[1, 2], 1, "remain"),
            (&[1], 2, "need"),
            (&[], usize::MAX, "need"),
        ] {
            assert!(words(bytes, count).is_err_and(|message| message.contains(error)), "{bytes:?}");
        }
        assert_eq!(words(&[0x83, 0x84, 0x8c, 0x39], 1), Ok(vec![0x0723_0203]));
    }

    proptest! {
        #[test]
        fn words_round_trip(all in proptest::collection::vec(any::<u32>(), 0..200)) {
            let mut bytes = Vec::new();
            all.iter().for_each(|word| put(*word, &mut bytes));
            prop_assert_eq!(words(&bytes, all.len()), Ok(all));
        }

        #[test]
        fn reads_or_rejects_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..64), count in 0usize..80) {
            if let Ok(all) = words(&bytes, count) {
                prop_assert_eq!(all.len(), count);
            }
        }
    }
}
