//! What the Slang compiler calls files: it takes UTF-8 alone. A folder whose name is none has another one there.

use std::path::{Path, PathBuf};

use lanescope_model::options::Conversion;

/// The names of a source and of the folders of what it includes and imports.
#[derive(Debug, Clone)]
pub(super) struct Names {
    /// What the compiler calls the source, as messages and lines do.
    told: String,
    /// By what the compiler calls a folder: the folder. Those whose names are text are not among them.
    renamed: Vec<(String, PathBuf)>,
    /// Folders that are looked through, as the compiler calls them.
    searched: Vec<String>,
    /// What the files are called that are included before the source.
    first: Vec<String>,
}

impl Names {
    /// `folder`: where the files lie that the source includes; `first`: files before the source.
    pub(super) fn of(path: &Path, folder: &Path, conversion: &Conversion, first: &[PathBuf]) -> Names {
        let text = |path: &Path| path.display().to_string();
        let parents = first.iter().filter_map(|file| file.parent());
        let renamed = parents.chain([folder]).filter(|folder| folder.to_str().is_none());
        let renamed = renamed.map(|folder| (text(folder), folder.to_owned())).collect();
        let escaped = |file: &PathBuf| text(file).replace(['"', '\n', '\r'], "_");
        Names {
            told: text(path),
            renamed,
            searched: conversion.include_dirs.clone(),
            first: first.iter().map(escaped).collect(),
        }
    }

    /// What the compiler calls the source.
    pub(super) fn told(&self) -> &str {
        &self.told
    }

    /// The folders that are looked through.
    pub(super) fn folders(&self) -> impl Iterator<Item = &str> {
        self.searched.iter().map(String::as_str)
    }

    /// What the files are called that are included before the source.
    pub(super) fn first(&self) -> Vec<String> {
        self.first.clone()
    }

    /// The file that the compiler asks for.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        let within = |(told, folder): &(String, PathBuf)| {
            Some(folder.join(name.strip_prefix(told.as_str())?.strip_prefix('/')?.trim_start_matches('/')))
        };
        self.renamed.iter().find_map(within).unwrap_or_else(|| PathBuf::from(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn folders_that_are_no_text_are_found() {
        let folder = Path::new(OsStr::from_bytes(b"/x/gr\xf6\xdfe"));
        let names = Names::of(&folder.join("a.slang"), folder, &Conversion::default(), &[]);
        let told = names.told().strip_suffix("/a.slang").expect("the folder").to_owned();
        assert_eq!(names.file(&format!("{told}/sub/b.slang")), folder.join("sub/b.slang"));
        assert_eq!(names.file("/x/b.slang"), Path::new("/x/b.slang"));
        let usual = Names::of(Path::new("ä/a.slang"), Path::new("ä"), &Conversion::default(), &[]);
        assert_eq!((usual.told(), usual.file("ä/b.slang")), ("ä/a.slang", PathBuf::from("ä/b.slang")));
    }
}
