//! `lanescope lsp`: the language server.

use std::io;
use std::process::ExitCode;

use clap::Args;
use lanescope_lsp::server::Ended;

use super::streams;

pub const EXAMPLES: &str = "\
Examples:
  lanescope lsp                         an editor starts it, and shows what it finds
  lanescope lsp --stdio                 the same, for clients that pass this option

It serves GLSL, HLSL, WGSL, Slang, SPIR-V assembly, .pipe, shader tests and Amber scripts on standard input and output. \
The page Editors of the manual has the set-up of several editors.

Exit status: 0 the editor ended it, 1 the editor is gone, 2 it cannot start.";

/// Arguments of `lsp`.
#[derive(Debug, Args)]
pub struct Lsp {
    /// Use standard input and output (default)
    #[arg(long)]
    stdio: bool,
}

impl Lsp {
    pub fn run(&self) -> ExitCode {
        match lanescope_lsp::serve(io::stdin(), io::stdout()) {
            Ok(Ended::AsAsked) => ExitCode::SUCCESS,
            Ok(Ended::Early) => ExitCode::from(1),
            Err(error) => {
                streams::error(&error.to_string());
                ExitCode::from(2)
            }
        }
    }
}
