//! What an entry point needs of a layout, read from SPIR-V: resource nodes, push constants.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::liveness::Liveness;
use lanescope_base::ids::Id;
use lanescope_base::named_enum;
use lanescope_pipeline::NodeType;
use lanescope_pipeline::vulkan::DescriptorType;
use lanescope_spirv::enums::{Decoration, Dim, Op, StorageClass};
use lanescope_spirv::opcode::Chain;
use lanescope_spirv::shape::Shape;
use lanescope_spirv::{Module, Type};

/// Assumed length of an array of descriptors whose length only the layout has.
pub const RUNTIME_LENGTH: u64 = 16;

named_enum!(
    /// A shader's declaration at a binding.
    ResourceKind {
        /// A block that is only read.
        UniformBlock = "uniform_block",
        /// A block in storage.
        StorageBlock = "storage_block",
        /// A sampler.
        Sampler = "sampler",
        /// An image to sample.
        SampledImage = "sampled_image",
        /// An image with its sampler.
        CombinedImage = "combined_image",
        /// An image to load from and store to.
        StorageImage = "storage_image",
        /// An attachment that is read.
        InputAttachment = "input_attachment",
        /// A buffer of texels to read.
        UniformTexels = "uniform_texels",
        /// A buffer of texels in storage.
        StorageTexels = "storage_texels",
        /// An acceleration structure.
        AccelerationStructure = "acceleration_structure",
        /// Anything else with a binding, which counts as a buffer.
        Other = "other",
    }
);

impl ResourceKind {
    /// The node type of the automatic layout, which is the one in keys.
    pub fn node_type(self) -> NodeType {
        match self {
            ResourceKind::Sampler => NodeType::Sampler,
            ResourceKind::SampledImage | ResourceKind::StorageImage | ResourceKind::InputAttachment => {
                NodeType::Resource
            }
            ResourceKind::CombinedImage => NodeType::CombinedTexture,
            ResourceKind::UniformTexels | ResourceKind::StorageTexels => NodeType::TexelBuffer,
            ResourceKind::UniformBlock
            | ResourceKind::StorageBlock
            | ResourceKind::AccelerationStructure
            | ResourceKind::Other => NodeType::Buffer,
        }
    }

    /// The descriptor that it uses unless it is described as dynamic, an inline block or a mutable one.
    pub fn descriptor_type(self) -> Option<DescriptorType> {
        let number = match self {
            ResourceKind::Sampler => 0,
            ResourceKind::CombinedImage => 1,
            ResourceKind::SampledImage => 2,
            ResourceKind::StorageImage => 3,
            ResourceKind::UniformTexels => 4,
            ResourceKind::StorageTexels => 5,
            ResourceKind::UniformBlock => 6,
            ResourceKind::StorageBlock => 7,
            ResourceKind::InputAttachment => 10,
            ResourceKind::AccelerationStructure => 1_000_150_000,
            ResourceKind::Other => return None,
        };
        Some(DescriptorType(number))
    }
}

/// One variable with a binding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resource {
    /// Its debug name, or its block's.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Its kind.
    pub kind: ResourceKind,
    /// Its node type in the automatic layout.
    #[serde(rename = "type")]
    pub node: NodeType,
    /// Elements: the product of all lengths. A length that only the layout has counts as 16.
    pub array_size: u64,
    /// Whether a length is known only to the layout.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub runtime: bool,
    /// Whether code names it that is left once dead code is gone.
    pub used: bool,
}

/// The push constants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PushConstants {
    /// The block's name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// One past the last byte of a member that is used, in whole dwords.
    pub bytes: u32,
    /// The whole block, in whole dwords.
    pub block_bytes: u32,
    /// The sum of the members' sizes without padding, in whole dwords: what LLPC's tool counts.
    pub summed_bytes: u32,
}

/// The variables with a binding, in the order of their declaration.
pub fn resources(live: &Liveness<'_>) -> Vec<Resource> {
    let all = declared(live.module());
    all.into_iter().map(|(variable, resource)| Resource { used: live.names(variable), ..resource }).collect()
}

