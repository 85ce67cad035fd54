//! What sources are compiled with: files before them, versions, environments, macros that nothing uses; response files,
//! lists with flags, and logs of builds.

use std::path::Path;

use crate::common::{json, lanescope, outcome};
use serde_json::Value;

const FRAGMENT: &str = "#version 450\nlayout(location = 0) in vec2 uv;\nlayout(location = 0) out vec4 c;\n\
    void main() {\n    c = shade(uv);\n}\n";
const SHADE: &str = "#include \"scale.glsl\"\nvec4 shade(vec2 at) { return vec4(at * SCALE, 0.0, 1.0); }\n";

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("has one")).expect("writable");
        std::fs::write(path, text).expect("writable");
    }
    folder
}

/// A fragment shader that needs a file before it, which includes another one.
fn shaded() -> tempfile::TempDir {
    folder(&[("a.frag", FRAGMENT), ("inc/shade.glsl", SHADE), ("inc/scale.glsl", "#define SCALE 2.0\n")])
}

/// Status, standard output and standard error of a command line in a folder.
fn within(folder: &Path, line: &[&str]) -> (i32, String, String) {
    let output = lanescope().current_dir(folder).args(line).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("it exits by itself"), text(output.stdout), text(output.stderr))
}

/// The findings of a report with a code, as messages.
fn messages(report: &Value, code: &str) -> Vec<String> {
    let all = report["findings"].as_array().expect("findings").iter().filter(|finding| finding["code"] == code);
    all.map(|finding| finding["message"].as_str().expect("a message").to_owned()).collect()
}

#[test]
fn a_file_is_included_before_the_source() {
    let folder = shaded();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (status, _, stderr) = outcome(["inspect", &path("a.frag")]);
    assert!(status == 2 && stderr.contains("'shade'"), "{stderr}");
    // A path, or a name in a folder that is looked through.
    let by_path = json([path("a.frag"), "--include".to_owned(), path("inc/shade.glsl")]);
    let by_name = json([path("a.frag"), "--include".to_owned(), "shade.glsl".to_owned(), "-I".to_owned(), path("inc")]);
    assert_eq!(by_path["packing"], by_name["packing"]);
    assert_eq!(by_path["options"]["dxil"]["includes"], serde_json::json!([path("inc/shade.glsl")]));
    // Lines of the source keep their numbers.
    std::fs::write(folder.path().join("b.frag"), FRAGMENT.replace("shade(uv)", "shade(uv) + nothing")).expect("writes");
    let (status, _, stderr) = outcome(["inspect", &path("b.frag"), "--include", &path("inc/shade.glsl")]);
    assert!(status == 2 && stderr.contains("b.frag:5: 'nothing'"), "{stderr}");
    let (status, _, stderr) = outcome(["inspect", &path("a.frag"), "--include", "nowhere.glsl", "-I", &path("inc")]);
    let why = format!("--include nowhere.glsl: there is no such file, also not in {}", path("inc"));
    assert!(status == 2 && stderr.contains(&why), "{stderr}");
    // Of a file that includes itself the depth is limited.
    std::fs::write(folder.path().join("inc/scale.glsl"), "#include \"scale.glsl\"\n").expect("writes");
    let (status, _, stderr) = outcome(["inspect", &path("a.frag"), "--include", &path("inc/shade.glsl")]);
    assert!(status == 2 && stderr.contains("nested more than 32 deep"), "{stderr}");
}

#[test]
fn a_file_is_included_before_hlsl() {
    let folder = folder(&[
        ("a.ps.hlsl", "float4 main() : SV_Target {\n    return tone() * NOT_THERE;\n}\n"),
        ("pre.hlsli", "float4 tone() { return 0.5; }\n"),
    ]);
    let run = |more: &[&str]| {
        let line = ["inspect", "a.ps.hlsl", "--include", "pre.hlsli", "--hlsl-compiler", "glslang"];
        within(folder.path(), &[&line, more].concat())
    };
    let (status, _, stderr) = run(&[]);
    assert!(status == 2 && stderr.contains("a.ps.hlsl:2:") && stderr.contains("NOT_THERE"), "{stderr}");
    let (status, _, stderr) = run(&["-D", "NOT_THERE=2.0"]);
    assert_eq!(status, 0, "{stderr}");
}

