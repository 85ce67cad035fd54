//! Puts given samples into an attachment before a draw: a triangle over all of it, whose fragments read a buffer. So
//! every format and every count of samples is filled the same way.

use ash::vk;

use super::bind::Bound;
use super::fixed_function::FixedFunction;
use super::memory::Owned;
use super::pipeline::{Blend, Color, GraphicsState, Stages, graphics};
use super::resources::Resources;
use super::{Device, GpuError};
use lanescope_load::compile_own;
use lanescope_model::program::StageKind;
use lanescope_run::Blob;
use lanescope_run::inputs::{Content, Given, Inputs};
use lanescope_spirv::Module;
use lanescope_spirv::shape::ScalarKind;

/// What fills one attachment.
pub(super) struct Store<'d> {
    pipeline: Owned<'d, vk::Pipeline>,
    bound: Bound<'d>,
    size: [u32; 2],
    /// Whether it is a colour attachment; the depth and stencil one otherwise.
    color: bool,
    has_stencil: bool,
}

/// A triangle over the picture.
const VERTEX: &str = "#version 460\nvoid main() {\n\
    gl_Position = vec4((gl_VertexIndex & 1) * 4 - 1, (gl_VertexIndex & 2) * 2 - 1, 0, 1);\n}\n";

/// The shader that writes the bits of every sample.
fn fragment(kind: Option<ScalarKind>, width: u32, samples: u32) -> String {
    let (output, result) = match kind {
        None => ("", "gl_FragDepth = uintBitsToFloat(bits.x)"),
        Some(ScalarKind::Float) => ("layout(location = 0) out vec4 result;", "result = uintBitsToFloat(bits)"),
        Some(ScalarKind::Int) => ("layout(location = 0) out ivec4 result;", "result = ivec4(bits)"),
        Some(ScalarKind::Uint) => ("layout(location = 0) out uvec4 result;", "result = bits"),
    };
    let sample = if samples > 1 { "gl_SampleID" } else { "0" };
    format!(
        "#version 460\n{output}\n\
         layout(set = 0, binding = 0, std430) readonly buffer Samples {{ uvec4 samples[]; }};\n\
         void main() {{\nivec2 at = ivec2(gl_FragCoord.xy);\n\
         uvec4 bits = samples[(at.y * {width} + at.x) * {samples} + {sample}];\n{result};\n}}\n"
    )
}

fn compiled(source: &str, stage: StageKind) -> Result<Module, GpuError> {
    compile_own(source, stage).map_err(|log| {
        GpuError::NotRun(format!(
            "internal error: the shader that stores samples does not compile: {log}; please report it"
        ))
    })
}

impl<'d> Store<'d> {
    /// `kind` is that of a colour attachment; absent for the depth.
    pub fn new(
        device: &'d Device,
        (kind, format): (Option<ScalarKind>, vk::Format),
        (size, samples): ([u32; 2], vk::SampleCountFlags),
        contents: &[u8],
    ) -> Result<Store<'d>, GpuError> {
        if samples != vk::SampleCountFlags::TYPE_1 && !device.fixed.sample_rate_shading {
            return Err(GpuError::Lacks {
                device: device.info.name.clone(),
                what: "sample rate shading".to_owned(),
                feature: Some("sampleRateShading".to_owned()),
                needed_by: "contents of attachments with several samples".to_owned().into(),
            });
        }
        let vertex = compiled(VERTEX, StageKind::Vertex)?;
        let fragment = compiled(&fragment(kind, size[0], samples.as_raw()), StageKind::Fragment)?;
        let modules = [(StageKind::Vertex, &vertex), (StageKind::Fragment, &fragment)];
        let all = modules.iter().filter_map(|(stage, module)| Some((*stage, *module, module.entry_points().first()?)));
        let stages = Stages { all: all.collect() };
        let content = Content::Bytes(Blob(contents.to_vec()));
        let buffers = vec![Given { set: 0, binding: 0, element: None, content }];
        let bound = Bound::new(device, &Resources::of(&stages.entries())?, &Inputs { buffers, ..Inputs::default() })?;
        let color = kind.is_some();
        let has_stencil = !color && format != vk::Format::D32_SFLOAT;
        let colors = [Color::plain(format, Blend::Off)];
        let state = GraphicsState {
            stages: &stages,
            attributes: &[],
            input: None,
            topology: None,
            patch_vertices: 3,
            samples,
            colors: if color { &colors } else { &[] },
            inputs: &[],
            depth: if color { vk::Format::UNDEFINED } else { format },
            stencil: if has_stencil { format } else { vk::Format::UNDEFINED },
            // Stencils stay, and let everything pass.
            fixed: FixedFunction {
                stencil: has_stencil
                    .then_some([vk::StencilOpState { compare_op: vk::CompareOp::ALWAYS, ..Default::default() }; 2]),
                ..FixedFunction::default()
            },
            size,
            view: None,
            restarts: false,
            flags: vk::PipelineCreateFlags::empty(),
            parts: vk::GraphicsPipelineLibraryFlagsEXT::empty(),
        };
        let pipeline = graphics(device, &state, bound.layout.handle)?;
        Ok(Store { pipeline, bound, size, color, has_stencil })
    }

    /// Records the triangle. The attachment is ready for rendering; its stencils are cleared.
    pub fn record(
        &self,
        device: &Device,
        commands: vk::CommandBuffer,
        attachment: &vk::RenderingAttachmentInfo<'static>,
    ) {
        let [width, height] = self.size;
        let area = vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width, height } };
        let mut rendering = vk::RenderingInfo::default().render_area(area).layer_count(1);
        let colors = [*attachment];
        if self.color {
            rendering = rendering.color_attachments(&colors);
        } else {
            rendering = rendering.depth_attachment(attachment);
            if self.has_stencil {
                rendering = rendering.stencil_attachment(attachment);
            }
        }
        let vk = &device.handle;
        // SAFETY: the command buffer is being recorded; pipeline, descriptors and the attachment outlive the commands.
        unsafe {
            vk.cmd_begin_rendering(commands, &rendering);
            vk.cmd_bind_pipeline(commands, vk::PipelineBindPoint::GRAPHICS, self.pipeline.handle);
        }
        self.bound.record(commands, vk::PipelineBindPoint::GRAPHICS);
        // SAFETY: as above.
        unsafe {
            vk.cmd_draw(commands, 3, 1, 0, 0);
            vk.cmd_end_rendering(commands);
        }
    }
}
