//! Foreign text: names in files, messages of compilers and libraries, paths. It is shown, never obeyed by what shows it.

use std::borrow::Cow;
use std::io::{self, Write};

/// Shown instead of a character that would be obeyed.
pub const REPLACEMENT: char = '\u{fffd}';
/// The longest style sequence that a [`Screen`] passes, in bytes.
const STYLE_AT_MOST: usize = 32;

/// Whether terminals, browsers and editors obey the character instead of showing it: control characters (C0, DEL, C1),
/// line separators, and controls of the direction of text.
pub fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
}

/// Foreign text for one line: characters that would be obeyed are replaced, tabs are kept.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if is_obeyed(c) && c != '\t' { REPLACEMENT } else { c }).collect()
}

/// Like [`plain`], where a tab is obeyed too: names in tables, titles.
pub fn plain_name(text: &str) -> String {
    text.chars().map(|c| if is_obeyed(c) { REPLACEMENT } else { c }).collect()
}

/// Foreign text of several lines: each is [`plain`].
pub fn plain_lines(text: &str) -> String {
    text.chars().map(|c| if is_obeyed(c) && !matches!(c, '\t' | '\n') { REPLACEMENT } else { c }).collect()
}

/// JSON with equal strings, in which characters that would be obeyed and that JSON does not require to be escaped (DEL,
/// C1, controls of direction) are escaped.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    let escaped = |c: char| is_obeyed(c) && c >= '\u{7f}';
    if !json.contains(escaped) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 32);
    for c in json.chars() {
        match c {
            // All of them are in the basic plane: one unit.
            c if escaped(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// A destination of text that passes what is shown, line ends (also those of CSV), tabs, and style sequences (SGR) where asked for.
/// Everything else that would be obeyed is replaced, as are bytes that are not UTF-8.
///
/// It is the last guard: styled text replaces sequences of styles in foreign text before it adds its own.
#[derive(Debug)]
pub struct Screen<W: Write> {
    out: W,
    /// Whether style sequences pass.
    styles: bool,
    /// The begin of a character or of a sequence.
    held: Vec<u8>,
}

/// What is at the begin of bytes that are not printable ASCII.
enum Piece {
    Kept(usize),
    Replaced(usize),
    /// More bytes decide.
    Incomplete,
}

impl<W: Write> Screen<W> {
    /// A destination that styles nothing.
    pub fn plain(out: W) -> Self {
        Screen { out, styles: false, held: Vec::new() }
    }

    /// A destination of styled text.
    pub fn styled(out: W) -> Self {
        Screen { out, styles: true, held: Vec::new() }
    }

    /// Passes bytes on, and returns how many: all but an incomplete end.
    fn pass(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (mut from, mut at) = (0, 0);
        while let Some(&byte) = bytes.get(at) {
            let piece = match byte {
                b'\n' | b'\t' | 0x20..0x7f => Piece::Kept(1),
                b'\r' => match bytes.get(at + 1) {
                    Some(b'\n') => Piece::Kept(2),
                    Some(_) => Piece::Replaced(1),
                    None => Piece::Incomplete,
                },
                0x1b if self.styles => style(&bytes[at..]),
                _ => character(&bytes[at..]),
            };
            match piece {
                Piece::Kept(length) => at += length,
                Piece::Replaced(length) => {
                    self.out.write_all(&bytes[from..at])?;
                    write!(self.out, "{REPLACEMENT}")?;
                    at += length;
                    from = at;
                }
                Piece::Incomplete => break,
            }
        }
        self.out.write_all(&bytes[from..at])?;
        Ok(at)
    }
}

/// A style sequence: `ESC [`, numbers, `m`.
fn style(bytes: &[u8]) -> Piece {
    let end = match bytes.get(1) {
        None => return Piece::Incomplete,
        Some(b'[') => bytes[2..].iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';' | b':')),
        Some(_) => return Piece::Replaced(1),
    };
    match end {
        Some(end) if bytes[2 + end] == b'm' && end < STYLE_AT_MOST => Piece::Kept(end + 3),
        None if bytes.len() < STYLE_AT_MOST => Piece::Incomplete,
        _ => Piece::Replaced(1),
    }
}

/// A character that is not printable ASCII.
fn character(bytes: &[u8]) -> Piece {
    let length = match bytes[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Piece::Replaced(1),
    };
    let Some(whole) = bytes.get(..length) else {
        let all_follow = bytes[1..].iter().all(|byte| matches!(byte, 0x80..=0xbf));
        return if all_follow { Piece::Incomplete } else { Piece::Replaced(1) };
    };
    match std::str::from_utf8(whole) {
        Ok(text) if text.contains(is_obeyed) => Piece::Replaced(length),
        Ok(_) => Piece::Kept(length),
        Err(_) => Piece::Replaced(1),
    }
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.held.is_empty() {
            let passed = self.pass(bytes)?;
            self.held.extend_from_slice(&bytes[passed..]);
        } else {
            let mut all = std::mem::take(&mut self.held);
            all.extend_from_slice(bytes);
            let passed = self.pass(&all)?;
            self.held.extend_from_slice(&all[passed..]);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Write> Drop for Screen<W> {
    fn drop(&mut self) {
        if !self.held.is_empty() {
            // An incomplete sequence would take what comes next into it.
            let _ = write!(self.out, "{REPLACEMENT}");
        }
        let _ = self.out.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}]0;t\u{7}\u{1b}[31mb\u{9b}2J\u{202e}c\u{2066}\u{200f}\u{61c}\u{7f}\r";

    #[test]
    fn replaces_what_would_be_obeyed() {
        assert_eq!(plain(HOSTILE), "a�]0;t��[31mb�2J�c�����");
        assert_eq!(plain("a\tb\nc"), "a\tb�c");
        assert_eq!(plain_name("a\tb\nc"), "a�b�c");
        assert_eq!(plain_lines("a\tb\nc\r"), "a\tb\nc�");
        assert_eq!(plain("größe 漢字 👩‍🚀"), "größe 漢字 👩‍🚀");
    }

    #[test]
    fn escaped_json_is_equal() {
        let json = serde_json::to_string(HOSTILE).expect("is JSON");
        let escaped = escape_json(&json);
        assert!(!escaped.contains(is_obeyed), "{escaped}");
        assert_eq!(serde_json::from_str::<String>(&escaped).expect("is JSON"), HOSTILE);
        assert!(matches!(escape_json("{\"a\": \"b\"}\n"), Cow::Borrowed(_)));
    }

    /// What comes out when the text arrives in pieces of `size` bytes.
    fn shown(text: &[u8], styles: bool, size: usize) -> String {
        let mut out = Vec::new();
        let mut screen = if styles { Screen::styled(&mut out) } else { Screen::plain(&mut out) };
        text.chunks(size).for_each(|chunk| screen.write_all(chunk).expect("memory takes every write"));
        drop(screen);
        String::from_utf8(out).expect("is UTF-8")
    }

    #[test]
    fn a_screen_passes_text_and_asked_styles_in_any_pieces() {
        let text = "\u{1b}[1;38;5;2mü\u{1b}[0m\t→\n\u{1b}[2J\u{9b}\u{202e}漢\u{1b}]0;x\u{7}";
        for size in 1..text.len() {
            let styled = shown(text.as_bytes(), true, size);
            assert_eq!(styled, "\u{1b}[1;38;5;2mü\u{1b}[0m\t→\n�[2J��漢�]0;x�", "{size}");
            let plain = shown(text.as_bytes(), false, size);
            assert_eq!(plain, "�[1;38;5;2mü�[0m\t→\n�[2J��漢�]0;x�", "{size}");
        }
        assert_eq!(shown(b"a\r\nb\rc\r", true, 1), "a\r\nb�c�");
        assert_eq!(shown(b"a\xff\xe2\x80b\x1b[", true, 1), "a���b�");
        assert_eq!(shown(format!("\u{1b}[{}m", "1;".repeat(40)).as_bytes(), true, 7).matches('\u{1b}').count(), 0);
    }
}
