//! A plain Vulkan program: a device with everything that it offers, and a pipeline of a module. It shares nothing with the
//! library that is tested.

#![allow(unsafe_code, reason = "Vulkan is a C interface")]

use std::ffi::{CStr, c_void};

use std::sync::Mutex;

use ash::vk;

/// Structures of features that are nothing but words, by the extension that brings them.
const FEATURES: &[(&CStr, i32)] = &[
    (c"VK_EXT_transform_feedback", 1_000_028_000),
    (c"VK_EXT_descriptor_heap", 1_000_135_009),
    (c"VK_KHR_shader_bfloat16", 1_000_141_000),
    (c"VK_KHR_acceleration_structure", 1_000_150_013),
    (c"VK_NV_shader_sm_builtins", 1_000_154_000),
    (c"VK_KHR_shader_clock", 1_000_181_000),
    (c"VK_KHR_compute_shader_derivatives", 1_000_201_000),
    (c"VK_NV_compute_shader_derivatives", 1_000_201_000),
    (c"VK_KHR_fragment_shader_barycentric", 1_000_203_000),
    (c"VK_INTEL_shader_integer_functions2", 1_000_209_000),
    (c"VK_EXT_fragment_density_map", 1_000_218_000),
    (c"VK_KHR_fragment_shading_rate", 1_000_226_003),
    (c"VK_EXT_shader_image_atomic_int64", 1_000_234_000),
    (c"VK_KHR_shader_quad_control", 1_000_235_000),
    (c"VK_EXT_fragment_shader_interlock", 1_000_251_000),
    (c"VK_EXT_shader_atomic_float", 1_000_260_000),
    (c"VK_EXT_shader_atomic_float2", 1_000_273_000),
    (c"VK_EXT_shader_split_barrier", 1_000_305_000),
    (c"VK_KHR_shader_subgroup_uniform_control_flow", 1_000_323_000),
    (c"VK_EXT_mesh_shader", 1_000_328_000),
    (c"VK_KHR_workgroup_memory_explicit_layout", 1_000_336_000),
    (c"VK_KHR_ray_tracing_pipeline", 1_000_347_000),
    (c"VK_KHR_ray_query", 1_000_348_013),
    (c"VK_KHR_ray_tracing_maintenance1", 1_000_386_000),
    (c"VK_KHR_shader_untyped_pointers", 1_000_387_000),
    (c"VK_KHR_shader_subgroup_rotate", 1_000_416_000),
    (c"VK_KHR_shader_maximal_reconvergence", 1_000_434_000),
    (c"VK_QCOM_image_processing", 1_000_440_000),
    (c"VK_KHR_ray_tracing_position_fetch", 1_000_481_000),
    (c"VK_KHR_cooperative_matrix", 1_000_506_000),
    (c"VK_KHR_shader_float_controls2", 1_000_528_000),
    (c"VK_KHR_shader_expect_assume", 1_000_544_000),
    (c"VK_NV_shader_atomic_float16_vector", 1_000_563_000),
    (c"VK_EXT_shader_replicated_composites", 1_000_564_000),
    (c"VK_EXT_shader_float8", 1_000_567_000),
    (c"VK_KHR_shader_fma", 1_000_579_000),
    (c"VK_NV_cooperative_matrix2", 1_000_593_000),
    (c"VK_EXT_shader_subgroup_partitioned", 1_000_662_000),
];

#[repr(C)]
struct Block {
    structure: vk::StructureType,
    next: *mut c_void,
    words: [u32; 32],
}

