//! What a script states of a pipeline besides its shaders.

use super::stage_of;
use lanescope_amber::Script;
use lanescope_amber::bytes::Contents;
use lanescope_amber::script::pipeline::{BufferRole, DescriptorKind, Pipeline as ScriptPipeline, Rate, SamplerPlace};
use lanescope_amber::script::state::{BlendOp as ScriptBlendOp, Stencil};
use lanescope_amber::types::DataType;
use lanescope_pipeline::vulkan::{
    BlendFactor, BlendOp, CompareOp, DescriptorType, FrontFace, InputRate, PolygonMode, StencilOp, VkFormat,
};
use lanescope_pipeline::{
    Attachments, Binding, Blend, ColorAttachment, DepthStencil, DescriptorSet, Multisample, Pipeline, PipelineKind,
    PushConstantRange, Raster, RayTracing, StageMask, StencilFace, VertexAttribute, VertexBinding, VertexInput,
};

/// The format of the color attachment of a pipeline that binds none.
const DEFAULT_COLOR: &str = "B8G8R8A8_UNORM";

pub(super) fn describe(script: &Script, chosen: &ScriptPipeline, out: &mut Pipeline) {
    let from = format!("line {}", chosen.line.0);
    layout(script, chosen, out);
    match out.kind {
        PipelineKind::Graphics => graphics(script, chosen, &from, out),
        PipelineKind::RayTracing => {
            let interface = chosen.rays.max_payload.zip(chosen.rays.max_attribute).map(|(a, b)| [a, b]);
            let max_depth = chosen.rays.max_recursion.unwrap_or(1);
            out.state.ray_tracing = Some(RayTracing { from, max_depth, groups: Vec::new(), interface });
        }
        _ => {}
    }
}

/// Descriptors and push constants. A script names no stages: all of the pipeline see them.
fn layout(script: &Script, chosen: &ScriptPipeline, out: &mut Pipeline) {
    let shaders = chosen.shaders.iter().map(|one| one.stage.or(script.shader(&one.shader).map(|shader| shader.stage)));
    let groups = chosen.rays.groups.iter().flat_map(|group| &group.shaders);
    let groups = groups.map(|name| script.shader(name).map(|shader| shader.stage));
    let stages: StageMask = shaders.chain(groups).flatten().filter_map(stage_of).collect();
    let mut bind = |set: u32, binding: u32, ty: &str, count: usize| {
        let Some(ty) = DescriptorType::named(ty) else { return };
        let sets = &mut out.layout.sets;
        let place = sets.iter().position(|known| known.set == set).unwrap_or_else(|| {
            sets.push(DescriptorSet { set, hash: None, flags: 0, bindings: Vec::new() });
            sets.len() - 1
        });
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let (flags, immutable_samplers, mutable_types) = (0, Vec::new(), Vec::new());
        sets[place].bindings.push(Binding { binding, ty, count, stages, flags, immutable_samplers, mutable_types });
    };
    for bound in &chosen.buffers {
        if let BufferRole::Descriptor { kind, set, binding, .. } = &bound.role {
            bind(*set, *binding, descriptor_type(*kind), bound.buffers.len());
        }
    }
    for bound in &chosen.samplers {
        if let SamplerPlace::Descriptor { set, binding } = bound.place {
            bind(set, binding, "SAMPLER", bound.samplers.len());
        }
    }
    for bound in &chosen.structures {
        bind(bound.set, bound.binding, "ACCELERATION_STRUCTURE_KHR", 1);
    }
    out.layout.sets.sort_by_key(|set| set.set);
    for set in &mut out.layout.sets {
        set.bindings.sort_by_key(|binding| binding.binding);
    }
    let pushed = chosen.buffers.iter().find(|bound| bound.role == BufferRole::PushConstant);
    let contents = pushed.and_then(|bound| script.buffer(bound.buffers.first()?)).map(|buffer| script.contents(buffer));
    if let Some(Ok(Contents::Bytes(bytes))) = contents {
        let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        out.layout.push_constants.push(PushConstantRange { stages, offset: 0, size });
    }
    if !out.layout.is_empty() {
        out.layout.from = Some(format!("line {}", chosen.line.0));
    }
}

