//! Groups the files of folders into pipelines, for the command line and the window.

mod common_name;
mod file_list;
mod neighbours;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use lanescope_core::load::file_types::{self, FileKind, file_kind, is_looked_for};
use lanescope_core::load::{special_file, stage_of_extension, stage_of_profile};
use lanescope_core::program::StageKind;

use common_name::{common_name, without_compiled};
use file_list::{FileList, sorted};
pub use file_list::{Names, folder_of};
pub use neighbours::Neighbours;

/// Folders inside each other that are searched.
const MAX_DEPTH: usize = 32;
/// Entries of folders that are looked at.
const MAX_ENTRIES: usize = 500_000;
/// How long folders are searched.
const MAX_TIME: Duration = Duration::from_secs(10);
/// Which form of a shader is used where a folder holds its source and what was compiled from it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Prefer {
    /// GLSL or HLSL.
    Source,
    /// SPIR-V or DXIL.
    #[default]
    Binary,
}

/// What files and folders hold: at least one shader.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The folders that were named.
    pub tops: Vec<PathBuf>,
    /// Files of one name are neighbours.
    files: FileList,
    /// What was left out.
    pub skipped: Vec<Skipped>,
}

/// The files of one pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PipelineFiles {
    /// The files' names, the first one with its path from the folder that was named: `effects/lit.vert + lit.frag`.
    pub name: String,
    /// The files, in pipeline order.
    pub files: Vec<PathBuf>,
}

impl Found {
    /// Every pipeline, by name.
    ///
    /// Shaders of one folder whose names differ in the stage only are one pipeline; source and binary of one shader are
    /// one shader, of which the preferred form is used.
    pub fn pipelines(&self, prefer: Prefer) -> Vec<PipelineFiles> {
        self.files.groups().flat_map(|files| pipelines_of(&self.tops, files, prefer)).collect()
    }

    /// The same, one after the other: what was found is given back on the way.
    pub fn into_pipelines(self, prefer: Prefer) -> impl Iterator<Item = PipelineFiles> {
        let Found { tops, files, .. } = self;
        files.into_groups().flat_map(move |files| pipelines_of(&tops, files, prefer))
    }

    /// Whether a shader has several forms, so that the preferred one matters.
    pub fn has_forms(&self) -> bool {
        self.pipelines(Prefer::Source) != self.pipelines(Prefer::Binary)
    }
}

/// The pipelines of files of one name.
fn pipelines_of(tops: &[PathBuf], files: Vec<PathBuf>, prefer: Prefer) -> Vec<PipelineFiles> {
    let all = split(one_form(files, prefer)).into_iter();
    all.map(|files| PipelineFiles { name: title(tops, &files), files }).collect()
}

/// The name of a pipeline of these files, found in folders.
pub fn title(tops: &[PathBuf], files: &[PathBuf]) -> String {
    let inner = |file: &PathBuf| {
        let top = tops.iter().find_map(|top| file.strip_prefix(top).ok());
        top.or_else(|| file.file_name().map(Path::new)).unwrap_or(file).to_string_lossy().into_owned()
    };
    let short = |file: &PathBuf| file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    let names = files.iter().enumerate().map(|(at, file)| if at == 0 { inner(file) } else { short(file) });
    names.collect::<Vec<_>>().join(" + ")
}

/// A file or folder that was left out.
#[derive(Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its path.
    pub path: PathBuf,
    /// The reason.
    pub why: String,
}

/// How much is searched.
#[derive(Debug, Clone, Copy)]
struct Limits {
    depth: usize,
    entries: usize,
    time: Duration,
}

/// Finds the shaders of files and folders. Folders in folders are searched; links to folders are not followed.
///
/// # Errors
/// A folder that cannot be read; files and folders without any shader.
pub fn find(paths: &[PathBuf]) -> Result<Found, String> {
    find_within(paths, Limits { depth: MAX_DEPTH, entries: MAX_ENTRIES, time: MAX_TIME })
}

/// The same for a corpus: larger folders are searched, for longer.
///
/// # Errors
/// As [`find`].
pub fn find_all(paths: &[PathBuf]) -> Result<Found, String> {
    find_within(paths, Limits { depth: MAX_DEPTH, entries: 20 * MAX_ENTRIES, time: 60 * MAX_TIME })
}

