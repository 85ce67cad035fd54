//! What a picture is written as.

use super::{PNG, Picture, PngError, png, svg};

/// A file format that pictures are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// Scalable.
    Svg,
    /// Two pixels a point: sharp on paper and on dense screens.
    Png,
}

impl FileFormat {
    /// The format that a file's extension names, in any case; `None` for others.
    pub fn of(extension: &str) -> Option<FileFormat> {
        match extension.to_ascii_lowercase().as_str() {
            "svg" => Some(FileFormat::Svg),
            "png" => Some(FileFormat::Png),
            _ => None,
        }
    }

    /// Whether this build writes it.
    pub fn is_built(self) -> bool {
        self == FileFormat::Svg || PNG
    }

    /// The file's content.
    ///
    /// # Errors
    /// A picture too large for pixels, or a build without them.
    pub fn bytes(self, picture: &Picture) -> Result<Vec<u8>, PngError> {
        match self {
            FileFormat::Svg => Ok(svg(picture).into_bytes()),
            FileFormat::Png => png(picture, 2.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selects_formats_by_extension_and_writes_their_signature() {
        let mut picture = Picture::new("one cell", ecolor::Color32::WHITE);
        picture.size = emath::vec2(8.0, 4.0);
        for (extension, begin) in [("svg", &b"<svg"[..]), ("PNG", b"\x89PNG")] {
            let format = FileFormat::of(extension).expect("known");
            if !format.is_built() {
                assert!(matches!(format.bytes(&picture), Err(PngError::NotBuilt)));
                continue;
            }
            assert!(format.bytes(&picture).expect("small").starts_with(begin), "{extension}");
        }
        assert_eq!(FileFormat::of("pdf"), None);
    }
}
