//! What ray tracing pipelines and ray queries need in addition to their own extensions.

use super::{Chosen, Need, Offer};
use crate::gpu::{GpuError, NeededBy};
use lanescope_spirv::enums::Capability;

impl Offer {
    /// Takes the extensions that ray tracing pipelines and ray queries require, with their features.
    pub(super) fn take_rays(&mut self, capability: Capability, chosen: &mut Chosen) -> Result<(), GpuError> {
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
            self.take(need, NeededBy::Capability(format!("{capability:?}")), chosen)?;
        }
        Ok(())
    }
}
