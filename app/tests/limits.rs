//! Every command loads in a child, within limits of time and memory, and says the same as without one.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::{bytes, file, lanescope, outcome, samples};

/// Exit status, standard output, standard error of a command with a fault on purpose.
fn faulty(fault: &str, arguments: &[&str]) -> (i32, String, String) {
    let output = lanescope().args(arguments).env("LANESCOPE_WORKER_FAULT", fault).output().expect("starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("it exits by itself"), text(output.stdout), text(output.stderr))
}

fn sample(name: &str) -> String {
    samples().join(name).display().to_string()
}

/// Command lines that load, without a device and a driver.
fn loading(out: &str) -> Vec<Vec<String>> {
    let (vertex, fragment) = (sample("lit_surface.vert"), sample("lit_surface.frag"));
    let (compute, node) = (sample("tile_16x16.comp"), sample("work_graphs/07_wide_dag.dxil"));
    let (picture, packed, new) = (format!("{out}/a.svg"), format!("{out}/packed"), format!("{out}/new.foz"));
    let lines: [&[&str]; 9] = [
        &["inspect", &vertex, &fragment],
        &["diff", &compute, &fragment],
        &["rewrite", &vertex, &fragment, "--out", &packed],
        &["slots", &vertex, &fragment],
        &["slots", &sample("effects.foz")],
        &["draw", &compute, "--view", "workgroup", "-o", &picture],
        &["graph", &node],
        &["partial", &compute, "--no-compile", "--layout", &sample("tiled_blur.pipe")],
        &["foz", &vertex, &fragment, "--out", &new],
    ];
    lines.iter().map(|line| line.iter().map(|word| (*word).to_owned()).collect()).collect()
}

#[test]
fn every_command_loads_in_a_child() {
    let folder = tempfile::tempdir().expect("a folder");
    for line in loading(&folder.path().display().to_string()) {
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        let (status, stdout, stderr) = faulty("abort:loading", &line);
        assert_eq!(status, 2, "{line:?}: {stderr}");
        assert!(stderr.contains("SIGABRT") && stderr.contains("loading "), "{line:?}: {stdout}{stderr}");
    }
    // The fault is the child's: here there is none.
    for line in loading(&folder.path().display().to_string()) {
        let line: Vec<&str> = line.iter().map(String::as_str).chain(["--in-process"]).collect();
        let (status, _, stderr) = faulty("abort:loading", &line);
        assert!(matches!(status, 0 | 1) && !stderr.contains("error:"), "{line:?}: {status} {stderr}");
    }
}

/// Several pipelines of a database are read in one round trip; one at fault is the only one that is lost.
#[test]
fn a_pipeline_that_ends_the_child_is_lost_alone() {
    let database = sample("effects.foz");
    let (status, whole, _) = outcome(["slots", &database, "--format", "markdown"]);
    assert_eq!(status, 0);
    let (status, rest, stderr) = faulty("abort:pipeline=0", &["slots", &database, "--format", "markdown"]);
    assert_eq!(status, 2);
    assert_eq!(stderr.matches("SIGABRT").count(), 1, "{stderr}");
    assert!(stderr.contains("error: 1 pipeline could not be read"), "{stderr}");
    let lost: Vec<&str> = whole.lines().filter(|row| !rest.contains(row)).collect();
    assert_eq!(lost.len(), 1, "{lost:?}");
}

/// A round trip for each took half a millisecond.
#[test]
fn reads_many_empty_pipelines_in_few_round_trips() {
    const COUNT: usize = 20_000;
    let mut database = b"\x81FOSSILIZEDB\0\0\0\x06".to_vec();
    for hash in 1..=COUNT {
        database.extend(format!("{:024x}{hash:016x}", 6).into_bytes());
        database.extend([0u32, 1, 0, 0].iter().flat_map(|word| word.to_le_bytes()));
    }
    let (_folder, path) = file("empty.foz", database);
    let start = Instant::now();
    let (status, _, stderr) = outcome(["slots", &path.display().to_string()]);
    let took = start.elapsed();
    assert_eq!((status, stderr.lines().count()), (2, COUNT + 1));
    assert!(stderr.ends_with("error: 20000 pipelines could not be read\n"));
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[test]
fn a_child_prints_the_same_as_this_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("writes");
        path.display().to_string()
    };
    let wrong = write("wrong.frag", b"#version 450\nvoid main() { x = 1; }\n");
    let invalid = write("invalid.spv", &bytes(&[0x0723_0203, 0x1_0000, 0, 4, 0, 0x2_0013, 1, 0x2_0013, 2]));
    let text = write("broken.spvasm", b"OpCapability Shader\nOpNothing\n");
    let two = write("two.vert", b"#version 450\nvoid main() { gl_Position = vec4(0); }\n");
    let pipe = write("a.pipe", b"[Version]\nversion = 75\n[VsGlsl]\n#version 450\nvoid main() { y; }\n");
    let spv = write("empty.spv", b"");
    let absent = folder.path().join("absent.frag").display().to_string();
    let dxil = sample("dxil/signed_map.ps.dxil");
    let [lit, database] = [sample("lit_surface.frag"), sample("effects.foz")];
    for arguments in [
        &["inspect", &lit][..],
        &["inspect", &lit, "--format", "json"],
        &["inspect", &dxil, "--format", "json"],
        &["inspect", &wrong],
        &["inspect", &invalid],
        &["inspect", &invalid, "--no-validate"],
        &["inspect", &text],
        &["inspect", &two, &two],
        &["inspect", &pipe],
        &["inspect", &spv],
        &["inspect", &absent],
        &["inspect", &database],
        &["inspect", &database, "--pipeline", "58dd", "--format", "json"],
        &["inspect", &database, "--pipeline", "ffff"],
        &["inspect", &lit, "--entry", "other"],
        &["slots", &wrong, &lit, &database],
        &["diff", &lit, &wrong],
        &["graph", &lit],
    ] {
        let here = outcome([arguments, &["--in-process"]].concat());
        assert_eq!(outcome(arguments), here, "{arguments:?}");
        assert_eq!(outcome([arguments, &["--isolate"]].concat()), here, "{arguments:?}");
    }
    let (status, _, stderr) = outcome(["inspect", &lit, "--in-process", "--isolate"]);
    assert!(status == 2 && stderr.contains("cannot be used with"), "{stderr}");
}

