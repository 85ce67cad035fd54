//! Containers and PDBs as compilers write them: small shaders in `data/dxil`, each beside its source.

use crate::common;
use crate::common::{json, outcome};
use serde_json::Value;

fn data(name: &str) -> String {
    format!("{}/tests/data/dxil/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The findings of a report that are errors.
fn errors(report: &Value) -> Vec<String> {
    let all = report["findings"].as_array().into_iter().flatten();
    all.filter(|finding| finding["severity"] == "error").map(|finding| finding.to_string()).collect()
}

/// The codes of a report's findings.
fn codes(report: &Value) -> Vec<&str> {
    report["findings"].as_array().into_iter().flatten().filter_map(|finding| finding["code"].as_str()).collect()
}

/// What a run wrote: its report, and the words of a file.
fn run(arguments: &[String], file: &str) -> (Value, Vec<u32>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let fixed = ["--device", "llvmpipe", "--validate", "--out"].map(str::to_owned);
    let all = ["run".to_owned()].into_iter().chain(arguments.iter().cloned()).chain(fixed);
    let (status, stdout, stderr) = outcome(all.chain([out.to_string_lossy().into_owned()]));
    assert_eq!(status, 0, "{stderr}\n{stdout}");
    let report = serde_json::from_slice(&std::fs::read(out.join("run.json")).expect("is written")).expect("JSON");
    let bytes = std::fs::read(out.join(file)).unwrap_or_else(|error| panic!("{file}: {error}\n{stdout}"));
    (report, bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect(), stdout)
}

#[test]
fn what_a_compiler_writes_has_no_error() {
    for name in [
        "unbounded.lib.dxil",
        "patch.vs.dxil",
        "patch.hs.dxil",
        "patch.ds.dxil",
        "patch.ps.dxil",
        "nested_record.lib.dxil",
        "mesh_parameter.ms.dxil",
        "normalised.ps.dxil",
        "tessellation.lib.dxil",
        "offline.lib.dxil",
        "buffers.cs.dxil",
        "buffers.pdb",
        "slim.pdb",
        "private.cs.dxil",
        "streams.gs.dxil",
        "vertex_attributes.ps.dxil",
    ] {
        let report = json([data(name)]);
        assert_eq!(errors(&report), [""; 0], "{name}");
        assert!(report["dxil"].is_object(), "{name}");
    }
    let rdat = &json([data("offline.lib.dxil")])["dxil"]["rdat"];
    let tables: Vec<&str> =
        rdat["parts"].as_array().expect("parts").iter().filter_map(|p| p["name"].as_str()).collect();
    assert!(tables.contains(&"signature elements") && tables.contains(&"hull shader infos"), "{tables:?}");
}

#[test]
fn unbounded_arrays_of_a_library_are_read() {
    let report = json([data("unbounded.lib.dxil")]);
    let resources = report["dxil"]["resources"].as_array().expect("resources");
    let open: Vec<&str> =
        resources.iter().filter(|one| one["count"].is_null()).filter_map(|one| one["register"].as_str()).collect();
    assert_eq!(open, ["t4", "u0"]);
    assert_eq!(report["dxil"]["conversions"][0]["module"], 0, "{}", report["findings"]);
    let (status, _, stderr) = outcome(["run", &data("unbounded.lib.dxil")]);
    assert_eq!(status, 2);
    assert!(stderr.contains("only compute and graphics programs can be run"), "{stderr}");
}

/// Outputs have a mask of what is never written.
#[test]
fn used_columns_of_outputs_are_those_that_are_written() {
    let report = json([data("patch.hs.dxil")]);
    let parts = &report["dxil"]["signatures"];
    let used = |list: &str| -> Vec<String> {
        let rows = parts[list].as_array().expect("rows").iter();
        rows.map(|row| format!("{} {} {}", row["semantic"], row["mask"], row["used"]).replace('"', "")).collect()
    };
    let points = ["SV_Position xyzw xyzw", "UV xy-- xy--", "SV_ClipDistance x--- x---"];
    let sorted = |mut all: Vec<String>| {
        all.sort();
        all
    };
    assert_eq!(sorted(used("output")), sorted(points.map(str::to_owned).to_vec()));
    assert_eq!(sorted(used("input")), sorted(points.map(str::to_owned).to_vec()));
    assert!(used("patch").iter().all(|row| row.split(' ').nth(1) == row.split(' ').nth(2)), "{:?}", used("patch"));
}

/// The domain shader declares position, clip distance and UV in another order than the hull shader, and a patch constant
/// is UV too.
#[test]
fn control_points_reach_the_domain_shader_by_semantic() {
    let files: Vec<String> = ["vs", "hs", "ds", "ps"].map(|stage| data(&format!("patch.{stage}.dxil"))).to_vec();
    let report = json(&files);
    assert!(!codes(&report).contains(&"P002"), "{}", report["findings"]);
    assert!(codes(&report).contains(&"D009"), "the registers differ: {}", report["findings"]);
    let (report, words, stdout) = run(&files, "color0.bin");
    assert_eq!(report["run"]["compare"]["equal"], true, "{stdout}");
    let colors: Vec<f32> = words.iter().map(|word| f32::from_bits(*word)).collect();
    for (pixel, color) in colors.chunks(4).enumerate() {
        assert_eq!(color, [0.25, 0.75, 0.5, 1.0], "pixel {pixel}");
    }
}

#[test]
fn nodes_with_structures_in_their_records_are_converted() {
    let file = data("nested_record.lib.dxil");
    let report = json([&file]);
    assert!(!codes(&report).contains(&"D005"), "{}", report["findings"]);
    let (status, stdout, _) = outcome(["graph", &file]);
    assert!(status == 0 && !stdout.contains("not converted"), "{stdout}");
    let (_, words, stdout) = run(&[file], "u0.bin");
    assert_eq!(f32::from_bits(words[1]), 6.0, "{stdout}");
}

#[test]
fn entry_points_are_chosen_by_name_whether_or_not_they_are_converted() {
    let file = data("streams.gs.dxil");
    let reports = [json([&file]), json([&file, "--entry", "main"])];
    assert_eq!(reports[0]["dxil"], reports[1]["dxil"]);
    assert_eq!(reports[0]["findings"], reports[1]["findings"]);
    assert!(outcome(["inspect", &file, "--entry", "other"]).2.contains("available: main"));
    let library = data("tessellation.lib.dxil");
    let report = json([&library]);
    let note = report["findings"].as_array().expect("findings").iter().find(|finding| finding["code"] == "D010");
    let message = note.and_then(|note| note["message"].as_str()).expect("is noted");
    assert_eq!(message, "has 2 vertex entry points (First, Second); none is analysed, choose one with --entry");
    let stages = report["stages"].as_array().expect("stages");
    assert!(stages.iter().all(|stage| stage["stage"] == "compute"), "{stages:?}");
    assert_eq!(report["dxil"]["entry_points"].as_array().map(Vec::len), Some(4));
    let chosen = json([&library, "--entry", "Second"]);
    assert_eq!(chosen["stages"][0]["entry"], "Second");
    assert!(!codes(&chosen).contains(&"D010"));
}

#[test]
fn pdbs_have_sources_arguments_and_debug_bitcode() {
    for (name, debug) in [("buffers.pdb", true), ("slim.pdb", false), ("private.cs.dxil", true)] {
        let report = json([data(name)]);
        let dxil = &report["dxil"];
        assert!(dxil["pdb"]["bytes"].as_u64().is_some_and(|bytes| bytes > 4096), "{name}: {}", dxil["pdb"]);
        let sources = &dxil["sources"];
        assert_eq!(sources["main"], "buffers.cs.hlsl", "{name}");
        let arguments = sources["arguments"].as_array().expect("arguments").iter();
        let arguments: Vec<String> = arguments
            .map(|pair| format!("{} {}", pair[0].as_str().unwrap_or(""), pair[1].as_str().unwrap_or("")))
            .collect();
        assert!(arguments.contains(&"-T cs_6_2".to_owned()), "{name}: {arguments:?}");
        assert!(arguments.contains(&"-enable-16bit-types ".to_owned()), "{name}: {arguments:?}");
        let module = if name.ends_with(".pdb") { &dxil["module"] } else { &dxil["debug_module"] };
        assert_eq!(module["located"].as_u64().is_some_and(|located| located > 5), debug, "{name}: {module}");
        assert_eq!(codes(&report).contains(&"C61"), name == "slim.pdb", "{name}: {}", report["findings"]);
        assert!(dxil["shader_hash"]["matches"] != false, "{name}: {}", dxil["shader_hash"]);
    }
    let defines = &json([data("buffers.pdb")])["dxil"]["sources"]["defines"];
    assert_eq!(defines[0], "SIZE=2");
    // The converter does not read debug locations, which this program has: it gets the program without them.
    let report = json([data("buffers.pdb")]);
    assert_eq!(report["stages"][0]["stage"], "compute", "{}", report["findings"]);
    let of_container = json([data("private.cs.dxil")]);
    for section in ["stages", "workgroup"] {
        assert_eq!(report[section], of_container[section], "{section}");
    }
    assert!(!codes(&report).contains(&"D005"), "{}", report["findings"]);
    let mut damaged = std::fs::read(data("private.cs.dxil")).expect("reads");
    let magic = b"Microsoft C/C++ MSF 7.00";
    let at = damaged.windows(magic.len()).position(|bytes| bytes == magic).expect("a PDB");
    // The size of its blocks.
    damaged[at + 32..at + 36].fill(0xff);
    let (_folder, path) = common::file("damaged.cs.dxil", damaged);
    let (status, stdout, stderr) = outcome(["inspect".as_ref(), path.as_os_str()]);
    let code = "C60";
    assert!(stdout.contains(code) && status == 1, "{status}: {stdout}{stderr}");
    let (_folder, cut) = common::file("cut.pdb", &std::fs::read(data("buffers.pdb")).expect("reads")[..3000]);
    let (status, _, stderr) = outcome(["inspect".as_ref(), cut.as_os_str()]);
    assert!(status == 2 && stderr.contains(code) && stderr.contains("stream 5"), "{stderr}");
}

/// The PDB in PRIV is of the shader with its hash.
#[test]
fn a_pdb_of_another_shader_is_left_out() {
    let mut mixed = std::fs::read(data("private.cs.dxil")).expect("reads");
    let hash = lanescope_core::dxil::Dxil::read(mixed.clone()).expect("reads").container;
    let hash = hash.part(b"HASH").expect("has a hash").data_offset() as usize + 4;
    mixed[hash] ^= 1;
    let (_folder, path) = common::file("mixed.cs.dxil", mixed);
    let (status, stdout, stderr) =
        outcome(["inspect".as_ref(), path.as_os_str(), "--format".as_ref(), "json".as_ref()]);
    assert_eq!(status, 0, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).expect("JSON");
    assert!(codes(&report).contains(&"C62"), "{}", report["findings"]);
    let dxil = &report["dxil"];
    assert!(dxil["pdb"].is_null() && dxil["sources"].is_null() && dxil["debug_module"].is_null(), "{dxil}");
    let parts = dxil["container"]["parts"].to_string();
    assert!(parts.contains("private data: a PDB"), "{parts}");
}

/// The container states 24 bytes; SPIR-V has two rows of 16. Buffers of structures have their declared types.
#[test]
fn buffers_have_the_sizes_and_types_that_the_container_declares() {
    let words: Vec<u8> = [2.0f32, 0.0, 0.0, 0.0, 7.0, 0.25].iter().flat_map(|value| value.to_le_bytes()).collect();
    for bytes in [24, 32] {
        let mut contents = words.clone();
        contents.resize(bytes, 0);
        let (_folder, scene) = common::file("scene.bin", contents);
        let arguments = [data("buffers.cs.dxil"), "--zeros".to_owned(), "--buffer".to_owned()];
        let arguments = [&arguments[..], &[format!("b0={}", scene.display())]].concat();
        let (report, weights, stdout) = run(&arguments, "u0.bin");
        assert_eq!([weights[0], weights[1]].map(f32::from_bits), [2.25, 3.25]);
        assert!(stdout.contains("3.25"), "{stdout}");
        let buffers = report["run"]["buffers"].as_array().expect("buffers");
        let bodies = buffers.iter().find(|buffer| buffer["register"] == "u1").expect("is written");
        let members = &bodies["type"]["struct"]["members"][0]["type"]["array"]["element"]["struct"]["members"];
        let names: Vec<&str> =
            members.as_array().expect("members").iter().filter_map(|field| field["name"].as_str()).collect();
        assert_eq!(names, ["at", "id", "size"], "{bodies}");
        assert_eq!(members[1]["type"]["scalar"]["kind"], "int", "{members}");
    }
    let (_folder, scene) = common::file("scene.bin", &words[..20]);
    let (status, _, stderr) = outcome([
        "run",
        &data("buffers.cs.dxil"),
        "--device",
        "llvmpipe",
        "--buffer",
        &format!("b0={}", scene.display()),
    ]);
    assert!(status == 2 && stderr.contains("b0: 20 bytes of contents; its block has 24"), "{stderr}");
}

#[test]
fn inputs_that_are_read_at_vertices_alone_are_converted() {
    let report = json([data("vertex_attributes.ps.dxil")]);
    assert!(!codes(&report).contains(&"D005"), "{}", report["findings"]);
    assert_eq!(report["stages"][0]["stage"], "fragment");
}
