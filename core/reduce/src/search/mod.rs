//! Delta debugging over the edits of each step, until a whole round finds nothing (Zeller and Hildebrandt, *Simplifying
//! and Isolating Failure-Inducing Input*, 2002).
//!
//! Of a step's edits, all are tried together, then halves, quarters, and so on to single ones. What was refused is not
//! tried again. Tries that are judged at once are those that would come next anyway, and the first accepted one counts, so
//! the result does not depend on how many are judged at once.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hasher};

/// Something that can become smaller.
pub trait Reducible: Clone {
    /// One thing to try.
    type Edit;
    /// One kind of it.
    type Step: Copy;

    /// The kinds, in the order in which they are tried.
    fn steps(&self) -> Vec<Self::Step>;
    /// A kind's name.
    fn name(step: Self::Step) -> &'static str;
    /// All edits of a kind.
    fn edits(&self, step: Self::Step) -> Vec<Self::Edit>;
    /// With edits; `None` where they change nothing or cannot be.
    fn with(&self, edits: &[Self::Edit]) -> Option<Self>;
    /// What distinguishes it from others.
    fn hash_into(&self, hasher: &mut DefaultHasher);
}

/// Says which tries still show what is looked for.
pub trait Judge<S> {
    /// How many are judged at once.
    fn at_once(&self) -> usize;
    /// The first of them that does.
    ///
    /// # Errors
    /// The search is to stop; the best one so far counts.
    fn first(&mut self, tries: &[S]) -> Result<Option<usize>, Stopped>;
    /// Whether the search is to stop: asked before each edit is applied, which takes long for many that leave nothing to judge.
    fn is_stopped(&self) -> bool;
    /// The search is here.
    fn at(&mut self, progress: &Progress, best: &S);
}

/// The search was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// Where a search is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Progress {
    /// The round, from 1.
    pub round: u32,
    /// The step's name.
    pub step: String,
    /// Edits that are tried together.
    pub chunk: usize,
    /// Tries so far.
    pub tries: u64,
    /// Those that were accepted.
    pub accepted: u64,
}

/// What a search leaves.
#[derive(Debug, Clone)]
pub struct Reduced<S> {
    /// The smallest one.
    pub best: S,
    /// Where it ended.
    pub progress: Progress,
    /// A whole round found nothing smaller; else the search was stopped.
    pub is_complete: bool,
}

/// Makes a subject smaller as long as the judge accepts it. The subject itself must have been accepted.
pub fn reduce<S: Reducible>(subject: S, judge: &mut impl Judge<S>) -> Reduced<S> {
    let mut search = Search { best: subject, judge, refused: BTreeSet::new(), progress: Progress::default() };
    let is_complete = search.rounds().is_ok();
    Reduced { best: search.best, progress: search.progress, is_complete }
}

struct Search<'j, S, J> {
    best: S,
    judge: &'j mut J,
    /// Hashes of what was refused, and of what was the best before: no edits lead in a circle.
    refused: BTreeSet<u64>,
    progress: Progress,
}

impl<S: Reducible, J: Judge<S>> Search<'_, S, J> {
    fn rounds(&mut self) -> Result<(), Stopped> {
        loop {
            self.progress.round += 1;
            let before = self.progress.accepted;
            for step in self.best.steps() {
                S::name(step).clone_into(&mut self.progress.step);
                self.step(step)?;
            }
            if self.progress.accepted == before {
                return Ok(());
            }
        }
    }

    fn step(&mut self, step: S::Step) -> Result<(), Stopped> {
        let mut edits = self.best.edits(step);
        let mut chunk = edits.len();
        while chunk > 0 {
            self.progress.chunk = chunk;
            let mut at = 0;
            while at < edits.len() {
                self.judge.at(&self.progress, &self.best);
                let (tries, ends) = self.tries(&edits, at, chunk);
                if self.judge.is_stopped() {
                    return Err(Stopped);
                }
                let found = if tries.is_empty() { None } else { self.judge.first(&tries)? };
                self.progress.tries += found.map_or(tries.len(), |found| found + 1) as u64;
                match found {
                    Some(found) => {
                        self.refuse(&tries[..found]);
                        self.refused.insert(hash(&self.best));
                        at = ends[found] - chunk.min(ends[found]);
                        self.best = tries.into_iter().nth(found).unwrap_or_else(|| self.best.clone());
                        self.progress.accepted += 1;
                        self.judge.at(&self.progress, &self.best);
                        edits = self.best.edits(step);
                    }
                    None => {
                        self.refuse(&tries);
                        at = ends.last().copied().unwrap_or(edits.len());
                    }
                }
            }
            chunk /= 2;
            chunk = chunk.min(edits.len());
        }
        Ok(())
    }

    /// The next subjects to judge, and up to which edit each comes.
    fn tries(&self, edits: &[S::Edit], from: usize, chunk: usize) -> (Vec<S>, Vec<usize>) {
        let (mut tries, mut ends) = (Vec::new(), Vec::new());
        let mut at = from;
        while at < edits.len() && tries.len() < self.judge.at_once().max(1) && !self.judge.is_stopped() {
            let end = (at + chunk).min(edits.len());
            let smaller = self.best.with(&edits[at..end]);
            if let Some(smaller) = smaller.filter(|smaller| !self.refused.contains(&hash(smaller))) {
                tries.push(smaller);
                ends.push(end);
            }
            at = end;
        }
        (tries, ends)
    }

    fn refuse(&mut self, tries: &[S]) {
        self.refused.extend(tries.iter().map(hash));
    }
}

fn hash<S: Reducible>(subject: &S) -> u64 {
    let mut hasher = DefaultHasher::new();
    subject.hash_into(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
