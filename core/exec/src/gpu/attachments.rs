//! Colour targets of four 32-bit components, a depth target, and the compute shader that fetches their samples.

use ash::vk;

use super::bind::{allocate, layouts};
use super::images::{image_barrier, view};
use super::memory::{Buffer, Image, Owned};
use super::pipeline::{ComputeState, compute};
use super::resources::Resources;
use super::scene::{CLEAR, SAMPLES, SIDE, Slot};
use super::store::Store;
use super::{Device, GpuError};
use lanescope_load::compile_own;
use lanescope_model::program::StageKind;
use lanescope_run::inputs::{AttachmentContents, DrawInputs};
use lanescope_spirv::shape::ScalarKind;

/// The depth that the picture starts with; its stencil is 0.
pub(super) const CLEAR_DEPTH: f32 = 0.625;

/// What an output is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Output {
    /// A colour attachment of a format.
    Color(ScalarKind, vk::Format),
    /// The depth attachment, of a format that may hold stencils too.
    Depth(vk::Format),
}

impl Output {
    /// A colour attachment that keeps every bit of a component.
    pub fn widest(kind: ScalarKind) -> Output {
        let format = match kind {
            ScalarKind::Float => vk::Format::R32G32B32A32_SFLOAT,
            ScalarKind::Int => vk::Format::R32G32B32A32_SINT,
            ScalarKind::Uint => vk::Format::R32G32B32A32_UINT,
        };
        Output::Color(kind, format)
    }

    fn format(self) -> vk::Format {
        match self {
            Output::Color(_, format) | Output::Depth(format) => format,
        }
    }

    /// Usage, features, layout and access while it is drawn to.
    fn use_of(self) -> (vk::ImageUsageFlags, vk::FormatFeatureFlags, vk::ImageLayout, vk::AccessFlags) {
        match self {
            Output::Color(..) => (
                vk::ImageUsageFlags::COLOR_ATTACHMENT,
                vk::FormatFeatureFlags::COLOR_ATTACHMENT,
                vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
                vk::AccessFlags::COLOR_ATTACHMENT_WRITE,
            ),
            Output::Depth(_) => (
                vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
                vk::FormatFeatureFlags::DEPTH_STENCIL_ATTACHMENT,
                vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                vk::AccessFlags::DEPTH_STENCIL_ATTACHMENT_WRITE,
            ),
        }
    }

    fn range(self) -> vk::ImageSubresourceRange {
        let aspect = match self {
            Output::Color(..) => vk::ImageAspectFlags::COLOR,
            Output::Depth(vk::Format::D32_SFLOAT) => vk::ImageAspectFlags::DEPTH,
            Output::Depth(_) => vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL,
        };
        vk::ImageSubresourceRange::default().aspect_mask(aspect).level_count(1).layer_count(1)
    }

    /// What is fetched of it.
    fn fetched(self) -> vk::ImageSubresourceRange {
        match self {
            Output::Color(..) => self.range(),
            Output::Depth(_) => self.range().aspect_mask(vk::ImageAspectFlags::DEPTH),
        }
    }
}

/// One output's target, and the buffer that its samples go to.
pub(super) struct Target<'d> {
    /// `color0`, `depth`.
    pub name: String,
    /// The output's location; none for the depth.
    pub location: Option<u32>,
    output: Output,
    pub kind: ScalarKind,
    pub format: vk::Format,
    size: [u32; 2],
    /// The bits that it is cleared to, where they are given.
    clear: Option<[u32; 4]>,
    /// What it holds before the draw, where that is given: it is not cleared then.
    stored: Option<Store<'d>>,
    fetch: Fetch<'d>,
    buffer: Buffer<'d>,
    view: Owned<'d, vk::ImageView>,
    _fetched: Owned<'d, vk::ImageView>,
    image: Image<'d>,
}

/// The pipeline that fetches one target's samples.
struct Fetch<'d> {
    pipeline: Owned<'d, vk::Pipeline>,
    layout: Owned<'d, vk::PipelineLayout>,
    set: vk::DescriptorSet,
    _pool: Option<Owned<'d, vk::DescriptorPool>>,
    _set_layouts: Vec<Owned<'d, vk::DescriptorSetLayout>>,
}

/// The samples that every output's format can have.
pub(super) fn samples(
    device: &Device,
    outputs: &[Output],
    described: Option<vk::SampleCountFlags>,
) -> vk::SampleCountFlags {
    let wanted = described.unwrap_or(vk::SampleCountFlags::from_raw(SAMPLES));
    let has = |output: &Output| {
        let usage = output.use_of().0 | vk::ImageUsageFlags::SAMPLED;
        device.sample_counts(output.format(), vk::ImageType::TYPE_2D, usage).contains(wanted)
    };
    let empty = device.limits.framebuffer_no_attachments_sample_counts.contains(wanted);
    if outputs.iter().all(has) && (!outputs.is_empty() || empty) { wanted } else { vk::SampleCountFlags::TYPE_1 }
}

