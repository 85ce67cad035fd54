//! The command line without a command: the window, or what this build has instead.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{CliError, Verdict};

/// Files to open in the window.
#[derive(Debug, Args)]
pub struct Files {
    /// Shaders to open: SPIR-V, SPIR-V assembly, DXIL, GLSL, HLSL, WGSL or Slang, or a pipeline (.pipe, .foz, .shader_test,
    /// .amber);
    /// several files make one pipeline. JSON reports, saved runs of work graphs and AMD code objects open too
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Compare with this program (its files separated by commas), JSON report or AMD code object
    #[arg(long, visible_alias = "object", value_name = "FILE[,FILE…]", value_delimiter = ',', requires = "files")]
    compare: Vec<PathBuf>,

    /// Log per-frame timings to stderr
    #[arg(long)]
    timings: bool,
}

/// Opens the window, or what this build has instead.
pub fn open_window(files: &Files, commands: &[String]) -> Result<Verdict, CliError> {
    if let Some(first) = files.files.first()
        && is_mistyped_command(first)
    {
        let message =
            format!("`{}` is neither a command nor a file; the commands are {}", first.display(), commands.join(", "));
        return Err(CliError::Unusable(message));
    }
    open(files)
}

#[cfg(feature = "window")]
fn open(files: &Files) -> Result<Verdict, CliError> {
    lanescope_window::run(files.files.clone(), files.compare.clone(), files.timings)
        .map(|()| Verdict::Clean)
        .map_err(CliError::Missing)
}

/// A build without the window opens the terminal form.
#[cfg(all(not(feature = "window"), feature = "tui"))]
fn open(files: &Files) -> Result<Verdict, CliError> {
    let (files, against, timings) = (files.files.clone(), files.compare.clone(), files.timings);
    super::tui::open(lanescope_tui::Begin { files, against, ..Default::default() }, timings)
}

#[cfg(not(any(feature = "window", feature = "tui")))]
fn open(_files: &Files) -> Result<Verdict, CliError> {
    let why = "it has been built without the features `window` and `tui`: run a command (`lanescope --help`)";
    Err(CliError::Missing(format!("this build has no window: {why}")))
}

/// Whether the first argument was meant as a command: a plain word that is not the name of a file.
fn is_mistyped_command(argument: &Path) -> bool {
    let is_word = argument.to_str().is_some_and(|text| text.chars().all(|c| c.is_ascii_alphabetic() || c == '-'));
    is_word && !argument.exists()
}
