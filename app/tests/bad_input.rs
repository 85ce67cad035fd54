//! Input that cannot be used: exit status 2, nothing on standard output, and an error that names file and place.

use crate::common;
use std::os::unix::process::CommandExt;
use std::path::Path;

use crate::common::{bytes, file, lanescope, outcome, spirv};

const FRAGMENT: &str = "#version 450\nlayout(location = 0) in vec2 uv; layout(location = 0) out vec4 c;\n\
    void main() { c = uv.xyxy; }";

fn fragment() -> Vec<u32> {
    spirv("a.frag", FRAGMENT)
}

/// Runs `inspect` on a file of these bytes and expects these words in the error, the file's name among them.
#[track_caller]
fn refused(name: &str, content: impl AsRef<[u8]>, expected: &[&str]) {
    let (_folder, path) = file(name, content);
    refused_path(&path, expected);
}

#[track_caller]
fn refused_path(path: &Path, expected: &[&str]) {
    for here in [false, true] {
        let mut arguments = vec![std::ffi::OsStr::new("inspect"), path.as_os_str()];
        arguments.extend(here.then_some(std::ffi::OsStr::new("--in-process")));
        let (status, stdout, stderr) = outcome(arguments);
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
        let name = path.file_name().expect("a name").to_string_lossy();
        for words in expected.iter().copied().chain([name.as_ref()]) {
            assert!(stderr.contains(words), "`{words}` is not in: {stderr}");
        }
    }
}

#[test]
fn empty_random_and_unknown_files() {
    refused("empty.spv", "", &["empty file"]);
    refused("random.bin", [0x9d, 0x01, 0xff, 0xfe, 0x33, 0x80], &["9d 01 ff fe"]);
    refused("random.spv", [0x9d, 0x01, 0xff, 0xfe, 0x33, 0x80], &["magic number", "0x07230203"]);
    refused("notes.txt", "a letter to a friend", &["text without a known extension that is not SPIR-V assembly"]);
    refused("shader.txt", "#version 450\nvoid main() {}", &[".frag"]);
    refused("latin.frag", b"#version 450\n// \xe9\n".as_slice(), &["byte 0x10", "UTF-8"]);
    refused("zero.frag", b"#version 450\n\0".as_slice(), &["byte 0xd", "zero byte"]);
}

#[test]
fn rejects_truncated_or_mutated_spirv() {
    let words = fragment();
    refused("header.spv", bytes(&words[..3]), &["header", "found 3"]);
    refused("magic.spv", bytes(&[0x0723_0204, 0, 0, 1, 0]), &["found 0x07230204"]);
    // The entry point's instruction is the first of several words that is sure to be there.
    let mut entry = 5;
    while words[entry] & 0xffff != 15 {
        entry += (words[entry] >> 16) as usize;
    }
    let at = format!("word {entry} (byte {:#x})", entry * 4);
    refused("instruction.spv", bytes(&words[..entry + 2]), &[&at, "OpEntryPoint", "2 remain"]);
    refused("bytes.spv", &bytes(&words)[..403], &["byte 0x190", "3"]);

    let mut zero = words.clone();
    zero[5] &= 0xffff;
    refused("zero_count.spv", bytes(&zero), &["word 5 (byte 0x14)", "word count of 0"]);

    let mut past = words.clone();
    past[5] |= 0x7fff_0000;
    refused("past_end.spv", bytes(&past), &["word 5 (byte 0x14)", "remain"]);

    let mut bound = words.clone();
    bound[3] = 4_000_000_000;
    refused("bound.spv", bytes(&bound), &["word 3", "4000000000"]);

    let mut unknown = words.clone();
    unknown.extend([0x0002_fff0, 7]);
    let at = format!("word {}", words.len());
    refused("opcode.spv", bytes(&unknown), &["opcode 65520", &at]);

    let open_string = [0x0723_0203, 0x0001_0000, 0, 8, 0, 0x0003_0005, 1, 0x4141_4141];
    refused("string.spv", bytes(&open_string), &["word 5", "string", "OpName"]);

    let big_endian: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
    refused("big_endian_cut.spv", &big_endian[..big_endian.len() - 1], &["3 of 4 bytes"]);
}

