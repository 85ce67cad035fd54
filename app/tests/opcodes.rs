//! `lanescope opcodes`: the tables, names for numbers, and renumbering in a tree of tests.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::common::{file, lanescope, outcome};

fn opcodes(arguments: &[&str]) -> (i32, String, String) {
    outcome([&["opcodes"], arguments].concat())
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let (status, stdout, stderr) = opcodes(&[arguments, &["--format", "json"]].concat());
    assert_eq!((status, stderr.as_str()), (0, ""));
    serde_json::from_str(&stdout).expect("JSON")
}

fn names(arguments: &[&str]) -> Vec<String> {
    let list = json(arguments);
    list["ops"].as_array().expect("a list").iter().map(|op| op["name"].as_str().expect("named").to_owned()).collect()
}

#[test]
fn the_json_list_is_the_tables_file() {
    let file = serde_json::to_value(lanescope_core::dxil::ops::database()).expect("serializes");
    let all = json(&[]);
    let slots: Vec<_> =
        file["tables"].as_array().expect("tables").iter().flat_map(|t| t["ops"].as_array()).flatten().collect();
    assert_eq!(all["ops"].as_array().expect("a list").iter().collect::<Vec<_>>(), slots);
    assert_eq!(all["source"], file["source"]);
    let experimental = json(&["--feature", "0x8000"]);
    assert_eq!(experimental["ops"], file["tables"][1]["ops"]);
}

#[test]
fn finds_ops_by_name_number_callee_model_and_stage() {
    for (arguments, expected) in [
        (&["loadinput"][..], &["LoadInput"][..]),
        (&["rayquery", "CLUSTER"], &["RayQuery_CandidateClusterID", "RayQuery_CommittedClusterID"]),
        (&["0x80000001"], &["GetGroupWaveIndex"]),
        (&["-2147483647"], &["GetGroupWaveIndex"]),
        (&["2147483649"], &["GetGroupWaveIndex"]),
        (&["dx.op.bufferLoad.f32"], &["BufferLoad"]),
        (&["sampler feedback", "grad"], &["WriteSamplerFeedbackGrad"]),
        (
            &["--feature", "stable", "--since", "6.9", "--stage", "vertex", "vector"],
            &["RawBufferVectorLoad", "RawBufferVectorStore", "VectorReduceAnd", "VectorReduceOr"],
        ),
        (
            &["--stage", "anyhit", "--since", "6.10", "cluster"],
            &["ClusterID", "RayQuery_CandidateClusterID", "RayQuery_CommittedClusterID"],
        ),
        (&["nosuchop"], &[]),
    ] {
        assert_eq!(names(arguments), expected, "{arguments:?}");
    }
    assert!(names(&["dx.op.rayQuery_StateScalar.i32"]).contains(&"RayQuery_CommittedClusterID".to_owned()));
    assert_eq!(json(&["--since", "6.10"])["ops"].as_array().map(Vec::len), Some(34), "holes came with no model");
}

#[test]
fn the_text_cuts_nothing_and_one_op_is_shown_in_full() {
    let (status, all, _) = opcodes(&[]);
    assert!(status == 0 && !all.contains('…'), "nothing is cut in a pipe");
    assert!(all.contains("RayQuery_CommittedTriangleObjectPosition  "));
    let (_, one, _) = opcodes(&["RawBufferVectorStore"]);
    insta::assert_snapshot!("one_op", one);
    let (_, hole, _) = opcodes(&["0x80000020"]);
    insta::assert_snapshot!("one_hole", hole);
    let (_, few, _) = opcodes(&["cluster"]);
    insta::assert_snapshot!("some_ops", few);
    for wrong in
        [&["--feature", "new"][..], &["--since", "six"], &["--stage", "fragment"], &["--write"], &["--map", "4=5"]]
    {
        assert_eq!(opcodes(wrong).0, 2, "{wrong:?}");
    }
}

const TEST: &str = "; RUN: opt %s | FileCheck %s
; CHECK: call i32 @dx.op.getGroupWaveIndex(i32 -2147483647)
define void @main() {
  %1 = call i32 @dx.op.getGroupWaveIndex(i32 -2147483647)  ; GetGroupWaveIndex()
  %2 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)
  ret void
}
declare i32 @dx.op.getGroupWaveIndex(i32) #0
";