/// Whether a file is a database of pipelines, by its extension.
pub fn is_database(file: &Path) -> bool {
    file_kind(file) == Some(FileKind::Database)
}

fn find_within(paths: &[PathBuf], limits: Limits) -> Result<Found, String> {
    let mut search =
        Search { limits, begin: Instant::now(), entries: 0, files: FileList::default(), skipped: Vec::new() };
    for path in paths {
        if path.is_dir() {
            search.folder(path)?;
        } else {
            search.files.push_path(path);
        }
    }
    let Search { mut files, skipped, .. } = search;
    if files.is_empty() {
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let reasons: String = skipped.iter().map(|one| format!("\n{}: {}", one.path.display(), one.why)).collect();
        return Err(format!(
            "{}: no shader or pipeline found (expected {}){reasons}",
            names.join(", "),
            file_types::expected_in_folders()
        ));
    }
    let tops = paths.iter().filter(|path| path.is_dir()).cloned().collect();
    files.sort();
    Ok(Found { tops, files, skipped })
}

struct Search {
    limits: Limits,
    begin: Instant,
    entries: usize,
    files: FileList,
    skipped: Vec<Skipped>,
}

impl Search {
    /// Searches a folder and the folders in it.
    fn folder(&mut self, top: &Path) -> Result<(), String> {
        let mut waiting = vec![(top.to_owned(), 0)];
        while let Some((folder, depth)) = waiting.pop() {
            let listed = fs::read_dir(&folder).and_then(|entries| {
                // One more than is looked at, so that a longer folder is noticed.
                let left = self.limits.entries.saturating_sub(self.entries).saturating_add(1);
                sorted(entries.take(left).map(|entry| entry.map(|entry| entry.file_name())))
            });
            let listed = match listed {
                Ok(listed) => listed,
                Err(error) if depth == 0 => return Err(format!("{}: {error}", folder.display())),
                Err(error) => {
                    self.skip(folder, error.to_string());
                    continue;
                }
            };
            for name in listed {
                if let Some(limit) = self.limit() {
                    self.skip(folder, format!("the search stopped here: {limit}"));
                    return Ok(());
                }
                self.entries += 1;
                self.entry(&folder, &name, depth, &mut waiting);
            }
        }
        Ok(())
    }

    /// The limit that is reached, if one is.
    fn limit(&self) -> Option<String> {
        let Limits { entries, time, .. } = self.limits;
        if self.entries >= entries {
            Some(format!("more than {entries} files and folders"))
        } else if self.begin.elapsed() > time {
            Some(format!("it took longer than {} s", time.as_secs()))
        } else {
            None
        }
    }

    /// Takes a file, or remembers a folder.
    fn entry(&mut self, folder: &Path, name: &OsStr, depth: usize, waiting: &mut Vec<(PathBuf, usize)>) {
        let path = folder.join(name);
        let is_of_interest = common_name(name).is_some() && is_looked_for(Path::new(name));
        let own = fs::symlink_metadata(&path);
        let is_link = own.as_ref().is_ok_and(|own| own.file_type().is_symlink());
        let kind = match if is_link { fs::metadata(&path) } else { own } {
            Ok(metadata) => metadata.file_type(),
            // What has no shader's name is of no interest.
            Err(error) => {
                if is_of_interest {
                    self.skip(path, error.to_string());
                }
                return;
            }
        };
        if let Some(special) = special_file(kind) {
            self.skip(path, format!("{special} in a folder is not opened"));
        } else if kind.is_dir() && is_link {
            self.skip(path, "links to folders are not followed".to_owned());
        } else if kind.is_dir() && depth + 1 > self.limits.depth {
            self.skip(path, format!("folders nested more than {} deep are not searched", self.limits.depth));
        } else if kind.is_dir() {
            waiting.push((path, depth + 1));
        } else if is_of_interest {
            self.files.push(folder, name);
        }
    }

    fn skip(&mut self, path: PathBuf, why: String) {
        self.skipped.push(Skipped { path, why });
    }
}

