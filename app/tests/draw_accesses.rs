//! `lanescope cost` of graphics pipelines: what the shaders of a draw access.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{outcome, samples};

fn sample(name: &str) -> String {
    samples().join(name).to_string_lossy().into_owned()
}

/// The accesses of the draw of a pipeline: its files and other arguments.
fn accesses(arguments: &[&str]) -> Value {
    let all = ["cost"].into_iter().chain(arguments.iter().copied()).chain(["--format", "json"]);
    let (status, stdout, stderr) = outcome(all);
    assert_eq!(status, 0, "{stderr}");
    let cost: Value = serde_json::from_str(&stdout).expect("one JSON object");
    assert!(cost["slots"]["rows"].is_array(), "the interface is there too");
    cost["accesses"].clone()
}

/// Those of a fragment shader on the scene.
fn of(fragment: &str, arguments: &[&str]) -> Value {
    let folder = TempDir::new().expect("a folder");
    let vertex = "layout(location = 0) in vec4 position; layout(location = 0) out vec2 uv;
         void main() { gl_Position = position; uv = position.xy * 0.5 + 0.5; }";
    let files: Vec<String> = [("vert", vertex), ("frag", fragment)]
        .map(|(stage, text)| {
            let path = folder.path().join(format!("shader.{stage}"));
            std::fs::write(&path, format!("#version 460\n{text}")).expect("writes");
            path.to_string_lossy().into_owned()
        })
        .into();
    accesses(&[&[files[0].as_str(), &files[1]], arguments].concat())
}

