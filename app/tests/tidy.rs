//! The house's walls: who may import whom, what `core` and `views` may not do, how long a file is, and that every path
//! that a document names is there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Lines a file may have.
const MAX_LINES: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The Rust files below a folder of the repository.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut out = Vec::new();
    let mut work = vec![root().join(folder)];
    while let Some(folder) = work.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("reads").path();
            if path.is_dir() {
                work.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).expect("is UTF-8");
                out.push((path, text));
            }
        }
    }
    assert!(!out.is_empty(), "{folder} has no sources");
    out
}

/// The code of a folder that is no test: without the files and the modules that only tests compile.
fn code(folder: &str) -> Vec<(PathBuf, String)> {
    let all = sources(folder);
    let mut only_tests = Vec::new();
    for (path, text) in &all {
        let is_root = path.file_name().is_some_and(|name| ["mod.rs", "lib.rs", "main.rs"].iter().any(|is| name == *is));
        let below = if is_root { path.with_file_name("") } else { path.with_extension("") };
        for rest in text.split("#[cfg(test)]\n").skip(1) {
            let line = rest.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
            let name =
                line.trim_start_matches("pub(crate) ").strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';'));
            only_tests.extend(name.map(|name| below.join(name)));
        }
    }
    let is_test =
        |path: &Path| only_tests.iter().any(|test| path.starts_with(test) || path == test.with_extension("rs"));
    let lib = |text: &str| text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
    all.iter().filter(|(path, _)| !is_test(path)).map(|(path, text)| (path.clone(), lib(text))).collect()
}

/// The lines of code of a text that say one of these words.
fn saying<'t>(text: &'t str, words: &'t [&'t str]) -> impl Iterator<Item = &'t str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.filter(|line| words.iter().any(|word| line.contains(word)))
}

/// The names under `[dependencies]` of a package.
fn dependencies(package: &str) -> BTreeSet<String> {
    let manifest = std::fs::read_to_string(root().join(package).join("Cargo.toml")).expect("the manifest is there");
    manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| Some(line.split_once(['.', ' ', '='])?.0.to_owned()))
        .collect()
}

#[test]
fn imports_go_down_only() {
    let (core, views, app) = (dependencies("core"), dependencies("views"), dependencies("app"));
    for name in core.iter() {
        assert!(
            !name.starts_with("lanescope") && !name.contains("egui") && name != "eframe" && name != "rfd",
            "{name}"
        );
    }
    assert!(views.contains("lanescope-core") && !views.contains("lanescope"));
    for name in ["ash", "rspirv", "glslang", "dxil-spirv", "spirv-tools", "eframe", "rfd", "notify"] {
        assert!(!views.contains(name), "views knows {name}");
    }
    assert!(app.contains("lanescope-core") && app.contains("lanescope-views"));
    for name in ["ash", "rspirv", "glslang", "dxil-spirv", "spirv-tools"] {
        assert!(!app.contains(name), "app reaches around core to {name}");
    }
}

#[test]
fn versions_are_named_once_in_the_root_manifest() {
    for package in ["core", "views", "app"] {
        let manifest = std::fs::read_to_string(root().join(package).join("Cargo.toml")).expect("there");
        let versions = manifest.lines().filter(|l| l.contains("version = \"") || l.contains("path = \"..")).count();
        assert_eq!(versions, 0, "{package}/Cargo.toml names a version of its own");
    }
}

