//! Pictures of a report without a window: what `lanescope draw` writes.

use lanescope_core::report::Report;

use crate::context::PictureKind;
pub use crate::picture::{Picture, PngError, pixels_png, png, svg};
use crate::theme::Theme;
use crate::{packing, workgroup};

/// A report's picture, in the window's own shapes; `None` where the report has no such artifact.
///
/// Of several layouts the first is drawn, every z slice of it, coloured by wave.
pub fn picture(kind: PictureKind, report: &Report, theme: &Theme) -> Option<Picture> {
    match kind {
        PictureKind::Packing => report.packing.as_ref().map(|packing| packing::picture(packing, theme)),
        PictureKind::Workgroup => {
            let settings = workgroup::MapSettings::default();
            report.workgroup.first().map(|layout| workgroup::picture(layout, &settings, theme))
        }
        PictureKind::GroupMap => report.group_map.as_ref().map(|map| workgroup::group_map_picture(map, theme)),
    }
}