#[test]
fn truncation_anywhere_is_an_error_never_a_crash() {
    let whole = bytes(&fragment());
    for length in (0..whole.len()).step_by(37) {
        let (_folder, path) = file("cut.spv", &whole[..length]);
        let (status, stdout, stderr) = outcome(["inspect".as_ref(), path.as_os_str()]);
        assert_eq!((status, stdout.as_str()), (2, ""), "cut at {length}: {stderr}");
    }
}

#[test]
fn big_endian_modules_read_like_little_endian_ones() {
    let words = fragment();
    let swapped: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
    let (_a, little) = file("a.spv", bytes(&words));
    let (_b, big) = file("a.spv", swapped);
    assert_eq!(common::json([&little])["packing"], common::json([&big])["packing"]);
}

#[test]
fn sources_that_do_not_compile_say_where() {
    refused(
        "broken.frag",
        "#version 450\nvoid main() {\n  vec4 a = vec4(1.0)\n}",
        &["fragment", "broken.frag:4", "syntax error"],
    );
    let include =
        "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"gone.glsl\"\nvoid main() {}";
    refused("include.frag", include, &["gone.glsl", "include.frag:3", "No such file"]);
    refused("broken.spvasm", "OpCapability Shader\n%1 = OpNonsense\n", &["line 2", "OpNonsense"]);
    refused(
        "invalid.spvasm",
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%v = OpTypeVoid\n%v2 = OpTypeVoid\n",
        &["invalid SPIR-V", "instruction #"],
    );
}

#[test]
fn finds_includes_beside_the_including_file() {
    let (folder, path) = file(
        "outer.frag",
        "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"sub/a.glsl\"\n\
         layout(location = 0) out vec4 c; void main() { c = A; }",
    );
    let sub = folder.path().join("sub");
    std::fs::create_dir(&sub).expect("creates");
    std::fs::write(sub.join("a.glsl"), "#include \"b.glsl\"\n").expect("writes");
    std::fs::write(sub.join("b.glsl"), "const vec4 A = vec4(1);\n").expect("writes");
    assert_eq!(outcome(["inspect".as_ref(), path.as_os_str()]).0, 0);
    std::fs::write(sub.join("b.glsl"), "\nconst vec4 A = vec4(1) +;\n").expect("writes");
    refused_path(&path, &["sub/b.glsl:2", "syntax error"]);
    std::fs::write(sub.join("b.glsl"), "#include \"gone.glsl\"\n").expect("writes");
    refused_path(&path, &["sub/b.glsl:1", "include \"gone.glsl\""]);
    let (.., stderr) = outcome(["inspect".as_ref(), path.as_os_str()]);
    assert_eq!(stderr.matches("include \"gone.glsl\"").count(), 1, "{stderr}");
}

/// Sources bent at many places: an answer or an error, and no word of a crash. The compilers run in a child process.
#[test]
fn mutated_sources_give_a_report_or_an_error() {
    let samples = ["lit_surface.frag", "spec_size.comp", "shared_location.spvasm", "half_precision.vert"];
    let pieces =
        ["", "}", "(", "99999999999", "\"", "%1", "[1<<30]", "struct", "/*", "\u{7f}", "OpTypeVector ", "#if\n"];
    let mut seed = 1u64;
    let mut below = |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    };
    for round in 0..48 {
        let name = samples[round % samples.len()];
        let mut text = std::fs::read_to_string(common::samples().join(name)).expect("a sample");
        for _ in 0..1 + below(3) {
            let mut at = below(text.len());
            let mut end = (at + below(12)).min(text.len());
            (at..=end).for_each(|_| {
                at -= usize::from(!text.is_char_boundary(at));
                end -= usize::from(!text.is_char_boundary(end));
            });
            text.replace_range(at..end.max(at), pieces[below(pieces.len())]);
        }
        let (_folder, path) = file(name, &text);
        let (status, _, stderr) = outcome(["inspect".as_ref(), path.as_os_str(), "--isolate".as_ref()]);
        assert!((0..=2).contains(&status), "{status}: {stderr}\n{text}");
        assert_eq!(status == 2, stderr.starts_with("error: "), "{stderr}\n{text}");
        let words = ["panicked", "signal", "memory limit", "time limit"];
        assert!(!words.iter().any(|word| stderr.contains(word)), "{stderr}\n{text}");
    }
}

