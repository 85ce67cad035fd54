//! What a run takes over of a pipeline's description, and what it does not: said in sentences either way.

use std::collections::BTreeMap;

use ash::vk;

use super::pipeline::{Blend, Stages};
use super::scene::Slot;
use super::{Device, described, vertices};
use crate::pipeline::vulkan::DynamicState;
use crate::pipeline::{ColorAttachment, Pipeline, State, VertexInput};
use crate::program::StageKind;
use crate::run::DescribedRun;
use crate::run::shape::ScalarKind;
use crate::spirv::enums::{BuiltIn, Decoration};

/// The state of a run that is a description's.
#[derive(Default)]
pub(super) struct Taken<'p> {
    /// How vertices lie.
    pub input: Option<&'p VertexInput>,
    pub topology: Option<vk::PrimitiveTopology>,
    pub cull: vk::CullModeFlags,
    pub front: vk::FrontFace,
    pub samples: Option<vk::SampleCountFlags>,
    /// Formats, blends and channels by location.
    pub colors: BTreeMap<u32, Taking>,
    pub blend_constants: [f32; 4],
    /// The depth test: comparison, and whether depths are written.
    pub depth: Option<(vk::CompareOp, bool)>,
    /// What was taken over, what was not.
    pub said: DescribedRun,
}

/// A colour target as it is described.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taking {
    pub format: Option<vk::Format>,
    pub blend: Blend,
    pub mask: vk::ColorComponentFlags,
}

impl Default for Taking {
    fn default() -> Self {
        Taking { format: None, blend: Blend::Off, mask: vk::ColorComponentFlags::RGBA }
    }
}

