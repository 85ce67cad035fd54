//! Creates what descriptors refer to: buffers, images, samplers, layouts and sets, with their deterministic contents.

use std::collections::BTreeMap;

use ash::vk;

use super::addressed;
use super::contents::{self, Filled};
use super::given_image::plan_texels;
use super::images::{BoundImage, lacks_format};
use super::limits;
use super::memory::{Buffer, Near, Owned};
use super::resources::{Binding, ImageType, Kind, Resources};
use super::{Addressed, Device, GpuError, MAX_BUFFER};
use lanescope_run::fill::Source;
use lanescope_run::inputs::{InputRun, Inputs, SamplerState};
use lanescope_run::{Blob, BufferRun, ImageRun, Shape, hash};

/// Everything that a pipeline's descriptors need, alive as long as it runs.
pub(super) struct Bound<'d> {
    device: &'d Device,
    pub layout: Owned<'d, vk::PipelineLayout>,
    pub sets: Vec<vk::DescriptorSet>,
    /// Offsets of dynamic buffers, all at their beginning.
    dynamic: Vec<u32>,
    /// The inputs, each with who decided it.
    pub inputs: Vec<InputRun>,
    push: Vec<u8>,
    push_stages: vk::ShaderStageFlags,
    buffers: Vec<BoundBuffer<'d>>,
    images: Vec<BoundImage<'d>>,
    layouts: Vec<Owned<'d, vk::DescriptorSetLayout>>,
    pool: Option<Owned<'d, vk::DescriptorPool>>,
    samplers: Vec<Owned<'d, vk::Sampler>>,
    texel_views: Vec<Owned<'d, vk::BufferView>>,
    start: Start,
}

/// How buffers begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start {
    /// Those that a shader may write are 0 where nothing is given.
    pub zero: bool,
    /// Who reaches them faster.
    pub near: Near,
}

/// What the shader wrote.
#[derive(Default)]
pub(super) struct ReadBack {
    pub buffers: Vec<BufferRun>,
    pub images: Vec<ImageRun>,
    pub data: BTreeMap<String, Blob>,
}

struct BoundBuffer<'d> {
    buffer: Buffer<'d>,
    /// The requested size: a buffer is never smaller than four bytes.
    bytes: u64,
    report: Option<BufferRun>,
}

/// One write to a descriptor set; indices go into the lists of [`Bound`].
enum Slot {
    Buffer(usize),
    Image { image: Option<usize>, sampler: Option<usize> },
    Texel(usize),
}

impl<'d> Bound<'d> {
    /// Makes and fills what the resources ask for.
    pub fn new(device: &'d Device, resources: &Resources, inputs: &Inputs) -> Result<Bound<'d>, GpuError> {
        Bound::starting(device, resources, inputs, Start { zero: false, near: Near::Host })
    }

    /// Like [`Bound::new`], with a choice of initial contents and memory.
    pub fn starting(
        device: &'d Device,
        resources: &Resources,
        inputs: &Inputs,
        start: Start,
    ) -> Result<Bound<'d>, GpuError> {
        resources.check(inputs)?;
        limits::check(device, resources)?;
        let (layouts, layout) = layouts(device, resources)?;
        let mut bound = Bound {
            device,
            layout,
            sets: Vec::new(),
            dynamic: vec![0; resources.dynamic_descriptors()],
            inputs: Vec::new(),
            push: Vec::new(),
            push_stages: vk::ShaderStageFlags::empty(),
            buffers: Vec::new(),
            images: Vec::new(),
            layouts,
            pool: None,
            samplers: Vec::new(),
            texel_views: Vec::new(),
            start,
        };
        bound.push = contents::push_constants(resources, inputs)?;
        bound.inputs = resources.inputs(inputs, &bound.push);
        bound.push_stages = resources.push_constants.as_ref().map(|push| push.stages).unwrap_or_default();
        for addressed in &inputs.addressed {
            bound.by_address(*addressed, inputs)?;
        }
        let mut slots = Vec::new();
        for binding in &resources.bindings {
            for element in 0..binding.count {
                slots.push((binding, element, bound.make(binding, element, inputs)?));
                contents::check_total(bound.buffers.iter().map(|buffer| buffer.bytes).sum())?;
            }
        }
        let read_back = bound.buffers.iter().filter_map(|b| b.report.as_ref()).map(|r| r.bytes);
        contents::check_read_back(read_back.chain(bound.images.iter().filter_map(BoundImage::read_back_bytes)).sum())?;
        bound.write_sets(resources, &slots)?;
        if !bound.images.is_empty() {
            let record = |commands| bound.images.iter().for_each(|image| image.record_upload(device, commands));
            device.run("filling images", record)?;
            bound.images.iter_mut().for_each(BoundImage::uploaded);
        }
        Ok(bound)
    }

