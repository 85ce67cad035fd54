//! The pipelines of a command's inputs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lanescope_core::load::LoadOptions;

use crate::cli::CliError;
use crate::cli::slots::report_skipped;
use crate::cli::streams;
use lanescope_host::corpus::{BuildLog, Group, Sources, list};
use lanescope_host::folders::Prefer;
use lanescope_host::worker::{CorpusListing, Loader};

/// Finds the pipelines of inputs. What was left out, and what is wrong with a database, goes to standard error. Returns
/// the load options with the contents of streams too, which can be read only once.
///
/// # Errors
/// A list or folder that cannot be read; inputs without a shader.
pub fn find(
    inputs: &[PathBuf],
    prefer: Prefer,
    wanted: &LoadOptions,
    loader: &mut Loader,
) -> Result<(Sources, LoadOptions), CliError> {
    find_groups(groups(inputs)?, prefer, wanted, loader)
}

/// The files of inputs, by the flags that they alone have.
///
/// # Errors
/// A list that cannot be read, or with wrong flags.
pub fn groups(inputs: &[PathBuf]) -> Result<Vec<Group>, CliError> {
    list(inputs).map_err(CliError::Unusable)
}

/// The files that the commands of build logs compile. What is left out goes to standard error.
///
/// # Errors
/// A log that cannot be read, or of which no command is left.
pub fn of_build_logs(logs: &[PathBuf], folder: &Path) -> Result<Vec<Group>, CliError> {
    let mut groups = Vec::new();
    for log in logs {
        let read = BuildLog::read(log, folder).map_err(CliError::Unusable)?;
        report_skipped(&read.skipped);
        let own = read.into_groups();
        if own.is_empty() {
            let why = "no command is left whose flags are known and whose file exists";
            return Err(CliError::Unusable(format!("{}: {why}", log.display())));
        }
        groups.extend(own);
    }
    Ok(groups)
}

/// [`find`], of files with their flags.
///
/// # Errors
/// A folder that cannot be read; inputs without a shader.
pub fn find_groups(
    groups: Vec<Group>,
    prefer: Prefer,
    wanted: &LoadOptions,
    loader: &mut Loader,
) -> Result<(Sources, LoadOptions), CliError> {
    let paths: Vec<PathBuf> = groups.iter().flat_map(|group| group.paths.iter().cloned()).collect();
    let with_streams = loader.with_streams(&paths, wanted)?;
    let mut damages = 0;
    let count_of = |file: &Path, name: &str| match loader.open_corpus(file, wanted) {
        Ok(CorpusListing { names, findings }) => {
            damages += findings.len();
            for finding in findings {
                let place = finding.place.as_ref().map_or_else(|| name.to_owned(), |place| place.to_string());
                streams::tell(&format!("{place}: {}: {}", finding.code, finding.message));
            }
            Some(names.len() as u64)
        }
        // Its row says why it cannot be read.
        Err(_) => None,
    };
    let mut sources = Sources::find(&groups, prefer, once_each(count_of)).map_err(CliError::Unusable)?;
    sources.damages = damages;
    report_skipped(&sources.skipped);
    Ok((sources, with_streams))
}

/// Counts the pipelines of each database once: one that is measured with several flags has as many.
fn once_each(mut count_of: impl FnMut(&Path, &str) -> Option<u64>) -> impl FnMut(&Path, &str) -> Option<u64> {
    let mut known: BTreeMap<PathBuf, Option<u64>> = BTreeMap::new();
    move |file, name| match known.get(file) {
        Some(count) => *count,
        None => *known.entry(file.to_owned()).or_insert_with(|| count_of(file, name)),
    }
}
