//! Saved runs: `.lanescope-run`.
//!
//! One JSON object: `{"lanescope_run": 1, "run": {...}}`. The number is the format's version; `run` is a
//! [`GraphRun`] with its own field names, bytes as hexadecimal text. A reader takes the version it knows and refuses
//! others by their number, and runs whose indices, counts and sizes do not fit each other by the place. No device and no library is needed to read one.

use serde::{Deserialize, Serialize};

use super::{GraphRun, valid};

/// The version that is written, and the only one that is read.
pub const VERSION: u32 = 1;
/// The extension of saved runs.
pub const EXTENSION: &str = "lanescope-run";
/// The largest file that is read.
pub const MAX_FILE: u64 = 1 << 30;

/// Why a file is no saved run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// It is no JSON, or its objects are not those of a run.
    #[error("no saved run: {0}")]
    Unreadable(String),
    /// A number in it is none that a run has: where it is, and what was expected.
    #[error("no saved run: {0}")]
    Invalid(String),
    /// It is of another version.
    #[error("a saved run of version {found}; this program reads version {VERSION}")]
    Version {
        /// The version that was found.
        found: u64,
    },
}

#[derive(Serialize)]
struct Saved<'r> {
    lanescope_run: u32,
    run: &'r GraphRun,
}

#[derive(Deserialize)]
struct Head {
    lanescope_run: u64,
}

#[derive(Deserialize)]
struct Read {
    run: GraphRun,
}

/// A run as the bytes of a file.
///
/// # Errors
/// A number that JSON does not have.
pub fn write(run: &GraphRun) -> Result<Vec<u8>, FileError> {
    let saved = Saved { lanescope_run: VERSION, run };
    serde_json::to_vec(&saved).map_err(|error| FileError::Unreadable(error.to_string()))
}

/// Whether bytes begin like a saved run.
pub fn is_saved_run(bytes: &[u8]) -> bool {
    let head = bytes.get(..64).unwrap_or(bytes);
    let text: String = head.iter().map(|byte| char::from(*byte)).filter(|c| !c.is_whitespace()).collect();
    text.starts_with("{\"lanescope_run\":")
}

/// Reads a file's bytes.
///
/// # Errors
/// See [`FileError`].
pub fn read(bytes: &[u8]) -> Result<GraphRun, FileError> {
    let unreadable = |error: serde_json::Error| FileError::Unreadable(error.to_string());
    let head: Head = serde_json::from_slice(bytes).map_err(unreadable)?;
    if head.lanescope_run != u64::from(VERSION) {
        return Err(FileError::Version { found: head.lanescope_run });
    }
    let read: Read = serde_json::from_slice(bytes).map_err(unreadable)?;
    valid::check(&read.run).map_err(FileError::Invalid)?;
    Ok(read.run)
}
