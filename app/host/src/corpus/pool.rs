//! Jobs that measure pipelines side by side. Rows come out in the order of the pipelines, and few of them wait.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lanescope_core::corpus::Row;

use super::{Lane, Settings};
use crate::worker::MeasureItem;

/// The most pipelines of a batch.
const BATCH: usize = 64;

/// How long a batch should take: what a slow pipeline holds back stays small.
const TIME: Duration = Duration::from_millis(200);

/// Batches for each job that are handed out before the oldest of them is written.
const AHEAD: u64 = 8;

/// The call stack of a job that loads in this process: compilers recurse over their input. Address space, not memory.
const STACK: usize = 512 << 20;

/// What all jobs share.
struct Shared<I> {
    state: Mutex<State<I>>,
    written: Condvar,
}

struct State<I> {
    items: I,
    /// Batches that were handed out.
    handed: u64,
    /// Batches that were written.
    written: u64,
    stopped: bool,
}

impl<I: Iterator<Item = MeasureItem>> Shared<I> {
    fn lock(&self) -> MutexGuard<'_, State<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next batch with its number, once it is not too far ahead of what was written.
    fn next(&self, size: usize, ahead: u64) -> Option<(u64, Vec<MeasureItem>)> {
        let mut state = self.lock();
        while !state.stopped && state.handed >= state.written.saturating_add(ahead) {
            state = self.written.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.stopped {
            return None;
        }
        let items: Vec<MeasureItem> = state.items.by_ref().take(size).collect();
        let number = state.handed;
        state.handed += 1;
        (!items.is_empty()).then_some((number, items))
    }
}

/// Measures pipelines. `take` gets the rows of each batch, in order, with the number of pipelines that they are of: a
/// filter may leave some out.
///
/// # Errors
/// That of `take`, after which nothing more is measured; of the system, which does not start a thread.
pub fn measure_all(
    settings: &Settings,
    items: impl Iterator<Item = MeasureItem> + Send,
    mut take: impl FnMut(usize, Vec<Row>) -> io::Result<()>,
) -> io::Result<()> {
    let state = State { items: items.fuse(), handed: 0, written: 0, stopped: false };
    let shared = Shared { state: Mutex::new(state), written: Condvar::new() };
    let ahead = AHEAD.saturating_mul(settings.jobs.max(1) as u64);
    std::thread::scope(|scope| {
        let (sender, rows) = mpsc::channel();
        for _ in 0..settings.jobs.max(1) {
            let (shared, sender) = (&shared, sender.clone());
            let mut builder = std::thread::Builder::new().name("corpus".to_owned());
            if settings.in_process {
                builder = builder.stack_size(STACK);
            }
            builder.spawn_scoped(scope, move || {
                let (mut job, mut size) = (Job { lanes: Lane::all(settings) }, 1);
                while let Some((number, items)) = shared.next(size, ahead) {
                    let begin = Instant::now();
                    let rows = job.rows(&items);
                    size = next_size(items.len(), begin.elapsed());
                    if sender.send((number, items.len(), rows)).is_err() {
                        return;
                    }
                }
            })?;
        }
        drop(sender);
        let (mut waiting, mut next) = (BTreeMap::new(), 0);
        for (number, count, some) in rows {
            waiting.insert(number, (count, some));
            while let Some((count, some)) = waiting.remove(&next) {
                let taken = take(count, some);
                next += 1;
                let mut state = shared.lock();
                state.written = next;
                state.stopped |= taken.is_err();
                drop(state);
                shared.written.notify_all();
                taken?;
            }
        }
        match waiting.is_empty() {
            true => Ok(()),
            false => Err(io::Error::other("internal error: a job ended early; please report it")),
        }
    })
}

/// The size of the next batch: what the last one's speed makes of [`TIME`].
fn next_size(done: usize, took: Duration) -> usize {
    let each = took.as_secs_f64() / done.max(1) as f64;
    // Saturates, as conversions from floating point do.
    let most = (TIME.as_secs_f64() / each.max(1e-6)) as usize;
    most.clamp(1, BATCH).min(done.saturating_mul(4).max(1))
}

/// One job: a lane for each driver.
struct Job<'s> {
    lanes: Vec<Lane<'s>>,
}

impl Job<'_> {
    fn rows(&mut self, items: &[MeasureItem]) -> Vec<Row> {
        let (first, others) = match self.lanes.split_first_mut() {
            Some(lanes) => lanes,
            None => return Vec::new(),
        };
        let mut rows = first.rows(items);
        for lane in others {
            let mut more: BTreeMap<u64, Row> = lane.rows(items).into_iter().map(|row| (row.number, row)).collect();
            for row in rows.iter_mut().filter(|row| row.failure.is_none()) {
                row.drivers.extend(more.remove(&row.number).into_iter().flat_map(|row| row.drivers));
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_grow_to_what_their_time_allows() {
        assert_eq!(next_size(1, Duration::from_millis(1)), 4);
        assert_eq!(next_size(64, Duration::from_millis(1)), 64);
        assert_eq!(next_size(64, Duration::from_secs(64)), 1);
        assert_eq!(next_size(4, Duration::ZERO), 16);
    }
}