    /// Binds the sets and sets the push constants.
    pub fn record(&self, commands: vk::CommandBuffer, point: vk::PipelineBindPoint) {
        self.record_with(self.device, commands, point, self.layout.handle, &self.sets, &self.dynamic);
    }

    /// Records with other sets of the same contents, and their layout.
    pub fn record_with(
        &self,
        device: &Device,
        commands: vk::CommandBuffer,
        point: vk::PipelineBindPoint,
        layout: vk::PipelineLayout,
        sets: &[vk::DescriptorSet],
        dynamic: &[u32],
    ) {
        let vk = &device.handle;
        // SAFETY: the command buffer is being recorded; layout, sets and their contents live as long as `self`, which
        // the caller keeps until the commands are done.
        unsafe {
            if !sets.is_empty() {
                vk.cmd_bind_descriptor_sets(commands, point, layout, 0, sets, dynamic);
            }
            if !self.push.is_empty() {
                vk.cmd_push_constants(commands, layout, self.push_stages, 0, &self.push);
            }
        }
    }

    /// Writable buffers and images: their names, and set, binding and element.
    pub fn written(&self) -> impl Iterator<Item = (&str, [u32; 3])> {
        let buffers = self.buffers.iter().filter_map(|bound| bound.report.as_ref());
        let buffers = buffers.map(|is| (is.name.as_str(), [is.set, is.binding, is.element]));
        let images = self.images.iter().filter_map(BoundImage::report);
        buffers.chain(images.map(|is| (is.name.as_str(), [is.set, is.binding, is.element])))
    }

    /// Puts back what writable buffers and images held at another time, and how large buffers were: zeros where nothing is
    /// said of them. Buffers are near the host.
    pub fn restore(&mut self, contents: &BTreeMap<String, Blob>, sizes: &BTreeMap<&str, u64>) -> Result<(), GpuError> {
        for bound in &mut self.buffers {
            let Some(report) = &bound.report else { continue };
            let held = contents.get(&report.name).map(|blob| blob.0.as_slice());
            let held = (held, sizes.get(report.name.as_str()).copied());
            restore(bound.buffer.bytes_mut()?, bound.bytes, held, &report.name)?;
        }
        for image in &mut self.images {
            image.restore(self.device, |name| contents.get(name).map(|blob| blob.0.as_slice()))?;
        }
        if self.images.iter().any(BoundImage::is_staged) {
            let staged = || self.images.iter().filter(|image| image.is_staged());
            let record = |commands| staged().for_each(|image| image.record_upload(self.device, commands));
            self.device.run("filling images", record)?;
            self.images.iter_mut().for_each(BoundImage::uploaded);
        }
        Ok(())
    }

