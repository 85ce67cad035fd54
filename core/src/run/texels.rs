//! Texels of images as numbers.

use super::ImageRun;
use super::shape::{Scalar, ScalarKind, Shape};

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

    /// The type and the number of components that Vulkan's name of the format says: `R8G8_UNORM` has two of eight bits.
    fn components(&self) -> Option<(Scalar, u32)> {
        let (channels, kind) = self.format.split_once('_')?;
        let widths = channels.split(|c: char| c.is_ascii_alphabetic()).skip(1).map(str::parse);
        let widths: Vec<u32> = widths.collect::<Result<_, _>>().ok()?;
        let bits = *widths.first()?;
        let kind = match kind {
            "SFLOAT" => ScalarKind::Float,
            "SINT" | "SNORM" => ScalarKind::Int,
            "UINT" | "UNORM" => ScalarKind::Uint,
            _ => return None,
        };
        let count = u32::try_from(widths.len()).ok()?;
        let whole = widths.iter().all(|width| *width == bits) && [8, 16, 32, 64].contains(&bits);
        (whole && count * bits / 8 == self.texel_bytes).then_some((Scalar { kind, bits }, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::hash;

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
    fn formats_say_what_a_texel_holds() {
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
    fn texels_have_places() {
        let image = image("R32_UINT", 4);
        assert_eq!(
            [0, 3, 4, 8, 23].map(|texel| image.place(texel)),
            [[0, 0, 0], [3, 0, 0], [0, 1, 0], [0, 0, 1], [3, 1, 2]]
        );
    }
}
