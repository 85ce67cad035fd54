//! Runs a program on a device, and the program that it is compared with.

use std::collections::BTreeSet;

use lanescope_core::dxil::Dxil;
use lanescope_core::gpu::interpret::{self, RunLimits, Waves};
use lanescope_core::gpu::{
    self, DerivativeSupport, Descriptors, DeviceInfo, DeviceOptions, GpuError, Inputs, chosen_device, default_dispatch,
    position_of, run_program, run_program_with,
};
use lanescope_core::graph::{self, GraphSource, Overrides, WorkGraph};
use lanescope_core::load::check_rewritten;
use lanescope_core::options::{DerivativesBy, Options};
use lanescope_core::program::{LoadedModule, Program};
use lanescope_core::run::graph::{GraphCommand, GraphMode, GraphPart, GraphRun};
use lanescope_core::run::{DerivativesRun, Ran, compare, order_dependence};
use lanescope_core::specialised;
use lanescope_core::workgroup::rewrite::{native_groups, takes_derivatives, without_native_derivatives};

use super::host::not_run;
use super::{Failure, GraphRunRequest, RunGuessRequest, RunRequest};
use super::{fault, lost};
use crate::rewriting::Rewritten;

/// The graph of a library. Only this one has the local root signatures: they are not sent.
pub(super) fn graph_of(dxil: &Dxil, overrides: &Overrides) -> WorkGraph {
    let mut nodes = graph::nodes(dxil, 0);
    // What they find was found where the request was made.
    let _ = graph::apply_overrides(overrides, &mut nodes);
    graph::link(nodes, GraphSource::Dxil, overrides)
}

/// Runs what a request names.
pub(super) fn run(request: &RunRequest) -> Result<Ran, Failure> {
    let Plan { first, second, options, derivatives, not_rewritten, unchanged } = plan(request)?;
    // Compared programs draw the same triangles, even if their attributes have other names.
    let inputs = Inputs { position: position_of(&request.program), ..request.inputs.clone() };
    let predicted = Waves::predicted(&request.program, &options);
    // A rewritten program maps its ids by itself, in waves of the same size.
    let one = |program: &Program, groups, rewritten: bool| {
        let program = specialised(program, &options).map_err(|error| Failure::from(error.to_string()))?;
        if !request.device.is_interpreter() {
            return lost::run(|| run_program(&request.device, &program, groups, &inputs));
        }
        let waves = if rewritten { predicted.alone() } else { Waves::predicted(&program, &options) };
        let DeviceOptions { timeout: time, max_steps, memory, .. } = request.device;
        let limits = RunLimits { time, steps: max_steps.unwrap_or(u64::MAX), memory };
        Ok(interpret::run(&program, &waves, groups, &inputs, limits))
    };
    // A rewritten program is dispatched like the given one, even if its workgroup has another shape.
    let chosen = match (&first, request.groups) {
        (Some(_), None) => {
            let given = specialised(&request.program, &options).map_err(|error| Failure::from(error.to_string()))?;
            default_dispatch(&given, &inputs).map_err(|error| not_run(&error))?
        }
        _ => None,
    };
    let groups = chosen.as_ref().map(|chosen| chosen.groups).or(request.groups);
    let first = first.as_ref().unwrap_or(&request.program);
    let mut execution = one(first, groups, false)?.map_err(|error| not_run(&error))?;
    if let Some(chosen) = chosen {
        execution.run.groups_reason = Some(chosen.reason);
    }
    execution.run.derivatives = derivatives;
    (execution.run.not_rewritten, execution.run.unchanged) = (not_rewritten, unchanged);
    if execution.run.derivatives.is_some() {
        // What computed derivatives do across a subgroup depends on no order.
        execution.run.order_dependent = ordered(&request.program);
    }
    // Both dispatch the same workgroups, even if the second shader reads other components of its ids.
    let groups = execution.run.groups;
    let against = match second.map(|program| one(&program, groups, request.against.is_none())).transpose()? {
        // The given program runs even if the rewritten one cannot.
        Some(Err(
            why @ (GpuError::Lacks { .. } | GpuError::TooLarge { .. } | GpuError::NotRun(_) | GpuError::Unsupported(_)),
        )) if request.against.is_none() => {
            execution.run.not_rewritten = Some(format!("the rewritten program is not run: {why}"));
            None
        }
        Some(result) => Some(result.map_err(|error| not_run(&error))?),
        None => None,
    };
    execution.run.compare = against.as_ref().map(|against| compare(&execution, against));
    Ok(Ran { execution, against })
}

/// Runs the work graph that a request names. Stepping hands its generations on; they are not in the answer again.
pub(super) fn run_graph(
    request: &GraphRunRequest,
    tell: &mut dyn FnMut(GraphPart) -> Option<GraphCommand>,
) -> Result<GraphRun, Failure> {
    let graph = graph_of(&request.dxil, &request.overrides);
    let mut listen = |part| {
        let generation = match part {
            GraphPart::Running { number, .. } => Some(number),
            _ => None,
        };
        let command = tell(part);
        generation.into_iter().for_each(fault::happen_in);
        command
    };
    let (device, inputs) = (&request.device, &request.inputs);
    let run = gpu::run_graph_telling(device, &request.dxil, &graph, &request.request, inputs, Some(&mut listen));
    let mut run = run.map_err(|error| not_run(&error))?;
    if run.mode == GraphMode::Step {
        run.generations.clear();
    }
    Ok(run)
}

