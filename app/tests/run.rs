//! `lanescope run` and `lanescope probe`, as a user types them, on the software device.

use std::path::Path;
use std::time::Instant;

use crate::common::{file, lanescope, outcome, outcome_with, samples};
use serde_json::{Value, json};

const DEVICE: [&str; 3] = ["--device", "llvmpipe", "--validate"];

const SUM: &str = "#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint source[]; };
layout(set = 0, binding = 1, std430) buffer Out { uint total; vec2 pairs[]; } sums;
void main() {
    uint i = gl_GlobalInvocationID.x;
    sums.pairs[i] = vec2(source[i], 0.5);
    if (i == 0u) sums.total = gl_NumWorkGroups.x;
}
";

fn sample(name: &str) -> String {
    samples().join(name).to_string_lossy().into_owned()
}

/// Makes a device one without derivatives in compute, which llvmpipe of Mesa 25 has.
const NO_DERIVATIVES: [(&str, &str); 1] =
    [("LANESCOPE_HIDDEN_EXTENSIONS", "VK_KHR_compute_shader_derivatives,VK_NV_compute_shader_derivatives")];

fn run_json(arguments: &[&str], status: i32) -> Value {
    run_json_with(&[], arguments, status)
}

fn run_json_with(variables: &[(&str, &str)], arguments: &[&str], status: i32) -> Value {
    let all = ["run"].into_iter().chain(arguments.iter().copied()).chain(DEVICE).chain(["--format", "json"]);
    let (code, stdout, stderr) = outcome_with(variables, all);
    assert_eq!(code, status, "{stderr}");
    serde_json::from_str(&stdout).expect("standard output is one JSON object")
}

#[test]
fn run_text_shows_the_verdict() {
    let (_folder, shader) = file("sum.comp", SUM);
    let shader = shader.to_str().expect("UTF-8");
    let all = ["run", shader, "--zeros", "--original-only"];
    let (status, _, stderr) = outcome(all.into_iter().chain(DEVICE));
    assert_eq!((status, stderr.as_str()), (0, ""));
    let (status, _, stderr) = outcome(all.into_iter().chain(["--spec", "99=1"]).chain(DEVICE));
    assert_eq!(status, 0);
    assert!(stderr.contains("L004") && stderr.contains("99"), "{stderr}");
}

#[test]
fn writes_images_as_picture_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let shader = sample("tile_16x16.comp");
    let report = run_json(&[&shader, "--reconfig", "--out", out.to_str().expect("UTF-8")], 0);
    assert_eq!(report["run"]["images"][0]["name"], "set0.binding1");
    for name in ["set0.binding1.png", "set0.binding1.difference.png"] {
        assert!(std::fs::read(out.join(name)).expect("written").starts_with(b"\x89PNG"), "{name}");
    }
    let report = run_json(&[&shader, "--out", folder.path().join("alone").to_str().expect("UTF-8")], 0);
    assert_eq!(report["run"]["unchanged"], true, "a layout that moves nothing is no fault");
}

