//! Formats of texels: from bytes to components and back.

use crate::kernels::float::Real;
use crate::kernels::half;
use crate::kernels::int::{ones, sign_extend};
use lanescope_spirv::enums::ImageFormat;

/// What a component is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numeric {
    Float,
    Unorm,
    Snorm,
    Uint,
    Sint,
}

/// A format: the widths of its components, from the lowest bit on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Format {
    widths: [u32; 4],
    pub numeric: Numeric,
}

impl Format {
    /// The format of a name; absent for `Unknown`.
    pub fn of(format: ImageFormat) -> Option<Format> {
        use ImageFormat as F;
        use Numeric::*;
        let (channels, width, numeric) = match format {
            F::Unknown => return None,
            F::R11fG11fB10f => return Some(Format { widths: [11, 11, 10, 0], numeric: Float }),
            F::Rgb10A2 => return Some(Format { widths: [10, 10, 10, 2], numeric: Unorm }),
            F::Rgb10a2ui => return Some(Format { widths: [10, 10, 10, 2], numeric: Uint }),
            F::Rgba32f => (4, 32, Float),
            F::Rg32f => (2, 32, Float),
            F::R32f => (1, 32, Float),
            F::Rgba16f => (4, 16, Float),
            F::Rg16f => (2, 16, Float),
            F::R16f => (1, 16, Float),
            F::Rgba16 => (4, 16, Unorm),
            F::Rg16 => (2, 16, Unorm),
            F::R16 => (1, 16, Unorm),
            F::Rgba8 => (4, 8, Unorm),
            F::Rg8 => (2, 8, Unorm),
            F::R8 => (1, 8, Unorm),
            F::Rgba16Snorm => (4, 16, Snorm),
            F::Rg16Snorm => (2, 16, Snorm),
            F::R16Snorm => (1, 16, Snorm),
            F::Rgba8Snorm => (4, 8, Snorm),
            F::Rg8Snorm => (2, 8, Snorm),
            F::R8Snorm => (1, 8, Snorm),
            F::Rgba32i => (4, 32, Sint),
            F::Rg32i => (2, 32, Sint),
            F::R32i => (1, 32, Sint),
            F::Rgba16i => (4, 16, Sint),
            F::Rg16i => (2, 16, Sint),
            F::R16i => (1, 16, Sint),
            F::Rgba8i => (4, 8, Sint),
            F::Rg8i => (2, 8, Sint),
            F::R8i => (1, 8, Sint),
            F::R64i => (1, 64, Sint),
            F::Rgba32ui => (4, 32, Uint),
            F::Rg32ui => (2, 32, Uint),
            F::R32ui => (1, 32, Uint),
            F::Rgba16ui => (4, 16, Uint),
            F::Rg16ui => (2, 16, Uint),
            F::R16ui => (1, 16, Uint),
            F::Rgba8ui => (4, 8, Uint),
            F::Rg8ui => (2, 8, Uint),
            F::R8ui => (1, 8, Uint),
            F::R64ui => (1, 64, Uint),
        };
        let mut widths = [0; 4];
        widths.iter_mut().take(channels).for_each(|w| *w = width);
        Some(Format { widths, numeric })
    }

    /// Bytes of a texel.
    pub fn bytes(&self) -> u32 {
        self.widths.iter().sum::<u32>() / 8
    }

    /// Whether the numbers are integers.
    pub fn is_integer(&self) -> bool {
        matches!(self.numeric, Numeric::Uint | Numeric::Sint)
    }

    /// A border colour as a texel has it: components that the format lacks are 0, alpha is 1.
    pub fn border(&self, color: [f32; 4]) -> [u64; 4] {
        let bits = |value: f32| if self.is_integer() { value as u64 } else { value.store() };
        let lacking = [0.0, 0.0, 0.0, 1.0];
        [0, 1, 2, 3].map(|at| bits(if self.widths[at] == 0 { lacking[at] } else { color[at] }))
    }

