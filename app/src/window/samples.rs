//! The bundled samples: where they are, which files belong together, what they are about.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lanescope_core::load::stage_of_extension;
use lanescope_core::program::StageKind;

/// The most samples that are shown.
const MOST: usize = 64;

/// A sample: the files of one pipeline, and what to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// Its name: the files' common stem, words apart.
    pub name: String,
    /// What to look at, in one line; empty where no file says.
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
    tried.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples"));
    match tried.iter().find(|folder| folder.is_dir()) {
        Some(found) => Ok(found.canonicalize().unwrap_or_else(|_| found.clone())),
        None => Err(tried),
    }
}

/// Lists the samples of a folder, by name. Files of one stem make one pipeline.
///
/// # Errors
/// What the file system says.
pub fn list(folder: &Path) -> std::io::Result<Vec<Sample>> {
    let mut by_stem: BTreeMap<String, Vec<(Option<StageKind>, PathBuf)>> = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(stem) = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()) else { continue };
        let is = |format: &str| path.extension().is_some_and(|extension| extension == format);
        let is_description = is("pipe") || is("foz");
        let is_module = is("spv") || is("spvasm") || is_description;
        let stage = stage(&path);
        if is_module || stage.is_some() {
            // `lit.frag.spvasm` belongs to `lit`.
            let mut stem = stem.split('.').next().unwrap_or(&stem).to_owned();
            if is_description {
                // A pipeline by itself, whatever shaders are called.
                stem = format!("{stem} {}", path.extension().unwrap_or_default().to_string_lossy());
            }
            by_stem.entry(stem).or_default().push((stage, path));
        }
    }
    let samples = by_stem.into_iter().take(MOST).map(|(stem, mut files)| {
        files.sort();
        let paths: Vec<PathBuf> = files.into_iter().map(|(_, path)| path).collect();
        // The last stage is the one that a sample is about.
        let about = paths.iter().rev().find_map(|path| first_comment(path)).unwrap_or_default();
        Sample { name: stem.replace(['-', '_'], " "), about, paths }
    });
    let mut samples: Vec<Sample> = samples.collect();
    samples.extend(containers(&folder.join(CONTAINERS))?.into_iter().take(MOST));
    Ok(samples)
}

/// The folder of DXIL containers among the samples.
const CONTAINERS: &str = "dxil";
/// The kinds of containers, by what their names have before `.dxil`, in pipeline order.
const KINDS: [&str; 9] = ["vs", "hs", "ds", "gs", "as", "ms", "ps", "cs", "lib"];

/// Lists the containers of a folder: `lit.vs.dxil` and `lit.ps.dxil` are one pipeline, which `lit.hlsl` tells about. None
/// where there is no such folder.
fn containers(folder: &Path) -> std::io::Result<Vec<Sample>> {
    let mut by_stem: BTreeMap<String, Vec<(usize, PathBuf)>> = BTreeMap::new();
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some((stem, kind)) = name.strip_suffix(".dxil").and_then(|name| name.rsplit_once('.')) else { continue };
        if let Some(order) = KINDS.iter().position(|known| *known == kind) {
            by_stem.entry(stem.to_owned()).or_default().push((order, path));
        }
    }
    let samples = by_stem.into_iter().map(|(stem, mut files)| {
        files.sort();
        let source = folder.join(format!("{}.hlsl", stem.split('.').next().unwrap_or(&stem)));
        let name = format!("DXIL: {}", stem.replace(['-', '_', '.'], " "));
        let about = first_comment(&source).unwrap_or_default();
        Sample { name, about, paths: files.into_iter().map(|(_, path)| path).collect() }
    });
    Ok(samples.collect())
}

/// The stage that a file's name tells, with or without a format behind it.
fn stage(path: &Path) -> Option<StageKind> {
    let of = |path: &Path| stage_of_extension(path);
    of(path).or_else(|| {
        let format = path.extension()?.to_str()?;
        ["spv", "spvasm"].contains(&format).then(|| of(Path::new(path.file_stem()?))).flatten()
    })
}

/// The first line that is a comment, without its marks.
fn first_comment(path: &Path) -> Option<String> {
    use std::io::Read as _;
    let mut head = Vec::new();
    std::fs::File::open(path).ok()?.take(4096).read_to_end(&mut head).ok()?;
    if lanescope_core::pipeline::foz::looks_like(&head) {
        return Some("Recorded pipelines: one is chosen when the database is opened.".to_owned());
    }
    let text = String::from_utf8_lossy(&head);
    let comment = text.lines().find_map(|line| {
        let line = line.trim();
        line.strip_prefix("//").or_else(|| line.strip_prefix(';'))
    })?;
    let comment = comment.trim_start_matches(['/', '!', ';']).trim();
    (!comment.is_empty()).then(|| comment.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_stem_are_one_sample() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in [
            ("half-floats.vert", "#version 450\n// the vertex side\n"),
            ("half-floats.frag", "#version 450\n// Look at the halves.\n// More.\n"),
            ("odd_size.comp", "#version 450\n"),
            ("raw.frag.spvasm", "; SPIR-V by hand\n"),
            ("whole.spvasm", "; One module\n"),
            ("shared.glsl", "// included\n"),
            ("README.md", "// no sample"),
        ] {
            std::fs::write(folder.path().join(name), text).expect("writable");
        }
        std::fs::create_dir(folder.path().join("dxil")).expect("writable");
        for (name, text) in [
            ("dxil/two.vs.dxil", ""),
            ("dxil/two.ps.dxil", ""),
            ("dxil/two.hlsl", "// Two stages.\n"),
            ("dxil/wave.fixed.cs.dxil", ""),
            ("dxil/README.md", "# no sample"),
        ] {
            std::fs::write(folder.path().join(name), text).expect("writable");
        }
        let found: Vec<_> = list(folder.path())
            .expect("readable")
            .into_iter()
            .map(|sample| {
                let names = sample.paths.iter().map(|p| p.file_name().expect("a name").to_string_lossy().into_owned());
                (sample.name, sample.about, names.collect::<Vec<_>>().join(" "))
            })
            .collect();
        let expected = [
            ("half floats", "Look at the halves.", "half-floats.vert half-floats.frag"),
            ("odd size", "", "odd_size.comp"),
            ("raw", "SPIR-V by hand", "raw.frag.spvasm"),
            ("whole", "One module", "whole.spvasm"),
            ("DXIL: two", "Two stages.", "two.vs.dxil two.ps.dxil"),
            ("DXIL: wave fixed", "", "wave.fixed.cs.dxil"),
        ];
        assert_eq!(found, expected.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned())));
    }
}
