//! No folder of a crate imports one that imports it: what the compiler refuses between crates, this refuses inside them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folders with a manifest.
fn crates() -> Vec<String> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("the manifest is there");
    let members = manifest.lines().find_map(|line| line.strip_prefix("members = ")).expect("the members");
    members.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Which modules at the top of a crate import which, through others too.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// The Rust files below a folder, without those that only tests compile.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("reads").path();
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_test = name.ends_with("tests") || ["fixtures", "testing", "golden"].contains(&name.as_str());
        if is_test {
            continue;
        }
        if path.is_dir() {
            out.extend(files(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            out.push(path);
        }
    }
    out
}

/// The names that follow `crate::`, or as many `super::` as lead to the top of the crate from a file so deep.
fn named(text: &str, depth: usize) -> BTreeSet<String> {
    let top = "super::".repeat(depth);
    let mut out = BTreeSet::new();
    for (path, before) in [("crate::", None), (top.as_str(), Some("super::"))] {
        for (at, _) in text.match_indices(path) {
            let longer = before.is_some_and(|before| text[..at].ends_with(before));
            let rest = &text[at + path.len()..];
            if longer || path.is_empty() || before.is_some_and(|before| rest.starts_with(before)) {
                continue;
            }
            let list = rest.strip_prefix('{').and_then(|rest| rest.split(';').next()).unwrap_or(rest);
            let parts = if rest.starts_with('{') { list.split(',').collect() } else { vec![list] };
            let word = |part: &str| {
                let part = part.trim_start();
                let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
                part[..end].to_owned()
            };
            out.extend(parts.into_iter().map(word));
        }
    }
    out
}

/// What the modules at the top of a crate import of each other directly.
fn imports(source: &Path) -> Imports {
    let mut out = Imports::new();
    for file in files(source) {
        let place = file.strip_prefix(source).expect("below").with_extension("");
        let parts: Vec<String> = place.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let Some(top) = parts.first().filter(|top| !["lib", "main"].contains(&top.as_str())) else { continue };
        let depth = parts.len() - usize::from(parts.last().is_some_and(|last| last == "mod"));
        let text = std::fs::read_to_string(&file).expect("is UTF-8");
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let code: String =
            code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        out.entry(top.clone()).or_default().extend(named(&code, depth));
    }
    let all: BTreeSet<String> = out.keys().cloned().collect();
    for (top, to) in &mut out {
        to.retain(|to| to != top && all.contains(to));
    }
    out
}

/// With what they import through others.
fn reached(direct: &Imports) -> Imports {
    let mut out = direct.clone();
    loop {
        let mut more = out.clone();
        for to in more.values_mut() {
            let further: Vec<String> = to.iter().filter_map(|to| out.get(to)).flatten().cloned().collect();
            to.extend(further);
        }
        if more == out {
            return out;
        }
        out = more;
    }
}

#[test]
fn folders_of_a_crate_form_no_circle() {
    let mut found: BTreeSet<(String, Vec<String>)> = BTreeSet::new();
    for name in crates() {
        let source = root().join(&name).join("src");
        let reached = reached(&imports(&source));
        let to = |one: &String, other: &String| reached.get(one).is_some_and(|to| to.contains(other));
        for one in reached.keys().filter(|one| source.join(one).is_dir()) {
            let circle = reached.keys().filter(|other| *other == one || to(one, other) && to(other, one));
            let folders: Vec<String> = circle.filter(|other| source.join(other).is_dir()).cloned().collect();
            if folders.len() > 1 {
                found.insert((name.clone(), folders));
            }
        }
    }
    assert!(found.is_empty(), "circles of folders: {found:?}");
}

#[test]
fn names_after_a_path_are_found() {
    let text =
        "use crate::{flow::a, table};\nuse super::super::graph::Node;\nuse super::near;\nlet x = crate::run::go();";
    let names: Vec<String> = named(text, 2).into_iter().collect();
    assert_eq!(names, ["flow", "graph", "run", "table"]);
}