fn descriptor_type(kind: DescriptorKind) -> &'static str {
    match kind {
        DescriptorKind::Uniform => "UNIFORM_BUFFER",
        DescriptorKind::Storage => "STORAGE_BUFFER",
        DescriptorKind::UniformDynamic => "UNIFORM_BUFFER_DYNAMIC",
        DescriptorKind::StorageDynamic => "STORAGE_BUFFER_DYNAMIC",
        DescriptorKind::StorageImage => "STORAGE_IMAGE",
        DescriptorKind::SampledImage => "SAMPLED_IMAGE",
        DescriptorKind::CombinedImageSampler => "COMBINED_IMAGE_SAMPLER",
        DescriptorKind::UniformTexelBuffer => "UNIFORM_TEXEL_BUFFER",
        DescriptorKind::StorageTexelBuffer => "STORAGE_TEXEL_BUFFER",
    }
}

/// The format of Vulkan that a type of data has, if one does.
fn format_of(ty: &DataType) -> Option<VkFormat> {
    VkFormat::named(&ty.format_name()?)
}

fn graphics(script: &Script, chosen: &ScriptPipeline, from: &str, out: &mut Pipeline) {
    let state = &mut out.state;
    state.vertex_input = vertex_input(script, chosen);
    state.patch_control_points = chosen.patch_control_points;
    state.attachments = Some(attachments(script, chosen, from));
    let named = |mode: lanescope_amber::script::state::PolygonMode| PolygonMode::named(mode.name());
    let depth = chosen.depth.as_ref();
    // What a script cannot state is fixed by the language.
    state.raster = Some(Raster {
        from: from.to_owned(),
        polygon_mode: chosen.polygon_mode.and_then(named),
        cull_mode: Some(0),
        front_face: Some(FrontFace(0)),
        depth_clamp: depth.and_then(|depth| depth.clamp),
        depth_bias: depth.and_then(|depth| depth.bias).map(|bias| bias.map(f64::from)),
        ..Raster::default()
    });
    state.depth_stencil = depth_stencil(chosen);
    let colors = chosen.buffers.iter().filter(|bound| matches!(bound.role, BufferRole::Color { .. }));
    let samples = colors.filter_map(|bound| Some(script.buffer(bound.buffers.first()?)?.samples())).max();
    let samples = Some(samples.unwrap_or(1));
    state.multisample = Some(Multisample { from: from.to_owned(), samples, ..Multisample::default() });
}

/// A binding for each attribute, as the script has a buffer for each.
fn vertex_input(script: &Script, chosen: &ScriptPipeline) -> Option<VertexInput> {
    let first = chosen.vertex_data.first()?;
    let mut out = VertexInput { from: format!("line {}", first.line.0), bindings: Vec::new(), attributes: Vec::new() };
    for (binding, data) in (0..).zip(&chosen.vertex_data) {
        let Some(buffer) = script.buffer(&data.buffer) else { continue };
        let ty = data.format.as_ref().unwrap_or(&buffer.ty);
        let Some(format) = format_of(ty) else { continue };
        let size = script.layout(ty, buffer.packing()).map(|layout| layout.size).unwrap_or_default();
        let stride = data.stride.unwrap_or(size);
        let rate = InputRate(i32::from(data.rate == Some(Rate::Instance)));
        out.bindings.push(VertexBinding { binding, stride, rate, divisor: None });
        let offset = data.offset.unwrap_or(0);
        out.attributes.push(VertexAttribute { location: data.location, binding, format, offset });
    }
    Some(out)
}

