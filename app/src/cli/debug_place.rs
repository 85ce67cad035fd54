//! Which invocation of a graphics pipeline `lanescope debug` steps.

use clap::Args;
use lanescope_core::gpu::interpret::DrawPlace;
use lanescope_core::program::{Program, StageKind};

use super::CliError;
use super::args;
use super::debug::triple;

/// A place in a draw of the scene.
#[derive(Debug, Args)]
pub(super) struct Place {
    /// The pixel of the scene, of 64×64: its last fragment [default: 32,32, or the first one that is covered]
    #[arg(
        long,
        value_name = "X,Y",
        value_parser = args::numbers::<2>,
        conflicts_with_all = ["group", "invocation", "lane"],
        help_heading = "Debugger"
    )]
    pixel: Option<[u32; 2]>,

    /// The vertex of the scene, of 18: steps the vertex shader
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["group", "invocation", "lane", "pixel"],
        help_heading = "Debugger"
    )]
    vertex: Option<u32>,

    /// The patch of the scene, and its invocation: steps the tessellation control shader
    #[arg(
        long,
        value_name = "N[.I]",
        value_parser = number_and_invocation,
        conflicts_with_all = ["group", "invocation", "lane", "pixel", "vertex"],
        help_heading = "Debugger"
    )]
    patch: Option<(u32, u32)>,

    /// The tessellated point, counted over all patches: steps the tessellation evaluation shader
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["group", "invocation", "lane", "pixel", "vertex", "patch"],
        help_heading = "Debugger"
    )]
    point: Option<u32>,

    /// The primitive that a geometry shader takes, and its invocation: steps the geometry shader
    #[arg(
        long,
        value_name = "N[.I]",
        value_parser = number_and_invocation,
        conflicts_with_all = ["group", "invocation", "lane", "pixel", "vertex", "patch", "point"],
        help_heading = "Debugger"
    )]
    primitive: Option<(u32, u32)>,

    /// The workgroup of a task shader: steps the task shader
    #[arg(
        long,
        value_name = "X,Y,Z",
        value_parser = triple,
        conflicts_with_all = ["group", "pixel", "vertex", "patch", "point", "primitive"],
        help_heading = "Debugger"
    )]
    task: Option<[u32; 3]>,
}

impl Place {
    /// What is stepped of a graphics pipeline; absent for a compute shader. `group` and `in_group` are what chooses a
    /// workgroup, and an invocation in it.
    ///
    /// # Errors
    /// A flag for another kind of program.
    pub fn of_program(
        &self,
        program: &Program,
        group: Option<[u32; 3]>,
        in_group: bool,
    ) -> Result<Option<DrawPlace>, CliError> {
        let has = |kind| program.stages.iter().any(|stage| stage.stage == kind);
        let is_draw = program.stages.iter().any(|stage| stage.stage.is_graphics());
        let is_mesh = has(StageKind::Mesh) || has(StageKind::Task);
        let groups = "a compute or mesh shader";
        let flags = [
            ("--group", group.is_some(), !is_draw || is_mesh, groups),
            ("--invocation or --lane", in_group, !is_draw || is_mesh, groups),
            ("--pixel", self.pixel.is_some(), is_draw, "a graphics pipeline"),
            ("--vertex", self.vertex.is_some(), has(StageKind::Vertex), "a pipeline with a vertex shader"),
            (
                "--patch",
                self.patch.is_some(),
                has(StageKind::TessControl),
                "a pipeline with a tessellation control shader",
            ),
            (
                "--point",
                self.point.is_some(),
                has(StageKind::TessEval),
                "a pipeline with a tessellation evaluation shader",
            ),
            ("--primitive", self.primitive.is_some(), has(StageKind::Geometry), "a pipeline with a geometry shader"),
            ("--task", self.task.is_some(), has(StageKind::Task), "a pipeline with a task shader"),
        ];
        if let Some((flag, .., expected)) = flags.iter().find(|(_, given, fits, _)| *given && !*fits) {
            return Err(CliError::Unusable(format!("{flag}: the program is not {expected}")));
        }
        if !is_draw {
            return Ok(None);
        }
        let given = [
            self.pixel.map(|pixel| DrawPlace::Pixel(Some(pixel))),
            self.vertex.map(DrawPlace::Vertex),
            self.patch.map(|(patch, invocation)| DrawPlace::Patch { patch, invocation }),
            self.point.map(DrawPlace::Point),
            self.primitive.map(|(primitive, invocation)| DrawPlace::Primitive { primitive, invocation }),
            self.task.map(DrawPlace::Task),
            group.or(in_group.then_some([0; 3])).map(DrawPlace::Mesh),
        ];
        Ok(Some(given.into_iter().flatten().next().unwrap_or_else(|| last(has))))
    }
}

/// The last stage of a pipeline, at its first invocation.
fn last(has: impl Fn(StageKind) -> bool) -> DrawPlace {
    let is_in = |place: &DrawPlace| has(place.stage().unwrap_or(StageKind::Fragment));
    DrawPlace::FIRST.into_iter().rev().find(is_in).unwrap_or(DrawPlace::Pixel(None))
}

/// Parses `N` or `N.I`.
fn number_and_invocation(text: &str) -> Result<(u32, u32), String> {
    let (number, invocation) = text.split_once('.').unwrap_or((text, "0"));
    let parsed = number.trim().parse().ok().zip(invocation.trim().parse().ok());
    parsed.ok_or_else(|| format!("invalid number `{text}`: expected N or N.INVOCATION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_may_have_an_invocation() {
        assert_eq!(number_and_invocation("4"), Ok((4, 0)));
        assert_eq!(number_and_invocation("4.2"), Ok((4, 2)));
        assert!(number_and_invocation("4.").is_err() && number_and_invocation("x").is_err());
    }

    #[test]
    fn the_last_stage_is_stepped_where_nothing_is_named() {
        let of = |kinds: &[StageKind]| last(|kind| kinds.contains(&kind));
        assert_eq!(of(&[StageKind::Vertex]), DrawPlace::Vertex(0));
        assert_eq!(of(&[StageKind::Vertex, StageKind::Geometry]), DrawPlace::Primitive { primitive: 0, invocation: 0 });
        assert_eq!(of(&[StageKind::Task, StageKind::Mesh]), DrawPlace::Mesh([0; 3]));
        assert_eq!(of(&[StageKind::Mesh, StageKind::Fragment]), DrawPlace::Pixel(None));
    }
}
