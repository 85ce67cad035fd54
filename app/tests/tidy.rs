//! Architecture rules: allowed imports, what `core` and `views` may not do, file lengths, and that all paths in
//! documents exist.

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

/// The non-test code of a folder: without the files and the modules that only tests compile.
fn code(folder: &str) -> Vec<(PathBuf, String)> {
    let all = sources(folder);
    let mut only_tests = Vec::new();
    for (path, text) in &all {
        let is_root = path.file_name().is_some_and(|name| ["mod.rs", "lib.rs", "main.rs"].iter().any(|is| name == *is));
        let below = if is_root { path.with_file_name("") } else { path.with_extension("") };
        let text = text.replace("#[cfg(any(test, feature = \"testing\"))]\n", "#[cfg(test)]\n");
        for rest in text.split("#[cfg(test)]\n").skip(1) {
            let line = rest.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
            let name = line
                .trim_start_matches("pub ")
                .trim_start_matches("pub(crate) ")
                .strip_prefix("mod ")
                .and_then(|rest| rest.strip_suffix(';'));
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

/// The crates from the bottom up, with the crates of ours that each may import.
const CRATES: &[(&str, &[&str])] = &[
    ("core/base", &[]),
    ("core/amber", &["base"]),
    ("core/glslang", &["base"]),
    ("core/dxc", &[]),
    ("core/slang", &["base"]),
    ("core/shim", &[]),
    ("core/spirv", &["base"]),
    ("core/interpreter", &["base", "spirv"]),
    ("core/dxil", &["base"]),
    ("core/pipeline", &["base", "spirv"]),
    ("core/sodb", &["base", "pipeline"]),
    ("core/model", &["base", "spirv", "dxil", "pipeline"]),
    ("core/passes", &["base", "spirv", "dxil", "pipeline", "model"]),
    ("core/codeobject", &["base", "pipeline", "model", "passes"]),
    ("core/driver", &["base", "spirv", "model", "passes"]),
    ("core/reduce", &["base", "spirv"]),
    ("core/hunt", &["base", "spirv"]),
    ("core/report", &["base", "spirv", "dxil", "pipeline", "model", "passes", "codeobject", "driver"]),
    ("core/load", &["amber", "base", "glslang", "dxc", "slang", "spirv", "dxil", "pipeline", "sodb", "model"]),
    ("core/testing", &["base", "glslang", "spirv", "model", "load"]),
    ("core/run", &["base", "spirv", "dxil", "pipeline", "model", "passes"]),
    ("core/cost", &["base", "spirv", "interpreter", "model", "passes", "driver", "run"]),
    (
        "core/exec",
        &[
            "amber",
            "base",
            "spirv",
            "interpreter",
            "dxil",
            "pipeline",
            "model",
            "passes",
            "driver",
            "report",
            "run",
            "load",
        ],
    ),
    (
        "core",
        &[
            "amber",
            "base",
            "spirv",
            "interpreter",
            "dxil",
            "pipeline",
            "sodb",
            "model",
            "passes",
            "codeobject",
            "cost",
            "driver",
            "report",
            "run",
            "load",
            "reduce",
            "hunt",
            "exec",
        ],
    ),
    ("core/inspector", &["core"]),
    ("core/pictures", &["core", "inspector"]),
    ("app/host", &["core", "inspector", "pictures"]),
    ("core/fuzz", &["core", "host", "inspector"]),
    ("views", &["core", "inspector", "pictures"]),
    ("app/text", &["core", "host", "inspector", "pictures"]),
    ("app/workbench", &["core", "host", "inspector"]),
    ("app/tui", &["core", "host", "inspector", "pictures", "text", "workbench"]),
    ("app/window", &["core", "host", "inspector", "pictures", "views", "workbench"]),
    ("app/lsp", &["core", "host", "inspector", "pictures", "workbench"]),
    ("app/dap", &["core", "host", "text"]),
    ("app/mcp", &["core", "host", "inspector", "pictures", "workbench"]),
    ("app", &["core", "dap", "host", "inspector", "lsp", "mcp", "pictures", "text", "tui", "window", "workbench"]),
];

/// The sources of every crate.
fn all_sources() -> Vec<(PathBuf, String)> {
    CRATES.iter().flat_map(|(folder, _)| sources(&format!("{folder}/src"))).collect()
}

/// The non-test code of every crate of the product.
fn all_code() -> Vec<(PathBuf, String)> {
    let product = CRATES.iter().filter(|(folder, _)| !["core/fuzz", "core/testing"].contains(folder));
    product.flat_map(|(folder, _)| code(&format!("{folder}/src"))).collect()
}

#[test]
fn imports_go_down_only() {
    for (folder, below) in CRATES {
        let own: Vec<String> =
            dependencies(folder).iter().filter_map(|name| Some(name.strip_prefix("lanescope-")?.to_owned())).collect();
        for name in own {
            assert!(below.contains(&name.as_str()), "{folder} imports lanescope-{name}");
        }
    }
    let members = std::fs::read_to_string(root().join("Cargo.toml")).expect("the manifest is there");
    let members = members.lines().find(|line| line.starts_with("members = ")).unwrap_or_default();
    assert_eq!(members.matches('"').count(), 2 * CRATES.len(), "every crate is in the list: {members}");
    // What is foreign, or draws, has one crate.
    for (name, may) in [
        ("ash", &["core/exec"][..]),
        ("gpu-allocator", &["core/exec"]),
        ("glslang", &["core/glslang"]),
        ("glslang-sys", &["core/glslang"]),
        ("libc", &["core/glslang", "core/dxc", "core/shim"]),
        ("spirv-tools-sys", &["core/glslang"]),
        ("spirv-tools", &["core/load"]),
        ("dxil-spirv", &["core/load"]),
        ("libloading", &["core/dxc", "core/slang"]),
        ("eframe", &["app/window"]),
        ("rfd", &["app/window"]),
        ("notify", &["app/host"]),
        ("egui", &["views", "app/window"]),
        ("ratatui", &["app/tui"]),
        ("clap", &["app", "app/host"]),
    ] {
        for (folder, _) in CRATES {
            assert!(may.contains(folder) || !dependencies(folder).contains(name), "{folder} imports {name}");
        }
    }
}

/// Commands are the only way from a panel to the state.
#[test]
fn panels_do_not_change_the_state() {
    for (path, text) in code("app/window/src/panels") {
        let changes = saying(&text, &["&mut State", "crate::update"]).next();
        assert_eq!(changes, None, "{}", path.display());
    }
}

#[test]
fn colors_are_in_the_palette() {
    for (path, text) in all_code() {
        let name = path.to_string_lossy().into_owned();
        let color = saying(&text, &["Color32::from_rgb(", "Color32::from_gray(", "Color32::from_hex("]).next();
        assert!(
            color.is_none() || name.ends_with("pictures/src/theme.rs") || name.ends_with("views/src/theme.rs"),
            "{name}: {color:?}"
        );
    }
}

#[test]
fn measures_are_steps_of_the_tokens() {
    // Distances, sizes of text and of tables have names in views/src/tokens.rs.
    let literal = |line: &str| {
        ["add_space(", "spacing(", "spacing: "].iter().any(|call| {
            line.split(call).skip(1).any(|rest| rest.trim_start_matches('[').starts_with(|c: char| c.is_ascii_digit()))
        }) || (line.contains("RichText")
            && line.split(".size(").skip(1).any(|r| r.starts_with(|c: char| c.is_ascii_digit())))
    };
    let sources = sources("views/src").into_iter().chain(sources("app/window/src"));
    for (path, text) in sources.filter(|(path, _)| !path.ends_with("tokens.rs")) {
        for (number, line) in (1..).zip(text.lines()) {
            assert!(!literal(line), "{}:{number}: a measure without a name: {line}", path.display());
        }
    }
}

#[test]
fn versions_are_named_once_in_the_root_manifest() {
    for (package, _) in CRATES {
        let manifest = std::fs::read_to_string(root().join(package).join("Cargo.toml")).expect("there");
        let versions = manifest.lines().filter(|l| l.contains("version = \"") || l.contains("path = \"..")).count();
        assert_eq!(versions, 0, "{package}/Cargo.toml names a version of its own");
    }
}

#[test]
fn only_crates_of_c_interfaces_have_unsafe_code() {
    const C_INTERFACES: [&str; 5] = ["core/exec", "core/glslang", "core/dxc", "core/slang", "core/shim"];
    for (folder, _) in CRATES.iter().filter(|(folder, _)| !C_INTERFACES.contains(folder)) {
        let lib = ["src/lib.rs", "src/main.rs"].map(|file| root().join(folder).join(file));
        let lib = lib.iter().find_map(|path| std::fs::read_to_string(path).ok()).expect("a crate has a root");
        assert!(lib.contains("#![forbid(unsafe_code)]"), "{folder} may have unsafe code");
    }
}

/// Loading, validating and disassembling run foreign compilers: only the child does that, and what runs there or, where
/// the user wants it, in this process.
#[test]
fn foreign_compilers_run_in_the_child_only() {
    const FOREIGN: [&str; 6] = ["disassemble", "check", "load", "load_with", "load_with_options", "load_description"];
    const INSIDE: [&str; 2] = ["host/src/worker/", "host/src/rewriting.rs"];
    let app = CRATES.iter().filter(|(folder, _)| folder.starts_with("app"));
    for (path, text) in app.flat_map(|(folder, _)| code(&format!("{folder}/src"))) {
        if INSIDE.iter().any(|inside| path.to_string_lossy().contains(inside)) {
            continue;
        }
        for (at, module) in text.match_indices("lanescope_core::load::") {
            let rest = &text[at + module.len()..];
            let end = if rest.starts_with('{') { rest.find('}') } else { rest.find([';', '(', ')', ',', ' ']) };
            let names = rest[..end.unwrap_or(rest.len())].split(|c: char| !c.is_alphanumeric() && c != '_');
            let foreign: Vec<_> = names.filter(|name| FOREIGN.contains(name)).collect();
            assert!(foreign.is_empty(), "{}: {foreign:?} in the parent process", path.display());
        }
        for name in FOREIGN {
            assert!(!text.contains(&format!(" load::{name}(")), "{}: load::{name}", path.display());
        }
    }
}

/// What `{:?}` may write outside of tests: names of SPIR-V and Vulkan, numbers with a fraction, and quoted text.
const DEBUG_TEXT: &[(&str, &[&str])] = &[
    // Names as SPIR-V's grammar and Vulkan's headers spell them.
    ("core/spirv/src/types.rs", &["Type::Other(op)"]),
    ("core/exec/src/driver/graphics.rs", &["{format:?} for vertex attributes"]),
    ("core/driver/src/origin/mod.rs", &["{op:?}"]),
    ("core/passes/src/workgroup/size.rs", &["execution mode {mode:?}"]),
    ("core/passes/src/workgroup/rewrite/mod.rs", &["built_in"]),
    ("core/passes/src/guessed_layout/usage.rs", &["{capability:?}", "{op:?}"]),
    ("core/exec/src/gpu/features/mod.rs", &["{capability:?}", "subgroup operations {flags:?}"]),
    ("core/exec/src/gpu/features/offers.rs", &["{capability:?}", "subgroup operations {flags:?}"]),
    ("core/exec/src/gpu/features/needs.rs", &["{capability:?}"]),
    ("core/exec/src/gpu/features/rays.rs", &["{capability:?}"]),
    ("core/exec/src/gpu/features/modes.rs", &["{mode:?}"]),
    ("core/exec/src/gpu/images.rs", &["format"]),
    ("core/exec/src/gpu/attachments.rs", &["{format:?} for attachments"]),
    ("core/exec/src/gpu/applied_state.rs", &["{format:?}", "channels {:?} written", "DEPTH", "drawn"]),
    ("core/run/src/order/mod.rs", &["{builtin:?} depends on where"]),
    ("core/exec/src/script/export/required.rs", &["{capability:?}"]),
    // Floats keep their fraction: 1.0, not 1.
    ("core/dxil/src/disassemble/value.rs", &["{value:?}"]),
    ("core/spirv/src/specialise.rs", &["half::value", "from_bits"]),
    ("core/pipeline/src/constant.rs", &["from_bits"]),
    // Names of Direct3D.
    ("app/host/src/image_files/dds.rs", &["DXGI_FORMAT_{format:?}", "D3DFMT_{format:?}"]),
    // A key to compare by, which is not shown.
    ("core/report/src/compare/registers.rs", &["register.entry"]),
    // Lists of numbers: [0, 1, 2, 3].
    ("core/run/src/mapping.rs", &["lane.id", "{members:?}"]),
    ("views/src/workgroup/measured.rs", &["{quad:?}"]),
];

/// `Some(3)` and names of types are the program's own words, not those of its users.
#[test]
fn user_text_has_no_debug_formatting() {
    for (path, text) in all_code() {
        let path = path.to_string_lossy().into_owned();
        let known = DEBUG_TEXT.iter().find(|(file, _)| path.ends_with(file)).map_or(&[][..], |row| row.1);
        for line in saying(&text, &[":?}", ":#?}"]) {
            assert!(known.iter().any(|part| line.contains(part)), "{path}: {}", line.trim());
        }
    }
}

#[test]
fn core_and_views_print_nothing_and_views_touch_nothing() {
    for (path, text) in all_code() {
        let prints = saying(&text, &["println!", "print!(", "eprint!("]).next();
        let path_text = path.to_string_lossy();
        // The child, and a library that is preloaded, have no caller to tell: standard error is what they have.
        let may =
            ["/app/src/", "/core/shim/", "/app/host/src/worker/serve.rs", "/app/tui/src/", "/app/window/src/app.rs"];
        let may = may.iter().any(|may| path_text.contains(may));
        assert!(may || prints.is_none(), "{} prints", path.display());
    }
    for (path, text) in code("views/src") {
        let touches = saying(&text, &["std::fs", "std::thread", "std::process", "std::net", "std::env"]).next();
        assert_eq!(touches, None, "{}", path.display());
    }
}

#[test]
fn passes_have_no_global_state() {
    let words = ["std::fs", "std::env", "std::time", "std::thread", "std::process", "static mut", "thread_local!"];
    for folder in [
        "amber",
        "base",
        "spirv",
        "interpreter",
        "dxil",
        "pipeline",
        "model",
        "passes",
        "cost",
        "driver",
        "report",
        "run",
        "inspector",
    ] {
        for (path, text) in code(&format!("core/{folder}/src")) {
            let found = saying(&text, &words).next();
            assert_eq!(found, None, "{}", path.display());
        }
    }
}

#[test]
fn every_crate_uses_the_shared_lints() {
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
    for (package, _) in CRATES {
        let manifest = std::fs::read_to_string(root().join(package).join("Cargo.toml")).expect("there");
        assert!(manifest.contains("[lints]\nworkspace = true"), "{package}");
    }
}

/// A crate that the list forgets is optimized for tests, unseen: its tests took three minutes to compile.
#[test]
fn tests_compile_with_little_optimization() {
    let optimized = ["lanescope-intel", "lanescope-interpreter"];
    let list = std::fs::read_to_string(root().join(".cargo/unoptimized.toml")).expect("the file is there");
    for (package, _) in CRATES {
        let manifest = std::fs::read_to_string(root().join(package).join("Cargo.toml")).expect("there");
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = ")).expect("a package").trim_matches('"');
        let listed = |level| list.contains(&format!("[profile.release.package.{name}]\nopt-level = {level}\n"));
        let little = listed(0) || listed(1);
        assert_ne!(little, optimized.contains(&name), "{name} in .cargo/unoptimized.toml");
    }
}

#[test]
fn every_dependency_is_used() {
    // The fuzz targets compile files of other crates by path.
    for (package, _) in CRATES.iter().filter(|(folder, _)| *folder != "core/fuzz") {
        let text: String = sources(&format!("{package}/src")).into_iter().map(|(_, text)| text).collect();
        for name in dependencies(package) {
            let (name, derives) = (name.replace('-', "_"), name == "serde" || name == "thiserror");
            let used = text.contains(&format!("{name}::")) || text.contains(&format!("use {name}"));
            assert!(used || derives, "{package} does not use {name}");
        }
    }
}

#[test]
fn views_are_named_like_core_modules() {
    let rooms = |folder: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(root().join(folder)).expect("reads").map(|entry| entry.expect("reads").path());
        entries.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect()
    };
    let mut core = rooms("core/passes/src");
    core.extend(["core", "core/report/src"].into_iter().flat_map(rooms));
    let views = rooms("views/src");
    for room in ["packing", "workgroup", "registers", "guessed_layout", "dxil", "graph", "run", "compare", "findings"] {
        assert!(core.contains(room) && views.contains(room), "{room}");
    }
}

/// A module with files of its own is `name/mod.rs`; `name.rs` beside a folder `name` is the other style.
#[test]
fn modules_with_files_are_folders() {
    for (path, _) in all_sources() {
        let folder = path.with_extension("");
        let says = format!("{} stands beside the folder {}: move it to mod.rs", path.display(), folder.display());
        assert!(!folder.is_dir(), "{says}");
    }
}

/// A file of tests that no manifest and no module names would not run.
#[test]
fn every_file_of_tests_is_run() {
    for package in ["app", "core"] {
        let read = |path: &str| std::fs::read_to_string(root().join(package).join(path)).expect("is there");
        let (manifest, modules) = (read("Cargo.toml"), read("tests/main.rs"));
        for entry in std::fs::read_dir(root().join(package).join("tests")).expect("the folder is there") {
            let path = entry.expect("reads").path();
            let (Some(name), Some("rs")) = (stem(&path), path.extension().and_then(|end| end.to_str())) else {
                continue;
            };
            let (module, target) = (format!("mod {name};"), format!("[[test]]\nname = \"{name}\"\n"));
            let is_run = name == "main" || modules.lines().any(|line| line == module) || manifest.contains(&target);
            assert!(is_run, "{package}/tests/{name}.rs is no module of {package}/tests/main.rs and no target");
        }
    }
}

fn stem(path: &Path) -> Option<&str> {
    path.file_stem().and_then(|name| name.to_str())
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
fn every_finding_is_raised_and_tested() {
    let mut code = String::new();
    let mut tests = String::new();
    for (path, text) in all_sources().into_iter().chain(sources("core/tests")).chain(sources("app/tests")) {
        let path = path.to_string_lossy().into_owned();
        let in_tests = ["tests", "examples.rs", "fixtures.rs", "from_spirv.rs"].iter().any(|part| path.contains(part));
        if path.contains("src/findings") && path.contains("/core/") {
            continue;
        }
        let (lib, more) = text.split_once("#[cfg(test)]\nmod tests {").unwrap_or((text.as_str(), ""));
        if in_tests { &mut tests } else { &mut code }.push_str(lib);
        tests.push_str(more);
    }
    let tables = all_sources().into_iter().filter(|(path, _)| path.to_string_lossy().contains("src/findings/"));
    let table: String = tables.map(|(_, text)| text).collect();
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
    documents.extend(all_sources());
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
fn the_root_has_the_expected_files() {
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
