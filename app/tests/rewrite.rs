//! `lanescope rewrite`, as a user types it.

use crate::common;
use std::path::{Path, PathBuf};

use crate::common::{file, outcome, samples};
use lanescope_core::load::load;

/// Runs `rewrite` on samples into a folder.
fn rewrite(folder: &Path, files: &[&str], flags: &[&str]) -> (i32, String, String) {
    let files = files.iter().map(|name| samples().join(name).to_string_lossy().into_owned());
    let out = folder.to_string_lossy().into_owned();
    let flags = flags.iter().map(|flag| (*flag).to_owned());
    outcome(["rewrite".to_owned()].into_iter().chain(files).chain(["--out".to_owned(), out]).chain(flags))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut out: Vec<String> =
        entries.map(|entry| entry.expect("reads").file_name().to_string_lossy().into_owned()).collect();
    out.sort();
    out
}

fn map(folder: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(folder.join("map.json")).expect("map.json is there");
    serde_json::from_str(&text).expect("is JSON")
}

#[test]
fn a_pipeline_is_written_with_its_map_and_loads_again() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = temporary.path().join("new/packed");
    let (status, stdout, stderr) = rewrite(&folder, &["flat_and_smooth.vert", "flat_and_smooth.frag"], &[]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let wanted = [
        "flat_and_smooth.frag.packed.spv",
        "flat_and_smooth.frag.packed.spvasm",
        "flat_and_smooth.vert.packed.spv",
        "flat_and_smooth.vert.packed.spvasm",
        "map.json",
    ];
    assert_eq!(names(&folder), wanted);
    assert!(stdout.contains("5 original locations, 3 packed slots, 4 rewritten locations"), "{stdout}");
    assert!(stdout.contains("(mixed-interpolation)") && stdout.contains("map.json"), "{stdout}");
    let map = map(&folder);
    assert_eq!(map["packing"]["slots"]["after"], 4);
    assert_eq!(map["packing"]["changed"], serde_json::json!(["vertex", "fragment"]));
    assert_eq!(map["files"][0]["spv"], "flat_and_smooth.vert.packed.spv");
    assert!(!map.to_string().contains("modules"), "no words in the map");
    for extension in ["spv", "spvasm"] {
        let paths: Vec<PathBuf> =
            ["vert", "frag"].iter().map(|s| folder.join(format!("flat_and_smooth.{s}.packed.{extension}"))).collect();
        let program = load(&paths, &[]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(program.stages.len(), 2);
    }
}

#[test]
fn rewriting_again_writes_only_the_map() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let (first, second) = (temporary.path().join("first"), temporary.path().join("second"));
    assert_eq!(rewrite(&first, &["lit_surface.vert", "lit_surface.frag"], &[]).0, 0);
    let files =
        ["vert", "frag"].map(|s| first.join(format!("lit_surface.{s}.packed.spv")).to_string_lossy().into_owned());
    let out = second.to_string_lossy().into_owned();
    let (status, ..) = outcome(["rewrite", &files[0], &files[1], "--out", &out]);
    assert_eq!((status, names(&second)), (0, vec!["map.json".to_owned()]));
    assert_eq!(map(&second)["packing"]["changed"], serde_json::json!([]));
}

#[test]
fn writes_widened_originals_to_compare_with() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let (status, stdout, _) = rewrite(temporary.path(), &["half_precision.vert", "half_precision.frag"], &["--widen"]);
    assert_eq!(status, 0);
    assert!(stdout.contains("narrow varyings widened"), "{stdout}");
    let found = names(temporary.path());
    for name in ["half_precision.vert.widened.spv", "half_precision.frag.widened.spv", "half_precision.frag.packed.spv"]
    {
        assert!(found.contains(&name.to_owned()), "{found:?}");
    }
    assert_eq!(map(temporary.path())["options"]["widen"], true);
}

