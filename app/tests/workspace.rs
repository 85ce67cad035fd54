//! `lanescope.toml`: commands use what it says of their files, and open its pipelines.

use std::path::PathBuf;

use crate::common::{copy_samples, json, outcome};

/// The samples with a workspace file beside them; names become paths there.
fn workspace(text: &str) -> (tempfile::TempDir, impl Fn(&str) -> PathBuf) {
    let folder = copy_samples();
    let top = folder.path().canonicalize().expect("is there");
    std::fs::write(top.join("lanescope.toml"), text).expect("writable");
    (folder, move |name: &str| top.join(name))
}

const LIT: &str = "target = \"gfx1100\"\n[[pipeline]]\nname = \"lit\"\nfiles = [\"lit_surface.vert\", \"lit_surface.frag\"]\n\
                   [[pipeline]]\nname = \"sized\"\nfiles = [\"sized.glsl\"]\nstage = \"comp\"\ndefines = [\"SIZE=4\"]\n";

const SIZED: &str = "#version 450\nlayout(local_size_x = SIZE) in;\nvoid main() {}\n";

#[test]
fn files_are_compiled_as_the_workspace_file_says() {
    let (_folder, path) = workspace(LIT);
    std::fs::write(path("sized.glsl"), SIZED).expect("writable");
    let report = json([path("sized.glsl")]);
    assert_eq!(report["options"]["target"], "gfx1100");
    assert_eq!(report["workgroup"][0]["size"], serde_json::json!([4, 1, 1]));
    // Flags count before the file, and standard error names what it sets.
    let said = |flags: &[&str]| {
        let file = path("sized.glsl").display().to_string();
        outcome(["inspect", file.as_str()].iter().chain(flags))
    };
    let (status, out, err) = said(&["-DSIZE=16", "--target", "gfx1030"]);
    assert!(status == 0 && out.contains("16×1×1"), "{out}{err}");
    let place = format!("pipeline `sized` of {}", path("lanescope.toml").display());
    assert!(err.contains(&format!("{place}: target=gfx1100 define=SIZE=4 stage=compute")), "{err}");
    let (status, _, err) = said(&["--no-config"]);
    assert!(status == 2 && err.contains("sized.glsl") && !err.contains("lanescope.toml:"), "{err}");
    // Children of a server that is bound to a folder do not look above it.
    let inner = path("inner");
    std::fs::create_dir(&inner).expect("writable");
    std::fs::copy(path("tile_16x16.comp"), inner.join("a.comp")).expect("copied");
    let file = inner.join("a.comp");
    assert_eq!(json([&file])["options"]["target"], "gfx1100");
    let within = ["inspect".into(), file.into_os_string(), "--read-within".into(), inner.into_os_string()];
    let (status, _, err) = outcome(&within);
    assert!(status == 0 && err.is_empty(), "{err}");
}

#[test]
fn a_workspace_file_opens_one_of_its_pipelines() {
    let (_folder, path) = workspace(LIT);
    std::fs::write(path("sized.glsl"), SIZED).expect("writable");
    let file = path("lanescope.toml").display().to_string();
    let by_name = json([file.as_str(), "--pipeline", "lit"]);
    let by_files = json([path("lit_surface.vert"), path("lit_surface.frag")]);
    assert_eq!(by_name["packing"], by_files["packing"]);
    let (status, _, err) = outcome(["inspect", &file]);
    assert!(status == 2 && err.contains("lanescope.toml: --pipeline chooses one of `lit`, `sized`"), "{err}");
    let (status, _, err) = outcome(["inspect", &file, "--pipeline", "red"]);
    assert!(status == 2 && err.contains("no pipeline `red`: it has `lit`, `sized`"), "{err}");
    let sides = ["lit", "sized"].map(|name| format!("{file}@{name}"));
    let (status, out, err) = outcome(["diff", &sides[0], &sides[1]]);
    assert!(status == 1 && out.contains("packing"), "{out}{err}");
    // Tables over many pipelines have all of them.
    let (status, out, err) = outcome(["slots", &file]);
    assert!(status == 0 && out.contains("lit_surface.vert + lit_surface.frag"), "{out}{err}");
    let (status, out, err) = outcome(["corpus", &file, "--format", "jsonl"]);
    assert!(status == 0 && out.contains("sized.glsl [define=SIZE=4 stage=compute]"), "{out}{err}");
}

#[test]
fn a_wrong_workspace_file_is_an_error_with_its_place() {
    let (_folder, path) = workspace("target = \"gfx1100\"\ndefine = [\"A\"]\n");
    let (status, _, err) = outcome(["inspect".into(), path("tile_16x16.comp").into_os_string()]);
    let place = format!("{}:2:1: unknown field `define`", path("lanescope.toml").display());
    assert!(status == 2 && err.contains(&place), "{err}");
    // A pipeline name is one of the file, or of a database.
    let (_folder, path) = workspace(LIT);
    let file = path("tile_16x16.comp").display().to_string();
    let (status, _, err) = outcome(["inspect", &file, "--pipeline", "lit"]);
    assert!(status == 2 && err.contains("--pipeline: "), "{err}");
}
