//! What the commands print for scripts is as `lanescope schema` says.

use crate::common::{file, outcome, samples};
use jsonschema::Validator;
use serde_json::Value;

fn schema(form: &str) -> Validator {
    let (status, text, errors) = outcome(["schema", form]);
    assert_eq!(status, 0, "{errors}");
    let schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
    jsonschema::options().with_draft(jsonschema::Draft::Draft202012).build(&schema).expect("is a schema")
}

fn sample(name: &str) -> String {
    samples().join(name).to_string_lossy().into_owned()
}

/// What a command prints, checked.
fn check(schema: &Validator, arguments: &[&str]) -> Value {
    let (status, text, errors) = outcome(arguments.iter().copied());
    assert!(status < 2, "{arguments:?}: {errors}");
    let value: Value = serde_json::from_str(&text).expect("one JSON object");
    holds(schema, &value, &format!("{arguments:?}"));
    value
}

fn holds(schema: &Validator, value: &Value, what: &str) {
    let errors: Vec<_> =
        schema.iter_errors(value).take(5).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{what}:\n{}", errors.join("\n"));
}

#[test]
fn reports_are_as_their_schema_says() {
    let (report, findings) = (schema("report"), schema("findings"));
    let mut all: Vec<Vec<String>> = vec![
        vec!["inspect".to_owned(), sample("lit_surface.vert"), sample("lit_surface.frag")],
        vec!["inspect".to_owned(), sample("missing_input.vert"), sample("missing_input.frag")],
        vec!["inspect".to_owned(), sample("tile_16x16.comp"), "--reconfig".to_owned()],
        vec!["inspect".to_owned(), sample("spec_size.comp"), "--spec".to_owned(), "0=16".to_owned()],
        vec!["inspect".to_owned(), sample("textured_quad.pipe")],
        vec!["inspect".to_owned(), sample("tiled_blur.pipe")],
        vec!["isa".to_owned(), sample("tile_16x16.comp"), "--chip".to_owned(), "gfx1030".to_owned()],
        ["isa", &sample("lit_surface.vert"), &sample("lit_surface.frag"), "--chip", "gfx900"].map(str::to_owned).into(),
        vec!["guess-layout".to_owned(), sample("tile_16x16.comp"), "--chip".to_owned(), "gfx1030".to_owned()],
    ];
    for folder in ["dxil", "work_graphs"] {
        let containers = std::fs::read_dir(samples().join(folder)).expect("the samples").flatten();
        let containers =
            containers.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "dxil"));
        all.extend(containers.map(|path| vec!["inspect".to_owned(), path.to_string_lossy().into_owned()]));
    }
    for arguments in all {
        let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        arguments.extend(["--format", "json"]);
        let value = check(&report, &arguments);
        if let Some(found) = value.get("findings") {
            holds(&findings, found, "findings");
        }
    }
}

#[test]
fn code_objects_are_as_their_schemas_say() {
    let object = schema("code-object");
    let samples = ["fill.elf", "lit_named.elf", "lit_words.elf"].map(|name| sample(&format!("code_objects/{name}")));
    for path in &samples {
        check(&object, &["inspect", path, "--format", "json"]);
    }
    check(&schema("code-object-diff"), &["diff", &samples[1], &samples[2], "--format", "json"]);
    let predicted = schema("code-object-predicted");
    let [pipe, object] = ["code_objects/textured.pipe", "code_objects/textured.elf"].map(sample);
    check(&predicted, &["inspect", &pipe, "--object", &object, "--format", "json"]);
    check(&predicted, &["inspect", &sample("lit_surface.frag"), "--object", &samples[1], "--format", "json"]);
}

#[test]
fn searched_guesses_are_as_their_schemas_say() {
    let corpus = sample("effects.foz");
    for (form, flag) in [("guess-search", "--search"), ("guess-variants", "--vary"), ("guess-timeline", "--timeline")] {
        check(&schema(form), &["guess-layout", "--corpus", &corpus, flag, "--format", "json"]);
    }
    let tile = sample("tile_16x16.comp");
    let flags = ["--chip", "gfx1030", "--repeats", "1", "--no-cache", "--format", "json"];
    check(&schema("guess-corpus"), &[&["guess-layout", "--corpus", &tile][..], &flags].concat());
}

#[test]
fn the_linkage_of_partial_programs_is_as_its_schema_says() {
    let shaders = ["dxil/lit_surface.vs.dxil", "dxil/lit_surface.ps.dxil"].map(sample);
    let cost = schema("cost");
    for name in ["tile_16x16.comp", "odd_size.comp", "wave_size.comp", "quad_derivatives.comp"] {
        check(&cost, &["cost", &sample(name), "--format", "json"]);
    }
    let graph_cost = schema("graph-cost");
    let grids = sample("work_graphs/04_broadcast_grids.dxil");
    check(&graph_cost, &["cost", &grids, "--format", "json"]);
    check(&graph_cost, &["cost", &grids, "--run", "--device", "llvmpipe", "--format", "json"]);
    check(&graph_cost, &["cost", &sample("work_graphs/rules/g06_ring_of_three.dxil"), "--format", "json"]);
    let added = ["more_bins", "late_bins"].map(|name| sample(&format!("work_graphs/additions/{name}.dxil")));
    let sparse = sample("work_graphs/05_sparse_array.dxil");
    for path in &added {
        check(&schema("graph-addition"), &["cost", path, "--add-to", &sparse, "--format", "json"]);
    }
    let interface = schema("interface-cost");
    let lit = ["lit_surface.vert", "lit_surface.frag"].map(sample);
    for flags in [&["--target", "gfx1201"][..], &["--chip", "gfx1030"], &["--wave", "32"]] {
        check(&interface, &[&["cost", &lit[0], &lit[1]][..], flags, &["--format", "json"]].concat());
    }
    check(&schema("link-desc"), &["link-desc", &shaders[0], &shaders[1], "--format", "json"]);
}

