//! `lanescope run` of work graphs, as a user types it, on the software device.

use crate::common;
use crate::common::{file, outcome, samples};
use lanescope_core::run::graph::file as saved;
use lanescope_core::run::hash;
use serde_json::{Value, json};

const DEVICE: [&str; 3] = ["--device", "llvmpipe", "--validate"];

fn sample(name: &str) -> String {
    samples().join("work_graphs").join(name).to_string_lossy().into_owned()
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    outcome(["run"].into_iter().chain(arguments.iter().copied()).chain(DEVICE))
}

fn run_json(arguments: &[&str], status: i32) -> Value {
    let (code, stdout, stderr) = run(&[arguments, &["--format", "json"]].concat());
    assert_eq!(code, status, "{stderr}");
    serde_json::from_str(&stdout).expect("standard output is one JSON object")
}

#[test]
fn steps_runs_gpu_driven_and_saves_a_graph() {
    let library = sample("01_tile_classify.dxil");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("tiles.lanescope-run");
    let path = path.to_str().expect("UTF-8");
    let stepped = run_json(&[&library, "--save", path], 0);
    let free = run_json(&[&library, "--mode", "free"], 0);
    let words = |report: &Value| report["run"]["buffers"][0]["values"].clone();
    assert_eq!(words(&stepped), words(&free));
    let first = &stepped["run"]["generations"][1]["nodes"][0];
    assert_eq!((&first["node"], &first["records"]), (&json!("Material[0]"), &json!(26)));
    assert_eq!(first["values"].as_array().map(Vec::len), Some(8));
    assert_eq!(
        (&first["written_by"][7]["node"], &first["written_by"][7]["record"]),
        (&json!("ClassifyTiles[0]"), &json!(0))
    );
    let bytes = std::fs::read(path).expect("saved");
    assert!(saved::is_saved_run(&bytes));
    let run = saved::read(&bytes).expect("reads");
    assert_eq!((run.generations.len(), run.generations[1].nodes[0].records.len()), (3, 26));
    assert_eq!(saved::write(&run).expect("writes"), bytes);
    let other = String::from_utf8(bytes).expect("text").replacen("\"lanescope_run\":2", "\"lanescope_run\":9", 1);
    let error = saved::read(other.as_bytes()).expect_err("another version").to_string();
    assert!(error.contains("version 9"), "{error}");
    assert!(saved::read(b"{}").is_err() && saved::read(b"\xff").is_err());
}

