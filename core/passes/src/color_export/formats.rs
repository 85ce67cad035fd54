//! The colour formats that can be rendered to.

use lanescope_pipeline::vulkan::without_suffix;

/// Numeric format of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Unsigned, normalised.
    Unorm,
    /// Signed, normalised.
    Snorm,
    /// Unsigned integer.
    Uint,
    /// Signed integer.
    Sint,
    /// Floating point.
    Float,
    /// Unsigned, normalised, with the sRGB curve.
    Srgb,
}

/// A colour format.
#[derive(Debug, PartialEq, Eq)]
pub struct Format {
    /// Its Vulkan name without `VK_FORMAT_`.
    pub name: &'static str,
    /// Bits of red, green, blue, alpha; 0 where the component is missing.
    pub bits: [u8; 4],
    /// Numeric format.
    pub kind: Kind,
}

impl Format {
    /// The largest component's bits.
    pub fn largest(&self) -> u8 {
        self.bits.into_iter().max().unwrap_or(0)
    }

    /// Whether it has an alpha component.
    pub fn has_alpha(&self) -> bool {
        self.bits[3] > 0
    }

    /// The components that are present of red, green, blue, alpha.
    pub fn channels(&self) -> [bool; 4] {
        self.bits.map(|bits| bits > 0)
    }

    /// Whether a texel is three bytes, which the exporter treats as floating point.
    pub fn is_three_bytes(&self) -> bool {
        self.bits == [8, 8, 8, 0]
    }
}

/// A format by its name, without `VK_FORMAT_`; with or without the suffix of the extension that brought it.
pub fn format(name: &str) -> Option<&'static Format> {
    let wanted = without_suffix(name);
    FORMATS.iter().find(|format| format.name == wanted)
}

macro_rules! formats {
    ($($name:literal $r:literal $g:literal $b:literal $a:literal $kind:ident;)+) => {
        /// Every colour format that can be rendered to.
        pub const FORMATS: &[Format] = &[$(Format { name: $name, bits: [$r, $g, $b, $a], kind: Kind::$kind }),+];
    };
}