/// Runs a program with the application's layout and with the guessed one, and compares what came of it.
pub(super) fn run_guess(request: &RunGuessRequest) -> Result<Ran, Failure> {
    let options = &request.options;
    let program = specialised(&request.program, options).map_err(|error| Failure::from(error.to_string()))?;
    let one = |descriptors| {
        let ran = run_program_with(&request.device, &program, request.groups, &request.inputs, descriptors);
        ran.map_err(|error| not_run(&error))
    };
    let application = request.application.as_slice();
    let mut execution = one(Descriptors::Application(application))?;
    let dynamic = [options.dynamic_uniform, options.dynamic_storage];
    let against = one(Descriptors::Automatic { application, dynamic })?;
    execution.run.compare = Some(compare(&execution, &against));
    execution.run.adapted.extend(against.run.adapted.iter().cloned());
    Ok(Ran { execution, against: Some(against) })
}

/// The program to run.
struct Plan {
    /// Instead of the given program.
    first: Option<Program>,
    /// The program that it is compared with.
    second: Option<Program>,
    /// The options, with the derivatives that the device has.
    options: Options,
    /// How derivatives in compute are taken.
    derivatives: Option<DerivativesRun>,
    /// Why there is no rewritten program.
    not_rewritten: Option<String>,
    /// It would be the given program.
    unchanged: bool,
}

fn plan(request: &RunRequest) -> Result<Plan, Failure> {
    let given = &request.program;
    let mut plan = Plan {
        first: None,
        second: request.against.clone(),
        options: request.options.clone(),
        derivatives: None,
        not_rewritten: None,
        unchanged: false,
    };
    let against = request.against.as_ref().filter(|against| takes_derivatives(against));
    if takes_derivatives(given) || against.is_some() {
        let device = match request.device.is_interpreter() {
            true => DeviceInfo {
                name: interpret::NAME.to_owned(),
                derivatives: DerivativeSupport { quads: true, linear: true, ..DerivativeSupport::default() },
                subgroup_quads: true,
                ..DeviceInfo::default()
            },
            false => chosen_device(&request.device).map_err(|error| not_run(&error))?,
        };
        // A device may have groups of one kind alone.
        let is_native = |program: &Program| device.derivatives.takes(&native_groups(program));
        let native = is_native(given) && against.is_none_or(is_native);
        let by = match request.options.derivatives_by {
            DerivativesBy::Auto if native => DerivativesBy::Native,
            DerivativesBy::Auto if device.subgroup_quads => DerivativesBy::Quad,
            DerivativesBy::Auto => DerivativesBy::Shuffle,
            by => by,
        };
        plan.options.derivatives_by = by;
        let mut row = DerivativesRun { original: DerivativesBy::Native, rewritten: None, computed: Vec::new() };
        if by != DerivativesBy::Native && !native {
            let computed = |program: &Program| {
                without_native_derivatives(program, &plan.options).map_err(|why| {
                    let all = [Some(given), against].into_iter().flatten().flat_map(native_groups);
                    let lacking = all.filter(|group| !device.derivatives.takes(&[*group]));
                    let lacking: BTreeSet<&str> = lacking.map(|group| group.name()).collect();
                    let lacking: Vec<&str> = lacking.into_iter().collect();
                    let message = format!(
                        "{} does not support derivatives in compute shaders (groups: {}), and they cannot be computed: {why}",
                        device.name,
                        lacking.join(", ")
                    );
                    Failure { missing: true, ..Failure::from(message) }
                })
            };
            row.original = by;
            let second = against.map(computed).transpose()?;
            let first = if takes_derivatives(given) { Some(computed(given)?) } else { None };
            let stages = first.iter().flat_map(|computed| &computed.stages);
            row.computed = stages.flat_map(|stage| stage.derivatives.clone()).collect();
            plan.first = first.map(|computed| computed.program);
            plan.second = second.map(|computed| computed.program).or(plan.second);
        }
        row.rewritten = request.against.as_ref().map(|_| row.original);
        plan.derivatives = Some(row);
    }
    if let (Some(passes), None) = (request.rewritten, &request.against) {
        match Rewritten::new(given, &plan.options, passes, None)
            .and_then(|rewritten| beside(&mut plan, given, &rewritten))
        {
            Ok(()) => {}
            Err(why) => plan.not_rewritten = Some(why),
        }
    }
    Ok(plan)
}

/// Puts a rewritten program beside the given one, where it is another one.
fn beside(plan: &mut Plan, given: &Program, rewritten: &Rewritten) -> Result<(), String> {
    let second = rewritten.program(given);
    let base = rewritten.base(given);
    let first = plan.first.as_ref().unwrap_or(base);
    let modules = given.modules.iter().zip(&first.modules).zip(&second.modules);
    let mut changed = modules.filter(|((_, a), b)| a.module != b.module).peekable();
    if changed.peek().is_none() {
        plan.unchanged = true;
        return Err(match plan.first.is_some() {
            true => "the original with computed derivatives is already the same program".to_owned(),
            false => rewritten.why_same(given).unwrap_or_default(),
        });
    }
    for ((given, _), loaded) in changed.filter(|_| !given.modules.iter().any(LoadedModule::is_invalid)) {
        check_rewritten(&loaded.module, &given.validity()).map_err(|why| why.to_string())?;
    }
    if let Some(row) = &mut plan.derivatives {
        row.rewritten = Some(plan.options.derivatives_by);
        if row.computed.is_empty() {
            row.computed = rewritten.rows().iter().flat_map(|stage| stage.derivatives.clone()).collect();
        }
    }
    if plan.first.is_none() && base != given {
        plan.first = Some(base.clone());
    }
    plan.second = Some(second.clone());
    Ok(())
}

/// Why two runs of the given program may differ.
fn ordered(given: &Program) -> Vec<String> {
    let stages = given.stages.iter();
    let entries = stages.filter_map(|stage| {
        let module = given.module_of(stage);
        Some((module, module.entry_points().get(stage.entry_index)?))
    });
    entries.flat_map(|(module, entry)| order_dependence(module, entry)).collect()
}
