//! `lanescope completions` and `lanescope man`: shell completions and man pages, generated from the arguments.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;
use lanescope_core::run::Blob;
use lanescope_core::text_format::counted;

use super::{CliError, Verdict, man_page};
use crate::cli::streams;
use lanescope_host::safe_write::write_files;

pub const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  lanescope completions bash > ~/.local/share/bash-completion/completions/lanescope
  lanescope completions fish > ~/.config/fish/completions/lanescope.fish";

pub const MAN_EXAMPLES: &str = "\
Examples:
  lanescope man > lanescope.1               the program's page
  lanescope man -o man1                     also a page for each command: lanescope-inspect.1 …";

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// Shell to write the script for
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct Man {
    /// Write the program's page and one for each command into this folder
    #[arg(short, long, alias = "out", value_name = "DIR")]
    output: Option<PathBuf>,

    /// Overwrite existing pages
    #[arg(long, requires = "output")]
    force: bool,
}

impl Completions {
    pub fn run(&self, command: clap::Command) -> Result<Verdict, CliError> {
        // Generators offer hidden commands too.
        let visible = command.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
        let mut command = clap::Command::new("lanescope")
            .disable_help_subcommand(true)
            .args(command.get_arguments().cloned())
            .subcommands(visible);
        // The generator does not report a closed pipe, so it writes into memory.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "lanescope", &mut script);
        io::stdout().lock().write_all(&script)?;
        Ok(Verdict::Clean)
    }
}

impl Man {
    pub fn run(&self, command: clap::Command) -> Result<Verdict, CliError> {
        let Some(folder) = &self.output else {
            man_page::write(command, "lanescope", &mut io::stdout().lock())?;
            return Ok(Verdict::Clean);
        };
        let mut files = Vec::new();
        for (name, command) in pages(command) {
            let mut text = Vec::new();
            man_page::write(command, &name, &mut text)?;
            files.push((format!("{name}.1"), Blob(text)));
        }
        write_files(folder, &files, self.force)?;
        let mut out = streams::plain();
        writeln!(out, "{} written to {}", counted(files.len(), "page"), folder.display())?;
        Ok(Verdict::Clean)
    }
}

/// The program and each of its commands, with the names of their pages.
fn pages(program: clap::Command) -> impl Iterator<Item = (String, clap::Command)> {
    let page = |command: &clap::Command| {
        let name = command.get_name();
        (format!("lanescope-{name}"), command.clone().bin_name(format!("lanescope {name}")))
    };
    let of_commands: Vec<_> = program.get_subcommands().filter(|command| !command.is_hide_set()).map(page).collect();
    std::iter::once(("lanescope".to_owned(), program)).chain(of_commands)
}
