//! A layout in LLPC's form: static descriptors and user data nodes, each with its visible stages.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::layout::{Layout, Node, RootItem, Table};
use lanescope_base::ids::Hex;
use lanescope_pipeline as pipeline;
use lanescope_pipeline::{NodeType, Pipeline, ResourceNode, RootNode, StageMask, StaticDescriptor};

/// The inputs of a key by today's rule.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mapping<'a> {
    /// Descriptors whose dwords are part of the layout.
    pub static_descriptors: Cow<'a, [StaticDescriptor]>,
    /// The root, in its order.
    pub roots: Cow<'a, [RootNode]>,
}

impl<'a> Mapping<'a> {
    /// A layout whose every node these stages see, as AMD's driver has it: all those of the pipeline.
    pub fn of(layout: &Layout, stages: StageMask) -> Mapping<'a> {
        let tables: BTreeMap<u32, &Table> = layout.tables.iter().map(|table| (table.set, table)).collect();
        let root = |root: &super::RootNode| {
            let bare = |ty| node(ty, root.offset, root.size);
            let node = match &root.item {
                RootItem::Table { set } => {
                    let children = tables.get(set).into_iter().flat_map(|table| &table.nodes).map(described).collect();
                    ResourceNode { children, ..bare(NodeType::TablePointer) }
                }
                RootItem::Buffer(buffer) => described(buffer),
                RootItem::PushConstants => bare(NodeType::PushConst),
                RootItem::Other { node } => bare(*node),
            };
            RootNode { visibility: stages.llpc(), stages, node }
        };
        Mapping { static_descriptors: Cow::default(), roots: layout.root.iter().map(root).collect() }
    }

    /// The mapping of a description, or one derived from its sets: `layout` is where they were placed.
    pub fn described(pipeline: &'a Pipeline, layout: &Layout, stages: StageMask) -> Mapping<'a> {
        let given = &pipeline.layout;
        if !given.nodes.is_empty() {
            let static_descriptors = Cow::Borrowed(given.static_descriptors.as_slice());
            return Mapping { static_descriptors, roots: Cow::Borrowed(&given.nodes) };
        }
        let samplers = samplers(given, stages);
        let all = given.static_descriptors.iter().cloned().chain(samplers);
        Mapping { static_descriptors: all.collect(), ..Mapping::of(layout, stages) }
    }
}

/// The samplers of set layouts as static descriptors.
///
/// Their dwords are the hardware's, which only a driver knows: the hash of what a sampler was created from, which tells
/// it from others as well, is in the first two.
fn samplers(layout: &pipeline::Layout, stages: StageMask) -> impl Iterator<Item = StaticDescriptor> {
    let bindings = layout.sets.iter().flat_map(|set| set.bindings.iter().map(move |binding| (set.set, binding)));
    let fixed = bindings.filter(|(_, binding)| !binding.immutable_samplers.is_empty());
    fixed.map(move |(set, binding)| StaticDescriptor {
        from: String::new(),
        ty: Some(NodeType::Sampler),
        set,
        binding: binding.binding,
        array_size: binding.immutable_samplers.len().try_into().unwrap_or(u32::MAX),
        visibility: stages.llpc(),
        stages,
        data: binding.immutable_samplers.iter().flat_map(|sampler| dwords_of(sampler.hash)).collect(),
    })
}

fn dwords_of(Hex(hash): lanescope_base::ids::Hash64) -> [u32; 4] {
    [hash as u32, (hash >> 32) as u32, 0, 0]
}

fn described(of: &Node) -> ResourceNode {
    let stride = u32::try_from(of.stride).unwrap_or(u32::MAX);
    ResourceNode {
        set: Some(of.set),
        binding: Some(of.binding),
        stride_dwords: Some(stride).filter(|stride| *stride > 0),
        ..node(of.node, of.offset, of.size)
    }
}

/// A node without a place. What is too large for its fields is refused before a key is requested.
fn node(ty: NodeType, offset: u64, size: u64) -> ResourceNode {
    let word = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    ResourceNode {
        from: String::new(),
        ty: Some(ty),
        offset_dwords: word(offset),
        size_dwords: word(size),
        set: None,
        binding: None,
        stride_dwords: None,
        indirect_dwords: None,
        children: Vec::new(),
    }
}