fn attachments(script: &Script, chosen: &ScriptPipeline, from: &str) -> Attachments {
    let equation = chosen.blend.as_ref().map(|blend| {
        let factor = |factor: Option<lanescope_amber::script::state::BlendFactor>, default: &str| {
            BlendFactor::named(factor.map_or(default, |factor| factor.name())).unwrap_or_default()
        };
        Blend {
            color: [factor(blend.src_color, "one"), factor(blend.dst_color, "zero")],
            color_op: blend_op(blend.color_op),
            alpha: [factor(blend.src_alpha, "one"), factor(blend.dst_alpha, "zero")],
            alpha_op: blend_op(blend.alpha_op),
        }
    });
    let color = |location: u32, format: Option<VkFormat>| ColorAttachment {
        location,
        format,
        write_mask: 0xf,
        blend: equation.is_some(),
        blends_by_alpha: false,
        equation,
    };
    let of = |bound: &lanescope_amber::script::pipeline::BoundBuffer| {
        let buffer = script.buffer(bound.buffers.first()?)?;
        format_of(&buffer.ty)
    };
    let mut colors: Vec<ColorAttachment> = chosen
        .buffers
        .iter()
        .filter_map(|bound| match bound.role {
            BufferRole::Color { location, .. } => Some(color(location, of(bound))),
            _ => None,
        })
        .collect();
    if colors.is_empty() {
        colors.push(color(0, VkFormat::named(DEFAULT_COLOR)));
    }
    colors.sort_by_key(|color| color.location);
    let depth = chosen.buffers.iter().find(|bound| bound.role == BufferRole::DepthStencil);
    let format = depth.and_then(of);
    let has = |part: &str| format.filter(|format| format.name().is_some_and(|name| name.contains(part)));
    Attachments { from: from.to_owned(), colors, depth: has("D"), stencil: has("S8"), ..Attachments::default() }
}

fn blend_op(op: Option<ScriptBlendOp>) -> BlendOp {
    let name = match op {
        None => "ADD",
        Some(ScriptBlendOp::Subtract) => "SUBTRACT",
        Some(ScriptBlendOp::ReverseSubtract) => "REVERSE_SUBTRACT",
        Some(op @ (ScriptBlendOp::Add | ScriptBlendOp::Min | ScriptBlendOp::Max)) => op.name(),
        Some(op) => return BlendOp::named(&format!("{}_EXT", op.name())).unwrap_or(BlendOp(-1)),
    };
    BlendOp::named(name).unwrap_or_default()
}

fn depth_stencil(chosen: &ScriptPipeline) -> Option<DepthStencil> {
    let first = chosen.depth.as_ref().map(|depth| depth.line).or(chosen.stencil.first().map(|face| face.line))?;
    let compare = |op: Option<lanescope_amber::script::state::CompareOp>| {
        CompareOp::named(op.map_or("always", |op| op.name())).unwrap_or_default()
    };
    let depth = chosen.depth.clone().unwrap_or_default();
    let has_depth = chosen.buffers.iter().any(|bound| bound.role == BufferRole::DepthStencil);
    let tests = chosen.stencil.iter().rev().find_map(|face| face.test) == Some(true);
    let face = |face: Option<Stencil>| {
        let op = |op: Option<lanescope_amber::script::state::StencilOp>| {
            StencilOp::named(op.map_or("keep", |op| op.name())).unwrap_or_default()
        };
        StencilFace {
            fail: op(face.as_ref().and_then(|face| face.fail_op)),
            pass: op(face.as_ref().and_then(|face| face.pass_op)),
            depth_fail: op(face.as_ref().and_then(|face| face.depth_fail_op)),
            compare: compare(face.as_ref().and_then(|face| face.compare_op)),
            compare_mask: face.as_ref().and_then(|face| face.compare_mask).unwrap_or(u32::MAX),
            write_mask: face.as_ref().and_then(|face| face.write_mask).unwrap_or(u32::MAX),
            reference: face.as_ref().and_then(|face| face.reference).unwrap_or(0),
        }
    };
    Some(DepthStencil {
        from: format!("line {}", first.0),
        // Without an attachment the test passes, and nothing is written.
        depth_test: depth.test.unwrap_or(false) && has_depth,
        depth_write: depth.write.unwrap_or(false),
        depth_compare: compare(depth.compare_op),
        depth_bounds: depth.bounds.map(|bounds| bounds.map(f64::from)),
        stencil: tests.then(|| chosen.stencil_faces().map(face)),
    })
}
