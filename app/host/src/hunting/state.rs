//! How far a hunt came, in a file of its folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::found::{Finding, Signature, What};
use crate::files::text_at_most;
use crate::reducing::compilers::without_numbers;
use crate::safe_write::{NotWritten, write_file};

/// The name of the file.
pub const STATE: &str = "hunt.json";

/// The largest file that is read, in bytes.
const MOST: u64 = 64 << 20;

/// The version of the file.
const FORM: u32 = 1;

/// Findings of one kind that are reduced, where only a reduction tells one from another. Those after them are counted.
const ENOUGH: usize = 20;

/// Reasons that are counted apart, and how those after them are called.
const REASONS: usize = 20;
const OTHERS: &str = "for other reasons";

/// What programs were.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// Programs that were asked.
    pub programs: u64,
    /// Compilations that ended well.
    pub compiled: u64,
    /// Compilations and runs that were refused for what the chip or the driver lacks, by the message with `#` for
    /// numbers.
    pub lacking: BTreeMap<String, u64>,
    /// Processes that died or failed, and compiled or ran the same program when they were started anew.
    pub unsteady: u64,
    /// What they said before, with `#` for numbers.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub unsteady_messages: BTreeMap<String, u64>,
    /// Results of a device that were compared with the interpreter's.
    pub compared: u64,
    /// Kernels that were compared with their rewritten form.
    pub rewritten: u64,
    /// Programs that the interpreter found undefined, whose results say nothing.
    pub undefined: u64,
    /// Programs that are only compiled: graphics, and those whose results depend on how a device computes.
    pub inexact: u64,
    /// Programs of the corpus that do not load, by the message with `#` for numbers.
    pub not_loaded: BTreeMap<String, u64>,
    /// Programs that the interpreter does not run, by its message with `#` for numbers.
    pub not_interpreted: BTreeMap<String, u64>,
    /// Altered modules that the validator refused: the program was asked as it was.
    pub not_altered: u64,
}

impl Counts {
    /// Counts a process that worked when it was started anew.
    pub fn add_unsteady(&mut self, message: &str) {
        self.unsteady += 1;
        *self.unsteady_messages.entry(without_numbers(message)).or_default() += 1;
    }

    fn add(&mut self, more: &Counts) {
        let pairs = [
            (&mut self.programs, more.programs),
            (&mut self.compiled, more.compiled),
            (&mut self.unsteady, more.unsteady),
            (&mut self.compared, more.compared),
            (&mut self.rewritten, more.rewritten),
            (&mut self.undefined, more.undefined),
            (&mut self.inexact, more.inexact),
            (&mut self.not_altered, more.not_altered),
        ];
        pairs.into_iter().for_each(|(own, more)| *own += more);
        count(&mut self.unsteady_messages, &more.unsteady_messages);
        count(&mut self.not_loaded, &more.not_loaded);
        count(&mut self.lacking, &more.lacking);
        count(&mut self.not_interpreted, &more.not_interpreted);
    }
}

/// Adds reasons to others, of which only so many are counted apart.
fn count(own: &mut BTreeMap<String, u64>, more: &BTreeMap<String, u64>) {
    for (why, count) in more {
        let is_apart = own.len() < REASONS || own.contains_key(why);
        *own.entry(if is_apart { why.clone() } else { OTHERS.to_owned() }).or_default() += count;
    }
}

/// How far a hunt came.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct State {
    /// The version of this form.
    pub lanescope_hunt: u32,
    /// The version of the program.
    pub version: String,
    /// What makes it the same hunt.
    pub setup: Vec<String>,
    /// Who answered: each compiler with its device, and its driver with the version. Those of a resumed hunt are added where
    /// they are others.
    #[serde(default)]
    pub drivers: BTreeSet<String>,
    /// The first number that is not done.
    pub next: u64,
    /// Later numbers that are.
    pub done: BTreeSet<u64>,
    /// What programs were.
    pub counts: Counts,
    /// What was found.
    pub found: Vec<Finding>,
}

/// What is wrong with a hunt's folder.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The file of an earlier hunt.
    #[error("{0}")]
    Read(String),
    /// It was written by a hunt of other programs or compilers.
    #[error("{file} is of another hunt, which cannot go on as this one: it has {theirs}, this one has {ours}")]
    Other {
        /// The file.
        file: String,
        /// What only that one has.
        theirs: String,
        /// What only this one has.
        ours: String,
    },
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] NotWritten),
}

impl State {
    /// One that has done nothing.
    pub fn new(setup: Vec<String>, seed: u64) -> State {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        State { lanescope_hunt: FORM, version, setup, next: seed, ..State::default() }
    }

    /// That of an earlier hunt, which goes on.
    ///
    /// # Errors
    /// A file that is not a hunt's, or of one that was set up otherwise.
    pub fn resumed(folder: &Path, setup: Vec<String>) -> Result<State, StateError> {
        let path = folder.join(STATE);
        let file = path.display().to_string();
        let text = text_at_most(&path, MOST).map_err(|error| StateError::Read(error.to_string()))?;
        let state: State = serde_json::from_str(&text)
            .map_err(|error| StateError::Read(format!("{file}: not the state of a hunt: {error}")))?;
        let version = env!("CARGO_PKG_VERSION");
        if state.lanescope_hunt != FORM || state.version != version {
            let why = format!("{file}: of version {}, whose programs may be others (this is {version})", state.version);
            return Err(StateError::Read(why));
        }
        if state.setup != setup {
            let only = |one: &[String], other: &[String]| {
                let all: Vec<&str> = one.iter().filter(|line| !other.contains(line)).map(String::as_str).collect();
                if all.is_empty() { "nothing else".to_owned() } else { all.join(", ") }
            };
            let (theirs, ours) = (only(&state.setup, &setup), only(&setup, &state.setup));
            return Err(StateError::Other { file, theirs, ours });
        }
        Ok(state)
    }