/// Of each stage's forms the preferred one, in pipeline order. Several files of the same form stay.
fn one_form(mut files: Vec<PathBuf>, prefer: Prefer) -> Vec<PathBuf> {
    files.sort_by_key(|file| (stage_of(file), file.clone()));
    files.dedup();
    let rank = |file: &Path| {
        let form = form_of(file);
        (if prefer == Prefer::Source { form != Form::Source } else { form == Form::Source }, form)
    };
    let mut best: BTreeMap<StageKind, _> = BTreeMap::new();
    for file in &files {
        if let Some(stage) = stage_of(file) {
            let rank = rank(file);
            best.entry(stage).and_modify(|best| *best = rank.min(*best)).or_insert(rank);
        }
    }
    files.retain(|file| stage_of(file).is_none_or(|stage| best.get(&stage).is_none_or(|best| *best == rank(file))));
    files
}

/// Files of one name that no pipeline has together: a compute shader is alone, and mesh shaders beside vertex shaders
/// are another pipeline with the same fragment shader.
fn split(files: Vec<PathBuf>) -> Vec<Vec<PathBuf>> {
    use StageKind::{Compute, Fragment, Mesh, Task};
    let mut out = Vec::new();
    let (mut classic, mut mesh, mut traced, mut fragment) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for file in files {
        match stage_of(&file) {
            Some(Compute) => out.push(vec![file]),
            Some(Mesh | Task) => mesh.push(file),
            Some(Fragment) => fragment.push(file),
            Some(stage) if !stage.is_graphics() => traced.push(file),
            // A file that is a pipeline by itself, too.
            _ => classic.push(file),
        }
    }
    if mesh.is_empty() || !classic.is_empty() {
        classic.extend(fragment.iter().cloned());
    }
    if !mesh.is_empty() {
        mesh.extend(fragment);
    }
    out.extend([classic, mesh, traced].into_iter().filter(|files| !files.is_empty()));
    out
}

/// The form of a shader; sorts by how close it is to what drivers read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    /// A SPIR-V or DXIL binary.
    Binary,
    /// SPIR-V assembly.
    Assembly,
    /// GLSL, HLSL, WGSL or Slang.
    Source,
}

fn form_of(file: &Path) -> Form {
    match file_kind(file) {
        Some(FileKind::Spirv | FileKind::Dxil) => Form::Binary,
        Some(FileKind::Assembly) => Form::Assembly,
        _ => Form::Source,
    }
}

