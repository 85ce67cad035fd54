//! A session of the interpreter's debugger, as a client sees it.

mod breakpoints;
mod data_breakpoints;
mod disassembly;
mod evaluate;
mod exceptions;
mod frames;
mod heat_map;
mod threads;
mod variables;

pub use breakpoints::Asked;
pub use data_breakpoints::AskedData;
pub use evaluate::Evaluated;
pub use exceptions::FILTERS;
pub use variables::Page;

use lanescope_core::interpreter::debugger::session::{Command, CommandError, Output, Session, Stopped};
use lanescope_core::interpreter::{EventKind, Program};
use lanescope_core::run::ResourceNames;

use crate::arguments::Options;
use crate::launched::Launched;
use crate::sources::Sources;
use breakpoints::Breakpoints;
use variables::Handles;

/// Lanes that are listed as threads, unless the launch says otherwise.
const MAX_THREADS: u32 = 256;

/// A session, and what a client has set in it.
pub struct Debuggee {
    session: Session,
    names: ResourceNames,
    sources: Sources,
    breakpoints: Breakpoints,
    handles: Handles,
    /// Why the last command stopped, as text.
    why: String,
    max_threads: u32,
    /// Findings that are in the console.
    reported: usize,
    /// Whether it says that findings are missing.
    said_truncated: bool,
    /// Whether the report of the program has errors.
    has_errors: bool,
}

impl Debuggee {
    /// A session at its start.
    pub fn new(launched: Launched, options: &Options) -> Debuggee {
        let Launched { launch, session, files, has_errors, chose_lane, .. } = launched;
        let any_wave = options.any_wave.unwrap_or(!chose_lane);
        let session = if any_wave { session.stopping_any_wave() } else { session };
        Debuggee {
            sources: Sources::new(&session, &files),
            names: launch.names,
            session,
            breakpoints: Breakpoints::default(),
            handles: Handles::default(),
            why: String::new(),
            max_threads: options.max_threads.unwrap_or(MAX_THREADS),
            reported: 0,
            said_truncated: false,
            has_errors,
        }
    }

    /// The session, for what moves it.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    fn program(&self) -> &Program {
        self.session.debugger().machine().program()
    }

    /// Whether the run has ended, or is at one of its limits.
    pub fn is_at_end(&self) -> bool {
        self.session.debugger().machine().is_finished() || self.session.stopped() == Stopped::End
    }

    /// Instructions run so far.
    pub fn position(&self) -> u64 {
        self.session.debugger().position()
    }

    /// Carries out a command that moves. Frames and variables from before are gone with it. `again` goes on with one that
    /// was interrupted.
    ///
    /// # Errors
    /// Those of the command.
    pub fn advance(&mut self, command: &Command, again: bool) -> Result<Stopped, CommandError> {
        self.handles.clear();
        let output = if again { self.session.go_on(command)? } else { self.session.run(command)? };
        if let Output::Stopped(why) = output {
            self.why = why;
        }
        Ok(self.session.stopped())
    }

    /// Stops at a breakpoint where the run begins, if there is one.
    pub fn stop_at_start(&mut self) -> Option<Stopped> {
        self.handles.clear();
        self.why = self.session.hit_here()?;
        Some(self.session.stopped())
    }

    /// Says why the last command stopped.
    pub fn set_why(&mut self, why: &str) {
        why.clone_into(&mut self.why);
    }

    /// Goes to a position, where a command began that was interrupted.
    pub fn seek(&mut self, position: u64) {
        self.session.seek(position);
    }

    /// Chooses the kinds of findings that stop.
    fn stop_at(&mut self, kinds: impl Iterator<Item = EventKind>) {
        self.session.stop_at(kinds.collect());
    }
}
