//! One dispatch: from inputs to what the shader wrote.

use ash::vk;

use super::bind::Bound;
use super::dispatch::dispatch_of;
use super::guessed_layout::{Automatic, Descriptors};
use super::memory::Owned;
use super::pipeline::{ComputeState, compute};
use super::resources::Resources;
use super::{Device, GpuError, group, wave};
use lanescope_base::grid;
use lanescope_model::program::{StageKind, WaveSize};
use lanescope_run::inputs::Inputs;
use lanescope_run::{Dispatch, Execution, Run, RunMode, order_dependence};
use lanescope_spirv::{EntryPoint, Module};

/// Dispatches a compute shader and reads back every buffer and image that it may write. Without `groups`, as many
/// workgroups as [`Dispatch`] chooses.
///
/// `module` has its specialization constants set ([`Module::specialised`]). `wave` are the subgroups that it is made for.
///
/// # Errors
/// A dispatch, a workgroup or descriptors larger than the device takes; descriptors of a kind that is not run here;
/// what Vulkan calls answer; a time-out; a lost device.
pub fn run_compute(
    device: &Device,
    module: &Module,
    entry: &EntryPoint,
    groups: Option<[u32; 3]>,
    inputs: &Inputs,
    wave: Option<WaveSize>,
) -> Result<Execution, GpuError> {
    run_compute_with(device, module, entry, groups, inputs, (Descriptors::Own, wave))
}

/// Like [`run_compute`], with an application's layout or with the guessed one.
///
/// # Errors
/// Those of [`run_compute`]; an application without a descriptor that the shader uses.
pub fn run_compute_with(
    device: &Device,
    module: &Module,
    entry: &EntryPoint,
    groups: Option<[u32; 3]>,
    inputs: &Inputs,
    (descriptors, wave): (Descriptors<'_>, Option<WaveSize>),
) -> Result<Execution, GpuError> {
    if entry.stage != Some(StageKind::Compute) {
        return Err(GpuError::NotRun(format!("`{}` is not a compute shader", entry.name)));
    }
    group::check(device, module, entry)?;
    let used = Resources::of(&[(module, entry)])?;
    let Dispatch { groups, reason } = dispatch_of((module, entry), groups, &used, inputs);
    check_groups(device, groups)?;
    let resources = used.clone().with_application(descriptors.application());
    let bound = Bound::new(device, &resources, inputs)?;
    let automatic = match descriptors.automatic() {
        Some([uniform, storage]) => {
            let used = used.with_dynamic(uniform, storage);
            Some(Automatic::new(device, &bound, &resources, &used, u32::MAX, false)?)
        }
        None => None,
    };
    let layout = automatic.as_ref().map_or(bound.layout.handle, |automatic| automatic.layout.handle);
    let subgroup_size = wave.map(|wave| wave::subgroup_size(&device.info, wave, &entry.name)).transpose()?.flatten();
    let state = ComputeState { subgroup_size, ..ComputeState::default() };
    let pipeline = compute(device, module, entry, state, layout)?;
    let time = device.run(&format!("dispatching `{}`", entry.name), |commands| {
        // SAFETY: the command buffer is being recorded; pipeline and descriptors outlive the commands.
        unsafe { device.handle.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, pipeline.handle) };
        match &automatic {
            Some(automatic) => automatic.record(&bound, device, commands, vk::PipelineBindPoint::COMPUTE),
            None => bound.record(commands, vk::PipelineBindPoint::COMPUTE),
        }
        // SAFETY: as above; every descriptor that the shader uses is bound.
        unsafe { device.handle.cmd_dispatch(commands, groups[0], groups[1], groups[2]) };
        bound.record_read_back(commands);
    })?;
    let read = bound.contents()?;
    let run = Run {
        entries: vec![entry.name.clone()],
        groups: Some(groups),
        groups_reason: Some(reason),
        fill: inputs.fill,
        zeros: inputs.zeros,
        inputs: bound.inputs.clone(),
        buffers: read.buffers,
        images: read.images,
        order_dependent: order_dependence(module, entry),
        nanoseconds: u64::try_from(time.as_nanos()).unwrap_or(u64::MAX),
        ..Run::new(device.info.name.clone(), RunMode::Compute)
    };
    Ok(Execution { run, data: read.data })
}

/// A pipeline that destroys itself.
pub(crate) fn own_pipeline(device: &Device, pipeline: vk::Pipeline) -> Owned<'_, vk::Pipeline> {
    Owned::new(device, pipeline, |vk, pipeline| {
        // SAFETY: destroyed once, after every submission that used it.
        unsafe { vk.destroy_pipeline(pipeline, None) }
    })
}

/// The name of an entry point for a driver: the module's bytes, UTF-8 or not.
pub(crate) fn c_name(entry: &EntryPoint) -> Result<std::ffi::CString, GpuError> {
    std::ffi::CString::new(entry.name_bytes.as_slice())
        .map_err(|_| GpuError::NotRun("the name of an entry point contains a zero byte".to_owned()))
}

/// The most workgroups of a dispatch: software devices count them in 32 bits, and run a part of more without an error.
const MOST_GROUPS: u64 = u32::MAX as u64;

pub(super) fn check_groups(device: &Device, groups: [u32; 3]) -> Result<(), GpuError> {
    for ((axis, count), limit) in ["x", "y", "z"].iter().zip(groups).zip(device.limits.max_compute_work_group_count) {
        if count > limit {
            let what = format!("the dispatch in {axis} (workgroups)");
            return Err(GpuError::TooLarge { what, needed: u64::from(count), limit: u64::from(limit) });
        }
    }
    match grid::saturating_volume(groups) {
        needed if needed > MOST_GROUPS => {
            Err(GpuError::TooLarge { what: "the dispatch (workgroups)".to_owned(), needed, limit: MOST_GROUPS })
        }
        _ => Ok(()),
    }
}
