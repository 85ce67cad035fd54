//! The state of a pipeline description that the interpreter's draws have, and the rest of it as text.

use std::collections::BTreeMap;

use super::super::GpuError;
use super::super::applied_state::{bias_text, check_topology, mask_text, samples_text, set_later};
use super::super::pipeline::Stages;
use super::super::pipeline_from_description::topology;
use super::super::scene::{SAMPLES, Slot};
use ash::vk;
use lanescope_base::text_format::counted;
use lanescope_interpreter::Compare;
use lanescope_interpreter::draw::{Blend, BlendOp, Channel, DepthBias, DepthTest, Faces, Factor, Topology};
use lanescope_model::program::StageKind;
use lanescope_pipeline::vulkan::VkFormat;
use lanescope_pipeline::{ColorAttachment, Pipeline, State};
use lanescope_run::DescribedRun;
use lanescope_run::inputs::DrawInputs;
use lanescope_spirv::shape::ScalarKind;

/// The state of a draw.
#[derive(Debug, Clone)]
pub(super) struct DrawState {
    pub topology: Option<Topology>,
    pub patch_vertices: u32,
    pub samples: u32,
    pub sample_mask: u32,
    pub faces: Faces,
    pub test: Option<DepthTest>,
    pub bias: Option<DepthBias>,
    /// By location.
    pub colors: BTreeMap<u32, ColorState>,
    /// What was taken over from a description, and what was not; absent without one.
    pub described: Option<DescribedRun>,
}

/// A colour attachment of a description.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColorState {
    pub channels: [Channel; 4],
    pub blend: Option<Blend>,
    pub mask: [bool; 4],
}

impl Default for DrawState {
    /// Everything is drawn, and the last fragment at a sample stays.
    fn default() -> Self {
        DrawState {
            topology: None,
            patch_vertices: 3,
            samples: SAMPLES,
            sample_mask: u32::MAX,
            faces: Faces::default(),
            test: None,
            bias: None,
            colors: BTreeMap::new(),
            described: None,
        }
    }
}

/// State that the interpreter does not have, after its name.
const LACKS: &str = ": not supported by the interpreter";

impl DrawState {
    /// The state of a program's description for these outputs.
    ///
    /// # Errors
    /// A given topology that the stages do not take.
    pub fn of(
        pipeline: Option<&Pipeline>,
        stages: &Stages<'_>,
        outputs: &[Slot],
        draw: &DrawInputs,
    ) -> Result<DrawState, GpuError> {
        let mut out = DrawState::default();
        if let Some(pipeline) = pipeline {
            out.describe(pipeline, stages, outputs, draw);
        }
        if let Some(compare) = draw.depth_test.and_then(|test| Compare::from_vulkan(test.0)) {
            out.test = Some(DepthTest { compare, write: true });
        }
        if let Some(given) = draw.topology {
            check_topology(given, stages)?;
            out.topology = topology_of(vk::PrimitiveTopology::from_raw(given.0));
        }
        Ok(out)
    }

    /// Whether vertices make strips or fans.
    pub fn is_strip(&self) -> bool {
        matches!(self.topology, Some(Topology::LineStrip | Topology::TriangleStrip | Topology::TriangleFan))
    }

    fn describe(&mut self, pipeline: &Pipeline, stages: &Stages<'_>, outputs: &[Slot], draw: &DrawInputs) {
        let out = self;
        let mut said = DescribedRun::default();
        let state = &pipeline.state;
        out.vertices(pipeline, stages, &mut said, draw);
        out.raster(state, &mut said);
        out.multisample(state, &mut said);
        out.depth(state, &mut said, draw.depth_test.is_some());
        out.outputs(state, outputs, &mut said);
        out.described = Some(said);
    }

