//! Limits of `run`: arrays of many elements in each lane, sizes near 2^32, millions of records. The answer names the limit.

use std::path::Path;

use crate::common::{file, lanescope, outcome, samples};

/// Runs `run` on a text, and returns its exit status and what it wrote.
fn run(name: &str, text: &str, flags: &[&str]) -> (i32, String, String) {
    let (_folder, path) = file(name, text);
    outcome([Path::new("run"), &path].into_iter().chain(flags.iter().map(Path::new)))
}

/// An array of 400 MB in each invocation.
const PRIVATE: &str = "#version 450\nlayout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer B { uint v[]; };\n\
                       uint g[100000000];\nvoid main() { g[v[0]] = 1u; v[gl_GlobalInvocationID.x] = g[v[1]]; }\n";

/// An array of 128 Ki elements that each lane copies into a function and back.
const COPIED: &str = "#version 450\nlayout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer B { uint v[]; };\n\
                      struct S { uint a[131072]; };\nS f(S s, uint i) { s.a[i & 131071u] += i; return s; }\n\
                      void main() { S s; for (uint i = 0u; i < 2u; i++) s = f(s, v[i] + i); \
                      v[gl_GlobalInvocationID.x] = s.a[v[0] & 131071u]; }\n";

/// Increments a few words.
const PLAIN: &str = "#version 450\nlayout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer B { uint v[]; };\n\
                     void main() { v[gl_GlobalInvocationID.x & 63u] += 1u; }\n";

#[test]
fn a_run_on_a_software_device_ends_at_its_memory_limit() {
    let (status, _, stderr) = run("private.comp", PRIVATE, &["--device", "llvmpipe", "--memory", "512M"]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("private.comp needs more memory than 512 MiB"), "{stderr}");
    assert!(stderr.contains("--memory"), "{stderr}");
}

#[test]
fn a_run_in_the_interpreter_is_refused_by_what_it_needs() {
    for command in ["run", "debug"] {
        let (_folder, path) = file("copied.comp", COPIED);
        let on: &[&str] = if command == "run" { &["--device", "interpreter"] } else { &["--zeros"] };
        let of = |memory| {
            let line = [Path::new(command), &path].into_iter().chain(on.iter().map(Path::new));
            outcome(line.chain(["--memory", memory].map(Path::new)))
        };
        let (status, _, stderr) = of("256M");
        assert_eq!(status, 2, "{command}: {stderr}");
        assert!(stderr.contains("needs") && stderr.contains("the limit") && stderr.contains("--memory"), "{stderr}");
        // More is granted; what the arrays do not use takes no memory.
        let (status, _, stderr) = of("1G");
        assert!(matches!(status, 0 | 1), "{command}: {status} {stderr}");
    }
    let (status, _, stderr) = run("private.comp", PRIVATE, &["--device", "interpreter"]);
    assert_eq!(status, 3, "{stderr}");
    assert!(stderr.contains("expected at most 262144 scalars"), "{stderr}");
}

#[test]
fn dispatches_near_the_greatest_sizes_are_refused_or_end() {
    for groups in ["4294967295,4294967295,4294967295", "65535,65535,65535"] {
        for device in ["llvmpipe", "interpreter"] {
            let flags = ["--device", device, "--groups", groups, "--timeout", "1", "--original-only"];
            let (status, _, stderr) = run("plain.comp", PLAIN, &flags);
            assert_eq!(status, 2, "{groups}, {device}: {stderr}");
            let named = ["the limit is", "within 1000 ms", "took longer than"];
            assert!(named.iter().any(|words| stderr.contains(words)), "{groups}, {device}: {stderr}");
        }
    }
}

/// All of a million records as JSON, each made when it is written.
#[test]
fn records_as_json_are_not_held_at_once() {
    let library = samples().join("work_graphs/08_million_records.dxil");
    let line = ["--format", "json", "--show", "1000000", "--device", "llvmpipe", "--memory", "400M"];
    let output = lanescope().arg("run").arg(&library).args(line).output().expect("starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let values = output.stdout.windows(11).filter(|window| window == b"\"allocation").count();
    assert!(values > 500_000, "{values} records");
    // What is held is limited all the same.
    let line = ["--format", "json", "--show", "8", "--device", "llvmpipe", "--memory", "256M"];
    let (status, _, stderr) = outcome([Path::new("run"), &library].into_iter().chain(line.iter().map(Path::new)));
    assert!(status == 0 || stderr.contains("--memory"), "{status}: {stderr}");
}