    /// The components of a texel: bits of 32-bit floats, or integers sign-extended to 64 bits. Components that the
    /// format lacks are 0, alpha is 1.
    pub fn decode(&self, bytes: &[u8]) -> [u64; 4] {
        let all = bytes.iter().rev().fold(0u128, |all, &byte| all << 8 | u128::from(byte));
        let one = if self.is_integer() { 1 } else { 1f32.store() };
        let mut out = [0, 0, 0, one];
        let mut at = 0;
        for (out, width) in out.iter_mut().zip(self.widths) {
            if width == 0 {
                continue;
            }
            let bits = (all >> at) as u64 & ones(u64::from(width));
            at += width;
            let float = |value: f32| value.store();
            *out = match (self.numeric, width) {
                (Numeric::Uint, _) => bits,
                (Numeric::Sint, _) => sign_extend(bits, width) as u64,
                (Numeric::Float, 32) => bits,
                (Numeric::Float, 11) => float(half::to_f32((bits << 4) as u16)),
                (Numeric::Float, 10) => float(half::to_f32((bits << 5) as u16)),
                (Numeric::Float, _) => float(half::to_f32(bits as u16)),
                (Numeric::Unorm, _) => float(bits as f32 / ones(u64::from(width)) as f32),
                (Numeric::Snorm, _) => {
                    let scale = ones(u64::from(width - 1)) as f32;
                    float((sign_extend(bits, width) as f32 / scale).max(-1.0))
                }
            };
        }
        out
    }

    /// The texel of components that are bits of 32-bit floats, or integers.
    pub fn encode(&self, components: [u64; 4]) -> ([u8; 16], usize) {
        let mut all = 0u128;
        let mut at = 0;
        for (component, width) in components.into_iter().zip(self.widths) {
            let value = f32::load(component);
            let number = if value.is_nan() { 0.0 } else { value };
            let max = ones(u64::from(width)) as f32;
            let bits = match (self.numeric, width) {
                (_, 0) => 0,
                (Numeric::Uint | Numeric::Sint, _) | (Numeric::Float, 32) => component,
                // Formats without a sign have no negative numbers.
                (Numeric::Float, 10 | 11) => {
                    let half =
                        if value < 0.0 { 0 } else { lanescope_base::half::toward_zero(f64::from(value)) & 0x7fff };
                    u64::from(half) >> (15 - width)
                }
                (Numeric::Float, _) => u64::from(half::from_f32(value)),
                (Numeric::Unorm, _) => (number.clamp(0.0, 1.0) * max).round_ties_even() as u64,
                (Numeric::Snorm, _) => {
                    let scale = ones(u64::from(width - 1)) as f32;
                    (number.clamp(-1.0, 1.0) * scale).round_ties_even() as i64 as u64
                }
            };
            all |= u128::from(bits & ones(u64::from(width))) << at;
            at += width;
        }
        (all.to_le_bytes(), self.bytes() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_keeps_what_it_encodes() {
        for number in 1..=41 {
            let Some(format) = ImageFormat::from_u32(number).and_then(Format::of) else { panic!("{number}") };
            let values = match format.numeric {
                Numeric::Uint => [1, 2, 3, 1],
                Numeric::Sint => [-1i64 as u64, 2, -3i64 as u64, 1],
                Numeric::Float => [0.5f32, 2.0, 0.25, 1.0].map(Real::store),
                _ => [0f32, 1.0, 0.0, 1.0].map(Real::store),
            };
            let (bytes, len) = format.encode(values);
            let found = format.decode(&bytes[..len]);
            for (at, width) in format.widths.into_iter().enumerate().filter(|(_, width)| *width > 0) {
                assert_eq!(found[at], values[at], "{number}, component {at} of {width} bits");
            }
        }
    }

    #[test]
    fn borders_have_the_components_of_the_format() {
        let white = [1.0; 4];
        let float = |color: [f32; 4]| color.map(Real::store);
        let of = |format| Format::of(format).expect("a format");
        assert_eq!(of(ImageFormat::Rgba8).border(white), float(white));
        assert_eq!(of(ImageFormat::Rg8).border(white), float([1.0, 1.0, 0.0, 1.0]));
        assert_eq!(of(ImageFormat::R16).border([0.0; 4]), float([0.0, 0.0, 0.0, 1.0]));
        assert_eq!(of(ImageFormat::Rgba32ui).border(white), [1; 4]);
        assert_eq!(of(ImageFormat::R32i).border(white), [1, 0, 0, 1]);
    }

    #[test]
    fn normalized_numbers_round_and_clamp() {
        let rgba8 = Format::of(ImageFormat::Rgba8).expect("a format");
        let (bytes, len) = rgba8.encode([2.0f32, -1.0, 0.5, f32::NAN].map(Real::store));
        assert_eq!(bytes[..len], [255, 0, 128, 0]);
        let snorm = Format::of(ImageFormat::R8Snorm).expect("a format");
        assert_eq!(snorm.decode(&[0x80])[0], (-1f32).store());
        assert_eq!(snorm.decode(&[0x81])[3], 1f32.store());
    }
}
