//! The workspace file on the command line: commands use what it says of their files, and open its pipelines by name.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use lanescope_host::workspace::{self, Described, is_manifest};

use super::args::{Analysis, AnalysisArgs, OptionArgs};
use super::streams;

/// The flag of commands that read the workspace file.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct WorkspaceArgs {
    /// Do not read lanescope.toml of the first file's folder or a folder above, which sets target, macros and include folders
    #[arg(long)]
    pub no_config: bool,
}

impl OptionArgs {
    /// The files that are meant, and these options with what the workspace file says of them. A workspace file means the
    /// files of one of its pipelines.
    ///
    /// # Errors
    /// A workspace file that cannot be read or is wrong; one with several pipelines of which none is named.
    pub fn in_workspace(&self, files: &[PathBuf], of: WorkspaceArgs) -> Result<(Vec<PathBuf>, OptionArgs), String> {
        let (files, described) = of.described(files, self.pipeline_name(), self.loading().folders())?;
        Ok((files, self.described(described)))
    }
}

impl WorkspaceArgs {
    /// The files that are meant, and what the workspace file says of them. Standard error names it.
    ///
    /// # Errors
    /// As [`OptionArgs::in_workspace`].
    pub fn described(
        self,
        files: &[PathBuf],
        named: Option<&str>,
        folders: &[PathBuf],
    ) -> Result<(Vec<PathBuf>, Option<Described>), String> {
        let (files, described) = match files {
            [only] if is_manifest(only) => {
                let (files, described) = workspace::pipeline_within(only, named, folders)?;
                (files, Some(described))
            }
            _ if self.no_config => (files.to_vec(), None),
            _ => (files.to_vec(), workspace::of_files_within(files, named, folders)?),
        };
        if let Some(described) = described.as_ref().filter(|described| !described.is_empty()) {
            streams::tell(&format!("{}: {}", described.place(), described.summary()));
        }
        Ok((files, described))
    }
}

impl FromArgMatches for Analysis {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Analysis, clap::Error> {
        Analysis::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Analysis, clap::Error> {
        let wrong = |why| clap::Error::raw(clap::error::ErrorKind::ValueValidation, format!("{why}\n"));
        AnalysisArgs::from_arg_matches_mut(matches)?.in_workspace().map_err(wrong)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Analysis::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Analysis {
    fn augment_args(command: Command) -> Command {
        AnalysisArgs::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        AnalysisArgs::augment_args_for_update(command)
    }
}
