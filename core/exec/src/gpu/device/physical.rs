//! What a physical device says of itself, before it is opened.

use std::sync::Arc;

use ash::vk;

use super::{DeviceOptions, Instance, Messages};
use crate::gpu::features::{Features, Offer, OfferedCapabilities};
use crate::gpu::{DeviceInfo, GpuError, devices};

/// What the device that the options choose offers of each capability of SPIR-V, without opening it.
///
/// # Errors
/// There is no such device, or it has no Vulkan 1.3.
pub fn offered_capabilities(options: &DeviceOptions) -> Result<OfferedCapabilities, GpuError> {
    let messages = Arc::<Messages>::default();
    let instance = Instance::open(false, &messages)?;
    let (physical, device) = instance.choose(options.device.as_deref())?;
    let mut asked = Physical::ask(&instance.handle, physical, &device)?;
    Ok(OfferedCapabilities { capabilities: asked.offer.capabilities(), device })
}

/// What a physical device says of itself.
pub(super) struct Physical {
    pub offer: Offer,
    pub limits: vk::PhysicalDeviceLimits,
    pub max_buffer: u64,
}

impl Physical {
    pub fn ask(
        instance: &ash::Instance,
        physical: vk::PhysicalDevice,
        info: &DeviceInfo,
    ) -> Result<Physical, GpuError> {
        // SAFETY: the handle comes from this instance.
        let plain = unsafe { instance.get_physical_device_properties(physical) };
        if plain.api_version < vk::API_VERSION_1_3 {
            return Err(GpuError::Lacks {
                device: info.name.clone(),
                what: format!("Vulkan 1.3 (it supports {})", info.api_version),
                feature: None,
                needed_by: "this program".into(),
            });
        }
        let extensions =
            devices::extensions(instance, physical).map_err(GpuError::call("vkEnumerateDeviceExtensionProperties"))?;
        let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
        let mut float_controls = vk::PhysicalDeviceFloatControlsProperties::default();
        let mut sizes = vk::PhysicalDeviceMaintenance4Properties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default()
            .push_next(&mut subgroup)
            .push_next(&mut float_controls)
            .push_next(&mut sizes);
        // SAFETY: the chain holds structures of Vulkan 1.3, which the device offers, alive through the call.
        unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
        float_controls.p_next = std::ptr::null_mut();
        let mut features = Features::known(&extensions);
        features.chained(&extensions, |features| {
            // SAFETY: the chain holds structures that the device knows, alive through the call.
            unsafe { instance.get_physical_device_features2(physical, features) }
        });
        let offer = Offer {
            name: info.name.clone(),
            extensions,
            features,
            subgroup: subgroup.supported_operations,
            subgroup_stages: subgroup.supported_stages,
            quads_in_all_stages: subgroup.quad_operations_in_all_stages == vk::TRUE,
            float_controls,
        };
        Ok(Physical { offer, limits: plain.limits, max_buffer: sizes.max_buffer_size })
    }
}
