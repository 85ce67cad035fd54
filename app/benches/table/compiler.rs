//! The driver's compiler in a process of its own: our child from SPIR-V in memory to parsed statistics and assembly,
//! compared with the bare Vulkan calls in a similar process. Starting the product's child and compiling GLSL come
//! before that, and are rows of their own.
//!
//! This benchmark starts itself again for each measurement: the environment of a process chooses the chip.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use ash::vk;
use lanescope_core::driver::{CompileOptions, DriverStage, Version, Way, compile, environment};
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::program::{LoadedModule, Program};
use lanescope_core::spirv::Module;
use lanescope_core::target::Target;
use serde::{Deserialize, Serialize};

use super::bare::{Bare, Interface};
use super::{Row, median, time};

/// The chip that is compiled for.
const CHIP: Target = Target::Gfx1030;
/// Processes of each side, in turns.
const RUNS: usize = 31;
/// The largest ratio of our child to the bare calls.
const GOAL: f64 = 1.2;
/// The first argument of a process that measures one side, and is followed by the side and the sample.
const CHILD: &str = "measure-compiler";

/// A sample, by the name that its files share.
const SAMPLES: [&str; 2] = ["lit_surface", "particles_1024"];

/// What one process measured.
#[derive(Serialize, Deserialize)]
struct Measured {
    /// Seconds from SPIR-V in memory to the answer.
    seconds: f64,
    /// Seconds of GLSL before that.
    glsl: f64,
    /// The assembly of each stage: both sides have to agree.
    assembly: BTreeMap<String, String>,
}

/// Measures one side where this process was started for that.
pub fn child() -> Option<ExitCode> {
    let words: Vec<String> = std::env::args_os().skip(1).take(3).filter_map(|word| word.into_string().ok()).collect();
    let [first, side, sample] = words.as_slice() else { return None };
    if first != CHILD {
        return None;
    }
    match measure(side == "ours", sample) {
        Ok(measured) => {
            let text = serde_json::to_string(&measured).unwrap_or_default();
            let _ = io::stdout().write_all(text.as_bytes());
            Some(ExitCode::SUCCESS)
        }
        Err(error) => {
            eprintln!("{error}");
            Some(ExitCode::FAILURE)
        }
    }
}

fn files(sample: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let all = ["vert", "frag", "comp"].map(|stage| folder.join(format!("{sample}.{stage}")));
    all.into_iter().filter(|path| path.is_file()).collect()
}

fn measure(ours: bool, sample: &str) -> io::Result<Measured> {
    let begin = Instant::now();
    let program = load(&files(sample), &[]).map_err(io::Error::other)?;
    let glsl = begin.elapsed().as_secs_f64();
    let words: Vec<Vec<u32>> = program.modules.iter().map(|loaded| loaded.module.words().to_vec()).collect();
    let begin = Instant::now();
    let assembly = if ours { with_product(&program, words)? } else { with_bare_calls(sample, &words)? };
    Ok(Measured { seconds: begin.elapsed().as_secs_f64(), glsl, assembly })
}

/// The interface of a sample, written by hand.
fn with_bare_calls(sample: &str, modules: &[Vec<u32>]) -> io::Result<BTreeMap<String, String>> {
    let binding = vk::DescriptorSetLayoutBinding::default().descriptor_count(1);
    let buffer =
        [binding.descriptor_type(vk::DescriptorType::STORAGE_BUFFER).stage_flags(vk::ShaderStageFlags::COMPUTE)];
    let image = [binding
        .descriptor_type(vk::DescriptorType::COMBINED_IMAGE_SAMPLER)
        .stage_flags(vk::ShaderStageFlags::FRAGMENT)];
    let attributes = [
        vk::Format::R32G32B32_SFLOAT,
        vk::Format::R32G32B32_SFLOAT,
        vk::Format::R32G32B32A32_SFLOAT,
        vk::Format::R32G32_SFLOAT,
    ];
    let color = vk::Format::R16G16B16A16_SFLOAT;
    let interface = match sample {
        "particles_1024" => Interface { bindings: &buffer, push_constants: 0, attributes: &[], color, texts: true },
        "lit_surface" => {
            Interface { bindings: &image, push_constants: 128, attributes: &attributes, color, texts: true }
        }
        _ => return Err(io::Error::other(format!("{sample} has no bare calls"))),
    };
    let executables = Bare::open()?.compile(modules, &interface)?;
    assert!(executables.iter().all(|executable| !executable.statistics.is_empty()), "the driver has statistics");
    Ok(executables.into_iter().map(|executable| (executable.name, executable.assembly)).collect())
}