/// A figure of each wave size and tiling.
fn totals(found: &Value, figure: &str) -> Vec<(u64, String, u64)> {
    let variants = found["fragment"]["variants"].as_array().expect("variants");
    let row = |one: &Value| {
        let tiling = one["tiling"].as_str().unwrap_or_default().to_owned();
        (one["wave"].as_u64().unwrap_or(0), tiling, one["total"][figure].as_u64().unwrap_or(0))
    };
    variants.iter().map(row).collect()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// A triangle that covers all of the picture, as a CSV file.
fn whole_picture(folder: &TempDir) -> String {
    let path = folder.path().join("whole.csv");
    let text = "position.x,position.y,position.z,position.w\n-1,-1,0.5,1\n3,-1,0.5,1\n-1,3,0.5,1\n";
    std::fs::write(&path, text).expect("writes");
    path.to_string_lossy().into_owned()
}

/// Each pixel of 16×16 loads the texel at its place. A wave of 64 has 16 quads of two rows: 32×2 texels would be that, in
/// 16×4 here.
#[test]
fn quads_of_a_whole_picture_touch_the_texels_below_them() {
    let folder = TempDir::new().expect("a folder");
    let whole = whole_picture(&folder);
    let fragment = "layout(location = 0) in vec2 uv; layout(location = 0) out vec4 color;
         layout(binding = 0, rgba8) readonly uniform image2D image;
         void main() { color = imageLoad(image, ivec2(gl_FragCoord.xy)) + uv.xyxy; }";
    let found = of(fragment, &["--vertices", &whole, "--size", "16x16", "--zeros"]);
    let fragment = &found["fragment"];
    assert_eq!((&fragment["size"], &fragment["fragments"]), (&json!([16, 16]), &json!(256)));
    assert_eq!(
        (&fragment["helpers"], &fragment["counted"], &fragment["contents"]),
        (&json!(0), &json!(256), &json!("zeros"))
    );
    let names: Vec<(u64, String)> = totals(&found, "runs").into_iter().map(|row| (row.0, row.1)).collect();
    let both = |wave: u64| ["linear", "tiled", "standard"].map(|tiling| (wave, tiling.to_owned()));
    assert_eq!(names, [both(32), both(64)].concat());
    // Each of 4 waves of 64 has 16×4 pixels, each of 8 waves of 32 has 16×2.
    assert_eq!(totals(&found, "runs").iter().map(|row| row.2).collect::<Vec<_>>(), [8, 8, 8, 4, 4, 4]);
    assert!(totals(&found, "bytes").iter().all(|row| row.2 == 1024));
    // A quad of lanes is a quad of texels.
    assert!(totals(&found, "texel_quads").iter().all(|row| row.2 == 64));
    let lines: Vec<u64> = totals(&found, "lines_128").into_iter().map(|row| row.2).collect();
    // Rows of 256 bytes: two rows of a wave of 32, four of a wave of 64. Tiled: 8×4 texels are a line.
    assert_eq!(lines[..2], [16, 16]);
    assert_eq!(lines[3..5], [16, 8]);
    let access = &fragment["accesses"][0];
    assert_eq!(
        (&access["name"], &access["resource"], &access["kind"]),
        (&json!("OpImageRead"), &json!("image"), &json!("load"))
    );
    assert!(access["line"].as_str().is_some_and(|line| line.ends_with("shader.frag:4")), "{access}");
}

const SAMPLED: &str = "layout(location = 0) in vec2 uv; layout(location = 0) out vec4 color;
     layout(binding = 0) uniform sampler2D image;
     void main() { color = texture(image, uv); }";

#[test]
fn footprints_have_the_level_and_the_filter_of_the_interpreter() {
    let near = of(SAMPLED, &["--sampler", "0:0=nearest"]);
    let prints = near["fragment"]["footprints"].as_array().expect("footprints");
    assert!(!prints.is_empty(), "{near}");
    let reads = |prints: &[Value]| -> u64 {
        prints.iter().flat_map(|one| one["reads"].as_array().expect("reads")).map(|one| number(&one["reads"])).sum()
    };
    let fragment = &near["fragment"];
    let invocations = number(&fragment["fragments"]) + number(&fragment["helpers"]);
    assert_eq!(reads(prints), invocations, "each invocation reads once");
    assert_eq!(prints.iter().map(|one| number(&one["texels"])).sum::<u64>(), invocations);
    assert!(prints.iter().all(|one| one["reads"][0]["filter"] == "nearest" && one["image"] == "image"), "{near}");
    let linear = of(SAMPLED, &[]);
    let total = &linear["fragment"]["variants"][0]["total"];
    assert!(number(&total["bytes"]) > 3 * number(&near["fragment"]["variants"][0]["total"]["bytes"]), "{linear}");
    for one in linear["fragment"]["footprints"].as_array().expect("footprints") {
        let [width, height] = [0, 1].map(|axis| number(&one["size"][axis]));
        assert!(number(&one["different"]) <= width * height, "{one}");
    }
}

/// The scene's triangles have edges: quads there have helper invocations, which sample and store nothing.
#[test]
fn helper_invocations_are_counted_apart() {
    let found = of(SAMPLED, &[]);
    let fragment = &found["fragment"];
    let helpers = number(&fragment["helpers"]);
    assert!(helpers > 0, "{fragment}");
    let total = &fragment["variants"][0]["total"];
    assert_eq!(number(&total["helper_lanes"]), helpers);
    assert!(number(&total["lines_without_helpers"]) <= number(&total["lines_128"]));
    let stores = of(
        "layout(location = 0) in vec2 uv; layout(location = 0) out vec4 color;
         layout(binding = 0) buffer Out { uint u[]; } target;
         void main() { target.u[uint(gl_FragCoord.x)] = 1u; color = uv.xyxy; }",
        &["--buffer", "0:0=4096"],
    );
    let fragment = &stores["fragment"];
    let total = &fragment["variants"][0]["total"];
    assert_eq!((number(&total["helper_lanes"]), number(&total["lanes"])), (0, number(&fragment["fragments"])));
    // Without images there is nothing to compare but wave sizes.
    assert_eq!(fragment["variants"].as_array().map(Vec::len), Some(2));
    assert!(fragment["sentence"].as_str().is_some_and(|text| text.starts_with("No image is accessed")), "{fragment}");
}

#[test]
fn large_draws_are_sampled() {
    let found = of(SAMPLED, &["--size", "256x256", "--sample", "3", "--tiling", "linear", "--pitch", "4096"]);
    let fragment = &found["fragment"];
    assert_eq!((&fragment["counted"], &fragment["tiling"]), (&json!(192), &json!("linear")));
    let notes = fragment["notes"].to_string();
    assert!(notes.contains("192 of") && notes.contains("in waves of 64 that are spread evenly"), "{notes}");
    assert!(notes.contains("rows of linear images take 4096 bytes"), "{notes}");
    let selected: Vec<&Value> =
        fragment["variants"].as_array().expect("variants").iter().filter(|one| one["selected"] == true).collect();
    assert!(selected.len() == 1 && selected[0]["tiling"] == "linear" && selected[0]["wave"] == 64, "{selected:?}");
}

#[test]
fn gcn_has_waves_of_64_only() {
    let found = of(SAMPLED, &["--target", "gfx906"]);
    assert!(totals(&found, "runs").iter().all(|row| row.0 == 64), "{found}");
    assert_eq!((&found["fragment"]["line"], &found["fragment"]["chip"]), (&json!(64), &json!("gfx906")));
}

#[test]
fn results_that_depend_on_waves_run_once_for_each_size() {
    let found = of(
        "#extension GL_KHR_shader_subgroup_basic : require
         layout(location = 0) in vec2 uv; layout(location = 0) out vec4 color;
         layout(binding = 0) buffer Out { uint u[]; } target;
         void main() { color = uv.xyxy + float(target.u[gl_SubgroupInvocationID]); }",
        &["--buffer", "0:0=4096", "--size", "16x16"],
    );
    assert!(found["fragment"]["notes"].to_string().contains("ran once for each wave size"), "{found}");
    // 32 words are a line, 64 are two; the last wave may have fewer lanes.
    let lines: Vec<(u64, u64)> = totals(&found, "lines_128").into_iter().map(|row| (row.0, row.2)).collect();
    let runs: Vec<u64> = totals(&found, "runs").into_iter().map(|row| row.2).collect();
    assert_eq!((lines[0], lines[1].0), ((32, runs[0]), 64));
    assert!(lines[1].1 > runs[1], "{found}");
}

#[test]
fn what_is_not_counted_says_why_beside_the_interface() {
    let alone = accesses(&[&sample("depth_and_discard.frag")]);
    let why = alone["not_counted"][0].as_str().expect("a reason");
    assert!(why.starts_with("fragment shader: drawing needs a vertex shader"), "{why}");
    assert_eq!(alone["fragment"], Value::Null);
    let endless = of(
        "layout(location = 0) in vec2 uv; layout(location = 0) out vec4 color; layout(binding = 0) buffer B { uint u[]; };
         void main() { while (u[0] == 0u) { color += uv.xyxy; } }",
        &["--zeros", "--max-steps", "100000"],
    );
    let why = endless["not_counted"][0].as_str().expect("a reason");
    assert!(why.contains("does not end within 100000 steps: wave 0 of the draw still runs"), "{why}");
    assert!(why.contains("its last access to memory is #"), "{why}");
}

#[test]
fn the_text_has_the_accesses_after_the_interface() {
    let files = ["divergent_sample.vert", "divergent_sample.frag"].map(sample);
    let (status, text, stderr) = outcome(["cost", &files[0], &files[1]]);
    assert_eq!(status, 0, "{stderr}");
    let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part} in {text}"));
    let order = ["Interface costs", "Other vendors", "Accesses of the fragment shader", "Accesses by instruction"];
    let places =
        order.iter().chain(&["Texture footprints", "Notes on accesses", "Sources of accesses"]).map(|part| place(part));
    assert!(places.collect::<Vec<_>>().is_sorted(), "{text}");
}

