//! DXIL as a user opens it: the text page, and converted shaders that run with the results that their sources state.

use crate::bytecode;
use crate::common;
use crate::common::{json, outcome, samples};
use serde_json::Value;

fn sample(name: &str) -> String {
    samples().join("dxil").join(name).to_string_lossy().into_owned()
}

#[test]
fn prints_the_contents_of_a_container() {
    for name in ["lit_surface.ps", "lantern_rays.lib", "signed_map.ps", "experimental_ops.cs", "tessellated_patch.hs"] {
        let path = format!("samples/dxil/{name}.dxil");
        let (status, stdout, stderr) = outcome(["inspect", &path]);
        assert_eq!((status, stderr.as_str()), (0, ""), "{name}");
        let start = stdout.find("DXIL  ").expect("a section");
        let rest = &stdout[start..];
        // Other sections follow; they have their own golden texts.
        let end = ["\nPacking  ", "\nWorkgroup  ", "\nRegisters  ", "\nGuessed layout  "]
            .iter()
            .filter_map(|next| rest.find(next))
            .min();
        insta::assert_snapshot!(format!("page_{name}"), &rest[..end.unwrap_or(rest.len())]);
    }
    let (status, stdout, _) = outcome(["inspect", "samples/work_graphs/04_broadcast_grids.dxil"]);
    assert_eq!(status, 0);
    assert!(stdout.contains("node DynamicGrid[0], broadcasting") || stdout.contains("broadcasting, grid"), "{stdout}");
}

#[test]
fn a_pair_packs_under_the_names_of_its_semantics() {
    let report = json([sample("lit_surface.vs.dxil"), sample("lit_surface.ps.dxil")]);
    let names: Vec<&str> = report["packing"]["map"]
        .as_array()
        .expect("a map")
        .iter()
        .filter_map(|mapping| mapping["variable"].as_str())
        .collect();
    assert!(names.iter().any(|name| name.starts_with("NORMAL")) && names.contains(&"FOG"), "{names:?}");
    assert_eq!(report["packing"]["producer"], "vertex");
    assert_eq!(report["dxil"]["shader_model"], "6.6");
    assert_eq!(report["dxil"]["others"][0]["kind"], "pixel");
    let dropped = report["packing"]["dropped"].as_array().expect("dropped").iter();
    assert!(dropped.clone().any(|row| row["variable"].as_str().is_some_and(|name| name.starts_with("TEXCOORD"))));
}

/// Runs a compute sample for one group with these arguments; the words of the buffer that is requested.
fn run(name: &str, arguments: &[String], wanted: &str) -> Vec<u32> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let fixed = ["--groups", "1,1,1", "--device", "llvmpipe", "--validate", "--original-only", "--out"];
    let mut all = vec!["run".to_owned(), sample(name)];
    all.extend(arguments.iter().cloned());
    all.extend(fixed.map(str::to_owned));
    all.push(out.to_string_lossy().into_owned());
    let (status, stdout, stderr) = outcome(&all);
    assert_eq!(status, 0, "{name}: {stderr}\n{stdout}");
    let run: Value = serde_json::from_slice(&std::fs::read(out.join("run.json")).expect("is written")).expect("JSON");
    let outputs = ["buffers", "images"].iter().filter_map(|kind| run["run"][kind].as_array()).flatten();
    let output = outputs.into_iter().find(|output| output["register"] == wanted);
    let output = output.unwrap_or_else(|| panic!("{name} has no {wanted}: {}", run["run"]));
    let file = format!("{}.bin", output["name"].as_str().expect("a name"));
    let bytes = std::fs::read(out.join(file)).expect("the buffer is written");
    assert!(stdout.contains(&format!("{wanted}  set")), "{stdout}");
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn words(values: impl Iterator<Item = u32>) -> Vec<u8> {
    values.flat_map(u32::to_le_bytes).collect()
}

fn zeros() -> [String; 1] {
    ["--zeros".to_owned()]
}

