//! Speculative compiles of many pipelines, in files, folders and databases: a view of a corpus.

use std::path::PathBuf;

use lanescope_core::driver::speculative::corpus::{AllVariants, Rows, Search, Searched, Variants};

use crate::cli::streams;
use crate::cli::{CliError, corpus};
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

/// What every combination of guesses achieves, by application: a database, or all other files together.
#[derive(Debug, Default)]
pub struct Found {
    /// The applications.
    pub searched: Vec<Searched>,
    /// How many pipelines could not be read.
    pub unreadable: usize,
}

/// Tries the guesses on every pipeline in these files and folders, without compiling.
///
/// # Errors
/// A folder that cannot be read; files and folders without a shader.
pub fn search(
    paths: &[PathBuf],
    prefer: Prefer,
    wanted: &LoadOptions,
    loader: &mut Loader,
    settings: impl FnOnce(&LoadOptions) -> Settings,
) -> Result<Found, CliError> {
    let (sources, wanted) = corpus::find_sources(paths, prefer, wanted, loader)?;
    let (mut out, mut search) = (Found::default(), Search::default());
    corpus::each_row(&settings(&wanted), &sources, |row| match row.failure {
        Some(error) => {
            out.unreadable += 1;
            streams::tell(&error);
        }
        None if row.guesses.iter().any(|tally| tally.stages > 0) => {
            let is_database = is_database(row.database.as_ref());
            search.add(if is_database { &row.database } else { "" }, &row.guesses);
        }
        None => {}
    })?;
    out.searched = search.done();
    Ok(out)
}

/// The cache entries of the stages before the rasterizer.
#[derive(Debug, Default)]
pub struct FoundVariants {
    /// The stages, those with the most entries first.
    pub variants: Vec<Variants>,
    /// How many pipelines could not be read.
    pub unreadable: usize,
}

/// The location maps of every pipeline in these files and folders, by the stages before the rasterizer.
///
/// # Errors
/// A folder that cannot be read; files and folders without a shader.
pub fn variants(
    paths: &[PathBuf],
    prefer: Prefer,
    wanted: &LoadOptions,
    loader: &mut Loader,
    settings: impl FnOnce(&LoadOptions) -> Settings,
) -> Result<FoundVariants, CliError> {
    let (sources, wanted) = corpus::find_sources(paths, prefer, wanted, loader)?;
    let (mut unreadable, mut all) = (0, AllVariants::default());
    corpus::each_row(&settings(&wanted), &sources, |row| match (row.failure, row.variant) {
        (Some(error), _) => {
            unreadable += 1;
            streams::tell(&error);
        }
        (None, Some(variant)) => all.add(&row.pipeline, *variant),
        (None, None) => {}
    })?;
    Ok(FoundVariants { variants: all.done(), unreadable })
}
