//! What a device's limits allow of a workgroup: its size, and the memory that it shares.

use super::{Device, GpuError};
use lanescope_passes::liveness::Liveness;
use lanescope_passes::registers::workgroup_bytes;
use lanescope_passes::workgroup;
use lanescope_spirv::{EntryPoint, Module};

/// Refuses a workgroup that is larger than the device takes, before a pipeline is made: the driver never sees it.
pub(crate) fn check(device: &Device, module: &Module, entry: &EntryPoint) -> Result<(), GpuError> {
    let limits = &device.limits;
    let within = |what: &str, needed: u64, limit: u32| match needed <= u64::from(limit) {
        true => Ok(()),
        false => Err(GpuError::TooLarge { what: what.to_owned(), needed, limit: u64::from(limit) }),
    };
    if let Some(size) = workgroup::declared_size(module, entry) {
        for (size, limit) in size.into_iter().zip(limits.max_compute_work_group_size) {
            within("one dimension of the workgroup (invocations)", u64::from(size), limit)?;
        }
        let invocations = size.into_iter().map(u64::from).fold(1, u64::saturating_mul);
        within("the workgroup (invocations)", invocations, limits.max_compute_work_group_invocations)?;
    }
    // A size that is not known here is left to the driver.
    let shared = workgroup_bytes(&Liveness::of(module, entry)).unwrap_or(0);
    within("the workgroup's shared memory (bytes)", shared, limits.max_compute_shared_memory_size)
}