/// The same with their ids, whether or not they are used.
pub fn declared(module: &Module) -> Vec<(Id, Resource)> {
    let mut out = Vec::new();
    for inst in module.definitions() {
        let Some(id) = inst.result().filter(|_| inst.is_variable()) else { continue };
        let Some(class) = StorageClass::from_u32(inst.word_at(3)) else { continue };
        let skipped = [StorageClass::Function, StorageClass::PushConstant, StorageClass::Input, StorageClass::Output];
        let Some(binding) = module.decoration(id, None, Decoration::Binding) else { continue };
        if skipped.contains(&class) {
            continue;
        }
        let set = module.decoration(id, None, Decoration::DescriptorSet).unwrap_or(0);
        // An untyped variable need not say what it holds.
        let data = module.pointee(id);
        if data.is_none() && inst.op() != Some(Op::UntypedVariableKHR) {
            continue;
        }
        let arrays = data.map(|data| module.peeled(data));
        // Nothing is known of what is in an array without an end.
        if arrays == Some(None) {
            continue;
        }
        let arrays = arrays.flatten();
        let element = arrays.as_ref().map(|arrays| arrays.element);
        let array_size = arrays.as_ref().map_or(1, |arrays| arrays.count(RUNTIME_LENGTH));
        let runtime = arrays.is_some_and(|arrays| arrays.is_runtime());
        let kind = element.map_or_else(|| of_class(class), |element| kind(module, element, class));
        let own_name = module.name(id).filter(|name| !name.is_empty());
        let name = own_name.or_else(|| module.name(element?)).map(str::to_owned);
        let node = kind.node_type();
        out.push((id, Resource { name, set, binding, kind, node, array_size, runtime, used: false }));
    }
    out
}

fn kind(module: &Module, ty: Id, class: StorageClass) -> ResourceKind {
    let Some(inst) = module.def(ty) else { return ResourceKind::Other };
    match inst.op() {
        Some(Op::TypeSampler) => ResourceKind::Sampler,
        Some(Op::TypeSampledImage) => match dim(module, inst.id_at(2)) {
            Some(Dim::DimBuffer) => ResourceKind::UniformTexels,
            _ => ResourceKind::CombinedImage,
        },
        Some(Op::TypeImage) => match (dim(module, ty), inst.word_at(7)) {
            (Some(Dim::DimBuffer), 2) => ResourceKind::StorageTexels,
            (Some(Dim::DimBuffer), _) => ResourceKind::UniformTexels,
            (Some(Dim::DimSubpassData), _) => ResourceKind::InputAttachment,
            (_, 2) => ResourceKind::StorageImage,
            _ => ResourceKind::SampledImage,
        },
        Some(Op::TypeAccelerationStructureKHR) => ResourceKind::AccelerationStructure,
        Some(Op::TypeStruct) => match class {
            StorageClass::StorageBuffer => ResourceKind::StorageBlock,
            StorageClass::Uniform if module.is_decorated(ty, None, Decoration::BufferBlock) => {
                ResourceKind::StorageBlock
            }
            StorageClass::Uniform => ResourceKind::UniformBlock,
            _ => ResourceKind::Other,
        },
        _ => ResourceKind::Other,
    }
}

/// What an untyped variable of unknown data is.
fn of_class(class: StorageClass) -> ResourceKind {
    match class {
        StorageClass::StorageBuffer => ResourceKind::StorageBlock,
        StorageClass::Uniform => ResourceKind::UniformBlock,
        _ => ResourceKind::Other,
    }
}

fn dim(module: &Module, image: Id) -> Option<Dim> {
    let inst = module.def(image).filter(|inst| inst.op() == Some(Op::TypeImage))?;
    Dim::from_u32(inst.word_at(3))
}

/// The push constants that are used; none where the entry point uses none.
pub fn push_constants(live: &Liveness<'_>) -> Option<PushConstants> {
    let module = live.module();
    let used = live.variables(StorageClass::PushConstant);
    let mut out: Option<PushConstants> = None;
    for &id in &used {
        let Some(block) = module.pointee(id) else { continue };
        let Shape::Struct { members } = Shape::of(module, block) else { continue };
        let named = used_members(live, id);
        let end = |wanted: &dyn Fn(u32) -> bool| {
            let members = (0u32..).zip(&members).filter(|(index, _)| wanted(*index));
            members.map(|(_, m)| u64::from(m.offset).saturating_add(m.shape.bytes())).max().unwrap_or(0)
        };
        let (all, some) = (end(&|_| true), end(&|index| named.as_ref().is_none_or(|n| n.contains(&index))));
        let summed = members.iter().map(|member| packed(&member.shape)).fold(0, u64::saturating_add);
        let known = out.get_or_insert_with(|| PushConstants {
            name: module.name(id).filter(|name| !name.is_empty()).or_else(|| module.name(block)).map(str::to_owned),
            bytes: 0,
            block_bytes: 0,
            summed_bytes: 0,
        });
        known.bytes = known.bytes.max(whole_dwords(some));
        known.block_bytes = known.block_bytes.max(whole_dwords(all));
        known.summed_bytes = known.summed_bytes.max(whole_dwords(summed));
    }
    out
}

