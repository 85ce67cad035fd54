//! What is wrong with a script.

/// Why a script cannot be read: where, what was expected and what was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}, found {found}")]
pub struct Error {
    /// The line of the file, from 1.
    pub line: u32,
    /// What was expected there.
    pub expected: String,
    /// What was found: a word in backquotes, `the end of the line`.
    pub found: String,
}

impl Error {
    pub(crate) fn new(line: u32, expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error { line, expected: expected.into(), found: found.into() }
    }
}
