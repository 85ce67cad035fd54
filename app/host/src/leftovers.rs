//! Unfinished files (`.lanescope-PID-N`) of processes that were killed while they wrote.
//!
//! A writer holds a lock on its unfinished file, which ends with the process: a file that nobody locks has no writer.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::files::number;

const PREFIX: &str = ".lanescope-";

/// An empty file in a folder, locked until it is closed.
///
/// # Errors
/// What the file system says.
pub fn locked_in(folder: &Path) -> io::Result<(File, PathBuf)> {
    loop {
        let path = folder.join(format!("{PREFIX}{}-{}", std::process::id(), number()));
        let file = match File::create_new(&path) {
            // A process of that number was killed here.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            file => file?,
        };
        // Not every file system has locks: without them no other process removes the file either.
        let locked = file.try_lock().is_ok();
        // Another process may have taken it for a leftover before it was locked.
        if !locked || is_at(&file, &path)? {
            return Ok((file, path));
        }
    }
}

/// Whether a path is the name of an open file.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(there) => {
            let own = file.metadata()?;
            Ok((own.dev(), own.ino()) == (there.dev(), there.ino()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes the unfinished files in a folder whose writer is gone. A process looks once into each folder.
pub fn remove_from(folder: &Path) {
    static SEEN: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);
    if SEEN.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        sweep(folder);
    }
}

fn sweep(folder: &Path) {
    // A leftover does no harm: what cannot be read or removed stays.
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let is_file = || fs::symlink_metadata(&path).is_ok_and(|there| there.is_file());
        if !is_unfinished(&path) || !is_file() {
            continue;
        }
        if let Ok(file) = File::options().write(true).open(&path)
            && file.try_lock().is_ok()
            && is_at(&file, &path).unwrap_or(false)
        {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Whether a path has the name of an unfinished file.
fn is_unfinished(path: &Path) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let name = path.file_name().and_then(|name| name.to_str());
    let numbers = name.and_then(|name| name.strip_prefix(PREFIX)?.split_once('-'));
    numbers.is_some_and(|(process, file)| is_number(process) && is_number(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_what_nobody_writes_and_keeps_the_rest() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name);
        for name in [".lanescope-77-3", ".lanescope-run", ".lanescope-7", ".lanescope-7-x", "a.lanescope-7-1"] {
            fs::write(at(name), "text").expect("writable");
        }
        std::os::unix::fs::symlink(at("a.lanescope-7-1"), at(".lanescope-8-1")).expect("a link");
        let (file, written) = locked_in(folder.path()).expect("a file");
        sweep(folder.path());
        let names = || {
            let entries = fs::read_dir(folder.path()).expect("a folder").flatten();
            let mut names: Vec<_> = entries.map(|entry| entry.path()).collect();
            names.sort();
            names
        };
        let kept = [".lanescope-7", ".lanescope-7-x", ".lanescope-8-1", ".lanescope-run", "a.lanescope-7-1"];
        let mut expected: Vec<_> = kept.iter().map(|name| at(name)).chain([written.clone()]).collect();
        expected.sort();
        assert_eq!(names(), expected);
        drop(file);
        sweep(folder.path());
        assert!(!written.exists(), "its writer has closed it");
    }

    #[test]
    fn a_file_that_was_removed_is_no_longer_at_its_path() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (file, path) = locked_in(folder.path()).expect("a file");
        assert!(is_at(&file, &path).expect("is there"));
        fs::remove_file(&path).expect("is ours");
        assert!(!is_at(&file, &path).expect("is readable"));
        fs::write(&path, "another").expect("writable");
        assert!(!is_at(&file, &path).expect("is readable"));
    }
}
