//! One text with its opcodes as names, or as numbers.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use lanescope_core::dxil::ops::text::{self, Rewritten};
use lanescope_core::text_format::counted;

use super::super::CliError;
use super::LARGEST;
use crate::cli::streams;
use lanescope_host::files::all_of;
use lanescope_host::safe_write::put;

/// A text to translate, and its destination.
#[derive(Debug, Args)]
pub struct File {
    /// LLVM IR or FileCheck text; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// New file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl File {
    pub fn symbolic(&self) -> Result<(), CliError> {
        let rewritten = text::symbolic(&self.read()?);
        self.write(&rewritten)?;
        self.say(&rewritten, "named")
    }

    pub fn numeric(&self) -> Result<(), CliError> {
        let rewritten = text::numeric(&self.read()?);
        self.write(&rewritten)?;
        self.say(&rewritten, "numbered")
    }

    fn read(&self) -> Result<Vec<u8>, CliError> {
        let read = match self.file.as_os_str() == "-" {
            true => all_of(io::stdin().lock(), LARGEST),
            false => fs::File::open(&self.file).and_then(|file| all_of(file, LARGEST)),
        };
        read.map_err(|error| CliError::Unusable(format!("{}: cannot be read: {error}", self.file.display())))
    }

    fn write(&self, rewritten: &Rewritten) -> Result<(), CliError> {
        match &self.output {
            Some(path) => new_file(path, &rewritten.text),
            None => Ok(streams::put(&rewritten.text)?),
        }
    }

    fn say(&self, rewritten: &Rewritten, done: &str) -> Result<(), CliError> {
        let numbers = rewritten.kept.iter().filter(|kept| kept.opcode.is_some()).count();
        let patterns = rewritten.kept.len() - numbers;
        let mut err = streams::errors();
        Ok(writeln!(
            err,
            "{} {done}; unchanged: {numbers}; patterns: {patterns}",
            counted(rewritten.edits.len(), "opcode")
        )?)
    }
}

/// Writes a new file; fails if it exists.
pub fn new_file(path: &std::path::Path, bytes: &[u8]) -> Result<(), CliError> {
    put(path, bytes, false).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => CliError::Unusable(format!("{}: already exists", path.display())),
        _ => CliError::Unusable(format!("{}: cannot be written: {error}", path.display())),
    })
}
