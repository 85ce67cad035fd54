//! One input opened by the program in a separate process: its outcome, time and memory.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The outcome of opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// A report was printed, with or without findings.
    Opened,
    /// The file was refused with an error.
    Refused,
    /// It did not finish within the limit.
    Hung,
    /// The program itself ended by a signal, by a panic or with a status that it does not use.
    Crashed,
}

/// The result of an input.
#[derive(Debug)]
pub struct Outcome {
    /// Outcome.
    pub ending: Ending,
    /// Standard error of the program.
    pub errors: String,
    /// Duration.
    pub time: Duration,
    /// The most memory that the program and its children held at once, in bytes.
    pub memory: u64,
}

/// Interval at which memory is measured.
const LOOK: Duration = Duration::from_millis(5);

/// The most of standard error that is kept.
const MOST_ERRORS: u64 = 1 << 20;

/// Opens a file with `lanescope inspect --isolate`, which reads it in a child process. It is killed after `limit`.
///
/// # Errors
/// A program that cannot be started.
pub fn trial(program: &Path, file: &Path, limit: Duration) -> io::Result<Outcome> {
    let start = Instant::now();
    // A name that starts with a dash is a file's all the same.
    let mut child = Command::new(program)
        .args(["inspect", "--isolate", "--"])
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let stderr = child.stderr.take();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        // Unreadable text is not shown.
        let _ = stderr.map(|stderr| stderr.take(MOST_ERRORS).read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    });
    let (status, memory) = wait(&mut child, start + limit)?;
    let time = start.elapsed();
    let errors = reader.join().unwrap_or_default();
    let panicked = errors.contains("panicked at");
    let ending = match status.map(|status| status.code()) {
        None => Ending::Hung,
        Some(Some(0 | 1)) if !panicked => Ending::Opened,
        Some(Some(2 | 3)) if !panicked => Ending::Refused,
        Some(_) => Ending::Crashed,
    };
    Ok(Outcome { ending, errors, time, memory })
}

/// Waits for a child until a moment; its status, none where it was killed, and the most memory that was seen.
fn wait(child: &mut Child, until: Instant) -> io::Result<(Option<ExitStatus>, u64)> {
    let mut most = 0;
    loop {
        most = most.max(held_by(child.id(), &mut BTreeSet::new()));
        if let Some(status) = child.try_wait()? {
            return Ok((Some(status), most));
        }
        if Instant::now() >= until {
            child.kill()?;
            child.wait()?;
            return Ok((None, most));
        }
        std::thread::sleep(LOOK);
    }
}

/// The most that a process and its children held so far, in bytes; 0 for one that has ended.
fn held_by(process: u32, seen: &mut BTreeSet<u32>) -> u64 {
    if !seen.insert(process) {
        return 0;
    }
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let own =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    let children = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    let children = children.split_whitespace().filter_map(|id| id.parse().ok());
    own.unwrap_or(0) * 1024 + children.map(|child| held_by(child, seen)).sum::<u64>()
}
