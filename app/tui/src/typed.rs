//! What a typed text leads to.

use lanescope_inspector::command::Command;

/// What typing leads to.
#[derive(Debug, Clone, PartialEq)]
pub enum Typed {
    /// These commands.
    Do(Vec<Command>),
    /// Another filter of records.
    Filter(String),
    /// It cannot be used: why.
    Wrong(String),
}
