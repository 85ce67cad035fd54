//! `lanescope`: opens a shader and shows its layout, on the command line and in a window.
//!
//! Arguments become a command or the window; data goes load → analyse → report, and a command prints the report in
//! its own way. Foreign code (compilers, drivers) can run in a child process (`worker`).

#![forbid(unsafe_code)]

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
