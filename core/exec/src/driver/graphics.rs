//! The graphics pipeline of a program: its state, and the parts in which it is compiled.

use std::collections::BTreeMap;
use std::ffi::CStr;

use ash::vk;

use super::compile::{CompileOptions, capture, finish};
use super::executable::{Compilation, Link};
use super::stub_vertex;
use crate::gpu::bind::layouts;
use crate::gpu::fixed_function::FixedFunction;
use crate::gpu::linked::BEFORE;
use crate::gpu::pipeline::{Blend, Color, GRAPHICS, GraphicsState, Stages, attribute_format, entry_of, graphics};
use crate::gpu::pipeline_from_description;
use crate::gpu::resources::Resources;
use crate::gpu::scene::Slot;
use crate::gpu::stage_order::check_order;
use crate::gpu::subpass::{self, InputAttachment};
use crate::gpu::{Device, GpuError};
use lanescope_model::options::{Options, WaveChoice};
use lanescope_model::program::{Program, StageKind};
use lanescope_passes::liveness;
use lanescope_passes::registers::{self, Attachment, PixelFacts};
use lanescope_pipeline::vulkan::VkFormat;
use lanescope_pipeline::{Pipeline, VertexInput};
use lanescope_spirv::enums::{Capability, Decoration, ExecutionMode, Op, StorageClass};

/// Width and height of the viewport: no shader sees it.
const SIDE: u32 = 64;
/// Samples where the shader runs once for each, or where coverage is to differ between them.
const SAMPLES: vk::SampleCountFlags = vk::SampleCountFlags::TYPE_4;
/// Colour attachments of any device that drivers are written for.
const MAX_COLORS: u32 = 32;

/// The library that holds the fragment stage, with the attachments that it writes.
const AFTER: vk::GraphicsPipelineLibraryFlagsEXT = vk::GraphicsPipelineLibraryFlagsEXT::from_raw(
    vk::GraphicsPipelineLibraryFlagsEXT::FRAGMENT_SHADER.as_raw()
        | vk::GraphicsPipelineLibraryFlagsEXT::FRAGMENT_OUTPUT_INTERFACE.as_raw(),
);

/// The graphics stages of a program, and what their pipeline is made for.
pub(super) struct Graphics<'p> {
    pub stages: Stages<'p>,
    pixel: PixelFacts,
    attachments: BTreeMap<u32, Attachment>,
    notes: Vec<String>,
    inputs: Vec<InputAttachment>,
    /// What a file says of the pipeline.
    described: Option<&'p Pipeline>,
}