#[test]
fn a_compute_shader_computes_its_ids() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let (status, stdout, _) = rewrite(temporary.path(), &["tile_16x16.comp"], &["--force-swizzle"]);
    assert_eq!(status, 0);
    assert!(stdout.contains("computes its ids: 8×N strips"), "{stdout}");
    let wanted = ["map.json", "tile_16x16.comp.swizzled.spv", "tile_16x16.comp.swizzled.spvasm"];
    assert_eq!(names(temporary.path()), wanted);
    let plain = temporary.path().join("plain");
    let (status, stdout, _) = rewrite(&plain, &["tile_16x16.comp"], &[]);
    assert!(status == 0 && stdout.contains("does not change the ids"), "{stdout}");
    assert_eq!(names(&plain), ["map.json"]);
    assert_eq!(map(&plain)["workgroup"][0]["changed"], false);
}

/// Exit status 1 comes with its finding on standard error, and stages without a file with the reason.
#[test]
fn writes_or_names_every_stage_and_prints_findings() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let out = |name: &str| temporary.path().join(name).to_string_lossy().into_owned();
    let write = |name: &str, source: &str| {
        let path = temporary.path().join(name);
        std::fs::write(&path, format!("#version 460\n{source}")).expect("writes");
        path.to_string_lossy().into_owned()
    };
    let vertex =
        write("a.vert", "layout(location = 0) out vec4 c; void main() { gl_Position = vec4(0); c = vec4(1); }");
    let fragment = write(
        "a.frag",
        "layout(set = 0, binding = 1) uniform U { vec4 u; }; layout(set = 0, binding = 1) uniform sampler2D t;
         layout(location = 0) in vec4 c; layout(location = 0) out vec4 o;
         void main() { vec2 at = u.xy; o = c + texture(t, at); }",
    );
    let (status, stdout, stderr) = outcome(["rewrite", &vertex, &fragment, "--out", &out("one")]);
    assert_eq!(status, 1, "{stderr}");
    assert!(stderr.contains("error A001: "), "{stderr}");
    for line in ["unchanged  vertex main: its interface is already packed", "unchanged  fragment main: its interface"] {
        assert!(stdout.contains(line), "{stdout}");
    }
    let map = map(&temporary.path().join("one"));
    assert_eq!(map["unchanged"].as_array().map(Vec::len), Some(2));
    let mesh = "#extension GL_EXT_mesh_shader : require
        layout(local_size_x = 1) in; layout(triangles, max_vertices = 3, max_primitives = 1) out;
        void main() { SetMeshOutputsEXT(0, 0); }";
    let (status, stdout, _) =
        outcome(["rewrite", &write("a.mesh", mesh), &write("b.frag", "void main() {}"), "--out", &out("two")]);
    assert_eq!(status, 0);
    for stage in ["mesh main: ", "fragment main: "] {
        assert!(stdout.contains(stage), "{stage} {stdout}");
    }
}

/// Without a fragment shader, the interface before the tessellation control shader is packed.
#[test]
fn writes_or_names_every_stage_of_a_tessellation_pipeline() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, source: &str| {
        let path = temporary.path().join(name);
        std::fs::write(&path, format!("#version 460\n{source}")).expect("writes");
        path.to_string_lossy().into_owned()
    };
    let vertex = write(
        "a.vert",
        "layout(location = 2) out vec4 a; layout(location = 3) out float b;
         void main() { gl_Position = vec4(0); a = vec4(1); b = 2; }",
    );
    let control = write(
        "a.tesc",
        "layout(vertices = 3) out; layout(location = 2) in vec4 a[]; layout(location = 0) out vec4 c[];
         void main() { c[gl_InvocationID] = a[gl_InvocationID]; gl_TessLevelOuter[0] = 1; }",
    );
    let evaluation =
        write("a.tese", "layout(triangles) in; layout(location = 0) in vec4 c[]; void main() { gl_Position = c[0]; }");
    let out = temporary.path().join("out");
    let (status, stdout, stderr) =
        outcome(["rewrite", &vertex, &control, &evaluation, "--out", &out.to_string_lossy()]);
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    assert!(stdout.contains("Packing    vertex → tess_control: 1 original location, 1 packed slot"), "{stdout}");
    assert!(stdout.contains("unchanged  tess_eval main: the interface before it"), "{stdout}");
    let found = names(&out);
    for name in ["a.vert.packed.spv", "a.tesc.packed.spv", "map.json"] {
        assert!(found.contains(&name.to_owned()), "{found:?}");
    }
    assert_eq!(found.len(), 5, "{found:?}");
    let map = map(&out);
    let (status, _, stderr) = outcome(["rewrite", &control, &evaluation, "--out", &out.to_string_lossy(), "--force"]);
    assert!(
        status == 2 && stderr.contains("tess_control main: packing the interface before it needs a vertex"),
        "{stderr}"
    );
    assert_eq!(map["inner_packing"].as_array().map(Vec::len), Some(1));
    assert!(map.get("packing").is_none() && map["unchanged"].as_array().map(Vec::len) == Some(1), "{map}");
}