/// Parses the modules, compiles the pipeline and reads the driver's statistics and assembly, as the child does.
fn with_product(program: &Program, words: Vec<Vec<u32>>) -> io::Result<BTreeMap<String, String>> {
    let mut program = program.clone();
    let inputs: Vec<_> = program.modules.iter().map(|loaded| loaded.input).collect();
    let parsed = words.into_iter().map(Module::parse).collect::<Result<Vec<_>, _>>().map_err(io::Error::other)?;
    program.modules = inputs.into_iter().zip(parsed).map(|(input, module)| LoadedModule::new(input, module)).collect();
    let with = CompileOptions { chip: Some(CHIP.into()), ..CompileOptions::default() };
    let compilation = compile(&program, &Options::default(), Version::Original, &with).map_err(io::Error::other)?;
    let rows = DriverStage::rows([&compilation]);
    if rows.iter().any(|row| row.facts.is_none() || row.statistics.is_empty()) {
        return Err(io::Error::other("the driver returned no statistics or no assembly"));
    }
    Ok(rows.into_iter().filter_map(|row| Some((row.name, row.isa?))).collect())
}

/// One process that measures a side.
fn run(way: &Way, side: &str, sample: &str) -> io::Result<Measured> {
    let mut command = Command::new(std::env::current_exe()?);
    let output = command.args([CHILD, side, sample]).envs(environment(Some(way))).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!("{side} of {sample} for {CHIP} ended with {}", output.status)));
    }
    serde_json::from_slice(&output.stdout).map_err(io::Error::other)
}

/// Seconds that the product's child takes to start, to see the end of its input and to exit.
fn start() -> io::Result<f64> {
    let begin = Instant::now();
    let mut command = Command::new(lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope")));
    command.arg("worker").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    Ok(begin.elapsed().as_secs_f64())
}

/// Seconds of a process that does nothing.
fn nothing() -> io::Result<f64> {
    let begin = Instant::now();
    Command::new("true").status()?;
    Ok(begin.elapsed().as_secs_f64())
}

/// The rows of each sample, and the start of the product's child.
///
/// # Errors
/// No installed driver compiles for the chip, a process failed, or the two sides made different assembly.
pub fn rows() -> io::Result<Vec<Row>> {
    let ways = Way::to(CHIP.into(), None);
    let works = |way: &&Way| run(way, "bare", SAMPLES[0]).is_ok();
    let way = ways
        .iter()
        .find(works)
        .ok_or_else(|| io::Error::other(format!("no installed driver compiles for {CHIP}: see `lanescope doctor`")))?;
    let mut rows = Vec::new();
    for sample in SAMPLES {
        let (mut ours, mut bare, mut glsl) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..RUNS {
            let (one, other) = (run(way, "ours", sample)?, run(way, "bare", sample)?);
            if one.assembly != other.assembly {
                return Err(io::Error::other(format!("{sample}: the bare calls made other assembly than the child")));
            }
            ours.push(one.seconds);
            bare.push(other.seconds);
            glsl.extend([one.glsl, other.glsl]);
        }
        let [ours, bare, glsl] = [ours, bare, glsl].map(median);
        rows.push(Row {
            what: format!("driver's compiler, from SPIR-V to parsed statistics and assembly, {sample}, {CHIP}"),
            ours: time(ours),
            beside: format!("the same Vulkan calls: {}", time(bare)),
            ratio: ours / bare,
            goal: Some(GOAL),
        });
        rows.push(Row {
            what: format!("GLSL to SPIR-V before that, {sample}"),
            ours: time(glsl),
            beside: format!("the same Vulkan calls: {}", time(bare)),
            ratio: glsl / bare,
            goal: None,
        });
    }
    let (mut starts, mut nothings) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        starts.push(start()?);
        nothings.push(nothing()?);
    }
    let [starts, nothings] = [starts, nothings].map(median);
    rows.push(Row {
        what: "child process: start and exit".to_owned(),
        ours: time(starts),
        beside: format!("`true`: {}", time(nothings)),
        ratio: starts / nothings,
        goal: None,
    });
    Ok(rows)
}