    /// Copies the writable images to where the host sees them, after the shader's writes.
    pub fn record_read_back(&self, commands: vk::CommandBuffer) {
        let vk = &self.device.handle;
        let barrier = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::SHADER_WRITE)
            .dst_access_mask(vk::AccessFlags::TRANSFER_READ)];
        // SAFETY: the command buffer is being recorded outside of rendering; images and buffers live as long as `self`.
        unsafe {
            vk.cmd_pipeline_barrier(
                commands,
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::PipelineStageFlags::TRANSFER,
                vk::DependencyFlags::empty(),
                &barrier,
                &[],
                &[],
            );
        }
        self.images.iter().for_each(|image| image.record_read_back(self.device, commands));
    }

    /// A buffer by its descriptor.
    pub fn buffer(&self, set: u32, binding: u32) -> Option<vk::Buffer> {
        let is = |bound: &&BoundBuffer<'_>| bound.report.as_ref().is_some_and(|r| (r.set, r.binding) == (set, binding));
        self.buffers.iter().find(is).map(|bound| bound.buffer.handle)
    }

    /// Whether all buffers are in memory of the device; images always are.
    pub fn is_in_device_memory(&self) -> bool {
        self.buffers.iter().all(|bound| bound.buffer.is_in_device_memory())
    }

    /// Whether there is any image.
    pub fn has_images(&self) -> bool {
        !self.images.is_empty()
    }

    /// What the shader left in the writable buffers and images.
    pub fn contents(&self) -> Result<ReadBack, GpuError> {
        let mut read = ReadBack::default();
        for bound in &self.buffers {
            let Some(report) = &bound.report else { continue };
            let bytes = bound.buffer.contents()?;
            let bytes = bytes.get(..bound.bytes as usize).unwrap_or(bytes);
            read.buffers.push(BufferRun { hash: hash(bytes), ..report.clone() });
            read.data.insert(report.name.clone(), Blob(bytes.to_vec()));
        }
        for bound in &self.images {
            let Some((report, bytes)) = bound.contents()? else { continue };
            read.images.push(ImageRun { hash: hash(bytes), ..report.clone() });
            read.data.insert(report.name.clone(), Blob(bytes.to_vec()));
        }
        Ok(read)
    }

    fn make(&mut self, binding: &Binding, element: u32, inputs: &Inputs) -> Result<Slot, GpuError> {
        let source = Source { seed: inputs.fill, set: binding.set, binding: binding.binding, element };
        match &binding.kind {
            Kind::Uniform(shape) => {
                let usage = vk::BufferUsageFlags::UNIFORM_BUFFER;
                let limit = u64::from(self.device.limits.max_uniform_buffer_range);
                self.block(binding, source, shape, usage, limit, inputs).map(Slot::Buffer)
            }
            Kind::Storage(shape) => {
                let usage = vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::INDIRECT_BUFFER;
                let limit = u64::from(self.device.limits.max_storage_buffer_range);
                self.block(binding, source, shape, usage, limit, inputs).map(Slot::Buffer)
            }
            Kind::UniformTexel(image) | Kind::StorageTexel(image) => {
                self.texels(binding, source, *image, inputs).map(Slot::Texel)
            }
            Kind::Sampled(image) | Kind::StorageImage(image) => {
                Ok(Slot::Image { image: Some(self.image(binding, source, *image, inputs)?), sampler: None })
            }
            Kind::Combined(image) => {
                let usual = binding.usual_sampler().unwrap_or_default();
                let sampler = self.sampler(binding, element, usual, inputs)?;
                Ok(Slot::Image { image: Some(self.image(binding, source, *image, inputs)?), sampler: Some(sampler) })
            }
            Kind::Sampler { .. } => {
                let usual = binding.usual_sampler().unwrap_or_default();
                Ok(Slot::Image { image: None, sampler: Some(self.sampler(binding, element, usual, inputs)?) })
            }
            Kind::LayoutOnly(..) => Err(binding.not_run()),
        }
    }

    fn block(
        &mut self,
        binding: &Binding,
        source: Source,
        shape: &Shape,
        usage: vk::BufferUsageFlags,
        limit: u64,
        inputs: &Inputs,
    ) -> Result<usize, GpuError> {
        let bytes = contents::block_bytes(shape, usage.contains(vk::BufferUsageFlags::UNIFORM_BUFFER), limit);
        let zeros = self.zeros(binding, inputs);
        self.make_buffer(contents::buffer(binding, source, shape, bytes, limit, inputs, zeros)?, usage)
    }

    /// Whether a descriptor starts as zeros where nothing is given.
    fn zeros(&self, binding: &Binding, inputs: &Inputs) -> bool {
        inputs.zeros || self.start.zero && binding.writable
    }

    fn make_buffer(&mut self, filled: Filled, usage: vk::BufferUsageFlags) -> Result<usize, GpuError> {
        let Filled { name, contents, report } = filled;
        let buffer = Buffer::with(self.device, &contents, usage, self.start.near, &name)?;
        self.buffers.push(BoundBuffer { buffer, bytes: contents.len() as u64, report });
        Ok(self.buffers.len() - 1)
    }

    /// Makes a buffer that is reached by address, and puts its address into the push constants.
    fn by_address(&mut self, addressed: Addressed, inputs: &Inputs) -> Result<(), GpuError> {
        if addressed.place(&mut self.push).is_none() || !self.device.has_addresses() {
            return Ok(());
        }
        let bytes = addressed.bytes(inputs);
        let binding = addressed::binding(addressed, bytes, self.push_stages);
        let Kind::Storage(shape) = &binding.kind else { return Ok(()) };
        let source = Source { seed: inputs.fill, set: binding.set, binding: binding.binding, element: 0 };
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        let zeros = self.zeros(&binding, inputs);
        let filled = contents::buffer(&binding, source, shape, bytes, MAX_BUFFER, inputs, zeros)?;
        let made = self.make_buffer(filled, usage)?;
        if let (Some(place), Some(made)) = (addressed.place(&mut self.push), self.buffers.get(made)) {
            place.copy_from_slice(&made.buffer.address().to_le_bytes());
        }
        Ok(())
    }

    fn texels(
        &mut self,
        binding: &Binding,
        source: Source,
        image: ImageType,
        inputs: &Inputs,
    ) -> Result<usize, GpuError> {
        let storage = matches!(binding.kind, Kind::StorageTexel(_));
        let format = plan_texels(binding, source.element, image, inputs)?.format;
        let (usage, feature) = if storage {
            (vk::BufferUsageFlags::STORAGE_TEXEL_BUFFER, vk::FormatFeatureFlags::STORAGE_TEXEL_BUFFER)
        } else {
            (vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER, vk::FormatFeatureFlags::UNIFORM_TEXEL_BUFFER)
        };
        if !self.device.buffer_features(format.format).contains(feature) {
            return Err(lacks_format(self.device, format.format, "texel buffers", binding));
        }
        let most = u64::from(self.device.limits.max_texel_buffer_elements);
        let zeros = self.zeros(binding, inputs);
        let filled = contents::texels(binding, source, format.texel, most, inputs, zeros)?;
        let index = self.make_buffer(filled, usage)?;
        let buffer = &self.buffers[index].buffer;
        let create =
            vk::BufferViewCreateInfo::default().buffer(buffer.handle).format(format.format).range(vk::WHOLE_SIZE);
        // SAFETY: the buffer lives as long as the view; the device takes the format there.
        let view = unsafe { self.device.handle.create_buffer_view(&create, None) }
            .map_err(GpuError::call("vkCreateBufferView"))?;
        // SAFETY: destroyed once, after the last submission that uses it.
        let destroy = |vk: &ash::Device, view| unsafe { vk.destroy_buffer_view(view, None) };
        self.texel_views.push(Owned::new(self.device, view, destroy));
        Ok(self.texel_views.len() - 1)
    }

    fn image(&mut self, binding: &Binding, source: Source, ty: ImageType, inputs: &Inputs) -> Result<usize, GpuError> {
        let zeros = self.zeros(binding, inputs);
        self.images.push(BoundImage::new(self.device, binding, source, ty, inputs, zeros)?);
        Ok(self.images.len() - 1)
    }

    /// The sampler of a descriptor: the given one, else the usual one.
    fn sampler(
        &mut self,
        binding: &Binding,
        element: u32,
        usual: SamplerState,
        inputs: &Inputs,
    ) -> Result<usize, GpuError> {
        let state = inputs.sampler(binding.set, binding.binding, element).unwrap_or(usual);
        if state.mirrors_once() && !self.device.mirrors_once {
            return Err(GpuError::Lacks {
                device: self.device.info.name.clone(),
                what: "samplerMirrorClampToEdge".to_owned(),
                feature: Some("samplerMirrorClampToEdge".to_owned()),
                needed_by: format!("set {}, binding {}", binding.set, binding.binding).into(),
            });
        }
        let [u, v, w] = state.address.map(|mode| vk::SamplerAddressMode::from_raw(mode.0));
        let [mag, min] = state.filter.map(|filter| vk::Filter::from_raw(filter.0));
        let compare = state.compare.map(|compare| vk::CompareOp::from_raw(compare.0));
        let create = vk::SamplerCreateInfo::default()
            .mag_filter(mag)
            .min_filter(min)
            .mipmap_mode(vk::SamplerMipmapMode::from_raw(state.mipmap.0))
            .address_mode_u(u)
            .address_mode_v(v)
            .address_mode_w(w)
            .border_color(vk::BorderColor::from_raw(state.border.0))
            .compare_enable(compare.is_some())
            .compare_op(compare.unwrap_or_default())
            .min_lod(state.lod[0])
            .max_lod(state.lod[1])
            .unnormalized_coordinates(state.unnormalized);
        // SAFETY: the device is alive.
        let sampler =
            unsafe { self.device.handle.create_sampler(&create, None) }.map_err(GpuError::call("vkCreateSampler"))?;
        self.samplers.push(Owned::new(self.device, sampler, |vk, sampler| {
            // SAFETY: destroyed once, after the last submission that uses it.
            unsafe { vk.destroy_sampler(sampler, None) }
        }));
        Ok(self.samplers.len() - 1)
    }

    fn write_sets(&mut self, resources: &Resources, slots: &[(&Binding, u32, Slot)]) -> Result<(), GpuError> {
        if self.layouts.is_empty() {
            return Ok(());
        }
        let handles: Vec<_> = self.layouts.iter().map(|layout| layout.handle).collect();
        (self.pool, self.sets) = allocate(self.device, resources, &handles)?;
        for (binding, element, slot) in slots {
            let Some(&set) = self.sets.get(binding.set as usize) else { continue };
            let write = vk::WriteDescriptorSet::default()
                .dst_set(set)
                .dst_binding(binding.binding)
                .dst_array_element(*element)
                .descriptor_type(binding.descriptor_type());
            let buffer;
            let image;
            let view;
            let write = match slot {
                Slot::Buffer(index) => {
                    let of = &self.buffers[*index];
                    buffer = [vk::DescriptorBufferInfo::default().buffer(of.buffer.handle).range(of.bytes)];
                    write.buffer_info(&buffer)
                }
                Slot::Image { image: of, sampler } => {
                    let mut info = vk::DescriptorImageInfo::default().image_layout(vk::ImageLayout::GENERAL);
                    if let Some(of) = of {
                        info = info.image_view(self.images[*of].view.handle);
                    }
                    if let Some(sampler) = sampler {
                        info = info.sampler(self.samplers[*sampler].handle);
                    }
                    image = [info];
                    write.image_info(&image)
                }
                Slot::Texel(index) => {
                    view = [self.texel_views[*index].handle];
                    write.texel_buffer_view(&view)
                }
            };
            // SAFETY: set, buffers, views and samplers are alive, and no submission uses the set yet.
            unsafe { self.device.handle.update_descriptor_sets(&[write], &[]) };
        }
        Ok(())
    }
}

