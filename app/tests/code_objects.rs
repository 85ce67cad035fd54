//! AMD code objects: shown, compared, repacked, disassembled; where they are not expected.

use std::path::PathBuf;

use crate::common::{file, outcome, outcome_with, samples};
use serde_json::Value;

fn sample(name: &str) -> String {
    format!("samples/code_objects/{name}")
}

fn json(arguments: &[&str]) -> Value {
    let (status, stdout, stderr) = outcome(arguments.iter().chain(&["--format", "json"]));
    assert!(status < 2, "{stderr}");
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"))
}

#[test]
fn shows_everything_of_an_object() {
    for name in ["fill.elf", "lit_named.elf", "lit_words.elf"] {
        let (status, stdout, stderr) = outcome(["inspect", &sample(name)]);
        assert_eq!((status, stderr.as_str()), (0, ""), "{name}");
        insta::assert_snapshot!(format!("code_object_{name}"), stdout);
    }
}

#[test]
fn names_registers_and_user_data_in_json() {
    let object = json(&["inspect", &sample("lit_words.elf")]);
    assert_eq!((&object["schema"], &object["header"]["chip"]), (&1.into(), &"gfx1100".into()));
    let registers = object["registers"].as_array().expect("registers");
    let named = |name: &str| registers.iter().find(|own| own["name"] == name).unwrap_or_else(|| panic!("{name}"));
    assert_eq!(named("SPI_PS_INPUT_CNTL_1")["value"], "0x01000402");
    let format = &named("SPI_SHADER_COL_FORMAT")["fields"][0];
    assert_eq!((&format["name"], &format["meaning"]), (&"COL0_EXPORT_FORMAT".into(), &"32_ABGR".into()));
    // A register that no table has is a number.
    assert_eq!((&named("")["address"], &named("")["value"]), (&"0xa2aa".into(), &"0x00000010".into()));
    let sgprs = object["pipelines"][0]["user_data"].as_array().expect("user data");
    let vertex = sgprs.iter().find(|data| data["stage"] == "gs").expect("the stage");
    let holds: Vec<_> = vertex["sgprs"].as_array().expect("SGPRs").iter().map(|sgpr| &sgpr["holds"]).collect();
    assert_eq!(holds[1], &serde_json::json!({ "kind": "entry", "entry": 0 }));
    assert_eq!(holds[4], &serde_json::json!({ "kind": "reserved", "name": "BaseInstance" }));
    assert_eq!(vertex["sgprs"][4]["register"], "SPI_SHADER_USER_DATA_GS_4");
}

#[test]
fn compares_objects() {
    let (status, stdout, _) = outcome(["diff", &sample("fill.elf"), &sample("fill_moved.elf")]);
    assert_eq!(status, 1);
    insta::assert_snapshot!("code_object_diff_fill", stdout);
    let (status, stdout, _) = outcome(["diff", &sample("lit_named.elf"), &sample("lit_words.elf")]);
    assert_eq!(status, 1);
    insta::assert_snapshot!("code_object_diff_lit", stdout);
    let (status, stdout, _) = outcome(["diff", &sample("fill.elf"), &sample("fill.elf")]);
    assert!(status == 0 && !stdout.contains("differs"), "{stdout}");
    let found = json(&["diff", &sample("fill.elf"), &sample("fill_moved.elf")]);
    let sections = found["sections"].as_array().expect("sections");
    let differing = sections.iter().filter(|section| section["equal"] == false);
    let differing: Vec<_> = differing.map(|section| section["name"].as_str().unwrap_or_default()).collect();
    assert_eq!(differing, ["pipeline", "user data"]);
    assert_eq!(found["assembly"], serde_json::json!({ "equal": true, "lines": [9, 9] }));
    let found = json(&["diff", &sample("fill.elf"), &sample("textured.elf")]);
    assert!(found["assembly"]["diff"].as_str().is_some_and(|diff| diff.contains("-  s_endpgm")), "{found}");
}

