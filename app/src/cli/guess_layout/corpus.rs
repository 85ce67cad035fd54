//! Speculative compiles of many pipelines, in files, folders and databases.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use lanescope_core::driver::speculative::corpus::Rows;
use lanescope_core::findings::Finding;
use lanescope_core::load::LoadOptions;
use lanescope_core::options::Options;
use lanescope_core::program::Program;

use super::super::loading::Loader;
use super::super::slots;
use crate::cli::CliError;
use crate::drivers::{SpeculativeRequest, speculate, speculate_all};
use crate::folders::{self, PipelineFiles, Prefer};

/// The rows of every pipeline in these files and folders. What cannot be read is reported on standard error.
///
/// Shaders whose names differ in the stage only are one pipeline, and so is a pipeline file; a database has many.
///
/// # Errors
/// A folder that cannot be read; files and folders without a shader.
pub fn rows(
    paths: &[PathBuf],
    prefer: Prefer,
    wanted: &LoadOptions,
    options: impl Fn(&Program) -> Options,
    ask: &SpeculativeRequest,
    loader: &mut Loader,
) -> Result<Rows, CliError> {
    let found = folders::find(paths).map_err(CliError::Unusable)?;
    slots::report_skipped(&found.skipped);
    let mut damages = 0;
    let mut out = Rows::default();
    let mut progress = Progress::new(io::stderr().is_terminal());
    let mut take = |name: &str, program: Result<Option<Program>, String>| match program {
        // A part of other pipelines, without shaders of its own.
        Ok(None) => out.without_stage += 1,
        Ok(Some(program)) => {
            progress.tell(name, &mut io::stderr());
            speculate_all(name, &program, &options(&program), ask, speculate, &mut out);
            progress.clear(&mut io::stderr());
        }
        Err(error) => {
            out.unreadable += 1;
            anstream::eprintln!("{error}");
        }
    };
    for PipelineFiles { name, files } in found.pipelines(prefer) {
        if !matches!(files.as_slice(), [only] if slots::is_database(only)) {
            take(&name, loader.load(&files, wanted).map(Some).map_err(|error| error.to_string()));
            continue;
        }
        let found = |findings: &[Finding]| {
            for finding in findings {
                damages += 1;
                let place = finding.place.as_deref().unwrap_or(&name);
                anstream::eprintln!("{place}: {}: {}", finding.code, finding.message);
            }
        };
        let each = |key: &str, program: Result<Option<Program>, String>| {
            let name = format!("{name}@{key}");
            take(&name, program.map_err(|error| format!("{name}: {error}")));
        };
        if let Err(error) = loader.each_of(&files, wanted, found, each) {
            take(&name, Err(error));
        }
    }
    out.damages = damages;
    Ok(out)
}

/// One line on a terminal that says which pipeline is being compiled: some take seconds.
struct Progress {
    is_shown: bool,
    begun: usize,
}

impl Progress {
    /// Prints nothing without a terminal.
    fn new(is_shown: bool) -> Progress {
        Progress { is_shown, begun: 0 }
    }

    fn tell(&mut self, name: &str, to: &mut impl Write) {
        self.begun += 1;
        if self.is_shown {
            let name: String = name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
            // An output error is ignored: only the progress line is lost.
            let _ = write!(to, "compiling pipeline {}: {name} …", self.begun).and_then(|()| to.flush());
        }
    }

    /// Clears the line.
    fn clear(&self, to: &mut impl Write) {
        if self.is_shown {
            let _ = write!(to, "\r\x1b[K").and_then(|()| to.flush());
        }
    }
}

/// Characters of a name in a line that must not break.
const LONGEST_NAME: usize = 48;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_one_line_that_is_cleared() {
        let progress = |is_shown| {
            let (mut out, mut progress) = (Vec::new(), Progress::new(is_shown));
            for name in ["a.foz@1", "b\x1b[31m"] {
                progress.tell(name, &mut out);
                progress.clear(&mut out);
            }
            String::from_utf8(out).expect("text")
        };
        assert_eq!(progress(false), "");
        assert_eq!(progress(true), "compiling pipeline 1: a.foz@1 …\r\x1b[Kcompiling pipeline 2: b[31m …\r\x1b[K");
    }
}
