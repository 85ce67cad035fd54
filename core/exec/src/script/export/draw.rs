//! The draw of a program as the state of a script's pipeline.

use super::Exporting;
use super::buffers::{self, format_of};
use crate::gpu::StartingDraw;
use lanescope_amber::script::command::{RunKind, Topology as ScriptTopology};
use lanescope_amber::script::pipeline::{BoundBuffer, BufferRole, Rate, VertexData};
use lanescope_amber::script::state::{Blend as ScriptBlend, BlendOp as ScriptBlendOp, Depth, Viewport};
use lanescope_amber::script::{Buffer, BufferForm, Initializer, Line};
use lanescope_amber::types::DataType;
use lanescope_amber::types::format::Mode;
use lanescope_amber::types::layout::Packing;
use lanescope_amber::{Command, Script};
use lanescope_pipeline::vulkan::VkFormat;
use lanescope_pipeline::{Attachments, Blend, Multisample, Pipeline, Raster, State, VertexAttribute};
use lanescope_run::inputs::{DrawInputs, IndexBits, Vertices};

const LINE: Line = Line(0);
/// The color that a run clears attachments to, of 255: as near to it as a script states one.
const CLEAR: [u8; 4] = [64, 128, 191, 255];

/// The dynamic state that no run of a script has otherwise than a run of the program has it.
const HARMLESS: [&str; 13] = [
    "VIEWPORT",
    "SCISSOR",
    "VIEWPORT_WITH_COUNT",
    "SCISSOR_WITH_COUNT",
    "LINE_WIDTH",
    "BLEND_CONSTANTS",
    "DEPTH_BOUNDS",
    "STENCIL_COMPARE_MASK",
    "STENCIL_WRITE_MASK",
    "STENCIL_REFERENCE",
    "VERTEX_INPUT_BINDING_STRIDE",
    "RASTERIZER_DISCARD_ENABLE",
    "PRIMITIVE_RESTART_ENABLE",
];

impl Exporting {
    /// Adds what is drawn. What a script cannot state of it is the error.
    pub(super) fn draw(
        &mut self,
        described: Option<&Pipeline>,
        start: &StartingDraw,
        inputs: &DrawInputs,
    ) -> Result<RunKind, String> {
        self.pipeline.framebuffer = Some(start.size);
        self.pipeline.viewport = inputs.viewport.map(|own| Viewport {
            line: LINE,
            at: own.at,
            size: own.size,
            min_depth: Some(own.depth[0]),
            max_depth: Some(own.depth[1]),
        });
        let state = described.map(|pipeline| &pipeline.state);
        if let Some(state) = state {
            refuse(state, inputs)?;
            self.state(state)?;
        } else {
            self.notes.push(
                "each pixel has one sample: a run of the program has four, where nothing is described".to_owned(),
            );
        }
        self.vertices(&start.vertices)?;
        self.attachments(state.and_then(|state| state.attachments.as_ref()), start, inputs)?;
        self.indices(inputs);
        let topology = start.topology.name().and_then(|name| name.parse::<ScriptTopology>().ok());
        if topology == Some(ScriptTopology::PatchList) {
            let points = state.and_then(|state| state.patch_control_points).unwrap_or(3);
            self.pipeline.patch_control_points = Some(points);
        }
        if inputs.vertex_offset != 0 {
            return Err("an offset that is added to indices".to_owned());
        }
        Ok(RunKind::DrawArray {
            topology: topology.ok_or_else(|| format!("the topology {}", start.topology))?,
            indexed: inputs.indices.is_some(),
            start: Some(inputs.first),
            count: Some(start.count),
            start_instance: (inputs.first_instance != 0).then_some(inputs.first_instance),
            instances: inputs.instances,
        })
    }

