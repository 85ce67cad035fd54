//! DDS files, those of Direct3D 9 too: their texels as a run has them.

use ddsfile::{Caps2, D3D10ResourceDimension, Dds, DxgiFormat, FourCC};
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
    let format = format(&dds, bytes)?;
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
fn format(dds: &Dds, bytes: &[u8]) -> Result<VkFormat, String> {
    let (name, found) = match (&dds.header10, &dds.header.spf.fourcc) {
        (Some(header), _) => {
            let format = header.dxgi_format;
            (of_dxgi(format), format!("DXGI_FORMAT_{format:?}").to_uppercase())
        }
        (None, Some(FourCC(code))) => {
            let known = CODES.iter().find(|(known, _)| known == code).map(|(_, name)| *name);
            let letters = code.to_le_bytes();
            let is_text = letters.iter().all(u8::is_ascii_graphic);
            let found = if is_text { String::from_utf8_lossy(&letters).into_owned() } else { code.to_string() };
            (known, format!("FourCC {found}"))
        }
        (None, None) => {
            let masks = Masks::of(bytes).ok_or("it ends in its header")?;
            let known = MASKED.iter().find(|(known, ..)| *known == masks);
            (known.and_then(|row| row.2), known.map_or_else(|| masks.to_string(), |row| format!("D3DFMT_{}", row.1)))
        }
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

/// Codes of formats in files of Direct3D 9, and Vulkan's names.
const CODES: [(u32, &str); 19] = [
    (FourCC::A16B16G16R16, "R16G16B16A16_UNORM"),
    (FourCC::Q16W16V16U16, "R16G16B16A16_SNORM"),
    (FourCC::R16F, "R16_SFLOAT"),
    (FourCC::G16R16F, "R16G16_SFLOAT"),
    (FourCC::A16B16G16R16F, "R16G16B16A16_SFLOAT"),
    (FourCC::R32F, "R32_SFLOAT"),
    (FourCC::G32R32F, "R32G32_SFLOAT"),
    (FourCC::A32B32G32R32F, "R32G32B32A32_SFLOAT"),
    (FourCC::DXT1, "BC1_RGBA_UNORM_BLOCK"),
    (FourCC::DXT2, "BC2_UNORM_BLOCK"),
    (FourCC::DXT3, "BC2_UNORM_BLOCK"),
    (FourCC::DXT4, "BC3_UNORM_BLOCK"),
    (FourCC::DXT5, "BC3_UNORM_BLOCK"),
    (FourCC::ATI1, "BC4_UNORM_BLOCK"),
    (FourCC::BC4_UNORM, "BC4_UNORM_BLOCK"),
    (FourCC::BC4_SNORM, "BC4_SNORM_BLOCK"),
    (FourCC::ATI2, "BC5_UNORM_BLOCK"),
    (BC5_UNORM, "BC5_UNORM_BLOCK"),
    (FourCC::BC5_SNORM, "BC5_SNORM_BLOCK"),
];
/// `BC5U`.
const BC5_UNORM: u32 = u32::from_le_bytes(*b"BC5U");

/// What texels without a code are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// Red, green, blue and alpha.
    Color,
    /// Luminance and alpha.
    Luminance,
    /// Alpha alone.
    Alpha,
    /// Signed numbers, which Direct3D 9 calls bump maps.
    Signed,
}

/// The bits of a texel in a file of Direct3D 9.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Masks {
    numbers: Numbers,
    /// All of them.
    bits: u32,
    /// Those of red, green, blue and alpha, or of luminance and alpha; 0 for what the format does not have.
    of: [u32; 4],
}

const fn masks(numbers: Numbers, bits: u32, of: [u32; 4]) -> Masks {
    Masks { numbers, bits, of }
}

