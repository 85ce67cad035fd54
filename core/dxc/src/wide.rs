//! The strings of the interface: one number for a character, then a zero.

/// A character, as C's `wchar_t` of Linux.
pub type Char = libc::wchar_t;

/// The most characters of a name that is read.
const LONGEST: usize = 1 << 16;

/// A text as the library takes it: with a zero after it, and none inside.
#[derive(Debug)]
pub struct Text(Vec<Char>);

impl Text {
    /// Of a text.
    ///
    /// # Errors
    /// A zero inside of it.
    pub fn of(text: &str) -> Result<Text, String> {
        if text.contains('\0') {
            return Err(format!("`{}` has a zero byte", text.escape_default()));
        }
        Ok(Text(text.chars().map(|c| c as Char).chain([0]).collect()))
    }

    /// Its first character; all up to the zero may be read as long as this lives.
    pub fn as_ptr(&self) -> *const Char {
        self.0.as_ptr()
    }
}

/// A name that the library says. What is no character is a byte of a name that it could not read by its locale.
///
/// # Safety
/// It ends with a zero, if it is not null.
pub unsafe fn read(from: *const Char) -> Option<String> {
    if from.is_null() {
        return None;
    }
    // SAFETY: every character up to the first zero may be read, as the caller ensures.
    let length = (0..LONGEST).find(|at| unsafe { *from.add(*at) } == 0)?;
    // SAFETY: likewise.
    Some(text(unsafe { std::slice::from_raw_parts(from, length) }))
}

/// Characters as text: bytes that the C locale of glibc made characters of are bytes again.
fn text(chars: &[Char]) -> String {
    let mut bytes = Vec::with_capacity(chars.len());
    // A signed number on some machines, an unsigned one on others.
    for char in chars.iter().map(|char| u32::from_ne_bytes(char.to_ne_bytes())) {
        match (char::from_u32(char), char) {
            (Some(char), _) => bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            // glibc's C locale: U+DF80 to U+DFFF stand for the bytes from 80 to FF.
            (None, 0xdf80..=0xdfff) => bytes.push((char & 0xff) as u8),
            (None, _) => bytes.extend_from_slice(char::REPLACEMENT_CHARACTER.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_survive() {
        let wide = Text::of("größe 🦀.hlsl").expect("has no zero");
        // SAFETY: it ends with a zero.
        assert_eq!(unsafe { read(wide.as_ptr()) }.as_deref(), Some("größe 🦀.hlsl"));
        // SAFETY: it is null.
        assert_eq!(unsafe { read(std::ptr::null()) }, None);
        assert!(Text::of("a\0b").is_err_and(|why| why.contains("zero byte")));
    }

    #[test]
    fn what_is_no_character_is_read_all_the_same() {
        assert_eq!(text(&[0x67, 0xdfc3, 0xdfb6]), "gö");
        let no_number = Char::from_ne_bytes([0xff; 4]);
        assert_eq!(text(&[0x67, 0xd800, no_number, 0xdfff]), "g\u{fffd}\u{fffd}\u{fffd}");
    }
}
