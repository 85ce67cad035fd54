//! The arrangement of tabs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::mode::Mode;

/// An arrangement of tabs. Tabs are named by their views.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// One view.
    View(String),
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

/// What the session keeps of the tabs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedTabs {
    /// The chosen mode.
    pub mode: Mode,
    /// The arrangements that differ from the built-in ones, by mode and views: `layout: source packing registers`.
    pub layouts: BTreeMap<String, Layout>,
    /// The view in front in the drawer, while that is open.
    pub inspect: Option<String>,
    /// Whether the panel of findings is open.
    pub findings: bool,
}
