//! The workspace file: which files form a pipeline, and how they are compiled. Commands, window, terminal form and editor
//! server read the same.

pub mod manifest;

use std::path::{Path, PathBuf};

use lanescope_core::load::file_types::{FileKind, file_kind, says_language_only};
use lanescope_core::load::is_stream;
use lanescope_core::options::Options;
use lanescope_core::target::Target;

use crate::files::text_at_most;
use crate::folders::{PipelineFiles, is_database};
use crate::worker::FileFlags;
use manifest::{Manifest, NAME, absolute, find};

/// The largest workspace file, in bytes.
pub const MAX_MANIFEST: u64 = 1 << 20;

/// What a workspace file says of files that are loaded together.
#[derive(Debug, Clone, PartialEq)]
pub struct Described {
    /// The workspace file.
    pub manifest: PathBuf,
    /// The name of the pipeline that the files are part of.
    pub pipeline: Option<String>,
    /// The GPU whose rules apply.
    pub target: Option<Target>,
    /// How the files are compiled.
    pub flags: FileFlags,
}

impl Described {
    /// Whether it changes anything.
    pub fn is_empty(&self) -> bool {
        self.target.is_none() && self.flags.is_empty()
    }

    /// Options with what the workspace file says beside them; macros, folders and entry points that they have count before
    /// its own.
    pub fn beneath(&self, options: &Options) -> Options {
        let mut out = options.clone();
        out.dxil = self.flags.conversion.and(&options.dxil);
        out.target = self.target.unwrap_or(options.target);
        out.stage = options.stage.or(self.flags.stage);
        if out.entry.is_empty() {
            out.entry.clone_from(&self.flags.entries);
        }
        out
    }

    /// What it does, for a message: `target=gfx1100 define=A=1`.
    pub fn summary(&self) -> String {
        let target = self.target.map(|target| format!("target={}", target.name()));
        let flags = (!self.flags.is_empty()).then(|| self.flags.to_string());
        target.into_iter().chain(flags).collect::<Vec<_>>().join(" ")
    }

    /// Where it is said, for a message: ``pipeline `lit` of /a/lanescope.toml``.
    pub fn place(&self) -> String {
        match &self.pipeline {
            Some(name) => format!("pipeline `{name}` of {}", self.manifest.display()),
            None => self.manifest.display().to_string(),
        }
    }
}

/// Whether a file is a workspace file, by its name.
pub fn is_manifest(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == NAME)
}

/// Reads a workspace file.
///
/// # Errors
/// A file that cannot be read, or what is wrong in it, with line and column.
pub fn read(path: &Path) -> Result<Manifest, String> {
    let text = text_at_most(path, MAX_MANIFEST)?;
    Manifest::read(&full(path), &text).map_err(|error| {
        let place = error.offset.and_then(|offset| text.get(..offset)).map(|before| {
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
            format!(":{line}:{column}")
        });
        format!("{}{}: {}", path.display(), place.unwrap_or_default(), error.message)
    })
}

/// What the nearest workspace file says of files that are loaded together: that in the folder of the first file, or above.
/// `pipeline` names one of its pipelines. None where there is no such file, and where one of the files is not of a workspace: a
/// stream, a folder, a workspace file, a database of pipelines, or a file that no pipeline lists and whose name says no type.
///
/// # Errors
/// A workspace file that cannot be read or is wrong.
pub fn of_files(files: &[PathBuf], pipeline: Option<&str>) -> Result<Option<Described>, String> {
    of_files_within(files, pipeline, &[])
}

/// The same where only files below some folders may be read; all where there are none.
///
/// # Errors
/// As [`of_files`].
pub fn of_files_within(
    files: &[PathBuf],
    pipeline: Option<&str>,
    within: &[PathBuf],
) -> Result<Option<Described>, String> {
    let is_of_workspace =
        |file: &PathBuf| !is_manifest(file) && !is_stream(file) && !is_database(file) && !file.is_dir();
    if files.is_empty() || !files.iter().all(is_of_workspace) {
        return Ok(None);
    }
    let files: Vec<PathBuf> = files.iter().map(|file| full(file)).collect();
    let Some(path) = files.iter().find_map(|file| find(file, |path| path.is_file() && is_within(path, within))) else {
        return Ok(None);
    };
    let manifest = read(&path)?;
    let named = pipeline.and_then(|name| manifest.pipeline(name).ok()).filter(|entry| entry.has(&files));
    let entry = match named {
        Some(entry) => Some(entry),
        None => manifest.pipeline_of(&files),
    };
    // A code object, or a report, has nothing that these settings are about.
    let is_shader = |file: &PathBuf| match file_kind(file) {
        Some(kind) => kind != FileKind::Saved,
        None => says_language_only(file),
    };
    let is_known = entry.is_some() || files.iter().all(is_shader);
    Ok(is_known.then(|| manifest.describe(entry, &files)))
}

