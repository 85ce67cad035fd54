//! Standard input (`-`) and FIFOs: read by the process that the user started, up to the limits of files.

use crate::common;
use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{bytes, lanescope, outcome, samples, spirv};
use serde_json::Value;

/// Exit status, standard output, standard error of a command with this standard input.
fn fed(input: &[u8], arguments: &[&str]) -> (i32, String, String) {
    let mut command = lanescope();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("starts");
    let mut stdin = process.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // Who refuses the rest closes the pipe.
        let _ = stdin.write_all(&input);
    });
    let output = process.wait_with_output().expect("ends");
    writer.join().expect("ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("it exits by itself"), text(output.stdout), text(output.stderr))
}

/// A report without what names its file.
fn report(input: &[u8], arguments: &[&str]) -> Value {
    let (status, stdout, stderr) = fed(input, &[&["inspect", "--format", "json"], arguments].concat());
    assert!(matches!(status, 0 | 1), "{arguments:?}: {stderr}");
    let mut report: Value = serde_json::from_str(&stdout).expect("JSON");
    report["inputs"][0]["path"] = Value::Null;
    report
}

#[test]
fn standard_input_opens_like_a_file_by_its_content() {
    let read = |name: &str| std::fs::read(samples().join(name)).expect("a sample");
    let fragment = read("flat_and_smooth.frag");
    let binary = bytes(&spirv("a.frag", std::str::from_utf8(&fragment).expect("text")));
    for (input, suffix, stage) in [
        (fragment, "frag", &["--stage", "frag"][..]),
        (binary, "spv", &[]),
        (read("dxil/prefix_sum.cs.dxil"), "dxil", &[]),
        (read("textured_quad.pipe"), "pipe", &[]),
    ] {
        let (_folder, path) = common::file(&format!("same.{suffix}"), &input);
        let path = path.display().to_string();
        let from_file = report(b"", &[&path]);
        for way in [&[][..], &["--in-process"]] {
            for name in ["-", "/dev/stdin", "/dev/fd/0"] {
                let found = report(&input, &[&[name], stage, way].concat());
                for part in ["inputs", "stages", "packing", "workgroup", "dxil"] {
                    assert_eq!(found[part], from_file[part], "{suffix} {name} {way:?}: {part}");
                }
            }
        }
    }
}

#[test]
fn text_on_standard_input_is_assembly_or_needs_a_stage() {
    let text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
        OpExecutionMode %main LocalSize 8 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
        %main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
    assert_eq!(report(text.as_bytes(), &["-"])["stages"][0]["stage"], "compute");
    let source = b"#version 450\nlayout(local_size_x = 4) in;\nvoid main() {}\n";
    let (status, _, stderr) = fed(source, &["inspect", "-"]);
    assert!(status == 2 && stderr.contains("error: -: is GLSL") && stderr.contains("--stage"), "{stderr}");
    assert_eq!(report(source, &["-", "--stage", "compute"])["stages"][0]["stage"], "compute");
    for (input, words) in [
        (&b""[..], "-: empty file"),
        (b"\x89PNG\r\n", "-: not a supported shader format"),
        (b"\x81FOSSILIZEDB\0\0\0\x06", "is a Fossilize database, which cannot be read from standard input"),
    ] {
        let (status, _, stderr) = fed(input, &["inspect", "-"]);
        assert!(status == 2 && stderr.contains(words), "{words}: {stderr}");
    }
    let (status, _, stderr) = outcome(["inspect", "-", "--stage", "pixel"]);
    assert!(status == 2 && stderr.contains("one of vertex, tess_control"), "{stderr}");
}

#[test]
fn one_file_of_several_may_be_standard_input() {
    let fragment = std::fs::read(samples().join("design_note.frag")).expect("a sample");
    let vertex = samples().join("design_note.vert").display().to_string();
    let (status, stdout, stderr) = fed(&fragment, &["inspect", &vertex, "-", "--stage", "fragment"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("vertex") && stdout.contains("fragment"), "{stdout}");
    // Read once, shown on both sides.
    let (status, stdout, stderr) = fed(&fragment, &["diff", "-", "-", "--stage", "fragment"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
}

#[test]
fn an_endless_stream_is_an_error_in_time() {
    let mut command = lanescope();
    command.args(["inspect", "-", "--timeout", "0.3"]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let begin = Instant::now();
    let mut process = command.spawn().expect("starts");
    let open = process.stdin.take();
    let output = process.wait_with_output().expect("ends");
    drop(open);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("was not closed within 0.3 s") && stderr.contains("--timeout"), "{stderr}");
    assert!(begin.elapsed() < Duration::from_secs(10));
}

#[test]
fn rejects_devices_as_contents() {
    let shader = samples().join("prefix_sum.comp");
    let shader = if shader.exists() { shader } else { samples().join("tile_16x16.comp") }.display().to_string();
    for (file, words) in [("/dev/zero", "is a character device"), ("/proc/self/maps", "is a virtual file of procfs")] {
        let (status, _, stderr) = outcome(["run", &shader, "--buffer", &format!("0:0={file}")]);
        assert!(status == 2 && stderr.contains(file) && stderr.contains(words), "{stderr}");
    }
    // It is read, even if it fails later.
    let (status, _, stderr) = fed(&[0; 64], &["run", &shader, "--buffer", "9:9=-", "--device", "llvmpipe"]);
    assert!(status >= 2 && !stderr.contains("cannot be read"), "{status} {stderr}");
}
