//! `lanescope corpus` over generated inputs: pipelines a second for each core, scaling from one job to two, the
//! difference of 30,000 rows, a result of 700,000 shaders in the window and the terminal form, and memory at 1,000 and at
//! 100,000 pipelines.
//!
//! `cargo bench --bench corpus -- speed` runs one part alone; the others are `difference`, `shown`, `memory` and `driver`.

#[path = "../shared/bare.rs"]
#[allow(dead_code, reason = "texts are for another benchmark")]
mod bare;
mod driver;
mod shown;

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use lanescope_core::load::load;
use lanescope_core::pipeline::foz::{Database, Tag, Writer};

/// A part of the benchmark.
type Part = fn(&Path) -> io::Result<()>;

/// The parts, each under the name that chooses it.
const PARTS: [(&str, Part); 5] = [
    ("speed", speed),
    ("difference", difference),
    ("shown", shown::shown),
    ("memory", memory),
    ("driver", driver::driver),
];

fn main() -> io::Result<()> {
    if driver::is_child() {
        return driver::child();
    }
    // Cargo adds flags of its own.
    let chosen: Vec<String> = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).collect();
    let chosen: Vec<&String> = chosen.iter().filter(|word| !word.starts_with("--")).collect();
    let folder = tempfile::tempdir()?;
    for (name, part) in PARTS {
        if chosen.is_empty() || chosen.iter().any(|word| *word == name) {
            part(folder.path())?;
        }
    }
    Ok(())
}

