//! Images of descriptors: made, filled and read back.

use ash::vk;

use super::formats::{self, TexelFormat};
use super::given_image::{Planned, plan};
use super::memory::{Buffer, Image, Near, Owned};
use super::resources::{Binding, ImageType, Kind};
use super::{Device, GpuError};
use lanescope_run::fill::Source;
use lanescope_run::inputs::{Content, Inputs};
use lanescope_run::{ImageRun, hash};
use lanescope_spirv::enums::Dim;
use lanescope_spirv::shape::ScalarKind;

/// Sides of images in texels, by dimension; layers of arrays; samples of multisampled images.
pub(super) const SIDE: u32 = 64;
const SIDE_3D: u32 = 16;
const SIDE_CUBE: u32 = 16;
const LAYERS: u32 = 4;
const SAMPLES: vk::SampleCountFlags = vk::SampleCountFlags::TYPE_4;

/// An image of a descriptor. It stays in the general layout, which every use allows.
pub(super) struct BoundImage<'d> {
    image: Image<'d>,
    pub view: Owned<'d, vk::ImageView>,
    extent: Extent,
    /// The texels to start with, until they are uploaded; a multisampled image is cleared instead.
    staging: Option<Buffer<'d>>,
    clear: vk::ClearColorValue,
    report: Option<(ImageRun, Buffer<'d>)>,
}

/// The size of a descriptor's image and its format.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub size: [u32; 3],
    pub layers: u32,
    pub levels: u32,
    samples: vk::SampleCountFlags,
    format: TexelFormat,
    aspect: vk::ImageAspectFlags,
}

impl Extent {
    pub fn of(ty: ImageType, format: TexelFormat, storage: bool) -> Extent {
        let (size, layers) = match ty.dim {
            Dim::Dim1D => ([SIDE, 1, 1], if ty.arrayed { LAYERS } else { 1 }),
            Dim::Dim3D => ([SIDE_3D; 3], 1),
            Dim::DimCube => ([SIDE_CUBE, SIDE_CUBE, 1], if ty.arrayed { 12 } else { 6 }),
            _ => ([SIDE, SIDE, 1], if ty.arrayed { LAYERS } else { 1 }),
        };
        let one_level = storage || ty.multisampled;
        let depth = formats::is_depth(format.format);
        Extent {
            size,
            layers,
            levels: if one_level { 1 } else { 32 - size[0].leading_zeros() },
            samples: if ty.multisampled { SAMPLES } else { vk::SampleCountFlags::TYPE_1 },
            format,
            aspect: if depth { vk::ImageAspectFlags::DEPTH } else { vk::ImageAspectFlags::COLOR },
        }
    }

    /// An image with one sample whose size is given.
    pub fn given(size: [u32; 3], layers: u32, levels: u32, format: TexelFormat) -> Extent {
        let depth = formats::is_depth(format.format);
        Extent {
            size,
            layers,
            levels,
            samples: vk::SampleCountFlags::TYPE_1,
            format,
            aspect: if depth { vk::ImageAspectFlags::DEPTH } else { vk::ImageAspectFlags::COLOR },
        }
    }

    /// Bytes of all levels.
    pub fn all_bytes(&self) -> u64 {
        (0..self.levels).map(|level| self.texels(level)).fold(0, u64::saturating_add)
            * u64::from(self.format.texel.bytes())
    }

    fn level(&self, level: u32) -> [u32; 3] {
        self.size.map(|side| (side >> level).max(1))
    }

    /// Texels of one level, all layers.
    fn texels(&self, level: u32) -> u64 {
        self.level(level).iter().map(|&side| u64::from(side)).product::<u64>() * u64::from(self.layers)
    }

    /// What is reported of an image that a shader may write.
    pub fn report(&self, binding: &Binding, source: Source, inputs: &Inputs) -> ImageRun {
        let texel_bytes = self.format.texel.bytes();
        ImageRun {
            name: inputs.names.name(binding.set, binding.binding, source.element, binding.is_array),
            register: inputs.names.register(binding.set, binding.binding).map(str::to_owned),
            variable: binding.variable.clone(),
            set: binding.set,
            binding: binding.binding,
            element: source.element,
            size: self.size,
            layers: self.layers,
            format: format!("{:?}", self.format.format),
            texel_bytes,
            bytes: u64::from(texel_bytes) * self.texels(0),
            hash: hash(&[]),
        }
    }