/// A variable of two entry points is duplicated for the one that is not rewritten.
#[test]
fn rewrites_one_of_two_entry_points_that_share_a_variable() {
    let entry = |name: &str| {
        format!(
            "%{name} = OpFunction %void None %fn\n%{name}l = OpLabel\n%{name}x = OpLoad %vec4 %a\nOpStore %o %{name}x
             OpReturn\nOpFunctionEnd\n"
        )
    };
    let text = format!(
        "; SPIR-V\n; Version: 1.3\nOpCapability Shader\nOpMemoryModel Logical GLSL450
         OpEntryPoint Fragment %first \"first\" %a %o\nOpEntryPoint Fragment %second \"second\" %a %o
         OpExecutionMode %first OriginUpperLeft\nOpExecutionMode %second OriginUpperLeft\nOpDecorate %o Location 0
         OpDecorate %group Location 3\n%group = OpDecorationGroup\nOpGroupDecorate %group %a
         %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%vec4 = OpTypeVector %float 4
         %in = OpTypePointer Input %vec4\n%out = OpTypePointer Output %vec4\n%a = OpVariable %in Input
         %o = OpVariable %out Output\n{}{}",
        entry("first"),
        entry("second")
    );
    let (folder, path) = file("two.spvasm", text);
    let out = folder.path().join("out");
    let (path, folder) = (path.to_string_lossy().into_owned(), out.to_string_lossy().into_owned());
    let (status, stdout, stderr) = outcome(["rewrite", &path, "--entry", "second", "--out", &folder]);
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    let packed = out.join("two.spvasm.packed.spv");
    for (entry, location) in [("second", 0), ("first", 3)] {
        let report = common::json([&packed.to_string_lossy(), "--entry", entry]);
        assert_eq!(report["packing"]["map"][0]["location"], location, "{entry}: {}", report["packing"]);
    }
}

/// The validator's `PrimitiveId` rule is tolerated in what the converter makes of DXIL, and so it is after rewriting.
#[test]
fn rewritten_modules_may_break_what_the_given_ones_break() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let files = ["dxil/brick_wall.as.dxil", "dxil/brick_wall.ms.dxil", "dxil/lit_surface.ps.dxil"];
    for (folder, more) in [("child", &[][..]), ("own", &["--in-process"])] {
        let (status, stdout, stderr) = rewrite(&temporary.path().join(folder), &files, more);
        assert!(matches!(status, 0 | 1) && stdout.contains("map.json"), "{status}\n{stdout}\n{stderr}");
    }
}

#[test]
fn overwrites_only_with_force() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(temporary.path().join("map.json"), "mine").expect("writes");
    let sample = ["lit_surface.vert", "lit_surface.frag"];
    let (status, stdout, stderr) = rewrite(temporary.path(), &sample, &[]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("map.json: exists (use --force to overwrite)"), "{stderr}");
    assert_eq!(names(temporary.path()), ["map.json"], "nothing is half-written");
    assert_eq!(rewrite(temporary.path(), &sample, &["--force"]).0, 0);
    assert_eq!(names(temporary.path()).len(), 5);
}