fn corpus(arguments: &[&str]) -> io::Result<Child> {
    Command::new(lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope")))
        .arg("corpus")
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

/// Seconds of a run.
fn seconds(arguments: &[&str]) -> io::Result<f64> {
    let begin = Instant::now();
    let status = corpus(arguments)?.wait()?;
    assert!(status.success(), "{arguments:?}: {status}");
    Ok(begin.elapsed().as_secs_f64())
}

/// Whether pipelines share modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sharing {
    /// 48 pipelines repeat, as materials of a game do.
    Shared,
    /// Each module is another one: they differ in the version of their generator.
    Different,
}

/// SPIR-V of vertex and fragment shaders, and of compute shaders: as many pipelines.
fn modules(folder: &Path, pipelines: usize, sharing: Sharing) -> io::Result<PathBuf> {
    const DIFFERENT: usize = 48;
    const GENERATOR: usize = 8;
    let (sources, out) = (folder.join("sources"), folder.join(format!("spirv-{pipelines}-{sharing:?}")));
    fs::create_dir_all(&sources)?;
    fs::create_dir_all(&out)?;
    let spirv = |name: &str, text: String| -> io::Result<PathBuf> {
        let (path, compiled) = (sources.join(name), sources.join(format!("{name}.spv")));
        fs::write(&path, text)?;
        let program = load(&[path], &[]).map_err(|error| io::Error::other(error.to_string()))?;
        let words = program.modules.first().map(|loaded| loaded.module.words().to_vec()).unwrap_or_default();
        fs::write(&compiled, words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())?;
        Ok(compiled)
    };
    let mut made = Vec::new();
    for number in 0..DIFFERENT {
        made.push(if number % 3 == 2 {
            vec![("comp", spirv(&format!("{number}.comp"), compute(number))?)]
        } else {
            let [vertex, fragment] = graphics(number);
            vec![
                ("vert", spirv(&format!("{number}.vert"), vertex)?),
                ("frag", spirv(&format!("{number}.frag"), fragment)?),
            ]
        });
    }
    for number in 0..pipelines {
        for (stage, path) in &made[number % DIFFERENT] {
            let to = out.join(format!("p{number:06}.{stage}.spv"));
            if sharing == Sharing::Shared {
                fs::hard_link(path, to)?;
                continue;
            }
            let mut bytes = fs::read(path)?;
            // The low half of a little-endian word: the version of the tool.
            if let Some(version) = bytes.get_mut(GENERATOR..GENERATOR + 2) {
                version.copy_from_slice(&((number / DIFFERENT) as u16).to_le_bytes());
            }
            fs::write(to, bytes)?;
        }
    }
    Ok(out)
}

/// A pair with a few varyings, a loop and some arithmetic, as materials have them.
fn graphics(number: usize) -> [String; 2] {
    let count = 3 + number % 6;
    let declared = |way: &str| -> String {
        let one = |at: usize| {
            let kind = ["vec3", "vec2", "vec4", "float"][(at + number) % 4];
            format!("layout(location = {at}) {way} {kind} v{at};\n")
        };
        (0..count).map(one).collect()
    };
    let writes: String = (0..count)
        .map(|at| {
            let swizzle = ["xyz", "xy", "xyzw", "x"][(at + number) % 4];
            format!("    v{at} = (u.matrix * position * {at}.5).{swizzle};\n")
        })
        .collect();
    let reads: String = (0..count)
        .map(|at| {
            format!("    for (int i = 0; i < {number}; i++) sum += vec4(v{at}.x) * u.factor[i & 3] + sin(sum);\n")
        })
        .collect();
    let uniform = "layout(set = 0, binding = 0) uniform U { mat4 matrix; vec4 factor[4]; } u;\n";
    [
        format!(
            "#version 450\n{uniform}layout(location = 0) in vec4 position;\n{}void main() {{\n{writes}    gl_Position = u.matrix * position;\n}}\n",
            declared("out")
        ),
        format!(
            "#version 450\n{uniform}layout(set = 0, binding = 1) uniform sampler2D image;\n{}layout(location = 0) out vec4 color;\nvoid main() {{\n    vec4 sum = vec4(0);\n{reads}    color = sum * texture(image, sum.xy);\n}}\n",
            declared("in")
        ),
    ]
}

fn compute(number: usize) -> String {
    let (x, y) = (1 << (number % 6), 8);
    format!(
        "#version 450\nlayout(local_size_x = {x}, local_size_y = {y}) in;\nlayout(binding = 0) buffer B {{ vec4 b[]; }};\n\
         shared vec4 kept[{}];\nvoid main() {{\n    uint at = gl_LocalInvocationIndex;\n    kept[at] = b[at];\n    \
         barrier();\n    vec4 sum = vec4({number});\n    for (uint i = 0; i < {x}; i++) sum += kept[i] * b[i + at];\n    \
         b[at] = sum;\n}}\n",
        x * y
    )
}

/// Pipelines a second for each core, and from one job to two.
fn speed(folder: &Path) -> io::Result<()> {
    for sharing in [Sharing::Different, Sharing::Shared] {
        speed_of(folder, sharing)?;
    }
    Ok(())
}

fn speed_of(folder: &Path, sharing: Sharing) -> io::Result<()> {
    const PIPELINES: usize = 3000;
    let input = modules(folder, PIPELINES, sharing)?.display().to_string();
    // The first run reads the files from disk.
    seconds(&[&input, "--format", "jsonl", "--jobs", "2"])?;
    let run = |jobs| seconds(&[&input, "--format", "jsonl", "--jobs", jobs]);
    let mut one: Vec<f64> = Vec::new();
    let mut two = Vec::new();
    for _ in 0..3 {
        one.push(run("1")?);
        two.push(run("2")?);
    }
    let least = |all: &[f64]| all.iter().copied().fold(f64::INFINITY, f64::min);
    let (one, two) = (least(&one), least(&two));
    println!(
        "speed: {sharing:?} modules: {:.0} pipelines/s on one core ({PIPELINES} in {one:.2} s), {:.0} on two",
        PIPELINES as f64 / one,
        PIPELINES as f64 / two
    );
    println!("scaling: {:.2} from one job to two", one / two);
    let times = folder.join(format!("times-{sharing:?}.jsonl"));
    let path = times.display().to_string();
    seconds(&[
        &input,
        "--format",
        "jsonl",
        "--jobs",
        "1",
        "--measure",
        "packing,workgroup,registers,layout,findings,time",
        "-o",
        &path,
        "--force",
    ])?;
    let (mut load, mut passes) = (0, 0);
    for line in fs::read_to_string(&times)?.lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        load += row["times"]["load"].as_u64().unwrap_or_default();
        passes += row["times"]["passes"].as_u64().unwrap_or_default();
    }
    let each = |sum: u64| sum as f64 / PIPELINES as f64 / 1e3;
    let rest = (one * 1e9 - (load + passes) as f64) / PIPELINES as f64 / 1e3;
    println!(
        "where: load and validation {:.0} µs, passes {:.0} µs, all else {rest:.0} µs for each pipeline",
        each(load),
        each(passes)
    );
    Ok(())
}

/// The difference of two results of 30,000 rows.
fn difference(folder: &Path) -> io::Result<()> {
    const ROWS: u64 = 30_000;
    let (before, after) = (result(folder, "before.jsonl", ROWS, 0)?, result(folder, "after.jsonl", ROWS, 4)?);
    let taken = (0..3).map(|_| seconds(&["show", &after, "--against", &before])).collect::<io::Result<Vec<f64>>>()?;
    println!(
        "difference: {:.2} s for {ROWS} rows with two shaders each",
        taken.into_iter().fold(f64::INFINITY, f64::min)
    );
    Ok(())
}

