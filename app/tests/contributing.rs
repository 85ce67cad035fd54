//! The table of CONTRIBUTING is complete: a made-up chip, file type and finding, added in the files that its row names
//! and in no others, compile. What needs the C++ libraries (the loaders, fuzz targets) is applied and not compiled.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates that are compiled: those below the passes.
const CRATES: [&str; 6] = ["core/base", "core/dxil", "core/model", "core/passes", "core/pipeline", "core/spirv"];
/// The row of the table, and the change.
const CHANGES: [(&str, &str); 3] = [
    ("Chip of AMD", include_str!("data/contributing/chip.patch")),
    ("File type", include_str!("data/contributing/file_type.patch")),
    ("Finding", include_str!("data/contributing/finding.patch")),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The paths that a row of the table names.
fn named(row: &str) -> Vec<String> {
    let text = read(".github/CONTRIBUTING.md");
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("| {row} |")));
    let words = line.unwrap_or_else(|| panic!("no row `{row}`")).split('`').skip(1).step_by(2);
    words.filter(|word| word.contains('/')).map(str::to_owned).collect()
}

/// Whether a path names a file, or a folder that it is in. `*` stands for any name.
fn covers(named: &str, file: &str) -> bool {
    let mut parts = file.split('/');
    named.trim_end_matches('/').split('/').all(|own| parts.next().is_some_and(|part| own == "*" || own == part))
}

/// The lines of a hunk before it and after it.
#[derive(Default)]
struct Hunk {
    before: String,
    after: String,
}

/// The hunks of a unified diff, by file.
fn hunks(patch: &str) -> BTreeMap<&str, Vec<Hunk>> {
    let mut out: BTreeMap<&str, Vec<Hunk>> = BTreeMap::new();
    let mut file = "";
    for line in patch.lines() {
        if let Some(path) = line.strip_prefix("+++ b/") {
            file = path;
        } else if line.starts_with("@@") {
            out.entry(file).or_default().push(Hunk::default());
        } else if let Some(hunk) =
            out.get_mut(file).and_then(|hunks| hunks.last_mut()).filter(|_| !line.starts_with("---"))
        {
            let (sign, text) = line.split_at(line.len().min(1));
            if sign != "+" {
                hunk.before.push_str(&format!("{text}\n"));
            }
            if sign != "-" {
                hunk.after.push_str(&format!("{text}\n"));
            }
        }
    }
    out
}

/// A text with hunks applied: each must fit in one place.
fn patched(mut text: String, hunks: &[Hunk], file: &str) -> String {
    for Hunk { before, after } in hunks {
        if before.is_empty() {
            assert!(text.is_empty(), "{file} exists");
            text.clone_from(after);
            continue;
        }
        assert_eq!(text.matches(before.as_str()).count(), 1, "{file}: this has to be there once:\n{before}");
        text = text.replacen(before.as_str(), after, 1);
    }
    text
}

/// The files below a folder of a crate that its library is compiled from, as paths below the root.
fn files(folder: &str) -> Vec<String> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(root().join(folder)).expect("the folder is there") {
        let entry = entry.expect("reads");
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{folder}/{name}");
        if !entry.path().is_dir() {
            out.push(path);
        } else if !["benches", "fuzz", "snapshots", "tests"].contains(&name.as_str()) {
            out.extend(files(&path));
        }
    }
    out
}

/// A manifest without what only tests need.
fn without_tests(manifest: &str) -> String {
    let is_of_tests =
        |head: &str| ["[dev-dependencies", "[[test", "[[bench", "[[example"].iter().any(|own| head.starts_with(own));
    let mut skipped = false;
    let lines = manifest.lines().filter(|line| {
        if line.starts_with('[') {
            skipped = is_of_tests(line);
        }
        !skipped
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// The manifest of a workspace of these crates alone.
fn workspace() -> String {
    let text = read("Cargo.toml");
    let lines = text.lines().filter(|line| !line.starts_with("default-members")).map(|line| match line {
        line if line.starts_with("members = ") => format!("members = {CRATES:?}"),
        line => line.to_owned(),
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    // Profiles name packages that are not there.
    text.split("\n[profile.").next().unwrap_or_default().to_owned()
}

/// Writes a file, unless it is the same: what has not changed is not compiled again.
fn write(tree: &Path, file: &str, contents: &[u8]) {
    let path = tree.join(file);
    if std::fs::read(&path).is_ok_and(|now| now == contents) {
        return;
    }
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("creates");
    std::fs::write(path, contents).expect("writes");
}

#[test]
fn a_chip_a_file_type_and_a_finding_are_added_where_the_table_says() {
    let mut tree: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for file in CRATES.iter().flat_map(|folder| files(folder)) {
        let contents = std::fs::read(root().join(&file)).expect("reads");
        tree.insert(file, contents);
    }
    let tables = "assets/tables/registers.json";
    tree.insert(tables.to_owned(), read(tables).into_bytes());
    for (row, patch) in CHANGES {
        let named = named(row);
        for (file, hunks) in hunks(patch) {
            assert!(named.iter().any(|path| covers(path, file)), "`{row}` does not name {file}: {named:?}");
            let now = tree.get(file).cloned().or_else(|| std::fs::read(root().join(file)).ok()).unwrap_or_default();
            let text = patched(String::from_utf8(now).expect("is UTF-8"), &hunks, file);
            tree.insert(file.to_owned(), text.into_bytes());
        }
    }
    let manifests = CRATES.map(|folder| format!("{folder}/Cargo.toml"));
    for manifest in manifests {
        let text = without_tests(&read(&manifest));
        tree.insert(manifest, text.into_bytes());
    }
    tree.insert("Cargo.toml".to_owned(), workspace().into_bytes());
    let folder = root().join("target/contributing");
    if !folder.join("tree/Cargo.lock").exists() {
        tree.insert("Cargo.lock".to_owned(), read("Cargo.lock").into_bytes());
    }
    tree.iter().for_each(|(file, contents)| write(&folder.join("tree"), file, contents));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut check = Command::new(cargo);
    check.args(["check", "--offline", "--quiet", "--package", "lanescope-passes", "--target-dir"]);
    check.arg(folder.join("built")).current_dir(folder.join("tree"));
    // Warnings are errors: what is declared and not used is not connected.
    let done =
        check.env("RUSTFLAGS", "-Dwarnings").env_remove("CARGO_ENCODED_RUSTFLAGS").output().expect("cargo starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// A new chip would take what the newest one has, silently: facts of chips are in the table of their graphics IP.
#[test]
fn chips_are_not_compared_by_age() {
    let mut folders: Vec<PathBuf> = ["core", "views", "app"].map(|name| root().join(name)).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("reads").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("contributing.rs") {
                let text = std::fs::read_to_string(&path).expect("is UTF-8");
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                for sign in ["< Target::", "<= Target::", "> Target::", ">= Target::"] {
                    assert!(!code.contains(sign), "{}: {sign}", path.display());
                }
            }
        }
    }
}

#[test]
fn a_path_covers_what_is_below_it() {
    assert!(covers("core/model/src/target/table.rs", "core/model/src/target/table.rs"));
    assert!(covers("core/*/src/findings/", "core/passes/src/findings/isa.rs"));
    assert!(!covers("core/*/src/findings/", "core/passes/src/lib.rs"));
    assert!(!covers("core/load/src/lib.rs", "core/load/src"));
}

#[test]
#[should_panic(expected = "has to be there once")]
fn a_hunk_that_does_not_fit_is_an_error() {
    let hunk = Hunk { before: "b\n".to_owned(), after: "c\n".to_owned() };
    patched("a\n".to_owned(), &[hunk], "file");
}