/// Formats of Direct3D 9 without a code, whose names begin with the highest bits, and Vulkan's names. A format with bits that
/// mean nothing has none: they would be read as alpha. Luminance is read as red, and alpha beside it as green, as formats of
/// DXGI have them.
#[rustfmt::skip]
const MASKED: [(Masks, &str, Option<&str>); 27] = [
    (masks(Numbers::Color, 32, [0xff, 0xff00, 0xff_0000, 0xff00_0000]), "A8B8G8R8", Some("R8G8B8A8_UNORM")),
    (masks(Numbers::Color, 32, [0xff_0000, 0xff00, 0xff, 0xff00_0000]), "A8R8G8B8", Some("B8G8R8A8_UNORM")),
    (masks(Numbers::Color, 32, [0xff, 0xff00, 0xff_0000, 0]), "X8B8G8R8", None),
    (masks(Numbers::Color, 32, [0xff_0000, 0xff00, 0xff, 0]), "X8R8G8B8", None),
    (masks(Numbers::Color, 32, [0x3ff, 0xf_fc00, 0x3ff0_0000, 0xc000_0000]), "A2B10G10R10", Some("A2B10G10R10_UNORM_PACK32")),
    (masks(Numbers::Color, 32, [0x3ff0_0000, 0xf_fc00, 0x3ff, 0xc000_0000]), "A2R10G10B10", Some("A2R10G10B10_UNORM_PACK32")),
    (masks(Numbers::Color, 32, [0xffff, 0xffff_0000, 0, 0]), "G16R16", Some("R16G16_UNORM")),
    (masks(Numbers::Color, 24, [0xff_0000, 0xff00, 0xff, 0]), "R8G8B8", Some("B8G8R8_UNORM")),
    (masks(Numbers::Color, 16, [0xf800, 0x7e0, 0x1f, 0]), "R5G6B5", Some("R5G6B5_UNORM_PACK16")),
    (masks(Numbers::Color, 16, [0x7c00, 0x3e0, 0x1f, 0x8000]), "A1R5G5B5", Some("A1R5G5B5_UNORM_PACK16")),
    (masks(Numbers::Color, 16, [0x7c00, 0x3e0, 0x1f, 0]), "X1R5G5B5", None),
    (masks(Numbers::Color, 16, [0xf00, 0xf0, 0xf, 0xf000]), "A4R4G4B4", Some("A4R4G4B4_UNORM_PACK16")),
    (masks(Numbers::Color, 16, [0xf00, 0xf0, 0xf, 0]), "X4R4G4B4", None),
    (masks(Numbers::Color, 16, [0xe0, 0x1c, 0x3, 0xff00]), "A8R3G3B2", None),
    (masks(Numbers::Color, 8, [0xe0, 0x1c, 0x3, 0]), "R3G3B2", None),
    // Luminance, as some programs write it.
    (masks(Numbers::Color, 8, [0xff, 0, 0, 0]), "L8", Some("R8_UNORM")),
    (masks(Numbers::Color, 16, [0xffff, 0, 0, 0]), "L16", Some("R16_UNORM")),
    (masks(Numbers::Color, 16, [0xff, 0, 0, 0xff00]), "A8L8", Some("R8G8_UNORM")),
    (masks(Numbers::Luminance, 8, [0xff, 0, 0, 0]), "L8", Some("R8_UNORM")),
    (masks(Numbers::Luminance, 16, [0xffff, 0, 0, 0]), "L16", Some("R16_UNORM")),
    (masks(Numbers::Luminance, 16, [0xff, 0, 0, 0xff00]), "A8L8", Some("R8G8_UNORM")),
    (masks(Numbers::Luminance, 8, [0xf, 0, 0, 0xf0]), "A4L4", None),
    (masks(Numbers::Alpha, 8, [0, 0, 0, 0xff]), "A8", None),
    (masks(Numbers::Signed, 16, [0xff, 0xff00, 0, 0]), "V8U8", Some("R8G8_SNORM")),
    (masks(Numbers::Signed, 32, [0xff, 0xff00, 0xff_0000, 0xff00_0000]), "Q8W8V8U8", Some("R8G8B8A8_SNORM")),
    (masks(Numbers::Signed, 32, [0xffff, 0xffff_0000, 0, 0]), "V16U16", Some("R16G16_SNORM")),
    (masks(Numbers::Signed, 32, [0x3ff0_0000, 0xf_fc00, 0x3ff, 0xc000_0000]), "A2W10V10U10", None),
];

/// Where a file states the bits of a texel: flags, a code, their number, then the masks.
const FLAGS_AT: usize = 80;
/// Texels have alpha; texels are alpha alone.
const WITH_ALPHA: [u32; 2] = [0x1, 0x2];
const LUMINANCE: u32 = 0x2_0000;
const SIGNED: u32 = 0x8_0000;

