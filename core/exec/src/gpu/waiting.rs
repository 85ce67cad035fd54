//! What a process does at a hardware device, for the process that started it: it waits, works, and may not be killed then.
//!
//! A GPU whose process dies while a shader runs may hang for others until it is reset (NVIDIA: Xid 109, context switch
//! timeout), so a process that is no longer needed waits for its work first.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a process waits for work that nobody needs any more, and after its time limit.
pub const GRACE: Duration = Duration::from_secs(60);
/// How often it looks.
const LOOK: Duration = Duration::from_millis(5);

/// What is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice<'a> {
    /// The work takes longer than its limits allow for, for this reason. Who waits for longer says it again.
    Waiting(&'a str),
    /// A hardware device works for this process.
    Begins,
    /// It has done so.
    Ends,
}

/// What hears it.
pub type Listener = fn(Notice<'_>);

static LISTENER: OnceLock<Listener> = OnceLock::new();
/// Submissions that a hardware device works on.
static IN_FLIGHT: AtomicUsize = AtomicUsize::new(0);
/// Nothing more is submitted.
static CLOSING: AtomicBool = AtomicBool::new(false);

/// The devices of this process are no hardware.
static OFFLINE: AtomicBool = AtomicBool::new(false);

/// Says that drivers of this process stand in for GPUs that are not installed, whatever their devices say.
pub fn set_offline() {
    OFFLINE.store(true, Ordering::SeqCst);
}

/// Whether that was said.
pub(super) fn is_offline() -> bool {
    OFFLINE.load(Ordering::SeqCst)
}

/// Lets a process hear it; once.
pub fn listen(listener: Listener) {
    // A second one is not heard.
    let _ = LISTENER.set(listener);
}

/// Says why the work waits, where someone listens.
pub fn say(why: &str) {
    tell(Notice::Waiting(why));
}

fn tell(notice: Notice<'_>) {
    if let Some(listener) = LISTENER.get() {
        listener(notice);
    }
}

/// Waits until no hardware device works for this process, and lets none begin: before the process ends. At most
/// [`GRACE`].
pub fn until_idle() {
    CLOSING.store(true, Ordering::SeqCst);
    let begin = Instant::now();
    while IN_FLIGHT.load(Ordering::SeqCst) > 0 && begin.elapsed() < GRACE {
        std::thread::sleep(LOOK);
    }
}

/// Whether this process is about to end.
pub(super) fn is_closing() -> bool {
    CLOSING.load(Ordering::SeqCst)
}

/// A hardware device works for this process until this is dropped.
#[derive(Debug)]
pub(super) struct InFlight(());

impl InFlight {
    pub(super) fn begin() -> InFlight {
        if IN_FLIGHT.fetch_add(1, Ordering::SeqCst) == 0 {
            tell(Notice::Begins);
        }
        InFlight(())
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        if IN_FLIGHT.fetch_sub(1, Ordering::SeqCst) == 1 {
            tell(Notice::Ends);
        }
    }
}
