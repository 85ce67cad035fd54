//! The state sections.

use std::collections::BTreeMap;

use super::keys::{Entry, Keys};
use super::value;
use crate::findings;
use crate::notes::Notes;
use crate::state::{
    Attachments, ColorAttachment, Multisample, Raster, RayTracing, ShaderGroup, State, VertexAttribute, VertexBinding,
    VertexInput,
};
use crate::vulkan::{GroupType, InputRate, ProvokingVertex, Topology, VkFormat};
use crate::{PipelineKind, Setting};

/// Keys of the graphics state that have a place of their own; the others are settings.
const PLACED: &[&str] = &[
    "topology",
    "provokingVertexMode",
    "patchControlPoints",
    "numSamples",
    "rasterStream",
    "depthClipEnable",
    "rasterizerDiscardEnable",
    "perSampleShading",
    "alphaToCoverageEnable",
    "dualSourceBlendEnable",
    "colorBuffer.format",
    "colorBuffer.channelWriteMask",
    "colorBuffer.blendEnable",
];

/// The settings of a state section: what has no place of its own.
pub fn settings(kind: PipelineKind, keys: &Keys) -> Vec<Setting> {
    let placed = |entry: &&Entry| match kind {
        PipelineKind::Graphics => PLACED.contains(&entry.path.as_str()),
        PipelineKind::RayTracing => entry.path.starts_with("groups.") || entry.path == "maxRecursionDepth",
        _ => false,
    };
    let others = keys.entries.iter().filter(|entry| !placed(entry));
    others.map(|entry| Setting::new(format!("line {}", entry.line), &entry.key, entry.shown())).collect()
}

/// `[GraphicsPipelineState]`.
pub fn graphics(keys: &Keys, line: u32, state: &mut State) {
    let from = format!("line {line}");
    state.topology = keys.last("topology").and_then(Entry::known_enum).map(Topology);
    state.patch_control_points = keys.int("patchControlPoints").filter(|points| *points > 0);
    let raster = Raster {
        from: from.clone(),
        depth_clip: keys.boolean("depthClipEnable"),
        discard: keys.boolean("rasterizerDiscardEnable"),
        provoking_vertex: keys.last("provokingVertexMode").and_then(Entry::known_enum).map(ProvokingVertex),
        stream: keys.int("rasterStream").filter(|stream| *stream > 0),
        ..Raster::default()
    };
    let says_nothing = Raster { from: from.clone(), ..Raster::default() };
    state.raster = (raster != says_nothing).then_some(raster);
    let multisample = Multisample {
        from: from.clone(),
        samples: keys.int("numSamples").map(|samples| samples.max(1)),
        sample_shading: keys.boolean("perSampleShading"),
        alpha_to_coverage: keys.boolean("alphaToCoverageEnable"),
        ..Multisample::default()
    };
    let says_nothing = Multisample { from: from.clone(), ..Multisample::default() };
    state.multisample = (multisample != says_nothing).then_some(multisample);
    let mut colors: BTreeMap<u32, ColorAttachment> = BTreeMap::new();
    for entry in keys.entries.iter().filter(|entry| entry.path.starts_with("colorBuffer.")) {
        let location = entry.indices.first().copied().unwrap_or(0);
        let color = colors.entry(location).or_insert(ColorAttachment {
            location,
            format: Some(VkFormat::default()),
            write_mask: 15,
            blend: false,
            blends_by_alpha: false,
            equation: None,
        });
        match entry.path.as_str() {
            // A format that is not a name of Vulkan's is not known.
            "colorBuffer.format" => color.format = entry.known_enum().map(VkFormat),
            "colorBuffer.channelWriteMask" => color.write_mask = entry.int() & 15,
            "colorBuffer.blendEnable" => color.blend = entry.int() != 0,
            "colorBuffer.blendSrcAlphaToColor" => color.blends_by_alpha = entry.int() != 0,
            _ => {}
        }
    }
    if !colors.is_empty() {
        let first = keys.entries.iter().find(|entry| entry.path.starts_with("colorBuffer."));
        let dual_source = keys.boolean("dualSourceBlendEnable").unwrap_or(false);
        state.attachments = Some(Attachments {
            from: format!("line {}", first.map_or(line, |entry| entry.line)),
            colors: colors.into_values().collect(),
            dual_source,
            ..Attachments::default()
        });
    }
}

