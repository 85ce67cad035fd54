//! HLSL through the DirectX shader compiler: a library of it that `make dxc` fetches. Where that is not possible,
//! `LANESCOPE_NO_DXC=1` (`make test NO_DXC=1`) leaves these tests out.

use crate::common;
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::samples;
use hassle_rs::{Dxc, DxcIncludeHandler};
use lanescope_core::dxil::Dxil;
use serde_json::{Value, json};

/// The library; `None` where these tests are left out.
pub(crate) fn library() -> Option<PathBuf> {
    if std::env::var("LANESCOPE_NO_DXC").is_ok_and(|value| !value.is_empty()) {
        eprintln!("left out: LANESCOPE_NO_DXC is set");
        return None;
    }
    // target/release/deps/dxc-…
    let program = std::env::current_exe().expect("a test has a file");
    let target = program.ancestors().nth(3).expect("it is in a folder of cargo's");
    let library = target.join("dxc/libdxcompiler.so");
    let advice = "`make dxc` fetches it; LANESCOPE_NO_DXC=1 (make test NO_DXC=1) leaves these tests out";
    assert!(library.is_file(), "{} is missing: {advice}", library.display());
    Some(library)
}

/// The program, with the library.
fn lanescope(library: &Path) -> Command {
    let mut command = common::lanescope();
    command.env("LANESCOPE_DXCOMPILER", library);
    command
}

fn texts(command: &mut Command) -> (i32, String, String) {
    let output = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("the program exits by itself"), text(output.stdout), text(output.stderr))
}

/// A command and its arguments.
pub(crate) fn outcome<I: IntoIterator<Item: AsRef<OsStr>>>(library: &Path, arguments: I) -> (i32, String, String) {
    texts(lanescope(library).args(arguments))
}

fn parsed((status, stdout, stderr): (i32, String, String)) -> Value {
    assert!(matches!(status, 0 | 1), "{status}: {stderr}");
    serde_json::from_str(&stdout).expect("standard output is one JSON object")
}

/// The JSON report of some arguments to `inspect`.
fn report<I: IntoIterator<Item: AsRef<OsStr>>>(library: &Path, arguments: I) -> Value {
    parsed(texts(lanescope(library).arg("inspect").args(arguments).args(["--format", "json"])))
}

/// A temporary folder with files.
fn files(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writes");
        std::fs::write(path, bytes).expect("writes");
    }
    folder
}

/// The findings of a report with a code, each as its place and its message.
fn findings<'r>(report: &'r Value, code: &str) -> Vec<(&'r str, &'r str)> {
    let all = report["findings"].as_array().expect("a list").iter().filter(|finding| finding["code"] == code);
    all.map(|finding| (finding["place"].as_str().unwrap_or(""), finding["message"].as_str().unwrap_or(""))).collect()
}

struct NoIncludes;

impl DxcIncludeHandler for NoIncludes {
    fn load_source(&mut self, _: String) -> Option<String> {
        None
    }
}

/// The digest of the container that the library makes by itself.
fn plain(dxc: &Dxc, path: &Path, entry: &str, profile: &str, arguments: &[&str]) -> String {
    let text = std::fs::read_to_string(path).expect("reads");
    let (tools, compiler) = (dxc.create_library().expect("is there"), dxc.create_compiler().expect("is there"));
    let blob = tools.create_blob_with_encoding_from_str(&text).expect("takes a text");
    let name = path.to_string_lossy();
    let made = compiler.compile(&blob, &name, entry, profile, arguments, Some(&mut NoIncludes), &[]);
    let made = made.unwrap_or_else(|_| panic!("{name} compiles as {profile}")).get_result().expect("a container");
    let dxil = Dxil::read(made.to_vec::<u8>()).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let digits: String = dxil.container.digest.computed.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("0x{digits}")
}

