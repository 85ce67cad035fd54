//! Dialogs and other overlays, without what is typed into them.

use std::path::PathBuf;

use lanescope_core::pipeline::foz::Listing;
use lanescope_core::pipeline_tables::{contents, kind};
use lanescope_core::run::graph::GraphRequest;
use lanescope_core::sodb;
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Purpose;

use super::saving::Pending;
use lanescope_host::folders::{self, Found, PipelineFiles, Prefer};
use lanescope_host::workspace::Described;
use lanescope_inspector::view::ViewId;

/// Where the manual is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HelpAt {
    /// At the page of this tab.
    Tab(Option<ViewId>),
    /// At a section of a page, by the page's name and the section's number.
    Section(&'static str, usize),
}

/// The open overlay.
#[derive(Debug, Default)]
pub enum Overlay {
    /// Nothing.
    #[default]
    None,
    /// The command palette.
    Palette,
    /// The manual.
    Help(HelpAt),
    /// The preferences.
    Preferences,
    /// The list of keys.
    Keys,
    /// The version.
    About,
    /// What the code of a finding means.
    Explanation(String),
    /// A line for a path.
    Path(PathQuestion),
    /// Whether files may be replaced.
    Replace(ReplaceQuestion),
    /// Whether a paused run with edited records is restarted.
    EditedRun(EditedRun),
    /// The pipelines of a database or of folders.
    Pipelines(PipelineList),
}

/// A question for a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathQuestion {
    /// What it is for.
    pub purpose: Purpose,
    /// The text to begin with.
    pub text: String,
    /// Why no system dialog is used.
    pub why: Option<&'static str>,
    /// The folder whose names complete the path, and the names.
    pub names: Option<(PathBuf, Vec<String>)>,
}

impl PathQuestion {
    /// An empty line.
    pub fn new(purpose: Purpose, why: Option<&'static str>) -> PathQuestion {
        PathQuestion { purpose, text: String::new(), why, names: None }
    }
}

/// A question whether files may be replaced.
#[derive(Debug)]
pub struct ReplaceQuestion {
    /// Where it is to be written to: a file or a folder.
    pub place: PathBuf,
    /// What is to be written.
    pub pending: Box<Pending>,
    /// The folder of the files.
    pub folder: PathBuf,
    /// Names of the files.
    pub names: Vec<String>,
}

/// A question whether a paused run with edited records continues, or restarts without them.
#[derive(Debug)]
pub struct EditedRun {
    /// The run that was requested.
    pub request: Box<GraphRequest>,
    /// Number of edited records.
    pub edited: usize,
}

impl EditedRun {
    /// The question.
    pub const TITLE: &str = "Restart the run?";

    /// What a restart loses: `The run is paused. A restart loses 1 edited record.`
    pub fn text(&self) -> String {
        format!("The run is paused. A restart loses {}.", counted(self.edited, "edited record"))
    }
}

/// A list of pipelines to choose one of.
#[derive(Debug)]
pub struct PipelineList {
    /// The databases or folders.
    pub paths: Vec<PathBuf>,
    /// The pipelines.
    pub rows: PipelineRows,
}

/// The choices.
#[derive(Debug)]
pub enum PipelineRows {
    /// The pipelines of databases, each with its key.
    Database(Listing, Vec<String>),
    /// The groups of a state object database.
    Groups(sodb::Listing),
    /// The pipelines of folders in the preferred form.
    Folders {
        /// What was found.
        found: Found,
        /// The preferred form.
        prefer: Prefer,
        /// The pipelines.
        pipelines: Vec<PipelineFiles>,
    },
    /// The pipelines of a workspace file.
    Workspace(Vec<(PipelineFiles, Described)>),
}

impl PipelineList {
    /// The pipelines of some databases.
    pub fn new(paths: Vec<PathBuf>, listing: Listing) -> PipelineList {
        let names = listing.names();
        PipelineList { paths, rows: PipelineRows::Database(listing, names) }
    }

