//! Source texts made smaller: by lines, by blocks between brackets, and by tokens.

use std::hash::{DefaultHasher, Hash};
use std::ops::Range;

use crate::search::Reducible;

/// The texts of a program's sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sources(pub Vec<String>);

/// What is tried on a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextStep {
    /// Lines.
    Lines,
    /// What stands between brackets of one kind.
    Brackets,
    /// Tokens.
    Tokens,
    /// Empty lines, and blanks before the ends and starts of lines.
    Blanks,
}

/// A part of one text that goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Which text.
    pub text: usize,
    /// Its bytes.
    pub bytes: Range<usize>,
}

impl Reducible for Sources {
    type Edit = Cut;
    type Step = TextStep;

    fn steps(&self) -> Vec<TextStep> {
        vec![TextStep::Lines, TextStep::Brackets, TextStep::Tokens, TextStep::Blanks]
    }

    fn name(step: TextStep) -> &'static str {
        match step {
            TextStep::Lines => "lines",
            TextStep::Brackets => "brackets",
            TextStep::Tokens => "tokens",
            TextStep::Blanks => "blanks",
        }
    }

    fn edits(&self, step: TextStep) -> Vec<Cut> {
        let parts: fn(&str) -> Vec<Range<usize>> = match step {
            TextStep::Lines => lines,
            TextStep::Brackets => brackets,
            TextStep::Tokens => tokens,
            TextStep::Blanks => blanks,
        };
        let of_text =
            |(text, contents): (usize, &String)| parts(contents).into_iter().map(move |bytes| Cut { text, bytes });
        self.0.iter().enumerate().flat_map(of_text).collect()
    }

    fn with(&self, edits: &[Cut]) -> Option<Sources> {
        let mut out = self.clone();
        for (at, text) in out.0.iter_mut().enumerate() {
            let mut cuts: Vec<&Range<usize>> =
                edits.iter().filter(|cut| cut.text == at).map(|cut| &cut.bytes).collect();
            cuts.sort_by_key(|bytes| (bytes.start, bytes.end));
            let mut left = String::with_capacity(text.len());
            let mut from = 0;
            for cut in cuts {
                left.push_str(text.get(from..cut.start.max(from)).unwrap_or_default());
                from = from.max(cut.end);
            }
            left.push_str(text.get(from..).unwrap_or_default());
            *text = left;
        }
        (out != *self).then_some(out)
    }

    fn hash_into(&self, hasher: &mut DefaultHasher) {
        self.0.hash(hasher);
    }
}

/// The lines, each with its end.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    text.split_inclusive('\n')
        .map(|line| {
            at += line.len();
            at - line.len()..at
        })
        .collect()
}

/// What stands between brackets that belong together, without them, the largest first.
fn brackets(text: &str) -> Vec<Range<usize>> {
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut out = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '{' | '(' | '[' => open.push((c, at + 1)),
            '}' | ')' | ']' => {
                let (Some((kind, start)), expected) = (open.pop(), opening(c)) else { continue };
                if kind == expected && at > start {
                    out.push(start..at);
                }
            }
            _ => {}
        }
    }
    out.sort_by_key(|bytes| std::cmp::Reverse(bytes.len()));
    out
}

fn opening(closing: char) -> char {
    match closing {
        '}' => '{',
        ')' => '(',
        _ => '[',
    }
}

/// Blanks and ends of lines beside each other, but for one: an end of a line if there is one.
fn blanks(text: &str) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_whitespace()) {
        match runs.last_mut().filter(|last| last.end == at) {
            Some(last) => last.end += c.len_utf8(),
            None => runs.push(at..at + c.len_utf8()),
        }
    }
    let mut out = Vec::new();
    for run in runs {
        let kept = text[run.clone()].find('\n').map_or(run.start, |at| run.start + at);
        let after = kept + text[kept..].chars().next().map_or(0, char::len_utf8);
        out.extend([run.start..kept, after..run.end].into_iter().filter(|part| !part.is_empty()));
    }
    out
}

/// Words, numbers, and other characters each alone, without blanks.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut end = start + c.len_utf8();
        while is_word(c)
            && let Some((at, next)) = chars.next_if(|(_, next)| is_word(*next))
        {
            end = at + next.len_utf8();
        }
        out.push(start..end);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_text() {
        let text = "a(b, [c]);\nint x1 = 2.5;\n";
        let parts = |of: Vec<Range<usize>>| of.into_iter().map(|bytes| &text[bytes]).collect::<Vec<_>>();
        assert_eq!(parts(lines(text)), ["a(b, [c]);\n", "int x1 = 2.5;\n"]);
        assert_eq!(parts(brackets(text)), ["b, [c]", "c"]);
        assert_eq!(parts(tokens(text)), ["a", "(", "b", ",", "[", "c", "]", ")", ";", "int", "x1", "=", "2.5", ";"]);
        assert_eq!(brackets("(]"), [0..0; 0]);
    }

    #[test]
    fn cuts_that_overlap_cut_both() {
        let sources = Sources(vec!["0123456789".to_owned(), "é".to_owned()]);
        let cut = |text, bytes| Cut { text, bytes };
        let left = sources.with(&[cut(0, 6..8), cut(0, 1..4), cut(0, 2..5), cut(1, 0..2)]).expect("shorter");
        assert_eq!(left, Sources(vec!["0589".to_owned(), String::new()]));
        assert_eq!(sources.with(&[]), None);
    }
}
