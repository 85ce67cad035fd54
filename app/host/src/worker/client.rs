//! The parent's side: starts a child, sends requests, and reports failures.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lanescope_core::gpu::waiting::GRACE;
use lanescope_core::run::graph::{GraphCommand, GraphPart};

use super::crash::{Failure, ended_by_itself, how_it_ended, is_out_of_memory};
use super::serve::{DOING, LEAST_TO_RUN, MEMORY_VARIABLE, OVER_MEMORY};
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
    hear_waiting: Option<HearWaiting>,
}

/// Hears why a child's work waits.
#[derive(Clone)]
pub struct HearWaiting(pub Arc<dyn Fn(&str) + Send + Sync>);

impl fmt::Debug for HearWaiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HearWaiting")
    }
}

/// Stops a child from another thread.
#[derive(Debug, Clone)]
pub struct Stopper {
    child: Arc<Mutex<Child>>,
    stopped: Arc<AtomicBool>,
    /// None once it is closed, which ends a child.
    stdin: Arc<Mutex<Option<ChildStdin>>>,
    /// Whether a hardware device works for the child.
    on_device: Arc<AtomicBool>,
}

impl Stopper {
    /// Kills the child; the request in hand ends as cancelled.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        self.kill();
    }

    /// Kills the child. One that a hardware device works for is left to end by itself: the device might hang otherwise.
    fn kill(&self) {
        if self.is_left() {
            return;
        }
        if self.on_device.load(Ordering::SeqCst)
            && let Ok(mut stdin) = self.stdin.try_lock()
        {
            stdin.take();
            return;
        }
        // A child that is already dead is what was wanted.
        let _ = self.lock().kill();
    }

    /// Whether the child is left to end by itself.
    fn is_left(&self) -> bool {
        self.on_device.load(Ordering::SeqCst) && self.stdin.try_lock().is_ok_and(|stdin| stdin.is_none())
    }

    /// Waits for a child that was left, and kills it where that takes longer than it says.
    fn reap_left(&self) {
        let begin = Instant::now();
        while matches!(self.lock().try_wait(), Ok(None)) {
            if begin.elapsed() > GRACE + GRACE / 2 {
                let _ = self.lock().kill();
            }
            std::thread::sleep(Duration::from_millis(50));
        }
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
                // An interrupt of the terminal is for the parent: the child sees that it is gone.
                .process_group(0)
                .spawn()
                .map_err(WorkerError::Start)?;
        let missing = || WorkerError::Start(io::Error::other("a pipe is missing"));
        let stdin = Arc::new(Mutex::new(Some(child.stdin.take().ok_or_else(missing)?)));
        let mut stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;

        // Writing waits on a child that does not read, so it has a thread of its own.
        let (requests, to_write) = mpsc::channel::<Vec<u8>>();
        let to_child = Arc::clone(&stdin);
        std::thread::spawn(move || {
            for body in to_write {
                let mut stdin = to_child.lock().unwrap_or_else(PoisonError::into_inner);
                let written = stdin.as_mut().map(|stdin| frame::write(stdin, &body));
                if !matches!(written, Some(Ok(()))) {
                    return;
                }
            }
            // Whoever asks is gone.
            to_child.lock().unwrap_or_else(PoisonError::into_inner).take();
        });
        let (replied, replies) = mpsc::channel();
        let on_device = Arc::<AtomicBool>::default();
        let is_on_device = Arc::clone(&on_device);
        std::thread::spawn(move || {
            while let Some(reply) = frame::read(&mut stdout).transpose() {
                // Known at once, not when the answer is waited for.
                if let Some(is_on) = reply.as_ref().ok().and_then(|body| of_device(body)) {
                    is_on_device.store(is_on, Ordering::SeqCst);
                    continue;
                }
                let end = reply.is_err();
                if replied.send(reply).is_err() || end {
                    return;
                }
            }
        });
        Ok(Client {
            shared: Stopper { child: Arc::new(Mutex::new(child)), stopped: Arc::default(), stdin, on_device },
            limits: launch.limits,
            requests,
            replies,
            last_words: LastWords::of(stderr),
            hear_waiting: None,
        })
    }

    /// Lets someone hear why the work of a request waits: for its turn at a device, for one that was lost.
    pub fn hear_waiting(&mut self, hear: HearWaiting) {
        self.hear_waiting = Some(hear);
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
    /// without the time that `tell` takes to answer for a paused run, and without that of waiting
    /// ([`Client::hear_waiting`]). A run without an answer ends there.
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
                    // The limit counts from here again.
                    Ok(Reply::Waiting(why)) => {
                        if let Some(hear) = &self.hear_waiting {
                            (hear.0)(&why);
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
        if let Some(limit) = request.run_memory().filter(|_| said.contains(OVER_MEMORY)) {
            return WorkerError::OverMemory { doing, limit: limit.max(LEAST_TO_RUN) };
        }
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
        if self.shared.is_left() {
            let shared = self.shared.clone();
            std::thread::spawn(move || shared.reap_left());
            return;
        }
        // Reaped, so that no zombie stays.
        while matches!(self.shared.lock().try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// What a frame says of the device, if it is of that.
fn of_device(body: &[u8]) -> Option<bool> {
    // Short: an answer is not read twice.
    match serde_json::from_slice(Some(body).filter(|body| body.len() < 32)?) {
        Ok(Reply::OnDevice(is_on)) => Some(is_on),
        _ => None,
    }
}

/// The executable whose children do the work of a test that is not the program itself.
#[cfg(any(test, feature = "testing"))]
pub static EXECUTABLE: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();

/// The running executable. The link survives a rebuild that replaces the file, a path does not.
pub fn this_executable() -> io::Result<PathBuf> {
    #[cfg(any(test, feature = "testing"))]
    if let Some(executable) = EXECUTABLE.get() {
        return Ok(executable.clone());
    }
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

    /// A child that says that a device works for it, and ends 200 ms after its input; then there is a file.
    fn child_on_device(folder: &Path, says: &str) -> Client {
        let program = folder.join("child");
        let script = format!(
            "#!/bin/sh\nprintf '\\{:03o}\\000\\000\\000%s' '{says}'\ncat >/dev/null\nsleep 0.2\n: > \"$(dirname \"$0\")/ended\"\n",
            says.len()
        );
        std::fs::write(&program, script).expect("a script");
        std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("executable");
        Client::start(&Launch { program: Some(program), ..Launch::default() }).expect("starts")
    }

    fn appears(path: &Path) -> bool {
        let begin = Instant::now();
        while !path.exists() && begin.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(5));
        }
        path.exists()
    }

    #[test]
    fn a_child_that_a_device_works_for_ends_by_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut client = child_on_device(folder.path(), r#"{"OnDevice":true}"#);
        let error = client.ask_within(&Request::Devices, Duration::from_millis(300)).expect_err("no answer");
        assert!(matches!(error, WorkerError::TimedOut { .. }), "{error:?}");
        assert!(!folder.path().join("ended").exists(), "the answer does not wait for it");
        drop(client);
        assert!(appears(&folder.path().join("ended")), "it was not killed");
    }

    #[test]
    fn a_child_that_no_device_works_for_is_killed() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut client = child_on_device(folder.path(), r#"{"OnDevice":false}"#);
        client.ask_within(&Request::Devices, Duration::from_millis(300)).expect_err("no answer");
        drop(client);
        std::thread::sleep(Duration::from_millis(400));
        assert!(!folder.path().join("ended").exists(), "it was killed");
    }
}
