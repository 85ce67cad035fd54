//! A program's pipelines, compiled by a device's driver, and what the driver reports about them.

use std::path::PathBuf;
use std::time::Instant;

use ash::vk;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::executable::{Compilation, CompiledPipeline, Link, Version};
use super::graphics::Graphics;
use super::offline::Way;
use super::{rays, read};
use crate::gpu::bind::layouts;
use crate::gpu::memory::Owned;
use crate::gpu::pipeline::{ComputeState, compute, entry_of};
use crate::gpu::resources::Resources;
use crate::gpu::wave;
use crate::gpu::{
    Device, DeviceInfo, DeviceOptions, GpuError, Needs, OfferedCapabilities, Used, group, offered_capabilities,
    with_device, with_kept_device,
};
use lanescope_model::chip::Chip;
use lanescope_model::options::{Options, WaveChoice};
use lanescope_model::program::{Program, Stage, StageKind};

/// Which driver, and what it sees.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CompileOptions {
    /// A chip that is not installed. The process was started with [`super::environment`] for it.
    pub chip: Option<Chip>,
    /// The manifest of the only Vulkan driver that the process's loader uses; absent for the installed ones.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub icd: Option<PathBuf>,
    /// Part of a device's name or its index, where no chip is set; the first device where absent.
    pub device: Option<String>,
    /// Compile the stages of a graphics pipeline apart.
    pub apart: bool,
    /// Run under the validation layer: an error that it reports fails the compilation.
    pub validate: bool,
    /// Make the pipelines as an application does, and ask nothing of them: what their creation takes is then what an
    /// application waits for. Else the driver keeps statistics and texts on the way.
    #[serde(default)]
    pub bare: bool,
    /// Ask for statistics, and for no texts: what the driver keeps for those takes long.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub statistics_only: bool,
    /// The device stays open in its thread: many pipelines are compiled one after the other.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub keep_device: bool,
    /// Have the driver write its debug information into its texts, where it can ([`super::debug_information`]). That
    /// changes what it makes: the result is for [`super::origin`] alone.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub debug_information: bool,
}

/// Compiles every pipeline of a program on one device, and queries the compiler's statistics and texts.
///
/// A graphics pipeline is made with dynamic rendering and one attachment an output: as the options say, else of the
/// default format of the output's type (as for the registers), and with vertex attributes of as many components as
/// the vertex shader declares. A compute pipeline requires the subgroup size that the options say. `of` is only
/// passed on.
///
/// A single graphics stage is compiled as a pipeline library where the device has these, else with a
/// partner that passes every input on; the notes say which. A driver without `VK_KHR_pipeline_executable_properties`
/// compiles, and the notes say that it returns nothing.
///
/// # Errors
/// See [`GpuError`]: what the device lacks, what a call answered. Vulkan has no error for a crash: see the module.
pub fn compile(
    program: &Program,
    options: &Options,
    of: Version,
    with: &CompileOptions,
) -> Result<Compilation, GpuError> {
    let (used, handed_on) = open(program, options, with, |device, program, graphics| {
        let mut done = nothing_yet(device, of, with, graphics);
        if device.executable_properties().is_none() && !with.bare {
            done.notes.push(format!(
                "{} does not support VK_KHR_pipeline_executable_properties: it compiles, but returns no assembly and \
                 no statistics",
                device.info.driver
            ));
        }
        all(device, program, graphics, (options, with), &mut done)?;
        Ok(done)
    })?;
    let mut done = Compilation { handed_on, ..used.value };
    done.notes.extend(used.warnings);
    Ok(done)
}

/// How long a driver takes to make a program's pipelines as an application does: the device is opened once, they are
/// made `times` times, and `before` is done before each. Nanoseconds of each time.
///
/// A driver may keep what it compiled before: its environment must forbid that.
///
/// # Errors
/// As [`compile`].
pub fn creations(
    program: &Program,
    options: &Options,
    with: &CompileOptions,
    times: usize,
    mut before: impl FnMut(),
) -> Result<Vec<u64>, GpuError> {
    let with = &CompileOptions { bare: true, ..with.clone() };
    let (used, _) = open(program, options, with, |device, program, graphics| {
        let mut out = Vec::with_capacity(times);
        for _ in 0..times {
            before();
            let mut done = nothing_yet(device, Version::Original, with, graphics);
            all(device, program, graphics, (options, with), &mut done)?;
            out.push(done.pipelines.iter().map(|pipeline| pipeline.nanoseconds).sum());
        }
        Ok(out)
    })?;
    Ok(used.value)
}

