//! The state of graphics and ray tracing pipelines.

use std::ops::Range;

use super::member::Members;
use super::pnext::{Chain, RENDERING};
use super::pnext::{DEPTH_CLIP, DIVISORS, PROVOKING, STREAM};
use crate::findings;
use crate::notes::Notes;
use crate::state::{
    Attachments, Blend, ColorAttachment, DepthStencil, Multisample, Raster, RayTracing, ShaderGroup, State,
    StencilFace, VertexAttribute, VertexBinding, VertexInput,
};
use crate::vulkan::{
    BlendFactor, BlendOp, CompareOp, DynamicState, FrontFace, GroupType, InputRate, LogicOp, PolygonMode,
    ProvokingVertex, StencilOp, Topology, VkFormat,
};

const MAX: usize = 64;
const MAX_GROUPS: usize = 65_536;

/// The state of a graphics pipeline but for its attachments' formats.
pub fn graphics(pipeline: &Members<'_>, notes: &mut Notes<'_>) -> State {
    let mut state = State {
        vertex_input: pipeline.object("vertexInputState", notes).map(|input| vertex_input(&input, notes)),
        ..State::default()
    };
    if let Some(assembly) = pipeline.object("inputAssemblyState", notes) {
        state.topology = assembly.value("topology", notes).map(Topology);
        state.primitive_restart = assembly.switch("primitiveRestartEnable", notes);
    }
    if let Some(tessellation) = pipeline.object("tessellationState", notes) {
        state.patch_control_points = tessellation.word("patchControlPoints", notes);
        Chain::of(&tessellation, notes).keep_others(tessellation.name, notes);
    }
    if let Some(viewport) = pipeline.object("viewportState", notes) {
        let counts = [viewport.word("viewportCount", notes), viewport.word("scissorCount", notes)];
        state.viewports = Some(counts.map(|count| count.unwrap_or(0)));
    }
    state.raster = pipeline.object("rasterizationState", notes).map(|raster| rasterization(&raster, notes));
    state.multisample = pipeline.object("multisampleState", notes).map(|samples| multisample(&samples, notes));
    state.depth_stencil = pipeline.object("depthStencilState", notes).map(|depth| depth_stencil(&depth, notes));
    state.dynamic = dynamic(pipeline, notes);
    state
}

/// The dynamic states of a pipeline.
pub fn dynamic(pipeline: &Members<'_>, notes: &mut Notes<'_>) -> Vec<DynamicState> {
    let Some(dynamic) = pipeline.object("dynamicState", notes) else { return Vec::new() };
    let numbers = dynamic.words("dynamicState", 256, notes);
    numbers.into_iter().filter_map(|number| i32::try_from(number).ok().map(DynamicState)).collect()
}

fn vertex_input(input: &Members<'_>, notes: &mut Notes<'_>) -> VertexInput {
    let mut out = VertexInput { from: input.name.to_owned(), ..VertexInput::default() };
    for binding in input.objects("bindings", MAX, notes) {
        out.bindings.push(VertexBinding {
            binding: binding.word("binding", notes).unwrap_or(0),
            stride: binding.word("stride", notes).unwrap_or(0),
            rate: InputRate(binding.value("inputRate", notes).unwrap_or(0)),
            divisor: None,
        });
    }
    for attribute in input.objects("attributes", MAX, notes) {
        out.attributes.push(VertexAttribute {
            location: attribute.word("location", notes).unwrap_or(0),
            binding: attribute.word("binding", notes).unwrap_or(0),
            format: VkFormat(attribute.value("format", notes).unwrap_or(0)),
            offset: attribute.word("offset", notes).unwrap_or(0),
        });
    }
    let chain = Chain::of(input, notes);
    for divisor in chain.get(DIVISORS).map(|next| next.objects("vertexBindingDivisors", MAX, notes)).unwrap_or_default()
    {
        let binding = divisor.word("binding", notes);
        let value = divisor.word("divisor", notes);
        if let Some(known) = out.bindings.iter_mut().find(|known| Some(known.binding) == binding) {
            known.divisor = value;
        }
    }
    chain.keep_others(input.name, notes);
    out
}

