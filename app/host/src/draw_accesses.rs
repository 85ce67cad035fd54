//! The memory accesses of a graphics pipeline: its draw, run in the interpreter and counted.

use std::time::{Duration, Instant};

use lanescope_core::cost::Settings;
use lanescope_core::cost::fragments::{
    DrawAccesses, FragmentCost, FragmentMachine, FragmentSubject, LANES, fragment_cost,
};
use lanescope_core::cost::interface::fragment_wave;
use lanescope_core::gpu::interpret::{DrawCall, DrawPlace, Launch};
use lanescope_core::gpu::{GpuError, Inputs};
use lanescope_core::interpreter::Options as Limits;
use lanescope_core::options::Options;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::run::order_dependence;
use lanescope_core::specialised;
use lanescope_core::spirv::{EntryPoint, Module};

use crate::costs::{contents_of, given};

/// How a draw is counted.
#[derive(Debug, Clone, Copy)]
pub struct DrawSettings {
    /// How accesses are counted.
    pub counting: Settings,
    /// Limits of each stage's run.
    pub limits: Limits,
    /// Time of all stages together.
    pub time: Duration,
}

/// Counts the memory accesses of a pipeline with a fragment shader. What is not counted says why. `stop` is asked now and
/// then.
pub fn draw_accesses(
    program: &Program,
    options: &Options,
    inputs: &Inputs,
    settings: &DrawSettings,
    stop: &mut dyn FnMut() -> bool,
) -> DrawAccesses {
    let end = Instant::now().checked_add(settings.time);
    let is_late = || end.is_some_and(|end| Instant::now() > end);
    let mut stop = || stop() || is_late();
    let mut out = DrawAccesses::default();
    match specialised(program, options) {
        Ok(program) => match fragments(&program, options, inputs, settings, &mut stop) {
            Ok(cost) => out.fragment = Some(cost),
            Err(why) => {
                let late = if is_late() { format!(", after {} s", settings.time.as_secs()) } else { String::new() };
                out.not_counted.push(format!("fragment shader: {why}{late}"));
            }
        },
        Err(why) => out.not_counted.push(why.to_string()),
    }
    out
}

/// The accesses of the fragment shader. The program has its specialization constants set.
fn fragments(
    program: &Program,
    options: &Options,
    inputs: &Inputs,
    settings: &DrawSettings,
    stop: &mut dyn FnMut() -> bool,
) -> Result<FragmentCost, String> {
    let (module, entry) = shader(program, StageKind::Fragment)?;
    let own = program.options_of_stage(options, StageKind::Fragment);
    let launch = |wave: u32| {
        let call = DrawCall { wave, place: DrawPlace::All, groups: options.groups };
        Launch::draw(program, call, inputs, settings.limits, settings.time).map_err(|why: GpuError| why.to_string())
    };
    let widest = launch(LANES)?;
    let raster = widest.raster.clone().ok_or("the draw has no fragments")?;
    let sizes = if own.target.ip().has_wave32 { vec![32, 64] } else { vec![64] };
    let depends = widest.machine.program().depends_on_waves() || !order_dependence(module, entry).is_empty();
    let mut machines = Vec::new();
    if depends {
        for lanes in sizes.iter().copied().filter(|lanes| *lanes < LANES) {
            machines.push(FragmentMachine { machine: launch(lanes)?.machine, lanes, waves: vec![lanes] });
        }
        machines.push(FragmentMachine { machine: widest.machine, lanes: LANES, waves: vec![LANES] });
    } else {
        machines.push(FragmentMachine { machine: widest.machine, lanes: LANES, waves: sizes });
    }
    let helpers = u64::from(raster.helpers());
    let subject = FragmentSubject {
        module,
        entry,
        options: &own,
        wave: fragment_wave(program, options),
        size: raster.size(),
        invocations: [u64::from(raster.invocations()) - helpers, helpers],
        contents: &contents_of(inputs),
        given: &given(inputs),
    };
    fragment_cost(&subject, machines, &settings.counting, stop).map_err(|why| why.to_string())
}

/// The module and the entry point of a stage.
fn shader(program: &Program, kind: StageKind) -> Result<(&Module, &EntryPoint), String> {
    let stage = program.stages.iter().find(|stage| stage.stage == kind);
    let stage = stage.ok_or_else(|| format!("the program has no {kind} shader"))?;
    let module = program.module_of(stage);
    let entry = module.entry_points().get(stage.entry_index);
    Ok((module, entry.ok_or_else(|| format!("`{}` is not an entry point", stage.entry))?))
}
