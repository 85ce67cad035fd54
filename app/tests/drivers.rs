//! Which drivers and chips `lanescope isa` and `lanescope doctor` find, and the errors of those that do not load.

mod common;

use std::path::Path;

use serde_json::Value;

/// Runs the program with a cache of its own: exit status, standard output and standard error.
fn run(cache: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = common::lanescope().args(arguments).env("XDG_CACHE_HOME", cache).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("is UTF-8");
    (output.status.code().expect("it ends by itself"), text(output.stdout), text(output.stderr))
}

fn json(cache: &Path, arguments: &[&str]) -> Value {
    let (_, stdout, stderr) = run(cache, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout} {stderr}"))
}

const PAIR: [&str; 3] = ["isa", "samples/lit_surface.vert", "samples/lit_surface.frag"];

#[test]
fn a_driver_that_fails_to_load_is_a_column_with_the_loaders_message() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let manifests = std::fs::read_dir("/usr/share/vulkan/icd.d").expect("drivers are installed").flatten();
    let radeon = manifests.map(|entry| entry.path()).find(|path| path.to_string_lossy().contains("radeon"));
    let radeon = radeon.expect("Mesa's AMD driver is installed").display().to_string();
    let broken = cache.path().join("broken.json");
    let library = cache.path().join("absent.so").display().to_string();
    let text = format!(
        "{{\"ICD\":{{\"api_version\":\"1.3.0\",\"library_path\":\"{library}\"}},\"file_format_version\":\"1.0.0\"}}"
    );
    std::fs::write(&broken, text).expect("writable");
    let both = format!("{radeon},{}", broken.display());
    let arguments = [&PAIR[..], &["--chip", "gfx1030", "--icd", &both]].concat();
    let report = json(cache.path(), &arguments);
    let failures = report["driver_failures"].as_array().expect("a list");
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert!(failures[0]["message"].as_str().expect("text").contains(&library), "{failures:?}");
    assert!(report["driver"].as_array().is_some_and(|rows| rows.iter().all(|row| row["icd"] == radeon.as_str())));
    let (_, page, _) = run(cache.path(), &[&arguments[..], &["--stat"]].concat());
    assert!(page.contains("gfx1030 [2]") && page.contains("failed") && page.contains("absent.so"), "{page}");
    let (status, _, stderr) = run(cache.path(), &[&PAIR[..], &["--icd", "/no/such.json"]].concat());
    assert_eq!(status, 2);
    assert!(stderr.contains("/no/such.json"), "{stderr}");
}

#[test]
fn offered_chips_compile_and_others_have_mesas_reason() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let found = json(cache.path(), &["doctor"]);
    let chips = found["chips"].as_array().expect("a list");
    let is_found = |chip: &&Value| chip["found"] == true;
    let names = |chips: Vec<&Value>| -> Vec<String> {
        chips.iter().map(|chip| chip["target"].as_str().expect("a name").to_owned()).collect()
    };
    let offered = names(chips.iter().filter(is_found).collect());
    assert!(!offered.is_empty(), "no chip is offered: {chips:?}");
    let all = json(cache.path(), &["isa", "samples/tile_16x16.comp", "--all-chips"]);
    let mut made: Vec<String> = names(all["driver"].as_array().expect("a list").iter().collect());
    made.dedup();
    assert_eq!(made, offered);
    for chip in chips.iter().filter(|chip| !is_found(chip)) {
        let name = chip["target"].as_str().expect("a name");
        let about = chip["about"].as_str().expect("a reason");
        // A chip that dies on graphics may compile compute.
        if about.contains("cannot compile a graphics pipeline") {
            continue;
        }
        if chip["partial"].is_object() {
            let (status, _, stderr) = run(cache.path(), &["isa", "samples/tile_16x16.comp", "--chip", name]);
            assert_eq!(status, 0, "{name}: {stderr}");
            let (status, ..) = run(cache.path(), &[&PAIR[..], &["--chip", name]].concat());
            assert_eq!(status, 1, "{name}: a pipeline of several stages fails");
            continue;
        }
        let (status, _, stderr) = run(cache.path(), &["isa", "samples/tile_16x16.comp", "--chip", name]);
        assert_eq!(status, 3, "{name}: {stderr}");
        assert!(stderr.contains(about), "{name}: {about}: {stderr}");
    }
    let (status, _, stderr) = run(cache.path(), &["isa", "samples/tile_16x16.comp", "--chip", "voodoo2"]);
    assert_eq!(status, 3, "{stderr}");
    assert!(stderr.contains("voodoo2"), "{stderr}");
}