fn rasterization(raster: &Members<'_>, notes: &mut Notes<'_>) -> Raster {
    let chain = Chain::of(raster, notes);
    let biased = raster.switch("depthBiasEnable", notes) == Some(true);
    let bias = ["depthBiasConstantFactor", "depthBiasClamp", "depthBiasSlopeFactor"]
        .map(|member| raster.float(member, notes).unwrap_or(0.0));
    let out = Raster {
        from: raster.name.to_owned(),
        depth_clamp: raster.switch("depthClampEnable", notes),
        depth_clip: chain.get(DEPTH_CLIP).and_then(|next| next.switch("depthClipEnable", notes)),
        discard: raster.switch("rasterizerDiscardEnable", notes),
        polygon_mode: raster.value("polygonMode", notes).map(PolygonMode),
        cull_mode: raster.word("cullMode", notes),
        front_face: raster.value("frontFace", notes).map(FrontFace),
        depth_bias: biased.then_some(bias),
        line_width: raster.float("lineWidth", notes),
        provoking_vertex: chain
            .get(PROVOKING)
            .and_then(|next| next.value("provokingVertexMode", notes))
            .map(ProvokingVertex),
        stream: chain.get(STREAM).and_then(|next| next.word("rasterizationStream", notes)),
    };
    chain.keep_others(raster.name, notes);
    out
}

fn multisample(samples: &Members<'_>, notes: &mut Notes<'_>) -> Multisample {
    Chain::of(samples, notes).keep_others(samples.name, notes);
    Multisample {
        from: samples.name.to_owned(),
        samples: samples.word("rasterizationSamples", notes),
        sample_shading: samples.switch("sampleShadingEnable", notes),
        min_sample_shading: samples.float("minSampleShading", notes),
        alpha_to_coverage: samples.switch("alphaToCoverageEnable", notes),
        alpha_to_one: samples.switch("alphaToOneEnable", notes),
        mask: samples.words("sampleMask", MAX, notes),
    }
}

fn depth_stencil(state: &Members<'_>, notes: &mut Notes<'_>) -> DepthStencil {
    let on = |member, notes: &mut Notes<'_>| state.switch(member, notes).unwrap_or(false);
    let bounded = on("depthBoundsTestEnable", notes);
    let bounds = ["minDepthBounds", "maxDepthBounds"].map(|member| state.float(member, notes).unwrap_or(0.0));
    let tested = on("stencilTestEnable", notes);
    let mut faces = ["front", "back"].map(|member| {
        let Some(face) = state.object(member, notes) else { return StencilFace::default() };
        let mut op = |member| StencilOp(face.value(member, notes).unwrap_or(0));
        let (fail, pass, depth_fail) = (op("failOp"), op("passOp"), op("depthFailOp"));
        let compare = CompareOp(face.value("compareOp", notes).unwrap_or(0));
        let mut word = |member| face.word(member, notes).unwrap_or(0);
        let (compare_mask, write_mask, reference) = (word("compareMask"), word("writeMask"), word("reference"));
        StencilFace { fail, pass, depth_fail, compare, compare_mask, write_mask, reference }
    });
    if !tested {
        faces = [StencilFace::default(); 2];
    }
    DepthStencil {
        from: state.name.to_owned(),
        depth_test: on("depthTestEnable", notes),
        depth_write: on("depthWriteEnable", notes),
        depth_compare: CompareOp(state.value("depthCompareOp", notes).unwrap_or(0)),
        depth_bounds: bounded.then_some(bounds),
        stencil: tested.then_some(faces),
    }
}

/// The formats that dynamic rendering states.
pub fn rendering(pipeline: &Members<'_>, chain: &Chain<'_>, notes: &mut Notes<'_>) -> Option<Attachments> {
    let rendering = chain.get(RENDERING)?;
    let formats = rendering.words("colorAttachmentFormats", MAX, notes);
    let colors = (0u32..)
        .zip(formats)
        .map(|(location, format)| ColorAttachment {
            location,
            format: Some(VkFormat(i32::try_from(format).unwrap_or(0))),
            write_mask: 15,
            blend: false,
            blends_by_alpha: false,
            equation: None,
        })
        .collect();
    let mut format = |member| rendering.value(member, notes).map(VkFormat).filter(|f| *f != VkFormat::default());
    let (depth, stencil) = (format("depthAttachmentFormat"), format("stencilAttachmentFormat"));
    let view_mask = rendering.word("viewMask", notes).filter(|mask| *mask != 0);
    Some(Attachments {
        from: format!("{}, rendering", pipeline.name),
        colors,
        depth,
        stencil,
        view_mask,
        ..Attachments::default()
    })
}

