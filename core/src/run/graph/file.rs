//! Saved runs: `.lanescope-run`.
//!
//! One JSON object: `{"lanescope_run": 1, "run": {...}}`. The number is the format's version; `run` is a
//! [`GraphRun`] with its own field names, bytes as hexadecimal text. A reader takes the version it knows and refuses
//! others by their number, and runs whose indices, counts and sizes do not fit each other by the place. No device and no
//! library is needed to read one. No larger file is written than is read.

use serde::{Deserialize, Serialize};

use super::{GraphRun, valid};
use crate::load::MAX_FILE;

/// The version that is written, and the only one that is read.
pub const VERSION: u32 = 1;
/// The extension of saved runs.
pub const EXTENSION: &str = "lanescope-run";

/// Why a file is no saved run, or a run no file.
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
    /// It would be larger than a file that is read.
    #[error("the run takes {bytes} bytes as a file; files have at most {limit}")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The largest one that is read.
        limit: u64,
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
    lanescope_run: u64,
    run: GraphRun,
}

fn known(found: u64) -> Result<(), FileError> {
    if found == u64::from(VERSION) { Ok(()) } else { Err(FileError::Version { found }) }
}

/// A run as the bytes of a file.
///
/// # Errors
/// A number that JSON does not have; more bytes than a file has that is read.
pub fn write(run: &GraphRun) -> Result<Vec<u8>, FileError> {
    let saved = Saved { lanescope_run: VERSION, run };
    let bytes = serde_json::to_vec(&saved).map_err(|error| FileError::Unreadable(error.to_string()))?;
    within(bytes, MAX_FILE)
}

fn within(file: Vec<u8>, limit: u64) -> Result<Vec<u8>, FileError> {
    match file.len() as u64 {
        bytes if bytes > limit => Err(FileError::TooLarge { bytes, limit }),
        _ => Ok(file),
    }
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
    let read: Read = serde_json::from_slice(bytes).map_err(|error| {
        // A run of another version has other members: then the version is what is wrong.
        let version = serde_json::from_slice::<Head>(bytes).map_or(Ok(()), |head| known(head.lanescope_run));
        version.err().unwrap_or_else(|| FileError::Unreadable(error.to_string()))
    })?;
    known(read.lanescope_run)?;
    valid::check(&read.run).map_err(FileError::Invalid)?;
    Ok(read.run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_not_be_read_again_is_not_written() {
        assert_eq!(within(vec![0; 8], 8), Ok(vec![0; 8]));
        let error = within(vec![0; 9], 8).expect_err("a byte more");
        assert_eq!(error, FileError::TooLarge { bytes: 9, limit: 8 });
    }

    #[test]
    fn a_version_is_told_whatever_the_run_is() {
        for run in ["{}", "7", "{\"device\": \"of a later version\"}"] {
            let text = format!("{{\"run\": {run}, \"lanescope_run\": 2}}");
            assert_eq!(read(text.as_bytes()), Err(FileError::Version { found: 2 }), "{run}");
        }
        assert!(matches!(read(b"{\"lanescope_run\": 1, \"run\": 7}"), Err(FileError::Unreadable(_))));
    }
}
