//! Bytes in hexadecimal.

use std::ops::Range;

/// Bytes of the file that one line shows.
pub const HEX_BYTES: usize = 16;
/// Bytes of one line of the text, its end included: every line has as many.
const HEX_LINE: usize = 78;
/// Bytes that one text shows.
const MOST: usize = 1 << 20;

/// The bytes in lines of sixteen: offset, numbers, ASCII. A file is shown up to its first mebibyte.
pub fn hex_text(bytes: &[u8]) -> String {
    hex_text_of(bytes, 0..bytes.len())
}

/// The same of the lines that hold a part of a file, by its place in the file, up to its first mebibyte.
pub fn hex_text_of(bytes: &[u8], part: Range<usize>) -> String {
    let shown = bytes.get(..part.end.min(part.start.saturating_add(MOST))).unwrap_or(bytes);
    let lines = part.start / HEX_BYTES..shown.len().div_ceil(HEX_BYTES);
    let mut out = String::with_capacity(lines.len().saturating_mul(HEX_LINE));
    for line in lines {
        out.push_str(&hex_line(shown, line));
        out.push('\n');
    }
    out
}

/// One of these lines, without its end; nothing but the offset where the file has ended.
pub fn hex_line(bytes: &[u8], line: usize) -> String {
    let start = line.saturating_mul(HEX_BYTES);
    let row = bytes.get(start..).unwrap_or_default();
    let row = row.get(..HEX_BYTES).unwrap_or(row);
    let mut out = format!("{start:08x} ");
    for at in 0..HEX_BYTES {
        out.push_str(if at == HEX_BYTES / 2 { "  " } else { " " });
        out.push_str(&row.get(at).map_or_else(|| "  ".to_owned(), |byte| format!("{byte:02x}")));
    }
    out.push_str("  ");
    let ascii = |at: usize| row.get(at).map_or(' ', |byte| if byte.is_ascii_graphic() { *byte as char } else { '.' });
    out.extend((0..HEX_BYTES).map(ascii));
    out.push(' ');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_equal_length_up_to_the_end() {
        let bytes: Vec<u8> = (0..=40).chain(*b"DXBC").collect();
        let text = hex_text(&bytes);
        assert!(text.split_inclusive('\n').all(|line| line.len() == HEX_LINE), "{text}");
        insta::assert_snapshot!(text);
        assert_eq!(hex_text(&vec![0; MOST + 1]).len(), MOST / HEX_BYTES * HEX_LINE);
        assert_eq!(hex_text(&[]), "");
    }
}
