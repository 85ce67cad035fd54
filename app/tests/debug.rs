//! `lanescope debug`, and `lanescope run` in the interpreter, as a user types them.

use crate::common::{file, outcome, samples};
use serde_json::{Value, json};

fn sample(name: &str) -> String {
    samples().join(name).to_string_lossy().into_owned()
}

fn json_of(arguments: &[&str], status: i32) -> Value {
    let (code, stdout, stderr) = outcome(arguments.iter().copied().chain(["--format", "json"]));
    assert_eq!(code, status, "{stderr}");
    serde_json::from_str(&stdout).expect("standard output is one JSON object")
}

fn codes(findings: &Value) -> Vec<&str> {
    findings.as_array().into_iter().flatten().filter_map(|finding| finding["code"].as_str()).collect()
}

#[test]
fn samples_agree_with_the_software_device() {
    // Those whose results depend on no lane map and on exact operations only.
    for name in [
        "particles_1024.comp",
        "spec_size.comp",
        "tile_16x16.comp",
        "row_sums.comp.wgsl",
        "dxil/orbit_debug.cs.dxil",
        "dxil/prefix_sum.cs.dxil",
        "dxil/quad_derivatives.cs.dxil",
    ] {
        let shader = sample(name);
        let hashes = |device: &str| {
            let report = json_of(&["run", &shader, "--device", device, "--original-only"], 0);
            let all = ["buffers", "images"].map(|kind| report["run"][kind].clone());
            let rows = all.iter().flat_map(|rows| rows.as_array().into_iter().flatten());
            rows.map(|row| (row["name"].clone(), row["hash"].clone())).collect::<Vec<_>>()
        };
        let ours = hashes("interpreter");
        assert!(!ours.is_empty(), "{name} writes something");
        assert_eq!(ours, hashes("llvmpipe"), "{name}");
    }
}

#[test]
fn the_interpreter_names_races_and_compares_rewritten_programs() {
    let race = json_of(&["run", &sample("race.comp"), "--device", "interpreter"], 1);
    assert_eq!(codes(&race["run"]["findings"]), ["E001"]);
    assert_eq!(race["run"]["device"], "interpreter");
    let finding = race["run"]["findings"][0]["message"].as_str().expect("a message");
    assert!(finding.contains("values, byte 4"), "{finding}");
    let derivative = json_of(&["run", &sample("divergent_derivative.comp"), "--device", "interpreter"], 0);
    assert_eq!(codes(&derivative["run"]["findings"]), ["E004", "E004"]);
    let packed = json_of(&["run", &sample("quad_derivatives.comp"), "--device", "interpreter"], 0);
    assert_eq!(packed["run"]["compare"]["equal"], true);
    let quad: Vec<&Value> = (0..4).map(|lane| &packed["run"]["interpreter"]["lanes"][0][lane]).collect();
    assert_eq!(quad, [&json!(0), &json!(1), &json!(8), &json!(9)]);
}

#[test]
fn the_last_writer_of_memory_is_named() {
    let writers = |commands: &str| -> Value {
        let report = json_of(&["debug", &sample("race.comp"), "--commands", commands], 1);
        report["commands"].as_array().and_then(|all| all.last()).expect("a command")["writers"].clone()
    };
    let of = |all: &Value| -> Vec<Value> {
        all["parts"].as_array().into_iter().flatten().map(|part| json!([part["offset"], part["by"]["who"]])).collect()
    };
    let end = writers("continue; info writer values[4]");
    assert_eq!(of(&end), [json!([16, "invocation 3 of workgroup 0"])]);
    assert_eq!(end["parts"][0]["by"]["line"]["line"], 11);
    assert_eq!(end["incomplete"], false);
    // Element 0 is read and never written.
    assert_eq!(of(&writers("continue; info writer values[0]")), [json!([0, null])]);
    assert_eq!(of(&writers("continue; info writer sums[5]")), [json!([20, "invocation 5 of workgroup 0"])]);
    let all = writers("continue; info writer values");
    assert_eq!((of(&all).len(), &all["more"]), (64, &json!(1)));
    let start = json_of(&["debug", &sample("race.comp"), "--commands", "continue; restart; info writer values[4]"], 0);
    assert_eq!(start["commands"][2]["writers"]["parts"][0]["by"], Value::Null, "only what ran up to here counts");
    let (_, stdout, _) = outcome(["debug", &sample("race.comp"), "--commands", "continue; info writer values[4]"]);
    let line = "values[4], bytes 16 to 19: written by invocation 3 of workgroup 0 at OpStore, ";
    assert!(stdout.contains(line), "{stdout}");
    let (_, _, stderr) = outcome(["debug", &sample("race.comp"), "--commands", "stepi 3; info writer i"]);
    assert!(stderr.contains("`i` is no range of bytes in memory"), "{stderr}");
}

