//! Lanescope.
mod worker;

fn main() -> std::process::ExitCode {
    worker::serve()
}
