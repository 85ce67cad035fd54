//! Files of images whose texels fill the images of a run, or its depth attachment.

mod dds;
mod depth;

use lanescope_core::gpu::image_of_rgba8;
use lanescope_core::program::Program;
use lanescope_core::run::Blob;
use lanescope_core::run::inputs::{ImageContents, VkFormat};

pub use depth::depths;

/// How a PNG file begins.
const PNG: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// How a KTX2 file begins.
const KTX2: [u8; 12] = *b"\xabKTX 20\xbb\r\n\x1a\n";
/// How a DDS file begins.
const DDS: [u8; 4] = dds::MAGIC;
/// The most pixels of a picture.
const MOST_PIXELS: u64 = 4096 * 4096;

/// Whether these are the bytes of such a file.
pub fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(&PNG) || bytes.starts_with(&KTX2) || bytes.starts_with(&DDS)
}

/// The texels of a file for an image of a program.
///
/// # Errors
/// A file that cannot be read as what it begins like; an image that holds no such texels.
pub fn contents(program: &Program, place: (u32, u32), bytes: &[u8]) -> Result<ImageContents, String> {
    if bytes.starts_with(&KTX2) {
        return ktx2_levels(bytes).map_err(|why| format!("the KTX2 file: {why}"));
    }
    if bytes.starts_with(&DDS) {
        return dds::levels(bytes).map_err(|why| format!("the DDS file: {why}"));
    }
    let (size, rgba) = pixels(bytes).map_err(|why| format!("the PNG file: {why}"))?;
    image_of_rgba8(program, place, size, &rgba)
}

/// The levels, layers and faces of a KTX2 file, in its format.
fn ktx2_levels(bytes: &[u8]) -> Result<ImageContents, String> {
    let reader = ktx2::Reader::new(bytes).map_err(|error| error.to_string())?;
    let header = reader.header();
    if let Some(scheme) = header.supercompression_scheme {
        return Err(format!("its levels are compressed (scheme {}), which is not supported", scheme.value()));
    }
    let format = header.format.and_then(|format| i32::try_from(format.value()).ok());
    let format = VkFormat(format.ok_or("it has no Vulkan format")?);
    let mut texels = Vec::new();
    // They do not overlap, so all together are no longer than the file.
    for level in reader.levels() {
        if texels.len() + level.data.len() > bytes.len() {
            return Err("its levels are longer than the file".to_owned());
        }
        texels.extend_from_slice(level.data);
    }
    Ok(ImageContents {
        size: [header.pixel_width, header.pixel_height, header.pixel_depth].map(|side| side.max(1)),
        layers: header.layer_count.max(1).saturating_mul(header.face_count.max(1)),
        levels: header.level_count.max(1),
        format: Some(format),
        texels: Blob(texels),
    })
}

/// The pixels of a PNG file, four bytes each, and how many in a row and in a column.
pub fn pixels(bytes: &[u8]) -> Result<([u32; 2], Vec<u8>), String> {
    let (frame, out) =
        decoded(bytes, png::Transformations::normalize_to_color8() | png::Transformations::ALPHA, MOST_PIXELS)?;
    let rgba = match frame.color_type {
        png::ColorType::Rgba => out,
        png::ColorType::GrayscaleAlpha => {
            out.as_chunks::<2>().0.iter().flat_map(|[gray, alpha]| [*gray, *gray, *gray, *alpha]).collect()
        }
        _ => return Err("its colors have neither three channels nor one".to_owned()),
    };
    Ok(([frame.width, frame.height], rgba))
}

/// The first frame of a PNG file and its bytes, of so many pixels at most.
fn decoded(bytes: &[u8], with: png::Transformations, most: u64) -> Result<(png::OutputInfo, Vec<u8>), String> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(with);
    let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
    let (width, height) = reader.info().size();
    if u64::from(width) * u64::from(height) > most {
        return Err(format!("{width}×{height} pixels; at most {most} are read"));
    }
    let mut out = vec![0; reader.output_buffer_size().ok_or("it is too large")?];
    let frame = reader.next_frame(&mut out).map_err(|error| error.to_string())?;
    out.truncate(frame.buffer_size());
    Ok((frame, out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_four_channels() {
        let encode = |color, data: &[u8]| {
            let mut out = Vec::new();
            let mut encoder = png::Encoder::new(&mut out, 2, 1);
            encoder.set_color(color);
            encoder.set_depth(png::BitDepth::Eight);
            encoder.write_header().and_then(|mut writer| writer.write_image_data(data)).expect("encodes");
            out
        };
        let rgb = encode(png::ColorType::Rgb, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(pixels(&rgb), Ok(([2, 1], vec![1, 2, 3, 255, 4, 5, 6, 255])));
        let gray = encode(png::ColorType::Grayscale, &[7, 8]);
        assert_eq!(pixels(&gray), Ok(([2, 1], vec![7, 7, 7, 255, 8, 8, 8, 255])));
        assert!(pixels(&rgb[..40]).is_err() && pixels(&PNG).is_err());
    }

    /// A KTX2 file of two levels, 2x1 and 1x1 texels of R8G8B8A8_UINT.
    fn ktx2(change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
        let mut out = KTX2.to_vec();
        let words = |out: &mut Vec<u8>, words: &[u32]| out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        // Format, size of a component, width, height, depth, layers, faces, levels, scheme.
        words(&mut out, &[41, 1, 2, 1, 0, 0, 1, 2, 0]);
        // The descriptor of the format; no keys; no global data.
        words(&mut out, &[128, 28, 0, 0, 0, 0, 0, 0]);
        for (offset, bytes) in [(160u64, 8u64), (168, 4)] {
            out.extend([offset, bytes, bytes].iter().flat_map(|word| word.to_le_bytes()));
        }
        words(&mut out, &[28, 0, 24 << 16 | 2, 0, 0, 4, 0, 0]);
        out.extend(0..12);
        change(&mut out);
        out
    }

    #[test]
    fn levels_of_a_file_follow_each_other() {
        let found = ktx2_levels(&ktx2(|_| {})).expect("reads");
        assert_eq!((found.size, found.layers, found.levels), ([2, 1, 1], 1, 2));
        assert_eq!(found.format.and_then(VkFormat::name), Some("R8G8B8A8_UINT"));
        assert_eq!(found.texels.0, (0..12).collect::<Vec<u8>>());
        assert!(ktx2_levels(&ktx2(|file| file[44] = 2)).is_err_and(|why| why.contains("compressed")));
        assert!(ktx2_levels(&ktx2(|file| file[12] = 0)).is_err_and(|why| why.contains("no Vulkan format")));
        for length in 0..172 {
            _ = ktx2_levels(&ktx2(|file| file.truncate(length)));
        }
    }
}
