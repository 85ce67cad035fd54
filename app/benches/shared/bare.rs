//! The Vulkan calls that compile a pipeline and return its statistics and texts, written by hand, without anything else.

#![allow(unsafe_code, reason = "Vulkan is a C interface; every handle below lives until the end of its function")]

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char};
use std::io;

use ash::vk;

/// What the pipelines of a program are made for.
pub struct Interface<'a> {
    /// The bindings of its descriptor set.
    pub bindings: &'a [vk::DescriptorSetLayoutBinding<'static>],
    /// Bytes of push constants of the vertex shader.
    pub push_constants: u32,
    /// The formats of the vertex attributes, by location.
    pub attributes: &'a [vk::Format],
    /// The format of the color attachment.
    pub color: vk::Format,
    /// The driver is asked for its texts too, not for statistics alone.
    pub texts: bool,
}

/// What the driver says of one executable of a pipeline.
pub struct Executable {
    /// Its name.
    pub name: String,
    /// Its statistics of whole numbers, by name.
    pub statistics: BTreeMap<String, u64>,
    /// Its assembly, where texts were asked for.
    pub assembly: String,
}

/// An open device of RADV.
pub struct Bare {
    _entry: ash::Entry,
    instance: ash::Instance,
    device: ash::Device,
    functions: ash::khr::pipeline_executable_properties::Device,
}

impl Bare {
    /// Opens the first device of RADV.
    ///
    /// # Errors
    /// There is none.
    pub fn open() -> io::Result<Bare> {
        // SAFETY: the loader is the system's own; it is kept beside all that is made with it.
        let entry = unsafe { ash::Entry::load() }.map_err(io::Error::other)?;
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
        let create = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: `create` lives through the call.
        let instance = unsafe { entry.create_instance(&create, None) }.map_err(io::Error::other)?;
        // SAFETY: the instance is alive.
        let physical = unsafe { instance.enumerate_physical_devices() }.map_err(io::Error::other)?;
        // SAFETY: the handles come from this instance.
        let is_radv = |device: &vk::PhysicalDevice| unsafe {
            let properties = instance.get_physical_device_properties(*device);
            properties.device_name_as_c_str().is_ok_and(|name| name.to_bytes().windows(5).any(|part| part == b"(RADV"))
        };
        let physical =
            physical.into_iter().find(is_radv).ok_or_else(|| io::Error::other("the loader has no device of RADV"))?;
        let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(0).queue_priorities(&[1.0])];
        let extensions = [ash::khr::pipeline_executable_properties::NAME.as_ptr()];
        let mut executables =
            vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default().pipeline_executable_info(true);
        let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        let create = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_extension_names(&extensions)
            .push_next(&mut executables)
            .push_next(&mut rendering);
        // SAFETY: `create` and what it points to live through the call.
        let device = unsafe { instance.create_device(physical, &create, None) }.map_err(io::Error::other)?;
        let functions = ash::khr::pipeline_executable_properties::Device::new(&instance, &device);
        Ok(Bare { _entry: entry, instance, device, functions })
    }

    /// Makes the pipeline of these modules, a vertex and a fragment shader or a compute shader, asks what the driver
    /// says of it, and destroys all of it.
    ///
    /// # Errors
    /// The driver's.
    pub fn compile(&self, modules: &[Vec<u32>], interface: &Interface<'_>) -> io::Result<Vec<Executable>> {
        let device = &self.device;
        let mut shaders = Vec::new();
        for words in modules {
            let create = vk::ShaderModuleCreateInfo::default().code(words);
            // SAFETY: the words are a module that was validated as it was made.
            shaders.push(unsafe { device.create_shader_module(&create, None) }.map_err(io::Error::other)?);
        }
        let create = vk::DescriptorSetLayoutCreateInfo::default().bindings(interface.bindings);
        // SAFETY: as above.
        let set = unsafe { device.create_descriptor_set_layout(&create, None) }.map_err(io::Error::other)?;
        let sets = [set];
        let constants = vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::VERTEX);
        let constants = [constants.size(interface.push_constants)];
        let constants = if interface.push_constants == 0 { &[] } else { constants.as_slice() };
        let create = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(constants);
        // SAFETY: as above.
        let layout = unsafe { device.create_pipeline_layout(&create, None) }.map_err(io::Error::other)?;
        let mut flags = vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR;
        if interface.texts {
            flags |= vk::PipelineCreateFlags::CAPTURE_INTERNAL_REPRESENTATIONS_KHR;
        }
        let pipeline = match shaders.as_slice() {
            [shader] => compute(device, *shader, layout, flags),
            [vertex, fragment] => graphics(device, [*vertex, *fragment], layout, interface, flags),
            _ => return Err(io::Error::other(format!("{} modules have no bare calls", shaders.len()))),
        }
        .map_err(io::Error::other)?;
        let said = answers(&self.functions, device, pipeline, interface.texts).map_err(io::Error::other);
        // SAFETY: nothing is in use: no work was submitted.
        unsafe {
            device.destroy_pipeline(pipeline, None);
            device.destroy_pipeline_layout(layout, None);
            device.destroy_descriptor_set_layout(set, None);
            for shader in shaders {
                device.destroy_shader_module(shader, None);
            }
        }
        said
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // SAFETY: all that was made with the device is destroyed, and the device was made with the instance.
        unsafe {
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

fn compute(
    device: &ash::Device,
    shader: vk::ShaderModule,
    layout: vk::PipelineLayout,
    flags: vk::PipelineCreateFlags,
) -> Result<vk::Pipeline, vk::Result> {
    let stage =
        vk::PipelineShaderStageCreateInfo::default().stage(vk::ShaderStageFlags::COMPUTE).module(shader).name(c"main");
    let create = [vk::ComputePipelineCreateInfo::default().flags(flags).stage(stage).layout(layout)];
    // SAFETY: everything that `create` points to lives through the call.
    let made = unsafe { device.create_compute_pipelines(vk::PipelineCache::null(), &create, None) };
    made.map(|all| all[0]).map_err(|(_, error)| error)
}

fn graphics(
    device: &ash::Device,
    [vertex, fragment]: [vk::ShaderModule; 2],
    layout: vk::PipelineLayout,
    interface: &Interface<'_>,
    flags: vk::PipelineCreateFlags,
) -> Result<vk::Pipeline, vk::Result> {
    let stage = |stage, module| vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(c"main");
    let stages = [stage(vk::ShaderStageFlags::VERTEX, vertex), stage(vk::ShaderStageFlags::FRAGMENT, fragment)];
    let bindings = [vk::VertexInputBindingDescription::default().stride(64)];
    let attribute = |(location, &format)| {
        vk::VertexInputAttributeDescription::default().location(location).format(format).offset(16 * location)
    };
    let attributes: Vec<_> = (0..).zip(interface.attributes).map(attribute).collect();
    let vertices = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&bindings)
        .vertex_attribute_descriptions(&attributes);
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::TRIANGLE_LIST);
    let viewports = [vk::Viewport { x: 0.0, y: 0.0, width: 64.0, height: 64.0, min_depth: 0.0, max_depth: 1.0 }];
    let scissors = [vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width: 64, height: 64 } }];
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
    let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
    let samples = vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let blends = [vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA)];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    let formats = [interface.color];
    let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
    let create = [vk::GraphicsPipelineCreateInfo::default()
        .flags(flags)
        .stages(&stages)
        .vertex_input_state(&vertices)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&samples)
        .color_blend_state(&blend)
        .layout(layout)
        .push_next(&mut rendering)];
    // SAFETY: everything that `create` points to lives through the call.
    let made = unsafe { device.create_graphics_pipelines(vk::PipelineCache::null(), &create, None) };
    made.map(|all| all[0]).map_err(|(_, error)| error)
}