/// `[RayTracingPipelineState]`. `stages` is how many shaders the file has.
pub fn ray_tracing(keys: &Keys, line: u32, stages: usize, notes: &mut Notes<'_>) -> RayTracing {
    let mut groups: BTreeMap<u32, ShaderGroup> = BTreeMap::new();
    for entry in keys.entries.iter().filter(|entry| entry.path.starts_with("groups.")) {
        let group = groups.entry(entry.indices.first().copied().unwrap_or(0)).or_default();
        let member = entry.path.rsplit('.').next().unwrap_or_default();
        if member == "type" {
            group.ty = GroupType(entry.known_enum().unwrap_or(0));
            continue;
        }
        let index = entry.int() as i32;
        let index = u32::try_from(index).ok();
        if let Some(index) = index.filter(|index| *index as usize >= stages) {
            let message = format!("`{}` refers to shader {index}, but the file has {stages}", entry.key);
            notes.add(findings::PIPE_GROUP_RANGE, entry.line, message);
        }
        match member {
            "generalShader" => group.general = index,
            "closestHitShader" => group.closest_hit = index,
            "anyHitShader" => group.any_hit = index,
            _ => group.intersection = index,
        }
    }
    RayTracing {
        from: format!("line {line}"),
        max_depth: keys.int("maxRecursionDepth").unwrap_or(0),
        groups: groups.into_values().collect(),
        interface: keys.int("payloadSizeMaxInLib").zip(keys.int("attributeSizeMaxInLib")).map(|(a, b)| [a, b]),
    }
}

/// `[VertexInputState]`.
pub fn vertex_input(keys: &Keys, line: u32, notes: &mut Notes<'_>) -> VertexInput {
    let mut bindings: BTreeMap<u32, VertexBinding> = BTreeMap::new();
    let mut attributes: BTreeMap<u32, (u32, VertexAttribute)> = BTreeMap::new();
    let mut divisors: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
    for entry in &keys.entries {
        let index = entry.indices.first().copied().unwrap_or(0);
        let number = value::int(&entry.text).value;
        match entry.path.as_str() {
            "binding.binding" => bindings.entry(index).or_default().binding = number,
            "binding.stride" => bindings.entry(index).or_default().stride = number,
            "binding.inputRate" => {
                bindings.entry(index).or_default().rate = InputRate(entry.known_enum().unwrap_or(0));
            }
            "divisor.binding" => divisors.entry(index).or_default().0 = number,
            "divisor.divisor" => divisors.entry(index).or_default().1 = number,
            path => {
                let (_, attribute) = attributes.entry(index).or_insert((entry.line, VertexAttribute::default()));
                match path {
                    "attribute.location" => attribute.location = number,
                    "attribute.binding" => attribute.binding = number,
                    "attribute.offset" => attribute.offset = number,
                    "attribute.format" => attribute.format = VkFormat(entry.known_enum().unwrap_or(0)),
                    _ => {}
                }
            }
        }
    }
    let mut bindings: Vec<_> = bindings.into_values().collect();
    for (binding, divisor) in divisors.into_values() {
        match bindings.iter_mut().find(|known| known.binding == binding) {
            Some(known) => known.divisor = Some(divisor),
            None => {
                let message = format!("the divisor refers to vertex binding {binding}, which is not listed");
                notes.add(findings::PIPE_VERTEX_BINDING, line, message);
            }
        }
    }
    for (line, attribute) in attributes.values() {
        if !bindings.iter().any(|binding| binding.binding == attribute.binding) {
            let message = format!(
                "the attribute at location {} reads vertex binding {}, which is not listed",
                attribute.location, attribute.binding
            );
            notes.add(findings::PIPE_VERTEX_BINDING, *line, message);
        }
    }
    let attributes = attributes.into_values().map(|(_, attribute)| attribute).collect();
    VertexInput { from: format!("line {line}"), bindings, attributes }
}
