//! Slang through its compiler: a library of it that `make slang` fetches. Where that is not possible, `LANESCOPE_NO_SLANG=1`
//! (`make test NO_SLANG=1`) leaves these tests out.

use crate::common;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The library; `None` where these tests are left out.
fn library() -> Option<PathBuf> {
    if std::env::var("LANESCOPE_NO_SLANG").is_ok_and(|value| !value.is_empty()) {
        eprintln!("left out: LANESCOPE_NO_SLANG is set");
        return None;
    }
    // target/release/deps/slang-…
    let program = std::env::current_exe().expect("a test has a file");
    let target = program.ancestors().nth(3).expect("it is in a folder of cargo's");
    let library = target.join("slang/libslang-compiler.so");
    let advice = "`make slang` fetches it; LANESCOPE_NO_SLANG=1 (make test NO_SLANG=1) leaves these tests out";
    assert!(library.is_file(), "{} is missing: {advice}", library.display());
    Some(library)
}

fn texts(command: &mut Command) -> (i32, String, String) {
    let output = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("the program exits by itself"), text(output.stdout), text(output.stderr))
}

/// A command and its arguments, with the library.
fn outcome<I: IntoIterator<Item: AsRef<OsStr>>>(library: &Path, arguments: I) -> (i32, String, String) {
    texts(common::lanescope().env("LANESCOPE_SLANG", library).args(arguments))
}

/// The JSON report of some arguments to `inspect`.
fn report<I: IntoIterator<Item: AsRef<OsStr>>>(library: &Path, arguments: I) -> Value {
    let mut command = common::lanescope();
    command.env("LANESCOPE_SLANG", library).arg("inspect").args(arguments).args(["--format", "json"]);
    let (status, stdout, stderr) = texts(&mut command);
    assert!(matches!(status, 0 | 1), "{status}: {stderr}");
    serde_json::from_str(&stdout).expect("standard output is one JSON object")
}

/// A temporary folder with files.
fn files(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writes");
        std::fs::write(path, text).expect("writes");
    }
    folder
}

