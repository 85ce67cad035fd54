//! Which macros the texts of a source use: whether a definition has any effect.

use std::borrow::Cow;
use std::collections::BTreeSet;

use lanescope_model::options::defined_name;

/// The macros that are defined before a source, and which of them its texts name.
#[derive(Debug, Clone, Default)]
pub(super) struct Reads {
    /// Names that no text has named so far.
    unread: BTreeSet<String>,
    /// A text makes names of parts (`##`): any name may be one of them.
    pastes: bool,
}

impl Reads {
    /// Of macros: `NAME` or `NAME=VALUE`. A value may use other macros.
    pub fn of(macros: &[String]) -> Reads {
        let unread = macros.iter().map(|one| defined_name(one).to_owned()).collect();
        let mut out = Reads { unread, pastes: false };
        macros.iter().filter_map(|one| one.split_once('=')).for_each(|(_, value)| out.read(value));
        out
    }

    /// Notes what a text names: in code and in directives, whether or not the condition around it holds.
    pub fn read(&mut self, text: &str) {
        if self.unread.is_empty() || self.pastes {
            return;
        }
        let text = spliced(text);
        self.pastes = text.contains("##");
        for word in words(&text) {
            self.unread.remove(word);
        }
    }

    /// The macros that no text names, where that is known.
    pub fn unread(self) -> Vec<String> {
        if self.pastes { Vec::new() } else { self.unread.into_iter().collect() }
    }
}

/// A text whose lines that go on are one line.
fn spliced(text: &str) -> Cow<'_, str> {
    match text.contains("\\\n") || text.contains("\\\r") {
        true => Cow::Owned(text.replace("\\\r\n", "").replace("\\\n", "").replace("\\\r", "")),
        false => Cow::Borrowed(text),
    }
}

/// The names in a text outside of its comments. Those in strings count, because a string may be none: `#error don't "`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    // What ends the string, the name of a file or the line that is being read.
    let mut quote: Option<char> = None;
    std::iter::from_fn(move || {
        loop {
            let first = rest.chars().next()?;
            if joins(first) {
                let end = rest.find(|c: char| !joins(c)).unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                rest = after;
                if word == "include" && rest.trim_start_matches([' ', '\t']).starts_with('<') {
                    quote = Some('>');
                }
                return Some(word);
            }
            let comment = |start: &str| rest.strip_prefix(start).filter(|_| quote.is_none());
            rest = if let Some(inside) = comment("/*") {
                inside.split_once("*/").map_or("", |(_, after)| after)
            } else if let Some(inside) = comment("//") {
                inside.find('\n').and_then(|end| inside.get(end..)).unwrap_or("")
            } else {
                quote = match (quote, first) {
                    (_, '\n') => None,
                    (Some(end), c) if c == end => None,
                    (None, '"') => Some('"'),
                    (other, _) => other,
                };
                rest.get(first.len_utf8()..)?
            };
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of `A`, `B` and `C=A` the ones that the texts do not name.
    fn unread(texts: &[&str]) -> String {
        let mut reads = Reads::of(&["A".to_owned(), "B".to_owned(), "C=A".to_owned()]);
        texts.iter().for_each(|text| reads.read(text));
        reads.unread().join(" ")
    }

    #[test]
    fn names_are_whole_words_outside_of_comments() {
        assert_eq!(unread(&["int BC = 1; // B\n/* C\n C */ _B B1"]), "B C");
        assert_eq!(unread(&["#if defined(B)\n#endif\n", "#ifdef C\n#endif"]), "");
        assert_eq!(unread(&["#if 0\nB\n#endif\n#undef C"]), "", "whether or not the condition holds");
        assert_eq!(unread(&["x /* a // b */ B // */ C"]), "C");
    }

    #[test]
    fn what_may_be_a_use_is_one() {
        assert_eq!(unread(&["#define J(a, b) a ## b\n"]), "", "any name may be pasted");
        assert_eq!(unread(&["\"http://x\" B \"C\""]), "");
        assert_eq!(unread(&["#include <a//b> B\n// C"]), "C");
        assert_eq!(unread(&["#error don't \" // B\nC"]), "");
        assert_eq!(unread(&["x\\\n// B\\\nC\n"]), "B C", "the comment goes on");
        assert_eq!(unread(&["/\\\n/ B\nC"]), "B");
    }

    #[test]
    fn values_use_macros() {
        assert_eq!(Reads::of(&["X=Y".to_owned(), "Y".to_owned()]).unread(), ["X"]);
        assert!(Reads::of(&["X=a##b".to_owned(), "Y".to_owned()]).unread().is_empty());
    }
}
