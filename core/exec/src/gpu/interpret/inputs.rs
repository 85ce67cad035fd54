//! Descriptors and push constants of a run as the interpreter takes them.

use lanescope_interpreter::{self as interpreter, Compare, Image, Sampler};
use lanescope_passes::run::fill::Source;
use lanescope_passes::run::types::ScalarKind;
use lanescope_passes::run::{BufferRun, ImageRun};

use super::super::GpuError;
use super::super::addressed;
use super::super::contents::{self, Filled, TEXELS};
use super::super::formats;
use super::super::given_image::{Planned, image_format, plan};
use super::super::images::{storage_format, texels};
use super::super::memory::MAX_BUFFER;
use super::super::resources::{Binding, ImageType, Kind, Resources};
use lanescope_passes::run::inputs::{InputRun, Inputs};

/// The address of the first buffer that is reached by address, and the distance from one to the next.
const ADDRESS: u64 = 1 << 32;

/// Inputs, and what is read back of them.
#[derive(Default)]
pub(in crate::gpu) struct AllFilled {
    pub inputs: interpreter::Inputs,
    pub buffers: Vec<BufferRun>,
    pub images: Vec<ImageRun>,
    /// Each with who decided it.
    pub listed: Vec<InputRun>,
}

/// Fills the descriptors with what a device's would start with.
pub(in crate::gpu) fn fill(resources: &Resources, inputs: &Inputs) -> Result<AllFilled, GpuError> {
    resources.check(inputs)?;
    let mut all = AllFilled::default();
    all.inputs.push_constants = contents::push_constants(resources, inputs)?;
    all.listed = resources.inputs(inputs, &all.inputs.push_constants);
    for addressed in &inputs.addressed {
        let bytes = addressed.bytes(inputs);
        let stages = ash::vk::ShaderStageFlags::COMPUTE;
        let binding = addressed::binding(*addressed, bytes, stages);
        let Kind::Storage(shape) = &binding.kind else { continue };
        let Some(place) = addressed.place(&mut all.inputs.push_constants) else { continue };
        let address = ADDRESS * (u64::from(addressed.number) + 1);
        place.copy_from_slice(&address.to_le_bytes());
        let source = Source { seed: inputs.fill, set: binding.set, binding: binding.binding, element: 0 };
        let filled = contents::buffer(&binding, source, shape, bytes, MAX_BUFFER, inputs, inputs.zeros)?;
        all.add(&binding, 0, filled, Some(address));
    }
    for binding in &resources.bindings {
        for element in 0..binding.count {
            all.fill_one(binding, element, inputs)?;
            let buffers = all.inputs.buffers.iter().map(|buffer| buffer.bytes.len() as u64);
            let images = all.inputs.images.iter().map(|image| image.texels.len() as u64);
            contents::check_total(buffers.chain(images).sum())?;
        }
    }
    let read_back = all.buffers.iter().map(|buffer| buffer.bytes).chain(all.images.iter().map(|image| image.bytes));
    contents::check_read_back(read_back.sum())?;
    Ok(all)
}

impl AllFilled {
    /// Takes what a machine has left in buffers and images.
    pub fn take(&mut self, machine: &lanescope_interpreter::Machine) {
        for buffer in &mut self.inputs.buffers {
            if let Some(bytes) = machine.contents(buffer.set, buffer.binding, buffer.element)
                && bytes.len() == buffer.bytes.len()
            {
                buffer.bytes.copy_from_slice(bytes);
            }
        }
        for image in &mut self.inputs.images {
            if let Some(texels) = machine.contents(image.set, image.binding, image.element)
                && texels.len() == image.texels.len()
            {
                image.texels.copy_from_slice(texels);
            }
        }
    }