#[test]
fn translates_a_text_to_names_and_back() {
    let (folder, path) = file("test.ll", TEST);
    let path = path.to_str().expect("UTF-8");
    let (status, named, told) = opcodes(&["symbolic", path]);
    assert_eq!((status, told.as_str()), (0, "3 opcodes named; unchanged: 0; patterns: 0\n"));
    assert_eq!(named.matches("@dx.op.getGroupWaveIndex(i32 dx.op.GetGroupWaveIndex)").count(), 2);
    assert!(named.contains("(i32 dx.op.LoadInput, i32 0, i32 0"), "{named}");
    let output = folder.path().join("named.ll");
    let output = output.to_str().expect("UTF-8");
    assert_eq!(opcodes(&["symbolic", path, "-o", output]).0, 0);
    assert_eq!(opcodes(&["numeric", output]).1, TEST);
    let (status, _, stderr) = opcodes(&["symbolic", path, "-o", output]);
    assert!(status == 2 && stderr.contains("exists"), "{stderr}");
    assert_eq!(opcodes(&["numeric", "no such file"]).0, 2);
}

#[test]
fn keeps_non_utf8_bytes_of_standard_input() {
    let bytes = b"\xff\0 dx.op.nop(i32 -2147483648)\r\x80 dx.op.nop(i32 dx.op.ExperimentalNop)";
    let through = |way: &str, bytes: &[u8]| {
        let command = lanescope().args(["opcodes", way, "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = command.expect("starts");
        child.stdin.take().expect("piped").write_all(bytes).expect("writes");
        child.wait_with_output().expect("ends").stdout
    };
    let named = through("symbolic", bytes);
    assert_eq!(named, b"\xff\0 dx.op.nop(i32 dx.op.ExperimentalNop)\r\x80 dx.op.nop(i32 dx.op.\\ExperimentalNop)");
    assert_eq!(through("numeric", &named), bytes);
}

/// A small tree of tests, with what is to be left alone.
fn tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("makes");
        std::fs::write(path, bytes).expect("writes");
    };
    let mut long = TEST.to_owned();
    long.extend((0..20).map(|n| format!("  ; line {n}\n")));
    long.push_str("  %9 = call i32 @dx.op.getGroupWaveIndex(i32 -2147483647)");
    write("tests/a.ll", TEST.as_bytes());
    write("tests/deep/with space.test", long.as_bytes());
    write("tests/deep/raw.ll", b"\xff\xfe\r@dx.op.getGroupWaveIndex(i32 -2147483647)\r\n\x80");
    write("tests/deep/none.ll", b"@dx.op.unary.f32(i32 13)\n");
    write("tests/mixed.ll", b"@dx.op.x(i32 {{-2147483647|312}})\n@dx.op.getGroupWaveIndex(i32 312)\n@dx.op.x(i32 dx.op.GetGroupWaveIndex)\n");
    write("tests/shader.bin", b"\0@dx.op.getGroupWaveIndex(i32 -2147483647)");
    write("tests/.hidden/a.ll", TEST.as_bytes());
    write("tests/old.patch", TEST.as_bytes());
    folder
}

/// Every file with its bytes.
fn contents(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut out = BTreeMap::new();
    let mut work = vec![root.to_owned()];
    while let Some(folder) = work.pop() {
        for entry in std::fs::read_dir(folder).expect("reads") {
            let path = entry.expect("reads").path();
            if path.is_dir() {
                work.push(path);
            } else {
                let bytes = std::fs::read(&path).expect("reads");
                out.insert(path.strip_prefix(root).expect("below").to_owned(), bytes);
            }
        }
    }
    out
}

fn in_folder(folder: &Path, arguments: &[&str]) -> (i32, Vec<u8>, String) {
    let output = lanescope().current_dir(folder).arg("opcodes").args(arguments).output().expect("starts");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    (output.status.code().expect("exits"), output.stdout, stderr)
}

/// Applies a patch backwards, strictly by its line numbers.
fn undo(files: &mut BTreeMap<PathBuf, Vec<u8>>, patch: &[u8]) {
    let mut name = PathBuf::new();
    let mut lines: Vec<&[u8]> = patch.split_inclusive(|byte| *byte == b'\n').collect();
    // The mark of a missing line feed takes the line feed of the line before it.
    while let Some(at) = lines.iter().position(|line| line.starts_with(b"\\ No newline")) {
        lines[at - 1] = &lines[at - 1][..lines[at - 1].len() - 1];
        lines.remove(at);
    }
    let mut at = 0;
    let mut rows: Vec<Vec<u8>> = Vec::new();
    for line in lines {
        match line {
            [b'-', b'-', b'-', ..] => {
                files.insert(std::mem::take(&mut name), rows.concat());
            }
            [b'+', b'+', b'+', b' ', b'b', b'/', rest @ ..] => {
                name = PathBuf::from(std::str::from_utf8(rest).expect("UTF-8").trim_end_matches(['\n', '\t']));
                let now = files.get(&name).expect("the patch names a file");
                rows = now.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            }
            [b'@', rest @ ..] => {
                let text = std::str::from_utf8(rest).expect("UTF-8");
                at = text.split(['-', ',']).nth(1).expect("a number").parse::<usize>().expect("a number") - 1;
            }
            [b'+', body @ ..] => assert_eq!(rows.remove(at), body),
            [sign, body @ ..] => {
                match sign {
                    b'-' => rows.insert(at, body.to_vec()),
                    _ => assert_eq!(rows[at], body),
                }
                at += 1;
            }
            [] => {}
        }
    }
    files.insert(name, rows.concat());
    files.remove(Path::new(""));
}