    fn vertices(&mut self, pipeline: &Pipeline, stages: &Stages<'_>, said: &mut DescribedRun, draw: &DrawInputs) {
        let state = &pipeline.state;
        if state.vertex_input.is_some() && draw.vertices.is_some() {
            said.left.push("vertex input: vertices are given".to_owned());
        } else if state.vertex_input.is_some() {
            said.left.push(format!("vertex formats: attributes have 32-bit components{LACKS}"));
        }
        if stages.get(StageKind::TessControl).is_some()
            && let Some(points) = state.patch_control_points
        {
            match set_later(state, "PATCH_CONTROL_POINTS_EXT") {
                true => said.left.push("patch control points: dynamic state".to_owned()),
                false if (1..=32).contains(&points) => {
                    self.patch_vertices = points;
                    said.taken.push(format!("patches of {}", counted(points as usize, "vertex")));
                }
                false => said.left.push(format!("patches of {points} vertices{LACKS}")),
            }
        }
        let Some(described) = state.topology else { return };
        let by_shader = [StageKind::TessControl, StageKind::Geometry, StageKind::Mesh];
        if by_shader.into_iter().any(|kind| stages.get(kind).is_some()) {
            return;
        }
        if draw.topology.is_some() {
            said.left.push(format!("topology {described}: another one is given"));
            return;
        }
        let found = topology(Some(pipeline)).and_then(topology_of);
        match found {
            _ if set_later(state, "PRIMITIVE_TOPOLOGY") => {
                said.left.push(format!("topology {described}: dynamic state"));
            }
            None => said.left.push(format!("topology {described}: needs another stage")),
            Some(topology) => {
                self.topology = Some(topology);
                said.taken.push(format!("topology {described}"));
            }
        }
    }

    fn raster(&mut self, state: &State, said: &mut DescribedRun) {
        let Some(raster) = &state.raster else { return };
        if let Some(cull) = raster.cull_mode.filter(|cull| cull & 3 != 0) {
            if set_later(state, "CULL_MODE") || set_later(state, "FRONT_FACE") {
                said.left.push("culling: dynamic state".to_owned());
            } else {
                let front = raster.front_face.unwrap_or_default();
                self.faces = Faces { clockwise: front.0 == 1, cull: [cull & 1 != 0, cull & 2 != 0] };
                let faces = ["", "front", "back", "front and back"][(cull & 3) as usize];
                said.taken.push(format!("cull mode {faces}; front face {front}"));
            }
        }
        for (on, what) in [
            (raster.polygon_mode.is_some_and(|mode| mode.0 != 0), "polygon mode"),
            (raster.depth_clamp == Some(true), "depth clamping"),
            (raster.depth_clip == Some(false), "disabled depth clipping"),
            (raster.provoking_vertex.is_some_and(|vertex| vertex.0 != 0), "provoking vertex mode"),
            (raster.line_width.is_some_and(|width| width != 1.0 && width != 0.0), "line width"),
        ] {
            if on {
                said.left.push(format!("{what}{LACKS}"));
            }
        }
        if let Some(bias) = raster.depth_bias.map(|bias| bias.map(|part| part as f32)) {
            if set_later(state, "DEPTH_BIAS") || set_later(state, "DEPTH_BIAS_ENABLE") {
                said.left.push("depth bias: dynamic state".to_owned());
            } else {
                let [constant, clamp, slope] = bias;
                self.bias = Some(DepthBias { constant, clamp, slope });
                said.taken.push(bias_text(bias));
            }
        }
        if raster.discard == Some(true) {
            said.left.push("rasterizer discard: there would be no output".to_owned());
        }
    }

    fn multisample(&mut self, state: &State, said: &mut DescribedRun) {
        let Some(multisample) = &state.multisample else { return };
        let mut taken = false;
        if let Some(count) = multisample.samples.filter(|count| *count > 0) {
            if matches!(count, 1 | 2 | 4 | 8) && !set_later(state, "RASTERIZATION_SAMPLES_EXT") {
                self.samples = count;
                taken = true;
                said.taken.push(samples_text(vk::SampleCountFlags::from_raw(count)));
            } else {
                said.left.push(format!("{count} samples per pixel"));
            }
        }
        let all = (1u32 << self.samples) - 1;
        if let Some(mask) = multisample.mask.first().copied().filter(|mask| mask & all != all) {
            match (set_later(state, "SAMPLE_MASK_EXT"), taken) {
                (true, _) => said.left.push("sample mask: dynamic state".to_owned()),
                (_, false) => said.left.push("sample mask: the sample count is not taken over".to_owned()),
                _ => {
                    self.sample_mask = mask;
                    said.taken.push(mask_text(mask));
                }
            }
        }
        for (on, what) in [
            (multisample.sample_shading == Some(true), "sample shading"),
            (multisample.alpha_to_coverage == Some(true), "alpha to coverage"),
            (multisample.alpha_to_one == Some(true), "alpha to one"),
        ] {
            if on {
                said.left.push(format!("{what}{LACKS}"));
            }
        }
    }