    fn range(&self) -> vk::ImageSubresourceRange {
        vk::ImageSubresourceRange::default().aspect_mask(self.aspect).level_count(self.levels).layer_count(self.layers)
    }

    /// The copy of one level, all layers, at an offset of a buffer.
    fn copy(&self, level: u32, offset: u64) -> vk::BufferImageCopy {
        let [width, height, depth] = self.level(level);
        let layers =
            vk::ImageSubresourceLayers::default().aspect_mask(self.aspect).mip_level(level).layer_count(self.layers);
        vk::BufferImageCopy::default().buffer_offset(offset).image_subresource(layers).image_extent(vk::Extent3D {
            width,
            height,
            depth,
        })
    }
}

impl<'d> BoundImage<'d> {
    /// Makes the image of a descriptor, and the texels that it starts with: given ones, zeros, or a pattern.
    pub fn new(
        device: &'d Device,
        binding: &Binding,
        source: Source,
        ty: ImageType,
        inputs: &Inputs,
        zeros: bool,
    ) -> Result<Self, GpuError> {
        let name = inputs.names.name(binding.set, binding.binding, source.element, binding.is_array);
        let storage = matches!(binding.kind, Kind::StorageImage(_));
        if storage && ty.multisampled && binding.writable {
            return Err(GpuError::NotRun(format!("{name}: writing to multisampled images is not supported")));
        }
        let Planned { extent, given, .. } = plan(binding, source.element, ty, inputs)?;
        let format = extent.format;
        let (mut usage, mut needed, purpose) = if storage {
            (vk::ImageUsageFlags::STORAGE, vk::FormatFeatureFlags::STORAGE_IMAGE, "storage images")
        } else {
            (vk::ImageUsageFlags::SAMPLED, vk::FormatFeatureFlags::SAMPLED_IMAGE, "sampled images")
        };
        usage |= vk::ImageUsageFlags::TRANSFER_DST;
        if binding.writable {
            usage |= vk::ImageUsageFlags::TRANSFER_SRC;
        }
        let image_type = match ty.dim {
            Dim::Dim1D => vk::ImageType::TYPE_1D,
            Dim::Dim3D => vk::ImageType::TYPE_3D,
            _ => vk::ImageType::TYPE_2D,
        };
        let is_given = matches!(inputs.given(binding.set, binding.binding, source.element), Some(Content::Image(_)));
        let usual = ty.kind != ScalarKind::Float || ty.depth;
        if !storage && is_filtered(binding, source.element, inputs).unwrap_or(is_given && !usual) {
            needed |= vk::FormatFeatureFlags::SAMPLED_IMAGE_FILTER_LINEAR;
        }
        let counts = device.sample_counts(format.format, image_type, usage);
        if !device.format_features(format.format).contains(needed) || !counts.contains(extent.samples) {
            return Err(lacks_format(device, format.format, purpose, binding));
        }
        let cube = ty.dim == Dim::DimCube;
        let flags = if cube { vk::ImageCreateFlags::CUBE_COMPATIBLE } else { vk::ImageCreateFlags::empty() };
        let create = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(image_type)
            .format(format.format)
            .extent(vk::Extent3D { width: extent.size[0], height: extent.size[1], depth: extent.size[2] })
            .mip_levels(extent.levels)
            .array_layers(extent.layers)
            .samples(extent.samples)
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(usage);
        let image = Image::new(device, &create, &name)?;
        let view = view(device, image.handle, view_type(ty), format.format, extent.range())?;
        let staging = match ty.multisampled {
            true => None,
            false => Some(staging(device, &extent, source, (given, zeros), &name)?),
        };
        let report = match binding.writable {
            true => {
                let report = extent.report(binding, source, inputs);
                let bytes = report.bytes;
                Some((report, Buffer::new(device, bytes, vk::BufferUsageFlags::TRANSFER_DST, &name)?))
            }
            false => None,
        };
        let clear = if zeros { vk::ClearColorValue::default() } else { clear_color(ty, source) };
        Ok(BoundImage { image, view, extent, staging, clear, report })
    }

