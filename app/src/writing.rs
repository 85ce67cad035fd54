//! Writing files that were asked for: what is there already is replaced only where that was said.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use lanescope_core::run::Blob;

use crate::rewriting::NamedFile;

/// Why files were not written.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotWritten {
    /// They are there already, and may not be replaced.
    #[error("{}: exists", .0.first().map(|path| path.display().to_string()).unwrap_or_default())]
    Exist(Vec<PathBuf>),
    /// The file system said no.
    #[error("{}: cannot be written: {}", .path.display(), .why)]
    Failed {
        /// What could not be written.
        path: PathBuf,
        /// What the file system said.
        why: String,
    },
}

fn failed(path: &Path, error: &io::Error) -> NotWritten {
    NotWritten::Failed { path: path.to_owned(), why: error.to_string() }
}

/// Writes one file. Where one is there already and may not be replaced, none is written.
///
/// # Errors
/// See [`NotWritten`].
pub fn write_file(path: &Path, bytes: &[u8], may_replace: bool) -> Result<(), NotWritten> {
    let mut options = OpenOptions::new();
    // What is no file (a pipe, a device) takes what is written and loses nothing.
    let may_replace = may_replace || fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir());
    let options = if may_replace { options.create(true).truncate(true) } else { options.create_new(true) };
    let written = options.write(true).open(path).and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => NotWritten::Exist(vec![path.to_owned()]),
        _ => failed(path, &error),
    })
}

/// Whether [`write_file`] would find a file in the way: asked before work that takes long.
///
/// # Errors
/// The file that is in the way.
pub fn may_write(path: &Path, may_replace: bool) -> Result<(), NotWritten> {
    let in_the_way = !may_replace && fs::metadata(path).is_ok_and(|there| there.is_file() || there.is_dir());
    if in_the_way { Err(NotWritten::Exist(vec![path.to_owned()])) } else { Ok(()) }
}

/// Writes all files into a folder, which is made where it does not exist, or none where one is there already and may
/// not be replaced.
///
/// # Errors
/// See [`NotWritten`].
pub fn write_files(folder: &Path, files: &[NamedFile], may_replace: bool) -> Result<(), NotWritten> {
    let there: Vec<_> = files.iter().map(|(name, _)| folder.join(name)).filter(|path| path.exists()).collect();
    if !may_replace && !there.is_empty() {
        return Err(NotWritten::Exist(there));
    }
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    for (name, Blob(bytes)) in files {
        write_file(&folder.join(name), bytes, may_replace)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_replaced_only_where_that_is_allowed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("new/packed");
        let files = |text: &str| ["a.spv", "b.json"].map(|name| (name.to_owned(), Blob(text.as_bytes().to_vec())));
        assert_eq!(write_files(&target, &files("one"), false), Ok(()));
        fs::remove_file(target.join("a.spv")).expect("it was written");
        assert_eq!(write_files(&target, &files("two"), false), Err(NotWritten::Exist(vec![target.join("b.json")])));
        assert!(!target.join("a.spv").exists(), "all or none");
        assert_eq!(write_files(&target, &files("two"), true), Ok(()));
        assert_eq!(fs::read(target.join("b.json")).expect("it is there"), b"two");
        assert!(matches!(write_files(&target.join("b.json"), &files("x"), true), Err(NotWritten::Failed { .. })));
    }

    #[test]
    fn one_file_is_kept_or_replaced_as_a_whole() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("picture.svg");
        assert_eq!((may_write(&path, false), write_file(&path, b"long text", false)), (Ok(()), Ok(())));
        let there = || Err(NotWritten::Exist(vec![path.clone()]));
        assert_eq!((may_write(&path, false), write_file(&path, b"other", false)), (there(), there()));
        assert_eq!(fs::read(&path).expect("it is there"), b"long text");
        assert_eq!((may_write(&path, true), write_file(&path, b"short", true)), (Ok(()), Ok(())));
        assert_eq!(fs::read(&path).expect("it is there"), b"short");
        assert!(matches!(write_file(folder.path(), b"x", true), Err(NotWritten::Failed { .. })));
        assert_eq!(write_file(Path::new("/dev/null"), b"gone", false), Ok(()));
    }
}
