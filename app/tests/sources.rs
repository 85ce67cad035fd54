//! What opens without another compiler: HLSL, GLSL of ray tracing stages, ES shaders in a `.pipe`, bare bitcode.

use crate::common;
use crate::common::{file, json, outcome, outcome_with, samples};
use serde_json::Value;

fn data(name: &str) -> String {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name).to_string_lossy().into_owned()
}

/// The report of HLSL that glslang compiles.
fn hlsl(arguments: &[&str]) -> Value {
    let all = arguments.iter().copied().chain(["--hlsl-compiler", "glslang"]);
    json(all.map(str::to_owned).collect::<Vec<_>>())
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().expect("an array").iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[test]
fn hlsl_opens_without_dxc() {
    let (vertex, pixel) = (data("hlsl/surface.vs.hlsl"), data("hlsl/surface.ps.hlsl"));
    let report = hlsl(&[&vertex, &pixel, "--entry", "surface_pixel"]);
    for input in report["inputs"].as_array().expect("inputs") {
        assert_eq!(input["format"], "hlsl");
        assert!(input["compiler"].as_str().is_some_and(|name| name.starts_with("glslang ")), "{input}");
    }
    let stages: Vec<_> = report["stages"].as_array().expect("stages").iter().collect();
    assert_eq!((&stages[0]["stage"], &stages[0]["entry"]), (&"vertex".into(), &"main".into()));
    assert_eq!((&stages[1]["stage"], &stages[1]["entry"]), (&"fragment".into(), &"surface_pixel".into()));
    assert_eq!(report["packing"]["producer"], "vertex");
    // All registers of both files are numbered together, as those of DXIL are; what is not used has none.
    let places = |input: usize| -> Vec<String> {
        let rows = report["inputs"][input]["bindings"].as_array().expect("bindings").iter();
        rows.map(|row| {
            format!("{}.{} {}.{}", row["register"].as_str().expect("a name"), row["space"], row["set"], row["binding"])
        })
        .collect()
    };
    assert_eq!(places(0), ["b0.0 0.0"]);
    let pixel_places = ["b0.0 0.0", "b1.0 0.1", "t0.0 0.2", "t1.0 0.3", "u0.0 0.4", "s0.0 0.5", "t1.1 1.0"];
    assert_eq!(places(1), pixel_places);
    let (status, page, stderr) =
        outcome(["inspect", &vertex, &pixel, "--entry", "surface_pixel", "--hlsl-compiler", "glslang"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(page.contains("glslang") && page.contains("t1,space1 set1.binding0"), "{page}");
}

#[test]
fn recognises_hlsl_in_files_named_as_glsl() {
    let report = hlsl(&[&data("hlsl/sum.comp")]);
    assert_eq!(report["inputs"][0]["format"], "hlsl");
    assert_eq!(report["stages"][0]["workgroup_size"], serde_json::json!([64, 1, 1]));
    // The hint is GLSL's alone.
    let (_folder, path) = file("a.frag", "float4 main() : SV_Target { return nothing; }\n");
    let arguments = |path: &std::path::Path| {
        let path = path.to_string_lossy().into_owned();
        ["inspect".to_owned(), path, "--hlsl-compiler".to_owned(), "glslang".to_owned()]
    };
    let (status, _, stderr) = outcome(arguments(&path));
    assert_eq!(status, 2);
    assert!(stderr.contains("a.frag:1") && stderr.contains("nothing") && !stderr.contains("#version"), "{stderr}");
    let (_folder, path) = file("a.frag", "out vec4 color;\nvoid main() { color = nothing; }\n");
    let (status, _, stderr) = outcome(arguments(&path));
    assert_eq!(status, 2);
    assert!(stderr.contains("#version 460"), "{stderr}");
}

#[test]
fn names_dxc_for_hlsl_beyond_glslang() {
    let cases = [
        ("a.ms.hlsl", "[numthreads(1, 1, 1)] [outputtopology(\"point\")] void main() {}", "profile ms_6_6"),
        ("a.lib.hlsl", "[shader(\"miss\")] void m() {}", "profile lib_6_6"),
        ("a.rgen", "RaytracingAccelerationStructure s : register(t0);", "profile lib_6_6"),
        (
            "a.cs.hlsl",
            "[numthreads(1, 1, 1)] void main() { RayQuery<RAY_FLAG_NONE> q; }",
            "ray queries (shader model 6.5): `RayQuery`",
        ),
        (
            "a.ps.hlsl",
            "float4 main() : SV_Target { Texture2D t = ResourceDescriptorHeap[0]; return t.Load(0); }",
            "`ResourceDescriptorHeap`",
        ),
    ];
    for (name, text, words) in cases {
        let (_folder, path) = file(name, text);
        let path = path.to_string_lossy().into_owned();
        let (status, _, stderr) = outcome(["inspect", &path, "--hlsl-compiler", "glslang"]);
        assert_eq!(status, 3, "{name}: {stderr}");
        assert!(stderr.contains(words) && stderr.contains("DirectX shader compiler"), "{name}: {stderr}");
    }
}

#[test]
fn hlsl_buffers_have_d3d_offsets() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let out = out.to_string_lossy();
    let (vertex, pixel) = (data("hlsl/surface.vs.hlsl"), data("hlsl/surface.ps.hlsl"));
    let arguments =
        ["rewrite", &vertex, &pixel, "--entry", "surface_pixel", "--hlsl-compiler", "glslang", "--out", &out];
    let (status, _, stderr) = outcome(arguments);
    assert_eq!(status, 0, "{stderr}");
    let read = |name: &str| {
        let mut all = std::fs::read_dir(folder.path().join("out")).expect("is written").filter_map(Result::ok);
        let found = all.find(|entry| {
            let entry = entry.file_name().to_string_lossy().into_owned();
            entry.starts_with(name) && entry.ends_with(".spvasm")
        });
        std::fs::read_to_string(found.expect("a listing").path()).expect("text")
    };
    let (vertex, pixel) = (read("surface.vs"), read("surface.ps"));
    // HLSL's matrices are column-major unless the source says otherwise; SPIR-V has their transpose.
    for line in ["%Frame 0 RowMajor", "%Frame 0 Offset 0", "%Frame 1 ColMajor", "%Frame 1 Offset 64"] {
        assert!(vertex.contains(line), "{line}\n{vertex}");
    }
    // float2 follows float; the array begins a row; the last member is in the array's last row.
    for line in ["%Frame 1 Offset 4", "%Frame 2 Offset 16", "%Frame 3 Offset 36"] {
        assert!(pixel.contains(line), "{line}\n{pixel}");
    }
    // Structured buffers are packed: 12 + 12 + 4 bytes.
    for line in ["%Light_0 1 Offset 12", "%Light_0 2 Offset 24", "%_runtimearr_Light_0 ArrayStride 28"] {
        assert!(pixel.contains(line), "{line}\n{pixel}");
    }
}

#[test]
fn fills_an_hlsl_register_from_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let numbers: Vec<u8> = (0..64u32).flat_map(u32::to_le_bytes).collect();
    let input = folder.path().join("numbers.bin");
    std::fs::write(&input, numbers).expect("writes");
    let out = folder.path().join("out");
    let (contents, out_text) = (format!("t0={}", input.display()), out.to_string_lossy().into_owned());
    let (status, stdout, stderr) = outcome([
        "run",
        &data("hlsl/sum.comp"),
        "--hlsl-compiler",
        "glslang",
        "--device",
        "llvmpipe",
        "--groups",
        "1,1,1",
        "--zeros",
        "--original-only",
        "--buffer",
        &contents,
        "--out",
        &out_text,
    ]);
    assert_eq!(status, 0, "{stderr}\n{stdout}");
    let buffers = std::fs::read_dir(&out).expect("is written").filter_map(Result::ok);
    let sums = buffers
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "bin"))
        .any(|entry| std::fs::read(entry.path()).expect("is read").starts_with(&2016u32.to_le_bytes()));
    assert!(sums, "{stdout}");
}

