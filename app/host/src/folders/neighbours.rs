//! The pipelines of one file: itself with the files beside it whose names differ in the stage only.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::{FileList, PipelineFiles, Prefer, common_name, folder_of, pipelines_of};

/// Entries of a folder that are looked at.
const MAX_ENTRIES: usize = 20_000;

/// The pipelines of which a file is a part, by the names in its folder. Empty where its name is not a shader's.
///
/// `more`: files that count as if they were in their folders, such as unsaved ones. Of a shader with several forms the one
/// that is asked for is used, the others are compiled sources or their results; `prefer` chooses among those of the other
/// stages.
pub fn pipelines_with(file: &Path, more: &[PathBuf], prefer: Prefer) -> Vec<PipelineFiles> {
    let Some(common) = file.file_name().and_then(common_name) else { return Vec::new() };
    let folder = folder_of(file);
    // A folder that cannot be read has the files that are known.
    let listed = fs::read_dir(folder).into_iter().flatten().take(MAX_ENTRIES).flatten();
    let mut names: BTreeSet<OsString> = listed.map(|entry| entry.file_name()).collect();
    let beside = more.iter().map(PathBuf::as_path).chain([file]).filter(|other| folder_of(other) == folder);
    names.extend(beside.filter_map(|other| other.file_name().map(OsString::from)));
    let mut files = FileList::default();
    for name in names.iter().filter(|name| common_name(name).is_some_and(|other| other == common)) {
        let path = folder.join(name);
        if path.is_file() || path == file || more.contains(&path) {
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
            let all = pipelines_with(&path(name), &more, Prefer::Source);
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
