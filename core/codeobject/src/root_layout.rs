//! From one root layout to another: where a pipeline has what another one has in an entry of user data.

use std::collections::BTreeMap;

use lanescope_pipeline::{NodeType, ResourceNode, RootNode};

use crate::CodeObject;
use crate::user_data::Holds;

/// Why an entry has no place in another root layout.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoPlace {
    /// The first layout does not have the entry.
    #[error("no node of {from} has entry {entry}")]
    NotInFirst {
        /// The file of the first layout.
        from: String,
        /// The entry.
        entry: u64,
    },
    /// Several nodes of the first layout have the entry.
    #[error("entry {entry} is in several nodes of {from} ({first} and {second})")]
    Several {
        /// The file of the first layout.
        from: String,
        /// The entry.
        entry: u64,
        /// Where a node is declared.
        first: String,
        /// Where the other one is.
        second: String,
    },
    /// The second layout does not have the node.
    #[error("entry {entry} is {what} of the first layout ({from}), which the second one does not have")]
    NotInSecond {
        /// The entry.
        entry: u64,
        /// The node.
        what: String,
        /// Where it is declared.
        from: String,
    },
    /// The node is smaller there.
    #[error("entry {entry} is dword {dword} of {what}, which has {size} in the second layout")]
    Smaller {
        /// The entry.
        entry: u64,
        /// The node.
        what: String,
        /// The dword of the node, from 0.
        dword: u64,
        /// Dwords that it has.
        size: u32,
    },
    /// A table has a descriptor elsewhere.
    #[error("{what} is {before} in the first layout, {after} in the second: its place is in the code")]
    OtherTable {
        /// The descriptor.
        what: String,
        /// Type, offset, size and stride.
        before: String,
        /// The same in the second layout; `missing` where it has none.
        after: String,
    },
}

/// The entries that an object maps, each with its place in a second root layout. `name` is what errors call the first one.
///
/// # Errors
/// An entry without a place, or whose table has other contents: the code would have to change.
pub fn places(
    object: &CodeObject,
    name: &str,
    first: &[RootNode],
    second: &[RootNode],
) -> Result<BTreeMap<u64, u64>, NoPlace> {
    let sgprs = object.pipelines.iter().flat_map(|pipeline| &pipeline.user_data).flat_map(|data| &data.sgprs);
    let mut out = BTreeMap::new();
    for sgpr in sgprs {
        if let Holds::Entry { entry } = sgpr.holds {
            out.insert(entry, place(entry, name, first, second)?);
        }
    }
    Ok(out)
}

fn place(entry: u64, name: &str, first: &[RootNode], second: &[RootNode]) -> Result<u64, NoPlace> {
    let from = || name.to_owned();
    let mut holders = first.iter().map(|root| &root.node).filter(|node| range(node).contains(&entry));
    let node = holders.next().ok_or_else(|| NoPlace::NotInFirst { from: from(), entry })?;
    if let Some(other) = holders.find(|other| !is_same(node, other)) {
        let [first, second] = [node, other].map(|node| node.from.clone());
        return Err(NoPlace::Several { from: from(), entry, first, second });
    }
    let found = second.iter().map(|root| &root.node).find(|other| is_same(node, other));
    let there = found.ok_or_else(|| NoPlace::NotInSecond { entry, what: named(node), from: node.from.clone() })?;
    let dword = entry - u64::from(node.offset_dwords);
    if dword >= u64::from(there.size_dwords) {
        return Err(NoPlace::Smaller { entry, what: named(node), dword, size: there.size_dwords });
    }
    for child in &node.children {
        let own = |other: &&ResourceNode| (other.set, other.binding) == (child.set, child.binding);
        let after = there.children.iter().find(own);
        if after.is_none_or(|after| shape(after) != shape(child)) {
            let after = after.map_or_else(|| "missing".to_owned(), shown);
            return Err(NoPlace::OtherTable { what: named(child), before: shown(child), after });
        }
    }
    Ok(u64::from(there.offset_dwords) + dword)
}

fn range(node: &ResourceNode) -> std::ops::Range<u64> {
    let from = u64::from(node.offset_dwords);
    from..from + u64::from(node.size_dwords)
}

/// Whether both are the same resource: of tables, those of one set.
fn is_same(one: &ResourceNode, other: &ResourceNode) -> bool {
    let set = |node: &ResourceNode| node.children.first().map(|child| child.set);
    let is_descriptor = one.ty.is_some_and(NodeType::is_descriptor);
    one.ty == other.ty
        && set(one) == set(other)
        && (!is_descriptor || (one.set, one.binding) == (other.set, other.binding))
}

/// What of a descriptor is in the code.
fn shape(node: &ResourceNode) -> (Option<NodeType>, u32, u32, u32) {
    (node.ty, node.offset_dwords, node.size_dwords, node.stride_dwords.unwrap_or(0))
}

fn shown(node: &ResourceNode) -> String {
    let (ty, offset, size, stride) = shape(node);
    let ty = ty.map_or("of no type", NodeType::name);
    let stride = if stride > 0 { format!(", stride {stride}") } else { String::new() };
    format!("{ty} at dword {offset}, size {size}{stride}")
}

/// A node in words: `the table of set 0`, `the push constants`, `set 0, binding 3`.
fn named(node: &ResourceNode) -> String {
    let set = node.children.first().and_then(|child| child.set);
    match (node.ty, node.set, node.binding) {
        (Some(NodeType::TablePointer), ..) => match set {
            Some(set) => format!("the table of set {set}"),
            None => "a table without descriptors".to_owned(),
        },
        (Some(NodeType::PushConst), ..) => "the push constants".to_owned(),
        (Some(ty), Some(set), Some(binding)) if ty.is_descriptor() => format!("set {set}, binding {binding}"),
        (Some(ty), ..) => ty.name().to_owned(),
        (None, ..) => "a node without a type".to_owned(),
    }
}
