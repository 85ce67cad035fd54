//! Times of variants of one dispatch: each is dispatched many times, in rounds, on the same buffers.

use std::sync::OnceLock;

use ash::vk;

use super::bind::{Bound, Start};
use super::compute::check_groups;
use super::device::{DeviceOptions, with_device};
use super::dispatch::dispatch_of;
use super::memory::{Near, Owned};
use super::pipeline::{ComputeState, compute};
use super::program::addressed;
use super::resources::Resources;
use super::{Device, GpuError, Needs, group, wave};
use lanescope_load::compile_own;
use lanescope_model::program::{Program, Stage, StageKind, WaveSize};
use lanescope_run::inputs::Inputs;
use lanescope_run::{Clock, Repeat, Samples, Timing};
use lanescope_spirv::{EntryPoint, Module};

/// A shader that is timed.
type Timed<'a> = (&'a Module, &'a EntryPoint);

/// Times the compute shaders of programs that differ in how they map their ids alone: they have the same descriptors, which
/// are bound once, in memory of the device where the host sees that. Each dispatch finds what the one before left there.
///
/// The programs have their specialization constants set ([`lanescope_model::specialised::specialised`]). Without `groups`, the
/// first one decides how many workgroups there are.
///
/// # Errors
/// A program without exactly one compute shader; a dispatch, a workgroup or descriptors larger than the device takes; what
/// Vulkan calls answer; a time-out; a lost device.
pub fn time_programs(
    options: &DeviceOptions,
    programs: &[&Program],
    groups: Option<[u32; 3]>,
    inputs: &Inputs,
    repeat: &Repeat,
) -> Result<Timing, GpuError> {
    let Some(first) = programs.first() else { return Err(GpuError::NotRun("no program is timed".to_owned())) };
    let inputs = &addressed(first, inputs)?;
    let stages: Vec<&Stage> = programs.iter().map(|program| only_compute(program)).collect::<Result<_, _>>()?;
    let shaders = programs.iter().zip(&stages).filter_map(|(program, stage)| {
        let module = program.module_of(stage);
        Some((module, module.entry_points().get(stage.entry_index)?))
    });
    let shaders: Vec<Timed<'_>> = shaders.collect();
    let wave = stages.first().and_then(|stage| first.wave_size_of(stage));
    let needs = Needs::of(shaders.iter().map(|(module, _)| *module));
    let used = with_device(&needs, options, |device| timed(device, &shaders, groups, inputs, wave, repeat))?;
    Ok(Timing { warnings: used.warnings, ..used.value })
}

fn only_compute(program: &Program) -> Result<&Stage, GpuError> {
    let mut compute = program.stages.iter().filter(|stage| stage.stage == StageKind::Compute);
    match (compute.next(), compute.next()) {
        (Some(stage), None) => Ok(stage),
        (None, _) => Err(GpuError::NotRun("the program has no compute shader to time".to_owned())),
        (Some(_), Some(_)) => Err(GpuError::Unusable("only one compute shader can be timed".to_owned())),
    }
}

