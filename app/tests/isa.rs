//! `lanescope isa`: what it prints and writes, and the handling of a compiler that does not answer.

use crate::common;
use std::path::Path;

use serde_json::Value;

/// What a run of the program ended with.
struct Outcome {
    status: i32,
    stdout: String,
    stderr: String,
}

/// Runs `lanescope isa`, with a cache and variables of its own.
fn isa(cache: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Outcome {
    run(cache, variables, &[&["isa"], arguments].concat())
}

fn run(cache: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Outcome {
    let mut command = common::lanescope();
    command.args(arguments).env("XDG_CACHE_HOME", cache).envs(variables.iter().copied());
    let output = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("is UTF-8");
    let status = output.status.code().expect("it ends by itself");
    Outcome { status, stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn json(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.stdout)
        .unwrap_or_else(|error| panic!("{error}: {} {}", outcome.stdout, outcome.stderr))
}

/// The codes and messages of the findings about drivers.
fn driver_findings(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("is text").to_owned();
    let findings = report["findings"].as_array().expect("a list").iter();
    let rows = findings.map(|finding| (text(&finding["code"]), text(&finding["message"])));
    rows.filter(|(code, _)| code.starts_with('I')).collect()
}

const PAIR: [&str; 2] = ["samples/lit_surface.vert", "samples/lit_surface.frag"];

#[test]
fn shows_several_chips_and_versions_side_by_side() {
    let cache = folder();
    let [vertex, fragment] = PAIR;
    let chips = ["--chip", "navi21,GFX1100", "--of", "packed,original", "--apart", "--format", "json"];
    let report = json(&isa(cache.path(), &[], &[&[vertex, fragment][..], &chips].concat()));
    let rows: Vec<String> = report["driver"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| {
            assert!(row["isa"].as_str().expect("assembly").contains("s_endpgm"));
            assert!(row["statistics"].as_array().expect("a list").iter().any(|s| s["name"] == "VGPRs"));
            assert!(row["device"].as_str().expect("a name").contains("RADV"));
            format!("{} {} {} {}", row["target"], row["of"], row["stage"], row["link"]).replace('"', "")
        })
        .collect();
    assert_eq!(
        rows,
        [
            "gfx1030 original vertex apart",
            "gfx1030 original fragment apart",
            "gfx1030 packed vertex apart",
            "gfx1030 packed fragment apart",
            "gfx1100 original vertex apart",
            "gfx1100 original fragment apart",
            "gfx1100 packed vertex apart",
            "gfx1100 packed fragment apart",
        ]
    );
    // The pair's eight original slots are three when packed: the vertex shader exports less.
    let statistic = |row: usize, name: &str| {
        let all = report["driver"][row]["statistics"].as_array().expect("a list");
        all.iter().find(|s| s["name"] == name).expect("is reported")["value"].as_u64().expect("a count")
    };
    assert!(statistic(2, "Instructions") < statistic(0, "Instructions"));

    // Both ways of linking are in the table of varyings, for each request.
    let list = |field: &str| report[field].as_array().expect("a list").clone();
    let layouts = list("driver_layouts");
    assert_eq!(layouts.len(), 2, "one a chip");
    for table in &layouts {
        let columns: Vec<_> = table["columns"].as_array().expect("a list").iter().map(|c| c["link"].clone()).collect();
        assert_eq!(columns, ["apart", "whole", "apart", "whole"]);
        assert!(!table.to_string().contains("unattributed"), "{table}");
    }
    let costs = list("driver_costs");
    assert_eq!(costs.len(), 4, "what was not asked for is no cost of the answer");
    assert!(costs.iter().all(|cost| cost["nanoseconds"].as_u64() > Some(0) && cost["peak_memory"].as_u64() > Some(0)));
    assert!(list("driver_registers").iter().any(|row| row["field"] == "VGPRS" && row.get("ours").is_none()));
    assert!(report["driver"][1]["origins"].as_array().is_some_and(|all| all.iter().any(|o| o["by"] == "varying")));

    let whole = json(&run(cache.path(), &[], &["inspect", vertex, fragment, "--chip", "gfx900", "--format", "json"]));
    assert_eq!(whole["driver"].as_array().expect("a list").len(), 2);
    let statistics = whole["driver"][0]["statistics"].as_array().expect("a list");
    let is_hash = |row: &&Value| row["name"].as_str().is_some_and(|name| name.to_lowercase().contains("hash"));
    let mut hashes = statistics.iter().filter(is_hash).map(|row| &row["value"]).peekable();
    assert!(hashes.peek().is_some(), "{statistics:?}");
    assert!(hashes.all(|hash| hash.as_str().is_some_and(|hash| hash.starts_with("0x"))), "{statistics:?}");
    let plain = json(&run(cache.path(), &[], &["inspect", vertex, fragment, "--format", "json"]));
    assert!(plain.get("driver").is_none(), "no driver was used");
}

#[test]
fn the_table_of_all_chips_reads_as_drawn() {
    let cache = folder();
    let outcome = isa(
        cache.path(),
        &[],
        &["samples/tile_16x16.comp", "--reconfig", "--all-chips=amd", "--of", "original,swizzled"],
    );
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""));
    assert!(outcome.stdout.lines().all(|line| line.chars().count() <= 100), "{}", outcome.stdout);
    for name in ["gfx803", "gfx900", "gfx1010", "gfx1030", "gfx1100", "swizzled", "VGPRs", "Code size"] {
        assert!(outcome.stdout.contains(name), "{name}: {}", outcome.stdout);
    }
    assert!(!outcome.stdout.contains("s_endpgm"), "a table, no assembly");
    let change = |line: &&str| line.contains('%') && (line.contains('+') || line.contains('-'));
    assert!(outcome.stdout.lines().any(|line| change(&line)), "changes have sign and percentage: {}", outcome.stdout);
}

#[test]
fn statistics_are_exported_as_tables() {
    let cache = folder();
    let arguments = ["samples/tile_16x16.comp", "--reconfig", "--chip", "gfx1030", "--of", "original,swizzled"];
    let table = |format: &str| {
        let outcome = isa(cache.path(), &[], &[&arguments[..], &["--format", format]].concat());
        assert_eq!(outcome.status, 0, "{format}: {}", outcome.stderr);
        outcome.stdout
    };
    let csv = table("csv");
    let mut lines = csv.split_terminator("\r\n");
    assert_eq!(lines.next(), Some("stage,executable,statistic,place,version,stages,value,change,percent,driver"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == 10 && row[3] == "gfx1030"), "{csv}");
    let size = |version: &str| rows.iter().find(|row| row[2] == "Code size" && row[4] == version).expect("a row");
    let number = |text: &str| text.parse::<i64>().unwrap_or_else(|error| panic!("{text}: {error}"));
    let (original, swizzled) = (size("original"), size("swizzled"));
    assert_eq!(original[7], "", "nothing is before the first version");
    assert_eq!(number(swizzled[7]), number(swizzled[6]) - number(original[6]));
    let markdown = table("markdown");
    assert!(markdown.contains("| | gfx1030 original | gfx1030 swizzled |"), "{markdown}");
    assert!(markdown.contains(&format!("| Code size | {} | {} ", original[6], swizzled[6])), "{markdown}");
}

#[test]
fn processes_that_share_the_cache_print_the_same() {
    let cache = folder();
    let [vertex, fragment] = PAIR;
    let one = || {
        let mut command = common::lanescope();
        let arguments = ["isa", vertex, fragment, "--chip", "gfx900,gfx1030", "--of", "original,packed", "--apart"];
        command.args(arguments).args(["--format", "json"]).env("XDG_CACHE_HOME", cache.path());
        command.stdout(std::process::Stdio::piped()).spawn().expect("the program starts")
    };
    let all: Vec<_> = (0..3).map(|_| one()).collect();
    let rows: Vec<Value> = all
        .into_iter()
        .map(|child| {
            let output = child.wait_with_output().expect("it ends");
            assert!(output.status.success());
            let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
            report["driver"].clone()
        })
        .collect();
    assert_eq!(rows[0].as_array().map(Vec::len), Some(8));
    assert!(rows.iter().all(|other| *other == rows[0]), "whoever compiled it");
    let there = std::fs::read_dir(cache.path().join("lanescope/compiled")).expect("there");
    let names: Vec<_> = there.map(|entry| entry.expect("reads").file_name().to_string_lossy().into_owned()).collect();
    // Two chips, two versions, apart and together; nothing that was begun is left.
    assert!(names.len() == 8 && names.iter().all(|name| name.ends_with(".json")), "{names:?}");
}

#[test]
fn prints_and_writes_texts() {
    let (cache, out) = (folder(), folder());
    let to = out.path().join("isa");
    let to = to.to_str().expect("a name");
    let arguments = ["samples/particles_1024.comp", "--chip", "gfx1100", "--ir", "--out", to];
    let outcome = isa(cache.path(), &[], &arguments);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""));
    let text = common::stage_names(&outcome.stdout);
    for words in ["compute: NIR Shader(s)", "compute: ACO IR", "compute: Assembly", "s_endpgm"] {
        assert!(text.contains(words), "{words}: {}", outcome.stdout);
    }
    let mut names: Vec<_> = std::fs::read_dir(to)
        .expect("written")
        .map(|entry| entry.expect("reads").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let expected = ["original.compute.gfx1100.aco_ir.txt", "original.compute.gfx1100.nir_shader_s.txt"];
    assert_eq!(names, [&expected[..], &["original.compute.gfx1100.s", "report.json"]].concat());
    let again = isa(cache.path(), &[], &arguments);
    assert!(again.status == 2 && again.stderr.contains("use --force to overwrite"), "{}", again.stderr);
}

