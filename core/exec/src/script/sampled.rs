//! Images and samplers that a pipeline binds.

use super::held::Held;
use super::{Done, Execute, Runner, Stop};
use crate::gpu::Declared;
use lanescope_amber::script::pipeline::{Pipeline, SamplerPlace};
use lanescope_amber::types::ImageFormat;
use lanescope_amber::types::format::Channel;
use lanescope_pipeline::vulkan::{AddressMode, BorderColor, CompareOp, Filter, MipmapMode, VkFormat};
use lanescope_run::Blob;
use lanescope_run::inputs::{Content, GivenSampler, ImageContents, Inputs, SamplerState};

/// The texels of an image, where they lie in a buffer.
pub(super) struct Texels<'h> {
    size: [u32; 3],
    format: VkFormat,
    levels: Vec<&'h [u8]>,
    /// Bytes from one to the next, and of one.
    each: usize,
    texel: usize,
}

impl<X: Execute> Runner<'_, X> {
    /// Adds the samplers that a pipeline binds by themselves.
    pub(super) fn samplers(&self, pipeline: &Pipeline, out: &mut Inputs) -> Done<(), X> {
        for bound in &pipeline.samplers {
            let line = bound.line.0;
            let SamplerPlace::Descriptor { set, binding } = bound.place else {
                return Err(Stop::not_possible(line, "BIND SAMPLER … KERNEL"));
            };
            for (element, name) in (0..).zip(&bound.samplers) {
                let state = self.sampler(line, name)?;
                out.samplers.push(GivenSampler { set, binding, element: Some(element), state });
            }
        }
        Ok(())
    }

    /// The state of a sampler.
    pub(super) fn sampler(&self, line: u32, name: &str) -> Done<SamplerState, X> {
        let Some(own) = self.script.sampler(name) else {
            return Err(Stop::not_possible(line, format!("no sampler `{name}`")));
        };
        let filter = |own: Option<lanescope_amber::script::state::Filter>| {
            own.map_or(Some(Filter::default()), |filter| Filter::named(filter.name()))
        };
        let unnormalized = own.normalized == Some(false);
        let [least, most] = if unnormalized { [0.0; 2] } else { [0.0, 1.0] };
        let state = || {
            let address = own
                .address
                .map(|mode| mode.map_or(Some(AddressMode::default()), |mode| AddressMode::named(mode.name())));
            let [Some(u), Some(v), Some(w)] = address else { return None };
            let compare = own.compare_op.map_or(Some(CompareOp::default()), |op| CompareOp::named(op.name()))?;
            Some(SamplerState {
                filter: [filter(own.mag_filter)?, filter(own.min_filter)?],
                mipmap: MipmapMode::default(),
                address: [u, v, w],
                border: own.border.map_or(Some(BorderColor::default()), |color| BorderColor::named(color.name()))?,
                compare: (own.compare == Some(true)).then_some(compare),
                lod: [own.min_lod.unwrap_or(least), own.max_lod.unwrap_or(most)],
                unnormalized,
            })
        };
        let not = |why: &str| Stop::not_possible(own.line.0, format!("SAMPLER {name}: {why}"));
        let state = state().ok_or_else(|| not("a state without a name"))?;
        state.check().map_err(|why| not(&why))?;
        Ok(state)
    }

    /// An image from a level on; a storage image has one level.
    pub(super) fn image<'h>(
        &self,
        line: u32,
        name: &str,
        held: &'h Held,
        (base, is_storage): (u32, bool),
    ) -> Done<Texels<'h>, X> {
        let not = |why: &str| Err(Stop::not_possible(line, format!("`{name}` as an image: {why}")));
        let Some(buffer) = self.script.buffer(name) else { return not("it is not declared") };
        if held.extent.is_none_or(|size| size.contains(&0)) {
            return not("it has no size");
        }
        let Some(size) = held.extent_of(base) else {
            return not(&format!("BASE_MIP_LEVEL {base}: it has {} levels", held.levels()));
        };
        if buffer.samples() > 1 {
            return not("it has SAMPLES above 1");
        }
        let Some(format) = buffer.ty.image_format().map(without_stencil) else {
            return not("its type is not a format");
        };
        let Some(vulkan) = VkFormat::named(&format.to_string()) else { return not("its type is not a format") };
        let texel = format.size() as usize;
        let texels: u64 = held.extent.iter().flatten().map(|side| u64::from(*side)).product();
        let each = usize::try_from(held.bytes.len() as u64 / texels.max(1)).unwrap_or(0);
        if each < texel || (is_storage && each != texel) {
            return not(APART);
        }
        let levels = if is_storage { 1 } else { held.levels() - base };
        let levels = (base..base + levels).filter_map(|level| held.level(level)).map(Vec::as_slice).collect();
        Ok(Texels { size, format: vulkan, levels, each, texel })
    }

    /// A texel buffer: as many texels as the buffer has elements.
    pub(super) fn texel_buffer<'h>(
        &self,
        line: u32,
        name: &str,
        held: &'h Held,
        is_storage: bool,
    ) -> Done<Texels<'h>, X> {
        let not = |why: &str| Err(Stop::not_possible(line, format!("`{name}` as a texel buffer: {why}")));
        let (Some(buffer), Some(layout)) = (self.script.buffer(name), self.layouts.get(name)) else {
            return not("it is not declared");
        };
        let Some(format) = buffer.ty.image_format() else { return not("its type is not a format") };
        let Some(vulkan) = VkFormat::named(&format.to_string()) else { return not("its type is not a format") };
        let (each, texel) = (layout.size as usize, format.size() as usize);
        if each < texel || (is_storage && each != texel) {
            return not(APART);
        }
        let count = u32::try_from(held.bytes.len() / each.max(1)).ok().filter(|count| *count > 0);
        let Some(count) = count.filter(|_| texel > 0) else {
            return not("it has no elements");
        };
        Ok(Texels { size: [count, 1, 1], format: vulkan, levels: vec![&held.bytes], each, texel })
    }

    /// The contents of an image; none where no shader declares it.
    pub(super) fn copied(&self, line: u32, own: Option<&Declared>, texels: Texels<'_>) -> Done<Option<Content>, X> {
        if own.is_none() {
            return Ok(None);
        }
        let Texels { size, format, levels, each, texel } = texels;
        self.give(line, levels.iter().map(|bytes| bytes.len() / each.max(1) * texel).sum())?;
        let all = levels.iter().flat_map(|bytes| packed(bytes, each, texel)).collect();
        let levels = levels.len() as u32;
        Ok(Some(Content::Image(ImageContents { size, layers: 1, levels, format: Some(format), texels: Blob(all) })))
    }
}

/// The first `texel` bytes of each element: elements may have bytes between them, as vectors of three have.
fn packed(bytes: &[u8], each: usize, texel: usize) -> impl Iterator<Item = u8> {
    bytes.chunks_exact(each.max(1)).flat_map(move |element| element.get(..texel).unwrap_or_default()).copied()
}

/// Why a buffer is not what an image is.
const APART: &str = "its elements are not texels that lie one after the other";

/// The part of a format that is sampled: depths, where stencils lie beside them.
fn without_stencil(mut format: ImageFormat) -> ImageFormat {
    let has = |format: &ImageFormat, channel| format.components.iter().any(|one| one.channel == channel);
    if !has(&format, Channel::D) || !has(&format, Channel::S) {
        return format;
    }
    match format.size() {
        // The stencil is above the depth, where the bits without meaning are.
        4 => ImageFormat::named("X8_D24_UNORM_PACK32").unwrap_or(format),
        _ => {
            format.components.retain(|one| one.channel == Channel::D);
            format
        }
    }
}