    fn state(&mut self, state: &State) -> Result<(), String> {
        if let Some(raster) = &state.raster {
            let mode = raster.polygon_mode.filter(|mode| mode.0 != 0);
            let named = |mode: lanescope_pipeline::vulkan::PolygonMode| {
                let found = mode.name().and_then(|name| name.to_ascii_lowercase().parse().ok());
                found.ok_or_else(|| format!("the polygon mode {mode}"))
            };
            self.pipeline.polygon_mode = mode.map(named).transpose()?;
            let bias = raster.depth_bias.map(|bias| bias.map(|number| number as f32));
            if raster.depth_clamp == Some(true) || bias.is_some() {
                let clamp = raster.depth_clamp.filter(|on| *on);
                self.pipeline.depth = Some(Depth { line: LINE, clamp, bias, ..Depth::default() });
            }
        }
        if let Some(depth) = state.depth_stencil.as_ref().filter(|depth| depth.depth_test) {
            let compare = depth.depth_compare.name().and_then(|name| name.to_ascii_lowercase().parse().ok());
            let compare = compare.ok_or_else(|| format!("the depth test {}", depth.depth_compare))?;
            let own = self.pipeline.depth.get_or_insert_with(Depth::default);
            (own.test, own.write, own.compare_op) = (Some(true), Some(depth.depth_write), Some(compare));
        }
        let colors = state.attachments.iter().flat_map(|all| &all.colors).filter(|color| color.blend);
        for color in colors {
            let equation = color
                .equation
                .ok_or_else(|| format!("the blending of color {} without its factors", color.location))?;
            self.pipeline.blend = Some(blend(&equation)?);
        }
        Ok(())
    }

    /// A buffer for each attribute, of its numbers alone.
    fn vertices(&mut self, vertices: &Vertices) -> Result<(), String> {
        let mut attributes: Vec<&VertexAttribute> = vertices.input.attributes.iter().collect();
        attributes.sort_by_key(|attribute| attribute.location);
        for attribute in attributes {
            let location = attribute.location;
            let binding = vertices.input.bindings.iter().find(|one| one.binding == attribute.binding);
            let held = vertices.buffers.iter().find(|one| one.binding == attribute.binding);
            let (Some(binding), Some(held)) = (binding, held) else {
                return Err(format!("the attribute at location {location}: its buffer is not given"));
            };
            let rate = match (binding.rate.0, binding.divisor.unwrap_or(1)) {
                (0, _) => None,
                (1, 1) => Some(Rate::Instance),
                (_, divisor) => {
                    return Err(format!("the rate of the attribute at location {location}: divisor {divisor}"));
                }
            };
            let name = attribute.format.name().unwrap_or_default();
            let format = format_of(name).map_err(|why| format!("the attribute at location {location}: {why}"))?;
            let size = format.size() as usize;
            let ty = DataType::Format(format);
            let whole = self.script.layout(&ty, Packing::Std430)?.size as usize;
            let mut bytes = Vec::new();
            let mut at = attribute.offset as usize;
            while let Some(one) = held.bytes.0.get(at..at.saturating_add(size)) {
                bytes.extend_from_slice(one);
                bytes.resize(bytes.len().next_multiple_of(whole.max(1)), 0);
                at += binding.stride as usize;
                if binding.stride == 0 {
                    break;
                }
            }
            let name = self.unused(&format!("attribute{location}"));
            let buffer = buffers::buffer(&self.script, &name, ty, &bytes);
            let buffer = buffer.ok_or_else(|| format!("the values of the attribute at location {location}"))?;
            self.script.buffers.push(buffer);
            let stride = (binding.stride == 0).then_some(0);
            let data = VertexData { line: LINE, buffer: name, location, rate, format: None, offset: None, stride };
            self.pipeline.vertex_data.push(data);
        }
        Ok(())
    }

    fn indices(&mut self, inputs: &DrawInputs) {
        let Some(indices) = &inputs.indices else { return };
        let bytes: Vec<u8> = match indices.bits {
            IndexBits::Short => indices.values.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect(),
            IndexBits::Word => indices.values.iter().flat_map(|index| index.to_le_bytes()).collect(),
        };
        let scalar = match indices.bits {
            IndexBits::Short => "uint16",
            IndexBits::Word => "uint32",
        };
        let name = self.unused("indices");
        let ty = lanescope_amber::types::Numbers::named(scalar).map(DataType::Numbers);
        if let Some(buffer) = ty.and_then(|ty| buffers::buffer(&self.script, &name, ty, &bytes)) {
            self.script.buffers.push(buffer);
            self.pipeline.index_data = Some(name);
        }
    }

