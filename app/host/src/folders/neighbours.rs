//! The pipelines of a file: itself with the files beside it whose names differ in the stage only.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::{FileList, PipelineFiles, Prefer, common_name, folder_of, pipelines_of};

/// Entries of a folder that are looked at.
const MAX_ENTRIES: usize = 20_000;

/// The folders of files that are looked up together: each is read once.
#[derive(Debug, Default)]
pub struct Neighbours {
    /// The names in each folder, by what those of one pipeline have in common.
    folders: BTreeMap<PathBuf, BTreeMap<Vec<u8>, BTreeSet<OsString>>>,
    /// Files that count as if they were in their folders.
    more: BTreeSet<PathBuf>,
}

impl Neighbours {
    /// Nothing is read yet.
    ///
    /// `more`: files that count as if they were in their folders, such as unsaved ones.
    pub fn new(more: &[PathBuf]) -> Neighbours {
        Neighbours { folders: BTreeMap::new(), more: more.iter().cloned().collect() }
    }

    /// The names in a folder.
    fn names(&mut self, folder: &Path) -> &BTreeMap<Vec<u8>, BTreeSet<OsString>> {
        if !self.folders.contains_key(folder) {
            // A folder that cannot be read has the files that are known.
            let listed = fs::read_dir(folder).into_iter().flatten().take(MAX_ENTRIES).flatten();
            let more = self.more.iter().filter(|other| folder_of(other) == folder);
            let more = more.filter_map(|other| other.file_name().map(OsString::from));
            let mut names: BTreeMap<Vec<u8>, BTreeSet<OsString>> = BTreeMap::new();
            for name in listed.map(|entry| entry.file_name()).chain(more) {
                if let Some(common) = common_name(&name).map(|common| common.bytes().collect()) {
                    names.entry(common).or_default().insert(name);
                }
            }
            self.folders.insert(folder.to_owned(), names);
        }
        self.folders.entry(folder.to_owned()).or_default()
    }

    /// The pipelines of which a file is a part, by the names in its folder. Empty where its name is not a shader's.
    ///
    /// Of a shader with several forms the one that is asked for is used, the others are compiled sources or their results;
    /// `prefer` chooses among those of the other stages.
    pub fn pipelines_with(&mut self, file: &Path, prefer: Prefer) -> Vec<PipelineFiles> {
        let Some(name) = file.file_name() else { return Vec::new() };
        let Some(common) = common_name(name) else { return Vec::new() };
        let folder = folder_of(file);
        let mut names = self.names(folder).get(&common.bytes().collect::<Vec<_>>()).cloned().unwrap_or_default();
        names.insert(name.to_owned());
        let mut files = FileList::default();
        for name in &names {
            let path = folder.join(name);
            if path.is_file() || path == file || self.more.contains(&path) {
                files.push(folder, name);
            }
        }
        files.sort();
        let all = |prefer| files.groups().flat_map(move |files| pipelines_of(&[], files, prefer));
        let with = |prefer| all(prefer).filter(|one| one.files.iter().any(|own| own == file)).collect::<Vec<_>>();
        let other = if prefer == Prefer::Source { Prefer::Binary } else { Prefer::Source };
        let found = with(prefer);
        if found.is_empty() { with(other) } else { found }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_part_of_what_its_name_says() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in ["x.vert", "x.frag", "x.frag.spv", "x.comp", "y.frag", "light.glsl", "q.mesh", "q.vert"] {
            fs::write(path(name), "x").expect("writable");
        }
        let found = |name: &str, more: &[&str]| {
            let more: Vec<PathBuf> = more.iter().map(|name| path(name)).collect();
            let all = Neighbours::new(&more).pipelines_with(&path(name), Prefer::Source);
            all.into_iter().map(|pipeline| pipeline.name).collect::<Vec<_>>()
        };
        assert_eq!(found("x.vert", &[]), ["x.vert + x.frag"]);
        assert_eq!(found("x.frag", &[]), ["x.vert + x.frag"]);
        assert_eq!(found("x.comp", &[]), ["x.comp"]);
        assert_eq!(found("x.frag.spv", &[]), ["x.vert + x.frag.spv"], "the form that is asked for");
        assert_eq!(found("y.frag", &[]), ["y.frag"]);
        assert_eq!(found("y.frag", &["y.vert"]), ["y.vert + y.frag"], "a file that was never saved");
        assert_eq!(found("y.vert", &[]), ["y.vert + y.frag"], "as the file itself");
        assert!(found("light.glsl", &[]).is_empty() && found("README.md", &[]).is_empty());
        let also = found("q.frag", &[]);
        assert_eq!(also, ["q.vert + q.frag", "q.mesh + q.frag"], "one fragment shader of two pipelines");
    }
}
