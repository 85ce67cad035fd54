//! Which step changed an answer: of options, of drivers, of two programs, of commits.
//!
//! ```text
//! Steps (places in order) ──bisect (core/reduce)──▶ place asked: load, compile, run ──▶ the step, with both answers
//! ```

mod commits;
mod hunks;

use lanescope_core::driver::CompileOptions;
use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::reduce::bisect::{BisectError as Search, Stopped, bisect};
use lanescope_core::reduce::condition::Condition;
use lanescope_core::run::inputs::Inputs;

pub use commits::Commits;
pub use hunks::Hunks;

use std::collections::BTreeMap;
use std::path::PathBuf;

use lanescope_core::load::LoadOptions;

use crate::reducing::examiner::{Examiner, Try};
use crate::reducing::{Given, ReduceError, askable};
use crate::worker::Loader;

/// The options for a program, and what it runs with; an error where it has not what is given.
pub type SettingsOf = dyn Fn(&Program) -> Result<(Options, Inputs), String>;

/// What is asked at one place.
pub struct Place {
    /// The files.
    pub files: Vec<PathBuf>,
    /// How they are loaded.
    pub wanted: LoadOptions,
    /// The options for the program, and what it runs with.
    pub settings: Box<SettingsOf>,
    /// The compilers.
    pub compilers: Vec<CompileOptions>,
    /// What is to be kept until the place was asked: a folder with its files.
    pub kept: Option<tempfile::TempDir>,
}

/// Places in order. Between two next to each other is a step.
pub trait Steps {
    /// The number of the last place.
    fn last(&self) -> usize;

    /// What a place is, as a user knows it: `mesa 23`, a commit with its title.
    fn name(&self, at: usize) -> String;

    /// What is between a place and the one after some others.
    fn step(&self, before: usize, after: usize) -> String;

    /// What is asked at a place.
    ///
    /// # Errors
    /// Why it has nothing to be asked; the place has no answer then.
    fn place(&self, at: usize) -> Result<Place, String>;
}

/// What was seen at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// Its number.
    pub at: usize,
    /// Its name.
    pub name: String,
    /// Whether the condition holds; `None` without an answer.
    pub holds: Option<bool>,
    /// What each test saw, or why there is no answer.
    pub lines: Vec<String>,
}

/// The step.
pub struct Found {
    /// What it is.
    pub step: String,
    /// What was seen before it and after it.
    pub seen: [Seen; 2],
    /// The places between the two, which have no answer.
    pub skipped: Vec<Seen>,
    /// How many places were asked, and how many there are.
    pub asked: [usize; 2],
    /// What is reduced: the program after it, with the condition that holds there.
    pub after: Given,
}

/// Why no step was found.
#[derive(Debug, thiserror::Error)]
pub enum BisectError {
    /// The condition.
    #[error(transparent)]
    Condition(#[from] ReduceError),
    /// Both ends show the same.
    #[error("the condition {} at both ends:{}", if *.holds { "holds" } else { "does not hold" }, lines(.seen))]
    Alike {
        /// It holds.
        holds: bool,
        /// What was seen.
        seen: Vec<Seen>,
    },
    /// An end has no answer.
    #[error("an end has no answer:{}", lines(.0))]
    NoAnswer(Vec<Seen>),
    /// It was stopped.
    #[error("stopped")]
    Stopped,
}

fn lines(seen: &[Seen]) -> String {
    let each = seen.iter().map(|seen| format!("\n  {}: {}", seen.name, seen.lines.join("; ")));
    each.collect()
}

/// Looks for the step that changes whether a condition holds. `given` has all but the program and what it runs with;
/// `tell` is told what was seen.
///
/// # Errors
/// See [`BisectError`].
pub fn bisected(given: &Given, steps: &dyn Steps, tell: &mut dyn FnMut(&Seen)) -> Result<Found, BisectError> {
    let last = steps.last();
    // A name that no compiler has would only be seen as no answer.
    if let Ok(place) = steps.place(0) {
        askable(&Given { compilers: place.compilers, ..given.clone() })?;
    }
    let mut loader = Loader::new(given.loader.clone());
    let mut all: BTreeMap<usize, (Seen, Option<Given>)> = BTreeMap::new();
    let result = bisect(last, &mut |at| {
        let (seen, asked) = ask(given, steps, at, &mut loader);
        if given.stop.is_stopped() {
            return Err(Stopped);
        }
        tell(&seen);
        let holds = seen.holds;
        all.insert(at, (seen, asked));
        Ok(holds)
    });
    let ends = |all: &BTreeMap<usize, (Seen, Option<Given>)>| -> Vec<Seen> {
        [0, last].iter().filter_map(|at| all.get(at)).map(|(seen, _)| seen.clone()).collect()
    };
    let changed = match result {
        Ok(changed) => changed,
        Err(Search::Alike(holds)) => return Err(BisectError::Alike { holds, seen: ends(&all) }),
        Err(Search::NoAnswer(_)) => return Err(BisectError::NoAnswer(ends(&all))),
        Err(Search::Stopped) => return Err(BisectError::Stopped),
    };
    let asked = [all.len(), last + 1];
    let skipped = all.range(changed.before + 1..changed.after).map(|(_, (seen, _))| seen.clone()).collect();
    let before = all.remove(&changed.before).map(|(seen, _)| seen);
    let after = all.remove(&changed.after).and_then(|(seen, given)| Some((seen, given?)));
    // Both were asked, or they would not be the ends of the step.
    let (Some(before), Some((after, mut of))) = (before, after) else { return Err(BisectError::Stopped) };
    if after.holds == Some(false) {
        of.condition = Condition::Not(Box::new(of.condition));
    }
    let step = steps.step(changed.before, changed.after);
    Ok(Found { step, seen: [before, after], skipped, asked, after: of })
}

/// Asks one place, with processes of its own.
fn ask(given: &Given, steps: &dyn Steps, at: usize, loader: &mut Loader) -> (Seen, Option<Given>) {
    let name = steps.name(at);
    let none = |why: String| (Seen { at, name: steps.name(at), holds: None, lines: vec![why] }, None);
    let place = match steps.place(at) {
        Ok(place) => place,
        Err(why) => return none(why),
    };
    let loaded = match loader.load(&place.files, &place.wanted) {
        Ok(loaded) => loaded,
        Err(error) => return none(error.to_string()),
    };
    let program = loaded.program;
    let (options, inputs) = match (place.settings)(&program) {
        Ok(settings) => settings,
        Err(why) => return none(why),
    };
    let (groups, compilers) = (options.groups, place.compilers);
    let of = Given { program: program.clone(), options, inputs, groups, compilers, ..given.clone() };
    let mut examiner = Examiner::new(&of);
    let mut tried = Try::of(program, of.inputs.clone(), of.groups);
    let seen = examiner.seen_of(&mut tried);
    drop(examiner);
    (Seen { at, name, holds: seen.holds, lines: seen.lines }, Some(of))
}
