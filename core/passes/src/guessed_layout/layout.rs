//! Resource nodes in tables and at the root: the form of guessed layouts and of an application's.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::resources::{PushConstants, Resource, ResourceKind};
use super::{SLOT, dwords};
use lanescope_model::options::{AutoLayoutRule, Options};
use lanescope_pipeline::NodeType;

/// Dwords of a dynamic buffer at the root.
const DYNAMIC: u64 = 4;

/// Descriptors of one binding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Node {
    /// The node type; of the finer types the one in keys.
    #[serde(rename = "type")]
    pub node: NodeType,
    /// Its kind for the shader or the application, where known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub kind: Option<ResourceKind>,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// First dword: in its table, or at the root.
    pub offset: u64,
    /// Dwords.
    pub size: u64,
    /// Elements.
    pub array_size: u64,
    /// Dwords from one element to the next where that is not the type's own size; else 0.
    pub stride: u64,
    /// The debug name of its variable.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
}

impl Node {
    /// One past the last dword.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.size)
    }

    /// Its set and its binding.
    pub fn at(&self) -> (u32, u32) {
        (self.set, self.binding)
    }

    /// `set 0 binding 2`.
    pub fn place(&self) -> String {
        format!("set {} binding {}", self.set, self.binding)
    }
}

/// One descriptor set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Table {
    /// The set.
    pub set: u32,
    /// Its size in dwords, reserved slots included.
    pub dwords: u64,
    /// Its nodes, by offset.
    pub nodes: Vec<Node>,
}

/// An item of the root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RootItem {
    /// A pointer to a set's table.
    Table {
        /// The set.
        set: u32,
    },
    /// A dynamic buffer.
    Buffer(Node),
    /// Push constants.
    PushConstants,
    /// Anything else, by its node type.
    Other {
        /// The type.
        #[serde(rename = "type")]
        node: NodeType,
    },
}

impl RootItem {
    /// Its name: `table of set 0`, `buffer at set 0 binding 1`, `push constants`.
    pub fn what(&self) -> String {
        match self {
            RootItem::Table { set } => format!("table of set {set}"),
            RootItem::Buffer(node) => format!("buffer at {}", node.place()),
            RootItem::PushConstants => "push constants".to_owned(),
            RootItem::Other { node } => node.to_string(),
        }
    }
}

/// One node of the root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RootNode {
    /// Its first dword among the user data.
    pub offset: u64,
    /// Dwords.
    pub size: u64,
    /// Its kind.
    pub item: RootItem,
}

/// Tables and root.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Layout {
    /// The sets, by number.
    pub tables: Vec<Table>,
    /// The root, in its order.
    pub root: Vec<RootNode>,
    /// Dwords of the root.
    pub root_dwords: u64,
}

impl Layout {
    /// The node of a binding, and whether it is at the root.
    pub fn find(&self, set: u32, binding: u32) -> Option<(&Node, bool)> {
        self.nodes().find(|(node, _)| node.at() == (set, binding))
    }

    /// The nodes by set and binding, each with whether it is at the root: [`find`](Self::find) for all of them.
    pub fn by_place(&self) -> BTreeMap<(u32, u32), (&Node, bool)> {
        let mut out = BTreeMap::new();
        for found in self.nodes() {
            out.entry(found.0.at()).or_insert(found);
        }
        out
    }

    /// Every descriptor node, those of tables first, and whether it is at the root.
    pub fn nodes(&self) -> impl Iterator<Item = (&Node, bool)> {
        let at_root = self.root.iter().filter_map(|root| match &root.item {
            RootItem::Buffer(node) => Some((node, true)),
            _ => None,
        });
        self.tables.iter().flat_map(|table| &table.nodes).map(|node| (node, false)).chain(at_root)
    }

    /// What a dword of the root is: `table of set 0`, `push constants, byte 4`, `buffer at set 0 binding 1, dword 2`.
    pub fn entry(&self, entry: u64) -> Option<String> {
        let holds = |root: &&RootNode| (root.offset..root.offset.saturating_add(root.size)).contains(&entry);
        let root = self.root.iter().find(holds)?;
        let dword = entry - root.offset;
        let of_many = if root.size > 1 { format!(", dword {dword}") } else { String::new() };
        Some(match &root.item {
            RootItem::PushConstants => format!("{}, byte {}", root.item.what(), dword.saturating_mul(4)),
            item => format!("{}{of_many}", item.what()),
        })
    }

    /// The push constants' place at the root.
    pub fn push_constants(&self) -> Option<&RootNode> {
        self.root.iter().find(|root| root.item == RootItem::PushConstants)
    }

    /// The place of a set's pointer at the root.
    pub fn pointer(&self, set: u32) -> Option<&RootNode> {
        self.root.iter().find(|root| root.item == RootItem::Table { set })
    }
}

/// A binding to be placed.
#[derive(Debug, Clone)]
pub struct Placed {
    /// Its node, without a place.
    pub node: Node,
    /// It goes to the root.
    pub dynamic: bool,
}