impl<'d> Target<'d> {
    /// A target for a colour output.
    pub fn color(
        device: &'d Device,
        slot: &Slot,
        output: Output,
        samples: vk::SampleCountFlags,
        draw: &DrawInputs,
    ) -> Result<Self, GpuError> {
        let name = format!("color{}", slot.location);
        Target::new(device, name, Some(slot.location), output, samples, draw)
    }

    /// A target for the depth. A sample's depth is the first of its four components.
    pub fn depth(
        device: &'d Device,
        format: vk::Format,
        samples: vk::SampleCountFlags,
        draw: &DrawInputs,
    ) -> Result<Self, GpuError> {
        Target::new(device, "depth".to_owned(), None, Output::Depth(format), samples, draw)
    }

    fn new(
        device: &'d Device,
        name: String,
        location: Option<u32>,
        output: Output,
        samples: vk::SampleCountFlags,
        draw: &DrawInputs,
    ) -> Result<Self, GpuError> {
        let size = draw.size(SIDE);
        let [width, height] = size;
        let format = output.format();
        let (usage, feature, ..) = output.use_of();
        let needed = feature | vk::FormatFeatureFlags::SAMPLED_IMAGE;
        if !device.format_features(format).contains(needed) {
            return Err(GpuError::Lacks {
                device: device.info.name.clone(),
                what: format!("{format:?} for attachments"),
                feature: None,
                needed_by: name.into(),
            });
        }
        let create = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(format)
            .extent(vk::Extent3D { width, height, depth: 1 })
            .mip_levels(1)
            .array_layers(1)
            .samples(samples)
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(usage | vk::ImageUsageFlags::SAMPLED);
        let kind = match output {
            Output::Color(kind, _) => kind,
            Output::Depth(_) => ScalarKind::Float,
        };
        let image = Image::new(device, &create, &name)?;
        let of = |range| view(device, image.handle, vk::ImageViewType::TYPE_2D, format, range);
        let (view, fetched) = (of(output.range())?, of(output.fetched())?);
        let bytes = u64::from(width) * u64::from(height) * u64::from(samples.as_raw()) * 16;
        let buffer = Buffer::new(device, bytes, vk::BufferUsageFlags::STORAGE_BUFFER, &name)?;
        let fetch = Fetch::new(device, kind, (size, samples.as_raw()), &fetched, &buffer)?;
        let store = |contents: &AttachmentContents| {
            let contents = contents.of_samples(size, samples.as_raw());
            let contents = contents.map_err(|why| GpuError::Unusable(format!("{name}: {why}")))?;
            Store::new(device, (location.is_some().then_some(kind), format), (size, samples), &contents)
        };
        let stored = draw.contents(location).map(store).transpose()?;
        let clear = draw.clear(location);
        Ok(Target {
            name,
            location,
            output,
            kind,
            format,
            size,
            clear,
            stored,
            fetch,
            buffer,
            view,
            _fetched: fetched,
            image,
        })
    }

    /// How rendering uses it: cleared unless something is stored in it, then kept.
    pub fn attachment(&self) -> vk::RenderingAttachmentInfo<'static> {
        match self.stored {
            Some(_) => self.cleared().load_op(vk::AttachmentLoadOp::LOAD),
            None => self.cleared(),
        }
    }

    fn cleared(&self) -> vk::RenderingAttachmentInfo<'static> {
        let (float, words) = match self.clear {
            Some(words) => (words.map(f32::from_bits), words),
            None => CLEAR,
        };
        let (depth, stencil) =
            self.clear.map_or((CLEAR_DEPTH, 0), |[depth, stencil, ..]| (f32::from_bits(depth), stencil));
        let color = |color| vk::ClearValue { color };
        let clear = match self.output {
            Output::Color(ScalarKind::Float, _) => color(vk::ClearColorValue { float32: float }),
            Output::Color(ScalarKind::Int, _) => color(vk::ClearColorValue { int32: words.map(|word| word as i32) }),
            Output::Color(ScalarKind::Uint, _) => color(vk::ClearColorValue { uint32: words }),
            Output::Depth(_) => vk::ClearValue { depth_stencil: vk::ClearDepthStencilValue { depth, stencil } },
        };
        vk::RenderingAttachmentInfo::default()
            .image_view(self.view.handle)
            .image_layout(self.output.use_of().2)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(clear)
    }

    /// Whether it holds stencils beside depths.
    pub fn has_stencil(&self) -> bool {
        self.output.range().aspect_mask.contains(vk::ImageAspectFlags::STENCIL)
    }

    /// Makes it ready for rendering.
    pub fn record_begin(&self, device: &Device, commands: vk::CommandBuffer) {
        let (_, _, layout, access) = self.output.use_of();
        let to = (layout, access);
        let read = match self.output {
            Output::Color(..) => vk::AccessFlags::COLOR_ATTACHMENT_READ,
            Output::Depth(_) => vk::AccessFlags::DEPTH_STENCIL_ATTACHMENT_READ,
        };
        image_barrier(
            device,
            commands,
            self.image.handle,
            self.output.range(),
            (vk::ImageLayout::UNDEFINED, vk::AccessFlags::empty()),
            to,
        );
        if let Some(stored) = &self.stored {
            stored.record(device, commands, &self.cleared());
            image_barrier(device, commands, self.image.handle, self.output.range(), to, (layout, access | read));
        }
    }

    /// Fetches its samples, after rendering.
    pub fn record_read_back(&self, device: &Device, commands: vk::CommandBuffer) {
        let (_, _, layout, access) = self.output.use_of();
        image_barrier(
            device,
            commands,
            self.image.handle,
            self.output.range(),
            (layout, access),
            (vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL, vk::AccessFlags::SHADER_READ),
        );
        let point = vk::PipelineBindPoint::COMPUTE;
        // SAFETY: the command buffer is being recorded outside of rendering; everything bound outlives the commands.
        unsafe {
            device.handle.cmd_bind_pipeline(commands, point, self.fetch.pipeline.handle);
            let layout = self.fetch.layout.handle;
            device.handle.cmd_bind_descriptor_sets(commands, point, layout, 0, &[self.fetch.set], &[]);
            let [width, height] = self.size.map(|side| side.div_ceil(8));
            device.handle.cmd_dispatch(commands, width, height, 1);
        }
    }

    /// Its samples: row by row, the samples of a pixel together, 16 bytes each.
    pub fn contents(&self) -> Result<&[u8], GpuError> {
        self.buffer.contents()
    }
}