    fn attachments(
        &mut self,
        described: Option<&Attachments>,
        start: &StartingDraw,
        inputs: &DrawInputs,
    ) -> Result<(), String> {
        if !inputs.attachments.is_empty() || !inputs.clear.is_empty() {
            return Err("what attachments hold before the draw".to_owned());
        }
        if inputs.depth_test.is_some() {
            return Err("a depth test that is not the pipeline description's".to_owned());
        }
        let mut clears_color = false;
        for (location, widest) in &start.outputs {
            let color = described.and_then(|all| all.colors.iter().find(|color| color.location == *location));
            let format = color.and_then(|color| color.format).unwrap_or(*widest);
            let is_integer = self.attachment(&format!("color{location}"), format, Some(*location))?;
            clears_color |= !is_integer;
        }
        let tests_depth = self.pipeline.depth.as_ref().is_some_and(|depth| depth.test == Some(true));
        if start.writes_depth && !tests_depth {
            // The last fragment at a pixel says its depth.
            let own = self.pipeline.depth.get_or_insert_with(Depth::default);
            (own.test, own.write) = (Some(true), Some(true));
            own.compare_op = Some(lanescope_amber::script::state::CompareOp::Always);
        }
        let has_depth = start.writes_depth || tests_depth;
        if has_depth {
            let depth = described.and_then(|all| all.depth).or(VkFormat::named("D32_SFLOAT"));
            self.attachment("depth", depth.unwrap_or_default(), None)?;
        }
        let pipeline = self.pipeline.name.clone();
        let line = LINE;
        if clears_color {
            self.before.push(Command::ClearColor { line, pipeline: pipeline.clone(), color: CLEAR });
        }
        if has_depth {
            self.before.push(Command::ClearDepth { line, pipeline: pipeline.clone(), depth: 0.625 });
        }
        // A clear of integers is not one of colors: they begin at zero.
        let has_integers = self.pipeline.buffers.iter().any(|bound| is_integer_color(&self.script, bound));
        match (clears_color || has_depth, has_integers) {
            (true, false) => self.before.push(Command::Clear { line, pipeline }),
            (_, true) => self.before.clear(),
            _ => {}
        }
        if has_integers {
            self.notes.push("attachments begin at zero: a script clears none of integers".to_owned());
        }
        Ok(())
    }

    /// Adds an attachment. Says whether it is of integers.
    fn attachment(&mut self, name: &str, format: VkFormat, location: Option<u32>) -> Result<bool, String> {
        let format = format_of(format.name().unwrap_or_default()).map_err(|why| format!("attachment {name}: {why}"))?;
        let is_integer = is_integer(&format);
        let name = self.unused(name);
        let form = BufferForm::Attachment { mip_levels: None, samples: None };
        let (ty, initializer) = (DataType::Format(format), Initializer::Absent);
        self.script.buffers.push(Buffer { line: LINE, name: name.clone(), form, ty, initializer });
        let role = match location {
            Some(location) => BufferRole::Color { location, mip_level: None },
            None => BufferRole::DepthStencil,
        };
        self.pipeline.buffers.push(BoundBuffer { line: LINE, buffers: vec![name.clone()], role });
        self.written.push(name);
        Ok(is_integer && location.is_some())
    }
}

fn is_integer(format: &lanescope_amber::types::ImageFormat) -> bool {
    !format.is_depth_stencil() && format.components.iter().any(|one| matches!(one.mode, Mode::Uint | Mode::Sint))
}

fn is_integer_color(script: &Script, bound: &BoundBuffer) -> bool {
    let name = bound.buffers.first().filter(|_| matches!(bound.role, BufferRole::Color { .. }));
    let format = name.and_then(|name| script.buffer(name)).and_then(|buffer| buffer.ty.image_format());
    format.is_some_and(|format| is_integer(&format))
}