#[test]
fn versions_and_environments_are_chosen() {
    let body = "layout(location = 0) out vec4 c;\nvoid main() {\n    c = vec4(1.0);\n}\n";
    let subgroups = "#version 450\n#extension GL_KHR_shader_subgroup_basic : require\nlayout(local_size_x = 8) in;\n\
        layout(binding = 0) buffer B { uint x; };\nvoid main() { x = gl_SubgroupSize; }\n";
    let es = body.replace("layout(location = 0)", "precision highp float;\nlayout(location = 0)");
    let folder = folder(&[
        ("a.frag", body),
        ("b.frag", &format!("#version 130\n{body}")),
        ("e.frag", &es),
        ("s.comp", subgroups),
    ]);
    let run = |line: &[&str]| within(folder.path(), &[&["inspect"], line].concat());
    let (status, _, stderr) = run(&["a.frag"]);
    assert!(status == 2 && stderr.contains("--std 460"), "{stderr}");
    for line in [&["a.frag", "--std", "460"][..], &["b.frag", "--std", "450core"], &["e.frag", "--std", "310es"]] {
        let (status, _, stderr) = run(line);
        assert_eq!(status, 0, "{line:?}: {stderr}");
    }
    let (status, _, stderr) = run(&["a.frag", "--std", "310"]);
    assert!(status == 2 && stderr.contains("`310` is not a version of GLSL"), "{stderr}");
    let (status, _, stderr) = run(&["s.comp", "--target-env", "vulkan1.0"]);
    assert!(status == 2 && stderr.contains("requires SPIR-V version 1.3"), "{stderr}");
    let (status, _, stderr) = run(&["s.comp", "--target-env", "vulkan1.1"]);
    assert_eq!(status, 0, "{stderr}");
    let (status, _, stderr) = run(&["s.comp", "--target-env", "opengl"]);
    assert!(status == 2 && stderr.contains("vulkan1.4"), "{stderr}");
}

#[test]
fn a_macro_that_no_source_uses_is_a_note() {
    let vertex = "#version 450\nlayout(location = 0) out vec2 uv;\nvoid main() {\n    gl_Position = vec4(V);\n    \
        uv = vec2(0);\n}\n";
    let folder = shaded();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(folder.path().join("a.vert"), vertex).expect("writes");
    let of = |more: &[&str]| {
        let line = [path("a.vert"), path("a.frag"), "--include".to_owned(), path("inc/shade.glsl")];
        messages(&json(line.into_iter().chain(more.iter().map(|&word| word.to_owned()))), "L010")
    };
    // One stage uses V, an included file SCALE; W only stands in a comment.
    std::fs::write(folder.path().join("inc/scale.glsl"), "#ifndef SCALE\n#define SCALE 2.0 // W\n#endif\n")
        .expect("writes");
    assert_eq!(of(&["-D", "V=1.0", "-D", "SCALE=3.0"]), Vec::<String>::new());
    assert_eq!(
        of(&["-D", "V=1.0", "-D", "W", "-D", "X=V"]),
        ["no source file uses the macro W", "no source file uses the macro X"]
    );
    // What is cancelled is not defined, and a name may be made of parts.
    assert_eq!(of(&["-D", "V=1.0", "-D", "W", "-U", "W"]), Vec::<String>::new());
    std::fs::write(folder.path().join("inc/scale.glsl"), "#define J(a, b) a##b\n#define SCALE 2.0\n").expect("writes");
    assert_eq!(of(&["-D", "V=1.0", "-D", "W"]), Vec::<String>::new());
}

#[test]
fn wgsl_and_shader_tests_take_the_options_of_sources() {
    let test = "[vertex shader passthrough]\n[fragment shader]\n#version 450\nlayout(location = 0) out vec4 c;\n\
                void main() { c = vec4(X); }\n";
    let wgsl = "override width = 8;\n@compute @workgroup_size(width) fn main() { }\n";
    let folder = folder(&[("a.shader_test", test), ("a.wgsl", wgsl)]);
    let path = |name: &str| folder.path().join(name).display().to_string();
    let of =
        |name: &str, more: &[&str]| json(std::iter::once(path(name)).chain(more.iter().map(|&word| word.to_owned())));
    let unusable = |report: &Value| report["findings"].to_string().contains("'X'");
    assert!(unusable(&of("a.shader_test", &[])));
    let made = of("a.shader_test", &["-D", "X=1.0", "-D", "Z"]);
    assert!(!unusable(&made), "{}", made["findings"]);
    assert_eq!(messages(&made, "L010"), ["no source file uses the macro Z"]);
    let made = of("a.wgsl", &["-D", "width=16", "-D", "wdith=32"]);
    assert_eq!(messages(&made, "L010"), ["no source file uses the macro wdith"]);
}

