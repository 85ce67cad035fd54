//! Which drivers and chips `lanescope isa` and `lanescope doctor` find, and the errors of those that do not load.

use crate::common;
use std::collections::BTreeSet;
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

/// The manifest of an installed driver, by a part of its file's name.
fn manifest(name: &str) -> String {
    let all = std::fs::read_dir("/usr/share/vulkan/icd.d").expect("drivers are installed").flatten();
    let found = all.map(|entry| entry.path()).find(|path| path.to_string_lossy().contains(name));
    found.unwrap_or_else(|| panic!("no driver {name}")).display().to_string()
}

#[test]
fn a_driver_without_chips_compiles_with_its_first_device() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let (lavapipe, radeon) = (manifest("lvp"), manifest("radeon"));
    let (status, page, stderr) = run(cache.path(), &[&PAIR[..], &["--icd", &lavapipe]].concat());
    assert_eq!(status, 0, "{stderr}");
    assert!(page.contains("llvmpipe") && page.contains("executable_properties: it compiles"), "{page}");
    let both = format!("{radeon},{lavapipe}");
    let report = json(cache.path(), &[&PAIR[..], &["--icd", &both]].concat());
    let costs = report["driver_costs"].as_array().expect("a list");
    let of = |cost: &Value| (cost["target"].as_str().map(str::to_owned), cost["icd"].as_str().map(str::to_owned));
    assert_eq!(of(&costs[0]), (Some("gfx1030".to_owned()), Some(radeon)));
    assert_eq!(of(&costs[1]), (None, Some(lavapipe.clone())));
    // Chips are Mesa's AMD driver's own.
    let (status, _, stderr) = run(cache.path(), &[&PAIR[..], &["--icd", &lavapipe, "--chip", "gfx1030"]].concat());
    assert_eq!(status, 3, "{stderr}");
    assert!(stderr.contains("is not Mesa's AMD driver") && stderr.contains("llvmpipe"), "{stderr}");
    assert!(!stderr.contains("offers no device"), "{stderr}");
}

/// Mesa up to 25 has a second back end for AMD's chips; newer ones leave its switch alone.
#[test]
fn llvm_compiles_instead_of_aco_where_mesa_has_it() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let isa = |arguments: &[&str]| {
        let mut command = common::lanescope();
        command.args([arguments, &["--format", "json"]].concat()).env("RADV_DEBUG", "llvm");
        let output = command.env("XDG_CACHE_HOME", cache.path()).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).expect("is JSON")
    };
    let report = isa(&[&PAIR[..], &["--chip", "gfx1030"]].concat());
    let rows = report["driver"].as_array().expect("a list");
    assert_eq!(rows.len(), 2, "a vertex and a fragment shader");
    for row in rows {
        assert!(row["isa"].as_str().is_some_and(|text| text.contains("s_endpgm")), "{row}");
        assert!(row["facts"]["instructions"].as_u64().is_some_and(|count| count > 10), "{}", row["facts"]);
    }
    if rows[0]["device"].as_str().is_some_and(|device| device.contains("(LLVM")) {
        let reason = rows[0]["verified"]["reason"].as_str().expect("a reason");
        assert!(reason.contains("LLVM"), "{reason}");
        assert!(rows[0]["verified"]["unread"].is_null(), "{}", rows[0]["verified"]);
        assert!(rows[1]["verified"]["unread"].is_null(), "{}", rows[1]["verified"]);
    }
    let compute = isa(&["isa", "samples/tile_16x16.comp", "--chip", "gfx1030"]);
    assert_eq!(compute["driver"].as_array().map(Vec::len), Some(1));
}

