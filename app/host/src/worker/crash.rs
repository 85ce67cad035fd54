//! Errors of a child, as text for the user.

use std::fmt::{self, Write as _};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use lanescope_core::text_format::size;
use serde::{Deserialize, Serialize};

use crate::excerpt::Excerpt;

/// Why the input failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The file at fault, where one is.
    pub file: Option<String>,
    /// The message in full, with the place in the file; may have several lines.
    pub message: String,
    /// Names of entry points, where choosing one of them would help.
    pub entries: Vec<String>,
    /// Something that was requested is not on this machine, rather than wrong.
    #[serde(default)]
    pub missing: bool,
    /// Choosing one of the file's pipelines would help.
    #[serde(default)]
    pub pipelines: bool,
    /// It is SPIR-V that opens without the validator.
    #[serde(default)]
    pub invalid: bool,
    /// The validator would take too long for it.
    #[serde(default)]
    pub unjudged: bool,
    /// The validator that was asked for failed.
    #[serde(default)]
    pub validator: bool,
    /// The lines of its source that the message names, where whoever shows it has looked them up.
    #[serde(skip)]
    pub excerpts: Vec<Excerpt>,
}

impl From<String> for Failure {
    /// A failure that is not caused by a file.
    fn from(message: String) -> Failure {
        let (entries, excerpts) = (Vec::new(), Vec::new());
        Failure {
            file: None,
            message,
            entries,
            missing: false,
            pipelines: false,
            invalid: false,
            unjudged: false,
            validator: false,
            excerpts,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The child did not start.
    #[error("the worker process did not start: {0}")]
    Start(#[source] std::io::Error),
    /// The answer is that the input is at fault.
    #[error("{0}")]
    Failed(Failure),
    /// The time limit passed.
    #[error("{doing} took longer than {} and was stopped", seconds(*.limit))]
    TimedOut {
        /// The work in progress, for messages.
        doing: String,
        /// The limit.
        limit: Duration,
    },
    /// The child died.
    #[error("{}", crash_text(.doing, .how, *.by_itself, .last_words))]
    Crashed {
        /// The work in progress, for messages.
        doing: String,
        /// The signal or the exit status.
        how: String,
        /// It ended by itself, with that exit status and without an answer.
        by_itself: bool,
        /// The last lines of the child's standard error.
        last_words: String,
        /// Whether its last output was an out-of-memory message.
        out_of_memory: bool,
    },
    /// A run took more memory than it may.
    #[error("{doing} needs more memory than {}, {SETS_MEMORY}", size(*.limit))]
    OverMemory {
        /// The work in progress, for messages.
        doing: String,
        /// The limit, in bytes.
        limit: u64,
    },
    /// It was asked to stop.
    #[error("{doing} was cancelled")]
    Cancelled {
        /// The work in progress, for messages.
        doing: String,
    },
    /// The child spoke, but not sense.
    #[error("the worker process gave no readable answer while {doing}: {what}")]
    Protocol {
        /// The work in progress, for messages.
        doing: String,
        /// Its error.
        what: String,
    },
}

/// What sets the memory limit of a run, on the command line and in the window.
const SETS_MEMORY: &str = "the limit (--memory, or Memory limit in the window, sets another)";

/// How a child ended, as a person would say it, with what is known of its cause.
pub(super) fn how_it_ended(status: ExitStatus, last_words: &str, memory: u64) -> String {
    let mut how = match (status.signal(), status.code()) {
        (Some(signal), _) => signal_name(signal),
        (None, Some(PANIC)) => "internal error".to_owned(),
        (None, Some(code)) => format!("exit status {code}"),
        (None, None) => "unknown exit status".to_owned(),
    };
    if is_out_of_memory(last_words) {
        let _ = write!(how, ", out of memory: the limit is {} MiB", memory >> 20);
    } else if last_words.contains(STACK_OVERFLOW) {
        how.push_str(", stack overflow: the input is nested too deeply");
    }
    how
}

/// Whether a process ended by itself: by no signal, and by no panic of this program. Of its cause nothing more is known.
pub(super) fn ended_by_itself(status: ExitStatus) -> bool {
    status.code().is_some_and(|code| code != PANIC)
}

/// What Rust's own panics exit with.
const PANIC: i32 = 101;

/// Whether a process ended for want of memory.
pub(super) fn is_out_of_memory(last_words: &str) -> bool {
    OUT_OF_MEMORY.iter().any(|words| last_words.contains(words))
}

/// What Rust's handler says of a thread that used up its stack.
const STACK_OVERFLOW: &str = "has overflowed its stack";

/// Out-of-memory messages of allocators: Rust's, C++'s, LLVM's.
/// The last one is Rust's, of an exception that comes out of C++ code: those that are called here throw no others.
const OUT_OF_MEMORY: &[&str] =
    &["memory allocation of", "bad_alloc", "length_error", "out of memory", "cannot catch foreign exceptions"];

fn signal_name(signal: i32) -> String {
    // The numbers are those of Linux on the processors that Vulkan drivers run on.
    let known = [
        (4, "SIGILL", "illegal instruction"),
        (5, "SIGTRAP", "trap"),
        (6, "SIGABRT", "abort"),
        (7, "SIGBUS", "bus error"),
        (8, "SIGFPE", "arithmetic error"),
        (9, "SIGKILL", "killed"),
        (11, "SIGSEGV", "invalid memory access"),
        (15, "SIGTERM", "terminated"),
        (24, "SIGXCPU", "processor time limit"),
        (31, "SIGSYS", "forbidden system call"),
    ];
    match known.iter().find(|(number, ..)| *number == signal) {
        Some((_, name, about)) => format!("{name} ({about})"),
        None => format!("signal {signal}"),
    }
}

fn crash_text(doing: &str, how: &str, by_itself: bool, last_words: &str) -> String {
    let ended = if by_itself { "ended without an answer" } else { "crashed" };
    let mut text = format!("the worker process {ended} while {doing}: {how}");
    if !last_words.trim().is_empty() {
        let _ = write!(text, "\nIts last output:");
        for line in last_words.trim_end().lines() {
            let _ = write!(text, "\n    {line}");
        }
    }
    text
}

fn seconds(limit: Duration) -> String {
    if limit.as_secs() > 0 && limit.subsec_millis() == 0 {
        format!("{} s", limit.as_secs())
    } else {
        format!("{} ms", limit.as_millis())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn describes_exit_statuses() {
        // A wait status holds the signal in its low byte, the exit code in the next.
        for (status, last_words, expected) in [
            (11, "", "SIGSEGV (invalid memory access)"),
            (9, "", "SIGKILL (killed)"),
            (40, "", "signal 40"),
            (3 << 8, "", "exit status 3"),
            (101 << 8, "", "internal error"),
            (6, "terminate called after std::bad_alloc", "SIGABRT (abort), out of memory: the limit is 64 MiB"),
            (
                6,
                "thread 'loader' has overflowed its stack",
                "SIGABRT (abort), stack overflow: the input is nested too deeply",
            ),
        ] {
            assert_eq!(how_it_ended(ExitStatus::from_raw(status), last_words, 64 << 20), expected);
        }
    }

    #[test]
    fn a_crash_message_has_the_work_and_the_last_output() {
        let error = WorkerError::Crashed {
            doing: "loading a.frag".to_owned(),
            how: "SIGABRT (abort)".to_owned(),
            by_itself: false,
            last_words: "one\ntwo\n".to_owned(),
            out_of_memory: false,
        };
        let expected = "the worker process crashed while loading a.frag: SIGABRT (abort)\n\
                        Its last output:\n    one\n    two";
        assert_eq!(error.to_string(), expected);
        // A process that ended by itself did not crash, whatever its status.
        for (code, by_itself) in [(0, true), (1, true), (101, false)] {
            let status = ExitStatus::from_raw(code << 8);
            assert_eq!(ended_by_itself(status), by_itself);
        }
        assert!(!ended_by_itself(ExitStatus::from_raw(11)));
        let quiet = WorkerError::Crashed {
            doing: "listing devices".to_owned(),
            how: how_it_ended(ExitStatus::from_raw(0), "", 64 << 20),
            by_itself: true,
            last_words: String::new(),
            out_of_memory: false,
        };
        assert_eq!(
            quiet.to_string(),
            "the worker process ended without an answer while listing devices: exit status 0"
        );
    }
}
