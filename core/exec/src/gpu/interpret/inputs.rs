//! Descriptors and push constants of a run as the interpreter takes them.

use lanescope_amber::types::ImageFormat as TexelLayout;
use lanescope_interpreter::{self as interpreter, AddressMode, Compare, Image, Sampler};
use lanescope_run::fill::Source;
use lanescope_run::{BufferRun, ImageRun};
use lanescope_spirv::shape::ScalarKind;

use super::super::GpuError;
use super::super::addressed;
use super::super::contents::{self, Filled, TEXELS};
use super::super::formats;
use super::super::given_image::{Planned, PlannedTexels, plan, plan_texels};
use super::super::images::texels;
use super::super::memory::MAX_BUFFER;
use super::super::resources::{Binding, ImageType, Kind, Resources};
use lanescope_run::inputs::{InputRun, Inputs};
use lanescope_spirv::enums::ImageFormat;

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
    all.check()?;
    for binding in &resources.bindings {
        for element in 0..binding.count {
            all.fill_one(binding, element, inputs)?;
            all.check()?;
        }
    }
    Ok(all)
}

impl AllFilled {
    /// Checks that what is filled so far is not more than a run may have and return.
    fn check(&self) -> Result<(), GpuError> {
        let buffers = self.inputs.buffers.iter().map(|buffer| buffer.bytes.len() as u64);
        let images = self.inputs.images.iter().map(|image| image.texels.len() as u64);
        contents::check_total(buffers.chain(images).sum())?;
        let images = self.images.iter().map(|image| image.bytes);
        contents::check_read_back(self.buffers.iter().map(|buffer| buffer.bytes).chain(images).sum())
    }

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
                let PlannedTexels { format, name, widened } = plan_texels(binding, element, *ty, inputs)?;
                let most = MAX_BUFFER / u64::from(format.texel.bytes().max(1));
                let filled = contents::texels(binding, source, format.texel, most.max(TEXELS), inputs, inputs.zeros)?;
                let count = filled.contents.len() / format.texel.bytes().max(1) as usize;
                let mut texels = filled.contents;
                texels.truncate(count * format.texel.bytes() as usize);
                if let Some(layout) = widened {
                    texels = widen(&texels, &layout, name, ty.kind)?;
                }
                self.buffers.extend(filled.report);
                self.inputs.images.push(Image {
                    set: binding.set,
                    binding: binding.binding,
                    element,
                    format: name,
                    size: [u32::try_from(count).unwrap_or(u32::MAX), 1, 1],
                    layers: 1,
                    levels: 1,
                    texels,
                });
            }
            Kind::Sampled(ty) | Kind::StorageImage(ty) => self.image(binding, source, *ty, inputs)?,
            Kind::Combined(ty) => {
                self.image(binding, source, *ty, inputs)?;
                self.sampler(binding, element, inputs)?;
            }
            Kind::Sampler { .. } => self.sampler(binding, element, inputs)?,
            Kind::LayoutOnly(..) => return Err(binding.not_run()),
        }
        Ok(())
    }

    fn image(&mut self, binding: &Binding, source: Source, ty: ImageType, inputs: &Inputs) -> Result<(), GpuError> {
        let name = inputs.names.name(binding.set, binding.binding, source.element, binding.is_array);
        if ty.multisampled {
            return Err(GpuError::Unsupported(format!("{name}: the interpreter has no multisampled images")));
        }
        let Planned { extent, format, widened, given } = plan(binding, source.element, ty, inputs)?;
        let mut texels = texels(&extent, source, (given, inputs.zeros), &name)?;
        if let Some(layout) = widened {
            // What is compared with depths in fixed point is cut to their range; wide ones do not say what they are of.
            if ty.depth {
                return Err(GpuError::Unsupported(format!("{name}: the interpreter compares no depths of {layout}")));
            }
            texels = widen(&texels, &layout, format, ty.kind)?;
        }
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

    fn sampler(&mut self, binding: &Binding, element: u32, inputs: &Inputs) -> Result<(), GpuError> {
        let usual = || binding.usual_sampler().unwrap_or_default();
        let state = inputs.sampler(binding.set, binding.binding, element).unwrap_or_else(usual);
        let name = || inputs.names.name(binding.set, binding.binding, element, binding.is_array);
        let unknown = || GpuError::Unusable(format!("{}: the sampler's state is not known", name()));
        let [u, v, w] = state.address.map(|mode| AddressMode::from_vulkan(mode.0));
        let compare = match state.compare {
            Some(compare) => Some(Compare::from_vulkan(compare.0).ok_or_else(unknown)?),
            None => None,
        };
        let (_, border) = state.border_color().ok_or_else(unknown)?;
        self.inputs.samplers.push(Sampler {
            set: binding.set,
            binding: binding.binding,
            element,
            mag_linear: state.filter[0].0 == 1,
            min_linear: state.filter[1].0 == 1,
            mip_linear: state.mipmap.0 == 1,
            address: [u.ok_or_else(unknown)?, v.ok_or_else(unknown)?, w.ok_or_else(unknown)?],
            border: border.map(f32::from),
            min_lod: state.lod[0],
            max_lod: state.lod[1],
            compare,
            unnormalized: state.unnormalized,
            ..Sampler::default()
        });
        Ok(())
    }
}

/// Texels with 32-bit components.
fn widen(texels: &[u8], layout: &TexelLayout, to: ImageFormat, kind: ScalarKind) -> Result<Vec<u8>, GpuError> {
    // Four components at most.
    contents::check_total(texels.len() as u64 / u64::from(layout.size().max(1)) * 16)?;
    Ok(formats::widen(texels, layout, to, kind))
}