#[test]
fn response_files_stand_for_arguments() {
    let folder = shaded();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("writes");
    write("flags", "--include \"shade.glsl\"\n-I inc @more\n");
    write("more", "-D 'A=1 + 2'");
    let (status, stdout, stderr) = within(folder.path(), &["inspect", "a.frag", "@flags", "--format", "json"]);
    assert_eq!(status, 0, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(report["options"]["dxil"]["defines"], serde_json::json!(["A=1 + 2"]));
    let (status, _, stderr) = within(folder.path(), &["inspect", "a.frag", "@nowhere"]);
    assert!(status == 2 && stderr.contains("response file nowhere: cannot be read"), "{stderr}");
    write("more", "@flags");
    let (status, _, stderr) = within(folder.path(), &["inspect", "a.frag", "@flags"]);
    assert!(status == 2 && stderr.contains("@flags: the response file names itself"), "{stderr}");
    write("more", "-D 'A");
    let (status, _, stderr) = within(folder.path(), &["inspect", "a.frag", "@flags"]);
    assert!(status == 2 && stderr.contains("@more, line 1: the quotation mark is not closed"), "{stderr}");
}

/// The names of the pipelines of a corpus, with what failed.
fn rows(stdout: &str) -> Vec<String> {
    let lines = stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let rows = lines.filter(|line| line["pipeline"].is_string());
    rows.map(|row| {
        let failure = if row["failure"].is_null() { "" } else { " failed" };
        format!("{}{failure}", row["pipeline"].as_str().expect("a name"))
    })
    .collect()
}

#[test]
fn lines_of_a_list_have_their_flags() {
    let folder = shaded();
    let list =
        "a.frag --include shade.glsl -I inc\n# a comment\na.frag -I inc --include shade.glsl -D SCALE=3.0\na.frag\n";
    std::fs::write(folder.path().join("list"), list).expect("writes");
    std::fs::write(folder.path().join("inc/scale.glsl"), "#ifndef SCALE\n#define SCALE 2.0\n#endif\n").expect("writes");
    let (status, stdout, stderr) = within(folder.path(), &["corpus", "@list", "--format", "jsonl"]);
    assert_eq!(status, 2, "the last one has no shade(): {stderr}");
    assert_eq!(
        rows(&stdout),
        [
            "a.frag [include_dir=inc include=shade.glsl]",
            "a.frag [define=SCALE=3.0 include_dir=inc include=shade.glsl]",
            "a.frag failed"
        ]
    );
    std::fs::write(folder.path().join("list"), "a.frag -I inc\na.frag --target gfx1100\n").expect("writes");
    let (status, _, stderr) = within(folder.path(), &["corpus", "@list"]);
    assert!(status == 2 && stderr.contains("list, line 2: unexpected argument '--target' found"), "{stderr}");
}

#[test]
fn commands_of_a_build_are_measured() {
    let folder = shaded();
    // glslc does not need the extension for `#include`; the last command's compiler does.
    let include = "#version 450\n#include \"shade.glsl\"\n";
    let shader = FRAGMENT.replace("#version 450\n", include);
    std::fs::write(folder.path().join("b.frag"), shader).expect("writes");
    let log = "[1/4] glslc -I inc -DQUALITY=2 --target-env=vulkan1.2 -c b.frag -o b.spv\n[2/4] cc -c main.c\n\
        [3/4] glslc -fauto-map-locations -I inc b.frag\n[4/4] glslangValidator -V b.frag -I../inc -o x.spv\n";
    std::fs::write(folder.path().join("build.log"), log).expect("writes");
    let (status, stdout, stderr) = within(folder.path(), &["corpus", "--build-log", "build.log", "--format", "jsonl"]);
    assert!(stderr.contains("build.log:3: skipped: glslc: unknown flag `-fauto-map-locations`"), "{stderr}");
    assert!(!stderr.contains("main.c"), "{stderr}");
    assert_eq!(status, 2, "the last one does not find its file: {stderr}");
    assert_eq!(
        rows(&stdout),
        [
            "b.frag [target_env=vulkan1.2 include_directive=on define=QUALITY=2 include_dir=inc]",
            "b.frag [target_env=vulkan1.0 include_dir=../inc] failed"
        ]
    );
    // From elsewhere the folder is said.
    let here = folder.path().display().to_string();
    let log = format!("{here}/build.log");
    let (_, stdout, stderr) = outcome(["corpus", "--build-log", &log, "--build-dir", &here, "--format", "jsonl"]);
    assert_eq!(rows(&stdout).len(), 2, "{stderr}");
    let database = format!(
        r#"[{{"directory": "{here}", "command": "glslc -I inc b.frag -o b.spv", "file": "b.frag", "output": "b.spv"}}]"#
    );
    std::fs::write(folder.path().join("compile_commands.json"), database).expect("writes");
    let (status, stdout, stderr) =
        outcome(["corpus", "--build-log", &format!("{here}/compile_commands.json"), "--format", "jsonl"]);
    assert_eq!((status, rows(&stdout).len()), (0, 1), "{stderr}");
    std::fs::write(folder.path().join("build.log"), "cc -c main.c\n").expect("writes");
    let (status, _, stderr) = outcome(["corpus", "--build-log", &log]);
    assert!(status == 2 && stderr.contains("no command of glslc"), "{stderr}");
    std::fs::write(folder.path().join("build.log"), "glslc -fnew a.frag\n").expect("writes");
    let (status, _, stderr) = outcome(["corpus", "--build-log", &log]);
    assert!(
        status == 2 && stderr.contains("unknown flag `-fnew`") && stderr.contains("no command is left"),
        "{stderr}"
    );
}