#[test]
fn reads_records_from_a_file_and_stops_at_until() {
    let library = sample("scenarios/22_recursion.dxil");
    let report = run_json(&[&library, "--until", "2", "--show", "1"], 0);
    let run = &report["run"];
    assert_eq!(run["generations"].as_array().map(Vec::len), Some(3));
    assert_eq!((&run["pending"][0]["node"], &run["pending"][0]["records"]), (&json!("Climb[0]"), &json!(8)));
    let library = sample("scenarios/01_counter_box.dxil");
    let (_folder, records) = file("records.json", r#"{"records": [{"SV_DispatchGrid": [1, 2, 2]}, [2, 1, 1]]}"#);
    let records = records.to_str().expect("UTF-8");
    let report = run_json(&[&library, "--entry", "Box", "--input", records, "--dispatches", "3"], 0);
    let cells = report["run"]["buffers"][0]["values"].to_string();
    assert_eq!((cells.matches('6').count(), cells.matches('3').count()), (24, 96));
    // The same as a table, and as bytes.
    let table = "SV_DispatchGrid.x,SV_DispatchGrid.y,SV_DispatchGrid.z\n1,2,2\n2,1,1\n";
    let words: Vec<u8> = [1u32, 2, 2, 2, 1, 1].iter().flat_map(|word| word.to_le_bytes()).collect();
    for (name, bytes) in [("records.csv", table.as_bytes()), ("records.bin", &words)] {
        let (_folder, same) = file(name, bytes);
        let arguments = ["--entry", "Box", "--input", same.to_str().expect("UTF-8"), "--dispatches", "3"];
        let report = run_json(&[&[library.as_str()], &arguments[..]].concat(), 0);
        assert_eq!(report["run"]["buffers"][0]["values"].to_string(), cells, "{name}");
    }
    let (code, text, _) = run_text(&[&library, "--input", records]);
    assert_eq!(code, 0);
    assert!(text.contains("Generation 0") && text.contains("Box[0] (entry)"), "{text}");
    // Bytes at a stride, the last record without its padding; and records that begin like text.
    let words: Vec<u8> = [1u32, 2, 2, 9, 2, 1, 1].iter().flat_map(|word| word.to_le_bytes()).collect();
    let (_folder, apart) = file("apart.bin", &words);
    let arguments = ["--input", apart.to_str().expect("UTF-8"), "--stride", "16", "--dispatches", "3"];
    let report = run_json(&[&[library.as_str()], &arguments[..]].concat(), 0);
    assert_eq!(report["run"]["buffers"][0]["values"].to_string(), cells);
    let library = sample("scenarios/45_entry_kinds.dxil");
    for first in [10u32, u32::from(b'['), u32::from(b'{')] {
        let words: Vec<u8> = [first, 2, 3].iter().flat_map(|word| word.to_le_bytes()).collect();
        let (_folder, same) = file("records.bin", &words);
        let arguments = ["--entry", "CountThread", "--input", same.to_str().expect("UTF-8")];
        let report = run_json(&[&[library.as_str()], &arguments[..]].concat(), 0);
        assert_eq!(report["run"]["generations"][0]["nodes"][0]["records"], json!(3), "{first}");
    }
}

#[test]
fn prints_record_members_in_order() {
    let (code, text, _) = run_text(&[&sample("scenarios/42_mixed_alignment.dxil")]);
    assert!(code == 0 && text.contains("#  serial  place           code  weight"), "{text}");
}

fn run_text(arguments: &[&str]) -> (i32, String, String) {
    run(arguments)
}

#[test]
fn reads_local_root_arguments_from_a_file() {
    let library = sample("scenarios/25_local_roots.dxil");
    let (code, _, stderr) = run(&[&library]);
    assert_eq!(code, 2);
    assert!(stderr.contains("A[0] uses entry 0 of the table"), "{stderr}");
    let (_folder, roots) =
        file("roots.json", r#"{"buffers": {"buf": 256}, "table": [["buf", 30, 20], ["buf", 40, 50]]}"#);
    let report = run_json(&[&library, "--local-root", roots.to_str().expect("UTF-8")], 0);
    let buffers = report["run"]["buffers"].as_array().expect("buffers");
    let buffer = buffers.iter().find(|buffer| buffer["name"] == "local.buf").expect("its buffer");
    assert_eq!((&buffer["values"][30], &buffer["values"][50]), (&json!(600), &json!(2400)));
    for (size, words) in [
        ("2", "a buffer of 2 bytes; expected a positive multiple of 4"),
        ("0", "a buffer of 0 bytes"),
        ("[]", "without a word"),
    ] {
        let (_folder, roots) = file("roots.json", format!(r#"{{"buffers": {{"buf": {size}}}, "table": []}}"#));
        let (code, _, stderr) = run(&[&library, "--local-root", roots.to_str().expect("UTF-8")]);
        assert!(code == 2 && stderr.contains(words), "{stderr}");
    }
}

#[test]
fn explains_what_cannot_run() {
    let library = sample("scenarios/01_counter_box.dxil");
    for (arguments, words) in [
        (&["--entry", "Nobody"][..], "`Nobody` is not an entry point; entry points: Box[0]"),
        (&["--stride", "8"], "stride 8 invalid for 12-byte records"),
        (&["--records", "99999999999"], "the limit per input is"),
        (&["--ring", "12T"], "invalid size `12T`"),
        (&["--ring", "16"], "at least 4096"),
        (&["--input", "nowhere.json"], "cannot be read"),
        (&["--batch", "0"], "'--batch <N>': 0 is not in 1.."),
        (&["--width", "0"], "'--width <N>': 0 is not in 1.."),
        (&["--coalesce", "0"], "'--coalesce <N>': 0 is not in 1.."),
    ] {
        let (code, _, stderr) = run(&[&[library.as_str()], arguments].concat());
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(words), "{stderr}");
    }
    let (code, _, stderr) = run(&[&sample("scenarios/45_entry_kinds.dxil")]);
    assert_eq!(code, 2);
    assert!(stderr.contains("no entry point is named; entry points: ") && stderr.contains("CountEmpty[0]"), "{stderr}");
    let (_folder, shader) = file("a.comp", "#version 450\nvoid main() {}");
    let (code, _, stderr) = run(&[shader.to_str().expect("UTF-8"), "--until", "1"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("not a work graph"), "{stderr}");
    // A flag that only the other kind of run accepts is rejected by name, for any value.
    let shader = shader.to_str().expect("UTF-8");
    let own = ["--mode", "step", "--ring", "4K", "--stride", "4", "--records", "9", "--batch", "3", "--show", "8"];
    let (code, _, stderr) = run(&[&[shader], &own[..]].concat());
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("so --stride, --records, --mode, --ring, --show, --batch cannot be used\n"), "{stderr}");
    for others in [
        &["--against", "nowhere.comp"][..],
        &["--groups", "4,4,1"],
        &["--widen"],
        &["--original-only"],
        &["--derivatives-by", "auto"],
        &["--wave", "32"],
    ] {
        let (code, stdout, stderr) = run(&[&[library.as_str()], others].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(&format!("{} cannot be used with a work graph\n", others[0])), "{stderr}");
    }
    let (_folder, table) = file("records.csv", "colour\n1\n");
    let (code, _, stderr) = run(&[&library, "--input", table.to_str().expect("UTF-8")]);
    assert!(
        code == 2 && stderr.contains("records.csv: the records: line 1: the record has no member colour"),
        "{stderr}"
    );
    let (_folder, table) = file("records.csv", "\u{feff}SV_DispatchGrid.x,SV_DispatchGrid.y\r\n1,1\r\n");
    let (code, _, stderr) = run(&[&library, "--input", table.to_str().expect("UTF-8")]);
    assert!(code == 2 && stderr.contains("line 1: no column for SV_DispatchGrid.z; each"), "{stderr}");
    let (_folder, one) = file("records.json", r#"{"records": [{"f0": 1}]}"#);
    let empty = sample("07_wide_dag.dxil");
    let (code, _, stderr) = run(&[&empty, "--input", one.to_str().expect("UTF-8")]);
    assert!(
        code == 2 && stderr.contains("accepts only empty records; set their number with {\"count\": 1}"),
        "{stderr}"
    );
    let (_folder, records) = file("records.json", r#"{"records": [[3, 1, 1]]}"#);
    let report = run_json(&[&library, "--input", records.to_str().expect("UTF-8")], 1);
    assert!(report["run"]["stopped"]["why"].as_str().is_some_and(|why| why.contains("exceeds declared 2,2,2")));
}

#[test]
fn stops_at_a_breakpoint_and_continues_with_edited_records() {
    let library = sample("01_tile_classify.dxil");
    let (code, stdout, stderr) = run(&[&library, "--break", "Material[2]: f0 >= 100", "--format", "json"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("stopped by a breakpoint before generation 1: Material[2], record"), "{stderr}");
    let report: Value = serde_json::from_str(&stdout).expect("standard output is one JSON object");
    assert_eq!(report["run"]["generations"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&report["run"]["pending"][2]["node"], &report["run"]["pending"][2]["records"]),
        (&json!("Material[2]"), &json!(26))
    );
    // One tile of material 0 becomes one of material 3: its members that are not named stay.
    let change = r#"{"edits": [{"generation": 1, "node": "Material[0]", "record": 0, "value": {"f1": 3}}]}"#;
    let (_folder, changes) = file("changes.json", change);
    let changes = changes.to_str().expect("UTF-8");
    let report = run_json(&[&library, "--edit", changes], 0);
    let values = &report["run"]["buffers"][0]["values"]["data"];
    assert_eq!(
        (&values[0], &values[3], &values[8], &values[11]),
        (&json!(52000), &json!(216_320), &json!(25), &json!(26))
    );
    let node = &report["run"]["generations"][1]["nodes"][0];
    assert_eq!((&node["edited"][0]["record"], &node["edited"][0]["was"]["f1"]), (&json!(0), &json!(0)));
    assert_eq!(node["values"][0]["f1"], json!(3));
    let (code, text, _) = run(&[&library, "--edit", changes]);
    assert_eq!(code, 0);
    assert!(text.contains("record 0 was changed; it was"), "{text}");
    for (arguments, words) in [
        (&["--break", "Nobody"][..], "no node `Nobody` in this graph"),
        (&["--break", "Material[0]: f9 > 1"], "--break Material[0]"),
        (&["--break", "Resolve", "--mode", "free"], "--break and --edit cannot be used with --gpu-driven"),
        (&["--edit", "nowhere.json"], "cannot be read"),
    ] {
        let (code, _, stderr) = run(&[&[library.as_str()], arguments].concat());
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(words), "{stderr}");
    }
    for (change, words) in [
        (
            r#"{"edits": [{"generation": 9, "node": "Resolve", "record": 0, "value": {}}]}"#,
            "no records wait for generation 9",
        ),
        (
            r#"{"edits": [{"generation": 1, "node": "Material[0]", "record": 99, "value": {}}]}"#,
            "only 26 records are kept",
        ),
        (r#"{"edits": [{"generation": 1, "node": "Material[0]", "record": 0, "value": {"f7": 1}}]}"#, "unknown member"),
        ("[]", "not a file of record changes"),
    ] {
        let (_folder, changes) = file("changes.json", change);
        let (code, _, stderr) = run(&[&library, "--edit", changes.to_str().expect("UTF-8")]);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(words) && stderr.contains("changes.json: "), "{stderr}");
    }
}

/// A run whose child does what the variable says.
fn run_with_fault(fault: &str, arguments: &[&str]) -> (i32, String, String) {
    let mut command = common::lanescope();
    command.arg("run").args(arguments).args(["--device", "llvmpipe"]).env("LANESCOPE_WORKER_FAULT", fault);
    let output = command.output().expect("starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("the program exits by itself"), text(output.stdout), text(output.stderr))
}

#[test]
fn keeps_read_generations_after_a_child_crash() {
    let library = sample("02_quadtree_recursion.dxil");
    let whole = run_json(&[&library], 0);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("broken.lanescope-run");
    for fault in ["abort", "crash", "exit"] {
        let arguments = [
            library.as_str(),
            "--format",
            "json",
            "--save",
            path.to_str().expect("UTF-8"),
            "--force",
            "--timeout",
            "20",
        ];
        let (code, stdout, stderr) = run_with_fault(&format!("{fault}:generation=2"), &arguments);
        assert_eq!(code, 1, "{stderr}");
        let report: Value = serde_json::from_str(&stdout).expect("one JSON object");
        let (run, whole) = (&report["run"], &whole["run"]);
        assert_eq!(run["generations"].as_array().map(Vec::len), Some(2), "{fault}");
        for at in 0..2 {
            for what in ["records", "node", "launches"] {
                let of = |run: &Value| run["generations"][at]["nodes"][0][what].clone();
                assert_eq!(of(run), of(whole), "{fault}, generation {at}, {what}");
            }
        }
        // The records that the generation was about to run with were read back from the one before.
        assert_eq!(run["pending"][0]["records"], whole["generations"][2]["nodes"][0]["records"]);
        let stopped = &run["stopped"];
        assert_eq!((&stopped["generation"], &stopped["node"]), (&json!(2), &run["pending"][0]["node"]));
        let end = if fault == "exit" { "ended" } else { "crashed" };
        let why = stopped["why"].as_str().unwrap_or_default();
        assert!(why.contains(&format!("the worker process {end}")), "{fault}: {stopped}");
        let saved = saved::read(&std::fs::read(&path).expect("saved")).expect("reads");
        assert_eq!((saved.generations.len(), saved.buffers.is_empty()), (2, false));
        for buffer in &saved.buffers {
            let held = &saved.contents.get(&buffer.name).expect("what it held before").0;
            assert_eq!((held.len() as u64, buffer.hash), (buffer.bytes, hash(held)));
        }
    }
}

#[test]
fn keeps_read_generations_after_a_device_timeout() {
    let library = sample("02_quadtree_recursion.dxil");
    let (code, text, stderr) = run_with_fault("hang:generation=1", &[&library, "--timeout", "0.5"]);
    assert_eq!(code, 1, "{stderr}");
    for words in ["Generation 0", "Waiting", "Stopped  generation 1", "took longer than"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // The device itself is too slow here: it is abandoned, by its own time limit.
    let library = sample("08_million_records.dxil");
    let (code, text, stderr) = run(&[&library, "--timeout", "0.001"]);
    assert_eq!(code, 1, "{stderr}");
    assert!(text.contains("the device did not finish generation"), "{text}");
}

#[test]
fn shows_a_saved_run_without_a_device() {
    let library = sample("scenarios/22_recursion.dxil");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("climb.lanescope-run");
    let path = path.to_str().expect("UTF-8");
    let (code, ran, stderr) = run(&[&library, "--save", path]);
    assert_eq!(code, 0, "{stderr}");
    let mut command = common::lanescope();
    // No driver is found at all.
    command.args(["inspect", path]).env("VK_DRIVER_FILES", "/nowhere").env("VK_ICD_FILENAMES", "/nowhere");
    let output = command.output().expect("starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), ran);
    let (code, json, _) = outcome(["inspect", path, "--format", "json", "--show", "2"]);
    let report: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((code, report["run"]["generations"][1]["nodes"][0]["values"].as_array().map(Vec::len)), (0, Some(2)));
    let (code, _, stderr) = run(&[path]);
    assert_eq!(code, 2);
    assert!(stderr.contains("`lanescope inspect` shows it"), "{stderr}");
    let (_folder, odd) = file("odd.lanescope-run", "{\"lanescope_run\": 9, \"run\": {}}");
    let (code, _, stderr) = outcome(["inspect", odd.to_str().expect("UTF-8")]);
    assert_eq!(code, 2);
    assert!(stderr.contains("unsupported saved run version 9"), "{stderr}");
}

#[test]
fn spirv_nodes_need_a_device_with_the_extension() {
    let (code, _, stderr) = run(&[&sample("enqueue.spvasm")]);
    assert_eq!(code, 3);
    assert!(stderr.contains("VK_AMDX_shader_enqueue"), "{stderr}");
}

#[test]
fn resumes_a_saved_run_from_any_generation() {
    let library = sample("01_tile_classify.dxil");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("tiles.lanescope-run");
    let path = path.to_str().expect("UTF-8");
    let whole = run_json(&[&library], 0);
    run_json(&[&library, "--until", "0", "--save", path], 0);
    let values = |report: &Value| report["run"]["buffers"][0]["values"]["data"].clone();
    let counts = |report: &Value| {
        let generations = report["run"]["generations"].as_array().expect("generations");
        generations.iter().map(|is| is["nodes"].as_array().map(Vec::len)).collect::<Vec<_>>()
    };
    // Where its records wait, with one of them changed.
    let change = r#"{"edits": [{"generation": 1, "node": "Material[0]", "record": 0, "value": {"f1": 3}}]}"#;
    let (_folder, changes) = file("changes.json", change);
    let changes = changes.to_str().expect("UTF-8");
    let run = run_json(&[&library, "--resume", path, "--edit", changes, "--save", path, "--force"], 0);
    assert_eq!((&values(&run)[8], &values(&run)[11]), (&json!(25), &json!(26)));
    assert_eq!((run["run"]["generations"].as_array().map(Vec::len), counts(&run)), (Some(3), counts(&whole)));
    // Once more from there, and the record changed back.
    let back = r#"{"edits": [{"generation": 1, "node": "Material[0]", "record": 0, "value": {"f1": 0}}]}"#;
    let (_folder, back) = file("back.json", back);
    let run = run_json(&[&library, "--resume", path, "--from", "1", "--edit", back.to_str().expect("UTF-8")], 0);
    assert_eq!(values(&run), values(&whole));
    let run = run_json(&[&library, "--resume", path, "--from", "0", "--dispatches", "2"], 0);
    assert_eq!(run["run"]["generations"].as_array().map(Vec::len), Some(6));
    let other = sample("02_quadtree_recursion.dxil");
    for (arguments, words) in [
        (&[library.as_str(), "--resume", path][..], "the run is complete; use --from to choose a generation: 0 to 2"),
        (&[&library, "--resume", path, "--from", "7"], "generation 7 does not exist: expected 0 to 2"),
        (&[&library, "--resume", path, "--from", "1", "--mode", "free"], "--resume cannot be used with --gpu-driven"),
        (&[&library, "--resume", path, "--from", "1", "--entry", "ClassifyTiles"], "has its entry nodes"),
        (&[&library, "--from", "1"], "--resume"),
        (&[&library, "--resume", path, "--records", "2"], "cannot be used with"),
        (&[&library, "--resume", changes], "not a saved run"),
        (&[&library, "--resume", "nowhere.lanescope-run"], "cannot be read"),
        (&[&other, "--resume", path, "--from", "1"], "its nodes are ClassifyTiles[0], "),
        (&[path], "--resume` continues it"),
    ] {
        let (code, _, stderr) = run_text(arguments);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(words), "{words}: {stderr}");
    }
}

#[test]
fn resumes_a_saved_run_with_local_root_arguments() {
    let library = sample("scenarios/25_local_roots.dxil");
    let (_folder, roots) =
        file("roots.json", r#"{"buffers": {"buf": 256}, "table": [["buf", 30, 20], ["buf", 40, 50]]}"#);
    let roots = roots.to_str().expect("UTF-8");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("roots.lanescope-run");
    let path = path.to_str().expect("UTF-8");
    let whole = run_json(&[&library, "--local-root", roots, "--input-mode", "gpu"], 0);
    run_json(&[&library, "--local-root", roots, "--input-mode", "gpu", "--until", "0", "--save", path], 0);
    let run = run_json(&[&library, "--local-root", roots, "--resume", path], 0);
    assert_eq!((&run["run"]["buffers"], &run["run"]["input_mode"]), (&whole["run"]["buffers"], &json!("gpu")));
}

#[test]
fn resumes_past_the_breakpoint_that_stopped_the_run() {
    let library = sample("scenarios/22_recursion.dxil");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("climb.lanescope-run");
    let path = path.to_str().expect("UTF-8");
    let stop = ["--break", "Climb"];
    let ran = |report: &Value| report["run"]["generations"].as_array().map(Vec::len);
    let first = run_json(&[&[library.as_str(), "--save", path][..], &stop].concat(), 0);
    let second = run_json(&[&[library.as_str(), "--resume", path, "--save", path, "--force"][..], &stop].concat(), 0);
    assert_eq!(ran(&second), ran(&first).map(|there| there + 1), "it stops before the next one");
}

#[test]
fn names_the_resumed_generation_when_the_child_dies() {
    let library = sample("01_tile_classify.dxil");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("tiles.lanescope-run");
    let path = path.to_str().expect("UTF-8");
    run_json(&[&library, "--until", "0", "--save", path], 0);
    let arguments = [library.as_str(), "--resume", path, "--format", "json"];
    let (code, stdout, stderr) = run_with_fault("abort:generation=1", &arguments);
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("running the work graph from generation 1: SIGABRT"), "{stdout}");
}

#[test]
fn writes_results_of_a_graph_to_a_folder() {
    let library = sample("01_tile_classify.dxil");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let to = out.to_str().expect("UTF-8");
    let report = run_json(&[&library, "--out", to], 0);
    let buffer = &report["run"]["buffers"][0];
    assert_eq!(buffer["register"], json!("u0"));
    let read = |name: &str| std::fs::read(out.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let name = buffer["name"].as_str().expect("a name");
    assert_eq!(read(&format!("{name}.bin")).len() as u64, buffer["bytes"].as_u64().expect("a number"));
    let typed: Value = serde_json::from_slice(&read(&format!("{name}.json"))).expect("JSON");
    assert_eq!(typed, buffer["values"]);
    let run: Value = serde_json::from_slice(&read("run.json")).expect("JSON");
    assert_eq!(run["run"]["generations"].as_array().map(Vec::len), Some(3));
    let (code, _, stderr) = run_text(&[&library, "--out", to]);
    assert_eq!(code, 2);
    assert!(stderr.contains("exists"), "{stderr}");
    // Any of the files is in the way, and is found before the graph runs: here there is no such device.
    std::fs::remove_file(out.join("run.json")).expect("it was written");
    let (code, _, stderr) = outcome(["run", &library, "--out", to, "--device", "nowhere"]);
    assert_eq!(code, 2);
    assert!(stderr.contains(&format!("{name}.bin: exists")), "{stderr}");
}

/// A buffer that a dispatch left has the structure, and the records that it says the place of.
#[test]
fn entry_and_records_are_read_from_device_memory() {
    let library = sample("scenarios/45_entry_kinds.dxil");
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let counts = |arguments: &[&str]| {
        let report = run_json(&[&[library.as_str()], arguments].concat(), 0);
        let values = report["run"]["buffers"][0]["values"]["data"].as_array().expect("words");
        values.iter().take(7).map(|word| word.as_u64().expect("a word")).collect::<Vec<_>>()
    };
    // Entry points are in the order of their names. CountBroadcast with three records at 0x1020, 4 bytes apart.
    let one = [0, 3, 0x1020, 0, 4, 0, 0, 0, 10, 20, 30];
    let (_folder, image) = file("image.bin", words(&one));
    let image = image.to_str().expect("UTF-8");
    let in_memory = ["--input-mode", "gpu", "--gpu-input", image, "--gpu-address", "0x1000"];
    assert_eq!(counts(&in_memory), [0, 0, 0, 0, 6, 120, 0]);
    assert_eq!(counts(&[&in_memory[..], &["--gpu-driven"]].concat()), [0, 0, 0, 0, 6, 120, 0]);
    let json = format!(r#"{{"node_gpu_input": {{"address": 4096, "words": {one:?}}}}}"#);
    let (_folder, text) = file("image.json", json);
    let text = text.to_str().expect("UTF-8");
    assert_eq!(counts(&["--input-mode", "gpu", "--input", text]), [0, 0, 0, 0, 6, 120, 0]);
    // Several: CountEmpty with nine records, and CountThread with two times the one at 80.
    let several = [0, 0, 2, 0, 32, 0, 24, 0, 2, 9, 0, 0, 0, 0, 3, 2, 80, 0, 0, 0, 7];
    let (_folder, image) = file("several.bin", words(&several));
    let image = image.to_str().expect("UTF-8");
    let several = ["--input-mode", "multi-gpu", "--gpu-input", image, "--gpu-offset", "8"];
    assert_eq!(counts(&several), [2, 14, 0, 0, 0, 0, 9]);
}

#[test]
fn structures_in_device_memory_that_do_not_fit_are_rejected() {
    let library = sample("scenarios/45_entry_kinds.dxil");
    // What an earlier dispatch left: its counters, which are no structure.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let (status, _, errors) =
        run(&[&library, "--entry", "CountBroadcast", "--records", "1", "-o", out.to_str().expect("UTF-8")]);
    assert_eq!(status, 0, "{errors}");
    let mut left = std::fs::read_dir(&out).expect("results").map(|file| file.expect("reads").path());
    let left = left.find(|path| path.extension().is_some_and(|extension| extension == "bin")).expect("a buffer");
    let left = left.to_str().expect("UTF-8");
    let (_folder, json) = file("far.json", r#"{"node_gpu_input": {"words": [9, 1, 24, 0, 4, 0, 1]}}"#);
    let json = json.to_str().expect("UTF-8");
    for (arguments, expected) in [
        (&["--input-mode", "gpu", "--gpu-input", left][..], "Records.StrideInBytes"),
        (
            &["--input-mode", "gpu", "--gpu-input", left, "--gpu-offset", "4"],
            "expected an address that is a multiple of 8",
        ),
        (&["--input-mode", "gpu", "--gpu-input", left, "--gpu-offset", "999992"], "its 24 bytes are not in the buffer"),
        (&["--gpu-input", left], "--gpu-input needs --input-mode gpu or multi-gpu; it is cpu"),
        (&["--input-mode", "gpu", "--gpu-input", left, "--entry", "CountEmpty"], "remove --entry"),
        (&["--input-mode", "gpu", "--input", json], "EntrypointIndex (at 0x0): G39 entry index 9, graph has 4"),
        (&["--input", json], "far.json: a structure for --input-mode gpu; it is cpu"),
        (&["--input-mode", "gpu", "--input", json, "--records", "2"], "the structure has stride and count"),
        (&["--gpu-offset", "8"], "--gpu-input"),
        (&["--gpu-input", left, "--gpu-address", "q"], "invalid address `q`"),
    ] {
        let (status, stdout, stderr) = run(&[&[library.as_str()], arguments].concat());
        assert_eq!((status, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
    }
}
