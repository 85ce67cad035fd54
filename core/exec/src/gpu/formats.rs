//! Image formats: SPIR-V's names for them, Vulkan's, and the contents of a texel.

use ash::vk;

use lanescope_amber::check::texels;
use lanescope_amber::types::format::{Channel, ImageFormat as TexelLayout, Mode};
use lanescope_base::half;
use lanescope_pipeline::vulkan::VkFormat;
use lanescope_run::fill::Source;
use lanescope_spirv::enums::ImageFormat;
use lanescope_spirv::shape::ScalarKind;

/// A format and its texel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TexelFormat {
    pub format: vk::Format,
    pub texel: Texel,
}

/// What a texel holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Texel {
    /// That many components of that many bits, fixed point.
    Norm(u32, u32),
    /// As above, integers.
    Int(u32, u32),
    /// As above, floating point.
    Float(u32, u32),
    /// One word of fixed-point or integer bits of any values.
    Word,
    /// R11G11B10 floating point.
    Float11,
    /// A 32-bit depth.
    Depth,
    /// That many bytes of another format, which only contents that are given have.
    Other(u32),
}

impl TexelFormat {
    /// Appends a texel with the channels of a pixel, as numbers from 0 to 1, or from 0 to 255 as integers. None where it cannot
    /// hold them.
    pub fn put_pixel(self, pixel: [u8; 4], out: &mut Vec<u8>) -> Option<()> {
        use vk::Format as F;
        // Signed: they hold no 255.
        let snorm =
            [F::R8_SNORM, F::R8G8_SNORM, F::R8G8B8A8_SNORM, F::R16_SNORM, F::R16G16_SNORM, F::R16G16B16A16_SNORM];
        if snorm.contains(&self.format) || [F::R8_SINT, F::R8G8_SINT, F::R8G8B8A8_SINT].contains(&self.format) {
            return None;
        }
        let share = |channel: u8| f64::from(channel) / 255.0;
        let single = |channel: u8| u64::from((share(channel) as f32).to_bits());
        let (count, bits) = match self.texel {
            Texel::Norm(count, bits) | Texel::Int(count, bits) | Texel::Float(count, bits) => (count, bits),
            Texel::Depth => (1, 32),
            Texel::Word | Texel::Float11 | Texel::Other(_) => return None,
        };
        for channel in pixel.into_iter().take(count as usize) {
            let value = match (self.texel, bits) {
                (Texel::Norm(..), 16) => u64::from(channel) * 257,
                (Texel::Norm(..) | Texel::Int(..), _) => u64::from(channel),
                (_, 16) => u64::from(half::toward_zero(share(channel))),
                _ => single(channel),
            };
            put(out, value, bits);
        }
        Some(())
    }
}

impl Texel {
    /// Its size.
    pub fn bytes(self) -> u32 {
        match self {
            Texel::Norm(count, bits) | Texel::Int(count, bits) | Texel::Float(count, bits) => count * bits / 8,
            Texel::Word | Texel::Float11 | Texel::Depth => 4,
            Texel::Other(bytes) => bytes,
        }
    }

    /// The texels of `count`, from the place and their index (see [`lanescope_run::fill`]); the offset of a component is
    /// its number in the image.
    pub fn fill(self, source: Source, first: u64, count: u64, out: &mut Vec<u8>) {
        for texel in first..first.saturating_add(count) {
            let hash = |component: u32| source.hash(texel.saturating_mul(4).saturating_add(u64::from(component)));
            match self {
                Texel::Norm(count, bits) => (0..count).for_each(|c| put(out, hash(c), bits)),
                Texel::Int(count, bits) => (0..count).for_each(|c| put(out, hash(c) % 64, bits)),
                Texel::Float(count, bits) => (0..count).for_each(|c| {
                    let value = (hash(c) % 1024) as f64 / 1024.0;
                    let wide = u64::from((value as f32).to_bits());
                    put(out, if bits == 16 { u64::from(half::toward_zero(value)) } else { wide }, bits);
                }),
                Texel::Word => put(out, hash(0), 32),
                // Each number has the exponent of [0.5, 1) and a fraction of its own.
                Texel::Float11 => {
                    let h = hash(0);
                    let (r, g, b) = (h & 0x3f, h >> 8 & 0x3f, h >> 16 & 0x1f);
                    put(out, (14 << 6 | r) | (14 << 6 | g) << 11 | (14 << 5 | b) << 22, 32);
                }
                Texel::Depth => put(out, u64::from(((hash(0) % 1024) as f32 / 1024.0).to_bits()), 32),
                Texel::Other(bytes) => (0..bytes).for_each(|byte| put(out, hash(byte), 8)),
            }
        }
    }
}