#[test]
fn a_dispatch_report_includes_the_run() {
    let (folder, shader) = file("sum.comp", SUM);
    let numbers: Vec<u8> = (0..16u32).flat_map(|i| (i * i).to_le_bytes()).collect();
    let input = folder.path().join("numbers.bin");
    std::fs::write(&input, numbers).expect("writes");
    let given = format!("set0.binding0={}", input.display());
    let out = folder.path().join("out");
    let (shader, out_text) = (shader.to_str().expect("UTF-8"), out.to_str().expect("UTF-8"));
    let arguments =
        [shader, "--groups", "4,1,1", "--buffer", &given, "--buffer", "set0.binding1=136", "--out", out_text];
    let report = run_json(&arguments, 0);
    assert_eq!(report["run"]["not_rewritten"], "compute main: the layout does not change the ids");
    assert_eq!(report["schema"], 3);
    assert_eq!(report["workgroup"][0]["size"], json!([4, 1, 1]));
    let run = &report["run"];
    assert!(run["device"].as_str().is_some_and(|name| name.contains("llvmpipe")));
    assert_eq!((&run["mode"], &run["groups"]), (&json!("compute"), &json!([4, 1, 1])));
    assert!(run["nanoseconds"].as_u64().is_some_and(|time| time > 0) && run.get("compare").is_none());
    assert_eq!(run["buffers"][0]["name"], "set0.binding1");
    assert_eq!(run["buffers"][0]["bytes"], 136);

    let bytes = std::fs::read(out.join("set0.binding1.bin")).expect("written");
    assert_eq!((bytes.len(), &bytes[..4]), (136, &4u32.to_le_bytes()[..]));
    let typed: Value =
        serde_json::from_slice(&std::fs::read(out.join("set0.binding1.json")).expect("written")).expect("is JSON");
    assert_eq!(
        (&typed["total"], &typed["pairs"][5], &typed["pairs"][15]),
        (&json!(4), &json!([25.0, 0.5]), &json!([225.0, 0.5]))
    );
    let kept: Value = serde_json::from_slice(&std::fs::read(out.join("run.json")).expect("written")).expect("is JSON");
    assert_eq!(kept["run"]["buffers"], run["buffers"]);

    let again = |extra: &[&str]| {
        let all = ["run"].iter().chain(&arguments).chain(extra).copied();
        outcome(all)
    };
    let (status, _, stderr) = again(&[]);
    assert!(status == 2 && stderr.contains("--force"), "{stderr}");
    assert_eq!(again(&["--force"]).0, 0);
}

#[test]
fn the_text_shows_typed_tables() {
    let (_folder, shader) = file("sum.comp", SUM);
    let shader = shader.to_str().expect("UTF-8");
    let (status, stdout, stderr) = outcome(["run", shader, "--fill", "9"].into_iter().chain(DEVICE));
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.lines().all(|line| line.chars().count() <= 100));
    let groups = "groups: 1×1×1 (no 2D storage image to cover)";
    for words in ["compute main", groups, "seed 9", "set0.binding1", "total", "pairs[3]", "more; --output"] {
        assert!(stdout.contains(words), "{words} is not in\n{stdout}");
    }
}

#[test]
fn compares_two_programs_sample_by_sample() {
    let (folder, vertex) =
        file("a.vert", "#version 450\nlayout(location = 0) in vec4 position;\nvoid main() { gl_Position = position; }");
    let fragment = |name: &str, blue: &str| {
        let path = folder.path().join(name);
        let source = format!(
            "#version 450\nlayout(location = 0) out vec4 c;\n\
             void main() {{ c = vec4(0.5, 0.25, gl_FragCoord.y > 32.0 ? {blue} : 0.5, 1.0); }}"
        );
        std::fs::write(&path, source).expect("writes");
        path.to_string_lossy().into_owned()
    };
    let (one, other) = (fragment("one.frag", "0.5"), fragment("other.frag", "0.75"));
    let vertex = vertex.to_str().expect("UTF-8");
    let same = run_json(&[vertex, &one, "--against", vertex, "--against", &one], 0);
    assert_eq!(
        same["run"]["compare"],
        json!({ "equal": true, "outputs": [{ "name": "color0", "differing": 0, "first": null }] })
    );
    let out = folder.path().join("out");
    let report =
        run_json(&[vertex, &one, "--against", vertex, "--against", &other, "--out", out.to_str().expect("UTF-8")], 1);
    let output = &report["run"]["compare"]["outputs"][0];
    assert!(output["differing"].as_u64().is_some_and(|count| count > 1000), "{output}");
    assert!(output["first"]["pixel"][1].as_u64().is_some_and(|y| y == 32), "{output}");
    let words = "0x3f000000 0x3e800000 0x3f400000 0x3f800000";
    assert_eq!(output["first"]["rewritten"], words);
    for name in ["color0.png", "color0.difference.png"] {
        assert!(std::fs::read(out.join(name)).expect("written").starts_with(b"\x89PNG"), "{name}");
    }
    assert_eq!(std::fs::read(out.join("color0.bin")).expect("written").len(), 64 * 64 * 4 * 16);
}