/// A pipeline of a workspace file: the one of this name, or the only one. Its files, and what is said of them. Only files below
/// some folders may be read; all where there are none.
///
/// # Errors
/// As [`read`]; a name that no pipeline has; several pipelines of which none is named; a file outside the folders.
pub fn pipeline_within(
    path: &Path,
    named: Option<&str>,
    within: &[PathBuf],
) -> Result<(Vec<PathBuf>, Described), String> {
    let manifest = read(path)?;
    let entry = match (named, manifest.pipelines.as_slice()) {
        (Some(name), _) => manifest.pipeline(name)?,
        (None, [only]) => only,
        (None, []) => return Err(no_pipelines(path)),
        (None, several) => {
            let names: Vec<String> = several.iter().map(|entry| format!("`{}`", entry.name)).collect();
            return Err(format!("{}: --pipeline chooses one of {}", path.display(), names.join(", ")));
        }
    };
    if let Some(file) = entry.files.iter().find(|file| !is_within(file, within)) {
        return Err(format!(
            "{}: `{}` lists {}, outside the folders that may be read",
            path.display(),
            entry.name,
            file.display()
        ));
    }
    Ok((entry.files.clone(), manifest.describe(Some(entry), &entry.files)))
}

fn no_pipelines(path: &Path) -> String {
    format!("{}: it lists no pipelines; open a shader to use its settings", path.display())
}

/// The pipelines of a workspace file, with what it says of each.
///
/// # Errors
/// As [`read`]; a file without pipelines.
pub fn all(path: &Path) -> Result<Vec<(PipelineFiles, Described)>, String> {
    let manifest = read(path)?;
    if manifest.pipelines.is_empty() {
        return Err(no_pipelines(path));
    }
    let one = |entry: &manifest::Entry| {
        let described = manifest.describe(Some(entry), &entry.files);
        (PipelineFiles { name: entry.name.clone(), files: entry.files.clone() }, described)
    };
    Ok(manifest.pipelines.iter().map(one).collect())
}

/// Whether a file lies below one of some folders, links followed; anywhere where there are none.
fn is_within(path: &Path, folders: &[PathBuf]) -> bool {
    let below =
        |real: PathBuf| folders.iter().filter_map(|folder| folder.canonicalize().ok()).any(|top| real.starts_with(top));
    folders.is_empty() || path.canonicalize().is_ok_and(below)
}

/// A path from the root, without `.` and `..`. Links are not followed: a workspace names files as its user sees them.
fn full(path: &Path) -> PathBuf {
    let here = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute(Path::new("/"), &here)
}

#[cfg(test)]
mod tests {
    use lanescope_core::options::Conversion;
    use lanescope_core::program::StageKind;

    use super::*;

    const TEXT: &str = "target = \"gfx1100\"\ndefines = [\"A=1\", \"B\"]\n\
                        [[pipeline]]\nname = \"lit\"\nfiles = [\"lit.vert\", \"lit.frag\"]\nentries = [\"main\"]\ndefines = [\"A=2\"]\n\
                        [[pipeline]]\nname = \"red\"\nfiles = [\"lit.vert\", \"lit.frag\"]\ntarget = \"gfx1201\"\n\
                        [[pipeline]]\nfiles = [\"blur.glsl\"]\nstage = \"comp\"\n";

    /// A folder with a workspace file, and files in a folder of it.
    fn workspace(text: &str) -> (tempfile::TempDir, impl Fn(&str) -> PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let top = folder.path().to_owned();
        std::fs::write(top.join(NAME), text).expect("writable");
        (folder, move |name: &str| top.join(name))
    }

