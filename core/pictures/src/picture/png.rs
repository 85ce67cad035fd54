//! A picture as PNG: its SVG, rasterised with the window's fonts.

use super::Picture;
#[cfg(feature = "png")]
use super::raster;

/// Pixels of the largest picture: 256 MiB while it is drawn.
const MOST_PIXELS: f64 = (64 << 20) as f64;
/// Pixels of the longest side.
const LONGEST_SIDE: f64 = 32_767.0;

/// Whether this build writes PNG files.
pub const PNG: bool = cfg!(feature = "png");

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
    Svg(String),
    /// The encoder failed.
    #[error("the picture could not be encoded: {0}")]
    Encode(String),
    /// This build has no rasteriser.
    #[error("this build writes no PNG files: it has been built without the feature `window`; SVG works")]
    NotBuilt,
}

/// The picture as the bytes of a PNG file, `scale` pixels to a point (2 suits most screens and reports).
///
/// # Errors
/// The picture is too large, or this build has no rasteriser.
pub fn png(picture: &Picture, scale: f32) -> Result<Vec<u8>, PngError> {
    let side = |points: f32| (f64::from(points) * f64::from(scale)).ceil();
    let (width, height) = (side(picture.size.x), side(picture.size.y));
    let fits = |side: f64| (1.0..=LONGEST_SIDE).contains(&side);
    if !fits(width) || !fits(height) || width * height > MOST_PIXELS {
        return Err(PngError::Size { width, height });
    }
    // Both sides were checked above.
    #[cfg(feature = "png")]
    return raster::picture(picture, [width as u32, height as u32], scale);
    #[cfg(not(feature = "png"))]
    Err(PngError::NotBuilt)
}

/// Pixels as the bytes of a PNG file: red, green, blue and alpha of each, row by row, opaque.
///
/// # Errors
/// The number of bytes is another, they are too many, or this build has no encoder.
pub fn pixels_png(width: u32, height: u32, rgba: &[u8]) -> Result<Vec<u8>, PngError> {
    let (columns, rows) = (f64::from(width), f64::from(height));
    if columns * rows > MOST_PIXELS || columns * rows * 4.0 != rgba.len() as f64 {
        return Err(PngError::Size { width: columns, height: rows });
    }
    #[cfg(feature = "png")]
    return raster::pixels([width, height], rgba);
    #[cfg(not(feature = "png"))]
    Err(PngError::NotBuilt)
}

#[cfg(test)]
mod tests {
    use ecolor::Color32;
    use emath::vec2;

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
}