#[test]
fn a_compiler_timeout_is_a_finding_and_the_next_one_works() {
    let [vertex, fragment] = PAIR;
    for (fault, code, words) in [
        ("crash", "I001", "SIGSEGV (invalid memory access), with a memory limit of 1024 MiB"),
        ("abort", "I001", "SIGABRT"),
        ("exit", "I001", "ended without an answer on the original fragment shader: exit status 3"),
        ("quit", "I001", "ended without an answer on the original fragment shader: exit status 0"),
        ("hang", "I002", "within 6 s"),
        ("memory", "I003", "SIGABRT"),
    ] {
        let (cache, repro) = (folder(), folder());
        let repro = repro.path().to_str().expect("a name");
        let variables = [("LANESCOPE_WORKER_FAULT", format!("{fault}:fragment@gfx1030"))];
        let variables = [(variables[0].0, variables[0].1.as_str())];
        let arguments = [
            vertex,
            fragment,
            "--chip",
            "gfx1030,gfx900",
            "--timeout",
            // Only the hang is to meet the limit, however busy the machine is.
            if fault == "hang" { "6" } else { "60" },
            "--memory",
            "1024M",
            "--save-repro",
            repro,
            "--format",
            "json",
        ];
        let outcome = isa(cache.path(), &variables, &arguments);
        assert_eq!(outcome.status, 1, "{fault}: {}", outcome.stderr);
        let report = json(&outcome);
        let findings = driver_findings(&report);
        assert_eq!(findings.len(), 1, "{fault}: {findings:?}");
        let (found, message) = &findings[0];
        assert_eq!(found, code, "{fault}");
        // The compiler, the side that it cannot take, the signal.
        for words in ["RADV for gfx1030 (radv Mesa", "the original fragment shader", words] {
            assert!(message.contains(words), "{fault}: {words}: {message}");
        }
        let chips: Vec<_> = report["driver"].as_array().expect("a list").iter().map(|row| &row["target"]).collect();
        assert_eq!(chips, ["gfx900", "gfx900"], "{fault}: the other chip is not touched");
        let folder = Path::new(repro).join("original-vertex-fragment-gfx1030");
        for file in ["0.vertex.spv", "0.vertex.spvasm", "1.fragment.spv", "1.fragment.spvasm", "README.txt"] {
            assert!(folder.join(file).exists(), "{fault}: {file}");
        }
        // Nothing of the failure was kept: without the fault the same compilation works.
        let healed = isa(cache.path(), &[], &[vertex, fragment, "--chip", "gfx1030", "--format", "json"]);
        assert_eq!((healed.status, driver_findings(&json(&healed)).len()), (0, 0), "{fault}");
    }
}

