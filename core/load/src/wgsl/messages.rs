//! What naga says of a text: `ERROR: a.wgsl:7:3: …`, as the compilers of other sources say it.

use std::error::Error;
use std::fmt::Write as _;
use std::ops::Range;

use naga::WithSpan;
use naga::front::wgsl::ParseError;
use naga::valid::ValidationError;

use super::depth::{Token, tokens};

/// A text and what its file is called.
pub(super) struct Places<'a> {
    pub name: &'a str,
    pub text: &'a str,
}

impl Places<'_> {
    /// The line and the column of a byte, from 1; columns count characters.
    fn place(&self, at: usize) -> (usize, usize) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }

    /// A message at a place, if it has one.
    pub fn error(&self, at: Option<Range<usize>>, message: &str) -> String {
        match at.map(|at| self.place(at.start)) {
            Some((line, column)) => format!("ERROR: {}:{line}:{column}: {message}", self.name),
            None => format!("ERROR: {}: {message}", self.name),
        }
    }

    /// Where a function is declared.
    fn function(&self, name: &str) -> Option<Range<usize>> {
        let tokens: Vec<_> = tokens(self.text).collect();
        let declares = |pair: &&[(usize, Token<'_>)]| match pair {
            [(_, Token::Word("fn")), (_, Token::Word(word))] => *word == name,
            _ => false,
        };
        let [(at, _), ..] = tokens.windows(2).find(declares)? else { return None };
        Some(*at..*at)
    }

    /// What is said of more places.
    fn and(&self, log: &mut String, at: Option<Range<usize>>, message: &str) {
        // Writing to a string does not fail.
        _ = match at.map(|at| self.place(at.start)) {
            Some((line, column)) => write!(log, "\n  {}:{line}:{column}: {message}", self.name),
            None => write!(log, "\n  {message}"),
        };
    }

    /// What the front end says: the first place is that of the error.
    pub fn parse_error(&self, error: &ParseError) -> String {
        let mut labels = error.labels().map(|(span, label)| (span.to_range(), label));
        let first = labels.next();
        let mut message = error.message().to_owned();
        if let Some((_, label)) = first.as_ref().filter(|(_, label)| !label.is_empty() && !message.contains(label)) {
            message = format!("{message}: {label}");
        }
        let mut log = self.error(first.and_then(|(at, _)| at), &message);
        labels.for_each(|(at, label)| self.and(&mut log, at, label));
        error.notes().for_each(|note| self.and(&mut log, None, note));
        log
    }

    /// What the validator says. The narrowest of its places is that of the error; where it has none, that of the entry
    /// point.
    pub fn invalid(&self, error: &WithSpan<ValidationError>) -> String {
        let mut message = error.as_inner().to_string();
        let mut cause = error.as_inner().source();
        while let Some(one) = cause {
            _ = write!(message, ": {one}");
            cause = one.source();
        }
        let mut places: Vec<_> = error.spans().filter_map(|(span, label)| Some((span.to_range()?, label))).collect();
        places.sort_by_key(|(at, _)| at.len());
        let mut places = places.into_iter();
        let entry = || match error.as_inner() {
            ValidationError::EntryPoint { name, .. } => self.function(name),
            _ => None,
        };
        let mut log = self.error(places.next().map(|(at, _)| at).or_else(entry), &message);
        places.for_each(|(at, label)| self.and(&mut log, Some(at), label));
        log
    }
}

/// What is said of a text with directives of a preprocessor.
pub(super) fn directive(text: &str) -> Option<String> {
    let begins = |line: &str| -> Option<String> {
        let word = line.trim_start().strip_prefix('#')?;
        let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(word.len());
        (end > 0).then(|| word[..end].to_owned())
    };
    let (word, line) = text.lines().zip(1..).find_map(|(text, line)| Some((begins(text)?, line)))?;
    Some(format!(
        "line {line} has `#{word}`, but WGSL has no preprocessor; open the text that the engine's preprocessor makes of \
         the file"
    ))
}
