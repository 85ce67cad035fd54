//! Files that are being opened: those of the last session, and new ones.

use std::path::PathBuf;

use super::app::App;
use super::compare::PairRequest;
use super::jobs::Tag;
use super::program::ProgramId;
use crate::session::Remembered;

/// Files of the last session, until they are opened again.
#[derive(Debug, Default)]
pub struct Previous {
    /// The programs, as they were looked at.
    pub programs: Vec<Remembered>,
    /// Index of the one that was shown.
    pub active: usize,
}

/// Files that are read for the first time.
#[derive(Debug)]
pub struct Opening {
    paths: Vec<PathBuf>,
    /// What is shown stays in front of it.
    behind: bool,
}

impl App {
    /// Opens what was open the last time, each program as it was looked at then, and shows the one that was shown.
    pub(super) fn reopen(&mut self) {
        let Previous { programs, active } = std::mem::take(&mut self.previous);
        for (at, request) in programs.into_iter().enumerate() {
            if let Some(with) = request.against.clone() {
                self.pairs.push(PairRequest { shown: request.paths.clone(), with, show: false });
            }
            let behind = at != active;
            if let Some(open) = self.programs.iter().position(|program| program.paths == request.paths) {
                if !behind {
                    self.show_program(open);
                }
            } else if self.opening_of(&request.paths).is_none() {
                let id = self.new_id();
                self.opening.insert(id, Opening { paths: request.paths.clone(), behind });
                self.load(id, request, false);
            }
        }
        self.pair_up();
    }

    /// The next program's number.
    pub(super) fn new_id(&mut self) -> ProgramId {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// Notes that files are read for a program that is not open yet.
    pub(super) fn note_opening(&mut self, id: ProgramId, paths: &[PathBuf]) {
        if self.programs.iter().all(|program| program.id != id) {
            self.opening.entry(id).or_insert_with(|| Opening { paths: paths.to_owned(), behind: false });
        }
    }

    /// Number of the program that these files will become, if they are being opened.
    pub(super) fn opening_of(&self, paths: &[PathBuf]) -> Option<ProgramId> {
        self.opening.iter().find(|(_, opening)| opening.paths == paths).map(|(id, _)| *id)
    }

    /// Shows a program once it is open, even if it opens in the background.
    pub(super) fn bring_to_front(&mut self, id: ProgramId) {
        if let Some(opening) = self.opening.get_mut(&id) {
            opening.behind = false;
        }
    }

    /// Whether a program opens in the background.
    pub(super) fn opens_behind(&self, id: ProgramId) -> bool {
        self.program().is_some() && self.opening.get(&id).is_some_and(|opening| opening.behind)
    }

    /// Forgets files that were read for the first time: they are open, or no longer wanted.
    pub(super) fn forget_opening(&mut self, tag: &Tag) {
        if let Tag::Load(id) = tag {
            self.opening.remove(id);
        }
    }
}