#[test]
fn writers_of_a_matrix_have_its_stride() {
    let text = "#version 450
layout(std140, binding = 0) buffer B { mat2 m; uint x; };
void main() { m[0] = vec2(1); m[1] = vec2(2); }
";
    let (_folder, shader) = file("strided.comp", text);
    let shader = shader.to_string_lossy();
    let report = json_of(&["debug", &shader, "--commands", "continue; info writer m; info writer x"], 0);
    let parts = |command: usize| {
        let parts = report["commands"][command]["writers"]["parts"].as_array().into_iter().flatten();
        parts.map(|part| (part["offset"].as_u64(), part["bytes"].as_u64(), part["by"].is_null())).collect::<Vec<_>>()
    };
    let some = |offset, bytes, none| (Some(offset), Some(bytes), none);
    assert_eq!(parts(1), [some(0, 8, false), some(8, 8, true), some(16, 8, false)]);
    assert_eq!(parts(2), [some(32, 4, true)]);
}

#[test]
fn breakpoints_at_lines_are_named_by_file_and_line() {
    for (typed, named) in
        [("13", "race.comp:13"), (":13 if i == 5", "race.comp:13 if i == 5"), ("race.comp:13", "race.comp:13")]
    {
        let commands = format!("break {typed}; continue; info breakpoints");
        let (_, stdout, stderr) = outcome(["debug", &sample("race.comp"), "--commands", &commands]);
        assert!(stdout.contains(&format!("breakpoint 1: {named}\n")), "{typed}: {stdout}{stderr}");
    }
}

/// Both sides of `?:` are one line, in every wave; a loop's line is reached anew in each iteration.
#[test]
fn a_line_with_branches_stops_once() {
    let stops = |shader: &str, place: &str| {
        let commands = format!("break {place}; continue; continue; continue; continue; continue");
        let (_, stdout, stderr) = outcome(["debug", shader, "--commands", &commands]);
        assert!(stdout.contains("breakpoint 1"), "{stderr}");
        stdout.matches(&format!("breakpoint 1: {place}\nstep ")).count()
    };
    assert_eq!(stops(&sample("race.comp"), "race.comp:13"), 1);
    const LOOP: &str = "#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer Out { uint words[4]; };
void main() {
    uint sum = 0u;
    for (uint i = 0u; i < 3u; i++)
        sum += (i & gl_LocalInvocationIndex) != 0u ? i : 1u;
    for (uint i = 0u; i < 3u; i++) { sum += words[i]; }
    words[gl_LocalInvocationIndex] = sum;
}
";
    let (_folder, shader) = file("loop.comp", LOOP);
    let shader = shader.to_str().expect("UTF-8");
    assert_eq!(stops(shader, "loop.comp:7"), 3);
    assert_eq!(stops(shader, "loop.comp:8"), 1);
}