    /// Fills the image and brings it into the general layout.
    pub fn record_upload(&self, device: &Device, commands: vk::CommandBuffer) {
        self.barrier(
            device,
            commands,
            (vk::ImageLayout::UNDEFINED, vk::AccessFlags::empty()),
            (vk::ImageLayout::TRANSFER_DST_OPTIMAL, vk::AccessFlags::TRANSFER_WRITE),
        );
        let layout = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        let mut offset = 0;
        let mut regions = Vec::new();
        for level in 0..self.extent.levels {
            regions.push(self.extent.copy(level, offset));
            offset += self.extent.texels(level) * u64::from(self.extent.format.texel.bytes());
        }
        let range = [self.extent.range()];
        let vk = &device.handle;
        // SAFETY: the command buffer is being recorded; image and staging buffer outlive the commands.
        unsafe {
            match &self.staging {
                Some(from) => vk.cmd_copy_buffer_to_image(commands, from.handle, self.image.handle, layout, &regions),
                None if self.extent.aspect == vk::ImageAspectFlags::DEPTH => {
                    let clear = vk::ClearDepthStencilValue { depth: self.clear.float32[0], stencil: 0 };
                    vk.cmd_clear_depth_stencil_image(commands, self.image.handle, layout, &clear, &range)
                }
                None => vk.cmd_clear_color_image(commands, self.image.handle, layout, &self.clear, &range),
            }
        }
        self.barrier(
            device,
            commands,
            (layout, vk::AccessFlags::TRANSFER_WRITE),
            (vk::ImageLayout::GENERAL, vk::AccessFlags::SHADER_READ | vk::AccessFlags::SHADER_WRITE),
        );
    }

    /// Other texels for an image that is read back: zeros where nothing is given. They take effect once they are
    /// uploaded.
    pub fn restore<'c>(&mut self, device: &'d Device, held: impl Fn(&str) -> Option<&'c [u8]>) -> Result<(), GpuError> {
        let Some((report, _)) = &self.report else { return Ok(()) };
        let name = report.name.clone();
        let source = Source { seed: 0, set: report.set, binding: report.binding, element: report.element };
        self.staging = Some(staging(device, &self.extent, source, (held(&name), true), &name)?);
        Ok(())
    }

    /// The image as it is read back, where it is.
    pub fn report(&self) -> Option<&ImageRun> {
        self.report.as_ref().map(|(report, _)| report)
    }

    /// Whether texels wait to be uploaded.
    pub fn is_staged(&self) -> bool {
        self.staging.is_some()
    }

    /// The upload is done: its staging memory is given back.
    pub fn uploaded(&mut self) {
        self.staging = None;
    }

    /// Copies the image to where the host sees it. The shader's writes are already available to transfers.
    pub fn record_read_back(&self, device: &Device, commands: vk::CommandBuffer) {
        let Some((_, to)) = &self.report else { return };
        let region = [self.extent.copy(0, 0)];
        let layout = vk::ImageLayout::GENERAL;
        // SAFETY: the command buffer is being recorded outside of rendering; image and buffer outlive the commands.
        unsafe { device.handle.cmd_copy_image_to_buffer(commands, self.image.handle, layout, to.handle, &region) };
    }

    /// What was read back.
    pub fn contents(&self) -> Result<Option<(&ImageRun, &[u8])>, GpuError> {
        self.report.as_ref().map(|(report, buffer)| Ok((report, buffer.contents()?))).transpose()
    }

    /// How many bytes are read back.
    pub fn read_back_bytes(&self) -> Option<u64> {
        self.report.as_ref().map(|(report, _)| report.bytes)
    }

    fn barrier(
        &self,
        device: &Device,
        commands: vk::CommandBuffer,
        from: (vk::ImageLayout, vk::AccessFlags),
        to: (vk::ImageLayout, vk::AccessFlags),
    ) {
        image_barrier(device, commands, self.image.handle, self.extent.range(), from, to);
    }
}

/// Whether a sampler that is given filters an image: its own, or any where it is combined with others.
fn is_filtered(binding: &Binding, element: u32, inputs: &Inputs) -> Option<bool> {
    match binding.kind {
        Kind::Combined(_) => Some(inputs.sampler(binding.set, binding.binding, element)?.is_linear()),
        _ if inputs.samplers.is_empty() => None,
        _ => Some(inputs.samplers.iter().any(|given| given.state.is_linear())),
    }
}