#[test]
fn a_dry_run_prints_the_diff_and_changes_nothing() {
    let folder = tree();
    let before = contents(folder.path());
    let (status, diff, told) = in_folder(folder.path(), &["--map", "GetGroupWaveIndex=312", "tests"]);
    assert_eq!(status, 0, "{told}");
    insta::assert_snapshot!("dry_run_diff", String::from_utf8_lossy(&diff));
    insta::assert_snapshot!("dry_run_told", told);
    assert_eq!(contents(folder.path()), before);
}

#[test]
fn a_write_is_undone_by_its_patch() {
    let folder = tree();
    let before = contents(folder.path());
    let map = ["--map", "-2147483647=312", "tests", "--write"];
    let (_, diff, _) = in_folder(folder.path(), &map[..3]);
    let (status, stdout, told) = in_folder(folder.path(), &map);
    assert_eq!((status, stdout.as_slice()), (0, &b""[..]), "{told}");
    assert!(told.contains("3 files written") && told.contains("opcodes.patch"), "{told}");
    let mut after = contents(folder.path());
    let patch = after.remove(Path::new("opcodes.patch")).expect("the patch is written");
    assert_eq!(patch, diff, "what was shown is what was written");
    let changed: Vec<_> = before.iter().filter(|(path, bytes)| after[*path] != **bytes).map(|(path, _)| path).collect();
    assert_eq!(changed, ["tests/a.ll", "tests/deep/raw.ll", "tests/deep/with space.test"].map(Path::new));
    assert_eq!(after[Path::new("tests/a.ll")], TEST.replace("-2147483647", "312").as_bytes());
    undo(&mut after, &patch);
    assert_eq!(after, before);

    let (status, _, stderr) = in_folder(folder.path(), &["--map", "4=5", "tests", "--write"]);
    assert!(status == 2 && stderr.contains("opcodes.patch: already exists"), "{stderr}");
    let (status, _, told) = in_folder(folder.path(), &["--map", "4=5", "tests", "--write", "--patch", "second.patch"]);
    assert_eq!(status, 0, "{told}");
    let (status, _, told) = in_folder(folder.path(), &["--map", "4=6", "tests", "--write", "--patch", "third.patch"]);
    assert!(status == 0 && told.contains("nothing to change"), "{told}");
    assert!(!folder.path().join("third.patch").exists());
}

#[cfg(unix)]
#[test]
fn keeps_links_permissions_and_files_outside() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tree();
    let deep = folder.path().join("tests/deep");
    // A link out of the tree is not followed, and permissions stay.
    std::os::unix::fs::symlink(folder.path().join("tests/a.ll"), deep.join("link.ll")).expect("links");
    let script = folder.path().join("tests/a.ll");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o750)).expect("sets");
    assert_eq!(in_folder(folder.path(), &["--map", "4=5", "tests", "--write"]).0, 0);
    let mode = std::fs::metadata(&script).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o750);
    assert!(std::fs::symlink_metadata(deep.join("link.ll")).expect("there").is_symlink());

    // Files outside of the folder that the patch applies to are not written.
    let before = contents(folder.path());
    let (status, _, stderr) = in_folder(&deep, &["--map", "5=4", "..", "--write"]);
    assert!(status == 2 && stderr.contains("outside the current folder"), "{stderr}");
    assert_eq!(contents(folder.path()), before);
}

#[test]
fn rejects_contradictory_maps() {
    let folder = tree();
    for (map, reason) in
        [("4=4", "itself"), ("4=0x80010000", "FeatureID"), ("LoadInput", "OLD=NEW"), ("4=None", "`None`")]
    {
        let (status, _, stderr) = in_folder(folder.path(), &["--map", map, "tests"]);
        assert!(status == 2 && stderr.contains(reason), "{map}: {stderr}");
    }
    assert_eq!(in_folder(folder.path(), &["--map", "4=5", "no such folder"]).0, 2);
}
