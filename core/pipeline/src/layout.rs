//! The resource layout of a pipeline.

use std::collections::BTreeSet;
use std::fmt;

use super::vulkan::{AddressMode, BorderColor, CompareOp, DescriptorType, Filter, MipmapMode};
use lanescope_base::StageKind;
use lanescope_base::ids::Hash64;
use lanescope_base::named_enum;

/// The resource layout: descriptor sets of the API, user data nodes of a driver, or both.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Layout {
    /// Location in the file, if any: `pipeline layout 0x…`, `line 31`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub from: Option<String>,
    /// Descriptor sets, ascending; a set that is not listed is a gap.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub sets: Vec<DescriptorSet>,
    /// Push constants.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub push_constants: Vec<PushConstantRange>,
    /// User data nodes: the root level, in the order of the description.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub nodes: Vec<RootNode>,
    /// Descriptors whose dwords the description holds: immutable samplers.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub static_descriptors: Vec<StaticDescriptor>,
}

impl Layout {
    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        *self == Layout { from: self.from.clone(), ..Layout::default() }
    }
}

/// One descriptor set of the API.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DescriptorSet {
    /// Its number.
    pub set: u32,
    /// Its set layout's key, where the file has keys.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub hash: Option<Hash64>,
    /// Creation flags.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero", default))]
    pub flags: u32,
    /// Its bindings, ascending.
    pub bindings: Vec<Binding>,
}

#[cfg(feature = "serde")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// One binding of a set.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Binding {
    /// Its number.
    pub binding: u32,
    /// Descriptor type.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub ty: DescriptorType,
    /// Number of descriptors; bytes for an inline uniform block.
    pub count: u32,
    /// Stages that may use it.
    pub stages: StageMask,
    /// Binding flags of descriptor indexing.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero", default))]
    pub flags: u32,
    /// Samplers that are part of the layout.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub immutable_samplers: Vec<Sampler>,
    /// Types that a mutable descriptor may have.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub mutable_types: Vec<DescriptorType>,
}

/// A sampler that is part of a layout. Absent members could not be read.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sampler {
    /// Its key.
    pub hash: Hash64,
    /// Magnification, minification.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub filter: Option<[Filter; 2]>,
    /// Filter between mip levels.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub mipmap: Option<MipmapMode>,
    /// Beyond the image, by coordinate.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub address: Option<[AddressMode; 3]>,
    /// The border's colour.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub border: Option<BorderColor>,
    /// The comparison, where it compares.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub compare: Option<CompareOp>,
    /// The anisotropy, where it is on.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub anisotropy: Option<f64>,
    /// Bias, lowest and highest level.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub lod: Option<[f64; 3]>,
    /// Coordinates count texels.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not", default))]
    pub unnormalized: bool,
}

/// A range of push constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PushConstantRange {
    /// Stages that may use it.
    pub stages: StageMask,
    /// Offset in bytes.
    pub offset: u32,
    /// Its bytes.
    pub size: u32,
}

named_enum!(
    serde if feature = "serde";
    /// Types of user data nodes: LLPC's names.
    NodeType {
        /// A sampled image.
        Resource = "DescriptorResource",
        /// A sampler.
        Sampler = "DescriptorSampler",
        /// An image, then its sampler.
        CombinedTexture = "DescriptorCombinedTexture",
        /// A storage texel buffer.
        TexelBuffer = "DescriptorTexelBuffer",
        /// An F-mask.
        Fmask = "DescriptorFmask",
        /// A storage buffer.
        Buffer = "DescriptorBuffer",
        /// A pointer to a table.
        TablePointer = "DescriptorTableVaPtr",
        /// A pointer to the vertex buffer table.
        IndirectPointer = "IndirectUserDataVaPtr",
        /// Push constants in place.
        PushConst = "PushConst",
        /// A storage buffer's address.
        BufferCompact = "DescriptorBufferCompact",
        /// A pointer to the stream-out table.
        StreamOutPointer = "StreamOutTableVaPtr",
        /// A sampler that converts colours.
        YcbcrSampler = "DescriptorYCbCrSampler",
        /// A uniform buffer.
        ConstBuffer = "DescriptorConstBuffer",
        /// A uniform buffer's address.
        ConstBufferCompact = "DescriptorConstBufferCompact",
        /// A storage image.
        Image = "DescriptorImage",
        /// A uniform texel buffer.
        ConstTexelBuffer = "DescriptorConstTexelBuffer",
        /// An inline uniform block.
        InlineBuffer = "InlineBuffer",
        /// Any of several types.
        Mutable = "DescriptorMutable",
        /// An atomic counter of OpenGL.
        AtomicCounter = "DescriptorAtomicCounter",
    }
);

