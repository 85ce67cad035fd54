//! A picture as PNG: its SVG, rasterised with the window's fonts.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};

use super::{Picture, svg};

/// Pixels of the largest picture: 256 MiB while it is drawn.
const MOST_PIXELS: f64 = (64 << 20) as f64;
/// Pixels of the longest side.
const LONGEST_SIDE: f64 = 32_767.0;

/// Why there is no PNG.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The picture has too many pixels, or none.
    #[error("a picture of {width:.0} x {height:.0} pixels cannot be written as PNG; choose a smaller scale, or SVG")]
    Size {
        /// In pixels.
        width: f64,
        /// In pixels.
        height: f64,
    },
    /// The rasteriser did not take the SVG.
    #[error("the picture's SVG could not be read back: {0}")]
    Svg(#[from] usvg::Error),
    /// The encoder failed.
    #[error("the picture could not be encoded: {0}")]
    Encode(String),
}

/// The picture as the bytes of a PNG file, `scale` pixels to a point (2 suits most screens and reports).
pub fn png(picture: &Picture, scale: f32) -> Result<Vec<u8>, PngError> {
    let side = |points: f32| (f64::from(points) * f64::from(scale)).ceil();
    let (width, height) = (side(picture.size.x), side(picture.size.y));
    let fits = |side: f64| (1.0..=LONGEST_SIDE).contains(&side);
    if !fits(width) || !fits(height) || width * height > MOST_PIXELS {
        return Err(PngError::Size { width, height });
    }
    let tree = usvg::Tree::from_str(&svg(picture), &options())?;
    // Both sides were checked above.
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or(PngError::Size { width, height })?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encode(error.to_string()))
}

/// Pixels as the bytes of a PNG file: red, green, blue and alpha of each, row by row, opaque.
pub fn pixels_png(width: u32, height: u32, rgba: &[u8]) -> Result<Vec<u8>, PngError> {
    let size = || PngError::Size { width: f64::from(width), height: f64::from(height) };
    if f64::from(width) * f64::from(height) > MOST_PIXELS {
        return Err(size());
    }
    let mut pixels = Pixmap::new(width, height).ok_or_else(size)?;
    if pixels.data().len() != rgba.len() {
        return Err(size());
    }
    pixels.data_mut().copy_from_slice(rgba);
    pixels.encode_png().map_err(|error| PngError::Encode(error.to_string()))
}

/// Options with the window's fonts, and no others: the same pixels on every machine.
fn options() -> usvg::Options<'static> {
    static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
        fonts.load_font_data(epaint_default_fonts::HACK_REGULAR.to_vec());
        fonts.set_sans_serif_family("Ubuntu");
        fonts.set_monospace_family("Hack");
        Arc::new(fonts)
    });
    usvg::Options { fontdb: FONTS.clone(), font_family: "Ubuntu".to_owned(), ..Default::default() }
}

#[cfg(test)]
mod tests {
    use egui::{Color32, pos2, vec2};

    use super::super::{Anchor, Font};
    use super::*;

    #[test]
    fn rejects_a_picture_that_is_too_large_without_allocating() {
        let mut picture = Picture::new("large", Color32::WHITE);
        for (size, scale) in [
            (vec2(1e9, 1e9), 2.0),
            (vec2(40_000.0, 1.0), 1.0),
            (vec2(20_000.0, 20_000.0), 1.0),
            (vec2(0.0, 10.0), 2.0),
            (vec2(f32::NAN, 10.0), 2.0),
            (vec2(100.0, 100.0), f32::INFINITY),
            (vec2(100.0, 100.0), -1.0),
        ] {
            picture.size = size;
            assert!(matches!(png(&picture, scale), Err(PngError::Size { .. })), "{size} at {scale}");
        }
    }

    #[test]
    fn rejects_pixels_of_the_wrong_size() {
        let png = pixels_png(2, 1, &[255, 0, 0, 255, 0, 0, 255, 255]).expect("two pixels");
        let read = Pixmap::decode_png(&png).expect("is a PNG");
        assert_eq!((read.width(), read.height(), &read.data()[..4]), (2, 1, &[255, 0, 0, 255][..]));
        assert!(matches!(pixels_png(2, 2, &[0; 8]), Err(PngError::Size { .. })));
        assert!(matches!(pixels_png(u32::MAX, u32::MAX, &[]), Err(PngError::Size { .. })));
    }

    #[test]
    fn finds_both_fonts() {
        let draw = |font| {
            let mut picture = Picture::new("text", Color32::WHITE);
            picture.text(pos2(2.0, 10.0), Anchor::Start, 12.0, font, Color32::BLACK, "wiwiwi");
            picture.size = vec2(60.0, 20.0);
            png(&picture, 1.0).expect("a small picture")
        };
        let (words, code) = (draw(Font::Words), draw(Font::Code));
        assert_ne!(words, code);
        let blank = {
            let mut picture = Picture::new("blank", Color32::WHITE);
            picture.size = vec2(60.0, 20.0);
            png(&picture, 1.0).expect("a small picture")
        };
        assert_ne!(words, blank);
        assert_ne!(code, blank);
    }
}