#[test]
fn a_scan_gives_the_sums_that_its_source_states() {
    let (_folder, input) = common::file("numbers.bin", words(1..=256));
    let arguments = ["--buffer".to_owned(), format!("t0={}", input.display())];
    let output = run("prefix_sum.cs.dxil", &arguments, "u0");
    let expected: Vec<u32> = (0..256).map(|i| (i + 1) * (i + 2) / 2).collect();
    assert_eq!(output[..256], expected);
    // The same buffer by its descriptor.
    let arguments = ["--buffer".to_owned(), format!("0:0={}", input.display())];
    assert_eq!(run("prefix_sum.cs.dxil", &arguments, "u0")[..256], expected);
}

#[test]
fn structures_are_written_as_the_source_states() {
    let (_folder, planets) = common::file("planets.bin", [0; 60]);
    let output = run("orbit_debug.cs.dxil", &["--buffer".to_owned(), format!("u0={}", planets.display())], "u0");
    assert_eq!(output.len(), 15);
    for (i, planet) in output.chunks(5).enumerate() {
        assert_eq!(planet, [7 * i as u32 + 1, 0, 0, 0, 0]);
    }
}

#[test]
fn derivatives_in_compute_are_those_that_the_source_states() {
    let output = run("quad_derivatives.cs.dxil", &zeros(), "u0");
    for (i, pair) in output[..128].chunks(2).enumerate() {
        assert_eq!([f32::from_bits(pair[0]), f32::from_bits(pair[1])], [3.0, 5.0], "invocation {i}");
    }
    assert!(output[128..].iter().all(|word| *word == 0));
}

#[test]
fn a_histogram_counts_as_its_source_states() {
    let counts = run("short_histogram.cs.dxil", &zeros(), "u0");
    assert_eq!((counts[0], counts[1..].iter().any(|count| *count != 0)), (64, false));
    // lowest 0 and count 64 in 16 bits each, a mean of two zeros, the scale.
    let tiles = run("short_histogram.cs.dxil", &zeros(), "u2");
    assert_eq!(tiles[..3], [64 << 16, 0, 1f32.to_bits()]);
    assert!(tiles[3..].iter().all(|word| *word == 0));
    let accumulated = run("short_histogram.cs.dxil", &zeros(), "u1");
    assert!(accumulated.iter().all(|word| *word == 0));
}

/// The software device has subgroups of eight lanes: fewer than the shader may have.
#[test]
fn reports_a_wave_size_that_the_device_lacks() {
    for (name, size) in [("wave_range.fixed.cs.dxil", "32"), ("wave_range.ranged.cs.dxil", "16 to 64")] {
        let path = sample(name);
        let (status, _, stderr) = outcome(["run", &path, "--device", "llvmpipe", "--zeros"]);
        assert_eq!(status, 3, "{stderr}");
        assert!(stderr.contains(&format!("subgroup size {size} (supported:")), "{stderr}");
    }
    // What the waves' size does not change is as the source states it.
    let smaller = ["--zeros", "--dxil-wave-size", "8"].map(str::to_owned);
    let output = run("wave_range.fixed.cs.dxil", &smaller, "u0");
    assert_eq!(output[..2], [2016, 8]);
}

#[test]
fn packed_pairs_draw_the_same() {
    let pairs: [&[&str]; 2] = [
        &["lit_surface.vs.dxil", "lit_surface.ps.dxil"],
        &[
            "tessellated_patch.vs.dxil",
            "tessellated_patch.hs.dxil",
            "tessellated_patch.ds.dxil",
            "tessellated_patch.ps.dxil",
        ],
    ];
    for files in pairs {
        let mut arguments = vec!["run".to_owned()];
        arguments.extend(files.iter().map(|name| sample(name)));
        arguments.extend(["--device", "llvmpipe", "--validate", "--format", "json"].map(str::to_owned));
        let (status, stdout, stderr) = outcome(&arguments);
        assert_eq!(status, 0, "{files:?}: {stderr}\n{stdout}");
        let report: Value = serde_json::from_str(&stdout).expect("JSON");
        assert_eq!(report["run"]["compare"]["equal"], true, "{files:?}: {}", report["run"]);
    }
}

