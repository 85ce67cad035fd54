//! Parts of the window around the views: each draws the state and returns commands.
//!
//! `(&State, &mut memory, ui) -> Vec<Command>`: the memory is what is typed, scrolled or cached, never state.

pub mod about;
pub mod chooser;
pub mod corpus;
pub mod dialogs;
pub mod drawer;
pub mod edge;
pub mod failure;
pub mod gallery;
pub mod help;
pub mod menu;
pub mod options;
pub mod palette;
pub mod preferences;
pub mod sources;
pub mod stale;
pub mod status;
pub mod strip;
pub mod toasts;
pub mod toolbar;

use chooser::Chooser;
use corpus::CorpusPanel;
use dialogs::PathLine;
use gallery::Gallery;
use help::Help;
use options::OptionsPanel;
use palette::Palette;
use sources::SourceFields;
use toasts::Toasts;

/// What the panels keep between frames.
#[derive(Default)]
pub struct Panels {
    /// Number of the overlay that is drawn; another one begins anew.
    pub overlay: u64,
    pub chooser: Chooser,
    pub corpus: CorpusPanel,
    /// What is typed on the page of files that did not open.
    pub failed_sources: SourceFields,
    pub gallery: Gallery,
    pub help: Help,
    pub options: OptionsPanel,
    pub palette: Palette,
    pub path: PathLine,
    pub toasts: Toasts,
}