#[test]
fn reports_a_driver_that_cannot_start_with_the_memory_limit() {
    let cache = folder();
    // The process itself, the loader, the driver: each fails in its own way.
    for memory in ["64", "80", "128"] {
        for keep in [&["--no-cache"][..], &[]] {
            let asked = ["samples/tile_16x16.comp", "--chip", "gfx1030", "--memory", &format!("{memory}M")];
            let outcome = isa(cache.path(), &[], &[&asked[..], keep].concat());
            let words = format!("it cannot start with {memory} MiB of memory");
            assert!(outcome.status == 2 && outcome.stderr.contains(&words), "{} {}", outcome.status, outcome.stderr);
        }
    }
    // What the device lacks has nothing to do with it.
    let asked = ["samples/quad_derivatives.comp", "--chip", "gfx900", "--memory", "1024M"];
    let lacks = isa(cache.path(), &[], &asked);
    assert!(lacks.status == 3 && lacks.stderr.contains("computeDerivativeGroupQuads"), "{}", lacks.stderr);
}

#[test]
fn starts_a_new_compiler_after_a_crash() {
    let cache = folder();
    let [vertex, fragment] = PAIR;
    let variables = [("LANESCOPE_WORKER_FAULT", "abort:compute")];
    let group = ["samples/tile_16x16.comp", "--chip", "gfx1030", "--of", "original,swizzled", "--format", "json"];
    let died = json(&isa(cache.path(), &variables, &group));
    assert_eq!(driver_findings(&died).len(), 2, "the second version is asked of a new child");
    let pair = json(&isa(cache.path(), &variables, &[vertex, fragment, "--chip", "gfx1030", "--format", "json"]));
    assert!(driver_findings(&pair).is_empty());
}

