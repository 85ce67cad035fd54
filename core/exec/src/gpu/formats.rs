//! Image formats: SPIR-V's names for them, Vulkan's, and the contents of a texel.

use ash::vk;

use lanescope_base::half;
use lanescope_passes::run::fill::Source;
use lanescope_passes::run::types::ScalarKind;
use lanescope_pipeline::vulkan::VkFormat;
use lanescope_spirv::enums::ImageFormat;

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
            Texel::Word | Texel::Float11 => return None,
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
        }
    }

    /// The texels of `count`, from the place and their index (see [`lanescope_passes::run::fill`]); the offset of a component is
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
        F::R64i | F::R64ui => return None,
    };
    Some(TexelFormat { format, texel })
}

/// A format of an image that is given, with SPIR-V's name for its texels; what its numbers are.
pub(super) fn of(format: VkFormat) -> Option<(TexelFormat, ImageFormat, ScalarKind)> {
    let wanted = vk::Format::from_raw(format.0);
    if wanted == vk::Format::D32_SFLOAT {
        return Some((sampled(ScalarKind::Float, true), ImageFormat::R32f, ScalarKind::Float));
    }
    let name = format.name()?;
    let kind = match name {
        name if name.contains("UINT") => ScalarKind::Uint,
        name if name.contains("SINT") => ScalarKind::Int,
        _ => ScalarKind::Float,
    };
    let all = (1..64).filter_map(ImageFormat::from_u32);
    let mut found = all.filter_map(|known| Some((storage(known, kind)?, known, kind)));
    found.find(|(known, ..)| known.format == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_images_are_found_by_name() {
        let of =
            |name| of(VkFormat::named(name).expect("a format")).map(|(found, name, kind)| (found.texel, name, kind));
        assert_eq!(of("R8G8B8A8_UNORM"), Some((Texel::Norm(4, 8), ImageFormat::Rgba8, ScalarKind::Float)));
        assert_eq!(of("R16_UINT"), Some((Texel::Int(1, 16), ImageFormat::R16ui, ScalarKind::Uint)));
        assert_eq!(of("D32_SFLOAT"), Some((Texel::Depth, ImageFormat::R32f, ScalarKind::Float)));
        assert_eq!(of("BC1_RGB_UNORM_BLOCK"), None);
        assert_eq!(of("R8G8B8A8_SRGB"), None);
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
