//! The commands, as a user types them.

use std::io::Read;
use std::process::Stdio;

use crate::common::{file, json, lanescope, outcome, samples};

fn sample(name: &str) -> String {
    samples().join(name).to_string_lossy().into_owned()
}

/// The suffixes of graphics stages, in the order of the pipeline.
const STAGES: [&str; 7] = ["vert", "tesc", "tese", "geom", "task", "mesh", "frag"];

/// Every pipeline and every lone shader of the samples.
fn sample_programs() -> Vec<Vec<String>> {
    let mut names: Vec<String> = std::fs::read_dir(samples())
        .expect("the samples are there")
        .map(|entry| entry.expect("reads").file_name().to_string_lossy().into_owned())
        .filter(|name| STAGES.iter().chain(&["comp", "spvasm", "wgsl"]).any(|e| name.ends_with(e)))
        .collect();
    names.sort();
    let mut programs = Vec::new();
    for name in &names {
        let (stem, extension) = name.rsplit_once('.').expect("an extension");
        let of_stage = |stage: &&str| Some(format!("{stem}.{stage}")).filter(|file| names.contains(file));
        match extension {
            "frag" => programs.push(STAGES.iter().filter_map(of_stage).collect()),
            _ if STAGES.contains(&extension) => {
                assert!(names.contains(&format!("{stem}.frag")), "{name} has no partner")
            }
            _ => programs.push(vec![name.clone()]),
        }
    }
    programs
}

#[test]
fn every_sample_matches_its_golden_text_and_json() {
    let programs = sample_programs();
    assert!(programs.len() >= 10);
    for program in programs {
        let files = program.iter().map(|name| format!("samples/{name}"));
        let arguments: Vec<String> = std::iter::once("inspect".to_owned()).chain(files).collect();
        let name = program[program.len() - 1].replace('.', "_");
        let (status, text, stderr) = outcome(&arguments);
        assert_eq!((status, stderr.as_str()), (0, ""), "{program:?}");
        insta::assert_snapshot!(format!("{name}_text"), text);
        let (_, report, _) = outcome(arguments.iter().map(String::as_str).chain(["--format", "json"]));
        insta::assert_snapshot!(format!("{name}_json"), report);
    }
}

#[test]
fn samples_are_listed_with_what_to_look_at() {
    let list = std::fs::read_to_string(samples().join("README.md")).expect("the list is there");
    for name in sample_programs().concat() {
        assert!(list.contains(&format!("`{name}`")), "{name} is not listed");
    }
}

