//! A corpus with RADV beside a process that makes the same pipelines with bare Vulkan calls: both read the same files, and
//! ask for the statistics of each executable. Processor time, of the program and its child together.
//!
//! This benchmark starts itself again for the bare calls: the environment of a process chooses the chip.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ash::vk;
use lanescope_core::driver::{Way, environment};
use lanescope_core::target::Target;

use super::bare::{Bare, Interface};
use super::{Sharing, corpus, modules};

/// The chip that is compiled for.
const CHIP: Target = Target::Gfx1030;
/// Pipelines of the corpus.
const PIPELINES: usize = 1200;
/// Runs of each side, in turns. The least time counts: other work on the machine only adds.
const RUNS: usize = 5;
/// The first argument of a process that makes bare calls, and is followed by the folder of modules.
const CHILD: &str = "bare-calls";
/// A statistic of every executable, which both sides have to find.
const SAME: &str = "Instructions";

/// Whether this process was started for bare calls.
pub fn is_child() -> bool {
    std::env::args_os().nth(1).is_some_and(|word| word == CHILD)
}

/// Makes the pipelines of a folder with bare calls, and prints the sum of one statistic over all executables.
///
/// # Errors
/// The driver's, and those of reading.
pub fn child() -> io::Result<()> {
    let folder = std::env::args_os().nth(2).map(PathBuf::from).unwrap_or_default();
    let mut pipelines: BTreeMap<String, Vec<(bool, PathBuf)>> = BTreeMap::new();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (pipeline, _) = name.split_once('.').ok_or_else(|| io::Error::other(format!("{name}: no stage")))?;
        // The vertex shader comes first.
        pipelines.entry(pipeline.to_owned()).or_default().push((name.contains(".frag."), path));
    }
    let bare = Bare::open()?;
    let binding = |at, kind, stages| {
        vk::DescriptorSetLayoutBinding::default()
            .binding(at)
            .descriptor_type(kind)
            .descriptor_count(1)
            .stage_flags(stages)
    };
    let both = vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::FRAGMENT;
    let graphics = [
        binding(0, vk::DescriptorType::UNIFORM_BUFFER, both),
        binding(1, vk::DescriptorType::COMBINED_IMAGE_SAMPLER, vk::ShaderStageFlags::FRAGMENT),
    ];
    let compute = [binding(0, vk::DescriptorType::STORAGE_BUFFER, vk::ShaderStageFlags::COMPUTE)];
    let attributes = [vk::Format::R32G32B32A32_SFLOAT];
    let color = vk::Format::R16G16B16A16_SFLOAT;
    let of_graphics =
        Interface { bindings: &graphics, push_constants: 0, attributes: &attributes, color, texts: false };
    let of_compute = Interface { bindings: &compute, attributes: &[], ..of_graphics };
    let mut sum = 0;
    for (_, mut files) in pipelines {
        files.sort();
        let read = |(_, path): &(bool, PathBuf)| -> io::Result<Vec<u32>> {
            let bytes = fs::read(path)?;
            Ok(bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
        };
        let words = files.iter().map(read).collect::<io::Result<Vec<_>>>()?;
        let interface = if words.len() == 1 { &of_compute } else { &of_graphics };
        let executables = bare.compile(&words, interface)?;
        sum += executables.iter().filter_map(|executable| executable.statistics.get(SAME)).sum::<u64>();
    }
    writeln!(io::stdout(), "{sum}")
}

/// Processor time of the processes that ended so far, in seconds.
fn spent() -> io::Result<f64> {
    const TICK: f64 = 0.01;
    let all = fs::read_to_string("/proc/self/stat")?;
    // Behind the name, which may hold anything: the times of children that were waited for (proc(5), fields 16 and 17).
    let fields = all.rsplit(')').next().unwrap_or_default().split_whitespace().skip(13).take(2);
    Ok(fields.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() * TICK)
}

/// Processor time of a process that makes bare calls, and the sum that it prints.
fn bare_calls(way: &Way, folder: &Path) -> io::Result<(f64, u64)> {
    let before = spent()?;
    let mut command = Command::new(std::env::current_exe()?);
    let output = command.arg(CHILD).arg(folder).envs(environment(Some(way))).stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let sum = text.trim().parse().map_err(|_| io::Error::other(format!("bare calls ended with {}", output.status)))?;
    Ok((spent()? - before, sum))
}

/// The same statistic summed over the rows of a result.
fn sum(result: &str) -> io::Result<u64> {
    let mut sum = 0;
    for line in fs::read_to_string(result)?.lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        for executable in row["drivers"][0]["executables"].as_array().into_iter().flatten() {
            sum += executable["statistics"][SAME].as_u64().unwrap_or_default();
        }
    }
    Ok(sum)
}

/// A corpus with and without validation, beside bare calls.
///
/// # Errors
/// No installed driver compiles for the chip, a process failed, or the two sides made different code.
pub fn driver(folder: &Path) -> io::Result<()> {
    let few = modules(folder, 3, Sharing::Different)?;
    let ways = Way::to(CHIP.into(), None);
    let way = ways.iter().find(|way| bare_calls(way, &few).is_ok());
    let way = way.ok_or_else(|| io::Error::other(format!("no installed driver compiles for {CHIP}")))?;
    for sharing in [Sharing::Different, Sharing::Shared] {
        driver_of(folder, way, sharing)?;
    }
    Ok(())
}

fn driver_of(folder: &Path, way: &Way, sharing: Sharing) -> io::Result<()> {
    let files = modules(folder, PIPELINES, sharing)?;
    let (input, out) = (files.display().to_string(), folder.join("driven.jsonl").display().to_string());
    let chip = CHIP.to_string();
    let ours = |more: &[&str]| -> io::Result<f64> {
        let common = [input.as_str(), "--chip", &chip, "--measure", "packing", "--jobs", "1", "--format", "jsonl"];
        let before = spent()?;
        let status = corpus(&[&common[..], &["--force", "-o", &out], more].concat())?.wait()?;
        if !status.success() {
            return Err(io::Error::other(format!("corpus ended with {status}")));
        }
        Ok(spent()? - before)
    };
    let [mut validated, mut unchecked, mut theirs] = [f64::INFINITY; 3];
    for _ in 0..RUNS {
        validated = validated.min(ours(&[])?);
        unchecked = unchecked.min(ours(&["--no-validate"])?);
        let (took, instructions) = bare_calls(way, &files)?;
        theirs = theirs.min(took);
        let found = sum(&out)?;
        if found != instructions {
            return Err(io::Error::other(format!("{found} instructions, but {instructions} with bare calls")));
        }
    }
    let on_top = |took: f64| (took / theirs - 1.0) * 100.0;
    println!(
        "driver: {sharing:?} modules: {PIPELINES} pipelines, processor time: {validated:.2} s; bare calls {theirs:.2} s: {:.1} % on \
         top, {:.1} % with --no-validate",
        on_top(validated),
        on_top(unchecked)
    );
    Ok(())
}