#[test]
fn a_missing_barrier_and_a_division_by_zero_have_codes() {
    const SHADER: &str = "#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint words[8]; };
void main() {
    uint at = gl_LocalInvocationIndex;
    if (at < 4u) barrier();
    words[at + 5u] = 9u / (at & 1u);
}
";
    let (_folder, shader) = file("wrong.comp", SHADER);
    let report = json_of(&["run", shader.to_str().expect("UTF-8"), "--device", "interpreter"], 1);
    let found = codes(&report["run"]["findings"]);
    for code in ["E002", "E005", "E008"] {
        assert!(found.contains(&code), "{code} in {found:?}");
    }
}

/// `debug` steps one workgroup; the others run as `run` runs them.
#[test]
fn all_workgroups_run_and_have_the_findings_of_a_run() {
    const SHADER: &str = "#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Data { uint data[32]; uint seen[32]; };
void main() {
    uint at = gl_GlobalInvocationID.x;
    data[at] = at + 1u;
    seen[at] = data[(at + 24u) % 32u];
}
";
    let (_folder, shader) = file("across.comp", SHADER);
    let shader = shader.to_str().expect("UTF-8");
    let whole =
        json_of(&["run", shader, "--device", "interpreter", "--original-only", "--zeros", "--groups", "4,1,1"], 1);
    for group in ["0,0,0", "2,0,0"] {
        let arguments = ["--groups", "4,1,1", "--zeros", "--group", group, "--commands", "continue; print seen[9]"];
        let arguments: Vec<&str> = ["debug", shader].into_iter().chain(arguments).collect();
        let report = json_of(&arguments, 1);
        assert_eq!(report["findings"], whole["run"]["findings"], "{group}");
        assert_eq!(report["interpreter"]["steps"], whole["run"]["interpreter"]["steps"]);
        assert_eq!(report["commands"][1]["value"]["value"], "2");
        let before = if group == "0,0,0" { 0 } else { 2 };
        assert_eq!(report["others"], json!({"before": before, "after": 3 - before, "ran": 3 - before, "ended": true}));
    }
    let (status, text, _) = outcome(["debug", shader, "--groups", "4,1,1", "--group", "2,0,0", "--commands", "stepi"]);
    assert!(text.contains("other workgroups: 2 ran before it, 1 run after it has ended"), "{text}");
    assert_eq!(status, 1, "workgroup 1 has read what workgroup 0 wrote: {text}");
}

#[test]
fn sizes_beyond_any_limit_are_errors() {
    let module = |size: &str| {
        format!(
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
             OpExecutionMode %main LocalSize {size}\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
             %main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n"
        )
    };
    for (size, product) in [
        ("4194304 4194304 4194304", "73786976294838206464"),
        ("4294967295 4294967295 4294967295", "79228162458924105385300197375"),
        ("65536 65536 1", "4294967296"),
    ] {
        let (_folder, shader) = file("size.spvasm", module(size));
        for command in ["debug", "run"] {
            let device = if command == "run" { &["--device", "interpreter"][..] } else { &[] };
            let shader = shader.to_str().expect("UTF-8");
            let (status, _, stderr) = outcome([command, shader].iter().chain(device));
            assert_eq!(status, 2, "{command} {size}: {stderr}");
            assert!(stderr.contains(product) && stderr.contains("65536"), "{command} {size}: {stderr}");
        }
    }
    let (_folder, small) = file("small.spvasm", module("1 1 1"));
    let small = small.to_str().expect("UTF-8");
    let greatest = "4294967295,4294967295,4294967295";
    let inside = ["debug", small, "--groups", greatest, "--group", "5,0,0", "--commands", "stepi"];
    let (status, text, stderr) = outcome(inside);
    assert!(status == 0 && text.contains("5 ran before it"), "{text}{stderr}");
    let (status, _, stderr) = outcome(["debug", small, "--groups", "1,1,1", "--group", greatest]);
    assert!(status == 2 && stderr.contains("there are 1×1×1 workgroups"), "{stderr}");
}

