//! Where the caret moves to: functions of a text and a place in it.

use std::ops::Range;

use super::caret::Position;
use super::document::Document;

/// Columns of a tab, as it is drawn.
const TAB: usize = 4;

/// A movement of the caret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Motion {
    /// To the character before.
    Left,
    /// To the character after.
    Right,
    /// To the beginning of the word before.
    WordLeft,
    /// To the beginning of the word after.
    WordRight,
    /// Up by rows.
    Up(usize),
    /// Down by rows.
    Down(usize),
    /// To the beginning of the line.
    LineStart,
    LineEnd,
    /// To the beginning of the text.
    TextStart,
    TextEnd,
}

impl Motion {
    /// Whether it keeps the column over shorter lines.
    pub fn is_vertical(self) -> bool {
        matches!(self, Motion::Up(_) | Motion::Down(_))
    }
}

/// The place after a movement. Vertical movements go to the column `goal`.
pub(crate) fn moved(document: &Document<'_>, from: Position, motion: Motion, goal: usize) -> Position {
    let from = document.clamp(from);
    let line = document.line(from.line);
    match motion {
        Motion::Left => match before(line, from.byte) {
            Some(byte) => Position::new(from.line, byte),
            None => line_before(document, from),
        },
        Motion::Right => match after(line, from.byte) {
            Some(byte) => Position::new(from.line, byte),
            None => line_after(document, from),
        },
        Motion::WordLeft => match word_before(line, from.byte) {
            Some(byte) => Position::new(from.line, byte),
            None => line_before(document, from),
        },
        Motion::WordRight => match word_after(line, from.byte) {
            Some(byte) => Position::new(from.line, byte),
            None => line_after(document, from),
        },
        Motion::Up(rows) => vertical(document, from, rows, true, goal),
        Motion::Down(rows) => vertical(document, from, rows, false, goal),
        Motion::LineStart => Position::new(from.line, 0),
        Motion::LineEnd => Position::new(from.line, line.len()),
        Motion::TextStart => Position::default(),
        Motion::TextEnd => document.end(),
    }
}

fn before(line: &str, byte: usize) -> Option<usize> {
    line.get(..byte)?.char_indices().next_back().map(|(at, _)| at)
}

fn after(line: &str, byte: usize) -> Option<usize> {
    line.get(byte..)?.chars().next().map(|c| byte + c.len_utf8())
}

fn line_before(document: &Document<'_>, from: Position) -> Position {
    match from.line.checked_sub(1) {
        Some(line) => Position::new(line, document.line(line).len()),
        None => from,
    }
}

fn line_after(document: &Document<'_>, from: Position) -> Position {
    if from.line + 1 < document.lines() { Position::new(from.line + 1, 0) } else { from }
}

/// What a character belongs to: runs of one kind are stepped over at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Space,
    Word,
    Sign,
}

fn kind(c: char) -> Kind {
    match c {
        c if c.is_whitespace() => Kind::Space,
        c if c.is_alphanumeric() || c == '_' => Kind::Word,
        _ => Kind::Sign,
    }
}

fn word_before(line: &str, byte: usize) -> Option<usize> {
    let mut chars = line.get(..byte)?.char_indices().rev().skip_while(|(_, c)| kind(*c) == Kind::Space);
    if byte == 0 {
        return None;
    }
    let Some((mut at, first)) = chars.next() else { return Some(0) };
    for (next, _) in chars.take_while(|(_, c)| kind(*c) == kind(first)) {
        at = next;
    }
    Some(at)
}

fn word_after(line: &str, byte: usize) -> Option<usize> {
    let rest = line.get(byte..)?;
    let first = rest.chars().next().map(kind)?;
    let mut chars = rest.char_indices().skip_while(|(_, c)| kind(*c) == first && first != Kind::Space);
    let next = chars.find(|(_, c)| kind(*c) != Kind::Space);
    Some(next.map_or(line.len(), |(at, _)| byte + at))
}

/// Goes up or down by rows: to the nearest row there that shows a line.
fn vertical(document: &Document<'_>, from: Position, rows: usize, up: bool, goal: usize) -> Position {
    let last = document.rows().saturating_sub(1);
    let row = document.row_of(from.line).min(last);
    let line_at = |row: usize| document.line_at(row);
    let line = if up {
        let target = row.saturating_sub(rows);
        (0..=target).rev().find_map(line_at).or_else(|| (target..row).find_map(line_at))
    } else {
        let target = row.saturating_add(rows).min(last);
        (target..=last).find_map(line_at).or_else(|| (row + 1..=target).rev().find_map(line_at))
    };
    match line {
        Some(line) => Position::new(line, byte_at(document.line(line), goal)),
        None => from,
    }
}

/// The column of a place in a line, as it is drawn in a font of one width.
pub(crate) fn column(line: &str, byte: usize) -> usize {
    line.get(..byte).unwrap_or(line).chars().map(width).sum()
}