impl NodeType {
    /// Its number.
    pub fn number(self) -> u32 {
        // The table has no gap but 12, which is reserved.
        let at = NodeType::ALL.iter().position(|ty| *ty == self).map_or(0, |at| at as u32) + 1;
        if at >= 12 { at + 1 } else { at }
    }

    /// The node of a number.
    pub fn of_number(number: u32) -> Option<NodeType> {
        NodeType::ALL.iter().copied().find(|ty| ty.number() == number)
    }

    /// The dwords of one element, where the type fixes them.
    pub fn dwords(self) -> Option<u32> {
        Some(match self {
            NodeType::Resource | NodeType::Fmask | NodeType::Image => 8,
            NodeType::Sampler
            | NodeType::TexelBuffer
            | NodeType::Buffer
            | NodeType::ConstBuffer
            | NodeType::ConstTexelBuffer => 4,
            NodeType::CombinedTexture => 12,
            NodeType::TablePointer | NodeType::IndirectPointer | NodeType::StreamOutPointer => 1,
            NodeType::BufferCompact | NodeType::ConstBufferCompact => 2,
            NodeType::PushConst
            | NodeType::InlineBuffer
            | NodeType::Mutable
            | NodeType::YcbcrSampler
            | NodeType::AtomicCounter => return None,
        })
    }

    /// Whether it is a descriptor, with a set and a binding.
    pub fn is_descriptor(self) -> bool {
        !matches!(
            self,
            NodeType::TablePointer | NodeType::IndirectPointer | NodeType::PushConst | NodeType::StreamOutPointer
        )
    }
}

/// A node of the root level.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RootNode {
    /// The mask as written.
    pub visibility: u32,
    /// The stages that it names.
    pub stages: StageMask,
    /// The node.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub node: ResourceNode,
}

impl RootNode {
    /// Whether another part's node is the same one: of one type at one place; of tables those of one set.
    pub fn is_same(&self, other: &RootNode) -> bool {
        let set = |root: &RootNode| root.node.children.first().map(|child| child.set);
        let place = |root: &RootNode| (root.node.offset_dwords, root.node.ty, root.node.set, root.node.binding);
        place(self) == place(other) && set(self).zip(set(other)).is_none_or(|(mine, theirs)| mine == theirs)
    }

    /// Adds who sees it elsewhere, and what else its table holds there.
    pub fn join(&mut self, other: RootNode) {
        self.visibility |= other.visibility;
        self.stages = self.stages.union(other.stages);
        self.node.size_dwords = self.node.size_dwords.max(other.node.size_dwords);
        let have: BTreeSet<_> = self.node.children.iter().map(ResourceNode::place).collect();
        let more = other.node.children.into_iter().filter(|child| !have.contains(&child.place()));
        self.node.children.extend(more);
        self.node.children.sort_by_key(|child| child.offset_dwords);
    }
}

/// A user data node.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResourceNode {
    /// Location in the file: `line 31`.
    pub from: String,
    /// Type; absent where the description has none.
    #[cfg_attr(feature = "serde", serde(rename = "type", skip_serializing_if = "Option::is_none", default))]
    pub ty: Option<NodeType>,
    /// Offset: in the user data registers, or in its table.
    pub offset_dwords: u32,
    /// Its size.
    pub size_dwords: u32,
    /// Descriptor set.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub set: Option<u32>,
    /// Binding.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub binding: Option<u32>,
    /// Dwords between elements; absent or 0 for the type's own size.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub stride_dwords: Option<u32>,
    /// Dwords of the table that an indirect pointer points to.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub indirect_dwords: Option<u32>,
    /// Nodes of a table.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub children: Vec<ResourceNode>,
}

impl ResourceNode {
    /// Where it lies, and what it is there.
    pub(super) fn place(&self) -> (u32, Option<NodeType>, Option<u32>, Option<u32>) {
        (self.offset_dwords, self.ty, self.set, self.binding)
    }
}

/// A descriptor whose dwords are part of the description.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StaticDescriptor {
    /// Location in the file: `line 31`.
    pub from: String,
    /// Type.
    #[cfg_attr(feature = "serde", serde(rename = "type", skip_serializing_if = "Option::is_none", default))]
    pub ty: Option<NodeType>,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Number of descriptors.
    pub array_size: u32,
    /// The mask as written.
    pub visibility: u32,
    /// The stages that it names.
    pub stages: StageMask,
    /// Its dwords.
    pub data: Vec<u32>,
}

/// Some of the stages.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StageMask(u16);

/// LLPC's order of the stages, whose numbers its masks use.
pub const LLPC_STAGES: [StageKind; 14] = [
    StageKind::Task,
    StageKind::Vertex,
    StageKind::TessControl,
    StageKind::TessEval,
    StageKind::Geometry,
    StageKind::Mesh,
    StageKind::Fragment,
    StageKind::Compute,
    StageKind::RayGeneration,
    StageKind::Intersection,
    StageKind::AnyHit,
    StageKind::ClosestHit,
    StageKind::Miss,
    StageKind::Callable,
];

