//! How many workgroups a compute shader is dispatched in.

use super::GpuError;
use super::resources::Resources;
use lanescope_model::program::{Program, StageKind};
use lanescope_passes::liveness::Liveness;
use lanescope_passes::registers::workgroup_axes;
use lanescope_passes::workgroup;
use lanescope_run::Dispatch;
use lanescope_run::inputs::Inputs;
use lanescope_spirv::{EntryPoint, Module};

/// The dispatch of a shader: the given workgroups, else as [`Dispatch::new`] chooses.
pub(super) fn dispatch_of(
    (module, entry): (&Module, &EntryPoint),
    groups: Option<[u32; 3]>,
    resources: &Resources,
    inputs: &Inputs,
) -> Dispatch {
    let workgroup = workgroup::declared_size(module, entry).unwrap_or([1, 1, 1]);
    let reads = workgroup_axes(&Liveness::of(module, entry));
    Dispatch::new(groups, workgroup, reads, &resources.storage_images(inputs))
}

/// The dispatch that a program's only compute shader gets where no workgroups are given; `None` for other programs.
///
/// A rewritten program is dispatched like the one that it was made from: its own workgroup may have another shape.
/// `program` has its specialization constants set ([`lanescope_model::specialised::specialised`]).
///
/// # Errors
/// Descriptors of a kind that is not run here.
pub fn default_dispatch(program: &Program, inputs: &Inputs) -> Result<Option<Dispatch>, GpuError> {
    let mut compute = program.stages.iter().filter(|stage| stage.stage == StageKind::Compute);
    let (Some(stage), None) = (compute.next(), compute.next()) else { return Ok(None) };
    let module = program.module_of(stage);
    let Some(entry) = module.entry_points().get(stage.entry_index) else { return Ok(None) };
    let resources = Resources::of(&[(module, entry)])?;
    Ok(Some(dispatch_of((module, entry), None, &resources, inputs)))
}
