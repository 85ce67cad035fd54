//! An application's side: where it puts the resources of a stage, and what it draws to.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::layout::{Layout, Node, Placed, RootItem, RootNode, Table, place};
use super::outputs::FragmentOutput;
use super::resources::{Resource, ResourceKind};
use super::{coarse, dwords};
use crate::color_export::{Attachment, export_format};
use lanescope_model::options::{ColorTarget, Options, SpecValue};
use lanescope_model::program::StageKind;
use lanescope_pipeline as pipeline;
use lanescope_pipeline::vulkan::DescriptorType;
use lanescope_pipeline::{NodeType, Pipeline, ResourceNode};
use lanescope_spirv::Module;

/// The most nodes of one table that are looked at.
const MAX_NODES: usize = 65_536;

/// A colour target, and the format in which the shader exports to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Color {
    /// Its location.
    pub location: u32,
    /// Its format; `UNDEFINED` where there is no target.
    pub format: String,
    /// Whether it blends.
    pub blend: bool,
    /// Whether it multiplies colours by the output's alpha.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub blends_by_alpha: bool,
    /// No channel of it is written.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub unwritten: bool,
    /// The number of the export format; 0 for none.
    pub export: u32,
    /// Its name.
    pub export_name: String,
    /// The rule that chose it.
    pub why: String,
}

/// The application's side for a stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Application {
    /// Origin: a file, or the shaders themselves.
    pub origin: String,
    /// Layout of the resources.
    pub layout: Layout,
    /// The description places the nodes itself; else the options' rule does.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub placed: bool,
    /// Bindings that the stage may not use.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub hidden: Vec<(u32, u32)>,
    /// Bindings whose descriptors are part of the layout.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub fixed: Vec<(u32, u32)>,
    /// Colour targets of the outputs that the shader has.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub colors: Vec<Color>,
    /// Specialization constants whose value is not the module's own, by id.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub spec: Vec<(u32, String)>,
}

/// The properties that select the export of an output.
pub(super) fn color(options: &Options, output: &FragmentOutput, given: ColorTarget, alpha_to_coverage: bool) -> Color {
    let alpha = output.write_mask & 8 != 0;
    let to_coverage = alpha_to_coverage && output.location == 0;
    let export = export_format(options.target, &Attachment::of(&given), alpha, to_coverage);
    let ColorTarget { format, blend, blends_by_alpha, unwritten } = given;
    Color {
        location: output.location,
        format,
        blend,
        blends_by_alpha,
        unwritten,
        export: export.code,
        export_name: export.name.to_owned(),
        why: export.rule.to_owned(),
    }
}

impl Color {
    /// The target as options say it.
    pub fn target(&self) -> ColorTarget {
        let &Color { blend, blends_by_alpha, unwritten, .. } = self;
        ColorTarget { format: self.format.clone(), blend, blends_by_alpha, unwritten }
    }
}

impl Application {
    /// The application's side for a stage, from a description.
    pub fn described(
        pipeline: &Pipeline,
        origin: &str,
        stage: StageKind,
        module: (usize, &Module),
        outputs: &[FragmentOutput],
        options: &Options,
    ) -> Application {
        let mut hidden = Vec::new();
        let mut fixed: Vec<(u32, u32)> = pipeline
            .layout
            .static_descriptors
            .iter()
            .filter(|descriptor| descriptor.stages.has(stage) || descriptor.stages.is_empty())
            .map(|descriptor| (descriptor.set, descriptor.binding))
            .collect();
        let layout = if pipeline.layout.nodes.is_empty() {
            of_sets(&pipeline.layout, stage, options, &mut hidden, &mut fixed)
        } else {
            of_nodes(&pipeline.layout, stage, &mut hidden)
        };
        let given = pipeline.constants_of(module.0).map(|(id, value)| (id, value.clone())).collect();
        let mut application = Application {
            origin: origin.to_owned(),
            layout,
            placed: !pipeline.layout.nodes.is_empty(),
            hidden,
            fixed,
            colors: Vec::new(),
            spec: changed(module.1, given, options),
        };
        let multisample = pipeline.state.multisample.as_ref();
        let to_coverage = multisample.and_then(|m| m.alpha_to_coverage).unwrap_or(options.alpha_to_coverage);
        match &pipeline.state.attachments {
            Some(attachments) => {
                let of = |output: &FragmentOutput| {
                    let found = attachments.colors.iter().find(|color| color.location == output.location);
                    let name = found.and_then(|found| found.format?.name()).unwrap_or("UNDEFINED").to_owned();
                    let target = match found {
                        Some(found) => found.target(name),
                        None => ColorTarget::new(name, false),
                    };
                    color(options, output, target, to_coverage)
                };
                application.colors = outputs.iter().filter(|output| output.index == 0).map(of).collect();
            }
            None => application.colors = default_colors(outputs, options, to_coverage),
        }
        application
    }

