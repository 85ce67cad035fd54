//! The layout of a pipeline that is written: as described, and what its shaders need besides.

use std::collections::BTreeMap;

use super::{FossilizeError, MAX_SETS};
use crate::gpu::describe_program;
use crate::pipeline::layout::{Binding, DescriptorSet, Layout, NodeType, PushConstantRange, ResourceNode, StageMask};
use crate::pipeline::vulkan::DescriptorType;
use crate::program::Program;

/// VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK.
const INLINE_BLOCK: i32 = 1_000_138_000;
/// VK_DESCRIPTOR_TYPE_MUTABLE_EXT.
const MUTABLE: i32 = 1_000_351_000;

/// The layout that the description has, with what the shaders need and it lacks.
pub(super) fn layout(program: &Program, notes: &mut Vec<String>) -> Result<Layout, FossilizeError> {
    let needed = describe_program::layout(program).map_err(|error| FossilizeError::Unusable(error.to_string()))?;
    let Some(pipeline) = &program.pipeline else { return Ok(needed) };
    let mut out = if pipeline.layout.sets.is_empty() && !pipeline.layout.nodes.is_empty() {
        of_nodes(&pipeline.layout, notes)
    } else {
        pipeline.layout.clone()
    };
    // What a shader uses is of the type that it says: older descriptions name all buffers alike.
    if out.push_constants.is_empty() {
        out.push_constants = needed.push_constants;
    }
    for set in needed.sets {
        for binding in set.bindings {
            let known = out.sets.iter_mut().find(|known| known.set == set.set);
            let known = match known {
                Some(known) => known,
                None => {
                    out.sets.push(DescriptorSet { set: set.set, hash: None, flags: 0, bindings: Vec::new() });
                    match out.sets.last_mut() {
                        Some(last) => last,
                        None => continue,
                    }
                }
            };
            match known.bindings.iter_mut().find(|own| own.binding == binding.binding) {
                Some(own) if pipeline.layout.sets.is_empty() => {
                    own.stages = own.stages.union(binding.stages);
                    match own.ty.0 {
                        // Its count is bytes; the shader has one block.
                        INLINE_BLOCK => continue,
                        MUTABLE => own.mutable_types.push(binding.ty),
                        // A dynamic buffer is one for the shader, too.
                        8 | 9 => {}
                        _ => own.ty = binding.ty,
                    }
                    own.count = own.count.max(binding.count);
                }
                Some(_) => {}
                None => known.bindings.push(binding),
            }
        }
    }
    if out.sets.iter().flat_map(|set| &set.bindings).any(|binding| binding.ty.0 == MUTABLE) {
        notes
            .push("mutable descriptors list only the types that the shaders use: other types are not known".to_owned());
    }
    out.sets.sort_by_key(|set| set.set);
    out.sets.iter_mut().for_each(|set| set.bindings.sort_by_key(|binding| binding.binding));
    Ok(out)
}

/// Sets and push constants of user data nodes.
fn of_nodes(layout: &Layout, notes: &mut Vec<String>) -> Layout {
    let mut sets: BTreeMap<u32, BTreeMap<u32, Binding>> = BTreeMap::new();
    let mut push = Vec::new();
    let mut add = |node: &ResourceNode, stages: StageMask, root: bool| {
        let (Some(ty), Some(set), Some(binding)) = (node.ty, node.set, node.binding) else { return };
        let Some(descriptor) = descriptor_of(ty, root) else { return };
        if set >= 0xffff_fff0 {
            notes.push(format!("{ty} of the internal set {set:#x} ({}) is not written", node.from));
            return;
        }
        if set >= MAX_SETS {
            notes.push(format!(
                "{ty} of set {set} ({}) is not written: a layout has at most {MAX_SETS} sets",
                node.from
            ));
            return;
        }
        // Where the length is unknown, there is one.
        let stride = node.stride_dwords.filter(|stride| *stride > 0);
        let one = stride.or(ty.dwords()).unwrap_or(node.size_dwords).max(1);
        let count = match ty {
            NodeType::InlineBuffer => node.size_dwords.saturating_mul(4),
            _ => (node.size_dwords / one).max(1),
        };
        // Stages may have a table each for one set.
        let of_set = sets.entry(set).or_default();
        let known = of_set.entry(binding).or_insert_with(|| Binding {
            binding,
            ty: DescriptorType(descriptor),
            count,
            stages,
            flags: 0,
            immutable_samplers: Vec::new(),
            mutable_types: Vec::new(),
        });
        known.count = known.count.max(count);
        known.stages = known.stages.union(stages);
    };
    for root in &layout.nodes {
        if root.node.ty == Some(NodeType::PushConst) {
            let size = root.node.size_dwords.saturating_mul(4);
            push.push(PushConstantRange { stages: root.stages, offset: 0, size });
            continue;
        }
        add(&root.node, root.stages, true);
        for child in &root.node.children {
            add(child, root.stages, false);
        }
    }
    if !layout.static_descriptors.is_empty() {
        notes.push("immutable samplers are written as ordinary samplers: their dwords are not Vulkan state".to_owned());
    }
    let sets = sets.into_iter().map(|(set, bindings)| DescriptorSet {
        set,
        hash: None,
        flags: 0,
        bindings: bindings.into_values().collect(),
    });
    Layout { sets: sets.collect(), push_constants: push, ..Layout::default() }
}

/// VkDescriptorType of a node.
fn descriptor_of(ty: NodeType, root: bool) -> Option<i32> {
    Some(match ty {
        NodeType::Sampler | NodeType::YcbcrSampler => 0,
        NodeType::CombinedTexture => 1,
        NodeType::Resource | NodeType::Fmask => 2,
        NodeType::Image => 3,
        NodeType::ConstTexelBuffer => 4,
        NodeType::TexelBuffer => 5,
        NodeType::ConstBuffer if root => 8,
        NodeType::Buffer if root => 9,
        NodeType::ConstBuffer => 6,
        NodeType::Buffer => 7,
        NodeType::ConstBufferCompact => 8,
        NodeType::BufferCompact => 9,
        NodeType::InlineBuffer => INLINE_BLOCK,
        NodeType::Mutable => MUTABLE,
        _ => return None,
    })
}