#[test]
fn vulkan_is_called_from_two_rooms_only() {
    for (path, text) in sources("core/src").into_iter().chain(sources("views/src")).chain(sources("app/src")) {
        let inside = ["core/src/gpu", "core/src/driver"].iter().any(|room| path.to_string_lossy().contains(room));
        let names_ash = |line: &str| {
            line.match_indices("ash::").any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        let calls = text.lines().any(|line| !line.trim_start().starts_with("//") && names_ash(line));
        assert!(inside || !calls, "{} uses ash", path.display());
        let is_unsafe = text.lines().any(|line| !line.trim_start().starts_with("//") && line.contains("unsafe {"));
        assert!(inside || !is_unsafe, "{} is unsafe", path.display());
    }
}

/// What `{:?}` may write outside of tests: names of SPIR-V and Vulkan, numbers with a fraction, and quoted text.
const DEBUG_TEXT: &[(&str, &[&str])] = &[
    // Names as SPIR-V's grammar and Vulkan's headers spell them.
    ("core/src/spirv/types.rs", &["Type::Other(op)"]),
    ("core/src/driver/graphics.rs", &["{format:?} for vertex attributes"]),
    ("core/src/driver/origin/mod.rs", &["{op:?}"]),
    ("core/src/workgroup/size.rs", &["execution mode {mode:?}"]),
    ("core/src/workgroup/rewrite/mod.rs", &["built_in"]),
    ("core/src/guessed_layout/usage.rs", &["{capability:?}", "{op:?}"]),
    ("core/src/gpu/features.rs", &["{capability:?}", "subgroup operations {flags:?}"]),
    ("core/src/gpu/features/modes.rs", &["{other:?}", "execution mode {mode:?}"]),
    ("core/src/gpu/images.rs", &["format"]),
    ("core/src/gpu/attachments.rs", &["{format:?} for attachments"]),
    ("core/src/gpu/applied_state.rs", &["{format:?}", "channels {:?} written", "DEPTH", "drawn"]),
    ("core/src/run/order.rs", &["{builtin:?} says where"]),
    // Floats keep their fraction: 1.0, not 1.
    ("core/src/dxil/disassemble/value.rs", &["{value:?}"]),
    ("core/src/spirv/specialise.rs", &["half::value", "from_bits"]),
    ("core/src/pipeline/constant.rs", &["from_bits"]),
    // A key to compare by, which is not shown.
    ("core/src/compare/registers.rs", &["register.entry"]),
    // Lists of numbers: [0, 1, 2, 3].
    ("core/src/run/mapping.rs", &["lane.id", "{members:?}"]),
    ("views/src/workgroup/measured.rs", &["{quad:?}"]),
];

/// `Some(3)` and names of types are the program's own words, not those of its users.
#[test]
fn debug_text_reaches_no_user() {
    for folder in ["core/src", "views/src", "app/src"] {
        for (path, text) in code(folder) {
            let path = path.to_string_lossy().into_owned();
            let known = DEBUG_TEXT.iter().find(|(file, _)| path.ends_with(file)).map_or(&[][..], |row| row.1);
            for line in saying(&text, &[":?}", ":#?}"]) {
                assert!(known.iter().any(|part| line.contains(part)), "{path}: {}", line.trim());
            }
        }
    }
}

#[test]
fn core_and_views_print_nothing_and_views_touch_nothing() {
    for folder in ["core/src", "views/src"] {
        for (path, text) in code(folder) {
            let prints = saying(&text, &["println!", "print!(", "eprint!("]).next();
            assert_eq!(prints, None, "{} prints", path.display());
        }
    }
    for (path, text) in code("views/src") {
        let touches = saying(&text, &["std::fs", "std::thread", "std::process", "std::net", "std::env"]).next();
        assert_eq!(touches, None, "{}", path.display());
    }
}

#[test]
fn a_pass_is_a_function_of_its_input() {
    let outside = ["core/src/load/", "core/src/gpu/", "core/src/driver/"];
    let words = ["std::fs", "std::env", "std::time", "std::thread", "std::process", "static mut", "thread_local!"];
    for (path, text) in code("core/src") {
        let may = outside.iter().any(|room| path.to_string_lossy().contains(room));
        assert!(
            may || saying(&text, &words).next().is_none(),
            "{}: {:?}",
            path.display(),
            saying(&text, &words).next()
        );
    }
}

#[test]
fn every_crate_keeps_the_shared_lints() {
    let root_manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("the manifest is there");
    for lint in [
        "unsafe_code = \"deny\"",
        "unwrap_used = \"deny\"",
        "dbg_macro = \"deny\"",
        "todo = \"deny\"",
        "undocumented_unsafe_blocks = \"deny\"",
        "iter_over_hash_type = \"deny\"",
    ] {
        assert!(root_manifest.lines().any(|line| line == lint), "{lint}");
    }
    for package in ["core", "views", "app"] {
        let manifest = std::fs::read_to_string(root().join(package).join("Cargo.toml")).expect("there");
        assert!(manifest.contains("[lints]\nworkspace = true"), "{package}");
    }
}

#[test]
fn every_dependency_is_used() {
    for package in ["core", "views", "app"] {
        let text: String = sources(&format!("{package}/src")).into_iter().map(|(_, text)| text).collect();
        for name in dependencies(package) {
            let (name, derives) = (name.replace('-', "_"), name == "serde" || name == "thiserror");
            let used = text.contains(&format!("{name}::")) || text.contains(&format!("use {name}"));
            assert!(used || derives, "{package} does not use {name}");
        }
    }
}

#[test]
fn what_is_shown_has_the_name_of_what_is_computed() {
    let rooms = |folder: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(root().join(folder)).expect("reads").map(|entry| entry.expect("reads").path());
        entries.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect()
    };
    let (core, views) = (rooms("core/src"), rooms("views/src"));
    for room in ["packing", "workgroup", "registers", "guessed_layout", "dxil", "graph", "run", "compare", "findings"] {
        assert!(core.contains(room) && views.contains(room), "{room}");
    }
}

