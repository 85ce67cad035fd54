//! The suite for a real device: `make test-device`, with `LANESCOPE_DEVICE` naming another device than the first.
//!
//! Prints each case as `ok`, `lacks` (with what the device does not have) or `FAILED`, and fails for the last only.
//! Each case runs in a child process of the program, under the validation layer where it is installed.
//!
//! A device may place invocations differently from the closed forms: a probe that disagrees is `ok`, with the number
//! of its disagreements.
//!
//! Last results:
//! * NVIDIA H200 and H100, driver 580.159.04, under the validation layer (1.4.309), 2026-11-26: 80 ok, 4 lacking (16-bit
//!   varyings of two pairs, to run and to compile; widened they are ok), 0 failed. Native derivatives equal computed ones
//!   bit for bit, and no probe disagrees. The layer of Debian 12 (1.3.239) is too old for it: it knows neither the features
//!   nor the extensions of Vulkan 1.4, and reports them.
//! * llvmpipe of Mesa 22.3.6, 2026-11-21: 47 ok, 4 lacking (16-bit varyings in two pairs, native derivatives in compute in
//!   both groups), 0 failed.

mod common;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use common::{outcome, samples};
use serde_json::Value;

/// The outcome of a case.
enum Outcome {
    Ok(String),
    Lacks(String),
    Failed(String),
}

/// One thing to run: its name, and the arguments of `lanescope`.
struct Case {
    name: String,
    arguments: Vec<String>,
    judge: fn(&Value) -> Result<String, String>,
}

/// Small shaders that each need one feature.
const FEATURES: &[(&str, &str)] = &[
    ("float64", "double x = 1.0 / 3.0; u[0] = uint(x * 3e9);"),
    ("int64", "uint64_t x = 5000000000ul * uint64_t(u[0]); u[0] = uint(x >> 32);"),
    ("int16", "uint16_t x = uint16_t(u[0]); u[0] = uint(x * uint16_t(3));"),
    ("float16", "float16_t x = float16_t(u[0]); u[0] = uint(x * float16_t(3));"),
    ("int8", "uint8_t x = uint8_t(u[0]); u[0] = uint(x * uint8_t(3));"),
    ("subgroup arithmetic", "u[gl_LocalInvocationIndex] = subgroupInclusiveAdd(gl_LocalInvocationIndex);"),
    ("subgroup quads", "u[gl_LocalInvocationIndex] = subgroupQuadSwapDiagonal(gl_LocalInvocationIndex);"),
    ("subgroup shuffles", "u[gl_LocalInvocationIndex] = subgroupShuffleXor(gl_LocalInvocationIndex, 1u);"),
];