#[test]
fn caches_compilations_unless_disabled() {
    let cache = folder();
    let kept = |arguments: &[&str]| {
        let outcome =
            isa(cache.path(), &[], &[&["samples/odd_size.comp", "--chip", "gfx1030"][..], arguments].concat());
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        let words: Vec<&str> = outcome.stdout.split_whitespace().collect();
        words.join(" ").contains("cached (compiled in")
    };
    let files = || std::fs::read_dir(cache.path().join("lanescope/compiled")).map_or(0, |entries| entries.count());
    assert!(!kept(&["--no-cache"]));
    assert_eq!(files(), 0, "--no-cache keeps nothing");
    assert!(!kept(&[]));
    assert_eq!(files(), 1);
    assert!(kept(&[]));
    assert!(!kept(&["--no-cache"]), "and takes nothing");
    assert!(!kept(&["--wave", "32"]), "another wave size is another compilation");
    assert_eq!(files(), 2);
    // What a disk may do to a file.
    for entry in std::fs::read_dir(cache.path().join("lanescope/compiled")).expect("there") {
        let path = entry.expect("reads").path();
        let bytes = std::fs::read(&path).expect("reads");
        std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("writable");
    }
    assert!(!kept(&[]), "half a file is none");
    assert!(kept(&[]), "and is written again");
}

#[test]
fn cached_results_match_wave_size_and_variables() {
    let cache = folder();
    let stage = |variables: &[(&str, &str)], arguments: &[&str]| {
        let arguments = [arguments, &["--chip", "gfx1030", "--format", "json"]].concat();
        json(&isa(cache.path(), variables, &arguments))["driver"][0].clone()
    };
    let file = "samples/dxil/prefix_sum.cs.dxil";
    assert_eq!(stage(&[], &[file])["subgroup_size"], 64);
    assert_eq!(stage(&[], &[file, "--dxil-wave-size", "32"])["subgroup_size"], 32);
    let instructions = |variables: &[(&str, &str)]| {
        stage(variables, &["samples/tile_16x16.comp"])["facts"]["instructions"].as_u64().expect("a count")
    };
    let (plain, unoptimised) = (instructions(&[]), instructions(&[("ACO_DEBUG", "noopt,nosched")]));
    assert!(plain < unoptimised, "{plain} {unoptimised}");
    assert_eq!(instructions(&[]), plain);
}

