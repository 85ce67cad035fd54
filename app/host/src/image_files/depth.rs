//! Files of depths, which a depth attachment holds before a draw.

use lanescope_core::run::Blob;
use lanescope_core::run::inputs::{AttachmentContents, ImageContents};

use super::{DDS, KTX2, PNG, dds, decoded, ktx2_levels};

/// The most pixels: more are not read back.
const MOST_PIXELS: u64 = (96 << 20) / 16;

/// Depths of a file, row by row.
#[derive(Debug, PartialEq)]
pub struct Depths {
    /// Width and height, where the file says them.
    pub size: Option<[u32; 2]>,
    /// The depths.
    pub values: Vec<f32>,
}

/// The depths of a file: a PNG file with shades of gray, a KTX2 or DDS file, or numbers of 32 bits.
///
/// # Errors
/// A file that cannot be read as what it begins like; one that holds no depths; too many.
pub fn depths(bytes: &[u8]) -> Result<Depths, String> {
    let found = if bytes.starts_with(&PNG) {
        shades(bytes).map_err(|why| format!("the PNG file: {why}"))?
    } else if bytes.starts_with(&KTX2) {
        ktx2_levels(bytes).and_then(|image| of_image(&image)).map_err(|why| format!("the KTX2 file: {why}"))?
    } else if bytes.starts_with(&DDS) {
        dds::levels(bytes).and_then(|image| of_image(&image)).map_err(|why| format!("the DDS file: {why}"))?
    } else {
        let (words, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(format!("{} bytes: expected a multiple of 4, for 32-bit depths", bytes.len()));
        }
        Depths { size: None, values: words.iter().map(|word| f32::from_le_bytes(*word)).collect() }
    };
    if found.values.len() as u64 > MOST_PIXELS {
        return Err(format!("{} depths; at most {MOST_PIXELS} are read", found.values.len()));
    }
    match found.values.iter().position(|depth| !(0.0..=1.0).contains(depth)) {
        Some(at) => Err(format!("depth {at} is {}, which is not within 0 to 1", found.values[at])),
        None => Ok(found),
    }
}

impl Depths {
    /// What the depth attachment of a draw holds, in pixels of that size.
    ///
    /// # Errors
    /// Another number of depths.
    pub fn contents(&self, [width, height]: [u32; 2]) -> Result<AttachmentContents, String> {
        let expected = u64::from(width) * u64::from(height);
        let is_other = self.size.is_some_and(|size| size != [width, height]);
        if is_other || self.values.len() as u64 != expected {
            let found = match self.size {
                Some([width, height]) => format!("{width}×{height} depths"),
                None => format!("{} depths", self.values.len()),
            };
            return Err(format!("{found}; the attachments have {width}×{height} pixels"));
        }
        let pixels = self.values.iter().flat_map(|depth| [*depth, 0.0, 0.0, 1.0].map(f32::to_le_bytes).concat());
        Ok(AttachmentContents { location: None, per_pixel: true, bytes: Blob(pixels.collect()) })
    }
}

/// The shades of a picture, from 0 to 1.
fn shades(bytes: &[u8]) -> Result<Depths, String> {
    let (frame, out) = decoded(bytes, png::Transformations::EXPAND, MOST_PIXELS)?;
    if frame.color_type != png::ColorType::Grayscale {
        return Err("it has colors or alpha: depths are shades of gray alone".to_owned());
    }
    let values = match frame.bit_depth {
        png::BitDepth::Sixteen => {
            let words = out.as_chunks::<2>().0.iter();
            words.map(|word| (f64::from(u16::from_be_bytes(*word)) / f64::from(u16::MAX)) as f32).collect()
        }
        _ => out.iter().map(|byte| (f64::from(*byte) / 255.0) as f32).collect(),
    };
    Ok(Depths { size: Some([frame.width, frame.height]), values })
}