#[test]
fn repacks_an_object_for_another_layout() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("moved.elf");
    let layout = samples().join("inputs/fill_layout.json");
    let line = ["repack", &sample("fill.elf"), "--layout", &layout.to_string_lossy(), "-o", &out.to_string_lossy()];
    let (status, stdout, stderr) = outcome(line);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.starts_with("moved  3 user SGPRs\nlimit  7\n"), "{stdout}");
    let expected = std::fs::read(samples().join("code_objects/fill_moved.elf")).expect("a sample");
    assert!(std::fs::read(&out).expect("was written") == expected, "the same as written by the generator");
}

#[test]
fn refuses_a_layout_that_needs_other_code() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("moved.elf");
    for (layout, words) in [
        ("{}", "missing field `entries`"),
        (r#"{"entries": {"0": 1}, "other": 1}"#, "unknown field `other`"),
        (r#"{"entries": {"0": 4}}"#, "cs s2 holds entry 1, which the layout does not have"),
        (r#"{"entries": {"0": 4, "1": 4, "2": 5}}"#, "entries 0 and 1 would both be entry 4"),
        (r#"{"entries": {"0": 4, "1": 5, "2": 200}}"#, "entry 2 would be entry 200; PAL has 160 entries"),
    ] {
        let (_folder, path) = file("layout.json", layout);
        let line = ["repack", &sample("fill.elf"), "--layout", &path.to_string_lossy(), "-o", &out.to_string_lossy()];
        let (status, _, stderr) = outcome(line);
        assert!(status == 2 && stderr.contains(words), "{layout}: {stderr}");
        assert!(!out.exists(), "{layout}");
    }
}

#[test]
fn repacks_an_object_from_one_pipeline_to_another() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("moved.elf").to_string_lossy().into_owned();
    let input = |name: &str| samples().join("inputs").join(name).to_string_lossy().into_owned();
    let (from, to) = (input("old.pipe"), input("new.pipe"));
    let object = sample("fill.elf");
    let run = |line: &[&str]| outcome(["repack", &object].iter().chain(line).copied());
    let (status, stdout, stderr) = run(&["--from", &from, "--layout", &to, "-o", &out]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.contains("COMPUTE_USER_DATA_2  entry 1      entry 5"), "{stdout}");
    let found = json(&["diff", &out, &sample("fill_moved.elf")]);
    let sections = found["sections"].as_array().expect("sections");
    let differing = sections.iter().filter(|section| section["equal"] == false);
    // The hash stays: the layout does not say it.
    let rows: Vec<String> = differing.map(|section| format!("{}", section["rows"])).collect();
    assert!(rows.iter().all(|rows| rows.contains(".internal_pipeline_hash") && !rows.contains("limit")), "{rows:?}");

    let text = std::fs::read_to_string(&to).expect("a sample");
    let changed = |from: &str, to: &str| {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "{from}");
        file("other.pipe", changed)
    };
    let table = "userDataNode[4].next[0].offsetInDwords = ";
    for (other, words) in [
        (
            changed(&format!("{table}0"), &format!("{table}12")),
            "set 0, binding 0 is DescriptorBuffer at dword 0, size 4 in the first layout, DescriptorBuffer at dword 12, size 4 \
             in the second: its place is in the code",
        ),
        (
            changed("type = PushConst", "type = StreamOutTableVaPtr"),
            "entry 1 is the push constants of the first layout",
        ),
        (
            changed("userDataNode[5].sizeInDwords = 2", "userDataNode[5].sizeInDwords = 1"),
            "entry 2 is dword 1 of the push constants, which has 1 in the second layout",
        ),
    ] {
        let other_path = other.1.to_string_lossy().into_owned();
        let (status, _, stderr) = run(&["--from", &from, "--layout", &other_path, "-o", &out, "--force"]);
        assert!(status == 2 && stderr.contains(words), "{words}: {stderr}");
    }
    let (status, _, stderr) = run(&["--from", &to, "--layout", &from, "-o", &out, "--force"]);
    assert!(status == 2 && stderr.contains("entry 0 is the table of set 1 of the first layout"), "{stderr}");
    let json_layout = input("fill_layout.json");
    let (status, _, stderr) = run(&["--from", &from, "--layout", &json_layout, "-o", &out, "--force"]);
    assert!(status == 2 && stderr.contains("expected one .pipe file with --from"), "{stderr}");
}

/// The object is code for the layout that is guessed for the shader in `new.pipe`.
#[test]
fn repacks_an_object_from_the_guessed_layout() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let input = |name: &str| samples().join("inputs").join(name).to_string_lossy().into_owned();
    let object = sample("fill.elf");
    let run = |layout: &[&str], out: &str| outcome([&["repack", &object, "--layout"], layout, &["-o", out]].concat());
    let (guessed, described) = (path("guessed.elf"), path("described.elf"));
    let (status, stdout, stderr) = run(&[&input("new.pipe")], &guessed);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.contains("COMPUTE_USER_DATA_2  entry 1      entry 5"), "{stdout}");
    let (status, ..) = run(&[&input("new.pipe"), "--from", &input("old.pipe")], &described);
    assert_eq!(status, 0);
    assert!(std::fs::read(&guessed).expect("was written") == std::fs::read(&described).expect("was written"));
    // `old.pipe` is as guessed.
    let (status, stdout, stderr) = run(&[&input("old.pipe")], &path("same.elf"));
    assert!(status == 0 && stdout.contains("the file is the same"), "{stdout}{stderr}");

    let refused = path("refused.elf");
    for (layout, words) in [
        (vec!["samples/tile_16x16.comp"], "cs s2 holds entry 1; in code for the guessed layout it holds nothing"),
        (vec!["samples/lit_surface.vert", "samples/lit_surface.frag"], "which these files have fragment"),
    ] {
        let (status, _, stderr) = run(&layout, &refused);
        assert!(status == 2 && stderr.contains(words), "{layout:?}: {stderr}");
    }
    let graphics = sample("lit_named.elf");
    let line = ["repack", &graphics, "--layout", "samples/lit_surface.frag", "-o", &refused];
    let (status, _, stderr) = outcome(line);
    assert!(status == 2 && stderr.contains("gs s1 holds entry 0; layouts are guessed for fragment"), "{stderr}");
    // A dynamic buffer in the application, which the guess has in a table.
    let text = std::fs::read_to_string(input("new.pipe")).expect("a sample");
    let (_folder, other) =
        file("other.pipe", text.replace("type = DescriptorTableVaPtr", "type = StreamOutTableVaPtr"));
    let (status, _, stderr) = run(&[&other.to_string_lossy()], &refused);
    assert!(status == 2 && stderr.contains("the guess is a miss: "), "{stderr}");
    assert!(!std::path::Path::new(&refused).exists());
}