impl<'p> Taken<'p> {
    /// What is taken over for a program with these attributes and outputs.
    pub fn of(
        pipeline: Option<&'p Pipeline>,
        device: &Device,
        stages: &Stages<'_>,
        attributes: &[Slot],
        outputs: &[Slot],
    ) -> Taken<'p> {
        let mut taken = Taken { front: vk::FrontFace::COUNTER_CLOCKWISE, ..Taken::default() };
        let Some(pipeline) = pipeline else { return taken };
        let state = &pipeline.state;
        taken.vertices(pipeline, device, stages, attributes);
        taken.raster(state);
        taken.samples(pipeline);
        taken.outputs(state, device, outputs);
        taken.depth(state);
        taken
    }

    fn takes(&mut self, what: impl Into<String>) {
        self.said.taken.push(what.into());
    }

    fn leaves(&mut self, what: impl std::fmt::Display) {
        self.said.left.push(what.to_string());
    }

    fn vertices(&mut self, pipeline: &'p Pipeline, device: &Device, stages: &Stages<'_>, attributes: &[Slot]) {
        let state = &pipeline.state;
        if set_later(state, "VERTEX_INPUT_EXT") {
            self.leaves("vertex input, which is set when commands are recorded");
        } else {
            let mut notes = Vec::new();
            let input = described::vertex_input(Some(pipeline), attributes, device, &mut notes);
            match input.map(|input| (input, vertices::fits(input))) {
                Some((_, Err(why))) => self.leaves(format!("vertex formats and strides: {why}")),
                Some((input, Ok(()))) => {
                    self.input = Some(input);
                    self.said.taken.append(&mut notes);
                }
                None => self.said.left.append(&mut notes),
            }
        }
        let Some(described) = state.topology else { return };
        let by_shader = [StageKind::TessControl, StageKind::Geometry].into_iter().any(|s| stages.get(s).is_some());
        match described::topology(Some(pipeline)) {
            _ if by_shader => {}
            _ if set_later(state, "PRIMITIVE_TOPOLOGY") => {
                self.leaves(format!("topology {described}, which is set when commands are recorded"));
            }
            None => self.leaves(format!("topology {described}, which needs another stage")),
            Some(vk::PrimitiveTopology::POINT_LIST) if !writes_point_size(stages) => {
                self.leaves("topology POINT_LIST: the vertex shader may give points no size");
            }
            Some(topology) => {
                self.topology = Some(topology);
                self.takes(format!("the vertices make a {described}"));
            }
        }
    }

    fn raster(&mut self, state: &State) {
        let Some(raster) = &state.raster else { return };
        if let Some(cull) = raster.cull_mode.filter(|cull| *cull != 0) {
            if set_later(state, "CULL_MODE") || set_later(state, "FRONT_FACE") {
                self.leaves("culling, which is set when commands are recorded");
            } else {
                self.cull = vk::CullModeFlags::from_raw(cull & 3);
                let front = raster.front_face.unwrap_or_default();
                self.front = vk::FrontFace::from_raw(front.0.clamp(0, 1));
                let faces = ["", "front faces", "back faces", "all faces"][(cull & 3) as usize];
                self.takes(format!("{faces} are culled; front faces are {front}"));
            }
        }
        for (on, what) in [
            (raster.depth_clamp == Some(true), "depth clamping"),
            (raster.discard == Some(true), "that nothing is rasterised"),
            (raster.polygon_mode.is_some_and(|mode| mode.0 != 0), "the polygon mode"),
            (raster.depth_bias.is_some(), "depth bias"),
            (raster.provoking_vertex.is_some_and(|vertex| vertex.0 != 0), "the provoking vertex"),
            (raster.line_width.is_some_and(|width| width != 1.0 && width != 0.0), "the width of lines"),
        ] {
            if on {
                self.leaves(what);
            }
        }
    }

    fn samples(&mut self, pipeline: &Pipeline) {
        let Some(multisample) = &pipeline.state.multisample else { return };
        match (described::samples(Some(pipeline)), multisample.samples) {
            (Some(samples), _) => {
                self.samples = Some(samples);
                let count = samples.as_raw();
                self.takes(format!("a pixel has {}", crate::words::counted(count as usize, "sample")));
            }
            (None, Some(count)) if count > 0 => self.leaves(format!("{count} samples a pixel")),
            _ => {}
        }
        for (on, what) in [
            (multisample.sample_shading == Some(true), "sample shading"),
            (multisample.alpha_to_coverage == Some(true), "alpha to coverage"),
            (multisample.alpha_to_one == Some(true), "alpha to one"),
            (multisample.mask.iter().any(|mask| *mask != u32::MAX), "the sample mask"),
        ] {
            if on {
                self.leaves(what);
            }
        }
    }

    fn outputs(&mut self, state: &State, device: &Device, outputs: &[Slot]) {
        let Some(attachments) = &state.attachments else { return };
        if attachments.logic_op.is_some() {
            self.leaves("the logic operation of colours");
        }
        if attachments.view_mask.is_some_and(|mask| mask != 0) {
            self.leaves("several views");
        }
        if let Some(constants) = attachments.blend_constants.filter(|_| !set_later(state, "BLEND_CONSTANTS")) {
            self.blend_constants = constants.map(|constant| constant as f32);
        }
        let mut taken = BTreeMap::new();
        for output in outputs {
            let Some(color) = attachments.colors.iter().find(|color| color.location == output.location) else {
                self.leaves(format!("that color{} goes nowhere: it is read back", output.location));
                continue;
            };
            let mut taking = Taking::default();
            match format(color, output, device) {
                Ok(format) => {
                    taking.format = Some(format);
                    taking.mask = vk::ColorComponentFlags::from_raw(color.write_mask & 15);
                    match blend(color, format, device) {
                        Ok(blend) => taking.blend = blend,
                        Err(why) => self.leaves(format!("the blend of color{}: {why}", output.location)),
                    }
                }
                Err(why) => self.leaves(format!("the format of color{}: {why}", output.location)),
            }
            taken.insert(output.location, taking);
        }
        let first = taken.values().next().copied().unwrap_or_default();
        if taken.values().any(|one: &Taking| (one.blend, one.mask) != (first.blend, first.mask)) {
            self.leaves("blends and channels, which differ between targets");
            taken.values_mut().for_each(|one| *one = Taking { format: one.format, ..Taking::default() });
        }
        for (location, taking) in &taken {
            let Some(format) = taking.format else { continue };
            let blend = match taking.blend {
                Blend::Off => String::new(),
                Blend::Alpha => ", blended by its alpha: the description does not say how".to_owned(),
                Blend::Dual | Blend::Given(_) => ", blended as described".to_owned(),
            };
            let mask = match taking.mask == vk::ColorComponentFlags::RGBA {
                true => String::new(),
                false => format!(", channels {:?} written", taking.mask),
            };
            self.said.taken.push(format!("color{location} is {format:?}{blend}{mask}"));
        }
        self.colors = taken;
    }

    fn depth(&mut self, state: &State) {
        let Some(depth) = &state.depth_stencil else { return };
        if depth.depth_test {
            let later = ["DEPTH_TEST_ENABLE", "DEPTH_WRITE_ENABLE", "DEPTH_COMPARE_OP"];
            if later.iter().any(|name| set_later(state, name)) {
                self.leaves("the depth test, which is set when commands are recorded");
            } else {
                let op = vk::CompareOp::from_raw(depth.depth_compare.0.clamp(0, 7));
                self.depth = Some((op, depth.depth_write));
                let write = if depth.depth_write { "written" } else { "not written" };
                let format = state.attachments.as_ref().and_then(|all| all.depth).map(|format| format.to_string());
                let other = format.filter(|format| format != "D32_SFLOAT");
                let other = other.map_or_else(String::new, |format| format!("; in D32_SFLOAT, not in {format}"));
                self.takes(format!("depths are tested by {} and {write}{other}", depth.depth_compare));
            }
        }
        if depth.depth_bounds.is_some() {
            self.leaves("the test of depth bounds");
        }
        if depth.stencil.is_some() {
            self.leaves("the stencil test");
        }
    }
}

