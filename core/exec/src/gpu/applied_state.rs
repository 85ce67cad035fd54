//! What a run takes over from a pipeline description, and what it does not, both as text.

use std::collections::BTreeMap;

use ash::vk;

use super::fixed_function::FixedFunction;
use super::pipeline::{Blend, Stages};
use super::scene::Slot;
use super::{Device, GpuError, pipeline_from_description, vertices};
use lanescope_model::program::StageKind;
use lanescope_pipeline::vulkan::DynamicState;
use lanescope_pipeline::{ColorAttachment, Pipeline, State, VertexInput};
use lanescope_run::DescribedRun;
use lanescope_run::inputs::DrawInputs;
use lanescope_spirv::enums::{BuiltIn, Decoration};
use lanescope_spirv::shape::ScalarKind;

/// The state of a run that is a description's.
#[derive(Default)]
pub(super) struct AppliedState<'p> {
    /// How vertices lie.
    pub input: Option<&'p VertexInput>,
    pub topology: Option<vk::PrimitiveTopology>,
    pub patch_vertices: Option<u32>,
    pub samples: Option<vk::SampleCountFlags>,
    /// Formats, blends and channels by location.
    pub colors: BTreeMap<u32, StateSupport>,
    pub fixed: FixedFunction,
    /// The format of depths and stencils, where there is a stencil test.
    pub stencil_format: Option<vk::Format>,
    /// Whether a test looks at depths.
    tests_depth: bool,
    /// What was taken over, what was not.
    pub described: DescribedRun,
}

/// A colour target of a description.
#[derive(Debug, Clone, Copy)]
pub(super) struct StateSupport {
    pub format: Option<vk::Format>,
    pub blend: Blend,
    pub mask: vk::ColorComponentFlags,
}

impl Default for StateSupport {
    fn default() -> Self {
        StateSupport { format: None, blend: Blend::Off, mask: vk::ColorComponentFlags::RGBA }
    }
}

