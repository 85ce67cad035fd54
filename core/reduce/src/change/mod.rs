//! Changes of one module, and the module that they leave.
//!
//! ```text
//! changes ──▶ lines (instructions removed, replaced, values renamed) ──▶ tidied (blocks, phis, what is unused) ──▶ Module
//! ```
//!
//! A change names instructions and ids of the module that it was found in. Many changes of one module are applied
//! together; of two that disagree, the first one counts. What a change leaves without a use goes too, and what was unused
//! before stays: a compiler may be wrong because of dead code.

mod assigned;
mod blocks;
mod lines;
mod undefined;
mod unused;

use std::collections::{BTreeMap, BTreeSet};

use lanescope_base::ids::Id;
use lanescope_spirv::{InstId, Module};

use lines::Lines;
use undefined::ByText;

/// What takes the place of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Instead {
    /// Another value of the same type, defined wherever the first one is.
    Id(Id),
    /// The zero of its type.
    Zero,
    /// One: a number, or `true`.
    One,
}

/// A change of one module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// Instructions that go.
    pub removed: Vec<InstId>,
    /// Instructions that get other words.
    pub replaced: Vec<(InstId, Vec<u32>)>,
    /// Words that are put before an instruction, which may be one that goes. Ids from [`fresh`] stand for new ids.
    pub inserted: Vec<(InstId, Vec<u32>)>,
    /// Ids whose every use becomes another one. Their instructions go if they only give the value.
    pub instead: Vec<(Id, Instead)>,
    /// Ids that stay although nothing uses them any more.
    pub kept: Vec<Id>,
    /// Branches back to the header of a loop, which leave it in any case: with its merge block and its header.
    pub leaving: Vec<(InstId, [Id; 2])>,
}

impl Change {
    /// Removes one instruction.
    pub fn remove(inst: InstId) -> Change {
        Change { removed: vec![inst], ..Change::default() }
    }

    /// Gives one instruction other words.
    pub fn replace(inst: InstId, words: Vec<u32>) -> Change {
        Change { replaced: vec![(inst, words)], ..Change::default() }
    }

    /// Uses another value.
    pub fn instead(id: Id, other: Instead) -> Change {
        Change { instead: vec![(id, other)], ..Change::default() }
    }
}

/// Where ids begin that no module has: the limit of SPIR-V is below it (specification, section 2.17).
const FRESH: u32 = 1 << 30;

/// How many new ids a change may have at most: a literal that looks like one would have to be in this range.
const FRESH_IDS: u32 = 4;

/// The `n`-th new id of a change.
pub fn fresh(n: u32) -> Id {
    Id(FRESH + n)
}

/// All changes of a module together.
#[derive(Debug, Default)]
struct Changes {
    removed: BTreeSet<InstId>,
    replaced: BTreeMap<InstId, Vec<u32>>,
    inserted: BTreeMap<InstId, Vec<u32>>,
    leaving: BTreeMap<InstId, [Id; 2]>,
    instead: BTreeMap<Id, Instead>,
}

impl Changes {
    /// All of them; new ids start at `next`, which becomes the one after them.
    fn of(changes: &[&Change], next: &mut u32) -> Changes {
        let mut all = Changes::default();
        for change in changes {
            let (first, mut after) = (*next, *next);
            let mut own = |words: &[u32]| -> Vec<u32> {
                let numbered = |&word: &u32| match word.checked_sub(FRESH).filter(|n| *n < FRESH_IDS) {
                    Some(n) => {
                        after = after.max(first + n + 1);
                        first + n
                    }
                    None => word,
                };
                words.iter().map(numbered).collect()
            };
            all.removed.extend(&change.removed);
            for (inst, words) in &change.replaced {
                let words = own(words);
                all.replaced.entry(*inst).or_insert(words);
            }
            for (inst, words) in &change.inserted {
                let words = own(words);
                all.inserted.entry(*inst).or_default().extend(words);
            }
            *next = after;
            all.leaving.extend(change.leaving.iter().copied());
            for (id, other) in &change.instead {
                all.instead.entry(*id).or_insert(*other);
            }
        }
        all
    }

    /// What a value becomes in the end; `None` where it stays, and where values would become each other.
    fn of_value(&self, id: Id) -> Option<Instead> {
        let mut last = *self.instead.get(&id)?;
        for _ in 0..self.instead.len() {
            match last {
                Instead::Id(other) if other == id => return None,
                Instead::Id(other) => match self.instead.get(&other) {
                    Some(next) => last = *next,
                    None => return Some(last),
                },
                _ => return Some(last),
            }
        }
        None
    }
}

/// A module that changes are tried on, with what is asked of it each time.
#[derive(Debug, Clone)]
pub struct Prepared {
    lines: Lines,
    before: ByText,
    unused: BTreeSet<Id>,
}

impl Prepared {
    /// Prepares a module; `None` if it has instructions whose ids are not known, or decoration groups: it cannot change.
    pub fn of(module: &Module) -> Option<Prepared> {
        let lines = Lines::of(module)?;
        Some(Prepared { before: ByText::of(&lines), unused: unused::unused(&lines), lines })
    }

    /// The module with the changes; `None` where they leave it as it is, where what is left cannot be a module (a value
    /// that nothing can replace is needed), and where its text shows undefined behaviour that it did not show before: a
    /// variable that may be read before it is written, a division by zero, an undefined value, an index out of bounds, an
    /// output that is not written any more on every way.
    ///
    /// The result is not validated.
    pub fn applied(&self, changes: &[&Change]) -> Option<Module> {
        let mut lines = self.lines.clone();
        let all = Changes::of(changes, lines.next_id());
        let mut kept = self.unused.clone();
        kept.extend(changes.iter().flat_map(|change| change.kept.iter().copied()));
        lines.change(&all)?;
        loop {
            let count = lines.len();
            blocks::tidy(&mut lines)?;
            lines.settle()?;
            unused::remove(&mut lines, &kept);
            if lines.len() == count {
                break;
            }
        }
        if !ByText::of(&lines).is_within(&self.before) {
            return None;
        }
        let words = lines.words();
        if words == self.lines.words() { None } else { Module::parse(words).ok() }
    }
}

/// The same of a module that changes once.
pub fn applied(module: &Module, changes: &[&Change]) -> Option<Module> {
    Prepared::of(module)?.applied(changes)
}

/// How much undefined behaviour the text of a module shows, by kind; `None` where its text cannot be read for that. A
/// program of which no number is greater shows no more.
pub fn undefined_by_text(module: &Module) -> Option<Vec<usize>> {
    Some(ByText::of(&Lines::of(module)?).numbers())
}

#[cfg(test)]
mod tests;
