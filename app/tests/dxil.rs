//! DXIL as a user opens it: the text page, and converted shaders that run with the results that their sources state.

mod common;

use common::{json, outcome, samples};
use serde_json::Value;

fn sample(name: &str) -> String {
    samples().join("dxil").join(name).to_string_lossy().into_owned()
}

#[test]
fn the_text_page_shows_what_a_container_holds() {
    for name in ["lit_surface.ps", "lantern_rays.lib", "signed_map.ps", "experimental_ops.cs", "tessellated_patch.hs"] {
        let path = format!("samples/dxil/{name}.dxil");
        let (status, stdout, stderr) = outcome(["inspect", &path]);
        assert_eq!((status, stderr.as_str()), (0, ""), "{name}");
        assert!(stdout.lines().all(|line| line.chars().count() <= 100), "{name}");
        let start = stdout.find("DXIL  ").expect("a section");
        let rest = &stdout[start..];
        // Other sections follow; they have their own golden texts.
        let end = ["\nPacking  ", "\nWorkgroup  ", "\nRegisters  "].iter().filter_map(|next| rest.find(next)).min();
        insta::assert_snapshot!(format!("page_{name}"), &rest[..end.unwrap_or(rest.len())]);
    }
    let (status, stdout, _) = outcome(["inspect", "samples/work_graphs/04_broadcast_grids.dxil"]);
    assert_eq!(status, 0);
    assert!(stdout.contains("node DynamicGrid[0], broadcasting") || stdout.contains("broadcasting, grid"), "{stdout}");
}

#[test]
fn a_pair_packs_under_the_names_of_its_semantics() {
    let report = json([sample("lit_surface.vs.dxil"), sample("lit_surface.ps.dxil")]);
    let names: Vec<&str> = report["packing"]["map"]
        .as_array()
        .expect("a map")
        .iter()
        .filter_map(|mapping| mapping["variable"].as_str())
        .collect();
    assert!(names.iter().any(|name| name.starts_with("NORMAL")) && names.contains(&"FOG"), "{names:?}");
    assert_eq!(report["packing"]["producer"], "vertex");
    assert_eq!(report["dxil"]["shader_model"], "6.6");
    assert_eq!(report["dxil"]["others"][0]["kind"], "pixel");
    let dropped = report["packing"]["dropped"].as_array().expect("dropped").iter();
    assert!(dropped.clone().any(|row| row["variable"].as_str().is_some_and(|name| name.starts_with("TEXCOORD"))));
}

/// Runs a compute sample for one group with the given buffers; the words of the buffer that is asked for.
fn run(name: &str, buffers: &[(&str, Vec<u8>)], wanted: &str) -> Vec<u32> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut arguments = vec!["run".to_owned(), sample(name)];
    for (binding, bytes) in buffers {
        let path = folder.path().join(format!("{binding}.in"));
        std::fs::write(&path, bytes).expect("writes");
        arguments.extend(["--buffer".to_owned(), format!("{binding}={}", path.display())]);
    }
    let out = folder.path().join("out");
    let out_text = out.to_string_lossy().into_owned();
    arguments.extend(["--groups", "1,1,1", "--device", "llvmpipe", "--validate", "--out"].map(str::to_owned));
    arguments.push(out_text);
    let (status, stdout, stderr) = outcome(&arguments);
    assert_eq!(status, 0, "{name}: {stderr}\n{stdout}");
    let bytes = std::fs::read(out.join(format!("{wanted}.bin"))).expect("the buffer is written");
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn words(values: impl Iterator<Item = u32>) -> Vec<u8> {
    values.flat_map(u32::to_le_bytes).collect()
}

#[test]
fn a_scan_gives_the_sums_that_its_source_states() {
    let input = words(1..=256);
    let buffers = [("set0.binding0", input), ("set0.binding1", vec![0; 1024])];
    let output = run("prefix_sum.cs.dxil", &buffers, "set0.binding1");
    let expected: Vec<u32> = (0..256).map(|i| (i + 1) * (i + 2) / 2).collect();
    assert_eq!(output, expected);
}

#[test]
fn structures_are_written_as_the_source_states() {
    let output = run("orbit_debug.cs.dxil", &[("set0.binding0", vec![0; 60])], "set0.binding0");
    for (i, planet) in output.chunks(5).take(3).enumerate() {
        assert_eq!(planet, [7 * i as u32 + 1, 0, 0, 0, 0]);
    }
}

#[test]
fn old_bytecode_and_broken_files_are_said_plainly() {
    let (_folder, path) = common::file("a.dxil", b"DXBC");
    let (status, stdout, stderr) = outcome(["inspect", path.to_str().expect("UTF-8")]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("C01") && stderr.contains("need 32 header bytes, have 4"), "{stderr}");
    let mut wrong = std::fs::read(sample("prefix_sum.cs.dxil")).expect("reads");
    wrong[4] ^= 1;
    let (_folder, path) = common::file("a.dxil", wrong);
    let report: Value = json([path]);
    assert_eq!(report["dxil"]["container"]["digest"], "wrong");
    assert_eq!(report["findings"][0]["code"], "C57");
    let refused = json([sample("experimental_ops.cs.dxil")]);
    let codes: Vec<&str> =
        refused["findings"].as_array().expect("a list").iter().filter_map(|finding| finding["code"].as_str()).collect();
    assert!(codes.contains(&"D005"), "{codes:?}");
    assert!(refused["stages"].as_array().is_some_and(Vec::is_empty));
}