/// Puts back what a buffer of so many bytes held, of the size that it had; zeros where nothing is known of it.
pub(super) fn restore(
    place: &mut [u8],
    bytes: u64,
    (held, had): (Option<&[u8]>, Option<u64>),
    name: &str,
) -> Result<(), GpuError> {
    let had = held.map(|held| held.len() as u64).or(had).unwrap_or(bytes);
    if had != bytes {
        let message = format!("{name} has {bytes} bytes; the resumed run had {had}");
        return Err(GpuError::Unusable(message));
    }
    let Some(held) = held else {
        place.fill(0);
        return Ok(());
    };
    place.iter_mut().zip(held).for_each(|(to, from)| *to = *from);
    Ok(())
}

/// Sets of these layouts, and the pool that they are from: none where there are no sets.
#[allow(clippy::type_complexity, reason = "a pool and its sets")]
pub(super) fn allocate<'d>(
    device: &'d Device,
    resources: &Resources,
    layouts: &[vk::DescriptorSetLayout],
) -> Result<(Option<Owned<'d, vk::DescriptorPool>>, Vec<vk::DescriptorSet>), GpuError> {
    if layouts.is_empty() {
        return Ok((None, Vec::new()));
    }
    let size = |binding: &Binding| {
        vk::DescriptorPoolSize::default().ty(binding.descriptor_type()).descriptor_count(binding.count)
    };
    let sizes: Vec<_> = resources.bindings.iter().map(size).collect();
    let create = vk::DescriptorPoolCreateInfo::default().max_sets(layouts.len() as u32).pool_sizes(&sizes);
    // SAFETY: the device is alive.
    let pool = unsafe { device.handle.create_descriptor_pool(&create, None) }
        .map_err(GpuError::call("vkCreateDescriptorPool"))?;
    let owned = Owned::new(device, pool, |vk, pool| {
        // SAFETY: destroyed once, after the last submission that uses its sets.
        unsafe { vk.destroy_descriptor_pool(pool, None) }
    });
    let allocate = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(layouts);
    // SAFETY: pool and layouts are alive; the pool has room for all of them.
    let sets = unsafe { device.handle.allocate_descriptor_sets(&allocate) }
        .map_err(GpuError::call("vkAllocateDescriptorSets"))?;
    Ok((Some(owned), sets))
}