#[test]
fn reads_colour_exports_of_all_chips_alike() {
    let cache = folder();
    let shader = |text: &str| common::file("a.frag", format!("#version 450\nlayout(location=0) in vec4 c;\n{text}"));
    let exports = |file: &Path, chip: &str| {
        let path = file.to_str().expect("a name");
        let report = json(&isa(cache.path(), &[], &[path, "--chip", chip, "--format", "json"]));
        let all = report["driver"][0]["facts"]["exports"].as_array().expect("a list").clone();
        let exports = all.iter().map(|e| format!("{} {} {} {}", e["target"], e["mask"], e["compressed"], e["form"]));
        let registers = report["driver_registers"].as_array().expect("a list").clone();
        let colours = registers.iter().filter(|row| row["register"] == "SPI_SHADER_COL_FORMAT");
        let differ = colours.clone().filter(|row| row.get("choice").is_some()).count();
        (exports.collect::<Vec<_>>().join(", ").replace('"', ""), colours.count(), differ)
    };
    let expected = |text: &str, colours| (text.to_owned(), colours, 0);
    let (_folder, one) = shader("layout(location=0) out vec4 a; void main() { a = c; }");
    assert_eq!(exports(&one, "gfx1030"), expected("mrt 15 true fp16", 8));
    assert_eq!(exports(&one, "gfx1100"), expected("mrt 15 true fp16", 8));
    let (_folder, two) = shader(
        "layout(location=0,index=0) out vec4 a; layout(location=0,index=1) out vec4 b; void main() { a = c; b = \
         c*0.5; }",
    );
    assert_eq!(exports(&two, "gfx1030"), expected("mrt 15 true fp16, mrt 15 true fp16", 8));
    assert_eq!(exports(&two, "gfx1100"), expected("dual_src_blend 15 true fp16, dual_src_blend 15 true fp16", 8));
    // Constants that were packed by the compiler: two floats or four halves.
    let (_folder, constant) = shader("layout(location=0) out vec4 a; void main() { a = vec4(1, 0.5, 0.25, 1); }");
    assert_eq!(exports(&constant, "gfx1030"), expected("mrt 15 true 16-bit", 7));
    assert_eq!(exports(&constant, "gfx1100"), expected("mrt 3 null null", 7));
}

#[test]
fn names_what_is_missing() {
    let cache = folder();
    let [vertex, fragment] = PAIR;
    let quads = isa(cache.path(), &[], &["samples/quad_derivatives.comp", "--chip", "gfx900"]);
    assert_eq!(quads.status, 3, "{}", quads.stdout);
    assert!(quads.stderr.contains("computeDerivativeGroupQuads"), "{}", quads.stderr);
    let chip = isa(cache.path(), &[], &[vertex, fragment, "--chip", "voodoo2"]);
    assert!(
        chip.status == 3 && chip.stderr.contains("nor the installed RADV has a chip of this name"),
        "{}",
        chip.stderr
    );
    let device = isa(cache.path(), &[], &[vertex, fragment, "--device", "Voodoo2"]);
    assert!(
        device.status == 3 && device.stderr.contains("no Vulkan device has the name or index `Voodoo2`"),
        "{}",
        device.stderr
    );
    for cache in ["", "--no-cache"] {
        let no_drivers = [("VK_DRIVER_FILES", "/nonexistent"), ("VK_ICD_FILENAMES", "/nonexistent")];
        let arguments = ["samples/odd_size.comp", "--chip", "gfx900", cache];
        let arguments: Vec<&str> = arguments.into_iter().filter(|word| !word.is_empty()).collect();
        let driver = isa(folder().path(), &no_drivers, &arguments);
        assert!(driver.status == 3 && driver.stderr.contains("does not find a manifest of Mesa"), "{}", driver.stderr);
    }
    let wave = isa(cache.path(), &[], &["samples/odd_size.comp", "--chip", "gfx900", "--wave", "32"]);
    assert!(wave.status == 3 && wave.stderr.contains("subgroup size 32"), "{}", wave.stderr);
    let version = isa(cache.path(), &[], &["samples/odd_size.comp", "--chip", "gfx900", "--of", "packed"]);
    assert!(version.status == 2 && version.stderr.contains("none of the requested versions"), "{}", version.stderr);
}

#[test]
fn reports_a_device_without_executable_properties() {
    let cache = folder();
    let [vertex, fragment] = PAIR;
    let outcome = isa(cache.path(), &[], &[vertex, fragment, "--device", "llvmpipe", "--format", "json"]);
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    let report = json(&outcome);
    let rows = report["driver"].as_array().expect("a list");
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert!(row["device"].as_str().expect("a name").starts_with("llvmpipe"));
        assert!(row.get("isa").is_none());
        let notes = row["notes"].to_string();
        assert!(notes.contains("does not support VK_KHR_pipeline_executable_properties"), "{notes}");
    }
}

#[test]
fn passes_the_wave_size_to_the_compiler() {
    let cache = folder();
    for wave in ["32", "64"] {
        let report = json(&isa(
            cache.path(),
            &[],
            &["samples/odd_size.comp", "--chip", "gfx1010,gfx1100", "--wave", wave, "--format", "json"],
        ));
        for row in report["driver"].as_array().expect("a list") {
            assert_eq!(row["subgroup_size"].to_string(), wave, "{}", row["target"]);
        }
    }
}