fn timed(
    device: &Device,
    shaders: &[Timed<'_>],
    groups: Option<[u32; 3]>,
    inputs: &Inputs,
    wave: Option<WaveSize>,
    repeat: &Repeat,
) -> Result<Timing, GpuError> {
    let Some(&first) = shaders.first() else { return Err(GpuError::NotRun("no shader is timed".to_owned())) };
    for (module, entry) in shaders {
        group::check(device, module, entry)?;
    }
    let resources = Resources::of(shaders)?;
    let groups = dispatch_of(first, groups, &resources, inputs).groups;
    check_groups(device, groups)?;
    let bound = Bound::starting(device, &resources, inputs, Start { zero: false, near: Near::Device })?;
    let required = wave.map(|wave| wave::subgroup_size(&device.info, wave, &first.1.name)).transpose()?.flatten();
    let state = ComputeState { subgroup_size: required, ..ComputeState::default() };
    let pipelines = shaders.iter().map(|(module, entry)| compute(device, module, entry, state, bound.layout.handle));
    let pipelines: Vec<Owned<'_, vk::Pipeline>> = pipelines.collect::<Result<_, _>>()?;
    let sample = |at: usize, dispatches: u32| match pipelines.get(at) {
        Some(pipeline) => Sample { device, bound: &bound, pipeline: pipeline.handle, groups, dispatches }.take(),
        None => Ok((0, Clock::Host)),
    };
    // What is run first finds cold caches and a slow clock; the slowest variant decides how often all are dispatched.
    for at in 0..shaders.len() {
        sample(at, 1)?;
    }
    let (mut slowest, mut clock) = (1, Clock::Device);
    for at in 0..shaders.len() {
        let (time, by) = sample(at, 1)?;
        (slowest, clock) = (time.max(slowest), by);
    }
    let limit = u64::try_from(device.timeout.as_nanos()).unwrap_or(u64::MAX);
    let most = (limit / 4 / slowest).clamp(1, u64::from(Repeat::MOST_DISPATCHES));
    let dispatches = repeat.sample.div_ceil(slowest).clamp(1, most);
    let a_round = slowest.saturating_mul(dispatches).saturating_mul(shaders.len() as u64).max(1);
    let rounds = (limit.saturating_mul(Repeat::TIME_LIMITS.into()) / a_round).max(1);
    let wanted_rounds = repeat.rounds.clamp(1, Repeat::MOST_ROUNDS);
    let rounds = u32::try_from(rounds).unwrap_or(u32::MAX).min(wanted_rounds);
    let dispatches = u32::try_from(dispatches).unwrap_or(1);
    // Its first sample finds a cold cache too.
    let mut reference = Reference::new(device).ok().filter(|reference| reference.sample().is_ok());
    let mut variants = vec![Samples::default(); shaders.len()];
    let mut steady = Samples::default();
    for round in 0..rounds {
        match reference.as_ref().map(Reference::sample) {
            Some(Ok(time)) => steady.nanoseconds.push(time),
            // A device that is lost fails the next sample.
            Some(Err(_)) => reference = None,
            None => {}
        }
        for at in repeat.order(round, shaders.len()) {
            let time = match sample(at, dispatches)? {
                (time, by) if by == clock => time,
                // Its clock went backwards: once more.
                _ => match sample(at, dispatches)? {
                    (time, by) if by == clock => time,
                    _ => return Err(GpuError::NotRun("the device's clock does not run forwards".to_owned())),
                },
            };
            variants.get_mut(at).into_iter().for_each(|variant| variant.nanoseconds.push(time));
        }
    }
    Ok(Timing {
        device: device.info.name.clone(),
        subgroup: required.unwrap_or(device.info.subgroup_size),
        subgroup_range: required.map_or(device.info.subgroup_range, |size| [size; 2]),
        clock,
        groups,
        dispatches,
        wanted_rounds,
        device_memory: bound.is_in_device_memory(),
        variants,
        reference: reference.map(|_| steady),
        warnings: Vec::new(),
    })
}

/// Dispatches of one pipeline, each after the one before.
struct Sample<'a, 'd> {
    device: &'d Device,
    bound: &'a Bound<'d>,
    pipeline: vk::Pipeline,
    groups: [u32; 3],
    dispatches: u32,
}

impl Sample<'_, '_> {
    /// The time from the first dispatch to the end of the last, in nanoseconds. By the host's clock it is that of the whole
    /// submission.
    fn take(&self) -> Result<(u64, Clock), GpuError> {
        let vk = &self.device.handle;
        let barrier = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::SHADER_WRITE)
            .dst_access_mask(vk::AccessFlags::SHADER_READ | vk::AccessFlags::SHADER_WRITE)];
        let stage = vk::PipelineStageFlags::COMPUTE_SHADER;
        let (whole, marks) = self.device.run_marked("timing a dispatch", 2, |commands, marks| {
            // SAFETY: the command buffer is being recorded; the pipeline outlives the commands.
            unsafe { vk.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, self.pipeline) };
            self.bound.record(commands, vk::PipelineBindPoint::COMPUTE);
            marks.set();
            for _ in 0..self.dispatches {
                let [x, y, z] = self.groups;
                // SAFETY: as above; every descriptor that the shader uses is bound.
                unsafe {
                    vk.cmd_dispatch(commands, x, y, z);
                    let none = vk::DependencyFlags::empty();
                    vk.cmd_pipeline_barrier(commands, stage, stage, none, &barrier, &[], &[]);
                }
            }
            marks.set();
        })?;
        let (time, clock) = match marks.as_slice() {
            [begin, end] => (end.saturating_sub(*begin), Clock::Device),
            _ => (whole, Clock::Host),
        };
        Ok((u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), clock))
    }
}

