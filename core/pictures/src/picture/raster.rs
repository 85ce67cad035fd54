//! Pixels of a picture, with the window's fonts.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};

use super::{Picture, PngError, svg};

fn empty([width, height]: [u32; 2]) -> Result<Pixmap, PngError> {
    let size = PngError::Size { width: f64::from(width), height: f64::from(height) };
    Pixmap::new(width, height).ok_or(size)
}

fn encode(pixels: &Pixmap) -> Result<Vec<u8>, PngError> {
    pixels.encode_png().map_err(|error| PngError::Encode(error.to_string()))
}

/// A picture as PNG.
pub(super) fn picture(picture: &Picture, size: [u32; 2], scale: f32) -> Result<Vec<u8>, PngError> {
    let tree = usvg::Tree::from_str(&svg(picture), &options()).map_err(|error| PngError::Svg(error.to_string()))?;
    let mut pixels = empty(size)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    encode(&pixels)
}

/// Opaque pixels as PNG.
pub(super) fn pixels(size: [u32; 2], rgba: &[u8]) -> Result<Vec<u8>, PngError> {
    let mut pixels = empty(size)?;
    pixels.data_mut().copy_from_slice(rgba);
    encode(&pixels)
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
    use ecolor::Color32;
    use emath::{pos2, vec2};

    use super::super::{Anchor, Font, pixels_png, png};
    use super::*;

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