fn put(out: &mut Vec<u8>, bits: u64, width: u32) {
    out.extend(bits.to_le_bytes().iter().take(width as usize / 8));
}

/// The format of a sampled image: linear filtering is offered for the first everywhere.
pub(super) fn sampled(kind: ScalarKind, depth: bool) -> TexelFormat {
    let (format, texel) = match (depth, kind) {
        (true, _) => (vk::Format::D32_SFLOAT, Texel::Depth),
        (_, ScalarKind::Float) => (vk::Format::R8G8B8A8_UNORM, Texel::Norm(4, 8)),
        (_, ScalarKind::Int) => (vk::Format::R32G32B32A32_SINT, Texel::Int(4, 32)),
        (_, ScalarKind::Uint) => (vk::Format::R32G32B32A32_UINT, Texel::Int(4, 32)),
    };
    TexelFormat { format, texel }
}

/// The format of a storage image. One without a format gets four 32-bit components.
pub(super) fn storage(format: ImageFormat, kind: ScalarKind) -> Option<TexelFormat> {
    use ImageFormat as F;
    let (format, texel) = match format {
        F::Unknown => match kind {
            ScalarKind::Float => (vk::Format::R32G32B32A32_SFLOAT, Texel::Float(4, 32)),
            ScalarKind::Int => (vk::Format::R32G32B32A32_SINT, Texel::Int(4, 32)),
            ScalarKind::Uint => (vk::Format::R32G32B32A32_UINT, Texel::Int(4, 32)),
        },
        F::Rgba32f => (vk::Format::R32G32B32A32_SFLOAT, Texel::Float(4, 32)),
        F::Rgba16f => (vk::Format::R16G16B16A16_SFLOAT, Texel::Float(4, 16)),
        F::R32f => (vk::Format::R32_SFLOAT, Texel::Float(1, 32)),
        F::Rgba8 => (vk::Format::R8G8B8A8_UNORM, Texel::Norm(4, 8)),
        F::Rgba8Snorm => (vk::Format::R8G8B8A8_SNORM, Texel::Norm(4, 8)),
        F::Rg32f => (vk::Format::R32G32_SFLOAT, Texel::Float(2, 32)),
        F::Rg16f => (vk::Format::R16G16_SFLOAT, Texel::Float(2, 16)),
        F::R11fG11fB10f => (vk::Format::B10G11R11_UFLOAT_PACK32, Texel::Float11),
        F::R16f => (vk::Format::R16_SFLOAT, Texel::Float(1, 16)),
        F::Rgba16 => (vk::Format::R16G16B16A16_UNORM, Texel::Norm(4, 16)),
        F::Rgb10A2 => (vk::Format::A2B10G10R10_UNORM_PACK32, Texel::Word),
        F::Rg16 => (vk::Format::R16G16_UNORM, Texel::Norm(2, 16)),
        F::Rg8 => (vk::Format::R8G8_UNORM, Texel::Norm(2, 8)),
        F::R16 => (vk::Format::R16_UNORM, Texel::Norm(1, 16)),
        F::R8 => (vk::Format::R8_UNORM, Texel::Norm(1, 8)),
        F::Rgba16Snorm => (vk::Format::R16G16B16A16_SNORM, Texel::Norm(4, 16)),
        F::Rg16Snorm => (vk::Format::R16G16_SNORM, Texel::Norm(2, 16)),
        F::Rg8Snorm => (vk::Format::R8G8_SNORM, Texel::Norm(2, 8)),
        F::R16Snorm => (vk::Format::R16_SNORM, Texel::Norm(1, 16)),
        F::R8Snorm => (vk::Format::R8_SNORM, Texel::Norm(1, 8)),
        F::Rgba32i => (vk::Format::R32G32B32A32_SINT, Texel::Int(4, 32)),
        F::Rgba16i => (vk::Format::R16G16B16A16_SINT, Texel::Int(4, 16)),
        F::Rgba8i => (vk::Format::R8G8B8A8_SINT, Texel::Int(4, 8)),
        F::R32i => (vk::Format::R32_SINT, Texel::Int(1, 32)),
        F::Rg32i => (vk::Format::R32G32_SINT, Texel::Int(2, 32)),
        F::Rg16i => (vk::Format::R16G16_SINT, Texel::Int(2, 16)),
        F::Rg8i => (vk::Format::R8G8_SINT, Texel::Int(2, 8)),
        F::R16i => (vk::Format::R16_SINT, Texel::Int(1, 16)),
        F::R8i => (vk::Format::R8_SINT, Texel::Int(1, 8)),
        F::Rgba32ui => (vk::Format::R32G32B32A32_UINT, Texel::Int(4, 32)),
        F::Rgba16ui => (vk::Format::R16G16B16A16_UINT, Texel::Int(4, 16)),
        F::Rgba8ui => (vk::Format::R8G8B8A8_UINT, Texel::Int(4, 8)),
        F::R32ui => (vk::Format::R32_UINT, Texel::Int(1, 32)),
        F::Rgb10a2ui => (vk::Format::A2B10G10R10_UINT_PACK32, Texel::Word),
        F::Rg32ui => (vk::Format::R32G32_UINT, Texel::Int(2, 32)),
        F::Rg16ui => (vk::Format::R16G16_UINT, Texel::Int(2, 16)),
        F::Rg8ui => (vk::Format::R8G8_UINT, Texel::Int(2, 8)),
        F::R16ui => (vk::Format::R16_UINT, Texel::Int(1, 16)),
        F::R8ui => (vk::Format::R8_UINT, Texel::Int(1, 8)),
        F::R64i => (vk::Format::R64_SINT, Texel::Int(1, 64)),
        F::R64ui => (vk::Format::R64_UINT, Texel::Int(1, 64)),
    };
    Some(TexelFormat { format, texel })
}

