//! Which files form a pipeline with a document: those that the workspace file lists, else those whose names differ in the
//! stage only.

use std::path::{Path, PathBuf};

use lanescope_core::load::file_types::{FileKind, file_kind};
use lanescope_core::load::{LoadOptions, has_nodes};
use lanescope_core::options::Options;
use lanescope_core::target::Target;
use lanescope_host::folders::{Neighbours, Prefer, title};
use lanescope_host::workspace::Described;
use lanescope_host::workspace::manifest::Manifest;

/// A pipeline that is analysed.
#[derive(Debug, Clone, PartialEq)]
pub struct Pipeline {
    /// Its name: that of the workspace file, or those of its files.
    pub name: String,
    /// Its files, in the order in which they are loaded.
    pub files: Vec<PathBuf>,
    /// How they are loaded. The text of open documents is not among it.
    pub wanted: LoadOptions,
    /// How they are analysed.
    pub options: Options,
    /// What says that the files belong together: the workspace file; absent where their names do.
    pub manifest: Option<PathBuf>,
}

impl Pipeline {
    /// How it was found, for the log.
    pub fn how(&self) -> String {
        match &self.manifest {
            Some(manifest) => format!("pipeline `{}` of {}", self.name, manifest.display()),
            None => format!("{} (by file name)", self.name),
        }
    }
}

/// Why no pipeline is found for a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unanalyzed {
    /// Its bytes are not text, whatever the editor shows.
    Binary,
    /// Its name states neither a stage nor a format: a file that others include.
    NoStage,
}

impl Unanalyzed {
    /// The reason, for the log.
    pub fn why(self) -> &'static str {
        match self {
            Unanalyzed::Binary => "not analyzed: a file of this type is not text",
            Unanalyzed::NoStage => {
                "not analyzed by itself: the file name states neither a stage nor a format; a pipeline of lanescope.toml \
                 can list the file"
            }
        }
    }
}

/// The pipelines of a document.
///
/// `text`: that of the document. `neighbours`: the folders, with the files that the editor has open. `target`: the GPU where the
/// workspace file names none.
///
/// # Errors
/// Why there is none.
pub fn pipelines_of(
    document: &Path,
    text: &str,
    neighbours: &mut Neighbours,
    manifest: Option<&Manifest>,
    target: Option<Target>,
) -> Result<Vec<Pipeline>, Unanalyzed> {
    let described = |described: Option<Described>, name: String, files: Vec<PathBuf>| {
        let mut options = Options::default();
        options.target = target.unwrap_or(options.target);
        let options = described.as_ref().map_or_else(|| options.clone(), |described| described.beneath(&options));
        let of_pipeline = described.filter(|described| described.pipeline.is_some());
        let manifest = of_pipeline.map(|described| described.manifest);
        Pipeline { name, files, wanted: LoadOptions::of(&options), options, manifest }
    };
    let listed: Vec<Pipeline> = manifest
        .into_iter()
        .flat_map(|manifest| manifest.pipelines_of(document).map(move |entry| (manifest, entry)))
        .map(|(manifest, entry)| {
            described(Some(manifest.describe(Some(entry), &entry.files)), entry.name.clone(), entry.files.clone())
        })
        .collect();
    if !listed.is_empty() {
        return Ok(listed);
    }
    if is_binary(document) {
        return Err(Unanalyzed::Binary);
    }
    let named = neighbours.pipelines_with(document, Prefer::Source);
    let one = |files: Vec<PathBuf>| {
        let of_all = manifest.map(|manifest| manifest.describe(None, &files));
        described(of_all, title(&[], &files), files)
    };
    // Nodes are in libraries only, whatever the file is called.
    let is_library = || file_kind(document) == Some(FileKind::Hlsl) && has_nodes(text);
    match named.is_empty() {
        true if is_library() => Ok(vec![one(vec![document.to_owned()])]),
        true => Err(Unanalyzed::NoStage),
        false => Ok(named.into_iter().map(|found| one(found.files)).collect()),
    }
}