/// Both stages of a pipeline, of which the second one does not read everything.
const PAIR: &str = "\
import shared.lights;
#include \"scale.h\"
struct Varyings { float4 at : SV_Position; float3 normal : NORMAL; float2 unread : UV; nointerpolation uint id : ID; };
[shader(\"vertex\")]
Varyings place(float3 at : POSITION, uint vertex : SV_VertexID)
{
    Varyings out;
    out.at = float4(at * SCALE, 1);
    out.normal = at;
    out.unread = at.xy;
    out.id = vertex;
    return out;
}
[shader(\"fragment\")]
float4 shade(Varyings v) : SV_Target { return float4(v.normal * brightness(v.id), 1); }
";

fn pair() -> tempfile::TempDir {
    files(&[
        ("lit.slang", PAIR),
        ("scale.h", "#ifndef SCALE\n#define SCALE 2\n#endif\n"),
        ("shared/lights.slang", "module lights;\npublic float brightness(uint id) { return 1.0 / (1 + id); }\n"),
    ])
}

#[test]
fn a_file_is_a_pipeline_of_all_its_entry_points() {
    let Some(library) = library() else { return };
    let folder = pair();
    let path = folder.path().join("lit.slang").display().to_string();
    let report = report(&library, [&path]);
    assert_eq!(report["inputs"][0]["format"], "slang");
    let compiler = report["inputs"][0]["compiler"].as_str().expect("it is named");
    assert!(compiler.starts_with("Slang 2026.12 (") && compiler.ends_with("libslang-compiler.so)"), "{compiler}");
    let stages: Vec<_> = report["stages"].as_array().expect("stages").iter().map(|s| s["entry"].as_str()).collect();
    assert_eq!(stages, [Some("place"), Some("shade")]);
    let names: Vec<_> = report["packing"]["map"].as_array().expect("rows").iter().map(|r| &r["variable"]).collect();
    assert_eq!(names, ["v.normal", "v.normal", "v.normal", "v.id"]);
}

#[test]
fn options_of_sources_reach_the_compiler() {
    let Some(library) = library() else { return };
    let folder = files(&[
        ("a.slang", "#include \"b.h\"\n[shader(\"compute\")][numthreads(WIDTH, 1, 1)] void main() {}\n"),
        ("in/b.h", "#ifndef WIDTH\n#define WIDTH 8\n#endif\n"),
        ("pre.h", "#define WIDTH 32\n"),
    ]);
    let at = |name: &str| folder.path().join(name).display().to_string();
    let size = |report: &Value| report["stages"][0]["workgroup_size"].clone();
    let within = ["-I".to_owned(), at("in")];
    let of = |more: &[&str]| {
        let more = more.iter().map(|one| (*one).to_owned());
        report(&library, [at("a.slang")].into_iter().chain(within.clone()).chain(more))
    };
    assert_eq!(size(&of(&[])), serde_json::json!([8, 1, 1]));
    let defined = of(&["-D", "WIDTH=16", "-D", "WIDHT=4"]);
    assert_eq!(size(&defined), serde_json::json!([16, 1, 1]));
    let unread = defined["findings"].as_array().expect("a list").iter().filter(|one| one["code"] == "L010");
    let unread: Vec<_> = unread.map(|one| &one["message"]).collect();
    assert_eq!(unread, ["no source file uses the macro WIDHT"]);
    assert_eq!(size(&of(&["-D", "WIDTH=16", "-U", "WIDTH"])), serde_json::json!([8, 1, 1]));
    assert_eq!(size(&of(&["--include", &at("pre.h")])), serde_json::json!([32, 1, 1]));
    assert_eq!(of(&["--slang-arg", "-DWIDTH=4"])["stages"][0]["workgroup_size"][0], 4);
    let (status, _, stderr) = outcome(&library, ["inspect", &at("a.slang"), "--slang-arg", "-no-such-flag"]);
    assert!(status == 2 && stderr.contains("-no-such-flag"), "{stderr}");
    let (status, _, stderr) = outcome(&library, ["inspect", &at("a.slang")]);
    assert!(status == 2 && stderr.contains("b.h"), "{stderr}");
}

#[test]
fn the_version_of_spirv_is_slangs_or_that_of_the_target() {
    let Some(library) = library() else { return };
    let folder = pair();
    let path = folder.path().join("lit.slang").display().to_string();
    let version = |more: &[&str]| {
        let out = folder.path().join("out");
        let _ = std::fs::remove_dir_all(&out);
        let words = ["rewrite", &path, "-o", &out.display().to_string()].map(str::to_owned);
        let (status, _, stderr) = outcome(&library, words.into_iter().chain(more.iter().map(|&one| one.to_owned())));
        assert_eq!(status, 0, "{stderr}");
        let files = std::fs::read_dir(&out).expect("a folder").map(|file| file.expect("a file").path());
        let file = files.into_iter().find(|file| file.extension() == Some(OsStr::new("spv"))).expect("a module");
        std::fs::read(file).expect("reads")[5..7].to_vec()
    };
    assert_eq!(version(&[]), [5, 1]);
    assert_eq!(version(&["--target-env", "vulkan1.1"]), [3, 1]);
    assert_eq!(version(&["--target-env", "vulkan1.3"]), [6, 1]);
}

#[test]
fn an_entry_point_without_an_attribute_needs_a_stage() {
    let Some(library) = library() else { return };
    let text = "float4 shade(float3 n : NORMAL) : SV_Target { return float4(n, 1); }\n";
    let folder = files(&[("a.frag.slang", text), ("b.slang", text)]);
    let at = |name: &str| folder.path().join(name).display().to_string();
    for arguments in [
        &[at("a.frag.slang"), "--entry=shade".to_owned()][..],
        &[at("b.slang"), "--stage=fragment".to_owned(), "--entry=shade".to_owned()],
    ] {
        let stages = report(&library, arguments)["stages"].clone();
        assert_eq!((&stages[0]["stage"], &stages[0]["entry"]), (&"fragment".into(), &"shade".into()), "{arguments:?}");
    }
    let (status, _, stderr) = outcome(&library, ["inspect", &at("b.slang")]);
    assert!(status == 2 && stderr.contains("give --stage"), "{stderr}");
}

#[test]
fn comments_and_indices_make_no_entry_point() {
    let Some(library) = library() else { return };
    let folder = files(&[
        (
            "a.frag.slang",
            "// see main() of foo\nfloat4 PSMain(float3 n : NORMAL) : SV_Target { return float4(n, 1); }\n",
        ),
        (
            "b.frag.slang",
            "StructuredBuffer<float4> colors;\nfloat4 main(nointerpolation uint shaderId : ID) : SV_Target\n{ return \
             colors[shaderId]; }\n",
        ),
    ]);
    for (name, entry) in [("a.frag.slang", "PSMain"), ("b.frag.slang", "main")] {
        let report = report(&library, [folder.path().join(name)]);
        assert_eq!(report["stages"][0]["entry"], entry, "{name}");
    }
}

#[test]
fn variants_that_differ_in_warnings_are_not_equal() {
    let Some(library) = library() else { return };
    let text = "RWStructuredBuffer<float> o;\n#if A\nhalf unused() { half h = o[0]; return h; }\n#endif\n\
                [shader(\"compute\")][numthreads(1, 1, 1)] void main() { o[1] = 2; }\n";
    let folder = files(&[("w.slang", text), ("list", "A = 0 | 1\n")]);
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (status, stdout, stderr) = outcome(&library, ["diff", &at("w.slang"), "--variants", &at("list")]);
    assert!(status == 1 && stdout.contains("adds finding L009"), "{status}: {stderr}\n{stdout}");
}

#[test]
fn the_folder_of_a_start_has_no_compiler() {
    let folder = files(&[
        ("a.slang", "[shader(\"compute\")][numthreads(1, 1, 1)] void main() {}\n"),
        ("slangc", ""),
        ("libslang-compiler.so", "no library"),
    ]);
    let mut command = common::lanescope();
    command
        .args(["inspect", "a.slang"])
        .current_dir(folder.path())
        .env("PATH", ":.:/usr/bin")
        .env_remove("LANESCOPE_SLANG");
    let (status, _, stderr) = texts(&mut command);
    let own = folder.path().join("libslang-compiler.so").display().to_string();
    assert!(status == 0 || status == 3 && !stderr.contains(&own), "{status}: {stderr}");
}

#[test]
fn messages_name_places() {
    let Some(library) = library() else { return };
    let folder = files(&[
        ("bad.slang", "[shader(\"compute\")][numthreads(1, 1, 1)]\nvoid main() { x = 1; }\n"),
        ("missing.slang", "import nothing;\n[shader(\"compute\")][numthreads(1, 1, 1)] void main() {}\n"),
        (
            "warns.slang",
            "RWStructuredBuffer<float> o;\n[shader(\"compute\")][numthreads(1, 1, 1)]\nvoid main() { half h = o[0]; o[1] = h; }\n",
        ),
    ]);
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (status, _, stderr) = outcome(&library, ["inspect", &at("bad.slang")]);
    assert!(status == 2 && stderr.contains("bad.slang:2:15") && stderr.contains("undefined"), "{stderr}");
    let (status, _, stderr) = outcome(&library, ["inspect", &at("missing.slang")]);
    assert!(status == 2 && stderr.contains("nothing.slang"), "{stderr}");
    let report = report(&library, [at("warns.slang")]);
    let warning = report["findings"].as_array().expect("a list").iter().find(|one| one["code"] == "L009");
    let warning = warning.expect("the compiler warns");
    assert!(
        warning["place"].as_str().is_some_and(|place| place.ends_with("warns.slang, line 3, column 25")),
        "{warning}"
    );
    assert_eq!(warning["message"], "implicit conversion not recommended [E30081]");
}

#[test]
fn the_debugger_names_lines() {
    let Some(library) = library() else { return };
    let text = "RWStructuredBuffer<uint> sums;\n[shader(\"compute\")][numthreads(4, 1, 1)]\nvoid main(uint3 at : \
                SV_DispatchThreadID)\n{\n    uint twice = at.x * 2;\n    sums[at.x] = twice;\n}\n";
    let folder = files(&[("sums.slang", text)]);
    let path = folder.path().join("sums.slang").display().to_string();
    let (status, stdout, stderr) = outcome(&library, ["debug", &path, "--commands", "break sums.slang:6; continue"]);
    assert!(status == 0 && stdout.contains("sums.slang:6"), "{status}: {stderr}\n{stdout}");
}

#[test]
fn without_its_compiler_it_says_what_is_missing() {
    let folder = files(&[("a.slang", "[shader(\"compute\")][numthreads(1, 1, 1)] void main() {}\n")]);
    let path = folder.path().join("a.slang").display().to_string();
    let inspect = |library: &Path| outcome(library, ["inspect", &path]);
    let (status, _, stderr) = inspect(Path::new("/nowhere/libslang-compiler.so"));
    assert_eq!(status, 3, "{stderr}");
    for words in ["a.slang", "/nowhere/libslang-compiler.so", "LANESCOPE_SLANG", "slangc"] {
        assert!(stderr.contains(words), "{words}: {stderr}");
    }
    // A library of another kind.
    let other = folder.path().join("a.slang");
    assert_eq!(inspect(&other).0, 3);
    let (_, stdout, _) = outcome(Path::new("/nowhere/libslang-compiler.so"), ["doctor"]);
    assert!(stdout.contains("/nowhere/libslang-compiler.so"), "{stdout}");
    if let Some(library) = library() {
        let (_, stdout, _) = outcome(&library, ["doctor"]);
        assert!(stdout.contains("Slang 2026.12"), "{stdout}");
    }
}

#[test]
fn commands_of_a_build_are_measured() {
    let Some(library) = library() else { return };
    let two = "[shader(\"compute\")][numthreads(SIZE, 1, 1)] void first() {}\n\
               [shader(\"compute\")][numthreads(4, 4, 1)] void second() {}\n";
    let log = "slangc two.slang -target spirv -DSIZE=8 -entry first -stage compute -o first.spv\n\
               slangc two.slang -D SIZE=8 -entry second -profile spirv_1_5 -O1 -o second.spv\n\
               slangc two.slang -target hlsl -DSIZE=8 -o two.hlsl\n";
    let folder = files(&[("two.slang", two), ("build.log", log)]);
    let (path, here) = (folder.path().join("build.log").display().to_string(), folder.path().display().to_string());
    let corpus = ["corpus", "--build-log", &path, "--build-dir", &here, "--format", "jsonl"];
    let (status, stdout, stderr) = outcome(&library, corpus);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("build.log:3: skipped: slangc: neither -target spirv"), "{stderr}");
    let rows: Vec<&str> = stdout.lines().filter(|line| line.contains("two.slang")).collect();
    assert_eq!(rows.len(), 2, "{stdout}");
    assert!(rows[0].contains("entry=first") && rows[1].contains("slang_arg=spirv_1_5"), "{stdout}");
}

#[test]
fn strange_files_are_refused() {
    let Some(library) = library() else { return };
    let folder = files(&[
        ("loop.slang", "#include \"loop.slang\"\n[shader(\"compute\")][numthreads(1, 1, 1)] void main() {}\n"),
        ("zero.slang", "void main() {}\0"),
        ("empty.slang", ""),
        ("device.slang", "#include \"/dev/zero\"\n"),
        ("folder.slang", "#include \"/\"\n"),
    ]);
    // The compiler asks for each file once.
    let mut many = String::new();
    for number in 0..5000 {
        let name = format!("tiny{number}.h");
        many += &format!("#include \"{name}\"\n");
        std::fs::write(folder.path().join(name), "\n").expect("writes");
    }
    many += "[shader(\"compute\")][numthreads(1, 1, 1)] void main() {}\n";
    std::fs::write(folder.path().join("many.slang"), many).expect("writes");
    for name in ["loop.slang", "zero.slang", "empty.slang", "device.slang", "folder.slang", "many.slang"] {
        let (status, _, stderr) = outcome(&library, ["inspect", &folder.path().join(name).display().to_string()]);
        assert!(status == 2 && stderr.contains(name), "{name}: {status} {stderr}");
    }
}