/// What its attributes are called makes no other program: the first one's position is the second one's.
#[test]
fn attributes_of_other_names_draw_the_same() {
    let vertex = |first: &str, second: &str| {
        format!(
            "#version 450\nlayout(location = 0) in vec4 {first}; layout(location = 1) in vec4 {second};
             layout(location = 0) out vec4 v;
             void main() {{ gl_Position = {second} + {first} * 0.01; v = {first}; }}"
        )
    };
    let (folder, one) = file("one.vert", vertex("shift", "inPosition"));
    let write = |name: &str, source: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, source).expect("writes");
        path.to_string_lossy().into_owned()
    };
    let other = write("other.vert", &vertex("a", "b"));
    let head = "#version 450\nlayout(location = 0) in vec4 v; layout(location = 0) out vec4 o;";
    let plain = write("plain.frag", &format!("{head} void main() {{ o = v; }}"));
    let one = one.to_str().expect("UTF-8");
    let report = run_json(&[one, &plain, "--against", &other, "--against", &plain], 0);
    assert_eq!(report["run"]["compare"]["equal"], true);
    let more = write("more.frag", &format!("{head} layout(location = 1) out vec4 p; void main() {{ o = p = v; }}"));
    let report = run_json(&[one, &plain, "--against", one, "--against", &more], 1);
    assert_eq!(
        report["run"]["compare"]["outputs"],
        json!([
            { "name": "color0", "differing": 0, "first": null },
            { "name": "color1", "differing": 0, "first": null, "unlike": "only-in-second" }
        ])
    );
    let arguments = ["run", one, &plain, "--against", one, "--against", &more];
    let (_, text, _) = outcome(arguments.into_iter().chain(DEVICE));
    assert!(text.contains("color1 is missing in the first"), "{text}");
}

