//! Texels of images as numbers.

use super::ImageRun;
use super::picture::{Component, Number, Texel};
use lanescope_spirv::shape::{Scalar, ScalarKind, Shape};

impl ImageRun {
    /// The type of its contents: texel after texel, components as they are stored; formats whose components share a word
    /// as words.
    pub fn shape(&self) -> Shape {
        let (scalar, count) = self.components().unwrap_or((Scalar::WORD, self.texel_bytes / 4));
        let texel = if count == 1 { Shape::Scalar(scalar) } else { Shape::Vector { scalar, count } };
        Shape::Array { element: Box::new(texel), count: None, stride: self.texel_bytes }
    }

    /// Column, row, and slice or layer of a texel, by its number in the contents.
    pub fn place(&self, texel: u64) -> [u64; 3] {
        let [width, height, _] = self.size.map(|side| u64::from(side.max(1)));
        [texel % width, texel / width % height, texel / width / height]
    }

    /// The type and the number of components of equal width.
    fn components(&self) -> Option<(Scalar, u32)> {
        let Texel { components, .. } = self.texel()?;
        let first = components.iter().flatten().next()?;
        let count = components.iter().flatten().count() as u32;
        let kind = match first.number {
            Number::Float => ScalarKind::Float,
            Number::Int | Number::Snorm => ScalarKind::Int,
            Number::Uint | Number::Unorm => ScalarKind::Uint,
            Number::Ufloat => return None,
        };
        let bits = first.bits;
        let whole = components.iter().flatten().all(|other| other.bits == bits) && [8, 16, 32, 64].contains(&bits);
        whole.then_some((Scalar { kind, bits }, count))
    }