/// Opens a device with all that the program's pipelines need. Returns what of that is left to the driver, too.
fn open<T>(
    program: &Program,
    options: &Options,
    with: &CompileOptions,
    act: impl FnOnce(&Device, &Program, Option<&Graphics<'_>>) -> Result<T, GpuError>,
) -> Result<(Used<T>, Vec<String>), GpuError> {
    let program =
        lanescope_model::specialised::specialised(program, options).map_err(|e| GpuError::Unusable(e.to_string()))?;
    let graphics = Graphics::of(&program, options)?;
    let mut needs = Needs::of(program.stages.iter().map(|stage| program.module_of(stage)));
    if let Some(graphics) = &graphics {
        let resources = Resources::for_layout(&graphics.stages.entries())?;
        let before = graphics.stages.all.iter().filter(|(kind, ..)| *kind != StageKind::Fragment);
        let before = before.into_iter().any(|(kind, ..)| resources.writes(*kind));
        needs = needs.drawing(before, resources.writes(StageKind::Fragment));
    }
    let mut needs = needs.compiling(graphics.as_ref().is_some_and(Graphics::is_dual_source));
    needs.extensions.extend(graphics.as_ref().and_then(Graphics::later_format));
    let device = DeviceOptions { device: device_name(with)?, validate: with.validate, ..DeviceOptions::default() };
    let work = |device: &Device| act(device, &program, graphics.as_ref());
    let used =
        if with.keep_device { with_kept_device(&needs, &device, work) } else { with_device(&needs, &device, work) };
    Ok((used.map_err(|error| of_chip(error, with))?, needs.handed_on()))
}

/// Why no device is the requested chip.
pub(super) fn of_chip(error: GpuError, with: &CompileOptions) -> GpuError {
    match (error, with.chip) {
        (GpuError::NoDevice | GpuError::UnknownDevice { .. }, Some(chip)) => {
            GpuError::NotOffered { chip: chip.to_string() }
        }
        (error, _) => error,
    }
}

fn nothing_yet(device: &Device, of: Version, with: &CompileOptions, graphics: Option<&Graphics<'_>>) -> Compilation {
    Compilation {
        device: device.info.name.clone(),
        driver: device.info.driver.clone(),
        chip: with.chip,
        icd: with.icd.clone(),
        of,
        link: if with.apart && graphics.is_some() { Link::Apart } else { Link::Whole },
        pipelines: Vec::new(),
        peak_memory: None,
        handed_on: Vec::new(),
        notes: Vec::new(),
    }
}

/// Makes every pipeline of a program.
fn all(
    device: &Device,
    program: &Program,
    graphics: Option<&Graphics<'_>>,
    (options, with): (&Options, &CompileOptions),
    done: &mut Compilation,
) -> Result<(), GpuError> {
    if let Some(graphics) = graphics {
        graphics.compile(device, with, options, done)?;
    }
    for stage in program.stages.iter().filter(|stage| stage.stage == StageKind::Compute) {
        compute_pipeline(device, program, stage, (options, with), done)?;
    }
    // Ray tracing stages make one pipeline together.
    rays::compile(device, program, with, done)
}

/// What the chip or the device that the options choose offers of each capability of SPIR-V.
///
/// # Errors
/// There is no such device, or it has no Vulkan 1.3.
pub fn capabilities(with: &CompileOptions) -> Result<OfferedCapabilities, GpuError> {
    let device = DeviceOptions { device: device_name(with)?, ..DeviceOptions::default() };
    offered_capabilities(&device).map_err(|error| of_chip(error, with))
}

/// Which of the devices of a process is meant: its index.
///
/// `way` is how the process gets to a chip that is not installed; without it, an installed device is chosen.
pub fn choose(devices: &[DeviceInfo], way: Option<&Way>, with: &CompileOptions) -> Option<usize> {
    match way {
        Some(way) => devices.iter().position(|device| way.is_device(device)),
        None => crate::gpu::choose(devices, with.device.as_deref()),
    }
}

/// The device to open, for a chip or by its own name.
pub(super) fn device_name(with: &CompileOptions) -> Result<Option<String>, GpuError> {
    let Some(chip) = with.chip else { return Ok(with.device.clone()) };
    // Without the chip's own way, a device of that name would be an installed one.
    match Way::of_process() {
        Some(way) if way.leads_to(chip) => match way.device_name()? {
            None => Err(GpuError::NotOffered { chip: chip.to_string() }),
            name => Ok(name),
        },
        way => {
            let has = way.map_or("no chip".to_owned(), |way| way.setting());
            Err(GpuError::Unusable(format!("this process was not started for {chip}: its environment selects {has}")))
        }
    }
}

fn compute_pipeline(
    device: &Device,
    program: &Program,
    stage: &Stage,
    (options, with): (&Options, &CompileOptions),
    done: &mut Compilation,
) -> Result<(), GpuError> {
    let (_, module, entry) = entry_of(program, stage)?;
    group::check(device, module, entry)?;
    let resources = Resources::for_layout(&[(module, entry)])?;
    let (_sets, layout) = layouts(device, &resources)?;
    let subgroup_size = required_subgroups(device, program, stage, options)?;
    let state = ComputeState { flags: capture(device, with), subgroup_size };
    let make = || compute(device, module, entry, state, layout.handle);
    finish(device, with, make, (vec![StageKind::Compute], vec![entry.name.clone()]), done)
}

/// The lanes of the subgroups that a compute stage's pipeline has to require: those that the options say, else those that
/// the shader is made for; none where the device may choose.
///
/// # Errors
/// [`GpuError::Lacks`] where the device has no such subgroups.
pub(super) fn required_subgroups(
    device: &Device,
    program: &Program,
    stage: &Stage,
    options: &Options,
) -> Result<Option<u32>, GpuError> {
    let size = match options.wave {
        WaveChoice::Auto => match program.wave_size_of(stage) {
            Some(made_for) => wave::subgroup_size(&device.info, made_for, &stage.entry)?,
            None => None,
        },
        WaveChoice::Wave32 => Some(32),
        WaveChoice::Wave64 => Some(64),
    };
    let [least, most] = device.info.subgroup_range;
    match size {
        // A size that is the only one cannot be required of every device, and need not be.
        Some(size) if least == size && most == size => Ok(None),
        Some(size) if !device.info.subgroup_required || !(least..=most).contains(&size) => Err(GpuError::Lacks {
            device: device.info.name.clone(),
            what: format!("subgroup size {size} in compute (supported: {least} to {most})"),
            feature: None,
            needed_by: "the requested wave size".into(),
        }),
        size => Ok(size),
    }
}

/// The creation flags that make the driver keep statistics and texts.
pub(super) fn capture(device: &Device, with: &CompileOptions) -> vk::PipelineCreateFlags {
    match device.executable_properties() {
        Some(_) if with.statistics_only && !with.bare => vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR,
        Some(_) if !with.bare => {
            vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR
                | vk::PipelineCreateFlags::CAPTURE_INTERNAL_REPRESENTATIONS_KHR
        }
        _ => vk::PipelineCreateFlags::empty(),
    }
}

/// Creates a pipeline, measures the time, and queries its executables.
pub(super) fn finish<'d>(
    device: &'d Device,
    with: &CompileOptions,
    make: impl FnOnce() -> Result<Owned<'d, vk::Pipeline>, GpuError>,
    (stages, entries): (Vec<StageKind>, Vec<String>),
    done: &mut Compilation,
) -> Result<(), GpuError> {
    let begin = Instant::now();
    let pipeline = make()?;
    let nanoseconds = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let executables = match device.executable_properties() {
        Some(functions) if !with.bare => {
            read::executables(device, &functions, pipeline.handle, !with.statistics_only, &mut done.notes)?
        }
        _ => Vec::new(),
    };
    done.pipelines.push(CompiledPipeline { stages, entries, nanoseconds, executables });
    Ok(())
}
