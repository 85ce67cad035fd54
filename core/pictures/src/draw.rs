//! Pictures of a report without a window: what `lanescope draw` writes.

use lanescope_core::driver::assignment::assignments;
use lanescope_core::options::KeyRule;
use lanescope_core::report::Report;
use lanescope_core::workgroup::RuleMap;

pub use crate::picture::{FileFormat, PNG, Picture, PngError, pixels_png, png, svg};
use crate::theme::Theme;
use crate::{dxil, graph, guessed_layout, packing, workgroup};

pub use crate::compare::picture as comparison;

/// A picture that can be drawn without a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureKind {
    /// The slot grids, before and after.
    Packing,
    /// The slots of a fragment shader's interface as each compiler assigns them.
    Varyings,
    /// The lane map.
    Workgroup,
    /// The map of groups.
    GroupMap,
    /// Where two rule sets of workgroup layouts differ.
    Rules,
    /// The guessed layout against the application's.
    Layout,
    /// The parts of a DXIL container.
    DxilParts,
    /// A DXIL container's signatures by register.
    DxilSignatures,
    /// The root signature of a DXIL container.
    RootSignature,
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
        PictureKind::Varyings => {
            let packing = report.packing.as_ref()?;
            // What a compiler makes of the original is drawn: without any there is nothing but the packing.
            let all = assignments(packing, &report.driver_layouts);
            let has_compilers = all.iter().any(|own| own.link().is_some());
            has_compilers.then(|| packing::assigned(packing, &report.driver_layouts, theme))
        }
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
        PictureKind::RootSignature => {
            let mut all = report.dxil.iter().flat_map(|summary| summary.all());
            all.find_map(|summary| dxil::root_signature(summary, theme))
        }
        PictureKind::Graph => report.graph.as_ref().map(|is| graph::picture(is, theme)),
        PictureKind::Rules => report.workgroup.first().map(|layout| {
            let [x, y, _] = layout.size;
            workgroup::rule_map_picture(&RuleMap::of(&layout.facts(&report.options)), [x, y], theme)
        }),
        PictureKind::GroupMap => report.group_map.as_ref().map(|map| workgroup::group_map_picture(map, theme)),
    }
}
