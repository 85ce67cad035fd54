//! Where a device takes derivatives besides fragment shaders.

use std::ffi::{CStr, c_void};

use ash::vk;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lanescope_model::options::Derivatives;

/// Derivatives in stages with workgroups (`VK_KHR_compute_shader_derivatives`, or NVIDIA's extension before it).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DerivativeSupport {
    /// Of quads, in compute (`computeDerivativeGroupQuads`).
    pub quads: bool,
    /// Of four consecutive invocations, in compute (`computeDerivativeGroupLinear`).
    pub linear: bool,
    /// Of the same groups in mesh shaders (`meshAndTaskShaderDerivatives`, and mesh shaders).
    pub mesh: bool,
    /// Of the same groups in task shaders.
    pub task: bool,
}

/// `VkPhysicalDeviceComputeShaderDerivativesPropertiesKHR`, which ash 0.38 does not have.
#[repr(C)]
struct Properties {
    s_type: vk::StructureType,
    p_next: *mut c_void,
    mesh_and_task: vk::Bool32,
}

/// `VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_PROPERTIES_KHR`.
const PROPERTIES: i32 = 1_000_511_000;

impl DerivativeSupport {
    /// What a device of this version with these extensions says.
    pub(super) fn of(
        instance: &ash::Instance,
        device: vk::PhysicalDevice,
        version: u32,
        has: impl Fn(&CStr) -> bool,
    ) -> DerivativeSupport {
        let is_khr = has(c"VK_KHR_compute_shader_derivatives");
        if version < vk::API_VERSION_1_1 || !(is_khr || has(c"VK_NV_compute_shader_derivatives")) {
            return DerivativeSupport::default();
        }
        // Both extensions have one structure, under one number.
        let mut groups = vk::PhysicalDeviceComputeShaderDerivativesFeaturesNV::default();
        let mut stages = vk::PhysicalDeviceMeshShaderFeaturesEXT::default();
        let mut features = vk::PhysicalDeviceFeatures2::default().push_next(&mut groups);
        if has(c"VK_EXT_mesh_shader") {
            features = features.push_next(&mut stages);
        }
        // SAFETY: the chain holds structures of extensions that the device has, alive through the call.
        unsafe { instance.get_physical_device_features2(device, &mut features) };
        let in_mesh_and_task = is_khr && mesh_and_task(instance, device);
        DerivativeSupport {
            quads: groups.compute_derivative_group_quads == vk::TRUE,
            linear: groups.compute_derivative_group_linear == vk::TRUE,
            mesh: in_mesh_and_task && stages.mesh_shader == vk::TRUE,
            task: in_mesh_and_task && stages.task_shader == vk::TRUE,
        }
    }

    /// Whether compute shaders may have these derivative groups.
    pub fn has(&self, group: Derivatives) -> bool {
        match group {
            Derivatives::None => true,
            Derivatives::Linear => self.linear,
            Derivatives::Quads => self.quads,
        }
    }

    /// Whether compute shaders take their derivatives on the device where they ask for these groups. A shader without a
    /// group asks for nothing that a device could have.
    pub fn takes(&self, groups: &[Derivatives]) -> bool {
        groups.iter().all(|group| *group != Derivatives::None && self.has(*group))
    }

    /// `derivatives of quads and linear groups in compute and mesh shaders`; empty where there are none.
    pub fn words(&self) -> String {
        let listed = |all: &[(bool, &'static str)]| -> String {
            let there: Vec<&str> = all.iter().filter(|(has, _)| *has).map(|(_, name)| *name).collect();
            match there.as_slice() {
                [] => String::new(),
                [only] => (*only).to_owned(),
                [first @ .., last] => format!("{} and {last}", first.join(", ")),
            }
        };
        let groups = listed(&[(self.quads, "quads"), (self.linear, "linear groups")]);
        if groups.is_empty() {
            return String::new();
        }
        let stages = listed(&[(true, "compute"), (self.mesh, "mesh"), (self.task, "task")]);
        format!("derivatives of {groups} in {stages} shaders")
    }
}

/// `meshAndTaskShaderDerivatives` of a device with the KHR extension.
fn mesh_and_task(instance: &ash::Instance, device: vk::PhysicalDevice) -> bool {
    let mut own = Properties {
        s_type: vk::StructureType::from_raw(PROPERTIES),
        p_next: std::ptr::null_mut(),
        mesh_and_task: vk::FALSE,
    };
    let mut all = vk::PhysicalDeviceProperties2 { p_next: (&raw mut own).cast(), ..Default::default() };
    // SAFETY: the chain is one structure of an extension that the device has, laid out as the specification says, and alive
    // through the call.
    unsafe { instance.get_physical_device_properties2(device, &mut all) };
    own.mesh_and_task == vk::TRUE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_groups_and_stages() {
        let all = DerivativeSupport { quads: true, linear: true, mesh: true, task: true };
        assert_eq!(all.words(), "derivatives of quads and linear groups in compute, mesh and task shaders");
        let quads = DerivativeSupport { quads: true, ..DerivativeSupport::default() };
        assert_eq!(quads.words(), "derivatives of quads in compute shaders");
        assert_eq!(DerivativeSupport::default().words(), "");
        assert!(quads.has(Derivatives::Quads) && !quads.has(Derivatives::Linear) && quads.has(Derivatives::None));
        assert!(quads.takes(&[]) && quads.takes(&[Derivatives::Quads]) && !quads.takes(&[Derivatives::None]));
        assert!(!quads.takes(&[Derivatives::Quads, Derivatives::Linear]));
    }
}
