//! The pipelines of a command's inputs.

use std::path::{Path, PathBuf};

use lanescope_core::load::LoadOptions;

use crate::cli::CliError;
use crate::cli::loading::Loader;
use crate::cli::slots::report_skipped;
use crate::corpus::{Sources, list};
use crate::folders::Prefer;

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
    let paths = list(inputs).map_err(CliError::Unusable)?;
    let with_streams = loader.with_streams(&paths, wanted)?;
    let mut damages = 0;
    let count = |file: &Path, name: &str| match loader.count_of(file, wanted) {
        Ok((count, findings)) => {
            damages += findings.len();
            for finding in findings {
                let place = finding.place.as_deref().unwrap_or(name);
                anstream::eprintln!("{place}: {}: {}", finding.code, finding.message);
            }
            Some(count)
        }
        // Its row says why it cannot be read.
        Err(_) => None,
    };
    let mut sources = Sources::find(&paths, prefer, count).map_err(CliError::Unusable)?;
    sources.damages = damages;
    report_skipped(&sources.skipped);
    Ok((sources, with_streams))
}