/// The software device cuts a loop at some ten thousand turns; many workgroups of such loops take hours.
#[test]
fn stops_an_endless_shader() {
    let (_folder, shader) = file(
        "endless.comp",
        "#version 450\nlayout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer B { uint u[]; };\n\
         void main() { while (u[0] < 99u) u[1] += 1u; }",
    );
    let start = Instant::now();
    let (status, stdout, stderr) = outcome([
        "run",
        shader.to_str().expect("UTF-8"),
        "--timeout",
        "1",
        "--device",
        "llvmpipe",
        "--groups",
        "60000,600,1",
    ]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("did not finish dispatching `main` within 1000 ms"), "{stderr}");
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn missing_parts_exit_with_status_3() {
    let shader = sample("tile_16x16.comp");
    let with = |variables: &[(&str, &str)], arguments: &[&str]| {
        let output = lanescope()
            .args(["run", &shader])
            .args(arguments)
            .envs(variables.iter().copied())
            .output()
            .expect("starts");
        (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
    };
    let nowhere = [("VK_ICD_FILENAMES", "/nowhere.json"), ("VK_DRIVER_FILES", "/nowhere.json")];
    let (status, stderr) = with(&nowhere, &[]);
    assert!(status == Some(3) && stderr.contains("mesa-vulkan-drivers"), "{stderr}");
    let (status, stderr) = with(&[], &["--device", "Voodoo"]);
    assert!(status == Some(3) && stderr.contains("Voodoo") && stderr.contains("llvmpipe"), "{stderr}");
    let (status, stderr) = with(&[("VK_LAYER_PATH", "/nowhere")], &["--validate"]);
    assert!(status == Some(3) && stderr.contains("vulkan-validationlayers"), "{stderr}");
    let native = ["--device", "llvmpipe", "--derivatives-by", "native"];
    let quads = sample("quad_derivatives.comp");
    let (status, _, stderr) = outcome_with(&NO_DERIVATIVES, ["run", &quads].into_iter().chain(native));
    assert!(status == 3 && stderr.contains("compute_shader_derivatives"), "{stderr}");
    let (_folder, level) = file(
        "level.comp",
        "#version 460\n#extension GL_NV_compute_shader_derivatives : require\n\
         layout(local_size_x = 2, local_size_y = 2) in; layout(derivative_group_quadsNV) in;\n\
         layout(binding = 0) uniform sampler2D s; layout(binding = 1) buffer B { vec2 b; };\n\
         void main() { b = textureQueryLod(s, vec2(gl_LocalInvocationID.xy)); }",
    );
    let level = ["run", level.to_str().expect("UTF-8"), "--device", "llvmpipe"];
    let (status, _, stderr) = outcome_with(&NO_DERIVATIVES, level);
    assert!(status == 3 && stderr.contains("OpImageQueryLod"), "{stderr}");
}

#[test]
fn buffers_by_address_match_descriptors() {
    let (folder, _) = file("unused.txt", "");
    let write = |name: &str, words: &[u32]| {
        let path = folder.path().join(name);
        std::fs::write(&path, words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>()).expect("writes");
        path.display().to_string()
    };
    let numbers: Vec<u32> = (1..=256).collect();
    let (input, output) = (write("in.bin", &numbers), write("out.bin", &[0; 256]));
    let (input, output) = (format!("t0={input}"), format!("u0={output}"));
    let shader = sample("dxil/prefix_sum.cs.dxil");
    let expected: Vec<u32> = (1..=256).map(|i| i * (i + 1) / 2).collect();
    for with in ["precise", "physical-buffers"] {
        let out = folder.path().join(with);
        let out_text = out.to_str().expect("UTF-8");
        let arguments = [&shader, "--dxil-with", with, "--buffer", &input, "--buffer", &output, "--out", out_text];
        let report = run_json(&arguments, 0);
        let buffer = &report["run"]["buffers"][0];
        assert_eq!((buffer["name"].as_str(), buffer["register"].as_str()), (Some("u0"), Some("u0")), "{buffer}");
        let bytes = std::fs::read(out.join("u0.bin")).expect("written");
        let found: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        assert_eq!(found, expected, "{with}");
    }
    // Nothing is given: they have a size and contents of their own.
    let report = run_json(&[&shader, "--dxil-with", "physical-buffers"], 0);
    assert_eq!(report["run"]["buffers"][0]["bytes"], 64 << 10);
}

#[test]
fn does_not_follow_undefined_addresses() {
    let (_folder, shader) = file(
        "address.comp",
        "#version 450\n#extension GL_EXT_buffer_reference : require\n\
         layout(buffer_reference) buffer B { uint n; };\nlayout(push_constant) uniform P { B b; };\n\
         layout(local_size_x = 1) in;\nvoid main() { b.n = 1u; }",
    );
    let (status, _, stderr) = outcome(["run", shader.to_str().expect("UTF-8")].into_iter().chain(DEVICE));
    assert!(status == 2 && stderr.contains("uses buffer device addresses"), "{status} {stderr}");
}

/// The whole array is given one file, one element of it another.
#[test]
fn fills_one_element_of_a_descriptor_array() {
    let (folder, shader) = file(
        "table.comp",
        "#version 450\nlayout(local_size_x = 1) in;\n\
         layout(set = 0, binding = 0) readonly buffer In { uint n; } table[3];\n\
         layout(set = 0, binding = 1) buffer Out { uint found[3]; };\n\
         void main() { found[0] = table[0].n; found[1] = table[1].n; found[2] = table[2].n; }",
    );
    let shader = shader.to_str().expect("UTF-8");
    let given = |place: &str, number: u32| {
        let path = folder.path().join(format!("{number}.bin"));
        std::fs::write(&path, number.to_le_bytes()).expect("writes");
        format!("{place}={}", path.display())
    };
    let (all, one) = (given("0:0", 5), given("0:0[1]", 7));
    let out = folder.path().join("out");
    let out_text = out.to_str().expect("UTF-8");
    run_json(&[shader, "--buffer", &all, "--buffer", &one, "--out", out_text], 0);
    let bytes = std::fs::read(out.join("set0.binding1.bin")).expect("written");
    let found: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    assert_eq!(found, [5, 7, 5]);
    for (place, words) in [
        ("0:0[3]", "0:0[3] does not exist: 0:0 is an array of 3 descriptors"),
        ("0:1[0]", "0:1[0]: 0:1 is not a descriptor array"),
        ("0:9[0]", "no shader declares a descriptor array there"),
        ("0:0[x]", "expected an element index"),
    ] {
        let (status, _, stderr) = outcome(["run", shader, "--device", "llvmpipe", "--buffer", &given(place, 1)]);
        assert!(status == 2 && stderr.contains(words), "{place}: {status} {stderr}");
    }
}

#[test]
fn covers_the_largest_storage_image_unless_groups_are_given() {
    let shader = sample("tile_16x16.comp");
    let groups = |flags: &[&str]| {
        let report = run_json(&[&[shader.as_str(), "--original-only"], flags].concat(), 0);
        (report["run"]["groups"].clone(), report["run"]["groups_reason"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(groups(&[]), (serde_json::json!([4, 4, 1]), "covers set0.binding1, 64×64".to_owned()));
    assert_eq!(groups(&["--groups", "2,1,1"]), (serde_json::json!([2, 1, 1]), "as requested".to_owned()));
    let (status, stdout, _) = outcome(["run", shader.as_str(), "--original-only"].into_iter().chain(DEVICE));
    assert!(status == 0 && stdout.contains("groups: 4×4×1 (covers set0.binding1, 64×64)"), "{stdout}");
    let register = sample("dxil/prefix_sum.cs.dxil");
    let report = run_json(&[&register, "--original-only"], 0);
    assert_eq!(report["run"]["groups"], serde_json::json!([1, 1, 1]));
}

/// Workgroups along an axis whose id is not read would all write the same elements.
#[test]
fn dispatches_one_workgroup_along_an_axis_that_the_shader_does_not_read() {
    let (_folder, shader) = file(
        "line.comp",
        "#version 460\nlayout(local_size_x = 16) in;\n\
         layout(set = 0, binding = 0, r32ui) uniform uimage2D picture;\n\
         layout(set = 0, binding = 1) buffer Sums { uint sums[64]; };\n\
         void main() { uint x = gl_GlobalInvocationID.x; sums[x] += imageLoad(picture, ivec2(x, 0)).x; }",
    );
    let report = run_json(&[shader.to_str().expect("UTF-8"), "--original-only"], 0);
    assert_eq!(report["run"]["groups"], json!([4, 1, 1]));
    let reason = "covers set0.binding0, 64×64, in x: y of the workgroup id is not read";
    assert_eq!(report["run"]["groups_reason"], json!(reason));
}

#[test]
fn contents_that_do_not_fit_exit_with_status_2() {
    let shader = sample("tile_16x16.comp");
    for (arguments, words) in [
        (&["--buffer", "set0.binding0=64"][..], "set0.binding0 is an image; its size cannot be set"),
        (&["--buffer", "set5.binding0=64"], "does not use set5.binding0"),
        (&["--buffer", "u0=64"], "no HLSL or DXIL with registers is loaded"),
        (&["--buffer", "set0.binding0=/nowhere"], "/nowhere"),
        (&["--groups", "1,1,4000000000"], "4000000000"),
        (&["--timeout", "0"], "seconds"),
        (&["--force"], "--output"),
    ] {
        let all = ["run", shader.as_str(), "--device", "llvmpipe"].into_iter().chain(arguments.iter().copied());
        let (status, _, stderr) = outcome(all);
        assert!(status == 2 && stderr.contains(words), "{arguments:?}: {status} {stderr}");
    }
}

#[test]
fn the_probe_draws_measured_beside_predicted() {
    let (status, stdout, stderr) = outcome(["probe", &sample("tile_16x16.comp")].into_iter().chain(DEVICE));
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.contains("32 subgroups of 8") && stdout.contains("matches the prediction"), "{stdout}");
    // Too wide for two maps beside each other, and one says all.
    assert!(stdout.contains(" measured, as predicted\n") && stdout.contains("31.7\n"), "{stdout}");
    let (status, stdout, _) = outcome(["probe", "--size", "6,4,2"].into_iter().chain(DEVICE));
    assert_eq!(status, 0);
    // Mesa 22 gives each row subgroups of its own, Mesa 25 counts on in the next row.
    let (_, json, _) = outcome(["probe", "--size", "6,4,2", "--format", "json"].into_iter().chain(DEVICE));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let lanes = json["lanes"].as_array().expect("lanes");
    let by_row = lanes.iter().all(|lane| lane["lane"] == lane["id"][0]);
    let differs: &[&str] =
        if by_row { &["Disagreements", "0.0!", "(0, 1, 0)"] } else { &["6 subgroups of 8", "matches the prediction"] };
    for words in [&["measured", "predicted", "z = 1"], differs].concat() {
        assert!(stdout.contains(words), "{words} is not in\n{stdout}");
    }
    assert!(stdout.lines().all(|line| line.chars().count() <= 100));
    let quads = ["probe", "--size", "8,2,1", "--derivatives", "quads", "--format", "json"];
    let (status, stdout, stderr) = outcome_with(&NO_DERIVATIVES, quads.into_iter().chain(DEVICE));
    assert_eq!(status, 0, "{stderr}");
    let probe: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((&probe["subgroup_size"], &probe["subgroup_range"]), (&json!(8), &json!([8, 8])));
    assert_eq!((probe["lanes"].as_array().map(Vec::len), &probe["schema"]), (Some(16), &json!(1)));
    assert!(probe["not_measured"][0].as_str().is_some_and(|what| what.contains("quads")));
    assert_eq!(outcome(["probe", "--size", "0,1,1"]).0, 2);
    assert_eq!(outcome(["probe", &sample("lit_surface.frag")]).0, 2);
    assert_eq!(outcome(["probe"]).0, 2);
}

#[test]
fn loads_one_of_several_entry_points_to_run() {
    let text = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %f \"day\"
OpEntryPoint Fragment %f \"night\"
OpExecutionMode %f OriginUpperLeft
%void = OpTypeVoid
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%l = OpLabel
OpReturn
OpFunctionEnd
";
    let (_folder, shader) = file("two.spvasm", text);
    let shader = shader.to_str().expect("UTF-8");
    let (_, _, stderr) = outcome(["run", shader].into_iter().chain(DEVICE));
    assert!(stderr.contains("--entry"), "{stderr}");
    // One of them is loaded; what it lacks then is another thing.
    let (_, _, stderr) = outcome(["run", shader, "--entry", "night"].into_iter().chain(DEVICE));
    assert!(stderr.contains("drawing needs a vertex shader"), "{stderr}");
}

#[test]
fn help_lists_run_and_probe() {
    for command in ["run", "probe"] {
        let (status, stdout, _) = outcome([command, "--help"]);
        assert!(status == 0 && stdout.contains("Examples:") && stdout.contains("--device"), "{stdout}");
    }
    assert!(Path::new(&sample("tile_16x16.comp")).exists());
}

/// The rewrite refuses it and says where; the shader still runs.
#[test]
fn runs_the_original_if_it_cannot_be_rewritten() {
    let (_folder, shader) = file("sum.comp", SUM);
    let shader = shader.to_str().expect("UTF-8");
    let report = run_json(&[shader, "--reconfig", "--group-size", "16,2,1"], 0);
    let run = &report["run"];
    assert!(run["not_rewritten"].as_str().is_some_and(|why| why.contains("16x2x1")), "{run}");
    assert!(run.get("compare").is_none() && run["buffers"][0]["name"] == "set0.binding1");
}

/// Changes by a swizzle in a shader that reads its lane are not failures.
#[test]
fn an_order_dependent_difference_is_not_a_failure() {
    let source = |id: &str| {
        format!(
            "#version 460\n#extension GL_KHR_shader_subgroup_basic : require\n\
             layout(local_size_x = 16, local_size_y = 4) in;\nlayout(set = 0, binding = 0) buffer Out {{ uint u[64]; }};\n\
             void main() {{ u[gl_LocalInvocationID.y * 16u + gl_LocalInvocationID.x] = {id}; }}"
        )
    };
    let (_folder, shader) = file("where.comp", source("gl_SubgroupID * 8u + gl_SubgroupInvocationID"));
    let report = run_json(&[shader.to_str().expect("UTF-8"), "--reconfig"], 0);
    let run = &report["run"];
    assert_eq!(run["compare"]["equal"], false);
    assert!(run["order_dependent"][0].as_str().is_some_and(|why| why.contains("Subgroup")), "{run}");
}

/// The last of a group's stores to one address stays, and the swizzle moves which that is.
#[test]
fn recognises_a_race() {
    let (_folder, shader) = file(
        "race.comp",
        "#version 460\nlayout(local_size_x = 16, local_size_y = 4) in;\n\
         layout(set = 0, binding = 0) buffer Out { uint last; };\nvoid main() { last = gl_LocalInvocationIndex; }",
    );
    let run = &run_json(&[shader.to_str().expect("UTF-8"), "--force-swizzle"], 0)["run"];
    assert!(run["order_dependent"][0].as_str().is_some_and(|why| why.contains("OpStore")), "{run}");
    assert!(run["compare"].is_object(), "{run}");
}

#[test]
fn runs_the_rewritten_program_too_by_default() {
    let shader = sample("tile_16x16.comp");
    let run = &run_json(&[&shader, "--reconfig"], 0)["run"];
    assert_eq!(run["compare"]["equal"], true);
    let run = &run_json(&[&shader, "--reconfig", "--original-only"], 0)["run"];
    assert!(run.get("compare").is_none() && run.get("not_rewritten").is_none(), "{run}");
    let pair = [sample("lit_surface.vert"), sample("lit_surface.frag")];
    assert_eq!(run_json(&[&pair[0], &pair[1]], 0)["run"]["compare"]["equal"], true);
    let (status, _, stderr) = outcome(["run", &shader, "--original-only", "--widen"]);
    assert!(status == 2 && stderr.contains("--original-only"), "{stderr}");
}

#[test]
fn computes_derivatives_if_the_device_has_none() {
    let shader = sample("quad_derivatives.comp");
    let run_json = |arguments: &[&str]| run_json_with(&NO_DERIVATIVES, arguments, 0);
    let alone = &run_json(&[&shader])["run"];
    assert_eq!(alone["derivatives"]["original"], "quad");
    // The workgroup of the shader, 8×8, not the line of 64 that quads are computed in.
    assert_eq!((&alone["groups"], &alone["groups_reason"]), (&json!([8, 8, 1]), &json!("covers set0.binding1, 64×64")));
    let names: Vec<_> =
        alone["derivatives"]["computed"].as_array().into_iter().flatten().map(|row| &row["opcode"]).collect();
    assert_eq!(names, ["OpDPdx", "OpDPdy", "OpImageSampleImplicitLod"]);
    assert!(alone["not_rewritten"].as_str().is_some_and(|why| why.contains("computed derivatives")), "{alone}");
    let hash = &alone["images"][0]["hash"];
    for by in ["quad", "shuffle"] {
        let run = &run_json(&[&shader, "--derivatives-by", by, "--reconfig", "--layout-rules", "design-note"])["run"];
        assert_eq!((&run["derivatives"]["original"], &run["images"][0]["hash"]), (&json!(by), hash));
        assert!(run.get("order_dependent").is_none(), "{run}");
    }
    let (status, stdout, _) = outcome_with(&NO_DERIVATIVES, ["run", &shader].into_iter().chain(DEVICE));
    assert!(status == 0 && stdout.contains("derivatives: computed by quad operations"), "{stdout}");
}

#[test]
fn derivatives_of_the_device_equal_computed_ones() {
    let shader = sample("quad_derivatives.comp");
    let run = &run_json(&[&shader, "--derivatives-by", "quad"], 0)["run"];
    let native = ["run", &shader, "--derivatives-by", "native", "--original-only"];
    let (status, _, stderr) = outcome(native.into_iter().chain(DEVICE));
    if status == 0 {
        let by = &run["derivatives"];
        assert_eq!((&by["original"], &by["rewritten"]), (&json!("native"), &json!("quad")));
        assert_eq!(run["compare"]["equal"], true);
    } else {
        assert!(status == 3 && stderr.contains("compute_shader_derivatives"), "{stderr}");
        assert_eq!(run["derivatives"]["original"], "quad");
    }
}
