//! The bundled samples: where they are, which files belong together, what they are about.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lanescope_core::load::file_types::{FileKind, file_kind};
use lanescope_core::load::stage_of_extension;
use lanescope_core::program::StageKind;

/// The most samples of a group that are shown.
const MOST: usize = 64;
const GROUPS_AT_MOST: usize = 16;

/// What folders of samples are called, and how their pictures are read; others are called by their own names.
const FOLDERS: [(&str, &str, &str); 3] = [
    (
        "code_objects",
        "Code objects",
        "Pipelines with an object that a compiler made of them: `inspect --object` compares both.",
    ),
    ("dxil", "DXIL containers", "Output of the D3D12 compiler, converted to SPIR-V."),
    ("work_graphs", "Work graphs", "Nodes that launch other nodes. F9 runs a graph, F10 steps it."),
];

/// The folder of what examples read beside shaders: none of it is a sample.
const INPUTS: &str = "inputs";

/// What the samples that lie in no folder are about, in the order of the page.
const KINDS: [(Kind, &str, &str); 3] = [
    (
        Kind::Varyings,
        "Varyings",
        "Left: original locations. Right: packed attribute slots. Each variable has one color.",
    ),
    (
        Kind::Workgroups,
        "Workgroups",
        "A cell is an invocation; cells of one color run in one wave, in the order of the numbers.",
    ),
    (
        Kind::Pipelines,
        "Pipelines with their state",
        "Pipeline descriptions of driver tools: shaders with descriptors, formats and options.",
    ),
];

/// What a sample shows first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Varyings,
    Workgroups,
    Pipelines,
}

/// The stages of DXIL containers by the suffix of their names, in pipeline order.
const DXIL_STAGES: [&str; 9] = ["vs", "hs", "ds", "gs", "as", "ms", "ps", "cs", "lib"];

/// The samples of one folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Name.
    pub title: String,
    /// How its pictures are read; empty if no one says.
    pub about: &'static str,
    /// Its samples, by name.
    pub samples: Vec<Sample>,
}

/// A sample: the files of one pipeline, and what to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// Its name: the files' common stem, words apart.
    pub name: String,
    /// What to look at, in one line; empty if no file says.
    pub about: String,
    /// Its files, in pipeline order.
    pub paths: Vec<PathBuf>,
}

/// Finds the folder of the samples: what `LANESCOPE_SAMPLES` names, beside the executable or where a package installs
/// it, or in the source tree that this was built from.
///
/// # Errors
/// The folders that were tried.
pub fn folder() -> Result<PathBuf, Vec<PathBuf>> {
    if let Some(named) = std::env::var_os("LANESCOPE_SAMPLES") {
        let named = PathBuf::from(named);
        return if named.is_dir() { Ok(named) } else { Err(vec![named]) };
    }
    let executable = std::env::current_exe().ok();
    let beside = executable.as_deref().and_then(Path::parent);
    let mut tried = Vec::new();
    if let Some(beside) = beside {
        tried.push(beside.join("samples"));
        tried.push(beside.join("../share/lanescope/samples"));
    }
    tried.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples"));
    match tried.iter().find(|folder| folder.is_dir()) {
        Some(found) => Ok(found.canonicalize().unwrap_or_else(|_| found.clone())),
        None => Err(tried),
    }
}

/// Lists the samples of a folder, then those of each folder in it, by name.
///
/// # Errors
/// Errors of the file system.
pub fn list(folder: &Path) -> std::io::Result<Vec<Group>> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        folders.extend(Some(path).filter(|path| path.is_dir() && !path.ends_with(INPUTS)));
    }
    folders.sort();
    let loose = samples(folder)?;
    let of_kind = |kind| loose.iter().filter(|sample| self::kind(sample) == kind).cloned().collect();
    let mut groups: Vec<Group> = KINDS
        .into_iter()
        .map(|(kind, title, about)| Group { title: title.to_owned(), about, samples: of_kind(kind) })
        .filter(|group| !group.samples.is_empty())
        .collect();
    for folder in folders.into_iter().take(GROUPS_AT_MOST) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let known = FOLDERS.iter().find(|(folder, ..)| *folder == name);
        let (title, about) =
            known.map_or_else(|| (words(&name), ""), |(_, title, about)| ((*title).to_owned(), *about));
        // A folder that cannot be read, or holds none, is not a group.
        let samples = samples(&folder).unwrap_or_default();
        groups.extend(Some(Group { title, about, samples }).filter(|group| !group.samples.is_empty()));
    }
    Ok(groups)
}