/// The files that would be stages of a pipeline with this one by their names alone: `lit.vert` of `lit.frag`, `lit.vs.hlsl` of
/// `lit.ps.hlsl`.
pub fn siblings(path: &Path) -> Vec<PathBuf> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let parts: Vec<&str> = name.split('.').collect();
    // The stage is the last part, or stands before the language.
    let stages = parts.iter().enumerate().skip(1).rev().take(2);
    let named = stages.filter_map(|(at, part)| Some((at, STAGES.iter().find(|family| family.contains(part))?)));
    let others = named.take(1).flat_map(|(at, family)| {
        let parts = &parts;
        family.iter().filter(move |other| parts[at] != **other).map(move |other| {
            let mut parts = parts.clone();
            parts[at] = other;
            path.with_file_name(parts.join("."))
        })
    });
    others.collect()
}

/// What names of graphics stages end with: those of GLSL, and of HLSL's profiles.
const STAGES: [&[&str]; 2] =
    [&["vert", "tesc", "tese", "geom", "frag", "task", "mesh"], &["vs", "hs", "ds", "gs", "ps", "as", "ms"]];

/// Whether files of this name have no text: an editor's text does not represent their bytes.
pub fn is_binary(path: &Path) -> bool {
    matches!(file_kind(path), Some(FileKind::Spirv | FileKind::Dxil | FileKind::Database | FileKind::Saved))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_have_other_stages_in_their_names() {
        let of = |name: &str| -> Vec<String> {
            siblings(&Path::new("a.vert").join(name)).iter().map(|path| path.display().to_string()).collect()
        };
        assert_eq!(of("lit.frag").len(), 6);
        assert_eq!(of("lit.frag")[0], "a.vert/lit.vert");
        assert_eq!(of("b.lit.ps.hlsl")[0], "a.vert/b.lit.vs.hlsl");
        assert_eq!(of("lit.frag.glsl")[5], "a.vert/lit.mesh.glsl");
        assert_eq!(["frag", "a.comp", "light.glsl", "frag.x.glsl"].map(|name| of(name).len()), [0; 4]);
    }

    #[test]
    fn the_workspace_file_comes_before_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in ["a.vert", "a.frag", "b.frag", "c.glsl"] {
            std::fs::write(path(name), "").expect("writable");
        }
        let text = "defines = [\"X\"]\n[[pipeline]]\nname = \"ab\"\nfiles = [\"a.vert\", \"b.frag\"]\ndefines = [\"Y=2\"]\n\
                    [[pipeline]]\nfiles = [\"c.glsl\"]\nstage = \"comp\"\ntarget = \"gfx1201\"\n";
        let manifest = Manifest::read(&path("lanescope.toml"), text).expect("reads");
        let of = |name: &str, manifest| {
            pipelines_of(&path(name), "", &mut Neighbours::default(), manifest, Some(Target::Gfx1100))
        };
        let listed = &of("b.frag", Some(&manifest)).expect("listed")[0];
        assert_eq!(listed.files, [path("a.vert"), path("b.frag")]);
        assert_eq!(listed.wanted.conversion.defines, ["X", "Y=2"]);
        assert_eq!(listed.options.target, Target::Gfx1100);
        assert!(listed.how().contains("pipeline `ab` of"), "{}", listed.how());
        // Others go by their names, with what counts for all files.
        let named = &of("a.frag", Some(&manifest)).expect("by name")[0];
        assert_eq!((named.files.len(), named.name.as_str()), (2, "a.vert + a.frag"));
        assert_eq!((named.wanted.conversion.defines.len(), named.manifest.is_none()), (1, true));
        let compute = &of("c.glsl", Some(&manifest)).expect("listed")[0];
        assert_eq!(compute.wanted.stage, Some(lanescope_core::program::StageKind::Compute));
        assert_eq!(compute.options.target, Target::Gfx1201);
        assert_eq!(of("c.glsl", None), Err(Unanalyzed::NoStage));
        assert_eq!(of("a.spv", None), Err(Unanalyzed::Binary));
        let library = |name: &str, text: &str| pipelines_of(&path(name), text, &mut Neighbours::default(), None, None);
        let nodes = "[Shader(\"node\")] [NodeLaunch(\"thread\")] void f() {}";
        assert_eq!(library("d.hlsl", nodes).expect("a library")[0].files, [path("d.hlsl")]);
        assert_eq!(library("d.hlsl", "// NodeLaunch"), Err(Unanalyzed::NoStage));
    }
}
