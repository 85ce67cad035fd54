//! Assembly without encodings and addresses: what two compilations are compared by.

use std::borrow::Cow;

use crate::DriverStage;

/// The text without encodings after instructions and addresses before them. Lines keep their numbers.
pub fn without_encodings(text: &str) -> Cow<'_, str> {
    if text.lines().all(|line| plain(line) == line) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let end = if line.ends_with('\n') { "\n" } else { "" };
        out.push_str(plain(line.strip_suffix('\n').unwrap_or(line)));
        out.push_str(end);
    }
    Cow::Owned(out)
}

/// A line without its encoding and its address.
fn plain(line: &str) -> &str {
    let code = ["//", ";"].into_iter().find_map(|mark| {
        let (code, comment) = line.split_once(mark)?;
        is_encoding(comment).then(|| code.trim_end())
    });
    let code = code.unwrap_or(line);
    // `0x0040:` or `00000040:` before the instruction.
    match code.trim_start().split_once(':') {
        Some((address, rest)) if is_address(address) => rest,
        _ => code,
    }
}

/// Words of eight hexadecimal digits, after an address or without one: `7e000200`, `000000000040: 7E000200 00000001`.
fn is_encoding(comment: &str) -> bool {
    let comment = comment.trim();
    let words = match comment.split_once(':') {
        Some((address, rest)) if is_address(address) => rest,
        _ => comment,
    };
    let is_word = |word: &str| word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    !words.trim().is_empty() && words.split_ascii_whitespace().all(is_word)
}

fn is_address(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    digits.len() >= 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl DriverStage {
    /// Whether both have assembly, and it is the same but for encodings and addresses.
    pub fn has_same_code(&self, other: &DriverStage) -> bool {
        match (&self.isa, &other.isa) {
            (Some(one), Some(other)) => one == other || without_encodings(one) == without_encodings(other),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_encodings_and_addresses_only() {
        for (line, expected) in [
            ("\tv_mov_b32_e32 v2, v0      ; 7e040300", "\tv_mov_b32_e32 v2, v0"),
            ("\ts_nop 0 // 000000000040: BF800000", "\ts_nop 0"),
            ("\ts_nop 0 // 000000000040: BF800000 00000001", "\ts_nop 0"),
            ("\tds_read ; reads the counter", "\tds_read ; reads the counter"),
            ("BB0:", "BB0:"),
            ("0x0040: mov r0, r1", " mov r0, r1"),
            ("face: add", " add"),
            ("", ""),
        ] {
            assert_eq!(plain(line), expected, "{line}");
        }
        assert_eq!(without_encodings("a ; 7e040300\nb\n"), "a\nb\n");
        assert_eq!(without_encodings("a ; 7e040300"), "a");
        assert!(matches!(without_encodings("a\nb"), Cow::Borrowed("a\nb")));
    }
}