/// A triangle over the whole picture: every varying is linear in it, so every pixel can be computed by hand.
#[test]
fn half_varyings_arrive_as_the_source_computes_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let arguments = [
        "run".to_owned(),
        sample("half_interface.vs.dxil"),
        sample("half_interface.ps.dxil"),
        "--widen".to_owned(),
        "--device".to_owned(),
        "llvmpipe".to_owned(),
        "--validate".to_owned(),
        "--out".to_owned(),
        out.to_string_lossy().into_owned(),
    ];
    let (status, stdout, stderr) = outcome(&arguments);
    assert_eq!(status, 0, "{stderr}\n{stdout}");
    let bytes = std::fs::read(out.join("color0.bin")).expect("is written");
    let run: Value = serde_json::from_slice(&std::fs::read(out.join("run.json")).expect("there")).expect("JSON");
    assert_eq!(run["run"]["compare"]["equal"], true, "{stdout}");
    let samples = run["run"]["attachments"][0]["samples"].as_u64().expect("a number") as usize;
    let side = run["run"]["attachments"][0]["size"][0].as_u64().expect("a number") as usize;
    let floats: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|word| f32::from_le_bytes(*word)).collect();
    for (pixel, values) in floats.chunks(4 * samples).enumerate() {
        // Pixel centres; all samples of a pixel that is covered wholly are shaded once.
        let at = |i: usize| (i as f32 + 0.5) / side as f32 * 2.0 - 1.0;
        let (x, y) = (at(pixel % side), at(pixel / side));
        let (one, two) = ((x + 1.0) / 4.0, (y + 1.0) / 4.0);
        let t = one + 2.0 * two;
        let weight = 0.25 * t;
        let expected = [t * weight + t, 2.0 * t * weight + 0.5 * t, 3.0 * t * weight + 1.0 - t, 1.0 + one + 4.0 * two];
        for (found, expected) in values.iter().zip(expected) {
            assert!((found - expected).abs() < 0.01, "pixel {pixel}: {:?}, {expected:?} expected", &values[..4]);
        }
    }
}

