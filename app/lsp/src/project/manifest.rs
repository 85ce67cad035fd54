//! The workspace file: which files form a pipeline, and how they are compiled.

use std::path::{Component, Path, PathBuf};

use lanescope_core::options::{Conversion, macro_definition};
use lanescope_core::program::StageKind;
use lanescope_core::target::Target;
use serde::Deserialize;

use crate::settings::target;

/// Its name, in the folder of a document or above.
pub const NAME: &str = "lanescope.toml";
/// Folders that are looked at, from that of the document upwards.
const MAX_FOLDERS: usize = 64;

/// A workspace file. Names of files and folders are relative to its own folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    /// The file.
    pub path: PathBuf,
    /// The GPU whose rules apply.
    pub target: Option<Target>,
    /// How all sources are compiled.
    pub sources: Sources,
    /// The pipelines.
    pub pipelines: Vec<Entry>,
}

/// How sources are compiled.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sources {
    /// Macros: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Folders that are looked through for what sources include.
    pub include_dirs: Vec<PathBuf>,
}

/// A pipeline of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its name; by default those of its files.
    pub name: String,
    /// Its files: absolute paths.
    pub files: Vec<PathBuf>,
    /// More macros and folders.
    pub sources: Sources,
    /// Entry points that are used.
    pub entries: Vec<String>,
    /// The stage of GLSL whose name states none.
    pub stage: Option<StageKind>,
    /// How the file writes it.
    pub stage_name: Option<String>,
    /// The profile of HLSL whose name states none.
    pub profile: Option<String>,
    /// The GPU whose rules apply.
    pub target: Option<Target>,
}

/// What is wrong with a file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestError {
    /// The byte that is wrong; absent where the whole file is meant.
    pub offset: Option<usize>,
    /// The message.
    pub message: String,
}

/// As it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default, deserialize_with = "target")]
    target: Option<Target>,
    #[serde(default)]
    defines: Vec<String>,
    #[serde(default)]
    include_dirs: Vec<PathBuf>,
    #[serde(default)]
    pipeline: Vec<WrittenEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEntry {
    name: Option<String>,
    files: Vec<PathBuf>,
    #[serde(default)]
    defines: Vec<String>,
    #[serde(default)]
    include_dirs: Vec<PathBuf>,
    #[serde(default)]
    entries: Vec<String>,
    #[serde(default)]
    stage: Option<String>,
    #[serde(default)]
    profile: Option<String>,
    #[serde(default, deserialize_with = "target")]
    target: Option<Target>,
}

/// The nearest workspace file, from the folder of a document upwards.
pub fn find(document: &Path, exists: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let folders = document.ancestors().skip(1).take(MAX_FOLDERS);
    folders.map(|folder| folder.join(NAME)).find(|file| exists(file))
}

impl Manifest {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// What is not TOML, and what has another meaning than the file may have.
    pub fn read(path: &Path, text: &str) -> Result<Manifest, ManifestError> {
        let written: Written = toml::from_str(text).map_err(|error| ManifestError {
            offset: error.span().map(|span| span.start),
            message: error.message().to_owned(),
        })?;
        let wrong = |message: String| ManifestError { offset: None, message };
        let folder = path.parent().unwrap_or(Path::new("/"));
        let sources = |defines: Vec<String>, include_dirs: Vec<PathBuf>| {
            for define in &defines {
                macro_definition(define).map_err(|why| wrong(format!("defines: `{define}`: {why}")))?;
            }
            let include_dirs = include_dirs.iter().map(|dir| absolute(folder, dir)).collect();
            Ok(Sources { defines, include_dirs })
        };
        let mut pipelines = Vec::new();
        for entry in written.pipeline {
            let WrittenEntry { name, files, defines, include_dirs, entries, stage, profile, target } = entry;
            let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
            let name = name.unwrap_or_else(|| names.join(" + "));
            if files.is_empty() {
                return Err(wrong(format!("pipeline `{name}` has no files")));
            }
            let stage_name = stage;
            let stage = stage_name.as_deref().map(stage_of).transpose().map_err(wrong)?;
            if let Some(profile) = &profile {
                lanescope_core::load::hlsl_profile(profile).map_err(wrong)?;
            }
            let files = files.iter().map(|file| absolute(folder, file)).collect();
            let sources = sources(defines, include_dirs)?;
            pipelines.push(Entry { name, files, sources, entries, stage, stage_name, profile, target });
        }
        let sources = sources(written.defines, written.include_dirs)?;
        Ok(Manifest { path: path.to_owned(), target: written.target, sources, pipelines })
    }