#[test]
fn reports_limits_with_the_file_and_a_hint() {
    let lit = sample("lit_surface.frag");
    for (fault, limit, words) in [
        ("hang:loading", ["--timeout", "0.5"], ["took longer than 500 ms", "--timeout SECONDS allows more time"]),
        ("memory:loading", ["--memory", "256M"], ["the limit is 256 MiB", "--memory SIZE allows more memory"]),
        ("crash:loading", ["--timeout", "60"], ["SIGSEGV (invalid memory access)", "crashed while loading"]),
    ] {
        let begin = Instant::now();
        let (status, stdout, stderr) = faulty(fault, &["inspect", &lit, limit[0], limit[1]]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
        for words in words.iter().copied().chain(["lit_surface.frag"]) {
            assert!(stderr.contains(words), "{fault}: `{words}` is not in: {stderr}");
        }
        assert!(begin.elapsed() < Duration::from_secs(20), "{fault}: {:?}", begin.elapsed());
    }
    for (arguments, words) in [
        (["--memory", "12q"], "invalid size `12q`: expected a number of bytes"),
        (["--memory", "1K"], "expected 64M to 1024G"),
        (["--memory", "256"], "invalid size `256` (without K, M or G it is in bytes): expected 64M to 1024G"),
        (["--timeout", "0"], "seconds"),
    ] {
        let (status, _, stderr) = outcome([&["inspect", lit.as_str()][..], &arguments].concat());
        assert!(status == 2 && stderr.contains(words), "{stderr}");
    }
}

/// What compilers make of few bytes that ask for much: each ends within the limits, with an error that names the file.
#[test]
fn stops_excessive_sources_within_the_limits() {
    let main = "layout(location = 0) out vec4 c;\nvoid main() {";
    let additions = format!("#version 450\n{main} c = vec4(1{}); }}\n", "+1.0".repeat(500_000));
    let commas = format!("#version 450\n{main} float x = 0; x{}; c = vec4(x); }}\n", ",x".repeat(500_000));
    let mut macros = "#version 450\n#define M0 1.0+1.0\n".to_owned();
    for level in 1..40 {
        macros += &format!("#define M{level} M{0}+M{0}\n", level - 1);
    }
    macros += &format!("{main} c = vec4(M39); }}\n");
    for (name, text) in [("additions.frag", additions), ("commas.frag", commas), ("macros.frag", macros)] {
        let (_folder, path) = file(name, text);
        ends_within_limits(&path);
    }
    // Each file includes the next one twice.
    let folder = tempfile::tempdir().expect("a folder");
    let include = |level: u32| format!("#include \"{level}.glsl\"\n");
    for level in 1..31 {
        let text = if level < 30 { include(level + 1).repeat(2) } else { String::new() };
        std::fs::write(folder.path().join(format!("{level}.glsl")), text).expect("writes");
    }
    let text = format!("#version 450\n#extension GL_GOOGLE_include_directive : require\n{}{main} }}\n", include(1));
    let path = folder.path().join("includes.frag");
    std::fs::write(&path, text).expect("writes");
    ends_within_limits(&path);
}

#[track_caller]
fn ends_within_limits(path: &Path) {
    let begin = Instant::now();
    let (status, stdout, stderr) =
        outcome(["inspect".as_ref(), path.as_os_str(), "--timeout=4".as_ref(), "--memory=256M".as_ref()]);
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    assert!(status == 2 && stdout.is_empty() && stderr.contains(&name), "{name}: {status} {stdout} {stderr}");
    let limits =
        ["took longer than 4 s", "the limit is 256 MiB", "SIGSEGV", "stack overflow", "more than 4096 includes"];
    assert!(limits.iter().any(|words| stderr.contains(words)), "{name}: {stderr}");
    assert!(begin.elapsed() < Duration::from_secs(15), "{name}: {:?}", begin.elapsed());
}

#[test]
fn a_child_crash_affects_one_file_only() {
    let (vertex, tile) = (sample("lit_surface.vert"), sample("lit_surface.frag"));
    let (_folder, other) = file("doomed.frag", std::fs::read(sample("flat_and_smooth.frag")).expect("reads"));
    let (status, table, stderr) =
        faulty("abort:loading=doomed.frag", &["slots", &other.display().to_string(), &vertex, &tile]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("crashed while loading") && stderr.contains("doomed.frag"), "{stderr}");
    assert!(stderr.contains("1 pipeline could not be read") && table.contains("lit_surface"), "{table}{stderr}");
}

#[test]
fn rejects_a_module_with_too_many_instructions_early() {
    // No-ops, a word each.
    let words: Vec<u32> =
        [0x0723_0203, 0x1_0000, 0, 1, 0].into_iter().chain(std::iter::repeat_n(0x1_0000, (1 << 21) + 1)).collect();
    let (_folder, path) = file("nops.spv", bytes(&words));
    for way in ["--isolate", "--in-process"] {
        let (status, _, stderr) = outcome(["inspect".as_ref(), path.as_os_str(), way.as_ref()]);
        assert_eq!(status, 2, "{stderr}");
        assert!(stderr.contains("nops.spv") && stderr.contains("more than 2097152 instructions"), "{stderr}");
    }
}

/// A compute shader with this before and in its function.
fn shader(body: &str, functions: &str) -> String {
    format!(
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
         OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n\
         %true = OpConstantTrue %bool\n%main = OpFunction %void None %fn\n%entry = OpLabel\n{body}OpReturn\n\
         OpFunctionEnd\n{functions}"
    )
}

/// What the validator would take too long for opens without it, however deep it is.
#[test]
fn deep_programs_open_without_the_validator() {
    let deep = 20_000;
    let (mut nested, mut ends, mut sequence, mut calls) = (String::new(), String::new(), String::new(), String::new());
    for at in 0..deep {
        let branch =
            format!("OpSelectionMerge %m{at} None\nOpBranchConditional %true %t{at} %m{at}\n%t{at} = OpLabel\n");
        nested += &branch;
        let end = deep - 1 - at;
        ends += &format!("OpBranch %m{end}\n%m{end} = OpLabel\n");
        sequence += &format!("{branch}OpBranch %m{at}\n%m{at} = OpLabel\n");
        let next = if at + 1 < deep { format!("%c{at} = OpFunctionCall %void %f{}\n", at + 1) } else { String::new() };
        calls += &format!("%f{at} = OpFunction %void None %fn\n%l{at} = OpLabel\n{next}OpReturn\nOpFunctionEnd\n");
    }
    for (name, text) in [
        ("nested", shader(&(nested + &ends), "")),
        ("sequence", shader(&sequence, "")),
        ("calls", shader("%first = OpFunctionCall %void %f0\n", &calls)),
    ] {
        let (_folder, path) = file(&format!("{name}.spvasm"), text);
        let path = path.display().to_string();
        let (status, _, stderr) = outcome(["inspect", &path]);
        assert!(status == 2 && stderr.contains("which is the limit") && stderr.contains("--no-validate"), "{stderr}");
        for command in [&["inspect"][..], &["slots"], &["corpus", "--measure", "packing"]] {
            let (status, stdout, stderr) = outcome([command, &[&path, "--no-validate"]].concat());
            assert!(status <= 1 && stderr.is_empty(), "{name} {command:?}: {status} {stdout}{stderr}");
        }
    }
}