/// The set layouts, gaps filled with empty ones, and the pipeline layout.
pub(crate) type Layouts<'d> = (Vec<Owned<'d, vk::DescriptorSetLayout>>, Owned<'d, vk::PipelineLayout>);

pub(crate) fn layouts<'d>(device: &'d Device, resources: &Resources) -> Result<Layouts<'d>, GpuError> {
    let layouts = set_layouts(device, resources)?;
    let handles: Vec<_> = layouts.iter().map(|layout| layout.handle).collect();
    let layout = pipeline_layout(device, &handles, resources.push_range(), vk::PipelineLayoutCreateFlags::empty())?;
    Ok((layouts, layout))
}

/// The set layouts, gaps filled with empty ones.
pub(crate) fn set_layouts<'d>(
    device: &'d Device,
    resources: &Resources,
) -> Result<Vec<Owned<'d, vk::DescriptorSetLayout>>, GpuError> {
    limits::of_layout(&device.limits, resources)?;
    let sets = resources.bindings.iter().map(|b| b.set.saturating_add(1)).max().unwrap_or(0);
    let mut layouts: Vec<Owned<'d, vk::DescriptorSetLayout>> = Vec::new();
    for set in 0..sets {
        let bindings: Vec<_> = resources
            .bindings
            .iter()
            .filter(|binding| binding.set == set)
            .map(|binding| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(binding.binding)
                    .descriptor_type(binding.descriptor_type())
                    .descriptor_count(binding.count)
                    .stage_flags(binding.stages)
            })
            .collect();
        layouts.push(set_layout(device, &bindings)?);
    }
    Ok(layouts)
}