/// The nodes that resources need, without places: one per binding.
///
/// The same type again: the later size counts. Images, samplers and texel buffers at one place are a combined texture.
/// A buffer beside one of these is an error that the findings tell; the first stays.
pub fn nodes(resources: &[Resource], options: &Options) -> Vec<Placed> {
    let mut out: Vec<Placed> = Vec::new();
    let mut places: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for resource in resources.iter().filter(|resource| resource.used) {
        let index = *places.entry((resource.set, resource.binding)).or_insert(out.len());
        let Some(known) = out.get_mut(index) else {
            out.push(placed(resource, options));
            continue;
        };
        let is_buffer = |node: NodeType| node == NodeType::Buffer;
        if known.node.node == resource.node {
            known.node.array_size = resource.array_size;
        } else if !is_buffer(known.node.node) && !is_buffer(resource.node) {
            known.node.node = NodeType::CombinedTexture;
            known.node.kind = Some(ResourceKind::CombinedImage);
            known.node.array_size = resource.array_size;
        }
        known.node.size = known.node.array_size.saturating_mul(dwords(known.node.node));
    }
    out
}

fn placed(resource: &Resource, options: &Options) -> Placed {
    let dynamic = match resource.kind {
        ResourceKind::UniformBlock => options.dynamic_uniform,
        ResourceKind::StorageBlock => options.dynamic_storage,
        _ => false,
    };
    let node = Node {
        node: resource.node,
        kind: Some(resource.kind),
        set: resource.set,
        binding: resource.binding,
        offset: 0,
        size: resource.array_size.saturating_mul(dwords(resource.node)),
        array_size: resource.array_size,
        stride: 0,
        name: resource.name.clone(),
    };
    Placed { node, dynamic }
}

/// Places bindings by a rule: tables, then the root in the order of table pointers, dynamic buffers, push constants.
///
/// Under the note's rule a binding's number decides its offset, and slots of missing bindings and of dynamic buffers
/// stay reserved. Under the sequential rule bindings follow each other in their order.
pub fn place(bindings: Vec<Placed>, push_dwords: Option<u64>, rule: AutoLayoutRule) -> Layout {
    let mut tables: BTreeMap<u32, Table> = BTreeMap::new();
    let mut dynamic: Vec<Node> = Vec::new();
    for Placed { mut node, dynamic: at_root } in bindings {
        let table = tables.entry(node.set).or_insert_with(|| Table { set: node.set, dwords: 0, nodes: Vec::new() });
        let slot = u64::from(node.binding) * SLOT;
        node.offset = match rule {
            AutoLayoutRule::Note => slot,
            AutoLayoutRule::Sequential => table.dwords,
        };
        match rule {
            AutoLayoutRule::Note => table.dwords = table.dwords.max(slot + SLOT),
            AutoLayoutRule::Sequential if at_root => {}
            AutoLayoutRule::Sequential => table.dwords = table.dwords.saturating_add(node.size),
        }
        if at_root {
            dynamic.push(node);
        } else {
            table.nodes.push(node);
        }
    }
    // A set that contains dynamic buffers only has no table to point to.
    let mut tables: Vec<Table> = tables.into_values().filter(|table| !table.nodes.is_empty()).collect();
    tables.iter_mut().for_each(|table| table.nodes.sort_by_key(|node| (node.offset, node.binding)));
    let mut layout = Layout { tables, root: Vec::new(), root_dwords: 0 };
    let sets: Vec<u32> = layout.tables.iter().map(|table| table.set).collect();
    sets.into_iter().for_each(|set| layout.push(1, |_| RootItem::Table { set }));
    dynamic.sort_by_key(|node| (node.set, node.binding));
    for node in dynamic {
        let size = DYNAMIC.saturating_mul(node.array_size);
        layout.push(size, |offset| RootItem::Buffer(Node { offset, size, ..node }));
    }
    if let Some(dwords) = push_dwords {
        layout.push(dwords, |_| RootItem::PushConstants);
    }
    layout
}

impl Layout {
    fn push(&mut self, size: u64, item: impl FnOnce(u64) -> RootItem) {
        let offset = self.root_dwords;
        self.root.push(RootNode { offset, size, item: item(offset) });
        self.root_dwords = offset.saturating_add(size);
    }
}

/// The layout that is guessed from a shader alone.
pub fn automatic(resources: &[Resource], push: Option<&PushConstants>, options: &Options) -> Layout {
    by_rule(resources, push, options, options.auto_layout)
}

/// The same by another rule than the options'.
pub(super) fn by_rule(
    resources: &[Resource],
    push: Option<&PushConstants>,
    options: &Options,
    rule: AutoLayoutRule,
) -> Layout {
    let dwords = push.map(|push| match rule {
        AutoLayoutRule::Note => u64::from(push.bytes / 4),
        AutoLayoutRule::Sequential => u64::from(push.summed_bytes / 4),
    });
    place(nodes(resources, options), dwords, rule)
}

/// Why a layout cannot be guessed: descriptors that do not fit into their slot.
pub fn ineligible(layout: &Layout) -> Vec<&Node> {
    layout.nodes().filter(|(node, at_root)| !at_root && node.size > SLOT).map(|(node, _)| node).collect()
}
