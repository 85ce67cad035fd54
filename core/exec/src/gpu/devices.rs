//! The installed devices, and what each supports.

use std::ffi::CStr;
use std::sync::{Mutex, PoisonError};

use ash::vk;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DerivativeSupport, GpuError, loader};

/// A Vulkan device.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceInfo {
    /// Its name.
    pub name: String,
    /// `discrete`, `integrated`, `virtual`, `software` or `other`.
    pub kind: String,
    /// The Vulkan version it offers.
    pub api_version: String,
    /// Its driver's name and version, as the driver says them.
    pub driver: String,
    /// Lanes of a subgroup.
    pub subgroup_size: u32,
    /// The least and the greatest subgroup size that a shader may require.
    #[serde(default)]
    pub subgroup_range: [u32; 2],
    /// Compute shaders have subgroup quad operations.
    #[serde(default)]
    pub subgroup_quads: bool,
    /// A compute shader may require a subgroup size of that range.
    #[serde(default)]
    pub subgroup_required: bool,
    /// It returns assembly and statistics (`VK_KHR_pipeline_executable_properties`).
    pub executable_properties: bool,
    /// It takes derivatives in compute, of quads or of linear groups.
    pub compute_derivatives: bool,
    /// Which of them, and in which stages.
    #[serde(default)]
    pub derivatives: DerivativeSupport,
    /// It compiles the stages of a graphics pipeline apart (`VK_EXT_graphics_pipeline_library`).
    #[serde(default)]
    pub pipeline_libraries: bool,
    /// What changes with every build of the driver: its pipeline caches' UUID, in hexadecimal digits.
    #[serde(default)]
    pub build: String,
    /// The PCI vendor (`VkPhysicalDeviceProperties::vendorID`): 0x1002 for AMD.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub vendor: Option<u32>,
    /// `VkDriverId`, where the device has Vulkan 1.2 or `VK_KHR_driver_properties`: 3 for Mesa's AMD driver.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub driver_id: Option<i32>,
}

/// The kind of devices that are programs.
pub(super) const SOFTWARE: &str = "software";

/// The variable that names device extensions to hide, with commas: a run is then that of a device without them.
pub const HIDDEN_EXTENSIONS: &str = "LANESCOPE_HIDDEN_EXTENSIONS";

/// The extensions of a device, without those that [`HIDDEN_EXTENSIONS`] names.
///
/// # Errors
/// What the loader returns.
pub(super) fn extensions(
    instance: &ash::Instance,
    device: vk::PhysicalDevice,
) -> Result<Vec<vk::ExtensionProperties>, vk::Result> {
    // SAFETY: the handle comes from this instance.
    let mut all = unsafe { instance.enumerate_device_extension_properties(device) }?;
    if let Ok(hidden) = std::env::var(HIDDEN_EXTENSIONS) {
        all.retain(|extension| !is_hidden(extension, &hidden));
    }
    Ok(all)
}

fn is_hidden(extension: &vk::ExtensionProperties, hidden: &str) -> bool {
    let name = extension.extension_name_as_c_str().map(CStr::to_bytes).unwrap_or_default();
    hidden.split(',').any(|other| other.trim().as_bytes() == name)
}

/// Lists the devices of every installed driver, in the loader's order. Memory budgets are not queried: a null
/// device does not survive the question. Empty where there is a loader and no driver.
///
/// # Errors
/// There is no loader, or Vulkan refuses.
pub fn devices() -> Result<Vec<DeviceInfo>, GpuError> {
    // SAFETY: the loader is the system's own; it stays loaded as long as `entry` lives, which outlives its use here.
    let entry = unsafe { ash::Entry::load() }.map_err(|error| GpuError::NoLoader(error.to_string()))?;
    let application = vk::ApplicationInfo::default().application_name(c"lanescope").api_version(vk::API_VERSION_1_3);
    let create = vk::InstanceCreateInfo::default().application_info(&application);
    // SAFETY: `create` and what it points to live through the call; no allocator is given.
    let instance = match loader::alone(|| unsafe { entry.create_instance(&create, None) }) {
        Ok(instance) => instance,
        Err(vk::Result::ERROR_INCOMPATIBLE_DRIVER) => return Ok(Vec::new()),
        Err(error) => return Err(GpuError::call("vkCreateInstance")(error)),
    };
    // SAFETY: the instance is alive.
    let result: Result<Vec<DeviceInfo>, GpuError> = loader::alone(|| unsafe { instance.enumerate_physical_devices() })
        .map_err(GpuError::call("vkEnumeratePhysicalDevices"))
        .map(|all| all.into_iter().map(|device| describe(&instance, device)).collect());
    if let Ok(all) = &result {
        keep(all);
    }
    // SAFETY: nothing made from the instance is left.
    loader::alone(|| unsafe { instance.destroy_instance(None) });
    result
}