/// The descriptors of the modules, in set 0: a count and a type by binding.
const BINDINGS: [(u32, vk::DescriptorType); 20] = [
    (1, vk::DescriptorType::STORAGE_BUFFER),
    (4, vk::DescriptorType::UNIFORM_BUFFER),
    (4, vk::DescriptorType::STORAGE_BUFFER),
    (4, vk::DescriptorType::COMBINED_IMAGE_SAMPLER),
    (4, vk::DescriptorType::STORAGE_IMAGE),
    (4, vk::DescriptorType::UNIFORM_TEXEL_BUFFER),
    (4, vk::DescriptorType::STORAGE_TEXEL_BUFFER),
    (1, vk::DescriptorType::STORAGE_IMAGE),
    (1, vk::DescriptorType::COMBINED_IMAGE_SAMPLER),
    (1, vk::DescriptorType::STORAGE_IMAGE),
    (1, vk::DescriptorType::COMBINED_IMAGE_SAMPLER),
    (1, vk::DescriptorType::STORAGE_IMAGE),
    (1, vk::DescriptorType::STORAGE_IMAGE),
    (1, vk::DescriptorType::ACCELERATION_STRUCTURE_KHR),
    (2, vk::DescriptorType::INPUT_ATTACHMENT),
    (1, vk::DescriptorType::SAMPLED_IMAGE),
    (1, vk::DescriptorType::SAMPLE_WEIGHT_IMAGE_QCOM),
    (1, vk::DescriptorType::BLOCK_MATCH_IMAGE_QCOM),
    (1, vk::DescriptorType::BLOCK_MATCH_IMAGE_QCOM),
    (1, vk::DescriptorType::SAMPLER),
];

pub struct Plain {
    pub driver: String,
    /// It stays loaded.
    _entry: ash::Entry,
    device: ash::Device,
    /// The layer says whether the device offers what a module declares; without it, nothing does.
    pub is_validated: bool,
    layout: vk::PipelineLayout,
    pass: vk::RenderPass,
    has_mesh: bool,
    rays: Option<ash::khr::ray_tracing_pipeline::Device>,
}