const TASK: &str = "#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 16, local_size_y = 4) in;
layout(binding = 0) readonly buffer In { uint u[]; } source; shared uint tile[64];
struct Payload { uint word[64]; }; taskPayloadSharedEXT Payload payload;
void main() {
    uvec2 at = gl_LocalInvocationID.xy;
    tile[gl_LocalInvocationIndex] = source.u[at.y * 16u + at.x];
    barrier();
    payload.word[gl_LocalInvocationIndex] = tile[gl_LocalInvocationIndex];
    EmitMeshTasksEXT(2, 1, 1);
}";

/// A mesh shader of 16×2 invocations that reads a word by an id.
fn mesh(id: &str) -> String {
    format!(
        "#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 16, local_size_y = 2) in;
layout(triangles, max_vertices = 32, max_primitives = 1) out;
layout(binding = 1) readonly buffer In {{ float f[]; }} source;
struct Payload {{ uint word[64]; }}; taskPayloadSharedEXT Payload payload;
layout(location = 0) out vec2 uv[];
void main() {{
    SetMeshOutputsEXT(32, 1);
    uvec3 local = gl_LocalInvocationID;
    uint own = {id};
    gl_MeshVerticesEXT[own].gl_Position = vec4(source.f[own * 32u], float(payload.word[own]), 0.0, 1.0);
    uv[own] = vec2(0.0);
    gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
}}"
    )
}

