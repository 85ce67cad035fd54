//! Builds a database of an open program: its modules, and the layout and state that are described or needed.

mod layout;
mod left_out;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::gpu::describe_program;
use crate::ids::{Hash64, Hex};
use crate::options::{Options, WaveChoice};
use crate::pipeline::foz::pnext::{BINDING_FLAGS, MUTABLE_TYPES, RENDERING, STREAM};
use crate::pipeline::foz::stage_flags_of;
use crate::pipeline::foz::{Key, Tag, samplers};
use crate::pipeline::foz::{Writer, text_hash};
use crate::pipeline::layout::vulkan_bit;
use crate::pipeline::layout::{Layout, PushConstantRange};
use crate::pipeline::state::{State, VertexInput};
use crate::pipeline::vulkan::{Topology, VkFormat};
use crate::program::{Format, Program, Stage, StageKind};
use crate::spirv::{Module, Type};
use lanescope_model::specialised::specialised;
use lanescope_passes::liveness;
use lanescope_passes::registers;
use layout::layout;
use left_out::left_out;

/// Vulkan 1.3: what modules are validated for.
const API: u32 = 1 << 22 | 3 << 12;

/// The most sets of a layout that is written: more than any device binds.
pub(super) const MAX_SETS: u32 = 32;

/// The view mask that is written for multiview without a described one: the fewest views that are several.
const ASSUMED_VIEWS: u32 = 0b11;

