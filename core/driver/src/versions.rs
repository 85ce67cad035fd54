//! The versions of a program that are compiled, and the pipelines of each.

use super::executable::Version;
use lanescope_model::options::Options;
use lanescope_model::program::{Program, Stage, StageKind};
use lanescope_passes::packing::rewrite::rewrite as pack;
use lanescope_passes::workgroup::rewrite::rewrite as swizzle;

/// One version of a program, or why there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Versioned {
    /// Which it is.
    pub of: Version,
    /// The program. A version that has no meaning for the program's stages is not an error: it is left out of the list.
    pub program: Result<Program, String>,
    /// What is to be known of it: that its modules are those of the original.
    pub note: Option<String>,
}

/// The wanted versions of a program, in the order of [`Version::ALL`].
///
/// A pipeline without a fragment shader has no packed version, one without a workgroup no swizzled one.
pub fn versions(program: &Program, options: &Options, wanted: &[Version]) -> Vec<Versioned> {
    let has = |is: fn(StageKind) -> bool| program.stages.iter().any(|stage| is(stage.stage));
    let mut out = Vec::new();
    for &of in Version::ALL.iter().filter(|of| wanted.contains(of)) {
        let mut note = None;
        let made = match of {
            Version::Original => Ok(program.clone()),
            Version::Packed if !has(|stage| stage == StageKind::Fragment) => continue,
            Version::Packed => pack(program, options).map(|done| done.program).map_err(|error| error.to_string()),
            Version::Swizzled if !has(StageKind::has_workgroup) => continue,
            Version::Swizzled => match swizzle(program, options) {
                Ok(done) => {
                    if !done.stages.iter().any(|stage| stage.changed) {
                        note = done.stages.first().map(|stage| format!("swizzled as original: {}", stage.why));
                    }
                    Ok(done.program)
                }
                Err(error) => Err(error.to_string()),
            },
        };
        out.push(Versioned { of, program: made, note });
    }
    out
}

/// A program's pipelines as programs of their own: the graphics stages together, the ray tracing stages together, each
/// compute shader alone.
pub fn pipelines(program: &Program) -> Vec<Program> {
    let of = |kept: fn(StageKind) -> bool| -> Vec<Stage> {
        program.stages.iter().filter(|stage| kept(stage.stage)).cloned().collect()
    };
    let compute = of(|stage| stage == StageKind::Compute).into_iter().map(|stage| vec![stage]);
    let joined = [of(StageKind::is_graphics), of(StageKind::is_ray_tracing)];
    let all = joined.into_iter().filter(|stages| !stages.is_empty()).chain(compute);
    all.map(|stages| only(program, |stage| stages.contains(stage))).collect()
}

/// A program without some of its stages.
pub fn only(program: &Program, keep: impl Fn(&Stage) -> bool) -> Program {
    let mut out = program.clone();
    out.stages.retain(keep);
    out
}
