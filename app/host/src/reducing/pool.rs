//! Tries judged beside each other.

use std::time::{Duration, Instant};

use lanescope_reduce::search::{Judge, Progress, Stopped};
use lanescope_reduce::subject::{Size, Subject};

use super::Given;
use super::examiner::{Baseline, Examiner};

/// Examiners, one for each try that is judged at once.
pub(super) struct Pool<'g> {
    given: &'g Given,
    examiners: Vec<Examiner<'g>>,
    tell: &'g mut dyn FnMut(&Progress, Size),
    told: Option<Instant>,
}

/// How often progress is told.
const OFTEN: Duration = Duration::from_millis(100);

impl<'g> Pool<'g> {
    pub fn new(
        given: &'g Given,
        baseline: &'g Baseline,
        first: Examiner<'g>,
        tell: &'g mut dyn FnMut(&Progress, Size),
    ) -> Pool<'g> {
        let mut examiners = vec![first.comparing(baseline)];
        examiners.resize_with(given.jobs.max(1), || Examiner::with(given, baseline));
        Pool { given, examiners, tell, told: None }
    }
}

impl Judge<Subject> for Pool<'_> {
    fn at_once(&self) -> usize {
        self.examiners.len()
    }

    fn first(&mut self, tries: &[Subject]) -> Result<Option<usize>, Stopped> {
        let accepted: Vec<bool> = std::thread::scope(|scope| {
            let one = |(examiner, subject): (&'_ mut Examiner<'_>, &'_ Subject)| examiner.accepts(subject);
            let threads: Vec<_> =
                self.examiners.iter_mut().zip(tries).map(|pair| scope.spawn(move || one(pair))).collect();
            // A breakdown of our own code is no reason to accept a try.
            threads.into_iter().map(|thread| thread.join().unwrap_or(false)).collect()
        });
        if self.given.stop.is_stopped() {
            return Err(Stopped);
        }
        Ok(accepted.iter().position(|accepted| *accepted))
    }

    fn at(&mut self, progress: &Progress, best: &Subject) {
        if self.told.is_none_or(|told| told.elapsed() >= OFTEN) {
            (self.tell)(progress, best.size());
            self.told = Some(Instant::now());
        }
    }
}
