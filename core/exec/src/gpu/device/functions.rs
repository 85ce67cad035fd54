//! Functions of extensions.

use std::ffi::CStr;

use super::Device;
use crate::gpu::loader;

impl Device {
    /// The functions of `VK_KHR_pipeline_executable_properties`, where it is enabled.
    pub(crate) fn executable_properties(&self) -> Option<ash::khr::pipeline_executable_properties::Device> {
        let functions =
            || loader::alone(|| ash::khr::pipeline_executable_properties::Device::new(&self.instance, &self.handle));
        self.has(ash::khr::pipeline_executable_properties::NAME).then(functions)
    }

    /// The functions of `VK_EXT_shader_object`, where it is enabled.
    pub(crate) fn shader_objects(&self) -> Option<ash::ext::shader_object::Device> {
        let functions = || loader::alone(|| ash::ext::shader_object::Device::new(&self.instance, &self.handle));
        self.has(ash::ext::shader_object::NAME).then(functions)
    }

    /// A function of the device by its name. The caller gives it its type.
    pub(crate) fn function(&self, name: &CStr) -> Option<unsafe extern "system" fn()> {
        // SAFETY: the device comes from this instance, and both are alive.
        unsafe { self.instance.get_device_proc_addr(self.handle.handle(), name.as_ptr()) }
    }

    /// The functions of `VK_KHR_ray_tracing_pipeline`, for a device that was opened for modules with that capability.
    pub(crate) fn ray_tracing_pipelines(&self) -> ash::khr::ray_tracing_pipeline::Device {
        loader::alone(|| ash::khr::ray_tracing_pipeline::Device::new(&self.instance, &self.handle))
    }
}