impl Masks {
    /// What the header of a file states: the crate gives no masks of luminance and of signed numbers.
    fn of(bytes: &[u8]) -> Option<Masks> {
        let word = |at: usize| {
            let at = FLAGS_AT + at * 4;
            bytes.get(at..at + 4)?.first_chunk().map(|word| u32::from_le_bytes(*word))
        };
        let (flags, bits) = (word(0)?, word(2)?);
        let [red, green, blue, alpha] = [word(3)?, word(4)?, word(5)?, word(6)?];
        let numbers = match flags {
            _ if flags & SIGNED != 0 => Numbers::Signed,
            _ if flags & LUMINANCE != 0 => Numbers::Luminance,
            _ if flags & WITH_ALPHA[1] != 0 => Numbers::Alpha,
            _ => Numbers::Color,
        };
        let has_alpha = numbers == Numbers::Signed || WITH_ALPHA.iter().any(|flag| flags & flag != 0);
        let alpha = if has_alpha { alpha } else { 0 };
        Some(match numbers {
            // A program may repeat the mask for green and blue.
            Numbers::Luminance => masks(numbers, bits, [red, 0, 0, alpha]),
            Numbers::Alpha => masks(numbers, 8, [0, 0, 0, alpha]),
            _ => masks(numbers, bits, [red, green, blue, alpha]),
        })
    }
}