#[test]
fn slots_of_compilers_are_printed_drawn_and_exported() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let chips = [&PAIR[..], &["--chip", "gfx1030,gfx1100", "--varyings"]].concat();
    let (status, page, stderr) = run(cache.path(), &chips);
    assert_eq!(status, 0, "{stderr}");
    for text in
        ["Varyings by compiler", "original", "Lanescope, packed", "RADV gfx1030, RADV gfx1100", "Driver: varyings"]
    {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains("s_endpgm") && !page.contains("Spilled"), "no assembly, no statistics: {page}");
    let (_, csv, _) = run(cache.path(), &[&chips[..], &["--format", "csv"]].concat());
    let header =
        "place,driver,version,stages,variable,part,original,packed,rewritten,slot,channel,half,more,rule,reason";
    assert_eq!(csv.lines().next(), Some(header));
    assert!(csv.lines().any(|line| line.starts_with("gfx1100,") && line.contains(",whole,world_position,x,")), "{csv}");
    let (_, markdown, _) = run(cache.path(), &[&chips[..], &["--format", "markdown"]].concat());
    assert!(markdown.contains("| varying") && markdown.contains("gfx1030, gfx1100"), "{markdown}");
    // A compute shader has none.
    let arguments = ["isa", "samples/tile_16x16.comp", "--chip", "gfx1030", "--varyings"];
    let (status, page, _) = run(cache.path(), &arguments);
    assert!(status == 0 && page.contains("No compiler returned where the varyings"), "{page}");
    let svg = cache.path().join("varyings.svg").display().to_string();
    let draw = |rest: &[&str]| run(cache.path(), &[&["draw", PAIR[1], PAIR[2], "-o", &svg], rest].concat());
    let (status, _, stderr) = draw(&["--view", "varyings", "--chip", "gfx1030,gfx1100"]);
    assert_eq!(status, 0, "{stderr}");
    let drawn = std::fs::read_to_string(&svg).expect("written");
    assert!(drawn.contains("RADV gfx1030, RADV gfx1100"), "{drawn}");
    let (status, _, stderr) = draw(&["--view", "varyings", "--chip", "gfx1030", "--variant", "packed", "--force"]);
    assert!(status == 2 && stderr.contains("nothing to draw"), "no compiler has the original's: {stderr}");
    let (status, _, stderr) = draw(&["--view", "packing", "--chip", "gfx1030", "--force"]);
    assert!(status == 2 && stderr.contains("--view varyings only"), "{stderr}");
}

/// Intel's drivers, without an Intel GPU: through the library that comes with the program.
#[test]
fn intels_compilers_run_beside_amds() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let report = json(cache.path(), &[&PAIR[..], &["--chip", "gfx1030,tgl,broadwell,arc-a770"]].concat());
    assert!(report["driver_failures"].as_array().is_none_or(Vec::is_empty), "{}", report["driver_failures"]);
    let costs = report["driver_costs"].as_array().expect("a list");
    let of = |cost: &Value| ["target", "device"].map(|key| cost[key].as_str().expect("a text").to_owned());
    let found: Vec<[String; 2]> = costs.iter().map(of).collect();
    let names: Vec<&str> = found.iter().map(|[chip, _]| chip.as_str()).collect();
    assert_eq!(names, ["gfx1030", "tgl", "bdw", "dg2"]);
    for (at, part) in ["RADV NAVI21", "TGL GT2", "BDW GT2", "DG2"].iter().enumerate() {
        assert!(found[at][1].contains(part), "{found:?}");
    }
    // Their texts are read, each line of them.
    let rows = report["driver"].as_array().expect("a list");
    let of_intel: Vec<&Value> = rows.iter().filter(|row| row["target"] != "gfx1030").collect();
    assert!(of_intel.iter().any(|row| row["name"].as_str().is_some_and(|name| name.contains("SIMD16"))), "{rows:?}");
    for row in of_intel {
        let texts = row["representations"].to_string() + &row["isa"].to_string();
        assert!(texts.contains("mad(8)") || texts.contains("send(") || texts.contains("mov("), "{row}");
        assert_eq!(row["facts"]["dialect"], "gen", "{row}");
        assert_eq!(row["verified"]["state"], "yes", "{}", row["verified"]);
        let outputs = row["facts"]["outputs"].as_array().expect("a list");
        let what = if row["stage"] == "fragment" { "render target" } else { "URB row" };
        assert!(!outputs.is_empty() && outputs.iter().all(|output| output["slot"]["what"] == what), "{outputs:?}");
    }
    let tables = report["driver_layouts"].as_array().expect("a list");
    let places: BTreeSet<&str> = tables.iter().filter_map(|table| table["target"].as_str()).collect();
    assert_eq!(places, ["bdw", "dg2", "gfx1030", "tgl"].into(), "{tables:?}");
    // Intel's compilers keep the locations of what is passed.
    let rows = tables.iter().filter(|table| table["target"] != "gfx1030").flat_map(|table| table["rows"].as_array());
    for row in rows.flatten() {
        for place in row["driver"].as_array().expect("a list") {
            let own = place["attribute"].is_null() || place["attribute"] == row["from"]["location"];
            assert!(own && place["rule"] != "unattributed", "{row}");
        }
    }
    // Chips that one vendor's driver does not know, and whose driver is not there, are named with the reason.
    let (status, _, stderr) = run(cache.path(), &[&PAIR[..], &["--chip", "hsw"]].concat());
    assert_eq!(status, 3, "{stderr}");
    assert!(stderr.contains("hsw") && stderr.contains("does not support Vulkan 1.3"), "{stderr}");
    let lavapipe = manifest("lvp");
    let (status, _, stderr) = run(cache.path(), &[&PAIR[..], &["--chip", "tgl", "--icd", &lavapipe]].concat());
    assert_eq!(status, 3, "{stderr}");
    assert!(stderr.contains("is not a manifest of ANV"), "{stderr}");
    // Each chip goes to its own driver.
    let all = [manifest("radeon"), manifest("intel_icd"), manifest("intel_hasvk")].join(",");
    let arguments = ["isa", "samples/tile_16x16.comp", "--chip", "bdw,tgl,gfx1030", "--icd", &all];
    let report = json(cache.path(), &arguments);
    assert!(report["driver_failures"].as_array().is_none_or(Vec::is_empty), "{}", report["driver_failures"]);
    let costs = report["driver_costs"].as_array().expect("a list");
    let chips: Vec<_> = costs.iter().map(|cost| cost["target"].as_str().unwrap_or_default()).collect();
    assert_eq!(chips, ["bdw", "tgl", "gfx1030"]);
    // The first manifest that the loader lists may be for programs of another architecture.
    let foreign = cache.path().join("intel_icd.foreign.json");
    let library = cache.path().join("libvulkan_intel.so").display().to_string();
    std::fs::write(&library, "not a library").expect("writable");
    let text = format!(
        "{{\"ICD\":{{\"library_path\":\"{library}\",\"api_version\":\"1.3.0\"}},\"file_format_version\":\"1.0.0\"}}"
    );
    std::fs::write(&foreign, text).expect("writable");
    let mut command = common::lanescope();
    command.args(["isa", "samples/tile_16x16.comp", "--chip", "tgl", "--no-cache"]).env("XDG_CACHE_HOME", cache.path());
    command.env("VK_ICD_FILENAMES", format!("{}:{}", foreign.display(), manifest("intel_icd")));
    let output = command.output().expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    // Neither table nor driver knows it: no driver is said to be its own.
    let (status, _, stderr) = run(cache.path(), &["isa", "samples/tile_16x16.comp", "--chip", "adreno640"]);
    assert_eq!(status, 3, "{stderr}");
    assert!(stderr.contains("neither `lanescope help targets` nor the installed RADV has a chip"), "{stderr}");
    // Another vendor's driver has other statistics: nothing is compared in silence.
    let corpus = ["corpus", "samples/tile_16x16.comp", "--chip", "gfx1030", "--against", "chip=tgl"];
    let (status, _, stderr) = run(cache.path(), &corpus);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("ANV has other statistics than RADV"), "{stderr}");
}