/// The place in a line that is nearest to a column.
fn byte_at(line: &str, goal: usize) -> usize {
    let mut column = 0;
    for (at, c) in line.char_indices() {
        let next = column + width(c);
        if next > goal {
            return if goal - column <= next - goal { at } else { at + c.len_utf8() };
        }
        column = next;
    }
    line.len()
}

fn width(c: char) -> usize {
    if c == '\t' { TAB } else { 1 }
}

/// The word at a place: the run of letters, of signs or of blanks that begins before it or there.
pub(crate) fn word_at(document: &Document<'_>, at: Position) -> Range<Position> {
    let at = document.clamp(at);
    let line = document.line(at.line);
    let (head, tail) = line.split_at(at.byte);
    let Some(of) = tail.chars().next().or(head.chars().next_back()).map(kind) else { return at..at };
    let length = |c: char| c.len_utf8();
    let from = at.byte - head.chars().rev().take_while(|c| kind(*c) == of).map(length).sum::<usize>();
    let to = at.byte + tail.chars().take_while(|c| kind(*c) == of).map(length).sum::<usize>();
    Position::new(at.line, from)..Position::new(at.line, to)
}

/// A line with its line break.
pub(crate) fn whole_line(document: &Document<'_>, line: usize) -> Range<Position> {
    let start = document.clamp(Position::new(line, 0));
    let end = match start.line + 1 < document.lines() {
        true => Position::new(start.line + 1, 0),
        false => Position::new(start.line, document.line(start.line).len()),
    };
    Position::new(start.line, 0)..end
}

#[cfg(test)]
mod tests {
    use lanescope_inspector::source::Language;

    use super::super::index::Index;
    use super::*;

    fn places(text: &str, from: (usize, usize), motions: &[Motion]) -> Vec<(usize, usize)> {
        let index = Index::whole(Language::Glsl, text);
        let document = Document::new(text, &index);
        let mut at = Position::new(from.0, from.1);
        let goal = column(document.line(at.line), at.byte);
        motions
            .iter()
            .map(|motion| {
                at = moved(&document, at, *motion, goal);
                (at.line, at.byte)
            })
            .collect()
    }

    #[test]
    fn steps_over_characters_and_line_breaks() {
        use Motion::{Left, Right};
        assert_eq!(
            places("a漢\nb", (0, 0), &[Right, Right, Right, Right, Right]),
            [(0, 1), (0, 4), (1, 0), (1, 1), (1, 1)]
        );
        assert_eq!(places("a漢\r\nb", (1, 0), &[Left, Left, Left, Left]), [(0, 4), (0, 1), (0, 0), (0, 0)]);
    }

    #[test]
    fn steps_over_words_signs_and_blanks() {
        use Motion::{WordLeft, WordRight};
        let line = "  vec4_t n += %12;\n";
        assert_eq!(
            places(line, (0, 0), &[WordRight; 8]),
            [(0, 2), (0, 9), (0, 11), (0, 14), (0, 15), (0, 17), (0, 18), (1, 0)]
        );
        assert_eq!(
            places(line, (1, 0), &[WordLeft; 9]),
            [(0, 18), (0, 17), (0, 15), (0, 14), (0, 11), (0, 9), (0, 2), (0, 0), (0, 0)]
        );
    }

    #[test]
    fn keeps_the_column_over_shorter_lines_and_tabs() {
        use Motion::{Down, Up};
        let text = "abcdefgh\nab\n\tabcd\nabcdefgh";
        assert_eq!(
            places(text, (0, 6), &[Down(1), Down(1), Down(1), Down(1), Up(2), Up(9)]),
            [(1, 2), (2, 3), (3, 6), (3, 6), (1, 2), (0, 6)]
        );
    }

    #[test]
    fn goes_to_the_ends_of_line_and_text() {
        use Motion::{LineEnd, LineStart, TextEnd, TextStart};
        assert_eq!(
            places("ab\ncd\n", (1, 1), &[LineEnd, LineStart, TextEnd, TextStart]),
            [(1, 2), (1, 0), (2, 0), (0, 0)]
        );
    }

    #[test]
    fn a_word_is_a_run_of_one_kind() {
        let text = "%12 = OpLoad";
        let index = Index::whole(Language::Spvasm, text);
        let document = Document::new(text, &index);
        let word = |byte| document.slice(word_at(&document, Position::new(0, byte)));
        assert_eq!([0, 1, 3, 4, 8, 12].map(word), ["%", "12", " ", "=", "OpLoad", "OpLoad"]);
    }

    #[test]
    fn a_whole_line_has_its_break() {
        let text = "ab\ncd";
        let index = Index::whole(Language::Spvasm, text);
        let document = Document::new(text, &index);
        assert_eq!(document.slice(whole_line(&document, 0)), "ab\n");
        assert_eq!(document.slice(whole_line(&document, 1)), "cd");
        assert_eq!(document.slice(whole_line(&document, 9)), "cd");
    }
}
