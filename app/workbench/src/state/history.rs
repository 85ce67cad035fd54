//! Earlier options of a program and edited records of its run, for undo and redo.

use std::time::{Duration, Instant};

use lanescope_core::options::Options;
use lanescope_core::run::Blob;

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

/// Names a run of a work graph, and how far it has come.
pub type RunKey = ((u64, u64), (usize, bool));

/// A waiting record of a paused run that was edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordEdit {
    /// Where the run was paused.
    pub at: RunKey,
    /// The node's run among the waiting ones, by its index.
    pub run: usize,
    /// Index of the record.
    pub record: u64,
    /// Its bytes before.
    pub was: Blob,
    /// Its bytes after.
    pub is: Blob,
}

/// A change that can be undone.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Of the options: those to return to.
    Options(Box<Choice>),
    /// Of a record.
    Record(RecordEdit),
}

/// The earlier options and edited records, and those that were undone.
#[derive(Debug, Default)]
pub struct History {
    past: Vec<Change>,
    undone: Vec<Change>,
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
            self.push(Change::Options(Box::new(before)));
        }
        self.undone.clear();
        self.noted = Some(now);
    }

    /// Notes the edit of a record. What was undone cannot be redone any more.
    pub(crate) fn note_edit(&mut self, edit: RecordEdit) {
        self.push(Change::Record(edit));
        self.undone.clear();
        self.noted = None;
    }

    fn push(&mut self, change: Change) {
        self.past.push(change);
        if self.past.len() > KEPT {
            self.past.remove(0);
        }
    }

    /// The last change of the options, of which `now` can be redone, or of a record of a run that is paused at `at`.
    /// Edits of records that have run are forgotten.
    pub(crate) fn undo(&mut self, now: Choice, at: Option<RunKey>) -> Option<Change> {
        let before = last(&mut self.past, at)?;
        self.undone.push(inverse(&before, now));
        self.noted = None;
        Some(before)
    }

    /// What was undone last; it can be undone again.
    pub(crate) fn redo(&mut self, now: Choice, at: Option<RunKey>) -> Option<Change> {
        let after = last(&mut self.undone, at)?;
        self.past.push(inverse(&after, now));
        self.noted = None;
        Some(after)
    }
}

/// The last change that still applies.
fn last(changes: &mut Vec<Change>, at: Option<RunKey>) -> Option<Change> {
    loop {
        match changes.pop()? {
            Change::Record(edit) if at != Some(edit.at) => {}
            change => return Some(change),
        }
    }
}

/// What takes a change back.
fn inverse(change: &Change, now: Choice) -> Change {
    match change {
        Change::Options(_) => Change::Options(Box::new(now)),
        Change::Record(edit) => Change::Record(edit.clone()),
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
        assert_eq!(history.undo(choice(3), None), Some(Change::Options(Box::new(choice(2)))));
        assert_eq!(history.undo(choice(2), None), Some(Change::Options(Box::new(choice(1)))));
        assert!(!history.can_undo() && history.can_redo());
        assert_eq!(history.redo(choice(1), None), Some(Change::Options(Box::new(choice(2)))));
        history.note(choice(2), start + Duration::from_secs(9));
        assert!(!history.can_redo(), "a change after an undo begins anew");
    }

    #[test]
    fn edits_of_records_are_undone_while_their_run_is_paused_there() {
        let (mut history, start) = (History::default(), Instant::now());
        let at = ((1, 1), (2, true));
        let (was, is) = (Blob(vec![1]), Blob(vec![2]));
        let edit = RecordEdit { at, run: 0, record: 3, was, is };
        history.note(choice(1), start);
        history.note_edit(edit.clone());
        assert_eq!(history.undo(choice(2), Some(at)), Some(Change::Record(edit.clone())));
        assert_eq!(history.redo(choice(2), Some(at)), Some(Change::Record(edit.clone())));
        // The run went on: the record has run, and the change of the options before it is next.
        assert_eq!(history.undo(choice(2), Some(((1, 1), (3, true)))), Some(Change::Options(Box::new(choice(1)))));
    }

    #[test]
    fn quick_changes_are_one_and_the_number_is_bounded() {
        let (mut history, start) = (History::default(), Instant::now());
        for at in 0..50 {
            history.note(choice(at), start + Duration::from_millis(u64::from(at) * 16));
        }
        assert_eq!(history.undo(choice(50), None), Some(Change::Options(Box::new(choice(0)))));
        assert!(!history.can_undo());
        for at in 0..2 * KEPT as u32 {
            history.note(choice(at), start + Duration::from_secs(100 + u64::from(at)));
        }
        assert_eq!(history.past.len(), KEPT);
    }
}