/// Changes an image's layout between two kinds of access, in any stage.
pub(super) fn image_barrier(
    device: &Device,
    commands: vk::CommandBuffer,
    image: vk::Image,
    range: vk::ImageSubresourceRange,
    from: (vk::ImageLayout, vk::AccessFlags),
    to: (vk::ImageLayout, vk::AccessFlags),
) {
    let barrier = [vk::ImageMemoryBarrier::default()
        .old_layout(from.0)
        .src_access_mask(from.1)
        .new_layout(to.0)
        .dst_access_mask(to.1)
        .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
        .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
        .image(image)
        .subresource_range(range)];
    let all = vk::PipelineStageFlags::ALL_COMMANDS;
    let flags = vk::DependencyFlags::empty();
    // SAFETY: the command buffer is being recorded outside of rendering; the image outlives the commands.
    unsafe { device.handle.cmd_pipeline_barrier(commands, all, all, flags, &[], &[], &barrier) };
}

/// A view of an image.
pub(super) fn view<'d>(
    device: &'d Device,
    image: vk::Image,
    ty: vk::ImageViewType,
    format: vk::Format,
    range: vk::ImageSubresourceRange,
) -> Result<Owned<'d, vk::ImageView>, GpuError> {
    let create = vk::ImageViewCreateInfo::default().image(image).view_type(ty).format(format).subresource_range(range);
    // SAFETY: the image is alive; the caller keeps it as long as the view.
    let view =
        unsafe { device.handle.create_image_view(&create, None) }.map_err(GpuError::call("vkCreateImageView"))?;
    Ok(Owned::new(device, view, |vk, view| {
        // SAFETY: destroyed once, after the last submission that uses it.
        unsafe { vk.destroy_image_view(view, None) }
    }))
}

/// The format of a storage image or storage texel buffer.
pub(super) fn storage_format(ty: ImageType) -> Result<TexelFormat, GpuError> {
    formats::storage(ty.format, ty.kind)
        .ok_or_else(|| GpuError::NotRun(format!("images of format {:?} are not supported", ty.format)))
}

/// The error of a format that the device does not take for a purpose.
pub(super) fn lacks_format(device: &Device, format: vk::Format, purpose: &str, binding: &Binding) -> GpuError {
    GpuError::Lacks {
        device: device.info.name.clone(),
        what: format!("{format:?} for {purpose}"),
        feature: None,
        needed_by: format!("set {}, binding {}", binding.set, binding.binding).into(),
    }
}

fn view_type(ty: ImageType) -> vk::ImageViewType {
    match (ty.dim, ty.arrayed) {
        (Dim::Dim1D, false) => vk::ImageViewType::TYPE_1D,
        (Dim::Dim1D, true) => vk::ImageViewType::TYPE_1D_ARRAY,
        (Dim::Dim3D, _) => vk::ImageViewType::TYPE_3D,
        (Dim::DimCube, false) => vk::ImageViewType::CUBE,
        (Dim::DimCube, true) => vk::ImageViewType::CUBE_ARRAY,
        (_, false) => vk::ImageViewType::TYPE_2D,
        (_, true) => vk::ImageViewType::TYPE_2D_ARRAY,
    }
}

fn staging<'d>(
    device: &'d Device,
    extent: &Extent,
    source: Source,
    given: (Option<&[u8]>, bool),
    name: &str,
) -> Result<Buffer<'d>, GpuError> {
    let usage = vk::BufferUsageFlags::TRANSFER_SRC;
    Buffer::with(device, &texels(extent, source, given, name)?, usage, Near::Host, name)
}

