//! Earlier options of a program, for undo and redo.

use std::time::{Duration, Instant};

use lanescope_core::options::Options;

/// How many changes can be undone.
const KEPT: usize = 100;

/// Changes within this time of each other are one: a dragged number changes in each frame.
const ONE_CHANGE: Duration = Duration::from_millis(400);

/// Both settings of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The first setting.
    pub options: Options,
    /// The second setting, where two are shown side by side.
    pub other: Option<Options>,
}

/// The earlier options, and those that were undone.
#[derive(Debug, Default)]
pub struct History {
    past: Vec<Choice>,
    undone: Vec<Choice>,
    noted: Option<Instant>,
}

impl History {
    /// Whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is something to redo.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Notes the options before a change at a time. What was undone cannot be redone any more.
    pub(crate) fn note(&mut self, before: Choice, now: Instant) {
        let continues = self.noted.is_some_and(|noted| now.duration_since(noted) < ONE_CHANGE);
        if !continues || self.past.is_empty() {
            self.past.push(before);
            if self.past.len() > KEPT {
                self.past.remove(0);
            }
        }
        self.undone.clear();
        self.noted = Some(now);
    }

    /// The options before the last change; `now` can be redone.
    pub(crate) fn undo(&mut self, now: Choice) -> Option<Choice> {
        let before = self.past.pop()?;
        self.undone.push(now);
        self.noted = None;
        Some(before)
    }

    /// The options that were undone last; `now` can be undone again.
    pub(crate) fn redo(&mut self, now: Choice) -> Option<Choice> {
        let after = self.undone.pop()?;
        self.past.push(now);
        self.noted = None;
        Some(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(width: u32) -> Choice {
        Choice { options: Options { group_size: Some([width, 1, 1]), ..Options::default() }, other: None }
    }

    #[test]
    fn goes_back_and_forth() {
        let (mut history, start) = (History::default(), Instant::now());
        history.note(choice(1), start);
        history.note(choice(2), start + Duration::from_secs(1));
        assert_eq!(history.undo(choice(3)), Some(choice(2)));
        assert_eq!(history.undo(choice(2)), Some(choice(1)));
        assert!(!history.can_undo() && history.can_redo());
        assert_eq!(history.redo(choice(1)), Some(choice(2)));
        history.note(choice(2), start + Duration::from_secs(9));
        assert!(!history.can_redo(), "a change after an undo begins anew");
    }

    #[test]
    fn quick_changes_are_one_and_the_number_is_bounded() {
        let (mut history, start) = (History::default(), Instant::now());
        for at in 0..50 {
            history.note(choice(at), start + Duration::from_millis(u64::from(at) * 16));
        }
        assert_eq!(history.undo(choice(50)), Some(choice(0)));
        assert!(!history.can_undo());
        for at in 0..2 * KEPT as u32 {
            history.note(choice(at), start + Duration::from_secs(100 + u64::from(at)));
        }
        assert_eq!(history.past.len(), KEPT);
    }
}