/// Whether a state is set when commands are recorded, whatever is described.
fn set_later(state: &State, name: &str) -> bool {
    DynamicState::named(name).is_some_and(|dynamic| state.is_dynamic(dynamic))
}

fn writes_point_size(stages: &Stages<'_>) -> bool {
    let before = [StageKind::TessEval, StageKind::Vertex].into_iter().find_map(|kind| stages.get(kind));
    before.is_some_and(|(module, _)| {
        let decorated = |inst: crate::spirv::Inst<'_>| {
            // A variable of its own is there to be written; a member of GLSL's block always is there.
            inst.op() == Some(crate::spirv::enums::Op::Decorate)
                && inst.word_at(2) == Decoration::BuiltIn as u32
                && inst.word_at(3) == BuiltIn::PointSize as u32
        };
        module.insts().any(decorated)
    })
}

/// The format of a target, where an output can be drawn to it and read back.
fn format(color: &ColorAttachment, output: &Slot, device: &Device) -> Result<vk::Format, String> {
    let Some(described) = color.format.filter(|format| format.0 != 0) else {
        return Err("the description has none".to_owned());
    };
    let name = described.name().unwrap_or_default();
    let kind = match name {
        name if name.contains("UINT") => ScalarKind::Uint,
        name if name.contains("SINT") => ScalarKind::Int,
        _ => ScalarKind::Float,
    };
    if kind != output.kind {
        return Err(format!("{described} is no format of this output"));
    }
    let format = vk::Format::from_raw(described.0);
    let needed = vk::FormatFeatureFlags::COLOR_ATTACHMENT | vk::FormatFeatureFlags::SAMPLED_IMAGE;
    if name.is_empty() || !device.format_features(format).contains(needed) {
        return Err(format!("the device does not draw to {described} and read it back"));
    }
    Ok(format)
}

fn blend(color: &ColorAttachment, format: vk::Format, device: &Device) -> Result<Blend, String> {
    if !color.blend {
        return Ok(Blend::Off);
    }
    if !device.format_features(format).contains(vk::FormatFeatureFlags::COLOR_ATTACHMENT_BLEND) {
        return Err(format!("the device does not blend {format:?}"));
    }
    let Some(blend) = color.equation else { return Ok(Blend::Alpha) };
    let factors = blend.color.iter().chain(&blend.alpha);
    if factors.clone().any(|factor| !(0..=14).contains(&factor.0)) {
        return Err("it takes a second output".to_owned());
    }
    if [blend.color_op, blend.alpha_op].iter().any(|op| !(0..=4).contains(&op.0)) {
        return Err(format!("{} is an operation that is not run here", blend.color_op));
    }
    Ok(Blend::Given(blend))
}