/// The depths of an image: of a format of depths, or of one component like these.
fn of_image(image: &ImageContents) -> Result<Depths, String> {
    let ImageContents { size: [width, height, depth], layers, levels, format, texels } = image;
    if (*depth, *layers, *levels) != (1, 1, 1) {
        return Err(format!("{depth} slices, {layers} layers and {levels} levels: an attachment has one of each"));
    }
    let words = || texels.0.as_chunks::<4>().0.iter();
    let of_unorm = |value: u32, bits: u32| (f64::from(value) / f64::from(u32::MAX >> (32 - bits))) as f32;
    let name = format.and_then(lanescope_core::run::inputs::VkFormat::name);
    let values: Vec<f32> = match name {
        Some("D32_SFLOAT" | "R32_SFLOAT") => words().map(|word| f32::from_le_bytes(*word)).collect(),
        Some("D16_UNORM" | "R16_UNORM") => {
            let halves = texels.0.as_chunks::<2>().0.iter();
            halves.map(|half| of_unorm(u16::from_le_bytes(*half).into(), 16)).collect()
        }
        Some("X8_D24_UNORM_PACK32") => {
            words().map(|word| of_unorm(u32::from_le_bytes(*word) & 0xff_ffff, 24)).collect()
        }
        other => {
            let found = other.unwrap_or("no known format");
            let known = "D32_SFLOAT, R32_SFLOAT, D16_UNORM, R16_UNORM or X8_D24_UNORM_PACK32";
            return Err(format!("it has {found}: depths are {known}"));
        }
    };
    let expected = u64::from(*width) * u64::from(*height);
    match values.len() as u64 == expected {
        true => Ok(Depths { size: Some([*width, *height]), values }),
        false => Err(format!("{} texels; {width}×{height} are expected", values.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_core::run::inputs::VkFormat;

    fn gray(depth: png::BitDepth, color: png::ColorType, data: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, 2, 1);
        encoder.set_color(color);
        encoder.set_depth(depth);
        encoder.write_header().and_then(|mut writer| writer.write_image_data(data)).expect("encodes");
        out
    }

    #[test]
    fn shades_are_depths() {
        let wide = gray(png::BitDepth::Sixteen, png::ColorType::Grayscale, &[0xff, 0xff, 0x33, 0x33]);
        assert_eq!(depths(&wide), Ok(Depths { size: Some([2, 1]), values: vec![1.0, 0.2] }));
        let narrow = gray(png::BitDepth::Eight, png::ColorType::Grayscale, &[0, 51]);
        assert_eq!(depths(&narrow), Ok(Depths { size: Some([2, 1]), values: vec![0.0, 0.2] }));
        let color = gray(png::BitDepth::Eight, png::ColorType::Rgb, &[0; 6]);
        assert!(depths(&color).is_err_and(|why| why.contains("shades of gray")));
        for length in 8..wide.len() {
            _ = depths(&wide[..length]);
        }
    }

    #[test]
    fn numbers_are_depths_within_0_and_1() {
        let bytes = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let found = depths(&bytes(&[0.5, 1.0])).expect("reads");
        let contents = found.contents([2, 1]).expect("fits");
        assert_eq!(
            (contents.per_pixel, contents.bytes.0.len(), &contents.bytes.0[16..]),
            (true, 32, &bytes(&[1.0, 0.0, 0.0, 1.0])[..])
        );
        assert_eq!(found.contents([2, 2]), Err("2 depths; the attachments have 2×2 pixels".to_owned()));
        assert_eq!(depths(&bytes(&[0.5, 2.0])), Err("depth 1 is 2, which is not within 0 to 1".to_owned()));
        assert!(depths(&bytes(&[f32::NAN])).is_err());
        assert!(depths(&[1, 2, 3]).is_err_and(|why| why.contains("3 bytes")));
    }

    #[test]
    fn images_of_depths_are_depths() {
        let image = |format: &str, texels: &[u8]| ImageContents {
            size: [1, 1, 1],
            layers: 1,
            levels: 1,
            format: VkFormat::named(format),
            texels: Blob(texels.to_vec()),
        };
        let one = |format: &str, texels: &[u8]| of_image(&image(format, texels)).map(|found| found.values);
        assert_eq!(one("D16_UNORM", &[0xff, 0xff]), Ok(vec![1.0]));
        assert_eq!(one("X8_D24_UNORM_PACK32", &[0, 0, 0, 0xff]), Ok(vec![0.0]));
        assert_eq!(one("D32_SFLOAT", &0.25f32.to_le_bytes()), Ok(vec![0.25]));
        assert!(one("R8G8B8A8_UNORM", &[0; 4]).is_err_and(|why| why.contains("R8G8B8A8_UNORM")));
        assert!(of_image(&ImageContents { levels: 2, ..image("D16_UNORM", &[0; 4]) }).is_err());
    }
}