const PIXEL: &str = "#version 460
layout(location = 0) in vec2 uv; layout(location = 0) out vec4 color;
void main() { color = uv.xyxy; }";

/// The task's and the mesh shader's accesses.
fn of_mesh(mesh: &str, arguments: &[&str]) -> Value {
    let folder = TempDir::new().expect("a folder");
    let files: Vec<String> = [("task", TASK), ("mesh", mesh), ("frag", PIXEL)]
        .map(|(stage, text)| {
            let path = folder.path().join(format!("shader.{stage}"));
            std::fs::write(&path, text).expect("writes");
            path.to_string_lossy().into_owned()
        })
        .into();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let buffers = ["--buffer", "0:0=256", "--buffer", "0:1=4096", "--zeros"];
    accesses(&[&files[..], &buffers, arguments].concat())
}

#[test]
fn task_and_mesh_shaders_are_counted_by_layout() {
    let found = of_mesh(&mesh("local.y * 16u + local.x"), &["--groups", "3,1,1", "--wave", "32"]);
    let all = found["workgroups"].as_array().expect("two stages");
    assert_eq!((&all[0]["stage"], &all[1]["stage"], all.len()), (&json!("task"), &json!("mesh"), 2));
    let (task, mesh) = (&all[0]["cost"], &all[1]["cost"]);
    assert_eq!(
        (&task["size"], &task["groups"], &task["groups_reason"]),
        (&json!([16, 4, 1]), &json!([3, 1, 1]), &json!("as given"))
    );
    // Two mesh workgroups for each of three task workgroups.
    assert_eq!((&mesh["groups"], &mesh["groups_reason"]), (&json!([6, 1, 1]), &json!("launched by the task shader")));
    let lines = |cost: &Value| -> Vec<Value> {
        let layouts = cost["layouts"].as_array().expect("layouts");
        layouts.iter().map(|layout| layout["total"]["lines_128"].clone()).collect()
    };
    // A wave of 32 reads two rows of 16 words, which are one line, or four rows of eight, which are two.
    assert_eq!([&lines(task)[0], &lines(task)[2]], [&json!(3 * 2), &json!(3 * 4)]);
    let passes: Vec<u64> =
        task["layouts"].as_array().expect("layouts").iter().map(|one| number(&one["total"]["lds_passes"])).collect();
    assert_eq!(passes[0], 3 * 2 * 2, "a store and a load, without conflicts");
    let resources: Vec<&Value> =
        task["accesses"].as_array().expect("rows").iter().map(|row| &row["resource"]).collect();
    assert_eq!(resources, [&json!("source"), &json!("tile"), &json!("tile")], "the payload is not LDS");
    assert!(
        task["notes"].to_string().contains("payloads, and outputs that invocations share, are not counted"),
        "{task}"
    );
    // Each lane of the mesh shader reads a line of its own.
    assert_eq!(lines(mesh)[0], json!(6 * 32));
    assert_eq!((&mesh["orders"], mesh["accesses"].as_array().map(Vec::len)), (&Value::Null, Some(1)));
}

#[test]
fn layouts_that_do_not_move_the_ids_of_a_mesh_shader_say_so() {
    let why = |mesh: &str| {
        let found = of_mesh(mesh, &[]);
        let cost = &found["workgroups"][1]["cost"];
        assert!(cost["layouts"][0]["total"].is_object(), "{found}");
        cost["layouts"][2]["unavailable"].as_str().unwrap_or_default().to_owned()
    };
    assert!(why(&mesh("gl_LocalInvocationIndex + local.z")).contains("LocalInvocationIndex stays"));
    let index = mesh("gl_LocalInvocationIndex").replace("uvec3 local = gl_LocalInvocationID;", "");
    assert!(why(&index).contains("LocalInvocationId is not read"));
    assert_eq!(why(&mesh("local.y * 16u + local.x")), "");
    // The sample's shaders access nothing but payloads and outputs.
    let files = ["tile_rows.task", "tile_rows.mesh", "tile_rows.frag"].map(sample);
    let (status, text, stderr) = outcome(["cost", &files[0], &files[1], &files[2]]);
    assert_eq!(status, 0, "{stderr}");
    for said in [
        "Accesses of the task shader",
        "Accesses of the mesh shader",
        "No invocation accesses memory that is counted.",
        "No fragment accesses memory that is counted.",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}