    fn depth(&mut self, state: &State, said: &mut DescribedRun, is_given: bool) {
        let Some(depth) = &state.depth_stencil else { return };
        if depth.depth_test {
            let later = ["DEPTH_TEST_ENABLE", "DEPTH_WRITE_ENABLE", "DEPTH_COMPARE_OP"];
            match Compare::from_vulkan(depth.depth_compare.0) {
                _ if is_given => {
                    said.left.push(format!("depth test {}: another one is given", depth.depth_compare));
                }
                _ if later.iter().any(|name| set_later(state, name)) => {
                    said.left.push("depth test: dynamic state".to_owned());
                }
                None => said.left.push(format!("depth test {}: not a Vulkan value", depth.depth_compare)),
                Some(compare) => {
                    self.test = Some(DepthTest { compare, write: depth.depth_write });
                    let write = if depth.depth_write { "written" } else { "not written" };
                    let described =
                        state.attachments.as_ref().and_then(|all| all.depth).map(|format| format.to_string());
                    let other = described.filter(|format| !format.starts_with("D32_SFLOAT"));
                    let other =
                        other.map_or_else(String::new, |format| format!("; with D32_SFLOAT instead of {format}"));
                    said.taken.push(format!("depth test {}, {write}{other}", depth.depth_compare));
                }
            }
        }
        for (on, what) in
            [(depth.depth_bounds.is_some(), "depth bounds test"), (depth.stencil.is_some(), "stencil test")]
        {
            if on {
                said.left.push(format!("{what}{LACKS}"));
            }
        }
    }

    fn outputs(&mut self, state: &State, outputs: &[Slot], said: &mut DescribedRun) {
        let Some(attachments) = &state.attachments else { return };
        if attachments.logic_op.is_some() {
            said.left.push(format!("logic operation{LACKS}"));
        }
        if attachments.view_mask.is_some_and(|mask| mask != 0) {
            said.left.push("multiview".to_owned());
        }
        let constants = attachments.blend_constants.filter(|_| !set_later(state, "BLEND_CONSTANTS"));
        let constants = constants.unwrap_or_default().map(|constant| constant as f32);
        for output in outputs {
            let location = output.location;
            let Some(color) = attachments.colors.iter().find(|color| color.location == location) else {
                said.left.push(format!("color{location} has no attachment in the description; it is read back"));
                continue;
            };
            let Some((name, channels)) = color.format.and_then(|format| channels(format, output.kind)) else {
                let format = color.format.map_or_else(|| "none in the description".to_owned(), |f| f.to_string());
                said.left.push(format!("format of color{location}: {format}{LACKS}"));
                continue;
            };
            let mask = [0, 1, 2, 3].map(|channel| color.write_mask >> channel & 1 == 1);
            let mut blended = String::new();
            let blend = match (color.blend && output.kind == ScalarKind::Float, blend(color, constants)) {
                (false, _) => None,
                (true, Ok((blend, how))) => {
                    how.clone_into(&mut blended);
                    Some(blend)
                }
                (true, Err(why)) => {
                    said.left.push(format!("blending of color{location}: {why}"));
                    None
                }
            };
            let all = mask == [true; 4];
            let written: String = "RGBA".chars().zip(mask).filter(|(_, on)| *on).map(|(channel, _)| channel).collect();
            let masked = if all { String::new() } else { format!(", channels {written} written") };
            said.taken.push(format!("color{location} is {name}{blended}{masked}"));
            self.colors.insert(location, ColorState { channels, blend, mask });
        }
    }
}

/// A topology where neither a geometry nor a tessellation shader decides it.
fn topology_of(topology: vk::PrimitiveTopology) -> Option<Topology> {
    Some(match topology {
        vk::PrimitiveTopology::POINT_LIST => Topology::PointList,
        vk::PrimitiveTopology::LINE_LIST => Topology::LineList,
        vk::PrimitiveTopology::LINE_STRIP => Topology::LineStrip,
        vk::PrimitiveTopology::TRIANGLE_LIST => Topology::TriangleList,
        vk::PrimitiveTopology::TRIANGLE_STRIP => Topology::TriangleStrip,
        vk::PrimitiveTopology::TRIANGLE_FAN => Topology::TriangleFan,
        _ => return None,
    })
}

