//! A loaded program on a device: its kind decides how it runs.

use super::addressed::takes_addresses;
use super::device::{DeviceOptions, with_device};
use super::given_image::of_other_format;
use super::{
    Addressed, Descriptors, Device, GpuError, Needs, needs_of, run_compute_with, run_graphics_with, unformatted,
};
use lanescope_model::program::{Program, Stage, StageKind};
use lanescope_run::Execution;
use lanescope_run::inputs::Inputs;

/// Opens the device, runs the program, closes the device.
///
/// The program has its specialization constants set ([`lanescope_model::specialised::specialised`]). `groups` is the dispatch of a compute
/// shader, in workgroups; without it, [`lanescope_run::Dispatch`] chooses it.
///
/// # Errors
/// See [`GpuError`]; a program of a kind that is not run here.
pub fn run_program(
    options: &DeviceOptions,
    program: &Program,
    groups: Option<[u32; 3]>,
    inputs: &Inputs,
) -> Result<Execution, GpuError> {
    run_program_with(options, program, groups, inputs, Descriptors::Own)
}

/// Like [`run_program`], with an application's layout or with the guessed one.
///
/// # Errors
/// Those of [`run_program`]; an application without a descriptor that a shader uses.
pub fn run_program_with(
    options: &DeviceOptions,
    program: &Program,
    groups: Option<[u32; 3]>,
    inputs: &Inputs,
    descriptors: Descriptors<'_>,
) -> Result<Execution, GpuError> {
    let mut result = run_once(options, program, groups, inputs, descriptors);
    if let Err(GpuError::Lacks { what, feature: Some(feature), needed_by, .. }) = &mut result
        && unformatted::FEATURES.contains(&feature.as_str())
    {
        // Texels of a format that the shader does not declare need the feature, unless it is the one that is put in.
        if let Some((image, format)) = of_other_format(program, inputs) {
            *needed_by = format!("{image}, which is given in format {format} and has none in the shader").into();
            return result;
        }
        let Some(formatted) = unformatted::with_formats(program) else { return result };
        let what = format!("storage images were declared with their bound formats: the device does not support {what}");
        let mut execution = run_once(options, &formatted, groups, inputs, descriptors)?;
        execution.run.adapted.push(what);
        return Ok(execution);
    }
    result
}

/// Why a program has no stage to run: its entry points are not converted, or it is not said which of them is wanted.
fn no_stage(program: &Program) -> String {
    let entries = || program.dxil.iter().flat_map(|loaded| &loaded.entries);
    if let Some((entry, why)) = entries().find_map(|entry| Some((entry, entry.why.as_ref()?))) {
        return format!("`{}` is not converted to SPIR-V: {why}", entry.name);
    }
    let names: Vec<&str> = entries().map(|entry| entry.name.as_str()).collect();
    match names.as_slice() {
        [] => "there is no shader to run".to_owned(),
        names => {
            format!("it is not known which entry points make a pipeline; choose with --entry: {}", names.join(", "))
        }
    }
}

/// The inputs, with the buffers that the program's push constants address.
pub(super) fn addressed(program: &Program, inputs: &Inputs) -> Result<Inputs, GpuError> {
    let inputs = Inputs { addressed: Addressed::of(program), ..inputs.clone() };
    let unknown = |stage: &&Stage| inputs.addressed.is_empty() && takes_addresses(program.module_of(stage));
    match program.stages.iter().find(unknown) {
        Some(stage) => Err(GpuError::NotRun(format!(
            "`{}` uses buffer device addresses from its inputs, which a run cannot provide",
            stage.entry
        ))),
        None => Ok(inputs),
    }
}

fn run_once(
    options: &DeviceOptions,
    program: &Program,
    groups: Option<[u32; 3]>,
    inputs: &Inputs,
    descriptors: Descriptors<'_>,
) -> Result<Execution, GpuError> {
    let inputs = &addressed(program, inputs)?;
    let compute: Vec<_> = program.stages.iter().filter(|stage| stage.stage == StageKind::Compute).collect();
    let used = match compute.as_slice() {
        [stage] => {
            let module = program.module_of(stage);
            let entry = module
                .entry_points()
                .get(stage.entry_index)
                .ok_or_else(|| GpuError::NotRun(format!("`{}` is not an entry point", stage.entry)))?;
            let wave = program.wave_size_of(stage);
            let run = |device: &Device| run_compute_with(device, module, entry, groups, inputs, (descriptors, wave));
            with_device(&Needs::of([module]), options, run)?
        }
        [] if program.stages.iter().any(|stage| stage.stage.is_graphics()) => {
            let mut needs = needs_of(program)?;
            needs.libraries = descriptors.automatic().is_some();
            // Samples are stored with what a description may ask for.
            needs.described |= !inputs.draw.attachments.is_empty();
            with_device(&needs, options, |device| run_graphics_with(device, program, inputs, descriptors))?
        }
        [] if program.stages.is_empty() => return Err(GpuError::NotRun(no_stage(program))),
        [] => {
            let stages: Vec<_> = program.stages.iter().map(|stage| stage.stage.name()).collect();
            let stages = stages.join(" + ");
            return Err(GpuError::NotRun(format!("{stages}: only compute and graphics programs can be run")));
        }
        many => {
            let names: Vec<_> = many.iter().map(|stage| stage.entry.as_str()).collect();
            let names = names.join(", ");
            return Err(GpuError::Unusable(format!(
                "only one compute shader can be run; choose one with --entry: {names}"
            )));
        }
    };
    let mut execution = used.value;
    execution.run.warnings = used.warnings;
    Ok(execution)
}
