//! The features as Vulkan's chain of structures.

use std::ffi::CStr;

use ash::vk;

use super::registry::Blocks;
use super::{DERIVATIVES, Features};

impl Features {
    /// All features off, in the structures that a device with these extensions knows.
    pub fn known(extensions: &[vk::ExtensionProperties]) -> Features {
        let has = |name: &CStr| extensions.iter().any(|e| e.extension_name_as_c_str() == Ok(name));
        Features { registered: Blocks::known(has), ..Features::default() }
    }

    /// Calls `with` with a chain of every structure that a device with these extensions knows.
    pub fn chained<T>(
        &mut self,
        extensions: &[vk::ExtensionProperties],
        with: impl FnOnce(&mut vk::PhysicalDeviceFeatures2<'_>) -> T,
    ) -> T {
        let has = |name: &CStr| extensions.iter().any(|e| e.extension_name_as_c_str() == Ok(name));
        let mut all = vk::PhysicalDeviceFeatures2::default().features(self.core);
        all = all.push_next(&mut self.v11).push_next(&mut self.v12).push_next(&mut self.v13);
        if DERIVATIVES.into_iter().any(has) {
            all = all.push_next(&mut self.derivatives);
        }
        if has(c"VK_KHR_fragment_shader_barycentric") {
            all = all.push_next(&mut self.barycentric);
        }
        if has(c"VK_EXT_shader_atomic_float") {
            all = all.push_next(&mut self.atomic_float);
        }
        if has(c"VK_KHR_shader_clock") {
            all = all.push_next(&mut self.clock);
        }
        if has(c"VK_EXT_fragment_shader_interlock") {
            all = all.push_next(&mut self.interlock);
        }
        if has(c"VK_KHR_workgroup_memory_explicit_layout") {
            all = all.push_next(&mut self.explicit_layout);
        }
        if has(c"VK_EXT_mesh_shader") {
            all = all.push_next(&mut self.mesh);
        }
        if has(c"VK_NV_mesh_shader") {
            all = all.push_next(&mut self.mesh_nv);
        }
        if has(c"VK_EXT_transform_feedback") {
            all = all.push_next(&mut self.feedback);
        }
        if has(c"VK_KHR_pipeline_executable_properties") {
            all = all.push_next(&mut self.executable);
        }
        if has(c"VK_EXT_graphics_pipeline_library") {
            all = all.push_next(&mut self.library);
        }
        if has(c"VK_KHR_shader_subgroup_uniform_control_flow") {
            all = all.push_next(&mut self.uniform_flow);
        }
        if has(c"VK_KHR_shader_maximal_reconvergence") {
            all = all.push_next(&mut self.reconvergence);
        }
        if has(c"VK_KHR_ray_tracing_pipeline") {
            all = all.push_next(&mut self.ray_tracing);
        }
        if has(c"VK_KHR_acceleration_structure") {
            all = all.push_next(&mut self.acceleration);
        }
        all.p_next = self.registered.link(all.p_next);
        let result = with(&mut all);
        self.core = all.features;
        // No structure keeps a pointer to another one: the next chain may be shorter, and this value may move.
        self.registered.unlink();
        self.v11.p_next = std::ptr::null_mut();
        self.v12.p_next = std::ptr::null_mut();
        self.v13.p_next = std::ptr::null_mut();
        self.derivatives.p_next = std::ptr::null_mut();
        self.barycentric.p_next = std::ptr::null_mut();
        self.atomic_float.p_next = std::ptr::null_mut();
        self.clock.p_next = std::ptr::null_mut();
        self.interlock.p_next = std::ptr::null_mut();
        self.explicit_layout.p_next = std::ptr::null_mut();
        self.mesh.p_next = std::ptr::null_mut();
        self.mesh_nv.p_next = std::ptr::null_mut();
        self.feedback.p_next = std::ptr::null_mut();
        self.executable.p_next = std::ptr::null_mut();
        self.library.p_next = std::ptr::null_mut();
        self.uniform_flow.p_next = std::ptr::null_mut();
        self.reconvergence.p_next = std::ptr::null_mut();
        self.ray_tracing.p_next = std::ptr::null_mut();
        self.acceleration.p_next = std::ptr::null_mut();
        result
    }
}

impl Features {
    /// Whether shaders may reach buffers by address.
    pub fn has_addresses(&self) -> bool {
        self.v12.buffer_device_address == vk::TRUE
    }

    /// Whether samplers may mirror once.
    pub fn mirrors_once(&self) -> bool {
        self.v12.sampler_mirror_clamp_to_edge == vk::TRUE
    }

    /// Whether shaders may change 64 bits of a buffer at once.
    pub fn has_long_atomics(&self) -> bool {
        self.v12.shader_buffer_int64_atomics == vk::TRUE
    }
}