#[test]
fn undefined_values_have_codes() {
    const SHADER: &str = "#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { float values[32]; uint words[32]; };
shared uint share[32];
void main() {
    uint at = gl_LocalInvocationIndex;
    uint word = share[at];
    if ((at & 1u) == 0u) word += subgroupShuffleXor(at, 1u);
    words[at] = word;
    values[at] = sqrt(-1.0 - float(at));
}
";
    let (_folder, shader) = file("undefined.comp", SHADER);
    let report = json_of(&["debug", shader.to_str().expect("UTF-8")], 0);
    let found = codes(&report["findings"]);
    for code in ["E003", "E009", "E011"] {
        assert!(found.contains(&code), "{code} in {found:?}");
    }
    let size = json_of(&["debug", &sample("wave_size.comp")], 0);
    assert_eq!(codes(&size["findings"]), ["E010"]);
    let ran = json_of(&["run", &sample("wave_size.comp"), "--device", "interpreter", "--original-only"], 0);
    assert_eq!(codes(&ran["run"]["findings"]), ["E010", "E014"]);
}

#[test]
fn what_the_interpreter_lacks_is_missing() {
    const GEOMETRY: &str = "#version 450
layout(points) in;
layout(points, max_vertices = 3) out;
layout(stream = 1, location = 3) out vec4 aside;
void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); EmitStreamVertex(1); }
";
    let (_folder, shader) = file("streams.geom", GEOMETRY);
    let (vertex, shader) = (sample("lit_surface.vert"), shader.to_str().expect("UTF-8"));
    let (status, _, stderr) = outcome(["debug", &vertex, shader]);
    assert_eq!((status, stderr.contains("not supported: vertex streams")), (3, true), "{stderr}");
    let (status, _, stderr) = outcome(["debug", shader]);
    assert_eq!((status, stderr.contains("needs a vertex shader in its pipeline")), (3, true), "{stderr}");
    let (status, _, stderr) = outcome(["run", &sample("lit_surface.vert"), "--device", "interpreter"]);
    assert_eq!((status, stderr.contains("drawing needs a fragment shader")), (2, true), "{stderr}");
}

#[test]
fn invocations_of_other_stages_are_stepped() {
    let of = |names: &[&str], rest: &[&str]| {
        let files: Vec<String> = names.iter().map(|name| sample(name)).collect();
        let all: Vec<&str> =
            std::iter::once("debug").chain(files.iter().map(String::as_str)).chain(rest.iter().copied()).collect();
        (json_of(&all, 0), files)
    };
    let geometry = ["rotated_halves.vert", "rotated_halves.geom", "rotated_halves.frag"];
    let (report, _) = of(&geometry, &["--primitive", "2.1", "--commands", "continue; print gl_InvocationID"]);
    assert_eq!((&report["stage"], &report["commands"][1]["value"]["value"]), (&json!("geometry"), &json!("1")));
    let patch = ["bent_patch.vert", "bent_patch.tesc", "bent_patch.tese", "bent_patch.frag"];
    let (report, _) = of(&patch, &["--patch", "1.2", "--commands", "continue; print gl_InvocationID"]);
    assert_eq!(report["stage"], "tess_control");
    assert_eq!((&report["commands"][1]["value"]["value"], &report["groups"]), (&json!("2"), &json!([6, 1, 1])));
    let (report, _) = of(&patch, &["--point", "3", "--commands", "continue; print gl_TessCoord"]);
    assert_eq!(report["stage"], "tess_eval");
    let mesh = ["tile_rows.task", "tile_rows.mesh", "tile_rows.frag"];
    let print = "continue; print gl_WorkGroupID";
    let (report, _) = of(&mesh, &["--group", "2,0,0", "--invocation", "3,0,0", "--commands", print]);
    assert_eq!((&report["stage"], &report["state"]["lane"]), (&json!("mesh"), &json!(3)));
    let (report, _) = of(&mesh, &["--task", "1,0,0", "--groups", "2,1,1", "--commands", print]);
    assert_eq!((&report["stage"], &report["commands"][1]["value"]["value"]), (&json!("task"), &json!("(1, 0, 0)")));
    for (names, rest, expected) in [
        (&geometry[..], ["--patch", "0"], "--patch: the program is not a pipeline with a tessellation control shader"),
        (&geometry, ["--group", "0,0,0"], "the program is not a compute or mesh shader"),
        (&geometry, ["--primitive", "6"], "primitive 6: there are 6"),
        (&mesh, ["--vertex", "0"], "--vertex: the program is not a pipeline with a vertex shader"),
    ] {
        let files: Vec<String> = names.iter().map(|name| sample(name)).collect();
        let all = std::iter::once("debug").chain(files.iter().map(String::as_str)).chain(rest);
        let (status, _, stderr) = outcome(all);
        assert_eq!((status, stderr.contains(expected)), (2, true), "{stderr}");
    }
    for names in [&geometry[..], &patch, &mesh] {
        let files: Vec<String> = names.iter().map(|name| sample(name)).collect();
        let all = std::iter::once("run").chain(files.iter().map(String::as_str));
        let report = json_of(&all.chain(["--device", "interpreter", "--original-only"]).collect::<Vec<_>>(), 0);
        assert_eq!(report["run"]["entries"].as_array().map(Vec::len), Some(names.len()));
    }
}