fn main() -> ExitCode {
    let device = std::env::var("LANESCOPE_DEVICE").unwrap_or_else(|_| "0".to_owned());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut failed = 0;
    let mut counts = [0; 3];
    let mut device_name = None;
    for case in cases(&folder) {
        let outcome = run(&case, &device, &mut device_name);
        let (index, word, about) = match outcome {
            Outcome::Ok(about) => (0, "ok    ", about),
            Outcome::Lacks(what) => (1, "lacks ", what),
            Outcome::Failed(why) => (2, "FAILED", why),
        };
        counts[index] += 1;
        failed += usize::from(index == 2);
        println!("{word}  {:36}  {about}", case.name);
    }
    let name = device_name.unwrap_or(device);
    println!("\n{name}: {} ok, {} lacking, {} failed", counts[0], counts[1], counts[2]);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run(case: &Case, device: &str, device_name: &mut Option<String>) -> Outcome {
    let common = ["--device", device, "--format", "json"].map(str::to_owned);
    let once = |validate: bool| {
        let validate = validate.then(|| "--validate".to_owned());
        outcome(case.arguments.iter().cloned().chain(common.clone()).chain(validate))
    };
    let (mut status, mut stdout, mut stderr) = once(true);
    if status == 3 && stderr.contains("VK_LAYER_KHRONOS_validation") {
        (status, stdout, stderr) = once(false);
    }
    let message = stderr.trim().trim_start_matches("error: ").lines().next().unwrap_or_default().to_owned();
    match status {
        3 => Outcome::Lacks(message),
        0 | 1 => {
            let Ok(report) = serde_json::from_str::<Value>(&stdout) else {
                return Outcome::Failed("no JSON came back".to_owned());
            };
            let names = [&report["run"]["device"], &report["device"], &report["driver"][0]["device"]];
            let name = names.into_iter().find_map(Value::as_str);
            *device_name = name.map(str::to_owned).or(device_name.take());
            match (case.judge)(&report) {
                Ok(about) => Outcome::Ok(about),
                Err(why) => Outcome::Failed(why),
            }
        }
        _ => Outcome::Failed(stderr.trim().to_owned()),
    }
}

/// The files of the pipeline that a fragment shader ends.
fn stages(fragment: &Path) -> Vec<PathBuf> {
    let all = ["vert", "tesc", "tese", "geom", "frag"].map(|stage| fragment.with_extension(stage));
    all.into_iter().filter(|file| file.exists()).collect()
}

fn cases(folder: &tempfile::TempDir) -> Vec<Case> {
    let mut out = Vec::new();
    let mut add = |name: String, arguments: Vec<String>, judge| out.push(Case { name, arguments, judge });
    for (pair, compute) in [(true, false), (false, true)] {
        for path in shaders(if compute { "comp" } else { "frag" }) {
            let files: Vec<PathBuf> = if pair { stages(&path) } else { vec![path.clone()] };
            // Reads an input that nothing writes: no two runs need to agree.
            if (pair && files.len() < 2) || path.ends_with("missing_input.frag") {
                continue;
            }
            let files: Vec<String> = files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
            let against = files.iter().flat_map(|file| ["--against".to_owned(), file.clone()]);
            let arguments = ["run".to_owned()].into_iter().chain(files.clone()).chain(against).collect();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            add(format!("run {name} twice"), arguments, equal);
            // 16-bit varyings run widened everywhere; a swizzle shows where a layout has one.
            let flags = [if pair { "--widen" } else { "--reconfig" }].map(str::to_owned);
            let arguments = ["run".to_owned()].into_iter().chain(flags).chain(files).collect();
            add(format!("run {name} rewritten"), arguments, not_different);
        }
    }
    // What the device's compiler makes of each sample, as written and rewritten.
    for (extension, of) in [("frag", "original,packed"), ("comp", "original,swizzled")] {
        // A validation layer refuses an input that nothing writes; not every device has mesh shaders.
        let left_out = ["missing_input.frag", "tile_rows.frag"];
        for path in shaders(extension).into_iter().filter(|path| !left_out.iter().any(|name| path.ends_with(name))) {
            let files = if extension == "frag" { stages(&path) } else { vec![path.clone()] };
            let files: Vec<String> = files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
            let flags = ["--of", of, "--reconfig", "--no-cache"].map(str::to_owned);
            let arguments = ["isa".to_owned()].into_iter().chain(files).chain(flags).collect();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            add(format!("compile {name}"), arguments, compiled);
        }
    }
    // A compile ahead, and what Vulkan offers instead.
    for files in [&["lit_surface.vert", "lit_surface.frag"][..], &["tile_16x16.comp"]] {
        let files = files.iter().map(|name| samples().join(name).to_string_lossy().into_owned());
        let flags = ["--guessed-color", "unorm8", "--no-cache", "--repeats", "1"].map(str::to_owned);
        let arguments: Vec<String> = ["guess-layout".to_owned()].into_iter().chain(files).chain(flags).collect();
        let name = format!("compile ahead {}", arguments[1].rsplit('/').next().unwrap_or_default());
        add(name, arguments, compiled_ahead);
    }
    // Computed derivatives: beside the device's own where it has them, else under two layouts.
    for (group, size) in
        [("quads", "local_size_x = 16, local_size_y = 8"), ("linear", "local_size_x = 8, local_size_y = 6")]
    {
        let path = folder.path().join(format!("derivatives_{group}.comp"));
        std::fs::write(&path, derivatives(group, size)).expect("the folder is writable");
        for by in ["quad", "shuffle"] {
            let arguments = ["run", &path.to_string_lossy(), "--derivatives-by", by, "--reconfig"];
            add(format!("derivatives in {group} by {by}"), arguments.map(str::to_owned).to_vec(), same_derivatives);
        }
        let arguments = ["run", &path.to_string_lossy(), "--derivatives-by", "native", "--reconfig"];
        add(format!("derivatives in {group} native"), arguments.map(str::to_owned).to_vec(), not_different);
    }
    for (name, body) in FEATURES {
        let path = folder.path().join(format!("{}.comp", name.replace(' ', "_")));
        let source = format!(
            "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : enable\n\
             #extension GL_KHR_shader_subgroup_arithmetic : enable\n#extension GL_KHR_shader_subgroup_quad : enable\n\
             #extension GL_KHR_shader_subgroup_shuffle : enable\nlayout(local_size_x = 32) in;\n\
             layout(set = 0, binding = 0) buffer Out {{ uint u[32]; }};\nvoid main() {{ {body} }}\n"
        );
        std::fs::write(&path, source).expect("the folder is writable");
        add(format!("run with {name}"), vec!["run".to_owned(), path.to_string_lossy().into_owned()], ran);
    }
    for derivatives in ["none", "linear", "quads"] {
        for size in ["8,8,1", "16,16,1", "64,2,1", "6,4,2", "32,32,1"] {
            let arguments = ["probe", "--size", size, "--derivatives", derivatives];
            add(format!("probe {size} {derivatives}"), arguments.map(str::to_owned).to_vec(), measured);
        }
    }
    out
}

fn shaders(extension: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(samples())
        .expect("the samples are there")
        .map(|entry| entry.expect("reads").path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    paths.sort();
    paths
}

fn equal(report: &Value) -> Result<String, String> {
    let compare = &report["run"]["compare"];
    match compare["equal"].as_bool() {
        Some(true) => Ok(format!("equal, {} ns", report["run"]["nanoseconds"])),
        _ => Err(format!("two runs of one program differ: {compare}")),
    }
}

fn not_different(report: &Value) -> Result<String, String> {
    let run = &report["run"];
    let ordered = run["order_dependent"].as_array().is_some_and(|why| !why.is_empty());
    match (run["compare"]["equal"].as_bool(), run["not_rewritten"].as_str()) {
        (Some(true), _) => Ok("equal, bit for bit".to_owned()),
        (Some(false), _) if ordered => Ok("different, order-dependent".to_owned()),
        (None, Some(why)) => Ok(format!("not rewritten: {why}")),
        _ => Err(format!("original and rewritten differ: {}", run["compare"])),
    }
}

/// Every derivative with a precision of its own, of a function whose differences are all different.
fn derivatives(group: &str, size: &str) -> String {
    format!(
        "#version 460\n#extension GL_NV_compute_shader_derivatives : require\n\
         layout({size}) in;\nlayout(derivative_group_{group}NV) in;\n\
         layout(set = 0, binding = 0) buffer Out {{ float f[]; }};\nvoid main() {{\n\
         uint i = gl_LocalInvocationIndex; vec2 p = vec2(gl_GlobalInvocationID.xy);\n\
         float v = 3.0 * p.x * p.x + 5.0 * p.y * p.y + 7.0 * p.x * p.y;\n\
         f[i * 6u] = dFdxFine(v); f[i * 6u + 1u] = dFdyFine(v); f[i * 6u + 2u] = fwidthFine(v);\n\
         f[i * 6u + 3u] = dFdxCoarse(v); f[i * 6u + 4u] = dFdyCoarse(v); f[i * 6u + 5u] = fwidthCoarse(v);\n}}\n"
    )
}

/// Says what was compared with what, where two programs were.
fn same_derivatives(report: &Value) -> Result<String, String> {
    let by = &report["run"]["derivatives"];
    let about = not_different(report)?;
    let name = |which: &str| by[which].as_str().unwrap_or("nothing").to_owned();
    Ok(format!("{} beside {}: {about}", name("original"), name("rewritten")))
}

/// Checks that every stage was compiled; returns the driver's texts.
fn compiled(report: &Value) -> Result<String, String> {
    let empty = Vec::new();
    let rows = report["driver"].as_array().unwrap_or(&empty);
    let has = |stage: &Value| {
        rows.iter()
            .any(|row| row["stage"] == *stage || row["merged"].as_array().is_some_and(|stages| stages.contains(stage)))
    };
    let stages = report["stages"].as_array().unwrap_or(&empty);
    if let Some(missing) = stages.iter().map(|stage| &stage["stage"]).find(|stage| !has(stage)) {
        return Err(format!("nothing of the {missing} stage: {}", report["findings"]));
    }
    // A rewritten version that needs what the device lacks is refused, and says so.
    let codes = report["findings"].as_array().into_iter().flatten().filter_map(|finding| finding["code"].as_str());
    if let Some(died) = codes.into_iter().find(|code| ["I001", "I002", "I003"].contains(code)) {
        return Err(format!("{died}: {}", report["findings"]));
    }
    let statistics: usize = rows.iter().filter_map(|row| row["statistics"].as_array()).map(Vec::len).sum();
    let texts = rows.iter().filter(|row| row["isa"].is_string()).count();
    let nanoseconds: u64 =
        report["driver_costs"].as_array().into_iter().flatten().filter_map(|cost| cost["nanoseconds"].as_u64()).sum();
    let milliseconds = nanoseconds as f64 / 1e6;
    Ok(format!("{} executables, {statistics} statistics, {texts} with assembly, {milliseconds:.1} ms", rows.len()))
}

fn compiled_ahead(report: &Value) -> Result<String, String> {
    let ahead = &report["partial"][0]["ahead"];
    if ahead["hit"] != true {
        return Err(format!("the guess does not serve: {}", ahead["why"]));
    }
    let notes: Vec<&str> = ahead["notes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if let Some(failed) = notes.iter().find(|note| note.contains("were not measured")) {
        return Err((*failed).to_owned());
    }
    let microseconds = |time: &Value| time.as_u64().map_or("-".to_owned(), |time| format!("{} µs", time / 1000));
    let all = [
        ("without", &ahead["without"][0]),
        ("with", &ahead["with"][0]),
        ("linked", &ahead["libraries"]["link"]),
        ("objects", &ahead["objects"]["restored"]),
        ("binaries", &ahead["binaries"]["create"]),
    ];
    let times: Vec<String> = all.iter().map(|(name, time)| format!("{name} {}", microseconds(time))).collect();
    Ok(times.join(", "))
}

fn ran(report: &Value) -> Result<String, String> {
    match report["run"]["nanoseconds"].as_u64() {
        Some(time) => Ok(format!("{time} ns")),
        None => Err("the report has no run".to_owned()),
    }
}

fn measured(probe: &Value) -> Result<String, String> {
    let count = |field: &str| probe[field].as_array().map_or(0, Vec::len);
    let size: u64 = probe["size"].as_array().into_iter().flatten().filter_map(Value::as_u64).product();
    if count("lanes") as u64 != size {
        return Err(format!("{} of {size} invocations were measured", count("lanes")));
    }
    let unmeasured: Vec<_> = probe["not_measured"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let unmeasured =
        if unmeasured.is_empty() { String::new() } else { format!("; not measured: {}", unmeasured.join(", ")) };
    Ok(format!("subgroups of {}, {} disagreements{unmeasured}", probe["subgroup_size"], count("disagreements")))
}