const RAYS: [(&str, &str); 6] = [
    ("rgen", "ray_generation"),
    ("rint", "intersection"),
    ("rahit", "any_hit"),
    ("rchit", "closest_hit"),
    ("rmiss", "miss"),
    ("rcall", "callable"),
];

#[test]
fn ray_tracing_stages_open_with_their_guessed_layout() {
    let paths = RAYS.map(|(extension, _)| data(&format!("rays/box.{extension}")));
    let report = json(&paths);
    let stages: Vec<&str> =
        report["stages"].as_array().expect("stages").iter().filter_map(|stage| stage["stage"].as_str()).collect();
    assert_eq!(stages, RAYS.map(|(_, stage)| stage));
    assert!(report.get("packing").is_none() && report.get("workgroup").is_none());
    let mut arguments = vec!["partial".to_owned(), "--no-compile".to_owned(), "--format".to_owned(), "json".to_owned()];
    arguments.extend(paths.clone());
    let (status, stdout, stderr) = outcome(&arguments);
    assert_eq!(status, 0, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).expect("JSON");
    let first = &report["partial"][0];
    assert_eq!((&first["stage"], &first["entry"]), (&"ray_generation".into(), &"main".into()));
    let kinds: Vec<_> = first["resources"].as_array().expect("resources").iter().map(|row| &row["kind"]).collect();
    assert_eq!(kinds, ["uniform_block", "acceleration_structure", "storage_image"]);
    // What does not apply says so.
    for (command, words) in [("probe", "ray"), ("run", "ray")] {
        let (status, _, stderr) = outcome([command, &paths[0], "--device", "llvmpipe"]);
        assert!(matches!(status, 2 | 3) && stderr.contains(words), "{command}: {status} {stderr}");
    }
}

