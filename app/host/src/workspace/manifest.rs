//! The workspace file: which files form a pipeline, and how they are compiled.

use std::path::{Component, Path, PathBuf};

use lanescope_core::options::{Conversion, macro_definition};
use lanescope_core::program::StageKind;
use lanescope_core::target::Target;
use serde::Deserialize;

use super::Described;
use crate::worker::FileFlags;

/// Its name, in the folder of a file or above.
pub const NAME: &str = "lanescope.toml";
/// Folders that are looked at, from that of the file upwards.
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

/// The nearest workspace file, from the folder of a file upwards. The file's path is absolute.
pub fn find(file: &Path, exists: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let folders = file.ancestors().skip(1).take(MAX_FOLDERS);
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
        let mut pipelines: Vec<Entry> = Vec::new();
        let mut given = std::collections::BTreeSet::new();
        for entry in written.pipeline {
            let WrittenEntry { name, files, defines, include_dirs, entries, stage, profile, target } = entry;
            let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
            if let Some(name) = name.as_ref().filter(|name| !given.insert((*name).clone())) {
                return Err(wrong(format!("two pipelines are named `{name}`: `--pipeline` would not know which")));
            }
            let name = name.unwrap_or_else(|| names.join(" + "));
            if files.is_empty() {
                return Err(wrong(format!("pipeline `{name}` has no files")));
            }
            let stage = stage.as_deref().map(stage_of).transpose().map_err(wrong)?;
            if let Some(profile) = &profile {
                lanescope_core::load::hlsl_profile(profile).map_err(wrong)?;
            }
            let files = files.iter().map(|file| absolute(folder, file)).collect();
            let sources = sources(defines, include_dirs)?;
            pipelines.push(Entry { name, files, sources, entries, stage, profile, target });
        }
        let sources = sources(written.defines, written.include_dirs)?;
        Ok(Manifest { path: path.to_owned(), target: written.target, sources, pipelines })
    }

    /// What the file says of a pipeline; of files in none where that is absent. Entry points are those of all files of the
    /// pipeline: fewer files may not have them.
    pub fn describe(&self, entry: Option<&Entry>, files: &[PathBuf]) -> Described {
        let mut flags = FileFlags { conversion: self.sources.conversion(), ..FileFlags::default() };
        if let Some(entry) = entry {
            let conversion = Conversion { profile: entry.profile.clone(), ..entry.sources.conversion() };
            let entries = if entry.is_of(files) { entry.entries.clone() } else { Vec::new() };
            flags = flags.and(&FileFlags { conversion, entries, stage: entry.stage });
        }
        Described {
            manifest: self.path.clone(),
            pipeline: entry.map(|entry| entry.name.clone()),
            target: entry.and_then(|entry| entry.target).or(self.target),
            flags,
        }
    }

    /// The files that pipelines list and that do not exist.
    pub fn missing(&self, exists: impl Fn(&Path) -> bool) -> Vec<(&Entry, &Path)> {
        let listed =
            self.pipelines.iter().flat_map(|entry| entry.files.iter().map(move |file| (entry, file.as_path())));
        listed.filter(|(_, file)| !exists(file)).collect()
    }

    /// The pipeline of this name.
    ///
    /// # Errors
    /// The names that there are.
    pub fn pipeline(&self, name: &str) -> Result<&Entry, String> {
        self.pipelines.iter().find(|entry| entry.name == name).ok_or_else(|| {
            let names: Vec<String> = self.pipelines.iter().map(|entry| format!("`{}`", entry.name)).collect();
            let there =
                if names.is_empty() { "it has none".to_owned() } else { format!("it has {}", names.join(", ")) };
            format!("{}: no pipeline `{name}`: {there}", self.path.display())
        })
    }

    /// The pipeline that files are: one of just these, else the first one that has all of them.
    pub fn pipeline_of(&self, files: &[PathBuf]) -> Option<&Entry> {
        let of_these = self.pipelines.iter().find(|entry| entry.is_of(files));
        of_these.or_else(|| self.pipelines.iter().find(|entry| entry.has(files)))
    }

    /// The pipelines that a file is part of.
    pub fn pipelines_of<'m>(&'m self, file: &'m Path) -> impl Iterator<Item = &'m Entry> {
        self.pipelines.iter().filter(move |entry| entry.files.iter().any(|own| own == file))
    }
}

impl Entry {
    /// Whether its files are just these.
    fn is_of(&self, files: &[PathBuf]) -> bool {
        self.has(files) && self.files.iter().all(|file| files.contains(file))
    }

    /// Whether these are among its files.
    pub(super) fn has(&self, files: &[PathBuf]) -> bool {
        files.iter().all(|file| self.files.contains(file))
    }
}

impl Sources {
    /// How sources are compiled.
    fn conversion(&self) -> Conversion {
        // A folder whose name is not text cannot be passed on; such a file could not name it either.
        let include_dirs = self.include_dirs.iter().map(|dir| dir.to_string_lossy().into_owned()).collect();
        Conversion { defines: self.defines.clone(), include_dirs, ..Conversion::default() }
    }
}

/// A path in a folder, without `.` and `..`.
pub(super) fn absolute(folder: &Path, path: &Path) -> PathBuf {
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

/// Reads a target by any of its names.
///
/// # Errors
/// A name that no target has.
pub fn target<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Target>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    name.map(|name| name.parse::<Target>().map_err(serde::de::Error::custom)).transpose()
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
            (
                "[[pipeline]]\nname = \"a\"\nfiles = [\"x\"]\n[[pipeline]]\nname = \"a\"\nfiles = [\"y\"]\n",
                None,
                "two pipelines are named `a`",
            ),
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