impl Plain {
    /// Opens the device of a driver, if any.
    pub fn open(id: vk::DriverId) -> Option<Plain> {
        // SAFETY: the system's loader; every handle comes from the calls before, and structures live through the calls.
        unsafe {
            let entry = ash::Entry::load().expect("a loader");
            let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
            let layers = entry.enumerate_instance_layer_properties().expect("layers");
            let is_validated = layers.iter().any(|layer| layer.layer_name_as_c_str() == Ok(VALIDATION));
            let names: Vec<_> = [VALIDATION.as_ptr()].into_iter().filter(|_| is_validated).collect();
            let extensions: Vec<_> =
                [ash::ext::debug_utils::NAME.as_ptr()].into_iter().filter(|_| is_validated).collect();
            let create = vk::InstanceCreateInfo::default()
                .application_info(&application)
                .enabled_layer_names(&names)
                .enabled_extension_names(&extensions);
            let instance = entry.create_instance(&create, None).expect("an instance");
            if is_validated {
                let create = vk::DebugUtilsMessengerCreateInfoEXT::default()
                    .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR)
                    .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
                    .pfn_user_callback(Some(hear));
                let loader = ash::ext::debug_utils::Instance::new(&entry, &instance);
                loader.create_debug_utils_messenger(&create, None).expect("a messenger");
            }
            let devices = instance.enumerate_physical_devices().expect("devices");
            let driver_of = |device: &vk::PhysicalDevice| {
                let mut driver = vk::PhysicalDeviceDriverProperties::default();
                let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
                instance.get_physical_device_properties2(*device, &mut properties);
                driver
            };
            let physical = devices.into_iter().find(|device| driver_of(device).driver_id == id)?;
            let driver = driver_of(&physical).driver_info_as_c_str().ok()?.to_string_lossy().into_owned();
            let (device, has) = device(&instance, physical);
            let layout = layout(&device, &has);
            let pass = pass(&device);
            let has_mesh = has(c"VK_EXT_mesh_shader");
            let has_rays = has(c"VK_KHR_ray_tracing_pipeline");
            let rays = has_rays.then(|| ash::khr::ray_tracing_pipeline::Device::new(&instance, &device));
            Some(Plain { driver, _entry: entry, device, is_validated, layout, pass, has_mesh, rays })
        }
    }

    /// Makes a pipeline of all entry points of a module.
    pub fn compiles(&self, words: &[u32]) -> Result<(), String> {
        HEARD.lock().expect("one thread").clear();
        let entries = entries(words);
        let create = vk::ShaderModuleCreateInfo::default().code(words);
        // SAFETY: the module was validated.
        let module = unsafe { self.device.create_shader_module(&create, None) }
            .map_err(|error| heard().map_or_else(|| error.to_string(), |why| format!("invalid use: {why}")))?;
        let mut stages = Vec::new();
        for (model, name) in &entries {
            let stage = match model {
                0 => vk::ShaderStageFlags::VERTEX,
                1 => vk::ShaderStageFlags::TESSELLATION_CONTROL,
                2 => vk::ShaderStageFlags::TESSELLATION_EVALUATION,
                3 => vk::ShaderStageFlags::GEOMETRY,
                4 => vk::ShaderStageFlags::FRAGMENT,
                5 => vk::ShaderStageFlags::COMPUTE,
                5313 if self.rays.is_some() => vk::ShaderStageFlags::RAYGEN_KHR,
                5316 if self.rays.is_some() => vk::ShaderStageFlags::CLOSEST_HIT_KHR,
                5317 if self.rays.is_some() => vk::ShaderStageFlags::MISS_KHR,
                5364 if self.has_mesh => vk::ShaderStageFlags::TASK_EXT,
                5365 if self.has_mesh => vk::ShaderStageFlags::MESH_EXT,
                _ => return Err("not tried".to_owned()),
            };
            stages.push(vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(name));
        }
        let made = match stages.as_slice() {
            [stage] if stage.stage == vk::ShaderStageFlags::COMPUTE => {
                let mut create = vk::ComputePipelineCreateInfo::default().stage(*stage).layout(self.layout);
                let flags = vk::PipelineCreateFlags2KHR::from_raw(DESCRIPTOR_HEAP);
                let mut flags = vk::PipelineCreateFlags2CreateInfoKHR::default().flags(flags);
                if declares(words, DESCRIPTOR_HEAPS) {
                    create = create.layout(vk::PipelineLayout::null()).push_next(&mut flags);
                }
                // SAFETY: all handles are of this device.
                unsafe { self.device.create_compute_pipelines(vk::PipelineCache::null(), &[create], None) }
            }
            [first, ..] if RAY_STAGES.contains(first.stage) => self.rays(&stages),
            _ => self.graphics(&stages),
        };
        let made = made.map_err(|(_, error)| error.to_string());
        // SAFETY: no work was submitted.
        unsafe {
            made.iter().flatten().for_each(|pipeline| self.device.destroy_pipeline(*pipeline, None));
            self.device.destroy_shader_module(module, None);
        }
        match heard() {
            Some(message) => Err(format!("invalid use: {message}")),
            None => made.map(|_| ()),
        }
    }

    /// A ray tracing pipeline with a group for each stage.
    fn rays(
        &self,
        stages: &[vk::PipelineShaderStageCreateInfo<'_>],
    ) -> Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)> {
        const NONE: u32 = vk::SHADER_UNUSED_KHR;
        let Some(rays) = &self.rays else { return Err((Vec::new(), vk::Result::ERROR_EXTENSION_NOT_PRESENT)) };
        let group = |(stage, at): (&vk::PipelineShaderStageCreateInfo<'_>, u32)| {
            let is_hit = stage.stage == vk::ShaderStageFlags::CLOSEST_HIT_KHR;
            let kind = match is_hit {
                true => vk::RayTracingShaderGroupTypeKHR::TRIANGLES_HIT_GROUP,
                false => vk::RayTracingShaderGroupTypeKHR::GENERAL,
            };
            vk::RayTracingShaderGroupCreateInfoKHR::default()
                .ty(kind)
                .general_shader(if is_hit { NONE } else { at })
                .closest_hit_shader(if is_hit { at } else { NONE })
                .any_hit_shader(NONE)
                .intersection_shader(NONE)
        };
        let groups: Vec<_> = stages.iter().zip(0..).map(group).collect();
        let create = vk::RayTracingPipelineCreateInfoKHR::default()
            .stages(stages)
            .groups(&groups)
            .max_pipeline_ray_recursion_depth(1)
            .layout(self.layout);
        let none = (vk::DeferredOperationKHR::null(), vk::PipelineCache::null());
        // SAFETY: all handles are of this device, and the structures live through the call.
        unsafe { rays.create_ray_tracing_pipelines(none.0, none.1, &[create], None) }
    }

    fn graphics(
        &self,
        stages: &[vk::PipelineShaderStageCreateInfo<'_>],
    ) -> Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)> {
        let has = |stage| stages.iter().any(|one| one.stage == stage);
        let is_tessellated = has(vk::ShaderStageFlags::TESSELLATION_CONTROL);
        let topology =
            if is_tessellated { vk::PrimitiveTopology::PATCH_LIST } else { vk::PrimitiveTopology::TRIANGLE_LIST };
        let vertices = vk::PipelineVertexInputStateCreateInfo::default();
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(topology);
        let tessellation = vk::PipelineTessellationStateCreateInfo::default().patch_control_points(3);
        let (viewport, scissor) = (vk::Viewport { width: 8.0, height: 8.0, ..vk::Viewport::default() }, SCISSOR);
        let viewport = vk::PipelineViewportStateCreateInfo::default()
            .viewports(std::slice::from_ref(&viewport))
            .scissors(std::slice::from_ref(&scissor));
        let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
        let samples =
            vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let blend = vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA);
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(std::slice::from_ref(&blend));
        let mut create = vk::GraphicsPipelineCreateInfo::default()
            .stages(stages)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .color_blend_state(&blend)
            .layout(self.layout)
            .render_pass(self.pass);
        if !has(vk::ShaderStageFlags::MESH_EXT) {
            create = create.vertex_input_state(&vertices).input_assembly_state(&assembly);
        }
        if is_tessellated {
            create = create.tessellation_state(&tessellation);
        }
        // SAFETY: all handles are of this device, and the structures live through the call.
        unsafe { self.device.create_graphics_pipelines(vk::PipelineCache::null(), &[create], None) }
    }
}

