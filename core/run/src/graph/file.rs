//! Saved runs: `.lanescope-run`.
//!
//! One JSON object: `{"lanescope_run": 2, "run": {...}}`. The number is the format's version; `run` is a
//! [`GraphRun`] with its own field names, bytes as hexadecimal text. Earlier versions are converted on reading; a newer
//! one is an error with its number, and a run whose indices, counts and sizes do not fit each other is an error with the
//! place. Reading needs no device and no library. A file that could not be read again is not written.
//!
//! Version 1 named every buffer and image by its descriptor (`set0.binding1`), version 2 by its register where it has
//! one (`u0`, `u0.space1`).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GraphRun, LOCAL_BUFFER, valid};
use crate::resource_names::file_name;
use lanescope_base::files::MAX_FILE;
pub use lanescope_base::files::{SAVED_RUN_EXTENSION as EXTENSION, is_saved_run};

/// The version that is written, and the newest that is read.
pub const VERSION: u32 = 2;
/// The oldest version that is read.
const OLDEST: u32 = 1;

/// Why a file is not a saved run, or a run no file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// It is not JSON, or its objects are not those of a run.
    #[error("not a saved run: {0}")]
    Unreadable(String),
    /// A number in it is none that a run has: where it is, and what was expected.
    #[error("not a saved run: {0}")]
    Invalid(String),
    /// It is of another version.
    #[error("unsupported saved run version {found}; expected {OLDEST} to {VERSION}")]
    Version {
        /// The version that was found.
        found: u64,
    },
    /// It would be larger than a file that is read.
    #[error("the saved run would have {bytes} bytes; the limit is {limit}")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The largest one that is read.
        limit: u64,
    },
}

#[derive(Serialize, JsonSchema)]
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
    if (u64::from(OLDEST)..=u64::from(VERSION)).contains(&found) { Ok(()) } else { Err(FileError::Version { found }) }
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

/// Reads a file's bytes.
///
/// # Errors
/// See [`FileError`].
pub fn read(bytes: &[u8]) -> Result<GraphRun, FileError> {
    let mut read: Read = serde_json::from_slice(bytes).map_err(|error| {
        // A run of another version has other members: then the version is what is wrong.
        let version = serde_json::from_slice::<Head>(bytes).map_or(Ok(()), |head| known(head.lanescope_run));
        version.err().unwrap_or_else(|| FileError::Unreadable(error.to_string()))
    })?;
    known(read.lanescope_run)?;
    if read.lanescope_run == 1 {
        name_by_register(&mut read.run);
    }
    valid::check(&read.run).map_err(FileError::Invalid)?;
    Ok(read.run)
}

/// From version 1 to 2: buffers and images get the names of their registers.
fn name_by_register(run: &mut GraphRun) {
    let buffers = run.buffers.iter_mut().map(|is| (&mut is.name, &is.register, (is.set, is.binding)));
    let images = run.images.iter_mut().map(|is| (&mut is.name, &is.register, (is.set, is.binding)));
    let registered: Vec<_> = buffers
        .chain(images)
        .filter_map(|(name, register, at)| Some((name, register.as_deref()?, at)))
        .filter(|(name, ..)| !name.starts_with(LOCAL_BUFFER))
        .collect();
    // As `ResourceNames`: a register that stands for several descriptors names none of them.
    let mut descriptors: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    let ambiguous: Vec<&str> = registered
        .iter()
        .filter(|(_, register, at)| *descriptors.entry(register).or_insert(*at) != *at)
        .map(|(_, register, _)| *register)
        .collect();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for (name, register, _) in registered {
        if ambiguous.contains(&register) {
            continue;
        }
        // `set0.binding1.2` is element 2 of an array.
        let element = name.splitn(3, '.').nth(2).map(|element| format!(".{element}")).unwrap_or_default();
        let new = format!("{}{element}", file_name(register));
        names.insert(std::mem::replace(name, new.clone()), new);
    }
    let rename = |name: &mut String| {
        if let Some(new) = names.get(name) {
            name.clone_from(new);
        }
    };
    for map in
        [&mut run.start, &mut run.contents].into_iter().chain(run.generations.iter_mut().map(|is| &mut is.changed))
    {
        *map = std::mem::take(map)
            .into_iter()
            .map(|(mut name, blob)| {
                rename(&mut name);
                (name, blob)
            })
            .collect();
    }
    let lists = [&mut run.left_out].into_iter().chain(run.generations.iter_mut().map(|is| &mut is.left_out));
    lists.flatten().for_each(rename);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn does_not_write_what_cannot_be_read_again() {
        assert_eq!(within(vec![0; 8], 8), Ok(vec![0; 8]));
        let error = within(vec![0; 9], 8).expect_err("a byte more");
        assert_eq!(error, FileError::TooLarge { bytes: 9, limit: 8 });
    }

    #[test]
    fn refuses_newer_versions_before_reading_the_run() {
        for run in ["{}", "7", "{\"device\": \"of a later version\"}"] {
            let text = format!("{{\"run\": {run}, \"lanescope_run\": 3}}");
            assert_eq!(read(text.as_bytes()), Err(FileError::Version { found: 3 }), "{run}");
        }
        assert!(matches!(read(b"{\"lanescope_run\": 1, \"run\": 7}"), Err(FileError::Unreadable(_))));
    }
}
