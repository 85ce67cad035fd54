//! `lanescope`: opens a shader and shows its layout, on the command line and in a window.
//!
//! Arguments become a command or the window; data goes load → analyse → report, and a command prints the report in
//! its own way. Foreign code (compilers, drivers) can run in a child process (`worker`).

#![forbid(unsafe_code)]
// Without a front end nothing uses what only that one draws.
#![cfg_attr(not(all(feature = "window", feature = "tui")), allow(dead_code, unused_imports))]

mod cli;
mod commands;
mod completion;
mod corpus;
mod debugging;
mod disk_cache;
mod drivers;
mod excerpt;
mod files;
mod folders;
mod image_files;
mod inputs;
mod jobs;
mod json;
mod leftovers;
mod manual;
mod meshes;
mod outputs;
mod palette;
mod reports;
mod rewriting;
mod safe_write;
mod samples;
mod saved_runs;
mod scripts;
mod services;
mod session;
mod state;
mod tab_keys;
#[cfg(feature = "tui")]
mod tui;
mod update;
mod variants;
mod watch;
#[cfg(feature = "window")]
mod window;
mod worker;

fn main() -> std::process::ExitCode {
    cli::main()
}
