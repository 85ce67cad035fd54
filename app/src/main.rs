//! Lanescope.
mod jobs;
mod session;
mod watch;
mod worker;

fn main() -> std::process::ExitCode {
    worker::serve()
}
