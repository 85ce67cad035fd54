//! Programs reduced while a condition holds.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{file, lanescope, outcome, outcome_with, samples};
use tempfile::TempDir;

fn sample(name: &str) -> String {
    samples().join(name).to_string_lossy().into_owned()
}

/// A folder for results, and its path.
fn results() -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("small").to_string_lossy().into_owned();
    (folder, path)
}

fn read(folder: &str, name: &str) -> String {
    let path = Path::new(folder).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A script that decides about tries.
fn script(text: &str) -> (TempDir, PathBuf) {
    let (folder, path) = file("keep.sh", format!("#!/bin/sh\n{text}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("the mode is set");
    (folder, path)
}

#[test]
fn a_race_is_reduced_to_its_two_accesses() {
    let (_folder, out) = results();
    let (status, stdout, stderr) = outcome(["reduce", &sample("race.comp"), "--while", "finding E001", "-o", &out]);
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    assert!(stdout.starts_with("24 to "), "{stdout}");
    let text = read(&out, "comp.spvasm");
    let count = |name: &str| text.lines().filter(|line| line.contains(name)).count();
    let accesses: Vec<&str> = text.lines().filter(|line| line.contains("%values")).collect();
    assert!(count("OpAtomic") == 0 && count("OpUndef") == 0 && accesses.len() <= 6, "{text}");
    // The race is still there, and the module is one like any other.
    let module = Path::new(&out).join("comp.spv").to_string_lossy().into_owned();
    let (_, report, _) = outcome(["run", &module, "--device", "interpreter", "--original-only"]);
    assert!(report.contains("E001"), "{report}");
    let (status, ..) = outcome(["inspect", &module]);
    assert_eq!(status, 0);
    let readme = read(&out, "README.md");
    for expected in [
        "- Condition: `finding E001`",
        "Instructions in functions: 24 before, ",
        "the interpreter reports E001 before, and no other after any accepted step",
        "reduce",
        "'finding E001'",
        "## After",
    ] {
        assert!(readme.contains(expected), "{expected}: {readme}");
    }
    let amber = Path::new(&out).join("reduced.amber").to_string_lossy().into_owned();
    let (_, ran, _) = outcome(["run", &amber, "--device", "interpreter"]);
    assert!(ran.contains("E001"), "{ran}");
}

#[test]
fn names_of_files_do_not_reach_a_terminal_as_escapes() {
    let (_folder, out) = results();
    let out = format!("{out}\u{1b}[31mred");
    let (_source, path) = file("a\u{1b}[31m.comp", std::fs::read(sample("race.comp")).expect("is there"));
    let path = path.to_string_lossy().into_owned();
    let (status, stdout, stderr) = outcome(["reduce", &path, "--while", "finding E001", "-o", &out]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    let readme = read(&out, "README.md");
    for text in [stdout, stderr, readme] {
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
}

#[test]
fn a_folder_with_a_result_is_refused_before_anything_is_reduced() {
    let (_folder, out) = results();
    std::fs::create_dir(&out).expect("is created");
    std::fs::write(Path::new(&out).join("README.md"), "mine").expect("is written");
    let (_script, keep) = script("touch \"$0.asked\"");
    let condition = format!("exec \"{}\"", keep.display());
    let (status, _, stderr) = outcome(["reduce", &sample("race.comp"), "--while", &condition, "-o", &out]);
    assert_eq!(status, 2);
    assert!(stderr.contains("README.md") && stderr.contains("--force"), "{stderr}");
    assert!(!keep.with_extension("sh.asked").exists(), "nothing was asked");
    assert_eq!(read(&out, "README.md"), "mine");
}

#[test]
fn the_result_does_not_depend_on_the_number_of_jobs() {
    let texts = ["1", "3"].map(|jobs| {
        let (_folder, out) = results();
        let (status, _, stderr) =
            outcome(["reduce", &sample("race.comp"), "--while", "finding E001", "-o", &out, "--jobs", jobs]);
        assert_eq!(status, 0, "{stderr}");
        read(&out, "comp.spvasm")
    });
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn a_pipeline_is_reduced_on_both_sides_of_its_interface() {
    let (_folder, out) = results();
    let files = [sample("flat_and_smooth.vert"), sample("flat_and_smooth.frag")];
    let arguments = ["reduce", &files[0], &files[1], "--while", "slots-differ", "--chip", "tgl", "-o", &out];
    let (status, stdout, stderr) = outcome(arguments);
    assert_eq!(status, 0, "{stdout}{stderr}");
    // Two varyings that the model packs into one slot and the compiler does not.
    assert!(stdout.contains("slots-differ: Lanescope, packed: 1 slot; ANV tgl: 2 slots"), "{stdout}");
    let (vertex, fragment) = (read(&out, "vert.spvasm"), read(&out, "frag.spvasm"));
    let inputs = fragment.lines().filter(|line| line.contains(" Location ")).count();
    assert_eq!(inputs, 3, "two inputs and an output: {fragment}");
    assert!(vertex.contains("BuiltIn Position"), "{vertex}");
}

#[test]
fn a_compiler_that_dies_is_reduced_to_what_kills_it() {
    let (_folder, out) = results();
    let kernel = "#version 460\nlayout(local_size_x = 8) in; layout(binding = 0) buffer B { uint n; float b[]; };
        void main() { float s = 0.0; for (uint i = 0; i < n; i++) s += mod(b[i], 3.0) * sin(b[i]); b[0] = s; }";
    let (_source, path) = file("kernel.comp", kernel);
    let fault = [("LANESCOPE_WORKER_FAULT", "abort:instruction=OpFMod")];
    let path = path.to_string_lossy().into_owned();
    let arguments = ["reduce", &path, "--while", "crashes on gfx1030", "--chip", "gfx1030,tgl", "-o", &out];
    let (status, stdout, stderr) = outcome_with(&fault, arguments);
    assert_eq!(status, 0, "{stdout}{stderr}");
    let text = read(&out, "comp.spvasm");
    assert!(text.contains("OpFMod") && !text.contains("Sin") && !text.contains("OpLoopMerge"), "{text}");
    assert!(stdout.contains("gfx1030 (original): "), "{stdout}");
}

#[test]
fn a_program_of_the_users_decides() {
    let (_folder, out) = results();
    let (_script, keep) = script("test $(wc -c < \"$1\") -gt 500");
    let condition = format!("exec \"{}\"", keep.display());
    let (status, stdout, stderr) = outcome(["reduce", &sample("tile_16x16.comp"), "--while", &condition, "-o", &out]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    let bytes = std::fs::metadata(Path::new(&out).join("comp.spv")).expect("is written").len();
    assert!((501..600).contains(&bytes), "{bytes} bytes: {stdout}");
}

#[test]
fn sources_are_reduced_as_text() {
    let source =
        "#version 450\nvoid f() { int x = 1; }\nvoid main() {\n  int y = 2;\n  undefined_thing(y);\n  f();\n}\n";
    let (_source, path) = file("bad.frag", source);
    let path = path.to_string_lossy().into_owned();
    let (_folder, out) = results();
    let condition = "text matches /undefined_thing.*no matching overloaded function/";
    let (status, stdout, stderr) = outcome(["reduce", &path, "--text", "--while", condition, "-o", &out]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    let text = read(&out, "bad.frag");
    assert!(text.contains("undefined_thing()") && !text.contains("f(") && text.len() < 50, "{text}");
    // The program itself is as it was.
    assert_eq!(std::fs::read_to_string(&path).expect("is there"), source);
}

#[test]
fn sources_that_load_stay_a_program() {
    let (_folder, out) = results();
    // The message of an empty file would match, too.
    let arguments = ["reduce", &sample("lit_surface.frag"), "--text", "--while", "text matches /exp/", "-o", &out];
    let (status, stdout, stderr) = outcome(arguments);
    assert_eq!(status, 0, "{stdout}{stderr}");
    assert!(read(&out, "lit_surface.frag").contains("void main()"), "{stdout}");
}

#[test]
fn what_cannot_lead_a_reduction_is_refused_with_what_was_seen() {
    let kernel = sample("tile_16x16.comp");
    let (_folder, out) = results();
    let refused = |condition: &str, more: &[&str]| {
        let arguments = [&["reduce", &kernel, "--while", condition, "-o", &out][..], more].concat();
        let (status, stdout, stderr) = outcome(arguments);
        assert_eq!((status, stdout.as_str()), (2, ""), "{condition}: {stderr}");
        assert!(!Path::new(&out).exists(), "{condition}");
        stderr
    };
    let error = refused("statistic VGPRs > 1000", &["--chip", "gfx1030"]);
    assert!(error.contains("does not hold") && error.contains("(gfx1030, original compute)"), "{error}");
    let error = refused("finding E001", &[]);
    assert!(error.contains("finding E001: no such finding"), "{error}");
    let error = refused("crashes on gfx1100", &["--chip", "gfx1030,tgl"]);
    assert!(error.contains("no compiler is named `gfx1100`: there is gfx1030, tgl"), "{error}");
    let error = refused("time > 2x", &["--chip", "gfx1030"]);
    assert!(error.contains("a factor compares two compilations"), "{error}");
    let error = refused("slots-differ and", &[]);
    assert!(error.contains("condition, column 17: expected `slots-differ`"), "{error}");
    let error = refused("exec ./no-such-program", &[]);
    assert!(error.contains("no-such-program: No such file"), "{error}");
    // Now it holds, now it does not.
    let (folder, keep) =
        script("n=$(cat \"$0.n\" 2>/dev/null || echo 0); echo $((n + 1)) > \"$0.n\"; test $((n % 2)) = 0");
    let error = refused(&format!("exec \"{}\"", keep.display()), &["--jobs", "1"]);
    assert!(error.contains("holds 2 of 3 times"), "{error}");
    drop(folder);
}

#[test]
fn undefined_behaviour_is_no_way_to_a_smaller_program() {
    // Without the loop's end, the write or the bound, each would be smaller, and undefined.
    let kernel = "#version 460\nlayout(local_size_x = 1) in; layout(binding = 0) buffer B { uint n; uint b[8]; };
        void main() { uint x = 0u; for (uint i = 0u; i < 8u; i++) { x += b[i] / (b[i] + 1u); } b[0] = x; }";
    let (_source, path) = file("kernel.comp", kernel);
    let path = path.to_string_lossy().into_owned();
    let (_script, keep) = script("grep -q B \"$1\"");
    let condition = format!("exec \"{}\"", keep.display());
    let (_folder, out) = results();
    let (status, stdout, stderr) = outcome(["reduce", &path, "--while", &condition, "-o", &out]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    let module = Path::new(&out).join("comp.spv").to_string_lossy().into_owned();
    let (_, report, _) = outcome(["run", &module, "--device", "interpreter", "--original-only"]);
    assert!(!report.contains("E00"), "{report}");
    let readme = read(&out, "README.md");
    assert!(readme.contains("the interpreter reports none before, and none after any accepted step"), "{readme}");
}

#[test]
fn what_was_found_is_kept_when_it_is_stopped() {
    let begun = tempfile::tempdir().expect("a folder");
    let mark = begun.path().join("tries");
    let (_script, keep) = script(&format!("echo x >> \"{}\"; sleep 0.05; test -s \"$1\"", mark.display()));
    let (_folder, out) = results();
    let condition = format!("exec \"{}\" and not finding X999", keep.display());
    let files = [sample("lit_surface.vert"), sample("lit_surface.frag")];
    let mut child = lanescope()
        .args(["reduce", &files[0], &files[1], "--while", &condition, "-o", &out, "--allow-undefined"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // It is stopped while it tries.
    let limit = Instant::now() + Duration::from_secs(60);
    while std::fs::read_to_string(&mark).map_or(0, |text| text.lines().count()) < 4 {
        assert!(Instant::now() < limit && child.try_wait().is_ok_and(|ended| ended.is_none()), "it tries");
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).expect("it is there");
    let done = child.wait().expect("it ends");
    // It was stopped, or had come to its end before.
    assert!(done.success(), "{done}");
    assert!(read(&out, "README.md").contains("- Tries: "));
}
