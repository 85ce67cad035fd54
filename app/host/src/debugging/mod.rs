//! The rewritten program in the debugger, for the command line and the window.

pub mod report;

use std::time::Duration;

use lanescope_core::gpu::interpret::{DrawCall, DrawPlace, Launch};
use lanescope_core::gpu::{Inputs, position_of};
use lanescope_core::interpreter::Options as Limits;
use lanescope_core::options::{DerivativesBy, Options};
use lanescope_core::program::Program;
use lanescope_core::specialised;
use lanescope_inspector::settings::Passes;

use crate::rewriting::Rewritten;

/// How long the stages before a fragment may take.
pub const VERTEX_TIME: Duration = Duration::from_secs(20);

/// What of a program is launched.
#[derive(Debug, Clone, Copy)]
pub enum LaunchPlace {
    /// A workgroup.
    Group([u32; 3]),
    /// A part of the scene.
    Draw(DrawPlace),
}

/// The rewritten program of `given`, and the same invocations of it as those of a launch of the original: lane l of wave
/// w has the same local id in both. Both programs draw the same triangles if `inputs` have their position
/// ([`with_position`]).
///
/// # Errors
/// Why nothing is rewritten, or why the rewritten program cannot be launched.
pub fn rewritten(
    given: &Program,
    options: &Options,
    passes: Passes,
    original: &Launch,
    place: LaunchPlace,
    inputs: &Inputs,
    limits: Limits,
) -> Result<(Launch, Program), String> {
    let by = match options.derivatives_by {
        // The interpreter has them.
        DerivativesBy::Auto => DerivativesBy::Native,
        by => by,
    };
    let options = Options { derivatives_by: by, ..options.clone() };
    let rewritten = Rewritten::new(given, &options, passes, None)?;
    if let Some(why) = rewritten.why_same(given) {
        return Err(format!("the rewritten program is the original: {why}"));
    }
    let program = specialised(rewritten.program(given), &options).map_err(|error| error.to_string())?;
    let mut program = program.into_owned();
    // Instructions that stay come from the same lines.
    for (module, original) in program.modules.iter_mut().zip(&given.modules) {
        module.source.clone_from(&original.source);
        module.source_place.clone_from(&original.source_place);
    }
    let launch = match place {
        // A rewritten program maps its ids by itself, in waves of the same size.
        LaunchPlace::Group(group) => {
            let groups = (Some(original.dispatch.groups), Some(group));
            Launch::new(&program, &original.waves.alone(), groups, inputs, limits)
        }
        LaunchPlace::Draw(place) => {
            let call = DrawCall { wave: original.waves.lanes.subgroup_size, place, groups: options.groups };
            Launch::draw(&program, call, inputs, limits, VERTEX_TIME)
        }
    };
    Ok((launch.map_err(|error| error.to_string())?, program))
}

/// The inputs with the attribute that is the position in the given program: the rewritten one draws the same triangles.
pub fn with_position(inputs: &Inputs, given: &Program) -> Inputs {
    Inputs { position: inputs.position.or_else(|| position_of(given)), ..inputs.clone() }
}
