//! Nothing on disk is overwritten without being asked: every flag that names an output is tried twice.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::common::{outcome, samples};

/// Command lines that write: the command and its flag, what goes before, the name that is written, whether `--force`
/// overwrites.
const WRITERS: &[(&str, &str, &[&str], &str, bool)] = &[
    ("draw", "--output", &["tile_16x16.comp", "--view", "workgroup"], "lanes.svg", true),
    ("cost", "--output", &["tile_16x16.comp", "--groups", "1,1,1"], "lines.svg", true),
    ("rewrite", "--output", &["lit_surface.vert", "lit_surface.frag"], "packed", true),
    ("diff", "--output", &["tile_16x16.comp", "odd_size.comp", "--reconfig", "--format", "svg"], "changes", true),
    ("foz", "--output", &["lit_surface.vert", "lit_surface.frag"], "lit.foz", true),
    ("sign", "--output", &["dxil/lit_surface.ps.dxil"], "signed.dxil", true),
    ("repack", "--output", &["code_objects/fill.elf", "--layout", "inputs/fill_layout.json"], "moved.elf", true),
    ("sodb", "--output", &["pipelines.sodb", "quadtree"], "one.sodb", false),
    ("export", "--output", &["--amber", "odd_size.comp"], "odd_size.amber", true),
    ("man", "--output", &[], "man1", true),
    ("reduce", "--output", &["race.comp", "--while", "finding E001"], "small", true),
    ("hunt", "--output", &["--chip", "gfx1030", "--programs", "2"], "hunt", false),
    (
        "bisect",
        "--output",
        &["lit_surface.frag", "--while", "text matches /lds_param/", "--from", "", "--to", "--target gfx1100"],
        "step",
        true,
    ),
    ("isa", "--output", &["lit_surface.vert", "lit_surface.frag", "--chip", "navi21"], "texts", true),
    ("run", "--output", &["tile_16x16.comp", "--device", "llvmpipe"], "results", true),
    ("run", "--output", &["work_graphs/07_wide_dag.dxil", "--device", "llvmpipe"], "graph_results", true),
    ("run", "--save", &["work_graphs/07_wide_dag.dxil", "--device", "llvmpipe"], "wide.lanescope-run", true),
    ("corpus", "--output", &["tile_16x16.comp"], "corpus.txt", true),
    ("corpus", "--rows", &["tile_16x16.comp"], "corpus.jsonl", true),
    ("opcodes symbolic", "--output", &["test.ll"], "named.ll", false),
    ("opcodes numeric", "--output", &["test.ll"], "numbered.ll", false),
];

/// Flags that name what is read, or a folder that the program keeps for itself.
const OTHERS: &[(&str, &str)] = &[
    ("mcp", "--root"),
    ("mcp", "--allow-read"),
    ("", "--include-dir"),
    ("", "--include"),
    ("", "--compare"),
    ("", "--overrides"),
    ("rewrite", "--stored"),
    ("repack", "--layout"),
    ("repack", "--from"),
    ("inspect", "--object"),
    ("run", "--input"),
    ("run", "--gpu-input"),
    ("cost", "--gpu-input"),
    ("run", "--edit"),
    ("run", "--resume"),
    ("debug", "--local-root"),
    ("run", "--local-root"),
    ("cost", "--input"),
    ("cost", "--local-root"),
    ("run", "--against"),
    ("debug", "--break"),
    ("debug", "--run"),
    ("corpus", "--against"),
    ("hunt", "--corpus"),
    ("bisect", "--against"),
    ("corpus", "--build-log"),
    ("corpus", "--objects"),
    ("corpus", "--build-dir"),
    ("", "--variants"),
    ("", "--vertices"),
    ("", "--indices"),
    ("", "--depth"),
    ("guess-layout", "--layout"),
    // Compiled pipelines by their keys; what is there is what was compiled.
    ("guess-layout", "--cache"),
    // Each failure has a folder of its own: a test of the folder says so.
    ("", "--save-repro"),
    ("", "--icd"),
    ("", "--feature-names"),
    ("", "--opcode-table"),
    ("opcodes", "--map"),
    // A new file, or nothing is renumbered.
    ("opcodes", "--output"),
    ("opcodes stabilise", "--output"),
    ("opcodes stabilise", "--in"),
];