/// What [`devices`] found last in this process, whose environment decides it.
static KNOWN: Mutex<Option<Vec<DeviceInfo>>> = Mutex::new(None);

/// Keeps what was found.
pub(super) fn keep(all: &[DeviceInfo]) {
    *KNOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(all.to_vec());
}

/// What [`devices`] finds, without asking the drivers again where they were asked before.
///
/// # Errors
/// Those of [`devices`].
pub(crate) fn known_devices() -> Result<Vec<DeviceInfo>, GpuError> {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    known.map_or_else(devices, Ok)
}

pub(super) fn describe(instance: &ash::Instance, device: vk::PhysicalDevice) -> DeviceInfo {
    let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
    let mut driver = vk::PhysicalDeviceDriverProperties::default();
    let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
    // SAFETY: the handle comes from this instance.
    let plain = unsafe { instance.get_physical_device_properties(device) };
    let extensions = extensions(instance, device).unwrap_or_default();
    let has = |name: &CStr| extensions.iter().any(|e| e.extension_name_as_c_str() == Ok(name));
    let mut properties = vk::PhysicalDeviceProperties2::default();
    if plain.api_version >= vk::API_VERSION_1_1 {
        properties = properties.push_next(&mut subgroup);
        if plain.api_version >= vk::API_VERSION_1_2 || has(c"VK_KHR_driver_properties") {
            properties = properties.push_next(&mut driver);
        }
        if plain.api_version >= vk::API_VERSION_1_3 {
            properties = properties.push_next(&mut sizes);
        }
        // SAFETY: the chain holds structures of the device's own version and extensions, alive through the call.
        unsafe { instance.get_physical_device_properties2(device, &mut properties) };
    }
    let text = |chars: &[std::ffi::c_char]| {
        let bytes: Vec<u8> = chars.iter().take_while(|&&c| c != 0).map(|&c| c as u8).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let version = plain.api_version;
    let derivatives = DerivativeSupport::of(instance, device, version, has);
    DeviceInfo {
        name: text(&plain.device_name),
        kind: match plain.device_type {
            vk::PhysicalDeviceType::DISCRETE_GPU => "discrete",
            vk::PhysicalDeviceType::INTEGRATED_GPU => "integrated",
            vk::PhysicalDeviceType::VIRTUAL_GPU => "virtual",
            vk::PhysicalDeviceType::CPU => SOFTWARE,
            _ => "other",
        }
        .to_owned(),
        api_version: format!(
            "{}.{}.{}",
            vk::api_version_major(version),
            vk::api_version_minor(version),
            vk::api_version_patch(version)
        ),
        driver: format!("{} {}", text(&driver.driver_name), text(&driver.driver_info)).trim().to_owned(),
        subgroup_size: subgroup.subgroup_size,
        subgroup_range: match sizes.max_subgroup_size {
            0 => [subgroup.subgroup_size; 2],
            max => [sizes.min_subgroup_size, max],
        },
        subgroup_quads: subgroup.supported_operations.contains(vk::SubgroupFeatureFlags::QUAD)
            && subgroup.supported_stages.contains(vk::ShaderStageFlags::COMPUTE),
        subgroup_required: sizes.required_subgroup_size_stages.contains(vk::ShaderStageFlags::COMPUTE),
        executable_properties: has(c"VK_KHR_pipeline_executable_properties"),
        compute_derivatives: derivatives.quads || derivatives.linear,
        derivatives,
        pipeline_libraries: has(c"VK_EXT_graphics_pipeline_library"),
        build: plain.pipeline_cache_uuid.iter().map(|byte| format!("{byte:02x}")).collect(),
        vendor: Some(plain.vendor_id),
        driver_id: Some(driver.driver_id.as_raw()).filter(|id| *id != 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hides_the_listed_extensions() {
        let named = vk::ExtensionProperties::default().extension_name(c"VK_KHR_compute_shader_derivatives");
        let extension = named.expect("it fits");
        assert!(is_hidden(&extension, "VK_KHR_swapchain, VK_KHR_compute_shader_derivatives"));
        for others in ["", "VK_KHR_compute_shader", "VK_KHR_compute_shader_derivatives2,VK_KHR_swapchain"] {
            assert!(!is_hidden(&extension, others), "{others}");
        }
    }
}