impl<'p> AppliedState<'p> {
    /// What is taken over for a program with these attributes and outputs.
    pub fn of(
        pipeline: Option<&'p Pipeline>,
        device: &Device,
        stages: &Stages<'_>,
        (attributes, outputs): (&[Slot], &[Slot]),
        draw: &'p DrawInputs,
    ) -> Result<AppliedState<'p>, GpuError> {
        let mut taken = AppliedState::default();
        if let Some(pipeline) = pipeline {
            taken.described(pipeline, device, stages, (attributes, outputs), draw);
        }
        taken.given(device, stages, attributes, draw)?;
        Ok(taken)
    }

    /// Whether vertices make strips or fans.
    pub fn is_strip(&self) -> bool {
        use vk::PrimitiveTopology as T;
        matches!(self.topology, Some(T::LINE_STRIP | T::TRIANGLE_STRIP | T::TRIANGLE_FAN))
    }

    /// What a draw gives goes before what is described.
    fn given(
        &mut self,
        device: &Device,
        stages: &Stages<'_>,
        attributes: &[Slot],
        draw: &'p DrawInputs,
    ) -> Result<(), GpuError> {
        if let Some(vertices) = draw.vertices.as_ref().filter(|_| !attributes.is_empty()) {
            if let Some(why) = pipeline_from_description::misfit(&vertices.input, attributes, device) {
                return Err(GpuError::Unusable(format!("vertices: {why}")));
            }
            self.input = Some(&vertices.input);
        }
        let Some(topology) = draw.topology else { return Ok(()) };
        let given = vk::PrimitiveTopology::from_raw(topology.0);
        check_topology(topology, stages)?;
        self.topology = Some(given);
        Ok(())
    }

    fn described(
        &mut self,
        pipeline: &'p Pipeline,
        device: &Device,
        stages: &Stages<'_>,
        (attributes, outputs): (&[Slot], &[Slot]),
        draw: &DrawInputs,
    ) {
        let taken = self;
        let state = &pipeline.state;
        taken.vertices(pipeline, device, stages, attributes, draw);
        taken.raster(state, device, draw);
        taken.samples(state, device, outputs);
        taken.outputs(state, device, outputs);
        // The format of stencils is that of depths too.
        taken.stencil(state, device);
        taken.depth(state, device, draw.depth_test.is_some());
    }

    /// Whether depths are tested.
    pub fn tests_depth(&self) -> bool {
        self.tests_depth
    }

    /// Whether the run has a depth attachment for what is tested.
    pub fn needs_depth(&self) -> bool {
        self.tests_depth || self.stencil_format.is_some()
    }

    /// Says it where pixels have fewer samples than was promised, and takes back what was for these.
    pub fn has_samples(&mut self, samples: vk::SampleCountFlags) {
        let Some(promised) = self.samples.filter(|promised| *promised != samples) else { return };
        self.takes_back(samples_text(promised), "the device does not support this sample count for these formats");
        if let Some(mask) = self.fixed.sample_mask.take() {
            self.takes_back(mask_text(mask), "the sample count is not used");
        }
    }

    fn takes(&mut self, what: impl Into<String>) {
        self.described.taken.push(what.into());
    }

    /// Moves an entry from what is taken over to what is not.
    fn takes_back(&mut self, what: String, why: &str) {
        self.described.taken.retain(|known| *known != what);
        self.leaves(format!("{what}: {why}"));
    }

    fn leaves(&mut self, what: impl std::fmt::Display) {
        self.described.left.push(what.to_string());
    }

    fn vertices(
        &mut self,
        pipeline: &'p Pipeline,
        device: &Device,
        stages: &Stages<'_>,
        attributes: &[Slot],
        draw: &DrawInputs,
    ) {
        let state = &pipeline.state;
        if draw.vertices.is_some() {
            if state.vertex_input.is_some() {
                self.leaves("vertex input: vertices are given");
            }
        } else if set_later(state, "VERTEX_INPUT_EXT") {
            self.leaves("vertex input: dynamic state");
        } else {
            let mut notes = Vec::new();
            let input = pipeline_from_description::vertex_input(Some(pipeline), attributes, device, &mut notes);
            match input.map(|input| (input, vertices::fits(input))) {
                Some((_, Err(why))) => self.leaves(format!("vertex input: {why}")),
                Some((input, Ok(()))) => {
                    self.input = Some(input);
                    self.described.taken.append(&mut notes);
                }
                None => self.described.left.append(&mut notes),
            }
        }
        if stages.get(StageKind::TessControl).is_some()
            && let Some(points) = state.patch_control_points
        {
            match set_later(state, "PATCH_CONTROL_POINTS_EXT") {
                true => self.leaves("patch control points: dynamic state"),
                false if (1..=device.limits.max_tessellation_patch_size).contains(&points) => {
                    self.patch_vertices = Some(points);
                    self.takes(format!(
                        "patches of {}",
                        lanescope_base::text_format::counted(points as usize, "vertex")
                    ));
                }
                false => self.leaves(format!("patches of {points} vertices: not supported by the device")),
            }
        }
        let Some(described) = state.topology else { return };
        let by_shader = [StageKind::TessControl, StageKind::Geometry].into_iter().any(|s| stages.get(s).is_some());
        match pipeline_from_description::topology(Some(pipeline)) {
            _ if by_shader => {}
            _ if draw.topology.is_some() => self.leaves(format!("topology {described}: another one is given")),
            _ if set_later(state, "PRIMITIVE_TOPOLOGY") => {
                self.leaves(format!("topology {described}: dynamic state"));
            }
            None => self.leaves(format!("topology {described}: needs another stage")),
            Some(vk::PrimitiveTopology::POINT_LIST) if !writes_point_size(stages) => {
                self.leaves("topology POINT_LIST: the vertex shader does not write PointSize");
            }
            Some(topology) => {
                self.topology = Some(topology);
                self.takes(format!("topology {described}"));
            }
        }
    }

    fn raster(&mut self, state: &State, device: &Device, draw: &DrawInputs) {
        if state.primitive_restart == Some(true) && draw.indices.is_none() {
            self.leaves("primitive restart: draws are not indexed, so it has no effect");
        }
        let Some(raster) = &state.raster else { return };
        if let Some(cull) = raster.cull_mode.filter(|cull| *cull != 0) {
            if set_later(state, "CULL_MODE") || set_later(state, "FRONT_FACE") {
                self.leaves("culling: dynamic state");
            } else {
                self.fixed.cull = vk::CullModeFlags::from_raw(cull & 3);
                let front = raster.front_face.unwrap_or_default();
                self.fixed.front = vk::FrontFace::from_raw(front.0.clamp(0, 1));
                let faces = ["", "front", "back", "front and back"][(cull & 3) as usize];
                self.takes(format!("cull mode {faces}; front face {front}"));
            }
        }
        if let Some(mode) = raster.polygon_mode.filter(|mode| mode.0 != 0) {
            match (set_later(state, "POLYGON_MODE_EXT"), device.fixed.fill_mode_non_solid, mode.0) {
                (true, ..) => self.leaves("polygon mode: dynamic state"),
                (_, true, 1 | 2) => {
                    self.fixed.polygon = vk::PolygonMode::from_raw(mode.0);
                    self.takes(format!("polygon mode {mode}"));
                }
                (_, false, 1 | 2) => self.leaves(format!("polygon mode {mode}{}", lacks("fillModeNonSolid"))),
                _ => self.leaves(format!("polygon mode {mode}: needs an extension")),
            }
        }
        if raster.depth_clamp == Some(true) {
            match (set_later(state, "DEPTH_CLAMP_ENABLE_EXT"), device.fixed.depth_clamp) {
                (true, _) => self.leaves("depth clamping: dynamic state"),
                (_, true) => {
                    self.fixed.depth_clamp = true;
                    self.takes("depth clamping");
                }
                (_, false) => self.leaves(format!("depth clamping{}", lacks("depthClamp"))),
            }
        } else if raster.depth_clip == Some(false) {
            self.leaves("disabled depth clipping: needs VK_EXT_depth_clip_enable");
        }
        if let Some(bias) = raster.depth_bias.map(|bias| bias.map(|part| part as f32)) {
            if set_later(state, "DEPTH_BIAS") || set_later(state, "DEPTH_BIAS_ENABLE") {
                self.leaves("depth bias: dynamic state");
            } else if bias[1] != 0.0 && !device.fixed.depth_bias_clamp {
                self.leaves(format!("depth bias with clamp{}", lacks("depthBiasClamp")));
            } else {
                self.fixed.depth_bias = Some(bias);
                self.takes(bias_text(bias));
            }
        }
        for (on, what) in [
            (raster.discard == Some(true), "rasterizer discard: there would be no output"),
            (raster.provoking_vertex.is_some_and(|vertex| vertex.0 != 0), "provoking vertex mode"),
            (raster.line_width.is_some_and(|width| width != 1.0 && width != 0.0), "line width"),
        ] {
            if on {
                self.leaves(what);
            }
        }
    }

    fn samples(&mut self, state: &State, device: &Device, outputs: &[Slot]) {
        let Some(multisample) = &state.multisample else { return };
        if let Some(count) = multisample.samples.filter(|count| *count > 0) {
            let there = device.limits.framebuffer_color_sample_counts;
            // The fetch has a loop over them, so any count will do.
            let samples = vk::SampleCountFlags::from_raw(count);
            // The mask has one word: a bit for each of 32 samples.
            let fits = count.is_power_of_two() && count <= 32 && there.contains(samples);
            if fits && !set_later(state, "RASTERIZATION_SAMPLES_EXT") {
                self.samples = Some(samples);
                self.takes(samples_text(samples));
            } else {
                self.leaves(format!("{count} samples per pixel"));
            }
        }
        if multisample.sample_shading == Some(true) {
            let share = multisample.min_sample_shading.unwrap_or(1.0).clamp(0.0, 1.0) as f32;
            match device.fixed.sample_rate_shading {
                true => {
                    self.fixed.sample_shading = Some(share);
                    self.takes(format!("sample shading: at least {share} of the samples"));
                }
                false => self.leaves(format!("sample shading{}", lacks("sampleRateShading"))),
            }
        }
        let alpha = outputs.iter().any(|output| output.location == 0 && output.components == 4);
        if multisample.alpha_to_coverage == Some(true) {
            if set_later(state, "ALPHA_TO_COVERAGE_ENABLE_EXT") {
                self.leaves("alpha to coverage: dynamic state");
            } else if alpha {
                self.fixed.alpha_to_coverage = true;
                self.takes("alpha to coverage");
            } else {
                self.leaves("alpha to coverage: color0 has no alpha");
            }
        }
        if multisample.alpha_to_one == Some(true) {
            match (set_later(state, "ALPHA_TO_ONE_ENABLE_EXT"), device.fixed.alpha_to_one, alpha) {
                (true, ..) => self.leaves("alpha to one: dynamic state"),
                (_, false, _) => self.leaves(format!("alpha to one{}", lacks("alphaToOne"))),
                (_, _, false) => self.leaves("alpha to one: color0 has no alpha"),
                (_, true, true) => {
                    self.fixed.alpha_to_one = true;
                    self.takes("alpha to one");
                }
            }
        }
        let samples = self.samples.map_or(32, vk::SampleCountFlags::as_raw);
        let all = u32::MAX >> 32u32.saturating_sub(samples).min(31);
        if let Some(mask) = multisample.mask.first().copied().filter(|mask| mask & all != all) {
            match (set_later(state, "SAMPLE_MASK_EXT"), self.samples) {
                (true, _) => self.leaves("sample mask: dynamic state"),
                (_, None) => self.leaves("sample mask: the sample count is not taken over"),
                (_, Some(_)) => {
                    self.fixed.sample_mask = Some(mask);
                    self.takes(mask_text(mask));
                }
            }
        }
    }

    fn outputs(&mut self, state: &State, device: &Device, outputs: &[Slot]) {
        let Some(attachments) = &state.attachments else { return };
        if let Some(op) = attachments.logic_op {
            if set_later(state, "LOGIC_OP_EXT") || set_later(state, "LOGIC_OP_ENABLE_EXT") {
                self.leaves("logic operation: dynamic state");
            } else if !device.fixed.logic_op {
                self.leaves(format!("logic operation {op}{}", lacks("logicOp")));
            } else if !(0..=15).contains(&op.0) {
                self.leaves(format!("logic operation {op}: not a Vulkan value"));
            } else {
                self.fixed.logic_op = Some(vk::LogicOp::from_raw(op.0));
                self.takes(format!("logic operation {op}, not for floating-point targets"));
            }
        }
        if attachments.view_mask.is_some_and(|mask| mask != 0) {
            self.leaves("multiview");
        }
        if let Some(constants) = attachments.blend_constants.filter(|_| !set_later(state, "BLEND_CONSTANTS")) {
            self.fixed.blend_constants = constants.map(|constant| constant as f32);
        }
        let mut taken = BTreeMap::new();
        for output in outputs {
            let Some(color) = attachments.colors.iter().find(|color| color.location == output.location) else {
                self.leaves(format!("color{} has no attachment in the description; it is read back", output.location));
                continue;
            };
            let mut taking = StateSupport::default();
            match format(color, output, device) {
                Ok(format) => {
                    taking.format = Some(format);
                    taking.mask = vk::ColorComponentFlags::from_raw(color.write_mask & 15);
                    match blend(color, format, device) {
                        Ok(blend) => taking.blend = blend,
                        Err(why) => self.leaves(format!("blending of color{}: {why}", output.location)),
                    }
                }
                Err(why) => self.leaves(format!("format of color{}: {why}", output.location)),
            }
            taken.insert(output.location, taking);
        }
        let first = taken.values().next().copied().unwrap_or_default();
        let differ = taken.values().any(|one: &StateSupport| (one.blend, one.mask) != (first.blend, first.mask));
        if differ && !device.fixed.independent_blend {
            self.leaves(format!("different blending or write masks per target{}", lacks("independentBlend")));
            taken.values_mut().for_each(|one| *one = StateSupport { format: one.format, ..StateSupport::default() });
        }
        for (location, taking) in &taken {
            let Some(format) = taking.format else { continue };
            let blend = match taking.blend {
                Blend::Off => String::new(),
                Blend::Alpha => ", alpha blending assumed: the description has no blend equation".to_owned(),
                Blend::Added => ", additive blending assumed: the description has no blend equation".to_owned(),
                Blend::Dual | Blend::Given(_) => ", blended as described".to_owned(),
            };
            let mask = match taking.mask == vk::ColorComponentFlags::RGBA {
                true => String::new(),
                false => format!(", channels {:?} written", taking.mask),
            };
            self.described.taken.push(format!("color{location} is {format:?}{blend}{mask}"));
        }
        self.colors = taken;
    }

    fn depth(&mut self, state: &State, device: &Device, is_given: bool) {
        let Some(depth) = &state.depth_stencil else { return };
        if depth.depth_test {
            let later = ["DEPTH_TEST_ENABLE", "DEPTH_WRITE_ENABLE", "DEPTH_COMPARE_OP"];
            if is_given {
                self.leaves(format!("depth test {}: another one is given", depth.depth_compare));
            } else if later.iter().any(|name| set_later(state, name)) {
                self.leaves("depth test: dynamic state");
            } else {
                let op = vk::CompareOp::from_raw(depth.depth_compare.0.clamp(0, 7));
                self.fixed.depth = Some((op, depth.depth_write));
                self.tests_depth = true;
                let write = if depth.depth_write { "written" } else { "not written" };
                let drawn = format!("{:?}", self.stencil_format.unwrap_or(vk::Format::D32_SFLOAT));
                let described = state.attachments.as_ref().and_then(|all| all.depth).map(|format| format.to_string());
                let other = described.filter(|format| depth_part(format) != depth_part(&drawn));
                let other = other.map_or_else(String::new, |format| format!("; with {drawn} instead of {format}"));
                self.takes(format!("depth test {}, {write}{other}", depth.depth_compare));
            }
        }
        let Some([low, high]) = depth.depth_bounds else { return };
        if set_later(state, "DEPTH_BOUNDS") || set_later(state, "DEPTH_BOUNDS_TEST_ENABLE") {
            self.leaves("depth bounds test: dynamic state");
        } else if !device.fixed.depth_bounds {
            self.leaves(format!("depth bounds test{}", lacks("depthBounds")));
        } else if !(0.0..=1.0).contains(&low) || !(0.0..=1.0).contains(&high) {
            self.leaves(format!("depth bounds test: {low} to {high} is not within 0 to 1"));
        } else {
            self.fixed.depth_bounds = Some([low as f32, high as f32]);
            if !self.tests_depth {
                // Without a depth test nothing changes what the bounds are tested against.
                self.fixed.depth = None;
            }
            self.tests_depth = true;
            self.takes(format!("depth bounds test: {low} to {high}"));
        }
    }

    fn stencil(&mut self, state: &State, device: &Device) {
        let Some(faces) = state.depth_stencil.as_ref().and_then(|depth| depth.stencil) else { return };
        const LATER: [&str; 5] =
            ["STENCIL_TEST_ENABLE", "STENCIL_OP", "STENCIL_COMPARE_MASK", "STENCIL_WRITE_MASK", "STENCIL_REFERENCE"];
        if LATER.iter().any(|name| set_later(state, name)) {
            return self.leaves("stencil test: dynamic state");
        }
        if state.attachments.as_ref().is_some_and(|all| all.stencil.is_none_or(|format| format.0 == 0)) {
            return self.takes("stencil test: no stencil attachment, always passes");
        }
        let numbers = faces.map(|face| [face.fail.0, face.pass.0, face.depth_fail.0, face.compare.0]);
        if numbers.iter().flatten().any(|number| !(0..=7).contains(number)) {
            return self.leaves("stencil test: an operation is not a Vulkan value");
        }
        let formats = [vk::Format::D32_SFLOAT_S8_UINT, vk::Format::D24_UNORM_S8_UINT];
        let needed = vk::FormatFeatureFlags::DEPTH_STENCIL_ATTACHMENT | vk::FormatFeatureFlags::SAMPLED_IMAGE;
        let Some(format) = formats.into_iter().find(|format| device.format_features(*format).contains(needed)) else {
            return self.leaves("stencil test: the device has no depth-stencil format");
        };
        self.stencil_format = Some(format);
        self.fixed.stencil = Some(faces.map(|face| {
            let op = |op: lanescope_pipeline::vulkan::StencilOp| vk::StencilOp::from_raw(op.0);
            vk::StencilOpState {
                fail_op: op(face.fail),
                pass_op: op(face.pass),
                depth_fail_op: op(face.depth_fail),
                compare_op: vk::CompareOp::from_raw(face.compare.0),
                compare_mask: face.compare_mask,
                write_mask: face.write_mask,
                reference: face.reference,
            }
        }));
        let [front, back] = faces;
        let same = if front == back { "" } else { ", back faces differ" };
        self.takes(format!(
            "stencil test: {} {:#x}, compare mask {:#x}, cleared to 0{same}",
            front.compare, front.reference, front.compare_mask
        ));
    }
}