/// The stage that a file's name says.
fn stage_of(file: &Path) -> Option<StageKind> {
    let name = file.file_name()?;
    stage_of_extension(Path::new(without_compiled(name))).or_else(|| stage_of_profile(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of each pipeline in a folder of these files.
    fn found(files: &[&str], prefer: Prefer) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("has a folder")).expect("writable");
            fs::write(path, "x").expect("writable");
        }
        let found = find(&[folder.path().to_owned()]).expect("finds some");
        assert_eq!(found.skipped, []);
        let all = found.pipelines(prefer);
        assert!(found.into_pipelines(prefer).eq(all.clone()), "both list the same");
        all.into_iter().map(|pipeline| pipeline.name).collect()
    }

    #[test]
    fn treats_source_and_binary_as_one_shader() {
        let files =
            ["x.vert", "x.vert.spv", "x.frag", "x.frag.spvasm", "y.comp", "y.comp.spv", "z.ps.hlsl", "z.ps.dxil"];
        assert_eq!(found(&files, Prefer::Binary), ["x.vert.spv + x.frag.spvasm", "y.comp.spv", "z.ps.dxil"]);
        assert_eq!(found(&files, Prefer::Source), ["x.vert + x.frag", "y.comp", "z.ps.hlsl"]);
        // The form that there is, where the preferred one is missing for a stage.
        assert_eq!(found(&["x.vert", "x.vert.spv", "x.frag"], Prefer::Binary), ["x.vert.spv + x.frag"]);
        assert_eq!(found(&["x.vert.spv", "x.frag"], Prefer::Source), ["x.vert.spv + x.frag"]);
    }

    #[test]
    fn splits_stages_that_no_pipeline_combines() {
        let files = ["p.vert", "p.frag", "p.comp", "p.task", "p.mesh", "q.mesh", "q.frag"];
        let expected = ["p.comp", "p.vert + p.frag", "p.task + p.mesh + p.frag", "q.mesh + q.frag"];
        assert_eq!(found(&files, Prefer::Binary), expected);
    }

    #[test]
    fn searches_nested_folders() {
        let files = ["a/b/c/x.vert", "a/b/x.vert", "a/b/x.frag", "notes.txt", "a/lighting.glsl"];
        assert_eq!(found(&files, Prefer::Binary), ["a/b/c/x.vert", "a/b/x.vert + x.frag"]);
    }

    #[test]
    fn bitcode_is_not_looked_for_but_opens_by_name() {
        assert_eq!(found(&["a.ps.bc", "b.bc", "c.BC", "d.dxil"], Prefer::Binary), ["d.dxil"]);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("b.bc");
        fs::write(&path, "x").expect("writable");
        assert_eq!(find(&[path]).expect("finds it").pipelines(Prefer::Binary).len(), 1);
        let error = find(&[folder.path().to_owned()]).expect_err("finds none");
        assert!(error.contains("no shader or pipeline found") && !error.contains("(.bc)"), "{error}");
    }

    #[test]
    fn skips_and_names_special_files() {
        use std::os::unix::fs::symlink;
        use std::os::unix::net::UnixListener;
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("x.comp"), "x").expect("writable");
        rustix::fs::mkfifoat(rustix::fs::CWD, path("b.frag"), rustix::fs::Mode::RWXU).expect("a FIFO");
        let _socket = UnixListener::bind(path("c.frag")).expect("a socket");
        symlink("/dev/null", path("d.frag")).expect("a link");
        symlink(folder.path(), path("e")).expect("a link");
        symlink("nowhere", path("f.frag")).expect("a link");
        let found = find(&[folder.path().to_owned()]).expect("finds one");
        let files: Vec<_> = found.pipelines(Prefer::Binary).into_iter().map(|pipeline| pipeline.files).collect();
        assert_eq!(files, [[path("x.comp")]]);
        let skipped: Vec<_> = found.skipped.iter().map(|one| (one.path.clone(), one.why.as_str())).collect();
        assert_eq!(
            skipped[..4],
            [
                (path("b.frag"), "a FIFO in a folder is not opened"),
                (path("c.frag"), "a socket in a folder is not opened"),
                (path("d.frag"), "a character device in a folder is not opened"),
                (path("e"), "links to folders are not followed"),
            ]
        );
        assert!(skipped[4].1.contains("No such file"), "{skipped:?}");
        fs::remove_file(path("x.comp")).expect("removes");
        let error = find(&[folder.path().to_owned()]).expect_err("nothing is left");
        assert!(error.contains("no shader or pipeline found") && error.contains("b.frag: a FIFO"), "{error}");
    }

    #[test]
    fn stops_a_search_at_its_limits() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("1/2/3");
        fs::create_dir_all(&inner).expect("writable");
        for name in ["a.comp", "b.comp", "c.comp"] {
            fs::write(folder.path().join(name), "x").expect("writable");
        }
        fs::write(inner.join("d.comp"), "x").expect("writable");
        let all = Limits { depth: 32, entries: 100, time: Duration::from_secs(10) };
        let within = |limits| find_within(&[folder.path().to_owned()], limits).expect("finds some");
        let summary = |found: Found| {
            let why: Vec<_> = found.skipped.iter().map(|one| one.why.clone()).collect();
            (found.pipelines(Prefer::Binary).len(), why.join(", "))
        };
        assert_eq!(summary(within(all)), (4, String::new()));
        let (count, why) = summary(within(Limits { depth: 2, ..all }));
        assert_eq!((count, why.as_str()), (3, "folders nested more than 2 deep are not searched"));
        let (count, why) = summary(within(Limits { entries: 3, ..all }));
        assert!(count <= 3 && why == "the search stopped here: more than 3 files and folders", "{count}: {why}");
        let error = find_within(&[folder.path().to_owned()], Limits { time: Duration::ZERO, ..all });
        assert!(error.expect_err("ends at once").contains("took longer than 0 s"));
    }
}