/// Every file below a place, or the place itself.
fn files(place: &Path) -> Vec<PathBuf> {
    if place.is_file() {
        return vec![place.to_owned()];
    }
    let entries = std::fs::read_dir(place).expect("it was written");
    entries.flat_map(|entry| files(&entry.expect("reads").path())).collect()
}

#[test]
fn keeps_existing_files_without_force() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let test = folder.path().join("test.ll");
    std::fs::write(&test, "  call void @dx.op.barrier(i32 80, i32 1)\n").expect("writes");
    for (command, flag, before, name, force) in WRITERS {
        let place = folder.path().join(name);
        let path = |argument: &&str| match *argument {
            "test.ll" => test.display().to_string(),
            name if samples().join(name).is_file() => samples().join(name).display().to_string(),
            other => other.to_owned(),
        };
        let mut line: Vec<String> = command.split(' ').map(str::to_owned).collect();
        line.extend(before.iter().map(path));
        line.extend([flag.to_string(), place.display().to_string()]);
        let (status, _, stderr) = outcome(&line);
        assert!(matches!(status, 0 | 1), "{line:?}: {stderr}");
        let written = files(&place);
        assert!(!written.is_empty(), "{line:?} writes");
        for file in &written {
            std::fs::write(file, "mine").expect("writable");
        }
        let (status, _, stderr) = outcome(&line);
        assert!(status == 2 && stderr.contains("exists"), "{line:?}: {status} {stderr}");
        assert!(stderr.contains("--force") == *force, "{line:?} says what to do: {stderr}");
        for file in &written {
            assert_eq!(std::fs::read(file).expect("is there"), b"mine", "{}", file.display());
        }
        if *force {
            line.push("--force".to_owned());
            let (status, _, stderr) = outcome(&line);
            assert!(matches!(status, 0 | 1), "{line:?}: {stderr}");
            assert!(files(&place).iter().all(|file| std::fs::read(file).expect("is there") != b"mine"), "{line:?}");
        }
    }
}

#[test]
fn every_flag_that_names_a_file_is_tested() {
    let commands = |arguments: &[&str]| -> Vec<String> {
        let (_, help, _) = outcome(arguments);
        let list = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        let names = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        names.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
    };
    let of_opcodes = commands(&["opcodes", "--help"]).into_iter().map(|name| format!("opcodes {name}"));
    let all: Vec<String> = commands(&["--help"]).into_iter().chain(of_opcodes).collect();
    assert!(all.len() >= 17, "{all:?}");
    let mut unknown = BTreeSet::new();
    for command in all.iter().filter(|command| !command.ends_with("help")) {
        let (status, help, _) = outcome(command.split(' ').chain(["--help"]));
        assert_eq!(status, 0, "{command}");
        for line in help.lines().map(str::trim_start).filter(|line| line.starts_with('-')) {
            let Some((flags, value)) = line.split_once(" <") else { continue };
            let Some(flag) = flags.split(", ").last() else { continue };
            if !(value.starts_with("FILE") || value.starts_with("DIR")) {
                continue;
            }
            let written = WRITERS.iter().any(|(of, name, ..)| of == command && *name == flag);
            let other = OTHERS.iter().any(|(of, name)| (of.is_empty() || of == command) && *name == flag);
            if !written && !other {
                unknown.insert(format!("{command} {flag}"));
            }
        }
    }
    assert!(unknown.is_empty(), "neither tried nor known to write nothing: {unknown:?}");
}

#[test]
fn resumes_only_a_result_of_the_same_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let note = folder.path().join("note.txt");
    let shader = samples().join("tile_16x16.comp").display().to_string();
    for text in ["one line of a note without an end", "two\nlines\n", "{}\n", "{\"schema\": 1}\n"] {
        for flags in [&["--format", "jsonl", "-o"][..], &["--rows"]] {
            std::fs::write(&note, text).expect("writable");
            let line = ["corpus", &shader, "--resume"].into_iter().chain(flags.iter().copied());
            let (status, stdout, stderr) = outcome(line.chain([note.to_str().expect("UTF-8")]));
            assert_eq!((status, stdout.as_str()), (2, ""), "{flags:?}: {stderr}");
            assert!(stderr.contains("note.txt: not a corpus result"), "{stderr}");
            assert_eq!(std::fs::read_to_string(&note).expect("reads"), text, "{flags:?}");
        }
    }
}