#[test]
fn objects_are_named_where_shaders_are_expected() {
    let object = sample("fill.elf");
    let shader = "samples/tile_16x16.comp";
    for (arguments, words) in [
        (vec!["rewrite", &object, "-o", "nowhere"], "it is an AMD code object, which has no SPIR-V"),
        (vec!["inspect", &object, shader], "it is an AMD code object"),
        (vec!["inspect", &object, "--wave", "64"], "is an AMD code object; --wave has no effect on it"),
        (vec!["inspect", &object, "--chip", "gfx1030"], "is an AMD code object; --chip has no effect on it"),
        (vec!["inspect", &object, "--format", "sarif"], "--format sarif needs a program"),
        (vec!["diff", &object, shader], "is an AMD code object; samples/tile_16x16.comp: is not"),
        (vec!["diff", &object, &object, "--format", "svg", "-o", "nowhere"], "are compared as text"),
        (vec!["diff", &object, &object, "--target", "gfx1100"], "--target has no effect on it"),
    ] {
        let (status, _, stderr) = outcome(&arguments);
        assert!(status == 2 && stderr.contains(words), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_damaged_object_is_shown_with_findings() {
    let bytes = std::fs::read(samples().join("code_objects/fill.elf")).expect("a sample");
    let (_folder, path) = file("cut.elf", &bytes[..1000]);
    let (status, stdout, stderr) = outcome(["inspect", &path.to_string_lossy()]);
    assert_eq!((status, stderr.as_str()), (1, ""));
    assert!(stdout.contains("object.damaged"), "{stdout}");
    let (_folder, path) = file("short.elf", &bytes[..30]);
    let (status, _, stderr) = outcome(["inspect", &path.to_string_lossy()]);
    assert!(status == 2 && stderr.contains("ELF header is damaged: expected 64 bytes, found 30"), "{stderr}");
}

/// Names of symbols and texts of the metadata are shown, and not obeyed.
#[test]
fn foreign_text_is_not_obeyed() {
    let mut bytes = std::fs::read(samples().join("code_objects/fill.elf")).expect("a sample");
    let mut replace = |from: &[u8], to: &[u8]| {
        assert_eq!(from.len(), to.len());
        let places: Vec<usize> = (0..bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
        assert!(!places.is_empty());
        places.iter().for_each(|at| bytes[*at..at + to.len()].copy_from_slice(to));
    };
    replace(b"_amdgpu_cs_main", b"\x1b]0;title\x07\x1b[31m");
    replace(b"Vulkan", b"\x1b[2Jab");
    replace(b".sgpr_count", b".\x1b[31m_coun");
    let (_folder, path) = file("hostile.elf", &bytes);
    let path = path.to_string_lossy().into_owned();
    for arguments in [
        vec!["inspect", path.as_str()],
        vec!["inspect", &path, "--format", "json"],
        vec!["diff", &path, "samples/code_objects/fill.elf"],
    ] {
        let (_, stdout, stderr) = outcome(&arguments);
        let obeyed = |text: &str| text.contains(['\u{1b}', '\u{7}']);
        assert!(!obeyed(&stdout) && !obeyed(&stderr), "{arguments:?}");
    }
}

/// An executable that answers as `llvm-objdump` does.
fn objdump(script: &str) -> (tempfile::TempDir, PathBuf) {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, path) = file("llvm-objdump-40", format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    (folder, path)
}

#[test]
fn disassembles_with_the_newest_objdump_on_path() {
    let run = |script: &str| {
        let (folder, _path) = objdump(script);
        let path = format!("{}:/usr/bin:/bin", folder.path().display());
        outcome_with(&[("PATH", &path)], ["inspect", &sample("fill.elf"), "--listing"])
    };
    let (status, stdout, stderr) = run("echo \"$1 $2\"; printf '\\033[31ms_endpgm\\n'");
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.contains("--disassemble --mcpu=gfx1030\n") && stdout.contains("[31ms_endpgm"), "{stdout}");
    assert!(!stdout.contains('\u{1b}'), "{stdout}");
    let (status, _, stderr) = run("echo 'unknown target CPU' >&2; exit 1");
    assert!(status == 2 && stderr.contains("unknown target CPU"), "{stderr}");
    let (status, _, stderr) = run("kill -SEGV $$");
    assert!(status == 2 && stderr.contains("signal: 11"), "{stderr}");
    let nowhere = tempfile::tempdir().expect("a temporary folder");
    let path = nowhere.path().to_string_lossy().into_owned();
    let (status, _, stderr) = outcome_with(&[("PATH", &path)], ["inspect", &sample("fill.elf"), "--listing"]);
    assert!(status == 3 && stderr.contains("llvm-objdump is not on PATH"), "{stderr}");
}
