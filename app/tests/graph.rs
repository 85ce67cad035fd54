//! Work graphs as a user opens them: text, data, drawings, overrides, other files.

use crate::common::{file, outcome};
use serde_json::Value;

fn sample(name: &str) -> String {
    format!("samples/work_graphs/{name}.dxil")
}

#[test]
fn the_page_shows_nodes_outputs_and_records() {
    for name in ["01_tile_classify", "02_quadtree_recursion", "06_cross_group_sharing", "scenarios/42_mixed_alignment"]
    {
        let (status, stdout, stderr) = outcome(["graph", &sample(name)]);
        assert_eq!((status, stderr.as_str()), (0, ""), "{name}: {stdout}");
        insta::assert_snapshot!(format!("graph_{}", name.replace('/', "_")), stdout);
    }
    let (_, whole, _) = outcome(["inspect", &sample("01_tile_classify")]);
    assert!(whole.contains("Work graph  "), "inspect shows it too");
}

#[test]
fn a_violated_rule_sets_the_exit_status() {
    let (status, stdout, _) = outcome(["graph", &sample("rules/g09_no_target")]);
    assert_eq!(status, 1);
    assert!(stdout.contains("G09") && stdout.contains("targets Nowhere[0], which does not exist"), "{stdout}");
    let (status, stdout, _) = outcome(["graph", &sample("rules/ok31_sharer")]);
    assert_eq!(status, 0, "{stdout}");
}

#[test]
fn the_json_has_the_graph_and_its_findings() {
    let (status, stdout, _) = outcome(["graph", &sample("05_sparse_array"), "--format", "json"]);
    assert_eq!(status, 0);
    let page: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(page["schema"], 1);
    let nodes = page["graph"]["nodes"].as_array().expect("nodes");
    let scatter = nodes.iter().find(|node| node["id"] == serde_json::json!({ "name": "Scatter", "index": 0 }));
    assert_eq!(scatter.expect("there")["outputs"][0]["missing"], serde_json::json!([[0, 0], [3, 4], [6, 7]]));
    assert_eq!(page["findings"][0]["code"], "G10");
}

#[test]
fn drawings_for_other_tools() {
    let dot = outcome(["graph", &sample("01_tile_classify"), "--dot"]).1;
    insta::assert_snapshot!("dot", dot);
    let mermaid = outcome(["graph", &sample("05_sparse_array"), "--mermaid"]).1;
    insta::assert_snapshot!("mermaid", mermaid);
    let svg = outcome(["graph", &sample("07_wide_dag"), "--format", "svg"]).1;
    assert!(svg.starts_with("<svg") && svg.contains("Root"));
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["graph.svg", "graph.png"] {
        let path = folder.path().join(name);
        let path = path.to_str().expect("a path");
        let (status, _, stderr) = outcome(["draw", &sample("07_wide_dag"), "--view", "graph", "-o", path]);
        assert_eq!((status, stderr.as_str()), (0, ""));
    }
}

#[test]
fn applies_overrides_and_names_unknown_targets() {
    let (_folder, path) = file("o.json", r#"{ "nodes": { "Start": { "outputs": { "0": { "sparse": true } } } } }"#);
    let path = path.to_str().expect("a path");
    let (status, stdout, _) = outcome(["graph", &sample("rules/g09_no_target"), "--overrides", path]);
    assert_eq!(status, 0);
    assert!(stdout.contains("G10"), "it is sparse now: {stdout}");
    let (_folder, path) = file("o.json", r#"{ "nodes": { "Gone": {} } }"#);
    let (status, stdout, _) =
        outcome(["inspect", &sample("01_tile_classify"), "--overrides", path.to_str().expect("a path")]);
    assert_eq!(status, 1);
    assert!(stdout.contains("G45") && stdout.contains("the overrides name Gone"), "{stdout}");
    let (_folder, path) = file("o.json", "{ \"nodes\": [] }");
    let (status, _, stderr) =
        outcome(["graph", &sample("01_tile_classify"), "--overrides", path.to_str().expect("a path")]);
    assert_eq!(status, 2);
    assert!(stderr.contains("overrides:") && stderr.contains("line 1"), "{stderr}");
}

#[test]
fn several_libraries_make_one_graph() {
    let both = [sample("01_tile_classify"), sample("02_quadtree_recursion")];
    let (status, stdout, stderr) = outcome(["graph", &both[0], &both[1], "--format", "json"]);
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    let page: Value = serde_json::from_str(&stdout).expect("JSON");
    let nodes = page["graph"]["nodes"].as_array().expect("nodes");
    let mut inputs: Vec<u64> = nodes.iter().filter_map(|node| node["input"].as_u64()).collect();
    inputs.dedup();
    assert_eq!(inputs, [0, 1]);
    let alone = |file: &str| -> usize {
        let (_, stdout, _) = outcome(["graph", file, "--format", "json"]);
        let page: Value = serde_json::from_str(&stdout).expect("JSON");
        page["graph"]["nodes"].as_array().expect("nodes").len()
    };
    assert_eq!(nodes.len(), alone(&both[0]) + alone(&both[1]));
    // A compute shader beside a library is still one too many.
    let (status, _, stderr) = outcome(["graph", &both[0], "samples/dxil/prefix_sum.cs.dxil"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("duplicate compute shader"), "{stderr}");
}

#[test]
fn rejects_files_without_nodes() {
    for path in ["samples/dxil/prefix_sum.cs.dxil", "samples/dxil/lantern_rays.lib.dxil", "samples/tile_16x16.comp"] {
        let (status, stdout, stderr) = outcome(["graph", path]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{path}");
        assert!(stderr.contains(path) && stderr.contains("contains no work graph nodes"), "{stderr}");
    }
    let (status, _, stderr) = outcome(["draw", "samples/tile_16x16.comp", "--view", "graph", "-o", "/tmp/none.svg"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("this picture needs a work graph"), "{stderr}");
}