formats! {
    "R4G4_UNORM_PACK8" 4 4 0 0 Unorm;
    "R4G4B4A4_UNORM_PACK16" 4 4 4 4 Unorm;
    "B4G4R4A4_UNORM_PACK16" 4 4 4 4 Unorm;
    "A4R4G4B4_UNORM_PACK16" 4 4 4 4 Unorm;
    "A4B4G4R4_UNORM_PACK16" 4 4 4 4 Unorm;
    "R5G6B5_UNORM_PACK16" 5 6 5 0 Unorm;
    "B5G6R5_UNORM_PACK16" 5 6 5 0 Unorm;
    "R5G5B5A1_UNORM_PACK16" 5 5 5 1 Unorm;
    "B5G5R5A1_UNORM_PACK16" 5 5 5 1 Unorm;
    "A1R5G5B5_UNORM_PACK16" 5 5 5 1 Unorm;
    "A1B5G5R5_UNORM_PACK16" 5 5 5 1 Unorm;
    "A8_UNORM" 0 0 0 8 Unorm;
    "R8_UNORM" 8 0 0 0 Unorm;
    "R8_SNORM" 8 0 0 0 Snorm;
    "R8_UINT" 8 0 0 0 Uint;
    "R8_SINT" 8 0 0 0 Sint;
    "R8_SRGB" 8 0 0 0 Srgb;
    "R8G8_UNORM" 8 8 0 0 Unorm;
    "R8G8_SNORM" 8 8 0 0 Snorm;
    "R8G8_UINT" 8 8 0 0 Uint;
    "R8G8_SINT" 8 8 0 0 Sint;
    "R8G8_SRGB" 8 8 0 0 Srgb;
    "R8G8B8_UNORM" 8 8 8 0 Unorm;
    "R8G8B8_SNORM" 8 8 8 0 Snorm;
    "R8G8B8_UINT" 8 8 8 0 Uint;
    "R8G8B8_SINT" 8 8 8 0 Sint;
    "R8G8B8_SRGB" 8 8 8 0 Srgb;
    "B8G8R8_UNORM" 8 8 8 0 Unorm;
    "B8G8R8_SNORM" 8 8 8 0 Snorm;
    "B8G8R8_UINT" 8 8 8 0 Uint;
    "B8G8R8_SINT" 8 8 8 0 Sint;
    "B8G8R8_SRGB" 8 8 8 0 Srgb;
    "R8G8B8A8_UNORM" 8 8 8 8 Unorm;
    "R8G8B8A8_SNORM" 8 8 8 8 Snorm;
    "R8G8B8A8_UINT" 8 8 8 8 Uint;
    "R8G8B8A8_SINT" 8 8 8 8 Sint;
    "R8G8B8A8_SRGB" 8 8 8 8 Srgb;
    "B8G8R8A8_UNORM" 8 8 8 8 Unorm;
    "B8G8R8A8_SNORM" 8 8 8 8 Snorm;
    "B8G8R8A8_UINT" 8 8 8 8 Uint;
    "B8G8R8A8_SINT" 8 8 8 8 Sint;
    "B8G8R8A8_SRGB" 8 8 8 8 Srgb;
    "A8B8G8R8_UNORM_PACK32" 8 8 8 8 Unorm;
    "A8B8G8R8_SNORM_PACK32" 8 8 8 8 Snorm;
    "A8B8G8R8_UINT_PACK32" 8 8 8 8 Uint;
    "A8B8G8R8_SINT_PACK32" 8 8 8 8 Sint;
    "A8B8G8R8_SRGB_PACK32" 8 8 8 8 Srgb;
    "A2R10G10B10_UNORM_PACK32" 10 10 10 2 Unorm;
    "A2R10G10B10_SNORM_PACK32" 10 10 10 2 Snorm;
    "A2R10G10B10_UINT_PACK32" 10 10 10 2 Uint;
    "A2R10G10B10_SINT_PACK32" 10 10 10 2 Sint;
    "A2B10G10R10_UNORM_PACK32" 10 10 10 2 Unorm;
    "A2B10G10R10_SNORM_PACK32" 10 10 10 2 Snorm;
    "A2B10G10R10_UINT_PACK32" 10 10 10 2 Uint;
    "A2B10G10R10_SINT_PACK32" 10 10 10 2 Sint;
    "R16_UNORM" 16 0 0 0 Unorm;
    "R16_SNORM" 16 0 0 0 Snorm;
    "R16_UINT" 16 0 0 0 Uint;
    "R16_SINT" 16 0 0 0 Sint;
    "R16_SFLOAT" 16 0 0 0 Float;
    "R16G16_UNORM" 16 16 0 0 Unorm;
    "R16G16_SNORM" 16 16 0 0 Snorm;
    "R16G16_UINT" 16 16 0 0 Uint;
    "R16G16_SINT" 16 16 0 0 Sint;
    "R16G16_SFLOAT" 16 16 0 0 Float;
    "R16G16B16_UNORM" 16 16 16 0 Unorm;
    "R16G16B16_SNORM" 16 16 16 0 Snorm;
    "R16G16B16_UINT" 16 16 16 0 Uint;
    "R16G16B16_SINT" 16 16 16 0 Sint;
    "R16G16B16_SFLOAT" 16 16 16 0 Float;
    "R16G16B16A16_UNORM" 16 16 16 16 Unorm;
    "R16G16B16A16_SNORM" 16 16 16 16 Snorm;
    "R16G16B16A16_UINT" 16 16 16 16 Uint;
    "R16G16B16A16_SINT" 16 16 16 16 Sint;
    "R16G16B16A16_SFLOAT" 16 16 16 16 Float;
    "R32_UINT" 32 0 0 0 Uint;
    "R32_SINT" 32 0 0 0 Sint;
    "R32_SFLOAT" 32 0 0 0 Float;
    "R32G32_UINT" 32 32 0 0 Uint;
    "R32G32_SINT" 32 32 0 0 Sint;
    "R32G32_SFLOAT" 32 32 0 0 Float;
    "R32G32B32_UINT" 32 32 32 0 Uint;
    "R32G32B32_SINT" 32 32 32 0 Sint;
    "R32G32B32_SFLOAT" 32 32 32 0 Float;
    "R32G32B32A32_UINT" 32 32 32 32 Uint;
    "R32G32B32A32_SINT" 32 32 32 32 Sint;
    "R32G32B32A32_SFLOAT" 32 32 32 32 Float;
    "B10G11R11_UFLOAT_PACK32" 11 11 10 0 Float;
    "E5B9G9R9_UFLOAT_PACK32" 9 9 9 0 Float;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name says the components' widths and the kind; the row must say the same.
    #[test]
    fn rows_match_their_names() {
        for format in FORMATS {
            let (layout, rest) = format.name.split_once('_').expect("components, then kind");
            let mut bits = [0u8; 4];
            let mut letters = layout.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).peekable();
            while let Some((at, letter)) = letters.next() {
                let end = letters.peek().map_or(layout.len(), |&(next, _)| next);
                let width = layout[at + 1..end].parse().expect("a width");
                // E is the exponent that the components share.
                if let Some(component) = "RGBA".find(letter) {
                    bits[component] = width;
                }
            }
            assert_eq!(bits, format.bits, "{}", format.name);
            let kind = match rest.split('_').next().expect("a kind") {
                "UNORM" => Kind::Unorm,
                "SNORM" => Kind::Snorm,
                "UINT" => Kind::Uint,
                "SINT" => Kind::Sint,
                "SFLOAT" | "UFLOAT" => Kind::Float,
                "SRGB" => Kind::Srgb,
                other => panic!("{other}"),
            };
            assert_eq!(kind, format.kind, "{}", format.name);
        }
    }

    #[test]
    fn names_are_unique() {
        for (i, format) in FORMATS.iter().enumerate() {
            assert!(FORMATS[..i].iter().all(|other| other.name != format.name), "{}", format.name);
        }
    }
}