#[test]
fn compares_programs_and_reports_section_by_section() {
    let (cache, out) = (folder(), folder());
    let pair = PAIR.join(",");
    let same = run(cache.path(), &[], &["diff", &pair, &pair, "--chip", "gfx1030"]);
    assert_eq!((same.status, same.stderr.as_str()), (0, ""));
    assert_eq!(same.stdout.matches("the same").count(), 4, "{}", same.stdout);
    assert!(same.stdout.contains("lanes       in neither"), "{}", same.stdout);

    let other = "samples/flat_and_smooth.vert,samples/flat_and_smooth.frag";
    let differ = run(cache.path(), &[], &["diff", &pair, other, "--chip", "gfx1030", "--format", "json"]);
    assert_eq!(differ.status, 1, "{}", differ.stderr);
    let report = json(&differ);
    let section = |name: &str| {
        let all = report["sections"].as_array().expect("a list");
        all.iter().find(|section| section["name"] == name).unwrap_or_else(|| panic!("{name}")).clone()
    };
    for (name, word) in [("packing", "slots"), ("registers", "SPI_PS_IN_CONTROL"), ("statistics", "Code size")] {
        let found = section(name);
        assert_eq!(found["equal"], false, "{name}");
        let rows = found["rows"].as_array().expect("rows");
        assert!(rows.iter().all(|row| row["kind"] != "same"), "{name}");
        assert!(rows.iter().any(|row| row["name"] == word && row["left"] != row["right"]), "{name}: {rows:#?}");
    }
    let texts = section("isa")["texts"].clone();
    let text = texts[1]["diff"].as_str().expect("text");
    assert!(text.contains("\n-\tv_interp") && text.contains("\n+\tv_interp"), "{text}");
    assert_eq!(section("lanes")["equal"], true, "neither has a workgroup");
    assert_eq!(section("lanes")["present"], serde_json::json!([false, false]));

    // Options of the analysis hold for both sides.
    let group = ["diff", "samples/tile_16x16.comp", "samples/tile_16x16.comp", "--wave", "64", "--all"];
    let waves = run(cache.path(), &[], &group);
    assert_eq!(waves.status, 0, "{}", waves.stderr);
    assert_eq!(waves.stdout.matches("wave64").count(), 2, "{}", waves.stdout);

    // Pictures of what differs, one a section.
    let pictures = out.path().join("pictures");
    let folder = pictures.to_string_lossy().into_owned();
    let draw = ["diff", &pair, other, "--chip", "gfx1030", "--format", "svg", "-o", &folder];
    let drawn = run(cache.path(), &[], &draw);
    assert_eq!((drawn.status, drawn.stderr.as_str()), (1, ""));
    let mut names: Vec<_> = std::fs::read_dir(&pictures)
        .expect("it was made")
        .map(|entry| entry.expect("reads").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["isa.svg", "packing.svg", "registers.svg", "statistics.svg"]);
    let svg = std::fs::read_to_string(pictures.join("packing.svg")).expect("text");
    assert!(
        svg.starts_with("<svg") && svg.contains("world_normal") && svg.contains("moved or absent on the other side"),
        "{svg}"
    );
    let again = run(cache.path(), &[], &draw);
    assert!(again.status == 2 && again.stderr.contains("use --force to overwrite"), "{}", again.stderr);
    let nowhere = run(cache.path(), &[], &["diff", &pair, other, "--format", "png"]);
    assert!(nowhere.status == 2 && nowhere.stderr.contains("--output <DIR>"), "{}", nowhere.stderr);

    let written = |name: &str, flags: &[&str]| {
        let [vertex, fragment] = PAIR;
        let made = run(cache.path(), &[], &[&["inspect", vertex, fragment, "--format", "json"], flags].concat());
        let path = out.path().join(name);
        std::fs::write(&path, made.stdout).expect("writes");
        path.to_string_lossy().into_owned()
    };
    let (packed, unpacked) = (written("a.json", &[]), written("b.json", &["--no-pack"]));
    let reports = run(cache.path(), &[], &["diff", &packed, &unpacked]);
    assert_eq!(reports.status, 1, "{}", reports.stderr);
    assert!(reports.stdout.contains("packing     differs") && reports.stdout.contains("statistics  in neither"));
    assert!(reports.stdout.contains("no-pack false → true"), "{}", reports.stdout);
    assert_eq!(run(cache.path(), &[], &["diff", &packed, &packed]).status, 0);
    std::fs::write(&packed, "{\"schema\": 1").expect("writes");
    let broken = run(cache.path(), &[], &["diff", &packed, &unpacked]);
    assert!(broken.status == 2 && broken.stderr.contains("not a report"), "{}", broken.stderr);
}

