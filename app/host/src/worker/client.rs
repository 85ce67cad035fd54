//! The parent's side: starts a child, sends requests, and reports failures.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lanescope_core::run::graph::{GraphCommand, GraphPart};

use super::crash::{Failure, ended_by_itself, how_it_ended, is_out_of_memory};
use super::serve::{DOING, MEMORY_VARIABLE};
use super::{Reply, Request, WorkerError, frame};

/// Resource limits of a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time for one request.
    pub time: Duration,
    /// Address space of the child, in bytes. Loading has a limit of its own below it ([`Request::memory`]).
    pub memory: u64,
}

impl Default for Limits {
    /// One minute and 4 GiB.
    fn default() -> Self {
        Limits { time: Duration::from_secs(60), memory: 4 << 30 }
    }
}

/// How a child is started.
#[derive(Debug, Clone, Default)]
pub struct Launch {
    /// The executable; this one where absent.
    pub program: Option<PathBuf>,
    /// Its resource limits.
    pub limits: Limits,
    /// Variables set for this child only: `RADV_FORCE_FAMILY` chooses a chip.
    pub environment: Vec<(OsString, OsString)>,
}

/// A running child. Dropping it ends the child.
#[derive(Debug)]
pub struct Client {
    shared: Stopper,
    limits: Limits,
    requests: Sender<Vec<u8>>,
    replies: Receiver<io::Result<Vec<u8>>>,
    last_words: LastWords,
}

/// Stops a child from another thread.
#[derive(Debug, Clone)]
pub struct Stopper {
    child: Arc<Mutex<Child>>,
    stopped: Arc<AtomicBool>,
}

