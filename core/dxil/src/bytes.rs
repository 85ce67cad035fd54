//! Bounded reading of little-endian structures, with offsets counted from the start of the file.

use lanescope_base::foreign::is_obeyed;

use super::error::Fault;
use crate::findings::Rule;

/// The longest name of a semantic or an entry point that is taken.
pub(crate) const MAX_NAME: usize = 512;

/// A range of the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bytes<'a> {
    data: &'a [u8],
    /// Offset of `data` in the file.
    base: u64,
    /// The rule that is broken when a read goes past the end.
    rule: &'static Rule,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(data: &'a [u8], base: u64, rule: &'static Rule) -> Self {
        Bytes { data, base, rule }
    }

    pub(crate) fn len(&self) -> usize {
        self.data.len()
    }

    pub(crate) fn all(&self) -> &'a [u8] {
        self.data
    }

    /// The place in the file of offset `at`.
    pub(crate) fn place(&self, at: usize) -> u64 {
        self.base.saturating_add(at as u64)
    }

    /// A fault at offset `at`, under this range's rule.
    pub(crate) fn fault(&self, at: usize, message: impl Into<String>) -> Fault {
        Fault::at_byte(self.rule, self.place(at), message)
    }

    /// `len` bytes from `at`.
    pub(crate) fn slice(&self, at: usize, len: usize, what: &str) -> Result<&'a [u8], Fault> {
        at.checked_add(len).and_then(|end| self.data.get(at..end)).ok_or_else(|| {
            let left = self.data.len().saturating_sub(at);
            self.fault(at.min(self.data.len()), format!("{what} needs {len} bytes, but {left} remain"))
        })
    }

    /// `len` bytes from `at`, as a range of their own.
    pub(crate) fn sub(&self, at: usize, len: usize, what: &str) -> Result<Bytes<'a>, Fault> {
        let data = self.slice(at, len, what)?;
        Ok(Bytes { data, base: self.place(at), rule: self.rule })
    }

    pub(crate) fn u8(&self, at: usize, what: &str) -> Result<u8, Fault> {
        Ok(self.array::<1>(at, what)?[0])
    }

    pub(crate) fn u16(&self, at: usize, what: &str) -> Result<u16, Fault> {
        Ok(u16::from_le_bytes(self.array(at, what)?))
    }

    pub(crate) fn u32(&self, at: usize, what: &str) -> Result<u32, Fault> {
        Ok(u32::from_le_bytes(self.array(at, what)?))
    }

    pub(crate) fn u64(&self, at: usize, what: &str) -> Result<u64, Fault> {
        Ok(u64::from_le_bytes(self.array(at, what)?))
    }

    fn array<const N: usize>(&self, at: usize, what: &str) -> Result<[u8; N], Fault> {
        let mut out = [0; N];
        out.copy_from_slice(self.slice(at, N, what)?);
        Ok(out)
    }

    /// The text from `at` up to its zero byte, if it has one within `limit` bytes. Many places may name one text, so
    /// what a text may cost is the caller's to say.
    pub(crate) fn text(&self, at: usize, limit: usize) -> Option<String> {
        let rest = self.data.get(at..)?;
        let rest = rest.get(..limit).unwrap_or(rest);
        let end = rest.iter().position(|byte| *byte == 0)?;
        rest.get(..end).map(escaped)
    }
}

/// Bytes as text: what is not UTF-8 or would steer a terminal is written as LLVM writes it, `\01`.
pub fn escaped(bytes: &[u8]) -> String {
    escaped_own(bytes.to_vec())
}

/// Like [`escaped`], for owned bytes: plain text is not copied.
pub(crate) fn escaped_own(bytes: Vec<u8>) -> String {
    if is_plain(&bytes) {
        // ASCII is UTF-8.
        return String::from_utf8(bytes).unwrap_or_default();
    }
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                c if c.is_ascii_control() => out.push_str(&format!("\\{:02X}", u32::from(c))),
                c if is_obeyed(c) || is_format(c) => out.extend(c.escape_unicode()),
                c => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            out.push_str(&format!("\\{byte:02X}"));
        }
    }
    out
}

/// Whether bytes are printable ASCII. All of them are looked at, so that many are looked at at once.
#[inline]
pub(crate) fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |plain, byte| plain & matches!(byte, 0x20..0x7f))
}

/// Characters that hide the text around them.
fn is_format(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_control_characters_in_text() {
        assert_eq!(escaped(b"plain \xc3\xa9"), "plain é");
        assert_eq!(escaped(b"a\x1b[31m\xff\n"), "a\\1B[31m\\FF\\0A");
        assert_eq!(escaped("\u{202e}abc".as_bytes()), "\\u{202e}abc");
    }
}
