//! Tries judged beside each other.

use std::time::{Duration, Instant};

use lanescope_core::reduce::search::{Judge, Progress, Stopped};

use crate::drivers::Stop;

/// Judges one try.
pub(super) trait Accepts<S> {
    /// Whether it shows what is looked for, and nothing that it must not.
    fn accepts(&mut self, subject: &S) -> bool;
}

/// Examiners, one for each try that is judged at once.
pub(super) struct Pool<'g, S, E> {
    stop: &'g Stop,
    examiners: Vec<E>,
    tell: &'g mut dyn FnMut(&Progress, &S),
    told: Option<Instant>,
}

/// How often progress is told.
const OFTEN: Duration = Duration::from_millis(100);

impl<'g, S, E> Pool<'g, S, E> {
    pub fn new(stop: &'g Stop, examiners: Vec<E>, tell: &'g mut dyn FnMut(&Progress, &S)) -> Pool<'g, S, E> {
        Pool { stop, examiners, tell, told: None }
    }
}

impl<S: Sync, E: Accepts<S> + Send> Judge<S> for Pool<'_, S, E> {
    fn at_once(&self) -> usize {
        self.examiners.len()
    }

    fn first(&mut self, tries: &[S]) -> Result<Option<usize>, Stopped> {
        let accepted: Vec<bool> = std::thread::scope(|scope| {
            let one = |(examiner, subject): (&mut E, &S)| examiner.accepts(subject);
            let threads: Vec<_> =
                self.examiners.iter_mut().zip(tries).map(|pair| scope.spawn(move || one(pair))).collect();
            // A breakdown of our own code is no reason to accept a try.
            threads.into_iter().map(|thread| thread.join().unwrap_or(false)).collect()
        });
        if self.stop.is_stopped() {
            return Err(Stopped);
        }
        Ok(accepted.iter().position(|accepted| *accepted))
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    fn at(&mut self, progress: &Progress, best: &S) {
        if self.told.is_none_or(|told| told.elapsed() >= OFTEN) {
            (self.tell)(progress, best);
            self.told = Some(Instant::now());
        }
    }
}