/// Writes a result of so many pipelines, with two shaders and eleven statistics each; every seventh has more VGPRs.
fn result(folder: &Path, name: &str, pipelines: u64, add: u64) -> io::Result<String> {
    let path = folder.join(name);
    let mut out = BufWriter::new(File::create(&path)?);
    let options = serde_json::to_string(&lanescope_core::options::Options::default())?;
    writeln!(
        out,
        "{{\"schema\":1,\"version\":\"0\",\"pipelines\":{pipelines},\"inputs\":\"0\",\"measures\":[],\"filter\":{{}},\"options\":{options}}}"
    )?;
    for number in 0..pipelines {
        let value = 20 + number % 90 + if number % 7 == 0 { add } else { 0 };
        let statistics = format!(
            "{{\"SGPRs\":{},\"VGPRs\":{value},\"Spilled SGPRs\":0,\"Spilled VGPRs\":0,\"Code size\":{},\"LDS size\":0,\"Scratch size\":0,\"Subgroups per SIMD\":16,\"Instructions\":{},\"Latency\":{},\"Inverse Throughput\":{}}}",
            16 + number % 80,
            value * 40,
            value * 9,
            value * 90,
            value * 30
        );
        let executable =
            |name: &str| format!("{{\"name\":\"{name}\",\"subgroup_size\":64,\"statistics\":{statistics}}}");
        // A hash: names are in no order.
        let hash = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        writeln!(
            out,
            "{{\"number\":{number},\"pipeline\":\"game.foz@{hash:016x}\",\"database\":\"game.foz\",\"hash\":\"{hash:016x}\",\"kind\":\"graphics\",\"drivers\":[{{\"place\":\"gfx1030\",\"driver\":\"radv\",\"variant\":\"original\",\"executables\":[{},{}]}}]}}",
            executable("Vertex Shader"),
            executable("Fragment Shader")
        )?;
    }
    writeln!(out, "{{\"rows\":{pipelines},\"failed\":0}}")?;
    out.flush()?;
    Ok(path.display().to_string())
}

/// A database of as many pipelines: those of a sample, under other hashes.
fn database(folder: &Path, pipelines: usize) -> io::Result<String> {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/effects.foz");
    let there = Database::open(vec![("effects.foz".to_owned(), BufReader::new(File::open(sample)?))]);
    let there = there.map_err(|(_, fault)| io::Error::other(fault.to_string()))?;
    let path = folder.join(format!("{pipelines}.foz"));
    let mut writer = Writer::new(BufWriter::new(File::create(&path)?), true)?;
    let broken = |fault: lanescope_core::pipeline::Fault| io::Error::other(fault.to_string());
    for tag in [Tag::Sampler, Tag::SetLayout, Tag::PipelineLayout, Tag::Module, Tag::RenderPass] {
        for place in there.of(tag) {
            writer.raw(tag, place.hash, &there.raw(place).map_err(broken)?)?;
        }
    }
    // The writer puts an object under its own hash.
    let sources = there.of(Tag::Graphics).iter().map(|place| {
        let payload: serde_json::Value = serde_json::from_slice(&there.payload(place).map_err(broken)?)?;
        Ok(payload["graphicsPipelines"][format!("{:016x}", place.hash)].to_string())
    });
    let sources = sources.collect::<io::Result<Vec<_>>>()?;
    for number in 0..pipelines {
        let own = 0x1000_0000_0000_0000 + number as u64;
        writer.object(Tag::Graphics, own, &sources[number % sources.len()])?;
    }
    writer.finish()?.flush()?;
    Ok(path.display().to_string())
}

/// The most memory that a run and each of its children had resident, in MiB.
fn peak(arguments: &[&str]) -> io::Result<(f64, f64, f64)> {
    let of = |pid: u32| -> f64 {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
    };
    let begin = Instant::now();
    let mut child = corpus(arguments)?;
    let (mut parent, mut workers) = (0.0f64, 0.0f64);
    loop {
        parent = parent.max(of(child.id()));
        for task in fs::read_dir(format!("/proc/{}/task", child.id())).into_iter().flatten().flatten() {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            children
                .split_whitespace()
                .filter_map(|pid| pid.parse().ok())
                .for_each(|pid| workers = workers.max(of(pid)));
        }
        if let Some(status) = child.try_wait()? {
            assert!(status.success(), "{arguments:?}: {status}");
            return Ok((parent, workers, begin.elapsed().as_secs_f64()));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Memory of the program and of its largest child.
fn memory(folder: &Path) -> io::Result<()> {
    for pipelines in [1000, 100_000] {
        let input = database(folder, pipelines)?;
        let (parent, worker, took) = peak(&[&input, "--format", "jsonl"])?;
        println!("memory: {pipelines} pipelines of a database: {parent:.0} MiB, a child {worker:.0} MiB ({took:.1} s)");
    }
    for pipelines in [1000, 100_000] {
        let input = modules(folder, pipelines, Sharing::Shared)?.display().to_string();
        let (parent, worker, took) = peak(&[&input, "--format", "jsonl"])?;
        println!("memory: {pipelines} pipelines of a folder: {parent:.0} MiB, a child {worker:.0} MiB ({took:.1} s)");
    }
    Ok(())
}