#[test]
fn an_include_of_itself_ends() {
    let (folder, path) = file(
        "loop.frag",
        "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"self.glsl\"\nvoid main() {}",
    );
    std::fs::write(folder.path().join("self.glsl"), "#include \"self.glsl\"\n").expect("writes");
    refused_path(&path, &["self.glsl", "deep"]);
}

#[test]
fn rejects_special_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let directory = folder.path().join("folder.frag");
    std::fs::create_dir(&directory).expect("creates");
    refused_path(&directory, &["is a folder; expected a shader file"]);
    refused_path(&folder.path().join("absent.frag"), &["No such file"]);

    let huge = folder.path().join("huge.spv");
    let file = std::fs::File::create(&huge).expect("creates");
    file.set_len(2 << 30).expect("a sparse file of 2 GiB");
    refused_path(&huge, &["2 GiB"]);
    refused_path(Path::new("/dev/zero"), &["is a character device"]);
}

#[test]
fn a_file_without_read_permission_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, path) = file("secret.frag", FRAGMENT);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).expect("changes");
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).expect("changes");
    let mut command = lanescope();
    if rustix::process::geteuid().is_root() {
        // Root can read every file, so the program runs as the user `nobody`, who may lack access to its folder too.
        let copy = folder.path().join("lanescope");
        std::fs::copy(lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope")), &copy).expect("copies");
        command = std::process::Command::new(copy);
        command.current_dir("/").uid(65534).gid(65534);
    }
    let output = command.arg("inspect").arg(&path).output().expect("starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("secret.frag") && stderr.contains("Permission denied"), "{stderr}");
}

#[test]
fn rejects_files_that_make_no_pipeline() {
    let (_a, first) = file("first.vert", "#version 450\nvoid main() { gl_Position = vec4(0); }");
    let (_b, second) = file("second.vert", "#version 450\nvoid main() { gl_Position = vec4(1); }");
    let (_c, compute) = file("third.comp", "#version 450\nlayout(local_size_x = 1) in; void main() {}");
    let (status, _, stderr) = outcome(["inspect".as_ref(), first.as_os_str(), second.as_os_str()]);
    assert_eq!(status, 2);
    assert!(stderr.contains("second.vert") && stderr.contains("first.vert") && stderr.contains("vertex"), "{stderr}");
    let (status, _, stderr) = outcome(["inspect".as_ref(), first.as_os_str(), compute.as_os_str()]);
    assert_eq!(status, 2);
    assert!(stderr.contains("vertex + compute"), "{stderr}");
    let (status, _, stderr) = outcome(["inspect".as_ref(), first.as_os_str(), "--entry".as_ref(), "absent".as_ref()]);
    assert_eq!(status, 2);
    assert!(stderr.contains("`absent`") && stderr.contains("main"), "{stderr}");
}

#[test]
fn reads_a_fifo_only_if_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let fifo = folder.path().join("a.frag");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("starts");
    assert!(made.success());
    for arguments in [&["inspect", "--format", "json"][..], &["inspect", "--format", "json", "--in-process"]] {
        let writer = fifo.clone();
        let thread = std::thread::spawn(move || std::fs::write(writer, FRAGMENT));
        let path = fifo.display().to_string();
        let (status, out, errors) = outcome(arguments.iter().copied().chain([path.as_str()]));
        assert_eq!(status, 0, "{errors}");
        assert!(out.contains("\"fragment\""), "{out}");
        thread.join().expect("ends").expect("writes");
    }
    for (include, words) in [("a.frag", "is a FIFO"), ("/proc/self/status", "is a virtual file of procfs")] {
        let text = format!("#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"{include}\"\n");
        let path = folder.path().join("b.frag");
        std::fs::write(&path, text).expect("writes");
        refused_path(&path, &[include, words]);
    }
    refused_path(Path::new("/proc/self/maps"), &["is a virtual file of procfs"]);
}
