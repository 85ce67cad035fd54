//! Files that did not open.

use std::path::PathBuf;

use crate::worker::Failure;

/// Files that did not open, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailurePage {
    /// The files.
    pub paths: Vec<PathBuf>,
    /// Why.
    pub failure: Failure,
}
