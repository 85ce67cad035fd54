//! The child's side: limits, a private way back to the parent, then one request after the other.

use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};
use std::time::Duration;

use lanescope_core::driver::Way;
use lanescope_core::gpu::waiting::{self, Notice};
use lanescope_core::load::activity;
use lanescope_core::run::graph::{GraphCommand, GraphPart};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{Failure, Reply, Request, fault, frame, host};
use crate::watchdog::{self, Watchdog};

/// Names the limit of the child's address space, in bytes.
pub(super) const MEMORY_VARIABLE: &str = "LANESCOPE_WORKER_MEMORY";

/// What a line of standard error begins with that says what a foreign compiler is about to do; without more, that it has
/// done it.
pub(super) const DOING: &str = "lanescope worker: now ";

/// Says it on standard error, which outlives a crash.
fn tell_doing(what: Option<&str>) {
    // What others wrote may not have ended its line.
    eprintln!("\n{DOING}{}", what.unwrap_or_default().replace(['\n', '\r'], " "));
}

/// The way to the parent, for what is said between requests and answers. Whole frames are written: only the thread that
/// works on a request waits.
static TO_PARENT: OnceLock<Mutex<File>> = OnceLock::new();

/// Sends what this process does at a device: the parent gives it more time, or does not kill it.
fn tell_of_device(notice: Notice<'_>) {
    let reply = match notice {
        Notice::Waiting(why) => Reply::Waiting(why.to_owned()),
        Notice::Begins => Reply::OnDevice(true),
        Notice::Ends => Reply::OnDevice(false),
    };
    if let (Some(to_parent), Ok(body)) = (TO_PARENT.get(), serde_json::to_vec(&reply)) {
        // A parent that does not listen any more is noticed at the answer.
        let _ = frame::write(&mut *to_parent.lock().unwrap_or_else(PoisonError::into_inner), &body);
    }
}

/// Answers requests from standard input on standard output until the input ends.
///
/// Redirects later writes to standard output (by C++ libraries, drivers) to standard error.
pub fn serve() -> ExitCode {
    fault::allow();
    activity::listen(tell_doing);
    waiting::listen(tell_of_device);
    if Way::of_process().is_some() {
        waiting::set_offline();
    }
    match serve_frames() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lanescope worker: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve_frames() -> io::Result<()> {
    limit_this_process()?;
    let mut to_parent = File::from(rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?);
    let again = to_parent.try_clone()?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    TO_PARENT.get_or_init(|| Mutex::new(again));

    let (sender, requests) = mpsc::channel();
    std::thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        loop {
            match frame::read(&mut stdin) {
                // Without a parent, the current work is no longer needed; what a device does is waited for.
                Ok(None) => {
                    waiting::until_idle();
                    std::process::exit(0)
                }
                Ok(Some(body)) => {
                    let request = serde_json::from_slice::<Request>(&body).map_err(|error| error.to_string());
                    if sender.send(Ok(request)).is_err() {
                        return;
                    }
                }
                // Where the next frame would begin is unknown now.
                Err(error) => {
                    let _ = sender.send(Err(error));
                    return;
                }
            }
        }
    });
    let mut lasting = None;
    while let Ok(request) = requests.recv() {
        // If a run is paused, the next frame continues it.
        let mut hear = |part: GraphPart| -> Option<GraphCommand> {
            let stands = matches!(part, GraphPart::Standing { .. });
            tell(&mut to_parent, part);
            match stands.then(|| requests.recv()) {
                Some(Ok(Ok(Ok(Request::Step(command))))) => Some(command),
                _ => None,
            }
        };
        match request {
            Ok(Ok(request)) => {
                let _watchdog = request.run_memory().map(watch);
                let reply = if request.keeps_device() {
                    lasting.get_or_insert_with(Lasting::start).answer(request.clone())
                } else {
                    within_memory(&request, &mut hear)
                };
                let body = serde_json::to_vec(&reply)?;
                answer(&mut to_parent, &request, &body)?;
            }
            Ok(Err(what)) => {
                let reply = Reply::NotUnderstood(format!("not a request: {what}"));
                frame::write(&mut to_parent, &serde_json::to_vec(&reply)?)?;
            }
            Err(error) => {
                frame::write(&mut to_parent, &serde_json::to_vec(&Reply::NotUnderstood(error.to_string()))?)?;
                return Err(error);
            }
        }
    }
    Ok(())
}

/// The largest call stack of a request that loads. Compilers recurse over their input.
const MAX_STACK: u64 = 512 << 20;

/// A thread that answers one request after the other: a device that it opens stays open. Its stack is as large as that of
/// a request that loads.
struct Lasting {
    requests: mpsc::Sender<Request>,
    replies: mpsc::Receiver<Reply>,
}

impl Lasting {
    fn start() -> Lasting {
        let (requests, to_do) = mpsc::channel::<Request>();
        let (done, replies) = mpsc::channel();
        let stack = memory_limit().map_or(u64::MAX, |bytes| bytes / 4).min(MAX_STACK);
        let thread = std::thread::Builder::new().name("loader".to_owned());
        let thread = thread.stack_size(usize::try_from(stack).unwrap_or(usize::MAX));
        // Without a thread, the first request ends this process, which the parent reports.
        let _ = thread.spawn(move || {
            for request in to_do {
                if done.send(host::answer(&request, &mut |_| None)).is_err() {
                    return;
                }
            }
        });
        Lasting { requests, replies }
    }

