//! Texels of images: bits as components, and back.

use lanescope_base::half;

use crate::types::format::{Channel, ImageFormat, Mode};

/// The components of a texel, as floating point: normalized ones from 0 or -1 to 1, sRGB made linear.
pub fn texel(bytes: &[u8], format: &ImageFormat) -> Option<Vec<(Channel, f64)>> {
    raw(bytes, format)?
        .into_iter()
        .zip(&format.components)
        .map(|(bits, one)| {
            component(bits, u32::from(one.bits), one.mode, one.channel).map(|value| (one.channel, value))
        })
        .collect()
}

/// The bits of each component of a texel.
fn raw(bytes: &[u8], format: &ImageFormat) -> Option<Vec<u64>> {
    let size = format.size() as usize;
    let bytes = bytes.get(..size)?;
    let one = |(index, one): (usize, &crate::types::format::Component)| {
        let shift = format.shift(index);
        let mut word = [0; 9];
        let from = shift as usize / 8;
        let length = size.checked_sub(from)?.min(9);
        word[..length].copy_from_slice(&bytes[from..from + length]);
        let wide = word.iter().rev().fold(0u128, |all, byte| all << 8 | u128::from(*byte));
        Some((wide >> (shift % 8)) as u64 & (u64::MAX >> (64 - u32::from(one.bits))))
    };
    format.components.iter().enumerate().map(one).collect()
}

fn component(bits: u64, size: u32, mode: Mode, channel: Channel) -> Option<f64> {
    let most = |size: u32| (u64::MAX >> (64 - size)) as f64;
    let signed = || ((bits << (64 - size)) as i64 >> (64 - size)) as f64;
    Some(match (mode, size) {
        (Mode::Unorm, _) => bits as f64 / most(size),
        // The least number is -1 as the one above it.
        (Mode::Snorm, 2..) => (signed() / most(size - 1)).max(-1.0),
        (Mode::Uint | Mode::Uscaled, _) => bits as f64,
        (Mode::Sint | Mode::Sscaled, _) => signed(),
        (Mode::Srgb, _) => {
            let value = bits as f64 / most(size);
            match channel {
                Channel::A => value,
                _ if value <= 0.04045 => value / 12.92,
                _ => ((value + 0.055) / 1.055).powf(2.4),
            }
        }
        (Mode::Sfloat, 16) => half::value(bits as u16),
        (Mode::Sfloat, 32) => f64::from(f32::from_bits(bits as u32)),
        (Mode::Sfloat, 64) => f64::from_bits(bits),
        // Five bits of exponent, as a half has them, without its sign.
        (Mode::Ufloat, 10 | 11) => half::value((bits << (15 - size)) as u16),
        _ => return None,
    })
}

/// Four 32-bit words for each texel: red, green, blue and alpha, as floating point or as integers; depth is in the place
/// of red. A component that the format does not have is 0, alpha 1.
pub fn words(texel: &[u8], format: &ImageFormat) -> Option<[u32; 4]> {
    let is_integer = format.components.iter().any(|one| matches!(one.mode, Mode::Uint | Mode::Sint));
    let mut out = [0, 0, 0, if is_integer { 1 } else { 1f32.to_bits() }];
    let bits = raw(texel, format)?;
    for (one, bits) in format.components.iter().zip(bits) {
        let Some(place) = place(one.channel) else { continue };
        let size = u32::from(one.bits);
        out[place] = match one.mode {
            Mode::Uint if size <= 32 => bits as u32,
            Mode::Sint if size <= 32 => ((bits << (64 - size)) as i64 >> (64 - size)) as u32,
            Mode::Uint | Mode::Sint => return None,
            mode => (component(bits, size, mode, one.channel)? as f32).to_bits(),
        };
    }
    Some(out)
}

/// The place of a channel among four words; stencil and bits without meaning have none.
fn place(channel: Channel) -> Option<usize> {
    match channel {
        Channel::R | Channel::D => Some(0),
        Channel::G => Some(1),
        Channel::B => Some(2),
        Channel::A => Some(3),
        Channel::S | Channel::X => None,
    }
}

/// The bytes of a texel of four words, as [`words`] has them; none for a format whose numbers are not rounded here.
pub fn bytes(words: [u32; 4], format: &ImageFormat) -> Option<Vec<u8>> {
    let mut wide = 0u128;
    for (index, one) in format.components.iter().enumerate() {
        let size = u32::from(one.bits);
        let Some(place) = place(one.channel) else { continue };
        let value = f64::from(f32::from_bits(words[place]));
        let most = (u64::MAX >> (64 - size)) as f64;
        let bits = match (one.mode, size) {
            // NaN becomes 0.
            (Mode::Unorm, _) => (value.clamp(0.0, 1.0) * most).round_ties_even() as u64,
            (Mode::Snorm, 2..) => {
                let most = (u64::MAX >> (65 - size)) as f64;
                (value.clamp(-1.0, 1.0) * most).round_ties_even() as i64 as u64
            }
            (Mode::Uint | Mode::Sint, ..=32) => u64::from(words[place]),
            (Mode::Sfloat, 16) => u64::from(half::nearest(value)),
            (Mode::Sfloat, 32) => u64::from(words[place]),
            // What has no sign and few bits is not rounded: a half of the same value ends in zeros.
            (Mode::Ufloat, 10 | 11) => {
                let half = u64::from(half::nearest(value));
                let is_exact = half::value(half as u16) == value && half & (1 << 15 | ((1 << (15 - size)) - 1)) == 0;
                half.checked_shr(15 - size).filter(|_| is_exact)?
            }
            _ => return None,
        };
        wide |= u128::from(bits & (u64::MAX >> (64 - size))) << format.shift(index);
    }
    wide.to_le_bytes().get(..format.size() as usize).map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_round_trip() {
        for (name, texel) in [
            ("B8G8R8A8_UNORM", vec![1, 2, 3, 255]),
            ("R8G8_SNORM", vec![0x81, 0x7f]),
            ("R16G16B16A16_SFLOAT", vec![0, 0x3c, 0, 0x40, 0, 0, 0, 0xbc]),
            ("R32_SINT", vec![0xfe, 0xff, 0xff, 0xff]),
            ("R8G8B8A8_SINT", vec![0xfe, 1, 2, 3]),
            ("A2B10G10R10_UINT_PACK32", vec![1, 2, 3, 0xc4]),
            ("R32G32B32A32_SFLOAT", (0..16).collect()),
            ("D16_UNORM", vec![0x34, 0x12]),
            (
                "B10G11R11_UFLOAT_PACK32",
                ((15_u32 << 5 | 3) << 22 | (14 << 6 | 1) << 11 | 15 << 6).to_le_bytes().to_vec(),
            ),
        ] {
            let format = ImageFormat::named(name).expect("known");
            let words = words(&texel, &format).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(bytes(words, &format), Some(texel), "{name}");
        }
        let format = ImageFormat::named("B8G8R8A8_UNORM").expect("known");
        assert_eq!(words(&[0, 51, 255, 255], &format), Some([1.0f32, 0.2, 0.0, 1.0].map(f32::to_bits)));
        assert_eq!(bytes([0; 4], &ImageFormat::named("R8_SRGB").expect("known")), None);
        let few = ImageFormat::named("B10G11R11_UFLOAT_PACK32").expect("known");
        for inexact in [-1.0f32, 0.3, f32::NAN] {
            assert_eq!(bytes([inexact.to_bits(), 0, 0, 0], &few), None, "{inexact}");
        }
    }
}