/// The blending of a colour attachment, and how it is described.
fn blend(color: &ColorAttachment, constants: [f32; 4]) -> Result<(Blend, &'static str), String> {
    let Some(given) = color.equation else {
        let (factors, how) = match color.blends_by_alpha {
            true => {
                let how = ", alpha blending assumed: the description has no blend equation";
                ([Factor::SrcAlpha, Factor::OneMinusSrcAlpha], how)
            }
            false => ([Factor::One; 2], ", additive blending assumed: the description has no blend equation"),
        };
        let alpha = [Factor::One, Factor::Zero];
        return Ok((Blend { color: factors, color_op: BlendOp::Add, alpha, alpha_op: BlendOp::Add, constants }, how));
    };
    let factors = |factors: [lanescope_pipeline::vulkan::BlendFactor; 2]| {
        let [source, destination] = factors.map(|factor| Factor::from_vulkan(factor.0));
        source.zip(destination).map(|(source, destination)| [source, destination])
    };
    let dual = || "dual-source blend factors are not supported".to_owned();
    let op = |op: lanescope_pipeline::vulkan::BlendOp| {
        BlendOp::from_vulkan(op.0).ok_or_else(|| format!("{op} is not supported"))
    };
    let blend = Blend {
        color: factors(given.color).ok_or_else(dual)?,
        color_op: op(given.color_op)?,
        alpha: factors(given.alpha).ok_or_else(dual)?,
        alpha_op: op(given.alpha_op)?,
        constants,
    };
    Ok((blend, ", blended as described"))
}

/// The channels of a format whose numbers an output of a kind is written to, by red, green, blue, alpha.
fn channels(format: VkFormat, kind: ScalarKind) -> Option<(&'static str, [Channel; 4])> {
    let name = format.name()?;
    let (mut rest, numbers) = name.split_once('_')?;
    let mut out = [Channel::Absent(kind == ScalarKind::Float); 4];
    while let Some(letter) = rest.chars().next() {
        let digits = rest.get(1..)?;
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let bits: u32 = digits.get(..end)?.parse().ok().filter(|bits| (1..=32).contains(bits))?;
        *out.get_mut("RGBA".find(letter)?)? = match (numbers, kind, bits) {
            ("SFLOAT", ScalarKind::Float, 32) | ("UINT", ScalarKind::Uint, 32) | ("SINT", ScalarKind::Int, 32) => {
                Channel::Full
            }
            ("SFLOAT", ScalarKind::Float, 16) => Channel::Half,
            ("UFLOAT_PACK32", ScalarKind::Float, 10 | 11) => Channel::Ufloat(bits),
            ("UNORM", ScalarKind::Float, 8 | 16) => Channel::Unorm(bits),
            ("SNORM", ScalarKind::Float, 8 | 16) => Channel::Snorm(bits),
            ("UINT", ScalarKind::Uint, 8 | 16) => Channel::Uint(bits),
            ("SINT", ScalarKind::Int, 8 | 16) => Channel::Sint(bits),
            _ => return None,
        };
        rest = digits.get(end..)?;
    }
    Some((name, out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_their_channels() {
        let of = |name, kind| channels(VkFormat::named(name).expect("a format"), kind).map(|(_, channels)| channels);
        let absent = Channel::Absent(true);
        assert_eq!(of("R8G8_UNORM", ScalarKind::Float), Some([Channel::Unorm(8), Channel::Unorm(8), absent, absent]));
        assert_eq!(of("B8G8R8A8_UNORM", ScalarKind::Float), Some([Channel::Unorm(8); 4]));
        assert_eq!(of("R16G16B16A16_SFLOAT", ScalarKind::Float), Some([Channel::Half; 4]));
        assert_eq!(of("R32G32B32A32_UINT", ScalarKind::Uint), Some([Channel::Full; 4]));
        assert_eq!(of("R32G32B32A32_UINT", ScalarKind::Float), None);
        assert_eq!(of("R8G8B8A8_SRGB", ScalarKind::Float), None);
        let float = |bits| Channel::Ufloat(bits);
        let packed = [float(11), float(11), float(10), Channel::Absent(true)];
        assert_eq!(of("B10G11R11_UFLOAT_PACK32", ScalarKind::Float), Some(packed));
        assert_eq!(of("E5B9G9R9_UFLOAT_PACK32", ScalarKind::Float), None);
    }
}
