//! Speculative compiles of many pipelines, in files, folders and databases: a view of a corpus.

use std::path::PathBuf;

use lanescope_core::driver::speculative::corpus::Rows;

use crate::cli::streams;
use crate::cli::{CliError, corpus};
use lanescope_core::load::LoadOptions;
use lanescope_host::corpus::{Settings, Survey};
use lanescope_host::folders::Prefer;
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

/// Sums up the rows of every pipeline in these files and folders that could be read. Returns how many could not too, each of
/// which is reported on standard error.
///
/// # Errors
/// A folder that cannot be read; files and folders without a shader.
pub fn survey(
    paths: &[PathBuf],
    prefer: Prefer,
    wanted: &LoadOptions,
    loader: &mut Loader,
    settings: impl FnOnce(&LoadOptions) -> Settings,
) -> Result<(Survey, usize), CliError> {
    let (sources, wanted) = corpus::find_sources(paths, prefer, wanted, loader)?;
    let (mut survey, mut unreadable) = (Survey::default(), 0);
    corpus::each_row(&settings(&wanted), &sources, |row| match &row.failure {
        Some(error) => {
            unreadable += 1;
            streams::tell(error);
        }
        None => survey.take(row),
    })?;
    Ok((survey, unreadable))
}