/// A shader that takes as long as the device's clock makes it: one chain of multiplications, and next to no memory.
struct Reference<'d> {
    device: &'d Device,
    bound: Bound<'d>,
    pipeline: Owned<'d, vk::Pipeline>,
}

/// Multiplications of the chain.
const CHAIN: u32 = 20_000;

impl<'d> Reference<'d> {
    fn new(device: &'d Device) -> Result<Reference<'d>, GpuError> {
        static MODULE: OnceLock<Result<Module, String>> = OnceLock::new();
        let internal = |why: &str| GpuError::NotRun(format!("internal error: {why}; please report it"));
        let compiled = MODULE.get_or_init(|| {
            let text = format!(
                "#version 460\nlayout(local_size_x = 32) in;\n\
                 layout(set = 0, binding = 0, std430) buffer Words {{ uint words[32]; }};\n\
                 void main() {{\n\
                 uint value = words[gl_LocalInvocationIndex];\n\
                 for (uint at = 0; at < {CHAIN}; ++at) value = value * 1664525u + 1013904223u;\n\
                 words[gl_LocalInvocationIndex] = value;\n\
                 }}\n"
            );
            compile_own(&text, StageKind::Compute)
        });
        let module = compiled.as_ref().map_err(|log| internal(&format!("the reference does not compile: {log}")))?;
        let entry = module.entry_points().first().ok_or_else(|| internal("the reference has no entry point"))?;
        let inputs = Inputs { zeros: true, ..Inputs::default() };
        let resources = Resources::of(&[(module, entry)])?;
        let bound = Bound::starting(device, &resources, &inputs, Start { zero: true, near: Near::Device })?;
        let pipeline = compute(device, module, entry, ComputeState::default(), bound.layout.handle)?;
        Ok(Reference { device, bound, pipeline })
    }

    fn sample(&self) -> Result<u64, GpuError> {
        let Reference { device, bound, pipeline } = self;
        let sample = Sample { device, bound, pipeline: pipeline.handle, groups: [1, 1, 1], dispatches: 1 };
        sample.take().map(|(time, _)| time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::testing;
    use lanescope_testing::program;

    /// A shader with a loop of so many turns.
    fn turns(times: u32) -> Program {
        let text = format!(
            "layout(local_size_x = 64) in;
            layout(set = 0, binding = 0, std430) buffer Words {{ uint words[]; }};
            void main() {{
                uint value = words[gl_LocalInvocationIndex];
                for (uint at = 0; at < {times}; ++at) value = value * 1664525u + 1013904223u;
                words[gl_LocalInvocationIndex] = value;
            }}"
        );
        program(&[("comp", &text)])
    }

    fn times(programs: &[&Program], repeat: &Repeat) -> Result<Timing, GpuError> {
        time_programs(&testing::device(), programs, Some([4, 1, 1]), &Inputs::default(), repeat)
    }

    #[test]
    fn a_thousand_times_the_work_takes_longer() {
        let repeat = Repeat { rounds: 5, sample: 100_000, ..Repeat::DEFAULT };
        let timing = times(&[&turns(100), &turns(100_000)], &repeat).expect("it runs");
        assert_eq!((timing.groups, timing.variants.len()), ([4, 1, 1], 2));
        assert!(timing.variants.iter().all(|variant| variant.nanoseconds.len() == 5));
        assert_eq!(timing.reference.as_ref().map(|reference| reference.nanoseconds.len()), Some(5));
        assert!(timing.dispatches >= 1 && timing.warnings.is_empty());
        let [short, long] = [0, 1].map(|at| timing.variants[at].spread().expect("it has times").median);
        assert!(long > short, "{long} ns of 100,000 turns, {short} ns of 100");
    }

    #[test]
    fn only_programs_with_one_compute_shader_are_timed() {
        let drawn = program(&[("frag", "void main() {}")]);
        for programs in [&[][..], &[&drawn]] {
            let timing = times(programs, &Repeat::DEFAULT);
            assert!(matches!(timing, Err(GpuError::NotRun(_))), "{timing:?}");
        }
    }
}
