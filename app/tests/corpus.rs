//! `lanescope corpus`: rows in order whatever runs them, results that continue after a kill, shards, comparisons, forms.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{copy_samples, lanescope, outcome, samples};
use serde_json::{Value, json};

/// A folder of as many pairs and compute shaders, whose programs are all different.
fn generated(count: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: String, text: String| fs::write(folder.path().join(name), text).expect("writable");
    for number in 0..count {
        let (size, used) = (1 + number % 4, 1 + number % 3);
        let component = ["x", "y", "z"][used - 1];
        let varyings: String = (0..size).map(|at| format!("layout(location = {at}) out vec3 v{at};\n")).collect();
        let writes: String = (0..size).map(|at| format!("v{at} = vec3({number}.5);\n")).collect();
        write(
            format!("p{number:05}.vert"),
            format!("#version 450\n{varyings}void main() {{ {writes} gl_Position = vec4(0); }}\n"),
        );
        let reads: String = (0..size).map(|at| format!("layout(location = {at}) in vec3 v{at};\n")).collect();
        let sum: String = (0..size).map(|at| format!(" + v{at}.{component}")).collect();
        write(
            format!("p{number:05}.frag"),
            format!("#version 450\n{reads}layout(location = 0) out float c;\nvoid main() {{ c = 0.0{sum}; }}\n"),
        );
        let x = 1 << (number % 6);
        write(
            format!("q{number:05}.comp"),
            format!(
                "#version 450\nlayout(local_size_x = {x}, local_size_y = 8) in;\nlayout(binding = 0) buffer B {{ uint \
                 b[]; }};\nvoid main() {{ b[gl_LocalInvocationIndex] = {number}u; }}\n"
            ),
        );
    }
    folder
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// Writes a result and returns its bytes; `flags` are added.
fn result(input: &str, to: &Path, flags: &[&str]) -> (i32, Vec<u8>, String) {
    let to_text = text(to);
    let arguments = [&["corpus", input, "--format", "jsonl", "-o", &to_text], flags].concat();
    let (status, stdout, stderr) = outcome(arguments);
    assert_eq!(stdout, "", "rows go to the file");
    (status, fs::read(to).unwrap_or_default(), stderr)
}

fn lines(bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

#[test]
fn shards_jobs_and_resumed_runs_equal_one_run() {
    let folder = generated(40);
    let input = text(folder.path());
    let out = tempfile::tempdir().expect("a folder");
    let file = |name: &str| out.path().join(name);
    let (status, whole, stderr) = result(&input, &file("whole.jsonl"), &["--jobs", "1"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(lines(&whole).len(), 82, "a header, 80 rows, a footer");

    let (status, four, _) = result(&input, &file("four.jsonl"), &["--jobs", "4"]);
    assert_eq!((status, four == whole), (0, true), "the number of jobs changes nothing");
    let (status, stdout, _) = outcome(["corpus", &input, "--format", "jsonl"]);
    assert_eq!((status, stdout.as_bytes() == whole), (0, true), "nor does the place of the output");

    let mut shards = Vec::new();
    for index in [3, 1, 2] {
        let path = file(&format!("shard{index}.jsonl"));
        let (status, ..) = result(&input, &path, &["--shard", &format!("{index}/3")]);
        assert_eq!(status, 0);
        shards.push(text(&path));
    }
    let merged = text(&file("merged.jsonl"));
    let shards: Vec<&str> = shards.iter().map(String::as_str).collect();
    let (status, _, stderr) = outcome([&["corpus", "merge"], &shards[..], &["-o", &merged]].concat());
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(fs::read(&merged).expect("reads") == whole, "merged shards are the whole");
    let (status, _, stderr) = outcome([&["corpus", "merge"], &shards[..2]].concat());
    assert!(status == 2 && stderr.contains("shards are missing: 2/3"), "{stderr}");

    // A torn file is continued; a whole one is left as it is; another run's is not touched.
    let torn = file("torn.jsonl");
    for cut in [10, whole.len() / 3, whole.len() * 2 / 3, whole.len() - 1, whole.len()] {
        fs::write(&torn, &whole[..cut]).expect("writable");
        let (status, resumed, stderr) = result(&input, &torn, &["--resume"]);
        assert_eq!((status, resumed == whole), (0, true), "cut at {cut}: {stderr}");
    }
    let (status, after, stderr) = result(&input, &torn, &["--resume", "--measure", "packing"]);
    assert!(status == 2 && stderr.contains("another run (measures differs)") && after == whole, "{stderr}");
    let (status, after, stderr) = result(&input, &torn, &[]);
    assert!(status == 2 && stderr.contains("exists (use --resume") && after == whole, "{stderr}");
}

/// Killed with SIGKILL at several points, and continued each time.
#[test]
fn a_killed_run_continues_to_the_same_bytes() {
    let folder = generated(150);
    let input = text(folder.path());
    let out = tempfile::tempdir().expect("a folder");
    let (status, whole, stderr) = result(&input, &out.path().join("whole.jsonl"), &[]);
    assert_eq!(status, 0, "{stderr}");
    let killed = out.path().join("killed.jsonl");
    let (mut kills, mut seen) = (0, 0);
    for part in 1..=4 {
        let mut child = lanescope()
            .args(["corpus", &input, "--format", "jsonl", "--resume", "-o", &text(&killed)])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        let begin = Instant::now();
        let wanted = whole.len() * part / 5;
        let size = || fs::metadata(&killed).map_or(0, |there| there.len() as usize);
        while size() < wanted && child.try_wait().expect("runs").is_none() {
            assert!(begin.elapsed() < Duration::from_secs(60), "no rows arrive");
            std::thread::sleep(Duration::from_millis(1));
        }
        kills += usize::from(child.kill().is_ok() && !child.wait().expect("ends").success());
        assert!(size() >= seen, "what was done stays");
        seen = size();
    }
    assert!(kills > 0, "every run ended before it could be killed");
    let (status, resumed, stderr) = result(&input, &killed, &["--resume"]);
    assert_eq!((status, resumed == whole), (0, true), "after {kills} kills: {stderr}");
}

#[test]
fn broken_entries_are_rows_with_their_reason() {
    let folder = generated(2);
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.frag"), "#version 450\nvoid main() { nothing }").expect("writable");
    fs::write(path("b.spv"), "no module").expect("writable");
    fs::write(path("c.foz"), b"\x81FOSSILIZEDB, once").expect("writable");
    let (status, stdout, stderr) = outcome(["corpus", &text(folder.path()), "--format", "jsonl"]);
    assert!(status == 2 && stderr.contains("3 of 7 pipelines failed"), "{stderr}");
    let all = lines(stdout.as_bytes());
    let failures: Vec<&str> = all.iter().filter_map(|line| line["failure"].as_str()).collect();
    assert_eq!(failures.len(), 3, "{failures:?}");
    assert!(failures[0].contains("a.frag") && failures[1].contains("b.spv") && failures[2].contains("c.foz"));
    assert_eq!(all.last().expect("a footer"), &serde_json::json!({ "rows": 7, "failed": 3 }));

    // A child that dies takes one pipeline along.
    let input = text(folder.path());
    let fault = |fault: &str, flags: &[&str]| {
        let arguments = [&["corpus", &input, "--format", "jsonl"], flags].concat();
        let output = lanescope().args(arguments).env("LANESCOPE_WORKER_FAULT", fault).output().expect("starts");
        lines(&output.stdout)
    };
    for (kind, flags, words) in [
        ("crash", &[][..], "SIGSEGV"),
        ("hang", &["--timeout", "1"], "took longer than"),
        ("memory", &["--memory", "300M"], "out of memory"),
    ] {
        let rows = fault(&format!("{kind}:loading=q00001.comp"), flags);
        let lost: Vec<&Value> = rows.iter().filter(|row| row["pipeline"] == "q00001.comp").collect();
        assert!(
            matches!(lost[..], [row] if row["failure"].as_str().is_some_and(|why| why.contains(words))),
            "{lost:?}"
        );
        assert_eq!(rows.last().expect("a footer")["failed"], 4, "{kind}");
    }
    let database = text(&samples().join("effects.foz"));
    let arguments = ["corpus", &database, "--format", "jsonl"];
    let output = lanescope().args(arguments).env("LANESCOPE_WORKER_FAULT", "abort:pipeline=1").output().expect("runs");
    let rows = lines(&output.stdout);
    assert!(rows[2]["failure"].as_str().is_some_and(|why| why.contains("SIGABRT")), "{}", rows[2]);
    assert!(rows[2]["pipeline"].as_str().is_some_and(|name| name.starts_with("effects.foz@")), "{}", rows[2]);
    assert_eq!(rows.last().expect("a footer")["failed"], 1);
}

#[test]
fn modules_that_the_validator_rejects_are_measured_on_request() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let module = "; SPIR-V\n; Version: 1.0\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n\
                  OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 8 8 1\n%void = OpTypeVoid\n\
                  %fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%one = OpConstant %uint 1\n\
                  %main = OpFunction %void None %fn\n%l = OpLabel\n%sum = OpIAdd %uint %one %void\nOpReturn\n\
                  OpFunctionEnd\n";
    fs::write(folder.path().join("sum.spvasm"), module).expect("writable");
    let row = |flags: &[&str]| {
        let input = text(folder.path());
        let arguments = [&["corpus", &input, "--format", "jsonl"], flags].concat();
        lines(outcome(arguments).1.as_bytes()).remove(1)
    };
    let failed = row(&["--measure", "workgroup"]);
    assert!(failed["failure"].as_str().is_some_and(|why| why.contains("OpIAdd")), "{failed}");
    let alone = row(&["--measure", "workgroup", "--no-validate"]);
    assert!(alone["failure"].is_null() && alone["findings"].is_null(), "{alone}");
    let found = row(&["--measure", "workgroup,findings", "--no-validate"]);
    assert!(found["failure"].is_null() && found["findings"]["L006"] == 1, "{found}");
    assert!(alone["stages"] == found["stages"] && alone["stages"][0]["workgroup"]["waves"] == 1, "{alone}\n{found}");
}

#[test]
fn filters_keep_the_numbers() {
    let input = text(&samples());
    let rows = |flags: &[&str]| -> Vec<Value> {
        let (status, stdout, stderr) = outcome([&["corpus", &input, "--format", "jsonl"], flags].concat());
        assert!(matches!(status, 0 | 2), "{stderr}");
        lines(stdout.as_bytes()).into_iter().filter(|line| line["number"].is_u64()).collect()
    };
    let all = rows(&[]);
    assert!(all.iter().enumerate().all(|(at, row)| row["number"] == at), "each has a row");
    let some = rows(&["--only-stage", "mesh"]);
    let has_mesh = |row: &&Value| row["stages"].as_array().is_some_and(|all| all.iter().any(|s| s["stage"] == "mesh"));
    assert!(!some.is_empty() && some == all.iter().filter(has_mesh).cloned().collect::<Vec<_>>());
    let some = rows(&["--only-name", "effects.foz", "--only-hash", "58DD"]);
    assert!(
        matches!(&some[..], [row] if row["hash"].as_str().is_some_and(|hash| hash.starts_with("58dd"))),
        "{some:?}"
    );
    let file = all.iter().find(|row| row["more_files"].is_null()).expect("a shader in one file");
    let hash = file["hash"].as_str().expect("files have a hash").to_owned();
    assert!(rows(&["--only-hash", &hash]).contains(file));
}

#[test]
fn lists_and_standard_input_are_inputs() {
    let folder = copy_samples();
    let list = folder.path().join("list.txt");
    fs::write(&list, "# two\nlit_surface.vert\nlit_surface.frag\n\neffects.foz\n").expect("writable");
    let run = |input: &str, stdin: Option<&Path>| {
        let mut command = lanescope();
        command.current_dir(folder.path()).args(["corpus", input, "--format", "jsonl"]);
        if let Some(stdin) = stdin {
            command.stdin(fs::File::open(stdin).expect("opens"));
        }
        let output = command.output().expect("starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let listed = run("@list.txt", None);
    assert_eq!(listed, run("@-", Some(&list)));
    let names: Vec<String> =
        lines(&listed).iter().filter_map(|line| Some(line["pipeline"].as_str()?.to_owned())).collect();
    assert!(names.contains(&"lit_surface.vert + lit_surface.frag".to_owned()) && names.len() > 4, "{names:?}");
    let mut command = lanescope();
    command.current_dir(samples()).args(["corpus", "-", "--stage", "frag", "--format", "jsonl"]);
    let output = command.stdin(fs::File::open(samples().join("lit_surface.frag")).expect("opens")).output();
    let rows = lines(&output.expect("starts").stdout);
    assert_eq!(rows[1]["packing"]["before"], 5, "{}", rows[1]);
}

/// Measures that are not wanted are not made, and those that are do not depend on that.
#[test]
fn each_measure_alone_is_the_one_of_a_whole_run() {
    let out = tempfile::tempdir().expect("a folder");
    let rows = |measures: &str| -> Vec<Value> {
        let path = out.path().join(format!("{measures}.jsonl"));
        let (_, rows, stderr) = result(&text(&samples()), &path, &["--measure", measures]);
        let rows = lines(&rows);
        assert!(rows.len() > 20, "{measures}: {stderr}");
        rows[1..rows.len() - 1].to_vec()
    };
    let stages = |row: &Value, what: &str| -> Vec<Value> {
        row["stages"].as_array().into_iter().flatten().map(|stage| stage[what].clone()).collect()
    };
    let whole = rows("packing,orders,workgroup,registers,layout,findings");
    for measure in ["orders", "workgroup", "registers", "layout", "findings"] {
        let part = |row: &Value| match measure {
            "orders" => row["packing"].clone(),
            "findings" => row["findings"].clone(),
            _ => stages(row, measure).into(),
        };
        let alone = rows(measure);
        assert_eq!(alone.len(), whole.len(), "{measure}");
        for (alone, whole) in alone.iter().zip(&whole) {
            assert_eq!(part(alone), part(whole), "{measure}: {}", whole["pipeline"]);
        }
        let is_there = |part: Value| match part {
            Value::Array(stages) => stages.iter().any(|stage| !stage.is_null()),
            part => !part.is_null(),
        };
        assert!(whole.iter().any(|row| is_there(part(row))), "{measure}");
    }
    let (alone, orders) = (rows("packing"), rows("orders"));
    let slots = |row: &Value| row["packing"]["after"].clone();
    assert!(alone.iter().map(slots).eq(orders.iter().map(slots)));
}

/// The layouts of compute shaders by their accesses are those of `cost`; what is not counted says why.
#[test]
fn accesses_of_compute_shaders_recommend_a_layout() {
    let out = tempfile::tempdir().expect("a folder");
    let endless = out.path().join("endless.comp");
    let source = "#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) buffer B { uint u[]; };
void main() { while (u[0] == 0) u[1] += 1; }
";
    fs::write(&endless, source).expect("writes");
    // Too many turns of copies to follow the index.
    let large = out.path().join("large.comp");
    let declared: String = (0..200).map(|at| format!("uint a{at} = 0;\n")).collect();
    let copied: String = (1..200).rev().map(|at| format!("a{at} = a{};\n", at - 1)).collect();
    let source = format!(
        "#version 450\nlayout(local_size_x = 64) in; layout(binding = 0) buffer B {{ uint u[]; }};\n\
         void main() {{\n{declared}{copied}a0 = u[0]; u[a199] = 1;\n}}\n"
    );
    fs::write(&large, source).expect("writes");
    let list = out.path().join("list");
    let tile = text(&samples().join("tile_16x16.comp"));
    let lit = text(&samples().join("lit_surface.frag"));
    fs::write(&list, format!("{tile}\n{lit}\n{}\n{}\n", endless.display(), large.display())).expect("writes");
    let path = out.path().join("out.jsonl");
    let list = format!("@{}", list.display());
    let (status, rows, stderr) = result(&list, &path, &["--measure", "accesses", "--wave", "32"]);
    assert_eq!(status, 0, "{stderr}");
    let rows = lines(&rows);
    let of = |name: &str| {
        let is = |row: &&Value| row["pipeline"].as_str().is_some_and(|pipeline| pipeline.ends_with(name));
        rows.iter().find(is).unwrap_or_else(|| panic!("{name}: {rows:?}"))["accesses"].clone()
    };
    let (status, cost, stderr) = outcome(["cost", &tile, "--wave", "32", "--format", "json"]);
    assert_eq!(status, 0, "{stderr}");
    let cost: Value = serde_json::from_str(&cost).expect("JSON");
    let lines_of = |layout: usize| cost["layouts"][layout]["total"]["lines_128"].clone();
    let counted = of("tile_16x16.comp")["counted"].clone();
    assert_eq!(counted["passes"], json!([lines_of(0), cost["layouts"][0]["total"]["lds_passes"]]));
    assert_eq!(counted["best"], json!([lines_of(2), cost["layouts"][2]["total"]["lds_passes"]]));
    assert_eq!(counted["recommended"], cost["advice"]["layout"]);
    assert_eq!((&counted["layout"], &counted["verdict"]), (&json!("row-major"), &json!("change")));
    assert_eq!(of("lit_surface.frag"), Value::Null, "not a compute shader");
    assert_eq!(
        [&counted["depends"], &counted["not_followed"]],
        [&Value::Null; 2],
        "it is followed, and depends on nothing"
    );
    let large = of("large.comp")["counted"].clone();
    assert_eq!([&large["depends"], &large["not_followed"]], [&Value::Null, &json!(true)]);
    let why = of("endless.comp")["not_counted"].to_string();
    assert!(why.contains("does not end within 20000000 steps"), "{why}");
    let (status, summary, stderr) = outcome(["corpus", &list, "--measure", "accesses", "--wave", "32"]);
    assert_eq!(status, 0, "{stderr}");
    for said in [
        "Layouts by memory accesses",
        "not counted",
        "dependence on inputs not followed",
        "Recommended instead of the selected layout",
        "8×N strips",
    ] {
        assert!(summary.contains(said), "{said}: {summary}");
    }
}

#[test]
fn compares_with_a_result_or_another_way_to_measure() {
    let database = text(&samples().join("effects.foz"));
    let out = tempfile::tempdir().expect("a folder");
    let before = out.path().join("before.jsonl");
    let (status, ..) = result(&database, &before, &[]);
    assert_eq!(status, 0);
    let before = text(&before);
    let run = |flags: &[&str]| outcome([&["corpus", &database], flags].concat());
    let (status, same, stderr) = run(&["--against", &before]);
    assert_eq!(status, 0, "{stderr}");
    assert!(same.contains("Slots:") && !same.contains("affected shaders"), "{same}");
    let (status, compared, _) = run(&["--no-pack", "--against", &before]);
    assert_eq!(status, 0);
    for words in ["pipelines on both sides", "Totals:", "affected shaders:", "HURT:", "Worst Slots"] {
        assert!(compared.contains(words), "{words}: {compared}");
    }
    // The same pipelines, measured with other options.
    let (status, measured, stderr) = run(&["--no-pack", "--against", "options=--target gfx1030"]);
    assert_eq!((status, &measured), (0, &compared), "{stderr}");
    let (status, swapped, stderr) = run(&["--against", "options=--no-pack"]);
    assert!(status == 0 && swapped.contains("Best Slots"), "{swapped}{stderr}");
    let pair = ["lit_surface.vert", "lit_surface.frag"].map(|name| text(&samples().join(name)));
    let (status, orders, stderr) = outcome(["corpus", &pair[0], &pair[1], "--against", "order=design-note"]);
    assert!(status == 0 && orders.contains("1 pipeline on both sides"), "{orders}{stderr}");
    // A condition that is met decides, one that is not does not.
    let (status, _, stderr) = run(&["--no-pack", "--against", &before, "--fail-if", "Slots>+1%"]);
    assert!(status == 1 && stderr.contains("Slots>+1%: ") && stderr.contains(" -> "), "{status}: {stderr}");
    assert_eq!(run(&["--no-pack", "--against", &before, "--fail-if", "Slots>+900%"]).0, 0);
    let (status, _, stderr) = run(&["--against", &before, "--fail-if", "VGPRs>+1%"]);
    assert!(status == 2 && stderr.contains("no statistic `VGPRs` was compared (known: "), "{stderr}");
    let (status, _, stderr) = run(&["--against", "chip=gfx1100"]);
    assert!(status == 2 && stderr.contains("no driver to compare"), "{stderr}");
    let (status, _, stderr) = run(&["--against", "options=--odd"]);
    assert!(status == 2 && stderr.contains("--against: unexpected argument '--odd'"), "{stderr}");
    let cut = fs::read_to_string(&before).expect("reads");
    let torn = out.path().join("torn.jsonl");
    fs::write(&torn, &cut[..cut.len() - 5]).expect("writable");
    let (status, _, stderr) = run(&["--against", &text(&torn)]);
    assert!(status == 2 && stderr.contains("incomplete result"), "{stderr}");
}

/// A folder and a database are measured the same way; pipelines of databases are paired by hash.
#[test]
fn compares_with_a_folder_or_a_database() {
    let [before, after] = [generated(2), generated(2)];
    let name = "p00000.frag";
    let changed = fs::read_to_string(before.path().join(name)).expect("reads").replace("v0.x", "v0.x + v0.y");
    fs::write(after.path().join(name), changed).expect("writable");
    let [old, new] = [&before, &after].map(|folder| text(folder.path()));
    let (status, compared, stderr) = outcome(["corpus", &new, "--against", &old, "--no-pack"]);
    assert!(status == 0 && compared.contains("4 pipelines on both sides"), "{compared}{stderr}");
    let (_, compared, _) = outcome(["corpus", &new, "--against", &old, "--measure", "registers,packing"]);
    assert!(compared.contains("Totals:"), "{compared}");
    let other = before.path().join("other.foz");
    let database = samples().join("effects.foz");
    fs::copy(&database, &other).expect("copies");
    let (status, compared, stderr) = outcome(["corpus", &text(&database), "--against", &text(&other)]);
    assert!(status == 0 && compared.contains("Slots:") && !compared.contains(" only: "), "{compared}{stderr}");
    let (status, compared, stderr) = outcome(["corpus", &text(&database), "--against", &new]);
    assert!(status == 0 && compared.contains("0 pipelines on both sides"), "{compared}{stderr}");
    assert!(!compared.contains("Totals"), "{compared}");
    // What is missing or broken on the side before is no success.
    let missing = before.path().join("missing.foz");
    let (status, _, stderr) = outcome(["corpus", &text(&database), "--against", &text(&missing)]);
    assert!(status == 2 && stderr.contains("missing.foz"), "{stderr}");
    fs::write(before.path().join("broken.comp"), "no shader").expect("writable");
    let (status, _, stderr) = outcome(["corpus", &new, "--against", &old]);
    assert!(status == 2 && stderr.contains("--against: 1 of "), "{stderr}");
}

#[test]
fn a_result_is_shown_in_every_form() {
    let database = text(&samples().join("effects.foz"));
    let out = tempfile::tempdir().expect("a folder");
    let rows = out.path().join("rows.jsonl");
    assert_eq!(result(&database, &rows, &[]).0, 0);
    let rows = text(&rows);
    for (format, words) in [
        ("text", "Statistics"),
        ("markdown", "### Statistics"),
        ("csv", "Database,Pipeline type,Pipeline hash,PSO wall duration (ns),"),
        ("html", "<!DOCTYPE html>"),
        ("jsonl", "{\"schema\":1,"),
    ] {
        let (status, shown, stderr) = outcome(["corpus", "show", &rows, "--format", format]);
        assert!(status == 0 && shown.contains(words), "{format}: {shown}{stderr}");
        let (status, direct, _) = outcome(["corpus", &database, "--format", format]);
        assert_eq!((status, direct), (0, shown), "{format}");
        let file = out.path().join(format);
        let (status, ..) = outcome(["corpus", "show", &rows, "--format", format, "-o", &text(&file)]);
        assert!(status == 0 && fs::read_to_string(&file).expect("reads").contains(words), "{format}");
        let (status, _, stderr) = outcome(["corpus", "show", &rows, "--format", format, "-o", &text(&file)]);
        assert!(status == 2 && stderr.contains("exists"), "{format}: {stderr}");
    }
    let (status, _, stderr) = outcome(["corpus", "show", &database]);
    assert!(status == 2 && stderr.contains("not a corpus result"), "{stderr}");
}

/// The columns of Parquet are tested beside their code, where the feature is on.
#[cfg(not(feature = "parquet"))]
#[test]
fn names_the_feature_that_parquet_needs() {
    let database = text(&samples().join("effects.foz"));
    let (status, stdout, stderr) = outcome(["corpus", &database, "--format", "parquet"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("--features parquet"), "{stderr}");
}

/// What the lines of real results are, against the schema that the program prints.
#[test]
fn lines_follow_the_schema() {
    let (status, schema, _) = outcome(["corpus", "schema"]);
    assert_eq!(status, 0);
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).expect("JSON")).expect("a schema");
    let all = "packing,orders,workgroup,registers,layout,findings,disagreements,time";
    let input = text(&samples());
    let (_, mut results, _) = outcome(["corpus", &input, "--measure", all, "--format", "jsonl", "--shard", "1/1"]);
    let database = text(&samples().join("effects.foz"));
    let driven = ["--chip", "navi21", "--variant", "original,packed", "--measure", all, "--format", "jsonl"];
    results += &outcome([&["corpus", &database], &driven[..]].concat()).1;
    let lines = lines(results.as_bytes());
    assert!(lines.len() > 40);
    for line in &lines {
        let errors: Vec<String> = schema.iter_errors(line).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}: {line}");
    }
    let mut odd = lines[1].clone();
    assert!(odd["number"].is_u64(), "a row follows the header: {odd}");
    odd["number"] = (-1).into();
    assert!(!schema.is_valid(&odd), "{odd}");
}

/// The reasons why inputs are in other places than predicted are those of `isa`, which compiles both links too.
#[test]
fn disagreements_of_slots_are_those_of_the_assembly() {
    let pair = ["vert", "frag"].map(|stage| text(&samples().join(format!("lit_surface.{stage}"))));
    let driver = ["--chip", "navi21", "--format", "json"];
    let (_, report, _) = outcome([&["isa", &pair[0], &pair[1]], &driver[..]].concat());
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let table = &report["driver_layouts"][0];
    let columns = table["columns"].as_array().expect("columns");
    let link = &report["driver"][0]["link"];
    let at = columns.iter().position(|column| column["link"] == *link).expect("the column of what was compiled");
    let rows = table["rows"].as_array().expect("rows");
    let rules = rows.iter().filter_map(|row| row["driver"][at]["rule"].as_str());
    let expected: BTreeSet<String> = rules.map(|rule| format!("slots.{rule}")).collect();
    assert!(!expected.is_empty() && !expected.contains("slots.unattributed"), "{table}");

    let flags = ["--chip", "navi21", "--measure", "disagreements", "--format", "jsonl"];
    let (_, result, _) = outcome([&["corpus", &pair[0], &pair[1]], &flags[..]].concat());
    let rows = lines(result.as_bytes());
    let all = rows[1]["drivers"][0]["disagreements"].as_array().expect("disagreements");
    let slots = all.iter().filter_map(Value::as_str).filter(|name| name.starts_with("slots."));
    assert_eq!(slots.map(str::to_owned).collect::<BTreeSet<_>>(), expected, "{all:?}");
}

/// Packing saves Intel's compiler sends, and RADV, which packs itself, nothing: each has sums of its own.
#[test]
fn compilers_of_two_vendors_have_sums_of_their_own() {
    let pair = ["vert", "frag"].map(|stage| text(&samples().join(format!("lit_surface.{stage}"))));
    let drivers = ["--chip", "navi21,tgl", "--measure", "varyings"];
    let corpus = |flags: &[&str]| outcome([&["corpus", &pair[0], &pair[1]], &drivers[..], flags].concat());
    let (_, page, stderr) = corpus(&[]);
    assert!(page.contains("By compiler") && page.contains("(Instruction Count)"), "{page} {stderr}");
    let (_, rows, _) = corpus(&["--format", "jsonl"]);
    let rows = lines(rows.as_bytes());
    let slots = &rows[1]["drivers"][0]["slots"];
    assert!(slots["read"].as_u64().is_some_and(|read| read > 0) && slots["unattributed"] == 0, "{slots}");
    let compared = ["--variant", "packed", "--against", "variant=original"];
    let (_, page, stderr) = corpus(&compared);
    assert!(
        page.contains("gfx1030 packed: Slots read: ") && page.contains("tgl packed: SEND Count: "),
        "{page} {stderr}"
    );
    assert!(!page.lines().any(|line| line.starts_with("Instruction")), "no sum is of two compilers: {page}");
    let (status, _, stderr) = corpus(&[&compared[..], &["--fail-if", "SEND Count<-1%"]].concat());
    assert!(status == 1 && stderr.contains("(tgl packed: SEND Count)"), "{stderr}");
    let (_, html, _) = corpus(&["--format", "html"]);
    let both = |row: &str| row.contains("gfx1030: Slots read") && row.contains("tgl: Slots read");
    assert!(
        html.split("<div>").skip(1).filter_map(|row| row.split("</div>").next()).any(both),
        "one statistic of two compilers is one row of figures: {html}"
    );
}

#[test]
fn drivers_fill_rows_and_a_crash_keeps_the_measures() {
    let database = text(&samples().join("effects.foz"));
    let run = |flags: &[&str], fault: &str| {
        let arguments = [&["corpus", &database, "--format", "jsonl"], flags].concat();
        let output = lanescope().args(arguments).env("LANESCOPE_WORKER_FAULT", fault).output().expect("starts");
        (output.status.code(), lines(&output.stdout), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (status, rows, stderr) = run(&["--chip", "navi21,gfx1100"], "");
    assert_eq!(status, Some(0), "{stderr}");
    for row in rows.iter().filter(|row| row["number"].is_u64()) {
        let places: Vec<&Value> = row["drivers"].as_array().expect("drivers").iter().map(|one| &one["place"]).collect();
        assert_eq!(places, ["gfx1030", "gfx1100"], "{row}");
        let statistics = &row["drivers"][1]["executables"][0]["statistics"];
        assert!(statistics["VGPRs"].as_u64().is_some_and(|count| count > 0), "{row}");
    }
    let (status, same, _) = run(&["--chip", "navi21,gfx1100", "--jobs", "1"], "");
    assert_eq!((status, same == rows), (Some(0), true));
    let (status, rows, _) = run(&["--chip", "navi21"], "crash:fragment");
    assert_eq!(status, Some(2));
    let row = rows.iter().find(|row| row["kind"] == "graphics").expect("a graphics pipeline");
    assert!(row["drivers"][0]["failure"].as_str().is_some_and(|why| why.contains("SIGSEGV")), "{row}");
    assert!(row["packing"]["before"].is_u64() && row["failure"].is_null(), "what is ours is kept: {row}");
    let (status, _, stderr) = run(&["--chip", "gfx9999"], "");
    assert_eq!(status, Some(3), "{stderr}");
    // GFX9 has no waves of 32 lanes.
    let shader = text(&samples().join("tile_16x16.comp"));
    let arguments = ["corpus", &shader, "--wave", "32", "--chip", "navi21", "--against", "chip=vega10"];
    let (status, compared, stderr) = outcome(arguments);
    assert!(status == 2 && stderr.contains("--against: 1 of 1 pipeline failed"), "{stderr}");
    assert!(compared.contains("tile_16x16.comp before: ") && compared.contains("subgroup size 32"), "{compared}");

    let arguments =
        ["corpus", &database, "--chip", "gfx1100", "--against", "chip=gfx1030", "--fail-if", "Code size<-99%"];
    let (status, compared, stderr) = outcome(arguments);
    assert_eq!(status, 0, "{stderr}");
    assert!(compared.contains("VGPRs: ") && compared.contains("Code size: "), "{compared}");
    let (status, csv, _) = outcome(["corpus", &database, "--chip", "gfx1030", "--format", "csv"]);
    assert_eq!(status, 0);
    let header = csv.lines().next().expect("a header");
    assert!(header.contains("Executable name,Subgroup size,Driver pipeline hash,"), "{header}");
    assert!(csv.lines().nth(1).is_some_and(|line| line.contains(",,,,")), "durations are empty: {csv}");
}
