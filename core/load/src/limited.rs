//! A program that is run for its answer, with limits on its time, its memory and what it prints.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// The most bytes that are read of each output.
const MAX_OUTPUT: usize = 64 << 10;

/// What a program did.
#[derive(Debug)]
pub(super) struct Ended {
    pub status: ExitStatus,
    pub out: String,
    pub err: String,
}

/// A started program, which ends with this value: it and those that it started.
struct Started {
    child: Child,
    /// It was waited for: its number may be another's now.
    is_over: bool,
}

impl Started {
    /// Whether it has ended. It is not waited for yet, so that its number is not another's.
    fn has_ended(&self) -> Result<bool, String> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let ended = waitid(WaitId::Pid(Pid::from_child(&self.child)), options).map_err(|error| error.to_string())?;
        Ok(ended.is_some())
    }

    /// Ends it, and what it started, which may be left where it has ended by itself.
    fn end(&mut self) -> std::io::Result<ExitStatus> {
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let status = self.child.wait();
        self.is_over = true;
        status
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if !self.is_over {
            let _ = self.child.kill();
            let _ = self.end();
        }
    }
}

/// Runs a program with an input, and waits for its end.
///
/// # Errors
/// What went wrong: it does not start, does not end in time, or prints too much.
pub(super) fn run(program: &Path, arguments: &[&str], input: Vec<u8>, time: Duration) -> Result<Ended, String> {
    run_for(program, arguments, input, time, MAX_OUTPUT)
}

/// The same with at most so many bytes of each output.
///
/// # Errors
/// Those of [`run`].
pub(super) fn run_for(
    program: &Path,
    arguments: &[&str],
    input: Vec<u8>,
    time: Duration,
    most: usize,
) -> Result<Ended, String> {
    let end = Instant::now() + time;
    let child = command(program, arguments).spawn().map_err(|error| format!("it does not start: {error}"))?;
    let mut started = Started { child, is_over: false };
    limit(&started.child, time);
    let (Some(mut stdin), Some(out), Some(err)) =
        (started.child.stdin.take(), started.child.stdout.take(), started.child.stderr.take())
    else {
        return Err("a pipe to it is missing".to_owned());
    };
    // A program that reads nothing ends all the same.
    std::thread::spawn(move || stdin.write_all(&input).ok());
    let (read, to_take) = mpsc::channel();
    listen(out, 0, most, read.clone());
    listen(err, 1, most, read);
    let mut texts = [String::new(), String::new()];
    let late = || format!("it did not end within {} s", time.as_secs());
    for _ in 0..2 {
        let left = end.saturating_duration_since(Instant::now());
        let (which, bytes): (usize, Vec<u8>) = to_take.recv_timeout(left).map_err(|_| late())?;
        if bytes.len() > most {
            return Err(format!("it printed more than {most} bytes"));
        }
        if let Some(text) = texts.get_mut(which) {
            *text = String::from_utf8_lossy(&bytes).into_owned();
        }
    }
    let mut pause = Duration::from_micros(100);
    loop {
        if started.has_ended()? {
            let status = started.end().map_err(|error| error.to_string())?;
            let [out, err] = texts;
            return Ok(Ended { status, out, err });
        }
        if Instant::now() >= end {
            return Err(late());
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn command(program: &Path, arguments: &[&str]) -> Command {
    use std::os::unix::process::CommandExt as _;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A script's own children end with it.
    command.process_group(0);
    command
}

/// Reads an output, and one byte more than it may have where it is longer.
fn listen(from: impl Read + Send + 'static, which: usize, most: usize, to: mpsc::Sender<(usize, Vec<u8>)>) {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error counts.
        let _ = from.take(most as u64 + 1).read_to_end(&mut bytes);
        let _ = to.send((which, bytes));
    });
}

/// Ends the program by itself where it outlives this process, and where it takes too much memory.
#[cfg(target_os = "linux")]
fn limit(child: &Child, time: Duration) {
    use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
    const MEMORY: u64 = 4 << 30;
    let pid = Some(Pid::from_child(child));
    for (resource, bound) in [(Resource::Cpu, time.as_secs() + 1), (Resource::As, MEMORY)] {
        let own = getrlimit(resource);
        let least = [own.current, own.maximum].into_iter().flatten().fold(bound, u64::min);
        // Without them it still ends with this process's wait for it.
        let _ = prlimit(pid, resource, Rlimit { current: Some(least), maximum: Some(least) });
    }
}

#[cfg(not(target_os = "linux"))]
fn limit(_: &Child, _: Duration) {}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, seconds: u64) -> Result<Ended, String> {
        run(Path::new("/bin/sh"), &["-c", script], b"in".to_vec(), Duration::from_secs(seconds))
    }

    #[test]
    fn answers_are_read_within_limits() {
        let ended = shell("cat; echo why >&2; exit 3", 10).expect("ends");
        assert_eq!((ended.out.as_str(), ended.err.as_str(), ended.status.code()), ("in", "why\n", Some(3)));
        assert_eq!(shell("yes", 10).expect_err("too much"), "it printed more than 65536 bytes");
        let start = Instant::now();
        // With a child of its own that holds the pipes, and without pipes.
        for script in ["sleep 60", "sleep 60 & sleep 60", "exec >&- 2>&-; sleep 60"] {
            assert_eq!(shell(script, 1).expect_err("too long"), "it did not end within 1 s");
        }
        assert!(start.elapsed() < Duration::from_secs(20));
        // What is left of a script that has ended ends with it.
        let ended = shell("sleep 60 >/dev/null 2>&1 & echo $!", 10).expect("ends");
        let left = Path::new("/proc").join(ended.out.trim()).join("stat");
        let is_gone = || std::fs::read_to_string(&left).map_or(true, |stat| stat.contains(") Z "));
        while !is_gone() {
            assert!(start.elapsed() < Duration::from_secs(30), "{}", ended.out);
            std::thread::sleep(Duration::from_millis(10));
        }
        let why = run(Path::new("/nowhere/tool"), &[], Vec::new(), Duration::from_secs(1)).expect_err("no such file");
        assert!(why.starts_with("it does not start: "), "{why}");
    }
}