/// The format of an image that is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GivenFormat {
    pub texel: TexelFormat,
    /// SPIR-V's name of its texels, or of what they are widened to.
    pub name: ImageFormat,
    /// What its numbers are.
    pub kind: ScalarKind,
    /// Where SPIR-V has no name for them: how they lie in memory. The interpreter has them as 32-bit components.
    pub widened: Option<TexelLayout>,
}

impl GivenFormat {
    /// Whether it holds depths.
    pub fn is_depth(&self) -> bool {
        is_depth(self.texel.format)
    }
}

/// Whether a format holds depths.
pub(super) fn is_depth(format: vk::Format) -> bool {
    [vk::Format::D16_UNORM, vk::Format::X8_D24_UNORM_PACK32, vk::Format::D32_SFLOAT].contains(&format)
}

/// A format of an image that is given.
pub(super) fn of(format: VkFormat) -> Option<GivenFormat> {
    let wanted = vk::Format::from_raw(format.0);
    let depth = |texel, name| {
        let texel = TexelFormat { format: wanted, texel };
        Some(GivenFormat { texel, name, kind: ScalarKind::Float, widened: None })
    };
    match wanted {
        vk::Format::D32_SFLOAT => return depth(Texel::Depth, ImageFormat::R32f),
        vk::Format::D16_UNORM => return depth(Texel::Norm(1, 16), ImageFormat::R16),
        _ => {}
    }
    let layout = TexelLayout::named(format.name()?)?;
    let is = |mode| layout.components.iter().any(|one| one.mode == mode);
    let kind = match (is(Mode::Uint), is(Mode::Sint)) {
        (true, _) => ScalarKind::Uint,
        (_, true) => ScalarKind::Int,
        _ => ScalarKind::Float,
    };
    let all = (1..64).filter_map(ImageFormat::from_u32);
    let known = all.filter_map(|name| Some((storage(name, kind)?, name))).find(|(known, _)| known.format == wanted);
    if let Some((texel, name)) = known {
        return Some(GivenFormat { texel, name, kind, widened: None });
    }
    let has = |channel| layout.components.iter().any(|one| one.channel == channel);
    // Depths with a stencil beside them are two images.
    if has(Channel::S) || layout.components.iter().any(|one| one.bits > 32) {
        return None;
    }
    let name = match (has(Channel::A) || has(Channel::B), has(Channel::G), kind) {
        (true, _, ScalarKind::Float) => ImageFormat::Rgba32f,
        (true, _, ScalarKind::Int) => ImageFormat::Rgba32i,
        (true, _, ScalarKind::Uint) => ImageFormat::Rgba32ui,
        (_, true, ScalarKind::Float) => ImageFormat::Rg32f,
        (_, true, ScalarKind::Int) => ImageFormat::Rg32i,
        (_, true, ScalarKind::Uint) => ImageFormat::Rg32ui,
        (_, _, ScalarKind::Float) => ImageFormat::R32f,
        (_, _, ScalarKind::Int) => ImageFormat::R32i,
        (_, _, ScalarKind::Uint) => ImageFormat::R32ui,
    };
    let texel = TexelFormat { format: wanted, texel: Texel::Other(layout.size()) };
    // A format whose numbers are not read here has no texels.
    texels::words(&[0; 16], &layout)?;
    Some(GivenFormat { texel, name, kind, widened: Some(layout) })
}