/// Files in a folder that open. Files of one stem make one pipeline.
fn samples(folder: &Path) -> std::io::Result<Vec<Sample>> {
    let mut by_stem: BTreeMap<String, Vec<(Order, PathBuf)>> = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if let Some((stem, order)) = place(&path) {
            by_stem.entry(stem).or_default().push((order, path));
        }
    }
    let samples = by_stem.into_iter().take(MOST).map(|(stem, mut files)| {
        files.sort();
        let paths: Vec<PathBuf> = files.into_iter().map(|(_, path)| path).collect();
        // The last stage is the one that a sample is about.
        let about = paths.iter().rev().find_map(|path| first_comment(&source(path))).unwrap_or_default();
        Sample { name: words(&stem), about, paths }
    });
    Ok(samples.collect())
}

/// What a sample shows first, by what its last file is.
fn kind(sample: &Sample) -> Kind {
    let Some(path) = sample.paths.last() else { return Kind::Varyings };
    if holds_pipelines(path) {
        Kind::Pipelines
    } else if stage(path).is_some_and(StageKind::has_workgroup) {
        Kind::Workgroups
    } else {
        Kind::Varyings
    }
}

fn holds_pipelines(path: &Path) -> bool {
    matches!(file_kind(path), Some(FileKind::Pipeline | FileKind::Database))
}

/// Where a file is in its pipeline.
type Order = (Option<StageKind>, usize);

/// The stem that a file shares with the other files of its pipeline, and its place among them; `None` for a file that
/// is not a sample.
fn place(path: &Path) -> Option<(String, Order)> {
    let stem = path.file_stem()?.to_string_lossy().into_owned();
    if path.extension().is_some_and(|format| format == "dxil") {
        // `lit.vs.dxil` belongs to `lit`, and `wave.fixed.cs.dxil` to `wave.fixed`: a program of its own.
        let (stem, suffix) = stem.rsplit_once('.').unwrap_or((&stem, ""));
        let at = DXIL_STAGES.iter().position(|stage| *stage == suffix);
        let stem = if at.is_some() || suffix.is_empty() { stem.to_owned() } else { format!("{stem}.{suffix}") };
        return Some((stem, (None, at.unwrap_or(DXIL_STAGES.len()))));
    }
    let stage = stage(path);
    // `lit.frag.spvasm` belongs to `lit`.
    let stem = stem.split('.').next().unwrap_or(&stem).to_owned();
    if holds_pipelines(path) {
        // A pipeline by itself, independent of shader names.
        let format = path.extension().unwrap_or_default().to_string_lossy();
        return Some((format!("{stem} {format}"), (None, 0)));
    }
    let is_module = matches!(file_kind(path), Some(FileKind::Spirv | FileKind::Assembly | FileKind::Source));
    (is_module || stage.is_some()).then_some((stem, (stage, 0)))
}

/// The text that says what a file is about: the HLSL beside a container, else the file itself.
fn source(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = name.split('.').next().unwrap_or_default();
    let beside = path.with_file_name(format!("{stem}.hlsl"));
    if path.extension().is_some_and(|format| format == "dxil") { beside } else { path.to_owned() }
}

/// A file's name as words.
fn words(stem: &str) -> String {
    stem.replace(['-', '_', '.'], " ")
}

/// The stage in a file's name, with or without a format extension after it.
fn stage(path: &Path) -> Option<StageKind> {
    let of = |path: &Path| stage_of_extension(path);
    of(path).or_else(|| {
        let is_compiled = matches!(file_kind(path), Some(FileKind::Spirv | FileKind::Assembly));
        is_compiled.then(|| of(Path::new(path.file_stem()?))).flatten()
    })
}

