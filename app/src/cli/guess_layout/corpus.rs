//! Speculative compiles of many pipelines, in files, folders and databases: a view of a corpus.

use std::path::PathBuf;

use lanescope_core::driver::speculative::corpus::{Rows, Search, Timelines};

use crate::cli::streams;
use crate::cli::{CliError, corpus};
use lanescope_core::corpus::Row;
use lanescope_core::load::LoadOptions;
use lanescope_host::corpus::Settings;
use lanescope_host::folders::{Prefer, is_database};
use lanescope_host::worker::Loader;

/// The rows of every pipeline in these files and folders. What cannot be read is reported on standard error. `settings`
/// gets the load options with the contents of streams.
///
/// # Errors
/// A driver that is not available; a folder that cannot be read; files and folders without a shader.
pub fn rows(
    paths: &[PathBuf],
    prefer: Prefer,
    wanted: &LoadOptions,
    loader: &mut Loader,
    settings: impl FnOnce(&LoadOptions) -> Settings,
) -> Result<Rows, CliError> {
    let (sources, wanted) = corpus::find_sources(paths, prefer, wanted, loader)?;
    let settings = settings(&wanted);
    settings.start_drivers()?;
    let mut out = Rows { damages: sources.damages, ..Rows::default() };
    corpus::each_row(&settings, &sources, |row| match (row.failure, row.speculation) {
        (Some(error), _) => {
            out.unreadable += 1;
            streams::tell(&error);
        }
        (None, Some(rows)) => out.append(*rows),
        // A part of other pipelines, without shaders of its own.
        (None, None) => out.without_stage += 1,
    })?;
    Ok(out)
}

/// Takes the row of every pipeline in these files and folders that could be read. Returns how many could not, each of which is
/// reported on standard error.
///
/// # Errors
/// A folder that cannot be read; files and folders without a shader.
pub fn each(
    paths: &[PathBuf],
    prefer: Prefer,
    wanted: &LoadOptions,
    loader: &mut Loader,
    settings: impl FnOnce(&LoadOptions) -> Settings,
    mut take: impl FnMut(Row),
) -> Result<usize, CliError> {
    let (sources, wanted) = corpus::find_sources(paths, prefer, wanted, loader)?;
    let mut unreadable = 0;
    corpus::each_row(&settings(&wanted), &sources, |row| match &row.failure {
        Some(error) => {
            unreadable += 1;
            streams::tell(error);
        }
        None => take(row),
    })?;
    Ok(unreadable)
}

/// Adds the lookups of a pipeline to its application: its database, or all other files together.
pub fn take_lookups(timelines: &mut Timelines, row: Row) {
    if !row.lookups.is_empty() {
        let application = if is_database(row.database.as_ref()) { row.database.as_str() } else { "" };
        timelines.add(application, row.lookups);
    }
}

/// Adds what the guesses achieve for a pipeline to its application: its database, or all other files together.
pub fn take_guesses(search: &mut Search, row: &Row) {
    if row.guesses.iter().any(|tally| tally.stages > 0) {
        search.add(if is_database(row.database.as_ref()) { &row.database } else { "" }, &row.guesses);
    }
}
