//! Files that are being opened: those of the last session, and new ones.

use std::path::PathBuf;

use lanescope_inspector::ProgramId;

use super::State;
use super::tasks::Tag;
use lanescope_host::session::Remembered;

/// Programs of the last session, until they are opened again.
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
    /// The files.
    pub paths: Vec<PathBuf>,
    /// What is shown stays in front of it.
    pub in_background: bool,
}

impl State {
    /// Notes that files are read for a program that is not open yet.
    pub(crate) fn note_opening(&mut self, id: ProgramId, paths: &[PathBuf]) {
        if self.programs.iter().all(|program| program.id != id) {
            self.opening.entry(id).or_insert_with(|| Opening { paths: paths.to_owned(), in_background: false });
        }
    }

    /// Number of the program that these files will become, if they are being opened.
    pub(crate) fn opening_of(&self, paths: &[PathBuf]) -> Option<ProgramId> {
        self.opening.iter().find(|(_, opening)| opening.paths == paths).map(|(id, _)| *id)
    }

    /// Shows a program once it is open, even if it opens in the background.
    pub(crate) fn bring_to_front(&mut self, id: ProgramId) {
        if let Some(opening) = self.opening.get_mut(&id) {
            opening.in_background = false;
        }
    }

    /// Whether a program opens in the background.
    pub(crate) fn opens_in_background(&self, id: ProgramId) -> bool {
        self.program().is_some() && self.opening.get(&id).is_some_and(|opening| opening.in_background)
    }

    /// Forgets files that were read for the first time: they are open, or no longer wanted.
    pub(crate) fn forget_opening(&mut self, tag: &Tag) {
        if let Tag::Load(id) = tag {
            self.opening.remove(id);
        }
    }
}
