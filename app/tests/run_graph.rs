//! `lanescope run` of work graphs, as a user types it, on the software device.

mod common;

use common::{file, outcome, samples};
use lanescope_core::run::graph::file as saved;
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
fn a_graph_is_stepped_run_free_and_saved() {
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
    let bytes = std::fs::read(path).expect("saved");
    assert!(saved::is_saved_run(&bytes));
    let run = saved::read(&bytes).expect("reads");
    assert_eq!((run.generations.len(), run.generations[1].nodes[0].records.len()), (3, 26));
    assert_eq!(saved::write(&run).expect("writes"), bytes);
    let other = String::from_utf8(bytes).expect("text").replacen("\"lanescope_run\":1", "\"lanescope_run\":9", 1);
    let error = saved::read(other.as_bytes()).expect_err("another version").to_string();
    assert!(error.contains("version 9"), "{error}");
    assert!(saved::read(b"{}").is_err() && saved::read(b"\xff").is_err());
}

#[test]
fn records_come_from_a_file_and_the_run_ends_where_it_is_told() {
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
    let (code, text, _) = run_text(&[&library, "--input", records]);
    assert_eq!(code, 0);
    assert!(text.contains("Generation 0") && text.contains("Box[0] (entry)"), "{text}");
}

fn run_text(arguments: &[&str]) -> (i32, String, String) {
    run(arguments)
}

#[test]
fn local_root_arguments_come_from_a_file() {
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
}

#[test]
fn what_cannot_be_run_is_said() {
    let library = sample("scenarios/01_counter_box.dxil");
    for (arguments, words) in [
        (&["--entry", "Nobody"][..], "`Nobody` is no entry point; there are: Box[0]"),
        (&["--stride", "8"], "stride 8 invalid for 12-byte records"),
        (&["--records", "99999999999"], "one input has at most"),
        (&["--ring", "12T"], "is no size"),
        (&["--ring", "16"], "at least 4096"),
        (&["--input", "nowhere.json"], "cannot be read"),
    ] {
        let (code, _, stderr) = run(&[&[library.as_str()], arguments].concat());
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(words), "{stderr}");
    }
    let (_folder, shader) = file("a.comp", "#version 450\nvoid main() {}");
    let (code, _, stderr) = run(&[shader.to_str().expect("UTF-8"), "--until", "1"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("no node of a work graph"), "{stderr}");
    let (_folder, records) = file("records.json", r#"{"records": [[3, 1, 1]]}"#);
    let report = run_json(&[&library, "--input", records.to_str().expect("UTF-8")], 1);
    assert!(report["run"]["stopped"]["why"].as_str().is_some_and(|why| why.contains("exceeds declared 2,2,2")));
}
