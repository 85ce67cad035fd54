//! Names that the converter leaves out.

use lanescope_spirv::enums::Op;

/// Words of a SPIR-V header.
const HEADER: usize = 5;

/// The module with its only entry point, `main`, called `name`.
pub(super) fn entry_point(words: &[u32], name: &str) -> Vec<u32> {
    let mut out = words.get(..HEADER).unwrap_or(words).to_vec();
    let mut at = HEADER;
    while let Some(first) = words.get(at) {
        let count = ((first >> 16) as usize).max(1);
        let Some(inst) = words.get(at..at + count) else {
            out.extend(words.get(at..).unwrap_or_default());
            break;
        };
        at += count;
        if first & 0xffff != Op::EntryPoint as u32 || count < 4 {
            out.extend(inst);
            continue;
        }
        // The string ends with the word that has a zero byte.
        let string = inst[3..].iter().position(|word| word.to_le_bytes().contains(&0)).map_or(count, |end| end + 4);
        let text = string_words(name);
        let interface = &inst[string..];
        let count = 3 + text.len() + interface.len();
        let Ok(short) = u16::try_from(count) else {
            out.extend(inst);
            continue;
        };
        out.push(u32::from(short) << 16 | Op::EntryPoint as u32);
        out.extend(&inst[1..3]);
        out.extend(text);
        out.extend(interface);
    }
    out
}

/// A string as words, with its zero byte.
fn string_words(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize((bytes.len() + 1).next_multiple_of(4), 0);
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_name_changes() {
        let main = u32::from_le_bytes(*b"main");
        let words = [0x0723_0203, 0x1_0600, 0, 9, 0, 0x0007_000f, 5, 4, main, 0, 7, 8, 0x0001_00fd];
        let renamed = entry_point(&words, "CastLight");
        let text = [u32::from_le_bytes(*b"Cast"), u32::from_le_bytes(*b"Ligh"), u32::from_le_bytes(*b"t\0\0\0")];
        let expected = [&words[..5], &[0x0008_000f, 5, 4], &text, &[7, 8, 0x0001_00fd]].concat();
        assert_eq!(renamed, expected);
        assert_eq!(entry_point(&renamed, "main"), words);
    }
}