/// Every stage, and a work graph; a library of ray tracing is below. Debug information would keep the order of the arguments.
#[test]
fn containers_are_those_of_the_compiler_itself() {
    let Some(library) = library() else { return };
    let dxc = Dxc::new(Some(library.clone())).expect("loads");
    const NARROW: &str = "-enable-16bit-types";
    for (name, profile, entry, arguments) in [
        ("dxil/lit_surface", "vs_6_6", "VSMain", &[][..]),
        ("dxil/lit_surface", "ps_6_0", "PSMain", &[]),
        ("dxil/half_interface", "ps_6_6", "PSMain", &[NARROW]),
        ("dxil/layered_targets", "ps_6_0", "PSMain", &[]),
        ("dxil/tessellated_patch", "hs_6_2", "HSMain", &[]),
        ("dxil/tessellated_patch", "ds_6_4", "DSMain", &[]),
        ("dxil/spark_split", "gs_6_0", "GSMain", &[]),
        ("dxil/brick_wall", "as_6_5", "ASMain", &[]),
        ("dxil/brick_wall", "ms_6_5", "MSMain", &[]),
        ("dxil/prefix_sum", "cs_6_0", "CSMain", &[]),
        ("dxil/short_histogram", "cs_6_2", "CSMain", &[NARROW]),
        ("dxil/prefix_sum", "cs_6_8", "CSMain", &["-Od"]),
        ("work_graphs/07_wide_dag", "lib_6_8", "", &[]),
    ] {
        let path = samples().join(format!("{name}.hlsl"));
        let mut command = lanescope(&library);
        command.arg("inspect").arg(&path).args(["--format", "json", "--profile", profile]);
        if !entry.is_empty() {
            command.args(["--entry", entry]);
        }
        for argument in arguments {
            match *argument {
                NARROW => command.args(["--dxil-with", "16-bit"]),
                other => command.args(["--dxc-arg", other]),
            };
        }
        let report = parsed(texts(&mut command));
        let digest = report["dxil"]["container"]["computed_hash"].as_str().expect("a digest");
        assert_eq!(digest, plain(&dxc, &path, entry, profile, arguments), "{name} as {profile}");
        assert!(report["inputs"][0]["compiler"].as_str().is_some_and(|name| name.contains("1.8")), "{report}");
        assert_eq!(report["inputs"][0]["format"], "hlsl");
        // Whether it is signed is not of the user's making.
        assert_eq!(findings(&report, "C57"), [], "{name}");
    }
}

/// By name, by the same name with another extension, and from standard input.
#[test]
fn a_profile_makes_a_file_hlsl() {
    let Some(library) = library() else { return };
    let text = "struct D { uint v; };\n[shader(\"callable\")] void Bell(inout D d) { d.v += 3; }\n";
    let folder =
        files(&[("bell.rcall", text.as_bytes()), ("bell.lib.hlsl", text.as_bytes()), ("bell.fx", text.as_bytes())]);
    let digests = ["bell.rcall", "bell.lib.hlsl", "bell.fx"].map(|name| {
        let report = report(&library, [folder.path().join(name).as_os_str(), "--profile".as_ref(), "lib_6_3".as_ref()]);
        assert_eq!(report["stages"][0]["stage"], "callable", "{name}");
        report["dxil"]["container"]["computed_hash"].clone()
    });
    let dxc = Dxc::new(Some(library.clone())).expect("loads");
    let expected = plain(&dxc, &folder.path().join("bell.rcall"), "", "lib_6_3", &[]);
    assert!(digests.iter().all(|digest| *digest == expected), "{expected}: {digests:?}");
    // GLSL of the same pipeline stays GLSL.
    let vertex = "#version 460\nvoid main() { gl_Position = vec4(0); }\n";
    let pixel = "float4 main() : SV_Target { return 1; }\n";
    let folder = files(&[("a.vert", vertex.as_bytes()), ("a.frag", pixel.as_bytes())]);
    let names = ["a.vert", "a.frag"].map(|name| folder.path().join(name).into_os_string());
    let report = report(&library, names.into_iter().chain(["--profile".into(), "ps_6_0".into()]));
    let formats: Vec<_> = report["inputs"].as_array().expect("inputs").iter().map(|input| &input["format"]).collect();
    assert_eq!(formats, ["glsl", "hlsl"]);
}