/// VkShaderStageFlagBits of a stage.
pub fn vulkan_bit(stage: StageKind) -> u32 {
    match stage {
        StageKind::Vertex => 0x1,
        StageKind::TessControl => 0x2,
        StageKind::TessEval => 0x4,
        StageKind::Geometry => 0x8,
        StageKind::Fragment => 0x10,
        StageKind::Compute => 0x20,
        StageKind::Task => 0x40,
        StageKind::Mesh => 0x80,
        StageKind::RayGeneration => 0x100,
        StageKind::AnyHit => 0x200,
        StageKind::ClosestHit => 0x400,
        StageKind::Miss => 0x800,
        StageKind::Intersection => 0x1000,
        StageKind::Callable => 0x2000,
    }
}

/// The bit of a stage in LLPC's masks.
pub fn llpc_bit(stage: StageKind) -> u32 {
    LLPC_STAGES.iter().position(|known| *known == stage).map_or(0, |at| 1 << at)
}

impl StageMask {
    /// The stages of VkShaderStageFlags; unknown bits are dropped.
    pub fn of_vulkan(bits: u32) -> StageMask {
        StageKind::ALL.iter().copied().filter(|stage| bits & vulkan_bit(*stage) != 0).collect()
    }

    /// VkShaderStageFlags.
    pub fn vulkan(self) -> u32 {
        self.iter().map(vulkan_bit).fold(0, |bits, bit| bits | bit)
    }

    /// The stages of one of LLPC's masks; unknown bits are dropped.
    pub fn of_llpc(bits: u32) -> StageMask {
        (0..).zip(LLPC_STAGES).filter(|(n, _)| bits >> n & 1 == 1).map(|(_, stage)| stage).collect()
    }

    /// LLPC's mask.
    pub fn llpc(self) -> u32 {
        self.iter().map(llpc_bit).fold(0, |bits, bit| bits | bit)
    }

    /// Whether a stage is among them.
    pub fn has(self, stage: StageKind) -> bool {
        self.0 >> stage as u16 & 1 == 1
    }

    /// Whether it is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The stages, in pipeline order.
    pub fn iter(self) -> impl Iterator<Item = StageKind> {
        StageKind::ALL.iter().copied().filter(move |stage| self.has(*stage))
    }

    /// The stages of both.
    pub fn union(self, other: StageMask) -> StageMask {
        StageMask(self.0 | other.0)
    }
}

impl FromIterator<StageKind> for StageMask {
    fn from_iter<I: IntoIterator<Item = StageKind>>(stages: I) -> Self {
        StageMask(stages.into_iter().fold(0, |bits, stage| bits | 1 << stage as u16))
    }
}

/// `vertex + fragment`; `none`; `all` for every stage that there is.
impl fmt::Display for StageMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = StageKind::ALL.iter().copied().collect();
        if self.is_empty() {
            f.write_str("none")
        } else if *self == all {
            f.write_str("all")
        } else {
            f.write_str(&self.iter().map(StageKind::name).collect::<Vec<_>>().join(" + "))
        }
    }
}

impl fmt::Debug for StageMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StageMask({self})")
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for StageMask {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for StageMask {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "StageMask".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<StageKind>::json_schema(generator)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for StageMask {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <Vec<StageKind> as serde::Deserialize>::deserialize(deserializer).map(|stages| stages.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_types_match_the_numbers_of_llpc() {
        let numbers: Vec<u32> = NodeType::ALL.iter().map(|ty| ty.number()).collect();
        let expected: Vec<u32> = (1..=20).filter(|number| *number != 12).collect();
        assert_eq!(numbers, expected);
        assert_eq!(NodeType::of_number(7), Some(NodeType::TablePointer));
        assert_eq!(NodeType::of_number(14), Some(NodeType::ConstBuffer));
        assert_eq!(NodeType::of_number(19), Some(NodeType::Mutable));
        assert_eq!(NodeType::of_number(12), None);
    }

    #[test]
    fn masks_name_the_same_stages_in_both_numberings() {
        let both = StageMask::of_llpc(66);
        assert_eq!(both.to_string(), "vertex + fragment");
        assert_eq!((both, both.vulkan(), both.llpc()), (StageMask::of_vulkan(0x11), 0x11, 66));
        assert_eq!(StageMask::of_llpc(16128).to_string(), StageMask::of_vulkan(0x3f00).to_string());
        assert_eq!(StageMask::of_llpc(u32::MAX).to_string(), "all");
    }

    #[cfg(feature = "serde")]
    #[test]
    fn serializes_masks_as_lists_of_stages() {
        let both = StageMask::of_llpc(66);
        let text = serde_json::to_string(&both).expect("writes");
        assert_eq!(text, r#"["vertex","fragment"]"#);
        assert_eq!(serde_json::from_str::<StageMask>(&text).expect("reads"), both);
    }
}