    /// A texel's components, which Vulkan's name of the format says: `R8G8_UNORM` has two of eight bits, and what is
    /// packed into a word has the first one in its highest bits.
    pub(super) fn texel(&self) -> Option<Texel> {
        let (channels, numbers) = self.format.split_once('_')?;
        let (numbers, packed) = match numbers.split_once("_PACK") {
            Some((numbers, _)) => (numbers, true),
            None => (numbers, false),
        };
        let number = match numbers {
            "SFLOAT" => Number::Float,
            "UFLOAT" => Number::Ufloat,
            "UNORM" => Number::Unorm,
            "SNORM" => Number::Snorm,
            "SINT" => Number::Int,
            "UINT" => Number::Uint,
            _ => return None,
        };
        // Of a depth the first channel counts, as in an attachment.
        let channels = &channels.replace('D', "R");
        let letters: Vec<_> = channels.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).collect();
        let all = self.texel_bytes.checked_mul(8).filter(|bits| *bits <= 128)?;
        let (mut components, mut before) = ([None; 4], 0);
        for (index, (at, letter)) in letters.iter().enumerate() {
            let end = letters.get(index + 1).map_or(channels.len(), |(next, _)| *next);
            let bits: u32 = channels.get(at + 1..end)?.parse().ok().filter(|bits| (1..=64).contains(bits))?;
            let after = bits.checked_add(before).filter(|after| *after <= all)?;
            let shift = if packed { all - after } else { before };
            let channel = ['R', 'G', 'B', 'A'].iter().position(|channel| channel == letter)?;
            *components.get_mut(channel)? = Some(Component { shift, bits, number });
            before = after;
        }
        (before == all).then_some(Texel { components, bytes: self.texel_bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Blob, Execution, Run, RunMode, hash, picture, values};

    fn execution(image: &ImageRun) -> Execution {
        let run = Run { images: vec![image.clone()], ..Run::new("none", RunMode::Compute) };
        Execution { run, data: Default::default() }
    }

    fn image(format: &str, texel_bytes: u32) -> ImageRun {
        ImageRun {
            name: "set0.binding0".to_owned(),
            register: None,
            variable: None,
            set: 0,
            binding: 0,
            element: 0,
            size: [4, 2, 1],
            layers: 3,
            format: format.to_owned(),
            texel_bytes,
            bytes: u64::from(texel_bytes) * 24,
            hash: hash(&[]),
        }
    }

    #[test]
    fn finds_texel_types_of_formats() {
        let values = |format: &str, bytes: &[u8]| {
            let (rows, _) = image(format, bytes.len() as u32).shape().rows(bytes, 9);
            rows.iter().flat_map(|row| row.values.clone()).map(|value| value.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(values("R32G32B32A32_UINT", &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]), "1 2 3 4");
        assert_eq!(values("R32_SFLOAT", &1.5f32.to_le_bytes()), "1.5");
        assert_eq!(values("R8G8_SNORM", &[255, 1]), "-1 1");
        assert_eq!(values("R16_UNORM", &[0xff, 0xff]), "65535");
        assert_eq!(values("A2B10G10R10_UNORM_PACK32", &[1, 0, 0, 0]), "1", "components that share a word");
        assert_eq!(values("B10G11R11_UFLOAT_PACK32", &[2, 0, 0, 0]), "2");
    }

    #[test]
    fn images_are_seen_plane_by_plane() {
        let seen = |format: &str, texel: &[u8]| {
            let image = image(format, texel.len() as u32);
            // Each plane but the last one is dark.
            let mut bytes = vec![0; texel.len() * 24];
            bytes[texel.len() * 21..texel.len() * 22].copy_from_slice(texel);
            let mut ran = execution(&image);
            ran.data.insert(image.name.clone(), Blob(bytes));
            let surface = image.surface(2).expect("it has three layers");
            assert!(image.surface(3).is_none(), "there is no fourth one");
            let pixels = picture(&ran, &surface, None);
            assert_eq!(pixels.rgba.chunks(4).position(|pixel| pixel != [0, 0, 0, 255]), Some(5), "{format}");
            let first = image.surface(0).and_then(|first| values(&ran, &first, [1, 1], 0)).expect("there");
            assert_eq!(first[0].as_f64(), Some(0.0), "{format}");
            let shown: Vec<_> =
                values(&ran, &surface, [1, 1], 0).expect("there").iter().map(ToString::to_string).collect();
            let shades: [u8; 3] = pixels.rgba[20..23].try_into().expect("three");
            (shades, shown.join(" "))
        };
        let shown = |shades, text: &str| (shades, text.to_owned());
        assert_eq!(seen("R8G8B8A8_UNORM", &[255, 51, 0, 255]), shown([255, 51, 0], "1.0 0.2 0.0 1.0"));
        assert_eq!(seen("B8G8R8A8_UNORM", &[0, 51, 255, 0]), shown([255, 51, 0], "1.0 0.2 0.0 0.0"));
        assert_eq!(seen("R16G16_SNORM", &[1, 0x80, 0xff, 0x7f]), shown([0, 255, 0], "-1.0 1.0"));
        assert_eq!(seen("R16_SFLOAT", &[0, 0x38]), shown([128, 0, 0], "0.5"));
        assert_eq!(seen("R8_SINT", &[0xff]), shown([255, 0, 0], "-1"));
        let word = (3_u32 << 30 | 1023 << 20 | 1).to_le_bytes();
        assert_eq!(seen("A2B10G10R10_UINT_PACK32", &word), shown([4, 0, 255], "1 0 1023 3"));
        // 1.0 is the exponent 15, regardless of the fraction's width.
        let word = ((15_u32 << 5) << 22 | (15 << 6) << 11 | 14 << 6).to_le_bytes();
        assert_eq!(seen("B10G11R11_UFLOAT_PACK32", &word), shown([128, 255, 255], "0.5 1.0 1.0"));
        for format in ["E5B9G9R9_UFLOAT_PACK32", "R8_UNORM", "BC1_RGB_UNORM_BLOCK", ""] {
            assert!(image(format, 4).surface(0).is_none(), "{format}");
        }
    }

    #[test]
    fn texels_have_places() {
        let image = image("R32_UINT", 4);
        assert_eq!(
            [0, 3, 4, 8, 23].map(|texel| image.place(texel)),
            [[0, 0, 0], [3, 0, 0], [0, 1, 0], [0, 0, 1], [3, 1, 2]]
        );
    }
}
