//! Modules that the validator accepted lately. Pipelines of a database or a folder share modules, and validating one
//! takes longer than all else that is done with it.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use super::spirv_val::Stamp;

/// Words that are kept at most: 16 MiB.
const MOST_WORDS: usize = 4 << 20;

/// The words of modules, the oldest first in `order`.
#[derive(Debug, Default)]
struct Accepted {
    /// The validator that accepted them, where it is not the one that is built in.
    by: Option<Stamp>,
    modules: HashSet<Arc<[u32]>>,
    order: VecDeque<Arc<[u32]>>,
    words: usize,
}

static ACCEPTED: Mutex<Option<Accepted>> = Mutex::new(None);

/// Whether the validator accepted exactly these words before.
pub(super) fn has(words: &[u32], by: &Option<Stamp>) -> bool {
    let accepted = ACCEPTED.lock().unwrap_or_else(PoisonError::into_inner);
    accepted.as_ref().is_some_and(|accepted| accepted.by == *by && accepted.modules.contains(words))
}

/// Keeps words that a validator accepted without a broken rule. What another one accepted is forgotten.
pub(super) fn keep(words: &[u32], by: Option<Stamp>) {
    let mut accepted = ACCEPTED.lock().unwrap_or_else(PoisonError::into_inner);
    let accepted = accepted.get_or_insert_default();
    if accepted.by != by {
        *accepted = Accepted { by, ..Accepted::default() };
    }
    accepted.insert(words, MOST_WORDS);
}

impl Accepted {
    /// Keeps words, at most so many together; one module takes a sixteenth of them at most.
    fn insert(&mut self, words: &[u32], most: usize) {
        if words.len() > most / 16 || self.modules.contains(words) {
            return;
        }
        let words: Arc<[u32]> = words.into();
        self.words += words.len();
        self.modules.insert(Arc::clone(&words));
        self.order.push_back(words);
        while self.words > most
            && let Some(oldest) = self.order.pop_front()
        {
            self.modules.remove(&oldest);
            self.words -= oldest.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_validator_of_the_same_path_has_accepted_nothing() {
        let at = |bytes| Some(Stamp { path: "spirv-val".into(), bytes, changed: None });
        keep(&[1, 2, 3], at(1));
        assert!(has(&[1, 2, 3], &at(1)) && !has(&[1, 2, 3], &at(2)) && !has(&[1, 2, 3], &None));
    }

    #[test]
    fn forgets_the_oldest_modules_and_keeps_no_large_one() {
        let mut accepted = Accepted::default();
        for number in 0..40u32 {
            accepted.insert(&[number; 8], 160);
            accepted.insert(&[number; 8], 160);
        }
        accepted.insert(&[7; 11], 160);
        assert_eq!((accepted.words, accepted.modules.len(), accepted.order.len()), (160, 20, 20));
        let kept: Vec<u32> = (0..40).filter(|number| accepted.modules.contains(&[*number; 8][..])).collect();
        assert_eq!(kept, (20..40).collect::<Vec<_>>());
    }
}
