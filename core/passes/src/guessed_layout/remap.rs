//! The place of each node of the guessed root in the application's user data.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::UserData;
use super::layout::{Layout, RootItem, RootNode};
use lanescope_model::program::StageKind;

/// One node of the automatic root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remap {
    /// Name of the item: `table of set 0`.
    pub what: String,
    /// Its first dword and its size as guessed.
    pub automatic: [u64; 2],
    /// Its place in the application; absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub application: Option<[u64; 2]>,
}

impl Remap {
    /// Whether it is at another place.
    pub fn moves(&self) -> bool {
        self.application.is_some_and(|theirs| theirs[0] != self.automatic[0])
    }
}

/// Every node of the automatic root with its place in the application's.
pub fn remap(auto: &Layout, application: &Layout) -> Vec<Remap> {
    let mut buffers: BTreeMap<(u32, u32), &RootNode> = BTreeMap::new();
    let mut pointers: BTreeMap<u32, &RootNode> = BTreeMap::new();
    for root in &application.root {
        match &root.item {
            RootItem::Table { set } => {
                pointers.entry(*set).or_insert(root);
            }
            RootItem::Buffer(node) => {
                buffers.entry(node.at()).or_insert(root);
            }
            RootItem::PushConstants | RootItem::Other { .. } => {}
        }
    }
    let row = |root: &RootNode| {
        let (what, theirs) = match &root.item {
            RootItem::Table { set } => (format!("table of set {set}"), pointers.get(set).copied()),
            RootItem::Buffer(node) => (format!("buffer at {}", node.place()), buffers.get(&node.at()).copied()),
            RootItem::PushConstants => ("push constants".to_owned(), application.push_constants()),
            RootItem::Other { node } => (node.to_string(), None),
        };
        Remap {
            what,
            automatic: [root.offset, root.size],
            application: theirs.map(|theirs| [theirs.offset, theirs.size]),
        }
    };
    auto.root.iter().map(row).collect()
}

/// Open questions of the design note about moving this stage's user data: one sentence each.
pub fn gaps(stage: StageKind, data: Option<&UserData>, rows: &[Remap]) -> Vec<String> {
    let mut out = Vec::new();
    if stage == StageKind::Compute && rows.iter().any(Remap::moves) {
        out.push("the design note has no remapping of user data for compute shaders".to_owned());
    }
    if let Some(why) = data.and_then(UserData::why_spills) {
        out.push(format!("{why}: the design note has no remapping of the spill table"));
    }
    out
}