#[test]
fn a_pixel_and_a_vertex_of_the_scene_are_stepped() {
    let files = [sample("flat_and_smooth.vert"), sample("flat_and_smooth.frag")];
    let of = |rest: &[&str], status| {
        let all: Vec<&str> = ["debug", &files[0], &files[1]].into_iter().chain(rest.iter().copied()).collect();
        json_of(&all, status)
    };
    let pixel = of(&["--pixel", "20,40", "--commands", "step; lanes uv[0]; continue; print color"], 0);
    assert_eq!((&pixel["stage"], &pixel["interpreter"]["wave"]), (&json!("fragment"), &json!(64)));
    let fragment = &pixel["commands"][0]["state"]["fragment"];
    assert_eq!((&fragment["pixel"], &fragment["helper"]), (&json!([20, 40]), &json!(false)));
    let uv = pixel["commands"][1]["lanes"]["values"][0].as_array().expect("lanes");
    let lane = pixel["state"]["lane"].as_u64().expect("a lane") as usize;
    // The lane's quad: uv grows to the right.
    let quad = lane & !3;
    let value = |at: usize| uv[at].as_str().and_then(|text| text.parse::<f64>().ok()).expect("a number");
    assert!(value(quad + 1) > value(quad) && value(quad + 3) > value(quad + 2));
    assert!(pixel["commands"][3]["value"]["value"].as_str().is_some_and(|value| value.starts_with('(')), "{pixel}");
    let vertex = of(&["--vertex", "4", "--commands", "continue; print position"], 0);
    assert_eq!((&vertex["stage"], &vertex["state"]["vertex"]), (&json!("vertex"), &json!(4)));
    assert_eq!(vertex["commands"][1]["value"]["value"], "(5.1000004, 0.3, 1.8000001, 3)");
    let text = outcome(["debug", &files[0], &files[1], "--pixel", "20,40", "--trace"]);
    assert_eq!(text.0, 0, "{}", text.2);
    assert!(text.1.contains("fragment main  pixel 20,40, triangle"), "{}", text.1);
    for (arguments, expected) in [
        (["--pixel", "0,0"], "pixel 0,0: no fragment covers it"),
        (["--pixel", "64,0"], "the picture has 64×64 pixels"),
        (["--vertex", "18"], "the scene has 18 vertices"),
        (["--group", "0,0,0"], "the program is not a compute or mesh shader"),
    ] {
        let (status, _, stderr) = outcome(["debug", &files[0], &files[1]].into_iter().chain(arguments));
        assert_eq!((status, stderr.contains(expected)), (2, true), "{stderr}");
    }
    let (status, _, stderr) = outcome(["debug", &sample("race.comp"), "--pixel", "0,0"]);
    assert_eq!((status, stderr.contains("not a graphics pipeline")), (2, true), "{stderr}");
}

