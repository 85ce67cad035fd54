//! The arrangement of tabs.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

use crate::mode::{INSPECT, Mode};
use crate::view::ViewId;

/// An arrangement of tabs. Sessions name tabs by their views; a name of another version is an empty group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", from = "Stored")]
pub enum Layout {
    /// One view.
    View(ViewId),
    /// Several in one place, one of them in front.
    Tabs {
        /// The tabs, from left to right.
        children: Vec<Layout>,
        /// Index of the one in front.
        active: usize,
    },
    /// Side by side; each with its share of the width.
    Row(Vec<(f32, Layout)>),
    /// One above the other; each with its share of the height.
    Column(Vec<(f32, Layout)>),
}

/// An arrangement as a session has it.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stored {
    View(String),
    Tabs { children: Vec<Layout>, active: usize },
    Row(Vec<(f32, Layout)>),
    Column(Vec<(f32, Layout)>),
}

impl From<Stored> for Layout {
    fn from(stored: Stored) -> Layout {
        match stored {
            Stored::View(name) => match ViewId::of_name(&name) {
                Some(view) => Layout::View(view),
                None => Layout::Tabs { children: Vec::new(), active: 0 },
            },
            Stored::Tabs { children, active } => Layout::Tabs { children, active },
            Stored::Row(children) => Layout::Row(children),
            Stored::Column(children) => Layout::Column(children),
        }
    }
}

/// How a tab is moved without a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// To the next group of tabs.
    NextGroup,
    /// Into a group of its own to the right.
    Right,
    /// Into a group of its own below.
    Below,
}

/// What the session keeps of the tabs of all programs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedTabs {
    /// The arrangements that differ from the built-in ones, by mode and views: `layout: source packing registers`.
    pub layouts: BTreeMap<String, Layout>,
}

/// What is in front for one program. Default: the mode [`Mode::Layout`], without drawer and panel.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ShownTabs {
    /// The chosen mode.
    pub mode: Mode,
    /// The views in front in that mode, one for each pane.
    #[serde(deserialize_with = "known_views")]
    pub front: Vec<ViewId>,
    /// The view that keys go to.
    #[serde(deserialize_with = "known_view")]
    pub focus: Option<ViewId>,
    /// The view in front in the drawer, while that is open.
    #[serde(deserialize_with = "drawer")]
    pub inspect: Option<ViewId>,
    /// Whether the panel of findings is open.
    pub findings: bool,
}

/// Views, without names of another version.
fn known_views<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<ViewId>, D::Error> {
    let names: Vec<String> = Vec::deserialize(from)?;
    Ok(names.iter().filter_map(|name| ViewId::of_name(name)).collect())
}

/// A view; none for a name of another version.
fn known_view<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ViewId>, D::Error> {
    let name: Option<String> = Option::deserialize(from)?;
    Ok(name.and_then(|name| ViewId::of_name(&name)))
}

/// The view of the drawer: with a name of another version, the drawer is open too.
fn drawer<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ViewId>, D::Error> {
    let name: Option<String> = Option::deserialize(from)?;
    Ok(name.map(|name| ViewId::of_name(&name).unwrap_or(INSPECT[0])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_sessions_of_other_versions() {
        let text =
            r#"{"layouts":{"a":{"tabs":{"children":[{"view":"gone"},{"view":"isa"}],"active":1}}},"mode":"run"}"#;
        let tabs: SavedTabs = serde_json::from_str(text).expect("reads");
        let gone = Layout::Tabs { children: Vec::new(), active: 0 };
        let children = vec![gone, Layout::View(ViewId::Isa)];
        assert_eq!(tabs.layouts["a"], Layout::Tabs { children, active: 1 });
        let text = r#"{"mode":"compiled","front":["gone","isa"],"focus":"gone","inspect":"gone"}"#;
        let shown: ShownTabs = serde_json::from_str(text).expect("reads");
        let front = vec![ViewId::Isa];
        let inspect = Some(INSPECT[0]);
        assert_eq!(shown, ShownTabs { mode: Mode::Compiled, front, focus: None, inspect, findings: false });
        let known = Layout::Row(vec![(1.0, Layout::View(ViewId::GuessedLayout))]);
        let json = serde_json::to_string(&known).expect("serializes");
        assert_eq!(json, r#"{"row":[[1.0,{"view":"layout"}]]}"#);
        assert_eq!(serde_json::from_str::<Layout>(&json).expect("reads"), known);
    }
}
