//! The place of each node of the guessed root in the application's user data.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::layout::{Layout, RootItem, RootNode};
use super::{Holds, UserData};
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

/// One user SGPR of the code that was compiled with the guessed layout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MovedSgpr {
    /// The SGPR.
    pub sgpr: u32,
    /// What it holds by the guessed layout.
    pub guessed: Holds,
    /// What it holds once the mapping is that of the application's layout; absent where that has no such dword.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub moved: Option<Holds>,
    /// What the dword is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub what: Option<String>,
}

impl MovedSgpr {
    /// Whether it holds another entry after the remap.
    pub fn moves(&self) -> bool {
        self.moved != Some(self.guessed)
    }
}

/// Each user SGPR of the guessed code before and after the remap. The code names SGPRs, so what they hold may be anywhere in
/// the root.
pub fn moved_sgprs(data: &UserData, rows: &[Remap]) -> Vec<MovedSgpr> {
    let moved = |entry: u32| {
        let entry = u64::from(entry);
        let entry = rows.iter().find_map(|row| {
            let ([from, size], [to, theirs]) = (row.automatic, row.application?);
            let dword = entry.checked_sub(from).filter(|dword| *dword < size.min(theirs))?;
            to.checked_add(dword)
        });
        entry.and_then(|entry| u32::try_from(entry).ok())
    };
    let row = |(sgpr, guessed): (u32, Holds)| {
        let moved = match guessed {
            Holds::Entry { entry } => moved(entry).map(|entry| Holds::Entry { entry }),
            _ => Some(guessed),
        };
        MovedSgpr { sgpr, guessed, moved, what: data.what(sgpr).map(str::to_owned) }
    };
    (0..).zip(data.sgprs()).map(row).collect()
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
        let theirs = match &root.item {
            RootItem::Table { set } => pointers.get(set).copied(),
            RootItem::Buffer(node) => buffers.get(&node.at()).copied(),
            RootItem::PushConstants => application.push_constants(),
            RootItem::Other { .. } => None,
        };
        Remap {
            what: root.item.what(),
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
