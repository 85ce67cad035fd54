//! Images and samplers that a pipeline binds.

use super::held::Held;
use super::{Done, Execute, Runner, Stop};
use lanescope_amber::script::pipeline::{Pipeline, SamplerPlace};
use lanescope_amber::types::ImageFormat;
use lanescope_amber::types::format::Channel;
use lanescope_passes::run::Blob;
use lanescope_passes::run::inputs::{Content, GivenSampler, ImageContents, Inputs, SamplerState};
use lanescope_pipeline::vulkan::{AddressMode, BorderColor, CompareOp, Filter, MipmapMode, VkFormat};

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
    pub(super) fn image(
        &self,
        line: u32,
        name: &str,
        held: &Held,
        (base, is_storage): (u32, bool),
    ) -> Done<Content, X> {
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
        let mut all = Vec::new();
        for level in base..base + levels {
            all.extend(packed(held.level(level).map(Vec::as_slice).unwrap_or_default(), each, texel));
        }
        Ok(Content::Image(ImageContents { size, layers: 1, levels, format: Some(vulkan), texels: Blob(all) }))
    }

    /// A texel buffer: as many texels as the buffer has elements.
    pub(super) fn texel_buffer(&self, line: u32, name: &str, held: &Held, is_storage: bool) -> Done<Content, X> {
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
        let texels = packed(&held.bytes, each, texel);
        let Some(count) = u32::try_from(texels.len() / texel.max(1)).ok().filter(|count| *count > 0) else {
            return not("it has no elements");
        };
        let texels = Blob(texels);
        Ok(Content::Image(ImageContents { size: [count, 1, 1], layers: 1, levels: 1, format: Some(vulkan), texels }))
    }
}

/// The first `texel` bytes of each element: elements may have bytes between them, as vectors of three have.
fn packed(bytes: &[u8], each: usize, texel: usize) -> Vec<u8> {
    bytes.chunks_exact(each.max(1)).flat_map(|element| element.get(..texel).unwrap_or_default()).copied().collect()
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
