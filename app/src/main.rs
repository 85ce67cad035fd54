//! `lanescope`: opens a shader and shows its layout, on the command line and in a window.
//!
//! Arguments become a command or the window; data goes load → analyse → report, and a command prints the report in
//! its own way. Foreign code (compilers, drivers) can run in a child process (`worker`).

#![forbid(unsafe_code)]
// Without a front end nothing uses what only that one draws.
#![cfg_attr(not(all(feature = "window", feature = "tui")), allow(dead_code, unused_imports))]

mod cli;
#[cfg(feature = "tui")]
mod tui;
#[cfg(feature = "window")]
mod window;

fn main() -> std::process::ExitCode {
    cli::main()
}