    /// What an application has that takes every binding that any stage declares, used or not, and the formats of the
    /// options.
    pub fn reflected(
        declared: &[Resource],
        push_bytes: Option<u32>,
        module: &Module,
        outputs: &[FragmentOutput],
        options: &Options,
    ) -> Application {
        let all: Vec<Resource> = declared.iter().map(|one| Resource { used: true, ..one.clone() }).collect();
        let mut placed = super::layout::nodes(&all, options);
        placed.sort_by_key(|placed| (placed.node.set, placed.node.binding));
        let push = push_bytes.map(|bytes| u64::from(bytes / 4));
        Application {
            origin: "a pipeline with all declared bindings".to_owned(),
            layout: place(placed, push, options.auto_layout),
            placed: false,
            hidden: Vec::new(),
            fixed: Vec::new(),
            colors: default_colors(outputs, options, options.alpha_to_coverage),
            spec: changed(module, BTreeMap::new(), options),
        }
    }
}

/// The targets of the options, else the formats that the registers have by default.
fn default_colors(outputs: &[FragmentOutput], options: &Options, to_coverage: bool) -> Vec<Color> {
    let of = |output: &FragmentOutput| match options.color.get(&output.location) {
        Some(target) => color(options, output, target.clone(), to_coverage),
        None if options.no_default_color => color(options, output, ColorTarget::new("UNDEFINED", false), to_coverage),
        None => {
            let name = match output.basic_type.name().trim_end_matches(|c: char| c.is_ascii_digit()) {
                "uint" => "R32G32B32A32_UINT",
                "int" => "R32G32B32A32_SINT",
                _ => "R8G8B8A8_UNORM",
            };
            color(options, output, ColorTarget::new(name, false), to_coverage)
        }
    };
    outputs.iter().filter(|output| output.index == 0).map(of).collect()
}

/// The constants whose value is another than the module's own.
fn changed(module: &Module, mut given: BTreeMap<u32, SpecValue>, options: &Options) -> Vec<(u32, String)> {
    given.extend(options.spec.iter().map(|(id, value)| (*id, value.clone())));
    if given.is_empty() {
        return Vec::new();
    }
    let values = |module: &Module| -> BTreeMap<u32, String> {
        module.spec_constants().into_iter().map(|constant| (constant.spec_id, constant.value)).collect()
    };
    let before = values(module);
    // A value that does not fit its constant is reported elsewhere.
    let after = module.specialised(&given).map(|module| values(&module)).unwrap_or_default();
    after.into_iter().filter(|(id, value)| before.get(id).is_some_and(|was| was != value)).collect()
}

/// The layout of the API's sets: bindings ascending, placed by the options' rule as a driver would have to.
fn of_sets(
    layout: &pipeline::Layout,
    stage: StageKind,
    options: &Options,
    hidden: &mut Vec<(u32, u32)>,
    fixed: &mut Vec<(u32, u32)>,
) -> Layout {
    let mut placed = Vec::new();
    for set in &layout.sets {
        let mut bindings: Vec<_> = set.bindings.iter().filter(|binding| binding.count > 0).collect();
        bindings.sort_by_key(|binding| binding.binding);
        for binding in bindings.into_iter().take(MAX_NODES) {
            if !binding.stages.has(stage) {
                hidden.push((set.set, binding.binding));
            }
            if !binding.immutable_samplers.is_empty() {
                fixed.push((set.set, binding.binding));
            }
            let (node, kind, dynamic) = described(binding.ty);
            let count = u64::from(binding.count);
            // It holds any of its types.
            let of_types = binding.mutable_types.iter().map(|ty| dwords(described(*ty).0)).max();
            let (array_size, size) = match node {
                // Its count is bytes.
                NodeType::InlineBuffer => (1, count.div_ceil(4)),
                NodeType::Mutable => (count, count.saturating_mul(of_types.unwrap_or(dwords(node)))),
                _ => (count, count.saturating_mul(dwords(node))),
            };
            let (set, binding) = (set.set, binding.binding);
            let node = Node { node, kind, set, binding, offset: 0, size, array_size, stride: 0, name: None };
            placed.push(Placed { node, dynamic });
        }
    }
    let visible = layout.push_constants.iter().filter(|range| range.stages.has(stage));
    let push = visible.map(|range| u64::from(range.offset) + u64::from(range.size)).max();
    place(placed, push.map(|bytes| bytes.div_ceil(4)), options.auto_layout)
}

/// The node of a descriptor type, and whether it is dynamic.
fn described(ty: DescriptorType) -> (NodeType, Option<ResourceKind>, bool) {
    use ResourceKind as K;
    let (kind, dynamic) = match ty.0 {
        0 => (K::Sampler, false),
        1 => (K::CombinedImage, false),
        2 => (K::SampledImage, false),
        3 => (K::StorageImage, false),
        4 => (K::UniformTexels, false),
        5 => (K::StorageTexels, false),
        6 => (K::UniformBlock, false),
        7 => (K::StorageBlock, false),
        8 => (K::UniformBlock, true),
        9 => (K::StorageBlock, true),
        10 => (K::InputAttachment, false),
        1_000_150_000 | 1_000_165_000 => (K::AccelerationStructure, false),
        1_000_138_000 => return (NodeType::InlineBuffer, None, false),
        1_000_351_000 => return (NodeType::Mutable, None, false),
        _ => return (NodeType::Buffer, None, false),
    };
    (kind.node_type(), Some(kind), dynamic)
}

