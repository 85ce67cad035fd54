//! Programs on PATH.

use std::path::PathBuf;

/// The most folders that are looked at.
const MAX_FOLDERS: usize = 64;

/// The files of a name in the folders of PATH, in their order. Folders without a full path depend on where this program is
/// started, and do not count.
pub(super) fn files(name: &str) -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> =
        std::env::split_paths(&path).filter(|folder| folder.is_absolute()).take(MAX_FOLDERS).collect();
    folders.into_iter().map(move |folder| folder.join(name)).filter(|file| file.is_file())
}
