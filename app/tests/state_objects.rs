//! State object databases of D3D12: listed, opened group by group, measured, copied; broken ones.

use crate::common::{file, json, outcome, samples};
use serde_json::Value;

const DATABASE: &str = "samples/pipelines.sodb";

/// A group of the sample as an argument.
fn group(key: &str) -> String {
    format!("{DATABASE}@{key}")
}

fn listing(arguments: &[&str]) -> Value {
    let (_, stdout, stderr) = outcome(["sodb"].iter().chain(arguments).chain(&["--format", "json"]));
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"))
}

fn codes(of: &Value) -> Vec<&str> {
    let findings = of["findings"].as_array().expect("findings").iter();
    findings.filter_map(|finding| finding["code"].as_str()).filter(|code| code.starts_with("sodb.")).collect()
}

#[test]
fn lists_groups() {
    let (status, stdout, stderr) = outcome(["sodb", DATABASE]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    insta::assert_snapshot!("list_pipelines.sodb", stdout);
    let found = listing(&[DATABASE, "--find", "compute"]);
    assert_eq!((&found["schema"], found["groups"].as_array().map(Vec::len)), (&1.into(), Some(1)));
    assert_eq!(found["groups"][0]["key"], "prefix sum");
    let named = listing(&[DATABASE, "lit s", "quadtree"]);
    let keys: Vec<_> = named["groups"].as_array().expect("groups").iter().map(|row| row["key"].as_str()).collect();
    assert_eq!(keys, ["lit surface", "lit shaders", "quadtree"].map(Some));
    let (status, _, stderr) = outcome(["sodb", DATABASE, "none"]);
    assert!(status == 2 && stderr.contains("no group has the key none"), "{stderr}");
}

#[test]
fn opens_a_group_by_key_in_the_path_and_by_option() {
    let by_path = json([&group("lit surface")]);
    let mut by_option = json([DATABASE, "--pipeline", "lit surface"]);
    assert_eq!(by_option["options"].as_object_mut().and_then(|own| own.remove("pipeline")), Some("lit surface".into()));
    assert!(by_path == by_option, "the reports differ");
    assert!(by_path == json([group("lit surface").as_str(), "--in-process"]), "the reports differ");
    let stages: Vec<_> =
        by_path["stages"].as_array().expect("stages").iter().map(|one| one["entry"].as_str()).collect();
    assert_eq!(stages, [Some("VSMain"), Some("PSMain")]);
    assert_eq!(by_path["options"]["color"]["0"], "R8G8B8A8_UNORM");
    let state = &by_path["pipeline"]["state"];
    assert_eq!((&state["attachments"]["depth"], &state["raster"]["cull_mode"]), (&"D32_SFLOAT".into(), &2.into()));
    // The same containers as files have the same packing.
    let files = json(["samples/dxil/lit_surface.vs.dxil", "samples/dxil/lit_surface.ps.dxil"]);
    assert_eq!(by_path["packing"]["saving"], files["packing"]["saving"]);
    for (arguments, words) in [
        (vec![DATABASE.to_owned()], "has 5 groups (lit surface, prefix sum, lit shaders, …); choose one"),
        (vec![group("lit")], "has 3 groups"),
        (vec![group("none")], "no group has the key none"),
        (vec![group("quadtree"), "--pipeline".to_owned(), "prefix sum".to_owned()], "two pipelines are chosen"),
        (vec![group("quadtree"), group("prefix sum")], "two pipelines are chosen"),
    ] {
        let (status, _, stderr) = outcome(["inspect".to_owned()].into_iter().chain(arguments.clone()));
        assert!(status == 2 && stderr.contains(words), "{arguments:?}: {stderr}");
    }
}

#[test]
fn prints_the_description_of_a_group() {
    for key in ["lit surface", "lit program"] {
        let (status, stdout, _) = outcome(["inspect", &group(key)]);
        assert_eq!(status, 0);
        let start = stdout.find("Pipeline  ").or_else(|| stdout.find("State object")).unwrap_or(0);
        let end = stdout.find("\nDXIL  ").or_else(|| stdout.find("\nPacking  ")).unwrap_or(stdout.len());
        insta::assert_snapshot!(format!("group_{}", key.replace(' ', "_")), &stdout[start..end.max(start)]);
    }
}

#[test]
fn a_work_graph_has_the_overrides_of_its_state_object() {
    let graph = |arguments: &[&str]| -> Value {
        let (_, stdout, stderr) = outcome(["graph"].iter().chain(arguments).chain(&["--format", "json"]));
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"))
    };
    let ids = |graph: &Value| -> Vec<String> {
        let nodes = graph["graph"]["nodes"].as_array().expect("nodes");
        nodes.iter().map(|node| format!("{} {}", node["id"]["name"], node["outputs"][0]["max_records"])).collect()
    };
    let own = graph(&["samples/work_graphs/02_quadtree_recursion.dxil"]);
    let changed = graph(&[&group("quadtree")]);
    assert_eq!(ids(&own), ["\"Seed\" 1", "\"Split\" 4"]);
    assert_eq!(ids(&changed), ["\"Seed\" 1", "\"Divide\" 2"]);
    // What is typed is over that.
    let (_folder, path) = file("o.json", r#"{ "nodes": { "Split": { "rename": "Part" } } }"#);
    let typed = graph(&[&group("quadtree"), "--overrides", &path.to_string_lossy()]);
    assert_eq!(ids(&typed)[1], "\"Part\" 4");
    assert!(!codes(&typed).contains(&"sodb.missing-row"));
    for arguments in
        [vec![group("quadtree")], vec![DATABASE.to_owned(), "--pipeline".to_owned(), "quadtree".to_owned()]]
    {
        let device = ["--device", "llvmpipe"].map(str::to_owned);
        let (status, stdout, stderr) = outcome(["run".to_owned()].into_iter().chain(arguments).chain(device));
        // The shader outputs four records, of which the override leaves two.
        assert!(status == 1 && stdout.contains("Divide[0] 1") && stdout.contains("G41"), "{stdout}{stderr}");
    }
}

#[test]
fn a_corpus_has_a_row_for_each_group() {
    let (status, stdout, stderr) = outcome(["corpus", DATABASE, "--format", "jsonl"]);
    assert_eq!(status, 0, "{stderr}");
    let rows: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let names: Vec<&str> = rows.iter().filter_map(|row| row["pipeline"].as_str()).collect();
    assert_eq!(names.len(), 5, "{stdout}");
    assert!(names[0].ends_with("pipelines.sodb@lit surface"), "{names:?}");
    assert!(rows.iter().all(|row| row["failure"].is_null()), "{stdout}");
}

#[test]
fn writes_a_selection_that_reads_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("new.sodb");
    let out = out.to_string_lossy();
    let (status, stdout, stderr) = outcome(["sodb", DATABASE, "lit program", "quadtree", "-o", &out]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.contains("2 groups") && stdout.contains("read back and compared"), "{stdout}");
    let (before, after) = (listing(&[DATABASE, "lit program", "quadtree"]), listing(&[&out]));
    let sorted = |listing: &Value| {
        let mut rows = listing["groups"].as_array().expect("groups").clone();
        rows.sort_by_key(|row| row["key"].to_string());
        rows
    };
    assert_eq!(sorted(&after), sorted(&before));
    assert_eq!((&after["application"], &after["user_version"]), (&before["application"], &2.into()));
    let report = json([&format!("{out}@lit program")]);
    assert_eq!(report["stages"].as_array().map(Vec::len), Some(2));
    let (status, _, stderr) = outcome(["sodb", DATABASE, "-o", &out]);
    assert!(status == 2 && stderr.contains("exist"), "{stderr}");
}

/// The sample with some bytes replaced by others of the same length, everywhere.
fn replaced(from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = std::fs::read(samples().join("pipelines.sodb")).expect("reads");
    let at: Vec<usize> =
        bytes.windows(from.len()).enumerate().filter(|(_, own)| *own == from).map(|(at, _)| at).collect();
    assert!(!at.is_empty());
    for at in at {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
    bytes
}

fn codes_of(bytes: &[u8]) -> (i32, String) {
    let (_folder, path) = file("changed.sodb", bytes);
    let (status, stdout, stderr) = outcome(["sodb", &path.to_string_lossy()]);
    (status, stdout + &stderr)
}

#[test]
fn defects_are_findings() {
    // The digests of all containers: unsigned, bypass.
    let whole = std::fs::read(samples().join("pipelines.sodb")).expect("reads");
    let digest = |byte: u8| {
        let mut bytes = whole.clone();
        let magic: Vec<usize> =
            bytes.windows(4).enumerate().filter(|(_, own)| own == b"DXBC").map(|(at, _)| at).collect();
        magic.into_iter().for_each(|at| bytes[at + 4..at + 20].fill(byte));
        bytes
    };
    for (bytes, code, status) in [
        (digest(0), "sodb.digest", 0),
        (digest(1), "sodb.digest", 0),
        (replaced(b"DXBC", b"TEXT"), "sodb.not-dxil", 1),
        (
            {
                let mut other = whole.clone();
                other[63] = 9;
                other
            },
            "sodb.user-version",
            0,
        ),
        (
            {
                let mut other = whole.clone();
                other[71] = 9;
                other
            },
            "sodb.application",
            2,
        ),
        (whole[..whole.len() / 2].to_vec(), "sodb.damaged", 2),
        (whole[..100].to_vec(), "sodb.damaged", 2),
    ] {
        let (found, text) = codes_of(&bytes);
        assert!(text.contains(code), "{code}: {text}");
        assert_eq!(found, status, "{code}: {text}");
    }
}

#[test]
fn any_path_and_stream_that_begins_as_a_database_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let odd = folder.path().join("a b#c?d%41.bin");
    std::fs::copy(samples().join("pipelines.sodb"), &odd).expect("copies");
    let report = json([&format!("{}@prefix sum", odd.display())]);
    assert_eq!(report["stages"][0]["entry"], "CSMain");
    // Nothing is written beside it.
    let names: Vec<_> =
        std::fs::read_dir(folder.path()).expect("reads").map(|entry| entry.expect("reads").path()).collect();
    assert_eq!(names, [odd]);
}

#[test]
fn what_does_not_fit_a_group_is_a_finding() {
    let keys = [0x1c63_659f_b0af_089c_57de_a1b6_bc0a_b4db_u128, 0xfc31_d305_176d_75c9_4c6a_c0f6_7ab1_c0ef];
    let [vertex, pixel] = keys.map(u128::to_be_bytes);
    // The columns of both stages are beside each other.
    let swapped = replaced(&[vertex, pixel].concat(), &[pixel, vertex].concat());
    let renamed = replaced(b"VSMain*", b"VSMainX");
    for (bytes, key, code) in [(swapped, "lit surface", "sodb.stage"), (renamed, "lit shaders", "sodb.not-applied")] {
        let (_folder, path) = file("changed.sodb", bytes);
        let report = json([&format!("{}@{key}", path.display())]);
        assert!(codes(&report).contains(&code), "{code}: {:?}", codes(&report));
    }
}