#[test]
fn rejects_contents_that_do_not_fit() {
    let path = sample("prefix_sum.cs.dxil");
    let run = |arguments: &[&str]| {
        let (status, _, stderr) = outcome([&["run", path.as_str(), "--device", "llvmpipe"], arguments].concat());
        (status, stderr)
    };
    let (status, stderr) = run(&["--buffer", "u7=64"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("no shader uses u7; used are t0; u0"), "{stderr}");
    let (status, stderr) = run(&["--buffer", "u0=64", "--buffer", "0:1=64"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("set more than once"), "{stderr}");
    let (status, stderr) = run(&["--buffer", "u0=/nowhere/u0.bin"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("/nowhere/u0.bin: cannot be read"), "{stderr}");
    let (status, stderr) = run(&["--buffer", "uo=64"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("u0, t3,space1, 0:1 or set0.binding1"), "{stderr}");
    let glsl = outcome(["run", "samples/tile_16x16.comp", "--device", "llvmpipe", "--buffer", "u0=64"]);
    assert_eq!(glsl.0, 2);
    assert!(glsl.2.contains("no HLSL or DXIL with registers is loaded"), "{}", glsl.2);
    // An image's contents have the size that its message says.
    let (_folder, texels) = common::file("texels.bin", [0; 16]);
    let image = sample("short_histogram.cs.dxil");
    let texels = format!("t0={}", texels.display());
    let (status, _, stderr) = outcome(["run", &image, "--device", "llvmpipe", "--buffer", &texels]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("64x64x1 texels"), "{stderr}");
}

#[test]
fn applies_and_reports_conversion_flags() {
    let path = sample("prefix_sum.cs.dxil");
    let report =
        json([&path, "--dxil-bindings", "registers", "--dxil-wave-size", "16", "--dxil-with", "precise,dual-source"]);
    let asked = &report["options"]["dxil"];
    assert_eq!(asked["bindings"], "registers");
    assert_eq!(
        (asked["wave_size"].as_u64(), asked["with"].to_string()),
        (Some(16), r#"["precise","dual-source"]"#.to_owned())
    );
    let bindings = report["dxil"]["bindings"].as_array().expect("a list");
    assert!(bindings.iter().all(|row| row["binding"] == 0), "{bindings:?}");
    assert!(json([&path])["options"].get("dxil").is_none(), "the default is not said");
    let (status, _, stderr) = outcome(["inspect", &path, "--dxil-with", "presice"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("`presice` is not one of 16-bit, physical-buffers"), "{stderr}");
    // Every command that loads takes them.
    for command in ["inspect", "draw", "rewrite", "slots", "run", "probe", "diff", "isa"] {
        let (_, help, _) = outcome([command, "--help"]);
        assert!(help.contains("--dxil-with"), "{command}");
    }
    let (status, stdout, _) = outcome(["diff", &path, &path, "--dxil-with", "16-bit"]);
    assert_eq!((status, stdout.contains("the same")), (0, true));
    let (status, help, _) = outcome(["help", "dxil"]);
    assert_eq!(status, 0);
    assert!(help.lines().all(|line| line.chars().count() <= 132), "{help}");
    assert!(help.contains("physical-buffers") && help.contains("--buffer u0="), "{help}");
}

#[test]
fn reports_a_converter_crash_as_an_error() {
    let path = sample("prefix_sum.cs.dxil");
    for (fault, words) in [("crash", "SIGSEGV"), ("abort", "SIGABRT")] {
        let variable = ("LANESCOPE_WORKER_FAULT", format!("{fault}:loading"));
        let command = |arguments: &[&str]| {
            let output = common::lanescope().args(arguments).env(variable.0, &variable.1).output().expect("starts");
            (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let (status, stderr) = command(&["inspect", &path]);
        assert_eq!(status, Some(2), "{stderr}");
        assert!(
            stderr.contains(words) && stderr.contains("loading") && stderr.contains("prefix_sum.cs.dxil"),
            "{stderr}"
        );
        // Runs load in a child always.
        let (status, stderr) = command(&["run", &path, "--device", "llvmpipe"]);
        assert_eq!(status, Some(2), "{stderr}");
        assert!(stderr.contains(words), "{stderr}");
    }
}

#[test]
fn broken_containers_do_not_end_a_command() {
    let mut bytes = std::fs::read(samples().join("dxil/signed_map.ps.dxil")).expect("reads");
    // One bit code, which the converter follows out of its memory.
    bytes[1088] = 0o177;
    let (_folder, path) = common::file("broken.ps.dxil", bytes);
    let path = path.display().to_string();
    for arguments in
        [["inspect", &path, "--format=json"], ["inspect", &path, "--listing"], ["graph", &path, "--format=json"]]
    {
        let (status, stdout, stderr) = outcome(arguments);
        assert!(
            (0..=2).contains(&status) && stdout.len() + stderr.len() > 0,
            "{arguments:?} {status}: {stdout} {stderr}"
        );
    }
}

#[test]
fn rejects_unconverted_programs_with_the_reason() {
    let path = sample("preview_matrix.cs.dxil");
    for command in ["run", "probe", "isa"] {
        let (status, _, stderr) = outcome([command, &path]);
        assert_eq!(status, 2, "{command}: {stderr}");
        assert!(stderr.contains("LinAlgMatrix") && stderr.contains("preview_matrix.cs.dxil"), "{command}: {stderr}");
    }
}

#[test]
fn old_bytecode_opens_and_says_what_it_is() {
    let (_folder, path) = common::file("ids.cso", bytecode::compute());
    let (status, stdout, stderr) = outcome([std::ffi::OsStr::new("inspect"), path.as_os_str()]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.contains("compute, shader model 5.0"), "{stdout}");
    assert!(stdout.contains("SHEX") && stdout.contains("bytecode of shader model 5"), "{stdout}");
    assert!(stdout.contains("C17"), "{stdout}");
    let report = json([&path]);
    assert_eq!(report["stages"][0]["stage"], "compute");
    assert_eq!(report["workgroup"][0]["size"], serde_json::json!([4, 1, 1]));
    let (status, stdout, stderr) = outcome([
        std::ffi::OsStr::new("run"),
        path.as_os_str(),
        "--device".as_ref(),
        "llvmpipe".as_ref(),
        "--zeros".as_ref(),
        "--validate".as_ref(),
    ]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("u0  set0.binding0"), "{stdout}");
}

#[test]
fn names_the_missing_hlsl_compiler() {
    let (_folder, path) = common::file("a.ps.hlsl", "float4 main() : SV_Target0 { return 1; }\n");
    let without = |arguments: &[&std::ffi::OsStr]| {
        let mut command = common::lanescope();
        command.args(arguments).env("LANESCOPE_DXCOMPILER", "/nowhere/libdxcompiler.so");
        let output = command.output().expect("starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    for arguments in
        [&["inspect".as_ref(), path.as_os_str()][..], &["inspect".as_ref(), path.as_os_str(), "--in-process".as_ref()]]
    {
        let (status, _, stderr) = without(arguments);
        assert_eq!(status, Some(3), "{stderr}");
        for words in ["a.ps.hlsl", "DirectX shader compiler", "/nowhere/libdxcompiler.so", "LANESCOPE_DXCOMPILER"] {
            assert!(stderr.contains(words), "{words}: {stderr}");
        }
    }
    let (_, stdout, _) = without(&["doctor".as_ref()]);
    assert!(stdout.contains("HLSL compiler named by LANESCOPE_DXCOMPILER"), "{stdout}");
    assert!(stdout.contains("/nowhere/libdxcompiler.so"), "{stdout}");
    let (_folder, path) = common::file("a.hlsl", "float4 main() : SV_Target0 { return 1; }\n");
    let (status, _, stderr) = without(&["inspect".as_ref(), path.as_os_str()]);
    assert_eq!(status, Some(2));
    assert!(stderr.contains("--profile ps_6_6") && stderr.contains("a.ps.hlsl"), "{stderr}");
    let (status, _, stderr) = without(&["inspect".as_ref(), path.as_os_str(), "--profile".as_ref(), "ps_3_0".as_ref()]);
    assert_eq!(status, Some(2));
    assert!(stderr.contains("`ps_3_0` is not a profile"), "{stderr}");
}

#[test]
fn reports_broken_files() {
    let (_folder, path) = common::file("a.dxil", b"DXBC");
    let (status, stdout, stderr) = outcome(["inspect", path.to_str().expect("UTF-8")]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("C01") && stderr.contains("need 32 header bytes, have 4"), "{stderr}");
    let mut wrong = std::fs::read(sample("prefix_sum.cs.dxil")).expect("reads");
    wrong[4] ^= 1;
    let (_folder, path) = common::file("a.dxil", wrong);
    let report: Value = json([path]);
    assert_eq!(report["dxil"]["container"]["digest"], "wrong");
    assert_eq!(report["findings"][0]["code"], "C57");
    let refused = json([sample("experimental_ops.cs.dxil")]);
    let codes: Vec<&str> =
        refused["findings"].as_array().expect("a list").iter().filter_map(|finding| finding["code"].as_str()).collect();
    assert!(codes.contains(&"D005"), "{codes:?}");
    assert!(refused["stages"].as_array().is_some_and(Vec::is_empty));
}

/// The container is shown all the same: what was read of it does not hang on the converter.
#[test]
fn a_converter_crash_is_a_finding_beside_the_container() {
    let path = sample("prefix_sum.cs.dxil");
    for (fault, words) in [("crash", "SIGSEGV"), ("abort", "SIGABRT")] {
        let command = |arguments: &[&str]| {
            let mut command = common::lanescope();
            command.args(arguments).env("LANESCOPE_WORKER_FAULT", format!("{fault}:converting"));
            let output = command.output().expect("starts");
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
            (output.status.code(), text(output.stdout), text(output.stderr))
        };
        let (status, stdout, stderr) = command(&["inspect", &path, "--isolate", "--format", "json"]);
        assert_eq!((status, stderr.as_str()), (Some(0), ""), "{stdout}");
        let report: Value = serde_json::from_str(&stdout).expect("JSON");
        let findings = report["findings"].as_array().expect("a list");
        let finding = findings.iter().find(|finding| finding["code"] == "D005").expect("it is said");
        let message = finding["message"].as_str().expect("words");
        assert!(message.contains("the converter crashed") && message.contains(words), "{message}");
        assert!(report["dxil"]["parts"].is_array() || report["dxil"]["container"].is_object(), "{stdout}");
        // Without SPIR-V there is nothing to run.
        let (status, _, stderr) = command(&["run", &path, "--device", "llvmpipe"]);
        assert_eq!(status, Some(2), "{stderr}");
    }
}

#[test]
fn the_listing_has_the_lines_that_findings_and_ops_name() {
    let path = sample("experimental_ops.cs.dxil");
    let (status, stdout, stderr) = outcome(["inspect", &path, "--listing"]);
    assert!(status == 0 && stderr.contains(" D005: ") && stderr.contains(", line "), "{status} {stderr}");
    assert!(stdout.starts_with("  1  ; compute shader, model 6.10, DXIL 1.10\n"), "{stdout}");
    let ops = json([&path])["dxil"]["ops"].clone();
    let mut called = 0;
    for op in ops.as_array().expect("a list") {
        for site in op["sites"].as_array().expect("a list") {
            let (line, name) = (site["line"].as_u64().expect("a line"), op["name"].as_str().expect("a name"));
            let text = stdout.lines().nth(line as usize - 1).expect("is printed");
            assert!(text.starts_with(&format!("{line:>3}  ")) && text.contains(&format!("dx.op {name}")), "{text}");
            called += 1;
        }
    }
    assert_eq!(called, 8);
    // What stops the conversion is one of these lines too.
    let report = json([&path]);
    let stops = report["findings"].as_array().expect("a list").iter().find(|finding| finding["code"] == "D005");
    let line = stops.and_then(|finding| finding["line"]["line"].as_u64()).expect("its line is known");
    let text = stdout.lines().nth(line as usize - 1).expect("is printed");
    assert!(text.contains("dx.op GetGroupWaveIndex"), "{text}");
    // Several containers are under their names; other files give an error.
    let (vertex, pixel) = (sample("lit_surface.vs.dxil"), sample("lit_surface.ps.dxil"));
    let (_, stdout, _) = outcome(["inspect", &vertex, &pixel, "--listing"]);
    assert!(stdout.contains("lit_surface.vs.dxil\n  1  ; vertex shader"), "{stdout}");
    assert!(stdout.contains("lit_surface.ps.dxil\n  1  ; pixel shader"), "{stdout}");
    let (_folder, old) = common::file("ids.cso", bytecode::compute());
    let (status, stdout, _) = outcome([std::ffi::OsStr::new("inspect"), old.as_os_str(), "--listing".as_ref()]);
    assert!(status == 0 && stdout.contains("shader model 5 or earlier: bytecode cannot be disassembled"), "{stdout}");
    let (status, _, stderr) = outcome(["inspect", "samples/tile_16x16.comp", "--listing"]);
    assert!(status == 2 && stderr.contains("none of the files is a DXIL container"), "{stderr}");
    let (status, _, stderr) = outcome(["inspect", &path, "--listing", "--format", "json"]);
    assert!(status == 2 && stderr.contains("cannot be used with"), "{stderr}");
    let (status, _, stderr) = outcome(["inspect", &path, "--listing", "--all-chips"]);
    assert!(status == 2 && stderr.contains("cannot be used with"), "{stderr}");
}