/// The first line that is a comment, without its marks; where its sentence continues, the rest of that.
fn first_comment(path: &Path) -> Option<String> {
    use std::io::Read as _;
    let mut head = Vec::new();
    std::fs::File::open(path).ok()?.take(4096).read_to_end(&mut head).ok()?;
    if lanescope_core::pipeline::foz::looks_like(&head) || lanescope_core::sodb::looks_like(&head) {
        return Some("Recorded pipelines. Opening a database lists them.".to_owned());
    }
    let text = String::from_utf8_lossy(&head);
    let comment = |line: &str| {
        let line = line.trim();
        let inside = line.strip_prefix("//").or_else(|| line.strip_prefix(';'))?;
        Some(inside.trim_start_matches(['/', '!', ';']).trim().to_owned())
    };
    let mut lines = text.lines().map(comment).skip_while(Option::is_none).map_while(|line| line);
    let mut sentence = lines.next().filter(|first| !first.is_empty())?;
    while !sentence.ends_with('.')
        && let Some(more) = lines.next().filter(|more| !more.is_empty())
    {
        sentence = format!("{sentence} {more}");
        if let Some((first, _)) = sentence.split_once(". ") {
            sentence = format!("{first}.");
        }
    }
    Some(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_files_of_one_stem_as_one_sample() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in [
            ("half-floats.vert", "#version 450\n// the vertex side\n"),
            ("half-floats.frag", "#version 450\n// Look at the halves.\n// More.\n"),
            ("odd_size.comp", "#version 450\n"),
            ("raw.frag.spvasm", "; SPIR-V by hand, which\n; goes on. And on.\nOpNop\n"),
            ("whole.spvasm", "; One module\n"),
            ("both.wgsl", "// Both stages\n"),
            ("sum.comp.wgsl", "// Sums\n"),
            ("shared.glsl", "// included\n"),
            ("README.md", "// no sample"),
        ] {
            std::fs::write(folder.path().join(name), text).expect("writable");
        }
        let groups = list(folder.path()).expect("readable");
        let titles: Vec<_> = groups.iter().map(|group| group.title.as_str()).collect();
        assert_eq!(titles, ["Varyings", "Workgroups"]);
        let found: Vec<_> = groups
            .into_iter()
            .flat_map(|group| group.samples)
            .map(|sample| {
                let names = sample.paths.iter().map(|p| p.file_name().expect("a name").to_string_lossy().into_owned());
                (sample.name, sample.about, names.collect::<Vec<_>>().join(" "))
            })
            .collect();
        let expected = [
            ("both", "Both stages", "both.wgsl"),
            ("half floats", "Look at the halves.", "half-floats.vert half-floats.frag"),
            ("raw", "SPIR-V by hand, which goes on.", "raw.frag.spvasm"),
            ("whole", "One module", "whole.spvasm"),
            ("odd size", "", "odd_size.comp"),
            ("sum", "Sums", "sum.comp.wgsl"),
        ];
        assert_eq!(found, expected.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned())));
    }

    #[test]
    fn groups_by_folder_and_containers_by_stem() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["dxil", "empty", "more_of_these"] {
            std::fs::create_dir(folder.path().join(name)).expect("writable");
        }
        for (name, text) in [
            ("one.comp", "// A group.\n"),
            ("dxil/lit.ps.dxil", "DXBC"),
            ("dxil/lit.vs.dxil", "DXBC"),
            ("dxil/lit.hlsl", "// What to look at.\n// More.\n"),
            ("dxil/wave.fixed.cs.dxil", "DXBC"),
            ("dxil/wave.ranged.cs.dxil", "DXBC"),
            ("dxil/wave.hlsl", "// Sizes of waves.\n"),
            ("dxil/graph.dxil", "DXBC"),
            ("more_of_these/two.comp", ""),
        ] {
            std::fs::write(folder.path().join(name), text).expect("writable");
        }
        let groups = list(folder.path()).expect("readable");
        let sentence: Vec<_> = groups
            .iter()
            .flat_map(|group| &group.samples)
            .map(|sample| {
                let names = sample.paths.iter().map(|p| p.file_name().expect("a name").to_string_lossy().into_owned());
                format!("{}: {} ({})", sample.name, sample.about, names.collect::<Vec<_>>().join(" "))
            })
            .collect();
        let titles: Vec<_> = groups.iter().map(|group| group.title.as_str()).collect();
        assert_eq!(titles, ["Workgroups", "DXIL containers", "more of these"]);
        assert_eq!(
            sentence,
            [
                "one: A group. (one.comp)",
                "graph:  (graph.dxil)",
                "lit: What to look at. (lit.vs.dxil lit.ps.dxil)",
                "wave fixed: Sizes of waves. (wave.fixed.cs.dxil)",
                "wave ranged: Sizes of waves. (wave.ranged.cs.dxil)",
                "two:  (two.comp)",
            ]
        );
    }

    #[test]
    fn every_bundled_sample_has_a_note() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let groups = list(&folder).expect("readable");
        let titles: Vec<_> = groups.iter().map(|group| group.title.as_str()).collect();
        let expected =
            ["Varyings", "Workgroups", "Pipelines with their state", "Code objects", "DXIL containers", "Work graphs"];
        assert_eq!(titles, expected);
        assert!(groups.iter().all(|group| !group.about.is_empty()), "each says how its pictures are read");
        for sample in groups.iter().flat_map(|group| &group.samples) {
            assert!(!sample.about.is_empty(), "{sample:?}");
        }
    }
}