#[test]
fn distinguishes_entry_points_of_one_stage() {
    let cache = folder();
    let library = "samples/work_graphs/01_tile_classify.dxil";
    let answer = isa(cache.path(), &[], &[library, "--chip", "navi21", "--format", "json"]);
    let report = json(&answer);
    let name = |row: &Value| row["entry"].as_str().expect("an entry point").to_owned();
    let list = |section: &str| report[section].as_array().expect("a list").clone();
    let compiled: Vec<String> = list("driver").iter().map(name).collect();
    let mut unique = compiled.clone();
    unique.sort();
    unique.dedup();
    assert!(compiled.len() > 3 && unique.len() == compiled.len(), "{compiled:?}");
    // Each is held against its own registers, and the drivers' counts of memory are ours.
    let memory: Vec<_> = list("driver_registers").into_iter().filter(|row| row["field"] == "LDS_SIZE").collect();
    assert_eq!(memory.len(), compiled.len());
    for row in &memory {
        assert_eq!(row["ours"], row["driver"], "{}", name(row));
    }
    assert!(memory.iter().any(|row| row["ours"] != memory[0]["ours"]), "one entry point's value is not the others'");
    let threads = |entry: &str, register: &str| {
        let found = list("registers").into_iter().find(|row| row["entry"] == entry && row["name"] == register);
        found.unwrap_or_else(|| panic!("{entry} {register}"))["value"].clone()
    };
    for axis in ["X", "Y"] {
        assert_eq!(threads("ClassifyTiles", &format!("COMPUTE_NUM_THREAD_{axis}")), "0x00000004");
    }
    let text = isa(cache.path(), &[], &[library, "--chip", "navi21", "--stat"]).stdout;
    assert!(common::stage_names(&text).contains("compute ClassifyTiles"), "{text}");
    let text = run(cache.path(), &[], &["inspect", library]).stdout;
    assert!(text.contains("compute ClassifyTiles"), "{text}");
}

#[test]
fn a_single_wave_size_needs_no_requirement() {
    let cache = folder();
    let group = "samples/tile_16x16.comp";
    let with = |chip: &str, size: &str| isa(cache.path(), &[], &[group, "--chip", chip, "--wave", size, "--stat"]);
    assert_eq!(with("gfx900", "64").status, 0);
    let other = with("gfx900", "32");
    assert!(other.status == 3 && other.stderr.contains("supported: 64 to 64"), "{}", other.stderr);
}

#[test]
fn reports_a_chip_missing_on_one_side() {
    let cache = folder();
    let group = "samples/tile_16x16.comp";
    let answer = run(cache.path(), &[], &["diff", group, group, "--chip", "gfx1030,gfx900", "--wave", "32"]);
    assert_eq!(answer.status, 1, "{}", answer.stdout);
    assert!(answer.stderr.contains("I004") && answer.stderr.contains("gfx900"), "{}", answer.stderr);
}

#[test]
fn reports_a_program_that_no_compiler_accepted() {
    let cache = folder();
    let arguments = ["inspect", "samples/tile_16x16.comp", "--chip", "gfx900", "--wave", "32", "--format", "json"];
    let answer = run(cache.path(), &[], &arguments);
    assert_eq!(answer.status, 3, "{}", answer.stderr);
    let report = json(&answer);
    assert_eq!(report["workgroup"][0]["size"], serde_json::json!([16, 16, 1]));
    assert!(driver_findings(&report).iter().any(|(code, _)| code == "I004"), "{report}");
}

#[test]
fn marks_a_version_equal_to_the_original() {
    let cache = folder();
    let arguments = ["samples/tile_16x16.comp", "--chip", "navi21", "--of", "original,swizzled", "--stat"];
    let plain = isa(cache.path(), &[], &arguments).stdout;
    assert!(plain.contains("swizzled as original: the layout does not change the ids"), "{plain}");
    let moved = isa(cache.path(), &[], &[&arguments[..], &["--reconfig"]].concat()).stdout;
    assert!(!moved.contains("swizzled as original"), "{moved}");
}