const RAY_STAGES: vk::ShaderStageFlags = vk::ShaderStageFlags::from_raw(
    vk::ShaderStageFlags::RAYGEN_KHR.as_raw()
        | vk::ShaderStageFlags::CLOSEST_HIT_KHR.as_raw()
        | vk::ShaderStageFlags::MISS_KHR.as_raw(),
);
const VALIDATION: &CStr = c"VK_LAYER_KHRONOS_validation";
/// In the messages about capabilities and extensions of SPIR-V that the device does not have.
const OF_MODULES: &str = "VUID-VkShaderModuleCreateInfo-pCode-";
/// The layer's errors.
static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// What it says of a module that declares what the device does not offer.
fn heard() -> Option<String> {
    let heard = HEARD.lock().expect("one thread");
    let message = heard.iter().find(|message| message.contains(OF_MODULES))?;
    Some(message.lines().next().unwrap_or_default().to_owned())
}

unsafe extern "system" fn hear(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer's own structure and text, alive through the call.
    let text = unsafe { data.as_ref().and_then(|data| data.message_as_c_str()) };
    let Some(text) = text.map(CStr::to_string_lossy) else { return vk::FALSE };
    let is_of_module = text.contains(OF_MODULES);
    if let Ok(mut heard) = HEARD.lock() {
        heard.push(text.into_owned());
    }
    // The layer does not hand the call on: drivers crash of what they do not know.
    vk::Bool32::from(is_of_module)
}

const SCISSOR: vk::Rect2D =
    vk::Rect2D { offset: vk::Offset2D { x: 0, y: 0 }, extent: vk::Extent2D { width: 8, height: 8 } };

/// `VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT`, which pipelines of modules with a capability need.
const DESCRIPTOR_HEAP: u64 = 1 << 36;
/// `DescriptorHeapEXT`.
const DESCRIPTOR_HEAPS: u32 = 5128;

/// Whether a module declares a capability. Capabilities come first.
fn declares(words: &[u32], capability: u32) -> bool {
    words[5..].chunks(2).take_while(|pair| pair[0] == 2 << 16 | 17).any(|pair| pair[1] == capability)
}

/// The execution models and names of the entry points.
fn entries(words: &[u32]) -> Vec<(u32, std::ffi::CString)> {
    let mut out = Vec::new();
    let mut at = 5;
    while let Some(head) = words.get(at) {
        let length = (head >> 16) as usize;
        if head & 0xffff == 15 {
            let bytes: Vec<u8> = words[at + 3..at + length].iter().flat_map(|word| word.to_le_bytes()).collect();
            let name = CStr::from_bytes_until_nul(&bytes).expect("a name").to_owned();
            out.push((words[at + 1], name));
        }
        at += length.max(1);
    }
    out
}