/// The shader that copies every sample's bits.
fn source(kind: ScalarKind, ([width, height], samples): ([u32; 2], u32)) -> String {
    let (prefix, bits) = match kind {
        ScalarKind::Float => ("", "floatBitsToUint"),
        ScalarKind::Int => ("i", "uvec4"),
        ScalarKind::Uint => ("u", ""),
    };
    let (image, sample) = if samples > 1 { ("texture2DMS", "s") } else { ("texture2D", "0") };
    format!(
        "#version 460\n#extension GL_EXT_samplerless_texture_functions : require\n\
         layout(local_size_x = 8, local_size_y = 8) in;\n\
         layout(set = 0, binding = 0) uniform {prefix}{image} target;\n\
         layout(set = 0, binding = 1, std430) writeonly buffer Samples {{ uvec4 samples[]; }};\n\
         void main() {{\n\
         ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n\
         if (at.x >= {width} || at.y >= {height}) return;\n\
         for (int s = 0; s < {samples}; s++)\n\
         samples[(at.y * {width} + at.x) * {samples} + s] = {bits}(texelFetch(target, at, {sample}));\n}}\n"
    )
}

impl<'d> Fetch<'d> {
    fn new(
        device: &'d Device,
        kind: ScalarKind,
        pixels: ([u32; 2], u32),
        view: &Owned<'_, vk::ImageView>,
        buffer: &Buffer<'_>,
    ) -> Result<Fetch<'d>, GpuError> {
        let module = compile_own(&source(kind, pixels), StageKind::Compute).map_err(|log| {
            GpuError::NotRun(format!(
                "internal error: the shader that reads samples does not compile: {log}; please report it"
            ))
        })?;
        let entry = module.entry_points().first().ok_or_else(|| {
            let why = "internal error: the shader that reads samples has no entry point; please report it";
            GpuError::NotRun(why.to_owned())
        })?;
        let resources = Resources::of(&[(&module, entry)])?;
        let (set_layouts, layout) = layouts(device, &resources)?;
        let handles: Vec<_> = set_layouts.iter().map(|layout| layout.handle).collect();
        let (pool, sets) = allocate(device, &resources, &handles)?;
        let set = sets.first().copied().unwrap_or_default();
        let types = [vk::DescriptorType::SAMPLED_IMAGE, vk::DescriptorType::STORAGE_BUFFER];
        let image = [vk::DescriptorImageInfo::default()
            .image_view(view.handle)
            .image_layout(vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL)];
        let buffers = [vk::DescriptorBufferInfo::default().buffer(buffer.handle).range(vk::WHOLE_SIZE)];
        let write = |number, ty| vk::WriteDescriptorSet::default().dst_set(set).dst_binding(number).descriptor_type(ty);
        let writes = [write(0, types[0]).image_info(&image), write(1, types[1]).buffer_info(&buffers)];
        // SAFETY: set, view and buffer are alive, and no submission uses the set yet.
        unsafe { device.handle.update_descriptor_sets(&writes, &[]) };
        let pipeline = compute(device, &module, entry, ComputeState::default(), layout.handle)?;
        Ok(Fetch { pipeline, layout, set, _pool: pool, _set_layouts: set_layouts })
    }
}