    /// The groups of a state object database.
    pub fn of_groups(paths: Vec<PathBuf>, listing: sodb::Listing) -> PipelineList {
        PipelineList { paths, rows: PipelineRows::Groups(listing) }
    }

    /// The pipelines of some folders.
    pub fn of_folders(paths: Vec<PathBuf>, found: Found) -> PipelineList {
        PipelineList { paths, rows: PipelineRows::of_folders(found, Prefer::default()) }
    }

    /// The pipelines of a workspace file.
    pub fn of_workspace(paths: Vec<PathBuf>, pipelines: Vec<(PipelineFiles, Described)>) -> PipelineList {
        PipelineList { paths, rows: PipelineRows::Workspace(pipelines) }
    }
}

impl PipelineList {
    /// The label of what measures all pipelines of the list, where that is possible.
    pub fn measures(&self) -> Option<&'static str> {
        match (&self.rows, self.paths.len()) {
            (PipelineRows::Folders { .. }, 1) => Some("Measure this folder"),
            (PipelineRows::Folders { .. }, _) => Some("Measure these folders"),
            (PipelineRows::Database(..), _) => Some("Measure this database"),
            _ => None,
        }
    }
}

impl PipelineRows {
    fn of_folders(found: Found, prefer: Prefer) -> PipelineRows {
        let pipelines = found.pipelines(prefer);
        PipelineRows::Folders { found, prefer, pipelines }
    }

    /// Lists the other form of the shaders, where there are two.
    pub(crate) fn prefer(&mut self, prefer: Prefer) {
        if let PipelineRows::Folders { found, .. } = self {
            *self = PipelineRows::of_folders(std::mem::take(found), prefer);
        }
    }

    /// Number of pipelines.
    pub fn count(&self) -> usize {
        match self {
            PipelineRows::Database(listing, _) => listing.pipelines.len(),
            PipelineRows::Groups(listing) => listing.groups.len(),
            PipelineRows::Folders { pipelines, .. } => pipelines.len(),
            PipelineRows::Workspace(pipelines) => pipelines.len(),
        }
    }

    /// The text of a row, and what is at its right.
    pub fn row(&self, index: usize) -> Option<(String, String)> {
        match self {
            PipelineRows::Database(listing, names) => {
                let (row, name) = listing.pipelines.get(index).zip(names.get(index))?;
                Some((format!("{name}  {}", contents(row)), kind(row)))
            }
            PipelineRows::Groups(listing) => {
                let row = listing.groups.get(index)?;
                Some((format!("{}  {}", row.key, row.contents_text()), row.kind.name().replace('_', " ")))
            }
            PipelineRows::Folders { pipelines, .. } => Some((pipelines.get(index)?.name.clone(), String::new())),
            PipelineRows::Workspace(pipelines) => {
                let (row, _) = pipelines.get(index)?;
                Some((row.name.clone(), folders::title(&[], &row.files)))
            }
        }
    }

    /// The rows that match a text.
    pub fn matching(&self, typed: &str) -> Vec<usize> {
        match self {
            PipelineRows::Database(listing, _) => {
                let rows = listing.pipelines.iter().enumerate();
                rows.filter(|(_, row)| row.matches(typed)).map(|(index, _)| index).collect()
            }
            PipelineRows::Groups(listing) => {
                let rows = listing.groups.iter().enumerate();
                rows.filter(|(_, row)| row.matches(typed)).map(|(index, _)| index).collect()
            }
            PipelineRows::Folders { pipelines, .. } => {
                let typed = typed.to_lowercase();
                let rows = pipelines.iter().enumerate();
                rows.filter(|(_, row)| row.name.to_lowercase().contains(&typed)).map(|(index, _)| index).collect()
            }
            PipelineRows::Workspace(pipelines) => {
                let typed = typed.to_lowercase();
                let text =
                    |row: &PipelineFiles| format!("{} {}", row.name, folders::title(&[], &row.files)).to_lowercase();
                let rows = pipelines.iter().enumerate();
                rows.filter(|(_, (row, _))| text(row).contains(&typed)).map(|(index, _)| index).collect()
            }
        }
    }
}
