//! The structures that extend others: those whose members are read, and all others kept unchanged.

use super::json::Json;
use super::member::Members;
use crate::findings;
use crate::notes::Notes;

/// `sType` of VkPipelineRenderingCreateInfo.
pub const RENDERING: i32 = 1_000_044_002;
/// `sType` of VkGraphicsPipelineLibraryCreateInfoEXT.
pub const LIBRARY_FLAGS: i32 = 1_000_320_002;
/// `sType` of VkPipelineLibraryCreateInfoKHR.
pub const LIBRARIES: i32 = 1_000_290_000;
/// `sType` of VkPipelineShaderStageRequiredSubgroupSizeCreateInfo.
pub const SUBGROUP_SIZE: i32 = 1_000_225_001;
/// `sType` of VkPipelineCreateFlags2CreateInfo.
pub const FLAGS_2: i32 = 1_000_470_005;
/// `sType` of VkPipelineVertexInputDivisorStateCreateInfo.
pub const DIVISORS: i32 = 1_000_190_001;
/// `sType` of VkPipelineRasterizationProvokingVertexStateCreateInfoEXT.
pub const PROVOKING: i32 = 1_000_254_001;
/// `sType` of VkPipelineRasterizationDepthClipStateCreateInfoEXT.
pub const DEPTH_CLIP: i32 = 1_000_102_001;
/// `sType` of VkPipelineRasterizationStateStreamCreateInfoEXT.
pub const STREAM: i32 = 1_000_028_002;
/// `sType` of VkDescriptorSetLayoutBindingFlagsCreateInfo.
pub const BINDING_FLAGS: i32 = 1_000_161_000;
/// `sType` of VkMutableDescriptorTypeCreateInfoEXT.
pub const MUTABLE_TYPES: i32 = 1_000_351_002;
/// `sType` of VkRenderPassMultiviewCreateInfo.
pub const MULTIVIEW: i32 = 1_000_053_000;

/// Structures by number: those that Fossilize supports. Fossilize refuses an object with any other.
const KNOWN: &[(i32, &str)] = &[
    (RENDERING, "rendering"),
    (LIBRARY_FLAGS, "graphics pipeline library"),
    (LIBRARIES, "pipeline library"),
    (SUBGROUP_SIZE, "required subgroup size"),
    (FLAGS_2, "create flags 2"),
    (BINDING_FLAGS, "binding flags"),
    (MUTABLE_TYPES, "mutable descriptor types"),
    (1_000_068_000, "pipeline robustness"),
    (DIVISORS, "vertex divisors"),
    (1_000_117_003, "tessellation origin"),
    (PROVOKING, "provoking vertex"),
    (1_000_101_001, "conservative rasterization"),
    (1_000_259_001, "line rasterization"),
    (DEPTH_CLIP, "depth clip"),
    (STREAM, "vertex stream"),
    (1_000_226_001, "fragment shading rate"),
    (1_000_232_001, "attachment locations"),
    (1_000_232_002, "attachment input indices"),
    (1_000_135_006, "descriptor set and binding mapping"),
    (1_000_156_000, "color conversion"),
    (1_000_130_001, "sampler reduction"),
    (1_000_287_000, "custom border color"),
    (MULTIVIEW, "render pass multiview"),
];

/// The structures of one object.
pub(super) struct Chain<'j> {
    structures: Vec<(i32, Members<'j>)>,
}

impl<'j> Chain<'j> {
    /// The structures of an object's `pNext`.
    pub fn of(members: &Members<'j>, notes: &mut Notes<'_>) -> Chain<'j> {
        let mut structures = Vec::new();
        for structure in members.objects("pNext", 64, notes) {
            let Some(number) = structure.value("sType", notes) else { continue };
            structures.push((number, structure));
        }
        Chain { structures }
    }

    /// The structure of a number.
    pub fn get(&self, number: i32) -> Option<Members<'j>> {
        self.structures.iter().find(|structure| structure.0 == number).map(|structure| structure.1)
    }

    /// Keeps as they are the structures whose members have no place of their own.
    pub fn keep_others(&self, name: &str, notes: &mut Notes<'_>) {
        const READ: [i32; 10] = [
            RENDERING,
            LIBRARY_FLAGS,
            LIBRARIES,
            SUBGROUP_SIZE,
            FLAGS_2,
            BINDING_FLAGS,
            MUTABLE_TYPES,
            DIVISORS,
            PROVOKING,
            MULTIVIEW,
        ];
        for (number, structure) in self.structures.iter().filter(|structure| !READ.contains(&structure.0)) {
            let known = KNOWN.iter().find(|row| row.0 == *number).map(|row| row.1);
            if known.is_none() {
                let message = format!("unknown structure {number} is kept as JSON; Fossilize refuses the object");
                notes.add_at(findings::FOZ_UNKNOWN_PNEXT, name, message);
            }
            let title = known.map_or_else(|| format!("structure {number}"), str::to_owned);
            notes.keep_at(name, title, short(structure.json));
        }
    }
}

/// A value as text, of a length that is worth keeping.
fn short(json: &Json) -> String {
    let text = json.to_string();
    match text.char_indices().nth(4096) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
