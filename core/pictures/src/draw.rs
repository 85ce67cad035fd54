//! Pictures of a report without a window: what `lanescope draw` writes.

use lanescope_core::options::KeyRule;
use lanescope_core::report::Report;

pub use crate::picture::{PNG, Picture, PngError, pixels_png, png, svg};
use crate::theme::Theme;
use crate::{dxil, graph, guessed_layout, packing, workgroup};

pub use crate::compare::picture as comparison;

/// A picture that can be drawn without a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureKind {
    /// The slot grids, before and after.
    Packing,
    /// The lane map.
    Workgroup,
    /// The map of groups.
    GroupMap,
    /// The guessed layout against the application's.
    Layout,
    /// The parts of a DXIL container.
    DxilParts,
    /// A DXIL container's signatures by register.
    DxilSignatures,
    /// A work graph's nodes and edges.
    Graph,
}

/// A report's picture, in the window's own shapes; `None` where the report has no such artifact.
///
/// Of several layouts or containers the first is drawn, every z slice of it, coloured by wave.
pub fn picture(kind: PictureKind, report: &Report, theme: &Theme) -> Option<Picture> {
    match kind {
        PictureKind::Packing => report.packing.as_ref().map(|packing| {
            let flags = packing::flags(report, packing);
            packing::flagged_picture(packing, &flags, theme)
        }),
        PictureKind::Workgroup => {
            let settings = workgroup::MapSettings::default();
            report.workgroup.first().map(|layout| workgroup::picture(layout, &settings, theme))
        }
        PictureKind::Layout => report.partial.first().map(|stage| guessed_layout::picture(stage, KeyRule::Note, theme)),
        PictureKind::DxilParts => report.dxil.as_ref().map(|summary| dxil::file_map(summary, theme)),
        PictureKind::DxilSignatures => {
            let summary = report.dxil.as_ref().filter(|summary| dxil::has_signatures(summary));
            summary.map(|summary| dxil::signatures(summary, theme))
        }
        PictureKind::Graph => report.graph.as_ref().map(|is| graph::picture(is, theme)),
        PictureKind::GroupMap => report.group_map.as_ref().map(|map| workgroup::group_map_picture(map, theme)),
    }
}

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
