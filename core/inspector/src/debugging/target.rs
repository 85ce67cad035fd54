//! What of a draw of the scene is debugged.

use lanescope_core::gpu::interpret::DrawPlace;
use lanescope_core::program::StageKind;
use lanescope_core::report::Report;

/// What of a draw of the scene is debugged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawTarget {
    /// The last fragment that covers a pixel; without a pixel the one in the middle, or the first one that is covered.
    Pixel(Option<[u32; 2]>),
    /// An invocation of a stage before the fragments, by as many numbers as [`numbers_of`] names.
    Stage(StageKind, [u32; 3]),
}

/// The stages before the fragments that can be debugged, in pipeline order.
fn stages() -> impl Iterator<Item = StageKind> {
    DrawPlace::FIRST.into_iter().filter_map(DrawPlace::stage)
}

/// What the numbers of a stage's target are: the patch and its invocation, a workgroup. Empty for other stages.
pub fn numbers_of(stage: StageKind) -> &'static [&'static str] {
    match stage {
        StageKind::Vertex => &["vertex"],
        StageKind::TessControl => &["patch", "invocation"],
        StageKind::TessEval => &["point"],
        StageKind::Geometry => &["primitive", "invocation"],
        StageKind::Task | StageKind::Mesh => &["x", "y", "z"],
        _ => &[],
    }
}

impl DrawTarget {
    /// The targets of a program: a pixel, and the first invocation of each stage before the fragments.
    pub fn of(report: &Report) -> Vec<DrawTarget> {
        let has = |kind| report.stages.iter().any(|stage| stage.stage == kind);
        let stages = stages().filter(|kind| has(*kind)).map(|kind| DrawTarget::Stage(kind, [0; 3]));
        std::iter::once(DrawTarget::Pixel(None)).chain(stages).collect()
    }

    /// Parses a stage and its numbers: `vertex 4`, `tess_control 1 2`, `mesh 1,0,0`. Numbers that are left out are 0.
    ///
    /// # Errors
    /// What was expected.
    pub fn parse(text: &str) -> Result<DrawTarget, String> {
        let wrong = || {
            let stages: Vec<_> = stages().map(StageKind::name).collect();
            format!("Not an invocation: `{text}` (expected {}, and numbers)", stages.join(", "))
        };
        let mut words = text.split([' ', ',', '.']).filter(|word| !word.is_empty());
        let name = words.next().ok_or_else(wrong)?;
        let stage = stages().find(|kind| kind.name() == name).ok_or_else(wrong)?;
        let names = numbers_of(stage);
        let mut numbers = [0; 3];
        for (at, word) in words.enumerate() {
            let number = word.parse().ok().filter(|_| at < names.len());
            *numbers.get_mut(at).ok_or_else(wrong)? = number.ok_or_else(wrong)?;
        }
        Ok(DrawTarget::Stage(stage, numbers))
    }

    /// Its text, as [`DrawTarget::parse`] reads it; the pixel's two numbers.
    pub fn text(self) -> String {
        match self {
            DrawTarget::Pixel(pixel) => pixel.map(|[x, y]| format!("{x} {y}")).unwrap_or_default(),
            DrawTarget::Stage(stage, numbers) => {
                let numbers = numbers.iter().take(numbers_of(stage).len()).map(|number| format!(" {number}"));
                format!("{}{}", stage.name(), numbers.collect::<String>())
            }
        }
    }

    /// The place in the draw.
    pub fn place(self) -> DrawPlace {
        match self {
            DrawTarget::Pixel(pixel) => DrawPlace::Pixel(pixel),
            DrawTarget::Stage(stage, [x, y, z]) => match stage {
                StageKind::TessControl => DrawPlace::Patch { patch: x, invocation: y },
                StageKind::TessEval => DrawPlace::Point(x),
                StageKind::Geometry => DrawPlace::Primitive { primitive: x, invocation: y },
                StageKind::Task => DrawPlace::Task([x, y, z]),
                StageKind::Mesh => DrawPlace::Mesh([x, y, z]),
                _ => DrawPlace::Vertex(x),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_a_stage_and_its_numbers() {
        let vertex = DrawTarget::Stage(StageKind::Vertex, [4, 0, 0]);
        assert_eq!((DrawTarget::parse("vertex 4"), vertex.text().as_str()), (Ok(vertex), "vertex 4"));
        let patch = DrawTarget::Stage(StageKind::TessControl, [1, 2, 0]);
        assert_eq!((DrawTarget::parse("tess_control 1.2"), patch.text().as_str()), (Ok(patch), "tess_control 1 2"));
        assert_eq!(patch.place(), DrawPlace::Patch { patch: 1, invocation: 2 });
        assert_eq!(DrawTarget::parse("mesh 1, 0, 3"), Ok(DrawTarget::Stage(StageKind::Mesh, [1, 0, 3])));
        assert_eq!(DrawTarget::parse(" geometry "), Ok(DrawTarget::Stage(StageKind::Geometry, [0; 3])));
        for wrong in ["", "4", "vertex 1 2", "fragment 1", "mesh 1 2 3 4", "vertex x"] {
            assert!(DrawTarget::parse(wrong).is_err_and(|why| why.contains("tess_eval")), "{wrong}");
        }
    }
}
