//! Lists of pipelines to choose one of: those of databases, folders and workspace files.

use std::path::PathBuf;

use lanescope_core::load;
use lanescope_core::pipeline::foz::Listing;
use lanescope_core::program::Format;
use lanescope_core::sodb;

use super::compare::forget_pairs;
use super::corpus;
use super::effects::Effects;
use super::open::{of_pipeline, open, open_pipeline, open_with};
use crate::engine::loading::broke_down;
use crate::outcome::Outcome;
use crate::state::State;
use crate::state::failure::FailurePage;
use crate::state::overlay::{Overlay, PipelineList, PipelineRows};
use crate::state::program::title;
use crate::state::tasks::Tag;
use lanescope_host::folders::{self, Found, PipelineFiles, Prefer};
use lanescope_host::jobs::caught;
use lanescope_host::workspace::{self, Described};

/// Lists the pipelines of files and folders, for one to be chosen.
pub(super) fn search_folders(state: &mut State, effects: &mut Effects, paths: Vec<PathBuf>) {
    let tag = Tag::List(paths.clone());
    effects.cancel(state, tag.clone());
    effects.start(state, tag, format!("searching {}", title(&paths)), move |_, _| {
        let found = caught(|| folders::find(&paths));
        Outcome::Found(paths, found.unwrap_or_else(|panic| Err(broke_down(&panic))))
    });
}

/// Lists the pipelines of a workspace file, for one to be chosen.
pub(super) fn list_workspace(state: &mut State, effects: &mut Effects, path: PathBuf) {
    let paths = vec![path.clone()];
    let tag = Tag::List(paths.clone());
    effects.cancel(state, tag.clone());
    effects.start(state, tag, format!("reading {}", title(&paths)), move |_, _| {
        let listed = caught(|| workspace::all(&path));
        Outcome::Workspace(paths, listed.unwrap_or_else(|panic| Err(broke_down(&panic))))
    });
}

/// Takes the pipelines of a workspace file, or why there is no list of them.
pub(super) fn take_workspace(
    state: &mut State,
    paths: Vec<PathBuf>,
    listed: Result<Vec<(PipelineFiles, Described)>, String>,
) {
    take_list(state, paths.clone(), listed.map(|pipelines| PipelineList::of_workspace(paths, pipelines)));
}

/// Takes the pipelines of folders, or why there is none.
pub(super) fn take_found(state: &mut State, paths: Vec<PathBuf>, found: Result<Found, String>) {
    match found {
        Ok(found) => state.questions.push_back(Overlay::Pipelines(PipelineList::of_folders(paths, found))),
        Err(why) => {
            forget_pairs(state, &paths);
            state.failure = Some(FailurePage::new(paths, why.into()));
        }
    }
}

/// Opens the list of the database's pipelines.
pub(super) fn choose_pipeline(state: &mut State, effects: &mut Effects) {
    let Some(program) = state.program() else { return };
    let is_database = |format: Format| matches!(format, Format::Fossilize | Format::StateObjects);
    let of_database = program.program.pipeline.as_ref().is_some_and(|p| is_database(p.origin.format));
    if of_database {
        let paths = program.paths.clone();
        list_pipelines(state, effects, paths);
    } else {
        state.messages.info("Not loaded from a Fossilize or state object database.".to_owned());
    }
}

/// Lists the pipelines of databases, for one to be chosen.
pub(super) fn list_pipelines(state: &mut State, effects: &mut Effects, paths: Vec<PathBuf>) {
    let without_key = |path: PathBuf| load::of_database(&path).map_or(path, |(file, _)| file);
    let paths: Vec<PathBuf> = paths.into_iter().map(without_key).collect();
    let tag = Tag::List(paths.clone());
    effects.cancel(state, tag.clone());
    if let Some(database) = paths.iter().find(|path| load::is_state_objects(path)).cloned() {
        effects.start(state, tag, format!("listing the groups of {}", title(&paths)), move |engine, job| {
            let list =
                || engine.loader(job).list_groups(&database, "").map(Box::new).map_err(|error| error.to_string());
            Outcome::Groups(paths, caught(list).unwrap_or_else(|panic| Err(broke_down(&panic))))
        });
        return;
    }
    effects.start(state, tag, format!("listing the pipelines of {}", title(&paths)), move |engine, job| {
        let listing = caught(|| engine.loader(job).list(&paths).map(Box::new).map_err(|error| error.to_string()));
        Outcome::Listed(paths, listing.unwrap_or_else(|panic| Err(broke_down(&panic))))
    });
}

/// Takes the pipelines of databases, or why there is no list of them.
pub(super) fn take_listed(state: &mut State, paths: Vec<PathBuf>, listing: Result<Listing, String>) {
    take_list(state, paths.clone(), listing.map(|listing| PipelineList::new(paths, listing)));
}

/// Takes the groups of a database, or why there is no list of them.
pub(super) fn take_groups(state: &mut State, paths: Vec<PathBuf>, listing: Result<sodb::Listing, String>) {
    take_list(state, paths.clone(), listing.map(|listing| PipelineList::of_groups(paths, listing)));
}

fn take_list(state: &mut State, paths: Vec<PathBuf>, list: Result<PipelineList, String>) {
    match list {
        Ok(list) => state.questions.push_back(Overlay::Pipelines(list)),
        Err(why) if state.is_open(&paths) => state.messages.error(why),
        Err(why) => {
            forget_pairs(state, &paths);
            state.failure = Some(FailurePage::new(paths, why.into()));
        }
    }
}

/// Opens a pipeline of the open list.
pub(super) fn choose_listed(state: &mut State, effects: &mut Effects, index: usize) {
    match std::mem::take(&mut state.overlay) {
        Overlay::Pipelines(PipelineList { paths, rows }) => match rows {
            PipelineRows::Database(_, mut names) if index < names.len() => {
                open_pipeline(state, effects, paths, names.swap_remove(index));
            }
            PipelineRows::Groups(mut listing) if index < listing.groups.len() => {
                open_pipeline(state, effects, paths, listing.groups.swap_remove(index).key);
            }
            PipelineRows::Folders { mut pipelines, .. } if index < pipelines.len() => {
                open(state, effects, pipelines.swap_remove(index).files, None);
            }
            PipelineRows::Workspace(mut pipelines) if index < pipelines.len() => {
                let (PipelineFiles { name, files }, described) = pipelines.swap_remove(index);
                let options = described.beneath(&of_pipeline(state, name));
                open_with(state, effects, files, options, true);
            }
            _ => {}
        },
        other => state.overlay = other,
    }
}

/// Measures all pipelines of the open list, which is closed.
pub(super) fn measure_listed(state: &mut State, effects: &mut Effects) {
    match std::mem::take(&mut state.overlay) {
        Overlay::Pipelines(list) if list.measures().is_some() => {
            let prefer = match &list.rows {
                PipelineRows::Folders { prefer, .. } => *prefer,
                _ => Prefer::default(),
            };
            corpus::measure(state, effects, list.paths, prefer);
        }
        other => state.overlay = other,
    }
}

/// Lists the other form of the shaders of folders.
pub(super) fn prefer_source(state: &mut State, source: bool) {
    if let Overlay::Pipelines(list) = &mut state.overlay {
        list.rows.prefer(if source { Prefer::Source } else { Prefer::Binary });
    }
}