#[test]
fn samples_of_draws_have_their_findings_and_pack_to_the_same() {
    let pair = |name: &str| [sample(&format!("{name}.vert")), sample(&format!("{name}.frag"))];
    let [vertex, fragment] = pair("divergent_sample");
    let report = json_of(&["run", &vertex, &fragment, "--device", "interpreter"], 0);
    assert_eq!(codes(&report["run"]["findings"]), ["E004"]);
    let message = report["run"]["findings"][0]["message"].as_str().expect("a message");
    assert!(message.contains("pixel ") && message.contains("triangle "), "{message}");
    let [vertex, fragment] = pair("packing_sensitive");
    for device in ["interpreter", "llvmpipe"] {
        let report = json_of(&["run", &vertex, &fragment, "--device", device], 0);
        let run = &report["run"];
        assert_eq!((&run["compare"]["equal"], run["attachments"].as_array().map(Vec::len)), (&json!(true), Some(3)));
        assert!(run["not_rewritten"].is_null(), "{run}");
    }
}

#[test]
fn the_launch_of_a_record_is_stepped_and_compared_with_the_device() {
    let graph = sample("work_graphs/02_quadtree_recursion.dxil");
    let report = json_of(&["debug", &graph, "--record", "Split:2", "--commands", "stepi 3; continue"], 0);
    let record = &report["record"];
    assert_eq!(
        (&record["node"], &record["generation"], &record["same"]),
        (&json!("Split[0]"), &json!(2), &json!(true))
    );
    assert_eq!(record["input"], "f0=32 f1=0 f2=32");
    let written = record["written"].as_array().expect("records");
    assert_eq!(written.len(), 4);
    assert_eq!(written[3], json!({ "target": "Split[0]", "fields": "f0=48 f1=16 f2=16" }));
    assert_eq!(report["commands"][0]["state"]["step"], 3);
    // The same from a saved run, without a device.
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("quad.lanescope-run");
    let saved = saved.to_str().expect("UTF-8");
    assert_eq!(outcome(["run", &graph, "--save", saved]).0, 0);
    let again = json_of(&["debug", &graph, "--record", "Split:2", "--run", saved], 0);
    assert_eq!(again["record"], report["record"]);
    for (arguments, expected) in [
        (["--record", "Split:999999"], "the node got"),
        (["--record", "Nowhere:0"], "no node `Nowhere`; expected one of Seed[0], Split[0]"),
        (["--record", "Split"], "expected NODE:N"),
    ] {
        let (status, _, stderr) = outcome(["debug", &graph].into_iter().chain(arguments));
        assert_eq!((status, stderr.contains(expected)), (2, true), "{stderr}");
    }
    let (status, _, stderr) = outcome(["debug", &sample("race.comp"), "--record", "a:1"]);
    assert_eq!((status, stderr.contains("the file has no work graph")), (2, true), "{stderr}");
}