impl<'p> Graphics<'p> {
    /// The graphics pipeline of a program; none where it has no graphics stage.
    pub fn of(program: &'p Program, options: &Options) -> Result<Option<Graphics<'p>>, GpuError> {
        let graphics = program.stages.iter().filter(|stage| stage.stage.is_graphics());
        let all = graphics.map(|stage| entry_of(program, stage)).collect::<Result<Vec<_>, _>>()?;
        if all.is_empty() {
            return Ok(None);
        }
        for kind in GRAPHICS {
            if let Some((_, _, second)) = all.iter().filter(|(stage, ..)| *stage == kind).nth(1) {
                let message = format!("a pipeline has one {kind} shader; `{}` is a second one", second.name);
                return Err(GpuError::Unusable(message));
            }
        }
        check_order(&all.iter().map(|stage| stage.0).collect::<Vec<_>>())?;
        let mut findings = Vec::new();
        let (pixel, attachments) =
            registers::outputs(&liveness::Stages::of(program), options, &mut findings).unwrap_or_default();
        let notes = findings.into_iter().map(|finding| finding.message).collect();
        let stages = Stages { all };
        let inputs = match stages.get(StageKind::Fragment) {
            Some((module, entry)) => subpass::inputs(module, entry)?,
            None => Vec::new(),
        };
        Ok(Some(Graphics { stages, pixel, attachments, notes, inputs, described: program.pipeline.as_deref() }))
    }

    /// Whether two outputs go to one attachment.
    pub fn is_dual_source(&self) -> bool {
        self.pixel.colors.iter().any(|output| output.index == 1)
    }

    /// An attachment's format that needs an extension of Vulkan 1.3, and which.
    pub fn later_format(&self) -> Option<(&'static str, &'static [&'static CStr])> {
        let formats = self.attachments.values().filter_map(|attachment| attachment.format);
        let later = ["A1B5G5R5_UNORM_PACK16", "A8_UNORM"];
        let found = formats.map(|format| format.name).find(|name| later.contains(name))?;
        Some((found, &[ash::khr::maintenance5::NAME]))
    }

    /// Compiles the pipeline, whole or apart.
    pub fn compile(
        &self,
        device: &Device,
        with: &CompileOptions,
        options: &Options,
        done: &mut Compilation,
    ) -> Result<(), GpuError> {
        done.notes.extend(self.notes.iter().cloned());
        if options.wave != WaveChoice::Auto {
            done.notes.push("the driver chooses the wave size of graphics stages".to_owned());
        }
        let libraries = device.has(ash::ext::graphics_pipeline_library::NAME);
        let before = Stages { all: self.stages.all.iter().filter(|s| s.0 != StageKind::Fragment).copied().collect() };
        let after = Stages { all: self.stages.all.iter().filter(|s| s.0 == StageKind::Fragment).copied().collect() };
        let lacks = |what: &str| {
            Err(GpuError::Lacks {
                device: device.info.name.clone(),
                what: what.to_owned(),
                feature: None,
                needed_by: "compiling stages separately".into(),
            })
        };
        match (before.all.is_empty(), after.all.is_empty()) {
            (false, false) if !with.apart => self.make(device, &self.stages, None, (options, with), done),
            (false, false) if !libraries => lacks("VK_EXT_graphics_pipeline_library"),
            (false, false) => {
                self.make(device, &before, Some(BEFORE), (options, with), done)?;
                self.make(device, &after, Some(AFTER), (options, with), done)
            }
            (lone_after, _) if libraries => {
                // Nothing is there that it could be linked with.
                done.link = Link::Apart;
                done.notes.push(
                    "only stages of one side of the rasterizer: compiled as a pipeline library, which keeps the whole \
                     interface"
                        .to_owned(),
                );
                let (stages, part) = if lone_after { (&after, AFTER) } else { (&before, BEFORE) };
                self.make(device, stages, Some(part), (options, with), done)
            }
            (false, true) => {
                done.notes.push("no fragment shader: the driver may drop unused outputs".to_owned());
                self.make(device, &before, None, (options, with), done)
            }
            (true, _) => {
                let Some((module, entry)) = self.stages.get(StageKind::Fragment) else { return Ok(()) };
                done.notes
                    .push("no vertex shader: a generated one writes all inputs of the fragment shader".to_owned());
                let vertex = stub_vertex::vertex(module, entry)?;
                let Some(partner) = vertex.entry_points().first() else { return Ok(()) };
                let mut all = vec![(StageKind::Vertex, &vertex, partner)];
                all.extend(after.all.iter().copied());
                self.make(device, &Stages { all }, None, (options, with), done)
            }
        }
    }

    /// Makes one pipeline or one library.
    fn make(
        &self,
        device: &Device,
        stages: &Stages<'_>,
        part: Option<vk::GraphicsPipelineLibraryFlagsEXT>,
        (options, with): (&Options, &CompileOptions),
        done: &mut Compilation,
    ) -> Result<(), GpuError> {
        // Both sides of a pipeline share one layout, whichever is made.
        let mut entries = self.stages.entries();
        entries.extend(stages.entries().into_iter().filter(|new| !self.stages.entries().contains(new)));
        let resources = Resources::for_layout(&entries)?;
        let (_sets, layout) = layouts(device, &resources)?;
        let attributes = self.attributes(device, stages)?;
        let flags = match part {
            Some(_) => capture(device, with) | vk::PipelineCreateFlags::LIBRARY_KHR,
            None => capture(device, with),
        };
        let colors = self.colors(device)?;
        let input = self.input(&attributes, device, &mut done.notes);
        let state = self.state(stages, &attributes, input, &colors, options, flags, part.unwrap_or_default());
        let own = stages.all.iter().filter(|stage| self.stages.get(stage.0).is_some());
        let (kinds, names) = own.map(|(kind, _, entry)| (*kind, entry.name.clone())).unzip();
        finish(device, with, || graphics(device, &state, layout.handle), (kinds, names), done)
    }

    /// The attributes that a vertex stage among these reads.
    pub fn attributes(&self, device: &Device, stages: &Stages<'_>) -> Result<Vec<Slot>, GpuError> {
        let attributes = stages.slots(StageKind::Vertex, StorageClass::Input, &[16, 32, 64])?;
        for slot in &attributes {
            let format = attribute_format(slot);
            if !device.buffer_features(format).contains(vk::FormatFeatureFlags::VERTEX_BUFFER) {
                return Err(GpuError::Lacks {
                    device: device.info.name.clone(),
                    what: format!("{format:?} for vertex attributes"),
                    feature: None,
                    needed_by: format!("the attribute at location {}", slot.location).into(),
                });
            }
        }
        Ok(attributes)
    }

    /// The description's vertex input, if these attributes can be read with it; a note says so, or why not.
    pub fn input(&self, attributes: &[Slot], device: &Device, notes: &mut Vec<String>) -> Option<&'p VertexInput> {
        pipeline_from_description::vertex_input(self.described, attributes, device, notes)
    }

    /// The state of these stages, as a pipeline or as parts of one.
    #[allow(clippy::too_many_arguments, reason = "one place that knows a pipeline's state")]
    pub fn state<'a>(
        &'a self,
        stages: &'a Stages<'a>,
        attributes: &'a [Slot],
        input: Option<&'a VertexInput>,
        colors: &'a [Color],
        options: &Options,
        flags: vk::PipelineCreateFlags,
        parts: vk::GraphicsPipelineLibraryFlagsEXT,
    ) -> GraphicsState<'a> {
        let iterates = options.sample_shading || options.alpha_to_coverage || self.asks_for_samples();
        let depth = if self.pixel.depth || self.pixel.stencil_ref {
            vk::Format::D32_SFLOAT_S8_UINT
        } else {
            vk::Format::UNDEFINED
        };
        GraphicsState {
            stages,
            attributes,
            input,
            topology: pipeline_from_description::topology(self.described),
            patch_vertices: self.patch_vertices(),
            samples: match pipeline_from_description::samples(self.described) {
                Some(samples) => samples,
                None if iterates => SAMPLES,
                None => vk::SampleCountFlags::TYPE_1,
            },
            colors,
            inputs: &self.inputs,
            depth,
            stencil: if self.pixel.stencil_ref { depth } else { vk::Format::UNDEFINED },
            fixed: FixedFunction {
                depth: Some((vk::CompareOp::LESS, true)),
                sample_shading: options.sample_shading.then_some(1.0),
                alpha_to_coverage: options.alpha_to_coverage,
                ..FixedFunction::default()
            },
            size: [SIDE; 2],
            view: None,
            restarts: false,
            flags,
            parts,
        }
    }

    /// Whether the fragment shader runs once a sample or interpolates at one.
    fn asks_for_samples(&self) -> bool {
        let Some((module, _)) = self.stages.get(StageKind::Fragment) else { return false };
        let capability = |inst: &lanescope_spirv::Inst<'_>| {
            inst.op() == Some(Op::Capability) && inst.word_at(1) == Capability::SampleRateShading as u32
        };
        let sample = |inst: &lanescope_spirv::Inst<'_>| match inst.op() {
            Some(Op::Decorate) => inst.word_at(2) == Decoration::Sample as u32,
            Some(Op::MemberDecorate) => inst.word_at(3) == Decoration::Sample as u32,
            _ => false,
        };
        module.globals().any(|inst| capability(&inst) || sample(&inst))
    }

    /// As many as the control shader makes of them, as most patches have; three where it does not say.
    fn patch_vertices(&self) -> u32 {
        if let Some(points) = self.described.and_then(|pipeline| pipeline.state.patch_control_points) {
            return points.clamp(1, 32);
        }
        let control = self.stages.get(StageKind::TessControl);
        let vertices = control.and_then(|(_, entry)| entry.mode(ExecutionMode::OutputVertices)?.first().copied());
        vertices.unwrap_or(3).clamp(1, 32)
    }

    pub fn colors(&self, device: &Device) -> Result<Vec<Color>, GpuError> {
        let count = self.attachments.keys().last().map_or(0, |location| location.saturating_add(1));
        if count > MAX_COLORS.min(device.limits.max_color_attachments) {
            let limit = u64::from(MAX_COLORS.min(device.limits.max_color_attachments));
            let what = "the color outputs (locations)".to_owned();
            return Err(GpuError::TooLarge { what, needed: u64::from(count), limit });
        }
        (0..count).map(|location| self.color(device, location)).collect()
    }

    fn color(&self, device: &Device, location: u32) -> Result<Color, GpuError> {
        let none = Color::plain(vk::Format::UNDEFINED, Blend::Off);
        let Some(attachment) = self.attachments.get(&location) else { return Ok(none) };
        let Some(known) = attachment.format else { return Ok(none) };
        let lacks = |what: String| GpuError::Lacks {
            device: device.info.name.clone(),
            what,
            feature: None,
            needed_by: format!("attachment {location}").into(),
        };
        let format = format_named(known.name).ok_or_else(|| lacks(format!("the format {}", known.name)))?;
        let blend = match (self.is_dual_source() && location == 0, attachment.blend, attachment.blends_by_alpha) {
            (true, ..) => Blend::Dual,
            (_, true, true) => Blend::Alpha,
            (_, true, false) => Blend::Added,
            _ => Blend::Off,
        };
        let wanted = match blend {
            Blend::Off => vk::FormatFeatureFlags::COLOR_ATTACHMENT,
            _ => vk::FormatFeatureFlags::COLOR_ATTACHMENT_BLEND,
        };
        if !device.format_features(format).contains(wanted) {
            let use_ = if blend == Blend::Off { "color attachments" } else { "blending" };
            return Err(lacks(format!("{} for {use_}", known.name)));
        }
        let plain = Color::plain(format, blend);
        Ok(if attachment.unwritten { Color { mask: vk::ColorComponentFlags::empty(), ..plain } } else { plain })
    }
}

/// A format by its name without `VK_FORMAT_`.
fn format_named(name: &str) -> Option<vk::Format> {
    VkFormat::named(name).map(|format| vk::Format::from_raw(format.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_register_format_is_a_vulkan_format() {
        for format in registers::FORMATS {
            let found = format_named(format.name).map(|found| format!("{found:?}"));
            let name = found.as_deref().map(|name| name.strip_suffix("_KHR").unwrap_or(name));
            assert_eq!(name, Some(format.name));
        }
    }
}