#[test]
fn ray_tracing_pipelines_need_their_extension() {
    let hidden = [("LANESCOPE_HIDDEN_EXTENSIONS", "VK_KHR_ray_tracing_pipeline")];
    let (status, _, stderr) = outcome_with(&hidden, ["isa", &data("rays/box.rgen"), "--device", "llvmpipe"]);
    assert_eq!(status, 3, "{stderr}");
    assert!(stderr.contains("VK_KHR_ray_tracing_pipeline"), "{stderr}");
}

#[test]
fn spirv_of_ray_tracing_opens_by_its_execution_model() {
    let source = std::fs::read_to_string(data("rays/box.rgen")).expect("reads");
    let words = common::spirv("box.rgen", &source);
    let (_folder, path) = file("rays.spv", common::bytes(&words));
    let report = json([path]);
    assert_eq!(report["stages"][0]["stage"], "ray_generation");
}

#[test]
fn es_shaders_of_a_pipe_have_source_lines() {
    let shader = |body: &str| {
        format!(
            "[CsGlsl]\n#version 310 es\nlayout(local_size_x = 4) in;\nlayout(std430, binding = 0) buffer B {{ uint x; }};\n\
             {body}\n[CsInfo]\nentryPoint = main\n"
        )
    };
    let (_folder, path) = file("a.pipe", shader("void main() { x = 1u; }"));
    let report = json([path]);
    assert_eq!(report["stages"][0]["workgroup_size"], serde_json::json!([4, 1, 1]));
    let (_folder, path) = file("a.pipe", shader("void main() { x = nothing; }"));
    let (_, stdout, stderr) = outcome(["inspect".as_ref(), path.as_os_str()]);
    assert!(format!("{stdout}{stderr}").contains("a.pipe:5"), "{stdout}{stderr}");
}

#[test]
fn bitcode_opens_without_its_container() {
    let container = std::fs::read(samples().join("dxil/lit_surface.ps.dxil")).expect("reads");
    // The reflection is bitcode too: the program follows a header with that name.
    let at = container.windows(4).rposition(|word| word == b"BC\xc0\xde").expect("bitcode");
    let size = u32::from_le_bytes(container[at - 4..at].try_into().expect("4 bytes")) as usize;
    let (_folder, path) = file("pixel.bc", &container[at..at + size]);
    let report = json([&path]);
    let dxil = &report["dxil"];
    assert_eq!(
        (&dxil["bare_bitcode"], &dxil["kind"], &dxil["shader_model"]),
        (&true.into(), &"pixel".into(), &"6.6".into())
    );
    assert!(dxil.get("psv").is_none() && dxil.get("signatures").is_none());
    assert_eq!(strings(&dxil["container"]["parts"]).len(), 0);
    assert_eq!(report["stages"][0]["stage"], "fragment");
    let (status, page, stderr) = outcome(["inspect".as_ref(), path.as_os_str()]);
    assert_eq!(status, 0, "{stderr}{page}");
    assert!(page.contains("without a container") && !page.contains("digest "), "{page}");
    let (_folder, path) = file("cut.bc", &container[at..at + 40]);
    let (status, _, stderr) = outcome(["inspect".as_ref(), path.as_os_str()]);
    assert_eq!(status, 2, "{stderr}");
}

/// A file with a vertex and two fragment shaders.
const WGSL: &str = "struct V { @builtin(position) p: vec4<f32>, @location(0) a: vec3<f32>, @location(1) b: vec2<f32> }\n\
    @vertex fn vs(@location(0) at: vec3<f32>) -> V { return V(vec4(at, 1.0), at, at.xy); }\n\
    @fragment fn one(in: V) -> @location(0) vec4<f32> { return vec4(in.a, in.b.x); }\n\
    @fragment fn other(in: V) -> @location(0) vec4<f32> { return vec4(in.a, 1.0); }\n";

