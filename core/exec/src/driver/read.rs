//! Reads what `VK_KHR_pipeline_executable_properties` reports about a pipeline.

use std::ffi::c_char;

use ash::khr::pipeline_executable_properties::Device as Functions;
use ash::vk;

use super::executable::{Executable, Representation, Statistic, Value};
use super::rays;
use crate::gpu::pipeline::GRAPHICS;
use crate::gpu::resources::stage_flags;
use crate::gpu::{Device, GpuError};
use lanescope_model::program::StageKind;

/// The largest text that is read, in bytes. The assembly of a shader that a person wrote has some thousands.
const MAX_TEXT: usize = 32 << 20;

/// The executables of a pipeline that was made with the capture flag for statistics, and with that for texts where they
/// are wanted.
pub(super) fn executables(
    device: &Device,
    functions: &Functions,
    pipeline: vk::Pipeline,
    with_texts: bool,
    notes: &mut Vec<String>,
) -> Result<Vec<Executable>, GpuError> {
    let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
    // SAFETY: the pipeline is alive and was made by this device, with the extension enabled.
    let all = unsafe { functions.get_pipeline_executable_properties(&info) }
        .map_err(GpuError::call("vkGetPipelineExecutablePropertiesKHR"))?;
    let mut out = Vec::new();
    for (index, properties) in (0u32..).zip(&all) {
        let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline).executable_index(index);
        let name = text_of(&properties.name);
        out.push(Executable {
            description: text_of(&properties.description),
            stages: stages(properties.stages),
            subgroup_size: properties.subgroup_size,
            statistics: statistics(functions, &info)?,
            texts: if with_texts { texts(device, functions, &info, &name, notes)? } else { Vec::new() },
            name,
        });
    }
    Ok(out)
}

fn stages(flags: vk::ShaderStageFlags) -> Vec<StageKind> {
    let known = GRAPHICS.into_iter().chain([StageKind::Compute]);
    let known = known.filter(|stage| flags.contains(stage_flags(Some(*stage))));
    let traced = rays::STAGES.iter().filter(|(_, flag)| flags.contains(*flag)).map(|(stage, _)| *stage);
    known.chain(traced).collect()
}

fn statistics(functions: &Functions, info: &vk::PipelineExecutableInfoKHR<'_>) -> Result<Vec<Statistic>, GpuError> {
    // SAFETY: the pipeline is alive, was made with statistics kept, and has an executable of that index.
    let all = unsafe { functions.get_pipeline_executable_statistics(info) }
        .map_err(GpuError::call("vkGetPipelineExecutableStatisticsKHR"))?;
    let value = |name: &str, statistic: &vk::PipelineExecutableStatisticKHR<'_>| {
        use vk::PipelineExecutableStatisticFormatKHR as F;
        // SAFETY: the driver filled the union in the form that it names.
        unsafe {
            match statistic.format {
                F::BOOL32 => Some(Value::Bool(statistic.value.b32 != 0)),
                F::INT64 => Some(match u64::try_from(statistic.value.i64) {
                    Ok(value) => Value::whole(name, value),
                    Err(_) => Value::Int(statistic.value.i64),
                }),
                F::UINT64 => Some(Value::whole(name, statistic.value.u64)),
                F::FLOAT64 => Some(Value::Float(statistic.value.f64)).filter(|value| value.number().is_finite()),
                _ => None,
            }
        }
    };
    let row = |statistic: &vk::PipelineExecutableStatisticKHR<'_>| {
        let (name, description) = (text_of(&statistic.name), text_of(&statistic.description));
        value(&name, statistic).map(|value| Statistic { name, description, value })
    };
    Ok(all.iter().filter_map(row).collect())
}

fn texts(
    device: &Device,
    functions: &Functions,
    info: &vk::PipelineExecutableInfoKHR<'_>,
    executable: &str,
    notes: &mut Vec<String>,
) -> Result<Vec<Representation>, GpuError> {
    let call = "vkGetPipelineExecutableInternalRepresentationsKHR";
    // SAFETY: the pipeline is alive, was made with its texts kept, and has an executable of that index.
    let sizes =
        unsafe { functions.get_pipeline_executable_internal_representations(info) }.map_err(GpuError::call(call))?;
    let mut buffers = Vec::new();
    let mut wanted = Vec::new();
    for size in &sizes {
        // At least one byte: with none the driver would be queried for the size again.
        buffers.push(vec![0u8; size.data_size.clamp(1, MAX_TEXT)]);
    }
    for buffer in &mut buffers {
        wanted.push(vk::PipelineExecutableInternalRepresentationKHR::default().data(buffer));
    }
    let mut count = u32::try_from(wanted.len()).unwrap_or(u32::MAX);
    // SAFETY: as above; `wanted` has `count` elements, each with a buffer of its size.
    let result = unsafe {
        (functions.fp().get_pipeline_executable_internal_representations_khr)(
            device.handle.handle(),
            info,
            &mut count,
            wanted.as_mut_ptr(),
        )
    };
    match result {
        vk::Result::SUCCESS => {}
        // A text was longer than is read, or a driver had more to say this time.
        vk::Result::INCOMPLETE => {
            notes.push(format!("{executable}: a compiler text is longer than {MAX_TEXT} bytes and was truncated"));
        }
        error => return Err(GpuError::call(call)(error)),
    }
    let rows: Vec<_> = wanted
        .iter()
        .take(count as usize)
        .map(|row| (text_of(&row.name), text_of(&row.description), row.is_text != 0, row.data_size))
        .collect();
    let mut out = Vec::new();
    for ((name, description, is_text, size), buffer) in rows.into_iter().zip(&buffers) {
        if !is_text {
            notes.push(format!("{executable}: `{name}` is omitted: {size} bytes that are not text"));
            continue;
        }
        let bytes = buffer.get(..size.min(buffer.len())).unwrap_or(buffer);
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
        out.push(Representation { name, description, text });
    }
    Ok(out)
}

fn text_of(chars: &[c_char]) -> String {
    let bytes: Vec<u8> = chars.iter().take_while(|&&c| c != 0).map(|&c| c as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