#[test]
fn files_are_short() {
    for folder in ["core", "views", "app"] {
        for (path, text) in sources(folder) {
            let lines = text.lines().count();
            assert!(lines <= MAX_LINES, "{} has {lines} lines", path.display());
        }
    }
}

#[test]
fn every_finding_is_raised_by_code_and_met_by_a_test() {
    let mut code = String::new();
    let mut tests = String::new();
    for (path, text) in sources("core/src").into_iter().chain(sources("core/tests")).chain(sources("app/tests")) {
        let path = path.to_string_lossy().into_owned();
        let in_tests = ["tests", "examples.rs", "fixtures.rs", "from_spirv.rs"].iter().any(|part| path.contains(part));
        if path.contains("core/src/findings") {
            continue;
        }
        let (lib, more) = text.split_once("#[cfg(test)]\nmod tests {").unwrap_or((text.as_str(), ""));
        if in_tests { &mut tests } else { &mut code }.push_str(lib);
        tests.push_str(more);
    }
    let table: String = sources("core/src/findings").into_iter().map(|(_, text)| text).collect();
    let rows: Vec<(&str, &str)> = table
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.split_once(" = \""))
        .filter(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
        .filter_map(|(name, rest)| Some((name, rest.split_once('"')?.0)))
        .collect();
    assert!(rows.len() >= 240, "{rows:?}");
    let words: BTreeSet<&str> = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    for (name, number) in rows {
        assert!(words.contains(name), "{number} ({name}) is raised nowhere");
        assert!(tests.contains(&format!("\"{number}\"")), "{number} ({name}) is in no test");
    }
}

#[test]
fn every_path_that_a_document_names_exists() {
    let mut documents: Vec<(PathBuf, String)> = ["README.md", "samples/README.md", ".github/CONTRIBUTING.md"]
        .iter()
        .map(|name| (root().join(name), std::fs::read_to_string(root().join(name)).expect("the document is there")))
        .collect();
    let manual = std::fs::read_dir(root().join("assets/manual")).expect("the manual is there");
    let pages =
        manual.map(|entry| entry.expect("reads").path()).filter(|path| path.extension().is_some_and(|e| e == "md"));
    documents.extend(pages.map(|path| (path.clone(), std::fs::read_to_string(path).expect("is UTF-8"))));
    documents.extend(sources("core/src").into_iter().chain(sources("views/src")).chain(sources("app/src")));
    let mut named = 0;
    for (path, text) in documents {
        let is_code = path.extension().is_some_and(|e| e == "rs");
        let prose = text.lines().filter(|line| !is_code || line.trim_start().starts_with("//"));
        for line in prose {
            for word in line.split('`').skip(1).step_by(2) {
                let ours = ["core/", "views/", "app/", "assets/", "samples/", ".ci/", ".cargo/"];
                if ours.iter().any(|start| word.starts_with(start)) && !word.contains(['*', '<', ' ', '{', '…']) {
                    named += 1;
                    assert!(root().join(word).exists(), "{} names {word}", path.display());
                }
            }
        }
    }
    assert!(named > 0, "no document names a path");
}

#[test]
fn the_root_holds_what_it_should() {
    let expected = [
        "Cargo.toml",
        "Cargo.lock",
        "clippy.toml",
        "Makefile",
        "README.md",
        "LICENSE",
        "app",
        "assets",
        "core",
        "samples",
        "views",
    ];
    let found: BTreeSet<String> = std::fs::read_dir(root())
        .expect("reads")
        .map(|entry| entry.expect("reads").file_name().to_string_lossy().into_owned())
        .filter(|name| !name.starts_with('.') && name != "target")
        .collect();
    assert_eq!(found, expected.iter().map(|name| (*name).to_owned()).collect());
}