/// Texels with 32-bit components, as many as the format that they are widened to has.
pub(super) fn widen(bytes: &[u8], layout: &TexelLayout, to: ImageFormat, kind: ScalarKind) -> Vec<u8> {
    let count = storage(to, kind).map_or(4, |wide| wide.texel.bytes() as usize / 4);
    let texels = bytes.chunks_exact(layout.size().max(1) as usize);
    let words = texels.flat_map(|texel| {
        let words = texels::words(texel, layout).unwrap_or_default();
        words.into_iter().take(count)
    });
    words.flat_map(u32::to_le_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_images_are_found_by_name() {
        let of = |name| {
            let found = of(VkFormat::named(name).expect("a format"))?;
            Some((found.texel.texel, found.name, found.kind))
        };
        assert_eq!(of("R8G8B8A8_UNORM"), Some((Texel::Norm(4, 8), ImageFormat::Rgba8, ScalarKind::Float)));
        assert_eq!(of("R16_UINT"), Some((Texel::Int(1, 16), ImageFormat::R16ui, ScalarKind::Uint)));
        assert_eq!(of("D32_SFLOAT"), Some((Texel::Depth, ImageFormat::R32f, ScalarKind::Float)));
        assert_eq!(of("BC1_RGB_UNORM_BLOCK"), None);
        assert_eq!(of("R8G8B8A8_SRGB"), Some((Texel::Other(4), ImageFormat::Rgba32f, ScalarKind::Float)));
        assert_eq!(of("B8G8R8_UINT"), Some((Texel::Other(3), ImageFormat::Rgba32ui, ScalarKind::Uint)));
        assert_eq!(of("R8_SRGB"), Some((Texel::Other(1), ImageFormat::R32f, ScalarKind::Float)));
        assert_eq!(of("X8_D24_UNORM_PACK32"), Some((Texel::Other(4), ImageFormat::R32f, ScalarKind::Float)));
        assert_eq!(of("D16_UNORM"), Some((Texel::Norm(1, 16), ImageFormat::R16, ScalarKind::Float)));
        assert_eq!(of("D24_UNORM_S8_UINT"), None);
        assert_eq!(of("R64_SFLOAT"), None);
        assert_eq!(of("R64_UINT"), Some((Texel::Int(1, 64), ImageFormat::R64ui, ScalarKind::Uint)));
        assert_eq!(of("E5B9G9R9_UFLOAT_PACK32"), None);
    }

    #[test]
    fn texels_are_widened_in_order() {
        let found = of(VkFormat::named("B8G8R8A8_UNORM").expect("a format")).expect("is known");
        let wide = widen(&[0, 51, 255, 255], found.widened.as_ref().expect("has no name"), found.name, found.kind);
        assert_eq!(wide, [1.0f32, 0.2, 0.0, 1.0].map(f32::to_le_bytes).concat());
        let found = of(VkFormat::named("R8_SRGB").expect("a format")).expect("is known");
        let wide = widen(&[255, 0], found.widened.as_ref().expect("has no name"), found.name, found.kind);
        assert_eq!(wide, [1.0f32, 0.0].map(f32::to_le_bytes).concat());
    }

    #[test]
    fn texels_have_their_size_and_floats_are_in_range() {
        let source = Source { seed: 1, set: 0, binding: 0, element: 0 };
        for texel in [Texel::Norm(4, 8), Texel::Int(2, 16), Texel::Float(4, 32), Texel::Float(1, 16), Texel::Float11] {
            let mut out = Vec::new();
            texel.fill(source, 0, 10, &mut out);
            assert_eq!(out.len(), 10 * texel.bytes() as usize, "{texel:?}");
        }
        let mut out = Vec::new();
        Texel::Float(1, 32).fill(source, 3, 50, &mut out);
        let values: Vec<f32> = out.chunks(4).map(|b| f32::from_le_bytes(b.try_into().expect("four"))).collect();
        assert!(values.iter().all(|v| (0.0..1.0).contains(v)));
        let mut again = Vec::new();
        Texel::Float(1, 32).fill(source, 4, 1, &mut again);
        assert_eq!(again, out[4..8]);
    }
}
