//! Hunts: what is found, counted once, reduced, and gone on with.

use std::path::Path;

use serde_json::Value;

use crate::common::{outcome, outcome_with, samples};

/// A folder for a hunt.
fn place() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("hunt").to_string_lossy().into_owned();
    (folder, path)
}

fn state(folder: &str) -> Value {
    let path = Path::new(folder).join("hunt.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("is JSON")
}

#[test]
fn a_compiler_that_dies_is_found_once_and_reduced() {
    let (_folder, out) = place();
    let fault = [("LANESCOPE_WORKER_FAULT", "abort:instruction=OpBitReverse@gfx1030")];
    let arguments = ["hunt", "--chip", "gfx1030,tgl", "--kind", "kernel", "--programs", "24", "-o", &out];
    let (status, stdout, stderr) = outcome_with(&fault, arguments);
    assert_eq!(status, 1, "{stdout}{stderr}");
    let state = state(&out);
    let found = state["found"].as_array().expect("a list");
    let [one] = found.as_slice() else { panic!("one failure: {state:#}\n{stderr}") };
    assert_eq!((&one["signature"]["what"], &one["signature"]["on"]), (&"crash".into(), &"gfx1030".into()));
    assert!(one["programs"].as_u64() > Some(1), "several programs show it: {one:#}");
    assert!(one["size"][1].as_u64() < Some(12), "{one:#}");
    assert_eq!(state["counts"]["programs"], 24);
    let folder = Path::new(&out).join(one["folder"].as_str().expect("a name"));
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).expect("is written");
    assert!(text("comp.spvasm").contains("OpBitReverse"), "{}", text("comp.spvasm"));
    assert!(text("reduced.amber").starts_with("#!amber"), "{}", text("reduced.amber"));
    // The command of the README finds it again, in the program as it was found.
    let readme = text("README.md");
    let command = readme.lines().find_map(|line| line.trim().strip_prefix("lanescope reduce ")).expect("a command");
    let words: Vec<String> = command.split(' ').map(|word| word.trim_matches('\'').to_owned()).collect();
    assert!(words.iter().any(|word| Path::new(word).is_file()), "{command}");
    assert!(command.contains("--while crashes --chip gfx1030"), "{command}");
}

#[test]
fn a_hunt_goes_on_where_it_was() {
    let (_folder, out) = place();
    let (_other, whole) = place();
    let fault = [("LANESCOPE_WORKER_FAULT", "abort:instruction=OpNot")];
    let hunt = |out: &str, programs: &str, more: &[&str]| {
        let common =
            ["hunt", "--chip", "gfx1030", "--kind", "kernel", "--reduction", "0s", "-o", out, "--programs", programs];
        outcome_with(&fault, common.into_iter().chain(more.iter().copied()))
    };
    let (first, ..) = hunt(&out, "5", &[]);
    assert_eq!(first, 1);
    let (status, _, stderr) = hunt(&out, "10", &[]);
    assert!(status == 2 && stderr.contains("exists: --resume goes on"), "{stderr}");
    let (status, _, stderr) = hunt(&out, "10", &["--resume", "--seed", "3"]);
    assert!(status == 2 && stderr.contains("it has seed 0, this one has seed 3"), "{stderr}");
    assert_eq!(hunt(&out, "10", &["--resume"]).0, 1);
    assert_eq!(hunt(&whole, "10", &[]).0, 1);
    let (resumed, whole) = (state(&out), state(&whole));
    assert_eq!(resumed["counts"], whole["counts"]);
    assert_eq!(resumed["found"][0]["programs"], whole["found"][0]["programs"]);
    assert_eq!((&resumed["next"], &resumed["counts"]["programs"]), (&10.into(), &10.into()));
}

/// What was not compared is not said to be.
#[test]
fn without_a_device_nothing_is_compared() {
    let (_folder, out) = place();
    let arguments = ["hunt", "--chip", "gfx1030", "--kind", "kernel", "--programs", "16", "-o", &out];
    let (status, stdout, stderr) = outcome(arguments);
    assert_eq!(status, 0, "{stdout}{stderr}");
    let driver = state(&out)["drivers"][0].as_str().map(str::to_owned).expect("it is named");
    assert!(driver.starts_with("gfx1030: ") && driver.contains("radv Mesa "), "{driver}");
    // Of every fourth kernel that has a layout to change.
    let counts = &state(&out)["counts"];
    assert_eq!((&counts["compared"], &counts["rewritten"]), (&0.into(), &2.into()), "{counts:#}");
    assert!(!stdout.contains("with the interpreter") && stdout.ends_with("nothing was found\n"), "{stdout}");
}

#[test]
fn what_is_not_here_is_said_before_anything_is_hunted() {
    let (_folder, out) = place();
    let (status, stdout, stderr) = outcome(["hunt", "--device", "no such device", "--programs", "4", "-o", &out]);
    assert_eq!((status, stdout.as_str()), (3, ""), "{stderr}");
    assert!(stderr.contains("no such device") && !Path::new(&out).exists(), "{stderr}");
}

#[test]
fn a_file_that_does_not_load_is_counted() {
    let (folder, out) = place();
    let file = folder.path().join("broken.frag");
    std::fs::write(&file, "#version 450\nvoid main() { missing; }\n").expect("writes");
    let file = file.to_string_lossy().into_owned();
    let arguments = ["hunt", "--corpus", &file, "--chip", "gfx1030", "--programs", "3", "-o", &out];
    let (status, stdout, stderr) = outcome(arguments);
    assert_eq!(status, 0, "{stdout}{stderr}");
    assert!(stdout.contains("  3 programs not loaded: ") && stdout.contains("broken.frag"), "{stdout}");
}

/// Programs on which all agree raise no alarm: each of them ran on both devices.
#[test]
fn kernels_leave_the_same_everywhere() {
    let (_folder, out) = place();
    let arguments =
        ["hunt", "--device", "llvmpipe", "--kind", "kernel", "--seed", "100", "--programs", "40", "-o", &out];
    let (status, stdout, stderr) = outcome(arguments);
    assert_eq!(status, 0, "{stdout}{stderr}");
    let counts = &state(&out)["counts"];
    assert_eq!(counts["compared"], 40, "{counts:#}");
    assert_eq!((&counts["undefined"], &counts["inexact"]), (&0.into(), &0.into()), "{counts:#}");
}

#[test]
fn a_corpus_is_altered_and_compiled() {
    let (_folder, out) = place();
    let file = samples().join("lit_surface.frag").to_string_lossy().into_owned();
    let arguments = ["hunt", "--corpus", &file, "--chip", "gfx1030", "--programs", "6", "-o", &out, "--format", "json"];
    let (status, stdout, stderr) = outcome(arguments);
    assert_eq!(status, 0, "{stdout}{stderr}");
    let answer: Value = serde_json::from_str(&stdout).expect("is JSON");
    assert_eq!((&answer["counts"]["compiled"], &answer["counts"]["inexact"]), (&6.into(), &6.into()), "{answer:#}");
}

#[test]
fn a_hunt_without_an_end_needs_a_terminal() {
    let (_folder, out) = place();
    let (status, _, stderr) = outcome(["hunt", "--chip", "gfx1030", "-o", &out]);
    assert!(status == 2 && stderr.contains("--budget TIME or --programs N"), "{stderr}");
}