/// The layout of user data nodes, as they are placed: what the stage sees, then what others alone see, which is hidden.
/// Stages may have a table each for one set: a place that this one sees is where this one's table has it.
pub fn of_nodes(layout: &pipeline::Layout, stage: StageKind, hidden: &mut Vec<(u32, u32)>) -> Layout {
    let mut out = Layout::default();
    let (own, others): (Vec<_>, Vec<_>) = layout.nodes.iter().partition(|root| root.stages.has(stage));
    let mut tables: BTreeMap<u32, Table> = BTreeMap::new();
    let in_table =
        |node: &ResourceNode| -> Vec<Node> { node.children.iter().take(MAX_NODES).filter_map(descriptor).collect() };
    for node in own.into_iter().map(|root| &root.node) {
        let item = match node.ty {
            Some(NodeType::TablePointer) => {
                let nodes = in_table(node);
                let set = nodes.first().map_or(0, |node| node.set);
                let table = tables.entry(set).or_insert_with(|| Table { set, dwords: 0, nodes: Vec::new() });
                table.dwords = nodes.iter().map(Node::end).fold(table.dwords, u64::max);
                table.nodes.extend(nodes);
                RootItem::Table { set }
            }
            Some(NodeType::PushConst) => RootItem::PushConstants,
            Some(ty) if ty.is_descriptor() => match descriptor(node) {
                Some(node) => RootItem::Buffer(node),
                None => RootItem::Other { node: ty },
            },
            Some(ty) => RootItem::Other { node: ty },
            None => continue,
        };
        let (offset, size) = (u64::from(node.offset_dwords), u64::from(node.size_dwords));
        out.root_dwords = out.root_dwords.max(offset.saturating_add(size));
        out.root.push(RootNode { offset, size, item });
    }
    let at_root = out.root.iter().filter_map(|root| match &root.item {
        RootItem::Buffer(node) => Some(node),
        _ => None,
    });
    let seen = tables.values().flat_map(|table| &table.nodes).chain(at_root);
    let mut known: BTreeSet<(u32, u32)> = seen.map(|node| (node.set, node.binding)).collect();
    for node in others.into_iter().map(|root| &root.node) {
        if node.ty != Some(NodeType::TablePointer) {
            let place = descriptor(node).map(|node| (node.set, node.binding));
            hidden.extend(place.filter(|place| known.insert(*place)));
            continue;
        }
        for node in in_table(node) {
            if known.insert((node.set, node.binding)) {
                hidden.push((node.set, node.binding));
                let (set, end) = (node.set, node.end());
                let table = tables.entry(set).or_insert_with(|| Table { set, dwords: 0, nodes: Vec::new() });
                table.dwords = table.dwords.max(end);
                table.nodes.push(node);
            }
        }
    }
    out.tables = tables.into_values().collect();
    out.tables.iter_mut().for_each(|table| table.nodes.sort_by_key(|node| (node.offset, node.binding)));
    out
}

fn descriptor(node: &ResourceNode) -> Option<Node> {
    let ty = node.ty.filter(|ty| ty.is_descriptor())?;
    let each = match node.stride_dwords.map(u64::from) {
        Some(stride) if stride > 0 => stride,
        _ => dwords(ty),
    };
    // A texel buffer takes 4 dwords of hardware, and 8 where the tool counts it.
    let size = u64::from(node.size_dwords);
    let natural = ty.dwords().map_or(each, u64::from);
    let array_size = if ty == NodeType::InlineBuffer { 1 } else { (size / each.min(natural).max(1)).max(1) };
    Some(Node {
        node: coarse(ty),
        kind: kind_of(ty),
        set: node.set.unwrap_or(0),
        binding: node.binding.unwrap_or(0),
        offset: u64::from(node.offset_dwords),
        size,
        array_size,
        stride: node.stride_dwords.map_or(0, u64::from),
        name: None,
    })
}

/// What a node of one of the finer types is. Older files say the coarse ones for all.
fn kind_of(ty: NodeType) -> Option<ResourceKind> {
    Some(match ty {
        NodeType::ConstBuffer | NodeType::ConstBufferCompact => ResourceKind::UniformBlock,
        NodeType::Image => ResourceKind::StorageImage,
        NodeType::ConstTexelBuffer => ResourceKind::UniformTexels,
        NodeType::Sampler => ResourceKind::Sampler,
        NodeType::CombinedTexture => ResourceKind::CombinedImage,
        _ => return None,
    })
}
