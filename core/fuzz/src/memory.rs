//! Memory and time that a target uses: more than its input allows is a failure.

use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use rustix::time::{ClockId, clock_gettime};

/// The most that may be held while an input is read.
pub struct Bound {
    /// Multiple of the input's size.
    pub times: usize,
    /// Bytes beside that.
    pub beside: usize,
}

impl Bound {
    /// The limit of a reader that keeps what it reads.
    pub const USUAL: Bound = Bound { times: 64, beside: 16 << 20 };
}

/// Time limit of one input.
const LONGEST: Duration = Duration::from_secs(1);

/// Counts the bytes held, and the most since the last reset.
#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Runs a target on an input and panics if it held too much at any time.
pub fn held(input: &[u8], bound: &Bound, target: fn(&[u8])) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    target(input);
    let most = ALLOCATOR.peak_usage().saturating_sub(before);
    let limit = input.len() * bound.times + bound.beside;
    assert!(most <= limit, "{most} bytes were held for an input of {}, at most {limit} may be", input.len());
}

/// The same, and panics if it took too long.
pub fn bounded(input: &[u8], bound: &Bound, target: fn(&[u8])) {
    if took(|| held(input, bound, target)) > LONGEST {
        // The machine may have been at something else: what takes long takes long again.
        let least = (0..3).map(|_| took(|| target(input))).min().unwrap_or(LONGEST);
        assert!(least <= LONGEST, "{least:?} for an input of {} bytes", input.len());
    }
}

/// Time of a call: a busy machine lengthens the time that passes, other threads the processor's time of the process, so
/// the lesser of both.
fn took(call: impl FnOnce()) -> Duration {
    let (start, before) = (Instant::now(), processor_time());
    call();
    start.elapsed().min(processor_time().saturating_sub(before))
}

fn processor_time() -> Duration {
    clock_gettime(ClockId::ProcessCPUTime).try_into().unwrap_or_default()
}
