//! DDS files, those of Direct3D 9 too: their texels as a run has them.

use ddsfile::{Caps2, D3D10ResourceDimension, D3DFormat, Dds, DxgiFormat};
use lanescope_core::gpu::texel_bytes;
use lanescope_core::run::Blob;
use lanescope_core::run::inputs::{ImageContents, VkFormat};

/// How a file begins.
pub const MAGIC: [u8; 4] = *b"DDS ";
/// The most levels: more halve no side that 32 bits hold.
const MOST_LEVELS: u32 = 32;

/// The levels, layers and faces of a DDS file, in its format.
///
/// # Errors
/// A file that cannot be read; a format that no run has; another number of bytes than the header states.
pub fn levels(bytes: &[u8]) -> Result<ImageContents, String> {
    let dds = Dds::read(bytes).map_err(|error| error.to_string())?;
    let format = format(&dds)?;
    let texel = texel_bytes(format).ok_or_else(|| format!("texels of format {format} are not supported"))?;
    let (size, layers) = shape(&dds)?;
    let levels = dds.get_num_mipmap_levels().max(1);
    if levels > MOST_LEVELS {
        return Err(format!("{levels} levels: there are at most {MOST_LEVELS}"));
    }
    let level = |level: u32| {
        size.iter().try_fold(u64::from(texel), |all, side| all.checked_mul(u64::from((side >> level).max(1))))
    };
    let sizes = (0..levels).map(level).collect::<Option<Vec<u64>>>();
    let each = sizes.as_ref().and_then(|sizes| sizes.iter().try_fold(0u64, |all, size| all.checked_add(*size)));
    let all = each.and_then(|each| each.checked_mul(u64::from(layers)));
    let (Some(sizes), Some(each), Some(all)) = (sizes, each, all) else {
        let [x, y, z] = size;
        return Err(format!("{x}×{y}×{z} texels in {layers} layers are too large"));
    };
    let found = dds.data.len() as u64;
    if found != all {
        return Err(format!("{found} bytes of texels; its header states {all}"));
    }
    // A file has all levels of a layer together, a run all layers of a level.
    let mut texels = Vec::with_capacity(dds.data.len());
    let mut before = 0;
    for size in sizes {
        for layer in 0..u64::from(layers) {
            let first = layer * each + before;
            let part = usize::try_from(first).ok().zip(usize::try_from(first + size).ok());
            texels.extend_from_slice(part.and_then(|(first, end)| dds.data.get(first..end)).unwrap_or_default());
        }
        before += size;
    }
    Ok(ImageContents { size, layers, levels, format: Some(format), texels: Blob(texels) })
}

/// Width, height and depth, and how many layers.
fn shape(dds: &Dds) -> Result<([u32; 3], u32), String> {
    let [width, height, depth] = [dds.get_width(), dds.get_height(), dds.get_depth()].map(|side| side.max(1));
    let faces = Caps2::CUBEMAP_ALLFACES;
    match &dds.header10 {
        Some(header) => {
            let layers = match header.misc_flag.contains(ddsfile::MiscFlag::TEXTURECUBE) {
                true => header.array_size.max(1).checked_mul(6).ok_or("it has too many cubes")?,
                false => header.array_size.max(1),
            };
            match header.resource_dimension {
                D3D10ResourceDimension::Texture1D => Ok(([width, 1, 1], layers)),
                D3D10ResourceDimension::Texture2D => Ok(([width, height, 1], layers)),
                D3D10ResourceDimension::Texture3D => Ok(([width, height, depth], layers)),
                _ => Err("its resource dimension is not that of a texture".to_owned()),
            }
        }
        None if dds.header.caps2.contains(Caps2::VOLUME) => Ok(([width, height, depth], 1)),
        None if dds.header.caps2.contains(Caps2::CUBEMAP) => match dds.header.caps2.contains(faces) {
            true => Ok(([width, height, 1], 6)),
            false => Err("it is a cube without all of its faces".to_owned()),
        },
        None => Ok(([width, height, 1], 1)),
    }
}