#[test]
fn the_slot_table_of_the_samples_is_what_the_command_prints() {
    let page = std::fs::read_to_string(samples().join("README.md")).expect("the page is there");
    let (status, table, errors) = outcome(["slots", "samples", "--format", "markdown"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(page.ends_with(&table), "samples/README.md ends with another table than\n{table}");
}

#[test]
fn containers_whose_names_differ_in_the_stage_are_one_pipeline() {
    let (status, rows, errors) = outcome(["slots", "samples/dxil", "--format", "json"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    let rows: serde_json::Value = serde_json::from_str(&rows).expect("JSON");
    assert_eq!(rows["schema"], 1);
    let row =
        |name: &str| rows["pipelines"].as_array().expect("rows").iter().find(|row| row["pipeline"] == name).cloned();
    let pair = row("lit_surface.vs.dxil + lit_surface.ps.dxil").expect("a pair");
    let report = json(["samples/dxil/lit_surface.vs.dxil", "samples/dxil/lit_surface.ps.dxil"]);
    assert_eq!(pair["packed"]["llpc"], report["packing"]["slots"]["after"]);
    assert!(row("signed_map.ps.dxil").is_some() && row("lit_surface.ps.dxil").is_none(), "{rows}");
}

#[test]
fn rejects_meaningless_values() {
    let [tile, lit] = [sample("tile_16x16.comp"), sample("lit_surface.frag")];
    for (arguments, words) in [
        (
            &["inspect", &tile, "--target", "gfx1200", "--interleave", "4000000000,1"][..],
            "invalid log2 of a tile's side",
        ),
        (&["inspect", &tile, "--group-tile", "5", "--groups", "9,9,1"], "expected one of 4, 8, 16, 32, 64"),
        (&["inspect", &lit, "--pipeline", "12"], "none of the files is a Fossilize database"),
        (&["opcodes", "--feature", "0x1234"], "no table with FeatureID 0x1234"),
    ] {
        let (status, _, stderr) = outcome(arguments);
        assert!(status == 2 && stderr.contains(words), "{arguments:?}: {stderr}");
    }
}

#[test]
fn what_is_written_per_primitive_is_not_shown_per_vertex() {
    let [mesh, fragment] = ["mesh", "frag"].map(|stage| format!("app/tests/data/constructs/mesh/triangle.{stage}"));
    let (_, text, _) = outcome(["inspect", &mesh, &fragment]);
    for line in [
        "      1.x  id          32  # per primitive          → 2.x",
        " attribute slots         3       3    0 (0 %)  generic inputs, 1 of them per primitive",
        " parameter cache      32 B    32 B  0 B (0 %)  per vertex",
        " LDS of vertices    2048 B  2048 B  0 B (0 %)  allocated to a wave64 with 16, the most",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(text.contains("     #  per primitive\n"), "the legend names the mark: {text}");
    let (_, text, _) = outcome(["diff", &format!("{mesh},{fragment}"), &sample("lit_surface.frag")]);
    let row = |name: &str| text.lines().find(|line| line.contains(name)).expect("differs");
    let (attributes, lds) = (row("attributes per vertex"), row("LDS filled per primitive"));
    assert!(attributes.contains("32 bytes ") && attributes.contains("+32 (+100%)"), "{attributes}");
    assert!(lds.contains("96 bytes, without per-primitive slots") && !lds.contains('%'), "{lds}");
}

#[test]
fn errors_name_the_formats_that_open() {
    let report = outcome(["inspect", &sample("lit_surface.frag"), "--format", "json"]).1;
    let (_folder, report) = file("a.json", report);
    let (_folder, picture) = file("x.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let (_folder, plain) = file("plain.comp", "layout(local_size_x = 1) in; void main() {}");
    let text = |path: &std::path::Path| path.to_string_lossy().into_owned();
    let [report, picture, plain] = [text(&report), text(&picture), text(&plain)];
    let out = text(&std::env::temp_dir().join("never"));
    for (arguments, words) in [
        (&["inspect", &report][..], "it is a report; open it with `lanescope diff` or in the window"),
        (&["rewrite", &report, "--out", &out], "it is a report"),
        (&["isa", &report], "it is a report"),
        (&["slots", "-", "--timeout", "5"], "-: empty file"),
        (&["inspect", &picture], "starts with 89 50 4e 47"),
        (&["inspect", &plain], "the file has no #version line"),
    ] {
        let (status, _, stderr) = outcome(arguments);
        assert!(status == 2 && stderr.contains(words), "{arguments:?}: {stderr}");
    }
}

#[test]
fn counts_slots_of_readable_files() {
    let (_folder, broken) = file("broken.frag", "void main() { nothing }");
    let samples = samples();
    let [lit, broken] = [samples.join("lit_surface.frag"), broken].map(|path| path.display().to_string());
    let (status, table, errors) = outcome(["slots", &lit, &broken]);
    assert_eq!(status, 2);
    assert!(errors.contains("broken.frag") && errors.contains("1 pipeline could not be read"), "{errors}");
    assert!(table.contains("lit_surface.frag"), "{table}");
}

#[test]
fn searches_folders_for_many_pipelines() {
    let folder = tempfile::tempdir().expect("a folder");
    let top = folder.path().display().to_string();
    let (status, _, errors) = outcome(["slots", &top]);
    assert!(status == 2 && errors.contains("no shader or pipeline found"), "{errors}");
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).expect("writable");
    for name in ["lit_surface.vert", "lit_surface.frag", "lighting.glsl"] {
        std::fs::copy(samples().join(name), inner.join(name)).expect("copies");
    }
    // The binary of the same shader, which cannot be read, is the preferred form.
    std::fs::write(inner.join("lit_surface.vert.spv"), "x").expect("writes");
    let (status, table, errors) = outcome(["slots", &top, "--prefer", "source"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(table.contains("inner/lit_surface.vert + lit_surface.frag"), "{table}");
    let (status, _, errors) = outcome(["slots", &top]);
    assert!(status == 2 && errors.contains("lit_surface.vert.spv"), "{errors}");
    for arguments in [&["inspect", &top][..], &["isa", &top], &["run", &top], &["diff", &top, &top], &["graph", &top]] {
        let (status, _, errors) = outcome(arguments);
        assert!(status == 2 && errors.contains("is a folder; expected a shader file"), "{arguments:?}: {errors}");
    }
    // A folder without fragment inputs gives an error too.
    let compute = folder.path().join("compute");
    std::fs::create_dir(&compute).expect("writable");
    std::fs::copy(sample("odd_size.comp"), compute.join("odd_size.comp")).expect("copies");
    let (status, _, errors) = outcome(["slots", &compute.display().to_string()]);
    assert!(status == 2 && errors.contains("no pipeline with fragment inputs"), "{errors}");
}

#[test]
fn assembly_without_a_version_reports_the_chosen_one() {
    let text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
                OpExecutionMode %main LocalSize 8 8 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
                %main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
    for (text, noted) in [(text.to_owned(), true), (format!("\n; Version: 1.3\n{text}"), false)] {
        let (_folder, path) = file("a.spvasm", text);
        let report = json([path.display().to_string().as_str()]);
        let findings = report["findings"].as_array().expect("findings");
        let found = findings.iter().find(|finding| finding["code"] == "L007");
        assert_eq!(found.is_some(), noted, "{findings:?}");
        assert!(
            found.is_none_or(|found| found["message"].to_string().contains("SPIR-V 1.0 is the lowest")),
            "{found:?}"
        );
    }
}

#[test]
fn invalid_modules_open_without_validation() {
    let text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
                OpExecutionMode %main LocalSize 8 8 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
                %uint = OpTypeInt 32 0\n%one = OpConstant %uint 1\n%main = OpFunction %void None %fn\n%l = OpLabel\n\
                %sum = OpIAdd %uint %one %void\nOpReturn\nOpFunctionEnd\n";
    let (folder, path) = file("sum.spvasm", text);
    let path = path.display().to_string();
    for isolate in [&[][..], &["--in-process"]] {
        let (status, _, errors) = outcome([&["inspect", &path], isolate].concat());
        assert!(status == 2 && errors.contains("invalid SPIR-V") && errors.contains("--no-validate"), "{errors}");
        let (status, out, errors) =
            outcome([&["inspect", &path, "--no-validate", "--reconfig", "--format", "json"], isolate].concat());
        assert_eq!(status, 0, "{errors}");
        let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!((&report["options"]["no_validate"], &report["workgroup"][0]["size"][0]), (&true.into(), &8.into()));
        let findings = report["findings"].as_array().expect("findings");
        let found = findings.iter().find(|finding| finding["code"] == "L006").expect("says why");
        assert!(found["severity"] == "warning" && found["message"].to_string().contains("OpIAdd"), "{found}");
    }
    let out = folder.path().join("out").display().to_string();
    let (status, _, errors) = outcome(["rewrite", &path, "--no-validate", "--reconfig", "--out", &out]);
    assert_eq!(status, 0, "{errors}");
    let (status, table, _) = outcome(["help", "findings"]);
    assert!(status == 0 && table.contains("L006") && table.contains("L008"), "{table}");
}

#[test]
fn options_appear_by_flag_name_and_shape_the_report() {
    let file = sample("spec_size.comp");
    let report = json([
        file.as_str(),
        "--target",
        "NAVI31",
        "--wave",
        "32",
        "--order",
        "design-note",
        "--no-pack",
        "--producer",
        "none",
        "--layout-rules",
        "design-note",
        "--derivatives",
        "quads",
        "--force-swizzle",
        "--reconfig",
        "--interleave",
        "1,2",
        "--spec",
        "0=24",
        "--spec",
        "1=4",
        "--color",
        "1=R8_UNORM:blend",
        "--alpha-to-coverage",
        "--sample-shading",
        "--group-tile",
        "4",
        "--groups",
        "9,9,1",
        "--entry",
        "main",
    ]);
    let options = &report["options"];
    let expected = serde_json::json!({
        "entry": ["main"], "target": "gfx1100", "wave": "32", "order": "design-note", "no_pack": true,
        "producer": "none", "layout_rules": "design-note", "derivatives": "quads", "force_swizzle": true, "reconfig": true,
        "interleave": [1, 2], "group_tile": 4, "groups": [9, 9, 1], "spec": { "0": "24", "1": "4" },
        "color": { "1": "R8_UNORM:blend" }, "alpha_to_coverage": true, "sample_shading": true,
    });
    assert_eq!(*options, expected);
    assert_eq!(report["stages"][0]["workgroup_size"], serde_json::json!([24, 4, 1]));
    assert_eq!(report["workgroup"][0]["macro"], "block8");
    assert_eq!(report["group_map"]["applies"], true);
    let over = json([file.as_str(), "--group-size", "2,2,2"]);
    assert_eq!(over["workgroup"][0]["size"], serde_json::json!([2, 2, 2]));
}

#[test]
fn without_its_producer_a_fragment_shader_is_a_part_pipeline() {
    let pair = [sample("lit_surface.vert"), sample("lit_surface.frag")];
    let mut apart = json([pair[0].as_str(), pair[1].as_str(), "--producer", "none"]);
    let alone = json([pair[1].as_str()]);
    assert_eq!(apart["packing"]["producer"], serde_json::Value::Null);
    assert_eq!(apart["packing"]["dropped"], serde_json::json!([]));
    assert_eq!(apart["packing"].take(), alone["packing"]);
    assert_eq!(apart["registers"].take(), alone["registers"]);
    assert_eq!(apart["stages"].as_array().map(Vec::len), Some(2), "the vertex shader is still there");
}

#[test]
fn specialization_constants_are_listed_with_default_and_value() {
    let report = json([&sample("spec_size.comp"), "--spec", "2=true"]);
    let rows: Vec<String> = report["spec_constants"]
        .as_array()
        .expect("listed")
        .iter()
        .map(|row| format!("{} {} {} {}", row["id"], row["type"], row["default"], row["value"]))
        .collect();
    assert_eq!(rows, [r#"0 "uint32" "8" "8""#, r#"1 "uint32" "8" "8""#, r#"2 "bool" "false" "true""#]);
    let (status, _, stderr) = outcome(["inspect", &sample("spec_size.comp"), "--spec", "0=-1"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("constant 0") && stderr.contains("uint32") && stderr.contains("-1"), "{stderr}");
}

#[test]
fn loading_in_a_child_process_changes_nothing() {
    let file = sample("lit_surface.frag");
    assert_eq!(json([file.as_str()]), json([file.as_str(), "--in-process"]));
}

/// A rule break in a readable module: exit status 1, the code, and what can still be shown.
#[track_caller]
fn found(name: &str, source: &str, extra: &[&str], code: &str) -> serde_json::Value {
    let (_folder, path) = file(name, source);
    let mut arguments = vec!["inspect", path.to_str().expect("UTF-8"), "--format", "json"];
    arguments.extend(extra);
    let (status, stdout, stderr) = outcome(arguments);
    assert_eq!(status, 1, "{stderr}");
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let codes: Vec<&str> =
        report["findings"].as_array().expect("a list").iter().filter_map(|f| f["code"].as_str()).collect();
    assert!(codes.contains(&code), "{code} is not among {codes:?}");
    assert!(!report["stages"].as_array().expect("a list").is_empty());
    report
}

#[test]
fn violated_rules_are_findings() {
    let assembly = |more: &str, modes: &str| {
        format!(
            "OpCapability Shader\n{more}\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
             {modes}\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
             %main = OpFunction %void None %fn\n%begin = OpLabel\nOpReturn\nOpFunctionEnd\n"
        )
    };
    let literal = |x: &str| assembly("", &format!("OpExecutionMode %main LocalSize {x} 1 1"));
    found("zero.spvasm", &literal("0"), &[], "W001");
    found("huge.spvasm", &literal("2147483648"), &[], "W002");
    let quads = assembly(
        "OpCapability ComputeDerivativeGroupQuadsKHR\nOpExtension \"SPV_KHR_compute_shader_derivatives\"",
        "OpExecutionMode %main LocalSize 3 3 1\nOpExecutionMode %main DerivativeGroupQuadsKHR",
    );
    found("quads.spvasm", &quads, &[], "W003");
    found("linear.spvasm", &literal("6"), &["--derivatives", "linear"], "W004");
    let spec = "#version 450\nlayout(local_size_x_id = 0, local_size_x = 8) in;\nvoid main() {}";
    found("zero_spec.comp", spec, &["--spec", "0=0"], "W001");
    found("huge_spec.comp", spec, &["--spec", "0=2147483648"], "W002");
    let report = found(
        "far.frag",
        "#version 450\nlayout(location = 70) in vec2 far; layout(location = 0) out vec4 c; void main() { c = far.xyxy; }",
        &[],
        "P001",
    );
    assert_eq!(report["packing"]["slots"]["after"], 1);
}

#[test]
fn recursion_is_a_finding_and_the_module_is_still_shown() {
    let recursive = "
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Fragment %main \"main\" %uv %color
        OpExecutionMode %main OriginUpperLeft
        OpDecorate %uv Location 2
        OpDecorate %color Location 0
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %float = OpTypeFloat 32
        %vec4 = OpTypeVector %float 4
        %in = OpTypePointer Input %vec4
        %out = OpTypePointer Output %vec4
        %uv = OpVariable %in Input
        %color = OpVariable %out Output
        %main = OpFunction %void None %fn
        %a = OpLabel
        %v = OpLoad %vec4 %uv
        OpStore %color %v
        %call = OpFunctionCall %void %again
        OpReturn
        OpFunctionEnd
        %again = OpFunction %void None %fn
        %b = OpLabel
        %call2 = OpFunctionCall %void %again
        OpReturn
        OpFunctionEnd";
    let report = found("recursive.spvasm", recursive, &[], "L002");
    assert_eq!(report["packing"]["map"].as_array().map(Vec::len), Some(4));
}

#[test]
fn targets_accept_aliases_and_report_missing_tables() {
    let file = sample("odd_size.comp");
    for (alias, name) in [("gfx10.1", "gfx1010"), ("Navi21", "gfx1030"), ("GFX11", "gfx1100"), ("gfx1200", "gfx1200")] {
        let report = json([file.as_str(), "--target", alias]);
        assert_eq!(report["options"]["target"], name);
        assert!(report["registers"].as_array().expect("a list").iter().all(|row| row["target"] == name));
    }
    let (status, _, stderr) = outcome(["inspect", &file, "--target", "gfx9999"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("gfx9999") && stderr.contains("navi21"), "{stderr}");
    let (status, _, stderr) = outcome(["inspect", &file, "--target", "vega10"]);
    assert_eq!(status, 3);
    assert!(stderr.contains("gfx900") && stderr.contains("gfx1030"), "{stderr}");
}

#[test]
fn draw_writes_the_format_of_the_extension() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let draw = |view: &str, name: &str, files: &[&str]| {
        let output = folder.path().join(name);
        let mut arguments: Vec<String> = vec!["draw".into(), "--view".into(), view.into(), "-o".into()];
        arguments.push(output.to_string_lossy().into_owned());
        arguments
            .extend(files.iter().map(|f| if f.starts_with('-') || f.contains(',') { (*f).into() } else { sample(f) }));
        (outcome(&arguments), output)
    };
    let pipeline = ["lit_surface.vert", "lit_surface.frag"];
    let ((status, stdout, _), svg) = draw("packing", "a.svg", &pipeline);
    assert_eq!((status, stdout.as_str()), (0, ""));
    let svg = std::fs::read_to_string(svg).expect("written");
    assert!(svg.contains("<svg") && svg.contains("world_normal"));
    let ((status, ..), png) = draw("workgroup", "b.png", &["tile_16x16.comp"]);
    assert_eq!(status, 0);
    assert!(std::fs::read(png).expect("written").starts_with(b"\x89PNG"));
    let ((status, ..), rules) = draw("rules", "e.svg", &["tile_16x16.comp", "--force-swizzle"]);
    let rules = std::fs::read_to_string(rules).expect("written");
    assert!(status == 0 && rules.contains("other invocation ids: 69"), "{rules}");
    let two = folder.path().join("two.wgsl");
    let text = "@compute @workgroup_size(8, 8) fn first() {}\n@compute @workgroup_size(5, 6) fn second() {}\n";
    std::fs::write(&two, text).expect("writes");
    let two = two.to_string_lossy().into_owned();
    let of = |name: &str, flags: &[&str]| {
        let output = folder.path().join(name);
        let path = output.to_string_lossy().into_owned();
        let arguments = [&["draw", two.as_str(), "--view", "rules", "-o", path.as_str()], flags].concat();
        let (status, _, stderr) = outcome(arguments);
        assert_eq!(status, 0, "{stderr}");
        (stderr, std::fs::read_to_string(output).expect("written"))
    };
    let [(said, first), (quiet, second)] = [of("f.svg", &[]), of("g.svg", &["--entry", "second"])];
    assert!(said.contains("drawn: `first`, the first of 2 workgroups; --entry NAME chooses another"), "{said}");
    assert_eq!(quiet, "");
    assert_ne!(first, second, "another size is marked");
    let ((status, _, stderr), _) = draw("packing", "c.svg", &["tile_16x16.comp"]);
    assert_eq!(status, 2, "{stderr}");
    let ((status, _, stderr), _) = draw("packing", "d.gif", &pipeline);
    assert!(status == 2 && stderr.contains(".svg"), "{stderr}");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = lanescope()
        .args(["inspect", &sample("particles_1024.comp"), "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut stderr).expect("reads");
    assert_eq!((child.wait().expect("ends").code(), stderr.as_str()), (Some(0), ""));
}

#[test]
fn colour_is_for_terminals_only() {
    let output =
        lanescope().env_remove("NO_COLOR").args(["inspect", &sample("odd_size.comp")]).output().expect("starts");
    assert!(!output.stdout.contains(&0x1b));
}

#[test]
fn the_doctor_finds_the_software_device_and_the_offline_compilers() {
    let (status, stdout, stderr) = outcome(["doctor", "--format", "json"]);
    assert_eq!(status, 0, "{stderr}");
    let found: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(found["schema"], 1);
    let devices = found["devices"].as_array().expect("a list");
    assert!(devices.iter().any(|device| device["kind"] == "software"), "{devices:?}");
    let chips: Vec<&str> = found["chips"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|chip| chip["found"] == true)
        .filter_map(|chip| chip["target"].as_str())
        .collect();
    assert!(["gfx900", "gfx1010", "gfx1030"].iter().all(|chip| chips.contains(chip)), "{chips:?}");
}

#[test]
fn the_doctor_distinguishes_missing_driver_and_loader() {
    let empty = tempfile::tempdir().expect("a temporary folder");
    let nowhere = empty.path().join("no_driver.json");
    let output = lanescope()
        .args(["doctor", "--format", "json"])
        .env("VK_DRIVER_FILES", &nowhere)
        .env("VK_ICD_FILENAMES", &nowhere)
        .output()
        .expect("starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found["loader"]["found"], true, "{found}");
    assert_eq!(found["devices"], serde_json::json!([]), "{found}");
    assert!(stderr.contains("mesa-vulkan-drivers") && !stderr.contains("libvulkan1"), "{stderr}");
}

#[test]
fn names_a_missing_feature_and_the_alternative() {
    for (arguments, lacking, remedy) in [
        (vec!["run", "half_precision.vert", "half_precision.frag", "--device", "llvmpipe"], "storageInput", "--widen"),
        (vec!["isa", "quad_derivatives.comp", "--chip", "navi21"], "computeDerivativeGroupQuads", "--variant swizzled"),
    ] {
        let output = lanescope().current_dir(samples()).args(&arguments).output().expect("starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {stderr}");
        assert!(stderr.contains(lacking) && stderr.contains(remedy), "{arguments:?}: {stderr}");
        let instead = lanescope().current_dir(samples()).args(&arguments).args(remedy.split(' ')).output();
        assert_eq!(instead.expect("starts").status.code(), Some(0), "{arguments:?} {remedy}");
    }
}

#[test]
fn the_version_names_the_compilers() {
    let (status, long, _) = outcome(["--version"]);
    assert_eq!(status, 0);
    for name in ["glslang", "SPIRV-Tools", "dxil-spirv", "built for"] {
        assert!(long.contains(name), "{name}: {long}");
    }
    let (_, short, _) = outcome(["-V"]);
    assert_eq!(short, format!("lanescope {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn recognises_a_mistyped_command() {
    let (status, stdout, stderr) = outcome(["inspct"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("`inspct`") && stderr.contains("inspect, watch, lsp, dap, mcp, draw"), "{stderr}");
}

#[test]
fn shows_the_stored_map_of_a_part_pipeline() {
    let files = [samples().join("design_note.vert"), samples().join("design_note.frag")];
    let arguments: Vec<_> = files.iter().map(|f| f.to_string_lossy().into_owned()).collect();
    let whole = json(&arguments);
    let halves = json(arguments.iter().map(String::as_str).chain(["--part-pipeline"]));
    let stored = &halves["packing"]["stored"];
    assert_eq!(stored["locations"].as_array().map(Vec::len), Some(24));
    assert_eq!((&stored["builtins"], &stored["distances"]), (&serde_json::json!([]), &serde_json::json!([0, 0])));
    for section in ["map", "outputs", "exports", "dropped", "slots"] {
        assert_eq!(halves["packing"][section], whole["packing"][section], "{section}");
    }
    let text = outcome(["inspect".to_owned()].into_iter().chain(arguments).chain(["--part-pipeline".to_owned()])).1;
    assert!(text.contains("stored for the stages before: 26 integers"), "{text}");
    assert!(text.contains("0x1a → 0x19 (3.y → 3.x high)"), "{text}");
}

#[test]
fn interfaces_before_the_fragment_shader_have_sections_of_their_own() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let header = "#version 460\n";
    let files = [
        (
            "a.vert",
            "layout(location = 3) out vec2 a; layout(location = 5) out vec3 b;
          void main() { gl_Position = vec4(1); a = vec2(1); b = vec3(2); }",
        ),
        (
            "a.geom",
            "layout(points) in; layout(points, max_vertices = 1) out; layout(location = 3) in vec2 a[];
          layout(location = 5) in vec3 b[]; layout(location = 0) out vec4 c;
          void main() { gl_Position = vec4(1); c = vec4(a[0].y, b[0]); EmitVertex(); }",
        ),
        ("a.frag", "layout(location = 0) in vec4 c; layout(location = 0) out vec4 o; void main() { o = c; }"),
    ]
    .map(|(name, body)| {
        let path = temporary.path().join(name);
        std::fs::write(&path, format!("{header}{body}")).expect("writes");
        path.to_string_lossy().into_owned()
    });
    let inner = &json(&files)["inner_packing"][0];
    assert_eq!((inner["producer"].as_str(), inner["consumer"].as_str()), (Some("vertex"), Some("geometry")));
    assert_eq!(inner["slots"], serde_json::json!({"before": 2, "after": 1}));
    let text = outcome(["inspect".to_owned()].into_iter().chain(files)).1;
    let section = text.split("vertex → geometry, in LLPC's order").nth(1).expect("it has a section");
    let section = section.split("Registers").next().unwrap_or_default();
    assert!(section.contains("→ 0.w"), "{section}");
    assert!(!section.contains("flat") && !section.contains("parameter cache"), "nothing interpolates:\n{section}");
}