fn blend(equation: &Blend) -> Result<ScriptBlend, String> {
    let factor = |factor: lanescope_pipeline::vulkan::BlendFactor| {
        let found = factor.name().and_then(|name| name.to_ascii_lowercase().parse().ok());
        found.map(Some).ok_or_else(|| format!("the blend factor {factor}"))
    };
    let op = |op: lanescope_pipeline::vulkan::BlendOp| {
        let name = op.name().unwrap_or_default().to_ascii_lowercase();
        let found = match name.trim_end_matches("_ext") {
            "subtract" => Some(ScriptBlendOp::Subtract),
            "reverse_subtract" => Some(ScriptBlendOp::ReverseSubtract),
            name => name.parse().ok(),
        };
        found.map(Some).ok_or_else(|| format!("the blend operation {op}"))
    };
    Ok(ScriptBlend {
        line: LINE,
        src_color: factor(equation.color[0])?,
        dst_color: factor(equation.color[1])?,
        color_op: op(equation.color_op)?,
        src_alpha: factor(equation.alpha[0])?,
        dst_alpha: factor(equation.alpha[1])?,
        alpha_op: op(equation.alpha_op)?,
    })
}

/// Refuses state that a script has no words for, or that no run of a script has.
fn refuse(state: &State, inputs: &DrawInputs) -> Result<(), String> {
    let is_known = |name: &str| HARMLESS.contains(&name.trim_end_matches("_EXT"));
    if let Some(dynamic) = state.dynamic.iter().find(|one| !one.name().is_some_and(is_known)) {
        return Err(format!("dynamic state: {dynamic}"));
    }
    let restarts = state.primitive_restart == Some(true) && inputs.indices.is_some();
    let said = [(restarts, "primitive restart")].into_iter();
    let said = said.chain(state.raster.as_ref().map(of_raster).into_iter().flatten());
    let said = said.chain(state.multisample.as_ref().map(of_samples).into_iter().flatten());
    let depth = state.depth_stencil.as_ref();
    let said = said.chain([
        (depth.is_some_and(|depth| depth.stencil.is_some()), "the stencil test"),
        (depth.is_some_and(|depth| depth.depth_bounds.is_some()), "the depth bounds test"),
    ]);
    let mut said = said.chain(state.attachments.as_ref().map(of_attachments).into_iter().flatten());
    match said.find(|(on, _)| *on) {
        Some((_, what)) => Err(what.to_owned()),
        None => Ok(()),
    }
}

fn of_raster(raster: &Raster) -> Vec<(bool, &'static str)> {
    vec![
        (raster.cull_mode.is_some_and(|cull| cull & 3 != 0), "culling"),
        (raster.front_face.is_some_and(|face| face.0 != 0), "clockwise front faces"),
        (raster.depth_clip == Some(false) && raster.depth_clamp != Some(true), "disabled depth clipping"),
        (raster.discard == Some(true), "rasterizer discard"),
        (raster.line_width.is_some_and(|width| width != 1.0 && width != 0.0), "the line width"),
        (raster.provoking_vertex.is_some_and(|vertex| vertex.0 != 0), "the provoking vertex"),
        (raster.stream.is_some_and(|stream| stream != 0), "the rasterized stream"),
    ]
}

fn of_samples(samples: &Multisample) -> Vec<(bool, &'static str)> {
    vec![
        (samples.samples.is_some_and(|count| count > 1), "several samples for each pixel"),
        (samples.sample_shading == Some(true), "sample shading"),
        (samples.alpha_to_coverage == Some(true), "alpha to coverage"),
        (samples.alpha_to_one == Some(true), "alpha to one"),
        (samples.mask.first().is_some_and(|mask| mask & 1 == 0), "the sample mask"),
    ]
}

fn of_attachments(all: &Attachments) -> Vec<(bool, &'static str)> {
    let [first, ..] = all.colors.as_slice() else { return Vec::new() };
    let differ = all.colors.iter().any(|one| (one.blend, one.equation) != (first.blend, first.equation));
    vec![
        (all.logic_op.is_some(), "the logic operation"),
        (all.view_mask.is_some_and(|mask| mask != 0), "multiview"),
        (all.dual_source, "dual-source blending"),
        (all.blend_constants.is_some_and(|all| all != [0.0; 4]), "blend constants"),
        (all.colors.iter().any(|color| color.write_mask & 0xf != 0xf), "the write mask of a color"),
        (differ, "blending that differs from one attachment to the other"),
    ]
}
