//! Limits of `debug`: sizes near 2^32, programs that do not end, arrays of many elements. The answer names the limit.

use std::path::Path;

use crate::common::{file, outcome, samples};

/// Runs `debug` on a text, and returns its exit status and what it wrote.
fn debug(name: &str, text: &str, flags: &[&str]) -> (i32, String, String) {
    let (_folder, path) = file(name, text);
    outcome([Path::new("debug"), &path].into_iter().chain(flags.iter().map(Path::new)))
}

/// A compute shader whose workgroup has this size.
fn of_size(size: &str) -> String {
    format!(
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
         OpExecutionMode %main LocalSize {size}\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
         %main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n"
    )
}

#[test]
fn workgroups_beyond_the_limit_are_errors() {
    for size in ["4194304 4194304 4194304", "4294967295 1 1", "4294967295 4294967295 4294967295", "65535 65535 1"] {
        for flags in [&[][..], &["--trace"], &["--rewritten"], &["--beside"], &["--invocation", "4294967295,0,0"]] {
            let (status, _, stderr) = debug("size.spvasm", &of_size(size), flags);
            assert_eq!(status, 2, "{size}, {flags:?}: {stderr}");
            assert!(stderr.contains("65536"), "{size}, {flags:?}: {stderr}");
        }
    }
}

#[test]
fn dispatches_near_the_greatest_sizes_end() {
    let most = "4294967295,4294967295,4294967295";
    let text = of_size("8 1 1");
    for (flags, status) in [
        (&["--groups", most][..], 0),
        (&["--groups", most, "--group", "4294967294,4294967294,4294967294"], 2),
        (&["--groups", most, "--group", most], 2),
        (&["--groups", "65535,65535,65535", "--group", "65534,65534,65534"], 2),
        (&["--group", "4294967295,0,0"], 2),
    ] {
        let (found, stdout, stderr) = debug("size.spvasm", &text, flags);
        assert_eq!(found, status, "{flags:?}: {stdout}{stderr}");
        assert!(!stderr.contains("panicked"), "{flags:?}: {stderr}");
    }
    let mesh = ["tile_rows.task", "tile_rows.mesh", "tile_rows.frag"].map(|name| samples().join(name));
    for groups in ["65535,1,1", "65535,65535,65535", most] {
        for more in [&[][..], &["--task", "0"], &["--group", "65534,0,0"], &["--group", "4294967295,0,0"]] {
            let flags = ["--groups", groups].into_iter().chain(more.iter().copied());
            let line = [Path::new("debug")].into_iter().chain(mesh.iter().map(|path| path.as_path()));
            let (status, _, stderr) = outcome(line.chain(flags.map(Path::new)));
            assert!(matches!(status, 0..=2) && !stderr.contains("panicked"), "{groups} {more:?}: {status} {stderr}");
        }
    }
}

/// A loop that never ends.
const ENDLESS: &str = "#version 460\nlayout(local_size_x = 8) in;\nlayout(set = 0, binding = 0) buffer B { uint x; } b;\n\
                       void main() { uint i = 0; do { i += 1; b.x = i; } while (i == b.x || i >= 0); }\n";

#[test]
fn loops_without_an_end_stop_at_the_limit_of_steps_or_time() {
    let (status, stdout, stderr) = debug("loop.comp", ENDLESS, &["--max-steps", "5000"]);
    assert!(stdout.contains("limit of steps: 5000"), "{status}: {stdout}{stderr}");
    let endless = ["--max-steps", "1000000000000", "--timeout", "1"];
    let (status, _, stderr) = debug("loop.comp", ENDLESS, &endless);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("`continue`") && stderr.contains("--timeout"), "{stderr}");
}

/// A large array in each lane.
const ARRAY: &str = "#version 460\nlayout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer B { uint x[]; } b;\n\
                     void main() { uint a[65536]; uint at = gl_LocalInvocationIndex; for (uint i = 0; i < 100; ++i) \
                     { a[i] = i; } b.x[at] = a[at]; }\n";

#[test]
fn memory_beyond_the_limit_is_an_error_that_names_it() {
    let (status, _, stderr) = debug("array.comp", ARRAY, &["--memory", "64M"]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("32 MiB") || stderr.contains("33554432") || stderr.contains("--memory"), "{stderr}");
}

#[test]
fn locals_show_the_first_elements_and_a_count() {
    let (status, stdout, stderr) = debug("array.comp", ARRAY, &["--commands", "stepi 900; info locals; print a[99]"]);
    assert_eq!(status, 0, "{stderr}");
    let line = stdout.lines().find(|line| line.trim_start().starts_with("a = ")).unwrap_or_default();
    assert!(line.contains("more") && line.len() < 2000, "{line}");
}