/// The texels of every level, level after level. What is given are those of the first level alone, or of all of them;
/// levels that nothing gives are zero then.
///
/// # Errors
/// Given contents of another size.
pub(super) fn texels(
    extent: &Extent,
    source: Source,
    (given, zeros): (Option<&[u8]>, bool),
    name: &str,
) -> Result<Vec<u8>, GpuError> {
    let texel = u64::from(extent.format.texel.bytes());
    let all = (0..extent.levels).map(|level| extent.texels(level)).sum::<u64>() * texel;
    if given.is_some() || zeros {
        let one = extent.texels(0) * texel;
        if let Some(given) = given.filter(|given| ![one, all].contains(&(given.len() as u64))) {
            let ([x, y, z], layers, format) = (extent.size, extent.layers, extent.format.format);
            let message = format!(
                "{name}: {} bytes of contents; an image of {x}x{y}x{z} texels and {layers} layers of {format:?} has \
                 {one} bytes, or {all} with all levels",
                given.len()
            );
            return Err(GpuError::Unusable(message));
        }
        let mut contents = given.unwrap_or(&[]).to_vec();
        contents.resize(usize::try_from(all).unwrap_or(0), 0);
        return Ok(contents);
    }
    let mut contents = Vec::new();
    let mut first = 0;
    for level in 0..extent.levels {
        let texels = extent.texels(level);
        extent.format.texel.fill(source, first, texels, &mut contents);
        first += texels;
    }
    Ok(contents)
}

/// The one colour of a multisampled image: copies cannot fill it.
fn clear_color(ty: ImageType, source: Source) -> vk::ClearColorValue {
    let component = |i: u64| source.hash(i);
    match ty.kind {
        ScalarKind::Float => {
            vk::ClearColorValue { float32: [0, 1, 2, 3].map(|i| (component(i) % 1024) as f32 / 1024.0) }
        }
        ScalarKind::Int => vk::ClearColorValue { int32: [0, 1, 2, 3].map(|i| (component(i) % 64) as i32) },
        ScalarKind::Uint => vk::ClearColorValue { uint32: [0, 1, 2, 3].map(|i| (component(i) % 64) as u32) },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::gpu::bind::{Bound, ReadBack, Start};
    use crate::gpu::resources::Resources;
    use crate::gpu::{DeviceOptions, Needs, with_device};
    use lanescope_load::compile_own;
    use lanescope_model::program::StageKind;
    use lanescope_run::Blob;

    const SHADER: &str = "#version 450
        layout(local_size_x = 8, local_size_y = 8) in;
        layout(binding = 0, r32ui) uniform uimage2D map;
        layout(binding = 1) buffer Words { uint words[4]; };
        void main() { imageAtomicAdd(map, ivec2(gl_GlobalInvocationID.xy), words[gl_LocalInvocationIndex & 3u]++); }";

    #[test]
    fn restores_contents_of_images_and_buffers() {
        let module = compile_own(SHADER, StageKind::Compute).expect("it compiles");
        let options = DeviceOptions { device: Some("llvmpipe".to_owned()), validate: true, ..DeviceOptions::default() };
        let used = with_device(&Needs::of([&module]), &options, |device| {
            let entry = module.entry_points().first().expect("an entry point");
            let resources = Resources::of(&[(&module, entry)])?;
            let start = Start { zero: true, near: Near::Host };
            let mut bound = Bound::starting(device, &resources, &Inputs::default(), start)?;
            let read = |bound: &Bound<'_>| -> Result<ReadBack, GpuError> {
                device.run("reading images", |commands| bound.record_read_back(commands))?;
                bound.contents()
            };
            let zeros = read(&bound)?.data;
            assert!(zeros.values().all(|held| held.0.iter().all(|byte| *byte == 0)), "what is written begins as zeros");
            let pattern = |held: &Blob| Blob((0..held.0.len()).map(|at| (at * 7) as u8).collect());
            let held: BTreeMap<String, Blob> = zeros.iter().map(|(name, held)| (name.clone(), pattern(held))).collect();
            assert_eq!(held.values().map(|held| held.0.len()).collect::<Vec<_>>(), [64 * 64 * 4, 16]);
            bound.restore(&held, &BTreeMap::new())?;
            assert_eq!(read(&bound)?.data, held);
            bound.restore(&BTreeMap::new(), &BTreeMap::new())?;
            assert_eq!(read(&bound)?.data, zeros);
            for (name, held) in held {
                let short = Blob(held.0[..8].to_vec());
                assert!(
                    bound.restore(&BTreeMap::from([(name.clone(), short)]), &BTreeMap::new()).is_err(),
                    "{name} has another size"
                );
            }
            Ok(())
        });
        assert_eq!(used.expect("it runs").warnings, Vec::<String>::new());
    }
}
