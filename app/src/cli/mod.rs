//! The command line: one file per command or form of output.

pub mod text;
