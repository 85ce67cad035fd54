//! What ray tracing pipelines need in addition to their own extension.

use super::{Chosen, Need, Offer};
use crate::gpu::{GpuError, NeededBy};

impl Offer {
    /// Takes the extensions that `VK_KHR_ray_tracing_pipeline` requires, with their features.
    pub(super) fn take_rays(&mut self, chosen: &mut Chosen) -> Result<(), GpuError> {
        let needs = [
            Need::Bare(&[c"VK_KHR_deferred_host_operations"]),
            Need::Extension(
                "accelerationStructure",
                |features| &mut features.acceleration.acceleration_structure,
                &[c"VK_KHR_acceleration_structure"],
            ),
            Need::Feature("bufferDeviceAddress", |features| &mut features.v12.buffer_device_address),
        ];
        for need in &needs {
            self.take(need, NeededBy::Capability("RayTracingKHR".to_owned()), chosen)?;
        }
        Ok(())
    }
}