/// A device with all of its extensions and features.
///
/// # Safety
/// The physical device is one of the instance's.
unsafe fn device(instance: &ash::Instance, physical: vk::PhysicalDevice) -> (ash::Device, impl Fn(&CStr) -> bool) {
    // SAFETY: as for this function; the chain lives through the calls.
    unsafe {
        let extensions = instance.enumerate_device_extension_properties(physical).expect("extensions");
        let list = extensions.clone();
        let has = move |name: &CStr| list.iter().any(|one| one.extension_name_as_c_str() == Ok(name));
        let mut v11 = vk::PhysicalDeviceVulkan11Features::default();
        let mut v12 = vk::PhysicalDeviceVulkan12Features::default();
        let mut v13 = vk::PhysicalDeviceVulkan13Features::default();
        let mut all = vk::PhysicalDeviceFeatures2::default();
        all = all.push_next(&mut v11).push_next(&mut v12).push_next(&mut v13);
        let mut numbers: Vec<i32> = FEATURES.iter().filter(|(name, _)| has(name)).map(|row| row.1).collect();
        numbers.dedup();
        let block = |structure: i32| Block {
            structure: vk::StructureType::from_raw(structure),
            next: std::ptr::null_mut(),
            words: [0; 32],
        };
        let mut blocks: Vec<Block> = numbers.into_iter().map(block).collect();
        for block in &mut blocks {
            block.next = std::mem::replace(&mut all.p_next, std::ptr::from_mut(block).cast());
        }
        instance.get_physical_device_features2(physical, &mut all);
        let names: Vec<_> = extensions.iter().map(|one| one.extension_name.as_ptr()).collect();
        let queue = vk::DeviceQueueCreateInfo::default().queue_family_index(0).queue_priorities(&[1.0]);
        let create = vk::DeviceCreateInfo::default()
            .queue_create_infos(std::slice::from_ref(&queue))
            .enabled_extension_names(&names)
            .push_next(&mut all);
        (instance.create_device(physical, &create, None).expect("a device"), has)
    }
}

fn layout(device: &ash::Device, has: &impl Fn(&CStr) -> bool) -> vk::PipelineLayout {
    let binding = |(at, (count, kind)): (usize, &(u32, vk::DescriptorType))| {
        let stages = match *kind {
            vk::DescriptorType::INPUT_ATTACHMENT => vk::ShaderStageFlags::FRAGMENT,
            _ => vk::ShaderStageFlags::ALL,
        };
        vk::DescriptorSetLayoutBinding::default()
            .binding(at as u32)
            .descriptor_count(*count)
            .descriptor_type(*kind)
            .stage_flags(stages)
    };
    let may = |row: &(usize, &(u32, vk::DescriptorType))| match row.1.1 {
        vk::DescriptorType::ACCELERATION_STRUCTURE_KHR => has(c"VK_KHR_acceleration_structure"),
        vk::DescriptorType::SAMPLE_WEIGHT_IMAGE_QCOM | vk::DescriptorType::BLOCK_MATCH_IMAGE_QCOM => {
            has(c"VK_QCOM_image_processing")
        }
        _ => true,
    };
    let bindings: Vec<_> = BINDINGS.iter().enumerate().filter(may).map(binding).collect();
    let push = vk::PushConstantRange { stage_flags: vk::ShaderStageFlags::ALL, offset: 0, size: 128 };
    // SAFETY: the structures live through the calls.
    unsafe {
        let create = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let set = device.create_descriptor_set_layout(&create, None).expect("a set layout");
        let create = vk::PipelineLayoutCreateInfo::default()
            .set_layouts(std::slice::from_ref(&set))
            .push_constant_ranges(std::slice::from_ref(&push));
        device.create_pipeline_layout(&create, None).expect("a layout")
    }
}

/// One colour attachment and two input attachments.
fn pass(device: &ash::Device) -> vk::RenderPass {
    let attachment = vk::AttachmentDescription::default()
        .format(vk::Format::R32G32B32A32_SFLOAT)
        .samples(vk::SampleCountFlags::TYPE_1)
        .initial_layout(vk::ImageLayout::GENERAL)
        .final_layout(vk::ImageLayout::GENERAL);
    let reference = |attachment| vk::AttachmentReference { attachment, layout: vk::ImageLayout::GENERAL };
    let (colours, inputs) = ([reference(0)], [reference(1), reference(2)]);
    let subpass = vk::SubpassDescription::default()
        .pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)
        .color_attachments(&colours)
        .input_attachments(&inputs);
    let attachments = [attachment; 3];
    let create =
        vk::RenderPassCreateInfo::default().attachments(&attachments).subpasses(std::slice::from_ref(&subpass));
    // SAFETY: the structures live through the call.
    unsafe { device.create_render_pass(&create, None) }.expect("a render pass")
}