#[test]
fn names_what_cannot_be_rewritten() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let out = temporary.path().join("out").to_string_lossy().into_owned();
    let (_folder, vertex) = file("a.vert", "#version 460\nvoid main() { gl_Position = vec4(0); }");
    let (status, _, stderr) = outcome(["rewrite", &vertex.to_string_lossy(), "--out", &out]);
    assert!(status == 2 && stderr.contains("nothing to rewrite"), "{stderr}");
    assert!(stderr.contains("vertex main: packing needs a fragment shader"), "{stderr}");
    let (status, _, stderr) =
        rewrite(temporary.path(), &["tile_16x16.comp"], &["--force-swizzle", "--group-size", "32,8,1"]);
    assert!(
        status == 2 && stderr.contains("the workgroup size is 32x8x1 in the layout and 16x16x1 in the module"),
        "{stderr}"
    );
    let blocked = vertex.to_string_lossy().into_owned();
    let (status, _, stderr) = rewrite(Path::new(&blocked), &["tile_16x16.comp"], &[]);
    assert!(status == 2 && stderr.contains("cannot be written"), "{stderr}");
    assert_eq!(outcome(["rewrite", &blocked]).0, 2, "--output is missing");
}

#[test]
fn rewrites_the_halves_of_a_part_pipeline() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = |name: &str| temporary.path().join(name);
    for name in ["lit_surface", "flat_and_smooth", "half_precision", "missing_input"] {
        let (vertex, fragment) = (format!("{name}.vert"), format!("{name}.frag"));
        let read = |half: &str, file: &str| std::fs::read(folder(half).join(format!("{file}.packed.spv"))).expect(file);
        let whole = rewrite(&folder("whole"), &[&vertex, &fragment], &["--force", "--widen"]);
        let first = rewrite(&folder("first"), &[&fragment], &["--force", "--widen", "--part-pipeline"]);
        assert!(whole.0 < 2 && first.0 < 2 && first.1.contains("stored.json"), "{name}: {whole:?} {first:?}");
        let stored = folder("first").join("stored.json");
        let second = rewrite(&folder("second"), &[&vertex], &["--force", "--stored", &stored.to_string_lossy()]);
        assert_eq!((second.0, second.2.as_str()), (0, ""), "{name}");
        // Alone, the half before knows the places only.
        for (half, words) in [
            (&whole, "never written by the previous stage: uv 3.x, uv 3.y\n"),
            (&second, "by the previous stage: 3.x, 3.y\n"),
        ] {
            assert_eq!(half.1.contains(words), name == "missing_input", "{name}: {}", half.1);
        }
        assert!(read("first", &fragment) == read("whole", &fragment), "{name}: the fragment half");
        assert!(
            read("second", &vertex) == read("whole", &vertex),
            "{name}: the half before, without the fragment shader"
        );
    }
}

#[test]
fn rejects_a_file_that_is_not_a_stored_map() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let out = temporary.path().join("out");
    let stored = |text: &str| {
        let path = temporary.path().join("stored.json");
        std::fs::write(&path, text).expect("writes");
        rewrite(&out, &["lit_surface.vert"], &["--stored", &path.to_string_lossy()])
    };
    let good = r#"{"schema": 1, "order": "llpc", "widened": false, "rewritten": [], "variables": [],
        "hardware": {"locations": [], "builtins": [], "distances": [0, 0]}}"#;
    for (text, expected) in [
        ("nothing", "stored.json: not a stored.json written by --part-pipeline: expected"),
        (&good.replace("\"schema\": 1", "\"schema\": 9"), "unknown schema 9: expected 1"),
        (&good.replace("\"rewritten\": []", "\"rewritten\": [8]"), "rewritten: 1 integers are not pairs"),
        (
            &good.replace("\"rewritten\": []", "\"rewritten\": [8, 0]"),
            "no variable of the interface covers this location",
        ),
        (
            &good.replace("\"locations\": []", "\"locations\": [9, 0]"),
            "locations[0]: 0x9 is not the location of a scalar",
        ),
    ] {
        let (status, _, stderr) = stored(text);
        assert!(status == 2 && stderr.contains(expected), "{text}: {stderr}");
    }
    assert!(!out.exists(), "nothing is written");
    assert_eq!(stored(good).0, 0, "nothing is read: every output is dropped");
    let both =
        rewrite(&out, &["lit_surface.frag"], &["--stored", &temporary.path().join("stored.json").to_string_lossy()]);
    assert!(both.0 == 2 && both.2.contains("replaces the fragment shader"), "{both:?}");
}