#[test]
fn standard_input_is_compiled_with_includes_of_the_working_directory() {
    let Some(library) = library() else { return };
    let folder = files(&[("one.hlsli", b"#define ONE 1\n"), ("sub/two.hlsli", b"#include \"../one.hlsli\"\n")]);
    let piped = |text: &str, name: &str| {
        let mut command = lanescope(&library);
        command.current_dir(folder.path()).args(["inspect", name, "--profile", "cs_6_6", "--format", "json"]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
        child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("takes the text");
        let output = child.wait_with_output().expect("ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code().expect("exits"), text(output.stdout), text(output.stderr))
    };
    let text = "#include \"sub/two.hlsli\"\nRWBuffer<uint> o;\n[numthreads(ONE, 1, 1)] void main() { o[0] = 1; }\n";
    for name in ["-", "/dev/stdin"] {
        let report = parsed(piped(text, name));
        assert_eq!((&report["inputs"][0]["path"], &report["workgroup"][0]["size"]), (&json!(name), &json!([1, 1, 1])));
        let (status, _, stderr) = piped(&text.replace("o[0]", "p[0]"), name);
        assert_eq!(status, 2);
        assert!(stderr.contains(&format!("{name}:3:39: error: use of undeclared identifier 'p'")), "{stderr}");
        let (status, _, stderr) = piped("#include \"none.hlsli\"\n", name);
        assert!(status == 2 && stderr.contains("'none.hlsli' file not found"), "{stderr}");
    }
}

/// Folders, files, includes and values, also where the library's own locale is not there, or none of UTF-8.
#[test]
fn names_need_not_be_ascii() {
    let Some(library) = library() else { return };
    let main = "#include \"größe.hlsli\"\n#include \"数.hlsli\"\n\
                [numthreads(GROESSE, ZAHL, 1)] void main() { /* ö */ }\n";
    let folder = files(&[
        ("ordnér/größe.cs.hlsl", main.as_bytes()),
        ("ordnér/größe.hlsli", b"#define GROESSE 8\n"),
        ("ordnér/broken.cs.hlsl", "#include \"größe.hlsli\"\nvoid main() { ö }\n".as_bytes()),
        ("數/数.hlsli", b"#define ZAHL 2\n"),
        ("數/own.cs.hlsl", "#include \"数.hlsli\"\n[numthreads(ZAHL, ZAHL, 1)] void main() {}\n".as_bytes()),
    ]);
    let at = |name: &str| folder.path().join(name);
    for locale in [None, Some("/nowhere")] {
        let command = |name: &str| {
            let mut command = lanescope(&library);
            command.env_remove("LC_ALL").envs(locale.map(|folder| ("LOCPATH", folder)));
            command.arg("inspect").arg(at(name)).arg("-I").arg(at("數")).args(["--format", "json"]);
            command
        };
        let report = parsed(texts(&mut command("ordnér/größe.cs.hlsl")));
        assert_eq!(report["workgroup"][0]["size"], json!([8, 2, 1]), "{locale:?}");
        // As a user names them in their own folder.
        let mut relative = lanescope(&library);
        relative.env_remove("LC_ALL").envs(locale.map(|folder| ("LOCPATH", folder))).current_dir(folder.path());
        let report = parsed(texts(relative.args(["inspect", "數/own.cs.hlsl", "-I", "數", "--format", "json"])));
        assert_eq!(report["workgroup"][0]["size"], json!([2, 2, 1]), "{locale:?}");
        let (status, _, stderr) = texts(&mut command("ordnér/broken.cs.hlsl"));
        assert_eq!(status, 2);
        assert!(stderr.contains("ordnér/broken.cs.hlsl:2:"), "{stderr}");
    }
    let report = report(
        &library,
        [at("ordnér/größe.cs.hlsl").as_os_str(), "-DZAHL=/*ö*/4".as_ref(), "-I".as_ref(), at("數").as_os_str()],
    );
    assert_eq!(findings(&report, "L009").len(), 1, "it is defined twice");
}

/// Also one whose name is not ASCII, which includes another one that is beside it.
#[test]
fn a_file_is_included_before_the_source() {
    let Some(library) = library() else { return };
    let folder = files(&[
        ("a.cs.hlsl", b"[numthreads(N, M, 1)]\nvoid main() {}\n"),
        ("broken.cs.hlsl", b"[numthreads(N, M, 1)]\nvoid main() { nothing(); }\n"),
        ("n/pre.hlsli", b"#include \"m.hlsli\"\n#define N 4\n"),
        ("n/m.hlsli", b"#define M 2\n"),
        ("größe/pre.hlsli", b"#include \"m.hlsli\"\n#define N 8\n"),
        ("größe/m.hlsli", b"#define M 1\n"),
    ]);
    let at = |name: &str| folder.path().join(name);
    let of = |include: &Path, more: &[&OsStr]| {
        let source = at("a.cs.hlsl");
        let line = [source.as_os_str(), "--include".as_ref(), include.as_os_str()];
        report(&library, line.iter().chain(more))["workgroup"][0]["size"].clone()
    };
    assert_eq!(of(&at("n/pre.hlsli"), &[]), json!([4, 2, 1]));
    assert_eq!(of(&at("größe/pre.hlsli"), &[]), json!([8, 1, 1]));
    assert_eq!(of(Path::new("pre.hlsli"), &["-I".as_ref(), at("n").as_os_str()]), json!([4, 2, 1]));
    let (broken, include) = (at("broken.cs.hlsl"), at("n/pre.hlsli"));
    let line: [&OsStr; 4] = ["inspect".as_ref(), broken.as_os_str(), "--include".as_ref(), include.as_os_str()];
    let (status, _, stderr) = outcome(&library, line);
    assert!(status == 2 && stderr.contains("broken.cs.hlsl:2:"), "{stderr}");
}

/// Names that are no text at all.
#[test]
fn names_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt as _;
    let Some(library) = library() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join(OsStr::from_bytes(b"gr\xf6\xdfe"));
    std::fs::create_dir(&inner).expect("writes");
    std::fs::write(inner.join("n.hlsli"), "#define N 4\n").expect("writes");
    let path = inner.join("-a.cs.hlsl");
    std::fs::write(&path, "#include \"n.hlsli\"\n[numthreads(N, 1, 1)] void main() {}\n").expect("writes");
    assert_eq!(report(&library, [path.as_os_str()])["workgroup"][0]["size"], json!([4, 1, 1]));
    let mut command = lanescope(&library);
    let here = command.current_dir(&inner).args(["inspect", "--format", "json", "--", "-a.cs.hlsl"]);
    assert_eq!(parsed(texts(here))["workgroup"][0]["size"], json!([4, 1, 1]));
}

#[test]
fn encodings_are_those_of_their_marks() {
    let Some(library) = library() else { return };
    let wide =
        |text: &str| [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let main = "#include \"w.hlsli\"\n#include \"latin.hlsli\"\n#include \"empty.hlsli\"\n\
                [numthreads(W, L, 1)] void main() {}\n";
    let folder = files(&[
        ("marked.cs.hlsl", format!("\u{feff}{main}").as_bytes()),
        ("wide.cs.hlsl", &wide(main)),
        ("w.hlsli", &wide("#define W 4 // ö\n")),
        ("latin.hlsli", b"#define L 2 // gr\xf6\xdfe\n"),
        ("empty.hlsli", b""),
        ("latin.cs.hlsl", b"// gr\xf6\xdfe\n"),
        ("half.cs.hlsl", b"\xff\xfea"),
    ]);
    for name in ["marked.cs.hlsl", "wide.cs.hlsl"] {
        let report = report(&library, [folder.path().join(name)]);
        assert_eq!(report["workgroup"][0]["size"], json!([4, 2, 1]), "{name}");
    }
    for (name, words) in
        [("latin.cs.hlsl", "byte 0x5: the text is not UTF-8"), ("half.cs.hlsl", "0x2: the text is not UTF-16")]
    {
        let (status, _, stderr) = outcome(&library, ["inspect".as_ref(), folder.path().join(name).as_os_str()]);
        assert!(status == 2 && stderr.contains(words), "{stderr}");
    }
}

#[test]
fn warnings_are_findings_and_errors_have_their_lines() {
    let Some(library) = library() else { return };
    let folder = files(&[
        ("a.cs.hlsl", b"#include \"b.hlsli\"\nRWBuffer<float> o;\n[numthreads(1, 1, 1)] void main(uint i : SV_GroupIndex)\n{\n    if (i = 2)\n        o[i] = first(1);\n}\n"),
        ("b.hlsli", b"float first(float3 v)\n{\n    float f = v;\n    return f;\n}\n"),
        ("broken.cs.hlsl", b"#include \"c.hlsli\"\n[numthreads(1, 1, 1)] void main() {}\n"),
        ("c.hlsli", b"\nint x = y;\n"),
    ]);
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let whole = report(&library, [at("a.cs.hlsl")]);
    let [truncated, condition] = findings(&whole, "L009")[..] else { panic!("{}", whole["findings"]) };
    assert!(truncated.0.ends_with("/b.hlsli, line 3, column 11"), "{truncated:?}");
    assert_eq!(truncated.1, "implicit truncation of vector type [-Wconversion]");
    assert!(
        condition.0.ends_with("/a.cs.hlsl, line 5, column 11") && condition.1.ends_with("[-Wparentheses]"),
        "{condition:?}"
    );
    let details = whole["findings"][1]["details"].as_str().unwrap_or_default();
    assert!(details.contains("if (i = 2)"), "{}", whole["findings"]);
    assert_eq!(findings(&whole, "C57"), []);
    let quiet = report(&library, [&at("a.cs.hlsl"), "--dxc-arg", "-Wno-conversion"].map(str::to_owned));
    assert_eq!(findings(&quiet, "L009").len(), 1);
    let (status, stdout, stderr) = outcome(&library, ["inspect", &at("a.cs.hlsl")]);
    assert!(status == 0 && stdout.contains("L009") && stdout.contains("column 11]"), "{stderr}{stdout}");
    let (status, _, stderr) = outcome(&library, ["inspect", &at("broken.cs.hlsl")]);
    assert_eq!(status, 2);
    for words in
        ["does not compile as cs_6_6", "broken.cs.hlsl:1:", "c.hlsli:2:9: error: use of undeclared identifier 'y'"]
    {
        assert!(stderr.contains(words), "{words}: {stderr}");
    }
    let (status, _, stderr) = outcome(&library, ["inspect", &at("a.cs.hlsl"), "--dxc-arg", "-no-such-flag"]);
    assert!(status == 2 && stderr.contains("no-such-flag"), "{stderr}");
    let (status, _, stderr) = outcome(&library, ["inspect", &at("a.cs.hlsl"), "--dxc-arg", "-spirv"]);
    assert!(status == 2 && stderr.contains("-spirv") && stderr.contains("no DXIL container"), "{stderr}");
}

/// By both compilers of HLSL, and that of GLSL.
#[test]
fn macros_and_folders_reach_the_compilers() {
    let Some(library) = library() else { return };
    let hlsl =
        "#include \"Common.hlsli\"\n#ifdef OFF\n#error OFF\n#endif\n[numthreads(LANES, TWO, ONE)] void main() {}\n";
    let glsl = "#version 460\n#extension GL_GOOGLE_include_directive : require\n#include \"Common.hlsli\"\n#ifdef OFF\n\
                #error OFF\n#endif\nlayout(local_size_x = LANES, local_size_y = TWO, local_size_z = ONE) in;\nvoid main() {}\n";
    let folder = files(&[
        ("a.cs.hlsl", hlsl.as_bytes()),
        ("a.comp", glsl.as_bytes()),
        ("shared/Common.hlsli", b"#include \"more/Two.hlsli\"\n"),
        ("other/more/Two.hlsli", b"#include \"Here.hlsli\"\n"),
        ("other/more/Here.hlsli", b"#define TWO 2\n"),
    ]);
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (shared, other) = (at("shared"), at("other"));
    for (name, compiler) in [("a.cs.hlsl", "dxc"), ("a.cs.hlsl", "glslang"), ("a.comp", "auto")] {
        let path = at(name);
        let all = [
            &path,
            "-D",
            "LANES=32",
            "-DONE",
            "-D",
            "OFF",
            "-U",
            "OFF",
            "-I",
            &shared,
            "-I",
            &other,
            "--hlsl-compiler",
            compiler,
        ];
        let report = report(&library, all);
        assert_eq!(report["workgroup"][0]["size"], json!([32, 2, 1]), "{name} {compiler}");
        let without = all.iter().filter(|one| !["-U"].contains(one));
        let (status, _, stderr) = outcome(&library, ["inspect"].iter().chain(without));
        assert_eq!(status, 2, "{stderr}");
        let (status, _, stderr) =
            outcome(&library, ["inspect", &path, "-DLANES=4", "-DONE=1", "--hlsl-compiler", compiler]);
        assert!(status == 2 && stderr.contains("Common.hlsli"), "{stderr}");
    }
    for (arguments, words) in [(["-D", "1=2"], "expected a name"), (["-I", "/nowhere/at/all"], "is not a folder")] {
        let (status, _, stderr) = outcome(&library, ["inspect", &at("a.comp"), arguments[0], arguments[1]]);
        assert!(status == 2 && stderr.contains(words), "{stderr}");
    }
}

#[test]
fn entry_points_may_be_included() {
    let Some(library) = library() else { return };
    let folder =
        files(&[("a.cs.hlsl", b"#include \"b.hlsli\"\n"), ("b.hlsli", b"[numthreads(3, 1, 1)] void Inner() {}\n")]);
    let path = folder.path().join("a.cs.hlsl");
    let report = report(&library, [path.as_os_str(), "--entry".as_ref(), "Inner".as_ref()]);
    assert_eq!((&report["stages"][0]["entry"], &report["workgroup"][0]["size"]), (&json!("Inner"), &json!([3, 1, 1])));
}

/// From the source to a stepped run, as from the container of the same source.
#[test]
fn work_graphs_run_from_their_source() {
    let Some(library) = library() else { return };
    let words = |arguments: &[&str]| {
        let fixed = ["run", "--device", "llvmpipe", "--format", "json"];
        let report = parsed(outcome(&library, fixed.iter().chain(arguments)));
        report["run"]["buffers"][0]["values"]["data"].clone()
    };
    let sample = |name: &str| samples().join("work_graphs").join(name).to_string_lossy().into_owned();
    let (source, container) = (sample("02_quadtree_recursion.hlsl"), sample("02_quadtree_recursion.dxil"));
    let expected = words(&[&container]);
    assert_eq!((&expected[0], &expected[1]), (&json!(4096), &json!(1024)));
    assert_eq!(words(&[&source]), expected);
    assert_eq!(words(&[&source, "--profile", "lib_6_8"]), expected);
    // Nodes say the model, where the name says that it is a library.
    let text = "struct Drop { uint size; };\nRWStructuredBuffer<uint> pool : register(u0);\n\
                [Shader(\"node\")][NodeLaunch(\"thread\")][NodeIsProgramEntry]\n\
                void Rain([MaxRecords(COUNT)] NodeOutput<Drop> Puddle)\n{\n\
                ThreadNodeOutputRecords<Drop> drops = Puddle.GetThreadNodeOutputRecords(COUNT);\n\
                for (uint i = 0; i < COUNT; i++) drops.Get(i).size = 5 + i;\n    drops.OutputComplete();\n}\n\
                [Shader(\"node\")][NodeLaunch(\"thread\")]\n\
                void Puddle(ThreadNodeInputRecord<Drop> drop) { InterlockedAdd(pool[0], drop.Get().size); }\n";
    let folder = files(&[("rain.lib.hlsl", text.as_bytes())]);
    let path = folder.path().join("rain.lib.hlsl").to_string_lossy().into_owned();
    for more in [&["-DCOUNT=3"][..], &["-DCOUNT=3", "--profile", "lib_6_8"]] {
        assert_eq!(words(&[&[path.as_str()], more].concat())[0], json!(18));
        let graph = parsed(outcome(&library, [&["graph", &path, "--format", "json"], more].concat()));
        assert_eq!(graph["graph"]["nodes"].as_array().map(Vec::len), Some(2), "{graph}");
        let (status, stdout, stderr) = outcome(&library, [&["inspect", &path], more].concat());
        assert!(status == 0 && stdout.contains("Puddle"), "{stderr}");
    }
}

/// A file of one shader, by its kind.
type Shader = (&'static str, &'static str);

/// Codes of the findings about locations that nobody writes, and the finding about entry points that are not chosen.
fn unlinked(library: &Path, shaders: &[Shader], more: &[&str]) -> Vec<String> {
    let named: Vec<(String, &[u8])> =
        shaders.iter().map(|(kind, text)| (format!("a.{kind}.hlsl"), text.as_bytes())).collect();
    let folder = files(&named.iter().map(|(name, text)| (name.as_str(), *text)).collect::<Vec<_>>());
    let paths = named.iter().map(|(name, _)| folder.path().join(name).to_string_lossy().into_owned());
    let report = report(library, paths.chain(more.iter().map(|one| (*one).to_owned())));
    assert_eq!(report["stages"].as_array().map(Vec::len), Some(shaders.len().max(2)), "{}", report["stages"]);
    let codes = report["findings"].as_array().expect("findings").iter().filter_map(|one| one["code"].as_str());
    codes.filter(|code| ["P002", "D009", "D010"].contains(code)).map(str::to_owned).collect()
}

/// A domain shader without control points reads the patch constant, also where a control point has the same semantic.
#[test]
fn patch_constants_are_linked_without_control_points() {
    let Some(library) = library() else { return };
    const TYPES: &str = "struct V { float4 at : SV_Position; float2 uv : UV; };\n\
                         struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; float2 uv : UV; };\n\
                         struct P { float4 at : SV_Position; float2 uv : COLOR; };\n";
    const VERTEX: &str = "V main(uint id : SV_VertexID) { V v; v.at = id; v.uv = float2(0.25, 0.5); return v; }";
    const HULL: &str = "C Each(InputPatch<V, 3> p) { C c; c.e[0] = c.e[1] = c.e[2] = c.i = 1; c.uv = 0.75; return c; }\n\
                        [domain(\"tri\")][partitioning(\"integer\")][outputtopology(\"triangle_cw\")]\n\
                        [outputcontrolpoints(3)][patchconstantfunc(\"Each\")]\n\
                        V main(InputPatch<V, 3> p, uint i : SV_OutputControlPointID) { return p[i]; }";
    const DOMAIN: &str = "[domain(\"tri\")] P main(C c, float3 b : SV_DomainLocation) { P o; o.at = b.xyzz; o.uv = c.uv; \
                          return o; }";
    const PIXEL: &str = "float4 main(P p) : SV_Target { return p.uv.xyxy; }";
    let texts = [("vs", VERTEX), ("hs", HULL), ("ds", DOMAIN), ("ps", PIXEL)];
    let texts = texts.map(|(kind, text)| (kind, &*format!("{TYPES}{text}\n").leak()));
    assert_eq!(unlinked(&library, &texts, &[]), [""; 0]);
}

/// The vertex shader that `--entry` names, not another one of the library.
#[test]
fn chosen_entry_points_of_a_library_are_linked() {
    let Some(library) = library() else { return };
    const VERTICES: &str = "struct A { float4 at : SV_Position; float2 uv : UV; float4 color : COLOR; };\n\
                            A Of(uint id) { A a; a.at = id; a.uv = 0.5; a.color = 0.25; return a; }\n\
                            [shader(\"vertex\")] A One(uint id : SV_VertexID) { return Of(id); }\n\
                            [shader(\"vertex\")] A Two(uint id : SV_VertexID) { return Of(id + 1); }\n";
    const READ: &str = "struct B { float4 color : COLOR; float2 uv : UV; float4 at : SV_Position; };\n";
    let pixel = |attribute: &str, name: &str| {
        &*format!("{READ}{attribute} float4 {name}(B b) : SV_Target {{ return float4(b.uv, b.color.xy); }}\n").leak()
    };
    let chosen = ["--entry", "Two", "--entry", "Pixel"];
    let whole = &*format!("{VERTICES}{}", pixel("[shader(\"pixel\")]", "Pixel")).leak();
    assert_eq!(unlinked(&library, &[("lib", whole)], &chosen), ["D009"]);
    assert_eq!(unlinked(&library, &[("lib", VERTICES), ("ps", pixel("", "main"))], &chosen[..2]), ["D009"]);
}

/// LLVM keeps one string for the kind `lib` and all names that are the same.
#[test]
fn a_compute_shader_may_be_called_lib() {
    let Some(library) = library() else { return };
    let text = "RWStructuredBuffer<uint> data : register(u0);\n\
                [shader(\"compute\")][numthreads(1, 1, 1)] void lib() { data[0] = 7; }\n\
                [shader(\"compute\")][numthreads(2, 1, 1)] void other() { data[0] = 8; }\n";
    let folder = files(&[("a.lib.hlsl", text.as_bytes())]);
    let path = folder.path().join("a.lib.hlsl");
    let report = report(&library, [&path]);
    let of = |stage: &Value| stage["entry"].as_str().expect("a name").to_owned();
    let names: Vec<String> = report["stages"].as_array().expect("stages").iter().map(of).collect();
    assert_eq!(names, ["lib", "other"], "{}", report["findings"]);
    assert!(findings(&report, "D005").is_empty(), "{}", report["findings"]);
}

/// Debug information has the names that the user knows.
#[test]
fn debug_information_names_files_that_are_not_ascii() {
    let Some(library) = library() else { return };
    let main = "#include \"häufig.hlsli\"\n[numthreads(N, 1, 1)] void main() {}\n";
    let folder = files(&[("ordnér/größe.cs.hlsl", main.as_bytes()), ("ordnér/häufig.hlsli", b"#define N 8\n")]);
    let path = folder.path().join("ordnér/größe.cs.hlsl");
    let embedded = ["--dxc-arg", "-Zi", "--dxc-arg", "-Qembed_debug"].map(OsStr::new);
    let report = report(&library, [path.as_os_str()].into_iter().chain(embedded));
    let sources = &report["dxil"]["sources"];
    let name = |value: &Value| value.as_str().expect("a name").to_owned();
    assert!(name(&sources["main"]).ends_with("ordnér/größe.cs.hlsl"), "{sources}");
    let names: Vec<String> = sources["files"].as_array().expect("files").iter().map(|one| name(&one["name"])).collect();
    assert!(names.iter().any(|name| name.ends_with("ordnér/häufig.hlsli")), "{names:?}");
    assert!(names.iter().all(|name| !name.contains('_')), "{names:?}");
}

/// The converter drops debug information; lines are those of the HLSL all the same.
#[test]
fn the_debugger_stops_at_lines_of_the_source() {
    let Some(library) = library() else { return };
    let main = "#include \"scale.hlsli\"\nRWStructuredBuffer<uint> values : register(u0);\n[numthreads(4, 1, 1)]\n\
                void main(uint i : SV_GroupIndex)\n{\n\tuint value = values[i];\n\tif (i > 1)\n\t\tvalue = scaled(value);\n\
                \tvalues[i] = value + 1;\n}\n";
    let other = "// Times seven.\nuint scaled(uint value)\n{\n\treturn value * 7;\n}\n";
    let folder = files(&[("a.cs.hlsl", main.as_bytes()), ("scale.hlsli", other.as_bytes())]);
    let path = folder.path().join("a.cs.hlsl");
    let mut command = lanescope(&library);
    command.arg("debug").arg(&path).args(["--dxc-arg", "-Zi", "--dxc-arg", "-Qembed_debug", "--lane", "0.2"]);
    let (status, stdout, stderr) = texts(command.args(["--commands", "step; break scale.hlsli:4; continue; next"]));
    assert_eq!(status, 0, "{stderr}\n{stdout}");
    // Tabs are shown as spaces.
    for line in [
        "a.cs.hlsl:4",
        "scale.hlsli:4",
        "\n→    4      return value * 7;\n",
        "a.cs.hlsl:7",
        "\n→    7      if (i > 1)\n",
    ] {
        assert!(stdout.contains(line), "{line}: {stdout}");
    }
}

/// Modules that are not meant to be validated have tables of any version.
#[test]
fn tables_of_previews_are_not_odd_without_a_validator() {
    let Some(library) = library() else { return };
    let text = "[shader(\"vertex\")] float4 One(uint id : SV_VertexID) : SV_Position { return id; }\n";
    let folder = files(&[("a.lib.hlsl", text.as_bytes())]);
    let path = folder.path().join("a.lib.hlsl");
    let unvalidated = ["-Vd", "-validator-version", "0.0"].map(|one| ["--dxc-arg", one]).concat();
    let report = report(&library, [path.as_os_str()].into_iter().chain(unvalidated.iter().map(OsStr::new)));
    assert_eq!(report["dxil"]["validator_version"], "0.0");
    assert!(findings(&report, "X19").is_empty(), "{}", report["findings"]);
}

#[test]
fn doctor_names_the_version() {
    let Some(library) = library() else { return };
    let (_, stdout, _) = outcome(&library, ["doctor"]);
    let line = stdout.lines().find(|line| line.contains("libdxcompiler.so")).expect("a line");
    assert!(line.contains("found") && line.contains("1.8") && line.contains("glslang"), "{line}");
}

/// A workspace file counts for graphs as for other commands.
#[test]
fn graphs_are_of_their_workspace() {
    let Some(library) = library() else { return };
    let node =
        |name: &str| format!("[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeIsProgramEntry] void {name}() {{}}\n");
    let text = format!("{}#ifdef MORE\n{}#endif\n", node("First"), node("Second"));
    let folder = files(&[("graph.hlsl", text.as_bytes()), ("lanescope.toml", b"defines = [\"MORE\"]\n")]);
    let path = folder.path().join("graph.hlsl");
    let path = path.to_str().expect("UTF-8");
    for (more, nodes) in [(&[][..], 2), (&["--no-config"], 1)] {
        let (status, stdout, stderr) = outcome(&library, [&["graph", path, "--format", "json"], more].concat());
        let graph: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{status}: {stderr}"));
        assert_eq!(graph["graph"]["nodes"].as_array().map(Vec::len), Some(nodes), "{stderr}");
        assert_eq!(stderr.contains("lanescope.toml"), nodes == 2, "{stderr}");
    }
}
