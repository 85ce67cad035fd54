//! Which of several steps changes an answer.

use std::collections::BTreeMap;

/// A step that changes the answer: between two places without an answer between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Changed {
    /// The last place before it that answers as the first place does.
    pub before: usize,
    /// The first one after it that answers as the last place does. Those between the two have no answer.
    pub after: usize,
}

/// Why no step is named.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BisectError {
    /// An end has no answer.
    #[error("place {0} has no answer")]
    NoAnswer(usize),
    /// Both ends answer alike.
    #[error("the first and the last place both answer {}", if *.0 { "yes" } else { "no" })]
    Alike(bool),
    /// It was stopped.
    #[error("stopped")]
    Stopped,
}

/// Searches places 0 to `last` for two next to each other that answer differently, by halves: about log2 `last` questions.
/// A place without an answer is passed over: the nearest one that has some is asked instead.
///
/// Where the answer changes once, the step is that change. Where it changes to and fro, it is one of the changes.
///
/// `ask` gives `Ok(None)` for a place that has no answer, and an error to stop.
///
/// # Errors
/// See [`BisectError`].
pub fn bisect(
    last: usize,
    ask: &mut dyn FnMut(usize) -> Result<Option<bool>, Stopped>,
) -> Result<Changed, BisectError> {
    let mut known: BTreeMap<usize, Option<bool>> = BTreeMap::new();
    let mut answer = |at: usize| -> Result<Option<bool>, BisectError> {
        if let Some(known) = known.get(&at) {
            return Ok(*known);
        }
        let answer = ask(at).map_err(|Stopped| BisectError::Stopped)?;
        known.insert(at, answer);
        Ok(answer)
    };
    let first = answer(0)?.ok_or(BisectError::NoAnswer(0))?;
    let end = answer(last)?.ok_or(BisectError::NoAnswer(last))?;
    if first == end {
        return Err(BisectError::Alike(first));
    }
    let (mut before, mut after) = (0, last);
    loop {
        let middle = before + (after - before) / 2;
        // From the middle outwards: the nearest place with an answer.
        let mut places: Vec<usize> = (before + 1..after).collect();
        places.sort_by_key(|at| at.abs_diff(middle));
        let mut next = None;
        for at in places {
            if let Some(own) = answer(at)? {
                next = Some((at, own));
                break;
            }
        }
        match next {
            Some((at, own)) if own == first => before = at,
            Some((at, _)) => after = at,
            None => return Ok(Changed { before, after }),
        }
    }
}

/// It was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(answers: &[Option<bool>]) -> (Result<Changed, BisectError>, usize) {
        let mut asked = 0;
        let found = bisect(answers.len() - 1, &mut |at| {
            asked += 1;
            Ok(answers[at])
        });
        (found, asked)
    }

    #[test]
    fn ends_that_say_nothing_are_named() {
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(of(&[yes, no, yes]).0, Err(BisectError::Alike(true)));
        assert_eq!(of(&[None, yes]).0, Err(BisectError::NoAnswer(0)));
        assert_eq!(of(&[no, None]).0, Err(BisectError::NoAnswer(1)));
        assert_eq!(of(&[no, None, None, yes]).0, Ok(Changed { before: 0, after: 3 }));
        assert_eq!(bisect(4, &mut |_| Err(Stopped)), Err(BisectError::Stopped));
    }

    proptest! {
        #[test]
        fn the_step_is_found_in_few_questions(count in 2_usize..2000, at in any::<prop::sample::Index>()) {
            let first = 1 + at.index(count - 1);
            let answers: Vec<Option<bool>> = (0..count).map(|at| Some(at >= first)).collect();
            let (found, asked) = of(&answers);
            prop_assert_eq!(found, Ok(Changed { before: first - 1, after: first }));
            prop_assert!(asked <= 3 + count.ilog2() as usize, "{} questions for {}", asked, count);
        }

        #[test]
        fn what_is_found_is_a_change(answers in prop::collection::vec(prop::option::weighted(0.8, any::<bool>()), 2..60)) {
            if let Ok(Changed { before, after }) = of(&answers).0 {
                prop_assert_eq!(answers[before], answers[0]);
                prop_assert_eq!(answers[after], answers[answers.len() - 1]);
                prop_assert!(answers[before + 1..after].iter().all(Option::is_none));
            }
        }
    }
}
