//! The memory accesses of a graphics pipeline: its draw, run in the interpreter and counted.

use std::time::{Duration, Instant};

use lanescope_core::cost::fragments::{
    DrawAccesses, FragmentCost, FragmentMachine, FragmentSubject, LANES, StageAccesses, fragment_cost,
};
use lanescope_core::cost::interface::fragment_wave;
use lanescope_core::cost::{Machines, Settings, Subject, cost, layouts_of_stage};
use lanescope_core::gpu::interpret::{DrawCall, DrawPlace, Launch};
use lanescope_core::gpu::{GpuError, Inputs};
use lanescope_core::interpreter::Options as Limits;
use lanescope_core::options::Options;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::run::order_dependence;
use lanescope_core::specialised;
use lanescope_core::spirv::{EntryPoint, Module};
use lanescope_core::workgroup::{fixed_ids, layout};

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
    let program = match specialised(program, options) {
        Ok(program) => program,
        Err(why) => {
            out.not_counted.push(why.to_string());
            return out;
        }
    };
    let failed = |stage: StageKind, why: String| {
        let late = if is_late() { format!(", after {} s", settings.time.as_secs()) } else { String::new() };
        format!("{stage} shader: {why}{late}")
    };
    for kind in [StageKind::Task, StageKind::Mesh] {
        if program.stages.iter().all(|stage| stage.stage != kind) {
            continue;
        }
        match workgroups(&program, options, inputs, settings, kind, &mut stop) {
            Ok(accesses) => out.workgroups.push(accesses),
            Err(why) => out.not_counted.push(failed(kind, why)),
        }
    }
    match fragments(&program, options, inputs, settings, &mut stop) {
        Ok(cost) => out.fragment = Some(cost),
        Err(why) => out.not_counted.push(failed(StageKind::Fragment, why)),
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

/// The accesses of a task or a mesh shader by workgroup layout. The program has its specialization constants set.
fn workgroups(
    program: &Program,
    options: &Options,
    inputs: &Inputs,
    settings: &DrawSettings,
    kind: StageKind,
    stop: &mut dyn FnMut() -> bool,
) -> Result<StageAccesses, String> {
    let (module, entry) = shader(program, kind)?;
    let own = program.options_of_stage(options, kind);
    let layout = layout(module, entry, &own, &mut Vec::new());
    let layout = layout.ok_or_else(|| format!("the workgroup size of `{}` cannot be read", entry.name))?;
    if layout.size != layout.declared_size {
        let [[x, y, z], [ax, ay, az]] = [layout.declared_size, layout.size];
        return Err(format!("workgroups of {x}×{y}×{z} run; the options ask for {ax}×{ay}×{az}"));
    }
    let call = DrawCall { wave: layout.wave, place: DrawPlace::Workgroups(kind), groups: options.groups };
    let launch = Launch::draw(program, call, inputs, settings.limits, settings.time).map_err(|why| why.to_string())?;
    let depends = launch.machine.program().depends_on_waves() || !order_dependence(module, entry).is_empty();
    let fixed = (kind == StageKind::Mesh).then(|| fixed_ids(module, entry)).flatten();
    let of_waves = || depends.then(|| "results depend on waves or on the order of invocations".to_owned());
    let mut layouts = layouts_of_stage(kind, layout.size, layout.derivatives, &own);
    if let Some(why) = fixed.or_else(of_waves) {
        // Row-major is the first one: the machine runs that.
        layouts.iter_mut().skip(1).filter(|one| one.map.is_ok()).for_each(|one| one.map = Err(why.clone()));
    }
    let launched = kind == StageKind::Mesh && program.stages.iter().any(|stage| stage.stage == StageKind::Task);
    let reason = match (launched, options.groups) {
        (true, _) => "launched by the task shader",
        (false, Some(_)) => "as given",
        (false, None) => "chosen as for a run",
    };
    let subject = Subject {
        module,
        entry,
        layouts: &layouts,
        options: &own,
        wave: layout.wave,
        groups: launch.machine.groups(),
        groups_reason: reason,
        contents: &contents_of(inputs),
        given: &given(inputs),
    };
    let machines = Machines::One(Box::new(launch.machine));
    let mut cost = cost(&subject, machines, &settings.counting, stop).map_err(|why| why.to_string())?;
    // Tiles of workgroup ids are those of dispatches.
    cost.orders = None;
    Ok(StageAccesses { stage: kind, cost })
}

/// The module and the entry point of a stage.
fn shader(program: &Program, kind: StageKind) -> Result<(&Module, &EntryPoint), String> {
    let stage = program.stages.iter().find(|stage| stage.stage == kind);
    let stage = stage.ok_or_else(|| format!("the program has no {kind} shader"))?;
    let module = program.module_of(stage);
    let entry = module.entry_points().get(stage.entry_index);
    Ok((module, entry.ok_or_else(|| format!("`{}` is not an entry point", stage.entry))?))
}