fn whole_dwords(bytes: u64) -> u32 {
    bytes.checked_next_multiple_of(4).and_then(|bytes| u32::try_from(bytes).ok()).unwrap_or(!3)
}

/// The members of a block that are named one by one; none where it is used as a whole, or where an untyped pointer may
/// reach past the member that it is made for.
fn used_members(live: &Liveness<'_>, block: Id) -> Option<BTreeSet<u32>> {
    let module = live.module();
    let mut members = BTreeSet::new();
    // What untyped pointers into the block point to.
    let mut untyped: BTreeMap<Id, Id> = BTreeMap::new();
    for inst in live.insts() {
        let mut names = false;
        module.for_each_possible_id(&inst, |id| names |= id == block);
        if !names {
            continue;
        }
        // Where the base and its first index are.
        let at = match inst.facts().chain {
            Some(Chain::Typed) => Some(3),
            // Another type may lie over the block.
            Some(Chain::Untyped) if module.pointee(block) == Some(inst.id_at(3)) => {
                let indices = inst.words_from(5).iter().map(|&index| Id(index));
                let place = indices.into_iter().try_fold(inst.id_at(3), |ty, index| element(module, ty, index))?;
                untyped.extend(inst.result().map(|pointer| (pointer, place)));
                Some(4)
            }
            _ => None,
        };
        let at = at.filter(|at| inst.id_at(*at) == block);
        let index = at.and_then(|at| module.constant(inst.id_at(at + 1))).and_then(|constant| constant.as_u32());
        match index {
            Some(member) => members.insert(member),
            None => return None,
        };
    }
    stays_within(live, &untyped).then_some(members)
}

/// The type of a part of a composite.
fn element(module: &Module, ty: Id, index: Id) -> Option<Id> {
    match module.ty(ty)? {
        Type::Struct { members } => {
            let member = module.constant(index)?.as_u32()?;
            members.get(member as usize).map(|&member| Id(member))
        }
        Type::Array { element, .. } | Type::RuntimeArray { element } => Some(element),
        Type::Vector { component, .. } => Some(component),
        Type::Matrix { column, .. } => Some(column),
        _ => None,
    }
}

/// Whether untyped pointers, each with the type of its place, are only loaded from, and nothing larger than that type.
fn stays_within(live: &Liveness<'_>, pointers: &BTreeMap<Id, Id>) -> bool {
    if pointers.is_empty() {
        return true;
    }
    let module = live.module();
    let mut sizes: BTreeMap<Id, u64> = BTreeMap::new();
    let mut size = |ty: Id| *sizes.entry(ty).or_insert_with(|| Shape::of(module, ty).bytes());
    live.insts().all(|inst| {
        let mut used = Vec::new();
        module.for_each_possible_id(&inst, |id| used.extend(pointers.get(&id).map(|&place| (id, place))));
        used.into_iter().all(|(pointer, place)| {
            let loads = inst.op() == Some(Op::Load) && inst.id_at(3) == pointer;
            loads && size(inst.id_at(1)) <= size(place)
        })
    })
}

/// A type's size without padding.
fn packed(shape: &Shape) -> u64 {
    match shape {
        Shape::Scalar(_) | Shape::Vector { .. } | Shape::Words { .. } => shape.bytes(),
        Shape::Matrix { scalar, columns, rows, .. } => {
            scalar.bytes().saturating_mul(u64::from(*columns)).saturating_mul(u64::from(*rows))
        }
        Shape::Array { element, count, .. } => packed(element).saturating_mul(u64::from(count.unwrap_or(0))),
        Shape::Struct { members } => members.iter().map(|m| packed(&m.shape)).fold(0, u64::saturating_add),
    }
}