impl Stopper {
    /// Kills the child; the request in hand ends as cancelled.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        self.kill();
    }

    fn kill(&self) {
        // A child that is already dead is what was wanted.
        let _ = self.lock().kill();
    }

    /// Held briefly: stopping a child never blocks, even if the child does not end.
    fn lock(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Client {
    /// Starts a child.
    ///
    /// # Errors
    /// [`WorkerError::Start`] where the system does not start one.
    pub fn start(launch: &Launch) -> Result<Client, WorkerError> {
        let mut child =
            Command::new(launch.program.clone().map_or_else(this_executable, Ok).map_err(WorkerError::Start)?)
                .arg0("lanescope")
                .arg("worker")
                .env(MEMORY_VARIABLE, launch.limits.memory.to_string())
                .envs(launch.environment.iter().map(|(name, value)| (name, value)))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .map_err(WorkerError::Start)?;
        let missing = || WorkerError::Start(io::Error::other("a pipe is missing"));
        let mut stdin = child.stdin.take().ok_or_else(missing)?;
        let mut stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;

        // Writing waits on a child that does not read, so it has a thread of its own.
        let (requests, to_write) = mpsc::channel::<Vec<u8>>();
        std::thread::spawn(move || {
            for body in to_write {
                if frame::write(&mut stdin, &body).is_err() {
                    return;
                }
            }
        });
        let (replied, replies) = mpsc::channel();
        std::thread::spawn(move || {
            while let Some(reply) = frame::read(&mut stdout).transpose() {
                let end = reply.is_err();
                if replied.send(reply).is_err() || end {
                    return;
                }
            }
        });
        Ok(Client {
            shared: Stopper { child: Arc::new(Mutex::new(child)), stopped: Arc::default() },
            limits: launch.limits,
            requests,
            replies,
            last_words: LastWords::of(stderr),
        })
    }

    /// The last lines of what the child said on standard error so far.
    pub fn said(&self) -> String {
        self.last_words.so_far()
    }

    /// Something that stops the child from another thread.
    pub fn stopper(&self) -> Stopper {
        self.shared.clone()
    }

    /// Asks, and waits for the answer within the time limit.
    ///
    /// # Errors
    /// See [`WorkerError`]. After any error but [`WorkerError::Failed`] the child is gone.
    pub fn ask(&mut self, request: &Request) -> Result<Reply, WorkerError> {
        self.ask_within(request, self.limits.time)
    }

    /// The same, within a time limit of its own.
    ///
    /// # Errors
    /// As for [`Client::ask`].
    pub fn ask_within(&mut self, request: &Request, limit: Duration) -> Result<Reply, WorkerError> {
        self.ask_telling(request, limit, &mut |_| None)
    }

    /// Like the above; pieces of a work graph's run are forwarded as they arrive. The limit applies to each piece,
    /// without the time that `tell` takes to answer for a paused run. A run without an answer ends there.
    ///
    /// # Errors
    /// As for [`Client::ask`].
    pub fn ask_telling(
        &mut self,
        request: &Request,
        limit: Duration,
        tell: &mut dyn FnMut(GraphPart) -> Option<GraphCommand>,
    ) -> Result<Reply, WorkerError> {
        let doing = request.doing();
        let protocol = |what: String| WorkerError::Protocol { doing: doing.clone(), what };
        let body = serde_json::to_vec(request).map_err(|error| protocol(error.to_string()))?;
        if let Err(error) = frame::length(&body) {
            return Err(WorkerError::Failed(Failure::from(format!("{doing}: {error}"))));
        }
        if self.requests.send(body).is_err() {
            return Err(self.died(request, doing));
        }
        let mut next = || loop {
            match self.replies.recv_timeout(limit) {
                Ok(Ok(body)) => match serde_json::from_slice::<Reply>(&body) {
                    Ok(Reply::GraphPart(part)) => {
                        let stands = matches!(part, GraphPart::Standing { .. });
                        let command = tell(part);
                        if stands {
                            let command = Request::Step(command.unwrap_or(GraphCommand::End));
                            match serde_json::to_vec(&command) {
                                // Whether the child is there is known at its next word.
                                Ok(body) => drop(self.requests.send(body)),
                                Err(error) => return Ok(Ok(Err(error.to_string()))),
                            }
                        }
                    }
                    reply => return Ok(Ok(reply.map_err(|error| error.to_string()))),
                },
                Ok(Err(error)) => return Ok(Err(error)),
                Err(error) => return Err(error),
            }
        };
        let reply = match next() {
            Ok(Ok(reply)) => reply,
            Ok(Err(error)) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(self.died(request, doing)),
            Ok(Err(error)) => Err(error.to_string()),
            Err(RecvTimeoutError::Disconnected) => return Err(self.died(request, doing)),
            Err(RecvTimeoutError::Timeout) => {
                self.shared.kill();
                let doing = self.last_words.doing().unwrap_or(doing);
                return Err(WorkerError::TimedOut { doing, limit });
            }
        };
        match reply {
            Ok(Reply::Failed(failure)) => Err(WorkerError::Failed(failure)),
            Ok(Reply::NotUnderstood(what)) => Err(protocol(what)),
            Ok(reply) => Ok(reply),
            Err(what) => {
                self.shared.kill();
                Err(protocol(what))
            }
        }
    }

    /// The error of a child whose pipe has ended.
    fn died(&mut self, request: &Request, doing: String) -> WorkerError {
        let status = self.end();
        if self.shared.stopped.load(Ordering::SeqCst) {
            return WorkerError::Cancelled { doing };
        }
        let last_words = self.last_words.read();
        let said = self.last_words.kept();
        let memory = request.memory().map_or(self.limits.memory, |memory| memory.min(self.limits.memory));
        let (how, by_itself) = match status {
            Ok(status) => (how_it_ended(status, &said, memory), ended_by_itself(status)),
            Err(error) => (error.to_string(), false),
        };
        let out_of_memory = is_out_of_memory(&said);
        let doing = self.last_words.doing().unwrap_or(doing);
        WorkerError::Crashed { doing, how, by_itself, last_words, out_of_memory }
    }

    /// Waits a moment for the child to end by itself, then kills it: a pipe may end before the process does.
    fn end(&self) -> io::Result<ExitStatus> {
        let patience = Instant::now() + Duration::from_secs(1);
        loop {
            if let Some(status) = self.shared.lock().try_wait()? {
                return Ok(status);
            }
            if Instant::now() >= patience {
                self.shared.kill();
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.shared.kill();
        // Reaped, so that no zombie stays.
        while matches!(self.shared.lock().try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// The running executable. The link survives a rebuild that replaces the file, a path does not.
fn this_executable() -> io::Result<PathBuf> {
    let link = Path::new("/proc/self/exe");
    if link.exists() { Ok(link.to_owned()) } else { std::env::current_exe() }
}

/// A thread that reads a stream and keeps the last of it.
#[derive(Debug)]
struct LastWords {
    kept: Arc<Mutex<VecDeque<u8>>>,
    reader: JoinHandle<()>,
}

impl LastWords {
    /// How much is kept, in bytes.
    const KEPT: usize = 8 << 10;
    /// Largest number of lines in the message.
    const LINES: usize = 12;

    fn of(mut stream: impl Read + Send + 'static) -> Self {
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let shared = Arc::clone(&kept);
        let reader = std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(count @ 1..) = stream.read(&mut chunk) {
                let mut kept = shared.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(chunk.iter().take(count));
                let surplus = kept.len().saturating_sub(Self::KEPT);
                kept.drain(..surplus);
            }
        });
        LastWords { kept, reader }
    }

    /// The last lines of a process that has ended.
    fn read(&self) -> String {
        // What it said may still be on its way; a grandchild may hold the stream open for ever.
        for _ in 0..100 {
            if self.reader.is_finished() {
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        self.lines()
    }

    /// The last lines of a process that still runs: those that it wrote before an answer are here a moment later.
    fn so_far(&self) -> String {
        std::thread::sleep(Duration::from_millis(20));
        self.lines()
    }

    /// All that is kept: a trace of calls may come after the reason.
    fn kept(&self) -> String {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(kept.make_contiguous()).into_owned()
    }

    /// What a foreign compiler was doing at the end, if it was one.
    fn doing(&self) -> Option<String> {
        doing(&self.kept())
    }

    fn lines(&self) -> String {
        let text = self.kept();
        let lines = others(&text);
        lines.iter().skip(lines.len().saturating_sub(Self::LINES)).copied().collect::<Vec<_>>().join("\n")
    }
}

/// What the last line of [`DOING`] says.
fn doing(text: &str) -> Option<String> {
    let last = text.lines().rev().find_map(|line| line.strip_prefix(DOING.trim_end()))?.trim();
    (!last.is_empty()).then(|| last.to_owned())
}

/// The other lines, without the ends that come before those.
fn others(text: &str) -> Vec<&str> {
    let is_doing = |line: &&str| line.starts_with(DOING.trim_end());
    let mut lines = text.lines().peekable();
    let mut out = Vec::new();
    while let Some(line) = lines.next() {
        let is_end = line.is_empty() && lines.peek().is_some_and(is_doing);
        if !is_doing(&line) && !is_end {
            out.push(line);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_is_seen_behind_an_open_line() {
        let text = format!("warning\nhalf a line\n{DOING}compiling a.hlsl\nlast\n");
        assert_eq!(doing(&text), Some("compiling a.hlsl".to_owned()));
        assert_eq!(others(&text), ["warning", "half a line", "last"]);
        let ended = format!("warning\n\n{DOING}compiling a.hlsl\n\n{DOING}\n\nlast\n");
        assert_eq!(doing(&ended), None);
        assert_eq!(others(&ended), ["warning", "", "last"]);
    }
}