    /// Writes it.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn save(&self, folder: &Path) -> Result<(), StateError> {
        let path = folder.join(STATE);
        let text = serde_json::to_vec_pretty(self).map_err(|error| StateError::Read(error.to_string()))?;
        std::fs::create_dir_all(folder).map_err(|error| StateError::Read(format!("{}: {error}", folder.display())))?;
        Ok(write_file(&path, &text, true)?)
    }

    /// Whether a number is done.
    pub(super) fn has_done(&self, number: u64) -> bool {
        number < self.next || self.done.contains(&number)
    }

    pub(super) fn done(&mut self, number: u64, counts: &Counts) {
        self.counts.add(counts);
        self.done.insert(number);
        while self.done.remove(&self.next) {
            self.next += 1;
        }
    }

    /// Counts a failure that was found before; false if it was not, or if only a reduction can say.
    pub(super) fn count_again(&mut self, first: &Signature) -> bool {
        if is_told_by_reduction(first) && !self.is_enough(first) {
            return false;
        }
        let found = self.found.iter_mut().find(|found| found.signature == *first);
        found.map(|found| found.programs += 1).is_some()
    }

    /// Whether so many of a kind were reduced that more are only counted.
    pub(super) fn is_enough(&self, first: &Signature) -> bool {
        let same =
            self.found.iter().filter(|found| (found.signature.what, &found.signature.on) == (first.what, &first.on));
        is_told_by_reduction(first) && same.count() >= ENOUGH
    }

    /// Adds a failure; the folder that is not needed where a finding of its signature is there already.
    pub(super) fn add(&mut self, finding: Finding) -> Option<String> {
        match self.found.iter_mut().find(|found| found.signature == finding.signature) {
            Some(found) => {
                found.programs += 1;
                Some(finding.folder)
            }
            None => {
                self.found.push(finding);
                None
            }
        }
    }
}

/// Whether failures of a kind are told from each other by what is left of their programs.
fn is_told_by_reduction(first: &Signature) -> bool {
    matches!(first.what, What::Results | What::Rewritten)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(what: What, how: &str) -> Signature {
        Signature { what, on: "gfx1030".to_owned(), how: how.to_owned() }
    }

    fn finding(number: u64, signature: Signature) -> Finding {
        let (message, folder) = (String::new(), format!("{number}"));
        Finding { signature, message, number, programs: 1, size: None, not_reduced: None, folder }
    }

    #[test]
    fn numbers_that_are_done_are_kept_in_any_order() {
        let mut state = State::new(Vec::new(), 5);
        let one = Counts { programs: 1, ..Counts::default() };
        for number in [7, 6, 9] {
            state.done(number, &one);
        }
        assert_eq!((state.next, state.has_done(6), state.has_done(8)), (5, true, false));
        state.done(5, &one);
        assert_eq!((state.next, state.done.len(), state.counts.programs), (8, 1, 4));
    }

    #[test]
    fn failures_of_one_signature_are_one() {
        let mut state = State::new(Vec::new(), 0);
        let crash = signature(What::Crash, "assertion #");
        assert!(!state.count_again(&crash));
        assert_eq!(state.add(finding(3, crash.clone())), None);
        assert!(state.count_again(&crash));
        // Results that differ are told apart by what is left of their programs.
        let before = signature(What::Results, "");
        for (number, left) in [(4, "OpIMul"), (5, "OpIMul"), (6, "OpNot")] {
            assert!(!state.count_again(&before), "{number}");
            let extra = state.add(finding(number, signature(What::Results, left)));
            assert_eq!(extra, (number == 5).then(|| "5".to_owned()));
        }
        let all: Vec<_> = state.found.iter().map(|found| (found.number, found.programs)).collect();
        assert_eq!(all, [(3, 2), (4, 2), (6, 1)]);
        // After many of a kind the others are counted together, and not as one of those.
        for number in 100..100 + ENOUGH as u64 {
            state.add(finding(number, signature(What::Results, &number.to_string())));
        }
        assert!(state.is_enough(&before) && !state.count_again(&before));
        state.add(finding(200, before.clone()));
        assert!(state.count_again(&before));
        assert_eq!(state.found.last().map(|found| (found.number, found.programs)), Some((200, 2)));
    }

    #[test]
    fn a_hunt_goes_on_only_as_the_same_one() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let setup = vec!["seed 1".to_owned(), "kind wide".to_owned()];
        let state = State::new(setup.clone(), 1);
        state.save(folder.path()).expect("writes");
        assert_eq!(State::resumed(folder.path(), setup).expect("the same"), state);
        let other = State::resumed(folder.path(), vec!["seed 2".to_owned(), "kind wide".to_owned()]);
        let message = other.expect_err("another seed").to_string();
        assert!(message.ends_with("it has seed 1, this one has seed 2"), "{message}");
        std::fs::write(folder.path().join(STATE), "{}").expect("writes");
        let message = State::resumed(folder.path(), Vec::new()).expect_err("no state").to_string();
        assert!(message.contains("not the state of a hunt"), "{message}");
    }
}
