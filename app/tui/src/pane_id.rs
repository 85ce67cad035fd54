//! Names of panes.

use lanescope_inspector::ProgramId;
use lanescope_inspector::corpus::CorpusPart;
use lanescope_inspector::view::ViewId;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PaneId {
    /// A view of a program.
    View(ProgramId, ViewId),
    /// A part of the result over many pipelines.
    Corpus(CorpusPart),
    /// Why files do not load.
    Failure,
    /// The samples.
    Gallery,
    /// No program yet.
    Loading,
}

impl PaneId {
    /// The program of a view.
    pub fn program(self) -> Option<ProgramId> {
        match self {
            PaneId::View(program, _) => Some(program),
            PaneId::Corpus(_) | PaneId::Failure | PaneId::Gallery | PaneId::Loading => None,
        }
    }

    /// The view of a program.
    pub fn view(self) -> Option<ViewId> {
        match self {
            PaneId::View(_, view) => Some(view),
            PaneId::Corpus(_) | PaneId::Failure | PaneId::Gallery | PaneId::Loading => None,
        }
    }
}
