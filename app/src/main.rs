//! Lanescope.

mod jobs;
mod session;
mod watch;
mod window;
mod worker;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    if arguments.peek().is_some_and(|first| first == "worker") {
        return worker::serve();
    }
    match window::run(arguments.map(Into::into).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lanescope: {error}");
            ExitCode::FAILURE
        }
    }
}
