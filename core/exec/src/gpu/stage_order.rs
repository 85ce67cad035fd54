//! Which stages can be one pipeline.

use lanescope_model::program::StageKind;

use super::GpuError;

/// Whether some stages can be a pipeline: drivers rely on it, and some of them crash where a stage is missing.
pub(crate) fn check_order(kinds: &[StageKind]) -> Result<(), GpuError> {
    use StageKind::{Geometry, Mesh, Task, TessControl, TessEval, Vertex};
    let has = |kind: StageKind| kinds.contains(&kind);
    let needs = |kind: StageKind, other: StageKind| {
        let message = format!("the {kind} shader needs a {other} shader in its pipeline");
        Err(GpuError::Unsupported(message))
    };
    for (kind, other) in
        [(TessControl, TessEval), (TessEval, TessControl), (TessControl, Vertex), (Geometry, Vertex), (Task, Mesh)]
    {
        if has(kind) && !has(other) {
            return needs(kind, other);
        }
    }
    if let Some(other) = [Vertex, TessControl, Geometry].into_iter().find(|kind| has(Mesh) && has(*kind)) {
        return Err(GpuError::Unsupported(format!(
            "a pipeline starts with a mesh shader or with a {other} shader, not both"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_stages_that_form_no_pipeline() {
        use StageKind::{Fragment, Geometry, Mesh, Task, TessControl, TessEval, Vertex};
        let rows: [(&[StageKind], &str); 6] = [
            (&[Geometry, Fragment], "the geometry shader needs a vertex shader"),
            (&[TessControl, TessEval, Fragment], "the tess_control shader needs a vertex shader"),
            (&[Vertex, TessEval], "the tess_eval shader needs a tess_control shader"),
            (&[Vertex, TessControl], "the tess_control shader needs a tess_eval shader"),
            (&[Task, Fragment], "the task shader needs a mesh shader"),
            (&[Vertex, Mesh], "not both"),
        ];
        for (kinds, words) in rows {
            let error = check_order(kinds).expect_err("is no pipeline");
            assert!(error.is_missing() && error.to_string().contains(words), "{error}");
        }
        for kinds in [&[Vertex][..], &[Fragment], &[Mesh], &[Task, Mesh, Fragment], &[Vertex, TessControl, TessEval]] {
            assert_eq!(check_order(kinds), Ok(()));
        }
    }
}