#[test]
fn nodes_with_local_root_arguments_are_stepped() {
    let graph = sample("work_graphs/scenarios/25_local_roots.dxil");
    let (_folder, roots) =
        file("roots.json", r#"{ "buffers": { "buf": 1024 }, "table": [["buf", 30, 20], ["buf", 40, 50]] }"#);
    let roots = roots.to_str().expect("UTF-8");
    let names = json_of(&["graph", &graph], 0);
    let nodes = names["graph"]["nodes"].as_array().expect("nodes").iter();
    let ids: Vec<String> = nodes.filter_map(|node| Some(node["name"].as_str()?.to_owned())).collect();
    assert!(!ids.is_empty(), "{names}");
    for id in &ids {
        let record = format!("{id}:0");
        let report = json_of(&["debug", &graph, "--record", &record, "--local-root", roots], 0);
        assert_eq!((&report["record"]["same"], &report["state"]["finished"]), (&json!(true), &json!(true)), "{id}");
        let (status, _, stderr) = outcome(["debug", &graph, "--record", &record]);
        assert_eq!((status, stderr.contains("set them with --local-root")), (2, true), "{stderr}");
    }
}

#[test]
fn the_scene_is_drawn_without_a_device() {
    let files = [sample("half_precision.vert"), sample("half_precision.frag")];
    // 16-bit varyings, which lavapipe lacks: packed and original draw the same.
    let report = json_of(&["run", &files[0], &files[1], "--device", "interpreter"], 0);
    let run = &report["run"];
    assert_eq!((&run["mode"], &run["compare"]["equal"]), (&json!("graphics"), &json!(true)));
    assert_eq!(run["attachments"][0]["samples"], 4);
    assert_eq!(run["entries"], json!(["main", "main"]));
}

#[test]
fn commands_move_forwards_and_backwards() {
    let shader = sample("race.comp");
    let report = json_of(
        &["debug", &shader, "--lane", "0.5", "--commands", "stepi 4; reverse-stepi 2; stepi 2; info locals; lanes i"],
        0,
    );
    assert_eq!(report["schema"], 1);
    let commands = report["commands"].as_array().expect("commands");
    assert_eq!((&commands[0]["state"]["step"], &commands[1]["state"]["step"]), (&json!(4), &json!(2)));
    let locals = commands[3]["locals"].as_array().expect("variables");
    assert!(locals.iter().any(|local| local["name"] == "i" && local["value"] == "5"), "{locals:?}");
    assert_eq!(commands[4]["lanes"]["values"][0][63], "63");
    assert_eq!(report["state"]["invocation"], 5);
    // Lines of the GLSL: `uint i = …`, then the store to shared memory.
    let lines = json_of(&["debug", &shader, "--break", "race.comp:11", "--commands", "continue; step; back"], 0);
    let state = |at: usize| &lines["commands"][at]["state"];
    assert_eq!([0, 1, 2].map(|at| state(at)["line"]["line"].as_u64()), [Some(11), Some(13), Some(11)], "{lines}");
    let source = state(0)["source"].as_array().expect("lines").iter();
    let current: Vec<_> = source.filter(|row| row["current"] == true).map(|row| row["text"].as_str()).collect();
    assert_eq!(current, [Some("    values[i + 1u] = i * 3u;")]);
    let text = outcome(["debug", &shader, "--trace", "--watch", "i", "--lane", "0.5"]);
    assert_eq!(text.0, 1, "{}", text.2);
    assert!(text.1.contains("OpStore") && text.1.contains("i=5") && text.1.contains("E001"), "{}", text.1);
}

#[test]
fn the_rewritten_program_is_stepped_beside_the_original() {
    let [vertex, fragment] = [sample("lit_surface.vert"), sample("lit_surface.frag")];
    let report =
        json_of(&["debug", &vertex, &fragment, "--pixel", "30,20", "--beside", "--commands", "stepi 9; continue"], 0);
    let beside = &report["commands"][0]["beside"];
    assert!(["same", "next"].contains(&beside["point"].as_str().expect("a point")), "{beside}");
    let rows = report["beside"]["variables"].as_array().expect("variables");
    assert_eq!(report["beside"]["point"], "end");
    // The one component that the shader never reads is not packed.
    let differing: Vec<_> = rows.iter().filter(|row| row["differs"] == true).map(|row| &row["name"]).collect();
    assert!(rows.len() > 5 && differing == ["vertex_color"], "{rows:?}");
    assert!(rows.iter().any(|row| row["value"].is_string() && row["other"].is_string()), "{rows:?}");
    let second = json_of(&["debug", &vertex, &fragment, "--pixel", "30,20", "--rewritten"], 0);
    assert_eq!((&second["rewritten"], second.get("beside")), (&json!(true), None));
    assert_eq!(second["state"]["fragment"], report["state"]["fragment"]);
    assert_ne!(second["state"]["step"], report["state"]["step"]);
    let (status, text, stderr) = outcome(["debug", &vertex, &fragment, "--pixel", "30,20", "--beside", "--rewritten"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(
        text.contains("Compared  at the end") && text.contains("only rewritten") && text.contains("main, rewritten"),
        "{text}"
    );
    let (status, _, stderr) = outcome(["debug", &sample("race.comp"), "--beside"]);
    assert_eq!((status, stderr.contains("--beside: the rewritten program is the original: ")), (2, true), "{stderr}");
}

#[test]
fn breakpoints_count_their_hits() {
    const SHADER: &str = "#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { uint words[4]; };
void main() {
    uint sum = 0;
    for (uint i = 0; i < 6; i++) {
        sum += i;
    }
    words[gl_LocalInvocationIndex] = sum;
}
";
    let (_folder, shader) = file("sum.comp", SHADER);
    let shader = shader.to_str().expect("UTF-8");
    let commands = "break sum.comp:7; ignore 1 2; watch sum; ignore 2 100; continue; print i; info breakpoints; \
                    continue; print i; restart; info breakpoints";
    let report = json_of(&["debug", shader, "--commands", commands], 0);
    let at = |index: usize| &report["commands"][index];
    assert_eq!((&at(5)["value"]["value"], &at(8)["value"]["value"]), (&json!("2"), &json!("3")), "{report}");
    let hits = |index: usize| {
        let all = at(index)["breakpoints"].as_array().expect("breakpoints");
        all.iter().map(|row| (row["hits"].as_u64(), row["ignored"].as_u64())).collect::<Vec<_>>()
    };
    assert_eq!(hits(6)[0], (Some(3), Some(2)));
    assert!(hits(6)[1].0 >= Some(1) && hits(6)[1].1 == Some(100), "{report}");
    assert_eq!(hits(10), [(Some(0), Some(2)), (Some(0), Some(100))]);
    let (_, text, _) = outcome(["debug", shader, "--commands", commands]);
    assert!(text.contains("1  sum.comp:7  hit 3 times") && text.contains("the next 2 are ignored"), "{text}");
}

#[test]
fn wrong_arguments_say_what_was_expected() {
    let shader = sample("race.comp");
    for (arguments, expected) in [
        (["--commands", "jump"], "unknown command `jump`"),
        (["--commands", "ignore 1 1"], "no breakpoint 1"),
        (["--commands", "break %4; ignore 1 many"], "`ignore`: expected a number, found `many`"),
        (["--break", "nowhere"], "expected FILE:LINE"),
        (["--lane", "7.0"], "the workgroup has 1 waves of 64"),
        (["--group", "9,0,0"], "there are 1×1×1 workgroups"),
        (["--invocation", "64,0,0"], "the workgroup has 64×1×1"),
        (["--watch", "nobody"], "no variable `nobody`"),
    ] {
        let (status, _, stderr) = outcome(["debug", &shader].into_iter().chain(arguments));
        assert_eq!(status, 2, "{stderr}");
        assert!(stderr.contains(expected), "{expected}: {stderr}");
    }
}

#[test]
fn the_limit_of_steps_ends_an_endless_shader() {
    const SHADER: &str = "#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint words[8]; };
void main() { while (words[0] != 1000000u) { words[gl_LocalInvocationIndex] = 3u; } }
";
    let (_folder, shader) = file("endless.comp", SHADER);
    let report = json_of(&["debug", shader.to_str().expect("UTF-8"), "--max-steps", "5000"], 1);
    assert_eq!(report["commands"][0]["stopped"], "limit of steps: 5000");
    assert_eq!(report["state"]["step"], 5000);
}