/// A depth bias as it is reported.
pub(super) fn bias_text([constant, clamp, slope]: [f32; 3]) -> String {
    format!("depth bias: constant {constant}, slope {slope}, clamp {clamp}")
}

/// What a device lacks, as the end of a sentence.
fn lacks(feature: &str) -> String {
    format!(": the device does not support {feature}")
}

/// A format's name without its stencils.
fn depth_part(format: &str) -> &str {
    format.strip_suffix("_S8_UINT").unwrap_or(format)
}

pub(super) fn mask_text(mask: u32) -> String {
    format!("sample mask {mask:#x}")
}

pub(super) fn samples_text(samples: vk::SampleCountFlags) -> String {
    format!("{} per pixel", lanescope_base::text_format::counted(samples.as_raw() as usize, "sample"))
}

/// Whether a state is dynamic: what the description says of it does not count.
pub(super) fn set_later(state: &State, name: &str) -> bool {
    DynamicState::named(name).is_some_and(|dynamic| state.is_dynamic(dynamic))
}

/// Refuses a topology that the stages do not take.
pub(super) fn check_topology(
    topology: lanescope_pipeline::vulkan::Topology,
    stages: &Stages<'_>,
) -> Result<(), GpuError> {
    let given = vk::PrimitiveTopology::from_raw(topology.0);
    let by_shader = [StageKind::TessControl, StageKind::Geometry].into_iter().any(|s| stages.get(s).is_some());
    let why = match topology.0 {
        _ if by_shader && given == stages.topology() => return Ok(()),
        _ if by_shader => "a geometry or tessellation shader decides what vertices make",
        0 if !writes_point_size(stages) => "the vertex shader does not write PointSize",
        0..=5 => return Ok(()),
        _ => "needs another stage",
    };
    Err(GpuError::Unusable(format!("topology {topology}: {why}")))
}