/// The objects that were written.
#[derive(Debug, Clone, PartialEq)]
pub struct Fossilized {
    /// The pipeline's key.
    pub pipeline: Hash64,
    /// Its kind.
    pub tag: Tag,
    /// The layout that was written.
    pub layout: Layout,
    /// Notes for the user: what was assumed because it is not described, and what was not written.
    pub notes: Vec<String>,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum FossilizeError {
    /// The program makes no pipeline.
    #[error("{0}")]
    Unusable(String),
    /// The file.
    #[error("cannot be written: {0}")]
    Io(#[from] io::Error),
}

/// Writes the pipeline of a program with everything that it refers to.
///
/// # Errors
/// A program that makes no pipeline; those of the file.
pub fn make<W: Write>(
    program: &Program,
    options: &Options,
    writer: &mut Writer<W>,
) -> Result<Fossilized, FossilizeError> {
    let set = specialised(program, options).map_err(|error| FossilizeError::Unusable(error.to_string()))?;
    let mut notes = Vec::new();
    let layout = layout(program, &mut notes)?;
    if let Some(last) = layout.sets.iter().map(|set| set.set).max().filter(|last| *last >= MAX_SETS) {
        return Err(FossilizeError::Unusable(format!("set {last}: a layout has at most {MAX_SETS} sets")));
    }
    let info = json!({
        "version": 6,
        "applicationInfo": { "applicationName": "lanescope", "engineName": "lanescope", "applicationVersion": 0,
                             "engineVersion": 0, "apiVersion": API },
        "physicalDeviceFeatures": { "robustBufferAccess": 0 },
    })
    .to_string();
    writer.object(Tag::Application, text_hash(Tag::Application, &info), &info)?;
    let layout_key = write_layout(&layout, writer)?;
    let mut stages = Vec::new();
    for stage in &program.stages {
        let module = writer.module(program.module_of(stage).words())?;
        stages.push(stage_json(program, set.module_of(stage), stage, module, options));
    }
    let has = |wanted: fn(StageKind) -> bool| program.stages.iter().any(|stage| wanted(stage.stage));
    let compute: Vec<&Stage> = program.stages.iter().filter(|stage| stage.stage == StageKind::Compute).collect();
    let common = json!({
        "flags": 0, "layout": Key(layout_key).to_string(), "basePipelineHandle": Key(0).to_string(),
        "basePipelineIndex": -1,
    });
    let (tag, more) = match compute.as_slice() {
        [_] if program.stages.len() == 1 => (Tag::Compute, json!({ "stage": stages.first() })),
        [] if has(StageKind::is_graphics) => {
            let mut state = graphics(program, options, &mut notes)?;
            put(&mut state, "stages", json!(stages));
            (Tag::Graphics, state)
        }
        [] if !program.stages.is_empty() => (Tag::RayTracing, ray_tracing(program, &stages)),
        _ => {
            let kinds: Vec<_> = program.stages.iter().map(|stage| stage.stage.name()).collect();
            return Err(FossilizeError::Unusable(format!(
                "{} cannot form one pipeline; select stages with --entry",
                kinds.join(" + ")
            )));
        }
    };
    let mut object = common;
    if let Value::Object(members) = more {
        for (name, value) in members {
            put(&mut object, &name, value);
        }
    }
    let text = object.to_string();
    let hash = text_hash(tag, &text);
    writer.object(tag, hash, &text)?;
    notes.extend(left_out(program, options));
    Ok(Fossilized { pipeline: Hex(hash), tag, layout, notes })
}

fn put(object: &mut Value, name: &str, value: Value) {
    if let Value::Object(members) = object {
        members.insert(name.to_owned(), value);
    }
}

fn write_layout<W: Write>(layout: &Layout, writer: &mut Writer<W>) -> io::Result<u64> {
    let mut keys = Vec::new();
    for set in &layout.sets {
        while keys.len() < set.set as usize {
            keys.push(Key(0).to_string());
        }
        let mut bindings = Vec::new();
        for binding in &set.bindings {
            let mut object = json!({
                "binding": binding.binding, "descriptorType": binding.ty.0, "descriptorCount": binding.count,
                "stageFlags": binding.stages.vulkan(),
            });
            if !binding.immutable_samplers.is_empty() {
                let keys = binding.immutable_samplers.iter().map(|sampler| samplers::write(sampler, writer));
                put(&mut object, "immutableSamplers", json!(keys.collect::<Result<Vec<_>, _>>()?));
            }
            bindings.push(object);
        }
        let mut object = json!({ "flags": set.flags, "bindings": bindings });
        let mut next = Vec::new();
        if set.bindings.iter().any(|binding| binding.flags != 0) {
            let flags: Vec<u32> = set.bindings.iter().map(|binding| binding.flags).collect();
            next.push(json!({ "sType": BINDING_FLAGS, "bindingFlags": flags }));
        }
        if set.bindings.iter().any(|binding| !binding.mutable_types.is_empty()) {
            let lists: Vec<Vec<i32>> =
                set.bindings.iter().map(|binding| binding.mutable_types.iter().map(|ty| ty.0).collect()).collect();
            next.push(json!({ "sType": MUTABLE_TYPES, "mutableDescriptorTypeLists": lists }));
        }
        if !next.is_empty() {
            put(&mut object, "pNext", json!(next));
        }
        let text = object.to_string();
        let hash = text_hash(Tag::SetLayout, &text);
        writer.object(Tag::SetLayout, hash, &text)?;
        keys.push(Key(hash).to_string());
    }
    let range = |range: &PushConstantRange| json!({ "stageFlags": range.stages.vulkan(), "offset": range.offset, "size": range.size });
    let ranges: Vec<Value> = layout.push_constants.iter().map(range).collect();
    let text = json!({ "flags": 0, "pushConstantRanges": ranges, "setLayouts": keys }).to_string();
    let hash = text_hash(Tag::PipelineLayout, &text);
    writer.object(Tag::PipelineLayout, hash, &text)?;
    Ok(hash)
}

/// A stage; its constants have the values that they have in `set`, the specialised module.
fn stage_json(program: &Program, set: &Module, stage: &Stage, module: u64, options: &Options) -> Value {
    let description = program.pipeline.as_ref().and_then(|pipeline| pipeline.stage(stage.stage));
    let mut out = json!({
        "flags": description.map_or(0, |description| stage_flags_of(&description.flags)),
        "stage": vulkan_bit(stage.stage), "module": Key(module).to_string(), "name": stage.entry,
    });
    let own = program.module_of(stage);
    let mut data: Vec<u8> = Vec::new();
    let mut entries = Vec::new();
    let mut seen = Vec::new();
    for (was, is) in own.spec_constants().into_iter().zip(set.spec_constants()) {
        if was.value == is.value || seen.contains(&was.spec_id) {
            continue;
        }
        seen.push(was.spec_id);
        let Some(constant) = set.constant(is.id) else { continue };
        let ty = set.type_of(is.id).and_then(|ty| set.ty(ty));
        let bytes = match ty {
            Some(Type::Int { bits, .. } | Type::Float { bits } | Type::OtherFloat { bits, .. }) => {
                bits.div_ceil(8) as usize
            }
            _ => 4,
        };
        data.resize(data.len().next_multiple_of(bytes.max(1)), 0);
        entries.push(json!({ "constantID": was.spec_id, "offset": data.len(), "size": bytes }));
        data.extend(constant.bits.to_le_bytes().iter().take(bytes));
    }
    if !entries.is_empty() {
        let info = json!({ "mapEntries": entries, "dataSize": data.len(), "data": STANDARD.encode(&data) });
        put(&mut out, "specializationInfo", info);
    }
    let size = match program.options_of_stage(options, stage.stage).wave {
        WaveChoice::Wave32 => Some(32),
        WaveChoice::Wave64 => Some(64),
        WaveChoice::Auto => description.and_then(|description| description.subgroup_size),
    };
    if let Some(size) = size {
        put(&mut out, "pNext", json!([{ "sType": 1_000_225_001, "requiredSubgroupSize": size }]));
    }
    out
}

/// The state of a graphics pipeline: as described, else what its shaders need.
fn graphics(program: &Program, options: &Options, notes: &mut Vec<String>) -> Result<Value, FossilizeError> {
    let empty = State::default();
    let state = program.pipeline.as_ref().map_or(&empty, |pipeline| &pipeline.state);
    let mut out = json!({ "renderPass": Key(0).to_string(), "subpass": 0 });
    let has = |kind| program.stage(kind).is_some();
    if has(StageKind::Vertex) {
        let input = match &state.vertex_input {
            Some(input) => input.clone(),
            None => {
                notes.push("no vertex input is described: one buffer with all attributes is assumed".to_owned());
                describe_program::vertex_input(program).map_err(|error| FossilizeError::Unusable(error.to_string()))?
            }
        };
        put(&mut out, "vertexInputState", vertex_input(&input));
        let topology = topology(program, state, notes)?.0;
        let restart = u32::from(state.primitive_restart.unwrap_or(false));
        let assembly = json!({ "flags": 0, "topology": topology, "primitiveRestartEnable": restart });
        put(&mut out, "inputAssemblyState", assembly);
    }
    if has(StageKind::TessControl) {
        let points = state.patch_control_points.unwrap_or(3);
        put(&mut out, "tessellationState", json!({ "flags": 0, "patchControlPoints": points }));
    }
    let [viewports, scissors] = state.viewports.unwrap_or([1, 1]);
    put(&mut out, "viewportState", json!({ "flags": 0, "viewportCount": viewports, "scissorCount": scissors }));
    // Viewports and scissors have no values here.
    let dynamic: BTreeSet<i32> = [0, 1].into_iter().chain(state.dynamic.iter().map(|state| state.0)).collect();
    put(&mut out, "dynamicState", json!({ "flags": 0, "dynamicState": dynamic }));
    put(&mut out, "rasterizationState", rasterization(state));
    let samples = state.multisample.as_ref();
    let on = |switch: Option<bool>| u32::from(switch.unwrap_or(false));
    let mut multisample = json!({
        "flags": 0,
        "rasterizationSamples": samples.and_then(|s| s.samples).unwrap_or(1),
        "sampleShadingEnable": u32::from(options.sample_shading || on(samples.and_then(|s| s.sample_shading)) == 1),
        "minSampleShading": samples.and_then(|s| s.min_sample_shading).unwrap_or(1.0),
        "alphaToCoverageEnable":
            u32::from(options.alpha_to_coverage || on(samples.and_then(|s| s.alpha_to_coverage)) == 1),
        "alphaToOneEnable": on(samples.and_then(|s| s.alpha_to_one)),
    });
    if let Some(samples) = samples.filter(|samples| !samples.mask.is_empty()) {
        put(&mut multisample, "sampleMask", json!(samples.mask));
    }
    put(&mut out, "multisampleState", multisample);
    attachments(program, options, state, &mut out, notes);
    Ok(out)
}

/// Primitive topology: as described, else one that fits the stages.
fn topology(program: &Program, state: &State, notes: &mut Vec<String>) -> Result<Topology, FossilizeError> {
    if let Some(topology) = state.topology {
        return Ok(topology);
    }
    let taken = describe_program::topology(program).map_err(|error| FossilizeError::Unusable(error.to_string()))?;
    if let Some(pipeline) = &program.pipeline {
        let reads = if pipeline.origin.format == Format::Pipe { "; LLPC reads POINT_LIST" } else { "" };
        notes.push(format!("no topology is described: {taken} is assumed, which fits the stages{reads}"));
    }
    Ok(taken)
}

fn vertex_input(input: &VertexInput) -> Value {
    let bindings: Vec<Value> = input
        .bindings
        .iter()
        .map(|b| json!({ "binding": b.binding, "stride": b.stride, "inputRate": b.rate.0 }))
        .collect();
    let attributes: Vec<Value> = input
        .attributes
        .iter()
        .map(|a| json!({ "location": a.location, "binding": a.binding, "offset": a.offset, "format": a.format.0 }))
        .collect();
    let mut out = json!({ "flags": 0, "bindings": bindings, "attributes": attributes });
    let divisors: Vec<Value> =
        input.bindings.iter().filter_map(|b| Some(json!({ "binding": b.binding, "divisor": b.divisor? }))).collect();
    if !divisors.is_empty() {
        let next = json!([{ "sType": 1_000_190_001, "vertexBindingDivisorCount": divisors.len(),
                            "vertexBindingDivisors": divisors }]);
        put(&mut out, "pNext", next);
    }
    out
}

fn rasterization(state: &State) -> Value {
    let raster = state.raster.clone().unwrap_or_default();
    let on = |switch: Option<bool>| u32::from(switch.unwrap_or(false));
    let [constant, clamp, slope] = raster.depth_bias.unwrap_or_default();
    let mut out = json!({
        "flags": 0,
        "depthClampEnable": on(raster.depth_clamp),
        "rasterizerDiscardEnable": on(raster.discard),
        "polygonMode": raster.polygon_mode.unwrap_or_default().0,
        "cullMode": raster.cull_mode.unwrap_or(0),
        "frontFace": raster.front_face.unwrap_or_default().0,
        "depthBiasEnable": u32::from(raster.depth_bias.is_some()),
        "depthBiasConstantFactor": constant,
        "depthBiasClamp": clamp,
        "depthBiasSlopeFactor": slope,
        "lineWidth": raster.line_width.unwrap_or(1.0),
    });
    let mut next = Vec::new();
    if let Some(stream) = raster.stream {
        next.push(json!({ "sType": STREAM, "flags": 0, "rasterizationStream": stream }));
    }
    if let Some(clip) = raster.depth_clip {
        next.push(json!({ "sType": 1_000_102_001, "flags": 0, "depthClipEnable": u32::from(clip) }));
    }
    if let Some(mode) = raster.provoking_vertex.filter(|mode| mode.0 != 0) {
        next.push(json!({ "sType": 1_000_254_001, "provokingVertexMode": mode.0 }));
    }
    if !next.is_empty() {
        put(&mut out, "pNext", json!(next));
    }
    out
}

/// The attachments: formats by dynamic rendering, blends, and depth where a format is known.
fn attachments(program: &Program, options: &Options, state: &State, out: &mut Value, notes: &mut Vec<String>) {
    let described = state.attachments.clone().unwrap_or_default();
    let outputs = registers::outputs(&liveness::Stages::of(program), options, &mut Vec::new());
    let needed = outputs.map(|(_, attachments)| attachments).unwrap_or_default();
    let last_needed = needed.keys().last().copied();
    let last = described.colors.iter().map(|color| color.location).max().max(last_needed);
    let mut formats = Vec::new();
    let mut blends = Vec::new();
    for location in 0..last.map_or(0, |last| last.min(63) + 1) {
        let own = described.colors.iter().find(|color| color.location == location);
        let needed = needed.get(&location);
        let named = options.color.get(&location).and_then(|target| VkFormat::named(&target.format));
        let default = || needed.and_then(|needed| VkFormat::named(needed.format?.name));
        let format = named.or_else(|| own.and_then(|color| color.format)).or_else(default).unwrap_or_default();
        formats.push(format.0);
        let blend = options.color.get(&location).map_or(own.is_some_and(|color| color.blend), |target| target.blend);
        let equation = own.and_then(|color| color.equation);
        // Where the factors are not described: by the second output, by alpha, or added.
        let dual_source = described.dual_source && location == 0;
        let by_alpha = options.color.get(&location).is_none_or(|target| target.blends_by_alpha);
        let unsaid = match (dual_source, by_alpha) {
            (true, _) => [1, 15, 0, 1, 0, 0],
            (false, true) => [6, 7, 0, 1, 0, 0],
            (false, false) => [1, 1, 0, 1, 0, 0],
        };
        if dual_source && !blend {
            notes.push("dual-source blending is not written: target 0 does not blend".to_owned());
        }
        let factors = equation
            .map_or(unsaid, |e| [e.color[0].0, e.color[1].0, e.color_op.0, e.alpha[0].0, e.alpha[1].0, e.alpha_op.0]);
        let factors = if blend { factors } else { [0; 6] };
        blends.push(json!({
            "blendEnable": u32::from(blend), "srcColorBlendFactor": factors[0], "dstColorBlendFactor": factors[1],
            "colorBlendOp": factors[2], "srcAlphaBlendFactor": factors[3], "dstAlphaBlendFactor": factors[4],
            "alphaBlendOp": factors[5], "colorWriteMask": own.map_or(15, |color| color.write_mask),
        }));
    }
    if !blends.is_empty() {
        let blend = json!({
            "flags": 0, "logicOpEnable": u32::from(described.logic_op.is_some()),
            "logicOp": described.logic_op.unwrap_or_default().0,
            "blendConstants": described.blend_constants.unwrap_or_default(), "attachments": blends,
        });
        put(out, "colorBlendState", blend);
    }
    if described.depth.is_some() || described.stencil.is_some() {
        let depth = state.depth_stencil.clone().unwrap_or_default();
        let face = |at: usize| {
            let face = depth.stencil.map(|faces| faces[at]).unwrap_or_default();
            json!({
                "failOp": face.fail.0, "passOp": face.pass.0, "depthFailOp": face.depth_fail.0,
                "compareOp": face.compare.0, "compareMask": face.compare_mask, "writeMask": face.write_mask,
                "reference": face.reference,
            })
        };
        let [low, high] = depth.depth_bounds.unwrap_or([0.0, 1.0]);
        let state = json!({
            "flags": 0, "depthTestEnable": u32::from(depth.depth_test),
            "depthWriteEnable": u32::from(depth.depth_write), "depthCompareOp": depth.depth_compare.0,
            "depthBoundsTestEnable": u32::from(depth.depth_bounds.is_some()),
            "stencilTestEnable": u32::from(depth.stencil.is_some()), "front": face(0), "back": face(1),
            "minDepthBounds": low, "maxDepthBounds": high,
        });
        put(out, "depthStencilState", state);
    }
    let views = described.view_mask.filter(|mask| *mask != 0);
    if options.multiview && views.is_none() {
        notes.push("multiview is enabled, but no view mask is described: views 0 and 1 are assumed".to_owned());
    }
    let rendering = json!([{
        "sType": RENDERING, "depthAttachmentFormat": described.depth.unwrap_or_default().0,
        "stencilAttachmentFormat": described.stencil.unwrap_or_default().0,
        "viewMask": views.unwrap_or(if options.multiview { ASSUMED_VIEWS } else { 0 }),
        "colorAttachmentFormats": formats,
    }]);
    put(out, "pNext", rendering);
}

fn ray_tracing(program: &Program, stages: &[Value]) -> Value {
    let none = u32::MAX;
    let described = program.pipeline.as_ref().and_then(|pipeline| pipeline.state.ray_tracing.as_ref());
    let mut groups = Vec::new();
    if let Some(ray_tracing) = described.filter(|ray_tracing| !ray_tracing.groups.is_empty()) {
        for group in &ray_tracing.groups {
            groups.push(json!({
                "type": group.ty.0, "generalShader": group.general.unwrap_or(none),
                "closestHitShader": group.closest_hit.unwrap_or(none), "anyHitShader": group.any_hit.unwrap_or(none),
                "intersectionShader": group.intersection.unwrap_or(none),
            }));
        }
    } else {
        for (at, stage) in (0u32..).zip(&program.stages) {
            let (ty, member) = match stage.stage {
                StageKind::ClosestHit => (1, "closestHitShader"),
                StageKind::AnyHit => (1, "anyHitShader"),
                StageKind::Intersection => (2, "intersectionShader"),
                _ => (0, "generalShader"),
            };
            let mut group = json!({
                "type": ty, "generalShader": none, "closestHitShader": none, "anyHitShader": none,
                "intersectionShader": none,
            });
            put(&mut group, member, json!(at));
            groups.push(group);
        }
    }
    let depth = described.map_or(1, |ray_tracing| ray_tracing.max_depth);
    json!({ "stages": stages, "groups": groups, "maxPipelineRayRecursionDepth": depth })
}
