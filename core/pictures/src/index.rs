//! Line starts of a text, and the lines that start inside an open comment or string.

use std::ops::Range;

use lanescope_inspector::source::Language;

/// Bytes that one step looks at: a few milliseconds.
const STEP: usize = 2 << 20;

/// The lines of a text, found a step at a time so that a large text never holds a frame up.
#[derive(Debug)]
pub struct Index {
    language: Language,
    starts: Vec<usize>,
    /// Per line: it begins inside a block comment (GLSL) or a string (SPIR-V), the only things that cross lines.
    open: Vec<bool>,
    scanned: usize,
    state: State,
    longest: usize,
    done: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Code,
    LineComment,
    Open,
}

impl Index {
    /// An index of nothing yet.
    pub fn new(language: Language) -> Index {
        let (starts, open) = (vec![0], vec![false]);
        Index { language, starts, open, scanned: 0, state: State::Code, longest: 0, done: false }
    }

    /// The index of a whole text.
    pub fn whole(language: Language, text: &str) -> Index {
        let mut index = Index::new(language);
        while !index.step(text) {}
        index
    }

    /// Looks at the next piece of the text. Returns whether all of it has been seen.
    pub fn step(&mut self, text: &str) -> bool {
        if self.done {
            return true;
        }
        let bytes = text.as_bytes();
        let end = bytes.len().min(self.scanned.saturating_add(STEP));
        let mut at = self.scanned;
        while at < end {
            let (byte, next) = (bytes.get(at).copied(), bytes.get(at + 1).copied());
            let mut width = 1;
            self.state = match (self.language, self.state, byte, next) {
                (_, state, Some(b'\n'), _) => {
                    let open = state == State::Open;
                    self.longest = self.longest.max(at - self.starts.last().copied().unwrap_or(0));
                    self.starts.push(at + 1);
                    self.open.push(open);
                    if open { State::Open } else { State::Code }
                }
                (Language::Glsl | Language::Wgsl, State::Code, Some(b'/'), Some(b'/')) => State::LineComment,
                (Language::Glsl | Language::Wgsl, State::Code, Some(b'/'), Some(b'*')) => {
                    width = 2;
                    State::Open
                }
                (Language::Glsl | Language::Wgsl, State::Open, Some(b'*'), Some(b'/')) => {
                    width = 2;
                    State::Code
                }
                (Language::Spvasm, State::Code, Some(b';'), _) => State::LineComment,
                (Language::Spvasm, State::Code, Some(b'"'), _) => State::Open,
                (Language::Spvasm, State::Open, Some(b'"'), _) => State::Code,
                // An escaped quote ends nothing; an escaped line break is a line break still.
                (Language::Spvasm, State::Open, Some(b'\\'), Some(c)) if c != b'\n' => {
                    width = 2;
                    State::Open
                }
                (_, state, _, _) => state,
            };
            at += width;
        }
        self.scanned = at;
        self.done = at >= bytes.len();
        if self.done {
            self.longest = self.longest.max(bytes.len().saturating_sub(self.starts.last().copied().unwrap_or(0)));
        }
        self.done
    }

    /// Whether all of the text has been seen.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Whole lines found so far.
    pub fn lines(&self) -> usize {
        self.starts.len() - usize::from(!self.done)
    }

    /// Bytes of the longest line found so far.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Whether the line begins inside something that an earlier line opened.
    pub fn begins_open(&self, line: usize) -> bool {
        self.open.get(line).copied().unwrap_or(false)
    }

    /// The bytes of a line, without its end. Empty if there is no such line.
    pub fn range(&self, text: &str, line: usize) -> Range<usize> {
        let Some(&start) = self.starts.get(line) else { return 0..0 };
        let end = match self.starts.get(line + 1) {
            Some(next) => next.saturating_sub(1),
            None => text.len(),
        };
        let trimmed = text.get(start..end).map_or(0, |line| line.trim_end_matches('\r').len());
        start..start + trimmed
    }

    /// A line, without its end.
    pub fn line<'a>(&self, text: &'a str, line: usize) -> &'a str {
        text.get(self.range(text, line)).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open_lines(language: Language, text: &str) -> Vec<usize> {
        let mut index = Index::new(language);
        while !index.step(text) {}
        (0..index.lines()).filter(|line| index.begins_open(*line)).collect()
    }

    #[test]
    fn tracks_constructs_across_lines() {
        let table: [(Language, &str, &[usize]); 8] = [
            (Language::Glsl, "a /* b\nc\nd */ e\nf", &[1, 2]),
            (Language::Glsl, "// /*\na", &[]),
            (Language::Glsl, "/* // */ a\nb", &[]),
            (Language::Glsl, "/*/ a\nb */ c\nd", &[1]),
            (Language::Spvasm, "%1 = OpString \"a\nb\" ; \"\nc", &[1]),
            (Language::Spvasm, "OpName %1 \"a\\\"b\nc\"\nd", &[1]),
            (Language::Spvasm, "; \" \nOpNop", &[]),
            (Language::Spvasm, "OpSource \"a\\\nb\"\nc", &[1]),
        ];
        for (language, text, expected) in table {
            assert_eq!(open_lines(language, text), expected, "{text:?}");
        }
    }

    #[test]
    fn lines_are_those_of_the_text() {
        let mut index = Index::new(Language::Glsl);
        let text = "one\r\ntwo\n\nfour";
        while !index.step(text) {}
        let lines: Vec<_> = (0..index.lines()).map(|line| index.line(text, line)).collect();
        assert_eq!(lines, ["one", "two", "", "four"]);
        assert_eq!(index.line("gone", 3), "", "a text that changed under the index");
    }

    #[test]
    fn indexes_a_large_text_in_several_steps() {
        let text = "x\n".repeat(STEP);
        let mut index = Index::new(Language::Spvasm);
        assert!(!index.step(&text));
        assert_eq!(index.lines(), STEP / 2, "a line that is still being scanned does not count");
        while !index.step(&text) {}
        assert_eq!(index.lines(), STEP + 1);
    }
}
