//! Files that earlier versions of the program wrote still open; files of later versions are refused with both numbers.

use lanescope_core::report::{Report, SCHEMA};
use lanescope_core::run::graph::file as saved;

use crate::common::{file, outcome, samples};

const REPORT: &str = include_str!("data/earlier/report_schema_1.json");
const RUN: &str = include_str!("data/earlier/run_version_1.lanescope-run");

#[test]
fn converts_signed_opcodes_of_schema_1() {
    assert!(REPORT.contains("\"opcode\": -2147483647"), "the fixture has signed opcodes");
    let report = Report::from_json(REPORT.as_bytes()).expect("opens");
    assert_eq!(report.schema, SCHEMA);
    let sample = samples().join("dxil/experimental_ops.cs.dxil");
    let sample = sample.to_str().expect("UTF-8");
    let (status, now, stderr) = outcome(["inspect", sample, "--format", "json"]);
    assert_eq!(status, 0, "{stderr}");
    let now = Report::from_json(now.as_bytes()).expect("reads its own report");
    let ops = |report: Report| report.dxil.expect("a container").ops;
    let (then, now) = (ops(report), ops(now));
    assert!(!then.is_empty());
    assert_eq!(then, now);
}

/// Outputs had the columns that are never written.
#[test]
fn converts_the_columns_of_outputs_of_schema_2() {
    for name in ["lit_surface.vs.dxil", "tessellated_patch.ds.dxil", "tessellated_patch.hs.dxil"] {
        let sample = samples().join("dxil").join(name);
        let (_, now, stderr) = outcome(["inspect", sample.to_str().expect("UTF-8"), "--format", "json"]);
        let report: serde_json::Value = serde_json::from_str(&now).unwrap_or_else(|error| panic!("{error}: {stderr}"));
        let mut old = report.clone();
        old["schema"] = 2.into();
        let signatures = old["dxil"]["signatures"].as_object_mut().expect("signatures");
        let is_output = |part: &str| part == "output" || part == "patch" && !name.contains(".ds.");
        for (_, elements) in signatures.iter_mut().filter(|(part, _)| is_output(part)) {
            for element in elements.as_array_mut().expect("elements") {
                let letters = |key: &str| element[key].as_str().expect("a mask").to_owned();
                let columns = letters("mask").chars().zip(letters("used").chars()).collect::<Vec<_>>();
                let never = columns.into_iter().map(|(mask, used)| if used == '-' { mask } else { '-' });
                element["used"] = never.collect::<String>().into();
            }
        }
        assert_ne!(old["dxil"], report["dxil"], "{name}");
        let signatures = |report: &serde_json::Value| {
            let report = Report::from_json(report.to_string().as_bytes()).expect("opens");
            report.dxil.expect("a container").signatures
        };
        assert_eq!(signatures(&old), signatures(&report), "{name}");
    }
}

#[test]
fn names_buffers_of_version_1_by_register() {
    assert!(RUN.contains("set0.binding0"), "the fixture names buffers by descriptor");
    let run = saved::read(RUN.as_bytes()).expect("opens");
    assert_eq!(run.buffers[0].name, "u0");
    assert_eq!(run.contents.keys().collect::<Vec<_>>(), ["u0"]);
    assert!(run.generations.iter().any(|is| is.changed.contains_key("u0")));
    let again = saved::write(&run).expect("writes");
    assert!(String::from_utf8_lossy(&again).starts_with("{\"lanescope_run\":2"));
    let (_folder, path) = file("old.lanescope-run", RUN);
    let (status, text, stderr) = outcome(["inspect", path.to_str().expect("UTF-8")]);
    assert_eq!(status, 0, "{stderr}");
    assert!(text.contains("u0  set0.binding0"), "{text}");
    // A run goes on from it: the contents are found by their new names.
    let library = samples().join("work_graphs/03_coalescing_reduce.dxil");
    let resumed = ["run", library.to_str().expect("UTF-8"), "--resume", path.to_str().expect("UTF-8"), "--from", "1"];
    let (status, text, stderr) = outcome(resumed.into_iter().chain(["--device", "llvmpipe"]));
    assert_eq!(status, 0, "{stderr}\n{text}");
    assert!(text.contains("0xc97739c6f52cb63c"), "the same contents: {text}");
}

#[test]
fn refuses_newer_files_with_both_numbers() {
    let newer = REPORT.replacen("\"schema\": 1", "\"schema\": 4", 1);
    let (_folder, path) = file("newer.json", newer);
    let sample = samples().join("lit_surface.vert");
    let (status, _, stderr) = outcome(["diff", path.to_str().expect("UTF-8"), sample.to_str().expect("UTF-8")]);
    assert_eq!(status, 2);
    assert!(stderr.contains("schema 4") && stderr.contains("1 to 3"), "{stderr}");
    let newer = RUN.replacen("\"lanescope_run\":1", "\"lanescope_run\":3", 1);
    let (_folder, path) = file("newer.lanescope-run", newer);
    let (status, _, stderr) = outcome(["inspect", path.to_str().expect("UTF-8")]);
    assert_eq!(status, 2);
    assert!(stderr.contains("version 3") && stderr.contains("1 to 2"), "{stderr}");
}
