//! Words and signs of a source, without comments.

use std::collections::HashMap;
use std::ops::Range;

/// A word, a number, a quoted text or one sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'t> {
    /// Its text.
    pub text: &'t str,
    /// The offset of its first byte.
    pub at: usize,
}

impl Token<'_> {
    /// The bytes of it.
    pub fn range(&self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }

    /// Whether it is a name.
    pub fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// What texts of a language have besides words and signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Syntax {
    /// Lines that begin with `#` are a preprocessor's.
    pub directives: bool,
    /// Block comments nest.
    pub nested: bool,
}

fn joins(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The tokens of a text.
pub fn tokens(text: &str, syntax: Syntax) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let (mut at, mut line_begins) = (0, true);
    while let Some(rest) = text.get(at..)
        && let Some(first) = rest.chars().next()
    {
        let length = match first {
            '\n' | '\r' => {
                line_begins = true;
                1
            }
            c if c.is_whitespace() => c.len_utf8(),
            '/' if rest.starts_with("//") => line(rest, false),
            '/' if rest.starts_with("/*") => comment(rest, syntax.nested),
            '#' if line_begins && syntax.directives => line(rest, true),
            c => {
                line_begins = false;
                let length = match c {
                    '"' => quoted(rest),
                    c if joins(c) => rest.find(|c| !joins(c)).unwrap_or(rest.len()),
                    c => c.len_utf8(),
                };
                out.push(Token { text: rest.get(..length).unwrap_or_default(), at });
                length
            }
        };
        at += length;
    }
    out
}

/// Bytes up to the end of the line; of a line that goes on, where lines do.
fn line(text: &str, goes_on: bool) -> usize {
    let mut from = 0;
    while let Some(end) = text.get(from..).and_then(|rest| rest.find('\n')) {
        let whole = text.get(..from + end).unwrap_or_default();
        if !goes_on || !whole.trim_end_matches('\r').ends_with('\\') {
            return from + end;
        }
        from += end + 1;
    }
    text.len()
}

/// Bytes of a block comment.
fn comment(text: &str, nested: bool) -> usize {
    let (mut at, mut depth) = (2, 1u32);
    while depth > 0 {
        let Some(rest) = text.get(at..) else { return text.len() };
        let end = rest.find("*/");
        let inner = rest.find("/*").filter(|inner| nested && end.is_some_and(|end| *inner < end));
        match (inner, end) {
            (Some(inner), _) => (at, depth) = (at + inner + 2, depth + 1),
            (None, Some(end)) => (at, depth) = (at + end + 2, depth - 1),
            (None, None) => return text.len(),
        }
    }
    at
}

/// Bytes of a quoted text, which ends at the end of its line at the latest.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The index after the bracket that closes the one at `open`; the number of tokens where none does.
pub fn after_group(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0u32;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// The ends of all groups of a text: [`after_group`] without a search.
#[derive(Debug, Clone)]
pub struct Groups {
    /// By token: the index after its group; of one that opens none the next.
    after: Vec<usize>,
    /// By closing bracket: the one that opens its group.
    opens: HashMap<usize, usize>,
}

impl Groups {
    /// Pairs the brackets.
    pub fn of(tokens: &[Token<'_>]) -> Groups {
        let mut after: Vec<usize> = (1..=tokens.len()).collect();
        let (mut open, mut opens) = (Vec::new(), HashMap::new());
        for (index, token) in tokens.iter().enumerate() {
            match token.text {
                "(" | "[" | "{" => open.push(index),
                ")" | "]" | "}" => {
                    if let Some(open) = open.pop() {
                        after[open] = index + 1;
                        opens.insert(index, open);
                    }
                }
                _ => {}
            }
        }
        for left in open {
            after[left] = tokens.len();
        }
        Groups { after, opens }
    }

    /// The bracket that opens the group which ends with the one at `close`.
    pub fn open(&self, close: usize) -> Option<usize> {
        self.opens.get(&close).copied()
    }

    /// The index after the bracket that closes the one at `open`; the number of tokens where none does.
    pub fn after(&self, open: usize) -> usize {
        self.after.get(open).copied().unwrap_or(self.after.len())
    }
}

/// The word at an offset, or that ends there.
pub fn word_at(text: &str, offset: usize) -> Option<Range<usize>> {
    let before = text.get(..offset)?;
    let start = before.len() - before.chars().rev().take_while(|c| joins(*c)).map(char::len_utf8).sum::<usize>();
    let after = text.get(offset..)?;
    let end = offset + after.find(|c| !joins(c)).unwrap_or(after.len());
    (start < end).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const C: Syntax = Syntax { directives: true, nested: false };
    const NESTED: Syntax = Syntax { directives: false, nested: true };

    proptest! {
        #[test]
        fn groups_end_where_a_search_finds_it(text in "[(){}\\[\\]a ]{0,40}") {
            let tokens = tokens(&text, C);
            let groups = Groups::of(&tokens);
            for open in 0..tokens.len() {
                if ["(", "[", "{"].contains(&tokens[open].text) {
                    let end = groups.after(open);
                    prop_assert_eq!(end, after_group(&tokens, open));
                    let closes = groups.open(end - 1).is_none_or(|it| it == open || end == tokens.len());
                    prop_assert!(closes);
                }
            }
        }
    }

    fn texts(text: &str, syntax: Syntax) -> Vec<&str> {
        tokens(text, syntax).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_and_directives_are_left_out() {
        assert_eq!(texts("in vec3 a_1; // b\n/* c\n */d", C), ["in", "vec3", "a_1", ";", "d"]);
        assert_eq!(texts("#define X \\\n y\nz # w", C), ["z", "#", "w"]);
        assert_eq!(texts("/* a /* b */ c */ d", NESTED), ["d"]);
        assert_eq!(texts("/* a /* b */ c", C), ["c"]);
        assert_eq!(texts("\"// \\\" x\" y \"open\nz", C), ["\"// \\\" x\"", "y", "\"open", "z"]);
        assert_eq!(texts("/* open", C), [""; 0]);
    }

    #[test]
    fn finds_words_and_groups() {
        let text = "f(a[1], (b)) c";
        let all = tokens(text, C);
        assert_eq!(all[after_group(&all, 1)].text, "c");
        assert_eq!(after_group(&all, all.len() - 1), all.len());
        assert_eq!(word_at(text, 13), Some(13..14));
        assert_eq!(word_at(text, text.len()), Some(13..14));
        assert_eq!(word_at(" x ", 0), None);
    }

    proptest! {
        /// Any text has tokens, which are parts of it in its order.
        #[test]
        fn tokens_are_parts_of_the_text(text in "[a-z0-9_/*\"#\\\\\n\r ();\u{e4}\u{1f600}]{0,60}") {
            for syntax in [C, NESTED] {
                let mut end = 0;
                for token in tokens(&text, syntax) {
                    prop_assert!(token.at >= end && text.get(token.range()) == Some(token.text));
                    end = token.range().end;
                }
            }
        }

        #[test]
        fn words_are_found_at_any_offset(text in "[a-z\u{e4}\u{1f600} ]{0,20}", offset in 0usize..60) {
            if let Some(range) = word_at(&text, offset) {
                prop_assert!(text.get(range.clone()).is_some() && range.start <= offset && offset <= range.end);
            }
        }
    }
}