fn writes_point_size(stages: &Stages<'_>) -> bool {
    let before = [StageKind::TessEval, StageKind::Vertex].into_iter().find_map(|kind| stages.get(kind));
    before.is_some_and(|(module, _)| {
        let decorated = |inst: lanescope_spirv::Inst<'_>| {
            // A separate variable is declared to be written; a member of GLSL's block always exists.
            inst.op() == Some(lanescope_spirv::enums::Op::Decorate)
                && inst.word_at(2) == Decoration::BuiltIn as u32
                && inst.word_at(3) == BuiltIn::PointSize as u32
        };
        module.insts().any(decorated)
    })
}

/// The format of a target, where an output can be drawn to it and read back.
fn format(color: &ColorAttachment, output: &Slot, device: &Device) -> Result<vk::Format, String> {
    let Some(described) = color.format.filter(|format| format.0 != 0) else {
        return Err("none in the description".to_owned());
    };
    let name = described.name().unwrap_or_default();
    let kind = match name {
        name if name.contains("UINT") => ScalarKind::Uint,
        name if name.contains("SINT") => ScalarKind::Int,
        _ => ScalarKind::Float,
    };
    if kind != output.kind {
        return Err(format!("{described} is not a format for this output"));
    }
    let format = vk::Format::from_raw(described.0);
    let needed = vk::FormatFeatureFlags::COLOR_ATTACHMENT | vk::FormatFeatureFlags::SAMPLED_IMAGE;
    if name.is_empty() || !device.format_features(format).contains(needed) {
        return Err(format!("the device cannot render to {described} and read it back"));
    }
    Ok(format)
}

