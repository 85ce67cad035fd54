//! Atomic file writing: existing files are replaced only if that is allowed, and only as a whole.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use lanescope_core::run::Blob;
use tempfile::TempPath;

use crate::leftovers;
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
    put(path, bytes, may_replace).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => NotWritten::Exist(vec![path.to_owned()]),
        _ => failed(path, &error),
    })
}

/// The same: a reader sees the file that was there, or the whole new one, also where this process is killed on the way.
///
/// # Errors
/// What the file system says; [`io::ErrorKind::AlreadyExists`] where there is one that may not be replaced.
pub fn put(path: &Path, bytes: &[u8], may_replace: bool) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        // Pipes and devices are written to directly: nothing can be lost.
        return File::options().write(true).open(path)?.write_all(bytes);
    }
    if !may_replace {
        return whole(path, bytes, false);
    }
    // What may not be written may not be replaced either.
    let old = match File::options().write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        old => Some(old?),
    };
    match (whole(path, bytes, true), old) {
        (Err(error), Some(mut old)) if only_in_place(error.kind()) => {
            old.set_len(0)?;
            old.write_all(bytes)
        }
        (done, _) => done,
    }
}

fn whole(path: &Path, bytes: &[u8], may_replace: bool) -> io::Result<()> {
    let mut unfinished = Unfinished::beside(path, may_replace)?;
    unfinished.file.write_all(bytes)?;
    unfinished.finish()
}

/// Whether an error says that nothing may be made beside a file, or that nothing else takes its place: its folder
/// belongs to others, or it is mounted by itself.
fn only_in_place(error: io::ErrorKind) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(error, PermissionDenied | ReadOnlyFilesystem | ResourceBusy)
}

/// A file that is written beside its place and then takes it. Dropped before, it is gone.
pub struct Unfinished {
    /// What is written to.
    pub file: File,
    /// Where it is until it is finished.
    pub path: TempPath,
    place: PathBuf,
    may_replace: bool,
}

impl Unfinished {
    /// An empty file for this place. One that replaces what a link leads to leaves the link.
    ///
    /// # Errors
    /// What the file system says; [`io::ErrorKind::AlreadyExists`] where there is one that may not be replaced.
    pub fn beside(path: &Path, may_replace: bool) -> io::Result<Unfinished> {
        if !may_replace && path.symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(io::Error::other("not a regular file"));
        }
        let place = if may_replace { end_of_links(path) } else { path.to_owned() };
        let folder = folder_of(&place);
        leftovers::remove_from(folder);
        let (file, path) = leftovers::locked_in(folder)?;
        Ok(Unfinished { file, path: TempPath::try_from_path(path)?, place, may_replace })
    }

    /// Puts it in its place, on disk, with the permissions of what it replaces.
    ///
    /// # Errors
    /// As for [`Unfinished::beside`]: something may be there by now.
    pub fn finish(self) -> io::Result<()> {
        let Unfinished { file, path, place, may_replace } = self;
        if let Ok(old) = fs::metadata(&place) {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()?;
        let done = if may_replace { path.persist(&place) } else { path.persist_noclobber(&place) };
        match done {
            // Not every file system can see to it by itself that nothing is replaced.
            Err(error) if !may_replace && place.symlink_metadata().is_err() => Ok(error.path.persist(&place)?),
            done => Ok(done?),
        }
    }
}

/// The folder that a file is in.
fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Where a file is that goes by this name: a link may lead to another, and to none yet.
fn end_of_links(path: &Path) -> PathBuf {
    let mut place = path.to_owned();
    // As many as the system follows.
    for _ in 0..40 {
        let Ok(to) = fs::read_link(&place) else { break };
        place = folder_of(&place).join(to);
    }
    place
}

/// Whether [`write_file`] would find a file in the way: asked before work that takes long.
///
/// # Errors
/// The file that is in the way.
pub fn may_write(path: &Path, may_replace: bool) -> Result<(), NotWritten> {
    let in_the_way = !may_replace && fs::metadata(path).is_ok_and(|there| there.is_file() || there.is_dir());
    if in_the_way { Err(NotWritten::Exist(vec![path.to_owned()])) } else { Ok(()) }
}

/// Writes all files into a folder, which is created if it does not exist, or none if one exists and may
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
    fn replaces_existing_files_only_if_allowed() {
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
    fn keeps_or_replaces_a_file_as_a_whole() {
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
        assert_eq!(names(folder.path()), ["picture.svg"], "nothing else stays");
    }

    /// Names in a folder, in order.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("reads").file_name());
        let mut names: Vec<_> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn keeps_links_and_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name);
        let mode = |name: &str| fs::metadata(at(name)).expect("it is there").permissions().mode() & 0o777;
        fs::create_dir(at("far")).and_then(|()| fs::write(at("far/there"), "old")).expect("writable");
        fs::set_permissions(at("far/there"), PermissionsExt::from_mode(0o640)).expect("it is ours");
        symlink("hop", at("link")).and_then(|()| symlink("far/there", at("hop"))).expect("a link");
        symlink("far/none yet", at("hanging")).expect("a link");
        assert_eq!(write_file(&at("link"), b"new", false), Err(NotWritten::Exist(vec![at("link")])));
        assert_eq!(write_file(&at("hanging"), b"new", false), Err(NotWritten::Exist(vec![at("hanging")])));
        for name in ["link", "hanging"] {
            assert_eq!(write_file(&at(name), b"new", true), Ok(()));
            assert!(at(name).is_symlink());
            assert_eq!(fs::read(at(name)).expect("it is there"), b"new");
        }
        assert_eq!((names(&at("far")), mode("far/there")), (vec!["none yet".to_owned(), "there".to_owned()], 0o640));
        // What is new is as open as the user's files are.
        fs::write(at("plain"), "").expect("writable");
        assert_eq!((write_file(&at("new"), b"new", false), mode("new")), (Ok(()), mode("plain")));

        fs::set_permissions(at("new"), PermissionsExt::from_mode(0o440)).expect("it is ours");
        if File::options().write(true).open(at("new")).is_err() {
            assert!(matches!(write_file(&at("new"), b"newer", true), Err(NotWritten::Failed { .. })));
            // A folder that takes no new file keeps none from being written.
            fs::set_permissions(at("far"), PermissionsExt::from_mode(0o550)).expect("it is ours");
            assert_eq!(write_file(&at("far/there"), b"newer", true), Ok(()));
            assert_eq!(fs::read(at("far/there")).expect("it is there"), b"newer");
            fs::set_permissions(at("far"), PermissionsExt::from_mode(0o750)).expect("it is ours");
        }
    }
}
