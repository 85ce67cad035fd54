//! Files that did not open.

use std::path::PathBuf;

use lanescope_core::options::Conversion;

use lanescope_host::worker::Failure;

/// Files that did not open, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailurePage {
    /// The files.
    pub paths: Vec<PathBuf>,
    /// Why.
    pub failure: Failure,
    /// How their sources were compiled.
    pub conversion: Conversion,
}

impl FailurePage {
    /// Of files for which nothing was chosen.
    pub fn new(paths: Vec<PathBuf>, failure: Failure) -> FailurePage {
        FailurePage { paths, failure, conversion: Conversion::default() }
    }
}