fn blend(color: &ColorAttachment, format: vk::Format, device: &Device) -> Result<Blend, String> {
    if !color.blend {
        return Ok(Blend::Off);
    }
    if !device.format_features(format).contains(vk::FormatFeatureFlags::COLOR_ATTACHMENT_BLEND) {
        return Err(format!("the device does not support blending for {format:?}"));
    }
    let unsaid = if color.blends_by_alpha { Blend::Alpha } else { Blend::Added };
    let Some(blend) = color.equation else { return Ok(unsaid) };
    let factors = blend.color.iter().chain(&blend.alpha);
    if factors.clone().any(|factor| !(0..=14).contains(&factor.0)) {
        return Err("dual-source blend factors are not supported".to_owned());
    }
    if [blend.color_op, blend.alpha_op].iter().any(|op| !(0..=4).contains(&op.0)) {
        return Err(format!("{} is not supported", blend.color_op));
    }
    Ok(Blend::Given(blend))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_sample_count_drops_the_sample_mask() {
        let promised = || {
            let mut taken = AppliedState { samples: Some(vk::SampleCountFlags::TYPE_4), ..AppliedState::default() };
            taken.fixed.sample_mask = Some(5);
            taken.takes(samples_text(vk::SampleCountFlags::TYPE_4));
            taken.takes(mask_text(5));
            taken.takes("polygon mode LINE");
            taken
        };
        let mut kept = promised();
        kept.has_samples(vk::SampleCountFlags::TYPE_4);
        assert_eq!((kept.described.taken.len(), kept.described.left.len(), kept.fixed.sample_mask), (3, 0, Some(5)));
        let mut lowered = promised();
        lowered.has_samples(vk::SampleCountFlags::TYPE_1);
        assert_eq!(lowered.described.taken, ["polygon mode LINE"]);
        assert_eq!(lowered.fixed.sample_mask, None);
        let left = [
            "4 samples per pixel: the device does not support this sample count for these formats",
            "sample mask 0x5: the sample count is not used",
        ];
        assert_eq!(lowered.described.left, left);
    }
}