#[test]
fn wgsl_opens_with_all_its_entry_points() {
    let sample = samples().join("striped_ring.wgsl");
    let report = json([sample.as_os_str()]);
    assert_eq!(report["inputs"][0]["format"], "wgsl");
    let stages = report["stages"].as_array().expect("stages").iter().map(|stage| (&stage["stage"], &stage["entry"]));
    let expected = [(&"vertex".into(), &"ring".into()), (&"fragment".into(), &"stripes".into())];
    assert_eq!(stages.collect::<Vec<_>>(), expected);
    assert_eq!(
        (&report["packing"]["producer"], &report["packing"]["slots"]["after"]),
        (&"vertex".into(), &2.into()),
        "{report}"
    );

    // By its content too; one of several entry points is chosen.
    for name in ["a.wgsl", "a.txt"] {
        let (_folder, path) = file(name, WGSL);
        let path = path.to_string_lossy().into_owned();
        let (status, _, stderr) = outcome(["inspect", &path]);
        assert!(status == 2 && stderr.contains("2 fragment entry points (one, other)"), "{stderr}");
        let report = json([path.as_str(), "--entry", "vs", "--entry", "other"]);
        assert_eq!(report["stages"][1]["entry"], "other");
    }
}

#[test]
fn wgsl_errors_name_the_place() {
    for (text, words) in [
        ("@fragment fn fs() {\n    let a = b;\n}\n", "a.wgsl:2:13: no definition in scope for identifier: `b`"),
        ("#import bevy_pbr::mesh\n@fragment fn fs() {}\n", "line 1 has `#import`, but WGSL has no preprocessor"),
        ("fn f() {}\n", "a.wgsl: has no entry point"),
        ("override n: u32;\n@compute @workgroup_size(n) fn f() {}\n", "-D n=VALUE"),
    ] {
        let (_folder, path) = file("a.wgsl", text);
        let (status, _, stderr) = outcome(["inspect", &path.to_string_lossy()]);
        assert!(status == 2 && stderr.contains(words), "{stderr}");
    }
}

#[test]
fn the_debugger_and_findings_name_lines_of_wgsl() {
    let sample = samples().join("row_sums.comp.wgsl").to_string_lossy().into_owned();
    let (status, stdout, stderr) = outcome(["debug", &sample, "--commands", "break 20; continue; step"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(
        stdout.contains("row_sums.comp.wgsl:20\n") && stdout.contains("→   20      atomicAdd(&row_sums"),
        "{stdout}"
    );
}

#[test]
fn shader_tests_open_as_pipelines_and_folders_of_them_as_a_corpus() {
    let opengl = "[require]\nGLSL >= 1.50\n\n[vertex shader]\nin vec4 at;\nuniform float gain;\nout vec3 n;\nout vec2 uv;\n\
                  void main() { gl_Position = at; n = at.xyz * gain; uv = at.xy; }\n\
                  [fragment shader]\nin vec2 uv;\nin vec3 n;\nout vec4 color;\nvoid main() { color = vec4(uv.x, n); }\n\
                  [test]\ndraw rect -1 -1 2 2\n";
    let (folder, path) = file("a.shader_test", opengl);
    let report = json([path.as_os_str()]);
    assert_eq!(report["inputs"][0]["format"], "shader_test");
    assert_eq!(report["packing"]["slots"]["after"], 1, "{report}");
    let codes: Vec<_> = report["findings"].as_array().expect("findings").iter().map(|one| &one["code"]).collect();
    assert!(codes.contains(&&Value::from("shader-test.ignored")), "{codes:?}");
    let vulkan =
        "[compute shader]\n#version 450\nlayout(local_size_x = 8) in;\nvoid main() {}\n[test]\ncompute 1 1 1\n";
    std::fs::write(folder.path().join("b.vk_shader_test"), vulkan).expect("writes");
    let (status, stdout, stderr) = outcome(["corpus", &folder.path().to_string_lossy()]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("compute        1\ngraphics       1\n"), "{stdout}");
    // An error names the line of the file.
    let (_folder, path) = file("a.shader_test", opengl.replace("vec4(uv.x, n)", "nothing"));
    let (_, stdout, _) = outcome(["inspect", &path.to_string_lossy()]);
    assert!(stdout.contains("a.shader_test:14: 'nothing'"), "{stdout}");
}