    fn answer(&self, request: Request) -> Reply {
        let sent = self.requests.send(request).is_ok();
        // A panic has said on standard error what happened.
        let Some(reply) = self.replies.recv().ok().filter(|_| sent) else { std::process::exit(101) };
        reply
    }
}

/// Does what a request asks for, within the memory that it may take: a part of it is the call stack.
fn within_memory(request: &Request, hear: &mut dyn FnMut(GraphPart) -> Option<GraphCommand>) -> Reply {
    let held = address_space();
    let (Some(memory), Some(held)) = (request.memory(), held) else { return host::answer(request, hear) };
    let whole = getrlimit(Resource::As);
    let most = held.saturating_add(memory);
    let lower = Rlimit { current: Some(whole.current.map_or(most, |current| current.min(most))), ..whole };
    // The limit of the whole process holds where this one cannot be set.
    let _ = setrlimit(Resource::As, lower);
    let stack = usize::try_from((memory / 4).min(MAX_STACK)).unwrap_or(usize::MAX);
    let reply = std::thread::scope(|scope| {
        let work = || host::answer(request, &mut |_| None);
        match std::thread::Builder::new().name("loader".to_owned()).stack_size(stack).spawn_scoped(scope, work) {
            Ok(thread) => thread.join().ok(),
            Err(_) => Some(host::answer(request, &mut |_| None)),
        }
    });
    // A panic has said on standard error what happened.
    let Some(reply) = reply else { std::process::exit(101) };
    let _ = setrlimit(Resource::As, whole);
    reply
}

/// The last line of a run that was ended for its memory.
pub(super) const OVER_MEMORY: &str = "lanescope worker: the run is over its memory limit";

/// The least memory that ends a run: a software device takes some to start.
pub(super) const LEAST_TO_RUN: u64 = 256 << 20;

/// Ends this process once a run takes more memory than this many bytes. The address space is no measure of it: a driver
/// reserves much that it does not use.
fn watch(memory: u64) -> Watchdog {
    let limits = watchdog::Limits { time: Duration::MAX, memory: memory.max(LEAST_TO_RUN) };
    Watchdog::ending(limits, "", |_| {
        eprintln!("\n{OVER_MEMORY}");
        // Threads of the driver still run: nothing of it may be destroyed.
        std::process::abort()
    })
}

/// Bytes of this process's address space, where the system says so (Linux).
fn address_space() -> Option<u64> {
    host::of_this_process("VmSize:")
}

/// Sends the answer to a request; where it is too long for a frame, that.
fn answer(to_parent: &mut impl Write, request: &Request, body: &[u8]) -> io::Result<()> {
    match frame::write(to_parent, body) {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            let failure = Failure::from(format!("{}: {error}", request.doing()));
            frame::write(to_parent, &serde_json::to_vec(&Reply::Failed(failure))?)
        }
        done => done,
    }
}

/// Sends a piece of a run; without its bytes where it is too long for a frame. A parent that does not listen any more
/// is noticed at the answer.
fn tell(to_parent: &mut File, part: GraphPart) {
    let reply = Reply::GraphPart(part);
    let sent = serde_json::to_vec(&reply).map_err(io::Error::from).and_then(|body| frame::write(to_parent, &body));
    if let (Err(error), Reply::GraphPart(part)) = (sent, reply)
        && error.kind() == io::ErrorKind::InvalidInput
        && let Ok(body) = serde_json::to_vec(&Reply::GraphPart(part.without_bytes()))
    {
        let _ = frame::write(to_parent, &body);
    }
}

/// The limit of the address space that the parent sets, in bytes.
fn memory_limit() -> Option<u64> {
    std::env::var(MEMORY_VARIABLE).ok()?.parse().ok()
}

fn limit_this_process() -> io::Result<()> {
    // The parent reports a crash; a core dump of gigabytes is not needed.
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    if let Some(bytes) = memory_limit() {
        // The limit counts the address space. What the program itself takes of it is no memory of the work.
        let bytes = bytes.saturating_add(address_space().unwrap_or(0));
        setrlimit(Resource::As, Rlimit { current: Some(bytes), maximum: Some(bytes) })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::LoadRequest;

    #[test]
    fn reports_a_reply_that_is_too_long_with_file_and_limit() {
        let request = Request::Load(LoadRequest { paths: vec!["large.dxil".into()], ..LoadRequest::default() });
        let mut stream = Vec::new();
        // Untouched zeros take no memory.
        let body = vec![0; frame::MAX_FRAME as usize + 1];
        answer(&mut stream, &request, &body).expect("a vector takes everything");
        let body = frame::read(&mut stream.as_slice()).expect("a frame").expect("there is one");
        let Ok(Reply::Failed(failure)) = serde_json::from_slice(&body) else { panic!("no failure") };
        let text = failure.to_string();
        assert!(text.starts_with("loading large.dxil: ") && text.contains("the limit of 1073741824"), "{text}");
    }
}