/// Puts the blend of a pipeline to its attachments; whether it has one.
pub fn blend(pipeline: &Members<'_>, attachments: &mut Option<Attachments>, notes: &mut Notes<'_>) -> bool {
    let Some(state) = pipeline.object("colorBlendState", notes) else { return false };
    let blends = state.objects("attachments", MAX, notes);
    let empty = Attachments { from: pipeline.name.to_owned(), ..Attachments::default() };
    let out = attachments.get_or_insert(empty);
    if state.switch("logicOpEnable", notes) == Some(true) {
        out.logic_op = state.value("logicOp", notes).map(LogicOp);
    }
    if let [super::json::Json::Float(_) | super::json::Json::Unsigned(_) | super::json::Json::Signed(_), ..] =
        state.list("blendConstants", 4, notes)
    {
        let numbers = state.list("blendConstants", 4, notes);
        let number = |at: usize| match numbers.get(at) {
            Some(super::json::Json::Float(value)) => *value,
            Some(super::json::Json::Unsigned(value)) => *value as f64,
            Some(super::json::Json::Signed(value)) => *value as f64,
            _ => 0.0,
        };
        out.blend_constants = Some([number(0), number(1), number(2), number(3)]);
    }
    for (location, blend) in (0u32..).zip(&blends) {
        let at = match out.colors.iter().position(|color| color.location == location) {
            Some(at) => at,
            None => {
                out.colors.push(ColorAttachment {
                    location,
                    format: None,
                    write_mask: 15,
                    blend: false,
                    blends_by_alpha: false,
                    equation: None,
                });
                out.colors.len() - 1
            }
        };
        let color = &mut out.colors[at];
        color.blend = blend.switch("blendEnable", notes) == Some(true);
        color.write_mask = blend.word("colorWriteMask", notes).unwrap_or(15) & 15;
        if color.blend {
            let mut value = |member| blend.value(member, notes).unwrap_or(0);
            let equation = Blend {
                color: [BlendFactor(value("srcColorBlendFactor")), BlendFactor(value("dstColorBlendFactor"))],
                color_op: BlendOp(value("colorBlendOp")),
                alpha: [BlendFactor(value("srcAlphaBlendFactor")), BlendFactor(value("dstAlphaBlendFactor"))],
                alpha_op: BlendOp(value("alphaBlendOp")),
            };
            color.equation = Some(equation);
            // SRC1 factors take the second output.
            let second = |factor: &BlendFactor| (15..=18).contains(&factor.0);
            out.dual_source |= location == 0 && equation.color.iter().chain(&equation.alpha).any(second);
        }
    }
    Chain::of(&state, notes).keep_others(state.name, notes);
    true
}

/// The state of a ray tracing pipeline, or of a library of one, whose stages are these of all.
pub fn ray_tracing(pipeline: &Members<'_>, stages: Range<usize>, notes: &mut Notes<'_>) -> RayTracing {
    let mut groups = Vec::new();
    for group in pipeline.objects("groups", MAX_GROUPS, notes) {
        let mut index = |member: &str| {
            let found = group.word(member, notes).filter(|index| *index != u32::MAX)?;
            if found as usize >= stages.len() {
                let message = format!("a group refers to stage {found}, but the pipeline has {}", stages.len());
                notes.add_at(findings::FOZ_MISSING_REF, pipeline.name, message);
                return None;
            }
            // There are few stages.
            Some(found + stages.start as u32)
        };
        let (general, closest_hit) = (index("generalShader"), index("closestHitShader"));
        let (any_hit, intersection) = (index("anyHitShader"), index("intersectionShader"));
        let ty = GroupType(group.value("type", notes).unwrap_or(0));
        groups.push(ShaderGroup { ty, general, closest_hit, any_hit, intersection });
    }
    let interface = pipeline.object("libraryInterface", notes).map(|interface| {
        ["maxPipelineRayPayloadSize", "maxPipelineRayHitAttributeSize"]
            .map(|member| interface.word(member, notes).unwrap_or(0))
    });
    RayTracing {
        from: pipeline.name.to_owned(),
        max_depth: pipeline.word("maxPipelineRayRecursionDepth", notes).unwrap_or(0),
        groups,
        interface,
    }
}