    /// The pipelines that a file is part of.
    pub fn pipelines_of<'m>(&'m self, file: &'m Path) -> impl Iterator<Item = &'m Entry> {
        self.pipelines.iter().filter(move |entry| entry.files.iter().any(|own| own == file))
    }
}

impl Sources {
    /// Adds macros and folders to how sources are compiled.
    pub fn apply(&self, conversion: &mut Conversion) {
        conversion.defines.extend(self.defines.iter().cloned());
        // A folder whose name is not text cannot be passed on; such a file could not name it either.
        conversion.include_dirs.extend(self.include_dirs.iter().map(|dir| dir.to_string_lossy().into_owned()));
    }
}

/// A path in a folder, without `.` and `..`.
fn absolute(folder: &Path, path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(out.pop()),
            part => out.push(part),
        }
    }
    out
}

/// A stage by its name, or by the extension of its files.
fn stage_of(name: &str) -> Result<StageKind, String> {
    let by_extension = lanescope_core::load::stage_of_name(name);
    let stage = by_extension.or_else(|| StageKind::ALL.iter().copied().find(|stage| stage.name() == name));
    stage.ok_or_else(|| format!("`{name}` is not a stage; expected one such as `vertex` or `frag`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Manifest, ManifestError> {
        Manifest::read(Path::new("/work/shaders/lanescope.toml"), text)
    }

    #[test]
    fn reads_pipelines_with_their_folders() {
        let text = "target = \"gfx1100\"\ndefines = [\"A=1\"]\ninclude_dirs = [\"inc\"]\n\n\
                    [[pipeline]]\nname = \"lit\"\nfiles = [\"lit.vert\", \"../common/./lit.frag\"]\nentries = [\"main\"]\n\
                    defines = [\"B\"]\n[[pipeline]]\nfiles = [\"blur.glsl\"]\nstage = \"compute\"\n";
        let manifest = read(text).expect("reads");
        assert_eq!(manifest.target, Some(Target::Gfx1100));
        assert_eq!(manifest.sources.include_dirs, [PathBuf::from("/work/shaders/inc")]);
        let names: Vec<&str> = manifest.pipelines.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["lit", "blur.glsl"]);
        let frag = Path::new("/work/common/lit.frag");
        let found: Vec<_> = manifest.pipelines_of(frag).collect();
        assert_eq!(found[0].files, [Path::new("/work/shaders/lit.vert"), frag]);
        assert_eq!(manifest.pipelines[1].stage, Some(StageKind::Compute));
        assert_eq!(manifest.pipelines_of(Path::new("/work/lit.frag")).count(), 0);
    }

    #[test]
    fn faults_are_named_with_their_place() {
        for (text, offset, why) in [
            ("target = 3\n", Some(9), "string"),
            ("a = 1\n", Some(0), "unknown field `a`"),
            ("[[pipeline]]\nname = \"x\"\n", Some(0), "missing field `files`"),
            ("[[pipeline]]\nfiles = []\n", None, "has no files"),
            ("defines = [\"1A\"]\n", None, "`1A`"),
            ("[[pipeline]]\nfiles = [\"a\"]\nstage = \"pixel\"\n", None, "`pixel` is not a stage"),
            ("[[pipeline]]\nfiles = [\"a\"]\nprofile = \"ps\"\n", None, "`ps` is not a profile"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.offset == offset && error.message.contains(why), "{text}: {error:?}");
        }
    }

    #[test]
    fn the_nearest_file_counts() {
        let exists =
            |path: &Path| ["/a/lanescope.toml", "/a/b/lanescope.toml"].iter().any(|own| Path::new(own) == path);
        assert_eq!(find(Path::new("/a/b/c/x.frag"), exists), Some(PathBuf::from("/a/b/lanescope.toml")));
        assert_eq!(find(Path::new("/a/x.frag"), exists), Some(PathBuf::from("/a/lanescope.toml")));
        assert_eq!(find(Path::new("/x.frag"), exists), None);
    }
}