/// Each line of what Intel's compilers print of the samples is read, and there are as many as they count. Without an access
/// the counts go down.
#[test]
fn intels_texts_are_read_whole() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let chips = ["--chip", "bdw,skl,tgl,dg2"];
    let graphics = |name: &str| ["vert", "frag"].map(|stage| format!("samples/{name}.{stage}")).to_vec();
    let compute = ["tile_16x16", "divergent_derivative", "odd_size", "particles_1024"];
    let compute = compute.map(|name| vec![format!("samples/{name}.comp")]);
    let pairs = ["lit_surface", "divergent_sample", "dynamic_index", "matrix_and_array"].map(graphics);
    let tessellated = ["vert", "tesc", "tese", "frag"].map(|stage| format!("samples/bent_patch.{stage}")).to_vec();
    let mut count = 0;
    for files in compute.into_iter().chain(pairs).chain([tessellated]) {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let report = json(cache.path(), &[&["isa"], &files[..], &chips].concat());
        for row in report["driver"].as_array().expect("a list") {
            assert_eq!(row["verified"]["state"], "yes", "{files:?} {}: {}", row["target"], row["verified"]);
            let number = |name: &str| {
                let all = row["statistics"].as_array().expect("a list");
                let found = all.iter().find(|one| one["name"].as_str().is_some_and(|own| own.starts_with(name)));
                found.and_then(|one| one["value"].as_u64())
            };
            let text = row["isa"].as_str().expect("a text");
            let is_send = |line: &&str| line.trim_start_matches(|c| c != 's').starts_with("send");
            if let Some(sends) = number("SEND") {
                assert_eq!(text.lines().filter(is_send).count() as u64, sends, "{files:?} {}", row["target"]);
            }
            let instructions = row["facts"]["instructions"].as_u64().expect("a number");
            // What fills the text behind its end is not counted.
            if let Some(counted) = number("Instruction") {
                assert!((counted..counted + 40).contains(&instructions), "{instructions} of {counted}");
            }
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
    let memory = |source: &str| {
        let file = cache.path().join("one.comp");
        std::fs::write(&file, source).expect("writable");
        let report = json(cache.path(), &["isa", &file.display().to_string(), "--chip", "tgl"]);
        let row = &report["driver"][0];
        assert_eq!(row["verified"]["state"], "yes", "{}", row["verified"]);
        let of = |list: &str| row["facts"][list].as_array().map_or(0, Vec::len);
        let spaces = row["facts"]["memory"].as_array().expect("a list").iter();
        let mut spaces: Vec<String> =
            spaces.map(|one| format!("{} {}", one["space"], one["does"]).replace('"', "")).collect();
        spaces.sort();
        spaces.dedup();
        (spaces, of("barriers"))
    };
    let shader = |fetch: &str, barrier: &str| {
        format!(
            "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer A {{ float a[]; }};\n\
             layout(binding = 1) uniform sampler2D t;\nshared float s[64];\nvoid main() {{\n\
             uint i = gl_LocalInvocationIndex; s[i] = {fetch}; {barrier} a[i] = s[63u - i];\n}}\n"
        )
    };
    let whole = memory(&shader("textureLod(t, vec2(a[i]), 0.0).x", "barrier();"));
    let expected = ["buffer load", "buffer store", "image sample", "local load", "local store"];
    assert_eq!((whole.0.as_slice(), whole.1), (expected.map(str::to_owned).as_slice(), 2));
    let less = memory(&shader("a[i]", ""));
    let expected = ["buffer load", "buffer store", "local load", "local store"];
    assert_eq!((less.0.as_slice(), less.1), (expected.map(str::to_owned).as_slice(), 0));
}

/// A kernel driver that accepts work and executes none: a first shader finds it out, before anything is compared.
#[test]
fn a_device_that_executes_nothing_is_found_out() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let program = lanescope_testing::executable(env!("CARGO_BIN_EXE_lanescope"));
    let library = Path::new(&program).with_file_name("liblanescope_intel.so");
    assert!(library.is_file(), "{} is missing: cargo build --release -p lanescope-intel", library.display());
    let run = |arguments: &[&str]| {
        let mut command = common::lanescope();
        command.args(arguments).env("XDG_CACHE_HOME", cache.path()).env("LD_PRELOAD", &library);
        command.env("LANESCOPE_INTEL_GPU", "0x9a49 revision=3 topology=1x6x16");
        let output = command.output().expect("the program starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("is UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    for arguments in [
        &["run", "samples/tile_16x16.comp", "--device", "TGL"][..],
        &["run", "samples/lit_surface.vert", "samples/lit_surface.frag", "--device", "TGL"],
        &["probe", "samples/tile_16x16.comp", "--device", "TGL"],
    ] {
        let (status, stdout, stderr) = run(arguments);
        assert_eq!(status, Some(3), "{arguments:?}: {stdout} {stderr}");
        assert!(stderr.contains("of 64 words that the first shader writes, 0 arrived"), "{stderr}");
        assert!(!stdout.contains("equal"), "{stdout}");
    }
    let (_, stdout, _) = run(&["doctor"]);
    assert!(stdout.contains("(TGL GT2) does not execute shaders"), "{stdout}");
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

#[test]
fn a_lone_fragment_shader_is_compiled_apart_and_reads_by_location() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    for sample in ["samples/lit_surface.frag", "samples/flat_and_smooth.frag"] {
        let report = json(cache.path(), &["isa", sample, "--chip", "gfx1030"]);
        assert!(report["driver"].as_array().is_some_and(|rows| rows.iter().all(|row| row["link"] == "apart")));
        let table = &report["driver_layouts"][0];
        assert_eq!(table["columns"].as_array().map(Vec::len), Some(1));
        assert_eq!(table["columns"][0]["link"], "apart");
        let mut locations: Vec<u64> = Vec::new();
        for row in table["rows"].as_array().expect("a list") {
            locations.extend(row["from"]["location"].as_u64());
            let place = &row["driver"][0];
            assert_ne!(place["rule"], "unattributed", "{sample}: {row}");
            locations.dedup();
            assert_eq!(place["attribute"], locations.len() - 1, "{sample}: {row}");
            assert_eq!(place["channel"], row["from"]["component"], "{sample}: {row}");
        }
        let (_, page, _) = run(cache.path(), &["isa", sample, "--chip", "gfx1030"]);
        assert!(page.contains("original, apart") && !page.contains("together"), "{page}");
    }
}

#[test]
fn a_geometry_shader_of_two_parts_has_its_exports_once() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let files = ["isa", "samples/rotated_halves.vert", "samples/rotated_halves.geom", "samples/rotated_halves.frag"];
    // NAVI14 makes no primitives itself: the shader writes them to memory, and a copy of its own exports them.
    let report = json(cache.path(), &[&files[..], &["--chip", "gfx1012"]].concat());
    let parts = report["driver"].as_array().expect("a list").iter().filter(|row| row["stage"] == "geometry").count();
    assert_eq!(parts, 2);
    let registers = report["driver_registers"].as_array().expect("a list");
    let position = |row: &&Value| row["stage"] == "geometry" && row["field"] == "POS0_EXPORT_FORMAT";
    let rows: Vec<&Value> = registers.iter().filter(position).filter(|row| row["link"] == "whole").collect();
    assert_eq!(rows.iter().map(|row| &row["driver"]).collect::<Vec<_>>(), [4], "{rows:?}");
}