/// Vulkan's format of a file's texels.
fn format(dds: &Dds) -> Result<VkFormat, String> {
    let of_direct3d_9 = dds.get_d3d_format().filter(|_| dds.header10.is_none());
    let (name, found) = match (of_direct3d_9, dds.get_dxgi_format()) {
        (Some(format), _) => (of_d3d9(format), format!("D3DFMT_{format:?}")),
        (None, Some(format)) => (of_dxgi(format), format!("DXGI_FORMAT_{format:?}").to_uppercase()),
        (None, None) => return Err("its pixel format is not one that is known of DXGI or Direct3D 9".to_owned()),
    };
    let known = name.and_then(VkFormat::named);
    known.ok_or_else(|| format!("texels of format {found} are not supported"))
}

/// Vulkan's name of a format of DXGI. None for those without a type, and for those that Vulkan has not.
fn of_dxgi(format: DxgiFormat) -> Option<&'static str> {
    use DxgiFormat as F;
    Some(match format {
        F::R32G32B32A32_Float => "R32G32B32A32_SFLOAT",
        F::R32G32B32A32_UInt => "R32G32B32A32_UINT",
        F::R32G32B32A32_SInt => "R32G32B32A32_SINT",
        F::R32G32B32_Float => "R32G32B32_SFLOAT",
        F::R32G32B32_UInt => "R32G32B32_UINT",
        F::R32G32B32_SInt => "R32G32B32_SINT",
        F::R16G16B16A16_Float => "R16G16B16A16_SFLOAT",
        F::R16G16B16A16_UNorm => "R16G16B16A16_UNORM",
        F::R16G16B16A16_UInt => "R16G16B16A16_UINT",
        F::R16G16B16A16_SNorm => "R16G16B16A16_SNORM",
        F::R16G16B16A16_SInt => "R16G16B16A16_SINT",
        F::R32G32_Float => "R32G32_SFLOAT",
        F::R32G32_UInt => "R32G32_UINT",
        F::R32G32_SInt => "R32G32_SINT",
        F::D32_Float_S8X24_UInt => "D32_SFLOAT_S8_UINT",
        F::R10G10B10A2_UNorm => "A2B10G10R10_UNORM_PACK32",
        F::R10G10B10A2_UInt => "A2B10G10R10_UINT_PACK32",
        F::R11G11B10_Float => "B10G11R11_UFLOAT_PACK32",
        F::R8G8B8A8_UNorm => "R8G8B8A8_UNORM",
        F::R8G8B8A8_UNorm_sRGB => "R8G8B8A8_SRGB",
        F::R8G8B8A8_UInt => "R8G8B8A8_UINT",
        F::R8G8B8A8_SNorm => "R8G8B8A8_SNORM",
        F::R8G8B8A8_SInt => "R8G8B8A8_SINT",
        F::R16G16_Float => "R16G16_SFLOAT",
        F::R16G16_UNorm => "R16G16_UNORM",
        F::R16G16_UInt => "R16G16_UINT",
        F::R16G16_SNorm => "R16G16_SNORM",
        F::R16G16_SInt => "R16G16_SINT",
        F::D32_Float => "D32_SFLOAT",
        F::R32_Float => "R32_SFLOAT",
        F::R32_UInt => "R32_UINT",
        F::R32_SInt => "R32_SINT",
        F::D24_UNorm_S8_UInt => "D24_UNORM_S8_UINT",
        F::R8G8_UNorm => "R8G8_UNORM",
        F::R8G8_UInt => "R8G8_UINT",
        F::R8G8_SNorm => "R8G8_SNORM",
        F::R8G8_SInt => "R8G8_SINT",
        F::R16_Float => "R16_SFLOAT",
        F::D16_UNorm => "D16_UNORM",
        F::R16_UNorm => "R16_UNORM",
        F::R16_UInt => "R16_UINT",
        F::R16_SNorm => "R16_SNORM",
        F::R16_SInt => "R16_SINT",
        F::R8_UNorm => "R8_UNORM",
        F::R8_UInt => "R8_UINT",
        F::R8_SNorm => "R8_SNORM",
        F::R8_SInt => "R8_SINT",
        F::R9G9B9E5_SharedExp => "E5B9G9R9_UFLOAT_PACK32",
        F::BC1_UNorm => "BC1_RGBA_UNORM_BLOCK",
        F::BC1_UNorm_sRGB => "BC1_RGBA_SRGB_BLOCK",
        F::BC2_UNorm => "BC2_UNORM_BLOCK",
        F::BC2_UNorm_sRGB => "BC2_SRGB_BLOCK",
        F::BC3_UNorm => "BC3_UNORM_BLOCK",
        F::BC3_UNorm_sRGB => "BC3_SRGB_BLOCK",
        F::BC4_UNorm => "BC4_UNORM_BLOCK",
        F::BC4_SNorm => "BC4_SNORM_BLOCK",
        F::BC5_UNorm => "BC5_UNORM_BLOCK",
        F::BC5_SNorm => "BC5_SNORM_BLOCK",
        F::BC6H_UF16 => "BC6H_UFLOAT_BLOCK",
        F::BC6H_SF16 => "BC6H_SFLOAT_BLOCK",
        F::BC7_UNorm => "BC7_UNORM_BLOCK",
        F::BC7_UNorm_sRGB => "BC7_SRGB_BLOCK",
        F::B5G6R5_UNorm => "R5G6B5_UNORM_PACK16",
        F::B5G5R5A1_UNorm => "A1R5G5B5_UNORM_PACK16",
        F::B8G8R8A8_UNorm => "B8G8R8A8_UNORM",
        F::B8G8R8A8_UNorm_sRGB => "B8G8R8A8_SRGB",
        F::B4G4R4A4_UNorm => "A4R4G4B4_UNORM_PACK16",
        _ => return None,
    })
}