#[test]
fn runs_differences_and_lines_are_as_their_schemas_say() {
    let tile = sample("tile_16x16.comp");
    let lit = [sample("lit_surface.vert"), sample("lit_surface.frag")];
    let run = schema("run");
    check(&run, &["run", &tile, "--device", "interpreter", "--format", "json"]);
    check(&run, &["run", &sample("race.comp"), "--device", "interpreter", "--format", "json"]);
    check(&run, &["run", &lit[0], &lit[1], "--device", "llvmpipe", "--format", "json"]);
    let script = schema("script-run");
    let passed =
        check(&script, &["run", &sample("inputs/two_passes.txt"), "--device", "interpreter", "--format", "json"]);
    assert_eq!((&passed["schema"], &passed["expectations"][1]["differ"]), (&Value::from(1), &Value::from(0)));
    let text = std::fs::read_to_string(sample("inputs/two_passes.txt")).expect("a sample");
    let text = text.replace("EQ 5 13", "EQ 5 14").replacen("\n", "\nDEVICE_FEATURE shaderInt8\n", 1);
    let (_folder, failing) = file("failing.amber", text);
    let failed =
        check(&script, &["run", failing.to_str().expect("UTF-8"), "--device", "interpreter", "--format", "json"]);
    assert_eq!(failed["failures"].as_array().map(Vec::len), Some(1));
    assert_eq!(failed["requirements_not_checked"][0], "DEVICE_FEATURE shaderInt8");
    let graph = sample("work_graphs/01_tile_classify.dxil");
    check(&schema("graph-run"), &["run", &graph, "--device", "llvmpipe", "--format", "json"]);
    check(&schema("diff"), &["diff", &tile, &sample("odd_size.comp"), "--format", "json"]);
    let variants = [sample("row_sums.comp.wgsl"), sample("inputs/row_sums.variants")];
    check(&schema("variants"), &["diff", &variants[0], "--variants", &variants[1], "--format", "json"]);
    let (_folder, list) = file("list.txt", format!("{tile}\n{}\n", sample("wave_size.comp")));
    let (status, lines, errors) = outcome(["corpus", &format!("@{}", list.display()), "--format", "jsonl"]);
    assert!(status < 3, "{errors}");
    let corpus = schema("corpus");
    for line in lines.lines() {
        holds(&corpus, &serde_json::from_str(line).expect("JSON"), line);
    }
    assert!(lines.lines().count() >= 3, "{errors}");
}

#[test]
fn capabilities_are_as_their_schemas_say() {
    let features = schema("features");
    let row = |value: &Value, name: &str| {
        let rows = value["capabilities"].as_array().expect("a list");
        rows.iter().find(|row| row["capability"] == name).expect("a row").clone()
    };
    for with in [["--chip", "gfx1030"], ["--device", "llvmpipe"]] {
        let value = check(&features, &["doctor", "--features", with[0], with[1], "--format", "json"]);
        let double = row(&value, "Float64");
        assert_eq!((&double["offered"], &double["number"]), (&Value::from("yes"), &Value::from(10)));
        assert_eq!(double["needs"][0]["feature"], "shaderFloat64");
        assert_eq!(row(&value, "Kernel")["offered"], "unknown");
        let motion = row(&value, "RayTracingMotionBlurNV");
        assert_eq!(motion["offered"], "no");
        assert_eq!(motion["lacks"], "the extension VK_NV_ray_tracing_motion_blur");
        assert_eq!(value.get("chip").is_some(), with[0] == "--chip");
    }
    let shown = check(&schema("capabilities"), &["doctor", "--capabilities", "--format", "json"]);
    assert_eq!(row(&shown, "Float64")["interpreted"], "yes");
    assert_eq!(row(&shown, "Kernel")["opens"], "no sample");
    let (status, text, _) = outcome(["doctor", "--capabilities"]);
    assert!(status == 0 && text.lines().count() > 300, "{text}");
    // What is not there is missing; a chip without the list is a mistake.
    assert_eq!(outcome(["doctor", "--features", "--device", "no such device"]).0, 3);
    assert_eq!(outcome(["doctor", "--chip", "gfx1030"]).0, 2);
}

#[test]
fn a_schema_rejects_what_is_not_a_report() {
    let report = schema("report");
    let (_, text, _) = outcome(["inspect", &sample("tile_16x16.comp"), "--format", "json"]);
    let mut value: Value = serde_json::from_str(&text).expect("JSON");
    assert!(report.is_valid(&value));
    value["workgroup"][0]["size"] = Value::from("16x16");
    assert!(!report.is_valid(&value));
}
