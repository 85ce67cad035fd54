//! Positions of the protocol: lines, and characters in units that client and server agree on.

use std::ops::Range;

use lsp_types::{Position, PositionEncodingKind};

/// The unit of [`Position::character`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// 16-bit units of UTF-16: what a client counts that offers nothing else.
    Utf16,
}

impl Encoding {
    /// The unit that is used with a client that offers these: bytes where it can.
    pub fn negotiated(offered: Option<&[PositionEncodingKind]>) -> Encoding {
        match offered.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8)) {
            true => Encoding::Utf8,
            false => Encoding::Utf16,
        }
    }

    /// Its name in the protocol.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn units(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
        }
    }
}

/// Positions of offsets in a text, each found from the last one: of offsets that do not go back, all together take no longer
/// than the text, however long a line is.
pub struct Positions<'t> {
    text: &'t str,
    lines: &'t Lines,
    encoding: Encoding,
    /// A line, an offset in it, and the units before that.
    last: (usize, usize, usize),
}

impl Positions<'_> {
    /// As [`Lines::position`].
    pub fn at(&mut self, offset: usize) -> Position {
        let line = self.lines.line_at(offset.min(self.text.len()));
        let range = self.lines.range(self.text, line);
        let (of, from, units) = self.last;
        let (from, units) = if of == line && from <= offset { (from, units) } else { (range.start, 0) };
        let (mut at, mut character) = (from, units);
        for c in self.text.get(from..range.end).unwrap_or_default().chars() {
            if at + c.len_utf8() > offset {
                break;
            }
            at += c.len_utf8();
            character += self.encoding.units(c);
        }
        self.last = (line, at, character);
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Position { line: number(line), character: number(character) }
    }
}

/// Where the lines of a text begin. A line ends with `\n`, `\r\n` or `\r`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// The offset of each line's first byte.
    starts: Vec<usize>,
}

impl Lines {
    /// The lines of a text: at least one.
    pub fn of(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|(at, byte)| match byte {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        Lines { starts: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect() }
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of a line, from 0, without its end. Empty at the end of the text where there are fewer lines.
    pub fn range(&self, text: &str, line: usize) -> Range<usize> {
        let Some(&start) = self.starts.get(line) else { return text.len()..text.len() };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let whole = text.get(start..end).unwrap_or_default();
        start..start + whole.trim_end_matches(['\r', '\n']).len()
    }

    /// The line that an offset is in, from 0.
    pub fn line_at(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The offset of a position. After the end of a line it is that end, after the last line the end of the text, and
    /// inside of a character the begin of it.
    pub fn offset(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let range = self.range(text, position.line as usize);
        let mut left = position.character as usize;
        for (at, c) in text.get(range.clone()).unwrap_or_default().char_indices() {
            let units = encoding.units(c);
            if left < units {
                return range.start + at;
            }
            left -= units;
        }
        range.end
    }

    /// The position of an offset. Inside of a character it is that of the character, inside of the end of a line that of
    /// the end.
    pub fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        self.positions(text, encoding).at(offset)
    }

    /// The positions of several offsets.
    pub fn positions<'t>(&'t self, text: &'t str, encoding: Encoding) -> Positions<'t> {
        Positions { text, lines: self, encoding, last: (0, 0, 0) }
    }

    /// The range of the protocol for a range of bytes.
    pub fn range_of(&self, text: &str, range: &Range<usize>, encoding: Encoding) -> lsp_types::Range {
        let [start, end] = [range.start, range.end].map(|offset| self.position(text, offset, encoding));
        lsp_types::Range { start, end }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOTH: [Encoding; 2] = [Encoding::Utf8, Encoding::Utf16];

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn counts_units_of_the_agreed_encoding() {
        let text = "a\u{e4}\u{1f600}b\r\nc\rd\n";
        let lines = Lines::of(text);
        assert_eq!(lines.count(), 4);
        // After `a`, an umlaut of two bytes and a character of two UTF-16 units.
        assert_eq!(lines.position(text, 7, Encoding::Utf16), at(0, 4));
        assert_eq!(lines.position(text, 7, Encoding::Utf8), at(0, 7));
        assert_eq!(lines.offset(text, at(0, 4), Encoding::Utf16), 7);
        // Between the two units of a character, and after the end of a line.
        assert_eq!(lines.offset(text, at(0, 3), Encoding::Utf16), 3);
        assert_eq!(lines.offset(text, at(0, 99), Encoding::Utf16), 8);
        assert_eq!(lines.offset(text, at(2, 1), Encoding::Utf8), 13);
        assert_eq!(lines.offset(text, at(99, 0), Encoding::Utf8), text.len());
        assert_eq!(lines.position(text, 9, Encoding::Utf8), at(0, 8), "inside of a line's end");
    }

    #[test]
    fn bytes_are_used_where_the_client_offers_them() {
        let offered = [PositionEncodingKind::UTF32, PositionEncodingKind::UTF8];
        assert_eq!(Encoding::negotiated(Some(&offered)), Encoding::Utf8);
        assert_eq!(Encoding::negotiated(Some(&offered[..1])), Encoding::Utf16);
        assert_eq!(Encoding::negotiated(None), Encoding::Utf16);
    }

    /// Texts with line ends of all kinds, and characters of one to four bytes.
    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("\n"),
            Just("\r\n"),
            Just("\r"),
            Just("a"),
            Just("\u{e4}"),
            Just("\u{20ac}"),
            Just("\u{1f600}"),
            Just("int x;"),
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        /// Each place between two characters has one position, which leads back to it; places inside of `\r\n` have none.
        #[test]
        fn positions_lead_back(text in text()) {
            let lines = Lines::of(&text);
            for encoding in BOTH {
                let mut walked = lines.positions(&text, encoding);
                for offset in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                    let inside = text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
                    let position = lines.position(&text, offset, encoding);
                    prop_assert_eq!(walked.at(offset), position);
                    let back = lines.offset(&text, position, encoding);
                    prop_assert_eq!(back, if inside { offset - 1 } else { offset });
                }
            }
        }

        /// Any position is a place of the text between two characters, and later positions are not before earlier ones.
        #[test]
        fn any_position_is_a_place(text in text(), line in 0u32..50, character in 0u32..60) {
            let lines = Lines::of(&text);
            for encoding in BOTH {
                let offset = lines.offset(&text, at(line, character), encoding);
                prop_assert!(text.is_char_boundary(offset));
                prop_assert!(lines.offset(&text, at(line, character + 1), encoding) >= offset);
                prop_assert!(lines.offset(&text, at(line + 1, 0), encoding) >= offset);
            }
        }

        /// The lines are those of a reader that knows the three line ends.
        #[test]
        fn lines_are_split_at_their_ends(text in text()) {
            let plain = text.replace("\r\n", "\n").replace('\r', "\n");
            let expected: Vec<&str> = plain.split('\n').collect();
            let lines = Lines::of(&text);
            let found: Vec<&str> = (0..lines.count()).map(|line| &text[lines.range(&text, line)]).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