/// `32 bits, masks 0xff 0xff00 0xff0000 0x0`.
impl std::fmt::Display for Masks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [red, green, blue, alpha] = self.of;
        write!(f, "{} bits, masks {red:#x} {green:#x} {blue:#x} {alpha:#x}", self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ddsfile::{AlphaMode, D3DFormat, NewD3dParams, NewDxgiParams};

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

    /// A file of Direct3D 9 with one texel: flags, code, bits and masks.
    fn old([flags, code, bits]: [u32; 3], masks: [u32; 4]) -> Vec<u8> {
        let format = D3DFormat::A8R8G8B8;
        let params = NewD3dParams { height: 1, width: 1, depth: None, format, mipmap_levels: None, caps2: None };
        let mut dds = Dds::new_d3d(params).expect("a header");
        dds.data = (1..=bits.div_ceil(8) as u8).collect();
        let mut out = Vec::new();
        dds.write(&mut out).expect("writes");
        let words = [flags, code, bits].into_iter().chain(masks);
        out[80..108].copy_from_slice(&words.flat_map(u32::to_le_bytes).collect::<Vec<_>>());
        out
    }

    /// Vulkan's name of the format of a file, or why it is refused.
    fn named(bytes: &[u8]) -> Result<&'static str, String> {
        levels(bytes).map(|found| found.format.and_then(VkFormat::name).unwrap_or("none"))
    }

    #[test]
    fn masks_of_direct3d_9_are_formats() {
        let (rgb, alpha, alone) = (0x40, 0x41, 0x2);
        let known = [
            (alpha, 32, [0xff, 0xff00, 0xff_0000, 0xff00_0000], "R8G8B8A8_UNORM"),
            (alpha, 32, [0xff_0000, 0xff00, 0xff, 0xff00_0000], "B8G8R8A8_UNORM"),
            (alpha, 32, [0x3ff, 0xf_fc00, 0x3ff0_0000, 0xc000_0000], "A2B10G10R10_UNORM_PACK32"),
            (alpha, 32, [0x3ff0_0000, 0xf_fc00, 0x3ff, 0xc000_0000], "A2R10G10B10_UNORM_PACK32"),
            (rgb, 32, [0xffff, 0xffff_0000, 0, 0], "R16G16_UNORM"),
            (rgb, 24, [0xff_0000, 0xff00, 0xff, 0], "B8G8R8_UNORM"),
            (rgb, 16, [0xf800, 0x7e0, 0x1f, 0], "R5G6B5_UNORM_PACK16"),
            (alpha, 16, [0x7c00, 0x3e0, 0x1f, 0x8000], "A1R5G5B5_UNORM_PACK16"),
            (alpha, 16, [0xf00, 0xf0, 0xf, 0xf000], "A4R4G4B4_UNORM_PACK16"),
            (rgb, 8, [0xff, 0, 0, 0], "R8_UNORM"),
            (rgb, 16, [0xffff, 0, 0, 0], "R16_UNORM"),
            (alpha, 16, [0xff, 0, 0, 0xff00], "R8G8_UNORM"),
            (LUMINANCE, 8, [0xff, 0, 0, 0], "R8_UNORM"),
            (LUMINANCE, 16, [0xffff, 0, 0, 0], "R16_UNORM"),
            (LUMINANCE | 1, 16, [0xff, 0, 0, 0xff00], "R8G8_UNORM"),
            (SIGNED, 16, [0xff, 0xff00, 0, 0], "R8G8_SNORM"),
            (SIGNED, 32, [0xff, 0xff00, 0xff_0000, 0xff00_0000], "R8G8B8A8_SNORM"),
            (SIGNED, 32, [0xffff, 0xffff_0000, 0, 0], "R16G16_SNORM"),
        ];
        let refused = [
            (rgb, 32, [0xff, 0xff00, 0xff_0000, 0], "D3DFMT_X8B8G8R8"),
            (rgb, 32, [0xff_0000, 0xff00, 0xff, 0], "D3DFMT_X8R8G8B8"),
            (rgb, 16, [0x7c00, 0x3e0, 0x1f, 0], "D3DFMT_X1R5G5B5"),
            (rgb, 16, [0xf00, 0xf0, 0xf, 0], "D3DFMT_X4R4G4B4"),
            (alpha, 16, [0xe0, 0x1c, 0x3, 0xff00], "D3DFMT_A8R3G3B2"),
            (rgb, 8, [0xe0, 0x1c, 0x3, 0], "D3DFMT_R3G3B2"),
            (LUMINANCE | 1, 8, [0xf, 0, 0, 0xf0], "D3DFMT_A4L4"),
            (alone, 8, [0, 0, 0, 0xff], "D3DFMT_A8"),
            (SIGNED, 32, [0x3ff0_0000, 0xf_fc00, 0x3ff, 0xc000_0000], "D3DFMT_A2W10V10U10"),
        ];
        assert_eq!(known.len() + refused.len(), MASKED.len(), "each row is reached");
        for (flags, bits, masks, name) in known {
            let file = old([flags, 0, bits], masks);
            assert_eq!(named(&file), Ok(name), "{name}");
            let texel: Vec<u8> = (1..=bits as u8 / 8).collect();
            assert_eq!(levels(&file).map(|found| found.texels.0), Ok(texel), "{name}");
        }
        for (flags, bits, masks, name) in refused {
            let why = format!("texels of format {name} are not supported");
            assert_eq!(named(&old([flags, 0, bits], masks)), Err(why));
        }
        // A mask of alpha counts only where a file states alpha, one of green never beside luminance.
        assert!(named(&old([rgb, 0, 32], [0xff_0000, 0xff00, 0xff, 0xff00_0000])).is_err());
        assert_eq!(named(&old([LUMINANCE, 0, 8], [0xff, 0xff, 0xff, 0])), Ok("R8_UNORM"));
        let why = "texels of format 32 bits, masks 0x7ff 0x3ff800 0xffc00000 0x0 are not supported";
        assert_eq!(named(&old([rgb, 0, 32], [0x7ff, 0x3f_f800, 0xffc0_0000, 0])), Err(why.to_owned()));
    }

    #[test]
    fn codes_of_direct3d_9_are_formats() {
        for (code, name) in CODES {
            let format = VkFormat::named(name).expect("a format");
            let bits = texel_bytes(format).unwrap_or(0) * 8;
            let expected = match bits {
                0 => Err(format!("texels of format {name} are not supported")),
                _ => Ok(name),
            };
            assert_eq!(named(&old([4, code, bits], [0; 4])), expected);
        }
        for (code, name) in [(u32::from_le_bytes(*b"UYVY"), "FourCC UYVY"), (117, "FourCC 117")] {
            assert_eq!(named(&old([4, code, 0], [0; 4])), Err(format!("texels of format {name} are not supported")));
        }
    }

    #[test]
    fn formats_of_dxgi_have_names_of_vulkan() {
        let mut bytes = file(DxgiFormat::R8G8B8A8_UNorm, [1, 1], (1, 1), false);
        let mut reached = 0;
        for number in 0..=u32::from(u8::MAX) {
            bytes[128..132].copy_from_slice(&number.to_le_bytes());
            let Ok(dds) = Dds::read(bytes.as_slice()) else { continue };
            let Some(name) = dds.get_dxgi_format().and_then(of_dxgi) else { continue };
            reached += 1;
            let format = VkFormat::named(name).unwrap_or_else(|| panic!("{name} is not a format"));
            match texel_bytes(format) {
                Some(texel) => {
                    bytes.truncate(148);
                    bytes.resize(148 + texel as usize, 7);
                    assert_eq!(named(&bytes), Ok(name));
                }
                None => assert_eq!(named(&bytes), Err(format!("texels of format {name} are not supported"))),
            }
        }
        assert_eq!(reached, 67, "each row is reached");
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