    #[test]
    fn files_have_what_their_pipeline_says() {
        let (_folder, path) = workspace(TEXT);
        let of = |names: &[&str], pipeline| {
            let files: Vec<PathBuf> = names.iter().map(|name| path(name)).collect();
            of_files(&files, pipeline).expect("reads").expect("one")
        };
        let both = of(&["lit.vert", "lit.frag"], None);
        assert_eq!(both.summary(), "target=gfx1100 define=B define=A=2 entry=main");
        assert_eq!(both.place(), format!("pipeline `lit` of {}", path(NAME).display()));
        // Entry points count for all files of a pipeline only.
        assert_eq!(of(&["lit.frag"], None).summary(), "target=gfx1100 define=B define=A=2");
        assert_eq!(of(&["./x/../lit.frag", "lit.vert"], Some("red")).summary(), "target=gfx1201 define=A=1 define=B");
        assert_eq!(of(&["blur.glsl"], None).flags.stage, Some(StageKind::Compute));
        let other = of(&["lit.vert", "blur.glsl"], None);
        assert_eq!((other.summary().as_str(), other.pipeline), ("target=gfx1100 define=A=1 define=B", None));
    }

    #[test]
    fn what_is_not_of_a_workspace_has_no_settings() {
        let (folder, path) = workspace("target = \"gfx1100\"\n");
        let files =
            ["-".into(), folder.path().to_owned(), path(NAME), path("game.foz"), path("fill.elf"), path("r.json")];
        for files in files.map(|file: PathBuf| vec![file]).into_iter().chain([vec![]]) {
            assert_eq!(of_files(&files, None), Ok(None), "{files:?}");
        }
        for name in ["a.frag", "a.glsl", "a.spv", "a.pipe"] {
            let said = of_files(&[path(name)], None).expect("reads").expect("one");
            assert_eq!(said.summary(), "target=gfx1100", "{name}");
        }
        // One above the folders that may be read is not.
        let within = |name: &str| of_files_within(&[path("in/a.frag")], None, &[path(name)]).expect("reads");
        std::fs::create_dir(path("in")).expect("writable");
        assert_eq!((within("in").is_some(), within("").is_some()), (false, true));
    }

    #[test]
    fn files_outside_the_folders_that_may_be_read_are_not_opened() {
        let (folder, path) = workspace("[[pipeline]]\nname = \"out\"\nfiles = [\"/etc/hostname\"]\n");
        let open = |within: &[PathBuf]| pipeline_within(&path(NAME), None, within);
        assert!(open(&[]).is_ok());
        let error = open(&[folder.path().to_owned()]).expect_err("is outside");
        assert!(error.ends_with("`out` lists /etc/hostname, outside the folders that may be read"), "{error}");
        // A link leads where it leads.
        std::os::unix::fs::symlink("/etc/hostname", path("a.frag")).expect("writable");
        std::fs::write(path(NAME), "[[pipeline]]\nfiles = [\"a.frag\"]\n").expect("writable");
        assert!(open(&[folder.path().to_owned()]).is_err());
    }

    #[test]
    fn options_count_before_the_workspace_file() {
        let (_folder, path) = workspace(TEXT);
        let said = of_files(&[path("lit.vert"), path("lit.frag")], None).expect("reads").expect("one");
        let dxil = Conversion { defines: vec!["A=3".into()], ..Conversion::default() };
        let own = Options { entry: vec!["other".into()], dxil, ..Options::default() };
        let options = said.beneath(&own);
        assert_eq!(options.dxil.defines, ["B", "A=3"]);
        assert_eq!((options.entry.as_slice(), options.target), (&["other".to_owned()] as &[_], Target::Gfx1100));
    }

    #[test]
    fn faults_have_a_line_and_a_column() {
        let (_folder, path) = workspace("defines = []\ntarget = \"gfx9999\"\n");
        let error = of_files(&[path("a.frag")], None).expect_err("no such chip");
        assert!(error.starts_with(&format!("{}:2:10: ", path(NAME).display())), "{error}");
        assert!(error.contains("gfx9999"), "{error}");
        let (_folder, path) = workspace(TEXT);
        let error = read(&path(NAME)).expect("reads").pipeline("blue").expect_err("is missing");
        assert!(error.ends_with("no pipeline `blue`: it has `lit`, `red`, `blur.glsl`"), "{error}");
    }

    #[test]
    fn pipelines_are_listed_with_their_files() {
        let (_folder, path) = workspace(TEXT);
        let listed = all(&path(NAME)).expect("lists");
        let names: Vec<&str> = listed.iter().map(|(one, _)| one.name.as_str()).collect();
        assert_eq!((names, &listed[2].0.files), (vec!["lit", "red", "blur.glsl"], &vec![path("blur.glsl")]));
        assert_eq!(listed[1].1.target, Some(Target::Gfx1201));
        let (_folder, path) = workspace("");
        assert!(all(&path(NAME)).is_err_and(|why| why.ends_with("open a shader to use its settings")));
    }
}
