//! Many files in little memory: each has its name and the number of its folder.

use std::cmp::Ordering;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use super::common_name::{CommonName, common_name};

/// Files of folders. A folder may have a million.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileList {
    folders: Vec<PathBuf>,
    files: Vec<ListedFile>,
}

/// A file of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ListedFile {
    folder: u32,
    /// Empty where the folder itself was taken for a file.
    name: Box<OsStr>,
}

impl ListedFile {
    fn common(&self) -> CommonName<'_> {
        common_name(&self.name).unwrap_or(CommonName { stem: &self.name, suffix: "" })
    }
}

impl FileList {
    /// Adds a file. Files of one folder should follow each other: its path is then kept once.
    pub fn push(&mut self, folder: &Path, name: &OsStr) {
        if self.folders.last().is_none_or(|last| last != folder) {
            self.folders.push(folder.to_owned());
        }
        let folder = u32::try_from(self.folders.len().saturating_sub(1)).unwrap_or(u32::MAX);
        self.files.push(ListedFile { folder, name: name.into() });
    }

    /// Adds a file by its path.
    pub fn push_path(&mut self, path: &Path) {
        self.push(folder_of(path), path.file_name().unwrap_or_default());
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Sorts the files by folder and by what those of one pipeline have in common.
    pub fn sort(&mut self) {
        let FileList { folders, files } = self;
        files.sort_by(|one, other| order(folders, one, other));
        files.shrink_to_fit();
    }

    /// The paths of files that have their name in common: neighbours in a sorted list.
    pub fn groups(&self) -> impl Iterator<Item = Vec<PathBuf>> {
        let together = |one: &ListedFile, next: &ListedFile| order(&self.folders, one, next).is_eq();
        self.files.chunk_by(together).map(|files| files.iter().map(|file| path(&self.folders, file)).collect())
    }

    /// The same, one after the other: the list is given back on the way.
    pub fn into_groups(self) -> impl Iterator<Item = Vec<PathBuf>> {
        let FileList { folders, files } = self;
        let mut files = files.into_iter().peekable();
        std::iter::from_fn(move || {
            let first = files.next()?;
            let mut group = vec![path(&folders, &first)];
            while let Some(next) = files.next_if(|next| order(&folders, &first, next).is_eq()) {
                group.push(path(&folders, &next));
            }
            Some(group)
        })
    }
}

fn path(folders: &[PathBuf], file: &ListedFile) -> PathBuf {
    let folder = folder(folders, file);
    if file.name.is_empty() { folder.to_owned() } else { folder.join(&*file.name) }
}

fn folder<'l>(folders: &'l [PathBuf], file: &ListedFile) -> &'l Path {
    folders.get(file.folder as usize).map_or(Path::new(""), PathBuf::as_path)
}

/// The order of paths whose last component is the common name.
fn order(folders: &[PathBuf], one: &ListedFile, other: &ListedFile) -> Ordering {
    if one.folder == other.folder {
        return one.common().cmp(&other.common());
    }
    let (mut left, mut right) = (folder(folders, one).components(), folder(folders, other).components());
    loop {
        match (left.next(), right.next()) {
            (None, None) => return one.common().cmp(&other.common()),
            (None, Some(component)) => return before(&one.common(), component),
            (Some(component), None) => return before(&other.common(), component).reverse(),
            (Some(a), Some(b)) if a == b => {}
            (Some(a), Some(b)) => return a.cmp(&b),
        }
    }
}

/// The order of a path's last component and one that another path has there, with more after it.
fn before(last: &CommonName<'_>, component: Component<'_>) -> Ordering {
    match component {
        Component::Normal(name) => last.bytes().cmp(name.as_bytes().iter().copied()).then(Ordering::Less),
        // Names follow all other components.
        _ => Ordering::Greater,
    }
}

/// Names of files of one folder, in one text; of files elsewhere their absolute paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names(Box<[u8]>);

impl Names {
    /// The names of paths in a folder. No name has a zero byte.
    pub fn of(paths: &[PathBuf], folder: &Path) -> Names {
        let name = |path: &'_ PathBuf| match folder_of(path) == folder {
            true => path.file_name().unwrap_or_default().as_bytes().to_vec(),
            false => path.as_os_str().as_bytes().to_vec(),
        };
        Names(paths.iter().map(name).collect::<Vec<_>>().join(&0).into())
    }

    /// The paths, in a folder.
    pub fn paths(&self, folder: &Path) -> Vec<PathBuf> {
        let name =
            |bytes: &[u8]| if bytes.is_empty() { folder.to_owned() } else { folder.join(OsStr::from_bytes(bytes)) };
        self.0.split(|byte| *byte == 0).map(name).collect()
    }
}

/// The folder of a file; a path without a name is its own folder.
pub fn folder_of(path: &Path) -> &Path {
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(_)) => folder,
        _ => path,
    }
}

/// The names of a folder's entries, sorted.
pub fn sorted(entries: impl Iterator<Item = std::io::Result<OsString>>) -> std::io::Result<Vec<Box<OsStr>>> {
    let mut names = entries.map(|name| name.map(OsString::into_boxed_os_str)).collect::<Result<Vec<_>, _>>()?;
    names.sort_unstable();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The common name as a path, which is slower and larger.
    fn reference(path: &Path) -> PathBuf {
        let common = path.file_name().and_then(common_name);
        common.map_or(path.to_owned(), |common| {
            path.with_file_name(OsString::from(common.stem).into_string().expect("UTF-8") + common.suffix)
        })
    }

    #[test]
    fn sorts_as_paths_of_common_names() {
        let names = [
            "a/b.vert",
            "a/b/c.frag",
            "a/b.frag",
            "a/b/c.vert",
            "a.comp",
            "a/b-c.comp",
            "../x.comp",
            "./x.comp",
            "/x.comp",
            "x.ps.hlsl",
            "x.vs.dxil",
            "a/b.c/d.spv",
            "a/b",
            "..",
            "a//b.geom",
            "a/b.vert",
        ];
        let mut list = FileList::default();
        names.iter().for_each(|name| list.push_path(Path::new(name)));
        list.sort();
        let mut expected: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
        expected.sort_by_key(|path| reference(path));
        let groups: Vec<Vec<PathBuf>> = list.groups().collect();
        assert_eq!(groups.concat(), expected);
        assert!(groups.iter().any(|group| group.len() == 5), "{groups:?}");
        assert_eq!(list.into_groups().collect::<Vec<_>>(), groups);
    }

    #[test]
    fn keeps_names_in_one_text() {
        let files = [PathBuf::from("/a/lit.vert"), Path::new("/a").join(OsStr::from_bytes(b"\xff"))];
        assert_eq!(Names::of(&files, folder_of(&files[0])).paths(folder_of(&files[0])), files);
        let elsewhere = [PathBuf::from("/a/lit.vert"), PathBuf::from("/b/lit.frag")];
        assert_eq!(Names::of(&elsewhere, Path::new("/a")).paths(Path::new("/a")), elsewhere);
        for alone in ["lit.vert", "..", "/", "./x"] {
            let alone = PathBuf::from(alone);
            assert_eq!(Names::of(std::slice::from_ref(&alone), folder_of(&alone)).paths(folder_of(&alone)), [alone]);
        }
    }
}
