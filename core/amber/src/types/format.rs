//! Formats of images, by the names of Vulkan without `VK_FORMAT_`.

use std::fmt;

use lanescope_base::named_enum;

named_enum!(
    serde if feature = "serde";
    /// How the bits of a component are read.
    Mode {
        /// Unsigned, 0 to 1.
        Unorm = "UNORM",
        /// Signed, -1 to 1.
        Snorm = "SNORM",
        /// Unsigned integer as a floating point number.
        Uscaled = "USCALED",
        /// Signed integer as a floating point number.
        Sscaled = "SSCALED",
        /// Unsigned integer.
        Uint = "UINT",
        /// Signed integer.
        Sint = "SINT",
        /// Unsigned 0 to 1, not linear.
        Srgb = "SRGB",
        /// Floating point.
        Sfloat = "SFLOAT",
        /// Floating point without sign.
        Ufloat = "UFLOAT",
    }
);

named_enum!(
    serde if feature = "serde";
    /// What a component is for.
    Channel {
        /// Red.
        R = "R",
        /// Green.
        G = "G",
        /// Blue.
        B = "B",
        /// Alpha.
        A = "A",
        /// Depth.
        D = "D",
        /// Stencil.
        S = "S",
        /// Bits without meaning.
        X = "X",
    }
);

/// A component of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Component {
    /// What it is for.
    pub channel: Channel,
    /// Size in bits: 1 to 64.
    pub bits: u8,
    /// How they are read.
    pub mode: Mode,
}

/// The format of an image.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImageFormat {
    /// Components in the order of the name: that of memory, or from the highest bit of a packed format.
    pub components: Vec<Component>,
    /// Bits of the word that holds all components of a packed format.
    pub packed: Option<u8>,
}

/// The most components that a format of Vulkan has.
const MAX_COMPONENTS: usize = 4;

impl ImageFormat {
    /// Reads the name of a format: `R8G8B8A8_UNORM`, `D24_UNORM_S8_UINT`, `X8_D24_UNORM_PACK32`.
    pub fn named(text: &str) -> Option<ImageFormat> {
        let mut parts: Vec<&str> = text.split('_').collect();
        let packed = match parts.last()?.strip_prefix("PACK") {
            Some(bits) => Some(bits.parse().ok().filter(|bits| [8, 16, 32].contains(bits))?),
            None => None,
        };
        parts.truncate(parts.len() - usize::from(packed.is_some()));
        // A mode is that of the components before it.
        let (mut components, mut mode) = (Vec::new(), None);
        for part in parts.into_iter().rev() {
            match part.parse::<Mode>() {
                Ok(of) => mode = Some(of),
                Err(_) => components.splice(0..0, channels(part, mode?)?).for_each(drop),
            }
            if components.len() > MAX_COMPONENTS {
                return None;
            }
        }
        let format = ImageFormat { components, packed };
        let bits: u32 = format.components.iter().map(|one| u32::from(one.bits)).sum();
        let fills = packed.map_or(bits.is_multiple_of(8), |packed| u32::from(packed) == bits);
        // Another order of the same parts is another text.
        (!format.components.is_empty() && fills && format.to_string() == text).then_some(format)
    }

    /// Size of a texel in bytes, with no bytes between its components.
    pub fn size(&self) -> u32 {
        self.components.iter().map(|one| u32::from(one.bits)).sum::<u32>() / 8
    }

    /// The bits before a component, from the lowest bit of the first byte.
    pub fn shift(&self, index: usize) -> u32 {
        let bits = |all: &[Component]| all.iter().map(|one| u32::from(one.bits)).sum();
        match self.packed {
            Some(_) => bits(self.components.get(index + 1..).unwrap_or_default()),
            None => bits(self.components.get(..index).unwrap_or_default()),
        }
    }

    /// Whether it has depth or stencil.
    pub fn is_depth_stencil(&self) -> bool {
        self.components.iter().any(|one| matches!(one.channel, Channel::D | Channel::S))
    }
}

/// `R8G8B8A8` as its components.
fn channels(part: &str, mode: Mode) -> Option<Vec<Component>> {
    let mut out = Vec::new();
    let mut rest = part;
    while !rest.is_empty() {
        let channel = rest.get(..1)?.parse().ok()?;
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        let bits: u8 = rest[1..1 + digits].parse().ok().filter(|bits| (1..=64).contains(bits))?;
        rest = &rest[1 + digits..];
        out.push(Component { channel, bits, mode });
        if out.len() > MAX_COMPONENTS {
            return None;
        }
    }
    (!out.is_empty()).then_some(out)
}

impl fmt::Display for ImageFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, one) in self.components.iter().enumerate() {
            write!(f, "{}{}", one.channel, one.bits)?;
            let next = self.components.get(index + 1);
            if next.is_none_or(|next| next.mode != one.mode) {
                write!(f, "_{}", one.mode)?;
            }
            // Vulkan's names set bits without meaning apart.
            let apart = one.channel == Channel::X || next.is_some_and(|next| next.mode != one.mode);
            f.write_str(if next.is_some() && apart { "_" } else { "" })?;
        }
        self.packed.map_or(Ok(()), |bits| write!(f, "_PACK{bits}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for name in [
            "R8_UNORM",
            "B8G8R8A8_SRGB",
            "A2B10G10R10_UINT_PACK32",
            "B10G11R11_UFLOAT_PACK32",
            "R64G64B64A64_SFLOAT",
            "D16_UNORM",
            "D16_UNORM_S8_UINT",
            "D24_UNORM_S8_UINT",
            "D32_SFLOAT_S8_UINT",
            "S8_UINT",
            "X8_D24_UNORM_PACK32",
            "R4G4_UNORM_PACK8",
        ] {
            let format = ImageFormat::named(name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(format.to_string(), name);
        }
        for name in [
            "",
            "R8",
            "R8_",
            "R8_UNORM_PACK32",
            "R8G8B8A8R8_UINT",
            "Q8_UINT",
            "R0_UINT",
            "R300_UINT",
            "UNORM",
            "é8_UINT",
        ] {
            assert_eq!(ImageFormat::named(name), None, "{name}");
        }
    }

    #[test]
    fn places_components() {
        let packed = ImageFormat::named("A2B10G10R10_UINT_PACK32").expect("known");
        assert_eq!([0, 1, 2, 3].map(|index| packed.shift(index)), [30, 20, 10, 0]);
        let plain = ImageFormat::named("B8G8R8A8_UNORM").expect("known");
        assert_eq!([0, 1, 2, 3].map(|index| plain.shift(index)), [0, 8, 16, 24]);
        assert_eq!((packed.size(), plain.size()), (4, 4));
        assert!(!plain.is_depth_stencil() && ImageFormat::named("S8_UINT").expect("known").is_depth_stencil());
    }
}
