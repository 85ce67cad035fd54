//! `lanescope watch`, and findings as SARIF, as editors and code hosts read them.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use crate::common::{file, lanescope, outcome, samples};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

const SHADER: &str = "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"scale.glsl\"\nlayout(location = 0) in vec2 uv;\n\
                      layout(location = 0) out vec4 colour;\nvoid main() { colour = uv.xyxy * SCALE; }\n";

/// Interrupts a child and waits for it, also where a test fails.
struct Interrupted(Child);

impl Interrupted {
    fn interrupt(&mut self) -> Option<i32> {
        let id = Pid::from_child(&self.0);
        kill_process(id, Signal::INT).expect("runs");
        self.0.wait().expect("ends").code()
    }
}

impl Drop for Interrupted {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn each_change_is_a_line_and_ctrl_c_ends_well() {
    let (folder, path) = file("lit.frag", SHADER);
    let included = folder.path().join("scale.glsl");
    std::fs::write(&included, "#define SCALE 2.0\n").expect("writable");
    let mut command = lanescope();
    command.arg("watch").arg(&path).args(["--format", "json"]).stdout(Stdio::piped());
    let mut child = Interrupted(command.spawn().expect("starts"));
    let mut lines = BufReader::new(child.0.stdout.take().expect("piped")).lines();
    let mut next = || -> Value {
        let line = lines.next().expect("goes on").expect("is text");
        serde_json::from_str(&line).expect("a line is one JSON object")
    };
    let first = next();
    assert_eq!(first["schema"], 1);
    assert_eq!(first["changed"][0], path.to_str().expect("Unicode"));
    assert_eq!(first["report"]["stages"][0]["stage"], "fragment");
    std::fs::write(&path, "#version 450\nvoid main() { colour = 1; }\n").expect("writable");
    let broken = next();
    assert!(broken.get("report").is_none());
    assert!(broken["error"].as_str().is_some_and(|text| text.contains("colour")), "{broken}");
    std::fs::write(&path, SHADER).expect("writable");
    assert!(next()["report"].is_object());
    std::fs::write(&included, "#define SCALE 3.0\n").expect("writable");
    let changed = next();
    assert_eq!(changed["changed"][0], included.to_str().expect("Unicode"), "included files are watched");
    std::fs::remove_file(&path).expect("there");
    assert!(next()["error"].as_str().is_some_and(|text| text.contains("lit.frag")));
    assert_eq!(child.interrupt(), Some(0));
}

#[test]
fn sarif_has_the_rules_and_files_of_findings() {
    let shader = samples().join("missing_input.frag").to_string_lossy().into_owned();
    let vertex = samples().join("missing_input.vert").to_string_lossy().into_owned();
    let (_, report, _) = outcome(["inspect", &vertex, &shader, "--format", "json"]);
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let (_, log, errors) = outcome(["inspect", &vertex, &shader, "--format", "sarif"]);
    let log: Value = serde_json::from_str(&log).expect(&errors);
    assert_eq!(log["version"], "2.1.0");
    let (run, findings) = (&log["runs"][0], report["findings"].as_array().expect("findings"));
    let results = run["results"].as_array().expect("results");
    assert!(!findings.is_empty());
    assert_eq!(results.len(), findings.len());
    for (result, finding) in results.iter().zip(findings) {
        assert_eq!(result["ruleId"], finding["code"]);
        assert_eq!(result["level"], finding["severity"]);
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().expect("an index") as usize];
        assert_eq!(rule["id"], finding["code"]);
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("a file");
        assert!(uri.starts_with("file:///") && uri.contains("missing_input."), "{uri}");
    }
    let race = samples().join("race.comp").to_string_lossy().into_owned();
    let (status, log, errors) = outcome(["debug", &race, "--format", "sarif"]);
    let log: Value = serde_json::from_str(&log).expect(&errors);
    let result = &log["runs"][0]["results"][0];
    assert_eq!((status, result["ruleId"].as_str()), (1, Some("E001")));
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 13);
    let (_, log, errors) = outcome(["corpus", &vertex, "--measure", "findings", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&log).expect(&errors);
    assert!(log["runs"][0]["results"].is_array());
    let graph = samples().join("work_graphs/05_sparse_array.dxil").to_string_lossy().into_owned();
    let (_, log, errors) = outcome(["graph", &graph, "--format", "sarif"]);
    let log: Value = serde_json::from_str(&log).expect(&errors);
    let codes = log["runs"][0]["results"].as_array().into_iter().flatten().filter_map(|row| row["ruleId"].as_str());
    assert!(codes.into_iter().all(|code| code.starts_with('G')));
}
