//! What a launch leads to. The command line carries it out: its flags are those of `lanescope debug`.

use std::path::PathBuf;

use lanescope_core::gpu::interpret::Launch;
use lanescope_core::interpreter::debugger::session::Session;
use lanescope_host::flags::members::Flag;
use lanescope_host::watchdog::{Limits, Watchdog};

/// Starts watches over work in this process.
pub trait Guard {
    /// Watches until the result is dropped. `doing` begins the error that the client gets.
    fn watch(&self, limits: Limits, doing: &str) -> Watchdog;
}

/// Starts sessions.
pub trait Launcher: Send {
    /// The flags of the command line.
    fn flags(&self) -> Vec<Flag>;

    /// Starts a session with these arguments of the command line.
    ///
    /// # Errors
    /// The message of the command line.
    fn launch(&mut self, words: &[String], guard: &dyn Guard) -> Result<Launched, String>;
}

/// A session at its start.
pub struct Launched {
    /// The launch.
    pub launch: Launch,
    /// The session: on the original, or on the rewritten program.
    pub session: Session,
    /// The files, as they were named.
    pub files: Vec<PathBuf>,
    /// What came before, for the console.
    pub before: Vec<String>,
    /// Whether the report of the program has errors.
    pub has_errors: bool,
    /// Whether a lane was chosen by a flag.
    pub chose_lane: bool,
    /// Limits of each command; none where there are to be no limits.
    pub limits: Option<Limits>,
}