/// Asks for executables and statistics of a pipeline, and for its texts.
fn answers(
    functions: &ash::khr::pipeline_executable_properties::Device,
    device: &ash::Device,
    pipeline: vk::Pipeline,
    texts: bool,
) -> Result<Vec<Executable>, vk::Result> {
    let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
    let mut out = Vec::new();
    // SAFETY: the pipeline is alive and was made with the flags for what is asked, here and below.
    let executables = unsafe { functions.get_pipeline_executable_properties(&info)? };
    for (index, executable) in (0u32..).zip(&executables) {
        let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline).executable_index(index);
        // SAFETY: as above.
        let statistics = unsafe { functions.get_pipeline_executable_statistics(&info)? };
        let number = |is: &vk::PipelineExecutableStatisticKHR<'_>| {
            let whole = is.format == vk::PipelineExecutableStatisticFormatKHR::UINT64;
            // SAFETY: the format says which member was written.
            whole.then(|| (name(&is.name), unsafe { is.value.u64 }))
        };
        out.push(Executable {
            name: name(&executable.name),
            statistics: statistics.iter().filter_map(number).collect(),
            assembly: if texts { assembly(functions, device, &info)? } else { String::new() },
        });
    }
    Ok(out)
}

/// The assembly of an executable.
fn assembly(
    functions: &ash::khr::pipeline_executable_properties::Device,
    device: &ash::Device,
    info: &vk::PipelineExecutableInfoKHR<'_>,
) -> Result<String, vk::Result> {
    // SAFETY: the pipeline of `info` is alive and was made with the flag for texts.
    let sizes = unsafe { functions.get_pipeline_executable_internal_representations(info)? };
    let mut buffers: Vec<Vec<u8>> = sizes.iter().map(|size| vec![0; size.data_size]).collect();
    let mut texts: Vec<_> = buffers
        .iter_mut()
        .map(|buffer| vk::PipelineExecutableInternalRepresentationKHR::default().data(buffer))
        .collect();
    let mut count = u32::try_from(texts.len()).unwrap_or(u32::MAX);
    // SAFETY: `texts` has `count` elements, each with a buffer of its size.
    unsafe {
        (functions.fp().get_pipeline_executable_internal_representations_khr)(
            device.handle(),
            info,
            &mut count,
            texts.as_mut_ptr(),
        )
        .result()?;
    }
    let is_assembly: Vec<bool> = texts.iter().map(|text| name(&text.name) == "Assembly").collect();
    let assembly = is_assembly.iter().zip(&buffers).find(|(is, _)| **is).map(|(_, buffer)| buffer);
    let text = assembly.and_then(|bytes| CStr::from_bytes_until_nul(bytes).ok());
    Ok(text.map(|text| text.to_string_lossy().into_owned()).unwrap_or_default())
}

fn name(chars: &[c_char]) -> String {
    let bytes: Vec<u8> = chars.iter().take_while(|&&c| c != 0).map(|&c| c as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