/// The same of Direct3D 9, whose names begin with the highest bits. A format with bits that mean nothing has none: they
/// would be read as alpha.
fn of_d3d9(format: D3DFormat) -> Option<&'static str> {
    use D3DFormat as F;
    Some(match format {
        F::A8B8G8R8 => "R8G8B8A8_UNORM",
        F::A8R8G8B8 => "B8G8R8A8_UNORM",
        F::R8G8B8 => "B8G8R8_UNORM",
        F::R5G6B5 => "R5G6B5_UNORM_PACK16",
        F::A1R5G5B5 => "A1R5G5B5_UNORM_PACK16",
        F::A4R4G4B4 => "A4R4G4B4_UNORM_PACK16",
        F::A2B10G10R10 => "A2B10G10R10_UNORM_PACK32",
        F::A2R10G10B10 => "A2R10G10B10_UNORM_PACK32",
        F::G16R16 => "R16G16_UNORM",
        F::A16B16G16R16 => "R16G16B16A16_UNORM",
        F::Q16W16V16U16 => "R16G16B16A16_SNORM",
        F::R16F => "R16_SFLOAT",
        F::G16R16F => "R16G16_SFLOAT",
        F::A16B16G16R16F => "R16G16B16A16_SFLOAT",
        F::R32F => "R32_SFLOAT",
        F::G32R32F => "R32G32_SFLOAT",
        F::A32B32G32R32F => "R32G32B32A32_SFLOAT",
        F::DXT1 => "BC1_RGBA_UNORM_BLOCK",
        F::DXT2 | F::DXT3 => "BC2_UNORM_BLOCK",
        F::DXT4 | F::DXT5 => "BC3_UNORM_BLOCK",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ddsfile::{AlphaMode, NewD3dParams, NewDxgiParams};

    /// A file with texels that count up.
    fn file(format: DxgiFormat, sides: [u32; 2], of: (u32, u32), is_cubemap: bool) -> Vec<u8> {
        let (levels, layers) = of;
        let mut dds = Dds::new_dxgi(NewDxgiParams {
            height: sides[1],
            width: sides[0],
            depth: None,
            format,
            mipmap_levels: Some(levels),
            array_layers: Some(layers),
            caps2: None,
            is_cubemap,
            resource_dimension: D3D10ResourceDimension::Texture2D,
            alpha_mode: AlphaMode::Unknown,
        })
        .expect("a header");
        (0u8..).zip(&mut dds.data).for_each(|(at, byte)| *byte = at);
        let mut out = Vec::new();
        dds.write(&mut out).expect("writes");
        out
    }

    #[test]
    fn layers_of_a_level_follow_each_other() {
        let bytes = file(DxgiFormat::R8_UNorm, [2, 2], (2, 2), false);
        let found = levels(&bytes).expect("reads");
        assert_eq!((found.size, found.layers, found.levels), ([2, 2, 1], 2, 2));
        assert_eq!(found.format.and_then(VkFormat::name), Some("R8_UNORM"));
        // A layer has a level of four texels, then one of a texel.
        assert_eq!(found.texels.0, [0, 1, 2, 3, 5, 6, 7, 8, 4, 9]);
        let cube = levels(&file(DxgiFormat::R8G8B8A8_UNorm, [1, 1], (1, 6), true)).expect("reads");
        assert_eq!((cube.size, cube.layers, cube.levels), ([1, 1, 1], 6, 1));
    }

    #[test]
    fn files_of_direct3d_9_are_read() {
        let mut dds = Dds::new_d3d(NewD3dParams {
            height: 1,
            width: 2,
            depth: None,
            format: D3DFormat::A8R8G8B8,
            mipmap_levels: None,
            caps2: None,
        })
        .expect("a header");
        dds.data = vec![1, 2, 3, 4, 5, 6, 7, 8];
        let mut out = Vec::new();
        dds.write(&mut out).expect("writes");
        let found = levels(&out).expect("reads");
        assert_eq!((found.size, found.format.and_then(VkFormat::name)), ([2, 1, 1], Some("B8G8R8A8_UNORM")));
        out[84..88].copy_from_slice(b"DXT5");
        out[80] |= 4;
        let why = levels(&out);
        assert!(why.as_ref().is_err_and(|why| why.contains("BC3_")), "{why:?}");
    }

    #[test]
    fn what_is_cut_off_or_too_large_is_refused() {
        let bytes = file(DxgiFormat::R8G8B8A8_UNorm, [4, 4], (3, 1), false);
        for length in 0..bytes.len() {
            assert!(levels(&bytes[..length]).is_err(), "{length}");
        }
        let why = "83 bytes of texels; its header states 84";
        assert_eq!(levels(&bytes[..bytes.len() - 1]), Err(why.to_owned()));
        let changed = |at: usize, word: u32| {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
            levels(&bytes)
        };
        // Height, width, levels, layers, format.
        for (at, why) in
            [(12, "states"), (16, "states"), (28, "levels"), (140, "states"), (128, "DXGI_FORMAT_FORCE_UINT")]
        {
            let found = changed(at, u32::MAX);
            assert!(
                found.as_ref().is_err_and(|said| said.contains(why) || said.contains("too large")),
                "{at}: {found:?}"
            );
        }
        for (format, why) in [(70, "DXGI_FORMAT_BC1_TYPELESS"), (71, "BC1_RGBA_UNORM_BLOCK"), (45, "D24_UNORM_S8_UINT")]
        {
            assert!(changed(128, format).is_err_and(|said| said.contains(why)), "{why}");
        }
        assert!(changed(132, 1).is_err_and(|why| why.contains("not that of a texture")));
    }
}
