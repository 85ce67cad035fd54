//! Memory and time that a target uses: more than its input allows is a failure.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

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

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// Counts what is held, and the most that ever was.
struct Counting;

// SAFETY: every call goes to the system's allocator with the caller's own arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller's own contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller's own contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both may be held while the contents move.
        take(size);
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's own contract.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's own contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn take(size: usize) {
    let held = HELD.fetch_add(size, Ordering::Relaxed) + size;
    if held > MOST.load(Ordering::Relaxed) {
        MOST.store(held, Ordering::Relaxed);
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs a target on an input and panics if it held too much at any time.
pub fn held(input: &[u8], bound: &Bound, target: fn(&[u8])) {
    let before = HELD.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    target(input);
    let most = MOST.load(Ordering::Relaxed).saturating_sub(before);
    let limit = input.len() * bound.times + bound.beside;
    assert!(most <= limit, "{most} bytes were held for an input of {}, at most {limit} may be", input.len());
}

/// The same, and panics if it took too long.
pub fn bounded(input: &[u8], bound: &Bound, target: fn(&[u8])) {
    let start = Instant::now();
    held(input, bound, target);
    if start.elapsed() > LONGEST {
        // The machine may have been at something else: what takes long takes long again.
        let again = (0..3).map(|_| {
            let start = Instant::now();
            target(input);
            start.elapsed()
        });
        let least = again.min().unwrap_or(LONGEST);
        assert!(least <= LONGEST, "{least:?} for an input of {} bytes", input.len());
    }
}