    /// Sets what may be written: contents and sizes by name, zeros where there are no contents.
    pub fn restore<'c>(&mut self, contents: impl Fn(&str) -> Option<&'c [u8]>, bytes: impl Fn(&str) -> Option<u64>) {
        for row in &self.buffers {
            let of = |buffer: &&mut interpreter::Buffer| {
                (buffer.set, buffer.binding, buffer.element) == (row.set, row.binding, row.element)
            };
            let Some(buffer) = self.inputs.buffers.iter_mut().find(of) else { continue };
            match contents(&row.name) {
                Some(held) => buffer.bytes = held.to_vec(),
                None => {
                    let size = bytes(&row.name).unwrap_or(buffer.bytes.len() as u64);
                    buffer.bytes = vec![0; usize::try_from(size.min(MAX_BUFFER)).unwrap_or(0)];
                }
            }
        }
        for row in &self.images {
            let of =
                |image: &&mut Image| (image.set, image.binding, image.element) == (row.set, row.binding, row.element);
            let Some(image) = self.inputs.images.iter_mut().find(of) else { continue };
            match contents(&row.name) {
                // The first level of one that is written.
                Some(held) if held.len() <= image.texels.len() => image.texels[..held.len()].copy_from_slice(held),
                _ => image.texels.fill(0),
            }
        }
    }

    fn add(&mut self, binding: &Binding, element: u32, filled: Filled, address: Option<u64>) {
        self.buffers.extend(filled.report);
        self.inputs.buffers.push(interpreter::Buffer {
            set: binding.set,
            binding: binding.binding,
            element,
            bytes: filled.contents,
            address,
        });
    }

    fn fill_one(&mut self, binding: &Binding, element: u32, inputs: &Inputs) -> Result<(), GpuError> {
        let source = Source { seed: inputs.fill, set: binding.set, binding: binding.binding, element };
        match &binding.kind {
            Kind::Uniform(shape) | Kind::Storage(shape) => {
                let bytes = contents::block_bytes(shape, matches!(binding.kind, Kind::Uniform(_)), MAX_BUFFER);
                let filled = contents::buffer(binding, source, shape, bytes, MAX_BUFFER, inputs, inputs.zeros)?;
                self.add(binding, element, filled, None);
            }
            Kind::UniformTexel(ty) | Kind::StorageTexel(ty) => {
                let storage = matches!(binding.kind, Kind::StorageTexel(_));
                let format = if storage { storage_format(*ty)? } else { formats::sampled(ty.kind, false) };
                let most = MAX_BUFFER / u64::from(format.texel.bytes().max(1));
                let filled = contents::texels(binding, source, format.texel, most.max(TEXELS), inputs, inputs.zeros)?;
                let count = filled.contents.len() / format.texel.bytes().max(1) as usize;
                let mut texels = filled.contents;
                texels.truncate(count * format.texel.bytes() as usize);
                self.buffers.extend(filled.report);
                self.inputs.images.push(Image {
                    set: binding.set,
                    binding: binding.binding,
                    element,
                    format: image_format(*ty, storage),
                    size: [u32::try_from(count).unwrap_or(u32::MAX), 1, 1],
                    layers: 1,
                    levels: 1,
                    texels,
                });
            }
            Kind::Sampled(ty) | Kind::StorageImage(ty) => self.image(binding, source, *ty, inputs)?,
            Kind::Combined(ty) => {
                self.image(binding, source, *ty, inputs)?;
                self.sampler(binding, element, ty.depth, ty.depth || ty.kind != ScalarKind::Float);
            }
            Kind::Sampler { compare, nearest } => self.sampler(binding, element, *compare, *nearest),
            Kind::LayoutOnly(..) => return Err(binding.not_run()),
        }
        Ok(())
    }

    fn image(&mut self, binding: &Binding, source: Source, ty: ImageType, inputs: &Inputs) -> Result<(), GpuError> {
        let name = inputs.names.name(binding.set, binding.binding, source.element, binding.is_array);
        if ty.multisampled {
            return Err(GpuError::Unsupported(format!("{name}: the interpreter has no multisampled images")));
        }
        let Planned { extent, format, given } = plan(binding, source.element, ty, inputs)?;
        let texels = texels(&extent, source, (given, inputs.zeros), &name)?;
        if binding.writable {
            self.images.push(extent.report(binding, source, inputs));
        }
        self.inputs.images.push(Image {
            set: binding.set,
            binding: binding.binding,
            element: source.element,
            format,
            size: extent.size,
            layers: extent.layers,
            levels: extent.levels,
            texels,
        });
        Ok(())
    }

    fn sampler(&mut self, binding: &Binding, element: u32, compare: bool, nearest: bool) {
        self.inputs.samplers.push(Sampler {
            set: binding.set,
            binding: binding.binding,
            element,
            mag_linear: !nearest,
            min_linear: !nearest,
            mip_linear: !nearest,
            compare: compare.then_some(Compare::LessOrEqual),
            ..Sampler::default()
        });
    }
}
