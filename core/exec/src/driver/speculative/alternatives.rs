//! What became of the idea in Vulkan, measured with the same pipeline: shader objects, and pipeline binaries that an
//! application keeps.

use std::time::Instant;

use ash::ext::shader_object;
use ash::vk;

use super::make::{Plan, Whole};
use super::{PipelineBinaries, ShaderObjects, StageTime};
use crate::gpu::compute::c_name;
use crate::gpu::pipeline_binaries::{self, Saved};
use crate::gpu::resources::stage_flags;
use crate::gpu::{Device, GpuError};
use lanescope_base::ids::Bytes;
use lanescope_model::program::StageKind;

/// Runs `work`; its result and nanoseconds.
fn timed<T>(work: impl FnOnce() -> Result<T, GpuError>) -> Result<(T, u64), GpuError> {
    let begin = Instant::now();
    let done = work()?;
    Ok((done, u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX)))
}

/// Shader objects, destroyed with it.
struct Objects<'f> {
    functions: &'f shader_object::Device,
    all: Vec<vk::ShaderEXT>,
}

impl Drop for Objects<'_> {
    fn drop(&mut self) {
        for shader in &self.all {
            // SAFETY: made from this device, destroyed once, never bound; null is ignored.
            unsafe { self.functions.destroy_shader(*shader, None) }
        }
    }
}

impl Objects<'_> {
    fn of(functions: &shader_object::Device) -> Objects<'_> {
        Objects { functions, all: Vec::new() }
    }

    fn create(&mut self, infos: &[vk::ShaderCreateInfoEXT<'_>]) -> Result<(), GpuError> {
        // SAFETY: everything that the infos point to lives through the call; the feature is enabled.
        let made = unsafe { self.functions.create_shaders(infos, None) };
        let failed = GpuError::call("vkCreateShadersEXT");
        match made {
            Ok(made) => self.all.extend(made),
            Err((made, result)) => {
                self.all.extend(made);
                return Err(failed(result));
            }
        }
        Ok(())
    }
}

/// The stage that comes next among those of the pipeline.
fn next_stage(stages: &[StageKind], at: usize) -> vk::ShaderStageFlags {
    stages.get(at + 1).map_or(vk::ShaderStageFlags::empty(), |stage| stage_flags(Some(*stage)))
}

/// A required subgroup size is in the chain of its own stage; 0 is none.
fn with_size<'a>(
    mut info: vk::ShaderCreateInfoEXT<'a>,
    size: Option<&'a vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo<'a>>,
) -> vk::ShaderCreateInfoEXT<'a> {
    if let Some(size) = size.filter(|size| size.required_subgroup_size > 0) {
        info.p_next = std::ptr::from_ref(size).cast();
    }
    info
}

/// Creates shader objects of all stages, each timed: alone, linked, and from what the device gave as binaries. Absent where the
/// device has no shader objects.
pub(super) fn shader_objects(device: &Device, plan: &Plan) -> Result<Option<ShaderObjects>, GpuError> {
    let Some(functions) = device.shader_objects() else { return Ok(None) };
    let whole = Whole::new(device, plan)?;
    let stages = whole.entries()?;
    let kinds: Vec<StageKind> = stages.iter().map(|(kind, ..)| *kind).collect();
    let names = stages.iter().map(|(_, _, entry)| c_name(entry)).collect::<Result<Vec<_>, _>>()?;
    let sets = whole.set_layouts();
    let ranges = whole.push_constants();
    let code: Vec<Vec<u8>> = stages
        .iter()
        .map(|(_, module, _)| module.words().iter().flat_map(|word| word.to_ne_bytes()).collect())
        .collect();
    let mut sizes = Vec::new();
    for size in whole.subgroup_sizes()? {
        sizes.push(
            vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default().required_subgroup_size(size.unwrap_or(0)),
        );
    }
    let base = |at: usize, flags: vk::ShaderCreateFlagsEXT| {
        let kind = kinds[at];
        let own = match kind {
            StageKind::Mesh if !kinds.contains(&StageKind::Task) => vk::ShaderCreateFlagsEXT::NO_TASK_SHADER,
            _ => vk::ShaderCreateFlagsEXT::empty(),
        };
        vk::ShaderCreateInfoEXT::default()
            .flags(own | flags)
            .stage(stage_flags(Some(kind)))
            .next_stage(next_stage(&kinds, at))
            .name(&names[at])
            .set_layouts(&sets)
            .push_constant_ranges(&ranges)
    };
    let mut alone = Objects::of(&functions);
    let mut times = Vec::new();
    for (at, kind) in kinds.iter().enumerate() {
        let info = base(at, vk::ShaderCreateFlagsEXT::empty()).code_type(vk::ShaderCodeTypeEXT::SPIRV).code(&code[at]);
        let ((), time) = timed(|| alone.create(&[with_size(info, sizes.get(at))]))?;
        times.push(StageTime { stage: *kind, time });
    }
    let linked = match kinds.len() {
        0 | 1 => None,
        _ => {
            let infos: Vec<_> = (0..kinds.len())
                .map(|at| {
                    let info = base(at, vk::ShaderCreateFlagsEXT::LINK_STAGE);
                    with_size(info.code_type(vk::ShaderCodeTypeEXT::SPIRV).code(&code[at]), sizes.get(at))
                })
                .collect();
            let mut objects = Objects::of(&functions);
            Some(timed(|| objects.create(&infos))?.1)
        }
    };
    let mut binaries = Vec::new();
    for shader in &alone.all {
        // SAFETY: the shader is alive.
        let data = unsafe { functions.get_shader_binary_data(*shader) };
        binaries.push(data.map_err(GpuError::call("vkGetShaderBinaryDataEXT"))?);
    }
    let mut kept = Objects::of(&functions);
    let ((), restored) = timed(|| {
        for (at, binary) in binaries.iter().enumerate() {
            let info =
                base(at, vk::ShaderCreateFlagsEXT::empty()).code_type(vk::ShaderCodeTypeEXT::BINARY).code(binary);
            kept.create(&[with_size(info, sizes.get(at))])?;
        }
        Ok(())
    })?;
    let bytes = binaries.iter().map(|binary| binary.len() as u64).sum();
    Ok(Some(ShaderObjects { stages: times, linked, bytes: Bytes(bytes), restored }))
}

/// Creates the pipeline once to keep its binaries, and then from these, timed. Absent where the device has none.
pub(super) fn pipeline_binaries(device: &Device, plan: &Plan) -> Result<Option<PipelineBinaries>, GpuError> {
    let Some(functions) = pipeline_binaries::Functions::of(device) else { return Ok(None) };
    let whole = Whole::new(device, plan)?;
    let captured = whole.compile_saved(Saved::Capture)?;
    let Some(pipeline) = captured.all().first() else { return Ok(None) };
    let kept = functions.keep(*pipeline)?;
    drop(captured);
    let (binaries, restore) = timed(|| functions.restore(&kept))?;
    let (made, create) = timed(|| whole.compile_saved(Saved::Use(&binaries)))?;
    drop(made);
    Ok(Some(PipelineBinaries { count: kept.count(), bytes: Bytes(kept.bytes()), restore, create }))
}
