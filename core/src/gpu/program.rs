//! A loaded program on a device: its kind decides how it runs.

use super::device::{DeviceOptions, with_device};
use super::resources::Inputs;
use super::{Descriptors, GpuError, Needs, needs_of, run_compute_with, run_graphics_with};
use crate::program::{Program, StageKind};
use crate::run::Execution;

/// Opens the device, runs the program, closes the device.
///
/// The program has its specialization constants set ([`crate::specialised`]). `groups` is the dispatch of a compute
/// shader, in workgroups.
///
/// # Errors
/// See [`GpuError`]; a program of a kind that is not run here.
pub fn run_program(
    options: &DeviceOptions,
    program: &Program,
    groups: [u32; 3],
    inputs: &Inputs,
) -> Result<Execution, GpuError> {
    run_program_with(options, program, groups, inputs, Descriptors::Own)
}

/// The same with an application's layout, or with the guessed one.
///
/// # Errors
/// Those of [`run_program`]; an application without a descriptor that a shader uses.
pub fn run_program_with(
    options: &DeviceOptions,
    program: &Program,
    groups: [u32; 3],
    inputs: &Inputs,
    descriptors: Descriptors<'_>,
) -> Result<Execution, GpuError> {
    let compute: Vec<_> = program.stages.iter().filter(|stage| stage.stage == StageKind::Compute).collect();
    let used = match compute.as_slice() {
        [stage] => {
            let module = program.module_of(stage);
            let entry = module
                .entry_points()
                .get(stage.entry_index)
                .ok_or_else(|| GpuError::NotRun(format!("`{}` is no entry point", stage.entry)))?;
            with_device(&Needs::of([module]), options, |device| {
                run_compute_with(device, module, entry, groups, inputs, descriptors)
            })?
        }
        [] if program.stages.iter().any(|stage| stage.stage.is_graphics()) => {
            let needs = needs_of(program)?;
            with_device(&needs, options, |device| run_graphics_with(device, program, inputs, descriptors))?
        }
        [] => {
            let stages: Vec<_> = program.stages.iter().map(|stage| stage.stage.name()).collect();
            let stages = stages.join(" + ");
            return Err(GpuError::NotRun(format!("{stages}: only compute and graphics programs are run here")));
        }
        many => {
            let names: Vec<_> = many.iter().map(|stage| stage.entry.as_str()).collect();
            let names = names.join(", ");
            return Err(GpuError::Unusable(format!("one compute shader is run; --entry chooses one of {names}")));
        }
    };
    let mut execution = used.value;
    execution.run.warnings = used.warnings;
    Ok(execution)
}