/// The layout of a set of these bindings.
pub(crate) fn set_layout<'d>(
    device: &'d Device,
    bindings: &[vk::DescriptorSetLayoutBinding<'_>],
) -> Result<Owned<'d, vk::DescriptorSetLayout>, GpuError> {
    let create = vk::DescriptorSetLayoutCreateInfo::default().bindings(bindings);
    // SAFETY: the device is alive; `create` lives through the call.
    let layout = unsafe { device.handle.create_descriptor_set_layout(&create, None) }
        .map_err(GpuError::call("vkCreateDescriptorSetLayout"))?;
    Ok(Owned::new(device, layout, |vk, layout| {
        // SAFETY: destroyed once, after everything that was made with it.
        unsafe { vk.destroy_descriptor_set_layout(layout, None) }
    }))
}

/// A pipeline layout of sets and push constants.
pub(crate) fn pipeline_layout<'d>(
    device: &'d Device,
    sets: &[vk::DescriptorSetLayout],
    push: Option<vk::PushConstantRange>,
    flags: vk::PipelineLayoutCreateFlags,
) -> Result<Owned<'d, vk::PipelineLayout>, GpuError> {
    let create =
        vk::PipelineLayoutCreateInfo::default().flags(flags).set_layouts(sets).push_constant_ranges(push.as_slice());
    // SAFETY: the device and the set layouts are alive; `create` lives through the call.
    let layout = unsafe { device.handle.create_pipeline_layout(&create, None) }
        .map_err(GpuError::call("vkCreatePipelineLayout"))?;
    Ok(Owned::new(device, layout, |vk, layout| {
        // SAFETY: destroyed once, after every submission that used it.
        unsafe { vk.destroy_pipeline_layout(layout, None) }
    }))
}
